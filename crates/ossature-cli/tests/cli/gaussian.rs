//! Networks with continuous variables in every command that takes a network.

use serde_json::json;

use crate::run::Folder;

const CLINIC: &str = r#"{"model": "ossature", "format": 1, "version": "0.1.0",
  "nodes": ["height", "old", "sick", "weight"],
  "arcs": [["old", "sick"], ["height", "weight"], ["sick", "weight"]], "missing_tokens": ["", "NA"],
  "variables": [
    {"name": "height", "kind": "continuous", "levels": [], "cuts": null, "missing_level": null, "parents": [],
     "regressions": [{"intercept": 170.0, "coefficients": [], "sd": 8.0}]},
    {"name": "old", "kind": "discrete", "levels": ["no", "yes"], "cuts": null, "missing_level": null, "parents": [],
     "table": [[0.75, 0.25]]},
    {"name": "sick", "kind": "discrete", "levels": ["no", "yes"], "cuts": null, "missing_level": null,
     "parents": ["old"], "table": [[0.9, 0.1], [0.5, 0.5]]},
    {"name": "weight", "kind": "continuous", "levels": [], "cuts": null, "missing_level": null,
     "parents": ["height", "sick"],
     "regressions": [{"intercept": -80.0, "coefficients": [0.9], "sd": 5.0},
                     {"intercept": -100.0, "coefficients": [1.0], "sd": 10.0}]}]}"#;

/// A folder with the network, and rows sampled from it.
fn clinic() -> Folder {
    let folder = Folder::new();
    folder.write("clinic.json", CLINIC);
    folder.run("sample clinic.json -n 2000 --seed 1 -o rows.csv").done();
    folder
}

#[test]
fn rows_are_drawn_and_the_network_is_fitted_to_them_again() {
    let folder = clinic();
    let rows = folder.read("rows.csv");
    assert_eq!(rows.lines().next(), Some("height,old,sick,weight"));
    assert!(rows.lines().nth(1).unwrap().split(',').next().unwrap().parse::<f64>().is_ok(), "{rows}");
    let fit = "fit rows.csv clinic.json --levels clinic.json --json -o fitted.json";
    let done = folder.run(fit).json();
    assert_eq!(done["continuous"], json!(["height", "weight"]));
    assert_eq!(done["parameters"], json!(2 + 1 + 2 + 6));
    let fitted: serde_json::Value = serde_json::from_str(&folder.read("fitted.json")).unwrap();
    let slope = fitted["variables"][3]["regressions"][0]["coefficients"][0].as_f64().unwrap();
    assert!((slope - 0.9).abs() < 0.05, "{slope}");
    let text = folder.run("fit rows.csv clinic.json --levels clinic.json").done();
    assert!(text.contains("least squares for continuous variables"), "{text}");
    let same = folder.run("compare clinic.json fitted.json --json").json();
    assert_eq!(same["shd"], json!(0));
}

#[test]
fn discrete_variables_can_be_asked_and_others_say_why_not() {
    let folder = clinic();
    let found = folder.run("query clinic.json old --given sick=yes --json").json();
    assert!((found["posteriors"]["old"]["yes"].as_f64().unwrap() - 0.625).abs() < 1e-12);
    for words in [
        "query clinic.json weight",
        "query clinic.json old --given height=170",
        "query clinic.json old --do weight=1",
    ] {
        folder
            .run(words)
            .fails(3, &["is continuous, and only discrete variables can be queried, predicted or given"]);
    }
    folder
        .run("predict clinic.json rows.csv --target sick")
        .fails(3, &["\"height\" is continuous in the network"]);
    let foretold = folder.run("predict clinic.json rows.csv --target sick --drop height,weight").done();
    assert_eq!(foretold.lines().count(), 2001);
}

#[test]
fn every_format_holds_what_it_can() {
    let folder = clinic();
    folder
        .run("convert clinic.json clinic.bif")
        .fails(3, &["a .json holds a network with continuous variables"]);
    for name in ["c.dot", "c.graphml", "c.csv", "c.json", "c.svg", "c.html"] {
        folder.run(&format!("convert clinic.json {name}")).done();
    }
    let again: serde_json::Value = serde_json::from_str(&folder.read("c.json")).unwrap();
    assert_eq!(again["variables"], serde_json::from_str::<serde_json::Value>(CLINIC).unwrap()["variables"]);
    let svg = folder.read("c.svg");
    assert!(svg.contains("<title>height: continuous; mean 170, standard deviation 8</title>"), "{svg}");
    assert!(svg.contains("<title>weight: continuous; a regression for each of 2 configurations"), "{svg}");
    assert_eq!((svg.matches("rx=\"14\"").count(), svg.matches("rx=\"6\"").count()), (2, 2));
    let page = folder.read("c.html");
    assert!(page.contains("This network has continuous variables"), "the reason for no what-if");
    assert!(page.contains(r#""regressions":[["-80","0.9","5"],["-100","1","10"]]"#));
}

#[test]
fn a_structure_becomes_a_continuous_sample() {
    let folder = Folder::new();
    folder.run("sample asia -n 50 --linear-gaussian --seed 1 -o one.csv").done();
    folder.run("sample asia -n 50 --linear-gaussian=1 --seed 1 -o same.csv").done();
    let told = folder.run("sample asia -n 50 --linear-gaussian=1 --seed 2 --json -o rows.csv").json();
    assert_eq!((&told["linear_gaussian"], &told["seed"]), (&json!(1), &json!(2)));
    assert_eq!(folder.read("one.csv"), folder.read("same.csv"));
    assert_ne!(folder.read("one.csv"), folder.read("rows.csv"));
    assert_ne!(folder.read("one.csv"), folder.run("sample asia -n 50 --linear-gaussian --seed 2").done());
    // A graph is enough.
    folder.write("chain.csv", "from,to\na,b\nb,c\n");
    assert_eq!(folder.run("sample chain.csv -n 3 --linear-gaussian").done().lines().next(), Some("a,b,c"));
    folder.run("sample chain.csv -n 3").fails(3, &["without probability tables"]);
    folder.write("circle.csv", "from,to\na,b\nb,c\nc,a\n");
    folder.run("sample circle.csv -n 3 --linear-gaussian").fails(3, &["cycle"]);
}

#[test]
fn cuts_that_look_at_others_stand_in_the_result_and_in_the_model() {
    let folder = Folder::new();
    let row = |i: usize| {
        format!("{}.5,{},{}\n", (i * 7) % 60, if (i * 7) % 60 < 13 { "low" } else { "high" }, i % 2)
    };
    folder.write("t.csv", format!("x,z,b\n{}", (0..60).map(row).collect::<String>()));
    let found = folder.run("learn t.csv --discretise x=mdl:z --json").json();
    assert_eq!(found["read"]["cuts"], json!({"x": [13.0]}));
    assert_eq!(found["read"]["discretise"], json!(["x=mdl:z"]));
    folder.write("g.csv", "from,to\nz,x\n");
    folder.run("fit t.csv g.csv --discretise *=hartemink:2:12 -o m.json").done();
    let model: serde_json::Value = serde_json::from_str(&folder.read("m.json")).unwrap();
    assert_eq!(model["variables"][1]["cuts"].as_array().unwrap().len(), 1, "{model}");
    // New rows are cut at the same place, for any values.
    folder.write("new.csv", "x\n-1000\n5\n1e9\n");
    let foretold = folder.run("predict m.json new.csv --target z").done();
    assert_eq!(
        foretold.lines().skip(1).map(|l| l.split(',').next().unwrap()).collect::<Vec<_>>(),
        ["low", "low", "high"]
    );
    folder.run("learn t.csv --discretise x=mdl:y").fails(3, &["there is no column \"y\""]);
    folder.run("learn t.csv --discretise x=mdl").fails(2, &["hartemink:3 or mdl:TARGET are"]);
}

#[test]
fn a_study_draws_continuous_samples() {
    let folder = Folder::new();
    let study = "study --networks asia:gaussian --sizes 200 --samples 1 --learners hc,tabu -o out";
    folder.run(study).done();
    let rows = folder.read("out/rows.csv");
    let mut lines = rows.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let place = |name: &str| head.iter().position(|column| *column == name).unwrap();
    for row in lines {
        assert_eq!(row[place("network")], "asia:gaussian");
        assert!(row[place("shd")].parse::<usize>().unwrap() < 8, "{rows}");
        assert_eq!(row[place("bdeu_train")], "", "BDeu is a score of tables");
    }
    // The same study continues where it stopped.
    folder.run(study).done();
    assert_eq!(folder.read("out/rows.csv"), rows);
}
