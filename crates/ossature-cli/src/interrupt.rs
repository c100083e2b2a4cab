//! Ctrl-C: the command ends at once with exit code 130 and leaves no file half written.
//!
//! Between files there is nothing to clean up, so the process just ends, even when it waits for
//! input that never comes. While a file is being written its writer notices the signal at the next
//! buffer, gives up and removes what it had; the process ends after that. A writer that is stuck, on
//! a pipe that nobody reads, is not waited for long.

use std::io::{self, Write};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::code;

/// How long a writer may take to give up.
const PATIENCE: Duration = Duration::from_secs(5);

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static WRITING: Mutex<()> = Mutex::new(());

/// From now on Ctrl-C is ours. A signal that was being ignored (a job in the background of a
/// script) stays ignored.
pub(crate) fn install() {
    let _ = ctrlc::try_set_handler(|| {
        INTERRUPTED.store(true, Ordering::SeqCst);
        let deadline = Instant::now() + PATIENCE;
        let _no_file_is_open = loop {
            match WRITING.try_lock() {
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    thread::sleep(Duration::from_millis(5));
                }
                settled => break settled,
            }
        };
        process::exit(i32::from(code::INTERRUPTED));
    });
}

/// As long as the guard lives a file is being written, and the process is not ended from outside.
pub(crate) fn hold() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the user has interrupted; the process is about to end.
pub(crate) fn happened() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// A writer that gives up once the user has interrupted.
pub(crate) struct Interruptible<W>(pub(crate) W);

impl<W: Write> Write for Interruptible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if happened() {
            // Not ErrorKind::Interrupted: that one is retried.
            return Err(io::Error::other("interrupted"));
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
