//! Data and constraints from which little or nothing can be learned.

use serde_json::json;

use crate::learn_limits::wide_table;
use crate::run::Folder;

const LEARNERS: [&str; 6] = ["h2pc", "mmhc", "hc", "tabu", "hpc", "mmpc"];

/// Runs every learner on a table; returns the number of edges that each finds.
fn edges(csv: &str) -> Vec<usize> {
    let folder = Folder::new();
    folder.write("a.csv", csv);
    let learned = |learner: &str| {
        let report = folder.run(&format!("learn a.csv --learner {learner} --json")).json();
        let list = if report["arcs"].is_null() { &report["skeleton"] } else { &report["arcs"] };
        list.as_array().unwrap().len()
    };
    LEARNERS.map(learned).to_vec()
}

#[test]
fn two_rows_one_variable_and_constant_columns_teach_nothing() {
    assert_eq!(edges("a,b\n0,1\n1,0\n")[..2], [0, 0], "two rows have no power");
    assert_eq!(edges("a\n0\n1\n1\n"), [0; 6]);
    assert_eq!(edges("a,b,c\n0,1,2\n0,1,2\n0,1,2\n"), [0; 6]);
    let folder = Folder::new();
    folder.write("a.csv", "a,b\n0,1\n0,1\n");
    let answer = folder.run("learn a.csv -o net.bif -o net.svg");
    assert!(answer.err.contains("warning: 2 columns with only one value"), "{answer:?}");
    answer.done();
    assert_eq!(folder.run("convert net.bif net.csv --json").json()["directed"], 0);
    assert_eq!(folder.run("learn a.csv --bootstrap 3 --json").json()["bootstrap"]["arcs"], json!([]));
}

#[test]
fn what_is_odd_about_the_data_is_said_and_can_be_silenced() {
    let folder = Folder::new();
    let row = |i: u32| format!("{},{},{},7,k{i},{}\n", i % 2, i % 2, i % 6, i * i % 5 % 2);
    folder.write("a.csv", "a,copy,fine,one,id,other\n".to_owned() + &(0..27).map(row).collect::<String>());
    let answer = folder.run("learn a.csv");
    for part in [
        "warning: 1 column with only one value, and so without information: one",
        "warning: 1 pair of columns with the same information, so tests cannot distinguish them: a and copy",
        "determined by another one",
        "a by fine, copy by fine",
        "warning: 1 column like an identifier, with a different value in nearly every row; --drop leaves it out: id",
        "with levels that have fewer than five rows: fine (3)",
    ] {
        assert!(answer.err.contains(part), "{part:?} is not in {}", answer.err);
    }
    assert_eq!(folder.run("learn a.csv --quiet").err, "");
    answer.done();
}

#[test]
fn many_warnings_are_cut_short() {
    let folder = Folder::new();
    let header: Vec<String> = (0..100).map(|i| format!("v{i:03}")).collect();
    folder.write(
        "a.csv",
        format!("{}\n{}", header.join(","), format!("{}\n", vec!["0"; 100].join(",")).repeat(9)),
    );
    let answer = folder.run("learn a.csv");
    assert!(answer.err.contains("100 columns with only one value") && answer.err.contains("and 92 more"));
    assert_eq!(answer.err.lines().count(), 1);
}

#[test]
fn three_thousand_variables_of_fifty_rows_are_learned() {
    let folder = Folder::new();
    folder.write("wide.csv", wide_table(3000, 50));
    for learner in ["h2pc", "mmhc"] {
        let report = folder.run(&format!("learn wide.csv --learner {learner} --json")).json();
        assert!(report["arcs"].as_array().unwrap().len() > 500);
        // One for each pair in each direction, and a few more.
        assert!(report["tests"]["asked"].as_u64().unwrap() < 12_000_000, "{}", report["tests"]);
    }
}

#[test]
fn knowledge_that_contradicts_itself_is_refused() {
    let folder = Folder::new();
    let refused = |white: &str, black: &str, tiers: &str, parts: &[&str]| {
        folder.write("white.csv", format!("from,to\n{white}"));
        folder.write("black.csv", format!("from,to\n{black}"));
        folder.write("tiers.csv", format!("variable,tier\n{tiers}"));
        let words = "--whitelist white.csv --blacklist black.csv --tiers tiers.csv";
        for command in ["learn asia -q", "learn asia --learner hpc -q", "neighbours asia --target lung -q"] {
            folder.run(&format!("{command} {words}")).fails(3, parts);
        }
    };
    refused("smoke,lung\nlung,smoke\n", "", "", &["white.csv, line 3", "both required"]);
    refused(
        "smoke,lung\nlung,dysp\ndysp,smoke\n",
        "",
        "",
        &["white.csv: the arcs form a cycle", "smoke -> lung -> dysp"],
    );
    refused(
        "asia,tub\nsmoke,lung\n",
        "smoke,lung\n",
        "",
        &["white.csv, line 3", "smoke -> lung is required and also forbidden"],
    );
    refused(
        "smoke,lung\n",
        "",
        "smoke,2\nlung,1\n",
        &["white.csv, line 2", "smoke is in tier 2, lung in tier 1"],
    );
    refused("", "smok,lung\n", "", &["black.csv, line 2", "\"smok\"", "did you mean \"smoke\"?"]);
    refused("", "", "smoke,1\nlunge,2\n", &["tiers.csv, line 3", "\"lunge\"", "did you mean \"lung\"?"]);
    refused("", "", "smoke,early\n", &["tiers.csv, line 2, column tier", "an integer"]);
    folder.run("learn asia --whitelist none.csv").fails(3, &["cannot read none.csv"]);
    folder.write("black.csv", "from,to\nasia,tub\n");
    folder.write("start.csv", "from,to\nasia,tub\n");
    folder
        .run("learn asia -q --blacklist black.csv --start start.csv")
        .fails(3, &["the arc asia -> tub of the start is forbidden"]);
}

#[test]
fn a_start_with_other_nodes_or_without_directions_is_told() {
    let folder = Folder::new();
    folder.write("start.csv", "from,to\nsmok,lung\n");
    folder
        .run("learn asia -q --start start.csv")
        .fails(3, &["start.csv: the node \"smok\" is not a column of asia (did you mean \"smoke\"?)"]);
    folder.write("start.csv", "from,to\nsmoke,lung\nlung,smoke\n");
    let answer = folder.run("learn asia --start start.csv");
    assert!(
        answer.err.contains("start.csv: 1 edge without direction; a DAG of the same class is used"),
        "{answer:?}"
    );
}

#[test]
fn a_blacklist_of_everything_leaves_an_empty_graph() {
    let folder = Folder::new();
    let names = ["asia", "bronc", "dysp", "either", "lung", "smoke", "tub", "xray"];
    let all: String = names.iter().flat_map(|a| names.iter().map(move |b| format!("{a},{b}\n"))).collect();
    folder.write("black.csv", format!("from,to\n{all}"));
    for learner in LEARNERS {
        let report =
            folder.run(&format!("learn asia --blacklist black.csv --learner {learner} --json")).json();
        let list = if report["arcs"].is_null() { &report["skeleton"] } else { &report["arcs"] };
        assert_eq!(list, &json!([]), "{learner}");
    }
    let averaged = folder.run("learn asia --rows 300 --blacklist black.csv --bootstrap 4 --json").json();
    assert_eq!(averaged["arcs"], json!([]));
}

#[test]
fn columns_and_a_truth_of_other_names_are_told() {
    let folder = Folder::new();
    folder.write("a.csv", "smoke,x\n0,1\n1,0\n");
    let answer = folder.run("learn a.csv --truth asia");
    assert!(answer.err.contains("columns that the true structure does not have: x"), "{answer:?}");
    assert!(
        answer.err.contains("nodes of the true structure that are not columns: asia, bronc"),
        "{answer:?}"
    );
    answer.done();
}
