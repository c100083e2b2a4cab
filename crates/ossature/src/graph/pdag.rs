//! Graphs with directed and undirected edges, and the equivalence classes of DAGs among them.

use crate::data::{Var, VarSet};
use crate::graph::{Dag, Skeleton};

/// How two nodes X and Y of a [`Pdag`] are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Not at all.
    Absent,
    /// X - Y.
    Undirected,
    /// X -> Y.
    Forward,
    /// X <- Y.
    Backward,
}

/// A partially directed graph: two nodes are joined by nothing, an edge or an arc.
///
/// ```
/// use ossature::{Pdag, Var};
/// use ossature::graph::Mark;
///
/// let mut g = Pdag::empty(3);
/// g.set(Var(0), Var(1), Mark::Undirected);
/// g.set(Var(1), Var(2), Mark::Forward);
/// assert_eq!(g.mark(Var(2), Var(1)), Mark::Backward);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pdag {
    parents: Vec<VarSet>,
    children: Vec<VarSet>,
    neighbours: Vec<VarSet>,
}

impl Pdag {
    /// The graph of `n` nodes without edges.
    pub fn empty(n: usize) -> Pdag {
        let none = vec![VarSet::new(); n];
        Pdag { parents: none.clone(), children: none.clone(), neighbours: none }
    }

    /// The graph of these arcs and undirected edges between `n` nodes, without repeated pairs.
    pub(super) fn from_parts(
        n: usize,
        directed: impl IntoIterator<Item = (Var, Var)>,
        undirected: impl IntoIterator<Item = (Var, Var)>,
    ) -> Pdag {
        // Sorting each list once is linear in effect, where single insertions at a hub are not.
        let none = vec![Vec::new(); n];
        let (mut parents, mut children, mut neighbours) = (none.clone(), none.clone(), none);
        for (from, to) in directed {
            children[from.index()].push(to);
            parents[to.index()].push(from);
        }
        for (x, y) in undirected {
            neighbours[x.index()].push(y);
            neighbours[y.index()].push(x);
        }
        let sets = |lists: Vec<Vec<Var>>| lists.into_iter().map(VarSet::from_iter).collect();
        Pdag { parents: sets(parents), children: sets(children), neighbours: sets(neighbours) }
    }

    /// The graph in which each node has these parents, and these nodes joined to it by undirected edges, each of which
    /// is given at one end only.
    pub(super) fn of_parents(parents: Vec<VarSet>, undirected: Vec<VarSet>) -> Pdag {
        let transposed = |sets: &[VarSet]| {
            let mut transposed = vec![VarSet::new(); sets.len()];
            for (to, from) in sets.iter().enumerate() {
                from.iter().for_each(|from| transposed[from.index()].push(Var::new(to)));
            }
            transposed
        };
        let children = transposed(&parents);
        let mut neighbours = transposed(&undirected);
        for (here, there) in neighbours.iter_mut().zip(undirected) {
            match here.is_empty() {
                true => *here = there,
                false if there.is_empty() => (),
                false => *here = here.union(&there),
            }
        }
        Pdag { parents, children, neighbours }
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.neighbours.len()
    }

    /// All nodes in order.
    pub fn vars(&self) -> impl DoubleEndedIterator<Item = Var> + ExactSizeIterator + use<> {
        (0..self.nodes()).map(Var::new)
    }

    /// How two nodes are joined.
    pub fn mark(&self, x: Var, y: Var) -> Mark {
        if self.neighbours[x.index()].contains(y) {
            Mark::Undirected
        } else if self.children[x.index()].contains(y) {
            Mark::Forward
        } else if self.parents[x.index()].contains(y) {
            Mark::Backward
        } else {
            Mark::Absent
        }
    }

    /// Sets how two different nodes are joined.
    pub fn set(&mut self, x: Var, y: Var, mark: Mark) {
        assert_ne!(x, y, "a node is not joined to itself");
        for (a, b) in [(x, y), (y, x)] {
            self.neighbours[a.index()].remove(b);
            self.parents[a.index()].remove(b);
            self.children[a.index()].remove(b);
        }
        let (from, to) = match mark {
            Mark::Absent => return,
            Mark::Undirected => {
                self.neighbours[x.index()].insert(y);
                self.neighbours[y.index()].insert(x);
                return;
            }
            Mark::Forward => (x, y),
            Mark::Backward => (y, x),
        };
        self.children[from.index()].insert(to);
        self.parents[to.index()].insert(from);
    }

    /// The nodes with an arc to this one.
    pub fn parents(&self, v: Var) -> &VarSet {
        &self.parents[v.index()]
    }

    /// The nodes with an arc from this one.
    pub fn children(&self, v: Var) -> &VarSet {
        &self.children[v.index()]
    }

    /// The nodes joined to this one by an undirected edge.
    pub fn neighbours(&self, v: Var) -> &VarSet {
        &self.neighbours[v.index()]
    }

    /// The nodes joined to this one in any way.
    pub fn adjacents(&self, v: Var) -> VarSet {
        self.parents(v).union(self.children(v)).union(self.neighbours(v))
    }

    /// The arcs, sorted by start and then by end.
    pub fn directed(&self) -> impl Iterator<Item = (Var, Var)> + '_ {
        self.vars().flat_map(|from| self.children(from).iter().map(move |to| (from, to)))
    }

    /// The undirected edges in order, each once and with the smaller node first.
    pub fn undirected(&self) -> impl Iterator<Item = (Var, Var)> + '_ {
        self.vars().flat_map(|x| self.neighbours(x).iter().filter(move |&y| x < y).map(move |y| (x, y)))
    }

    /// The same graph as a DAG, if every edge has a direction and there is no cycle.
    pub fn to_dag(&self) -> Option<Dag> {
        let directed = self.neighbours.iter().all(VarSet::is_empty);
        if directed { Dag::from_arcs(self.nodes(), self.directed()).ok() } else { None }
    }

    /// The same edges without their directions.
    pub fn skeleton(&self) -> Skeleton {
        let mut skeleton = Skeleton::empty(self.nodes());
        for (x, y) in self.directed().chain(self.undirected()) {
            skeleton.insert(x, y);
        }
        skeleton
    }
}

impl From<&Dag> for Pdag {
    fn from(dag: &Dag) -> Pdag {
        Pdag::from_parts(dag.nodes(), dag.arcs(), [])
    }
}

impl From<&Skeleton> for Pdag {
    fn from(skeleton: &Skeleton) -> Pdag {
        Pdag::from_parts(skeleton.nodes(), [], skeleton.edges())
    }
}

/// The equivalence class of a DAG: what all DAGs that fit the data equally well have in common.
///
/// Only [`Dag::cpdag`] makes one, so there is always a DAG in the class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cpdag(pub(super) Pdag);

impl Cpdag {
    /// As a graph with directed (compelled) and undirected (reversible) edges.
    pub fn as_pdag(&self) -> &Pdag {
        &self.0
    }
}

impl std::ops::Deref for Cpdag {
    type Target = Pdag;

    fn deref(&self) -> &Pdag {
        &self.0
    }
}
