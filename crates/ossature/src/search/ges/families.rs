//! The values of families, kept for a whole run.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::super::watch::Watch;
use crate::data::{Var, VarSet};
use crate::parallel;
use crate::score::Score;

/// The number of candidates that one thread scores at a time.
const CHUNK: usize = 64;

/// How often, and after how long, a thread looks whether another one has scored what it needs, before it does so itself.
const LOOKS: usize = 200;
const BETWEEN_LOOKS: Duration = Duration::from_micros(50);

/// The value of a variable with a parent set, and with one more of its candidates.
///
/// A value is computed on first use. Values with one more parent are stored in a row by candidate,
/// 8 bytes each, because most requests are for all candidates at once.
pub(in crate::search) struct Families<'a> {
    score: &'a dyn Score,
    /// The possible neighbours of each variable, in order.
    candidates: Vec<Box<[Var]>>,
    rows: Vec<Mutex<FxHashMap<VarSet, FamilyRow>>>,
}

/// Some candidates of a variable, and a bit for each candidate that is one of them.
pub(super) struct SomeCandidates {
    vars: Vec<Var>,
    bits: Vec<u64>,
}

/// The values of a variable with one parent set; NaN if not known.
struct FamilyRow {
    alone: f64,
    /// By the index of the candidate; empty if none was requested.
    with: Vec<f64>,
    /// Which of them are known, a bit for each.
    known: Vec<u64>,
    /// The indices of those that raise the value.
    raising: Vec<u32>,
    /// Whether a thread is about to add to it.
    being_scored: bool,
}

impl<'a> Families<'a> {
    pub(in crate::search) fn new(score: &'a dyn Score, candidates: Vec<Box<[Var]>>) -> Families<'a> {
        let rows = candidates.iter().map(|_| Mutex::default()).collect();
        Families { score, candidates, rows }
    }

    /// Finds the values of all variables without parents and with each candidate, in parallel, unless the search is told
    /// to stop.
    pub(in crate::search) fn prepare(&self, watch: &Watch<'_>) {
        let (done, total) = (AtomicU64::new(0), self.candidates.len());
        parallel::map(total, |y| {
            if !watch.stopped() {
                self.sweep(Var::new(y), &VarSet::new(), &self.candidates[y]);
                watch.scored(1 + done.fetch_add(1, Ordering::Relaxed), total as u64);
            }
        });
    }

    /// The possible neighbours of a variable.
    pub(in crate::search) fn candidates(&self, y: Var) -> &[Var] {
        &self.candidates[y.index()]
    }

    /// The value of a variable with these parents.
    pub(in crate::search) fn alone(&self, y: Var, parents: &VarSet) -> f64 {
        if let Some(value) = self.known(y, parents) {
            return value;
        }
        let value = self.score.local(y, parents.as_slice());
        self.locked(y, |rows| rows.entry(parents.clone()).or_insert_with(FamilyRow::new).alone = value);
        value
    }

    /// The gain of a variable with these parents from one more.
    pub(in crate::search) fn gain(&self, y: Var, parents: &VarSet, x: Var) -> f64 {
        let (alone, with) = self.sweep(y, parents, &[x]);
        with[0] - alone
    }

    /// Some candidates of a variable, for several requests.
    pub(super) fn among(&self, y: Var, vars: Vec<Var>) -> SomeCandidates {
        let mut bits = vec![0; self.candidates[y.index()].len().div_ceil(64)];
        self.places(y, &vars).into_iter().for_each(|place| bits[place / 64] |= 1 << (place % 64));
        SomeCandidates { vars, bits }
    }

    /// What a variable with these parents gains from one more, for each of some candidates from which it gains.
    pub(super) fn gains(&self, y: Var, parents: &VarSet, xs: &SomeCandidates) -> Vec<(Var, f64)> {
        let at_hand = self.locked(y, |rows| {
            let row = rows.get(parents).filter(|row| !row.alone.is_nan() && !row.known.is_empty())?;
            if xs.bits.iter().zip(&row.known).any(|(asked, known)| asked & !known != 0) {
                return None;
            }
            let asked = |&&place: &&u32| xs.bits[place as usize / 64] >> (place % 64) & 1 == 1;
            let gain = |&place: &u32| {
                (self.candidates[y.index()][place as usize], row.with[place as usize] - row.alone)
            };
            Some(row.raising.iter().filter(asked).map(gain).collect())
        });
        at_hand.unwrap_or_else(|| {
            let (alone, with) = self.sweep(y, parents, &xs.vars);
            let gains = xs.vars.iter().zip(with).map(|(&x, with)| (x, with - alone));
            gains.filter(|(_, gain)| *gain > 0.0).collect()
        })
    }

    /// The value of a variable with these parents, and with each of these candidates as one more.
    pub(in crate::search) fn sweep(&self, y: Var, parents: &VarSet, xs: &[Var]) -> (f64, Vec<f64>) {
        let places = self.places(y, xs);
        let alone = self.alone(y, parents);
        let look = |rows: &mut FxHashMap<VarSet, FamilyRow>| -> (Vec<f64>, bool) {
            let row = rows.entry(parents.clone()).or_insert_with(FamilyRow::new);
            let values: Vec<f64> = match row.with.is_empty() {
                true => vec![f64::NAN; places.len()],
                false => places.iter().map(|&place| row.with[place]).collect(),
            };
            let open = values.iter().any(|value| value.is_nan());
            (values, open && std::mem::replace(&mut row.being_scored, open))
        };
        let (mut values, mut by_another) = self.locked(y, look);
        for _ in 0..LOOKS {
            if !by_another {
                break;
            }
            // Another thread is at it. It may be waiting for this one in its turn, so this one does not wait for ever.
            if rayon::yield_now() != Some(rayon::Yield::Executed) {
                std::thread::sleep(BETWEEN_LOOKS);
            }
            (values, by_another) = self.locked(y, look);
        }
        let open: Vec<usize> = (0..xs.len()).filter(|&i| values[i].is_nan()).collect();
        if open.is_empty() {
            return (alone, values);
        }
        // No lock is held while the score works: its threads may come here again.
        let missing: Vec<Var> = open.iter().map(|&i| xs[i]).collect();
        let scored = self.scored(y, parents, &missing);
        open.iter().zip(&scored).for_each(|(&i, &value)| values[i] = value);
        self.locked(y, |rows| {
            let row = rows.entry(parents.clone()).or_insert_with(FamilyRow::new);
            if row.with.is_empty() {
                row.with = vec![f64::NAN; self.candidates[y.index()].len()];
            }
            open.iter().zip(scored).for_each(|(&i, value)| row.with[places[i]] = value);
            row.take_note(alone);
            row.being_scored = false;
        });
        (alone, values)
    }

    fn known(&self, y: Var, parents: &VarSet) -> Option<f64> {
        let some = |value: f64| (!value.is_nan()).then_some(value);
        self.locked(y, |rows| {
            let alone = rows.get(parents).and_then(|row| some(row.alone));
            alone.or_else(|| {
                parents.iter().find_map(|x| {
                    let place = self.candidates[y.index()].binary_search(&x).ok()?;
                    some(*rows.get(&parents.without(x))?.with.get(place)?)
                })
            })
        })
    }

    fn scored(&self, y: Var, parents: &VarSet, xs: &[Var]) -> Vec<f64> {
        let part = |xs: &[Var]| {
            let mut values = Vec::with_capacity(xs.len());
            self.score.sweep(y, parents.as_slice(), xs, &mut values);
            values
        };
        if xs.len() < 2 * CHUNK {
            return part(xs);
        }
        parallel::map_chunks(xs, CHUNK, part)
    }

    /// The place of each of these among the candidates; most of them follow each other.
    fn places(&self, y: Var, xs: &[Var]) -> Vec<usize> {
        let candidates = &self.candidates[y.index()];
        let mut next = 0;
        let place = |&x: &Var| {
            if candidates.get(next) != Some(&x) {
                next = candidates.binary_search(&x).expect("a candidate");
            }
            next += 1;
            next - 1
        };
        xs.iter().map(place).collect()
    }

    fn locked<R>(&self, y: Var, f: impl FnOnce(&mut FxHashMap<VarSet, FamilyRow>) -> R) -> R {
        f(&mut self.rows[y.index()].lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl FamilyRow {
    fn new() -> FamilyRow {
        FamilyRow {
            alone: f64::NAN,
            with: Vec::new(),
            known: Vec::new(),
            raising: Vec::new(),
            being_scored: false,
        }
    }

    /// Records which values are known and which of them raise that of the parents alone.
    fn take_note(&mut self, alone: f64) {
        self.alone = alone;
        self.known = vec![0; self.with.len().div_ceil(64)];
        self.raising.clear();
        for (place, &value) in self.with.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
            self.known[place / 64] |= 1 << (place % 64);
            if value > alone {
                self.raising.push(place as u32);
            }
        }
    }
}
