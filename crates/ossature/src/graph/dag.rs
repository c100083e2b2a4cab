//! A directed graph that never has a cycle.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::data::{Var, VarSet};
use crate::graph::Skeleton;

/// The arc would close a directed cycle (or runs from a node to itself).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the arc {from:?} -> {to:?} would close a cycle")]
pub struct WouldCycle {
    /// Where the arc starts.
    pub from: Var,
    /// Where it ends.
    pub to: Var,
}

/// A directed acyclic graph, acyclic by construction.
///
/// ```
/// use ossature::{Dag, Var};
///
/// let mut g = Dag::empty(3);
/// g.try_add(Var(0), Var(1))?;
/// g.try_add(Var(1), Var(2))?;
/// assert!(g.try_add(Var(2), Var(0)).is_err());
/// assert_eq!(g.parents(Var(2)).as_slice(), [Var(1)]);
/// # Ok::<(), ossature::WouldCycle>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dag {
    parents: Vec<VarSet>,
    children: Vec<VarSet>,
}

impl Dag {
    /// The graph of `n` nodes without arcs.
    pub fn empty(n: usize) -> Dag {
        Dag { parents: vec![VarSet::new(); n], children: vec![VarSet::new(); n] }
    }

    /// The graph of these arcs between `n` nodes; the error names the first arc that closes a cycle.
    pub fn from_arcs(n: usize, arcs: impl IntoIterator<Item = (Var, Var)>) -> Result<Dag, WouldCycle> {
        let arcs: Vec<(Var, Var)> = arcs.into_iter().collect();
        let dag = Dag::unchecked(n, &arcs);
        if dag.is_acyclic() {
            return Ok(dag);
        }
        // The arc to blame is the last of the shortest beginning that has a cycle.
        let (mut acyclic, mut cyclic) = (0, arcs.len());
        while acyclic + 1 < cyclic {
            let middle = acyclic.midpoint(cyclic);
            match Dag::unchecked(n, &arcs[..middle]).is_acyclic() {
                true => acyclic = middle,
                false => cyclic = middle,
            }
        }
        let (from, to) = arcs[cyclic - 1];
        Err(WouldCycle { from, to })
    }

    /// The graph in which each node has these parents, which are known to form no cycle.
    pub(crate) fn of_parents(parents: Vec<VarSet>) -> Dag {
        let mut children = vec![VarSet::new(); parents.len()];
        for (to, from) in parents.iter().enumerate() {
            from.iter().for_each(|from| children[from.index()].push(Var::new(to)));
        }
        let dag = Dag { parents, children };
        debug_assert!(dag.is_acyclic(), "{dag:?}");
        dag
    }

    /// These arcs, whether or not they have a cycle; sorting once beats many insertions.
    fn unchecked(n: usize, arcs: &[(Var, Var)]) -> Dag {
        let (mut parents, mut children) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for &(from, to) in arcs {
            children[from.index()].push(to);
            parents[to.index()].push(from);
        }
        let sets = |lists: Vec<Vec<Var>>| lists.into_iter().map(VarSet::from_iter).collect();
        Dag { parents: sets(parents), children: sets(children) }
    }

    /// Nodes on a cycle, and those after it, are never in the order.
    fn is_acyclic(&self) -> bool {
        self.topological_order().len() == self.nodes()
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.parents.len()
    }

    /// All nodes in order.
    pub fn vars(&self) -> impl DoubleEndedIterator<Item = Var> + ExactSizeIterator + use<> {
        (0..self.nodes()).map(Var::new)
    }

    /// The number of arcs.
    pub fn len(&self) -> usize {
        self.parents.iter().map(VarSet::len).sum()
    }

    /// Whether there are no arcs.
    pub fn is_empty(&self) -> bool {
        self.parents.iter().all(VarSet::is_empty)
    }

    /// The nodes with an arc to this one.
    pub fn parents(&self, v: Var) -> &VarSet {
        &self.parents[v.index()]
    }

    /// The nodes with an arc from this one.
    pub fn children(&self, v: Var) -> &VarSet {
        &self.children[v.index()]
    }

    /// Whether there is an arc from one node to another.
    pub fn has_arc(&self, from: Var, to: Var) -> bool {
        self.parents[to.index()].contains(from)
    }

    /// Whether there is an arc between two nodes, in either direction.
    pub fn adjacent(&self, x: Var, y: Var) -> bool {
        self.has_arc(x, y) || self.has_arc(y, x)
    }

    /// The arcs, sorted by start and then by end.
    pub fn arcs(&self) -> impl Iterator<Item = (Var, Var)> + '_ {
        self.vars().flat_map(|from| self.children(from).iter().map(move |to| (from, to)))
    }

    /// Adds an arc, unless it would close a cycle. An existing arc stays.
    pub fn try_add(&mut self, from: Var, to: Var) -> Result<(), WouldCycle> {
        if self.reaches(to, from) {
            return Err(WouldCycle { from, to });
        }
        self.add(from, to);
        Ok(())
    }

    /// Adds an arc that is known to close no cycle.
    pub(crate) fn add(&mut self, from: Var, to: Var) {
        debug_assert!(!self.reaches(to, from), "{from:?} -> {to:?} closes a cycle");
        self.parents[to.index()].insert(from);
        self.children[from.index()].insert(to);
    }

    /// Removes an arc; returns whether it was present.
    pub fn remove(&mut self, from: Var, to: Var) -> bool {
        self.children[from.index()].remove(to);
        self.parents[to.index()].remove(from)
    }

    /// Reverses an arc, unless the other direction would close a cycle; then it stays.
    ///
    /// ```
    /// use ossature::{Dag, Var};
    ///
    /// let (a, b, c) = (Var(0), Var(1), Var(2));
    /// let mut g = Dag::from_arcs(3, [(a, b), (b, c), (a, c)])?;
    /// assert!(g.try_reverse(a, c).is_err()); // a -> b -> c is left
    /// g.try_reverse(b, c)?;
    /// assert!(g.has_arc(c, b) && !g.has_arc(b, c));
    /// # Ok::<(), ossature::WouldCycle>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such arc.
    pub fn try_reverse(&mut self, from: Var, to: Var) -> Result<(), WouldCycle> {
        assert!(self.remove(from, to), "there is no arc {from:?} -> {to:?} to reverse");
        self.try_add(to, from).inspect_err(|_| {
            self.parents[to.index()].insert(from);
            self.children[from.index()].insert(to);
        })
    }

    /// Whether a directed path leads from one node to another; every node reaches itself.
    pub fn reaches(&self, from: Var, to: Var) -> bool {
        if self.children(from).is_empty() {
            return from == to; // common where a graph is built in topological order
        }
        let mut seen = vec![false; self.nodes()];
        let mut open = vec![from];
        while let Some(v) = open.pop() {
            if v == to {
                return true;
            }
            if !std::mem::replace(&mut seen[v.index()], true) {
                open.extend(self.children(v).iter());
            }
        }
        false
    }

    /// Whether an arc is covered: `to` has the parents of `from`, and `from`, and no others. Reversing it leads to
    /// another graph of the same class.
    pub(crate) fn is_covered(&self, from: Var, to: Var) -> bool {
        let (above, below) = (self.parents(from), self.parents(to));
        below.len() == above.len() + 1 && below.contains(from) && above.iter().all(|v| below.contains(v))
    }

    /// The nodes, each after its parents; among those that could come next, the smallest first.
    pub fn topological_order(&self) -> Vec<Var> {
        self.topological_order_by(|v| v)
    }

    /// The nodes, each after its parents; among those that could come next, the one of the lowest rank first. Ranks
    /// are distinct.
    pub(crate) fn topological_order_by<K: Ord>(&self, rank: impl Fn(Var) -> K) -> Vec<Var> {
        let mut waiting: Vec<usize> = self.parents.iter().map(VarSet::len).collect();
        let mut ready: BinaryHeap<Reverse<(K, Var)>> =
            self.vars().filter(|v| waiting[v.index()] == 0).map(|v| Reverse((rank(v), v))).collect();
        let mut order = Vec::with_capacity(self.nodes());
        while let Some(Reverse((_, v))) = ready.pop() {
            order.push(v);
            for child in self.children(v).iter() {
                waiting[child.index()] -= 1;
                if waiting[child.index()] == 0 {
                    ready.push(Reverse((rank(child), child)));
                }
            }
        }
        order
    }

    /// The same edges without their directions.
    pub fn skeleton(&self) -> Skeleton {
        let mut skeleton = Skeleton::empty(self.nodes());
        for (x, y) in self.arcs() {
            skeleton.insert(x, y);
        }
        skeleton
    }
}
