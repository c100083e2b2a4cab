//! Coded columns: one increment for each row.

use super::observed::{Coded, Exceptions};
use super::simd::{Simd, append_u8, append_u16, scatter_codes, scatter_some, scatter_u8, scatter_u16};
use super::table::Places;
use crate::data::Column;

/// The number of the configuration of some variables that each row has, the last variable changing
/// fastest; shared by every candidate of a sweep.
#[derive(Debug, Default)]
pub(super) struct CodedStrata {
    codes: Vec<u16>,
    /// The rows of each configuration; empty until they are needed.
    sizes: Vec<u32>,
    tables: Vec<u32>,
}

impl CodedStrata {
    /// Codes the rows by the variables; all configurations must fit in 16 bits.
    pub(super) fn fill<'a>(&mut self, simd: Simd, rows: usize, columns: impl Iterator<Item = Coded<'a>>) {
        self.sizes.clear();
        self.codes.clear();
        self.codes.resize(rows, 0);
        for column in columns {
            let levels = column.levels as u16;
            match column.codes {
                Column::Narrow(xs) => append_u8(simd, &mut self.codes, xs, levels),
                Column::Wide(xs) => append_u16(simd, &mut self.codes, xs, levels),
            }
        }
    }

    /// The rows of each of so many configurations.
    pub(super) fn sizes(&mut self, simd: Simd, configurations: usize) -> &[u32] {
        if self.sizes.is_empty() {
            let CodedStrata { codes, sizes, tables } = self;
            sizes.resize(configurations, 0);
            tally(tables, codes.len(), 1, 1, sizes, |ways, tables| scatter_codes(simd, codes, ways, tables));
        }
        &self.sizes
    }

    /// Fills the cells of the candidate `x`, `turned` as in [`Places`].
    pub(super) fn count(&mut self, simd: Simd, x: Coded<'_>, turned: usize, cells: &mut [u32]) {
        let CodedStrata { codes, tables, .. } = self;
        let r = x.levels as u32;
        tally(tables, codes.len(), x.levels, turned, cells, |ways, tables| match x.codes {
            Column::Narrow(xs) => scatter_u8(simd, codes, xs, r, ways, tables),
            Column::Wide(xs) => scatter_u16(simd, codes, xs, r, ways, tables),
        });
    }

    /// The same for a candidate of `r` levels by the rows that do not have its usual level; that level
    /// then has the rest of each stratum.
    pub(super) fn count_exceptions(
        &mut self,
        simd: Simd,
        x: &Exceptions,
        r: usize,
        turned: usize,
        cells: &mut [u32],
    ) {
        self.sizes(simd, cells.len() / r);
        let CodedStrata { codes, sizes, tables } = self;
        tally(tables, x.rows.len(), r, turned, cells, |ways, tables| {
            scatter_some(simd, codes, &x.rows, &x.codes, r as u32, ways, tables);
        });
        let mut places = Places::new(r, turned);
        for (s, &size) in sizes.iter().enumerate().filter(|&(_, &size)| size > 0) {
            let place = places.first(s);
            let others: u32 = cells[place..].iter().step_by(turned).take(r).sum();
            cells[place + x.usual * turned] = size - others;
        }
    }
}

/// Lets so many rows be counted into interleaved tables, and adds these up.
///
/// An increment of the cell that the row before incremented has to wait for it. So where rows meet
/// often, neighbours count into different tables.
fn tally(
    tables: &mut Vec<u32>,
    rows: usize,
    r: usize,
    turned: usize,
    cells: &mut [u32],
    count: impl FnOnce(usize, &mut [u32]),
) {
    let ways = if 4 * cells.len() <= rows { 4 } else { 1 };
    if (ways, turned) == (1, 1) {
        cells.fill(0);
        return count(ways, cells);
    }
    tables.clear();
    tables.resize(ways * cells.len(), 0);
    count(ways, tables);
    let sums = tables.as_chunks::<4>().0.iter().map(|four| four.iter().sum::<u32>());
    match (ways, turned) {
        (4, 1) => cells.iter_mut().zip(sums).for_each(|(cell, sum)| *cell = sum),
        (4, _) => turn(sums, r, turned, cells),
        _ => turn(tables.iter().copied(), r, turned, cells),
    }
}

/// Puts the counts of each stratum in their turned places.
fn turn(mut counts: impl Iterator<Item = u32>, r: usize, turned: usize, cells: &mut [u32]) {
    let mut places = Places::new(r, turned);
    for s in 0..cells.len() / r {
        let mut place = places.first(s);
        for n in counts.by_ref().take(r) {
            cells[place] = n;
            place += turned;
        }
    }
}
