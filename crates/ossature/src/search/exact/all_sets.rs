//! The parent sets that an optimal graph may have, if the value of every set of variables is known.

use std::sync::atomic::{AtomicU64, Ordering};

use super::parents::{Growing, ParentSet, bits};
use crate::data::{Var, VarSet};
use crate::parallel;
use crate::score::Score;
use crate::search::rules::Rules;
use crate::search::watch::Watch;

/// The largest number of variables: the values take 64 MB.
const MOST_VARIABLES: usize = 22;

/// The smallest number of variables: fewer are as fast one by one.
const FEWEST_VARIABLES: usize = 6;

/// The parent sets of each variable that score better than all their subsets, if the score can compute the value of all
/// sets of variables together and most sets would have to be examined: then that takes far less time than one by one.
pub(super) fn parent_sets(
    score: &dyn Score,
    all: &[Growing],
    rules: &Rules<'_>,
    watch: &Watch<'_>,
) -> Option<Vec<Vec<ParentSet>>> {
    let n = all.len();
    let allowed: u64 = all.iter().map(|g| g.number(rules.most_parents())).fold(0, u64::saturating_add);
    let sets = score.sets()?;
    if !(FEWEST_VARIABLES..=MOST_VARIABLES).contains(&n)
        || allowed < (n as u64) << (n - 3)
        || are_pruned(score, all)
    {
        return None;
    }
    let vars: Vec<Var> = (0..n).map(Var::new).collect();
    let done = AtomicU64::new(0);
    let go_on = |more: u64| watch.scored(more + done.fetch_add(more, Ordering::Relaxed), 1 << n);
    let values = sets.of_every_set(&vars, &go_on)?;
    Some(parallel::map_each(all, |g| of_variable(g, &values, rules)))
}

/// Whether the bounds of the score rule out most sets of half the variables, judged by two sets of each variable.
fn are_pruned(score: &dyn Score, all: &[Growing]) -> bool {
    let mut pruned = 0;
    for g in all {
        let half = g.candidates.len().div_ceil(2);
        for parents in [&g.candidates[..half], &g.candidates[g.candidates.len() - half..]] {
            let Some((last, rest)) = parents.split_last() else { continue };
            let mut counted = Vec::new();
            score.counted(g.y, rest, &[*last], &mut counted);
            let ceiling = score.ceiling(g.y, parents, counted[0].1);
            pruned += usize::from(ceiling <= score.local(g.y, &[]));
        }
    }
    pruned > all.len()
}

/// The parent sets of one variable.
fn of_variable(g: &Growing, values: &[f64], rules: &Rules<'_>) -> Vec<ParentSet> {
    let number = |vars: &mut dyn Iterator<Item = Var>| vars.fold(0usize, |set, v| set | 1 << v.index());
    let required = number(&mut g.required.iter());
    let candidates: Vec<usize> = g.candidates.iter().map(|v| 1 << v.index()).collect();
    let own = 1 << g.y.index();
    // For each set of candidates the best value of the set and all its subsets.
    let mut best = vec![f64::NEG_INFINITY; 1 << candidates.len()];
    let mut kept = Vec::new();
    for set in 0..best.len() {
        let below = bits(set as u64).map(|i| best[set & !(1 << i)]).fold(f64::NEG_INFINITY, f64::max);
        best[set] = below;
        if rules.is_over(g.required.len() + set.count_ones() as usize) {
            continue;
        }
        let parents = bits(set as u64).fold(required, |parents, i| parents | candidates[i]);
        let value = values[parents | own] - values[parents];
        if value > below {
            best[set] = value;
            let parents: VarSet = bits(parents as u64).map(Var::new).collect();
            kept.push(ParentSet { parents, score: value });
        }
    }
    kept
}
