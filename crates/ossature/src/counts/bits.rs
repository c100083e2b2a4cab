//! Bit columns: each level of a variable as the set of its rows.

use smallvec::SmallVec;

use super::simd::{BLOCK_ROWS, Block, Simd, intersect, intersection_sizes};
use super::table::Counts;
use crate::data::Column;

/// Variables of more levels are not stored as bitmaps: they would take more room than is won.
pub(super) const MAX_BIT_LEVELS: usize = 32;

/// The rows of each level of one variable.
#[derive(Debug, Clone)]
pub(super) struct BitColumn {
    sets: Vec<Block>,
    totals: Vec<u32>,
    blocks: usize,
}

impl BitColumn {
    pub(super) fn new(column: &Column, levels: usize) -> BitColumn {
        let blocks = column.len().div_ceil(BLOCK_ROWS);
        let mut sets = vec![Block::default(); blocks * levels];
        let mut totals = vec![0; levels];
        let mut put = |row: usize, level: usize| {
            let (block, bit) = (row / BLOCK_ROWS, row % BLOCK_ROWS);
            sets[level * blocks + block].0[bit / 64] |= 1 << (bit % 64);
            totals[level] += 1;
        };
        match column {
            Column::Narrow(codes) => codes.iter().enumerate().for_each(|(row, &c)| put(row, usize::from(c))),
            Column::Wide(codes) => codes.iter().enumerate().for_each(|(row, &c)| put(row, usize::from(c))),
        }
        BitColumn { sets, totals, blocks }
    }

    pub(super) fn levels(&self) -> usize {
        self.totals.len()
    }

    fn level(&self, level: usize) -> &[Block] {
        &self.sets[level * self.blocks..][..self.blocks]
    }
}

/// The rows of each configuration of (Z, T): set number `k * levels of T + j`.
#[derive(Debug, Default)]
pub(super) struct BitStrata {
    sets: Vec<Block>,
    sizes: Vec<u32>,
    spare: (Vec<Block>, Vec<u32>),
}

impl BitStrata {
    /// Splits the rows by one variable after the other: those of Z, then T.
    pub(super) fn fill(&mut self, simd: Simd, z_and_t: &[&BitColumn]) {
        let (first, rest) = z_and_t.split_first().expect("at least the target");
        self.sizes.clone_from(&first.totals);
        // The sets of a single variable are used where they are.
        let mut first = Some(*first);
        for by in rest {
            self.split(simd, first.take(), by);
        }
    }

    /// Splits every stratum by the levels of one more variable. The strata so far are those of
    /// `column` itself, or our own.
    fn split(&mut self, simd: Simd, column: Option<&BitColumn>, by: &BitColumn) {
        let blocks = by.blocks;
        let (sets, sizes) = &mut self.spare;
        sets.resize(self.sizes.len() * by.levels() * blocks, Block::default());
        sizes.clear();
        let mut out = sets.chunks_exact_mut(blocks.max(1));
        for (s, &size) in self.sizes.iter().enumerate() {
            let stratum = match column {
                Some(column) => column.level(s),
                None => &self.sets[s * blocks..][..blocks],
            };
            for level in 0..by.levels() {
                let out = out.next().expect("room for every stratum");
                // The content of an empty set is never looked at.
                sizes.push(if size == 0 { 0 } else { intersect(simd, stratum, by.level(level), out) });
            }
        }
        std::mem::swap(&mut self.sets, sets);
        std::mem::swap(&mut self.sizes, sizes);
    }

    /// Fills the cells of `counts`, whose strata are these, for the candidate `x`.
    pub(super) fn count(
        &self,
        simd: Simd,
        t: &BitColumn,
        x: &BitColumn,
        unconditional: bool,
        counts: &mut Counts,
    ) {
        let (blocks, r) = (x.blocks, x.levels());
        let counted = &x.sets[..(r - 1) * blocks];
        // Without Z the margins of X are known, so the last level of T need not be counted either.
        let strata = if unconditional { self.sizes.len() - 1 } else { self.sizes.len() };
        let occurring = (0..strata).filter(|&s| self.sizes[s] > 0);
        let xyz = counts.cells_mut();
        xyz.fill(0);
        let (mut sets, mut places) = (SmallVec::<[&[Block]; 64]>::new(), SmallVec::<[usize; 64]>::new());
        for s in occurring {
            sets.push(if unconditional { t.level(s) } else { &self.sets[s * blocks..][..blocks] });
            places.push(s);
        }
        intersection_sizes(simd, &sets, counted, |s, i, size| xyz[places[s] * r + i] = size);
        for s in places {
            let (last, others) = xyz[s * r..][..r].split_last_mut().expect("at least one level");
            *last = self.sizes[s] - others.iter().sum::<u32>();
        }
        if unconditional {
            let (before, last) = xyz.split_at_mut(strata * r);
            last.copy_from_slice(&x.totals);
            for cells in before.chunks_exact(r) {
                last.iter_mut().zip(cells).for_each(|(l, n)| *l -= n);
            }
        }
    }
}
