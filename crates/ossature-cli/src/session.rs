//! What every command needs while it runs: somewhere to speak, somewhere to write, and the clock.
//!
//! Results go to stdout or to files, everything else to stderr. This is the only place that
//! prints.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;

use ossature::learn::Catalogue;
use ossature::{Error, Progress, Stop};
use ossature_study::CellsDone;

use crate::args::{Chosen, Common};
use crate::failure::Failure;
use crate::interrupt::{self, Interruptible};
use crate::progress::Reporter;
use crate::render::seconds;

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
    reporter: Reporter,
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
        Ok(Session {
            catalogue,
            chosen,
            seed: common.seed.unwrap_or(0),
            seed_given: common.seed,
            quiet: common.quiet,
            verbose: common.verbose,
            reporter: Reporter::new(common.progress, common.quiet, common.time_limit),
        })
    }

    /// To be handed to work that takes a while.
    pub(crate) fn progress(&self) -> &dyn Progress {
        &self.reporter
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

    /// Writes to stdout.
    pub(crate) fn print(
        &self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.reporter.clear();
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        content(&mut out).and_then(|()| out.flush()).map_err(|e| Failure::stdout(&e))
    }

    /// Writes a file whole or not at all.
    pub(crate) fn write(
        &self,
        path: &Path,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.reporter.clear();
        let _not_interrupted_here = interrupt::hold();
        ossature::file::write(path, |out| content(&mut Interruptible(out)))?;
        Ok(())
    }

    /// The failure that an error of the library is, with the reason for which it was stopped.
    pub(crate) fn failure(&self, error: Error) -> Failure {
        match (&error, self.reporter.limit_reached()) {
            (Error::Stopped, Some(limit)) => Failure::failed(format!(
                "the time limit of {} was reached before there was a result; nothing was written",
                seconds(limit)
            )),
            _ => error.into(),
        }
    }
}

/// A line on stderr; if even that is gone there is nobody left to tell.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
