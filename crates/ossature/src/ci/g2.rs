//! G²: the likelihood ratio statistic, 2n times the mutual information.

use super::outcome::Outcome;
use super::table_test::{Statistic, TestQuestion};
use crate::counts::{Counts, LogTerms, NLogN};

/// `mi` and, with adjusted degrees of freedom, `mi-adf`.
#[derive(Debug)]
pub(super) struct G2 {
    pub(super) f: NLogN,
    pub(super) adjusted: bool,
}

impl G2 {
    /// G² = 2 (F(XYZ) − F(XZ) − F(YZ) + F(Z)), where F is the sum of n·ln n.
    pub(super) fn outcome_of(&self, terms: &LogTerms, question: &TestQuestion<'_>) -> Outcome {
        let df = if self.adjusted { terms.adjusted_df as f64 } else { question.declared_df() };
        // The terms are rounded, so a true 0 could come out a few units below.
        let half = (terms.xyz - terms.margins()).max(0);
        Outcome::chi_square(2.0 * self.f.to_f64(half), df)
    }
}

impl Statistic for G2 {
    fn outcome(&self, counts: &Counts, question: &TestQuestion<'_>) -> Outcome {
        self.outcome_of(&LogTerms::of(counts, &self.f), question)
    }

    fn of_log_terms(&self) -> Option<&G2> {
        Some(self)
    }
}
