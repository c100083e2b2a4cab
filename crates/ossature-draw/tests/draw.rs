//! Pictures are well-formed, nothing overlaps, and every edge joins the borders of its boxes.

use std::collections::BTreeMap;

use ossature::graph::{Mark, NamedGraph};
use ossature_draw::page::Page;
use ossature_draw::svg;
use proptest::prelude::*;

type Edge = (usize, usize, Mark);

fn graph(names: &[String], edges: &[Edge]) -> NamedGraph {
    let named = edges.iter().map(|&(x, y, mark)| (names[x].clone(), names[y].clone(), mark));
    NamedGraph::from_edges(names.to_vec(), named)
}

fn names(n: usize) -> Vec<String> {
    (0..n).map(|i| format!("node_{i:02}")).collect()
}

/// The content of a picture, read back from its text.
#[derive(Debug, Default)]
struct Shown {
    size: (f64, f64),
    /// By title: left, top, width, height.
    boxes: BTreeMap<String, [f64; 4]>,
    /// By title: the points of a fine polygon along the edge, and whether it has an arrowhead.
    edges: BTreeMap<String, (Vec<[f64; 2]>, bool)>,
    texts: Vec<String>,
}

struct Tag {
    name: String,
    attributes: BTreeMap<String, String>,
}

/// Reads a picture, and checks that it is well-formed XML.
fn read(picture: &str) -> Shown {
    let mut shown = Shown::default();
    let mut open: Vec<Tag> = Vec::new();
    let mut rest = picture;
    while let Some(start) = rest.find('<') {
        let text = unescape(&rest[..start]);
        if let [.., parent, last] = &open[..] {
            match (parent.name.as_str(), last.name.as_str()) {
                ("rect", "title") => drop(shown.boxes.insert(text, rectangle(parent))),
                ("path", "title") => {
                    let arrow = parent.attributes.contains_key("marker-end");
                    let before = shown.edges.insert(text, (polygon(&parent.attributes["d"]), arrow));
                    assert!(before.is_none(), "one path for each edge");
                }
                (_, "text") => shown.texts.push(text),
                (_, "title" | "desc" | "style") => {}
                _ => assert_eq!(text.trim(), "", "no stray text"),
            }
        }
        let end = start + rest[start..].find('>').expect("a tag ends");
        let inside = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = inside.strip_prefix('/') {
            assert_eq!(open.pop().expect("an open element").name, name);
            continue;
        }
        let tag = tag(inside.strip_suffix('/').unwrap_or(inside));
        if tag.name == "svg" {
            let view: Vec<f64> = numbers(&tag.attributes["viewBox"]);
            shown.size = (view[2], view[3]);
        }
        if !inside.ends_with('/') {
            open.push(tag);
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "everything is closed");
    shown
}

fn tag(inside: &str) -> Tag {
    let (name, mut rest) = inside.split_once(' ').unwrap_or((inside, ""));
    assert!(name.chars().all(|c| c.is_ascii_alphabetic()), "{name:?} is a name");
    let mut attributes = BTreeMap::new();
    while !rest.trim().is_empty() {
        let (key, after) = rest.trim_start().split_once("=\"").expect("name=\"value\"");
        let (value, after) = after.split_once('"').expect("a closing quote");
        assert!(attributes.insert(key.to_owned(), unescape(value)).is_none(), "{key} once");
        rest = after;
    }
    Tag { name: name.to_owned(), attributes }
}

fn unescape(text: &str) -> String {
    let allowed = |c: char| matches!(c, '\t' | '\n' | ' '..='\u{FFFD}' | '\u{1_0000}'..);
    assert!(text.chars().all(allowed), "only characters of XML 1.0: {text:?}");
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        let (entity, after) = after.split_once(';').expect("an entity ends");
        let c = [("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"')].iter().find(|e| e.0 == entity);
        out.push_str(before);
        out.push(c.expect("a known entity").1);
        rest = after;
    }
    out + rest
}

fn numbers(text: &str) -> Vec<f64> {
    text.split([' ', 'M', 'L', 'C']).filter(|s| !s.is_empty()).map(|s| s.parse().expect("a number")).collect()
}

fn rectangle(tag: &Tag) -> [f64; 4] {
    ["x", "y", "width", "height"].map(|key| tag.attributes[key].parse().expect("a number"))
}

/// Path data as many short lines.
fn polygon(d: &str) -> Vec<[f64; 2]> {
    let mut points: Vec<[f64; 2]> = Vec::new();
    for (start, _) in d.match_indices(['M', 'L', 'C']) {
        let end = d[start + 1..].find(['M', 'L', 'C']).map_or(d.len(), |e| start + 1 + e);
        let n = numbers(&d[start..end]);
        let Some(&[x, y]) = points.last() else {
            points.push([n[0], n[1]]);
            continue;
        };
        let c = if n.len() == 6 {
            [x, y, n[0], n[1], n[2], n[3], n[4], n[5]]
        } else {
            assert_eq!(n.len(), 2);
            let third = [(n[0] - x) / 3.0, (n[1] - y) / 3.0];
            let (one, two) = ([x + third[0], y + third[1]], [n[0] - third[0], n[1] - third[1]]);
            [x, y, one[0], one[1], two[0], two[1], n[0], n[1]]
        };
        points.extend((1..=16).map(|i| {
            let t = f64::from(i) / 16.0;
            let s = 1.0 - t;
            [0, 1].map(|k| {
                s * s * s * c[k]
                    + 3.0 * s * s * t * c[2 + k]
                    + 3.0 * s * t * t * c[4 + k]
                    + t * t * t * c[6 + k]
            })
        }));
    }
    points
}

/// Checks everything that must hold for any picture.
fn check(graph: &NamedGraph) -> Shown {
    let shown = read(&svg(graph));
    assert_eq!(shown.boxes.len(), graph.names().len());
    let (width, height) = shown.size;
    let all: Vec<_> = shown.boxes.iter().collect();
    for (i, (name, [x, y, w, h])) in all.iter().enumerate() {
        assert!(*x >= 0.0 && *y >= 0.0 && x + w <= width && y + h <= height, "{name} inside");
        for (other, [x2, y2, w2, h2]) in &all[..i] {
            let apart = x + w < *x2 || x2 + w2 < *x || y + h < *y2 || y2 + h2 < *y;
            assert!(apart, "{name} and {other} do not overlap");
        }
    }
    let edges = graph.graph().directed().map(|(x, y)| (x, y, '→', true));
    let edges: Vec<_> = edges.chain(graph.graph().undirected().map(|(x, y)| (x, y, '–', false))).collect();
    assert_eq!(shown.edges.len(), edges.len());
    for (x, y, between, arrow) in edges {
        let (from, to) = (graph.name(x), graph.name(y));
        let (points, has_arrow) = &shown.edges[&format!("{from} {between} {to}")];
        assert_eq!(*has_arrow, arrow);
        assert!(on_border(points[0], shown.boxes[from]), "{from} - {to} starts at {:?}", points[0]);
        assert!(on_border(points[points.len() - 1], shown.boxes[to]), "{from} - {to} ends at its box");
        for [px, py] in points {
            assert!((0.0..=width).contains(px) && (0.0..=height).contains(py));
            for (name, [x, y, w, h]) in &shown.boxes {
                let inside = *px > x + 1.0 && *px < x + w - 1.0 && *py > y + 1.0 && *py < y + h - 1.0;
                assert!(!inside, "{from} - {to} runs through {name}");
            }
        }
    }
    shown
}

/// Whether a point is on the upper or lower border, away from the corners.
fn on_border([px, py]: [f64; 2], [x, y, w, h]: [f64; 4]) -> bool {
    let level = (py - y).abs() < 0.11 || (py - (y + h)).abs() < 0.11;
    level && px > x + 5.0 && px < x + w - 5.0
}

const ASIA: [Edge; 8] = [
    (0, 6, Mark::Forward), // asia -> tub
    (5, 3, Mark::Forward), // smoke -> lung
    (5, 1, Mark::Forward), // smoke -> bronc
    (6, 4, Mark::Forward), // tub -> either
    (3, 4, Mark::Forward), // lung -> either
    (4, 7, Mark::Forward), // either -> xray
    (1, 2, Mark::Forward), // bronc -> dysp
    (4, 2, Mark::Forward), // either -> dysp
];

fn asia() -> Vec<String> {
    ["asia", "bronc", "dysp", "lung", "either", "smoke", "tub", "xray"].map(String::from).to_vec()
}

#[test]
fn a_small_network_points_down_and_is_compact() {
    let shown = check(&graph(&asia(), &ASIA));
    for (title, (points, _)) in &shown.edges {
        assert!(points[0][1] < points[points.len() - 1][1], "{title} points down");
    }
    assert!(shown.size.0 < 400.0 && shown.size.1 < 400.0, "{:?}", shown.size);
    let mut texts = shown.texts.clone();
    texts.sort();
    let mut names = asia();
    names.sort();
    assert_eq!(texts, names, "the names and no legend");
}

#[test]
fn the_order_of_edges_does_not_matter() {
    let mut turned = ASIA;
    turned.reverse();
    turned.swap(1, 5);
    let mut names = asia();
    let first = svg(&graph(&names, &ASIA));
    assert_eq!(first, svg(&graph(&names, &ASIA)));
    assert_eq!(first, svg(&graph(&names, &turned)));
    names.sort();
    assert_eq!(first, svg(&graph(&asia(), &ASIA).over(names)));
}

#[test]
fn nothing_one_node_and_many_alone() {
    assert_eq!(check(&graph(&[], &[])).texts.len(), 0);
    assert_eq!(check(&graph(&names(1), &[])).texts, ["node_00"]);
    let (width, height) = check(&graph(&names(30), &[])).size;
    assert!((0.8..2.5).contains(&(width / height)), "{width} x {height}");
}

#[test]
fn mixed_graphs_have_a_legend() {
    let mixed = check(&graph(&names(3), &[(0, 1, Mark::Undirected), (2, 1, Mark::Forward)]));
    assert!(mixed.texts.ends_with(&["directed".to_owned(), "undirected".to_owned()]));
    let skeleton = graph(&names(3), &[(0, 1, Mark::Undirected), (2, 1, Mark::Undirected)]);
    assert_eq!(check(&skeleton).texts.len(), 3);
    assert!(svg(&skeleton).contains("stroke-dasharray"));
}

#[test]
fn cycles_are_drawn() {
    let cycle = [(0, 1, Mark::Forward), (1, 2, Mark::Forward), (2, 0, Mark::Forward)];
    let shown = check(&graph(&names(3), &cycle));
    let up = shown.edges.values().filter(|(points, _)| points[0][1] > points[points.len() - 1][1]);
    assert_eq!(up.count(), 1, "one arc points up");
}

#[test]
fn strange_names_are_kept_whole_in_the_titles() {
    let names: Vec<String> =
        ["<b>&\"'", "", "変数の名前", "é\u{301}", "x]]>y", "--", "🎉", &"long_".repeat(30), "tab\there"]
            .map(String::from)
            .to_vec();
    let shown = check(&graph(&names, &[(0, 1, Mark::Forward), (2, 7, Mark::Undirected)]));
    assert!(shown.boxes.contains_key("<b>&\"'") && shown.boxes.contains_key(&names[7]));
    assert!(shown.texts.iter().any(|t| t.starts_with("long_") && t.contains('…')));
    assert!(shown.boxes[&names[7]][2] < 230.0, "a long name is shortened");
    let control = check(&graph(&["a\u{0}b\u{1b}c\u{FFFF}".into()], &[]));
    assert_eq!(control.texts, ["a\u{FFFD}b\u{FFFD}c\u{FFFD}"]);
}

#[test]
fn a_large_graph_is_not_a_strip() {
    // Each node has two earlier parents: 400 nodes, 797 arcs, and hubs at the start.
    let edges: Vec<Edge> = (1..400_usize)
        .flat_map(|v| [(v * 7 % v.min(40), v), (v / 2, v)])
        .filter(|(x, y)| x != y)
        .map(|(x, y)| (x, y, Mark::Forward))
        .collect();
    let names: Vec<String> = (0..400).map(|i| format!("v{i:03}")).collect();
    let (width, height) = check(&graph(&names, &edges)).size;
    assert!((0.3..5.0).contains(&(width / height)), "{width} x {height}");
}

fn any_edges() -> impl Strategy<Value = (usize, Vec<Edge>)> {
    (1..16_usize).prop_flat_map(|n| {
        let mark = prop_oneof![Just(Mark::Forward), Just(Mark::Backward), Just(Mark::Undirected)];
        let edge = (0..n, 0..n, mark).prop_filter("two nodes", |(x, y, _)| x != y);
        let edges = if n == 1 { Just(vec![]).boxed() } else { prop::collection::vec(edge, 0..2 * n).boxed() };
        (Just(n), edges)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn any_graph_is_drawn_well((n, edges) in any_edges()) {
        check(&graph(&names(n), &edges));
    }
}

#[test]
fn a_hub_with_thousands_of_leaves_is_drawn() {
    let n = 5000;
    for hub_is_parent in [true, false] {
        let arc = |leaf| if hub_is_parent { (0, leaf) } else { (leaf, 0) };
        let edges: Vec<Edge> = (1..=n).map(arc).map(|(from, to)| (from, to, Mark::Forward)).collect();
        let star = graph(&names(n + 1), &edges);
        let shown = read(&svg(&star));
        assert_eq!((shown.boxes.len(), shown.edges.len()), (n + 1, n));
        let html = Page::of_graph("star", &star).html();
        // Of all leaves but the first, eight are named.
        let others = "node_02, node_03, node_04, node_05, node_06, node_07, node_08, node_09 and 4991 more";
        assert_eq!(html.matches(others).count(), usize::from(!hub_is_parent));
        assert_eq!(html.matches("they would be independent").count(), if hub_is_parent { n } else { 0 });
    }
}
