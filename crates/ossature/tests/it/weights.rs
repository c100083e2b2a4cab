//! Weighted rows: everything is the same as for repeated rows.

use ossature::ci::{TestKind, TestSettings};
use ossature::data::{ReadOptions, read_csv};
use ossature::learn::catalogue::Catalogue;
use ossature::learn::{Preset, Settings, bootstrap, cross_validate};
use ossature::network::{Prior, catalogue, fit};
use ossature::{Dataset, ScoreKind, ScoreSettings, Silent, Var};
use proptest::prelude::*;

use super::counts::{random_data, weights};

/// A table of weighted rows, and the same rows repeated.
fn both(network: &str, rows: usize, seed: u64) -> (Dataset, Dataset) {
    let data = catalogue::load(network).unwrap().sample(rows, seed, &Silent).unwrap();
    let data = data.with_weights(weights(rows, 9, seed)).unwrap();
    let out = data.written_out().unwrap().into_owned();
    assert!(out.rows() == data.total() && out.rows() > 2 * data.rows() && out.weights().is_none());
    (data, out)
}

fn settings(learner: &str) -> Settings {
    Settings::of(learner, Preset::Recommended).unwrap()
}

#[test]
fn every_learner_of_discrete_tables_finds_the_same() {
    let (data, out) = both("asia", 200, 3);
    let catalogue = Catalogue::standard();
    for entry in &catalogue.learners {
        let settings = settings(entry.name);
        let learn = |data: &Dataset| catalogue.build(&settings, data).unwrap().learn(data, &Silent).unwrap();
        let (found, expected) = (learn(&data), learn(&out));
        assert_eq!(found.graph, expected.graph, "{}", entry.name);
        assert_eq!(found.score, expected.score, "{}", entry.name);
        assert_eq!(found.skeleton, expected.skeleton, "{}", entry.name);
    }
}

#[test]
fn fitting_bootstraps_and_folds_are_those_of_the_rows_written_out() {
    let (data, out) = both("asia", 150, 5);
    let dag = catalogue::load("asia").unwrap().dag().clone();
    for prior in [Prior::None, Prior::Bdeu { iss: 3.0 }, Prior::Backoff] {
        let fitted = |data: &Dataset| fit(data, &dag, prior, &Silent).unwrap().network;
        assert_eq!(fitted(&data), fitted(&out), "{prior:?}");
    }
    let tabu = settings("tabu");
    let learner = Catalogue::standard();
    let sampled = |data: &Dataset| {
        let learner = learner.build(&tabu, data).unwrap();
        bootstrap(&*learner, data, 5, 7, &Silent).unwrap().strengths
    };
    assert_eq!(sampled(&data), sampled(&out));
    let folds = |data: &Dataset| {
        cross_validate(&learner, std::slice::from_ref(&tabu), data, 3, None, 1, &Silent).unwrap()
    };
    assert_eq!(folds(&data), folds(&out));
}

#[test]
fn a_column_of_weights_is_no_variable() {
    let text = "n,rain,wet\n3,yes,yes\n0,maybe,no\n2,no,no\n";
    let options = ReadOptions { weights: Some("n".into()), ..ReadOptions::default() };
    let read = |options: &ReadOptions| read_csv(text.as_bytes(), "rain.csv", options, &Silent);
    let data = read(&options).unwrap().data;
    assert_eq!((data.variables().len(), data.weights(), data.total()), (2, Some(&[3, 2][..]), 5));
    let only = ReadOptions { columns: Some(vec!["wet".into()]), ..options.clone() };
    assert_eq!(read(&only).unwrap().data.total(), 5);
    for (bad, said) in [
        (ReadOptions { weights: Some("m".into()), ..options.clone() }, "there is no column \"m\""),
        (
            ReadOptions { weights: Some("wet".into()), ..options.clone() },
            "rain.csv, line 2, column wet: found \"yes\"",
        ),
        (
            ReadOptions { drop: vec!["n".into()], ..options.clone() },
            "column \"n\" is to be the weights column",
        ),
        (
            ReadOptions { discretise: vec!["wet=width:2".parse().unwrap()], ..options.clone() },
            "columns are to be cut",
        ),
    ] {
        let found = read(&bad).unwrap_err().to_string();
        assert!(found.contains(said), "{found}");
    }
    let negative = "n,rain\n3,yes\n-2,no\n";
    let found = read_csv(negative.as_bytes(), "rain.csv", &options, &Silent).unwrap_err().to_string();
    assert!(found.contains("the weight in row 2 of column \"n\" is -2"), "{found}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn tests_and_scores_are_those_of_the_rows_written_out(
        rows in 2usize..300,
        levels in prop::collection::vec(1usize..9, 3..6),
        most in 1u64..12,
        seed: u64,
    ) {
        let data = random_data(rows, &levels, seed).with_weights(weights(rows, most, seed)).unwrap();
        let out = data.written_out().unwrap();
        let vars: Vec<Var> = data.vars().collect();
        let tests = [TestKind::Mi, TestKind::MiAdf, TestKind::X2, TestKind::X2Adf, TestKind::MiSh, TestKind::SpMi];
        for kind in tests {
            let test = TestSettings { kind, ..TestSettings::default() };
            let (here, there) = (test.build(&data).unwrap(), test.build(&out).unwrap());
            for order in 0..=vars.len() - 2 {
                let (x, y, z) = (vars[0], vars[1], &vars[2..][..order]);
                prop_assert_eq!(here.test(x, y, z), there.test(x, y, z), "{:?}", kind);
            }
        }
        let scores = [
            ScoreKind::Bdeu, ScoreKind::Bic, ScoreKind::Aic, ScoreKind::LogLik, ScoreKind::K2, ScoreKind::Bds,
            ScoreKind::Bdj, ScoreKind::Qnml, ScoreKind::Bdh, ScoreKind::Pnal,
        ];
        for kind in scores {
            let score = ScoreSettings { kind, ..ScoreSettings::default() };
            let (here, there) = (score.build(&data).unwrap(), score.build(&out).unwrap());
            for parents in 0..vars.len() {
                let parents = &vars[1..][..parents];
                prop_assert_eq!(here.local(vars[0], parents), there.local(vars[0], parents), "{:?}", kind);
            }
        }
    }
}
