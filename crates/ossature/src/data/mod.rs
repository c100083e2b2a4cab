//! Tables of discrete data.
//!
//! A [`Dataset`] is a set of [`Variable`]s with one coded column each, complete and not empty by
//! construction. Its variables are in the canonical order, by name bytewise, so that the order of
//! the columns in a file has no influence on anything that is learned from it.

mod dataset;
mod variable;
mod varset;

pub use dataset::{Column, Dataset};
pub use variable::{MAX_LEVELS, Var, Variable};
pub use varset::VarSet;
