//! Names of columns in lists, and what is left out with earlier settings.

use crate::run::Folder;

fn rows(header: &str, row: impl Fn(u32) -> String) -> String {
    format!("{header}\n{}", (0..400).map(|i| row(i) + "\n").collect::<String>())
}

#[test]
fn a_name_with_a_comma_is_quoted() {
    let folder = Folder::new();
    folder.write(
        "t.csv",
        rows("\"id, no\",\"say \"\"x\"\"\",b", |i| format!("{},{},{}", 5000 + i, i % 2, i / 2 % 2)),
    );
    let names = |words: &[&str]| folder.run_words(words).json()["nodes"].clone();
    let both = serde_json::json!(["b", "say \"x\""]);
    let learn = ["learn", "t.csv", "--json", "-q"];
    assert_eq!(names(&[&learn[..], &["--drop", "\"id, no\""]].concat()), both);
    assert_eq!(names(&[&learn[..], &["--columns", "\"say \"\"x\"\"\",b"]].concat()), both);
    let one = serde_json::json!(["b"]);
    assert_eq!(names(&[&learn[..], &["--drop", "\"id, no\",\"say \"\"x\"\"\""]].concat()), one);
    let numbers =
        folder.run_words(&[&learn[..], &["--continuous", "\"id, no\"", "--learner", "tabu"]].concat());
    assert_eq!(numbers.json()["data"]["continuous"], serde_json::json!(["id, no"]));
    folder.run("learn t.csv --drop ,").fails(2, &["--drop names \"\" twice"]);
    // The advice can be pasted.
    folder.run("learn t.csv").fails(3, &["--drop '\"id, no\"' leaves it out"]);
    folder.run_words(&["learn", "t.csv", "--drop", "\"id"]).fails(2, &["a quote that is not closed"]);
    folder
        .run_words(&["learn", "t.csv", "--drop", "\"id\"x"])
        .fails(2, &["a quote that is not closed, or a text behind"]);
    let few: String = (0..100).map(|i| format!("x{i},{}\n", i % 2)).collect();
    folder.write("u.csv", format!("\"id, no\",b\n{few}"));
    let said = folder.run("learn u.csv").err;
    assert!(said.contains("--drop leaves it out: \"id, no\""), "{said}");
}

/// Row names, as R and pandas write them.
#[test]
fn a_column_without_a_name_can_be_left_out() {
    let folder = Folder::new();
    folder.write("t.csv", rows(",a,b", |i| format!("{i},{},{}", i % 2, i / 2 % 2)));
    folder.run("learn t.csv").fails(
        3,
        &[
            "t.csv, line 1: found no name for column 1 of 3",
            "R and pandas write row names",
            "--drop '\"\"' leaves it out",
        ],
    );
    for words in [&["--drop", "\"\""][..], &["--drop", ""], &["--columns", "a,b"]] {
        let words = [&["learn", "t.csv", "--json", "-q"][..], words].concat();
        assert_eq!(folder.run_words(&words).json()["nodes"], serde_json::json!(["a", "b"]), "{words:?}");
    }
    folder.write("u.csv", "a,b,\n0,1,\n1,0,\n");
    let refused = folder.run("learn u.csv");
    refused.fails(3, &["no name for column 3 of 3, expected a name for every column\n"]);
    folder.run_words(&["learn", "t.csv", "t2.csv", "--drop", "\"\""]).fails(3, &["t2.csv"]);
    folder.write("t2.csv", "b,,a\n0,7,1\n");
    folder.run_words(&["learn", "t.csv", "t2.csv", "--drop", "\"\"", "-q"]).done();
    folder.write("rows.csv", ",smoke\n1,yes\n2,no\n");
    folder.run("predict asia rows.csv --target lung").done();
}

#[test]
fn columns_are_left_out_in_addition_to_those_of_the_settings() {
    let folder = Folder::new();
    folder.write(
        "t.csv",
        rows("id,name,x,y,z", |i| format!("{},n{i},{},{},{}", 9000 + i, i % 2, i / 2 % 2, i % 3)),
    );
    folder.run("learn t.csv --drop id,name -q -o before.json").done();
    let nodes = |words: &str| {
        folder.run(&format!("learn t.csv --settings before.json --json -q {words}")).json()["nodes"].clone()
    };
    assert_eq!(nodes("--drop x"), serde_json::json!(["y", "z"]));
    assert_eq!(nodes("--drop x,id"), serde_json::json!(["y", "z"]));
    assert_eq!(nodes("--seed 1"), serde_json::json!(["x", "y", "z"]));
    assert_eq!(nodes("--columns x,y"), serde_json::json!(["x", "y"]));
    folder.run("learn t.csv --columns x,y,z -q -o before.json").done();
    assert_eq!(nodes("--drop x"), serde_json::json!(["y", "z"]));
}
