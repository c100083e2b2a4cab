//! Rows in which a value is missing: each table is of the rows that are complete in its own variables.
//!
//! A missing value is one more level to the kernels, the last of its variable, so they count as fast as ever
//! and need no second form. Before a table is shown, the cells of that level are made 0, which is the same as
//! if its rows were not there: no statistic sees a cell of 0. The bitmaps leave such rows out while they split,
//! and the sparse kernel does not list them at all.
//!
//! The margins of a target and a set depend on the candidate then, by the rows in which it is missing, so they
//! are added up for each.

/// Makes the cells of missing values 0 in a dense table whose variables have so many levels, that of the
/// missing value included and last where there is one. The last variable changes fastest.
pub(super) fn clear(cells: &mut [u32], variables: impl Iterator<Item = (usize, bool)>) {
    let mut block = cells.len();
    for (levels, has_gaps) in variables {
        let step = block / levels;
        if has_gaps && block > 0 {
            cells.chunks_exact_mut(block).for_each(|cells| cells[block - step..].fill(0));
        }
        block = step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cells_of_missing_values_are_cleared_and_no_others() {
        let mut cells = [1; 12];
        clear(&mut cells, [(3, true), (2, false), (2, true)].into_iter());
        assert_eq!(cells, [1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0]);
        let mut cells = [1; 6];
        clear(&mut cells, [(3, false), (2, false)].into_iter());
        assert_eq!(cells, [1; 6]);
        clear(&mut cells, [(1, true), (6, false)].into_iter());
        assert_eq!(cells, [0; 6]);
    }
}
