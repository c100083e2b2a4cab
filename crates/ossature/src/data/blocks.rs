//! Reads a text in blocks of whole rows, and splits each block into rows on all threads.
//!
//! A block is divided into parts after line ends. Whether a line end also ends a row or is inside quotes is known only
//! when everything before it has been read, so each thread assumes that its part begins with a row; if the previous
//! part turns out to end elsewhere, the part is split again from there. The result is the same as that of one lexer
//! over the whole text.
//!
//! While the rows of a block are used, the next one is read.

use std::io::{self, Read};

use super::lexer::{CsvFault, CsvFaultKind, CsvForm, CsvPart, CsvRows, MAX_ROW, unquoted};
use crate::error::{Error, Place, Result};
use crate::file;
use crate::parallel;
use crate::text::count;

/// The number of leading bytes that identify a file type.
const MAGIC: usize = 16;

/// How much to read at a time; the rows do not depend on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockSizes {
    /// The size of the first block in bytes.
    pub(super) first: usize,
    /// The smallest and the largest size of a part in bytes.
    pub(super) part: (usize, usize),
    /// The largest size of a block in bytes, unless a row is longer.
    pub(super) most: usize,
    /// The number of parts of a block; 0 means one for each thread.
    pub(super) parts: usize,
}

impl Default for BlockSizes {
    fn default() -> BlockSizes {
        BlockSizes { first: 1 << 19, part: (1 << 19, 1 << 22), most: 1 << 26, parts: 0 }
    }
}

/// The number of rows that a part should have: columns are coded part by part, which pays off for many columns
/// only with enough rows.
const ROWS_OF_PART: usize = 64;

/// A text in blocks.
pub(super) struct CsvBlocks<R> {
    input: R,
    name: String,
    sizes: BlockSizes,
    /// The block that was read last and is not split yet.
    ahead: Vec<u8>,
    at_end: bool,
    failed: Option<io::Error>,
    /// The size in bytes of the next block, and of each of its parts.
    wanted: usize,
    part: usize,
    /// The number of lines before the block, and its first unused byte.
    line: u64,
    begin: usize,
}

/// A block of whole rows.
#[derive(Default)]
pub(super) struct CsvBlock {
    pub(super) text: Vec<u8>,
    pub(super) parts: Vec<CsvRows>,
    /// The line before the first of each part, and the number of rows before.
    before: Vec<(u64, usize)>,
    pub(super) rows: usize,
    /// The fault after the last row.
    fault: Option<(u64, CsvFaultKind)>,
}

impl CsvBlock {
    /// The line on which a row begins.
    pub(super) fn line(&self, row: usize) -> u64 {
        let part = self.before.partition_point(|&(_, rows)| rows <= row) - 1;
        let (line, rows) = self.before[part];
        line + u64::from(self.parts[part].lines[row - rows])
    }

    /// The parts with the number of rows before each.
    pub(super) fn parts(&self) -> impl Iterator<Item = (usize, &CsvRows)> {
        self.before.iter().map(|&(_, rows)| rows).zip(&self.parts)
    }
}

impl<R: Read> CsvBlocks<R> {
    /// The blocks of a text; a byte order mark is skipped.
    pub(super) fn new(input: R, name: &str, sizes: BlockSizes) -> Result<CsvBlocks<R>> {
        let mut blocks = CsvBlocks {
            input,
            name: name.to_owned(),
            sizes,
            ahead: Vec::new(),
            at_end: false,
            failed: None,
            wanted: sizes.first.max(MAGIC),
            part: sizes.part.0,
            line: 1,
            begin: 0,
        };
        blocks.read_ahead(&[]);
        if let Some((found, expected)) = not_text(&blocks.ahead) {
            return Err(Error::syntax(Place::file(name), found, expected));
        }
        if blocks.ahead.starts_with(b"\xEF\xBB\xBF") {
            blocks.begin = 3;
        }
        Ok(blocks)
    }

    /// The first row and its line, if there is any row.
    pub(super) fn header(&mut self, delimiter: u8) -> Result<Option<(u64, Vec<Vec<u8>>)>> {
        let form = CsvForm { delimiter, blank_rows: false, width: None };
        loop {
            let mut rows = CsvRows::default();
            let part = CsvPart { begin: self.begin, limit: self.ahead.len(), at_end: self.at_end };
            rows.cut(&self.ahead, part, &form);
            if let Some(CsvFault { line, what }) = rows.fault {
                return Err(self.fault(self.line + u64::from(line), what, 0));
            }
            self.begin = rows.end;
            if let Some(&line) = rows.lines.first() {
                let width = rows.marks.len() - 1;
                let field = |i| {
                    let (begin, end) = rows.field(0, i, width);
                    unquoted(&self.ahead[begin..end], &mut Vec::new()).to_vec()
                };
                let line = self.line + u64::from(line);
                self.line += u64::from(rows.ended);
                return Ok(Some((line, (0..width).map(field).collect())));
            }
            self.line += u64::from(rows.ended);
            if self.at_end || self.failed.is_some() {
                return self.check_read().map(|()| None);
            }
            self.wanted *= 2;
            let text = std::mem::take(&mut self.ahead);
            self.read_ahead(&text[self.begin..]);
            self.begin = 0;
        }
    }

    /// Splits the block that was read, and uses its rows while the next one is read. Returns whether more
    /// follows.
    pub(super) fn next(
        &mut self,
        form: &CsvForm,
        block: &mut CsvBlock,
        work: impl FnOnce(&CsvBlock) -> Result<()> + Send,
    ) -> Result<bool> {
        std::mem::swap(&mut block.text, &mut self.ahead);
        let end = self.cut(form, block);
        let (begin, rows) = (self.begin, block.rows);
        self.begin = 0;
        if let Some((line, what)) = block.fault {
            work(block)?;
            return Err(self.fault(line, what, form.width.unwrap_or(0)));
        }
        if self.at_end || self.failed.is_some() {
            work(block)?;
            return self.check_read().map(|()| false);
        }
        self.plan(end - begin, rows);
        let mut worked = Ok(());
        rayon::in_place_scope(|scope| {
            let (block, worked) = (&*block, &mut worked);
            scope.spawn(move |_| *worked = work(block));
            self.read_ahead(&block.text[end..]);
        });
        worked.map(|()| true)
    }

    /// Splits the block into rows; returns where they end.
    fn cut(&mut self, form: &CsvForm, block: &mut CsvBlock) -> usize {
        let CsvBlock { text, parts: all, before, rows, fault } = block;
        let parts = self.parts(text);
        all.resize_with(parts.len(), CsvRows::default);
        parallel::for_each_mut(all, |i, rows| rows.cut(text, parts[i], form));
        before.clear();
        (*rows, *fault) = (0, None);
        let mut end = self.begin;
        for (part, supposed) in all.iter_mut().zip(&parts) {
            if supposed.begin != end {
                // Somebody's end of a line was inside quotes; or all of the part was.
                part.cut(text, CsvPart { begin: end, ..*supposed }, form);
            }
            before.push((self.line, *rows));
            *rows += part.len();
            end = part.end;
            *fault = part.fault.map(|fault| (self.line + u64::from(fault.line), fault.what));
            self.line += u64::from(part.ended);
            if part.open || fault.is_some() {
                break;
            }
        }
        // What was cut behind a fault, or behind a row that goes on, are no rows.
        all.truncate(before.len());
        end
    }

    /// The parts of a text: each but the first begins after a line end.
    fn parts(&self, text: &[u8]) -> Vec<CsvPart> {
        let mut begins = vec![self.begin];
        let mut from = self.begin + self.part;
        while from < text.len() {
            let Some(n) = text[from..].iter().position(|&b| b == b'\n') else { break };
            begins.push(from + n + 1);
            from += n + 1 + self.part;
        }
        let limits = begins.iter().copied().skip(1).chain([text.len()]);
        begins
            .iter()
            .zip(limits)
            .map(|(&begin, limit)| CsvPart { begin, limit, at_end: self.at_end })
            .collect()
    }

    /// Chooses the size of the next block from this one.
    fn plan(&mut self, bytes: usize, rows: usize) {
        if rows == 0 {
            // The row at hand is longer than the block.
            self.wanted *= 2;
            return;
        }
        let (least, most) = self.sizes.part;
        self.part = (ROWS_OF_PART * bytes / rows).clamp(least, most);
        let parts = if self.sizes.parts > 0 { self.sizes.parts } else { rayon::current_num_threads() };
        self.wanted = (self.part * parts).min(self.sizes.most);
    }

    /// Reads the next block, which begins with these bytes.
    fn read_ahead(&mut self, begin: &[u8]) {
        self.ahead.clear();
        let needed = begin.len() + self.wanted;
        if self.ahead.capacity() < needed {
            // The old block goes first, and nothing of it is copied. The next one may begin with a longer row.
            self.ahead = Vec::new();
            self.ahead = Vec::with_capacity(needed + needed / 16);
        }
        self.ahead.extend_from_slice(begin);
        match (&mut self.input).take(self.wanted as u64).read_to_end(&mut self.ahead) {
            Ok(n) => self.at_end = n < self.wanted,
            Err(e) => self.failed = Some(e),
        }
    }

    /// The error of a failed read, if any.
    fn check_read(&mut self) -> Result<()> {
        self.failed.take().map_or(Ok(()), |e| Err(file::read_failed(self.name.as_ref(), e)))
    }

    fn fault(&self, line: u64, what: CsvFaultKind, width: usize) -> Error {
        let (found, expected) = match what {
            CsvFaultKind::NeverClosed => (
                "a quoted field that is never closed".into(),
                "a second quote before the end of the file".into(),
            ),
            CsvFaultKind::TextBehindQuote => (
                "text after a closing quote".into(),
                "a delimiter or the end of the line; a quote inside a quoted field is doubled".into(),
            ),
            CsvFaultKind::Nul => ("a NUL byte".into(), "text in UTF-8".into()),
            CsvFaultKind::TooLong => (
                format!("a row of more than {} MiB", MAX_ROW >> 20),
                "shorter rows; perhaps a quote is not closed".into(),
            ),
            CsvFaultKind::Width(found) => {
                (count(found, "field"), format!("{}, as in the header", count(width, "field")))
            }
        };
        Error::syntax(Place::line(&self.name, line), found, expected)
    }
}

/// What a file is, and what it should be, if its first bytes show that it is not UTF-8 text.
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
