//! The tie orders of a search.
//!
//! Small components climb in all orders, one order after another, while what is known of their nodes is in the cache; the
//! others climb order by order, on all threads.

use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::all_moves::{AllMoves, SharedByOrders, Structure};
use super::climbed::ClimbedComponent;
use super::perturb::perturb;
use super::tabu::tabu;
use super::ties::Ties;
use super::watch::Watch;
use super::{Algorithm, Climb, Search};
use crate::parallel;
use crate::random::mix;

/// So many orders are followed together at most: what is remembered of their climbs takes memory.
const TOGETHER: usize = 64;

/// A component is small if it has at most so many nodes, and so many as large for each thread would not be all nodes.
const SMALL: usize = 256;
const OF_EACH: usize = 4;

/// What one order has found.
struct FoundInOrder<'a> {
    structure: Structure<'a>,
    score: f64,
    complete: bool,
    moves: u64,
}

/// The climbs of small components in some orders.
struct SmallClimbs {
    /// For each component its place in the list of climbs, if it is small.
    places: Vec<Option<usize>>,
    /// In each order.
    climbs: Vec<Vec<ClimbedComponent>>,
}

impl SmallClimbs {
    fn of(&self, component: usize, order: usize) -> Option<&ClimbedComponent> {
        self.places[component].map(|place| &self.climbs[place][order])
    }
}

impl Search {
    /// One search for each tie order; the first of the best.
    pub(super) fn all_orders(&self, shared: &SharedByOrders<'_>, names: &[&str], watch: &Watch<'_>) -> Climb {
        let some = |begin: usize| begin..self.tie_orders.min(begin + TOGETHER);
        let mut best = self.some_orders(some(0), shared, names, watch);
        for begin in (TOGETHER..self.tie_orders).step_by(TOGETHER) {
            if watch.stopped() {
                break;
            }
            let found = self.some_orders(some(begin), shared, names, watch);
            let complete = best.complete && found.complete;
            best = Climb { complete, ..if found.score > best.score { found } else { best } };
        }
        best
    }

    fn some_orders(
        &self,
        orders: Range<usize>,
        shared: &SharedByOrders<'_>,
        names: &[&str],
        watch: &Watch<'_>,
    ) -> Climb {
        let known: Vec<OnceLock<Ties>> = orders.clone().map(|_| OnceLock::new()).collect();
        let ties = |i: usize| {
            known[i].get_or_init(|| match orders.start + i {
                0 => shared.by_name.clone(),
                order => Ties::keyed(self.seed, order, names),
            })
        };
        let small = climb_small(shared, orders.len(), ties, watch);
        let climb = |i: usize| {
            let moves = AllMoves::new(shared, ties(i), |component| small.of(component, i));
            self.one_order(moves, orders.start + i, watch)
        };
        // All go at once if they value nothing twice. Otherwise the first goes alone: the others then find most of what
        // they need already valued.
        let all_at_once = orders.start > 0 || shared.values.iter().all(|values| values.is_shared());
        let first = if all_at_once { None } else { Some(climb(0)) };
        let alone = usize::from(first.is_some());
        // Ranking all moves of a wide table takes a while, so an order does not begin once the search was stopped; but
        // the first does.
        let begin = |i: usize| {
            let i = i + alone;
            (orders.start + i == 0 || !watch.stopped()).then(|| climb(i))
        };
        let others = match shared.values {
            [only] => only.searches(orders.len() - alone, begin),
            _ => parallel::map(orders.len() - alone, begin),
        };
        // The climbs are joined in the order of the tie orders, and only the best is kept.
        let best = first.into_iter().chain(others.into_iter().flatten()).reduce(|best, f| {
            let complete = best.complete && f.complete;
            FoundInOrder { complete, ..if f.score > best.score { f } else { best } }
        });
        let FoundInOrder { structure, score, complete, moves } = best.expect("the first order");
        Climb { dag: structure.dag(), score, complete, moves }
    }

    fn one_order<'a>(&self, mut moves: AllMoves<'a>, order: usize, watch: &Watch<'_>) -> FoundInOrder<'a> {
        let (mut structure, mut score) = self.climb(&mut moves, watch);
        for restart in 0..self.restarts {
            if watch.stopped() {
                break;
            }
            moves.go_to(&structure);
            perturb(&mut moves, structure.arcs(), mix(self.seed, &[order as u64, restart as u64]));
            let found = self.climb(&mut moves, watch);
            if found.1 > score {
                (structure, score) = found;
            }
        }
        FoundInOrder { structure, score, complete: !watch.stopped(), moves: moves.made() }
    }

    fn climb<'a>(&self, moves: &mut AllMoves<'a>, watch: &Watch<'_>) -> (Structure<'a>, f64) {
        match self.algorithm {
            Algorithm::HillClimb => {
                moves.climb(1, watch);
                (moves.structure(), moves.score())
            }
            Algorithm::Tabu { list, patience } => tabu(moves, list, patience, watch),
        }
    }
}

/// The climbs of all small components in so many orders.
fn climb_small<'t>(
    shared: &SharedByOrders<'_>,
    orders: usize,
    ties: impl Fn(usize) -> &'t Ties + Sync,
    watch: &Watch<'_>,
) -> SmallClimbs {
    let sizes = || shared.components.lists.iter().map(Vec::len);
    let most = match sizes().sum::<usize>() {
        all if cfg!(test) => all / 2,
        all => SMALL.min(all / (OF_EACH * rayon::current_num_threads())),
    };
    let mut small: Vec<usize> =
        (0..sizes().len()).filter(|&c| shared.components.lists[c].len() <= most).collect();
    // The largest first.
    small.sort_by_key(|&component| std::cmp::Reverse(shared.components.lists[component].len()));
    let mut places = vec![None; sizes().len()];
    small.iter().enumerate().for_each(|(place, &component)| places[component] = Some(place));

    // The scores of the structures that the orders have reached so far, and the numbers of moves.
    let start = shared.score();
    let reached: Vec<Mutex<(f64, u64)>> = (0..orders).map(|_| Mutex::new((start, 0))).collect();
    let climbs = parallel::map_each(&small, |&component| {
        let (vars, first) = (shared.vars(component), &shared.first[component]);
        let climb = |order: usize| {
            let at = || reached[order].lock().unwrap_or_else(PoisonError::into_inner);
            let (score, made) = *at();
            let others = score - first.score();
            let go_on = |score, more| watch.moved(others + score, made + more);
            let climbed = match watch.stopped() {
                true => ClimbedComponent::none(first),
                false => ClimbedComponent::new(&mut first.with_ties(ties(order).among(vars)), vars, go_on),
            };
            let mut now = at();
            now.0 += climbed.score - first.score();
            now.1 += climbed.moves.len() as u64;
            climbed
        };
        (0..orders).map(climb).collect()
    });
    SmallClimbs { places, climbs }
}
