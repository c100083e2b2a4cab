//! Learners: from a table to a graph.
//!
//! [`Hybrid`] is the one learner there is: it restricts the search to a skeleton, if it is told how,
//! and then maximises a score inside it. H2PC and MMHC differ by one field, and the score-based and
//! the constraint-based learners are the same with one half left out. [`Settings`] is the same choice
//! in words, as a user makes it and as it is recorded; [`Report`] is what was learned, as plain data.

mod bootstrap;
mod diagnose;
mod hybrid;
mod neighbourhood;
mod report;
mod settings;

pub use bootstrap::{Bootstrap, Strength, averaged_network, bootstrap};
pub use diagnose::{Concern, concerns};
pub use hybrid::{Hybrid, Learned, Restrict, Seconds};
pub use neighbourhood::{Neighbourhood, NeighbourhoodReport};
pub use report::{
    ArcStrength, BootstrapReport, CpdagReport, DataReport, Report, ScoreReport, TruthReport, strongest_arcs,
};
pub use settings::Settings;

use crate::data::Dataset;
use crate::error::Result;
use crate::progress::Progress;

/// Learns a structure from a table.
pub trait Learner {
    /// The structure, or why there is none.
    fn learn(&self, data: &Dataset, progress: &dyn Progress) -> Result<Learned>;
}
