//! ln Γ of several numbers at once: to the last bit what [`libm::lgamma`] returns for each of them, but sooner, because
//! no number waits for another.
// For `multiversion`, which compiles a loop for several kinds of processor.
#![allow(unsafe_code)]
// The vectoriser understands loops over a fixed range best.
#![allow(clippy::needless_range_loop)]

use crate::counts::{Simd, multiversion};

/// How many are computed at once.
pub(super) const LANES: usize = 8;

/// The smallest number for which this is the way to compute it.
pub(super) const SMALLEST: u32 = 8;

multiversion! {
    /// Puts ln Γ(x) in the place of each x, which must be from [`SMALLEST`] to 2^57.
    pub(super) fn log_gammas(xs: &mut [f64; LANES]) = log_gammas_body
}

#[inline(always)]
fn log_gammas_body(xs: &mut [f64; LANES]) {
    let mut logs = [0.0; LANES];
    for i in 0..LANES {
        logs[i] = log(xs[i]);
    }
    for i in 0..LANES {
        xs[i] = log_gamma(xs[i], logs[i]);
    }
}

/// ln Γ(x) from ln x, by the steps of `lgamma_r` in libm, which are those of FreeBSD's `e_lgamma_r.c`.
#[inline(always)]
fn log_gamma(x: f64, log: f64) -> f64 {
    let z = 1.0 / x;
    let y = z * z;
    let tail = -0.00059518755745034 + y * (0.0008363399189962821 + y * -0.0016309293409657527);
    let series = -0.0027777777772877554 + y * (0.0007936505586430196 + y * tail);
    let w = 0.4189385332046727 + z * (0.08333333333333297 + y * series);
    (x - 0.5) * (log - 1.0) + w
}

/// ln x of a normal number above 1, by the steps of `log` in libm, which are those of FreeBSD's `e_log.c`.
#[inline(always)]
fn log(x: f64) -> f64 {
    const HIGH_OF_ONE: u64 = 0x3ff0_0000;
    const HIGH_OF_ROOT_OF_HALF: u64 = 0x3fe6_a09e;
    // x is 2^k · m with m between the roots of ½ and of 2.
    let high = (x.to_bits() >> 32) + (HIGH_OF_ONE - HIGH_OF_ROOT_OF_HALF);
    let k = f64::from((high >> 20) as i32 - 0x3ff);
    let high = (high & 0x000f_ffff) + HIGH_OF_ROOT_OF_HALF;
    let f = f64::from_bits(high << 32 | (x.to_bits() & 0xffff_ffff)) - 1.0;
    let half = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373));
    let odd = 0.1818357216161805 + w * 0.14798198605116586;
    let odd = z * (0.6666666666666735 + w * (0.2857142874366239 + w * odd));
    s * (half + (odd + even)) + k * 1.9082149292705877e-10 - half + f + k * 0.6931471803691238
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_same(xs: [f64; LANES]) -> bool {
        let expected = xs.map(|x| libm::lgamma(x).to_bits());
        [Simd::Portable, Simd::Avx2, Simd::Avx512].into_iter().all(|simd| {
            let mut values = xs;
            log_gammas(simd.min(Simd::detect()), &mut values);
            values.map(f64::to_bits) == expected
        })
    }

    proptest! {
        #[test]
        fn each_is_that_of_libm(
            counts in prop::array::uniform8(prop_oneof![SMALLEST..100, SMALLEST..10_000, SMALLEST..=u32::MAX]),
            share in prop_oneof![0.0..32.0, (1u32..1_000_000).prop_map(|cells| 10.0 / f64::from(cells)), Just(1e-40)],
        ) {
            prop_assert!(is_same(counts.map(|n| f64::from(n) + share)));
        }
    }

    #[test]
    fn every_count_is_that_of_libm() {
        for share in [10.0 / 3.0, 1.0, 1.0 / 27.0, 1e-9] {
            for first in (SMALLEST..20_000).step_by(LANES) {
                assert!(
                    is_same(std::array::from_fn(|i| f64::from(first + i as u32) + share)),
                    "{first} {share}"
                );
            }
        }
    }
}
