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

use super::counting::{Begun, Board, BoardGuard, Count, KeptRow, OpenRow, Part};
use crate::data::{Var, VarSet};
use crate::score::{SetScore, Sweep};

/// With more variables than this, rows share too few values to look for them: 2 % with the 441 of pigs.
const NARROW: usize = 128;

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
#[derive(Debug, Clone)]
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

    pub(super) fn fill<'v>(&mut self, variables: &[Var], values: impl Iterator<Item = &'v f64>) {
        variables.iter().zip(values).for_each(|(x, &value)| self.with[x.index()] = value);
    }
}

/// Rows of sets that differ in one variable, each with that variable.
type Akin = Vec<(Var, Arc<SetRow>)>;

/// A row that is known, or is being counted.
enum RowFound {
    Known(Arc<SetRow>),
    Open(Arc<OpenRow>),
}

/// The rows of all sets so far, shared by threads.
pub(super) struct SetRows<'a> {
    score: &'a dyn SetScore,
    empty: OnceLock<Arc<SetRow>>,
    singles: Vec<OnceLock<Arc<SetRow>>>,
    /// The rows of sets with more than one variable, by the first.
    larger: Vec<Mutex<FxHashMap<VarSet, Arc<SetRow>>>>,
    /// The same rows by their sets without one variable, and that variable; empty in a wide table.
    akin: Vec<Mutex<FxHashMap<VarSet, Akin>>>,
    board: Board,
    room: Arc<Room>,
}

impl<'a> SetRows<'a> {
    /// An empty cache.
    pub(super) fn new(score: &'a dyn SetScore, variables: usize, room: Arc<Room>) -> SetRows<'a> {
        SetRows {
            score,
            empty: OnceLock::new(),
            singles: (0..variables).map(|_| OnceLock::new()).collect(),
            larger: (0..variables).map(|_| Mutex::default()).collect(),
            akin: (0..variables).filter(|_| variables <= NARROW).map(|_| Mutex::default()).collect(),
            board: Board::default(),
            room,
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
    pub(super) fn rows(&self, v: Var, parents: &VarSet) -> (Arc<SetRow>, Arc<SetRow>, bool) {
        let family = parents.with(v);
        if parents.is_empty() {
            self.empty.get_or_init(|| self.of_nothing());
        }
        if let (Some(joint), Some(margins)) = (self.known(&family), self.known(parents)) {
            return (joint, margins, true);
        }
        let (joint, margins) = self.find_or_begin(v, parents, &family);
        let row = |found, set: &VarSet| match found {
            RowFound::Known(row) => (row, true),
            RowFound::Open(counting) => self.board.finish(&counting, set, self),
        };
        let (joint, margins) = (row(joint, &family), row(margins, parents));
        (joint.0, margins.0, joint.1 && margins.1)
    }

    /// The rows of a family and of the parents, known or on the board.
    fn find_or_begin(&self, v: Var, parents: &VarSet, family: &VarSet) -> (RowFound, RowFound) {
        let mut board = self.board.lock();
        // Rows leave the board after they are kept, so whatever is not there was not counted.
        let find = |board: &BoardGuard<'_>, set: &VarSet| {
            self.known(set).map(RowFound::Known).or_else(|| board.find(set).map(RowFound::Open))
        };
        match (find(&board, family), find(&board, parents)) {
            (Some(joint), Some(margins)) => (joint, margins),
            (Some(joint), None) => {
                let target = parents.as_slice()[0];
                (joint, RowFound::Open(board.put(target, &parents.without(target), false)))
            }
            (None, Some(margins)) => (RowFound::Open(board.put(v, parents, false)), margins),
            (None, None) => {
                let both = board.put(v, parents, true);
                (RowFound::Open(Arc::clone(&both)), RowFound::Open(both))
            }
        }
    }

    /// `f` of every index below `n`, each a search that needs rows; threads without one help the others to count.
    pub(super) fn searches<T: Send>(&self, n: usize, f: impl Fn(usize) -> T + Sync) -> Vec<T> {
        self.board.searches(n, f, self)
    }

    /// The row of the empty set.
    fn of_nothing(&self) -> Arc<SetRow> {
        let with = self.variables().map(|v| self.score.of_set(&[v])).collect();
        Arc::new(SetRow { alone: self.score.of_set(&[]), with })
    }

    fn known(&self, set: &VarSet) -> Option<Arc<SetRow>> {
        match *set.as_slice() {
            [] => self.empty.get().cloned(),
            [v] => self.singles[v.index()].get().cloned(),
            [first, ..] => locked(&self.larger[first.index()]).get(set).cloned(),
        }
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

impl Count for SetRows<'_> {
    fn begin(&self, counting: &OpenRow) -> Begun {
        let joint = self.begun(&counting.family);
        let margins = counting.margins.then(|| {
            let mut row = self.begun(&counting.given);
            row.with[counting.target.index()] = joint.alone;
            row
        });
        let is_open =
            |x: &Var| joint.with(*x).is_nan() || margins.as_ref().is_some_and(|m| m.with(*x).is_nan());
        let open = self.variables().filter(is_open).collect();
        Begun::new(joint, margins, open)
    }

    fn part(&self, counting: &OpenRow, variables: &[Var]) -> Part {
        let mut values = (Vec::with_capacity(variables.len()), Vec::new());
        let sweep =
            Sweep { target: counting.target, candidates: variables, given: counting.given.as_slice() };
        self.score.of_sets(sweep, &mut values.0, counting.margins.then_some(&mut values.1));
        values
    }

    fn keep(&self, set: &VarSet, row: SetRow) -> KeptRow {
        let row = Arc::new(row);
        let places = if self.akin.is_empty() { 4 } else { 128 };
        let is_kept = self.room.take(size_of::<SetRow>() + size_of_val(&*row.with) + places * set.len() + 64);
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
            let shared = SetRows::new(sets, 7, Arc::new(Room::new(room)));
            for (v, parents) in families {
                let parents: VarSet = (0..7).filter(|&p| p != v && parents >> p & 1 == 1).map(Var::new).collect();
                let (v, family) = (Var::new(v), parents.with(Var::new(v)));
                let (joint, margins, _) = shared.rows(v, &parents);
                for x in data.vars() {
                    prop_assert_eq!(joint.with(x), sets.of_set(family.with(x).as_slice()));
                    prop_assert_eq!(margins.with(x), sets.of_set(parents.with(x).as_slice()));
                }
            }
        }
    }
}
