//! Coded columns: one increment for each row.

use super::observed::{Coded, Exceptions};
use super::set_counts::Numbers;
use super::simd::{Simd, append_u8, append_u16, scatter_codes, scatter_some, scatter_u8, scatter_u16};
use super::table::Places;
use super::weights::{Counting, add_candidate, add_codes, add_some};
use crate::data::{Column, not_coded};

/// The number of each row's configuration of some variables, the last of which changes fastest. Shared by all
/// candidates of a sweep.
#[derive(Debug, Default)]
pub(super) struct CodedStrata {
    codes: Vec<u16>,
    /// The number of rows of each configuration; empty until it is needed.
    sizes: Vec<u32>,
    tables: Vec<u32>,
}

impl CodedStrata {
    /// Codes the rows by these variables. All configurations must fit in 16 bits.
    pub(super) fn fill<'a>(&mut self, simd: Simd, rows: usize, mut columns: impl Iterator<Item = Coded<'a>>) {
        self.sizes.clear();
        self.codes.clear();
        match columns.next().map(|first| first.codes) {
            Some(Column::Narrow(xs)) => self.codes.extend(xs.iter().map(|&x| u16::from(x))),
            Some(Column::Wide(xs)) => self.codes.extend_from_slice(xs),
            Some(Column::Real(_)) => not_coded(),
            None => self.codes.resize(rows, 0),
        }
        columns.for_each(|column| self.append(simd, column));
    }

    /// Takes the number of rows of each configuration from elsewhere, unless they have been counted.
    pub(super) fn know_sizes(&mut self, sizes: &[u32]) {
        if self.sizes.is_empty() {
            self.sizes.extend_from_slice(sizes);
        }
    }

    /// Codes the rows by one more variable.
    fn append(&mut self, simd: Simd, column: Coded<'_>) {
        self.sizes.clear();
        let levels = column.levels as u16;
        match column.codes {
            Column::Narrow(xs) => append_u8(simd, &mut self.codes, xs, levels),
            Column::Wide(xs) => append_u16(simd, &mut self.codes, xs, levels),
            Column::Real(_) => not_coded(),
        }
    }

    /// Numbers the configurations of these variables that several rows have. The rows are counted without weights.
    pub(super) fn fill_numbers<'a>(
        &mut self,
        counting: Counting<'_>,
        rows: usize,
        columns: impl Iterator<Item = Coded<'a>>,
    ) -> Numbers {
        self.fill(counting.simd, rows, std::iter::empty());
        let mut numbers = Numbers { end: 1, begin: 0, ones: 0 };
        for column in columns {
            if numbers.end * column.levels > 1 << 16 {
                self.renumber(counting, &mut numbers);
            }
            if numbers.end * column.levels > 1 << 16 {
                return Numbers::default();
            }
            self.append(counting.simd, column);
            numbers.end *= column.levels;
            numbers.begin *= column.levels;
        }
        // With few configurations, counting those that do not occur costs less than numbering the others.
        if numbers.end > rows / 32 {
            self.renumber(counting, &mut numbers);
        }
        numbers
    }

    /// Numbers the configurations that several rows have from 1 on; rows that are alone get 0.
    fn renumber(&mut self, counting: Counting<'_>, numbers: &mut Numbers) {
        self.sizes(counting, numbers.end);
        let mut sizes = vec![0];
        let number = |(code, &size): (usize, &u32)| {
            if code < numbers.begin || size < 2 {
                numbers.ones += if code < numbers.begin { 0 } else { size as usize };
                sizes[0] += size;
                return 0;
            }
            sizes.push(size);
            (sizes.len() - 1) as u16
        };
        let renumbered: Vec<u16> = self.sizes.iter().enumerate().map(number).collect();
        self.codes.iter_mut().for_each(|code| *code = renumbered[usize::from(*code)]);
        (numbers.end, numbers.begin) = (sizes.len(), 1);
        self.sizes = sizes;
    }

    /// The number of rows of each configuration.
    pub(super) fn sizes(
        &mut self,
        Counting { simd, weights }: Counting<'_>,
        configurations: usize,
    ) -> &[u32] {
        if self.sizes.is_empty() {
            let CodedStrata { codes, sizes, tables } = self;
            sizes.resize(configurations, 0);
            let layout = CellLayout { rows: codes.len(), levels: 1, turned: 1, rest: None };
            layout.tally(tables, sizes, |ways, tables| match weights {
                None => scatter_codes(simd, codes, ways, tables),
                Some(weights) => add_codes(codes, weights, ways, tables),
            });
        }
        &self.sizes
    }

    /// The code of each row, and the number of rows of each configuration.
    pub(super) fn codes_and_sizes(
        &mut self,
        counting: Counting<'_>,
        configurations: usize,
    ) -> (&[u16], &[u32]) {
        self.sizes(counting, configurations);
        (&self.codes, &self.sizes)
    }

    /// Fills the cells of the candidate `x`; `turned` as in [`Places`].
    pub(super) fn count(
        &mut self,
        Counting { simd, weights }: Counting<'_>,
        x: Coded<'_>,
        turned: usize,
        cells: &mut [u32],
    ) {
        let CodedStrata { codes, tables, .. } = self;
        let r = x.levels as u32;
        let layout = CellLayout { rows: codes.len(), levels: x.levels, turned, rest: None };
        layout.tally(tables, cells, |ways, tables| match (x.codes, weights) {
            (Column::Narrow(xs), None) => scatter_u8(simd, codes, xs, r, ways, tables),
            (Column::Wide(xs), None) => scatter_u16(simd, codes, xs, r, ways, tables),
            (Column::Narrow(xs), Some(weights)) => add_candidate(codes, xs, r, weights, ways, tables),
            (Column::Wide(xs), Some(weights)) => add_candidate(codes, xs, r, weights, ways, tables),
            (Column::Real(_), _) => not_coded(),
        });
    }

    /// Fills the cells of a candidate from the rows that do not have its usual level. The usual level gets
    /// the rest of each stratum.
    pub(super) fn count_exceptions(
        &mut self,
        counting: Counting<'_>,
        x: &Exceptions,
        levels: usize,
        turned: usize,
        cells: &mut [u32],
    ) {
        self.sizes(counting, cells.len() / levels);
        let CodedStrata { codes, sizes, tables } = self;
        let layout = CellLayout { rows: x.rows.len(), levels, turned, rest: Some((x.usual, sizes)) };
        layout.tally(tables, cells, |ways, tables| match counting.weights {
            None => scatter_some(counting.simd, codes, &x.rows, &x.codes, levels as u32, ways, tables),
            Some(weights) => add_some(codes, &x.rows, &x.codes, levels as u32, weights, ways, tables),
        });
    }
}

/// How rows are counted into cells.
struct CellLayout<'a> {
    /// The number of rows to count.
    rows: usize,
    levels: usize,
    /// As in [`Places`].
    turned: usize,
    /// The level that gets the rest of each stratum, and the sizes of the strata.
    rest: Option<(usize, &'a [u32])>,
}

impl CellLayout<'_> {
    /// Counts the rows into several tables and adds these up.
    ///
    /// An increment has to wait if the previous row incremented the same cell. So if there are few cells,
    /// neighbouring rows are counted in different tables.
    fn tally(&self, tables: &mut Vec<u32>, cells: &mut [u32], count: impl FnOnce(usize, &mut [u32])) {
        let ways = if 4 * cells.len() <= self.rows { 4 } else { 1 };
        if (ways, self.turned, self.rest) == (1, 1, None) {
            cells.fill(0);
            return count(1, cells);
        }
        tables.clear();
        tables.resize(ways * cells.len(), 0);
        match ways {
            1 => {
                count(1, tables);
                self.put(tables.iter().copied(), cells);
            }
            _ => {
                count(4, tables);
                let (first, second) = tables.split_at(2 * cells.len());
                let ((a, b), (c, d)) = (first.split_at(cells.len()), second.split_at(cells.len()));
                let sums = a.iter().zip(b).zip(c.iter().zip(d)).map(|((a, b), (c, d))| a + b + c + d);
                match (self.turned, self.rest) {
                    (1, None) => cells.iter_mut().zip(sums).for_each(|(cell, sum)| *cell = sum),
                    _ => self.put(sums, cells),
                }
            }
        }
    }

    /// Puts the counts of each stratum in their cells.
    fn put(&self, mut counts: impl Iterator<Item = u32>, cells: &mut [u32]) {
        let mut places = Places::new(self.levels, self.turned);
        for s in 0..cells.len() / self.levels {
            let first = places.first(s);
            let mut place = first;
            let mut total = 0;
            for n in counts.by_ref().take(self.levels) {
                cells[place] = n;
                total += n;
                place += self.turned;
            }
            if let Some((level, sizes)) = self.rest {
                cells[first + level * self.turned] = sizes[s] - total;
            }
        }
    }
}
