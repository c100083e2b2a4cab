//! Intervals that are informative about a target: U. M. Fayyad and K. B. Irani, Multi-interval discretization of
//! continuous-valued attributes for classification learning, IJCAI 1993.
//!
//! The rows are split where the entropy of the target falls most, and both parts are split again, as long as the
//! gain exceeds the cost of describing the split (minimum description length).

use super::discretise::{between, xlogx};
use super::joint::MISSING;

/// The number of rows of each level of the target, up to each of the distinct values in increasing order.
struct TargetCounts {
    values: Vec<f64>,
    /// The counts of all levels for no value, for the first, for the first two, and so on.
    up_to: Vec<u32>,
    levels: usize,
}

/// The cuts of numbers (NaN is missing) that are informative about the codes of a target.
pub(super) fn cuts(numbers: &[f64], target: &[u32]) -> Vec<f64> {
    let counts = TargetCounts::new(numbers, target);
    let mut found = Vec::new();
    let mut open = vec![(0, counts.values.len())];
    while let Some((begin, end)) = open.pop() {
        if let Some(at) = counts.split(begin, end) {
            found.push(between(counts.values[at - 1], counts.values[at]));
            open.extend([(begin, at), (at, end)]);
        }
    }
    found.sort_unstable_by(f64::total_cmp);
    found
}

impl TargetCounts {
    fn new(numbers: &[f64], target: &[u32]) -> TargetCounts {
        let known = |(x, code): &(f64, u32)| !x.is_nan() && *code != MISSING;
        let mut rows: Vec<(f64, u32)> =
            numbers.iter().copied().zip(target.iter().copied()).filter(known).collect();
        rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let levels = rows.iter().map(|(_, code)| *code as usize + 1).max().unwrap_or_default();
        let mut counts = TargetCounts { values: Vec::new(), up_to: vec![0; levels], levels };
        for (x, code) in rows {
            if counts.values.last() != Some(&x) {
                counts.values.push(x);
                counts.up_to.extend_from_within(counts.up_to.len() - levels..);
            }
            let last = counts.up_to.len() - levels;
            counts.up_to[last + code as usize] += 1;
        }
        counts
    }

    /// The number of rows, the number of levels that occur, and the rows times the entropy, of the values
    /// in a range.
    fn part(&self, begin: usize, end: usize) -> (f64, f64, f64) {
        let row = |place: usize| &self.up_to[place * self.levels..][..self.levels];
        let (mut rows, mut occur, mut sum) = (0, 0, 0.0);
        for (after, before) in row(end).iter().zip(row(begin)) {
            let n = after - before;
            rows += n;
            occur += u32::from(n > 0);
            sum += xlogx(n);
        }
        (f64::from(rows), f64::from(occur), xlogx(rows) - sum)
    }

    /// Where to split the values in a range, if it is worth it: the first of the best positions.
    fn split(&self, begin: usize, end: usize) -> Option<usize> {
        let left_over = |at: usize| self.part(begin, at).2 + self.part(at, end).2;
        // Entropies that differ by less are equal: what is left is rounding.
        let tie = 1e-12 * self.part(begin, end).0;
        let mut best: Option<(usize, f64)> = None;
        for at in begin + 1..end {
            let left = left_over(at);
            if best.is_none_or(|(_, least)| left < least - tie) {
                best = Some((at, left));
            }
        }
        let (at, left) = best?;
        let ((rows, k, whole), (n1, k1, part1), (n2, k2, part2)) =
            (self.part(begin, end), self.part(begin, at), self.part(at, end));
        // All in natural logarithms: the criterion compares like with like. 3^k is large; it is not computed.
        let ln_3k_2 = k * libm::log(3.0) + libm::log1p(-2.0 * libm::exp(-k * libm::log(3.0)));
        let entropies = k * whole / rows - k1 * part1 / n1 - k2 * part2 / n2;
        let price = libm::log(rows - 1.0) + ln_3k_2 - entropies;
        (whole - left > price + tie).then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, with everything counted again each time.
    fn naive(rows: &[(f64, u32)]) -> Vec<f64> {
        let entropy = |rows: &[(f64, u32)]| -> f64 {
            let n = rows.len() as f64;
            let share = |c: u32| rows.iter().filter(|r| r.1 == c).count() as f64 / n;
            (0..4).map(share).filter(|p| *p > 0.0).map(|p| -p * p.log2()).sum()
        };
        let classes = |rows: &[(f64, u32)]| (0..4).filter(|c| rows.iter().any(|r| r.1 == *c)).count() as f64;
        let n = rows.len() as f64;
        let mut values: Vec<f64> = rows.iter().map(|r| r.0).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        let parts = |cut: f64| rows.iter().partition::<Vec<(f64, u32)>, _>(|r| r.0 < cut);
        let after = |cut: f64| {
            let (a, b) = parts(cut);
            (a.len() as f64 * entropy(&a) + b.len() as f64 * entropy(&b)) / n
        };
        let Some((cut, least)) = values
            .windows(2)
            .map(|w| (w[0] / 2.0 + w[1] / 2.0, after(w[1])))
            .reduce(|best, next| if next.1 < best.1 - 1e-12 { next } else { best })
        else {
            return Vec::new();
        };
        let (a, b) = parts(cut);
        let k = classes(rows);
        let delta = (3_f64.powf(k) - 2.0).log2()
            - (k * entropy(rows) - classes(&a) * entropy(&a) - classes(&b) * entropy(&b));
        if entropy(rows) - least <= ((n - 1.0).log2() + delta) / n {
            return Vec::new();
        }
        [naive(&a), vec![cut], naive(&b)].concat()
    }

    #[test]
    fn a_clear_border_is_found_and_noise_is_not_cut() {
        let numbers: Vec<f64> = (0..40).map(f64::from).collect();
        let target: Vec<u32> = (0..40).map(|i| u32::from(i >= 25)).collect();
        assert_eq!(cuts(&numbers, &target), [24.5]);
        let noise: Vec<u32> = (0..40).map(|i| u32::from(i % 2 == 0)).collect();
        assert!(cuts(&numbers, &noise).is_empty());
        assert!(cuts(&[1.0; 9], &[0, 1, 0, 1, 0, 1, 0, 1, 0]).is_empty());
        assert!(cuts(&[], &[]).is_empty());
        // A target of one level gains nothing, and its price is 0 but for rounding.
        assert!(cuts(&[0.0, 16.0], &[2, 2]).is_empty());
        // What is missing on either side does not count.
        let mut holes = numbers.clone();
        holes[3] = f64::NAN;
        let mut gaps = target.clone();
        gaps[30] = MISSING;
        assert_eq!(cuts(&holes, &gaps), [24.5]);
    }

    proptest! {
        #[test]
        fn it_is_the_definition_in_any_order(
            mut rows in prop::collection::vec((0_i8..30, 0_u32..4, 0_u8..10), 2..120),
        ) {
            // A target that the number tells of, mostly.
            let rows: Vec<(f64, u32)> = {
                rows.iter_mut().for_each(|r| if r.2 > 2 { r.1 = (r.0 / 8) as u32 });
                rows.iter().map(|r| (f64::from(r.0), r.1)).collect()
            };
            let split = |rows: &[(f64, u32)]| -> (Vec<f64>, Vec<u32>) { rows.iter().copied().unzip() };
            let (numbers, target) = split(&rows);
            let found = cuts(&numbers, &target);
            prop_assert_eq!(&found, &naive(&rows));
            let (numbers, target) = split(&rows.iter().rev().copied().collect::<Vec<_>>());
            prop_assert_eq!(cuts(&numbers, &target), found);
        }
    }
}
