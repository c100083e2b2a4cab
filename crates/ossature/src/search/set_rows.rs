//! The values of sets of variables, each with any one more variable, for scores that are
//! differences of these.
//!
//! If the value of X with the parents P is G(X ∪ P) − G(P), all gains at X follow from two rows: G of X ∪ P
//! with each further variable, and G of P with each further variable. Rows belong to sets: a → b and b → a
//! share one, and tie orders differ in little else. Rows of two sets that differ in one variable share a value,
//! which is computed once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use crate::data::{Var, VarSet};
use crate::parallel;
use crate::score::{SetScore, Sweep};

/// With more variables than this, rows share too few values to look for them: 2 % with the 441 of pigs.
const NARROW: usize = 128;

/// The smallest number of candidates that one thread scores at a time, unless there are fewer.
const FEWEST: usize = 24;

/// The size of the parts into which so many candidates are divided among threads.
pub(super) fn part_of(candidates: usize) -> usize {
    candidates.div_ceil((candidates / FEWEST).max(1)).max(1)
}

/// The number of bytes still available for caching; later values are computed each time.
#[derive(Debug)]
pub(super) struct Room(AtomicUsize);

impl Room {
    pub(super) fn new(bytes: usize) -> Room {
        Room(AtomicUsize::new(bytes))
    }

    /// Reserves these bytes; returns whether there was room.
    pub(super) fn take(&self, bytes: usize) -> bool {
        let left = |room: usize| room.checked_sub(bytes);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).is_ok()
    }
}

/// The value of a set, and with each further variable.
#[derive(Debug)]
pub(super) struct SetRow {
    alone: f64,
    /// By variable; a member adds nothing.
    with: Box<[f64]>,
}

impl SetRow {
    /// The value with one more variable.
    pub(super) fn with(&self, x: Var) -> f64 {
        self.with[x.index()]
    }

    fn fill<'v>(&mut self, variables: &[Var], values: impl Iterator<Item = &'v f64>) {
        variables.iter().zip(values).for_each(|(x, &value)| self.with[x.index()] = value);
    }
}

/// Rows of sets that differ in one variable, each with that variable.
type Akin = Vec<(Var, Arc<SetRow>)>;

/// The rows of all sets so far, shared by threads.
pub(super) struct SetRows<'a> {
    score: &'a dyn SetScore,
    empty: OnceLock<Arc<SetRow>>,
    singles: Vec<OnceLock<Arc<SetRow>>>,
    /// The rows of sets with more than one variable, by the first.
    larger: Vec<Mutex<FxHashMap<VarSet, Arc<SetRow>>>>,
    /// The same rows by their sets without one variable, and that variable; empty in a wide table.
    akin: Vec<Mutex<FxHashMap<VarSet, Akin>>>,
}

impl<'a> SetRows<'a> {
    /// An empty cache.
    pub(super) fn new(score: &'a dyn SetScore, variables: usize) -> SetRows<'a> {
        SetRows {
            score,
            empty: OnceLock::new(),
            singles: (0..variables).map(|_| OnceLock::new()).collect(),
            larger: (0..variables).map(|_| Mutex::default()).collect(),
            akin: (0..variables).filter(|_| variables <= NARROW).map(|_| Mutex::default()).collect(),
        }
    }

    /// The value of a set.
    pub(super) fn value(&self, set: &VarSet) -> f64 {
        if let Some(row) = self.known(set) {
            return row.alone;
        }
        let smaller = set.iter().find_map(|x| Some(self.known(&set.without(x))?.with(x)));
        smaller.unwrap_or_else(|| self.score.of_set(set.as_slice()))
    }

    /// The rows of a variable with these parents and of the parents alone, and whether both are kept.
    pub(super) fn rows(&self, v: Var, parents: &VarSet, room: &Room) -> (Arc<SetRow>, Arc<SetRow>, bool) {
        let family = parents.with(v);
        let known = |row| (row, true);
        let margins = self.known(parents).map(known);
        let margins = margins.or_else(|| parents.is_empty().then(|| self.whole(parents, room)));
        let (joint, margins) = match (self.known(&family), margins) {
            (Some(joint), margins) => (known(joint), margins.unwrap_or_else(|| self.whole(parents, room))),
            (None, Some(margins)) => {
                let (joint, _) = self.sweep(v, parents, false);
                (self.keep(&family, joint, room), margins)
            }
            (None, None) => {
                let (joint, margins) = self.sweep(v, parents, true);
                let margins = margins.expect("they were asked for");
                (self.keep(&family, joint, room), self.keep(parents, margins, room))
            }
        };
        (joint.0, margins.0, joint.1 && margins.1)
    }

    /// The row of a set that is not cached yet, and whether it is now.
    fn whole(&self, set: &VarSet, room: &Room) -> (Arc<SetRow>, bool) {
        let row = match set.as_slice().first() {
            Some(&target) => self.sweep(target, &set.without(target), false).0,
            None => {
                let with = self.variables().map(|v| self.score.of_set(&[v])).collect();
                SetRow { alone: self.score.of_set(&[]), with }
            }
        };
        self.keep(set, row, room)
    }

    fn known(&self, set: &VarSet) -> Option<Arc<SetRow>> {
        match *set.as_slice() {
            [] => self.empty.get().cloned(),
            [v] => self.singles[v.index()].get().cloned(),
            [first, ..] => locked(&self.larger[first.index()]).get(set).cloned(),
        }
    }

    /// No lock is held during scoring, because its threads may enter here again; some work may be done
    /// twice.
    fn keep(&self, set: &VarSet, row: SetRow, room: &Room) -> (Arc<SetRow>, bool) {
        let row = Arc::new(row);
        let places = if self.akin.is_empty() { 4 } else { 128 };
        let is_kept = room.take(size_of::<SetRow>() + size_of_val(&*row.with) + places * set.len() + 64);
        if is_kept {
            let kept = Arc::clone(&row);
            match *set.as_slice() {
                [] => drop(self.empty.set(kept)),
                [v] => drop(self.singles[v.index()].set(kept)),
                [first, ..] => {
                    for x in set.iter().filter(|_| !self.akin.is_empty()) {
                        let others = set.without(x);
                        let mut akin = locked(&self.akin[others.as_slice()[0].index()]);
                        akin.entry(others).or_default().push((x, Arc::clone(&row)));
                    }
                    locked(&self.larger[first.index()]).insert(set.clone(), kept);
                }
            }
        }
        (row, is_kept)
    }

    /// The row of the target and the given variables and, if requested, that of the given variables
    /// alone.
    fn sweep(&self, target: Var, given: &VarSet, margins: bool) -> (SetRow, Option<SetRow>) {
        let family = given.with(target);
        let mut joint = self.begun(&family);
        let mut margins = margins.then(|| {
            let mut row = self.begun(given);
            row.with[target.index()] = joint.alone;
            row
        });
        let is_open =
            |x: &Var| joint.with(*x).is_nan() || margins.as_ref().is_some_and(|m| m.with(*x).is_nan());
        let open: Vec<Var> = self.variables().filter(is_open).collect();
        let part = |candidates: &[Var]| {
            let mut values = (Vec::with_capacity(candidates.len()), Vec::new());
            let sweep = Sweep { target, candidates, given: given.as_slice() };
            self.score.of_sets(sweep, &mut values.0, margins.is_some().then_some(&mut values.1));
            values
        };
        let parts: Vec<&[Var]> = open.chunks(part_of(open.len())).collect();
        let parts: Vec<(Vec<f64>, Vec<f64>)> = parallel::map_each(&parts, |some| part(some));
        joint.fill(&open, parts.iter().flat_map(|(joint, _)| joint));
        if let Some(margins) = &mut margins {
            margins.fill(&open, parts.iter().flat_map(|(_, margins)| margins));
        }
        (joint, margins)
    }

    /// A row with the values that other rows have, and NaN in place of the others.
    fn begun(&self, set: &VarSet) -> SetRow {
        let alone = self.value(set);
        let mut with: Box<[f64]> = vec![f64::NAN; self.singles.len()].into();
        match *set.as_slice() {
            [v] => {
                let others = with.iter_mut().zip(&self.singles);
                others.for_each(|(value, row)| *value = row.get().map_or(f64::NAN, |row| row.with(v)));
            }
            _ => {
                for v in set.iter().filter(|_| !self.akin.is_empty()) {
                    let others = set.without(v);
                    let akin = locked(&self.akin[others.as_slice()[0].index()]);
                    let akin = akin.get(&others).into_iter().flatten();
                    akin.for_each(|(x, row)| with[x.index()] = row.with(v));
                }
            }
        }
        set.iter().for_each(|v| with[v.index()] = alone);
        SetRow { alone, with }
    }

    fn variables(&self) -> impl Iterator<Item = Var> {
        (0..self.singles.len()).map(Var::new)
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::score::{ScoreKind, ScoreSettings};
    use crate::search::tests::dependent_data;

    #[test]
    fn parts_are_of_nearly_the_same_size_and_not_too_small() {
        for n in 1..2000 {
            let (size, whole) = (part_of(n), n >= 2 * FEWEST);
            assert!(size >= FEWEST.min(n) && size < 2 * FEWEST && (whole || size == n), "{n}: {size}");
        }
    }

    proptest! {
        /// Rows asked for in any order, so that values come from the rows of other sets, and with little room.
        #[test]
        fn every_value_is_that_of_its_set(
            rows in 5usize..100,
            levels in prop::collection::vec(1u16..4, 7),
            kind in prop::sample::select(vec![ScoreKind::Bdeu, ScoreKind::Bic]),
            families in prop::collection::vec((0usize..7, 0u8..128), 1..40),
            room in 0usize..20_000,
            seed: u64,
        ) {
            let data = dependent_data(rows, &levels, seed);
            let score = ScoreSettings { kind, ..ScoreSettings::default() }.build(&data).unwrap();
            let sets = score.sets().unwrap();
            let (shared, room) = (SetRows::new(sets, 7), Room::new(room));
            for (v, parents) in families {
                let parents: VarSet = (0..7).filter(|&p| p != v && parents >> p & 1 == 1).map(Var::new).collect();
                let (v, family) = (Var::new(v), parents.with(Var::new(v)));
                let (joint, margins, _) = shared.rows(v, &parents, &room);
                for x in data.vars() {
                    prop_assert_eq!(joint.with(x), sets.of_set(family.with(x).as_slice()));
                    prop_assert_eq!(margins.with(x), sets.of_set(parents.with(x).as_slice()));
                }
            }
        }
    }
}
