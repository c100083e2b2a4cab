//! Splits the bytes of a CSV file into rows of fields.
//!
//! The format is RFC 4180, read strictly where leniency would silently change data: a quoted field
//! that is never closed and text after a closing quote are errors. The `csv` crate, which serves as
//! an oracle in the tests, reports neither, and its line numbers are wrong after CRLF and after
//! blank lines; hence our own lexer.
//!
//! Nothing is copied or changed: the output is the positions where fields begin. A lexer can start at the
//! beginning of any row, so several can work on parts of one text ([`blocks`](super::blocks)).

mod stops;

use self::stops::Stops;

/// The longest row in bytes. It limits the memory that an unclosed quote can take.
pub(super) const MAX_ROW: usize = 1 << 26;

/// How to split a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct CsvForm {
    pub(super) delimiter: u8,
    /// Whether a blank line is a row with one empty field, instead of being skipped.
    pub(super) blank_rows: bool,
    /// The number of fields that every row must have; `None` for the header, which is then the only
    /// row.
    pub(super) width: Option<usize>,
}

/// The part of a text that one lexer splits: the rows that begin in `begin..limit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CsvPart {
    pub(super) begin: usize,
    pub(super) limit: usize,
    /// Whether nothing follows the text.
    pub(super) at_end: bool,
}

/// The rows of a text.
#[derive(Debug, Default)]
pub(super) struct CsvRows {
    /// For each row, the beginnings of its fields, and one past the end of the last: a field ends one byte before the
    /// next begins.
    pub(super) marks: Vec<u32>,
    /// The line on which each row begins; that of the first byte is 0.
    pub(super) lines: Vec<u32>,
    /// The number of lines that ended.
    pub(super) ended: u32,
    /// The first byte after these rows.
    pub(super) end: usize,
    /// Whether the text ends before the row that begins there.
    pub(super) open: bool,
    pub(super) fault: Option<CsvFault>,
}

/// The fault in the row after the last good one, and its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CsvFault {
    pub(super) line: u32,
    pub(super) what: CsvFaultKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CsvFaultKind {
    NeverClosed,
    TextBehindQuote,
    Nul,
    TooLong,
    /// The number of fields it has.
    Width(usize),
}

/// How a field or a row ended.
enum FieldEnd {
    /// With a delimiter, after which another field begins.
    Field(usize),
    /// With its line; the next row begins here.
    Row(usize),
    /// The text ends first.
    Open,
    /// With a fault at this position.
    Fault(usize, CsvFault),
}

impl CsvRows {
    /// Splits a part of a text.
    pub(super) fn cut(&mut self, text: &[u8], part: CsvPart, form: &CsvForm) {
        self.marks.clear();
        self.lines.clear();
        (self.open, self.fault) = (false, None);
        let mut cutter =
            Cutter { text, at_end: part.at_end, form, stops: Stops::new(text, form.delimiter), line: 0 };
        let mut next = part.begin;
        loop {
            let (before, line) = (self.marks.len(), cutter.line);
            let byte = text.get(next).filter(|_| next < part.limit);
            if !form.blank_rows && byte.is_some_and(|b| matches!(b, b'\r' | b'\n')) {
                match cutter.line_end(next) {
                    Some(behind) => next = behind,
                    None => self.open = true,
                }
            } else if byte.is_some() {
                self.marks.push(next as u32);
                match cutter.row(next, &mut self.marks) {
                    FieldEnd::Row(behind) => {
                        let found = self.marks.len() - before - 1;
                        match form.width {
                            Some(width) if width != found => {
                                self.fault = Some(CsvFault { line, what: CsvFaultKind::Width(found) });
                            }
                            _ => {
                                self.lines.push(line);
                                next = behind;
                            }
                        }
                    }
                    FieldEnd::Fault(_, fault) => self.fault = Some(fault),
                    FieldEnd::Open | FieldEnd::Field(_) => self.open = true,
                }
            }
            let stopped = self.open || self.fault.is_some();
            if stopped {
                self.marks.truncate(before);
                cutter.line = line;
            }
            if stopped || byte.is_none() || (form.width.is_none() && !self.lines.is_empty()) {
                break;
            }
        }
        (self.ended, self.end) = (cutter.line, next);
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The range of a field, including its quotes.
    #[inline]
    pub(super) fn field(&self, row: usize, field: usize, width: usize) -> (usize, usize) {
        let at = row * (width + 1) + field;
        (self.marks[at] as usize, self.marks[at + 1] as usize - 1)
    }
}

/// A field without its quotes; `room` holds the text if doubled quotes had to be undone.
pub(super) fn unquoted<'a>(raw: &'a [u8], room: &'a mut Vec<u8>) -> &'a [u8] {
    let Some(inner) = raw.strip_prefix(b"\"").and_then(|raw| raw.strip_suffix(b"\"")) else { return raw };
    if !inner.contains(&b'"') {
        return inner;
    }
    room.clear();
    let mut second = false;
    for &byte in inner {
        second = byte == b'"' && !second;
        if !second {
            room.push(byte);
        }
    }
    room
}

struct Cutter<'a> {
    text: &'a [u8],
    at_end: bool,
    form: &'a CsvForm,
    stops: Stops<'a>,
    /// The current line.
    line: u32,
}

impl Cutter<'_> {
    /// Reads a row, and marks where its fields end.
    fn row(&mut self, begin: usize, marks: &mut Vec<u32>) -> FieldEnd {
        let mut next = begin;
        let line = self.line;
        loop {
            let quoted = self.text.get(next) == Some(&b'"');
            if !quoted {
                // Nearly every field is a plain one before a delimiter.
                let stop = self.stops.next(next);
                if self.text.get(stop) == Some(&self.form.delimiter) {
                    marks.push(stop as u32 + 1);
                    next = stop + 1;
                    continue;
                }
            }
            let ended = if quoted { self.quoted_field(next, marks) } else { self.plain_field(next, marks) };
            let behind = match ended {
                FieldEnd::Field(behind) | FieldEnd::Row(behind) | FieldEnd::Fault(behind, _) => behind,
                FieldEnd::Open => self.text.len(),
            };
            if behind - begin > MAX_ROW {
                // All ends of lines in a row are inside quotes.
                let first = &self.text[begin..begin + MAX_ROW];
                let ends = first.iter().filter(|&&b| b == b'\n').count() as u32;
                return self.fault(behind, line + ends, CsvFaultKind::TooLong);
            }
            match ended {
                FieldEnd::Field(behind) => next = behind,
                ended => return ended,
            }
        }
    }

    fn plain_field(&mut self, begin: usize, marks: &mut Vec<u32>) -> FieldEnd {
        let mut next = begin;
        loop {
            let stop = self.stops.next(next);
            match self.text.get(stop) {
                // A control character that means nothing.
                Some(&b) if b != self.form.delimiter && !matches!(b, b'\r' | b'\n' | 0) => next = stop + 1,
                _ => return self.field_end(stop, marks),
            }
        }
    }

    fn quoted_field(&mut self, begin: usize, marks: &mut Vec<u32>) -> FieldEnd {
        let opened = self.line;
        let mut next = begin + 1;
        loop {
            let ahead = &self.text[next..];
            let stop =
                next + ahead.iter().position(|&b| matches!(b, b'"' | b'\n' | 0)).unwrap_or(ahead.len());
            next = stop + 1;
            match (self.text.get(stop), self.text.get(next)) {
                (Some(b'"'), Some(b'"')) => next += 1,
                (Some(b'"'), None) if !self.at_end => return FieldEnd::Open,
                (Some(b'"'), _) => return self.field_end(next, marks),
                (Some(b'\n'), _) => self.line += 1,
                (Some(_), _) => return self.fault(stop, self.line, CsvFaultKind::Nul),
                (None, _) if self.at_end => return self.fault(stop, opened, CsvFaultKind::NeverClosed),
                (None, _) => return FieldEnd::Open,
            }
        }
    }

    /// Skips the end of a field, at `stop`.
    #[inline]
    fn field_end(&mut self, stop: usize, marks: &mut Vec<u32>) -> FieldEnd {
        marks.push(stop as u32 + 1);
        match self.text.get(stop) {
            Some(&b) if b == self.form.delimiter => FieldEnd::Field(stop + 1),
            Some(b'\r' | b'\n') => self.line_end(stop).map_or(FieldEnd::Open, FieldEnd::Row),
            Some(0) => self.fault(stop, self.line, CsvFaultKind::Nul),
            Some(_) => self.fault(stop, self.line, CsvFaultKind::TextBehindQuote),
            None if self.at_end => FieldEnd::Row(stop),
            None => FieldEnd::Open,
        }
    }

    /// The position after a line end, if it is known: a CR may be followed by an LF that belongs to it.
    fn line_end(&mut self, at: usize) -> Option<usize> {
        let behind = match (self.text[at], self.text.get(at + 1)) {
            (b'\r', Some(b'\n')) => at + 2,
            (b'\r', None) if !self.at_end => return None,
            _ => at + 1,
        };
        self.line += 1;
        Some(behind)
    }

    fn fault(&self, at: usize, line: u32, what: CsvFaultKind) -> FieldEnd {
        FieldEnd::Fault(at, CsvFault { line, what })
    }
}
