//! What is known of the climb of a component once it has ended, and which moves of several such climbs were the last.

use super::hill_climb::hill_climb;
use super::moves::{Kind, Move, Moves};
use super::ranking::{BestMove, NONE};
use crate::data::Var;
use crate::graph::Dag;

/// The climb of a component from one structure to the first that no move improves. The moves are by the numbers of its nodes.
#[derive(Debug)]
pub(super) struct ClimbedComponent {
    pub(super) moves: Box<[BestMove]>,
    /// The score of the component at the end.
    pub(super) score: f64,
    /// The rank of the best move there.
    pub(super) next: u128,
    /// The change of the number of the whole structure.
    pub(super) fingerprint: u128,
}

impl ClimbedComponent {
    /// Climbs; `go_on` is told the score of the component and the number of moves after each.
    pub(super) fn new(
        moves: &mut Moves<'_>,
        vars: &[Var],
        go_on: impl Fn(f64, u64) -> bool,
    ) -> ClimbedComponent {
        let (mut made, mut fingerprint) = (Vec::new(), 0);
        let best = hill_climb(moves, |best, moves| {
            fingerprint = best.what.outer(vars).fingerprint(fingerprint);
            made.push(best);
            go_on(moves.score(), made.len() as u64)
        });
        let next = best.map_or(NONE, |best| best.rank);
        ClimbedComponent { moves: made.into(), score: moves.score(), next, fingerprint }
    }

    /// A climb that was stopped before the first move.
    pub(super) fn none(moves: &Moves<'_>) -> ClimbedComponent {
        ClimbedComponent { moves: Box::default(), score: moves.score(), next: NONE, fingerprint: 0 }
    }

    /// The number of arcs at the end of a climb from a structure with so many.
    pub(super) fn arcs(&self, before: usize) -> usize {
        self.moves.iter().fold(before, |arcs, m| match m.what.kind {
            Kind::Add => arcs + 1,
            Kind::Delete => arcs - 1,
            Kind::Reverse => arcs,
        })
    }

    /// The structure at the end of a climb from this one.
    pub(super) fn apply(&self, dag: &mut Dag) {
        self.moves.iter().for_each(|m| m.what.apply(dag));
    }
}

/// The last moves of climbs of components, each with its nodes, as a search of all of them would have made them: the best of
/// their next ones first. They come from the last to the first.
///
/// After a move, those of the same component that are better come before any other; so a move is made when the worst up to it
/// is the best that is left.
pub(super) fn last_moves<'c>(
    climbs: impl Iterator<Item = (&'c [Var], &'c ClimbedComponent)>,
    most: usize,
) -> Vec<Move> {
    let mut last = Vec::new();
    for (vars, climbed) in climbs {
        let worst = climbed.moves.iter().scan(0, |worst, m| {
            *worst = m.rank.max(*worst);
            Some(*worst)
        });
        let moves = worst.zip(&climbed.moves).enumerate().map(|(i, (worst, m))| (worst, i, m.what, vars));
        last.extend(moves.skip(climbed.moves.len().saturating_sub(most)));
    }
    // Ranks of different moves differ, so those with the same worst one are of one component.
    let rank = |&(worst, i, ..): &(u128, usize, Move, &[Var])| std::cmp::Reverse((worst, i));
    if last.len() > most {
        last.select_nth_unstable_by_key(most, rank);
        last.truncate(most);
    }
    last.sort_unstable_by_key(rank);
    last.into_iter().map(|(_, _, m, vars)| m.outer(vars)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_last_moves_are_those_of_a_search_that_always_makes_the_best(
            ranks in prop::collection::vec(prop::collection::vec(0u128..1000, 0..8), 0..6), most in 0usize..20,
        ) {
            // Different moves have different ranks.
            let climb = |(component, ranks): (usize, &Vec<u128>)| {
                let best = |(i, rank): (usize, &u128)| BestMove {
                    rank: rank * 100 + (component * 10 + i) as u128,
                    what: Move { kind: Kind::Add, from: Var::new(i), to: Var(9) },
                };
                let moves = ranks.iter().enumerate().map(best).collect();
                ClimbedComponent { moves, score: 0.0, next: NONE, fingerprint: 0 }
            };
            let climbs: Vec<ClimbedComponent> = ranks.iter().enumerate().map(climb).collect();
            let vars: Vec<Vec<Var>> =
                (0..climbs.len()).map(|c| (0..10).map(|i| Var::new(10 * c + i)).collect()).collect();

            let (mut made, mut at) = (Vec::new(), vec![0; climbs.len()]);
            let next = |at: &[usize]| {
                let of = |c: usize| climbs[c].moves.get(at[c]).map(|m| (m.rank, c));
                (0..climbs.len()).filter_map(of).min()
            };
            while let Some((_, c)) = next(&at) {
                made.push(climbs[c].moves[at[c]].what.outer(&vars[c]));
                at[c] += 1;
            }
            made.reverse();
            made.truncate(most);
            let found = last_moves(vars.iter().map(Vec::as_slice).zip(&climbs), most);
            prop_assert_eq!(found, made);
        }
    }
}
