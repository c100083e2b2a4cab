//! `ossature sample`: rows drawn from a network.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ossature::{Event, Network};
use serde::Serialize;

use crate::args::Sample;
use crate::failure::Failure;
use crate::plan::{Loaded, Source, extension};
use crate::render::{self, count};
use crate::session::Session;

/// What was done, as `--json` shows it.
#[derive(Serialize)]
struct Done<'a> {
    network: String,
    rows: usize,
    variables: usize,
    seed: u64,
    linear_gaussian: Option<u64>,
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
    let network = network(args, &source, session)?;
    let rows = Rows { network: &network, rows: args.rows, session };
    if targets.is_empty() {
        return session.print_rows(|out| rows.write(Form::Csv, out));
    }
    for t in &targets {
        session.write(t.path, |out| rows.write(t.form, out))?;
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
            rows: args.rows,
            variables: network.variables().len(),
            seed: session.seed,
            linear_gaussian: args.linear_gaussian.map(|seed| seed.unwrap_or(session.seed)),
            output: args.output.iter().map(PathBuf::as_path).collect(),
            version: env!("CARGO_PKG_VERSION"),
        };
        session.print(|out| render::json(&done, out))?;
    }
    Ok(())
}

/// The network unchanged, or with all variables continuous.
fn network(args: &Sample, source: &Source, session: &Session<'_>) -> Result<Network, Failure> {
    let Some(seed) = args.linear_gaussian else { return source.network(session) };
    let seed = seed.unwrap_or(session.seed);
    match source.load(session)? {
        Loaded::Network(model) => Ok(model.network.linear_gaussian(seed)),
        Loaded::Graph(graph) => {
            Network::linear_gaussian_along(&graph, seed).map_err(|e| Failure::from(e).about(&args.net))
        }
    }
}

pub(super) fn target(path: &Path) -> Result<Target<'_>, Failure> {
    let form = match extension(path).as_deref() {
        Some("csv") => Form::Csv,
        Some("tsv") => Form::Tsv,
        _ => {
            return Err(Failure::usage(format!("{}: unknown format for rows", path.display()))
                .help("the file must end in .csv or .tsv (each also with .gz)"));
        }
    };
    Ok(Target { path, form })
}

/// The rows to draw. Each output draws them separately, so that only one block is in memory.
struct Rows<'a> {
    network: &'a Network,
    rows: usize,
    session: &'a Session<'a>,
}

impl Rows<'_> {
    fn write(&self, form: Form, out: &mut dyn Write) -> io::Result<()> {
        let (delimiter, mut done) = (form.delimiter(), 0);
        for block in self.network.sample_blocks(self.rows, self.session.seed) {
            if done == 0 {
                block.write_names(delimiter, out)?;
            }
            block.write_rows(delimiter, out)?;
            done += block.rows() as u64;
            let event = Event::RowsSampled { done, total: self.rows as u64 };
            if self.session.progress().report(event).is_break() {
                return Err(io::Error::other("stopped"));
            }
        }
        Ok(())
    }
}
