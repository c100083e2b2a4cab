//! The same answer for any order and threads; constraints; stopping.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use ossature::ci::{Independence, TestKind, TestSettings, Underpowered};
use ossature::graph::{Mark, NamedArc, NamedTier, Skeleton};
use ossature::halves::{GivenSkeleton, LearnedGraph, Restrict};
use ossature::learn::{Asked, Catalogue, Learned, Value};
use ossature::local::{BlanketLearner, ByBlanket, Pc, Symmetry, Tpda};
use ossature::network::catalogue;
use ossature::{Column, Constraints, Dataset, Error, Event, Progress, Silent, Stop, Var, VarSet, Variable};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::oracle::BLANKETS;
use super::{RULES, learned};
use crate::local::script::{Script, no_power, p};

const LEARNERS: [&str; 7] = ["pc", "gs", "iamb", "inter-iamb", "fast-iamb", "iamb-fdr", "tpda"];

fn learn(asked: &Asked, data: &Dataset) -> Learned {
    let settings = Catalogue::standard().resolve(asked).unwrap();
    Catalogue::standard().build(&settings, data).unwrap().learn(data, &Silent).unwrap()
}

fn shuffled<T>(mut items: Vec<T>, seed: u64) -> Vec<T> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    for i in (1..items.len()).rev() {
        items.swap(i, random.random_range(0..=i));
    }
    items
}

/// The columns of a table with its rows in another order.
fn columns(data: &Dataset, rows: &[usize]) -> Vec<(Variable, Column)> {
    let column = |v| {
        let (variable, column) = (data.variable(v), data.column(v));
        let codes: Vec<_> = rows.iter().map(|&row| column.code(row)).collect();
        (variable.clone(), Column::from_codes(codes, variable.cardinality()))
    };
    data.vars().map(column).collect()
}

/// The result, without anything that depends on a clock or a cache.
fn answer(learned: Learned) -> (LearnedGraph, Vec<String>, u64, usize) {
    (learned.graph, learned.concerns, learned.tests.asked, learned.evidence.len())
}

#[test]
fn threads_rows_and_columns_do_not_matter() {
    let data = catalogue::load("alarm").unwrap().sample(1000, 3, &Silent).unwrap();
    let in_order: Vec<usize> = (0..data.rows()).collect();
    let rows = Dataset::new(columns(&data, &shuffled(in_order.clone(), 1))).unwrap();
    let cols = Dataset::new(shuffled(columns(&data, &in_order), 2)).unwrap();
    for learner in LEARNERS {
        for rule in ["max-p", "majority", "sepset"] {
            let asked = Asked::learner(learner).with("collider-rule", Value::Word(rule.into()));
            let at = |threads, data: &Dataset| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                answer(pool.install(|| learn(&asked, data)))
            };
            let one = at(1, &data);
            assert!(one.0.skeleton().len() > 10, "{learner} {:?}", one.0.skeleton());
            for (threads, data) in [(2, &data), (7, &data), (2, &rows), (2, &cols)] {
                assert_eq!(one, at(threads, data), "{learner} {rule} {threads}");
            }
        }
    }
}

/// Each as the first half of a search, with the evidence it recorded.
#[test]
fn any_search_goes_on_from_them() {
    let data = catalogue::load("asia").unwrap().sample(2000, 1, &Silent).unwrap();
    for learner in LEARNERS {
        let asked =
            Asked { restrict: Some(learner.into()), maximise: Some("tabu".into()), ..Asked::default() };
        let learned = learn(&asked, &data);
        assert!(learned.graph.dag().unwrap().len() >= 3 && learned.score.is_some(), "{learner}");
        let test = TestSettings::default().build(&data).unwrap();
        for (x, y, separation) in learned.evidence.iter() {
            let outcome = test.test(x, y, &separation.given);
            assert!(outcome.p() > 0.05 && outcome.has_power == separation.has_power, "{learner}");
            assert!(!learned.skeleton.as_ref().unwrap().contains(x, y), "{learner}");
        }
    }
}

/// The authors' threshold instead of the test: the larger it is, the fewer edges.
#[test]
fn a_threshold_takes_the_place_of_the_test() {
    let data = catalogue::load("alarm").unwrap().sample(2000, 1, &Silent).unwrap();
    let edges = |least: f64| {
        let asked = Asked::learner("tpda").with("threshold-mi", Value::Number(least));
        learn(&asked, &data).graph.skeleton().len()
    };
    let found: Vec<usize> = [0.003, 0.03, 0.3, 5.0].map(edges).to_vec();
    assert!(found.is_sorted_by(|a, b| a > b) && found[3] == 0, "{found:?}");
}

/// Answers at random, but always the same for the same question.
fn at_random(seed: u64) -> Script {
    Script::new(move |x, y, z| {
        let key = z.iter().fold(seed * 1_000_003 + u64::from(x * 64 + y), |key, v| key * 31 + u64::from(*v));
        let mut random = Xoshiro256PlusPlus::seed_from_u64(key);
        match random.random_range(0..12) {
            0 => no_power(),
            n if n < 3 + 2 * z.len() => p(random.random_range(0.05..1.0)),
            _ => p(random.random_range(1e-9..0.05)),
        }
    })
}

/// In ten thousand runs with answers that contradict each other: required arcs are there in their direction,
/// forbidden ones are not, no arcs form a cycle, and there is a DAG.
#[test]
fn constraints_hold_in_random_runs() {
    (0..10_000u64).into_par_iter().for_each(|seed| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let n = random.random_range(3..7usize);
        let names: Vec<String> = (0..n).map(|v| v.to_string()).collect();
        let arc = |(from, to): (usize, usize)| NamedArc {
            from: names[from].clone(),
            to: names[to].clone(),
            place: None,
        };
        let order = shuffled((0..n).collect::<Vec<_>>(), seed);
        let (mut required, mut forbidden, mut tiers) = (Vec::new(), Vec::new(), Vec::new());
        let with_tiers = random.random_bool(0.3);
        for i in 0..n {
            if with_tiers && random.random_bool(0.7) {
                tiers.push(NamedTier {
                    variable: names[order[i]].clone(),
                    tier: (i / 2) as i64,
                    place: None,
                });
            }
            for j in i + 1..n {
                match random.random_range(0..10) {
                    0 => required.push((order[i], order[j])),
                    1 => forbidden.push((order[j], order[i])),
                    2 => forbidden.extend([(order[i], order[j]), (order[j], order[i])]),
                    3 if !with_tiers => forbidden.push((order[i], order[j])),
                    _ => {}
                }
            }
        }
        let list = |pairs: &[(usize, usize)]| pairs.iter().copied().map(arc).collect::<Vec<_>>();
        let known = Constraints::new(&names, &list(&required), &list(&forbidden), &tiers).unwrap();
        let script = at_random(seed);
        let policy = if seed % 2 == 0 { Underpowered::Independent } else { Underpowered::Skip };
        let most = random.random_bool(0.3).then(|| random.random_range(0..3));
        let ask =
            script.ind().constraints(&known).underpowered(policy).limit_conditioning(most).keep_evidence(100);
        let symmetry = if seed % 3 == 0 { Symmetry::Or } else { Symmetry::And };
        let tpda = Tpda { threshold: (seed % 5 == 0).then_some(2.0) };
        let first: &dyn Restrict = match seed % 7 {
            0 => &Pc,
            1 => &tpda,
            i => &ByBlanket { learner: BLANKETS[i as usize - 2], symmetry },
        };
        let (inside, found) = learned(first, n, RULES[(seed / 7 % 3) as usize], &known, &ask);
        let graph = found.graph.to_pdag();
        for (from, to) in required.iter().map(|&(x, y)| (Var::new(x), Var::new(y))) {
            assert_eq!(graph.mark(from, to), Mark::Forward, "{seed}");
        }
        for (x, y) in inside.skeleton.edges() {
            assert!(!known.edge_forbidden(x, y), "{seed}");
        }
        for (from, to) in graph.directed() {
            assert!(known.may_add(from, to) && !graph.reaches(to, from), "{seed}");
        }
        for (x, y) in graph.undirected() {
            assert!(known.may_add(x, y) && known.may_add(y, x), "{seed}");
        }
        let dag = found.graph.dag().expect("a DAG for scores and tables");
        assert!(dag.arcs().all(|(from, to)| known.may_add(from, to)), "{seed}");
        assert_eq!(dag.skeleton(), graph.skeleton());
        assert!(graph.skeleton().edges().all(|(x, y)| inside.skeleton.contains(x, y)));
        if let LearnedGraph::Cpdag(class) = &found.graph {
            assert_eq!(dag.cpdag(), *class, "{seed}");
        }
    });
}

/// Two levels for each variable; the first column determines the others, up to noise.
fn star(leaves: usize, rows: usize, noise: f64) -> Dataset {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let hub: Vec<u16> = (0..rows).map(|_| random.random_range(0..2)).collect();
    let mut columns = vec![(Variable::new("hub", ["0", "1"]).unwrap(), Column::from_codes(hub.clone(), 2))];
    for leaf in 0..leaves {
        let codes = hub.iter().map(|&c| c ^ u16::from(random.random_bool(noise)));
        let column = Column::from_codes(codes.collect::<Vec<_>>(), 2);
        columns.push((Variable::new(format!("leaf{leaf:02}"), ["0", "1"]).unwrap(), column));
    }
    Dataset::new(columns).unwrap()
}

/// Stops a run at a given report.
struct StopAt(usize, Stop, AtomicUsize);

impl Progress for StopAt {
    fn report(&self, _: Event) -> ControlFlow<Stop> {
        match self.2.fetch_add(1, Ordering::Relaxed) + 1 < self.0 {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(self.1),
        }
    }
}

/// Records the levels that start.
struct Levels(std::sync::Mutex<Vec<(usize, usize, u64)>>);

impl Progress for Levels {
    fn report(&self, event: Event) -> ControlFlow<Stop> {
        if let Event::LevelBegun { size, edges, most } = event {
            self.0.lock().unwrap().push((size, edges, most));
        }
        ControlFlow::Continue(())
    }
}

/// A hub of four leaves that nothing separates, and a separate pair: before each level PC reports the largest
/// number of tests.
#[test]
fn pc_says_what_a_level_may_take() {
    let script = Script::new(|x, y, _| p(if (x, y) == (5, 6) || x == 0 && y < 5 { 1e-3 } else { 0.5 }));
    let begun = |most| {
        let levels = Levels(std::sync::Mutex::default());
        let ask = script.ind().limit_conditioning(most).progress(&levels, 64);
        assert_eq!(Pc.restrict(&VarSet::all(7), &ask).unwrap().skeleton.len(), 5);
        drop(ask);
        levels.0.into_inner().unwrap()
    };
    // From the hub's neighbours but one: three sets of one, three of two, one of three, for each of four.
    assert_eq!(begun(None), [(1, 5, 12), (2, 4, 12), (3, 4, 4)]);
    assert_eq!(begun(Some(1)), [(1, 5, 12)], "no level is begun of which nothing may be asked");
}

/// Sixty neighbours and few rows: each learner ends by itself, with each policy and power rule.
#[test]
fn a_hub_comes_to_an_end() {
    let data = star(60, 300, 0.25);
    for kind in [TestKind::Mi, TestKind::MiAdf] {
        for rule in [5, 0] {
            for policy in [Underpowered::Independent, Underpowered::Skip] {
                let test = TestSettings { kind, power_rule: Some(rule), ..TestSettings::default() }
                    .build(&data)
                    .unwrap();
                let blankets = BLANKETS.map(|learner| ByBlanket { learner, symmetry: Symmetry::And });
                let tpda = Tpda::default();
                let mut firsts: Vec<&dyn Restrict> = vec![&Pc, &tpda];
                firsts.extend(blankets.iter().map(|first| first as &dyn Restrict));
                for (i, first) in firsts.into_iter().enumerate() {
                    let stop = StopAt(400_000, Stop::Cancel, AtomicUsize::new(0));
                    let ask = Independence::new(&*test, 0.001)
                        .underpowered(policy)
                        .limit_conditioning(Some(6))
                        .progress(&stop, 64);
                    let found = first.restrict(&VarSet::all(61), &ask);
                    assert!(
                        found.is_ok_and(|found| !found.skeleton.is_empty()),
                        "{kind:?} {rule} {policy:?} {i}"
                    );
                }
            }
        }
    }
}

/// A hundred rows are five per cell for two members and a third; Fast-IAMB adds no more without ranking
/// again.
#[test]
fn fast_iamb_adds_while_there_are_five_rows_a_cell() {
    let data = star(20, 100, 0.2);
    let test = TestSettings { kind: TestKind::Mi, power_rule: Some(0), ..TestSettings::default() }
        .build(&data)
        .unwrap();
    let ask = Independence::new(&*test, 0.05);
    let (hub, u) = (data.var("hub").unwrap(), VarSet::all(21));
    assert_eq!(ask.rows_per_cell(hub, Var(1), &[Var(2), Var(3)]), 100.0 / 16.0);
    assert_eq!(BlanketLearner::FastIamb.blanket_of(hub, &u, &ask).len(), 3);
    let known = Constraints::new(
        &data.variables().iter().map(Variable::name).collect::<Vec<_>>(),
        &(1..9)
            .map(|v| NamedArc { from: "hub".into(), to: format!("leaf{v:02}"), place: None })
            .collect::<Vec<_>>(),
        &[],
        &[],
    )
    .unwrap();
    let ask = Independence::new(&*test, 0.05).constraints(&known);
    assert!(BlanketLearner::FastIamb.blanket_of(hub, &u, &ask).len() >= 8, "required edges come in");
}

#[test]
fn copies_and_constants_come_to_an_end() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let codes: Vec<u16> = (0..200).map(|_| random.random_range(0..3)).collect();
    let mut columns: Vec<(Variable, Column)> = (0..8)
        .map(|i| {
            (
                Variable::new(format!("copy{i}"), ["0", "1", "2"]).unwrap(),
                Column::from_codes(codes.clone(), 3),
            )
        })
        .collect();
    columns.push((Variable::new("same", ["0"]).unwrap(), Column::from_codes(vec![0; 200], 1)));
    let data = Dataset::new(columns).unwrap();
    for learner in LEARNERS {
        let learned = learn(&Asked::learner(learner), &data);
        assert!(learned.graph.dag().is_some(), "{learner}");
        let same = data.var("same").unwrap();
        assert!(learned.graph.skeleton().neighbours(same).is_empty(), "{learner}");
    }
}

#[test]
fn a_run_that_is_stopped_has_no_answer_or_says_that_it_is_not_complete() {
    let data = catalogue::load("insurance").unwrap().sample(1000, 1, &Silent).unwrap();
    for name in LEARNERS {
        let settings = Catalogue::standard().resolve(&Asked::learner(name)).unwrap();
        let learner = Catalogue::standard().build(&settings, &data).unwrap();
        let whole = StopAt(usize::MAX, Stop::Cancel, AtomicUsize::new(0));
        let graph = learner.learn(&data, &whole).unwrap().graph;
        let looks = whole.2.into_inner();
        for look in [1, 2, looks / 4, looks / 2] {
            for how in [Stop::Cancel, Stop::Finish] {
                match learner.learn(&data, &StopAt(look, how, AtomicUsize::new(0))) {
                    Err(error) => assert!(matches!(error, Error::Stopped), "{name} {look}"),
                    Ok(learned) => {
                        assert!(how == Stop::Finish && !learned.complete, "{name} {look}");
                        assert_eq!(learned.graph.to_pdag().directed().count(), 0);
                        assert_eq!(learned.graph.skeleton(), graph.skeleton(), "{name} {look}");
                    }
                }
            }
        }
    }
}

/// Two separate colliders, 0 -> 1 <- 2 and 3 -> 4 <- 5. A limit at any test leaves both without directions:
/// half of the tests is not enough evidence.
#[test]
fn a_limit_among_the_colliders_leaves_the_skeleton() {
    let script = Script::new(|_, _, z| p(if z.is_empty() { 0.5 } else { 1e-3 }));
    let mut skeleton = Skeleton::empty(6);
    for (x, y) in [(0, 1), (1, 2), (3, 4), (4, 5)] {
        skeleton.insert(Var(x), Var(y));
    }
    for rule in RULES {
        let cut_short = |at: &usize| {
            let stop = StopAt(*at, Stop::Finish, AtomicUsize::new(0));
            let ask = script.ind().progress(&stop, 1);
            let (_, found) = learned(&GivenSkeleton(skeleton.clone()), 6, rule, &Constraints::none(), &ask);
            let directed = found.graph.to_pdag().directed().count();
            assert_eq!(directed, if found.complete { 4 } else { 0 }, "{rule:?} {at}");
            !found.complete
        };
        assert!((1..100).take_while(cut_short).count() >= 2, "{rule:?}");
    }
}
