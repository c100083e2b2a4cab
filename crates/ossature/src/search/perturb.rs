//! Random moves, to climb again from another structure.

use super::moves::{Kind, Move, Moves};
use crate::data::Var;
use crate::random::{self, generator};

/// The smallest number of random moves; a tenth of the number of arcs if that is more.
const FEWEST: usize = 5;

/// How often a random move may turn out to be illegal.
const ATTEMPTS: usize = 20;

/// Makes random legal moves.
pub(super) fn perturb(moves: &mut Moves<'_>, seed: u64) {
    let mut random = generator(seed);
    let mut below = |bound: usize| random::below(&mut random, bound);
    let wanted = FEWEST.max(moves.dag().len() / 10);
    let mut made = 0;
    for _ in 0..wanted * ATTEMPTS {
        let to = Var::new(below(moves.dag().nodes()));
        let candidates = moves.candidates(to);
        let from = below(candidates.len().max(1));
        if from >= candidates.len() {
            continue;
        }
        let from = candidates.at(from);
        let kind = match (moves.dag().has_arc(from, to), below(2)) {
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
