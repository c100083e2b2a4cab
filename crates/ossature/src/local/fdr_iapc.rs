//! FDR-IAPC: the weak learner of the follow-up paper.

use super::spouses::remove_spouses;
use crate::ci::{Answer, Independence};
use crate::data::{Var, VarSet};

/// Incremental Association Parents and Children with control of the false discovery rate.
///
/// Grows a Markov blanket as IAMB does, but a variable enters only while the expected share of false
/// members stays below alpha, whatever the dependence between the tests; then removes the spouses.
///
/// # Requires, ensures
/// As for [`inter_iapc`](super::inter_iapc()).
///
/// # Cost
/// |U| tests for each step, and at most 2^|MB| for each member in the end.
///
/// # Literature
/// Peña (2008), "Learning Gaussian graphical models of gene networks with false discovery rate
/// control", doi:10.1007/978-3-540-78757-0_15; Gasse, Aussem & Elghazel (2014),
/// doi:10.1016/j.eswa.2014.04.032, Algorithm 5; Benjamini & Yekutieli (2001).
pub fn fdr_iapc(t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet {
    remove_spouses(t, &fdr_iamb(t, u, ind), ind)
}

/// The Markov blanket of FDR-IAPC.
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

/// Each variable given the blanket without it, and its p adjusted for the number of tests: with m
/// variables the i-th smallest p is multiplied by m (1 + 1/2 + ... + 1/m) / i.
fn adjusted(t: Var, u: &VarSet, mb: &VarSet, ind: &Independence<'_>) -> Vec<Answer> {
    let mut answers = ind.sweep(t, u.minus(mb).as_slice(), mb.as_slice());
    answers.extend(mb.iter().map(|x| ind.ask(x, t, mb.without(x).as_slice())));
    answers.sort_by(|a, b| b.cmp_strength(a));
    let m = answers.len() as f64;
    let harmonic: f64 = (1..=answers.len()).map(|k| 1.0 / k as f64).sum();
    answers.iter().enumerate().map(|(i, a)| ind.adjusted(a, m * harmonic / (i + 1) as f64)).collect()
}
