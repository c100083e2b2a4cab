//! Cuts the bytes of a CSV file into rows of fields.
//!
//! The form is that of RFC 4180, read strictly where leniency would change data without a word: a
//! quoted field that is never closed and text behind a closing quote are errors. The `csv` crate,
//! which is this module's oracle in the tests, reports neither, and the lines it gives for rows are
//! wrong after CRLF and after blank lines; hence a lexer of our own.
//!
//! One buffer holds the row at hand and what was read ahead. A row stays in one piece in it, quotes
//! are undone in place, and the fields are handed out as slices of it: nothing is copied. The buffer
//! grows with the longest row, up to [`MAX_ROW`].

use std::io::{self, Read};

use crate::error::{Error, Place, Result};
use crate::file;

/// The longest row in bytes. It bounds the memory that a quote which is never closed can take.
pub(super) const MAX_ROW: usize = 1 << 26;

/// So many bytes tell what a file is.
const MAGIC: usize = 16;

/// How much is read ahead.
const BLOCK: usize = 1 << 18;

/// Reads rows one by one.
pub(super) struct CsvLexer<R> {
    input: R,
    /// The file as errors name it.
    name: String,
    delimiter: u8,
    /// Which bytes end the scan of a field without quotes.
    stops: [bool; 256],
    buffer: Vec<u8>,
    /// Where the row at hand begins in the buffer.
    row: usize,
    /// The first byte that was not looked at yet.
    next: usize,
    /// Where the buffer's content ends.
    filled: usize,
    at_end: bool,
    /// The line of the byte at `next`.
    line: u64,
    /// Whether the line before was ended by a CR, to which a LF may belong.
    after_cr: bool,
    /// Whether a blank line is a row with one empty field.
    blank_rows: bool,
    /// Begin and end of each field, counted from the begin of the row.
    fields: Vec<(usize, usize)>,
}

/// One row of fields, quotes undone.
pub(super) struct CsvRow<'a> {
    /// The line on which it begins.
    pub(super) line: u64,
    bytes: &'a [u8],
    fields: &'a [(usize, usize)],
}

impl<'a> CsvRow<'a> {
    pub(super) fn len(&self) -> usize {
        self.fields.len()
    }

    pub(super) fn field(&self, i: usize) -> &'a [u8] {
        let (begin, end) = self.fields[i];
        &self.bytes[begin..end]
    }
}

impl<R: Read> CsvLexer<R> {
    /// A lexer at the begin of a text, whose byte order mark it skips.
    pub(super) fn new(input: R, name: &str, delimiter: u8) -> Result<CsvLexer<R>> {
        let mut stops = [false; 256];
        for byte in [delimiter, b'\r', b'\n', 0] {
            stops[usize::from(byte)] = true;
        }
        let mut lexer = CsvLexer {
            input,
            name: name.to_owned(),
            delimiter,
            stops,
            buffer: vec![0; BLOCK],
            row: 0,
            next: 0,
            filled: 0,
            at_end: false,
            line: 1,
            after_cr: false,
            blank_rows: false,
            fields: Vec::new(),
        };
        while lexer.filled < MAGIC && lexer.fill()? {}
        let begin = &lexer.buffer[..lexer.filled];
        if let Some((found, expected)) = not_text(begin) {
            return Err(Error::syntax(Place::file(name), found, expected));
        }
        if begin.starts_with(b"\xEF\xBB\xBF") {
            lexer.next = 3;
        }
        Ok(lexer)
    }

    /// From here on a blank line is a row with one empty field.
    pub(super) fn keep_blank_lines(&mut self) {
        self.blank_rows = true;
    }

    /// The next row; blank lines are passed over, unless they are kept.
    pub(super) fn next_row(&mut self) -> Result<Option<CsvRow<'_>>> {
        let follows = if self.blank_rows { self.skip_rest_of_crlf()? } else { self.skip_line_ends()? };
        if !follows {
            return Ok(None);
        }
        let line = self.line;
        self.row = self.next;
        self.fields.clear();
        loop {
            let more = match self.peek()? {
                Some(b'"') => self.quoted_field()?,
                _ => self.plain_field()?,
            };
            if !more {
                break;
            }
        }
        Ok(Some(CsvRow { line, bytes: &self.buffer[self.row..self.next], fields: &self.fields }))
    }

    /// Passes over ends of lines; says whether anything follows.
    fn skip_line_ends(&mut self) -> Result<bool> {
        loop {
            self.row = self.next;
            match self.peek()? {
                Some(b'\n') if self.after_cr => self.after_cr = false,
                Some(b'\n') => self.line += 1,
                Some(b'\r') => {
                    self.line += 1;
                    self.after_cr = true;
                }
                Some(_) => {
                    self.after_cr = false;
                    return Ok(true);
                }
                None => return Ok(false),
            }
            self.next += 1;
        }
    }

    /// Passes over the LF that belongs to a CR; says whether anything follows.
    fn skip_rest_of_crlf(&mut self) -> Result<bool> {
        self.row = self.next;
        if self.peek()? == Some(b'\n') && self.after_cr {
            self.next += 1;
            self.row = self.next;
        }
        self.after_cr = false;
        Ok(self.peek()?.is_some())
    }

    /// Takes a field without quotes; says whether another field follows in the row.
    fn plain_field(&mut self) -> Result<bool> {
        let begin = self.next - self.row;
        loop {
            let ahead = &self.buffer[self.next..self.filled];
            if let Some(n) = ahead.iter().position(|&b| self.stops[usize::from(b)]) {
                self.next += n;
                break;
            }
            self.next = self.filled;
            if !self.fill()? {
                break;
            }
        }
        self.fields.push((begin, self.next - self.row));
        self.field_end()
    }

    /// Takes a field in quotes, of which the first is next, and undoes the doubled ones inside.
    fn quoted_field(&mut self) -> Result<bool> {
        let opened = self.line;
        self.next += 1;
        let begin = self.next - self.row;
        let mut end = begin;
        loop {
            let ahead = &self.buffer[self.next..self.filled];
            let n = ahead.iter().position(|&b| matches!(b, b'"' | b'\n' | 0)).unwrap_or(ahead.len());
            let from = self.next;
            self.buffer.copy_within(from..from + n, self.row + end);
            self.next += n;
            end += n;
            match self.peek()? {
                Some(b'"') => {
                    self.next += 1;
                    if self.peek()? != Some(b'"') {
                        self.fields.push((begin, end));
                        return self.field_end();
                    }
                    self.buffer[self.row + end] = b'"';
                    end += 1;
                    self.next += 1;
                }
                Some(b'\n') => {
                    self.buffer[self.row + end] = b'\n';
                    end += 1;
                    self.next += 1;
                    self.line += 1;
                }
                Some(0) => return Err(self.nul()),
                Some(_) => {} // the buffer was filled again: on with the scan
                None => {
                    let found = "a quoted field that is never closed";
                    return Err(self.fault(opened, found, "a second quote before the end of the file"));
                }
            }
        }
    }

    /// Passes over what ends a field; says whether another field follows in the row.
    fn field_end(&mut self) -> Result<bool> {
        match self.peek()? {
            None => return Ok(false),
            Some(b'\n') => self.line += 1,
            Some(b'\r') => {
                self.line += 1;
                self.after_cr = true;
            }
            Some(0) => return Err(self.nul()),
            Some(b) if b == self.delimiter => {
                self.next += 1;
                return Ok(true);
            }
            Some(_) => {
                let expected = "a delimiter or the end of the line; a quote inside a quoted field is doubled";
                return Err(self.fault(self.line, "text behind a closing quote", expected));
            }
        }
        self.next += 1;
        Ok(false)
    }

    /// The next byte, or none at the end of the file.
    fn peek(&mut self) -> Result<Option<u8>> {
        if self.next == self.filled && !self.fill()? {
            return Ok(None);
        }
        Ok(Some(self.buffer[self.next]))
    }

    /// Reads more behind what the buffer holds; says whether there was more.
    fn fill(&mut self) -> Result<bool> {
        if self.at_end {
            return Ok(false);
        }
        if self.row > 0 {
            self.buffer.copy_within(self.row..self.filled, 0);
            self.next -= self.row;
            self.filled -= self.row;
            self.row = 0;
        }
        if self.filled == self.buffer.len() {
            if self.filled >= MAX_ROW {
                let found = format!("a row of more than {} MiB", MAX_ROW >> 20);
                return Err(self.fault(self.line, &found, "shorter rows; perhaps a quote is not closed"));
            }
            self.buffer.resize(2 * self.filled, 0);
        }
        loop {
            match self.input.read(&mut self.buffer[self.filled..]) {
                Ok(n) => {
                    self.filled += n;
                    self.at_end = n == 0;
                    return Ok(n > 0);
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(file::read_failed(self.name.as_ref(), e)),
            }
        }
    }

    fn nul(&self) -> Error {
        self.fault(self.line, "a NUL byte", "text in UTF-8")
    }

    fn fault(&self, line: u64, found: &str, expected: &str) -> Error {
        Error::syntax(Place::line(&self.name, line), found, expected)
    }
}

/// What a file is, and what it should be, when its first bytes show that it is no text in UTF-8.
fn not_text(begin: &[u8]) -> Option<(&'static str, &'static str)> {
    let begin = &begin[..begin.len().min(MAGIC)];
    // A column may well be called PAR1.
    let is_text = std::str::from_utf8(begin).map_or_else(|e| e.error_len().is_none(), |_| true);
    if is_text && !begin.contains(&0) {
        return None;
    }
    let known: [(&[u8], _, _); 6] = [
        (b"\xFF\xFE", "text in UTF-16", "text in UTF-8; save the file in that encoding"),
        (b"\xFE\xFF", "text in UTF-16", "text in UTF-8; save the file in that encoding"),
        (b"\x1F\x8B", "a gzip file", "text, or a name that ends in .gz"),
        (b"PK\x03\x04", "a zip archive or a spreadsheet", "text; export the sheet as CSV"),
        (b"PAR1", "a Parquet file", "text, or a name that ends in .parquet"),
        (b"ARROW1", "an Arrow file", "text, or a name that ends in .arrow"),
    ];
    known.iter().find(|(magic, ..)| begin.starts_with(magic)).map(|&(_, found, expected)| (found, expected))
}

#[cfg(test)]
mod tests;
