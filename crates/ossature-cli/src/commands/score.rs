//! `ossature score`: how well a structure explains the data.

use ossature::score::{GraphScoreReport, ScoreKind, ScoreSettings};
use ossature::{Dag, Dataset, NamedGraph};

use crate::args::Score;
use crate::failure::Failure;
use crate::plan::{self, Source};
use crate::reading;
use crate::render::{self, Align, count, decimal};
use crate::session::Session;

pub(super) fn run(args: &Score, session: &Session<'_>) -> Result<(), Failure> {
    let settings =
        |kind| ScoreSettings { kind, iss: args.iss, arc_price: args.arc_price, levels_of: args.levels_of };
    settings(args.score.unwrap_or_default()).check().map_err(|e| Failure::usage(e.to_string()))?;
    let graph = Source::new(&args.graph)?.graph(session)?;
    let data = reading::read_data(&args.data, &args.reading, session.seed, session)?.data;
    let settings = settings(args.score.unwrap_or(ScoreKind::usual(&data)));
    let graph = over_columns(&graph, &data, session);
    let dag = plan::member(&graph, &args.graph, session)?;
    let mut report = settings.report(&data, &dag, session.progress()).map_err(|e| session.failure(e))?;
    report.by_node = report.by_node.filter(|_| args.by_node);
    if args.json {
        return session.print(|out| render::json(&report, out));
    }
    let mut text = summary(&report, &data, &dag);
    if let Some(by_node) = &report.by_node {
        let rows: Vec<Vec<String>> =
            by_node.iter().map(|(name, value)| vec![(*name).to_owned(), decimal(*value, 4)]).collect();
        text.push('\n');
        text.push_str(&render::table(&[Align::Left, Align::Right], &rows));
    }
    session.show(&text)
}

/// The graph over the columns of the table. A node that is not a column is dropped with its edges,
/// with a warning, since it may be a mistake.
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

fn summary(a: &GraphScoreReport<'_>, data: &Dataset, dag: &Dag) -> String {
    let row = |what: &str, value: String| vec![what.to_owned(), value];
    let (rows, nodes, arcs) = (data.total() as u64, data.variables().len() as u64, dag.len() as u64);
    let name = match a.iss {
        Some(iss) => format!("{}, imaginary sample size {}", a.name, render::plain(iss)),
        None => a.name.to_owned(),
    };
    let mut rows = vec![
        row("data", format!("{} of {}", count(rows, "row"), count(nodes, "variable"))),
        row("graph", count(arcs, "arc")),
        row("score", name),
        row("total", decimal(a.total, 4)),
    ];
    // Those for missing values are means already.
    if !a.name.starts_with("pnal") {
        rows.push(row("per row", decimal(a.total / data.total() as f64, 6)));
    }
    render::table(&[Align::Left, Align::Left], &rows)
}
