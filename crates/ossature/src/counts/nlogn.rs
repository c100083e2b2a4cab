//! n·ln n in fixed point, so that sums over cells are exact.
//!
//! In floating point the order of a sum changes its last bits, and rounding would then decide
//! which of two equal things is larger. Here every term is rounded once to a 64-bit integer and
//! added as such. The same counts give the same sum, whatever their order, the kernel that found
//! them or the number of threads: tests are symmetric to the last bit and equivalent scores tie
//! (deviation D2).
//!
//! The logarithm itself is computed in integers too, so that it is the same on every platform.

/// ln 2 with 64 binary places.
const LN_2: u128 = 0xB172_17F7_D1CF_79AC;

/// Counts from here on are computed when asked for; 65,536 entries take half a megabyte.
const TABLED: usize = 1 << 16;

/// The terms n·ln n for a table of so many rows, in units of 2^-`places`.
///
/// ```
/// use ossature::counts::NLogN;
///
/// let f = NLogN::new(1000);
/// let entropy = f.of(1000) - f.sum(&[250, 750]);
/// assert!((f.to_f64(entropy) - 562.3351446188083).abs() < 1e-10);
/// ```
#[derive(Debug, Clone)]
pub struct NLogN {
    terms: Vec<i64>,
    small_logs: Vec<u128>,
    places: u32,
}

impl NLogN {
    /// The terms for counts of up to `rows`.
    pub fn new(rows: usize) -> NLogN {
        let small_logs = logs_below_1024();
        // rows * ln(rows) < 2^60 units, so that the sum and difference of four such sums fit.
        let largest = (rows as u128 * ln(rows.max(2) as u64, &small_logs)) >> 64;
        let whole = u128::BITS - largest.leading_zeros();
        let mut table = NLogN { terms: Vec::new(), small_logs, places: 59 - whole };
        table.terms = (0..=rows.min(TABLED - 1)).map(|n| table.compute(n as u32)).collect();
        table
    }

    /// n·ln n in units; 0 for 0.
    #[inline]
    pub fn of(&self, n: u32) -> i64 {
        match self.terms.get(n as usize) {
            Some(&term) => term,
            None => self.compute(n),
        }
    }

    /// The sum of n·ln n over these counts.
    #[inline]
    pub fn sum(&self, counts: &[u32]) -> i64 {
        counts.iter().map(|&n| self.of(n)).sum()
    }

    /// Units as a number.
    #[inline]
    pub fn to_f64(&self, units: i64) -> f64 {
        units as f64 / (1u64 << self.places) as f64
    }

    #[cold]
    fn compute(&self, n: u32) -> i64 {
        if n < 2 {
            return 0;
        }
        // 64 binary places of the logarithm times a 32-bit count: rounded to `places`.
        let drop = 64 - self.places;
        let exact = u128::from(n) * ln(u64::from(n), &self.small_logs);
        ((exact + (1 << (drop - 1))) >> drop) as i64
    }
}

/// ln n with 64 binary places, for n of at least 1: n = q · 2^k · (1 + d) with q below 1024.
fn ln(n: u64, small_logs: &[u128]) -> u128 {
    let k = (64 - n.leading_zeros()).saturating_sub(10);
    let q = n >> k;
    let base = u128::from(q) << k;
    let d = ((u128::from(n) - base) << 64) / base;
    u128::from(k) * LN_2 + small_logs[q as usize] + ln_1p(d)
}

/// ln(1 + d) with 64 binary places, for d below 2^-9: the alternating series by Horner's rule.
fn ln_1p(d: u128) -> u128 {
    let mut sum = 0u128;
    for term in (1..=9u128).rev() {
        sum = (1 << 64) / term - ((d * sum) >> 64);
    }
    (d * sum) >> 64
}

/// ln n for n below 1024: ln n - ln (n - 1) = 2 artanh(1 / (2n - 1)), with 100 binary places on the
/// way so that the errors of a thousand steps do not show.
fn logs_below_1024() -> Vec<u128> {
    let mut logs = vec![0u128; 1024];
    let mut precise = 0u128;
    for n in 2..1024u128 {
        let ratio = 2 * n - 1;
        let mut power = (2u128 << 100) / ratio;
        let mut step = 0;
        let mut odd = 1;
        while power > 0 {
            step += power / odd;
            power /= ratio * ratio;
            odd += 2;
        }
        precise += step;
        logs[n as usize] = (precise + (1 << 35)) >> 36;
    }
    logs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_right_to_the_last_places() {
        let small = logs_below_1024();
        assert_eq!(small[2], LN_2);
        for n in [2u64, 3, 10, 1023, 1024, 1025, 4999, 65_535, 65_537, 1_000_003, u64::from(u32::MAX)] {
            let ours = ln(n, &small) as f64 / 2f64.powi(64);
            let theirs = libm::log(n as f64);
            assert!((ours - theirs).abs() <= 4.0 * f64::EPSILON * theirs, "{n}: {ours} {theirs}");
        }
        // ln 10^9 = 9 ln 10: errors of the fixed point beyond those of a double would show here.
        let nine = ln(1_000_000_000, &small).abs_diff(9 * ln(10, &small));
        assert!(nine < 64, "{nine} units of 2^-64");
    }

    #[test]
    fn the_sum_of_the_largest_terms_fits() {
        for rows in [0usize, 1, 2, 5000, 1_000_000, u32::MAX as usize] {
            let f = NLogN::new(rows);
            let all = f.of(rows as u32);
            assert!(all.checked_mul(4).is_some(), "{rows}");
            let exact = rows as f64 * libm::log(rows.max(1) as f64);
            assert!((f.to_f64(all) - exact).abs() <= 1e-14 * exact, "{rows}");
        }
    }

    #[test]
    fn a_term_beyond_the_table_continues_it() {
        let f = NLogN::new(100_000);
        assert!(f.of(65_535) < f.of(65_536) && f.of(65_536) < f.of(65_537));
        assert_eq!(f.of(65_535), f.compute(65_535));
    }
}
