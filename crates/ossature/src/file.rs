//! Files: opened in one place, and written whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use crate::error::{Error, Place, Result};

/// Opens a file for reading; a name that ends in `.gz` is decompressed on the way.
///
/// A directory, a file that may not be read and a `.gz` that is not gzip are errors that say so.
pub fn open(path: &Path) -> Result<Box<dyn Read + Send>> {
    let file = open_plain(path)?;
    if !is_gzip(path) {
        return Ok(Box::new(file));
    }
    let mut file = BufReader::with_capacity(1 << 16, file);
    let begin = file.fill_buf().map_err(|e| read_failed(path, e))?;
    if !begin.starts_with(b"\x1F\x8B") {
        let found = if begin.is_empty() { "an empty file" } else { "bytes that are not gzip" };
        return Err(Error::syntax(place(path), found, "a gzip file, as the name ends in .gz"));
    }
    Ok(Box::new(MultiGzDecoder::new(file)))
}

/// Opens a file for reading as it is.
pub(crate) fn open_plain(path: &Path) -> Result<File> {
    let failed = |source| Error::io("read", path, source);
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(failed(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory, not a file")));
    }
    Ok(file)
}

/// The error for a read that failed: bytes that cannot be decompressed are a fault of the file,
/// everything else is one of the system.
pub(crate) fn read_failed(path: &Path, e: io::Error) -> Error {
    let found = match e.kind() {
        io::ErrorKind::UnexpectedEof => "a gzip file that is cut off".to_owned(),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => format!("a damaged gzip file ({e})"),
        _ => return Error::io("read", path, e),
    };
    Error::syntax(place(path), found, "a whole gzip file")
}

fn place(path: &Path) -> Place {
    Place::file(path.display().to_string())
}

fn is_gzip(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz"))
}

/// The whole text of a file, checked to be UTF-8.
pub fn read_text(path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(|e| read_failed(path, e))?;
    String::from_utf8(bytes).map_err(|e| {
        let before = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count() as u64;
        Error::syntax(
            Place::line(path.display().to_string(), line),
            "bytes that are not UTF-8",
            "a text in UTF-8",
        )
    })
}

/// Writes a file that appears whole or not at all; one whose name ends in `.gz` is compressed.
///
/// The content goes to a temporary file beside the target, which takes its place only when
/// everything is on disk; until then an older file stays as it was. A link is followed. What is
/// not a regular file, such as a pipe or a device, cannot be replaced and is written directly.
pub fn write(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let compressed = |out: &mut dyn Write| {
        if !is_gzip(path) {
            return content(out);
        }
        let mut gzip = GzEncoder::new(out, Compression::default());
        content(&mut gzip)?;
        gzip.finish().map(drop)
    };
    write_whole(path, compressed).map_err(|e| Error::io("write", path, e))
}

fn write_whole(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let existing = match fs::metadata(path) {
        Ok(m) => Some(m),
        Err(e) if e.kind() == io::ErrorKind::NotFound => None,
        Err(e) => return Err(e),
    };
    if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory, not a file"));
    }
    if existing.as_ref().is_some_and(|m| !m.is_file()) {
        let mut out = BufWriter::new(fs::OpenOptions::new().write(true).open(path)?);
        content(&mut out)?;
        return out.flush();
    }
    let target = if existing.is_some() { fs::canonicalize(path)? } else { path.to_path_buf() };
    if existing.is_some() {
        // A file that may not be written must not be replaced either.
        fs::OpenOptions::new().write(true).open(&target)?;
    }
    let directory = match target.parent() {
        Some(d) if !d.as_os_str().is_empty() => d,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".ossature-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The user's mask applies to a new file; an old one keeps its permissions.
        let mode = existing.as_ref().map_or(0o666, |m| m.permissions().mode());
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    let mut out = BufWriter::with_capacity(1 << 16, builder.tempfile_in(directory)?);
    content(&mut out)?;
    let part = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    part.as_file().sync_all()?;
    part.persist(&target)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.txt");
        write(&path, |w| w.write_all(b"old")).unwrap();
        let failed = write(&path, |w| {
            w.write_all(b"half of the new")?;
            Err(io::Error::other("disk full"))
        });
        assert!(failed.unwrap_err().to_string().contains("disk full"));
        assert_eq!(read_text(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_written_compressed_reads_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.txt.gz");
        write(&path, |w| w.write_all(b"some text")).unwrap();
        assert_eq!(fs::read(&path).unwrap()[..2], [0x1f, 0x8b]);
        assert_eq!(read_text(&path).unwrap(), "some text");
    }

    #[test]
    fn gzip_is_read_whole_or_refused() {
        let member = |text: &[u8]| {
            let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            gz.write_all(text).unwrap();
            gz.finish().unwrap()
        };
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.GZ");
        let read = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            read_text(&path)
        };
        let whole = [member(b"two "), member(b"members")].concat();
        assert_eq!(read(&whole).unwrap(), "two members");
        for cut in 0..whole.len() {
            // Between its members a file that was cut off cannot be told from a whole one.
            let text = read(&whole[..cut]);
            assert!(
                matches!(text, Err(Error::Syntax { .. })) || cut == member(b"two ").len(),
                "{cut}: {text:?}"
            );
        }
        assert!(read(&whole[..20]).unwrap_err().to_string().contains("cut off"));
        assert!(read(b"plain").unwrap_err().to_string().contains("bytes that are not gzip"));
        assert!(read(&[&whole[..], b"tail"].concat()).is_err());
        let mut damaged = whole.clone();
        damaged[12] ^= 0x55;
        assert!(read(&damaged).unwrap_err().to_string().contains("gzip"));
    }

    #[test]
    fn a_directory_is_not_a_file() {
        let dir = tempfile::tempdir().unwrap();
        assert!(open(dir.path()).err().unwrap().to_string().contains("directory"));
        assert!(write(dir.path(), |_| Ok(())).unwrap_err().to_string().contains("directory"));
    }
}
