//! Likelihood scores: `loglik`, and with a price for each free parameter `bic` and `aic`.

use super::grid::Grid;
use super::table_score::{Criterion, FamilyCounts, SLACK, SetCriterion};
use crate::counts::NLogN;

/// G(S) = Σ n ln n over the configurations of S, less the price of as many parameters as S has
/// configurations: G(X ∪ Pa) − G(Pa) is the log-likelihood less the price of (R − 1) q parameters.
#[derive(Debug)]
pub(super) struct LikelihoodScore {
    pub(super) grid: Grid,
    pub(super) f: NLogN,
    /// What a free parameter costs: 0, ½ ln n or 1.
    pub(super) price: f64,
}

impl SetCriterion for LikelihoodScore {
    fn of_set(&self, counts: &[u32], configurations: u128) -> f64 {
        let fit = self.f.to_f64(self.f.sum(counts));
        self.grid.round(fit) - self.grid.round(self.price * configurations as f64)
    }
}

impl Criterion for LikelihoodScore {
    fn local(&self, family: &FamilyCounts<'_>) -> f64 {
        self.of_set(family.joint, family.joint_configurations())
            - self.of_set(family.parents, family.configurations)
    }

    fn of_sets(&self) -> Option<&dyn SetCriterion> {
        Some(self)
    }

    /// The likelihood is at most 1, and more parents have more parameters (de Campos & Ji 2011, JMLR 12,
    /// 663-689, theorem 1).
    fn ceiling(&self, levels: usize, configurations: u128, _: u64) -> f64 {
        SLACK - self.price * (levels.saturating_sub(1) as f64) * configurations as f64
    }
}
