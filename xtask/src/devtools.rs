//! A browser that is told what to do: the devtools protocol, through a pipe.
//!
//! The browser reads commands from its file 3 and writes answers to its file 4, each a JSON object with a zero
//! byte after it. A shell puts our pipes there, so this needs a system that has one.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;
use std::{fs, thread};

use serde_json::{Value, json};

/// So that a browser that hangs is a failure; no load makes an answer take this long.
const PATIENCE: Duration = Duration::from_secs(300);

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    /// The number of the last command.
    last: u64,
    session: Option<String>,
    /// What went wrong in the page, and what it asked the network for.
    pub(crate) complaints: Vec<String>,
}

impl Browser {
    /// Starts a browser with a page of this width.
    pub(crate) fn start(program: &Path, folder: &Path, width: u32, height: u32) -> Result<Browser, String> {
        let profile = folder.join(format!("profile-{width}"));
        let _ = fs::remove_dir_all(&profile);
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null"])
            .arg(program)
            .args([
                "--headless",
                "--disable-gpu",
                "--no-sandbox",
                "--no-first-run",
                "--disable-dev-shm-usage",
            ])
            .arg("--remote-debugging-pipe")
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("cannot run {}: {e}", program.display()))?;
        let to = child.stdin.take().ok_or("no pipe to the browser")?;
        let (sender, from) = channel();
        let pipe = child.stdout.take().ok_or("no pipe from the browser")?;
        thread::spawn(move || listen(pipe, &sender));
        let mut browser = Browser { child, to, from, last: 0, session: None, complaints: Vec::new() };
        let page = browser.call("Target.createTarget", json!({"url": "about:blank"}))?;
        let attach = json!({"targetId": page["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", attach)?;
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page.enable", "Runtime.enable", "Network.enable"] {
            browser.call(domain, json!({}))?;
        }
        let screen = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        browser.call("Emulation.setDeviceMetricsOverride", screen)?;
        Ok(browser)
    }

    /// Loads a file and waits until it is there.
    pub(crate) fn open(&mut self, file: &Path) -> Result<(), String> {
        self.call("Page.navigate", json!({"url": format!("file://{}", file.display())}))?;
        self.wait_until("document.readyState === 'complete' && location.protocol === 'file:'")
    }

    /// Sends a command and returns its answer.
    fn call(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.last += 1;
        let mut command = json!({"id": self.last, "method": method, "params": params});
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        let text = format!("{command}\0");
        self.to.write_all(text.as_bytes()).and_then(|()| self.to.flush()).map_err(|e| e.to_string())?;
        loop {
            let answer = self.from.recv_timeout(PATIENCE).map_err(|e| match e {
                RecvTimeoutError::Timeout => format!("the browser did not answer {method}"),
                RecvTimeoutError::Disconnected => format!("the browser ended at {method}"),
            })?;
            if answer["id"] == json!(self.last) {
                return match &answer["error"] {
                    Value::Null => Ok(answer["result"].clone()),
                    error => Err(format!("{method}: {error}")),
                };
            }
            self.note(&answer);
        }
    }

    fn note(&mut self, event: &Value) {
        match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => {
                self.complaints
                    .push(event["params"]["exceptionDetails"]["exception"]["description"].to_string());
            }
            Some("Network.requestWillBeSent") => {
                let url = event["params"]["request"]["url"].as_str().unwrap_or_default();
                if !url.starts_with("file:") && !url.starts_with("about:") && !url.starts_with("data:") {
                    self.complaints.push(format!("the page asked for {url}"));
                }
            }
            _ => {}
        }
    }

    /// What an expression is in the page.
    pub(crate) fn value(&mut self, expression: &str) -> Result<Value, String> {
        let asked = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", asked)?;
        match &answer["exceptionDetails"] {
            Value::Null => Ok(answer["result"]["value"].clone()),
            thrown => Err(format!("{expression}: {}", thrown["exception"]["description"])),
        }
    }

    /// Waits for something to be so in the page.
    pub(crate) fn wait_until(&mut self, expression: &str) -> Result<(), String> {
        for _ in 0..3000 {
            if self.value(expression)? == json!(true) {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(20));
        }
        Err(format!("it did not come to be that {expression}"))
    }

    /// Clicks with the mouse on the middle of an element, which is brought into sight first.
    pub(crate) fn click(&mut self, selector: &str) -> Result<(), String> {
        let place = self.value(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); if (!e) return null;
               if (!e.closest('svg')) e.scrollIntoView({{block: 'center', behavior: 'instant'}});
               else document.getElementById('stage').scrollIntoView({{block: 'nearest', behavior: 'instant'}});
               const target = e.classList.contains('edge') ? e.querySelector('.line') : e, b = target.getBoundingClientRect();
               if (target.getPointAtLength) {{
                 const p = target.getPointAtLength(target.getTotalLength() / 2), m = target.getScreenCTM();
                 return [p.x * m.a + m.e, p.y * m.d + m.f];
               }}
               return [b.x + b.width / 2, b.y + b.height / 2]; }})()"
        ))?;
        let (Some(x), Some(y)) = (place[0].as_f64(), place[1].as_f64()) else {
            return Err(format!("there is no {selector}"));
        };
        self.mouse("mouseMoved", x, y)?;
        self.mouse("mousePressed", x, y)?;
        self.mouse("mouseReleased", x, y)
    }

    /// What the mouse does at a point of the screen.
    pub(crate) fn mouse(&mut self, what: &str, x: f64, y: f64) -> Result<(), String> {
        let button = if what == "mouseMoved" { "none" } else { "left" };
        let event = json!({"type": what, "x": x, "y": y, "button": button, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", event).map(drop)
    }

    /// Turns the wheel over a point.
    pub(crate) fn wheel(&mut self, x: f64, y: f64, delta: f64) -> Result<(), String> {
        let event = json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": delta});
        self.call("Input.dispatchMouseEvent", event).map(drop)
    }

    /// Presses a key with a name.
    pub(crate) fn key(&mut self, key: &str) -> Result<(), String> {
        let code = match key {
            "Enter" => 13,
            "Escape" => 27,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "Home" => 36,
            _ => 0,
        };
        let mut event = json!({"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code});
        if key == "Enter" {
            event["text"] = json!("\r");
        } else if key.chars().count() == 1 {
            event["text"] = json!(key);
        }
        self.call("Input.dispatchKeyEvent", event.clone())?;
        event["type"] = json!("keyUp");
        if let Some(fields) = event.as_object_mut() {
            fields.remove("text");
        }
        self.call("Input.dispatchKeyEvent", event).map(drop)
    }

    /// Types a text where the caret is.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), String> {
        self.call("Input.insertText", json!({"text": text})).map(drop)
    }

    /// Which scheme of colours the reader prefers.
    pub(crate) fn prefers(&mut self, scheme: &str) -> Result<(), String> {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features})).map(drop)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.call("Browser.close", json!({}));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads answers until the browser ends.
fn listen(pipe: ChildStdout, sender: &Sender<Value>) {
    let mut reader = BufReader::new(pipe);
    let mut message = Vec::new();
    while reader.read_until(0, &mut message).is_ok_and(|n| n > 0) {
        message.pop();
        if let Ok(value) = serde_json::from_slice(&message)
            && sender.send(value).is_err()
        {
            return;
        }
        message.clear();
    }
}
