//! Tables.
//!
//! A [`Dataset`] is a set of [`Variable`]s with one column each: codes of levels, or numbers. It is not empty,
//! and complete unless it was made to have gaps. Its variables are in the canonical order, by name bytewise, so that the order of
//! the columns in a file has no influence on anything that is learned from it.
//!
//! [`read`] makes one from a file, or from several that have the same columns. Each format cuts its file into lots of rows
//! (text with a lexer of its own, in parts of the text at once); a builder takes the rows and a coder per column turns fields into
//! codes as they come, columns at once. What is said about missing values, intervals and levels in [`ReadOptions`] holds for
//! all formats, and nothing depends on the number of threads or on where a lot ends.
//! [`Table::from_columns`] makes one from columns that are in memory already.

#[cfg(feature = "arrow")]
mod arrow;
mod blocks;
mod builder;
#[cfg(feature = "arrow")]
mod cells;
mod coded;
mod coder;
mod csv;
mod dataset;
mod delete;
mod discretise;
mod hartemink;
mod intake;
#[cfg(feature = "arrow")]
mod ipc;
mod joined;
mod joint;
mod levels;
mod lexer;
mod mdl;
mod numbers;
mod options;
#[cfg(feature = "arrow")]
mod parquet;
#[cfg(feature = "arrow")]
mod quiet;
mod read;
mod record;
mod variable;
mod varset;
mod weights;
mod write;

pub use coded::{CodedColumn, ColumnCuts};
pub use csv::read_csv;
pub(crate) use dataset::not_coded;
pub use dataset::{Column, Dataset, TableKind};
pub(crate) use discretise::interval_labels;
pub use discretise::{Discretise, Method};
pub use levels::read_levels_json;
pub use options::{Continuous, MissingPolicy, ReadOptions};
pub use read::{ReadReport, Table, read, read_files, table_files};
pub use variable::{MAX_LEVELS, Var, Variable, VariableKind};
pub use varset::VarSet;

use coder::MAX_NUMBERS;
pub(crate) use write::quote;
