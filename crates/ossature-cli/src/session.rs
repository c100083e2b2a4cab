//! What every command needs while it runs: somewhere to speak, somewhere to write, and the clock.
//!
//! Results go to stdout or to files, everything else to stderr. This is the only place that
//! prints, and so the only one that makes text harmless for a terminal.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use ossature::learn::Catalogue;
use ossature::text::visible_lines;
use ossature::{Error, Progress, Stop};
use ossature_study::CellsDone;

use crate::args::{Chosen, Common};
use crate::ending::{Deadline, tell_failure};
use crate::failure::Failure;
use crate::progress::Reporter;
use crate::render::seconds;
use crate::settings::Earlier;

/// One run of the command.
pub(crate) struct Session<'a> {
    /// The learners that there are.
    pub(crate) catalogue: &'a Catalogue,
    /// What was typed of the options that come from the catalogue.
    pub(crate) chosen: Chosen,
    /// The seed of everything random.
    pub(crate) seed: u64,
    /// The same, if it was given.
    pub(crate) seed_given: Option<u64>,
    pub(crate) quiet: bool,
    pub(crate) verbose: bool,
    /// The earlier result that settings are taken from, once it is read.
    earlier: OnceLock<Earlier>,
    reporter: Arc<Reporter>,
    deadline: Deadline,
    /// Whether a file was written.
    written: Arc<AtomicBool>,
}

impl<'a> Session<'a> {
    /// Starts the clock and, if the number was chosen, the threads.
    pub(crate) fn start(
        common: &Common,
        catalogue: &'a Catalogue,
        chosen: Chosen,
    ) -> Result<Session<'a>, Failure> {
        if let Some(threads) = common.threads {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build_global()
                .map_err(|e| Failure::failed(format!("cannot start {threads} threads: {e}")))?;
        }
        let reporter = Arc::new(Reporter::new(common.progress, common.quiet, common.time_limit));
        let written = Arc::new(AtomicBool::new(false));
        let (watching, wrote) = (Arc::clone(&reporter), Arc::clone(&written));
        let limit = common.time_limit.unwrap_or_default();
        let deadline = Deadline::new(reporter.started(), common.time_limit, move || {
            watching.clear();
            tell_failure(&out_of_time(limit, wrote.load(Ordering::SeqCst)), &[]);
        });
        Ok(Session {
            catalogue,
            chosen,
            seed: common.seed.unwrap_or(0),
            seed_given: common.seed,
            quiet: common.quiet,
            verbose: common.verbose,
            earlier: OnceLock::new(),
            reporter,
            deadline,
            written,
        })
    }

    /// The earlier result whose settings hold where nothing else is said, and its file.
    pub(crate) fn earlier(&self) -> Result<Option<(&Path, &Earlier)>, Failure> {
        let Some(path) = &self.chosen.settings else { return Ok(None) };
        let earlier = match self.earlier.get() {
            Some(earlier) => earlier,
            None => {
                let read = Earlier::read(path, self.catalogue)?;
                self.earlier.get_or_init(|| read)
            }
        };
        Ok(Some((path, earlier)))
    }

    /// To be handed to work that takes a while.
    pub(crate) fn progress(&self) -> &dyn Progress {
        &*self.reporter
    }

    /// To be handed to a study.
    pub(crate) fn follow_study(&self) -> impl Fn(CellsDone) -> ControlFlow<Stop> + Sync {
        |cells| self.reporter.follow_study(cells)
    }

    /// Says something the user should know although nothing failed.
    pub(crate) fn warn(&self, text: impl AsRef<str>) {
        self.note(format!("warning: {}", text.as_ref()));
    }

    /// Says what was done.
    pub(crate) fn note(&self, text: impl AsRef<str>) {
        if !self.quiet {
            self.reporter.clear();
            tell(text.as_ref());
        }
    }

    /// Says what only the curious want to know, and when.
    pub(crate) fn detail(&self, text: impl AsRef<str>) {
        if self.verbose {
            self.note(format!("[{}] {}", seconds(self.reporter.started().elapsed()), text.as_ref()));
        }
    }

    /// Shows a text on stdout, in which no name can do anything to the terminal.
    pub(crate) fn show(&self, text: &str) -> Result<(), Failure> {
        self.print(|out| out.write_all(visible_lines(text).as_bytes()))
    }

    /// Writes to stdout for programs: the bytes as they are.
    pub(crate) fn print(
        &self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.in_time()?;
        self.reporter.clear();
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        let printed = content(&mut out).and_then(|()| out.flush());
        printed.map_err(|e| self.in_time().err().unwrap_or_else(|| Failure::stdout(&e)))
    }

    /// Writes a file whole or not at all.
    pub(crate) fn write(
        &self,
        path: &Path,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.in_time()?;
        self.reporter.clear();
        let written = ossature::file::write(path, content);
        written.map_err(|e| self.in_time().err().unwrap_or_else(|| e.into()))?;
        self.written.store(true, Ordering::SeqCst);
        Ok(())
    }

    /// From here on the time limit does not end the command: the work looks at the clock itself, and what it
    /// has by then is the result.
    pub(crate) fn has_something_to_show(&self) {
        self.deadline.lift();
    }

    fn in_time(&self) -> Result<(), Failure> {
        match self.reporter.limit_reached() {
            Some(limit) if self.deadline.holds() => Err(self.out_of_time(limit)),
            _ => Ok(()),
        }
    }

    fn out_of_time(&self, limit: Duration) -> Failure {
        Failure::failed(out_of_time(limit, self.written.load(Ordering::SeqCst)))
    }

    /// The failure that an error of the library is, with the reason for which it was stopped.
    pub(crate) fn failure(&self, error: Error) -> Failure {
        match (&error, self.reporter.limit_reached()) {
            (Error::Stopped, Some(limit)) => self.out_of_time(limit),
            _ => error.into(),
        }
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        // What is told after this is the last word.
        self.deadline.lift();
    }
}

fn out_of_time(limit: Duration, written: bool) -> String {
    let limit = seconds(limit);
    match written {
        false => {
            format!("the time limit of {limit} was reached before there was a result; nothing was written")
        }
        true => format!("the time limit of {limit} was reached before everything was written"),
    }
}

/// A line on stderr; if even that is gone there is nobody left to tell.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{}", visible_lines(line));
}
