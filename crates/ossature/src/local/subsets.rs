//! Subsets of a set, one at a time.

use smallvec::SmallVec;

use crate::data::Var;

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
            return Some(&[]);
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
    fn a_large_set_costs_nothing_until_it_is_looked_at() {
        let of: Vec<Var> = (0..60).map(Var).collect();
        let mut all = subsets(&of, 60);
        for _ in 0..1000 {
            assert!(all.next().is_some());
        }
    }
}
