//! Tables from delimited text.

use std::io::Read;

use super::blocks::{BlockSizes, CsvBlock, CsvBlocks};
use super::builder::{At, Builder};
use super::coder::Field;
use super::intake::Intake;
use super::joined::Joined;
use super::lexer::{CsvForm, unquoted};
use super::{ReadOptions, Table};
use crate::error::{Error, Place, Result};
use crate::progress::Progress;

/// Reads a table from delimited text: CSV, or TSV if the name ends in `.tsv`.
///
/// The first row has the names of the columns. Quoted fields may contain delimiters, line ends and
/// doubled quotes; quoted or not, a field is a label exactly as written, including spaces. Lines end
/// in LF, CRLF or CR. Blank lines are skipped; in a table of one column each is an empty field. The
/// text is UTF-8 without NUL bytes, and a row has at most 64 MiB.
///
/// Rows are coded as they are read, on all threads, in about as much memory as the
/// [`Dataset`](crate::Dataset) needs. `name` is the name of the file in errors.
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
    let mut joined = Joined::new(options, progress);
    append(reader, name, &mut joined, BlockSizes::default())?;
    joined.finish()
}

/// Adds the rows of a text to a table.
pub(super) fn append(
    reader: impl Read,
    name: &str,
    joined: &mut Joined<'_>,
    sizes: BlockSizes,
) -> Result<()> {
    let given = joined.options.delimiter;
    let delimiter = given.map_or(Ok(usual_delimiter(name)), check_delimiter)?;
    let mut blocks = CsvBlocks::new(reader, name, sizes)?;
    let Some((line, header)) = blocks.header(delimiter)? else {
        return Err(Error::syntax(
            Place::file(name),
            "an empty file",
            "a row of column names, then rows of data",
        ));
    };
    let place = Place::line(name, line);
    let columns = column_names(header, &place)?;
    if given.is_none() {
        check_single_column(&columns, delimiter, &place)?;
    }
    let width = columns.len();
    let builder = joined.file(name, columns, place, &[])?;
    let form = CsvForm { delimiter, blank_rows: width == 1, width: Some(width) };
    let mut block = CsvBlock::default();
    while blocks.next(&form, &mut block, |block| code(block, width, builder))? {}
    Ok(())
}

/// The bytes of text and marks that are coded column by column, few enough to stay in the cache.
const TILE: usize = 1 << 15;

/// The smallest number of rows in such a tile: the state of a column is loaded once for them.
const LEAST_ROWS: usize = 64;

/// Codes the rows of a block.
fn code(block: &CsvBlock, width: usize, builder: &mut Builder<'_>) -> Result<()> {
    if block.rows == 0 {
        return Ok(());
    }
    let bytes_of_row = block.text.len() / block.rows + 4 * (width + 1);
    let tile = (TILE / bytes_of_row).max(LEAST_ROWS);
    let fill = |intakes: &mut [Intake<'_>]| {
        let mut room = Vec::new();
        for (before, part) in block.parts() {
            for begin in (0..part.len()).step_by(tile) {
                let rows = begin..part.len().min(begin + tile);
                for intake in &mut *intakes {
                    for row in rows.clone() {
                        let (begin, end) = part.field(row, intake.field, width);
                        let mut field = Field { text: &block.text, begin, end };
                        if begin < end && block.text[begin] == b'"' {
                            field = Field::of(unquoted(field.bytes(), &mut room));
                        }
                        intake.take(before + row, Some(field));
                    }
                }
            }
        }
        Ok(())
    };
    let together = width.div_ceil(4 * rayon::current_num_threads());
    builder.take(block.rows, &|row| At::Line(block.line(row)), together, &fill)
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

fn column_names(header: Vec<Vec<u8>>, place: &Place) -> Result<Vec<String>> {
    let not_text = |column: usize| {
        let place = place.clone().column(column.to_string());
        Error::syntax(place, "a column name that is not UTF-8", "text in UTF-8")
    };
    let named = (1..).zip(header);
    named.map(|(column, name)| String::from_utf8(name).map_err(|_| not_text(column))).collect()
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

#[cfg(test)]
mod tests;
