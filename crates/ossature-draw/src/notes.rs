//! The notes of a drawing on continuous variables.

use ossature::network::Regression;
use ossature::{Network, Var};

/// The note if nothing more is known.
pub(crate) const CONTINUOUS: &str = "continuous";

/// How the mean of a continuous variable depends on its parents; `None` for a discrete one.
pub(crate) fn regression(network: &Network, v: Var) -> Option<String> {
    let gaussian = network.gaussian(v)?;
    let law = match gaussian.rows() {
        [only] => line(network, v, only),
        rows => format!("a regression for each of {} configurations of its discrete parents", rows.len()),
    };
    Some(format!("{CONTINUOUS}; {law}"))
}

/// A regression in words.
fn line(network: &Network, v: Var, row: &Regression) -> String {
    let mut mean = figures(row.intercept);
    for (p, b) in network.continuous_parents(v).zip(&row.coefficients) {
        let sign = if *b < 0.0 { '−' } else { '+' };
        mean.push_str(&format!(" {sign} {} × {}", figures(b.abs()), network.variable(p).name()));
    }
    format!("mean {mean}, standard deviation {}", figures(row.sd))
}

/// A number with four significant digits.
pub(crate) fn figures(x: f64) -> String {
    if x == 0.0 {
        return "0".into();
    }
    if !(1e-4..1e6).contains(&x.abs()) {
        return format!("{x:.3e}");
    }
    let whole = x.abs() as u64;
    let decimals = 4_usize.saturating_sub(if whole == 0 { 0 } else { whole.to_string().len() });
    let text = format!("{x:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::figures;

    #[test]
    fn numbers_have_four_figures() {
        let shown = [0.0, 1.0, -0.51239, 12.3456, 123_456.7, 1e-7, 0.25, 170.0].map(figures);
        assert_eq!(shown, ["0", "1", "-0.5124", "12.35", "123457", "1.000e-7", "0.25", "170"]);
    }
}
