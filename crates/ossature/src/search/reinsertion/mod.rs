//! Optimal Reinsertion: one variable at a time is removed and reinserted in the best possible way.

#[cfg(test)]
mod tests;

use super::exact::parents::{ParentSet, check_size, parent_sets};
use super::rules::Rules;
use super::watch::Watch;
use super::{Algorithm, Search};
use crate::data::{Var, VarSet};
use crate::error::{Error, Result};
use crate::graph::{Constraints, Dag};
use crate::halves::{Found, LearnedGraph, Orient, Task};
use crate::random::{Sequence, mix};
use crate::score::{Score, total};

/// Optimal Reinsertion, followed by a climb.
///
/// A variable T is removed from the graph with all its arcs and reinserted with the parents P and the
/// children Y for which s(T, P) + Σ (s(Y, Pa(Y) ∪ T) − s(Y, Pa(Y))) is largest, over the Y that gain and are
/// neither in P nor before it. The variables are visited in seeded random orders until a sweep gains nothing;
/// hill climbing follows.
///
/// Moore & Wong (2003), "Optimal Reinsertion: a new search operator for accelerated and more accurate Bayesian
/// network structure learning", ICML-20. Only parent sets that score better than all their subsets are tried:
/// a subset with the same score allows at least as many children.
///
/// # Requires, ensures
/// Any score that is a sum over families; the same limit on parent sets as [`Exact`](super::Exact). A step is the best
/// of all reinsertions of its variable, so the score never falls.
///
/// # Cost
/// The parent sets once; then for each step the gains of T as an additional parent, and a walk through its
/// parent sets as long as one may still be better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OptimalReinsertion {
    /// How often the search begins again, with other orders; the best score wins.
    pub restarts: usize,
    /// The largest number of parents of a node.
    pub max_parents: Option<usize>,
    /// The seed of the orders.
    pub seed: u64,
}

/// The inputs that the steps of a run share.
struct Reinserting<'a> {
    score: &'a dyn Score,
    rules: &'a Rules<'a>,
    /// The parent sets of each variable, best first.
    sets: &'a [Vec<ParentSet>],
}

impl Reinserting<'_> {
    /// The graph with a variable reinserted in the best way; `None` if it is best where it is.
    fn step(&self, dag: &Dag, t: Var) -> Option<Dag> {
        let known = self.rules.constraints();
        let mut rest = dag.clone();
        for p in dag.parents(t).iter() {
            rest.remove(p, t);
        }
        for y in dag.children(t).iter() {
            rest.remove(t, y);
        }
        // What each other variable gains with T for a parent; those that must have it, whatever that gains.
        let may_be_child =
            |y: &Var| *y != t && self.rules.may_add(t, *y) && self.rules.may_grow(rest.parents(*y).len());
        let wanted: Vec<Var> = rest.vars().filter(|y| may_be_child(y) || known.is_required(t, *y)).collect();
        let with: Vec<VarSet> = wanted.iter().map(|&y| rest.parents(y).with(t)).collect();
        let families: Vec<(Var, &[Var])> = (wanted.iter().zip(&with))
            .flat_map(|(&y, with)| [(y, rest.parents(y).as_slice()), (y, with.as_slice())])
            .collect();
        let mut values = Vec::with_capacity(families.len());
        self.score.locals(&families, &mut values);
        let gains = wanted
            .iter()
            .zip(values.chunks_exact(2))
            .map(|(&y, v)| (y, v[1] - v[0], known.is_required(t, y)));
        let gains: Vec<(Var, f64, bool)> = gains.filter(|(_, gain, must)| *must || *gain > 0.0).collect();
        let most: f64 = gains.iter().map(|(_, gain, _)| gain.max(0.0)).sum();
        let before = ancestors(&rest);
        let children = |set: &VarSet| -> Option<(f64, Vec<Var>)> {
            let (mut gained, mut children) = (0.0, Vec::new());
            for &(y, gain, must) in &gains {
                let closes = set.iter().any(|p| before[p.index()].contains(y));
                match (closes, must) {
                    (true, true) => return None,
                    (true, false) => {}
                    (false, _) => {
                        gained += gain;
                        children.push(y);
                    }
                }
            }
            Some((gained, children))
        };
        let value_of = |parents: &VarSet| self.score.local(t, parents.as_slice());
        let there = |y: &Var| dag.has_arc(t, *y);
        let gain_at = |y: Var| {
            let known = gains.iter().find(|(other, ..)| *other == y).map(|(_, gain, _)| *gain);
            known.unwrap_or_else(|| {
                let with = rest.parents(y).with(t);
                self.score.local(y, with.as_slice()) - self.score.local(y, rest.parents(y).as_slice())
            })
        };
        let mut best = value_of(dag.parents(t)) + dag.vars().filter(there).map(gain_at).sum::<f64>();
        let mut found: Option<(&VarSet, Vec<Var>)> = None;
        for set in &self.sets[t.index()] {
            if set.score + most <= best {
                break; // none of the others can be better
            }
            let Some((gained, children)) = children(&set.parents) else { continue };
            if set.score + gained > best {
                best = set.score + gained;
                found = Some((&set.parents, children));
            }
        }
        let (parents, children) = found?;
        let arcs =
            rest.arcs().chain(parents.iter().map(|p| (p, t))).chain(children.into_iter().map(|y| (t, y)));
        Some(Dag::from_arcs(dag.nodes(), arcs).expect("no child comes before a parent"))
    }

    /// Sweeps until one gains nothing, or the work is stopped.
    fn sweeps(&self, mut dag: Dag, seed: u64, watch: &Watch<'_>, moves: &mut u64) -> Dag {
        let mut random = Sequence::new(seed);
        let mut order: Vec<Var> = dag.vars().collect();
        loop {
            random.shuffle(&mut order);
            let before = *moves;
            for &t in &order {
                let Some(next) = self.step(&dag, t) else { continue };
                dag = next;
                *moves += 1;
                if !watch.moved(total(self.score, &dag), *moves) {
                    return dag;
                }
            }
            if *moves == before {
                return dag;
            }
        }
    }
}

/// Each variable with all its ancestors.
fn ancestors(dag: &Dag) -> Vec<VarSet> {
    let mut before = vec![VarSet::new(); dag.nodes()];
    for v in dag.topological_order() {
        let of_parents = dag.parents(v).iter().flat_map(|p| before[p.index()].iter().collect::<Vec<_>>());
        before[v.index()] = of_parents.chain([v]).collect();
    }
    before
}

impl Orient for OptimalReinsertion {
    fn orient(&self, task: &Task<'_>) -> Result<Found> {
        let Task { names, constraints, progress, .. } = *task;
        let rules = Rules::new(task.skeleton(), constraints, self.max_parents);
        let start = rules.start(names, task.start)?;
        check_size(&rules, names)?;
        let (score, watch) = (task.score(), Watch::new(progress));
        let mut moves = 0;
        let mut best = start.clone();
        if let Some(found) = parent_sets(score, &rules, names.len(), usize::MAX, &watch) {
            let run = Reinserting { score, rules: &rules, sets: &found.sets };
            for restart in 0..=self.restarts as u64 {
                let found = run.sweeps(start.clone(), mix(self.seed, &[restart]), &watch, &mut moves);
                if total(score, &found) > total(score, &best) {
                    best = found;
                }
                if watch.stopped() {
                    break;
                }
            }
        }
        if watch.cancelled() {
            return Err(Error::Stopped);
        }
        let (mut complete, mut value) = (false, total(score, &best));
        if !watch.stopped() {
            let climb = Search {
                algorithm: Algorithm::HillClimb,
                tie_orders: 1,
                max_parents: self.max_parents,
                restarts: 0,
                seed: 0,
            };
            let climbed = climb.run(score, names, task.skeleton(), Some(&best), constraints, progress)?;
            moves += climbed.moves;
            (best, value, complete) = (climbed.dag, climbed.score, climbed.complete);
        }
        Ok(Found::searched(LearnedGraph::Dag(best), value, complete, moves))
    }

    fn check(&self, names: &[&str], start: Option<&Dag>, constraints: &Constraints) -> Result<()> {
        Rules::new(None, constraints, self.max_parents).start(names, start).map(drop)
    }
}
