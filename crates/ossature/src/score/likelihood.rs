//! Likelihood scores: `loglik`, and `bic` and `aic` with a price for each free parameter.

use super::configurations::Configurations;
use super::grid::Grid;
use super::table_score::{Criterion, FamilyCounts, SLACK, SetCriterion, SetValues};
use crate::counts::NLogN;

/// A cap on the number of configurations, more than any model has parameters.
const HUGE: f64 = 1e290;

/// G(S) = Σ n ln n over the configurations of S, minus the price of one parameter for each configuration of
/// S. G(X ∪ Pa) − G(Pa) is the log-likelihood minus the price of (R − 1) q parameters.
#[derive(Debug)]
pub(super) struct LikelihoodScore {
    pub(super) grid: Grid,
    pub(super) f: NLogN,
    /// The price of a free parameter: 0, ½ ln n or 1.
    pub(super) price: f64,
}

impl LikelihoodScore {
    fn fit(&self, counts: &[u32]) -> f64 {
        self.grid.round(self.f.to_f64(self.f.sum(counts)))
    }

    fn price(&self, configurations: f64) -> f64 {
        self.grid.round(self.price * configurations)
    }
}

impl SetCriterion for LikelihoodScore {
    fn values(&self) -> Box<dyn SetValues + '_> {
        Box::new(self)
    }

    fn of_set(&self, counts: &[u32], ones: usize, configurations: Configurations) -> f64 {
        SetValues::of_set(&mut &*self, counts, ones, configurations)
    }
}

impl SetValues for &LikelihoodScore {
    /// The logarithm of 1 is 0.
    fn of_set(&mut self, counts: &[u32], _: usize, configurations: Configurations) -> f64 {
        self.fit(counts) - self.price(configurations.to_f64().min(HUGE))
    }
}

impl Criterion for LikelihoodScore {
    fn local(&self, family: &FamilyCounts<'_>) -> f64 {
        let (all, parents) = (family.joint_configurations().to_f64(), family.configurations.to_f64());
        let price = match all < HUGE {
            true => self.price(all) - self.price(parents),
            // The difference could not be represented; such a family is worse than any other anyway.
            false => self.price * HUGE,
        };
        self.fit(family.joint) - self.fit(family.parents) - price
    }

    fn of_sets(&self) -> Option<&dyn SetCriterion> {
        Some(self)
    }

    /// The likelihood is at most 1, and more parents have more parameters (de Campos & Ji 2011, JMLR 12,
    /// 663-689, theorem 1).
    fn ceiling(&self, levels: usize, configurations: f64, _: u64) -> f64 {
        SLACK - self.price * (levels.saturating_sub(1) as f64) * configurations.min(HUGE)
    }
}
