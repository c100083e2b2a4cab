//! Queries to a network.

use numpy::{IntoPyArray, PyArray1};
use ossature::infer::{Given, Inference, Limit, PartialRows, Unseen, intervene, likelihood_weighting};
use ossature::{Network as Inner, Result, Var};
use pyo3::prelude::*;

use crate::errors::{DATA, SETTINGS};
use crate::frame::Data;
use crate::learn::json;
use crate::network::Network;
use crate::run::Run;

type Pair = (String, String);
/// The logarithm of the probability of the evidence, and for each target the probabilities of its levels;
/// for estimates also their standard errors and the equivalent number of samples from the posterior.
type Found = (f64, Vec<Vec<f64>>, Option<(Vec<Vec<f64>>, f64)>);
/// The targets, the evidence, and the interventions.
type Asked = (Vec<Var>, Given, Vec<(Var, u16)>);
/// The most probable level of each row, and row by row the probability of each level.
type Foretold<'py> = (Bound<'py, PyArray1<u16>>, Bound<'py, PyArray1<f64>>);

/// The distributions of some variables, given levels and likelihoods, after others were set.
#[pyfunction]
#[pyo3(signature = (network, targets, given, likelihoods, set, *, samples, seed, threads))]
#[expect(clippy::too_many_arguments, reason = "each is one thing that Python says")]
pub(crate) fn query(
    py: Python<'_>,
    network: &Network,
    targets: Vec<String>,
    given: Vec<Pair>,
    likelihoods: Vec<(String, Vec<f64>)>,
    set: Vec<Pair>,
    samples: Option<u64>,
    seed: u64,
    threads: usize,
) -> PyResult<Found> {
    let inner = &network.model().network;
    let asked = || -> Result<Asked> {
        let targets = targets.iter().map(|name| inner.require(name)).collect::<Result<_>>()?;
        let mut evidence = named(inner, &given)?;
        for (name, likelihood) in likelihoods {
            evidence = evidence.with_likelihood(inner.require(&name)?, likelihood);
        }
        Ok((targets, evidence, named(inner, &set)?.levels().collect()))
    };
    let (targets, evidence, set) = asked().map_err(|e| DATA.raise(e))?;
    let Some(samples) = samples else {
        // Not in a pool of threads: to start one would take longer than most answers.
        let found = py.detach(|| match set.is_empty() {
            true => network.engine().query(&targets, &evidence),
            false => Inference::new(&intervene(inner, &set)?, Limit::default()).query(&targets, &evidence),
        });
        let found = found.map_err(|e| DATA.raise(e))?;
        return Ok((found.ln_evidence, numbers(found.distributions), None));
    };
    Run { threads, time_limit: None, progress: None }.go(py, DATA, |progress| {
        let after = intervene(inner, &set)?;
        let found = likelihood_weighting(&after, &targets, &evidence, samples, seed, progress)?;
        let errors = (numbers(found.errors), found.effective);
        Ok((found.posteriors.ln_evidence, numbers(found.posteriors.distributions), Some(errors)))
    })
}

fn numbers(found: Vec<(Var, Vec<f64>)>) -> Vec<Vec<f64>> {
    found.into_iter().map(|(_, numbers)| numbers).collect()
}

fn named(network: &Inner, pairs: &[Pair]) -> Result<Given> {
    Given::named(network, pairs.iter().map(|(name, level)| (name.as_str(), level.as_str())))
}

/// The index of the most probable level of a variable in each row, and row by row the probabilities.
#[pyfunction]
#[pyo3(signature = (network, data, target, unseen, *, threads))]
pub(crate) fn predict<'py>(
    py: Python<'py>,
    network: &Network,
    data: &Data,
    target: &str,
    unseen: &str,
    threads: usize,
) -> PyResult<Foretold<'py>> {
    let unseen: Unseen = unseen.parse().map_err(|e| SETTINGS.raise(e))?;
    let run = Run { threads, time_limit: None, progress: None };
    let found = run.go(py, DATA, |progress| {
        let target = network.model().network.require(target)?;
        let rows = PartialRows::of_table(network.model(), data.table(), unseen)?;
        network.engine().predict(&rows, target, progress)
    })?;
    Ok((found.levels.into_pyarray(py), found.probabilities.into_pyarray(py)))
}

/// The logarithm of the probability of each row, summed over its missing values.
#[pyfunction]
#[pyo3(signature = (network, data, unseen, *, threads))]
pub(crate) fn row_logs<'py>(
    py: Python<'py>,
    network: &Network,
    data: &Data,
    unseen: &str,
    threads: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let unseen: Unseen = unseen.parse().map_err(|e| SETTINGS.raise(e))?;
    let run = Run { threads, time_limit: None, progress: None };
    let found = run.go(py, DATA, |progress| {
        let rows = PartialRows::of_table(network.model(), data.table(), unseen)?;
        network.engine().log_likelihood(&rows, progress)
    })?;
    Ok(found.into_pyarray(py))
}

/// The effects of setting one variable on another in all members of the equivalence class, as JSON.
#[pyfunction]
pub(crate) fn effects(py: Python<'_>, network: &Network, of: &str, on: &str) -> PyResult<String> {
    let inner = &network.model().network;
    py.detach(|| {
        let (of, on) = (inner.require(of)?, inner.require(on)?);
        json(&network.engine().effects(of, on)?)
    })
    .map_err(|e| DATA.raise(e))
}
