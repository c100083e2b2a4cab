//! The learners of a study: as they run, and as `study.json` records them.

use std::collections::BTreeSet;

use ossature::learn::{Asked, Build, Catalogue, Preset, Value, catalogue::rows};
use ossature::{Error, Result, Settings};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// A learner under its name in the study.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedLearner {
    /// Its name in tables and files.
    pub name: String,
    /// Its settings.
    pub settings: Settings,
}

/// A learner as `study.json` records it: its settings are those of [`Settings`] in JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LearnerFacts {
    /// Its name in tables and files.
    pub name: String,
    /// The learner, its halves, and every setting that it uses.
    pub settings: Map<String, Json>,
}

impl NamedLearner {
    /// A learner of a catalogue by its own name, with a preset.
    pub fn of(name: &str, preset: Preset, catalogue: &Catalogue) -> Result<NamedLearner> {
        Ok(NamedLearner { name: name.to_owned(), settings: catalogue.preset(name, preset)? })
    }

    /// The requested learner, under a name that errors mention.
    pub fn new(name: &str, asked: &Asked, catalogue: &Catalogue) -> Result<NamedLearner> {
        let settings = catalogue.resolve(asked).map_err(|e| about(name, e))?;
        Ok(NamedLearner { name: name.to_owned(), settings })
    }

    /// Refuses what a study cannot run. The settings themselves were checked when they were made.
    pub(crate) fn check(&self, catalogue: &Catalogue) -> Result<()> {
        self.require_known(catalogue).map_err(|e| about(&self.name, e))?;
        let refuse = |setting: &str, accepted: &str| {
            let problem = "cannot be used in a study".to_owned();
            let (name, accepted) = (setting.to_owned(), accepted.to_owned());
            Err(about(&self.name, Error::Setting { name, problem, accepted }))
        };
        let first = self.settings.restrict().and_then(|name| catalogue.first(name).ok());
        if first.is_some_and(|half| matches!(half.build, Build::Given(_))) {
            return refuse("restrict", OTHER_NAMES);
        }
        for (name, value) in self.settings.values() {
            match value {
                Some(Value::Pairs(pairs)) if !pairs.is_empty() => return refuse(name, OTHER_NAMES),
                Some(Value::Tiers(tiers)) if !tiers.is_empty() => return refuse(name, OTHER_NAMES),
                Some(_) if name == rows::BOOTSTRAP.name => {
                    return refuse(name, "a study draws its own samples");
                }
                Some(Value::Whole(2..)) if name == rows::HOW_MANY.name => {
                    return refuse(name, "a study evaluates the best structure only");
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The catalogue that made the settings may differ from the one they run with.
    fn require_known(&self, catalogue: &Catalogue) -> Result<()> {
        match (self.settings.restrict(), self.settings.maximise()) {
            (None, None) => catalogue.learner(self.settings.learner()).map(drop),
            (first, second) => {
                first.map(|name| catalogue.first(name)).transpose()?;
                second.map(|name| catalogue.second(name)).transpose().map(drop)
            }
        }
    }
}

/// Why settings that name variables are refused here.
const OTHER_NAMES: &str = "the names of variables change in every sample";

/// An error about the settings of a learner, with its name.
pub(crate) fn about(learner: &str, e: Error) -> Error {
    match e {
        Error::Setting { name, problem, accepted } => {
            Error::Setting { name, problem: format!("of the learner {learner:?} {problem}"), accepted }
        }
        other => Error::Mismatch {
            what: format!("the learner {learner:?} cannot be made: {other}"),
            accepted: "`ossature learners` lists all learners".into(),
        },
    }
}

impl From<&NamedLearner> for LearnerFacts {
    fn from(learner: &NamedLearner) -> LearnerFacts {
        // As it is read back from a file, where the last digit of a number may come out as another.
        let text = serde_json::to_string(&learner.settings).expect("settings have texts for keys");
        let settings = serde_json::from_str(&text).expect("settings are an object");
        LearnerFacts { name: learner.name.clone(), settings }
    }
}

impl LearnerFacts {
    /// The learner's name in the catalogue.
    pub fn learner(&self) -> &str {
        self.settings.get("learner").and_then(Json::as_str).unwrap_or_default()
    }

    /// Its halves, or its kind if it has none, and its settings by the names a user knows.
    pub(crate) fn in_words(&self) -> String {
        let half = |key: &str| self.settings.get(key).and_then(Json::as_str);
        let what = match (half("restrict"), half("maximise")) {
            (Some(first), Some(second)) => format!("{first}, then {second}"),
            (Some(half), None) | (None, Some(half)) => half.to_owned(),
            (None, None) => self.learner().to_owned(),
        };
        let shown = |(key, value): (&String, &Json)| {
            let value = match value {
                Json::Null => return None,
                Json::String(word) => word.clone(),
                // 10, though a number that may have a fraction is recorded as 10.0.
                Json::Number(number) => {
                    number.as_f64().filter(|_| number.is_f64()).map_or(number.to_string(), |x| x.to_string())
                }
                other => other.to_string(),
            };
            let halves = ["learner", "restrict", "maximise"].contains(&key.as_str());
            (!halves).then(|| format!("{} {value}", key.replace('_', "-")))
        };
        let settings: Vec<String> = self.settings.iter().filter_map(shown).collect();
        if settings.is_empty() { what } else { format!("{what}; {}", settings.join(", ")) }
    }

    /// Updates the form that version 0.1.0 had before the catalogue existed: every setting was present
    /// whether the learner used it or not, and HPC always shared results between targets if possible.
    pub(crate) fn brought_up_to_date(mut self) -> Result<LearnerFacts> {
        if self.settings.contains_key("learner") {
            return Ok(self);
        }
        self.settings.retain(|_, value| value.as_array().is_none_or(|list| !list.is_empty()));
        self.settings.insert(rows::SHARE.key(), "yes".into());
        let asked = Asked { earlier: Some(self.settings), ..Asked::default() };
        Ok(LearnerFacts::from(&NamedLearner::new(&self.name, &asked, &Catalogue::standard())?))
    }
}

/// The settings in which two learners differ: the name as a user writes it, and both values in
/// words.
pub(crate) fn changed_settings(old: &LearnerFacts, new: &LearnerFacts) -> Vec<(String, String, String)> {
    let shown = |facts: &LearnerFacts, key: &str| match facts.settings.get(key) {
        None => "not used".to_owned(),
        Some(Json::Null) => "none".to_owned(),
        Some(value) => value.to_string(),
    };
    let mut seen = BTreeSet::new();
    let keys = old.settings.keys().chain(new.settings.keys()).filter(|key| seen.insert(key.as_str()));
    keys.filter(|key| old.settings.get(*key) != new.settings.get(*key))
        .map(|key| (key.replace('_', "-"), shown(old, key), shown(new, key)))
        .collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn asked(asked: &Asked) -> Result<NamedLearner> {
        NamedLearner::new("mine", asked, &Catalogue::standard())
    }

    fn facts(name: &str, preset: Preset) -> LearnerFacts {
        LearnerFacts::from(&NamedLearner::of(name, preset, &Catalogue::standard()).unwrap())
    }

    /// A learner of tabu search as it was recorded before there was a catalogue.
    pub(crate) fn earlier(name: &str, restrict: &str) -> LearnerFacts {
        let settings = serde_json::json!({
            "restrict": restrict, "maximise": "tabu", "weak_learner": "inter-iapc", "test": "mi-adf",
            "alpha": 0.05, "power_rule": null, "underpowered": "independent", "max_conditioning": null,
            "symmetry": "and", "score": "bdeu", "iss": 10.0, "tabu": 100, "patience": 15, "tie_orders": 10,
            "restarts": 0, "max_parents": null, "bootstrap": null, "seed": 0, "whitelist": [],
            "blacklist": [], "tiers": [], "start": null
        });
        LearnerFacts { name: name.into(), settings: settings.as_object().unwrap().clone() }
    }

    #[test]
    fn an_error_names_the_learner() {
        let refused = |settings: Asked| asked(&settings).unwrap_err().to_string();
        assert_eq!(
            refused(Asked::learner("h2pc").with("alpha", Value::Number(2.0))),
            "the setting alpha of the learner \"mine\" is 2; a number above 0 and below 1 is accepted"
        );
        assert_eq!(
            refused(Asked::learner("hc").with("tabu", Value::Whole(5))),
            "the setting tabu of the learner \"mine\" is not used by hc; h2pc, mmhc and tabu do"
        );
        let half = refused(Asked { restrict: Some("hcp".into()), ..Asked::learner("h2pc") });
        assert!(
            half.contains("the learner \"mine\" cannot be made: there is no first half \"hcp\""),
            "{half}"
        );
    }

    #[test]
    fn what_has_no_place_in_a_study_is_refused() {
        let pair = || ("a".to_owned(), "b".to_owned());
        let given = Asked { restrict: Some("given".into()), ..Asked::learner("h2pc") };
        for (settings, part) in [
            (
                Asked::learner("hc").with("whitelist", Value::Pairs(vec![pair()])),
                "whitelist of the learner \"mine\"",
            ),
            (Asked::learner("hc").with("start", Value::Pairs(vec![pair()])), "change in every sample"),
            (Asked::learner("hc").with("tiers", Value::Tiers(vec![("a".into(), 1)])), "the setting tiers"),
            (Asked::learner("hc").with("bootstrap", Value::Whole(2)), "draws its own samples"),
            (Asked::learner("exact").with("how-many", Value::Whole(2)), "the best structure only"),
            (given, "the setting restrict of the learner \"mine\" cannot be used in a study"),
        ] {
            let learner = asked(&settings).unwrap();
            let refused = learner.check(&Catalogue::standard()).unwrap_err().to_string();
            assert!(refused.contains(part), "{part:?} is not in {refused:?}");
        }
        let plain = asked(&Asked::learner("h2pc").with("seed", Value::Whole(3))).unwrap();
        plain.check(&Catalogue::standard()).unwrap();
        let none = Catalogue { first: Vec::new(), ..Catalogue::standard() };
        assert!(plain.check(&none).unwrap_err().to_string().contains("there is no first half \"hpc\""));
    }

    #[test]
    fn a_learner_is_described_by_its_halves_and_every_setting_that_it_uses() {
        let words = ["h2pc", "mmpc", "hc"].map(|name| facts(name, Preset::Paper).in_words());
        let tests = "test mi-adf, alpha 0.05, underpowered independent, pair-memory 1024, symmetry and";
        let search = "tie-orders 1, restarts 0, seed 0";
        let price = "arc-price 0, levels-of declared";
        assert_eq!(
            words,
            [
                format!(
                    "hpc, then tabu; {tests}, weak-learner inter-iapc, share no, phase-one-fdr no, score bdeu, iss 10, \
                     {price}, tabu 100, patience 15, {search}"
                ),
                format!("mmpc; {tests}, seed 0"),
                format!("hc; score bdeu, iss 10, {price}, {search}"),
            ]
        );
    }

    #[test]
    fn settings_differ_in_what_only_one_of_them_uses_too() {
        let differ =
            |old: &str, new: &str| changed_settings(&facts(old, Preset::Paper), &facts(new, Preset::Paper));
        let text = |(key, old, new): &(String, String, String)| format!("{key}: {old}, {new}");
        let words: Vec<String> = differ("hc", "tabu").iter().map(text).collect();
        let expected = [
            "learner: \"hc\", \"tabu\"",
            "maximise: \"hc\", \"tabu\"",
            "tabu: not used, 100",
            "patience: not used, 15",
        ];
        assert_eq!(words, expected);
        assert!(differ("h2pc", "h2pc").is_empty());
    }

    #[test]
    fn settings_of_the_earlier_form_are_understood() {
        for (restrict, learner) in [("hpc", "h2pc"), ("mmpc", "mmhc"), ("none", "tabu")] {
            let old = earlier("x", restrict);
            let now = facts(learner, Preset::Recommended);
            assert_eq!(old.clone().brought_up_to_date().unwrap().settings, now.settings, "{learner}");
            let mut unknown = old;
            unknown.settings.insert("weight".into(), 3.into());
            let refused = unknown.brought_up_to_date().unwrap_err().to_string();
            assert!(refused.contains("the learner \"x\"") && refused.contains("weight"), "{refused}");
        }
        let now = facts("h2pc", Preset::Paper);
        assert_eq!(now.clone().brought_up_to_date().unwrap(), now);
    }
}
