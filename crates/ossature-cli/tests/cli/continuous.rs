//! Tables with numeric columns: which columns count as numbers, what is reported, and what is learned.

use serde_json::json;

use crate::run::Folder;

/// Two columns that depend on a third, and a column of labels that depends on them.
fn measured() -> Folder {
    let folder = Folder::new();
    let mut text = "a,b,c,kind\n".to_owned();
    for i in 0..200u32 {
        let noise = |k: u32| f64::from((i * k + 7) * 7919 % 1000) / 500.0 - 1.0;
        let (a, b) = (noise(31), noise(31) * 2.0 + noise(57) * 0.5);
        let c = b - noise(83);
        let kind = if c + noise(11) > 0.0 { "high" } else { "low" };
        text += &format!("{a},{b},{c},{kind}\n");
    }
    folder.write("t.csv", &text);
    folder
}

#[test]
fn numbers_are_labels_until_something_else_is_said() {
    let folder = measured();
    let said = folder.run("learn t.csv").err;
    assert!(said.contains("3 columns of numbers in which every value is a separate level"), "{said}");
    assert!(said.contains("--continuous auto treats them as numbers: a, b, c"), "{said}");
    let report = folder.run("learn t.csv --continuous auto --json").json();
    assert_eq!(report["data"]["continuous"], json!(["a", "b", "c"]));
    assert_eq!((&report["settings"]["test"], &report["settings"]["score"]), (&json!("dg"), &json!("bic-dg")));
    assert_eq!(report["read"]["continuous"], json!("auto"));
    assert!(report["arcs"].as_array().unwrap().len() >= 3, "{report}");
    let text = folder.run("learn t.csv --continuous auto").done();
    assert!(text.contains("3 continuous, 1 discrete; test dg, score bic-dg"), "{text}");
    let alone = folder.run("learn t.csv --continuous a,b,c --drop kind").done();
    assert!(alone.contains("continuous; test zf, score bic-g"), "{alone}");
}

#[test]
fn every_command_takes_them() {
    let folder = measured();
    let read = "--continuous auto";
    let test = |words: &str| folder.run(&format!("test t.csv {words} {read} --json")).json()["test"].clone();
    assert_eq!([test("a c b"), test("a c kind")], ["zf", "dg"], "the default is the one for its columns");
    let wrong = folder.run(&format!("test t.csv a c kind --test zf {read} -q"));
    wrong.fails(3, &["column \"kind\" is discrete, and the test zf is for continuous ones", "dg, cg"]);
    folder
        .run("learn t.csv --continuous a --columns a,b --test mi -q")
        .fails(3, &["the test mi is for discrete ones"]);
    folder.run(&format!("learn t.csv --iss 3 {read} -q")).fails(2, &["iss", "bdeu or bds"]);
    folder.run(&format!("learn t.csv {read} -o g.csv")).done();
    let score = folder.run(&format!("score t.csv g.csv {read} --json")).json();
    assert_eq!(score["score"].as_str().or(score["name"].as_str()), Some("bic-dg"));
    folder.run(&format!("neighbours t.csv --target b {read}")).done();
    let why = folder.run(&format!("why t.csv a b {read}")).done();
    assert!(why.contains("the arc a -> b") && why.contains("bic-dg"), "{why}");
    folder.run(&format!("learn t.csv {read} --bootstrap 5")).done();
    folder.run("learn t.csv --continuous nobody").fails(3, &["there is no column \"nobody\""]);
    folder.run("learn asia --continuous auto").fails(2, &["--continuous", "are for files"]);
}
