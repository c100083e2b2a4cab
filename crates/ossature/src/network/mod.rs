//! Bayesian networks: a DAG with a distribution at each node.
//!
//! A discrete variable has a probability table, a continuous one a [`Gaussian`]: for each configuration of its
//! discrete parents a linear regression on its continuous ones (Lauritzen & Wermuth 1989,
//! doi:10.1214/aos/1176347003). Discrete variables have discrete parents only.
//!
//! [`bif`] reads and writes them, [`Model`] does so together with how their rows are read, [`catalogue`] has the
//! benchmark networks, [`Network::sample`] draws data from one, [`Network::log_likelihood`] computes how likely rows
//! are, and [`fit`] estimates the tables of a given DAG from data.

mod backoff;
pub mod bif;
pub mod catalogue;
mod fit;
mod gaussian;
mod likelihood;
mod model;
mod regress;
mod sample;
mod sums;

use crate::data::{TableKind, Var, Variable};
use crate::error::{Error, Result};
use crate::graph::{Dag, NamedGraph, Pdag};

pub(crate) use fit::check as check_fit;
pub use fit::{Fitted, Prior, fit};
pub use gaussian::{Gaussian, Regression};
pub use model::Model;
pub use sample::SampleBlocks;
pub(crate) use sample::generator_of;

/// A Bayesian network: variables in the canonical order, a DAG over them, and a distribution for
/// each.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    variables: Vec<Variable>,
    dag: Dag,
    nodes: Vec<Distribution>,
}

/// The distribution of a variable given its parents.
#[derive(Debug, Clone, PartialEq)]
pub enum Distribution {
    /// The distribution of a discrete variable.
    Table(ProbabilityTable),
    /// The distribution of a continuous variable.
    Gaussian(Gaussian),
}

/// The distribution of a variable for each configuration of its parents.
///
/// The parents are in the canonical order and the last of them changes fastest; within a
/// configuration the probabilities of the variable's levels are in order.
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

    /// The distribution for the parent configuration with this number.
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

    /// Checks that it fits this variable with this number of parent configurations.
    fn check(&self, variable: &Variable, configurations: u128) -> Result<()> {
        let (name, levels) = (variable.name(), variable.cardinality());
        let refuse = |what, accepted| Err(Error::Mismatch { what, accepted });
        if variable.is_continuous() {
            let what = format!("{name:?} is continuous and has a table");
            return refuse(what, "a continuous variable has a Gaussian distribution".into());
        }
        let size = configurations.saturating_mul(levels as u128);
        if self.probabilities.len() as u128 != size || self.levels != levels {
            let what = format!("the table of {name:?} has {} entries", self.probabilities.len());
            return refuse(what, format!("its levels and its parents' make {size}"));
        }
        let bad = self.rows().find(|row| {
            row.iter().any(|p| !(0.0..=1.0 + 1e-6).contains(p))
                || (row.iter().sum::<f64>() - 1.0).abs() > 1e-6
        });
        match bad {
            None => Ok(()),
            Some(row) => refuse(
                format!("the table of {name:?} has the row {row:?}"),
                "a row is made of probabilities that sum to 1".into(),
            ),
        }
    }
}

impl Network {
    /// A network of tables from its parts: a table of the right size for each variable, whose rows sum to 1
    /// within 1e-6.
    ///
    /// # Panics
    /// If the variables are not sorted by name, or the numbers of variables, nodes and tables
    /// differ.
    pub fn new(variables: Vec<Variable>, dag: Dag, tables: Vec<ProbabilityTable>) -> Result<Network> {
        Network::of(variables, dag, tables.into_iter().map(Distribution::Table).collect())
    }

    /// A network from its parts: for each discrete variable a table, for each continuous one a [`Gaussian`].
    ///
    /// A table has the right size and rows that sum to 1 within 1e-6. A Gaussian has a regression for each
    /// configuration of the discrete parents, with a coefficient for each continuous one, finite numbers, and no
    /// negative standard deviation. No arc leads from a continuous variable to a discrete one.
    ///
    /// ```
    /// use ossature::network::{Distribution, Gaussian, ProbabilityTable, Regression};
    /// use ossature::{Dag, Network, Silent, Var, Variable};
    ///
    /// let variables = vec![Variable::new("rain", ["no", "yes"])?, Variable::continuous("wind")];
    /// let regression = |intercept| Regression { intercept, coefficients: vec![], sd: 1.0 };
    /// let nodes = vec![
    ///     Distribution::Table(ProbabilityTable::new(vec![0.75, 0.25], 2)),
    ///     Distribution::Gaussian(Gaussian::new(vec![regression(3.0), regression(8.0)])),
    /// ];
    /// let network = Network::of(variables, Dag::from_arcs(2, [(Var(0), Var(1))]).unwrap(), nodes)?;
    /// assert_eq!(network.parameters(), 1 + 2 * 2);
    /// assert_eq!(network.sample(10, 1, &Silent)?.rows(), 10);
    /// # Ok::<(), ossature::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the variables are not sorted by name, or the numbers of variables, nodes and distributions
    /// differ.
    pub fn of(variables: Vec<Variable>, dag: Dag, nodes: Vec<Distribution>) -> Result<Network> {
        assert_eq!(variables.len(), dag.nodes(), "a variable for each node");
        assert_eq!(variables.len(), nodes.len(), "a distribution for each node");
        assert!(variables.is_sorted_by(|a, b| a.name() < b.name()), "variables in the canonical order");
        check_arcs(&variables, &dag)?;
        let network = Network { variables, dag, nodes };
        for v in network.dag.vars() {
            let (variable, configurations) = (network.variable(v), network.configurations(v));
            match network.distribution(v) {
                Distribution::Table(table) => table.check(variable, configurations)?,
                Distribution::Gaussian(gaussian) => {
                    gaussian.check(variable, configurations, network.continuous_parents(v).count())?;
                }
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

    /// The variable with this name, or an error that suggests the nearest one.
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

    /// Which kinds of variables there are.
    pub fn kind(&self) -> TableKind {
        TableKind::of(&self.variables)
    }

    /// The distribution of a variable given its parents.
    pub fn distribution(&self, v: Var) -> &Distribution {
        &self.nodes[v.index()]
    }

    /// The table of a discrete variable.
    ///
    /// # Panics
    /// If the variable is continuous.
    pub fn table(&self, v: Var) -> &ProbabilityTable {
        match &self.nodes[v.index()] {
            Distribution::Table(table) => table,
            Distribution::Gaussian(_) => panic!("{v:?} is continuous and has no table"),
        }
    }

    /// The regressions of a variable, if it is continuous.
    pub fn gaussian(&self, v: Var) -> Option<&Gaussian> {
        match &self.nodes[v.index()] {
            Distribution::Table(_) => None,
            Distribution::Gaussian(gaussian) => Some(gaussian),
        }
    }

    /// The discrete parents of a variable, in order.
    pub fn discrete_parents(&self, v: Var) -> impl DoubleEndedIterator<Item = Var> + '_ {
        self.dag.parents(v).iter().filter(|p| !self.variable(*p).is_continuous())
    }

    /// The continuous parents of a variable, in order.
    pub fn continuous_parents(&self, v: Var) -> impl DoubleEndedIterator<Item = Var> + '_ {
        self.dag.parents(v).iter().filter(|p| self.variable(*p).is_continuous())
    }

    /// The number of configurations of the discrete parents of a variable.
    pub fn configurations(&self, v: Var) -> u128 {
        configurations(&self.variables, self.dag.parents(v).as_slice())
    }

    /// The number of free parameters. For each parent configuration a table has one less than the number of levels,
    /// a Gaussian has the intercept, the coefficients and the standard deviation.
    pub fn parameters(&self) -> u128 {
        let each = |v: Var| match self.distribution(v) {
            Distribution::Table(_) => self.cardinality(v) as u128 - 1,
            Distribution::Gaussian(_) => self.continuous_parents(v).count() as u128 + 2,
        };
        self.dag.vars().map(|v| each(v) * self.configurations(v)).sum()
    }

    /// Returns an error if the network has continuous variables, which this work cannot use.
    pub fn require_tables(&self, work: &str) -> Result<()> {
        match self.variables.iter().find(|v| v.is_continuous()) {
            None => Ok(()),
            Some(variable) => Err(Error::Mismatch {
                what: format!("{:?} is continuous, and {work} is for discrete variables", variable.name()),
                accepted: "discretise the data before the network is learned and fitted".into(),
            }),
        }
    }

    /// The structure with the names of the variables.
    pub fn named_graph(&self) -> NamedGraph {
        let names = self.variables.iter().map(|v| v.name().to_owned()).collect();
        NamedGraph::new(names, Pdag::from(&self.dag))
    }
}

/// The number of configurations of the discrete parents, or `u128::MAX` if it is larger.
fn configurations(variables: &[Variable], parents: &[Var]) -> u128 {
    let discrete = parents.iter().map(|p| &variables[p.index()]).filter(|p| !p.is_continuous());
    discrete.fold(1, |q: u128, p| q.saturating_mul(p.cardinality() as u128))
}

/// Refuses an arc from a continuous variable to a discrete one.
fn check_arcs(variables: &[Variable], dag: &Dag) -> Result<()> {
    let continuous = |v: Var| variables[v.index()].is_continuous();
    match dag.arcs().find(|&(from, to)| continuous(from) && !continuous(to)) {
        None => Ok(()),
        Some((from, to)) => {
            let (from, to) = (variables[from.index()].name(), variables[to.index()].name());
            Err(Error::Mismatch {
                what: format!("the arc {from} → {to} leads from a continuous variable to a discrete one"),
                accepted: "discrete variables have discrete parents only: learn with tiers that put the \
                           discrete variables before the continuous ones, or with such arcs on the blacklist, or \
                           discretise the continuous variable"
                    .into(),
            })
        }
    }
}

/// Moves to the next configuration, the last position changing fastest; the first follows the last.
fn next_configuration(codes: &mut [usize], cardinality: impl Fn(usize) -> usize) {
    for i in (0..codes.len()).rev() {
        codes[i] += 1;
        if codes[i] < cardinality(i) {
            return;
        }
        codes[i] = 0;
    }
}
