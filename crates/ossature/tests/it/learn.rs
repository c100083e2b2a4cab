//! Learners: constraints, settings and presets, bootstrap, stopping, reports.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use ossature::ci::Tally;
use ossature::graph::format::parse_json;
use ossature::halves::LearnedGraph;
use ossature::learn::catalogue::{constraints, rows};
use ossature::learn::{
    Asked, Bootstrap, Catalogue, Concern, Preset, Seconds, Value, arc_losses, averaged_network, bootstrap,
    concerns,
};
use ossature::network::catalogue;
use ossature::score::total;
use ossature::{
    Column, Constraints, Dag, Dataset, Error, Event, Hybrid, Learned, Learner, Progress, Report,
    ScoreSettings, Settings, Silent, Stop, Var, Variable,
};
use proptest::prelude::*;

use crate::ci::shuffled;

static ASIA: LazyLock<Dataset> =
    LazyLock::new(|| catalogue::load("asia").unwrap().sample(400, 1, &Silent).unwrap());

fn learners() -> Vec<&'static str> {
    Catalogue::standard().learners.iter().map(|row| row.name).collect()
}

fn recommended(learner: &str) -> Settings {
    Settings::of(learner, Preset::Recommended).unwrap()
}

fn resolved(asked: &Asked) -> Settings {
    Catalogue::standard().resolve(asked).unwrap()
}

fn learned(settings: &Settings, data: &Dataset) -> Learned {
    Catalogue::standard().build(settings, data).unwrap().learn(data, &Silent).unwrap()
}

/// The result without its figures of performance.
fn timeless(learned: Learned) -> Learned {
    let seconds = Seconds { restrict: 0.0, maximise: 0.0, total: 0.0 };
    Learned { tests: Tally { computed: 0, ..learned.tests }, seconds, ..learned }
}

#[test]
fn the_answer_does_not_depend_on_the_order_of_rows() {
    let other = shuffled(&ASIA, 7);
    for learner in learners() {
        let settings = recommended(learner);
        assert_eq!(timeless(learned(&settings, &ASIA)), timeless(learned(&settings, &other)), "{learner}");
    }
}

/// Settings with random constraints: required arcs that follow a random order, forbidden arcs and tiers.
#[derive(Debug, Clone)]
struct Known {
    settings: Settings,
}

fn known() -> impl Strategy<Value = Known> {
    let arcs = |most| prop::collection::vec((0..8usize, 0..8usize), 0..most);
    let tiers = prop::collection::vec(prop::option::of(0..3i64), 8);
    let order = Just((0..8usize).collect::<Vec<_>>()).prop_shuffle();
    let learner = prop::sample::select(learners());
    (learner, order, arcs(4), arcs(20), tiers, prop::option::of(1..3usize)).prop_map(
        |(learner, order, required, forbidden, tiers, max_parents)| {
            let name = |v: usize| ASIA.variables()[v].name().to_owned();
            let place = |v: usize| order.iter().position(|&w| w == v);
            let allowed =
                |from: usize, to: usize| tiers[from].is_none_or(|a| tiers[to].is_none_or(|b| a <= b));
            let whitelist: Vec<(usize, usize)> = required
                .into_iter()
                .filter(|&(x, y)| x != y)
                .map(|(x, y)| if place(x) < place(y) { (x, y) } else { (y, x) })
                .filter(|&(x, y)| allowed(x, y))
                .collect();
            let blacklist = forbidden.into_iter().filter(|&(x, y)| x != y && !whitelist.contains(&(x, y)));
            // A limit on parents leaves room for the required ones.
            let needed = (0..8).map(|v| {
                let mut arcs: Vec<_> = whitelist.iter().filter(|arc| arc.1 == v).collect();
                arcs.sort_unstable();
                arcs.dedup();
                arcs.len()
            });
            let needed = needed.max().unwrap_or(0);
            let max_parents = max_parents.map(|most| Value::Whole(most.max(needed) as u64));
            let mut asked = Asked::learner(learner)
                .with("blacklist", Value::Pairs(blacklist.map(|(x, y)| (name(x), name(y))).collect()))
                .with("whitelist", Value::Pairs(whitelist.iter().map(|&(x, y)| (name(x), name(y))).collect()))
                .with(
                    "tiers",
                    Value::Tiers((0..8).filter_map(|v| tiers[v].map(|tier| (name(v), tier))).collect()),
                );
            if recommended(learner).uses(&rows::MAX_PARENTS) {
                asked.given.push(("max-parents".into(), max_parents));
            }
            if recommended(learner).uses(&rows::TIE_ORDERS) {
                asked = asked.with("tie-orders", Value::Whole(2));
            }
            Known { settings: resolved(&asked) }
        },
    )
}

impl Known {
    /// Whether a DAG has all required arcs and no forbidden ones.
    fn holds(&self, dag: &Dag) -> bool {
        let c = self.constraints();
        let most = self.settings.limit(&rows::MAX_PARENTS).unwrap_or(usize::MAX);
        c.required().iter().all(|&(from, to)| dag.has_arc(from, to))
            && dag.arcs().all(|(from, to)| c.may_add(from, to))
            && dag.vars().all(|v| dag.parents(v).len() <= most)
    }

    fn constraints(&self) -> Constraints {
        constraints(&self.settings, &ASIA).unwrap()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn what_is_required_is_there_and_what_is_forbidden_is_not(known in known()) {
        let learner = Catalogue::standard().build(&known.settings, &ASIA).unwrap();
        let learned = learner.learn(&ASIA, &Silent).unwrap();
        let averaged = bootstrap(&*learner, &ASIA, 5, 1, &Silent).unwrap();
        let averaged = averaged.averaged(&known.settings, &ASIA).unwrap();
        let averaged_skeleton = averaged.graph.skeleton();
        for skeleton in [learned.skeleton.as_ref(), Some(&averaged_skeleton)].into_iter().flatten() {
            let c = known.constraints();
            prop_assert!(skeleton.edges().all(|(x, y)| !c.edge_forbidden(x, y)));
            prop_assert!(c.required().iter().all(|&(x, y)| skeleton.contains(x, y)));
        }
        for dag in [&learned, &averaged].into_iter().filter_map(|l| l.graph.dag()) {
            prop_assert!(known.holds(&dag), "{:?}", dag.arcs().collect::<Vec<_>>());
        }
    }

    #[test]
    fn settings_survive_a_file(known in known()) {
        let json = serde_json::to_value(&known.settings).unwrap();
        let earlier = json.as_object().cloned();
        prop_assert_eq!(resolved(&Asked { earlier, ..Asked::default() }), known.settings);
    }
}

/// No test is asked and nothing is scored if the settings contradict each other.
#[test]
fn what_cannot_work_is_refused_before_any_work() {
    struct NoWork;
    impl Progress for NoWork {
        fn report(&self, event: Event) -> ControlFlow<Stop> {
            panic!("{event:?} before the error");
        }
    }
    let refused = |hybrid: Hybrid| hybrid.learn(&ASIA, &NoWork).unwrap_err().to_string();
    assert!(refused(Hybrid { alpha: 1.5, ..Hybrid::h2pc() }).contains("alpha is 1.5"));
    let score = ScoreSettings { iss: 0.0, ..ScoreSettings::default() };
    assert!(refused(Hybrid { score, ..Hybrid::h2pc() }).contains("the equivalent sample size is 0"));
    assert!(refused(Hybrid { restrict: None, orient: None, ..Hybrid::h2pc() }).contains("neither"));
    assert!(refused(Hybrid { start: Some(Dag::empty(3)), ..Hybrid::h2pc() }).contains("nodes of the start"));
    let pair = |x: &str, y: &str| (x.to_owned(), y.to_owned());
    let arc = || Value::Pairs(vec![pair("smoke", "lung")]);
    let against = resolved(&Asked::default().with("start", arc()).with("blacklist", arc()));
    let refused = Catalogue::standard().build(&against, &ASIA).unwrap().learn(&ASIA, &NoWork).unwrap_err();
    assert!(refused.to_string().contains("smoke -> lung of the start is forbidden"));
}

/// The area between the distribution function of the strengths and the constant t, by its definition.
fn area(strengths: &[f64], pairs: usize, t: f64) -> f64 {
    let steps = 2000;
    let at = |i: usize| (i as f64 + 0.5) / steps as f64;
    let share = |x: f64| (pairs - strengths.iter().filter(|s| **s > x).count()) as f64 / pairs as f64;
    (0..steps).map(|i| (share(at(i)) - t).abs()).sum::<f64>() / steps as f64
}

#[test]
fn the_threshold_is_where_the_strengths_are_most_like_a_sure_answer() {
    let learner = Hybrid::h2pc();
    let sure: Bootstrap = bootstrap(&learner, &ASIA, 40, 3, &Silent).unwrap();
    let strengths: Vec<f64> = sure.strengths.iter().map(|s| s.strength).collect();
    assert!(strengths.iter().any(|s| *s < 0.5) && strengths.iter().any(|s| *s > 0.9), "{strengths:?}");
    let share = |x: f64| (28 - strengths.iter().filter(|s| **s > x).count()) as f64 / 28.0;
    let here = area(&strengths, 28, share(sure.threshold));
    for other in 0..=28 {
        assert!(
            here <= area(&strengths, 28, f64::from(other) / 28.0) + 1e-9,
            "{other} of 28 would be nearer"
        );
    }
    let dag = averaged_network(&sure, 8, &Constraints::none(), None);
    assert!(dag.arcs().all(|(x, y)| {
        let edge = sure.strengths.iter().find(|s| (s.x, s.y) == (x.min(y), x.max(y))).unwrap();
        edge.strength > sure.threshold
    }));
}

#[test]
fn samples_of_a_bootstrap_differ_and_repeat() {
    let run = |samples, seed| bootstrap(&Hybrid::h2pc(), &ASIA, samples, seed, &Silent).unwrap();
    let (first, again, other) = (run(8, 1), run(8, 1), run(8, 2));
    assert_eq!((&first.strengths, &first.tests), (&again.strengths, &again.tests));
    assert_ne!(first.strengths, other.strengths);
    assert!(first.strengths.iter().any(|s| s.strength < 1.0), "all samples gave the same");
    assert_eq!(
        bootstrap(&Hybrid::h2pc(), &shuffled(&ASIA, 3), 8, 1, &Silent).unwrap().strengths,
        first.strengths
    );
    let bare = bootstrap(&Hybrid { orient: None, ..Hybrid::h2pc() }, &ASIA, 8, 1, &Silent).unwrap();
    assert!(!bare.directed && bare.strengths.iter().all(|s| s.direction == 0.5));
    let averaged = bare.averaged(&recommended("hpc"), &ASIA).unwrap();
    assert!(matches!(&averaged.graph, LearnedGraph::Skeleton(s) if !s.is_empty()));
}

/// Stops at the first event of one of these kinds.
struct StopAt(fn(Event) -> bool, Stop);

impl Progress for StopAt {
    fn report(&self, event: Event) -> ControlFlow<Stop> {
        if (self.0)(event) { ControlFlow::Break(self.1) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn a_run_that_is_stopped_has_an_answer_only_in_the_search() {
    let testing = |event| matches!(event, Event::TargetDone { .. } | Event::TestsAsked { .. });
    let moving = |event| matches!(event, Event::Move { .. });
    let learn = |hybrid: &Hybrid, stop| hybrid.learn(&ASIA, &stop);
    for how in [Stop::Finish, Stop::Cancel] {
        assert!(matches!(learn(&Hybrid::h2pc(), StopAt(testing, how)), Err(Error::Stopped)));
        assert!(matches!(learn(&Hybrid::mmhc(), StopAt(testing, how)), Err(Error::Stopped)));
        let sampling = StopAt(|event| matches!(event, Event::SamplesLearned { done: 1.., .. }), how);
        assert!(matches!(bootstrap(&Hybrid::tabu(), &ASIA, 40, 1, &sampling), Err(Error::Stopped)));
    }
    assert!(matches!(learn(&Hybrid::tabu(), StopAt(moving, Stop::Cancel)), Err(Error::Stopped)));
    let cut = learn(&Hybrid::tabu(), StopAt(moving, Stop::Finish)).unwrap();
    assert!(!cut.complete && cut.graph.has_directions());
}

#[test]
fn a_report_is_a_graph_that_can_be_read_again() {
    for learner in learners() {
        let settings = recommended(learner);
        let learned = learned(&settings, &ASIA);
        let report = Report::new(&learned, &ASIA, &settings).unwrap();
        let read = parse_json(&serde_json::to_string(&report).unwrap(), "report.json").unwrap();
        let named = learned.named_graph(&ASIA);
        assert_eq!((read.names(), read.graph()), (named.names(), named.graph()), "{learner}");
        if learned.graph.kind() == "cpdag" {
            assert_eq!(read.member(), learned.graph.dag(), "{learner}: the DAG that stands for the class");
        }
        let truth = catalogue::load("asia").unwrap().named_graph();
        let truth = report.with_truth(&learned.named_graph(&ASIA), &truth).truth.unwrap();
        assert_eq!(truth.shd.is_some(), learned.graph.has_directions(), "{learner}");
        assert_eq!(truth.skeleton.tp + truth.skeleton.fn_, 8);
    }
    let alias = resolved(&Asked::default().with("score", Value::Word("bde".into())));
    assert_eq!(Report::new(&learned(&alias, &ASIA), &ASIA, &alias).unwrap().score.unwrap().name, "bdeu");
}

/// The losses are those found by scoring the whole graph again.
#[test]
fn what_an_arc_is_worth_is_a_rescore() {
    let dag = learned(&recommended("h2pc"), &ASIA).graph.dag().unwrap();
    let losses = arc_losses(&ASIA, &dag, ScoreSettings::default()).unwrap();
    let score = ScoreSettings::default().build(&ASIA).unwrap();
    let whole = total(&*score, &dag);
    assert_eq!(losses.len(), dag.len());
    for (loss, (from, to)) in losses.iter().zip(dag.arcs()) {
        let mut other = dag.clone();
        let turned = other.try_reverse(from, to).ok().map(|()| whole - total(&*score, &other));
        assert_eq!(loss.turned.is_some(), turned.is_some());
        assert!(loss.turned.zip(turned).is_none_or(|(a, b)| (a - b).abs() < 1e-9));
        let mut other = dag.clone();
        other.remove(from, to);
        assert!((loss.without - (whole - total(&*score, &other))).abs() < 1e-9);
    }
}

#[test]
fn concerns_are_found_once_each() {
    let column = |name: &str, levels: usize, code: &dyn Fn(usize) -> usize| {
        let variable = Variable::new(name, (0..levels).map(|l| l.to_string())).unwrap();
        (variable, Column::from_codes((0..60).map(|row| code(row) as u16), levels))
    };
    let data = Dataset::new(vec![
        column("copy", 2, &|row| 1 - row % 2),
        column("id", 60, &|row| row),
        column("one", 3, &|_| 2),
        column("part", 4, &|row| row % 4),
        column("rare", 3, &|row| if row < 2 { 2 } else { row / 7 % 2 }),
        column("two", 2, &|row| row % 2),
    ])
    .unwrap();
    let [copy, id, one, part, rare, two] = [0, 1, 2, 3, 4, 5].map(Var);
    assert_eq!(
        concerns(&data),
        [
            Concern::Constant(one),
            Concern::Determines(part, copy),
            Concern::SameInformation(copy, two),
            Concern::Determines(part, two),
            Concern::LikeAnIdentifier(id),
            Concern::RareLevels { var: rare, levels: 1 },
        ]
    );
}

#[test]
fn a_free_search_of_very_many_variables_is_refused_and_one_with_a_skeleton_is_not() {
    let column = |v: usize| {
        let variable = ossature::Variable::new(format!("v{v:05}"), ["a", "b"]).unwrap();
        (variable, ossature::Column::from_codes([(v % 2) as u16, (v / 2 % 2) as u16], 2))
    };
    let data = Dataset::new((0..5001).map(column).collect()).unwrap();
    for learner in ["hc", "tabu", "ges", "best", "exact"] {
        let settings = Catalogue::standard().resolve(&Asked::learner(learner)).unwrap();
        let built = Catalogue::standard().build(&settings, &data).unwrap();
        let said = built.learn(&data, &Silent).unwrap_err().to_string();
        assert!(said.contains("all pairs of the 5001 variables; up to 5000 are accepted"), "{said}");
    }
    let mmhc = Hybrid { alpha: 1e-9, pair_memory: 0, ..Hybrid::mmhc() };
    assert!(mmhc.learn(&data, &Silent).unwrap().graph.skeleton().is_empty());
}
