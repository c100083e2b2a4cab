//! Arrow in and out, through the PyCapsule interface: polars, pyarrow and others.
//!
//! A dictionary is what a frame calls a categorical: its values are the levels, including those
//! that do not occur. (Except for categoricals of polars, which share one dictionary among all
//! columns; its enums have their own.) Everything else is read as the text that Python would print.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowDictionaryKeyType, Float64Type, Int8Type, Int16Type, Int32Type};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, DictionaryArray, PrimitiveArray, RecordBatch,
    StringArray, downcast_dictionary_array,
};
use arrow_cast::CastOptions;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema};
use ossature::data::CodedColumn;
use ossature::{Column, Dataset, Error, Place, Result, Variable};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::PyTable;
use pyo3_arrow::input::{AnyArray, AnyRecordBatch};
use rustc_hash::FxHashMap;

use crate::errors::DATA;

/// The number of rows turned into text at a time.
const ROWS: usize = 1 << 16;
/// The prefix of a key in the metadata of polars categoricals.
const POLARS_CATEGORICAL: &str = "_PL_CATEGORICAL";
/// The index of a missing value.
const MISSING: u32 = u32::MAX;

/// A column in Arrow's memory format, which refers to the memory of the frame.
pub(crate) struct Chunks {
    field: FieldRef,
    chunks: Vec<ArrayRef>,
}

/// The columns of an object that exports a stream of record batches.
pub(crate) fn columns(table: &Bound<'_, PyAny>) -> PyResult<Vec<Chunks>> {
    let reader = table.extract::<AnyRecordBatch>().map_err(unreadable_table)?.into_reader()?;
    let schema = reader.schema();
    let batches: Vec<RecordBatch> =
        reader.collect::<std::result::Result<_, _>>().map_err(unreadable_table)?;
    let column = |(i, field): (usize, &FieldRef)| Chunks {
        field: field.clone(),
        chunks: batches.iter().map(|batch| batch.column(i).clone()).collect(),
    };
    Ok(schema.fields().iter().enumerate().map(column).collect())
}

/// One column, under a given name.
pub(crate) fn column(name: String, array: &Bound<'_, PyAny>) -> PyResult<Chunks> {
    let array = array.extract::<AnyArray>().map_err(unreadable_table)?;
    let (chunks, field) =
        array.into_chunked_array().map_err(PyErr::from).map_err(unreadable_table)?.into_inner();
    Ok(Chunks { field: Arc::new(field.as_ref().clone().with_name(name)), chunks })
}

fn unreadable_table(why: impl std::fmt::Display) -> PyErr {
    DATA.with(format!("the table cannot be read through Arrow: {why}"))
}

impl Chunks {
    pub(crate) fn name(&self) -> &str {
        self.field.name()
    }

    /// Whether its type is a float type.
    pub(crate) fn has_floats(&self) -> bool {
        self.field.data_type().is_floating()
    }

    /// The column as numbers; `None` if it has something else, such as intervals.
    pub(crate) fn numbers(&self) -> Option<Vec<Option<f64>>> {
        let options = CastOptions { safe: false, ..CastOptions::default() };
        let mut numbers: Vec<Option<f64>> = Vec::with_capacity(self.chunks.iter().map(|c| c.len()).sum());
        if !may_be_numbers(self.field.data_type()) {
            return None;
        }
        for chunk in &self.chunks {
            let cast = arrow_cast::cast_with_options(chunk, &DataType::Float64, &options).ok()?;
            numbers.extend(cast.as_primitive::<Float64Type>().iter().map(|x| x.filter(|x| !x.is_nan())));
        }
        Some(numbers)
    }

    /// The column as labels and codes.
    pub(crate) fn coded(&self) -> Result<CodedColumn> {
        let mut labels = Labels::default();
        let mut codes: Vec<u32> = Vec::with_capacity(self.chunks.iter().map(|chunk| chunk.len()).sum());
        for chunk in &self.chunks {
            push(chunk, &mut labels, &mut codes).map_err(|e| unreadable(&self.field, &e.to_string()))?;
        }
        if has_floats(self.field.data_type()) && labels.names.iter().any(|label| label.ends_with("inf")) {
            return Err(Error::Mismatch {
                what: format!(
                    "column {:?} has an infinite value (inf), which cannot be a level",
                    self.name()
                ),
                accepted: "finite numbers can".into(),
            });
        }
        let rows = codes.into_iter().map(|code| (code != MISSING).then_some(code as usize));
        CodedColumn::new(self.name(), labels.names, declares_levels(&self.field), rows)
    }
}

fn may_be_numbers(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => may_be_numbers(values),
        DataType::Boolean | DataType::Null => true,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        kind => kind.is_numeric(),
    }
}

fn has_floats(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => has_floats(values),
        kind => kind.is_floating(),
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

/// Labels in order of first appearance.
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
    downcast_dictionary_array!(
        column => {
            let values = text(column.values())?;
            let places: Vec<u32> = values.iter().map(|value| labels.place(value)).collect();
            push_keys(column.keys(), &places, codes);
        },
        _ => {
            for begin in (0..column.len()).step_by(ROWS) {
                let part = text(&column.slice(begin, ROWS.min(column.len() - begin)))?;
                codes.extend(part.iter().map(|label| labels.place(label)));
            }
        }
    );
    Ok(())
}

/// Appends the rows of a dictionary: the indices of the labels of its keys.
fn push_keys<K: ArrowPrimitiveType>(keys: &PrimitiveArray<K>, places: &[u32], codes: &mut Vec<u32>)
where
    K::Native: TryInto<usize>,
{
    let place = |key: K::Native| key.try_into().ok().and_then(|key: usize| places.get(key).copied());
    codes.extend(keys.iter().map(|key| key.and_then(place).unwrap_or(MISSING)));
}

/// The values of a column as Python would print them; NaN is missing.
fn text(column: &ArrayRef) -> std::result::Result<StringArray, ArrowError> {
    match column.data_type() {
        DataType::Boolean => Ok(words(column.as_boolean())),
        DataType::Utf8 => Ok(column.as_string::<i32>().clone()),
        DataType::LargeUtf8 | DataType::Utf8View => utf8(column),
        kind if kind.is_integer() => utf8(column),
        kind if kind.is_floating() => {
            let numbers = arrow_cast::cast(column, &DataType::Float64)?;
            let numbers = numbers.as_primitive::<Float64Type>().iter();
            Ok(numbers.map(|x| x.filter(|x| !x.is_nan()).map(float)).collect())
        }
        DataType::Null => Ok(StringArray::new_null(column.len())),
        _ => Err(ArrowError::NotYetImplemented("no labels".into())),
    }
}

fn utf8(column: &ArrayRef) -> std::result::Result<StringArray, ArrowError> {
    Ok(arrow_cast::cast(column, &DataType::Utf8)?.as_string::<i32>().clone())
}

/// A number as Python prints it: an exponent has a sign and two digits, and zero has no sign.
fn float(x: f64) -> String {
    let text = format!("{:?}", x + 0.0);
    match text.split_once('e') {
        None => text,
        Some((digits, exponent)) => match exponent.strip_prefix('-') {
            Some(exponent) => format!("{digits}e-{exponent:0>2}"),
            None => format!("{digits}e+{exponent:0>2}"),
        },
    }
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
    let arrays = || {
        let columns = order.iter().filter_map(|name| data.var(name));
        columns.map(|v| array(data.variable(v), data.column(v))).collect::<std::result::Result<_, _>>()
    };
    let arrays: Vec<ArrayRef> = py.detach(arrays).map_err(failed)?;
    let field = |(name, array): (&String, &ArrayRef)| {
        Field::new(name, array.data_type().clone(), array.is_nullable())
    };
    let schema = Arc::new(Schema::new(order.iter().zip(&arrays).map(field).collect::<Vec<_>>()));
    let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(failed)?;
    let table = Bound::new(py, PyTable::try_new(vec![batch], schema)?)?;
    table.call_method1("__arrow_c_stream__", (requested_schema,))
}

/// Numbers, or a dictionary with the narrowest signed keys: pandas accepts no others.
fn array(variable: &Variable, column: &Column) -> std::result::Result<ArrayRef, ArrowError> {
    if let Some(numbers) = column.numbers() {
        return Ok(Arc::new(PrimitiveArray::<Float64Type>::from_iter_values(numbers.iter().copied())));
    }
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
    // The code behind that of the last level is a missing value.
    let known = |code: &u16| usize::from(*code) < variable.cardinality();
    let keys: PrimitiveArray<K> =
        (0..column.len()).map(|row| Some(column.code(row)).filter(known).map(&key)).collect();
    let levels = StringArray::from_iter_values(variable.levels());
    Ok(Arc::new(DictionaryArray::try_new(keys, Arc::new(levels))?))
}
