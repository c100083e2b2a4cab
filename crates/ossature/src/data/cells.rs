//! The values of an Arrow column as they would appear in a text file.
//!
//! The conversion is written by hand, because the crate that converts any type into any other is a fifth of the
//! build. Most columns have few distinct values, and each becomes text once.

use std::fmt::Write;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrowNativeTypeOp, GenericStringArray, OffsetSizeTrait, StringArray};
use arrow_schema::{ArrowError, DataType};
use rustc_hash::FxHashMap;

use super::arrow::ArrowSource;
use super::coder::{Field, Seen};
use super::intake::Intake;
use crate::error::Result;

/// The largest number of cached numbers.
const KNOWN: usize = 1 << 12;

/// Passes the values of an array to a column; the first one belongs to row `before`.
pub(super) fn feed(
    intake: &mut Intake<'_>,
    before: usize,
    column: &dyn Array,
    source: &ArrowSource<'_>,
) -> Result<()> {
    match column.data_type() {
        DataType::Utf8 => feed_texts(intake, before, column.as_string::<i32>()),
        DataType::LargeUtf8 => feed_texts(intake, before, column.as_string::<i64>()),
        DataType::Utf8View => {
            let texts = column.as_string_view();
            for (row, text) in (before..).zip(texts) {
                intake.take(row, text.map(|text| Field::of(text.as_bytes())));
            }
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
                    intake.take(before + row, None);
                    continue;
                };
                if !feed_known(intake, before + row, known[key]) {
                    let field = values.is_valid(key).then(|| Field::of(values.value(key).as_bytes()));
                    known[key] = Some(intake.take(before + row, field));
                }
            }
        }
        DataType::Float64 if intake.coder.takes_numbers() => {
            let numbers = column.as_primitive::<Float64Type>();
            for (row, number) in (before..).zip(numbers) {
                match number {
                    Some(x) if x.is_finite() => intake.take_seen(row, Seen::Number(x + 0.0), None),
                    other => {
                        let text = other.map(|x| format!("{x:?}"));
                        intake.take(row, text.as_ref().map(|text| Field::of(text.as_bytes())));
                    }
                }
            }
        }
        DataType::Int8 => feed_numbers::<Int8Type>(intake, before, column, |x| x as u64),
        DataType::Int16 => feed_numbers::<Int16Type>(intake, before, column, |x| x as u64),
        DataType::Int32 => feed_numbers::<Int32Type>(intake, before, column, |x| x as u64),
        DataType::Int64 => feed_numbers::<Int64Type>(intake, before, column, |x| x as u64),
        DataType::UInt8 => feed_numbers::<UInt8Type>(intake, before, column, u64::from),
        DataType::UInt16 => feed_numbers::<UInt16Type>(intake, before, column, u64::from),
        DataType::UInt32 => feed_numbers::<UInt32Type>(intake, before, column, u64::from),
        DataType::UInt64 => feed_numbers::<UInt64Type>(intake, before, column, |x| x),
        _ => feed_texts(intake, before, &source.guard(|| text(column))?),
    }
    Ok(())
}

fn feed_texts<O: OffsetSizeTrait>(intake: &mut Intake<'_>, before: usize, texts: &GenericStringArray<O>) {
    let (text, offsets) = (texts.value_data(), texts.value_offsets());
    for row in 0..texts.len() {
        let (begin, end) = (offsets[row].as_usize(), offsets[row + 1].as_usize());
        intake.take(before + row, texts.is_valid(row).then_some(Field { text, begin, end }));
    }
}

/// Takes a value if it is a known level. A column that has become numeric no longer has levels.
#[inline]
fn feed_known(intake: &mut Intake<'_>, row: usize, known: Option<Seen>) -> bool {
    let level = known.filter(|known| matches!(known, Seen::Level(_)) && !intake.coder.is_numbers());
    level.inspect(|&seen| intake.take_seen(row, seen, None)).is_some()
}

/// Whole numbers, of which `bits` makes keys.
fn feed_numbers<T: ArrowPrimitiveType>(
    intake: &mut Intake<'_>,
    before: usize,
    column: &dyn Array,
    bits: impl Fn(T::Native) -> u64,
) where
    T::Native: ArrowNativeTypeOp + std::fmt::Display,
{
    let mut known: FxHashMap<u64, Seen> = FxHashMap::default();
    let mut text = String::new();
    for (row, number) in (before..).zip(column.as_primitive::<T>()) {
        let Some(number) = number else {
            intake.take(row, None);
            continue;
        };
        let key = bits(number);
        if feed_known(intake, row, known.get(&key).copied()) {
            continue;
        }
        text.clear();
        write!(text, "{number}").expect("a text takes all writes");
        let seen = intake.take(row, Some(Field::of(text.as_bytes())));
        if known.len() < KNOWN {
            known.insert(key, seen);
        }
    }
}

/// The values of a column as texts.
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
