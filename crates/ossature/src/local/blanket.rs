//! The Markov blanket of one target.

use super::LocalLearner;
use super::de_pcs::de_pcs;
use super::skeleton::neighbours;
use super::spouses::separating_set;
use crate::ci::Independence;
use crate::data::{Var, VarSet};

/// The parents, children and spouses of a target, given its parents and children `pc`.
///
/// A neighbour Y of a neighbour X is a spouse if the target depends on it once X is given along with
/// the set that separates the two. Only the neighbourhoods of the neighbours are learned.
pub fn markov_blanket(
    learner: &dyn LocalLearner,
    t: Var,
    pc: &VarSet,
    u: &VarSet,
    ind: &Independence<'_>,
) -> VarSet {
    let mut blanket = pc.clone();
    if pc.is_empty() {
        return blanket;
    }
    let (_, d_sep) = de_pcs(t, u, ind);
    for x in pc.iter() {
        for y in neighbours(learner, x, u, ind).without(t).minus(pc).iter() {
            let separating =
                d_sep.get(&y).cloned().or_else(|| separating_set(t, y, pc, ind)).unwrap_or_default();
            if ind.connected(t, y, separating.with(x).as_slice()) {
                blanket.insert(y);
            }
        }
    }
    blanket
}
