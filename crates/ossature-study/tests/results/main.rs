//! The tables of `docs/RESULTS.md` and the figures in its sentences are those of the rows in `bench/runs`.
//! `OSSATURE_BLESS=1 cargo test -p ossature-study --test results` writes them again.

#![allow(clippy::unwrap_used)]

mod figures;
mod learners;
mod prose;
mod tables;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use ossature_study::{Claim, Folder, Kind, Row, Summary, Verdict, merge, report};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A study of `bench/runs`, unpacked, with its report.
fn study(name: &str) -> (tempfile::TempDir, Folder) {
    let from = root().join("bench/runs").join(name);
    let dir = tempfile::tempdir().unwrap();
    let part = dir.path().join("part");
    fs::create_dir(&part).unwrap();
    fs::copy(from.join("study.json"), part.join("study.json")).unwrap();
    let rows = ossature::file::read_text(&from.join("rows.csv.gz")).unwrap();
    fs::write(part.join("rows.csv"), rows).unwrap();
    let mut folder = merge(&[part], &dir.path().join("whole")).unwrap().folder;
    folder.finish(None).unwrap();
    report::write(&folder).unwrap();
    (dir, folder)
}

/// The lines of a table beside the report.
fn table(folder: &Folder, name: &str) -> Lines {
    let mut reader = csv::Reader::from_path(folder.path().join(name)).unwrap();
    reader.deserialize().map(|line| line.unwrap()).collect()
}

type Lines = Vec<BTreeMap<String, String>>;

/// The lines of a table in `bench/runs`.
fn lines(path: &str) -> Lines {
    let mut reader = csv::Reader::from_path(root().join("bench/runs").join(path)).unwrap();
    reader.deserialize().map(|line| line.unwrap()).collect()
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}

#[test]
fn the_results_are_those_of_the_rows() {
    let (_a, main) = study("2026-11-15-study");
    let (_b, single) = study("2026-11-15-study/single");
    let (_c, fdr) = study("2026-11-15-study/fdr");
    let (_d, testers) = study("2026-11-15-testers");
    let (_e, grid) = study(BEST);
    let path = root().join("docs/RESULTS.md");
    let mut text = fs::read_to_string(&path).unwrap();
    let before = text.clone();
    for (name, table) in [
        ("best", accurate(&grid, &lines(&format!("{BEST}/large.csv")))),
        ("statements", statements(&main)),
        ("times", times(&main) + &last_of_times(&single)),
        ("SHD", values(&main, "shd", 1)),
        ("distances", values(&main, "distance", 3)),
        ("testers at 500 rows", by_learner(&testers, 500)),
        ("testers at 5000 rows", by_learner(&testers, 5000)),
        ("scorers", tables::scorers(&lines("2026-11-16-scorers/rows.csv"))),
        ("held out", tables::held_out(&lines("2026-11-16-held-out/rows.csv"))),
        ("missing", tables::missing(&lines("2026-11-16-missing/rows.csv"))),
    ] {
        let (begin, end) = (format!("<!-- generated: {name} -->\n"), "<!-- end -->\n");
        let from = text.find(&begin).unwrap_or_else(|| panic!("there is no place for {name}")) + begin.len();
        let to = from + text[from..].find(end).unwrap_or_else(|| panic!("{name} has no end"));
        text.replace_range(from..to, &format!("\n{table}\n"));
    }
    let runs = figures::Runs { main: &main, single: &single, fdr: &fdr, testers: &testers, grid: &grid };
    let text = prose::filled(&text, &figures::sentences(&runs), &figures::GIVEN);
    if std::env::var_os("OSSATURE_BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    } else if let Some((is, was)) = text.lines().zip(before.lines()).find(|(is, was)| is != was) {
        panic!(
            "docs/RESULTS.md is not what the rows say; the head of this file says how to write it again\n{was}\nshould be\n{is}"
        );
    } else {
        assert_eq!(text.len(), before.len(), "docs/RESULTS.md is longer or shorter than the rows say");
    }
}

/// The folder of the grid with `best`.
const BEST: &str = "2026-11-18-best-grid";

/// The section for the grid with `best`: its heading, what was run, and a table for each size. `large` has the rows
/// of the two networks on which not every learner ends.
fn accurate(folder: &Folder, large: &Lines) -> String {
    let names: Vec<&str> = folder.manifest.learners.iter().map(|l| l.name.as_str()).collect();
    let mut out = format!(
        "## The most accurate learner on the paper's grid\n\nThe paper's grid with {}, each as recommended; [bench/runs/{BEST}](../bench/runs/{BEST}) has the rows and \
         the commands. Each entry is the mean SHD of {} samples, on munin1 and link of five, or of the number in brackets: there ges and tabu had a minute for a sample, \
         and \"-\" means that none ended. With few rows for many levels BDeu adds hundreds of arcs, and thousands between columns that are constant in the sample.\n",
        names.join(", "),
        folder.manifest.samples
    );
    let summary = Summary::of(&folder.manifest, &folder.rows);
    for &size in &folder.manifest.sizes {
        write!(out, "\n| {size} rows | {} |\n|---|{}\n", names.join(" | "), "---|".repeat(names.len()))
            .unwrap();
        for network in &folder.manifest.networks {
            let mean = |learner: &&str| {
                let value = summary.value(&network.name, learner, "shd", size);
                value.map_or_else(|| "-".into(), |value| format!("{:.1}", value.mean))
            };
            row(&mut out, &network.name, names.iter().map(mean));
        }
        for network in ["munin1", "link"] {
            let of = |line: &&BTreeMap<String, String>| {
                line["network"] == network && number(&line["size"]) == Some(size as f64)
            };
            row(&mut out, network, names.iter().map(|&learner| of_some(large.iter().filter(of), learner)));
        }
    }
    out
}

/// The mean SHD of a learner over the samples that have one, and their number if it is not five.
fn of_some<'a>(lines: impl Iterator<Item = &'a BTreeMap<String, String>>, learner: &str) -> String {
    let found: Vec<f64> =
        lines.filter(|line| line["learner"] == learner).filter_map(|line| number(&line["shd"])).collect();
    match found.len() {
        0 => "-".into(),
        5 => format!("{:.1}", found.iter().sum::<f64>() / 5.0),
        n => format!("{:.1} ({n})", found.iter().sum::<f64>() / n as f64),
    }
}

fn statements(folder: &Folder) -> String {
    let mut out = String::from(
        "| statement | holds? | at 50, 100, 200, 500, 1500, 5000 rows, or by network |\n|---|---|---|\n",
    );
    for claim in Claim::all(&folder.manifest, &Summary::of(&folder.manifest, &folder.rows)) {
        let not_at = match claim.verdict {
            Verdict::InPart => format!(", not at {}", claim.exceptions.join("; ")),
            _ => String::new(),
        };
        let plain = claim.numbers.len() == folder.manifest.sizes.len()
            || claim.numbers.iter().all(|(at, _)| at.contains(" to "));
        let shown =
            |(at, shown): &(String, String)| if plain { shown.clone() } else { format!("{at}: {shown}") };
        let numbers: Vec<String> = claim.numbers.iter().map(shown).collect();
        writeln!(out, "| {} | {}{not_at} | {} |", claim.title, claim.verdict, numbers.join(" · ")).unwrap();
    }
    out
}

/// The ratios of times, with the paper's in brackets.
fn times(folder: &Folder) -> String {
    let lines = table(folder, "table2.csv");
    let mut out = head(folder, "network");
    let names = folder.manifest.networks.iter().map(|n| n.name.as_str()).chain(["all"]);
    for name in names {
        let of = lines.iter().filter(|line| line["network"] == name);
        let cell = |line: &BTreeMap<String, String>| {
            let paper = number(&line["paper_mean"]).map(|x| format!(" ({x:.2})")).unwrap_or_default();
            format!("{}{paper}", spread(line))
        };
        row(&mut out, name, of.map(cell));
    }
    out
}

fn last_of_times(single: &Folder) -> String {
    let mut out = String::new();
    let lines = table(single, "table2.csv");
    row(&mut out, "all, one tie order", lines.iter().filter(|line| line["network"] == "all").map(spread));
    out
}

fn spread(line: &BTreeMap<String, String>) -> String {
    let (mean, sd) = (number(&line["mean"]).unwrap(), number(&line["sd"]).unwrap());
    format!("{mean:.2} ±{sd:.1}")
}

/// The means of a measure for both learners.
fn values(folder: &Folder, key: &str, digits: usize) -> String {
    let summary = Summary::of(&folder.manifest, &folder.rows);
    let mut out = head(folder, "network");
    for network in &folder.manifest.networks {
        let mean = |learner: &str, size| summary.value(&network.name, learner, key, size).unwrap().mean;
        let cell =
            |&size: &usize| format!("{:.digits$} / {:.digits$}", mean("h2pc", size), mean("mmhc", size));
        row(&mut out, &network.name, folder.manifest.sizes.iter().map(cell));
    }
    out
}

/// SHD, false and missing edges, and time of each learner at one size.
fn by_learner(folder: &Folder, size: usize) -> String {
    let names: Vec<&str> = folder.manifest.learners.iter().map(|l| l.name.as_str()).collect();
    let mut out = format!("| network | {} |\n|---|{}\n", names.join(" | "), "---|".repeat(names.len()));
    for network in &folder.manifest.networks {
        let cell = |learner: &&str| {
            let of = |kind: Kind, value: fn(&Row) -> Option<f64>| {
                let mine = |r: &&Row| {
                    r.network == network.name && r.size == size && r.learner == *learner && r.kind == kind
                };
                let values: Vec<f64> = folder.rows.iter().filter(mine).filter_map(value).collect();
                values.iter().sum::<f64>() / values.len() as f64
            };
            let seconds = match of(Kind::Timing, |r| r.seconds_total) {
                s if s < 0.1 => format!("{:.1} ms", s * 1e3),
                s if s < 10.0 => format!("{s:.2} s"),
                s => format!("{s:.0} s"),
            };
            format!(
                "{:.1} · {:.1} + {:.1} · {seconds}",
                of(Kind::Accuracy, |r| r.shd.map(|n| n as f64)),
                of(Kind::Accuracy, |r| r.skeleton_fp.map(|n| n as f64)),
                of(Kind::Accuracy, |r| r.skeleton_fn.map(|n| n as f64)),
            )
        };
        row(&mut out, &network.name, names.iter().map(cell));
    }
    out
}

fn head(folder: &Folder, corner: &str) -> String {
    let sizes: Vec<String> = folder.manifest.sizes.iter().map(ToString::to_string).collect();
    format!("| {corner} | {} |\n|---|{}\n", sizes.join(" | "), "---|".repeat(sizes.len()))
}

fn row(out: &mut String, name: &str, cells: impl Iterator<Item = String>) {
    writeln!(out, "| {name} | {} |", cells.collect::<Vec<_>>().join(" | ")).unwrap();
}
