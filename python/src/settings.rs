//! The settings of a learner from Python's arguments.

use ossature::learn::{Asked, Catalogue, Preset, Setting, Takes, Value};
use ossature::word::Word;
use ossature::{Error, Settings};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString, PyTuple};
use serde_json::{Number, Value as Json};

use crate::errors::SETTINGS;

/// A request from Python: a learner by name or two halves, a preset, and settings by keyword. Other
/// settings come from the learner and the preset.
#[derive(FromPyObject)]
pub(crate) struct Request<'py>(Option<String>, Option<String>, Option<String>, String, Bound<'py, PyDict>);

impl Request<'_> {
    /// The requested settings.
    pub(crate) fn settings(&self) -> PyResult<Settings> {
        resolve(&self.asked()?)
    }

    /// The same in the library's terms.
    pub(crate) fn asked(&self) -> PyResult<Asked> {
        let Request(learner, restrict, maximise, preset, settings) = self;
        Ok(Asked {
            learner: learner.clone(),
            restrict: restrict.clone(),
            maximise: maximise.clone(),
            preset: Some(Preset::of(preset).map_err(|e| SETTINGS.raise(e))?),
            given: given(settings)?,
            ..Asked::default()
        })
    }
}

/// The requested settings, checked.
pub(crate) fn resolve(asked: &Asked) -> PyResult<Settings> {
    Catalogue::standard().resolve(asked).map_err(|e| SETTINGS.raise(e))
}

/// Settings by name from those by keyword.
pub(crate) fn given(settings: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Option<Value>)>> {
    let known = Catalogue::standard().settings;
    let mut all = Vec::with_capacity(settings.len());
    for (keyword, value) in settings {
        let keyword: String = keyword.extract()?;
        let setting = known.iter().find(|setting| setting.python_keyword() == keyword).ok_or_else(|| {
            let keywords: Vec<String> = known.iter().map(Setting::python_keyword).collect();
            SETTINGS.raise(Error::unknown_name(
                "setting",
                &keyword,
                keywords.iter().map(String::as_str),
                None,
            ))
        })?;
        // None is no value where there may be none, and otherwise leaves the setting as it is.
        if !value.is_none() || setting.none().is_ok() {
            all.push((setting.name.to_owned(), value_of(setting, &value)?));
        }
    }
    Ok(all)
}

fn value_of(setting: &Setting, value: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    let (text, json) = (value.cast::<PyString>().is_ok(), json(setting, value));
    match json.map(|json| setting.from_json(&json)) {
        Some(Ok(value)) => Ok(value),
        // The library has more to say of a word.
        Some(Err(error)) if text && matches!(setting.takes, Takes::Word(_)) => Err(SETTINGS.raise(error)),
        _ => {
            let found = value.repr().map_or_else(|_| "something else".to_owned(), |r| r.to_string());
            let (keyword, accepted) = (setting.python_keyword(), setting.accepted());
            Err(SETTINGS.with(format!("{keyword} is {found}; {accepted} is accepted")))
        }
    }
}

/// The JSON for a Python value, if there is one.
fn json(setting: &Setting, value: &Bound<'_, PyAny>) -> Option<Json> {
    if value.is_none() {
        return Some(Json::Null);
    }
    if let Ok(yes) = value.cast::<PyBool>() {
        return truth(setting, yes.is_true());
    }
    if let Ok(text) = value.cast::<PyString>() {
        return text.to_str().ok().map(Json::from);
    }
    if let Ok(list) = value.cast::<PyList>() {
        return list.iter().map(|item| json(setting, &item)).collect();
    }
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return tuple.iter().map(|item| json(setting, &item)).collect();
    }
    // Numbers of numpy are numbers as well.
    let whole = value.extract::<i64>().map(Json::from).or_else(|_| value.extract::<u64>().map(Json::from));
    whole.ok().or_else(|| Number::from_f64(value.extract().ok()?).map(Json::Number))
}

/// The word for a truth value, if the words are yes and no.
fn truth(setting: &Setting, yes: bool) -> Option<Json> {
    let word = if yes { "yes" } else { "no" };
    let Takes::Word(words) = setting.takes else { return None };
    words().words.iter().any(|(known, _)| *known == word).then(|| word.into())
}
