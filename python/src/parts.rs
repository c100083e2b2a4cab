//! Work in parts, for a cluster: the targets of a first half, the samples of a bootstrap, the folds of a comparison.
//!
//! Machines exchange text: the settings as Python has them, and results as the library writes them. A table
//! is sent as the pickle of `Table`.

use ossature::learn::catalogue::rows::{BOOTSTRAP, SEED};
use ossature::learn::{
    Bootstrap, Catalogue, HeldOut, Learner, PartFound, Report, RoundsFound, SampleFound, Value,
};
use ossature::{Error, Hybrid, Settings, Var};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::errors::SETTINGS;
use crate::frame::Data;
use crate::learn::json;
use crate::run::Run;
use crate::settings::{Request, resolve};

/// The results of the rounds of a first half so far.
#[pyclass(frozen, module = "ossature._ossature")]
pub(crate) struct Rounds(RoundsFound);

#[pymethods]
impl Rounds {
    /// Before the first round, or from results as text.
    #[new]
    #[pyo3(signature = (text=None))]
    fn new(text: Option<&str>) -> PyResult<Rounds> {
        let found = text.map(RoundsFound::from_text).transpose().map_err(|e| SETTINGS.raise(e))?;
        Ok(Rounds(found.unwrap_or_default()))
    }

    /// The same with one more round, made of these parts, which took `seconds`.
    fn with_round(&self, parts: Vec<String>, seconds: f64) -> PyResult<Rounds> {
        let parts = parts.iter().map(|text| PartFound::from_text(text)).collect::<ossature::Result<_>>();
        let found = parts.and_then(|parts| self.0.with_round(parts, seconds));
        found.map(Rounds).map_err(|e| SETTINGS.raise(e))
    }

    /// The same without what is only needed at the end.
    fn for_looking(&self) -> Rounds {
        Rounds(self.0.without_evidence())
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Rounds>(), (self.0.to_text(),))
    }
}

fn halves(learner: &dyn Learner) -> ossature::Result<&Hybrid> {
    learner.halves().ok_or_else(Hybrid::not_in_parts)
}

/// The likely cost of each target in the next round; `None` after the last one.
#[pyfunction]
#[pyo3(signature = (data, asked, rounds, *, threads))]
pub(crate) fn costs(
    py: Python<'_>,
    data: &Data,
    asked: Request<'_>,
    rounds: &Rounds,
    threads: usize,
) -> PyResult<Option<Vec<u64>>> {
    let settings = asked.settings()?;
    let data = data.dataset();
    Run { threads, time_limit: None, progress: None }.go(py, SETTINGS, |_| {
        let learner = Catalogue::standard().build(&settings, data)?;
        halves(&*learner)?.costs(data, &rounds.0)
    })
}

/// The results of the next round for some targets, as text.
#[pyfunction]
#[pyo3(signature = (data, asked, rounds, targets, *, threads, progress=None))]
pub(crate) fn look(
    py: Python<'_>,
    data: &Data,
    asked: Request<'_>,
    rounds: &Rounds,
    targets: Vec<u32>,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let settings = asked.settings()?;
    let data = data.dataset();
    Run { threads, time_limit: None, progress }.go(py, SETTINGS, |progress| {
        let learner = Catalogue::standard().build(&settings, data)?;
        let targets: Vec<Var> = targets.into_iter().map(Var).collect();
        Ok(halves(&*learner)?.look(data, &rounds.0, &targets, progress)?.to_text())
    })
}

/// Learns a structure when all rounds are complete; returns the report as the JSON of the command.
#[pyfunction]
#[pyo3(signature = (data, asked, rounds, *, threads, time_limit=None, progress=None))]
pub(crate) fn learn_found(
    py: Python<'_>,
    data: &Data,
    asked: Request<'_>,
    rounds: &Rounds,
    threads: usize,
    time_limit: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let settings = asked.settings()?;
    let data = data.dataset();
    Run { threads, time_limit, progress }.go(py, SETTINGS, |progress| {
        let learner = Catalogue::standard().build(&settings, data)?;
        let learned = halves(&*learner)?.learn_found(data, &rounds.0, progress)?;
        json(&Report::new(&learned, data, &settings)?.with_separations(&learned, data))
    })
}

/// The settings of a bootstrap.
fn settings_of_bootstrap(asked: &Request<'_>, samples: u64) -> PyResult<Settings> {
    resolve(&asked.asked()?.with(BOOTSTRAP.name, Value::Whole(samples)))
}

/// The counts from one sample of a bootstrap, as text.
#[pyfunction]
#[pyo3(signature = (data, asked, samples, sample, *, threads, progress=None))]
pub(crate) fn bootstrap_sample(
    py: Python<'_>,
    data: &Data,
    asked: Request<'_>,
    samples: u64,
    sample: usize,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let settings = settings_of_bootstrap(&asked, samples)?;
    let data = data.dataset();
    Run { threads, time_limit: None, progress }.go(py, SETTINGS, |progress| {
        let learner = Catalogue::standard().build(&settings, data)?;
        let seed = settings.whole(&SEED);
        json(&ossature::learn::bootstrap_sample(&*learner, data, seed, sample, progress)?)
    })
}

/// The report of the averaged network of all samples, in order.
#[pyfunction]
#[pyo3(signature = (data, asked, found, seconds, *, threads))]
pub(crate) fn bootstrap_of(
    py: Python<'_>,
    data: &Data,
    asked: Request<'_>,
    found: Vec<String>,
    seconds: f64,
    threads: usize,
) -> PyResult<String> {
    let settings = settings_of_bootstrap(&asked, found.len() as u64)?;
    let data = data.dataset();
    Run { threads, time_limit: None, progress: None }.go(py, SETTINGS, |_| {
        let found = found.iter().map(|text| serde_json::from_str(text)).collect::<Result<Vec<_>, _>>();
        let found: Vec<SampleFound> = found.map_err(|e| Error::Mismatch {
            what: format!("what was found in a sample cannot be read ({e})"),
            accepted: "text written by this version is needed".into(),
        })?;
        let sure = Bootstrap::of(&found, seconds);
        let learned = sure.averaged(&settings, data)?;
        json(&Report::new(&learned, data, &settings)?.with_bootstrap(&sure))
    })
}

/// The result of one learner on one fold of the rows.
#[pyfunction]
#[pyo3(signature = (data, asked, fold, folds, target, seed, *, threads, progress=None))]
#[expect(clippy::too_many_arguments, reason = "each is one thing that Python says")]
pub(crate) fn cross_validate_fold(
    py: Python<'_>,
    data: &Data,
    asked: Request<'_>,
    fold: usize,
    folds: usize,
    target: Option<String>,
    seed: u64,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<f64> {
    let settings = asked.settings()?;
    let data = data.dataset();
    Run { threads, time_limit: None, progress }.go(py, SETTINGS, |progress| {
        let (catalogue, target) = (Catalogue::standard(), target.as_deref());
        let fold = (fold, folds);
        ossature::learn::cross_validate_fold(&catalogue, &settings, data, fold, target, seed, progress)
    })
}

/// The mean over folds and its standard deviation.
#[pyfunction]
pub(crate) fn over_folds(by_fold: Vec<f64>) -> (f64, f64) {
    let HeldOut { mean, sd, .. } = HeldOut::new("", by_fold);
    (mean, sd)
}
