//! Moments: variances and correlations of columns of numbers, what `counts` is for columns of levels.
//!
//! [`Moments`] is a table made ready: every continuous variable is one column of numbers, every discrete
//! one becomes an indicator column for each of its levels that occur but the last in sorted order. The
//! columns are turned into whole numbers of 48 bits, and products of whole numbers are added exactly, so a
//! correlation is the same to the last bit for any order of the rows, any number of threads and any
//! vector instructions. What follows from correlations is computed in the canonical order of the
//! variables.
//!
//! `GivenColumns` takes a set of columns as given: it holds the factor of their correlations, with which any
//! other column is reduced to what they do not explain. One factor serves a whole sweep. Columns that the
//! others determine add nothing and are passed over, so a singular matrix has an answer like any other.

mod blocks;
mod given;
mod partition;
mod whole;

pub use blocks::{Correlations, Moments};
pub(crate) use given::{DEPENDENT, GivenColumns, dot, ln_determinant};
pub(crate) use partition::Partition;
