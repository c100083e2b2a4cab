//! Graph files: a graph that is written is read back the same, and no text makes a reader panic.

use std::path::Path;

use ossature::NamedGraph;
use ossature::graph::format::{GraphFormat, parse_graph, read_graph, write_graph};
use proptest::prelude::*;

use super::any_pdag;

const ALL: [GraphFormat; 4] = [GraphFormat::Dot, GraphFormat::GraphMl, GraphFormat::Json, GraphFormat::Csv];

/// Names that are difficult in one format or another.
#[rustfmt::skip]
const AWKWARD: &[&str] = &[
    "a b", " a ", "a\"b", "\"", "\\", "a\\", "\\\\\"", "\\n", "a\nb", "\n", "\r\n", "a\tb", "node", "Graph",
    "strict", "1", "-1.5", "1a", "-", "--", "->", "é", "日本", "\u{feff}x", ",", ";", "a,b", "<b>", "&amp;",
    "]]>", "'", "#", "//", "/*", "{", "n0", "n1", "null", "from", "to", "name",
];

/// These, and names of any characters.
fn any_name() -> impl Strategy<Value = String> {
    let any = prop::collection::vec(any::<char>(), 1..5).prop_map(String::from_iter);
    let plain = prop::collection::vec(prop::char::range('a', 'e'), 1..3).prop_map(String::from_iter);
    prop_oneof![prop::sample::select(AWKWARD).prop_map(str::to_owned), any, plain]
}

fn any_named_graph() -> impl Strategy<Value = NamedGraph> {
    let parts = any_pdag(6).prop_flat_map(|g| (prop::collection::btree_set(any_name(), g.nodes()), Just(g)));
    parts.prop_map(|(names, graph)| NamedGraph::new(names.into_iter().collect(), graph))
}

fn written(graph: &NamedGraph, format: GraphFormat) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    write_graph(graph, format, &mut bytes)?;
    Ok(String::from_utf8(bytes).unwrap())
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(graph in any_named_graph()) {
        for format in ALL {
            let not_in_xml = |c: char| (c < ' ' && !"\t\n\r".contains(c)) || "\u{fffe}\u{ffff}".contains(c);
            let text = match written(&graph, format) {
                Ok(text) => text,
                Err(e) => {
                    prop_assert_eq!(format, GraphFormat::GraphMl);
                    prop_assert!(graph.names().iter().any(|n| n.contains(not_in_xml)), "{}", e);
                    continue;
                }
            };
            match parse_graph(&text, "g", format) {
                Ok(read) => prop_assert_eq!(&read, &graph, "{}", text),
                Err(e) => prop_assert!(false, "{}\n{}", e, text),
            }
        }
    }

    #[test]
    fn no_text_is_too_strange(text in any::<String>(), cut in 0..200usize, graph in any_named_graph()) {
        for format in ALL {
            let _ = parse_graph(&text, "g", format);
            if let Ok(whole) = written(&graph, format) {
                let cut = (0..=cut.min(whole.len())).rev().find(|&i| whole.is_char_boundary(i)).unwrap();
                let _ = parse_graph(&whole[..cut], "g", format);
                let _ = parse_graph(&(whole[..cut].to_owned() + &text + &whole[cut..]), "g", format);
            }
        }
    }
}

#[test]
fn files_are_read_by_the_ending_of_their_names() {
    let dir = tempfile::tempdir().unwrap();
    let graph = parse_graph("from,to\na,b\nb,c\nc,b\nd,\n", "g", GraphFormat::Csv).unwrap();
    for (name, format) in ["g.dot", "g.graphml", "g.JSON", "g.csv"].into_iter().zip(ALL) {
        let path = dir.path().join(name);
        assert_eq!(GraphFormat::from_path(&path), Some(format));
        ossature::file::write(&path, |out| write_graph(&graph, format, out)).unwrap();
        assert_eq!(read_graph(&path).unwrap(), graph);
    }
    let path = dir.path().join("g.dot.gz");
    ossature::file::write(&path, |out| write_graph(&graph, GraphFormat::Dot, out)).unwrap();
    assert_eq!(read_graph(&path).unwrap(), graph);
}

#[test]
fn an_unknown_ending_and_a_missing_file_are_refused() {
    let refused = |path: &str| read_graph(Path::new(path)).unwrap_err().to_string();
    assert!(refused("graph.png").contains(".graphml"));
    assert!(refused("there/is/no.dot").starts_with("cannot read there/is/no.dot"));
}

#[test]
fn a_node_without_a_name_is_refused() {
    let graph = NamedGraph::new(vec![String::new()], ossature::Pdag::empty(1));
    for format in ALL {
        assert!(written(&graph, format).is_err());
    }
}

#[test]
fn only_undirected_edges_make_an_undirected_file() {
    let graph = parse_graph("graph { b -- a }", "g", GraphFormat::Dot).unwrap();
    assert_eq!(written(&graph, GraphFormat::Dot).unwrap(), "graph {\n  a;\n  b;\n  a -- b;\n}\n");
    assert!(written(&graph, GraphFormat::GraphMl).unwrap().contains("edgedefault=\"undirected\""));
}

#[test]
fn both_kinds_of_edges_as_documented() {
    let graph = parse_graph("digraph { b -> a; b -> c [dir=none]; d }", "g", GraphFormat::Dot).unwrap();
    let text = |format| written(&graph, format).unwrap();
    assert_eq!(
        text(GraphFormat::Dot),
        "digraph {\n  a;\n  b;\n  c;\n  d;\n  b -> a;\n  b -> c [dir=none];\n}\n"
    );
    assert_eq!(text(GraphFormat::Csv), "from,to\nb,a\nb,c\nc,b\nd,\n");
    assert_eq!(
        text(GraphFormat::Json),
        "{\n  \"nodes\": [\"a\", \"b\", \"c\", \"d\"],\n  \"arcs\": [\n    [\"b\", \"a\"]\n  ],\n  \
         \"undirected\": [\n    [\"b\", \"c\"]\n  ]\n}\n"
    );
    assert!(text(GraphFormat::GraphMl).contains("<edge source=\"b\" target=\"c\" directed=\"false\"/>"));
}
