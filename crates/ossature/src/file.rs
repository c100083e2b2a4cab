//! Files: opened in one place, and written completely or not at all.

mod half_written;
mod pattern;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use crate::error::{Error, Place, Result};

use self::half_written::HalfWritten;
pub use self::half_written::{abandon_writing, abandon_writing_at_once};
pub(crate) use self::pattern::{is_pattern, matching};

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

/// Opens a file for reading, without decompression.
pub(crate) fn open_plain(path: &Path) -> Result<File> {
    let failed = |source| Error::io("read", path, source);
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(failed(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory, not a file")));
    }
    Ok(file)
}

/// The error for a failed read: bytes that cannot be decompressed are a fault of the file,
/// everything else is a fault of the system.
pub(crate) fn read_failed(path: &Path, e: io::Error) -> Error {
    let found = match e.kind() {
        io::ErrorKind::UnexpectedEof => {
            "a gzip file that is cut off, or has other bytes behind its end".to_owned()
        }
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

/// The largest size in bytes of a text that is read as a whole. A few kilobytes of gzip can expand to
/// any size.
const LONGEST_TEXT: u64 = 1 << 30;

/// The whole text of a file of at most 1 GiB, checked to be UTF-8.
pub fn read_text(path: &Path) -> Result<String> {
    read_text_of(path, LONGEST_TEXT)
}

fn read_text_of(path: &Path, longest: u64) -> Result<String> {
    let mut bytes = Vec::new();
    let read = open(path)?.take(longest + 1).read_to_end(&mut bytes);
    if read.map_err(|e| read_failed(path, e))? as u64 > longest {
        let found = format!("a text of more than {} MiB", longest >> 20);
        return Err(Error::syntax(place(path), found, "a shorter one"));
    }
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

/// Writes a file completely or not at all; one whose name ends in `.gz` is compressed.
///
/// The content goes to a temporary file beside the target, which takes its place only when
/// everything is on disk; until then an older file stays as it was. Links are followed. A target
/// that is not a regular file, such as a pipe or a device, cannot be replaced and is written
/// directly.
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

/// Checks that [`write()`] could write a file there, before the work whose result it will hold.
///
/// An existing file is not changed. A pipe or a device is not opened, since that may block until
/// the other end is opened.
pub fn check_writable(path: &Path) -> Result<()> {
    let tried = Destination::of(path).and_then(|destination| match destination {
        Destination::Direct => Ok(()),
        Destination::Replaced { directory, mode, .. } => HalfWritten::new(&directory, mode).map(drop),
    });
    tried.map_err(|e| Error::io("write", path, e))
}

/// The most links that are followed, as systems do.
const MOST_LINKS: usize = 40;

/// The file that a write to this path would make: that behind the links, which need not exist yet.
pub fn followed(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        // The target of a link is relative to the folder of the link.
        path = path.parent().map_or_else(|| target.clone(), |folder| folder.join(&target));
    }
    path
}

/// The identity of a file, whatever its name: two paths with the same identity are the same file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Identity(SameFile);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum SameFile {
    #[cfg(unix)]
    Inode { device: u64, number: u64 },
    /// A file that does not exist yet, or on a system without file numbers.
    Path(PathBuf),
}

impl Identity {
    /// The identity of a regular file, or of one that does not exist yet; `-` is the standard input, which may be a
    /// file. `None` for anything else, such as a device or a pipe.
    pub fn of(path: &Path) -> Option<Identity> {
        let path = if path == Path::new("-") { Path::new("/dev/stdin") } else { path };
        let same = match fs::metadata(path) {
            Ok(found) if !found.is_file() => return None,
            #[cfg(unix)]
            Ok(found) => {
                use std::os::unix::fs::MetadataExt;
                SameFile::Inode { device: found.dev(), number: found.ino() }
            }
            #[cfg(not(unix))]
            Ok(_) => SameFile::Path(fs::canonicalize(path).ok()?),
            Err(_) => {
                let path = followed(path);
                let parent = match path.parent() {
                    Some(parent) if parent != Path::new("") => parent,
                    _ => Path::new("."),
                };
                SameFile::Path(fs::canonicalize(parent).ok()?.join(path.file_name()?))
            }
        };
        Some(Identity(same))
    }
}

/// How a file reaches its place.
enum Destination {
    /// It is not a regular file, so it cannot be replaced.
    Direct,
    /// It is written beside the target and then takes its place, with these permissions.
    Replaced { target: PathBuf, directory: PathBuf, mode: u32 },
}

impl Destination {
    fn of(path: &Path) -> io::Result<Destination> {
        let existing = match fs::metadata(path) {
            Ok(m) => Some(m),
            Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => None,
            Err(e) => return Err(e),
        };
        if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory, not a file"));
        }
        if existing.as_ref().is_some_and(|m| !m.is_file()) {
            return Ok(Destination::Direct);
        }
        let target = if existing.is_some() { fs::canonicalize(path)? } else { followed(path) };
        if existing.is_some() {
            // A file that may not be written must not be replaced either.
            fs::OpenOptions::new().write(true).open(&target)?;
        }
        let directory = match target.parent() {
            Some(d) if !d.as_os_str().is_empty() => d.to_path_buf(),
            _ => PathBuf::from("."),
        };
        if !directory.is_dir() {
            let none = match directory.exists() {
                true => format!("{} is not a directory", directory.display()),
                false => format!("there is no directory {}", directory.display()),
            };
            return Err(io::Error::new(io::ErrorKind::NotFound, none));
        }
        #[cfg(unix)]
        let mode = {
            use std::os::unix::fs::PermissionsExt;
            // The user's mask applies to a new file; an old one keeps its permissions.
            existing.as_ref().map_or(0o666, |m| m.permissions().mode())
        };
        #[cfg(not(unix))]
        let mode = 0;
        Ok(Destination::Replaced { target, directory, mode })
    }
}

fn write_whole(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    match Destination::of(path)? {
        Destination::Direct => {
            let mut out = BufWriter::new(fs::OpenOptions::new().write(true).open(path)?);
            content(&mut out)?;
            out.flush()
        }
        Destination::Replaced { target, directory, mode } => {
            let mut out = BufWriter::with_capacity(1 << 16, HalfWritten::new(&directory, mode)?);
            content(&mut out)?;
            out.into_inner().map_err(io::IntoInnerError::into_error)?.persist(&target)
        }
    }
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
    fn whether_a_file_can_be_written_is_found_without_writing_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        check_writable(&path).unwrap();
        check_writable(&dir.path().join("b.txt")).unwrap();
        assert_eq!(read_text(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "what was tried is gone");
        assert!(check_writable(dir.path()).unwrap_err().to_string().contains("it is a directory"));
        let nowhere = check_writable(&dir.path().join("no/where.txt")).unwrap_err().to_string();
        assert!(nowhere.contains("there is no directory"), "{nowhere}");
        let below = check_writable(&path.join("c.txt")).unwrap_err().to_string();
        assert!(below.ends_with("a.txt is not a directory"), "{below}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_nothing_is_followed_like_any_other() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("below")).unwrap();
        std::os::unix::fs::symlink("below/second", at("first")).unwrap();
        std::os::unix::fs::symlink("new.txt", at("below/second")).unwrap();
        check_writable(&at("first")).unwrap();
        write(&at("first"), |w| w.write_all(b"text")).unwrap();
        assert_eq!(read_text(&at("below/new.txt")).unwrap(), "text");
        assert!(fs::symlink_metadata(at("first")).unwrap().is_symlink(), "the link is still one");
        std::os::unix::fs::symlink("nowhere/new.txt", at("lost")).unwrap();
        let lost = write(&at("lost"), |_| Ok(())).unwrap_err().to_string();
        assert!(lost.contains("there is no directory") && lost.contains("nowhere"), "{lost}");
        std::os::unix::fs::symlink("round", at("round")).unwrap();
        assert!(write(&at("round"), |_| Ok(())).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_the_same_by_any_name() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("a.txt"), "text").unwrap();
        fs::hard_link(at("a.txt"), at("b.txt")).unwrap();
        std::os::unix::fs::symlink("a.txt", at("c.txt")).unwrap();
        let of = |name: &str| Identity::of(&at(name));
        assert!(of("a.txt").is_some() && of("a.txt") == of("./b.txt") && of("a.txt") == of("c.txt"));
        assert!(of("new.txt").is_some() && of("new.txt") == of("./new.txt") && of("new.txt") != of("a.txt"));
        assert_eq!((of("."), Identity::of(Path::new("/dev/null"))), (None, None));
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
    fn a_little_gzip_does_not_become_any_amount_of_text() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.bif.gz");
        write(&path, |w| w.write_all(&vec![b' '; 3 << 20])).unwrap();
        assert!(fs::metadata(&path).unwrap().len() < 10_000);
        assert_eq!(read_text_of(&path, 3 << 20).unwrap().len(), 3 << 20);
        let refused = read_text_of(&path, 2 << 20).unwrap_err().to_string();
        assert!(
            refused.ends_with("a.bif.gz: found a text of more than 2 MiB, expected a shorter one"),
            "{refused}"
        );
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
