//! The two-sided tail of Student's t, for correlations.

/// ln of the probability that the correlation of independent variables is at least as far from 0 as `r`, with
/// `df` degrees of freedom; `left` is 1 − r².
///
/// This is the regularised incomplete beta function I(1 − r²; df / 2, 1 / 2), computed by Gauss's continued
/// fraction on the side where it converges fast.
pub(super) fn ln_p_of_correlation(r: f64, left: f64, df: f64) -> f64 {
    let (a, b) = (df / 2.0, 0.5);
    if r == 0.0 {
        return 0.0;
    }
    let ln_power = a * libm::log(left) + b * libm::log(r * r);
    let ln_scale = ln_power + libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b);
    if left < (a + 1.0) / (a + b + 2.0) {
        ln_scale - libm::log(a) + libm::log(fraction(a, b, left))
    } else {
        let lower = libm::exp(ln_scale) / b * fraction(b, a, r * r);
        libm::log1p(-lower.min(1.0))
    }
}

/// The continued fraction 1 / (1 + d₁ x / (1 + d₂ x / (1 + …))) of the incomplete beta function, evaluated
/// from the front by the ratios of successive numerators and denominators.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away = |value: f64| if value.abs() < TINY { TINY } else { value };
    let coefficient = |i: u32| {
        let m = f64::from(i / 2);
        match i % 2 {
            0 => m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
            _ => -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
        }
    };
    let (mut numerator, mut denominator) = (1.0, 1.0 / away(1.0 + coefficient(1)));
    let mut value = denominator;
    for i in 2..10_000 {
        let d = coefficient(i);
        denominator = 1.0 / away(1.0 + d * denominator);
        numerator = away(1.0 + d / numerator);
        let factor = numerator * denominator;
        value *= factor;
        if (factor - 1.0).abs() < 1e-16 {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One and two degrees of freedom have closed forms.
    #[test]
    fn closed_forms() {
        for i in 1..100 {
            let r = f64::from(i) / 100.0;
            let cauchy = (1.0 - 2.0 / std::f64::consts::PI * r.asin()).ln();
            assert!((ln_p_of_correlation(r, 1.0 - r * r, 1.0) - cauchy).abs() < 1e-12 * cauchy.abs());
            let two = (1.0 - r).ln();
            assert!((ln_p_of_correlation(r, 1.0 - r * r, 2.0) - two).abs() < 1e-12 * two.abs());
        }
        assert_eq!(ln_p_of_correlation(0.0, 1.0, 7.0), 0.0);
    }

    /// Far out, p is below the smallest double, and its logarithm is known: the density falls like a power.
    #[test]
    fn decreases_far_out() {
        let values: Vec<f64> = [0.1, 0.5, 0.9, 0.99, 0.999_999]
            .iter()
            .map(|&r| ln_p_of_correlation(r, (1.0 - r) * (1.0 + r), 5000.0))
            .collect();
        assert!(values.is_sorted_by(|a, b| a > b), "{values:?}");
        let expected = 2500.0 * ((1.0f64 - 0.999_999) * 1.999_999).ln();
        assert!((values[4] / expected - 1.0).abs() < 1e-3);
    }
}
