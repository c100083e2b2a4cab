//! The `ossature` command.
//!
//! [`args`] is what was typed, [`plan`] and [`settings`] what it means; [`commands`] has a file for each command,
//! which asks the library and shows the answer with [`render`]. [`session`] is what they share while
//! they run: messages, files, the time limit. Nothing is computed here: that is the library's part.

mod args;
mod commands;
mod failure;
mod interrupt;
mod plan;
mod progress;
mod render;
mod session;
mod settings;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Cli;
use crate::failure::Failure;
use crate::session::{Session, tell};

fn main() -> ExitCode {
    let cli = Cli::parse();
    interrupt::install();
    // The session is gone when a failure is told, and with it the progress bar.
    match Session::start(&cli.common).and_then(|session| commands::run(&cli.command, &session)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) if interrupt::happened() => ExitCode::from(failure::code::INTERRUPTED),
        Err(Failure::NobodyListens) => ExitCode::SUCCESS,
        Err(Failure::CutShort) => ExitCode::from(failure::code::CUT_SHORT),
        Err(Failure::Told { code, message, help }) => {
            tell(&format!("error: {message}"));
            help.iter().for_each(|line| tell(&format!("  help: {line}")));
            ExitCode::from(code)
        }
    }
}
