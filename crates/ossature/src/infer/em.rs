//! Expectation-maximisation: the probabilities of a graph from rows in which values are missing.
//!
//! Dempster, Laird & Rubin (1977), "Maximum likelihood from incomplete data via the EM algorithm",
//! doi:10.1111/j.2517-6161.1977.tb01600.x; Lauritzen (1995), "The EM algorithm for graphical association models
//! with missing data", doi:10.1016/0167-9473(93)E0056-A.

use super::completion::{LARGEST_PART, Parameters};
use super::distinct::DistinctRows;
use super::expected::ExpectedCounts;
use crate::counts;
use crate::data::{Dataset, Var};
use crate::error::{Error, Result};
use crate::graph::Dag;
use crate::network::{self, Fitted, Network, Prior, ProbabilityTable};
use crate::parallel;
use crate::progress::{Event, Progress, go_on};

/// EM has converged when a round raises the likelihood by less than this per row.
const ENOUGH: f64 = 1e-12;
/// The largest number of rounds.
const ROUNDS: usize = 1000;
/// The number of imaginary rows behind the first probabilities, so that they rule nothing out.
const START: f64 = 1.0;

/// A network whose tables were estimated from rows in which values are missing.
#[derive(Debug, Clone, PartialEq)]
pub struct EmFitted {
    /// The network; a configuration is unseen if no row is expected to have it.
    pub fitted: Fitted,
    /// The number of rounds.
    pub rounds: usize,
    /// Whether the last round raised the likelihood by less than 1e-12 per row.
    pub converged: bool,
    /// The logarithm of the probability of all known values under the network.
    pub log_likelihood: f64,
    /// The number of missing values that were imputed because the variables that depend on them were too many to
    /// sum over; 0 if the expected counts are exact.
    pub imputed: u64,
}

/// Estimates the tables of a DAG from rows in which values are missing, by expectation-maximisation.
///
/// Each round computes the exact expected counts under the current tables and estimates new tables from them as
/// [`network::fit`] does. No round lowers the probability of the known values; with a prior of a imaginary rows for
/// each entry θ of a table, that holds for its logarithm plus Σ a ln θ. It begins with the rows that are complete in
/// each family, and ends when a round raises that value by less than 1e-12 per row, or after 1000 rounds. Like every
/// climb, it may end at a local maximum.
///
/// If it is stopped, in either way, there is no network: [`Error::Stopped`].
///
/// ```
/// use ossature::infer::fit_em;
/// use ossature::network::Prior;
/// use ossature::{Column, Dag, Dataset, Silent, Var, Variable};
///
/// let data = Dataset::with_gaps(vec![
///     (Variable::new("rain", ["no", "yes"])?, Column::with_gaps([Some(0), None, Some(1), Some(0)], 2)),
///     (Variable::new("wet", ["no", "yes"])?, Column::with_gaps([Some(0), Some(1), Some(1), Some(0)], 2)),
/// ])?;
/// let dag = Dag::from_arcs(2, [(Var(0), Var(1))]).unwrap();
/// let found = fit_em(&data, &dag, Prior::None, &Silent)?;
/// assert!((found.fitted.network.table(Var(0)).row(0)[1] - 0.5).abs() < 1e-6); // wet, so it rained
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn fit_em(data: &Dataset, dag: &Dag, prior: Prior, progress: &dyn Progress) -> Result<EmFitted> {
    let em = Em::new(data, prior)?;
    let mut rounds = 0;
    let end = em.climb(em.start(dag)?, ENOUGH, ROUNDS, &mut |most| {
        rounds += 1;
        go_on(progress, Event::PartsDone { done: rounds.min(most) as u64, total: most as u64 })
    })?;
    let expected = em.expect(&end.parameters);
    let (network, unseen) = em.network(&end.parameters, &expected)?;
    let configurations = dag.vars().map(|v| network.table(v).rows().len() as u64).sum();
    Ok(EmFitted {
        fitted: Fitted { network, unseen, configurations },
        rounds: end.rounds,
        converged: end.converged,
        log_likelihood: expected.log_likelihood(),
        imputed: expected.imputed(),
    })
}

/// Estimates the tables of a DAG by the policy of the data: from the expectations of missing values
/// ([`Dataset::is_for_em`]), or from the rows that are complete in each family.
pub fn fit_tables(data: &Dataset, dag: &Dag, prior: Prior, progress: &dyn Progress) -> Result<Fitted> {
    match data.is_for_em() {
        true => Ok(fit_em(data, dag, prior, progress)?.fitted),
        false => network::fit(data, dag, prior, progress),
    }
}

/// A table and a prior, prepared for rounds of EM.
pub(crate) struct Em<'a> {
    data: &'a Dataset,
    rows: DistinctRows,
    prior: Prior,
    /// The number of imaginary rows of each table.
    iss: f64,
    /// The largest number of entries in the table of a part.
    largest: usize,
}

/// The end of a climb.
pub(crate) struct Climbed {
    pub(crate) parameters: Estimate,
    pub(crate) rounds: usize,
    pub(crate) converged: bool,
}

/// A graph with probabilities.
#[derive(Debug, Clone)]
pub(crate) struct Estimate(Parameters);

impl<'a> Em<'a> {
    pub(crate) fn new(data: &'a Dataset, prior: Prior) -> Result<Em<'a>> {
        data.require_discrete("expectation-maximisation")?;
        let iss = match prior {
            Prior::None => 0.0,
            Prior::Bdeu { iss } => iss,
            // Its mixture is of counts, and these are expected ones.
            Prior::Backoff => {
                return Err(Error::Mismatch {
                    what: "the prior backoff needs counts of complete rows, not expected counts".into(),
                    accepted: "the prior bdeu, or maximum likelihood".into(),
                });
            }
        };
        Ok(Em { data, rows: DistinctRows::new(data), prior, iss, largest: LARGEST_PART })
    }

    /// The same with other bounds of what is summed over; for tests.
    #[cfg(test)]
    pub(crate) fn with_largest_part(self, largest: usize) -> Em<'a> {
        Em { largest, ..self }
    }

    /// The probabilities to begin with: by the rows that are complete in each family.
    pub(crate) fn start(&self, dag: &Dag) -> Result<Estimate> {
        network::check_fit(self.data, dag, self.prior)?;
        let of_node = |v: Var| {
            let seen = counts::family(self.data, v, dag.parents(v).as_slice());
            let seen: Vec<f64> = seen.into_iter().map(f64::from).collect();
            self.table(v, &seen, START.max(self.iss))
        };
        Ok(Estimate(self.of_each(dag, of_node)))
    }

    /// The E-step: what the rows are expected to be.
    pub(crate) fn expect(&self, estimate: &Estimate) -> ExpectedCounts<'_> {
        let (variables, rows) = (self.data.variables(), self.data.rows());
        ExpectedCounts::new(variables, &self.rows, rows, &estimate.0, self.largest)
    }

    /// The M-step: the probabilities of a graph by what the rows are expected to be.
    pub(crate) fn maximise(&self, dag: &Dag, expected: &ExpectedCounts<'_>) -> Result<Estimate> {
        network::check_fit(self.data, dag, self.prior)?;
        Ok(Estimate(self.of_each(dag, |v| self.table(v, &expected.whole(&family(dag, v)), self.iss))))
    }

    /// Rounds of both steps, until one raises the likelihood by less than this for each row.
    pub(crate) fn climb(
        &self,
        from: Estimate,
        enough: f64,
        most: usize,
        next: &mut dyn FnMut(usize) -> Result<()>,
    ) -> Result<Climbed> {
        let mut parameters = from;
        let mut before = f64::NEG_INFINITY;
        for rounds in 0..most {
            next(most)?;
            let expected = self.expect(&parameters);
            let now = expected.log_likelihood() + self.ln_prior(&parameters);
            if now - before < enough * self.data.rows() as f64 {
                return Ok(Climbed { parameters, rounds, converged: true });
            }
            before = now;
            parameters = self.maximise(&parameters.0.dag, &expected)?;
        }
        Ok(Climbed { parameters, rounds: most, converged: false })
    }

    /// Σ a ln θ over all entries of the tables, a the imaginary rows of each.
    fn ln_prior(&self, estimate: &Estimate) -> f64 {
        if self.iss == 0.0 {
            return 0.0;
        }
        let of_table = |table: &Vec<f64>| {
            let each = self.iss / table.len() as f64;
            table.iter().map(|&p| each * libm::log(p)).sum::<f64>()
        };
        estimate.0.tables.iter().map(of_table).sum()
    }

    fn of_each(&self, dag: &Dag, table: impl Fn(Var) -> Vec<f64> + Sync + Send) -> Parameters {
        Parameters { dag: dag.clone(), tables: parallel::map(dag.nodes(), |v| table(Var::new(v))) }
    }

    /// The probabilities of a variable by its counts and some imaginary rows; uniform where there is nothing.
    fn table(&self, v: Var, counts: &[f64], iss: f64) -> Vec<f64> {
        let levels = self.data.cardinality(v);
        let each = iss / counts.len() as f64;
        let mut table = Vec::with_capacity(counts.len());
        for row in counts.chunks_exact(levels) {
            let sum = row.iter().sum::<f64>() + each * levels as f64;
            match sum > 0.0 {
                true => table.extend(row.iter().map(|n| (n + each) / sum)),
                false => table.extend(std::iter::repeat_n(1.0 / levels as f64, levels)),
            }
        }
        table
    }

    /// The network of an estimate, and how many configurations no row is expected to have.
    fn network(&self, estimate: &Estimate, expected: &ExpectedCounts<'_>) -> Result<(Network, u64)> {
        let Parameters { dag, tables } = &estimate.0;
        let unseen = |v: Var| {
            let counts = expected.whole(&family(dag, v));
            let rows = counts.chunks_exact(self.data.cardinality(v));
            rows.filter(|row| row.iter().sum::<f64>() == 0.0).count() as u64
        };
        let tables = dag.vars().zip(tables);
        let tables =
            tables.map(|(v, table)| ProbabilityTable::new(table.clone(), self.data.cardinality(v))).collect();
        let network = Network::new(self.data.variables().to_vec(), dag.clone(), tables)?;
        Ok((network, dag.vars().map(unseen).sum()))
    }
}

#[cfg(test)]
mod tests;

/// The parents of a variable and the variable itself.
fn family(dag: &Dag, v: Var) -> Vec<Var> {
    dag.parents(v).iter().chain([v]).collect()
}
