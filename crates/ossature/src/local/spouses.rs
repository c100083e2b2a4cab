//! The last step of both weak learners: spouses are removed from a Markov blanket.

use super::subsets::subsets;
use crate::ci::Independence;
use crate::data::{Var, VarSet};

/// The members of the blanket of `t` that no subset of the others separates from it (Algorithm 2,
/// lines 14-19).
pub(super) fn remove_spouses(t: Var, mb: &VarSet, ind: &Independence<'_>) -> VarSet {
    mb.iter().filter(|&x| separating_set(t, x, mb, ind).is_none()).collect()
}

/// The first subset of `within`, by increasing size, that separates two variables.
pub(super) fn separating_set(t: Var, x: Var, within: &VarSet, ind: &Independence<'_>) -> Option<VarSet> {
    let others = within.without(t).without(x);
    let mut all = subsets(others.as_slice(), ind.max_conditioning());
    let (mut size, mut answered) = (0, true);
    while let Some(z) = all.next() {
        if z.len() > size {
            // Where no set of a size had power, no larger one has.
            if !std::mem::replace(&mut answered, false) {
                return None;
            }
            size = z.len();
        }
        let answer = ind.decide(t, x, z);
        if answer.separated {
            return Some(z.iter().copied().collect());
        }
        answered |= answer.connected;
    }
    None
}
