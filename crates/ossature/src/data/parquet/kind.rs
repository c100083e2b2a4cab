//! The types of the columns of a Parquet file.
//!
//! A column has a physical type, such as a number of 32 bits, and may have a logical one, such as a date. Files
//! written through Arrow also hold the schema that the table had there, which tells more: which columns are
//! dictionaries (so that numbers are labels), which numbers are durations or times, and which bytes are strings.

use arrow_ipc::convert::try_schema_from_ipc_buffer;
use arrow_schema::{DataType, Schema};
use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::file::metadata::FileMetaData;
use parquet::schema::types::{BasicTypeInfo, Type};

/// How the values of a column are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParquetKind {
    Text,
    Boolean,
    /// Whole numbers of some bits; more than 32 are stored in 64.
    Whole {
        bits: u32,
        signed: bool,
    },
    /// Floats of 16, 32 and 64 bits.
    Half,
    Single,
    Double,
}

/// A column of the file.
pub(super) struct ParquetColumn {
    pub(super) name: String,
    /// The number of its values among those that the file stores, if it is not nested.
    pub(super) leaf: usize,
    /// How its values are stored, or the name of their type if they are not read.
    pub(super) kind: Result<ParquetKind, String>,
    /// Whether it is continuous by type.
    pub(super) floats: bool,
}

/// The columns of a file.
pub(super) fn columns(file: &FileMetaData) -> Vec<ParquetColumn> {
    let schema = file.schema_descr();
    let roots = schema.root_schema().get_fields();
    let mut leaves = vec![0; roots.len()];
    (0..schema.num_columns()).for_each(|leaf| leaves[schema.get_column_root_idx(leaf)] = leaf);
    let arrow = arrow_schema(file);
    let column = |(at, root): (usize, &std::sync::Arc<Type>)| {
        let hint = arrow.as_ref().and_then(|arrow| arrow.fields().get(at));
        let hint = hint.filter(|field| field.name() == root.name()).map(|field| field.data_type());
        let (hint, dictionary) = match hint {
            Some(DataType::Dictionary(_, values)) => (Some(&**values), true),
            hint => (hint, false),
        };
        let kind = kind(root, hint);
        let float = matches!(kind, Ok(ParquetKind::Half | ParquetKind::Single | ParquetKind::Double));
        ParquetColumn { name: root.name().to_owned(), leaf: leaves[at], kind, floats: float && !dictionary }
    };
    roots.iter().enumerate().map(column).collect()
}

/// The kind of a column, or the name of its type.
fn kind(root: &Type, hint: Option<&DataType>) -> Result<ParquetKind, String> {
    let info = root.get_basic_info();
    let logical = info.logical_type_ref();
    let converted = if logical.is_none() { info.converted_type() } else { ConvertedType::NONE };
    if !root.is_primitive() {
        return Err(match (logical, converted) {
            (Some(LogicalType::List), _) | (_, ConvertedType::LIST) => "list".into(),
            (Some(LogicalType::Map), _) | (_, ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE) => {
                "map".into()
            }
            _ => "struct".into(),
        });
    }
    if info.has_repetition() && info.repetition() == Repetition::REPEATED {
        return Err("list".into());
    }
    if logical == Some(&LogicalType::Unknown) {
        return Err("Null".into());
    }
    let plain = logical.is_none() && converted == ConvertedType::NONE;
    match root.get_physical_type() {
        Physical::BOOLEAN => Ok(ParquetKind::Boolean),
        Physical::FLOAT => Ok(ParquetKind::Single),
        Physical::DOUBLE => Ok(ParquetKind::Double),
        Physical::INT32 | Physical::INT64 if plain && hint.is_some_and(DataType::is_temporal) => {
            Err(hint.map_or_else(String::new, |hint| first_word(&hint.to_string())))
        }
        Physical::INT32 if plain => Ok(ParquetKind::Whole { bits: 32, signed: true }),
        Physical::INT64 if plain => Ok(ParquetKind::Whole { bits: 64, signed: true }),
        physical @ (Physical::INT32 | Physical::INT64) => match whole(logical, converted) {
            Some((bits, signed)) if (bits == 64) == (physical == Physical::INT64) => {
                Ok(ParquetKind::Whole { bits, signed })
            }
            _ => Err(type_name(info, physical)),
        },
        Physical::BYTE_ARRAY => match (logical, converted) {
            (Some(LogicalType::String | LogicalType::Json), _) => Ok(ParquetKind::Text),
            (None, ConvertedType::UTF8 | ConvertedType::JSON) => Ok(ParquetKind::Text),
            _ if hint.is_some_and(DataType::is_string) => Ok(ParquetKind::Text),
            _ => Err(type_name(info, Physical::BYTE_ARRAY)),
        },
        Physical::FIXED_LEN_BYTE_ARRAY if logical == Some(&LogicalType::Float16) => Ok(ParquetKind::Half),
        other => Err(type_name(info, other)),
    }
}

/// The bits of a whole number, and whether it has a sign.
fn whole(logical: Option<&LogicalType>, converted: ConvertedType) -> Option<(u32, bool)> {
    match (logical, converted) {
        (Some(LogicalType::Integer(int)), _) => {
            let bits = u32::try_from(int.bit_width).ok().filter(|bits| [8, 16, 32, 64].contains(bits));
            bits.map(|bits| (bits, int.is_signed))
        }
        (None, ConvertedType::INT_8) => Some((8, true)),
        (None, ConvertedType::INT_16) => Some((16, true)),
        (None, ConvertedType::INT_32) => Some((32, true)),
        (None, ConvertedType::INT_64) => Some((64, true)),
        (None, ConvertedType::UINT_8) => Some((8, false)),
        (None, ConvertedType::UINT_16) => Some((16, false)),
        (None, ConvertedType::UINT_32) => Some((32, false)),
        (None, ConvertedType::UINT_64) => Some((64, false)),
        _ => None,
    }
}

/// The name of a type that is not read.
fn type_name(info: &BasicTypeInfo, physical: Physical) -> String {
    if let Some(logical) = info.logical_type_ref() {
        return first_word(&format!("{logical:?}"));
    }
    match (info.converted_type(), physical) {
        (ConvertedType::DATE, _) => "Date".into(),
        (ConvertedType::TIME_MILLIS | ConvertedType::TIME_MICROS, _) => "Time".into(),
        (ConvertedType::TIMESTAMP_MILLIS | ConvertedType::TIMESTAMP_MICROS, _) => "Timestamp".into(),
        (ConvertedType::DECIMAL, _) => "Decimal".into(),
        (ConvertedType::INTERVAL, _) => "Interval".into(),
        (ConvertedType::ENUM, _) => "Enum".into(),
        (ConvertedType::BSON, _) => "Bson".into(),
        (_, Physical::INT96) => "Timestamp".into(),
        (_, Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY) => "Binary".into(),
        (other, physical) => format!("{other} in {physical}"),
    }
}

fn first_word(text: &str) -> String {
    text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default().to_owned()
}

/// The schema that the table had in Arrow, if the file holds it.
fn arrow_schema(file: &FileMetaData) -> Option<Schema> {
    let entries = file.key_value_metadata()?;
    let entry = entries.iter().find(|entry| entry.key == "ARROW:schema")?;
    try_schema_from_ipc_buffer(&base64(entry.value.as_ref()?)?).ok()
}

/// The bytes that a text in base 64 stands for.
fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut word, mut bits) = (0_u32, 0);
    for digit in text.trim_end_matches('=').bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        word = word << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((word >> bits) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64() {
        for (text, bytes) in
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmFy", "foobar")]
        {
            assert_eq!(base64(text).as_deref(), Some(bytes.as_bytes()));
        }
        assert_eq!(base64("+/8"), Some(vec![0xFB, 0xFF]));
        assert_eq!(base64("a b"), None);
    }
}
