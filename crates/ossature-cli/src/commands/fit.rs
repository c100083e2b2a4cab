//! `ossature fit`: the tables of a network, estimated from data.

use std::path::PathBuf;

use ossature::ScoreKind;
use ossature::network::{self, Fitted, Model, Prior};
use serde::Serialize;

use crate::args::{Fit, PriorWord};
use crate::failure::Failure;
use crate::plan::{self, Source, Target};
use crate::reading;
use crate::render::{self, Align, count, thousands};
use crate::session::Session;

/// What was done, as `--json` shows it.
#[derive(Serialize)]
struct Done<'a> {
    prior: &'static str,
    iss: Option<f64>,
    nodes: usize,
    arcs: usize,
    parameters: u128,
    configurations: u64,
    unseen_configurations: u64,
    isolated: Vec<String>,
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

pub(super) fn run(args: &Fit, session: &Session<'_>) -> Result<(), Failure> {
    let targets = Target::all(&args.output, args.bif.labels())?;
    let prior = prior(args)?;
    let graph = Source::new(&args.graph)?.graph(session)?;
    let table = reading::read_data(&args.data, &args.reading, session.seed, session)?;
    let (graph, isolated) = plan::over_columns(&graph, &table.data, &args.data)?;
    let dag = graph.to_dag().map_err(|e| Failure::from(e).about(&args.graph))?;
    let fitted =
        network::fit(&table.data, &dag, prior, session.progress()).map_err(|e| session.failure(e))?;
    let model = Model::new(fitted.network.clone(), &table.report, &table.missing_tokens);
    for target in &targets {
        target.write_model(&model, session)?;
        session.note(format!("wrote {}", target.path.display()));
    }
    let Fitted { network, unseen, configurations } = &fitted;
    let done = Done {
        prior: match prior {
            Prior::None => "mle",
            Prior::Bdeu { .. } => "bdeu",
            Prior::Backoff => "backoff",
        },
        iss: if let Prior::Bdeu { iss } = prior { Some(iss) } else { None },
        nodes: network.variables().len(),
        arcs: network.dag().len(),
        parameters: network.parameters(),
        configurations: *configurations,
        unseen_configurations: *unseen,
        isolated,
        data: Rows {
            rows: table.data.rows(),
            variables: table.data.variables().len(),
            dropped: table.report.rows_dropped,
        },
        output: &args.output,
        version: env!("CARGO_PKG_VERSION"),
    };
    if args.json {
        return session.print(|out| render::json(&done, out));
    }
    // Where the result went to a file the summary is a message like any other.
    if targets.is_empty() {
        return session.show(&text(&done));
    }
    session.note(text(&done).trim_end());
    Ok(())
}

/// The weight of the prior bdeu where none is given.
const USUAL_ISS: f64 = 10.0;

/// The prior that was asked for, or else the one that fits the graph.
fn prior(args: &Fit) -> Result<Prior, Failure> {
    let bdeu = Prior::Bdeu { iss: args.iss.unwrap_or(USUAL_ISS) };
    match (args.prior, args.iss) {
        _ if args.mle => Ok(Prior::None),
        (Some(PriorWord::Backoff), Some(_)) => {
            Err(Failure::usage("--iss is the weight of the prior bdeu, and the prior backoff has none")
                .help("leave out --iss, or take --prior bdeu"))
        }
        (Some(PriorWord::Backoff), None) => Ok(Prior::Backoff),
        (None, None) if plan::is_chosen_by(&args.graph, ScoreKind::Bdh)? => Ok(Prior::Backoff),
        _ => Ok(bdeu),
    }
}

fn text(done: &Done<'_>) -> String {
    let row = |what: &str, value: String| vec![what.to_owned(), value];
    let prior = match done.iss {
        Some(iss) => format!("BDeu, imaginary sample size {iss}"),
        None if done.prior == "backoff" => "backoff, the tables of fewer parents".into(),
        None => "none (maximum likelihood)".into(),
    };
    let mut rows = vec![
        row(
            "data",
            format!(
                "{} of {}",
                count(done.data.rows as u64, "row"),
                count(done.data.variables as u64, "variable")
            ),
        ),
        row("prior", prior),
        row("network", format!("{}, {}", count(done.nodes as u64, "node"), count(done.arcs as u64, "arc"))),
        row("parameters", thousands(done.parameters)),
        row("unseen", unseen(done)),
    ];
    if !done.isolated.is_empty() {
        rows.push(row("not in the graph", render::listed(&done.isolated)));
    }
    render::table(&[Align::Left, Align::Left], &rows)
}

fn unseen(done: &Done<'_>) -> String {
    let all = count(done.configurations, "parent configuration");
    match done.unseen_configurations {
        0 => format!("none of {all}"),
        unseen => {
            let there = if done.prior == "backoff" { "as with fewer parents" } else { "uniform" };
            format!("{} of {all}; {there} there", thousands(unseen))
        }
    }
}
