//! The incomplete gamma function, by sums and a continued fraction.

use std::f64::consts::PI;
use std::sync::LazyLock;

use super::Tail;

/// A term this much smaller than the sum, and all the terms after it, cannot change the sum.
const NEGLIGIBLE: f64 = 1e-18;

/// Euler's constant γ = −ψ(1), and π²/6 = ψ'(1).
const EULER: f64 = 0.577_215_664_901_532_9;
const ZETA_2: f64 = PI * PI / 6.0;

/// P(a, x) for x <= a, a >= 1: the Poisson density at a times 1 + x/(a+1) + x²/((a+1)(a+2)) + …
pub(super) fn lower(a: f64, x: f64) -> Tail {
    let (mut term, mut sum, mut k) = (1.0, 1.0, a);
    while term > sum * NEGLIGIBLE {
        k += 1.0;
        term *= x / k;
        sum += term;
    }
    Tail::Lower(libm::exp(ln_poisson(a, x)) * sum)
}

/// Q(a, x) for x >= a >= 1, and for a = 1 with any x: the Poisson density at a − 1 times 1 + (a−1)/x +
/// (a−1)(a−2)/x² + …. The sum ends by itself if a is whole, and otherwise with the tail of the fractional
/// part of a.
pub(super) fn upper(a: f64, x: f64) -> Tail {
    let (mut term, mut sum, mut rest) = (1.0, 0.0, a);
    while rest > 1.0 && term > sum * NEGLIGIBLE {
        sum += term;
        rest -= 1.0;
        term *= rest / x;
    }
    if rest <= 1.0 {
        sum += term * mills(rest, x);
    }
    Tail::Upper { ln_scale: ln_poisson(a - 1.0, x), factor: sum }
}

/// Both tails for 0 < a < 1.
pub(super) fn small_shape(a: f64, x: f64) -> Tail {
    // erfc(√x) is a normal number up to x = 700.
    if a == 0.5 && x < 600.0 {
        one_df(x)
    } else if x < 1.5 {
        alternating(a, x)
    } else {
        Tail::Upper { ln_scale: (a - 1.0) * libm::log(x) - x - libm::lgamma(a), factor: mills(a, x) }
    }
}

fn one_df(x: f64) -> Tail {
    let root = libm::sqrt(x);
    if x < 0.25 { Tail::Lower(libm::erf(root)) } else { of_upper(libm::erfc(root)) }
}

/// P = e^u (1 + v) with u = a ln x − ln Γ(1+a) and v = a Σ_{k>=1} (−x)^k / (k! (a + k)). If a is small, so
/// are u, v and Q, and Q = 1 − P is computed without ever forming the 1.
fn alternating(a: f64, x: f64) -> Tail {
    let u = a * libm::log(x) - ln_gamma_1p(a);
    let (mut power, mut sum, mut k) = (1.0, 0.0, 0.0);
    while f64::abs(power) > NEGLIGIBLE {
        k += 1.0;
        power *= -x / k;
        sum += power / (a + k);
    }
    let v = a * sum;
    let lower = libm::exp(u) * (1.0 + v);
    if lower < 0.5 { Tail::Lower(lower) } else { of_upper(-libm::expm1(u) - libm::exp(u) * v) }
}

fn of_upper(q: f64) -> Tail {
    Tail::Upper { ln_scale: 0.0, factor: q }
}

/// Q(a, x) divided by the density x^(a−1) e^(−x) / Γ(a), for 0 < a < 1 <= x, and for a = 1 with any x.
fn mills(a: f64, x: f64) -> f64 {
    if a == 1.0 {
        1.0
    } else if a == 0.5 && x < 30.0 {
        libm::sqrt(PI * x) * scaled_erfc(x)
    } else {
        fraction(a, x)
    }
}

/// e^y erfc(√y), which does not underflow.
pub(super) fn scaled_erfc(y: f64) -> f64 {
    if y < 30.0 { libm::exp(y) * libm::erfc(libm::sqrt(y)) } else { fraction(0.5, y) / libm::sqrt(PI * y) }
}

/// Legendre's continued fraction x / (x+1−a − 1(1−a)/(x+3−a − 2(2−a)/(x+5−a − …))), from the inside out.
/// After n steps the error is about exp(−4 √(n x)).
fn fraction(a: f64, x: f64) -> f64 {
    let mut i = libm::floor(4.0 + 90.0 / x);
    let mut denominator = x + 2.0 * i + 1.0 - a;
    while i > 0.0 {
        denominator = x + 2.0 * i - 1.0 - a - i * (i - a) / denominator;
        i -= 1.0;
    }
    x / denominator
}

/// ln of x^k e^(−x) / Γ(k+1), k >= 0.
///
/// Written out, its terms grow like k ln k and cancel. For large k they are paired first (Loader's
/// saddle-point form), so that only the distance of x from k and the error of Stirling's formula remain.
fn ln_poisson(k: f64, x: f64) -> f64 {
    if k == 0.0 {
        -x
    } else if k < 16.0 {
        k * libm::log(x) - x - ln_factorial(k)
    } else {
        -deviance(k, x) - 0.5 * libm::log(2.0 * PI * k) - stirling_error(k)
    }
}

/// ln Γ(k+1) for 0 <= k < 16; that of halves, as most degrees of freedom give, is computed once.
fn ln_factorial(k: f64) -> f64 {
    static OF_HALVES: LazyLock<[f64; 32]> =
        LazyLock::new(|| std::array::from_fn(|halves| libm::lgamma(halves as f64 / 2.0 + 1.0)));
    let halves = (2.0 * k) as usize;
    if halves as f64 == 2.0 * k { OF_HALVES[halves] } else { libm::lgamma(k + 1.0) }
}

/// k ln(k/x) + x − k, without cancellation if x is near k.
fn deviance(k: f64, x: f64) -> f64 {
    if x < 0.5 * k {
        return k * (libm::log(k / x) - 1.0) + x;
    }
    k * excess((x - k) / k)
}

/// t − ln(1 + t) for t >= −1/2.
pub(super) fn excess(t: f64) -> f64 {
    if t > 1.0 {
        return t - libm::log1p(t);
    }
    // ln(1+t) = 2 artanh(v) = 2 (v + v³/3 + …) with v = t/(2+t), and t − 2v = t v.
    let v = t / (2.0 + t);
    let square = v * v;
    let (mut power, mut sum, mut n) = (square, 0.0, 3.0);
    while power > NEGLIGIBLE {
        sum += power / n;
        power *= square;
        n += 2.0;
    }
    v * (t - 2.0 * sum)
}

/// ln Γ(k+1) minus Stirling's formula, for k >= 16.
fn stirling_error(k: f64) -> f64 {
    let y = 1.0 / (k * k);
    (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y / 1188.0)))) / k
}

/// ln Γ(1 + a) for 0 < a < 1, accurate even if 1 + a is rounded.
fn ln_gamma_1p(a: f64) -> f64 {
    let lost = a - ((1.0 + a) - 1.0);
    libm::lgamma(1.0 + a) + lost * (ZETA_2 * a - EULER)
}
