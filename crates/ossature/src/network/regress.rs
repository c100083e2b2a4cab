//! Least squares: the regressions of a continuous variable on its continuous parents, one for each configuration of
//! its discrete ones.
//!
//! Every sum is exact in effect ([`super::sums`]), so the order of the rows does not matter. The numbers of a column
//! are scaled by powers of two and centred before anything is multiplied, so that neither large nor small ones are
//! lost, and the coefficients are refined with their residuals, which is about as accurate as an orthogonal
//! factorisation.

use super::sums::{ExactSum, sum};
use super::{Gaussian, Regression, configurations};
use crate::data::{Dataset, Var};
use crate::error::{Error, Result};
use crate::graph::Dag;

/// A parent adds nothing if the parents before it leave less than this share of its variance.
const COLLINEAR: f64 = 1e-12;
/// The fit is perfect if less than this share of the variance is left, which is rounding.
const PERFECT: f64 = 1e-26;

/// The distribution of a continuous variable, and the number of configurations with too few rows for their own
/// regression.
///
/// The standard deviation divides by the residual degrees of freedom: the rows less the identifiable coefficients
/// and the intercept. A configuration needs one row more than parameters of the mean; one with fewer has the
/// regression over all rows. Of collinear parents, the later ones in the canonical order have the coefficient 0.
pub(super) fn gaussian(data: &Dataset, dag: &Dag, v: Var) -> Result<(Gaussian, u64)> {
    let is_continuous = |p: &Var| data.variable(*p).is_continuous();
    let parents: Vec<Var> = dag.parents(v).iter().filter(is_continuous).collect();
    let discrete: Vec<Var> = dag.parents(v).iter().filter(|p| !is_continuous(p)).collect();
    let columns: Vec<&[f64]> = parents.iter().chain([&v]).filter_map(|&p| data.column(p).numbers()).collect();
    let all: Vec<u32> = (0..data.rows() as u32).collect();
    let mut pooled = None;
    let mut regressions = Vec::new();
    let mut few = 0;
    for rows in by_configuration(data, &discrete) {
        if rows.len() > columns.len() {
            regressions.push(regress(&columns, &rows));
            continue;
        }
        few += 1;
        let pooled = pooled.get_or_insert_with(|| over_all(&columns, &all));
        regressions.push(pooled.clone());
    }
    let finite = |r: &Regression| r.coefficients.iter().chain([&r.intercept, &r.sd]).all(|x| x.is_finite());
    if !regressions.iter().all(finite) {
        return Err(Error::Mismatch {
            what: format!(
                "the regression of {:?} has a number too large to be held",
                data.variable(v).name()
            ),
            accepted: "numbers closer to 1 are needed, for example in other units".into(),
        });
    }
    Ok((Gaussian::new(regressions), few))
}

/// The rows of each configuration of discrete variables, the last of which changes fastest.
fn by_configuration(data: &Dataset, discrete: &[Var]) -> Vec<Vec<u32>> {
    let number = configurations(data.variables(), discrete) as usize;
    let mut rows = vec![Vec::new(); number];
    for row in 0..data.rows() {
        let code = |p: Var| usize::from(data.column(p).code(row));
        let at = discrete.iter().fold(0, |at, &p| at * data.cardinality(p) + code(p));
        rows[at].push(row as u32);
    }
    rows
}

/// The regression over all rows; if they are too few, only the mean of the variable.
fn over_all(columns: &[&[f64]], rows: &[u32]) -> Regression {
    if rows.len() > columns.len() {
        return regress(columns, rows);
    }
    let parents = columns.len() - 1;
    Regression { coefficients: vec![0.0; parents], ..regress(&columns[parents..], rows) }
}

/// The regression of the last column on the others, in some rows.
fn regress(columns: &[&[f64]], rows: &[u32]) -> Regression {
    let centred: Vec<Centred> = columns.iter().map(|column| Centred::new(column, rows)).collect();
    let (y, parents) = centred.split_last().expect("at least the variable itself");
    let factor = Cholesky::new(parents);
    let mut coefficients = vec![0.0; parents.len()];
    let mut residuals = y.values.clone();
    // The second time finds what rounding left in the residuals of the first.
    for _ in 0..2 {
        let step = factor.solve(parents.iter().map(|x| dot(&x.values, &residuals)).collect());
        coefficients.iter_mut().zip(&step).for_each(|(b, step)| *b += step);
        for (row, residual) in residuals.iter_mut().enumerate() {
            let terms = coefficients.iter().zip(parents).map(|(b, x)| b * x.values[row]);
            *residual = y.values[row] - terms.sum::<f64>();
        }
    }
    let (left, all) = (dot(&residuals, &residuals), dot(&y.values, &y.values));
    let freedom = rows.len().saturating_sub(1 + factor.rank());
    let sd = if freedom == 0 || left <= PERFECT * all { 0.0 } else { libm::sqrt(left / freedom as f64) };
    let unscaled = |b: &f64, x: &Centred| libm::ldexp(*b, x.exponent - y.exponent);
    let coefficients: Vec<f64> = coefficients.iter().zip(parents).map(|(b, x)| unscaled(b, x)).collect();
    let moved: Vec<f64> = coefficients.iter().zip(parents).map(|(b, x)| -b * x.mean).collect();
    let held = moved.iter().all(|term| term.is_finite());
    let intercept = if held { sum(moved.into_iter().chain([y.mean])) } else { f64::INFINITY };
    Regression { intercept, coefficients, sd: libm::ldexp(sd, -y.exponent) }
}

/// Numbers less their mean, times a power of two that makes the largest of them nearly 1.
struct Centred {
    values: Vec<f64>,
    mean: f64,
    exponent: i32,
}

impl Centred {
    fn new(column: &[f64], rows: &[u32]) -> Centred {
        let these = || rows.iter().map(|&row| column[row as usize]);
        let first = column[rows[0] as usize];
        if these().all(|x| x == first) {
            return Centred { values: vec![0.0; rows.len()], mean: first, exponent: 0 };
        }
        let size = |values: &[f64]| exponent_of(values.iter().fold(0.0, |most: f64, x| most.max(x.abs())));
        let mut values: Vec<f64> = these().collect();
        // First below 1/2, as the difference of two numbers may be too large.
        let small = -size(&values) - 1;
        values.iter_mut().for_each(|x| *x = libm::ldexp(*x, small));
        let mean = sum(values.iter().copied()) / rows.len() as f64;
        values.iter_mut().for_each(|x| *x -= mean);
        let large = -size(&values);
        values.iter_mut().for_each(|x| *x = libm::ldexp(*x, large));
        Centred { values, mean: libm::ldexp(mean, -small), exponent: small + large }
    }
}

/// The power of two just above a number.
fn exponent_of(x: f64) -> i32 {
    libm::frexp(x).1
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = ExactSum::new();
    x.iter().zip(y).for_each(|(x, y)| sum.add(x * y));
    sum.value()
}

/// The Cholesky factor of the matrix of products of columns. A column that depends on those before it has no
/// row in it.
struct Cholesky {
    rows: Vec<Option<Vec<f64>>>,
}

impl Cholesky {
    fn new(columns: &[Centred]) -> Cholesky {
        let mut rows: Vec<Option<Vec<f64>>> = Vec::with_capacity(columns.len());
        for (i, column) in columns.iter().enumerate() {
            let mut row = vec![0.0; i + 1];
            for j in 0..i {
                let Some(other) = &rows[j] else { continue };
                let before: f64 = (0..j).map(|k| row[k] * other[k]).sum();
                row[j] = (dot(&column.values, &columns[j].values) - before) / other[j];
            }
            let whole = dot(&column.values, &column.values);
            let own = whole - row[..i].iter().map(|x| x * x).sum::<f64>();
            row[i] = libm::sqrt(own.max(0.0));
            rows.push((own > COLLINEAR * whole).then_some(row));
        }
        Cholesky { rows }
    }

    /// The number of independent columns.
    fn rank(&self) -> usize {
        self.rows.iter().flatten().count()
    }

    /// The solution for a right-hand side; 0 for a dependent column.
    fn solve(&self, mut side: Vec<f64>) -> Vec<f64> {
        for i in 0..side.len() {
            side[i] = match &self.rows[i] {
                Some(row) => (side[i] - (0..i).map(|j| row[j] * side[j]).sum::<f64>()) / row[i],
                None => 0.0,
            };
        }
        for i in (0..side.len()).rev() {
            let Some(row) = &self.rows[i] else { continue };
            side[i] /= row[i];
            for j in 0..i {
                if self.rows[j].is_some() {
                    side[j] -= row[j] * side[i];
                }
            }
        }
        side
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::{Column, Variable};
    use crate::network::{Prior, fit};
    use crate::random::Sequence;

    fn line(columns: &[&[f64]]) -> Regression {
        let rows: Vec<u32> = (0..columns[0].len() as u32).collect();
        regress(columns, &rows)
    }

    /// The normal equations with an intercept, by elimination.
    fn naive(columns: &[&[f64]]) -> (Vec<f64>, f64) {
        let (y, xs) = columns.split_last().unwrap();
        let (n, k) = (y.len(), xs.len() + 1);
        let entry = |row: usize, i: usize| if i == 0 { 1.0 } else { xs[i - 1][row] };
        let mut a = vec![vec![0.0; k + 1]; k];
        for (i, row) in a.iter_mut().enumerate() {
            let product = |with: &dyn Fn(usize) -> f64| (0..n).map(|at| entry(at, i) * with(at)).sum();
            row.iter_mut().take(k).enumerate().for_each(|(j, sum)| *sum = product(&|at| entry(at, j)));
            row[k] = product(&|at| y[at]);
        }
        for i in 0..k {
            let pivot = (i..k).max_by(|&p, &q| a[p][i].abs().total_cmp(&a[q][i].abs())).unwrap();
            a.swap(i, pivot);
            for j in (0..k).filter(|&j| j != i) {
                let factor = a[j][i] / a[i][i];
                (0..=k).for_each(|c| a[j][c] -= factor * a[i][c]);
            }
        }
        let b: Vec<f64> = (0..k).map(|i| a[i][k] / a[i][i]).collect();
        let off = |row: usize| y[row] - (0..k).map(|i| b[i] * entry(row, i)).sum::<f64>();
        let left: f64 = (0..n).map(|row| off(row) * off(row)).sum();
        (b, (left / (n - k) as f64).sqrt())
    }

    #[test]
    fn a_line_by_hand() {
        // Through (0, 1), (1, 2), (2, 6): the slope is 2.5, and 1.5 is left with one degree of freedom.
        let found = line(&[&[0.0, 1.0, 2.0], &[1.0, 2.0, 6.0]]);
        assert_eq!((found.intercept, &found.coefficients[..]), (0.5, &[2.5][..]));
        assert!((found.sd - 1.5_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn what_cannot_be_told_is_left_out_and_nothing_is_nan() {
        let (x, y) = ([1.0, 2.0, 4.0, 8.0, 9.0], [2.0, 3.0, 7.0, 5.0, 1.0]);
        let alone = line(&[&x, &y]);
        let twice = x.map(|x| 3.0 * x - 1.0);
        let both = line(&[&x, &twice, &y]);
        assert_eq!((both.coefficients[1], both.sd), (0.0, alone.sd), "no degree of freedom is lost");
        assert!((both.coefficients[0] - alone.coefficients[0]).abs() < 1e-12);
        let constant = line(&[&[0.1; 5], &y]);
        assert_eq!((constant.coefficients[0], constant.intercept), (0.0, 3.6));
        assert_eq!(line(&[&x, &[0.1; 5]]), Regression { intercept: 0.1, coefficients: vec![0.0], sd: 0.0 });
        let exact = line(&[&x, &x.map(|x| 2.0 * x + 1.0)]);
        assert_eq!((exact.sd, exact.coefficients[0]), (0.0, 2.0));
        assert!((exact.intercept - 1.0).abs() < 1e-14);
    }

    #[test]
    fn numbers_of_any_size_are_no_trouble() {
        let x = [-1.5e308, 1.7e308, 0.3e308, -0.2e308];
        let found = line(&[&x, &x.map(|x| x * 1e-308)]);
        assert!((found.coefficients[0] - 1e-308).abs() < 1e-320 && found.sd.abs() < 1e-15);
        let tiny = [1e-300, 3e-300, 2e-300, 5e-300];
        let found = line(&[&tiny, &tiny]);
        assert_eq!((found.coefficients[0], found.sd), (1.0, 0.0));
        // An offset of a million million hides no slope.
        let found = line(&[&[1e12, 1e12 + 1.0, 1e12 + 2.0, 1e12 + 3.0], &[0.0, 3.0, 5.0, 9.0]]);
        assert!((found.coefficients[0] - 2.9).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn a_coefficient_too_large_for_a_number_is_an_error() {
        let column = |name, numbers: [f64; 4]| (Variable::continuous(name), Column::Real(numbers.to_vec()));
        let data = Dataset::new(vec![
            column("x", [1e-300, 3e-300, 2e-300, 5e-300]),
            column("y", [1e300, 3e300, 2e300, 5e300]),
        ])
        .unwrap();
        let dag = Dag::from_arcs(2, [(Var(0), Var(1))]).unwrap();
        let said = fit(&data, &dag, Prior::None, &crate::Silent).unwrap_err().to_string();
        assert!(said.contains("\"y\" has a number too large"), "{said}");
    }

    fn columns() -> impl Strategy<Value = Vec<Vec<f64>>> {
        (1_usize..4, 6_usize..30)
            .prop_flat_map(|(k, n)| prop::collection::vec(prop::collection::vec(-100.0_f64..100.0, n), k))
    }

    proptest! {
        #[test]
        fn it_is_that_of_the_normal_equations_in_any_order(columns in columns(), seed: u64) {
            let lists: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
            let found = line(&lists);
            let (b, sd) = naive(&lists);
            let near = |x: f64, y: f64| (x - y).abs() <= 1e-7 * (1.0 + y.abs());
            prop_assert!(near(found.intercept, b[0]) && near(found.sd, sd), "{:?} {:?} {}", found, b, sd);
            prop_assert!(found.coefficients.iter().zip(&b[1..]).all(|(x, y)| near(*x, *y)));
            let mut rows: Vec<u32> = (0..lists[0].len() as u32).collect();
            Sequence::new(seed).shuffle(&mut rows);
            prop_assert_eq!(regress(&lists, &rows), found, "to the last bit");
        }

        #[test]
        fn no_columns_make_it_anything_but_finite(
            columns in prop::collection::vec(prop::collection::vec(
                prop_oneof![Just(0.0), Just(1.0), Just(1e16), Just(1.0 + f64::EPSILON), -1.0_f64..1.0], 5), 1..5),
        ) {
            let lists: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
            for n in 1..=5 {
                let rows: Vec<u32> = (0..n).collect();
                let found = over_all(&lists, &rows);
                let numbers = found.coefficients.iter().chain([&found.intercept, &found.sd]);
                prop_assert!(numbers.clone().all(|x| x.is_finite()), "{:?}", found);
            }
        }
    }
}
