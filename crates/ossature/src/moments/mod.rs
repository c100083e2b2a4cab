//! Moments: variances and correlations of numeric columns, the counterpart of `counts` for columns of
//! levels.
//!
//! [`Moments`] is a prepared table: every continuous variable is one column of numbers, every discrete one
//! has an indicator column for each of its levels that occur except the last in sorted order. The columns
//! are converted to 48-bit integers, and their products are added exactly, so a correlation is the same to
//! the last bit for any order of the rows, any number of threads and any vector instructions. Everything
//! derived from correlations is computed in the canonical order of the variables.
//!
//! `GivenColumns` conditions on a set of columns: it holds the factor of their correlations, which reduces
//! any other column to the part they do not explain. A whole sweep shares one factor. Columns that the
//! others determine add nothing and are skipped, so a singular matrix needs no special treatment.

mod blocks;
mod given;
mod partition;
mod whole;

pub use blocks::{Correlations, Moments};
pub(crate) use given::{DEPENDENT, GivenColumns, dot, ln_determinant};
pub(crate) use partition::Partition;
