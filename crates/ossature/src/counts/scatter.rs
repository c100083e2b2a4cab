//! Coded columns: one increment for each row.

use super::observed::Coded;
use super::simd::{Simd, append_u8, append_u16, scatter_u8, scatter_u16};
use super::table::turned_place;
use crate::data::Column;

/// The number of the configuration of some variables that each row has, the last variable changing
/// fastest; shared by every candidate of a sweep.
#[derive(Debug, Default)]
pub(super) struct CodedStrata {
    codes: Vec<u16>,
    tables: Vec<u32>,
}

impl CodedStrata {
    /// Codes the rows by the variables; all configurations must fit in 16 bits.
    pub(super) fn fill<'a>(&mut self, simd: Simd, rows: usize, columns: impl Iterator<Item = Coded<'a>>) {
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

    /// Counts the rows of each configuration.
    pub(super) fn sizes(&self, sizes: &mut [u32]) {
        self.codes.iter().for_each(|&code| sizes[usize::from(code)] += 1);
    }

    /// Fills the cells of the candidate `x`, `turned` as in [`turned_place`].
    pub(super) fn count(&mut self, simd: Simd, x: Coded<'_>, turned: usize, cells: &mut [u32]) {
        let r = x.levels;
        // An increment of the cell that the row before incremented has to wait for it: where rows
        // meet often, neighbours count into different tables.
        let ways = if 4 * cells.len() <= self.codes.len() { 4 } else { 1 };
        let tables = match ways == 1 && turned == 1 {
            true => &mut *cells,
            false => {
                self.tables.resize(ways * cells.len(), 0);
                &mut self.tables[..]
            }
        };
        tables.fill(0);
        match x.codes {
            Column::Narrow(xs) => scatter_u8(simd, &self.codes, xs, r as u32, ways, tables),
            Column::Wide(xs) => scatter_u16(simd, &self.codes, xs, r as u32, ways, tables),
        }
        match (ways, turned) {
            (1, 1) => {}
            (1, _) => turn(self.tables.iter().copied(), r, turned, cells),
            (_, 1) => {
                let sums = self.tables.as_chunks::<4>().0.iter().map(|four| four.iter().sum());
                cells.iter_mut().zip(sums).for_each(|(cell, sum): (_, u32)| *cell = sum);
            }
            _ => {
                let sums = self.tables.as_chunks::<4>().0.iter().map(|four| four.iter().sum());
                turn(sums, r, turned, cells);
            }
        }
    }
}

/// Puts the cells of each stratum in their turned places.
fn turn(mut counts: impl Iterator<Item = u32>, r: usize, turned: usize, cells: &mut [u32]) {
    for s in 0..cells.len() / r {
        let (place, step) = turned_place(s, r, turned);
        for (i, n) in counts.by_ref().take(r).enumerate() {
            cells[place + i * step] = n;
        }
    }
}
