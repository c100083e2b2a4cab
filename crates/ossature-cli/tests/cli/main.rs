//! The command as a user meets it: words in, files and messages and an exit code out.
//!
//! - `run`: starts the command in a folder of its own and looks at what comes back
//! - `columns`: which columns are read and how, names in a terminal, comparisons that make no sense
//! - `continuous`: tables with columns of numbers
//! - `done`: what the commands do when all is well
//! - `formats`: every conversion and every way to hand in a table
//! - `ask`: what a network answers
//! - `gaussian`: networks with continuous variables in every command, and cuts that look at other columns
//! - `bad_input`: inputs that are not what they should be, the message and the exit code of each
//! - `learn`: what is learned, in which forms, and always the same
//! - `learn_bad_input`: data and knowledge from which little or nothing can be learned
//! - `learn_limits`: time limits and interruption
//! - `settings`: out of bounds, unused, contradicting; presets, learners, skeletons from a file
//! - `several`: a table that is in several files
//! - `why`: the reason for an edge, or for none
//! - `testers`: the learners that test, in every command that takes a learner
//! - `neighbours_score`: one variable, and the score of a structure
//! - `files`: inputs that are safe, outputs that are possible, checked before the work
//! - `look`: pages, two structures laid over each other, strengths, BIF that others read
//! - `missing`: tables in which values are missing
//! - `outputs`: files that cannot be written, interruption, pipes that close
//! - `study`: killed, interrupted, out of time, badly described
//! - `readme`: the tour and the page on asking, replayed

#![allow(clippy::unwrap_used)]

mod ask;
mod bad_input;
mod columns;
mod continuous;
mod done;
mod files;
mod formats;
mod gaussian;
mod learn;
mod learn_bad_input;
mod learn_limits;
mod look;
mod missing;
mod neighbours_score;
mod outputs;
mod readme;
mod run;
mod settings;
mod several;
mod study;
mod testers;
mod why;
