//! Evidence: what separated two variables.
//!
//! While a learner asks its questions, [`Independence`](super::Independence) notes for each pair the
//! non-empty set that separated it; its outcome is found again by one test when somebody asks. Pairs that are independent given nothing are not
//! noted: that test is cheap to make again. Of several sets the one that is kept does not depend on the
//! order in which they came, so neither on the number of threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::CiTest;
use super::outcome::Outcome;
use crate::data::Var;

/// A set that separated two variables, and the outcome of the test.
#[derive(Debug, Clone, PartialEq)]
pub struct Separation {
    /// The set, in order.
    pub given: SmallVec<[Var; 2]>,
    /// The outcome; none until it is asked for, see [`Evidence::with_outcomes`].
    pub outcome: Option<Outcome>,
    /// Whether the test had power. Without it independence is assumed, not shown.
    pub has_power: bool,
}

impl Separation {
    /// The set that separated two variables, and the outcome of the test.
    pub fn new(given: &[Var], outcome: Outcome) -> Separation {
        separation(given, Some(outcome), outcome.has_power)
    }

    /// A test with power says more than one without, a small set more than a large one; the rest is
    /// decided by name.
    fn says_more(&self, other: &Separation) -> bool {
        self.cmp_says(other).is_lt()
    }

    /// The one that says most first.
    fn cmp_says(&self, other: &Separation) -> std::cmp::Ordering {
        let key = |s: &Separation| (!s.has_power, s.given.len());
        key(self).cmp(&key(other)).then_with(|| self.given.cmp(&other.given))
    }
}

/// What separated which pairs, by the smaller variable of the pair and then by the larger.
///
/// ```
/// use ossature::ci::{Evidence, Outcome};
/// use ossature::Var;
///
/// let mut evidence = Evidence::default();
/// evidence.note(Var(5), Var(2), &[Var(7)], Some(Outcome::chi_square(0.3, 1.0)), true);
/// let separation = evidence.separation(Var(2), Var(5)).unwrap();
/// assert_eq!(separation.given.as_slice(), [Var(7)]);
/// assert!(evidence.separation(Var(2), Var(7)).is_none());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    /// In the order of the pairs.
    separations: Vec<((Var, Var), Separation)>,
}

impl Evidence {
    /// What separated X and Y, in either order.
    pub fn separation(&self, x: Var, y: Var) -> Option<&Separation> {
        let place = self.place(x, y).ok()?;
        Some(&self.separations[place].1)
    }

    /// Every pair with what separated it, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Var, Var, &Separation)> {
        self.separations.iter().map(|((x, y), separation)| (*x, *y, separation))
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.separations.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.separations.is_empty()
    }

    /// The evidence of these pairs, each of which is there once, in any order.
    pub fn of(pairs: impl IntoIterator<Item = (Var, Var, Separation)>) -> Evidence {
        let pairs = pairs.into_iter().map(|(x, y, separation)| ((x.min(y), x.max(y)), separation));
        let mut separations: Vec<_> = pairs.collect();
        separations.sort_unstable_by_key(|(pair, _)| *pair);
        Evidence { separations }
    }

    /// Joins what was noted in several places: of several sets for a pair, the one that says most.
    #[must_use]
    pub fn joined(parts: impl IntoIterator<Item = Evidence>) -> Evidence {
        let mut separations: Vec<_> = parts.into_iter().flat_map(|part| part.separations).collect();
        separations
            .sort_by(|(pair, by), (other, other_by)| pair.cmp(other).then_with(|| by.cmp_says(other_by)));
        separations.dedup_by_key(|(pair, _)| *pair);
        Evidence { separations }
    }

    /// Notes what separated X and Y, in the place of what was noted of them before.
    pub fn note(&mut self, x: Var, y: Var, given: &[Var], outcome: Option<Outcome>, has_power: bool) {
        let separation = separation(given, outcome, has_power);
        match self.place(x, y) {
            Ok(place) => self.separations[place].1 = separation,
            Err(place) => self.separations.insert(place, ((x.min(y), x.max(y)), separation)),
        }
    }

    /// The pairs that `keep` accepts.
    #[must_use]
    pub fn filtered(mut self, keep: impl Fn(Var, Var) -> bool) -> Evidence {
        self.separations.retain(|((x, y), _)| keep(*x, *y));
        self.separations.shrink_to_fit();
        self
    }

    /// The same with the outcomes that are missing, by a test that gave them before.
    #[must_use]
    pub fn with_outcomes(mut self, test: &dyn CiTest) -> Evidence {
        self.separations.par_iter_mut().for_each(|((x, y), separation)| {
            separation.outcome.get_or_insert_with(|| test.test(*x, *y, &separation.given));
        });
        self
    }

    fn place(&self, x: Var, y: Var) -> Result<usize, usize> {
        self.separations.binary_search_by_key(&(x.min(y), x.max(y)), |(pair, _)| *pair)
    }
}

fn separation(given: &[Var], outcome: Option<Outcome>, has_power: bool) -> Separation {
    let mut given: SmallVec<[Var; 2]> = given.iter().copied().collect();
    given.sort_unstable();
    Separation { given, outcome, has_power }
}

/// Notes separations from many threads at once, without waiting: a place for each pair holds the set that
/// says most so far.
#[derive(Debug)]
pub(super) struct Recorder {
    n: usize,
    /// By pair, see [`place`](Recorder::place); [`Key::NONE`] where nothing is noted, [`Key::NEEDS_NO_SET`]
    /// where nothing need be.
    sets: Box<[AtomicU64]>,
    /// The sets of three variables and more, of which a place holds only the beginning.
    large: Mutex<FxHashMap<(Var, Var), Separation>>,
}

/// A set as a number: of two sets the one that says more has the smaller number. Power comes first, then the
/// size, then the variables in order, of which two fit.
struct Key;

impl Key {
    const NONE: u64 = u64::MAX;
    const NEEDS_NO_SET: u64 = 0;
    /// Bits for a variable.
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
    /// For `n` variables; pairs that are known to need no set are not noted.
    pub(super) fn new(n: usize, needs_no_set: impl Fn(Var, Var) -> bool) -> Recorder {
        let pairs = (0..n).flat_map(|x| (x + 1..n).map(move |y| (Var::new(x), Var::new(y))));
        let start = |(x, y)| if needs_no_set(x, y) { Key::NEEDS_NO_SET } else { Key::NONE };
        Recorder { n, sets: pairs.map(start).map(AtomicU64::new).collect(), large: Mutex::default() }
    }

    /// Where the pair x < y is: before the pairs of x come those of the variables before it.
    fn place(&self, x: Var, y: Var) -> usize {
        let (x, y) = (x.min(y).index(), x.max(y).index());
        x * (2 * self.n - x - 1) / 2 + y - x - 1
    }

    /// Notes that a set separates X and Y.
    pub(super) fn note(&self, x: Var, y: Var, given: &[Var], has_power: bool) {
        let slot = &self.sets[self.place(x, y)];
        let known = slot.load(Ordering::Relaxed);
        if known == Key::NEEDS_NO_SET || Key::size(known) < given.len() && Key::has_power(known) {
            return; // most of what is noted twice
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

    /// What has been noted since this was last asked for.
    pub(super) fn take(&self) -> Evidence {
        let mut large = std::mem::take(&mut *self.large.lock().unwrap_or_else(PoisonError::into_inner));
        let mut separations = Vec::new();
        let pairs = (0..self.n).flat_map(|x| (x + 1..self.n).map(move |y| (Var::new(x), Var::new(y))));
        for (pair, slot) in pairs.zip(&self.sets) {
            let key = slot.load(Ordering::Relaxed);
            if key == Key::NONE || key == Key::NEEDS_NO_SET {
                continue;
            }
            slot.store(Key::NONE, Ordering::Relaxed);
            let separation = match Key::size(key) {
                1 | 2 => {
                    let given = (0..Key::size(key) as u32).map(|i| Key::var(key, i)).collect();
                    Separation { given, outcome: None, has_power: Key::has_power(key) }
                }
                _ => large.remove(&pair).expect("a large set is kept whole"),
            };
            separations.push((pair, separation));
        }
        Evidence { separations }
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
                let recorder = Recorder::new(10, |_, _| false);
                for (given, has_power) in (0..of.len()).map(|i| of[(start + i) % of.len()]) {
                    recorder.note(x, y, given, has_power);
                    recorder.note(y, x, given, has_power);
                }
                let evidence = recorder.take();
                let kept = evidence.separation(x, y).unwrap();
                assert_eq!((kept.given.as_slice(), kept.has_power), (kept_set, kept_power));
                assert_eq!(evidence.len(), 1);
                assert!(recorder.take().is_empty());
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
        let recorder = Recorder::new(5, |x, y| (x, y) == (Var(1), Var(3)));
        recorder.note(Var(3), Var(1), &[Var(0)], true);
        recorder.note(Var(3), Var(4), &[Var(0)], true);
        let noted: Vec<(Var, Var)> = recorder.take().iter().map(|(x, y, _)| (x, y)).collect();
        assert_eq!(noted, [(Var(3), Var(4))]);
    }
}
