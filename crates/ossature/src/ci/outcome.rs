//! The outcome of a test, and which of two outcomes is the stronger evidence.

use std::cmp::Ordering;

use super::tail;

/// The outcome of a test: a statistic with its degrees of freedom, and whether there were enough rows to
/// trust it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// The statistic, 0 for a test without power.
    pub statistic: f64,
    /// The degrees of freedom; 0 means that there was nothing to test.
    pub df: f64,
    /// Whether there were enough rows for the power rule.
    pub has_power: bool,
    /// ln p of a test that does not use a chi-square distribution.
    ln_p: Option<f64>,
}

impl Outcome {
    /// A statistic with a chi-square distribution.
    pub fn chi_square(statistic: f64, df: f64) -> Outcome {
        if df > 0.0 {
            Outcome { statistic, df, has_power: true, ln_p: None }
        } else {
            Outcome::nothing_to_test()
        }
    }

    /// No degrees of freedom, for example because a variable is constant: independent, p = 1.
    pub const fn nothing_to_test() -> Outcome {
        Outcome { statistic: 0.0, df: 0.0, has_power: true, ln_p: None }
    }

    /// A statistic with a given ln p.
    pub fn with_ln_p(statistic: f64, df: f64, ln_p: f64) -> Outcome {
        Outcome { statistic, df, has_power: true, ln_p: Some(ln_p) }
    }

    /// There were too few rows, so p is 1. `df` is 0 if the degrees of freedom are not known.
    pub fn without_power(df: f64) -> Outcome {
        Outcome { statistic: 0.0, df, has_power: false, ln_p: Some(0.0) }
    }

    /// A known dependence that needs no evidence.
    pub const fn certain() -> Outcome {
        Outcome { statistic: f64::INFINITY, df: 1.0, has_power: true, ln_p: Some(f64::NEG_INFINITY) }
    }

    /// The natural logarithm of p, accurate even where p itself underflows to 0.
    pub fn ln_p(&self) -> f64 {
        self.ln_p.unwrap_or_else(|| tail::ln_p(self.statistic, self.df))
    }

    /// The p-value; 0 if it underflows.
    pub fn p(&self) -> f64 {
        match self.ln_p {
            Some(ln_p) => libm::exp(ln_p),
            None => tail::p(self.statistic, self.df),
        }
    }

    /// The stored ln p of a test that is not a chi-square test.
    pub(super) fn own_ln_p(&self) -> Option<f64> {
        self.ln_p
    }

    /// The outcome in few bytes: the statistic and the degrees of freedom, or −1 − df for a test without power; and ln p
    /// of a test with power that is not a chi-square test.
    pub(super) fn packed(&self) -> ([f64; 2], Option<f64>) {
        match self.has_power {
            true => ([self.statistic, self.df], self.ln_p),
            false => ([self.statistic, -1.0 - self.df], None),
        }
    }

    /// The outcome again. An ln p that is NaN is none.
    pub(super) fn unpacked([statistic, df]: [f64; 2], ln_p: Option<f64>) -> Outcome {
        match ln_p {
            _ if df < 0.0 => Outcome::without_power(-1.0 - df),
            Some(ln_p) if !ln_p.is_nan() => Outcome::with_ln_p(statistic, df, ln_p),
            _ => Outcome::chi_square(statistic, df),
        }
    }

    /// The outcome as whole numbers, to be written as text without loss: the statistic, the degrees of
    /// freedom and, if the test has its own, ln p.
    pub fn to_bits(&self) -> (u64, u64, Option<u64>) {
        (self.statistic.to_bits(), self.df.to_bits(), self.ln_p.map(f64::to_bits))
    }

    /// The outcome with these bits.
    pub fn from_bits((statistic, df, ln_p): (u64, u64, Option<u64>), has_power: bool) -> Outcome {
        let [statistic, df] = [statistic, df].map(f64::from_bits);
        Outcome { statistic, df, has_power, ln_p: ln_p.map(f64::from_bits) }
    }

    /// Orders outcomes by strength, the stronger last: smaller p, then the statistic farther from 0, then
    /// smaller df. The caller breaks remaining ties by variable (deviation D1).
    ///
    /// ```
    /// use ossature::ci::Outcome;
    ///
    /// // Both p-values are 0 as doubles; their logarithms differ.
    /// let (weak, strong) = (Outcome::chi_square(4000.0, 2.0), Outcome::chi_square(4001.0, 2.0));
    /// assert!(strong.cmp_strength(&weak).is_gt());
    /// ```
    pub fn cmp_strength(&self, other: &Outcome) -> Ordering {
        if let (None, None) = (self.ln_p, other.ln_p) {
            if self.df != other.df {
                if let Some(more) = more_from_less(self, other) {
                    return more;
                }
                if let Some(p) = tail::cmp_p((other.statistic, other.df), (self.statistic, self.df)) {
                    return p;
                }
            } else if (self.statistic - other.statistic).abs() > 1e-11 * self.statistic.max(other.statistic) {
                // With equal df, statistics this far apart have ln p in strict order.
                return self.statistic.total_cmp(&other.statistic);
            }
        }
        (other.ln_p().total_cmp(&self.ln_p()))
            .then_with(|| self.statistic.abs().total_cmp(&other.statistic.abs()))
            .then_with(|| other.df.total_cmp(&self.df))
    }

    /// Whether this outcome is strictly stronger than another. This is the one definition of "strongest".
    pub fn stronger(&self, other: &Outcome) -> bool {
        self.cmp_strength(other).is_gt()
    }
}

/// The order of two chi-square outcomes if one has the larger statistic from fewer degrees of freedom, which makes its p
/// smaller.
fn more_from_less(one: &Outcome, other: &Outcome) -> Option<Ordering> {
    /// Where a degree of freedom certainly shows in ln p.
    const FEW: std::ops::Range<f64> = 0.0..1e6;
    let less = one.df - other.df;
    let clear = FEW.contains(&one.statistic) && FEW.contains(&other.statistic) && less.abs() >= 1.0;
    match one.statistic - other.statistic {
        _ if !clear || one.df.max(other.df) >= FEW.end => None,
        more if more >= 0.0 && less < 0.0 => Some(Ordering::Greater),
        more if more <= 0.0 && less > 0.0 => Some(Ordering::Less),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ties_go_to_the_larger_statistic_then_the_smaller_df() {
        let base = Outcome::with_ln_p(5.0, 2.0, -3.0);
        assert!(Outcome::with_ln_p(6.0, 2.0, -3.0).stronger(&base));
        assert!(Outcome::with_ln_p(5.0, 1.0, -3.0).stronger(&base));
        assert!(!base.stronger(&base));
        assert!(Outcome::certain().stronger(&Outcome::chi_square(1e9, 1.0)));
        assert!(Outcome::chi_square(1.0, 1.0).stronger(&Outcome::without_power(4.0)));
    }

    /// A statistic and its degrees of freedom.
    fn outcomes() -> impl Strategy<Value = (f64, f64)> {
        let statistic =
            prop_oneof![0.0..500.0, 0.0..1e5, (-9.0..9.0).prop_map(|digits: f64| 10f64.powf(digits))];
        let df = prop_oneof![(1u32..50).prop_map(f64::from), (1u32..20_000).prop_map(f64::from)];
        (statistic, df)
    }

    proptest! {
        #[test]
        fn the_short_cuts_for_unequal_df_agree_with_ln_p((a, d) in outcomes(), (b, e) in outcomes(), near in 0.9..1.1f64) {
            let (x, y) = (Outcome::chi_square(a, d), Outcome::chi_square(if near < 1.0 { b } else { a * near }, e));
            let long = (y.ln_p().total_cmp(&x.ln_p()))
                .then_with(|| x.statistic.total_cmp(&y.statistic))
                .then_with(|| y.df.total_cmp(&x.df));
            prop_assert_eq!(x.cmp_strength(&y), long);
        }

        #[test]
        fn the_short_cut_for_equal_df_agrees_with_ln_p(a in 0.0..500.0f64, gap in -1e-9..1e-9f64, df in 1u32..200) {
            let (x, y) = (Outcome::chi_square(a, f64::from(df)), Outcome::chi_square(a * (1.0 + gap), f64::from(df)));
            let long = y.ln_p().total_cmp(&x.ln_p()).then_with(|| x.statistic.total_cmp(&y.statistic));
            prop_assert_eq!(x.cmp_strength(&y), long);
        }
    }
}
