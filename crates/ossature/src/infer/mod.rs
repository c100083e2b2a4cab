//! Queries to a network: posteriors, explanations, predictions, interventions.
//!
//! [`Inference`] answers exactly, with a junction tree built for each question from the relevant part of
//! the network: Lauritzen & Spiegelhalter (1988), "Local computations with probabilities on graphical
//! structures and their application to expert systems", doi:10.1111/j.2517-6161.1988.tb01721.x; Shenoy &
//! Shafer (1990), "Axioms for probability and belief-function propagation",
//! <https://arxiv.org/abs/1304.2372>. The cost of a question is known before any memory is allocated: its
//! [`Cost`] must be within a [`Limit`].
//!
//! From a question to its answer:
//!
//! ```text
//! Question -> Relevant (what matters) -> Interaction -> elimination -> Forest (cliques) -> JunctionTree
//! JunctionTree + levels of the evidence -> messages to the roots, and back to what is asked -> answer
//! ```
//!
//! A tree does not depend on the given levels, only on which variables are given, so all rows of a table with the
//! same known fields share it ([`Inference::predict`], [`Inference::log_likelihood`]). [`intervene`] makes the
//! network after an intervention, [`effects`] computes the effects of an intervention in all members of an
//! equivalence class, and [`likelihood_weighting`] gives estimates if exact answers are too expensive. [`fit_em`]
//! estimates tables from rows with missing values. [`QueryReport`] and [`PredictReport`] are reports with names,
//! for display.

mod arithmetic;
mod batch;
mod cliques;
mod completion;
mod distinct;
mod effects;
mod elimination;
mod em;
mod engine;
mod expected;
mod explain;
mod forest;
mod given;
mod intervene;
mod propagate;
mod question;
mod report;
mod rows;
mod tree;
mod walk;
mod weighting;

pub use batch::Predictions;
pub use cliques::CliqueTree;
pub use effects::{Effect, Effects, effects, possible_parents};
pub(crate) use em::{Em, Estimate};
pub use em::{EmFitted, fit_em, fit_tables};
pub use engine::{Inference, Joint, Limit, Posteriors};
pub use expected::ExpectedCounts;
pub use explain::Explanation;
pub use forest::Cost;
pub use given::Given;
pub use intervene::intervene;
pub use report::{Named, NamedGiven, PredictReport, QueryReport, SamplingReport};
pub use rows::{PartialRows, Unseen};
pub use weighting::{Estimates, likelihood_weighting};
