//! Tables from Parquet and Arrow IPC files.
//!
//! A column is read as text: a string is a label, a number its decimal digits, a boolean `true` or `false`, a
//! dictionary entry the value it stands for. From there on it is read like a column of a text file: nulls are
//! missing, and so is a string such as `NA` unless it is declared; a column of floats is continuous unless the
//! options say otherwise; and the levels are the labels that occur (not the whole dictionary), in bytewise order,
//! unless others are declared.
//!
//! Parquet is read by row group, a few columns at a time. A batch of an Arrow file is as large as its writer made it.
//!
//! A damaged file can make the readers of these formats panic or ask for absurd amounts of memory.
//! The lengths in an Arrow file are therefore checked first, and a panic inside those readers, and
//! only there, becomes an error that says the file is damaged.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Schema};
use rustc_hash::FxHashSet;

use super::Variable;
use super::builder::{At, Builder};
use super::cells::feed;
use super::intake::Intake;
use super::ipc::{check_file, check_stream, damaged};
use super::joined::Joined;
use super::quiet::quietly;
use crate::error::{Error, Place, Result};

type Batches = Box<dyn Iterator<Item = std::result::Result<RecordBatch, ArrowError>>>;

/// Reads an Arrow IPC file, in the file format (also known as Feather, version 2) or the stream
/// format.
pub(super) fn append_ipc(mut file: File, name: &str, joined: &mut Joined<'_>) -> Result<()> {
    let source = ArrowSource { name, kind: "Arrow" };
    let (schema, mut batches) = source.guard(|| {
        let mut magic = Vec::new();
        file.by_ref().take(6).read_to_end(&mut magic)?;
        if magic.starts_with(b"FEA1") {
            return Err(damaged("a Feather file of version 1, which is no longer read"));
        }
        let mut file = BufReader::new(file);
        if magic == *b"ARROW1" {
            check_file(&mut file)?;
            file.rewind()?;
            let reader = FileReader::try_new(file, None)?;
            return Ok((reader.schema(), Box::new(reader) as Batches));
        }
        file.rewind()?;
        check_stream(&mut file)?;
        file.rewind()?;
        let reader = StreamReader::try_new(file, None)?;
        Ok((reader.schema(), Box::new(reader) as Batches))
    })?;
    let builder = source.begin(&schema, joined)?;
    let together = schema.fields().len().div_ceil(4 * rayon::current_num_threads());
    let mut before = 0;
    while let Some(batch) = source.guard(|| batches.next().transpose())? {
        let fill = |intakes: &mut [Intake<'_>]| {
            let mut some = intakes.iter_mut();
            some.try_for_each(|intake| feed(intake, 0, &**batch.column(intake.field), &source))
        };
        builder.take(batch.num_rows(), &|row| At::Row(before + row as u64 + 1), together, &fill)?;
        before += batch.num_rows() as u64;
    }
    Ok(())
}

/// A file of record batches.
pub(super) struct ArrowSource<'a> {
    pub(super) name: &'a str,
    pub(super) kind: &'static str,
}

impl ArrowSource<'_> {
    /// Begins a file of a table: every column to be read must have a readable type.
    pub(super) fn begin<'j, 'a>(
        &self,
        schema: &Schema,
        joined: &'j mut Joined<'a>,
    ) -> Result<&'j mut Builder<'a>> {
        let columns: Vec<String> = schema.fields().iter().map(|f| f.name().clone()).collect();
        let options = joined.options;
        let declared: FxHashSet<&str> = options.levels.iter().flatten().map(Variable::name).collect();
        let chosen = options.choose(&columns, Some(&Place::file(self.name)))?;
        for (field, chosen) in schema.fields().iter().zip(chosen) {
            if chosen && (!options.only_declared || declared.contains(field.name().as_str())) {
                self.check_type(field.name(), field.data_type())?;
            }
        }
        let by_type: Vec<bool> = schema.fields().iter().map(|f| f.data_type().is_floating()).collect();
        joined.file(self.name, columns, Place::file(self.name), &by_type)
    }

    fn check_type(&self, column: &str, data_type: &DataType) -> Result<()> {
        if is_accepted(data_type) {
            return Ok(());
        }
        let place = Place::file(self.name).column(column);
        let found = format!("values of the type {data_type}");
        Err(Error::syntax(place, found, "strings, dictionaries of strings, integers, floats or booleans"))
    }

    /// Runs a third-party reader on untrusted bytes.
    pub(super) fn guard<T>(&self, work: impl FnOnce() -> std::result::Result<T, ArrowError>) -> Result<T> {
        // What a panic leaves half done is never used again: the caller gives up.
        let found = match quietly(work) {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(ArrowError::IoError(_, e))) if e.kind() != io::ErrorKind::UnexpectedEof => {
                return Err(Error::io("read", self.name.as_ref(), e));
            }
            Ok(Err(e)) => format!("bytes that cannot be read ({e})"),
            Err(_) => "damaged bytes".to_owned(),
        };
        Err(Error::syntax(Place::file(self.name), found, format!("a whole {} file", self.kind)))
    }
}

fn is_accepted(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Boolean => true,
        DataType::Dictionary(_, values) => is_accepted(values),
        other => other.is_integer() || other.is_floating(),
    }
}
