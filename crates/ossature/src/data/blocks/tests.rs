use proptest::prelude::*;

use super::*;

type Row = (u64, Vec<Vec<u8>>);

/// Blocks and parts of a few bytes, so that their borders are everywhere.
fn tiny(first: usize, part: usize, parts: usize) -> BlockSizes {
    BlockSizes { first, part: (part, 2 * part), most: 1 << 10, parts }
}

/// The header and the rows before the first fault, and the fault.
fn read(text: &[u8], sizes: BlockSizes, blank_rows: bool) -> (Vec<Row>, Option<String>) {
    let mut rows = Vec::new();
    let mut cut = || -> Result<()> {
        let mut blocks = CsvBlocks::new(text, "a.csv", sizes)?;
        let Some(header) = blocks.header(b',')? else { return Ok(()) };
        let width = header.1.len();
        rows.push(header);
        let form = CsvForm { delimiter: b',', blank_rows, width: Some(width) };
        let mut block = CsvBlock::default();
        let rows = &mut rows;
        let mut copy = |block: &CsvBlock| {
            for (before, part) in block.parts() {
                for row in 0..part.len() {
                    let field = |i| {
                        let (begin, end) = part.field(row, i, width);
                        unquoted(&block.text[begin..end], &mut Vec::new()).to_vec()
                    };
                    rows.push((block.line(before + row), (0..width).map(field).collect()));
                }
            }
            Ok(())
        };
        while blocks.next(&form, &mut block, &mut copy)? {}
        Ok(())
    };
    let fault = cut().err().map(|e| e.to_string());
    (rows, fault)
}

/// The same, byte by byte.
fn naive(text: &[u8], blank_rows: bool) -> (Vec<Row>, Option<(u64, &'static str)>) {
    let mut rows: Vec<Row> = Vec::new();
    let (mut i, mut line) = (0, 1);
    loop {
        // Blank lines.
        while (rows.is_empty() || !blank_rows) && matches!(text.get(i), Some(b'\r' | b'\n')) {
            i += if text[i..].starts_with(b"\r\n") { 2 } else { 1 };
            line += 1;
        }
        if i == text.len() {
            return (rows, None);
        }
        let begun = line;
        let mut fields = Vec::new();
        loop {
            let mut field = Vec::new();
            if text.get(i) == Some(&b'"') {
                let opened = line;
                i += 1;
                loop {
                    match text.get(i) {
                        None => return (rows, Some((opened, "never closed"))),
                        Some(0) => return (rows, Some((line, "NUL"))),
                        Some(b'"') if text.get(i + 1) == Some(&b'"') => i += 1,
                        Some(b'"') => break,
                        Some(b'\n') => line += 1,
                        Some(_) => {}
                    }
                    field.push(text[i]);
                    i += 1;
                }
                i += 1;
            } else {
                while i < text.len() && !b",\r\n\0".contains(&text[i]) {
                    field.push(text[i]);
                    i += 1;
                }
            }
            fields.push(field);
            match text.get(i) {
                Some(b',') => i += 1,
                None | Some(b'\r' | b'\n') => break,
                Some(0) => return (rows, Some((line, "NUL"))),
                Some(_) => return (rows, Some((line, "after a closing quote"))),
            }
        }
        if i < text.len() {
            i += if text[i..].starts_with(b"\r\n") { 2 } else { 1 };
            line += 1;
        }
        if rows.first().is_some_and(|(_, header)| header.len() != fields.len()) {
            return (rows, Some((begun, "as in the header")));
        }
        rows.push((begun, fields));
    }
}

fn plain(text: &str) -> Vec<(u64, Vec<String>)> {
    let (rows, fault) = read(text.as_bytes(), tiny(3, 2, 2), false);
    assert_eq!(fault, None);
    let text_of = |f: Vec<u8>| String::from_utf8(f).unwrap();
    rows.into_iter().map(|(line, fields)| (line, fields.into_iter().map(text_of).collect())).collect()
}

fn row(line: u64, fields: &[&str]) -> (u64, Vec<String>) {
    (line, fields.iter().map(|f| (*f).to_owned()).collect())
}

#[test]
fn rows_know_the_line_they_begin_on() {
    let text = "a,b\r\n\r\n1,\"x\ny\"\r\n\n\"2\r\n\",\n3,4";
    let expected = [row(1, &["a", "b"]), row(3, &["1", "x\ny"]), row(6, &["2\r\n", ""]), row(8, &["3", "4"])];
    assert_eq!(plain(text), expected);
    assert_eq!(plain("a\rb\r\rc"), [row(1, &["a"]), row(2, &["b"]), row(4, &["c"])]);
}

#[test]
fn quotes_are_undone_and_nothing_is_trimmed() {
    assert_eq!(plain("\u{FEFF}\"a \"\"b\"\"\", c ,d\"e,\"\"\n"), [row(1, &["a \"b\"", " c ", "d\"e", ""])]);
    assert_eq!(plain("\"\"\"\"\n\"\"\nx\"\"\"y"), [row(1, &["\""]), row(2, &[""]), row(3, &["x\"\"\"y"])]);
    assert_eq!(plain("PAR1,PK\x03\x04\u{20AC}"), [row(1, &["PAR1", "PK\x03\x04\u{20AC}"])]);
}

#[test]
fn what_is_no_csv_is_refused_with_its_line() {
    let message = |text: &[u8]| read(text, tiny(5, 3, 2), false).1.unwrap();
    assert!(message(b"a\n1\n\"b\n\n").starts_with("a.csv, line 3: found a quoted field that is never"));
    assert!(message(b"a\n\"b\n\"c\n").starts_with("a.csv, line 3: found text after a closing quote"));
    assert!(message(b"a\n1\nb\0\n").starts_with("a.csv, line 3: found a NUL byte"));
    assert!(message(b"a\n\"1\nb\0\"\n").starts_with("a.csv, line 3: found a NUL byte"));
    assert_eq!(message(b"a,b\n\n1\n"), "a.csv, line 3: found 1 field, expected 2 fields, as in the header");
    assert!(message(b"\xFF\xFEa\0").contains("UTF-16"));
    assert!(message(b"\x1F\x8B\x08\0").contains("gzip"));
    assert!(message(b"PAR1\x15\0").contains("Parquet"));
}

#[test]
fn a_row_without_end_is_refused() {
    let endless = io::Read::chain(&b"a\n\"\n\n"[..], io::repeat(b'x'));
    let mut blocks = CsvBlocks::new(endless, "a.csv", BlockSizes::default()).unwrap();
    blocks.header(b',').unwrap();
    let form = CsvForm { delimiter: b',', blank_rows: true, width: Some(1) };
    let mut block = CsvBlock::default();
    let refused = loop {
        if let Err(refused) = blocks.next(&form, &mut block, |_| Ok(())) {
            break refused.to_string();
        }
    };
    assert!(refused.contains("line 4: found a row of more than 64 MiB"), "{refused}");
}

#[test]
fn what_was_read_before_a_failure_is_used_first() {
    struct Failing(bool);
    impl Read for Failing {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            if std::mem::replace(&mut self.0, true) {
                return Err(io::Error::other("the wire was cut"));
            }
            to[..8].copy_from_slice(b"a\n1\n2\n34");
            Ok(8)
        }
    }
    let mut blocks = CsvBlocks::new(Failing(false), "a.csv", BlockSizes::default()).unwrap();
    blocks.header(b',').unwrap();
    let form = CsvForm { delimiter: b',', blank_rows: true, width: Some(1) };
    let (mut block, mut rows) = (CsvBlock::default(), 0);
    let count = |block: &CsvBlock| {
        rows += block.rows;
        Ok(())
    };
    let failed = blocks.next(&form, &mut block, count).unwrap_err().to_string();
    assert!(failed.contains("the wire was cut"), "{failed}");
    assert_eq!(rows, 2);
}

/// Text that is nearly a table of two columns, or none at all.
fn texts() -> impl Strategy<Value = String> {
    let field = "[ab]{0,3}|\"([ab,]|\"\"|\n|\r\n){0,5}\"|a\"b";
    let line = (field, field, prop_oneof![4 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r")]);
    let table = prop::collection::vec(line, 0..20).prop_map(|rows| {
        let row = |(a, b, end): (String, String, &str)| format!("{a},{b}{end}");
        rows.into_iter().map(row).fold("x,y\n".to_owned(), |text, row| text + &row)
    });
    prop_oneof![3 => table, 1 => "[ab,\"\r\n\0]{0,60}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn borders_of_blocks_and_parts_change_nothing(
        text in texts(),
        first in 1_usize..40,
        part in 1_usize..20,
        parts in 1_usize..6,
        blank_rows: bool,
    ) {
        let (rows, fault) = read(text.as_bytes(), tiny(first, part, parts), blank_rows);
        let (expected, refused) = naive(text.as_bytes(), blank_rows);
        // No text, or one that is none, has no rows.
        if !fault.as_ref().is_some_and(|fault| fault.starts_with("a.csv:")) {
            prop_assert_eq!(rows, expected);
            match (refused, fault) {
                (None, None) => {}
                (Some((line, what)), Some(fault)) => {
                    let place = format!("a.csv, line {line}: found");
                    prop_assert!(fault.starts_with(&place) && fault.contains(what), "{} {} {}", line, what, fault);
                }
                (refused, fault) => prop_assert!(false, "{:?} {:?}", refused, fault),
            }
        }
    }

    #[test]
    fn the_fields_are_those_of_the_csv_crate(text in texts(), first in 1_usize..40, part in 1_usize..20) {
        // What is refused here has no answer that the oracle could give.
        let (rows, fault) = read(text.as_bytes(), tiny(first, part, 3), false);
        if fault.is_none() {
            let mut oracle =
                csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
            let expected: Vec<Vec<Vec<u8>>> = oracle
                .byte_records()
                .map(|r| r.unwrap().iter().map(<[u8]>::to_vec).collect())
                .collect();
            prop_assert_eq!(rows.into_iter().map(|(_, fields)| fields).collect::<Vec<_>>(), expected);
        }
    }
}
