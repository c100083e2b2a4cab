//! ln Γ(n + a) − ln Γ(a) for several a at once, added up exactly.
//!
//! The score `bdh` averages over how strongly a table shrinks, so each cell is evaluated for several
//! strengths s, with a = s·b for a base probability b. The strengths are the lanes of a vector. Every term is
//! rounded to a grid that is coarse enough for the sums over a table to be exact in double precision, so
//! their order does not matter. The logarithm uses only additions, multiplications and divisions, so it is
//! the same on every processor.
// For `multiversion`, which compiles a loop for several kinds of processor.
#![allow(unsafe_code)]
// The vectoriser understands loops over a fixed range best.
#![allow(clippy::needless_range_loop)]

use crate::counts::{Simd, multiversion};

/// The strengths of shrinkage towards the base that are averaged over, as numbers of imaginary
/// rows.
pub(super) const STRENGTHS: [f64; 5] = [0.5, 2.0, 8.0, 32.0, 128.0];

/// The number of strengths, padded to fill a vector.
const WIDTH: usize = 8;

/// A number for each strength.
pub(super) type Lanes = [f64; WIDTH];

const PADDED: Lanes = [0.5, 2.0, 8.0, 32.0, 128.0, 1.0, 1.0, 1.0];

/// Terms of counts below this are products; from here on Stirling's series is exact to double
/// precision.
const PRODUCTS: u32 = 16;

/// The logarithms of the strengths.
pub(super) const LOGS: Lanes = [
    -std::f64::consts::LN_2,
    std::f64::consts::LN_2,
    3.0 * std::f64::consts::LN_2,
    5.0 * std::f64::consts::LN_2,
    7.0 * std::f64::consts::LN_2,
    0.0,
    0.0,
    0.0,
];

/// A base probability and its logarithm.
#[derive(Debug, Clone, Copy, PartialEq)]
struct BaseProbability {
    b: f64,
    log: f64,
}

impl BaseProbability {
    fn new(b: f64) -> BaseProbability {
        BaseProbability { b, log: ln([b; WIDTH])[0] }
    }
}

/// A cell of a table: its count, and its position, which determines its base probability.
pub(super) type LaneCell = (u32, u32);

/// Terms for a table with a given number of rows.
#[derive(Debug)]
pub(super) struct LaneSums {
    simd: Simd,
    /// Adding and subtracting it rounds a number to the grid.
    magic: f64,
    /// The terms of a = s, for n below some bound.
    of_strengths: Box<[Lanes]>,
}

/// Terms of counts from this on are computed on demand.
const TABLED: usize = 8192;

impl LaneSums {
    pub(super) fn new(rows: usize) -> LaneSums {
        // A base probability is at least one in twice the rows, so a row contributes no more than this.
        let rows_f = rows.max(1) as f64;
        let largest = rows_f * (libm::log(2.0 * rows_f + 256.0) + 2.0);
        let magic = 1.5 * libm::ldexp(1.0, libm::ilogb(largest) + 2);
        let mut sums = LaneSums { simd: Simd::detect(), magic, of_strengths: Box::default() };
        sums.of_strengths = (0..TABLED.min(rows + 1)).map(|n| sums.term(n as u32, 1.0)).collect();
        sums
    }

    /// The vector instructions in use.
    pub(super) fn simd(&self) -> Simd {
        self.simd
    }

    /// A bound on the rounding error of the sums over a table.
    pub(super) fn rounding(&self, rows: usize) -> f64 {
        // Half a step of the grid for each cell and each configuration.
        rows as f64 * self.magic * f64::EPSILON
    }

    /// The rounded terms of a count with a = s·b.
    pub(super) fn term(&self, n: u32, b: f64) -> Lanes {
        let mut sum = [0.0; WIDTH];
        if n > 0 {
            let direct =
                LaneTerms { bases: vec![BaseProbability::new(b)], ends: vec![0, 0], terms: Vec::new() };
            add_up(self.simd, &[(n, 0)], &[0], &direct, self.magic, &mut sum);
        }
        sum
    }

    /// Adds the terms of cells, each with a = s·b for the base probability of its position.
    pub(super) fn add(&self, cells: &[LaneCell], which: &[u32], terms: &LaneTerms, sum: &mut Lanes) {
        add_up(self.simd, cells, which, terms, self.magic, sum);
    }

    /// Subtracts the terms of counts with a = s.
    pub(super) fn take_strengths(&self, counts: &[u32], sum: &mut Lanes) {
        for &n in counts {
            match self.of_strengths.get(n as usize) {
                Some(term) => (0..WIDTH).for_each(|i| sum[i] -= term[i]),
                None => {
                    let term = self.term(n, 1.0);
                    (0..WIDTH).for_each(|i| sum[i] -= term[i]);
                }
            }
        }
    }
}

/// Base probabilities, and the terms of small counts for each of them.
#[derive(Debug)]
pub(super) struct LaneTerms {
    bases: Vec<BaseProbability>,
    /// Where the terms of each base probability end, after a first entry of 0.
    ends: Vec<u32>,
    terms: Vec<Lanes>,
}

impl LaneTerms {
    /// The terms of base probabilities, each with its number of rows, which no count exceeds. Terms of counts
    /// below the bound are computed in advance.
    pub(super) fn new(sums: &LaneSums, bases: impl Iterator<Item = (f64, u32)>, bound: u32) -> LaneTerms {
        let mut table = LaneTerms { bases: Vec::new(), ends: vec![0], terms: Vec::new() };
        for (b, rows) in bases {
            let base = BaseProbability::new(b);
            table.bases.push(base);
            if rows > 0 && bound > 0 {
                tabulate(sums.simd, base, bound.min(rows + 1), sums.magic, &mut table.terms);
            }
            table.ends.push(table.terms.len() as u32);
        }
        table
    }
}

impl LaneTerms {
    /// 1 / b of a base probability.
    pub(super) fn inverse(&self, which: usize) -> f64 {
        1.0 / self.bases[which].b
    }
}

multiversion! {
    /// Adds the rounded terms of cells.
    fn add_up(cells: &[LaneCell], which: &[u32], terms: &LaneTerms, magic: f64, sum: &mut Lanes) = add_up_body
}

multiversion! {
    /// Appends the rounded terms of the counts below a bound.
    fn tabulate(base: BaseProbability, bound: u32, magic: f64, terms: &mut Vec<Lanes>) = tabulate_body
}

#[inline(always)]
fn add_up_body(cells: &[LaneCell], which: &[u32], terms: &LaneTerms, magic: f64, sum: &mut Lanes) {
    let mut total = *sum;
    for &(n, place) in cells {
        let base = which[place as usize] as usize;
        let at = terms.ends[base] as usize + n as usize;
        let term = if at < terms.ends[base + 1] as usize {
            terms.terms[at]
        } else {
            rounded_term(n, terms.bases[base], magic)
        };
        for i in 0..WIDTH {
            total[i] += term[i];
        }
    }
    *sum = total;
}

#[inline(always)]
fn tabulate_body(base: BaseProbability, bound: u32, magic: f64, terms: &mut Vec<Lanes>) {
    terms.push([0.0; WIDTH]);
    for n in 1..bound {
        terms.push(rounded_term(n, base, magic));
    }
}

/// ln Γ(n + a) − ln Γ(a) on the grid, for n of at least 1.
#[inline(always)]
fn rounded_term(n: u32, base: BaseProbability, magic: f64) -> Lanes {
    let mut term = LOGS;
    if n == 1 {
        for i in 0..WIDTH {
            term[i] += base.log;
        }
    } else {
        let mut a = PADDED;
        for i in 0..WIDTH {
            a[i] *= base.b;
        }
        term = term_body(n, a);
    }
    for i in 0..WIDTH {
        term[i] = (term[i] + magic) - magic;
    }
    term
}

/// ln Γ(n + a) − ln Γ(a) for n of at least 2.
#[inline(always)]
fn term_body(n: u32, a: Lanes) -> Lanes {
    let mut product = a;
    let mut factor = a;
    for _ in 1..n.min(PRODUCTS) {
        for i in 0..WIDTH {
            factor[i] += 1.0;
            product[i] *= factor[i];
        }
    }
    let mut term = ln(product);
    if n > PRODUCTS {
        let (mut from, mut to) = (a, a);
        for i in 0..WIDTH {
            from[i] += f64::from(PRODUCTS);
            to[i] += f64::from(n);
        }
        let (from, to) = (stirling(from), stirling(to));
        for i in 0..WIDTH {
            term[i] += to[i] - from[i];
        }
    }
    term
}

/// ln Γ(x) − ½ ln 2π for x of at least 16.
#[inline(always)]
fn stirling(x: Lanes) -> Lanes {
    let mut value = ln(x);
    for i in 0..WIDTH {
        let inverse = 1.0 / x[i];
        let square = inverse * inverse;
        let tail = 1.0 / 1680.0 - square * (1.0 / 1188.0);
        let tail = 1.0 / 360.0 - square * (1.0 / 1260.0 - square * tail);
        let tail = inverse * (1.0 / 12.0 - square * tail);
        value[i] = (x[i] - 0.5) * value[i] - x[i] + tail;
    }
    value
}

/// The natural logarithm of normal numbers above 0, to about the last bit.
///
/// x = 2^e·m with m between √½ and √2, and ln m = 2 artanh((m − 1) / (m + 1)) by its series.
#[inline(always)]
fn ln(x: Lanes) -> Lanes {
    const HALF_ROOT: u64 = 0x3FE6_A09E_667F_3BCD;
    // With this exponent the last bit of a double is worth 1.
    const WHOLE: u64 = 0x4330_0000_0000_0000;
    const LN_2: f64 = std::f64::consts::LN_2;
    let mut value = x;
    for i in 0..WIDTH {
        // The bias keeps the exponent from being negative; then it goes into the last bits.
        let exponent = (x[i].to_bits() + (2048 << 52) - HALF_ROOT) >> 52;
        let e = f64::from_bits(WHOLE | exponent) - (f64::from_bits(WHOLE) + 2048.0);
        let m = f64::from_bits(x[i].to_bits() + (2048 << 52) - (exponent << 52));
        let t = (m - 1.0) / (m + 1.0);
        let z = t * t;
        let mut series = 1.0 / 21.0;
        for odd in [19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0] {
            series = series * z + 1.0 / odd;
        }
        value[i] = e * LN_2 + (2.0 * t + 2.0 * t * z * series);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_right() {
        for i in 0..4000 {
            let x = libm::exp(f64::from(i - 2000) / 7.3);
            let (ours, theirs) = (ln([x; WIDTH])[3], libm::log(x));
            assert!((ours - theirs).abs() <= 4e-16 * theirs.abs().max(1.0), "{x}: {ours} {theirs}");
        }
    }

    #[test]
    fn a_term_is_the_difference_of_two_logarithms_of_gamma() {
        let sums = LaneSums::new(100_000);
        for b in [1e-5, 0.003, 0.2, 0.5, 0.99, 1.0] {
            for n in [1u32, 2, 3, 15, 16, 17, 18, 100, 5000, 99_999] {
                let ours = sums.term(n, b);
                for (i, s) in STRENGTHS.into_iter().enumerate() {
                    let theirs = libm::lgamma(s * b + f64::from(n)) - libm::lgamma(s * b);
                    assert!((ours[i] - theirs).abs() < 4e-9, "{n} {b} {s}: {} {theirs}", ours[i]);
                }
            }
        }
    }

    #[test]
    fn sums_are_exact_in_any_order_and_on_any_processor() {
        let sums = LaneSums::new(5000);
        let cells: Vec<LaneCell> = (0..900).map(|i| (1 + i * i % 37, i % 50)).collect();
        let which: Vec<u32> = (0..50).rev().collect();
        let bases = || (1..=50).map(|i| (f64::from(i) / 51.0, 37));
        let [some, none] = [20, 0].map(|bound| LaneTerms::new(&sums, bases(), bound));
        let mut forward = [0.0; WIDTH];
        sums.add(&cells, &which, &some, &mut forward);
        let mut backward = [0.0; WIDTH];
        cells.iter().rev().for_each(|cell| sums.add(&[*cell], &which, &none, &mut backward));
        assert_eq!(forward, backward, "with tables and without");
        for simd in [Simd::Portable, Simd::Avx2, Simd::Avx512].into_iter().filter(|s| *s <= Simd::detect()) {
            let mut sum = [0.0; WIDTH];
            add_up(simd, &cells, &which, &none, sums.magic, &mut sum);
            assert_eq!(sum, forward, "{simd:?}");
        }
        assert!(forward.iter().all(|sum| ((sum + sums.magic) - sums.magic) == *sum), "on the grid");
    }
}
