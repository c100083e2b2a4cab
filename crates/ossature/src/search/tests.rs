//! The fast search against the obvious one, move by move.

use std::ops::ControlFlow;
use std::sync::Mutex;

use proptest::prelude::*;

use super::all_moves::AllMoves;
use super::climbed::ClimbedComponent;
use super::moves::{Kind, Move};
use super::perturb::perturb;
use super::rules::Rules;
use super::tabu::tabu;
use super::ties::Ties;
use super::watch::Watch;
use super::*;
use crate::data::{Column, Dataset, TableKind, Var, Variable};
use crate::graph::NamedArc;
use crate::halves::Restriction;
use crate::progress::{Event, Silent, Stop};
use crate::score::{ScoreKind, ScoreSettings};
use crate::word::Word;

pub(super) const NAMES: [&str; 7] = ["a", "b", "c", "d", "e", "f", "g"];

/// What a second half works with over the first few names.
pub(super) fn task<'a>(
    score: &'a dyn Score,
    n: usize,
    inside: Option<&'a Restriction>,
    constraints: &'a Constraints,
    progress: &'a dyn Progress,
) -> Task<'a> {
    Task { names: &NAMES[..n], score: Some(score), ask: None, inside, start: None, constraints, progress }
}

/// A skeleton as a first half has found it.
pub(super) fn inside(skeleton: Skeleton) -> Restriction {
    Restriction { skeleton, evidence: crate::ci::Evidence::default() }
}

/// Numbers that look random.
pub(super) fn stream(mut seed: u64) -> impl FnMut(u64) -> u64 {
    move |bound| {
        seed = crate::random::scramble(seed);
        seed % bound
    }
}

/// Variables that depend on those before them.
pub(super) fn dependent_data(rows: usize, levels: &[u16], seed: u64) -> Dataset {
    let mut next = stream(seed);
    let mut columns: Vec<Vec<u16>> = Vec::new();
    for &r in levels {
        let (p, q) = (next(columns.len() as u64 + 1) as usize, next(columns.len() as u64 + 1) as usize);
        let column = (0..rows)
            .map(|row| {
                let from = |i: usize| columns.get(i).map_or(0, |c: &Vec<u16>| c[row]);
                if next(3) == 0 { next(u64::from(r)) as u16 } else { (from(p) + 2 * from(q)) % r }
            })
            .collect();
        columns.push(column);
    }
    let columns = columns.into_iter().zip(levels).zip(NAMES).map(|((codes, &r), name)| {
        let variable = Variable::new(name, (0..r).map(|l| l.to_string())).unwrap();
        (variable, Column::from_codes(codes, usize::from(r)))
    });
    Dataset::new(columns.collect()).unwrap()
}

/// Some arcs are required and some forbidden; required ones run from left to right.
pub(super) fn random_constraints(seed: u64) -> Constraints {
    let mut next = stream(seed);
    let arc =
        |from: usize, to: usize| NamedArc { from: NAMES[from].into(), to: NAMES[to].into(), place: None };
    let (mut required, mut forbidden) = (Vec::new(), Vec::new());
    for from in 0..NAMES.len() {
        for to in 0..NAMES.len() {
            match next(12) {
                0 if from < to => required.push(arc(from, to)),
                1 | 2 if from != to => forbidden.push(arc(from, to)),
                _ => {}
            }
        }
    }
    Constraints::new(&NAMES, &required, &forbidden, &[]).unwrap()
}

/// One pair of nodes in so many is joined.
pub(super) fn random_skeleton(seed: u64, one_in: u64) -> Skeleton {
    let mut next = stream(seed);
    let mut skeleton = Skeleton::empty(NAMES.len());
    for x in 0..NAMES.len() {
        for y in 0..x {
            if next(one_in) == 0 {
                skeleton.insert(Var::new(x), Var::new(y));
            }
        }
    }
    skeleton
}

/// Every DAG over so many variables.
pub(super) fn all_dags(n: usize) -> Vec<Dag> {
    let pairs: Vec<(Var, Var)> =
        (0..n).flat_map(|x| (x + 1..n).map(move |y| (Var::new(x), Var::new(y)))).collect();
    let number = 3usize.pow(pairs.len() as u32);
    let dag = |mut code: usize| {
        let mut arcs = Vec::new();
        for &(x, y) in &pairs {
            match code % 3 {
                1 => arcs.push((x, y)),
                2 => arcs.push((y, x)),
                _ => {}
            }
            code /= 3;
        }
        Dag::from_arcs(n, arcs).ok()
    };
    (0..number).filter_map(dag).collect()
}

/// Every change of one arc that keeps to the rules, by the definition.
fn neighbours(dag: &Dag, rules: &Rules<'_>) -> Vec<(Move, Dag)> {
    let mut found = Vec::new();
    for from in dag.vars() {
        for to in dag.vars() {
            let mut after = dag.clone();
            let grows = |v: Var| rules.may_grow(dag.parents(v).len());
            if dag.has_arc(from, to) {
                if !rules.may_delete(from, to) {
                    continue;
                }
                after.remove(from, to);
                found.push((Move { kind: Kind::Delete, from, to }, after.clone()));
                if rules.may_add(to, from) && grows(from) && after.try_add(to, from).is_ok() {
                    found.push((Move { kind: Kind::Reverse, from, to }, after));
                }
            } else if rules.may_add(from, to)
                && !dag.has_arc(to, from)
                && grows(to)
                && after.try_add(from, to).is_ok()
            {
                found.push((Move { kind: Kind::Add, from, to }, after));
            }
        }
    }
    found
}

/// The tabu search of the paper, with everything scored anew at each step: all structures visited.
fn naive_tabu(
    score: &dyn Score,
    rules: &Rules<'_>,
    start: Dag,
    ties: &Ties,
    length: usize,
    patience: usize,
) -> (Vec<Dag>, Dag) {
    let mut visited = vec![start.clone()];
    let mut best = start;
    let mut without = 0;
    while without < patience {
        let here = visited.last().unwrap();
        let list = &visited[visited.len().saturating_sub(length)..];
        let open = neighbours(here, rules).into_iter().filter(|(_, after)| !list.contains(after));
        let next = open.min_by(|(m, a), (n, b)| {
            total(score, b).total_cmp(&total(score, a)).then(ties.key(*m).cmp(&ties.key(*n)))
        });
        let Some((_, next)) = next else { break };
        without += 1;
        if total(score, &next) > total(score, &best) {
            best = next.clone();
            without = 0;
        }
        visited.push(next);
    }
    (visited, best)
}

/// Takes down the score after each move.
#[derive(Default)]
struct Recorder(Mutex<Vec<f64>>);

impl Progress for Recorder {
    fn report(&self, event: Event) -> ControlFlow<Stop> {
        if let Event::Move { score, .. } = event {
            self.0.lock().unwrap().push(score);
        }
        ControlFlow::Continue(())
    }
}

/// Stops at the first move and counts how many were reported.
#[derive(Default)]
struct Impatient(Mutex<u64>);

impl Progress for Impatient {
    fn report(&self, event: Event) -> ControlFlow<Stop> {
        if !matches!(event, Event::Move { .. }) {
            return ControlFlow::Continue(());
        }
        *self.0.lock().unwrap() += 1;
        ControlFlow::Break(Stop::Finish)
    }
}

#[test]
fn no_other_order_begins_once_the_search_is_stopped() {
    let data = dependent_data(200, &[3; 7], 1);
    let score = ScoreSettings::default().build(&data).unwrap();
    for (algorithm, threads) in [Algorithm::HillClimb, Algorithm::Tabu { list: 10, patience: 10 }]
        .into_iter()
        .flat_map(|a| [(a, 1), (a, 3)])
    {
        let search = Search { algorithm, tie_orders: 10, ..Search::default() };
        let impatient = Impatient::default();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let run = || search.run(&*score, &NAMES, None, None, &Constraints::none(), &impatient).unwrap();
        let found = pool.install(run);
        assert!(!found.complete && found.dag.len() == 1, "{found:?}");
        // Those that had begun on other threads make one move as well.
        let moves = *impatient.0.lock().unwrap();
        assert!((1..=threads as u64).contains(&moves), "{moves} orders made a move on {threads} threads");
    }
}

/// Components, their scores and values, as a search has them.
struct Divided<'a> {
    components: Components,
    kept: KeptValues,
    score: &'a dyn Score,
    rules: &'a Rules<'a>,
    start: &'a Dag,
}

impl<'a> Divided<'a> {
    fn new(score: &'a dyn Score, rules: &'a Rules<'a>, start: &'a Dag) -> Divided<'a> {
        let components = Components::new(rules, start);
        Divided { components, kept: KeptValues::new(score, rules, start.nodes()), score, rules, start }
    }

    /// Does something with the moves from the start.
    fn with<T>(&self, f: impl FnOnce(&SharedByOrders<'_>) -> T) -> T {
        let Divided { components, kept, score, rules, start } = self;
        let searches: Vec<Component<'_>> =
            components.lists.iter().map(|vars| Component::new(vars, *score, rules, start)).collect();
        let values: Vec<NodeValues<'_>> =
            searches.iter().map(|c| NodeValues::new(c.score(), &c.rules, &c.start, kept)).collect();
        f(&begin(*score, components, &searches, &values, &Watch::new(&Silent)).unwrap())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn visits_the_same_structures_as_the_obvious_search(
        rows in 5usize..200,
        levels in prop::collection::vec(1u16..4, 7),
        kind in prop::sample::select(ScoreKind::all().filter(|k| k.is_for(TableKind::Discrete)).collect::<Vec<_>>()),
        edges in prop::option::weighted(0.75, prop_oneof![Just(2), Just(4), Just(6)]),
        constrained: bool,
        max_parents in prop::option::of(0usize..4),
        order in 0usize..3,
        length in 1usize..40,
        patience in 0usize..12,
        known: u8,
        seed: u64,
    ) {
        let data = dependent_data(rows, &levels, seed);
        let score = ScoreSettings { kind, iss: 10.0, ..ScoreSettings::default() }.build(&data).unwrap();
        let skeleton = edges.map(|one_in| random_skeleton(seed, one_in));
        let constraints = if constrained { random_constraints(seed) } else { Constraints::none() };
        // A limit leaves room for what is required: anything else is refused.
        let must = (0..7).map(|v| constraints.required().iter().filter(|(_, to)| to.index() == v).count());
        let must = must.max().unwrap_or(0);
        let max_parents = max_parents.map(|most| most.max(must));
        let rules = Rules::new(skeleton.as_ref(), &constraints, max_parents);
        let start = rules.start(&NAMES, None).unwrap();
        let ties = if order == 0 { Ties::by_name(7) } else { Ties::keyed(seed, order, &NAMES) };

        let (visited, best) = naive_tabu(&*score, &rules, start.clone(), &ties, length, patience);
        // So many of the moves gain.
        let rises = visited.windows(2).take_while(|two| total(&*score, &two[1]) > total(&*score, &two[0])).count();
        Divided::new(&*score, &rules, &start).with(|shared| {
            // Some components have climbed before.
            let watch = Watch::new(&Silent);
            let climbed: Vec<Option<ClimbedComponent>> = shared.first.iter().enumerate().map(|(c, first)| {
                let mut moves = first.with_ties(ties.among(shared.vars(c)));
                (known >> c & 1 == 1).then(|| ClimbedComponent::new(&mut moves, shared.vars(c), |_, _| true))
            }).collect();
            let all_moves = || AllMoves::new(shared, &ties, |component| climbed[component].as_ref());

            let recorder = Recorder::default();
            let (found, best_score) = tabu(&mut all_moves(), length, patience, &Watch::new(&recorder));
            prop_assert_eq!(&found.dag(), &best);
            prop_assert_eq!(best_score, total(&*score, &best));
            let scores: Vec<f64> = visited[1..].iter().map(|dag| total(&*score, dag)).collect();
            let recorded = recorder.0.into_inner().unwrap();
            let others = if patience == 0 { 0 } else { scores.len() - rises };
            prop_assert_eq!(&recorded[recorded.len() - others..], &scores[scores.len() - others..]);

            if patience > 0 {
                let mut moves = all_moves();
                let last = moves.climb(length, &watch);
                prop_assert_eq!(moves.structure().arcs(), visited[rises].len());
                prop_assert_eq!(moves.made(), rises as u64);
                prop_assert_eq!(moves.structure().dag(), visited[rises].clone());
                let first = (rises + 1).saturating_sub(length);
                let numbers: Vec<u128> = visited[first..=rises].iter().map(number_of).collect();
                prop_assert_eq!(last, numbers);
            }

            // The same path again, to see each structure and its neighbours.
            let mut moves = all_moves();
            for (here, next) in visited.iter().zip(&visited[1..]) {
                prop_assert_eq!(&moves.structure().dag(), here);
                prop_assert_eq!(moves.fingerprint(), number_of(here));
                prop_assert_eq!(moves.score(), total(&*score, here));
                let all = neighbours(here, &rules);
                for (m, after) in &all {
                    prop_assert!(moves.is_legal(*m));
                    let mut there = moves.structure();
                    there.apply(*m);
                    prop_assert_eq!(&there.dag(), after);
                }
                let best = all.iter().min_by(|(m, a), (n, b)| {
                    total(&*score, b).total_cmp(&total(&*score, a)).then(ties.key(*m).cmp(&ties.key(*n)))
                });
                prop_assert_eq!(moves.best(|_| true), best.map(|(m, _)| *m));
                let (m, _) = all.into_iter().find(|(_, after)| after == next).unwrap();
                moves.apply(m);
            }
            Ok(())
        })?;
    }

    #[test]
    fn going_somewhere_at_once_is_like_getting_there(
        rows in 5usize..100, levels in prop::collection::vec(2u16..4, 7), steps in 0usize..12, inside: bool, seed: u64,
    ) {
        let data = dependent_data(rows, &levels, seed);
        let score = ScoreSettings::default().build(&data).unwrap();
        let constraints = random_constraints(seed);
        let skeleton = inside.then(|| random_skeleton(seed, 5));
        let rules = Rules::new(skeleton.as_ref(), &constraints, None);
        let start = rules.start(&NAMES, None).unwrap();
        Divided::new(&*score, &rules, &start).with(|shared| {
            let watch = Watch::new(&Silent);
            let climbed: Vec<ClimbedComponent> = shared.first.iter().enumerate()
                .map(|(c, first)| ClimbedComponent::new(&mut first.clone(), shared.vars(c), |_, _| true)).collect();
            let all_moves = || AllMoves::new(shared, &shared.by_name, |component| Some(&climbed[component]));
            let (mut moves, mut jumping) = (all_moves(), all_moves());
            let bottom = moves.structure();
            moves.climb(1, &watch);
            let top = moves.structure();
            perturb(&mut moves, top.arcs(), seed);
            for _ in 0..steps {
                let Some(m) = moves.best(|_| true) else { break };
                moves.apply(m);
            }
            for structure in [moves.structure(), bottom, top] {
                jumping.go_to(&structure);
                moves.go_to(&structure);
                prop_assert_eq!(jumping.fingerprint(), moves.fingerprint());
                prop_assert_eq!(jumping.best(|_| true), moves.best(|_| true));
                let (score_there, dag) = (jumping.score(), structure.dag());
                prop_assert_eq!(jumping.fingerprint(), number_of(&dag));
                prop_assert_eq!(score_there, total(&*score, &dag));
                for &(from, to) in constraints.required() {
                    prop_assert!(dag.has_arc(from, to));
                }
                prop_assert!(dag.arcs().all(|(from, to)| constraints.may_add(from, to)));
            }
            Ok(())
        })?;
    }
}

/// The number of a structure, by the definition.
fn number_of(dag: &Dag) -> u128 {
    dag.arcs().fold(0, |all, (from, to)| Move { kind: Kind::Add, from, to }.fingerprint(all))
}

/// A random skeleton falls into components of all sizes.
#[test]
fn the_answer_inside_components_is_free_of_threads_and_of_what_climbed_before() {
    for seed in 0..20 {
        let data = dependent_data(150, &[3, 2, 3, 2, 3, 2, 3], seed);
        let score = ScoreSettings::default().build(&data).unwrap();
        let skeleton = random_skeleton(seed, 5);
        let search = Search { tie_orders: 70, restarts: (seed % 3) as usize, seed, ..Search::default() };
        let run = |threads| inside_components(&search, &*score, &skeleton, threads, &Silent).unwrap();
        let found = run(1);
        assert!(found.complete);
        assert_eq!(found.score, total(&*score, &found.dag));
        assert_eq!([run(2), run(3)], [found.clone(), found]);
    }
}

fn inside_components(
    search: &Search,
    score: &dyn Score,
    skeleton: &Skeleton,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Climb> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| search.run(score, &NAMES, Some(skeleton), None, &Constraints::none(), progress))
}

/// Stops at an event, and counts them.
struct StopsAt(usize, Stop, Mutex<usize>);

impl Progress for StopsAt {
    fn report(&self, _: Event) -> ControlFlow<Stop> {
        let mut events = self.2.lock().unwrap();
        *events += 1;
        if *events >= self.0 { ControlFlow::Break(self.1) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn a_search_inside_components_may_be_stopped_anywhere() {
    // Two small components, and a node alone.
    let mut skeleton = Skeleton::empty(7);
    for (x, y) in [(0, 1), (1, 4), (0, 4), (2, 3), (3, 6)] {
        skeleton.insert(Var(x), Var(y));
    }
    for (seed, threads) in [(1, 1), (2, 1), (3, 3)] {
        let data = dependent_data(150, &[3, 2, 3, 2, 3, 2, 3], seed);
        let score = ScoreSettings::default().build(&data).unwrap();
        let search = Search { tie_orders: 67, seed, ..Search::default() };
        let stopped = |event, stop| {
            let progress = StopsAt(event, stop, Mutex::default());
            (
                inside_components(&search, &*score, &skeleton, threads, &progress),
                progress.2.into_inner().unwrap(),
            )
        };
        let (whole, events) = stopped(usize::MAX, Stop::Finish);
        let (whole, first) = (whole.unwrap(), Search { tie_orders: 1, ..search.clone() });
        let first = inside_components(&first, &*score, &skeleton, threads, &Silent).unwrap();
        for event in (1..=events).rev().step_by(7) {
            let found = stopped(event, Stop::Finish).0.unwrap();
            assert!(!found.complete);
            assert_eq!(found.score, total(&*score, &found.dag));
            assert!(found.score <= whole.score);
            // The other orders begin after the first, and so after the scores of 7 nodes and its moves.
            assert!(found.score >= first.score || event <= 7 + first.moves as usize);
            assert!(matches!(stopped(event, Stop::Cancel).0, Err(Error::Stopped)));
        }
    }
}

#[test]
fn scores_rise_while_components_climb() {
    for seed in 0..20 {
        let data = dependent_data(150, &[3, 2, 3, 2, 3, 2, 3], seed);
        let score = ScoreSettings::default().build(&data).unwrap();
        let skeleton = random_skeleton(seed, 5);
        let search = Search { algorithm: Algorithm::HillClimb, tie_orders: 1, ..Search::default() };
        let recorder = Recorder::default();
        let found = inside_components(&search, &*score, &skeleton, 1, &recorder).unwrap();
        let mut scores = recorder.0.into_inner().unwrap();
        scores.insert(0, total(&*score, &Dag::empty(7)));
        assert!(scores.is_sorted_by(|a, b| a < b), "{scores:?}");
        assert_eq!(scores.last(), Some(&found.score));
    }
}
