//! G²: the likelihood ratio statistic, 2n times the mutual information.

use super::outcome::Outcome;
use super::table_test::{Statistic, TestQuestion};
use crate::counts::{Counts, NLogN};

/// F(XZ) + F(YZ) − F(Z), with F(S) the sum of n·ln n over the configurations of S: what a table
/// with the same margins has in common with this one. G² = 2 (F(XYZ) − this).
pub(super) fn margin_terms(counts: &Counts, f: &NLogN) -> i64 {
    let given = counts.once_for_all_candidates(|| f.sum(counts.yz()) - f.sum(counts.z()));
    f.sum(counts.xz()) + given
}

/// `mi` and, with adjusted degrees of freedom, `mi-adf`.
#[derive(Debug)]
pub(super) struct G2 {
    pub(super) f: NLogN,
    pub(super) adjusted: bool,
}

impl Statistic for G2 {
    fn outcome(&self, counts: &Counts, question: &TestQuestion<'_>) -> Outcome {
        let df = if self.adjusted { counts.adjusted_df() as f64 } else { question.declared_df };
        let half = self.f.sum(counts.xyz()) - margin_terms(counts, &self.f);
        // The terms are rounded, so what is 0 in truth could come out a few units below.
        Outcome::chi_square(2.0 * self.f.to_f64(half.max(0)), df)
    }
}
