//! Tables with missing values: tests, scores and learners.

use ossature::ci::{TestKind, TestSettings};
use ossature::learn::{Catalogue, Preset, Settings, StructuralEm};
use ossature::network::catalogue;
use ossature::word::Word;
use ossature::{
    Column, Dataset, Error, Hybrid, Learner, MissingPolicy, Report, ScoreKind, ScoreSettings, Silent,
    TableKind, Var,
};
use proptest::prelude::*;

use crate::counts::{random_data, with_gaps};

/// These rows of a table, in this order.
fn rows_of(data: &Dataset, rows: &[usize]) -> Dataset {
    let column = |v: Var| {
        let codes = rows.iter().map(|&row| data.is_known(row, v).then(|| data.column(v).code(row)));
        Column::with_gaps(codes, data.cardinality(v))
    };
    let columns = data.vars().map(|v| (data.variable(v).clone(), column(v))).collect();
    Dataset::with_gaps(columns).unwrap()
}

/// The rows that are complete in some variables.
fn complete_in(data: &Dataset, vars: &[Var]) -> Vec<usize> {
    (0..data.rows()).filter(|&row| vars.iter().all(|&v| data.is_known(row, v))).collect()
}

/// The table with its rows reversed and its columns in another order.
fn shuffled(data: &Dataset) -> Dataset {
    let rows: Vec<usize> = (0..data.rows()).rev().collect();
    let turned = rows_of(data, &rows);
    let columns = turned.vars().rev().map(|v| (turned.variable(v).clone(), turned.column(v).clone()));
    Dataset::with_gaps(columns.collect()).unwrap()
}

/// Rows of a network with a share of the values missing completely at random.
fn gappy(name: &str, rows: usize, share: f64, seed: u64, policy: MissingPolicy) -> Dataset {
    let data = catalogue::load(name).unwrap().sample(rows, seed, &Silent).unwrap();
    data.deleting_at_random(share, seed).unwrap().with_policy(policy)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_test_is_that_of_the_rows_complete_in_its_variables(
        rows in 1usize..300,
        levels in prop::collection::vec(1usize..5, 4..6),
        share in prop::sample::select(vec![0.05, 0.3, 0.9]),
        seed: u64,
    ) {
        let data = with_gaps(&random_data(rows, &levels, seed), share, seed);
        let vars: Vec<Var> = data.vars().collect();
        for kind in TestKind::all().filter(|k| k.is_for(TableKind::Discrete) && !k.is_for(TableKind::Mixed)) {
            let settings =
                TestSettings { kind, resamples: Some(40), count_without_power: true, ..TestSettings::default() };
            let test = settings.build(&data).unwrap();
            let other = shuffled(&data);
            let again = settings.build(&other).unwrap();
            for z in [&vars[2..2], &vars[2..3], &vars[2..4]] {
                let (x, y) = (vars[0], vars[1]);
                let found = test.test(x, y, z);
                prop_assert_eq!(found, test.test(y, x, z), "{:?} turned round", kind);
                prop_assert_eq!(found, again.test(x, y, z), "{:?} shuffled", kind);
                let asked: Vec<Var> = z.iter().copied().chain([x, y]).collect();
                let complete = complete_in(&data, &asked);
                if complete.is_empty() {
                    prop_assert!(found.statistic == 0.0 && found.p() == 1.0, "{:?} {:?}", kind, found);
                    continue;
                }
                // The power rule and everything else depend only on these rows; other columns may have
                // missing values there.
                let part = rows_of(&data, &complete);
                let alone = settings.build(&part).unwrap().test(x, y, z);
                prop_assert!((found.statistic - alone.statistic).abs() <= 1e-9 * (1.0 + alone.statistic));
                prop_assert_eq!(found.has_power, alone.has_power, "{:?}", kind);
                prop_assert!((found.df - alone.df).abs() <= 1e-9 * (1.0 + alone.df), "{:?}", kind);
                let mut swept = Vec::new();
                let plain = TestSettings { count_without_power: false, ..settings };
                plain.build(&data).unwrap().sweep(y, &[x], z, &mut swept);
                prop_assert_eq!((swept[0].statistic, swept[0].has_power), (found.statistic, found.has_power));
            }
        }
    }

    #[test]
    fn pnal_is_the_mean_of_the_rows_complete_in_the_family_less_its_price(
        rows in 1usize..300,
        levels in prop::collection::vec(1usize..5, 4..6),
        share in prop::sample::select(vec![0.0, 0.05, 0.3, 0.9]),
        seed: u64,
    ) {
        let data = with_gaps(&random_data(rows, &levels, seed), share, seed);
        let settings = ScoreSettings { kind: ScoreKind::Pnal, ..ScoreSettings::default() };
        let score = settings.build(&data).unwrap();
        let (other, vars) = (shuffled(&data), data.vars().collect::<Vec<Var>>());
        let again = settings.build(&other).unwrap();
        for k in 0..3 {
            let (child, parents) = (vars[0], &vars[1..=k]);
            let family: Vec<Var> = parents.iter().copied().chain([child]).collect();
            let complete = complete_in(&data, &family);
            let same = |a: usize, b: usize, vars: &[Var]| {
                vars.iter().all(|&v| data.column(v).code(a) == data.column(v).code(b))
            };
            let ln = |row: usize| {
                let joint = complete.iter().filter(|&&other| same(row, other, &family)).count() as f64;
                let given = complete.iter().filter(|&&other| same(row, other, parents)).count() as f64;
                (joint / given).ln()
            };
            let mean = match complete.len() {
                0 => -(levels[0] as f64).ln(),
                n => complete.iter().map(|&row| ln(row)).sum::<f64>() / n as f64,
            };
            let parameters = (levels[0] - 1) * levels[1..=k].iter().product::<usize>();
            let price = (rows as f64).powf(-0.25) / levels.len() as f64;
            let expected = mean - price * parameters as f64;
            let found = score.local(child, parents);
            prop_assert!((found - expected).abs() < 1e-9, "{} {}", found, expected);
            prop_assert_eq!(found, again.local(child, parents));
            let mut swept = Vec::new();
            if let Some((&last, before)) = parents.split_last() {
                score.sweep(child, before, &[last], &mut swept);
                prop_assert_eq!(&swept[..], &[found][..]);
            }
        }
    }
}

#[test]
fn other_scores_refuse_missing_values_and_name_those_that_do_not() {
    let data = gappy("asia", 100, 0.1, 1, MissingPolicy::Available);
    for kind in ScoreKind::all().filter(|kind| !kind.takes_gaps()) {
        let refused =
            ScoreSettings { kind, ..ScoreSettings::default() }.build(&data).err().unwrap().to_string();
        assert!(refused.contains("pnal") && refused.contains("em"), "{refused}");
    }
}

fn learned(learner: &str, data: &Dataset) -> Result<Report, Error> {
    let settings = Settings::of(learner, Preset::Recommended)?;
    let learned = Catalogue::standard().build(&settings, data)?.learn(data, &Silent)?;
    Report::new(&learned, data, &settings)
}

#[test]
fn learners_work_with_the_available_rows() {
    let data = gappy("asia", 2000, 0.1, 3, MissingPolicy::Available);
    for learner in ["hc", "tabu", "ges", "boss", "best", "best-quick", "h2pc", "mmhc", "pc", "iamb"] {
        let report = learned(learner, &data).unwrap();
        assert!(report.cpdag.is_some_and(|c| c.directed.len() + c.undirected.len() >= 4), "{learner}");
        let score = report.score.map(|score| score.name);
        assert!(score.is_none_or(|name| name == "pnal"), "{learner}");
    }
}

#[test]
fn learners_that_ask_tests_refuse_em() {
    let data = gappy("asia", 100, 0.1, 1, MissingPolicy::Em);
    assert_eq!(learned("best", &data).unwrap().score.unwrap().name, "bic");
    for learner in ["h2pc", "mmhc", "pc", "hpc", "iamb", "sparse-candidate"] {
        let refused = learned(learner, &data).unwrap_err().to_string();
        assert!(refused.contains("em") && refused.contains("tabu"), "{learner}: {refused}");
    }
    let tests = TestSettings::default().build(&data).err().unwrap().to_string();
    assert!(tests.contains("expected values (em)"), "{tests}");
}

#[test]
fn structural_em_never_falls_and_depends_on_no_order() {
    for (name, rows, share, seed) in [("asia", 500, 0.2, 1), ("asia", 200, 0.5, 2), ("child", 300, 0.15, 3)] {
        let data = gappy(name, rows, share, seed, MissingPolicy::Em);
        for learner in
            [Hybrid::tabu(), Hybrid { orient: Some(Box::new(ossature::Ges::default())), ..Hybrid::tabu() }]
        {
            let em = StructuralEm::new(learner).unwrap();
            let turns = em.turns(&data, &Silent).unwrap();
            assert_eq!(turns.imputed, 0);
            assert!(turns.penalised.len() > 1, "{name}: {:?}", turns.penalised);
            for pair in turns.penalised.windows(2) {
                assert!(pair[1] >= pair[0] - 1e-9, "{name}: {:?}", turns.penalised);
            }
            let other = shuffled(&data).with_policy(MissingPolicy::Em);
            assert_eq!(em.turns(&other, &Silent).unwrap(), turns);
            let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            assert_eq!(one.install(|| em.turns(&data, &Silent)).unwrap(), turns);
        }
    }
}

#[test]
fn structural_em_keeps_to_what_is_known_beforehand_and_is_a_learner_like_others() {
    use ossature::learn::{Asked, Value};
    let data = gappy("asia", 500, 0.2, 1, MissingPolicy::Em);
    let arc = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    let asked = Asked::learner("tabu")
        .with("whitelist", Value::Pairs(vec![arc("xray", "asia")]))
        .with("blacklist", Value::Pairs(vec![arc("smoke", "bronc"), arc("bronc", "smoke")]));
    let settings = Catalogue::standard().resolve(&asked).unwrap();
    let learned = Catalogue::standard().build(&settings, &data).unwrap().learn(&data, &Silent).unwrap();
    let arcs = Report::new(&learned, &data, &settings).unwrap().arcs.unwrap();
    assert!(arcs.contains(&arc("xray", "asia")));
    assert!(!arcs.contains(&arc("smoke", "bronc")) && !arcs.contains(&arc("bronc", "smoke")));
    assert!(learned.complete && learned.score.is_some());
    let learner = Catalogue::standard().build(&settings, &data).unwrap();
    let sure = ossature::learn::bootstrap(&*learner, &data, 3, 1, &Silent).unwrap();
    assert!(sure.strengths.iter().any(|s| s.strength == 1.0));
    assert!(sure.averaged(&settings, &data).unwrap().score.is_none());
}

#[test]
fn structural_em_is_stopped_with_the_best_so_far_or_not_at_all() {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicU64, Ordering};

    use ossature::{Event, Progress, Stop};
    struct After(AtomicU64, Stop);
    impl Progress for After {
        fn report(&self, _: Event) -> ControlFlow<Stop> {
            let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
            if left.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(self.1) }
        }
    }
    let data = gappy("asia", 300, 0.2, 1, MissingPolicy::Em);
    let em = StructuralEm::new(Hybrid::tabu()).unwrap();
    for looks in [0, 3, 20] {
        let cancelled = em.learn(&data, &After(looks.into(), Stop::Cancel));
        assert!(matches!(cancelled, Err(Error::Stopped)));
        let finished = em.learn(&data, &After(looks.into(), Stop::Finish)).unwrap();
        assert!(!finished.complete && finished.score.unwrap().is_finite());
    }
}

#[test]
fn cross_validation_sums_over_what_is_missing() {
    use ossature::learn::cross_validate;
    let learners = ["tabu"].map(|name| Settings::of(name, Preset::Recommended).unwrap());
    for policy in [MissingPolicy::Available, MissingPolicy::Em] {
        let data = gappy("asia", 400, 0.2, 1, policy);
        for (target, least) in [(None, -2.6), (Some("bronc"), -0.7)] {
            let found =
                cross_validate(&Catalogue::standard(), &learners, &data, 2, target, 0, &Silent).unwrap();
            let mean = found.learners[0].mean;
            assert!((least..0.0).contains(&mean), "{policy:?} {target:?}: {mean}");
        }
    }
}
