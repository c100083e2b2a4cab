//! Wilcoxon's signed-rank test (1945, doi:10.2307/3001968): whether pairs differ in one direction.

use std::f64::consts::SQRT_2;

/// The largest number of pairs for which the exact distribution is computed; above it is taken as
/// normal.
pub(crate) const EXACT: usize = 200;

/// Numbers that differ by at most this share of the larger are equal up to rounding.
const SAME: f64 = 1e-9;

/// Whether two numbers are equal up to rounding.
pub(crate) fn same(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= SAME * a.abs().max(b.abs()) && a.is_finite() && b.is_finite()
}

/// The two-sided p-value of the differences of pairs; `None` if no pair differs.
///
/// Differences of 0 are left out, infinite ones are the largest. Equal sizes (to a billionth, so that rounding
/// does not separate them) share the mean of their ranks, and the distribution is that of these ranks, so that
/// it is exact with ties too.
///
/// ```
/// use ossature_study::signed_rank;
///
/// // All ten pairs differ in the same direction: 2 / 2^10.
/// let p = signed_rank(&[1., 2., 3., 4., 5., 6., 7., 8., 9., 10.]).unwrap();
/// assert!((p - 2.0 / 1024.0).abs() < 1e-15);
/// ```
pub fn signed_rank(differences: &[f64]) -> Option<f64> {
    let mut sorted: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0 && !d.is_nan()).collect();
    sorted.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    if sorted.is_empty() {
        return None;
    }
    let ranks = doubled_ranks(&sorted);
    let positive: usize = sorted.iter().zip(&ranks).filter(|(d, _)| **d > 0.0).map(|(_, rank)| rank).sum();
    let all: usize = ranks.iter().sum();
    let smaller = positive.min(all - positive);
    let p = if ranks.len() <= EXACT { exact(&ranks, smaller) } else { normal(&ranks, smaller) };
    Some(p.min(1.0))
}

/// Twice the rank of each size, which is a whole number even if sizes are equal.
fn doubled_ranks(sorted: &[f64]) -> Vec<usize> {
    let mut ranks = Vec::with_capacity(sorted.len());
    while ranks.len() < sorted.len() {
        let first = ranks.len();
        let same = sorted[first..].iter().take_while(|d| same(d.abs(), sorted[first].abs())).count();
        ranks.resize(first + same, 2 * first + same + 1);
    }
    ranks
}

/// Twice the probability of a sum of at most this, if each rank is included with probability ½.
fn exact(ranks: &[usize], sum: usize) -> f64 {
    let mut probability = vec![0.0; sum + 1];
    probability[0] = 1.0;
    for &rank in ranks {
        for s in (0..=sum).rev() {
            let with = if s >= rank { probability[s - rank] } else { 0.0 };
            probability[s] = (probability[s] + with) / 2.0;
        }
    }
    2.0 * probability.iter().sum::<f64>()
}

/// The same by the normal distribution, with a correction for continuity.
fn normal(ranks: &[usize], sum: usize) -> f64 {
    let all: usize = ranks.iter().sum();
    let variance: f64 = ranks.iter().map(|&r| (r * r) as f64 / 4.0).sum();
    // Doubled ranks move in steps of 2, so half a step is 1.
    let z = ((all as f64 / 2.0 - sum as f64 - 1.0).max(0.0)) / variance.sqrt();
    libm::erfc(z / SQRT_2)
}

#[cfg(test)]
mod tests {
    use ossature::random::Sequence;
    use proptest::prelude::*;

    use super::*;

    fn close(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() <= by, "{a} {b}");
    }

    /// The depression scores of Hollander & Wolfe (1973), page 29: V = 40, p = 0.03906 of R's documentation.
    #[test]
    #[allow(clippy::approx_constant)] // 3.14 is a depression score
    fn a_textbook_example() {
        let x = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
        let y = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
        let differences: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
        close(signed_rank(&differences).unwrap(), 0.039_062_5, 1e-12);
    }

    /// Tables of the two-sided critical values: n = 8, sum 3 has 0.0391; n = 6, sum 0 has 0.03125.
    #[test]
    fn published_tables() {
        close(signed_rank(&[-1., -2., 3., 4., 5., 6., 7., 8.]).unwrap(), 10.0 / 256.0, 1e-15);
        close(signed_rank(&[1., 2., 3., 4., 5., 6.]).unwrap(), 0.03125, 1e-15);
    }

    #[test]
    fn nothing_to_tell() {
        assert_eq!(signed_rank(&[]), None);
        assert_eq!(signed_rank(&[0.0, 0.0]), None);
        assert_eq!(signed_rank(&[1.0]), Some(1.0));
        assert_eq!(signed_rank(&[1.0, -1.0]), Some(1.0));
    }

    /// Differences of 1/620 come out as several numbers; they are one, so two up and three down are chance.
    #[test]
    fn rounding_does_not_part_what_is_tied() {
        let (x, y) = ([3., 9., 12., 5., 17.], [2., 10., 11., 6., 18.]);
        let d: Vec<f64> = x.iter().zip(y).map(|(x, y)| x / 620.0 - y / 620.0).collect();
        assert!(d.iter().any(|x| x.abs() != d[0].abs()), "they are not equal as they are: {d:?}");
        assert_eq!(signed_rank(&d), Some(1.0));
    }

    #[test]
    fn what_is_infinite_is_the_largest() {
        let p = signed_rank(&[1.0, 2.0, -f64::INFINITY, 3.0, -f64::INFINITY]);
        assert_eq!(p, signed_rank(&[1.0, 2.0, -4.0, 3.0, -4.0]));
        assert_eq!(signed_rank(&[f64::NAN]), None);
    }

    /// Every choice of signs, counted.
    fn by_counting(differences: &[f64]) -> f64 {
        let sorted = {
            let mut d = differences.to_vec();
            d.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
            d
        };
        let ranks = doubled_ranks(&sorted);
        let all: usize = ranks.iter().sum();
        let positive: usize = sorted.iter().zip(&ranks).filter(|(d, _)| **d > 0.0).map(|(_, r)| r).sum();
        let sums = (0..1u32 << ranks.len())
            .map(|signs| (0..ranks.len()).filter(|i| signs >> i & 1 == 1).map(|i| ranks[i]).sum::<usize>());
        let extreme = sums.filter(|s| (*s).min(all - s) <= positive.min(all - positive)).count();
        extreme as f64 / f64::from(1u32 << ranks.len())
    }

    proptest! {
        #[test]
        fn exact_is_exact(signs in prop::collection::vec((1i32..6, any::<bool>()), 1..11)) {
            let d: Vec<f64> = signs.iter().map(|&(x, up)| f64::from(if up { x } else { -x })).collect();
            close(signed_rank(&d).unwrap(), by_counting(&d), 1e-12);
        }

        #[test]
        fn normal_is_near(seed in 0u64..1000) {
            let mut random = Sequence::new(seed);
            let mut next = || random.number() as f64 / f64::from(1u32 << 30) - 0.9;
            let mut d: Vec<f64> = (0..150).map(|_| next()).collect();
            d.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
            let ranks = doubled_ranks(&d);
            let positive: usize = d.iter().zip(&ranks).filter(|(d, _)| **d > 0.0).map(|(_, r)| r).sum();
            let smaller = positive.min(ranks.iter().sum::<usize>() - positive);
            close(exact(&ranks, smaller).min(1.0), normal(&ranks, smaller), 0.004);
        }
    }
}
