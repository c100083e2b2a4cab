//! The values of nodes, kept for all tie orders and restarts of a search.
//!
//! The moves at a node depend only on its parents, and the same parents recur in the orders of a search.
//! So the values of a node with its parents, and the candidates ranked by them, are computed once and
//! shared; an order only needs its own ranking if candidates have exactly the same gain.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::rules::Rules;
use super::set_rows::{Room, SetRows, part_of};
use crate::data::{Var, VarSet};
use crate::graph::Dag;
use crate::parallel;
use crate::score::Score;

/// The largest number of bytes kept.
const ROOM: usize = 32 << 20;

/// The number of candidates of a node that are worth dividing among many threads.
const MOST_BY_ONE: usize = 64;

/// A node with certain parents: its value, and its values with one parent more or fewer.
#[derive(Debug)]
pub(super) struct Valued {
    /// Its value with these parents.
    pub(super) local: f64,
    /// Its value when a candidate becomes a parent, or ceases to be one; −∞ if that is never allowed.
    changed: Box<[f64]>,
    /// The indices of the candidates that may be added, apart from cycles, from the best to the worst; of
    /// those with the same gain the first comes first.
    adds: Box<[u32]>,
    /// Whether some of them have the same gain.
    tied: bool,
}

/// The values of all nodes with all parents so far, shared by threads.
pub(super) struct NodeValues<'a> {
    score: &'a dyn Score,
    rules: &'a Rules<'a>,
    /// The possible parents of each node, in order.
    candidates: Vec<Box<[Var]>>,
    known: Vec<Mutex<FxHashMap<VarSet, Arc<Valued>>>>,
    /// For a free search by a score that is a difference of values of sets.
    sets: Option<SetRows<'a>>,
    room: Room,
}

impl<'a> NodeValues<'a> {
    /// An empty cache. A parent at the start may become one again.
    pub(super) fn new(score: &'a dyn Score, rules: &'a Rules<'a>, start: &Dag) -> NodeValues<'a> {
        NodeValues {
            score,
            rules,
            candidates: start.vars().map(|v| rules.candidates(v, start).into()).collect(),
            known: start.vars().map(|_| Mutex::default()).collect(),
            sets: score.sets().filter(|_| rules.is_free()).map(|sets| SetRows::new(sets, start.nodes())),
            room: Room::new(ROOM),
        }
    }

    /// The memory for the values of every node with one set of parents, which a search always has.
    pub(super) fn bytes(&self) -> u128 {
        let entries: usize = self.candidates.iter().map(|list| list.len()).sum();
        entries as u128 * (size_of::<f64>() + size_of::<u32>()) as u128
    }

    /// Which arcs may be added and deleted.
    pub(super) fn rules(&self) -> &'a Rules<'a> {
        self.rules
    }

    /// Whether no node has so many candidates that threads divide them.
    pub(super) fn is_narrow(&self) -> bool {
        self.candidates.iter().all(|list| list.len() < MOST_BY_ONE)
    }

    /// The possible parents of a node, in order.
    pub(super) fn candidates(&self, v: Var) -> &[Var] {
        &self.candidates[v.index()]
    }

    /// The index of a candidate.
    pub(super) fn place(&self, v: Var, candidate: Var) -> usize {
        let candidates = self.candidates(v);
        // Where it is if all other nodes are candidates, as in a free search.
        let among_all = candidate.index() - usize::from(candidate > v);
        match candidates.get(among_all) == Some(&candidate) {
            true => among_all,
            false => candidates.binary_search(&candidate).expect("a candidate"),
        }
    }

    /// The values of a node with these parents.
    pub(super) fn of(&self, v: Var, parents: &VarSet) -> Arc<Valued> {
        if let Some(known) = self.locked(v, |known| known.get(parents).cloned()) {
            return known;
        }
        // No lock is held while the score works: its threads may come here again.
        let valued = Arc::new(self.value(v, parents));
        let bytes = size_of::<Valued>() + 12 * self.candidates(v).len() + 4 * parents.len() + 64;
        if self.room.take(bytes) {
            self.locked(v, |known| known.insert(parents.clone(), Arc::clone(&valued)));
        }
        valued
    }

    fn value(&self, v: Var, parents: &VarSet) -> Valued {
        let candidates = self.candidates(v);
        let mut changed = vec![f64::NEG_INFINITY; candidates.len()];
        let deletable = parents.iter().filter(|&p| self.rules.may_delete(p, v));
        let fewer: SmallVec<[(Var, VarSet); 8]> = deletable.map(|p| (p, parents.without(p))).collect();
        let others: Vec<Var> = match self.rules.may_grow(parents.len()) {
            true => candidates.iter().copied().filter(|&c| !parents.contains(c)).collect(),
            false => Vec::new(),
        };
        let more = self.more(v, parents, &others);
        let families = std::iter::once(parents).chain(fewer.iter().map(|(_, others)| others));
        let values = self.families(v, families);
        let local = values[0];
        let fewer = fewer.iter().map(|(p, _)| p).zip(&values[1..]);
        for (&candidate, &value) in fewer.chain(others.iter().zip(&more)) {
            changed[self.place(v, candidate)] = value;
        }
        let may_add = |&i: &u32| {
            let (from, value) = (candidates[i as usize], changed[i as usize]);
            value > f64::NEG_INFINITY && !parents.contains(from) && self.rules.may_add(from, v)
        };
        let gain = |i: u32| changed[i as usize] - local;
        let adds = (0..candidates.len() as u32).filter(may_add).map(|i| (descending(gain(i)), i));
        let mut adds: Vec<(u64, u32)> = adds.collect();
        adds.sort_unstable();
        let adds: Box<[u32]> = adds.iter().map(|&(_, i)| i).collect();
        let tied = adds.windows(2).any(|pair| gain(pair[0]) == gain(pair[1]));
        Valued { local, changed: changed.into(), adds, tied }
    }

    /// The values of a node with each of these parent sets: values already computed as one parent more
    /// or fewer than another set are reused.
    fn families<'s>(&self, v: Var, sets: impl Iterator<Item = &'s VarSet>) -> SmallVec<[f64; 8]> {
        if let Some(rows) = &self.sets {
            return sets.map(|parents| rows.value(&parents.with(v)) - rows.value(parents)).collect();
        }
        let sets: SmallVec<[&VarSet; 8]> = sets.collect();
        let mut values: SmallVec<[f64; 8]> = self
            .locked(v, |known| sets.iter().map(|set| self.met(known, v, set).unwrap_or(f64::NAN)).collect());
        let open: SmallVec<[usize; 8]> = (0..sets.len()).filter(|&i| values[i].is_nan()).collect();
        let families: SmallVec<[(Var, &[Var]); 8]> = open.iter().map(|&i| (v, sets[i].as_slice())).collect();
        if !families.is_empty() {
            let mut scored = Vec::with_capacity(families.len());
            self.score.locals(&families, &mut scored);
            open.iter().zip(scored).for_each(|(&i, value)| values[i] = value);
        }
        values
    }

    /// The value of a node with these parents, if it is known from earlier work.
    fn met(&self, known: &FxHashMap<VarSet, Arc<Valued>>, v: Var, parents: &VarSet) -> Option<f64> {
        let itself = known.get(parents).map(|valued| valued.local);
        itself.or_else(|| {
            parents.iter().find_map(|p| {
                let value = known.get(&parents.without(p))?.changed[self.place(v, p)];
                (value > f64::NEG_INFINITY).then_some(value)
            })
        })
    }

    /// The values of a node with one more parent; many candidates are divided among threads.
    fn more(&self, v: Var, parents: &VarSet, candidates: &[Var]) -> Vec<f64> {
        let part = |candidates: &[Var]| {
            let mut values = Vec::with_capacity(candidates.len());
            self.score.sweep(v, parents.as_slice(), candidates, &mut values);
            values
        };
        match &self.sets {
            _ if candidates.is_empty() => Vec::new(),
            Some(sets) => {
                let (joint, margins) = sets.rows(v, parents, &self.room);
                candidates.iter().map(|&x| joint.with(x) - margins.with(x)).collect()
            }
            None => parallel::map_chunks(candidates, part_of(candidates.len()), part),
        }
    }

    fn locked<R>(&self, v: Var, f: impl FnOnce(&mut FxHashMap<VarSet, Arc<Valued>>) -> R) -> R {
        f(&mut self.known[v.index()].lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A number for each value, in the opposite of their total order: numbers are compared faster.
fn descending(value: f64) -> u64 {
    let bits = value.to_bits();
    // The order of the bits is that of the values above zero, and the opposite below.
    if value.is_sign_negative() { bits } else { !(bits | 1 << 63) }
}

impl Valued {
    /// Its value when the candidate at this index becomes a parent or ceases to be one.
    pub(super) fn changed(&self, place: usize) -> f64 {
        self.changed[place]
    }

    /// The corresponding gain.
    pub(super) fn gain(&self, place: usize) -> f64 {
        self.changed[place] - self.local
    }

    /// The indices of the candidates that may be added; of those with the same gain, the first
    /// comes first.
    pub(super) fn adds(&self) -> &[u32] {
        &self.adds
    }

    /// The same with another order among those with the same gain, if that differs.
    pub(super) fn adds_by<K: Ord>(&self, key: impl Fn(u32) -> K) -> Option<Box<[u32]>> {
        let mut adds = if self.tied { self.adds.clone() } else { return None };
        adds.chunk_by_mut(|&i, &j| self.gain(i as usize) == self.gain(j as usize))
            .for_each(|same| same.sort_unstable_by_key(|&i| key(i)));
        (adds != self.adds).then_some(adds)
    }
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
            }
        }
    }
}
