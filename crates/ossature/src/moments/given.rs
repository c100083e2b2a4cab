//! The explained and residual variance given a set of columns.

use super::Correlations;

/// A column is determined by others if they leave less than this share of its variance.
pub(crate) const DEPENDENT: f64 = 1e-10;

/// Columns to condition on: the Cholesky factor of their correlations, row by row.
#[derive(Debug, Default)]
pub(crate) struct GivenColumns {
    /// The columns that are not determined by those before them.
    columns: Vec<usize>,
    /// The factor, whose row `i` has `i + 1` entries.
    factor: Vec<f64>,
}

impl GivenColumns {
    /// Conditions on these columns, in order. Those determined by the ones before them are skipped.
    pub(crate) fn new(r: &impl Correlations, columns: impl IntoIterator<Item = usize>) -> GivenColumns {
        let mut given = GivenColumns::default();
        let mut row = Vec::new();
        columns.into_iter().for_each(|column| _ = given.push(r, column, &mut row));
        given
    }

    /// Adds a column. Returns the share of its variance that the others leave. If that is at most
    /// [`DEPENDENT`], the column is skipped.
    pub(crate) fn push(&mut self, r: &impl Correlations, column: usize, row: &mut Vec<f64>) -> f64 {
        row.clear();
        let left = self.reduce(r, column, row);
        if left > DEPENDENT {
            self.factor.append(row);
            self.factor.push(left.sqrt());
            self.columns.push(column);
        }
        left
    }

    /// The number of columns, without those that others determine.
    pub(crate) fn len(&self) -> usize {
        self.columns.len()
    }

    /// Appends the coordinates of a column in the space of the given ones. Returns the share of its variance
    /// that they leave.
    pub(crate) fn reduce(&self, r: &impl Correlations, column: usize, row: &mut Vec<f64>) -> f64 {
        let start = row.len();
        let (mut left, mut at) = (r.correlation(column, column), 0);
        for (i, &given) in self.columns.iter().enumerate() {
            let factor = &self.factor[at..=at + i];
            let explained = dot(&row[start..], factor);
            let coordinate = (r.correlation(column, given) - explained) / factor[i];
            row.push(coordinate);
            left -= coordinate * coordinate;
            at += i + 1;
        }
        left
    }
}

/// The sum of the products, in order, over the length of the first list.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

/// ln of the determinant of the correlations of these columns. The residual of a determined column
/// counts as [`DEPENDENT`], the smallest that can be distinguished from zero.
pub(crate) fn ln_determinant(r: &impl Correlations, columns: impl IntoIterator<Item = usize>) -> f64 {
    let (mut given, mut row, mut ln) = (GivenColumns::default(), Vec::new(), 0.0);
    for column in columns {
        ln += libm::log(given.push(r, column, &mut row).max(DEPENDENT));
    }
    ln
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Dense(usize, Vec<f64>);

    impl Correlations for Dense {
        fn correlation(&self, i: usize, j: usize) -> f64 {
            self.1[i * self.0 + j]
        }
    }

    #[test]
    fn determinants_and_what_is_left() {
        let r = Dense(3, vec![1.0, 0.5, 0.2, 0.5, 1.0, 0.4, 0.2, 0.4, 1.0]);
        let expected: f64 = 1.0 + 2.0 * 0.5 * 0.4 * 0.2 - 0.25 - 0.16 - 0.04;
        assert!((ln_determinant(&r, 0..3) - expected.ln()).abs() < 1e-15);
        let given = GivenColumns::new(&r, [0, 1]);
        let left = given.reduce(&r, 2, &mut Vec::new());
        assert!((left - expected / 0.75).abs() < 1e-15);
    }

    #[test]
    fn a_determined_column_is_passed_over() {
        let r = Dense(3, vec![1.0, 1.0, 0.3, 1.0, 1.0, 0.3, 0.3, 0.3, 1.0]);
        let (twice, once) = (GivenColumns::new(&r, [0, 1]), GivenColumns::new(&r, [0]));
        assert_eq!((twice.len(), once.len()), (1, 1));
        assert_eq!(twice.reduce(&r, 2, &mut Vec::new()), once.reduce(&r, 2, &mut Vec::new()));
        assert_eq!(ln_determinant(&r, 0..3), libm::log(DEPENDENT) + libm::log(1.0 - 0.09));
    }
}
