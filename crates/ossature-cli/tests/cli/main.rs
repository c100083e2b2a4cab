//! The command as users see it: arguments in; files, messages and an exit code out.
//!
//! - `run`: starts the command in a separate folder and collects its output
//! - `columns`: which columns are read and how, names in a terminal, comparisons that make no sense
//! - `continuous`: tables with numeric columns
//! - `done`: the commands when everything is in order
//! - `formats`: every conversion and every way to pass a table
//! - `ask`: questions to a network
//! - `gaussian`: networks with continuous variables in every command, and cuts that use other columns
//! - `bad_input`: bad input, with the message and the exit code for each kind
//! - `learn`: what is learned, in which formats, and that it is always the same
//! - `learn_bad_input`: data and constraints from which little or nothing can be learned
//! - `learn_limits`: time limits and interruption
//! - `settings`: out of bounds, unused, contradictory; presets, learners, skeletons from a file
//! - `places`: messages name the file at fault, and the exit code says whose fault it is
//! - `lists`: names of columns in lists, and what is left out with earlier settings
//! - `several`: a table in several files
//! - `why`: the reason for an edge, or for its absence
//! - `testers`: the learners that test, in every command that takes a learner
//! - `neighbours_score`: one variable, and the score of a structure
//! - `files`: inputs that stay safe, and outputs that are checked before the work
//! - `look`: pages, two structures overlaid, strengths, BIF that other programs read
//! - `missing`: tables with missing values
//! - `outputs`: files that cannot be written, interruption, pipes that close
//! - `study`: killed, interrupted, out of time, badly described
//! - `ends`: runs that wait, are aborted, or need more memory than there is
//! - `words`: names that cannot forge lines, numbers that can be read, messages that say what is true
//! - `readme`: the tour and the page on asking, replayed

#![allow(clippy::unwrap_used)]

mod ask;
mod bad_input;
mod columns;
mod continuous;
mod done;
mod ends;
mod files;
mod formats;
mod gaussian;
mod learn;
mod learn_bad_input;
mod learn_limits;
mod lists;
mod look;
mod missing;
mod neighbours_score;
mod outputs;
mod places;
mod readme;
mod run;
mod settings;
mod several;
mod study;
mod testers;
mod why;
mod words;
