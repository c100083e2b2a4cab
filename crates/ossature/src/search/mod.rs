//! Search: from a score to a graph, by changing one arc at a time.
//!
//! [`Search::run`] climbs from a start, usually the empty graph, by adding, deleting and reversing
//! arcs, inside a skeleton or free ([`Algorithm`] says how far). The two climbs, `hill_climb` and
//! `tabu`, are short loops; `moves` knows which moves are legal and what they gain; `values` keeps
//! the values of nodes for all tie orders, which count together (`counting`). `ranking` finds the
//! best move in the `lists` of all nodes without examining the others, `paths` tells whether an arc
//! would close a cycle, and `ties` decides among moves with exactly the same gain.
//!
//! The score is the exact sum over the nodes after each move, so it cannot drift.

mod boss;
mod candidates;
mod counting;
mod exact;
mod ges;
mod hill_climb;
mod in_place;
mod kept_rows;
mod lists;
mod moves;
mod node_sets;
mod paths;
mod perturb;
mod ranking;
mod reinsertion;
mod rules;
mod set_rows;
mod smallest;
mod tabu;
#[cfg(test)]
mod tests;
mod ties;
mod total;
mod valued;
mod values;
mod waiting;
mod watch;

use crate::error::{Error, Result};
use crate::graph::{Constraints, Dag, Skeleton};
use crate::halves::{Found, LearnedGraph, Orient, Task};
use crate::progress::Progress;
use crate::random::mix;
use crate::score::{Score, total};
pub use boss::{Best, Boss};
pub use exact::Exact;
pub use ges::{Ges, Phases};
use hill_climb::hill_climb;
use moves::Moves;
use paths::Paths;
use perturb::perturb;
pub use reinsertion::OptimalReinsertion;
use rules::Rules;
use tabu::tabu;
use ties::Ties;
use values::NodeValues;
use watch::Watch;

/// How far a search climbs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// Up to the first structure that no move improves.
    HillClimb,
    /// Beyond it, to structures that have not been visited recently.
    Tabu {
        /// The number of structures that are remembered and not visited again.
        list: usize,
        /// The number of moves without a new best score that ends the search.
        patience: usize,
    },
}

/// A search for the graph with the best score. The default is tabu search in ten tie orders; the paper's
/// is tabu search in one.
///
/// ```
/// use ossature::search::{Algorithm, Search};
/// use ossature::{Column, Constraints, Dataset, ScoreSettings, Silent, Var, Variable};
///
/// let data = Dataset::new(vec![
///     (Variable::new("a", ["0", "1"])?, Column::from_codes([0, 0, 1, 1, 0, 1, 0, 1], 2)),
///     (Variable::new("b", ["0", "1"])?, Column::from_codes([0, 0, 1, 1, 0, 1, 0, 1], 2)),
///     (Variable::new("c", ["0", "1"])?, Column::from_codes([0, 1, 0, 1, 1, 0, 0, 1], 2)),
/// ])?;
/// let score = ScoreSettings::default().build(&data)?;
/// let search = Search { algorithm: Algorithm::HillClimb, ..Search::default() };
/// let found = search.run(&*score, &["a", "b", "c"], None, None, &Constraints::none(), &Silent)?;
/// assert_eq!(found.dag.arcs().collect::<Vec<_>>(), [(Var(0), Var(1))]);
/// assert!(found.complete);
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// How far it climbs.
    pub algorithm: Algorithm,
    /// The number of searches with different orders among moves with the same gain; the best score
    /// wins, and among equal ones the first. 1 is the single search of the paper, with ties broken
    /// by name (deviation D3).
    pub tie_orders: usize,
    /// The largest number of parents of a node; required parents are never removed.
    pub max_parents: Option<usize>,
    /// How often each search starts again from its best structure, changed at random.
    pub restarts: usize,
    /// The seed of the tie orders after the first and of the restarts.
    pub seed: u64,
}

impl Default for Search {
    fn default() -> Search {
        Search {
            algorithm: Algorithm::Tabu { list: 100, patience: 15 },
            tie_orders: 10,
            max_parents: None,
            restarts: 0,
            seed: 0,
        }
    }
}

/// The end of a climb.
#[derive(Debug, Clone, PartialEq)]
pub struct Climb {
    /// The best structure seen.
    pub dag: Dag,
    /// Its score.
    pub score: f64,
    /// Whether the search was completed, and not told to finish early.
    pub complete: bool,
    /// The moves made by the search that found it.
    pub moves: u64,
}

impl Search {
    /// Searches for the graph with the best score over variables with these names, in their
    /// canonical order.
    ///
    /// Arcs are added only where `inside` has an edge, if it is given. The climb begins at `start`,
    /// or at the empty graph, plus the required arcs; these are never deleted or reversed, and
    /// forbidden ones are never added. The answer does not depend on the number of threads.
    ///
    /// A start that has forbidden arcs, or forms a cycle with the required ones, is an error. If
    /// `progress` cancels, the error is [`Error::Stopped`]; if it asks to finish, the result is the
    /// best so far.
    ///
    /// # Panics
    /// If the skeleton or the start has another number of nodes than there are names.
    pub fn run(
        &self,
        score: &dyn Score,
        names: &[&str],
        inside: Option<&Skeleton>,
        start: Option<&Dag>,
        constraints: &Constraints,
        progress: &dyn Progress,
    ) -> Result<Climb> {
        let rules = Rules::new(inside, constraints, self.max_parents);
        let start = rules.start(names, start)?;
        let watch = Watch::new(progress);
        Error::unless_memory(NodeValues::bytes(&rules, &start) + Paths::bytes(names.len()), || {
            "the gains of all moves of the search".into()
        })?;
        let values = NodeValues::new(score, &rules, &start);
        let found = match Moves::new(&values, start.clone(), Ties::by_name(names.len()), &watch) {
            Some(moves) => self.all_orders(&moves, names, &watch),
            None => Climb { score: total(score, &start), dag: start, complete: false, moves: 0 },
        };
        values.forget();
        if watch.cancelled() { Err(Error::Stopped) } else { Ok(found) }
    }

    /// One search for each tie order; the first of the best.
    fn all_orders(&self, moves: &Moves<'_>, names: &[&str], watch: &Watch<'_>) -> Climb {
        let climb = |order: usize| match order {
            0 => self.one_order(moves.clone(), 0, watch),
            _ => self.one_order(moves.with_ties(Ties::keyed(self.seed, order, names)), order, watch),
        };
        // All go at once if they value nothing twice. Otherwise the first goes alone: the others then find most of what
        // they need already valued.
        let values = moves.values();
        let first = if values.is_shared() { None } else { Some(climb(0)) };
        let alone = usize::from(first.is_some());
        // Ranking all moves of a wide table takes a while, so an order does not begin once the search was stopped; but
        // the first does.
        let others = values.searches(self.tie_orders - alone, |i| {
            let order = i + alone;
            (order == 0 || !watch.stopped()).then(|| climb(order))
        });
        // The climbs are joined in the order of the tie orders, and only the best is kept.
        let better = |best: Climb, f: Climb| {
            let complete = best.complete && f.complete;
            Climb { complete, ..if f.score > best.score { f } else { best } }
        };
        first.into_iter().chain(others.into_iter().flatten()).reduce(better).expect("the first order")
    }

    fn one_order(&self, mut moves: Moves<'_>, order: usize, watch: &Watch<'_>) -> Climb {
        let mut best = self.climb(&mut moves, watch);
        for restart in 0..self.restarts {
            if watch.stopped() {
                break;
            }
            moves.go_to(&best.0);
            perturb(&mut moves, mix(self.seed, &[order as u64, restart as u64]));
            let found = self.climb(&mut moves, watch);
            if found.1 > best.1 {
                best = found;
            }
        }
        Climb { dag: best.0, score: best.1, complete: !watch.stopped(), moves: moves.made() }
    }

    fn climb(&self, moves: &mut Moves<'_>, watch: &Watch<'_>) -> (Dag, f64) {
        match self.algorithm {
            Algorithm::HillClimb => hill_climb(moves, watch),
            Algorithm::Tabu { list, patience } => tabu(moves, list, patience, watch),
        }
    }
}

impl Orient for Search {
    fn orient(&self, task: &Task<'_>) -> Result<Found> {
        let Task { names, start, constraints, progress, .. } = *task;
        let climb = self.run(task.score(), names, task.skeleton(), start, constraints, progress)?;
        Ok(Found::searched(LearnedGraph::Dag(climb.dag), climb.score, climb.complete, climb.moves))
    }

    fn check(&self, names: &[&str], start: Option<&Dag>, constraints: &Constraints) -> Result<()> {
        Rules::new(None, constraints, self.max_parents).start(names, start).map(drop)
    }
}
