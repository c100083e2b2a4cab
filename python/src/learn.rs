//! Learning: from a table and settings to a report.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use ossature::learn::catalogue::rows::{BOOTSTRAP, SEED};
use ossature::learn::{self as library, Asked, Catalogue, Report, Takes, Value, Why};
use ossature::{Error, Event, Result, Var};
use pyo3::prelude::*;
use rayon::prelude::*;
use serde_json::Value as Json;

use crate::errors::SETTINGS;
use crate::frame::Data;
use crate::run::Run;
use crate::settings::{Request, resolve};

/// Learns a structure; returns the report as the JSON of the command.
#[pyfunction]
#[pyo3(signature = (data, asked, *, threads, time_limit=None, progress=None))]
pub(crate) fn learn(
    py: Python<'_>,
    data: &Data,
    asked: Request<'_>,
    threads: usize,
    time_limit: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let settings = asked.settings()?;
    let data = data.dataset();
    Run { threads, time_limit, progress }.go(py, SETTINGS, |progress| {
        let learned = Catalogue::standard().build(&settings, data)?.learn(data, progress)?;
        json(&Report::new(&learned, data, &settings)?.with_separations(&learned, data))
    })
}

/// Learns from samples of the rows; returns the report of the averaged network.
#[pyfunction]
#[pyo3(signature = (data, asked, samples, *, threads, time_limit=None, progress=None))]
pub(crate) fn bootstrap(
    py: Python<'_>,
    data: &Data,
    asked: Request<'_>,
    samples: u64,
    threads: usize,
    time_limit: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let settings = resolve(&asked.asked()?.with(BOOTSTRAP.name, Value::Whole(samples)))?;
    let data = data.dataset();
    Run { threads, time_limit, progress }.go(py, SETTINGS, |progress| {
        let learner = Catalogue::standard().build(&settings, data)?;
        let (samples, seed) = (settings.count(&BOOTSTRAP), settings.whole(&SEED));
        let sure = library::bootstrap(&*learner, data, samples, seed, progress)?;
        let learned = sure.averaged(&settings, data)?;
        json(&Report::new(&learned, data, &settings)?.with_bootstrap(&sure))
    })
}

/// Compares learners on held-out rows, as the JSON of the command.
#[pyfunction]
#[pyo3(signature = (data, asked, folds, target, seed, *, threads, time_limit=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "each is one thing that Python says")]
pub(crate) fn cross_validate(
    py: Python<'_>,
    data: &Data,
    asked: Vec<Request<'_>>,
    folds: usize,
    target: Option<String>,
    seed: u64,
    threads: usize,
    time_limit: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let settings = asked.iter().map(Request::settings).collect::<PyResult<Vec<_>>>()?;
    let data = data.dataset();
    Run { threads, time_limit, progress }.go(py, SETTINGS, |progress| {
        let catalogue = Catalogue::standard();
        json(&library::cross_validate(&catalogue, &settings, data, folds, target.as_deref(), seed, progress)?)
    })
}

/// The neighbourhoods of some variables, the JSON of the command for each.
#[pyfunction]
#[pyo3(signature = (data, targets, blanket, asked, *, threads, time_limit=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "each is one thing that Python says")]
pub(crate) fn neighbours(
    py: Python<'_>,
    data: &Data,
    targets: Vec<String>,
    blanket: bool,
    asked: Request<'_>,
    threads: usize,
    time_limit: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<String>> {
    let settings = asked.settings()?;
    let data = data.dataset();
    Run { threads, time_limit, progress }.go(py, SETTINGS, |progress| {
        let targets = targets.iter().map(|name| data.require(name)).collect::<Result<Vec<_>>>()?;
        let learner = Catalogue::standard().build(&settings, data)?;
        let (done, total) = (AtomicUsize::new(0), targets.len());
        let find = |&target: &Var| {
            let found = learner.neighbourhood(data, target, blanket, progress)?;
            let done = 1 + done.fetch_add(1, Ordering::Relaxed);
            // Whether to go on is asked within each target.
            _ = progress.report(Event::TargetDone { done, total });
            json(&found.report(data, target))
        };
        targets.par_iter().with_max_len(1).map(find).collect()
    })
}

/// Why two variables are adjacent in a report, or not, as the JSON of the command; more detailed with
/// the rows.
#[pyfunction]
#[pyo3(signature = (report, x, y, data=None, *, threads))]
pub(crate) fn why(
    py: Python<'_>,
    report: &str,
    x: &str,
    y: &str,
    data: Option<&Data>,
    threads: usize,
) -> PyResult<String> {
    let data = data.map(Data::dataset);
    Run { threads, time_limit: None, progress: None }.go(py, SETTINGS, |_| {
        let report: Json = serde_json::from_str(report).map_err(|e| Error::Mismatch {
            what: format!("the report cannot be read ({e})"),
            accepted: "the report of a learner is needed".into(),
        })?;
        let settings = |_| {
            let earlier = report["settings"].as_object().cloned();
            Catalogue::standard().resolve(&Asked { earlier, ..Asked::default() })
        };
        let settings = data.map(settings).transpose()?;
        json(&Why::new(&report, x, y, data.zip(settings.as_ref()))?)
    })
}

/// The available learners, as the JSON of the command.
#[pyfunction]
pub(crate) fn learners() -> PyResult<String> {
    json(&Catalogue::standard().report()).map_err(|e| SETTINGS.raise(e))
}

/// The available settings: the keyword of each, its name in a report, and the values it takes.
#[pyfunction]
pub(crate) fn settings() -> Vec<(String, String, &'static str)> {
    let kind = |takes| match takes {
        Takes::Number { .. } => "number",
        Takes::Whole { .. } => "whole",
        Takes::Word(_) => "word",
        Takes::Pairs => "pairs",
        Takes::Tiers => "tiers",
    };
    let settings = Catalogue::standard().settings;
    settings.iter().map(|s| (s.python_keyword(), s.key(), kind(s.takes))).collect()
}

pub(crate) fn json(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|e| Error::Io {
        action: "write",
        path: PathBuf::from("the report"),
        source: e.into(),
    })
}
