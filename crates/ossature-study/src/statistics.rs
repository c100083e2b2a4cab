//! Statistics of several comparisons: Holm's adjustment, confidence intervals, and the ranks of three or
//! more learners.

use std::f64::consts::{FRAC_2_PI, PI};

use crate::signed_rank::same;
use crate::summary::{Measure, Spread};

/// The confidence of intervals.
const CONFIDENCE: f64 = 0.95;

/// P-values adjusted for their number, in their order.
///
/// Holm (1979), "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6:
/// the smallest is multiplied by the number of tests, the next by one less, and none is smaller than the one before.
///
/// ```
/// assert_eq!(ossature_study::holm(&[0.01, 0.5, 0.02]), [0.03, 0.5, 0.04]);
/// ```
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
    let (mut adjusted, mut before) = (vec![0.0; p.len()], 0.0f64);
    for (done, &i) in order.iter().enumerate() {
        before = before.max((p[i] * (p.len() - done) as f64).min(1.0));
        adjusted[i] = before;
    }
    adjusted
}

/// The interval of a mean by the t distribution; `None` for fewer than two values.
pub(crate) fn confidence(spread: Spread) -> Option<(f64, f64)> {
    let half = critical_t(spread.n - 1)? * spread.sd? / (spread.n as f64).sqrt();
    Some((spread.mean - half, spread.mean + half))
}

/// The value that the absolute Student's t with `df` degrees of freedom exceeds with probability 5
/// %.
fn critical_t(df: usize) -> Option<f64> {
    if df == 0 {
        return None;
    }
    let (mut low, mut high) = (1.0f64, 20.0f64);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if within(middle, df) < CONFIDENCE { low = middle } else { high = middle }
    }
    Some(high)
}

/// The probability that the absolute Student's t is at most this: the finite sums of Abramowitz & Stegun (1964),
/// 26.7.3 and 26.7.4.
fn within(t: f64, df: usize) -> f64 {
    let angle = libm::atan(t / (df as f64).sqrt());
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    let odd = df % 2 == 1;
    let mut term = if odd { cosine } else { 1.0 };
    let mut sum = if df == 1 { 0.0 } else { term };
    // The last power of the cosine is df - 2.
    for k in (if odd { 3 } else { 2 }..df.saturating_sub(1)).step_by(2) {
        term *= cosine * cosine * (k - 1) as f64 / k as f64;
        sum += term;
    }
    if odd { FRAC_2_PI * (angle + sine * sum) } else { sine * sum }
}

/// Learners sorted by their mean ranks over networks.
///
/// Demšar (2006), "Statistical comparisons of classifiers over multiple data sets", JMLR 7: Friedman's test says
/// whether the ranks are more than chance; learners whose mean ranks differ by more than Nemenyi's critical difference
/// differ significantly.
#[derive(Debug, Clone)]
pub struct Ranking {
    /// What is measured.
    pub measure: &'static Measure,
    /// The size.
    pub size: usize,
    /// Each learner and its mean rank; 1 is best.
    pub ranks: Vec<(String, f64)>,
    /// The number of networks on which all were measured.
    pub networks: usize,
    /// Friedman's test.
    pub p: f64,
    /// The critical difference at 5 %; `None` for more than twenty learners.
    pub critical: Option<f64>,
}

/// Nemenyi's critical values at 5 % for 2 to 20 learners: the studentised range for infinite degrees of freedom,
/// divided by the square root of 2.
const NEMENYI: [f64; 19] = [
    1.959_964, 2.343_701, 2.569_032, 2.727_774, 2.849_705, 2.948_32, 3.030_879, 3.101_73, 3.163_684,
    3.218_654, 3.268_004, 3.312_739, 3.353_618, 3.391_23, 3.426_041, 3.458_425, 3.488_685, 3.517_073,
    3.543_799,
];

impl Ranking {
    /// The ranking from the values of these learners on each network, where less is better; `None` for fewer than
    /// two networks.
    pub(crate) fn of(
        measure: &'static Measure,
        size: usize,
        learners: &[&str],
        table: &[Vec<f64>],
    ) -> Option<Ranking> {
        let (n, k) = (table.len() as f64, learners.len() as f64);
        if table.len() < 2 {
            return None;
        }
        let rows: Vec<Vec<f64>> = table.iter().map(|row| ranked(row)).collect();
        let mean = |j: usize| rows.iter().map(|row| row[j]).sum::<f64>() / n;
        let means: Vec<f64> = (0..learners.len()).map(mean).collect();
        // With ranks that are shared the variance is that of the ranks there are.
        let expected = (k + 1.0) / 2.0;
        let between: f64 = means.iter().map(|r| (r - expected) * (r - expected)).sum::<f64>() * n * n;
        let within: f64 = rows.iter().flatten().map(|r| (r - expected) * (r - expected)).sum();
        let statistic = if within > 0.0 { (k - 1.0) * between / within } else { 0.0 };
        let mut ranks: Vec<(String, f64)> =
            learners.iter().map(|name| (*name).to_owned()).zip(means).collect();
        ranks.sort_by(|a, b| a.1.total_cmp(&b.1));
        Some(Ranking {
            measure,
            size,
            ranks,
            networks: table.len(),
            p: chi_square_above(statistic, learners.len() - 1),
            critical: NEMENYI.get(learners.len() - 2).map(|q| q * (k * (k + 1.0) / (6.0 * n)).sqrt()),
        })
    }

    /// Groups of consecutive learners that do not differ, each by its first and last index; groups within another
    /// are left out.
    pub(crate) fn alike(&self) -> Vec<(usize, usize)> {
        let Some(critical) = self.critical else { return Vec::new() };
        let mut groups: Vec<(usize, usize)> = Vec::new();
        for first in 0..self.ranks.len() {
            let reach = |(_, rank): &(String, f64)| rank - self.ranks[first].1 <= critical;
            let last = self.ranks.iter().rposition(reach).unwrap_or(first);
            if last > first && groups.last().is_none_or(|&(_, before)| last > before) {
                groups.push((first, last));
            }
        }
        groups
    }
}

/// The rank of each value, 1 the smallest; equal ones share the mean of theirs.
fn ranked(values: &[f64]) -> Vec<f64> {
    let rank = |x: &f64| {
        let below = values.iter().filter(|y| **y < *x && !same(**y, *x)).count() as f64;
        let equal = values.iter().filter(|y| same(**y, *x)).count() as f64;
        below + (equal + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

/// The probability that chi-square with `df` degrees of freedom is above this: Abramowitz & Stegun (1964), 26.4.4 and
/// 26.4.5.
fn chi_square_above(x: f64, df: usize) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let (half, even) = (x / 2.0, df.is_multiple_of(2));
    let mut term = if even { libm::exp(-half) } else { libm::exp(-half) * (half / PI).sqrt() * 2.0 };
    let mut sum = if even { term } else { libm::erfc(half.sqrt()) };
    let terms = if even { df / 2 - 1 } else { (df - 1) / 2 };
    for i in 1..=terms {
        if even {
            term *= half / i as f64;
            sum += term;
        } else {
            sum += term;
            term *= half / (i as f64 + 0.5);
        }
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::measure;

    fn close(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() <= by, "{a} {b}");
    }

    #[test]
    fn holm_is_monotone_and_at_most_one() {
        assert_eq!(holm(&[]), [0.0; 0]);
        // The example of R's p.adjust documentation is random; this one is worked by hand.
        assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
        assert_eq!(holm(&[0.6, 0.7]), [1.0, 1.0]);
    }

    /// Printed in every table of Student's t: two-sided, 5 %.
    #[test]
    fn critical_values_of_t_are_those_of_the_tables() {
        for (df, t) in [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (7, 2.365), (9, 2.262), (30, 2.042)]
        {
            close(critical_t(df).unwrap(), t, 5e-4);
        }
        assert_eq!(critical_t(0), None);
        let interval = confidence(Spread { mean: 10.0, sd: Some(2.0), n: 4 }).unwrap();
        close(interval.1 - 10.0, 3.182, 5e-4);
    }

    /// Printed in every table of chi-square.
    #[test]
    fn tails_of_chi_square_are_those_of_the_tables() {
        for (df, x) in [(1, 3.841), (2, 5.991), (3, 7.815), (4, 9.488), (5, 11.070), (8, 15.507)] {
            close(chi_square_above(x, df), 0.05, 5e-5);
        }
        assert_eq!(chi_square_above(0.0, 3), 1.0);
    }

    /// The ranks of the example of Demšar (2006), table 6, lead to a critical difference of 1.25 for four
    /// learners on fourteen networks.
    #[test]
    fn the_critical_difference_is_the_published_one() {
        let table: Vec<Vec<f64>> = (0..14).map(|_| vec![1.0, 3.0, 3.0, 4.0]).collect();
        let ranking = Ranking::of(measure("shd"), 50, &["a", "b", "c", "d"], &table).unwrap();
        close(ranking.critical.unwrap(), 1.25, 5e-3);
        assert_eq!(ranking.ranks[0], ("a".to_owned(), 1.0));
        assert!(ranking.p < 0.001);
        assert_eq!(ranking.alike(), [(1, 2)], "b and c share ranks, a and d are apart");
    }

    #[test]
    fn learners_that_are_alike_share_their_ranks() {
        let table = vec![vec![5.0; 3]; 4];
        let ranking = Ranking::of(measure("shd"), 50, &["a", "b", "c"], &table).unwrap();
        assert!(ranking.ranks.iter().all(|(_, rank)| *rank == 2.0));
        assert_eq!((ranking.p, ranking.alike()), (1.0, vec![(0, 2)]));
        assert!(Ranking::of(measure("shd"), 50, &["a", "b", "c"], &table[..1]).is_none());
    }
}
