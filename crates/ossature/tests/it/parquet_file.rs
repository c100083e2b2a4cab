//! Writes Parquet files. The reader is built without the writer of Arrow tables, so each column is written on its own.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int64Type, UInt8Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Field};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType as ParquetType, DoubleType, Int32Type,
    Int64Type as ParquetInt64,
};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

/// A column: its type, and for each row a value or a null.
pub(crate) struct ParquetValues<T: ParquetType> {
    pub(crate) of: Type,
    pub(crate) rows: Vec<Option<T::T>>,
}

/// A file of one column and one row group.
pub(crate) fn one_column<T: ParquetType>(column: ParquetValues<T>, properties: WriterProperties) -> Vec<u8> {
    let schema = Type::group_type_builder("schema").with_fields(vec![Arc::new(column.of)]).build().unwrap();
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    write_column::<T>(&mut group, column.rows.into_iter());
    group.close().unwrap();
    writer.into_inner().unwrap()
}

/// A table, in row groups of some rows.
pub(crate) fn table(batch: &RecordBatch, group: usize, properties: WriterProperties) -> Vec<u8> {
    let schema = batch.schema();
    let fields = schema.fields().iter().map(|field| Arc::new(type_of(field))).collect();
    let schema = Type::group_type_builder("schema").with_fields(fields).build().unwrap();
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties)).unwrap();
    for begin in (0..batch.num_rows()).step_by(group) {
        let rows = batch.slice(begin, group.min(batch.num_rows() - begin));
        let mut group = writer.next_row_group().unwrap();
        for column in rows.columns() {
            match column.data_type() {
                DataType::Boolean => write_column::<BoolType>(&mut group, column.as_boolean().iter()),
                DataType::Int64 => {
                    write_column::<ParquetInt64>(&mut group, column.as_primitive::<Int64Type>().iter());
                }
                DataType::UInt8 => {
                    let values = column.as_primitive::<UInt8Type>().iter();
                    write_column::<Int32Type>(&mut group, values.map(|x| x.map(i32::from)));
                }
                DataType::Date32 => {
                    write_column::<Int32Type>(&mut group, column.as_primitive::<Date32Type>().iter());
                }
                DataType::Float64 => {
                    write_column::<DoubleType>(&mut group, column.as_primitive::<Float64Type>().iter());
                }
                _ => write_column::<ByteArrayType>(&mut group, texts(&**column).into_iter()),
            }
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

fn write_column<T: ParquetType>(
    group: &mut parquet::file::writer::SerializedRowGroupWriter<'_, Vec<u8>>,
    rows: impl Iterator<Item = Option<T::T>>,
) {
    let rows: Vec<Option<T::T>> = rows.collect();
    let levels: Vec<i16> = rows.iter().map(|row| i16::from(row.is_some())).collect();
    let values: Vec<T::T> = rows.into_iter().flatten().collect();
    let mut writer = group.next_column().unwrap().unwrap();
    writer.typed::<T>().write_batch(&values, Some(&levels), None).unwrap();
    writer.close().unwrap();
}

fn texts(column: &dyn Array) -> Vec<Option<ByteArray>> {
    let text = |text: Option<&str>| text.map(|text| ByteArray::from(text.as_bytes().to_vec()));
    match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().iter().map(text).collect(),
        DataType::LargeUtf8 => column.as_string::<i64>().iter().map(text).collect(),
        DataType::Utf8View => column.as_string_view().iter().map(text).collect(),
        DataType::Dictionary(..) => {
            let dictionary = column.as_any_dictionary();
            let values = texts(&**dictionary.values());
            let keys = if values.is_empty() { Vec::new() } else { dictionary.normalized_keys() };
            keys.into_iter().map(|key| values[key].clone()).collect()
        }
        other => panic!("nothing here writes {other}"),
    }
}

fn type_of(field: &Field) -> Type {
    let (physical, logical) = match field.data_type() {
        DataType::Boolean => (Physical::BOOLEAN, None),
        DataType::Int64 => (Physical::INT64, None),
        DataType::UInt8 => (Physical::INT32, Some(LogicalType::integer(8, false))),
        DataType::Date32 => (Physical::INT32, Some(LogicalType::Date)),
        DataType::Float64 => (Physical::DOUBLE, None),
        _ => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let repetition = if field.is_nullable() { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let of = Type::primitive_type_builder(field.name(), physical).with_logical_type(logical);
    of.with_repetition(repetition).build().unwrap()
}
