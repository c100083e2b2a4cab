//! Tables with missing values, in every command that takes a table.

use crate::run::Folder;

/// Rows of asia in which every ninth field is missing.
fn gappy(folder: &Folder) {
    folder.run("sample asia -n 600 --seed 3 -o whole.csv").done();
    let whole = folder.read("whole.csv");
    let (header, rows) = whole.split_once('\n').unwrap();
    let mut text = format!("{header}\n");
    let mut number = 0;
    for row in rows.lines() {
        let fields = row.split(',').map(|field| {
            number += 1;
            if number % 9 == 4 { "NA" } else { field }
        });
        text.push_str(&fields.collect::<Vec<_>>().join(","));
        text.push('\n');
    }
    folder.write("gappy.csv", text);
}

#[test]
fn the_available_rows_answer_every_question() {
    let folder = Folder::new();
    gappy(&folder);
    let test = folder.run("test gappy.csv smoke bronc lung --missing available --json").json();
    let rows = test["rows"].as_u64().unwrap();
    assert!((380..440).contains(&rows), "{rows} rows are complete in three of eight columns");
    let score = folder.run("score gappy.csv asia --missing available --json").json();
    assert_eq!(score["name"], "pnal");
    let said = folder.run("score gappy.csv asia --missing available").done();
    assert!(said.contains("pnal") && !said.contains("per row"), "{said}");
    assert!(score["total"].as_f64().unwrap() > -4.0, "{score}");
    folder.run("score gappy.csv asia --missing available --score k2 -q").fails(3, &["k2", "pnal", "em"]);
    let near = folder.run("neighbours gappy.csv --target bronc --missing available --json").json();
    assert!(near["parents_and_children"].as_array().unwrap().contains(&"smoke".into()));
    for learner in ["h2pc", "tabu", "pc", "best"] {
        let learned =
            folder.run(&format!("learn gappy.csv --learner {learner} --missing available --json")).json();
        assert!(learned["cpdag"].is_object(), "{learned}");
        assert!(learned["score"].is_null() || learned["score"]["name"] == "pnal", "{learned}");
        assert_eq!(learned["read"]["missing"], "available");
    }
    let fitted = folder.run("fit gappy.csv asia --missing available --json").json();
    assert_eq!((&fitted["data"]["rows"], &fitted["em"]), (&600.into(), &serde_json::Value::Null));
    folder.run("learn gappy.csv --missing available --bootstrap 3 --json").json();
}

#[test]
fn em_learns_and_fits() {
    let folder = Folder::new();
    gappy(&folder);
    let learned =
        folder.run("learn gappy.csv --learner tabu --missing em --truth asia --json -o net.bif").json();
    assert_eq!((&learned["score"]["name"], &learned["complete"]), (&"bic".into(), &true.into()));
    assert!(learned["truth"]["shd"].as_u64().unwrap() <= 8, "{learned}");
    let fitted = folder.run("fit gappy.csv asia --missing em --mle --json -o fitted.bif").json();
    assert_eq!(fitted["em"]["converged"], true);
    assert!(fitted["em"]["rounds"].as_u64().unwrap() > 2);
    let ln = fitted["em"]["log_likelihood"].as_f64().unwrap();
    assert!((-1400.0..-1000.0).contains(&ln), "{ln}");
    let said = folder.run("fit gappy.csv asia --missing em").done();
    assert!(said.contains("expectation-maximisation"), "{said}");
    // Again, with the settings of the result.
    let again = folder.run("learn gappy.csv --learner tabu --missing em -o learned.json");
    again.done();
    let again = folder.run("learn gappy.csv --settings learned.json --json").json();
    assert_eq!(again["arcs"], learned["arcs"]);
}

#[test]
fn what_asks_tests_refuses_em() {
    let folder = Folder::new();
    gappy(&folder);
    folder.run("learn gappy.csv --missing em -q").fails(2, &["missing", "em", "tests", "tabu", "available"]);
    folder.run("neighbours gappy.csv --target bronc --missing em -q").fails(2, &["missing", "em", "tests"]);
    folder.run("test gappy.csv smoke bronc --missing em -q").fails(3, &["expected values (em)", "available"]);
    folder.run("learn gappy.csv --learner tabu --score k2 --missing em -q").fails(2, &["score", "k2", "bic"]);
    folder.run("learn gappy.csv").fails(3, &["--missing available", "--missing em"]);
}

#[test]
fn a_complete_table_is_learned_as_ever() {
    let folder = Folder::new();
    folder.run("sample asia -n 50 -o whole.csv").done();
    let whole = folder.run("learn whole.csv --learner tabu --missing em --json").json();
    assert_eq!(whole["score"]["name"], "bdeu", "no value is missing");
}
