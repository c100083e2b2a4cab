//! The best of many moves, without examining the others.
//!
//! The moves are in many short lists, each with its best first, and only a list that a move has touched
//! is rebuilt. The best of their heads is always known; moves are visited from the best on, until one is accepted. A move
//! that would close a cycle still would after adding more arcs: until an arc is removed, the lists begin after such moves,
//! which would otherwise be visited repeatedly.

use std::cmp::Ordering;

use smallvec::SmallVec;

use super::moves::Move;
use super::smallest::Smallest;
use super::valued::descending;

/// A move and what determines its rank. The better of two is the smaller.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranked {
    pub(super) gain: f64,
    /// Decides among equal gains; different moves have different keys.
    pub(super) tie: u64,
    pub(super) what: Move,
}

impl Ranked {
    /// A number, the smaller the better.
    fn number(self) -> u128 {
        u128::from(descending(self.gain)) << 64 | u128::from(self.tie)
    }
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

/// A move that was found to be the best, and its rank as a number: the smaller the better, also among moves of other components.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BestMove {
    pub(super) rank: u128,
    pub(super) what: Move,
}

/// The moves in the lists.
pub(super) trait Lists {
    /// The move at a position.
    fn at(&self, list: usize, position: usize) -> Option<Move>;
    /// The same with its rank.
    fn ranked(&self, list: usize, position: usize) -> Option<Ranked>;
    /// Whether a move would close a cycle.
    fn is_blocked(&self, m: Move) -> bool;

    /// The first move from a position on that is not blocked; past the end if there is none.
    fn first_free(&self, list: usize, position: usize) -> usize;
}

/// The rank where there is no move. No move has this number.
pub(super) const NONE: u128 = u128::MAX;

/// The ranks of the heads of the lists, and which is the best.
#[derive(Debug, Clone)]
pub(super) struct Ranking {
    /// As numbers: the smallest is that of the best.
    ranks: Smallest,
    /// Where each list begins: after blocked moves.
    begin: Vec<u32>,
}

impl Ranking {
    /// This number of empty lists.
    pub(super) fn new(lists: usize) -> Ranking {
        Ranking { ranks: Smallest::new(lists), begin: vec![0; lists] }
    }

    /// Records that a list was rebuilt.
    pub(super) fn renewed(&mut self, list: usize, lists: &impl Lists) {
        self.begin[list] = lists.first_free(list, 0) as u32;
        self.set_head(list, self.begin[list], lists);
    }

    /// Records that all were rebuilt.
    pub(super) fn all_renewed(&mut self, lists: &impl Lists) {
        (0..self.begin.len()).for_each(|list| self.renewed(list, lists));
    }

    /// Lets some lists begin at the first move that is not blocked any more.
    pub(super) fn unblock(&mut self, some: impl Iterator<Item = usize>, lists: &impl Lists) {
        for list in some {
            let first = if self.begin[list] == 0 { 0 } else { lists.first_free(list, 0) as u32 };
            if first < self.begin[list] {
                self.begin[list] = first;
                self.set_head(list, first, lists);
            }
        }
    }

    /// The best of the moves that head a list.
    pub(super) fn best_heads(&self, most: usize, lists: &impl Lists) -> impl Iterator<Item = Move> {
        let heads = self.ranks.first(most).into_iter();
        heads.filter_map(|list| lists.at(list, self.begin[list] as usize))
    }

    /// The rank of the best head, also if it is blocked.
    pub(super) fn head(&self) -> u128 {
        self.ranks.smallest().map_or(NONE, |(_, rank)| rank)
    }

    /// Lets a list be ranked by the move at a position.
    fn set_head(&mut self, list: usize, position: u32, lists: &impl Lists) {
        self.ranks.set(list, lists.ranked(list, position as usize).map_or(NONE, Ranked::number));
    }

    /// The best move that is accepted and not blocked. A blocked move stays so until [`unblock`](Ranking::unblock).
    pub(super) fn best(&mut self, lists: &impl Lists, accept: impl Fn(Move) -> bool) -> Option<BestMove> {
        // How far the lists have been read behind a move that was refused.
        let mut read: SmallVec<[(u32, u32); 16]> = SmallVec::new();
        let best = loop {
            let Some((list, rank)) = self.ranks.smallest() else { break None };
            let reading = read.iter().position(|&(l, _)| l as usize == list);
            let position = reading.map_or(self.begin[list], |at| read[at].1);
            let Some(what) = lists.at(list, position as usize) else { break None };
            let blocked = lists.is_blocked(what);
            if !blocked && accept(what) {
                break Some(BestMove { rank, what });
            }
            // The blocked moves that follow would only be visited to be passed over.
            let next = lists.first_free(list, position as usize + 1) as u32;
            match reading {
                Some(at) => read[at].1 = next,
                None if blocked => self.begin[list] = next,
                None => read.push((list as u32, next)),
            }
            self.set_head(list, next, lists);
        };
        for (list, _) in read {
            self.set_head(list as usize, self.begin[list as usize], lists);
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::Var;
    use crate::search::moves::Kind;

    /// Lists of moves of which those with these bits are blocked.
    struct Judged<'a> {
        lists: &'a [Vec<Ranked>],
        blocked: u64,
    }

    fn bit(m: Move) -> u64 {
        (m.to.index() * 5 + m.from.index()) as u64 % 64
    }

    impl Lists for Judged<'_> {
        fn at(&self, list: usize, position: usize) -> Option<Move> {
            self.ranked(list, position).map(|ranked| ranked.what)
        }

        fn ranked(&self, list: usize, position: usize) -> Option<Ranked> {
            self.lists[list].get(position).copied()
        }

        fn first_free(&self, list: usize, position: usize) -> usize {
            let rest = self.lists[list].iter().skip(position);
            position + rest.take_while(|ranked| self.is_blocked(ranked.what)).count()
        }

        fn is_blocked(&self, m: Move) -> bool {
            self.blocked >> bit(m) & 1 == 1
        }
    }

    proptest! {
        /// Lists of moves with gains from a few values, judged by what they are: the best that is made is the
        /// first of all in order, also after others were refused, blocked and freed.
        #[test]
        fn finds_what_sorting_everything_would(
            gains in prop::collection::vec(prop::collection::vec(0u8..6, 0..5), 0..9),
            rounds in prop::collection::vec((any::<u64>(), any::<u64>(), any::<bool>()), 1..6),
            at_once: bool,
        ) {
            let lists: Vec<Vec<Ranked>> = gains.iter().enumerate().map(|(list, gains)| {
                let mut moves: Vec<Ranked> = gains.iter().enumerate().map(|(i, &gain)| {
                    let what = Move { kind: Kind::Add, from: Var::new(i), to: Var::new(list) };
                    Ranked { gain: f64::from(gain), tie: (i * 7 + list * 5) as u64 % 11 * 100 + (list * 8 + i) as u64, what }
                }).collect();
                moves.sort_unstable();
                moves
            }).collect();
            let judged = |blocked| Judged { lists: &lists, blocked };
            let mut ranking = Ranking::new(lists.len());
            match at_once {
                true => ranking.all_renewed(&judged(0)),
                false => (0..lists.len()).for_each(|list| ranking.renewed(list, &judged(0))),
            }
            let mut blocked = 0u64; // stays so until it is freed
            for (block, refuse, free) in rounds {
                if free {
                    blocked = 0;
                    ranking.unblock(0..lists.len(), &judged(0));
                }
                blocked |= block;
                let found = ranking.best(&judged(blocked), |m| refuse >> bit(m) & 1 == 0);
                let mut all: Vec<Ranked> = lists.iter().flatten().copied().collect();
                all.sort_unstable();
                let expected = all.into_iter().find(|r| (blocked | refuse) >> bit(r.what) & 1 == 0);
                prop_assert_eq!(found, expected.map(|r| BestMove { rank: r.number(), what: r.what }));
            }
        }
    }
}
