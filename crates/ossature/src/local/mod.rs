//! Local learning: the parents and children of one variable, and from all of them the skeleton.
//!
//! Each listing of the paper is a file and a function of the same name, and its only verbs are those
//! of [`Independence`], [`subsets`] and set algebra. The orders that the
//! paper leaves out are named in `docs/FIDELITY.md`.
//!
//! | listing | function | finds |
//! |---|---|---|
//! | Algorithm 1 | [`Hpc`] | the parents and children, by an ensemble of weak learners |
//! | Algorithm 2 | [`inter_iapc()`] | the same, quickly and with misses |
//! | DE-PCS | [`de_pcs()`] | a superset of the parents and children |
//! | DE-SPS | [`de_sps()`] | a superset of the spouses |
//! | FDR-IAPC | [`fdr_iapc()`] | as Inter-IAPC, with control of the false discovery rate |
//! | MMPC | [`Mmpc`] | the parents and children, by max-min |

mod blanket;
mod de_pcs;
mod de_sps;
mod fdr_iapc;
mod hpc;
mod inter_iapc;
mod mmpc;
mod skeleton;
mod spouses;
mod subsets;

pub use blanket::markov_blanket;
pub use de_pcs::{DSep, de_pcs};
pub use de_sps::de_sps;
pub use fdr_iapc::fdr_iapc;
pub use hpc::{Hpc, WeakLearner};
pub use inter_iapc::inter_iapc;
pub use mmpc::Mmpc;
pub use skeleton::{Symmetry, neighbours, skeleton};
pub use subsets::subsets;

use crate::ci::Independence;
use crate::data::{Var, VarSet};

/// Finds the parents and children of a variable.
pub trait LocalLearner: Sync {
    /// The parents and children of `t` among `u`. `u` may or may not contain `t` itself.
    fn parents_and_children(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet;

    /// Whether X in the result for T only counts if T is in the result for X, also when a single
    /// target is asked for.
    fn needs_symmetry(&self) -> bool;
}
