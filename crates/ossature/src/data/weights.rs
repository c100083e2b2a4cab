//! Weighted rows: a table with a column of counts, as `GROUP BY` produces it.

use std::borrow::Cow;

use super::{Column, Dataset, TableKind, Variable};
use crate::error::{Error, Result};
use crate::text::thousands;

/// The largest number of values that are written out.
const MOST_WRITTEN_OUT: u64 = 1 << 32;

impl Dataset {
    /// The number of rows that each row stands for; `None` if each stands for itself.
    pub fn weights(&self) -> Option<&[u32]> {
        self.weights.as_deref()
    }

    /// The number of rows that the table stands for.
    pub fn total(&self) -> usize {
        self.weights().map_or(self.rows(), |weights| weights.iter().map(|&w| w as usize).sum())
    }

    /// The table with weighted rows. Everything learned from it is the same as from the rows written out. Rows
    /// with weight 0 are left out.
    ///
    /// If there are continuous columns or missing values to be completed, the rows are actually written out.
    ///
    /// ```
    /// use ossature::{Column, Dataset, Variable};
    ///
    /// let rain = (Variable::new("rain", ["no", "yes"])?, Column::from_codes([0, 1], 2));
    /// let data = Dataset::new(vec![rain])?.with_weights(vec![70, 30])?;
    /// assert_eq!((data.rows(), data.total()), (2, 100));
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn with_weights(self, weights: Vec<u32>) -> Result<Dataset> {
        if weights.len() != self.rows() {
            return Err(Error::Mismatch {
                what: format!("there are {} weights for {} rows", weights.len(), self.rows()),
                accepted: "a weight for each row is needed".into(),
            });
        }
        let total: u64 = weights.iter().map(|&w| u64::from(w)).sum();
        if total == 0 {
            return Err(Error::Mismatch {
                what: "all weights are 0".into(),
                accepted: "at least one weight must be positive".into(),
            });
        }
        if total > u64::from(u32::MAX) {
            return Err(Error::Mismatch {
                what: format!("the weights add up to {} rows", thousands(total)),
                accepted: format!("at most {} are accepted", thousands(u32::MAX)),
            });
        }
        let used: Vec<u32> = (0..).zip(&weights).filter(|&(_, &w)| w > 0).map(|(row, _)| row).collect();
        let mut data = match used.len() == weights.len() {
            true => self,
            false => self.select(&used)?,
        };
        let weights: Vec<u32> = weights.into_iter().filter(|&w| w > 0).collect();
        data.weights = weights.iter().any(|&w| w > 1).then_some(weights);
        match data.kind() == TableKind::Discrete && !data.is_for_em() {
            true => Ok(data),
            false => Ok(data.written_out()?.into_owned()),
        }
    }

    /// The same with the weights in a column of numbers, which is then no longer a variable.
    pub fn weighted_by(mut self, name: &str) -> Result<Dataset> {
        let v = self.require(name)?;
        let column = self.columns.remove(v.index());
        self.variables.remove(v.index());
        self.gaps.remove(v.index());
        let refuse = |row: usize, found: String| Error::Mismatch {
            what: format!("the weight in row {} of column {name:?} is {found}", row + 1),
            accepted: format!("whole numbers from 0 to {} are accepted", thousands(u32::MAX)),
        };
        let Column::Real(numbers) = column else {
            return Err(Error::Mismatch {
                what: format!("column {name:?} has labels, and is to be the weights column"),
                accepted: format!("whole numbers from 0 to {} are accepted", thousands(u32::MAX)),
            });
        };
        if self.variables.is_empty() {
            return Err(Error::Mismatch {
                what: format!("{name:?}, the weights column, is the only column"),
                accepted: "at least one column more is needed".into(),
            });
        }
        let weight = |(row, &x): (usize, &f64)| match x {
            x if x.is_nan() => Err(refuse(row, "missing".into())),
            x if x.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&x) => Ok(x as u32),
            x => Err(refuse(row, x.to_string())),
        };
        let weights = numbers.iter().enumerate().map(weight).collect::<Result<Vec<u32>>>()?;
        let policy = self.policy();
        self.with_policy(policy).with_weights(weights)
    }

    /// The table with each row repeated according to its weight.
    pub fn written_out(&self) -> Result<Cow<'_, Dataset>> {
        let Some(weights) = self.weights() else { return Ok(Cow::Borrowed(self)) };
        let values = (self.total() as u64).saturating_mul(self.variables.len() as u64);
        if values > MOST_WRITTEN_OUT {
            let what = "the number of values in the rows that the weights stand for, written out".into();
            return Err(Error::TooLarge { what, size: u128::from(values), limit: MOST_WRITTEN_OUT });
        }
        let rows = (0..).zip(weights).flat_map(|(row, &w)| std::iter::repeat_n(row, w as usize));
        Ok(Cow::Owned(self.select(&rows.collect::<Vec<u32>>())?))
    }

    /// The outline of a table whose rows are on other machines: its variables, the number of rows, and the number of
    /// missing values of each variable. It has a single row without information, which stands for all of them.
    pub(crate) fn outline(variables: Vec<Variable>, total: u32, gaps: Vec<usize>) -> Result<Dataset> {
        let column = |variable: Variable| {
            let column = match variable.is_continuous() {
                true => Column::Real(vec![0.0]),
                false => Column::from_codes([0], variable.cardinality()),
            };
            (variable, column)
        };
        let mut data = Dataset::new(variables.into_iter().map(column).collect())?;
        (data.gaps, data.weights) = (gaps, Some(vec![total]));
        Ok(data)
    }

    /// Some of the rows, each with weight 1.
    pub(crate) fn select(&self, rows: &[u32]) -> Result<Dataset> {
        let columns = self.vars().map(|v| (self.variable(v).clone(), self.column(v).select(rows)));
        Ok(Dataset::with_gaps(columns.collect())?.with_policy(self.policy()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{MissingPolicy, Var};

    fn table(weights: Vec<f64>) -> Dataset {
        let codes = (0..weights.len()).map(|row| row as u16 % 2);
        Dataset::with_gaps(vec![
            (Variable::new("a", ["0", "1"]).unwrap(), Column::from_codes(codes, 2)),
            (Variable::continuous("n"), Column::Real(weights)),
        ])
        .unwrap()
    }

    #[test]
    fn rows_of_weight_zero_are_left_out_and_ones_need_no_weights() {
        let data = table(vec![2.0, 0.0, 3.0]).weighted_by("n").unwrap();
        assert_eq!((data.weights(), data.rows(), data.total()), (Some(&[2, 3][..]), 2, 5));
        assert_eq!(data.written_out().unwrap().column(Var(0)), &Column::Narrow(vec![0; 5]));
        assert_eq!(table(vec![1.0, 1.0]).weighted_by("n").unwrap().weights(), None);
    }

    #[test]
    fn what_is_no_weight_is_refused_with_its_row() {
        let refused = |weights| table(weights).weighted_by("n").unwrap_err().to_string();
        for (bad, said) in
            [(-1.0, "is -1;"), (0.5, "is 0.5;"), (f64::NAN, "is missing;"), (4294967296.0, "is 4294967296;")]
        {
            let found = refused(vec![1.0, bad]);
            assert!(found.starts_with(&format!("the weight in row 2 of column \"n\" {said}")), "{found}");
        }
        assert!(refused(vec![0.0, 0.0]).starts_with("all weights are 0"));
        assert!(refused(vec![4294967295.0, 1.0]).contains("4,294,967,296"));
        assert!(table(vec![1.0]).weighted_by("a").is_err() && table(vec![1.0]).weighted_by("b").is_err());
    }

    #[test]
    fn numbers_and_completions_have_their_rows_written_out() {
        let data = Dataset::with_gaps(vec![
            (Variable::continuous("x"), Column::Real(vec![0.5, 1.5])),
            (Variable::continuous("n"), Column::Real(vec![2.0, 1.0])),
        ]);
        let data = data.unwrap().weighted_by("n").unwrap();
        assert_eq!((data.weights(), data.column(Var(0))), (None, &Column::Real(vec![0.5, 0.5, 1.5])));
        let gapped = Column::with_gaps([Some(0), None], 2);
        let data = Dataset::with_gaps(vec![(Variable::new("a", ["0", "1"]).unwrap(), gapped)]).unwrap();
        let data = data.with_policy(MissingPolicy::Em).with_weights(vec![3, 2]).unwrap();
        assert_eq!((data.weights(), data.rows(), data.gaps(Var(0)), data.is_for_em()), (None, 5, 2, true));
    }
}
