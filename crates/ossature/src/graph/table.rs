//! Two columns of a small CSV table by their names, the form of lists of arcs and tiers.

use crate::error::{Error, Place, Result};
use crate::text::listed;

/// The fields of two columns in one row, and the line it starts on.
pub(super) struct TwoFields {
    pub(super) line: u64,
    pub(super) fields: [String; 2],
}

/// Reads the two columns with these names; other columns are ignored.
pub(super) fn two_columns(text: &str, file: &str, names: [&str; 2]) -> Result<Vec<TwoFields>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let mut records = reader.records();
    let expected = || format!("a header with the columns {:?} and {:?}", names[0], names[1]);
    let header = match records.next() {
        Some(header) => header.map_err(|e| ragged(&e, text, file))?,
        None => return Err(Error::syntax(Place::line(file, 1), "nothing", expected())),
    };
    let mut columns = [0; 2];
    for (column, name) in columns.iter_mut().zip(names) {
        let found = || format!("the columns {}", listed(header.iter().map(|name| format!("{name:?}"))));
        let mut places = header.iter().enumerate().filter(|(_, h)| h.trim() == name).map(|(i, _)| i);
        *column = places.next().ok_or_else(|| Error::syntax(Place::line(file, 1), found(), expected()))?;
        if places.next().is_some() {
            let place = Some(Place::line(file, 1));
            return Err(Error::Duplicate { what: "column", name: name.to_owned(), place });
        }
    }
    let mut rows = Vec::new();
    let (mut line, mut counted) = (1, 0);
    for record in records {
        let record = record.map_err(|e| ragged(&e, text, file))?;
        let start = start(text, record.position());
        line += newlines(&text[counted..start]);
        counted = start;
        rows.push(TwoFields { line, fields: columns.map(|i| record[i].to_owned()) });
    }
    Ok(rows)
}

/// The byte at which a record starts. The reader's position may be before empty lines and the
/// second half of a line end, so its own line count cannot be used.
fn start(text: &str, position: Option<&csv::Position>) -> usize {
    let from = position.map_or(0, |p| p.byte() as usize);
    from + text.as_bytes()[from..].iter().take_while(|b| b"\r\n".contains(b)).count()
}

fn newlines(text: &str) -> u64 {
    text.bytes().filter(|&b| b == b'\n').count() as u64
}

/// UTF-8 text can only fail as CSV because its rows differ in length.
fn ragged(error: &csv::Error, text: &str, file: &str) -> Error {
    let place = Place::line(file, 1 + newlines(&text[..start(text, error.position())]));
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            Error::syntax(place, format!("{len} fields"), format!("{expected_len}, as in the header"))
        }
        _ => Error::syntax(place, error.to_string(), "a row of fields separated by commas"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        two_columns(text, "a.csv", ["from", "to"]).err().unwrap().to_string()
    }

    #[test]
    fn columns_are_found_by_name() {
        let text = "\u{feff}weight, to,from\r\n1,b,\" a\"\r\n\r\n2,\"d\ne\",c\r\n3,g,f\r\n";
        let rows = two_columns(text, "a.csv", ["from", "to"]).unwrap();
        let fields: Vec<_> = rows.iter().map(|r| [r.fields[0].as_str(), r.fields[1].as_str()]).collect();
        assert_eq!(fields, [[" a", "b"], ["c", "d\ne"], ["f", "g"]]);
        assert_eq!(rows[2].line, 6);
    }

    #[test]
    fn a_refusal_says_what_where_and_what_would_do() {
        assert_eq!(
            refused(""),
            "a.csv, line 1: found nothing, expected a header with the columns \"from\" and \"to\""
        );
        assert!(refused("a,b\n").contains("found the columns \"a\", \"b\", expected"));
        assert!(refused("from,from,to\n").contains("twice"));
        assert_eq!(
            refused("from,to\r\na,b\r\n\r\na,b,c\r\n"),
            "a.csv, line 4: found 3 fields, expected 2, as in the header"
        );
    }
}
