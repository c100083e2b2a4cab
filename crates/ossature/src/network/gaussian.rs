//! The distribution of a continuous variable given its parents.

use std::f64::consts::TAU;

use super::{Distribution, Network};
use crate::data::{Var, Variable};
use crate::error::{Error, Result};
use crate::graph::{Dag, NamedGraph};
use crate::random::{generator, hash, mix, uniform};

/// How far from its mean a value of a point mass may be because of rounding, in units of the largest term of the
/// mean.
const ROUNDING: f64 = 1e-9;

/// The distribution of a continuous variable: a normal distribution whose mean is a linear function of the continuous
/// parents, one for each configuration of the discrete parents.
///
/// The discrete parents are in the canonical order and the last of them changes fastest, as in a
/// [`ProbabilityTable`](super::ProbabilityTable).
#[derive(Debug, Clone, PartialEq)]
pub struct Gaussian {
    regressions: Vec<Regression>,
}

/// A linear regression on the continuous parents.
#[derive(Debug, Clone, PartialEq)]
pub struct Regression {
    /// The mean if every continuous parent is 0.
    pub intercept: f64,
    /// How much the mean changes with each continuous parent, in the canonical order.
    pub coefficients: Vec<f64>,
    /// The standard deviation around the mean; 0 if the value is certain.
    pub sd: f64,
}

impl Gaussian {
    /// A distribution from a regression for each configuration of the discrete parents.
    pub fn new(regressions: Vec<Regression>) -> Gaussian {
        Gaussian { regressions }
    }

    /// The regression for the configuration with this number.
    pub fn row(&self, configuration: usize) -> &Regression {
        &self.regressions[configuration]
    }

    /// The regressions in the order of the configurations of the discrete parents.
    pub fn rows(&self) -> &[Regression] {
        &self.regressions
    }

    /// Checks that it fits this variable with these numbers of configurations and continuous parents.
    pub(super) fn check(&self, variable: &Variable, configurations: u128, parents: usize) -> Result<()> {
        let name = variable.name();
        let refuse = |what, accepted: &str| Err(Error::Mismatch { what, accepted: accepted.into() });
        if !variable.is_continuous() {
            let what = format!("{name:?} has levels and a Gaussian distribution");
            return refuse(what, "a discrete variable has a table");
        }
        if self.regressions.len() as u128 != configurations {
            let what = format!("{name:?} has {} regressions", self.regressions.len());
            return refuse(what, &format!("the levels of its discrete parents make {configurations}"));
        }
        for row in &self.regressions {
            if row.coefficients.len() != parents {
                let what = format!("a regression of {name:?} has {} coefficients", row.coefficients.len());
                return refuse(what, &format!("one for each of its {parents} continuous parents is needed"));
            }
            let finite = row.coefficients.iter().chain([&row.intercept, &row.sd]).all(|x| x.is_finite());
            if !finite {
                let what = format!("a regression of {name:?} has a number that is not finite");
                return refuse(what, "finite numbers are needed");
            }
            if row.sd < 0.0 {
                let what = format!("a regression of {name:?} has the standard deviation {}", row.sd);
                return refuse(what, "0 or more is needed");
            }
        }
        Ok(())
    }
}

impl Regression {
    /// The mean, given the values of the continuous parents.
    pub fn mean(&self, parents: impl IntoIterator<Item = f64>) -> f64 {
        self.coefficients.iter().zip(parents).fold(self.intercept, |mean, (b, x)| mean + b * x)
    }

    /// The natural logarithm of the density at a value.
    ///
    /// If the standard deviation is 0 this is a point mass: 0 at the mean, up to rounding, and minus infinity
    /// elsewhere. So it is never plus infinity, and a sum of such terms is a number or minus infinity.
    ///
    /// ```
    /// use ossature::network::Regression;
    ///
    /// let line = Regression { intercept: 1.0, coefficients: vec![2.0], sd: 0.5 };
    /// assert!((line.ln_density(8.0, [3.0]) - -2.225_791_352_644_7).abs() < 1e-12);
    /// let certain = Regression { sd: 0.0, ..line };
    /// assert_eq!((certain.ln_density(7.0, [3.0]), certain.ln_density(8.0, [3.0])), (0.0, f64::NEG_INFINITY));
    /// ```
    pub fn ln_density(&self, value: f64, parents: impl IntoIterator<Item = f64> + Clone) -> f64 {
        let off = value - self.mean(parents.clone());
        if !off.is_finite() {
            return f64::NEG_INFINITY;
        }
        if self.sd == 0.0 {
            let terms = self.coefficients.iter().zip(parents).map(|(b, x)| (b * x).abs());
            let largest = terms.fold(self.intercept.abs().max(value.abs()), f64::max);
            return if off.abs() <= ROUNDING * largest { 0.0 } else { f64::NEG_INFINITY };
        }
        let z = off / self.sd;
        -0.5 * libm::log(TAU) - libm::log(self.sd) - 0.5 * z * z
    }
}

impl Network {
    /// A network with the same structure in which every variable is continuous, for studies of learners on
    /// continuous data.
    ///
    /// Each variable is the sum of its parents, each times a coefficient, and a normal error with mean 0 and standard
    /// deviation 1. A coefficient is drawn uniformly from 0.5 to 1.5 and gets either sign with equal probability. It
    /// depends only on the seed and the names of the two variables.
    ///
    /// ```
    /// use ossature::{Silent, network::catalogue};
    ///
    /// let asia = catalogue::load("asia")?.linear_gaussian(1);
    /// assert!(asia.variables().iter().all(|v| v.is_continuous()));
    /// let either = asia.gaussian(asia.require("either")?).unwrap();
    /// assert!(either.row(0).coefficients.iter().all(|b| (0.5..1.5).contains(&b.abs())));
    /// assert_eq!(asia.sample(100, 1, &Silent)?.rows(), 100);
    /// # Ok::<(), ossature::Error>(())
    /// ```
    #[must_use]
    pub fn linear_gaussian(&self, seed: u64) -> Network {
        Network::gaussian_over(self.variables.iter().map(Variable::name), &self.dag, seed)
    }

    /// The same for a graph, which must be a DAG.
    pub fn linear_gaussian_along(graph: &NamedGraph, seed: u64) -> Result<Network> {
        Ok(Network::gaussian_over(graph.names().iter().map(String::as_str), &graph.to_dag()?, seed))
    }

    fn gaussian_over<'n>(names: impl Iterator<Item = &'n str>, dag: &Dag, seed: u64) -> Network {
        let variables: Vec<Variable> = names.map(Variable::continuous).collect();
        let name = |v: Var| hash(variables[v.index()].name().bytes());
        let coefficient = |from: Var, to: Var| {
            let mut random = generator(mix(seed, &[name(from), name(to)]));
            let size = 0.5 + uniform(&mut random);
            if uniform(&mut random) < 0.5 { -size } else { size }
        };
        let node = |v: Var| {
            let coefficients = dag.parents(v).iter().map(|p| coefficient(p, v)).collect();
            Distribution::Gaussian(Gaussian::new(vec![Regression { intercept: 0.0, coefficients, sd: 1.0 }]))
        };
        let nodes = dag.vars().map(node).collect();
        Network { variables, dag: dag.clone(), nodes }
    }
}
