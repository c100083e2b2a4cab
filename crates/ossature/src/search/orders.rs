//! The tie orders of a search.
//!
//! If most nodes are in small components, these climb in all orders, one order after another, while what is known of their
//! nodes is in the cache; the others climb order by order, on all threads. The first order goes before, so that a search that
//! is stopped has something good soon.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::all_moves::{AllMoves, SharedByOrders, Structure};
use super::climbed::ClimbedComponent;
use super::perturb::perturb;
use super::tabu::tabu;
use super::ties::Ties;
use super::watch::Watch;
use super::{Algorithm, Climb, Search};
use crate::data::Var;
use crate::parallel;
use crate::random::mix;

/// Small components climb in so many orders one after another at most: what is remembered of that takes memory.
const TOGETHER: usize = 64;

/// A component is small if it has at most so many nodes, and no more than one of so many equal parts for each thread.
const SMALL: usize = 256;
const PARTS_OF_EACH: usize = 4;

/// What one order has found.
struct FoundInOrder<'a> {
    order: usize,
    structure: Structure<'a>,
    score: f64,
    complete: bool,
    moves: u64,
}

impl<'a> FoundInOrder<'a> {
    /// The better, and of equal ones that of the first order; it is complete if both are.
    fn or(self, other: FoundInOrder<'a>) -> FoundInOrder<'a> {
        let complete = self.complete && other.complete;
        let is_other = other.score > self.score || other.score == self.score && other.order < self.order;
        FoundInOrder { complete, ..if is_other { other } else { self } }
    }
}

/// The small components, if most nodes are in one.
struct SmallComponents {
    /// The largest first.
    list: Vec<usize>,
    /// For each component its place in the list.
    places: Vec<Option<usize>>,
}

impl SmallComponents {
    fn new(components: &[Vec<Var>]) -> SmallComponents {
        let nodes: usize = components.iter().map(Vec::len).sum();
        let most = match cfg!(test) {
            true => nodes / 2,
            false => SMALL.min(nodes / (PARTS_OF_EACH * rayon::current_num_threads())),
        };
        let mut list: Vec<usize> = (0..components.len()).filter(|&c| components[c].len() <= most).collect();
        if 2 * list.iter().map(|&c| components[c].len()).sum::<usize>() < nodes {
            list.clear();
        }
        list.sort_by_key(|&c| Reverse(components[c].len()));
        let mut places = vec![None; components.len()];
        list.iter().enumerate().for_each(|(place, &c)| places[c] = Some(place));
        SmallComponents { list, places }
    }
}

impl Search {
    /// One search for each tie order; the first of the best.
    pub(super) fn all_orders(&self, shared: &SharedByOrders<'_>, names: &[&str], watch: &Watch<'_>) -> Climb {
        let small = SmallComponents::new(&shared.components.lists);
        let end = |begin: usize| match begin {
            _ if small.list.is_empty() => self.tie_orders,
            0 => 1,
            _ => self.tie_orders.min(begin + TOGETHER),
        };
        let mut best =
            self.some_orders(0..end(0), &small, shared, names, watch).expect("the first order begins");
        let mut begin = end(0);
        while begin < self.tie_orders && !watch.stopped() {
            let found = self.some_orders(begin..end(begin), &small, shared, names, watch);
            best = match found {
                Some(found) if found.score > best.score => {
                    Climb { complete: best.complete && found.complete, ..found }
                }
                Some(found) => Climb { complete: best.complete && found.complete, ..best },
                None => Climb { complete: false, ..best },
            };
            begin = end(begin);
        }
        best
    }

    /// The first of the best of these orders; `None` if the search was stopped before one that is not the first of all.
    fn some_orders(
        &self,
        orders: Range<usize>,
        small: &SmallComponents,
        shared: &SharedByOrders<'_>,
        names: &[&str],
        watch: &Watch<'_>,
    ) -> Option<Climb> {
        let known: Vec<OnceLock<Ties>> = orders.clone().map(|_| OnceLock::new()).collect();
        let ties = |i: usize| {
            known[i].get_or_init(|| match orders.start + i {
                0 => shared.by_name.clone(),
                order => Ties::keyed(self.seed, order, names),
            })
        };
        let climbed = climb_small(small, shared, orders.len(), ties, watch);
        // Only the best is kept, and not one for each order.
        let best: Mutex<Option<FoundInOrder<'_>>> = Mutex::default();
        let climb = |i: usize| {
            let climbed = |component: usize| small.places[component].map(|place| &climbed[place][i]);
            let moves = AllMoves::new(shared, ties(i), climbed);
            let found = self.one_order(moves, orders.start + i, watch);
            let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
            *best = Some(match best.take() {
                Some(best) => best.or(found),
                None => found,
            });
        };
        // All go at once if they value nothing twice. Otherwise the first goes alone: the others then find most of what
        // they need already valued.
        let large = || shared.values.iter().zip(&small.places).filter(|(_, place)| place.is_none());
        let all_at_once = orders.start > 0 || large().all(|(values, _)| values.is_shared());
        let alone = usize::from(!all_at_once);
        (0..alone).for_each(climb);
        // Ranking all moves of a wide table takes a while, so an order does not begin once the search was stopped; but
        // the first does.
        let begin = |i: usize| {
            if orders.start + i + alone == 0 || !watch.stopped() {
                climb(i + alone);
            }
        };
        let others = orders.len() - alone;
        match shared.values {
            [only] => _ = only.searches(others, begin),
            _ => _ = parallel::map(others, begin),
        }
        let best = best.into_inner().unwrap_or_else(PoisonError::into_inner);
        best.map(|FoundInOrder { structure, score, complete, moves, .. }| Climb {
            dag: structure.dag(),
            score,
            complete,
            moves,
        })
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
        FoundInOrder { order, structure, score, complete: !watch.stopped(), moves: moves.made() }
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

/// The climbs of small components, each in so many orders.
fn climb_small<'t>(
    small: &SmallComponents,
    shared: &SharedByOrders<'_>,
    orders: usize,
    ties: impl Fn(usize) -> &'t Ties + Sync,
    watch: &Watch<'_>,
) -> Vec<Vec<ClimbedComponent>> {
    // The scores of the structures that the orders have reached so far, and the numbers of moves.
    let start = shared.score();
    let reached: Vec<Mutex<(f64, u64)>> = (0..orders).map(|_| Mutex::new((start, 0))).collect();
    parallel::map_each(&small.list, |&component| {
        let (vars, first) = (shared.vars(component), &shared.first[component]);
        let climb = |order: usize| {
            let at = || reached[order].lock().unwrap_or_else(PoisonError::into_inner);
            let (score, made) = *at();
            let others = score - first.score();
            let go_on = |score, more| watch.moved(others + score, made + more);
            let climbed = match watch.stopped() {
                true => ClimbedComponent::none(first),
                false => ClimbedComponent::new(&mut shared.at_start(component, ties(order)), vars, go_on),
            };
            let mut now = at();
            now.0 += climbed.score - first.score();
            now.1 += climbed.moves.len() as u64;
            climbed
        };
        (0..orders).map(climb).collect()
    })
}
