//! Coded columns: one increment for each row.

use super::simd::{Simd, append_u8, append_u16, scatter_u8, scatter_u16};
use super::table::Counts;
use crate::data::{Column, Dataset, Var};

/// The code `k * levels of T + j` of each row, shared by every candidate of a sweep.
#[derive(Debug, Default)]
pub(super) struct CodedStrata {
    codes: Vec<u16>,
    tables: Vec<u32>,
}

impl CodedStrata {
    /// Codes the rows by the variables of Z and then by T; all configurations must fit in 16 bits.
    pub(super) fn fill(&mut self, simd: Simd, data: &Dataset, t: Var, z: &[Var]) {
        self.codes.clear();
        self.codes.resize(data.rows(), 0);
        for &v in z.iter().chain([&t]) {
            let levels = data.cardinality(v) as u16;
            match data.column(v) {
                Column::Narrow(xs) => append_u8(simd, &mut self.codes, xs, levels),
                Column::Wide(xs) => append_u16(simd, &mut self.codes, xs, levels),
            }
        }
    }

    /// Counts the rows of each configuration of (Z, T).
    pub(super) fn sizes(&self, sizes: &mut [u32]) {
        self.codes.iter().for_each(|&code| sizes[usize::from(code)] += 1);
    }

    /// Fills the cells of `counts`, whose strata are these, for the candidate `x`.
    pub(super) fn count(&mut self, simd: Simd, x: &Column, levels: usize, counts: &mut Counts) {
        let cells = counts.cells_mut();
        self.tables.clear();
        self.tables.resize(4 * cells.len(), 0);
        match x {
            Column::Narrow(xs) => scatter_u8(simd, &self.codes, xs, levels as u32, &mut self.tables),
            Column::Wide(xs) => scatter_u16(simd, &self.codes, xs, levels as u32, &mut self.tables),
        }
        for (cell, four) in cells.iter_mut().zip(self.tables.as_chunks::<4>().0) {
            *cell = four.iter().sum();
        }
    }
}
