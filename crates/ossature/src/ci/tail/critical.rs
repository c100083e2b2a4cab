//! Decisions without p-values.
//!
//! The p-value of a small table costs more than counting it. But at a fixed alpha the verdict for one df
//! changes at a single statistic, so that statistic is found once and then compared.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use super::bounds::reaches;
use super::ln_p;

/// Borders are kept for whole dfs up to this one. A table with a larger df takes far longer to count than its
/// ln p to compute.
const KEPT: usize = 1024;

/// Finding a border costs as much as eight evaluations of ln p, or a hundred bounds, so it is done only for a df that is
/// asked for more often than this.
const PATIENCE: u8 = 50;

/// The uncertainty of a comparison, relative to ln alpha. It is well above the error of [`ln_p`], so that outside
/// the border comparing statistics and comparing p-values cannot disagree.
const MARGIN: f64 = 1e-9;

/// Half the relative width of the first try at a border, which the approximate quantile nearly always reaches.
const FIRST_WIDTH: f64 = 0.03;

/// The relative width of a border. The few statistics inside it are decided by their ln p.
const WIDTH: f64 = 0.002;

/// The statistics at which p crosses one alpha, for every df.
///
/// Dependent means p <= alpha, and that is decided in one place, [`CriticalValues::reached_by`], as ln p <=
/// ln alpha. [`CriticalValues::dependent`] always gives the same answer as computing [`ln_p`] and passing it
/// there: if a statistic is too near the border for the comparison to be certain, its ln p is computed. An
/// alpha of 1 or more makes everything dependent, df = 0 included, because p <= 1 always holds.
///
/// A border is found once it is worth the cost. Threads may share this struct; reading a known border takes
/// no lock.
#[derive(Debug)]
pub(in crate::ci) struct CriticalValues {
    alpha: f64,
    ln_alpha: f64,
    /// The normal quantile of alpha, roughly.
    z: f64,
    /// Indexed by df − 1.
    slots: Box<[Slot]>,
}

/// What is known about one df.
#[derive(Debug, Default)]
struct Slot {
    border: OnceLock<Border>,
    /// How often it was asked for without a border, roughly: threads may overlook each other.
    asked: AtomicU8,
}

/// A statistic below `lo` is certainly independent, one above `hi` certainly dependent.
#[derive(Clone, Copy, Debug)]
struct Border {
    lo: f64,
    hi: f64,
}

impl CriticalValues {
    /// For one alpha, which the caller must check to be in (0, 1). If it is 0 or less, or NaN, only an
    /// infinite statistic reaches it.
    pub(in crate::ci) fn new(alpha: f64) -> Self {
        let slots = (0..KEPT).map(|_| Slot::default()).collect();
        let ln_alpha = libm::log(f64::max(alpha, 0.0));
        CriticalValues { alpha, ln_alpha, z: normal_quantile(alpha), slots }
    }

    /// The alpha this was made for.
    pub(in crate::ci) fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Whether a test with this ln p says "dependent": p <= alpha.
    pub(in crate::ci) fn reached_by(&self, ln_p: f64) -> bool {
        ln_p <= self.ln_alpha
    }

    /// Whether a chi-square statistic says "dependent". The same as `self.reached_by(ln_p(statistic, df))`,
    /// but faster.
    #[inline]
    pub(in crate::ci) fn dependent(&self, statistic: f64, df: f64) -> bool {
        // The cast saturates, so only a whole df in range is equal to its index. Signed numbers are converted faster.
        let whole = df as i64;
        let slot = self.slots.get((whole as usize).wrapping_sub(1)).filter(|_| whole as f64 == df);
        match slot.and_then(|slot| slot.border.get()) {
            Some(border) if statistic < border.lo => false,
            Some(border) if statistic > border.hi => true,
            Some(_) => self.reached_by(ln_p(statistic, df)),
            None => {
                slot.inspect(|slot| self.note(slot, df));
                let near = || self.reached_by(ln_p(statistic, df));
                reaches(statistic, df, self.ln_alpha).unwrap_or_else(near)
            }
        }
    }

    /// Finds the border of a df once it is worth the cost.
    fn note(&self, slot: &Slot, df: f64) {
        match slot.asked.load(Ordering::Relaxed) {
            PATIENCE.. => _ = slot.border.get_or_init(|| self.find_border(df)),
            asked => slot.asked.store(asked + 1, Ordering::Relaxed),
        }
    }

    #[cold]
    fn find_border(&self, df: f64) -> Border {
        if self.ln_alpha >= 0.0 {
            return Border { lo: f64::NEG_INFINITY, hi: f64::NEG_INFINITY };
        }
        if self.ln_alpha == f64::NEG_INFINITY {
            return Border { lo: f64::INFINITY, hi: f64::INFINITY };
        }
        let independent = |statistic| ln_p(statistic, df) > self.ln_alpha * (1.0 - MARGIN);
        let dependent = |statistic| ln_p(statistic, df) <= self.ln_alpha * (1.0 + MARGIN);
        let middle = quantile(self.z, df);
        let mut border = Border { lo: middle * (1.0 - FIRST_WIDTH), hi: middle * (1.0 + FIRST_WIDTH) };
        let mut width = FIRST_WIDTH;
        while !independent(border.lo) {
            width *= 2.0;
            // A statistic of 0 is always independent.
            border.lo = f64::max(middle * (1.0 - width), 0.0);
        }
        while !dependent(border.hi) {
            border.hi *= 1.0 + width;
            width *= 2.0;
        }
        while border.hi - border.lo > WIDTH * border.hi {
            let middle = border.lo + (border.hi - border.lo) / 2.0;
            if independent(middle) {
                border.lo = middle;
            } else if dependent(middle) {
                border.hi = middle;
            } else {
                break;
            }
        }
        border
    }
}

/// Roughly the statistic that is reached with the probability of a normal variable above z: the cube root of a
/// chi-square variable is nearly normal (Wilson & Hilferty 1931). Never 0.
fn quantile(z: f64, df: f64) -> f64 {
    let variance = 2.0 / (9.0 * df);
    let root = f64::max(1.0 - variance + z * libm::sqrt(variance), 0.01);
    df * root * root * root
}

/// Roughly the z that a normal variable exceeds with probability alpha (Abramowitz & Stegun 26.2.22); a finite
/// number for any alpha.
fn normal_quantile(alpha: f64) -> f64 {
    let tail = alpha.min(1.0 - alpha).max(f64::MIN_POSITIVE);
    let t = libm::sqrt(-2.0 * libm::log(tail));
    let z = t - (2.307_53 + 0.270_61 * t) / (1.0 + t * (0.992_29 + 0.044_81 * t));
    if alpha > 0.5 { -z } else { z }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Two statistics close together, the first with ln p above `level`, the second with ln p at most `level`.
    /// `level` is negative.
    fn crossing(level: f64, df: f64) -> (f64, f64) {
        let above = |statistic| ln_p(statistic, df) > level;
        let (mut lo, mut hi) = (df, df);
        while !above(lo) {
            lo /= 2.0;
        }
        while above(hi) {
            hi *= 2.0;
        }
        for _ in 0..50 {
            let middle = lo + (hi - lo) / 2.0;
            if above(middle) { lo = middle } else { hi = middle }
        }
        (lo, hi)
    }

    fn alphas() -> impl Strategy<Value = f64> {
        let common = prop::sample::select(vec![0.05, 0.01, 0.001, 0.5, 0.1, 1e-300, 1.0 - f64::EPSILON]);
        prop_oneof![common, 0.0..1.0, (0.0..300.0).prop_map(|digits: f64| 10f64.powf(-digits))]
    }

    fn dfs() -> impl Strategy<Value = f64> {
        prop_oneof![(1u32..=50).prop_map(f64::from), (1u32..=5000).prop_map(f64::from), 0.01..100.0]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]

        /// Checks the identity on the border, where it is most at risk, and at every distance from it.
        #[test]
        fn same_answer_as_the_p_value(alpha in alphas(), df in dfs(), far in 0.0..3.0) {
            let critical = CriticalValues::new(alpha);
            let mut around = vec![df * far, df, 0.0];
            let (below, above) = crossing(critical.ln_alpha.min(-1e-16), df);
            for near in [below, above] {
                around.extend([near, near.next_up(), near.next_down()]);
                for gap in [1e-15, 1e-13, 1e-12, 1e-10, 1e-9, 2e-9, 1e-8, 1e-6, 1e-3, 0.5] {
                    around.extend([near * (1.0 - gap), near * (1.0 + gap)]);
                }
            }
            let Border { lo, hi } = critical.find_border(df);
            for end in [lo, hi] {
                around.extend([end, end.next_up(), end.next_down()]);
            }
            let (fresh, around_again) = (CriticalValues::new(alpha), around.clone());
            for statistic in around {
                let expected = critical.reached_by(ln_p(statistic, df));
                prop_assert_eq!(fresh.dependent(statistic, df), expected, "{} with df {}", statistic, df);
            }
            // Asked often enough near the border for it to be found.
            (0..=PATIENCE).for_each(|_| _ = critical.dependent(above, df));
            let slot = critical.slots.get((df as usize).wrapping_sub(1)).filter(|_| df.fract() == 0.0);
            prop_assert_eq!(slot.is_some_and(|slot| slot.border.get().is_some()), slot.is_some());
            for statistic in around_again {
                let expected = critical.reached_by(ln_p(statistic, df));
                prop_assert_eq!(critical.dependent(statistic, df), expected, "{} with df {}", statistic, df);
            }
        }
    }

    /// Wide borders would preserve the identity too, but gain nothing.
    #[test]
    fn borders_are_narrow_and_on_the_right_side() {
        for alpha in [0.05, 0.001, 0.9, 1e-300] {
            let critical = CriticalValues::new(alpha);
            for df in [1.0, 2.0, 3.0, 30.0, 500.0, 1024.0] {
                let Border { lo, hi } = critical.find_border(df);
                assert!(lo < hi && hi / lo < 1.003, "alpha {alpha}, df {df}: {lo} {hi}");
                assert!(ln_p(lo, df) > critical.ln_alpha && ln_p(hi, df) < critical.ln_alpha);
            }
        }
        let Border { lo, hi } = CriticalValues::new(0.05).find_border(1.0);
        assert!(lo < 3.841_458_820_694_124 && 3.841_458_820_694_124 < hi);
    }

    #[test]
    fn alphas_that_decide_everything() {
        for alpha in [1.0, 2.0, f64::INFINITY] {
            let critical = CriticalValues::new(alpha);
            assert!(
                critical.dependent(0.0, 1.0) && critical.dependent(9.0, 3.0) && critical.dependent(0.0, 0.0)
            );
        }
        for alpha in [0.0, -0.5, f64::NAN] {
            let critical = CriticalValues::new(alpha);
            assert!(!critical.dependent(1e300, 1.0) && !critical.dependent(0.0, 0.0));
            assert!(critical.dependent(f64::INFINITY, 1.0));
        }
    }

    #[test]
    fn no_df_is_independent() {
        let critical = CriticalValues::new(0.999);
        assert!(!critical.dependent(100.0, 0.0) && !critical.dependent(f64::INFINITY, 0.0));
        assert_eq!(critical.alpha(), 0.999);
    }

    #[test]
    fn threads_may_share_it() {
        let critical = CriticalValues::new(0.01);
        let answers =
            || (1..40_000).map(|i| critical.dependent(f64::from(i), f64::from(i % 60))).collect::<Vec<_>>();
        let together = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..4).map(|_| scope.spawn(answers)).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
        });
        assert!(together.iter().all(|each| *each == answers()));
    }
}
