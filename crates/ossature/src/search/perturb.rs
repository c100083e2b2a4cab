//! Random moves, to climb again from another structure.

use super::all_moves::AllMoves;
use super::moves::{Kind, Move};
use crate::data::Var;
use crate::random::{self, generator};

/// The smallest number of random moves; a tenth of the number of arcs if that is more.
const FEWEST: usize = 5;

/// How often a random move may turn out to be illegal.
const ATTEMPTS: usize = 20;

/// Makes random legal moves from a structure with so many arcs.
pub(super) fn perturb(moves: &mut AllMoves<'_>, arcs: usize, seed: u64) {
    let mut random = generator(seed);
    let mut below = |bound: usize| random::below(&mut random, bound);
    let wanted = FEWEST.max(arcs / 10);
    let mut made = 0;
    for _ in 0..wanted * ATTEMPTS {
        let to = Var::new(below(moves.nodes()));
        let candidates = moves.candidates(to);
        let from = below(candidates.max(1));
        if from >= candidates {
            continue;
        }
        let from = moves.candidate(to, from);
        let kind = match (moves.has_arc(from, to), below(2)) {
            (false, _) => Kind::Add,
            (true, 0) => Kind::Delete,
            (true, _) => Kind::Reverse,
        };
        let random = Move { kind, from, to };
        if moves.is_legal(random) {
            moves.apply(random);
            made += 1;
        }
        if made == wanted {
            break;
        }
    }
}
