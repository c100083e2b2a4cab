//! The sums of n·ln n of the candidates of a sweep, each counted in the way that suits it best.

use super::bits::BitStrata;
use super::kept_tables::kept_vars;
use super::kernel::Kernel;
use super::nlogn::NLogN;
use super::occurring::numbers_pay;
use super::strata::Strata;
use super::terms::LogTerms;
use crate::data::Var;

impl Strata<'_> {
    /// The sums of n·ln n over the tables of these candidates. Tables that are kept are not counted.
    pub(super) fn log_terms_of_all(&mut self, xs: &[Var], f: &NLogN) -> &[LogTerms] {
        let mut all = std::mem::take(&mut self.scratch.terms);
        all.clear();
        all.resize(xs.len(), LogTerms::default());
        self.log_terms_by_octets(xs, f, &mut all);
        // Sums that octets have found are of some rows.
        for (terms, &x) in all.iter_mut().zip(xs).filter(|(terms, _)| terms.rows == 0) {
            let vars = kept_vars(self.counter, x, self.t, self.z);
            let kept = &mut self.scratch.kept_tables;
            let found = vars.and_then(|vars| kept.log_terms(self.counter, &vars, x, self.t, f));
            *terms = found.unwrap_or_else(|| self.log_terms(x, f));
        }
        self.scratch.terms = all;
        &self.scratch.terms
    }

    /// The sums of n·ln n over the table of a candidate, equal to those of its [`count`](Strata::count).
    pub(super) fn log_terms(&mut self, x: Var, f: &NLogN) -> LogTerms {
        let kernel = self.chosen(x);
        if kernel == Kernel::Sparse && !self.meets_gaps(x) && numbers_pay(self.counter, self.z) {
            let (counter, t, z) = (self.counter, self.t, self.z);
            let strata = &mut self.scratch.occurring;
            strata.make(counter, &[z, &[t]], |strata| strata.fill(counter, t, z));
            if let Some(terms) = strata.strata.log_terms(counter, x, t, z, f) {
                return terms;
            }
        }
        if kernel != Kernel::Bits || self.meets_gaps(x) {
            return LogTerms::of(self.count_by(kernel, x), f);
        }
        let only = self.z.is_empty().then(|| self.counter.bits(self.t));
        let (simd, column) = (self.counter.simd(), self.counter.bits(x));
        self.bits_with_terms(f).log_terms(simd, only, column, f)
    }

    /// The bitmaps of the strata, with the sums that all candidates share.
    pub(super) fn bits_with_terms(&mut self, f: &NLogN) -> &mut BitStrata {
        self.make_bits();
        let strata = &mut self.scratch.bits.strata;
        if !std::mem::replace(&mut self.ready.terms, true) {
            strata.add_up_strata(self.shape.t, f);
        }
        strata
    }
}
