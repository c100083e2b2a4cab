//! The Markov blanket of one target.

use super::LocalLearner;
use super::de_pcs::{PhaseOne, de_pcs};
use super::skeleton::neighbours;
use super::spouses::separating_set;
use crate::ci::Independence;
use crate::data::{Var, VarSet};
use crate::error::Result;

/// The parents, children and spouses of a target, given its parents and children `pc`.
///
/// A neighbour Y of a neighbour X is a spouse if the target depends on Y given X and the set that separates Y
/// from the target. A learner that finds blankets itself is used directly. Otherwise only the neighbourhoods
/// of the neighbours are learned, and those of candidate spouses if a separating set must be found. If the
/// run is stopped, returns [`Error::Stopped`](crate::Error::Stopped).
pub fn markov_blanket(
    learner: &dyn LocalLearner,
    t: Var,
    pc: &VarSet,
    u: &VarSet,
    ind: &Independence<'_>,
) -> Result<VarSet> {
    if let Some(blanket) = learner.blanket(t, u, ind) {
        ind.check_running()?;
        return Ok(blanket);
    }
    let mut blanket = pc.clone();
    if pc.is_empty() {
        return Ok(blanket);
    }
    let (_, d_sep) = de_pcs(t, u, PhaseOne::default(), ind);
    for x in pc.iter() {
        for y in neighbours(learner, x, u, ind)?.without(t).minus(&blanket).iter() {
            let separating = match d_sep.get(&y) {
                Some(z) => z.clone(),
                None => separating_set_near(learner, t, y, pc, u, ind)?,
            };
            if ind.connected(t, y, separating.with(x).as_slice()) {
                blanket.insert(y);
            }
        }
    }
    ind.check_running()?;
    Ok(blanket)
}

/// A set that separates two variables that are not adjacent: a subset of the neighbours of one or of the
/// other. Empty if none is found.
fn separating_set_near(
    learner: &dyn LocalLearner,
    t: Var,
    y: Var,
    pc: &VarSet,
    u: &VarSet,
    ind: &Independence<'_>,
) -> Result<VarSet> {
    if let Some(z) = separating_set(t, y, pc, ind) {
        return Ok(z);
    }
    let pc_of_y = neighbours(learner, y, u, ind)?;
    Ok(separating_set(t, y, &pc_of_y, ind).unwrap_or_default())
}
