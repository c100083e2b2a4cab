//! Graphs in GraphML, as networkx, igraph and yEd write it.
//!
//! Programs keep the names in different places. networkx uses the `id` of a node; igraph and yEd
//! number the nodes (`n0`, `n1`, …) and keep the names as data. So the name of a node is its data
//! for the key called `name`, or else for `label`, or else the label that yEd draws, *if all nodes
//! have one and no two have the same*; otherwise the names are the `id`s.
//!
//! An edge is directed according to its own attribute (`directed`), or else its graph's
//! (`edgedefault`). yEd writes neither for undirected edges; there the drawn arrow heads decide.
//! Nodes of nested graphs are ordinary nodes. Hyperedges are refused.
//!
//! Only the five XML entities and character references are known. Entities that a document declares
//! itself are never expanded, so they cannot exhaust memory; using one in a place that matters is
//! an error.

mod write;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Gathered;
use crate::error::{Error, Place, Result};
use crate::graph::NamedGraph;

pub(super) use self::write::write;

/// Reads a graph in GraphML.
///
/// ```
/// use ossature::graph::format::parse_graphml;
///
/// let text = r#"<graphml><graph edgedefault="directed">
///     <node id="rain"/><node id="wet"/><edge source="rain" target="wet"/>
/// </graph></graphml>"#;
/// assert_eq!(parse_graphml(text, "g.graphml")?.names(), ["rain", "wet"]);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn parse_graphml(text: &str, file: &str) -> Result<NamedGraph> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut document = Document { text, file, ..Document::default() };
    let mut reader = Reader::from_str(text);
    loop {
        document.at = reader.buffer_position() as usize;
        let event = reader.read_event().map_err(|e| {
            document.at = reader.error_position() as usize;
            document.malformed(&e)
        })?;
        match event {
            Event::Start(element) => document.start(&element)?,
            Event::End(_) => drop(document.open.pop()),
            Event::Empty(element) => {
                document.start(&element)?;
                document.open.pop();
            }
            Event::Text(content) => document.characters(|| Ok(content.xml10_content().into_owned()))?,
            Event::CData(content) => document.characters(|| Ok(content.xml10_content().into_owned()))?,
            Event::GeneralRef(reference) => {
                document.characters(|| {
                    Ok(quick_xml::escape::unescape(&format!("&{};", &*reference))?.into_owned())
                })?;
            }
            Event::Eof => return document.finish(),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

/// The part of a document read so far.
#[derive(Default)]
struct Document<'a> {
    text: &'a str,
    file: &'a str,
    /// Where the current element or text starts.
    at: usize,
    /// The open elements.
    open: Vec<Element>,
    /// The kind of name for each key of nodes.
    keys: FxHashMap<String, Naming>,
    seen_graph: bool,
    nodes: Vec<GraphmlNode>,
    edges: Vec<GraphmlEdge>,
}

/// An open element, with the purpose of its content.
#[derive(Clone, Copy)]
enum Element {
    Root,
    Graph {
        directed: bool,
    },
    Node(usize),
    Edge(usize),
    /// Data of a node that is or contains a name.
    Data(usize, Naming),
    /// Text that is part of a name.
    Name(usize, Naming),
    /// Any other element inside yEd's data.
    Other,
}

/// The places where a node may have a name, in order of precedence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    Name,
    Label,
    Drawn,
}

struct GraphmlNode {
    id: String,
    names: [Option<String>; 3],
    at: usize,
}

struct GraphmlEdge {
    source: String,
    target: String,
    directed: bool,
    /// Whether yEd draws arrow heads at the source and at the target.
    drawn: Option<(bool, bool)>,
    at: usize,
}

impl Document<'_> {
    fn start(&mut self, element: &BytesStart) -> Result<()> {
        let open = self.open.last().copied();
        let tag = element.local_name();
        let opened = match (open, tag.as_ref()) {
            (None, "graphml") => Element::Root,
            (None, other) => return Err(self.error(format!("<{other}>"), "<graphml>")),
            (Some(Element::Root), "key") => {
                self.key(element)?;
                Element::Other
            }
            (Some(Element::Root | Element::Node(_)), "graph") => self.graph(element, open)?,
            (Some(Element::Graph { .. }), "node") => self.node(element)?,
            (Some(Element::Graph { directed }), "edge") => self.edge(element, directed)?,
            (Some(Element::Graph { .. }), "hyperedge") => {
                return Err(self.error("a hyperedge", "edges between two nodes"));
            }
            (Some(Element::Node(node)), "data") => self.data(element, node)?,
            (Some(Element::Data(node, Naming::Drawn)), "NodeLabel") if !self.has_drawn_name(node) => {
                self.name_of(node, Naming::Drawn)
            }
            // The drawing of a node or an edge is nested in the elements of yEd.
            (Some(inside @ Element::Data(_, Naming::Drawn)), _) => inside,
            (Some(inside @ Element::Edge(edge)), _) => {
                if tag.as_ref() == "Arrows" {
                    self.arrows(element, edge)?;
                }
                inside
            }
            _ => Element::Other,
        };
        self.open.push(opened);
        Ok(())
    }

    fn key(&mut self, element: &BytesStart) -> Result<()> {
        if !matches!(self.attribute(element, "for")?.as_deref(), Some("node" | "all") | None) {
            return Ok(());
        }
        let naming = match self.attribute(element, "attr.name")?.as_deref() {
            Some("name") => Naming::Name,
            Some("label") => Naming::Label,
            _ if self.attribute(element, "yfiles.type")?.as_deref() == Some("nodegraphics") => Naming::Drawn,
            _ => return Ok(()),
        };
        let id = self.required(element, "id")?;
        self.keys.insert(id, naming);
        Ok(())
    }

    fn graph(&mut self, element: &BytesStart, open: Option<Element>) -> Result<Element> {
        if matches!(open, Some(Element::Root)) && std::mem::replace(&mut self.seen_graph, true) {
            return Err(self.error("a second graph", "one graph in the file"));
        }
        match self.attribute(element, "edgedefault")?.as_deref() {
            Some("directed") | None => Ok(Element::Graph { directed: true }),
            Some("undirected") => Ok(Element::Graph { directed: false }),
            Some(other) => {
                Err(self.error(format!("edgedefault=\"{other}\""), "\"directed\" or \"undirected\""))
            }
        }
    }

    fn node(&mut self, element: &BytesStart) -> Result<Element> {
        let id = self.required(element, "id")?;
        self.nodes.push(GraphmlNode { id, names: [const { None }; 3], at: self.at });
        Ok(Element::Node(self.nodes.len() - 1))
    }

    fn edge(&mut self, element: &BytesStart, by_default: bool) -> Result<Element> {
        let (source, target) = (self.required(element, "source")?, self.required(element, "target")?);
        let directed = match self.attribute(element, "directed")?.as_deref() {
            Some("true" | "1") => true,
            Some("false" | "0") => false,
            Some(other) => return Err(self.error(format!("directed=\"{other}\""), "\"true\" or \"false\"")),
            None => by_default,
        };
        self.edges.push(GraphmlEdge { source, target, directed, drawn: None, at: self.at });
        Ok(Element::Edge(self.edges.len() - 1))
    }

    fn data(&mut self, element: &BytesStart, node: usize) -> Result<Element> {
        let key = self.required(element, "key")?;
        Ok(match self.keys.get(&key) {
            Some(Naming::Drawn) => Element::Data(node, Naming::Drawn),
            Some(&naming) => self.name_of(node, naming),
            None => Element::Other,
        })
    }

    fn name_of(&mut self, node: usize, naming: Naming) -> Element {
        self.nodes[node].names[naming as usize] = Some(String::new());
        Element::Name(node, naming)
    }

    /// A node can be drawn with several labels; the first is its name.
    fn has_drawn_name(&self, node: usize) -> bool {
        self.nodes[node].names[Naming::Drawn as usize].is_some()
    }

    fn arrows(&mut self, element: &BytesStart, edge: usize) -> Result<()> {
        let head = |end: Option<String>| end.is_some_and(|shape| shape != "none");
        let source = head(self.attribute(element, "source")?);
        let target = head(self.attribute(element, "target")?);
        self.edges[edge].drawn = Some((source, target));
        Ok(())
    }

    /// Adds text to the name that is being read, if any.
    fn characters(&mut self, content: impl FnOnce() -> quick_xml::Result<String>) -> Result<()> {
        if let Some(&Element::Name(node, naming)) = self.open.last() {
            let content = content().map_err(|e| self.malformed(&e))?;
            self.nodes[node].names[naming as usize].get_or_insert_default().push_str(&content);
        }
        Ok(())
    }

    fn attribute(&self, element: &BytesStart, name: &str) -> Result<Option<String>> {
        for attribute in element.attributes() {
            let attribute = attribute.map_err(|e| self.malformed(&e.into()))?;
            if attribute.key.as_ref() == name {
                let value = attribute.normalized_value(XmlVersion::Implicit1_0);
                return value.map(|v| Some(v.into_owned())).map_err(|e| self.malformed(&e));
            }
        }
        Ok(None)
    }

    fn required(&self, element: &BytesStart, name: &str) -> Result<String> {
        let tag = element.local_name();
        self.attribute(element, name)?.ok_or_else(|| {
            self.error(format!("<{}> without {name:?}", tag.as_ref()), format!("the attribute {name:?}"))
        })
    }

    fn finish(self) -> Result<NamedGraph> {
        if !self.open.is_empty() || !self.seen_graph {
            let expected = if self.seen_graph { "</graphml>" } else { "<graphml> with a <graph> in it" };
            return Err(self.error("the end of the file", expected));
        }
        let names = self.names();
        let mut gathered = Gathered::default();
        let mut by_id = FxHashMap::default();
        for (node, name) in self.nodes.iter().zip(&names) {
            let place = || self.place(node.at);
            if by_id.insert(node.id.as_str(), gathered.node(name, place)?).is_some() {
                return Err(Error::Duplicate { what: "node", name: node.id.clone(), place: Some(place()) });
            }
        }
        for edge in &self.edges {
            let place = || self.place(edge.at);
            let node = |id: &str| {
                let ids = || self.nodes.iter().map(|n| n.id.as_str());
                by_id.get(id).copied().ok_or_else(|| Error::unknown_name("node", id, ids(), Some(place())))
            };
            let (source, target) = (node(&edge.source)?, node(&edge.target)?);
            match (edge.directed, edge.drawn) {
                (true, None | Some((false, true))) => gathered.arc(source, target, place)?,
                (true, Some((true, false))) => gathered.arc(target, source, place)?,
                _ => gathered.undirected(source, target, place)?,
            }
        }
        Ok(gathered.finish())
    }

    /// The names of the nodes, from the first place where all have a distinct one.
    fn names(&self) -> Vec<&str> {
        let named = |naming: Naming| -> Option<Vec<&str>> {
            let names = self.nodes.iter().map(|node| {
                let name = node.names[naming as usize].as_deref()?;
                // yEd breaks and indents what it draws.
                let name = if naming == Naming::Drawn { name.trim() } else { name };
                (!name.is_empty()).then_some(name)
            });
            let names: Vec<&str> = names.collect::<Option<_>>()?;
            let different: FxHashSet<&str> = names.iter().copied().collect();
            (different.len() == names.len()).then_some(names)
        };
        [Naming::Name, Naming::Label, Naming::Drawn]
            .into_iter()
            .find_map(named)
            .unwrap_or_else(|| self.nodes.iter().map(|node| node.id.as_str()).collect())
    }

    fn malformed(&self, error: &quick_xml::Error) -> Error {
        self.error(format!("malformed XML ({error})"), "a document in GraphML")
    }

    fn error(&self, found: impl Into<String>, expected: impl Into<String>) -> Error {
        Error::syntax(self.place(self.at), found, expected)
    }

    fn place(&self, at: usize) -> Place {
        Place::in_text(self.file, self.text, at)
    }
}

#[cfg(test)]
mod tests {
    use super::super::named_edges;
    use super::*;

    /// The names, then `a>b` for an arc and `a-b` for an undirected edge.
    fn read(text: &str) -> String {
        let g = parse_graphml(text, "g.graphml").unwrap_or_else(|e| panic!("{e}"));
        let directed = named_edges(&g, g.graph().directed()).map(|(x, y)| format!(" {x}>{y}"));
        let undirected = named_edges(&g, g.graph().undirected()).map(|(x, y)| format!(" {x}-{y}"));
        g.names().join(",") + ":" + &directed.chain(undirected).collect::<String>()
    }

    fn refused(text: &str) -> String {
        parse_graphml(text, "g.graphml").unwrap_err().to_string()
    }

    /// A document with these elements inside its graph.
    fn graph(inside: &str) -> String {
        format!(
            "<graphml><key id='l' attr.name='label'/><graph edgedefault='directed'>{inside}</graph></graphml>"
        )
    }

    #[test]
    fn networkx() {
        let text = r#"<?xml version='1.0' encoding='utf-8'?>
            <graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
              <key id="d0" for="edge" attr.name="weight" attr.type="long"/>
              <graph edgedefault="undirected">
                <node id="a &amp; b"/><node id="c"/><!-- a comment --><node id="0"/>
                <edge source="a &amp; b" target="c"><data key="d0">1</data></edge>
                <edge source="c" target="0" directed="true"/>
              </graph></graphml>"#;
        assert_eq!(read(text), "0,a & b,c: c>0 a & b-c");
    }

    #[test]
    fn igraph() {
        let text = r#"<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
              <key id="v_name" for="node" attr.name="name" attr.type="string"/>
              <key id="e_name" for="edge" attr.name="name" attr.type="string"/>
              <graph id="G" edgedefault="directed">
                <node id="n0"><data key="v_name">A&#x2192;&lt;1</data></node>
                <node id="n1"><data key="v_name"><![CDATA[B & ]]>co</data></node>
                <edge source="n0" target="n1"><data key="e_name">x</data></edge>
              </graph></graphml>"#;
        assert_eq!(read(text), "A→<1,B & co: A→<1>B & co");
    }

    #[test]
    fn yed() {
        let node = |id, label| {
            format!(
                r#"<node id="{id}"><data key="d6"><y:ShapeNode><y:Fill color="red"/>
                <y:NodeLabel alignment="center">{label}<y:LabelModel><y:Smart/></y:LabelModel></y:NodeLabel>
                <y:NodeLabel>second</y:NodeLabel></y:ShapeNode></data></node>"#
            )
        };
        let edge = |from, to, source, target| {
            format!(
                r#"<edge source="{from}" target="{to}"><data key="d10"><y:PolyLineEdge>
                <y:Arrows source="{source}" target="{target}"/></y:PolyLineEdge></data></edge>"#
            )
        };
        let text = format!(
            r#"<graphml xmlns:y="http://www.yworks.com/xml/graphml"><key for="node" id="d5" attr.name="description"/>
            <key for="node" id="d6" yfiles.type="nodegraphics"/><graph edgedefault="directed" id="G">
            {} {} <node id="n2" yfiles.foldertype="group"><data key="d6"><y:NodeLabel>group</y:NodeLabel></data>
            <graph edgedefault="directed" id="n2:">{}</graph></node> {} {} {} </graph></graphml>"#,
            node("n0", "rain\n  "),
            node("n1", "wet"),
            node("n2::n0", "slip"),
            edge("n0", "n1", "none", "standard"),
            edge("n1", "n2::n0", "none", "none"),
            edge("n2", "n0", "delta", "none"),
        );
        assert_eq!(read(&text), "group,rain,slip,wet: rain>group rain>wet slip-wet");
    }

    #[test]
    fn names_are_used_only_if_all_have_one_and_they_differ() {
        let nodes =
            |a, b| graph(&format!("<node id='a'><data key='l'>{a}</data></node><node id='b'>{b}</node>"));
        assert_eq!(read(&nodes("x", "<data key='l'>y</data>")), "x,y:");
        assert_eq!(read(&nodes("x", "<data key='l'>x</data>")), "a,b:");
        assert_eq!(read(&nodes("x", "")), "a,b:");
        assert_eq!(read(&nodes("x", "<data key='l'/>")), "a,b:");
    }

    #[test]
    fn mistakes_are_shown_with_their_place() {
        assert_eq!(
            refused(&graph("<node id='a'/>\n  <edge source='a' target='a'/>")),
            "g.graphml, line 2, column 3: found an edge from \"a\" to itself, expected edges between different nodes"
        );
        assert!(
            refused(&graph("<node id='a1'/><edge source='a1' target='a2'/>"))
                .contains("did you mean \"a1\"?")
        );
        assert!(refused(&graph("<node/>")).contains("found <node> without \"id\""));
        assert!(refused(&graph("<node id='a'/><node id='a'/>")).contains("node \"a\" occurs twice"));
        assert!(refused(&graph("<hyperedge/>")).contains("found a hyperedge"));
        assert!(refused(&graph("</node>")).contains("malformed XML"));
        assert!(refused("<graphml><graph>").contains("found the end of the file, expected </graphml>"));
        assert!(refused("<graphml></graphml>").contains("with a <graph> in it"));
        assert!(refused("<svg/>").contains("found <svg>, expected <graphml>"));
        assert!(refused("<graphml><graph/><graph/></graphml>").contains("a second graph"));
        assert!(refused("").contains("the end of the file"));
    }

    #[test]
    fn declared_entities_are_not_expanded() {
        let bomb = "<!DOCTYPE g [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\"><!ENTITY f SYSTEM \"file:///etc/passwd\">]>";
        assert!(refused(&format!("{bomb}{}", graph("<node id='&b;'/>"))).contains("malformed XML"));
        let in_text = graph("<node id='a'><data key='l'>&f;</data></node>");
        assert!(refused(&format!("{bomb}{in_text}")).contains("malformed XML"));
        assert_eq!(read(&format!("{bomb}{}", graph("<desc>&b;</desc><node id='a'/>"))), "a:");
    }

    #[test]
    fn depth_is_harmless() {
        assert!(parse_graphml(&format!("<graphml>{}", "<a>".repeat(300_000)), "g.graphml").is_err());
    }
}
