//! Learning the structure of Bayesian networks from tables: first the skeleton, then the directions.
//!
//! From a table, a learner finds a graph, with the reasons for its edges. The default learner is H2PC: HPC, an
//! ensemble of independence tests, finds which variables may be neighbours, and a tabu search by score directs the
//! edges (Gasse, Aussem & Elghazel 2014, doi:10.1016/j.eswa.2014.04.032). The [catalogue](learn::Catalogue) has many
//! more, and you can add your own.
//!
//! ```
//! use ossature::learn::{Catalogue, Preset, Settings};
//! use ossature::network::{self, Prior, catalogue};
//! use ossature::{Inference, Report, Silent};
//!
//! // Rows: from a file with `ossature::data::read`, or as here drawn from a network that is built in.
//! let truth = catalogue::load("asia")?;
//! let data = truth.sample(5000, 1, &Silent)?;
//!
//! // The structure.
//! let settings = Settings::of("h2pc", Preset::Recommended)?;
//! let learned = Catalogue::standard().build(&settings, &data)?.learn(&data, &Silent)?;
//! let report = Report::new(&learned, &data, &settings)?;
//! assert!(report.arcs.unwrap().contains(&("smoke".into(), "bronc".into())));
//!
//! // Its tables, and a question to it: how likely is bronchitis, given that somebody smokes?
//! let dag = learned.graph.dag().unwrap();
//! let fitted = network::fit(&data, &dag, Prior::Bdeu { iss: 10.0 }, &Silent)?.network;
//! let given = ossature::infer::Given::named(&fitted, [("smoke", "yes")])?;
//! let bronc = fitted.require("bronc")?;
//! let found = Inference::new(&fitted, Default::default()).query(&[bronc], &given)?;
//! # let _ = found;
//! # Ok::<(), ossature::Error>(())
//! ```
//!
//! Where to look:
//!
//! - [`data`] reads tables (CSV, and with the feature `arrow` Parquet and Arrow); a [`Dataset`] has columns of coded
//!   levels or of numbers, and may have missing values.
//! - [`learn`] has learners, their settings, reports, reasons, bootstrap and cross-validation.
//! - [`graph`] has graphs, equivalence classes, comparison, and their file formats.
//! - [`network`] has networks with tables: BIF, fitting, sampling; [`infer`] queries them.
//! - [`ci`] and [`score`] are the tests and scores by themselves; [`local`], [`orient`] and [`search`] are the
//!   parts of learners, and [`halves`] has the two traits that join them.
//! - [`progress`]: long work reports its progress and can be stopped. Nothing is printed, and bad input is an
//!   [`Error`], never a panic.
//!
//! The same data gives the same answer on every machine, with any number of threads, in any order of rows and columns.

pub mod ci;
pub mod counts;
pub mod data;
pub mod error;
pub mod file;
pub mod graph;
pub mod halves;
pub mod infer;
pub mod learn;
pub mod local;
pub mod moments;
pub mod network;
pub mod orient;
mod parallel;
pub mod progress;
pub mod random;
pub mod score;
pub mod search;
mod sharded;
mod sources;
pub mod text;
pub mod word;

pub use data::{
    Column, Dataset, Discretise, MAX_LEVELS, Method, MissingPolicy, ReadOptions, ReadReport, Table,
    TableKind, Var, VarSet, Variable, VariableKind,
};
pub use error::{Error, Place, Result};
pub use graph::{Comparison, Constraints, Cpdag, Dag, NamedGraph, Pdag, Skeleton, WouldCycle};
pub use infer::Inference;
pub use learn::{Hybrid, Learned, Learner, Report, Settings};
pub use network::Network;
pub use progress::{Event, Progress, Silent, Stop};
pub use score::{Score, ScoreKind, ScoreSettings};
pub use search::{Algorithm, Climb, Exact, Ges, OptimalReinsertion, Phases, Search};
pub use sources::Sources;

// The README's example of the library is run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
