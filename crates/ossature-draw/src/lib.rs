//! Drawings of graphs as SVG, without external programs or fonts.
//!
//! ```
//! use ossature::network::catalogue;
//!
//! let asia = catalogue::load("asia")?;
//! let picture = ossature_draw::svg(&asia.named_graph());
//! assert!(picture.starts_with("<svg") && picture.contains(">smoke<"));
//! # Ok::<(), ossature::Error>(())
//! ```
//!
//! The layout is layered, after K. Sugiyama, S. Tagawa and M. Toda, Methods for visual understanding
//! of hierarchical system structures, IEEE Transactions on Systems, Man and Cybernetics 11 (1981),
//! doi:10.1109/TSMC.1981.4308636: causes above effects. Each phase is a file and a pure function:
//!
//! ```text
//! text      how wide each name is, so how wide its box
//! downward  which end of each edge is above, also on cycles and for undirected edges
//! layers    the layer of each node (by simplex, whose first tree grows at its border), wide layers folded
//! ladder    points where long edges pass a layer
//! order     left to right, with few crossings (counted by crossings)
//! columns   the horizontal place of everything
//! route     the vertical place, and edges as curves that pass beside the boxes
//! pack      connected parts side by side
//! svg       the picture as text
//! notes     what is said of a continuous variable
//! difference  two structures laid over each other
//! plot      strengths of edges, with the threshold
//! page      the picture as a page to be touched
//! ```
//!
//! Coordinates use only sums, products, quotients and square roots, which are the same on every
//! machine, and the effort is bounded, so that large graphs are drawn less well, not slowly.

mod border;
mod columns;
mod crossings;
mod difference;
mod downward;
mod ladder;
mod layers;
mod notes;
mod order;
mod pack;
pub mod page;
mod plot;
mod route;
mod simplex;
mod svg;
mod text;

pub use difference::difference;
use ladder::Ladder;
use ossature::{NamedGraph, Network, Pdag, Var};
pub use plot::strength_plot;
use route::Knot;

/// The height of a box.
const BOX_HEIGHT: f64 = 28.0;
/// The smallest width of a box.
const MIN_WIDTH: f64 = 40.0;
/// How much wider a box is than its text.
const PADDING: f64 = 22.0;
/// The smallest distance between two boxes in a layer.
const BOX_GAP: f64 = 22.0;
/// The smallest distance between a box and an edge that passes it.
const PASSING_GAP: f64 = 14.0;
/// The smallest distance between two edges that pass the same layer side by side.
const LINE_GAP: f64 = 10.0;
/// The usual distance from one layer to the next, for estimates.
const LAYER_PITCH: f64 = 80.0;
/// The distance between connected components.
const PART_GAP: f64 = 44.0;

/// Draws a graph as an SVG picture: causes above effects, arcs with arrowheads, undirected edges
/// dashed and in another colour.
///
/// The picture is self-contained, scales, follows the light or dark scheme of the reader and prints
/// in the light one. Very long names are shortened in the middle; the whole name is in the
/// `<title>` of the node. The same graph gives the same text on every machine.
///
/// Cost: a third of a second for link (724 nodes, 1125 arcs); about two seconds for 5000 nodes and 10000
/// edges. Effort is bounded: beyond some thousand nodes the picture gets worse, not much slower.
///
/// ```
/// use ossature::graph::{Mark, NamedGraph};
///
/// let names = ["rain", "sprinkler", "wet"].map(String::from).to_vec();
/// let edge = |x: &str, y: &str, mark| (x.to_owned(), y.to_owned(), mark);
/// let graph = NamedGraph::from_edges(
///     names,
///     [edge("rain", "wet", Mark::Forward), edge("sprinkler", "wet", Mark::Forward)],
/// );
/// let svg = ossature_draw::svg(&graph);
/// assert!(svg.starts_with("<svg") && svg.contains(">sprinkler<"));
/// ```
pub fn svg(graph: &NamedGraph) -> String {
    svg_with_strengths(graph, |_, _| None)
}

/// Draws a network: its graph, with continuous variables as boxes with round ends. Their notes, shown on
/// hover, say how the mean depends on the parents.
///
/// ```
/// use ossature::network::catalogue;
///
/// let asia = catalogue::load("asia")?.linear_gaussian(1);
/// let picture = ossature_draw::svg_of_network(&asia);
/// assert!(picture.contains("<title>smoke: continuous; mean 0, standard deviation 1</title>"));
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn svg_of_network(network: &Network) -> String {
    let graph = network.named_graph();
    let look = Look { strength: &|_, _| None, continuous: &|v| notes::regression(network, v) };
    svg::write(&graph, &picture(&graph), &look)
}

/// The same with line widths for the strengths of edges: `strength` returns a number between 0 and 1 for
/// the two ends of an edge, in either order, or `None` if it is not known.
///
/// ```
/// use ossature::network::catalogue;
///
/// let asia = catalogue::load("asia")?.named_graph();
/// let picture = ossature_draw::svg_with_strengths(&asia, |from, _| (asia.name(from) == "smoke").then_some(1.0));
/// assert_eq!(picture.matches("stroke-width=\"4\"").count(), 2);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn svg_with_strengths(graph: &NamedGraph, strength: impl Fn(Var, Var) -> Option<f64>) -> String {
    svg_with_kinds(graph, |_| false, strength)
}

/// The same with known continuous variables, whose boxes have round ends.
///
/// ```
/// use ossature::network::catalogue;
///
/// let asia = catalogue::load("asia")?.named_graph();
/// let picture = ossature_draw::svg_with_kinds(&asia, |v| asia.name(v) == "xray", |_, _| None);
/// assert_eq!(picture.matches("<title>xray: continuous</title>").count(), 1);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn svg_with_kinds(
    graph: &NamedGraph,
    continuous: impl Fn(Var) -> bool,
    strength: impl Fn(Var, Var) -> Option<f64>,
) -> String {
    let continuous = |v| continuous(v).then(|| notes::CONTINUOUS.to_owned());
    svg::write(graph, &picture(graph), &Look { strength: &strength, continuous: &continuous })
}

/// Information about nodes and edges besides the graph.
struct Look<'a> {
    /// A number between 0 and 1 for an edge, which becomes its width.
    strength: &'a dyn Fn(Var, Var) -> Option<f64>,
    /// A note on a variable, if it is continuous.
    continuous: &'a dyn Fn(Var) -> Option<String>,
}

/// The positions of everything.
#[derive(Debug)]
struct Picture {
    width: f64,
    height: f64,
    /// The box of each node.
    boxes: Vec<Rect>,
    /// The curve of each edge, arcs first, in the order of the graph.
    curves: Vec<Curve>,
}

#[derive(Debug, Clone, Copy)]
struct Rect {
    x: f64,
    y: f64,
    width: f64,
}

/// An edge from border to border; an arc from its tail to its head.
#[derive(Debug)]
struct Curve {
    from: Var,
    to: Var,
    directed: bool,
    knots: Vec<Knot>,
}

/// An edge for the layout: the tail is drawn above the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Link {
    tail: usize,
    head: usize,
}

/// Some nodes and edges laid out together, relative to their own upper left corner.
struct Part {
    vars: Vec<Var>,
    width: f64,
    height: f64,
    boxes: Vec<Rect>,
    curves: Vec<Curve>,
}

fn picture(graph: &NamedGraph) -> Picture {
    let pdag = graph.graph();
    let widths: Vec<f64> = graph.names().iter().map(|name| box_width(name)).collect();
    let ranks = downward::ranks(pdag);
    let (joined, single): (Vec<_>, Vec<_>) = components(pdag).into_iter().partition(|vars| vars.len() > 1);
    let mut parts: Vec<Part> =
        joined.into_iter().map(|vars| connected_part(pdag, vars, &widths, &ranks)).collect();
    parts.sort_by(|a, b| b.height.total_cmp(&a.height)); // stable, so equal ones stay in order
    if !single.is_empty() {
        let room = parts.iter().map(|part| part.width).fold(0.0, f64::max);
        parts.push(isolated_part(single.concat(), &widths, room));
    }
    assemble(pdag, parts)
}

fn box_width(name: &str) -> f64 {
    (text::width(&svg::label(name)) + PADDING).max(MIN_WIDTH).ceil()
}

/// The connected components, each sorted, in the order of their first nodes.
fn components(graph: &Pdag) -> Vec<Vec<Var>> {
    let mut seen = vec![false; graph.nodes()];
    let mut components = Vec::new();
    for start in graph.vars() {
        let mut members = Vec::new();
        let mut open = vec![start];
        while let Some(v) = open.pop() {
            if !std::mem::replace(&mut seen[v.index()], true) {
                members.push(v);
                open.extend(graph.adjacents(v).iter());
            }
        }
        if !members.is_empty() {
            members.sort_unstable();
            components.push(members);
        }
    }
    components
}

/// Lays out one connected component.
fn connected_part(graph: &Pdag, vars: Vec<Var>, widths: &[f64], ranks: &[usize]) -> Part {
    let widths: Vec<f64> = vars.iter().map(|v| widths[v.index()]).collect();
    let local = |v: Var| vars.binary_search(&v).expect("both ends of an edge are in one component");
    let arcs = vars.iter().flat_map(|&v| graph.children(v).iter().map(move |w| (v, w, true)));
    let edges = vars
        .iter()
        .flat_map(|&v| graph.neighbours(v).iter().filter(move |&w| v < w).map(move |w| (v, w, false)));
    let ends: Vec<(Var, Var, bool)> = arcs.chain(edges).collect();
    let down = |x: Var, y: Var| ranks[x.index()] < ranks[y.index()];
    let links: Vec<Link> = ends
        .iter()
        .map(|&(x, y, _)| if down(x, y) { (x, y) } else { (y, x) })
        .map(|(x, y)| Link { tail: local(x), head: local(y) })
        .collect();

    let mut ladder = Ladder::new(layers::layers(&widths, &links), &links);
    order::untangle(&mut ladder);
    let x = columns::columns(&ladder, &widths);
    let tops = route::tops(&ladder, &x);
    let routes = route::routes(&ladder, &widths, &x, &tops);

    let boxes: Vec<Rect> = (0..vars.len())
        .map(|v| Rect { x: x[v] - widths[v] / 2.0, y: tops[ladder.layer[v]], width: widths[v] })
        .collect();
    let curves: Vec<Curve> = ends
        .into_iter()
        .zip(routes)
        .map(|((from, to, directed), mut knots)| {
            if !down(from, to) {
                knots.reverse();
            }
            Curve { from, to, directed, knots }
        })
        .collect();
    Part::new(vars, boxes, curves)
}

/// Puts nodes without edges into rows and columns, as wide as the other parts.
fn isolated_part(vars: Vec<Var>, widths: &[f64], room: f64) -> Part {
    let widest = vars.iter().map(|v| widths[v.index()]).fold(0.0, f64::max);
    let (places, _) = pack::rows(&vec![(widest, BOX_HEIGHT); vars.len()], BOX_GAP, room);
    let boxes = vars.iter().zip(places).map(|(v, (x, y))| Rect { x, y, width: widths[v.index()] }).collect();
    Part::new(vars, boxes, Vec::new())
}

impl Part {
    /// Moves everything so that the upper left corner is at 0, 0.
    fn new(vars: Vec<Var>, boxes: Vec<Rect>, curves: Vec<Curve>) -> Part {
        let knots = || curves.iter().flat_map(|c| &c.knots).map(|k| k.x);
        let left = boxes.iter().map(|b| b.x).chain(knots()).fold(f64::INFINITY, f64::min);
        let right = boxes.iter().map(|b| b.x + b.width).chain(knots()).fold(left, f64::max);
        let height = boxes.iter().map(|b| b.y + BOX_HEIGHT).fold(0.0, f64::max);
        let mut part = Part { vars, width: right - left, height, boxes, curves };
        part.shift(-left, 0.0);
        part
    }

    fn shift(&mut self, dx: f64, dy: f64) {
        for rect in &mut self.boxes {
            rect.x += dx;
            rect.y += dy;
        }
        for knot in self.curves.iter_mut().flat_map(|c| &mut c.knots) {
            knot.x += dx;
            knot.y += dy;
        }
    }
}

/// Packs the parts and puts their boxes and curves into the order of the graph.
fn assemble(graph: &Pdag, mut parts: Vec<Part>) -> Picture {
    let sizes: Vec<(f64, f64)> = parts.iter().map(|p| (p.width, p.height)).collect();
    let (places, (width, height)) = pack::rows(&sizes, PART_GAP, 0.0);
    let mut boxes = vec![Rect { x: 0.0, y: 0.0, width: 0.0 }; graph.nodes()];
    let mut curves = Vec::new();
    for (part, (x, y)) in parts.iter_mut().zip(places) {
        part.shift(x, y);
        for (v, rect) in part.vars.iter().zip(&part.boxes) {
            boxes[v.index()] = *rect;
        }
        curves.append(&mut part.curves);
    }
    curves.sort_by_key(|c| (!c.directed, c.from, c.to));
    Picture { width, height, boxes, curves }
}
