//! `qnml`: the likelihood, normalised by how well any data with as many rows can be fitted.

use super::configurations::Configurations;
use super::grid::Grid;
use super::table_score::{Criterion, FamilyCounts, SLACK};
use crate::counts::NLogN;

/// From this ratio on, ln c is lost in rounding.
const VERY_MANY: f64 = 1e12;

/// G(S) = Σ n ln n over the configurations of S, minus C(n, K): the logarithm of the sum, over all data of n
/// rows, of the likelihood under the distribution of K values that fits it best. The score of a family is G(X
/// ∪ Pa) − G(Pa).
///
/// Silander, Leppä-aho, Jääsaari & Roos (2018), "Quotient normalized maximum likelihood criterion for
/// learning Bayesian network structures", AISTATS; C by the approximation of Szpankowski & Weinberger (2012),
/// doi:10.1109/TIT.2012.2195769, valid for any K.
#[derive(Debug)]
pub(super) struct Qnml {
    pub(super) grid: Grid,
    pub(super) f: NLogN,
    pub(super) rows: f64,
}

impl Qnml {
    fn of_set(&self, counts: &[u32], configurations: Configurations) -> f64 {
        let fit = self.f.to_f64(self.f.sum(counts));
        self.grid.round(fit) - self.grid.round(complexity(self.rows, configurations))
    }
}

/// C(n, K).
fn complexity(n: f64, values: Configurations) -> f64 {
    let k = values.to_f64();
    if k <= 1.0 {
        return 0.0;
    }
    let a = k / n;
    if a > VERY_MANY {
        // Exact to the last bit: (a + 2) ln c − 1 / c is then 1 / a, and c is 1.
        return n * (values.ln() - libm::log(n));
    }
    let c = 0.5 + 0.5 * libm::sqrt(1.0 + 4.0 / a);
    n * (libm::log(a) + (a + 2.0) * libm::log(c) - 1.0 / c) - 0.5 * libm::log(c + 2.0 / a)
}

impl Criterion for Qnml {
    fn local(&self, family: &FamilyCounts<'_>) -> f64 {
        self.of_set(family.joint, family.joint_configurations())
            - self.of_set(family.parents, family.configurations)
    }

    /// The likelihood is at most 1, and the complexity of a distribution of more values is not smaller.
    fn ceiling(&self, _: usize, _: f64, _: u64) -> f64 {
        SLACK
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum itself for two values, and Kontkanen & Myllymäki's recurrence C(n, K + 2) = C(n, K + 1) + n /
    /// K C(n, K) for more.
    fn by_sum(n: u32, k: usize) -> f64 {
        let power = |h: u32| {
            let p = f64::from(h) / f64::from(n);
            if h == 0 { 1.0 } else { libm::pow(p, f64::from(h)) }
        };
        let choose = |h: u32| {
            libm::exp(
                libm::lgamma(f64::from(n) + 1.0)
                    - libm::lgamma(f64::from(h) + 1.0)
                    - libm::lgamma(f64::from(n - h) + 1.0),
            )
        };
        let two: f64 = (0..=n).map(|h| choose(h) * power(h) * power(n - h)).sum();
        let mut values = vec![0.0, 1.0, two];
        for j in 1..k {
            values.push(values[j + 1] + f64::from(n) / j as f64 * values[j]);
        }
        libm::log(values[k])
    }

    #[test]
    fn the_complexity_is_near_the_sum_itself() {
        for n in [50, 500] {
            for k in [2, 3, 10, 40, 90] {
                let (ours, exact) = (complexity(f64::from(n), Configurations::of([k])), by_sum(n, k));
                assert!((ours - exact).abs() < 0.1, "{n} {k}: {ours} {exact}");
            }
        }
        assert_eq!(complexity(100.0, Configurations::of([1])), 0.0);
        // Each further binary variable doubles the number of values, before and after the logarithm takes
        // over.
        let step = |n: usize| {
            complexity(100.0, Configurations::of(vec![2; n + 1]))
                - complexity(100.0, Configurations::of(vec![2; n]))
        };
        for n in [40, 46, 47, 127, 128, 1100] {
            assert!((step(n) - 100.0 * std::f64::consts::LN_2).abs() < 0.02, "{n}: {}", step(n));
        }
    }
}
