//! The values of an Arrow array.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, GenericStringArray, OffsetSizeTrait, StringArray};
use arrow_schema::{ArrowError, DataType};

use super::coder::{Field, Seen};
use super::intake::Intake;
use super::typed::TypedSource;
use super::values::{
    boolean_text, double_text, single_text, take_booleans, take_doubles, take_known, take_singles,
    take_texts, take_whole,
};
use crate::error::Result;

/// Passes the values of an array to a column.
pub(super) fn feed(intake: &mut Intake<'_>, column: &dyn Array, source: &TypedSource<'_>) -> Result<()> {
    match column.data_type() {
        DataType::Utf8 => feed_texts(intake, column.as_string::<i32>()),
        DataType::LargeUtf8 => feed_texts(intake, column.as_string::<i64>()),
        DataType::Utf8View => {
            take_texts(intake, 0, column.as_string_view().iter().map(|text| text.map(str::as_bytes)));
        }
        DataType::Dictionary(..) => {
            let dictionary = column.as_any_dictionary();
            let (values, keys) = source.guard(|| {
                let values = text(&**dictionary.values())?;
                let keys = if values.is_empty() { Vec::new() } else { dictionary.normalized_keys() };
                Ok((values, keys))
            })?;
            let nulls = dictionary.keys();
            let mut known: Vec<Option<Seen>> = vec![None; values.len()];
            for row in 0..column.len() {
                let Some(&key) = keys.get(row).filter(|_| nulls.is_valid(row)) else {
                    intake.take(row, None);
                    continue;
                };
                if !take_known(intake, row, known[key]) {
                    let field = values.is_valid(key).then(|| Field::of(values.value(key).as_bytes()));
                    known[key] = Some(intake.take(row, field));
                }
            }
        }
        DataType::Boolean => take_booleans(intake, 0, column.as_boolean().iter()),
        DataType::Int8 => feed_whole::<Int8Type>(intake, column, |x| x as u64),
        DataType::Int16 => feed_whole::<Int16Type>(intake, column, |x| x as u64),
        DataType::Int32 => feed_whole::<Int32Type>(intake, column, |x| x as u64),
        DataType::Int64 => feed_whole::<Int64Type>(intake, column, |x| x as u64),
        DataType::UInt8 => feed_whole::<UInt8Type>(intake, column, u64::from),
        DataType::UInt16 => feed_whole::<UInt16Type>(intake, column, u64::from),
        DataType::UInt32 => feed_whole::<UInt32Type>(intake, column, u64::from),
        DataType::UInt64 => feed_whole::<UInt64Type>(intake, column, |x| x),
        DataType::Float16 => {
            take_singles(intake, 0, column.as_primitive::<Float16Type>().iter().map(|x| x.map(f32::from)));
        }
        DataType::Float32 => take_singles(intake, 0, column.as_primitive::<Float32Type>().iter()),
        DataType::Float64 => take_doubles(intake, 0, column.as_primitive::<Float64Type>().iter()),
        _ => feed_texts(intake, &source.guard(|| Ok(text(column)?))?),
    }
    Ok(())
}

fn feed_texts<O: OffsetSizeTrait>(intake: &mut Intake<'_>, texts: &GenericStringArray<O>) {
    let (text, offsets) = (texts.value_data(), texts.value_offsets());
    for row in 0..texts.len() {
        let (begin, end) = (offsets[row].as_usize(), offsets[row + 1].as_usize());
        intake.take(row, texts.is_valid(row).then_some(Field { text, begin, end }));
    }
}

/// Whole numbers, of which `bits` makes keys.
fn feed_whole<T: ArrowPrimitiveType>(
    intake: &mut Intake<'_>,
    column: &dyn Array,
    bits: impl Fn(T::Native) -> u64,
) where
    T::Native: std::fmt::Display,
{
    take_whole(intake, 0, column.as_primitive::<T>().iter(), bits);
}

/// The values of a column as texts.
fn text(column: &dyn Array) -> std::result::Result<StringArray, ArrowError> {
    Ok(match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().clone(),
        DataType::LargeUtf8 => column.as_string::<i64>().iter().collect(),
        DataType::Utf8View => column.as_string_view().iter().collect(),
        DataType::Boolean => column.as_boolean().iter().map(|b| b.map(boolean_text)).collect(),
        DataType::Int8 => numbers::<Int8Type>(column, |x| x.to_string()),
        DataType::Int16 => numbers::<Int16Type>(column, |x| x.to_string()),
        DataType::Int32 => numbers::<Int32Type>(column, |x| x.to_string()),
        DataType::Int64 => numbers::<Int64Type>(column, |x| x.to_string()),
        DataType::UInt8 => numbers::<UInt8Type>(column, |x| x.to_string()),
        DataType::UInt16 => numbers::<UInt16Type>(column, |x| x.to_string()),
        DataType::UInt32 => numbers::<UInt32Type>(column, |x| x.to_string()),
        DataType::UInt64 => numbers::<UInt64Type>(column, |x| x.to_string()),
        DataType::Float16 => numbers::<Float16Type>(column, |x| single_text(f32::from(x))),
        DataType::Float32 => numbers::<Float32Type>(column, single_text),
        DataType::Float64 => numbers::<Float64Type>(column, double_text),
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
