//! Development tasks: `cargo xtask test` runs every test of the project.
//!
//! It needs nothing but Rust. A part that needs a program which this machine lacks is skipped. Its last lines say
//! what was skipped and why, parts and single tests; `--no-skip`, which CI uses, counts that as a failure.

mod browser;
mod devtools;
mod instructions;
mod order;
mod python;
mod touch;

use std::env;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

const USAGE: &str = "\
Usage: cargo xtask test [--no-skip]
       cargo xtask python
       cargo xtask pages
       cargo xtask instructions
       cargo xtask order

test runs every test of the project and says at the end how each part went and what was skipped; python runs
those of the Python package alone, pages those of the pages of networks in a browser, and instructions counts
the instructions of H2PC and compares them with the record (OSSATURE_BLESS=1 records them). order writes the list of
functions that the linker puts next to each other.
  --no-skip  a part or a test that is skipped counts as failed";

/// How a part of the tests ended.
enum Outcome {
    Passed,
    /// Passed but for these tests, each with the reason why it was skipped.
    PassedWithout(Vec<String>),
    Failed(String),
    Skipped(String),
}

/// A part of the tests: what it is, and how it is run.
type Part = (&'static str, fn() -> Outcome);

const PYTHON: Part = ("Python package", python::package);

const PAGES: Part = ("pages of networks, touched in a browser", touch::pages);

const INSTRUCTIONS: Part = ("instructions of H2PC", instructions::of_h2pc);

const PARTS: [Part; 8] = [
    // What a manifest says is not to be tested is not: the Python package has its tests in Python.
    ("unit and integration tests", || cargo_test("--tests")),
    ("documentation tests", || cargo_test("--doc")),
    ("examples", examples),
    INSTRUCTIONS,
    ("drawings in a browser", browser::drawings),
    ("the report of a study in a browser", browser::report),
    PAGES,
    PYTHON,
];

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["test"] => test(&PARTS, false),
        ["test", "--no-skip"] => test(&PARTS, true),
        ["python"] => test(&[PYTHON], true),
        ["pages"] => test(&[PAGES], true),
        ["instructions"] => test(&[INSTRUCTIONS], true),
        ["order"] => test(&[("order of functions", order::write)], true),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn test(parts: &[Part], no_skip: bool) -> ExitCode {
    let (mut summary, mut skipped) = (Vec::new(), Vec::new());
    let mut good = true;
    for (name, run) in parts {
        eprintln!("\n== {name}");
        let started = Instant::now();
        let outcome = run();
        let passed = || format!("ok       {name} ({:.0} s)", started.elapsed().as_secs_f64());
        match outcome {
            Outcome::Passed => summary.push(passed()),
            Outcome::PassedWithout(tests) => {
                summary.push(passed());
                skipped.extend(tests.iter().map(|test| format!("skipped  {name}, {test}")));
            }
            Outcome::Skipped(why) => skipped.push(format!("skipped  {name}: {why}")),
            Outcome::Failed(why) => {
                good = false;
                summary.push(format!("FAILED   {name}: {why}"));
            }
        }
    }
    if !good {
        summary.push("\nThe tests did not pass.".into());
    } else if no_skip && !skipped.is_empty() {
        good = false;
        summary.push("\nWith --no-skip what is skipped is a failure.".into());
    }
    summary.extend(skipped);
    eprintln!("\n{}", summary.join("\n"));
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs tests of this kind of all packages; notes which of them were passed over.
fn cargo_test(kind: &str) -> Outcome {
    let words = ["test", "--workspace", "--all-features", kind];
    eprintln!("cargo {}", words.join(" "));
    let mut cargo = Command::new(cargo_path());
    let mut child = match cargo.args(words).current_dir(root()).stdout(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(e) => return Outcome::Failed(format!("cannot run cargo: {e}")),
    };
    let mut ignored = Vec::new();
    let output = child.stdout.take().map(BufReader::new);
    for line in output.into_iter().flat_map(BufRead::lines).map_while(Result::ok) {
        eprintln!("{line}");
        ignored.extend(ignored_test(&line));
    }
    match child.wait() {
        Ok(status) if status.success() && ignored.is_empty() => Outcome::Passed,
        Ok(status) if status.success() => Outcome::PassedWithout(ignored),
        Ok(status) => Outcome::Failed(format!("cargo test {kind}: {status}")),
        Err(e) => Outcome::Failed(format!("cargo test {kind}: {e}")),
    }
}

/// The test that this line of a test program says it did not run, and why.
fn ignored_test(line: &str) -> Option<String> {
    let (name, why) = line.strip_prefix("test ")?.split_once(" ... ignored")?;
    let why = why.strip_prefix(", ").unwrap_or("it is marked so, without a reason");
    Some(format!("{name}: {why}"))
}

/// The examples that show the library at work. Others are there to measure and take minutes; that
/// they still compile is seen by the tests.
const EXAMPLES: [&str; 2] = ["learn", "restrict"];

fn examples() -> Outcome {
    if let failed @ Outcome::Failed(_) = build(&["--examples"]) {
        return failed;
    }
    for name in EXAMPLES {
        match Command::new(built(&format!("examples/{name}"))).current_dir(root()).status() {
            Ok(status) if status.success() => {}
            Ok(status) => return Outcome::Failed(format!("example {name}: {status}")),
            Err(e) => return Outcome::Failed(format!("example {name}: {e}")),
        }
    }
    Outcome::Passed
}

/// Builds with the features that the tests were built with, so that nothing is built twice.
fn build(what: &[&str]) -> Outcome {
    // This program is running, which some systems take as a reason not to replace it.
    let mut words = vec!["build", "--workspace", "--exclude", "xtask", "--all-features"];
    words.extend(what);
    cargo(&words)
}

/// A program that was built, which stands beside this one.
fn built(name: &str) -> PathBuf {
    let this = env::current_exe().expect("a program knows where it is");
    this.with_file_name(name).with_extension(env::consts::EXE_EXTENSION)
}

/// Runs cargo as it was found, with the output going to the terminal.
fn cargo(words: &[&str]) -> Outcome {
    eprintln!("cargo {}", words.join(" "));
    match Command::new(cargo_path()).args(words).current_dir(root()).status() {
        Ok(status) if status.success() => Outcome::Passed,
        Ok(status) => Outcome::Failed(format!("cargo {}: {status}", words[0])),
        Err(e) => Outcome::Failed(format!("cannot run cargo: {e}")),
    }
}

fn cargo_path() -> PathBuf {
    env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

/// The root of the workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask stands in the workspace")
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn version(text: &str) -> Vec<u32> {
        text.split('.').map(|part| part.parse().expect("a number")).collect()
    }

    fn output(program: &Path, words: &[&str]) -> String {
        let output = Command::new(program).args(words).current_dir(root()).output().expect("it can be run");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    #[test]
    fn tests_that_are_passed_over_are_noticed() {
        assert_eq!(ignored_test("test a::b ... ignored, takes a day").as_deref(), Some("a::b: takes a day"));
        assert!(
            ignored_test("test src/a.rs - b (line 3) ... ignored")
                .expect("one")
                .starts_with("src/a.rs - b (line 3): ")
        );
        assert_eq!(ignored_test("test a::b ... ok"), None);
        assert_eq!(ignored_test("test result: ok. 3 passed; 0 failed; 1 ignored"), None);
    }

    /// The Rust version we ask for is one with which all our dependencies build.
    #[test]
    fn no_dependency_needs_a_newer_rust_than_we_say() {
        let rustc = output(Path::new("rustc"), &["-vV"]);
        let host = rustc.lines().find_map(|l| l.strip_prefix("host: ")).expect("rustc says where it runs");
        let text = output(
            &cargo_path(),
            &["metadata", "--format-version", "1", "--all-features", "--locked", "--filter-platform", host],
        );
        let metadata: Value = serde_json::from_str(&text).expect("JSON");
        let packages = metadata["packages"].as_array().expect("an array");
        let needs = |p: &Value| p["rust_version"].as_str().map(version);
        let ours =
            packages.iter().find(|p| p["name"] == "ossature").and_then(needs).expect("we say a version");
        assert!(packages.len() > 50, "the dependencies are there");
        for p in packages {
            assert!(needs(p).is_none_or(|v| v <= ours), "{} needs Rust {:?}", p["name"], p["rust_version"]);
        }
    }
}
