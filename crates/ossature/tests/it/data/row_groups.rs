//! Parquet by row groups: the same table as from text, for any grouping of the rows, and from several files.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use ossature::data::{Continuous, read_files};
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;

use super::*;
use crate::parquet_file;

/// A label, a whole number and a number, any of which may be missing.
type Row = (Option<String>, Option<i64>, Option<f64>);

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let label =
        prop_oneof![8 => "[a-d]{1,9}".prop_map(Some), 1 => Just(Some("NA".to_owned())), 1 => Just(None)];
    let whole = prop_oneof![15 => (-3_i64..9).prop_map(Some), 1 => Just(None)];
    let number = prop_oneof![
        15 => (-8_i32..8).prop_map(|x| Some(f64::from(x) / 4.0)),
        1 => Just(Some(f64::NAN)),
        1 => Just(None),
    ];
    prop::collection::vec((label, whole, number), 1..60)
}

fn batch(rows: &[Row]) -> RecordBatch {
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("n", Arc::new(rows.iter().map(|row| row.1).collect::<Int64Array>())),
        ("l", Arc::new(rows.iter().map(|row| row.0.clone()).collect::<StringArray>())),
        ("x", Arc::new(rows.iter().map(|row| row.2).collect::<Float64Array>())),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

fn as_text(rows: &[Row]) -> String {
    let field = |text: Option<String>| text.unwrap_or_default();
    rows.iter().fold("n,l,x\n".to_owned(), |text, (label, whole, number)| {
        let (whole, number) = (whole.map(|n| n.to_string()), number.map(|x| format!("{x:?}")));
        text + &format!("{},{},{}\n", field(whole), field(label.clone()), field(number))
    })
}

fn write(path: &Path, rows: &[Row], group: usize, dictionary: bool) {
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(dictionary)
        .set_data_page_row_count_limit(7)
        .set_write_batch_size(3)
        .build();
    std::fs::write(path, parquet_file::table(&batch(rows), group, properties)).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn row_groups_and_files_change_nothing(
        rows in rows(),
        (group, cut) in (1_usize..70, any::<prop::sample::Index>()),
        dictionary: bool,
        policy in prop::sample::select(vec![
            MissingPolicy::Error, MissingPolicy::Drop, MissingPolicy::Available, MissingPolicy::Level,
        ]),
        labels: bool,
    ) {
        let continuous = Continuous::Columns(if labels { Vec::new() } else { vec!["x".into()] });
        let as_by_type = ReadOptions { continuous, ..missing(policy) };
        let options = if labels { as_by_type.clone() } else { missing(policy) };
        let dir = tempfile::tempdir().unwrap();
        let [whole, one, two] = ["a.parquet", "one.parquet", "two.parquet"].map(|name| dir.path().join(name));
        write(&whole, &rows, group, dictionary);
        let read_whole = read(&whole, &options, &Silent);
        match table_of(as_text(&rows), &as_by_type) {
            // Compared as text, because a missing number is not equal to itself.
            Ok(expected) => prop_assert_eq!(format!("{:?}", read_whole.as_ref().unwrap()), format!("{expected:?}")),
            Err(Error::Missing { total, columns, first }) => {
                let said = read_whole.as_ref().unwrap_err().to_string();
                let line: u64 = first.to_string().split("line ").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
                let place = format!("row {}: {total} missing value", line - 1);
                prop_assert!(said.contains(&place), "{} {:?} {}", said, columns, place);
            }
            Err(_) => prop_assert!(read_whole.is_err()),
        }
        let cut = cut.index(rows.len());
        write(&one, &rows[..cut], group, dictionary);
        write(&two, &rows[cut..], group, !dictionary);
        let parts = read_files(&[one, two], &options, &Silent);
        match read_whole {
            Ok(table) => prop_assert_eq!(format!("{:?}", parts.unwrap()), format!("{table:?}")),
            Err(_) => prop_assert!(parts.is_err()),
        }
    }
}

#[test]
fn many_columns_are_read_by_some_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let column = |c: usize| -> ArrayRef {
        Arc::new((0..3).map(|row| Some(["a", "b", "c"][(row * c + c) % 3])).collect::<StringArray>())
    };
    let batch = RecordBatch::try_from_iter((0..2500).map(|c| (format!("v{c}"), column(c)))).unwrap();
    let path = dir.path().join("wide.parquet");
    std::fs::write(&path, parquet_file::table(&batch, 3, WriterProperties::default())).unwrap();
    let options = ReadOptions { drop: vec!["v7".into(), "v1100".into()], ..default() };
    let data = read(&path, &options, &Silent).unwrap().data;
    assert_eq!(data.variables().len(), 2498);
    for c in [0, 1, 6, 8, 1023, 1024, 1099, 1101, 2499] {
        let expected: Vec<&str> = (0..3).map(|row| ["a", "b", "c"][(row * c + c) % 3]).collect();
        assert_eq!(labels(&data, &format!("v{c}")), expected);
    }
}

#[test]
fn files_whose_columns_have_other_types_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, column: ArrayRef| {
        let batch = RecordBatch::try_from_iter([("x", column)]).unwrap();
        let path = dir.path().join(name);
        std::fs::write(&path, parquet_file::table(&batch, 2, WriterProperties::default())).unwrap();
        path
    };
    let floats = write("a.parquet", Arc::new(Float64Array::from(vec![0.5, 1.0])));
    let whole = write("b.parquet", Arc::new(Int64Array::from(vec![1, 2])));
    let refused = read_files(&[&floats, &whole], &default(), &Silent).unwrap_err().to_string();
    assert!(
        refused.contains("b.parquet, column x: found labels or whole numbers, expected floats, as in"),
        "{refused}"
    );
    let refused = read_files(&[&whole, &floats], &default(), &Silent).unwrap_err().to_string();
    assert!(
        refused.contains("a.parquet, column x: found floats, expected labels or whole numbers, as in"),
        "{refused}"
    );
    // If the column is declared, both types are accepted.
    let options = ReadOptions { continuous: Continuous::Columns(vec!["x".into()]), ..default() };
    let data = read_files(&[floats, whole], &options, &Silent).unwrap().data;
    assert_eq!(data.column(ossature::Var(0)).numbers().unwrap(), [0.5, 1.0, 1.0, 2.0]);
}
