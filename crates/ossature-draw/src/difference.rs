//! Two structures overlaid: missing, extra and reversed edges.
//!
//! Structures are compared as by [`compare_named`], by what data can determine: a DAG stands for its
//! equivalence class. An edge in both is drawn as in B, an edge in A alone as in A. Each kind has its own
//! colour and line style, so that colour alone never carries the meaning.

use std::collections::HashMap;

use ossature::graph::{ArcDifferences, Comparison, Mark, compare_named};
use ossature::text::{count, escaped};
use ossature::{NamedGraph, Pdag, Var};

use crate::svg::{self, FONTS, MARGIN, number, push};
use crate::{Curve, picture};

/// The kind of difference of an edge of A or B.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// The same in both.
    Same,
    /// In A only.
    Missing,
    /// In B only.
    Extra,
    /// In both, with another direction, or with a direction in only one of them.
    Turned,
}

impl Kind {
    pub(crate) const ALL: [Kind; 4] = [Kind::Same, Kind::Missing, Kind::Extra, Kind::Turned];

    /// The class in style sheets, and in the page.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Kind::Same => "same",
            Kind::Missing => "missing",
            Kind::Extra => "extra",
            Kind::Turned => "turned",
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Kind::Same => "alike",
            Kind::Missing => "only in A",
            Kind::Extra => "only in B",
            Kind::Turned => "other direction in B",
        }
    }

    /// The colour and the style of the line.
    fn look(self) -> (&'static str, &'static str) {
        match self {
            Kind::Same => ("#44546a", "stroke-width=\"1.3\""),
            Kind::Missing => ("#c0272d", "stroke-width=\"2\" stroke-dasharray=\"2 4\""),
            Kind::Extra => ("#0b6bb3", "stroke-width=\"2.8\""),
            Kind::Turned => ("#a86400", "stroke-width=\"2\" stroke-dasharray=\"9 4\""),
        }
    }

    fn dark(self) -> &'static str {
        match self {
            Kind::Same => "#a3b3c6",
            Kind::Missing => "#ff8a80",
            Kind::Extra => "#6cc0ff",
            Kind::Turned => "#f0b45e",
        }
    }
}

/// Both structures in one graph, with the kind of each edge and the difference in words.
pub(crate) struct Overlay {
    pub(crate) graph: NamedGraph,
    pub(crate) comparison: Comparison,
    edges: HashMap<(Var, Var), (Kind, String)>,
}

impl Overlay {
    pub(crate) fn new(a: &NamedGraph, b: &NamedGraph) -> Overlay {
        let (names, comparison) = compare_named(a, b);
        let (a, b) = (class(&a.over(names.clone())), class(&b.over(names.clone())));
        let mut both = Pdag::empty(names.len());
        for graph in [&a, &b] {
            graph.directed().for_each(|(x, y)| both.set(x, y, Mark::Forward));
            graph.undirected().for_each(|(x, y)| both.set(x, y, Mark::Undirected));
        }
        let edges = edges(&names, &comparison.arcs);
        Overlay { graph: NamedGraph::new(names, both), comparison, edges }
    }

    pub(crate) fn kind(&self, x: Var, y: Var) -> Kind {
        self.edges.get(&pair(x, y)).map_or(Kind::Turned, |(kind, _)| *kind)
    }

    /// The difference of an edge in words.
    pub(crate) fn sentence(&self, x: Var, y: Var) -> &str {
        self.edges.get(&pair(x, y)).map_or(Kind::Turned.words(), |(_, sentence)| sentence)
    }
}

/// The two ends of an edge, whatever its direction.
fn pair(x: Var, y: Var) -> (Var, Var) {
    (x.min(y), x.max(y))
}

/// The kind of each edge, and the difference in words.
fn edges(names: &[String], arcs: &ArcDifferences) -> HashMap<(Var, Var), (Kind, String)> {
    let ArcDifferences { same, missing, extra, reversed, undirected, directed } = arcs;
    let plain = |kind: Kind| move |_: &str, _: &str| (kind, kind.words().to_owned());
    let turned = |sentence: fn(&str, &str) -> String| move |x: &str, y: &str| (Kind::Turned, sentence(x, y));
    let of = |list: &[(Var, Var)], about: &dyn Fn(&str, &str) -> (Kind, String)| -> Vec<_> {
        list.iter().map(|&(x, y)| (pair(x, y), about(&names[x.index()], &names[y.index()]))).collect()
    };
    [
        of(same, &plain(Kind::Same)),
        of(missing, &plain(Kind::Missing)),
        of(extra, &plain(Kind::Extra)),
        of(reversed, &turned(|x, y| format!("{x} → {y} in A, {y} → {x} in B"))),
        of(undirected, &turned(|x, y| format!("{x} → {y} in A, undirected in B"))),
        of(directed, &turned(|x, y| format!("undirected in A, {x} → {y} in B"))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The equivalence class of a DAG; any other graph unchanged.
fn class(graph: &NamedGraph) -> Pdag {
    graph.graph().to_dag().map_or_else(|| graph.graph().clone(), |dag| dag.cpdag().as_pdag().clone())
}

/// Draws two structures overlaid as an SVG picture: edges only in A, edges only in B and edges with another
/// direction in B have different colours and line styles.
///
/// ```
/// use ossature::graph::format::parse_csv;
///
/// let truth = parse_csv("from,to\nrain,wet\nsprinkler,wet\n", "truth.csv")?;
/// let learned = parse_csv("from,to\nrain,wet\nrain,cold\n", "learned.csv")?;
/// let svg = ossature_draw::difference(&truth, &learned);
/// assert!(svg.contains("sprinkler → wet: only in A") && svg.contains("only in B (1)"));
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn difference(a: &NamedGraph, b: &NamedGraph) -> String {
    let overlay = Overlay::new(a, b);
    let picture = picture(&overlay.graph);
    let of = |kind: Kind| -> Vec<&Curve> {
        picture.curves.iter().filter(|c| overlay.kind(c.from, c.to) == kind).collect()
    };
    let shown: Vec<(Kind, Vec<&Curve>)> =
        Kind::ALL.map(|kind| (kind, of(kind))).into_iter().filter(|(_, curves)| !curves.is_empty()).collect();
    let legend = (12.0 + 22.0 * shown.len() as f64, 230.0);
    let counted: Vec<String> =
        shown.iter().map(|(kind, curves)| format!("{} {}", curves.len(), kind.words())).collect();
    let nodes = count(overlay.graph.names().len(), "node");
    let description = format!("Two structures of {nodes}; edges: {}", counted.join(", "));
    let mut out = svg::open(&picture, legend, &description, &style());
    for (kind, curves) in &shown {
        push(&mut out, format_args!("{}", group(*kind)));
        for curve in curves {
            let between = if curve.directed { '→' } else { '–' };
            let name = |v: Var| escaped(overlay.graph.name(v));
            push(
                &mut out,
                format_args!(
                    "<path d=\"{}\"{}><title>{} {between} {}: {}</title></path>\n",
                    svg::path(&curve.knots),
                    if curve.directed { head(*kind) } else { String::new() },
                    name(curve.from),
                    name(curve.to),
                    escaped(overlay.sentence(curve.from, curve.to)),
                ),
            );
        }
        out.push_str("</g>\n");
    }
    svg::boxes(&mut out, &overlay.graph, &picture.boxes, &|_| None);
    for (i, (kind, curves)) in shown.iter().enumerate() {
        let y = picture.height + MARGIN + 24.0 + 22.0 * i as f64;
        let (line, base) = (number(y), number(y + 4.2));
        push(
            &mut out,
            format_args!(
                "{}<path d=\"M{MARGIN} {line}H{}\"{}/>\n</g>\n<text class=\"name\" fill=\"#17202b\" \
                 font-family=\"{FONTS}\" font-size=\"12\" x=\"{}\" y=\"{base}\">{} ({})</text>\n",
                group(*kind),
                MARGIN + 40.0,
                head(*kind),
                MARGIN + 50.0,
                kind.words(),
                curves.len(),
            ),
        );
    }
    out.push_str("</svg>\n");
    out
}

fn group(kind: Kind) -> String {
    let (colour, line) = kind.look();
    format!("<g class=\"{}\" fill=\"none\" stroke=\"{colour}\" {line}>\n", kind.class())
}

fn head(kind: Kind) -> String {
    format!(" marker-end=\"url(#ossature-{})\"", kind.class())
}

fn style() -> String {
    let mut dark = String::new();
    let mut heads = String::new();
    for kind in Kind::ALL {
        let (class, colour) = (kind.class(), kind.dark());
        push(
            &mut dark,
            format_args!(
                "  .ossature .{class} {{ stroke: {colour} }}\n  .ossature .{class}-head {{ fill: {colour} }}\n"
            ),
        );
        push(
            &mut heads,
            format_args!(
                "<marker id=\"ossature-{class}\" viewBox=\"0 0 10 8\" refX=\"10\" refY=\"4\" markerWidth=\"11\" \
                 markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"{class}-head\" \
                 d=\"M0 0L10 4L0 8L2.5 4z\" fill=\"{}\" stroke=\"none\"/></marker>\n",
                kind.look().0
            ),
        );
    }
    format!(
        "<style>\n@media screen and (prefers-color-scheme: dark) {{\n  .ossature .paper {{ fill: #12161c }}\n  \
         .ossature .box {{ fill: #222b36; stroke: #7f91a8 }}\n  .ossature .name {{ fill: #eef2f6 }}\n{dark}}}\n\
         </style>\n<defs>\n{heads}</defs>\n"
    )
}
