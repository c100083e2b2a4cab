//! The laws of the fuzz targets, on stable Rust: for the corpus, and for valid files with injected faults.
//!
//! The faults come from fixed seeds, so the test is the same every time. A fault that breaks a law is kept as
//! a file in `fuzz/corpus`.

#[path = "../../../../fuzz/laws.rs"]
mod laws;

use std::path::Path;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use ossature::graph::format::{GraphFormat, write_graph};
use ossature::learn::{Catalogue, Preset};
use ossature::network::{Model, bif, catalogue};
use ossature::random::{Sequence, mix};
use ossature::{ReadOptions, ReadReport, Report, Settings, Silent};

/// The number of faulty files made from each valid one.
const FAULTS: u64 = 600;

#[test]
fn faults_are_refused_and_never_suffered() {
    for (format, law) in laws::LAWS {
        let seeds = seeds(format);
        assert!(!seeds.is_empty(), "{format}");
        for (i, valid) in seeds.iter().enumerate() {
            law(valid);
            for fault in 0..FAULTS {
                let bytes = faulty(valid, &seeds, mix(i as u64, &[fault]));
                let held = std::panic::catch_unwind(|| law(&bytes));
                assert!(
                    held.is_ok(),
                    "{format}, seed {i}, fault {fault}: {}",
                    String::from_utf8_lossy(&bytes)
                );
            }
        }
    }
}

#[test]
fn the_corpus_obeys_the_laws() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for folder in std::fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()) {
        let format = folder.file_name().unwrap().to_str().unwrap();
        for file in std::fs::read_dir(&folder).unwrap() {
            laws::check(format, &std::fs::read(file.unwrap().path()).unwrap());
        }
    }
}

/// A valid file with one to four faults.
fn faulty(valid: &[u8], others: &[Vec<u8>], seed: u64) -> Vec<u8> {
    let mut random = Sequence::new(seed);
    let mut bytes = valid.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        let end = (at + 1 + random.below(24)).min(bytes.len());
        match random.below(9) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => {
                bytes[at] = [0, 0xFF, 0x7F, 0x80, b'\n', b'"', b'<', b'{'][random.below(8)];
            }
            2 => drop(bytes.drain(at.min(end)..end)),
            3 => bytes.truncate(at),
            4 => {
                let part = bytes[at.min(end)..end].to_vec();
                bytes.splice(at..at, part);
            }
            5 => {
                let token = TOKENS[random.below(TOKENS.len())].bytes();
                bytes.splice(at..at, token);
            }
            6 => {
                let token = TOKENS[random.below(TOKENS.len())].bytes();
                bytes.splice(at.min(end)..end, token);
            }
            7 => {
                let other = &others[random.below(others.len())];
                let from = random.below(other.len() + 1);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
            _ => bytes.rotate_left(at.min(end)),
        }
    }
    bytes
}

/// Tokens that mean something to one of the readers, or are edge cases.
const TOKENS: &[&str] = &[
    "\"\"",
    "\"",
    "\\",
    "\\u{1F600}",
    "é",
    "\u{FEFF}",
    "\r\n",
    "\r",
    "\n\n",
    ",",
    ";",
    "--",
    "->",
    "[",
    "]",
    "{",
    "}",
    "(",
    "|",
    "default",
    "table",
    "probability",
    "variable",
    "property",
    "network",
    "strict digraph",
    "subgraph",
    "edge",
    "node",
    "<node id=\"a\"/>",
    "<edge source=\"a\" target=\"a\"/>",
    "<!DOCTYPE x [<!ENTITY e \"eeee\">]>&e;",
    "<![CDATA[",
    "-->",
    "&#0;",
    "&lt;",
    "null",
    "true",
    "NaN",
    "1e999",
    "-0",
    "0.0",
    "18446744073709551616",
    "-9223372036854775808",
    "1e-320",
    "inf",
    "\"nodes\":[]",
    "\"arcs\":[[0,0]]",
    "\"settings\":{}",
    "\"levels\":{}",
    "from,to",
    "variable,tier",
    "/*",
    "//",
    "#",
    "\t",
];

/// Valid files of a format.
fn seeds(format: &str) -> Vec<Vec<u8>> {
    let asia = catalogue::load("asia").unwrap();
    let graph = |format| {
        let pattern = asia.dag().cpdag();
        let class = ossature::NamedGraph::new(asia.named_graph().names().to_vec(), pattern.as_pdag().clone());
        [asia.named_graph(), class].map(|graph| {
            let mut out = Vec::new();
            write_graph(&graph, format, &mut out).unwrap();
            out
        })
    };
    match format {
        "csv" => {
            ["\0x,y\n1,a\n2,b\n3,a\n", "\x09x,y\n1.5,\"a \"\"\"\r\n-2,NA\r\n", "\x06x;y;z\n;?;1\n0;b;\n"]
                .map(|text| text.as_bytes().to_vec())
                .into()
        }
        "bif" => {
            let mut out = Vec::new();
            bif::write(&asia, &mut out).unwrap();
            let small = "network n { }\nvariable a { type discrete [ 2 ] { x, \"y z\" }; property p = 1 ; }\n\
                         variable b { type discrete[2] { 0, 1 }; }\nprobability ( a ) { table 0.5, 0.5; }\n\
                         probability ( b | a ) { default 0.1, 0.9; (x) 0.3, 0.7; } // end\n";
            vec![out, small.as_bytes().to_vec()]
        }
        "dot" => {
            let odd = "strict digraph \"a b\" { node [shape=box]; x -> {y z} -> w [dir=none]; /* c */ subgraph s { u; v } }";
            let mut all: Vec<Vec<u8>> = graph(GraphFormat::Dot).into();
            all.push(odd.as_bytes().to_vec());
            all
        }
        "graphml" => graph(GraphFormat::GraphMl).into(),
        "json" => graph(GraphFormat::Json).into(),
        "edges" => graph(GraphFormat::Csv).into(),
        "tiers" => {
            ["variable,tier\na,1\nb,2\nc,2\n", "from,to\na,b\nb,c\n"].map(|t| t.as_bytes().to_vec()).into()
        }
        "levels" => vec![br#"{"a": ["x", "y"], "b": ["1", "2", "3"]}"#.to_vec()],
        "settings" => ["h2pc", "best", "pc"].map(result).into(),
        "model" => {
            let model = Model::new(asia, &ReadReport::default(), &["".into(), "NA".into()]);
            let continuous = Model::from(model.network.linear_gaussian(1));
            vec![model.to_json().into_bytes(), continuous.to_json().into_bytes()]
        }
        "parquet" => vec![parquet_bytes()],
        "arrow" => vec![arrow_bytes(true), arrow_bytes(false)],
        "gzip" => {
            let file = tempfile::Builder::new().suffix(".csv.gz").tempfile().unwrap();
            ossature::file::write(file.path(), |out| out.write_all(b"a,b\n0,1\n1,0\n")).unwrap();
            vec![std::fs::read(file.path()).unwrap()]
        }
        other => panic!("no valid file of {other}"),
    }
}

fn result(learner: &str) -> Vec<u8> {
    let data = catalogue::load("asia").unwrap().sample(200, 1, &Silent).unwrap();
    let settings = Settings::of(learner, Preset::Recommended).unwrap();
    let learned = Catalogue::standard().build(&settings, &data).unwrap().learn(&data, &Silent).unwrap();
    let report = Report::new(&learned, &data, &settings).unwrap().with_separations(&learned, &data);
    serde_json::to_vec(&report.with_read(ReadOptions::default().to_record())).unwrap()
}

fn batch() -> RecordBatch {
    let labels: ArrayRef = std::sync::Arc::new(StringArray::from(vec![Some("x"), None, Some("y")]));
    let numbers: ArrayRef = std::sync::Arc::new(Int64Array::from(vec![1, 2, 1]));
    RecordBatch::try_from_iter([("a", labels), ("b", numbers)]).unwrap()
}

fn parquet_bytes() -> Vec<u8> {
    crate::parquet_file::table(&batch(), 3, Default::default())
}

fn arrow_bytes(file: bool) -> Vec<u8> {
    if file {
        let mut writer = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &batch().schema()).unwrap();
        writer.write(&batch()).unwrap();
        writer.finish().unwrap();
        return writer.into_inner().unwrap();
    }
    let mut writer = arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &batch().schema()).unwrap();
    writer.write(&batch()).unwrap();
    writer.into_inner().unwrap()
}
