//! Strata made for a few rows at a time.
//!
//! With millions of rows the bitmaps of the strata do not fit in a cache: they are written to memory once and read from
//! there for every candidate. So the rows are taken in parts. The strata of a part are made, all candidates are counted
//! in them, and the next part takes their place. Several sweeps read the columns from memory together.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::bits::{BitColumn, BitStrata};
use super::kernel::NEAR_BLOCKS;
use super::simd::{BLOCK_ROWS, Simd};
use super::tables::Sweep;
use super::terms::refill;
use crate::data::Var;

/// The counts of candidates in the strata of the targets and sets of some sweeps.
#[derive(Debug, Default)]
pub(super) struct StrataInParts {
    /// The strata of a part of the rows.
    part: BitStrata,
    /// A part of each column. The first has one level, with all rows.
    columns: Vec<BitColumn>,
    counted: Vec<CountedSweep>,
    cells: Vec<u32>,
}

/// The counts of one sweep.
#[derive(Debug, Default)]
struct CountedSweep {
    /// The places of the columns that split the rows, and of the candidates.
    splits: SmallVec<[usize; 8]>,
    xs: SmallVec<[usize; 8]>,
    /// The sizes of the strata.
    sizes: Vec<u32>,
    /// For each candidate, the cells of all its levels but the last, one stratum after another.
    cells: Vec<Vec<u32>>,
}

impl CountedSweep {
    /// Doubles all counts.
    fn double(&mut self) {
        let cells = self.cells.iter_mut().flatten();
        self.sizes.iter_mut().chain(cells).for_each(|n| *n *= 2);
    }
}

impl StrataInParts {
    /// Counts the tables of these sweeps in some runs of rows; a row counts half as much as one of the run before. `bits`
    /// has the columns of each run. No value of their variables may be missing.
    pub(super) fn count<'a>(
        &mut self,
        simd: Simd,
        runs: &[usize],
        sweeps: &[Sweep<'_>],
        bits: impl Fn(Var) -> &'a [BitColumn],
    ) {
        let mut columns: Vec<&[BitColumn]> = Vec::new();
        let mut places = FxHashMap::default();
        let mut place = |v: Var| {
            *places.entry(v).or_insert_with(|| {
                columns.push(bits(v));
                columns.len()
            })
        };
        let levels = |v: Var| bits(v)[0].levels();
        self.counted.resize_with(sweeps.len(), CountedSweep::default);
        let mut most = 1;
        for (s, counted) in sweeps.iter().zip(&mut self.counted) {
            // The rows are first split by the column that has one level, whose sizes are known.
            let split = s.given.iter().chain([&s.target]);
            counted.splits = [0].into_iter().chain(split.clone().map(|&v| place(v))).collect();
            counted.xs = s.candidates.iter().map(|&x| place(x)).collect();
            let strata = split.map(|&v| levels(v)).product();
            most = most.max(strata);
            refill(&mut counted.sizes, strata);
            counted.cells.resize_with(s.candidates.len(), Vec::new);
            for (cells, &x) in counted.cells.iter_mut().zip(s.candidates) {
                refill(cells, strata * (levels(x) - 1));
            }
        }
        // The strata, those that they are made from and the columns fit in the cache together.
        let sets = most + columns.iter().map(|column| column[0].levels()).sum::<usize>();
        let part = (NEAR_BLOCKS / 2 / sets).max(8);
        self.columns.resize_with(columns.len() + 1, BitColumn::default);
        for (run, &rows) in runs.iter().enumerate() {
            if run > 0 {
                self.counted.iter_mut().for_each(CountedSweep::double);
            }
            let all = rows.div_ceil(BLOCK_ROWS);
            for first in (0..all).step_by(part) {
                let blocks = part.min(all - first);
                self.columns[0].be_constant(blocks, (rows - first * BLOCK_ROWS).min(blocks * BLOCK_ROWS));
                let parts = self.columns[1..].iter_mut().zip(&columns);
                parts.for_each(|(part, column)| part.copy(&column[run], first, blocks));
                self.add_part(simd);
            }
        }
    }

    /// Adds the counts of the part of the rows that `columns` has.
    fn add_part(&mut self, simd: Simd) {
        for CountedSweep { splits, xs, sizes, cells } in &mut self.counted {
            let splits: SmallVec<[&BitColumn; 8]> = splits.iter().map(|&at| &self.columns[at]).collect();
            self.part.fill(simd, &splits);
            self.part.add_sizes(sizes);
            let candidates = xs.iter().zip(cells);
            candidates.for_each(|(&x, cells)| self.part.add_cells(simd, &self.columns[x], cells));
        }
    }

    /// Passes `look` the cells of each candidate that was counted, which changes fastest, then the target.
    pub(super) fn tables(
        &mut self,
        sweeps: &[Sweep<'_>],
        levels: impl Fn(Var) -> usize,
        mut look: impl FnMut(&Sweep<'_>, Var, &[u32]),
    ) {
        for (s, counted) in sweeps.iter().zip(&self.counted) {
            for (&x, cells) in s.candidates.iter().zip(&counted.cells) {
                let width = levels(x) - 1;
                self.cells.clear();
                for (i, &size) in counted.sizes.iter().enumerate() {
                    let cells = &cells[i * width..][..width];
                    self.cells.extend_from_slice(cells);
                    self.cells.push(size - cells.iter().sum::<u32>());
                }
                look(s, x, &self.cells);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;
    use crate::random::mix;

    #[test]
    fn rows_in_parts_are_counted_as_a_loop_over_all_rows_counts_them() {
        let levels = [3usize, 2, 4, 1, 3];
        for rows in [1, 511, 512, 40_000, 150_003] {
            let code = |v: usize, row: usize| (mix(5, &[v as u64, row as u64]) % levels[v] as u64) as u16;
            for simd in [Simd::Portable, Simd::detect()] {
                let bits: Vec<BitColumn> = (0..levels.len())
                    .map(|v| {
                        let mut totals = vec![0; levels[v]];
                        (0..rows).for_each(|row| totals[usize::from(code(v, row))] += 1);
                        let column = Column::from_codes((0..rows).map(|row| code(v, row)), levels[v]);
                        BitColumn::new(simd, &column, &totals, false)
                    })
                    .collect();
                let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(Var);
                let sweeps = [
                    Sweep { target: a, candidates: &[b, d], given: &[c] },
                    Sweep { target: b, candidates: &[a], given: &[d, e] },
                    Sweep { target: e, candidates: &[c], given: &[] },
                ];
                let mut in_parts = StrataInParts::default();
                in_parts.count(simd, &[rows], &sweeps, |v| std::slice::from_ref(&bits[v.index()]));
                let mut seen = 0;
                in_parts.tables(
                    &sweeps,
                    |v| levels[v.index()],
                    |s, x, cells| {
                        let vars: Vec<usize> =
                            s.given.iter().chain([&s.target, &x]).map(|v| v.index()).collect();
                        let mut expected = vec![0; vars.iter().map(|&v| levels[v]).product()];
                        for row in 0..rows {
                            let cell =
                                vars.iter().fold(0, |cell, &v| cell * levels[v] + usize::from(code(v, row)));
                            expected[cell] += 1;
                        }
                        assert_eq!(cells, expected, "{s:?} {x:?} {rows}");
                        seen += 1;
                    },
                );
                assert_eq!(seen, 4);
            }
        }
    }
}
