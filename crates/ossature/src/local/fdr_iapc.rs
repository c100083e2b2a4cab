//! FDR-IAPC: the weak learner of the follow-up paper.

use crate::ci::{Answer, Independence, Sweep};
use crate::data::{Var, VarSet};

/// The Markov blanket of Incremental Association Parents and Children with control of the false
/// discovery rate.
///
/// Grows a Markov blanket as IAMB does, but a variable enters only while the expected proportion of false
/// members stays below alpha, for any dependence between the tests.
/// [`remove_spouses`](super::spouses::remove_spouses) then removes the spouses.
///
/// # Requires, ensures
/// As for [`inter_iamb`](super::inter_iapc::inter_iamb).
///
/// # Cost
/// |U| tests for each step.
///
/// # Literature
/// Peña (2008), "Learning Gaussian graphical models of gene networks with false discovery rate
/// control", doi:10.1007/978-3-540-78757-0_15; Gasse, Aussem & Elghazel (2014),
/// doi:10.1016/j.eswa.2014.04.032, Algorithm 2; Benjamini & Yekutieli (2001).
pub(super) fn fdr_iamb(t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet {
    let u = u.without(t);
    let mut mb = VarSet::new();
    let mut added = None;
    let mut seen: Vec<VarSet> = Vec::new();
    while !seen.contains(&mb) {
        seen.push(mb.clone());
        let answers = adjusted(t, &u, &mb, ind);
        let member = |a: &&Answer| mb.contains(a.var);
        let superfluous = answers.iter().filter(member).filter(|a| a.separated && Some(a.var) != added);
        let new = answers.iter().filter(|a| !member(a) && a.connected);
        if let Some(worst) = superfluous.min_by(|a, b| a.cmp_strength(b)) {
            mb.remove(worst.var);
        } else if let Some(best) = new.max_by(|a, b| a.cmp_strength(b)) {
            mb.insert(best.var);
            added = Some(best.var);
        }
    }
    mb
}

/// Tests each variable given the blanket without it, with p adjusted for the number of tests: with m
/// variables, the i-th smallest p is multiplied by m (1 + 1/2 + ... + 1/m) / i.
fn adjusted(t: Var, u: &VarSet, mb: &VarSet, ind: &Independence<'_>) -> Vec<Answer> {
    let others = u.minus(mb);
    let members: Vec<(Var, VarSet)> = mb.iter().map(|x| (x, mb.without(x))).collect();
    let mut sweeps = vec![Sweep { target: t, candidates: others.as_slice(), given: mb.as_slice() }];
    sweeps.extend(members.iter().map(|(x, given)| Sweep {
        target: t,
        candidates: std::slice::from_ref(x),
        given: given.as_slice(),
    }));
    let mut answers = ind.batch(&sweeps);
    answers.sort_by(|a, b| b.cmp_strength(a));
    let m = answers.len() as f64;
    let harmonic: f64 = (1..=answers.len()).map(|k| 1.0 / k as f64).sum();
    answers.iter().enumerate().map(|(i, a)| ind.adjusted(a, m * harmonic / (i + 1) as f64)).collect()
}
