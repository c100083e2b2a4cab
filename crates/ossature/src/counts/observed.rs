//! A column as the kernels see it: only the levels that occur, numbered in their order.
//!
//! Declared levels that never occur contribute nothing to any table but places that stay 0, and real
//! data has many of them: most variables of munin1 show two to five of their four to twenty levels in
//! 5000 rows. Without them tables are smaller by orders of magnitude.

use std::sync::OnceLock;

use super::bits::BitColumn;
use crate::data::Column;

/// What the kernels know of a column.
#[derive(Debug)]
pub(super) struct Observed {
    /// The codes, unless the column has all its levels and can be used as it is.
    recoded: Option<Column>,
    /// How often each level occurs; never 0.
    totals: Vec<u32>,
    /// Made when it is first asked for.
    bits: OnceLock<BitColumn>,
}

/// The codes of a column, each below the number of levels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Coded<'a> {
    pub(super) codes: &'a Column,
    pub(super) levels: usize,
}

impl Observed {
    /// The column is copied only if one of its declared levels does not occur.
    pub(super) fn new(column: &Column, declared: usize) -> Observed {
        let mut totals = vec![0; declared];
        match column {
            Column::Narrow(codes) => codes.iter().for_each(|&c| totals[usize::from(c)] += 1),
            Column::Wide(codes) => codes.iter().for_each(|&c| totals[usize::from(c)] += 1),
        }
        if totals.iter().all(|&n| n > 0) {
            return Observed { recoded: None, totals, bits: OnceLock::new() };
        }
        let mut next = 0u16;
        let number: Vec<u16> = totals
            .iter()
            .map(|&n| {
                let number = next;
                next += u16::from(n > 0);
                number
            })
            .collect();
        totals.retain(|&n| n > 0);
        let recoded = match column {
            Column::Narrow(codes) => {
                Column::from_codes(codes.iter().map(|&c| number[usize::from(c)]), totals.len())
            }
            Column::Wide(codes) => {
                Column::from_codes(codes.iter().map(|&c| number[usize::from(c)]), totals.len())
            }
        };
        Observed { recoded: Some(recoded), totals, bits: OnceLock::new() }
    }

    /// The codes; `column` is what this was made from.
    pub(super) fn coded<'a>(&'a self, column: &'a Column) -> Coded<'a> {
        Coded { codes: self.recoded.as_ref().unwrap_or(column), levels: self.levels() }
    }

    /// How many levels occur.
    pub(super) fn levels(&self) -> usize {
        self.totals.len()
    }

    /// The rows of each level as bitmaps; `column` is what this was made from.
    pub(super) fn bits(&self, column: &Column) -> &BitColumn {
        self.bits.get_or_init(|| BitColumn::new(self.coded(column).codes, &self.totals))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_that_do_not_occur_are_left_out() {
        let column = Column::from_codes([7, 2, 2, 300, 7], 400);
        let observed = Observed::new(&column, 400);
        assert_eq!(observed.coded(&column).codes, &Column::Narrow(vec![1, 0, 0, 2, 1]));
        assert_eq!((observed.levels(), &observed.totals[..]), (3, &[2, 2, 1][..]));
    }

    #[test]
    fn a_column_that_has_all_its_levels_is_not_copied() {
        let column = Column::from_codes([1, 0, 2], 3);
        let observed = Observed::new(&column, 3);
        assert!(observed.recoded.is_none() && observed.levels() == 3);
    }
}
