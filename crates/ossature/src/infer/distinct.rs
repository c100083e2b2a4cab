//! The distinct rows of a table in which values may be missing.

use crate::data::{Dataset, Var};

/// The distinct rows of a table, sorted so that sums over them do not depend on their order in the table,
/// and how often each occurs.
#[derive(Debug, Clone)]
pub(super) struct DistinctRows {
    /// The number of levels of each variable.
    levels: Vec<usize>,
    /// The codes, column by column; the code of a missing value is the number of levels.
    columns: Vec<Vec<u16>>,
    times: Vec<f64>,
}

impl DistinctRows {
    /// The rows of a table of discrete variables.
    pub(super) fn new(data: &Dataset) -> DistinctRows {
        let row = |row: u32| data.vars().map(move |v| data.column(v).code(row as usize));
        let mut order: Vec<u32> = (0..data.rows() as u32).collect();
        order.sort_unstable_by(|&a, &b| row(a).cmp(row(b)));
        let groups: Vec<&[u32]> = order.chunk_by(|&a, &b| row(a).eq(row(b))).collect();
        let column =
            |v: Var| groups.iter().map(|group| data.column(v).code(group[0] as usize)).collect::<Vec<u16>>();
        DistinctRows {
            levels: data.vars().map(|v| data.cardinality(v)).collect(),
            columns: data.vars().map(column).collect(),
            times: groups.iter().map(|group| group.len() as f64).collect(),
        }
    }

    /// The number of distinct rows.
    pub(super) fn len(&self) -> usize {
        self.times.len()
    }

    /// How often a row occurs.
    pub(super) fn times(&self, row: usize) -> f64 {
        self.times[row]
    }

    /// The number of levels of a variable.
    pub(super) fn levels(&self, v: Var) -> usize {
        self.levels[v.index()]
    }

    /// The level of a variable in a row, if it is known.
    pub(super) fn level(&self, row: usize, v: Var) -> Option<usize> {
        let code = usize::from(self.columns[v.index()][row]);
        (code < self.levels[v.index()]).then_some(code)
    }

    /// The variables that are missing in a row.
    pub(super) fn missing(&self, row: usize) -> Vec<Var> {
        (0..self.levels.len()).map(Var::new).filter(|&v| self.level(row, v).is_none()).collect()
    }
}
