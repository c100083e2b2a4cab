//! Scores that are marginal likelihoods under a Dirichlet prior: `bdeu`, `bds`, `k2` and `bdj`.

use super::configurations::Configurations;
use super::grid::Grid;
use super::rising::{Rising, RisingSums};
use super::table_score::{Criterion, FamilyCounts, SLACK, SetCriterion, SetValues};

/// The prior weight of each cell of a family, in rows.
#[derive(Debug, Clone, Copy)]
pub(super) enum ScorePrior {
    /// The equivalent sample size, divided equally among all cells.
    Uniform(f64),
    /// The equivalent sample size, divided equally among the cells of the parent configurations that occur.
    Sparse(f64),
    /// The same weight on every cell of any family.
    Constant(f64),
}

/// Below this weight no table of terms is needed: a cell with so little weight contributes only its
/// logarithm.
const TINY: f64 = 1e-47;

/// The sum over cells of ln Γ(n + a) / Γ(a), minus the same sum over parent configurations.
#[derive(Debug)]
pub(super) struct Dirichlet {
    pub(super) grid: Grid,
    pub(super) rising: Rising,
    pub(super) prior: ScorePrior,
}

/// The prior weight of a cell.
#[derive(Debug, Clone, Copy)]
enum Weight {
    Of(f64),
    /// So small that only its logarithm is representable.
    Ln(f64),
}

impl Weight {
    /// An equal share of a sample size.
    fn share(iss: f64, cells: Configurations) -> Weight {
        match iss / cells.to_f64() {
            a if a >= TINY => Weight::Of(a),
            _ => Weight::Ln(libm::log(iss) - cells.ln()),
        }
    }
}

/// Sums of ln Γ(n + a) / Γ(a) on the grid.
struct DirichletSums<'a> {
    grid: Grid,
    prior: ScorePrior,
    rising: RisingSums<'a>,
}

impl Dirichlet {
    fn sums(&self) -> DirichletSums<'_> {
        DirichletSums { grid: self.grid, prior: self.prior, rising: self.rising.sums() }
    }
}

impl DirichletSums<'_> {
    /// The sum over these counts and `ones` counts of 1.
    fn sum(&mut self, counts: &[u32], ones: usize, weight: Weight) -> f64 {
        self.grid.round(match weight {
            Weight::Of(a) => self.rising.sum(counts, ones, a),
            // Γ(n + a) / Γ(a) is a Γ(n), and Γ(n) is the product of the numbers from 1 to n - 1.
            Weight::Ln(ln_a) => {
                let occurring: Vec<u32> = counts.iter().filter(|&&n| n > 0).map(|&n| n - 1).collect();
                (occurring.len() + ones) as f64 * ln_a + self.rising.sum(&occurring, 0, 1.0)
            }
        })
    }
}

/// With a uniform prior, families of the same set agree to the last bit.
impl SetCriterion for Dirichlet {
    fn values(&self) -> Box<dyn SetValues + '_> {
        Box::new(self.sums())
    }

    fn of_set(&self, counts: &[u32], ones: usize, configurations: Configurations) -> f64 {
        self.sums().of_set(counts, ones, configurations)
    }
}

impl SetValues for DirichletSums<'_> {
    fn of_set(&mut self, counts: &[u32], ones: usize, configurations: Configurations) -> f64 {
        let ScorePrior::Uniform(iss) = self.prior else {
            unreachable!("asked for with a uniform prior only")
        };
        self.sum(counts, ones, Weight::share(iss, configurations))
    }
}

impl Criterion for Dirichlet {
    fn local(&self, family: &FamilyCounts<'_>) -> f64 {
        let (cells, configurations) = match self.prior {
            // A function of the set of variables, so families of the same set agree to the last bit.
            ScorePrior::Uniform(iss) => {
                (Weight::share(iss, family.joint_configurations()), Weight::share(iss, family.configurations))
            }
            ScorePrior::Sparse(iss) => {
                let occurring = family.parents.iter().filter(|&&n| n > 0).count() as f64;
                (Weight::Of(iss / (occurring * family.levels as f64)), Weight::Of(iss / occurring))
            }
            ScorePrior::Constant(a) => (Weight::Of(a), Weight::Of(a * family.levels as f64)),
        };
        let mut sums = self.sums();
        sums.sum(family.joint, 0, cells) - sums.sum(family.parents, 0, configurations)
    }

    fn of_sets(&self) -> Option<&dyn SetCriterion> {
        matches!(self.prior, ScorePrior::Uniform(_)).then_some(self)
    }

    /// Row by row, the probability of a level that is new to its configuration is at most 1 / `levels`, and
    /// each combination that occurs is new once, even if the configurations are divided further (after de
    /// Campos & Ji 2011, JMLR 12, 663-689, theorem 3, who count configurations).
    fn ceiling(&self, levels: usize, _: f64, occurring: u64) -> f64 {
        SLACK - occurring as f64 * libm::log(levels as f64)
    }
}
