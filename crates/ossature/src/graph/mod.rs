//! Graphs over variables: skeletons, DAGs, PDAGs and the equivalence classes of DAGs.
//!
//! Internally, a node is a [`Var`](crate::Var). [`NamedGraph`] carries the names at the interface. [`Dag`] is acyclic
//! by construction, and [`Dag::cpdag`] is the only way to a [`Cpdag`]. Each operation on graphs has its own file: the
//! class (`cpdag`), independences (`d_separation`), a DAG in agreement with a graph (`extension`), the directions that
//! follow from others (`meek`), the differences between two graphs ([`compare`]), and what must and must not be in a
//! graph ([`Constraints`]). [`mod@format`] reads and writes files.

mod compare;
mod constraints;
mod cpdag;
mod d_separation;
mod dag;
mod extension;
pub mod format;
mod meek;
mod named;
mod pdag;
mod skeleton;
mod table;

pub use compare::{
    ArcDifferences, ArcReport, Comparison, ComparisonReport, SkeletonCounts, compare, compare_named,
};
pub use constraints::{Constraints, NamedArc, NamedTier, parse_arcs, parse_tiers, read_arcs, read_tiers};
pub use dag::{Dag, WouldCycle};
pub use meek::OpenTriples;
pub use named::NamedGraph;
pub use pdag::{Cpdag, Mark, Pdag};
pub use skeleton::Skeleton;
