//! n·ln n in fixed point, so that sums over cells are exact.
//!
//! In floating point the order of a sum changes its last bits, so rounding would decide which of two equal
//! values is larger. Here every term is rounded once to a 64-bit integer, and the sums are integer sums. The
//! same counts give the same sum, regardless of their order, the kernel and the number of threads: tests are
//! symmetric to the last bit, and equivalent scores tie (deviation D2).
//!
//! The logarithm is computed in integers too, so it is the same on every platform.

/// ln 2 with 64 binary places.
const LN_2: u128 = 0xB172_17F7_D1CF_79AC;

/// Terms of counts below this are tabulated, in half a megabyte; larger ones are computed on demand.
const TABLED: usize = 1 << 16;

/// The terms n·ln n for the counts of a table, in units of 2^-`places`.
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
    places: u32,
    /// The number of rows, which no count exceeds.
    rows: usize,
}

/// Finds n·ln n. Loops over many counts are compiled for each way of finding it: if every term is in the table, they
/// call nothing and their sums stay in registers.
pub(super) trait FindTerm: Copy {
    /// n·ln n in units; 0 for 0.
    fn of(self, n: u32) -> i64;

    /// The sum of n·ln n over these counts.
    #[inline(always)]
    fn sum(self, counts: &[u32]) -> i64 {
        counts.iter().map(|&n| self.of(n)).sum()
    }
}

/// A table that has the terms of all counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct AllTerms<'a>(&'a [i64]);

impl<'a> AllTerms<'a> {
    /// The term of each count.
    pub(super) fn all(self) -> &'a [i64] {
        self.0
    }
}

impl FindTerm for AllTerms<'_> {
    #[inline(always)]
    fn of(self, n: u32) -> i64 {
        self.0[n as usize]
    }
}

impl FindTerm for &NLogN {
    #[inline(always)]
    fn of(self, n: u32) -> i64 {
        NLogN::of(self, n)
    }
}

impl NLogN {
    /// The terms for counts of up to `rows`.
    pub fn new(rows: usize) -> NLogN {
        // rows * ln(rows) < 2^60 units, so the sum and difference of four such sums fit.
        let largest = (rows as u128 * ln(u32::try_from(rows.max(2)).unwrap_or(u32::MAX))) >> 64;
        let whole = u128::BITS - largest.leading_zeros();
        let mut table = NLogN { terms: Vec::new(), places: 59 - whole, rows };
        let tabled = rows.min(TABLED - 1);
        // Of the first half, from which the even ones of the second half are made.
        let mut logs: Vec<u128> = Vec::with_capacity(tabled / 2 + 1);
        table.terms = (0..tabled as u32 + 1)
            .map(|n| {
                let ln = match n {
                    0 => 0,
                    // ln 2n = ln 2 + ln n also in the last place: both are computed from the same q and d.
                    1024.. if n % 2 == 0 => logs[n as usize / 2] + LN_2,
                    1024..8192 => {
                        let (k, q) = parts(n);
                        u128::from(k) * LN_2
                            + SMALL_LOGS[q as usize]
                            + u128::from(LOGS_OF_ODD[n as usize / 2 - 512])
                    }
                    _ => ln(n),
                };
                if logs.len() <= tabled / 2 {
                    logs.push(ln);
                }
                table.round(n, ln)
            })
            .collect();
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
        match self.all_terms() {
            Some(f) => f.sum(counts),
            None => FindTerm::sum(self, counts),
        }
    }

    /// The table, if it has the terms of all counts.
    #[inline]
    pub(super) fn all_terms(&self) -> Option<AllTerms<'_>> {
        (self.rows < TABLED).then_some(AllTerms(&self.terms))
    }

    /// Converts units to a number.
    #[inline]
    pub fn to_f64(&self, units: i64) -> f64 {
        units as f64 / (1u64 << self.places) as f64
    }

    #[cold]
    fn compute(&self, n: u32) -> i64 {
        if n < 2 { 0 } else { self.round(n, ln(n)) }
    }

    /// 64 binary places of the logarithm times a 32-bit count, rounded to `places`.
    fn round(&self, n: u32, ln: u128) -> i64 {
        let drop = 64 - self.places;
        let product = u128::from(n) * ln + (1 << (drop - 1));
        // A shift of 128 bits, of which 5 to 42 are dropped.
        (((product >> 64) as u64) << self.places | (product as u64) >> drop) as i64
    }
}

/// ln n with 64 binary places, for n of at least 1: n = q · 2^k · (1 + d) with q below 1024.
fn ln(n: u32) -> u128 {
    let (k, q) = parts(n);
    let rest = if k == 0 { 0 } else { ln_1p(n, q << k) };
    u128::from(k) * LN_2 + SMALL_LOGS[q as usize] + rest
}

/// k and q of a number.
const fn parts(n: u32) -> (u32, u32) {
    let k = (32 - n.leading_zeros()).saturating_sub(10);
    (k, n >> k)
}

/// ln(1 + d) = ln(n / base) with 64 binary places, for d below 2^-9: the alternating series by Horner's rule.
const fn ln_1p(n: u32, base: u32) -> u128 {
    /// 1/2, 1/3, ..., 1/9.
    const INVERSES: [u64; 8] = {
        let mut inverses = [0; 8];
        let mut term = 0;
        while term < 8 {
            inverses[term] = ((1 << 64) / (term as u128 + 2)) as u64;
            term += 1;
        }
        inverses
    };
    // d by long division, 32 binary places at a time: a 128-bit division would take far longer.
    let rest = ((n - base) as u64) << 32;
    let base = base as u64;
    let d = (((rest / base) << 32) + ((rest % base) << 32) / base) as u128;
    let (mut rest, mut term) = (0u64, 8);
    while term > 0 {
        term -= 1;
        rest = INVERSES[term] - ((d * rest as u128) >> 64) as u64;
    }
    let sum = (1 << 64) - ((d * rest as u128) >> 64);
    (d * sum) >> 64
}

/// ln(1 + d) of the odd numbers from 1025 to 8191, computed at compile time: a table for thousands of rows needs them all.
static LOGS_OF_ODD: [u64; 3584] = {
    let mut logs = [0; 3584];
    let mut i = 0;
    while i < 3584 {
        let n = 2 * i as u32 + 1025;
        let (k, q) = parts(n);
        logs[i] = ln_1p(n, q << k) as u64;
        i += 1;
    }
    logs
};

/// Computed at compile time.
static SMALL_LOGS: [u128; 1024] = logs_below_1024();

/// ln n for n below 1024: ln n - ln (n - 1) = 2 artanh(1 / (2n - 1)). Intermediate results have 100 binary
/// places, so the errors of a thousand steps do not show.
const fn logs_below_1024() -> [u128; 1024] {
    let mut logs = [0u128; 1024];
    let mut precise = 0u128;
    let mut n = 2u128;
    while n < 1024 {
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
        n += 1;
    }
    logs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_right_to_the_last_places() {
        assert_eq!(SMALL_LOGS[2], LN_2);
        for n in [2u32, 3, 10, 1023, 1024, 1025, 4999, 65_535, 65_537, 1_000_003, u32::MAX] {
            let ours = ln(n) as f64 / 2f64.powi(64);
            let theirs = libm::log(f64::from(n));
            assert!((ours - theirs).abs() <= 4.0 * f64::EPSILON * theirs, "{n}: {ours} {theirs}");
        }
        // ln 10^9 = 9 ln 10: this shows errors of the fixed point that are larger than those of a double.
        let nine = ln(1_000_000_000).abs_diff(9 * ln(10));
        assert!(nine < 64, "{nine} units of 2^-64");
    }

    /// The series without any shortcut.
    fn plain_ln(n: u32) -> u128 {
        let k = (32 - n.leading_zeros()).saturating_sub(10);
        let base = u128::from(n >> k << k);
        let d = ((u128::from(n) - base) << 64) / base;
        let inverses = (1..=9).rev().map(|term| (1u128 << 64) / term);
        let sum = inverses.fold(0, |sum, inverse| inverse - ((d * sum) >> 64));
        u128::from(k) * LN_2 + SMALL_LOGS[(n >> k) as usize] + ((d * sum) >> 64)
    }

    #[test]
    fn shortcuts_change_nothing() {
        let some = (1..20_000).chain((0..20_000).map(|i| u32::MAX - 104_729 * i));
        some.for_each(|n| assert_eq!(ln(n), plain_ln(n), "{n}"));
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
        (0..65_536).for_each(|n| assert_eq!(f.of(n), f.compute(n), "{n}"));
    }
}
