//! The number of configurations of a set of variables: a product of levels of any size.

use std::f64::consts::LN_2;

/// A product of numbers of levels: `mantissa` · 2^`exponent`.
///
/// Exact while it fits into 128 bits, and for any number of binary variables. Beyond that at least the first
/// 79 bits are right, which is more than the precision of a double, so the order of the factors does not
/// matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Configurations {
    mantissa: u128,
    exponent: i32,
}

impl Configurations {
    /// The number for variables with these levels.
    pub(super) fn of(levels: impl IntoIterator<Item = usize>) -> Configurations {
        levels.into_iter().fold(Configurations { mantissa: 1, exponent: 0 }, Configurations::times)
    }

    /// The number with one more variable.
    pub(super) fn times(self, levels: usize) -> Configurations {
        // The usual case, one multiplication: the product of two numbers of 64 bits fits.
        if let Ok(mantissa) = u64::try_from(self.mantissa) {
            let mantissa = u128::from(mantissa) * u128::from(levels as u64);
            return Configurations { mantissa, exponent: self.exponent };
        }
        match self.mantissa.checked_mul(levels as u128) {
            Some(mantissa) => Configurations { mantissa, exponent: self.exponent },
            // A variable has at most 2^16 levels.
            None => Configurations {
                mantissa: (self.mantissa >> 32) * levels as u128,
                exponent: self.exponent.saturating_add(32),
            },
        }
    }

    /// The number, infinite above the largest double.
    pub(super) fn to_f64(self) -> f64 {
        match u64::try_from(self.mantissa) {
            Ok(mantissa) if self.exponent == 0 => mantissa as f64,
            _ => libm::ldexp(self.mantissa as f64, self.exponent),
        }
    }

    /// The natural logarithm.
    pub(super) fn ln(self) -> f64 {
        libm::log(self.mantissa as f64) + f64::from(self.exponent) * LN_2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_never_stops_growing() {
        for n in [1, 60, 127, 128, 129, 130, 1000] {
            assert_eq!(Configurations::of(vec![2; n]).to_f64(), libm::ldexp(1.0, n as i32), "{n}");
        }
        let thousands = Configurations::of(vec![2; 5000]);
        assert_eq!(thousands.to_f64(), f64::INFINITY);
        assert!((thousands.ln() - 5000.0 * LN_2).abs() < 1e-9);
    }

    #[test]
    fn the_order_of_the_factors_does_not_matter() {
        let levels: Vec<usize> = (0..90).map(|i| 2 + i % 7).collect();
        let backwards = levels.iter().rev().copied();
        assert_eq!(Configurations::of(levels.clone()).to_f64(), Configurations::of(backwards).to_f64());
        let exact: f64 = levels.iter().map(|&n| libm::log(n as f64)).sum();
        assert!((Configurations::of(levels).ln() - exact).abs() < 1e-9);
    }
}
