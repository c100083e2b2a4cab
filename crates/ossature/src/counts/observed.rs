//! A column as the kernels see it: only the levels that occur, numbered in their order.
//!
//! Declared levels that never occur would only add cells of 0 to the tables, and real data has many of them:
//! most variables of munin1 show two to five of their four to twenty levels in 5000 rows. Without them,
//! tables are smaller by orders of magnitude.

use std::sync::OnceLock;

use super::bits::BitColumn;
use super::simd::{Simd, count_levels, equal};
use crate::data::{Column, not_coded};

/// A column prepared for the kernels.
#[derive(Debug)]
pub(super) struct Observed {
    /// The codes, unless all levels of the column occur and it can be used as it is.
    recoded: Option<Column>,
    /// The number of rows of each level; never 0, unless all levels were to be kept.
    totals: Vec<u32>,
    /// The most frequent level.
    usual: usize,
    /// Whether the last level stands for missing values.
    has_gaps: bool,
    /// Made on first use.
    bits: OnceLock<BitColumn>,
    exceptions: OnceLock<Exceptions>,
}

/// The codes of a column, each below the number of levels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Coded<'a> {
    pub(super) codes: &'a Column,
    pub(super) levels: usize,
    /// Whether the last level stands for missing values.
    pub(super) has_gaps: bool,
}

/// The rows in which a variable does not have its usual level.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Exceptions {
    /// The most frequent level.
    pub(super) usual: usize,
    pub(super) rows: Vec<u16>,
    /// The level in each of these rows.
    pub(super) codes: Vec<u8>,
}

impl Observed {
    /// Copies the column only if one of its declared levels does not occur. Missing values, if there are any,
    /// become one more level.
    pub(super) fn new(simd: Simd, column: &Column, declared: usize, has_gaps: bool) -> Observed {
        Observed::counted(simd, column, declared, has_gaps, |totals| {
            let recoded = totals.contains(&0).then(|| recode(column, totals));
            totals.retain(|&n| n > 0);
            recoded
        })
    }

    /// Like [`new`](Observed::new), but keeps all declared levels, including those that do not occur.
    pub(super) fn with_all_levels(simd: Simd, column: &Column, declared: usize, has_gaps: bool) -> Observed {
        Observed::counted(simd, column, declared, has_gaps, |_| None)
    }

    fn counted(
        simd: Simd,
        column: &Column,
        declared: usize,
        has_gaps: bool,
        recode: impl FnOnce(&mut Vec<u32>) -> Option<Column>,
    ) -> Observed {
        let mut totals = totals(simd, column, declared + usize::from(has_gaps));
        let recoded = recode(&mut totals);
        let usual = (0..totals.len()).max_by_key(|&level| totals[level]).unwrap_or(0);
        Observed { recoded, totals, usual, has_gaps, bits: OnceLock::new(), exceptions: OnceLock::new() }
    }

    /// The number of levels.
    pub(super) fn levels(&self) -> usize {
        self.totals.len()
    }

    /// The codes; `column` is the column this was made from.
    pub(super) fn coded<'a>(&'a self, column: &'a Column) -> Coded<'a> {
        Coded {
            codes: self.recoded.as_ref().unwrap_or(column),
            levels: self.levels(),
            has_gaps: self.has_gaps,
        }
    }

    /// The rows of each level as bitmaps; `column` is the column this was made from.
    pub(super) fn bits(&self, simd: Simd, column: &Column) -> &BitColumn {
        self.bits.get_or_init(|| BitColumn::new(simd, self.coded(column).codes, &self.totals, self.has_gaps))
    }

    /// The number of rows, out of `rows`, in which the variable does not have its usual level; `None` if they
    /// are not few, row numbers do not fit in 16 bits, or levels do not fit in 8. With these limits the list
    /// of rows is smaller than the column.
    pub(super) fn exceptional(&self, rows: usize) -> Option<usize> {
        let exceptional = rows - self.totals[self.usual] as usize;
        (4 * exceptional <= rows && rows <= 1 << 16 && self.levels() <= 256).then_some(exceptional)
    }

    /// The list of those rows; `column` is the column this was made from.
    pub(super) fn exceptions(&self, column: &Column) -> Option<&Exceptions> {
        self.exceptional(column.len())?;
        let Column::Narrow(codes) = self.coded(column).codes else { return None };
        Some(self.exceptions.get_or_init(|| {
            let number = codes.len() - self.totals[self.usual] as usize;
            let (rows, levels) = (Vec::with_capacity(number), Vec::with_capacity(number));
            let mut few = Exceptions { usual: self.usual, rows, codes: levels };
            let bits = self.bits.get();
            for (i, some) in codes.chunks(64).enumerate() {
                let usual =
                    bits.map_or_else(|| equal(some, self.usual as u8), |bits| bits.word(self.usual, i));
                let mut unusual = !usual & (u64::MAX >> (64 - some.len()));
                while unusual != 0 {
                    let place = unusual.trailing_zeros() as usize;
                    few.rows.push((64 * i + place) as u16);
                    few.codes.push(some[place]);
                    unusual &= unusual - 1;
                }
            }
            few
        }))
    }
}

/// The column with its levels renumbered, without those whose total is 0.
fn recode(column: &Column, totals: &[u32]) -> Column {
    let mut number = vec![0u16; totals.len()];
    let occurring = (0..totals.len()).filter(|&level| totals[level] > 0);
    let levels = occurring.enumerate().map(|(new, level)| number[level] = new as u16).count();
    let new = |code: usize| number[code];
    match column {
        Column::Narrow(codes) => Column::from_codes(codes.iter().map(|&c| new(usize::from(c))), levels),
        Column::Wide(codes) => Column::from_codes(codes.iter().map(|&c| new(usize::from(c))), levels),
        Column::Real(_) => not_coded(),
    }
}

/// The number of rows of each level.
fn totals(simd: Simd, column: &Column, levels: usize) -> Vec<u32> {
    let mut totals = vec![0; levels];
    match column {
        Column::Narrow(codes) => return count_levels(simd, codes, levels),
        Column::Wide(codes) => codes.iter().for_each(|&code| totals[usize::from(code)] += 1),
        Column::Real(_) => not_coded(),
    }
    totals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_that_do_not_occur_are_left_out() {
        let column = Column::from_codes([7, 2, 2, 300, 7], 400);
        let observed = Observed::new(Simd::detect(), &column, 400, false);
        assert_eq!(observed.coded(&column).codes, &Column::Narrow(vec![1, 0, 0, 2, 1]));
        assert_eq!((observed.levels(), &observed.totals[..]), (3, &[2, 2, 1][..]));
        assert_eq!(observed.exceptions(&column), None);
    }

    #[test]
    fn a_column_that_has_all_its_levels_is_not_copied() {
        let column = Column::from_codes([1, 0, 2], 3);
        let observed = Observed::new(Simd::detect(), &column, 3, false);
        assert!(observed.recoded.is_none() && observed.levels() == 3);
    }

    #[test]
    fn few_exceptions_are_listed() {
        let column = Column::from_codes([2, 2, 0, 2, 2, 2, 2, 2], 3);
        let observed = Observed::new(Simd::detect(), &column, 3, false);
        let exceptions = Exceptions { usual: 1, rows: vec![2], codes: vec![0] };
        assert_eq!(observed.exceptions(&column), Some(&exceptions));
    }
}
