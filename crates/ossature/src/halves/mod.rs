//! The two halves of a learner.
//!
//! A first half, [`Restrict`], says by tests which edges are possible; a second half, [`Orient`], directs
//! them, by a score or by what the tests have shown. Either may be missing, and any first half goes
//! with any second half, so most learners are a row of the [catalogue](crate::learn::Catalogue) and no
//! code of their own. The rooms [`local`](crate::local) and [`search`](crate::search) have the halves;
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

/// A first half: finds which edges are possible.
pub trait Restrict: Send + Sync {
    /// The skeleton over the variables `u`, which are all there are.
    ///
    /// A forbidden edge is never in the result and a required one always is. A run that is stopped
    /// returns [`Error::Stopped`](crate::Error::Stopped), never a part of the answer.
    fn restrict(&self, u: &VarSet, ask: &Independence<'_>) -> Result<Restriction>;

    /// The local learner that it goes through the targets with, if it does that: the neighbourhood of a
    /// single variable can be asked of it.
    fn local(&self) -> Option<&dyn LocalLearner> {
        None
    }

    /// The same work in rounds over the variables `u`, if it can be done so: that is how it is spread over machines.
    fn rounds<'a>(&'a self, u: &VarSet, ask: &Independence<'_>) -> Option<Box<dyn InRounds + 'a>> {
        _ = (u, ask);
        None
    }

    /// Whether it asks tests at all. One that does not needs no table of pairs.
    fn asks_tests(&self) -> bool {
        true
    }
}

/// Finds the parents and children of a variable.
pub trait LocalLearner: Send + Sync {
    /// The parents and children of `t` among `u`. `u` may or may not contain `t` itself.
    fn parents_and_children(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet;

    /// Whether X in the result for T only counts if T is in the result for X, also when a single
    /// target is asked for.
    fn needs_symmetry(&self) -> bool;

    /// The Markov blanket of `t` among `u`, if the learner finds blankets; none if it does not.
    fn blanket(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> Option<VarSet> {
        _ = (t, u, ind);
        None
    }

    /// The same learner for one run over all of `n` variables, if it can save work by sharing what its
    /// targets find. It may miss a neighbour only where the neighbour misses the target as well, so it
    /// serves a skeleton that keeps an edge if both ends found it.
    fn sharing(&self, n: usize) -> Option<Box<dyn SharingLearner>> {
        _ = n;
        None
    }
}

/// A local learner whose targets share what they find.
pub trait SharingLearner: LocalLearner {
    /// What is shared about one variable: found now, unless it is known.
    fn shared(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> Finding;

    /// Is told what another has found to be shared about a variable.
    fn know(&self, t: Var, shared: Finding);
}

/// What a first half has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Restriction {
    /// The edges that are possible.
    pub skeleton: Skeleton,
    /// What separated the pairs that are not among them.
    pub evidence: Evidence,
}

/// A second half: finds the directions.
pub trait Orient: Send + Sync {
    /// A graph inside the restriction, if there is one.
    ///
    /// If the progress cancels, the error is [`Error::Stopped`](crate::Error::Stopped); if it wants to
    /// finish, the best so far is the answer and not complete. The answer does not depend on the number
    /// of threads.
    fn orient(&self, task: &Task<'_>) -> Result<Found>;

    /// The error that [`orient`](Orient::orient) would give for a start and constraints over variables
    /// of these names, before any work is done.
    fn check(&self, names: &[&str], start: Option<&Dag>, constraints: &Constraints) -> Result<()>;

    /// Whether it maximises a score.
    fn uses_score(&self) -> bool {
        true
    }

    /// Whether it asks tests.
    fn asks_tests(&self) -> bool {
        false
    }

    /// Whether it can do nothing without a first half.
    fn needs_skeleton(&self) -> bool {
        false
    }
}

/// What a second half works with.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The names of the variables, in their canonical order.
    pub names: &'a [&'a str],
    /// The score; none for a half that does not use one.
    pub score: Option<&'a dyn Score>,
    /// The tests; none for a half that does not ask any.
    pub ask: Option<&'a Independence<'a>>,
    /// What the first half found; none where the search is free.
    pub inside: Option<&'a Restriction>,
    /// Where the search starts; none for the empty graph.
    pub start: Option<&'a Dag>,
    /// Arcs that must and must not be there.
    pub constraints: &'a Constraints,
    /// Who is told how far the work is.
    pub progress: &'a dyn Progress,
}

impl<'a> Task<'a> {
    /// The score of a half that uses one.
    ///
    /// # Panics
    /// If there is none: the half says in [`Orient::uses_score`] that it needs none.
    pub fn score(&self) -> &'a dyn Score {
        self.score.expect("a half that uses a score is given one")
    }

    /// The skeleton, if there is one.
    pub fn skeleton(&self) -> Option<&'a Skeleton> {
        self.inside.map(|restriction| &restriction.skeleton)
    }
}

/// What a second half has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The graph.
    pub graph: LearnedGraph,
    /// Its score, if it was chosen by one.
    pub score: Option<f64>,
    /// A score that no graph exceeds, where that is known.
    pub bound: Option<f64>,
    /// Whether the work came to its end, and was not told to finish before.
    pub complete: bool,
    /// The moves made by the search that found it.
    pub moves: u64,
    /// What a reader of the result ought to know, a sentence each.
    pub concerns: Vec<String>,
    /// The best classes with their scores, where several were asked for; the best first.
    pub alternatives: Vec<(Cpdag, f64)>,
    /// How sure the edges are, where that is known, in order.
    pub strengths: Vec<Strength>,
}

impl Found {
    /// A graph that was found without a search and without a score.
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

    /// A graph with its score, found by so many moves.
    pub fn searched(graph: LearnedGraph, score: f64, complete: bool, moves: u64) -> Found {
        Found { score: Some(score), complete, moves, ..Found::graph(graph) }
    }
}
