//! Tables from Parquet files, by row group.
//!
//! The file stores each column of a row group in one piece. A few columns at a time are decoded and coded, on all
//! threads, so that only they are ever in memory in another form than their codes. String columns are requested as
//! dictionaries, which is how nearly all writers store them: each entry is looked up once.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_schema::{DataType, Schema};
use bytes::{Buf, Bytes};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::{ParquetMetaData, ParquetStatisticsPolicy, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, Length};

use super::arrow::ArrowSource;
use super::builder::At;
use super::cells::feed;
use super::intake::Intake;
use super::joined::Joined;
use crate::error::{Error, Place, Result};
use crate::progress::{Event, go_on};

/// The largest number of rows decoded at a time.
const ROWS: usize = 8192;

/// The approximate number of values decoded per opening of a row group, and the largest number of
/// columns.
const VALUES: usize = 1 << 20;
const COLUMNS: usize = 1 << 10;

/// The largest number of bytes of a file read at once.
const WINDOW: u64 = 1 << 24;

/// Adds the rows of a Parquet file to a table.
pub(super) fn append_parquet(file: File, name: &str, joined: &mut Joined<'_>) -> Result<()> {
    let source = ArrowSource { name, kind: "Parquet" };
    let skip = ParquetStatisticsPolicy::SkipAll;
    let options = ArrowReaderOptions::new()
        .with_column_stats_policy(skip.clone())
        .with_size_stats_policy(skip.clone())
        .with_encoding_stats_policy(skip);
    let mut metadata = source.guard(|| Ok(ArrowReaderMetadata::load(&file, options.clone())?))?;
    check_codecs(metadata.metadata(), name)?;
    let progress = joined.progress;
    let builder = source.begin(metadata.schema(), joined)?;
    if let Some(schema) = with_dictionaries(metadata.schema()) {
        let options = options.with_schema(Arc::new(schema));
        metadata =
            source.guard(|| Ok(ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options)?))?;
    }
    let length = file.len();
    let file = Arc::new(Mutex::new(file));
    let mut before = 0;
    for (group, about) in metadata.metadata().row_groups().iter().enumerate() {
        let Ok(rows) = usize::try_from(about.num_rows()) else {
            return Err(damaged(name, "a row group with a negative number of rows"));
        };
        let fill = |intakes: &mut [Intake<'_>]| {
            go_on(progress, Event::RowsRead { done: before })?;
            let fields: Vec<usize> = intakes.iter().map(|intake| intake.field).collect();
            let mut batches = source.guard(|| {
                let mask = ProjectionMask::roots(metadata.parquet_schema(), fields.iter().copied());
                let bytes = ParquetBytes::of(&file, length, about, &mask)?;
                let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(bytes, metadata.clone());
                let reader = reader.with_row_groups(vec![group]).with_projection(mask).with_batch_size(ROWS);
                Ok(reader.build()?)
            })?;
            // The columns of a batch are in the order of the file.
            let mut order: Vec<usize> = (0..fields.len()).collect();
            order.sort_unstable_by_key(|&i| fields[i]);
            let mut taken = 0;
            while let Some(batch) = source.guard(|| batches.next().transpose())? {
                if batch.num_columns() != order.len() || taken + batch.num_rows() > rows {
                    return Err(damaged(name, "columns with more rows than the row group"));
                }
                for (&i, column) in order.iter().zip(batch.columns()) {
                    feed(&mut intakes[i], taken, &**column, &source)?;
                }
                taken += batch.num_rows();
            }
            if taken < rows {
                return Err(damaged(name, "columns with fewer rows than the row group"));
            }
            Ok(())
        };
        let together = (VALUES / rows.max(1)).clamp(1, COLUMNS);
        builder.take(rows, &|row| At::Row(before + row as u64 + 1), together, &fill)?;
        before += rows as u64;
    }
    Ok(())
}

fn damaged(name: &str, found: &str) -> Error {
    Error::syntax(Place::file(name), found, "a whole Parquet file")
}

/// The schema with dictionaries instead of strings, if there are any.
fn with_dictionaries(schema: &Schema) -> Option<Schema> {
    if !schema.fields().iter().any(|field| *field.data_type() == DataType::Utf8) {
        return None;
    }
    let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let fields = schema.fields().iter().map(|field| match field.data_type() {
        DataType::Utf8 => Arc::new(field.as_ref().clone().with_data_type(dictionary.clone())),
        _ => Arc::clone(field),
    });
    Some(Schema::new_with_metadata(fields.collect::<Vec<_>>(), schema.metadata().clone()))
}

/// Refuses codecs that are not built in.
fn check_codecs(file: &ParquetMetaData, name: &str) -> Result<()> {
    let mut codecs = file.row_groups().iter().flat_map(RowGroupMetaData::columns).map(|c| c.compression());
    match codecs.find(|c| matches!(c, Compression::BROTLI(_) | Compression::LZO)) {
        None => Ok(()),
        Some(codec) => Err(Error::syntax(
            Place::file(name),
            format!("a codec that is not supported, {}", codec.to_string().to_lowercase()),
            "no compression, or Snappy, gzip, LZ4 or Zstandard",
        )),
    }
}

/// The bytes of a file, some of which are already in memory. Threads do not share the file position.
struct ParquetBytes {
    file: Arc<Mutex<File>>,
    length: u64,
    /// Where the bytes in memory begin.
    begin: u64,
    bytes: Bytes,
}

impl ParquetBytes {
    /// The bytes of some columns of a row group, in memory if they are contiguous.
    fn of(
        file: &Arc<Mutex<File>>,
        length: u64,
        group: &RowGroupMetaData,
        wanted: &ProjectionMask,
    ) -> ParquetResult<ParquetBytes> {
        let mut here = ParquetBytes { file: Arc::clone(file), length, begin: 0, bytes: Bytes::new() };
        let leaves = group.columns().iter().enumerate().filter(|(leaf, _)| wanted.leaf_included(*leaf));
        let (mut begin, mut end, mut sum) = (u64::MAX, 0, 0_u64);
        for (from, bytes) in leaves.map(|(_, leaf)| leaf.byte_range()) {
            begin = begin.min(from);
            end = end.max(from.saturating_add(bytes));
            sum = sum.saturating_add(bytes);
        }
        let all = end.min(length).saturating_sub(begin);
        if all <= WINDOW && all / 2 <= sum {
            here.bytes = here.get_bytes(begin, all as usize)?;
            here.begin = begin;
        }
        Ok(here)
    }

    /// The bytes in memory from a position on, if it is among them.
    fn from(&self, start: u64) -> Option<Bytes> {
        let at = usize::try_from(start.checked_sub(self.begin)?).ok()?;
        (at < self.bytes.len()).then(|| self.bytes.slice(at..))
    }
}

impl Length for ParquetBytes {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for ParquetBytes {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> ParquetResult<Box<dyn Read>> {
        let bytes = self.from(start).unwrap_or_default();
        let behind = FileFrom { file: Arc::clone(&self.file), at: start + bytes.len() as u64 };
        Ok(Box::new(bytes.reader().chain(BufReader::new(behind))))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        if let Some(bytes) = self.from(start).filter(|bytes| bytes.len() >= length) {
            return Ok(bytes.slice(..length));
        }
        let mut bytes = Vec::new();
        let file = FileFrom { file: Arc::clone(&self.file), at: start };
        if file.take(length as u64).read_to_end(&mut bytes)? < length {
            return Err(ParquetError::EOF(format!("the file has no {length} bytes at {start}")));
        }
        Ok(bytes.into())
    }
}

/// A file from a position on.
struct FileFrom {
    file: Arc<Mutex<File>>,
    at: u64,
}

impl Read for FileFrom {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.at))?;
        let read = file.read(to)?;
        self.at += read as u64;
        Ok(read)
    }
}
