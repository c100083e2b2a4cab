//! Counting: how often each combination of levels occurs. The only loops over rows are here.
//!
//! A test or a score asks [`Tables`] for the table `n_ijk` of X, Y and the configurations of Z, and gets
//! it as [`Counts`], the same whichever way and wherever it was counted. A [`Counter`] is a dataset made
//! ready for counting; [`Counter::stratify`] splits the rows by a target T and a set Z once, and the
//! resulting [`Strata`] then count one candidate X after the other, which is the shape of most of
//! the work in structure learning. [`Counter::count`] counts a single table, and remembers what a
//! similar one could use. Levels that never occur have no place in any table, and a row in which a variable of the
//! table is missing is not counted there. A row that stands for many ([`Dataset::weights`](crate::Dataset::weights))
//! counts as that many.
//!
//! Three kernels count, and one rule (`Kernel::choose`) picks the cheapest for the shape at hand:
//!
//! - `Bits`: each level of each variable is a set of rows, stored as a bitmap; counting is
//!   AND and popcount. It wins for few cells.
//! - `Scatter`: the code of (Z, T) is computed once for each row and shared by all
//!   candidates; counting is one increment for each row, or for each row in which X does not have its
//!   usual level where those are few. It wins for more cells.
//! - `Sparse`: only combinations that occur are stored, in memory proportional to the
//!   rows. It is for everything larger: nothing here ever allocates the product of the
//!   cardinalities.
//!
//! A fourth, `naive`, is the obvious loop, which the others are tested and measured against. That and the
//! choice of a kernel by hand are no part of the public promise: they need the feature `bench-internals`.

mod alone;
mod bits;
mod counter;
mod expected;
mod family;
mod fold;
mod gaps;
mod gathered;
mod joint;
mod kernel;
#[cfg(feature = "bench-internals")]
pub mod naive;
mod nlogn;
mod observed;
mod partition;
mod rounds;
mod scatter;
mod simd;
mod sparse;
mod strata;
mod table;
mod tables;
mod terms;
mod weights;

pub use counter::Counter;
pub use expected::ExpectedTables;
pub use family::family;
pub(crate) use gathered::family_sweep;
pub use gathered::{AskPartitions, GatheredTables, GatheredVariable, Traffic};
#[cfg(feature = "bench-internals")]
pub use kernel::Kernel;
pub use nlogn::NLogN;
pub use partition::{Answers, Questions, TablePart};
#[cfg(feature = "bench-internals")]
pub use simd::Simd;
#[cfg(not(feature = "bench-internals"))]
pub(crate) use simd::Simd;
pub(crate) use simd::multiversion;
pub use strata::Strata;
pub use table::{Counts, Slice, Stratum};
pub use tables::{Sweep, Tables};
pub use terms::LogTerms;
