//! Names that every BIF reader accepts, with the originals kept beside them.
//!
//! Other programs read letters, digits and underscores, and little else. Names that need more are written
//! in safe form, and the block of the variable has a property with the originals, which this reader
//! restores:
//!
//! ```text
//! variable age { type discrete [ 2 ] { inf_40, l_40_inf };
//!   property ossature = x%%age%%%28-inf%2C40%29%%%5B40%2Cinf%29; }
//! ```

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::syntax::{Blocks, Declaration};
use crate::data::Variable;
use crate::network::Network;

/// The prefix of the originals in a property.
const PROPERTY: &str = "ossature = x";
/// The separator between the name of a variable and its levels.
const BETWEEN: &str = "%%";

/// Words that have a meaning in BIF.
const KEYWORDS: [&str; 8] =
    ["network", "variable", "probability", "property", "type", "discrete", "table", "default"];

/// How the names of variables and levels are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BifLabels {
    /// Unchanged, unless one of them needs quotes, which few programs read: then all in safe form.
    #[default]
    Auto,
    /// In safe form if a name has more than letters, digits and underscores, with the original kept.
    Safe,
    /// Unchanged, in quotes if necessary.
    Quoted,
}

/// A variable as written in a file.
pub(super) struct SafeNames {
    pub(super) name: String,
    pub(super) levels: Vec<String>,
    /// The property that keeps the originals, if any name was changed.
    pub(super) property: Option<String>,
}

/// The safe names of all variables.
pub(super) fn of_network(network: &Network) -> Vec<SafeNames> {
    let names = unique(network.variables().iter().map(Variable::name));
    let levels = |v: &Variable| unique(v.levels().iter().map(String::as_str));
    let safe = |(v, name): (&Variable, String)| {
        let levels = levels(v);
        let changed = name != v.name() || levels != v.levels();
        SafeNames { property: changed.then(|| property(v)), name, levels }
    };
    network.variables().iter().zip(names).map(safe).collect()
}

/// The names in safe form, all distinct; names that are already safe stay.
fn unique<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let mut taken: FxHashSet<String> = names.clone().filter(|n| is_safe(n)).map(str::to_owned).collect();
    names
        .map(|name| {
            if is_safe(name) {
                return name.to_owned();
            }
            let plain = plain(name);
            let mut candidate = plain.clone();
            for n in 2.. {
                if taken.insert(candidate.clone()) {
                    break;
                }
                candidate = format!("{plain}_{n}");
            }
            candidate
        })
        .collect()
}

fn is_safe(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !KEYWORDS.contains(&name)
}

/// The letters and digits of a name, separated by single underscores; a sign before a number becomes a
/// letter.
fn plain(name: &str) -> String {
    let mut text = String::new();
    let mut open = false;
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        let minus = c == '-' && rest.peek().is_some_and(char::is_ascii_digit);
        if c.is_ascii_alphanumeric() || minus {
            if open && !text.is_empty() {
                text.push('_');
            }
            open = false;
            text.push(if minus { 'm' } else { c });
        } else {
            open = true;
        }
    }
    let starts_well = text.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
    if starts_well && !KEYWORDS.contains(&text.as_str()) { text } else { format!("l_{text}") }
}

fn property(variable: &Variable) -> String {
    let mut text = PROPERTY.to_owned();
    for name in [variable.name()].into_iter().chain(variable.levels().iter().map(String::as_str)) {
        text.push_str(BETWEEN);
        encode(name, &mut text);
    }
    text
}

fn encode(name: &str, out: &mut String) {
    for byte in name.bytes() {
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'-' => out.push(char::from(byte)),
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
}

fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first != b'%' {
            bytes.push(first);
            rest = after;
            continue;
        }
        let digits = after.get(..2).and_then(|d| std::str::from_utf8(d).ok())?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &after[2..];
    }
    String::from_utf8(bytes).ok()
}

/// The original name and levels in a property.
pub(super) fn originals(property: &str) -> Option<Vec<String>> {
    let mut rest = property.trim().strip_prefix(PROPERTY)?;
    let mut names = Vec::new();
    while let Some(after) = rest.strip_prefix(BETWEEN) {
        // An encoded name never ends in %, so the next %% is the first.
        let end = (0..after.len()).find(|&i| after.as_bytes()[i..].starts_with(b"%%"));
        let (name, next) = after.split_at(end.unwrap_or(after.len()));
        names.push(decode(name)?);
        rest = next;
    }
    rest.is_empty().then_some(names)
}

/// Replaces the safe names by the originals.
pub(super) fn restore(blocks: &mut Blocks<'_>) {
    let changed: FxHashMap<String, (String, FxHashMap<String, String>)> =
        blocks.variables.iter().filter_map(translation).collect();
    if changed.is_empty() {
        return;
    }
    for declaration in &mut blocks.variables {
        if let Some((name, levels)) = changed.get(&*declaration.name.text) {
            for state in &mut declaration.states {
                if let Some(level) = levels.get(&*state.text) {
                    state.text = Cow::Owned(level.clone());
                }
            }
            declaration.name.text = Cow::Owned(name.clone());
        }
    }
    for block in &mut blocks.probabilities {
        block.rename(
            |name| changed.get(name).map(|(name, _)| name.clone()),
            |parent, label| changed.get(parent)?.1.get(label).cloned(),
        );
    }
}

/// The originals of the safe names of a declaration, if it has them and the numbers of states
/// agree.
#[expect(clippy::type_complexity, reason = "a name, and what it and its levels stand for")]
fn translation(d: &Declaration<'_>) -> Option<(String, (String, FxHashMap<String, String>))> {
    let [name, levels @ ..] = d.originals.as_deref()? else { return None };
    if levels.len() != d.states.len() {
        return None;
    }
    let levels = d.states.iter().map(|s| s.text.to_string()).zip(levels.iter().cloned()).collect();
    Some((d.name.text.to_string(), (name.clone(), levels)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_safe_and_stay_different() {
        let names = ["yes", "(-inf,40)", "[40,60)", "40", "-40", "a b", "a-b", "table", "é", ""];
        let safe = unique(names.into_iter());
        assert_eq!(
            safe,
            ["yes", "inf_40", "l_40_60", "l_40", "m40", "a_b", "a_b_2", "l_table", "l_", "l__2"]
        );
        assert!(safe.iter().all(|name| is_safe(name)));
    }

    #[test]
    fn originals_come_back() {
        let names = ["a b", "(-inf,40)", "100%", "50%%", "é;\"\n", ""];
        let variable = Variable::new(names[0], names[1..].iter().copied()).expect("a variable");
        assert_eq!(originals(&property(&variable)).expect("names"), names);
        assert_eq!(originals("position = (1, 2)"), None);
        assert_eq!(originals("ossature = x%%%G1"), None);
    }
}
