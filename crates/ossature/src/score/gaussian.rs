//! Scores of numeric columns, from their correlations.
//!
//! With S the maximum-likelihood covariance of n rows, and c the number of columns of a set of variables:
//!
//! | name | value of a set, of which a family's is a difference |
//! |---|---|
//! | `loglik-g` | −½ n (ln \|S\| + c (1 + ln 2π)) |
//! | `bic-g`, `bic-dg` | the same − ½ ln(n) (c (c + 1) / 2 + c) |
//! | `bge` | the logarithm of the marginal likelihood (Kuipers, Moffa & Heckerman 2014) |
//! | `bic-cg` | the conditional Gaussian log-likelihood − ½ ln(n) for each of its parameters |
//!
//! The value of a family of X with parents P is G(X ∪ P) − G(P), so all graphs of an equivalence class have
//! the same score, to the last bit, because each G is computed in the canonical order and rounded to a grid.
//! A column without variance contributes only the price of its parameters.

use std::sync::Arc;

use super::grid::Grid;
use super::{Score, SetScore, Sweep};
use crate::data::Var;
use crate::moments::{Correlations, Moments, Partition, ln_determinant};

/// The functions of sets behind Gaussian scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum GaussianCriterion {
    /// The likelihood, minus a price for each parameter.
    Likelihood { price: f64 },
    /// `bge`
    Bge,
    /// The conditional Gaussian likelihood, minus a price for each parameter.
    Conditional { price: f64 },
}

/// A score of numeric columns. Made by [`ScoreSettings::build`](super::ScoreSettings::build).
pub(super) struct GaussianScore<'a> {
    moments: Arc<Moments<'a>>,
    criterion: GaussianCriterion,
    grid: Grid,
    /// All rows, for scores that iterate over them.
    rows: Vec<u32>,
}

impl<'a> GaussianScore<'a> {
    pub(super) fn new(moments: Arc<Moments<'a>>, criterion: GaussianCriterion) -> GaussianScore<'a> {
        let grid = Grid::reaching(largest(&moments));
        let rows = match criterion {
            GaussianCriterion::Conditional { .. } => (0..moments.rows() as u32).collect(),
            _ => Vec::new(),
        };
        GaussianScore { moments, criterion, grid, rows }
    }

    fn value(&self, set: &[Var]) -> f64 {
        let mut set = set.to_vec();
        set.sort_unstable();
        let value = match self.criterion {
            GaussianCriterion::Likelihood { price } => {
                let columns = self.moments.all_columns(&set).count() as f64;
                ln_likelihood(&self.moments, &set) - price * parameters(columns)
            }
            GaussianCriterion::Bge => bge(&self.moments, &set),
            GaussianCriterion::Conditional { price } => {
                let part = Partition::new(&self.moments, &set, &self.rows);
                part.ln_likelihood - price * part.parameters
            }
        };
        self.grid.round(value)
    }
}

/// The number of means and covariances of this number of columns.
fn parameters(columns: f64) -> f64 {
    columns * (columns + 3.0) / 2.0
}

/// An upper bound on the absolute score of any graph over a table.
pub(super) fn largest(moments: &Moments<'_>) -> f64 {
    let columns = moments.width();
    let n = moments.rows() as f64;
    let each = |c: usize| if moments.varies(c) { moments.ln_deviation(c).abs() } else { 0.0 };
    let spread: f64 = (0..columns).map(each).sum();
    n * (spread + 30.0 * columns as f64)
        + 64.0 * columns as f64 * (columns.min(64) as f64) * libm::log(n + 2.0)
}

/// The log-likelihood of a set of variables in the canonical order.
fn ln_likelihood(moments: &Moments<'_>, set: &[Var]) -> f64 {
    let varying: Vec<usize> = moments.all_columns(set).filter(|&c| moments.varies(c)).collect();
    let ln_deviations: f64 = varying.iter().map(|&c| moments.ln_deviation(c)).sum();
    let constant = varying.len() as f64 * (1.0 + libm::log(2.0 * std::f64::consts::PI));
    let ln_determinant = ln_determinant(moments, varying) + 2.0 * ln_deviations;
    -0.5 * moments.rows() as f64 * (ln_determinant + constant)
}

/// The marginal likelihood of a set of continuous variables under a normal-Wishart prior. The prior mean is
/// that of the column, with weight 1; the precision has weight p + 2, where p is the number of variables of
/// the table.
fn bge(moments: &Moments<'_>, set: &[Var]) -> f64 {
    let (n, p, l) = (moments.rows() as f64, moments.variables().len() as f64, set.len() as f64);
    let (weight_mean, weight) = (1.0, p + 2.0);
    let t = weight_mean * (weight - p - 1.0) / (weight_mean + 1.0);
    let posterior = Posterior { moments, t };
    let columns: Vec<usize> = moments.all_columns(set).collect();
    let ln_scales: f64 = columns.iter().map(|&c| posterior.ln_scale(c)).sum();
    let ln_determinant = ln_determinant(&posterior, columns) + 2.0 * ln_scales;
    let (before, after) = (weight - p + l, n + weight - p + l);
    let gammas: f64 = (0..set.len())
        .map(|i| libm::lgamma((after - i as f64) / 2.0) - libm::lgamma((before - i as f64) / 2.0))
        .sum();
    let prior =
        0.5 * l * libm::log(weight_mean / (n + weight_mean)) - 0.5 * l * n * libm::log(std::f64::consts::PI);
    prior + gammas + 0.5 * before * l * libm::log(t) - 0.5 * after * ln_determinant
}

/// t I + n S, as correlations and scales.
struct Posterior<'m, 'a> {
    moments: &'m Moments<'a>,
    t: f64,
}

impl Posterior<'_, '_> {
    /// ln of the root of the entry on the diagonal.
    fn ln_scale(&self, column: usize) -> f64 {
        // ln √(t + n s²) without leaving the range of doubles.
        let (ln_t, ln_s) = (0.5 * libm::log(self.t), self.ln_root_of_squares(column));
        let (small, large) = (ln_t.min(ln_s), ln_t.max(ln_s));
        large + 0.5 * libm::log1p(libm::exp(2.0 * (small - large)))
    }

    fn ln_root_of_squares(&self, column: usize) -> f64 {
        match self.moments.varies(column) {
            true => self.moments.ln_deviation(column) + 0.5 * libm::log(self.moments.rows() as f64),
            false => f64::NEG_INFINITY,
        }
    }

    /// The share of the data in the entry on the diagonal, as a root.
    fn share(&self, column: usize) -> f64 {
        libm::exp(self.ln_root_of_squares(column) - self.ln_scale(column))
    }
}

impl Correlations for Posterior<'_, '_> {
    fn correlation(&self, i: usize, j: usize) -> f64 {
        if i == j { 1.0 } else { self.moments.correlation(i, j) * self.share(i) * self.share(j) }
    }
}

impl Score for GaussianScore<'_> {
    fn local(&self, child: Var, parents: &[Var]) -> f64 {
        let mut family = parents.to_vec();
        family.push(child);
        self.value(&family) - self.value(parents)
    }

    fn sets(&self) -> Option<&dyn SetScore> {
        Some(self)
    }

    fn is_equivalent(&self) -> bool {
        true
    }
}

impl SetScore for GaussianScore<'_> {
    fn of_set(&self, set: &[Var]) -> f64 {
        self.value(set)
    }

    fn of_sets(&self, sweep: Sweep<'_>, joint: &mut Vec<f64>, mut margins: Option<&mut Vec<f64>>) {
        let mut set = sweep.given.to_vec();
        for &candidate in sweep.candidates {
            set.push(candidate);
            if let Some(margins) = &mut margins {
                margins.push(self.value(&set));
            }
            set.push(sweep.target);
            joint.push(self.value(&set));
            set.truncate(sweep.given.len());
        }
    }
}

/// Node-average likelihood for tables with missing values: the mean likelihood of each family on the rows
/// that are complete in it, minus λ for each parameter, λ = n^(−1/4) / p (Bodewes & Scutari 2021). A
/// continuous column has a linear regression on its continuous parents, or a conditional Gaussian if some are
/// discrete.
pub(super) struct GaussianNodeAverage<'a> {
    moments: Arc<Moments<'a>>,
    lambda: f64,
    grid: Grid,
}

impl<'a> GaussianNodeAverage<'a> {
    pub(super) fn new(moments: Arc<Moments<'a>>) -> GaussianNodeAverage<'a> {
        let (n, p) = (moments.rows() as f64, moments.variables().len() as f64);
        let grid = Grid::reaching(largest(&moments) / n + p);
        GaussianNodeAverage { lambda: libm::pow(n, -0.25) / p, grid, moments }
    }
}

impl Score for GaussianNodeAverage<'_> {
    fn local(&self, child: Var, parents: &[Var]) -> f64 {
        let mut set = parents.to_vec();
        set.sort_unstable();
        let mut family = set.clone();
        family.push(child);
        family.sort_unstable();
        let rows = self.moments.complete_rows(&family);
        let (with, without) =
            (Partition::new(&self.moments, &family, &rows), Partition::new(&self.moments, &set, &rows));
        let average = (with.ln_likelihood - without.ln_likelihood) / rows.len().max(1) as f64;
        self.grid.round(average - self.lambda * (with.parameters - without.parameters))
    }
}
