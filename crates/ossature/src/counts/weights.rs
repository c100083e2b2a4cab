//! Rows that stand for many: what is counted is not one for each row, but its weight.
//!
//! The sums have the same places as the increments in `simd`. A weighted table has few rows for what it says,
//! so these loops are plain.

use super::simd::Simd;

/// The instructions to count with, and what each row stands for; nothing where that is one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counting<'a> {
    pub(super) simd: Simd,
    pub(super) weights: Option<&'a [u32]>,
}

/// So many rows, and what each stands for.
#[derive(Debug, Clone, Copy)]
pub(super) struct WeightedRows<'a> {
    pub(super) rows: usize,
    pub(super) weights: Option<&'a [u32]>,
}

impl WeightedRows<'_> {
    /// The rows that a row stands for.
    #[inline]
    pub(super) fn weight(&self, row: u32) -> u32 {
        self.weights.map_or(1, |weights| weights[row as usize])
    }
}

/// Adds the weight of each row to its cell `code`, as `scatter_codes` counts it.
pub(super) fn add_codes(codes: &[u16], weights: &[u32], ways: usize, tables: &mut [u32]) {
    add(codes.iter().map(|&code| u32::from(code)), weights.iter(), ways, tables);
}

/// The same for the cells `code * levels + x`.
pub(super) fn add_candidate<X: Copy + Into<u32>>(
    codes: &[u16],
    xs: &[X],
    levels: u32,
    weights: &[u32],
    ways: usize,
    tables: &mut [u32],
) {
    let cells = codes.iter().zip(xs).map(|(&code, &x)| u32::from(code) * levels + x.into());
    add(cells, weights.iter(), ways, tables);
}

/// The same for some of the rows.
pub(super) fn add_some(
    codes: &[u16],
    rows: &[u16],
    xs: &[u8],
    levels: u32,
    weights: &[u32],
    ways: usize,
    tables: &mut [u32],
) {
    let cells = rows.iter().zip(xs);
    let cells = cells.map(|(&row, &x)| u32::from(codes[usize::from(row)]) * levels + u32::from(x));
    add(cells, rows.iter().map(|&row| &weights[usize::from(row)]), ways, tables);
}

/// Neighbours add to different tables in turn, so that none waits for the one before.
fn add<'a>(
    cells: impl Iterator<Item = u32>,
    weights: impl Iterator<Item = &'a u32>,
    ways: usize,
    tables: &mut [u32],
) {
    let mut way = 0;
    for (cell, &weight) in cells.zip(weights) {
        tables[ways * cell as usize + way] += weight;
        way = if way + 1 < ways { way + 1 } else { 0 };
    }
}
