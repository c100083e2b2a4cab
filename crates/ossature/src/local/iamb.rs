//! The Markov blanket by growing and shrinking: GS, IAMB, Inter-IAMB, Fast-IAMB and IAMB-FDR.

use super::LocalLearner;
use super::fdr_iapc::fdr_iamb;
use super::inter_iapc::{inter_iamb, shrink};
use super::spouses::separating_set;
use crate::ci::{Answer, Independence};
use crate::data::{Var, VarSet};

/// The average number of rows that a cell of the table needs for Fast-IAMB to add a variable without ranking
/// again.
const ROWS_A_CELL: f64 = 5.0;

/// A learner of Markov blankets, and through them of parents and children.
///
/// All of them grow a blanket by variables that depend on the target given the blanket, and shrink it by
/// those that do not. They differ in which variable they add next and when they shrink. A member of the
/// blanket is a parent or child if the target is in its blanket as well and no subset of the smaller of the
/// two blankets separates the two.
///
/// # Requires, ensures
/// Any `u`. With faithful answers and all variables in `u`, the blanket is the Markov blanket, and the
/// neighbours are the parents and children.
///
/// # Cost
/// |U| tests for each member of a blanket, and the subsets of a blanket for each of its members. Tests are
/// given the whole blanket, so if there are few rows for its configurations it stays incomplete.
///
/// # Literature
/// GS: Margaritis (2003), CMU-CS-03-153. IAMB and Inter-IAMB: Tsamardinos, Aliferis & Statnikov (2003),
/// FLAIRS. Fast-IAMB: Yaramakala & Margaritis (2005), doi:10.1109/ICDM.2005.134. IAMB-FDR: Peña (2008),
/// doi:10.1007/978-3-540-78757-0_15. Deviations D6, T4 and T5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlanketLearner {
    /// Grow-Shrink: adds the first variable that depends.
    Gs,
    /// Adds the variable that depends most.
    Iamb,
    /// Adds the variable that depends most, and shrinks after each.
    InterIamb,
    /// Adds as many variables at once as the rows allow.
    FastIamb,
    /// Adds the variable that depends most, while the proportion of false members stays below alpha.
    IambFdr,
}

impl BlanketLearner {
    /// The Markov blanket of `t` among `u`.
    pub fn blanket_of(self, t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet {
        match self {
            BlanketLearner::Gs => grow_shrink(t, u, ind),
            BlanketLearner::Iamb => iamb(t, u, ind),
            BlanketLearner::InterIamb => inter_iamb(t, u, ind),
            BlanketLearner::FastIamb => fast_iamb(t, u, ind),
            BlanketLearner::IambFdr => fdr_iamb(t, u, ind),
        }
    }
}

impl LocalLearner for BlanketLearner {
    fn parents_and_children(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet {
        let mb = self.blanket_of(t, u, ind);
        let neighbour = |x: Var| {
            let of_x = self.blanket_of(x, u, ind);
            of_x.contains(t) && !separated_in_the_smaller((t, &mb), (x, &of_x), ind)
        };
        mb.iter().filter(|&x| !ind.separable(t, x) || neighbour(x)).collect()
    }

    fn needs_symmetry(&self) -> bool {
        false // it checks the blanket of the other variable itself
    }

    fn blanket(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> Option<VarSet> {
        Some(self.blanket_of(t, u, ind))
    }
}

/// Whether a subset of the smaller of two blankets separates their two variables. If the sizes are equal,
/// uses the blanket of the variable that comes first.
pub(super) fn separated_in_the_smaller(
    (x, of_x): (Var, &VarSet),
    (y, of_y): (Var, &VarSet),
    ind: &Independence<'_>,
) -> bool {
    let (of_x, of_y) = (of_x.without(y), of_y.without(x));
    let smaller = if (of_x.len(), x) <= (of_y.len(), y) { of_x } else { of_y };
    separating_set(x, y, &smaller, ind).is_some()
}

/// Grow-Shrink: tries the variables in order, and starts again after each change.
fn grow_shrink(t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet {
    let mut mb = VarSet::new();
    let u = u.without(t);
    while let Some(x) = u.minus(&mb).iter().find(|&x| ind.connected(t, x, mb.as_slice())) {
        mb.insert(x);
    }
    let superfluous = |mb: &VarSet| mb.iter().find(|&x| ind.separated(t, x, mb.without(x).as_slice()));
    while let Some(x) = superfluous(&mb) {
        mb.remove(x);
    }
    mb
}

/// IAMB: adds the strongest until none depends, then shrinks once.
fn iamb(t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet {
    let mut mb: Vec<Var> = Vec::new();
    while let Some(x) = ranked(t, u, &mb, ind).first() {
        mb.push(x.var);
    }
    let last_first: Vec<Var> = mb.iter().copied().rev().collect();
    shrink(t, &mut mb, &last_first, ind);
    mb.into_iter().collect()
}

/// Fast-IAMB: adds all variables that depend in the order of strength, as long as there are enough rows for
/// the table with each; then shrinks, and ranks again.
fn fast_iamb(t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet {
    let mut mb: Vec<Var> = Vec::new();
    let mut seen: Vec<VarSet> = Vec::new();
    loop {
        let now: VarSet = mb.iter().copied().collect();
        if seen.contains(&now) {
            return now;
        }
        seen.push(now);
        for x in ranked(t, u, &mb, ind) {
            if ind.separable(t, x.var) && ind.rows_per_cell(t, x.var, &mb) < ROWS_A_CELL {
                break;
            }
            mb.push(x.var);
        }
        let first_first = mb.clone();
        shrink(t, &mut mb, &first_first, ind);
    }
}

/// The variables that depend on the target given its blanket, the strongest first.
fn ranked(t: Var, u: &VarSet, mb: &[Var], ind: &Independence<'_>) -> Vec<Answer> {
    let given: VarSet = mb.iter().copied().collect();
    let mut answers = ind.sweep(t, u.without(t).minus(&given).as_slice(), given.as_slice());
    answers.retain(|x| x.connected);
    answers.sort_by(|x, y| y.cmp_strength(x));
    answers
}
