//! Rows in which a value is missing: each table is of the rows that are complete in its own variables.
//!
//! A missing value is one more level to the kernels, the last of its variable, so they count as fast as ever
//! and need no second form. Before a table is shown, the cells of that level are left out, and with them their
//! rows. The bitmaps leave such rows out while they split, and the sparse kernel does not list them at all.
//!
//! The margins of a target and a set depend on the candidate then, by the rows in which it is missing, so they
//! are added up for each.

use smallvec::SmallVec;

use super::counter::Counter;
use super::table::Counts;
use crate::data::Var;

/// The levels of a variable, and how many of them are not that of missing values.
#[derive(Debug, Clone, Copy)]
pub(super) struct GapLevels {
    pub(super) all: usize,
    pub(super) known: usize,
}

/// Leaves the cells of missing values out of a dense table of these variables, of which the last changes fastest;
/// the others move together. Returns how many are left.
pub(super) fn leave_out(cells: &mut [u32], variables: &[GapLevels]) -> usize {
    let Some((fastest, others)) = variables.split_last() else { return cells.len() };
    if variables.iter().any(|v| v.known == 0) {
        return 0;
    }
    let mut digits: SmallVec<[usize; 8]> = SmallVec::from_elem(0, others.len());
    let (mut from, mut to) = (0, 0);
    loop {
        // Never further on than where they are.
        for level in 0..fastest.known {
            cells[to + level] = cells[from + level];
        }
        to += fastest.known;
        let mut step = fastest.all;
        let mut next = others.len();
        loop {
            if next == 0 {
                return to;
            }
            next -= 1;
            digits[next] += 1;
            from += step;
            if digits[next] < others[next].known {
                break;
            }
            from -= step * digits[next];
            digits[next] = 0;
            step *= others[next].all;
        }
    }
}

/// Leaves the rows in which X, Y or a member of Z is missing out of a dense table.
pub(super) fn leave_out_gaps(counter: &Counter<'_>, x: Var, y: Var, z: &[Var], counts: &mut Counts) {
    leave_out(counts.cells_mut(), &gap_levels(counter, z.iter().chain([&y, &x])));
    counts.shrink(known_shape(counter, Some(x), y, z));
}

/// The levels of each variable, with and without missing values.
pub(super) fn gap_levels<'v>(
    counter: &Counter<'_>,
    vars: impl Iterator<Item = &'v Var>,
) -> SmallVec<[GapLevels; 8]> {
    vars.map(|&v| GapLevels { all: counter.levels(v), known: counter.known_levels(v) }).collect()
}

/// The levels of X and Y, the configurations of Z, and those that have the level of its first member in common:
/// all without missing values.
pub(super) fn known_shape(counter: &Counter<'_>, x: Option<Var>, y: Var, z: &[Var]) -> [usize; 4] {
    let block = known_configurations(counter, z.get(1..).unwrap_or_default());
    let r = x.map_or(1, |x| counter.known_levels(x));
    [r, counter.known_levels(y), known_configurations(counter, z), block]
}

/// The number of combinations of levels without missing values, or the largest number where it does not fit.
pub(super) fn known_configurations(counter: &Counter<'_>, vars: &[Var]) -> usize {
    vars.iter().map(|&v| counter.known_levels(v)).fold(1, usize::saturating_mul)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(cells: impl IntoIterator<Item = u32>, variables: &[(usize, usize)]) -> Vec<u32> {
        let variables: Vec<GapLevels> =
            variables.iter().map(|&(all, known)| GapLevels { all, known }).collect();
        let mut cells: Vec<u32> = cells.into_iter().collect();
        let left = leave_out(&mut cells, &variables);
        cells.truncate(left);
        cells
    }

    #[test]
    fn the_cells_of_missing_values_are_left_out_and_no_others() {
        assert_eq!(left(0..12, &[(3, 2), (2, 2), (2, 1)]), [0, 2, 4, 6]);
        assert_eq!(left(0..12, &[(2, 2), (3, 2), (2, 2)]), [0, 1, 2, 3, 6, 7, 8, 9]);
        assert_eq!(left(0..6, &[(3, 3), (2, 2)]), [0, 1, 2, 3, 4, 5]);
        assert_eq!(left(0..3, &[(3, 2)]), [0, 1]);
        assert!(left(0..6, &[(1, 0), (6, 6)]).is_empty());
    }
}
