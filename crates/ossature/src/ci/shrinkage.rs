//! `mi-sh`: G² of the table shrunk towards the uniform one.
//!
//! Hausser & Strimmer (2009), "Entropy inference and the James-Stein estimator", JMLR 10; used as a test by
//! Scutari & Brogini (2012). The estimate p* = λt + (1 − λ)p mixes the observed frequencies with t = 1/(RCL).
//! A configuration of Z that never occurs has p* = λt in all its cells, which means independence within it.
//! So it adds nothing to the sum and is not visited; only the total number of cells is needed.

use super::outcome::Outcome;
use super::table_test::{Statistic, TestQuestion};
use crate::counts::Counts;

/// The shrinkage test.
#[derive(Debug)]
pub(super) struct Shrinkage {
    /// The number of declared levels of each variable.
    pub(super) levels: Box<[u32]>,
}

/// The scale of the fixed-point terms n · p·ln p, 44 binary places.
const PLACES: f64 = (1u64 << 44) as f64;

impl Statistic for Shrinkage {
    fn outcome(&self, counts: &Counts, question: &TestQuestion<'_>) -> Outcome {
        let (r, c) = counts.levels();
        let levels_of_z = question.z.iter().map(|&v| f64::from(self.levels[v.index()]));
        let n = counts.rows() as f64;
        if n == 0.0 {
            return Outcome::nothing_to_test();
        }
        let t = 1.0 / (r as f64 * c as f64 * levels_of_z.product::<f64>());
        let lambda = intensity(counts.xyz(), n, t);
        let slices = counts.z().iter().filter(|&&n| n > 0).count();
        // Σ p* ln p* over the cells, or over a margin, of the slices that occur. `cells` is the number of
        // table cells in one entry of the margin, and `entries` the number of entries in all.
        let entropy = |margin: &[u32], cells: usize, entries: usize| {
            let term = |count: f64| {
                let p = lambda * t * cells as f64 + (1.0 - lambda) * count / n;
                if p > 0.0 { libm::rint(n * p * libm::log(p) * PLACES) as i128 } else { 0 }
            };
            let occurring = margin.iter().filter(|&&count| count > 0);
            let zeros = entries - occurring.clone().count();
            occurring.map(|&count| term(f64::from(count))).sum::<i128>() + zeros as i128 * term(0.0)
        };
        let half = entropy(counts.xyz(), 1, r * c * slices) + entropy(counts.z(), r * c, slices)
            - entropy(counts.xz(), c, r * slices)
            - entropy(counts.yz(), r, c * slices);
        Outcome::chi_square(2.0 * half.max(0) as f64 / PLACES, question.declared_df())
    }
}

/// The shrinkage intensity λ = (1 − Σp²) / ((n − 1) Σ(t − p)²) over all cells, clamped to 0 and 1.
fn intensity(cells: &[u32], n: f64, t: f64) -> f64 {
    // Σ(t − p)² over all 1/t cells is Σp² − t. The sum of squares is computed in integers.
    let squares =
        cells.iter().map(|&count| u128::from(count) * u128::from(count)).sum::<u128>() as f64 / (n * n);
    let denominator = (n - 1.0) * (squares - t);
    if denominator <= 0.0 { 1.0 } else { ((1.0 - squares) / denominator).clamp(0.0, 1.0) }
}
