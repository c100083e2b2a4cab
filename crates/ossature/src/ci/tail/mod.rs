//! The upper tail of the chi-square distribution, which turns a statistic into evidence.
//!
//! With a few thousand rows of real data, thousands of p-values are below the smallest double. So the library
//! stores and compares the natural logarithm of p. [`ln_p`] keeps its *relative* accuracy at both ends: where
//! p underflows (ln p = −5e8) and where p is almost 1 (ln p = −1e-200). A yes or no does not need ln p:
//! `CriticalValues` compares the statistic with a border.
//! Which of two p is smaller is usually clear from bounds (`bounds`).
//!
//! With a = df / 2 and x = statistic / 2, p is the regularised incomplete gamma function Q(a, x). Four forms
//! cover the range, so that none has to subtract nearly equal numbers:
//!
//! | where | form |
//! |---|---|
//! | a < 1 | erf and erfc (df = 1), else a series with `expm1`, or a continued fraction (`gamma`) |
//! | a >= 64 and x within 30 % of a | Temme's uniform expansion (`uniform`) |
//! | other x <= a | 1 − P, P by its ascending series (`gamma`) |
//! | other x > a, and a = 1 | the density times a descending sum (`gamma`) |
//!
//! So the cost is bounded for any df. All elementary functions are those of `libm`, in pure Rust, not those
//! of the platform, so the bits are the same everywhere.

mod bounds;
mod critical;
mod gamma;
mod uniform;

pub(super) use bounds::cmp_p;
pub(super) use critical::CriticalValues;

/// The natural logarithm of the probability that a chi-square variable with `df` degrees of freedom is at
/// least `statistic`.
///
/// `df` may be any positive number, whole or not; 0 means that there was nothing to test, p = 1. A statistic
/// of 0 or less gives exactly 0 (p = 1), and an infinite one −∞. A NaN is a bug of the caller: it panics in a
/// debug build and gives 0 otherwise.
///
/// The relative error is below 1e-12 everywhere, and below 2e-14 where p < 1/2. The value decreases with the
/// statistic and grows with df as far as that error allows: statistics that differ by a factor of 1 + 1e-12
/// are always in order; neighbouring doubles need not be. If 1 − p is below the smallest double, the value is
/// 0.
///
/// ```
/// use ossature::ci::tail::ln_p;
///
/// assert_eq!(ln_p(0.0, 1.0), 0.0);
/// assert_eq!(ln_p(3000.0, 2.0), -1500.0); // p itself would be 0
/// assert!(ln_p(1e6, 1.0) > ln_p(1e6 + 1.0, 1.0));
/// ```
pub fn ln_p(statistic: f64, df: f64) -> f64 {
    match Tail::of(statistic, df) {
        Tail::Lower(lower) => libm::log1p(-lower) + 0.0, // never −0, which would print as "-0"
        Tail::Upper { ln_scale, factor } => ln_scale + libm::log(factor),
    }
}

/// The probability: `exp(ln_p)`, but without the rounding of the logarithm. It is 0 if it underflows; to
/// compare, use [`ln_p`].
///
/// ```
/// use ossature::ci::tail::p;
///
/// assert!((p(3.841458820694124, 1.0) - 0.05).abs() < 1e-15);
/// assert_eq!(p(3000.0, 2.0), 0.0);
/// ```
pub fn p(statistic: f64, df: f64) -> f64 {
    match Tail::of(statistic, df) {
        Tail::Lower(lower) => 1.0 - lower,
        Tail::Upper { ln_scale, factor } => libm::exp(ln_scale) * factor,
    }
}

/// One of the two tails, whichever keeps its relative accuracy.
#[derive(Clone, Copy, Debug)]
enum Tail {
    /// The probability of a smaller statistic, 1 − p: used for p above about a third.
    Lower(f64),
    /// p = exp(`ln_scale`) · `factor`.
    Upper { ln_scale: f64, factor: f64 },
}

impl Tail {
    fn of(statistic: f64, df: f64) -> Tail {
        debug_assert!(!statistic.is_nan() && !df.is_nan(), "statistic {statistic} with df {df}");
        let (a, x) = (df / 2.0, statistic / 2.0);
        let testable = (f64::MIN_POSITIVE..f64::INFINITY).contains(&a);
        // Written so that a NaN takes this branch too.
        if !(x > 0.0 && testable) {
            Tail::Lower(0.0)
        } else if x == f64::INFINITY {
            Tail::Upper { ln_scale: f64::NEG_INFINITY, factor: 1.0 }
        } else if a < 1.0 {
            gamma::small_shape(a, x)
        } else if uniform::applies(a, x) {
            uniform::tail(a, x)
        } else if x <= a && a != 1.0 {
            gamma::lower(a, x)
        } else {
            gamma::upper(a, x) // for a = 1 it is e^(−x), for every x
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Rows of df, statistic, ln p and p.
    fn golden() -> impl Iterator<Item = [f64; 4]> {
        let table = include_str!("../../../tests/golden/chi2_tail.csv");
        table.lines().skip(1).map(|line| {
            let mut fields = line.split(',').map(|field| field.parse().unwrap());
            std::array::from_fn(|_| fields.next().unwrap())
        })
    }

    /// The relative error, or 0 if the expected value is too close to 0 for a double.
    fn error(found: f64, expected: f64) -> f64 {
        if expected.abs() < 1e-306 { 0.0 } else { ((found - expected) / expected).abs() }
    }

    #[test]
    fn agrees_with_high_precision_references() {
        let mut seen = 0;
        for [df, statistic, expected_ln_p, expected_p] in golden() {
            let (ln_p, p) = (ln_p(statistic, df), p(statistic, df));
            let limit = if expected_p < 0.5 { 2e-14 } else { 1e-12 };
            assert!(
                error(ln_p, expected_ln_p) < limit,
                "ln p of {statistic}, df {df}: {ln_p:e} for {expected_ln_p:e}"
            );
            if expected_p > 1e-290 {
                assert!(error(p, expected_p) < 1e-12, "p of {statistic}, df {df}: {p:e} for {expected_p:e}");
            }
            seen += 1;
        }
        assert!(seen > 3000);
    }

    /// A checksum of the bits of all answers. Any change of the arithmetic may change it; it must not differ
    /// between platforms or profiles.
    #[test]
    fn same_bits_everywhere() {
        let sum = golden()
            .flat_map(|[df, statistic, ..]| [ln_p(statistic, df), p(statistic, df)])
            .fold(0u64, |sum, v| (sum.rotate_left(5) ^ v.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        assert_eq!(sum, 0x2d5f_71fd_22a4_5aa4, "{sum:#x}");
    }

    #[test]
    fn closed_forms() {
        for statistic in [1e-200, 0.3, 1.0, 2.5, 17.0, 4000.0, 1e9, 1e300] {
            let x: f64 = statistic / 2.0;
            assert_eq!(ln_p(statistic, 2.0), -x);
        }
        for statistic in [6.5, 17.0, 4000.0, 1e9, 1e150] {
            let x: f64 = statistic / 2.0;
            assert!(error(ln_p(statistic, 4.0), x.ln_1p() - x) < 1e-14);
            assert!(error(ln_p(statistic, 6.0), (1.0 + x * (1.0 + x / 2.0)).ln() - x) < 1e-14);
        }
        // df = 1 near 0: 1 - p = √(2 statistic / π).
        assert!(error(ln_p(1e-300, 1.0), -7.978_845_608_028_654e-151) < 1e-15);
    }

    #[test]
    fn ends_of_the_range() {
        for df in [0.0, 1e-300, 0.3, 1.0, 2.0, 7.0, 500.0, 1e15, 1e300, f64::INFINITY] {
            for statistic in [0.0, -0.0, -1e-9, f64::NEG_INFINITY] {
                assert_eq!(ln_p(statistic, df).to_bits(), 0, "{statistic} with df {df}");
                assert_eq!(p(statistic, df), 1.0);
            }
            for statistic in
                [f64::from_bits(1), 1e-300, 1e-9, 0.5 * df, 0.8 * df, df, 1.2 * df, 3.0 * df, 1e9, f64::MAX]
            {
                let (ln_p, p) = (ln_p(statistic, df), p(statistic, df));
                assert!(ln_p <= 0.0 && (0.0..=1.0).contains(&p), "{statistic} with df {df}: {ln_p}, {p}");
            }
        }
        assert_eq!(ln_p(10.0, 0.0), 0.0);
        assert_eq!(ln_p(f64::INFINITY, 3.0), f64::NEG_INFINITY);
        assert_eq!(p(f64::INFINITY, 3.0), 0.0);
        assert!(ln_p(f64::MAX, 1.0).is_finite());
    }

    /// Whole and fractional dfs from 0.01 to 20,000, with a statistic from the left tail to far out.
    fn points() -> impl Strategy<Value = (f64, f64)> {
        let whole = |largest: u32| (1..=largest).prop_map(f64::from);
        let df = prop_oneof![whole(20_000), whole(40), 0.01..300.0];
        let deviations = prop_oneof![-6.0..12.0, -40.0..2000.0];
        (df, deviations, 0.0..12.0).prop_map(|(df, deviations, digits): (f64, f64, f64)| {
            let statistic = df + deviations * (2.0 * df).sqrt();
            (df, if statistic > 0.0 { statistic } else { df * 10f64.powf(-digits) })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn decreases_with_the_statistic((df, statistic) in points()) {
            let here = ln_p(statistic, df);
            prop_assume!(here < -1e-300);
            for gap in [1e-12, 1e-9, 1e-3] {
                prop_assert!(ln_p(statistic * (1.0 + gap), df) < here, "gap {}", gap);
            }
            // Neighbours are in order up to the error of the value.
            prop_assert!(ln_p(statistic.next_up(), df) <= here * (1.0 - 1e-12));
        }

        #[test]
        fn grows_with_df((df, statistic) in points()) {
            let here = ln_p(statistic, df);
            prop_assume!(here < -1e-300);
            prop_assert!(ln_p(statistic, df + 1.0) > here);
            prop_assert!(ln_p(statistic, df * (1.0 + 1e-9)) > here);
        }
    }

    /// Adjacent forms must agree: no step in the wrong direction where one takes over from another.
    #[test]
    fn forms_meet() {
        for df in (1..2000).chain([4096, 20_000]).map(f64::from) {
            for border in [0.5, 0.5 * df, 0.7 * df, df, 1.3 * df, 2.0 * df, 60.0, 1200.0] {
                let (before, after) = (ln_p(border * (1.0 - 1e-12), df), ln_p(border * (1.0 + 1e-12), df));
                assert!(before > after || before > -1e-300, "df {df} at {border}: {before} {after}");
            }
        }
    }
}
