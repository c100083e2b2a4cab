//! DE-PCS: a superset of the parents and children, with at most one conditioning variable.

use rustc_hash::FxHashMap;

use crate::ci::{Answer, Independence};
use crate::data::{Var, VarSet};

/// For each variable found to be independent of the target, the set that showed it.
pub type DSep = FxHashMap<Var, VarSet>;

/// Data-Efficient Parents and Children Superset.
///
/// Finds the variables that no other single variable separates from the target. The small
/// conditioning sets make the tests reliable; what is kept too much, HPC removes later.
///
/// # Requires, ensures
/// Any `u`. With faithful answers the result contains the parents and children of `t`, and `DSep`
/// has a separating set for every other variable of `u`.
///
/// # Cost
/// |U| tests of order 0, at most |PCS|² of order 1.
///
/// # Literature
/// Gasse, Aussem & Elghazel (2012), doi:10.1007/978-3-642-33460-3_9, Algorithm 1 line 1; printed in
/// Gasse, Aussem & Elghazel (2014), doi:10.1016/j.eswa.2014.04.032, Algorithm 3.
pub fn de_pcs(t: Var, u: &VarSet, ind: &Independence<'_>) -> (VarSet, DSep) {
    let mut d_sep = DSep::default();
    // Phase I: what is independent given nothing.
    let mut pcs: Vec<Answer> = Vec::new();
    for answer in ind.sweep(t, u.without(t).as_slice(), &[]) {
        // Where a test of two variables has no power, none of them given others has: that cannot
        // become a neighbour, even if it does not count as independent.
        if answer.connected {
            pcs.push(answer);
        } else {
            d_sep.insert(answer.var, VarSet::new());
        }
    }
    // Phase II: what is independent given one other, the weakest first.
    pcs.sort_by(Answer::cmp_strength);
    for x in weakest_first(&pcs) {
        let mut weakest = pcs.iter().find(|a| a.var == x).copied().expect("x is still in PCS");
        let separator = strongest_first(&pcs, x).into_iter().find(|&y| {
            let answer = ind.ask(x, t, &[y]);
            if answer.is_known() && answer.cmp_strength(&weakest).is_lt() {
                weakest = answer;
            }
            answer.separated
        });
        pcs.retain(|a| a.var != x);
        match separator {
            Some(y) => _ = d_sep.insert(x, VarSet::new().with(y)),
            None => {
                // A survivor counts from now on with the weakest association it has shown.
                let place = pcs.partition_point(|a| a.cmp_strength(&weakest).is_lt());
                pcs.insert(place, weakest);
            }
        }
    }
    (pcs.iter().map(|a| a.var).collect(), d_sep)
}

fn weakest_first(pcs: &[Answer]) -> Vec<Var> {
    pcs.iter().map(|a| a.var).collect()
}

fn strongest_first(pcs: &[Answer], but: Var) -> Vec<Var> {
    pcs.iter().rev().map(|a| a.var).filter(|&v| v != but).collect()
}
