//! Subsets of a set, one at a time.

use smallvec::SmallVec;

use crate::data::{Var, VarSet};

/// All subsets of `of` with at most `max` members, by increasing size and within a size in the order
/// of the members, the empty set first.
///
/// The subsets are made when they are asked for, so that a set of sixty members costs nothing until
/// one has really looked at its subsets.
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

/// The subsets of `of` with exactly so many members, in order; none if it has fewer itself.
pub(super) fn subsets_of_size(of: &[Var], size: usize) -> Subsets<'_> {
    // Where there is none, the enumeration begins at its end.
    let (places, started) = if size <= of.len() { (0..size, false) } else { (0..0, true) };
    let places: SmallVec<[usize; 8]> = places.collect();
    let members = places.iter().map(|&p| of[p]).collect();
    Subsets { of, max: places.len(), places, members, started }
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
    /// The next subset; it is valid until the one after it is asked for.
    pub fn next(&mut self) -> Option<&[Var]> {
        if !std::mem::replace(&mut self.started, true) {
            return Some(&self.members);
        }
        let (n, size) = (self.of.len(), self.places.len());
        // The last place that can still move on; those after it follow it.
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
}

/// What a look at a subset gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// It is the one: no further subset is looked at.
    Found,
    /// It is not.
    Answered,
    /// No test given it had power.
    NoPower,
}

/// The first subset in the order of [`subsets`] that is the one looked for.
///
/// Where no test of a size has power, none of a larger size has: the search ends there, so that a set
/// of sixty members and few rows has an end.
pub(super) fn find_subset(of: &[Var], max: usize, mut look: impl FnMut(&[Var]) -> Look) -> Option<VarSet> {
    let mut all = subsets(of, max);
    let (mut size, mut answered) = (0, false);
    while let Some(z) = all.next() {
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
            // One set of each size has power, but none of three.
            if z.len() < 3 && z.iter().all(|v| v.0 < 2) { Look::Answered } else { Look::NoPower }
        });
        assert_eq!((found, looks), (None, 1 + 60 + 60 * 59 / 2 + 60 * 59 * 58 / 6));
        let found = find_subset(&of, 60, |z| if z.len() == 2 { Look::Found } else { Look::Answered });
        assert_eq!(found, Some([Var(0), Var(1)].into_iter().collect()));
    }
}
