//! Graphs as JSON.
//!
//! The written form has three keys:
//!
//! ```json
//! {
//!   "nodes": ["rain", "season", "wet"],
//!   "arcs": [["rain", "wet"]],
//!   "undirected": [["rain", "season"]]
//! }
//! ```
//!
//! The reader needs only one of the last two and ignores other keys, so the output of `ossature learn --json` is a
//! graph too: its class, with the DAG that stands for it, if a class was learned; if no arcs were learned, its `skeleton`.
//! If nodes are listed, edges may not name others.
//!
//! The node-link form of networkx is read as well: `nodes` with an `id` each, `links` or `edges`
//! with `source` and `target`, and `directed`, which defaults to true. Numbers are names there.

use std::fmt;
use std::io::{self, Write};

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{Gathered, named_edges};
use crate::data::Var;
use crate::error::{Error, Place, Result};
use crate::graph::{Dag, NamedGraph};

const FORM: &str = r#"a graph such as {"nodes": ["a", "b"], "arcs": [["a", "b"]]}"#;

/// Reads a graph from JSON: our own form, or the node-link form of networkx.
///
/// ```
/// use ossature::graph::format::parse_json;
///
/// let g = parse_json(r#"{"nodes": ["rain", "wet"], "arcs": [["rain", "wet"]]}"#, "g.json")?;
/// assert_eq!(g.graph().directed().count(), 1);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn parse_json(text: &str, file: &str) -> Result<NamedGraph> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut form: Form = serde_json::from_str(text).map_err(|e| in_our_words(&e, file))?;
    // Where a learner returns a class, or a graph that is none, its arcs are only one member.
    let mut member = None;
    if form.result.as_deref().is_some_and(|kind| kind == "cpdag" || kind == "pdag")
        && let Some(class) = form.cpdag.take()
    {
        (member, form.arcs, form.undirected) = (form.arcs, Some(class.directed), Some(class.undirected));
    }
    if form.arcs.is_none() && form.undirected.is_none() {
        form.undirected = form.skeleton.take();
    }
    if form.arcs.is_none() && form.undirected.is_none() && form.links.is_none() {
        return Err(Error::syntax(Place::file(file), "no edges", FORM));
    }
    let place = || Place::file(file);
    let mut gathered = Gathered::default();
    let listed = form.nodes.is_some();
    for (i, JsonName(name)) in form.nodes.into_iter().flatten().enumerate() {
        if gathered.node(&name, place)?.index() < i {
            return Err(Error::Duplicate { what: "node", name, place: Some(place()) });
        }
    }
    let linked = form.directed.unwrap_or(true);
    let edges = (form.arcs.into_iter().flatten().map(|e| (e, true)))
        .chain(form.undirected.into_iter().flatten().map(|e| (e, false)))
        .chain(form.links.into_iter().flatten().map(|e| (e, linked)));
    for (JsonEdge(from, to), directed) in edges {
        let mut node = |JsonName(name): &JsonName| {
            if listed && !gathered.index.contains_key(name) {
                let mut known: Vec<&str> = gathered.index.keys().map(String::as_str).collect();
                known.sort_unstable();
                return Err(Error::unknown_name("node", name, known, Some(place())));
            }
            gathered.node(name, place)
        };
        let (from, to) = (node(&from)?, node(&to)?);
        if directed { gathered.arc(from, to, place)? } else { gathered.undirected(from, to, place)? }
    }
    let graph = gathered.finish();
    let arc = |JsonEdge(JsonName(from), JsonName(to)): JsonEdge| Some((graph.var(&from)?, graph.var(&to)?));
    let arcs: Option<Vec<(Var, Var)>> = member.and_then(|arcs| arcs.into_iter().map(arc).collect());
    let dag = arcs.and_then(|arcs| Dag::from_arcs(graph.names().len(), arcs).ok());
    Ok(match dag {
        Some(dag) => graph.standing_for(dag),
        None => graph,
    })
}

pub(super) fn write(graph: &NamedGraph, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<String> = graph.names().iter().map(|n| quoted(n)).collect();
    writeln!(out, "{{\n  \"nodes\": [{}],", names.join(", "))?;
    write_pairs(out, "arcs", named_edges(graph, graph.graph().directed()))?;
    writeln!(out, ",")?;
    write_pairs(out, "undirected", named_edges(graph, graph.graph().undirected()))?;
    writeln!(out, "\n}}")
}

/// A key with a list of pairs, one per line.
fn write_pairs<'a>(
    out: &mut dyn Write,
    key: &str,
    pairs: impl Iterator<Item = (&'a str, &'a str)>,
) -> io::Result<()> {
    let lines: Vec<String> = pairs.map(|(x, y)| format!("\n    [{}, {}]", quoted(x), quoted(y))).collect();
    let end = if lines.is_empty() { "" } else { "\n  " };
    write!(out, "  \"{key}\": [{}{end}]", lines.join(","))
}

fn quoted(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

/// The message of the JSON reader, without the position at its end.
fn in_our_words(error: &serde_json::Error, file: &str) -> Error {
    Error::json(error, file, FORM)
}

type Parsed<T, E> = std::result::Result<T, E>;

/// The keys of both forms.
#[derive(Deserialize)]
#[serde(expecting = "an object with the keys \"nodes\" and \"arcs\"")]
struct Form {
    nodes: Option<Vec<JsonName>>,
    arcs: Option<Vec<JsonEdge>>,
    undirected: Option<Vec<JsonEdge>>,
    skeleton: Option<Vec<JsonEdge>>,
    result: Option<String>,
    cpdag: Option<JsonClass>,
    directed: Option<bool>,
    #[serde(alias = "edges")]
    links: Option<Vec<JsonEdge>>,
}

/// A class as in a report.
#[derive(Deserialize)]
struct JsonClass {
    directed: Vec<JsonEdge>,
    undirected: Vec<JsonEdge>,
}

/// A name; other programs may have written it as a number, or as an object with an `id`.
struct JsonName(String);

/// A pair of names, or an object with `source` and `target`.
struct JsonEdge(JsonName, JsonName);

impl<'de> Deserialize<'de> for JsonName {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Parsed<JsonName, D::Error> {
        source.deserialize_any(NameVisitor)
    }
}

impl<'de> Deserialize<'de> for JsonEdge {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Parsed<JsonEdge, D::Error> {
        source.deserialize_any(EdgeVisitor)
    }
}

struct NameVisitor;

impl<'de> Visitor<'de> for NameVisitor {
    type Value = JsonName;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a node, or an object with its \"id\"")
    }

    fn visit_str<E>(self, name: &str) -> Parsed<JsonName, E> {
        Ok(JsonName(name.to_owned()))
    }

    fn visit_i64<E>(self, number: i64) -> Parsed<JsonName, E> {
        Ok(JsonName(number.to_string()))
    }

    fn visit_u64<E>(self, number: u64) -> Parsed<JsonName, E> {
        Ok(JsonName(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Parsed<JsonName, E> {
        Ok(JsonName(number.to_string()))
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Parsed<JsonName, M::Error> {
        let [id] = values(map, ["id"])?;
        Ok(id)
    }
}

struct EdgeVisitor;

impl EdgeVisitor {
    /// Loops are refused here, where the reader knows the line.
    fn edge<E: serde::de::Error>(from: JsonName, to: JsonName) -> Parsed<JsonEdge, E> {
        if from.0 == to.0 {
            let found = format!("an edge from {:?} to itself", from.0);
            return Err(E::custom(format!("{found}, expected edges between different nodes")));
        }
        Ok(JsonEdge(from, to))
    }
}

impl<'de> Visitor<'de> for EdgeVisitor {
    type Value = JsonEdge;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pair of names, or an object with \"source\" and \"target\"")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Parsed<JsonEdge, S::Error> {
        let (from, to) = (seq.next_element()?, seq.next_element()?);
        let (Some(from), Some(to), None) = (from, to, seq.next_element::<IgnoredAny>()?) else {
            return Err(S::Error::custom("another number of names, expected two: [from, to]"));
        };
        EdgeVisitor::edge(from, to)
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Parsed<JsonEdge, M::Error> {
        let [from, to] = values(map, ["source", "target"])?;
        EdgeVisitor::edge(from, to)
    }
}

/// The names under these keys of an object; other keys are ignored.
fn values<'de, M: MapAccess<'de>, const N: usize>(
    mut map: M,
    keys: [&'static str; N],
) -> Parsed<[JsonName; N], M::Error> {
    let mut found = [const { None }; N];
    while let Some(key) = map.next_key::<String>()? {
        match keys.iter().position(|&k| k == key) {
            Some(i) => found[i] = Some(map.next_value()?),
            None => drop(map.next_value::<IgnoredAny>()?),
        }
    }
    if let Some(i) = found.iter().position(Option::is_none) {
        return Err(M::Error::custom(format!("no {:?}, expected an object with it", keys[i])));
    }
    Ok(found.map(|name| name.expect("none is missing")))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Pairs = Vec<(String, String)>;

    /// The directed and the undirected edges.
    fn edges(text: &str) -> (Pairs, Pairs) {
        let g = parse_json(text, "g.json").unwrap();
        let owned = |(x, y): (&str, &str)| (x.to_owned(), y.to_owned());
        let directed = named_edges(&g, g.graph().directed()).map(owned).collect();
        (directed, named_edges(&g, g.graph().undirected()).map(owned).collect())
    }

    fn refused(text: &str) -> String {
        parse_json(text, "g.json").unwrap_err().to_string()
    }

    fn pair(x: &str, y: &str) -> (String, String) {
        (x.to_owned(), y.to_owned())
    }

    #[test]
    fn what_learn_prints_is_a_graph() {
        let text = r#"{"learner": "h2pc", "complete": true, "nodes": ["a", "b", "c"], "arcs": [["b", "a"]],
            "cpdag": {"directed": [], "undirected": [["a", "b"]]}, "skeleton": [["a", "b"]], "truth": null}"#;
        assert_eq!(edges(text), (vec![pair("b", "a")], vec![]));
    }

    #[test]
    fn node_link_as_networkx_writes_it() {
        let text = r#"{"directed": false, "multigraph": false, "graph": {}, "nodes": [{"id": 0}, {"x": 1, "id": "b"}],
            "links": [{"weight": 3, "source": 0, "target": "b"}]}"#;
        assert_eq!(edges(text), (vec![], vec![pair("0", "b")]));
        let directed = text.replace("false", "true").replace("links", "edges");
        assert_eq!(edges(&directed), (vec![pair("0", "b")], vec![]));
    }

    #[test]
    fn opposite_arcs_are_an_undirected_edge() {
        assert_eq!(
            edges(r#"{"arcs": [["b", "a"], ["a", "b"], ["b", "a"]]}"#),
            (vec![], vec![pair("a", "b")])
        );
    }

    #[test]
    fn mistakes_are_shown_with_their_place() {
        assert_eq!(
            refused("{\"arcs\": [[\"a\", \"b\"],\n [\"c\", \"c\"]]}"),
            "g.json, line 2, column 11: found an edge from \"c\" to itself, expected edges between different nodes"
        );
        assert_eq!(
            refused(r#"{"nodes": ["alpha"], "arcs": [["alpha", "alpa"]]}"#),
            "g.json: there is no node \"alpa\" (did you mean \"alpha\"?)"
        );
        assert!(refused(r#"{"arcs": [["a"]]}"#).contains("expected two: [from, to]"));
        assert!(refused(r#"{"arcs": [7]}"#).contains("found an integer `7`, expected a pair of names"));
        assert!(refused(r#"{"links": [{"source": 1}]}"#).contains("found no \"target\""));
        assert!(
            refused(r#"{"arcs": [["a", "b"]"#)
                .contains("line 1, column 20: found a text that is not JSON (EOF")
        );
        assert!(refused(r#"{"nodes": ["a"]}"#).contains("expected a graph such as"));
        assert!(refused("[]").contains("expected an object with the keys"));
        assert!(refused(r#"{"nodes": ["a", "a"], "arcs": []}"#).contains("node \"a\" occurs twice"));
        assert!(refused(r#"{"nodes": [""], "arcs": []}"#).contains("without a name"));
    }

    #[test]
    fn depth_is_harmless() {
        assert!(parse_json(&format!("{{\"arcs\": {}", "[".repeat(100_000)), "g.json").is_err());
        assert!(parse_json(&format!("{{\"other\": {}", "[".repeat(100_000)), "g.json").is_err());
    }
}
