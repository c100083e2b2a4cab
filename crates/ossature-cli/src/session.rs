//! What every command needs while it runs: messages, output, and the clock.
//!
//! Results go to stdout or to files, everything else to stderr. This is the only place that prints,
//! and so the only one that makes text safe for a terminal.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use ossature::learn::Catalogue;
use ossature::text::{visible, visible_lines};
use ossature::{Error, Progress, Stop};
use ossature_study::CellsDone;

use crate::args::{Chosen, Common};
use crate::ending::Deadline;
use crate::failure::{Failure, code};
use crate::progress::Reporter;
use crate::render::seconds;
use crate::settings::Earlier;
use crate::written::Written;

/// One run of the command.
pub(crate) struct Session<'a> {
    /// The available learners.
    pub(crate) catalogue: &'a Catalogue,
    /// The typed options that come from the catalogue.
    pub(crate) chosen: Chosen,
    /// The seed of everything random.
    pub(crate) seed: u64,
    /// The same, if it was given.
    pub(crate) seed_given: Option<u64>,
    pub(crate) quiet: bool,
    pub(crate) verbose: bool,
    /// The earlier result that provides settings, once it is read.
    earlier: OnceLock<Earlier>,
    reporter: Arc<Reporter>,
    limit: Limit,
    deadline: Deadline,
    written: Arc<Written>,
}

/// The time limit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit {
    time: Option<Duration>,
    /// The exit code if it is reached before there is a result.
    code: u8,
}

/// A drawing may take longer than the time limit by this share of it, and by a second in any case.
const LONGER: u32 = 10;

impl<'a> Session<'a> {
    /// Starts the clock and the threads. A command that never waits looks at the clock itself; `at_limit` is its exit
    /// code if the limit is reached before there is a result.
    pub(crate) fn start(
        common: &Common,
        may_wait: bool,
        at_limit: u8,
        catalogue: &'a Catalogue,
        chosen: Chosen,
    ) -> Result<Session<'a>, Failure> {
        // This thread is one of the pool: handing over each parallel step would cost more than a small step takes.
        let pool = rayon::ThreadPoolBuilder::new().use_current_thread();
        let started = pool.num_threads(common.threads.unwrap_or(0)).build_global();
        if let (Err(e), Some(threads)) = (started, common.threads) {
            return Err(Failure::failed(format!("cannot start {threads} threads: {e}")));
        }
        let reporter = Arc::new(Reporter::new(common.progress, common.quiet, common.time_limit));
        let written = Arc::new(Written::default());
        let (watching, wrote) = (Arc::clone(&reporter), Arc::clone(&written));
        let limit = Limit { time: common.time_limit, code: at_limit };
        let deadline = Deadline::new(reporter.started(), limit.time.filter(|_| may_wait), move || {
            watching.clear();
            Failure::told(limit.code, wrote.at_end(limit.time.unwrap_or_default()))
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
            limit,
            deadline,
            written,
        })
    }

    /// The earlier result that provides settings not given otherwise, and its file.
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

    /// The progress to pass to long work.
    pub(crate) fn progress(&self) -> &dyn Progress {
        &*self.reporter
    }

    /// The progress to pass to a study.
    pub(crate) fn follow_study(&self) -> impl Fn(CellsDone) -> ControlFlow<Stop> + Sync {
        |cells| self.reporter.follow_study(cells)
    }

    /// Prints a warning.
    pub(crate) fn warn(&self, text: impl AsRef<str>) {
        self.note(format!("warning: {}", text.as_ref()));
    }

    /// Prints what was done, in one line.
    pub(crate) fn note(&self, text: impl AsRef<str>) {
        if !self.quiet {
            self.reporter.clear();
            tell_line(text.as_ref());
        }
    }

    /// Prints a summary, in several lines.
    pub(crate) fn note_lines(&self, text: &str) {
        text.lines().for_each(|line| self.note(line));
    }

    /// Prints a detail for `--verbose`, with the time.
    pub(crate) fn detail(&self, text: impl AsRef<str>) {
        if self.verbose {
            self.note(format!("[{}] {}", seconds(self.reporter.started().elapsed()), text.as_ref()));
        }
    }

    /// Prints a text on stdout, with names made safe for the terminal.
    pub(crate) fn show(&self, text: &str) -> Result<(), Failure> {
        self.print(|out| out.write_all(visible_lines(text).as_bytes()))
    }

    /// Writes to stdout for programs: the bytes unchanged.
    pub(crate) fn print(
        &self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.print_to(io::stdout().lock(), content)?;
        self.written.add();
        Ok(())
    }

    /// The same for the rows of a table, which are counted.
    pub(crate) fn print_rows(
        &self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.print_to(self.written.counting(io::stdout().lock()), content)
    }

    fn print_to(
        &self,
        out: impl Write,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.in_time()?;
        self.reporter.clear();
        let mut out = BufWriter::with_capacity(1 << 16, out);
        let printed = content(&mut out);
        // What the content was before it was stopped counts too.
        let flushed = out.flush();
        let printed = printed.and(flushed);
        printed.map_err(|e| self.in_time().err().unwrap_or_else(|| Failure::stdout(&e)))
    }

    /// Writes a file completely or not at all.
    pub(crate) fn write(
        &self,
        path: &Path,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.in_time()?;
        self.reporter.clear();
        let written = ossature::file::write(path, content);
        written.map_err(|e| self.in_time().err().unwrap_or_else(|| e.into()))?;
        self.written.add();
        Ok(())
    }

    /// From here on the time limit does not end the command: the work checks the clock itself, and its
    /// partial result counts.
    pub(crate) fn has_something_to_show(&self) {
        self.deadline.lift();
    }

    /// Draws files one after the other, which takes long for a large structure: for a tenth of the time limit longer than
    /// the limit, or for a second. Then the command ends; everything else has been written before.
    pub(crate) fn draw(
        &self,
        files: &[&Path],
        draw: impl Fn(usize) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let limit = self.limit.time.unwrap_or_default();
        let begun = limit.max(self.reporter.started().elapsed());
        let over =
            self.limit.time.map(|limit| begun.saturating_add((limit / LONGER).max(Duration::from_secs(1))));
        let mut result = Ok(());
        for place in 0..files.len() {
            let missing: Vec<String> = files[place..].iter().map(|path| path.display().to_string()).collect();
            let watching = Arc::clone(&self.reporter);
            let deadline = Deadline::new(self.reporter.started(), over, move || {
                watching.clear();
                let (limit, missing) = (seconds(limit), missing.join(", "));
                let said = format!("the time limit of {limit} was reached; not drawn: {missing}");
                Failure::told(code::CUT_SHORT, said)
                    .help("-o FILE.json writes the structure as well, which `ossature convert` can draw")
            });
            result = draw(place).and(result);
            deadline.lift();
        }
        result
    }

    fn in_time(&self) -> Result<(), Failure> {
        match self.reporter.limit_reached() {
            Some(limit) if self.deadline.holds() => Err(self.out_of_time(limit)),
            _ => Ok(()),
        }
    }

    fn out_of_time(&self, limit: Duration) -> Failure {
        Failure::told(self.limit.code, self.written.at_limit(limit))
    }

    /// The failure for an error of the library, with the reason why it was stopped.
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

/// Prints a line on stderr, with names made safe for the terminal; if even that fails, there is nobody left to
/// tell.
pub(crate) fn tell_line(line: &str) {
    let _ = writeln!(io::stderr(), "{}", visible(line));
}
