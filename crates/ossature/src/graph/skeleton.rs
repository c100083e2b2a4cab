//! An undirected graph.

use crate::data::{Var, VarSet};

/// An undirected graph: which pairs of variables are adjacent.
///
/// ```
/// use ossature::{Skeleton, Var};
///
/// let mut s = Skeleton::empty(3);
/// s.insert(Var(2), Var(0));
/// assert!(s.contains(Var(0), Var(2)));
/// assert_eq!(s.edges().collect::<Vec<_>>(), [(Var(0), Var(2))]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skeleton {
    neighbours: Vec<VarSet>,
}

impl Skeleton {
    /// The graph of `n` nodes without edges.
    pub fn empty(n: usize) -> Skeleton {
        Skeleton { neighbours: vec![VarSet::new(); n] }
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.neighbours.len()
    }

    /// The number of edges.
    pub fn len(&self) -> usize {
        self.neighbours.iter().map(VarSet::len).sum::<usize>() / 2
    }

    /// Whether there are no edges.
    pub fn is_empty(&self) -> bool {
        self.neighbours.iter().all(VarSet::is_empty)
    }

    /// Adds an edge between two different nodes; returns whether it was new.
    pub fn insert(&mut self, x: Var, y: Var) -> bool {
        assert_ne!(x, y, "a node is not its own neighbour");
        self.neighbours[x.index()].insert(y);
        self.neighbours[y.index()].insert(x)
    }

    /// Removes an edge; returns whether it was present.
    pub fn remove(&mut self, x: Var, y: Var) -> bool {
        self.neighbours[x.index()].remove(y);
        self.neighbours[y.index()].remove(x)
    }

    /// Whether two nodes are adjacent.
    pub fn contains(&self, x: Var, y: Var) -> bool {
        self.neighbours[x.index()].contains(y)
    }

    /// The nodes adjacent to a node.
    pub fn neighbours(&self, x: Var) -> &VarSet {
        &self.neighbours[x.index()]
    }

    /// The edges in order, each once and with the smaller node first.
    pub fn edges(&self) -> impl Iterator<Item = (Var, Var)> + '_ {
        self.neighbours.iter().enumerate().flat_map(|(x, near)| {
            let x = Var::new(x);
            near.iter().filter(move |&y| x < y).map(move |y| (x, y))
        })
    }
}
