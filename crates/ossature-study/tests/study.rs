//! A study from end to end: its rows depend only on its settings.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ossature::learn::{Asked, Catalogue, Preset, Value};
use ossature::{Result, Stop};
use ossature_study::{
    CellsDone, Ended, Folder, Grid, Kind, NamedLearner, NetworkSource, ROWS, Row, RunInfo, Shard, Study,
    merge, report, run,
};

fn small() -> Study {
    let networks = ["asia", "cancer"].map(|name| NetworkSource::new(name).unwrap()).to_vec();
    Study { networks, sizes: vec![30, 80], samples: 3, new_rows: 100, ..Study::default() }
}

fn grid(study: &Study) -> Result<Grid> {
    Grid::new(study.clone(), &Catalogue::standard())
}

fn learner(name: &str, preset: Preset) -> NamedLearner {
    NamedLearner::of(name, preset, &Catalogue::standard()).unwrap()
}

fn run_info() -> RunInfo {
    RunInfo::now("test".into(), 2)
}

fn open(study: &Study, path: &Path) -> Result<Folder> {
    Folder::open(path, &grid(study)?, run_info())
}

/// Runs a study to its end with this number of threads.
fn complete(study: &Study, path: &Path, threads: usize) -> (Folder, Ended) {
    let grid = grid(study).unwrap();
    let mut folder = Folder::open(path, &grid, run_info()).unwrap();
    let ended = run(&mut folder, &grid, threads, &|_| ControlFlow::Continue(())).unwrap();
    folder.finish(Some(1.0)).unwrap();
    (folder, ended)
}

/// The rows of a file without the values that differ from run to run.
fn timeless(path: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path.join(ROWS)).unwrap();
    let rows = reader.deserialize().map(|row| {
        let row: Row = row.unwrap();
        Row { seconds_restrict: None, seconds_maximise: None, seconds_total: None, peak_bytes: None, ..row }
    });
    rows.collect()
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("study");
    (dir, path)
}

#[test]
fn threads_do_not_matter_and_rows_are_in_the_order_of_the_grid() {
    let study = Study { timing: true, ..small() };
    let (_a, one) = folder();
    let (_b, many) = folder();
    let (_, ended) = complete(&study, &one, 1);
    complete(&study, &many, 7);
    assert_eq!(ended, Ended::Complete { failed: 0 });
    let rows = timeless(&one);
    assert_eq!(rows, timeless(&many));
    assert_eq!(rows.len(), 2 * 2 * 3 * 2 * 2);
    let begin: Vec<String> = rows[..5]
        .iter()
        .map(|r| format!("{} {} {} {} {:?}", r.network, r.size, r.sample, r.learner, r.kind))
        .collect();
    assert_eq!(
        begin,
        [
            "asia 30 1 h2pc Accuracy",
            "asia 30 1 h2pc Timing",
            "asia 30 1 mmhc Accuracy",
            "asia 30 1 mmhc Timing",
            "asia 30 2 h2pc Accuracy"
        ]
    );
    assert!(rows.windows(2).all(|w| w[0].sample != w[1].sample || w[0].seed == w[1].seed), "the same sample");
}

#[test]
fn a_sample_is_the_same_whatever_else_is_in_the_grid() {
    let (_a, all) = folder();
    let (_b, alone) = folder();
    complete(&small(), &all, 2);
    let cancer = vec![NetworkSource::new("cancer").unwrap()];
    complete(&Study { networks: cancer, sizes: vec![80], ..small() }, &alone, 2);
    let mut rows = timeless(&all);
    rows.retain(|row| row.network == "cancer" && row.size == 80);
    assert_eq!(rows, timeless(&alone));
    let (_c, other) = folder();
    complete(&Study { seed: 1, ..small() }, &other, 2);
    assert_ne!(timeless(&all), timeless(&other), "another seed, other samples");
}

#[test]
fn shards_joined_are_the_whole() {
    let study = Study { timing: true, ..small() };
    let (_a, whole) = folder();
    complete(&study, &whole, 2);
    let (_b, parts) = folder();
    let part = |index| parts.join(index_name(index));
    for index in 1..=3 {
        complete(&Study { shard: Some(Shard { index, of: 3 }), ..study.clone() }, &part(index), 2);
    }
    let mut two = merge(&[part(1), part(3)], &parts.join("two")).unwrap();
    assert_eq!(two.missing.len(), 4 * 2 * 2);
    assert!(two.missing[0].contains("sample 2, h2pc"), "{:?}", two.missing);
    two.folder.finish(None).unwrap();
    let mut merged = merge(&[part(2), part(1), part(3), part(1)], &parts.join("all")).unwrap();
    assert_eq!(merged.folder.manifest.runs.len(), 3, "a folder that is named twice ran once");
    assert_eq!(merged.missing, Vec::<String>::new());
    merged.folder.finish(None).unwrap();
    assert_eq!(timeless(&parts.join("all")), timeless(&whole));
    // Joined shards are a study like any other, which can continue.
    drop((two, merged));
    assert_eq!(complete(&study, &parts.join("two"), 2).1, Ended::Complete { failed: 0 });
    assert_eq!(timeless(&parts.join("two")), timeless(&whole));
}

fn index_name(index: usize) -> String {
    format!("part{index}")
}

#[test]
fn shards_of_different_studies_are_not_joined() {
    let (_a, path) = folder();
    complete(&small(), &path.join("a"), 2);
    complete(&Study { seed: 7, ..small() }, &path.join("b"), 2);
    let refused = merge(&[path.join("a"), path.join("b")], &path.join("c")).unwrap_err().to_string();
    assert!(refused.contains("the seed is 7, now 0"), "{refused}");
    let refused = merge(&[path.join("a")], &path.join("b")).unwrap_err().to_string();
    assert!(refused.contains("already holds a study"), "{refused}");
    // The same settings with another result: the rows were changed.
    complete(&small(), &path.join("d"), 2);
    let rows = fs::read_to_string(path.join("d/rows.csv")).unwrap();
    let mut cells: Vec<&str> = rows.lines().nth(1).unwrap().split(',').collect();
    cells[6] = "77";
    let changed = rows.replacen(rows.lines().nth(1).unwrap(), &cells.join(","), 1);
    fs::write(path.join("d/rows.csv"), changed).unwrap();
    let refused = merge(&[path.join("a"), path.join("d")], &path.join("e")).unwrap_err().to_string();
    assert!(refused.contains("different results for asia, 30 rows, sample 1, h2pc"), "{refused}");
}

/// Stops a run after a number of reports.
fn after(looks: usize) -> impl Fn(CellsDone) -> ControlFlow<Stop> + Sync {
    let looks = AtomicUsize::new(looks);
    move |_| {
        let left = looks.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| Some(n.saturating_sub(1)));
        if left == Ok(0) { ControlFlow::Break(Stop::Finish) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn a_study_tells_how_far_it_is_and_how_long_it_will_take() {
    let study = small();
    let (_a, path) = folder();
    let grid = grid(&study).unwrap();
    let told = Mutex::new(Vec::new());
    let follow = |cells: CellsDone| {
        told.lock().unwrap().push(cells);
        ControlFlow::Continue(())
    };
    run(&mut open(&study, &path).unwrap(), &grid, 1, &follow).unwrap();
    let told = told.into_inner().unwrap();
    assert_eq!(told[0], CellsDone { done: 0, total: grid.cells(), seconds_left: None });
    assert!(told.is_sorted_by_key(|cells| cells.done));
    let later = told.iter().find(|cells| cells.done > 0).unwrap();
    assert!(later.seconds_left.unwrap() > 0.0);
}

#[test]
fn a_stopped_study_goes_on_and_ends_with_the_same_rows() {
    let study = small();
    let (_a, whole) = folder();
    complete(&study, &whole, 2);
    let (_b, path) = folder();
    let grid = grid(&study).unwrap();
    let mut stops = 0;
    for looks in (10..).step_by(10) {
        let mut folder = open(&study, &path).unwrap();
        let before = folder.rows.len();
        match run(&mut folder, &grid, 2, &after(looks)).unwrap() {
            Ended::Stopped { left } => assert_eq!(left, grid.cells() - folder.rows.len()),
            Ended::Complete { failed } => {
                assert_eq!(failed, 0);
                folder.finish(None).unwrap();
                break;
            }
        }
        assert!(folder.rows.len() >= before && folder.rows.iter().all(|row| row.error.is_none()));
        stops += 1;
    }
    assert!(stops > 1, "it was stopped {stops} times");
    assert_eq!(timeless(&path), timeless(&whole));
}

#[test]
fn a_torn_last_line_is_dropped_and_other_damage_is_an_error() {
    let study = small();
    let (_a, path) = folder();
    complete(&study, &path, 2);
    let whole = timeless(&path);
    let text = fs::read_to_string(path.join(ROWS)).unwrap();
    for torn in [text.len() - 1, text.len() - 20, text.len() / 2, 30, 0] {
        fs::write(path.join(ROWS), &text[..torn]).unwrap();
        let (folder, ended) = complete(&study, &path, 2);
        assert_eq!((ended, folder.rows.len()), (Ended::Complete { failed: 0 }, whole.len()));
        drop(folder);
        assert_eq!(timeless(&path), whole, "cut at {torn}");
    }
    fs::write(path.join(ROWS), text.replacen("accuracy", "accurate", 1)).unwrap();
    let refused = open(&study, &path).unwrap_err().to_string();
    assert!(refused.contains("rows.csv, line 2") && refused.contains("accurate"), "{refused}");
    fs::write(path.join(ROWS), text.replacen("asia,30,1,", "asia,31,1,", 1)).unwrap();
    let refused = open(&study, &path).unwrap_err().to_string();
    assert!(refused.contains("a row for asia, 31 rows, sample 1, h2pc"), "{refused}");
    let refused = merge(std::slice::from_ref(&path), &path.join("merged")).unwrap_err().to_string();
    assert!(refused.contains("a row for asia, 31 rows, sample 1, h2pc"), "{refused}");
}

#[test]
fn a_line_torn_inside_a_character_is_dropped() {
    let mut study = small();
    study.learners[1].name = "größer".into();
    let (_a, path) = folder();
    complete(&study, &path, 2);
    let whole = timeless(&path);
    let bytes = fs::read(path.join(ROWS)).unwrap();
    let inside = bytes.iter().rposition(|&byte| byte == "ß".as_bytes()[0]).unwrap() + 1;
    fs::write(path.join(ROWS), &bytes[..inside]).unwrap();
    assert_eq!(complete(&study, &path, 2).1, Ended::Complete { failed: 0 });
    assert_eq!(timeless(&path), whole);
}

/// The cells of the first row, with one of them changed.
fn with_cell(rows: &str, column: &str, value: &str) -> String {
    let at = rows.lines().next().unwrap().split(',').position(|name| name == column).unwrap();
    let line = rows.lines().nth(1).unwrap();
    let mut cells: Vec<&str> = line.split(',').collect();
    cells[at] = value;
    rows.replacen(line, &cells.join(","), 1)
}

#[test]
fn rows_are_not_trusted_further_than_they_can_be() {
    let study = small();
    let (_a, path) = folder();
    complete(&study, &path, 2);
    let whole = timeless(&path);
    let text = fs::read_to_string(path.join(ROWS)).unwrap();
    let refused = |text: String| {
        fs::write(path.join(ROWS), text).unwrap();
        open(&study, &path).unwrap_err().to_string()
    };
    for (text, part) in [
        (text.replacen("recall,", "", 1), "rows.csv, line 1"),
        (text.replacen("precision,recall", "recall,precision", 1), "rows.csv, line 1"),
        (with_cell(&text, "seed", "7"), "the seed 7 for asia, 30 rows, sample 1, h2pc"),
        (with_cell(&text, "recall", "NaN"), "not finite for asia, 30 rows, sample 1, h2pc"),
        (with_cell(&text, "seconds_total", "inf"), "not finite"),
    ] {
        let message = refused(text);
        assert!(message.contains(part), "{part:?} is not in {message:?}");
    }
    // A row without a result is done again.
    let row = text.lines().nth(1).unwrap();
    let key: Vec<&str> = row.split(',').take(6).collect();
    let empty = text.replacen(row, &format!("{}{}", key.join(","), ",".repeat(24)), 1);
    fs::write(path.join(ROWS), empty).unwrap();
    assert_eq!(open(&study, &path).unwrap().rows.len(), whole.len() - 1);
    complete(&study, &path, 2);
    assert_eq!(timeless(&path), whole);
}

#[test]
fn a_stopped_run_leaves_no_report_of_fewer_rows() {
    let (_a, path) = folder();
    let written = report::write(&complete(&small(), &path, 2).0).unwrap();
    let resumed = |study: &Study, looks: usize| {
        let mut folder = open(study, &path).unwrap();
        run(&mut folder, &grid(study).unwrap(), 2, &after(looks)).unwrap()
    };
    assert_eq!(resumed(&small(), 0), Ended::Complete { failed: 0 });
    assert!(path.join("report.html").exists(), "there was nothing to do");
    assert!(matches!(resumed(&Study { samples: 4, ..small() }, 0), Ended::Stopped { .. }));
    assert_eq!(written.files.iter().filter(|file| file.exists()).count(), 0, "{:?}", written.files);
}

#[test]
fn a_folder_of_other_settings_is_refused_and_a_study_may_grow() {
    let (_a, path) = folder();
    complete(&small(), &path, 2);
    let refused = |study: Study| open(&study, &path).unwrap_err().to_string();
    assert!(refused(Study { new_rows: 7, ..small() }).contains("the number of new rows is 100, now 7"));
    let mut other = small();
    let alpha =
        Asked { preset: Some(Preset::Paper), ..Asked::learner("h2pc").with("alpha", Value::Number(0.2)) };
    other.learners[0] = NamedLearner::new("h2pc", &alpha, &Catalogue::standard()).unwrap();
    assert!(refused(other).contains("alpha of h2pc is 0.05, now 0.2"));
    let more = Study { samples: 4, sizes: vec![30, 80, 120], timing: true, ..small() };
    let (_b, fresh) = folder();
    complete(&more, &path, 2);
    complete(&more, &fresh, 2);
    assert_eq!(timeless(&path), timeless(&fresh));
    assert!(refused(small()).contains("it has 4 samples, now 3"));
    fs::remove_file(path.join("study.json")).unwrap();
    assert!(refused(more).contains("no study.json"));
}

#[test]
fn only_one_run_at_a_time_has_a_folder() {
    let (_a, path) = folder();
    let first = open(&small(), &path).unwrap();
    assert!(open(&small(), &path).unwrap_err().to_string().contains("another run is writing"));
    drop(first);
    open(&small(), &path).unwrap();
}

/// A size for which no sample can be drawn.
const TOO_LARGE: usize = 1 << 40;

#[test]
fn a_failing_cell_is_recorded_and_tried_again() {
    let study = Study { sizes: vec![30, TOO_LARGE], timing: true, ..small() };
    let (_a, path) = folder();
    let (folder, ended) = complete(&study, &path, 2);
    assert_eq!(ended, Ended::Complete { failed: 2 * 3 * 2 * 2 });
    assert_eq!(folder.rows.len(), 2 * 2 * 3 * 2 * 2);
    let failed = folder.rows.iter().find(|row| row.size == TOO_LARGE).unwrap();
    assert!(failed.error.as_ref().unwrap().contains("the limit is"), "{failed:?}");
    assert!(folder.rows.iter().all(|row| row.error.is_some() == (row.size == TOO_LARGE)));
    let written = report::write(&folder).unwrap();
    assert!(fs::read_to_string(&written.page).unwrap().contains("24 cells failed"));
    drop(folder);
    assert_eq!(open(&study, &path).unwrap().rows.len(), 24, "only the good ones are kept");
}

#[test]
fn a_cell_that_reaches_its_limit_says_so_and_is_tried_again() {
    let (_dir, path) = folder();
    let short = Study { cell_limit: Some(Duration::from_nanos(1)), ..small() };
    let (stopped, ended) = complete(&short, &path, 2);
    let cells = 2 * 2 * 3 * 2;
    assert_eq!(ended, Ended::Complete { failed: cells });
    let why = "took longer than the limit of 0.000000001 s for a cell";
    assert!(stopped.rows.iter().all(|row| row.error.as_deref() == Some(why) && row.shd.is_none()));
    drop(stopped);
    let (whole, ended) = complete(&small(), &path, 2);
    assert_eq!(ended, Ended::Complete { failed: 0 });
    assert!(whole.rows.len() == cells && whole.rows.iter().all(|row| row.shd.is_some()));
}

#[test]
fn learners_without_one_half_have_empty_columns() {
    let learners = ["hc", "hpc"].map(|name| learner(name, Preset::Paper)).to_vec();
    let (_a, path) = folder();
    let (folder, ended) = complete(&Study { learners, ..small() }, &path, 2);
    assert_eq!(ended, Ended::Complete { failed: 0 });
    for row in &folder.rows {
        let free = row.learner == "hc";
        assert_eq!((row.shd.is_some(), row.bdeu_new.is_some()), (free, free));
        assert_eq!((row.recall.is_some(), row.tests.is_some()), (!free, !free));
        assert_eq!((row.kind, row.peak_bytes), (Kind::Accuracy, None));
    }
    let page = fs::read_to_string(report::write(&folder).unwrap().page).unwrap();
    assert!(page.contains("The paper compares H2PC with MMHC, which this study does not do"));
}

#[test]
fn a_study_of_one_learner_has_values_and_nothing_to_compare() {
    let (_a, path) = folder();
    let (folder, _) =
        complete(&Study { learners: vec![learner("tabu", Preset::Paper)], ..small() }, &path, 2);
    let page = fs::read_to_string(report::write(&folder).unwrap().page).unwrap();
    assert!(page.contains("Network by network") && !page.contains("<svg") && !page.contains("figure1"));
    assert!(!path.join("figure1.svg").exists());
}

#[test]
fn numbers_read_back_exactly() {
    let (_a, path) = folder();
    let (folder, _) = complete(&small(), &path, 2);
    let mut reader = csv::Reader::from_path(path.join(ROWS)).unwrap();
    let read: Vec<Row> = reader.deserialize().map(|row| row.unwrap()).collect();
    assert_eq!(read, folder.rows);
}

#[test]
fn the_report_is_one_page_with_everything() {
    let study = Study { timing: true, ..small() };
    let (_a, path) = folder();
    let (folder, _) = complete(&study, &path, 2);
    let written = report::write(&folder).unwrap();
    let page = fs::read_to_string(&written.page).unwrap();
    assert_eq!(page.matches("<svg").count(), 12 + 2, "two figures of six, and SHD by network at each size");
    assert_eq!(page.matches("class=\"named\"").count(), 2 * 2, "a dot for each network and size");
    assert!(page.find("id=\"figure1\"") < page.find("id=\"claims\""), "figures before cards");
    for letter in ["(a) ", "(f) "] {
        assert_eq!(
            page.matches(&format!("font-weight=\"600\">{letter}")).count(),
            if letter == "(a) " { 3 } else { 2 }
        );
    }
    assert_eq!(page.matches("class=\"point\"").count(), 12 * 2, "a mark for each panel and size");
    assert!(!page.contains("<script") && !page.contains(" src=") && !page.contains("NaN"));
    for address in page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        let known = address.starts_with('#')
            || address.starts_with("data:")
            || address.starts_with("https://doi.org/");
        assert!(known || path.join(address).exists(), "{address}");
    }
    for file in [
        "figure1.svg",
        "figure2.svg",
        "figure3.svg",
        "summary.csv",
        "values.csv",
        "table2.csv",
        "claims.csv",
        "increases.tex",
        "table2.tex",
        "shd.tex",
    ] {
        assert!(written.files.contains(&path.join(file)), "{file}");
    }
    let pair = "<b>h2pc</b> and <b>mmhc</b>. Not as in the paper: 0 of its 8 networks; networks";
    assert!(page.contains(pair) && !page.contains("run again"), "it is not the paper's study");
    let differences = page.matches("False positive ratio of the skeleton (difference)").count();
    assert_eq!(differences, 1 + 2, "of all networks and of each");
    // The same rows give the same page.
    report::write(&folder).unwrap();
    assert_eq!(fs::read_to_string(&written.page).unwrap(), page);
}

#[test]
fn three_learners_are_ranked() {
    let mut study = small();
    study.learners.push(learner("hc", Preset::Paper));
    let (_a, path) = folder();
    let (folder, _) = complete(&study, &path, 2);
    let written = report::write(&folder).unwrap();
    let page = fs::read_to_string(&written.page).unwrap();
    assert_eq!(page.matches("class=\"chart ranks\"").count(), 2, "a diagram for each size");
    assert!(page.contains("critical difference") && page.contains("Friedman p"));
    assert!(page.contains("cannot show a difference at 5 %"), "of two networks");
    let ranks = fs::read_to_string(path.join("ranks.csv")).unwrap();
    assert!(
        ranks.starts_with("size,measure,learner,mean_rank,networks,friedman_p,critical_difference\n"),
        "{ranks}"
    );
    assert!(path.join("ranks.svg").exists());
}
