#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ossature::network::{ProbabilityTable, bif, catalogue};
use ossature::random::Sequence;
use ossature::{Dag, Error, Network, Var, Variable};
use proptest::prelude::*;
use rayon::prelude::*;

fn parsed(text: &str) -> bif::ReadNetwork {
    bif::parse(text, "x.bif").unwrap_or_else(|e| panic!("{e}"))
}

fn refused(text: &str) -> String {
    bif::parse(text, "x.bif").expect_err(text).to_string()
}

fn written(network: &Network) -> String {
    let mut text = Vec::new();
    bif::write(network, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn var(network: &Network, name: &str) -> Var {
    network.dag().vars().find(|&v| network.variable(v).name() == name).unwrap()
}

#[test]
fn the_dialects_met_in_the_wild() {
    let read = parsed(
        r#"
// a comment before everything
network "a name; with {braces}" { // 4 variables
    property author = nobody, really { ( ;
    property "quoted; with a semicolon" ;
}
probability ( "wet grass" | rain, season ) { // before its variables
    property note = /* not a comment ;
    ("dry, or nearly", <5/-1.5+) 5e-1 .5;
    ("dry, or nearly", "5=>") 0.25, 7.5E-01;
    default 1, 0;
}
variable rain{ //2 values
    type discrete[2] {  "dry, or nearly"  "wet" };
    property "position = (218, 195)" ;
}
variable "wet grass" { property p = 1; type discrete [ 2 ] { no, yes } }
variable season { type discrete [ 3 ] { 5=>, <5/-1.5+, "default" }; }
variable table { type discrete [ 1 ] { property }; }
/* over
   lines */
probability ( rain season table ) { table 0.1 0.2 0.3
    0.9 0.8 0.7; }
probability ( "season" ) { default 0.2, 0.3, 0.5; }
probability("table"){()1;}
property between = blocks;
"#,
    );
    let network = &read.network;
    let names: Vec<&str> = network.variables().iter().map(Variable::name).collect();
    assert_eq!(names, ["rain", "season", "table", "wet grass"]);
    assert_eq!(network.variables()[1].levels(), ["5=>", "<5/-1.5+", "default"]);
    // The canonical order of the parents is rain, season; the last one changes fastest.
    let wet = network.table(var(network, "wet grass"));
    assert_eq!(wet.row(0), [0.25, 0.75]);
    assert_eq!(wet.row(1), [0.5, 0.5]);
    assert!((2..6).all(|c| wet.row(c) == [1.0, 0.0]));
    // In a table the child changes slowest.
    let rain = network.table(var(network, "rain"));
    assert_eq!(rain.as_slice(), [0.1, 0.9, 0.2, 0.8, 0.3, 0.7]);
    assert_eq!(network.dag().parents(var(network, "rain")).as_slice(), [Var(1), Var(2)]);
    assert_eq!(read.normalised_rows, 0);
    assert_eq!(parsed(&written(network)), read);
}

#[test]
fn a_table_is_laid_out_as_in_the_format_of_its_author() {
    // The parents in the file are not in the canonical order: q before p.
    let network = parsed(
        "network n {} variable a { type discrete [2] { 0 1 }; } variable p { type discrete [2] { 0 1 }; }
         variable q { type discrete [3] { 0 1 2 }; } probability ( p ) { table .5 .5; }
         probability ( q ) { table .2 .3 .5; }
         probability ( a | q, p ) { table .01 .02 .03 .04 .05 .06 .99 .98 .97 .96 .95 .94; }",
    )
    .network;
    // Row of p = 0, q = 1 is the third of the file, (q, p) = (1, 0).
    assert_eq!(network.table(Var(0)).row(1), [0.03, 0.97]);
    // Row of p = 1, q = 0 is the second of the file, (q, p) = (0, 1).
    assert_eq!(network.table(Var(0)).row(3), [0.02, 0.98]);
}

#[test]
fn sums_that_are_nearly_1_are_put_right_and_counted() {
    let net =
        |row: &str| format!("variable a {{ type discrete [3] {{ x y z }}; }} probability (a) {{ {row} }}");
    let left = parsed(&net("table 0.3 0.3 0.4000000005;"));
    assert_eq!((left.normalised_rows, left.network.table(Var(0)).row(0)), (0, &[0.3, 0.3, 0.4000000005][..]));
    let right = parsed(&net("default 0.3 0.3 0.395;"));
    assert_eq!((right.normalised_rows, right.network.table(Var(0)).row(0)[0]), (1, 0.3 / 0.995));
    assert_eq!(
        refused(&net("\n () 0.3 0.3 0.38;")),
        "x.bif, line 2, column 2: found probabilities that sum to 0.98, expected a sum of 1, give or take 0.01"
    );
}

/// Two binary variables b -> a, with these entries in the block of a.
fn pair(entries: &str) -> String {
    format!(
        "network n {{\n}}\nvariable a {{ type discrete [ 2 ] {{ yes, no }}; }}\n\
         variable b {{ type discrete [ 2 ] {{ high, low }}; }}\nprobability ( b ) {{ table 0.5, 0.5; }}\n\
         probability ( a | b ) {{\n{entries}}}\n"
    )
}

#[test]
fn what_is_wrong_in_a_block_is_said_with_its_place() {
    for (entries, message) in [
        (
            "(high) 0.5, 0.5;\n",
            "line 6, column 15: found no row for b = low among those of `a`, expected a row for each configuration of the parents, or a `default`",
        ),
        ("(high) 1, 0;\n(high) 1, 0;\n", "line 8, column 1: the row \"a for b = high\" occurs twice"),
        (
            "(high) 1, 0;\n(lwo) 1, 0;\n",
            "line 8, column 2: \"lwo\" is not a level of b (did you mean \"low\"?); its levels are \"high\", \"low\"",
        ),
        (
            "(high) 1, 0;\n(low, low) 1, 0;\n",
            "line 8, column 1: found 2 levels of parents, expected 1, one for each parent",
        ),
        (
            "(high) 1, 0;\n(low) 1;\n",
            "line 8, column 1: found 1 probabilities, expected 2, one for each level",
        ),
        (
            "table 1, 0;\n",
            "line 7, column 1: found 2 probabilities, expected 4, one for each level and configuration",
        ),
        (
            "table 0.9 0.1\n0.2 0.8;\n",
            "line 7, column 1: found probabilities for b = high that sum to 1.1, expected a table in which the first variable changes slowest; this one seems to be transposed",
        ),
        (
            "table 0.9 0.2\n0.2 0.8;\n",
            "line 7, column 1: found probabilities for b = high that sum to 1.1, expected a sum of 1 over the first variable, which changes slowest in a table",
        ),
        (
            "default 1 0;\ntable 1 1 0 0;\n",
            "line 8, column 1: found another entry beside a `table`, expected either one `table` or rows, with or without a `default`",
        ),
        ("default 1 0;\ndefault 1 0;\n", "line 8, column 1: the default of \"a\" occurs twice"),
        (
            "(high) -0.1, 1.1;\n",
            "line 7, column 8: found `-0.1`, expected a probability, which is a number from 0 to 1",
        ),
        (
            "(high) 0,\n1.1;\n",
            "line 8, column 1: found `1.1`, expected a probability, which is a number from 0 to 1",
        ),
        (
            "(high) NaN, 1;\n",
            "line 7, column 8: found `NaN`, expected a probability, which is a number from 0 to 1",
        ),
        (
            "(high) O.5, 0.5;\n",
            "line 7, column 8: found `O.5`, expected a probability, which is a number from 0 to 1",
        ),
        ("(high 1, 0;\n", "line 7, column 11: found `;`, expected `)`"),
        ("(high) 1, 0\n", "line 8, column 1: found `}`, expected a probability or `;`"),
        (
            "high 1, 0;\n",
            "line 7, column 1: found `high`, expected `(`, `table`, `default`, `property` or `}`",
        ),
        (
            "property x = (1, 2)\n}\n",
            "line 10, column 1: found the end of the file, expected `;` after the property that starts in line 7",
        ),
    ] {
        assert_eq!(refused(&pair(entries)), format!("x.bif, {message}"));
    }
}

#[test]
fn what_is_wrong_with_names_and_arcs_is_said_with_its_place() {
    let a = "variable alpha { type discrete [ 1 ] { x }; }\n";
    let b = "variable beta { type discrete [ 1 ] { x }; }\n";
    for (text, message) in [
        (
            String::new(),
            "line 1, column 1: found the end of the file, expected `network`, `variable` or `probability`",
        ),
        (
            "<?xml version=\"1.0\"?>".into(),
            "line 1, column 1: found `<?xml`, expected `network`, `variable` or `probability`",
        ),
        (
            format!("{a}probability ( alhpa ) {{ table 1; }}"),
            "line 2, column 15: there is no variable \"alhpa\" (did you mean \"alpha\"?)",
        ),
        (
            format!("{a}probability ( alpha |\n zeta ) {{ table 1; }}"),
            "line 3, column 2: there is no variable \"zeta\"",
        ),
        (
            a.into(),
            "line 1, column 10: found the variable `alpha` without probabilities, expected a `probability` block for each variable",
        ),
        (format!("{a}{a}"), "line 2, column 10: variable \"alpha\" occurs twice"),
        (
            format!("{a}probability(alpha){{table 1;}}\nprobability(alpha){{table 1;}}"),
            "line 3, column 13: the probability block of \"alpha\" occurs twice",
        ),
        (
            format!("{a}{b}probability ( alpha | beta, beta ) {{ table 1; }}"),
            "line 3, column 29: parent \"beta\" occurs twice",
        ),
        (
            format!("{a}probability ( alpha | alpha ) {{ table 1; }}"),
            "line 2, column 15: the arcs form a cycle: alpha -> alpha",
        ),
        (
            format!(
                "{a}{b}probability ( alpha | beta ) {{ table 1; }}\nprobability ( beta | alpha ) {{ table 1; }}"
            ),
            "line 3, column 15: the arcs form a cycle: alpha -> beta -> alpha",
        ),
        (
            "variable é { type discrete [ 2 ] { ä, ä }; }".into(),
            "line 1, column 39: state \"ä\" occurs twice",
        ),
        (
            "variable a { type discrete [ 3 ] { x, y }; }".into(),
            "line 1, column 30: found the number of states `3`, expected 2, the number of listed states",
        ),
        (
            "variable a { type discrete [ 0 ] { }; }".into(),
            "line 1, column 10: found 0 states of `a`, expected from 1 to 65536 states",
        ),
        (
            "variable a { type continuous; }".into(),
            "line 1, column 19: found `continuous`, expected `discrete`, the only supported type",
        ),
        ("variable a { }".into(), "line 1, column 14: found `}`, expected `type discrete [ N ] { … };`"),
        ("variable { x }".into(), "line 1, column 10: found `{`, expected the name of a variable"),
        ("network a { type }".into(), "line 1, column 13: found `type`, expected `}`"),
        (
            "network a { }\n\"b".into(),
            "line 2, column 3: found the end of the file, expected a closing `\"` after the quoted name that starts in line 2",
        ),
    ] {
        assert_eq!(refused(&text), format!("x.bif, {message}"));
    }
}

#[test]
fn a_cycle_is_named_without_what_hangs_below_it() {
    let states = |v: &str| format!("variable {v} {{ type discrete [1] {{ x }}; }} ");
    let block = |child: &str, parents: &str| format!("probability ({child} | {parents}) {{ table 1; }} ");
    let text = ["a", "b", "c", "d", "e"].map(states).concat()
        + &block("a", "b")
        + &block("b", "d e")
        + &block("c", "b")
        + &block("d", "c")
        + "probability (e) { table 1; }";
    match bif::parse(&text, "x.bif") {
        Err(Error::Cycle { cycle, place: Some(_) }) => assert_eq!(cycle, ["b", "c", "d", "b"]),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_cut_anywhere_is_refused_with_a_place() {
    let text = written(&catalogue::load("asia").unwrap());
    let whole = text.trim_end().len();
    for end in 0..whole {
        let message = refused(&text[..end]);
        assert!(message.starts_with("x.bif, line "), "{message}");
    }
}

#[test]
fn claims_are_checked_before_memory_is_taken() {
    assert!(
        refused("variable a { type discrete [ 4000000000 ] { } }")
            .contains("expected 0, the number of listed states")
    );
    let states =
        |i| format!("variable v{i} {{ type discrete [2] {{ x y }}; }} probability (v{i}) {{ table 1 0; }}\n");
    let block = |entries: &str, parents: usize| {
        let names = (0..parents).map(|i| format!("v{i}")).collect::<Vec<_>>().join(" ");
        let states = (0..parents).map(states).collect::<String>();
        format!(
            "{states}variable a {{ type discrete [2] {{ x y }}; }} probability (a | {names}) {{ {entries} }}"
        )
    };
    // 2^40 and more than 2^128 configurations.
    for parents in [40, 200] {
        let first = format!("({}) 1 0;", "x ".repeat(parents));
        let second =
            format!("no row for {}", (0..parents - 1).map(|i| format!("v{i} = x, ")).collect::<String>());
        assert!(refused(&block(&first, parents)).contains(&format!("{second}v{} = y among", parents - 1)));
        assert!(refused(&block("table 1 0;", parents)).contains("found 2 probabilities"));
        let error = bif::parse(&block("default 1 0;", parents), "x.bif").unwrap_err();
        assert!(matches!(error, Error::Syntax { .. }), "a fault of the file: {error}");
        let said = error.to_string();
        assert!(said.contains("a `default` for the table of `a`, which is too large"), "{said}");
        assert!(said.contains("at most 16777216 entries"), "{said}");
    }
    assert_eq!(parsed(&block("default 1 0;", 10)).network.configurations(Var(0)), 1024);
}

#[test]
fn time_grows_with_the_text_and_no_faster() {
    // A reader that scans some part repeatedly would be slow here.
    let many = 200_000;
    for text in [
        format!("network n {{ property {};", "\"".repeat(2 * many + 1)),
        format!("network n {{ property {};", "\"\n".repeat(many)),
        format!("{}{}", "/**/".repeat(many), "\"\"".repeat(many)),
        format!("variable a {{ type discrete [ 1 ] {{ {} }}", "x/".repeat(many)),
    ] {
        refused(&text);
    }
    let n = 3000;
    let states: String =
        (0..n).map(|i| format!("variable v{i} {{ type discrete [1] {{ x }}; }}\n")).collect();
    let root = "probability (v0) { table 1; }";
    let chain: String = (1..n).map(|i| format!("probability (v{i} | v{}) {{ table 1; }}\n", i - 1)).collect();
    assert_eq!(parsed(&format!("{states}{root}{chain}")).network.dag().len(), n - 1);
}

#[test]
fn files_are_read_plain_and_compressed() {
    let dir = tempfile::tempdir().unwrap();
    let text = pair("default 1, 0;");
    let plain = dir.path().join("a.bif");
    fs::write(&plain, &text).unwrap();
    assert_eq!(bif::read(&plain).unwrap(), parsed(&text));
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gz, text.as_bytes()).unwrap();
    let bytes = gz.finish().unwrap();
    let compressed = dir.path().join("a.bif.gz");
    fs::write(&compressed, &bytes).unwrap();
    assert_eq!(bif::read(&compressed).unwrap(), parsed(&text));
    fs::write(&compressed, &bytes[..bytes.len() / 2]).unwrap();
    let cut = bif::read(&compressed).unwrap_err().to_string();
    assert!(cut.contains("gzip"), "{cut}");
    fs::write(&plain, b"network \xff").unwrap();
    assert!(bif::read(&plain).unwrap_err().to_string().contains("not UTF-8"));
}

#[test]
fn all_embedded_networks_read_write_and_read_back_equal() {
    catalogue::names().collect::<Vec<_>>().into_par_iter().for_each(|name| {
        let network = catalogue::load(name).unwrap();
        let again = parsed(&written(&network));
        assert_eq!(again.network, network, "{name}");
        assert_eq!(again.normalised_rows, 0, "{name}");
    });
}

/// Names that a careless writer or reader would break.
fn nasty_name() -> impl Strategy<Value = String> {
    let odd = r#"[ab"\\ ,;{}()\[\]|/*\n\té'<>+=.0-]{0,5}"#;
    let known =
        ["", "table", "default", "property", "network", "//", "/*", "\"", "\"\"", "a b", "1e5", "\u{feff}"];
    prop_oneof![3 => odd.prop_map(String::from), 1 => proptest::sample::select(known.to_vec()).prop_map(String::from)]
}

fn names(range: std::ops::Range<usize>) -> impl Strategy<Value = BTreeSet<String>> {
    proptest::collection::btree_set(nasty_name(), range)
}

/// A network of up to five variables with any names, arcs and probabilities.
fn any_network() -> impl Strategy<Value = Network> {
    let variables = names(1..6).prop_flat_map(|names| {
        let n = names.len();
        let levels = proptest::collection::vec(names_shuffled(), n);
        let places = Just((0..n).collect::<Vec<_>>()).prop_shuffle();
        let arcs = proptest::collection::vec(any::<bool>(), n * n);
        (Just(names), levels, places, arcs, any::<u64>())
    });
    variables.prop_map(|(names, levels, places, arcs, seed)| {
        let n = names.len();
        let variables: Vec<Variable> = names
            .into_iter()
            .zip(levels)
            .map(|(name, levels)| Variable::new(name, levels).unwrap())
            .collect();
        let arc = |&(x, y): &(usize, usize)| places[x] < places[y] && arcs[x * n + y];
        let pairs = (0..n * n).map(|i| (i / n, i % n)).filter(arc);
        let dag = Dag::from_arcs(n, pairs.map(|(x, y)| (Var::new(x), Var::new(y)))).unwrap();
        let mut random = Sequence::new(seed);
        let tables = dag.vars().map(|v| {
            let levels = variables[v.index()].cardinality();
            let rows: usize = dag.parents(v).iter().map(|p| variables[p.index()].cardinality()).product();
            ProbabilityTable::new((0..rows).flat_map(|_| random_row(levels, &mut random)).collect(), levels)
        });
        let tables = tables.collect();
        Network::new(variables, dag, tables).unwrap()
    })
}

fn names_shuffled() -> impl Strategy<Value = Vec<String>> {
    names(1..5).prop_flat_map(|names| Just(names.into_iter().collect::<Vec<_>>()).prop_shuffle())
}

/// Probabilities of very different sizes, some of them 0.
fn random_row(levels: usize, random: &mut Sequence) -> Vec<f64> {
    let mut weights: Vec<f64> = (0..levels)
        .map(|_| match random.below(4) {
            0 => 0.0,
            1 => random.number() as f64 * 1e-30,
            _ => random.number() as f64,
        })
        .collect();
    weights[0] += 1.0;
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|w| w / sum).collect()
}

proptest! {
    #[test]
    fn what_is_written_is_read_back_equal(network in any_network()) {
        let read = bif::parse(&written(&network), "x.bif").unwrap();
        prop_assert_eq!(read.network, network);
        prop_assert_eq!(read.normalised_rows, 0);
    }
}

#[test]
fn the_fuzz_corpus_neither_panics_nor_changes_on_the_way_through() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/bif");
    let mut files: Vec<_> = fs::read_dir(corpus).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 10);
    for file in files {
        let bytes = fs::read(&file).unwrap();
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        let Ok(read) = bif::parse(text, "x.bif") else { continue };
        if read.network.parameters() < 100_000 {
            assert_eq!(parsed(&written(&read.network)).network, read.network, "{}", file.display());
        }
    }
}
