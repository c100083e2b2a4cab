//! How a table was read, recorded in a result so that the result can be reproduced.

use serde_json::{Map, Value, json};

use super::{Continuous, ReadOptions, Variable};
use crate::error::{Error, Place, Result};

impl ReadOptions {
    /// The options as an object: `columns`, `drop`, `missing`, `missing_tokens`, `discretise`, `continuous`, `weights`,
    /// `levels` and `delimiter`, each in the notation of its option.
    ///
    /// ```
    /// use ossature::{Place, ReadOptions};
    ///
    /// let options = ReadOptions {
    ///     drop: vec!["id".into()],
    ///     discretise: vec!["age=quantile:5".parse()?],
    ///     ..ReadOptions::default()
    /// };
    /// let record = options.to_record();
    /// assert_eq!(record["discretise"][0], "age=quantile:5");
    /// assert_eq!(ReadOptions::from_record(&record, Place::file("learned.json"))?, options);
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn to_record(&self) -> Value {
        let levels = self.levels.as_ref().map(|variables| {
            let entry = |v: &Variable| (v.name().to_owned(), json!(v.levels()));
            Value::Object(variables.iter().map(entry).collect::<Map<_, _>>())
        });
        json!({
            "columns": self.columns,
            "drop": self.drop,
            "missing": self.missing.word(),
            "missing_tokens": self.missing_tokens,
            "discretise": self.discretise.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "continuous": match &self.continuous {
                Continuous::ByType => Value::Null,
                Continuous::Auto => json!("auto"),
                Continuous::Columns(names) => json!(names),
            },
            "weights": self.weights,
            "levels": levels,
            "delimiter": self.delimiter.map(|byte| char::from(byte).to_string()),
        })
    }

    /// The options of such a record. Missing keys have their defaults.
    pub fn from_record(record: &Value, place: Place) -> Result<ReadOptions> {
        let refuse = |key: &str| {
            let found = format!("an invalid {key:?} in \"read\"");
            Error::syntax(place.clone(), found, "how a table was read, as in an earlier result")
        };
        let given = |key: &str| record.get(key).filter(|value| !value.is_null());
        let texts = |key: &str| -> Result<Option<Vec<String>>> {
            let Some(value) = given(key) else { return Ok(None) };
            let texts = value.as_array().and_then(|list| {
                list.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
            });
            texts.map(Some).ok_or_else(|| refuse(key))
        };
        let word = |key: &str| given(key).map(|value| value.as_str().ok_or_else(|| refuse(key))).transpose();
        let usual = ReadOptions::default();
        let wishes = texts("discretise")?.unwrap_or_default();
        let levels = given("levels").map(|levels| {
            let variable = |(name, labels): (&String, &Value)| {
                let labels: Option<Vec<&str>> =
                    labels.as_array().and_then(|list| list.iter().map(Value::as_str).collect());
                Variable::new(name, labels.ok_or_else(|| refuse("levels"))?)
            };
            levels.as_object().ok_or_else(|| refuse("levels"))?.iter().map(variable).collect()
        });
        let continuous = match given("continuous") {
            None => Continuous::ByType,
            Some(Value::String(word)) if word == "auto" => Continuous::Auto,
            Some(_) => Continuous::Columns(texts("continuous")?.unwrap_or_default()),
        };
        let delimiter = word("delimiter")?.map(|text| match text.as_bytes() {
            [byte] => Ok(*byte),
            _ => Err(refuse("delimiter")),
        });
        Ok(ReadOptions {
            columns: texts("columns")?,
            drop: texts("drop")?.unwrap_or_default(),
            missing: word("missing")?.map_or(Ok(usual.missing), str::parse).map_err(|_| refuse("missing"))?,
            missing_tokens: texts("missing_tokens")?.unwrap_or(usual.missing_tokens),
            discretise: wishes
                .iter()
                .map(|wish| wish.parse().map_err(|_| refuse("discretise")))
                .collect::<Result<_>>()?,
            continuous,
            weights: word("weights")?.map(str::to_owned),
            levels: levels.transpose()?,
            delimiter: delimiter.transpose()?,
            ..ReadOptions::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::MissingPolicy;

    #[test]
    fn a_record_says_everything_and_is_checked() {
        let options = ReadOptions {
            delimiter: Some(b';'),
            missing_tokens: vec!["".into(), "-9".into()],
            missing: MissingPolicy::Level,
            discretise: vec!["a=cuts:0,1.5".parse().unwrap(), "*=width:3".parse().unwrap()],
            continuous: Continuous::Columns(vec!["c".into()]),
            weights: Some("n".into()),
            levels: Some(vec![Variable::new("b", ["z", "y"]).unwrap()]),
            columns: Some(vec!["a".into(), "b".into()]),
            ..ReadOptions::default()
        };
        let record = options.to_record();
        assert_eq!(ReadOptions::from_record(&record, Place::file("x")).unwrap(), options);
        assert_eq!(ReadOptions::from_record(&json!({}), Place::file("x")).unwrap(), ReadOptions::default());
        for (key, bad) in [
            ("columns", json!("a")),
            ("drop", json!([1])),
            ("missing", json!("maybe")),
            ("discretise", json!(["a"])),
            ("continuous", json!("some")),
            ("weights", json!(["n"])),
            ("levels", json!({"a": [1]})),
            ("levels", json!([])),
            ("delimiter", json!("ab")),
        ] {
            let mut record = record.clone();
            record[key] = bad;
            let refused = ReadOptions::from_record(&record, Place::file("x")).unwrap_err().to_string();
            assert!(refused.starts_with(&format!("x: found an invalid \"{key}\"")), "{refused}");
        }
    }
}
