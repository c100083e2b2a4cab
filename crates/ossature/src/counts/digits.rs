//! Weighted rows by the binary digits of their weights, so that bitmaps can count them.
//!
//! A row of weight 5 counts once among the rows that have the digit 4 and once among those that have the digit 1. The
//! rows of each digit count equally and are bitmaps like those of rows without weights. Counts are made of the highest
//! digit first, and doubled before those of the next are added.

use std::sync::OnceLock;

use super::bits::BitColumn;
use super::observed::Coded;
use super::simd::Simd;
use crate::data::Var;

/// The rows that have each binary digit in their weight, the highest digit first.
#[derive(Debug)]
pub(super) struct WeightDigits {
    digits: Vec<Vec<u32>>,
    /// The bitmaps of each variable for each digit, made on first use.
    columns: Box<[OnceLock<Vec<BitColumn>>]>,
}

impl WeightDigits {
    /// The digits of these weights, for rows of some variables.
    pub(super) fn new(weights: &[u32], variables: usize) -> WeightDigits {
        let highest = weights.iter().max().map_or(0, |most| u32::BITS - most.leading_zeros());
        let rows = |digit: u32| -> Vec<u32> {
            (0..).zip(weights).filter(|(_, weight)| *weight >> digit & 1 == 1).map(|(row, _)| row).collect()
        };
        let digits = (0..highest).rev().map(rows).collect();
        WeightDigits { digits, columns: (0..variables).map(|_| OnceLock::new()).collect() }
    }

    /// The number of rows of all digits.
    pub(super) fn rows(&self) -> usize {
        self.digits.iter().map(Vec::len).sum()
    }

    /// The number of rows of each digit, the highest first.
    pub(super) fn runs(&self) -> Vec<usize> {
        self.digits.iter().map(Vec::len).collect()
    }

    /// The bitmaps of a variable for each digit.
    pub(super) fn bits(&self, simd: Simd, v: Var, column: Coded<'_>) -> &[BitColumn] {
        self.columns[v.index()].get_or_init(|| {
            let totals = vec![0; column.levels];
            let bits =
                |rows: &Vec<u32>| BitColumn::new(simd, &column.codes.select(rows), &totals, column.has_gaps);
            self.digits.iter().map(bits).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::counter::Counter;
    use super::super::kept_tables::count_and_keep;
    use super::super::strata::Scratch;
    use super::*;
    use crate::counts::{LogTerms, NLogN, Sweep};
    use crate::data::{Column, Dataset, Variable};
    use crate::random::mix;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]
        #[test]
        fn digits_are_counted_as_weighted_rows_are(levels in prop::array::uniform4(1usize..5), seed: u64, most in 2u64..300) {
            // As many as are needed for tables to be kept; if all weights were 1 there would be no digits.
            let rows = 1u64 << 15;
            let columns = levels.iter().enumerate().map(|(v, &levels)| {
                let name = Variable::new(format!("v{v}"), (0..levels).map(|level| level.to_string())).unwrap();
                let code = |row| (mix(seed, &[v as u64, row]) % 23 % levels as u64) as u16;
                (name, Column::from_codes((0..rows).map(code), levels))
            });
            let weight = |row| 1 + (mix(seed, &[9, row]) % most) as u32;
            let data = Dataset::new(columns.collect()).unwrap();
            let data = data.with_weights((0..rows).map(weight).collect()).unwrap();
            let (weighted, counter) = (Counter::new(&data), Counter::new(&data).with_digits());
            let digits = counter.digits().unwrap();
            prop_assert_eq!(digits.runs().iter().fold(0, |sum, run| 2 * sum + run), data.total());
            let (f, [a, b, c, d]) = (NLogN::new(data.total()), [0, 1, 2, 3].map(Var));
            let mut scratch = Scratch::default();
            for z in [&[][..], &[c], &[c, d]] {
                let sweep = Sweep { target: b, candidates: &[a], given: z };
                count_and_keep(&counter, &[sweep], &mut scratch.in_parts, &mut scratch.kept_tables);
                let vars = [&[a, b], z].concat().into_iter().collect();
                let found = scratch.kept_tables.log_terms(&counter, &vars, a, b, &f);
                prop_assert_eq!(found, Some(weighted.count(a, b, z, |counts| LogTerms::of(counts, &f))));
            }
        }
    }
}
