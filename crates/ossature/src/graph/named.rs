//! A graph with the names of its nodes, as it is read from and written to files.

use rustc_hash::FxHashMap;

use crate::data::Var;
use crate::error::{Error, Result};
use crate::graph::{Dag, Mark, Pdag, WouldCycle};

/// A graph and the names of its nodes, which are in the canonical order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedGraph {
    names: Vec<String>,
    graph: Pdag,
    /// The DAG that stands for a class, if it is known.
    member: Option<Dag>,
}

impl NamedGraph {
    /// A graph whose node `i` has the `i`-th name; the names must be sorted and distinct.
    ///
    /// # Panics
    /// If they are not, or if their number differs from the number of nodes.
    pub fn new(names: Vec<String>, graph: Pdag) -> NamedGraph {
        assert_eq!(names.len(), graph.nodes(), "a name for each node");
        assert!(names.is_sorted_by(|a, b| a < b), "names in the canonical order");
        NamedGraph { names, graph, member: None }
    }

    /// The same class with the DAG that stands for it; other DAGs than those that the graph allows are ignored.
    #[must_use]
    pub fn standing_for(self, dag: Dag) -> NamedGraph {
        let allows = |(x, y)| matches!(self.graph.mark(x, y), Mark::Forward | Mark::Undirected);
        let edges = self.graph.directed().count() + self.graph.undirected().count();
        let member = dag.nodes() == self.names.len() && dag.len() == edges && dag.arcs().all(allows);
        NamedGraph { member: member.then_some(dag), ..self }
    }

    /// A DAG with the edges and directions of the graph, and no new collider: the one that stands for the class, or the
    /// canonical one. `None` if there is none.
    pub fn member(&self) -> Option<Dag> {
        self.member.clone().or_else(|| self.graph.extension())
    }

    /// A graph from names in any order and edges between them: X, Y and how they are joined.
    ///
    /// # Panics
    /// If an edge names a node that is not among the names.
    pub fn from_edges(
        mut names: Vec<String>,
        edges: impl IntoIterator<Item = (String, String, Mark)>,
    ) -> NamedGraph {
        names.sort_unstable();
        names.dedup();
        let index: FxHashMap<&str, Var> =
            names.iter().enumerate().map(|(i, n)| (n.as_str(), Var::new(i))).collect();
        let mut graph = Pdag::empty(names.len());
        for (x, y, mark) in edges {
            graph.set(index[x.as_str()], index[y.as_str()], mark);
        }
        NamedGraph::new(names, graph)
    }

    /// The names in the canonical order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The name of a node.
    pub fn name(&self, v: Var) -> &str {
        &self.names[v.index()]
    }

    /// The node with this name.
    pub fn var(&self, name: &str) -> Option<Var> {
        self.names.binary_search_by(|n| n.as_str().cmp(name)).ok().map(Var::new)
    }

    /// The graph without its names.
    pub fn graph(&self) -> &Pdag {
        &self.graph
    }

    /// The same graph over other names: names it lacks become isolated nodes, and its own nodes that
    /// are not among them are removed with their edges.
    #[must_use]
    pub fn over(&self, mut names: Vec<String>) -> NamedGraph {
        names.sort_unstable();
        let kept: Vec<bool> = self.names.iter().map(|name| names.binary_search(name).is_ok()).collect();
        let edges = |pairs: Vec<(Var, Var)>, mark| {
            let kept = |&(x, y): &(Var, Var)| kept[x.index()] && kept[y.index()];
            let named = move |(x, y)| (self.name(x).to_owned(), self.name(y).to_owned(), mark);
            pairs.into_iter().filter(kept).map(named).collect::<Vec<_>>()
        };
        let directed = edges(self.graph.directed().collect(), Mark::Forward);
        let undirected = edges(self.graph.undirected().collect(), Mark::Undirected);
        let arcs =
            self.member.iter().flat_map(|dag| edges(dag.arcs().collect(), Mark::Forward)).collect::<Vec<_>>();
        let over = NamedGraph::from_edges(names, directed.into_iter().chain(undirected));
        let place = |name: &str| over.var(name).expect("an end of an edge that was kept");
        let arcs = arcs.iter().map(|(from, to, _)| (place(from), place(to)));
        match Dag::from_arcs(over.names.len(), arcs.collect::<Vec<_>>()) {
            Ok(dag) if self.member.is_some() => over.standing_for(dag),
            _ => over,
        }
    }

    /// The graph as a DAG; an undirected edge or a directed cycle is an error that names it.
    pub fn to_dag(&self) -> Result<Dag> {
        if let Some((x, y)) = self.graph.undirected().next() {
            return Err(Error::Mismatch {
                what: format!("the edge {} - {} has no direction", self.name(x), self.name(y)),
                accepted: "a DAG is needed here".into(),
            });
        }
        self.arcs_as_dag()
    }

    /// Returns an error that names a cycle, if the arcs form one; undirected edges are allowed.
    pub fn check_acyclic(&self) -> Result<()> {
        self.arcs_as_dag().map(drop)
    }

    fn arcs_as_dag(&self) -> Result<Dag> {
        Dag::from_arcs(self.names.len(), self.graph.directed())
            .map_err(|WouldCycle { .. }| Error::Cycle { cycle: self.cycle(), place: None })
    }

    /// The names along one directed cycle, the first repeated at the end.
    fn cycle(&self) -> Vec<String> {
        // What is left when nodes without parents are taken away again and again still has a cycle;
        // walking backwards along parents inside it must come round.
        let mut left: Vec<usize> = self.graph.vars().map(|v| self.graph.parents(v).len()).collect();
        let mut gone: Vec<Var> = self.graph.vars().filter(|v| left[v.index()] == 0).collect();
        while let Some(v) = gone.pop() {
            for child in self.graph.children(v).iter() {
                left[child.index()] -= 1;
                if left[child.index()] == 0 {
                    gone.push(child);
                }
            }
        }
        let Some(mut at) = self.graph.vars().find(|v| left[v.index()] > 0) else { return Vec::new() };
        let mut path = vec![at];
        let mut place = vec![None; self.names.len()];
        loop {
            place[at.index()] = Some(path.len() - 1);
            at = self
                .graph
                .parents(at)
                .iter()
                .find(|p| left[p.index()] > 0)
                .expect("a node on or below a cycle has a parent that is too");
            path.push(at);
            if let Some(start) = place[at.index()] {
                return path[start..].iter().rev().map(|&v| self.name(v).to_owned()).collect();
            }
        }
    }
}
