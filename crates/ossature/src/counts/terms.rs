//! The sums of n·ln n over a table and its margins, which are all that G² needs.
//!
//! Most tests use their table only for these sums. So with bitmaps, the sizes of the intersections are added
//! up directly and the table itself is never built.

use smallvec::SmallVec;

use super::nlogn::{FindTerm, NLogN};
use super::table::Counts;

/// The sums of n·ln n over the cells of a table of X, Y and Z and over its margins, in the units of
/// [`NLogN`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LogTerms {
    /// Over the cells n_ijk.
    pub xyz: i64,
    /// Over n_i+k.
    pub xz: i64,
    /// Over n_+jk.
    pub yz: i64,
    /// Over n_++k.
    pub z: i64,
    /// The adjusted degrees of freedom, as in [`Counts::adjusted_df`].
    pub adjusted_df: u64,
    /// The number of rows counted.
    pub rows: u64,
}

impl LogTerms {
    /// The sums over a table.
    pub fn of(counts: &Counts, f: &NLogN) -> LogTerms {
        let [yz, z] = counts.once_for_all_candidates(|| [f.sum(counts.yz()), f.sum(counts.z())]);
        LogTerms {
            xyz: f.sum(counts.xyz()),
            xz: f.sum(counts.xz()),
            yz,
            z,
            adjusted_df: counts.adjusted_df(),
            rows: counts.rows(),
        }
    }

    /// F(XZ) + F(YZ) − F(Z), which the sum over the cells is compared with. F is the sum of n·ln n.
    pub fn margins(&self) -> i64 {
        self.xz + self.yz - self.z
    }
}

/// Sums over the strata, which all candidates of a sweep share.
#[derive(Debug, Default)]
pub(super) struct StratumTerms {
    /// C_k − 1 for each configuration of Z.
    free_y: Vec<u32>,
    yz: i64,
    z: i64,
    rows: u64,
}

impl StratumTerms {
    /// Computes the sums from the sizes of the strata of Z and a target with `c` levels.
    pub(super) fn fill(&mut self, sizes: &[u32], c: usize, f: &NLogN) {
        (self.yz, self.z, self.rows) = (0, 0, 0);
        self.free_y.clear();
        for slice in sizes.chunks_exact(c) {
            let rows = slice.iter().sum();
            self.yz += f.sum(slice);
            self.z += f.of(rows);
            self.rows += u64::from(rows);
            self.free_y.push(occurring(slice).saturating_sub(1));
        }
    }

    /// The sums for a candidate, from its cells in the strata that `fill` got.
    pub(super) fn candidate(&self, cells: CandidateCells<'_>, f: &NLogN) -> LogTerms {
        match f.all_terms() {
            Some(f) => self.candidate_with(cells, f),
            None => self.candidate_with(cells, f),
        }
    }

    fn candidate_with(&self, cells: CandidateCells<'_>, f: impl FindTerm) -> LogTerms {
        // With the number of levels known at compile time, the sums stay in registers.
        let (xyz, xz, adjusted_df) = match cells.levels {
            2 => self.add_up(cells, &mut [0; 2], f),
            3 => self.add_up(cells, &mut [0; 3], f),
            4 => self.add_up(cells, &mut [0; 4], f),
            levels => self.add_up(cells, &mut SmallVec::<[u32; 32]>::from_elem(0, levels), f),
        };
        self.with_candidate(xyz, xz, adjusted_df)
    }

    /// The sums for a candidate, from those that are not shared.
    pub(super) fn with_candidate(&self, xyz: i64, xz: i64, adjusted_df: u64) -> LogTerms {
        LogTerms { xyz, xz, yz: self.yz, z: self.z, adjusted_df, rows: self.rows }
    }

    /// C_k − 1 for each configuration of Z.
    pub(super) fn free_y(&self) -> &[u32] {
        &self.free_y
    }

    #[inline(always)]
    fn add_up(&self, cells: CandidateCells<'_>, xz: &mut [u32], f: impl FindTerm) -> (i64, i64, u64) {
        let CandidateCells { counted, sizes, totals, .. } = cells;
        let (counted_levels, c) = (xz.len() - 1, sizes.len() / self.free_y.len());
        let (mut xyz, mut sum_xz, mut df, mut at) = (0, 0, 0, 0);
        for (slice, &free) in sizes.chunks_exact(c).zip(&self.free_y) {
            xz.fill(0);
            for &size in slice.iter().filter(|&&size| size > 0) {
                match counted.get(at..at + counted_levels) {
                    Some(cells) => {
                        let mut rest = size;
                        for (sum, &n) in xz.iter_mut().zip(cells) {
                            xyz += f.of(n);
                            *sum += n;
                            rest -= n;
                        }
                        xyz += f.of(rest);
                        xz[counted_levels] += rest;
                        at += counted_levels;
                    }
                    // The last stratum has what is left of the totals.
                    None => xz.iter_mut().zip(totals).for_each(|(sum, &total)| {
                        xyz += f.of(total - *sum);
                        *sum = total;
                    }),
                }
            }
            sum_xz += f.sum(xz);
            df += u64::from(occurring(xz).saturating_sub(1)) * u64::from(free);
        }
        (xyz, sum_xz, df)
    }
}

/// The cells of a candidate in the strata that have rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct CandidateCells<'a> {
    /// The number of levels of the candidate.
    pub(super) levels: usize,
    /// The cells of all its levels but the last, one stratum after another. Those of the last stratum may be
    /// absent.
    pub(super) counted: &'a [u32],
    /// The sizes of all strata.
    pub(super) sizes: &'a [u32],
    /// The number of rows of each level.
    pub(super) totals: &'a [u32],
}

/// Sums for a table whose strata are those of X, Y and all of Z but its last member, which is the candidate.
#[derive(Debug, Default)]
pub(super) struct TurnedTerms {
    xz: Vec<u32>,
    yz: Vec<u32>,
}

/// A level of the candidate of such a table.
#[derive(Debug, Clone, Copy, Default)]
struct CandidateLevel {
    /// Its cell in the current stratum.
    cell: u32,
    /// Its rows, and how many levels of X and of Y occur with it.
    rows: u32,
    x: u32,
    y: u32,
}

impl TurnedTerms {
    /// The sums for X with `r` levels, which changes fastest in the strata, and Y with `c` levels.
    pub(super) fn add_up(&mut self, cells: CandidateCells<'_>, pair: (usize, usize), f: &NLogN) -> LogTerms {
        match f.all_terms() {
            Some(f) => self.add_up_of(cells, pair, f),
            None => self.add_up_of(cells, pair, f),
        }
    }

    fn add_up_of(&mut self, cells: CandidateCells<'_>, pair: (usize, usize), f: impl FindTerm) -> LogTerms {
        // With the number of levels known at compile time, the cells of a stratum stay in registers.
        match cells.levels {
            2 => self.add_up_with(cells, pair, &mut [CandidateLevel::default(); 2], f),
            3 => self.add_up_with(cells, pair, &mut [CandidateLevel::default(); 3], f),
            4 => self.add_up_with(cells, pair, &mut [CandidateLevel::default(); 4], f),
            levels => {
                let mut each_level = SmallVec::<[_; 16]>::from_elem(CandidateLevel::default(), levels);
                self.add_up_with(cells, pair, &mut each_level, f)
            }
        }
    }

    #[inline(always)]
    fn add_up_with(
        &mut self,
        cells: CandidateCells<'_>,
        (r, c): (usize, usize),
        each_level: &mut [CandidateLevel],
        f: impl FindTerm,
    ) -> LogTerms {
        let levels = each_level.len();
        let mut sums = LogTerms::default();
        let mut at = 0;
        for slice in cells.sizes.chunks_exact(r * c) {
            // The levels of the candidate change fastest.
            refill(&mut self.xz, levels * r);
            refill(&mut self.yz, levels * c);
            for (sizes, yz) in slice.chunks_exact(r).zip(self.yz.chunks_exact_mut(levels)) {
                for (&size, xz) in sizes.iter().zip(self.xz.chunks_exact_mut(levels)).filter(|(s, _)| **s > 0)
                {
                    let mut rest = size;
                    for (level, &n) in each_level.iter_mut().zip(&cells.counted[at..at + levels - 1]) {
                        level.cell = n;
                        rest -= n;
                    }
                    at += levels - 1;
                    each_level[levels - 1].cell = rest;
                    for ((xz, yz), level) in xz.iter_mut().zip(yz.iter_mut()).zip(&*each_level) {
                        sums.xyz += f.of(level.cell);
                        *xz += level.cell;
                        *yz += level.cell;
                    }
                }
            }
            sums.xz += f.sum(&self.xz);
            sums.yz += f.sum(&self.yz);
            each_level.fill(CandidateLevel::default());
            for xz in self.xz.chunks_exact(levels) {
                each_level.iter_mut().zip(xz).for_each(|(level, &n)| level.x += u32::from(n > 0));
            }
            for yz in self.yz.chunks_exact(levels) {
                for (level, &n) in each_level.iter_mut().zip(yz) {
                    level.rows += n;
                    level.y += u32::from(n > 0);
                }
            }
            let free = |occurring: u32| u64::from(occurring.saturating_sub(1));
            for level in &*each_level {
                sums.z += f.of(level.rows);
                sums.rows += u64::from(level.rows);
                sums.adjusted_df += free(level.x) * free(level.y);
            }
        }
        sums
    }
}

/// Makes this a list of counts that are all 0.
pub(super) fn refill(counts: &mut Vec<u32>, len: usize) {
    counts.clear();
    counts.resize(len, 0);
}

/// The number of counts that are not 0.
#[inline(always)]
pub(super) fn occurring(margin: &[u32]) -> u32 {
    margin.iter().map(|&n| u32::from(n > 0)).sum()
}
