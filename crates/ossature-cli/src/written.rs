//! What was written so far, for the message if the time limit ends the command.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use crate::render::{count, seconds};

/// How often a write that is under way is waited for, a millisecond each time. One to a pipe that nobody reads
/// does not end.
const TRIES: usize = 100;

/// What was written so far.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// Whether a file or an answer was written.
    something: AtomicBool,
    /// The lines of a table that went to standard output. Writing one requires the lock.
    lines: Mutex<u64>,
}

impl Written {
    /// A file or an answer was written.
    pub(crate) fn add(&self) {
        self.something.store(true, Ordering::SeqCst);
    }

    /// An output whose rows are counted.
    pub(crate) fn counting<W: Write>(&self, out: W) -> Counting<'_, W> {
        Counting { out, written: self, quoted: false }
    }

    /// What to say when the limit was reached.
    pub(crate) fn at_limit(&self, limit: Duration) -> String {
        self.message(limit, Some(*self.lock()))
    }

    /// The same for a process that is about to end: a thread that writes rows waits from here on.
    pub(crate) fn at_end(&self, limit: Duration) -> String {
        let held = self.hold();
        let message = self.message(limit, held.as_deref().copied());
        std::mem::forget(held);
        message
    }

    fn message(&self, limit: Duration, lines: Option<u64>) -> String {
        let reached = format!("the time limit of {} was reached", seconds(limit));
        match lines {
            None => format!("{reached} while rows were written to standard output"),
            // The first line has the names.
            Some(lines @ 1..) => {
                let rows = count(lines - 1, "row");
                format!("{reached} before all rows were written; {rows} went to standard output")
            }
            Some(0) if self.something.load(Ordering::SeqCst) => {
                format!("{reached} before everything was written")
            }
            Some(0) => format!("{reached} before there was a result; nothing was written"),
        }
    }

    fn lock(&self) -> MutexGuard<'_, u64> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lock, unless a write does not end.
    fn hold(&self) -> Option<MutexGuard<'_, u64>> {
        for _ in 0..TRIES {
            match self.lines.try_lock() {
                Ok(held) => return Some(held),
                Err(TryLockError::Poisoned(held)) => return Some(held.into_inner()),
                Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
            }
        }
        None
    }
}

/// An output that counts the lines of a table in CSV.
pub(crate) struct Counting<'a, W> {
    out: W,
    written: &'a Written,
    /// Whether the next byte is inside of quotes, where a line end is part of a label.
    quoted: bool,
}

impl<W: Write> Write for Counting<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut lines = self.written.lock();
        let taken = self.out.write(bytes)?;
        for byte in &bytes[..taken] {
            match byte {
                b'"' => self.quoted = !self.quoted,
                b'\n' if !self.quoted => *lines += 1,
                _ => {}
            }
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_says_what_was_written() {
        let limit = Duration::from_secs(2);
        let written = Written::default();
        assert!(written.at_limit(limit).ends_with("nothing was written"));
        written.add();
        assert!(written.at_limit(limit).ends_with("before everything was written"));
        let mut out = written.counting(Vec::new());
        out.write_all(b"a,b\n0,\"x\ny\"\n1,\"\"\"\n\"\n0,").unwrap();
        assert_eq!(
            written.at_limit(limit),
            "the time limit of 2.00 s was reached before all rows were written; 2 rows went to standard output"
        );
        assert_eq!(written.at_end(limit), written.message(limit, Some(3)));
        assert!(written.at_end(limit).ends_with("while rows were written to standard output"), "it is held");
    }
}
