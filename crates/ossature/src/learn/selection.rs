//! Some of the rows of a table, chosen so that the order in which they come does not matter.

use crate::data::{Column, Dataset, Var};
use crate::error::Result;

/// The rows in the order of their labels, whatever the order of the levels.
pub(super) fn sorted_rows(data: &Dataset) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..data.rows() as u32).collect();
    let columns: Vec<(&Column, Vec<u16>)> = data.vars().map(|v| (data.column(v), ranks(data, v))).collect();
    rows.sort_by(|&a, &b| {
        let labels = |row: u32| columns.iter().map(move |(c, rank)| rank[usize::from(c.code(row as usize))]);
        labels(a).cmp(labels(b))
    });
    rows
}

/// The place of each level of a variable when they are sorted.
fn ranks(data: &Dataset, v: Var) -> Vec<u16> {
    let levels = data.variable(v).levels();
    let mut sorted: Vec<usize> = (0..levels.len()).collect();
    sorted.sort_by_key(|&level| &levels[level]);
    let mut ranks = vec![0; levels.len()];
    sorted.into_iter().enumerate().for_each(|(rank, level)| ranks[level] = rank as u16);
    ranks
}

/// The table of these rows, in this order, with the levels of the whole.
pub(super) fn select(data: &Dataset, rows: &[u32]) -> Result<Dataset> {
    let columns = data.vars().map(|v| {
        let column = match data.column(v) {
            Column::Narrow(codes) => Column::Narrow(rows.iter().map(|&row| codes[row as usize]).collect()),
            Column::Wide(codes) => Column::Wide(rows.iter().map(|&row| codes[row as usize]).collect()),
        };
        (data.variable(v).clone(), column)
    });
    Dataset::new(columns.collect())
}
