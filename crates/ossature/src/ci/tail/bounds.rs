//! Comparisons of p-values without computing them.

use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bounds on ln p are widened by this, relative to their terms: well above the rounding errors of both the bounds and
/// [`ln_p`](super::ln_p).
const MARGIN: f64 = 1e-9;

/// Bounds are computed for degrees of freedom below this.
const KEPT: usize = 1024;

/// Whether the p-value of one statistic with its df is certainly smaller or larger than that of another; `None` if only
/// the values themselves can tell.
///
/// ```text
/// p(4000, 2) < p(3000, 4)   from one logarithm each, although both are 0 as doubles
/// ```
pub(in crate::ci) fn cmp_p(one: (f64, f64), other: (f64, f64)) -> Option<Ordering> {
    let (one, other) = (LnP::between(one)?, LnP::between(other)?);
    if one.high < other.low {
        Some(Ordering::Less)
    } else if other.high < one.low {
        Some(Ordering::Greater)
    } else {
        None
    }
}

/// Whether ln p of a statistic with its df is certainly at most, or certainly above, a level; `None` if only its value
/// can tell.
pub(super) fn reaches(statistic: f64, df: f64, ln_level: f64) -> Option<bool> {
    if chernoff(statistic, df) * (1.0 - MARGIN) > -ln_level {
        return Some(true);
    }
    let LnP { low, high } = LnP::between((statistic, df))?;
    if low > ln_level { Some(false) } else { (high < ln_level).then_some(true) }
}

/// A number that −ln p is not below, found without a logarithm.
///
/// With a = df / 2, x = statistic / 2 and r = x / a of at least 1, Chernoff's bound is x − a − a ln r, and ln r is at most
/// (r − 1) / √r.
fn chernoff(statistic: f64, df: f64) -> f64 {
    // With a larger df, rounding would be noticed.
    if !(df > 0.0 && df < 1e6 && statistic > df) {
        return 0.0;
    }
    (statistic - df) / 2.0 * (1.0 - (df / statistic).sqrt())
}

/// ln Γ(df / 2), computed when it is first needed.
fn ln_gamma(df: usize) -> Option<f64> {
    /// The inverted bits, 0 if it has not been computed: then the system provides the memory only where it is used.
    static KNOWN: [AtomicU64; KEPT] = [const { AtomicU64::new(0) }; KEPT];
    let known = KNOWN.get(df).filter(|_| df > 0)?;
    Some(match known.load(Relaxed) {
        0 => {
            let value = libm::lgamma(df as f64 / 2.0);
            known.store(!value.to_bits(), Relaxed);
            value
        }
        bits => f64::from_bits(!bits),
    })
}

/// A range that contains ln p.
#[derive(Debug, Clone, Copy)]
struct LnP {
    low: f64,
    high: f64,
}

impl LnP {
    /// The range for a statistic and its df; `None` if df is not a whole number, or is too large or 0.
    ///
    /// With a = df / 2 and x = statistic / 2, p is the density x^(a−1) e^(−x) / Γ(a) times the integral of
    /// (1 + t/x)^(a−1) e^(−t) over positive t. The integral is between 1 and x / (x + 1 − a), because 1 + u is at
    /// most e^u.
    fn between((statistic, df): (f64, f64)) -> Option<LnP> {
        let whole = df as usize;
        let ln_gamma = ln_gamma(whole).filter(|_| whole as f64 == df)?;
        let (a, x) = (df / 2.0, statistic / 2.0);
        if x <= a + 1.0 {
            // p is least where a = 1/2 and x = 3/2, about e^(−2.49).
            return Some(LnP { low: -2.6, high: 0.0 });
        }
        // An infinite statistic, or none.
        if x.is_nan() || x >= 1e12 {
            return None;
        }
        let ln_x = libm::log(x);
        let density = (a - 1.0) * ln_x - x - ln_gamma;
        let error = MARGIN * (x + a * ln_x);
        // 1 − 1/r <= ln r <= r − 1.
        Some(match a > 1.0 {
            true => LnP { low: density - error, high: density + (a - 1.0) / (x + 1.0 - a) + error },
            false => LnP { low: density + (a - 1.0) / x - error, high: density + error },
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::ln_p;
    use super::*;

    fn statistics() -> impl Strategy<Value = f64> {
        prop_oneof![0.0..30.0, 0.0..1000.0, (0.0..20.0).prop_map(|digits: f64| 10f64.powf(digits))]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn the_range_contains_ln_p(statistic in statistics(), df in 1u32..KEPT as u32, near in 0.5..3.0f64) {
            for statistic in [statistic, near * f64::from(df)] {
                let exact = ln_p(statistic, f64::from(df));
                if let Some(LnP { low, high }) = LnP::between((statistic, f64::from(df))) {
                    prop_assert!(low < exact && exact <= high, "{} with df {}: {} {} {}", statistic, df, low, exact, high);
                }
            }
        }

        #[test]
        fn p_is_below_the_bound_without_a_logarithm(statistic in statistics(), df in 0.1..2000.0f64, near in 0.5..3.0f64) {
            for (statistic, df) in [(statistic, df), (near * df, df), (near * df.ceil(), df.ceil())] {
                let (bound, exact) = (chernoff(statistic, df), -ln_p(statistic, df));
                prop_assert!(bound * (1.0 - MARGIN) <= exact, "{} with df {}: {} {}", statistic, df, bound, exact);
            }
            prop_assert_eq!(reaches(statistic, 0.0, -3.0), None);
        }

        #[test]
        fn what_is_decided_is_what_the_values_say(a in statistics(), b in statistics(), (d, e) in (1u32..40, 1u32..40)) {
            let (one, other) = ((a, f64::from(d)), (b, f64::from(e)));
            if let Some(order) = cmp_p(one, other) {
                prop_assert_eq!(order, ln_p(one.0, one.1).total_cmp(&ln_p(other.0, other.1)));
            }
            let level = ln_p(other.0, other.1);
            if let Some(reached) = reaches(one.0, one.1, level) {
                prop_assert_eq!(reached, ln_p(one.0, one.1) <= level);
            }
        }
    }

    #[test]
    fn most_comparisons_of_strong_dependences_are_decided() {
        let outcomes = (1..60).map(|i| (f64::from(40 + 37 * i % 900), f64::from(1 + i % 9)));
        let pairs = outcomes.clone().flat_map(|one| outcomes.clone().map(move |other| (one, other)));
        let (decided, open): (Vec<_>, Vec<_>) =
            pairs.filter(|(one, other)| one != other).partition(|&(one, other)| cmp_p(one, other).is_some());
        assert!(decided.len() > 20 * open.len(), "{} {}", decided.len(), open.len());
        for odd in [(3.0, 0.0), (3.0, 1.5), (3.0, 1e9), (f64::INFINITY, 2.0)] {
            assert_eq!(cmp_p(odd, (50.0, 2.0)), None);
        }
    }
}
