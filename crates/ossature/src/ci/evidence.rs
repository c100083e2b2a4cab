//! Evidence: what separated two variables.
//!
//! While a learner asks its questions, [`Independence`](super::Independence) notes for each pair that a
//! non-empty set separated the set and the outcome. Pairs that are independent given nothing are not
//! noted: that test is cheap to make again. Of several sets the one that is kept does not depend on the
//! order in which they came, so neither on the number of threads.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::outcome::Outcome;
use crate::data::Var;

/// A set that separated two variables, and the outcome of the test.
#[derive(Debug, Clone, PartialEq)]
pub struct Separation {
    /// The set, in order.
    pub given: SmallVec<[Var; 2]>,
    /// The outcome; none where only the verdict was asked for.
    pub outcome: Option<Outcome>,
    /// Whether the test had power. Without it independence is assumed, not shown.
    pub has_power: bool,
}

impl Separation {
    /// A test with power says more than one without, a small set more than a large one; the rest is
    /// decided by name.
    fn says_more(&self, other: &Separation) -> bool {
        let key = |s: &Separation| (!s.has_power, s.given.len());
        key(self).cmp(&key(other)).then_with(|| self.given.cmp(&other.given)).is_lt()
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

    /// Notes what separated X and Y, in the place of what was noted of them before.
    pub fn note(&mut self, x: Var, y: Var, given: &[Var], outcome: Option<Outcome>, has_power: bool) {
        let separation = separation(given, outcome, has_power);
        match self.place(x, y) {
            Ok(place) => self.separations[place].1 = separation,
            Err(place) => self.separations.insert(place, ((x.min(y), x.max(y)), separation)),
        }
    }

    /// The pairs that `keep` accepts, with the outcomes that are missing found by `test`.
    #[must_use]
    pub fn completed(
        mut self,
        keep: impl Fn(Var, Var) -> bool,
        test: impl Fn(Var, Var, &[Var]) -> Outcome,
    ) -> Evidence {
        self.separations.retain(|((x, y), _)| keep(*x, *y));
        for ((x, y), separation) in &mut self.separations {
            separation.outcome.get_or_insert_with(|| test(*x, *y, &separation.given));
        }
        self.separations.shrink_to_fit();
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

/// Separations by pair.
type Noted = FxHashMap<(Var, Var), Separation>;

/// Notes separations from many threads at once.
#[derive(Debug)]
pub(super) struct Recorder {
    shards: Box<[Mutex<Noted>]>,
}

const SHARDS: usize = 64;

impl Recorder {
    pub(super) fn new() -> Recorder {
        Recorder { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }

    pub(super) fn note(&self, x: Var, y: Var, given: &[Var], outcome: Option<Outcome>, has_power: bool) {
        let new = separation(given, outcome, has_power);
        let pair = (x.min(y), x.max(y));
        let shard = &self.shards[(pair.0.index() ^ pair.1.index().wrapping_mul(7)) % SHARDS];
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let known = shard.entry(pair).or_insert_with(|| new.clone());
        if new.says_more(known) {
            *known = new;
        } else if known.outcome.is_none() && new.given == known.given {
            known.outcome = new.outcome;
        }
    }

    /// What has been noted; nothing is noted any more.
    pub(super) fn take(&self) -> Evidence {
        let mut separations = Vec::new();
        for shard in &self.shards {
            separations.extend(shard.lock().unwrap_or_else(PoisonError::into_inner).drain());
        }
        separations.sort_unstable_by_key(|(pair, _)| *pair);
        Evidence { separations }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_does_not_depend_on_the_order_in_which_it_came() {
        let (x, y) = (Var(4), Var(1));
        let sets: [(&[Var], bool); 4] =
            [(&[Var(2), Var(3)], true), (&[Var(9)], true), (&[Var(7)], true), (&[Var(0)], false)];
        for start in 0..sets.len() {
            let recorder = Recorder::new();
            for (given, has_power) in (0..sets.len()).map(|i| sets[(start + i) % sets.len()]) {
                recorder.note(x, y, given, None, has_power);
            }
            recorder.note(y, x, &[Var(7)], Some(Outcome::chi_square(1.0, 2.0)), true);
            let evidence = recorder.take();
            let kept = evidence.separation(x, y).unwrap();
            assert_eq!((kept.given.as_slice(), kept.has_power), ([Var(7)].as_slice(), true));
            assert_eq!(kept.outcome, Some(Outcome::chi_square(1.0, 2.0)));
        }
    }
}
