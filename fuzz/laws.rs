// What must hold for any bytes: reading them ends with an answer or an error, and what was read is written and
// read back the same. Used by the fuzz targets and by the tests of the library, which mutate valid files.

use std::io::Write;

use ossature::data::{read, read_csv, read_levels_json};
use ossature::graph::format::{GraphFormat, parse_graph, write_graph};
use ossature::graph::{parse_arcs, parse_tiers};
use ossature::learn::{Asked, Catalogue, Why};
use ossature::network::{Model, bif};
use ossature::{Constraints, MissingPolicy, Place, ReadOptions, Silent, Variable};

/// A file format: its name, and the law for some bytes.
pub(crate) type Law = (&'static str, fn(&[u8]));

/// Every reader of foreign bytes.
pub(crate) const LAWS: &[Law] = &[
    ("csv", csv),
    ("bif", |bytes| text(bytes, bif)),
    ("dot", |bytes| text(bytes, |t| graph(t, GraphFormat::Dot))),
    ("graphml", |bytes| text(bytes, |t| graph(t, GraphFormat::GraphMl))),
    ("json", |bytes| text(bytes, |t| graph(t, GraphFormat::Json))),
    ("edges", |bytes| text(bytes, |t| graph(t, GraphFormat::Csv))),
    ("tiers", |bytes| text(bytes, tiers)),
    ("levels", |bytes| text(bytes, levels)),
    ("settings", |bytes| text(bytes, settings)),
    ("model", |bytes| text(bytes, model)),
    ("parquet", |bytes| file(bytes, ".parquet")),
    ("arrow", |bytes| file(bytes, ".arrow")),
    ("gzip", |bytes| file(bytes, ".csv.gz")),
];

/// The law of a format for some bytes.
pub(crate) fn check(format: &str, bytes: &[u8]) {
    let law = LAWS.iter().find(|(name, _)| *name == format).expect("a format of the list");
    law.1(bytes);
}

fn text(bytes: &[u8], law: impl FnOnce(&str)) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        law(text);
    }
}

/// The first byte chooses the options.
fn csv(bytes: &[u8]) {
    let Some((&choice, text)) = bytes.split_first() else { return };
    let Ok(table) = read_csv(text, "fuzz.csv", &options(choice), &Silent) else { return };
    assert_eq!(table.data.rows() as u64, table.report.rows_read - table.report.rows_dropped);
    let mut written = Vec::new();
    table.data.write_csv(&mut written).expect("memory takes all writes");
    let same = ReadOptions {
        delimiter: Some(b','),
        levels: Some(table.data.variables().to_vec()),
        ..ReadOptions::default()
    };
    let again = read_csv(written.as_slice(), "again.csv", &same, &Silent).expect("what was written is read");
    assert_eq!(again.data, table.data);
}

fn options(choice: u8) -> ReadOptions {
    let policies = [MissingPolicy::Error, MissingPolicy::Drop, MissingPolicy::Level];
    let wishes: &[&str] = match choice >> 3 & 3 {
        0 => &[],
        1 => &["*=quantile:3"],
        2 => &["x=width:3"],
        _ => &["x=cuts:0,1.5", "y=quantile:2"],
    };
    ReadOptions {
        delimiter: (choice & 4 != 0).then_some(b';'),
        missing: policies[usize::from(choice & 3) % 3],
        discretise: wishes.iter().map(|w| w.parse().expect("a wish")).collect(),
        levels: (choice & 32 != 0).then(|| vec![Variable::new("y", ["NA", "a", "b"]).expect("levels")]),
        drop: if choice & 64 != 0 { vec!["x".into()] } else { Vec::new() },
        ..ReadOptions::default()
    }
}

fn bif(text: &str) {
    let Ok(read) = bif::parse(text, "fuzz.bif") else { return };
    // A `default` can stand for millions of rows; writing them all would only slow the search.
    if read.network.parameters() > 100_000 {
        return;
    }
    let mut written = Vec::new();
    bif::write(&read.network, &mut written).expect("memory takes everything");
    let written = String::from_utf8(written).expect("names are UTF-8");
    let again = bif::parse(&written, "written.bif").expect("what was written is read");
    assert_eq!(again.network, read.network);
    assert_eq!(again.normalised_rows, 0);
}

fn graph(text: &str, format: GraphFormat) {
    let Ok(graph) = parse_graph(text, "fuzz", format) else { return };
    let mut written = Vec::new();
    write_graph(&graph, format, &mut written).expect("memory takes everything");
    let written = String::from_utf8(written).expect("names are UTF-8");
    let Ok(again) = parse_graph(&written, "written", format) else {
        panic!("what was written is not read: {written}");
    };
    // A list of edges has no place for nodes without any.
    match format {
        GraphFormat::Csv => assert_eq!(again.graph().skeleton().len(), graph.graph().skeleton().len()),
        _ => assert_eq!(again, graph),
    }
}

fn tiers(text: &str) {
    let (tiers, arcs) = (parse_tiers(text, "fuzz.csv"), parse_arcs(text, "fuzz.csv"));
    let (tiers, arcs) = (tiers.unwrap_or_default(), arcs.unwrap_or_default());
    let names = ["a", "b", "c", "d"];
    let _ = Constraints::new(&names, &arcs, &[], &tiers);
    let _ = Constraints::new(&names, &[], &arcs, &tiers);
}

fn levels(text: &str) {
    let Ok(variables) = read_levels_json(text, "fuzz.json") else { return };
    assert!(variables.iter().all(|v| v.cardinality() > 0));
}

/// What `--settings` and `why` take: a result.
fn settings(text: &str) {
    let Ok(report) = serde_json::from_str::<serde_json::Value>(text) else { return };
    if let Some(settings) = report.get("settings").and_then(|s| s.as_object()) {
        let asked = Asked { earlier: Some(settings.clone()), ..Asked::default() };
        let _ = Catalogue::standard().resolve(&asked);
    }
    if let Some(record) = report.get("read") {
        let read = ReadOptions::from_record(record, Place::file("fuzz.json"));
        if let Ok(options) = read {
            let again = ReadOptions::from_record(&options.to_record(), Place::file("again.json"));
            assert_eq!(again.expect("what was written is read"), options);
        }
    }
    let _ = Why::new(&report, "asia", "tub", None);
    let _ = Why::new(&report, "lung", "smoke", None);
}

fn model(text: &str) {
    if !Model::is_model(text) {
        return;
    }
    let Ok(model) = Model::parse(text, "fuzz.json") else { return };
    let again = Model::parse(&model.to_json(), "written.json").expect("what was written is read");
    assert_eq!(again, model);
}

fn file(bytes: &[u8], suffix: &str) {
    let mut file = tempfile::Builder::new().suffix(suffix).tempfile().expect("a temporary file");
    file.write_all(bytes).and_then(|()| file.flush()).expect("a file can be written");
    if let Ok(table) = read(file.path(), &ReadOptions::default(), &Silent) {
        assert!(table.data.rows() > 0);
    }
}
