//! The types and encodings of Parquet: which are read, and as what; the others are refused by a name people know.

use std::sync::Arc;

use ossature::data::Continuous;
use parquet::basic::{
    Compression, ConvertedType, Encoding, LogicalType, Repetition, TimeUnit as ParquetUnit, Type as Physical,
    ZstdLevel,
};
use parquet::data_type::{
    ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType, FloatType,
    Int32Type, Int64Type,
};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{PrimitiveTypeBuilder, Type};

use super::*;
use crate::parquet_file::{ParquetValues, one_column};

fn of(physical: Physical) -> PrimitiveTypeBuilder<'static> {
    Type::primitive_type_builder("x", physical).with_repetition(Repetition::OPTIONAL)
}

fn logical(physical: Physical, logical: LogicalType) -> Type {
    of(physical).with_logical_type(Some(logical)).build().unwrap()
}

fn converted(physical: Physical, converted: ConvertedType) -> Type {
    of(physical).with_converted_type(converted).with_precision(5).with_scale(2).build().unwrap()
}

fn bytes<T: DataType>(of: Type, rows: &[Option<T::T>]) -> Vec<u8> {
    one_column(ParquetValues::<T> { of, rows: rows.to_vec() }, WriterProperties::default())
}

fn read_as(bytes: &[u8], options: &ReadOptions) -> Result<Table> {
    let file = tempfile::Builder::new().suffix(".parquet").tempfile().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    read(file.path(), options, &Silent)
}

/// The labels of the column, if floats are labels as well.
fn labels_in(bytes: &[u8]) -> Vec<String> {
    let none = Continuous::Columns(Vec::new());
    let options = ReadOptions { continuous: none, ..missing(MissingPolicy::Level) };
    let data = read_as(bytes, &options).unwrap().data;
    labels(&data, "x").into_iter().map(str::to_owned).collect()
}

fn refused(bytes: &[u8]) -> String {
    read_as(bytes, &default()).unwrap_err().to_string()
}

#[test]
fn whole_numbers_of_all_widths() {
    let rows = [Some(-1), None, Some(7)];
    let both = |bits: i8, signed, old| {
        [logical(Physical::INT32, LogicalType::integer(bits, signed)), converted(Physical::INT32, old)]
    };
    for (bits, signed, old, least) in [
        (8, true, ConvertedType::INT_8, "-1"),
        (16, true, ConvertedType::INT_16, "-1"),
        (32, true, ConvertedType::INT_32, "-1"),
        (8, false, ConvertedType::UINT_8, "255"),
        (16, false, ConvertedType::UINT_16, "65535"),
        (32, false, ConvertedType::UINT_32, "4294967295"),
    ] {
        for column in both(bits, signed, old) {
            assert_eq!(labels_in(&bytes::<Int32Type>(column, &rows)), [least, "NA", "7"], "{bits} {signed}");
        }
    }
    assert_eq!(
        labels_in(&bytes::<Int32Type>(of(Physical::INT32).build().unwrap(), &rows)),
        ["-1", "NA", "7"]
    );
    let rows = [Some(-1), None, Some(i64::MAX)];
    for (column, least) in [
        (of(Physical::INT64).build().unwrap(), "-1"),
        (logical(Physical::INT64, LogicalType::integer(64, true)), "-1"),
        (converted(Physical::INT64, ConvertedType::INT_64), "-1"),
        (logical(Physical::INT64, LogicalType::integer(64, false)), "18446744073709551615"),
        (converted(Physical::INT64, ConvertedType::UINT_64), "18446744073709551615"),
    ] {
        assert_eq!(labels_in(&bytes::<Int64Type>(column, &rows)), [least, "NA", "9223372036854775807"]);
    }
}

#[test]
fn floats_of_all_widths() {
    let single = bytes::<FloatType>(of(Physical::FLOAT).build().unwrap(), &[Some(0.1), None, Some(-0.0)]);
    let double = bytes::<DoubleType>(of(Physical::DOUBLE).build().unwrap(), &[Some(0.1), None, Some(-0.0)]);
    let two = |a: u8, b: u8| Some(FixedLenByteArray::from(vec![a, b]));
    let half =
        of(Physical::FIXED_LEN_BYTE_ARRAY).with_length(2).with_logical_type(Some(LogicalType::Float16));
    // 0.099975586 is the number of 16 bits nearest to 0.1.
    let half = bytes::<FixedLenByteArrayType>(half.build().unwrap(), &[two(0x66, 0x2E), None, two(0, 0x80)]);
    for (bytes, first) in [(single, "0.1"), (double, "0.1"), (half, "0.099975586")] {
        assert_eq!(labels_in(&bytes), [first, "NA", "0.0"]);
        let data = read_as(&bytes, &missing(MissingPolicy::Drop)).unwrap().data;
        assert_eq!(data.column(ossature::Var(0)).numbers().unwrap(), [first.parse().unwrap(), 0.0]);
    }
}

#[test]
fn texts() {
    let rows = ["a", "", "é"].map(|text| Some(ByteArray::from(text)));
    for column in [
        logical(Physical::BYTE_ARRAY, LogicalType::String),
        logical(Physical::BYTE_ARRAY, LogicalType::Json),
        converted(Physical::BYTE_ARRAY, ConvertedType::UTF8),
    ] {
        assert_eq!(labels_in(&bytes::<ByteArrayType>(column, &rows)), ["a", "NA", "é"]);
    }
    for dictionary in [true, false] {
        let properties = WriterProperties::builder().set_dictionary_enabled(dictionary).build();
        let rows = vec![Some(ByteArray::from("a")), Some(ByteArray::from(vec![0xFF_u8]))];
        let column = logical(Physical::BYTE_ARRAY, LogicalType::String);
        let bytes = one_column(ParquetValues::<ByteArrayType> { of: column, rows }, properties);
        // Not even if what is not declared counts as missing.
        let lenient = ReadOptions { unknown_as_missing: true, ..levels("x", ["a", "b"]) };
        for options in [default(), lenient] {
            let refused = read_as(&bytes, &options).unwrap_err().to_string();
            assert!(refused.contains("column x: found bytes that are not UTF-8"), "{refused}");
        }
    }
}

#[test]
fn every_encoding() {
    let words = ["alpha", "alpine", "", "beta", "betatron", "gamma"];
    let texts: Vec<Option<ByteArray>> =
        (0..20_000).map(|i| (i % 7 < 6).then(|| ByteArray::from(words[i * i % 37 % 6]))).collect();
    let expected = (0..20_000).map(|i| if i % 7 < 6 { words[i * i % 37 % 6] } else { "" });
    let expected: Vec<&str> = expected.map(|text| if text.is_empty() { "NA" } else { text }).collect();
    let numbers: Vec<Option<i64>> = (0..20_000).map(|i| (i % 7 < 6).then_some(i * i % 37 - 9)).collect();
    let shown: Vec<String> =
        numbers.iter().map(|x| x.map_or_else(|| "NA".to_owned(), |x| x.to_string())).collect();
    let floats: Vec<Option<f64>> = numbers.iter().map(|x| x.map(|x| x as f64 / 4.0)).collect();
    let shown_floats: Vec<String> =
        floats.iter().map(|x| x.map_or_else(|| "NA".to_owned(), |x| format!("{x:?}"))).collect();
    for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
        let with = |encoding: Encoding| {
            let properties = WriterProperties::builder().set_writer_version(version);
            let dictionary = encoding == Encoding::RLE_DICTIONARY;
            let properties = properties.set_dictionary_enabled(dictionary).set_data_page_row_count_limit(999);
            let properties = if dictionary { properties } else { properties.set_encoding(encoding) };
            properties.set_write_batch_size(100).build()
        };
        for encoding in [
            Encoding::PLAIN,
            Encoding::RLE_DICTIONARY,
            Encoding::DELTA_LENGTH_BYTE_ARRAY,
            Encoding::DELTA_BYTE_ARRAY,
        ] {
            let column = logical(Physical::BYTE_ARRAY, LogicalType::String);
            let column = ParquetValues::<ByteArrayType> { of: column, rows: texts.clone() };
            assert_eq!(labels_in(&one_column(column, with(encoding))), expected, "{encoding}");
        }
        for encoding in [
            Encoding::PLAIN,
            Encoding::RLE_DICTIONARY,
            Encoding::DELTA_BINARY_PACKED,
            Encoding::BYTE_STREAM_SPLIT,
        ] {
            let column = of(Physical::INT64).build().unwrap();
            let column = ParquetValues::<Int64Type> { of: column, rows: numbers.clone() };
            assert_eq!(labels_in(&one_column(column, with(encoding))), shown, "{encoding}");
        }
        for encoding in [Encoding::PLAIN, Encoding::RLE_DICTIONARY, Encoding::BYTE_STREAM_SPLIT] {
            let column = of(Physical::DOUBLE).build().unwrap();
            let column = ParquetValues::<DoubleType> { of: column, rows: floats.clone() };
            assert_eq!(labels_in(&one_column(column, with(encoding))), shown_floats, "{encoding}");
        }
    }
}

#[test]
fn a_dictionary_that_became_too_large_is_not_the_end_of_the_column() {
    let label = |i: usize| format!("label {}", if i < 3000 { i % 50 } else { i % 1000 });
    let rows = (0..9000).map(|i| Some(ByteArray::from(label(i).as_str()))).collect();
    let column =
        ParquetValues::<ByteArrayType> { of: logical(Physical::BYTE_ARRAY, LogicalType::String), rows };
    let properties = WriterProperties::builder().set_dictionary_page_size_limit(2000);
    let properties = properties.set_data_page_row_count_limit(700).set_write_batch_size(100).build();
    assert_eq!(labels_in(&one_column(column, properties)), (0..9000).map(label).collect::<Vec<_>>());
}

#[test]
fn other_types_are_refused_by_names_people_know() {
    let whole = [Some(1), None];
    let timestamp = LogicalType::timestamp(true, ParquetUnit::MILLIS);
    for (column, name) in [
        (logical(Physical::INT32, LogicalType::Date), "Date"),
        (converted(Physical::INT32, ConvertedType::DATE), "Date"),
        (logical(Physical::INT32, LogicalType::time(true, ParquetUnit::MILLIS)), "Time"),
        (converted(Physical::INT32, ConvertedType::DECIMAL), "Decimal"),
        (logical(Physical::INT32, LogicalType::Unknown), "Null"),
    ] {
        let said = refused(&bytes::<Int32Type>(column, &whole));
        assert!(said.contains(&format!("column x: found values of the type {name}, expected")), "{said}");
    }
    for (column, name) in [
        (logical(Physical::INT64, timestamp), "Timestamp"),
        (converted(Physical::INT64, ConvertedType::TIMESTAMP_MICROS), "Timestamp"),
    ] {
        let said = refused(&bytes::<Int64Type>(column, &[Some(1), None]));
        assert!(said.contains(&format!("values of the type {name}, expected")), "{said}");
    }
    for (column, name) in [
        (of(Physical::BYTE_ARRAY).build().unwrap(), "Binary"),
        (logical(Physical::BYTE_ARRAY, LogicalType::Enum), "Enum"),
    ] {
        let said = refused(&bytes::<ByteArrayType>(column, &[Some(ByteArray::from("a"))]));
        assert!(said.contains(&format!("values of the type {name}, expected")), "{said}");
    }
}

#[test]
fn nested_columns_are_refused_where_they_are_wanted() {
    let leaf = |name: &'static str, repetition| {
        let leaf = Type::primitive_type_builder(name, Physical::INT32).with_repetition(repetition);
        Arc::new(leaf.build().unwrap())
    };
    let group = |name: &'static str, logical| {
        let fields = vec![leaf("u", Repetition::OPTIONAL)];
        let repeated = Type::group_type_builder("list").with_repetition(Repetition::REPEATED);
        let fields = match logical {
            None => fields,
            Some(_) => vec![Arc::new(repeated.with_fields(fields).build().unwrap())],
        };
        let group = Type::group_type_builder(name).with_repetition(Repetition::OPTIONAL);
        Arc::new(group.with_logical_type(logical).with_fields(fields).build().unwrap())
    };
    let fields = vec![
        group("s", None),
        leaf("r", Repetition::REPEATED),
        group("l", Some(LogicalType::List)),
        leaf("x", Repetition::OPTIONAL),
    ];
    let schema = Type::group_type_builder("schema").with_fields(fields).build().unwrap();
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::default()).unwrap();
    let mut rows = writer.next_row_group().unwrap();
    for (present, repeated) in [(2, false), (1, true), (3, true), (1, false)] {
        let mut column = rows.next_column().unwrap().unwrap();
        let levels = [present, 0];
        let repeated = repeated.then_some(&[0, 0][..]);
        column.typed::<Int32Type>().write_batch(&[5], Some(&levels), repeated).unwrap();
        column.close().unwrap();
    }
    rows.close().unwrap();
    let bytes = writer.into_inner().unwrap();
    for (name, kind) in [("s", "struct"), ("r", "list"), ("l", "list")] {
        let options = ReadOptions { columns: Some(vec![name.into()]), ..default() };
        let said = read_as(&bytes, &options).unwrap_err().to_string();
        assert!(
            said.contains(&format!("column {name}: found values of the type {kind}, expected")),
            "{said}"
        );
    }
    let options = ReadOptions { columns: Some(vec!["x".into()]), ..missing(MissingPolicy::Level) };
    assert_eq!(labels(&read_as(&bytes, &options).unwrap().data, "x"), ["5", "NA"]);
}

/// The schema of a column `x`, which is a dictionary of floats, and of a column `d` of durations, as pyarrow 26 stores it.
const ARROW_SCHEMA: &str = "/////9AAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAEAAAAgP///wQAAAACAAAAUAAAABQAAAAQABQACAAGAAcADAAAABAAEAAAAAAAARIQAAAAFAAAAAQAAAAAAAAAAQAAAGQAAACe////AAAAABAAGAAIAAYABwAMABAAFAAQAAAAAAABAxQAAABEAAAAHAAAAAQAAAAAAAAAAQAAAHgAAAAIAAgAAAAEAAgAAAAMAAAACAAOAAgABwAIAAAAAAAAAQgAAAAAAAYACAAGAAYAAAAAAAIA";

#[test]
fn the_schema_of_arrow_tells_dictionaries_and_durations() {
    let with = |schema: &str, dropped: &str| {
        let field = |name, physical| Arc::new(Type::primitive_type_builder(name, physical).build().unwrap());
        let fields = vec![field("x", Physical::DOUBLE), field("d", Physical::INT64)];
        let of = Type::group_type_builder("schema").with_fields(fields).build().unwrap();
        let schema = KeyValue::new("ARROW:schema".to_owned(), schema.to_owned());
        let properties = WriterProperties::builder().set_key_value_metadata(Some(vec![schema])).build();
        let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(of), Arc::new(properties)).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let levels = Some(&[1, 1][..]);
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(&[0.5, 1.5], levels, None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&[1, 2], levels, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        let drop = vec![dropped.to_owned()];
        read_as(&writer.into_inner().unwrap(), &ReadOptions { drop, ..default() })
    };
    assert_eq!(labels(&with(ARROW_SCHEMA, "d").unwrap().data, "x"), ["0.5", "1.5"]);
    let said = with(ARROW_SCHEMA, "x").unwrap_err().to_string();
    assert!(said.contains("column d: found values of the type Duration, expected"), "{said}");
    for schema in ["", "AAAA", "no base 64", &ARROW_SCHEMA[..100]] {
        assert!(with(schema, "d").unwrap().data.variables()[0].is_continuous());
        assert_eq!(labels(&with(schema, "x").unwrap().data, "d"), ["1", "2"]);
    }
}

#[test]
fn an_absurd_size_of_a_page_is_not_allocated() {
    let rows = vec![Some(0_i64); 200_000];
    let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default()));
    let properties = properties.set_dictionary_enabled(false).set_data_page_size_limit(1 << 24);
    let properties = properties.set_data_page_row_count_limit(1 << 20).build();
    let column = ParquetValues::<Int64Type> { of: of(Physical::INT64).build().unwrap(), rows };
    let bytes = one_column(column, properties);
    assert_eq!(read_as(&bytes, &default()).unwrap().data.rows(), 200_000);
    // Behind the magic is the type of the first page, and then its size, in four bytes of seven bits.
    assert_eq!((bytes[4..7].to_vec(), bytes[9] & 0x80, bytes[10] & 0x80), (vec![0x15, 0, 0x15], 0x80, 0));
    let mut damaged = bytes.clone();
    damaged[7..11].copy_from_slice(&[0xFE, 0xFF, 0xFF, 0x7F]);
    let said = refused(&damaged);
    assert!(said.contains("a page is larger than it can be"), "{said}");
}
