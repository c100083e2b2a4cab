//! Learning the structure of Bayesian networks from discrete data: first the skeleton, then the
//! directions.

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
pub mod network;
pub mod orient;
pub mod progress;
pub mod random;
pub mod score;
pub mod search;
mod sharded;
pub mod text;
pub mod word;

pub use data::{
    Column, Dataset, Discretise, MAX_LEVELS, Method, MissingPolicy, ReadOptions, ReadReport, Table, Var,
    VarSet, Variable,
};
pub use error::{Error, Place, Result};
pub use graph::{Comparison, Constraints, Cpdag, Dag, NamedGraph, Pdag, Skeleton, WouldCycle};
pub use infer::Inference;
pub use learn::{Hybrid, Learned, Learner, Report, Settings};
pub use network::Network;
pub use progress::{Event, Progress, Silent, Stop};
pub use score::{Score, ScoreKind, ScoreSettings};
pub use search::{Algorithm, Climb, Exact, Ges, OptimalReinsertion, Phases, Search};

// The README's example of the library is run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
