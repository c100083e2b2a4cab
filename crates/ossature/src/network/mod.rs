//! Bayesian networks: a DAG with a probability table at each node.
//!
//! [`bif`] reads and writes them, [`Model`] with how their rows are read, [`catalogue`] holds the benchmark networks, [`Network::sample`]
//! draws data from one, [`Network::log_likelihood`] says how likely rows are, and [`fit`] estimates the
//! tables of a given DAG from data.

mod backoff;
pub mod bif;
pub mod catalogue;
mod fit;
mod likelihood;
mod model;
mod sample;

use crate::data::{Var, Variable};
use crate::error::{Error, Result};
use crate::graph::{Dag, NamedGraph, Pdag};

pub use fit::{Fitted, Prior, fit};
pub use model::Model;
pub use sample::SampleBlocks;
pub(crate) use sample::generator_of;

/// A Bayesian network: variables in the canonical order, a DAG over them, and a table each.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    variables: Vec<Variable>,
    dag: Dag,
    tables: Vec<ProbabilityTable>,
}

/// The distribution of a variable for each configuration of its parents.
///
/// The parents are in the canonical order and the last of them changes fastest; within a
/// configuration stand the probabilities of the variable's levels in order.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbabilityTable {
    probabilities: Vec<f64>,
    levels: usize,
}

impl ProbabilityTable {
    /// A table of `levels` probabilities for each configuration.
    ///
    /// # Panics
    /// If the number of probabilities is not a multiple of the number of levels.
    pub fn new(probabilities: Vec<f64>, levels: usize) -> ProbabilityTable {
        assert!(levels > 0 && probabilities.len().is_multiple_of(levels), "whole rows of {levels} levels");
        ProbabilityTable { probabilities, levels }
    }

    /// The distribution for the parent configuration of this number.
    pub fn row(&self, configuration: usize) -> &[f64] {
        &self.probabilities[configuration * self.levels..][..self.levels]
    }

    /// The distributions in the order of the parent configurations.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.probabilities.chunks_exact(self.levels)
    }

    /// All probabilities in order.
    pub fn as_slice(&self) -> &[f64] {
        &self.probabilities
    }
}

impl Network {
    /// A network from its parts: a table of the right size for each variable, whose rows sum to 1
    /// within 1e-6.
    ///
    /// # Panics
    /// If the variables are not sorted by name, or there are not as many as nodes and tables.
    pub fn new(variables: Vec<Variable>, dag: Dag, tables: Vec<ProbabilityTable>) -> Result<Network> {
        assert_eq!(variables.len(), dag.nodes(), "a variable for each node");
        assert_eq!(variables.len(), tables.len(), "a table for each node");
        assert!(variables.is_sorted_by(|a, b| a.name() < b.name()), "variables in the canonical order");
        let network = Network { variables, dag, tables };
        for v in network.dag.vars() {
            let table = network.table(v);
            let name = network.variable(v).name();
            let size = network.configurations(v).saturating_mul(network.cardinality(v) as u128);
            if table.probabilities.len() as u128 != size || table.levels != network.cardinality(v) {
                return Err(Error::Mismatch {
                    what: format!("the table of {name:?} has {} entries", table.probabilities.len()),
                    accepted: format!("its levels and its parents' make {size}"),
                });
            }
            let bad = table.rows().find(|row| {
                row.iter().any(|p| !(0.0..=1.0 + 1e-6).contains(p))
                    || (row.iter().sum::<f64>() - 1.0).abs() > 1e-6
            });
            if let Some(row) = bad {
                return Err(Error::Mismatch {
                    what: format!("the table of {name:?} has the row {row:?}"),
                    accepted: "a row is made of probabilities that sum to 1".into(),
                });
            }
        }
        Ok(network)
    }

    /// The variables in the canonical order.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The name and levels of a variable.
    pub fn variable(&self, v: Var) -> &Variable {
        &self.variables[v.index()]
    }

    /// The variable of a name, or an error that names the nearest one.
    pub fn require(&self, name: &str) -> Result<Var> {
        let found = self.variables.binary_search_by(|v| v.name().cmp(name));
        found.map(Var::new).map_err(|_| {
            Error::unknown_name("variable", name, self.variables.iter().map(Variable::name), None)
        })
    }

    /// The number of levels of a variable.
    pub fn cardinality(&self, v: Var) -> usize {
        self.variable(v).cardinality()
    }

    /// The structure.
    pub fn dag(&self) -> &Dag {
        &self.dag
    }

    /// The table of a variable.
    pub fn table(&self, v: Var) -> &ProbabilityTable {
        &self.tables[v.index()]
    }

    /// The number of configurations of the parents of a variable.
    pub fn configurations(&self, v: Var) -> u128 {
        configurations(&self.variables, self.dag.parents(v).as_slice())
    }

    /// The number of free parameters: one less than the levels, for each parent configuration.
    pub fn parameters(&self) -> u128 {
        self.dag.vars().map(|v| (self.cardinality(v) as u128 - 1) * self.configurations(v)).sum()
    }

    /// The structure with the names of the variables.
    pub fn named_graph(&self) -> NamedGraph {
        let names = self.variables.iter().map(|v| v.name().to_owned()).collect();
        NamedGraph::new(names, Pdag::from(&self.dag))
    }
}

/// The number of configurations of these parents, or the largest number there is if that is less.
fn configurations(variables: &[Variable], parents: &[Var]) -> u128 {
    parents.iter().fold(1, |q: u128, p| q.saturating_mul(variables[p.index()].cardinality() as u128))
}

/// Counts on, the last place fastest; after the last configuration comes the first again.
fn next_configuration(codes: &mut [usize], cardinality: impl Fn(usize) -> usize) {
    for i in (0..codes.len()).rev() {
        codes[i] += 1;
        if codes[i] < cardinality(i) {
            return;
        }
        codes[i] = 0;
    }
}
