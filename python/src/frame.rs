//! Tables: from Python objects to a `Dataset`, and back.

use std::path::PathBuf;

use numpy::{Element, IntoPyArray, PyArray1, PyReadonlyArray1, PyUntypedArrayMethods};
use ossature::data::{CodedColumn, Continuous, Method, MissingPolicy, ReadOptions, Table, read_files};
use ossature::learn::ConcernAdvice;
use ossature::word::Word;
use ossature::{Column, Dataset, Discretise, Error, Variable, VariableKind};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::arrow;
use crate::errors::{DATA, SETTINGS};
use crate::run::Run;

/// The arguments to recommend in concerns.
const ADVICE: ConcernAdvice<'_> =
    ConcernAdvice { leaving_out: "drop=", as_numbers: "kinds={\"...\": \"continuous\"}" };

/// The name of a table without a file in messages.
const NAME: &str = "the table";

/// A coded table, the only copy made of a frame.
#[pyclass(frozen, module = "ossature._ossature")]
pub(crate) struct Data {
    table: Table,
    /// The columns in the given order; the library has its own.
    order: Vec<String>,
}

impl Data {
    /// A table, whose columns were given in this order.
    pub(crate) fn new(table: Table, order: Option<Vec<String>>) -> Data {
        let names = || table.data.variables().iter().map(|v| v.name().to_owned()).collect();
        Data { order: order.unwrap_or_else(names), table }
    }

    pub(crate) fn dataset(&self) -> &Dataset {
        &self.table.data
    }

    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    fn variable(&self, name: &str) -> PyResult<(&Variable, &Column)> {
        let v = self.dataset().require(name).map_err(|e| DATA.raise(e))?;
        Ok((self.dataset().variable(v), self.dataset().column(v)))
    }
}

/// Columns that are cut once all are read, because their cuts depend on the others.
type Later = Vec<(String, Method)>;

/// An Arrow column as codes, in intervals if requested and if it has numbers; the cuts are recorded.
fn code(
    py: Python<'_>,
    column: &arrow::Chunks,
    how: Option<&Method>,
    kind: Option<VariableKind>,
    discretised: &mut Vec<(String, Vec<f64>)>,
    later: &mut Later,
) -> PyResult<CodedColumn> {
    let continuous = match kind {
        Some(kind) => kind == VariableKind::Continuous,
        None => how.is_none() && column.has_floats(),
    };
    if continuous {
        let numbers = column.numbers().ok_or_else(|| {
            DATA.with(format!(
                "column {:?} is declared continuous, but has values that are not numbers",
                column.name()
            ))
        })?;
        return CodedColumn::continuous(column.name(), numbers).map_err(|e| DATA.raise(e));
    }
    let numbers = how.and_then(|how| Some((how, column.numbers()?)));
    if let Some((how, numbers)) = &numbers
        && how.looks_at_others()
    {
        later.push((column.name().to_owned(), (*how).clone()));
        return CodedColumn::continuous(column.name(), numbers.iter().copied()).map_err(|e| DATA.raise(e));
    }
    let coded = py.detach(|| match numbers {
        Some((how, numbers)) => cut(column.name(), how, numbers),
        None => Ok((column.coded()?, Vec::new())),
    });
    let (coded, cuts) = coded.map_err(|e| DATA.raise(e))?;
    if !cuts.is_empty() {
        discretised.push((column.name().to_owned(), cuts));
    }
    Ok(coded)
}

/// A part of a table as passed from Python.
enum Part<'py> {
    /// The name of a column, its labels, whether these are declared, and for each row the index of its
    /// label, negative if the value is missing.
    Codes(String, Vec<String>, bool, Bound<'py, PyAny>),
    /// The name of a column that is continuous or will be cut into intervals, and its numbers; NaN is a missing
    /// value.
    Numbers(String, PyReadonlyArray1<'py, f64>),
    /// One column through Arrow.
    Arrow(arrow::Chunks),
    /// A whole table through Arrow.
    ArrowTable(Vec<arrow::Chunks>),
}

impl<'py> FromPyObject<'_, 'py> for Part<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Part<'py>> {
        match object.cast::<PyTuple>().map(|tuple| tuple.len()) {
            Ok(2) => {
                let (name, array) = object.extract::<(String, Bound<'py, PyAny>)>()?;
                if let Ok(numbers) = array.extract::<PyReadonlyArray1<'py, f64>>() {
                    // What does not lie where its type may lie must not be read.
                    return match numbers.is_aligned() {
                        true => Ok(Part::Numbers(name, numbers)),
                        false => {
                            Err(DATA.with(format!("the numbers of column {name:?} are not an aligned array")))
                        }
                    };
                }
                Ok(Part::Arrow(arrow::column(name, &array)?))
            }
            Ok(_) => {
                let (name, labels, declared, codes) = object.extract()?;
                Ok(Part::Codes(name, labels, declared, codes))
            }
            Err(_) => Ok(Part::ArrowTable(arrow::columns(&object)?)),
        }
    }
}

/// Which columns of a file are continuous.
#[derive(FromPyObject)]
enum ContinuousColumns {
    Word(String),
    Names(Vec<String>),
}

#[pymethods]
impl Data {
    /// A table from parts, each with some of the columns; from an Arrow table, `only` the columns with these names,
    /// without those to `drop`. Parts are processed one by one, so that a frame converts only these columns to Arrow at
    /// a time. Numeric columns among the `cuts` become intervals, and continuous ones stay numbers: columns of floats,
    /// unless `kinds` says otherwise.
    #[staticmethod]
    #[pyo3(signature = (parts, missing, *, only=None, drop=vec![], cuts=vec![], discretise=vec![], kinds=vec![], weights=None, rows_dropped=0))]
    #[expect(clippy::too_many_arguments, reason = "each is one thing that Python says")]
    fn from_parts(
        py: Python<'_>,
        parts: &Bound<'_, PyAny>,
        missing: &str,
        only: Option<Vec<String>>,
        drop: Vec<String>,
        cuts: Vec<(String, Vec<f64>)>,
        discretise: Vec<(String, String)>,
        kinds: Vec<(String, String)>,
        weights: Option<String>,
        rows_dropped: u64,
    ) -> PyResult<Data> {
        let policy = policy(missing)?;
        let kinds: Vec<(String, VariableKind)> = kinds
            .into_iter()
            .map(|(name, kind)| Ok((name, VariableKind::of(&kind).map_err(|e| SETTINGS.raise(e))?)))
            .collect::<PyResult<_>>()?;
        let kind_of = |name: &str| kinds.iter().find(|(known, _)| known == name).map(|(_, kind)| *kind);
        // Where a network was cut before, its cuts are those; otherwise what is wished for now.
        let mut methods: Vec<(String, Method)> =
            cuts.into_iter().map(|(name, cuts)| (name, Method::Cuts(cuts))).collect();
        for (name, how) in discretise {
            methods.push((name, how.parse().map_err(|e| SETTINGS.raise(e))?));
        }
        let method_of = |name: &str| methods.iter().find(|(cut, _)| cut == name).map(|(_, method)| method);
        let mut discretised: Vec<(String, Vec<f64>)> = Vec::new();
        let mut later = Later::new();
        let (mut order, mut columns) = (Vec::new(), Vec::new());
        for part in parts.try_iter()? {
            match part?.extract()? {
                Part::Codes(name, labels, declared, codes) => {
                    order.push(name.clone());
                    columns.push(coded(name, labels, declared, &codes)?);
                }
                Part::Numbers(name, numbers) => {
                    let rows = numbers.as_array().into_iter().map(|&x| (!x.is_nan()).then_some(x));
                    order.push(name.clone());
                    let Some(how) = method_of(&name) else {
                        columns.push(CodedColumn::continuous(&name, rows).map_err(|e| DATA.raise(e))?);
                        continue;
                    };
                    if how.looks_at_others() {
                        columns.push(CodedColumn::continuous(&name, rows).map_err(|e| DATA.raise(e))?);
                        later.push((name, how.clone()));
                        continue;
                    }
                    let (column, cuts) = cut(&name, how, rows).map_err(|e| DATA.raise(e))?;
                    discretised.push((name, cuts));
                    columns.push(column);
                }
                Part::Arrow(column) => {
                    order.push(column.name().to_owned());
                    let how = method_of(column.name());
                    let kind = kind_of(column.name());
                    columns.push(code(py, &column, how, kind, &mut discretised, &mut later)?);
                }
                Part::ArrowTable(given) => {
                    let has = |name: &String| given.iter().any(|column| column.name() == name);
                    if let Some(stranger) = drop.iter().find(|name| !has(name)) {
                        let known = given.iter().map(arrow::Chunks::name);
                        return Err(DATA.raise(Error::unknown_name("column", stranger, known, None)));
                    }
                    let wanted = |name: &str| {
                        only.as_ref().is_none_or(|only| only.iter().any(|o| o == name))
                            && !drop.iter().any(|d| d == name)
                    };
                    for column in given.into_iter().filter(|column| wanted(column.name())) {
                        order.push(column.name().to_owned());
                        let how = method_of(column.name());
                        let kind = kind_of(column.name());
                        columns.push(code(py, &column, how, kind, &mut discretised, &mut later)?);
                    }
                }
            }
        }
        if let (true, Some([first, ..])) = (columns.is_empty(), only.as_deref()) {
            return Err(DATA.raise(Error::unknown_name("column", first, [], None)));
        }
        if !later.is_empty() {
            // On threads of its own, as all work: those that stay would be lacking after a fork.
            let run = Run { threads: 1, time_limit: None, progress: None };
            let (cut, cuts) = run.go(py, DATA, |_| CodedColumn::discretise(columns, &later))?;
            columns = cut;
            discretised.extend(cuts);
        }
        discretised.sort_by(|(a, _), (b, _)| a.cmp(b));
        let table = py.detach(|| Table::from_columns(columns, policy, NAME));
        let mut table = table.map_err(|e| DATA.raise(e))?;
        table.report.rows_dropped += rows_dropped;
        table.report.discretised = discretised;
        if let Some(name) = weights {
            table.data = table.data.weighted_by(&name).map_err(|e| DATA.raise(e))?;
            order.retain(|column| *column != name);
        }
        Ok(Data::new(table, Some(order)))
    }

    /// A table from a file.
    #[staticmethod]
    #[pyo3(signature = (paths, missing, *, threads, columns=None, drop=vec![], missing_tokens=None, discretise=None, levels=None, delimiter=None, continuous=None, weights=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "each is one thing that Python says")]
    fn read(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        missing: &str,
        threads: usize,
        columns: Option<Vec<String>>,
        drop: Vec<String>,
        missing_tokens: Option<Vec<String>>,
        discretise: Option<Vec<(String, String)>>,
        levels: Option<Vec<(String, Vec<String>)>>,
        delimiter: Option<u8>,
        continuous: Option<ContinuousColumns>,
        weights: Option<String>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Data> {
        let mut options = ReadOptions {
            missing: policy(missing)?,
            delimiter,
            columns,
            drop,
            weights,
            ..ReadOptions::default()
        };
        options.continuous = match continuous {
            None => Continuous::ByType,
            Some(ContinuousColumns::Word(word)) => word.parse().map_err(|e| SETTINGS.raise(e))?,
            Some(ContinuousColumns::Names(names)) => Continuous::Columns(names),
        };
        if let Some(tokens) = missing_tokens {
            options.missing_tokens = tokens;
        }
        let wish = |(column, how): (String, String)| format!("{column}={how}").parse::<Discretise>();
        options.discretise = discretise
            .into_iter()
            .flatten()
            .map(wish)
            .collect::<Result<_, _>>()
            .map_err(|e| SETTINGS.raise(e))?;
        options.levels = levels
            .map(|all| all.into_iter().map(|(name, levels)| Variable::new(name, levels)).collect())
            .transpose()
            .map_err(|e: Error| SETTINGS.raise(e))?;
        let run = Run { threads, time_limit: None, progress };
        let table = run.go(py, DATA, |progress| read_files(&paths, &options, progress))?;
        if let Some(stranger) = table.report.levels_unused.first() {
            let columns = table.data.variables().iter().map(Variable::name);
            return Err(SETTINGS.raise(Error::unknown_name("column", stranger, columns, None)));
        }
        Ok(Data::new(table, None))
    }

    /// The names of the columns in their order.
    fn names(&self) -> Vec<String> {
        self.order.clone()
    }

    /// The number of rows.
    fn rows(&self) -> usize {
        self.dataset().rows()
    }

    /// The number of rows that each row stands for; `None` if each stands for itself.
    fn weights<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<u32>>> {
        self.dataset().weights().map(|weights| weights.to_vec().into_pyarray(py))
    }

    /// The number of rows that the table stands for.
    fn total(&self) -> usize {
        self.dataset().total()
    }

    /// The table with weighted rows.
    fn with_weights(&self, weights: PyReadonlyArray1<'_, u32>) -> PyResult<Data> {
        let mut table = self.table.clone();
        let weights = weights.as_array().to_vec();
        table.data = table.data.with_weights(weights).map_err(|e| DATA.raise(e))?;
        Ok(Data::new(table, Some(self.order.clone())))
    }

    /// How often each level of a column occurs.
    fn level_counts(&self, name: &str) -> PyResult<Vec<u32>> {
        let v = self.dataset().require(name).map_err(|e| DATA.raise(e))?;
        self.dataset().require_discrete("counting levels").map_err(|e| DATA.raise(e))?;
        Ok(ossature::counts::family(self.dataset(), v, &[]))
    }

    /// The number of rows left out because a value was missing.
    fn rows_dropped(&self) -> u64 {
        self.table.report.rows_dropped
    }

    /// Warnings about the rows, one sentence each.
    #[pyo3(signature = (*, threads))]
    fn concerns(&self, py: Python<'_>, threads: usize) -> PyResult<Vec<String>> {
        // On threads of its own, as all work: those that stay would be lacking after a fork.
        let run = Run { threads, time_limit: None, progress: None };
        run.go(py, DATA, |_| Ok(ossature::learn::concern_sentences(self.dataset(), ADVICE)))
    }

    /// The levels of a column.
    fn levels(&self, name: &str) -> PyResult<Vec<String>> {
        Ok(self.variable(name)?.0.levels().to_vec())
    }

    /// The cuts of columns that were cut into intervals.
    fn cuts(&self) -> Vec<(String, Vec<f64>)> {
        self.table.report.discretised.clone()
    }

    /// Whether a column has numbers instead of levels.
    fn is_continuous(&self, name: &str) -> PyResult<bool> {
        Ok(self.variable(name)?.0.is_continuous())
    }

    /// A copy of the codes of a column, or of the numbers of a continuous one.
    fn codes<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self.variable(name)?.1 {
            Column::Narrow(codes) => codes.clone().into_pyarray(py).into_any(),
            Column::Wide(codes) => codes.clone().into_pyarray(py).into_any(),
            Column::Real(numbers) => numbers.clone().into_pyarray(py).into_any(),
        })
    }

    /// How missing values are treated; "error" if there are none.
    fn policy(&self) -> &'static str {
        match (self.dataset().is_complete(), self.dataset().is_for_em()) {
            (true, _) => MissingPolicy::Error,
            (_, true) => MissingPolicy::Em,
            (_, false) => MissingPolicy::Available,
        }
        .word()
    }

    /// The size of the codes in bytes.
    fn nbytes(&self) -> usize {
        self.dataset().coded_bytes()
    }

    /// The hash of the table.
    fn sha256(&self, py: Python<'_>) -> String {
        py.detach(|| self.dataset().sha256())
    }

    /// The table as a stream of the Arrow PyCapsule interface, a dictionary for each column.
    #[pyo3(signature = (requested_schema=None))]
    fn arrow_stream<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        arrow::stream(py, self.dataset(), &self.order, requested_schema)
    }
}

/// A column cut into intervals, with its cuts. The list of cuts may be empty, for a single interval.
fn cut(
    name: &str,
    how: &Method,
    numbers: impl IntoIterator<Item = Option<f64>>,
) -> ossature::Result<(CodedColumn, Vec<f64>)> {
    match how {
        Method::Cuts(cuts) => Ok((CodedColumn::cut(name, cuts, numbers)?, cuts.clone())),
        _ => CodedColumn::discretised(name, how, numbers),
    }
}

fn policy(word: &str) -> PyResult<MissingPolicy> {
    word.parse().map_err(|e| SETTINGS.raise(e))
}

/// Reads the codes in place, whatever their width.
fn coded(
    name: String,
    labels: Vec<String>,
    declared: bool,
    codes: &Bound<'_, PyAny>,
) -> PyResult<CodedColumn> {
    macro_rules! of_type {
        ($($kind:ty),*) => {$(
            // What does not lie where its type may lie must not be read.
            if let Ok(codes) = codes.extract::<PyReadonlyArray1<'_, $kind>>()
                && codes.is_aligned()
            {
                return column(name, labels, declared, &codes);
            }
        )*};
    }
    of_type!(i8, i16, i32, i64, u8, u16, u32, u64);
    Err(DATA
        .with(format!("the codes of column {name:?} are not a one-dimensional, aligned array of integers")))
}

fn column<T: Element + Copy + TryInto<usize>>(
    name: String,
    labels: Vec<String>,
    declared: bool,
    codes: &PyReadonlyArray1<'_, T>,
) -> PyResult<CodedColumn> {
    // What does not fit is below zero.
    let rows = codes.as_array().into_iter().map(|&code| code.try_into().ok());
    CodedColumn::new(name, labels, declared, rows).map_err(|e| DATA.raise(e))
}
