//! Greedy equivalence search: a climb over classes instead of DAGs.
//!
//! `operators` lists the changes of a class and their gains, `state` determines which of them are valid
//! and what they lead to, `within` finds the best DAG of a class, `run` keeps the open operators and applies
//! the best; `families` caches all computed values. This file has the two orders in which changes are applied.

pub(super) mod families;
mod operators;
mod run;
mod state;
#[cfg(test)]
mod tests;
mod within;

pub(super) use operators::Act;
pub(super) use run::ClassRun;
pub(super) use state::ClassState;

use super::rules::Rules;
use super::watch::Watch;
use crate::data::Var;
use crate::error::{Error, Result};
use crate::graph::{Constraints, Dag};
use crate::halves::{Found, LearnedGraph, Orient, Task};
use crate::word::Word;
use families::Families;

/// The phases of [`Ges`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Phases {
    /// Inserts, then deletions.
    #[default]
    Two,
    /// Inserts, deletions and turns, repeated.
    Three,
}

impl Word for Phases {
    const WHAT: &'static str = "phases";
    const WORDS: &'static [(Phases, &'static str, &'static str)] = &[
        (Phases::Two, "insert-delete", "Insert edges while that gains, then delete, once"),
        (Phases::Three, "insert-delete-turn", "Also turn edges, and repeat all three while anything gains"),
    ];
}

/// Greedy equivalence search: GES, and XGES.
///
/// A state is an equivalence class. GES applies the best `Insert(X, Y, T)` until none gains, then the best
/// `Delete(X, Y, H)`; with [`Phases::Three`] also the best `Turn(X, Y, C)`, and begins again until nothing
/// gains. XGES always applies the best deletion, if none gains the best turn, and if none gains the best
/// insert; at the end it forces every deletion, the one that loses least first, keeps that edge out, climbs
/// on, and keeps the result if it scores better.
///
/// Chickering (2002), JMLR 3, 507-554, theorems 15 and 17 and their corollaries; Hauser & Bühlmann (2012), JMLR 13,
/// 2409-2464, propositions 31 and 34 (turns); Nazaret & Blei (2024), arXiv 2502.19551 (XGES). Ties
/// (deviation D13): the smallest Y, then X, then the smallest set.
///
/// # Requires, ensures
/// Any score that is a sum over families. Every state is a class in which some DAG respects the constraints,
/// which are part of the validity of an operator. The result is the class, or, if only some of its DAGs respect
/// the constraints, the canonical one of these. The score rises with every operator; for scores that are equal within a
/// class, by exactly its gain. For others the score of a class is that of the best DAG to which reversals of covered
/// arcs lead from the canonical one, and that DAG stands for the class.
///
/// # Cost
/// p sweeps over p candidates at the start; after each operator one for each new parent set of a variable it
/// has touched. The number of sets T is that of cliques among the neighbours of Y.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ges {
    /// The phases; XGES has its own.
    pub phases: Phases,
    /// Whether to search as XGES does.
    pub extremely: bool,
    /// The largest number of parents of a node.
    pub max_parents: Option<usize>,
}

impl Ges {
    /// Searches from a state; returns whether to go on.
    pub(super) fn search(&self, run: &mut ClassRun<'_>) -> bool {
        if self.extremely {
            return run.keep(&[Act::Delete, Act::Turn, Act::Insert]) && run.climb() && force_deletions(run);
        }
        match self.phases {
            Phases::Two => one_round(run, &[Act::Insert, Act::Delete]),
            Phases::Three => rounds(run, &[Act::Insert, Act::Delete, Act::Turn]),
        }
    }
}

/// One phase after the other, once; returns whether to go on.
fn one_round(run: &mut ClassRun<'_>, phases: &[Act]) -> bool {
    phases.iter().all(|act| run.keep(&[*act]) && run.climb())
}

/// One phase after the other, repeated until nothing gains; returns whether to go on.
pub(super) fn rounds(run: &mut ClassRun<'_>, phases: &[Act]) -> bool {
    loop {
        let before = run.state.total;
        if !one_round(run, phases) {
            return false;
        }
        if run.state.total <= before {
            return true;
        }
    }
}

/// Tries each deletion with its edge kept out, the best deletion first; starts again if that raised the
/// score.
fn force_deletions(run: &mut ClassRun<'_>) -> bool {
    'improved: loop {
        for deletion in run.deletions() {
            let Some(after) = run.after(&deletion) else { continue };
            let mut trial = run.clone();
            trial.part(deletion.x, deletion.y, after);
            let go_on = trial.climb();
            let (made, better) = (trial.made, trial.state.total > run.state.total);
            if better {
                trial.forget_parted();
                *run = trial;
            }
            run.made = made;
            if !go_on {
                return false;
            }
            if better {
                continue 'improved;
            }
        }
        return true;
    }
}

/// All that may ever be adjacent to each variable.
pub(super) fn candidates(rules: &Rules<'_>, start: &Dag) -> Vec<Box<[Var]>> {
    let of = |y: Var| {
        let wanted = |x: &Var| *x != y && (rules.may_join(*x, y) || start.adjacent(*x, y));
        start.vars().filter(wanted).collect()
    };
    start.vars().map(of).collect()
}

/// The class as the result of a search, or the DAG if only some of the class respect the constraints.
pub(super) fn result(state: ClassState, rules: &Rules<'_>) -> LearnedGraph {
    let known = rules.constraints();
    let either = |(x, y): (Var, Var)| known.may_add(x, y) && known.may_add(y, x);
    let free = state.class.undirected().all(either);
    if free { LearnedGraph::ClassOf(state.dag) } else { LearnedGraph::Dag(state.dag) }
}

impl Orient for Ges {
    fn orient(&self, task: &Task<'_>) -> Result<Found> {
        let rules = Rules::new(task.skeleton(), task.constraints, self.max_parents);
        let start = rules.start(task.names, task.start)?;
        let families = Families::new(task.score(), candidates(&rules, &start));
        let watch = Watch::new(task.progress);
        let state = ClassState::new(&start, &rules, &families).expect("the start keeps to the rules");
        let mut run = ClassRun::new(&families, &rules, &watch, state);
        let complete = self.search(&mut run);
        if watch.cancelled() {
            return Err(Error::Stopped);
        }
        let (score, moves) = (run.state.total, run.made);
        Ok(Found::searched(result(run.state, &rules), score, complete, moves))
    }

    fn check(&self, names: &[&str], start: Option<&Dag>, constraints: &Constraints) -> Result<()> {
        Rules::new(None, constraints, self.max_parents).start(names, start).map(drop)
    }
}
