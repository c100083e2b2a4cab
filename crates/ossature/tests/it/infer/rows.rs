//! Rows with missing fields: likelihood, prediction, expected counts.

use ossature::infer::{Given, PartialRows, Unseen};
use ossature::network::catalogue;
use ossature::{Column, Dataset, Network, Silent, Var, Variable};

use super::{all_close, close, engine};

/// Rows of a sample in which one field in `one_in` is missing.
fn with_holes(network: &Network, rows: usize, seed: u64, one_in: usize) -> PartialRows {
    let data = network.sample(rows, seed, &Silent).unwrap();
    let whole = PartialRows::new(network, &data, &[], Unseen::Error).unwrap();
    let mut holed = PartialRows::empty(network);
    for row in 0..rows {
        let fields = whole.row(row).iter().enumerate();
        let missing = |v: usize| (row * 31 + v * 17 + (row * v) % 7).is_multiple_of(one_in);
        holed.push(&fields.map(|(v, f)| f.filter(|_| !missing(v))).collect::<Vec<_>>());
    }
    holed
}

fn known(rows: &PartialRows, row: usize) -> Given {
    let fields = rows.row(row).iter().enumerate();
    fields.fold(Given::none(), |e, (v, field)| match field {
        Some(level) => e.with(Var::new(v), *level),
        None => e,
    })
}

#[test]
fn rows_are_answered_like_single_questions() {
    let network = catalogue::load("insurance").unwrap();
    let engine = engine(&network);
    let rows = with_holes(&network, 200, 3, 5);
    let likelihoods = engine.log_likelihood(&rows, &Silent).unwrap();
    let target = network.require("Age").unwrap();
    let predictions = engine.predict(&rows, target, &Silent).unwrap();
    for (row, likelihood) in likelihoods.into_iter().enumerate() {
        let evidence = known(&rows, row);
        assert!(close(likelihood, engine.ln_probability(&evidence).unwrap(), 1e-13));
        let others = rows.row(row).iter().enumerate().filter(|(v, _)| *v != target.index());
        let others = others.fold(Given::none(), |e, (v, field)| match field {
            Some(level) => e.with(Var::new(v), *level),
            None => e,
        });
        let expected = engine.query(&[target], &others).unwrap();
        assert!(all_close(&predictions.probabilities[row * 3..][..3], expected.of(target), 1e-12));
    }
    let family: Vec<Var> = ["Age", "GoodStudent", "Theft"].map(|n| network.require(n).unwrap()).into();
    let counts = engine.expected_counts(&rows, &family, &Silent).unwrap();
    let mut expected = vec![0.0; counts.len()];
    for row in 0..rows.len() {
        let joint = engine.joint(&family, &known(&rows, row)).unwrap();
        expected.iter_mut().zip(joint.probabilities).for_each(|(n, p)| *n += p);
    }
    assert!(all_close(&counts, &expected, 1e-12));
    assert!(close(counts.iter().sum(), 200.0, 1e-12));
}

#[test]
fn complete_rows_have_the_likelihood_of_the_network() {
    let network = catalogue::load("alarm").unwrap();
    let data = network.sample(500, 2, &Silent).unwrap();
    let rows = PartialRows::new(&network, &data, &[], Unseen::Error).unwrap();
    let found = engine(&network).log_likelihood(&rows, &Silent).unwrap();
    assert!(all_close(&found, &network.log_likelihood(&data, &Silent).unwrap(), 1e-9));
}

#[test]
fn predictions_are_scored_by_hand() {
    let asia = catalogue::load("asia").unwrap();
    let column = |name: &str, labels: &[&str], codes: [u16; 3]| {
        (Variable::new(name, labels.to_vec()).unwrap(), Column::from_codes(codes, labels.len()))
    };
    // P(bronc = yes | smoke) is 0.6 and 0.3.
    let data = Dataset::new(vec![
        column("smoke", &["no", "yes"], [1, 0, 1]),
        column("bronc", &["?", "no", "yes"], [2, 2, 0]),
    ])
    .unwrap();
    let rows = PartialRows::new(&asia, &data, &["?".into()], Unseen::Error).unwrap();
    let found = engine(&asia).predict(&rows, asia.require("bronc").unwrap(), &Silent).unwrap();
    assert_eq!(found.levels, [0, 1, 0]);
    let report = found.report(&asia, &rows);
    assert_eq!((report.rows, report.rows_with_truth, report.accuracy), (3, 2, Some(0.5)));
    assert!(close(report.log_loss.unwrap(), -(0.6_f64.ln() + 0.3_f64.ln()) / 2.0, 1e-12));
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(
        json.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["target", "rows", "accuracy", "log_loss", "ruled_out"]
    );
}

#[test]
fn a_level_that_is_unknown_is_refused_or_missing() {
    let asia = catalogue::load("asia").unwrap();
    let data = Dataset::new(vec![(
        Variable::new("smoke", ["maybe", "yes"]).unwrap(),
        Column::from_codes([1, 0], 2),
    )])
    .unwrap();
    let said = PartialRows::new(&asia, &data, &[], Unseen::Error).unwrap_err().to_string();
    assert_eq!(
        said,
        "the data, column smoke, row 2: \"maybe\" is not a level of smoke; its levels are \"yes\", \"no\""
    );
    let rows = PartialRows::new(&asia, &data, &[], Unseen::Missing).unwrap();
    assert_eq!((rows.level(0, asia.require("smoke").unwrap()), rows.row(1)), (Some(0), [None; 8].as_slice()));
    assert_eq!(rows.unseen(), 1);
}

#[test]
fn a_row_that_is_impossible_is_named() {
    let asia = catalogue::load("asia").unwrap();
    let mut rows = with_holes(&asia, 5, 1, 1000);
    let mut row = rows.row(0).to_vec();
    for (name, level) in [("either", 1), ("lung", 0)] {
        row[asia.require(name).unwrap().index()] = Some(level);
    }
    rows.push(&row);
    let bronc = asia.require("tub").unwrap();
    let said = engine(&asia).predict(&rows, bronc, &Silent).unwrap_err().to_string();
    assert_eq!(said, "row 6: the network rules this out: either = no, lung = yes; its probability is 0");
    assert_eq!(engine(&asia).log_likelihood(&rows, &Silent).unwrap()[5], f64::NEG_INFINITY);
    // The other rows can be predicted without it.
    let found = engine(&asia).predict_possible(&rows, bronc, &Silent).unwrap();
    assert_eq!((found.ruled_out.as_slice(), found.probabilities[10].is_nan()), ([5].as_slice(), true));
    assert!(found.probabilities[..10].iter().all(|p| p.is_finite()));
    let report = found.report(&asia, &rows);
    assert_eq!((report.rows, report.ruled_out), (6, 1));
    let mut text = Vec::new();
    found.write(&asia, b',', &mut text).unwrap();
    assert!(text.ends_with(b"\n,,\n"));
}
