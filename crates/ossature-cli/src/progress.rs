//! Where a run is, on stderr, and when it has to end.
//!
//! A bar appears on a terminal, and only for work that takes longer than a moment. With
//! `--progress always` and no terminal, plain lines are printed instead, a second apart.

use std::io::{IsTerminal, stderr};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use ossature::{Event, Progress, Stop};

use crate::args::When;
use crate::render::thousands;
use crate::session::tell;

/// Work that is done sooner than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(300);
const BETWEEN_LINES: Duration = Duration::from_secs(1);

/// Shows events on stderr and stops the run at the time limit.
pub(crate) struct Reporter {
    started: Instant,
    limit: Option<Duration>,
    display: Mutex<Display>,
}

enum Display {
    Nothing,
    /// Nothing is shown yet; a bar comes when the work goes on.
    Waiting,
    Bar(ProgressBar),
    Lines {
        last: Instant,
    },
}

impl Reporter {
    pub(crate) fn new(when: When, quiet: bool, limit: Option<Duration>) -> Reporter {
        let terminal = stderr().is_terminal();
        let display = match when {
            When::Never => Display::Nothing,
            When::Always if !terminal => Display::Lines { last: Instant::now() },
            When::Always => Display::Waiting,
            When::Auto if terminal && !quiet => Display::Waiting,
            When::Auto => Display::Nothing,
        };
        Reporter { started: Instant::now(), limit, display: Mutex::new(display) }
    }

    /// Since when the command runs.
    pub(crate) fn started(&self) -> Instant {
        self.started
    }

    /// The limit, once it has been reached.
    pub(crate) fn limit_reached(&self) -> Option<Duration> {
        self.limit.filter(|&limit| self.started.elapsed() >= limit)
    }

    /// Takes the bar away, so that a message or the result has the line for itself.
    pub(crate) fn clear(&self) {
        let mut display = self.lock();
        if let Display::Bar(bar) = &*display {
            bar.finish_and_clear();
            *display = Display::Waiting;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Display> {
        self.display.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Drop for Reporter {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Progress for Reporter {
    fn report(&self, event: Event) -> ControlFlow<Stop> {
        show(&mut self.lock(), event, self.started);
        match self.limit_reached() {
            Some(_) => ControlFlow::Break(Stop::Finish),
            None => ControlFlow::Continue(()),
        }
    }
}

fn show(display: &mut Display, event: Event, started: Instant) {
    match display {
        Display::Nothing => {}
        Display::Waiting if started.elapsed() < PATIENCE => {}
        Display::Waiting => {
            let bar = new_bar(event);
            advance(&bar, event);
            *display = Display::Bar(bar);
        }
        Display::Bar(bar) => advance(bar, event),
        Display::Lines { last } if last.elapsed() >= BETWEEN_LINES => {
            tell(&sentence(event));
            *last = Instant::now();
        }
        Display::Lines { .. } => {}
    }
}

fn new_bar(event: Event) -> ProgressBar {
    let (bar, template) = match event {
        Event::RowsSampled { total, .. } => {
            (ProgressBar::new(total), "{msg} {wide_bar} {percent:>3} %, {eta} to go")
        }
        _ => (ProgressBar::new_spinner(), "{spinner} {msg}"),
    };
    bar.with_style(ProgressStyle::with_template(template).expect("the template is well formed"))
}

fn advance(bar: &ProgressBar, event: Event) {
    bar.set_message(sentence(event));
    if let Event::RowsSampled { done, .. } = event {
        bar.set_position(done);
    } else {
        bar.tick();
    }
}

fn sentence(event: Event) -> String {
    match event {
        Event::RowsRead { done } => format!("reading: {} rows", thousands(done)),
        Event::RowsSampled { done, total } => {
            format!("sampling: {} of {} rows", thousands(done), thousands(total))
        }
        _ => "working".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_limit_ends_the_work() {
        let done = Event::RowsRead { done: 1 };
        let endless = Reporter::new(When::Never, false, None);
        assert!(endless.report(done).is_continue());
        let over = Reporter::new(When::Never, false, Some(Duration::ZERO));
        assert_eq!(over.report(done), ControlFlow::Break(Stop::Finish));
    }
}
