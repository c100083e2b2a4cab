//! Learning: a table and settings in, a report out.

use std::path::PathBuf;

use ossature::learn::{self as library, Report};
use ossature::{Error, Learner, Result};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::SETTINGS;
use crate::frame::Data;
use crate::run::Run;
use crate::settings::settings;

/// Learns a structure; returns the report as the JSON of the command.
#[pyfunction]
#[pyo3(signature = (data, learner, preset, given, *, threads, time_limit=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "each is one thing that Python says")]
pub(crate) fn learn(
    py: Python<'_>,
    data: &Data,
    learner: &str,
    preset: &str,
    given: &Bound<'_, PyDict>,
    threads: usize,
    time_limit: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let settings = settings(learner, preset, given)?;
    let data = data.dataset();
    Run { threads, time_limit, progress }.go(py, SETTINGS, |progress| {
        let learned = settings.build(data)?.learn(data, progress)?;
        json(&Report::new(&learned, data, &settings))
    })
}

/// Learns from samples of the rows; returns the report of the averaged network.
#[pyfunction]
#[pyo3(signature = (data, learner, preset, given, samples, *, threads, time_limit=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "each is one thing that Python says")]
pub(crate) fn bootstrap(
    py: Python<'_>,
    data: &Data,
    learner: &str,
    preset: &str,
    given: &Bound<'_, PyDict>,
    samples: usize,
    threads: usize,
    time_limit: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let mut settings = settings(learner, preset, given)?;
    settings.bootstrap = Some(samples);
    let data = data.dataset();
    Run { threads, time_limit, progress }.go(py, SETTINGS, |progress| {
        let learner = settings.build(data)?;
        let sure = library::bootstrap(&learner, data, samples, settings.seed, progress)?;
        let learned = sure.averaged(&learner, data)?;
        json(&Report::new(&learned, data, &settings).with_bootstrap(&sure))
    })
}

/// The neighbourhood of one variable, as the JSON of the command.
#[pyfunction]
#[pyo3(signature = (data, target, blanket, learner, preset, given, *, threads, time_limit=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "each is one thing that Python says")]
pub(crate) fn neighbours(
    py: Python<'_>,
    data: &Data,
    target: &str,
    blanket: bool,
    learner: &str,
    preset: &str,
    given: &Bound<'_, PyDict>,
    threads: usize,
    time_limit: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let settings = settings(learner, preset, given)?;
    let data = data.dataset();
    Run { threads, time_limit, progress }.go(py, SETTINGS, |progress| {
        let target = data.require(target)?;
        let found = settings.build(data)?.neighbourhood(data, target, blanket, progress)?;
        json(&found.report(data, target))
    })
}

fn json(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|e| Error::Io {
        action: "write",
        path: PathBuf::from("the report"),
        source: e.into(),
    })
}
