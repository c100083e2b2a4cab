//! Learners: what is known beforehand, settings and presets, bootstrap, stopping, reports.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use ossature::ci::Tally;
use ossature::graph::format::parse_json;
use ossature::learn::{
    Bootstrap, Concern, Restrict, Seconds, averaged_network, bootstrap, concerns, strongest_arcs,
};
use ossature::local::WeakLearner;
use ossature::network::catalogue;
use ossature::{
    Algorithm, Column, Dag, Dataset, Error, Event, Hybrid, Learned, Learner, Pdag, Progress, Report,
    ScoreSettings, Settings, Silent, Stop, Var, Variable,
};
use proptest::prelude::*;

use crate::ci::shuffled;

static ASIA: LazyLock<Dataset> =
    LazyLock::new(|| catalogue::load("asia").unwrap().sample(400, 1, &Silent).unwrap());

fn learned(settings: &Settings, data: &Dataset) -> Learned {
    settings.build(data).unwrap().learn(data, &Silent).unwrap()
}

/// The same without its figures of performance.
fn timeless(learned: Learned) -> Learned {
    let seconds = Seconds { restrict: 0.0, maximise: 0.0, total: 0.0 };
    Learned { tests: Tally { computed: 0, ..learned.tests }, seconds, ..learned }
}

#[test]
fn the_answer_does_not_depend_on_the_order_of_rows() {
    let other = shuffled(&ASIA, 7);
    for learner in Settings::learners() {
        let settings = Settings::of(learner, "paper").unwrap();
        assert_eq!(timeless(learned(&settings, &ASIA)), timeless(learned(&settings, &other)), "{learner}");
    }
}

/// Variables in an order of their own; arcs of it that are required, and arcs that are forbidden.
#[derive(Debug, Clone)]
struct Known {
    settings: Settings,
}

fn known() -> impl Strategy<Value = Known> {
    let arcs = |most| prop::collection::vec((0..8usize, 0..8usize), 0..most);
    let tiers = prop::collection::vec(prop::option::of(0..3i64), 8);
    let order = Just((0..8usize).collect::<Vec<_>>()).prop_shuffle();
    let learner = prop::sample::select(Settings::learners().collect::<Vec<_>>());
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
            let settings = Settings {
                blacklist: blacklist.map(|(x, y)| (name(x), name(y))).collect(),
                whitelist: whitelist.iter().map(|&(x, y)| (name(x), name(y))).collect(),
                tiers: (0..8).filter_map(|v| tiers[v].map(|tier| (name(v), tier))).collect(),
                max_parents,
                tie_orders: 2,
                ..Settings::of(learner, "paper").unwrap()
            };
            Known { settings }
        },
    )
}

impl Known {
    /// Whether a DAG has all that is required and nothing that is forbidden.
    fn holds(&self, hybrid: &Hybrid, dag: &Dag) -> bool {
        let c = &hybrid.constraints;
        let most = |v| {
            let required = c.required().iter().filter(|arc| arc.1 == v).count();
            self.settings.max_parents.unwrap_or(usize::MAX).max(required)
        };
        c.required().iter().all(|&(from, to)| dag.has_arc(from, to))
            && dag.arcs().all(|(from, to)| c.may_add(from, to))
            && dag.vars().all(|v| dag.parents(v).len() <= most(v))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn what_is_required_is_there_and_what_is_forbidden_is_not(known in known()) {
        let hybrid = known.settings.build(&ASIA).unwrap();
        let learned = hybrid.learn(&ASIA, &Silent).unwrap();
        if let Some(skeleton) = &learned.skeleton {
            let c = &hybrid.constraints;
            prop_assert!(skeleton.edges().all(|(x, y)| !c.edge_forbidden(x, y)));
            prop_assert!(c.required().iter().all(|&(x, y)| skeleton.contains(x, y)));
        }
        if let Some(dag) = &learned.dag {
            prop_assert!(known.holds(&hybrid, dag), "{:?}", dag.arcs().collect::<Vec<_>>());
            let averaged = bootstrap(&hybrid, &ASIA, 5, 1, &Silent).unwrap().averaged(&hybrid, &ASIA).unwrap();
            let dag = averaged.dag.unwrap();
            prop_assert!(known.holds(&hybrid, &dag), "averaged: {:?}", dag.arcs().collect::<Vec<_>>());
        }
    }

    #[test]
    fn settings_survive_a_file(known in known()) {
        let settings = Settings { alpha: 0.1, power_rule: Some(3), bootstrap: Some(9), ..known.settings };
        let text = serde_json::to_string(&settings).unwrap();
        let again: Settings = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&again, &settings);
        prop_assert_eq!(again.build(&ASIA).unwrap(), settings.build(&ASIA).unwrap());
    }
}

#[test]
fn settings_that_are_not_understood_are_refused() {
    let read = |text: &str| serde_json::from_str::<Settings>(text);
    assert_eq!(read("{}").unwrap(), Settings::default());
    assert!(read(r#"{"alhpa": 0.1}"#).unwrap_err().to_string().contains("alhpa"));
    let refused = |settings: Settings| settings.build(&ASIA).unwrap_err().to_string();
    assert!(refused(Settings { test: "mi-adg".into(), ..Settings::default() }).contains("\"mi-adf\""));
    assert!(refused(Settings { restrict: "hcp".into(), ..Settings::default() }).contains("\"hpc\""));
    assert!(refused(Settings { score: "bdue".into(), ..Settings::default() }).contains("\"bdeu\""));
    let pair = |x: &str, y: &str| (x.to_owned(), y.to_owned());
    let cycle = Some(vec![pair("smoke", "lung"), pair("lung", "smoke")]);
    assert!(refused(Settings { start: cycle, ..Settings::default() }).contains("cycle"));
    assert!(
        refused(Settings { blacklist: vec![pair("smok", "lung")], ..Settings::default() })
            .contains("\"smoke\"")
    );
}

/// Nothing is asked and nothing scored before the settings hold together.
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
    assert!(refused(Hybrid { restrict: None, maximise: None, ..Hybrid::h2pc() }).contains("neither"));
    assert!(refused(Hybrid { start: Some(Dag::empty(3)), ..Hybrid::h2pc() }).contains("other nodes"));
    let pair = |x: &str, y: &str| (x.to_owned(), y.to_owned());
    let against = Settings {
        start: Some(vec![pair("smoke", "lung")]),
        blacklist: vec![pair("smoke", "lung")],
        ..Settings::default()
    };
    assert!(refused(against.build(&ASIA).unwrap()).contains("smoke -> lung of the start is forbidden"));
}

#[test]
fn presets_are_what_they_say() {
    let paper = Settings::of("h2pc", "paper").unwrap();
    assert_eq!(paper, Settings::default());
    let hybrid = paper.build(&ASIA).unwrap();
    assert_eq!(hybrid.restrict, Some(Restrict::Hpc(WeakLearner::InterIapc)));
    assert_eq!(hybrid.maximise.unwrap().algorithm, Algorithm::Tabu { list: 100, patience: 15 });
    let bnlearn = Settings::of("h2pc", "bnlearn").unwrap().build(&ASIA).unwrap();
    assert_eq!(bnlearn.restrict, Some(Restrict::Hpc(WeakLearner::FdrIapc)));
    assert_eq!(bnlearn.maximise.unwrap().algorithm, Algorithm::HillClimb);
    for learner in Settings::learners() {
        assert_eq!(Settings::of(learner, "paper").unwrap().learner(), learner);
    }
    assert!(Settings::of("h2pc", "papre").unwrap_err().to_string().contains("\"paper\""));
    let mixed = Settings { maximise: "hc".into(), ..Settings::default() };
    assert_eq!(mixed.learner(), "hpc+hc");
}

/// The area between the distribution function of the strengths and the constant t, by the definition.
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
    let dag = averaged_network(&sure, 8, &learner.constraints, None);
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
    let bare = Hybrid { maximise: None, ..Hybrid::h2pc() };
    assert!(matches!(bootstrap(&bare, &ASIA, 3, 1, &Silent), Err(Error::Mismatch { .. })));
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
    assert!(!cut.complete && cut.dag.is_some());
}

#[test]
fn a_report_is_a_graph_that_can_be_read_again() {
    for learner in Settings::learners() {
        let settings = Settings::of(learner, "paper").unwrap();
        let learned = learned(&settings, &ASIA);
        let report = Report::new(&learned, &ASIA, &settings);
        let read = parse_json(&serde_json::to_string(&report).unwrap(), "report.json").unwrap();
        assert_eq!(read, learned.named_graph(&ASIA), "{learner}");
        let truth = catalogue::load("asia").unwrap().named_graph();
        let truth = report.with_truth(&learned.named_graph(&ASIA), &truth).truth.unwrap();
        assert_eq!(truth.shd.is_some(), learned.dag.is_some(), "{learner}");
        assert_eq!(truth.skeleton.tp + truth.skeleton.fn_, 8);
    }
    let alias = Settings { score: "bde".into(), ..Settings::default() };
    assert_eq!(Report::new(&learned(&alias, &ASIA), &ASIA, &alias).score.unwrap().name, "bdeu");
}

#[test]
fn the_strongest_arcs_come_first() {
    let dag = learned(&Settings::default(), &ASIA).dag.unwrap();
    let arcs = strongest_arcs(&ASIA, &dag, ScoreSettings::default()).unwrap();
    assert!(arcs.is_sorted_by(|a, b| a.2 >= b.2));
    let mut named: Vec<(Var, Var)> = arcs.iter().map(|a| (a.0, a.1)).collect();
    named.sort_unstable();
    assert_eq!(named, dag.arcs().collect::<Vec<_>>());
    assert_eq!(Pdag::from(&dag).directed().count(), arcs.len());
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
