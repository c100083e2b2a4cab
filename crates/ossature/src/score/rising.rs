//! ln Γ(n + a) − ln Γ(a), the logarithm of a·(a + 1)·…·(a + n − 1), in fixed point and by table.
//!
//! The marginal likelihood of a row of counts under a Dirichlet prior consists of these terms. The
//! same n and a recur: a is one of a few fractions of the equivalent sample size. So there is a
//! table for each a, made and filled as it is used. Every thread has tables of its own: computing a term takes no longer
//! than fetching it from the cache of another processor, and none waits for what others have written.

use std::sync::{Mutex, MutexGuard, TryLockError};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::grid::nearest;
use super::log_gammas::{LANES, SMALLEST, log_gammas};
use crate::counts::Simd;

/// The largest number of tables of a thread: so many in all, but not fewer and not more than so many for each. At 70 kB
/// each that is 36 MB for a thread at most, and 9 MB if there are many.
const TABLES: usize = 1024;
const TABLES_OF_EACH: (usize, usize) = (128, 512);

/// The terms of counts below this are looked up first. Most counts are that small.
const NEAR: usize = 512;

/// A table has room for so many terms of larger counts at first and at most. These are powers of two.
const FAR: (usize, usize) = if cfg!(test) { (2, 8) } else { (64, 4096) };

/// An entry that has not been computed. No term is that large.
const UNKNOWN: i64 = i64::MIN;

/// From this on, Stirling's series is exact to double precision.
const LARGE: f64 = 32.0;

/// No term exceeds this multiple of the number of rows: a is between 2^-128 / 10^9 and 10^14.
const LARGEST_PER_ROW: f64 = 150.0;

/// The terms for a table with a given number of rows, in units of 2^-`places`.
#[derive(Debug)]
pub(super) struct Rising {
    /// For each thread of the pool, and one for all other threads.
    tables: Box<[OfThread]>,
    terms: Terms,
}

/// The tables of a thread, in cache lines of their own.
#[derive(Debug, Default)]
#[repr(align(128))]
struct OfThread(Mutex<TablesOfThread>);

#[derive(Debug, Default)]
struct TablesOfThread {
    tables: Vec<RisingTable>,
    /// Where the table of each a is, by the bits of a.
    places: FxHashMap<u64, usize>,
}

/// How terms are computed.
#[derive(Debug, Clone, Copy)]
struct Terms {
    /// The largest number of tables.
    tables: usize,
    /// The number of small counts, each of which has an entry in each table.
    near: usize,
    /// 2^places and 2^-places.
    scale: f64,
    unit: f64,
    simd: Simd,
}

/// The terms of one a.
#[derive(Debug)]
struct RisingTable {
    a: f64,
    ln_gamma: f64,
    /// The terms of small counts, and one more entry that stays unknown: that of all larger counts.
    near: Box<[i64]>,
    /// The terms of some larger counts, each with its count, at the place of its last bits; empty before the first.
    far: Vec<(u32, i64)>,
    /// How often one of them took the place of another since there was more room.
    replaced: usize,
}

/// The counts whose terms are wanted and not known yet.
#[derive(Default)]
struct OpenTerms {
    counts: [u32; LANES],
    number: usize,
}

/// Sums of terms, found one after another by one thread.
pub(super) struct RisingSums<'r> {
    terms: Terms,
    tables: TablesInUse<'r>,
    /// The tables of these sums, which are few, by the bits of a.
    recent: SmallVec<[(u64, usize); 8]>,
}

enum TablesInUse<'r> {
    Kept(MutexGuard<'r, TablesOfThread>),
    /// For this use only, because the thread's own are in use.
    New(TablesOfThread),
}

impl Rising {
    /// The terms for counts of up to `rows`.
    pub(super) fn new(rows: usize) -> Rising {
        let places = 61 - libm::ilogb(LARGEST_PER_ROW * rows.max(1) as f64);
        let threads = rayon::current_num_threads();
        let terms = Terms {
            tables: (TABLES / threads).clamp(TABLES_OF_EACH.0, TABLES_OF_EACH.1),
            near: NEAR.min(rows + 1),
            scale: libm::ldexp(1.0, places),
            unit: libm::ldexp(1.0, -places),
            simd: Simd::detect(),
        };
        Rising { tables: (0..=threads).map(|_| OfThread::default()).collect(), terms }
    }

    /// Sums for this thread.
    pub(super) fn sums(&self) -> RisingSums<'_> {
        let others = self.tables.len() - 1;
        let thread = rayon::current_thread_index().map_or(others, |thread| thread.min(others));
        let own = &self.tables[thread].0;
        let tables = match own.try_lock() {
            Ok(kept) => TablesInUse::Kept(kept),
            // A thread whose own are in use is one that was given other work while it waited, or one outside the pool.
            Err(TryLockError::WouldBlock) => TablesInUse::New(TablesOfThread::default()),
            // A panic may have left them half made.
            Err(TryLockError::Poisoned(kept)) => {
                let mut kept = kept.into_inner();
                *kept = TablesOfThread::default();
                own.clear_poison();
                TablesInUse::Kept(kept)
            }
        };
        RisingSums { terms: self.terms, tables, recent: SmallVec::new() }
    }
}

impl RisingSums<'_> {
    /// The sum of ln Γ(n + a) − ln Γ(a) over these counts and `ones` counts of 1, exact except for the rounding of
    /// each term.
    pub(super) fn sum(&mut self, counts: &[u32], ones: usize, a: f64) -> f64 {
        let bits = a.to_bits();
        let recent = self.recent.iter().find(|(other, _)| *other == bits).map(|&(_, place)| place);
        let place = recent.unwrap_or_else(|| self.place(a));
        let table = &mut self.tables.get().tables[place];
        let one = if ones > 0 { table.one(self.terms) } else { 0 };
        (ones as i64 * one + table.sum(counts, self.terms)) as f64 * self.terms.unit
    }

    /// Where the table of this a is.
    #[inline(never)]
    fn place(&mut self, a: f64) -> usize {
        let most = self.terms.tables;
        let TablesOfThread { tables, places } = self.tables.get();
        if tables.len() == most && !places.contains_key(&a.to_bits()) {
            tables.clear();
            places.clear();
            self.recent.clear();
        }
        let TablesOfThread { tables, places } = self.tables.get();
        let place = *places.entry(a.to_bits()).or_insert(tables.len());
        if place == tables.len() {
            tables.push(RisingTable::new(a, self.terms));
        }
        self.recent.push((a.to_bits(), place));
        place
    }
}

impl TablesInUse<'_> {
    fn get(&mut self) -> &mut TablesOfThread {
        match self {
            TablesInUse::Kept(tables) => tables,
            TablesInUse::New(tables) => tables,
        }
    }
}

impl RisingTable {
    fn new(a: f64, terms: Terms) -> RisingTable {
        let mut near = vec![UNKNOWN; terms.near + 1];
        near[0] = 0;
        RisingTable { a, ln_gamma: libm::lgamma(a), near: near.into(), far: Vec::new(), replaced: 0 }
    }

    /// The sum over these counts. The term of 0 is in the table: looking it up is faster than a branch nobody can
    /// predict. For the same reason several are looked up before asking whether all are known.
    fn sum(&mut self, counts: &[u32], terms: Terms) -> i64 {
        let (eights, rest) = counts.as_chunks::<8>();
        let mut open = OpenTerms::default();
        let mut sum = 0;
        for eight in eights {
            sum += self.near_sum(eight).unwrap_or_else(|| self.one_by_one(eight, terms, &mut open));
        }
        sum += self.near_sum(rest).unwrap_or_else(|| self.one_by_one(rest, terms, &mut open));
        if open.number == 0 { sum } else { sum + self.make(&open.counts[..open.number], terms) }
    }

    /// The sum over these counts, if all are small and known.
    #[inline(always)]
    fn near_sum(&self, counts: &[u32]) -> Option<i64> {
        let (mut sum, mut known) = (0i64, true);
        for &n in counts {
            let term = self.near[(n as usize).min(self.near.len() - 1)];
            known &= term != UNKNOWN;
            sum = sum.wrapping_add(term);
        }
        known.then_some(sum)
    }

    /// The sum over these counts, less those that are not known yet: these are put with the open ones, and all open ones
    /// are made and added when there are enough.
    #[inline(never)]
    fn one_by_one(&mut self, counts: &[u32], terms: Terms, open: &mut OpenTerms) -> i64 {
        let mut sum = 0;
        for &n in counts {
            match self.known(n, terms) {
                UNKNOWN if (n as usize) < terms.near / LANES * LANES => {
                    sum += self.make_near(n, terms);
                }
                UNKNOWN => {
                    open.counts[open.number] = n;
                    open.number += 1;
                    if open.number == LANES {
                        sum += self.make(&open.counts, terms);
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
    fn make(&mut self, counts: &[u32], terms: Terms) -> i64 {
        let mut xs = [f64::from(SMALLEST); LANES];
        xs.iter_mut().zip(counts).for_each(|(x, &n)| *x = f64::from(n.max(SMALLEST)) + self.a);
        if self.a < LARGE {
            log_gammas(terms.simd, &mut xs);
        }
        let mut sum = 0;
        for (&n, x) in counts.iter().zip(xs) {
            let is_alone = n < SMALLEST || self.a >= LARGE;
            let term = if is_alone { self.compute(n, terms) } else { terms.round(x - self.ln_gamma) };
            self.keep(n, term, terms);
            sum += term;
        }
        sum
    }

    /// Computes the term of a small count and, in the other lanes, those of its neighbours, which will most likely be wanted
    /// soon; returns the term.
    #[cold]
    fn make_near(&mut self, n: u32, terms: Terms) -> i64 {
        let first = n / LANES as u32 * LANES as u32;
        if first < SMALLEST || self.a >= LARGE {
            let term = self.compute(n, terms);
            self.near[n as usize] = term;
            return term;
        }
        let mut xs: [f64; LANES] = std::array::from_fn(|i| f64::from(first + i as u32) + self.a);
        log_gammas(terms.simd, &mut xs);
        let near = &mut self.near[first as usize..][..LANES];
        near.iter_mut().zip(xs).for_each(|(entry, x)| *entry = terms.round(x - self.ln_gamma));
        near[(n - first) as usize]
    }

    /// The term of 1.
    fn one(&mut self, terms: Terms) -> i64 {
        match self.known(1, terms) {
            UNKNOWN => self.make(&[1], terms),
            term => term,
        }
    }

    /// The term of a count, if it was computed before and is still there.
    fn known(&self, n: u32, terms: Terms) -> i64 {
        if (n as usize) < terms.near {
            return self.near[n as usize];
        }
        match self.far.get(self.far_place(n)) {
            Some(&(count, term)) if count == n => term,
            _ => UNKNOWN,
        }
    }

    /// Keeps the term of a count, if need be instead of that of another large count.
    fn keep(&mut self, n: u32, term: i64, terms: Terms) {
        if (n as usize) < terms.near {
            self.near[n as usize] = term;
            return;
        }
        if self.far.is_empty() || self.replaced > self.far.len() && self.far.len() < FAR.1 {
            self.make_room();
        }
        let place = self.far_place(n);
        self.replaced += usize::from(self.far[place].0 != 0);
        self.far[place] = (n, term);
    }

    /// Makes room for twice as many large counts.
    fn make_room(&mut self) {
        let room = (2 * self.far.len()).max(FAR.0);
        let before = std::mem::replace(&mut self.far, vec![(0, UNKNOWN); room]);
        for (n, term) in before.into_iter().filter(|(n, _)| *n > 0) {
            let place = self.far_place(n);
            self.far[place] = (n, term);
        }
        self.replaced = 0;
    }

    /// The place of a large count; none if there is no room yet.
    fn far_place(&self, n: u32) -> usize {
        n as usize & self.far.len().wrapping_sub(1)
    }

    fn compute(&self, n: u32, terms: Terms) -> i64 {
        terms.round(ln_rising(f64::from(n), self.a, self.ln_gamma))
    }
}

impl Terms {
    fn round(self, term: f64) -> i64 {
        nearest(term * self.scale) as i64
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
        for rows in [1, 7, 9, 100, 502, 503, 504, 511, 512, 20_000] {
            let rising = Rising::new(rows);
            let near = [0, 1, 1, 7, 8, 9, 17, 488, 495, 496, 501, 502, 503, 504, 511, 512, 513, 600, 601];
            let large = [5000, 5001, 6000, 7000, 8191, 8192, 20_000];
            let is_possible = |&n: &u32| n as usize <= rows;
            let counts: Vec<u32> = near.into_iter().chain(large).filter(is_possible).collect();
            // More values of a than tables; each is asked twice. While a thread's tables are in use, others are made.
            let in_use = [rising.sums(), rising.sums()];
            for mut sums in in_use {
                let many = (0..600).chain(0..600).map(|i| 10.0 / f64::from(i + 1));
                for a in many.chain([31.9, 32.0, 100.5]) {
                    let plain = RisingTable::new(a, rising.terms);
                    let of = |n: &u32| if *n == 0 { 0 } else { plain.compute(*n, rising.terms) };
                    let exact =
                        |counts: &[u32]| counts.iter().map(of).sum::<i64>() as f64 / rising.terms.scale;
                    for _ in 0..2 {
                        assert_eq!(sums.sum(&counts, 0, a), exact(&counts));
                        assert_eq!(sums.sum(&counts[2..], 1, a), exact(&counts[1..]));
                    }
                    let place = sums.place(a);
                    let table = &sums.tables.get().tables[place];
                    assert_eq!(table.near.last(), Some(&UNKNOWN));
                    assert!(
                        table.far.len() <= FAR.1 && (rows < 20_000 || table.far.len() > FAR.0),
                        "it grows"
                    );
                }
            }
        }
    }

    #[test]
    fn tables_left_by_a_panic_are_made_again() {
        let rising = Rising::new(100);
        let sum = || rising.sums().sum(&[3, 50, 100], 1, 0.5);
        let before = sum();
        let panics = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _sums = rising.sums();
            panic!("on purpose");
        }));
        assert!(panics.is_err());
        assert_eq!(sum(), before);
        assert!(matches!(rising.sums().tables, TablesInUse::Kept(kept) if kept.tables.len() == 1));
    }

    #[test]
    fn the_largest_sums_fit() {
        for rows in [1usize, 5000, u32::MAX as usize] {
            let terms = Rising::new(rows).terms;
            let singles =
                rows as f64 * RisingTable::new(1e-9 / 2f64.powi(128), terms).compute(1, terms) as f64;
            assert!(singles.abs() < i64::MAX as f64);
            assert!((RisingTable::new(1e14, terms).compute(rows as u32, terms) as f64) < i64::MAX as f64);
        }
    }
}
