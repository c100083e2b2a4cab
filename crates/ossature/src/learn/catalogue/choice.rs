//! Which learner a user asks for: a row of the catalogue, or two halves.

use super::{Catalogue, How, LearnerRow, Preset};
use crate::error::{Error, Result};
use crate::learn::settings::Asked;

/// The default learner.
const USUAL: &str = "h2pc";

/// The word for a half that is left out.
pub(super) const NONE: &str = "none";

/// The halves, and the learner that provides the defaults.
pub(super) struct Choice<'a> {
    pub(super) row: Option<&'a LearnerRow>,
    pub(super) restrict: Option<String>,
    pub(super) maximise: Option<String>,
}

impl Catalogue {
    /// The learner named now, or in an earlier result, or else the default; named halves replace its own.
    pub(super) fn choice(&self, asked: &Asked) -> Result<Choice<'_>> {
        let row = self.row(asked)?;
        let by_halves = asked.restrict.is_some() || asked.maximise.is_some();
        if let Some(LearnerRow { name, how: How::Rounds { .. }, .. }) = row {
            return match by_halves {
                true => Err(refused(format!("cannot be chosen for {name}"), "it has no halves")),
                false => Ok(Choice { row, restrict: None, maximise: None }),
            };
        }
        let [restrict, mut maximise] = halves(asked, row);
        if asked.preset == Some(Preset::Bnlearn) && restrict.is_some() && maximise.as_deref() == Some("tabu")
        {
            maximise = Some("hc".into());
        }
        let restrict = replaced(restrict, asked.restrict.as_deref());
        let maximise = replaced(maximise, asked.maximise.as_deref());
        restrict.as_deref().map(|name| self.first(name)).transpose()?;
        maximise.as_deref().map(|name| self.second(name)).transpose()?;
        if restrict.is_none() && maximise.is_none() {
            return Err(refused("is none, and so is maximise".into(), "at least one half is needed"));
        }
        Ok(Choice { row: row.filter(|_| !by_halves), restrict, maximise })
    }

    fn row(&self, asked: &Asked) -> Result<Option<&LearnerRow>> {
        if let Some(name) = &asked.learner {
            return self.learner(name).map(Some);
        }
        match (earlier(asked, "learner"), earlier_halves(asked)) {
            (Some(name), _) => Ok(self.learners.iter().find(|row| row.name == name)),
            (None, Some(_)) => Ok(None),
            (None, None) => self.learner(USUAL).map(Some),
        }
    }
}

/// The halves if none is named: those of an earlier result, which a preset may have changed, or those of
/// the learner.
fn halves(asked: &Asked, row: Option<&LearnerRow>) -> [Option<String>; 2] {
    let of_row = match row.map(|row| row.how) {
        Some(How::Halves { restrict, maximise }) => [restrict, maximise].map(|half| half.map(str::to_owned)),
        _ => [None, None],
    };
    earlier_halves(asked).filter(|_| asked.learner.is_none()).unwrap_or(of_row)
}

/// The halves of an earlier result, if it names any.
fn earlier_halves(asked: &Asked) -> Option<[Option<String>; 2]> {
    let settings = asked.earlier.as_ref()?;
    let keys = ["restrict", "maximise"];
    let named = keys.iter().any(|key| settings.contains_key(*key));
    named.then(|| keys.map(|key| earlier(asked, key).filter(|half| *half != NONE).map(str::to_owned)))
}

/// A text in the settings of an earlier result.
fn earlier<'a>(asked: &'a Asked, key: &str) -> Option<&'a str> {
    asked.earlier.as_ref()?.get(key)?.as_str()
}

/// A half, or the one named instead.
fn replaced(half: Option<String>, named: Option<&str>) -> Option<String> {
    match named {
        None => half,
        Some(NONE) => None,
        Some(name) => Some(name.to_owned()),
    }
}

fn refused(problem: String, accepted: &str) -> Error {
    Error::Setting { name: "restrict".into(), problem, accepted: accepted.into() }
}
