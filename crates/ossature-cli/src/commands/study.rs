//! `ossature study`: the paper's experiment, and `study merge`, which joins its shards.

use std::path::Path;
use std::time::Instant;

use ossature::Error;
use ossature_study::report::{self, Written};
use ossature_study::{Config, Ended, Folder, Grid, Merged, NetworkSource, Verdict, merge};
use serde::Serialize;

use crate::args::{Merge, Study, StudyCommand};
use crate::failure::Failure;
use crate::plan;
use crate::render::{self, Align, count, listed};
use crate::session::Session;

/// The result, as `--json` shows it.
#[derive(Serialize)]
struct Outcome<'a> {
    complete: bool,
    cells: usize,
    failed: usize,
    missing: usize,
    report: Option<&'a Path>,
    claims: Vec<ClaimReport<'a>>,
    version: &'static str,
}

#[derive(Serialize)]
struct ClaimReport<'a> {
    title: &'a str,
    verdict: String,
    exceptions: &'a [String],
    numbers: serde_json::Map<String, serde_json::Value>,
}

pub(super) fn run(args: &Study, session: &Session<'_>) -> Result<(), Failure> {
    if let Some(StudyCommand::Merge(args)) = &args.merge {
        return join(args, session);
    }
    let output = args.output.as_deref().ok_or_else(|| Failure::usage("-o DIR is missing"))?;
    check_folder(output)?;
    let study = study(args, session)?;
    // The rows that are done are kept, whenever it ends; but the wait for a pipe that nobody writes to ends at the
    // limit.
    if !study.networks.iter().any(|network| matches!(network, NetworkSource::File(path) if is_special(path)))
    {
        session.has_something_to_show();
    }
    let grid = Grid::new(study, session.catalogue)?;
    session.has_something_to_show();
    let threads = rayon::current_num_threads();
    let this = ossature_study::RunInfo::now(command(), threads);
    let mut folder = Folder::open(output, &grid, this)?;
    let before = folder.rows.len();
    session.note(format!(
        "{} of {} to do on {}; if stopped, the same command resumes the study",
        render::thousands(grid.cells().saturating_sub(before) as u64),
        count(grid.cells() as u64, "cell"),
        count(threads as u64, "thread"),
    ));
    let clock = Instant::now();
    let ended = ossature_study::run(&mut folder, &grid, threads, &session.follow_study())?;
    let failed = match ended {
        Ended::Complete { failed } => failed,
        Ended::Stopped { left } => return stopped(args, &grid, failed(&folder), left, session),
    };
    let written = finish(&mut folder, Some(clock.elapsed().as_secs_f64()))?;
    show(&folder, &written, failed, 0, args.json, session)?;
    whole(failed, 0, "running the study again with this folder tries them again")
}

/// Refuses an output that is not a folder.
fn check_folder(output: &Path) -> Result<(), Failure> {
    if output == Path::new("-") {
        return Err(Failure::usage("a study writes many files, so -o needs the name of a folder; - is none"));
    }
    match output.metadata() {
        Ok(found) if !found.is_dir() => Err(Failure::usage(format!(
            "{} is a file; a study writes many files, so -o needs the name of a folder",
            output.display()
        ))
        .help("the folder is created if it does not exist")),
        _ => Ok(()),
    }
}

/// Whether it may have to wait for what it reads. A file that describes the study may name networks.
pub(super) fn may_wait(args: &Study) -> bool {
    let mut networks = args.networks.iter().flatten().map(Path::new);
    args.merge.is_some() || args.config.is_some() || networks.any(is_special)
}

/// Whether a path is something other than a plain file, such as a pipe.
fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file())
}

/// The study described by the options and the file.
fn study(args: &Study, session: &Session<'_>) -> Result<ossature_study::Study, Failure> {
    plan::each_once("--networks", args.networks.iter().flatten())?;
    plan::each_once("--sizes", args.sizes.iter().flatten())?;
    plan::each_once("--learners", args.learners.iter().flatten())?;
    let file = args.config.as_deref().map(Config::read).transpose()?.unwrap_or_default();
    let options = Config {
        seed: session.seed_given,
        networks: args.networks.clone(),
        sizes: args.sizes.clone(),
        samples: args.samples,
        learners: args.learners.clone(),
        preset: session.chosen.preset,
        new_rows: args.new_rows,
        timing: args.timing.then_some(true),
        cell_limit: args.cell_limit,
        learner: Vec::new(),
    };
    let base = if args.quick { ossature_study::Study::quick() } else { ossature_study::Study::default() };
    let base = ossature_study::Study { shard: args.shard, ..base };
    let study = file.overridden_by(options).study(base, session.catalogue);
    study.map_err(|e| {
        // Settings are in the file only.
        let typed = |name: &String| args.learners.iter().flatten().any(|typed| typed == name);
        let failure = match &e {
            Error::Setting { .. } => Failure::bad_input(e.to_string()),
            Error::UnknownName { what: "learner", name, .. } if typed(name) => {
                let failure = Failure::usage(e.to_string());
                return failure.help("`ossature learners` lists the learners");
            }
            _ => e.into(),
        };
        match &args.config {
            Some(path) => failure.help(format!("the study was read from {}", path.display())),
            None => failure,
        }
    })
}

/// The command line, for the record.
fn command() -> String {
    let words = std::env::args_os().skip(1).map(|word| {
        let word = word.to_string_lossy().into_owned();
        if word.contains(char::is_whitespace) { format!("'{word}'") } else { word }
    });
    ["ossature".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// Handles the time limit: finished rows are kept.
fn stopped(
    args: &Study,
    grid: &Grid,
    failed: usize,
    left: usize,
    session: &Session<'_>,
) -> Result<(), Failure> {
    session.warn(format!(
        "the time limit was reached with {} left; finished rows are kept, and the same command resumes the study",
        count(left as u64, "cell")
    ));
    if args.json {
        let outcome = Outcome {
            complete: false,
            cells: grid.cells(),
            failed,
            missing: left,
            report: None,
            claims: Vec::new(),
            version: env!("CARGO_PKG_VERSION"),
        };
        session.print(|out| render::json(&outcome, out))?;
    }
    Err(Failure::CutShort)
}

fn join(args: &Merge, session: &Session<'_>) -> Result<(), Failure> {
    check_folder(&args.output)?;
    let Merged { mut folder, missing } = merge(&args.parts, &args.output)?;
    let written = finish(&mut folder, None)?;
    let failed = failed(&folder);
    if !missing.is_empty() {
        session.warn(format!(
            "{} in none of the folders: {}",
            if missing.len() == 1 {
                "1 cell is".into()
            } else {
                format!("{} cells are", render::thousands(missing.len() as u64))
            },
            listed(missing.iter().map(|cell| format!("({cell})")))
        ));
    }
    show(&folder, &written, failed, missing.len(), args.json, session)?;
    let again = match missing.is_empty() {
        true => "running the study again in the folders of the failed cells tries them again",
        false => "merge all folders of the study, in one command, into a new one",
    };
    whole(failed, missing.len(), again)
}

/// The number of rows with an error.
fn failed(folder: &Folder) -> usize {
    folder.rows.iter().filter(|row| row.error.is_some()).count()
}

/// Sorts the rows and writes the report.
fn finish(folder: &mut Folder, seconds: Option<f64>) -> Result<Written, Failure> {
    folder.finish(seconds)?;
    Ok(report::write(folder)?)
}

fn show(
    folder: &Folder,
    written: &Written,
    failed: usize,
    missing: usize,
    json: bool,
    session: &Session<'_>,
) -> Result<(), Failure> {
    if json {
        let number = |(at, shown): &(String, String)| (at.clone(), shown.clone().into());
        let claims = written.claims.iter().map(|c| ClaimReport {
            title: c.title,
            verdict: c.verdict.to_string(),
            exceptions: &c.exceptions,
            numbers: c.numbers.iter().map(number).collect(),
        });
        let outcome = Outcome {
            complete: failed + missing == 0,
            cells: folder.rows.len() + missing,
            failed,
            missing,
            report: Some(&written.page),
            claims: claims.collect(),
            version: env!("CARGO_PKG_VERSION"),
        };
        return session.print(|out| render::json(&outcome, out));
    }
    let text = text(folder, written);
    session.show(&text)
}

/// The verdicts, and where to find the rest.
fn text(folder: &Folder, written: &Written) -> String {
    let lines: Vec<Vec<String>> = written
        .claims
        .iter()
        .map(|claim| {
            let verdict = match claim.verdict {
                Verdict::InPart => format!("in part (not for {})", claim.exceptions.join(", ")),
                other => other.to_string(),
            };
            let numbers: Vec<&str> = claim.numbers.iter().map(|(_, shown)| shown.as_str()).collect();
            vec![claim.title.to_owned(), verdict, numbers.join("  ")]
        })
        .collect();
    let verdicts = if written.claims.iter().all(|claim| claim.verdict == Verdict::NotMeasured) {
        "None of the paper's claims about H2PC and MMHC was measured.\n".into()
    } else {
        format!(
            "The paper's claims, and whether they hold here:\n{}",
            render::table(&[Align::Left; 3], &lines)
        )
    };
    format!(
        "{verdicts}\nrows    {}\nreport  {}\n",
        folder.path().join(ossature_study::ROWS).display(),
        written.page.display()
    )
}

/// A study with missing or failed cells is written, but is not a success.
fn whole(failed: usize, missing: usize, help: &str) -> Result<(), Failure> {
    if failed + missing == 0 {
        return Ok(());
    }
    let mut what = Vec::new();
    if failed > 0 {
        what.push(format!(
            "{} failed (the column error of {} says why)",
            count(failed as u64, "cell"),
            ossature_study::ROWS
        ));
    }
    if missing > 0 {
        what.push(format!("{} missing", count(missing as u64, "cell")));
    }
    Err(Failure::failed(what.join(", ")).help(help))
}
