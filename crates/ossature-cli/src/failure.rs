//! How a run fails: an exit code, what went wrong, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use ossature::Error;
use ossature::data::quoted_name;
use ossature::text::is_harmful;

/// The documented exit codes.
pub(crate) mod code {
    pub(crate) const DONE: u8 = 0;
    pub(crate) const FAILED: u8 = 1;
    pub(crate) const USAGE: u8 = 2;
    pub(crate) const BAD_INPUT: u8 = 3;
    pub(crate) const CUT_SHORT: u8 = 4;
    pub(crate) const INTERRUPTED: u8 = 130;
}

/// Why a run did not do what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The reader of our output closed the pipe: not an error.
    NobodyListens,
    /// A search hit a limit; the best so far has been written, and the user has been told.
    CutShort,
    /// Something to tell the user.
    Told {
        /// The exit code.
        code: u8,
        /// What went wrong.
        message: String,
        /// What would help, one line each.
        help: Vec<String>,
    },
}

impl Failure {
    /// The run ends with this exit code and message.
    pub(crate) fn told(code: u8, message: impl Into<String>) -> Failure {
        Failure::Told { code, message: message.into(), help: Vec::new() }
    }

    /// The run failed for a reason other than its input.
    pub(crate) fn failed(message: impl Into<String>) -> Failure {
        Failure::told(code::FAILED, message)
    }

    /// The command line asks for something that does not exist.
    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure::told(code::USAGE, message)
    }

    /// An input is invalid.
    pub(crate) fn bad_input(message: impl Into<String>) -> Failure {
        Failure::told(code::BAD_INPUT, message)
    }

    /// The same failure with one more line of advice.
    #[must_use]
    pub(crate) fn help(mut self, line: impl Into<String>) -> Failure {
        if let Failure::Told { help, .. } = &mut self {
            help.push(line.into());
        }
        self
    }

    /// The same failure, with its file if the message does not name it.
    #[must_use]
    pub(crate) fn about(self, path: &Path) -> Failure {
        self.about_any(&[path.to_path_buf()])
    }

    /// The same for several files: the first is named, unless the message names one of them.
    pub(crate) fn about_any(mut self, files: &[PathBuf]) -> Failure {
        if let Failure::Told { message, code: code::BAD_INPUT, .. } = &mut self {
            let is_named = files.iter().any(|path| message.contains(&named(path)));
            if let Some(first) = files.first().filter(|_| !is_named) {
                *message = format!("{}: {message}", named(first));
            }
        }
        self
    }

    /// Standard output could not be written.
    pub(crate) fn stdout(error: &io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Failure::NobodyListens;
        }
        Failure::failed(format!("cannot write to standard output: {error}"))
    }
}

impl From<Error> for Failure {
    /// The library says what is wrong; the command adds which of its options would help.
    fn from(error: Error) -> Failure {
        let code = match &error {
            Error::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe => {
                return Failure::NobodyListens;
            }
            Error::Io { action: "write", .. }
            | Error::TooLarge { .. }
            | Error::Memory { .. }
            | Error::Stopped => code::FAILED,
            Error::Setting { .. } | Error::Duplicate { what: "file", .. } => code::USAGE,
            _ => code::BAD_INPUT,
        };
        let failure = Failure::told(code, error.to_string());
        match &error {
            Error::Missing { .. } => failure
                .help("--missing drop leaves these rows out, --missing level makes missing values a separate level")
                .help("--missing available uses the rows complete in the variables of each test and family, --missing em uses expected counts")
                .help("--missing-tokens changes which fields count as missing"),
            Error::UnknownLevel { .. } => failure.help(
                "the levels that are accepted come from --levels; leave it out to take them from the data",
            ),
            Error::Unnamed { .. } => failure.help(format!("--drop {} leaves it out", column(""))),
            Error::TooManyLevels { column: name, numeric, identifier, .. } => {
                let out = format!("--drop {} leaves it out", column(name));
                let numbers = "--continuous auto treats numeric columns as numbers".to_owned();
                let cut = format!(
                    "--discretise {} makes 5 intervals of equally many rows, for example; with * as the column every \
                     numeric one is cut",
                    quoted(&format!("{name}=quantile:5"))
                );
                match (numeric, identifier) {
                    (true, true) => failure.help(out).help(cut),
                    (true, false) => failure.help(numbers).help(cut),
                    _ => failure.help(out),
                }
            }
            Error::Delimiter { .. } => failure.help("--delimiter gives the character between fields"),
            _ => failure,
        }
    }
}

/// The name of a file for a message.
pub(crate) fn named(path: &Path) -> String {
    match path == Path::new("-") {
        true => "<stdin>".to_owned(),
        false => path.display().to_string(),
    }
}

/// Columns as an option takes them, for a shell.
fn column(name: &str) -> String {
    quoted(&quoted_name(name))
}

/// A word as typed in a shell. What cannot be typed is written as an escape, in the quotes that bash, zsh and ksh have
/// for it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-.:,=/+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    if !word.contains(is_harmful) {
        return format!("'{}'", word.replace('\'', "'\\''"));
    }
    let escaped = word.chars().map(|c| match c {
        '\'' | '\\' => format!("\\{c}"),
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        c if is_harmful(c) => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    });
    format!("$'{}'", escaped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_for_the_shell() {
        assert_eq!(quoted("age=quantile:5"), "age=quantile:5");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted("a\nb's \u{1b}"), "$'a\\nb\\'s \\u001b'");
        assert_eq!(quoted(""), "''");
    }
}
