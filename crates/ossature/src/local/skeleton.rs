//! The skeleton: the neighbourhoods of all variables, made to agree.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::LocalLearner;
use crate::ci::Independence;
use crate::data::{Var, VarSet};
use crate::error::Result;
use crate::graph::Skeleton;
use crate::halves::Restriction;
use crate::progress::Event;
use crate::word::Word;

/// When two neighbourhoods disagree about an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Symmetry {
    /// Both ends must have found it (the paper).
    #[default]
    And,
    /// One is enough.
    Or,
}

impl Word for Symmetry {
    const WHAT: &'static str = "symmetry rule";
    const WORDS: &'static [(Symmetry, &'static str, &'static str)] = &[
        (Symmetry::And, "and", "Both must have found it, as in the paper"),
        (Symmetry::Or, "or", "One is enough"),
    ];
}

/// Learns the neighbourhoods of all variables `u`, in parallel, and joins them (Algorithm 3, lines 1-3).
///
/// A forbidden edge is never in the result and a required one always is. A run that is stopped returns
/// [`Error::Stopped`](crate::Error::Stopped), never a part of the answer.
pub fn skeleton(
    learner: &dyn LocalLearner,
    u: &VarSet,
    symmetry: Symmetry,
    ask: &Independence<'_>,
) -> Result<Restriction> {
    let shared = match symmetry {
        Symmetry::And => learner.sharing(u.len()),
        Symmetry::Or => None,
    };
    let learner = shared.as_deref().map_or(learner, |shared| shared);
    let pcs = for_all_targets(u, ask, |t| learner.parents_and_children(t, u, ask))?;
    let skeleton = join(&pcs, symmetry, ask);
    let evidence = ask.take_evidence(|x, y| !skeleton.contains(x, y));
    Ok(Restriction { skeleton, evidence })
}

/// The edges that the neighbourhoods of all variables agree on, as far as the rule wants them to.
pub(super) fn join(pcs: &[VarSet], symmetry: Symmetry, ask: &Independence<'_>) -> Skeleton {
    let mut skeleton = Skeleton::empty(pcs.len());
    for (x, pc) in pcs.iter().enumerate().map(|(x, pc)| (Var::new(x), pc)) {
        for y in pc.iter() {
            let agreed = symmetry == Symmetry::Or || pcs[y.index()].contains(x);
            if agreed && !ask.edge_forbidden(x, y) {
                skeleton.insert(x, y);
            }
        }
    }
    for (x, y) in ask.required() {
        skeleton.insert(x, y);
    }
    skeleton
}

/// What is found about each of the variables. A run that is stopped returns
/// [`Error::Stopped`](crate::Error::Stopped).
pub(super) fn for_all_targets(
    u: &VarSet,
    ask: &Independence<'_>,
    find: impl Fn(Var) -> VarSet + Sync,
) -> Result<Vec<VarSet>> {
    let (done, total) = (AtomicUsize::new(0), u.len());
    // One target at a time for each thread: the cost of targets differs by a factor of a hundred.
    let found = (0..total)
        .into_par_iter()
        .with_max_len(1)
        .map(|t| {
            if ask.stop_requested().is_some() {
                return VarSet::new();
            }
            let found = find(Var::new(t));
            ask.report(Event::TargetDone { done: 1 + done.fetch_add(1, Ordering::Relaxed), total });
            found
        })
        .collect();
    ask.check_running()?;
    Ok(found)
}

/// The parents and children of one target, without learning anything else than it takes.
///
/// A forbidden edge is never in the result and a required one always is. A run that is stopped returns
/// [`Error::Stopped`](crate::Error::Stopped), never a part of the answer.
pub fn neighbours(learner: &dyn LocalLearner, t: Var, u: &VarSet, ind: &Independence<'_>) -> Result<VarSet> {
    let mut pc = learner.parents_and_children(t, u, ind);
    if learner.needs_symmetry() {
        pc = pc.iter().filter(|&x| learner.parents_and_children(x, u, ind).contains(t)).collect();
    }
    ind.check_running()?;
    Ok(pc.iter().filter(|&x| !ind.edge_forbidden(t, x)).collect())
}
