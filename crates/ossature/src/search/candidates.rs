//! The nodes that may become parents of a node, each with an index.

use crate::data::Var;

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
