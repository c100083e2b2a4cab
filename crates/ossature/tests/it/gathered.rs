//! Rows held elsewhere: the same answers as for one table, for any division of the rows.

use ossature::counts::{GatheredTables, GatheredVariable, Questions, TablePart};
use ossature::learn::{Asked, Catalogue, Report, Settings, learn_gathered};
use ossature::network::catalogue;
use ossature::{Column, Dataset, Error, Silent, Variable};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::counts::{random_data, weights, with_gaps};

/// The rows in a range; `None` if there are none.
fn part(data: &Dataset, rows: std::ops::Range<usize>) -> Option<Dataset> {
    let column = |v| {
        let known = |row: &usize| data.is_known(*row, v).then(|| data.column(v).code(*row));
        Column::with_gaps(rows.clone().collect::<Vec<_>>().iter().map(known), data.cardinality(v))
    };
    let columns = data.vars().map(|v| (data.variable(v).clone(), column(v)));
    if rows.is_empty() {
        return None;
    }
    let weights = data.weights().map(|weights| weights[rows.clone()].to_vec());
    let part = Dataset::with_gaps(columns.collect()).unwrap();
    Some(weights.map_or(Ok(part.clone()), |weights| part.with_weights(weights)).unwrap())
}

/// The rows in parts that end at these places, as several machines would hold them.
struct Divided {
    variables: Vec<GatheredVariable>,
    partitions: Vec<TablePart>,
    rows: usize,
}

impl Divided {
    fn new(data: &Dataset, ends: &[usize]) -> Divided {
        let totals = |v| {
            let mut totals = vec![0; data.cardinality(v)];
            for row in (0..data.rows()).filter(|&row| data.is_known(row, v)) {
                totals[usize::from(data.column(v).code(row))] += data.weights().map_or(1, |w| w[row]);
            }
            totals
        };
        let mut occurring = Vec::new();
        let variables = data.vars().map(|v| {
            let (totals, variable) = (totals(v), data.variable(v).clone());
            let here = variable.levels().iter().zip(&totals).filter(|(_, n)| **n > 0);
            occurring.push(Variable::new(variable.name(), here.map(|(level, _)| level)).unwrap());
            GatheredVariable { variable, totals: totals.into_iter().filter(|&n| n > 0).collect() }
        });
        let variables = variables.collect();
        let starts = [0].into_iter().chain(ends.iter().copied());
        let parts =
            starts.zip(ends.iter().copied().chain([data.rows()])).map(|(from, to)| part(data, from..to));
        let partitions = parts.map(|part| TablePart::new(part.as_ref(), &occurring).unwrap()).collect();
        Divided { variables, partitions, rows: data.total() }
    }

    /// The tables of these parts, two of which answer together.
    fn tables(&self) -> GatheredTables<'_> {
        let ask = |questions: &Questions| {
            let groups: Vec<Vec<&TablePart>> =
                self.partitions.chunks(2).map(|two| two.iter().collect()).collect();
            groups.iter().map(|group| TablePart::answer(group, questions)).collect()
        };
        GatheredTables::new(self.variables.clone(), self.rows as u64, Box::new(ask)).unwrap()
    }
}

fn settings(learner: &str) -> Settings {
    Catalogue::standard().resolve(&Asked::learner(learner)).unwrap()
}

/// The part of a report about the structure.
fn structure(report: &Report) -> Value {
    let mut report = serde_json::to_value(report).unwrap();
    report["seconds"] = Value::Null;
    report["data"]["sha256"] = Value::Null;
    report["tests"]["computed"] = Value::Null;
    report
}

fn in_one_table(settings: &Settings, data: &Dataset) -> Value {
    let learned = Catalogue::standard().build(settings, data).unwrap().learn(data, &Silent).unwrap();
    structure(&Report::new(&learned, data, settings).unwrap().with_separations(&learned, data))
}

fn in_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(37).build().unwrap().install(work)
}

#[test]
fn the_same_is_learned_however_the_rows_are_divided() {
    let data = catalogue::load("alarm").unwrap().sample(700, 3, &Silent).unwrap();
    for learner in ["h2pc", "mmhc", "pc", "hpc"] {
        let settings = settings(learner);
        let expected = in_one_table(&settings, &data);
        for ends in [&[][..], &[300], &[1, 1, 50, 333, 600, 690]] {
            let divided = Divided::new(&data, ends);
            let gathered = || learn_gathered(&Catalogue::standard(), &settings, divided.tables(), &Silent);
            let (report, traffic) = in_threads(gathered).unwrap();
            assert_eq!(structure(&report), expected, "{learner} {ends:?}");
            assert!(traffic.rounds > 1 && traffic.tables > 666 && traffic.bytes_in > traffic.tables);
        }
    }
}

#[test]
fn a_table_is_of_the_rows_that_are_complete_in_its_own_variables() {
    let data = catalogue::load("alarm").unwrap().sample(2000, 3, &Silent).unwrap();
    let data = data.deleting_at_random(0.05, 1).unwrap();
    let divided = Divided::new(&data, &[900]);
    for learner in ["h2pc", "mmhc"] {
        let settings = settings(learner);
        let gathered = || learn_gathered(&Catalogue::standard(), &settings, divided.tables(), &Silent);
        let (report, _) = in_threads(gathered).unwrap();
        assert_eq!(structure(&report), in_one_table(&settings, &data), "{learner}");
    }
}

#[test]
fn every_learner_of_two_halves_learns_the_same_and_the_others_refuse() {
    let data = catalogue::load("asia").unwrap().sample(300, 1, &Silent).unwrap();
    let data = data.with_weights(weights(300, 4, 1)).unwrap();
    let divided = Divided::new(&data, &[100]);
    let mut refused = Vec::new();
    for row in &Catalogue::standard().learners {
        let settings = settings(row.name);
        match learn_gathered(&Catalogue::standard(), &settings, divided.tables(), &Silent) {
            Ok((report, _)) => assert_eq!(structure(&report), in_one_table(&settings, &data), "{}", row.name),
            Err(error) => {
                assert!(error.to_string().contains("on other machines"), "{}: {error}", row.name);
                refused.push(row.name);
            }
        }
    }
    assert_eq!(refused, ["sparse-candidate"]);
}

#[test]
fn a_round_that_fails_ends_the_run_with_its_reason() {
    let data = catalogue::load("alarm").unwrap().sample(300, 1, &Silent).unwrap();
    let divided = Divided::new(&data, &[]);
    for after in [0, 1, 5, 20] {
        let calls = std::sync::atomic::AtomicUsize::new(0);
        let ask = |questions: &Questions| {
            if calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= after {
                return Err(Error::Mismatch { what: "a worker is gone".into(), accepted: "another".into() });
            }
            Ok(vec![TablePart::answer(&[&divided.partitions[0]], questions)?])
        };
        let tables = GatheredTables::new(divided.variables.clone(), 300, Box::new(ask)).unwrap();
        let failed = learn_gathered(&Catalogue::standard(), &settings("h2pc"), tables, &Silent);
        assert!(failed.unwrap_err().to_string().contains("a worker is gone"));
        assert_eq!(calls.into_inner(), after + 1, "nobody is asked any more");
    }
}

#[test]
fn a_round_that_panics_ends_the_run_as_well() {
    let data = catalogue::load("alarm").unwrap().sample(300, 1, &Silent).unwrap();
    let divided = Divided::new(&data, &[]);
    let calls = std::sync::atomic::AtomicUsize::new(0);
    let ask = |questions: &Questions| {
        assert!(calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < 3, "as asked");
        Ok(vec![TablePart::answer(&[&divided.partitions[0]], questions)?])
    };
    let tables = GatheredTables::new(divided.variables.clone(), 300, Box::new(ask)).unwrap();
    let learn = || learn_gathered(&Catalogue::standard(), &settings("h2pc"), tables, &Silent);
    let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| in_threads(learn)));
    assert!(run.is_err());
    assert_eq!(calls.into_inner(), 4, "nobody is asked any more");
}

#[test]
fn answers_that_are_none_are_refused() {
    let data = catalogue::load("asia").unwrap().sample(100, 1, &Silent).unwrap();
    let divided = Divided::new(&data, &[]);
    let ask = |questions: &Questions| {
        let mut answer = TablePart::answer(&[&divided.partitions[0]], questions)?;
        answer.dense.pop();
        Ok(vec![answer])
    };
    let tables = GatheredTables::new(divided.variables.clone(), 100, Box::new(ask)).unwrap();
    let failed = learn_gathered(&Catalogue::standard(), &settings("h2pc"), tables, &Silent);
    assert!(failed.unwrap_err().to_string().contains("does not consist of the tables"));
    for questions in [vec![1], vec![0, 8, 1, 0], vec![0, 0, 2, 1], vec![u32::MAX, 1]] {
        assert!(TablePart::answer(&[&divided.partitions[0]], &Questions(questions)).is_err());
    }
    assert!(GatheredTables::new(divided.variables, 1 << 32, Box::new(|_| Ok(Vec::new()))).is_err());
}

#[test]
fn levels_that_were_not_agreed_on_are_refused() {
    let variable = |levels: &[&str]| Variable::new("a", levels.to_vec()).unwrap();
    let rows = Dataset::new(vec![(variable(&["x", "y"]), Column::from_codes([0, 1], 2))]).unwrap();
    assert!(TablePart::new(Some(&rows), &[variable(&["y", "w", "x"])]).is_ok());
    let refused = TablePart::new(Some(&rows), &[variable(&["x", "z"])]).unwrap_err().to_string();
    assert_eq!(
        refused,
        "column \"a\" has \"y\", which is not one of its levels; the levels that were agreed on are x, z"
    );
    assert!(TablePart::new(Some(&rows), &[Variable::new("b", ["x"]).unwrap()]).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn tests_and_scores_are_those_of_one_table(
        rows in 2usize..600,
        levels in prop::collection::vec(prop_oneof![4 => 1usize..5, 1 => 5usize..30, 1 => 250usize..300], 4..7),
        ends in prop::collection::vec(0usize..600, 0..4),
        share in prop::sample::select(vec![0.0, 0.1]),
        seed: u64,
    ) {
        let data = with_gaps(&random_data(rows, &levels, seed), share, seed);
        let mut ends: Vec<usize> = ends.into_iter().map(|end| end.min(rows)).collect();
        ends.sort_unstable();
        let divided = Divided::new(&data, &ends);
        // One learner asks tests of several orders, the other families of several sizes.
        for learner in ["mmhc", "ges"] {
            let settings = settings(learner);
            let (report, _) = learn_gathered(&Catalogue::standard(), &settings, divided.tables(), &Silent).unwrap();
            prop_assert_eq!(structure(&report), in_one_table(&settings, &data));
        }
    }
}

#[test]
fn a_report_without_rows_says_so() {
    let data = catalogue::load("asia").unwrap().sample(100, 1, &Silent).unwrap();
    let divided = Divided::new(&data, &[]);
    let (report, _) =
        learn_gathered(&Catalogue::standard(), &settings("mmhc"), divided.tables(), &Silent).unwrap();
    let report = serde_json::to_value(&report).unwrap();
    assert_eq!(
        report["data"],
        json!({"rows": 100, "variables": 8, "continuous": [], "missing": 0, "sha256": null})
    );
}
