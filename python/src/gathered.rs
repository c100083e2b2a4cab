//! Rows on other machines: the answers of one part of them, and a learner that asks all parts.

use std::sync::Mutex;

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyUntypedArrayMethods};
use ossature::counts::{Answers, GatheredTables, GatheredVariable, Questions, TablePart};
use ossature::data::{ReadReport, Table};
use ossature::learn::{Catalogue, learn_gathered};
use ossature::{Error, Variable};
use pyo3::prelude::*;

use crate::errors::{DATA, SETTINGS};
use crate::frame::Data;
use crate::learn::json;
use crate::run::Run;
use crate::settings::Request;

/// The name of a variable and its levels.
type Named = (String, Vec<String>);

/// The counts of dense tables, and of tables that list only what occurs.
type Numbers<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u32>>);

/// The number of rounds, the number of tables, and the bytes sent and received.
type Spent = (u64, u64, u64, u64);

/// Some of the rows of a table, with the levels of the whole.
#[pyclass(frozen, module = "ossature._ossature")]
pub(crate) struct Rows {
    partition: TablePart,
}

#[pymethods]
impl Rows {
    /// Rows that were coded separately, or none; the variables have the levels that occur anywhere.
    #[new]
    fn new(py: Python<'_>, data: Option<&Data>, variables: Vec<Named>) -> PyResult<Rows> {
        let variables = variables.into_iter().map(|(name, levels)| Variable::new(name, levels));
        let variables = variables.collect::<Result<Vec<_>, _>>().map_err(|e| DATA.raise(e))?;
        let partition = py.detach(|| TablePart::new(data.map(Data::dataset), &variables));
        Ok(Rows { partition: partition.map_err(|e| DATA.raise(e))? })
    }

    /// The counts of all requested tables, summed over several such parts.
    #[staticmethod]
    fn answer<'py>(
        py: Python<'py>,
        parts: Vec<PyRef<'py, Rows>>,
        questions: PyReadonlyArray1<'py, u32>,
    ) -> PyResult<Numbers<'py>> {
        let partitions: Vec<&TablePart> = parts.iter().map(|rows| &rows.partition).collect();
        let questions = Questions(numbers(&questions)?);
        let Answers { dense, listed } =
            py.detach(|| TablePart::answer(&partitions, &questions)).map_err(|e| DATA.raise(e))?;
        Ok((dense.into_pyarray(py), listed.into_pyarray(py)))
    }

    /// The rows as a table, if there are any.
    fn data(&self) -> Option<Data> {
        let rows = self.partition.rows()?.clone();
        Some(Data::new(Table { data: rows, report: ReadReport::default() }, None))
    }
}

/// Learns a structure from rows on other machines. Each variable has all its levels and how often each of them occurs;
/// `ask` is called with questions and returns the answers of each part of the rows. Returns the report of `learn`, and
/// its cost.
#[pyfunction]
#[pyo3(signature = (variables, rows, ask, asked, *, threads, time_limit=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "each is one thing that Python says")]
pub(crate) fn learn_rows(
    py: Python<'_>,
    variables: Vec<(String, Vec<String>, Vec<u32>)>,
    rows: u64,
    ask: Py<PyAny>,
    asked: Request<'_>,
    threads: usize,
    time_limit: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, Spent)> {
    let settings = asked.settings()?;
    let gathered = |(name, levels, totals): (String, Vec<String>, Vec<u32>)| {
        let totals = totals.into_iter().filter(|&n| n > 0).collect();
        Ok(GatheredVariable { variable: Variable::new(name, levels)?, totals })
    };
    let variables = variables.into_iter().map(gathered).collect::<Result<Vec<_>, Error>>();
    let variables = variables.map_err(|e| DATA.raise(e))?;
    let raised: Mutex<Option<PyErr>> = Mutex::new(None);
    let ask = |questions: &Questions| {
        Python::attach(|py| answers(py, &ask, questions)).map_err(|error| {
            *raised.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(error);
            // What was raised is raised again, whatever stands here.
            Error::Stopped
        })
    };
    let run = Run { threads, time_limit, progress };
    let learned = run.go(py, SETTINGS, |progress| {
        let tables = GatheredTables::new(variables, rows, Box::new(ask))?;
        let (report, spent) = learn_gathered(&Catalogue::standard(), &settings, tables, progress)?;
        Ok((json(&report)?, (spent.rounds, spent.tables, spent.bytes_out, spent.bytes_in)))
    });
    match raised.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(error) => Err(error),
        None => learned,
    }
}

/// The counts from each part of the rows.
fn answers(py: Python<'_>, ask: &Py<PyAny>, questions: &Questions) -> PyResult<Vec<Answers>> {
    let questions = questions.0.clone().into_pyarray(py);
    let parts: Vec<(PyReadonlyArray1<'_, u32>, PyReadonlyArray1<'_, u32>)> =
        ask.call1(py, (questions,))?.extract(py)?;
    parts
        .iter()
        .map(|(dense, listed)| Ok(Answers { dense: numbers(dense)?, listed: numbers(listed)? }))
        .collect()
}

/// A copy of an array. Misaligned memory must not be read.
fn numbers(array: &PyReadonlyArray1<'_, u32>) -> PyResult<Vec<u32>> {
    match array.is_aligned() {
        true => Ok(array.as_array().to_vec()),
        false => Err(DATA.with("the numbers are not an aligned array")),
    }
}
