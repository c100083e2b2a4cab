//! Tables from Parquet and Arrow IPC files.
//!
//! A column is read as its text: a string is a label, a number its decimal digits, a boolean `true`
//! or `false`, an entry of a dictionary what it stands for. From there on it is read like a column
//! of a text file: a string such as `NA` is missing unless it is declared, as nulls always are; a
//! column of floats is continuous unless something else is said; and the levels are the labels that occur (not the
//! whole dictionary), in bytewise order, unless others are declared.
//!
//! Parquet is read in small batches. A batch of an Arrow file is as large as its writer made it.
//!
//! Foreign bytes may make the readers of these formats panic or ask for absurd amounts of memory
//! where their files are damaged. The lengths in an Arrow file are therefore checked beforehand, and
//! a panic inside those readers, but of nothing else, becomes the error that the file is damaged.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Schema};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};

use super::builder::{At, Builder};
use super::ipc::{check_file, check_stream, damaged};
use super::quiet::quietly;
use super::{ReadOptions, Table};
use crate::error::{Error, Place, Result};
use crate::progress::Progress;

/// So many rows are turned into text at a time.
const ROWS: usize = 8192;

type Batches = Box<dyn Iterator<Item = std::result::Result<RecordBatch, ArrowError>>>;

/// Reads a Parquet file.
pub(super) fn read_parquet(
    file: File,
    name: &str,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Table> {
    let source = ArrowSource { name, kind: "Parquet" };
    let builder = source.guard(|| Ok(ParquetRecordBatchReaderBuilder::try_new(file)?))?;
    source.check_codecs(builder.metadata())?;
    let reader = source.guard(|| Ok(builder.with_batch_size(ROWS).build()?))?;
    let schema = arrow_array::RecordBatchReader::schema(&reader);
    source.read(&schema, Box::new(reader), options, progress)
}

/// Reads an Arrow IPC file, in the file format (also known as Feather, version 2) or the stream
/// format.
pub(super) fn read_ipc(
    mut file: File,
    name: &str,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Table> {
    let source = ArrowSource { name, kind: "Arrow" };
    let (schema, batches) = source.guard(|| {
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
    source.read(&schema, batches, options, progress)
}

/// A file of record batches.
struct ArrowSource<'a> {
    name: &'a str,
    kind: &'static str,
}

impl ArrowSource<'_> {
    fn read(
        &self,
        schema: &Schema,
        mut batches: Batches,
        options: &ReadOptions,
        progress: &dyn Progress,
    ) -> Result<Table> {
        let columns: Vec<String> = schema.fields().iter().map(|f| f.name().clone()).collect();
        let declared = |name: &str| {
            let mut declared = options.levels.iter().flatten();
            !options.only_declared || declared.any(|variable| variable.name() == name)
        };
        let chosen = options.choose(&columns, Some(&Place::file(self.name)))?;
        let wanted: Vec<bool> = chosen.iter().zip(&columns).map(|(&c, name)| c && declared(name)).collect();
        for (field, _) in schema.fields().iter().zip(&wanted).filter(|(_, wanted)| **wanted) {
            self.check_type(field.name(), field.data_type())?;
        }
        let by_type: Vec<bool> = schema.fields().iter().map(|f| f.data_type().is_floating()).collect();
        let place = Place::file(self.name);
        let mut builder = Builder::new(self.name, columns, place, &by_type, options, progress)?;
        let mut row = 0;
        while let Some(batch) = self.guard(|| batches.next().transpose())? {
            for begin in (0..batch.num_rows()).step_by(ROWS) {
                let part = batch.slice(begin, ROWS.min(batch.num_rows() - begin));
                let columns = self.guard(|| {
                    // Nobody looks at the others.
                    let text = |(column, wanted): (&ArrayRef, &bool)| match wanted {
                        true => text(&**column),
                        false => Ok(StringArray::new_null(0)),
                    };
                    part.columns().iter().zip(&wanted).map(text).collect::<std::result::Result<Vec<_>, _>>()
                })?;
                for i in 0..part.num_rows() {
                    row += 1;
                    let field = |c: usize| columns[c].is_valid(i).then(|| columns[c].value(i).as_bytes());
                    builder.push(At::Row(row), field)?;
                }
            }
        }
        builder.finish()
    }

    fn check_type(&self, column: &str, data_type: &DataType) -> Result<()> {
        if is_accepted(data_type) {
            return Ok(());
        }
        let place = Place::file(self.name).column(column);
        let found = format!("values of the type {data_type}");
        Err(Error::syntax(place, found, "strings, dictionaries of strings, integers, floats or booleans"))
    }

    /// Refuses ways of compressing that are not built in.
    fn check_codecs(&self, file: &ParquetMetaData) -> Result<()> {
        let mut codecs =
            file.row_groups().iter().flat_map(RowGroupMetaData::columns).map(|c| c.compression());
        let foreign = codecs.find(|c| matches!(c, Compression::BROTLI(_) | Compression::LZO));
        match foreign {
            None => Ok(()),
            Some(codec) => Err(Error::syntax(
                Place::file(self.name),
                format!("a codec that is not supported, {}", codec.to_string().to_lowercase()),
                "no compression, or Snappy, gzip, LZ4 or Zstandard",
            )),
        }
    }

    /// What a foreign reader does with foreign bytes.
    fn guard<T>(&self, work: impl FnOnce() -> std::result::Result<T, ArrowError>) -> Result<T> {
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

/// The values of a column as they would stand in a text file.
///
/// By hand: the crate that converts any type into any other is a fifth of the build.
fn text(column: &dyn Array) -> std::result::Result<StringArray, ArrowError> {
    Ok(match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().clone(),
        DataType::LargeUtf8 => column.as_string::<i64>().iter().collect(),
        DataType::Utf8View => column.as_string_view().iter().collect(),
        DataType::Boolean => {
            column.as_boolean().iter().map(|b| b.map(|b| if b { "true" } else { "false" })).collect()
        }
        DataType::Int8 => numbers::<Int8Type>(column, |x| x.to_string()),
        DataType::Int16 => numbers::<Int16Type>(column, |x| x.to_string()),
        DataType::Int32 => numbers::<Int32Type>(column, |x| x.to_string()),
        DataType::Int64 => numbers::<Int64Type>(column, |x| x.to_string()),
        DataType::UInt8 => numbers::<UInt8Type>(column, |x| x.to_string()),
        DataType::UInt16 => numbers::<UInt16Type>(column, |x| x.to_string()),
        DataType::UInt32 => numbers::<UInt32Type>(column, |x| x.to_string()),
        DataType::UInt64 => numbers::<UInt64Type>(column, |x| x.to_string()),
        // Minus nothing is nothing.
        DataType::Float16 => numbers::<Float16Type>(column, |x| format!("{:?}", f32::from(x) + 0.0)),
        DataType::Float32 => numbers::<Float32Type>(column, |x| format!("{:?}", x + 0.0)),
        DataType::Float64 => numbers::<Float64Type>(column, |x| format!("{:?}", x + 0.0)),
        DataType::Dictionary(..) => {
            let dictionary = column.as_any_dictionary();
            let values = text(&**dictionary.values())?;
            if values.is_empty() {
                return Ok(StringArray::new_null(column.len()));
            }
            let places = dictionary.normalized_keys().into_iter().enumerate();
            let valid = |row: usize, place: usize| dictionary.keys().is_valid(row) && values.is_valid(place);
            places.map(|(row, place)| valid(row, place).then(|| values.value(place))).collect()
        }
        other => return Err(ArrowError::CastError(format!("there is no text for {other}"))),
    })
}

fn numbers<T: ArrowPrimitiveType>(column: &dyn Array, shown: impl Fn(T::Native) -> String) -> StringArray {
    column.as_primitive::<T>().iter().map(|x| x.map(&shown)).collect()
}
