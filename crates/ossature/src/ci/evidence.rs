//! Evidence: the set that separated two variables.
//!
//! While a learner asks its questions, [`Independence`](super::Independence) records for each pair the
//! non-empty set that separated it. The outcome is not kept; a single test finds it again. Pairs that are
//! independent given nothing are not recorded, because that test is cheap to repeat. Which of several sets is
//! kept does not depend on their order, so it does not depend on the number of threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::CiTest;
use super::outcome::Outcome;
use crate::data::Var;
use crate::parallel;

/// A set that separated two variables, and the outcome of the test.
#[derive(Debug, Clone, PartialEq)]
pub struct Separation {
    /// The set, sorted.
    pub given: SmallVec<[Var; 2]>,
    /// The outcome; `None` until [`Evidence::with_outcomes`] computes it.
    pub outcome: Option<Outcome>,
    /// Whether the test had power. Without power, independence is assumed, not shown.
    pub has_power: bool,
}

impl Separation {
    /// The set that separated two variables, and the outcome of the test.
    pub fn new(given: &[Var], outcome: Outcome) -> Separation {
        separation(given, Some(outcome), outcome.has_power)
    }

    /// Whether this separation is more informative: with power before without, then small sets before large
    /// ones, then by the names of the variables.
    fn says_more(&self, other: &Separation) -> bool {
        self.cmp_says(other).is_lt()
    }

    /// Orders separations, the most informative first.
    fn cmp_says(&self, other: &Separation) -> std::cmp::Ordering {
        let key = |s: &Separation| (!s.has_power, s.given.len());
        key(self).cmp(&key(other)).then_with(|| self.given.cmp(&other.given))
    }
}

/// The sets that separated pairs of variables, sorted by the smaller variable of the pair and then the
/// larger.
///
/// ```
/// use ossature::ci::{Evidence, Outcome};
/// use ossature::Var;
///
/// let mut evidence = Evidence::default();
/// evidence.note(Var(5), Var(2), &[Var(7)], Some(Outcome::chi_square(0.3, 1.0)), true);
/// let separation = evidence.separation(Var(2), Var(5)).expect("it was noted");
/// assert_eq!(separation.given.as_slice(), [Var(7)]);
/// assert!(evidence.separation(Var(2), Var(7)).is_none());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    /// In the order of the variables; none is empty.
    rows: Vec<SeparationRow>,
}

/// A variable, and the later ones that were separated from it, in order.
#[derive(Debug, Clone, PartialEq)]
struct SeparationRow {
    x: Var,
    later: Vec<(Var, Separation)>,
}

impl SeparationRow {
    fn pairs(&self) -> impl Iterator<Item = (Var, Var, &Separation)> {
        self.later.iter().map(|(y, separation)| (self.x, *y, separation))
    }

    fn into_pairs(self) -> impl Iterator<Item = (Var, Var, Separation)> {
        self.later.into_iter().map(move |(y, separation)| (self.x, y, separation))
    }

    fn place(&self, y: Var) -> Result<usize, usize> {
        self.later.binary_search_by_key(&y, |(later, _)| *later)
    }
}

impl Evidence {
    /// The set that separated X and Y, in either order.
    pub fn separation(&self, x: Var, y: Var) -> Option<&Separation> {
        let row = &self.rows[self.place(x.min(y)).ok()?];
        Some(&row.later[row.place(x.max(y)).ok()?].1)
    }

    /// All pairs with their separations, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Var, Var, &Separation)> {
        self.rows.iter().flat_map(SeparationRow::pairs)
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.rows.iter().map(|row| row.later.len()).sum()
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The evidence of these pairs, in any order. If a pair has several sets, keeps the most informative.
    pub fn of(pairs: impl IntoIterator<Item = (Var, Var, Separation)>) -> Evidence {
        let pairs = pairs.into_iter().map(|(x, y, separation)| ((x.min(y), x.max(y)), separation));
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_by(|(pair, by), (other, other_by)| pair.cmp(other).then_with(|| by.cmp_says(other_by)));
        pairs.dedup_by_key(|(pair, _)| *pair);
        let mut evidence = Evidence::default();
        for ((x, y), separation) in pairs {
            match evidence.rows.last_mut().filter(|row| row.x == x) {
                Some(row) => row.later.push((y, separation)),
                None => evidence.rows.push(SeparationRow { x, later: vec![(y, separation)] }),
            }
        }
        evidence
    }

    /// Joins evidence from several places. If a pair has several sets, keeps the most informative.
    #[must_use]
    pub fn joined(parts: impl IntoIterator<Item = Evidence>) -> Evidence {
        Evidence::of(parts.into_iter().flat_map(|part| part.rows).flat_map(SeparationRow::into_pairs))
    }

    /// Records the set that separated X and Y, replacing any earlier one.
    pub fn note(&mut self, x: Var, y: Var, given: &[Var], outcome: Option<Outcome>, has_power: bool) {
        let (separation, x, y) = (separation(given, outcome, has_power), x.min(y), x.max(y));
        let row = self.place(x).unwrap_or_else(|place| {
            self.rows.insert(place, SeparationRow { x, later: Vec::new() });
            place
        });
        let row = &mut self.rows[row];
        match row.place(y) {
            Ok(place) => row.later[place].1 = separation,
            Err(place) => row.later.insert(place, (y, separation)),
        }
    }

    /// The pairs that `keep` accepts.
    #[must_use]
    pub fn filtered(mut self, keep: impl Fn(Var, Var) -> bool) -> Evidence {
        self.rows.retain_mut(|SeparationRow { x, later }| {
            later.retain(|(y, _)| keep(*x, *y));
            later.shrink_to_fit();
            !later.is_empty()
        });
        self
    }

    /// Fills in the outcomes that are missing, with the test that gave them before.
    #[must_use]
    pub fn with_outcomes(mut self, test: &dyn CiTest) -> Evidence {
        parallel::for_each_mut(&mut self.rows, |_, SeparationRow { x, later }| {
            for (y, separation) in later {
                separation.outcome.get_or_insert_with(|| test.test(*x, *y, &separation.given));
            }
        });
        self
    }

    /// The place of the row of a variable.
    fn place(&self, x: Var) -> Result<usize, usize> {
        self.rows.binary_search_by_key(&x, |row| row.x)
    }
}

fn separation(given: &[Var], outcome: Option<Outcome>, has_power: bool) -> Separation {
    let mut given: SmallVec<[Var; 2]> = given.iter().copied().collect();
    given.sort_unstable();
    Separation { given, outcome, has_power }
}

/// Records separations from many threads at once. A slot for each pair holds the most informative set so far,
/// and is updated without a lock.
#[derive(Debug)]
pub(super) struct Recorder {
    /// Whether it is known of every pair if it needs a set.
    all_judged: bool,
    /// For each variable, a slot for each variable after it: [`Key::NONE`] if nothing is recorded,
    /// [`Key::NEEDS_NO_SET`] if nothing need be.
    rows: Vec<Box<[AtomicU64]>>,
    /// The complete sets of three or more variables, of which a slot holds only the first two.
    large: Mutex<FxHashMap<(Var, Var), Separation>>,
}

/// A set as a number: the more informative of two sets has the smaller number. Power comes first, then the
/// size, then the first two variables.
struct Key;

impl Key {
    const NONE: u64 = u64::MAX;
    const NEEDS_NO_SET: u64 = 0;
    /// The number of bits of a variable.
    const BITS: u32 = 28;

    fn of(given: &[Var], has_power: bool) -> u64 {
        let var = |i: usize| given.get(i).map_or(0, |v| u64::from(v.0));
        let size = given.len().min(127) as u64;
        u64::from(!has_power) << 63 | size << (2 * Key::BITS) | var(0) << Key::BITS | var(1)
    }

    fn size(key: u64) -> usize {
        (key >> (2 * Key::BITS) & 127) as usize
    }

    fn has_power(key: u64) -> bool {
        key >> 63 == 0
    }

    fn var(key: u64, i: u32) -> Var {
        Var((key >> (Key::BITS * (1 - i))) as u32 & ((1 << Key::BITS) - 1))
    }
}

impl Recorder {
    /// A recorder for `n` variables. Pairs known to need no set are not recorded; `all_judged` says that all others are known
    /// to need one.
    pub(super) fn new(
        n: usize,
        all_judged: bool,
        needs_no_set: impl Fn(Var, Var) -> bool + Sync,
    ) -> Recorder {
        let start = |x, y| if needs_no_set(x, y) { Key::NEEDS_NO_SET } else { Key::NONE };
        let row = |x| (x + 1..n).map(|y| AtomicU64::new(start(Var::new(x), Var::new(y)))).collect();
        Recorder { all_judged, rows: parallel::map(n, row), large: Mutex::default() }
    }

    /// Whether a pair needs a set to be separated, if that is known.
    pub(super) fn needs_a_set(&self, x: Var, y: Var) -> Option<bool> {
        let slot = self.all_judged.then(|| self.slot(x, y))?;
        Some(slot.load(Ordering::Relaxed) != Key::NEEDS_NO_SET)
    }

    /// The slot of a pair.
    fn slot(&self, x: Var, y: Var) -> &AtomicU64 {
        let (x, y) = (x.min(y).index(), x.max(y).index());
        &self.rows[x][y - x - 1]
    }

    /// Records that a set separates X and Y.
    pub(super) fn note(&self, x: Var, y: Var, given: &[Var], has_power: bool) {
        let slot = self.slot(x, y);
        let known = slot.load(Ordering::Relaxed);
        if known == Key::NEEDS_NO_SET || Key::size(known) < given.len() && Key::has_power(known) {
            return; // a repeated separation, nearly always
        }
        let mut given: SmallVec<[Var; 2]> = given.iter().copied().collect();
        given.sort_unstable();
        let key = Key::of(&given, has_power);
        if key <= known && slot.fetch_min(key, Ordering::Relaxed) >= key && given.len() > 2 {
            let new = Separation { given, outcome: None, has_power };
            let mut large = self.large.lock().unwrap_or_else(PoisonError::into_inner);
            let best = large.entry((x.min(y), x.max(y))).or_insert_with(|| new.clone());
            if new.says_more(best) {
                *best = new;
            }
        }
    }

    /// Takes the separations recorded since the last call; returns those of the pairs that `keep` accepts.
    pub(super) fn take(&self, keep: impl Fn(Var, Var) -> bool + Sync) -> Evidence {
        let large = std::mem::take(&mut *self.large.lock().unwrap_or_else(PoisonError::into_inner));
        let separation = |key: u64, pair: (Var, Var)| match Key::size(key) {
            size @ (1 | 2) => {
                let given = SmallVec::from_slice(&[Key::var(key, 0), Key::var(key, 1)][..size]);
                Separation { given, outcome: None, has_power: Key::has_power(key) }
            }
            _ => large[&pair].clone(),
        };
        let is_set = |key: u64| key != Key::NONE && key != Key::NEEDS_NO_SET;
        let row = |x: usize| {
            let (x, slots) = (Var::new(x), &self.rows[x]);
            let recorded = slots.iter().filter(|slot| is_set(slot.load(Ordering::Relaxed))).count();
            let mut later = Vec::with_capacity(recorded);
            for (slot, y) in slots.iter().zip(x.index() + 1..) {
                let (key, y) = (slot.load(Ordering::Relaxed), Var::new(y));
                if is_set(key) {
                    slot.store(Key::NONE, Ordering::Relaxed);
                    if keep(x, y) {
                        later.push((y, separation(key, (x, y))));
                    }
                }
            }
            SeparationRow { x, later }
        };
        let mut rows = parallel::map(self.rows.len(), row);
        rows.retain(|row| !row.later.is_empty());
        Evidence { rows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_does_not_depend_on_the_order_in_which_it_came() {
        let (x, y) = (Var(4), Var(1));
        let large: &[Var] = &[Var(2), Var(3), Var(9), Var(8)];
        let sets: [(&[Var], bool); 6] = [
            (&[Var(3), Var(2)], true),
            (&[Var(9)], true),
            (&[Var(7)], true),
            (&[Var(0)], false),
            (large, true),
            (&[Var(2), Var(3), Var(0)], false),
        ];
        for (of, kept_set, kept_power) in [
            (&sets[..], &[Var(7)][..], true),
            (&sets[3..4], &[Var(0)], false),
            (&sets[3..5], &[Var(2), Var(3), Var(8), Var(9)], true),
            (&sets[5..], &[Var(0), Var(2), Var(3)], false),
        ] {
            for start in 0..of.len() {
                let recorder = Recorder::new(10, false, |_, _| false);
                for (given, has_power) in (0..of.len()).map(|i| of[(start + i) % of.len()]) {
                    recorder.note(x, y, given, has_power);
                    recorder.note(y, x, given, has_power);
                }
                let evidence = recorder.take(|_, _| true);
                let kept = evidence.separation(x, y).unwrap();
                assert_eq!((kept.given.as_slice(), kept.has_power), (kept_set, kept_power));
                assert_eq!(evidence.len(), 1);
                assert!(recorder.take(|_, _| true).is_empty());
            }
        }
    }

    #[test]
    fn of_what_several_places_noted_the_set_that_says_most_is_kept() {
        let place = |given: &[u32], has_power| {
            let mut evidence = Evidence::default();
            let given: Vec<Var> = given.iter().copied().map(Var).collect();
            evidence.note(Var(1), Var(4), &given, None, has_power);
            evidence
        };
        let mut other = Evidence::default();
        other.note(Var(2), Var(0), &[Var(5)], None, true);
        let places =
            [place(&[7], false), place(&[2, 3], true), place(&[2, 5], true), place(&[2, 3], true), other];
        for start in 0..places.len() {
            let joined =
                Evidence::joined((0..places.len()).map(|i| places[(start + i) % places.len()].clone()));
            assert_eq!(joined.len(), 2);
            let kept = joined.separation(Var(4), Var(1)).unwrap();
            assert_eq!((kept.given.as_slice(), kept.has_power), (&[Var(2), Var(3)][..], true));
            assert_eq!(joined.separation(Var(0), Var(2)).unwrap().given.as_slice(), [Var(5)]);
        }
    }

    #[test]
    fn a_pair_that_needs_no_set_is_not_noted() {
        let recorder = Recorder::new(5, true, |x, y| (x, y) == (Var(1), Var(3)));
        let noted = |keep: &(dyn Fn(Var, Var) -> bool + Sync)| -> Vec<(Var, Var)> {
            recorder.take(keep).iter().map(|(x, y, _)| (x, y)).collect()
        };
        for round in 0..3 {
            recorder.note(Var(3), Var(1), &[Var(0)], true);
            recorder.note(Var(3), Var(4), &[Var(0)], true);
            recorder.note(Var(0), Var(4), &[Var(1), Var(2), Var(3)], true);
            assert_eq!(recorder.needs_a_set(Var(3), Var(1)), Some(false));
            assert_eq!(recorder.needs_a_set(Var(4), Var(3)), Some(true));
            match round {
                0 => assert_eq!(noted(&|_, _| true), [(Var(0), Var(4)), (Var(3), Var(4))]),
                1 => assert_eq!(noted(&|x, _| x == Var(3)), [(Var(3), Var(4))]),
                _ => assert_eq!(noted(&|x, _| x == Var(0)), [(Var(0), Var(4))]),
            }
        }
    }
}
