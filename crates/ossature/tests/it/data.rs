//! Tables: data that is written is read back the same, in any order, and errors are reported.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(feature = "arrow")]
mod arrow;
mod bad_input;
mod joint;
#[cfg(feature = "arrow")]
mod parquet_types;
mod properties;
#[cfg(feature = "arrow")]
mod row_groups;

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::{Compression, write::GzEncoder};
use ossature::data::{read, read_csv};
use ossature::{
    Column, Dataset, Error, Event, MissingPolicy, Progress, ReadOptions, Result, Silent, Stop, Table,
    Variable,
};

/// Reads a text with the given options.
fn table_of(text: impl AsRef<[u8]>, options: &ReadOptions) -> Result<Table> {
    read_csv(text.as_ref(), "a.csv", options, &Silent)
}

fn default() -> ReadOptions {
    ReadOptions::default()
}

fn missing(policy: MissingPolicy) -> ReadOptions {
    ReadOptions { missing: policy, ..default() }
}

fn discretise(wishes: &[&str]) -> ReadOptions {
    ReadOptions { discretise: wishes.iter().map(|w| w.parse().unwrap()).collect(), ..default() }
}

fn levels<const N: usize>(name: &str, levels: [&str; N]) -> ReadOptions {
    ReadOptions { levels: Some(vec![Variable::new(name, levels).unwrap()]), ..default() }
}

/// The labels of a column, row by row.
fn labels<'a>(data: &'a Dataset, name: &str) -> Vec<&'a str> {
    let v = data.var(name).unwrap();
    (0..data.rows()).map(|row| data.label(row, v)).collect()
}

fn levels_of<'a>(data: &'a Dataset, name: &str) -> &'a [String] {
    data.variable(data.var(name).unwrap()).levels()
}

fn message(text: impl AsRef<[u8]>, options: &ReadOptions) -> String {
    table_of(text, options).unwrap_err().to_string()
}

/// A column of the numbers from 0 to n - 1, and a column of labels.
fn counting(n: usize) -> String {
    let rows = (0..n).map(|i| format!("{i},{}\n", ["a", "b"][i % 2]));
    "x,y\n".to_owned() + &rows.collect::<String>()
}

#[test]
fn every_field_is_a_label_as_it_is_written() {
    let text = "\u{FEFF}c,a,b\r\nNone, TRUE,3\r\n\r\n\"x\r\ny\",\"\"\"\",3.0\r\nna,  ,\"1,5\"";
    let data = table_of(text, &default()).unwrap().data;
    assert_eq!(labels(&data, "c"), ["None", "x\r\ny", "na"]);
    assert_eq!(labels(&data, "a"), [" TRUE", "\"", "  "]);
    assert_eq!(levels_of(&data, "b"), ["1,5", "3", "3.0"]);
    assert_eq!(data.variables().iter().map(Variable::name).collect::<Vec<_>>(), ["a", "b", "c"]);
}

#[test]
fn one_column_is_a_table() {
    let data = table_of("x\nb\na\n", &default()).unwrap().data;
    assert_eq!(labels(&data, "x"), ["b", "a"]);
    assert!(message("x\nb\n\"\"\n", &default()).contains("line 3, column x: 1 missing value,"));
}

#[test]
fn files_are_read_by_their_name() {
    let dir = tempfile::tempdir().unwrap();
    let member = |text: &str| {
        let mut gz = GzEncoder::new(Vec::new(), Compression::fast());
        gz.write_all(text.as_bytes()).unwrap();
        gz.finish().unwrap()
    };
    let files = [
        ("a.csv", b"x,y\n1,2\n".to_vec()),
        ("a.tsv", b"x\ty\n1\t2\n".to_vec()),
        ("a", b"x,y\n1,2\n".to_vec()),
        ("a.csv.gz", [member("x,y\n1"), member(",2\n")].concat()),
        ("a.tsv.gz", member("x\ty\n1\t2\n")),
    ];
    for (name, bytes) in files {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let data = read(&path, &default(), &Silent).unwrap().data;
        assert_eq!((labels(&data, "x"), labels(&data, "y")), (vec!["1"], vec!["2"]), "{name}");
    }
    let path = dir.path().join("a.txt");
    std::fs::write(&path, "x;y\n1;2\n").unwrap();
    assert!(read(&path, &default(), &Silent).unwrap_err().to_string().contains(".csv, .tsv"));
    let options = ReadOptions { delimiter: Some(b';'), ..default() };
    assert_eq!(read(&path, &options, &Silent).unwrap().data.variables().len(), 2);
}

#[test]
fn missing_values_are_counted_before_they_are_refused() {
    let text = "x,y\na,b\nNA,?\n\"p\nq\",\nNaN,b\nnull,b\n";
    let Err(Error::Missing { total, columns, first }) = table_of(text, &default()) else { panic!() };
    assert_eq!((total, columns), (5, vec![("x".into(), 3), ("y".into(), 2)]));
    assert_eq!(first.to_string(), "a.csv, line 3, column x");
    let other = ReadOptions { missing_tokens: vec!["b".into()], ..default() };
    assert!(matches!(table_of(text, &other), Err(Error::Missing { total: 3, .. })));
    let none = ReadOptions { missing_tokens: Vec::new(), ..default() };
    assert_eq!(levels_of(&table_of(text, &none).unwrap().data, "y"), ["", "?", "b"]);
}

#[test]
fn rows_with_missing_values_can_be_dropped() {
    let table = table_of("x,y\na,b\nz,?\nNA,w\nc,d\n", &missing(MissingPolicy::Drop)).unwrap();
    assert_eq!(labels(&table.data, "x"), ["a", "c"]);
    assert_eq!(levels_of(&table.data, "y"), ["b", "d"]); // a label that only dropped rows have is not a level
    assert_eq!((table.report.rows_read, table.report.rows_dropped), (4, 2));
    assert_eq!(table.report.missing, [("x".to_owned(), 1), ("y".to_owned(), 1)]);
}

#[test]
fn missing_values_can_be_a_level() {
    let options = missing(MissingPolicy::Level);
    let table = table_of("x,y\na,Z\n?,Z\nb,Z\n,Z\n", &options).unwrap();
    assert_eq!(labels(&table.data, "x"), ["a", "NA", "b", "NA"]);
    assert_eq!(levels_of(&table.data, "x"), ["NA", "a", "b"]);
    assert_eq!(levels_of(&table.data, "y"), ["Z"]);
    assert_eq!(table.report.missing, [("x".to_owned(), 2)]);
    let taken = ReadOptions { missing_tokens: vec!["?".into()], ..options };
    assert_eq!(levels_of(&table_of("x\nNA\n?\nNA_2\n", &taken).unwrap().data, "x"), ["NA", "NA_2", "NA_3"]);
}

#[test]
fn a_declared_level_is_never_missing() {
    let options = levels("x", ["yes", "NA", "never"]);
    let data = table_of("x,y\nNA,1\nyes,1\n", &options).unwrap().data;
    assert_eq!(labels(&data, "x"), ["NA", "yes"]);
    assert_eq!(levels_of(&data, "x"), ["yes", "NA", "never"]);
    let options = ReadOptions { missing: MissingPolicy::Level, ..options };
    let data = table_of("x\nNA\n?\n", &options).unwrap().data;
    assert_eq!(levels_of(&data, "x"), ["yes", "NA", "never", "NA_2"]);
    assert_eq!(labels(&data, "x"), ["NA", "NA_2"]);
}

#[test]
fn declared_levels_rule_their_columns_and_no_others() {
    let options = levels("x", ["LOW", "HIGH"]);
    assert_eq!(
        message("y,x\n1,LOW\n2,HIHG\n", &options),
        "a.csv, line 3, column x: \"HIHG\" is not a level of x (did you mean \"HIGH\"?); its levels are \"LOW\", \"HIGH\""
    );
    let table = table_of("y\n1\n", &options).unwrap();
    assert_eq!(table.report.levels_unused, ["x"]);
    let numbers: Vec<String> = (0..300).map(|i| i.to_string()).collect();
    let declared = ReadOptions { levels: Some(vec![Variable::new("x", numbers).unwrap()]), ..default() };
    let data = table_of(counting(300), &declared).unwrap().data;
    assert_eq!(data.column(data.var("x").unwrap()).code(299), 299); // declared order, over 256 levels
}

#[test]
fn codes_widen_when_a_column_needs_it() {
    for n in [256, 257, 65_536] {
        let text = (0..n).fold("x\n".to_owned(), |text, i| text + "k" + &i.to_string() + "\n");
        let data = table_of(&text, &default()).unwrap().data;
        let x = data.var("x").unwrap();
        assert_eq!(data.cardinality(x), n);
        assert_eq!(matches!(data.column(x), Column::Narrow(_)), n <= 256);
        assert!((0..n).all(|row| data.label(row, x)[1..].parse() == Ok(row)));
        assert!(data.variable(x).levels().is_sorted());
    }
}

#[test]
fn too_many_levels_name_their_column() {
    let ids =
        |prefix: &str| (0..65_537).fold("y\n".to_owned(), |text, i| text + prefix + &i.to_string() + "\n");
    assert!(
        message(ids("k"), &default())
            .starts_with("column \"y\" has more than 65,536 different values; it looks")
    );
    assert!(
        message(ids(""), &default())
            .contains("more than 256 different values, a different number in each row")
    );
    let numbers = message(counting(257) + "0,a\n", &default());
    assert!(numbers.starts_with("column \"x\" has more than 256"), "{numbers}");
    assert!(numbers.ends_with("; treat it as continuous or cut it into intervals"), "{numbers}");
    assert_eq!(table_of(counting(256), &default()).unwrap().data.variables()[0].cardinality(), 256);
    let mixed = counting(400) + "unknown,a\n";
    assert_eq!(table_of(mixed, &default()).unwrap().data.variables()[0].cardinality(), 401);
}

#[test]
fn numbers_are_cut_into_intervals() {
    let table = table_of("x,y\n1,a\n2.5,b\n-3e0,a\n0,a\n", &discretise(&["x=cuts:0,1.5"])).unwrap();
    assert_eq!(levels_of(&table.data, "x"), ["(-inf,0)", "[0,1.5)", "[1.5,inf)"]);
    assert_eq!(labels(&table.data, "x"), ["[0,1.5)", "[1.5,inf)", "(-inf,0)", "[0,1.5)"]);
    assert_eq!(table.report.discretised, [("x".to_owned(), vec![0.0, 1.5])]);
    let refused = message("x,y\n1,a\n2,b\ntwo,c\n", &discretise(&["x=width:2"]));
    assert!(
        refused.starts_with("a.csv, line 4, column x: found \"two\", expected a finite number"),
        "{refused}"
    );
    assert!(message("x\n1\ninf\n", &discretise(&["x=width:2"])).contains("line 3, column x: found \"inf\""));
    assert!(
        message("xs\n1\n", &discretise(&["x=width:2"])).contains("no column \"x\" (did you mean \"xs\"?)")
    );
    assert!(message("x\n1\n", &discretise(&["x=width:2", "x=width:3"])).contains("twice"));
}

#[test]
fn missing_numbers_are_missing() {
    let cut = discretise(&["x=quantile:2"]);
    assert!(matches!(table_of("x\n1\nNaN\n", &cut), Err(Error::Missing { total: 1, .. })));
    let text = "x,y\n4,a\n?,b\n1,a\n2,a\n3,a\n";
    let dropped = table_of(text, &ReadOptions { missing: MissingPolicy::Drop, ..cut.clone() }).unwrap();
    assert_eq!(labels(&dropped.data, "x"), ["[3,inf)", "(-inf,3)", "(-inf,3)", "[3,inf)"]);
    let level = table_of(text, &ReadOptions { missing: MissingPolicy::Level, ..cut }).unwrap();
    assert_eq!(levels_of(&level.data, "x"), ["(-inf,3)", "[3,inf)", "NA"]);
    assert_eq!(labels(&level.data, "x")[1], "NA");
}

#[test]
fn a_star_cuts_the_columns_that_would_be_refused() {
    let cut = discretise(&["*=quantile:4"]);
    for n in [257, 70_000] {
        let table = table_of(counting(n), &cut).unwrap();
        assert_eq!(table.data.cardinality(table.data.var("x").unwrap()), 4);
        assert_eq!(levels_of(&table.data, "y"), ["a", "b"]);
        let quarters = [n / 4, n / 2, 3 * n / 4].map(|q| q as f64);
        assert_eq!(table.report.discretised, [("x".to_owned(), quarters.to_vec())]);
        let mut rows = [0_usize; 4];
        let x = table.data.column(table.data.var("x").unwrap());
        (0..n).for_each(|row| rows[usize::from(x.code(row))] += 1);
        assert!(rows.iter().all(|r| r.abs_diff(n / 4) <= 1), "{rows:?}");
    }
    // Every numeric column, unless it has no more distinct values than intervals.
    assert_eq!(table_of(counting(5), &cut).unwrap().report.discretised.len(), 1);
    assert!(table_of(counting(4), &cut).unwrap().report.discretised.is_empty());
    let mixed = counting(70_000) + "unknown,a\n";
    assert!(message(mixed, &cut).contains("more than 65,536"));
    let both = discretise(&["*=quantile:4", "x=width:2"]);
    assert_eq!(table_of(counting(300), &both).unwrap().data.variables()[0].cardinality(), 2);
    let options = ReadOptions { missing: MissingPolicy::Level, ..cut };
    for n in [300, 65_536] {
        let table = table_of(counting(n) + "?,a\n70000,a\n", &options).unwrap();
        assert_eq!(labels(&table.data, "x")[n], "NA");
        assert_eq!(levels_of(&table.data, "x").len(), 5);
    }
}

#[test]
fn intervals_may_be_declared() {
    let options = ReadOptions {
        levels: Some(vec![Variable::new("x", ["[0,inf)", "(-inf,0)", "other"]).unwrap()]),
        ..discretise(&["x=cuts:0"])
    };
    let data = table_of("x\n-1\n1\n", &options).unwrap().data;
    assert_eq!(levels_of(&data, "x"), ["[0,inf)", "(-inf,0)", "other"]);
    assert_eq!(labels(&data, "x"), ["(-inf,0)", "[0,inf)"]);
    let with_missing = ReadOptions { missing: MissingPolicy::Level, ..options.clone() };
    let data = table_of("x\n-1\n?\n", &with_missing).unwrap().data;
    assert_eq!(levels_of(&data, "x"), ["[0,inf)", "(-inf,0)", "other", "NA"]);
    assert_eq!(labels(&data, "x"), ["(-inf,0)", "NA"]);
    let options = ReadOptions { discretise: discretise(&["x=cuts:1"]).discretise, ..options };
    assert!(matches!(table_of("x\n-1\n1\n", &options), Err(Error::UnknownLevel { .. })));
}

#[test]
fn reading_reports_and_can_be_stopped() {
    struct StopAt(u64, AtomicU64);
    impl Progress for StopAt {
        fn report(&self, event: Event) -> ControlFlow<Stop> {
            let Event::RowsRead { done } = event else { panic!("{event:?}") };
            self.1.store(done, Ordering::Relaxed);
            if done >= self.0 { ControlFlow::Break(Stop::Cancel) } else { ControlFlow::Continue(()) }
        }
    }
    let text = "x\n".to_owned() + &"a\n".repeat(25_000);
    let stopped = StopAt(20_000, AtomicU64::new(0));
    assert!(matches!(read_csv(text.as_bytes(), "a.csv", &default(), &stopped), Err(Error::Stopped)));
    assert_eq!(stopped.1.into_inner(), 20_000);
    let watched = StopAt(u64::MAX, AtomicU64::new(0));
    read_csv(text.as_bytes(), "a.csv", &default(), &watched).unwrap();
    assert_eq!(watched.1.into_inner(), 25_000);
}

#[test]
fn columns_are_chosen_by_name() {
    let text = "b,a,id\n1,x,100\n0,y,101\n";
    let names = |options: ReadOptions| {
        let data = table_of(text, &options).unwrap().data;
        data.variables().iter().map(|v| v.name().to_owned()).collect::<Vec<_>>()
    };
    let only = |list: &[&str]| Some(list.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
    assert_eq!(names(ReadOptions { columns: only(&["b", "a"]), ..default() }), ["a", "b"]);
    assert_eq!(names(ReadOptions { drop: vec!["id".into()], ..default() }), ["a", "b"]);
    let options = ReadOptions { columns: only(&["b", "idd"]), ..default() };
    assert_eq!(message(text, &options), "a.csv, line 1: there is no column \"idd\" (did you mean \"id\"?)");
    let options = ReadOptions { drop: vec!["c".into()], ..default() };
    assert!(message(text, &options).contains("there is no column \"c\""));
    let none = ReadOptions { drop: ["a", "b", "id"].map(str::to_owned).into(), ..default() };
    assert!(message(text, &none).contains("line 1: every column is left out; at least one"));
    // A column that is left out may hold anything.
    let text = "a,b\nx,\ny,1\n";
    assert!(table_of(text, &ReadOptions { drop: vec!["b".into()], ..default() }).is_ok());
}

#[test]
fn a_numeric_identifier_is_not_advised_to_be_cut() {
    let rows: String = (0..300).map(|i| format!("{},{}\n", 5000 - i, i % 2)).collect();
    let refused = message(format!("id,x\n{rows}"), &default());
    assert!(
        refused.contains("\"id\"") && refused.contains("looks like an identifier: leave it out"),
        "{refused}"
    );
    let twice = message(format!("id,x\n{rows}{rows}"), &default());
    assert!(twice.contains("cut it into intervals"), "{twice}");
    let measured: String = (0..300).map(|i| format!("{}.5,{}\n", i, i % 2)).collect();
    assert!(message(format!("id,x\n{measured}"), &default()).contains("cut it into intervals"));
}

#[test]
fn a_blank_line_of_one_column_is_a_missing_value() {
    for text in ["x\n1\n\n2\n\n1\n", "\n\nx\r\n1\r\n\r\n2\r\n\r\n1", "x\r1\r\r2\r\r1\r"] {
        let table = table_of(text, &missing(MissingPolicy::Level)).unwrap();
        assert_eq!(labels(&table.data, "x"), ["1", "NA", "2", "NA", "1"], "{text:?}");
    }
    let refused = message("x\n1\n\n2\n", &default());
    assert!(refused.starts_with("a.csv, line 3, column x: 1 missing value"), "{refused}");
    assert_eq!(table_of("x,y\n1,1\n\n2,2\n", &default()).unwrap().data.rows(), 2, "not in wider tables");
}

#[test]
fn tables_that_differ_have_different_hashes() {
    let hash = |columns: &[(&str, &[&str], &[u16])]| {
        let column = |&(name, levels, codes): &(&str, &[&str], &[u16])| {
            let variable = Variable::new(name, levels.iter().copied()).unwrap();
            (variable, Column::from_codes(codes.iter().copied(), levels.len()))
        };
        Dataset::new(columns.iter().map(column).collect()).unwrap().sha256()
    };
    // The levels of one are the names of the other.
    let two = hash(&[("a", &["x"], &[0]), ("b", &["y"], &[0])]);
    let one = hash(&[("a", &["x", "b", "y"], &[0, 0])]);
    assert_ne!(two, one);
    assert_ne!(hash(&[("a", &["x"], &[0])]), hash(&[("a", &["x", "y"], &[0])]));
}

fn continuous(word: &str) -> ReadOptions {
    ReadOptions { continuous: word.parse().unwrap(), ..default() }
}

fn numbers<'a>(data: &'a Dataset, name: &str) -> Option<&'a [f64]> {
    data.column(data.var(name).unwrap()).numbers()
}

#[test]
fn columns_of_numbers_are_continuous_where_that_is_said() {
    // Labels are the default.
    let labels = table_of(counting(11), &default()).unwrap().data;
    assert_eq!(numbers(&labels, "x"), None);
    // By name; there are too many numbers for levels.
    let many = table_of(counting(100_000), &continuous("x")).unwrap().data;
    assert_eq!(numbers(&many, "x").unwrap()[99_999], 99_999.0);
    assert_eq!(levels_of(&many, "y"), ["a", "b"]);
    // auto: all values are numbers, and more than ten of them are distinct.
    assert!(numbers(&table_of(counting(11), &continuous("auto")).unwrap().data, "x").is_some());
    assert!(numbers(&table_of(counting(10), &continuous("auto")).unwrap().data, "x").is_none());
    assert!(numbers(&table_of(counting(80_000), &continuous("auto")).unwrap().data, "x").is_some());
    assert_eq!(
        table_of(counting(11), &continuous("none")).unwrap(),
        table_of(counting(11), &default()).unwrap()
    );
    // A column that is cut has levels, and one with declared levels keeps them.
    let cut = ReadOptions { discretise: vec!["x=width:2".parse().unwrap()], ..continuous("auto") };
    assert_eq!(levels_of(&table_of(counting(30), &cut).unwrap().data, "x").len(), 2);
}

#[test]
fn what_is_no_finite_number_is_said() {
    let text = |field: &str| counting(20) + field + ",a\n";
    assert_eq!(
        message(text("inf"), &continuous("x")),
        "a.csv, line 22, column x: found \"inf\", expected a finite number, as the column is continuous"
    );
    let auto = message(text("inf"), &continuous("auto"));
    assert_eq!(auto, "a.csv, column x: found \"inf\", expected finite numbers in a column of numbers");
    let word = message(text("many"), &continuous("x"));
    assert!(word.contains("found \"many\", expected a finite number"), "{word}");
    // A word among the numbers makes it a column of labels, unless it was declared continuous.
    assert!(numbers(&table_of(text("many"), &continuous("auto")).unwrap().data, "x").is_none());
    let nobody = message(counting(3), &continuous("z"));
    assert!(nobody.contains("there is no column \"z\""), "{nobody}");
    let huge = table_of("x\n1e308\n-1e308\n5\n", &continuous("x")).unwrap().data;
    assert_eq!(numbers(&huge, "x").unwrap(), [1e308, -1e308, 5.0]);
}

#[test]
fn gaps_stay_where_they_are_wanted() {
    let text = "x,y\n1.5,a\n,b\n2.5,?\n";
    let keep = |policy| ReadOptions { missing: policy, ..continuous("x") };
    for policy in [MissingPolicy::Available, MissingPolicy::Em] {
        let data = table_of(text, &keep(policy)).unwrap().data;
        let (x, y) = (data.var("x").unwrap(), data.var("y").unwrap());
        assert_eq!((data.gaps(x), data.gaps(y), data.rows()), (1, 1, 3));
        assert!(!data.is_known(1, x) && !data.is_known(2, y) && data.is_known(1, y));
        assert_eq!(levels_of(&data, "y"), ["a", "b"]);
        // It is written unchanged, and read back the same.
        let mut written = Vec::new();
        data.write_csv(&mut written).unwrap();
        let again = table_of(&written, &keep(policy)).unwrap().data;
        assert_eq!(again.sha256(), data.sha256());
    }
    let refused = message(text, &keep(MissingPolicy::Level));
    assert!(refused.contains("a missing value in a continuous column, which has no levels"), "{refused}");
    assert_eq!(table_of(text, &keep(MissingPolicy::Drop)).unwrap().data.rows(), 1);
    let empty = message("x,y\n,a\n,b\n", &keep(MissingPolicy::Available));
    assert!(empty.contains("a column without any value"), "{empty}");
    let cut = ReadOptions { missing: MissingPolicy::Available, ..discretise(&["x=cuts:2"]) };
    let data = table_of(text, &cut).unwrap().data;
    assert_eq!((data.gaps(data.var("x").unwrap()), levels_of(&data, "x").len()), (1, 2));
}
