//! One variable, and the score of a structure.

use serde_json::{Value, json};

use crate::run::Folder;

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn neighbours_finds_the_parents_and_children_of_one_variable() {
    let folder = Folder::new();
    folder.run("sample alarm -n 5000 --seed 1 -o a.csv").done();
    for learner in ["hpc", "mmpc"] {
        let answer = folder.run(&format!("neighbours a.csv --target HRBP --learner {learner} --json"));
        let found = answer.json();
        assert_eq!(
            keys(&found),
            ["target", "parents_and_children", "blanket", "tests", "seconds", "version"]
        );
        assert_eq!(found["parents_and_children"], json!(["ERRLOWOUTPUT", "HR"]), "{learner}");
        assert_eq!((&found["target"], &found["blanket"]), (&json!("HRBP"), &Value::Null));
        assert_eq!(keys(&found["tests"]), ["asked", "computed", "without_power", "by_order"]);
    }
    let found = folder.run("neighbours a.csv --target ERRLOWOUTPUT --blanket --alpha 0.01 --json").json();
    assert_eq!(found["parents_and_children"], json!(["HRBP"]));
    assert_eq!(found["blanket"], json!(["HR", "HRBP"]));
    let text = folder.run("neighbours a.csv --target ERRLOWOUTPUT --blanket --alpha 0.01").done();
    assert!(text.contains("parents and children  HRBP\nspouses               HR\n"), "{text}");
    folder.run("neighbours a.csv --target HRPB").fails(3, &["no column \"HRPB\"", "did you mean \"HRBP\"?"]);
    folder.run("neighbours a.csv").fails(2, &["--target"]);
}

#[test]
fn neighbours_agrees_with_the_skeleton_and_keeps_to_what_is_known() {
    let folder = Folder::new();
    let skeleton = folder.run("learn asia --learner mmpc --json").json()["skeleton"].clone();
    for target in ["asia", "either", "smoke", "xray"] {
        let edges = skeleton.as_array().unwrap().iter();
        let other = |edge: &Value| match (&edge[0], &edge[1]) {
            (x, y) if x == target => Some(y.clone()),
            (x, y) if y == target => Some(x.clone()),
            _ => None,
        };
        let mut expected: Vec<Value> = edges.filter_map(other).collect();
        expected.sort_by_key(Value::to_string);
        let found = folder.run(&format!("neighbours asia --target {target} --learner mmpc --json")).json();
        assert_eq!(found["parents_and_children"], Value::from(expected), "{target}");
    }
    folder.write("white.csv", "from,to\nsmoke,xray\n");
    folder.write("black.csv", "from,to\nsmoke,lung\nlung,smoke\n");
    for learner in ["hpc", "mmpc"] {
        let words = "--target smoke --whitelist white.csv --blacklist black.csv --blanket --json";
        let found = folder.run(&format!("neighbours asia --learner {learner} {words}")).json();
        let names = found["parents_and_children"].as_array().unwrap();
        assert!(names.contains(&json!("xray")) && !names.contains(&json!("lung")), "{learner}: {found}");
        assert!(names.iter().all(|name| found["blanket"].as_array().unwrap().contains(name)));
    }
}

#[test]
fn neighbours_takes_few_tests_on_a_wide_table() {
    let folder = Folder::new();
    folder.write("wide.csv", crate::learn_limits::wide_table(20_000, 60));
    let found = folder.run("neighbours wide.csv --target v7 --learner mmpc --json -q").json();
    let names = found["parents_and_children"].as_array().unwrap();
    assert!(names.contains(&json!("v6")) || names.contains(&json!("v8")), "{found}");
    assert!(
        found["tests"]["asked"].as_u64().unwrap() < 4 * 20_000,
        "some for each variable, not for each pair: {found}"
    );
}

#[test]
fn score_is_the_sum_over_the_nodes() {
    let folder = Folder::new();
    let scored = folder.run("score asia asia --rows 1000 --by-node --json").json();
    assert_eq!(keys(&scored), ["name", "iss", "total", "by_node", "version"]);
    assert_eq!((&scored["name"], &scored["iss"]), (&json!("bdeu"), &json!(10.0)));
    let by_node = scored["by_node"].as_object().unwrap();
    assert_eq!(by_node.len(), 8);
    let sum: f64 = by_node.values().map(|v| v.as_f64().unwrap()).sum();
    assert!((sum - scored["total"].as_f64().unwrap()).abs() < 1e-9);
    let bic = folder.run("score asia asia --rows 1000 --score bic --json").json();
    assert_eq!((&bic["iss"], &bic["by_node"]), (&Value::Null, &Value::Null));
    let total = |words: &str| folder.run(&format!("score asia asia --json {words}")).json()["total"].clone();
    assert_eq!(total("--score bde --iss 3"), total("--score bdeu --iss 3"));
    assert_ne!(total("--iss 3"), total("--iss 4"));
    let text = folder.run("score asia asia --rows 1000 --by-node").done();
    assert!(text.contains("bdeu, imaginary sample size 10") && text.contains("\nxray"), "{text}");
}

#[test]
fn learn_and_score_agree() {
    let folder = Folder::new();
    folder.run("sample insurance -n 800 --seed 1 -o a.csv").done();
    for score in ["bdeu", "bic", "k2", "bds"] {
        folder.run(&format!("learn a.csv --score {score} -o l.json")).done();
        let learned: Value = serde_json::from_str(&folder.read("l.json")).unwrap();
        let scored = folder.run(&format!("score a.csv l.json --score {score} --json")).json();
        let (a, b) = (learned["score"]["total"].as_f64().unwrap(), scored["total"].as_f64().unwrap());
        assert!((a - b).abs() < 1e-6, "{score}: {a} and {b}");
        assert_eq!(learned["score"]["name"], scored["name"]);
    }
}

#[test]
fn a_class_is_scored_by_one_of_its_members() {
    let folder = Folder::new();
    folder.write("dag.csv", "from,to\nsmoke,lung\nlung,either\ntub,either\n");
    folder.write("class.csv", "from,to\nsmoke,lung\nlung,smoke\nlung,either\ntub,either\n");
    let class = folder.run("score asia class.csv --json");
    assert!(
        class.err.contains("class.csv: 1 edge without direction; a DAG of the same class is used"),
        "{class:?}"
    );
    assert_eq!(class.json()["total"], folder.run("score asia dag.csv --json").json()["total"]);
    folder.write(
        "square.csv",
        "from,to\nasia,tub\ntub,asia\ntub,lung\nlung,tub\nlung,smoke\nsmoke,lung\nsmoke,asia\nasia,smoke\n",
    );
    folder
        .run("score asia square.csv -q")
        .fails(3, &["square.csv: 4 edges without direction", "no DAG agrees"]);
    folder.write("cycle.csv", "from,to\nasia,tub\ntub,lung\nlung,asia\n");
    folder.run("score asia cycle.csv -q").fails(3, &["cycle", "asia -> tub -> lung -> asia"]);
}

/// A name that only one side has is an isolated node, and a message says so.
#[test]
fn score_leaves_out_what_is_no_column() {
    let folder = Folder::new();
    folder.write("more.csv", "from,to\nasia,tub\nsmok,lung\n");
    folder.write("less.csv", "from,to\nasia,tub\n");
    let more = folder.run("score asia more.csv --json");
    let said = "warning: 1 node of the graph not among the columns, with 1 edge left out: smok";
    assert!(more.err.contains(said), "{}", more.err);
    assert_eq!(more.json()["total"], folder.run("score asia less.csv --json").json()["total"]);
}
