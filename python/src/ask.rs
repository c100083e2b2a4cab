//! Single questions: one test, one score.

use ossature::ScoreSettings;
use ossature::ci::TestSettings;
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
        let settings = TestSettings { kind: test.parse()?, power_rule, seed, ..TestSettings::default() };
        let report = settings.report(data, alpha, x, y, &z)?;
        Ok((report.statistic, report.df, report.p, report.ln_p, report.has_power, report.independent))
    })
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
        let report = ScoreSettings { kind: score.parse()?, iss }.report(data, &dag, progress)?;
        let by_node = report.by_node.into_iter().flatten();
        Ok(by_node.map(|(name, value)| (name.to_owned(), value)).collect())
    })
}
