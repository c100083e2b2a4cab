//! Greedy equivalence search: large samples, constraints, stopping, and the same answer for any order and
//! threads.

use ossature::graph::Mark;
use ossature::learn::{Asked, Catalogue, Learned, Value};
use ossature::network::catalogue;
use ossature::score::total;
use ossature::word::Word;
use ossature::{Constraints, Dataset, Error, Progress, ScoreKind, ScoreSettings, Silent, Stop, Var};
use proptest::prelude::*;

use crate::ci::{rearranged, shuffled};
use crate::score::random_dag;
use crate::search::StopAfter;

fn asked(learner: &str) -> Asked {
    Asked::learner(learner)
}

fn learn_with(
    asked: &Asked,
    data: &Dataset,
    known: Constraints,
    progress: &dyn Progress,
) -> ossature::Result<Learned> {
    let settings = Catalogue::standard().resolve(asked)?;
    Catalogue::standard().build_with(&settings, data, known)?.learn(data, progress)
}

fn learn(asked: &Asked, data: &Dataset) -> Learned {
    learn_with(asked, data, Constraints::none(), &Silent).unwrap()
}

fn sample(name: &str, rows: usize, seed: u64) -> Dataset {
    catalogue::load(name).unwrap().sample(rows, seed, &Silent).unwrap()
}

/// The variants of the search.
fn forms() -> [Asked; 3] {
    [asked("ges"), asked("ges").with("phases", Value::Word("insert-delete-turn".into())), asked("xges")]
}

#[test]
fn a_large_sample_gives_the_true_class_or_one_that_scores_as_well() {
    for name in ["asia", "child", "alarm"] {
        let data = sample(name, 100_000, 1);
        let network = catalogue::load(name).unwrap();
        let score = ScoreSettings::default().build(&data).unwrap();
        let truth = total(&*score, network.dag());
        for form in forms() {
            let learned = learn(&form, &data);
            let same = learned.graph.cpdag().unwrap() == network.dag().cpdag();
            assert!(
                same || learned.score.unwrap() >= truth,
                "{name} {form:?}: {:?} < {truth}",
                learned.score
            );
        }
    }
}

#[test]
fn a_search_that_is_stopped_has_the_best_so_far_or_nothing() {
    let data = sample("alarm", 500, 7);
    let score = ScoreSettings::default().build(&data).unwrap();
    for form in forms() {
        let run = |moves: u64, stop: Stop| {
            let progress = StopAfter::moves(moves, stop);
            learn_with(&form, &data, Constraints::none(), &progress)
        };
        let mut last = f64::NEG_INFINITY;
        for moves in [0, 1, 4, 30, 80] {
            let found = run(moves, Stop::Finish).unwrap();
            let value = found.score.unwrap();
            assert_eq!(value, total(&*score, &found.graph.dag().unwrap()));
            assert!(value >= last && (found.complete || found.moves == moves));
            last = value;
            assert!(run(moves, Stop::Cancel).is_err_and(|e| matches!(e, Error::Stopped)) || found.complete);
        }
        let whole = run(u64::MAX, Stop::Finish).unwrap();
        assert!(whole.complete && whole.score.unwrap() >= last);
    }
}

/// A table with each column three times, and a constant column.
pub(crate) fn copies(data: &Dataset) -> Dataset {
    let columns = data.vars().flat_map(|v| {
        let copy = |name: String| {
            let levels = data.variable(v).levels().to_vec();
            (ossature::Variable::new(&name, levels).unwrap(), data.column(v).clone())
        };
        let name = data.variable(v).name().to_owned();
        [copy(name.clone()), copy(format!("{name}2")), copy(format!("{name}3"))]
    });
    let mut columns: Vec<_> = columns.collect();
    let constant = ossature::Column::from_codes(vec![0; data.rows()], 1);
    columns.push((ossature::Variable::new("zero", ["x"]).unwrap(), constant));
    Dataset::new(columns).unwrap()
}

#[test]
fn constants_and_copies_end() {
    let data = copies(&sample("asia", 300, 2));
    for form in forms() {
        assert!(learn(&form, &data).complete);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_answer_is_free_of_rows_columns_and_threads(rows in 50usize..400, form in 0usize..3, seed: u64) {
        let data = sample("insurance", rows, seed);
        let learn = |data: &Dataset, threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let learned = pool.install(|| learn(&forms()[form], data));
            (learned.graph, learned.score, learned.moves)
        };
        let found = learn(&data, 1);
        prop_assert_eq!(&learn(&data, 7), &found);
        prop_assert_eq!(&learn(&rearranged(&data), 2), &found);
        prop_assert_eq!(&learn(&shuffled(&data, seed), 2), &found);
    }
}

/// A class if there are no constraints, and otherwise a graph that respects them.
#[test]
fn the_result_is_a_class_unless_constraints_break_it() {
    let data = sample("asia", 1000, 3);
    for kind in ScoreKind::all().filter(|k| k.counts()) {
        let form = asked("ges").with("score", Value::word(kind));
        let learned = learn(&form, &data);
        assert_eq!(learned.graph.kind(), "cpdag");
        let (class, dag) = (learned.graph.cpdag().unwrap(), learned.graph.dag().unwrap());
        assert_eq!(class.extension().unwrap().cpdag(), class);
        assert_eq!(dag.cpdag(), class);
        let score = ScoreSettings { kind, ..ScoreSettings::default() }.build(&data).unwrap();
        assert_eq!(learned.score.unwrap(), total(&*score, &dag));
        assert!(learned.score.unwrap() >= total(&*score, &class.extension().unwrap()));
        let Some((x, y)) = class.undirected().next() else { continue };
        let name = |v: Var| data.variable(v).name().to_owned();
        let both = [(x, y), (y, x)].map(|(from, to)| {
            let arcs = Value::Pairs(vec![(name(from), name(to))]);
            let asked = form.clone().with("whitelist", arcs);
            let settings = Catalogue::standard().resolve(&asked).unwrap();
            let learned =
                Catalogue::standard().build(&settings, &data).unwrap().learn(&data, &Silent).unwrap();
            assert_eq!(learned.graph.to_pdag().mark(from, to), Mark::Forward);
            learned.graph.kind()
        });
        assert_eq!(both, ["dag", "dag"]);
    }
}

/// The search leaves its start only for something better.
#[test]
fn a_start_is_where_it_begins() {
    let data = sample("asia", 500, 4);
    let score = ScoreSettings::default().build(&data).unwrap();
    for seed in 0..20 {
        let start = random_dag(data.variables().len(), 30, seed);
        let name = |v: Var| data.variable(v).name().to_owned();
        let arcs: Vec<_> = start.arcs().map(|(x, y)| (name(x), name(y))).collect();
        for form in forms() {
            let learned = {
                let asked = form.clone().with("start", Value::Pairs(arcs.clone()));
                let settings = Catalogue::standard().resolve(&asked).unwrap();
                Catalogue::standard().build(&settings, &data).unwrap().learn(&data, &Silent).unwrap()
            };
            assert!(learned.score.unwrap() >= total(&*score, &start));
        }
    }
}
