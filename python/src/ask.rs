//! Single questions: one test, one score.

use std::ops::ControlFlow;

use ossature::ci::{Independence, TestSettings};
use ossature::score::Score;
use ossature::{Error, Event, Result, ScoreSettings, Var};
use pyo3::prelude::*;

use crate::errors::SETTINGS;
use crate::frame::Data;
use crate::graph::Parts;
use crate::run::Run;

/// Statistic, degrees of freedom, p, ln p, whether it has power, whether independent.
type Answer = (f64, f64, f64, f64, bool, bool);

/// One independence test.
#[pyfunction]
#[pyo3(signature = (data, x, y, z, *, test, alpha, power_rule, seed, threads))]
#[expect(clippy::too_many_arguments, reason = "each is one thing that Python says")]
pub(crate) fn ci_test(
    py: Python<'_>,
    data: &Data,
    x: &str,
    y: &str,
    z: Vec<String>,
    test: &str,
    alpha: f64,
    power_rule: Option<u32>,
    seed: u64,
    threads: usize,
) -> PyResult<Answer> {
    let data = data.dataset();
    Run { threads, time_limit: None, progress: None }.go(py, SETTINGS, |_| {
        all_different(x, y, &z)?;
        let kind = test.parse()?;
        if !(alpha > 0.0 && alpha < 1.0) {
            return Err(refused(format!("alpha is {alpha}"), "a number between 0 and 1 is needed"));
        }
        let settings =
            TestSettings { kind, power_rule, seed, count_without_power: true, ..TestSettings::default() };
        let (x, y) = (data.require(x)?, data.require(y)?);
        let z = z.iter().map(|name| data.require(name)).collect::<Result<Vec<Var>>>()?;
        let built = settings.build(data);
        let found = Independence::new(&built, alpha).ask(x, y, &z);
        let outcome = found.outcome;
        Ok((outcome.statistic, outcome.df, outcome.p(), outcome.ln_p(), outcome.has_power, found.separated))
    })
}

fn all_different(x: &str, y: &str, z: &[String]) -> Result<()> {
    let mut names: Vec<&str> = [x, y].into_iter().chain(z.iter().map(String::as_str)).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(refused(
            format!("the column {:?} is named twice", pair[0]),
            "x, y and the columns of z must all be different",
        )),
        None => Ok(()),
    }
}

fn refused(what: String, accepted: &str) -> Error {
    Error::Mismatch { what, accepted: accepted.into() }
}

/// What each node of a graph contributes to its score. Columns that the graph does not have are isolated.
#[pyfunction]
#[pyo3(signature = (data, graph, *, score, iss, threads))]
pub(crate) fn score_by_node(
    py: Python<'_>,
    data: &Data,
    graph: Parts,
    score: &str,
    iss: f64,
    threads: usize,
) -> PyResult<Vec<(String, f64)>> {
    let data = data.dataset();
    Run { threads, time_limit: None, progress: None }.go(py, SETTINGS, |progress| {
        let dag = graph.over_columns(data)?;
        let score = ScoreSettings { kind: score.parse()?, iss }.build(data)?;
        let total = data.variables().len() as u64;
        let of_node = |v: Var| match progress.report(Event::PartsDone { done: v.index() as u64, total }) {
            ControlFlow::Break(_) => Err(Error::Stopped),
            ControlFlow::Continue(()) => {
                Ok((data.variable(v).name().to_owned(), score.local(v, dag.parents(v).as_slice())))
            }
        };
        data.vars().map(of_node).collect()
    })
}
