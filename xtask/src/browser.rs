//! What we make for browsers, looked at by one.
//!
//! A drawing must be accepted as an image and have ink: a page paints it on a canvas and counts the
//! pixels that are not background. The report of a study is loaded at the width of a desk and of a
//! phone: every panel must have its data, nothing may stand out at the side and no error may occur.
//! The browser prints each page with its findings filled in.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use crate::{Outcome, build, built, root};

/// A small drawing and the largest of the paper's.
const NETWORKS: [&str; 2] = ["alarm", "link"];
/// So that a browser that hangs is a failure; no load makes one take this long.
const PATIENCE: Duration = Duration::from_secs(900);

pub(crate) fn drawings() -> Outcome {
    each(&NETWORKS, look)
}

/// The widths at which the report is looked at: a desk and a phone.
const WIDTHS: [&str; 2] = ["1280", "390"];

pub(crate) fn report() -> Outcome {
    each(&WIDTHS, look_at_report)
}

/// Has a browser look at each of several things, if there is a browser.
fn each(things: &[&str], look: fn(&Path, &str) -> Result<String, String>) -> Outcome {
    let Some(browser) = find() else {
        return Outcome::Skipped("no Chromium, Chrome or Edge was found".into());
    };
    eprintln!("with {}", browser.display());
    if let failed @ Outcome::Failed(_) = build(&["--bins"]) {
        return failed;
    }
    for thing in things {
        match look(&browser, thing) {
            Ok(seen) => eprintln!("{thing}: {seen}"),
            Err(why) => return Outcome::Failed(format!("{thing}: {why}")),
        }
    }
    Outcome::Passed
}

/// Draws a network and has the browser look at it; says what it saw.
fn look(browser: &Path, network: &str) -> Result<String, String> {
    let folder = root().join("target/xtask/browser");
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let (svg, html) = (folder.join(format!("{network}.svg")), folder.join(format!("{network}.html")));
    draw(network, &svg)?;
    let drawing = fs::read(&svg).map_err(|e| e.to_string())?;
    fs::write(&html, page(&drawing)).map_err(|e| e.to_string())?;
    let seen = said(browser, &html, &folder)?;
    let numbers = numbers(&seen);
    match numbers[..] {
        [width, height, ink] if width > 100 && height > 100 && ink > 1000 => {
            Ok(format!("{width} × {height} pixels, {ink} of them with ink"))
        }
        _ => Err(format!("the browser saw {seen:?} (width, height and pixels with ink were expected)")),
    }
}

/// Makes a tiny study and has the browser load its report in a frame of this width; says what it saw.
fn look_at_report(browser: &Path, width: &str) -> Result<String, String> {
    let folder = root().join("target/xtask/browser");
    let study = folder.join("study");
    // What an earlier version wrote there would be refused.
    if study.exists() {
        fs::remove_dir_all(&study).map_err(|e| e.to_string())?;
    }
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let mut words: Vec<OsString> = ["--quiet", "study", "--networks", "asia,child", "--sizes", "50,100"]
        .into_iter()
        .chain(["--samples", "2", "--timing", "--json", "-o"])
        .map(OsString::from)
        .collect();
    words.push(study.clone().into());
    ossature(&words)?;
    let report = fs::read_to_string(study.join("report.html")).map_err(|e| e.to_string())?;
    let html = folder.join(format!("report{width}.html"));
    fs::write(&html, frame(&report, width)).map_err(|e| e.to_string())?;
    let seen = said(browser, &html, &folder)?;
    match numbers(&seen)[..] {
        // Two sizes, two networks; the panels by size and two by network.
        [14, 12, 2, 4, texts, 0, 0, words] if texts > 2 && words > 300 => {
            Ok(format!("14 charts with their data, {words} words, nothing stands out"))
        }
        _ => Err(format!(
            "the browser saw {seen:?} (charts, panels by size, fewest points and dots in one of these, fewest texts in a \
             chart, pixels that stand out, errors and words were expected)"
        )),
    }
}

fn draw(network: &str, svg: &Path) -> Result<(), String> {
    ossature(&["--quiet".into(), "convert".into(), network.into(), svg.into()])
}

fn ossature(words: &[OsString]) -> Result<(), String> {
    let status = Command::new(built("ossature"))
        .args(words)
        .stdout(Stdio::null())
        .status()
        .map_err(|e| e.to_string())?;
    if status.success() { Ok(()) } else { Err(format!("ossature {words:?}: {status}")) }
}

/// What the script of a page has found.
fn said(browser: &Path, html: &Path, folder: &Path) -> Result<String, String> {
    let page = dump(browser, html, folder)?;
    page.split_once("<output>")
        .and_then(|(_, rest)| rest.split_once("</output>"))
        .map(|(inside, _)| inside.to_owned())
        .ok_or_else(|| "the browser printed no page".into())
}

fn numbers(text: &str) -> Vec<u64> {
    text.split(' ').filter_map(|word| word.parse().ok()).collect()
}

/// A page that shows the report in a frame as wide as a screen, with everything unfolded, and looks into it.
fn frame(report: &str, width: &str) -> String {
    let inside = report.replace('&', "&amp;").replace('"', "&quot;");
    format!(
        r#"<!doctype html><meta charset="utf-8"><output>nothing</output><script>let errors = 0;
function look(frame) {{
  const page = frame.contentDocument, charts = [...page.querySelectorAll("figure svg.chart")];
  frame.contentWindow.addEventListener("error", () => errors++);
  page.querySelectorAll("details").forEach(d => d.open = true);
  const panels = charts.filter(c => c.querySelector(".point"));
  const fewest = (among, mark) => Math.min(...among.map(c => [...c.querySelectorAll(mark)].filter(m => m.getBoundingClientRect().width > 0).length));
  document.querySelector("output").textContent = [charts.length, panels.length, fewest(panels, ".point"), fewest(panels, ".dot"), fewest(charts, "text"),
    page.documentElement.scrollWidth - page.documentElement.clientWidth, errors, page.body.innerText.split(/\s+/).length].join(" ");
}}
addEventListener("error", () => errors++);
</script><iframe style="width:{width}px;height:900px;border:0" onload="look(this)" srcdoc="{inside}"></iframe>"#
    )
}

fn page(drawing: &[u8]) -> String {
    let encoded: String = drawing.iter().map(|byte| format!("%{byte:02x}")).collect();
    format!(
        r#"<!doctype html><meta charset="utf-8"><output>nothing</output><script>
const said = document.querySelector("output"), image = new Image();
image.onerror = () => said.textContent = "not an image";
image.onload = () => {{
  const side = n => Math.min(n, 2000), canvas = document.createElement("canvas");
  canvas.width = side(image.naturalWidth); canvas.height = side(image.naturalHeight);
  const pen = canvas.getContext("2d");
  pen.fillStyle = "white"; pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  const pixels = new Uint32Array(pen.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  said.textContent = [image.naturalWidth, image.naturalHeight, pixels.filter(p => p != pixels[0]).length].join(" ");
}};
image.src = "data:image/svg+xml,{encoded}";
</script>"#
    )
}

/// The page as it is after its script has run.
fn dump(browser: &Path, html: &Path, folder: &Path) -> Result<String, String> {
    let out = folder.join("dom.html");
    let file = fs::File::create(&out).map_err(|e| e.to_string())?;
    let mut profile = OsString::from("--user-data-dir=");
    profile.push(folder.join("profile"));
    let child = Command::new(browser)
        .args(["--headless", "--disable-gpu", "--no-sandbox", "--no-first-run", "--disable-dev-shm-usage"])
        .args(["--virtual-time-budget=20000", "--dump-dom"])
        .arg(profile)
        .arg(html)
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| format!("cannot run {}: {e}", browser.display()))?;
    wait(child)?;
    fs::read_to_string(&out).map_err(|e| e.to_string())
}

fn wait(mut child: Child) -> Result<(), String> {
    let started = Instant::now();
    while child.try_wait().map_err(|e| e.to_string())?.is_none() {
        if started.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("the browser did not end within {} s", PATIENCE.as_secs()));
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

pub(crate) fn find() -> Option<PathBuf> {
    let names = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "chrome",
        "microsoft-edge",
        "msedge",
    ];
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name).with_extension(env::consts::EXE_EXTENSION)));
    let elsewhere = [
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        r"C:\Program Files\Google\Chrome\Application\chrome.exe",
        r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    ];
    on_path.chain(elsewhere.map(PathBuf::from)).find(|candidate| candidate.is_file())
}
