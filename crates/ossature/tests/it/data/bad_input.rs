//! Bad input is refused with a message that says what was found, where, and what would be accepted.

use std::path::Path;

use super::*;

#[test]
fn text_that_is_no_table_is_refused() {
    let cases: &[(&[u8], &str)] = &[
        (b"", "a.csv: found an empty file, expected a row of column names, then rows of data"),
        (b"\n\r\n", "a.csv: found an empty file, expected a row of column names, then rows of data"),
        (b"\xEF\xBB\xBF", "a.csv: found an empty file, expected a row of column names, then rows of data"),
        (b"x,y\n", "a.csv: found a header without rows, expected at least one row of data"),
        (b"x,y,x\n1,2,3\n", "a.csv, line 1: column \"x\" occurs twice"),
        (b"x,y\n1,2\n\"a\nb\",2\n1\n", "a.csv, line 5: found 1 field, expected 2 fields, as in the header"),
        (b"x,y\r\n1,2\r\n1,2,3\r\n", "a.csv, line 3: found 3 fields, expected 2 fields, as in the header"),
        (
            b"x,y\n1,\"2\n3,4\n",
            "a.csv, line 2: found a quoted field that is never closed, expected a second quote before the end of the file",
        ),
        (
            b"x,y\n1,2\n3,\xFF\n",
            "a.csv, line 3, column y: found bytes that are not UTF-8, expected text in UTF-8",
        ),
        (
            b"x,\xFF\n1,2\n",
            "a.csv, line 1, column 2: found a column name that is not UTF-8, expected text in UTF-8",
        ),
        (b"x,y\n1,2\n3,a\0b\n", "a.csv, line 3: found a NUL byte, expected text in UTF-8"),
        (
            b"\xFF\xFEx\0,\0y\0",
            "a.csv: found text in UTF-16, expected text in UTF-8; save the file in that encoding",
        ),
        (
            b",x\n1,a\n",
            "a.csv, line 1: found no name for column 1 of 2, expected a name for every column; R and pandas write row names without one, which can be left out",
        ),
        (
            b"x,y,\n1,2,3\n",
            "a.csv, line 1: found no name for column 3 of 3, expected a name for every column",
        ),
        (
            b"x;y\n1;2\n",
            "a.csv, line 1: found a single column whose name contains ';', expected fields delimited by ','; if ';' is the delimiter, it must be given",
        ),
        (
            b"x\ty\n1\t2\n",
            "a.csv, line 1: found a single column whose name contains a tab, expected fields delimited by ','; if a tab is the delimiter, it must be given",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(message(text, &default()), *expected);
    }
    let named = ReadOptions { delimiter: Some(b','), ..default() };
    assert_eq!(table_of("x;y\n1;2\n", &named).unwrap().data.variables()[0].name(), "x;y");
    for byte in [b'"', b'\n', b'\r', 0, 0xE9] {
        let options = ReadOptions { delimiter: Some(byte), ..default() };
        assert!(message("x,y\n1,2\n", &options).contains("cannot be a delimiter"));
    }
}

#[test]
fn no_row_may_be_left() {
    assert_eq!(
        message("x,y\n1,\n,2\n", &missing(MissingPolicy::Drop)),
        "a.csv: found a missing value in every one of 2 rows, expected at least one complete row"
    );
}

#[test]
fn a_very_long_line_is_data_like_any_other() {
    let long = "x".repeat(10_000_000);
    let data = table_of(format!("a,b\n{long},1\ny,2\n"), &default()).unwrap().data;
    assert_eq!(data.label(0, data.var("a").unwrap()).len(), long.len());
    assert!(table_of(format!("a\n{long}\n"), &default()).is_ok());
    let many = vec!["q"; 100_000].join(",");
    assert!(message(format!("a,b\n{many}\n"), &default()).contains("found 100,000 fields"));
    // A message shows the start of such a label, and suggests no similar level.
    let unknown = message(format!("a,b\n{long},1\n"), &levels("a", ["x"]));
    assert!(unknown.len() < 300 && unknown.contains("xxx…\" is not a level of a"), "{unknown}");
    assert!(message(&long, &default()).contains("header without rows"));
}

#[test]
fn files_that_cannot_be_read_say_so() {
    let dir = tempfile::tempdir().unwrap();
    let refused = |name: &str, bytes: Option<&[u8]>| {
        let path = dir.path().join(name);
        bytes.inspect(|b| std::fs::write(&path, b).unwrap());
        read(&path, &default(), &Silent).unwrap_err().to_string()
    };
    assert!(refused("none.csv", None).starts_with("cannot read "));
    std::fs::create_dir(dir.path().join("folder.csv")).unwrap();
    assert!(refused("folder.csv", None).contains("directory"));
    assert!(refused("plain.csv.gz", Some(b"x,y\n1,2\n")).contains("bytes that are not gzip"));
    let mut gz = GzEncoder::new(Vec::new(), Compression::fast());
    gz.write_all(counting(3000).as_bytes()).unwrap();
    let gz = gz.finish().unwrap();
    assert!(
        refused("zipped.csv", Some(&gz))
            .contains("found a gzip file, expected text, or a name that ends in .gz")
    );
    for cut in [10, gz.len() / 2, gz.len() - 8, gz.len() - 1] {
        let cut_off = refused("cut.csv.gz", Some(&gz[..cut]));
        assert!(cut_off.contains("found a gzip file that is cut off"), "{cut}: {cut_off}");
    }
    if cfg!(not(feature = "arrow")) {
        assert!(refused("a.parquet", Some(b"PAR1")).contains("feature \"arrow\""));
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_says_so() {
    use std::os::unix::fs::PermissionsExt;
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser may read everything.
    if std::fs::File::open(file.path()).is_err() {
        let refused = read(file.path(), &default(), &Silent).unwrap_err();
        assert!(refused.to_string().to_lowercase().contains("permission"), "{refused}");
    }
}

#[test]
fn what_the_fuzzer_found_worth_keeping_is_read_or_refused() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/csv");
    let mut files = 0;
    for entry in std::fs::read_dir(corpus).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        // As in the fuzz target: the first byte chooses the options.
        let (&choice, text) = bytes.split_first().unwrap_or((&0, &[]));
        let table = table_of(text, &fuzz_options(choice));
        assert!(table.is_err() || table.is_ok_and(|t| t.data.rows() > 0));
        files += 1;
    }
    assert!(files > 10);
}

pub(super) fn fuzz_options(choice: u8) -> ReadOptions {
    let policies = [MissingPolicy::Error, MissingPolicy::Drop, MissingPolicy::Level];
    ReadOptions {
        delimiter: (choice & 4 != 0).then_some(b';'),
        missing: policies[usize::from(choice & 3) % 3],
        discretise: match choice >> 3 & 3 {
            0 => Vec::new(),
            1 => vec!["*=quantile:3".parse().unwrap()],
            2 => vec!["x=width:3".parse().unwrap()],
            _ => vec!["x=cuts:0,1.5".parse().unwrap(), "y=quantile:2".parse().unwrap()],
        },
        levels: (choice & 32 != 0).then(|| vec![Variable::new("y", ["NA", "a", "b"]).unwrap()]),
        ..default()
    }
}
