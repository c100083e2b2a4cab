//! The command with an extended catalogue: a toy learner appears in the help, learns, is studied and appears
//! in the JSON, and `docs/ADDING_AN_ALGORITHM.md` shows the code of that toy.
//!
//! This program is also the command under test: called with `--as-command`, it is the command.

#![allow(clippy::print_stdout, clippy::unwrap_used, unreachable_pub)]

mod toys;

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

use serde_json::Value;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    if words.get(1).is_some_and(|word| word == "--as-command") {
        let command = [OsString::from("ossature")].into_iter().chain(words.into_iter().skip(2));
        return ExitCode::from(ossature_cli::run_with(&toys::catalogue(), command));
    }
    if words.iter().any(|word| word == "--list") {
        return ExitCode::SUCCESS;
    }
    let tests: [(&str, fn()); 5] = [
        ("the toys are in the help", help),
        ("a toy learns, with its setting", learn),
        ("a toy is listed", listed),
        ("a toy is studied", study),
        ("the documentation shows the toys", documentation),
    ];
    for (name, test) in tests {
        test();
        println!("test {name} ... ok");
    }
    println!("test result: ok. {} passed; 0 failed", tests.len());
    ExitCode::SUCCESS
}

/// Runs the command with the toys. Returns its output, its messages and its exit code.
fn run(words: &[&str]) -> (String, String, i32) {
    let this = std::env::current_exe().unwrap();
    let output = Command::new(this).arg("--as-command").args(words).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

fn json(words: &[&str]) -> Value {
    let (out, err, code) = run(words);
    assert_eq!(code, 0, "{err}");
    serde_json::from_str(&out).unwrap()
}

fn help() {
    let (out, _, code) = run(&["learn", "--help"]);
    assert_eq!(code, 0);
    for part in ["toy:", "directed by name", "nearest:", "by-name:", "--neighbours <", "[default: 2]"] {
        assert!(out.contains(part), "{part} is not in the help:\n{out}");
    }
    let (out, ..) = run(&["completions", "bash"]);
    assert!(out.contains("--neighbours") && out.contains("toy"));
}

fn learn() {
    let found = json(&["learn", "asia", "--learner", "toy", "--neighbours", "1", "--json", "-q"]);
    assert_eq!((&found["learner"], &found["settings"]["neighbours"]), (&"toy".into(), &1.into()));
    let arcs = found["arcs"].as_array().unwrap();
    assert!(!arcs.is_empty() && arcs.iter().all(|arc| arc[0].as_str() < arc[1].as_str()), "{arcs:?}");
    // The halves work with those of the library, and the setting is there only if it is used.
    let halves = ["--restrict", "nearest", "--maximise", "hc", "--json", "-q"];
    assert_eq!(json(&[&["learn", "asia"], &halves[..]].concat())["learner"], "nearest+hc");
    let (_, err, code) = run(&["learn", "asia", "--neighbours", "1"]);
    assert!(code == 2 && err.contains("not used by h2pc") && err.contains("toy does"), "{err}");
    let (_, err, code) = run(&["learn", "asia", "--learner", "toy", "--neighbours", "0"]);
    assert!(code == 2 && err.contains("a whole number from 1 to 1000"), "{err}");
    let near = json(&["neighbours", "asia", "--target", "smoke", "--learner", "toy", "--json"]);
    assert!(near["parents_and_children"].as_array().unwrap().len() <= 2);
}

fn listed() {
    let all = json(&["learners", "--json"]);
    let toy = all.as_array().unwrap().iter().find(|row| row["name"] == "toy").unwrap();
    assert_eq!((&toy["restrict"], &toy["result"]), (&"nearest".into(), &"dag".into()));
    assert!(toy["settings"].as_array().unwrap().contains(&"neighbours".into()));
}

fn study() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let words = ["study", "--networks", "asia", "--sizes", "100", "--samples", "1", "-q", "-o"];
    let (_, err, code) = run(&[&words, &[out.to_str().unwrap(), "--learners", "toy,mmhc"][..]].concat());
    assert_eq!(code, 0, "{err}");
    let rows = std::fs::read_to_string(out.join("rows.csv")).unwrap();
    assert!(rows.lines().any(|line| line.contains(",toy,")), "{rows}");
    assert!(std::fs::read_to_string(out.join("report.html")).unwrap().contains("toy"));
}

/// Every piece of the toys between two marks is in the documentation, to the letter.
fn documentation() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let doc = std::fs::read_to_string(root.join("../../docs/ADDING_AN_ALGORITHM.md")).unwrap();
    let source = include_str!("toys.rs");
    let pieces: Vec<&str> =
        source.split("// [end]").filter_map(|part| part.split_once("// [")).map(|p| p.1).collect();
    assert_eq!(pieces.len(), 6);
    for piece in pieces {
        let (mark, code) = piece.split_once("]\n").unwrap();
        assert!(doc.contains(code.trim()), "docs/ADDING_AN_ALGORITHM.md does not show the {mark}:\n{code}");
    }
}
