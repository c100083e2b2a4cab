//! Tests on numeric columns: partial correlations, and related tests that also accept discrete columns.
//!
//! Here r is the partial correlation of X and Y given Z, n the number of rows, and k the number of columns of
//! Z:
//!
//! | name | statistic | distribution |
//! |---|---|---|
//! | `zf` | √(n − k − 3) · artanh r, Fisher's z | normal, two-sided |
//! | `cor` | r | Student's t with n − k − 2 degrees of freedom, two-sided |
//! | `mi-g` | −n ln(1 − r²) | chi-square, 1 df |
//! | `dg` | n (ln \|S_xz\| + ln \|S_yz\| − ln \|S_z\| − ln \|S_xyz\|) | chi-square, (columns of X) · (columns of Y) df |
//! | `cg` | twice the difference of conditional Gaussian likelihoods | chi-square, df is the difference in parameters |
//!
//! For `dg` a discrete variable becomes an indicator column for each level but one (Andrews, Ramsey & Cooper
//! 2019). A column determined by the others adds nothing: a variable that Z determines is independent of
//! everything given Z. In a table with missing values a test uses the rows that are complete in its
//! variables.

use std::sync::Arc;

use super::CiTest;
use super::outcome::Outcome;
use super::student;
use super::tail;
use crate::data::Var;
use crate::moments::{Correlations, DEPENDENT, GivenColumns, Moments, Partition, dot};
use crate::sharded::Sharded;

/// The statistic computed from a partial correlation or a likelihood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GaussianStatistic {
    /// `zf`
    FisherZ,
    /// `cor`
    Correlation,
    /// `mi-g`
    Information,
    /// `dg`
    Degenerate,
    /// `cg`
    Conditional,
}

/// A test on numeric columns. Made by [`TestSettings::build`](super::TestSettings::build).
pub(super) struct GaussianTest<'a> {
    moments: Arc<Moments<'a>>,
    statistic: GaussianStatistic,
    computed: Sharded<1>,
}

/// A conditioning set, with the correlations and the number of rows.
struct Conditioned<'r, R> {
    r: &'r R,
    rows: usize,
    given: GivenColumns,
}

impl<'a> GaussianTest<'a> {
    pub(super) fn new(moments: Arc<Moments<'a>>, statistic: GaussianStatistic) -> GaussianTest<'a> {
        GaussianTest { moments, statistic, computed: Sharded::default() }
    }

    fn has_gaps(&self, x: Var, y: Var, z: &[Var]) -> bool {
        let data = self.moments.data();
        z.iter().chain([&x, &y]).any(|&v| data.gaps(v) > 0)
    }

    /// The test on the rows that are complete in its variables.
    fn in_complete_rows(&self, x: Var, y: Var, z: &[Var]) -> Outcome {
        let variables: Vec<Var> = z.iter().chain([&x, &y]).copied().collect();
        if self.statistic == GaussianStatistic::Conditional {
            return match &self.moments.complete_rows(&variables)[..] {
                [] => Outcome::without_power(0.0),
                rows => self.conditional(x, y, z, rows),
            };
        }
        let block = self.moments.block(&variables);
        if block.rows() == 0 {
            return Outcome::without_power(0.0);
        }
        let mut at = 0;
        let mut columns = |v: Var| {
            let from = at;
            at += self.moments.columns(v).len();
            from..at
        };
        let given: Vec<usize> = z.iter().flat_map(|&v| columns(v)).collect();
        let (xs, ys) = (columns(x), columns(y));
        let set = Conditioned { r: &block, rows: block.rows(), given: GivenColumns::new(&block, given) };
        set.outcome(self.statistic, xs, ys)
    }

    /// The likelihood-ratio test of conditional Gaussians.
    fn conditional(&self, x: Var, y: Var, z: &[Var], rows: &[u32]) -> Outcome {
        let set = |more: &[Var]| {
            let mut set: Vec<Var> = z.iter().chain(more).copied().collect();
            set.sort_unstable();
            Partition::new(&self.moments, &set, rows)
        };
        let (all, none, with_x, with_y) = (set(&[x, y]), set(&[]), set(&[x]), set(&[y]));
        let df = all.parameters + none.parameters - (with_x.parameters + with_y.parameters);
        let gain = all.ln_likelihood + none.ln_likelihood - (with_x.ln_likelihood + with_y.ln_likelihood);
        Outcome::chi_square((2.0 * gain).max(0.0), df)
    }
}

impl<R: Correlations> Conditioned<'_, R> {
    /// The outcome for two variables, given the columns of each.
    fn outcome(
        &self,
        statistic: GaussianStatistic,
        x: impl Iterator<Item = usize>,
        y: impl Iterator<Item = usize>,
    ) -> Outcome {
        self.compare(statistic, &self.left(x), &self.left(y))
    }

    /// The residuals of columns: their coordinates in the space of the conditioning set, one column after
    /// another, and their residual variances. Columns determined by the set are left out.
    fn left(&self, columns: impl Iterator<Item = usize>) -> Left {
        let mut left = Left::default();
        for column in columns {
            let start = left.coordinates.len();
            let variance = self.given.reduce(self.r, column, &mut left.coordinates);
            if variance > DEPENDENT {
                left.columns.push(column);
                left.variances.push(variance);
            } else {
                left.coordinates.truncate(start);
            }
        }
        left
    }

    /// The covariance of the residuals of two columns.
    fn covariance(&self, (x, i): (&Left, usize), (y, j): (&Left, usize)) -> f64 {
        let k = self.given.len();
        let (u, v) = (&x.coordinates[i * k..(i + 1) * k], &y.coordinates[j * k..(j + 1) * k]);
        self.r.correlation(x.columns[i], y.columns[j]) - dot(u, v)
    }

    fn compare(&self, statistic: GaussianStatistic, x: &Left, y: &Left) -> Outcome {
        let (n, k) = (self.rows as f64, self.given.len() as f64);
        if x.columns.is_empty() || y.columns.is_empty() {
            return Outcome::nothing_to_test();
        }
        if statistic == GaussianStatistic::Degenerate {
            let columns = k + (x.columns.len() + y.columns.len()) as f64;
            if n <= columns + 1.0 {
                return Outcome::without_power((x.columns.len() * y.columns.len()) as f64);
            }
            return self.degenerate(x, y);
        }
        let scale = (x.variances[0] * y.variances[0]).sqrt();
        let r = (self.covariance((x, 0), (y, 0)) / scale).clamp(-1.0, 1.0);
        // A correlation of 1 counts as the largest that can be distinguished from 1.
        let left = (1.0 - r * r).max(DEPENDENT);
        match statistic {
            GaussianStatistic::FisherZ if n - k <= 3.0 => Outcome::without_power(0.0),
            GaussianStatistic::FisherZ => {
                let size = (n - k - 3.0).sqrt() * libm::atanh(r.abs().min((1.0 - DEPENDENT).sqrt()));
                Outcome::with_ln_p(size.copysign(r), n - k - 3.0, tail::ln_p(size * size, 1.0))
            }
            GaussianStatistic::Correlation if n - k <= 2.0 => Outcome::without_power(0.0),
            GaussianStatistic::Correlation => {
                Outcome::with_ln_p(r, n - k - 2.0, student::ln_p_of_correlation(r, left, n - k - 2.0))
            }
            _ if n - k <= 2.0 => Outcome::without_power(1.0),
            _ if r * r < 0.5 => Outcome::chi_square(-n * libm::log1p(-r * r), 1.0),
            _ => Outcome::chi_square(-n * libm::log(left), 1.0),
        }
    }

    /// n times the logarithm of the factor by which X reduces the residual determinant of Y.
    fn degenerate(&self, x: &Left, y: &Left) -> Outcome {
        let within = Residuals { set: self, parts: [x, y] };
        let (a, b) = (x.columns.len(), y.columns.len());
        // For each column of Y, the variance left by the columns before it, without and with those of X.
        let mut alone = GivenColumns::default();
        let mut with_x = GivenColumns::new(&within, 0..a);
        let (columns_of_x, mut ln, mut row) = (with_x.len(), 0.0, Vec::new());
        for column in a..a + b {
            let without = alone.push(&within, column, &mut row);
            if without > DEPENDENT {
                let with = with_x.push(&within, column, &mut row).max(DEPENDENT * without);
                ln += libm::log(without / with);
            }
        }
        Outcome::chi_square((self.rows as f64 * ln).max(0.0), (columns_of_x * alone.len()) as f64)
    }
}

/// The residuals of the columns of a variable.
#[derive(Debug, Default)]
struct Left {
    columns: Vec<usize>,
    coordinates: Vec<f64>,
    variances: Vec<f64>,
}

/// The correlations of the residuals of two variables, those of X first.
struct Residuals<'r, R> {
    set: &'r Conditioned<'r, R>,
    parts: [&'r Left; 2],
}

impl<R> Residuals<'_, R> {
    fn part(&self, column: usize) -> (&Left, usize) {
        let first = self.parts[0].columns.len();
        if column < first { (self.parts[0], column) } else { (self.parts[1], column - first) }
    }
}

impl<R: Correlations> Correlations for Residuals<'_, R> {
    fn correlation(&self, i: usize, j: usize) -> f64 {
        if i == j {
            return 1.0;
        }
        let ((x, i), (y, j)) = (self.part(i), self.part(j));
        self.set.covariance((x, i), (y, j)) / (x.variances[i] * y.variances[j]).sqrt()
    }
}

impl CiTest for GaussianTest<'_> {
    fn test(&self, x: Var, y: Var, z: &[Var]) -> Outcome {
        let mut out = Vec::with_capacity(1);
        self.sweep(y, &[x], z, &mut out);
        out[0]
    }

    fn sweep(&self, t: Var, xs: &[Var], z: &[Var], out: &mut Vec<Outcome>) {
        self.computed.add(0, xs.len() as u64);
        let mut z = z.to_vec();
        z.sort_unstable();
        let complete = |x: Var| !self.has_gaps(x, t, &z);
        if self.statistic == GaussianStatistic::Conditional || !xs.iter().all(|&x| complete(x)) {
            out.extend(xs.iter().map(|&x| self.in_complete_rows(x.min(t), x.max(t), &z)));
            return;
        }
        let moments = &*self.moments;
        let given = GivenColumns::new(moments, moments.all_columns(&z));
        let set = Conditioned { r: moments, rows: moments.rows(), given };
        let target = set.left(moments.columns(t));
        out.extend(xs.iter().map(|&x| {
            let candidate = set.left(moments.columns(x));
            match x < t {
                true => set.compare(self.statistic, &candidate, &target),
                false => set.compare(self.statistic, &target, &candidate),
            }
        }));
    }

    fn rows(&self) -> Option<usize> {
        Some(self.moments.rows())
    }

    /// −½ ln(1 − r²), the mutual information of normal variables.
    fn information(&self, outcome: &Outcome) -> f64 {
        match self.statistic {
            _ if !outcome.has_power || outcome.df == 0.0 => 0.0,
            GaussianStatistic::FisherZ => libm::log(libm::cosh(outcome.statistic / outcome.df.sqrt())),
            GaussianStatistic::Correlation => {
                -0.5 * libm::log((1.0 - outcome.statistic * outcome.statistic).max(DEPENDENT))
            }
            _ => outcome.statistic / (2 * self.moments.rows()) as f64,
        }
    }

    fn computed(&self) -> u64 {
        self.computed.sums()[0]
    }
}
