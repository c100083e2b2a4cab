//! Graphs in DOT, the language of Graphviz.
//!
//! A node is identified by its identifier; labels and all other attributes are for drawing and are
//! ignored, except those that give an edge its direction: `dir`, and `arrowhead` and `arrowtail` if
//! they are `none`. An edge with an arrow head at one end is an arc, with none or two it is
//! undirected. `--` is undirected unless `dir` says otherwise.
//!
//! In a quoted identifier `\"` is a quote and `\\` a backslash. (Graphviz keeps `\\` unchanged, but
//! then no name could end in a backslash.)
//!
//! The grammar is at <https://graphviz.org/doc/info/lang.html>.

mod lexer;

use std::borrow::Cow;
use std::io::{self, Write};

use self::lexer::{DotLexer, DotToken};
use super::{Gathered, excerpt, named_edges};
use crate::data::{Var, VarSet};
use crate::error::{Error, Place, Result};
use crate::graph::NamedGraph;

/// The deepest nesting of subgraphs; more is an accident, or meant to exhaust the stack.
const MAX_DEPTH: usize = 100;

/// The largest number of edges: edges between groups, such as `{a b} -> {c d}`, grow with the
/// square of the text.
const MAX_EDGES: usize = 1 << 24;

/// Reads a graph in DOT.
///
/// ```
/// use ossature::graph::format::parse_dot;
///
/// let g = parse_dot("digraph { season -> {rain sprinkler} -> wet; wet -> slip [dir=none] }", "g.dot")?;
/// assert_eq!(g.names(), ["rain", "season", "slip", "sprinkler", "wet"]);
/// assert_eq!((g.graph().directed().count(), g.graph().undirected().count()), (4, 1));
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn parse_dot(text: &str, file: &str) -> Result<NamedGraph> {
    let mut lexer = DotLexer::new(text, file);
    let (token, start) = lexer.next()?;
    let mut parser =
        DotParser { lexer, token, start, directed: true, depth: 0, gathered: Gathered::default() };
    parser.graph()?;
    Ok(parser.gathered.finish())
}

struct DotParser<'a> {
    lexer: DotLexer<'a>,
    /// The current token, and where it starts.
    token: DotToken<'a>,
    start: usize,
    directed: bool,
    depth: usize,
    gathered: Gathered,
}

/// The attributes that give an edge its direction; those of a scope apply to its edges.
#[derive(Clone, Copy)]
struct Style {
    forward: bool,
    back: bool,
    head: bool,
    tail: bool,
}

impl Style {
    fn set(&mut self, key: &str, value: &str) {
        match key {
            "dir" => {
                (self.back, self.forward) = match value {
                    "none" => (false, false),
                    "forward" => (false, true),
                    "back" => (true, false),
                    "both" => (true, true),
                    // Graphviz knows no others and takes no notice of them.
                    _ => return,
                }
            }
            "arrowhead" => self.head = value != "none",
            "arrowtail" => self.tail = value != "none",
            _ => {}
        }
    }
}

/// One end of an edge: a node or all nodes of a subgraph, and where it is written.
struct End {
    nodes: VarSet,
    start: usize,
}

impl<'a> DotParser<'a> {
    /// `[strict] (graph | digraph) [ID] { … }`
    fn graph(&mut self) -> Result<()> {
        self.accept(&DotToken::Strict)?;
        self.directed = match self.token {
            DotToken::Digraph => true,
            DotToken::Graph => false,
            _ => return Err(self.unexpected("`digraph` or `graph`")),
        };
        self.advance()?;
        if self.token != DotToken::Open {
            self.identifier("`{` or the name of the graph")?;
        }
        let style = Style { forward: self.directed, back: false, head: true, tail: true };
        self.block(style)?;
        if self.token == DotToken::End {
            Ok(())
        } else {
            Err(self.unexpected("one graph and nothing after it"))
        }
    }

    /// `{ statement… }`; returns the nodes named in it.
    fn block(&mut self, mut style: Style) -> Result<VarSet> {
        self.expect(&DotToken::Open, "`{`")?;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let found = format!("subgraphs nested more than {MAX_DEPTH} deep");
            return Err(Error::syntax(self.place(self.start), found, "fewer"));
        }
        let mut members = Vec::new();
        while !self.accept(&DotToken::Close)? {
            // Between statements a semicolon may be left out, or be there twice.
            if !self.accept(&DotToken::Semicolon)? {
                self.statement(&mut style, &mut members)?;
            }
        }
        self.depth -= 1;
        Ok(members.into_iter().collect())
    }

    fn statement(&mut self, style: &mut Style, members: &mut Vec<Var>) -> Result<()> {
        match self.token {
            DotToken::Edge => {
                self.advance()?;
                *style = self.attributes(*style)?;
                return Ok(());
            }
            DotToken::Node | DotToken::Graph => {
                self.advance()?;
                self.attributes(*style)?;
                return Ok(());
            }
            _ => {}
        }
        let Some(end) = self.end_or_assignment(*style)? else { return Ok(()) };
        let mut ends = vec![end];
        while self.edge_operator()? {
            ends.push(self.end(*style)?);
        }
        let style = self.attributes(*style)?;
        for pair in ends.windows(2) {
            self.connect(&pair[0], &pair[1], style)?;
        }
        members.extend(ends.iter().flat_map(|end| end.nodes.iter()));
        Ok(())
    }

    /// `ID = ID`, which is an attribute of the graph, or the start of an edge.
    fn end_or_assignment(&mut self, style: Style) -> Result<Option<End>> {
        if matches!(self.token, DotToken::Open | DotToken::Subgraph) {
            return self.end(style).map(Some);
        }
        let start = self.start;
        let name = self.identifier("a node, an edge, an attribute or `}`")?;
        if self.accept(&DotToken::Equals)? {
            self.value()?;
            return Ok(None);
        }
        self.node(&name, start).map(Some)
    }

    fn end(&mut self, style: Style) -> Result<End> {
        let start = self.start;
        let subgraph = self.accept(&DotToken::Subgraph)?;
        if subgraph && self.token != DotToken::Open {
            self.identifier("`{` or the name of the subgraph")?;
        }
        if subgraph || self.token == DotToken::Open {
            return Ok(End { nodes: self.block(style)?, start });
        }
        let name = self.identifier("a node or a subgraph")?;
        self.node(&name, start)
    }

    /// A node whose name has been read, with its port if there is one.
    fn node(&mut self, name: &str, start: usize) -> Result<End> {
        while self.accept(&DotToken::Colon)? {
            self.identifier("the name of a port")?;
        }
        let lexer = &self.lexer;
        let node = self.gathered.node(name, || Place::in_text(lexer.file, lexer.text, start))?;
        Ok(End { nodes: std::iter::once(node).collect(), start })
    }

    fn edge_operator(&mut self) -> Result<bool> {
        let (right, wrong, expected) = match self.directed {
            true => (DotToken::Arrow, DotToken::Line, "`->` in a digraph"),
            false => (DotToken::Line, DotToken::Arrow, "`--` in a graph that is not a digraph"),
        };
        if self.token == wrong { Err(self.unexpected(expected)) } else { self.accept(&right) }
    }

    fn connect(&mut self, from: &End, to: &End, style: Style) -> Result<()> {
        let more = from.nodes.len().saturating_mul(to.nodes.len());
        let size = self.gathered.arcs.len().saturating_add(more);
        if size > MAX_EDGES {
            let what = format!("{}: the graph", self.place(to.start));
            return Err(Error::TooLarge { what, size: size as u128, limit: MAX_EDGES as u64 });
        }
        let (at_end, at_start) = (style.forward && style.head, style.back && style.tail);
        let lexer = &self.lexer;
        let place = || Place::in_text(lexer.file, lexer.text, to.start);
        for x in from.nodes.iter() {
            for y in to.nodes.iter() {
                match (at_start, at_end) {
                    (false, true) => self.gathered.arc(x, y, place)?,
                    (true, false) => self.gathered.arc(y, x, place)?,
                    _ => self.gathered.undirected(x, y, place)?,
                }
            }
        }
        Ok(())
    }

    /// `[key=value, …]`, any number of times; returns the updated style.
    fn attributes(&mut self, mut style: Style) -> Result<Style> {
        while self.accept(&DotToken::OpenList)? {
            while !self.accept(&DotToken::CloseList)? {
                let key = self.identifier("an attribute or `]`")?;
                self.expect(&DotToken::Equals, "`=`")?;
                style.set(&key, &self.value()?);
                if !self.accept(&DotToken::Comma)? {
                    self.accept(&DotToken::Semicolon)?;
                }
            }
        }
        Ok(style)
    }

    /// The value of an attribute, which may be a text in HTML.
    fn value(&mut self) -> Result<Cow<'a, str>> {
        if self.accept(&DotToken::Html)? { Ok(Cow::Borrowed("")) } else { self.identifier("a value") }
    }

    /// A name, a number, or quoted texts joined by `+`.
    fn identifier(&mut self, expected: &str) -> Result<Cow<'a, str>> {
        match self.advance_if(|t| matches!(t, DotToken::Name(_) | DotToken::Quoted(_)))? {
            Some(DotToken::Name(name)) => Ok(Cow::Borrowed(name)),
            Some(DotToken::Quoted(mut text)) => {
                while self.accept(&DotToken::Plus)? {
                    match self.advance_if(|t| matches!(t, DotToken::Quoted(_)))? {
                        Some(DotToken::Quoted(more)) => text.to_mut().push_str(&more),
                        _ => return Err(self.unexpected("a quoted text after `+`")),
                    }
                }
                Ok(text)
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    fn advance(&mut self) -> Result<DotToken<'a>> {
        let (next, start) = self.lexer.next()?;
        self.start = start;
        Ok(std::mem::replace(&mut self.token, next))
    }

    fn advance_if(&mut self, wanted: impl Fn(&DotToken) -> bool) -> Result<Option<DotToken<'a>>> {
        if wanted(&self.token) { self.advance().map(Some) } else { Ok(None) }
    }

    /// Takes this token if it is the next; returns whether it was.
    fn accept(&mut self, token: &DotToken) -> Result<bool> {
        self.advance_if(|t| t == token).map(|taken| taken.is_some())
    }

    fn expect(&mut self, token: &DotToken, expected: &str) -> Result<()> {
        if self.accept(token)? { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    fn unexpected(&self, expected: &str) -> Error {
        let found = match &self.token {
            DotToken::End => "the end of the file".to_owned(),
            DotToken::Html => "a name in HTML".to_owned(),
            DotToken::Quoted(text) => format!("{:?}", excerpt(text)),
            _ => format!("`{}`", excerpt(&self.lexer.text[self.start..self.lexer.at])),
        };
        Error::syntax(self.place(self.start), found, expected)
    }

    fn place(&self, at: usize) -> Place {
        Place::in_text(self.lexer.file, self.lexer.text, at)
    }
}

pub(super) fn write(graph: &NamedGraph, out: &mut dyn Write) -> io::Result<()> {
    let edges = graph.graph();
    let mixed = edges.directed().next().is_some() || edges.undirected().next().is_none();
    let (kind, undirected) = if mixed { ("digraph", ("->", " [dir=none]")) } else { ("graph", ("--", "")) };
    writeln!(out, "{kind} {{")?;
    for name in graph.names() {
        writeln!(out, "  {};", quoted(name))?;
    }
    for (from, to) in named_edges(graph, edges.directed()) {
        writeln!(out, "  {} -> {};", quoted(from), quoted(to))?;
    }
    for (x, y) in named_edges(graph, edges.undirected()) {
        writeln!(out, "  {} {} {}{};", quoted(x), undirected.0, quoted(y), undirected.1)?;
    }
    writeln!(out, "}}")
}

/// A name as an identifier, in quotes if necessary.
fn quoted(name: &str) -> Cow<'_, str> {
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    if plain && lexer::keyword(name).is_none() {
        return Cow::Borrowed(name);
    }
    Cow::Owned(format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The graph in short: `a>b` for an arc, `a-b` for an undirected edge, `a` for a lone node.
    fn read(text: &str) -> String {
        let g = parse_dot(text, "g.dot").unwrap_or_else(|e| panic!("{e}"));
        let lone = g.graph().vars().filter(|&v| g.graph().adjacents(v).is_empty());
        let directed = named_edges(&g, g.graph().directed()).map(|(x, y)| format!("{x}>{y}"));
        let undirected = named_edges(&g, g.graph().undirected()).map(|(x, y)| format!("{x}-{y}"));
        let lone = lone.map(|v| g.name(v).to_owned());
        directed.chain(undirected).chain(lone).collect::<Vec<_>>().join(" ")
    }

    fn refused(text: &str) -> String {
        parse_dot(text, "g.dot").unwrap_err().to_string()
    }

    #[test]
    fn chains_groups_and_clusters() {
        assert_eq!(read("digraph{a->b->c;;}"), "a>b b>c");
        assert_eq!(read("digraph { {a b} -> c -> {d; e} }"), "a>c b>c c>d c>e");
        let text =
            "digraph G { subgraph cluster_0 { label=x; a -> b; } subgraph { c } -> d:port:n; cluster_0 }";
        assert_eq!(read(text), "a>b c>d cluster_0");
        assert_eq!(read("graph { a -- {b -- c} }"), "a-b a-c b-c");
    }

    #[test]
    fn attributes_give_directions() {
        let text = "digraph { a->b [dir=none] c->d [color=red, dir=back]; e->f [dir=\"both\"][x=<a<b>>]; }";
        assert_eq!(read(text), "d>c a-b e-f");
        let text = "digraph { a->b; edge [dir=none, arrowhead=vee]; b->c; {edge [dir=forward] c->d} d->e }";
        assert_eq!(read(text), "a>b c>d b-c d-e");
        // As written by programs that always draw both heads.
        let text = "digraph { a->b [dir=both, arrowtail=none, arrowhead=normal]
                              b->c [dir=both, arrowtail=none, arrowhead=none] }";
        assert_eq!(read(text), "a>b b-c");
        assert_eq!(read("graph { a -- b; b -- c [dir=forward] }"), "b>c a-b");
    }

    #[test]
    fn names_comments_and_the_rest_of_the_language() {
        let text = "\u{feff}/* a\n comment */ STRICT digraph \"my graph\" { // one more
            # and one more
            rankdir=LR; graph [fontsize=12; x=1]; node [shape=box label=\"->\"]
            \"a b\" -> \"c\\\"d\" ; \"x\\\\\" ; \"node\" ; é_1 -> -3.5 ; \"to\" + \"gether\" \"two\\\nlines\" ;
        }";
        assert_eq!(read(text), "a b>c\"d é_1>-3.5 node together twolines x\\");
    }

    #[test]
    fn opposite_arcs_are_an_undirected_edge() {
        assert_eq!(read("digraph { a->b b->a a->b b->c b->c }"), "b>c a-b");
    }

    #[test]
    fn mistakes_are_shown_with_line_and_column() {
        assert_eq!(
            refused("digraph {\n  é -> é\n}"),
            "g.dot, line 2, column 8: found an edge from \"é\" to itself, expected edges between different nodes"
        );
        assert_eq!(
            refused("digraph { a -- b }"),
            "g.dot, line 1, column 13: found `--`, expected `->` in a digraph"
        );
        assert!(refused("graph { a -> b }").contains("found `->`, expected `--`"));
        assert!(refused("digraph { a -> <b> }").contains("found a name in HTML, expected a node"));
        assert!(
            refused("digraph { a -> ").contains("found the end of the file, expected a node or a subgraph")
        );
        assert!(refused("digraph { \"a }").contains("found a quoted text without an end"));
        assert!(refused("digraph { /* a }").contains("comment without an end"));
        assert!(refused("digraph { a [b] }").contains("found `]`, expected `=`"));
        assert!(refused("digraph { 3a }").contains("found `3a`"));
        assert!(refused("digraph { a ! b }").contains("found '!'"));
        assert!(refused("digraph { subgraph s a }").contains("found `a`, expected `{`"));
        assert!(refused("digraph {} digraph {}").contains("one graph and nothing after it"));
        assert!(refused("").contains("expected `digraph` or `graph`"));
        assert!(refused("digraph { \"\" }").contains("without a name"));
    }

    #[test]
    fn bombs_are_defused() {
        assert!(refused(&format!("digraph {}", "{".repeat(1_000_000))).contains("nested more than"));
        let group: String = (0..5000).map(|i| format!("n{i} ")).collect();
        assert!(
            refused(&format!("graph {{ {{{group}}} -- {{ {} }} }}", group.replace('n', "m")))
                .contains("limit")
        );
        assert!(parse_dot(&format!("digraph {{ a [x={}", "<".repeat(1_000_000)), "g.dot").is_err());
    }
}
