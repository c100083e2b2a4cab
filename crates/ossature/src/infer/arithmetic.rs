//! Arithmetic on the numbers passed from clique to clique.
//!
//! Posteriors need products and sums. They are computed from plain probabilities as long as that is
//! certainly exact in effect, and otherwise from logarithms: [`Linear`] tracks the smallest positive
//! number of each table and gives up before a product could underflow a double. The most probable
//! explanation needs products and maxima, which are computed from logarithms.

use super::walk::Walk;

/// The exponent of two below which products are not trusted.
const SMALLEST: i64 = -960;

/// The scale divided out of a message so that its largest entry is near 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scaled {
    /// The power of two divided out.
    pub(super) twos: i64,
    /// The logarithm of the rest that was divided out.
    pub(super) ln: f64,
    /// No positive entry is below two to this power.
    pub(super) floor: i64,
}

/// How tables are multiplied, divided and summed.
pub(super) trait Arithmetic {
    /// Whether tables hold logarithms.
    const LOGS: bool;
    /// The neutral element of products.
    const ONE: f64;
    /// Multiplies.
    fn times(large: &mut f64, small: f64);
    /// Divides; zero divided by zero is zero.
    fn over(large: &mut f64, small: f64);
    /// Sums a table to a smaller one.
    fn collapse(walk: &Walk, table: &[f64], small: &mut [f64], spare: &mut Vec<f64>);
    /// Scales a message; `None` if all of it is 0.
    fn scale(message: &mut [f64]) -> Option<Scaled>;
    /// Turns a collapsed table into an answer.
    fn finish(answer: &mut [f64]);
    /// Whether products of tables whose floors sum to this can be trusted.
    fn trusts(floor: i64) -> bool;
}

/// Sums and products of probabilities.
pub(super) struct Linear;

/// Sums and products of probabilities by their logarithms.
pub(super) struct Logs;

/// Maxima and products of probabilities by their logarithms.
pub(super) struct MaxLogs;

impl Arithmetic for Linear {
    const LOGS: bool = false;
    const ONE: f64 = 1.0;

    fn times(large: &mut f64, small: f64) {
        *large *= small;
    }

    fn over(large: &mut f64, small: f64) {
        *large = if small == 0.0 { 0.0 } else { *large / small };
    }

    fn collapse(walk: &Walk, table: &[f64], small: &mut [f64], _: &mut Vec<f64>) {
        small.fill(0.0);
        walk.gather(table, small, sum, |s, l| *s += l);
    }

    fn scale(message: &mut [f64]) -> Option<Scaled> {
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for &m in message.iter() {
            most = most.max(m);
            least = if m > 0.0 { least.min(m) } else { least };
        }
        if most == 0.0 {
            return None;
        }
        // Below 1 after division by a power of two, which is exact.
        let twos = exponent(most) + 1;
        let factor = power_of_two(-twos);
        message.iter_mut().for_each(|m| *m *= factor);
        Some(Scaled { twos, ln: 0.0, floor: exponent(least) - twos })
    }

    fn finish(answer: &mut [f64]) {
        let total = sum(answer);
        answer.iter_mut().for_each(|p| *p /= total);
    }

    fn trusts(floor: i64) -> bool {
        floor > SMALLEST
    }
}

impl Arithmetic for Logs {
    const LOGS: bool = true;
    const ONE: f64 = 0.0;

    fn times(large: &mut f64, small: f64) {
        *large += small;
    }

    fn over(large: &mut f64, small: f64) {
        *large = if small == f64::NEG_INFINITY { small } else { *large - small };
    }

    fn collapse(walk: &Walk, table: &[f64], small: &mut [f64], spare: &mut Vec<f64>) {
        MaxLogs::collapse(walk, table, small, spare);
        spare.clear();
        spare.extend_from_slice(table);
        let relative = |l: &mut f64, most: f64| {
            *l = if most == f64::NEG_INFINITY { 0.0 } else { libm::exp(*l - most) };
        };
        walk.spread(small, spare, relative);
        let mut sums = vec![0.0; small.len()];
        walk.gather(spare, &mut sums, sum, |s, l| *s += l);
        small.iter_mut().zip(sums).for_each(|(most, sum)| *most += libm::log(sum));
    }

    fn scale(message: &mut [f64]) -> Option<Scaled> {
        let most = maximum(message);
        if most == f64::NEG_INFINITY {
            return None;
        }
        message.iter_mut().for_each(|m| *m -= most);
        Some(Scaled { twos: 0, ln: most, floor: 0 })
    }

    fn finish(answer: &mut [f64]) {
        let most = maximum(answer);
        answer.iter_mut().for_each(|l| *l = libm::exp(*l - most));
        Linear::finish(answer);
    }

    fn trusts(_: i64) -> bool {
        true
    }
}

impl Arithmetic for MaxLogs {
    const LOGS: bool = true;
    const ONE: f64 = 0.0;

    fn times(large: &mut f64, small: f64) {
        Logs::times(large, small);
    }

    fn over(large: &mut f64, small: f64) {
        Logs::over(large, small);
    }

    fn collapse(walk: &Walk, table: &[f64], small: &mut [f64], _: &mut Vec<f64>) {
        small.fill(f64::NEG_INFINITY);
        walk.gather(table, small, maximum, |s, l| *s = s.max(l));
    }

    fn scale(message: &mut [f64]) -> Option<Scaled> {
        Logs::scale(message)
    }

    /// The answer is the distance of each entry below the best.
    fn finish(answer: &mut [f64]) {
        let most = maximum(answer);
        answer.iter_mut().for_each(|l| *l -= most);
    }

    fn trusts(_: i64) -> bool {
        true
    }
}

/// The sum of a row, in four parts that can be added in parallel.
fn sum(row: &[f64]) -> f64 {
    let (fours, rest) = row.as_chunks::<4>();
    let mut lanes = [0.0; 4];
    for four in fours {
        lanes.iter_mut().zip(four).for_each(|(lane, x)| *lane += x);
    }
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]) + rest.iter().sum::<f64>()
}

fn maximum(row: &[f64]) -> f64 {
    row.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// The exponent of the largest power of two not above a positive number; subnormal numbers count as
/// the smallest normal one.
pub(super) fn exponent(x: f64) -> i64 {
    match (x.to_bits() >> 52) as i64 {
        0 => -1074,
        biased => biased - 1023,
    }
}

/// Two to a power, from -1022 to 1023.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_those_of_the_number() {
        for (x, e) in [(1.0, 0), (0.75, -1), (0.5, -1), (3.9, 1), (1e-310, -1074)] {
            assert_eq!(exponent(x), e, "{x}");
        }
        assert_eq!(power_of_two(-3), 0.125);
        assert_eq!(power_of_two(10), 1024.0);
    }

    #[test]
    fn scaling_keeps_the_ratios() {
        let mut message = [0.0, 3e-200, 6e-200];
        let scaled = Linear::scale(&mut message).unwrap();
        assert!(message[2] >= 0.5 && message[2] < 1.0 && message[2] == 2.0 * message[1]);
        assert_eq!(scaled.floor, -2);
        assert_eq!(Linear::scale(&mut [0.0, 0.0]), None);
        assert_eq!(Logs::scale(&mut [f64::NEG_INFINITY]), None);
    }

    #[test]
    fn logarithms_sum_like_numbers() {
        let walk = Walk::new([(2, 1), (3, 0)]);
        let table = [0.5, 0.25, 0.125, 0.0, 0.0, 0.0];
        let logs = table.map(f64::ln);
        let (mut plain, mut by_logs, mut spare) = ([0.0; 2], [0.0; 2], Vec::new());
        Linear::collapse(&walk, &table, &mut plain, &mut spare);
        Logs::collapse(&walk, &logs, &mut by_logs, &mut spare);
        assert!((by_logs[0] - plain[0].ln()).abs() < 1e-15);
        assert_eq!(by_logs[1], f64::NEG_INFINITY);
        assert_eq!(plain, [0.875, 0.0]);
    }
}
