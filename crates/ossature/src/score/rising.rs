//! ln Γ(n + a) − ln Γ(a), the logarithm of a·(a + 1)·…·(a + n − 1), in fixed point and by table.
//!
//! The marginal likelihood of a row of counts under a Dirichlet prior consists of these terms. The
//! same n and a recur: a is one of a few fractions of the equivalent sample size. So there is a
//! table for each a, made and filled as it is used, and threads share it without locks, because every thread
//! computes the same integer for an entry.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering};

use super::grid::nearest;
use super::log_gammas::{LANES, SMALLEST, log_gammas};
use crate::random::scramble;

/// The largest number of tables; at 65 kB each that is 33 MB at most.
const TABLES: usize = 512;

/// The number of places where the table of one a may be.
const PROBES: usize = 8;

/// Terms of counts from this on are computed on demand. With n rows, at most n / 8192 cells are that large.
const TABLED: usize = 8192;

/// The terms of counts below this are made with the table. Most counts are that small.
const NEAR: usize = 512;

/// The number of larger counts whose terms are made together, when the first of them is needed: most never are.
const TOGETHER: usize = 64;

/// An entry that has not been computed. No term is that large.
const UNKNOWN: i64 = i64::MIN;

/// From this on, Stirling's series is exact to double precision.
const LARGE: f64 = 32.0;

/// No term exceeds this multiple of the number of rows: a is between 2^-128 / 10^9 and 10^14.
const LARGEST_PER_ROW: f64 = 150.0;

/// The terms for a table with a given number of rows, in units of 2^-`places`.
#[derive(Debug)]
pub(super) struct Rising {
    tables: Box<[OnceLock<RisingTable>]>,
    /// The number of counts that have an entry in each table.
    entries: usize,
    /// 2^places.
    scale: f64,
}

#[derive(Debug)]
struct RisingTable {
    /// The bits of a.
    a: u64,
    ln_gamma: f64,
    /// The terms of small counts, and one more entry that stays unknown: that of all larger counts.
    near: Box<[AtomicI64]>,
    /// The terms of all counts, [`TOGETHER`] at a time; those of small counts are never made.
    far: Box<[OnceLock<FarTerms>]>,
}

/// The counts whose terms are wanted and not known yet.
#[derive(Default)]
struct OpenTerms {
    counts: [u32; LANES],
    number: usize,
}

type FarTerms = Box<[AtomicI64; TOGETHER]>;

impl Rising {
    /// The terms for counts of up to `rows`.
    pub(super) fn new(rows: usize) -> Rising {
        let places = 61 - libm::ilogb(LARGEST_PER_ROW * rows.max(1) as f64);
        Rising {
            tables: (0..TABLES).map(|_| OnceLock::new()).collect(),
            entries: TABLED.min(rows + 1),
            scale: libm::ldexp(1.0, places),
        }
    }

    /// The sum of ln Γ(n + a) − ln Γ(a) over these counts and `ones` counts of 1, exact except for the rounding of
    /// each term.
    pub(super) fn sum(&self, counts: &[u32], ones: usize, a: f64) -> f64 {
        let units: i64 = match self.table(a) {
            Some(table) => {
                let one = if ones > 0 { self.tabled(table, 1, a) } else { 0 };
                ones as i64 * one + self.tabled_sum(table, counts, a)
            }
            None => {
                let occurring = counts.iter().copied().filter(|&n| n > 0);
                let ln_gamma = libm::lgamma(a);
                let one = if ones > 0 { self.compute(1, a, ln_gamma) } else { 0 };
                ones as i64 * one + occurring.map(|n| self.compute(n, a, ln_gamma)).sum::<i64>()
            }
        };
        units as f64 / self.scale
    }

    /// The table of this a, unless other tables occupy all its places.
    fn table(&self, a: f64) -> Option<&RisingTable> {
        let bits = a.to_bits();
        // Many a differ only in their exponent, which must affect the lowest bits.
        let first = scramble(bits) as usize;
        (0..PROBES).find_map(|probe| {
            let place = &self.tables[first.wrapping_add(probe) % TABLES];
            let table = place.get_or_init(|| {
                let near =
                    (0..=NEAR.min(self.entries)).map(|_| AtomicI64::new(UNKNOWN)).collect::<Box<[_]>>();
                near[0].store(0, Ordering::Relaxed);
                let far = (0..self.entries.div_ceil(TOGETHER)).map(|_| OnceLock::new()).collect();
                RisingTable { a: bits, ln_gamma: libm::lgamma(a), near, far }
            });
            (table.a == bits).then_some(table)
        })
    }

    /// The sum over these counts. The term of 0 is in the table: looking it up is faster than a branch nobody can
    /// predict. For the same reason several are looked up before asking whether all are known.
    fn tabled_sum(&self, table: &RisingTable, counts: &[u32], a: f64) -> i64 {
        let (eights, rest) = counts.as_chunks::<8>();
        let mut open = OpenTerms::default();
        let mut sum = self.one_by_one(table, rest, a, &mut open);
        for eight in eights {
            let (mut some, mut known) = (0i64, true);
            for &n in eight {
                let term = table.near[(n as usize).min(table.near.len() - 1)].load(Ordering::Relaxed);
                known &= term != UNKNOWN;
                some = some.wrapping_add(term);
            }
            sum += if known { some } else { self.one_by_one(table, eight, a, &mut open) };
        }
        if open.number == 0 { sum } else { sum + self.make(table, &open.counts[..open.number], a) }
    }

    /// The sum over these counts, less those that are not known yet: these are put with the open ones, and all open ones
    /// are made and added when there are enough.
    #[inline(never)]
    fn one_by_one(&self, table: &RisingTable, counts: &[u32], a: f64, open: &mut OpenTerms) -> i64 {
        let mut sum = 0;
        for &n in counts {
            match table.known(n as usize) {
                UNKNOWN => {
                    open.counts[open.number] = n;
                    open.number += 1;
                    if open.number == LANES {
                        sum += self.make(table, &open.counts, a);
                        open.number = 0;
                    }
                }
                term => sum += term,
            }
        }
        sum
    }

    /// Computes the terms of these counts, at most as many as there are lanes; returns their sum.
    #[cold]
    fn make(&self, table: &RisingTable, counts: &[u32], a: f64) -> i64 {
        if counts.len() < 2 || a >= LARGE {
            return counts.iter().map(|&n| self.tabled(table, n, a)).sum();
        }
        let mut xs = [f64::from(SMALLEST); LANES];
        xs.iter_mut().zip(counts).for_each(|(x, &n)| *x = f64::from(n.max(SMALLEST)) + a);
        let together = log_gammas(&xs);
        let term = |(&n, ln_gamma): (&u32, &f64)| {
            if n < SMALLEST {
                return self.tabled(table, n, a);
            }
            let term = self.round(ln_gamma - table.ln_gamma);
            if let Some(entry) = table.entry(n as usize) {
                entry.store(term, Ordering::Relaxed);
            }
            term
        };
        counts.iter().zip(&together).map(term).sum()
    }

    #[inline]
    fn tabled(&self, table: &RisingTable, n: u32, a: f64) -> i64 {
        let Some(entry) = table.entry(n as usize) else {
            return self.compute(n, a, table.ln_gamma);
        };
        match entry.load(Ordering::Relaxed) {
            UNKNOWN => {
                let term = self.compute(n, a, table.ln_gamma);
                entry.store(term, Ordering::Relaxed);
                term
            }
            term => term,
        }
    }

    #[cold]
    fn compute(&self, n: u32, a: f64, ln_gamma: f64) -> i64 {
        self.round(ln_rising(f64::from(n), a, ln_gamma))
    }

    fn round(&self, term: f64) -> i64 {
        nearest(term * self.scale) as i64
    }
}

impl RisingTable {
    /// The term of a count, if it was computed before.
    fn known(&self, n: usize) -> i64 {
        if n + 1 < self.near.len() {
            return self.near[n].load(Ordering::Relaxed);
        }
        let some = self.far.get(n / TOGETHER).and_then(OnceLock::get);
        some.map_or(UNKNOWN, |some| some[n % TOGETHER].load(Ordering::Relaxed))
    }

    /// The entry of a count, if it has one.
    fn entry(&self, n: usize) -> Option<&AtomicI64> {
        if n + 1 < self.near.len() {
            return Some(&self.near[n]);
        }
        let terms = || Box::new([const { AtomicI64::new(UNKNOWN) }; TOGETHER]);
        self.far.get(n / TOGETHER).map(|some| &some.get_or_init(terms)[n % TOGETHER])
    }
}

/// ln Γ(n + a) − ln Γ(a) for a whole n above 0, with ln Γ(a) computed before.
fn ln_rising(n: f64, a: f64, ln_gamma: f64) -> f64 {
    if n == 1.0 {
        libm::log(a)
    } else if a < LARGE {
        libm::lgamma(n + a) - ln_gamma
    } else {
        // The difference of two Stirling series, without the large parts that cancel.
        let tail = |x: f64| {
            let square = x * x;
            (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / (1680.0 * square)) / square) / square) / x
        };
        (a - 0.5) * libm::log1p(n / a) + n * (libm::log(n + a) - 1.0) + tail(n + a) - tail(a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The product, factor by factor, with compensated summation of the logarithms.
    fn by_sum(n: u32, a: f64) -> f64 {
        let (mut sum, mut lost) = (0.0, 0.0);
        for i in 0..n {
            let term = libm::log(a + f64::from(i)) - lost;
            let next: f64 = sum + term;
            lost = (next - sum) - term;
            sum = next;
        }
        sum
    }

    #[test]
    fn a_term_is_the_logarithm_of_the_product() {
        for a in [1e-38, 1e-9, 0.003, 0.5, 1.0, 10.0 / 3.0, 31.9, 32.0, 40.5, 1e4, 1e9] {
            for n in [1, 2, 3, 10, 100, 5000] {
                let (ours, theirs) = (ln_rising(f64::from(n), a, libm::lgamma(a)), by_sum(n, a));
                assert!((ours - theirs).abs() <= 1e-14 * theirs.abs() + 1e-14, "{n} {a}: {ours} {theirs}");
            }
        }
    }

    #[test]
    fn tables_change_nothing() {
        let terms = Rising::new(20_000);
        let counts = [0, 1, 1, 7, 511, 512, 513, 8191, 8192, 20_000];
        // More values of a than tables, so some have none; each is asked twice.
        for i in (0..2 * TABLES).chain(0..2 * TABLES) {
            let a = 10.0 / (i + 1) as f64;
            let plain: i64 = counts[1..].iter().map(|&n| terms.compute(n, a, libm::lgamma(a))).sum();
            assert_eq!(terms.sum(&counts, 0, a), plain as f64 / terms.scale);
            assert_eq!(terms.sum(&counts[3..], 2, a), plain as f64 / terms.scale);
        }
        assert!((0..2 * TABLES).any(|i| terms.table(10.0 / (i + 1) as f64).is_none()));
    }

    /// Values that differ only by powers of two, like the shares of binary parents, find room as well.
    #[test]
    fn halves_of_halves_have_tables() {
        let terms = Rising::new(100);
        assert!((0..60).all(|i| terms.table(10.0 / libm::ldexp(1.0, i)).is_some()));
    }

    #[test]
    fn the_largest_sums_fit() {
        for rows in [1usize, 5000, u32::MAX as usize] {
            let terms = Rising::new(rows);
            let smallest = 1e-9 / 2f64.powi(128);
            let singles = rows as f64 * terms.compute(1, smallest, libm::lgamma(smallest)) as f64;
            assert!(singles.abs() < i64::MAX as f64);
            assert!((terms.compute(rows as u32, 1e14, libm::lgamma(1e14)) as f64) < i64::MAX as f64);
        }
    }
}
