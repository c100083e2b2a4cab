//! Tables from Parquet files, by row group.
//!
//! The file stores each column of a row group in one piece. A few columns at a time are decoded and coded, on all
//! threads, so that only they are ever in memory in another form than their codes.
//!
//! The columns are decoded value by value and not as Arrow arrays, because the part of the `parquet` crate that makes
//! those takes longer to compile than all the rest of it.

mod bytes;
mod chunk;
mod kind;
mod pages;

use std::fs::File;
use std::sync::{Arc, Mutex};

use parquet::basic::Compression;
use parquet::file::metadata::{
    ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataOptions, ParquetMetaDataReader,
    ParquetStatisticsPolicy, RowGroupMetaData,
};
use parquet::file::reader::Length;

use self::bytes::ParquetBytes;
use self::chunk::ColumnChunk;
use self::kind::{ParquetColumn, columns};
use super::builder::At;
use super::intake::Intake;
use super::joined::Joined;
use super::typed::{TypedColumn, TypedSource};
use crate::error::{Error, Place, Result};
use crate::progress::{Event, go_on};

/// The approximate number of values decoded per opening of a row group, and the largest number of
/// columns.
const VALUES: usize = 1 << 20;
const COLUMNS: usize = 1 << 10;

/// Adds the rows of a Parquet file to a table.
pub(super) fn append_parquet(file: File, name: &str, joined: &mut Joined<'_>) -> Result<()> {
    let source = TypedSource { name, kind: "Parquet" };
    let skip = ParquetStatisticsPolicy::SkipAll;
    let options = ParquetMetaDataOptions::new()
        .with_column_stats_policy(skip.clone())
        .with_size_stats_policy(skip.clone())
        .with_encoding_stats_policy(skip);
    let (metadata, columns) = source.guard(|| {
        let reader = ParquetMetaDataReader::new().with_metadata_options(Some(options));
        let metadata = reader.parse_and_finish(&file)?;
        let columns = columns(metadata.file_metadata());
        Ok((metadata, columns))
    })?;
    check_codecs(&metadata, name)?;
    let progress = joined.progress;
    let builder = source.begin(columns.iter().map(typed).collect(), joined)?;
    let length = file.len();
    let file = Arc::new(Mutex::new(file));
    let mut before = 0;
    for group in metadata.row_groups() {
        let Ok(rows) = usize::try_from(group.num_rows()) else {
            return Err(source.damaged("a row group with a negative number of rows"));
        };
        let fill = |intakes: &mut [Intake<'_>]| {
            go_on(progress, Event::RowsRead { done: before })?;
            let chunks = intakes.iter().map(|intake| chunk_of(&columns[intake.field], group));
            let chunks: Option<Vec<&ColumnChunkMetaData>> = chunks.collect();
            let chunks = chunks.ok_or_else(|| source.damaged("a row group without one of the columns"))?;
            let bytes = source.guard(|| Ok(ParquetBytes::of(&file, length, chunks.iter().copied())?))?;
            let bytes = Arc::new(bytes);
            for (intake, about) in intakes.iter_mut().zip(chunks) {
                let Ok(kind) = columns[intake.field].kind else { continue };
                ColumnChunk { bytes: Arc::clone(&bytes), about, rows, source: &source }.read(kind, intake)?;
            }
            Ok(())
        };
        let together = (VALUES / rows.max(1)).clamp(1, COLUMNS);
        builder.take(rows, &|row| At::Row(before + row as u64 + 1), together, &fill)?;
        before += rows as u64;
    }
    Ok(())
}

fn typed(column: &ParquetColumn) -> TypedColumn {
    let name = column.name.clone();
    TypedColumn { name, floats: column.floats, refused: column.kind.as_ref().err().cloned() }
}

fn chunk_of<'g>(column: &ParquetColumn, group: &'g RowGroupMetaData) -> Option<&'g ColumnChunkMetaData> {
    group.columns().get(column.leaf)
}

/// Refuses codecs that are not built in.
fn check_codecs(file: &ParquetMetaData, name: &str) -> Result<()> {
    let mut codecs = file.row_groups().iter().flat_map(RowGroupMetaData::columns).map(|c| c.compression());
    let refused = |codec| match codec {
        Compression::BROTLI(_) => Some("brotli"),
        Compression::LZO => Some("lzo"),
        _ => None,
    };
    match codecs.find_map(refused) {
        None => Ok(()),
        Some(codec) => Err(Error::syntax(
            Place::file(name),
            format!("a codec that is not supported, {codec}"),
            "no compression, or Snappy, gzip, LZ4 or Zstandard",
        )),
    }
}
