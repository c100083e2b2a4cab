//! How sure edges are: the share of several graphs that contain each of them.

use std::collections::BTreeMap;

use crate::data::Var;
use crate::graph::{Mark, Pdag};

/// How often an edge was found, and how often in each direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strength {
    /// The smaller end of the edge.
    pub x: Var,
    /// The larger end.
    pub y: Var,
    /// The share of the graphs in which the two are adjacent.
    pub strength: f64,
    /// Of those, the share in which the arc is X -> Y; an edge without direction counts half.
    pub direction: f64,
}

/// Edges counted over several graphs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct EdgeCounts {
    /// How often each edge occurred, and how often in the direction X -> Y, counted in halves.
    edges: BTreeMap<(Var, Var), [u64; 2]>,
    graphs: u64,
}

impl EdgeCounts {
    /// Counts a graph `times` times.
    pub(crate) fn add(&mut self, graph: &Pdag, times: u64) {
        self.add_edges(edges_in_halves(graph), times);
    }

    /// Counts a graph with these edges `times` times.
    pub(crate) fn add_edges(&mut self, edges: impl Iterator<Item = (u32, u32, u64)>, times: u64) {
        for (x, y, forward) in edges {
            let halves = self.edges.entry((Var(x), Var(y))).or_default();
            *halves = [halves[0] + 2 * times, halves[1] + forward * times];
        }
        self.graphs += times;
    }

    /// Every edge that occurred at least once, in order.
    pub(crate) fn strengths(&self) -> Vec<Strength> {
        let strength = |(&(x, y), &[edge, forward]): (&(Var, Var), &[u64; 2])| Strength {
            x,
            y,
            strength: edge as f64 / (2 * self.graphs) as f64,
            direction: forward as f64 / edge as f64,
        };
        self.edges.iter().map(strength).collect()
    }

    /// For each of these edges, the number of graphs that have it.
    pub(crate) fn found(&self) -> Vec<usize> {
        self.edges.values().map(|[edge, _]| (edge / 2) as usize).collect()
    }
}

/// The edges of a graph: smaller end, larger end, and how far it points from the former to the latter, in
/// halves.
pub(crate) fn edges_in_halves(graph: &Pdag) -> impl Iterator<Item = (u32, u32, u64)> {
    let edges: Vec<(Var, Var)> = graph.skeleton().edges().collect();
    edges.into_iter().map(|(x, y)| {
        let forward = match graph.mark(x, y) {
            Mark::Forward => 2,
            Mark::Undirected => 1,
            Mark::Backward | Mark::Absent => 0,
        };
        (x.0, y.0, forward)
    })
}
