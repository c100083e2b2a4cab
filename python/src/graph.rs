//! Graphs: lists of names in Python, a `NamedGraph` here.

use std::path::PathBuf;

use ossature::graph::format::{GraphFormat, read_graph as read, write_graph};
use ossature::graph::{Mark, compare_named};
use ossature::learn::{Asked, Catalogue};
use ossature::{Dag, Dataset, Error, NamedGraph, Result, Var, Variable};
use ossature_draw::page::Page;
use pyo3::prelude::*;
use serde_json::Value as Json;

use crate::errors::DATA;
use crate::frame::Data;
use crate::network::Network;
use crate::run::Run;

type Pair = (String, String);

/// A graph as passed from Python: nodes, arcs and undirected edges.
#[derive(FromPyObject)]
pub(crate) struct Parts(Vec<String>, Vec<Pair>, Vec<Pair>);

impl Parts {
    /// The graph, if the lists of names are valid.
    pub(crate) fn named(self) -> Result<NamedGraph> {
        let Parts(mut names, directed, undirected) = self;
        names.sort_unstable();
        if names.iter().any(String::is_empty) {
            let what = "a node has no name".to_owned();
            return Err(Error::Mismatch { what, accepted: "every node needs one".into() });
        }
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::Duplicate { what: "node", name: pair[0].clone(), place: None });
        }
        for (x, y) in directed.iter().chain(&undirected) {
            for name in [x, y] {
                if names.binary_search(name).is_err() {
                    return Err(Error::unknown_name("node", name, names.iter().map(String::as_str), None));
                }
            }
            if x == y {
                return Err(Error::Cycle { cycle: vec![x.clone(), y.clone()], place: None });
            }
        }
        check_once(&directed, &undirected)?;
        let arcs = directed.into_iter().map(|(x, y)| (x, y, Mark::Forward));
        let arcs: Vec<(String, String, Mark)> = arcs.collect();
        // Whatever else there is, the arcs alone must not go round.
        NamedGraph::from_edges(names.clone(), arcs.iter().cloned()).to_dag()?;
        let lines = undirected.into_iter().map(|(x, y)| (x, y, Mark::Undirected));
        Ok(NamedGraph::from_edges(names, arcs.into_iter().chain(lines)))
    }

    /// A DAG over the columns of a table: the graph itself, or a member of its class.
    pub(crate) fn over_columns(self, data: &Dataset) -> Result<Dag> {
        let graph = self.named()?;
        let columns: Vec<String> = data.variables().iter().map(|v| v.name().to_owned()).collect();
        if let Some(stranger) = graph.names().iter().find(|name| data.var(name).is_none()) {
            return Err(Error::unknown_name(
                "column",
                stranger,
                data.variables().iter().map(Variable::name),
                None,
            ));
        }
        member(&graph.over(columns))
    }
}

/// Checks that two nodes are joined at most once.
fn check_once(directed: &[Pair], undirected: &[Pair]) -> Result<()> {
    let mut joined: Vec<_> = directed.iter().chain(undirected).map(|(x, y)| (x.min(y), x.max(y))).collect();
    joined.sort_unstable();
    match joined.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(&[(x, y), _]) if undirected.is_empty() => {
            Err(Error::Cycle { cycle: vec![x.clone(), y.clone(), x.clone()], place: None })
        }
        Some(&[(x, y), _]) => Err(Error::Mismatch {
            what: format!("{x:?} and {y:?} are joined twice"),
            accepted: "at most one edge joins two nodes".into(),
        }),
        _ => Ok(()),
    }
}

fn member(graph: &NamedGraph) -> Result<Dag> {
    if graph.graph().undirected().next().is_none() {
        return graph.to_dag();
    }
    graph.graph().extension().ok_or_else(|| Error::Mismatch {
        what: "the edges without direction cannot be directed without a cycle or a new collider".into(),
        accepted: "a DAG or an equivalence class is needed".into(),
    })
}

/// The nodes, arcs and undirected edges of a graph.
type Lists = (Vec<String>, Vec<Pair>, Vec<Pair>);

fn lists(graph: &NamedGraph) -> Lists {
    let pair = |(x, y): (Var, Var)| (graph.name(x).to_owned(), graph.name(y).to_owned());
    let pdag = graph.graph();
    (graph.names().to_vec(), pdag.directed().map(pair).collect(), pdag.undirected().map(pair).collect())
}

fn of_dag(names: Vec<String>, dag: &Dag) -> Lists {
    lists(&NamedGraph::new(names, dag.into()))
}

/// Refuses an invalid graph.
#[pyfunction]
pub(crate) fn check_graph(graph: Parts) -> PyResult<()> {
    graph.named().map(drop).map_err(|e| DATA.raise(e))
}

/// The equivalence class of a DAG.
#[pyfunction]
pub(crate) fn cpdag(graph: Parts) -> PyResult<Lists> {
    let class = || {
        let graph = graph.named()?;
        let class = graph.to_dag()?.cpdag();
        Ok(lists(&NamedGraph::new(graph.names().to_vec(), class.as_pdag().clone())))
    };
    class().map_err(|e| DATA.raise(e))
}

/// A DAG of an equivalence class.
#[pyfunction]
pub(crate) fn extension(graph: Parts) -> PyResult<Lists> {
    let dag = || {
        let graph = graph.named()?;
        Ok(of_dag(graph.names().to_vec(), &member(&graph)?))
    };
    dag().map_err(|e| DATA.raise(e))
}

/// A graph as DOT, GraphML, JSON or CSV.
#[pyfunction]
pub(crate) fn to_text(graph: Parts, format: &str) -> PyResult<String> {
    let form = GraphFormat::from_path(&PathBuf::from(format!("graph.{format}")))
        .ok_or_else(|| DATA.with(format!("unknown format {format:?}; use dot, graphml, json or csv")))?;
    let mut text = Vec::new();
    let graph = graph.named().map_err(|e| DATA.raise(e))?;
    write_graph(&graph, form, &mut text).map_err(|e| DATA.with(e.to_string()))?;
    Ok(String::from_utf8(text)?)
}

/// A drawing of a graph, with line widths for the strengths of edges if given.
#[pyfunction]
#[pyo3(signature = (graph, strengths=vec![]))]
pub(crate) fn to_svg(
    py: Python<'_>,
    graph: Parts,
    strengths: Vec<(String, String, f64)>,
) -> PyResult<String> {
    let graph = graph.named().map_err(|e| DATA.raise(e))?;
    let strength = |x: Var, y: Var| {
        let (x, y) = (graph.name(x), graph.name(y));
        let joins = |(a, b, _): &&(String, String, f64)| (a == x && b == y) || (a == y && b == x);
        strengths.iter().find(joins).map(|(.., strength)| *strength)
    };
    Ok(py.detach(|| ossature_draw::svg_with_strengths(&graph, strength)))
}

/// Two graphs overlaid, as a drawing.
#[pyfunction]
pub(crate) fn difference_svg(py: Python<'_>, truth: Parts, other: Parts) -> PyResult<String> {
    let named = || Ok((truth.named()?, other.named()?));
    let (truth, other) = named().map_err(|e| DATA.raise(e))?;
    Ok(py.detach(|| ossature_draw::difference(&truth, &other)))
}

/// Two graphs overlaid, as a page.
#[pyfunction]
pub(crate) fn difference_html(py: Python<'_>, title: &str, truth: Parts, other: Parts) -> PyResult<String> {
    let named = || Ok((truth.named()?, other.named()?));
    let (truth, other) = named().map_err(|e| DATA.raise(e))?;
    Ok(py.detach(|| ossature_draw::page::difference(title, &truth, &other)))
}

/// The strengths of edges with the threshold, as a drawing.
#[pyfunction]
pub(crate) fn strength_plot(strengths: Vec<f64>, threshold: f64) -> String {
    ossature_draw::strength_plot(&strengths, threshold)
}

/// A graph as a page, with tables and the report of how it was learned, if known.
#[pyfunction]
#[pyo3(signature = (title, graph, *, network=None, report=None, data=None))]
pub(crate) fn to_html(
    py: Python<'_>,
    title: &str,
    graph: Parts,
    network: Option<&Network>,
    report: Option<&str>,
    data: Option<&Data>,
) -> PyResult<String> {
    let graph = graph.named().map_err(|e| DATA.raise(e))?;
    let report: Option<Json> = report.and_then(|text| serde_json::from_str(text).ok());
    let settings = report.as_ref().and_then(|report| {
        let earlier = report["settings"].as_object().cloned();
        Catalogue::standard().resolve(&Asked { earlier, ..Asked::default() }).ok()
    });
    let page = Page {
        title,
        graph,
        network: network.map(|network| &network.model().network),
        report: report.as_ref(),
        learned_from: data.map(Data::dataset).zip(settings.as_ref()),
    };
    Run { threads: 1, time_limit: None, progress: None }.go(py, DATA, |_| Ok(page.html()))
}

/// Whether two nodes of a DAG are d-separated given others.
#[pyfunction]
pub(crate) fn d_separated(graph: Parts, x: &str, y: &str, given: Vec<String>) -> PyResult<bool> {
    let answer = || {
        let graph = graph.named()?;
        let dag = graph.to_dag()?;
        let var = |name: &str| {
            let names = graph.names().iter().map(String::as_str);
            graph.var(name).ok_or_else(|| Error::unknown_name("node", name, names, None))
        };
        let given = given.iter().map(|name| var(name)).collect::<Result<Vec<Var>>>()?;
        Ok(dag.d_separated(var(x)?, var(y)?, &given))
    };
    answer().map_err(|e| DATA.raise(e))
}

/// A graph from a file.
#[pyfunction]
pub(crate) fn read_graph(path: PathBuf) -> PyResult<Lists> {
    Ok(lists(&read(&path).map_err(|e| DATA.raise(e))?))
}

/// How two graphs differ, as the JSON of the command.
#[pyfunction]
pub(crate) fn compare(truth: Parts, other: Parts) -> PyResult<String> {
    let named = || Ok((truth.named()?, other.named()?));
    let (truth, other) = named().map_err(|e| DATA.raise(e))?;
    let (names, comparison) = compare_named(&truth, &other);
    Ok(serde_json::to_string(&comparison.report(&names)).expect("a report is plain data"))
}
