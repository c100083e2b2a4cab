//! Subsets of a set, one at a time.

use smallvec::SmallVec;

use crate::data::{Var, VarSet};

/// All subsets of `of` with at most `max` members, by increasing size and, within a size, in the order of the
/// members. The empty set comes first.
///
/// Subsets are made on demand, so a set of sixty members costs nothing until its subsets are used.
///
/// ```
/// use ossature::{Var, local::subsets};
///
/// let mut sizes = Vec::new();
/// let mut all = subsets(&[Var(3), Var(5), Var(8)], 2);
/// while let Some(z) = all.next() {
///     sizes.push(z.len());
/// }
/// assert_eq!(sizes, [0, 1, 1, 1, 2, 2, 2]);
/// ```
pub fn subsets(of: &[Var], max: usize) -> Subsets<'_> {
    Subsets { of, max: max.min(of.len()), places: SmallVec::new(), members: SmallVec::new(), started: false }
}

/// The subsets of `of` with exactly `size` members, in order.
pub(super) fn subsets_of_size(of: &[Var], size: usize) -> Subsets<'_> {
    // If there is no such subset, the enumeration starts at its end.
    let (places, started) = if size <= of.len() { (0..size, false) } else { (0..0, true) };
    let places: SmallVec<[usize; 8]> = places.collect();
    let members = places.iter().map(|&p| of[p]).collect();
    Subsets { of, max: places.len(), places, members, started }
}

/// The number of subsets of the given size of a set of `members` members; `u64::MAX` if it does not fit.
pub(super) fn number_of_subsets(members: usize, size: usize) -> u64 {
    if size > members {
        return 0;
    }
    // After each factor the value is a binomial coefficient, so the divisions are exact.
    let times = |n: u128, i: usize| n.checked_mul((members - i) as u128).map(|n| n / (i as u128 + 1));
    let number = (0..size.min(members - size)).try_fold(1, times);
    number.and_then(|n| u64::try_from(n).ok()).unwrap_or(u64::MAX)
}

/// See [`subsets`].
#[derive(Debug, Clone)]
pub struct Subsets<'a> {
    of: &'a [Var],
    max: usize,
    places: SmallVec<[usize; 8]>,
    members: SmallVec<[Var; 8]>,
    started: bool,
}

impl Subsets<'_> {
    /// The next subset. It is valid until the next call.
    pub fn next(&mut self) -> Option<&[Var]> {
        if !std::mem::replace(&mut self.started, true) {
            return Some(&self.members);
        }
        let (n, size) = (self.of.len(), self.places.len());
        // The last place that can still advance; the places after it follow it.
        match (0..size).rev().find(|&i| self.places[i] < n - size + i) {
            Some(i) => {
                self.places[i] += 1;
                for j in i + 1..size {
                    self.places[j] = self.places[j - 1] + 1;
                }
            }
            None if size == self.max => return None,
            None => self.places = (0..=size).collect(),
        }
        self.members = self.places.iter().map(|&p| self.of[p]).collect();
        Some(&self.members)
    }

    /// The members of this subset and of those that come next, if it is the first of many that begin alike: the
    /// beginning, and all that may follow.
    fn ahead(&self) -> Option<impl Iterator<Item = Var>> {
        let (n, size) = (self.of.len(), self.places.len());
        // The places after the one that advanced follow it.
        let run = (1..size).rev().take_while(|&i| self.places[i] == self.places[i - 1] + 1).count();
        let (begin, end) = self.members.split_at(size - run);
        let next = self.places.get(begin.len())?;
        (number_of_subsets(n - next, end.len()) >= MANY)
            .then(|| begin.iter().copied().chain(self.of[*next..].iter().copied()))
    }
}

/// Fewer subsets that begin alike are not announced.
const MANY: u64 = 16;

/// The result of examining a subset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// This is the subset sought; the search ends.
    Found,
    /// This is not the subset sought.
    Answered,
    /// No test given this subset had power.
    NoPower,
}

/// The first subset, in the order of [`subsets`], for which `look` returns [`Look::Found`].
///
/// If no test of a size has power, none of a larger size has, so the search ends there. This keeps the search
/// finite in practice for a set of sixty members and few rows.
pub(super) fn find_subset(of: &[Var], max: usize, look: impl FnMut(&[Var]) -> Look) -> Option<VarSet> {
    find_subset_foreseen(of, max, |_| {}, look)
}

/// [`find_subset`], which announces from time to time that the next subsets have only some of the members.
pub(super) fn find_subset_foreseen(
    of: &[Var],
    max: usize,
    mut foresee: impl FnMut(VarSet),
    mut look: impl FnMut(&[Var]) -> Look,
) -> Option<VarSet> {
    let mut all = subsets(of, max);
    let (mut size, mut answered) = (0, false);
    while all.next().is_some() {
        all.ahead().into_iter().for_each(|ahead| foresee(ahead.collect()));
        let z = &all.members[..];
        if z.len() > size {
            if !answered {
                return None;
            }
            (size, answered) = (z.len(), false);
        }
        match look(z) {
            Look::Found => return Some(z.iter().copied().collect()),
            Look::Answered => answered = true,
            Look::NoPower => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_subset_comes_once_and_the_small_ones_first() {
        for n in 0..8u32 {
            let of: Vec<Var> = (0..n).map(|i| Var(2 * i)).collect();
            for max in 0..10 {
                let mut seen = BTreeSet::new();
                let mut size = 0;
                let mut all = subsets(&of, max);
                while let Some(z) = all.next() {
                    assert!(z.len() >= size && z.is_sorted() && seen.insert(z.to_vec()));
                    size = z.len();
                }
                let expected = (0..1u32 << n).filter(|bits| bits.count_ones() as usize <= max).count();
                assert_eq!(seen.len(), expected, "{n} {max}");
                assert!(all.next().is_none());
            }
        }
    }

    #[test]
    fn those_of_one_size_are_those_among_all() {
        let of: Vec<Var> = (0..6).map(|i| Var(3 * i)).collect();
        let collect = |mut sets: Subsets<'_>| {
            let mut found = Vec::new();
            while let Some(z) = sets.next() {
                found.push(z.to_vec());
            }
            found
        };
        for size in 0..8 {
            let all = collect(subsets(&of, of.len()));
            let expected: Vec<_> = all.into_iter().filter(|z| z.len() == size).collect();
            assert_eq!(collect(subsets_of_size(&of, size)), expected, "{size}");
        }
        assert_eq!(collect(subsets_of_size(&[], 0)), [Vec::<Var>::new()]);
    }

    #[test]
    fn a_large_set_costs_nothing_until_it_is_looked_at() {
        let of: Vec<Var> = (0..60).map(Var).collect();
        let mut all = subsets(&of, 60);
        for _ in 0..1000 {
            assert!(all.next().is_some());
        }
    }

    #[test]
    fn a_search_ends_after_a_size_without_power() {
        let of: Vec<Var> = (0..60).map(Var).collect();
        let mut looks = 0;
        let found = find_subset(&of, 60, |z| {
            looks += 1;
            // One set of each size has power, but none of size three.
            if z.len() < 3 && z.iter().all(|v| v.0 < 2) { Look::Answered } else { Look::NoPower }
        });
        assert_eq!((found, looks), (None, 1 + 60 + 60 * 59 / 2 + 60 * 59 * 58 / 6));
        let found = find_subset(&of, 60, |z| if z.len() == 2 { Look::Found } else { Look::Answered });
        assert_eq!(found, Some([Var(0), Var(1)].into_iter().collect()));
    }

    #[test]
    fn what_is_announced_has_the_members_of_all_subsets_until_the_next_is() {
        for (n, max) in [(7, 7), (12, 4), (9, 6)] {
            let of: Vec<Var> = (0..n).map(Var).collect();
            let (mut all, mut announced, mut in_it) = (subsets(&of, max), Vec::new(), 0);
            while all.next().is_some() {
                if let Some(ahead) = all.ahead() {
                    announced = ahead.collect();
                    in_it = 0;
                }
                in_it += u64::from(all.members.iter().all(|v| announced.contains(v)));
                let size = all.members.len();
                assert!(announced.is_empty() || size < 3 || in_it > 0 || announced.len() < of.len());
            }
            assert!(!announced.is_empty() && announced.len() < of.len());
        }
    }

    #[test]
    fn they_are_counted_without_making_them() {
        for n in 0..9u32 {
            let of: Vec<Var> = (0..n).map(Var).collect();
            for size in 0..10 {
                let mut all = subsets_of_size(&of, size);
                let made = std::iter::from_fn(|| all.next().map(|_| ())).count() as u64;
                assert_eq!(number_of_subsets(n as usize, size), made, "{size} of {n}");
            }
        }
        assert_eq!(number_of_subsets(60, 30), 118_264_581_564_861_424);
        assert_eq!(number_of_subsets(5000, 2000), u64::MAX);
    }
}
