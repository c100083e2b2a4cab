//! The learners that test, in every command that takes a learner.

use serde_json::{Value, json};

use crate::run::Folder;

const BLANKETS: [&str; 5] = ["gs", "iamb", "inter-iamb", "fast-iamb", "iamb-fdr"];
const ALL: [&str; 7] = ["pc", "tpda", "gs", "iamb", "inter-iamb", "fast-iamb", "iamb-fdr"];

#[test]
fn learners_of_blankets_find_that_of_one_variable() {
    let folder = Folder::new();
    folder.run("sample alarm -n 5000 --seed 1 -o a.csv").done();
    for learner in BLANKETS {
        let words =
            format!("neighbours a.csv --target ERRLOWOUTPUT --blanket --alpha 0.01 --learner {learner}");
        let found = folder.run(&format!("{words} --json")).json();
        assert_eq!(found["parents_and_children"], json!(["HRBP"]), "{learner}");
        if learner == "gs" {
            continue; // two equally informative variables come before the spouse by name
        }
        assert_eq!(found["blanket"], json!(["HR", "HRBP"]), "{learner}");
        let text = folder.run(&words).done();
        assert!(text.contains("parents and children  HRBP\nspouses               HR\n"), "{text}");
    }
    // These process all variables or none.
    for learner in ["pc", "tpda"] {
        folder
            .run(&format!("neighbours a.csv --target HRBP --learner {learner}"))
            .fails(2, &["--learner", learner, "hpc", "iamb-fdr"]);
    }
}

#[test]
fn one_blanket_in_a_wide_table_takes_few_tests() {
    let folder = Folder::new();
    folder.write("wide.csv", crate::learn_limits::wide_table(5_000, 200));
    for learner in BLANKETS {
        let words = format!(
            "neighbours wide.csv --target v7 --blanket --alpha 0.00001 -q --learner {learner} --json"
        );
        let found = folder.run(&words).json();
        let names = found["blanket"].as_array().unwrap();
        assert!(names.contains(&json!("v6")) || names.contains(&json!("v8")), "{learner}: {found}");
        let asked = found["tests"]["asked"].as_u64().unwrap();
        assert!(asked < 40 * 5_000, "{learner}: some for each variable, not for each pair: {asked}");
    }
}

#[test]
fn how_sure_they_are_by_bootstrap() {
    let folder = Folder::new();
    for learner in ALL {
        let report =
            folder.run(&format!("learn asia --rows 2000 --learner {learner} --bootstrap 8 --json")).json();
        let strengths = report["bootstrap"]["arcs"].as_array().unwrap();
        let sure = |arc: &&Value| arc["from"] == "tub" && arc["to"] == "either" || arc["to"] == "tub";
        assert!(
            strengths.iter().any(|arc| sure(&arc) && arc["strength"].as_f64().unwrap() > 0.9),
            "{learner}"
        );
    }
}

/// Each as the first half of a search, with the reasons that it recorded.
#[test]
fn a_search_goes_on_from_them_and_why_knows_what_they_found() {
    let folder = Folder::new();
    folder.run("sample asia -n 20000 --seed 1 -o a.csv").done();
    for learner in ALL {
        let words = format!("learn a.csv --restrict {learner} --maximise tabu --json");
        let report = folder.run(&words).json();
        assert_eq!((&report["result"], &report["settings"]["restrict"]), (&json!("dag"), &json!(learner)));
        assert!(report["score"]["total"].as_f64().unwrap() < 0.0);
        folder.run(&format!("learn a.csv --learner {learner} -q -o l.json -o l.bif")).done();
        let now = folder.run(&format!("why a.csv smoke tub --learner {learner} --json")).json();
        let earlier = folder.run("why l.json smoke tub --json").json();
        for why in [now, earlier] {
            assert_eq!(why["adjacent"], false, "{learner}: {why}");
        }
        let learned: Value = serde_json::from_str(&folder.read("l.json")).unwrap();
        let names = learned["nodes"].as_array().unwrap();
        let separations = learned["separations"].as_array().unwrap();
        assert!(!separations.is_empty(), "{learner}");
        for separation in separations {
            let [x, y] = [0, 1].map(|i| names[separation[i].as_u64().unwrap() as usize].as_str().unwrap());
            let why = folder.run(&format!("why l.json {x} {y} --json")).json();
            let given = separation[2].as_array().unwrap().iter();
            let given: Vec<&Value> = given.map(|v| &names[v.as_u64().unwrap() as usize]).collect();
            assert_eq!((&why["adjacent"], &why["separated_by"]), (&json!(false), &json!(given)), "{learner}");
        }
        let edge = folder.run("why l.json either tub").done();
        assert!(edge.contains("arc tub -> either") && edge.contains("collider"), "{learner}: {edge}");
    }
}

/// Constraints may direct more than a class can hold: then the result is called a PDAG.
#[test]
fn a_graph_that_is_no_class_is_called_a_pdag() {
    let folder = Folder::new();
    folder.run("sample asia -n 2000 --seed 1 -o a.csv").done();
    let class = folder.run("learn a.csv --learner iamb").done();
    assert!(class.contains("2 of them without direction in the equivalence class"), "{class}");
    folder.write("known.csv", "from,to\nbronc,smoke\n");
    let words = "learn a.csv --learner iamb --whitelist known.csv";
    let text = folder.run(words).done();
    assert!(
        text.contains("4 arcs, 1 of them without direction; a PDAG, not an equivalence class\n"),
        "{text}"
    );
    assert_eq!(folder.run(&format!("{words} --json")).json()["result"], "pdag");
    folder.run(&format!("{words} -q -o l.json")).done();
    let open = folder.run("why l.json bronc dysp").done();
    assert!(open.contains("The graph is a PDAG") && !open.contains("same equivalence class"), "{open}");
    assert_eq!(folder.run("why l.json bronc smoke --json").json()["orientation"], "required");
}

/// More tests than any machine can run in that time: nothing is written, and the message says why.
#[test]
fn a_limit_ends_them() {
    let folder = Folder::new();
    folder.write("wide.csv", crate::learn_limits::wide_table(3000, 50));
    for learner in ALL {
        let words = format!("learn wide.csv --learner {learner} --test mc-mi --time-limit 0.2 -q -o l.json");
        folder.run(&words).fails(1, &["the time limit of 0.20 s was reached before there was a result"]);
        assert_eq!(folder.files(), ["wide.csv"], "{learner}");
    }
}
