//! Graphs over variables: skeletons, DAGs, PDAGs and the equivalence classes of DAGs.
//!
//! Inside, a node is a [`Var`](crate::Var). [`NamedGraph`] carries the names at the borders.
//! [`mod@format`] reads and writes files.

mod dag;
pub mod format;
mod named;
mod pdag;
mod skeleton;
mod table;

pub use dag::{Dag, WouldCycle};
pub use named::NamedGraph;
pub use pdag::{Cpdag, Mark, Pdag};
pub use skeleton::Skeleton;
