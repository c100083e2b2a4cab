//! Conditional Gaussians: the rows split by discrete variables, a normal distribution in each part.

use rustc_hash::FxHashMap;

use super::Moments;
use super::given::dot;
use crate::data::Var;

/// The number of rows resembling the whole table that are added to each part, so that a part with few
/// rows has a variance.
const PRIOR_ROWS: f64 = 1.0;

/// The share of every variance that is added to it, so that columns which determine each other have a
/// density.
const RIDGE: f64 = 1e-10;

/// The log-likelihood of some variables, and the number of parameters of their distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Partition {
    pub(crate) ln_likelihood: f64,
    pub(crate) parameters: f64,
}

impl Partition {
    /// The fit of the variables in these rows: the discrete ones have a probability for each configuration,
    /// and the continuous ones a normal distribution in each.
    pub(crate) fn new(moments: &Moments<'_>, variables: &[Var], rows: &[u32]) -> Partition {
        let data = moments.data();
        let (continuous, discrete): (Vec<Var>, Vec<Var>) =
            variables.iter().partition(|&&v| data.variable(v).is_continuous());
        let columns: Vec<usize> = moments.all_columns(&continuous).filter(|&c| moments.varies(c)).collect();
        let whole = Spread::new(moments, &columns, rows);
        let n = rows.len() as f64;
        let parts = parts(moments, &discrete, rows);
        let mut terms: Vec<f64> = parts
            .iter()
            .map(|part| {
                part.len() as f64 * libm::log(part.len() as f64 / n) + whole.ln_density(moments, part)
            })
            .collect();
        // Parts have no order, but a sum of doubles depends on one.
        terms.sort_unstable_by(f64::total_cmp);
        let k = continuous.len() as f64;
        // Levels that do not occur have no parameters. A variable has one column fewer than levels that
        // occur.
        let configurations: f64 = discrete.iter().map(|&v| moments.columns(v).len() as f64 + 1.0).product();
        Partition {
            ln_likelihood: terms.iter().sum(),
            parameters: configurations - 1.0 + configurations * k * (k + 3.0) / 2.0,
        }
    }
}

/// The rows of each configuration that occurs.
fn parts(moments: &Moments<'_>, discrete: &[Var], rows: &[u32]) -> Vec<Vec<u32>> {
    let mut parts = vec![rows.to_vec()];
    for &v in discrete {
        let codes = moments.data().column(v);
        let mut finer = Vec::with_capacity(parts.len());
        for part in parts {
            let mut split: FxHashMap<u16, Vec<u32>> = FxHashMap::default();
            part.iter().for_each(|&row| split.entry(codes.code(row as usize)).or_default().push(row));
            finer.extend(split.into_values());
        }
        parts = finer;
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The covariances of some columns in all rows, towards which the parts shrink.
struct Spread<'a> {
    columns: &'a [usize],
    /// The root of the mean square of each column, in whole numbers.
    deviations: Vec<f64>,
    /// The correlations.
    r: Vec<f64>,
    /// The sum of the logarithms of the deviations, in the units of the table.
    ln_deviations: f64,
}

impl Spread<'_> {
    fn new<'a>(moments: &Moments<'_>, columns: &'a [usize], rows: &[u32]) -> Spread<'a> {
        let (m, n) = (columns.len(), rows.len() as f64);
        let products = moments.products(columns, rows);
        let deviation = |i: usize| match products[i * m + i] > 0.0 {
            true => (products[i * m + i] / n).sqrt(),
            false => 1.0, // only one value in these rows
        };
        let deviations: Vec<f64> = (0..m).map(deviation).collect();
        let r = (0..m * m).map(|at| products[at] / n / deviations[at / m] / deviations[at % m]).collect();
        let ln = |(i, &column): (usize, &usize)| moments.ln_length(column, deviations[i]);
        let ln_deviations = columns.iter().enumerate().map(ln).sum();
        Spread { columns, deviations, r, ln_deviations }
    }

    /// The log-density of the rows of a part under its own normal distribution.
    fn ln_density(&self, moments: &Moments<'_>, part: &[u32]) -> f64 {
        let (m, n) = (self.columns.len(), part.len() as f64);
        if m == 0 {
            return 0.0;
        }
        let products = moments.products(self.columns, part);
        let own: Vec<f64> = (0..m * m)
            .map(|at| products[at] / n / self.deviations[at / m] / self.deviations[at % m])
            .collect();
        let mut shrunk: Vec<f64> = own
            .iter()
            .zip(&self.r)
            .map(|(own, all)| (n * own + PRIOR_ROWS * all) / (n + PRIOR_ROWS))
            .collect();
        (0..m).for_each(|i| shrunk[i * m + i] += RIDGE);
        let (ln_determinant, trace) = determinant_and_trace(&shrunk, &own, m);
        let constant = m as f64 * libm::log(2.0 * std::f64::consts::PI) + 2.0 * self.ln_deviations;
        -0.5 * n * (ln_determinant + trace + constant)
    }
}

/// ln of the determinant of the positive matrix A, and the trace of its inverse times B.
fn determinant_and_trace(a: &[f64], b: &[f64], m: usize) -> (f64, f64) {
    let mut l = vec![0.0; m * m];
    let mut ln = 0.0;
    for i in 0..m {
        for j in 0..=i {
            let rest = a[i * m + j] - dot(&l[i * m..i * m + j], &l[j * m..j * m + j]);
            if i == j {
                let pivot = rest.max(RIDGE * RIDGE);
                ln += libm::log(pivot);
                l[i * m + i] = pivot.sqrt();
            } else {
                l[i * m + j] = rest / l[j * m + j];
            }
        }
    }
    // tr(A⁻¹ B) by columns of B: y = L⁻¹ b, x = L⁻ᵀ y.
    let mut trace = 0.0;
    let mut x = vec![0.0; m];
    for column in 0..m {
        for i in 0..m {
            x[i] = (b[i * m + column] - dot(&l[i * m..i * m + i], &x[..i])) / l[i * m + i];
        }
        for i in (0..m).rev() {
            let later: f64 = (i + 1..m).fold(0.0, |sum, k| sum + l[k * m + i] * x[k]);
            x[i] = (x[i] - later) / l[i * m + i];
        }
        trace += x[column];
    }
    (ln, trace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Dataset, Variable};

    #[test]
    fn one_column_in_two_parts_by_hand() {
        let (a, x) = ([0, 0, 0, 1, 1, 1, 1], [1.0, 2.0, 4.0, 9.0, 9.5, 8.0, 12.0]);
        let data = Dataset::new(vec![
            (Variable::new("a", ["n", "y"]).unwrap(), Column::from_codes(a, 2)),
            (Variable::continuous("x"), Column::Real(x.to_vec())),
        ])
        .unwrap();
        let moments = Moments::new(&data).unwrap();
        let rows: Vec<u32> = (0..7).collect();
        let found = Partition::new(&moments, &[Var(0), Var(1)], &rows);
        let variance = |x: &[f64]| {
            let mean = x.iter().sum::<f64>() / x.len() as f64;
            x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / x.len() as f64
        };
        let all = variance(&x);
        let part = |x: &[f64]| {
            let (n, own) = (x.len() as f64, variance(x));
            let shrunk = (n * own + all) / (n + 1.0);
            n * (n / 7.0).ln() - 0.5 * n * (shrunk.ln() + own / shrunk + (2.0 * std::f64::consts::PI).ln())
        };
        assert!((found.ln_likelihood - part(&x[..3]) - part(&x[3..])).abs() < 1e-6, "{found:?}");
        assert_eq!(found.parameters, 1.0 + 2.0 * 2.0);
    }

    #[test]
    fn trace_and_determinant() {
        let a = [4.0, 1.0, 1.0, 3.0];
        let (ln, trace) = determinant_and_trace(&a, &a, 2);
        assert!((ln - 11f64.ln()).abs() < 1e-14 && (trace - 2.0).abs() < 1e-14);
    }
}
