//! Search: from a score to a graph, by changing one arc at a time.
//!
//! [`Search::run`] climbs from a start, usually the empty graph, by adding, deleting and reversing
//! arcs, inside a skeleton or free ([`Algorithm`] says how far). The two climbs, `hill_climb` and
//! `tabu`, are short loops; `moves` knows which moves are legal and what they gain; `values` keeps
//! the values of nodes for all tie orders, which count together (`counting`). `ranking` finds the
//! best move in the `lists` of all nodes without examining the others, `paths` tells whether an arc
//! would close a cycle, and `ties` decides among moves with exactly the same gain.
//!
//! In wide tables the `components` of a skeleton climb apart; `climbed` remembers how, `orders` says in which turn, and
//! `all_moves` has the moves of the whole graph.
//!
//! The score is the exact sum over the nodes after each move, so it cannot drift, if sums of values are exact.

mod all_moves;
mod boss;
mod candidates;
mod climbed;
mod components;
mod counting;
mod exact;
mod ges;
mod hill_climb;
mod in_place;
mod kept_rows;
mod lists;
mod moves;
mod node_sets;
mod orders;
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

use std::sync::atomic::{AtomicU64, Ordering};

use crate::data::Var;
use crate::error::{Error, Result};
use crate::graph::{Constraints, Dag, Skeleton};
use crate::halves::{Found, LearnedGraph, Orient, Task};
use crate::parallel;
use crate::progress::Progress;
use crate::score::{Score, total};
use all_moves::SharedByOrders;
pub use boss::{Best, Boss};
use components::{Component, Components};
pub use exact::Exact;
pub use ges::{Ges, Phases};
use moves::Moves;
use paths::Paths;
pub use reinsertion::OptimalReinsertion;
use rules::Rules;
use ties::Ties;
use values::{KeptValues, NodeValues};
use watch::Watch;

/// So many nodes that cannot be joined to others are valued together.
const CHUNK: usize = 64;

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
        let components = Components::new(&rules, &start);
        let paths: u128 = components.lists.iter().map(|vars| Paths::bytes(vars.len())).sum();
        Error::unless_memory(NodeValues::bytes(&rules, &start) + paths, || {
            "the gains of all moves of the search".into()
        })?;
        let kept = KeptValues::new(score, &rules, names.len());
        let lists = &components.lists;
        let searches = parallel::map(lists.len(), |i| Component::new(&lists[i], score, &rules, &start));
        let values = parallel::map(lists.len(), |i| {
            let Component { rules, start, .. } = &searches[i];
            NodeValues::new(searches[i].score(), rules, start, &kept)
        });
        let found = match begin(score, &components, &searches, &values, &watch) {
            Some(shared) => self.all_orders(&shared, names, &watch),
            None => Climb { score: total(score, &start), dag: start, complete: false, moves: 0 },
        };
        NodeValues::forget(values);
        kept.forget();
        if watch.cancelled() { Err(Error::Stopped) } else { Ok(found) }
    }
}

/// The moves from the start, and what all orders share; `None` if the work was stopped.
fn begin<'a>(
    score: &dyn Score,
    components: &'a Components,
    searches: &'a [Component<'a>],
    values: &'a [NodeValues<'a>],
    watch: &Watch<'_>,
) -> Option<SharedByOrders<'a>> {
    let (done, all) = (AtomicU64::new(0), components.nodes() as u64);
    let scored = || watch.scored(done.fetch_add(1, Ordering::Relaxed) + 1, all);
    let by_name = Ties::by_name(components.nodes());
    let first = parallel::try_map(values.len(), |component| {
        let ties = by_name.among(&components.lists[component]);
        Moves::new(&values[component], searches[component].start.clone(), ties, scored).ok_or(())
    });
    let first: Vec<Moves<'_>> = first.ok()?;
    let alone = parallel::map_chunks(&components.alone, CHUNK, |some| {
        let families: Vec<(Var, &[Var])> = some.iter().map(|&v| (v, &[][..])).collect();
        let mut values = Vec::with_capacity(some.len());
        if !watch.stopped() {
            score.locals(&families, &mut values);
            values.iter().for_each(|_| _ = scored());
        }
        values
    });
    let shared = SharedByOrders { components, values, first, by_name, alone: alone.iter().sum() };
    (!watch.stopped()).then_some(shared)
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
