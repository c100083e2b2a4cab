//! How work that takes long tells where it is, and how it is stopped.
//!
//! The library never prints. It reports an [`Event`] now and then to a [`Progress`], which may be
//! a bar on a terminal, a callback of another language or [`Silent`]; the answer says whether to
//! go on.

use std::ops::ControlFlow;

use crate::error::{Error, Result};

/// Something worth telling about work that takes a while.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// Rows of a table have been read.
    RowsRead {
        /// Number of rows read so far.
        done: u64,
    },
    /// Independence tests have been asked; each thread reports now and then.
    TestsAsked {
        /// Size of their conditioning sets.
        order: usize,
        /// Number of tests of this size, nearly, since this thread last reported some.
        tests: u64,
    },
    /// PC has come to sets of another size.
    LevelBegun {
        /// Size of the sets.
        size: usize,
        /// Number of edges that may still go.
        edges: usize,
        /// Number of tests that the level takes at most, or the largest number where it does not fit.
        most: u64,
    },
    /// The neighbourhood of one more variable has been learned.
    TargetDone {
        /// Number of targets done.
        done: usize,
        /// Number of targets in all.
        total: usize,
    },
    /// What could be added to each variable is scored, before the first move of a search.
    CandidatesScored {
        /// Number of variables done.
        done: u64,
        /// Number of variables in all.
        total: u64,
    },
    /// A search has made a move. Where several run at once, each reports its own.
    Move {
        /// Score after the move, which need not be the best so far.
        score: f64,
        /// Number of moves made so far.
        moves: u64,
    },
    /// A structure has been learned from one more sample of the rows.
    SamplesLearned {
        /// Number of samples done.
        done: usize,
        /// Number of samples in all.
        total: usize,
    },
    /// Some of the work is done that goes part by part, such as the nodes of a network or the rows of a table.
    PartsDone {
        /// Number of parts done.
        done: u64,
        /// Number of parts in all.
        total: u64,
    },
    /// Rows have been sampled from a network.
    RowsSampled {
        /// Number of rows sampled so far.
        done: u64,
        /// Number of rows in all.
        total: u64,
    },
}

/// How a run is to end before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Leave everything: the run ends with [`Error::Stopped`].
    Cancel,
    /// Finish with the best answer so far, if there is one.
    Finish,
}

/// Is told of events and decides whether the work goes on.
pub trait Progress: Sync {
    /// Is told of an event; `Break` ends the work.
    fn report(&self, event: Event) -> ControlFlow<Stop>;
}

/// Tells of an event; stopped in either way, there is no answer.
pub(crate) fn go_on(progress: &dyn Progress, event: Event) -> Result<()> {
    match progress.report(event) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(_) => Err(Error::Stopped),
    }
}

/// Ignores every event and never stops anything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn report(&self, _: Event) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
}
