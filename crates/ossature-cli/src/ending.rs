//! How the process is ended by a signal or by the time limit.
//!
//! Half-written files are all there is to clean up. So the process removes them and ends at once,
//! whatever it is doing: computing, waiting for input that never comes, writing.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::code;
use crate::session::tell;

/// From now on Ctrl-C, and on Unix the signals TERM and HUP, end the command with exit code 130. A signal that
/// is being ignored (by a background job, or under `nohup`) stays ignored.
pub(crate) fn install() {
    platform::on_signal(|| end(code::INTERRUPTED));
}

fn end(code: u8) -> ! {
    ossature::file::abandon_writing();
    process::exit(i32::from(code));
}

const WATCHING: u8 = 0;
const OVER: u8 = 1;
const PASSED: u8 = 2;

/// The time limit of a command without partial results.
#[derive(Debug, Clone)]
pub(crate) struct Deadline(Arc<AtomicU8>);

impl Deadline {
    /// At the limit, counted from `started`, the process says why and ends, unless the deadline was lifted
    /// before.
    pub(crate) fn new(
        started: Instant,
        limit: Option<Duration>,
        say: impl FnOnce() + Send + 'static,
    ) -> Deadline {
        let deadline = Deadline(Arc::new(AtomicU8::new(WATCHING)));
        if let Some(limit) = limit {
            let watched = deadline.clone();
            thread::spawn(move || {
                // A clock that cannot count so far is one that never strikes.
                let Some(at) = started.checked_add(limit) else { return };
                thread::sleep(at.saturating_duration_since(Instant::now()));
                if watched.0.compare_exchange(WATCHING, PASSED, Ordering::SeqCst, Ordering::SeqCst).is_ok() {
                    say();
                    end(code::FAILED);
                }
            });
        }
        deadline
    }

    /// Whether it still ends the process.
    pub(crate) fn holds(&self) -> bool {
        self.0.load(Ordering::SeqCst) != OVER
    }

    /// From here on the work checks the clock itself, or is done. Does not return if the limit has passed:
    /// then the process is about to end.
    pub(crate) fn lift(&self) {
        let lifted = self.0.compare_exchange(WATCHING, OVER, Ordering::SeqCst, Ordering::SeqCst);
        while lifted == Err(PASSED) {
            thread::park();
        }
    }
}

/// Prints why the run failed.
pub(crate) fn tell_failure(message: &str, help: &[String]) {
    tell(&format!("error: {message}"));
    help.iter().for_each(|line| tell(&format!("  help: {line}")));
}

#[cfg(unix)]
mod platform {
    use std::thread;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    pub(super) fn on_signal(end: impl FnOnce() + Send + 'static) {
        let ours = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| is_default(signal));
        // Without a handler the signals end the process too, if less cleanly.
        if let Ok(mut signals) = Signals::new(ours) {
            thread::spawn(move || {
                if signals.forever().next().is_some() {
                    end();
                }
            });
        }
    }

    /// Whether a signal has its default handler.
    #[allow(unsafe_code)]
    fn is_default(signal: i32) -> bool {
        // SAFETY: sigaction is plain data, for which zeroes are valid; without a new action the call only
        // writes the present one into it.
        let action = unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            match libc::sigaction(signal, std::ptr::null(), &raw mut action) {
                0 => action,
                _ => return false,
            }
        };
        action.sa_sigaction == libc::SIG_DFL
    }
}

#[cfg(not(unix))]
mod platform {
    pub(super) fn on_signal(end: impl FnOnce() + Send + 'static) {
        let mut end = Some(end);
        let _ = ctrlc::try_set_handler(move || end.take().into_iter().for_each(|end| end()));
    }
}
