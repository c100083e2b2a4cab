//! The sum of the values of all nodes, updated after a change without adding everything up.

use crate::data::Var;

/// A sum that is always the same function of its terms, whatever their history: a tree in which every node
/// is the sum of its two children. If sums are exact, as for all scores on data, it equals the plain sum to
/// the last bit.
#[derive(Debug, Clone)]
pub(super) struct Total {
    /// The root is at 1, the children of i are 2i and 2i + 1, and the terms begin at half of the
    /// length.
    sums: Vec<f64>,
}

impl Total {
    pub(super) fn new(terms: impl ExactSizeIterator<Item = f64>) -> Total {
        let leaves = terms.len().max(1);
        let mut sums = vec![0.0; leaves];
        sums.extend(terms);
        sums.resize(2 * leaves, 0.0);
        for i in (1..leaves).rev() {
            sums[i] = sums[2 * i] + sums[2 * i + 1];
        }
        Total { sums }
    }

    pub(super) fn sum(&self) -> f64 {
        self.sums[1]
    }

    /// Changes a term.
    pub(super) fn set(&mut self, v: Var, term: f64) {
        let mut i = self.sums.len() / 2 + v.index();
        if self.sums[i].to_bits() == term.to_bits() {
            return;
        }
        self.sums[i] = term;
        while i > 1 {
            i /= 2;
            self.sums[i] = self.sums[2 * i] + self.sums[2 * i + 1];
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn follows_every_change(
            terms in prop::collection::vec(-1000i32..1000, 0..40),
            changes in prop::collection::vec((0usize..40, -1000i32..1000), 0..40),
        ) {
            let mut terms: Vec<f64> = terms.into_iter().map(f64::from).collect();
            let mut total = Total::new(terms.iter().copied());
            prop_assert_eq!(total.sum(), terms.iter().sum::<f64>());
            for (place, term) in changes.into_iter().filter(|c| c.0 < terms.len()).collect::<Vec<_>>() {
                terms[place] = f64::from(term);
                total.set(Var::new(place), terms[place]);
                prop_assert_eq!(total.sum(), terms.iter().sum::<f64>());
            }
        }
    }
}
