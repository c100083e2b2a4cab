//! Coded columns: one increment for each row.

use super::simd::{Simd, scatter_u8, scatter_u16};
use super::table::Counts;
use crate::data::{Column, Dataset, Var};

/// The code `k * levels of T + j` of each row, shared by every candidate of a sweep.
#[derive(Debug, Default)]
pub(super) struct CodedStrata {
    codes: Vec<u16>,
    tables: Vec<u32>,
    sizes: Vec<u32>,
}

impl CodedStrata {
    /// Codes the rows by the variables of Z and then by T; all configurations must fit in 16 bits.
    pub(super) fn fill(&mut self, data: &Dataset, t: Var, z: &[Var]) {
        self.codes.clear();
        self.codes.resize(data.rows(), 0);
        for &v in z.iter().chain([&t]) {
            let levels = data.cardinality(v) as u16;
            match data.column(v) {
                Column::Narrow(xs) => append(&mut self.codes, xs, levels),
                Column::Wide(xs) => append(&mut self.codes, xs, levels),
            }
        }
    }

    /// How many rows each of the configurations of (Z, T) has.
    pub(super) fn sizes(&mut self, configurations: usize) -> &[u32] {
        self.sizes.clear();
        self.sizes.resize(configurations, 0);
        self.codes.iter().for_each(|&code| self.sizes[usize::from(code)] += 1);
        &self.sizes
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

fn append<X: Copy + Into<u16>>(codes: &mut [u16], xs: &[X], levels: u16) {
    for (code, &x) in codes.iter_mut().zip(xs) {
        // A variable of 65,536 levels wraps to 0 here; it can only be the first, where the code is 0.
        *code = code.wrapping_mul(levels) + x.into();
    }
}
