//! The result of a learner, and its cost.

use crate::ci::{Evidence, Tally};
use crate::data::Dataset;
use crate::graph::{Cpdag, NamedGraph, Skeleton};
use crate::halves::{LearnedGraph, Strength};

/// The result of a learner, and its cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Learned {
    /// The graph.
    pub graph: LearnedGraph,
    /// The skeleton that restricted the search, if any.
    pub skeleton: Option<Skeleton>,
    /// What separated the pairs that are not in the skeleton.
    pub evidence: Evidence,
    /// The score of the graph, if it was chosen by one.
    pub score: Option<f64>,
    /// A score that no graph exceeds, if known.
    pub bound: Option<f64>,
    /// Whether the search was completed, and not cut short by a limit.
    pub complete: bool,
    /// The moves of the search.
    pub moves: u64,
    /// Warnings for the reader of the result, one sentence each.
    pub concerns: Vec<String>,
    /// The best classes with their scores, best first, if several were requested.
    pub alternatives: Vec<(Cpdag, f64)>,
    /// How sure the edges are, if the learner knows, in order.
    pub strengths: Vec<Strength>,
    /// The tests.
    pub tests: Tally,
    /// The time.
    pub seconds: Seconds,
}

/// How long the phases took.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize)]
pub struct Seconds {
    /// Finding the skeleton.
    pub restrict: f64,
    /// Finding the directions.
    pub maximise: f64,
    /// Both, without reading the data.
    pub total: f64,
}

impl Learned {
    /// The learned graph with names.
    pub fn named_graph(&self, data: &Dataset) -> NamedGraph {
        let names: Vec<String> = data.variables().iter().map(|v| v.name().to_owned()).collect();
        NamedGraph::new(names, self.graph.to_pdag())
    }
}
