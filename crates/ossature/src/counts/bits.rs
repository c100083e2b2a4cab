//! Bit columns: a set of rows for each level of a variable.

use super::nlogn::{AllTerms, NLogN};
use super::octets::{Octet, OctetStrata, OctetSums};
use super::simd::{
    BLOCK_ROWS, BitBlock, Simd, compares_levels, intersection_sizes, mark_level, octet_sums, split,
};
use super::table::Places;
use super::terms::{CandidateCells, LogTerms, StratumTerms, TurnedTerms};
use crate::data::{Column, not_coded};

/// A variable with more levels than this is not stored as bitmaps, which would cost more memory than they are
/// worth.
pub(super) const MAX_BIT_LEVELS: usize = 32;

/// The room for the strata of a thread to begin with, in blocks. Memory that is never used is never provided.
const FIRST_BLOCKS: usize = 1 << 10;

/// The rows of each level of one variable, as bitmaps.
#[derive(Debug, Clone, Default)]
pub(super) struct BitColumn {
    sets: Vec<BitBlock>,
    totals: Vec<u32>,
    blocks: usize,
    /// Whether the last level stands for missing values.
    has_gaps: bool,
}

impl BitColumn {
    /// Makes the bitmaps of a column; `totals` has the number of rows of each level.
    pub(super) fn new(simd: Simd, column: &Column, totals: &[u32], has_gaps: bool) -> BitColumn {
        debug_assert!(totals.len() <= MAX_BIT_LEVELS);
        let blocks = column.len().div_ceil(BLOCK_ROWS);
        let mut sets = vec![BitBlock::default(); blocks * totals.len()];
        let mut put = |row: usize, level: usize| {
            let (block, bit) = (row / BLOCK_ROWS, row % BLOCK_ROWS);
            sets[level * blocks + block].0[bit / 64] |= 1 << (bit % 64);
        };
        match column {
            Column::Narrow(codes) if compares_levels(simd, totals.len()) => {
                for (level, set) in sets.chunks_exact_mut(blocks.max(1)).enumerate() {
                    mark_level(simd, codes, level as u8, set);
                }
            }
            Column::Narrow(codes) => codes.iter().enumerate().for_each(|(row, &c)| put(row, usize::from(c))),
            Column::Wide(codes) => codes.iter().enumerate().for_each(|(row, &c)| put(row, usize::from(c))),
            Column::Real(_) => not_coded(),
        }
        BitColumn { sets, totals: totals.to_vec(), blocks, has_gaps }
    }

    /// Becomes some blocks of another column, without its totals.
    pub(super) fn copy(&mut self, column: &BitColumn, first: usize, blocks: usize) {
        self.sets.clear();
        for set in column.sets.chunks_exact(column.blocks) {
            self.sets.extend_from_slice(&set[first..first + blocks]);
        }
        self.totals.clear();
        self.totals.resize(column.levels(), 0);
        (self.blocks, self.has_gaps) = (blocks, column.has_gaps);
    }

    /// Becomes a column with one level.
    pub(super) fn be_constant(&mut self, blocks: usize, rows: usize) {
        // Rows after the last are in no set of another column.
        self.sets.clear();
        self.sets.resize(blocks, BitBlock([u64::MAX; 8]));
        self.totals.clear();
        self.totals.push(rows as u32);
        (self.blocks, self.has_gaps) = (blocks, false);
    }

    pub(super) fn levels(&self) -> usize {
        self.totals.len()
    }

    /// The number of blocks of a set of rows.
    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    /// The rows that have a level.
    pub(super) fn set(&self, level: usize) -> &[BitBlock] {
        &self.sets[level * self.blocks..][..self.blocks]
    }

    /// The number of rows that have a level.
    pub(super) fn total(&self, level: usize) -> u32 {
        self.totals[level]
    }

    /// The bits of 64 rows that have a level; `i` counts the rows by 64.
    pub(super) fn word(&self, level: usize, i: usize) -> u64 {
        self.sets[level * self.blocks + i / 8].0[i % 8]
    }

    /// Sets the sizes of the strata in which this variable is missing to 0, which leaves out their rows. This
    /// variable must be the last that split the strata.
    fn leave_out_gaps(&self, sizes: &mut [u32]) {
        if self.has_gaps {
            let levels = self.levels();
            sizes.chunks_exact_mut(levels).for_each(|sizes| sizes[levels - 1] = 0);
        }
    }
}

/// The rows of each configuration of some variables. The last variable changes fastest.
#[derive(Debug, Default)]
pub(super) struct BitStrata {
    sets: Vec<BitBlock>,
    sizes: Vec<u32>,
    /// The strata that have rows.
    occurring: Vec<u32>,
    spare: (Vec<BitBlock>, Vec<u32>),
    counted: Vec<u32>,
    terms: StratumTerms,
    turned_terms: TurnedTerms,
}

impl BitStrata {
    /// Splits the rows by one variable after the other.
    pub(super) fn fill(&mut self, simd: Simd, columns: &[&BitColumn]) {
        let (first, rest) = columns.split_first().expect("at least the target");
        self.sizes.clone_from(&first.totals);
        first.leave_out_gaps(&mut self.sizes);
        // The sets of a single variable are used in place.
        let mut first = Some(*first);
        for by in rest {
            self.split(simd, first.take(), by);
        }
        // Without a branch, which nobody could predict: each number is written, and kept by moving on.
        self.occurring.resize(self.sizes.len(), 0);
        let mut kept = 0;
        for (s, &size) in (0..).zip(&self.sizes) {
            self.occurring[kept] = s;
            kept += usize::from(size > 0);
        }
        self.occurring.truncate(kept);
    }

    /// The number of rows of each stratum, without those in which a value is missing.
    pub(super) fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The number of strata that have rows.
    pub(super) fn occurring(&self) -> usize {
        self.occurring.len()
    }

    /// Splits every stratum by the levels of one more variable. The strata to split are the sets of `column`,
    /// or of `self` if it is `None`.
    fn split(&mut self, simd: Simd, column: Option<&BitColumn>, by: &BitColumn) {
        let (blocks, levels) = (by.blocks, by.levels());
        let (sets, sizes) = &mut self.spare;
        // Longer than needed does no harm, and what is there is written over.
        let needed = self.sizes.len() * levels * blocks;
        if sets.capacity() < needed {
            // Nothing has to be copied to the new place.
            *sets = Vec::with_capacity(needed.next_power_of_two().max(FIRST_BLOCKS));
        }
        if sets.len() < needed {
            sets.resize(needed, BitBlock::default());
        }
        sizes.clear();
        sizes.resize(self.sizes.len() * levels, 0);
        let strata = column.map_or(&self.sets, |column| &column.sets).chunks_exact(blocks);
        let out = sets.chunks_exact_mut(levels * blocks).zip(sizes.chunks_exact_mut(levels));
        for ((stratum, &size), (sets, sizes)) in strata.zip(&self.sizes).zip(out) {
            // The content of an empty set is never read.
            if size > 0 {
                split(simd, stratum, size, &by.sets, sets, sizes);
            }
        }
        by.leave_out_gaps(sizes);
        std::mem::swap(&mut self.sets, sets);
        std::mem::swap(&mut self.sizes, sizes);
    }

    /// Counts all levels of the candidate `x` but the last in each stratum that has rows. `only` is the
    /// variable of the strata if there is just one. Returns the number of strata counted, which is all of
    /// them or all but the last.
    fn intersect(&mut self, simd: Simd, only: Option<&BitColumn>, x: &BitColumn) -> usize {
        let (sets, which) = counted_strata(&self.sets, &self.sizes, &self.occurring, only);
        self.counted.resize(which.len() * (x.levels() - 1), 0);
        if !self.counted.is_empty() {
            intersection_sizes(simd, sets, which, &x.sets, x.blocks, &mut self.counted);
        }
        which.len()
    }

    /// The sums for the candidates of an octet, after [`add_up_strata`](BitStrata::add_up_strata); `only` as in
    /// [`count`](BitStrata::count). `cells` is room for the cells.
    pub(super) fn octet_sums(
        &self,
        simd: Simd,
        only: Option<&BitColumn>,
        octet: &Octet,
        terms: AllTerms<'_>,
        cells: &mut Vec<BitBlock>,
    ) -> OctetSums {
        let (sets, which) = counted_strata(&self.sets, &self.sizes, &self.occurring, only);
        let strata = OctetStrata { sets, which, sizes: &self.sizes, free_y: self.terms.free_y() };
        octet_sums(simd, &strata, octet, terms.all(), cells)
    }

    /// The sums of a candidate from those of its octet.
    pub(super) fn of_lane(&self, sums: &OctetSums, lane: usize) -> LogTerms {
        self.terms.with_candidate(sums.xyz[lane], sums.xz[lane], sums.adjusted_df[lane])
    }

    /// Adds the sizes of the strata to these.
    pub(super) fn add_sizes(&self, sizes: &mut [u32]) {
        sizes.iter_mut().zip(&self.sizes).for_each(|(sum, size)| *sum += size);
    }

    /// Adds the cells of all levels of the candidate `x` but the last to these, which have a place for every stratum.
    pub(super) fn add_cells(&mut self, simd: Simd, x: &BitColumn, cells: &mut [u32]) {
        let width = x.levels() - 1;
        if width > 0 {
            self.intersect(simd, None, x);
            for (&s, counted) in self.occurring.iter().zip(self.counted.chunks_exact(width)) {
                let cells = &mut cells[s as usize * width..][..width];
                cells.iter_mut().zip(counted).for_each(|(sum, n)| *sum += n);
            }
        }
    }

    /// Computes the sums that all candidates share. The strata are those of Z and a target with `c` levels.
    pub(super) fn add_up_strata(&mut self, c: usize, f: &NLogN) {
        self.terms.fill(&self.sizes, c, f);
    }

    /// The sums for the candidate `x`, after [`add_up_strata`](BitStrata::add_up_strata); `only` as in
    /// [`count`](BitStrata::count).
    pub(super) fn log_terms(
        &mut self,
        simd: Simd,
        only: Option<&BitColumn>,
        x: &BitColumn,
        f: &NLogN,
    ) -> LogTerms {
        self.intersect(simd, only, x);
        let (counted, sizes) = (&self.counted[..], &self.sizes[..]);
        self.terms.candidate(CandidateCells { levels: x.levels(), counted, sizes, totals: &x.totals }, f)
    }

    /// The sums of a table whose strata are those of all members of Z but the last, Y and X. `last` is the
    /// last member of Z, which is counted; `levels` has the numbers of levels of X and Y.
    pub(super) fn turned_log_terms(
        &mut self,
        simd: Simd,
        last: &BitColumn,
        levels: (usize, usize),
        f: &NLogN,
    ) -> LogTerms {
        self.intersect(simd, None, last);
        let (counted, sizes) = (&self.counted[..], &self.sizes[..]);
        let cells = CandidateCells { levels: last.levels(), counted, sizes, totals: &last.totals };
        self.turned_terms.add_up(cells, levels, f)
    }

    /// Fills the cells of the candidate `x`; `turned` as in [`Places`]. `only` is the variable of the strata
    /// if there is just one.
    pub(super) fn count(
        &mut self,
        simd: Simd,
        only: Option<&BitColumn>,
        x: &BitColumn,
        turned: usize,
        cells: &mut [u32],
    ) {
        let r = x.levels();
        let which = self.intersect(simd, only, x);
        let which = &self.occurring[..which];
        let rest_is_last = which.len() < self.occurring.len();
        if self.occurring.len() < self.sizes.len() {
            cells.fill(0);
        }
        let mut places = Places::new(r, turned);
        for (n, &s) in which.iter().enumerate() {
            let mut rest = self.sizes[s as usize];
            let mut place = places.first(s as usize);
            for &size in &self.counted[n * (r - 1)..][..r - 1] {
                cells[place] = size;
                rest -= size;
                place += turned;
            }
            cells[place] = rest;
        }
        if rest_is_last {
            let (before, last) = cells.split_at_mut(which.len() * r);
            last.copy_from_slice(&x.totals);
            for cells in before.chunks_exact(r) {
                last.iter_mut().zip(cells).for_each(|(l, n)| *l -= n);
            }
        }
    }
}

/// The sets of the strata, and the numbers of those in which candidates are counted: those that have rows, or all of
/// these but the last. `only` is the variable of the strata if there is just one.
fn counted_strata<'s>(
    sets: &'s [BitBlock],
    sizes: &[u32],
    occurring: &'s [u32],
    only: Option<&'s BitColumn>,
) -> (&'s [BitBlock], &'s [u32]) {
    match only {
        Some(t) if t.has_gaps || occurring.len() < sizes.len() => (&t.sets, occurring),
        // All levels of a single variable occur and no value is missing, so the last stratum need not be counted: it has
        // what is left of the totals of X.
        Some(t) => (&t.sets, &occurring[..occurring.len() - 1]),
        None => (sets, occurring),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::simd::count_levels;
    use super::*;

    proptest! {
        #[test]
        fn each_row_is_in_the_set_of_its_level(codes in prop::collection::vec(0u16..32, 0..700), levels in 1..=32u16) {
            let codes: Vec<u16> = codes.into_iter().map(|code| code % levels).collect();
            let mut totals = vec![0; usize::from(levels)];
            codes.iter().for_each(|&code| totals[usize::from(code)] += 1);
            let column = Column::from_codes(codes.iter().copied(), usize::from(levels));
            for simd in [Simd::Portable, Simd::detect()] {
                let narrow: Vec<u8> = codes.iter().map(|&code| code as u8).collect();
                prop_assert_eq!(&count_levels(simd, &narrow, usize::from(levels)), &totals);
                let bits = BitColumn::new(simd, &column, &totals, false);
                for (row, level) in (0..bits.blocks * BLOCK_ROWS).flat_map(|row| (0..levels).map(move |l| (row, l))) {
                    let block = bits.sets[usize::from(level) * bits.blocks + row / BLOCK_ROWS];
                    let is_in = block.0[row % BLOCK_ROWS / 64] >> (row % 64) & 1 == 1;
                    prop_assert_eq!(is_in, codes.get(row) == Some(&level), "row {} level {}", row, level);
                }
            }
        }
    }
}
