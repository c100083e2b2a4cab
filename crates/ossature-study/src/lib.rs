//! The experiment of the paper, as one thing that anyone can run, resume and trust.
//!
//! A [`Study`] is a grid: networks × sizes × samples × learners, any of a catalogue. [`Grid`] is the same
//! with its networks loaded. Each cell of it gives one [`Row`]: the rows are appended to a [`Folder`] as they are done, so
//! that a study which was killed goes on where it stopped ([`run`]). What the rows say is computed from
//! them alone: increase factors and significance (`summary`), the paper's sentences checked one by
//! one (`claims`), the figures and the report ([`report`]). [`merge`] joins what several machines did.
//!
//! Everything random comes from (seed, network, size, sample) alone (`sample`), so any cell can be
//! computed again by itself.

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
