//! Scores that are marginal likelihoods under a Dirichlet prior: `bdeu`, `bds`, `k2` and `bdj`.

use super::grid::Grid;
use super::rising::Rising;
use super::table_score::{Criterion, FamilyCounts, SLACK};

/// What the prior puts on each cell of a family, in rows.
#[derive(Debug, Clone, Copy)]
pub(super) enum ScorePrior {
    /// The equivalent sample size, divided equally among all cells.
    Uniform(f64),
    /// The same, divided among the cells of the parent configurations that occur.
    Sparse(f64),
    /// The same on every cell of any family.
    Constant(f64),
}

impl ScorePrior {
    /// What it puts on a cell, and on a parent configuration.
    fn on(self, family: &FamilyCounts<'_>) -> (f64, f64) {
        match self {
            // Functions of a set of variables: families of one set agree to the last bit.
            ScorePrior::Uniform(iss) => {
                (iss / family.joint_configurations() as f64, iss / family.configurations as f64)
            }
            ScorePrior::Sparse(iss) => {
                let occurring = family.parents.iter().filter(|&&n| n > 0).count() as f64;
                (iss / (occurring * family.levels as f64), iss / occurring)
            }
            ScorePrior::Constant(a) => (a, a * family.levels as f64),
        }
    }
}

/// The sum over cells of ln Γ(n + a) / Γ(a), less the same over parent configurations.
#[derive(Debug)]
pub(super) struct Dirichlet {
    pub(super) grid: Grid,
    pub(super) rising: Rising,
    pub(super) prior: ScorePrior,
}

impl Criterion for Dirichlet {
    fn local(&self, family: &FamilyCounts<'_>) -> f64 {
        let (cell, configuration) = self.prior.on(family);
        self.grid.round(self.rising.sum(family.joint, cell))
            - self.grid.round(self.rising.sum(family.parents, configuration))
    }

    /// Row by row, the probability of a level that is new to its configuration is at most one in so many
    /// levels, and each combination that occurs is new once, however the configurations are divided
    /// further (after de Campos & Ji 2011, JMLR 12, 663-689, theorem 3, who count configurations).
    fn ceiling(&self, levels: usize, _: u128, occurring: u64) -> f64 {
        SLACK - occurring as f64 * libm::log(levels as f64)
    }
}
