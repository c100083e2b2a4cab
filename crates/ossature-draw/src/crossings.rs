//! Counting crossings of edges between two layers.

/// The number of crossings between positions on the left and on the right; both are sorted.
pub(crate) fn inversions(left: &[usize], right: &[usize]) -> usize {
    let mut smaller = 0;
    let mut count = 0;
    for &l in left {
        while smaller < right.len() && right[smaller] < l {
            smaller += 1;
        }
        count += smaller;
    }
    count
}

/// Counts numbers and tells how many were greater than a given one, each in logarithmic time.
pub(crate) struct Tally {
    sums: Vec<usize>,
    total: usize,
}

impl Tally {
    pub(crate) fn new(n: usize) -> Tally {
        Tally { sums: vec![0; n + 1], total: 0 }
    }

    pub(crate) fn add(&mut self, number: usize) {
        self.total += 1;
        let mut i = number + 1;
        while i < self.sums.len() {
            self.sums[i] += 1;
            i += i & i.wrapping_neg();
        }
    }

    pub(crate) fn above(&self, number: usize) -> usize {
        let mut i = number + 1;
        let mut up_to = 0;
        while i > 0 {
            up_to += self.sums[i];
            i &= i - 1;
        }
        self.total - up_to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_places_do_not_cross() {
        assert_eq!(inversions(&[0, 2, 2], &[1, 2]), 2);
        assert_eq!(inversions(&[1, 2], &[0, 2, 2]), 2);
        assert_eq!(inversions(&[], &[0]), 0);
    }

    #[test]
    fn the_tally_counts_what_is_greater() {
        let mut tally = Tally::new(8);
        [7, 3, 3, 0].into_iter().for_each(|number| tally.add(number));
        assert_eq!([0, 2, 3, 6, 7].map(|number| tally.above(number)), [3, 3, 1, 1, 0]);
    }
}
