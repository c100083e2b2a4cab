use proptest::prelude::*;

use super::*;

/// Hands out a few bytes at a time, to put the edges of the buffer everywhere.
struct Dripping<'a>(&'a [u8], usize);

impl Read for Dripping<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let n = self.1.min(to.len());
        self.0.read(&mut to[..n])
    }
}

type Rows = Vec<(u64, Vec<Vec<u8>>)>;

fn rows(text: &[u8], drip: usize) -> Result<Rows> {
    let mut lexer = CsvLexer::new(Dripping(text, drip), "a.csv", b',')?;
    let mut rows = Vec::new();
    while let Some(row) = lexer.next_row()? {
        rows.push((row.line, (0..row.len()).map(|i| row.field(i).to_vec()).collect()));
    }
    Ok(rows)
}

fn read(text: &str) -> Vec<(u64, Vec<String>)> {
    let text_of = |f: Vec<u8>| String::from_utf8(f).unwrap();
    let rows = rows(text.as_bytes(), 3).unwrap();
    rows.into_iter().map(|(line, fields)| (line, fields.into_iter().map(text_of).collect())).collect()
}

fn row(line: u64, fields: &[&str]) -> (u64, Vec<String>) {
    (line, fields.iter().map(|f| (*f).to_owned()).collect())
}

#[test]
fn rows_know_the_line_they_begin_on() {
    let text = "a,b\r\n\r\n1,\"x\ny\"\r\n\n\"2\r\n\",\n3,4";
    let expected = [row(1, &["a", "b"]), row(3, &["1", "x\ny"]), row(6, &["2\r\n", ""]), row(8, &["3", "4"])];
    assert_eq!(read(text), expected);
    assert_eq!(read("a\rb\r\rc"), [row(1, &["a"]), row(2, &["b"]), row(4, &["c"])]);
}

#[test]
fn quotes_are_undone_and_nothing_is_trimmed() {
    assert_eq!(read("\u{FEFF}\"a \"\"b\"\"\", c ,d\"e,\"\"\n"), [row(1, &["a \"b\"", " c ", "d\"e", ""])]);
    assert_eq!(read("\"\"\"\"\n,\n\"\""), [row(1, &["\""]), row(2, &["", ""]), row(3, &[""])]);
}

#[test]
fn what_is_no_csv_is_refused_with_its_line() {
    let message = |text: &[u8]| rows(text, 5).unwrap_err().to_string();
    assert!(message(b"a\n1\n\"b\n\n").starts_with("a.csv, line 3: found a quoted field that is never"));
    assert!(message(b"a\n\"b\n\"c\n").starts_with("a.csv, line 3: found text behind a closing quote"));
    assert!(message(b"a\n1\nb\0\n").starts_with("a.csv, line 3: found a NUL byte"));
    assert!(message(b"a\n\"1\nb\0\"\n").starts_with("a.csv, line 3: found a NUL byte"));
    assert!(message(b"\xFF\xFEa\0").contains("UTF-16"));
    assert!(message(b"\x1F\x8B\x08\0").contains("gzip"));
    assert!(message(b"PAR1\x15\0").contains("Parquet"));
    assert_eq!(read("PAR1,PK\x03\x04\u{20AC}\u{20AC}"), [row(1, &["PAR1", "PK\x03\x04\u{20AC}\u{20AC}"])]);
}

#[test]
fn a_row_without_end_is_refused() {
    let endless = io::Read::chain(&b"a\n\""[..], io::repeat(b'x'));
    let mut lexer = CsvLexer::new(endless, "a.csv", b',').unwrap();
    lexer.next_row().unwrap();
    assert!(lexer.next_row().err().unwrap().to_string().contains("line 2: found a row of more than 64 MiB"));
}

proptest! {
    #[test]
    fn the_fields_are_those_of_the_csv_crate(
        text in "[ab,\"\r\n]{0,60}",
        drip in 1_usize..9,
    ) {
        // What is refused here has no answer that the oracle could give.
        if let Ok(rows) = rows(text.as_bytes(), drip) {
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
