//! Scores that are marginal likelihoods under a Dirichlet prior: `bdeu`, `bds`, `k2` and `bdj`.

use super::grid::Grid;
use super::rising::Rising;
use super::table_score::{Criterion, FamilyCounts, SLACK, SetCriterion};

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

impl Dirichlet {
    /// The sum over these counts, with so much of the prior on each.
    fn sum(&self, counts: &[u32], a: f64) -> f64 {
        self.grid.round(self.rising.sum(counts, a))
    }
}

/// With a uniform prior families of one set agree to the last bit.
impl SetCriterion for Dirichlet {
    fn of_set(&self, counts: &[u32], configurations: u128) -> f64 {
        let ScorePrior::Uniform(iss) = self.prior else {
            unreachable!("asked for with a uniform prior only")
        };
        self.sum(counts, iss / configurations as f64)
    }
}

impl Criterion for Dirichlet {
    fn local(&self, family: &FamilyCounts<'_>) -> f64 {
        let (cell, configuration) = self.prior.on(family);
        self.sum(family.joint, cell) - self.sum(family.parents, configuration)
    }

    fn of_sets(&self) -> Option<&dyn SetCriterion> {
        matches!(self.prior, ScorePrior::Uniform(_)).then_some(self)
    }

    /// Row by row, the probability of a level that is new to its configuration is at most one in so many
    /// levels, and each combination that occurs is new once, however the configurations are divided
    /// further (after de Campos & Ji 2011, JMLR 12, 663-689, theorem 3, who count configurations).
    fn ceiling(&self, levels: usize, _: u128, occurring: u64) -> f64 {
        SLACK - occurring as f64 * libm::log(levels as f64)
    }
}
