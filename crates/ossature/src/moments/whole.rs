//! Columns of whole numbers, whose sums of products are exact.
#![allow(unsafe_code)] // one body for every kind of processor, see `multiversion`

use crate::counts::{Simd, multiversion};

/// The bits of a whole number without its sign. The exact sum of 2^31 products fits in 128 bits.
const BITS: i32 = 47;

/// The number of bits of the lower half of a whole number.
const LOW_BITS: u32 = 24;

/// The number of products of halves added before the sums are widened; each product is below 2^50.
const ROWS_BETWEEN_CARRIES: usize = 1 << 12;

/// A column of numbers as whole numbers: `centre` + whole · 2^`exponent`. The mean of the whole numbers is
/// subtracted from each.
#[derive(Debug, Clone)]
pub(super) struct WholeColumn {
    high: Vec<i32>,
    low: Vec<i32>,
    exponent: i32,
    /// The rounded mean of the whole numbers, which has been subtracted, and the remaining sum.
    mean: i64,
    rest: i64,
    centre: f64,
}

impl WholeColumn {
    /// Converts the numbers of a column. Missing ones are stored as 0 and do not enter any sum.
    pub(super) fn new(numbers: &[f64]) -> WholeColumn {
        let known = || numbers.iter().copied().filter(|x| !x.is_nan());
        let (least, most) =
            (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
        // Halves are used, because the sum or difference of large numbers may be infinite.
        let (centre, width) = (least / 2.0 + most / 2.0, most / 2.0 - least / 2.0);
        let mut column = WholeColumn {
            high: vec![0; numbers.len()],
            low: vec![0; numbers.len()],
            exponent: 0,
            mean: 0,
            rest: 0,
            centre,
        };
        if width.is_nan() || width <= 0.0 {
            return column; // at most one value
        }
        // Rounding may have moved the centre, so the range is a power of two above half the width.
        column.exponent = libm::ilogb(width) + 2 - BITS;
        let whole = |x: f64| libm::scalbn(x - centre, -column.exponent).round_ties_even() as i64;
        let (sum, count) =
            known().fold((0i128, 0i128), |(sum, count), x| (sum + i128::from(whole(x)), count + 1));
        column.mean = (2 * sum + count).div_euclid(2 * count) as i64; // to the nearest
        column.rest = (sum - i128::from(column.mean) * count) as i64;
        for (row, &x) in numbers.iter().enumerate().filter(|(_, x)| !x.is_nan()) {
            let value = whole(x) - column.mean;
            column.high[row] = (value >> LOW_BITS) as i32;
            column.low[row] = (value & ((1 << LOW_BITS) - 1)) as i32;
        }
        column
    }

    /// The whole number in a row, minus the mean.
    pub(super) fn value(&self, row: usize) -> i64 {
        (i64::from(self.high[row]) << LOW_BITS) + i64::from(self.low[row])
    }

    /// The exponent: the whole number 1 stands for 2 to this power in the column.
    pub(super) fn exponent(&self) -> i32 {
        self.exponent
    }

    /// The sum of the products with another column in a complete table, about the means.
    pub(super) fn product(&self, other: &WholeColumn, simd: Simd) -> i128 {
        let rows = self.high.len().max(1) as i128;
        self.sum_of_products(other, simd) - i128::from(self.rest) * i128::from(other.rest) / rows
    }

    /// The sum of the products with another column.
    pub(super) fn sum_of_products(&self, other: &WholeColumn, simd: Simd) -> i128 {
        let mut sums = [0i128; 3];
        for start in (0..self.high.len()).step_by(ROWS_BETWEEN_CARRIES) {
            let part = start..self.high.len().min(start + ROWS_BETWEEN_CARRIES);
            let (a, b) = (&self.high[part.clone()], &self.low[part.clone()]);
            let (c, d) = (&other.high[part.clone()], &other.low[part]);
            let here = half_products(simd, a, b, c, d);
            sums.iter_mut().zip(here).for_each(|(sum, here)| *sum += i128::from(here));
        }
        let [high, middle, low] = sums;
        (high << (2 * LOW_BITS)) + (middle << LOW_BITS) + low
    }

    /// The column with 0 in the rows where the mask is 0; rows with mask −1 stay.
    pub(super) fn masked(&self, mask: &[i32]) -> WholeColumn {
        let of = |half: &[i32]| half.iter().zip(mask).map(|(x, mask)| x & mask).collect();
        WholeColumn { high: of(&self.high), low: of(&self.low), ..*self }
    }

    /// The sum of the whole numbers.
    pub(super) fn sum(&self) -> i128 {
        let sum = |half: &[i32]| half.iter().map(|&x| i64::from(x)).sum::<i64>();
        (i128::from(sum(&self.high)) << LOW_BITS) + i128::from(sum(&self.low))
    }

    /// The mean of the numbers.
    pub(super) fn mean(&self, rows: usize) -> f64 {
        let rest = self.rest as f64 / rows as f64;
        self.centre + libm::scalbn(self.mean as f64 + rest, self.exponent)
    }
}

multiversion! {
    /// The sums of high · high, of high · low both ways, and of low · low.
    fn half_products(a: &[i32], b: &[i32], c: &[i32], d: &[i32]) -> [i64; 3] = half_products_loop
}

#[inline(always)]
fn half_products_loop(a: &[i32], b: &[i32], c: &[i32], d: &[i32]) -> [i64; 3] {
    let rows = a.len();
    let (b, c, d) = (&b[..rows], &c[..rows], &d[..rows]);
    let (mut high, mut middle, mut low) = (0i64, 0i64, 0i64);
    for row in 0..rows {
        let [a, b, c, d] = [a[row], b[row], c[row], d[row]].map(i64::from);
        high += a * c;
        middle += a * d + b * c;
        low += b * d;
    }
    [high, middle, low]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn naive(x: &WholeColumn, y: &WholeColumn) -> i128 {
        let rows = x.high.len();
        let sum: i128 = (0..rows).map(|row| i128::from(x.value(row)) * i128::from(y.value(row))).sum();
        sum - i128::from(x.rest) * i128::from(y.rest) / rows as i128
    }

    proptest! {
        #[test]
        fn products_are_exact(
            xs in prop::collection::vec((-1e6..1e6f64, -1e-3..1e-3f64), 1..6000),
            scale in prop::sample::select(vec![1e-300, 1e-9, 1.0, 1e9, 1e300]),
        ) {
            let x = WholeColumn::new(&xs.iter().map(|x| x.0 * scale).collect::<Vec<_>>());
            let y = WholeColumn::new(&xs.iter().map(|x| x.1 + x.0).collect::<Vec<_>>());
            for simd in [Simd::Portable, Simd::detect()] {
                prop_assert_eq!(x.product(&y, simd), naive(&x, &y));
            }
            let sum: i128 = (0..xs.len()).map(|row| i128::from(x.value(row))).sum();
            prop_assert!(sum.unsigned_abs() <= xs.len() as u128 / 2 + 1);
        }
    }

    #[test]
    fn the_ends_of_the_range_are_numbers_like_others() {
        let column = WholeColumn::new(&[-f64::MAX, f64::MAX, 0.0]);
        assert_eq!((column.value(0) + column.value(1), column.value(2)), (0, 0));
        assert_eq!(column.mean(3), 0.0);
        let tiny = WholeColumn::new(&[0.0, 1e-320]);
        assert!(tiny.value(1) > tiny.value(0));
        let constant = WholeColumn::new(&[7.0; 4]);
        assert_eq!((constant.value(0), constant.mean(4)), (0, 7.0));
    }
}
