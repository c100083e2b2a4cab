//! Properties of every learner that maximises a score.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use ossature::graph::{NamedArc, NamedTier};
use ossature::learn::{Asked, Catalogue, Value};
use ossature::network::catalogue;
use ossature::random::Sequence;
use ossature::score::total;
use ossature::{
    Constraints, Dag, Dataset, Error, Event, Learned, Progress, Result, Settings, Silent, Stop, Var,
};

use crate::ci::shuffled;
use crate::counts::random_data;

/// The learners that maximise a score, with settings that change how they work.
const SCORERS: [(&str, &[(&str, &str)]); 12] = [
    ("ges", &[]),
    ("ges", &[("phases", "insert-delete-turn")]),
    ("xges", &[]),
    ("exact", &[]),
    ("cos", &[]),
    ("ecos", &[]),
    ("sparse-candidate", &[("measure", "shield"), ("candidates", "2")]),
    ("sparse-candidate", &[("measure", "discrepancy"), ("candidates", "2")]),
    ("optimal-reinsertion", &[("restarts", "1")]),
    ("boss", &[]),
    ("best", &[]),
    ("best-quick", &[]),
];

fn settings(learner: &str, given: &[(&str, &str)]) -> Settings {
    let all = Catalogue::standard();
    let mut asked = Asked::learner(learner);
    for (name, value) in given {
        asked = asked.with(name, all.setting(name).unwrap().parse(value).unwrap());
    }
    all.resolve(&asked).unwrap()
}

fn learn(
    settings: &Settings,
    data: &Dataset,
    known: &Constraints,
    progress: &dyn Progress,
) -> Result<Learned> {
    Catalogue::standard().build_with(settings, data, known.clone())?.learn(data, progress)
}

/// Random constraints, drawn again if they contradict each other: required arcs run from left to right, and
/// so do tiers.
fn random_constraints(data: &Dataset, random: &mut Sequence) -> Constraints {
    let names: Vec<&str> = data.variables().iter().map(|v| v.name()).collect();
    loop {
        let (mut required, mut forbidden, mut tiers) = (Vec::new(), Vec::new(), Vec::new());
        for from in 0..names.len() {
            for to in 0..names.len() {
                let arc = NamedArc { from: names[from].into(), to: names[to].into(), place: None };
                match random.below(10) {
                    0 if from < to => required.push(arc),
                    1 | 2 if from != to => forbidden.push(arc),
                    _ => {}
                }
            }
            if random.below(6) == 0 {
                tiers.push(NamedTier { variable: names[from].into(), tier: from as i64, place: None });
            }
        }
        if let Ok(known) = Constraints::new(&names, &required, &forbidden, &tiers) {
            return known;
        }
    }
}

fn keeps(dag: &Dag, known: &Constraints) -> bool {
    known.required().iter().all(|&(from, to)| dag.has_arc(from, to))
        && dag.arcs().all(|(from, to)| known.may_add(from, to))
}

/// 10,000 random runs: everything required is there, and nothing forbidden.
#[test]
fn constraints_hold_in_ten_thousand_runs() {
    let mut random = Sequence::new(13);
    let all: Vec<Settings> = SCORERS.iter().map(|(learner, given)| settings(learner, given)).collect();
    for round in 0..10_000usize.div_ceil(all.len()) {
        let levels: Vec<usize> = (0..4).map(|_| 1 + random.below(3)).collect();
        let data = random_data(5 + random.below(40), &levels, random.number());
        let known = random_constraints(&data, &mut random);
        for settings in &all {
            let learned = learn(settings, &data, &known, &Silent).unwrap();
            let dag = learned.graph.dag().unwrap();
            assert!(keeps(&dag, &known), "{round} {}: {dag:?} {known:?}", settings.learner());
            let score = settings.score().build(&data).unwrap();
            assert_eq!(learned.score, Some(total(&*score, &dag)), "{round} {}", settings.learner());
        }
    }
}

/// Asks to stop after a number of events.
struct After(AtomicU64, Stop);

impl Progress for After {
    fn report(&self, _: Event) -> ControlFlow<Stop> {
        let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        if left.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(self.1) }
    }
}

/// Stopped at a limit, each returns its best so far, or had no skeleton yet; cancelled, it returns nothing.
#[test]
fn each_stops_at_a_limit_with_its_best_so_far() {
    let data = catalogue::load("asia").unwrap().sample(200, 2, &Silent).unwrap();
    let known = Constraints::none();
    for (learner, given) in SCORERS {
        let settings = settings(learner, given);
        let score = settings.score().build(&data).unwrap();
        let whole = learn(&settings, &data, &known, &Silent).unwrap();
        let (mut cut, mut ended) = (false, false);
        let mut events = 0;
        while !ended {
            let stopped = learn(&settings, &data, &known, &After(events.into(), Stop::Finish));
            let cancelled = learn(&settings, &data, &known, &After(events.into(), Stop::Cancel));
            match stopped {
                Ok(found) => {
                    let dag = found.graph.dag().unwrap();
                    assert_eq!(found.score, Some(total(&*score, &dag)), "{learner} {events}");
                    cut |= !found.complete;
                    ended = found.complete;
                    if found.complete {
                        assert_eq!((found.score, &found.graph), (whole.score, &whole.graph), "{learner}");
                    } else {
                        assert!(matches!(cancelled, Err(Error::Stopped)), "{learner} {events}");
                    }
                }
                Err(Error::Stopped) => assert!(settings.restrict().is_some(), "{learner} {events}"),
                Err(other) => panic!("{learner}: {other}"),
            }
            events += 1 + events / 3;
        }
        assert!(cut, "{learner} was never cut short");
    }
}

/// The answer is the same for any number of threads, and any order of rows, levels and columns.
#[test]
fn the_answer_is_free_of_threads_rows_and_columns() {
    let data = catalogue::load("asia").unwrap().sample(300, 5, &Silent).unwrap();
    let known = Constraints::none();
    for (learner, given) in SCORERS {
        let settings = settings(learner, given);
        let on = |data: &Dataset, threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let learned = pool.install(|| learn(&settings, data, &known, &Silent)).unwrap();
            (learned.graph, learned.score, learned.bound, learned.moves)
        };
        let found = on(&data, 1);
        assert_eq!(on(&data, 7), found, "{learner}");
        assert_eq!(on(&shuffled(&data, 3), 2), found, "{learner}");
        let column = |v: Var| (data.variable(v).clone(), data.column(v).clone());
        let columns: Vec<_> = data.vars().map(column).collect();
        let reversed = Dataset::new(columns.into_iter().rev().collect()).unwrap();
        assert_eq!(on(&reversed, 2), found, "{learner}");
    }
}

/// The optimum by orders and by clusters is the same if both finish, and the bound says so.
#[test]
fn ecos_equals_cos() {
    for (network, rows) in [("asia", 300), ("insurance", 300), ("child", 500), ("alarm", 300)] {
        let data = catalogue::load(network).unwrap().sample(rows, 1, &Silent).unwrap();
        let of = |learner: &str| {
            let learned = learn(&settings(learner, &[]), &data, &Constraints::none(), &Silent).unwrap();
            assert!(learned.complete && learned.bound == learned.score, "{network} {learner}");
            learned.score
        };
        assert_eq!(of("ecos"), of("cos"), "{network}");
    }
}

/// The list of the best classes is in the report, with scores that fall.
#[test]
fn the_report_has_the_best_classes() {
    let data = catalogue::load("asia").unwrap().sample(300, 1, &Silent).unwrap();
    let all = Catalogue::standard();
    let asked = Asked::learner("exact").with("how-many", Value::Whole(5));
    let settings = all.resolve(&asked).unwrap();
    let learned = learn(&settings, &data, &Constraints::none(), &Silent).unwrap();
    let report = ossature::Report::new(&learned, &data, &settings).unwrap().to_json();
    let listed = report["alternatives"].as_array().unwrap();
    let scores: Vec<f64> = listed.iter().map(|class| class["score"].as_f64().unwrap()).collect();
    assert_eq!(scores.len(), 5);
    assert!(scores.is_sorted_by(|a, b| a >= b) && Some(scores[0]) == learned.score);
    assert_eq!(listed[0]["directed"], report["cpdag"]["directed"]);
}
