//! The proven optimum.
//!
//! `parents` finds the parent sets that an optimal graph may have, for few variables by `all_sets`. This file divides
//! the variables into parts that can be solved separately, and `branch` finds the best graph of each: by the prices of
//! `clusters`, which `separate` finds, by `cores` that are ordered exactly, and by a search through the `layers` of sets
//! that the bound leaves. `several` lists the best classes; `connected` finds the parts.

mod all_sets;
mod branch;
mod clusters;
mod connected;
mod cores;
mod layers;
pub(super) mod parents;
mod separate;
mod several;
#[cfg(test)]
mod tests;

use super::rules::Rules;
use super::watch::Watch;
use super::{Boss, Search};
use crate::data::{Var, VarSet};
use crate::error::{Error, Result};
use crate::graph::{Constraints, Dag};
use crate::halves::{Found, LearnedGraph, Orient, Task};
use crate::score::Score;
use branch::Reach;
use clusters::Program;
use parents::{ParentSet, ParentSets, check_candidates, check_size, parent_sets};

/// The largest part that is ordered at once, without prices.
const SMALL: usize = 16;

/// The largest number of variables of a core: its tables take about 100 MB.
const CORE: usize = 20;

/// Inside a large skeleton, a variable that would have more parent sets of a size keeps only smaller ones.
const MOST_OF_A_SIZE: usize = 20_000;

/// The graph with the best possible score, free or inside a skeleton.
///
/// First the parent sets that score better than all their subsets are found; these are few (de Campos & Ji
/// 2011, JMLR 12, 663-689). Parts whose variables cannot be parents of each other in both directions are
/// solved separately (Fan, Malone & Yuan 2014, UAI-30): a small one by dynamic programming over its subsets, a large
/// one by prices of clusters (`clusters`), by groups that are ordered exactly at these prices (`cores`) and by a
/// search through the sets of variables that are left (`layers`).
///
/// Koivisto & Sood (2004), JMLR 5; Silander & Myllymäki (2006), UAI-22, arXiv 1206.6875; Yuan & Malone (2013),
/// JAIR 48; inside a skeleton Perrier, Imoto & Miyano (2008), JMLR 9, 2251-2286, and Kojima, Perrier, Imoto & Miyano
/// (2010), JMLR 11, 285-310 (deviation D19).
///
/// # Requires, ensures
/// Any score that is a sum over families. At most 2^26 parent sets: otherwise an error in advance says how many
/// parents would fit; with `clustered`, a variable with too many keeps only smaller sets, and the bound allows for
/// what that may miss. The bound equals the score if that is proven to be the best; if the search was stopped, no
/// graph exceeds the bound, and the graph is the best known.
///
/// # Cost
/// For each variable at most the sets of up to `max_parents` candidates, far fewer if the bounds of the score
/// prune; then at most 2^25 sets of variables at about 40 bytes each, or, for a part of more than 64 variables, cases
/// with at most 2^28 prices in total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exact {
    /// The largest number of parents of a node.
    pub max_parents: Option<usize>,
    /// Whether to use prices of clusters for parts of any size, not only for large ones.
    pub clustered: bool,
    /// The number of best equivalence classes to list, if more than one.
    pub how_many: usize,
}

impl Exact {
    /// A graph that is good enough to begin with.
    fn known(&self, task: &Task<'_>) -> Result<Dag> {
        let search = Search { max_parents: self.max_parents, ..Search::default() };
        let Task { names, constraints, progress, .. } = *task;
        let climbed = search.run(task.score(), names, task.skeleton(), None, constraints, progress)?;
        let other = Boss { window: 1, max_parents: self.max_parents }.orient(task)?;
        Ok(match other.graph.dag().filter(|_| other.score > Some(climbed.score)) {
            Some(dag) => dag,
            None => climbed.dag,
        })
    }
}

impl Orient for Exact {
    fn orient(&self, task: &Task<'_>) -> Result<Found> {
        let rules = Rules::new(task.skeleton(), task.constraints, self.max_parents);
        rules.start(task.names, None)?;
        match self.clustered {
            true => check_candidates(&rules, task.names)?,
            false => check_size(&rules, task.names)?,
        }
        let (score, n, watch) = (task.score(), task.names.len(), Watch::new(task.progress));
        let known = self.known(task)?;
        let most = if self.clustered { MOST_OF_A_SIZE } else { usize::MAX };
        let Some(ParentSets { sets, unseen }) = parent_sets(score, &rules, n, most, &watch) else {
            if watch.cancelled() {
                return Err(Error::Stopped);
            }
            let bound = anything(score, n);
            let value = crate::score::total(score, &known);
            return Ok(Found {
                bound: bound.is_finite().then_some(bound),
                ..Found::searched(LearnedGraph::Dag(known), value, false, 0)
            });
        };
        let mut found = self.solve(&sets, &known, &watch);
        let missed = unseen.iter().filter(|&&more| more > 0.0).count();
        if missed > 0 {
            // In place of a set that was not looked at a graph may have the best of its subsets.
            let at_most = |bound: f64| (bound + unseen.iter().sum::<f64>()).min(anything(score, n));
            found.bound = found.bound.map(at_most).filter(|b| b.is_finite());
            found.complete &= !watch.stopped();
            found.concerns.push(format!(
                "not all parent sets of {missed} variables were examined, so the bound is not the best possible"
            ));
        }
        if !found.complete && !watch.stopped() {
            found.complete = true;
            found
                .concerns
                .push("the optimum is not proven, because the search reached its limit on memory".into());
        }
        if self.how_many > 1
            && found.bound == found.score
            && let (Some(dag), Some(value)) = (found.graph.dag(), found.score)
        {
            let listed = several::best_classes(score, &rules, (dag.cpdag(), value), self.how_many, &watch);
            found.complete &= !listed.stopped;
            if listed.too_many {
                found.concerns.push(several::ends_early(&listed.classes, self.how_many));
            }
            found.alternatives = listed.classes;
        }
        if watch.cancelled() { Err(Error::Stopped) } else { Ok(found) }
    }

    fn check(&self, names: &[&str], _: Option<&Dag>, constraints: &Constraints) -> Result<()> {
        if self.how_many > 1 {
            several::check(names)?;
        }
        Rules::new(None, constraints, self.max_parents).start(names, None).map(drop)
    }
}

impl Exact {
    /// The best graph with parents among these sets.
    fn solve(&self, sets: &[Vec<ParentSet>], known: &Dag, watch: &Watch<'_>) -> Found {
        let order = known.topological_order();
        let mut parents = vec![VarSet::new(); sets.len()];
        let (mut score, mut bound, mut complete, mut moves) = (0.0, 0.0, true, 0);
        for vars in divided(sets) {
            let order: Vec<usize> = order.iter().filter_map(|v| vars.binary_search(v).ok()).collect();
            let reach = Reach { small: if self.clustered { 1 } else { SMALL }, core: CORE };
            let solved = solve_part(sets, &vars, &order, reach, watch);
            score += solved.score;
            bound += solved.bound;
            complete &= solved.complete;
            moves += solved.cases;
            for (v, set) in vars.iter().zip(solved.parents) {
                parents[v.index()] = set;
            }
        }
        let arcs = parents.iter().enumerate().flat_map(|(y, set)| set.iter().map(move |p| (p, Var::new(y))));
        let dag = Dag::from_arcs(sets.len(), arcs).expect("an order of each part, and an order of the parts");
        Found { bound: Some(bound), ..Found::searched(LearnedGraph::Dag(dag), score, complete, moves) }
    }
}

/// An upper bound on all graphs that holds for any data.
fn anything(score: &dyn Score, n: usize) -> f64 {
    (0..n).map(|y| score.ceiling(Var::new(y), &[], 1)).sum()
}

/// The best result for a part.
struct SolvedPart {
    /// The parents of each variable.
    parents: Vec<VarSet>,
    score: f64,
    /// The upper bound on all graphs.
    bound: f64,
    complete: bool,
    cases: u64,
}

/// The best graph over the variables of a part, starting from an order.
fn solve_part(
    sets: &[Vec<ParentSet>],
    vars: &[Var],
    order: &[usize],
    reach: Reach,
    watch: &Watch<'_>,
) -> SolvedPart {
    let (program, origin) = program(sets, vars);
    let mut before = vec![false; vars.len()];
    let mut known = vec![0; vars.len()];
    for &y in order {
        let fits = |&i: &usize| program.parents[i].iter().all(|&p| before[p]);
        known[y] = program.of(y).find(fits).expect("an order that required arcs allow");
        before[y] = true;
    }
    let branch::BestGraph { chosen, score, bound, complete, cases } =
        branch::solve(&program, known, reach, watch);
    let parents = chosen.iter().map(|&i| origin[i].parents.clone()).collect();
    SolvedPart { parents, score, bound, complete, cases }
}

/// The choices of the variables of a part, and the parent set of each; of sets that differ only outside the part, the
/// best.
fn program<'a>(sets: &'a [Vec<ParentSet>], vars: &[Var]) -> (Program, Vec<&'a ParentSet>) {
    let mut program = Program { first: vec![0], ..Program::default() };
    let mut origin: Vec<&ParentSet> = Vec::new();
    for (place, y) in vars.iter().enumerate() {
        let mut seen = rustc_hash::FxHashSet::default();
        for set in &sets[y.index()] {
            let inside: Box<[usize]> =
                set.parents.iter().filter_map(|p| vars.binary_search(&p).ok()).collect();
            if seen.insert(inside.clone()) {
                program.owner.push(place);
                program.parents.push(inside);
                program.value.push(set.score);
                origin.push(set);
            }
        }
        program.first.push(origin.len());
    }
    (program, origin)
}

/// The strongly connected components of the relation between variables and the members of their parent sets:
/// no cycle runs through two of them.
fn divided(sets: &[Vec<ParentSet>]) -> Vec<Vec<Var>> {
    let needs = |sets: &Vec<ParentSet>| {
        let all: VarSet = sets.iter().flat_map(|s| s.parents.iter()).collect();
        all.iter().map(|v| v.index()).collect()
    };
    let needs: Vec<Vec<usize>> = sets.iter().map(needs).collect();
    let vars = |part: Vec<usize>| part.into_iter().map(Var::new).collect();
    connected::parts(&needs).into_iter().map(vars).collect()
}
