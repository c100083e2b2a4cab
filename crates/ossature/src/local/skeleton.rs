//! The skeleton: the neighbourhoods of all variables, made to agree.

use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::LocalLearner;
use crate::ci::Independence;
use crate::data::{Var, VarSet};
use crate::error::{Error, Result};
use crate::graph::Skeleton;
use crate::progress::{Event, Progress};

/// When two neighbourhoods disagree about an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Symmetry {
    /// Both ends must have found it (the paper).
    #[default]
    And,
    /// One is enough.
    Or,
}

impl FromStr for Symmetry {
    type Err = Error;

    fn from_str(text: &str) -> Result<Symmetry> {
        match text {
            "and" => Ok(Symmetry::And),
            "or" => Ok(Symmetry::Or),
            _ => Err(Error::unknown_name("symmetry rule", text, ["and", "or"], None)),
        }
    }
}

/// Learns the neighbourhoods of `n` variables, in parallel, and joins them (Algorithm 3, lines 1-3).
///
/// A forbidden edge is never in the result and a required one always is. A run that is stopped
/// returns [`Error::Stopped`], never a part of the answer.
pub fn skeleton(
    learner: &dyn LocalLearner,
    n: usize,
    symmetry: Symmetry,
    ind: &Independence<'_>,
    progress: &dyn Progress,
) -> Result<Skeleton> {
    let u = VarSet::all(n);
    let done = AtomicUsize::new(0);
    // One target at a time for each thread: the cost of targets differs by a factor of a hundred.
    let pcs: Vec<VarSet> = (0..n)
        .into_par_iter()
        .with_max_len(1)
        .map(|t| {
            if ind.stop_requested().is_some() {
                return VarSet::new();
            }
            let pc = learner.parents_and_children(Var::new(t), &u, ind);
            let done = 1 + done.fetch_add(1, Ordering::Relaxed);
            if ind.stop_requested().is_none()
                && let ControlFlow::Break(how) = progress.report(Event::TargetDone { done, total: n })
            {
                ind.stop(how);
            }
            pc
        })
        .collect();
    ind.check_running()?;
    let mut skeleton = Skeleton::empty(n);
    for x in u.iter() {
        for y in pcs[x.index()].iter() {
            let agreed = symmetry == Symmetry::Or || pcs[y.index()].contains(x);
            if agreed && !ind.edge_forbidden(x, y) {
                skeleton.insert(x, y);
            }
        }
    }
    for (x, y) in ind.required() {
        skeleton.insert(x, y);
    }
    Ok(skeleton)
}

/// The parents and children of one target, without learning anything else than it takes.
///
/// A forbidden edge is never in the result and a required one always is. A run that is stopped returns
/// [`Error::Stopped`], never a part of the answer.
pub fn neighbours(learner: &dyn LocalLearner, t: Var, u: &VarSet, ind: &Independence<'_>) -> Result<VarSet> {
    let mut pc = learner.parents_and_children(t, u, ind);
    if learner.needs_symmetry() {
        pc = pc.iter().filter(|&x| learner.parents_and_children(x, u, ind).contains(t)).collect();
    }
    ind.check_running()?;
    Ok(pc.iter().filter(|&x| !ind.edge_forbidden(t, x)).collect())
}
