//! Tables from Arrow IPC files, batch by batch. A batch is as large as its writer made it.

use std::fs::File;
use std::io::{BufReader, Read, Seek};

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Field};

use super::builder::At;
use super::cells::feed;
use super::intake::Intake;
use super::ipc::{check_file, check_stream, damaged};
use super::joined::Joined;
use super::typed::{TypedColumn, TypedSource};
use crate::error::Result;

type Batches = Box<dyn Iterator<Item = std::result::Result<RecordBatch, ArrowError>>>;

/// Reads an Arrow IPC file, in the file format (also known as Feather, version 2) or the stream
/// format.
pub(super) fn append_ipc(mut file: File, name: &str, joined: &mut Joined<'_>) -> Result<()> {
    let source = TypedSource { name, kind: "Arrow" };
    let (schema, mut batches) = source.guard(|| {
        let mut magic = Vec::new();
        file.by_ref().take(6).read_to_end(&mut magic)?;
        if magic.starts_with(b"FEA1") {
            return Err(damaged("a Feather file of version 1, which is no longer read").into());
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
    let builder = source.begin(schema.fields().iter().map(|field| column(field)).collect(), joined)?;
    let together = schema.fields().len().div_ceil(4 * rayon::current_num_threads());
    let mut before = 0;
    while let Some(batch) = source.guard(|| Ok(batches.next().transpose()?))? {
        let fill = |intakes: &mut [Intake<'_>]| {
            let mut some = intakes.iter_mut();
            some.try_for_each(|intake| feed(intake, &**batch.column(intake.field), &source))
        };
        builder.take(batch.num_rows(), &|row| At::Row(before + row as u64 + 1), together, &fill)?;
        before += batch.num_rows() as u64;
    }
    Ok(())
}

/// A column of the table.
fn column(field: &Field) -> TypedColumn {
    let data_type = field.data_type();
    TypedColumn {
        name: field.name().clone(),
        floats: data_type.is_floating(),
        refused: (!is_accepted(data_type)).then(|| data_type.to_string()),
    }
}

fn is_accepted(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Boolean => true,
        DataType::Dictionary(_, values) => is_accepted(values),
        other => other.is_integer() || other.is_floating(),
    }
}
