//! Graphs over variables: skeletons, DAGs, PDAGs and the equivalence classes of DAGs.
//!
//! Inside, a node is a [`Var`](crate::Var). [`NamedGraph`] carries the names at the borders.

mod dag;
mod draw;
mod named;
mod pdag;
mod skeleton;

pub use dag::{Dag, WouldCycle};
pub use draw::draw_svg;
pub use named::NamedGraph;
pub use pdag::{Cpdag, Mark, Pdag};
pub use skeleton::Skeleton;
