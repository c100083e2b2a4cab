//! Which columns are read and how, and that a result records it.

use crate::run::Folder;

/// An identifier, a measured column and two columns that depend on each other.
fn table(folder: &Folder) {
    let rows: String = (0..600)
        .map(|i: u32| {
            let a = i.wrapping_mul(2_654_435_761) >> 30 & 1;
            format!("{},{}.5,{a},{}\n", 10_000 + i, i * 7 % 601, if i.is_multiple_of(10) { 1 - a } else { a })
        })
        .collect();
    folder.write("t.csv", format!("id,x,a,b\n{rows}"));
}

#[test]
fn an_identifier_is_left_out_and_a_measured_column_is_cut() {
    let folder = Folder::new();
    table(&folder);
    let refused = folder.run("learn t.csv --drop x");
    refused.fails(
        3,
        &["t.csv: column \"id\"", "looks like an identifier: leave it out", "--drop id leaves it out"],
    );
    folder
        .run("learn t.csv --drop id")
        .fails(3, &["\"x\"", "--discretise x=quantile:5", "with * as the column"]);
    let nodes = |words: &str| folder.run(words).json()["nodes"].to_string();
    assert_eq!(nodes("learn t.csv --drop id,x --json -q"), "[\"a\",\"b\"]");
    assert_eq!(nodes("learn t.csv --drop id --drop x --json -q"), "[\"a\",\"b\"]");
    assert_eq!(nodes("learn t.csv --columns b,a --json -q"), "[\"a\",\"b\"]");
    assert_eq!(nodes("learn asia --columns smoke,lung --json -q"), "[\"lung\",\"smoke\"]");
    let every = folder.run("learn t.csv --drop id --discretise *=quantile:5 --json -q").json();
    assert_eq!(every["nodes"].to_string(), "[\"a\",\"b\",\"x\"]", "a and b have fewer values than that");
    folder.run("learn t.csv --columns a,c").fails(3, &["t.csv", "there is no column \"c\""]);
    folder.run("learn t.csv --columns a,b,a").fails(2, &["--columns names a twice"]);
    folder
        .run("learn t.csv --discretise x=width:2 --discretise x=width:3")
        .fails(2, &["--discretise names x twice"]);
    assert_eq!(folder.run("learn t.csv --columns a --drop b").code, Some(2));
}

#[test]
fn every_command_that_reads_a_table_takes_the_choice() {
    let folder = Folder::new();
    table(&folder);
    folder.write("g.dot", "digraph { a -> b }");
    for words in [
        "learn t.csv --columns a,b -q",
        "why t.csv a b --drop id,x -q",
        "neighbours t.csv --target a --drop id,x -q",
        "cross-validate t.csv --folds 2 --drop id,x -q",
        "test t.csv a b --columns a,b",
        "score t.csv g.dot --columns a,b",
        "fit t.csv g.dot --columns a,b -q -o net.bif",
        "predict net.bif t.csv --target b --drop id,x",
        "predict net.bif t.csv --target b --drop a",
    ] {
        folder.run(words).done();
    }
    let with = folder.run("predict net.bif t.csv --target b -q").done();
    assert_ne!(
        with,
        folder.run("predict net.bif t.csv --target b --drop a -q").done(),
        "a is not known then"
    );
}

#[test]
fn a_result_runs_again_from_itself() {
    let folder = Folder::new();
    table(&folder);
    let first = folder.run("learn t.csv --drop id --discretise x=quantile:3 --alpha 0.01 -q --json").json();
    let read = &first["read"];
    assert_eq!(
        (read["drop"][0].as_str(), read["discretise"][0].as_str()),
        (Some("id"), Some("x=quantile:3"))
    );
    assert_eq!(read["missing"], "error");
    folder.write("first.json", first.to_string());
    let again = folder.run("learn t.csv --settings first.json -q --json").json();
    for key in ["nodes", "arcs", "data", "settings", "read"] {
        assert_eq!(first[key], again[key], "{key}");
    }
    let other = folder.run("learn t.csv --settings first.json --drop id,x -q --json").json();
    assert_eq!(other["nodes"].to_string(), "[\"a\",\"b\"]", "what is typed wins");
    let drawn = folder.run("learn asia --rows 300 --seed 5 --drop xray -q --json").json();
    assert_eq!(drawn["read"]["rows"], 300);
    folder.write("drawn.json", drawn.to_string());
    assert_eq!(folder.run("learn asia --settings drawn.json -q --json").json()["data"], drawn["data"]);
    folder.write("bad.json", first.to_string().replace("\"x=quantile:3\"", "\"x\""));
    folder.run("learn t.csv --settings bad.json").fails(3, &["bad.json", "\"discretise\" in \"read\""]);
}

#[test]
fn a_name_cannot_steer_the_terminal() {
    let folder = Folder::new();
    folder.write("t.csv", "a\u{1b}[31m,b\u{202e},\"c\nd\"\n0,1,0\n1,0,0\n0,0,1\n1,1,1\n");
    folder.write("g.dot", "digraph { \"a\u{1b}[31m\" -> \"b\u{202e}\" }");
    folder.write("h.dot", "digraph { x -> \"y\u{7}\" }");
    for words in [
        "learn t.csv --learner hc -v",
        "neighbours t.csv --target b\u{202e}",
        "score t.csv g.dot --by-node",
        "fit t.csv g.dot",
        "compare g.dot h.dot",
        "learn t.csv --truth h.dot",
        "query asia nothing\u{1b}[0m",
        "learn no\u{1b}[2Jfile.csv",
    ] {
        let answer = folder.run(words);
        for text in [&answer.out, &answer.err] {
            let harmful = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
            assert!(!text.contains(harmful), "{words}: {text:?}");
        }
    }
    assert!(folder.run("score t.csv g.dot --by-node").done().contains("a\\u{1b}[31m"));
    let rows = folder.run("predict asia - --target lung --json");
    assert_ne!(rows.code, Some(0), "nothing on stdin");
}

#[test]
fn graphs_that_have_nothing_in_common_are_compared_with_a_warning() {
    let folder = Folder::new();
    let answer = folder.run("compare asia cancer");
    assert!(answer.err.contains("asia and cancer have no node in common"), "{answer:?}");
    answer.done();
    assert_eq!(folder.run("compare asia asia").err, "");
    folder.write("empty.json", "{\"nodes\": [], \"arcs\": []}");
    assert!(!folder.run("compare asia empty.json").err.contains("in common"));
    folder.write("cycle.dot", "digraph { a -> b; b -> c; c -> a; c -> d }");
    folder.write("t.csv", "a,b\n0,1\n1,0\n");
    folder.run("compare cycle.dot asia").fails(3, &["cycle.dot: the arcs form a cycle", "a -> b -> c"]);
    folder.run("learn t.csv --truth cycle.dot").fails(3, &["cycle.dot: the arcs form a cycle"]);
    folder.run("compare asia cycle.dot").done();
    folder.write("u.csv", "a,b,c,d\n0,1,0,1\n1,0,0,1\n");
    folder.run("fit u.csv cycle.dot").fails(3, &["cycle.dot: the arcs form a cycle"]);
    folder.run("score u.csv cycle.dot").fails(3, &["cycle.dot: the arcs form a cycle"]);
}

/// 2^130 configurations.
#[test]
fn a_hundred_and_thirty_parents_are_scored() {
    let folder = Folder::new();
    let names: Vec<String> = (0..131).map(|i| format!("v{i:03}")).collect();
    let row = |r: u32| {
        let cell = |i: u32| ((r * 131 + i).wrapping_mul(2_654_435_761) >> 31).to_string();
        (0..131).map(cell).collect::<Vec<_>>().join(",") + "\n"
    };
    folder.write("t.csv", names.join(",") + "\n" + &(0..50).map(row).collect::<String>());
    let arcs: String = names[1..].iter().map(|name| format!("{name},v000\n")).collect();
    folder.write("g.csv", format!("from,to\n{arcs}"));
    let of = |score: &str| {
        let found = folder.run(&format!("score t.csv g.csv --by-node --json --score {score}")).json();
        found["by_node"]["v000"].as_f64().unwrap()
    };
    // Half of ln 50 for each of 2^130 parameters, and 1 for each.
    assert!((of("bic") / -(0.5 * 50f64.ln() * 2f64.powi(130)) - 1.0).abs() < 1e-9, "{}", of("bic"));
    assert!((of("aic") / -(2f64.powi(130)) - 1.0).abs() < 1e-9);
    assert!((of("bdeu") - 50.0 * 0.5f64.ln()).abs() < 1e-6, "{}", of("bdeu"));
}

#[test]
fn help_versions_and_manuals() {
    let folder = Folder::new();
    assert_eq!(folder.run("help learn").done(), folder.run("learn --help").done());
    assert!(folder.run("help").done().contains("Examples:"));
    let version = folder.run("--version").done();
    assert!(version.starts_with(&format!("ossature {}", env!("CARGO_PKG_VERSION"))), "{version}");
    std::fs::create_dir(folder.path("man")).unwrap();
    folder.run("man man -q").done();
    for page in ["ossature.1", "ossature-learn.1", "ossature-study-merge.1"] {
        assert!(folder.read(&format!("man/{page}")).contains(".SH OPTIONS"), "{page}");
    }
    assert!(folder.read("man/ossature-learn.1").contains("alpha"), "options of the catalogue too");
    folder.run("man nowhere").fails(1, &["nowhere", "there is no directory"]);
}

#[test]
fn rows_count_as_often_as_their_weight_says() {
    let folder = Folder::new();
    let (mut weighted, mut written) = ("n,rain,wet\n".to_owned(), "rain,wet\n".to_owned());
    for (rain, wet, n) in [("yes", "yes", 30), ("yes", "no", 3), ("no", "no", 60), ("no", "yes", 0)] {
        weighted += &format!("{n},{rain},{wet}\n");
        written += &format!("{rain},{wet}\n").repeat(n);
    }
    folder.write("weighted.csv", weighted);
    folder.write("written.csv", written);
    let learned = |words: &str| {
        let result = folder.run(&format!("learn {words} --learner hc -q --json")).json();
        ["arcs", "score", "cpdag"]
            .map(|key| result[key].clone())
            .into_iter()
            .chain([result["data"]["rows"].clone()])
    };
    let found: Vec<_> = learned("weighted.csv --weights n").collect();
    assert_eq!(found, learned("written.csv").collect::<Vec<_>>());
    assert_eq!(found[3], 93);
    folder.run("learn weighted.csv --weights m -q").fails(3, &["there is no column \"m\""]);
    folder.run("learn weighted.csv --weights rain -q").fails(3, &["column rain", "number"]);
    folder.run("learn asia --weights n -q").fails(2, &["--weights", "are for files"]);
}
