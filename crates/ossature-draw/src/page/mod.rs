//! A graph as an interactive page: one self-contained HTML file.
//!
//! The page has the drawing, the facts about nodes and edges, and, if there are tables, the junction tree
//! that the library built for them: choosing levels then shows the posteriors of all other variables,
//! computed in the page. Style and scripts are separate files beside this one, without any framework.
//!
//! ```text
//! page.html   the frame                     view.js    pan, zoom, keyboard
//! style.css   light, dark, paper, narrow    panels.js  selection, what if, list
//! infer.js    messages in the tree          main.js    puts them together
//! ```

mod drawing;
mod evidence;
mod findings;
mod json;

use ossature::text::{count, escaped};
use ossature::{Dataset, NamedGraph, Network, Settings, Var};
use serde_json::Value as Json;

use crate::difference::{Kind, Overlay};
use crate::{notes, picture};
use findings::Findings;
use json::PageData;

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPTS: [&str; 4] =
    [include_str!("infer.js"), include_str!("view.js"), include_str!("panels.js"), include_str!("main.js")];

/// The content of a page: a graph, and what else is known.
///
/// ```
/// use ossature::network::catalogue;
/// use ossature_draw::page::Page;
///
/// let asia = catalogue::load("asia")?;
/// let html = Page::of_network("asia", &asia).html();
/// assert!(html.starts_with("<!doctype html>") && !html.contains("src="));
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Page<'a> {
    /// The heading.
    pub title: &'a str,
    /// The graph to draw.
    pub graph: NamedGraph,
    /// Tables for the same variables. Its DAG may be any member of the drawn class.
    pub network: Option<&'a Network>,
    /// How the graph was learned: a report, or the JSON written from one.
    pub report: Option<&'a Json>,
    /// The rows and settings that it was learned from.
    pub learned_from: Option<(&'a Dataset, &'a Settings)>,
}

impl<'a> Page<'a> {
    /// A graph without further information.
    pub fn of_graph(title: &'a str, graph: &NamedGraph) -> Page<'a> {
        Page { title, graph: graph.clone(), network: None, report: None, learned_from: None }
    }

    /// A network with its tables.
    pub fn of_network(title: &'a str, network: &'a Network) -> Page<'a> {
        Page { network: Some(network), ..Page::of_graph(title, &network.named_graph()) }
    }

    /// The page as one HTML document.
    pub fn html(&self) -> String {
        let picture = picture(&self.graph);
        let findings = self.report.map(Findings::of).unwrap_or_default();
        let data = PageData::of(self, &findings, &picture);
        let graph = self.graph.graph();
        let (arcs, open) = (graph.directed().count(), graph.undirected().count());
        let mut facts = vec![count(self.graph.names().len(), "variable"), count(arcs, "arc")];
        if open > 0 {
            facts.push(count(open, "edge without direction").replace("directions", "direction"));
        }
        facts.extend(findings.in_words());
        let svg = drawing::svg(&self.graph, &picture, &|_, _| "", &|v| self.continuous(v));
        document(self.title, &facts.join(" · "), &svg, &data)
    }

    /// A note on a variable, if it is known to be continuous.
    fn continuous(&self, v: Var) -> Option<String> {
        if let Some(network) = self.network {
            return notes::regression(network, v);
        }
        let (data, _) = self.learned_from?;
        let column = data.var(self.graph.name(v))?;
        data.variable(column).is_continuous().then(|| notes::CONTINUOUS.to_owned())
    }
}

/// Two structures overlaid as one HTML document; A is the truth.
///
/// ```
/// use ossature::graph::format::parse_csv;
///
/// let truth = parse_csv("from,to\nrain,wet\nsprinkler,wet\n", "truth.csv")?;
/// let learned = parse_csv("from,to\nrain,wet\n", "learned.csv")?;
/// let html = ossature_draw::page::difference("truth and learned", &truth, &learned);
/// assert!(html.contains("only in A"));
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn difference(title: &str, a: &NamedGraph, b: &NamedGraph) -> String {
    let overlay = Overlay::new(a, b);
    let picture = picture(&overlay.graph);
    let data = PageData::of_difference(title, &overlay, &picture);
    let kinds = Kind::ALL.map(|kind| {
        let number = picture.curves.iter().filter(|c| overlay.kind(c.from, c.to) == kind).count();
        format!("{number} {}", kind.words())
    });
    let facts = format!("SHD {} · edges: {}", overlay.comparison.shd, kinds.join(", "));
    let svg = drawing::svg(&overlay.graph, &picture, &|x, y| overlay.kind(x, y).class(), &|_| None);
    document(title, &facts, &svg, &data)
}

fn document(title: &str, facts: &str, svg: &str, data: &PageData) -> String {
    // Inside a script only this could end it.
    let json = serde_json::to_string(data).unwrap_or_default().replace('<', "\\u003c");
    let scripts = SCRIPTS.join("\n");
    let (title, facts) = (escaped(title), escaped(facts));
    let fill = |place: &str| match place {
        "style" => STYLE,
        "scripts" => &scripts,
        "title" => &title,
        "facts" => &facts,
        "drawing" => svg,
        "data" => &json,
        _ => "",
    };
    // From place to place in the frame, so that nothing that is filled in is taken for a place.
    let mut parts = FRAME.split("<!--");
    let mut page = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (place, after) = part.split_once("-->").unwrap_or(("", part));
        page.push_str(fill(place));
        page.push_str(after);
    }
    page
}
