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
