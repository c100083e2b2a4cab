//! A scale of round numbers.

/// The vertical scale of a panel.
pub(super) struct Y {
    pub(super) low: f64,
    pub(super) high: f64,
    top: f64,
    bottom: f64,
}

impl Y {
    /// The scale that puts all values between two heights, with a little space around them.
    pub(super) fn over(values: impl Iterator<Item = f64>, top: f64, bottom: f64) -> Y {
        let finite = values.filter(|x| x.is_finite());
        let (low, high) = finite.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
        let size = low.abs().max(high.abs()).max(1e-6);
        // Values that are all alike get a scale all the same.
        let space = (0.06 * (high - low)).max(0.005 * size);
        Y { low: low - space, high: high + space, top, bottom }
    }

    /// The height of a value.
    pub(super) fn place(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        self.bottom - share * (self.bottom - self.top)
    }
}

/// Round numbers inside a range, and the number of decimals they need.
pub(super) struct Ticks {
    pub(super) values: Vec<f64>,
    pub(super) decimals: usize,
}

/// Four to nine of them, 1, 2 or 5 times a power of ten apart.
pub(super) fn ticks(low: f64, high: f64) -> Ticks {
    let (mut power, mut decimals) = (1.0f64, 0usize);
    let range = high - low;
    while power * 4.0 > range && decimals < 12 {
        power /= 10.0;
        decimals += 1;
    }
    while power * 40.0 <= range {
        power *= 10.0;
    }
    // Now the range has 4 to 40 steps of this power.
    let step = [1.0, 2.0, 5.0].into_iter().find(|m| range / (m * power) < 9.0).unwrap_or(5.0) * power;
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    Ticks { values: (first..=last).map(|i| i as f64 * step).collect(), decimals }
}

/// The logarithm for positions on a logarithmic axis. It is from `libm`, and positions are rounded to a tenth of
/// a pixel, so that a figure is the same text on every machine.
pub(super) fn log(x: f64) -> f64 {
    libm::log(x)
}

/// The powers of ten inside a range, and their multiples by two and five if there are few of them.
pub(super) fn log_ticks(low: f64, high: f64) -> Vec<f64> {
    let from = libm::floor(libm::log10(low)) as i32;
    let to = libm::ceil(libm::log10(high)) as i32;
    let within = |x: &f64| (low..=high).contains(x);
    let of = |factors: &[f64]| -> Vec<f64> {
        let power = |e: i32| libm::exp10(f64::from(e)).round().max(libm::exp10(f64::from(e)));
        (from..=to).flat_map(|e| factors.iter().map(move |f| f * power(e))).filter(within).collect()
    };
    let powers = of(&[1.0]);
    if powers.len() >= 3 { powers } else { of(&[1.0, 2.0, 5.0]) }
}

/// A number with at most one decimal.
pub(super) fn number(x: f64) -> String {
    let text = format!("{x:.1}");
    let short = text.strip_suffix(".0").unwrap_or(&text);
    if short == "-0" { "0".into() } else { short.into() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ticks_are_round() {
        let shown = |low, high| {
            let Ticks { values, decimals } = ticks(low, high);
            values.iter().map(|x| format!("{x:.decimals$}")).collect::<Vec<_>>()
        };
        assert_eq!(shown(0.62, 1.04), ["0.7", "0.8", "0.9", "1.0"]);
        assert_eq!(shown(-0.3, 24.0), ["0", "5", "10", "15", "20"]);
        assert_eq!(
            shown(-0.0004, 0.0013),
            ["-0.0004", "-0.0002", "0.0000", "0.0002", "0.0004", "0.0006", "0.0008", "0.0010", "0.0012"]
        );
    }

    #[test]
    fn equal_factors_are_equally_far_apart() {
        let step = |a: f64, b: f64| log(b) - log(a);
        assert!((step(50.0, 100.0) - step(2500.0, 5000.0)).abs() < 1e-12);
        assert!((step(100.0, 500.0) - step(1000.0, 5000.0)).abs() < 1e-12);
        assert_eq!(log_ticks(0.5, 2000.0), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(log_ticks(15.0, 60.0), [20.0, 50.0]);
    }

    proptest! {
        #[test]
        fn any_range_has_a_few(low in -1e6..1e6f64, range in 1e-5..1e7f64) {
            let Ticks { values, .. } = ticks(low, low + range);
            prop_assert!((2..=10).contains(&values.len()), "{values:?}");
        }
    }

    #[test]
    fn equal_values_have_a_scale() {
        let y = Y::over([1.0, 1.0].into_iter(), 0.0, 100.0);
        assert_eq!(y.place(1.0).round(), 50.0);
    }
}
