//! Time limits and interruption of a run that learns.

use ossature::random::Sequence;
use serde_json::Value;

use crate::run::{Answer, Folder};

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

/// The work takes hours, so the limit comes before its end on any machine.
#[test]
fn a_limit_before_the_skeleton_is_complete_leaves_nothing() {
    let folder = Folder::new();
    folder.write("wide.csv", wide_table(3000, 50));
    for words in ["--learner h2pc --test mc-mi", "--learner mmpc --test mc-mi", "--bootstrap 1000000"] {
        folder.run(&format!("learn wide.csv {words} --time-limit 0.2 -q -o l.json -o l.dot")).fails(
            1,
            &["the time limit of 0.20 s was reached before there was a result", "nothing was written"],
        );
        assert_eq!(folder.files(), ["wide.csv"]);
    }
    folder.run("neighbours wide.csv --target v7 --time-limit 0.000001 -q").fails(1, &["the time limit"]);
    assert_eq!(folder.files(), ["wide.csv"]);
}

/// The skeleton is complete at some point; a billion restarts are not.
#[test]
fn a_limit_in_the_search_gives_the_best_so_far() {
    let folder = Folder::new();
    folder.write("wide.csv", wide_table(300, 50));
    // A limit that is too short for the skeleton leaves nothing.
    let cut_short = |answer: &Answer| {
        if answer.code == Some(1) {
            answer.fails(1, &["the time limit"]);
        } else {
            assert_eq!(answer.code, Some(4), "{answer:?}");
        }
        answer.code == Some(4)
    };
    for words in ["learn wide.csv --learner hc", "learn asia"] {
        let words = format!("{words} --restarts 1000000000 -o l.json -o l.dot");
        let err = folder.run_with_limits(&words, |answer| cut_short(answer).then(|| answer.err.clone()));
        for part in ["cut short by the time limit", "wrote l.json", "warning: the time limit was reached"] {
            assert!(err.contains(part), "{part:?} is not in {err:?}");
        }
        let report: Value = serde_json::from_str(&folder.read("l.json")).unwrap();
        assert_eq!(report["complete"], false);
        assert_eq!(folder.run("compare l.json l.dot --json").json()["shd"], 0);
    }
    // Once the climb before the restarts has ended, its arcs are the answer.
    folder.run_with_limits("learn asia --restarts 1000000000 --json -q", |answer| {
        if !cut_short(answer) {
            return None;
        }
        assert_eq!(answer.err, "");
        let report: Value = serde_json::from_str(&answer.out).unwrap();
        (report["arcs"].as_array().unwrap().len() > 4).then_some(())
    });
}

/// Ctrl-C during learning: exit code 130 and nothing written.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_writes_nothing() {
    let folder = Folder::new();
    let mut run = folder.start("learn asia --restarts 1000000000 --progress always -o l.json");
    run.says(&["search: "]);
    assert_eq!(run.interrupt("-INT"), Some(130));
    assert!(folder.files().is_empty());
}

#[test]
fn progress_tells_the_phases() {
    let folder = Folder::new();
    let mut search = folder.start("learn asia --restarts 1000000000 --progress always");
    let mut bootstrap = folder.start("learn asia --bootstrap 1000000 --progress always");
    search.says(&["search: ", "best score -"]);
    bootstrap.says(&["bootstrap: ", "of 1,000,000 samples"]);
    assert!(!folder.run("learn asia").err.contains("search: "), "only on a terminal, unless asked for");
}

/// Everything else is written, and then there is a second at least.
#[test]
fn a_drawing_that_takes_too_long_is_left_out() {
    let folder = Folder::new();
    folder.write("t.csv", wide_table(250, 20));
    let arcs = (0..250).flat_map(|i| (i + 1..250).map(move |j| format!("v{i},v{j}\n")));
    folder.write("dense.csv", format!("from,to\n{}", arcs.collect::<String>()));
    let words = "learn t.csv --learner hc --score loglik --start dense.csv --json -q";
    // One drawing may be ready in time on a fast machine, but not all.
    let drawings: Vec<String> =
        (0..40).map(|i| format!("drawing{i:02}.{}", ["svg", "html"][i % 2])).collect();
    let outputs: String = drawings.iter().map(|drawing| format!(" -o {drawing}")).collect();
    let clock = std::time::Instant::now();
    let cut = folder.run(&format!("{words} --time-limit 2s -o c.json -o d.dot{outputs}"));
    assert!(clock.elapsed().as_secs() < 60, "{}", cut.err);
    assert_eq!(cut.code, Some(4), "{}", cut.err);
    let said = "error: the time limit of 2.00 s was reached; not drawn: ";
    let first = cut.err.lines().next().unwrap_or_default();
    let left: Vec<&str> = first.strip_prefix(said).unwrap_or_default().split(", ").collect();
    let (drawn, others) = drawings.split_at(drawings.len() - left.len());
    assert_eq!(left, others, "{}", cut.err);
    let mut files = vec!["c.json", "d.dot", "dense.csv", "t.csv"];
    files.extend(drawn.iter().map(String::as_str));
    files.sort_unstable();
    assert_eq!(folder.files(), files);
    let report: Value = serde_json::from_str(&cut.out).unwrap();
    assert_eq!(report["complete"], false);
    // A small one is drawn, even after the limit.
    folder.write("small.csv", wide_table(8, 50));
    let small = "learn small.csv --learner hc --restarts 1000000000 -q -o a.svg -o b.html --time-limit 0.2";
    assert_eq!(folder.run(small).code, Some(4));
    assert!(folder.path("a.svg").exists() && folder.path("b.html").exists());
}

/// As for `learn`.
#[test]
fn an_answer_about_a_search_that_was_cut_short_says_so() {
    let folder = Folder::new();
    folder.write("t.csv", wide_table(8, 50));
    for json in ["", " --json"] {
        let answer =
            folder.run(&format!("why t.csv v0 v1 --learner hc --restarts 1000000000 --time-limit 0.3{json}"));
        assert_eq!(answer.code, Some(4), "{answer:?}");
        assert!(answer.err.contains("warning: the time limit was reached in the search"), "{answer:?}");
        assert!(answer.out.contains("v0"), "{answer:?}");
    }
}

/// Listing classes, and parent sets of many candidates: both take hours here.
#[test]
fn an_exact_search_looks_at_the_clock_everywhere() {
    let folder = Folder::new();
    folder.write("list.csv", wide_table(14, 200));
    folder.write("wide.csv", wide_table(64, 300));
    for words in ["learn list.csv --how-many 10000", "learn wide.csv --max-parents 4 --score loglik"] {
        for limit in [0.3, 1.0] {
            let clock = std::time::Instant::now();
            let answer = folder.run(&format!("{words} --learner exact -q --json --time-limit {limit}"));
            assert_eq!(answer.code, Some(4), "{words}: {answer:?}");
            // Tests run side by side, so this is no measurement.
            assert!(clock.elapsed().as_secs_f64() < limit + 2.0, "{words}: {:?}", clock.elapsed());
        }
    }
}
