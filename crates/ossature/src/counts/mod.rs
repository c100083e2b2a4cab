//! Counting: how often each combination of levels occurs. All loops that count rows are here.
//!
//! A test or a score asks [`Tables`] for the table `n_ijk` of X, Y and the configurations of Z, and gets it
//! as [`Counts`], regardless of how and where it was counted. A [`Counter`] is a dataset prepared for
//! counting. [`Counter::stratify`] splits the rows by a target T and a set Z once, and the resulting
//! [`Strata`] then count one candidate X after another; most of the work in structure learning has this
//! shape. [`Counter::count`] counts a single table, and keeps what a similar table can reuse. Levels that
//! never occur have no cells in a table, and a row counts in a table only if it is complete in its variables.
//! A weighted row ([`Dataset::weights`](crate::Dataset::weights)) counts as often as its weight says.
//!
//! There are three kernels, and one rule (`Kernel::choose`) picks the cheapest for a table:
//!
//! - `Bits`: each level of each variable is a set of rows, stored as a bitmap; counting is AND and popcount.
//!   It is the fastest for few cells.
//! - `Scatter`: the code of (Z, T) is computed once for each row and shared by all candidates; counting is
//!   one increment for each row, or one for each row in which X does not have its usual level if those are
//!   few. It is the fastest for more cells.
//! - `Sparse`: only combinations that occur are stored, in memory proportional to the rows. It counts
//!   everything larger: no kernel allocates a product of cardinalities that is out of proportion to the rows.
//!
//! The counts of sets, which a score adds up without asking which is which, are found for all candidates of a wide sweep at
//! once (`row_bits`): rows as bits are added up, stratum by stratum.
//!
//! With many rows, the distinct ones are found once (`distinct`) and counted with their weights instead.
//!
//! A fourth, `naive`, is the obvious loop, which the others are tested and measured against. It and the
//! choice of a kernel by hand are not part of the public interface: they need the feature `bench-internals`.

mod alone;
mod bits;
mod counter;
mod digits;
mod distinct;
mod every_set;
mod expected;
mod family;
mod fold;
mod gaps;
mod gathered;
mod joint;
mod kept_tables;
mod kernel;
#[cfg(feature = "bench-internals")]
pub mod naive;
mod nlogn;
mod observed;
mod occurring;
mod octets;
mod partition;
mod parts;
mod rounds;
mod row_bits;
mod same_set;
mod scatter;
mod set_counts;
mod simd;
mod sparse;
mod strata;
mod sums;
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
pub(crate) use same_set::TableAxis;
pub use set_counts::{CountsOfSet, LookAtSets};
#[cfg(feature = "bench-internals")]
pub use simd::Simd;
#[cfg(not(feature = "bench-internals"))]
pub(crate) use simd::Simd;
pub(crate) use simd::multiversion;
pub use strata::Strata;
pub(crate) use table::ListedCell;
pub use table::{Counts, Slice, Stratum};
pub use tables::{GoOn, Sweep, Tables, ValueOfSet};
pub use terms::LogTerms;
