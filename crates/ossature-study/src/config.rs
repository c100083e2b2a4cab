//! A study from a TOML file. The names are those of the command's options.
//!
//! ```toml
//! seed = 1
//! networks = ["child", "own.bif"]
//! sizes = [100, 1000]
//! samples = 5
//! learners = ["h2pc", "strict"]   # default: every [[learner]], or else h2pc and mmhc
//!
//! [[learner]]
//! name = "strict"
//! learner = "h2pc"
//! alpha = 0.01
//! weak-learner = "fdr-iapc"
//! ```

use std::path::Path;

use ossature::error::{Place, nearest};
use ossature::{Error, Result, Settings, file};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::plan::{NamedLearner, NetworkSource, Study};

/// What a file or the options of the command say of a study; what they leave open stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The seed.
    pub seed: Option<u64>,
    /// Embedded names and BIF files.
    pub networks: Option<Vec<String>>,
    /// Rows of a sample.
    pub sizes: Option<Vec<usize>>,
    /// Samples of each size.
    pub samples: Option<usize>,
    /// Names of learners: those of the library, and those that are described here.
    pub learners: Option<Vec<String>>,
    /// The rows of new data.
    pub new_rows: Option<usize>,
    /// Whether cells are timed too.
    pub timing: Option<bool>,
    /// Learners with settings of their own.
    pub learner: Vec<toml::Table>,
}

/// What a learner of a study cannot have, as its variables have other names in every sample.
const NOT_HERE: [&str; 5] = ["bootstrap", "whitelist", "blacklist", "tiers", "start"];

impl Config {
    /// Reads a file; an error says the line and what would be accepted.
    pub fn read(path: &Path) -> Result<Config> {
        Config::parse(&file::read_text(path)?, &path.display().to_string())
    }

    fn parse(text: &str, name: &str) -> Result<Config> {
        toml::from_str(text).map_err(|e| {
            let before = e.span().map(|span| &text[..span.start.min(text.len())]);
            let line = before.map(|b| 1 + b.matches('\n').count() as u64);
            let place = Place { line, ..Place::file(name) };
            let what = e.message().replace('\n', " ");
            let (found, expected) = what.split_once(", expected ").unwrap_or((&what, "a study in TOML"));
            Error::Syntax { place, found: found.to_owned(), expected: expected.to_owned() }
        })
    }

    /// The same, with what the other says in its place.
    #[must_use]
    pub fn overridden_by(self, other: Config) -> Config {
        Config {
            seed: other.seed.or(self.seed),
            networks: other.networks.or(self.networks),
            sizes: other.sizes.or(self.sizes),
            samples: other.samples.or(self.samples),
            learners: other.learners.or(self.learners),
            new_rows: other.new_rows.or(self.new_rows),
            timing: other.timing.or(self.timing),
            learner: if other.learner.is_empty() { self.learner } else { other.learner },
        }
    }

    /// The study that begins as `base`.
    pub fn study(self, base: Study) -> Result<Study> {
        let described = self.learner.iter().map(learner).collect::<Result<Vec<NamedLearner>>>()?;
        let learners = match self.learners {
            Some(names) => names.iter().map(|name| named(name, &described)).collect::<Result<_>>()?,
            None if described.is_empty() => base.learners,
            None => described,
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
            shard: base.shard,
        })
    }
}

/// A learner by name: one that is described, or one of the library.
fn named(name: &str, described: &[NamedLearner]) -> Result<NamedLearner> {
    if let Some(found) = described.iter().find(|l| l.name == name) {
        return Ok(found.clone());
    }
    let mut known: Vec<&str> = Settings::learners().collect();
    known.extend(described.iter().map(|l| l.name.as_str()));
    NamedLearner::of(name).map_err(|_| Error::unknown_name("learner", name, known, None))
}

/// A learner from its table: the settings of a learner of the library, some of them changed.
fn learner(table: &toml::Table) -> Result<NamedLearner> {
    let text = |key: &str| match table.get(key) {
        None => Ok(None),
        Some(toml::Value::String(text)) => Ok(Some(text.as_str())),
        Some(other) => Err(Error::Mismatch {
            what: format!("{key} of a [[learner]] is {other:?}"),
            accepted: format!("{key} takes a text"),
        }),
    };
    let Some(base) = text("learner")? else {
        let known = Settings::learners().collect::<Vec<_>>().join(", ");
        return Err(Error::Mismatch {
            what: "a [[learner]] does not say which learner it is".into(),
            accepted: format!("learner = \"…\" takes one of {known}"),
        });
    };
    let name = text("name")?.unwrap_or(base);
    let settings = Settings::of(base, text("preset")?.unwrap_or("paper"))?;
    let mut fields = as_object(&settings);
    for (key, value) in table.iter().filter(|(key, _)| !["name", "learner", "preset"].contains(&key.as_str()))
    {
        set(&mut fields, name, key, value)?;
    }
    let settings = serde_json::from_value(Value::Object(fields)).map_err(|e| Error::Mismatch {
        what: format!("the settings of the learner {name:?} do not fit: {e}"),
        accepted: "each is a number or a text, as `ossature learn --help` has it".into(),
    })?;
    Ok(NamedLearner { name: name.to_owned(), settings })
}

fn as_object(settings: &Settings) -> Map<String, Value> {
    match serde_json::to_value(settings) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// Sets one field, and says of which type it must be if it is of another.
fn set(fields: &mut Map<String, Value>, learner: &str, key: &str, value: &toml::Value) -> Result<()> {
    let field = key.replace('-', "_");
    if !fields.contains_key(&field) || key.contains('_') || NOT_HERE.contains(&key) {
        let known: Vec<String> =
            fields.keys().map(|k| k.replace('_', "-")).filter(|k| !NOT_HERE.contains(&k.as_str())).collect();
        let meant = nearest(key, known.iter().map(String::as_str));
        let meant = meant.map(|m| format!(" (did you mean {m}?)")).unwrap_or_default();
        return Err(Error::Mismatch {
            what: format!("the learner {learner:?} has a setting {key:?}{meant}"),
            accepted: format!("the settings are {}", known.join(", ")),
        });
    }
    let value = match value {
        toml::Value::String(text) => Value::from(text.as_str()),
        // JSON has no such numbers, and would take them for no setting at all.
        toml::Value::Float(number) if !number.is_finite() => {
            return Err(Error::Mismatch {
                what: format!("the learner {learner:?} has {key} = {number}"),
                accepted: "a number that is finite".into(),
            });
        }
        toml::Value::Integer(number) => Value::from(*number),
        toml::Value::Float(number) => Value::from(*number),
        other => serde_json::to_value(other).unwrap_or_default(),
    };
    fields.insert(field, value.clone());
    let attempt: std::result::Result<Settings, _> = serde_json::from_value(Value::Object(fields.clone()));
    attempt.map(drop).map_err(|e| Error::Mismatch {
        what: format!("the learner {learner:?} has {key} = {value}"),
        accepted: e.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn study(text: &str) -> Result<Study> {
        Config::parse(text, "study.toml")?.study(Study::default())
    }

    #[test]
    fn a_file_changes_what_it_names() {
        let found = study(
            "sizes = [7]\nlearners = ['mmhc', 'strict']\n[[learner]]\nname = 'strict'\nlearner = 'h2pc'\n\
             alpha = 0.01\nweak-learner = 'fdr-iapc'\ntie-orders = 1\npower-rule = 3\n",
        )
        .unwrap();
        assert_eq!((found.sizes, found.samples), (vec![7], 10));
        assert_eq!(found.learners[0], NamedLearner::of("mmhc").unwrap());
        let strict = &found.learners[1];
        assert_eq!((strict.name.as_str(), strict.settings.alpha), ("strict", 0.01));
        assert_eq!(strict.settings.weak_learner, "fdr-iapc");
        assert_eq!(strict.settings.power_rule, Some(3));
    }

    #[test]
    fn the_learners_that_are_described_are_those_that_run() {
        let found = study("[[learner]]\nlearner = 'hc'\n").unwrap();
        assert_eq!(found.learners, [NamedLearner::of("hc").unwrap()]);
        assert_eq!(study("").unwrap(), Study::default());
    }

    #[test]
    fn options_win_over_the_file() {
        let file = Config { samples: Some(3), seed: Some(1), ..Config::default() };
        let both = file.overridden_by(Config { samples: Some(4), ..Config::default() });
        assert_eq!((both.samples, both.seed), (Some(4), Some(1)));
    }

    #[test]
    fn an_error_says_where_and_what_would_be_accepted() {
        for (text, parts) in [
            ("seed = 1\nsizs = [1]", &["study.toml, line 2", "sizs", "`sizes`"][..]),
            ("samples = 'many'", &["study.toml, line 1", "many", "usize"]),
            ("sizes = [", &["study.toml, line 1"]),
            ("networks = ['alram']", &["alram", "did you mean \"alarm\""]),
            ("learners = ['h3pc']", &["h3pc", "did you mean \"h2pc\""]),
            ("[[learner]]\nname = 'x'", &["which learner", "h2pc, mmhc"]),
            ("[[learner]]\nlearner = 'h2pc'\nalpah = 1", &["alpah", "did you mean alpha", "tie-orders"]),
            ("[[learner]]\nlearner = 'h2pc'\nalpha = 'a'", &["alpha = \"a\"", "f64"]),
            ("[[learner]]\nlearner = 'h2pc'\nbootstrap = 2", &["bootstrap", "the settings are"]),
            ("[[learner]]\nlearner = 3", &["learner takes a text"]),
            ("[[learner]]\nlearner = 'h2pc'\nmax-parents = nan", &["max-parents = NaN", "finite"]),
            ("[[learner]]\nlearner = 'h2pc'\nalpha = -inf", &["alpha = -inf", "finite"]),
        ] {
            let message = study(text).unwrap_err().to_string();
            parts.iter().for_each(|part| assert!(message.contains(part), "{part:?} is not in {message:?}"));
        }
    }
}
