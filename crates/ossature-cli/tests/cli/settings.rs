//! Settings are checked once, wherever they come from: an option, the file of an earlier result, the file of
//! a study.

use serde_json::{Value, json};

use crate::run::Folder;

#[test]
fn what_is_out_of_bounds_is_refused() {
    let folder = Folder::new();
    for (words, parts) in [
        ("--tie-orders 1000000000000000000", ["--tie-orders", "a whole number from 1 to 10000"]),
        ("--tie-orders 1000000000", ["--tie-orders", "a whole number from 1 to 10000"]),
        ("--tie-orders 0", ["--tie-orders", "a whole number from 1 to 10000"]),
        ("--tie-orders 1e18", ["--tie-orders", "a whole number from 1 to 10000"]),
        ("--patience 0", ["--patience", "a whole number from 1 to 1000000"]),
        ("--alpha 1", ["--alpha", "a number above 0 and below 1"]),
        ("--alpha nan", ["--alpha", "a number above 0 and below 1"]),
        ("--iss 0", ["--iss", "a number from 0.000000001 to 1000000000"]),
        ("--bootstrap 0", ["--bootstrap", "a whole number from 1 to 1000000"]),
        ("--max-parents=-1", ["--max-parents", "-1"]),
        ("--test g2", ["--test", "mi-adf"]),
    ] {
        folder.run(&format!("learn asia {words}")).fails(2, &parts);
    }
}

/// The same values in the file of an earlier result and in that of a study: the message blames the file.
#[test]
fn what_is_out_of_bounds_in_a_file_is_refused() {
    let folder = Folder::new();
    let good = folder.run("learn asia --rows 100 --json").json();
    for (key, value) in [
        ("tie_orders", json!(0)),
        ("tie_orders", json!(1_000_000_000)),
        ("patience", json!(0)),
        ("alpha", json!(2)),
    ] {
        let mut bad = good.clone();
        bad["settings"][key] = value.clone();
        folder.write("bad.json", bad.to_string());
        let name = key.replace('_', "-");
        let message = format!("bad.json: the setting {name} is {value}");
        folder.run("learn asia --settings bad.json").fails(3, &[&message, "is accepted"]);
        folder.write("s.toml", format!("[[learner]]\nname = 'mine'\nlearner = 'h2pc'\n{name} = {value}\n"));
        folder.run("study --config s.toml -o out").fails(3, &[&name, "mine", "is accepted", "s.toml"]);
    }
    folder.write("s.toml", "[[learner]]\nlearner = 'hc'\nname = 'mine'\ntabu = 3\n");
    folder.run("study --config s.toml -o out").fails(3, &["tabu", "not used by hc"]);
}

#[test]
fn what_the_learner_does_not_use_is_refused() {
    let folder = Folder::new();
    for (words, parts) in [
        ("--learner hc --tabu 5", ["the setting tabu is not used by hc", "h2pc, mmhc and tabu do"]),
        ("--learner tabu --alpha 0.1", ["the setting alpha is not used by tabu", "h2pc"]),
        ("--learner mmhc --weak-learner fdr-iapc", ["weak-learner is not used by mmhc", "h2pc"]),
        ("--learner hpc --score bic", ["score is not used by hpc", "h2pc"]),
        ("--score bic --iss 3", ["iss is not used here", "score is bdeu or bds"]),
        ("--symmetry or --share no", ["share is not used here", "symmetry is and"]),
    ] {
        folder.run(&format!("learn asia {words}")).fails(2, &parts);
    }
    // The tables of a .bif use the prior with any score.
    let words = "learn asia --rows 200 --score bic --iss 3 -o net.bif --json";
    assert_eq!(folder.run(words).json()["settings"]["iss"], 3.0);
    // If it comes from a preset, it is left out.
    let free = folder.run("learn asia --rows 200 --learner hc --preset paper --json").json();
    assert_eq!((&free["settings"]["tie_orders"], &free["settings"]["share"]), (&json!(1), &Value::Null));
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    let folder = Folder::new();
    folder.write("two.csv", "from,to\nsmoke,dysp\nbronc,dysp\n");
    for option in ["--start", "--whitelist"] {
        for most in [0, 1] {
            let answer =
                folder.run(&format!("learn asia --rows 100 {option} two.csv --max-parents {most} -q"));
            answer.fails(2, &[&format!("max-parents is {most}, but dysp has 2 parents"), "at least 2"]);
        }
        folder.run(&format!("learn asia --rows 100 {option} two.csv --max-parents 2 -q")).done();
    }
}

#[test]
fn presets_are_named_in_the_help_and_paper_is_the_paper() {
    let folder = Folder::new();
    let help = folder.run("learn --help").done();
    for part in ["recommended:", "paper:", "bnlearn:", "[default: recommended]", "--share <YES|NO>"] {
        assert!(help.contains(part), "{part}");
    }
    let paper = folder.run("learn alarm --rows 500 --preset paper --json -q").json();
    let usual = folder.run("learn alarm --rows 500 --json -q").json();
    assert_eq!((&paper["settings"]["tie_orders"], &paper["settings"]["share"]), (&json!(1), &json!("no")));
    assert_eq!((&usual["settings"]["tie_orders"], &usual["settings"]["share"]), (&json!(10), &json!("yes")));
    assert_eq!(paper["skeleton"], usual["skeleton"]);
    assert!(paper["tests"]["asked"].as_u64() > usual["tests"]["asked"].as_u64());
}

#[test]
fn the_catalogue_is_listed() {
    let folder = Folder::new();
    let all = folder.run("learners --json").json();
    let names: Vec<&str> = all.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert!(
        ["h2pc", "mmhc", "hc", "tabu", "hpc", "mmpc"].iter().all(|name| names.contains(name)),
        "{names:?}"
    );
    for row in all.as_array().unwrap() {
        let keys: Vec<&String> = row.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["name", "title", "citation", "restrict", "maximise", "result", "settings"]);
    }
    let text = folder.run("learners").done();
    assert!(names.iter().all(|name| text.contains(name)), "{text}");
}

#[test]
fn a_skeleton_may_come_from_a_file() {
    let folder = Folder::new();
    folder.write("edges.csv", "from,to\nsmoke,lung\nlung,either\neither,xray\nbronc,dysp\n");
    let report = folder.run("learn asia --restrict edges.csv --json").json();
    let inside = [["bronc", "dysp"], ["either", "lung"], ["either", "xray"], ["lung", "smoke"]];
    assert_eq!(report["skeleton"], json!(inside));
    assert_eq!((&report["learner"], &report["tests"]["asked"]), (&json!("given+tabu"), &json!(0)));
    let arcs = report["arcs"].as_array().unwrap();
    let within = |arc: &Value| inside.iter().any(|e| *arc == json!(e) || *arc == json!([e[1], e[0]]));
    assert!(!arcs.is_empty() && arcs.iter().all(within), "{arcs:?}");
    // A result can be run again from its own settings, without the file.
    folder.write("l.json", report.to_string());
    let again = folder.run("learn asia --settings l.json --json").json();
    assert_eq!((&again["arcs"], &again["settings"]), (&report["arcs"], &report["settings"]));
    folder.run("learn asia --restrict asia --maximise hc -q").done();
    folder.run("learn asia --restrict hcp").fails(3, &["hcp", "--restrict takes hpc, mmpc"]);
    folder.write("other.csv", "from,to\nsmok,lung\n");
    folder.run("learn asia --restrict other.csv -q").fails(3, &["\"smok\"", "did you mean \"smoke\""]);
}
