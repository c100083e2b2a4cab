//! Reports the progress of a search, and remembers a request to stop.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::progress::{Event, Progress, Stop};

const GO_ON: u8 = 0;
const FINISH: u8 = 1;
const CANCEL: u8 = 2;

/// Reports events of all threads of a search; a request to stop applies to all.
pub(super) struct Watch<'a> {
    progress: &'a dyn Progress,
    state: AtomicU8,
}

impl<'a> Watch<'a> {
    pub(super) fn new(progress: &'a dyn Progress) -> Watch<'a> {
        Watch { progress, state: AtomicU8::new(GO_ON) }
    }

    /// Reports a move; returns whether to go on.
    pub(super) fn moved(&self, score: f64, moves: u64) -> bool {
        self.report(Event::Move { score, moves })
    }

    /// Reports that the candidates of a variable were scored; returns whether to go on.
    pub(super) fn scored(&self, done: u64, total: u64) -> bool {
        self.report(Event::CandidatesScored { done, total })
    }

    fn report(&self, event: Event) -> bool {
        if let ControlFlow::Break(stop) = self.progress.report(event) {
            let state = if stop == Stop::Cancel { CANCEL } else { FINISH };
            self.state.fetch_max(state, Ordering::Relaxed);
        }
        !self.stopped()
    }

    pub(super) fn stopped(&self) -> bool {
        self.state.load(Ordering::Relaxed) != GO_ON
    }

    pub(super) fn cancelled(&self) -> bool {
        self.state.load(Ordering::Relaxed) == CANCEL
    }
}
