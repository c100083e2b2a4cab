//! The `ossature` command as a function, for programs that include the command.
//!
//! `args` is the command line, `plan` and `settings` interpret it; `commands` has a file for each
//! command, which calls the library and shows the answer with `render`. `session` is what they share
//! while they run: messages, files, the time limit. Nothing is computed here: that is the library's job.

mod args;
mod commands;
mod ending;
mod failure;
mod files;
mod plan;
mod progress;
mod reading;
mod render;
mod session;
mod settings;
mod written;

use std::ffi::OsString;

use clap::FromArgMatches;
use ossature::learn::Catalogue;

use crate::args::{Chosen, Cli, Command};
use crate::failure::Failure;
use crate::files::Files;
use crate::session::Session;

/// Runs the command and returns its exit code. The first of the words is the name of the program.
///
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    run_with(&Catalogue::standard(), words)
}

/// The same with your own catalogue: learners that are not part of the library appear in the help, can be
/// chosen, and can be studied like the others.
pub fn run_with(catalogue: &Catalogue, words: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = words.into_iter().collect();
    let understand = |description: clap::Command, words: Vec<OsString>| {
        description
            .try_get_matches_from(words)
            .and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)))
    };
    let alone = args::describe_one(&words, catalogue).and_then(|one| understand(one, words.clone()).ok());
    let understood = alone.map_or_else(|| understand(args::describe(catalogue), words.clone()), Ok);
    let (cli, matches) = match understood {
        Ok(understood) => understood,
        // What is wrong is said with the words themselves, made safe for a terminal.
        Err(e) => {
            let again = understand(args::describe(catalogue), visible_words(&words));
            return ending::tell_usage(again.err().unwrap_or(e));
        }
    };
    let chosen = matches.subcommand().map(|(_, m)| Chosen::of(m, catalogue)).unwrap_or_default();
    ending::install();
    // The session is gone when a failure is told, and with it the progress bar.
    let (may_wait, at_limit) = (commands::may_wait(&cli.command), commands::at_limit(&cli.command));
    let session = Session::start(&cli.common, may_wait, at_limit, catalogue, chosen);
    match session.and_then(|session| run_in(&cli.command, &session)) {
        Ok(()) => failure::code::DONE,
        Err(failure) => ending::tell(&failure),
    }
}

/// The words as a message shows them.
fn visible_words(words: &[OsString]) -> Vec<OsString> {
    words.iter().map(|word| ossature::text::visible(&word.to_string_lossy()).into()).collect()
}

fn run_in(command: &Command, session: &Session<'_>) -> Result<(), Failure> {
    let files = Files::of(command, &session.chosen);
    files.check()?;
    for name in files.ambiguous() {
        session
            .warn(format!("{name} is the embedded network, not the file of that name; ./{name} is the file"));
    }
    commands::run(command, session)
}
