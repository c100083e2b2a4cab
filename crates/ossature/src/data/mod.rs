//! Tables.
//!
//! A [`Dataset`] is a set of [`Variable`]s with one column each: codes of levels, or numbers. It is not empty, and is
//! complete unless it was created with gaps. Its variables are in the canonical order, bytewise by name, so that the
//! order of the columns in a file does not affect anything learned from it.
//!
//! [`read`] makes one from a file, or from several files with the same columns. Each format splits its file into chunks
//! of rows (text with our own lexer, in parallel parts); a builder takes the rows, and one coder per column turns
//! fields into codes, with columns in parallel. [`ReadOptions`] for missing values, intervals and levels apply to all
//! formats, and nothing depends on the number of threads or on where a chunk ends. [`Table::from_columns`] makes one
//! from columns that are already in memory.

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
#[cfg(feature = "arrow")]
mod typed;
#[cfg(feature = "arrow")]
mod values;
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
pub use options::{Continuous, MissingPolicy, ReadOptions, names_in, quoted_name};
pub use read::{ReadReport, Table, read, read_files, same_files, table_files};
pub use variable::{MAX_LEVELS, Var, Variable, VariableKind};
pub use varset::VarSet;

use coder::MAX_NUMBERS;
pub(crate) use write::quote;
