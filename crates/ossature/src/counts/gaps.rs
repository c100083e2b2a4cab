//! Missing values: each table counts the rows that are complete in its variables.
//!
//! To the kernels a missing value is one more level, the last of its variable, so they are as fast as without
//! missing values and need no second version. Before a table is shown, the cells of that level are removed.
//! The bitmaps leave out such rows while they split, and the sparse kernel does not list them at all.
//!
//! The margins of a target and a set then depend on the candidate, because the rows in which it is missing do
//! not count. So they are added up again for each candidate.

use smallvec::SmallVec;

use super::counter::Counter;
use super::table::Counts;
use crate::data::Var;

/// The number of levels of a variable, with and without the level of missing values.
#[derive(Debug, Clone, Copy)]
pub(super) struct GapLevels {
    pub(super) all: usize,
    pub(super) known: usize,
}

/// Removes the cells of missing values from a dense table of these variables, the last of which changes
/// fastest, and closes the gaps. Returns the number of cells left.
pub(super) fn leave_out(cells: &mut [u32], variables: &[GapLevels]) -> usize {
    let Some((fastest, others)) = variables.split_last() else { return cells.len() };
    if variables.iter().any(|v| v.known == 0) {
        return 0;
    }
    let mut digits: SmallVec<[usize; 8]> = SmallVec::from_elem(0, others.len());
    let (mut from, mut to) = (0, 0);
    loop {
        // `to` is never beyond `from`.
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

/// Removes from a dense table the rows in which X, Y or a member of Z is missing.
pub(super) fn leave_out_gaps(counter: &Counter<'_>, x: Var, y: Var, z: &[Var], counts: &mut Counts) {
    leave_out(counts.cells_mut(), &gap_levels(counter, z.iter().chain([&y, &x])));
    counts.shrink(known_shape(counter, Some(x), y, z));
}

/// The number of levels of each variable, with and without missing values.
pub(super) fn gap_levels<'v>(
    counter: &Counter<'_>,
    vars: impl Iterator<Item = &'v Var>,
) -> SmallVec<[GapLevels; 8]> {
    vars.map(|&v| GapLevels { all: counter.levels(v), known: counter.known_levels(v) }).collect()
}

/// The number of levels of X, of levels of Y, of configurations of Z, and of configurations of Z that share
/// the level of its first member, all without missing values. X counts as one level if it is `None`.
pub(super) fn known_shape(counter: &Counter<'_>, x: Option<Var>, y: Var, z: &[Var]) -> [usize; 4] {
    let block = known_configurations(counter, z.get(1..).unwrap_or_default());
    let r = x.map_or(1, |x| counter.known_levels(x));
    [r, counter.known_levels(y), known_configurations(counter, z), block]
}

/// The number of combinations of levels without missing values; `usize::MAX` if it does not fit.
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
