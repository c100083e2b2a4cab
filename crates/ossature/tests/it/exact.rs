//! The learners that prove an optimum: golden values, and no other learner scores higher.

use std::collections::HashMap;
use std::io::Read;

use flate2::read::GzDecoder;
use ossature::learn::{Asked, Catalogue, How, Learned, Report, Returns, Value};
use ossature::network::catalogue;
use ossature::random::Sequence;
use ossature::score::total;
use ossature::{Dataset, ScoreSettings, Silent};
use serde::Deserialize;

use crate::ci::{golden_data, golden_path, shuffled};
use crate::counts::random_data;

#[derive(Deserialize)]
struct Optimum {
    data: String,
    columns: Vec<String>,
    score: String,
    iss: Option<f64>,
    optimum: f64,
}

fn learn(asked: &Asked, data: &Dataset) -> Learned {
    let settings = Catalogue::standard().resolve(asked).unwrap();
    Catalogue::standard().build(&settings, data).unwrap().learn(data, &Silent).unwrap()
}

fn columns(data: &Dataset, names: &[String]) -> Dataset {
    let column = |name: &String| {
        let v = data.var(name).unwrap();
        (data.variable(v).clone(), data.column(v).clone())
    };
    Dataset::new(names.iter().map(column).collect()).unwrap()
}

#[test]
fn golden_optima_are_reached() {
    let mut text = String::new();
    let file = std::fs::File::open(golden_path("optima.json.gz")).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let golden: Vec<Optimum> = serde_json::from_str(&text).unwrap();
    assert_eq!(golden.len(), 12);
    let mut tables = HashMap::new();
    for g in &golden {
        let whole =
            tables.entry(g.data.clone()).or_insert_with(|| golden_data(g.data.trim_end_matches(".csv.gz")));
        let data = columns(whole, &g.columns);
        let mut asked = Asked::learner("exact").with("score", Value::Word(g.score.clone()));
        if let Some(iss) = g.iss {
            asked = asked.with("iss", Value::Number(iss));
        }
        let learned = learn(&asked, &data);
        let ours = learned.score.unwrap();
        assert!(
            (ours - g.optimum).abs() <= 1e-6 * g.optimum.abs(),
            "{} {}: {ours} {}",
            g.data,
            g.score,
            g.optimum
        );
        assert_eq!((learned.bound, learned.complete), (Some(ours), true));
        let settings = Catalogue::standard().resolve(&asked).unwrap();
        let report = Report::new(&learned, &data, &settings).unwrap();
        assert_eq!((report.optimal, report.bound), (Some(true), Some(ours)));
    }
}

/// Over 500 random tables, no learner of the catalogue scores above the optimum, and inside the complete
/// skeleton the optimum is the same.
#[test]
fn no_learner_scores_above_the_optimum() {
    let all = Catalogue::standard();
    let mut random = Sequence::new(7);
    for round in 0..500 {
        let levels: Vec<usize> = (0..5).map(|_| 2 + random.below(2)).collect();
        let data = random_data(20 + random.below(100), &levels, random.number());
        let score = ScoreSettings::default().build(&data).unwrap();
        let best = learn(&Asked::learner("exact"), &data).score.unwrap();
        for row in &all.learners {
            if all.returns(row) == Returns::Skeleton || row.name == "exact" {
                continue;
            }
            let learned = learn(&Asked::learner(row.name), &data);
            let dag = learned.graph.dag().unwrap();
            assert!(total(&*score, &dag) <= best, "{round} {}", row.name);
        }
        let name = |v: ossature::Var| data.variable(v).name().to_owned();
        let pairs = data.vars().flat_map(|x| data.vars().filter(move |&y| x < y).map(move |y| (x, y)));
        let pairs = Value::Pairs(pairs.map(|(x, y)| (name(x), name(y))).collect());
        let complete =
            Asked { restrict: Some("given".into()), maximise: Some("exact".into()), ..Asked::default() };
        assert_eq!(learn(&complete.with("skeleton", pairs), &data).score, Some(best));
    }
}

#[test]
fn the_optimum_is_free_of_rows_columns_and_threads() {
    for (learner, name) in [("exact", "asia"), ("cos", "insurance")] {
        let data = catalogue::load(name).unwrap().sample(400, 3, &Silent).unwrap();
        let learn = |data: &Dataset, threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let learned = pool.install(|| learn(&Asked::learner(learner), data));
            (learned.graph, learned.score, learned.bound, learned.moves)
        };
        let found = learn(&data, 1);
        assert_eq!(found.1, found.2);
        assert_eq!(learn(&data, 7), found);
        assert_eq!(learn(&shuffled(&data, 5), 2), found);
        let mut columns: Vec<_> =
            data.vars().map(|v| (data.variable(v).clone(), data.column(v).clone())).collect();
        columns.reverse();
        assert_eq!(learn(&Dataset::new(columns).unwrap(), 2), found);
    }
}

/// Every learner of two halves is in the table of learners, so a study can use it, too.
#[test]
fn cos_is_exact_inside_a_skeleton() {
    let row = Catalogue::standard().learner("cos").unwrap().how;
    assert!(matches!(row, How::Halves { restrict: Some("mmpc"), maximise: Some("exact") }));
}
