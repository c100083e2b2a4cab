//! Which kernel counts what: one rule, from a cost model fitted to measurements.

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

/// What decides about the cost of counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The number of rows.
    pub rows: usize,
    /// The levels of the candidate X that occur.
    pub x: usize,
    /// The levels of the target T that occur.
    pub t: usize,
    /// The product of the levels of the members of Z that occur, or the largest number where it does not fit.
    pub z: usize,
    /// The most levels that any of the variables has.
    pub widest: usize,
    /// The configurations of T and Z that occur, or as many as there can be while that is not known.
    pub strata: usize,
    /// The increments that [`Kernel::Scatter`] needs: one for each row, or for each row in which X does
    /// not have its usual level, where those are few.
    pub increments: usize,
}

impl Shape {
    pub(super) fn with_candidate(self, levels: usize, increments: usize) -> Shape {
        Shape { x: levels, widest: self.widest.max(levels), increments, ..self }
    }
}

impl Kernel {
    /// All kernels.
    pub const ALL: [Kernel; 3] = [Kernel::Bits, Kernel::Scatter, Kernel::Sparse];

    /// Whether this kernel can count a table of this shape in memory proportional to the rows.
    pub fn applies(self, shape: Shape) -> bool {
        let strata = shape.t.saturating_mul(shape.z);
        let dense = strata <= 1 << 16 && strata.saturating_mul(shape.x) <= 4 * shape.rows + 4096;
        match self {
            Kernel::Bits => dense && shape.widest <= MAX_BIT_LEVELS,
            Kernel::Scatter => dense,
            Kernel::Sparse => true,
        }
    }

    /// The cheapest kernel for a table of this shape.
    pub fn choose(shape: Shape, simd: Simd) -> Kernel {
        Kernel::ALL
            .into_iter()
            .filter(|k| k.applies(shape))
            .min_by(|a, b| a.cost(shape, simd).total_cmp(&b.cost(shape, simd)))
            .expect("the sparse kernel applies always")
    }

    /// The cheapest kernel for a table that is no part of a sweep, given which kernels have the strata
    /// ready.
    pub(super) fn choose_for_one(shape: Shape, simd: Simd, ready: impl Fn(Kernel) -> bool) -> Kernel {
        let cost =
            |k: Kernel| k.cost(shape, simd) + if ready(k) { 0.0 } else { 0.25 * k.preparation(shape, simd) };
        Kernel::ALL
            .into_iter()
            .filter(|k| k.applies(shape))
            .min_by(|&a, &b| cost(a).total_cmp(&cost(b)))
            .expect("the sparse kernel applies always")
    }

    fn preparation(self, shape: Shape, simd: Simd) -> f64 {
        let _ = simd;
        let n = shape.rows as f64;
        let strata = shape.t as f64 * shape.z as f64;
        match self {
            Kernel::Bits => strata * (6.0 + 2.0 * shape.rows.div_ceil(BLOCK_ROWS) as f64),
            Kernel::Scatter => 0.2 * n,
            Kernel::Sparse => 10.0 * n,
        }
    }

    /// About how many nanoseconds one table takes once the strata are there.
    fn cost(self, shape: Shape, simd: Simd) -> f64 {
        let cells = shape.t as f64 * shape.z as f64 * shape.x as f64;
        match self {
            Kernel::Bits => {
                let (block, start) = match simd {
                    Simd::Avx512 => (0.8, 3.0),
                    Simd::Avx2 => (1.7, 4.0),
                    Simd::Portable => (5.0, 4.0),
                };
                let counted = shape.strata as f64 * (shape.x as f64 - 1.0);
                counted * (start + block * (shape.rows.div_ceil(BLOCK_ROWS)) as f64) + cells
            }
            Kernel::Scatter => {
                let increment = if shape.increments < shape.rows { 0.8 } else { 0.4 };
                increment * shape.increments as f64 + 2.0 * cells
            }
            Kernel::Sparse => 6.0 * shape.rows as f64,
        }
    }
}
