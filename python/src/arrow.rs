//! Arrow in and out, through the PyCapsule interface: polars, pyarrow and others.
//!
//! A dictionary is what a frame calls a categorical: its values are the levels, also those that do
//! not occur. (Not so the categoricals of polars, which share one dictionary among all columns; its
//! enums have one of their own.) Everything else is read as the text that Python would make of it.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type};
use arrow_array::{Array, ArrayRef, BooleanArray, DictionaryArray, PrimitiveArray, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use ossature::data::CodedColumn;
use ossature::{Column, Dataset, Error, Place, Result, Variable};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::PyTable;
use pyo3_arrow::input::AnyRecordBatch;
use rustc_hash::FxHashMap;

use crate::errors::DATA;

/// So many rows are turned into text at a time.
const ROWS: usize = 1 << 16;
/// The metadata of a categorical of polars have a key that begins so.
const POLARS_CATEGORICAL: &str = "_PL_CATEGORICAL";
/// Stands in for the place of a label where the value is missing.
const MISSING: u32 = u32::MAX;

/// An object that gives a stream of record batches.
pub(crate) struct Stream(AnyRecordBatch);

impl<'py> FromPyObject<'_, 'py> for Stream {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Stream> {
        object.extract().map(Stream).map_err(unreadable_table)
    }
}

impl Stream {
    /// All batches. They refer to the memory of the frame.
    pub(crate) fn batches(self) -> PyResult<Batches> {
        let reader = self.0.into_reader()?;
        let schema = reader.schema();
        let batches = reader.collect::<std::result::Result<_, _>>().map_err(unreadable_table)?;
        Ok(Batches { schema, batches })
    }
}

fn unreadable_table(why: impl std::fmt::Display) -> PyErr {
    DATA.with(format!("the table cannot be read through Arrow: {why}"))
}

/// A table in memory as Arrow has it.
pub(crate) struct Batches {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Batches {
    pub(crate) fn names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|f| f.name().clone()).collect()
    }

    /// The columns as labels and codes.
    pub(crate) fn columns(&self) -> Result<Vec<CodedColumn>> {
        (0..self.schema.fields().len()).map(|i| self.column(i)).collect()
    }

    fn column(&self, i: usize) -> Result<CodedColumn> {
        let field = self.schema.field(i);
        let failed = |e: ArrowError| unreadable(field, &e.to_string());
        let mut labels = Labels::default();
        let mut codes: Vec<u32> = Vec::with_capacity(self.batches.iter().map(RecordBatch::num_rows).sum());
        for batch in &self.batches {
            push(batch.column(i), &mut labels, &mut codes).map_err(failed)?;
        }
        let rows = codes.into_iter().map(|code| (code != MISSING).then_some(code as usize));
        CodedColumn::new(field.name(), labels.names, declares_levels(field), rows)
    }
}

fn declares_levels(field: &Field) -> bool {
    matches!(field.data_type(), DataType::Dictionary(..))
        && !field.metadata().keys().any(|key| key.starts_with(POLARS_CATEGORICAL))
}

fn unreadable(field: &Field, why: &str) -> Error {
    Error::Syntax {
        place: Place::file("the table").column(field.name()),
        found: format!("values of the type {}, which cannot be read ({why})", field.data_type()),
        expected: "strings, categoricals, integers, floats or booleans".into(),
    }
}

/// Labels in the order in which they were met.
#[derive(Default)]
struct Labels {
    names: Vec<String>,
    places: FxHashMap<String, u32>,
}

impl Labels {
    fn place(&mut self, label: Option<&str>) -> u32 {
        let Some(label) = label else { return MISSING };
        if let Some(&place) = self.places.get(label) {
            return place;
        }
        let place = u32::try_from(self.names.len()).unwrap_or(MISSING);
        self.places.insert(label.to_owned(), place);
        self.names.push(label.to_owned());
        place
    }
}

/// Appends the rows of a column.
fn push(column: &ArrayRef, labels: &mut Labels, codes: &mut Vec<u32>) -> std::result::Result<(), ArrowError> {
    if let Some(dictionary) = column.as_any_dictionary_opt() {
        if dictionary.values().is_empty() {
            codes.extend(std::iter::repeat_n(MISSING, column.len()));
            return Ok(());
        }
        let values = text(dictionary.values())?;
        let place: Vec<u32> = values.iter().map(|value| labels.place(value)).collect();
        let keys = dictionary.keys();
        // The key of a null may be anything.
        let code =
            |(row, key): (usize, usize)| if keys.is_valid(row) { place.get(key).copied() } else { None };
        codes.extend(
            dictionary.normalized_keys().into_iter().enumerate().map(|key| code(key).unwrap_or(MISSING)),
        );
        return Ok(());
    }
    for begin in (0..column.len()).step_by(ROWS) {
        let part = text(&column.slice(begin, ROWS.min(column.len() - begin)))?;
        codes.extend(part.iter().map(|label| labels.place(label)));
    }
    Ok(())
}

/// The values of a column as Python would write them; what is not a number is missing.
fn text(column: &ArrayRef) -> std::result::Result<StringArray, ArrowError> {
    match column.data_type() {
        DataType::Boolean => Ok(words(column.as_boolean())),
        DataType::Utf8 => Ok(column.as_string::<i32>().clone()),
        DataType::LargeUtf8 | DataType::Utf8View => utf8(column),
        kind if kind.is_integer() => utf8(column),
        kind if kind.is_floating() => {
            Ok(utf8(column)?.iter().map(|label| label.filter(|&l| l != "NaN")).collect())
        }
        DataType::Null => Ok(StringArray::new_null(column.len())),
        _ => Err(ArrowError::NotYetImplemented("no labels".into())),
    }
}

fn utf8(column: &ArrayRef) -> std::result::Result<StringArray, ArrowError> {
    Ok(arrow_cast::cast(column, &DataType::Utf8)?.as_string::<i32>().clone())
}

fn words(column: &BooleanArray) -> StringArray {
    column.iter().map(|b| b.map(|b| if b { "True" } else { "False" })).collect()
}

/// A table as a stream with a dictionary for each column.
pub(crate) fn stream<'py>(
    py: Python<'py>,
    data: &Dataset,
    order: &[String],
    requested_schema: Option<Bound<'py, PyCapsule>>,
) -> PyResult<Bound<'py, PyAny>> {
    let failed = |e: ArrowError| DATA.with(e.to_string());
    let columns = order.iter().filter_map(|name| data.var(name));
    let arrays: Vec<ArrayRef> = columns
        .map(|v| array(data.variable(v), data.column(v)))
        .collect::<std::result::Result<_, _>>()
        .map_err(failed)?;
    let field = |(name, array): (&String, &ArrayRef)| Field::new(name, array.data_type().clone(), false);
    let schema = Arc::new(Schema::new(order.iter().zip(&arrays).map(field).collect::<Vec<_>>()));
    let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(failed)?;
    let table = Bound::new(py, PyTable::try_new(vec![batch], schema)?)?;
    table.call_method1("__arrow_c_stream__", (requested_schema,))
}

/// A dictionary with the narrowest keys that have a sign: pandas takes no others.
fn array(variable: &Variable, column: &Column) -> std::result::Result<ArrayRef, ArrowError> {
    match variable.cardinality() {
        0..=127 => keyed::<Int8Type>(variable, column, |code| code as i8),
        128..=32_767 => keyed::<Int16Type>(variable, column, |code| code as i16),
        _ => keyed::<Int32Type>(variable, column, i32::from),
    }
}

fn keyed<K: ArrowDictionaryKeyType>(
    variable: &Variable,
    column: &Column,
    key: impl Fn(u16) -> K::Native,
) -> std::result::Result<ArrayRef, ArrowError> {
    let keys = PrimitiveArray::<K>::from_iter_values((0..column.len()).map(|row| key(column.code(row))));
    let levels = StringArray::from_iter_values(variable.levels());
    Ok(Arc::new(DictionaryArray::try_new(keys, Arc::new(levels))?))
}
