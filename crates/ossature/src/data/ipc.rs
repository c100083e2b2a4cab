//! Checks that the lengths in an Arrow file are possible.
//!
//! The reader of the format allocates what a file claims to need before it checks that the file is
//! that long. In a damaged file this can be more than any machine has, which would end the process;
//! so the messages are checked once in advance. Only their headers are read, not the data.

use std::io::{Read, Seek, SeekFrom};

use arrow_ipc::reader::read_footer_length;
use arrow_ipc::{Message, root_as_footer, root_as_message};
use arrow_schema::ArrowError;

type Result<T> = std::result::Result<T, ArrowError>;

/// The highest compression ratio of LZ4 or Zstandard: a block of 128 KiB in 4 bytes.
pub(super) const MAX_RATIO: u64 = 1 << 15;

/// The error for a damaged file.
pub(super) fn damaged(what: &str) -> ArrowError {
    ArrowError::ParseError(what.to_owned())
}

/// Checks the blocks that the footer of a file lists.
pub(super) fn check_file(file: &mut (impl Read + Seek)) -> Result<()> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(10)))?;
    let mut tail = [0; 10];
    file.read_exact(&mut tail)?;
    let footer_length = read_footer_length(tail)? as u64;
    let begin = length.checked_sub(10 + footer_length).ok_or_else(|| damaged("the footer is cut off"))?;
    let footer = bytes(file, begin, footer_length)?;
    let footer = root_as_footer(&footer).map_err(|e| damaged(&e.to_string()))?;
    for block in footer.recordBatches().iter().flatten().chain(footer.dictionaries().iter().flatten()) {
        let at = within(block.offset(), begin)?;
        let head = within(i64::from(block.metaDataLength()), begin - at)?;
        let body = within(block.bodyLength(), begin - at - head)?;
        let head_bytes = bytes(file, at, head)?;
        let prefix = if head_bytes.starts_with(&[0xFF; 4]) { 8 } else { 4 };
        let message = head_bytes.get(prefix..).ok_or_else(|| damaged("a message is cut off"))?;
        let message = root_as_message(message).map_err(|e| damaged(&e.to_string()))?;
        check_message(&message, file, at + head, body)?;
    }
    Ok(())
}

/// Checks the messages of a stream one after another.
pub(super) fn check_stream(file: &mut (impl Read + Seek)) -> Result<()> {
    let length = file.seek(SeekFrom::End(0))?;
    let mut at = 0;
    while at < length {
        let mut size = bytes(file, at, 4)?;
        at += 4;
        if size == [0xFF; 4] {
            size = bytes(file, at, 4)?;
            at += 4;
        }
        let size = size.try_into().map(i32::from_le_bytes).map_err(|_| damaged("a message is cut off"))?;
        if size == 0 {
            break;
        }
        let head = within(i64::from(size), length.saturating_sub(at))?;
        let message = bytes(file, at, head)?;
        let message = root_as_message(&message).map_err(|e| damaged(&e.to_string()))?;
        at += head;
        let body = within(message.bodyLength(), length - at)?;
        check_message(&message, file, at, body)?;
        at += body;
    }
    Ok(())
}

/// Checks where the buffers of a message are, and what compressed ones say about their size.
fn check_message(message: &Message<'_>, file: &mut (impl Read + Seek), at: u64, body: u64) -> Result<()> {
    let dictionary = message.header_as_dictionary_batch().and_then(|d| d.data());
    let Some(batch) = message.header_as_record_batch().or(dictionary) else { return Ok(()) };
    let compressed = batch.compression().is_some();
    for buffer in batch.buffers().iter().flatten() {
        let offset = within(buffer.offset(), body)?;
        let length = within(buffer.length(), body - offset)?;
        if !compressed {
            continue;
        }
        let Ok(size) = bytes(file, at + offset, length.min(8))?.try_into().map(i64::from_le_bytes) else {
            continue; // an empty buffer has no size
        };
        // A negative size is a mark that the buffer is not compressed.
        let size = u64::try_from(size).unwrap_or(0);
        let possible = size <= length.saturating_mul(MAX_RATIO);
        let fits = usize::try_from(size).is_ok_and(|n| Vec::<u8>::new().try_reserve_exact(n).is_ok());
        if !possible || !fits {
            return Err(damaged("a compressed buffer says that it is larger than it can be"));
        }
    }
    Ok(())
}

/// Checks that a length is within the rest of the file.
fn within(length: i64, rest: u64) -> Result<u64> {
    let length = u64::try_from(length).ok().filter(|&n| n <= rest);
    length.ok_or_else(|| damaged("a part reaches beyond the end of the file"))
}

/// Some bytes of the file; fewer if it ends.
fn bytes(file: &mut (impl Read + Seek), at: u64, length: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(at))?;
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}
