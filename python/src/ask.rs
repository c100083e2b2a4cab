//! Single questions: one test, one score.

use std::ops::ControlFlow;

use ossature::ci::{Independence, TestSettings};
use ossature::learn::Asked;
use ossature::learn::catalogue::rows::{ALPHA, ISS};
use ossature::{Error, Event, Result, Settings, Var};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::SETTINGS;
use crate::frame::Data;
use crate::graph::Parts;
use crate::run::Run;
use crate::settings::{given, resolve};

/// Statistic, degrees of freedom, p, ln p, whether it has power, whether independent.
type Answer = (f64, f64, f64, f64, bool, bool);

/// Some of the settings of a learner, for one question: the same keywords, bounds and messages.
fn settings_of(learner: &str, settings: &Bound<'_, PyDict>) -> PyResult<Settings> {
    // A prior weight may be given whatever the score, as it always has been.
    let also_used = vec![ISS.name];
    resolve(&Asked { given: given(settings)?, also_used, ..Asked::learner(learner) })
}

/// One independence test.
#[pyfunction]
#[pyo3(signature = (data, x, y, z, settings, *, threads))]
pub(crate) fn ci_test(
    py: Python<'_>,
    data: &Data,
    x: &str,
    y: &str,
    z: Vec<String>,
    settings: &Bound<'_, PyDict>,
    threads: usize,
) -> PyResult<Answer> {
    let settings = settings_of("hpc", settings)?;
    let data = data.dataset();
    Run { threads, time_limit: None, progress: None }.go(py, SETTINGS, |_| {
        all_different(x, y, &z)?;
        let test = TestSettings { count_without_power: true, ..settings.test() };
        let (x, y) = (data.require(x)?, data.require(y)?);
        let z = z.iter().map(|name| data.require(name)).collect::<Result<Vec<Var>>>()?;
        let built = test.build(data);
        let found = Independence::new(&*built, settings.number(&ALPHA)).ask(x, y, &z);
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
#[pyo3(signature = (data, graph, settings, *, threads))]
pub(crate) fn score_by_node(
    py: Python<'_>,
    data: &Data,
    graph: Parts,
    settings: &Bound<'_, PyDict>,
    threads: usize,
) -> PyResult<Vec<(String, f64)>> {
    let settings = settings_of("hc", settings)?;
    let data = data.dataset();
    Run { threads, time_limit: None, progress: None }.go(py, SETTINGS, |progress| {
        let dag = graph.over_columns(data)?;
        let score = settings.score().build(data)?;
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
