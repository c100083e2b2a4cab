//! The page of a network, touched by a browser: real clicks and keys, at the width of a desk and of a phone.
//!
//! What the page computes for levels that are chosen by clicks must be what `ossature query` says.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::devtools::Browser;
use crate::{Outcome, browser, build, built, root};

/// A desk and a phone.
const SCREENS: [(u32, u32); 2] = [(1280, 800), (390, 780)];
/// The networks whose answers are compared.
const ASKED: [&str; 3] = ["asia", "alarm", "insurance"];
/// How many levels are chosen in each, and how often that is begun again.
const CHOICES: usize = 3;
const ROUNDS: usize = 2;
/// What the page and the command may differ by.
const TOLERANCE: f64 = 1e-9;

type Found = BTreeMap<String, BTreeMap<String, f64>>;

pub(crate) fn pages() -> Outcome {
    let Some(program) = browser::find() else {
        return Outcome::Skipped("no Chromium, Chrome or Edge was found".into());
    };
    if cfg!(windows) {
        return Outcome::Skipped("the pipe to a browser needs a Unix shell".into());
    }
    if let failed @ Outcome::Failed(_) = build(&["--bins"]) {
        return failed;
    }
    for (width, height) in SCREENS {
        match touch(&program, width, height) {
            Ok(seen) => eprintln!("{width} pixels: {seen}"),
            Err(why) => return Outcome::Failed(format!("{width} pixels: {why}")),
        }
    }
    Outcome::Passed
}

fn touch(program: &Path, width: u32, height: u32) -> Result<String, String> {
    let folder = root().join("target/xtask/browser");
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let mut browser = Browser::start(program, &folder, width, height)?;
    let mut compared = 0;
    for network in ASKED {
        let page = made(&folder, network, &["convert", network])?;
        open(&mut browser, &page)?;
        compared += ask(&mut browser, network, u64::from(width)).map_err(|e| format!("{network}: {e}"))?;
    }
    alarm_by_hand(&mut browser, &folder)?;
    large(&mut browser, &folder)?;
    learned(&mut browser, &folder)?;
    compared_structures(&mut browser, &folder)?;
    match browser.complaints.as_slice() {
        [] => Ok(format!("{compared} probabilities as `ossature query` has them")),
        complaints => Err(complaints.join("; ")),
    }
}

/// Has the command write a page; its words come before `-o FILE`, or FILE where the command converts.
fn made(folder: &Path, name: &str, words: &[&str]) -> Result<PathBuf, String> {
    let file = folder.join(format!("{name}.html"));
    let mut command = Command::new(built("ossature"));
    command.arg("--quiet").args(words);
    if words[0] != "convert" {
        command.arg("-o");
    }
    let output = command.arg(&file).output().map_err(|e| e.to_string())?;
    match output.status.success() {
        true => Ok(file),
        false => Err(format!("ossature {words:?}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// Opens a page, which must fit the screen.
fn open(browser: &mut Browser, page: &Path) -> Result<(), String> {
    browser.open(page)?;
    let out = browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")?;
    check(out == 0, || format!("{}: something stands out by {out} pixels", page.display()))
}

/// Chooses random levels by clicks and compares what the page says with the command.
fn ask(browser: &mut Browser, network: &str, seed: u64) -> Result<usize, String> {
    let nodes = browser.value("document.querySelectorAll('.node').length")?.as_u64().unwrap_or_default();
    let mut random = Random(seed);
    let mut compared = 0;
    for _ in 0..ROUNDS {
        let mut given: BTreeMap<String, String> = BTreeMap::new();
        for _ in 0..CHOICES {
            let node = random.below(nodes);
            browser.click(&format!(".node[data-node=\"{node}\"]"))?;
            let name = text(browser, "document.querySelector('#panel-selection h2')?.textContent")?;
            let wanted = text(
                browser,
                &format!(
                    "document.querySelector('.node[data-node=\"{node}\"]').getAttribute('aria-label').split(':')[0]"
                ),
            )?;
            check(name == wanted, || format!("a click on {wanted} selected {name:?}"))?;
            if given.contains_key(&name) {
                continue;
            }
            let levels = format!("#panel-selection .level[data-node=\"{node}\"]");
            let count = browser.value(&format!("document.querySelectorAll('{levels}').length"))?;
            let level = random.below(count.as_u64().unwrap_or(1));
            let button = format!("{levels}[data-level=\"{level}\"]");
            browser.click(&button)?;
            let word = text(browser, &format!("document.querySelector('{button} .word').textContent"))?;
            given.insert(name, word);
            compared += compare(browser, network, &given)?;
        }
        browser.click("#tab-whatif")?;
        browser.click("#clear")?;
        compared += compare(browser, network, &BTreeMap::new())?;
    }
    Ok(compared)
}

/// What the page shows for all variables must be what the command says.
fn compare(browser: &mut Browser, network: &str, given: &BTreeMap<String, String>) -> Result<usize, String> {
    let shown = browser.value(
        "(() => { const found = {};
           for (const card of document.querySelectorAll('.card')) {
             const of = found[card.querySelector('h3').textContent] = {};
             for (const b of card.querySelectorAll('.level')) of[b.querySelector('.word').textContent] = b.dataset.p ?? null;
           } return found; })()",
    )?;
    let Value::Object(shown) = shown else { return Err("the page shows nothing".into()) };
    let Some(told) = query(network, shown.keys(), given)? else {
        let warned = text(browser, "document.querySelector('#evidence .warning')?.textContent")?;
        return check(warned.contains("cannot occur"), || {
            format!("{given:?} is impossible; the page says {warned:?}")
        })
        .map(|()| 1);
    };
    let mut compared = 0;
    for (variable, levels) in &told {
        for (level, p) in levels {
            let page = shown[variable][level].as_str().and_then(|text| text.parse::<f64>().ok());
            check(page.is_some_and(|q| (p - q).abs() <= TOLERANCE), || {
                format!("given {given:?}, {variable} = {level} has {p}, and {page:?} in the page")
            })?;
            compared += 1;
        }
    }
    Ok(compared)
}

/// What the command says; nothing if what is given cannot occur together.
fn query<'a>(
    network: &str,
    targets: impl Iterator<Item = &'a String>,
    given: &BTreeMap<String, String>,
) -> Result<Option<Found>, String> {
    let mut command = Command::new(built("ossature"));
    command.args(["query", network, "--json"]).args(targets);
    given.iter().for_each(|(variable, level)| _ = command.arg("--given").arg(format!("{variable}={level}")));
    let output = command.output().map_err(|e| e.to_string())?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return if errors.contains("rules this out") {
            Ok(None)
        } else {
            Err(format!("{command:?}: {errors}"))
        };
    }
    let mut answer: Value = serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())?;
    serde_json::from_value(answer["posteriors"].take()).map(Some).map_err(|e| e.to_string())
}

/// Search, keys, zoom, drag, slider, tabs and the dark scheme, on alarm.
fn alarm_by_hand(browser: &mut Browser, folder: &Path) -> Result<(), String> {
    open(browser, &folder.join("alarm.html"))?;
    let place = "document.getElementById('world').getAttribute('transform')";
    let whole = text(browser, place)?;
    browser.click("#search")?;
    browser.text("VENTL")?;
    browser.key("Enter")?;
    heading(browser, "VENTLUNG")?;
    check(text(browser, place)? != whole, || "the search moved nothing".into())?;
    let table = browser.value("document.querySelectorAll('#panel-selection tbody tr').length")?;
    check(table == 24, || format!("the table of VENTLUNG has {table} rows, not 24"))?;
    let blanket = text(
        browser,
        "[...document.querySelectorAll('#panel-selection dt')].map(d => d.textContent).join()",
    )?;
    check(blanket.contains("Markov blanket"), || format!("no blanket among {blanket}"))?;
    browser.key("Escape")?;
    browser.click("#fit")?;
    check(text(browser, place)? == whole, || "Fit did not bring the whole drawing back".into())?;
    // The wheel and a drag.
    let stage = browser.value("(b => [b.x + b.width / 2, b.y + b.height / 2])(document.getElementById('stage').getBoundingClientRect())")?;
    let (x, y) = (stage[0].as_f64().unwrap_or_default(), stage[1].as_f64().unwrap_or_default());
    browser.wheel(x, y, -400.0)?;
    browser.wait_until(&format!("{place} !== {whole:?}"))?;
    let zoomed = text(browser, place)?;
    browser.mouse("mousePressed", 20.0 + x / 4.0, y)?;
    browser.mouse("mouseMoved", 60.0 + x / 4.0, y + 30.0)?;
    browser.mouse("mouseReleased", 60.0 + x / 4.0, y + 30.0)?;
    check(text(browser, place)? != zoomed, || "a drag moved nothing".into())?;
    let nothing = browser.value("document.querySelector('.node.selected') === null")?;
    check(nothing == true, || "a drag selected something".into())?;
    // From node to node by the keyboard.
    browser.click("#fit")?;
    browser.value("document.querySelector('.node[tabindex=\"0\"]').focus()")?;
    let first = text(browser, "document.activeElement.getAttribute('aria-label')")?;
    browser.key("ArrowDown")?;
    let second = text(browser, "document.activeElement.getAttribute('aria-label')")?;
    check(first != second, || format!("the arrow key stayed at {first}"))?;
    browser.key("Enter")?;
    heading(browser, &second)?;
    browser.key("Escape")?;
    // The slider.
    browser.value("document.getElementById('strength').focus()")?;
    browser.key("Home")?;
    let faint = browser.value("document.querySelectorAll('.edge.weak').length")?;
    check(faint == 46, || format!("at the end of the slider {faint} edges are faint, not 46"))?;
    // An edge and its evidence.
    browser.value("(s => { s.value = s.max; s.dispatchEvent(new Event('input')); })(document.getElementById('strength'))")?;
    browser.click("#tab-list")?;
    browser.click("#panel-list tbody tr .link")?;
    let facts = text(browser, "document.querySelector('#panel-selection dl').textContent")?;
    check(facts.contains("bits") && facts.contains("separated by"), || format!("the edge says {facts:?}"))?;
    // Dark.
    let ground = "getComputedStyle(document.getElementById('stage')).backgroundColor";
    let light = text(browser, ground)?;
    browser.prefers("dark")?;
    check(text(browser, ground)? != light, || "dark looks like light".into())?;
    browser.prefers("light")
}

/// link: too large for what-if, and everything else works.
fn large(browser: &mut Browser, folder: &Path) -> Result<(), String> {
    let page = made(folder, "link", &["convert", "link"])?;
    open(browser, &page)?;
    browser.click("#tab-whatif")?;
    let refusal = text(browser, "document.getElementById('panel-whatif').textContent")?;
    check(refusal.contains("too large"), || format!("link: the page says {refusal:?}"))?;
    browser.click("#search")?;
    browser.text("N59_d_g")?;
    browser.key("Enter")?;
    heading(browser, "N59_d_g")
}

/// What was learned has its evidence, and tables for what-if.
fn learned(browser: &mut Browser, folder: &Path) -> Result<(), String> {
    let words = ["learn", "asia", "--rows", "1000", "--seed", "1", "--bootstrap", "20"];
    let page = made(folder, "learned", &words)?;
    open(browser, &page)?;
    let edge = text(browser, "document.querySelector('.edge title').textContent")?;
    browser.click(".edge[data-edge=\"0\"]")?;
    heading(browser, &edge)?;
    let said = text(browser, "document.getElementById('panel-selection').textContent")?;
    check(said.contains("in bootstrap samples") && said.contains("loss of score"), || {
        format!("{edge}: {said}")
    })?;
    browser.click("#tab-list")?;
    let plot = browser.value("document.querySelectorAll('.plot circle').length")?;
    check(plot.as_u64() > Some(5), || format!("the plot of strengths has {plot} points"))?;
    browser.click("#tab-whatif")?;
    browser.click("#panel-whatif .level[data-node=\"0\"]")?;
    let chosen = text(browser, "document.getElementById('evidence').textContent")?;
    check(chosen.contains("asia ="), || format!("after a click the page says {chosen:?}"))
}

/// Two structures laid over each other.
fn compared_structures(browser: &mut Browser, folder: &Path) -> Result<(), String> {
    let (a, b) = (folder.join("a.csv"), folder.join("b.csv"));
    fs::write(&a, "from,to\nx,z\ny,z\nz,w\nu,w\n").map_err(|e| e.to_string())?;
    fs::write(&b, "from,to\nx,z\ny,z\nv,z\nw,z\n").map_err(|e| e.to_string())?;
    let words = ["compare".as_ref(), a.as_os_str(), b.as_os_str()].map(|w| w.to_string_lossy().into_owned());
    let page = made(folder, "difference", &words.each_ref().map(String::as_str))?;
    open(browser, &page)?;
    let kinds = text(
        browser,
        "['same', 'missing', 'extra', 'turned'].map(k => document.querySelectorAll(`.edge.${k}`).length).join()",
    )?;
    check(kinds == "2,1,1,1", || format!("edges alike, missing, extra, turned: {kinds}"))?;
    browser.click("#kind-same")?;
    let faint = browser.value("document.querySelectorAll('.edge.weak').length")?;
    check(faint == 2, || format!("{faint} edges are faint, not 2"))?;
    browser.click(".edge.turned")?;
    let said = text(browser, "document.getElementById('panel-selection').textContent")?;
    check(said.contains("in A") && said.contains("in B"), || format!("the turned edge says {said:?}"))
}

fn heading(browser: &mut Browser, wanted: &str) -> Result<(), String> {
    let name = text(browser, "document.querySelector('#panel-selection h2')?.textContent")?;
    check(name == wanted, || format!("{name:?} is selected and not {wanted:?}"))
}

fn text(browser: &mut Browser, expression: &str) -> Result<String, String> {
    Ok(browser.value(expression)?.as_str().unwrap_or_default().to_owned())
}

fn check(good: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if good { Ok(()) } else { Err(why()) }
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n.max(1)
    }
}
