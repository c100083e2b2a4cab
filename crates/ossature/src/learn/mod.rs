//! Learners: from a table to a graph.
//!
//! A [`Learner`] is usually a [`Hybrid`] of two halves: the first restricts the search to a skeleton and
//! the second directs its edges; learners of several rounds implement the same trait. The [`Catalogue`]
//! has a row for each learner, each half and each setting, and every user interface is made from it.
//! [`Settings`] is a choice in words, as a user makes it and as it is recorded; [`Report`] is the result
//! as plain data, and [`Why`] the reason for one of its edges. [`RoundsFound`] is a first half whose
//! targets are processed on several machines. [`bootstrap`] says how certain edges are,
//! [`cross_validate`] which learner predicts held-out rows best.

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
    /// The structure, or the reason why there is none.
    fn learn(&self, data: &Dataset, progress: &dyn Progress) -> Result<Learned>;

    /// The same from a prepared table, perhaps without its rows, from counts alone. A learner that needs the rows
    /// returns an error.
    fn learn_from(&self, sources: &Sources<'_>, progress: &dyn Progress) -> Result<Learned> {
        match sources.rows_are_here() {
            true => self.learn(sources.data(), progress),
            false => Err(Error::Mismatch {
                what: "this learner needs the rows of the table, which are on other machines".into(),
                accepted: "learners of two halves are accepted, such as h2pc, mmhc and tabu".into(),
            }),
        }
    }

    /// The parents and children of one variable, and with `blanket` its Markov blanket, without learning
    /// those of the others. A learner that cannot do that returns an error.
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

    /// The learner as its two halves, if it has them: its targets can then be processed on other machines, see
    /// [`RoundsFound`].
    fn halves(&self) -> Option<&Hybrid> {
        None
    }
}
