//! The skeleton: the neighbourhoods of all variables, reconciled.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{LocalLearner, SharingLearner};
use crate::ci::Independence;
use crate::data::{Var, VarSet};
use crate::error::Result;
use crate::graph::Skeleton;
use crate::halves::Restriction;
use crate::parallel;
use crate::progress::Event;
use crate::word::Word;

/// What happens if two neighbourhoods disagree about an edge.
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
/// A forbidden edge is never in the result, and a required edge always is. If the run is stopped, returns
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
    let pcs = match shared.as_deref() {
        None => for_all_targets(u, ask, |t| learner.parents_and_children(t, u, ask))?,
        Some(shared) => sharing_targets(shared, u, ask)?,
    };
    let skeleton = join(&pcs, symmetry, ask);
    let evidence = ask.take_evidence(|x, y| !skeleton.contains(x, y));
    Ok(Restriction { skeleton, evidence })
}

/// The edges of all neighbourhoods, joined by a symmetry rule.
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

/// The neighbourhoods of all variables, by a learner whose targets share their results. All shared results
/// come first, so that no target waits for another. Then come the targets. Each time, those with the most variables
/// around them are first, so that none of these is left to the end.
fn sharing_targets(learner: &dyn SharingLearner, u: &VarSet, ask: &Independence<'_>) -> Result<Vec<VarSet>> {
    let steps = TargetSteps::new(u, 2);
    let near = |t| learner.shared(t, u, ask).sets.iter().map(VarSet::len).sum::<usize>();
    let mut order: Vec<Var> = u.iter().collect();
    ask.largest_first(&mut order);
    let near = steps.each(&order, ask, near)?;
    order.sort_unstable();
    order.sort_by_key(|t| std::cmp::Reverse(near[t.index()]));
    steps.each(&order, ask, |t| learner.parents_and_children(t, u, ask))
}

/// The results for all variables. If the run is stopped, returns [`Error::Stopped`](crate::Error::Stopped).
pub(super) fn for_all_targets(
    u: &VarSet,
    ask: &Independence<'_>,
    find: impl Fn(Var) -> VarSet + Sync,
) -> Result<Vec<VarSet>> {
    let mut order: Vec<Var> = u.iter().collect();
    ask.largest_first(&mut order);
    TargetSteps::new(u, 1).each(&order, ask, find)
}

/// The steps of a run over all targets, one or more for each.
struct TargetSteps {
    done: AtomicUsize,
    of_each: usize,
    targets: usize,
}

impl TargetSteps {
    fn new(u: &VarSet, of_each: usize) -> TargetSteps {
        TargetSteps { done: AtomicUsize::new(0), of_each, targets: u.len() }
    }

    /// Does one step for each target, started in this order. Returns the results in the order of the
    /// variables.
    fn each<T: Send + Default>(
        &self,
        order: &[Var],
        ask: &Independence<'_>,
        find: impl Fn(Var) -> T + Sync,
    ) -> Result<Vec<T>> {
        let step = |&t: &Var| {
            if ask.stop_requested().is_some() {
                return T::default();
            }
            let found = find(t);
            let done = 1 + self.done.fetch_add(1, Ordering::Relaxed);
            if done.is_multiple_of(self.of_each) {
                ask.report(Event::TargetDone { done: done / self.of_each, total: self.targets });
            }
            found
        };
        let found = parallel::map_each(order, step);
        let mut found: Vec<(Var, T)> = order.iter().copied().zip(found).collect();
        ask.check_running()?;
        found.sort_unstable_by_key(|(t, _)| *t);
        Ok(found.into_iter().map(|(_, found)| found).collect())
    }
}

/// The parents and children of one target, learning nothing more than that needs.
///
/// A forbidden edge is never in the result, and a required edge always is. If the run is stopped, returns
/// [`Error::Stopped`](crate::Error::Stopped), never a part of the answer.
pub fn neighbours(learner: &dyn LocalLearner, t: Var, u: &VarSet, ind: &Independence<'_>) -> Result<VarSet> {
    let mut pc = learner.parents_and_children(t, u, ind);
    if learner.needs_symmetry() {
        pc = pc.iter().filter(|&x| learner.parents_and_children(x, u, ind).contains(t)).collect();
    }
    ind.check_running()?;
    Ok(pc.iter().filter(|&x| !ind.edge_forbidden(t, x)).collect())
}
