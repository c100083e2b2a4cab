//! One column of a row group: its pages are decoded, and the values passed on.
//!
//! Strings are nearly always stored as places in a dictionary, and each entry is looked up once. For this the pages of
//! places are read as if they were whole numbers whose dictionary is 0, 1, 2 and so on.

use std::sync::Arc;

use arrow_array::types::{ArrowPrimitiveType, Float16Type};
use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageReader};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{
    BoolType, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type, Int64Type,
};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::serialized_reader::SerializedPageReader;

use super::super::coder::{Field, Seen};
use super::super::intake::Intake;
use super::super::typed::TypedSource;
use super::super::values::{take_booleans, take_doubles, take_known, take_singles, take_texts, take_whole};
use super::bytes::ParquetBytes;
use super::kind::ParquetKind;
use super::pages::{CheckedPages, FewPages, bits};
use crate::error::{Error, Place, Result};

/// The largest number of rows decoded at a time.
const ROWS: usize = 8192;

/// A number of 16 bits.
type F16 = <Float16Type as ArrowPrimitiveType>::Native;

/// A column of a row group.
pub(super) struct ColumnChunk<'a> {
    pub(super) bytes: Arc<ParquetBytes>,
    pub(super) about: &'a ColumnChunkMetaData,
    pub(super) rows: usize,
    pub(super) source: &'a TypedSource<'a>,
}

/// Some rows: the values of those that are not null.
struct DecodedRows<'a, T> {
    /// The number of rows before.
    before: usize,
    rows: usize,
    /// For each row whether it has a value (1) or is null, if any is null.
    levels: &'a [i16],
    values: &'a [T],
}

impl<'a, T> DecodedRows<'a, T> {
    /// The values of all rows.
    fn iter<U>(&self, of: impl Fn(&'a T) -> U) -> impl Iterator<Item = Option<U>> {
        let (levels, mut values) = (self.levels, self.values.iter());
        let mut value = move |row| match levels.get(row) {
            None | Some(1) => values.next(),
            Some(_) => None,
        };
        (0..self.rows).map(move |row| value(row).map(&of))
    }
}

impl ColumnChunk<'_> {
    /// Passes all values to a column.
    pub(super) fn read(&self, kind: ParquetKind, to: &mut Intake<'_>) -> Result<()> {
        let unused = |bits: u32| 64 - bits;
        match kind {
            ParquetKind::Text => self.read_texts(to),
            ParquetKind::Boolean => self.read_values::<BoolType>(|cells| {
                take_booleans(to, cells.before, cells.iter(|&value| value));
                Ok(())
            }),
            ParquetKind::Whole { bits: 64, signed: true } => self.read_values::<Int64Type>(|cells| {
                take_whole(to, cells.before, cells.iter(|&x| x), |x| x as u64);
                Ok(())
            }),
            ParquetKind::Whole { bits: 64, signed: false } => self.read_values::<Int64Type>(|cells| {
                take_whole(to, cells.before, cells.iter(|&x| x as u64), |x| x);
                Ok(())
            }),
            ParquetKind::Whole { bits, signed: true } => self.read_values::<Int32Type>(|cells| {
                let shift = unused(bits);
                take_whole(to, cells.before, cells.iter(|&x| i64::from(x) << shift >> shift), |x| x as u64);
                Ok(())
            }),
            ParquetKind::Whole { bits, signed: false } => self.read_values::<Int32Type>(|cells| {
                let shift = unused(bits);
                take_whole(to, cells.before, cells.iter(|&x| (x as u64) << shift >> shift), |x| x);
                Ok(())
            }),
            ParquetKind::Half => self.read_values::<FixedLenByteArrayType>(|cells| {
                let half = |bytes: &[u8]| {
                    bytes.first_chunk().map_or(f32::NAN, |&two| F16::from_le_bytes(two).into())
                };
                take_singles(to, cells.before, cells.iter(|x| half(x.data())));
                Ok(())
            }),
            ParquetKind::Single => self.read_values::<FloatType>(|cells| {
                take_singles(to, cells.before, cells.iter(|&x| x));
                Ok(())
            }),
            ParquetKind::Double => self.read_values::<DoubleType>(|cells| {
                take_doubles(to, cells.before, cells.iter(|&x| x));
                Ok(())
            }),
        }
    }

    /// Reads values of one type, some rows at a time.
    fn read_values<T: DataType>(&self, take: impl FnMut(DecodedRows<'_, T::T>) -> Result<()>) -> Result<()> {
        let pages = self.source.guard(|| self.pages())?;
        let taken = self.decode::<T>(Box::new(pages), 0, take)?;
        self.check_end(taken)
    }

    fn read_texts(&self, to: &mut Intake<'_>) -> Result<()> {
        let mut pages = self.source.guard(|| self.pages())?;
        let mut dictionary: Option<TextDictionary> = None;
        let mut taken = 0;
        while let Some(page) = self.source.guard(|| Ok(pages.get_next_page()?))? {
            if let Page::DictionaryPage { buf, num_values, .. } = page {
                let entries = TextDictionary::new(buf, num_values);
                let entries = entries.ok_or_else(|| self.source.damaged("a dictionary that is cut off"))?;
                entries.texts().try_for_each(|text| self.check_text(text))?;
                if dictionary.replace(entries).is_some() {
                    return Err(self.source.damaged("a column with two dictionaries"));
                }
            } else if !matches!(page.encoding(), Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY) {
                let pages = FewPages(vec![page].into_iter());
                taken = self.decode::<ByteArrayType>(Box::new(pages), taken, |cells| {
                    cells.values.iter().try_for_each(|text| self.check_text(text.data()))?;
                    take_texts(to, cells.before, cells.iter(|text| text.data()));
                    Ok(())
                })?;
            } else if let Some(dictionary) = &mut dictionary {
                let pages = FewPages(vec![dictionary.places(), page].into_iter());
                taken = self.decode::<Int32Type>(Box::new(pages), taken, |cells| {
                    dictionary.take(to, &cells);
                    Ok(())
                })?;
            } else {
                return Err(self.source.damaged("a column without its dictionary"));
            }
        }
        self.check_end(taken)
    }

    fn pages(&self) -> std::result::Result<CheckedPages, super::super::typed::ReadFault> {
        let column = self.about.column_descr();
        let pages = SerializedPageReader::new(Arc::clone(&self.bytes), self.about, self.rows, None)?;
        Ok(CheckedPages { pages, nullable: column.max_def_level() > 0, bits: bits(column) })
    }

    /// Decodes pages, some rows at a time. Returns the number of rows up to there.
    fn decode<T: DataType>(
        &self,
        pages: Box<dyn PageReader>,
        before: usize,
        mut take: impl FnMut(DecodedRows<'_, T::T>) -> Result<()>,
    ) -> Result<usize> {
        let mut reader = ColumnReaderImpl::<T>::new(self.about.column_descr_ptr(), pages);
        let (mut levels, mut values) = (Vec::new(), Vec::new());
        let mut before = before;
        loop {
            levels.clear();
            values.clear();
            let decode = || Ok(reader.read_records(ROWS, Some(&mut levels), None, &mut values)?);
            let (rows, ..) = self.source.guard(decode)?;
            if rows == 0 {
                return Ok(before);
            }
            if rows > self.rows - before {
                return Err(self.source.damaged("a column with more rows than the row group"));
            }
            let levels = if values.len() == rows { &[] } else { &levels[..] };
            take(DecodedRows { before, rows, levels, values: &values })?;
            before += rows;
        }
    }

    fn check_end(&self, taken: usize) -> Result<()> {
        match taken < self.rows {
            true => Err(self.source.damaged("a column with fewer rows than the row group")),
            false => Ok(()),
        }
    }

    fn check_text(&self, text: &[u8]) -> Result<()> {
        match std::str::from_utf8(text) {
            Ok(_) => Ok(()),
            Err(_) => {
                let place = Place::file(self.source.name).column(self.about.column_descr().name());
                Err(Error::syntax(place, "bytes that are not UTF-8", "text in UTF-8"))
            }
        }
    }
}

/// The strings of a column, each of which is stored once.
struct TextDictionary {
    bytes: Bytes,
    /// Where each string begins and ends.
    entries: Vec<(usize, usize)>,
    /// What each string is in this column.
    known: Vec<Option<Seen>>,
    /// The numbers of the strings, as a dictionary of the file would have them.
    numbers: Bytes,
}

impl TextDictionary {
    /// The strings of a dictionary page, each of which has its length in front of it.
    fn new(bytes: Bytes, count: u32) -> Option<TextDictionary> {
        let mut entries = Vec::with_capacity((count as usize).min(bytes.len() / 4));
        let mut at = 0;
        for _ in 0..count {
            let begin = at + 4;
            let length = u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
            at = begin + length as usize;
            bytes.get(begin..at)?;
            entries.push((begin, at));
        }
        let numbers: Vec<u8> = (0..count).flat_map(u32::to_le_bytes).collect();
        Some(TextDictionary { bytes, known: vec![None; entries.len()], entries, numbers: numbers.into() })
    }

    fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.entries.iter().map(|&(begin, end)| &self.bytes[begin..end])
    }

    /// A dictionary of the places of the strings instead of the strings.
    fn places(&self) -> Page {
        let num_values = self.entries.len() as u32;
        Page::DictionaryPage {
            buf: self.numbers.clone(),
            num_values,
            encoding: Encoding::PLAIN,
            is_sorted: true,
        }
    }

    /// Passes strings, of which the places are given, to a column.
    fn take(&mut self, to: &mut Intake<'_>, cells: &DecodedRows<'_, i32>) {
        for (row, place) in (cells.before..).zip(cells.iter(|&place| place as usize)) {
            let Some(place) = place else {
                to.take(row, None);
                continue;
            };
            if !take_known(to, row, self.known[place]) {
                let (begin, end) = self.entries[place];
                self.known[place] = Some(to.take(row, Some(Field { text: &self.bytes, begin, end })));
            }
        }
    }
}
