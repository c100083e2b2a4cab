//! Estimating the distributions of a network whose structure is known.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{Distribution, Network, ProbabilityTable, backoff, check_arcs, configurations, regress};
use crate::counts;
use crate::data::{Dataset, TableKind, Var};
use crate::error::{Error, Result};
use crate::graph::Dag;
use crate::parallel;
use crate::progress::{Event, Progress, go_on};
use crate::score::Backoff;

/// The largest number of entries of a fitted table.
const MAX_ENTRIES: u64 = 1 << 26;

/// The prior of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Prior {
    /// No prior: relative frequencies, the maximum-likelihood estimate.
    None,
    /// The weight of `iss` rows spread evenly over the table: the mean of the BDeu posterior.
    Bdeu {
        /// The imaginary (equivalent) sample size, a number above 0.
        iss: f64,
    },
    /// Shrinkage towards the tables of fewer parents, as in the score `bdh`, with a strength that the data
    /// determines.
    Backoff,
}

/// A network whose distributions were estimated from data.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The network.
    pub network: Network,
    /// The number of parent configurations that never occur in the data. Their rows are the mean of the prior: uniform,
    /// or with [`Prior::Backoff`] those of fewer parents. For a continuous variable these are the configurations with
    /// too few rows for their own regression; they have the regression over all rows.
    pub unseen: u64,
    /// The number of configurations of all nodes.
    pub configurations: u64,
}

/// Estimates the distributions of a DAG over the variables of a dataset.
///
/// With n rows of a configuration j of the parents, n(k) of them at level k, and with R levels and q
/// configurations, the probability of level k is n(k) / n, or with a prior (n(k) + iss / (R q)) / (n + iss /
/// q). With [`Prior::Backoff`] it is a mixture of (n(k) + s b(k)) / (n + s) over strengths s and tables b of
/// fewer parents, weighted as in the score `bdh`: the table that predicts best with few rows.
///
/// A continuous variable gets a regression on its continuous parents for each configuration of its discrete ones, by
/// least squares, without a prior. The standard deviation is that of the residuals, with the rows less the parameters
/// of the mean as their degrees of freedom. A configuration with less than 1 degree of freedom has the regression over
/// all rows. If parents are collinear, the later ones in the canonical order have the coefficient 0. A discrete
/// variable with a continuous parent is refused. If values are missing, a table is estimated from the rows that are
/// complete in its variables; [`fit_em`](crate::infer::fit_em) uses the others as well.
///
/// A table of more than 2^26 entries is refused before it is allocated. If it is stopped, in either way,
/// there is no network: [`Error::Stopped`].
///
/// ```
/// use ossature::network::{Prior, catalogue, fit};
/// use ossature::Silent;
///
/// let asia = catalogue::load("asia")?;
/// let data = asia.sample(1000, 1, &Silent)?;
/// let fitted = fit(&data, asia.dag(), Prior::Bdeu { iss: 1.0 }, &Silent)?;
/// assert_eq!(fitted.configurations, 18);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn fit(data: &Dataset, dag: &Dag, prior: Prior, progress: &dyn Progress) -> Result<Fitted> {
    check(data, dag, prior)?;
    data.require_available("counting")?;
    let backoff = (prior == Prior::Backoff).then(|| Backoff::new(data));
    let done = AtomicU64::new(0);
    let of_node = |v: Var| {
        let node = match (data.variable(v).is_continuous(), &backoff) {
            (false, None) => {
                let (table, unseen) = table(data, dag, v, prior);
                (Distribution::Table(table), unseen)
            }
            (false, Some(backoff)) => {
                let (table, unseen) = backoff::table(data, v, dag.parents(v).as_slice(), backoff);
                (Distribution::Table(table), unseen)
            }
            (true, _) => {
                let (gaussian, few) = regress::gaussian(data, dag, v)?;
                (Distribution::Gaussian(gaussian), few)
            }
        };
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        go_on(progress, Event::PartsDone { done, total: dag.nodes() as u64 })?;
        Ok(node)
    };
    let nodes: Vec<(Distribution, u64)> = parallel::try_map(dag.nodes(), |v| of_node(Var::new(v)))?;
    let (nodes, unseen): (Vec<Distribution>, Vec<u64>) = nodes.into_iter().unzip();
    let network = Network::of(data.variables().to_vec(), dag.clone(), nodes)?;
    let configurations = dag.vars().map(|v| network.configurations(v) as u64).sum();
    Ok(Fitted { network, unseen: unseen.into_iter().sum(), configurations })
}

/// Refuses what cannot be fitted, before any work.
pub(crate) fn check(data: &Dataset, dag: &Dag, prior: Prior) -> Result<()> {
    if data.kind() != TableKind::Discrete {
        data.require_complete("fitting a regression")?;
    }
    if prior == Prior::Backoff {
        data.require_tables("the prior backoff")?;
    }
    if dag.nodes() != data.variables().len() {
        return Err(Error::Mismatch {
            what: format!(
                "the graph has {} nodes, the data {} variables",
                dag.nodes(),
                data.variables().len()
            ),
            accepted: "a node for each variable is needed".into(),
        });
    }
    check_arcs(data.variables(), dag)?;
    if let Prior::Bdeu { iss } = prior
        && !(iss > 0.0 && iss.is_finite())
    {
        return Err(Error::Mismatch {
            what: format!("the imaginary sample size is {iss}"),
            accepted: "a number above 0 is accepted".into(),
        });
    }
    if u32::try_from(data.total()).is_err() {
        let (what, size) = ("counting the rows".into(), data.total() as u128);
        return Err(Error::TooLarge { what, size, limit: u64::from(u32::MAX) });
    }
    for v in dag.vars() {
        let size =
            configurations(data.variables(), dag.parents(v).as_slice()).saturating_mul(entries(data, dag, v));
        if size > u128::from(MAX_ENTRIES) {
            let what = format!(
                "the table of {:?} with its {} parents",
                data.variable(v).name(),
                dag.parents(v).len()
            );
            return Err(Error::TooLarge { what, size, limit: MAX_ENTRIES });
        }
    }
    Ok(())
}

/// The number of values that a variable needs for each configuration of its discrete parents: its levels, or
/// about the size of a regression.
fn entries(data: &Dataset, dag: &Dag, v: Var) -> u128 {
    match data.variable(v).is_continuous() {
        true => dag.parents(v).len() as u128 + 8,
        false => data.cardinality(v) as u128,
    }
}

/// The table of a variable, and the number of its configurations that never occur.
fn table(data: &Dataset, dag: &Dag, v: Var, prior: Prior) -> (ProbabilityTable, u64) {
    let levels = data.cardinality(v);
    let counts = counts::family(data, v, dag.parents(v).as_slice());
    let imagined = match prior {
        Prior::None | Prior::Backoff => 0.0,
        Prior::Bdeu { iss } => iss / counts.len() as f64,
    };
    let mut unseen = 0;
    let mut probabilities = Vec::with_capacity(counts.len());
    for row in counts.chunks_exact(levels) {
        let n: u64 = row.iter().map(|&n| u64::from(n)).sum();
        if n == 0 {
            unseen += 1;
            probabilities.extend(std::iter::repeat_n(1.0 / levels as f64, levels));
        } else {
            let total = n as f64 + imagined * levels as f64;
            probabilities.extend(row.iter().map(|&k| (f64::from(k) + imagined) / total));
        }
    }
    (ProbabilityTable::new(probabilities, levels), unseen)
}
