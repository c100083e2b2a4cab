//! How long work tells where it is, and how it is stopped.
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
        /// So many so far.
        done: u64,
    },
    /// Independence tests go on; reported every so many tests of a thread.
    TestsAsked {
        /// The size of the conditioning set of these.
        order: usize,
        /// About so many since this thread last reported tests of this size.
        tests: u64,
    },
    /// The neighbourhood of one more variable has been learned.
    TargetDone {
        /// So many so far.
        done: usize,
        /// Of so many.
        total: usize,
    },
    /// What could be added to each variable is scored, before the first move of a search.
    CandidatesScored {
        /// So many variables so far.
        done: u64,
        /// Of so many.
        total: u64,
    },
    /// A search has made a move. Where several run at once, each reports its own.
    Move {
        /// The score now, which need not be the best so far.
        score: f64,
        /// So many moves so far.
        moves: u64,
    },
    /// A structure has been learned from one more sample of the rows.
    SamplesLearned {
        /// So many so far.
        done: usize,
        /// Of so many.
        total: usize,
    },
    /// A study goes on: so many cells of its grid are done.
    CellsDone {
        /// So many so far.
        done: usize,
        /// Of so many.
        total: usize,
        /// About so many seconds are left, once that can be said.
        seconds_left: Option<f64>,
    },
    /// Work that goes part by part, the nodes of a network or the rows of a table, goes on.
    PartsDone {
        /// So many so far.
        done: u64,
        /// Of so many.
        total: u64,
    },
    /// Rows have been sampled from a network.
    RowsSampled {
        /// So many so far.
        done: u64,
        /// Of so many.
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
    /// Takes notice of an event; `Break` ends the work.
    fn report(&self, event: Event) -> ControlFlow<Stop>;
}

/// Tells of an event; stopped in either way, there is no answer.
pub(crate) fn go_on(progress: &dyn Progress, event: Event) -> Result<()> {
    match progress.report(event) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(_) => Err(Error::Stopped),
    }
}

/// Takes no notice and never stops anything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn report(&self, _: Event) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
}
