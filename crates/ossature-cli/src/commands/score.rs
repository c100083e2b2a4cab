//! `ossature score`: how well a structure explains the data.

use ossature::score::ScoreSettings;
use ossature::word::Word;
use ossature::{Dag, Dataset, NamedGraph};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::args::Score;
use crate::failure::Failure;
use crate::plan::{self, Source};
use crate::render::{self, Align, count, decimal};
use crate::session::Session;

/// The answer as `--json` shows it; the keys are part of the contract.
#[derive(Serialize)]
struct Answer {
    name: &'static str,
    iss: Option<f64>,
    total: f64,
    by_node: Option<Map<String, Value>>,
    version: &'static str,
}

pub(super) fn run(args: &Score, session: &Session<'_>) -> Result<(), Failure> {
    let graph = Source::new(&args.graph)?.graph(session)?;
    let data = plan::read_data(&args.data, &args.reading, session.seed, session)?.data;
    let graph = over_columns(&graph, &data, session);
    let dag = plan::member(&graph, &args.graph, session)?;
    let settings = ScoreSettings { kind: args.score, iss: args.iss };
    let by_node = by_node(&data, &dag, settings)?;
    let answer = Answer {
        name: args.score.word(),
        iss: args.score.uses_iss().then_some(args.iss),
        total: by_node.iter().map(|(_, value)| value).sum(),
        by_node: args
            .by_node
            .then(|| by_node.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect()),
        version: env!("CARGO_PKG_VERSION"),
    };
    if args.json {
        return session.print(|out| render::json(&answer, out));
    }
    let mut text = summary(&answer, &data, &dag);
    if args.by_node {
        let rows: Vec<Vec<String>> =
            by_node.iter().map(|(name, value)| vec![(*name).to_owned(), decimal(*value, 4)]).collect();
        text.push('\n');
        text.push_str(&render::table(&[Align::Left, Align::Right], &rows));
    }
    session.print(|out| out.write_all(text.as_bytes()))
}

/// The graph over the columns of the table. A node that is no column is isolated there: it and its
/// edges count for nothing, which is said, as it may be a mistake.
fn over_columns(graph: &NamedGraph, data: &Dataset, session: &Session<'_>) -> NamedGraph {
    let lacking: Vec<&str> =
        graph.names().iter().map(String::as_str).filter(|name| data.var(name).is_none()).collect();
    let scored = graph.over(data.variables().iter().map(|v| v.name().to_owned()).collect());
    if !lacking.is_empty() {
        let edges = |g: &NamedGraph| g.graph().skeleton().len() as u64;
        session.warn(format!(
            "{} of the graph not among the columns, with {} left out: {}",
            count(lacking.len() as u64, "node"),
            count(edges(graph) - edges(&scored), "edge"),
            render::listed(&lacking)
        ));
    }
    scored
}

/// What each node contributes, in the order of the nodes.
fn by_node<'a>(
    data: &'a Dataset,
    dag: &Dag,
    settings: ScoreSettings,
) -> Result<Vec<(&'a str, f64)>, Failure> {
    let score = settings.build(data)?;
    let value = |v| (data.variable(v).name(), score.local(v, dag.parents(v).as_slice()));
    Ok(data.vars().map(value).collect())
}

fn summary(a: &Answer, data: &Dataset, dag: &Dag) -> String {
    let row = |what: &str, value: String| vec![what.to_owned(), value];
    let (rows, nodes, arcs) = (data.rows() as u64, data.variables().len() as u64, dag.len() as u64);
    let name = match a.iss {
        Some(iss) => format!("{}, imaginary sample size {iss}", a.name),
        None => a.name.to_owned(),
    };
    let rows = [
        row("data", format!("{} of {}", count(rows, "row"), count(nodes, "variable"))),
        row("graph", count(arcs, "arc")),
        row("score", name),
        row("total", decimal(a.total, 4)),
        row("per row", decimal(a.total / data.rows() as f64, 6)),
    ];
    render::table(&[Align::Left, Align::Left], &rows)
}
