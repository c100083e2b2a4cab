//! Errors as exceptions of the family in `ossature/errors.py`.

use std::io;
use std::path::Path;

use ossature::Error;
use ossature::learn::Catalogue;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// A kind of exception by the name of its class.
#[derive(Clone, Copy)]
pub(crate) struct Kind(&'static str);

pub(crate) const DATA: Kind = Kind("DataError");
pub(crate) const SETTINGS: Kind = Kind("SettingsError");
const FILE: Kind = Kind("FileError");
const NO_FILE: Kind = Kind("NoFileError");
const STOPPED: Kind = Kind("StoppedError");
const LIMIT: Kind = Kind("TooLargeError");

impl Kind {
    /// An exception of this kind.
    pub(crate) fn with(self, message: impl Into<String>) -> PyErr {
        let message = message.into();
        Python::attach(|py| match self.class(py) {
            Ok(class) => PyErr::from_type(class, message),
            Err(error) => error,
        })
    }

    /// The exception for an error of the library: this kind, unless the error has its own.
    pub(crate) fn raise(self, error: Error) -> PyErr {
        let kind = match &error {
            Error::Io { path, source, .. } => return of_file(path, source, message(&error)),
            Error::Stopped => STOPPED,
            Error::TooLarge { .. } | Error::Memory { .. } => LIMIT,
            _ => self,
        };
        kind.with(message(&error))
    }

    fn class(self, py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
        static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
        let module = MODULE.get_or_try_init(py, || py.import("ossature.errors").map(Bound::unbind))?;
        Ok(module.bind(py).getattr(self.0)?.cast_into()?)
    }
}

/// What the operating system said about a file, with the attributes that an `OSError` has.
fn of_file(path: &Path, source: &io::Error, message: String) -> PyErr {
    let kind = if source.kind() == io::ErrorKind::NotFound { NO_FILE } else { FILE };
    let error = kind.with(message);
    Python::attach(|py| {
        let value = error.value(py);
        let set = value
            .setattr("filename", path.as_os_str())
            .and_then(|()| value.setattr("errno", source.raw_os_error()));
        set.err().unwrap_or(error)
    })
}

/// The run was stopped by its time limit before there was an answer.
pub(crate) fn time_limit(seconds: f64) -> PyErr {
    STOPPED.with(format!("the time limit of {seconds} s was reached before there was a result"))
}

/// The library's message, with advice for Python.
fn message(error: &Error) -> String {
    match error {
        Error::TooManyLevels { column, identifier: true, .. } => format!("{error}, with drop=[{column:?}]"),
        Error::TooManyLevels { column, numeric: true, .. } => format!(
            "{error}, e.g. with pandas.qcut(df[{column:?}], 5), or read the file with ossature.read_table(path, \
             discretise={{{column:?}: \"quantile:5\"}})"
        ),
        Error::Unnamed { .. } => format!("{error}; drop=[\"\"] leaves it out"),
        Error::Missing { .. } => {
            format!("{error} (NaN and None are accepted with missing=\"drop\" or missing=\"level\")")
        }
        Error::Setting { name, problem, accepted } => of_setting(name, problem, accepted),
        _ => error.to_string(),
    }
}

/// The message about a setting, with its keyword and those of the settings it depends on.
fn of_setting(name: &str, problem: &str, accepted: &str) -> String {
    let catalogue = Catalogue::standard();
    let keyword = |name: &str| catalogue.setting(name).map_or(name.to_owned(), |s| s.python_keyword());
    let other = catalogue.setting(name).ok().and_then(|setting| setting.only_with).map(|(other, _)| other);
    let accepted = match other {
        Some(other) => accepted.replace(&format!("when {other} is"), &format!("when {} is", keyword(other))),
        None => accepted.to_owned(),
    };
    format!("{} {problem}; {accepted}", keyword(name))
}
