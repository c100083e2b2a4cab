//! How long work reports its progress, and how it is stopped.
//!
//! The library never prints. It regularly reports an [`Event`] to a [`Progress`], which may be a
//! bar on a terminal, a callback of another language or [`Silent`]; the return value says whether
//! to go on.

use std::ops::ControlFlow;

use crate::error::{Error, Result};

/// A step of long work.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// Rows of a table have been read.
    RowsRead {
        /// Number of rows read so far.
        done: u64,
    },
    /// Independence tests have been asked; each thread reports from time to time.
    TestsAsked {
        /// Size of their conditioning sets.
        order: usize,
        /// Approximate number of tests of this size since this thread's last report.
        tests: u64,
    },
    /// PC has begun with sets of another size.
    LevelBegun {
        /// Size of the sets.
        size: usize,
        /// Number of edges that may still be removed.
        edges: usize,
        /// Largest number of tests that the level may take, or `u64::MAX` if it does not fit.
        most: u64,
    },
    /// The neighbourhood of one more variable has been learned.
    TargetDone {
        /// Number of targets done.
        done: usize,
        /// Number of targets in all.
        total: usize,
    },
    /// The candidate parents of more variables have been scored, before the first move of a search.
    CandidatesScored {
        /// Number of variables done.
        done: u64,
        /// Number of variables in all.
        total: u64,
    },
    /// A search has made a move. If several run in parallel, each reports its own. In a wide table the components of a
    /// skeleton climb apart, and one that climbs knows of the others what they had reached when it began.
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
    /// More parts of the work are done, such as nodes of a network or rows of a table.
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

/// How to end a run early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Abandon everything: the run ends with [`Error::Stopped`].
    Cancel,
    /// Finish with the best answer so far, if there is one.
    Finish,
}

/// Receives events and decides whether the work goes on.
pub trait Progress: Sync {
    /// Receives an event; `Break` ends the work.
    fn report(&self, event: Event) -> ControlFlow<Stop>;
}

/// Reports an event; returns an error if the work is stopped, in either way.
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
