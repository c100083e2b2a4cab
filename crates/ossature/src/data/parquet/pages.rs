//! The pages of a column of a row group.
//!
//! The decoders allocate what a page claims to hold before they check that it is that long. In a damaged file this
//! can be more than any machine has, which would end the process; so these numbers are checked first.

use parquet::basic::{Encoding, Type as Physical};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::ColumnDescriptor;

use super::super::ipc::MAX_RATIO;
use super::super::typed::TooLargePage;
use super::bytes::ParquetBytes;
use crate::error::Error;

/// A page of more bytes is decompressed only if there is memory for it.
const LARGE: u64 = 1 << 26;

/// Pages whose claims are possible.
pub(super) struct CheckedPages {
    pub(super) pages: SerializedPageReader<ParquetBytes>,
    /// Whether there are nulls.
    pub(super) nullable: bool,
    /// The smallest number of bits of a value in a dictionary.
    pub(super) bits: u64,
}

/// Checks what a page claims; `nullable` and `bits` are those of its column.
fn check(page: &Page, nullable: bool, bits: u64) -> Result<()> {
    if let Page::DictionaryPage { buf, num_values, .. } = page {
        return match u64::from(*num_values) * bits > 8 * buf.len() as u64 {
            true => Err(damaged("a dictionary is shorter than it claims to be")),
            false => Ok(()),
        };
    }
    let lists = match page.encoding() {
        Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
        Encoding::DELTA_BYTE_ARRAY => 2,
        _ => return Ok(()),
    };
    let mut rest = values(page, nullable).ok_or_else(|| damaged("a page is cut off"))?;
    for _ in 0..lists {
        match skip_packed(rest) {
            Some((count, behind)) if count <= u64::from(page.num_values()) => rest = behind,
            _ => return Err(damaged("a page holds other lengths than it claims to")),
        }
    }
    Ok(())
}

fn damaged(what: &str) -> ParquetError {
    ParquetError::General(what.to_owned())
}

/// The smallest number of bits of a value in a dictionary.
pub(super) fn bits(column: &ColumnDescriptor) -> u64 {
    match column.physical_type() {
        Physical::BOOLEAN => 1,
        Physical::INT32 | Physical::FLOAT | Physical::BYTE_ARRAY => 32,
        Physical::INT64 | Physical::DOUBLE => 64,
        Physical::INT96 => 96,
        Physical::FIXED_LEN_BYTE_ARRAY => 8 * u64::try_from(column.type_length()).unwrap_or(0).max(1),
    }
}

/// The bytes of the values of a page, behind those that tell which are null.
fn values(page: &Page, nullable: bool) -> Option<&[u8]> {
    let begin = match page {
        Page::DataPage { buf, def_level_encoding: Encoding::RLE, .. } if nullable => {
            4 + u32::from_le_bytes(*buf.first_chunk()?) as usize
        }
        Page::DataPage { num_values, .. } if nullable => num_values.div_ceil(8) as usize,
        Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
            def_levels_byte_len.checked_add(*rep_levels_byte_len)? as usize
        }
        _ => 0,
    };
    page.buffer().get(begin..)
}

/// Checks the sizes in the header of a page: its first three fields are its type, and its lengths without and with
/// compression.
pub(super) fn check_sizes(mut header: &[u8]) -> Result<()> {
    // A field of the type i32 that follows the one before it, and twice its value unless it is negative.
    let mut field = || match header.split_off_first()? {
        0x15 => varint(&mut header).filter(|twice| twice % 2 == 0).map(|twice| twice / 2),
        _ => None,
    };
    let (_, whole, stored) = (field(), field(), field());
    let Some((whole, stored)) = whole.zip(stored) else { return Ok(()) };
    if whole > stored.saturating_mul(MAX_RATIO) {
        return Err(damaged("a page is larger than it can be"));
    }
    if whole > LARGE && Error::unless_memory(u128::from(whole), String::new).is_err() {
        return Err(ParquetError::External(Box::new(TooLargePage(whole))));
    }
    Ok(())
}

/// Skips whole numbers in the encoding DELTA_BINARY_PACKED: how many they are, and the bytes behind them.
fn skip_packed(mut bytes: &[u8]) -> Option<(u64, &[u8])> {
    let block = varint(&mut bytes)?;
    let parts = usize::try_from(varint(&mut bytes)?).ok()?;
    let count = varint(&mut bytes)?;
    varint(&mut bytes)?;
    let part = block.checked_div(parts as u64).filter(|&part| part > 0)?;
    let mut left = count.saturating_sub(1);
    while left > 0 {
        varint(&mut bytes)?;
        let (widths, behind) = bytes.split_at_checked(parts)?;
        bytes = behind;
        for &width in widths {
            if left > 0 {
                let length = u64::from(width).checked_mul(part)? / 8;
                // The last values may be cut off.
                bytes = bytes.get(usize::try_from(length).ok()?..).unwrap_or_default();
                left = left.saturating_sub(part);
            }
        }
    }
    Some((count, bytes))
}

/// Takes a number of seven bits per byte.
fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.split_off_first()?;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        page.iter().try_for_each(|page| check(page, self.nullable, self.bits))?;
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }
}

/// Pages in memory.
pub(super) struct FewPages(pub(super) std::vec::IntoIter<Page>);

impl Iterator for FewPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.0.next().map(Ok)
    }
}

impl PageReader for FewPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        Ok(self.0.next())
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        Ok(None)
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.0.next();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number of seven bits per byte.
    fn shown(mut number: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        while number > 0x7F {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    }

    /// As many lengths as claimed, of which all are 0: blocks of 128 in 4 parts.
    fn lengths(claimed: u64) -> Vec<u8> {
        let blocks = claimed.saturating_sub(1).div_ceil(128).min(3);
        [vec![0x80, 0x01, 4], shown(claimed), vec![0], [0; 5].repeat(blocks as usize)].concat()
    }

    fn page(encoding: Encoding, values: u32, bytes: Vec<u8>) -> Page {
        let of = Encoding::RLE;
        Page::DataPage {
            buf: bytes.into(),
            num_values: values,
            encoding,
            def_level_encoding: of,
            rep_level_encoding: of,
            statistics: None,
        }
    }

    #[test]
    fn a_page_for_which_there_is_no_memory_is_not_decompressed() {
        let header = |whole: u64, stored: u64| {
            [&[0x15, 0, 0x15][..], &shown(2 * whole), &[0x15], &shown(2 * stored)].concat()
        };
        assert!(check_sizes(&header(LARGE + 1, LARGE)).is_ok());
        let fault = check_sizes(&header(1 << 60, 1 << 60)).unwrap_err().into();
        assert!(matches!(fault, super::super::super::typed::ReadFault::Memory(bytes) if bytes == 1 << 60));
    }

    #[test]
    fn numbers_that_cannot_be_are_refused() {
        let dictionary = |values| Page::DictionaryPage {
            buf: vec![0; 24].into(),
            num_values: values,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        assert!(check(&dictionary(3), true, 64).is_ok());
        assert!(check(&dictionary(4), true, 64).is_err());
        assert!(check(&dictionary(u32::MAX), false, 1).is_err());
        for claimed in [0, 1, 2, 200, 300] {
            let once = |values| page(Encoding::DELTA_LENGTH_BYTE_ARRAY, values, lengths(claimed));
            assert!(check(&once(300), false, 32).is_ok(), "{claimed}");
            assert_eq!(check(&once(199), false, 32).is_ok(), claimed < 200, "{claimed}");
            for second in [1, 300, 1 << 40, u64::MAX] {
                let twice =
                    page(Encoding::DELTA_BYTE_ARRAY, 300, [lengths(claimed), lengths(second)].concat());
                assert_eq!(check(&twice, false, 32).is_ok(), second <= 300, "{claimed} {second}");
            }
        }
        // Two bytes say which values are null.
        let nullable = [vec![2, 0, 0, 0, 9, 9], lengths(5)].concat();
        assert!(check(&page(Encoding::DELTA_LENGTH_BYTE_ARRAY, 5, nullable.clone()), true, 32).is_ok());
        assert!(check(&page(Encoding::DELTA_LENGTH_BYTE_ARRAY, 4, nullable), true, 32).is_err());
        for bytes in [vec![], vec![9, 0, 0, 0], vec![0xFF; 40]] {
            assert!(check(&page(Encoding::DELTA_BYTE_ARRAY, 5, bytes), true, 32).is_err());
        }
    }
}
