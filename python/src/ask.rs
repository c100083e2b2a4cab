//! Single questions: one test, one score.

use ossature::Settings;
use ossature::learn::Asked;
use ossature::learn::catalogue::rows::{ALPHA, ISS};
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
        let report = settings.for_table(data)?.test().report(data, settings.number(&ALPHA), x, y, &z)?;
        Ok((report.statistic, report.df, report.p, report.ln_p, report.has_power, report.independent))
    })
}

/// The contribution of each node of a graph to its score. Columns that the graph lacks are isolated
/// nodes.
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
        let report = settings.for_table(data)?.score().report(data, &dag, progress)?;
        let by_node = report.by_node.into_iter().flatten();
        Ok(by_node.map(|(name, value)| (name.to_owned(), value)).collect())
    })
}
