//! Files generated from the catalogue: the Python classes, and two tables of the documentation.
//!
//! With `OSSATURE_BLESS=1` the files are written again instead of being compared.

mod keywords;
mod python;
mod tables;

use std::env;
use std::fs;
use std::path::Path;

use ossature::learn::{Catalogue, How, LearnerRow};

/// The command that writes the files, shown to their readers.
const HOW: &str = "OSSATURE_BLESS=1 cargo test -p ossature --all-features --test it generated";

fn agrees(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if env::var_os("OSSATURE_BLESS").is_some() {
        fs::write(&file, text).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
    let first = found.lines().zip(text.lines()).position(|(found, expected)| found != expected);
    assert!(
        found == text,
        "{path} is not what the catalogue says from line {} on; `{HOW}` writes it anew",
        first.unwrap_or_else(|| found.lines().count().min(text.lines().count())) + 1
    );
}

#[test]
fn the_python_classes_are_those_of_the_catalogue() {
    agrees("python/ossature/_learners.py", &python::module(&Catalogue::standard()));
}

#[test]
fn the_table_of_learners_is_that_of_the_catalogue() {
    agrees("docs/LEARNERS.md", &tables::learners(&Catalogue::standard()));
}

#[test]
fn the_table_of_settings_is_that_of_the_catalogue() {
    agrees("docs/SETTINGS.md", &tables::settings(&Catalogue::standard()));
}

#[test]
fn a_learner_of_ones_own_is_written_down_as_well() {
    let mut catalogue = Catalogue::standard();
    catalogue.learners.push(LearnerRow {
        name: "toy-search",
        class: "ToySearch",
        title: "Hill climbing under another name",
        citation: "Nobody (2026)",
        how: How::Halves { restrict: None, maximise: Some("hc") },
        defaults: &[("max-parents", || ossature::learn::Value::Whole(2))],
    });
    let python = python::module(&catalogue);
    assert!(python.contains("\nclass ToySearch(DagLearner):\n    \"\"\"Hill climbing under another name.\n"));
    assert!(python.contains("        max_parents: int | None = 2,\n"), "its own default");
    assert!(python.contains("\ndef toy_search(X: Frame, **settings: Unpack[_ToySearchKeywords]) -> Dag:\n"));
    assert!(
        python.contains("    \"ToySearch\",\n") && python.contains("    \"toy_search\",\n"),
        "both public"
    );
    assert!(tables::learners(&catalogue).contains("| `toy-search` | `ToySearch` |"));
    let settings = tables::settings(&catalogue);
    let row = settings.lines().find(|line| line.starts_with("| `--max-parents`")).unwrap();
    assert!(row.contains("toy-search"), "{row}");
}
