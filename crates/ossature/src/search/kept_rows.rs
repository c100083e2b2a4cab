//! Rows of values of sets that are kept for others who need them, as far as there is room.
//!
//! The rows of single variables are always kept. Of the others, those that nobody has asked for lately make room for new
//! ones: they are counted again if they are needed once more.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use crate::data::{Var, VarSet};

/// With more variables than this, rows share too few values to look for them: 2 % with the 441 of pigs.
const NARROW: usize = 128;

/// The value of a set, and with each further variable.
#[derive(Debug)]
pub(super) struct SetRow {
    pub(super) alone: f64,
    /// By variable; a member adds nothing.
    pub(super) with: Box<[f64]>,
    /// Whether somebody has asked for it lately.
    asked: AtomicBool,
}

impl SetRow {
    pub(super) fn new(alone: f64, with: Box<[f64]>) -> SetRow {
        SetRow { alone, with, asked: AtomicBool::new(false) }
    }

    /// The value with one more variable.
    pub(super) fn with(&self, x: Var) -> f64 {
        self.with[x.index()]
    }

    /// The same row with other values for these variables.
    pub(super) fn filled<'v>(&self, variables: &[Var], values: impl Iterator<Item = &'v f64>) -> SetRow {
        let mut with = self.with.clone();
        variables.iter().zip(values).for_each(|(x, &value)| with[x.index()] = value);
        SetRow::new(self.alone, with)
    }

    /// The bytes that it takes, with what is needed to find it.
    fn bytes(&self, set: &VarSet, places: usize) -> usize {
        size_of::<SetRow>() + size_of_val(&*self.with) + places * set.len() + 64
    }
}

/// Rows of sets that differ in one variable, each with that variable.
type Akin = Vec<(Var, Arc<SetRow>)>;

/// The rows that are kept, shared by threads.
pub(super) struct KeptRows {
    empty: Arc<SetRow>,
    singles: Vec<OnceLock<Arc<SetRow>>>,
    /// The rows of sets with more than one variable, by the first.
    larger: Vec<Mutex<FxHashMap<VarSet, Arc<SetRow>>>>,
    /// The same rows by their sets without one variable, and that variable; empty in a wide table.
    akin: Vec<Mutex<FxHashMap<VarSet, Akin>>>,
    queue: Mutex<Queue>,
}

/// The sets of the rows in `larger`, from the first to go.
struct Queue {
    sets: VecDeque<VarSet>,
    room: usize,
}

impl KeptRows {
    /// The row of the empty set, and room for so many bytes of those with more than one variable.
    pub(super) fn new(nothing: SetRow, room: usize) -> KeptRows {
        let variables = nothing.with.len();
        KeptRows {
            empty: Arc::new(nothing),
            singles: (0..variables).map(|_| OnceLock::new()).collect(),
            larger: (0..variables).map(|_| Mutex::default()).collect(),
            akin: (0..variables).filter(|_| variables <= NARROW).map(|_| Mutex::default()).collect(),
            queue: Mutex::new(Queue { sets: VecDeque::new(), room }),
        }
    }

    /// The number of variables.
    pub(super) fn variables(&self) -> usize {
        self.singles.len()
    }

    /// The row of a set.
    pub(super) fn find(&self, set: &VarSet) -> Option<Arc<SetRow>> {
        self.look_up(set, Arc::clone).inspect(|row| {
            // Writing what is there already would make other threads fetch the row again.
            if !row.asked.load(Ordering::Relaxed) {
                row.asked.store(true, Ordering::Relaxed);
            }
        })
    }

    /// Something of the row of a set, which stays in the queue where it is.
    pub(super) fn look_up<T>(&self, set: &VarSet, of: impl FnOnce(&Arc<SetRow>) -> T) -> Option<T> {
        match *set.as_slice() {
            [] => Some(of(&self.empty)),
            [v] => self.singles[v.index()].get().map(of),
            [..] => self.larger_of(set).get(set).map(of),
        }
    }

    /// Writes to the row of a set what others have of it.
    pub(super) fn begin(&self, set: &VarSet, with: &mut [f64]) {
        if let [v] = *set.as_slice() {
            let others = with.iter_mut().zip(&self.singles);
            others.for_each(|(value, row)| *value = row.get().map_or(f64::NAN, |row| row.with(v)));
            return;
        }
        for v in set.iter().filter(|_| !self.akin.is_empty()) {
            let others = set.without(v);
            let akin = locked(&self.akin[others.as_slice()[0].index()]);
            let akin = akin.get(&others).into_iter().flatten();
            akin.for_each(|(x, row)| with[x.index()] = row.with(v));
        }
    }

    /// Keeps a row, for now.
    pub(super) fn keep(&self, set: &VarSet, row: SetRow) -> Arc<SetRow> {
        let row = Arc::new(row);
        match *set.as_slice() {
            [] => unreachable!("it is known from the beginning"),
            [v] => drop(self.singles[v.index()].set(Arc::clone(&row))),
            [..] => self.keep_larger(set, &row),
        }
        row
    }

    fn keep_larger(&self, set: &VarSet, row: &Arc<SetRow>) {
        let needed = row.bytes(set, self.places());
        let mut queue = locked(&self.queue);
        // Each is passed over once at most, even if others ask for it meanwhile.
        let mut passes = queue.sets.len();
        while queue.room < needed {
            let Some(first) = queue.sets.pop_front() else { return };
            let asked = self
                .larger_of(&first)
                .get(&first)
                .is_some_and(|row| row.asked.swap(false, Ordering::Relaxed));
            match asked && passes > 0 {
                true => queue.sets.push_back(first),
                false => queue.room += self.forget(&first),
            }
            passes = passes.saturating_sub(1);
        }
        queue.room -= needed;
        queue.sets.push_back(set.clone());
        for x in set.iter().filter(|_| !self.akin.is_empty()) {
            let others = set.without(x);
            let mut akin = locked(&self.akin[others.as_slice()[0].index()]);
            akin.entry(others).or_default().push((x, Arc::clone(row)));
        }
        self.larger_of(set).insert(set.clone(), Arc::clone(row));
    }

    /// Returns the bytes that are free now.
    fn forget(&self, set: &VarSet) -> usize {
        for x in set.iter().filter(|_| !self.akin.is_empty()) {
            let others = set.without(x);
            let mut akin = locked(&self.akin[others.as_slice()[0].index()]);
            if let Some(rows) = akin.get_mut(&others) {
                rows.retain(|(other, _)| *other != x);
                if rows.is_empty() {
                    akin.remove(&others);
                }
            }
        }
        let row = self.larger_of(set).remove(set);
        row.map_or(0, |row| row.bytes(set, self.places()))
    }

    fn larger_of(&self, set: &VarSet) -> MutexGuard<'_, FxHashMap<VarSet, Arc<SetRow>>> {
        locked(&self.larger[set.as_slice()[0].index()])
    }

    /// The bytes with which each variable of a set helps to find it.
    fn places(&self) -> usize {
        if self.akin.is_empty() { 4 } else { 128 }
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(other: usize) -> VarSet {
        [Var(0), Var::new(other)].into_iter().collect()
    }

    #[test]
    fn rows_that_nobody_asks_for_make_room_for_others() {
        // Narrow and wide.
        for variables in [20, NARROW + 20] {
            let row = || SetRow::new(0.0, vec![0.0; variables].into());
            let rows = KeptRows::new(row(), 0);
            let of_one = row().bytes(&pair(1), rows.places());
            let rows = KeptRows::new(row(), 4 * of_one + of_one / 2);
            for other in 1..=10 {
                rows.keep(&pair(other), row());
                assert!(rows.find(&pair(1)).is_some(), "it is asked for each time");
            }
            let kept: Vec<usize> = (1..=10).filter(|&i| rows.look_up(&pair(i), |_| ()).is_some()).collect();
            assert_eq!(kept, [1, 8, 9, 10]);
            let akin: usize =
                rows.akin.iter().map(|by_set| locked(by_set).values().map(Vec::len).sum::<usize>()).sum();
            assert_eq!(akin, if variables <= NARROW { 2 * kept.len() } else { 0 });
            assert_eq!(locked(&rows.queue).room, of_one / 2);
        }
    }

    #[test]
    fn a_row_without_room_is_given_back_and_single_variables_are_always_kept() {
        let row = || SetRow::new(1.5, vec![2.5; 3].into());
        let rows = KeptRows::new(row(), 100);
        assert_eq!(rows.keep(&pair(1), row()).alone, 1.5);
        assert!(rows.find(&pair(1)).is_none());
        let one: VarSet = [Var(2)].into_iter().collect();
        rows.keep(&one, row());
        assert_eq!(rows.find(&one).map(|row| row.with(Var(0))), Some(2.5));
    }
}
