//! A setting: its row in the catalogue, and the values it takes.

use serde::Serialize;
use serde_json::Value as Json;

use crate::error::{Error, Result};
use crate::word::Word;

/// A setting of a learner. The command's options, Python's keywords, the files of a study and the
/// documentation are made from rows like this one.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Its name, with hyphens; Python and JSON use underscores instead.
    pub name: &'static str,
    /// The values it takes, with bounds.
    pub takes: Takes,
    /// Its default value; `None` if the setting is off, or determined by another one.
    pub default: fn() -> Option<Value>,
    /// The meaning of no value, for people: "no limit".
    pub without: &'static str,
    /// The placeholder for the value in a line of help.
    pub value_name: &'static str,
    /// Its section in the help.
    pub heading: Heading,
    /// One sentence without a full stop.
    pub help: &'static str,
    /// Further sentences, if any.
    pub detail: &'static str,
    /// The setting it depends on, and the words of that setting with which it is used.
    pub only_with: Option<(&'static str, &'static [&'static str])>,
    /// Its keyword in Python if different from its name.
    pub keyword: Option<&'static str>,
}

/// What a setting takes.
#[derive(Debug, Clone, Copy)]
pub enum Takes {
    /// A number between two bounds.
    Number {
        /// The lower bound.
        from: f64,
        /// The upper bound.
        to: f64,
        /// Whether the bounds themselves are accepted.
        closed: bool,
    },
    /// A whole number within inclusive bounds.
    Whole {
        /// The smallest.
        from: u64,
        /// The largest.
        to: u64,
    },
    /// One of a few words.
    Word(fn() -> Words),
    /// Pairs of names, such as arcs.
    Pairs,
    /// Names with a whole number each.
    Tiers,
}

/// The words of a setting.
#[derive(Debug, Clone)]
pub struct Words {
    /// Each with a line of help.
    pub words: Vec<(&'static str, &'static str)>,
    /// Other accepted words, with the word they stand for.
    pub aliases: Vec<(&'static str, &'static str)>,
}

/// The words of an enum, for a row.
pub fn words<W: Word>() -> Words {
    Words {
        words: W::WORDS.iter().map(|(_, word, help)| (*word, *help)).collect(),
        aliases: W::ALIASES.iter().map(|(alias, variant)| (*alias, variant.word())).collect(),
    }
}

/// The section of the help that contains a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Heading {
    /// How independence is tested.
    Tests,
    /// How the graph is searched for.
    Search,
    /// Prior knowledge.
    Knowledge,
    /// How the learner is run.
    Run,
}

/// The value of a setting.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Whole(u64),
    /// A number.
    Number(f64),
    /// A word.
    Word(String),
    /// Pairs of names.
    Pairs(Vec<(String, String)>),
    /// Names with their tiers.
    Tiers(Vec<(String, i64)>),
}

impl Value {
    /// The word of an enum's variant.
    pub fn word(word: impl Word) -> Value {
        Value::Word(word.word().to_owned())
    }
}

impl Setting {
    /// Whether the setting it depends on has one of the words with which it is used.
    pub(super) fn is_met(&self, values: &[(&'static str, Option<Value>)]) -> bool {
        let Some((other, words)) = self.only_with else { return true };
        let value = values.iter().find(|(name, _)| *name == other).and_then(|(_, value)| value.as_ref());
        matches!(value, Some(Value::Word(word)) if words.contains(&word.as_str()))
    }

    /// The error for a setting that depends on another one with a different word.
    pub(super) fn not_used_here(&self) -> Error {
        let (other, words) = self.only_with.unwrap_or_default();
        Error::Setting {
            name: self.name.to_owned(),
            problem: "is not used here".into(),
            accepted: format!("it is used when {other} is {}", words.join(" or ")),
        }
    }

    /// Its name in JSON, and in Python unless it has another keyword there.
    pub fn key(&self) -> String {
        self.name.replace('-', "_")
    }

    /// Its keyword in Python.
    pub fn python_keyword(&self) -> String {
        self.keyword.map_or_else(|| self.key(), str::to_owned)
    }

    /// What is accepted, for an error and for the documentation.
    pub fn accepted(&self) -> String {
        match self.takes {
            Takes::Number { from, to, closed: true } => format!("a number from {from} to {to}"),
            Takes::Number { from, to, closed: false } => format!("a number above {from} and below {to}"),
            Takes::Whole { from, to } => match to {
                u64::MAX => format!("a whole number of at least {from}"),
                _ => format!("a whole number from {from} to {to}"),
            },
            Takes::Word(words) => {
                let words: Vec<&str> = words().words.iter().map(|(word, _)| *word).collect();
                format!("one of {}", words.join(", "))
            }
            Takes::Pairs => "pairs of names".into(),
            Takes::Tiers => "names with a whole number each".into(),
        }
    }

    /// The value for a text, as typed at a command line.
    pub fn parse(&self, text: &str) -> Result<Value> {
        let value = match self.takes {
            Takes::Number { .. } => text.parse().ok().map(Value::Number),
            Takes::Whole { .. } => text.parse().ok().map(Value::Whole),
            Takes::Word(_) => Some(Value::Word(text.to_owned())),
            Takes::Pairs | Takes::Tiers => None,
        };
        self.check(value.ok_or_else(|| self.refused(text))?)
    }

    /// No value, for a setting that may have none; a setting with a default always has a value.
    pub fn none(&self) -> Result<Option<Value>> {
        match (self.default)() {
            None => Ok(None),
            Some(_) => Err(self.refused("null")),
        }
    }

    /// The value in a JSON document; `null` is no value, if that is allowed.
    pub fn from_json(&self, json: &Json) -> Result<Option<Value>> {
        let name = |json: &Json| json.as_str().map(str::to_owned);
        let pair = |json: &Json| match json.as_array()?.as_slice() {
            [x, y] => Some((x.clone(), y.clone())),
            _ => None,
        };
        let pairs = || json.as_array()?.iter().map(pair).collect::<Option<Vec<_>>>();
        let value = match (self.takes, json) {
            (_, Json::Null) => return self.none(),
            (Takes::Number { .. }, _) => json.as_f64().map(Value::Number),
            (Takes::Whole { .. }, _) => json.as_u64().map(Value::Whole),
            (Takes::Word(_), _) => name(json).map(Value::Word),
            (Takes::Pairs, _) => pairs().and_then(|pairs| {
                let names = pairs.iter().map(|(x, y)| Some((name(x)?, name(y)?)));
                names.collect::<Option<Vec<_>>>().map(Value::Pairs)
            }),
            (Takes::Tiers, _) => pairs().and_then(|pairs| {
                let tiers = pairs.iter().map(|(v, tier)| Some((name(v)?, tier.as_i64()?)));
                tiers.collect::<Option<Vec<_>>>().map(Value::Tiers)
            }),
        };
        self.check(value.ok_or_else(|| self.refused(&json.to_string()))?).map(Some)
    }

    /// The value if it is of the right kind and within bounds; a word in its canonical form.
    pub fn check(&self, value: Value) -> Result<Value> {
        let refused = |found: String| Err(self.refused(&found));
        match (self.takes, value) {
            (Takes::Number { from, to, closed }, Value::Number(x)) => {
                let inside = if closed { (from..=to).contains(&x) } else { x > from && x < to };
                if inside { Ok(Value::Number(x)) } else { refused(x.to_string()) }
            }
            (Takes::Whole { from, to }, Value::Whole(n)) => {
                if (from..=to).contains(&n) {
                    Ok(Value::Whole(n))
                } else {
                    refused(n.to_string())
                }
            }
            (Takes::Word(words), Value::Word(word)) => self.known_word(&words(), &word),
            (Takes::Pairs, value @ Value::Pairs(_)) | (Takes::Tiers, value @ Value::Tiers(_)) => Ok(value),
            (_, value) => refused(serde_json::to_string(&value).unwrap_or_default()),
        }
    }

    fn known_word(&self, Words { words, aliases }: &Words, word: &str) -> Result<Value> {
        let meant = aliases.iter().find(|(alias, _)| *alias == word).map_or(word, |(_, meant)| meant);
        if words.iter().any(|(known, _)| *known == meant) {
            return Ok(Value::Word(meant.to_owned()));
        }
        let nearest = crate::error::nearest(word, words.iter().map(|(known, _)| *known));
        let guess = nearest.map(|near| format!(" (did you mean {near:?}?)")).unwrap_or_default();
        Err(Error::Setting {
            name: self.name.to_owned(),
            problem: format!("is {word:?}{guess}"),
            accepted: format!("{} is accepted", self.accepted()),
        })
    }

    fn refused(&self, found: &str) -> Error {
        Error::Setting {
            name: self.name.to_owned(),
            problem: format!("is {found}"),
            accepted: format!("{} is accepted", self.accepted()),
        }
    }
}
