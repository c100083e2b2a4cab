//! The last step of both weak learners: removing spouses from a Markov blanket.

use super::subsets::{Look, find_subset_foreseen};
use crate::ci::{Decision, Independence};
use crate::data::{Var, VarSet};
use crate::parallel;

/// The members of the blanket of `t` that no subset of the others separates from it (Algorithm 2,
/// lines 14-19).
pub(super) fn remove_spouses(t: Var, mb: &VarSet, ind: &Independence<'_>) -> VarSet {
    let kept = parallel::map_if_many(mb.as_slice(), |&x| separating_set(t, x, mb, ind).is_none());
    mb.iter().zip(kept).filter(|(_, kept)| *kept).map(|(x, _)| x).collect()
}

/// The first subset of `within`, by increasing size, that separates two variables.
pub(super) fn separating_set(t: Var, x: Var, within: &VarSet, ind: &Independence<'_>) -> Option<VarSet> {
    if !ind.separable(t, x) {
        return None;
    }
    let others = within.without(t).without(x);
    ind.foresee_among(&others.with(t).with(x));
    ind.foresee(t, &[x], others.as_slice());
    let foresee = |z: VarSet| ind.foresee_among(&z.with(t).with(x));
    find_subset_foreseen(others.as_slice(), ind.max_conditioning(), foresee, |z| ind.decide(t, x, z).into())
}

impl From<Decision> for Look {
    fn from(Decision { separated, connected }: Decision) -> Look {
        match (separated, connected) {
            (true, _) => Look::Found,
            (_, true) => Look::Answered,
            _ => Look::NoPower,
        }
    }
}
