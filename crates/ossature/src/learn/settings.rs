//! The settings of a run: which learner, and the value of each setting that it uses.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::catalogue::{Catalogue, Preset, rows};
use super::setting::{Setting, Value};
use crate::ci::{TestKind, TestSettings};
use crate::data::Dataset;
use crate::error::Result;
use crate::network::Prior;
use crate::score::{ScoreKind, ScoreSettings};
use crate::word::Word;

/// The learner, and the value of each setting that it uses, as recorded and as needed to run it
/// again.
///
/// Made by [`Catalogue::resolve`], so every value is within its bounds and every word is valid;
/// settings that the learner does not use are absent.
///
/// ```
/// use ossature::learn::{Asked, Catalogue, Preset, Settings, Value};
///
/// let strict = Asked::learner("mmhc").with("alpha", Value::Number(0.01));
/// let settings = Catalogue::standard().resolve(&strict)?;
/// assert_eq!((settings.learner(), settings.restrict()), ("mmhc", Some("mmpc")));
/// assert_ne!(settings, Settings::of("mmhc", Preset::Recommended)?);
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Settings {
    pub(super) learner: String,
    pub(super) restrict: Option<String>,
    pub(super) maximise: Option<String>,
    /// By name, in the order of the catalogue.
    pub(super) values: Vec<(&'static str, Option<Value>)>,
    /// The settings that were requested; the others may depend on the table.
    pub(super) asked: Vec<&'static str>,
}

impl PartialEq for Settings {
    /// Whether the same run results; which settings were requested does not matter.
    fn eq(&self, other: &Settings) -> bool {
        (&self.learner, &self.restrict, &self.maximise, &self.values)
            == (&other.learner, &other.restrict, &other.maximise, &other.values)
    }
}

impl Settings {
    /// The settings of a learner of the library by name, with a preset.
    pub fn of(learner: &str, preset: Preset) -> Result<Settings> {
        Catalogue::standard().resolve(&Asked { preset: Some(preset), ..Asked::learner(learner) })
    }

    /// The name of the learner; for two halves without a common name, both names joined by a plus
    /// sign.
    pub fn learner(&self) -> &str {
        &self.learner
    }

    /// The name of the first half.
    pub fn restrict(&self) -> Option<&str> {
        self.restrict.as_deref()
    }

    /// The name of the second half.
    pub fn maximise(&self) -> Option<&str> {
        self.maximise.as_deref()
    }

    /// Whether the learner uses a setting.
    pub fn uses(&self, setting: &Setting) -> bool {
        self.values.iter().any(|(name, _)| *name == setting.name)
    }

    /// The value of a setting; its default if the learner does not use it.
    pub fn value(&self, setting: &Setting) -> Option<Value> {
        match self.values.iter().find(|(name, _)| *name == setting.name) {
            Some((_, value)) => value.clone(),
            None => (setting.default)(),
        }
    }

    /// Every setting that the learner uses with its value, by name.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, Option<&Value>)> {
        self.values.iter().map(|(name, value)| (*name, value.as_ref()))
    }

    /// The number of a setting that takes one.
    ///
    /// # Panics
    /// If it takes something else; the methods below do the same for their kind.
    pub fn number(&self, setting: &Setting) -> f64 {
        match self.value(setting) {
            Some(Value::Number(number)) => number,
            _ => panic!("{} takes a number and has a default", setting.name),
        }
    }

    /// The number of a setting that may have none.
    pub fn optional(&self, setting: &Setting) -> Option<f64> {
        self.value(setting).map(|value| match value {
            Value::Number(number) => number,
            _ => panic!("{} takes a number", setting.name),
        })
    }

    /// The whole number of a setting that takes one.
    pub fn whole(&self, setting: &Setting) -> u64 {
        self.limit_u64(setting).unwrap_or_else(|| panic!("{} has a default", setting.name))
    }

    /// The same as a count.
    pub fn count(&self, setting: &Setting) -> usize {
        usize::try_from(self.whole(setting)).unwrap_or(usize::MAX)
    }

    /// The limit that a setting imposes, if any.
    pub fn limit(&self, setting: &Setting) -> Option<usize> {
        self.limit_u64(setting).map(|n| usize::try_from(n).unwrap_or(usize::MAX))
    }

    fn limit_u64(&self, setting: &Setting) -> Option<u64> {
        match self.value(setting) {
            None => None,
            Some(Value::Whole(number)) => Some(number),
            Some(_) => panic!("{} takes a whole number", setting.name),
        }
    }

    /// The choice among words.
    pub fn word<W: Word>(&self, setting: &Setting) -> W {
        match self.value(setting) {
            Some(Value::Word(word)) => W::of(&word).expect("words are checked when settings are made"),
            _ => W::default(),
        }
    }

    /// The pairs of names, possibly none.
    pub fn pairs(&self, setting: &Setting) -> &[(String, String)] {
        match self.values.iter().find(|(name, _)| *name == setting.name) {
            Some((_, Some(Value::Pairs(pairs)))) => pairs,
            _ => &[],
        }
    }

    /// The names with their tiers.
    pub fn tiers(&self) -> &[(String, i64)] {
        match self.values.iter().find(|(name, _)| *name == rows::TIERS.name) {
            Some((_, Some(Value::Tiers(tiers)))) => tiers,
            _ => &[],
        }
    }

    /// The settings for a table: a test or a score that was not requested and does not fit its kinds of
    /// columns is replaced by the default for such a table, and settings that only the replaced one used are
    /// left out. A requested setting that is no longer used is an error.
    ///
    /// ```
    /// use ossature::learn::{Preset, Settings};
    /// use ossature::{Column, Dataset, ScoreKind, Variable};
    ///
    /// let data = Dataset::new(vec![(Variable::continuous("x"), Column::Real(vec![1.5, 2.5]))])?;
    /// let settings = Settings::of("h2pc", Preset::Recommended)?;
    /// assert_eq!(settings.score().kind, ScoreKind::Bdeu);
    /// assert_eq!(settings.for_table(&data)?.score().kind, ScoreKind::BicG);
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn for_table(&self, data: &Dataset) -> Result<Settings> {
        let mut settings = self.clone();
        let free = |row: &Setting| self.uses(row) && !self.asked.contains(&row.name);
        if free(&rows::TEST) && !self.test().kind.is_for(data.kind()) {
            settings.set(&rows::TEST, Value::word(TestKind::usual(data.kind())));
        }
        if free(&rows::SCORE) && !self.score().kind.suits(data) {
            settings.set(&rows::SCORE, Value::word(ScoreKind::usual(data)));
        }
        let all = settings.values.clone();
        let unused: Vec<&Setting> = rows::ALL
            .iter()
            .filter(|row| settings.uses(row) && !row.is_met(&all) && row.is_met(&self.values))
            .collect();
        for row in unused {
            if self.asked.contains(&row.name) {
                return Err(row.not_used_here());
            }
            settings.values.retain(|(name, _)| *name != row.name);
        }
        Ok(settings)
    }

    fn set(&mut self, setting: &Setting, value: Value) {
        if let Some(place) = self.values.iter_mut().find(|(name, _)| *name == setting.name) {
            place.1 = Some(value);
        }
    }

    /// The test, with its seed.
    pub fn test(&self) -> TestSettings {
        TestSettings {
            kind: self.word(&rows::TEST),
            power_rule: self.limit(&rows::POWER_RULE).map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
            seed: self.whole(&rows::SEED),
            ..TestSettings::default()
        }
    }

    /// The score.
    pub fn score(&self) -> ScoreSettings {
        ScoreSettings {
            kind: self.word(&rows::SCORE),
            iss: self.number(&rows::ISS),
            arc_price: self.number(&rows::ARC_PRICE),
            levels_of: self.word(&rows::LEVELS_OF),
        }
    }

    /// The prior for the tables of the learned structure: that of the score `bdh` if it chose the structure,
    /// otherwise BDeu with the learner's `iss`.
    pub fn prior(&self) -> Prior {
        let score = self.score();
        match score.kind {
            ScoreKind::Bdh => Prior::Backoff,
            _ => Prior::Bdeu { iss: score.iss },
        }
    }
}

impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("learner", &self.learner)?;
        map.serialize_entry("restrict", &self.restrict)?;
        map.serialize_entry("maximise", &self.maximise)?;
        for (name, value) in &self.values {
            map.serialize_entry(&name.replace('-', "_"), value)?;
        }
        map.end()
    }
}

/// A user's request: some settings by name, and the rest left to the catalogue.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Asked {
    /// The learner by name.
    pub learner: Option<String>,
    /// The first half by name; `none` for a free search.
    pub restrict: Option<String>,
    /// The second half by name; `none` for the skeleton alone.
    pub maximise: Option<String>,
    /// The preset.
    pub preset: Option<Preset>,
    /// The settings of an earlier result, which replace a preset.
    pub earlier: Option<serde_json::Map<String, serde_json::Value>>,
    /// Settings by name. One that the learner does not use is refused.
    pub given: Vec<(String, Option<Value>)>,
    /// Settings by name that are also used elsewhere, so they count as used in any case.
    pub also_used: Vec<&'static str>,
}

impl Asked {
    /// A learner by name.
    pub fn learner(name: &str) -> Asked {
        Asked { learner: Some(name.to_owned()), ..Asked::default() }
    }

    /// The same with the value of one more setting.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Asked {
        self.given.push((name.to_owned(), Some(value)));
        self
    }
}
