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

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches};
use ossature::learn::Catalogue;

use crate::args::{Chosen, Cli, Command};
use crate::failure::Failure;
use crate::files::Files;
use crate::session::Session;

/// Runs the command and returns its exit code. The first of the words is the name of the program.
///
/// An invalid command line and a request for help end the process.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    run_with(&Catalogue::standard(), words)
}

/// The same with your own catalogue: learners that are not part of the library appear in the help, can be
/// chosen, and can be studied like the others.
pub fn run_with(catalogue: &Catalogue, words: impl IntoIterator<Item = OsString>) -> u8 {
    let matches = args::add_settings(Cli::command(), catalogue).get_matches_from(words);
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|e| e.exit());
    let chosen = matches.subcommand().map(|(_, m)| Chosen::of(m, catalogue)).unwrap_or_default();
    ending::install();
    // The session is gone when a failure is told, and with it the progress bar.
    let session = Session::start(&cli.common, catalogue, chosen);
    match session.and_then(|session| run_in(&cli.command, &session)) {
        Ok(()) | Err(Failure::NobodyListens) => failure::code::DONE,
        Err(Failure::CutShort) => failure::code::CUT_SHORT,
        Err(Failure::Told { code, message, help }) => {
            ending::tell_failure(&message, &help);
            code
        }
    }
}

fn run_in(command: &Command, session: &Session<'_>) -> Result<(), Failure> {
    let files = Files::of(command, &session.chosen);
    files.check()?;
    commands::run(command, session)
}
