//! X²: Pearson's statistic.

use super::outcome::Outcome;
use super::table_test::{Statistic, TestQuestion};
use crate::counts::Counts;

/// `x2` and, with adjusted degrees of freedom, `x2-adf`.
#[derive(Debug)]
pub(super) struct X2 {
    pub(super) adjusted: bool,
}

/// The scale of a fixed-point term, 44 binary places. The sum is over integers, so its order does not matter.
const PLACES: f64 = (1u64 << 44) as f64;

impl Statistic for X2 {
    fn outcome(&self, counts: &Counts, question: &TestQuestion<'_>) -> Outcome {
        // With e = n_i+k n_+jk / n_++k, the sum of (n - e)²/e over the cells with e > 0, including those with
        // n = 0, is the sum of n²/e over the cells with n > 0, minus the number of rows.
        let mut sum = 0i128;
        counts.for_each_cell(|n, ni, nj, nk| {
            let [n, ni, nj, nk] = [n, ni, nj, nk].map(f64::from);
            sum += libm::rint(n * n * nk / (ni * nj) * PLACES) as i128;
        });
        sum -= i128::from(counts.rows()) * PLACES as i128;
        let df = if self.adjusted { counts.adjusted_df() as f64 } else { question.declared_df() };
        Outcome::chi_square(sum.max(0) as f64 / PLACES, df)
    }
}
