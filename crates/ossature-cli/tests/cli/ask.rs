//! Questions to a network: `query`, `predict` and `cross-validate`.

use serde_json::{Value, json};

use crate::run::Folder;

#[track_caller]
fn near(value: &Value, expected: f64, tolerance: f64) {
    let found = value.as_f64().unwrap();
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

#[test]
fn a_query_gives_the_posterior_and_the_probability_of_what_is_known() {
    let folder = Folder::new();
    let found = folder.run("query asia lung tub --given dysp=yes --given smoke=yes --json").json();
    let keys = ["given", "do", "p_evidence", "posteriors", "sampling", "effects"];
    assert_eq!(found.as_object().unwrap().keys().collect::<Vec<_>>(), keys);
    assert_eq!(found["given"], json!({"dysp": "yes", "smoke": "yes"}));
    assert_eq!((&found["do"], &found["sampling"]), (&json!({}), &Value::Null));
    // By hand: smokers have either illness with probability 1 - 0.9 * 0.9896 and bronchitis with 0.6.
    let (ill, well) = (0.6 * 0.9 + 0.4 * 0.7, 0.6 * 0.8 + 0.4 * 0.1);
    let dyspnoea = (1.0 - 0.9 * 0.9896) * ill + 0.9 * 0.9896 * well;
    near(&found["p_evidence"], 0.5 * dyspnoea, 1e-12);
    near(&found["posteriors"]["lung"]["yes"], 0.1 * ill / dyspnoea, 1e-12);
    near(&found["posteriors"]["tub"]["yes"], 0.0104 * ill / dyspnoea, 1e-12);
    let text = folder.run("query asia lung --given dysp=yes --given smoke=yes").done();
    assert_eq!(
        text,
        "lung  probability\nyes      0.148334\nno       0.851666\n\ngiven: dysp = yes, smoke = yes (probability 0.2764)\n"
    );
}

#[test]
fn setting_is_not_seeing() {
    let folder = Folder::new();
    let seen = folder.run("query asia smoke --given bronc=no --json").json();
    near(&seen["posteriors"]["smoke"]["yes"], 0.2 / 0.55, 1e-12);
    let set = folder.run("query asia smoke --do bronc=no --json").json();
    near(&set["posteriors"]["smoke"]["yes"], 0.5, 1e-12);
    assert_eq!(set["do"], json!({"bronc": "no"}));
    let class = folder.run("query asia lung --do smoke=yes --class --json").json();
    assert_eq!(
        (&class["effects"][0]["on"], &class["effects"][0]["identified"]),
        (&json!("lung"), &json!(false))
    );
    let text = folder.run("query asia lung --do smoke=yes --class").done();
    for part in
        ["intervention: smoke = yes", "does not determine the effect of smoke on lung", "parents of smoke"]
    {
        assert!(text.contains(part), "{text}");
    }
    let told = folder.run("query asia xray --do either=yes --class").done();
    assert!(told.contains("determines the effect of either on xray: all members agree"), "{told}");
}

#[test]
fn what_is_too_large_is_said_beforehand_and_can_be_estimated() {
    let folder = Folder::new();
    let found = folder.run("query asia lung --given dysp=yes --samples 20000 --seed 3 --json").json();
    let exact = folder.run("query asia lung --given dysp=yes --json").json();
    let error = found["sampling"]["standard_errors"]["lung"]["yes"].as_f64().unwrap();
    assert!(error > 0.0 && error < 0.01);
    near(
        &found["posteriors"]["lung"]["yes"],
        exact["posteriors"]["lung"]["yes"].as_f64().unwrap(),
        4.0 * error,
    );
    assert_eq!((&found["sampling"]["samples"], &found["sampling"]["seed"]), (&json!(20000), &json!(3)));
    let again =
        folder.run("query asia lung --given dysp=yes --samples 20000 --seed 3 --threads 1 --json").json();
    assert_eq!(found, again, "the number of threads changes nothing");
    let text = folder.run("query asia lung --given dysp=yes --samples 20000").done();
    assert!(
        text.contains("standard error") && text.contains("estimated from 20,000 samples (seed 0)"),
        "{text}"
    );
    // The joint table of all variables of munin1 is too large.
    let rows = folder.run("sample munin1 -n 1").done();
    let all = rows.lines().next().unwrap().replace(',', " ");
    folder.run(&format!("query munin1 {all}")).fails(
        1,
        &[
            "exact inference, with up to",
            "variables in a clique, would need",
            "the limit is 134,217,728",
            "--samples 100000",
        ],
    );
    let found = folder.run(&format!("query munin1 {all} --samples 1000 --json")).json();
    assert_eq!(found["sampling"]["standard_errors"].as_object().unwrap().len(), 186);
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let folder = Folder::new();
    folder.run("query asia lungs").fails(3, &["did you mean \"lung\""]);
    folder
        .run("query asia lung --given smoke=maybe")
        .fails(3, &["\"maybe\" is not a level of smoke", "\"yes\", \"no\""]);
    folder.run("query asia lung --given smoke").fails(2, &["--given smoke", "smoke=yes"]);
    assert!(!folder.run("query asia lung --given smoke=maybe").err.contains("--levels"));
    folder.run("query asia lung --given smoke=yes --given smoke=no").fails(2, &["--given", "smoke", "twice"]);
    folder.run("query asia lung --do smoke=yes --do smoke=no").fails(2, &["--do", "smoke", "twice"]);
    folder.run("query asia lung lung").fails(2, &["lung", "twice"]);
    folder
        .run("query asia lung --given tub=yes --given either=no --given smoke=no")
        .fails(3, &["rules this out: either = no, tub = yes", "probability is 0"]);
    folder.run("query asia lung --do tub=yes --do smoke=no --class").fails(2, &["one --do"]);
    assert_eq!(folder.run("query asia lung --class").code, Some(2));
    folder.write("g.csv", "from,to\na,b\n");
    folder.run("query g.csv a").fails(3, &["without probability tables", "ossature fit"]);
}

const ROWS: &str = "id,age,ill\n1,30,no\n2,35,no\n3,45,yes\n4,50,yes\n5,61,no\n6,66,yes\n";

/// A model whose ages are cut at 40 and 60, and the data it was fitted to.
fn model(folder: &Folder) {
    folder.write(
        "rows.csv",
        ROWS.lines().map(|l| format!("{}\n", l.split_once(',').unwrap().1)).collect::<String>(),
    );
    folder.write("g.csv", "from,to\nage,ill\n");
    folder.run("fit rows.csv g.csv --discretise age=cuts:40,60 --iss 6 -q -o model.json").done();
}

#[test]
fn rows_are_predicted_as_they_come() {
    let folder = Folder::new();
    model(&folder);
    folder.write("new.csv", ROWS.replace("6,66,yes", "6,,yes"));
    let found = folder.run("predict model.json new.csv --target ill");
    // By hand: six imaginary rows make one for each cell, and there are two rows for each interval.
    let (a, b, c) = ("0.75,0.25", "0.25,0.75", "0.5,0.5");
    let expected = format!("prediction,no,yes\nno,{a}\nno,{a}\nyes,{b}\nyes,{b}\nno,{c}\nno,{c}\n");
    assert_eq!(found.err.trim_end(), "6 rows with the truth: accuracy 0.8333, log loss 0.4228");
    assert_eq!(found.done(), expected);
    let report = folder.run("predict model.json new.csv --target ill --json -o p.tsv -q").json();
    assert_eq!(
        report.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["target", "rows", "accuracy", "log_loss", "ruled_out"]
    );
    near(&report["accuracy"], 5.0 / 6.0, 1e-12);
    near(&report["log_loss"], -(4.0 * 0.75_f64.ln() + 2.0 * 0.5_f64.ln()) / 6.0, 1e-12);
    assert_eq!(folder.read("p.tsv"), expected.replace(',', "\t"));
    folder.write("new.csv", "age\n30\n");
    let report = folder.run("predict model.json new.csv --target ill --json").json();
    assert_eq!((&report["accuracy"], &report["log_loss"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_level_that_the_network_does_not_know_is_an_error_or_missing() {
    let folder = Folder::new();
    folder.write("new.csv", "smoke,dysp,lung\nyes,yes,no\nseldom,yes,no\n");
    folder
        .run("predict asia new.csv --target lung")
        .fails(3, &["new.csv, line 3, column smoke: \"seldom\" is not a level of smoke", "--unseen missing"]);
    let found = folder.run("predict asia new.csv --target lung --unseen missing");
    assert!(found.err.contains("1 field with a level that the network does not know"), "{found:?}");
    let lines: Vec<String> = found.done().lines().map(str::to_owned).collect();
    let one = folder.run("query asia lung --given dysp=yes --json").json();
    let p: f64 = lines[2].split(',').nth(1).unwrap().parse().unwrap();
    near(&one["posteriors"]["lung"]["yes"], p, 1e-12);
}

#[test]
fn what_cannot_be_predicted_is_refused() {
    let folder = Folder::new();
    folder.write("new.csv", "tub,either\nyes,yes\nyes,no\n");
    folder.run("predict asia new.csv --target lun").fails(3, &["did you mean \"lung\""]);
    folder.run("predict asia none.csv --target lung").fails(3, &["none.csv"]);
    folder.run("predict asia new.csv --target lung -o p.bif").fails(2, &[".csv or .tsv"]);
    folder.write("other.csv", "a\n1\n");
    folder.run("predict asia other.csv --target lung").fails(3, &["none of the requested columns"]);
}

#[test]
fn a_model_file_is_a_network_everywhere() {
    let folder = Folder::new();
    model(&folder);
    let known = folder.run_words(&["query", "model.json", "ill", "--given", "age=[40,60)", "--json"]).json();
    near(&known["posteriors"]["ill"]["yes"], 0.75, 1e-12);
    let drawn = folder.run("sample model.json -n 3").done();
    assert!(drawn.starts_with("age,ill\n"), "{drawn}");
    let cut = folder.run("score rows.csv model.json --discretise age=cuts:40,60").done();
    assert_eq!(
        folder.run("score rows.csv model.json --levels model.json").done(),
        cut,
        "the model has the cuts"
    );
    folder.write("ill.csv", "ill\nno\nyes\n");
    folder.run("learn ill.csv --levels model.json -q").done();
    folder.run("compare model.json g.csv --json").json();
    folder.run("convert model.json net.bif").done();
    folder.run("convert model.json again.json").done();
    assert_eq!(folder.read("model.json"), folder.read("again.json"));
    folder.write("other.json", "{\"model\": \"other\"}");
    folder.run("query other.json a").fails(3, &["other.json: found the model \"other\"", "a model file"]);
    folder.write("graph.json", "{\"nodes\": [\"a\"], \"arcs\": []}");
    folder.run("query graph.json a").fails(3, &["without probability tables"]);
}

#[test]
fn learners_are_compared_by_rows_they_have_not_seen() {
    let folder = Folder::new();
    let words = "cross-validate asia --rows 400 --learners h2pc,hc --folds 4 --seed 3 --json -q";
    let found = folder.run(words).json();
    assert_eq!(
        found.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["folds", "rows", "target", "seed", "learners"]
    );
    assert_eq!((&found["folds"], &found["rows"], &found["target"]), (&json!(4), &json!(400), &Value::Null));
    assert_eq!(found["learners"][0]["name"], json!("h2pc"));
    let folds: Vec<f64> =
        found["learners"][1]["by_fold"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let mean = folds.iter().sum::<f64>() / 4.0;
    near(&found["learners"][1]["mean"], mean, 1e-12);
    near(
        &found["learners"][1]["sd"],
        (folds.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 3.0).sqrt(),
        1e-12,
    );
    assert_eq!(
        folder.run(&format!("{words} --threads 1")).json(),
        found,
        "the number of threads changes nothing"
    );
    // Nor does the order of the rows.
    folder.run("sample asia -n 400 --seed 3 -o a.csv -q").done();
    let text = folder.read("a.csv");
    let (header, rows) = text.split_once('\n').unwrap();
    let turned: Vec<&str> = rows.lines().rev().collect();
    folder.write("b.csv", format!("{header}\n{}\n", turned.join("\n")));
    let words = "--levels asia --learners h2pc,hc --folds 4 --seed 3 --json -q";
    assert_eq!(folder.run(&format!("cross-validate b.csv {words}")).json(), found);
    let other =
        folder.run("cross-validate a.csv --levels asia --learners hc --folds 4 --seed 4 --json -q").json();
    assert_ne!(other["learners"][0]["by_fold"], found["learners"][1]["by_fold"], "other folds");
    let text = folder.run("cross-validate a.csv --levels asia --learners hc --folds 4 --target lung").done();
    assert!(text.contains("minus the log loss of lung, held out") && text.contains("hc"), "{text}");
}

#[test]
fn two_rows_are_judged_as_by_hand() {
    let folder = Folder::new();
    folder.write("two.csv", "a\nx\ny\n");
    // One row has the other level, and two imaginary rows have one each: the probability is 1 of 3.
    let found = folder.run("cross-validate two.csv --learners hc --folds 2 --iss 2 --json").json();
    near(&found["learners"][0]["mean"], (1.0_f64 / 3.0).ln(), 1e-12);
    near(&found["learners"][0]["sd"], 0.0, 1e-12);
    // Each of four rows is predicted from the other three: an x from two of x and one of y, with one
    // imaginary row for each, (2 + 1) / (3 + 2); the y from three of x, (0 + 1) / (3 + 2).
    folder.write("four.csv", "a\nx\nx\ny\nx\n");
    for options in ["--json", "--target a --json"] {
        let found =
            folder.run(&format!("cross-validate four.csv --learners hc --folds 4 --iss 2 {options}")).json();
        let (x, y) = (0.6_f64.ln(), 0.2_f64.ln());
        let mean = (3.0 * x + y) / 4.0;
        near(&found["learners"][0]["mean"], mean, 1e-12);
        let sd = ((3.0 * (x - mean).powi(2) + (y - mean).powi(2)) / 3.0).sqrt();
        near(&found["learners"][0]["sd"], sd, 1e-12);
    }
}

#[test]
fn what_no_learner_uses_is_refused() {
    let folder = Folder::new();
    let run = |words: &str| folder.run(&format!("cross-validate asia --rows 200 --folds 2 -q {words}"));
    run("--learners h2pc,hc --alpha 0.01").done();
    run("--learners hc,tabu --tabu 5").done();
    run("--learners hc,tabu --alpha 0.01").fails(2, &["alpha is not used by", "h2pc"]);
    run("--learners hc --score bic --iss 3").done();
    run("--learners best,hc --iss 3").done();
    run("--learners best --iss 3").fails(2, &["iss is not used here"]);
    run("--learners h2pc,hc --alpha 2").fails(2, &["alpha"]);
    run("--learners hpc").fails(2, &["hpc learns a skeleton"]);
    run("--learners hc,hc").fails(2, &["hc", "twice"]);
    run("--learners hcc").fails(2, &["did you mean \"hc\""]);
    run("--learners hc --target lun").fails(3, &["did you mean \"lung\""]);
    folder
        .run("cross-validate asia --rows 5 --folds 6 --learners hc -q")
        .fails(2, &["folds is 6, and there are 5 rows"]);
}
