//! `ossature sample`: rows drawn from a network.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ossature::Dataset;
use serde::Serialize;

use crate::args::Sample;
use crate::failure::Failure;
use crate::plan::{Source, check_destination, extension};
use crate::render::{self, count};
use crate::session::Session;

/// What was done, as `--json` shows it.
#[derive(Serialize)]
struct Done<'a> {
    network: String,
    rows: usize,
    variables: usize,
    seed: u64,
    output: Vec<&'a Path>,
    version: &'static str,
}

/// A text file of rows.
pub(super) struct Target<'a> {
    pub(super) path: &'a Path,
    pub(super) form: Form,
}

#[derive(Clone, Copy)]
pub(super) enum Form {
    Csv,
    Tsv,
}

impl Form {
    pub(super) fn delimiter(self) -> u8 {
        match self {
            Form::Csv => b',',
            Form::Tsv => b'\t',
        }
    }
}

pub(super) fn run(args: &Sample, session: &Session<'_>) -> Result<(), Failure> {
    let targets = args.output.iter().map(|path| target(path)).collect::<Result<Vec<_>, _>>()?;
    let source = Source::new(&args.net)?;
    let network = source.network(session)?;
    let data = network.sample(args.rows, session.seed, session.progress()).map_err(|e| session.failure(e))?;
    session.detail(format!("drawn: {}", count(args.rows as u64, "row")));
    if targets.is_empty() {
        return session.print(|out| write(&data, Form::Csv, out));
    }
    for t in &targets {
        session.write(t.path, |out| write(&data, t.form, out))?;
        session.note(format!(
            "wrote {}: {} of {} (seed {})",
            t.path.display(),
            count(args.rows as u64, "row"),
            source,
            session.seed
        ));
    }
    if args.json {
        let done = Done {
            network: source.to_string(),
            rows: data.rows(),
            variables: data.variables().len(),
            seed: session.seed,
            output: args.output.iter().map(PathBuf::as_path).collect(),
            version: env!("CARGO_PKG_VERSION"),
        };
        session.print(|out| render::json(&done, out))?;
    }
    Ok(())
}

pub(super) fn target(path: &Path) -> Result<Target<'_>, Failure> {
    let form = match extension(path).as_deref() {
        Some("csv") => Form::Csv,
        Some("tsv") => Form::Tsv,
        _ => {
            return Err(Failure::usage(format!("cannot tell from {} how to write rows", path.display()))
                .help("the file must end in .csv or .tsv (each also with .gz)"));
        }
    };
    check_destination(path)?;
    Ok(Target { path, form })
}

fn write(data: &Dataset, form: Form, out: &mut dyn Write) -> io::Result<()> {
    match form {
        Form::Csv => data.write_csv(out),
        Form::Tsv => data.write_tsv(out),
    }
}
