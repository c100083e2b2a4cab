//! Parquet and Arrow files: the same table as from text, and damaged files are refused.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::{Int8Type, UInt32Type};
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, DictionaryArray, Float64Array, Int64Array, LargeStringArray,
    RecordBatch, StringArray, StringViewArray, UInt8Array,
};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::*;
use ossature::Var;
use ossature::data::Continuous;

/// One batch with every kind of column, with nulls in the last row of `utf8` on request.
fn batch(null: bool) -> RecordBatch {
    let dictionary: DictionaryArray<Int8Type> = ["b", "a", "b"].into_iter().collect();
    let large: DictionaryArray<UInt32Type> = ["é,", "\"", "é,"].into_iter().collect();
    let last = if null { None } else { Some("z") };
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("utf8", Arc::new(StringArray::from(vec![Some("x"), Some("y"), last]))),
        ("large_utf8", Arc::new(LargeStringArray::from(vec!["x", "None", "x"]))),
        (
            "view",
            Arc::new(StringViewArray::from(vec!["short", "a label of more than twelve bytes", "short"])),
        ),
        ("dictionary", Arc::new(dictionary)),
        ("dictionary_32", Arc::new(large)),
        ("int64", Arc::new(Int64Array::from(vec![10, -9, i64::MIN]))),
        ("uint8", Arc::new(UInt8Array::from(vec![0, 255, 7]))),
        ("boolean", Arc::new(BooleanArray::from(vec![true, false, true]))),
        ("float64", Arc::new(Float64Array::from(vec![0.5, 1.0, -3.25]))),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

const AS_TEXT: &str = "utf8,large_utf8,view,dictionary,dictionary_32,int64,uint8,boolean,float64\n\
    x,x,short,b,\"é,\",10,0,true,0.5\n\
    y,None,a label of more than twelve bytes,a,\"\"\"\",-9,255,false,1.0\n\
    z,x,short,b,\"é,\",-9223372036854775808,7,true,-3.25\n";

fn parquet(batch: &RecordBatch, compression: Compression) -> Vec<u8> {
    let properties = WriterProperties::builder().set_compression(compression).build();
    crate::parquet_file::table(batch, 1 << 20, properties)
}

fn ipc_file(batch: &RecordBatch, options: IpcWriteOptions) -> Vec<u8> {
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

fn ipc_stream(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

/// The files that hold a batch, with names that tell their formats.
fn files(batch: &RecordBatch) -> Vec<(&'static str, Vec<u8>)> {
    let compressed = |codec| IpcWriteOptions::default().try_with_compression(Some(codec)).unwrap();
    vec![
        ("a.parquet", parquet(batch, Compression::UNCOMPRESSED)),
        ("snappy.parquet", parquet(batch, Compression::SNAPPY)),
        ("zstd.parquet", parquet(batch, Compression::ZSTD(ZstdLevel::default()))),
        ("a.arrow", ipc_file(batch, IpcWriteOptions::default())),
        ("lz4.feather", ipc_file(batch, compressed(arrow_ipc::CompressionType::LZ4_FRAME))),
        ("zstd.arrow", ipc_file(batch, compressed(arrow_ipc::CompressionType::ZSTD))),
        ("stream.arrow", ipc_stream(batch)),
    ]
}

fn read_bytes(dir: &Path, name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Table> {
    let path = dir.join(name);
    std::fs::write(&path, bytes).unwrap();
    read(&path, options, &Silent)
}

#[test]
fn every_format_gives_the_table_that_text_gives() {
    let dir = tempfile::tempdir().unwrap();
    let with = |continuous| ReadOptions { continuous, ..default() };
    let none = with(Continuous::Columns(Vec::new()));
    let expected = table_of(AS_TEXT, &default()).unwrap();
    let by_type = table_of(AS_TEXT, &with(Continuous::Columns(vec!["float64".into()]))).unwrap();
    assert!(by_type.data.variable(by_type.data.var("float64").unwrap()).is_continuous());
    for (name, bytes) in files(&batch(false)) {
        assert_eq!(read_bytes(dir.path(), name, &bytes, &none).unwrap(), expected, "{name}");
        assert_eq!(read_bytes(dir.path(), name, &bytes, &default()).unwrap(), by_type, "{name}");
    }
}

#[test]
fn nulls_are_missing() {
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in files(&batch(true)) {
        let refused = read_bytes(dir.path(), name, &bytes, &default()).unwrap_err().to_string();
        assert!(refused.contains("column utf8, row 3: 1 missing value,"), "{refused}");
        let dropped = read_bytes(dir.path(), name, &bytes, &missing(MissingPolicy::Drop)).unwrap();
        assert_eq!((dropped.data.rows(), dropped.report.rows_dropped), (2, 1));
        let level = read_bytes(dir.path(), name, &bytes, &missing(MissingPolicy::Level)).unwrap();
        assert_eq!(labels(&level.data, "utf8"), ["x", "y", "NA"]);
    }
}

#[test]
fn options_hold_as_for_text() {
    let dir = tempfile::tempdir().unwrap();
    let numbers: Vec<f64> = (0..20_000).map(f64::from).collect();
    let texts: Vec<&str> = (0..20_000).map(|i| if i == 11_000 { "NA" } else { "yes" }).collect();
    let batch = RecordBatch::try_from_iter([
        ("x", Arc::new(Float64Array::from(numbers)) as ArrayRef),
        ("y", Arc::new(StringArray::from(texts)) as ArrayRef),
    ])
    .unwrap();
    for (name, bytes) in files(&batch) {
        let read = |options: &ReadOptions| read_bytes(dir.path(), name, &bytes, options);
        let known = levels("y", ["NA", "yes"]);
        let labels_only = ReadOptions { continuous: Continuous::Columns(Vec::new()), ..known.clone() };
        let refused = read(&labels_only).unwrap_err().to_string();
        assert!(refused.ends_with("; treat it as continuous or cut it into intervals"), "{refused}");
        let taken = read(&known).unwrap().data;
        assert_eq!(taken.column(taken.var("x").unwrap()).numbers().unwrap()[7], 7.0);
        let cut = ReadOptions { levels: levels("y", ["NA", "yes"]).levels, ..discretise(&["*=quantile:4"]) };
        let table = read(&cut).unwrap();
        assert_eq!(table.report.discretised, [("x".to_owned(), vec![5000.0, 10_000.0, 15_000.0])]);
        assert_eq!(labels(&table.data, "y")[11_000], "NA");
        let refused = read(&discretise(&["x=width:2"])).unwrap_err().to_string();
        assert!(refused.contains("column y, row 11001: 1 missing value"), "{refused}");
    }
}

#[test]
fn other_types_are_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let batch =
        RecordBatch::try_from_iter([("day", Arc::new(Date32Array::from(vec![1])) as ArrayRef)]).unwrap();
    for (name, bytes) in files(&batch) {
        let refused = read_bytes(dir.path(), name, &bytes, &default()).unwrap_err().to_string();
        let of = if name.ends_with("parquet") { "Date" } else { "Date32" };
        let refused = refused.replace(&format!("type {of},"), "type DATE,");
        assert!(
            refused.ends_with("column day: found values of the type DATE, expected strings, dictionaries of strings, integers, floats or booleans"),
            "{refused}"
        );
    }
}

#[test]
fn empty_tables_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in files(&batch(false).slice(0, 0)) {
        let refused = read_bytes(dir.path(), name, &bytes, &default()).unwrap_err().to_string();
        assert!(refused.contains("a header without rows"), "{name}: {refused}");
    }
    for name in ["a.parquet", "a.arrow"] {
        for bytes in [&b""[..], b"x,y\n1,2\n", b"FEA1....FEA1", b"ARROW1\0\0ARROW1", b"PAR1PAR1"] {
            let refused = read_bytes(dir.path(), name, bytes, &default());
            assert!(matches!(refused, Err(Error::Syntax { .. })), "{name}: {refused:?}");
        }
    }
    let file = File::create(dir.path().join("a.arrow")).unwrap();
    drop(file);
    assert!(read(&dir.path().join("none.parquet"), &default(), &Silent).is_err());
}

#[test]
fn a_file_that_is_cut_off_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in files(&batch(false)) {
        // A stream may end without its end mark, which is the last 8 bytes.
        let end = if name.starts_with("stream") { bytes.len() - 8 } else { bytes.len() };
        for cut in (0..end).step_by(37).chain([end - 1]) {
            let table = read_bytes(dir.path(), name, &bytes[..cut], &default());
            assert!(matches!(table, Err(Error::Syntax { .. })), "{name} cut at {cut}: {table:?}");
        }
    }
}

#[test]
fn a_damaged_file_is_read_or_refused() {
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in files(&batch(true)) {
        for at in (0..bytes.len()).step_by(19) {
            let mut damaged = bytes.clone();
            damaged[at] ^= [0x01, 0x80, 0xFF][at % 3];
            let _ = read_bytes(dir.path(), name, &damaged, &missing(MissingPolicy::Level));
        }
    }
}

#[test]
fn an_absurd_size_is_not_allocated() {
    let dir = tempfile::tempdir().unwrap();
    let options =
        IpcWriteOptions::default().try_with_compression(Some(arrow_ipc::CompressionType::ZSTD)).unwrap();
    let repeated: StringArray = std::iter::repeat_n(Some("the same label"), 5000).collect();
    let batch = RecordBatch::try_from_iter([("x", Arc::new(repeated) as ArrayRef)]).unwrap();
    let bytes = ipc_file(&batch, options);
    // The size of the uncompressed text, stored before the compressed one.
    let size = (5000_u64 * 14).to_le_bytes();
    let at = bytes.windows(8).position(|w| w == size).unwrap();
    for absurd in [1 << 40, 1 << 62, u64::MAX / 2] {
        let mut damaged = bytes.clone();
        damaged[at..at + 8].copy_from_slice(&u64::to_le_bytes(absurd));
        let refused = read_bytes(dir.path(), "a.arrow", &damaged, &default()).unwrap_err().to_string();
        assert!(refused.contains("larger than it can be"), "{refused}");
    }
    assert_eq!(read_bytes(dir.path(), "a.arrow", &bytes, &default()).unwrap().data.rows(), 5000);
}

/// A table of one column in Parquet, compressed with Brotli, as pyarrow writes it.
const BROTLI: [u8; 183] = [
    80, 65, 82, 49, 21, 0, 21, 42, 21, 44, 44, 21, 6, 21, 0, 21, 6, 21, 6, 28, 0, 0, 0, 27, 20, 0, 0, 4, 118,
    192, 202, 48, 230, 38, 21, 89, 36, 150, 36, 142, 233, 1, 170, 153, 126, 21, 4, 25, 44, 53, 0, 24, 6, 115,
    99, 104, 101, 109, 97, 21, 2, 0, 21, 12, 37, 2, 24, 1, 97, 37, 0, 76, 28, 0, 0, 0, 22, 6, 25, 28, 25, 28,
    38, 0, 28, 21, 12, 25, 37, 6, 0, 25, 24, 1, 97, 21, 8, 22, 6, 22, 80, 22, 82, 38, 8, 73, 28, 21, 0, 21,
    0, 21, 2, 0, 60, 22, 6, 25, 6, 25, 38, 0, 6, 0, 0, 0, 22, 80, 22, 6, 38, 8, 22, 82, 0, 40, 32, 112, 97,
    114, 113, 117, 101, 116, 45, 99, 112, 112, 45, 97, 114, 114, 111, 119, 32, 118, 101, 114, 115, 105, 111,
    110, 32, 50, 54, 46, 48, 46, 49, 25, 28, 28, 0, 0, 0, 130, 0, 0, 0, 80, 65, 82, 49,
];

#[test]
fn a_codec_that_is_not_built_in_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let refused = read_bytes(dir.path(), "a.parquet", &BROTLI, &default()).unwrap_err().to_string();
    assert!(refused.contains("a codec that is not supported, brotli, expected"), "{refused}");
    assert!(refused.contains("Snappy, gzip, LZ4 or Zstandard"), "{refused}");
}

#[test]
fn minus_nothing_is_nothing() {
    let zeros: ArrayRef = Arc::new(Float64Array::from(vec![0.0, -0.0, -0.5]));
    let batch = RecordBatch::try_from_iter([("x", zeros)]).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let bytes = parquet(&batch, Compression::UNCOMPRESSED);
    let labels = ReadOptions { continuous: Continuous::Columns(Vec::new()), ..default() };
    let table = read_bytes(dir.path(), "a.parquet", &bytes, &labels).unwrap();
    assert_eq!(table.data.variables()[0].levels(), ["-0.5", "0.0"]);
    let numbers = read_bytes(dir.path(), "a.parquet", &bytes, &default()).unwrap().data;
    let numbers = numbers.column(Var(0)).numbers().unwrap().to_vec();
    assert!(numbers[..2].iter().all(|x| x.to_bits() == 0));
}

#[test]
fn only_the_columns_that_are_chosen_are_looked_at() {
    let dates: ArrayRef = Arc::new(Date32Array::from(vec![1, 2, 3]));
    let labels: ArrayRef = Arc::new(StringArray::from(vec!["a", "b", "a"]));
    let batch = RecordBatch::try_from_iter([("day", dates), ("x", labels)]).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let bytes = parquet(&batch, Compression::UNCOMPRESSED);
    assert!(read_bytes(dir.path(), "a.parquet", &bytes, &default()).is_err());
    for options in [
        ReadOptions { drop: vec!["day".into()], ..default() },
        ReadOptions { columns: Some(vec!["x".into()]), ..default() },
    ] {
        let table = read_bytes(dir.path(), "a.parquet", &bytes, &options).unwrap();
        assert_eq!(table.data.variables().len(), 1);
    }
}
