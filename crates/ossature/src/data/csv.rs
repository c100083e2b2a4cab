//! Tables from delimited text.

use std::io::Read;

use super::builder::{At, Builder};
use super::lexer::{CsvLexer, CsvRow};
use super::{ReadOptions, Table};
use crate::error::{Error, Place, Result};
use crate::progress::Progress;
use crate::text::count;

/// Reads a table from delimited text: CSV, or TSV if the name ends in `.tsv`.
///
/// The first row has the names of the columns. Fields may be quoted, and then contain delimiters,
/// ends of lines and doubled quotes; quoted or not, a field is a label exactly as it is written,
/// with its spaces. Lines end in LF, CRLF or CR. Blank lines are passed over; in a table of one column
/// each is an empty field. The text is UTF-8 without NUL bytes, and a row has at most 64 MiB.
///
/// Rows are coded as they come; the memory that is needed is about that of the
/// [`Dataset`](crate::Dataset). `name` is the name of the file in errors.
///
/// ```
/// use ossature::data::{ReadOptions, read_csv};
///
/// let text = "name,rain\n\"Sète, Hérault\",no\nBrest,yes\n";
/// let table = read_csv(text.as_bytes(), "towns.csv", &ReadOptions::default(), &ossature::Silent)?;
/// assert_eq!(table.data.variables()[0].levels(), ["Brest", "Sète, Hérault"]);
///
/// let short = read_csv("a,b\n1\n".as_bytes(), "short.csv", &ReadOptions::default(), &ossature::Silent);
/// assert_eq!(
///     short.unwrap_err().to_string(),
///     "short.csv, line 2: found 1 field, expected 2 fields, as in the header"
/// );
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn read_csv(
    reader: impl Read,
    name: &str,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Table> {
    let delimiter = match options.delimiter {
        Some(given) => check_delimiter(given)?,
        None => usual_delimiter(name),
    };
    let mut lexer = CsvLexer::new(reader, name, delimiter)?;
    let Some(header) = lexer.next_row()? else {
        return Err(Error::syntax(
            Place::file(name),
            "an empty file",
            "a row of column names, then rows of data",
        ));
    };
    let place = Place::line(name, header.line);
    let columns = column_names(&header, &place)?;
    if options.delimiter.is_none() {
        check_single_column(&columns, delimiter, &place)?;
    }
    let width = columns.len();
    if width == 1 {
        lexer.keep_blank_lines();
    }
    let mut builder = Builder::new(name, columns, place, &[], options, progress)?;
    while let Some(row) = lexer.next_row()? {
        if row.len() != width {
            let place = Place::line(name, row.line);
            let expected = format!("{}, as in the header", count(width, "field"));
            return Err(Error::syntax(place, count(row.len(), "field"), expected));
        }
        builder.push(At::Line(row.line), |i| Some(row.field(i)))?;
    }
    builder.finish()
}

fn usual_delimiter(name: &str) -> u8 {
    let name = name.to_ascii_lowercase();
    if name.strip_suffix(".gz").unwrap_or(&name).ends_with(".tsv") { b'\t' } else { b',' }
}

fn check_delimiter(given: u8) -> Result<u8> {
    if given.is_ascii() && !matches!(given, b'"' | b'\r' | b'\n' | 0) {
        return Ok(given);
    }
    Err(Error::Mismatch {
        what: format!("{:?} cannot be a delimiter", char::from(given)),
        accepted: "any ASCII character but the quote, the ends of lines and NUL is accepted".into(),
    })
}

fn column_names(header: &CsvRow<'_>, place: &Place) -> Result<Vec<String>> {
    (0..header.len())
        .map(|i| {
            String::from_utf8(header.field(i).to_vec()).map_err(|_| {
                let place = place.clone().column((i + 1).to_string());
                Error::syntax(place, "a column name that is not UTF-8", "text in UTF-8")
            })
        })
        .collect()
}

/// A table of one column is fine, unless its name looks like that of several.
fn check_single_column(columns: &[String], delimiter: u8, place: &Place) -> Result<()> {
    let [only] = columns else { return Ok(()) };
    let others = [(b',', "','"), (b';', "';'"), (b'\t', "a tab"), (b'|', "'|'")];
    let found = others.iter().find(|&&(other, _)| other != delimiter && only.as_bytes().contains(&other));
    let Some((_, other)) = found else { return Ok(()) };
    let found = format!("a single column whose name contains {other}");
    let expected = format!(
        "fields delimited by {:?}; if {other} is the delimiter, it must be given",
        char::from(delimiter)
    );
    Err(Error::Delimiter { place: place.clone(), found, expected })
}
