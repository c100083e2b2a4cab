//! The settings of a learner as keywords, and their default values.

use ossature::learn::{Asked, Catalogue, How, LearnerRow, Preset, Setting, Takes, Value};
use ossature::word::Word;

/// Settings that are not a keyword of a class, and what replaces them.
pub(super) const ELSEWHERE: [(&str, &str); 2] =
    [("skeleton", "`Hybrid(restrict=…)`"), ("bootstrap", "`ossature.bootstrap`")];

/// A setting of a learner, with its value under each preset that uses it.
pub(super) struct Keyword<'a> {
    pub(super) setting: &'a Setting,
    values: Vec<(&'static str, Option<Value>)>,
}

/// The keywords of a class that stands for one learner or, if its halves are chosen, for several.
pub(super) fn keywords<'a>(catalogue: &'a Catalogue, rows: &[LearnerRow]) -> Vec<Keyword<'a>> {
    let used = |setting: &Setting| {
        rows.iter().any(|row| catalogue.used_by(row).iter().any(|used| used.name == setting.name))
    };
    let keyword = |setting: &&Setting| !ELSEWHERE.iter().any(|(name, _)| *name == setting.name);
    let values = |setting| {
        let of_row = |row| Preset::WORDS.iter().filter_map(move |p| value(catalogue, row, *p, setting));
        rows.iter().flat_map(of_row).collect()
    };
    let settings = catalogue.settings.iter().filter(|s| used(s)).filter(keyword);
    settings.map(|setting| Keyword { setting, values: values(setting) }).collect()
}

/// The name of the preset, and the value under it if the setting is used.
fn value(
    catalogue: &Catalogue,
    row: &LearnerRow,
    (preset, word, _): (Preset, &'static str, &str),
    setting: &Setting,
) -> Option<(&'static str, Option<Value>)> {
    let asked = match row.how {
        How::Halves { restrict, maximise } if row.name.is_empty() => {
            let half = |half: Option<&str>| Some(half.unwrap_or("none").to_owned());
            Asked { restrict: half(restrict), maximise: half(maximise), ..Asked::default() }
        }
        _ => Asked::learner(row.name),
    };
    let settings = catalogue.resolve(&Asked { preset: Some(preset), ..asked }).unwrap();
    settings.uses(setting).then(|| (word, settings.value(setting)))
}

/// Every pair of halves, as a learner without a name.
pub(super) fn halves(catalogue: &Catalogue) -> Vec<LearnerRow> {
    let first = || catalogue.first.iter().map(|half| Some(half.name)).chain([None]);
    let second = || catalogue.second.iter().map(|half| Some(half.name)).chain([None]);
    let row = |restrict, maximise| LearnerRow {
        name: "",
        class: "",
        title: "",
        citation: "",
        how: How::Halves { restrict, maximise },
        defaults: &[],
    };
    let pairs = first().flat_map(|r| second().map(move |m| (r, m)));
    pairs.filter(|(r, m)| r.is_some() || m.is_some()).map(|(r, m)| row(r, m)).collect()
}

impl Keyword<'_> {
    /// The value that the signature shows; `None` if it depends on the preset.
    pub(super) fn default(&self) -> Option<Value> {
        match self.values.split_first() {
            None => (self.setting.default)(),
            Some(((_, first), rest)) if rest.iter().all(|(_, value)| value == first) => first.clone(),
            Some(_) => None,
        }
    }

    /// The meaning of None, if it has one.
    pub(super) fn none(&self) -> Option<String> {
        if self.default().is_some() {
            return None;
        }
        let Some(((_, usual), _)) = self.values.split_first() else { return self.without() };
        let mut others: Vec<(String, Vec<&str>)> = Vec::new();
        for (preset, value) in self.values.iter().filter(|(_, value)| value != usual) {
            let value = value.as_ref().map(plain).unwrap_or_default();
            match others.iter_mut().find(|(other, _)| *other == value) {
                Some((_, presets)) if presets.contains(preset) => {}
                Some((_, presets)) => presets.push(preset),
                None => others.push((value, vec![preset])),
            }
        }
        if others.is_empty() {
            return self.without();
        }
        let usual = usual.as_ref().map(plain).unwrap_or_default();
        let other =
            |(value, presets): &(String, Vec<&str>)| format!("{value} with {}", presets.join(" and "));
        let others: Vec<String> = others.iter().map(other).collect();
        Some(format!("as the preset has it, {usual}, or {}", others.join(", ")))
    }

    fn without(&self) -> Option<String> {
        Some(self.setting.without).filter(|without| !without.is_empty()).map(str::to_owned)
    }

    /// The Python type.
    pub(super) fn kind(&self) -> String {
        let kind = match self.setting.takes {
            Takes::Number { .. } => "float".to_owned(),
            Takes::Whole { .. } => "int".to_owned(),
            Takes::Word(_) => alias(self.setting),
            Takes::Pairs | Takes::Tiers => return "Any".into(),
        };
        let may_be_none = self.default().is_none() || (self.setting.default)().is_none();
        if may_be_none { format!("{kind} | None") } else { kind }
    }
}

/// The name of the type of the words that a setting accepts: `TestWord`.
pub(super) fn alias(setting: &Setting) -> String {
    let keyword = setting.python_keyword();
    let capital = |part: &str| part[..1].to_uppercase() + &part[1..];
    keyword.split('_').map(capital).collect::<String>() + "Word"
}

/// A value as people write it.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Whole(n) => n.to_string(),
        Value::Number(x) => x.to_string(),
        Value::Word(word) => word.clone(),
        Value::Pairs(_) | Value::Tiers(_) => "a list".into(),
    }
}

/// A value as Python writes it.
pub(super) fn literal(value: Option<&Value>) -> String {
    match value {
        None => "None".into(),
        Some(Value::Number(x)) => format!("{x:?}"),
        Some(Value::Word(word)) => format!("{word:?}"),
        Some(value) => plain(value),
    }
}
