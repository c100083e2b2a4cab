//! The bytes of a Parquet file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::{Buf, Bytes};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, Length};

use super::pages::check_sizes;

/// The largest number of bytes of a file read at once.
const WINDOW: u64 = 1 << 24;

/// The bytes of a file, some of which are already in memory. Threads do not share the file position.
pub(super) struct ParquetBytes {
    file: Arc<Mutex<File>>,
    length: u64,
    /// Where the bytes in memory begin.
    begin: u64,
    bytes: Bytes,
}

impl ParquetBytes {
    /// The bytes of some columns of a row group, in memory if they are contiguous.
    pub(super) fn of<'c>(
        file: &Arc<Mutex<File>>,
        length: u64,
        columns: impl Iterator<Item = &'c ColumnChunkMetaData>,
    ) -> ParquetResult<ParquetBytes> {
        let mut here = ParquetBytes { file: Arc::clone(file), length, begin: 0, bytes: Bytes::new() };
        let (mut begin, mut end, mut sum) = (u64::MAX, 0, 0_u64);
        for (from, bytes) in columns.map(ColumnChunkMetaData::byte_range) {
            begin = begin.min(from);
            end = end.max(from.saturating_add(bytes));
            sum = sum.saturating_add(bytes);
        }
        let all = end.min(length).saturating_sub(begin);
        if all <= WINDOW && all / 2 <= sum {
            here.bytes = here.get_bytes(begin, all as usize)?;
            here.begin = begin;
        }
        Ok(here)
    }

    /// The bytes in memory from a position on, if it is among them.
    fn from(&self, start: u64) -> Option<Bytes> {
        let at = usize::try_from(start.checked_sub(self.begin)?).ok()?;
        (at < self.bytes.len()).then(|| self.bytes.slice(at..))
    }
}

impl Length for ParquetBytes {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for ParquetBytes {
    type T = Box<dyn Read>;

    /// The bytes from the header of a page on.
    fn get_read(&self, start: u64) -> ParquetResult<Box<dyn Read>> {
        let bytes = self.from(start).unwrap_or_default();
        let behind = FileFrom { file: Arc::clone(&self.file), at: start.saturating_add(bytes.len() as u64) };
        let mut behind = BufReader::new(behind);
        match bytes.is_empty() {
            true => check_sizes(behind.fill_buf()?)?,
            false => check_sizes(&bytes)?,
        }
        Ok(Box::new(bytes.reader().chain(behind)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        if let Some(bytes) = self.from(start).filter(|bytes| bytes.len() >= length) {
            return Ok(bytes.slice(..length));
        }
        let mut bytes = Vec::new();
        let file = FileFrom { file: Arc::clone(&self.file), at: start };
        if file.take(length as u64).read_to_end(&mut bytes)? < length {
            return Err(ParquetError::EOF(format!("the file has no {length} bytes at {start}")));
        }
        Ok(bytes.into())
    }
}

/// A file from a position on.
struct FileFrom {
    file: Arc<Mutex<File>>,
    at: u64,
}

impl Read for FileFrom {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.at))?;
        let read = file.read(to)?;
        self.at += read as u64;
        Ok(read)
    }
}
