//! Errors, worded for the person who has to fix the problem.
//!
//! Every message has three parts: what was found, where, and what would be accepted. [`Place`] is
//! the "where": a file, and if known a line and a column. Questions that always have an answer do
//! not return a [`Result`]: data, graphs and networks are checked on construction.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::text::{listed, thousands, visible};

/// The result of everything that can fail because of its input.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an input was refused or a run ended without an answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused to read or write a file.
    #[error("cannot {action} {}: {source}", .path.display())]
    Io {
        /// What was tried: `read`, `write`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file does not have the expected form.
    #[error("{place}: found {found}, expected {expected}")]
    Syntax {
        /// Where the form breaks.
        place: Place,
        /// What was found there.
        found: String,
        /// What would have been accepted.
        expected: String,
    },
    /// It is not clear what separates the fields of a table.
    #[error("{place}: found {found}, expected {expected}")]
    Delimiter {
        /// The file, or the line of it.
        place: Place,
        /// What was found there.
        found: String,
        /// What would have been accepted.
        expected: String,
    },
    /// A column has no name.
    #[error("{place}: found no name for column {} of {}, expected {}", thousands(*.column as u64), thousands(*.columns as u64), unnamed_hint(*.column))]
    Unnamed {
        /// The line with the names, or the file.
        place: Place,
        /// The number of the column, counted from 1.
        column: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A value is not one of the levels that were declared for its variable.
    #[error("{place}: {found:?} is not a level of {}{}; its levels are {}", visible(.variable), did_you_mean(.nearest), listed_names(.levels))]
    UnknownLevel {
        /// Where the value is.
        place: Place,
        /// The variable.
        variable: String,
        /// The value.
        found: String,
        /// The level that was probably meant.
        nearest: Option<String>,
        /// The declared levels.
        levels: Vec<String>,
    },
    /// Values are missing, and the policy is to refuse them.
    #[error("{first}: {} missing value{}, in {}; drop these rows, make the missing value a separate level, or use the available values", thousands(*.total), if *.total == 1 { "" } else { "s" }, listed_counts(.columns))]
    Missing {
        /// The number of missing values.
        total: u64,
        /// The columns, and the number in each.
        columns: Vec<(String, u64)>,
        /// Where the first of them is.
        first: Place,
    },
    /// A column has more levels than a discrete variable can have here.
    #[error("column {column:?} has more than {} different values{}", thousands(*.limit as u64), too_many_hint(*.numeric, *.identifier))]
    TooManyLevels {
        /// The column.
        column: String,
        /// The largest accepted number of levels.
        limit: usize,
        /// Whether the values are all numbers, which could be discretised.
        numeric: bool,
        /// Whether these are whole numbers, a different one in each row.
        identifier: bool,
    },
    /// An unknown name.
    #[error("{}there is no {what} {name:?}{}", prefix(.place), did_you_mean(.nearest))]
    UnknownName {
        /// What kind of thing was searched for: `variable`, `network`, `column`.
        what: &'static str,
        /// The name.
        name: String,
        /// The name that was probably meant.
        nearest: Option<String>,
        /// Where the name was used, if it was in a file.
        place: Option<Place>,
    },
    /// Two things that must differ have the same name.
    #[error("{}{what} {name:?} occurs twice", prefix(.place))]
    Duplicate {
        /// What kind of thing: `column`, `variable`, `level`.
        what: &'static str,
        /// The name.
        name: String,
        /// Where the second one is.
        place: Option<Place>,
    },
    /// Arcs that ought to form an acyclic graph do not.
    #[error("{}the arcs form a cycle: {}", prefix(.place), visible(&.cycle.join(" -> ")))]
    Cycle {
        /// The nodes of one cycle in order, the first one repeated at the end.
        cycle: Vec<String>,
        /// The file, if there is one.
        place: Option<Place>,
    },
    /// Two inputs, each fine by itself, do not fit together.
    #[error("{what}; {accepted}")]
    Mismatch {
        /// What does not fit.
        what: String,
        /// What would be accepted.
        accepted: String,
    },
    /// A setting has an invalid value, or is not used.
    #[error("the setting {name} {problem}; {accepted}")]
    Setting {
        /// The setting.
        name: String,
        /// What is wrong with it, as the rest of a sentence: `is 0`.
        problem: String,
        /// What would be accepted.
        accepted: String,
    },
    /// An answer would need more memory than is reasonable.
    #[error("{what} would need {} entries; the limit is {}", entries(*.size), thousands(*.limit))]
    TooLarge {
        /// What would be so large.
        what: String,
        /// The number of entries it would need; the largest `u128` stands for that many or more.
        size: u128,
        /// The largest accepted number.
        limit: u64,
    },
    /// The system cannot provide enough memory.
    #[error("not enough memory for {what}, which takes {}", gibibytes(*.bytes))]
    Memory {
        /// What would need it.
        what: String,
        /// How many bytes.
        bytes: u128,
    },
    /// The evidence is impossible.
    #[error("{}the network rules this out: {evidence}; its probability is 0", prefix(.place))]
    Impossible {
        /// The row, if the evidence is one of many rows.
        place: Option<Place>,
        /// A minimal part of the evidence that is impossible.
        evidence: String,
    },
    /// The run was stopped from outside before it had an answer.
    #[error("stopped before there was a result")]
    Stopped,
}

impl Error {
    pub(crate) fn io(action: &'static str, path: &Path, source: io::Error) -> Error {
        Error::Io { action, path: path.to_path_buf(), source }
    }

    pub(crate) fn syntax(place: Place, found: impl Into<String>, expected: impl Into<String>) -> Error {
        Error::Syntax { place, found: found.into(), expected: expected.into() }
    }

    /// The error for a text that is not JSON, or not of the expected form.
    pub fn json(error: &serde_json::Error, file: &str, expected: &str) -> Error {
        let place = Place::line(file, error.line() as u64);
        let place = if error.column() > 0 { place.column(error.column().to_string()) } else { place };
        let message = error.to_string();
        // The place is said once.
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
        if !error.is_data() {
            return Error::syntax(place, format!("a text that is not JSON ({message})"), expected);
        }
        let message = message.strip_prefix("invalid type: ").unwrap_or(message);
        let (found, expected) = match message.split_once(", expected ") {
            // A structure of the language says less than the form.
            Some((found, "a sequence" | "a map" | "a string")) => (found, expected),
            Some(both) => both,
            None => (message, expected),
        };
        let article = match found.split([' ', ',']).next() {
            Some("sequence" | "map" | "string" | "boolean" | "floating") => "a ",
            Some("integer") => "an ",
            _ => "",
        };
        Error::syntax(place, format!("{article}{found}"), expected)
    }

    /// An error if the system cannot provide this much memory at once, for work that would take it in small parts.
    pub(crate) fn unless_memory(bytes: u128, what: impl FnOnce() -> String) -> Result<()> {
        let whole = usize::try_from(bytes).unwrap_or(usize::MAX);
        Vec::<u8>::new().try_reserve_exact(whole).map_err(|_| Error::Memory { what: what(), bytes })
    }

    /// The error for a name that is not among `known`, with the one that was probably meant.
    pub fn unknown_name<'a>(
        what: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
        place: Option<Place>,
    ) -> Error {
        Error::UnknownName { what, name: name.to_owned(), nearest: nearest(name, known), place }
    }
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file as it was named, or `<stdin>`.
    pub file: String,
    /// The line, counted from 1.
    pub line: Option<u64>,
    /// The column of a table by name, or the column of a text by number.
    pub column: Option<String>,
}

impl Place {
    /// A whole file.
    pub fn file(file: impl Into<String>) -> Place {
        Place { file: file.into(), line: None, column: None }
    }

    /// A line of a file.
    pub fn line(file: impl Into<String>, line: u64) -> Place {
        Place { file: file.into(), line: Some(line), column: None }
    }

    /// The line and the column of a byte of a text. Found by counting, which only an error pays for.
    pub(crate) fn in_text(file: &str, text: &str, at: usize) -> Place {
        let before = &text[..text.floor_char_boundary(at)];
        let line = 1 + before.bytes().filter(|&byte| byte == b'\n').count() as u64;
        let column = 1 + before.chars().rev().take_while(|&c| c != '\n').count();
        Place::line(file, line).column(column.to_string())
    }

    /// This place, in a column with a name or a number.
    #[must_use]
    pub fn column(mut self, column: impl Into<String>) -> Place {
        self.column = Some(column.into());
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if let Some(column) = &self.column {
            write!(f, ", column {}", visible(column))?;
        }
        Ok(())
    }
}

fn prefix(place: &Option<Place>) -> String {
    place.as_ref().map(|p| format!("{p}: ")).unwrap_or_default()
}

/// A number for a message; only its magnitude if it is long.
fn entries(size: u128) -> String {
    match size {
        u128::MAX => "more than 10^38".into(),
        1_000_000_000_000_000.. => format!("about 10^{}", size.ilog10()),
        _ => thousands(size),
    }
}

fn gibibytes(bytes: u128) -> String {
    match bytes {
        0..0x4000_0000 => format!("{:.0} MiB", bytes as f64 / f64::from(1 << 20)),
        _ => format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
    }
}

fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|n| format!(" (did you mean {n:?}?)")).unwrap_or_default()
}

fn too_many_hint(numeric: bool, identifier: bool) -> &'static str {
    match (numeric, identifier) {
        (_, true) => ", a different number in each row; it looks like an identifier: leave it out",
        (true, false) => ", all of them numbers; treat it as continuous or cut it into intervals",
        (false, false) => "; it looks like an identifier: leave it out",
    }
}

fn unnamed_hint(column: usize) -> &'static str {
    match column {
        1 => "a name for every column; R and pandas write row names without one, which can be left out",
        _ => "a name for every column",
    }
}

fn listed_names(names: &[String]) -> String {
    listed(names.iter().map(|name| format!("{name:?}")))
}

fn listed_counts(columns: &[(String, u64)]) -> String {
    listed(columns.iter().map(|(name, n)| format!("{name:?} ({})", thousands(*n))))
}

/// The longest name that is checked for a typing mistake.
const LONGEST_TYPED: usize = 100;

/// The known name nearest to a mistyped one, if it is near enough: by insertions, deletions, substitutions and
/// swaps of neighbours. A name too long to have been typed is not checked.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    if name.len() > LONGEST_TYPED {
        return None;
    }
    nearest_of(name, &mut known.into_iter())
}

fn nearest_of(name: &str, known: &mut dyn Iterator<Item = &str>) -> Option<String> {
    let tolerated = (name.chars().count() / 3).clamp(1, 3);
    let folded = name.to_lowercase();
    let near = |k: &&str| k.len().abs_diff(name.len()) <= 4 * tolerated;
    known
        .filter(near)
        .map(|k| (strsim::osa_distance(&folded, &k.to_lowercase()), k))
        // A name that differs in every letter is another name.
        .filter(|&(d, k)| d <= tolerated && d < name.chars().count().max(k.chars().count()).max(1))
        .min()
        .map(|(_, k)| k.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_name_finds_the_one_that_was_meant() {
        let known = ["alarm", "asia", "insurance"];
        assert_eq!(nearest("alram", known).as_deref(), Some("alarm"));
        assert_eq!(nearest("Insurence", known).as_deref(), Some("insurance"));
        assert_eq!(nearest("pigs", known), None);
        assert_eq!(
            (nearest("a", ["t", "b"]), nearest("", ["k"]), nearest("T", ["t"])),
            (None, None, Some("t".into()))
        );
        let long = "x".repeat(10_000_000);
        assert_eq!(nearest(&long, [long.as_str()]), None);
        assert_eq!(nearest("alarn", [long.as_str(), "alarm"]).as_deref(), Some("alarm"));
    }

    #[test]
    fn a_place_in_a_text_is_a_line_and_a_column() {
        let place = |at| Place::in_text("x", "é1\nab\n", at).to_string();
        assert_eq!(place(0), "x, line 1, column 1");
        assert_eq!(place(1), "x, line 1, column 1", "inside of a character");
        assert_eq!(place(2), "x, line 1, column 2");
        assert_eq!(place(5), "x, line 2, column 2");
        assert_eq!(place(99), "x, line 3, column 1", "after the end");
    }

    #[test]
    fn a_message_says_what_where_and_what_would_do() {
        let e = Error::UnknownLevel {
            place: Place::line("a.csv", 7).column("CVP"),
            variable: "CVP".into(),
            found: "LO".into(),
            nearest: Some("LOW".into()),
            levels: vec!["LOW".into(), "HIGH".into()],
        };
        assert_eq!(
            e.to_string(),
            "a.csv, line 7, column CVP: \"LO\" is not a level of CVP (did you mean \"LOW\"?); its levels are \"LOW\", \"HIGH\""
        );
    }
}
