//! What is learned, in which formats, and that it is always the same.

use std::fs;

use serde_json::{Value, json};

use crate::run::Folder;

const LEARNERS: [&str; 6] = ["h2pc", "mmhc", "hc", "tabu", "hpc", "mmpc"];

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The parts of a report that must not depend on how it was made.
fn found(report: &Value) -> Value {
    let parts = ["arcs", "cpdag", "skeleton", "score", "truth", "bootstrap"];
    let mut found: Vec<Value> = parts.iter().map(|part| report[part].clone()).collect();
    found.push(report["tests"]["asked"].clone());
    found.push(report["tests"]["by_order"].clone());
    found.into()
}

/// A table with its columns reversed and its rows in another order.
fn shuffled(csv: &str, rows: bool, columns: bool) -> String {
    let mut lines: Vec<String> = csv.lines().map(str::to_owned).collect();
    if rows {
        let body = lines.split_off(1);
        let n = body.len();
        // Every seventh row, from each of the first seven.
        lines.extend((0..7).flat_map(|first| (first..n).step_by(7)).map(|i| body[i].clone()));
    }
    if columns {
        for line in &mut lines {
            *line = line.split(',').rev().collect::<Vec<_>>().join(",");
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn one_command_learns_a_network_again() {
    let answer = Folder::new().run("learn alarm");
    assert!(answer.err.contains("drew 5,000 rows from alarm (seed 0)"), "{answer:?}");
    let text = answer.done();
    for part in ["5,000 rows of 37 variables", "h2pc: ", "arcs, ", "score", "asked", "SHD", "strongest arcs"]
    {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

#[test]
fn the_report_has_the_keys_of_the_contract() {
    let folder = Folder::new();
    let report = folder.run("learn asia --rows 1000 --seed 3 --json").json();
    let fixed = [
        "learner",
        "result",
        "complete",
        "nodes",
        "arcs",
        "cpdag",
        "skeleton",
        "score",
        "losses",
        "optimal",
        "bound",
        "alternatives",
        "strengths",
        "separations",
        "concerns",
        "tests",
        "seconds",
        "settings",
        "data",
        "read",
        "version",
        "truth",
    ];
    assert_eq!(keys(&report), fixed);
    assert_eq!(keys(&report["cpdag"]), ["directed", "undirected"]);
    assert_eq!(keys(&report["score"]), ["name", "iss", "total"]);
    assert_eq!(keys(&report["tests"]), ["asked", "computed", "without_power", "by_order"]);
    assert_eq!(keys(&report["seconds"]), ["restrict", "maximise", "total"]);
    assert_eq!(keys(&report["data"]), ["rows", "variables", "continuous", "missing", "sha256"]);
    assert_eq!(keys(&report["truth"]), ["shd", "skeleton", "precision", "recall"]);
    assert_eq!(keys(&report["truth"]["skeleton"]), ["tp", "fp", "fn"]);
    assert_eq!((&report["learner"], &report["complete"]), (&json!("h2pc"), &json!(true)));
    assert_eq!(report["nodes"].as_array().unwrap().len(), 8);
    assert_eq!(report["arcs"][0].as_array().unwrap().len(), 2);
    assert_eq!(keys(&report["losses"][0]), ["from", "to", "without", "turned"]);
    assert_eq!(report["losses"].as_array().unwrap().len(), report["arcs"].as_array().unwrap().len());
    assert_eq!(report["separations"][0].as_array().unwrap().len(), 7);
    assert_eq!((&report["result"], &report["concerns"]), (&json!("dag"), &json!([])));
    assert_eq!((&report["data"]["rows"], &report["settings"]["seed"]), (&json!(1000), &json!(3)));

    folder.run("sample asia -n 300 -o a.csv").done();
    let free = folder.run("learn a.csv --learner tabu --score bic --json").json();
    assert_eq!(keys(&free), fixed);
    assert_eq!(
        (&free["skeleton"], &free["truth"], &free["score"]["iss"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    let bare = folder.run("learn a.csv --learner mmpc --truth asia --json").json();
    assert_eq!(keys(&bare), fixed);
    assert_eq!((&bare["arcs"], &bare["cpdag"], &bare["score"]), (&Value::Null, &Value::Null, &Value::Null));
    assert_eq!((&bare["result"], &bare["losses"]), (&json!("skeleton"), &Value::Null));
    assert_eq!(bare["truth"]["shd"], Value::Null, "a skeleton has no class to be at a distance from");
    assert!(bare["truth"]["skeleton"]["tp"].as_u64().unwrap() >= 4);
}

#[test]
fn every_option_is_accepted() {
    let folder = Folder::new();
    folder.run("sample asia -n 300 --seed 1 -o a.csv").done();
    folder.write("white.csv", "from,to\nsmoke,lung\n");
    folder.write("black.csv", "from,to\nasia,smoke\n");
    folder.write("tiers.csv", "variable,tier\nsmoke,1\ndysp,2\n");
    let report = folder
        .run(
            "learn a.csv --restrict hpc --maximise tabu --preset bnlearn --truth asia --test x2 --alpha 0.01 \
             --power-rule 3 --underpowered skip --max-conditioning 2 --pair-memory 1 --symmetry or --weak-learner inter-iapc --phase-one-fdr yes \
             --score bde --iss 5 --arc-price 0.5 --levels-of data --tabu 50 --patience 7 --tie-orders 3 --start asia --restarts 2 \
             --max-parents 3 --whitelist white.csv --blacklist black.csv --tiers tiers.csv --levels asia \
             --missing drop --seed 4 --threads 2 --json --progress never --time-limit 5m"
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .as_str(),
        )
        .json();
    let s = &report["settings"];
    let expected = json!({
        "learner": "h2pc", "restrict": "hpc", "maximise": "tabu", "weak_learner": "inter-iapc", "test": "x2",
        "alpha": 0.01, "power_rule": 3, "underpowered": "skip", "max_conditioning": 2, "symmetry": "or", "score": "bdeu",
        "pair_memory": 1, "phase_one_fdr": "yes", "iss": 5.0, "arc_price": 0.5, "levels_of": "data", "tabu": 50, "patience": 7, "tie_orders": 3, "restarts": 2, "max_parents": 3,
        "bootstrap": null, "seed": 4, "whitelist": [["smoke", "lung"]], "blacklist": [["asia", "smoke"]],
        "tiers": [["smoke", 1], ["dysp", 2]], "start": s["start"]
    });
    assert_eq!(s, &expected);
    assert_eq!(s["start"].as_array().unwrap().len(), 8);
    assert_eq!(report["learner"], "h2pc");
    assert_eq!(folder.run("learn a.csv --restrict mmpc --maximise hc --json").json()["learner"], "mmpc+hc");
    for test in ["mi", "mi-adf", "x2-adf", "mi-sh", "sp-mi"] {
        folder.run(&format!("learn a.csv --learner hpc --test {test} --quiet")).done();
    }
    for score in ["bic", "aic", "loglik", "k2", "bds", "bdj"] {
        folder.run(&format!("learn a.csv --score {score} --quiet")).done();
    }
}

#[test]
fn presets_and_halves_name_the_same_learners() {
    let folder = Folder::new();
    folder.run("sample asia -n 300 --seed 1 -o a.csv").done();
    let learned = |words: &str| folder.run(&format!("learn a.csv --json {words}")).json();
    let (named, halves) = (learned("--learner mmhc"), learned("--restrict mmpc --maximise tabu"));
    assert_eq!((found(&named), &named["settings"]), (found(&halves), &halves["settings"]));
    let bnlearn = learned("--preset bnlearn");
    assert_eq!(bnlearn["settings"]["weak_learner"], "fdr-iapc");
    assert_eq!(bnlearn["settings"]["maximise"], "hc");
    assert_eq!(learned("--preset bnlearn --learner tabu")["settings"]["maximise"], "tabu");
    folder.run("learn a.csv --learner hpc --maximise hc").fails(2, &["--learner", "--maximise"]);
}

#[test]
fn the_answer_is_the_same_for_any_threads_rows_and_columns() {
    let folder = Folder::new();
    folder.run("sample alarm -n 400 --seed 1 -o a.csv").done();
    let csv = folder.read("a.csv");
    folder.write("rows.csv", shuffled(&csv, true, false));
    folder.write("columns.csv", shuffled(&csv, false, true));
    folder.write("both.csv", shuffled(&csv, true, true));
    assert_ne!(folder.read("rows.csv"), csv);
    for learner in LEARNERS {
        let learned = |words: &str| {
            found(
                &folder
                    .run(&format!("learn {words} --learner {learner} --truth alarm --json --quiet"))
                    .json(),
            )
        };
        let expected = learned("a.csv --threads 1");
        for words in ["a.csv --threads 2", "a.csv --threads 7", "rows.csv", "columns.csv", "both.csv"] {
            assert_eq!(learned(words), expected, "{learner}, {words}");
        }
    }
}

#[test]
fn an_earlier_result_has_all_it_takes_to_run_again() {
    let folder = Folder::new();
    folder.run("sample asia -n 400 --seed 1 -o a.csv").done();
    folder.write("white.csv", "from,to\nsmoke,dysp\n");
    folder.write("black.csv", "from,to\nbronc,dysp\ndysp,bronc\n");
    folder.write("tiers.csv", "variable,tier\nxray,9\neither,2\n");
    folder.write("start.csv", "from,to\ntub,xray\n");
    let words = "learn a.csv --learner mmhc --alpha 0.1 --score k2 --tie-orders 4 --restarts 1 --seed 9 \
                 --start start.csv --whitelist white.csv --blacklist black.csv --tiers tiers.csv -o l.json -q"
        .split_whitespace()
        .collect::<Vec<_>>();
    folder.run_words(&words).done();
    for file in ["white.csv", "black.csv", "tiers.csv", "start.csv"] {
        fs::remove_file(folder.path(file)).unwrap();
    }
    let first: Value = serde_json::from_str(&folder.read("l.json")).unwrap();
    let again = folder.run("learn a.csv --settings l.json --json").json();
    assert_eq!((found(&again), &again["settings"]), (found(&first), &first["settings"]));
    let other = folder.run("learn a.csv --settings l.json --restarts 2 --learner hc --seed 2 --json").json();
    let s = &other["settings"];
    assert_eq!(
        (&s["restarts"], &s["restrict"], &s["maximise"], &s["seed"]),
        (&json!(2), &Value::Null, &json!("hc"), &json!(2))
    );
    // Settings that hc does not use are left out if they come from the file, and refused if they are typed.
    assert_eq!(s["alpha"], Value::Null);
    let typed = folder.run("learn a.csv --settings l.json --alpha 0.02 --learner hc");
    typed.fails(2, &["alpha is not used by hc", "h2pc"]);
    assert_eq!((&s["score"], &s["whitelist"]), (&json!("k2"), &json!([["smoke", "dysp"]])));
    // The rows of an embedded network are drawn with the seed of the settings.
    let first = folder.run("learn asia --rows 200 --seed 5 --json").done();
    folder.write("drawn.json", &first);
    let again = folder.run("learn asia --rows 200 --settings drawn.json --json").json();
    assert_eq!(found(&again), found(&serde_json::from_str(&first).unwrap()));
    folder.write("drawn.json", first.replace("\"alpha\"", "\"alhpa\""));
    folder
        .run("learn asia --settings drawn.json")
        .fails(3, &["drawn.json: there is no setting \"alhpa\"", "did you mean \"alpha\""]);
}

#[test]
fn what_is_learned_is_written_in_every_format() {
    let folder = Folder::new();
    folder.run("sample asia -n 2000 --seed 1 -o a.csv").done();
    let formats = ["bif", "dot", "graphml", "json", "csv", "bif.gz", "svg"];
    let outputs: String = formats.iter().map(|format| format!(" -o l.{format}")).collect();
    let answer = folder.run(&format!("learn a.csv --levels asia{outputs}"));
    for part in ["wrote l.bif", "wrote l.svg", "strongest arcs"] {
        assert!(answer.err.contains(part), "{part:?} is not in {answer:?}");
    }
    assert_eq!(answer.done(), "", "with -o the summary is a message");
    let report: Value = serde_json::from_str(&folder.read("l.json")).unwrap();
    for format in &formats[..6] {
        let same = folder.run(&format!("compare l.json l.{format} --json")).json();
        assert_eq!(same["shd"], 0, "{format}");
        assert_eq!(same["arcs"]["same"].as_array().unwrap().len(), report["arcs"].as_array().unwrap().len());
    }
    // The tables are those that `fit` gives.
    folder.run("fit a.csv l.dot --levels asia -o fit.bif").done();
    assert_eq!(folder.read("fit.bif"), folder.read("l.bif"));
    // A picture of the class: undirected edges are drawn differently from arcs.
    let class = &report["cpdag"];
    let pairs = |key: &str| class[key].as_array().unwrap().clone();
    assert!(!pairs("directed").is_empty() && !pairs("undirected").is_empty(), "{class}");
    folder.write(
        "class.json",
        json!({"nodes": report["nodes"], "arcs": class["directed"], "undirected": class["undirected"]})
            .to_string(),
    );
    folder.run("convert class.json class.svg").done();
    assert_eq!(folder.read("class.svg"), folder.read("l.svg"));
    folder.run("convert l.csv dag.svg").done();
    assert_ne!(folder.read("dag.svg"), folder.read("l.svg"));
}

#[test]
fn a_skeleton_is_written_without_directions() {
    let folder = Folder::new();
    let formats = ["dot", "graphml", "json", "csv", "svg"];
    let outputs: String = formats.iter().map(|format| format!(" -o s.{format}")).collect();
    folder.run(&format!("learn asia --learner hpc --rows 2000{outputs}")).done();
    for format in &formats[..4] {
        let converted = folder.run(&format!("convert s.{format} back.{format} --json")).json();
        assert_eq!(converted["directed"], 0, "{format}");
        assert!(converted["undirected"].as_u64().unwrap() >= 5, "{format}");
        assert_eq!(folder.run(&format!("compare s.csv s.{format} --json")).json()["shd"], 0);
    }
    let answer = folder.run("learn nothing.csv --learner mmpc -o s.dot -o s.bif");
    answer.fails(2, &["cannot write s.bif", "mmpc learns a skeleton", "h2pc"]);
}

#[test]
fn a_bootstrap_says_how_sure_each_arc_is() {
    let folder = Folder::new();
    folder.run("sample asia -n 500 --seed 1 -o a.csv").done();
    folder.write("both.csv", shuffled(&folder.read("a.csv"), true, true));
    let learned = |words: &str| folder.run(&format!("learn {words} --bootstrap 12 --json --quiet")).json();
    let report = learned("a.csv --threads 1");
    let sure = &report["bootstrap"];
    assert_eq!(keys(sure), ["samples", "threshold", "arcs"]);
    assert_eq!(keys(&sure["arcs"][0]), ["from", "to", "strength", "direction"]);
    let number = |value: &Value| value.as_f64().unwrap();
    let strengths: Vec<f64> =
        sure["arcs"].as_array().unwrap().iter().map(|arc| number(&arc["strength"])).collect();
    assert!(strengths.is_sorted_by(|a, b| a >= b) && strengths.iter().all(|s| (0.0..=1.0).contains(s)));
    assert!(sure["arcs"].as_array().unwrap().iter().all(|arc| number(&arc["direction"]) >= 0.5));
    let above = strengths.iter().filter(|s| **s > number(&sure["threshold"])).count();
    assert!(report["arcs"].as_array().unwrap().len() <= above && above > 0);
    for words in ["a.csv --threads 7", "both.csv"] {
        assert_eq!(found(&learned(words)), found(&report), "{words}");
    }
    assert_ne!(learned("a.csv --seed 1")["bootstrap"], report["bootstrap"]);
    // The averaged network is written, and the settings reproduce it.
    folder.run("learn a.csv --bootstrap 12 -o l.json -o l.csv").done();
    assert_eq!(folder.run("compare l.json l.csv --json").json()["shd"], 0);
    assert_eq!(found(&folder.run("learn a.csv --settings l.json --json").json()), found(&report));
    let text = folder.run("learn a.csv --bootstrap 12").done();
    assert!(
        text.contains("How certain the arcs are, from 12 samples") && text.contains("direction"),
        "{text}"
    );
    let edges = folder.run("learn a.csv --learner hpc --bootstrap 3 --json").json();
    assert_eq!((&edges["result"], &edges["bootstrap"]["samples"]), (&json!("skeleton"), &json!(3)));
    assert_eq!(edges["strengths"], edges["bootstrap"]["arcs"]);
}

#[test]
fn rows_are_drawn_from_an_embedded_network() {
    let folder = Folder::new();
    assert_eq!(folder.run("learn asia --rows 70 --json").json()["data"]["rows"], 70);
    folder.write("asia", "x,y\n0,0\n1,1\n0,0\n");
    let report = folder.run("learn ./asia --json").json();
    assert_eq!((&report["data"]["rows"], &report["truth"]), (&json!(3), &Value::Null));
    folder.run("learn ./asia --rows 9").fails(2, &["--rows", "asia"]);
    folder
        .run("learn alarm --discretise *=quantile:3")
        .fails(2, &["alarm is an embedded network", "--discretise"]);
    folder.run("learn alram").fails(3, &["neither a file nor an embedded network", "did you mean alarm?"]);
    assert_eq!(folder.run("test cancer Smoker Cancer --rows 800 --json").json()["rows"], 800);
}

#[test]
fn the_most_accurate_learner_and_its_settings() {
    let folder = Folder::new();
    folder.run("sample asia -n 500 --seed 1 -o a.csv").done();
    let best = folder.run("learn a.csv --learner best --truth asia --json").json();
    assert_eq!(
        (&best["result"], &best["score"]["name"], &best["score"]["iss"]),
        (&json!("cpdag"), &json!("bdh"), &Value::Null)
    );
    assert_eq!((&best["settings"]["near"], &best["settings"]["window"]), (&json!(10.0), &json!(2)));
    assert_eq!(keys(&best["strengths"][0]), ["from", "to", "strength", "direction"]);
    assert_eq!(best["bootstrap"], Value::Null);
    let quick = folder.run("learn a.csv --learner best-quick --json").json();
    let settings = ["score", "iss", "arc_price", "levels_of"].map(|key| &quick["settings"][key]);
    assert_eq!(settings, [&json!("bds"), &json!(10.0), &json!(2.0), &json!("data")]);
    // The total of a report equals that of `score`.
    folder.write("best.json", best.to_string());
    let scored = folder.run("score a.csv best.json --score bdh --json").json();
    assert_eq!(scored["total"], best["score"]["total"]);
    folder.write("quick.json", quick.to_string());
    let scored =
        folder.run("score a.csv quick.json --score bds --arc-price 2 --levels-of data --json").json();
    assert_eq!(scored["total"], quick["score"]["total"]);
    // bdh has its own price, and `near` applies only to bdh.
    for refused in [
        "learn a.csv --learner best --arc-price 1",
        "learn a.csv --learner best-quick --near 5",
        "learn a.csv --learner tabu --near 5",
        "score a.csv best.json --score bdh --arc-price 1",
        "score a.csv best.json --arc-price -1",
    ] {
        folder.run(refused).fails(2, &[]);
    }
}
