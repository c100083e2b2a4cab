//! Bit columns: each level of a variable as the set of its rows.

use super::nlogn::NLogN;
use super::simd::{BLOCK_ROWS, BitBlock, Simd, intersection_sizes, split};
use super::table::Places;
use super::terms::{CandidateCells, LogTerms, StratumTerms, TurnedTerms};
use crate::data::{Column, not_coded};

/// Variables of more levels are not stored as bitmaps: they would take more room than is won.
pub(super) const MAX_BIT_LEVELS: usize = 32;

/// The rows of each level of one variable.
#[derive(Debug, Clone)]
pub(super) struct BitColumn {
    sets: Vec<BitBlock>,
    totals: Vec<u32>,
    blocks: usize,
    /// Whether the last level is that of missing values.
    has_gaps: bool,
}

impl BitColumn {
    /// The bitmaps of a column whose levels occur so often.
    pub(super) fn new(column: &Column, totals: &[u32], has_gaps: bool) -> BitColumn {
        debug_assert!(totals.len() <= MAX_BIT_LEVELS);
        let blocks = column.len().div_ceil(BLOCK_ROWS);
        let mut sets = vec![BitBlock::default(); blocks * totals.len()];
        let mut put = |row: usize, level: usize| {
            let (block, bit) = (row / BLOCK_ROWS, row % BLOCK_ROWS);
            sets[level * blocks + block].0[bit / 64] |= 1 << (bit % 64);
        };
        match column {
            Column::Narrow(codes) => codes.iter().enumerate().for_each(|(row, &c)| put(row, usize::from(c))),
            Column::Wide(codes) => codes.iter().enumerate().for_each(|(row, &c)| put(row, usize::from(c))),
            Column::Real(_) => not_coded(),
        }
        BitColumn { sets, totals: totals.to_vec(), blocks, has_gaps }
    }

    fn levels(&self) -> usize {
        self.totals.len()
    }

    /// Leaves out the rows in which the variable is missing, by the sizes of strata that it was the last to
    /// split: what has no rows is never looked at.
    fn leave_out_gaps(&self, sizes: &mut [u32]) {
        if self.has_gaps {
            let levels = self.levels();
            sizes.chunks_exact_mut(levels).for_each(|sizes| sizes[levels - 1] = 0);
        }
    }
}

/// The rows of each configuration of some variables, the last changing fastest.
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
        // The sets of a single variable are used where they are.
        let mut first = Some(*first);
        for by in rest {
            self.split(simd, first.take(), by);
        }
        self.occurring.clear();
        self.occurring.extend((0..).zip(&self.sizes).filter(|&(_, &size)| size > 0).map(|(s, _)| s));
    }

    /// How many strata have rows.
    pub(super) fn occurring(&self) -> usize {
        self.occurring.len()
    }

    /// Splits every stratum by the levels of one more variable. The strata so far are those of
    /// `column` itself, or our own.
    fn split(&mut self, simd: Simd, column: Option<&BitColumn>, by: &BitColumn) {
        let (blocks, levels) = (by.blocks, by.levels());
        let (sets, sizes) = &mut self.spare;
        sets.resize(self.sizes.len() * levels * blocks, BitBlock::default());
        sizes.clear();
        sizes.resize(self.sizes.len() * levels, 0);
        let strata = column.map_or(&self.sets, |column| &column.sets).chunks_exact(blocks);
        let out = sets.chunks_exact_mut(levels * blocks).zip(sizes.chunks_exact_mut(levels));
        for ((stratum, &size), (sets, sizes)) in strata.zip(&self.sizes).zip(out) {
            // The content of an empty set is never looked at.
            if size > 0 {
                split(simd, stratum, size, &by.sets, sets, sizes);
            }
        }
        by.leave_out_gaps(sizes);
        std::mem::swap(&mut self.sets, sets);
        std::mem::swap(&mut self.sizes, sizes);
    }

    /// Counts the candidate `x` in the strata that have rows: all its levels but the last. `only` is the variable that
    /// the strata are of, if they are of one alone. Returns the number of strata counted, which may be all but the last.
    fn intersect(&mut self, simd: Simd, only: Option<&BitColumn>, x: &BitColumn) -> usize {
        let all = &self.occurring[..];
        // With one other variable, which is never missing and of which every level occurs, the margins of X are
        // known, so its last level need not be counted.
        let (sets, which) = match only {
            Some(t) if t.has_gaps || all.len() < self.sizes.len() => (&t.sets, all),
            Some(t) => (&t.sets, &all[..all.len() - 1]),
            None => (&self.sets, all),
        };
        self.counted.resize(which.len() * (x.levels() - 1), 0);
        if !self.counted.is_empty() {
            intersection_sizes(simd, sets, which, &x.sets, x.blocks, &mut self.counted);
        }
        which.len()
    }

    /// Makes the sums that all candidates share; the strata are those of Z and of a target of `c` levels.
    pub(super) fn add_up_strata(&mut self, c: usize, f: &NLogN) {
        self.terms.fill(&self.sizes, c, f);
    }

    /// The sums for the candidate `x`, once those of the strata are there; `only` as in [`count`](BitStrata::count).
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

    /// The sums for strata of all but the last member of Z, of Y and of X, which have so many levels; `last` is counted.
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

    /// Fills the cells of the candidate `x`, `turned` as in [`Places`]. `only` is the variable
    /// that the strata are of, if they are of one alone.
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
