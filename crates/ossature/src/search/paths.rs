//! Which nodes lead to which, kept up to date arc by arc.
//!
//! Whether an arc would close a cycle is asked far more often than an arc is made: ten tie orders ask it of thousands of
//! moves that gain much and are not possible. So the answers are kept, a bit for each pair of nodes.

use smallvec::SmallVec;

use crate::data::Var;
use crate::graph::Dag;

/// A set of nodes, a bit for each.
type Bits = SmallVec<[u64; 8]>;

/// The descendants and the ancestors of every node of a graph that changes arc by arc.
#[derive(Debug, Clone)]
pub(super) struct Paths {
    below: Relatives,
    above: Relatives,
}

/// The nodes that an arc connected and nothing connects any more: those that led to more nodes with it, and those to which
/// more nodes led.
#[derive(Debug, Default)]
pub(super) struct Lost {
    starts: Bits,
    ends: Bits,
}

impl Lost {
    /// Whether a node leads to fewer nodes than before.
    pub(super) fn leads_less(&self, v: Var) -> bool {
        is_in(&self.starts, v)
    }

    /// Whether fewer nodes than before lead to a node.
    pub(super) fn is_led_to_less(&self, v: Var) -> bool {
        is_in(&self.ends, v)
    }
}

/// A set of nodes for each node.
#[derive(Debug, Clone)]
struct Relatives {
    /// The number of words of a set.
    words: usize,
    bits: Vec<u64>,
}

impl Paths {
    pub(super) fn new(dag: &Dag) -> Paths {
        let mut paths = Paths { below: Relatives::none(dag.nodes()), above: Relatives::none(dag.nodes()) };
        let order = dag.topological_order();
        order.iter().for_each(|&v| _ = paths.above.renew(v, dag.parents(v).as_slice()));
        order.iter().rev().for_each(|&v| _ = paths.below.renew(v, dag.children(v).as_slice()));
        paths
    }

    /// The memory for a graph of so many nodes.
    pub(super) fn bytes(nodes: usize) -> u128 {
        2 * 8 * nodes as u128 * nodes.div_ceil(64) as u128
    }

    /// Whether a directed path leads from one node to another.
    pub(super) fn lead(&self, from: Var, to: Var) -> bool {
        self.below.contains(from, to)
    }

    /// Whether a directed path leads from one node to another, not counting the arc between them.
    pub(super) fn detour(&self, dag: &Dag, from: Var, to: Var) -> bool {
        self.lead(from, to) && dag.children(from).iter().any(|child| self.lead(child, to))
    }

    /// Follows the graph after the arc was added.
    pub(super) fn added(&mut self, from: Var, to: Var) {
        if !self.lead(from, to) {
            let (ends, starts) = (self.below.with_itself(to), self.above.with_itself(from));
            members(&starts).for_each(|v| self.below.join(v, &ends));
            members(&ends).for_each(|v| self.above.join(v, &starts));
        }
    }

    /// Follows the graph after the arc was removed; returns what is not connected any more.
    pub(super) fn removed(&mut self, dag: &Dag, from: Var, to: Var) -> Lost {
        if dag.children(from).iter().any(|child| child == to || self.lead(child, to)) {
            return Lost::default();
        }
        let (ends, starts) = (self.below.with_itself(to), self.above.with_itself(from));
        Lost {
            starts: self.below.renew_all(from, starts, |v| dag.children(v).as_slice()),
            ends: self.above.renew_all(to, ends, |v| dag.parents(v).as_slice()),
        }
    }
}

impl Relatives {
    fn none(nodes: usize) -> Relatives {
        let words = nodes.div_ceil(64);
        Relatives { words, bits: vec![0; words * nodes] }
    }

    fn of(&self, v: Var) -> &[u64] {
        &self.bits[v.index() * self.words..][..self.words]
    }

    fn contains(&self, v: Var, other: Var) -> bool {
        is_in(self.of(v), other)
    }

    /// The set of a node and the node.
    fn with_itself(&self, v: Var) -> Bits {
        let mut set = Bits::from_slice(self.of(v));
        set[v.index() / 64] |= 1 << (v.index() % 64);
        set
    }

    /// Adds nodes to the set of a node.
    fn join(&mut self, v: Var, others: &[u64]) {
        let set = &mut self.bits[v.index() * self.words..][..self.words];
        set.iter_mut().zip(others).for_each(|(word, more)| *word |= more);
    }

    /// Makes the set of a node that of its next ones, with these; returns whether it was another.
    fn renew(&mut self, v: Var, next: &[Var]) -> bool {
        let mut is_other = false;
        for word in 0..self.words {
            let of = |&w: &Var| {
                let itself = if w.index() / 64 == word { 1 << (w.index() % 64) } else { 0 };
                self.bits[w.index() * self.words + word] | itself
            };
            let now = next.iter().map(of).fold(0, |all, some| all | some);
            let before = std::mem::replace(&mut self.bits[v.index() * self.words + word], now);
            is_other |= before != now;
        }
        is_other
    }

    /// Makes the sets of a node, which lost one of its next ones, and of all nodes that lead to it anew; these are the
    /// nodes given. Returns those whose sets are smaller now.
    fn renew_all<'g>(&mut self, first: Var, mut nodes: Bits, next: impl Fn(Var) -> &'g [Var]) -> Bits {
        let mut smaller = Bits::from_elem(0, self.words);
        let mut path: SmallVec<[Var; 32]> = SmallVec::new();
        while let Some(v) = path.pop().or_else(|| members(&nodes).next()) {
            // The next ones come first.
            if let Some(&w) = next(v).iter().find(|&&w| is_in(&nodes, w)) {
                path.extend([v, w]);
                continue;
            }
            nodes[v.index() / 64] &= !(1 << (v.index() % 64));
            let may_differ = v == first || next(v).iter().any(|&w| is_in(&smaller, w));
            if may_differ && self.renew(v, next(v)) {
                smaller[v.index() / 64] |= 1 << (v.index() % 64);
            }
        }
        smaller
    }
}

fn is_in(set: &[u64], v: Var) -> bool {
    set.get(v.index() / 64).is_some_and(|word| word >> (v.index() % 64) & 1 == 1)
}

/// The nodes of a set.
fn members(set: &[u64]) -> impl Iterator<Item = Var> {
    set.iter().enumerate().flat_map(|(place, &word)| {
        let rest = |&left: &u64| Some(left & (left - 1)).filter(|&left| left != 0);
        let lefts = std::iter::successors(Some(word).filter(|&word| word != 0), rest);
        lefts.map(move |left| Var::new(64 * place + left.trailing_zeros() as usize))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// In a graph of a few nodes, spread over two words.
        #[test]
        fn answers_like_a_search_of_the_whole_graph(
            changes in prop::collection::vec((0u32..12, 0u32..12, 0u8..4), 0..150),
        ) {
            let node = |i: u32| Var(7 * i);
            let mut dag = Dag::empty(80);
            let mut paths = Paths::new(&dag);
            for (from, to, kind) in changes {
                let (from, to) = (node(from), node(to));
                if from == to {
                    continue;
                }
                if dag.has_arc(from, to) && kind > 0 {
                    let mut without = dag.clone();
                    without.remove(from, to);
                    let turns = !without.reaches(from, to);
                    prop_assert_eq!(!paths.detour(&dag, from, to), turns);
                    dag.remove(from, to);
                    if kind > 1 && turns {
                        dag.add(to, from);
                    }
                    let before = paths.clone();
                    let lost = paths.removed(&dag, from, to);
                    for v in dag.vars() {
                        prop_assert_eq!(lost.leads_less(v), paths.below.of(v) != before.below.of(v));
                        prop_assert_eq!(lost.is_led_to_less(v), paths.above.of(v) != before.above.of(v));
                    }
                    if kind > 1 && turns {
                        paths.added(to, from);
                    }
                } else if !dag.has_arc(from, to) {
                    prop_assert_eq!(paths.lead(to, from), dag.reaches(to, from));
                    if dag.try_add(from, to).is_ok() {
                        paths.added(from, to);
                    }
                }
                for (v, w) in (0..12).flat_map(|v| (0..12).map(move |w| (node(v), node(w)))).filter(|(v, w)| v != w) {
                    prop_assert_eq!(paths.lead(v, w), dag.reaches(v, w));
                    prop_assert_eq!(paths.above.contains(w, v), dag.reaches(v, w));
                }
                let fresh = Paths::new(&dag);
                prop_assert_eq!((&fresh.below.bits, &fresh.above.bits), (&paths.below.bits, &paths.above.bits));
            }
        }
    }
}
