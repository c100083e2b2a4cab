//! Time limits and interruption of a run that learns.

use ossature::random::Sequence;
use serde_json::Value;

use crate::run::Folder;

/// Many variables in chains of five, and few rows.
pub(crate) fn wide_table(variables: usize, rows: usize) -> String {
    let header: Vec<String> = (0..variables).map(|i| format!("v{i}")).collect();
    let mut text = header.join(",") + "\n";
    let mut random = Sequence::new(1);
    for _ in 0..rows {
        let mut last = 0;
        for i in 0..variables {
            if i % 5 == 0 || random.below(5) == 0 {
                last = random.below(3);
            }
            text.push_str(if i == 0 { "" } else { "," });
            text.push_str(["a", "b", "c"][last]);
        }
        text.push('\n');
    }
    text
}

#[test]
fn a_limit_before_the_skeleton_is_complete_leaves_nothing() {
    let folder = Folder::new();
    folder.write("wide.csv", wide_table(3000, 50));
    for learner in ["h2pc", "mmpc"] {
        let answer = folder.run(&format!(
            "learn wide.csv --learner {learner} --alpha 0.3 --time-limit 0.2 -q -o l.json -o l.dot"
        ));
        answer.fails(
            1,
            &["the time limit of 0.20 s was reached before there was a result", "nothing was written"],
        );
        assert_eq!(folder.files(), ["wide.csv"]);
    }
    folder
        .run("learn wide.csv --bootstrap 10000 --time-limit 0.2 -q -o l.json")
        .fails(1, &["the time limit"]);
    folder.run("neighbours wide.csv --target v7 --time-limit 0.000001 -q").fails(1, &["the time limit"]);
    assert_eq!(folder.files(), ["wide.csv"]);
}

#[test]
fn a_limit_in_the_search_gives_the_best_so_far() {
    let folder = Folder::new();
    folder.write("wide.csv", wide_table(3000, 50));
    // The skeleton of asia is complete at once; ten million restarts are not.
    for words in ["learn wide.csv --learner hc --restarts 10000000", "learn asia --restarts 10000000"] {
        let answer = folder.run(&format!("{words} --time-limit 1 -o l.json -o l.dot"));
        assert_eq!(answer.code, Some(4), "{answer:?}");
        assert_eq!(answer.out, "");
        for part in ["cut short by the time limit", "wrote l.json", "warning: the time limit was reached"] {
            assert!(answer.err.contains(part), "{part:?} is not in {answer:?}");
        }
        let report: Value = serde_json::from_str(&folder.read("l.json")).unwrap();
        assert_eq!(report["complete"], false);
        assert_eq!(folder.run("compare l.json l.dot --json").json()["shd"], 0);
    }
    let answer = folder.run("learn asia --restarts 10000000 --time-limit 0.5 --json -q");
    assert_eq!((answer.code, answer.err.as_str()), (Some(4), ""));
    let report: Value = serde_json::from_str(&answer.out).unwrap();
    assert!(report["arcs"].as_array().unwrap().len() > 4, "the climb before the restarts has an answer");
}

/// Ctrl-C while it learns: exit code 130 and nothing written.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_writes_nothing() {
    let folder = Folder::new();
    let mut child = std::process::Command::new("env")
        .args(["--default-signal=INT", env!("CARGO_BIN_EXE_ossature")])
        .args(["learn", "asia", "--restarts", "1000000000", "-o", "l.json"])
        .current_dir(folder.path(""))
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // Once it has drawn the rows it learns.
    let mut first = [0; 1];
    std::io::Read::read_exact(child.stderr.as_mut().unwrap(), &mut first).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(100));
    assert!(child.try_wait().unwrap().is_none(), "it ended before it could be interrupted");
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(folder.files().is_empty());
}

#[test]
fn progress_tells_the_phases() {
    let folder = Folder::new();
    let answer = folder.run("learn asia --restarts 10000000 --time-limit 2.5 --progress always");
    assert!(answer.err.contains("search: ") && answer.err.contains("best score -"), "{}", answer.err);
    let answer = folder.run("learn asia --bootstrap 1000000 --time-limit 2.5 --progress always");
    assert!(
        answer.err.contains("bootstrap: ") && answer.err.contains("of 1,000,000 samples"),
        "{}",
        answer.err
    );
    assert!(!folder.run("learn asia").err.contains("search: "), "only on a terminal, unless asked for");
}
