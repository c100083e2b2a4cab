//! A table prepared for correlations.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::whole::WholeColumn;
use crate::counts::Simd;
use crate::data::{Column, Dataset, Var, Variable};
use crate::error::{Error, Result};

/// The largest size in bytes of the cached correlations of all pairs.
const MOST_KEPT: usize = 1 << 30;

/// The largest number of columns of a table: discrete variables have one for each level but one.
const MOST_COLUMNS: usize = 200_000;

/// Correlations of columns, by number.
pub trait Correlations {
    /// The correlation of two columns; 0 for a column without variance, even with itself.
    fn correlation(&self, i: usize, j: usize) -> f64;
}

/// The columns of a table as numbers, and their correlations, each computed on first use.
///
/// ```
/// use ossature::moments::{Correlations, Moments};
/// use ossature::{Column, Dataset, Var, Variable};
///
/// let data = Dataset::new(vec![
///     (Variable::continuous("x"), Column::Real(vec![1.0, 2.0, 3.0, 4.0])),
///     (Variable::continuous("y"), Column::Real(vec![-2.0, -4.0, -6.0, -8.0])),
/// ])?;
/// let moments = Moments::new(&data)?;
/// let (x, y) = (moments.columns(Var(0)).start, moments.columns(Var(1)).start);
/// assert_eq!(moments.correlation(x, y), -1.0);
/// # Ok::<(), ossature::Error>(())
/// ```
pub struct Moments<'a> {
    data: &'a Dataset,
    /// The index of the first column of each variable, and the end of the last.
    starts: Vec<usize>,
    columns: Vec<WholeColumn>,
    /// The root of the sum of squares of each column.
    lengths: Vec<f64>,
    /// For each variable with missing values, −1 for the rows with a value and 0 for those without; empty in
    /// a complete table.
    known: Vec<Option<Vec<i32>>>,
    /// The correlations computed so far, as bits; 0 means not computed.
    kept: Box<[AtomicU64]>,
    simd: Simd,
}

impl<'a> Moments<'a> {
    /// Prepares a table.
    pub fn new(data: &'a Dataset) -> Result<Moments<'a>> {
        Moments::prepare(data, indicators)
    }

    /// Prepares the continuous columns of a table; discrete variables have no columns.
    pub(crate) fn of_continuous(data: &'a Dataset) -> Result<Moments<'a>> {
        Moments::prepare(data, |_, _, _| std::iter::empty())
    }

    /// Prepares a table with these columns for each discrete variable.
    fn prepare<C: Iterator<Item = WholeColumn>>(
        data: &'a Dataset,
        of_discrete: impl Fn(&'a Dataset, Var, &'a Column) -> C,
    ) -> Result<Moments<'a>> {
        let (mut starts, mut columns) = (vec![0], Vec::new());
        for v in data.vars() {
            match data.column(v) {
                Column::Real(numbers) => columns.push(WholeColumn::new(numbers)),
                codes => columns.extend(of_discrete(data, v, codes)),
            }
            if columns.len() > MOST_COLUMNS {
                return Err(Error::TooLarge {
                    what: "a column for each level but one of every discrete variable".into(),
                    size: columns.len() as u128,
                    limit: MOST_COLUMNS as u64,
                });
            }
            starts.push(columns.len());
        }
        let simd = Simd::detect();
        let lengths = columns.iter().map(|c| (c.product(c, simd) as f64).sqrt()).collect();
        let pairs = columns.len() * (columns.len() + 1) / 2;
        let kept = if pairs <= MOST_KEPT / size_of::<u64>() { pairs } else { 0 };
        // All bits are 0, so the system provides the memory when it is first written to.
        let kept = vec![0u64; kept].into_iter().map(AtomicU64::new).collect();
        let known = |v: Var| {
            let known = |row: usize| -i32::from(data.is_known(row, v));
            (data.gaps(v) > 0).then(|| (0..data.rows()).map(known).collect())
        };
        let known = if data.is_complete() { Vec::new() } else { data.vars().map(known).collect() };
        Ok(Moments { data, starts, columns, lengths, known, kept, simd })
    }

    /// The variables, in their canonical order.
    pub fn variables(&self) -> &'a [Variable] {
        self.data.variables()
    }

    /// The table.
    pub(crate) fn data(&self) -> &'a Dataset {
        self.data
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.data.rows()
    }

    /// The columns of a variable.
    pub fn columns(&self, v: Var) -> Range<usize> {
        self.starts[v.index()]..self.starts[v.index() + 1]
    }

    /// The total number of columns.
    pub(crate) fn width(&self) -> usize {
        self.columns.len()
    }

    /// The columns of these variables, one variable after another.
    pub(crate) fn all_columns<'v>(&'v self, variables: &'v [Var]) -> impl Iterator<Item = usize> + 'v {
        variables.iter().flat_map(|&v| self.columns(v))
    }

    /// Whether a column has more than one value.
    pub fn varies(&self, column: usize) -> bool {
        self.lengths[column] > 0.0
    }

    /// The mean of a column in a complete table.
    pub fn mean(&self, column: usize) -> f64 {
        self.columns[column].mean(self.rows())
    }

    /// The natural logarithm of the standard deviation of a column that varies, with the number of
    /// rows as divisor.
    pub fn ln_deviation(&self, column: usize) -> f64 {
        self.ln_length(column, self.lengths[column] / (self.rows() as f64).sqrt())
    }

    /// The logarithm of a length, given in the whole numbers of a column.
    pub(super) fn ln_length(&self, column: usize, length: f64) -> f64 {
        libm::log(length) + f64::from(self.columns[column].exponent()) * std::f64::consts::LN_2
    }

    /// The whole number of a column in a row, minus their mean.
    pub(super) fn whole(&self, column: usize, row: usize) -> i64 {
        self.columns[column].value(row)
    }

    /// The rows that are complete in these variables.
    pub(crate) fn complete_rows(&self, variables: &[Var]) -> Vec<u32> {
        let all = 0..self.rows() as u32;
        match self.mask(variables) {
            None => all.collect(),
            Some(mask) => all.filter(|&row| mask[row as usize] != 0).collect(),
        }
    }

    /// −1 for the rows that are complete in these variables and 0 for the others; `None` if all are
    /// complete.
    fn mask(&self, variables: &[Var]) -> Option<Vec<i32>> {
        let mut masks = variables.iter().filter_map(|v| self.known.get(v.index())?.as_ref());
        let mut mask = masks.next()?.clone();
        masks.for_each(|other| mask.iter_mut().zip(other).for_each(|(here, other)| *here &= other));
        Some(mask)
    }

    /// The correlations of the columns of these variables in the rows that are complete in them.
    pub(crate) fn block(&self, variables: &[Var]) -> RowBlock {
        let mask = self.mask(variables).unwrap_or_else(|| vec![-1; self.rows()]);
        let rows = mask.iter().filter(|&&known| known != 0).count();
        let columns: Vec<WholeColumn> =
            self.all_columns(variables).map(|c| self.columns[c].masked(&mask)).collect();
        let m = columns.len();
        let sums: Vec<i128> = columns.iter().map(WholeColumn::sum).collect();
        let mut products = vec![0.0; m * m];
        for i in 0..m {
            for j in i..m {
                let sum = columns[i].sum_of_products(&columns[j], self.simd);
                let product = about_means(sum, sums[i], sums[j], rows);
                (products[i * m + j], products[j * m + i]) = (product, product);
            }
        }
        let lengths: Vec<f64> = (0..m).map(|i| products[i * m + i].sqrt()).collect();
        let r = (0..m * m)
            .map(|at| correlation(products[at], lengths[at / m], lengths[at % m], at / m == at % m))
            .collect();
        RowBlock { r, columns: m, rows }
    }

    /// The sums of products about the means of these rows, in whole numbers, for all pairs of columns.
    pub(super) fn products(&self, columns: &[usize], rows: &[u32]) -> Vec<f64> {
        let m = columns.len();
        let values: Vec<Vec<i64>> =
            columns.iter().map(|&c| rows.iter().map(|&row| self.whole(c, row as usize)).collect()).collect();
        let sums: Vec<i128> =
            values.iter().map(|column| column.iter().map(|&x| i128::from(x)).sum()).collect();
        let mut products = vec![0.0; m * m];
        for i in 0..m {
            for j in i..m {
                let pairs = values[i].iter().zip(&values[j]);
                let sum: i128 = pairs.map(|(&x, &y)| i128::from(x) * i128::from(y)).sum();
                let product = about_means(sum, sums[i], sums[j], rows.len());
                (products[i * m + j], products[j * m + i]) = (product, product);
            }
        }
        products
    }
}

impl Correlations for Moments<'_> {
    fn correlation(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (i.min(j), i.max(j));
        let kept = self.kept.get(j * (j + 1) / 2 + i);
        match kept.map_or(0, |bits| bits.load(Ordering::Relaxed)) {
            0 => {
                let product = self.columns[i].product(&self.columns[j], self.simd) as f64;
                let r = correlation(product, self.lengths[i], self.lengths[j], i == j);
                // Another thread at the same time stores the same value.
                kept.inspect(|bits| bits.store(r.to_bits(), Ordering::Relaxed));
                r
            }
            bits => f64::from_bits(bits),
        }
    }
}

/// A sum of products about the means, from the sum about 0 and the sums of the two columns.
fn about_means(sum: i128, x: i128, y: i128, rows: usize) -> f64 {
    let n = rows.max(1) as i128;
    let mean = |sum: i128| (2 * sum + n).div_euclid(2 * n);
    // About the rounded means, which is exact, and then about the remainders of rounding.
    let about = sum - mean(x) * y - mean(y) * x + n * mean(x) * mean(y);
    let rest = |sum: i128| (sum - n * mean(sum)) as f64;
    about as f64 - rest(x) * rest(y) / n as f64
}

/// The correlation of two columns from the sum of their products; exactly 1 for a column with
/// itself.
fn correlation(product: f64, x: f64, y: f64, same: bool) -> f64 {
    match x > 0.0 && y > 0.0 {
        false => 0.0,
        true if same => 1.0,
        true => (product / x / y).clamp(-1.0, 1.0),
    }
}

/// The correlations of some columns in some rows. The columns are numbered from 0.
#[derive(Debug)]
pub(crate) struct RowBlock {
    r: Vec<f64>,
    columns: usize,
    rows: usize,
}

impl RowBlock {
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }
}

impl Correlations for RowBlock {
    fn correlation(&self, i: usize, j: usize) -> f64 {
        self.r[i * self.columns + j]
    }
}

/// An indicator for each level that occurs except the last, in sorted order.
fn indicators<'c>(data: &'c Dataset, v: Var, codes: &'c Column) -> impl Iterator<Item = WholeColumn> + 'c {
    let levels = data.variable(v).levels();
    let mut occurs = vec![false; levels.len() + 1];
    (0..data.rows()).for_each(|row| occurs[usize::from(codes.code(row))] = true);
    let mut sorted: Vec<usize> = (0..levels.len()).filter(|&level| occurs[level]).collect();
    sorted.sort_unstable_by_key(|&level| &levels[level]);
    sorted.pop();
    let indicator = move |level: usize| {
        let number = |row: usize| match usize::from(codes.code(row)) {
            code if code == levels.len() => f64::NAN,
            code => f64::from(u8::from(code == level)),
        };
        WholeColumn::new(&(0..data.rows()).map(number).collect::<Vec<f64>>())
    };
    sorted.into_iter().map(indicator)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn table(columns: Vec<Vec<f64>>) -> Dataset {
        let named = |(i, numbers)| (Variable::continuous(format!("v{i}")), Column::Real(numbers));
        Dataset::with_gaps(columns.into_iter().enumerate().map(named).collect()).unwrap()
    }

    fn naive(x: &[f64], y: &[f64]) -> f64 {
        let n = x.len() as f64;
        let (a, b) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
        let s = |p: &[f64], a: f64, q: &[f64], b: f64| {
            p.iter().zip(q).map(|(x, y)| (x - a) * (y - b)).sum::<f64>()
        };
        s(x, a, y, b) / (s(x, a, x, a) * s(y, b, y, b)).sqrt()
    }

    #[test]
    fn discrete_variables_may_be_left_out() {
        let mut columns =
            vec![(Variable::new("a", ["0", "1", "2"]).unwrap(), Column::from_codes([0, 1, 2, 1], 3))];
        columns.push((Variable::continuous("x"), Column::Real(vec![1.0, 2.0, 4.0, 3.0])));
        columns.push((Variable::continuous("y"), Column::Real(vec![3.0, 1.0, 4.0, 2.0])));
        let data = Dataset::new(columns).unwrap();
        let (all, some) = (Moments::new(&data).unwrap(), Moments::of_continuous(&data).unwrap());
        assert_eq!((all.width(), some.width(), some.columns(Var(0))), (4, 2, 0..0));
        let of = |m: &Moments<'_>| m.correlation(m.columns(Var(1)).start, m.columns(Var(2)).start);
        assert_eq!(of(&all), of(&some));
    }

    proptest! {
        #[test]
        fn correlations_agree_with_the_formula_and_not_with_the_order(
            rows in prop::collection::vec((-3.0..3.0f64, -1.0..1.0f64, 0u8..8), 8..200),
        ) {
            let x: Vec<f64> = rows.iter().map(|r| r.0).collect();
            let y: Vec<f64> = rows.iter().map(|r| 1e6 + 0.5 * r.0 + r.1).collect();
            let data = table(vec![x.clone(), y.clone()]);
            let r = Moments::new(&data).unwrap().correlation(0, 1);
            prop_assert!((r - naive(&x, &y)).abs() < 1e-9);
            let (mut back_x, mut back_y) = (x.clone(), y.clone());
            back_x.reverse();
            back_y.reverse();
            let turned = table(vec![back_x, back_y]);
            prop_assert_eq!(Moments::new(&turned).unwrap().correlation(0, 1), r);
            // Only some rows are complete in all variables.
            let some: Vec<u32> = (0..rows.len() as u32).filter(|&i| rows[i as usize].2 > 0).collect();
            prop_assume!(some.len() > 3);
            let pick = |c: &[f64]| some.iter().map(|&i| c[i as usize]).collect::<Vec<f64>>();
            let expected = naive(&pick(&x), &pick(&y));
            let gap = |c: &[f64]| c.iter().zip(&rows).map(|(&x, r)| if r.2 > 0 { x } else { f64::NAN }).collect();
            let gaps = table(vec![gap(&x), y]);
            let moments = Moments::new(&gaps).unwrap();
            prop_assert_eq!(&moments.complete_rows(&[Var(0), Var(1)]), &some);
            let found = moments.block(&[Var(0), Var(1)]);
            prop_assert!((found.correlation(0, 1) - expected).abs() < 1e-9 && found.rows() == some.len());
            let products = moments.products(&[0, 1], &some);
            let again = products[1] / products[0].sqrt() / products[3].sqrt();
            prop_assert!((again - found.correlation(0, 1)).abs() < 1e-14);
        }
    }

    #[test]
    fn levels_become_indicators() {
        let data = Dataset::new(vec![
            (Variable::new("a", ["z", "never", "b", "m"]).unwrap(), Column::from_codes([0, 2, 3, 3, 0], 4)),
            (Variable::continuous("x"), Column::Real(vec![2.0; 5])),
        ])
        .unwrap();
        let moments = Moments::new(&data).unwrap();
        assert_eq!((moments.columns(Var(0)), moments.columns(Var(1))), (0..2, 2..3));
        assert!((moments.mean(0) - 0.2).abs() < 1e-12 && (moments.mean(1) - 0.4).abs() < 1e-12);
        assert!(!moments.varies(2) && moments.correlation(2, 2) == 0.0 && moments.correlation(0, 2) == 0.0);
        assert!((moments.ln_deviation(1) - 0.5 * 0.24f64.ln()).abs() < 1e-12);
    }
}
