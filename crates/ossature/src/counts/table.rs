//! The table of counts that every kernel fills.

use std::cell::Cell;

use super::terms::occurring;

/// How often each combination of X, Y and a configuration of Z occurs, with the margins.
///
/// If Z is empty, it has one configuration. The table may list combinations that do not occur, with count 0,
/// or leave them out. A statistic must not depend on which; ours do not, because a count of 0 contributes
/// nothing.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// The numbers of declared levels of X and Y.
    levels: (usize, usize),
    /// The numbers of levels of X and Y that have cells in a dense table.
    r: usize,
    c: usize,
    xyz: Vec<u32>,
    xz: Vec<u32>,
    yz: Vec<u32>,
    z: Vec<u32>,
    /// For a dense table, the number of configurations of Z that share the level of its first member.
    block: usize,
    /// For a sparse table, the margins of each listed cell.
    listed: Option<Listed>,
    /// For a dense table: C_k - 1 for each configuration, the adjusted degrees of freedom, and the number of
    /// configurations of Y and Z that occur.
    free_y: Vec<u32>,
    df: u64,
    strata: usize,
    /// Sums of the margins of T and Z, kept for the other candidates of a sweep.
    shared: Cell<Option<[i64; 2]>>,
}

/// The structure of a sparse table.
#[derive(Debug, Clone, Default)]
pub(super) struct Listed {
    /// For each cell, its entries in `xz` and `yz`.
    pub(super) margins: Vec<[u32; 2]>,
    /// For each configuration of Z, the ends of its cells, of its `xz` and of its `yz`.
    pub(super) ends: Vec<[u32; 3]>,
    /// For each entry of `yz`, the level of Y.
    pub(super) y_level: Vec<u16>,
    /// For each configuration of Z, the level of its first member; 0 if Z is empty.
    pub(super) first_level: Vec<u16>,
    /// For each entry of `xz`, the level of X.
    pub(super) x_level: Vec<u16>,
    /// For each member of Z and each configuration of the members up to it, that of the members before it.
    pub(super) inside: Vec<Vec<u32>>,
}

/// A cell of a sparse table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ListedCell {
    /// n_ijk.
    pub(crate) n: u32,
    /// The configuration of Z.
    pub(crate) group: u32,
    /// The index of n_i+k in [`xz`](Counts::xz).
    pub(crate) configuration: u32,
    /// The level of X.
    pub(crate) x: u16,
    /// The level of Y.
    pub(crate) y: u16,
    /// The level of the first member of Z; 0 if Z is empty.
    pub(crate) first: u16,
}

/// A level of Y in a configuration of Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stratum {
    /// n_+jk, the number of rows.
    pub rows: u32,
    /// n_++k, the number of rows of the configuration.
    pub of: u32,
    /// The level of Y among those that occur.
    pub level: usize,
    /// The level of the first member of Z among those that occur; 0 if Z is empty.
    pub first: usize,
}

/// One configuration of Z: its number of rows, divided by X and by Y.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slice<'a> {
    /// n_++k, the number of rows.
    pub rows: u32,
    /// n_i+k for the levels of X. Levels that do not occur may be left out.
    pub x: &'a [u32],
    /// n_+jk for the levels of Y. Levels that do not occur may be left out.
    pub y: &'a [u32],
}

impl Counts {
    /// n_ijk. Zeros may be left out.
    pub fn xyz(&self) -> &[u32] {
        &self.xyz
    }

    /// n_i+k. Zeros may be left out.
    pub fn xz(&self) -> &[u32] {
        &self.xz
    }

    /// n_+jk. Zeros may be left out.
    pub fn yz(&self) -> &[u32] {
        &self.yz
    }

    /// n_++k. Zeros may be left out.
    pub fn z(&self) -> &[u32] {
        &self.z
    }

    /// The number of rows counted.
    pub fn rows(&self) -> u64 {
        self.z.iter().map(|&n| u64::from(n)).sum()
    }

    /// The numbers of declared levels of X and Y.
    pub fn levels(&self) -> (usize, usize) {
        self.levels
    }

    /// The configurations of Z. Some may have no rows.
    pub fn slices(&self) -> impl ExactSizeIterator<Item = Slice<'_>> {
        (0..self.z.len()).map(|k| {
            let [_, x, y] = self.spans(k);
            Slice { rows: self.z[k], x: &self.xz[x], y: &self.yz[y] }
        })
    }

    /// Calls `f(n_ijk, n_i+k, n_+jk, n_++k)` for every combination that occurs.
    pub fn for_each_cell(&self, mut f: impl FnMut(u32, u32, u32, u32)) {
        for k in 0..self.z.len() {
            let [cells, x, y] = self.spans(k);
            for at in cells.clone().filter(|&at| self.xyz[at] > 0) {
                let (i, j) = match &self.listed {
                    Some(listed) => (listed.margins[at][0] as usize, listed.margins[at][1] as usize),
                    None => (x.start + (at - cells.start) % self.r, y.start + (at - cells.start) / self.r),
                };
                f(self.xyz[at], self.xz[i], self.yz[j], self.z[k]);
            }
        }
    }

    /// Calls `f(n_ijk, place)` for every combination that occurs; `place` is the index of its n_+jk in
    /// [`yz`](Counts::yz).
    #[inline]
    pub fn for_each_count(&self, mut f: impl FnMut(u32, usize)) {
        match &self.listed {
            Some(listed) => {
                for (&n, margins) in self.xyz.iter().zip(&listed.margins) {
                    f(n, margins[1] as usize);
                }
            }
            None => {
                for (place, cells) in self.xyz.chunks_exact(self.r.max(1)).enumerate() {
                    cells.iter().filter(|&&n| n > 0).for_each(|&n| f(n, place));
                }
            }
        }
    }

    /// Calls `f(place, stratum)` for each entry of [`yz`](Counts::yz) in order. Those without rows may be
    /// left out.
    #[inline]
    pub fn for_each_stratum(&self, mut f: impl FnMut(usize, Stratum)) {
        match &self.listed {
            Some(listed) => {
                let mut start = 0;
                for (k, ends) in listed.ends.iter().enumerate() {
                    let (of, first) = (self.z[k], usize::from(listed.first_level[k]));
                    for at in start..ends[2] as usize {
                        let level = usize::from(listed.y_level[at]);
                        f(at, Stratum { rows: self.yz[at], of, level, first });
                    }
                    start = ends[2] as usize;
                }
            }
            None => {
                for (k, slice) in self.yz.chunks_exact(self.c).enumerate().filter(|(k, _)| self.z[*k] > 0) {
                    let (of, first) = (self.z[k], k / self.block);
                    for (level, &rows) in slice.iter().enumerate() {
                        f(k * self.c + level, Stratum { rows, of, level, first });
                    }
                }
            }
        }
    }

    /// Calls `f` with every cell of a sparse table, and never for a dense one.
    pub(crate) fn for_each_listed(&self, mut f: impl FnMut(ListedCell)) {
        let Some(listed) = &self.listed else { return };
        let mut start = 0;
        for (k, ends) in listed.ends.iter().enumerate() {
            let (group, first) = (k as u32, listed.first_level[k]);
            for at in start..ends[0] as usize {
                let [configuration, stratum] = listed.margins[at];
                let (x, y) = (listed.x_level[configuration as usize], listed.y_level[stratum as usize]);
                f(ListedCell { n: self.xyz[at], group, configuration, x, y, first });
            }
            start = ends[0] as usize;
        }
    }

    /// For each member of Z and each configuration of the members up to it, that of the members before it; empty for a
    /// dense table. The last one has the configurations of a [`ListedCell`].
    pub(crate) fn inside(&self) -> &[Vec<u32>] {
        self.listed.as_ref().map_or(&[], |listed| &listed.inside)
    }

    /// Whether combinations that do not occur are left out, which changes the indices of [`yz`](Counts::yz).
    pub fn is_listed(&self) -> bool {
        self.listed.is_some()
    }

    /// The adjusted degrees of freedom: the sum over k of (R_k - 1)(C_k - 1), where R_k and C_k are
    /// the numbers of levels that occur in configuration k.
    pub fn adjusted_df(&self) -> u64 {
        match &self.listed {
            // Everything listed occurs.
            Some(_) => self.slices().map(|s| (s.x.len() as u64 - 1) * (s.y.len() as u64 - 1)).sum(),
            None => self.df,
        }
    }

    /// Values that depend only on `yz` and `z`, computed for the first candidate of a sweep and kept for the
    /// others.
    pub(super) fn once_for_all_candidates(&self, compute: impl FnOnce() -> [i64; 2]) -> [i64; 2] {
        let value = self.shared.get().unwrap_or_else(compute);
        self.shared.set(Some(value));
        value
    }

    /// The ranges of the cells, the `xz` and the `yz` of configuration `k`.
    fn spans(&self, k: usize) -> [std::ops::Range<usize>; 3] {
        match &self.listed {
            Some(Listed { ends, .. }) => {
                let start = if k == 0 { [0; 3] } else { ends[k - 1] };
                std::array::from_fn(|i| start[i] as usize..ends[k][i] as usize)
            }
            None => [self.r * self.c, self.r, self.c].map(|width| k * width..(k + 1) * width),
        }
    }

    /// Makes this a dense table for a target with `c` levels and this number of configurations of Z, of which
    /// `block` share the level of its first member.
    pub(super) fn set_strata(&mut self, c: usize, configurations: usize, block: usize) {
        self.c = c;
        self.block = block.max(1);
        self.listed = None;
        self.shared.set(None);
        self.yz.clear();
        self.yz.resize(c * configurations, 0);
        self.z.clear();
        self.z.resize(configurations, 0);
    }

    /// Shrinks a dense table after cells were removed. The numbers are the levels of X, the levels of Y, the
    /// configurations of Z, and those that share the level of its first member.
    pub(super) fn shrink(&mut self, [r, c, configurations, block]: [usize; 4]) {
        // If all values of a variable are missing, nothing is left.
        let configurations = if r * c == 0 { 0 } else { configurations };
        (self.r, self.c, self.block) = (r.max(1), c.max(1), block.max(1));
        self.z.truncate(configurations);
        self.yz.truncate(self.c * configurations);
        self.xz.truncate(self.r * configurations);
        self.xyz.truncate(self.r * self.c * configurations);
    }

    /// The number of configurations of Y and Z that occur in a dense table.
    pub(super) fn occurring_strata(&self) -> usize {
        self.strata
    }

    /// Makes room for a candidate with `r` levels, whose [`cells_mut`](Self::cells_mut) are to be filled.
    pub(super) fn set_candidate(&mut self, r: usize, declared: (usize, usize)) {
        self.r = r;
        self.levels = declared;
        self.xyz.resize(r * self.yz.len(), 0);
        self.xz.resize(r * self.z.len(), 0);
    }

    /// n_ijk of a dense table, with X changing fastest, then Y.
    pub(super) fn cells_mut(&mut self) -> &mut [u32] {
        &mut self.xyz
    }

    /// Adds up the margins of Y and Z, which are the same for every candidate, once the cells of the first
    /// candidate are filled.
    pub(super) fn add_up_strata(&mut self) {
        let yz = &mut self.yz;
        match self.r {
            2 => add_up_each::<2>(&self.xyz, yz),
            3 => add_up_each::<3>(&self.xyz, yz),
            4 => add_up_each::<4>(&self.xyz, yz),
            r => {
                let rows = self.xyz.chunks_exact(r);
                yz.iter_mut().zip(rows).for_each(|(sum, cells)| *sum = cells.iter().sum());
            }
        }
        self.fill_strata(|_| ());
    }

    /// Fills n_+jk with `fill`, and adds up n_++k.
    pub(super) fn fill_strata(&mut self, fill: impl FnOnce(&mut [u32])) {
        fill(&mut self.yz);
        self.free_y.clear();
        self.strata = 0;
        for (sum, slice) in self.z.iter_mut().zip(self.yz.chunks_exact(self.c)) {
            *sum = slice.iter().sum();
            let occurring = occurring(slice);
            self.strata += occurring as usize;
            self.free_y.push(occurring.saturating_sub(1));
        }
    }

    /// Adds up n_i+k and the degrees of freedom, once the cells of a dense table are filled.
    pub(super) fn add_up(&mut self) {
        self.df = match self.r {
            2 => self.add_up_few::<2>(),
            3 => self.add_up_few::<3>(),
            4 => self.add_up_few::<4>(),
            _ => self.add_up_many(),
        };
    }

    /// Does this for a few levels, as most variables have, with the sums in registers.
    fn add_up_few<const R: usize>(&mut self) -> u64 {
        let mut df = 0;
        let (cells, margins) = (self.xyz.as_chunks::<R>().0, self.xz.as_chunks_mut::<R>().0);
        for ((slice, margins), &free) in cells.chunks_exact(self.c).zip(margins).zip(&self.free_y) {
            let mut sums = [0; R];
            for row in slice {
                (0..R).for_each(|i| sums[i] += row[i]);
            }
            *margins = sums;
            df += u64::from(occurring(&sums).saturating_sub(1)) * u64::from(free);
        }
        df
    }

    fn add_up_many(&mut self) -> u64 {
        let mut df = 0;
        let (slices, margins) = (self.xyz.chunks_exact(self.r * self.c), self.xz.chunks_exact_mut(self.r));
        for ((slice, margins), &free) in slices.zip(margins).zip(&self.free_y) {
            margins.fill(0);
            for row in slice.chunks_exact(self.r) {
                margins.iter_mut().zip(row).for_each(|(m, n)| *m += n);
            }
            df += u64::from(occurring(margins).saturating_sub(1)) * u64::from(free);
        }
        df
    }

    /// Makes a dense table from its cells, with X changing fastest, then Y. `r` and `c` are the numbers of
    /// levels of X and Y that have cells, and `block` the number of configurations of Z that share the level
    /// of its first member.
    pub(super) fn of_cells(
        cells: &[u32],
        (r, c): (usize, usize),
        block: usize,
        declared: (usize, usize),
    ) -> Counts {
        let mut counts = Counts::default();
        counts.set_strata(c, cells.len() / (r * c).max(1), block);
        counts.set_candidate(r, declared);
        counts.cells_mut().copy_from_slice(cells);
        counts.add_up_strata();
        counts.add_up();
        counts
    }

    /// Makes this a sparse table, with the lists that `fill` fills.
    pub(super) fn set_listed(&mut self, declared: (usize, usize), fill: impl FnOnce(&mut SparseParts<'_>)) {
        self.levels = declared;
        self.shared.set(None);
        let listed = self.listed.get_or_insert_default();
        listed.margins.clear();
        listed.x_level.clear();
        listed.ends.clear();
        self.xyz.clear();
        self.xz.clear();
        fill(&mut SparseParts {
            xyz: &mut self.xyz,
            xz: &mut self.xz,
            yz: &mut self.yz,
            z: &mut self.z,
            listed,
        });
    }
}

fn add_up_each<const R: usize>(cells: &[u32], sums: &mut [u32]) {
    for (sum, cells) in sums.iter_mut().zip(cells.as_chunks::<R>().0) {
        *sum = cells.iter().sum();
    }
}

/// The positions of the cells of each stratum in a dense table.
///
/// In a sweep the strata are those of (Z, Y), the candidate is X, and `turned` is 1: the cells of a stratum
/// are adjacent. If X and Y are part of the strata and the candidate is the last member of Z, then `turned`
/// is the number of combinations of X and Y, which change faster than the candidate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places {
    levels: usize,
    turned: usize,
    /// The end of the current run of `turned` strata, and the distance from a stratum of the run to its first
    /// cell.
    end: usize,
    base: usize,
}

impl Places {
    pub(super) fn new(levels: usize, turned: usize) -> Places {
        Places { levels, turned, end: turned, base: 0 }
    }

    /// The cell of the candidate's first level in stratum `s`. The cells of its other levels follow, `turned`
    /// apart. The strata must be asked for in ascending order.
    #[inline]
    pub(super) fn first(&mut self, s: usize) -> usize {
        while s >= self.end {
            self.end += self.turned;
            self.base += self.turned * (self.levels - 1);
        }
        self.base + s
    }
}

/// The lists of a sparse table, for a kernel to fill.
pub(super) struct SparseParts<'a> {
    pub(super) xyz: &'a mut Vec<u32>,
    pub(super) xz: &'a mut Vec<u32>,
    pub(super) yz: &'a mut Vec<u32>,
    pub(super) z: &'a mut Vec<u32>,
    pub(super) listed: &'a mut Listed,
}
