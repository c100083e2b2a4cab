//! The values of one node with certain parents, and its candidates ranked by them.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Weak};

use smallvec::SmallVec;

use super::candidates::Candidates;
use super::in_place::Spot;
use super::kept_rows::SetRow;
use crate::data::{Var, VarSet};

/// So many of the best candidates are ranked at first, if there are more than twice as many. The others are hardly ever looked
/// at.
const SHOWN: usize = if cfg!(test) { 2 } else { 32 };

/// A node with certain parents: its value, and its values with one parent more or fewer.
///
/// Candidates are known by their index among those of the node; whoever asks about one gives both.
///
/// What a search looks at most often comes first, in few lines of the cache.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Valued {
    /// Its value with these parents.
    pub(super) local: f64,
    changed: Changed,
    /// The indices of the best candidates that may be added, apart from cycles, from the best to the worst; of
    /// those with the same gain all or none, and the first comes first.
    adds: SmallVec<[u32; 4]>,
    parents: VarSet,
    /// If the candidates are few: for each the number of the place where the values are with it as one parent more or fewer,
    /// or zero as long as nobody has found it.
    next: SmallVec<[AtomicU32; 4]>,
    /// Where some of the best have the same gain.
    tied: Box<[Range<u32>]>,
    /// Whether there are others that may be added.
    others: bool,
}

/// Values by the index of the candidate. Inside a skeleton most nodes have few, and then all that is known of a node is in
/// one place: in a wide table, the time of a search is that of fetching it.
pub(super) type CandidateValues = SmallVec<[f64; 4]>;

/// The values of a node when a candidate becomes a parent, or ceases to be one.
#[derive(Debug)]
enum Changed {
    /// By the index of the candidate; −∞ if that is never allowed.
    Listed(CandidateValues),
    /// For a search whose values are made of those of sets; the candidates are many.
    OfSets(Box<BestOfSets>),
}

/// The values of the best candidates, in their order; the node without each of the parents that may be removed; and where
/// the others come from, as long as that is kept.
#[derive(Debug)]
struct BestOfSets {
    best: Box<[f64]>,
    fewer: SmallVec<[(Var, f64); 2]>,
    rows: [Weak<SetRow>; 2],
}

/// What the values of a node are made of.
#[derive(Debug, Clone)]
pub(super) enum MoreValues {
    /// Its value with each candidate as one more or one fewer, by the index of the candidate; −∞ if that is never allowed.
    Listed(CandidateValues),
    /// The values of its parents and each further variable, with the node and without it.
    OfSets { joint: Arc<SetRow>, margins: Arc<SetRow> },
}

impl MoreValues {
    /// The values by the index of the candidate if there are few: all of them are ranked, and so kept in any case.
    pub(super) fn listed_if_few(self, candidates: Candidates<'_>, parents: &VarSet) -> MoreValues {
        if candidates.len() > 2 * SHOWN {
            return self;
        }
        let value = |(place, candidate)| match parents.contains(candidate) {
            true => f64::NEG_INFINITY,
            false => self.value(place, candidate),
        };
        MoreValues::Listed(candidates.iter().enumerate().map(value).collect())
    }

    /// The value with a candidate that is not a parent.
    fn value(&self, place: usize, candidate: Var) -> f64 {
        match self {
            MoreValues::Listed(values) => values[place],
            MoreValues::OfSets { joint, margins } => joint.with(candidate) - margins.with(candidate),
        }
    }
}

impl Valued {
    /// Ranks the candidates; `may_add` says what the values do not tell. The values without a parent are given where the
    /// source does not have them.
    pub(super) fn new(
        local: f64,
        parents: VarSet,
        source: MoreValues,
        fewer: SmallVec<[(Var, f64); 2]>,
        candidates: Candidates<'_>,
        may_add: impl Fn(Var) -> bool,
    ) -> Valued {
        let mut adds = addable(local, &parents, &source, candidates, may_add);
        let all = adds.len();
        if all > 2 * SHOWN {
            let (_, &mut (last, _), _) = adds.select_nth_unstable(SHOWN - 1);
            let least = gain_of(last);
            adds.retain(|&(number, _)| gain_of(number) >= least);
        }
        adds.sort_unstable();
        let others = adds.len() < all;
        let mut end = 0;
        let spans = adds.chunk_by(same_gain).map(|some| {
            end += some.len() as u32;
            end - some.len() as u32..end
        });
        let tied = spans.filter(|span| span.len() > 1).collect();
        let adds: SmallVec<[u32; 4]> = adds.iter().map(|&(_, i)| i).collect();
        let changed = match source {
            MoreValues::Listed(values) => Changed::Listed(values),
            MoreValues::OfSets { ref joint, ref margins } => Changed::OfSets(Box::new(BestOfSets {
                best: adds.iter().map(|&i| source.value(i as usize, candidates.at(i as usize))).collect(),
                fewer,
                rows: [Arc::downgrade(joint), Arc::downgrade(margins)],
            })),
        };
        let links = if candidates.len() > 2 * SHOWN { 0 } else { candidates.len() };
        let next = (0..links).map(|_| AtomicU32::new(0)).collect();
        Valued { local, changed, adds, parents, next, tied, others }
    }

    /// The memory needed outside itself, without the values of sets.
    pub(super) fn bytes_outside(&self) -> usize {
        let values = match &self.changed {
            Changed::Listed(values) => outside(values),
            Changed::OfSets(sets) => size_of::<BestOfSets>() + size_of_val(&*sets.best),
        };
        // The parents are also the key under which it is kept.
        values
            + outside(&self.adds)
            + size_of_val(&*self.tied)
            + outside(&self.next)
            + size_of::<VarSet>()
            + 8 * self.parents.len()
    }

    /// The parents.
    pub(super) fn parents(&self) -> &VarSet {
        &self.parents
    }

    /// Where the values are with a candidate as one parent more or fewer, as far as that is known.
    pub(super) fn next(&self, place: usize) -> Option<Spot> {
        Spot::of(self.next.get(place)?.load(Ordering::Relaxed))
    }

    /// Remembers where they are.
    pub(super) fn set_next(&self, place: usize, next: Spot) {
        if let Some(known) = self.next.get(place) {
            known.store(next.number(), Ordering::Relaxed);
        }
    }

    /// What its values with one more parent are made of, if that is still there.
    pub(super) fn source(&self) -> Option<MoreValues> {
        match &self.changed {
            Changed::Listed(values) => Some(MoreValues::Listed(values.clone())),
            Changed::OfSets(sets) => {
                let [joint, margins] = &sets.rows;
                Some(MoreValues::OfSets { joint: joint.upgrade()?, margins: margins.upgrade()? })
            }
        }
    }

    /// Its value when a candidate becomes a parent or ceases to be one; `None` if it would have to be counted again.
    pub(super) fn changed(&self, place: usize, candidate: Var) -> Option<f64> {
        match &self.changed {
            Changed::Listed(values) => Some(values[place]),
            Changed::OfSets(sets) if self.parents.contains(candidate) => {
                let without = sets.fewer.iter().find(|(p, _)| *p == candidate);
                Some(without.map_or(f64::NEG_INFINITY, |&(_, value)| value))
            }
            Changed::OfSets(sets) => {
                let among_best = self.adds.iter().position(|&i| i as usize == place).map(|at| sets.best[at]);
                among_best.or_else(|| Some(self.source()?.value(place, candidate)))
            }
        }
    }

    /// The indices of the best candidates that may be added; of those with the same gain, the first comes first.
    pub(super) fn adds(&self) -> &[u32] {
        &self.adds
    }

    /// Whether there are others that may be added.
    pub(super) fn has_others(&self) -> bool {
        self.others
    }

    /// The best with another order among those with the same gain, if that differs.
    pub(super) fn adds_by<K: Ord>(&self, key: impl Fn(u32) -> K) -> Option<Box<[u32]>> {
        let mut adds: Box<[u32]> = if self.tied.is_empty() { return None } else { self.adds[..].into() };
        for span in &self.tied {
            adds[span.start as usize..span.end as usize].sort_unstable_by_key(|&i| key(i));
        }
        (*adds != *self.adds).then_some(adds)
    }
}

/// The memory that a list has outside itself.
fn outside<A: smallvec::Array>(list: &SmallVec<A>) -> usize {
    if list.spilled() { list.capacity() * size_of::<A::Item>() } else { 0 }
}

/// All candidates that may be added, by gain and in this order among those with the same.
pub(super) fn all_adds_by<K: Ord>(
    valued: &Valued,
    source: &MoreValues,
    candidates: Candidates<'_>,
    may_add: impl Fn(Var) -> bool,
    key: impl Fn(u32) -> K,
) -> Box<[u32]> {
    let mut adds = addable(valued.local, &valued.parents, source, candidates, may_add);
    adds.sort_unstable();
    adds.chunk_by_mut(same_gain).for_each(|same| same.sort_unstable_by_key(|&(_, i)| key(i)));
    adds.iter().map(|&(_, i)| i).collect()
}

/// The candidates that may be added, apart from cycles, each after a number that is smaller for a larger gain.
fn addable(
    local: f64,
    parents: &VarSet,
    source: &MoreValues,
    candidates: Candidates<'_>,
    may_add: impl Fn(Var) -> bool,
) -> Vec<(u64, u32)> {
    let mut adds = Vec::with_capacity(candidates.len());
    let mut parents = parents.iter().peekable();
    for (i, from) in candidates.iter().enumerate() {
        // Both are in order.
        while parents.next_if(|parent| *parent < from).is_some() {}
        if parents.peek() == Some(&from) {
            continue;
        }
        let value = source.value(i, from);
        if value > f64::NEG_INFINITY && may_add(from) {
            adds.push((descending(value - local), i as u32));
        }
    }
    adds
}

/// A number for each value, in the opposite of their total order: numbers are compared faster.
pub(super) fn descending(value: f64) -> u64 {
    let bits = value.to_bits();
    // The order of the bits is that of the values above zero, and the opposite below.
    if value.is_sign_negative() { bits } else { !(bits | 1 << 63) }
}

/// The gain of which this is the number.
fn gain_of(number: u64) -> f64 {
    f64::from_bits(if number >> 63 == 1 { number } else { !number & !(1 << 63) })
}

/// Whether two numbered candidates have the same gain; that is also so if it is zero with different signs.
fn same_gain(one: &(u64, u32), other: &(u64, u32)) -> bool {
    gain_of(one.0) == gain_of(other.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_are_in_the_opposite_order_of_values(a: f64, b: f64) {
            for (a, b) in [(a, b), (a, -a), (a, a), (0.0, -0.0), (a, f64::INFINITY), (f64::NEG_INFINITY, b)] {
                prop_assert_eq!(descending(a).cmp(&descending(b)), b.total_cmp(&a));
                prop_assert_eq!(gain_of(descending(a)).to_bits(), a.to_bits());
            }
        }

        #[test]
        fn the_best_candidates_are_the_first_of_all(
            values in prop::collection::vec(-3i8..3, 0..20), parents in prop::collection::vec(0usize..20, 0..3),
            forbidden in 0usize..20,
        ) {
            let candidates: Vec<Var> = (0..values.len()).map(|i| Var::new(2 * i)).collect();
            let parents: VarSet = parents.into_iter().map(|i| Var::new(2 * i)).collect();
            let listed = Candidates::Listed(&candidates);
            let by_candidate = values.iter().map(|&v| if v == -3 { f64::NEG_INFINITY } else { f64::from(v) }).collect();
            let may_add = |v: Var| v.index() != 2 * forbidden;
            let source = MoreValues::Listed(by_candidate);
            let valued = Valued::new(-1.0, parents.clone(), source.clone(), SmallVec::new(), listed, may_add);
            let is_open = |i: &usize| values[*i] > -3 && may_add(candidates[*i]) && !parents.contains(candidates[*i]);
            for key in [|i: u32| i, |i: u32| i ^ 5] {
                let mut all: Vec<u32> = (0..values.len()).filter(is_open).map(|i| i as u32).collect();
                all.sort_by_key(|&i| (-values[i as usize], key(i)));
                let own = valued.adds_by(key);
                let best = own.as_deref().unwrap_or(valued.adds());
                prop_assert_eq!(best, &all[..best.len()]);
                prop_assert_eq!(valued.has_others(), best.len() < all.len());
                prop_assert!(best.len() >= SHOWN.min(all.len()));
                prop_assert_eq!(&*all_adds_by(&valued, &source, listed, may_add, key), &*all);
            }
        }
    }
}
