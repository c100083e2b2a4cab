//! Intervals that preserve the information columns carry about each other: A. J. Hartemink, Principled
//! computational methods for the validation and discovery of genetic regulatory networks, PhD thesis, MIT 2001,
//! hdl:1721.1/8699.
//!
//! Every column is cut into many intervals of about equally many rows. Then, in rounds, each column merges the two
//! neighbouring intervals that cost it the least mutual information with all other columns. All columns choose before
//! any of them changes, so their order does not matter.

use super::Method;
use super::discretise::{interval, xlogx};
use super::joint::MISSING;
use crate::error::{Error, Result};
use crate::parallel;

/// The largest total number of entries in the tables of all pairs.
const MAX_ENTRIES: u64 = 1 << 28;

/// Losses that differ by less count as equal; the rest is rounding.
const TIE: f64 = 1e-12;

/// A column on its way to fewer intervals.
#[derive(Debug)]
pub(super) struct Moving {
    codes: Vec<u32>,
    cuts: Vec<f64>,
    intervals: usize,
}

impl Moving {
    /// A column of numbers (NaN is missing) that starts with `start` intervals and ends with `intervals`.
    pub(super) fn new(numbers: &[f64], intervals: usize, start: usize) -> Moving {
        let mut known: Vec<f64> = numbers.iter().copied().filter(|x| !x.is_nan()).collect();
        let cuts = Method::Quantile(start).cuts(&mut known);
        let code = |&x: &f64| if x.is_nan() { MISSING } else { interval(&cuts, x) as u32 };
        Moving { codes: numbers.iter().map(code).collect(), cuts, intervals }
    }

    fn is_done(&self) -> bool {
        self.cuts.len() < self.intervals
    }
}

/// How often each interval of a column occurs with each level of another.
#[derive(Debug)]
struct Pair {
    /// A row for each interval of the column.
    counts: Vec<Vec<u32>>,
    rows: u32,
}

impl Pair {
    fn new(codes: &[u32], intervals: usize, other: &[u32], levels: usize) -> Pair {
        let mut pair = Pair { counts: vec![vec![0; levels]; intervals], rows: 0 };
        for (&x, &y) in codes.iter().zip(other) {
            if x != MISSING && y != MISSING {
                pair.counts[x as usize][y as usize] += 1;
                pair.rows += 1;
            }
        }
        pair
    }

    /// The mutual information lost by merging an interval with the next one.
    fn loss(&self, at: usize) -> f64 {
        let (mut sum, mut left, mut right) = (0.0, 0, 0);
        for (&a, &b) in self.counts[at].iter().zip(&self.counts[at + 1]) {
            if a > 0 && b > 0 {
                sum += xlogx(a) + xlogx(b) - xlogx(a + b);
            }
            left += a;
            right += b;
        }
        let whole = xlogx(left) + xlogx(right) - xlogx(left + right);
        if self.rows == 0 { 0.0 } else { (sum - whole) / f64::from(self.rows) }
    }

    fn join_intervals(&mut self, at: usize) {
        let gone = self.counts.remove(at + 1);
        self.counts[at].iter_mut().zip(gone).for_each(|(n, more)| *n += more);
    }

    fn join_levels(&mut self, at: usize) {
        for row in &mut self.counts {
            let gone = row.remove(at + 1);
            row[at] += gone;
        }
    }
}

/// The cuts of columns, given in the order of their names, as are the columns whose codes do not change. `look`
/// decides after each round whether to go on.
pub(super) fn cuts(
    mut columns: Vec<Moving>,
    fixed: &[Vec<u32>],
    look: &dyn Fn() -> Result<()>,
) -> Result<Vec<Vec<f64>>> {
    let levels: Vec<usize> = fixed.iter().map(|codes| levels(codes)).collect();
    check_size(&columns, &levels)?;
    let sizes: Vec<usize> = columns.iter().map(|c| c.cuts.len() + 1).collect();
    let others = |i: usize| -> Vec<Pair> {
        let (mine, size) = (&columns[i].codes, sizes[i]);
        let moving = columns.iter().zip(&sizes).map(|(c, &levels)| Pair::new(mine, size, &c.codes, levels));
        let fixed = fixed.iter().zip(&levels).map(|(codes, &levels)| Pair::new(mine, size, codes, levels));
        moving.chain(fixed).collect()
    };
    // For each column its tables with all columns; that with itself is there too, and passed over.
    let mut pairs: Vec<Vec<Pair>> = parallel::map(columns.len(), others);
    while !columns.iter().all(Moving::is_done) {
        look()?;
        let choice = |i: usize| {
            let loss = |at: usize| -> f64 {
                let others = pairs[i].iter().enumerate().filter(|(j, _)| *j != i);
                others.map(|(_, pair)| pair.loss(at)).sum()
            };
            let losses = || (0..columns[i].cuts.len()).map(loss).collect::<Vec<f64>>();
            (!columns[i].is_done()).then(|| least(losses().into_iter()))
        };
        let joined: Vec<Option<usize>> = parallel::map(pairs.len(), choice);
        parallel::for_each_mut(&mut pairs, |i, tables| {
            for (j, pair) in tables.iter_mut().enumerate() {
                joined[i].iter().for_each(|&at| pair.join_intervals(at));
                joined.get(j).copied().flatten().iter().for_each(|&at| pair.join_levels(at));
            }
        });
        for (column, at) in columns.iter_mut().zip(&joined) {
            if let Some(at) = *at {
                column.cuts.remove(at);
            }
        }
    }
    Ok(columns.into_iter().map(|column| column.cuts).collect())
}

/// The index of the smallest number, the first one up to rounding.
fn least(numbers: impl Iterator<Item = f64> + Clone) -> usize {
    let least = numbers.clone().fold(f64::INFINITY, f64::min);
    numbers.enumerate().find(|(_, x)| *x <= least + TIE).map_or(0, |(at, _)| at)
}

fn levels(codes: &[u32]) -> usize {
    codes.iter().filter(|&&code| code != MISSING).max().map_or(1, |&code| code as usize + 1)
}

fn check_size(columns: &[Moving], fixed: &[usize]) -> Result<()> {
    let sizes = || columns.iter().map(|column| column.cuts.len() as u128 + 1);
    let all: u128 = sizes().sum::<u128>() + fixed.iter().map(|&n| n as u128).sum::<u128>();
    let size = sizes().sum::<u128>() * all;
    if size > u128::from(MAX_ENTRIES) {
        let what = format!("discretising {} columns by their information about each other", columns.len());
        return Err(Error::TooLarge { what, size, limit: MAX_ENTRIES });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const START: usize = 6;

    /// The definition: mutual information counted from the rows for every pair of intervals that could be joined.
    fn naive(numbers: &[Vec<f64>], fixed: &[Vec<u32>], wanted: usize) -> Vec<Vec<f64>> {
        let start = |column: &Vec<f64>| Method::Quantile(START).cuts(&mut column.clone());
        let mut cuts: Vec<Vec<f64>> = numbers.iter().map(start).collect();
        let code = |column: &[f64], cuts: &[f64]| -> Vec<u32> {
            column.iter().map(|&x| interval(cuts, x) as u32).collect()
        };
        let information = |x: &[u32], y: &[u32]| -> f64 {
            let n = x.len() as f64;
            let share = |f: &dyn Fn(usize) -> bool| (0..x.len()).filter(|&r| f(r)).count() as f64 / n;
            let mut sum = 0.0;
            for a in 0..START as u32 {
                for b in 0..START as u32 {
                    let both = share(&|r| x[r] == a && y[r] == b);
                    if both > 0.0 {
                        sum += both * (both / (share(&|r| x[r] == a) * share(&|r| y[r] == b))).ln();
                    }
                }
            }
            sum
        };
        while cuts.iter().any(|c| c.len() >= wanted) {
            let now: Vec<Vec<u32>> = numbers.iter().zip(&cuts).map(|(x, c)| code(x, c)).collect();
            let choose = |i: usize| -> Option<usize> {
                if cuts[i].len() < wanted {
                    return None;
                }
                let kept = |at: usize| -> f64 {
                    let mut fewer = cuts[i].clone();
                    fewer.remove(at);
                    let mine = code(&numbers[i], &fewer);
                    let others = now.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, y)| y);
                    others.chain(fixed).map(|y| information(&mine, y)).sum()
                };
                let all: Vec<f64> = (0..cuts[i].len()).map(kept).collect();
                let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                all.iter().position(|&k| k >= most - 1e-12)
            };
            let joined: Vec<Option<usize>> = (0..cuts.len()).map(choose).collect();
            for (cuts, at) in cuts.iter_mut().zip(joined) {
                at.into_iter().for_each(|at| assert!(cuts.remove(at).is_finite()));
            }
        }
        cuts
    }

    fn found(numbers: &[Vec<f64>], fixed: &[Vec<u32>], wanted: usize) -> Vec<Vec<f64>> {
        let moving = numbers.iter().map(|x| Moving::new(x, wanted, START)).collect();
        cuts(moving, fixed, &|| Ok(())).unwrap()
    }

    #[test]
    fn what_the_other_column_tells_is_kept() {
        let x: Vec<f64> = (0..60).map(f64::from).collect();
        // The other changes at 20 alone: no quantile:2 would cut there.
        let y: Vec<u32> = (0..60).map(|i| u32::from(i >= 20)).collect();
        assert_eq!(found(&[x], &[y], 2), [[20.0]]);
    }

    #[test]
    fn too_many_columns_are_refused_before_the_work() {
        let x: Vec<f64> = (0..400).map(f64::from).collect();
        let moving = (0..50).map(|_| Moving::new(&x, 2, 400)).collect();
        let said = cuts(moving, &[], &|| Ok(())).unwrap_err().to_string();
        assert!(said.contains("50 columns"), "{said}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn it_is_the_definition_in_any_order(
            rows in prop::collection::vec((0_i8..40, -3_i8..3, 0_u32..3), 8..60), wanted in 2_usize..4,
        ) {
            let columns = |rows: &[(i8, i8, u32)]| {
                let x: Vec<f64> = rows.iter().map(|r| f64::from(r.0)).collect();
                let y: Vec<f64> = rows.iter().map(|r| f64::from(r.0 / 7 + r.1)).collect();
                (vec![x, y], vec![rows.iter().map(|r| r.2).collect::<Vec<u32>>()])
            };
            let (numbers, fixed) = columns(&rows);
            let cuts = found(&numbers, &fixed, wanted);
            let clear = naive(&numbers, &fixed, wanted);
            let backwards: Vec<_> = rows.iter().rev().copied().collect();
            let (numbers, fixed) = columns(&backwards);
            prop_assert_eq!(&found(&numbers, &fixed, wanted), &cuts);
            prop_assert!(cuts.iter().all(|c| c.len() < wanted));
            prop_assert_eq!(cuts, clear);
        }
    }
}
