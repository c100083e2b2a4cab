//! Writing GraphML.

use std::io::{self, Write};

use crate::graph::NamedGraph;
use crate::text::push_escaped;

/// Nodes have their names as data, where igraph looks for them, and as their `id`, where networkx
/// does, unless a name cannot be an `id`; then all are numbered.
pub(in super::super) fn write(graph: &NamedGraph, out: &mut dyn Write) -> io::Result<()> {
    let escaped = graph.names().iter().map(|n| escaped(n)).collect::<io::Result<Vec<String>>>()?;
    let ids: Vec<String> = match graph.names().iter().all(|n| is_token(n)) {
        true => escaped.clone(),
        false => (0..escaped.len()).map(|i| format!("n{i}")).collect(),
    };
    let edges = graph.graph();
    let mixed = edges.directed().next().is_some() || edges.undirected().next().is_none();
    let default = if mixed { "directed" } else { "undirected" };
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
    writeln!(out, "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>")?;
    writeln!(out, "  <graph edgedefault=\"{default}\">")?;
    for (id, name) in ids.iter().zip(&escaped) {
        writeln!(out, "    <node id=\"{id}\"><data key=\"name\">{name}</data></node>")?;
    }
    let id = |v: crate::data::Var| &ids[v.index()];
    for (from, to) in edges.directed() {
        writeln!(out, "    <edge source=\"{}\" target=\"{}\"/>", id(from), id(to))?;
    }
    let undirected = if mixed { " directed=\"false\"" } else { "" };
    for (x, y) in edges.undirected() {
        writeln!(out, "    <edge source=\"{}\" target=\"{}\"{undirected}/>", id(x), id(y))?;
    }
    writeln!(out, "  </graph>\n</graphml>")
}

/// Whether a name is a plain `NMTOKEN`.
fn is_token(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || "._-:".contains(c))
}

/// A name as the text of an element or an attribute; white space would not survive unescaped.
fn escaped(name: &str) -> io::Result<String> {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '\t' | '\n' | '\r' => text.push_str(&format!("&#{};", u32::from(c))),
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => {
                let what = format!("the name {name:?} has the character {c:?}, which GraphML cannot hold");
                return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
            }
            _ => push_escaped(&mut text, c),
        }
    }
    Ok(text)
}
