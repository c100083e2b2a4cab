//! The study: killed, interrupted, out of time, badly described.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::run::{Folder, Running};

const SMALL: &str =
    "study --networks asia,cancer --sizes 50,100 --samples 3 --new-rows 200 --timing --threads 2 -q";

/// The rows without times and memory.
fn timeless(rows: &str) -> Vec<Vec<String>> {
    let head: Vec<&str> = rows.lines().next().unwrap_or_default().split(',').collect();
    let keep = |i: usize| !head[i].starts_with("seconds_") && head[i] != "peak_bytes";
    let line = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), head.len(), "{line}");
        (0..head.len()).filter(|&i| keep(i)).map(|i| cells[i].to_owned()).collect()
    };
    rows.lines().map(line).collect()
}

/// A study that takes far longer than any test.
const LONG: &str = "study --networks child --sizes 200 --samples 100000 -o out --threads 2";
const LONG_CELLS: usize = 200_000;

/// The number of complete lines of its rows.
fn whole_lines(folder: &Folder) -> usize {
    let bytes = fs::read(folder.path("out/rows.csv")).unwrap_or_default();
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

/// Starts it and waits until it has ten more rows.
fn ten_rows_more(folder: &Folder) -> Running {
    let before = whole_lines(folder);
    let mut run = folder.start(&format!("{LONG} -q"));
    while whole_lines(folder) < before + 11 {
        assert!(run.0.try_wait().unwrap().is_none(), "it ended by itself");
        thread::sleep(Duration::from_millis(5));
    }
    run
}

/// The next run reports how many cells remain: all but those whose line is complete.
fn assert_goes_on(folder: &Folder) {
    let kept = whole_lines(folder);
    let answer = folder.run(&format!("{LONG} --time-limit 0.000001"));
    let to_do = format!("{} of 200,000 cells to do", thousands(LONG_CELLS + 1 - kept));
    assert!(answer.err.contains(&to_do), "{to_do:?} is not in {}", answer.err);
    assert_eq!(whole_lines(folder), kept);
}

fn thousands(n: usize) -> String {
    format!("{},{:03}", n / 1000, n % 1000)
}

/// Killed at any point by the signal that cannot be caught, and always started again.
#[test]
fn a_killed_study_keeps_its_rows() {
    let folder = Folder::new();
    for _ in 0..3 {
        drop(ten_rows_more(&folder));
        assert_goes_on(&folder);
    }
}

/// Ctrl-C: exit code 130, complete rows, and the next run uses them.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_study_keeps_its_rows() {
    let folder = Folder::new();
    assert_eq!(ten_rows_more(&folder).interrupt("-INT"), Some(130));
    assert_goes_on(&folder);
}

/// Killed in the middle of a write, at one byte after another, and always started again: a file that grows
/// beyond the limit of the shell ends the process.
#[cfg(target_os = "linux")]
#[test]
fn a_study_killed_while_it_writes_goes_on_and_ends_with_the_same_rows() {
    let folder = Folder::new();
    folder.run(&format!("{SMALL} -o whole")).done();
    let whole = timeless(&folder.read("whole/rows.csv"));
    assert_eq!(whole.len(), 1 + 2 * 2 * 3 * 2 * 2);
    let mut partial = 0;
    for blocks in 1..=folder.read("whole/rows.csv").len() / 512 {
        let killed = std::process::Command::new("sh")
            .args(["-c", "ulimit -c 0; ulimit -f $0; exec \"$@\"", &blocks.to_string()])
            .arg(env!("CARGO_BIN_EXE_ossature"))
            .args(format!("{SMALL} -o part").split(' '))
            .current_dir(folder.path(""))
            .output()
            .unwrap();
        assert_eq!(killed.status.code(), None, "{blocks} blocks: {killed:?}");
        let rows = fs::read_to_string(folder.path("part/rows.csv")).unwrap_or_default();
        partial += usize::from((2..whole.len()).contains(&rows.lines().count()));
    }
    assert!(partial > 5, "{partial} kills came between the first row and the last");
    folder.run(&format!("{SMALL} -o part")).done();
    assert_eq!(timeless(&folder.read("part/rows.csv")), whole);
    assert!(folder.path("part/report.html").exists());
}

#[test]
fn a_time_limit_keeps_what_is_done() {
    let folder = Folder::new();
    folder.run_with_limits(&format!("{LONG} --json"), |answer| {
        assert_eq!(answer.code, Some(4), "{answer:?}");
        let outcome: Value = serde_json::from_str(&answer.out).unwrap();
        assert_eq!((&outcome["complete"], &outcome["report"]), (&Value::Bool(false), &Value::Null));
        assert!(answer.err.contains("the same command resumes the study"), "{}", answer.err);
        let done = LONG_CELLS - outcome["missing"].as_u64().unwrap() as usize;
        assert_eq!(folder.read("out/rows.csv").lines().count(), 1 + done);
        (done > 0).then_some(())
    });
}

/// Cells of a size that cannot be sampled come first and fail at once.
#[test]
fn a_time_limit_tells_what_failed() {
    let folder = Folder::new();
    let words = "study --networks child --samples 5000 --sizes 20000,1099511627776 -o out --threads 2 --json";
    folder.run_with_limits(words, |answer| {
        assert_eq!(answer.code, Some(4), "{answer:?}");
        let outcome: Value = serde_json::from_str(&answer.out).unwrap();
        let rows = folder.read("out/rows.csv");
        let errors = rows.lines().skip(1).filter(|line| !line.ends_with(',')).count();
        assert_eq!(outcome["failed"], errors);
        (errors > 0).then_some(())
    });
}

#[test]
fn the_outcome_is_shown_as_text_and_json() {
    let folder = Folder::new();
    let text = folder.run(&format!("{SMALL} -o out")).done();
    for part in ["Recall is up at every size", "holds", "not measured", "report  out"] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    let json = folder.run(&format!("{SMALL} -o out --json")).json();
    let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["complete", "cells", "failed", "missing", "report", "claims", "version"]);
    assert_eq!((&json["complete"], &json["cells"]), (&Value::Bool(true), &Value::from(48)));
    assert_eq!(json["claims"].as_array().unwrap().len(), 16);
}

#[test]
fn a_file_describes_a_study_and_options_win() {
    let folder = Folder::new();
    folder.run("convert asia own.bif").done();
    folder.write(
        "study.toml",
        "seed = 5\nnetworks = ['own.bif']\nsizes = [40]\nsamples = 2\nnew-rows = 50\n\
         [[learner]]\nname = 'strict'\nlearner = 'h2pc'\nalpha = 0.01\n\
         [[learner]]\nname = 'loose'\nlearner = 'h2pc'\nalpha = 0.2\n",
    );
    folder.run("study --config study.toml --samples 3 -o out -q").done();
    let manifest: Value = serde_json::from_str(&folder.read("out/study.json")).unwrap();
    assert_eq!((&manifest["seed"], &manifest["samples"]), (&Value::from(5), &Value::from(3)));
    assert_eq!(manifest["learners"][1]["settings"]["alpha"], 0.2);
    assert_eq!(manifest["runs"][0]["command"], "ossature study --config study.toml --samples 3 -o out -q");
    assert!(folder.read("out/rows.csv").lines().nth(1).unwrap().starts_with("own,40,1,strict,accuracy,"));
    folder.run("study --config study.toml --samples 2 -o out").fails(3, &["it has 3 samples, now 2"]);
}

#[test]
fn shards_are_joined_by_the_command() {
    let folder = Folder::new();
    folder.run(&format!("{SMALL} -o whole")).done();
    for i in 1..=2 {
        folder.run(&format!("{SMALL} --shard {i}/2 -o part{i}")).done();
    }
    folder.run("study merge part1 part2 -o both -q").done();
    let rows = |name: &str| timeless(&folder.read(&format!("{name}/rows.csv")));
    assert_eq!(rows("both"), rows("whole"));
    let lacking = folder.run("study merge part1 -o half");
    assert_eq!(lacking.code, Some(1));
    assert!(
        lacking.err.contains("24 cells are in none of the folders: (asia, 50 rows, sample 2, h2pc), ("),
        "{lacking:?}"
    );
    assert!(folder.path("half/report.html").exists());
    folder.run("study merge part1 nowhere -o x").fails(3, &["nowhere"]);
}

#[test]
fn what_cannot_be_run_is_refused_before_any_work() {
    let folder = Folder::new();
    folder.write("bad.toml", "seed = 1\nsample = 3\n");
    folder.write("net.txt", "");
    folder.write("all.bif", "");
    folder.write("nan.toml", "[[learner]]\nlearner = 'h2pc'\nmax-parents = nan\n");
    for (words, code, parts) in [
        ("study", 2, &["--output"][..]),
        ("study -o out --shard 3/2", 2, &["a shard is i/N"]),
        ("study -o out --sizes 0", 2, &["expected a whole number of at least 1, found 0"]),
        ("study -o out --networks alram", 3, &["alram", "did you mean \"alarm\""]),
        ("study -o out --networks net.txt", 3, &["net.txt", ".bif"]),
        ("study -o out --networks asia,asia", 2, &["--networks names asia twice"]),
        ("study -o out --sizes 50,100,50", 2, &["--sizes names 50 twice"]),
        ("study -o out --learners h2pc,h2pc", 2, &["--learners names h2pc twice"]),
        ("study -o out --networks asia,./asia.bif", 3, &["network \"asia\" occurs twice"]),
        ("study -o out --learners h2pc,h3pc", 2, &["h3pc", "did you mean \"h2pc\""]),
        ("study -o out --config bad.toml", 3, &["bad.toml, line 2", "sample", "`samples`"]),
        ("study -o out --config none.toml", 3, &["none.toml"]),
        ("study -o out --config nan.toml", 3, &["max-parents = NaN", "finite"]),
        ("study -o out --networks all.bif", 3, &["used for all networks"]),
        ("study -o out --samples 10000000000", 2, &["960,000,000,000 cells", "10,000,000"]),
    ] {
        let answer = folder.run(words);
        assert_eq!(answer.code, Some(code), "{words}: {answer:?}");
        parts.iter().for_each(|part| assert!(answer.err.contains(part), "{part:?} is not in {answer:?}"));
    }
    assert!(!Path::new(&folder.path("out")).exists());
}
