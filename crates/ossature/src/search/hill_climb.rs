//! Greedy hill climbing.

use super::moves::Moves;
use super::ranking::BestMove;

/// Makes the move with the largest gain, until none gains or `made`, which is told of each, says so; returns the best of
/// those that do not gain.
///
/// Tsamardinos, Brown & Aliferis (2006), section 3. The score rises with every move, so it ends.
pub(super) fn hill_climb(
    moves: &mut Moves<'_>,
    mut made: impl FnMut(BestMove, &Moves<'_>) -> bool,
) -> Option<BestMove> {
    while let Some(best) = moves.best(|_| true) {
        if !moves.improve(best.what) {
            return Some(best);
        }
        if !made(best, moves) {
            break;
        }
    }
    None
}
