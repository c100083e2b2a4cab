//! Weighted rows: each adds its weight to a cell rather than 1.
//!
//! The sums are laid out like the increments in `simd`. A weighted table has few rows, so these loops are
//! plain.

use super::simd::Simd;

/// The instructions to count with, and the weights of the rows; `None` if each counts once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counting<'a> {
    pub(super) simd: Simd,
    pub(super) weights: Option<&'a [u32]>,
}

/// The number of rows, and their weights.
#[derive(Debug, Clone, Copy)]
pub(super) struct WeightedRows<'a> {
    pub(super) rows: usize,
    pub(super) weights: Option<&'a [u32]>,
}

impl WeightedRows<'_> {
    /// The weight of a row.
    #[inline]
    pub(super) fn weight(&self, row: u32) -> u32 {
        self.weights.map_or(1, |weights| weights[row as usize])
    }
}

/// Adds the weight of each row to its cell `code`, as `scatter_codes` counts it.
pub(super) fn add_codes(codes: &[u16], weights: &[u32], ways: usize, tables: &mut [u32]) {
    add(codes.iter().map(|&code| u32::from(code)), weights.iter(), ways, tables);
}

/// Like [`add_codes`], for the cells `code * levels + x`.
pub(super) fn add_candidate<X: Copy + Into<u32>>(
    codes: &[u16],
    xs: &[X],
    levels: u32,
    weights: &[u32],
    ways: usize,
    tables: &mut [u32],
) {
    let cell = |code: u16, x: X| (u32::from(code) * levels + x.into()) as usize;
    let mut done = 0;
    if ways == 4 {
        let (first, second) = tables.split_at_mut(tables.len() / 2);
        let (a, b) = first.split_at_mut(first.len() / 2);
        let (c, d) = second.split_at_mut(second.len() / 2);
        let (codes, xs, weights) =
            (codes.as_chunks::<4>().0, xs.as_chunks::<4>().0, weights.as_chunks::<4>().0);
        for ((codes, xs), weights) in codes.iter().zip(xs).zip(weights) {
            a[cell(codes[0], xs[0])] += weights[0];
            b[cell(codes[1], xs[1])] += weights[1];
            c[cell(codes[2], xs[2])] += weights[2];
            d[cell(codes[3], xs[3])] += weights[3];
        }
        done = 4 * codes.len();
    }
    let rest = codes[done..].iter().zip(&xs[done..]).zip(&weights[done..]);
    rest.for_each(|((&code, &x), weight)| tables[cell(code, x)] += weight);
}

/// Like [`add_candidate`], for some of the rows.
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

/// Neighbouring rows are added to different tables, so that none waits for the previous one.
fn add<'a>(
    cells: impl Iterator<Item = u32>,
    weights: impl Iterator<Item = &'a u32>,
    ways: usize,
    tables: &mut [u32],
) {
    let size = tables.len() / ways;
    let mut first = 0;
    for (cell, &weight) in cells.zip(weights) {
        tables[first + cell as usize] += weight;
        first = if first + size < tables.len() { first + size } else { 0 };
    }
}
