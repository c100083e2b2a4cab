//! The nodes that may become parents of a node, each with an index.

use std::ops::Range;

use crate::data::Var;

/// The candidates of all nodes, one list after another.
pub(super) struct AllCandidates {
    /// Where those of each node are; `None` if these are all others.
    spans: Box<[Option<Range<usize>>]>,
    lists: Box<[Var]>,
}

impl AllCandidates {
    /// The candidates of so many nodes.
    pub(super) fn new(nodes: usize, of: impl Fn(Var) -> Vec<Var>) -> AllCandidates {
        let mut lists = Vec::new();
        let span = |v| {
            let list = of(Var::new(v));
            let begin = lists.len();
            (list.len() + 1 < nodes).then(|| {
                lists.extend(list);
                begin..lists.len()
            })
        };
        let spans = (0..nodes).map(span).collect();
        AllCandidates { spans, lists: lists.into() }
    }

    /// Those of a node.
    #[inline]
    pub(super) fn of(&self, v: Var) -> Candidates<'_> {
        match &self.spans[v.index()] {
            Some(span) => Candidates::Listed(&self.lists[span.clone()]),
            None => Candidates::Others { nodes: self.spans.len(), but: v },
        }
    }

    /// The number of candidates of each node.
    pub(super) fn sizes(&self) -> impl Iterator<Item = usize> {
        (0..self.spans.len()).map(|v| self.of(Var::new(v)).len())
    }
}

/// The candidates of one node, in order. In a free search these are nearly always all others, which need no list.
#[derive(Debug, Clone, Copy)]
pub(super) enum Candidates<'a> {
    /// All nodes but one.
    Others {
        /// The number of all nodes.
        nodes: usize,
        /// The one that is none.
        but: Var,
    },
    /// These.
    Listed(&'a [Var]),
}

impl Candidates<'_> {
    pub(super) fn len(self) -> usize {
        match self {
            Candidates::Others { nodes, .. } => nodes - 1,
            Candidates::Listed(list) => list.len(),
        }
    }

    /// The candidate with an index.
    pub(super) fn at(self, index: usize) -> Var {
        match self {
            Candidates::Others { but, .. } => Var::new(index + usize::from(index >= but.index())),
            Candidates::Listed(list) => list[index],
        }
    }

    /// The index of a candidate.
    pub(super) fn place(self, candidate: Var) -> usize {
        match self {
            Candidates::Others { but, .. } => candidate.index() - usize::from(candidate > but),
            Candidates::Listed(list) => list.binary_search(&candidate).expect("a candidate"),
        }
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Var> {
        (0..self.len()).map(move |index| self.at(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_node_has_its_candidates() {
        let lists = [vec![1, 2, 3], vec![3], vec![], vec![0, 2]];
        let all = AllCandidates::new(4, |v| lists[v.index()].iter().map(|&v| Var(v)).collect());
        for (v, list) in lists.iter().enumerate() {
            assert!(all.of(Var::new(v)).iter().map(|v| v.0).eq(list.iter().copied()));
        }
        assert!(all.sizes().eq([3, 1, 0, 2]));
    }

    #[test]
    fn all_others_are_as_if_they_were_listed() {
        for nodes in 1..6 {
            for but in (0..nodes).map(Var::new) {
                let list: Vec<Var> = (0..nodes).map(Var::new).filter(|&v| v != but).collect();
                let (others, listed) = (Candidates::Others { nodes, but }, Candidates::Listed(&list));
                assert_eq!(others.len(), listed.len());
                assert!(others.iter().eq(listed.iter()));
                assert!(list.iter().all(|&v| others.place(v) == listed.place(v)));
            }
        }
    }
}
