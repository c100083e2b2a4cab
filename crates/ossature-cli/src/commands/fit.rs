//! `ossature fit`: the tables of a network, estimated from data.

use std::path::PathBuf;

use ossature::infer::{EmFitted, fit_em};
use ossature::network::{self, Fitted, Model, Prior};
use ossature::{Network, ScoreKind, Variable};
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
    continuous: Vec<&'a str>,
    configurations: u64,
    unseen_configurations: u64,
    isolated: Vec<String>,
    /// How expectation-maximisation ended; null if no value was missing.
    em: Option<EmDone>,
    data: Rows,
    output: &'a [PathBuf],
    version: &'static str,
}

#[derive(Serialize)]
struct EmDone {
    rounds: usize,
    converged: bool,
    log_likelihood: f64,
    imputed: u64,
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
    let (graph, isolated) = plan::over_columns(&graph, &args.graph, &table.data, &args.data)?;
    targets.iter().try_for_each(|target| target.check(&table.data))?;
    let dag = plan::member(&graph, &args.graph, session)?;
    let (fitted, em) = match table.data.is_for_em() {
        false => {
            let fitted = network::fit(&table.data, &dag, prior, session.progress());
            (fitted.map_err(|e| session.failure(e))?, None)
        }
        true => {
            let found =
                fit_em(&table.data, &dag, prior, session.progress()).map_err(|e| session.failure(e))?;
            let EmFitted { fitted, rounds, converged, log_likelihood, imputed } = found;
            (fitted, Some(EmDone { rounds, converged, log_likelihood, imputed }))
        }
    };
    warn_of_em(em.as_ref(), session);
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
        continuous: continuous(network),
        configurations: *configurations,
        unseen_configurations: *unseen,
        isolated,
        em,
        data: Rows {
            rows: table.data.total(),
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
    session.note_lines(&text(&done));
    Ok(())
}

/// Warns of problems in expectation-maximisation.
fn warn_of_em(em: Option<&EmDone>, session: &Session<'_>) {
    let Some(EmDone { rounds, converged, imputed, .. }) = em else { return };
    if !converged {
        session.warn(format!(
            "expectation-maximisation had not converged after {}",
            count(*rounds as u64, "round")
        ));
    }
    if *imputed > 0 {
        session.warn(format!(
            "{} imputed with the most likely level, because too many dependent values are missing in the same row",
            count(*imputed, "missing value")
        ));
    }
}

/// The default weight of the prior bdeu.
const USUAL_ISS: f64 = 10.0;

/// The requested prior, or else the one that fits the graph.
fn prior(args: &Fit) -> Result<Prior, Failure> {
    let bdeu = Prior::Bdeu { iss: args.iss.unwrap_or(USUAL_ISS) };
    match (args.prior, args.iss) {
        _ if args.mle => Ok(Prior::None),
        (Some(PriorWord::Backoff), Some(_)) => {
            Err(Failure::usage("--iss is the weight of the prior bdeu, and the prior backoff has none")
                .help("leave out --iss, or use --prior bdeu"))
        }
        (Some(PriorWord::Backoff), None) => Ok(Prior::Backoff),
        (None, None) if plan::is_chosen_by(&args.graph, ScoreKind::Bdh)? => Ok(Prior::Backoff),
        _ => Ok(bdeu),
    }
}

fn text(done: &Done<'_>) -> String {
    let row = |what: &str, value: String| vec![what.to_owned(), value];
    let prior = match done.iss {
        Some(iss) => format!("BDeu, imaginary sample size {}", render::plain(iss)),
        None if done.prior == "backoff" => "backoff, the tables of fewer parents".into(),
        None => "none (maximum likelihood)".into(),
    };
    // Where every variable is continuous, no table has a prior.
    let prior = match done.continuous.len() {
        0 => prior,
        n if n == done.nodes => "none (least squares)".into(),
        _ => format!("{prior}; least squares for continuous variables"),
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
    if let Some(em) = &done.em {
        let (rounds, ln) = (count(em.rounds as u64, "round"), render::decimal(em.log_likelihood, 4));
        rows.push(row("expectation-maximisation", format!("{rounds}, log-likelihood {ln}")));
    }
    if !done.isolated.is_empty() {
        rows.push(row("not in the graph", render::listed(&done.isolated)));
    }
    render::table(&[Align::Left, Align::Left], &rows)
}

fn unseen(done: &Done<'_>) -> String {
    let all = count(done.configurations, "parent configuration");
    match done.unseen_configurations {
        0 => format!("none of {all}"),
        unseen if done.continuous.is_empty() => {
            let there = if done.prior == "backoff" { "as with fewer parents" } else { "uniform" };
            format!("{} of {all}; {there} there", thousands(unseen))
        }
        unseen => format!(
            "{} of {all}, or too few rows; uniform there, or the regression over all rows",
            thousands(unseen)
        ),
    }
}

/// The continuous variables.
fn continuous(network: &Network) -> Vec<&str> {
    network.variables().iter().filter(|v| v.is_continuous()).map(Variable::name).collect()
}
