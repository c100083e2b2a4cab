//! Observed configurations: only combinations that occur are stored.
//!
//! The rows are partitioned by one variable of Z after another, keeping only groups that have rows. So time
//! and memory depend on the number of rows, not on the number of possible configurations.

use rustc_hash::FxHashMap;

use super::observed::Coded;
use super::table::Counts;
use super::weights::WeightedRows;

const NONE: u32 = u32::MAX;

/// The rows grouped by the configurations of Z that occur, and the levels of T within each group.
#[derive(Debug, Default)]
pub(super) struct SparseStrata {
    /// The rows, one group after another.
    rows: Vec<u32>,
    /// For each place in `rows`, the entry of `yz` it belongs to.
    y_at: Vec<u32>,
    /// For each group, the ends of its rows and of its entries of `yz`.
    ends: Vec<[u32; 2]>,
    yz: Vec<u32>,
    z: Vec<u32>,
    /// For each entry of `yz` the level of T, and for each group the level of the first member of Z.
    y_level: Vec<u16>,
    first_level: Vec<u16>,
    /// For each member of Z and each group by the members up to it, the group by the members before it.
    inside: Vec<Vec<u32>>,
    scratch: SparseScratch,
}

#[derive(Debug, Default)]
struct SparseScratch {
    groups: Vec<u32>,
    /// For each level of a variable, its entry in the margins of the current group, or `NONE`.
    entry_of_level: Vec<u32>,
    touched: Vec<u16>,
    cells: Vec<u32>,
    pairs: Vec<(u64, u32)>,
    x_at: Vec<u32>,
}

impl SparseStrata {
    /// Groups the rows by Z and finds the levels of T in each group. Rows in which one of these variables or
    /// one of the others given is missing are left out.
    pub(super) fn fill<'a>(
        &mut self,
        all: WeightedRows<'_>,
        t: Coded<'_>,
        z: impl Iterator<Item = Coded<'a>> + Clone,
        others: &[Coded<'_>],
    ) {
        let first = z.clone().next();
        let groups = &mut self.scratch.groups;
        groups.clear();
        groups.resize(all.rows, 0);
        z.clone().for_each(|column| leave_out(groups, column));
        others.iter().chain([&t]).for_each(|&column| leave_out(groups, column));
        let n = groups.iter().filter(|&&g| g != NONE).count();
        let mut number = n.min(1);
        self.inside.clear();
        for column in z {
            // Once every row is a separate group, nothing can be split further.
            self.inside.push(match number < n {
                true => refine(groups, number, column),
                false => (0..number as u32).collect(),
            });
            number = self.inside.last().map_or(number, Vec::len);
        }
        // A counting sort of the rows by group.
        self.ends.clear();
        self.ends.resize(number, [0; 2]);
        let grouped = || (0..).zip(groups.iter()).filter(|&(_, &g)| g != NONE);
        grouped().for_each(|(_, &g)| self.ends[g as usize][0] += 1);
        let mut start = 0;
        for end in &mut self.ends {
            let size = end[0];
            end[0] = start;
            start += size;
        }
        self.rows.clear();
        self.rows.resize(n, 0);
        for (row, &g) in grouped() {
            let place = &mut self.ends[g as usize][0];
            self.rows[*place as usize] = row;
            *place += 1;
        }
        self.z.clear();
        self.yz.clear();
        self.y_at.clear();
        self.y_level.clear();
        self.first_level.clear();
        let mut levels = Levels::new(&mut self.scratch, t.levels);
        let mut start = 0;
        for end in &mut self.ends {
            let rows = &self.rows[start..end[0] as usize];
            self.z.push(rows.iter().map(|&row| all.weight(row)).sum());
            for &row in rows {
                self.y_at.push(levels.entry(t.codes.code(row as usize), all.weight(row), &mut self.yz));
            }
            self.y_level.extend_from_slice(levels.touched);
            levels.forget();
            self.first_level.push(first.map_or(0, |first| first.codes.code(rows[0] as usize)));
            start = end[0] as usize;
            end[1] = self.yz.len() as u32;
        }
    }

    /// The counts of (T, Z) and of Z.
    pub(super) fn margins(&self) -> (&[u32], &[u32]) {
        (&self.yz, &self.z)
    }

    /// Fills `counts` for the candidate `x`.
    pub(super) fn count(
        &mut self,
        all: WeightedRows<'_>,
        x: Coded<'_>,
        declared: (usize, usize),
        counts: &mut Counts,
    ) {
        let (rows, y_at, groups, scratch) = (&self.rows, &self.y_at, &self.ends, &mut self.scratch);
        counts.set_listed(declared, |parts| {
            parts.yz.clone_from(&self.yz);
            parts.z.clone_from(&self.z);
            parts.listed.y_level.clone_from(&self.y_level);
            parts.listed.first_level.clone_from(&self.first_level);
            parts.listed.inside.clone_from(&self.inside);
            let mut start = [0, 0];
            for &end in groups {
                let span = start[0] as usize..end[0] as usize;
                if span.len() == 1 {
                    // The most common kind of group if there are many.
                    parts.listed.margins.push([parts.xz.len() as u32, start[1]]);
                    let weight = all.weight(rows[span.start]);
                    parts.xz.push(weight);
                    parts.listed.x_level.push(x.codes.code(rows[span.start] as usize));
                    parts.xyz.push(weight);
                    parts.listed.ends.push([parts.xyz.len() as u32, parts.xz.len() as u32, end[1]]);
                    start = end;
                    continue;
                }
                let x_start = parts.xz.len() as u32;
                let mut x_at = std::mem::take(&mut scratch.x_at);
                x_at.clear();
                let mut levels = Levels::new(scratch, x.levels);
                x_at.extend(
                    rows[span.clone()]
                        .iter()
                        .map(|&row| levels.entry(x.codes.code(row as usize), all.weight(row), parts.xz)),
                );
                parts.listed.x_level.extend_from_slice(levels.touched);
                levels.forget();
                let size = [parts.xz.len() as u32 - x_start, end[1] - start[1]];
                let origin = [x_start, start[1]];
                let weights = rows[span.clone()].iter().map(|&row| all.weight(row));
                let places = x_at.iter().zip(&y_at[span]).zip(weights).map(|((&x, &y), w)| (x, y, w));
                pair_up(places, origin, size, scratch, parts.xyz, &mut parts.listed.margins);
                scratch.x_at = x_at;
                parts.listed.ends.push([parts.xyz.len() as u32, parts.xz.len() as u32, end[1]]);
                start = end;
            }
        });
    }
}

/// Counts the pairs (entry of X, entry of Y) of one group; the third number is the weight of the row.
fn pair_up(
    rows: impl ExactSizeIterator<Item = (u32, u32, u32)>,
    origin: [u32; 2],
    size: [u32; 2],
    scratch: &mut SparseScratch,
    xyz: &mut Vec<u32>,
    margins: &mut Vec<[u32; 2]>,
) {
    let places = size[0] as usize * size[1] as usize;
    if places <= 4 * rows.len() + 64 {
        let cells = &mut scratch.cells;
        cells.clear();
        cells.resize(places, 0);
        for (x, y, weight) in rows {
            cells[((y - origin[1]) * size[0] + x - origin[0]) as usize] += weight;
        }
        for (y, row) in (origin[1]..).zip(cells.chunks_exact(size[0] as usize)) {
            for (x, &n) in (origin[0]..).zip(row).filter(|&(_, &n)| n > 0) {
                xyz.push(n);
                margins.push([x, y]);
            }
        }
    } else {
        let pairs = &mut scratch.pairs;
        pairs.clear();
        pairs.extend(rows.map(|(x, y, weight)| (u64::from(y) << 32 | u64::from(x), weight)));
        pairs.sort_unstable();
        for equal in pairs.chunk_by(|a, b| a.0 == b.0) {
            xyz.push(equal.iter().map(|&(_, weight)| weight).sum());
            margins.push([equal[0].0 as u32, (equal[0].0 >> 32) as u32]);
        }
    }
}

/// Numbers the levels that occur in one group in order of appearance.
struct Levels<'a> {
    entry: &'a mut Vec<u32>,
    touched: &'a mut Vec<u16>,
}

impl Levels<'_> {
    fn new(scratch: &mut SparseScratch, levels: usize) -> Levels<'_> {
        if scratch.entry_of_level.len() < levels {
            scratch.entry_of_level.resize(levels, NONE);
        }
        Levels { entry: &mut scratch.entry_of_level, touched: &mut scratch.touched }
    }

    /// Adds the weight to the entry of this level in the margins, and returns the entry.
    fn entry(&mut self, level: u16, weight: u32, margins: &mut Vec<u32>) -> u32 {
        let entry = &mut self.entry[usize::from(level)];
        if *entry == NONE {
            *entry = margins.len() as u32;
            margins.push(0);
            self.touched.push(level);
        }
        margins[*entry as usize] += weight;
        *entry
    }

    /// Prepares for the next group.
    fn forget(&mut self) {
        self.touched.drain(..).for_each(|level| self.entry[usize::from(level)] = NONE);
    }
}

/// Removes from all groups the rows in which a variable is missing.
fn leave_out(groups: &mut [u32], column: Coded<'_>) {
    if column.has_gaps {
        let gap = column.levels - 1;
        let missing = |row: usize| usize::from(column.codes.code(row)) == gap;
        groups.iter_mut().enumerate().filter(|(row, _)| missing(*row)).for_each(|(_, group)| *group = NONE);
    }
}

/// Splits groups of rows by the levels of one more variable. Returns for each of the new groups, all of which have rows,
/// the one that it was part of.
fn refine(groups: &mut [u32], number: usize, column: Coded<'_>) -> Vec<u32> {
    let Coded { codes, levels, .. } = column;
    let mut inside = Vec::new();
    let mut new = |entry: &mut u32, group: u32| {
        if *entry == NONE {
            *entry = inside.len() as u32;
            inside.push(group);
        }
        *entry
    };
    if number.saturating_mul(levels) <= 4 * groups.len() + 1024 {
        let mut renumbered = vec![NONE; number * levels];
        for (row, group) in groups.iter_mut().enumerate().filter(|(_, group)| **group != NONE) {
            let place = *group as usize * levels + usize::from(codes.code(row));
            *group = new(&mut renumbered[place], *group);
        }
    } else {
        let mut renumbered: FxHashMap<u64, u32> = FxHashMap::default();
        for (row, group) in groups.iter_mut().enumerate().filter(|(_, group)| **group != NONE) {
            let key = u64::from(*group) << 16 | u64::from(codes.code(row));
            *group = new(renumbered.entry(key).or_insert(NONE), *group);
        }
    }
    inside
}
