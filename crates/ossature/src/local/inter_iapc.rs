//! Inter-IAPC: the weak learner of the paper.

use crate::ci::{Answer, Independence};
use crate::data::{Var, VarSet};

/// The Markov blanket of Interleaved Incremental Association Parents and Children (lines 1-13).
///
/// Grows a Markov blanket by the strongest dependence, and after each step removes members that have become
/// superfluous. Quick, but misses members of large neighbourhoods, because every test is given the whole
/// blanket. The last lines, 14-19, are [`remove_spouses`](super::spouses::remove_spouses).
///
/// # Requires, ensures
/// Any `u`. With faithful answers and all variables in `u`, the result is the Markov blanket.
///
/// # Cost
/// |U| tests for each member of the blanket.
///
/// # Literature
/// Gasse, Aussem & Elghazel (2012), doi:10.1007/978-3-642-33460-3_9, Algorithm 2; after Inter-IAMB,
/// Tsamardinos, Aliferis & Statnikov (2003).
pub(super) fn inter_iamb(t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet {
    let mut mb: Vec<Var> = Vec::new(); // line 1, in the order of insertion
    let mut seen: Vec<VarSet> = Vec::new();
    loop {
        let given: VarSet = mb.iter().copied().collect();
        if seen.contains(&given) {
            return given; // line 13, or a state seen before
        }
        let candidates = u.without(t).minus(&given);
        let answers = ind.sweep(t, candidates.as_slice(), given.as_slice());
        seen.push(given);
        // If any of them depends, the strongest does.
        let dependent = answers.into_iter().filter(|y| y.connected); // line 5
        let added = dependent.max_by(Answer::cmp_strength).map(|y| y.var); // line 4
        mb.extend(added); // line 6
        let order: Vec<Var> = mb.iter().copied().rev().filter(|&x| Some(x) != added).collect();
        shrink(t, &mut mb, &order, ind); // lines 8-12
    }
}

/// Removes members from a blanket, in the given order, if the remaining members separate them from the
/// target.
pub(super) fn shrink(t: Var, mb: &mut Vec<Var>, order: &[Var], ind: &Independence<'_>) {
    let others = |mb: &[Var], x: Var| mb.iter().copied().filter(|&y| y != x).collect::<VarSet>();
    if let Some(&x) = order.first() {
        // As long as no member is removed, all questions are about the same variables.
        ind.foresee(t, &[x], others(mb, x).as_slice());
    }
    for &x in order {
        if ind.separated(t, x, others(mb, x).as_slice()) {
            mb.retain(|&y| y != x);
        }
    }
}
