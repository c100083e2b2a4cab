//! A study from a TOML file. The names are those of the command's options.
//!
//! ```toml
//! seed = 1
//! networks = ["child", "own.bif"]
//! sizes = [100, 1000]
//! samples = 5
//! learners = ["h2pc", "strict"]   # default: every [[learner]], or else h2pc and mmhc
//! preset = "paper"                # which is the default
//!
//! [[learner]]
//! name = "strict"
//! learner = "h2pc"
//! alpha = 0.01
//! weak-learner = "fdr-iapc"
//! ```

use std::path::Path;
use std::time::Duration;

use ossature::error::{Place, nearest};
use ossature::learn::{Asked, Catalogue, Preset, Setting, Takes, Value, catalogue::rows};
use ossature::word::Word;
use ossature::{Error, Result, file};
use serde::{Deserialize, Deserializer};

use crate::learner::{NamedLearner, about};
use crate::plan::{NetworkSource, Study};

/// The settings of a study from a file or the options of the command; `None` leaves a setting
/// unchanged.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The seed.
    pub seed: Option<u64>,
    /// Embedded names and BIF files.
    pub networks: Option<Vec<String>>,
    /// The number of rows of a sample.
    pub sizes: Option<Vec<usize>>,
    /// The number of samples of each size.
    pub samples: Option<usize>,
    /// Names of learners: those of the catalogue, and those described here.
    pub learners: Option<Vec<String>>,
    /// The preset of every learner that does not name its own.
    #[serde(deserialize_with = "preset")]
    pub preset: Option<Preset>,
    /// The number of rows of new data.
    pub new_rows: Option<usize>,
    /// Whether cells are timed too.
    pub timing: Option<bool>,
    /// How long a cell may take, in seconds.
    #[serde(deserialize_with = "seconds")]
    pub cell_limit: Option<Duration>,
    /// Learners with their own settings.
    pub learner: Vec<toml::Table>,
}

/// The keys of a learner that are not settings.
const KEYS: [&str; 3] = ["name", "learner", "preset"];

/// The halves, which are chosen like settings.
const HALVES: [&str; 2] = ["restrict", "maximise"];

impl Config {
    /// Reads a file; an error gives the line and what would be accepted.
    pub fn read(path: &Path) -> Result<Config> {
        Config::parse(&file::read_text(path)?, &path.display().to_string())
    }

    fn parse(text: &str, name: &str) -> Result<Config> {
        toml::from_str(text).map_err(|e| {
            let before = e.span().map(|span| &text[..span.start.min(text.len())]);
            let line = before.map(|b| 1 + b.matches('\n').count() as u64);
            let place = Place { line, ..Place::file(name) };
            let what = e.message().replace('\n', " ");
            let (found, expected) = match what.split_once(", expected ") {
                Some((found, expected)) => (found.to_owned(), expected.to_owned()),
                None => (format!("a text that cannot be read ({what})"), "a study in TOML".to_owned()),
            };
            Error::Syntax { place, found, expected }
        })
    }

    /// The same, overridden by the other.
    #[must_use]
    pub fn overridden_by(self, other: Config) -> Config {
        Config {
            seed: other.seed.or(self.seed),
            networks: other.networks.or(self.networks),
            sizes: other.sizes.or(self.sizes),
            samples: other.samples.or(self.samples),
            learners: other.learners.or(self.learners),
            preset: other.preset.or(self.preset),
            new_rows: other.new_rows.or(self.new_rows),
            timing: other.timing.or(self.timing),
            cell_limit: other.cell_limit.or(self.cell_limit),
            learner: if other.learner.is_empty() { self.learner } else { other.learner },
        }
    }

    /// The study based on `base`, with learners of a catalogue. A preset applies to those of `base` too.
    pub fn study(self, base: Study, catalogue: &Catalogue) -> Result<Study> {
        let preset = self.preset.unwrap_or(Study::PRESET);
        let described = self.learner.iter().map(|table| learner(table, preset, catalogue));
        let described = described.collect::<Result<Vec<NamedLearner>>>()?;
        let named = |name: &String| named(name, &described, preset, catalogue);
        let learners = match (self.learners, self.preset) {
            (Some(names), _) => names.iter().map(named).collect::<Result<_>>()?,
            (None, _) if !described.is_empty() => described,
            (None, None) => base.learners,
            (None, Some(preset)) => with_preset(base.learners, preset, catalogue)?,
        };
        let networks = match self.networks {
            Some(words) => words.iter().map(|word| NetworkSource::new(word)).collect::<Result<_>>()?,
            None => base.networks,
        };
        Ok(Study {
            seed: self.seed.unwrap_or(base.seed),
            networks,
            sizes: self.sizes.unwrap_or(base.sizes),
            samples: self.samples.unwrap_or(base.samples),
            learners,
            new_rows: self.new_rows.unwrap_or(base.new_rows),
            timing: self.timing.unwrap_or(base.timing),
            cell_limit: self.cell_limit.or(base.cell_limit),
            shard: base.shard,
        })
    }
}

/// A learner by name: one described here, or one of the catalogue.
fn named(
    name: &str,
    described: &[NamedLearner],
    preset: Preset,
    catalogue: &Catalogue,
) -> Result<NamedLearner> {
    if let Some(found) = described.iter().find(|l| l.name == name) {
        return Ok(found.clone());
    }
    if catalogue.learner(name).is_err() {
        let known = catalogue.learners.iter().map(|row| row.name);
        let known = known.chain(described.iter().map(|l| l.name.as_str()));
        return Err(Error::unknown_name("learner", name, known, None));
    }
    NamedLearner::of(name, preset, catalogue)
}

/// The same learners with the settings of a preset.
fn with_preset(
    learners: Vec<NamedLearner>,
    preset: Preset,
    catalogue: &Catalogue,
) -> Result<Vec<NamedLearner>> {
    let with = |NamedLearner { name, settings }: NamedLearner| {
        let asked = Asked { preset: Some(preset), ..Asked::learner(settings.learner()) };
        NamedLearner::new(&name, &asked, catalogue)
    };
    learners.into_iter().map(with).collect()
}

/// A learner from its table: one of the catalogue, with some settings changed.
fn learner(table: &toml::Table, preset: Preset, catalogue: &Catalogue) -> Result<NamedLearner> {
    let text = |key: &str| match table.get(key) {
        None => Ok(None),
        Some(toml::Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(Error::Mismatch {
            what: format!("{key} of a [[learner]] is {other:?}"),
            accepted: format!("{key} takes a text"),
        }),
    };
    let Some(base) = text("learner")? else {
        let known: Vec<&str> = catalogue.learners.iter().map(|row| row.name).collect();
        return Err(Error::Mismatch {
            what: "a [[learner]] does not say which learner it is".into(),
            accepted: format!("learner = \"…\" takes one of {}", known.join(", ")),
        });
    };
    let name = text("name")?.unwrap_or_else(|| base.clone());
    let own = text("preset")?.map(|word| {
        let unknown = Error::Setting {
            name: "preset".into(),
            problem: format!("is {word:?}"),
            accepted: format!("one of {} is accepted", presets()),
        };
        Preset::of(&word).map_err(|_| about(&name, unknown))
    });
    let given = table
        .iter()
        .filter(|(key, _)| !KEYS.contains(&key.as_str()) && !HALVES.contains(&key.as_str()))
        .map(|(key, value)| Ok((key.clone(), Some(setting(key, value, &name, catalogue)?))))
        .collect::<Result<_>>()?;
    let asked = Asked {
        restrict: text("restrict")?,
        maximise: text("maximise")?,
        preset: Some(own.transpose()?.unwrap_or(preset)),
        given,
        ..Asked::learner(&base)
    };
    NamedLearner::new(&name, &asked, catalogue)
}

/// The value of a setting in the table of a learner.
fn setting(key: &str, value: &toml::Value, learner: &str, catalogue: &Catalogue) -> Result<Value> {
    let allowed = || catalogue.settings.iter().filter(|setting| allowed(setting));
    let Some(setting) = allowed().find(|setting| setting.name == key) else {
        let known: Vec<&str> = HALVES.into_iter().chain(allowed().map(|setting| setting.name)).collect();
        let meant = nearest(key, known.iter().copied());
        let meant = meant.map(|m| format!(" (did you mean {m}?)")).unwrap_or_default();
        return Err(Error::Mismatch {
            what: format!("the learner {learner:?} has a setting {key:?}{meant}"),
            accepted: format!("the settings are {}", known.join(", ")),
        });
    };
    let json = match value {
        // JSON has no such numbers, and would take them for no setting at all.
        toml::Value::Float(number) if !number.is_finite() => {
            return Err(Error::Mismatch {
                what: format!("the learner {learner:?} has {key} = {number}"),
                accepted: "a number that is finite".into(),
            });
        }
        other => serde_json::to_value(other).unwrap_or_default(),
    };
    let value = setting.from_json(&json).map_err(|e| about(learner, e))?;
    Ok(value.expect("TOML has no null"))
}

/// Whether a learner of a study may have a setting: not those that name variables, whose names change
/// in every sample, not a bootstrap, and not a list of the best, of which only the first is evaluated.
fn allowed(setting: &Setting) -> bool {
    !matches!(setting.takes, Takes::Pairs | Takes::Tiers)
        && ![rows::BOOTSTRAP.name, rows::HOW_MANY.name].contains(&setting.name)
}

/// The words for presets.
fn presets() -> String {
    Preset::WORDS.iter().map(|(_, word, _)| *word).collect::<Vec<_>>().join(", ")
}

/// A preset by its word.
fn preset<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Option<Preset>, D::Error> {
    let word = String::deserialize(deserializer)?;
    let unknown = |_| serde::de::Error::custom(format!("the preset {word:?}, expected one of {}", presets()));
    Preset::of(&word).map(Some).map_err(unknown)
}

/// A time in seconds.
fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Option<Duration>, D::Error> {
    let seconds = f64::deserialize(deserializer)?;
    let unusable =
        |_| serde::de::Error::custom(format!("a time of {seconds}, expected seconds, more than 0"));
    match Duration::try_from_secs_f64(seconds) {
        Ok(Duration::ZERO) => Err(unusable(())),
        limit => limit.map(Some).map_err(|_| unusable(())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn study(text: &str) -> Result<Study> {
        Config::parse(text, "study.toml")?.study(Study::default(), &Catalogue::standard())
    }

    fn of(name: &str, preset: Preset) -> NamedLearner {
        NamedLearner::of(name, preset, &Catalogue::standard()).unwrap()
    }

    #[test]
    fn a_file_changes_what_it_names() {
        let found = study(
            "sizes = [7]\nlearners = ['mmhc', 'strict']\n[[learner]]\nname = 'strict'\nlearner = 'h2pc'\n\
             alpha = 0.01\nweak-learner = 'fdr-iapc'\ntie-orders = 3\npower-rule = 3\niss = 7\n",
        )
        .unwrap();
        assert_eq!((found.sizes, found.samples), (vec![7], 10));
        assert_eq!(found.learners[0], of("mmhc", Preset::Paper));
        let strict = &found.learners[1];
        let asked = Asked {
            preset: Some(Preset::Paper),
            ..Asked::learner("h2pc")
                .with("alpha", Value::Number(0.01))
                .with("weak-learner", Value::Word("fdr-iapc".into()))
                .with("tie-orders", Value::Whole(3))
                .with("power-rule", Value::Whole(3))
                .with("iss", Value::Number(7.0))
        };
        assert_eq!(*strict, NamedLearner::new("strict", &asked, &Catalogue::standard()).unwrap());
        assert_eq!(strict.settings.number(&rows::ALPHA), 0.01);
    }

    #[test]
    fn halves_are_chosen_by_name() {
        let found = study("[[learner]]\nlearner = 'h2pc'\nname = 'x'\nmaximise = 'hc'").unwrap();
        let settings = &found.learners[0].settings;
        assert_eq!((settings.restrict(), settings.maximise()), (Some("hpc"), Some("hc")));
        let found = study("[[learner]]\nlearner = 'h2pc'\nrestrict = 'none'").unwrap();
        assert_eq!(found.learners[0].settings.learner(), "tabu");
    }

    #[test]
    fn the_learners_that_are_described_are_those_that_run() {
        let found = study("[[learner]]\nlearner = 'hc'\n").unwrap();
        assert_eq!(found.learners, [of("hc", Preset::Paper)]);
        assert_eq!(study("").unwrap(), Study::default());
    }

    /// One tie order and nothing shared, unless another preset is named.
    #[test]
    fn the_preset_is_that_of_the_paper_unless_it_is_said() {
        let learners = |text: &str| study(text).unwrap().learners;
        let (h2pc, mmhc) = (|preset| of("h2pc", preset), |preset| of("mmhc", preset));
        assert_eq!(learners(""), [h2pc(Preset::Paper), mmhc(Preset::Paper)]);
        let settings = &learners("")[0].settings;
        assert_eq!(
            (settings.whole(&rows::TIE_ORDERS), settings.value(&rows::SHARE)),
            (1, Some(Value::Word("no".into())))
        );
        assert_eq!(
            learners("preset = 'recommended'"),
            [h2pc(Preset::Recommended), mmhc(Preset::Recommended)]
        );
        assert_eq!(learners("preset = 'bnlearn'\nlearners = ['h2pc']"), [h2pc(Preset::Bnlearn)]);
        let both = learners(
            "preset = 'bnlearn'\n[[learner]]\nlearner = 'h2pc'\npreset = 'recommended'\n\
             [[learner]]\nlearner = 'mmhc'",
        );
        assert_eq!(both, [h2pc(Preset::Recommended), mmhc(Preset::Bnlearn)]);
    }

    #[test]
    fn options_win_over_the_file() {
        let file =
            Config { samples: Some(3), seed: Some(1), preset: Some(Preset::Paper), ..Config::default() };
        let options = Config { samples: Some(4), preset: Some(Preset::Bnlearn), ..Config::default() };
        let both = file.overridden_by(options);
        assert_eq!((both.samples, both.seed, both.preset), (Some(4), Some(1), Some(Preset::Bnlearn)));
    }

    #[test]
    fn an_error_says_where_and_what_would_be_accepted() {
        let learner = |line: &str| format!("[[learner]]\nname = 'mine'\nlearner = 'h2pc'\n{line}");
        let cases = [
            ("seed = 1\nsizs = [1]".to_owned(), &["study.toml, line 2", "sizs", "`sizes`"][..]),
            ("samples = 'many'".to_owned(), &["study.toml, line 1", "many", "usize"]),
            ("cell-limit = -1".to_owned(), &["study.toml, line 1", "a time of -1", "seconds, more than 0"]),
            ("sizes = [".to_owned(), &["study.toml, line 1"]),
            ("networks = ['alram']".to_owned(), &["alram", "did you mean \"alarm\""]),
            ("learners = ['h3pc']".to_owned(), &["h3pc", "did you mean \"h2pc\""]),
            (
                "seed = 1\npreset = 'papr'".to_owned(),
                &["study.toml, line 2", "papr", "one of recommended, paper"],
            ),
            ("[[learner]]\nname = 'x'".to_owned(), &["which learner", "h2pc, mmhc"]),
            ("[[learner]]\nlearner = 3".to_owned(), &["learner takes a text"]),
            (
                learner("preset = 'papr'"),
                &["preset of the learner \"mine\" is \"papr\"", "one of recommended, paper"],
            ),
            ("[[learner]]\nlearner = 'h3pc'".to_owned(), &["the learner \"h3pc\"", "did you mean \"h2pc\""]),
            (learner("alpah = 1"), &["the learner \"mine\"", "alpah", "did you mean alpha", "tie-orders"]),
            (learner("tie_orders = 1"), &["\"tie_orders\" (did you mean tie-orders?)"]),
            (
                learner("alpha = 'a'"),
                &["alpha of the learner \"mine\" is \"a\"", "a number above 0 and below 1"],
            ),
            (learner("alpha = 1"), &["alpha of the learner \"mine\" is 1;", "a number above 0 and below 1"]),
            (learner("tie-orders = 2.5"), &["tie-orders of the learner \"mine\" is 2.5;", "from 1 to 10000"]),
            (learner("tie-orders = 0"), &["tie-orders of the learner \"mine\" is 0;", "from 1 to 10000"]),
            (learner("patience = 0"), &["patience of the learner \"mine\" is 0;", "from 1 to 1000000"]),
            (learner("restarts = 1000000000000"), &["restarts of the learner \"mine\"", "from 0 to 1000000"]),
            (learner("max-parents = -1"), &["max-parents of the learner \"mine\" is -1;", "whole number"]),
            (learner("test = 'mi-afd'"), &["test of the learner \"mine\"", "did you mean \"mi-adf\""]),
            (
                learner("score = 'bic'\niss = 3"),
                &["iss of the learner \"mine\" is not used", "score is bdeu or bds"],
            ),
            (
                learner("restrict = 'none'\nalpha = 0.1"),
                &["alpha of the learner \"mine\" is not used by tabu"],
            ),
            (
                learner("restrict = 'hcp'"),
                &["the learner \"mine\"", "no first half \"hcp\" (did you mean \"hpc\"?)"],
            ),
            (learner("bootstrap = 2"), &["bootstrap", "the settings are restrict, maximise, test"]),
            (learner("how-many = 5"), &["how-many", "the settings are restrict, maximise, test"]),
            (learner("whitelist = [['a', 'b']]"), &["whitelist", "the settings are"]),
            (learner("max-parents = nan"), &["max-parents = NaN", "finite"]),
            (learner("alpha = -inf"), &["alpha = -inf", "finite"]),
        ];
        for (text, parts) in cases {
            let message = study(&text).unwrap_err().to_string();
            parts.iter().for_each(|part| assert!(message.contains(part), "{part:?} is not in {message:?}"));
        }
    }
}
