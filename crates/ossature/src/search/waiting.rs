//! Waiting for what another thread is finding.
//!
//! Most of what threads wait for is there after some microseconds, about as long as it takes to wake a thread that
//! sleeps. So whoever waits stays awake for a while.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long a thread waits for another before it goes to sleep.
const AWAKE: Duration = Duration::from_micros(50);

/// How long it sleeps at a time.
const NAP: Duration = Duration::from_micros(50);

/// How long it waits at most for what it can find itself.
const PATIENCE: Duration = if cfg!(test) { Duration::from_millis(100) } else { Duration::from_secs(1) };

/// Waits until something has happened, or a while.
pub(super) fn awake_until(happened: impl Fn() -> bool) {
    let begin = Instant::now();
    while !happened() && begin.elapsed() < AWAKE {
        std::hint::spin_loop();
    }
}

/// What another thread is finding, once it is there; `None` if that takes very long. The other may be waiting for this
/// thread, in a score that divides its work.
pub(super) fn within_patience<T>(found: &OnceLock<T>) -> Option<&T> {
    let begin = Instant::now();
    awake_until(|| found.get().is_some());
    while found.get().is_none() && begin.elapsed() < PATIENCE {
        thread::sleep(NAP);
    }
    found.get()
}

/// A value that the first thread that needs it makes; the others wait for it.
pub(super) struct OnceByOne<T> {
    value: OnceLock<T>,
    is_taken: AtomicBool,
}

impl<T> OnceByOne<T> {
    pub(super) fn new() -> OnceByOne<T> {
        OnceByOne { value: OnceLock::new(), is_taken: AtomicBool::new(false) }
    }

    pub(super) fn get(&self) -> Option<&T> {
        self.value.get()
    }

    pub(super) fn get_or_make(&self, make: impl FnOnce() -> T) -> &T {
        if self.value.get().is_none() && self.is_taken.swap(true, Ordering::Relaxed) {
            awake_until(|| self.value.get().is_some());
        }
        self.value.get_or_init(make)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_where_nothing_is_found() {
        let found = OnceLock::new();
        assert_eq!(within_patience(&found), None);
        found.set(3).unwrap();
        assert_eq!(within_patience(&found), Some(&3));
    }

    #[test]
    fn one_thread_makes_what_all_get() {
        let (once, made) = (OnceByOne::new(), AtomicBool::new(false));
        let make = || {
            assert!(!made.swap(true, Ordering::Relaxed), "it is made once");
            thread::sleep(NAP);
            7
        };
        assert!(once.get().is_none());
        thread::scope(|threads| {
            (0..4).for_each(|_| _ = threads.spawn(|| assert_eq!(*once.get_or_make(make), 7)));
        });
        assert_eq!(once.get(), Some(&7));
    }
}
