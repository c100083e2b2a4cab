//! What the readers of Parquet and Arrow IPC files share.
//!
//! A column is read as text: a string is a label, a number its decimal digits, a boolean `true` or `false`, a
//! dictionary entry the value it stands for. From there on it is read like a column of a text file: nulls are
//! missing, and so is a string such as `NA` unless it is declared; a column of floats is continuous unless the
//! options say otherwise; and the levels are the labels that occur (not the whole dictionary), in bytewise order,
//! unless others are declared.
//!
//! A damaged file can make the readers of these formats panic or ask for absurd amounts of memory.
//! The lengths in a file are therefore checked first, and a panic inside those readers, and
//! only there, becomes an error that says the file is damaged.

use std::io;

use arrow_schema::ArrowError;
use parquet::errors::ParquetError;
use rustc_hash::FxHashSet;

use super::Variable;
use super::builder::Builder;
use super::joined::Joined;
use super::quiet::quietly;
use crate::error::{Error, Place, Result};

/// A file whose columns have types.
pub(super) struct TypedSource<'a> {
    pub(super) name: &'a str,
    pub(super) kind: &'static str,
}

/// A column of such a file.
pub(super) struct TypedColumn {
    pub(super) name: String,
    /// Whether its values are floats.
    pub(super) floats: bool,
    /// The name of its type, if such values are not read.
    pub(super) refused: Option<String>,
}

/// Why a third-party reader gave up.
pub(super) enum ReadFault {
    Io(io::Error),
    Bytes(String),
    /// There is not enough memory for this many bytes.
    Memory(u64),
}

impl From<io::Error> for ReadFault {
    fn from(e: io::Error) -> ReadFault {
        match e.kind() {
            io::ErrorKind::UnexpectedEof => ReadFault::Bytes(e.to_string()),
            _ => ReadFault::Io(e),
        }
    }
}

impl From<ArrowError> for ReadFault {
    fn from(e: ArrowError) -> ReadFault {
        match e {
            ArrowError::IoError(_, e) => e.into(),
            e => ReadFault::Bytes(e.to_string()),
        }
    }
}

impl From<ParquetError> for ReadFault {
    fn from(e: ParquetError) -> ReadFault {
        if let ParquetError::External(source) = &e
            && let Some(&TooLargePage(bytes)) = source.downcast_ref()
        {
            return ReadFault::Memory(bytes);
        }
        ReadFault::Bytes(e.to_string())
    }
}

/// A page for which there is not enough memory, with its size in bytes.
#[derive(Debug, thiserror::Error)]
#[error("a page of {0} bytes")]
pub(super) struct TooLargePage(pub(super) u64);

impl TypedSource<'_> {
    /// Begins a file of a table: every column to be read must have a readable type.
    pub(super) fn begin<'j, 'a>(
        &self,
        columns: Vec<TypedColumn>,
        joined: &'j mut Joined<'a>,
    ) -> Result<&'j mut Builder<'a>> {
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        let options = joined.options;
        let declared: FxHashSet<&str> = options.levels.iter().flatten().map(Variable::name).collect();
        let chosen = options.choose(&names, Some(&Place::file(self.name)))?;
        for (column, chosen) in columns.iter().zip(chosen) {
            if chosen && (!options.only_declared || declared.contains(column.name.as_str())) {
                self.check_type(column)?;
            }
        }
        let by_type: Vec<bool> = columns.iter().map(|column| column.floats).collect();
        joined.file(self.name, names, Place::file(self.name), &by_type)
    }

    fn check_type(&self, column: &TypedColumn) -> Result<()> {
        let Some(refused) = &column.refused else { return Ok(()) };
        let place = Place::file(self.name).column(&column.name);
        let found = format!("values of the type {refused}");
        Err(Error::syntax(place, found, "strings, dictionaries of strings, integers, floats or booleans"))
    }

    /// Runs a third-party reader on untrusted bytes.
    pub(super) fn guard<T>(&self, work: impl FnOnce() -> std::result::Result<T, ReadFault>) -> Result<T> {
        // What a panic leaves half done is never used again: the caller gives up.
        match quietly(work) {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(ReadFault::Io(e))) => Err(Error::io("read", self.name.as_ref(), e)),
            Ok(Err(ReadFault::Memory(bytes))) => {
                Err(Error::Memory { what: format!("a page of {}", self.name), bytes: u128::from(bytes) })
            }
            Ok(Err(ReadFault::Bytes(e))) => Err(self.damaged(format!("bytes that cannot be read ({e})"))),
            Err(_) => Err(self.damaged("damaged bytes")),
        }
    }

    /// The error for a damaged file.
    pub(super) fn damaged(&self, found: impl Into<String>) -> Error {
        Error::syntax(Place::file(self.name), found, format!("a whole {} file", self.kind))
    }
}
