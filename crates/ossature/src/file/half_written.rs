//! Files that are being written, beside the place that they will take.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

/// Removes half-written files and prevents further writes, for a process that is about to end. A
/// thread that is writing waits from here on.
pub fn abandon_writing() {
    remove(parts());
}

/// The same for a process that is being aborted and cannot wait: nothing is removed while a thread creates or renames
/// such a file.
pub fn abandon_writing_at_once() {
    if let Ok(parts) = PARTS.try_lock() {
        remove(parts);
    }
}

fn remove(parts: MutexGuard<'static, Vec<PathBuf>>) {
    for path in parts.iter() {
        let _ = fs::remove_file(path);
    }
    std::mem::forget(parts);
}

/// The files that are being written. Creating, renaming or removing one requires the lock.
static PARTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn parts() -> MutexGuard<'static, Vec<PathBuf>> {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is being written; removed when it is dropped.
pub(super) struct HalfWritten {
    file: Option<NamedTempFile>,
    path: PathBuf,
}

impl HalfWritten {
    pub(super) fn new(
        directory: &Path,
        #[cfg_attr(not(unix), expect(unused))] mode: u32,
    ) -> io::Result<HalfWritten> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".ossature-").suffix(".part");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(mode));
        }
        let mut parts = parts();
        let file = builder.tempfile_in(directory).map_err(about_target)?;
        let path = file.path().to_path_buf();
        parts.push(path.clone());
        Ok(HalfWritten { file: Some(file), path })
    }

    /// Everything is written: once it is on disk, it takes the place of the target.
    pub(super) fn persist(mut self, target: &Path) -> io::Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        file.as_file().sync_all()?;
        let _parts = parts();
        file.persist(target).map_err(|e| about_target(e.error))?;
        Ok(())
    }
}

/// The error without the name of the temporary file, which is not what the user asked for.
fn about_target(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path ") {
        Some((what, _)) => io::Error::new(error.kind(), what),
        None => error,
    }
}

impl Write for HalfWritten {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes).map_err(about_target))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), |file| file.flush().map_err(about_target))
    }
}

impl Drop for HalfWritten {
    fn drop(&mut self) {
        let mut parts = parts();
        self.file = None;
        parts.retain(|path| *path != self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_half_written_is_known_until_it_is_whole_or_gone() {
        let dir = tempfile::tempdir().unwrap();
        let known = || parts().iter().filter(|path| path.starts_with(dir.path())).count();
        let part = HalfWritten::new(dir.path(), 0o600).unwrap();
        assert_eq!(known(), 1);
        part.persist(&dir.path().join("a")).unwrap();
        assert_eq!(known(), 0);
        drop(HalfWritten::new(dir.path(), 0o600).unwrap());
        assert_eq!(known(), 0);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
