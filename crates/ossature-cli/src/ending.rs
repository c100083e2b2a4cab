//! How the process is ended by a signal or by the time limit.
//!
//! Half-written files are all there is to clean up. So the process removes them and ends at once,
//! whatever it is doing: computing, waiting for input that never comes, writing.

use std::io::{self, Write};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::error::{ContextKind, ContextValue};
use ossature::error::nearest;

use crate::failure::{Failure, code};
use crate::session::tell_line;

/// From now on Ctrl-C, and on Unix the signals TERM and HUP, end the command with exit code 130. A signal that
/// is being ignored (by a background job, or under `nohup`) stays ignored.
pub(crate) fn install() {
    platform::on_signal(|| end(code::INTERRUPTED));
    platform::on_abort(code::FAILED);
}

fn end(code: u8) -> ! {
    ossature::file::abandon_writing();
    process::exit(i32::from(code));
}

const WATCHING: u8 = 0;
const OVER: u8 = 1;
const PASSED: u8 = 2;

/// The time limit of a command without partial results, or of a part of its work.
#[derive(Debug, Clone)]
pub(crate) struct Deadline(Arc<AtomicU8>);

impl Deadline {
    /// At the limit, counted from `started`, the process tells the failure and ends, unless the deadline was lifted
    /// before.
    pub(crate) fn new(
        started: Instant,
        limit: Option<Duration>,
        failure: impl FnOnce() -> Failure + Send + 'static,
    ) -> Deadline {
        let deadline = Deadline(Arc::new(AtomicU8::new(WATCHING)));
        if let Some(limit) = limit {
            let watched = deadline.clone();
            thread::spawn(move || {
                // A clock that cannot count so far is one that never strikes.
                let Some(at) = started.checked_add(limit) else { return };
                thread::sleep(at.saturating_duration_since(Instant::now()));
                if watched.0.compare_exchange(WATCHING, PASSED, Ordering::SeqCst, Ordering::SeqCst).is_ok() {
                    end(tell(&failure()));
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

/// Prints the requested help, or why the command line was not understood. Returns the exit code.
pub(crate) fn tell_usage(mut error: clap::Error) -> u8 {
    if error.use_stderr() {
        suggest(&mut error);
        let _ = error.print();
        return code::USAGE;
    }
    match error.print().and_then(|()| io::stdout().flush()) {
        Ok(()) => code::DONE,
        Err(e) => tell(&Failure::stdout(&e)),
    }
}

/// Adds the word that was probably meant, also if only its case was wrong.
fn suggest(error: &mut clap::Error) {
    let (Some(ContextValue::String(found)), Some(ContextValue::Strings(known)), None) = (
        error.get(ContextKind::InvalidValue),
        error.get(ContextKind::ValidValue),
        error.get(ContextKind::SuggestedValue),
    ) else {
        return;
    };
    if let Some(meant) = nearest(found, known.iter().map(String::as_str)) {
        error.insert(ContextKind::SuggestedValue, ContextValue::String(meant));
    }
}

/// Prints why the run failed. Returns the exit code.
pub(crate) fn tell(failure: &Failure) -> u8 {
    match failure {
        Failure::NobodyListens => code::DONE,
        Failure::CutShort => code::CUT_SHORT,
        Failure::Told { code, message, help } => {
            tell_line(&format!("error: {message}"));
            help.iter().for_each(|line| tell_line(&format!("  help: {line}")));
            *code
        }
    }
}

#[cfg(unix)]
mod platform {
    use std::thread;

    use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    const ABORTED: &[u8] = b"error: the run was aborted for the reason above\n  \
        help: if memory ran out, fewer rows, columns or threads need less\n";

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

    /// What aborts the process has told why in a line, most likely that memory ran out. Then the process ends like a
    /// failed run.
    #[allow(unsafe_code)]
    pub(super) fn on_abort(code: u8) {
        let abort = move || {
            ossature::file::abandon_writing_at_once();
            // SAFETY: both calls may be made in a handler, and the text is as long as is said.
            unsafe {
                libc::write(libc::STDERR_FILENO, ABORTED.as_ptr().cast(), ABORTED.len());
                libc::_exit(i32::from(code));
            }
        };
        // SAFETY: the thread that aborts raises the signal itself, and not while it allocates. The handler waits for no
        // lock.
        let _ = unsafe { signal_hook::low_level::register(SIGABRT, abort) };
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

    pub(super) fn on_abort(_code: u8) {}
}
