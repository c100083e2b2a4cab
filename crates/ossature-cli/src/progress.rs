//! The progress of a run on stderr, and its time limit.
//!
//! A bar appears on a terminal, and only for work that takes longer than a moment. With
//! `--progress always` and no terminal, plain lines are printed instead, a second apart.

use std::io::{IsTerminal, stderr};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use ossature::{Event, Progress, Stop};
use ossature_study::CellsDone;

use crate::args::When;
use crate::render::{count, decimal, rough_time, thousands};
use crate::session::tell_line;

/// Work that finishes sooner than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(300);
const BETWEEN_LINES: Duration = Duration::from_secs(1);

/// Shows events on stderr and stops the run at the time limit.
pub(crate) struct Reporter {
    started: Instant,
    limit: Option<Duration>,
    shown: Mutex<Shown>,
}

/// What is on the screen, and the events so far.
struct Shown {
    display: Display,
    so_far: SoFar,
}

enum Display {
    Nothing,
    /// Nothing is shown yet; a bar appears if the work continues.
    Waiting,
    Bar {
        bar: ProgressBar,
        /// The stage it was made for.
        of: &'static str,
    },
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
        let shown = Mutex::new(Shown { display, so_far: SoFar::default() });
        Reporter { started: Instant::now(), limit, shown }
    }

    /// When the command started.
    pub(crate) fn started(&self) -> Instant {
        self.started
    }

    /// The limit, once it has been reached.
    pub(crate) fn limit_reached(&self) -> Option<Duration> {
        self.limit.filter(|&limit| self.started.elapsed() >= limit)
    }

    /// Removes the bar, so that a message or the result has a line to itself.
    pub(crate) fn clear(&self) {
        let display = &mut self.lock().display;
        if let Display::Bar { bar, .. } = display {
            bar.finish_and_clear();
            *display = Display::Waiting;
        }
    }

    /// Shows the progress of a study; returns whether to go on.
    pub(crate) fn follow_study(&self, cells: CellsDone) -> ControlFlow<Stop> {
        self.lock().show(self.started, |_| study_stage(cells));
        self.go_on()
    }

    /// Whether the work goes on.
    fn go_on(&self) -> ControlFlow<Stop> {
        match self.limit_reached() {
            Some(_) => ControlFlow::Break(Stop::Finish),
            None => ControlFlow::Continue(()),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Drop for Reporter {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Progress for Reporter {
    fn report(&self, event: Event) -> ControlFlow<Stop> {
        self.lock().show(self.started, |so_far| {
            so_far.note(event);
            so_far.stage(event)
        });
        self.go_on()
    }
}

impl Shown {
    /// Shows a stage, which `after` computes after adding the new event.
    fn show(&mut self, started: Instant, after: impl FnOnce(&mut SoFar) -> Stage) {
        if matches!(self.display, Display::Nothing) {
            return;
        }
        let stage = after(&mut self.so_far);
        match &mut self.display {
            Display::Nothing => {}
            Display::Waiting if started.elapsed() < PATIENCE => {}
            Display::Waiting => {
                let bar = ProgressBar::hidden();
                style(&bar, &stage);
                bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
                advance(&bar, &stage);
                self.display = Display::Bar { bar, of: stage.name };
            }
            Display::Bar { bar, of } => {
                if stage.name != *of {
                    style(bar, &stage);
                    bar.reset();
                    *of = stage.name;
                }
                advance(bar, &stage);
            }
            Display::Lines { last } if last.elapsed() >= BETWEEN_LINES => {
                tell_line(&stage.to_string());
                *last = Instant::now();
            }
            Display::Lines { .. } => {}
        }
    }
}

fn style(bar: &ProgressBar, stage: &Stage) {
    let template = match stage.share {
        Some(_) => "{msg} {wide_bar} {percent:>3} %",
        None => "{spinner} {msg}",
    };
    bar.set_style(ProgressStyle::with_template(template).expect("the template is well formed"));
}

fn advance(bar: &ProgressBar, stage: &Stage) {
    bar.set_message(stage.to_string());
    if let Some((done, total)) = stage.share {
        bar.set_length(total);
        bar.set_position(done);
    } else {
        bar.tick();
    }
}

/// The sum of the events so far.
#[derive(Default)]
struct SoFar {
    /// The number of variables whose neighbourhood is learned, and the total.
    targets: Option<(usize, usize)>,
    /// Tests by the size of the conditioning set.
    tests: Vec<u64>,
    /// The size of the current sets, the edges that may still be removed, and the largest number of tests.
    level: Option<(usize, usize, u64)>,
    moves: u64,
    best: Option<f64>,
}

/// A stage of the work, and how much of it is done, if known.
struct Stage {
    name: &'static str,
    share: Option<(u64, u64)>,
    detail: String,
}

impl std::fmt::Display for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.name, self.detail)
    }
}

/// A stage with a known share done.
fn shared(name: &'static str, done: u64, total: u64, what: &str) -> Stage {
    let detail = format!("{} of {} {what}", thousands(done), thousands(total));
    Stage { name, share: Some((done, total)), detail }
}

fn study_stage(cells: CellsDone) -> Stage {
    let mut stage = shared("study", cells.done as u64, cells.total as u64, "cells");
    if let Some(left) = cells.seconds_left {
        stage.detail.push_str(&format!(", about {} left", rough_time(left)));
    }
    stage
}

impl SoFar {
    fn note(&mut self, event: Event) {
        match event {
            Event::TargetDone { done, total } => {
                // Threads may report in another order than they finish.
                let before = self.targets.map_or(0, |(done, _)| done);
                self.targets = Some((done.max(before), total));
            }
            Event::TestsAsked { order, tests } => {
                self.tests.resize(self.tests.len().max(order + 1), 0);
                self.tests[order] += tests;
            }
            Event::LevelBegun { size, edges, most } => self.level = Some((size, edges, most)),
            Event::Move { score, .. } => {
                self.moves += 1;
                self.best = Some(self.best.map_or(score, |best| best.max(score)));
            }
            _ => {}
        }
    }

    fn stage(&self, event: Event) -> Stage {
        match event {
            Event::RowsRead { done } => {
                Stage { name: "reading", share: None, detail: format!("{} rows", thousands(done)) }
            }
            Event::RowsSampled { done, total } => shared("sampling", done, total, "rows"),
            Event::TargetDone { .. } | Event::TestsAsked { .. } | Event::LevelBegun { .. } => self.testing(),
            Event::CandidatesScored { done, total } => shared("scoring", done, total, "variables"),
            Event::Move { .. } => {
                let best =
                    self.best.map_or(String::new(), |best| format!(", best score {}", decimal(best, 2)));
                Stage { name: "search", share: None, detail: format!("{}{best}", count(self.moves, "move")) }
            }
            Event::SamplesLearned { done, total } => {
                shared("bootstrap", done as u64, total as u64, "samples")
            }
            _ => Stage { name: "working", share: None, detail: "…".into() },
        }
    }

    /// Learning the skeleton, or the neighbourhood of one variable.
    fn testing(&self) -> Stage {
        if self.targets.is_none() && self.tests.iter().all(|&n| n == 0) {
            return Stage { name: "testing", share: None, detail: "pairs of variables".into() };
        }
        let by_order = self.tests.iter().enumerate().map(|(order, n)| format!("{order}: {}", thousands(*n)));
        let tests = format!("tests by order {}", by_order.collect::<Vec<_>>().join(", "));
        if let Some((size, edges, most)) = self.level {
            let asked = self.tests.get(size).copied().unwrap_or(0).min(most);
            let detail = format!(
                "sets of {size} for {}, {} of at most {} tests",
                count(edges as u64, "edge"),
                thousands(asked),
                thousands(most)
            );
            return Stage { name: "skeleton", share: None, detail };
        }
        match self.targets {
            Some((done, total)) => Stage {
                name: "skeleton",
                share: Some((done as u64, total as u64)),
                detail: format!(
                    "{} of {} variables, {tests}",
                    thousands(done as u64),
                    thousands(total as u64)
                ),
            },
            None => Stage { name: "testing", share: None, detail: tests },
        }
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

    #[test]
    fn events_add_up_to_a_sentence() {
        let mut so_far = SoFar::default();
        let mut after = |event| {
            so_far.note(event);
            so_far.stage(event).to_string()
        };
        assert_eq!(
            after(Event::TestsAsked { order: 1, tests: 1280 }),
            "testing: tests by order 0: 0, 1: 1,280"
        );
        assert_eq!(
            after(Event::TargetDone { done: 3, total: 37 }),
            "skeleton: 3 of 37 variables, tests by order 0: 0, 1: 1,280"
        );
        assert!(after(Event::TargetDone { done: 2, total: 37 }).contains("3 of 37"));
        let level = Event::LevelBegun { size: 4, edges: 60, most: 29_000_000 };
        assert_eq!(after(level), "skeleton: sets of 4 for 60 edges, 0 of at most 29,000,000 tests");
        assert_eq!(
            after(Event::TestsAsked { order: 4, tests: 64 }),
            "skeleton: sets of 4 for 60 edges, 64 of at most 29,000,000 tests"
        );
        assert_eq!(after(Event::Move { score: -1234.5, moves: 1 }), "search: 1 move, best score -1,234.50");
        assert!(after(Event::Move { score: -2000.0, moves: 2 }).ends_with("2 moves, best score -1,234.50"));
        assert_eq!(after(Event::SamplesLearned { done: 5, total: 200 }), "bootstrap: 5 of 200 samples");
    }

    #[test]
    fn a_study_says_how_long_it_will_take() {
        let cells = CellsDone { done: 5, total: 960, seconds_left: Some(250.0) };
        assert_eq!(study_stage(cells).to_string(), "study: 5 of 960 cells, about 4 min left");
        assert_eq!(study_stage(cells).share, Some((5, 960)));
        let first = CellsDone { done: 0, seconds_left: None, ..cells };
        assert_eq!(study_stage(first).to_string(), "study: 0 of 960 cells");
        let over = Reporter::new(When::Never, false, Some(Duration::ZERO));
        assert_eq!(over.follow_study(cells), ControlFlow::Break(Stop::Finish));
    }
}
