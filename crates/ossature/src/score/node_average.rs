//! `pnal`: the mean likelihood of a node, minus a price for each parameter.
//!
//! If values are missing, each family is scored on the rows that are complete in it. Small families have more
//! such rows than large ones, so likelihoods cannot be compared, but their means over the rows can: Bodewes &
//! Scutari (2021), "Learning Bayesian networks from incomplete data with the node-average likelihood",
//! doi:10.1016/j.ijar.2021.07.015. The price n^(-1/4) / p of a parameter falls more slowly than that of BIC,
//! ½ ln(n) / n, which is too small if the rows of two families differ.
//!
//! The terms of a family come from the same rows, but those of two families need not, so the value of a
//! family is not a difference of values of sets, and graphs of one class may have different scores.

use super::grid::Grid;
use super::table_score::{Criterion, FamilyCounts, SLACK};
use crate::counts::NLogN;

/// A cap on the number of parameters, more than any model has.
const HUGE: f64 = 1e290;

/// Σ n_jk ln(n_jk / n_j) / Σ n_j, minus the price of (R − 1) q parameters.
#[derive(Debug)]
pub(super) struct NodeAverage {
    pub(super) grid: Grid,
    pub(super) f: NLogN,
    /// The price of a free parameter.
    pub(super) price: f64,
}

/// The price of a parameter for these numbers of rows and variables: n^(-1/4) / p.
pub(super) fn price(rows: usize, variables: usize) -> f64 {
    1.0 / (libm::sqrt(libm::sqrt(rows as f64)) * variables as f64)
}

impl Criterion for NodeAverage {
    fn local(&self, family: &FamilyCounts<'_>) -> f64 {
        let rows: u64 = family.parents.iter().map(|&n| u64::from(n)).sum();
        let fit = match rows {
            // Nothing is known about the family: it is no better than a guess, so no parents pay off.
            0 => -libm::log(family.levels.max(1) as f64),
            _ => self.f.to_f64(self.f.sum(family.joint) - self.f.sum(family.parents)) / rows as f64,
        };
        let parameters = (family.levels.saturating_sub(1) as f64 * family.configurations.to_f64()).min(HUGE);
        self.grid.round(fit) - self.grid.round(self.price * parameters)
    }

    /// The likelihood is at most 1, and more parents have more parameters.
    fn ceiling(&self, levels: usize, configurations: f64, _: u64) -> f64 {
        SLACK - self.price * (levels.saturating_sub(1) as f64) * configurations.min(HUGE)
    }
}
