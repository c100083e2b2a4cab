//! The two halves of a learner.
//!
//! A first half, [`Restrict`], finds the possible edges by tests; a second half, [`Orient`], directs
//! them, by a score or by the results of the tests. Either may be missing, and any first half works with
//! any second half, so most learners are a row of the [catalogue](crate::learn::Catalogue) without code
//! of their own. The modules [`local`](crate::local) and [`search`](crate::search) contain the halves;
//! [`Hybrid`](crate::learn::Hybrid) joins two of them.

mod given;
mod learned_graph;
mod rounds;
mod strength;

pub use given::GivenSkeleton;
pub use learned_graph::LearnedGraph;
pub use rounds::{Finding, InRounds};
pub use strength::Strength;
pub(crate) use strength::{EdgeCounts, edges_in_halves};

use crate::ci::{Evidence, Independence};
use crate::data::{Var, VarSet};
use crate::error::Result;
use crate::graph::{Constraints, Cpdag, Dag, Skeleton};
use crate::progress::Progress;
use crate::score::Score;

/// A first half: finds the possible edges.
pub trait Restrict: Send + Sync {
    /// The skeleton over all variables `u`.
    ///
    /// A forbidden edge is never in the result and a required one always is. A run that is stopped
    /// returns [`Error::Stopped`](crate::Error::Stopped), never a part of the answer.
    fn restrict(&self, u: &VarSet, ask: &Independence<'_>) -> Result<Restriction>;

    /// The local learner that it applies to each target, if any; it can then also find the
    /// neighbourhood of a single variable.
    fn local(&self) -> Option<&dyn LocalLearner> {
        None
    }

    /// The same work in rounds over the variables `u`, if possible; this is how it is distributed over machines.
    fn rounds<'a>(&'a self, u: &VarSet, ask: &Independence<'_>) -> Option<Box<dyn InRounds + 'a>> {
        _ = (u, ask);
        None
    }

    /// Whether it runs tests. If it does not, no table of pairs is needed.
    fn asks_tests(&self) -> bool {
        true
    }
}

/// Finds the parents and children of a variable.
pub trait LocalLearner: Send + Sync {
    /// The parents and children of `t` among `u`. `u` may or may not contain `t` itself.
    fn parents_and_children(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet;

    /// Whether X in the result for T only counts if T is in the result for X, even for a single
    /// target.
    fn needs_symmetry(&self) -> bool;

    /// The Markov blanket of `t` among `u`, if the learner finds blankets.
    fn blanket(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> Option<VarSet> {
        _ = (t, u, ind);
        None
    }

    /// The same learner for one run over all `n` variables, if it can save work by sharing results
    /// between targets. It may miss a neighbour only if the neighbour misses the target as well, so it
    /// can be used for a skeleton that keeps an edge only if both ends found it.
    fn sharing(&self, n: usize) -> Option<Box<dyn SharingLearner>> {
        _ = n;
        None
    }
}

/// A local learner whose targets share results.
pub trait SharingLearner: LocalLearner {
    /// The shared result for one variable, computed now unless it is known.
    fn shared(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> Finding;

    /// Accepts a shared result for a variable that was found elsewhere.
    fn know(&self, t: Var, shared: Finding);
}

/// The result of a first half.
#[derive(Debug, Clone, PartialEq)]
pub struct Restriction {
    /// The possible edges.
    pub skeleton: Skeleton,
    /// What separated the other pairs.
    pub evidence: Evidence,
}

/// A second half: finds the directions.
pub trait Orient: Send + Sync {
    /// A graph inside the restriction, if there is one.
    ///
    /// If the progress cancels, the error is [`Error::Stopped`](crate::Error::Stopped); if it asks to
    /// finish, the result is the best so far, marked as incomplete. The answer does not depend on the
    /// number of threads.
    fn orient(&self, task: &Task<'_>) -> Result<Found>;

    /// Returns the error that [`orient`](Orient::orient) would return for a start and constraints over
    /// variables with these names, before any work is done.
    fn check(&self, names: &[&str], start: Option<&Dag>, constraints: &Constraints) -> Result<()>;

    /// Whether it maximises a score.
    fn uses_score(&self) -> bool {
        true
    }

    /// Whether it runs tests.
    fn asks_tests(&self) -> bool {
        false
    }

    /// Whether it requires a first half.
    fn needs_skeleton(&self) -> bool {
        false
    }
}

/// What a second half works with.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The names of the variables, in their canonical order.
    pub names: &'a [&'a str],
    /// The score; `None` for a half that does not use one.
    pub score: Option<&'a dyn Score>,
    /// The tests; `None` for a half that does not run any.
    pub ask: Option<&'a Independence<'a>>,
    /// The result of the first half; `None` for a free search.
    pub inside: Option<&'a Restriction>,
    /// Where the search starts; `None` for the empty graph.
    pub start: Option<&'a Dag>,
    /// Required and forbidden arcs.
    pub constraints: &'a Constraints,
    /// Receives reports of progress.
    pub progress: &'a dyn Progress,
}

impl<'a> Task<'a> {
    /// The score of a half that uses one.
    ///
    /// # Panics
    /// If there is none because [`Orient::uses_score`] is false.
    pub fn score(&self) -> &'a dyn Score {
        self.score.expect("a half that uses a score is given one")
    }

    /// The skeleton, if there is one.
    pub fn skeleton(&self) -> Option<&'a Skeleton> {
        self.inside.map(|restriction| &restriction.skeleton)
    }
}

/// The result of a second half.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The graph.
    pub graph: LearnedGraph,
    /// Its score, if it was chosen by one.
    pub score: Option<f64>,
    /// A score that no graph exceeds, if known.
    pub bound: Option<f64>,
    /// Whether the work was completed, and not told to finish early.
    pub complete: bool,
    /// The moves made by the search that found it.
    pub moves: u64,
    /// Warnings for the reader of the result, one sentence each.
    pub concerns: Vec<String>,
    /// The best classes with their scores, best first, if several were requested.
    pub alternatives: Vec<(Cpdag, f64)>,
    /// How sure the edges are, if known, in order.
    pub strengths: Vec<Strength>,
}

impl Found {
    /// A graph found without a search and without a score.
    pub fn graph(graph: LearnedGraph) -> Found {
        Found {
            graph,
            score: None,
            bound: None,
            complete: true,
            moves: 0,
            concerns: Vec::new(),
            alternatives: Vec::new(),
            strengths: Vec::new(),
        }
    }

    /// A graph with its score, and the number of moves that led to it.
    pub fn searched(graph: LearnedGraph, score: f64, complete: bool, moves: u64) -> Found {
        Found { score: Some(score), complete, moves, ..Found::graph(graph) }
    }
}
