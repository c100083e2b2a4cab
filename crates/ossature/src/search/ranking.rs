//! The best of many moves, without looking at the others.
//!
//! The moves lie in many short lists, each with its best first, and only a list that a move has
//! touched is made anew. The heads of the lists are kept in order; the moves of all lists are then
//! visited from the best on, as far as it takes to find one that may be made. A move that would close
//! a cycle would do so after any further arcs too: until an arc is taken away the lists begin behind
//! such moves, or they would be met again and again.

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

/// What is thought of a move.
pub(super) enum Judgement {
    Made,
    /// Not this time.
    Refused,
    /// Not until [`Ranking::unblock`].
    Blocked,
}

/// The heads of the lists, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Ranking {
    heads: BTreeSet<(Ranked, usize)>,
    head_of: Vec<Option<Ranked>>,
    /// Where each list begins: behind moves that are blocked.
    begin: Vec<usize>,
    /// The lists that do not begin at 0.
    shortened: Vec<usize>,
}

impl Ranking {
    /// So many lists, all empty.
    pub(super) fn new(lists: usize) -> Ranking {
        Ranking {
            heads: BTreeSet::new(),
            head_of: vec![None; lists],
            begin: vec![0; lists],
            shortened: Vec::new(),
        }
    }

    /// Takes notice that a list was made anew.
    pub(super) fn renewed(&mut self, list: usize, head: Option<Ranked>) {
        self.begin[list] = 0;
        self.set_head(list, head);
    }

    /// Takes notice that moves which were blocked may be free again.
    pub(super) fn unblock(&mut self, entry: impl Fn(usize, usize) -> Option<Ranked>) {
        for list in std::mem::take(&mut self.shortened) {
            self.renewed(list, entry(list, 0));
        }
    }

    fn set_head(&mut self, list: usize, head: Option<Ranked>) {
        if let Some(old) = std::mem::replace(&mut self.head_of[list], head) {
            self.heads.remove(&(old, list));
        }
        self.heads.extend(head.map(|head| (head, list)));
    }

    /// The best move that is to be made. `entry` reads a list at a position.
    pub(super) fn best(
        &mut self,
        entry: impl Fn(usize, usize) -> Option<Ranked>,
        judge: impl FnMut(Move) -> Judgement,
    ) -> Option<Ranked> {
        let (best, blocked) = self.visit(&entry, judge);
        for (list, position) in blocked {
            if self.begin[list] == position {
                if position == 0 {
                    self.shortened.push(list);
                }
                self.begin[list] = position + 1;
                self.set_head(list, entry(list, position + 1));
            }
        }
        best
    }

    /// The best move that is to be made, and the places of the blocked ones before it, in their order
    /// within each list.
    fn visit(
        &self,
        entry: impl Fn(usize, usize) -> Option<Ranked>,
        mut judge: impl FnMut(Move) -> Judgement,
    ) -> (Option<Ranked>, Vec<(usize, usize)>) {
        let mut blocked = Vec::new();
        let mut heads = self.heads.iter().map(|&(head, list)| (head, list, self.begin[list])).peekable();
        // The next entries of the lists whose heads were not accepted.
        let mut begun: BinaryHeap<Reverse<(Ranked, usize, usize)>> = BinaryHeap::new();
        loop {
            let from_begun = match (heads.peek(), begun.peek()) {
                (Some(head), Some(Reverse(next))) => next < head,
                (None, Some(_)) => true,
                (Some(_), None) => false,
                (None, None) => return (None, blocked),
            };
            let (ranked, list, position) =
                if from_begun { begun.pop().map(|Reverse(next)| next) } else { heads.next() }
                    .expect("it was seen");
            match judge(ranked.what) {
                Judgement::Made => return (Some(ranked), blocked),
                Judgement::Refused => {}
                Judgement::Blocked => blocked.push((list, position)),
            }
            begun.extend(entry(list, position + 1).map(|next| Reverse((next, list, position + 1))));
        }
    }
}
