//! Every conversion, and every way to pass a table.

use std::fs;
use std::process::{Command, Stdio};

use crate::run::{Answer, Folder};

#[test]
fn every_graph_format_turns_into_every_other_and_back() {
    let folder = Folder::new();
    // Without the tables: for a network, json is the model file.
    folder.run("convert asia asia.dot").done();
    let formats = ["dot", "graphml", "json", "csv"];
    for from in formats {
        folder.run(&format!("convert asia.dot one.{from}")).done();
        for to in formats {
            folder.run(&format!("convert one.{from} two.{to}")).done();
            let compared = folder.run(&format!("compare asia two.{to} --json")).json();
            assert_eq!(compared["shd"], 0, "{from} to {to}");
            folder.run(&format!("convert two.{to} three.{from}")).done();
            assert_eq!(folder.read(&format!("three.{from}")), folder.read(&format!("one.{from}")));
        }
        folder.run(&format!("convert one.{from} one.svg")).done();
        assert!(folder.read("one.svg").contains("tub"), "{from} to svg");
    }
}

#[test]
fn undirected_edges_survive_every_format() {
    let folder = Folder::new();
    folder.write("one.csv", "from,to\nb,c\na,b\nb,a\n");
    for format in ["dot", "graphml", "json", "csv"] {
        let done = folder.run(&format!("convert one.csv two.{format} --json")).json();
        assert_eq!((&done["directed"], &done["undirected"]), (&1.into(), &1.into()));
        folder.run(&format!("convert two.{format} back.csv")).done();
        assert_eq!(folder.read("back.csv"), folder.read("one.csv"), "{format}");
    }
}

#[test]
fn a_network_keeps_its_tables_in_bif_and_compressed() {
    let folder = Folder::new();
    folder.run("convert child one.bif").done();
    folder.run("convert one.bif two.bif.gz").done();
    folder.run("convert two.bif.gz three.bif").done();
    assert_eq!(folder.read("three.bif"), folder.read("one.bif"));
    folder.run("convert one.bif model.json.gz").done();
    folder.run("convert model.json.gz four.bif").done();
    assert_eq!(folder.read("four.bif"), folder.read("one.bif"));
    assert_eq!(fs::read(folder.path("two.bif.gz")).unwrap()[..2], [0x1f, 0x8b]);
    assert_eq!(folder.run("sample three.bif -n 50").done(), folder.run("sample child -n 50").done());
}

#[test]
fn the_largest_network_of_the_paper_is_drawn() {
    let folder = Folder::new();
    let answer = folder.run("convert link link.svg");
    assert_eq!(answer.err.trim_end(), "wrote link.svg: 724 nodes, 1,125 arcs");
    assert!(folder.read("link.svg").matches("<text").count() >= 724);
}

/// The same rows in every format give the same tables.
#[test]
fn a_table_may_come_as_csv_tsv_gzip_or_on_stdin() {
    let folder = Folder::new();
    folder.run("sample asia -n 200 -o a.csv -o a.tsv -o a.csv.gz -o a.tsv.gz").done();
    let csv = folder.read("a.csv");
    let fitted = |answer: Answer| {
        answer.done();
        folder.read("net.bif")
    };
    let expected = fitted(folder.run("fit a.csv asia -o net.bif"));
    for form in ["a.tsv", "a.csv.gz", "a.tsv.gz"] {
        assert_eq!(fitted(folder.run(&format!("fit {form} asia -o net.bif"))), expected, "{form}");
    }
    assert_eq!(fitted(folder.run_with_stdin("fit - asia -o net.bif", &csv)), expected, "stdin");
    folder.write("semi.csv", csv.replace(',', ";"));
    assert_eq!(fitted(folder.run("fit semi.csv asia -o net.bif --delimiter ;")), expected, "semicolons");
    folder.write("windows.csv", format!("\u{FEFF}{}", csv.replace('\n', "\r\n")));
    assert_eq!(fitted(folder.run("fit windows.csv asia -o net.bif")), expected, "BOM and CRLF");
}

#[test]
fn one_command_feeds_another_through_a_pipe() {
    let folder = Folder::new();
    let mut first = folder.command(&["sample", "asia", "-n", "500"]);
    let mut first = first.stdout(Stdio::piped()).spawn().unwrap();
    let mut second: Command = folder.command(&["fit", "-", "asia", "--json"]);
    second.stdin(first.stdout.take().unwrap());
    assert_eq!(Answer::of(second).json()["data"]["rows"], 500);
    assert!(first.wait().unwrap().success());
}

#[test]
fn missing_values_are_dropped_or_kept_as_told() {
    let folder = Folder::new();
    folder.write("a.csv", "x,y\n0,1\n?,1\n1,0\n-9,0\n");
    folder.write("g.csv", "from,to\nx,y\n");
    let rows = |words: &str| {
        let done = folder.run(&format!("fit a.csv g.csv --json {words}")).json();
        (done["data"]["rows"].as_u64().unwrap(), done["data"]["dropped"].as_u64().unwrap())
    };
    assert_eq!(rows("--missing drop"), (3, 1));
    assert_eq!(rows("--missing level"), (4, 0));
    assert_eq!(rows("--missing-tokens=-9,none --missing drop"), (3, 1), "? is a label, -9 is missing");
    let answer = folder.run("fit a.csv g.csv --missing drop");
    assert!(answer.err.contains("1 of 4 rows"), "{answer:?}");
}

#[test]
fn numbers_are_cut_into_intervals() {
    let folder = Folder::new();
    let rows: String = (0..1000).map(|i| format!("{},{}\n", f64::from(i) / 7.0, i % 2)).collect();
    folder.write("a.csv", format!("x,y\n{rows}"));
    folder.write("g.csv", "from,to\nx,y\n");
    folder.run("fit a.csv g.csv").fails(3, &["column \"x\"", "--discretise x=quantile:5"]);
    for how in ["x=quantile:4", "x=width:4", "x=cuts:20,50,90", "*=quantile:4"] {
        let done = folder.run(&format!("fit a.csv g.csv --json --discretise {how}")).json();
        assert_eq!(done["configurations"], 5, "{how}: one of x and four of y");
    }
}
