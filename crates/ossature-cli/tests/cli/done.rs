//! The commands when everything is in order.

use serde_json::{Value, json};

use crate::run::Folder;

/// The keys of an object, in the order in which they are printed.
fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn networks_is_table_1_of_the_paper() {
    let text = Folder::new().run("networks").done();
    let cells = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = text.lines().map(cells).collect();
    assert_eq!(rows.len(), 25, "a head and 24 networks");
    for expected in [
        "child 20 25 2/7 2-6 1/2/8",
        "insurance 27 52 3/7 2-5 1/3/9",
        "mildew 35 46 3/3 3-100 1/2/5",
        "alarm 37 46 4/5 2-4 1/2/6",
        "hailfinder 56 66 4/16 2-11 1/1.5/17",
        "munin1 186 273 3/15 2-21 1/3/15",
        "pigs 441 592 2/39 3-3 1/2/41",
        "link 724 1125 3/14 2-4 0/2/17",
    ] {
        let expected = cells(expected);
        assert!(rows.iter().any(|row| row[..6] == expected), "{expected:?} is not in\n{text}");
    }
    assert!(text.lines().all(|line| line == line.trim_end()));
}

#[test]
fn networks_as_json_has_the_keys_of_the_contract() {
    let networks = Folder::new().run("networks --json").json();
    let alarm = networks.as_array().unwrap().iter().find(|n| n["name"] == "alarm").unwrap();
    let expected = json!({
        "name": "alarm", "variables": 37, "edges": 46, "max_in": 4, "max_out": 5, "min_levels": 2,
        "max_levels": 4, "pc_min": 1, "pc_median": 2.0, "pc_max": 6, "parameters": 509
    });
    assert_eq!(alarm, &expected);
    assert_eq!(keys(alarm), keys(&expected));
}

#[test]
fn sample_writes_the_rows_it_was_asked_for() {
    let folder = Folder::new();
    let answer = folder.run("sample alarm -n 1000 --seed 1 -o a.csv");
    assert!(answer.err.contains("a.csv: 1,000 rows of alarm (seed 1)"), "{answer:?}");
    assert_eq!(answer.done(), "");
    let text = folder.read("a.csv");
    assert_eq!(text.lines().count(), 1001);
    assert!(text.lines().all(|line| line.split(',').count() == 37));
    assert_eq!(folder.run("sample alarm -n 1000 --seed 1").done(), text, "stdout has the same rows");
    assert_ne!(folder.run("sample alarm -n 1000").done(), text, "another seed, other rows");
    assert_eq!(folder.run("sample alarm -n 9").done(), folder.run("sample alarm -n 9 --seed 0").done());
}

#[test]
fn rows_do_not_depend_on_the_number_of_threads() {
    let folder = Folder::new();
    let sampled = |threads| folder.run(&format!("sample insurance -n 20000 --threads {threads}")).done();
    let one = sampled(1);
    assert!(one == sampled(2) && one == sampled(7));
}

#[test]
fn sample_says_what_it_did_in_json() {
    let folder = Folder::new();
    let done = folder.run("sample asia -n 10 --seed 3 -o a.csv -o b.tsv.gz --json --quiet").json();
    let expected = json!({
        "network": "asia", "rows": 10, "variables": 8, "seed": 3, "linear_gaussian": null,
        "output": ["a.csv", "b.tsv.gz"],
        "version": env!("CARGO_PKG_VERSION")
    });
    assert_eq!(done, expected);
    assert_eq!(folder.files(), ["a.csv", "b.tsv.gz"]);
}

#[test]
fn a_network_compared_with_itself_is_at_distance_0() {
    let same = Folder::new().run("compare alarm alarm --json").json();
    assert_eq!(keys(&same), ["shd", "skeleton", "precision", "recall", "f1", "arcs", "version"]);
    assert_eq!(keys(&same["arcs"]), ["same", "missing", "extra", "reversed", "undirected", "directed"]);
    assert_eq!(same["shd"], 0);
    assert_eq!(same["skeleton"], json!({"tp": 46, "fp": 0, "fn": 0}));
    assert_eq!(same["f1"], 1.0);
    assert_eq!(same["arcs"]["same"].as_array().unwrap().len(), 46);
}

/// The collider a -> c <- b with d below c, and a graph that differs from it.
#[test]
fn compare_names_every_edge_that_differs() {
    let folder = Folder::new();
    folder.write("truth.csv", "from,to\na,c\nb,c\nc,d\n");
    folder.write("found.csv", "from,to\na,c\nc,b\nb,e\n");
    let found = folder.run("compare truth.csv found.csv --json").json();
    assert_eq!(found["skeleton"], json!({"tp": 2, "fp": 1, "fn": 1}));
    assert_eq!(found["shd"], 4);
    assert_eq!(found["arcs"]["missing"], json!([["c", "d"]]));
    assert_eq!(found["arcs"]["extra"], json!([["b", "e"]]));
    assert_eq!(found["arcs"]["undirected"], json!([["a", "c"], ["b", "c"]]));
    let text = folder.run("compare truth.csv found.csv").done();
    for part in
        ["SHD                  4", "0.667  (2 of 3 edges of B are in A)", "only in A (1)        c - d"]
    {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

#[test]
fn fit_finds_the_tables_again() {
    let folder = Folder::new();
    folder.run("sample asia -n 5000 --seed 1 -o a.csv").done();
    let answer = folder.run("fit a.csv asia --levels asia -o fit.bif -o fit.svg");
    assert!(answer.err.contains("fit.bif"), "{answer:?}");
    answer.done();
    assert_eq!(folder.run("compare asia fit.bif --json").json()["shd"], 0);
    assert!(folder.read("fit.svg").contains("<svg"));
    folder.run("sample fit.bif -n 10").done();
    let text = folder.run("fit a.csv asia --levels asia").done();
    assert!(text.contains("parameters"), "{text}");
}

#[test]
fn fit_counts_the_configurations_that_never_occur() {
    let folder = Folder::new();
    folder.write("a.csv", "x,y,alone\n0,0,p\n0,1,p\n0,1,q\n");
    folder.write("levels.json", r#"{"x": ["0", "1"]}"#);
    folder.write("g.dot", "digraph { x -> y }");
    let done = folder.run("fit a.csv g.dot --levels levels.json --mle --json").json();
    assert_eq!(done["unseen_configurations"], 1, "nothing is known of y where x = 1");
    assert_eq!(done["prior"], "mle");
    assert_eq!(done["iss"], Value::Null);
    assert_eq!(done["isolated"], json!(["alone"]));
    assert_eq!(done["data"], json!({"rows": 3, "variables": 3, "dropped": 0}));
    let done = folder.run("fit a.csv g.dot --iss 2 --json").json();
    assert_eq!((&done["prior"], &done["iss"]), (&json!("bdeu"), &json!(2.0)));
    assert_eq!(done["unseen_configurations"], 0);
}

/// The prior of the tables is the one asked for, or the one that suits how the structure was found.
#[test]
fn tables_shrink_towards_those_of_fewer_parents() {
    let folder = Folder::new();
    folder.run("sample asia -n 300 --seed 4 -o a.csv").done();
    for learner in ["best", "h2pc"] {
        folder.run(&format!("learn a.csv --learner {learner} -o {learner}.json -o {learner}.bif -q")).done();
    }
    let fit = |words: &str| folder.run(&format!("fit a.csv {words} --json -q")).json();
    let prior = |words: &str| (fit(words)["prior"].clone(), fit(words)["iss"].clone());
    assert_eq!(prior("best.json"), (json!("backoff"), Value::Null));
    assert_eq!(prior("h2pc.json"), (json!("bdeu"), json!(10.0)));
    assert_eq!(prior("best.json --iss 3"), (json!("bdeu"), json!(3.0)));
    assert_eq!(prior("best.json --prior bdeu"), (json!("bdeu"), json!(10.0)));
    assert_eq!(prior("best.json --mle"), (json!("mle"), Value::Null));
    assert_eq!(prior("best.bif"), (json!("bdeu"), json!(10.0)), "a network does not say how it was found");
    fit("best.json -o fitted.bif");
    assert_eq!(folder.read("fitted.bif"), folder.read("best.bif"), "learn writes the same tables");
    fit("h2pc.json --prior backoff -o other.bif");
    assert_ne!(folder.read("other.bif"), folder.read("h2pc.bif"));
    let text = folder.run("fit a.csv best.json").done();
    assert!(text.contains("backoff, the tables of fewer parents"), "{text}");
    folder
        .run("fit a.csv h2pc.json --prior backoff --iss 3")
        .fails(2, &["--iss is the weight of the prior bdeu", "--prior bdeu"]);
    folder.run("fit a.csv h2pc.json --prior backof").fails(2, &["backoff"]);
    folder.run("fit a.csv h2pc.json --prior bdeu --mle").fails(2, &["--mle"]);
    folder
        .run("learn a.csv --learner best --iss 3 -o x.bif")
        .fails(2, &["iss is not used here", "bdeu or bds"]);
}

#[test]
fn every_shell_has_a_completion_script() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = Folder::new().run(&format!("completions {shell}")).done();
        assert!(script.contains("ossature") && script.contains("networks"), "{shell}");
    }
}

#[test]
fn help_knows_the_exit_codes_and_the_commands() {
    let help = Folder::new().run("--help").done();
    for part in [
        "learn",
        "neighbours",
        "test",
        "score",
        "sample",
        "networks",
        "convert",
        "compare",
        "fit",
        "study",
        "completions",
        "130",
    ] {
        assert!(help.contains(part), "{part:?} is not in\n{help}");
    }
}

#[test]
fn every_command_says_what_it_is_about() {
    let help = Folder::new().run("--help").done();
    let commands = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let mut abouts: Vec<&str> =
        commands.lines().map(|line| line.trim().split_once("  ").unwrap().1.trim()).collect();
    assert!(abouts.contains(&"Learn the structure of a network from data"), "{commands}");
    let number = abouts.len();
    abouts.sort_unstable();
    abouts.dedup();
    assert_eq!(abouts.len(), number, "two commands have the same description in\n{commands}");
}

#[test]
fn quiet_and_verbose_change_what_is_said_and_nothing_else() {
    let folder = Folder::new();
    let plain = folder.run("sample asia -n 3");
    let verbose = folder.run("sample asia -n 3 -v");
    assert_eq!(plain.out, verbose.out);
    assert_eq!(plain.err, "");
    assert!(verbose.err.contains("asia: a network of 8 variables, 8 arcs and 18 parameters"), "{verbose:?}");
    assert_eq!(folder.run("-q sample asia -n 3 -o a.csv").err, "");
}

#[test]
fn words_that_are_not_understood_are_usage_errors() {
    let folder = Folder::new();
    for words in [
        "frobnicate",
        "sample alarm",
        "sample alarm -n 0",
        "sample alarm -n -5",
        "sample alarm -n 5 --json",
        "sample alarm -n 5 --threads 0",
        "sample alarm -n 5 --time-limit soon",
        "sample alarm -n 5 -q -v",
        "fit a.csv alarm --iss 0",
        "fit a.csv alarm --iss 5 --mle",
        "fit a.csv alarm --missing guess",
        "fit a.csv alarm --discretise x=thirds",
        "test a.csv x",
        "test a.csv x y --alpha 2",
        "test a.csv x y --test magic",
        "completions csh",
    ] {
        let answer = folder.run(words);
        answer.fails(2, &[]);
    }
    let answer = folder.run_words(&[]);
    assert_eq!((answer.code, answer.out.as_str()), (Some(2), ""), "nothing typed: the help, on stderr");
    assert!(answer.err.contains("Usage:"));
}

/// Two columns that always agree, and one that is unrelated.
#[test]
fn a_test_says_whether_two_columns_are_independent() {
    let folder = Folder::new();
    let rows: String = (0..400).map(|i| format!("{0},{0},{1}\n", i % 2, i / 2 % 2)).collect();
    folder.write("a.csv", format!("x,same,other\n{rows}"));
    let dependent = folder.run("test a.csv x same --json").json();
    let contract = ["statistic", "df", "p", "ln_p", "has_power", "independent"];
    assert_eq!(keys(&dependent)[..6], contract);
    assert_eq!((&dependent["independent"], &dependent["df"]), (&json!(false), &json!(1.0)));
    let expected = 2.0 * 400.0 * 2f64.ln();
    assert!((dependent["statistic"].as_f64().unwrap() - expected).abs() < 1e-9);
    let independent = folder.run("test a.csv x other same --json").json();
    assert_eq!(independent["independent"], true);
    assert_eq!(independent["p"], 1.0);
    let text = folder.run("test a.csv x other").done();
    assert!(text.contains("x and other") && text.contains("independent (alpha 0.05)"), "{text}");
    for name in ["mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi", "sp-mi"] {
        let answer = folder.run(&format!("test a.csv x same --test {name} --json")).json();
        assert_eq!((&answer["independent"], &answer["test"]), (&json!(false), &json!(name)));
    }
}

#[test]
fn a_test_without_enough_rows_says_so() {
    let folder = Folder::new();
    folder.write("a.csv", "x,y\n0,0\n1,1\n");
    let answer = folder.run("test a.csv x y --json").json();
    assert_eq!((&answer["has_power"], &answer["independent"]), (&json!(false), &json!(true)));
    assert!(folder.run("test a.csv x y").done().contains("too few rows"));
    assert_eq!(folder.run("test a.csv x y --power-rule 0 --json").json()["has_power"], true);
}
