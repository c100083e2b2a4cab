//! Levels declared in a JSON file.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use super::Variable;
use crate::error::{Error, Place, Result};
use crate::text::thousands;

/// What is accepted, for an error.
const FORM: &str = "an object such as {\"variable\": [\"level\", \"level\"]}";

/// Variables and their levels from a JSON object `{"variable": ["level", …], …}`.
///
/// ```
/// let levels = ossature::data::read_levels_json(r#"{"rain": ["no", "yes"]}"#, "levels.json")?;
/// assert_eq!(levels[0].levels(), ["no", "yes"]);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn read_levels_json(text: &str, file: &str) -> Result<Vec<Variable>> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let Entries(entries) = serde_json::from_str(text).map_err(|e| Error::json(&e, file, FORM))?;
    let mut seen = rustc_hash::FxHashSet::default();
    if let Some((name, _)) = entries.iter().find(|(name, _)| !seen.insert(name.as_str())) {
        return Err(Error::Duplicate {
            what: "variable",
            name: name.clone(),
            place: Some(Place::file(file)),
        });
    }
    let variable = |(name, levels): (String, Vec<String>)| {
        Variable::new(&name, levels).map_err(|e| match e {
            Error::Mismatch { what, accepted } => {
                Error::Mismatch { what: format!("{file}: {what}"), accepted }
            }
            Error::TooManyLevels { limit, .. } => Error::Mismatch {
                what: format!("{file}: variable {name:?} has more than {} levels", thousands(limit as u64)),
                accepted: "fewer are accepted".into(),
            },
            other => other,
        })
    };
    entries.into_iter().map(variable).collect()
}

/// The entries of the object in order; a map would lose a duplicate name.
struct Entries(Vec<(String, Vec<String>)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Entries, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(FORM)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        read_levels_json(text, "levels.json").unwrap_err().to_string()
    }

    #[test]
    fn levels_keep_their_order() {
        let levels =
            read_levels_json("\u{FEFF}{\"b\": [\"z\", \"NA\"], \"a\": [\"1\"]}", "levels.json").unwrap();
        assert_eq!(levels.iter().map(Variable::name).collect::<Vec<_>>(), ["b", "a"]);
        assert_eq!(levels[0].levels(), ["z", "NA"]);
    }

    #[test]
    fn what_is_not_levels_is_refused_with_its_place() {
        assert!(
            refused("{\"a\":\n [\"x\", 1]}").starts_with(
                "levels.json, line 2, column 8: found an integer `1`, expected an object such as"
            )
        );
        assert!(refused("{\"a\": \"yes\"}").contains("found a string \"yes\", expected an object such as"));
        assert!(refused("?").contains("found a text that is not JSON (expected value), expected an object"));
        assert!(refused("[]").contains("expected an object such as"));
        assert!(refused("{\"a\": [\"x\"]").contains("EOF"));
        assert_eq!(refused("{\"a\": [\"x\"], \"a\": [\"y\"]}"), "levels.json: variable \"a\" occurs twice");
        assert!(refused("{\"a\": []}").starts_with("levels.json: variable \"a\" has no levels"));
        assert!(
            refused("{\"a\": [\"x\", \"x\"]}")
                .starts_with("levels.json: variable \"a\" has the level \"x\" twice")
        );
        let many: Vec<String> = (0..70_000).map(|i| format!("\"{i}\"")).collect();
        let many = refused(&format!("{{\"a\": [{}]}}", many.join(",")));
        assert!(many.starts_with("levels.json: variable \"a\" has more than 65,"), "{many}");
    }
}
