//! Which kernel counts a table: one rule, from a cost model fitted to measurements.
#![cfg_attr(not(feature = "bench-internals"), allow(unreachable_pub))] // then nothing of it is public

use super::bits::MAX_BIT_LEVELS;
use super::simd::{BLOCK_ROWS, Simd};

/// A way of counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// Bitmaps, AND and popcount.
    Bits,
    /// Mixed-radix codes and one increment for each row.
    Scatter,
    /// Only the combinations that occur.
    Sparse,
}

/// The least time of an increment, in nanoseconds.
const LEAST_INCREMENT: f64 = 0.41;

/// Strata of at most this many blocks, 256 KiB, fit in the second-level cache while they are made.
pub(super) const NEAR_BLOCKS: usize = 1 << 12;

/// What the cost of counting depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    /// The number of rows.
    pub(super) rows: usize,
    /// The number of levels of the candidate X that occur.
    pub(super) x: usize,
    /// The number of levels of the target T that occur.
    pub(super) t: usize,
    /// The product of the numbers of levels of the members of Z that occur; `usize::MAX` if it does not fit.
    pub(super) z: usize,
    /// The largest number of levels of any of the variables.
    pub(super) widest: usize,
    /// The number of configurations of T and Z that occur, or the largest possible number while that is not
    /// known.
    pub(super) strata: usize,
    /// The number of increments [`Kernel::Scatter`] needs: one for each row, or one for each row in which X
    /// does not have its usual level if those are few.
    pub(super) increments: usize,
    /// Whether rows are weighted. Bitmaps cannot count weighted rows.
    pub(super) weighted: bool,
}

impl Shape {
    pub(super) fn with_candidate(self, levels: usize, increments: usize) -> Shape {
        Shape { x: levels, widest: self.widest.max(levels), increments, ..self }
    }

    /// Whether the sizes of the strata are found sooner by making bitmaps of the strata than by one increment for each row.
    pub(super) fn bits_give_sizes(self, simd: Simd) -> bool {
        let increments = LEAST_INCREMENT * self.rows as f64;
        Kernel::Bits.applies(self) && Kernel::Bits.preparation(self, simd) < increments
    }
}

impl Kernel {
    /// All kernels.
    #[cfg(feature = "bench-internals")]
    pub const ALL: [Kernel; 3] = [Kernel::Bits, Kernel::Scatter, Kernel::Sparse];

    /// Whether this kernel can count a table of this shape in memory proportional to the rows.
    pub(super) fn applies(self, shape: Shape) -> bool {
        let strata = shape.t.saturating_mul(shape.z);
        let dense = strata <= 1 << 16 && strata.saturating_mul(shape.x) <= 4 * shape.rows + 4096;
        match self {
            Kernel::Bits => dense && shape.widest <= MAX_BIT_LEVELS && !shape.weighted,
            Kernel::Scatter => dense,
            Kernel::Sparse => true,
        }
    }

    /// The cheapest kernel for a table of this shape. `ready` says which kernels have their strata already; strata
    /// that have to be made serve about this many tables.
    pub(super) fn choose(shape: Shape, simd: Simd, ready: impl Fn(Kernel) -> bool, tables: f64) -> Kernel {
        Kernel::cheapest(shape, simd, ready, tables).0
    }

    /// Whether it is cheaper still to make the bitmaps of the strata for a few rows at a time, and for one table.
    pub(super) fn prefers_parts(
        shape: Shape,
        simd: Simd,
        ready: impl Fn(Kernel) -> bool,
        tables: f64,
    ) -> bool {
        let blocks = shape.rows.div_ceil(BLOCK_ROWS);
        if shape.strata.saturating_mul(blocks) <= NEAR_BLOCKS || !Kernel::Bits.applies(shape) {
            return false;
        }
        let part = Shape { rows: (NEAR_BLOCKS / shape.strata).max(1) * BLOCK_ROWS, ..shape };
        let of_part = Kernel::Bits.cost(part, simd) + Kernel::Bits.preparation(part, simd);
        // The columns are read from memory.
        let read = blocks as f64 * 8.0 * (shape.x + shape.t) as f64;
        let parts = shape.rows as f64 / part.rows as f64;
        parts * of_part + read < Kernel::cheapest(shape, simd, ready, tables).1
    }

    /// The cheapest kernel and its cost.
    fn cheapest(shape: Shape, simd: Simd, ready: impl Fn(Kernel) -> bool, tables: f64) -> (Kernel, f64) {
        let cost = |kernel: Kernel| {
            let preparation = if ready(kernel) { 0.0 } else { kernel.preparation(shape, simd) };
            kernel.cost(shape, simd) + preparation / tables
        };
        let bits = Kernel::Bits.applies(shape).then(|| (Kernel::Bits, cost(Kernel::Bits)));
        // The increments of the others alone take longer.
        if let Some(bits) = bits.filter(|bits| bits.1 < LEAST_INCREMENT * shape.increments as f64) {
            return bits;
        }
        let scatter = Kernel::Scatter.applies(shape).then(|| (Kernel::Scatter, cost(Kernel::Scatter)));
        let cheaper = |best: (Kernel, f64), other: (Kernel, f64)| if other.1 < best.1 { other } else { best };
        [bits, scatter].into_iter().flatten().fold((Kernel::Sparse, cost(Kernel::Sparse)), cheaper)
    }

    /// The cheapest kernel for the counts of sets, and its cost; `None` if these are configurations by their numbers. There are as
    /// many as `numbers` says, once that is known; `margins` says whether the counts without the target are wanted too.
    pub(super) fn cheapest_for_sets(
        shape: Shape,
        numbers: Option<usize>,
        simd: Simd,
        ready: impl Fn(Kernel) -> bool,
        candidates: usize,
        margins: bool,
    ) -> (Option<Kernel>, f64) {
        // Many that are possible do not occur, or once.
        let numbered = Shape { t: 1, z: numbers.unwrap_or(shape.strata.min(shape.rows / 16)), ..shape };
        let numbering = if numbers.is_some() { 0.0 } else { 2.5 * shape.rows as f64 };
        let tables = if margins { 2.0 } else { 1.0 };
        let each = Kernel::Scatter.cost(numbered, simd) + numbering / candidates as f64;
        let mut best = (None, tables * each);
        for kernel in [Kernel::Bits, Kernel::Scatter].into_iter().filter(|k| k.applies(shape)) {
            let preparation = if ready(kernel) { 0.0 } else { kernel.preparation(shape, simd) };
            let cost = kernel.cost(shape, simd) + preparation / candidates as f64;
            if cost < best.1 {
                best = (Some(kernel), cost);
            }
        }
        best
    }

    /// Whether all candidates of a sweep can be counted at once: the rows can be put in the order of their strata.
    pub(super) fn applies_at_once(shape: Shape) -> bool {
        Kernel::Scatter.applies(shape) && !shape.weighted && shape.rows > 0
    }

    /// Whether that is cheaper for the counts of sets. `shape` is that of a usual candidate; the levels of all have so many
    /// blocks.
    pub(super) fn prefers_at_once(
        shape: Shape,
        blocks: usize,
        simd: Simd,
        candidates: usize,
        margins: bool,
    ) -> bool {
        let (rows, strata, blocks) = (shape.rows as f64, (shape.t * shape.z) as f64, blocks as f64);
        // Of each row, and of each block of a row and of a stratum.
        let (row, block, sum) = match simd {
            Simd::Avx512 => (1.2, 0.3, 25.0),
            Simd::Avx2 => (1.2, 1.2, 150.0),
            Simd::Portable => (1.2, 2.4, 300.0),
        };
        let at_once = row * rows + blocks * (block * rows + sum * strata);
        let cells = 0.45 * strata * shape.x as f64;
        // The others include a statistic, and have to begin anew with each candidate.
        let (_, each) = Kernel::cheapest_for_sets(shape, None, simd, |_| false, candidates, margins);
        at_once < candidates as f64 * (8.0 + 0.45 * each - cells)
    }

    /// The approximate time in nanoseconds for one table and its statistic, once the strata are ready. The
    /// numbers are fitted to the measurements in `bench/runs/2026-11-15-counting`.
    fn cost(self, shape: Shape, simd: Simd) -> f64 {
        let cells = shape.t as f64 * shape.z as f64 * shape.x as f64;
        match self {
            Kernel::Bits => {
                // Per intersection, and per block of it.
                let (start, block) = match simd {
                    Simd::Avx512 => (1.0, 0.6),
                    Simd::Avx2 => (0.5, 1.75),
                    Simd::Portable => (-2.0, 5.8),
                };
                let blocks = shape.rows.div_ceil(BLOCK_ROWS);
                // Strata of more than 1 MiB are read again, from a slower cache, for every two levels.
                let read = match shape.strata.saturating_mul(blocks) {
                    ..=0x4000 => 0.0,
                    0x4001..=0x4_0000 => 0.7,
                    _ => 4.0,
                };
                let counted = shape.strata as f64 * (shape.x as f64 - 1.0);
                let reads = shape.strata as f64 * (shape.x / 2) as f64;
                counted * (start + block * blocks as f64) + reads * read * blocks as f64 + 0.8 * cells
            }
            Kernel::Scatter => {
                let increment = match simd {
                    _ if shape.increments < shape.rows => 0.7,
                    Simd::Avx512 | Simd::Avx2 => LEAST_INCREMENT,
                    Simd::Portable => 0.62,
                };
                increment * shape.increments as f64 + 0.9 * cells
            }
            Kernel::Sparse => 12.0 * shape.rows as f64,
        }
    }

    /// The approximate time in nanoseconds to make the strata. The numbers of AVX-512 were chosen by the times of whole
    /// runs, in `bench/runs/2026-11-16-core`.
    fn preparation(self, shape: Shape, simd: Simd) -> f64 {
        let rows = shape.rows as f64;
        match self {
            Kernel::Bits => {
                let blocks = shape.rows.div_ceil(BLOCK_ROWS);
                let near = shape.strata.saturating_mul(blocks) <= NEAR_BLOCKS;
                let (start, block) = match simd {
                    Simd::Avx512 => (5.0, if near { 1.0 } else { 4.0 }),
                    _ => (9.0, if near { 3.3 } else { 7.0 }),
                };
                shape.strata as f64 * (start + block * blocks as f64)
            }
            // Counting exceptions requires the sizes of the strata.
            Kernel::Scatter if shape.increments < shape.rows => 0.5 * rows,
            Kernel::Scatter => 0.1 * rows,
            Kernel::Sparse => 10.0 * rows,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(rows: usize, levels: usize, order: u32) -> Shape {
        let z = levels.saturating_pow(order);
        Shape {
            rows,
            x: levels,
            t: levels,
            z,
            widest: levels,
            strata: z.saturating_mul(levels),
            increments: rows,
            weighted: false,
        }
    }

    #[test]
    fn few_cells_are_counted_by_bits_more_by_codes_and_many_by_what_occurs() {
        let choices = |levels| {
            [0, 1, 3, 5].map(|order| Kernel::choose(shape(5000, levels, order), Simd::Avx512, |_| true, 1.0))
        };
        assert_eq!(choices(3), [Kernel::Bits, Kernel::Bits, Kernel::Bits, Kernel::Scatter]);
        assert_eq!(choices(11), [Kernel::Bits, Kernel::Scatter, Kernel::Sparse, Kernel::Sparse]);
        assert_eq!(choices(100), [Kernel::Scatter, Kernel::Sparse, Kernel::Sparse, Kernel::Sparse]);
    }

    #[test]
    fn no_table_is_larger_than_the_rows_allow() {
        for levels in [2, 10, 100, 60_000] {
            for order in 0..20 {
                let shape = shape(1000, levels, order);
                let dense = [Kernel::Bits, Kernel::Scatter].iter().any(|k| k.applies(shape));
                assert!(!dense || shape.x * shape.t * shape.z <= 8096, "{shape:?}");
            }
        }
    }

    #[test]
    fn the_choice_is_the_cheapest() {
        for (simd, ready) in [Simd::Portable, Simd::Avx2, Simd::Avx512].map(|simd| (simd, simd == Simd::Avx2))
        {
            for (rows, levels) in
                [40, 500, 5000, 300_000].into_iter().flat_map(|n| [2, 4, 11, 40].map(|l| (n, l)))
            {
                for (order, increments) in
                    (0..5).flat_map(|order| [rows, rows / 5, rows / 50].map(|i| (order, i)))
                {
                    let shape = Shape { increments, ..shape(rows, levels, order) };
                    let cost = |kernel: Kernel| {
                        let preparation = if ready { 0.0 } else { kernel.preparation(shape, simd) };
                        kernel.cost(shape, simd) + preparation / 3.0
                    };
                    let chosen = cost(Kernel::choose(shape, simd, |_| ready, 3.0));
                    for kernel in [Kernel::Bits, Kernel::Scatter, Kernel::Sparse] {
                        assert!(!kernel.applies(shape) || chosen <= cost(kernel), "{kernel:?} {shape:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn strata_that_are_there_count_for_something() {
        let shape = shape(5000, 2, 7);
        let choose = |ready| Kernel::choose(shape, Simd::Avx512, |k| k == ready, 2.0);
        assert_eq!(choose(Kernel::Bits), Kernel::Bits);
        assert_eq!(choose(Kernel::Scatter), Kernel::Scatter);
    }
}
