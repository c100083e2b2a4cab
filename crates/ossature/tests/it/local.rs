//! Local learning.
//!
//! The final skeleton hides mistakes, so each routine is checked against its contract with a perfect oracle
//! (`oracle`). For cases that a perfect oracle never produces, a table of answers plays the test and records
//! the questions (`hpc`, `weak`, `mmpc`). On data, the result does not depend on what must not matter
//! (`data`), constraints hold (`constraints`), and runs end when they are told to and when they must
//! (`limits`).

/// Forbidden and required edges.
mod constraints;
/// The same skeleton for any threads, rows, columns, cache and sharing.
mod data;
/// DE-PCS, DE-SPS and HPC with scripted answers.
mod hpc;
/// Stopping, hubs and wide tables.
mod limits;
/// MMPC with scripted answers.
mod mmpc;
/// Each routine's contract on random graphs.
mod oracle;
pub(crate) use oracle::on_random_graphs;
/// A test that is a table of answers, and records the questions.
pub(crate) mod script;
/// The weak learners with scripted answers.
mod weak;

use ossature::{Dag, Var, VarSet};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The set of these numbers.
pub(crate) fn set(vars: &[u32]) -> VarSet {
    vars.iter().map(|&v| Var(v)).collect()
}

pub(crate) fn graph(nodes: usize, arcs: &[(u32, u32)]) -> Dag {
    Dag::from_arcs(nodes, arcs.iter().map(|&(from, to)| (Var(from), Var(to)))).unwrap()
}

/// A random graph: each pair has an arc with the same probability, along a random order.
fn random_graph(nodes: usize, density: f64, seed: u64) -> Dag {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut order: Vec<usize> = (0..nodes).collect();
    for i in (1..nodes).rev() {
        order.swap(i, random.random_range(0..=i));
    }
    let mut arcs = Vec::new();
    for i in 0..nodes {
        for j in 0..i {
            if random.random_bool(density) {
                arcs.push((Var::new(order[j]), Var::new(order[i])));
            }
        }
    }
    Dag::from_arcs(nodes, arcs).unwrap()
}

pub(crate) fn parents_and_children(graph: &Dag, t: Var) -> VarSet {
    graph.parents(t).union(graph.children(t))
}

/// Parents, children and parents of children.
pub(crate) fn blanket(graph: &Dag, t: Var) -> VarSet {
    let spouses = graph.children(t).iter().flat_map(|c| graph.parents(c).iter());
    parents_and_children(graph, t).union(&spouses.collect()).without(t)
}
