//! Hill climbing with a list of structures that are not visited again.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::moves::Moves;
use super::watch::Watch;
use crate::graph::Dag;

/// Makes the best move to a structure that is not among the last `length` ones, even if it loses;
/// ends after `patience` moves without a new best score, or when no move is left; returns the best
/// structure seen.
///
/// Gasse, Aussem & Elghazel (2012), section 5, after Friedman, Nachman & Pe'er (1999). The start is
/// on the list.
pub(super) fn tabu(moves: &mut Moves<'_>, length: usize, patience: usize, watch: &Watch<'_>) -> (Dag, f64) {
    let mut list = VecDeque::from([moves.fingerprint()]);
    let mut listed = FxHashSet::from_iter([moves.fingerprint()]);
    let mut best_score = moves.score();
    let mut since_best = Vec::new();
    while since_best.len() < patience {
        let Some(best) = moves.best(|result| !listed.contains(&result)) else { break };
        moves.apply(best);
        list.push_back(moves.fingerprint());
        listed.insert(moves.fingerprint());
        if list.len() > length {
            listed.remove(&list.pop_front().expect("it is longer than that"));
        }
        since_best.push(best);
        if moves.score() > best_score {
            best_score = moves.score();
            since_best.clear();
        }
        if !watch.moved(moves.score(), moves.made()) {
            break;
        }
    }
    // A few moves back is cheaper than a copy at each new best.
    let mut dag = moves.dag().clone();
    since_best.iter().rev().for_each(|m| m.inverse().apply(&mut dag));
    (dag, best_score)
}
