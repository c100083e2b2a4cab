//! The best of many moves, without looking at the others.
//!
//! The moves lie in many short lists, each with its best first, and only a list that a move has
//! touched is made anew. The heads of the lists are kept in order; the moves of all lists are then
//! visited from the best on, as far as it takes to find one that may be made.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeSet, BinaryHeap};

use super::moves::Move;

/// A move and what decides about its rank. The better of two is the smaller.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranked {
    pub(super) gain: f64,
    /// Decides among equal gains; different moves have different keys.
    pub(super) tie: u64,
    pub(super) what: Move,
}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> Ordering {
        other.gain.total_cmp(&self.gain).then(self.tie.cmp(&other.tie))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Ranked) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked {}

/// The heads of the lists, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Ranking {
    heads: BTreeSet<(Ranked, usize)>,
    head_of: Vec<Option<Ranked>>,
}

impl Ranking {
    /// So many lists, all empty.
    pub(super) fn new(lists: usize) -> Ranking {
        Ranking { heads: BTreeSet::new(), head_of: vec![None; lists] }
    }

    /// Takes notice that a list has a new head.
    pub(super) fn set_head(&mut self, list: usize, head: Option<Ranked>) {
        if let Some(old) = std::mem::replace(&mut self.head_of[list], head) {
            self.heads.remove(&(old, list));
        }
        self.heads.extend(head.map(|head| (head, list)));
    }

    /// The best move that is accepted. `entry` reads a list at a position.
    pub(super) fn best(
        &self,
        entry: impl Fn(usize, usize) -> Option<Ranked>,
        mut accept: impl FnMut(Move) -> bool,
    ) -> Option<Ranked> {
        let mut heads = self.heads.iter().map(|&(head, list)| (head, list, 0)).peekable();
        // The next entries of the lists whose heads were not accepted.
        let mut begun: BinaryHeap<Reverse<(Ranked, usize, usize)>> = BinaryHeap::new();
        loop {
            let from_begun = match (heads.peek(), begun.peek()) {
                (Some(head), Some(Reverse(next))) => next < head,
                (None, Some(_)) => true,
                (Some(_), None) => false,
                (None, None) => return None,
            };
            let (ranked, list, position) =
                if from_begun { begun.pop().map(|Reverse(next)| next) } else { heads.next() }
                    .expect("it was seen");
            if accept(ranked.what) {
                return Some(ranked);
            }
            begun.extend(entry(list, position + 1).map(|next| Reverse((next, list, position + 1))));
        }
    }
}
