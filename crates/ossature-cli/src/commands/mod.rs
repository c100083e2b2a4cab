//! The commands, one per file: plan, call the library, show the answer.

mod compare;
mod completions;
mod convert;
mod cross_validate;
mod fit;
mod learn;
mod learners;
mod man;
mod neighbours;
mod networks;
mod predict;
mod query;
mod sample;
mod score;
mod study;
mod test;
mod why;

use crate::args::Command;
use crate::failure::{Failure, code};
use crate::session::Session;

/// Whether the time limit ends a command while it waits or works; a study looks at the clock itself.
pub(crate) fn may_wait(command: &Command) -> bool {
    match command {
        Command::Study(args) => study::may_wait(args),
        _ => true,
    }
}

/// The exit code if the time limit is reached before there is a result. A study keeps its rows, so that the same command
/// resumes it: a limit cuts it short wherever it is reached.
pub(crate) fn at_limit(command: &Command) -> u8 {
    match command {
        Command::Study(args) if args.merge.is_none() => code::CUT_SHORT,
        _ => code::FAILED,
    }
}

/// Runs a command.
pub(crate) fn run(command: &Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::Learn(args) => learn::run(args, session),
        Command::Why(args) => why::run(args, session),
        Command::Learners(args) => learners::run(args, session),
        Command::Neighbours(args) => neighbours::run(args, session),
        Command::Test(args) => test::run(args, session),
        Command::Score(args) => score::run(args, session),
        Command::Fit(args) => fit::run(args, session),
        Command::Compare(args) => compare::run(args, session),
        Command::Sample(args) => sample::run(args, session),
        Command::Query(args) => query::run(args, session),
        Command::Predict(args) => predict::run(args, session),
        Command::CrossValidate(args) => cross_validate::run(args, session),
        Command::Networks(args) => networks::run(args, session),
        Command::Convert(args) => convert::run(args, session),
        Command::Study(args) => study::run(args, session),
        Command::Completions(args) => completions::run(args, session),
        Command::Man(args) => man::run(args, session),
    }
}
