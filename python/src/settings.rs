//! The settings of a learner from a dictionary of Python.

use ossature::Settings;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::SETTINGS;

/// The settings of a learner by name, with what a dictionary says of them. What it does not say, or
/// gives as `None`, is as the preset has it.
pub(crate) fn settings(learner: &str, preset: &str, given: &Bound<'_, PyDict>) -> PyResult<Settings> {
    let mut s = Settings::of(learner, preset).map_err(|e| SETTINGS.raise(e))?;
    for (name, value) in given {
        if value.is_none() {
            continue;
        }
        let name: String = name.extract()?;
        match name.as_str() {
            "weak_learner" => set(&mut s.weak_learner, &name, &value, "a word")?,
            "test" => set(&mut s.test, &name, &value, "a word")?,
            "alpha" => set(&mut s.alpha, &name, &value, "a number")?,
            "power_rule" => s.power_rule = Some(number(&name, &value)?),
            "underpowered" => set(&mut s.underpowered, &name, &value, "a word")?,
            "max_conditioning" => s.max_conditioning = Some(number(&name, &value)?),
            "symmetry" => set(&mut s.symmetry, &name, &value, "a word")?,
            "score" => set(&mut s.score, &name, &value, "a word")?,
            "iss" => set(&mut s.iss, &name, &value, "a number")?,
            "tabu" => s.tabu = number(&name, &value)?,
            "patience" => s.patience = number(&name, &value)?,
            "tie_orders" => s.tie_orders = number(&name, &value)?,
            "restarts" => s.restarts = number(&name, &value)?,
            "max_parents" => s.max_parents = Some(number(&name, &value)?),
            "seed" => s.seed = number(&name, &value)?,
            "whitelist" => set(&mut s.whitelist, &name, &value, "pairs of names")?,
            "blacklist" => set(&mut s.blacklist, &name, &value, "pairs of names")?,
            "tiers" => set(&mut s.tiers, &name, &value, "names with whole numbers")?,
            "start" => s.start = Some(value_of(&name, &value, "pairs of names")?),
            _ => return Err(SETTINGS.with(format!("there is no setting {name:?}"))),
        }
    }
    Ok(s)
}

fn set<'py, T: FromPyObjectOwned<'py>>(
    setting: &mut T,
    name: &str,
    value: &Bound<'py, PyAny>,
    expected: &str,
) -> PyResult<()> {
    *setting = value_of(name, value, expected)?;
    Ok(())
}

fn number<'py, T: FromPyObjectOwned<'py>>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<T> {
    value_of(name, value, "a whole number, not negative and not too large,")
}

fn value_of<'py, T: FromPyObjectOwned<'py>>(
    name: &str,
    value: &Bound<'py, PyAny>,
    expected: &str,
) -> PyResult<T> {
    value.extract().map_err(|_| {
        let found = value.repr().map_or_else(|_| "something else".to_owned(), |r| r.to_string());
        SETTINGS.with(format!("{name} is {found}; {expected} is needed"))
    })
}
