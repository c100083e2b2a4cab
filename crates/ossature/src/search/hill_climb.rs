//! Greedy hill climbing.

use super::moves::Moves;
use super::watch::Watch;
use crate::graph::Dag;

/// Makes the move with the largest gain, until none gains.
///
/// Tsamardinos, Brown & Aliferis (2006), section 3. The score rises with every move, so it ends.
pub(super) fn hill_climb(moves: &mut Moves<'_>, watch: &Watch<'_>) -> (Dag, f64) {
    while let Some(best) = moves.best(|_| true) {
        if moves.score_after(best) <= moves.score() {
            break;
        }
        moves.apply(best);
        if !watch.moved(moves.score(), moves.made()) {
            break;
        }
    }
    (moves.dag().clone(), moves.score())
}
