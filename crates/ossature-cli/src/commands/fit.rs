//! `ossature fit`: the tables of a network, estimated from data.

use std::path::PathBuf;

use ossature::network::{self, Fitted, Prior};
use ossature::{Dataset, Error, NamedGraph, Variable};
use serde::Serialize;

use crate::args::Fit;
use crate::failure::Failure;
use crate::plan::{self, Source, Target};
use crate::render::{self, Align, count, thousands};
use crate::session::Session;

/// What was done, as `--json` shows it.
#[derive(Serialize)]
struct Done<'a> {
    prior: &'static str,
    iss: Option<f64>,
    nodes: usize,
    arcs: usize,
    parameters: u64,
    configurations: u64,
    unseen_configurations: u64,
    isolated: Vec<&'a str>,
    data: Rows,
    output: &'a [PathBuf],
    version: &'static str,
}

#[derive(Serialize)]
struct Rows {
    rows: usize,
    variables: usize,
    dropped: u64,
}

pub(super) fn run(args: &Fit, session: &Session) -> Result<(), Failure> {
    let targets = args.output.iter().map(|path| Target::new(path)).collect::<Result<Vec<_>, _>>()?;
    let graph = Source::new(&args.graph)?.graph(session)?;
    let table = plan::read_data(&args.data, &args.reading, session)?;
    let data = &table.data;
    let (graph, isolated) = over_columns(&graph, data)?;
    let prior = if args.mle { Prior::None } else { Prior::Bdeu { iss: args.iss } };
    let fitted = network::fit(data, &graph.to_dag()?, prior)?;
    for target in &targets {
        target.write_network(&fitted.network, session)?;
    }
    let done = Done { };
    Ok(())
}
