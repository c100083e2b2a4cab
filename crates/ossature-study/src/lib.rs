//! The experiment of the paper, in a form that anyone can run, resume and trust.
//!
//! A [`Study`] is a grid: networks × sizes × samples × learners, any of a catalogue. [`Grid`] is the same with its
//! networks loaded. Each of its cells gives one [`Row`]: the rows are appended to a [`Folder`] as they are done, so
//! that a study that was killed can resume ([`run`]). All results are computed from the rows alone: increase factors
//! and significance (`summary`), the paper's claims checked one by one (`claims`), the figures and the report
//! ([`report`]). [`merge`] joins the results of several machines.
//!
//! Everything random depends only on (seed, network, size, sample) (`sample`), so any single cell
//! can be recomputed.

mod claims;
mod config;
mod estimate;
mod figure;
mod folder;
mod learner;
mod manifest;
mod measure;
mod memory;
mod merge;
mod pair;
mod paper;
mod plan;
pub mod report;
mod row;
mod run;
mod sample;
mod signed_rank;
mod statistics;
mod summary;

pub use claims::{Claim, Verdict};
pub use config::Config;
pub use folder::{Folder, ROWS};
pub use learner::{LearnerFacts, NamedLearner};
pub use manifest::{Machine, Manifest, NetworkFacts, RunInfo};
pub use measure::{Better, How, MEASURES, Measure};
pub use merge::{Merged, merge};
pub use plan::{Grid, NetworkSource, Shard, Study};
pub use row::{Kind, Row};
pub use run::{CellsDone, Ended, Follow, run};
pub use sample::{Draw, derived_seed};
pub use signed_rank::signed_rank;
pub use statistics::{Ranking, holm};
pub use summary::{Comparison, Spread, Summary, Value};
