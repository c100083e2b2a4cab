//! DE-SPS: a superset of the spouses, with at most two conditioning variables.

use std::collections::BTreeMap;

use super::de_pcs::DSep;
use crate::ci::{Answer, Independence, Sweep};
use crate::data::{Var, VarSet};
use crate::parallel;

/// Data-Efficient Spouses Superset.
///
/// A spouse of the target is independent of it, but becomes dependent given their common child. For each
/// candidate child X, keeps the variables Y that become dependent given their separating set and X, unless
/// another of them explains the dependence.
///
/// # Requires, ensures
/// `pcs` and `d_sep` from [`de_pcs`](super::de_pcs()) for the same `t` and `u`. With faithful answers
/// `pcs` and the result together contain the Markov blanket of `t`.
///
/// # Cost
/// At most |PCS|·|U| tests of orders 1 and 2, and |S|² of order 2 for each member of PCS.
///
/// # Literature
/// As for [`de_pcs`](super::de_pcs()); 2014, Algorithm 4. The 2012 paper says once that |Z| <= 3, but
/// by construction it is 2.
pub fn de_sps(t: Var, u: &VarSet, pcs: &VarSet, d_sep: &DSep, ind: &Independence<'_>) -> VarSet {
    let groups = by_separating_set(t, u, pcs, d_sep);
    let spouses_through = |&x: &Var| {
        // Variables that X itself separates from the target are known to be independent given X.
        let others = groups.iter().filter(|(z, _)| !z.contains(x));
        let given: Vec<(VarSet, &[Var])> = others.map(|(z, ys)| (z.with(x), ys.as_slice())).collect();
        let sweeps = given.iter().map(|(z, ys)| Sweep { target: t, candidates: ys, given: z.as_slice() });
        let mut s = ind.connected_in(&sweeps.collect::<Vec<_>>());
        s.sort_by(Answer::cmp_strength);
        let weakest_first: Vec<Var> = s.iter().map(|a| a.var).collect();
        ind.foresee_pairs(t, &weakest_first, &[x]);
        for y in weakest_first {
            let strongest_first = s.iter().rev().map(|a| a.var).filter(|&z| z != y);
            if strongest_first.into_iter().any(|z| ind.separated(t, y, &[x, z])) {
                s.retain(|a| a.var != y);
            }
        }
        s.iter().map(|a| a.var).collect::<VarSet>()
    };
    let through_each = parallel::map_if_many(pcs.as_slice(), spouses_through);
    through_each.iter().fold(VarSet::new(), |sps, s| sps.union(s))
}

/// Groups the variables outside PCS by their separating set, so that those of the same set are tested
/// together.
fn by_separating_set(t: Var, u: &VarSet, pcs: &VarSet, d_sep: &DSep) -> BTreeMap<VarSet, Vec<Var>> {
    let mut groups: BTreeMap<VarSet, Vec<Var>> = BTreeMap::new();
    for y in u.iter().filter(|&y| y != t && !pcs.contains(y)) {
        let z = &d_sep[&y];
        match groups.get_mut(z) {
            Some(ys) => ys.push(y),
            None => _ = groups.insert(z.clone(), vec![y]),
        }
    }
    groups
}
