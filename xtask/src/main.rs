//! Development tasks: `cargo xtask test` runs every test of the project.
//!
//! It needs nothing but Rust. A part that needs a program which this machine lacks is skipped and
//! said to be; `--no-skip`, which CI uses, counts that as a failure.

mod browser;
mod python;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const USAGE: &str = "\
Usage: cargo xtask test [--no-skip]
       cargo xtask python

test runs every test of the project and says at the end how each part went; python runs those of the Python
package alone.
  --no-skip  a part that is skipped because a program is missing counts as failed";

/// How a part of the tests ended.
enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
}

/// A part of the tests: what it is, and how it is run.
type Part = (&'static str, fn() -> Outcome);

const PYTHON: Part = ("Python package", python::package);

const PARTS: [Part; 6] = [
    // What a manifest says is not to be tested is not: the Python package has its tests in Python.
    ("unit and integration tests", || cargo(&["test", "--workspace", "--all-features", "--tests"])),
    ("documentation tests", || cargo(&["test", "--workspace", "--all-features", "--doc"])),
    ("examples", examples),
    ("drawings in a browser", browser::drawings),
    ("the report of a study in a browser", browser::report),
    PYTHON,
];

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["test"] => test(&PARTS, false),
        ["test", "--no-skip"] => test(&PARTS, true),
        ["python"] => test(&[PYTHON], true),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn test(parts: &[Part], no_skip: bool) -> ExitCode {
    let mut summary = Vec::new();
    let mut good = true;
    for (name, run) in parts {
        eprintln!("\n== {name}");
        let started = Instant::now();
        let outcome = run();
        good &= match outcome {
            Outcome::Passed => true,
            Outcome::Skipped(_) => !no_skip,
            Outcome::Failed(_) => false,
        };
        let seconds = started.elapsed().as_secs_f64();
        summary.push(match outcome {
            Outcome::Passed => format!("ok       {name} ({seconds:.0} s)"),
            Outcome::Skipped(why) => format!("skipped  {name}: {why}"),
            Outcome::Failed(why) => format!("FAILED   {name}: {why}"),
        });
    }
    eprintln!("\n{}", summary.join("\n"));
    if good {
        return ExitCode::SUCCESS;
    }
    eprintln!(
        "\nThe tests did not pass.{}",
        if no_skip { " (With --no-skip a skipped part is a failure.)" } else { "" }
    );
    ExitCode::FAILURE
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
