//! Graphs as files: DOT, GraphML, JSON and CSV.
//!
//! All readers follow the same rules. A node is identified by its name, which is not empty. An
//! undirected edge is both of its directions: the same arc twice is one arc, and two opposite arcs
//! are an undirected edge, as is an arc together with an undirected edge. An edge from a node to
//! itself is an error. Readers do not check for directed cycles; [`NamedGraph::to_dag`] does.
//!
//! A written graph reads back as the same graph, with one limit: GraphML cannot hold the control
//! characters that XML excludes.

mod csv;
mod dot;
mod graphml;
mod json;

use std::io::{self, Write};
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::data::Var;
use crate::error::{Error, Place, Result};
use crate::file;
use crate::graph::{NamedGraph, Pdag};
use crate::text::shortened;

pub use self::csv::parse_csv;
pub use self::dot::parse_dot;
pub use self::graphml::parse_graphml;
pub use self::json::parse_json;

/// A form in which a graph can be read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GraphFormat {
    /// The language of Graphviz.
    Dot,
    /// The XML of GraphML.
    GraphMl,
    /// `{"nodes": […], "arcs": [[from, to], …], "undirected": [[x, y], …]}`.
    Json,
    /// A table with the columns `from` and `to`.
    Csv,
}

impl GraphFormat {
    /// The format for the extension of a file name: `.dot` or `.gv`, `.graphml`, `.json`, `.csv`.
    ///
    /// ```
    /// use std::path::Path;
    /// use ossature::graph::format::GraphFormat;
    ///
    /// assert_eq!(GraphFormat::from_path(Path::new("net.gv")), Some(GraphFormat::Dot));
    /// assert_eq!(GraphFormat::from_path(Path::new("net.png")), None);
    /// ```
    pub fn from_path(path: &Path) -> Option<GraphFormat> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "dot" | "gv" => Some(GraphFormat::Dot),
            "graphml" => Some(GraphFormat::GraphMl),
            "json" => Some(GraphFormat::Json),
            "csv" => Some(GraphFormat::Csv),
            _ => None,
        }
    }
}

/// Reads a graph in the format given by the file name; it may be compressed (`.gz`).
pub fn read_graph(path: &Path) -> Result<NamedGraph> {
    let compressed = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz"));
    let name = if compressed { path.with_extension("") } else { path.to_path_buf() };
    let format = GraphFormat::from_path(&name).ok_or_else(|| Error::Mismatch {
        what: format!("{} has no known extension of a graph", path.display()),
        accepted: ".dot, .gv, .graphml, .json and .csv are accepted".into(),
    })?;
    parse_graph(&file::read_text(path)?, &path.display().to_string(), format)
}

/// Reads a graph from a text; `file` is its name in messages.
///
/// ```
/// use ossature::graph::format::{GraphFormat, parse_graph};
///
/// let g = parse_graph("digraph { rain -> wet }", "g.dot", GraphFormat::Dot)?;
/// assert_eq!(g.names(), ["rain", "wet"]);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn parse_graph(text: &str, file: &str, format: GraphFormat) -> Result<NamedGraph> {
    match format {
        GraphFormat::Dot => parse_dot(text, file),
        GraphFormat::GraphMl => parse_graphml(text, file),
        GraphFormat::Json => parse_json(text, file),
        GraphFormat::Csv => parse_csv(text, file),
    }
}

/// Writes a graph; the same graph always gives the same bytes.
///
/// A node without a name and, in GraphML, a name with characters that XML cannot hold are refused
/// as [`InvalidInput`](io::ErrorKind::InvalidInput).
///
/// ```
/// use ossature::graph::format::{GraphFormat, parse_csv, write_graph};
///
/// let g = parse_csv("from,to\nrain,wet\n", "g.csv")?;
/// let mut dot = Vec::new();
/// write_graph(&g, GraphFormat::Dot, &mut dot)?;
/// assert_eq!(String::from_utf8(dot)?, "digraph {\n  rain;\n  wet;\n  rain -> wet;\n}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_graph(graph: &NamedGraph, format: GraphFormat, out: &mut dyn Write) -> io::Result<()> {
    if graph.names().iter().any(String::is_empty) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a node has no name"));
    }
    match format {
        GraphFormat::Dot => dot::write(graph, out),
        GraphFormat::GraphMl => graphml::write(graph, out),
        GraphFormat::Json => json::write(graph, out),
        GraphFormat::Csv => csv::write(graph, out),
    }
}

/// The arcs and undirected edges of a graph by the names of their ends.
fn named_edges<'a>(
    graph: &'a NamedGraph,
    edges: impl Iterator<Item = (Var, Var)> + 'a,
) -> impl Iterator<Item = (&'a str, &'a str)> + 'a {
    edges.map(|(x, y)| (graph.name(x), graph.name(y)))
}

/// The nodes and edges of a file in the order in which they appear.
#[derive(Default)]
struct Gathered {
    index: FxHashMap<String, Var>,
    arcs: Vec<(Var, Var)>,
}

impl Gathered {
    /// The node with a name, new or known.
    fn node(&mut self, name: &str, place: impl FnOnce() -> Place) -> Result<Var> {
        if let Some(&v) = self.index.get(name) {
            return Ok(v);
        }
        if name.is_empty() {
            return Err(Error::syntax(place(), "a node without a name", "a name"));
        }
        let v = Var::new(self.index.len());
        self.index.insert(name.to_owned(), v);
        Ok(v)
    }

    fn arc(&mut self, from: Var, to: Var, place: impl FnOnce() -> Place) -> Result<()> {
        if from == to {
            let name = self.index.iter().find(|&(_, &v)| v == from).map_or("", |(name, _)| name);
            let found = format!("an edge from {name:?} to itself");
            return Err(Error::syntax(place(), found, "edges between different nodes"));
        }
        self.arcs.push((from, to));
        Ok(())
    }

    fn undirected(&mut self, x: Var, y: Var, place: impl FnOnce() -> Place) -> Result<()> {
        self.arc(x, y, place)?;
        self.arcs.push((y, x));
        Ok(())
    }

    /// The graph, its nodes in the canonical order.
    fn finish(self) -> NamedGraph {
        let mut names: Vec<(String, Var)> = self.index.into_iter().collect();
        names.sort_unstable();
        let mut place = vec![Var(0); names.len()];
        for (i, (_, v)) in names.iter().enumerate() {
            place[v.index()] = Var::new(i);
        }
        let renumbered = |(from, to): (Var, Var)| (place[from.index()], place[to.index()]);
        let mut arcs: Vec<(Var, Var)> = self.arcs.into_iter().map(renumbered).collect();
        arcs.sort_unstable();
        arcs.dedup();
        let there: FxHashSet<(Var, Var)> = arcs.iter().copied().collect();
        let (both, directed): (Vec<_>, Vec<_>) =
            arcs.into_iter().partition(|&(x, y)| there.contains(&(y, x)));
        let undirected = both.into_iter().filter(|(x, y)| x < y);
        let graph = Pdag::from_parts(names.len(), directed, undirected);
        NamedGraph::new(names.into_iter().map(|(name, _)| name).collect(), graph)
    }
}

/// The beginning of a text that may be long, for a message.
fn excerpt(text: &str) -> String {
    shortened(text, 40)
}
