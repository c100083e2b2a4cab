//! The values of families, kept for a whole run.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::super::watch::Watch;
use crate::data::{Var, VarSet};
use crate::parallel;
use crate::score::Score;

/// The smallest number of candidates that is worth a thread: each part of a sweep prepares its tables again.
const CHUNK: usize = 16;

/// How often, and after how long, a thread looks whether another one has scored what it needs, before it does so itself.
const LOOKS: usize = 200;
const BETWEEN_LOOKS: Duration = Duration::from_micros(50);

/// The value of a variable with a parent set, and with one more of its candidates.
///
/// A value is computed on first use. Of the values with one more parent only those that are higher than without are
/// kept, because most are not, and nobody asks how much lower they are.
pub(in crate::search) struct Families<'a> {
    score: &'a dyn Score,
    /// The possible neighbours of each variable, in order.
    candidates: Vec<Box<[Var]>>,
    rows: Vec<Mutex<FxHashMap<VarSet, FamilyRow>>>,
}

/// Some candidates of a variable: a bit for each candidate that is one of them.
pub(in crate::search) struct SomeCandidates {
    bits: Vec<u64>,
}

/// The values of a variable with one parent set.
struct FamilyRow {
    /// NaN if not known.
    alone: f64,
    /// The candidates that were scored, a bit for each; empty if none was.
    scored: Vec<u64>,
    /// The indices of those that raise the value, in order, each with the raised value.
    raising: Vec<(u32, f64)>,
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
                let y = Var::new(y);
                self.raising(y, &VarSet::new(), &self.among(y, self.candidates(y).iter().copied()));
                watch.scored(1 + done.fetch_add(1, Ordering::Relaxed), total as u64);
            }
        });
    }

    /// Whether all graphs of a class have the same score.
    pub(super) fn is_equivalent(&self) -> bool {
        self.score.is_equivalent()
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
        self.alone(y, &parents.with(x)) - self.alone(y, parents)
    }

    /// Some candidates of a variable.
    pub(in crate::search) fn among(&self, y: Var, vars: impl Iterator<Item = Var>) -> SomeCandidates {
        let candidates = &self.candidates[y.index()];
        let mut bits = vec![0; candidates.len().div_ceil(64)];
        // Most of them follow each other.
        let mut next = 0;
        for x in vars {
            if candidates.get(next) != Some(&x) {
                next = candidates.binary_search(&x).expect("a candidate");
            }
            bits[next / 64] |= 1 << (next % 64);
            next += 1;
        }
        SomeCandidates { bits }
    }

    /// The value of a variable with these parents, and each of these candidates that raises it as one more, in order,
    /// with the raised value.
    pub(in crate::search) fn raising(
        &self,
        y: Var,
        parents: &VarSet,
        xs: &SomeCandidates,
    ) -> (f64, Vec<(Var, f64)>) {
        let alone = self.alone(y, parents);
        let mut look = self.locked(y, |rows| look(rows, parents, xs));
        for _ in 0..LOOKS {
            if !matches!(look, RowLook::Later) {
                break;
            }
            // Another thread is at it. It may be waiting for this one in its turn, so this one does not wait for ever.
            if rayon::yield_now() != Some(rayon::Yield::Executed) {
                std::thread::sleep(BETWEEN_LOOKS);
            }
            look = self.locked(y, |rows| self::look(rows, parents, xs));
        }
        let candidate = |place: u32| self.candidates[y.index()][place as usize];
        let open = match look {
            RowLook::Known(raising) => {
                return (
                    alone,
                    raising.into_iter().map(|(place, value)| (candidate(place), value)).collect(),
                );
            }
            RowLook::Open(open) => open,
            RowLook::Later => places(xs.bits.iter().copied()).collect(),
        };
        // No lock is held while the score works: its threads may come here again.
        let missing: Vec<Var> = open.iter().map(|&place| candidate(place)).collect();
        let values = self.scored(y, parents, &missing, alone);
        let raising = self.locked(y, |rows| {
            let row = rows.entry(parents.clone()).or_insert_with(FamilyRow::new);
            row.add(alone, self.candidates[y.index()].len(), &open, &values);
            row.being_scored = false;
            row.raising_among(xs)
        });
        (alone, raising.into_iter().map(|(place, value)| (candidate(place), value)).collect())
    }

    /// What a variable with these parents gains from one more, for each of some candidates from which it gains.
    pub(super) fn gains(&self, y: Var, parents: &VarSet, xs: &SomeCandidates) -> Vec<(Var, f64)> {
        let (alone, mut raising) = self.raising(y, parents, xs);
        raising.iter_mut().for_each(|(_, value)| *value -= alone);
        raising
    }

    /// Each of these candidates with which as one more parent the value of a variable is at least this, with the value.
    pub(in crate::search) fn at_least(
        &self,
        y: Var,
        parents: &VarSet,
        xs: &[Var],
        bar: f64,
    ) -> Vec<(Var, f64)> {
        let values = self.scored(y, parents, xs, bar);
        xs.iter().copied().zip(values).filter(|(_, value)| *value >= bar).collect()
    }

    fn known(&self, y: Var, parents: &VarSet) -> Option<f64> {
        self.locked(y, |rows| {
            let alone = rows.get(parents).map(|row| row.alone).filter(|alone| !alone.is_nan());
            alone.or_else(|| {
                parents.iter().find_map(|x| {
                    let place = self.candidates[y.index()].binary_search(&x).ok()? as u32;
                    let raising = &rows.get(&parents.without(x))?.raising;
                    let at = raising.binary_search_by_key(&place, |(place, _)| *place).ok()?;
                    Some(raising[at].1)
                })
            })
        })
    }

    /// The values with each of these as one more parent; those below the bar may be lower than they are.
    fn scored(&self, y: Var, parents: &VarSet, xs: &[Var], bar: f64) -> Vec<f64> {
        if xs.is_empty() {
            return Vec::new();
        }
        let part = |xs: &[Var]| {
            let mut values = Vec::with_capacity(xs.len());
            self.score.sweep_above(y, parents.as_slice(), xs, bar, &mut values);
            values
        };
        let chunk = xs.len().div_ceil(rayon::current_num_threads()).max(CHUNK);
        if xs.len() <= chunk {
            return part(xs);
        }
        parallel::map_chunks(xs, chunk, part)
    }

    fn locked<R>(&self, y: Var, f: impl FnOnce(&mut FxHashMap<VarSet, FamilyRow>) -> R) -> R {
        f(&mut self.rows[y.index()].lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What a look at the rows of a variable finds.
enum RowLook {
    /// All candidates were scored: those that raise the value.
    Known(Vec<(u32, f64)>),
    /// These are not yet scored, and whoever looked is to do it.
    Open(Vec<u32>),
    /// Another thread is scoring.
    Later,
}

fn look(rows: &mut FxHashMap<VarSet, FamilyRow>, parents: &VarSet, xs: &SomeCandidates) -> RowLook {
    let row = match rows.get_mut(parents) {
        Some(row) => row,
        None => rows.entry(parents.clone()).or_insert_with(FamilyRow::new),
    };
    let scored = row.scored.iter().copied().chain(std::iter::repeat(0));
    let mut open = places(xs.bits.iter().zip(scored).map(|(asked, scored)| asked & !scored)).peekable();
    if open.peek().is_none() {
        RowLook::Known(row.raising_among(xs))
    } else if std::mem::replace(&mut row.being_scored, true) {
        RowLook::Later
    } else {
        RowLook::Open(open.collect())
    }
}

/// The places of the bits that are set.
fn places(words: impl Iterator<Item = u64>) -> impl Iterator<Item = u32> {
    words.zip(0u32..).flat_map(|(word, at)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let place = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (place < 64).then_some(64 * at + place)
        })
    })
}

impl FamilyRow {
    fn new() -> FamilyRow {
        FamilyRow { alone: f64::NAN, scored: Vec::new(), raising: Vec::new(), being_scored: false }
    }

    /// Those of some candidates that raise the value.
    fn raising_among(&self, xs: &SomeCandidates) -> Vec<(u32, f64)> {
        let asked = |place: u32| xs.bits[place as usize / 64] >> (place % 64) & 1 == 1;
        self.raising.iter().copied().filter(|&(place, _)| asked(place)).collect()
    }

    /// Adds what was scored.
    fn add(&mut self, alone: f64, candidates: usize, open: &[u32], values: &[f64]) {
        self.alone = alone;
        self.scored.resize(candidates.div_ceil(64), 0);
        for (&place, &value) in open.iter().zip(values) {
            let (word, bit) = (&mut self.scored[place as usize / 64], 1 << (place % 64));
            // Another thread may have been as fast.
            if value > alone && *word & bit == 0 {
                self.raising.push((place, value));
            }
            *word |= bit;
        }
        self.raising.sort_unstable_by_key(|(place, _)| *place);
    }
}
