//! Sums that do not depend on the order of their terms.
//!
//! A number is added without any rounding, to integers that represent its bits: 64 of them, 32 bits apart, each wide
//! enough for 2^42 numbers. The sum is rounded once, when it is read. This is a superaccumulator (Kulisch 2013,
//! "Computer Arithmetic and Validity") in its simplest form.

/// The number of bits from one bin to the next.
const STEP: usize = 32;
/// Enough bins for the bits of every finite number, and for carries out of the last of these.
const BINS: usize = 68;
/// The power of two of the last bit of the first bin.
const LAST_BIT: i32 = -1074;

/// The exact sum of finite numbers.
#[derive(Debug, Clone)]
pub(super) struct ExactSum {
    bins: [i128; BINS],
}

impl ExactSum {
    pub(super) fn new() -> ExactSum {
        ExactSum { bins: [0; BINS] }
    }

    /// Adds a finite number.
    pub(super) fn add(&mut self, x: f64) {
        let bits = x.to_bits();
        let (exponent, mantissa) = (((bits >> 52) & 0x7ff) as usize, bits & ((1 << 52) - 1));
        let (exponent, mantissa) = match exponent {
            0 => (0, mantissa),
            _ => (exponent - 1, mantissa | 1 << 52),
        };
        let shifted = i128::from(mantissa) << (exponent % STEP);
        self.bins[exponent / STEP] += if x.is_sign_negative() { -shifted } else { shifted };
    }

    /// The number nearest to the sum.
    pub(super) fn value(&self) -> f64 {
        let mut digits = self.bins;
        carry(&mut digits);
        let negative = digits[BINS - 1] < 0;
        if negative {
            digits.iter_mut().for_each(|digit| *digit = -*digit);
            carry(&mut digits);
        }
        let Some(top) = digits.iter().rposition(|&digit| digit != 0) else { return 0.0 };
        let first = top.saturating_sub(3);
        let head = digits[first..=top].iter().rev().fold(0_u128, |head, &digit| head << STEP | digit as u128);
        // What is below the head only matters where the head is half way between two numbers.
        let below = u128::from(digits[..first].iter().any(|&digit| digit != 0));
        let size = libm::ldexp((head | below) as f64, (first * STEP) as i32 + LAST_BIT);
        if negative { -size } else { size }
    }
}

/// Leaves 32 bits in each bin but the last.
fn carry(bins: &mut [i128; BINS]) {
    for i in 0..BINS - 1 {
        bins[i + 1] += bins[i] >> STEP;
        bins[i] &= (1 << STEP) - 1;
    }
}

/// The sum of finite numbers, rounded once.
pub(super) fn sum(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let mut sum = ExactSum::new();
    numbers.into_iter().for_each(|x| sum.add(x));
    sum.value()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_is_lost() {
        assert_eq!(sum([]), 0.0);
        assert_eq!(sum([1e100, 1.0, -1e100]), 1.0);
        assert_eq!(sum([0.1; 10]), 1.0);
        assert_eq!(sum([f64::MAX, f64::MAX, -f64::MAX]), f64::MAX);
        assert_eq!(sum([5e-324, 5e-324]), 1e-323);
        assert_eq!(sum([f64::MAX, f64::MAX]), f64::INFINITY);
        // Half way between 1 and the next number, and a little more.
        assert_eq!(sum([1.0, f64::EPSILON / 2.0]), 1.0);
        assert_eq!(sum([1.0, f64::EPSILON / 2.0, 5e-324]), 1.0 + f64::EPSILON);
    }

    proptest! {
        #[test]
        fn it_is_that_of_whole_numbers_in_any_order(
            mut numbers in prop::collection::vec((any::<i64>(), -30_i32..30), 0..40),
        ) {
            let parts = |list: &[(i64, i32)]| -> Vec<f64> {
                list.iter().map(|&(m, e)| libm::ldexp((m >> 12) as f64, e)).collect()
            };
            let exact: i128 = numbers.iter().map(|&(m, e)| i128::from(m >> 12) << (e + 30)).sum();
            let found = sum(parts(&numbers));
            prop_assert_eq!(found, libm::ldexp(exact as f64, -30));
            numbers.reverse();
            prop_assert_eq!(sum(parts(&numbers)), found);
        }
    }
}
