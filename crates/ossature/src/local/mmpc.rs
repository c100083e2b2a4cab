//! MMPC: max-min parents and children, which the paper compares HPC with.

use super::LocalLearner;
use super::subsets::{Look, find_subset};
use crate::ci::{Answer, Independence};
use crate::data::{Var, VarSet};

/// Max-Min Parents and Children.
///
/// For each variable, takes its weakest association with the target over all subsets of the members so far.
/// The variable for which this is strongest becomes a member. Then drops members that a subset of the others
/// separates.
///
/// # Requires, ensures
/// Any `u`. With faithful answers the result contains the parents and children. It may also contain a
/// descendant, which is removed if an edge is kept only if both ends found it (Tsamardinos, Brown & Aliferis
/// 2006; Peña et al. 2007, doi:10.1016/j.ijar.2006.06.008).
///
/// # Cost
/// At most |U|·2^|CPC| tests. Two savings of that paper (section 6) are included: a variable once separated
/// is never considered again, and only subsets that contain the newest member are new.
///
/// # Literature
/// Tsamardinos, Brown & Aliferis (2006), doi:10.1007/s10994-006-6889-7, Algorithms 1 and 2.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mmpc;

impl LocalLearner for Mmpc {
    fn parents_and_children(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet {
        let mut cpc: Vec<Var> = Vec::new();
        let mut open = ind.sweep(t, u.without(t).as_slice(), &[]);
        open.retain(|x| x.connected);
        while let Some(f) = open.iter().copied().max_by(Answer::cmp_strength) {
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

/// Tests the open variables given each subset of the members that contains the newest one. Keeps the weakest
/// association of each, and drops those that are separated.
fn weaken(t: Var, newest: Var, before: &[Var], open: &mut Vec<Answer>, ind: &Independence<'_>) {
    let mut weak: Vec<&mut Answer> = open.iter_mut().filter(|x| ind.separable(t, x.var)).collect();
    let (xs, known): (Vec<Var>, VarSet) =
        (weak.iter().map(|x| x.var).collect(), before.iter().copied().chain([newest]).collect());
    ind.foresee(t, &xs, known.as_slice());
    find_subset_with(newest, before, ind, |z| {
        // Those that Z neither separates nor weakens, as the pairs show, are answered.
        let shown = |x: &Answer| matches!(z, &[y] if ind.depends_no_less(x.var, t, y, x));
        let xs: Vec<Var> = weak.iter().filter(|x| !shown(x)).map(|x| x.var).collect();
        let mut look = if xs.len() < weak.len() { Look::Answered } else { Look::NoPower };
        let mut asked = weak.iter_mut().filter(|x| xs.contains(&x.var));
        for new in ind.sweep(t, &xs, z) {
            let x = asked.next().expect("an answer for each that was asked about");
            if new.is_known() {
                look = Look::Answered;
                if new.cmp_strength(x).is_lt() {
                    **x = new;
                }
            }
        }
        weak.retain(|x| !x.separated);
        if weak.is_empty() { Look::Found } else { look }
    });
    open.retain(|x| !x.separated);
}

/// Whether a subset of the other members separates X. Subsets of members added before X were tried while X
/// was open, so only those with a later member are tried now.
fn separated_by_later(t: Var, x: Var, cpc: &[Var], ind: &Independence<'_>) -> bool {
    let after_x = 1 + cpc.iter().position(|&y| y == x).expect("x is a member");
    let others: Vec<Var> = cpc.iter().copied().filter(|&y| y != x).collect();
    ind.foresee(t, &[x], &others);
    ind.separable(t, x)
        && (after_x..cpc.len()).any(|later| {
            let before: Vec<Var> = cpc[..later].iter().copied().filter(|&y| y != x).collect();
            find_subset_with(cpc[later], &before, ind, |z| ind.decide(t, x, z).into())
        })
}

/// Whether `look` accepts some subset of `before` together with the newest member.
fn find_subset_with(
    newest: Var,
    before: &[Var],
    ind: &Independence<'_>,
    mut look: impl FnMut(&[Var]) -> Look,
) -> bool {
    let Some(max) = ind.max_conditioning().checked_sub(1) else { return false };
    let before: VarSet = before.iter().copied().collect();
    find_subset(before.as_slice(), max, |z| {
        look(z.iter().copied().collect::<VarSet>().with(newest).as_slice())
    })
    .is_some()
}
