//! Hill climbing with a list of structures that are not visited again.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::all_moves::{AllMoves, Structure};
use super::watch::Watch;

/// Makes the best move to a structure that is not among the last `length` ones, even if it loses;
/// ends after `patience` moves without a new best score, or when no move is left; returns the best
/// structure seen.
///
/// Gasse, Aussem & Elghazel (2012), section 5, after Friedman, Nachman & Pe'er (1999). The start is
/// on the list.
pub(super) fn tabu<'a>(
    moves: &mut AllMoves<'a>,
    length: usize,
    patience: usize,
    watch: &Watch<'_>,
) -> (Structure<'a>, f64) {
    // As long as each move gains, no structure comes again.
    let climbed = if patience > 0 { moves.climb(length.max(1), watch) } else { Vec::new() };
    let mut list = VecDeque::from(climbed);
    let mut listed: FxHashSet<u128> = list.iter().copied().collect();
    let mut best_score = moves.score();
    let mut since_best = Vec::new();
    while since_best.len() < patience && !watch.stopped() {
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
        watch.moved(moves.score(), moves.made());
    }
    // A few moves back is cheaper than a copy at each new best.
    let mut structure = moves.structure();
    since_best.iter().rev().for_each(|m| structure.apply(m.inverse()));
    (structure, best_score)
}
