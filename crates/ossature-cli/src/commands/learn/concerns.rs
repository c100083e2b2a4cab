//! Warnings about the data, to read before trusting the result.

use ossature::Dataset;
use ossature::learn::{ConcernAdvice, concern_sentences};

use crate::session::Session;

/// The options that help.
const ADVICE: ConcernAdvice<'_> = ConcernAdvice { leaving_out: "--drop", as_numbers: "--continuous auto" };

/// Warns of each kind of concern once, with the columns it is about.
pub(super) fn warn(data: &Dataset, session: &Session<'_>) {
    concern_sentences(data, ADVICE).iter().for_each(|sentence| session.warn(sentence));
}
