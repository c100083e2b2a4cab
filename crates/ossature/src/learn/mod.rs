//! Learners: from a table to a graph.
//!
//! A [`Learner`] is most often a [`Hybrid`] of two halves, of which the first restricts the search to a
//! skeleton and the second directs its edges; learners of several rounds stand beside it behind the same
//! trait. The [`Catalogue`] has a row for each learner, each half and each setting, and everyone who
//! lets people choose reads it. [`Settings`] is a choice in words, as a user makes it and as it is
//! recorded; [`Report`] is what was learned, as plain data, and [`Why`] the reason for one edge of it.
//! [`RoundsFound`] is a first half whose targets are looked at in several places.
//! [`bootstrap`] says how sure edges are, [`cross_validate`] which learner foretells unseen rows best.

mod bootstrap;
pub mod catalogue;
mod cross_validate;
mod diagnose;
mod gathered;
mod hybrid;
mod learned;
mod neighbourhood;
mod parts;
mod report;
mod selection;
mod setting;
mod settings;
mod sparse_candidate;
mod structural_em;
mod why;

pub use crate::halves::Strength;
pub use bootstrap::{Bootstrap, SampleFound, averaged_network, bootstrap, bootstrap_sample};
pub use catalogue::{
    Build, BuildGiven, Catalogue, FirstHalf, How, LearnerReport, LearnerRow, OwnDefault, Preset, Returns,
    SecondHalf,
};
pub use cross_validate::{CrossValidation, HeldOut, cross_validate, cross_validate_fold};
pub use diagnose::{Concern, ConcernAdvice, concern_sentences, concerns};
pub use gathered::learn_gathered;
pub use hybrid::Hybrid;
pub use learned::{Learned, Seconds};
pub use neighbourhood::{Neighbourhood, NeighbourhoodReport};
pub use parts::{PartFound, RoundsFound};
pub use report::{
    AlternativeReport, ArcLoss, ArcStrength, BootstrapReport, CpdagReport, DataReport, Report, ScoreReport,
    SeparationReport, TruthReport, arc_losses,
};
pub use setting::{Heading, Setting, Takes, Value, Words, words};
pub use settings::{Asked, Settings};
pub use sparse_candidate::{CandidateMeasure, SparseCandidate};
pub use structural_em::{EmTurns, StructuralEm};
pub use why::Why;

use crate::data::{Dataset, Var};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::sources::Sources;

/// Learns a structure from a table.
pub trait Learner: Send + Sync {
    /// The structure, or why there is none.
    fn learn(&self, data: &Dataset, progress: &dyn Progress) -> Result<Learned>;

    /// The same from a table that was made ready, perhaps without its rows: from their counts. A learner that needs the
    /// rows says so.
    fn learn_from(&self, sources: &Sources<'_>, progress: &dyn Progress) -> Result<Learned> {
        match sources.rows_are_here() {
            true => self.learn(sources.data(), progress),
            false => Err(Error::Mismatch {
                what: "this learner needs the rows of the table, and they are elsewhere".into(),
                accepted: "learners of two halves are accepted, such as h2pc, mmhc and tabu".into(),
            }),
        }
    }

    /// The parents and children of one variable, and with `blanket` its Markov blanket, without learning
    /// that of the others. A learner that cannot do that says so.
    ///
    /// ```
    /// use ossature::network::catalogue;
    /// use ossature::{Hybrid, Learner, Silent};
    ///
    /// let data = catalogue::load("asia")?.sample(2000, 1, &Silent)?;
    /// let found = Hybrid::h2pc().neighbourhood(&data, data.require("bronc")?, true, &Silent)?;
    /// assert!(found.parents_and_children.contains(data.require("smoke")?));
    /// # Ok::<(), ossature::Error>(())
    /// ```
    fn neighbourhood(
        &self,
        data: &Dataset,
        t: Var,
        blanket: bool,
        progress: &dyn Progress,
    ) -> Result<Neighbourhood> {
        _ = (data, t, blanket, progress);
        neighbourhood::refuse()
    }

    /// The learner as its two halves, if it is made of them: its targets may be looked at on other machines then, see
    /// [`RoundsFound`].
    fn halves(&self) -> Option<&Hybrid> {
        None
    }
}
