//! MMPC: max-min parents and children, which the paper compares with.

use super::LocalLearner;
use super::subsets::subsets;
use crate::ci::{Answer, Independence};
use crate::data::{Var, VarSet};

/// Max-Min Parents and Children.
///
/// The variable whose weakest association with the target, over all subsets of the members so far, is
/// the strongest becomes a member; then members that a subset of the others separates are dropped.
///
/// # Requires, ensures
/// Any `u`. With faithful answers the result contains the parents and children; it may also contain a
/// descendant, which goes when the result for T is kept only where T is in the result of the other
/// (Tsamardinos, Brown & Aliferis 2006, section 3.3).
///
/// # Cost
/// At most |U|·2^|CPC| tests. Two savings of that paper (section 6) are part of it: a variable once
/// separated is never looked at again, and only subsets that contain the newest member are new.
///
/// # Literature
/// Tsamardinos, Brown & Aliferis (2006), doi:10.1007/s10994-006-6889-7, Algorithms 1 and 2.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mmpc;

impl LocalLearner for Mmpc {
    fn parents_and_children(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet {
        let mut cpc: Vec<Var> = Vec::new();
        let mut open = ind.sweep(t, u.without(t).as_slice(), &[]);
        open.retain(|x| !x.separated);
        while let Some(f) = open.iter().filter(|x| x.connected).copied().max_by(Answer::cmp_strength) {
            open.retain(|x| x.var != f.var);
            weaken(t, f.var, &cpc, &mut open, ind);
            cpc.push(f.var);
        }
        for x in cpc.clone() {
            if separated_by_later(t, x, &cpc, ind) {
                cpc.retain(|&y| y != x);
            }
        }
        cpc.into_iter().collect()
    }

    fn needs_symmetry(&self) -> bool {
        true
    }
}

/// Tests the open variables given each subset of the members that contains the newest one; keeps the
/// weakest association of each, and drops those that are separated.
fn weaken(t: Var, newest: Var, cpc: &[Var], open: &mut Vec<Answer>, ind: &Independence<'_>) {
    let mut sorted = cpc.to_vec();
    sorted.sort_unstable();
    let mut all = subsets(&sorted, ind.max_conditioning().saturating_sub(1));
    while let Some(z) = all.next() {
        if open.is_empty() {
            return;
        }
        let z: VarSet = z.iter().copied().chain([newest]).collect();
        let xs: Vec<Var> = open.iter().map(|x| x.var).collect();
        let answers = ind.sweep(t, &xs, z.as_slice());
        for (x, new) in open.iter_mut().zip(answers) {
            // A test without power that neither separates nor connects says nothing.
            if (new.separated || new.connected) && new.cmp_strength(x).is_lt() {
                *x = new;
            }
        }
        open.retain(|x| !x.separated);
    }
}

/// Whether a subset of the other members separates X. Those of members that came before X have been
/// tried when X was open, so only subsets with a later member are new.
fn separated_by_later(t: Var, x: Var, cpc: &[Var], ind: &Independence<'_>) -> bool {
    let place = cpc.iter().position(|&y| y == x).expect("x is a member");
    let later = &cpc[place + 1..];
    let mut others: Vec<Var> = cpc.iter().copied().filter(|&y| y != x).collect();
    others.sort_unstable();
    let mut all = subsets(&others, ind.max_conditioning());
    while let Some(z) = all.next() {
        if z.iter().any(|y| later.contains(y)) && ind.separated(t, x, z) {
            return true;
        }
    }
    false
}
