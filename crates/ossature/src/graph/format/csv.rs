//! Graphs as CSV: a table with the columns `from` and `to`.
//!
//! An undirected edge is two rows. A node without edges is a row with an empty column `to`.

use std::io::{self, Write};

use super::{Gathered, named_edges};
use crate::error::{Error, Place, Result};
use crate::graph::NamedGraph;
use crate::graph::table::two_columns;

/// Reads a graph from CSV with the columns `from` and `to`; other columns are ignored.
///
/// ```
/// use ossature::graph::format::parse_csv;
///
/// // An arc, an undirected edge and an isolated node.
/// let g = parse_csv("from,to\nrain,wet\nwet,slip\nslip,wet\nseason,\n", "g.csv")?;
/// assert_eq!(g.names(), ["rain", "season", "slip", "wet"]);
/// assert_eq!((g.graph().directed().count(), g.graph().undirected().count()), (1, 1));
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn parse_csv(text: &str, file: &str) -> Result<NamedGraph> {
    let mut gathered = Gathered::default();
    for row in two_columns(text, file, ["from", "to"])? {
        let place = || Place::line(file, row.line);
        let [from, to] = &row.fields;
        if from.is_empty() {
            return Err(Error::syntax(place().column("from"), "an empty field", "the name of a node"));
        }
        let from = gathered.node(from, place)?;
        if !to.is_empty() {
            let to = gathered.node(to, place)?;
            gathered.arc(from, to, place)?;
        }
    }
    Ok(gathered.finish())
}

pub(super) fn write(graph: &NamedGraph, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = ::csv::Writer::from_writer(out);
    writer.write_record(["from", "to"])?;
    for (from, to) in named_edges(graph, graph.graph().directed()) {
        writer.write_record([from, to])?;
    }
    for (x, y) in named_edges(graph, graph.graph().undirected()) {
        writer.write_record([x, y])?;
        writer.write_record([y, x])?;
    }
    for v in graph.graph().vars().filter(|&v| graph.graph().adjacents(v).is_empty()) {
        writer.write_record([graph.name(v), ""])?;
    }
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_shown_with_their_line() {
        let refused = |text| parse_csv(text, "g.csv").unwrap_err().to_string();
        assert_eq!(
            refused("from,to\na,b\nc,c\n"),
            "g.csv, line 3: found an edge from \"c\" to itself, expected edges between different nodes"
        );
        assert_eq!(
            refused("from,to\n,b\n"),
            "g.csv, line 2, column from: found an empty field, expected the name of a node"
        );
    }

    #[test]
    fn a_header_alone_is_a_graph_without_nodes() {
        assert!(parse_csv("from,to\n", "g.csv").unwrap().names().is_empty());
    }
}
