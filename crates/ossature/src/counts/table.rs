//! The table of counts that every kernel fills.

use std::cell::Cell;

/// How often each combination of X, Y and a configuration of Z occurs, with the margins.
///
/// Z empty is one configuration. The table may list combinations that do not occur, with count 0,
/// or leave them out: a statistic must not care, and every statistic we have does not, because a
/// count of 0 contributes nothing that depends on where it stands.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    r: usize,
    c: usize,
    xyz: Vec<u32>,
    xz: Vec<u32>,
    yz: Vec<u32>,
    z: Vec<u32>,
    /// For a sparse table, where each listed cell and margin belongs.
    listed: Option<Listed>,
    /// What was computed from the margins of T and Z for the candidates so far.
    shared: Cell<Option<i64>>,
}

/// Where the entries of a sparse table belong.
#[derive(Debug, Clone, Default)]
pub(super) struct Listed {
    /// For each cell the entry of `xz` and the entry of `yz` that it is part of.
    pub(super) margins: Vec<[u32; 2]>,
    /// For each configuration of Z the ends of its cells, of its `xz` and of its `yz`.
    pub(super) ends: Vec<[u32; 3]>,
}

/// One configuration of Z: its rows, and how they divide by X and by Y.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slice<'a> {
    /// n_++k, the number of rows.
    pub rows: u32,
    /// n_i+k for the levels of X; levels that do not occur may be left out.
    pub x: &'a [u32],
    /// n_+jk for the levels of Y; levels that do not occur may be left out.
    pub y: &'a [u32],
}

impl Counts {
    /// n_ijk, zeros included or not.
    pub fn xyz(&self) -> &[u32] {
        &self.xyz
    }

    /// n_i+k, zeros included or not.
    pub fn xz(&self) -> &[u32] {
        &self.xz
    }

    /// n_+jk, zeros included or not.
    pub fn yz(&self) -> &[u32] {
        &self.yz
    }

    /// n_++k, zeros included or not.
    pub fn z(&self) -> &[u32] {
        &self.z
    }

    /// The number of rows counted.
    pub fn rows(&self) -> u64 {
        self.z.iter().map(|&n| u64::from(n)).sum()
    }

    /// The declared levels of X and of Y.
    pub fn levels(&self) -> (usize, usize) {
        (self.r, self.c)
    }

    /// The configurations of Z that are listed, some of which may have no rows.
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

    /// The adjusted degrees of freedom: the sum over k of (R_k - 1)(C_k - 1), where R_k and C_k are
    /// the numbers of levels that occur in configuration k.
    pub fn adjusted_df(&self) -> u64 {
        let occurring = |margin: &[u32]| margin.iter().filter(|&&n| n > 0).count().saturating_sub(1) as u64;
        self.slices().map(|s| occurring(s.x) * occurring(s.y)).sum()
    }

    /// A quantity of `yz` and `z` alone, computed for the first candidate of a sweep and kept for the
    /// others. One statistic uses it for one quantity.
    pub(crate) fn once_for_all_candidates(&self, compute: impl FnOnce() -> i64) -> i64 {
        let value = self.shared.get().unwrap_or_else(compute);
        self.shared.set(Some(value));
        value
    }

    /// Where the cells, the `xz` and the `yz` of configuration `k` are.
    fn spans(&self, k: usize) -> [std::ops::Range<usize>; 3] {
        match &self.listed {
            Some(Listed { ends, .. }) => {
                let start = if k == 0 { [0; 3] } else { ends[k - 1] };
                std::array::from_fn(|i| start[i] as usize..ends[k][i] as usize)
            }
            None => [self.r * self.c, self.r, self.c].map(|width| k * width..(k + 1) * width),
        }
    }

    /// Makes this a dense table for a target of `c` levels and so many configurations of Z.
    pub(super) fn set_strata(&mut self, c: usize, configurations: usize) {
        self.c = c;
        self.listed = None;
        self.shared.set(None);
        self.yz.clear();
        self.yz.resize(c * configurations, 0);
        self.z.clear();
        self.z.resize(configurations, 0);
    }

    /// Makes room for a candidate of `r` levels; [`cells_mut`](Self::cells_mut) is to be filled.
    pub(super) fn set_candidate(&mut self, r: usize) {
        self.r = r;
        self.xyz.resize(r * self.yz.len(), 0);
        self.xz.resize(r * self.z.len(), 0);
    }

    /// n_ijk of a dense table, with X changing fastest, then Y.
    pub(super) fn cells_mut(&mut self) -> &mut [u32] {
        &mut self.xyz
    }

    /// Adds up the margins of Y and Z, which are the same for every candidate, once the cells of the
    /// first one are filled.
    pub(super) fn add_up_strata(&mut self) {
        let rows = self.xyz.chunks_exact(self.r);
        self.yz.iter_mut().zip(rows).for_each(|(sum, cells)| *sum = cells.iter().sum());
        self.fill_strata(|_| ());
    }

    /// Lets n_+jk be filled, and adds up n_++k.
    pub(super) fn fill_strata(&mut self, fill: impl FnOnce(&mut [u32])) {
        fill(&mut self.yz);
        for (sum, slice) in self.z.iter_mut().zip(self.yz.chunks_exact(self.c)) {
            *sum = slice.iter().sum();
        }
    }

    /// Adds up n_i+k once the cells of a dense table are filled.
    pub(super) fn add_up(&mut self) {
        let (r, c) = (self.r, self.c);
        for (slice, margins) in self.xyz.chunks_exact(r * c).zip(self.xz.chunks_exact_mut(r)) {
            margins.copy_from_slice(&slice[..r]);
            for row in slice[r..].chunks_exact(r) {
                margins.iter_mut().zip(row).for_each(|(m, n)| *m += n);
            }
        }
    }

    /// Makes this a sparse table from its parts.
    pub(super) fn set_listed(&mut self, r: usize, c: usize, fill: impl FnOnce(&mut SparseParts<'_>)) {
        (self.r, self.c) = (r, c);
        self.shared.set(None);
        let listed = self.listed.get_or_insert_default();
        listed.margins.clear();
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

/// The lists of a sparse table while a kernel fills them.
pub(super) struct SparseParts<'a> {
    pub(super) xyz: &'a mut Vec<u32>,
    pub(super) xz: &'a mut Vec<u32>,
    pub(super) yz: &'a mut Vec<u32>,
    pub(super) z: &'a mut Vec<u32>,
    pub(super) listed: &'a mut Listed,
}
