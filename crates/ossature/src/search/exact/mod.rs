//! The best graph of all, proven.
//!
//! `parents` finds the sets of parents that an optimal graph may have, `lattice` the best order of variables;
//! here the variables are divided into parts that can be ordered by themselves.

mod lattice;
pub(super) mod parents;
#[cfg(test)]
mod tests;

use super::Search;
use super::rules::Rules;
use super::watch::Watch;
use crate::data::{Var, VarSet};
use crate::error::{Error, Result};
use crate::graph::{Constraints, Dag};
use crate::halves::{Found, LearnedGraph, Orient, Task};
use lattice::{Part, PartChoice, Solved};
use parents::{ParentSet, check_size, parent_sets};

/// The variables of a part are bits of a number.
const MOST_TOGETHER: usize = 64;

/// Up to so many variables make one pattern, which is dynamic programming over all of their subsets.
const ONE_PATTERN: usize = 16;

/// Beyond, patterns have at most so many.
const PATTERN: usize = 13;

/// The graph of the best score there is, free or inside a skeleton.
///
/// The sets of parents that score better than all their subsets are found first; few are left (de Campos & Ji
/// 2011, JMLR 12, 663-689). Where no variable of one part can be a parent in another and the other way
/// round, the parts are ordered by themselves (Fan, Malone & Yuan 2014, UAI-30); the best order of a part
/// is found by A* (`lattice`).
///
/// Koivisto & Sood (2004), JMLR 5; Silander & Myllymäki (2006), UAI-22, arXiv 1206.6875; Yuan & Malone (2013),
/// JAIR 48; inside a skeleton Perrier, Imoto & Miyano (2008), JMLR 9, 2251-2286.
///
/// # Requires, ensures
/// Any score that is a sum over families. At most 2^26 sets of parents to look at: the error beforehand says how
/// many parents would fit. The bound is the score where that is proven to be the best; where the search
/// was stopped, or a part is too large, it is what no graph exceeds, and the graph the best of a tabu search and
/// of the best parents in its order.
///
/// # Cost
/// For each variable at most the sets of up to `max_parents` candidates, fewer by far where the bounds of the score
/// speak; then states of the lattice, at most 2^25, about 100 bytes each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exact {
    /// The most parents that a node may get.
    pub max_parents: Option<usize>,
}

impl Exact {
    /// A graph that is good enough to begin with.
    fn known(&self, task: &Task<'_>) -> Result<Dag> {
        let search = Search { max_parents: self.max_parents, ..Search::default() };
        let Task { names, constraints, progress, .. } = *task;
        Ok(search.run(task.score(), names, task.skeleton(), None, constraints, progress)?.dag)
    }
}

impl Orient for Exact {
    fn orient(&self, task: &Task<'_>) -> Result<Found> {
        let rules = Rules::new(task.skeleton(), task.constraints, self.max_parents);
        rules.start(task.names, None)?;
        check_size(&rules, task.names)?;
        let (score, n, watch) = (task.score(), task.names.len(), Watch::new(task.progress));
        let known = self.known(task)?;
        let Some(sets) = parent_sets(score, &rules, n, &watch) else {
            if watch.cancelled() {
                return Err(Error::Stopped);
            }
            // Nothing is proven but what holds for any data.
            let bound: f64 = (0..n).map(|y| score.ceiling(Var::new(y), &[], 1)).sum();
            return Ok(Found {
                score: Some(crate::score::total(score, &known)),
                graph: LearnedGraph::Dag(known),
                bound: bound.is_finite().then_some(bound),
                complete: false,
                moves: 0,
                concerns: Vec::new(),
            });
        };
        let found = solve(&sets, &known, &watch);
        if watch.cancelled() { Err(Error::Stopped) } else { Ok(found) }
    }

    fn check(&self, names: &[&str], _: Option<&Dag>, constraints: &Constraints) -> Result<()> {
        Rules::new(None, constraints, self.max_parents).start(names, None).map(drop)
    }
}

/// The best graph with parents among these sets.
fn solve(sets: &[Vec<ParentSet>], known: &Dag, watch: &Watch<'_>) -> Found {
    let order = known.topological_order();
    let mut parents = vec![VarSet::new(); sets.len()];
    let (mut bound, mut complete, mut moves) = (0.0, true, 0);
    let mut concerns = Vec::new();
    for vars in divided(sets) {
        let large = vars.len() > MOST_TOGETHER;
        let place = |v: Var| vars.binary_search(&v).ok();
        let order: Vec<usize> = order.iter().filter_map(|&v| place(v)).collect();
        if large {
            let best = |&v: &Var| sets[v.index()][0].score;
            bound += vars.iter().map(best).sum::<f64>();
            complete = false;
            concerns.push(format!(
                "{} variables hang together, more than {MOST_TOGETHER}: the best order of them is not proven",
                vars.len()
            ));
            let mut before = VarSet::new();
            for &y in &order {
                let fits =
                    |set: &&ParentSet| set.parents.iter().all(|p| place(p).is_none() || before.contains(p));
                let set = sets[vars[y].index()].iter().find(fits).expect("an order that required arcs allow");
                parents[vars[y].index()] = set.parents.clone();
                before.insert(vars[y]);
            }
            continue;
        }
        let part = part(sets, vars);
        let solved = match watch.stopped() {
            true => Solved { bound: part.unlimited(), ..part.in_order(&order) },
            false => part.solve(&order, watch),
        };
        bound += solved.bound;
        complete &= solved.complete;
        moves += solved.expanded;
        for (v, set) in part.vars.iter().zip(solved.parents) {
            parents[v.index()] = set;
        }
    }
    let value = |(set, sets): (&VarSet, &Vec<ParentSet>)| {
        sets.iter().find(|s| s.parents == *set).expect("one of the sets").score
    };
    let score = parents.iter().zip(sets).map(value).sum();
    let arcs = parents.iter().enumerate().flat_map(|(y, set)| set.iter().map(move |p| (p, Var::new(y))));
    let dag = Dag::from_arcs(sets.len(), arcs).expect("an order of each part, and an order of the parts");
    Found { graph: LearnedGraph::Dag(dag), score: Some(score), bound: Some(bound), complete, moves, concerns }
}

/// The strongly connected parts of the relation between variables and those in their sets of parents: no cycle
/// runs through two of them.
fn divided(sets: &[Vec<ParentSet>]) -> Vec<Vec<Var>> {
    let n = sets.len();
    let before: Vec<VarSet> =
        sets.iter().map(|sets| sets.iter().flat_map(|s| s.parents.iter()).collect()).collect();
    let reached = |from: usize| {
        let mut seen = vec![false; n];
        let mut open = vec![from];
        while let Some(v) = open.pop() {
            if !std::mem::replace(&mut seen[v], true) {
                open.extend(before[v].iter().map(|p| p.index()));
            }
        }
        seen
    };
    let reached: Vec<Vec<bool>> = (0..n).map(reached).collect();
    let mut parts = Vec::new();
    let mut taken = vec![false; n];
    for v in 0..n {
        if !taken[v] {
            let part: Vec<usize> = (v..n).filter(|&w| reached[v][w] && reached[w][v]).collect();
            part.iter().for_each(|&w| taken[w] = true);
            parts.push(part.into_iter().map(Var::new).collect());
        }
    }
    parts
}

/// The choices of some variables; of those that differ outside the part only, the best.
fn part(sets: &[Vec<ParentSet>], vars: Vec<Var>) -> Part {
    let choices = |y: &Var| {
        let mut seen = rustc_hash::FxHashSet::default();
        let choice = |set: &ParentSet| {
            let places = set.parents.iter().filter_map(|p| vars.binary_search(&p).ok());
            let inside = places.fold(0u64, |inside, place| inside | 1 << place);
            PartChoice { inside, score: set.score, parents: set.parents.clone() }
        };
        sets[y.index()].iter().map(choice).filter(|choice| seen.insert(choice.inside)).collect()
    };
    let choices = vars.iter().map(choices).collect();
    let pattern = if vars.len() <= ONE_PATTERN { ONE_PATTERN } else { PATTERN };
    Part { vars, choices, pattern }
}
