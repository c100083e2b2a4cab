//! The result of learning: a DAG, an equivalence class, a graph that is neither, or a bare
//! skeleton.

use crate::graph::{Cpdag, Dag, Pdag, Skeleton};

/// A learned graph.
#[derive(Debug, Clone, PartialEq)]
pub enum LearnedGraph {
    /// One DAG.
    Dag(Dag),
    /// An equivalence class of DAGs.
    Cpdag(Cpdag),
    /// The equivalence class of a DAG that stands for it: with a score that differs within a class, the best DAG of the
    /// class that was found.
    ClassOf(Dag),
    /// Arcs and undirected edges that do not form a class, as contradictory tests may leave them.
    Pdag(Pdag),
    /// No directions at all.
    Skeleton(Skeleton),
}

impl LearnedGraph {
    /// The word for its kind in a report: `dag`, `cpdag`, `pdag` or `skeleton`.
    pub fn kind(&self) -> &'static str {
        match self {
            LearnedGraph::Dag(_) => "dag",
            LearnedGraph::Cpdag(_) | LearnedGraph::ClassOf(_) => "cpdag",
            LearnedGraph::Pdag(_) => "pdag",
            LearnedGraph::Skeleton(_) => "skeleton",
        }
    }

    /// The DAG, or a DAG of the class; for a graph that is not a class, the nearest DAG, if its arcs form no
    /// cycle. `None` for a skeleton.
    pub fn dag(&self) -> Option<Dag> {
        match self {
            LearnedGraph::Dag(dag) | LearnedGraph::ClassOf(dag) => Some(dag.clone()),
            LearnedGraph::Cpdag(class) => class.extension(),
            LearnedGraph::Pdag(graph) => graph.nearest_extension().map(|(dag, _)| dag),
            LearnedGraph::Skeleton(_) => None,
        }
    }

    /// The equivalence class; `None` for a skeleton and for a graph that has no DAG.
    pub fn cpdag(&self) -> Option<Cpdag> {
        match self {
            LearnedGraph::Cpdag(class) => Some(class.clone()),
            other => other.dag().map(|dag| dag.cpdag()),
        }
    }

    /// The same as a graph of arcs and edges.
    pub fn to_pdag(&self) -> Pdag {
        match self {
            LearnedGraph::Dag(dag) => Pdag::from(dag),
            LearnedGraph::Cpdag(class) => class.as_pdag().clone(),
            LearnedGraph::ClassOf(dag) => dag.cpdag().as_pdag().clone(),
            LearnedGraph::Pdag(graph) => graph.clone(),
            LearnedGraph::Skeleton(skeleton) => Pdag::from(skeleton),
        }
    }

    /// Its edges, whatever their direction.
    pub fn skeleton(&self) -> Skeleton {
        match self {
            LearnedGraph::Dag(dag) | LearnedGraph::ClassOf(dag) => dag.skeleton(),
            LearnedGraph::Skeleton(skeleton) => skeleton.clone(),
            other => other.to_pdag().skeleton(),
        }
    }

    /// Whether it has directions.
    pub fn has_directions(&self) -> bool {
        !matches!(self, LearnedGraph::Skeleton(_))
    }
}
