//! Which nodes lead to which, kept up to date arc by arc.
//!
//! Whether an arc would close a cycle is asked far more often than an arc is made: ten tie orders ask it of thousands of
//! moves that gain much and are not possible. So the answers are kept, a bit for each pair of nodes.

use smallvec::SmallVec;

use super::node_sets::{Dense, NodeSet, NodeSets, Sparse, Words};
use crate::data::Var;
use crate::graph::Dag;

/// A graph with more nodes has sparse sets.
const MANY: usize = 1024;

/// The descendants and the ancestors of every node of a graph that changes arc by arc.
#[derive(Debug, Clone)]
pub(super) enum Paths {
    Few(PathsAmong<Dense>),
    Many(PathsAmong<Sparse>),
}

#[derive(Debug, Clone)]
pub(super) struct PathsAmong<S> {
    below: S,
    above: S,
}

/// The nodes that an arc connected and nothing connects any more.
#[derive(Debug, Default)]
pub(super) struct Lost {
    /// Those that lead to fewer nodes than before.
    pub(super) starts: SmallVec<[Var; 16]>,
    /// Those to which fewer nodes lead than before.
    pub(super) ends: SmallVec<[Var; 16]>,
}

impl Paths {
    pub(super) fn new(dag: &Dag) -> Paths {
        match dag.nodes() {
            ..=MANY => Paths::Few(PathsAmong::new(dag)),
            _ => Paths::Many(PathsAmong::new(dag)),
        }
    }

    /// The memory for a graph of so many nodes, without arcs if they are many.
    pub(super) fn bytes(nodes: usize) -> u128 {
        let of_each = if nodes <= MANY { 8 * nodes.div_ceil(64) } else { size_of::<Words>() };
        2 * nodes as u128 * of_each as u128
    }

    /// Whether a directed path leads from one node to another.
    #[inline]
    pub(super) fn lead(&self, from: Var, to: Var) -> bool {
        match self {
            Paths::Few(paths) => paths.below.contains(from, to),
            Paths::Many(paths) => paths.below.contains(from, to),
        }
    }

    /// Whether a directed path leads from one node to another, not counting the arc between them.
    pub(super) fn detour(&self, dag: &Dag, from: Var, to: Var) -> bool {
        match self {
            Paths::Few(paths) => paths.detour(dag, from, to),
            Paths::Many(paths) => paths.detour(dag, from, to),
        }
    }

    /// Follows the graph after the arc was added.
    pub(super) fn added(&mut self, from: Var, to: Var) {
        match self {
            Paths::Few(paths) => paths.added(from, to),
            Paths::Many(paths) => paths.added(from, to),
        }
    }

    /// Follows the graph after the arc was removed; returns what is not connected any more.
    pub(super) fn removed(&mut self, dag: &Dag, from: Var, to: Var) -> Lost {
        match self {
            Paths::Few(paths) => paths.removed(dag, from, to),
            Paths::Many(paths) => paths.removed(dag, from, to),
        }
    }
}

impl<S: NodeSets> PathsAmong<S> {
    fn new(dag: &Dag) -> PathsAmong<S> {
        let mut paths = PathsAmong { below: S::none(dag.nodes()), above: S::none(dag.nodes()) };
        let order = dag.topological_order();
        order.iter().for_each(|&v| _ = paths.above.renew(v, dag.parents(v).as_slice()));
        order.iter().rev().for_each(|&v| _ = paths.below.renew(v, dag.children(v).as_slice()));
        paths
    }

    fn added(&mut self, from: Var, to: Var) {
        if !self.below.contains(from, to) {
            let (ends, starts) = (self.below.with_itself(to), self.above.with_itself(from));
            starts.members().for_each(|v| self.below.join(v, &ends));
            ends.members().for_each(|v| self.above.join(v, &starts));
        }
    }

    fn detour(&self, dag: &Dag, from: Var, to: Var) -> bool {
        // One set is asked, instead of that of each child.
        dag.children(from).iter().any(|child| self.above.contains(to, child))
    }

    fn removed(&mut self, dag: &Dag, from: Var, to: Var) -> Lost {
        if self.detour(dag, from, to) {
            return Lost::default();
        }
        let (ends, starts) = (self.below.with_itself(to), self.above.with_itself(from));
        Lost {
            starts: self.below.renew_all(from, starts, |v| dag.children(v).as_slice()).members().collect(),
            ends: self.above.renew_all(to, ends, |v| dag.parents(v).as_slice()).members().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A few nodes, spread over several words.
    fn nodes() -> impl Iterator<Item = Var> {
        (0..12).map(|i| Var(29 * i))
    }

    fn pairs() -> impl Iterator<Item = (Var, Var)> {
        nodes().flat_map(|v| nodes().map(move |w| (v, w))).filter(|(v, w)| v != w)
    }

    /// The paths of a graph that these sets know.
    fn known<S: NodeSets>(paths: &PathsAmong<S>) -> Vec<(Var, Var)> {
        assert!(pairs().all(|(v, w)| paths.below.contains(v, w) == paths.above.contains(w, v)));
        pairs().filter(|&(v, w)| paths.below.contains(v, w)).collect()
    }

    /// The nodes whose sets differ.
    fn differ<S: NodeSets>(now: &S, before: &S) -> Vec<Var> {
        let is_other = |&v: &Var| nodes().any(|w| now.contains(v, w) != before.contains(v, w));
        nodes().filter(is_other).collect()
    }

    /// Follows changes of a graph and looks at what is known after each.
    fn follow<S: NodeSets>(
        changes: &[(usize, usize, u8)],
        whole: fn(PathsAmong<S>) -> Paths,
    ) -> Result<(), TestCaseError> {
        let nodes: Vec<Var> = nodes().collect();
        let mut dag = Dag::empty(330);
        let mut paths = PathsAmong::<S>::new(&dag);
        for &(from, to, kind) in changes.iter().filter(|(from, to, _)| from != to) {
            let (from, to) = (nodes[from], nodes[to]);
            if dag.has_arc(from, to) && kind > 0 {
                let mut without = dag.clone();
                without.remove(from, to);
                let turns = !without.reaches(from, to);
                prop_assert_eq!(!whole(paths.clone()).detour(&dag, from, to), turns);
                dag.remove(from, to);
                if kind > 1 && turns {
                    dag.add(to, from);
                }
                let before = paths.clone();
                let lost = paths.removed(&dag, from, to);
                prop_assert_eq!(lost.starts.to_vec(), differ(&paths.below, &before.below));
                prop_assert_eq!(lost.ends.to_vec(), differ(&paths.above, &before.above));
                if kind > 1 && turns {
                    paths.added(to, from);
                }
            } else if !dag.has_arc(from, to) {
                prop_assert_eq!(whole(paths.clone()).lead(to, from), dag.reaches(to, from));
                if dag.try_add(from, to).is_ok() {
                    paths.added(from, to);
                }
            }
            let expected: Vec<_> = pairs().filter(|&(v, w)| dag.reaches(v, w)).collect();
            prop_assert_eq!(&known(&paths), &expected);
            prop_assert_eq!(&known(&PathsAmong::<S>::new(&dag)), &expected);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn answers_like_a_search_of_the_whole_graph(
            changes in prop::collection::vec((0usize..12, 0usize..12, 0u8..4), 0..150),
        ) {
            follow(&changes, Paths::Few)?;
            follow(&changes, Paths::Many)?;
        }
    }
}
