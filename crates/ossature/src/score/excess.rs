//! What the terms of a count exceed n ln a by, for all bases and strengths at once: Σ_{i<n} ln(1 + i/a).
//!
//! This is ln Γ(n + a) − ln Γ(a) − n ln a, so a count of 1 has none, and a table with a base whose likelihood is known
//! needs only the counts from 2 on. The sums are in single precision, three bases with five strengths in one vector,
//! and right to about six digits. They say which candidates cannot be good enough, before the exact sums of `lanes` are
//! computed.
// For `multiversion`, which compiles a loop for several kinds of processor.
#![allow(unsafe_code)]
// The vectoriser understands loops over a fixed range best.
#![allow(clippy::needless_range_loop)]

use super::lanes::STRENGTHS;
use crate::counts::{Simd, multiversion};

/// The largest number of bases.
pub(super) const BASES: usize = 3;

/// The bases and strengths, padded to fill a vector.
pub(super) const WIDE: usize = 16;

/// A number for each base and strength, base by base.
pub(super) type WideLanes = [f32; WIDE];

/// Counts from this on are not products.
const LARGE: u32 = 6;

/// 1 / a of a cell for each base and strength, and what is the same for all large counts.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct ExcessBase {
    steps: WideLanes,
    constant: WideLanes,
    large: bool,
}

impl ExcessBase {
    /// Of the base probabilities b, given 1 / b for each base, 0 for a base that does not count; and the largest count.
    #[inline(always)]
    pub(super) fn new(inverse: [f64; BASES], largest: u32) -> ExcessBase {
        let mut steps = [0.0; WIDE];
        for base in 0..BASES {
            for (i, s) in STRENGTHS.into_iter().enumerate() {
                steps[base * STRENGTHS.len() + i] = (inverse[base] * (1.0 / s)) as f32;
            }
        }
        ExcessBase { steps, constant: [0.0; WIDE], large: largest >= LARGE }
    }
}

/// Completes bases with what large counts need.
pub(super) fn complete(simd: Simd, bases: &mut [ExcessBase]) {
    complete_all(simd, bases);
}

/// The sums over cells, each a count of at least 2 and the index of its base; those of a base that does not count mean
/// nothing.
pub(super) fn sums(simd: Simd, cells: &[(u32, u32)], bases: &[ExcessBase]) -> [f64; WIDE] {
    let mut sums = [0.0; WIDE];
    add_up(simd, cells, bases, &mut sums);
    sums
}

/// The largest error of the sums over a table of so many rows.
pub(super) fn error(rows: usize) -> f64 {
    // No count contributes more than n ln(1 + n / a), and a is at least a quarter of one in the rows.
    let rows = rows.max(1) as f64;
    1e-6 * rows * libm::log(1.0 + 4.0 * rows * rows) + 1e-3
}

multiversion! {
    /// Adds the sums over cells.
    fn add_up(cells: &[(u32, u32)], bases: &[ExcessBase], sums: &mut [f64; WIDE]) = add_up_body
}

multiversion! {
    /// Completes bases with what large counts need.
    fn complete_all(bases: &mut [ExcessBase]) = complete_body
}

#[inline(always)]
fn add_up_body(cells: &[(u32, u32)], bases: &[ExcessBase], sums: &mut [f64; WIDE]) {
    let mut total = [0.0f64; WIDE];
    for &(n, base) in cells {
        let ExcessBase { steps, constant, .. } = &bases[base as usize];
        let mut excess;
        if n < LARGE {
            excess = ln(product(n, steps));
        } else {
            excess = series(n as f32, steps);
            for i in 0..WIDE {
                excess[i] += constant[i];
            }
        }
        for i in 0..WIDE {
            total[i] += f64::from(excess[i]);
        }
    }
    for i in 0..WIDE {
        sums[i] += total[i];
    }
}

#[inline(always)]
fn complete_body(bases: &mut [ExcessBase]) {
    for base in bases.iter_mut().filter(|base| base.large) {
        let (first, series) = (ln(product(LARGE, &base.steps)), series(LARGE as f32, &base.steps));
        for i in 0..WIDE {
            base.constant[i] = first[i] - series[i];
        }
    }
}

/// The product of the factors of a count of at least 2.
#[inline(always)]
fn product(n: u32, steps: &WideLanes) -> WideLanes {
    let mut factor = [1.0; WIDE];
    for i in 0..WIDE {
        factor[i] += steps[i];
    }
    let mut product = factor;
    for _ in 2..n {
        for i in 0..WIDE {
            factor[i] += steps[i];
            product[i] *= factor[i];
        }
    }
    product
}

/// Stirling's series at n + a, without what is the same for all n.
#[inline(always)]
fn series(n: f32, steps: &WideLanes) -> WideLanes {
    let mut ratio = [0.0; WIDE];
    for i in 0..WIDE {
        ratio[i] = 1.0 + n * steps[i];
    }
    let mut value = ln(ratio);
    for i in 0..WIDE {
        // A base that does not count has steps of 0.
        let step = steps[i].max(1e-30);
        let x = ratio[i] / step;
        let inverse = step / ratio[i];
        let tail = inverse * (1.0 / 12.0 - inverse * inverse * (1.0 / 360.0));
        value[i] = (x - 0.5) * value[i] - n + tail;
    }
    value
}

/// The natural logarithm of normal numbers of at least 1, right to about 10^-7.
#[inline(always)]
fn ln(x: WideLanes) -> WideLanes {
    const HALF_ROOT: u32 = 0x3F35_04F3;
    const LN_2: f32 = std::f32::consts::LN_2;
    let mut value = x;
    for i in 0..WIDE {
        let exponent = (x[i].to_bits() - HALF_ROOT) >> 23;
        let m = f32::from_bits(x[i].to_bits() - (exponent << 23));
        let t = (m - 1.0) / (m + 1.0);
        let z = t * t;
        let series = 2.0 / 3.0 + z * (2.0 / 5.0 + z * (2.0 / 7.0 + z * (2.0 / 9.0)));
        value[i] = exponent as i32 as f32 * LN_2 + (2.0 * t + t * z * series);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::sums as sums_of;
    use super::*;

    #[test]
    fn sums_are_those_of_the_logarithms_of_gamma() {
        let inverses = [[1e4, 3.0, 1.0], [2.0, 100.0, 300.0], [1.1, 5e3, 5.0], [1.5, 2.5, 0.0]];
        let counts = [2u32, 3, 5, 6, 7, 15, 16, 17, 40, 400, 4000, 2, 2, 15];
        for simd in [Simd::Portable, Simd::Avx2, Simd::Avx512].into_iter().filter(|s| *s <= Simd::detect()) {
            let mut bases: Vec<ExcessBase> =
                inverses.iter().map(|&inverse| ExcessBase::new(inverse, 5000)).collect();
            complete(simd, &mut bases);
            for (at, inverse) in inverses.iter().enumerate() {
                let cells: Vec<(u32, u32)> = counts.iter().map(|&n| (n, at as u32)).collect();
                let ours = sums_of(simd, &cells, &bases);
                for base in (0..BASES).filter(|&base| inverse[base] > 0.0) {
                    for (i, s) in STRENGTHS.into_iter().enumerate() {
                        let steps = |n: u32| (1..n).map(|k| libm::log1p(f64::from(k) * inverse[base] / s));
                        let theirs: f64 = counts.iter().map(|&n| steps(n).sum::<f64>()).sum();
                        let ours = ours[base * STRENGTHS.len() + i];
                        assert!((ours - theirs).abs() < error(5000) / 4.0, "{base} {i}: {ours} {theirs}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_logarithm_is_right() {
        for i in 0..800 {
            let x = libm::exp(f64::from(i) / 10.0) as f32;
            let (ours, theirs) = (f64::from(ln([x; WIDE])[3]), libm::log(f64::from(x)));
            assert!((ours - theirs).abs() <= 3e-7 * theirs.max(1.0), "{x}: {ours} {theirs}");
        }
    }
}
