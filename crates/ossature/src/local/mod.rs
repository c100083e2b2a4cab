//! Local learning: the parents and children of one variable, and from those of all variables the skeleton.
//!
//! Each listing of the paper is a file with a function of the same name, and uses only
//! [`Independence`](crate::ci::Independence), [`subsets`] and set algebra. `docs/FIDELITY.md` names the
//! orders that the paper does not specify.
//!
//! | listing | function | finds |
//! |---|---|---|
//! | Algorithm 1 | [`Hpc`] | the parents and children, by an ensemble of weak learners |
//! | Algorithm 2 | [`WeakLearner::InterIapc`] | the same, quickly and with misses |
//! | DE-PCS | [`de_pcs()`] | a superset of the parents and children |
//! | DE-SPS | [`de_sps()`] | a superset of the spouses |
//! | FDR-IAPC | [`WeakLearner::FdrIapc`] | as Inter-IAPC, with control of the false discovery rate |
//! | MMPC | [`Mmpc`] | the parents and children, by max-min |
//! | GS, IAMB, Inter-IAMB, Fast-IAMB, IAMB-FDR | [`BlanketLearner`] | the Markov blanket, and by it the parents and children |
//! | TPDA | [`Tpda`] | the skeleton, by drafting, thickening and thinning |
//! | PC | [`Pc`] | the skeleton, all variables at once |

mod blanket;
mod by_blanket;
mod by_target;
mod de_pcs;
mod de_sps;
mod fdr_iapc;
mod hpc;
mod iamb;
mod inter_iapc;
mod mmpc;
mod pc;
mod skeleton;
mod spouses;
mod subsets;
mod tpda;

pub use blanket::markov_blanket;
pub use by_blanket::ByBlanket;
pub use by_target::ByTarget;
pub use de_pcs::{DSep, PhaseOne, de_pcs};
pub use de_sps::de_sps;
pub use hpc::{Hpc, Share, WeakLearner};
pub use iamb::BlanketLearner;
pub use mmpc::Mmpc;
pub use pc::Pc;
pub use skeleton::{Symmetry, neighbours, skeleton};
pub use subsets::subsets;
pub use tpda::Tpda;

pub use crate::halves::{LocalLearner, SharingLearner};
