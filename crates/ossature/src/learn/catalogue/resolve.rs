//! Turns a request into settings: the only place where requests are checked, wherever they come
//! from.

use super::choice::{Choice, NONE};
use super::learners::of_preset;
use super::rows::{ISS, SCORE};
use super::{Catalogue, How, LearnerRow, Preset};
use crate::error::{Error, Result};
use crate::learn::setting::{Setting, Value};
use crate::learn::settings::{Asked, Settings};
use crate::score::ScoreKind;

impl Catalogue {
    /// The settings for a request.
    ///
    /// The values start from the defaults, those of the learner before those of the settings; then come
    /// the preset or the settings of an earlier result, and then the settings given by name. An unknown
    /// name or word, a value outside its bounds, contradictory settings, and a given setting that the
    /// learner does not use are errors. Settings of a preset or an earlier result that the learner does
    /// not use are left out.
    pub fn resolve(&self, asked: &Asked) -> Result<Settings> {
        let choice = self.choice(asked)?;
        let mut values = self.starting_values(asked, choice.row)?;
        for (name, value) in &asked.given {
            let setting = self.setting(name)?;
            let value = match value {
                Some(value) => Some(setting.check(value.clone())?),
                None => setting.none()?,
            };
            set(&mut values, setting.name, value);
        }
        let mut settings = self.used(asked, choice, values)?;
        without_list(asked, &mut settings)?;
        agree(&settings)?;
        Ok(settings)
    }

    /// The settings of several learners for the same request.
    ///
    /// A setting goes to the learners that use it; one that none of them uses is an error.
    pub fn resolve_each(&self, learners: &[&str], asked: &Asked) -> Result<Vec<Settings>> {
        let mut refused: Vec<Option<Error>> = asked.given.iter().map(|_| None).collect();
        let mut used = vec![false; asked.given.len()];
        let mut all = Vec::with_capacity(learners.len());
        for name in learners {
            let mut own = Asked { learner: Some((*name).to_owned()), given: Vec::new(), ..asked.clone() };
            for (i, given) in asked.given.iter().enumerate() {
                // What is out of bounds is refused below, whoever uses it.
                match self.refusal(&asked.given, given, &own)? {
                    Some(error) => refused[i] = Some(error),
                    None => {
                        used[i] = true;
                        own.given.push(given.clone());
                    }
                }
            }
            all.push(self.resolve(&own)?);
        }
        match refused.into_iter().zip(used).find_map(|(error, used)| error.filter(|_| !used)) {
            Some(error) => Err(error),
            None => Ok(all),
        }
    }

    /// Why a learner does not use one of the given settings.
    fn refusal(
        &self,
        all: &[(String, Option<Value>)],
        one: &(String, Option<Value>),
        asked: &Asked,
    ) -> Result<Option<Error>> {
        let choice = self.choice(asked)?;
        let mut values = self.starting_values(asked, choice.row)?;
        for (name, value) in all {
            let setting = self.setting(name)?;
            set(&mut values, setting.name, value.clone().map(|value| setting.check(value)).transpose()?);
        }
        let one = Asked { given: vec![one.clone()], ..asked.clone() };
        Ok(self.used(&one, choice, values).err())
    }

    /// The settings of a learner with a preset, as in a study or a script.
    pub fn preset(&self, learner: &str, preset: Preset) -> Result<Settings> {
        self.resolve(&Asked { preset: Some(preset), ..Asked::learner(learner) })
    }

    fn starting_values(
        &self,
        asked: &Asked,
        row: Option<&LearnerRow>,
    ) -> Result<Vec<(&'static str, Option<Value>)>> {
        let mut values: Vec<_> = self.settings.iter().map(|s| (s.name, (s.default)())).collect();
        for (name, value) in row.map_or(&[][..], |row| row.defaults) {
            set(&mut values, name, Some(value()));
        }
        let Some(earlier) = &asked.earlier else {
            for (name, value) in of_preset(asked.preset.unwrap_or_default()) {
                set(&mut values, name, Some(value));
            }
            return Ok(values);
        };
        for (key, json) in
            earlier.iter().filter(|(key, _)| !["learner", "restrict", "maximise"].contains(&key.as_str()))
        {
            let setting = self.setting(&key.replace('_', "-"))?;
            let value = setting.from_json(json)?;
            set(&mut values, setting.name, value);
        }
        Ok(values)
    }

    /// Leaves out unused settings, and refuses them if they were given.
    fn used(
        &self,
        asked: &Asked,
        choice: Choice<'_>,
        mut values: Vec<(&'static str, Option<Value>)>,
    ) -> Result<Settings> {
        let (restrict, maximise) = (choice.restrict.as_deref(), choice.maximise.as_deref());
        let mut names = match choice.row.map(|row| row.how) {
            Some(How::Rounds { settings, uses_score, asks_tests, .. }) => {
                super::used(settings, uses_score, asks_tests)
            }
            _ => self.used_by_halves(restrict, maximise),
        };
        let word = |setting: &Setting| {
            let value =
                values.iter().find(|(name, _)| *name == setting.name).and_then(|(_, value)| value.clone());
            value.filter(|_| names.contains(&setting.name))
        };
        // The tables of what bdh has chosen are mixed as that says; there is no weight to give.
        let weightless = word(&SCORE) == Some(Value::word(ScoreKind::Bdh));
        let also_used: Vec<&'static str> =
            asked.also_used.iter().copied().filter(|name| !(weightless && *name == ISS.name)).collect();
        names.extend(&also_used);
        let learner = self.name(&choice);
        for setting in
            asked.given.iter().filter(|(_, value)| value.is_some()).map(|(name, _)| self.setting(name))
        {
            let setting = setting?;
            let also = also_used.contains(&setting.name);
            if !names.contains(&setting.name) {
                return Err(self.unused(setting, &learner));
            }
            if !also && !setting.is_met(&values) {
                return Err(setting.not_used_here());
            }
        }
        let whole = values.clone();
        values.retain(|(name, _)| {
            let depends = |setting: &&Setting| {
                setting.name == *name && (setting.is_met(&whole) || also_used.contains(name))
            };
            names.contains(name) && self.settings.iter().any(|setting| depends(&setting))
        });
        let chosen = |name: &&str| {
            asked.given.iter().any(|(given, value)| given == name && value.is_some())
                || asked.earlier.as_ref().is_some_and(|earlier| earlier.contains_key(&name.replace('-', "_")))
        };
        let of_user = values.iter().map(|(name, _)| *name).filter(chosen).collect();
        let (restrict, maximise) = (choice.restrict, choice.maximise);
        Ok(Settings { learner, restrict, maximise, values, asked: of_user })
    }

    /// The name of a learner: its own, that of a learner with the same halves, or the names of the
    /// halves.
    fn name(&self, choice: &Choice<'_>) -> String {
        let (restrict, maximise) = (choice.restrict.as_deref(), choice.maximise.as_deref());
        if let Some(row) = choice.row.filter(|row| matches!(row.how, How::Rounds { .. })) {
            return row.name.to_owned();
        }
        let same = |row: &&LearnerRow| matches!(row.how, How::Halves { restrict: r, maximise: m } if r == restrict && m == maximise);
        let own = choice.row.filter(|row| same(row));
        let named = own.or_else(|| self.learners.iter().find(same));
        named.map_or_else(
            || format!("{}+{}", restrict.unwrap_or(NONE), maximise.unwrap_or(NONE)),
            |row| row.name.to_owned(),
        )
    }

    fn unused(&self, setting: &Setting, learner: &str) -> Error {
        let users =
            self.learners.iter().filter(|row| self.used_by(row).iter().any(|s| s.name == setting.name));
        let users: Vec<&str> = users.map(|row| row.name).collect();
        let accepted = match users.as_slice() {
            [] => "no learner with a name uses it".into(),
            [one] => format!("{one} does"),
            [all @ .., last] => format!("{} and {last} do", all.join(", ")),
        };
        Error::Setting {
            name: setting.name.to_owned(),
            problem: format!("is not used by {learner}"),
            accepted,
        }
    }
}

fn set(values: &mut [(&'static str, Option<Value>)], name: &str, value: Option<Value>) {
    if let Some(place) = values.iter_mut().find(|(known, _)| *known == name) {
        place.1 = value;
    }
}

/// A bootstrap averages networks, so there is no list of the best.
fn without_list(asked: &Asked, settings: &mut Settings) -> Result<()> {
    use super::rows::{BOOTSTRAP, HOW_MANY};
    if !settings.uses(&HOW_MANY) || settings.limit(&BOOTSTRAP).is_none() {
        return Ok(());
    }
    if asked.given.iter().any(|(name, value)| name == HOW_MANY.name && value.is_some()) {
        return Err(Error::Setting {
            name: HOW_MANY.name.to_owned(),
            problem: "is not used with bootstrap, whose result is an average".into(),
            accepted: "without bootstrap the best classes are listed".into(),
        });
    }
    settings.values.retain(|(name, _)| *name != HOW_MANY.name);
    Ok(())
}

/// Refuses contradictory settings before any work.
fn agree(settings: &Settings) -> Result<()> {
    use super::rows::{MAX_PARENTS, START, WHITELIST};
    let Some(most) = settings.limit(&MAX_PARENTS).filter(|_| settings.uses(&MAX_PARENTS)) else {
        return Ok(());
    };
    let mut arcs: Vec<_> = settings.pairs(&WHITELIST).iter().chain(settings.pairs(&START)).collect();
    arcs.sort_unstable();
    arcs.dedup();
    for (_, to) in &arcs {
        let parents = arcs.iter().filter(|(_, other)| other == to).count();
        if parents > most {
            return Err(Error::Setting {
                name: MAX_PARENTS.name.to_owned(),
                problem: format!(
                    "is {most}, but {to} has {parents} parents by the required arcs and the start"
                ),
                accepted: format!("at least {parents} is needed for that"),
            });
        }
    }
    Ok(())
}
