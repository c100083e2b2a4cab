//! Search: ties, the tabu list, constraints, stopping, and the same answer for any order and threads.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use ossature::graph::{NamedArc, NamedTier};
use ossature::network::catalogue;
use ossature::score::total;
use ossature::{
    Algorithm, Climb, Column, Constraints, Dag, Dataset, Error, Event, Progress, Score, ScoreKind,
    ScoreSettings, Search, Silent, Skeleton, Stop, Var, Variable,
};
use proptest::prelude::*;

use crate::ci::{rearranged, shuffled};
use crate::counts::random_data;
use crate::score::random_dag;

const HILL_CLIMB: Search =
    Search { algorithm: Algorithm::HillClimb, tie_orders: 1, max_parents: None, restarts: 0, seed: 0 };

fn tabu(list: usize, patience: usize) -> Search {
    Search { algorithm: Algorithm::Tabu { list, patience }, ..Search::default() }
}

/// A score that is a table: the value of a child with these parents. Other parent sets are bad, and no
/// parents are worth 0.
struct Scripted(HashMap<(u32, Vec<u32>), f64>);

impl Scripted {
    fn new(values: &[(u32, &[u32], f64)]) -> Scripted {
        Scripted(values.iter().map(|(child, parents, value)| ((*child, parents.to_vec()), *value)).collect())
    }
}

impl Score for Scripted {
    fn local(&self, child: Var, parents: &[Var]) -> f64 {
        let mut parents: Vec<u32> = parents.iter().map(|p| p.0).collect();
        parents.sort_unstable();
        let other = if parents.is_empty() { 0.0 } else { -9.0 };
        self.0.get(&(child.0, parents)).copied().unwrap_or(other)
    }
}

fn arcs(dag: &Dag) -> Vec<(u32, u32)> {
    dag.arcs().map(|(from, to)| (from.0, to.0)).collect()
}

fn free(search: &Search, score: &dyn Score, names: &[&str]) -> Climb {
    search.run(score, names, None, None, &Constraints::none(), &Silent).unwrap()
}

const FOUR: [&str; 4] = ["a", "b", "c", "d"];

/// One or two parents make d worse, all three together make it much better.
fn valley() -> Scripted {
    Scripted::new(&[(3, &[0], -1.0), (3, &[0, 1], -2.0), (3, &[0, 1, 2], 5.0)])
}

#[test]
fn tabu_crosses_a_valley_where_hill_climbing_stays() {
    let stays = free(&HILL_CLIMB, &valley(), &FOUR);
    assert_eq!((stays.dag.len(), stays.score, stays.moves), (0, 0.0, 0));
    let crosses = free(&tabu(100, 15), &valley(), &FOUR);
    assert_eq!(arcs(&crosses.dag), [(0, 3), (1, 3), (2, 3)]);
    assert_eq!(crosses.score, 5.0);
    // Three moves to the best, and fifteen more without an improvement.
    assert_eq!(crosses.moves, 18);
    assert!(crosses.complete);
}

#[test]
fn without_patience_or_memory_it_stays_too() {
    let score = |list, patience| free(&tabu(list, patience), &valley(), &FOUR).score;
    assert_eq!([score(100, 0), score(100, 2), score(100, 3)], [0.0, 0.0, 5.0]);
    // A list of one structure holds only the current one: the search returns to the start at once.
    assert_eq!([score(1, 15), score(2, 15)], [0.0, 5.0]);
}

#[test]
fn the_search_ends_when_all_structures_are_on_the_list() {
    // Two nodes have three structures; the start is one of them.
    let found = free(&tabu(100, 15), &Scripted::new(&[(1, &[0], -1.0), (0, &[1], -2.0)]), &["a", "b"]);
    assert_eq!((found.score, found.moves), (0.0, 2));
    assert!(found.dag.is_empty() && found.complete);
}

#[test]
fn ties_are_broken_by_name_and_then_by_other_orders() {
    // Both directions gain the same; the next move depends on the direction.
    let score = Scripted::new(&[(1, &[0], 3.0), (0, &[1], 3.0), (0, &[1, 2], 4.0)]);
    let by_name = free(&HILL_CLIMB, &score, &["a", "b", "c"]);
    assert_eq!(arcs(&by_name.dag), [(0, 1)]);
    let many = free(&Search { tie_orders: 10, ..HILL_CLIMB }, &score, &["a", "b", "c"]);
    assert_eq!(arcs(&many.dag), [(1, 0), (2, 0)]);
    assert_eq!(many.score, 4.0);
}

fn named(from: &str, to: &str) -> NamedArc {
    NamedArc { from: from.into(), to: to.into(), place: None }
}

#[test]
fn a_start_that_breaks_the_rules_is_refused() {
    let names = FOUR;
    let score = valley();
    let run = |required: &[NamedArc], forbidden: &[NamedArc], start: &[(u32, u32)]| {
        let known = Constraints::new(&names, required, forbidden, &[]).unwrap();
        let start = Dag::from_arcs(4, start.iter().map(|&(x, y)| (Var(x), Var(y)))).unwrap();
        Search::default().run(&score, &names, None, Some(&start), &known, &Silent)
    };
    for refused in [
        run(&[], &[named("a", "b")], &[(0, 1)]),
        run(&[named("b", "a")], &[], &[(0, 1)]),
        run(&[named("c", "a")], &[], &[(0, 1), (1, 2)]),
    ] {
        let error = refused.unwrap_err();
        assert!(
            matches!(error, Error::Mismatch { .. }) && error.to_string().contains("of the start"),
            "{error}"
        );
    }
    assert!(arcs(&run(&[named("c", "a")], &[], &[(0, 1)]).unwrap().dag).contains(&(2, 0)));
}

/// Data with some structure: the first variables of alarm.
fn sample(rows: usize, variables: usize, seed: u64) -> Dataset {
    let all = catalogue::load("alarm").unwrap().sample(rows, seed, &Silent).unwrap();
    let columns = all.vars().take(variables).map(|v| (all.variable(v).clone(), all.column(v).clone()));
    Dataset::new(columns.collect()).unwrap()
}

fn names(data: &Dataset) -> Vec<&str> {
    data.variables().iter().map(Variable::name).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn constraints_and_limits_always_hold(
        rows in 2usize..300, max_parents in 0usize..4, restarts in 0usize..3, hill_climb: bool, seed: u64,
    ) {
        let data = random_data(rows, &[2, 3, 2, 4, 2, 3, 2, 2], seed);
        let names = names(&data);
        let arc = |(from, to): (Var, Var)| named(names[from.index()], names[to.index()]);
        let required: Vec<(Var, Var)> = random_dag(8, 10, seed).arcs().collect();
        let forbidden: Vec<NamedArc> = random_dag(8, 30, !seed).arcs()
            .filter(|a| !required.contains(a)).map(arc).collect();
        let tiers: Vec<NamedTier> = names.iter().enumerate()
            .filter(|(i, _)| required.iter().all(|(x, y)| x.index() != *i && y.index() != *i))
            .map(|(i, n)| NamedTier { variable: n.to_string(), tier: (i as i64 * 7) % 3, place: None })
            .collect();
        let written: Vec<NamedArc> = required.iter().map(|&a| arc(a)).collect();
        let known = Constraints::new(&names, &written, &forbidden, &tiers).unwrap();
        let score = ScoreSettings { kind: ScoreKind::LogLik, iss: 10.0, ..ScoreSettings::default() }.build(&data).unwrap();
        let algorithm = if hill_climb { Algorithm::HillClimb } else { Search::default().algorithm };
        // A limit leaves room for required parents; a smaller one is refused.
        let must = |v| required.iter().filter(|(_, to)| *to == v).count();
        let max_parents = data.vars().map(must).max().unwrap_or(0).max(max_parents);
        let search = Search { algorithm, max_parents: Some(max_parents), restarts, seed, tie_orders: 2 };
        let found = search.run(&*score, &names, None, None, &known, &Silent).unwrap();
        prop_assert!(required.iter().all(|&(from, to)| found.dag.has_arc(from, to)));
        prop_assert!(found.dag.arcs().all(|(from, to)| known.may_add(from, to)));
        prop_assert!(found.dag.vars().all(|v| found.dag.parents(v).len() <= max_parents));
        prop_assert_eq!(found.score, total(&*score, &found.dag));
    }

    #[test]
    fn the_answer_is_free_of_rows_columns_levels_and_threads(rows in 50usize..400, seed: u64) {
        let data = sample(rows, 14, seed);
        let search = Search { tie_orders: 3, restarts: 1, seed, ..Search::default() };
        let learn = |data: &Dataset, threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let score = ScoreSettings::default().build(data).unwrap();
            pool.install(|| free(&search, &*score, &names(data)))
        };
        let found = learn(&data, 1);
        prop_assert_eq!(&learn(&data, 2), &found);
        prop_assert_eq!(&learn(&data, 7), &found);
        prop_assert_eq!(&learn(&rearranged(&data), 2), &found);
        prop_assert_eq!(&learn(&shuffled(&data, seed), 2), &found);
    }
}

#[test]
fn more_orders_and_restarts_never_lose() {
    let data = sample(300, 20, 3);
    let score = ScoreSettings::default().build(&data).unwrap();
    let mut last = f64::NEG_INFINITY;
    for (tie_orders, restarts) in [(1, 0), (1, 3), (5, 3), (9, 3)] {
        let found = free(&Search { tie_orders, restarts, ..Search::default() }, &*score, &names(&data));
        assert!(found.score >= last);
        assert_eq!(found.score, total(&*score, &found.dag));
        last = found.score;
    }
}

#[test]
fn arcs_stay_inside_the_skeleton_and_a_start_may_leave_it() {
    let data = sample(500, 20, 5);
    let names = names(&data);
    let score = ScoreSettings::default().build(&data).unwrap();
    let none = Constraints::none();
    let whole = free(&Search::default(), &*score, &names);
    let mut skeleton = whole.dag.skeleton();
    let gone = skeleton.edges().next().unwrap();
    skeleton.remove(gone.0, gone.1);
    let inside = Search::default().run(&*score, &names, Some(&skeleton), None, &none, &Silent).unwrap();
    assert!(inside.dag.arcs().all(|(x, y)| skeleton.contains(x, y)));
    assert!(inside.dag.len() > 5);
    // From the best graph, the arc that is outside is worth keeping, but is not reversed.
    let kept =
        Search::default().run(&*score, &names, Some(&skeleton), Some(&whole.dag), &none, &Silent).unwrap();
    assert!(kept.score >= whole.score);
    let nothing = Skeleton::empty(names.len());
    assert!(
        Search::default().run(&*score, &names, Some(&nothing), None, &none, &Silent).unwrap().dag.is_empty()
    );
}

/// Stops after a number of moves, or before the first.
pub(crate) struct StopAfter(u64, Stop, AtomicU64);

impl StopAfter {
    pub(crate) fn moves(moves: u64, stop: Stop) -> StopAfter {
        StopAfter(moves, stop, AtomicU64::new(0))
    }
}

impl Progress for StopAfter {
    fn report(&self, event: Event) -> ControlFlow<Stop> {
        if matches!(event, Event::Move { .. }) {
            self.2.fetch_add(1, Ordering::Relaxed);
        }
        if self.2.load(Ordering::Relaxed) >= self.0 {
            ControlFlow::Break(self.1)
        } else {
            ControlFlow::Continue(())
        }
    }
}

#[test]
fn a_search_that_is_stopped_has_the_best_so_far_or_nothing() {
    let data = sample(300, 20, 7);
    let names = names(&data);
    let score = ScoreSettings::default().build(&data).unwrap();
    let run = |moves: u64, stop: Stop| {
        let progress = StopAfter::moves(moves, stop);
        let search = Search { tie_orders: 1, ..Search::default() };
        search.run(&*score, &names, None, None, &Constraints::none(), &progress)
    };
    let mut last = f64::NEG_INFINITY;
    for moves in [0, 1, 4, 9] {
        let found = run(moves, Stop::Finish).unwrap();
        assert!(!found.complete);
        assert_eq!(found.moves, moves);
        assert_eq!(found.dag.len() as u64, moves);
        assert_eq!(found.score, total(&*score, &found.dag));
        assert!(found.score > last);
        last = found.score;
        assert!(matches!(run(moves, Stop::Cancel), Err(Error::Stopped)));
    }
    assert!(run(u64::MAX, Stop::Cancel).unwrap().complete);
}

#[test]
fn one_variable_and_constant_columns_have_nothing_to_find() {
    let constant = |name: &str| (Variable::new(name, ["x"]).unwrap(), Column::from_codes([0, 0], 1));
    let one = Dataset::new(vec![constant("a")]).unwrap();
    let three = Dataset::new(vec![constant("a"), constant("b"), constant("c")]).unwrap();
    for data in [one, three] {
        let score = ScoreSettings::default().build(&data).unwrap();
        let found = free(&Search::default(), &*score, &names(&data));
        assert!(found.dag.is_empty() && found.complete);
    }
}
