use std::io::Read;

use flate2::read::GzDecoder;
use ossature::ci::{Independence, TestKind, TestSettings};
use ossature::data::{Continuous, ReadOptions, read};
use ossature::halves::Restrict;
use ossature::learn::{Asked, Catalogue, Preset, Settings};
use ossature::local::Pc;
use ossature::random::Sequence;
use ossature::score::{ScoreKind, ScoreSettings, total};
use ossature::word::Word;
use ossature::{Column, Dag, Dataset, Silent, Var, VarSet, Variable};
use proptest::prelude::*;
use serde::Deserialize;

use crate::ci::{self, golden_path};

#[derive(Deserialize)]
struct Golden {
    discrete: Vec<String>,
    tests: Vec<ci::Golden>,
    scores: Vec<GoldenScore>,
    structures: Vec<GoldenStructure>,
}

#[derive(Deserialize)]
struct GoldenScore {
    data: String,
    score: String,
    node: String,
    parents: Vec<String>,
    value: f64,
}

#[derive(Deserialize)]
struct GoldenStructure {
    algorithm: String,
    alpha: f64,
    skeleton: Vec<(String, String)>,
}

fn golden() -> Golden {
    let mut text = String::new();
    let file = std::fs::File::open(golden_path("continuous.json.gz")).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn golden_tables(golden: &Golden) -> impl Fn(&str) -> Dataset + use<> {
    let load = |name: &str, discrete: &[String]| {
        let path = golden_path(&format!("data/{name}.csv.gz"));
        let labels =
            ReadOptions { missing_tokens: Vec::new(), discretise: Vec::new(), ..ReadOptions::default() };
        let mut text = String::new();
        GzDecoder::new(std::fs::File::open(&path).unwrap()).read_to_string(&mut text).unwrap();
        let names = text.lines().next().unwrap().split(',').map(|n| n.trim_matches('"').to_owned());
        let continuous = Continuous::Columns(names.filter(|n| !discrete.contains(n)).collect());
        read(&path, &ReadOptions { continuous, ..labels }, &Silent).unwrap().data
    };
    let (gauss, mixed) = (load("gauss", &[]), load("mixed", &golden.discrete));
    move |name| if name == "gauss" { gauss.clone() } else { mixed.clone() }
}

fn near(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1e-9), "{what}: {found} for {expected}");
}

#[test]
fn tests_have_the_golden_values() {
    let golden = golden();
    let table = golden_tables(&golden);
    let mut seen = 0;
    for g in &golden.tests {
        let data = table(&g.data);
        let kind = TestKind::of(&g.test).unwrap();
        let test = TestSettings { kind, ..TestSettings::default() }.build(&data).unwrap();
        let var = |name: &String| data.require(name).unwrap();
        let z: Vec<Var> = g.z.iter().map(var).collect();
        let found = test.test(var(&g.x), var(&g.y), &z);
        let what = format!("{} {} {} {:?}", g.test, g.x, g.y, g.z);
        // The sign of a statistic is that of the correlation.
        near(found.statistic, g.statistic, &what);
        assert_eq!(found.df, g.df, "{what}");
        if g.p > 1e-290 {
            assert!((found.p() - g.p).abs() <= 1e-8 * g.p, "{what}: p {} for {}", found.p(), g.p);
        }
        assert_eq!(test.test(var(&g.y), var(&g.x), &z), found, "symmetric to the last bit");
        seen += 1;
    }
    assert_eq!(seen, 600);
}

#[test]
fn scores_have_the_golden_values() {
    let golden = golden();
    let table = golden_tables(&golden);
    assert_eq!(golden.scores.len(), 80);
    for g in &golden.scores {
        let data = table(&g.data);
        let kind = ScoreKind::of(&g.score).unwrap();
        let score = ScoreSettings { kind, ..ScoreSettings::default() }.build(&data).unwrap();
        let var = |name: &String| data.require(name).unwrap();
        let parents: Vec<Var> = g.parents.iter().map(var).collect();
        near(
            score.local(var(&g.node), &parents),
            g.value,
            &format!("{} {} {:?}", g.score, g.node, g.parents),
        );
    }
}

#[test]
fn pc_finds_the_golden_skeletons() {
    let golden = golden();
    let data = golden_tables(&golden)("gauss");
    let mut seen = 0;
    for g in golden.structures.iter().filter(|g| g.algorithm == "pc.stable") {
        let test = TestSettings { kind: TestKind::Zf, ..TestSettings::default() }.build(&data).unwrap();
        let ask = Independence::new(&*test, g.alpha);
        let found = Pc.restrict(&VarSet::all(data.variables().len()), &ask).unwrap().skeleton;
        let name = |v: Var| data.variable(v).name().to_owned();
        let mut found: Vec<_> = found.edges().map(|(x, y)| (name(x), name(y))).collect();
        let sorted =
            |(x, y): &(String, String)| if x < y { (x.clone(), y.clone()) } else { (y.clone(), x.clone()) };
        let mut expected: Vec<_> = g.skeleton.iter().map(sorted).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "alpha {}", g.alpha);
        seen += 1;
    }
    assert_eq!(seen, 2);
}

/// A table of continuous columns and, with `mixed`, discrete ones; each depends on some columns before it.
fn random_table(seed: u64, columns: usize, rows: usize, mixed: bool) -> Dataset {
    let mut random = Sequence::new(seed);
    let mut uniform = move || random.below(1 << 20) as f64 / f64::from(1 << 20);
    let mut made: Vec<Vec<f64>> = Vec::new();
    let mut table = Vec::new();
    for column in 0..columns {
        let weights: Vec<f64> =
            (0..column).map(|_| if uniform() < 0.4 { uniform() * 2.0 - 1.0 } else { 0.0 }).collect();
        let number =
            |row: usize, noise: f64| weights.iter().zip(&made).map(|(w, c)| w * c[row]).sum::<f64>() + noise;
        let numbers: Vec<f64> =
            (0..rows).map(|row| number(row, uniform() + uniform() + uniform() - 1.5)).collect();
        let name = format!("v{column}");
        if mixed && column % 2 == 1 {
            let code = |x: &f64| if *x < -0.4 { 0 } else { 1 + u16::from(*x > 0.5) };
            let codes: Vec<u16> = numbers.iter().map(code).collect();
            made.push(codes.iter().map(|&c| f64::from(c)).collect());
            table.push((Variable::new(name, ["b", "c", "a"]).unwrap(), Column::from_codes(codes, 3)));
        } else {
            made.push(numbers.clone());
            table.push((Variable::continuous(name), Column::Real(numbers)));
        }
    }
    Dataset::new(table).unwrap()
}

/// The table with its rows and levels in another order and its columns reversed.
fn turned(data: &Dataset) -> Dataset {
    let rows: Vec<usize> = (0..data.rows()).rev().map(|row| (row * 7 + 3) % data.rows()).collect();
    assert!(!data.rows().is_multiple_of(7), "every row once");
    let columns = data.vars().rev().map(|v| match data.column(v) {
        Column::Real(numbers) => {
            (data.variable(v).clone(), Column::Real(rows.iter().map(|&row| numbers[row]).collect()))
        }
        codes => {
            let levels: Vec<&String> = data.variable(v).levels().iter().rev().collect();
            let last = levels.len() as u16 - 1;
            let turned = rows.iter().map(|&row| last - codes.code(row));
            let variable = Variable::new(data.variable(v).name(), levels.iter().map(|l| l.as_str())).unwrap();
            (variable, Column::from_codes(turned, levels.len()))
        }
    });
    Dataset::new(columns.collect()).unwrap()
}

fn random_dag(n: usize, seed: u64) -> Dag {
    let mut random = Sequence::new(seed);
    let mut dag = Dag::empty(n);
    for from in 0..n {
        for to in from + 1..n {
            if random.below(3) == 0 {
                let (a, b) =
                    (Var::new((from * 3 + seed as usize) % n), Var::new((to * 3 + seed as usize) % n));
                let _ = dag.try_add(a, b);
            }
        }
    }
    dag
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn graphs_of_a_class_score_the_same_and_so_do_turned_tables(seed in 0u64..1000, mixed: bool) {
        let n = 7;
        let data = random_table(seed, n, 120, mixed);
        let other = turned(&data);
        let kinds = [ScoreKind::BicG, ScoreKind::Bge, ScoreKind::LogLikG, ScoreKind::BicDg, ScoreKind::BicCg];
        for kind in kinds.into_iter().filter(|kind| kind.is_for(data.kind())) {
            let settings = ScoreSettings { kind, ..ScoreSettings::default() };
            let (score, again) = (settings.build(&data).unwrap(), settings.build(&other).unwrap());
            let dag = random_dag(n, seed);
            let value = total(&*score, &dag);
            prop_assert_eq!(total(&*again, &dag), value, "{:?}", kind);
            // Another member of the class.
            let member = dag.cpdag().extension().unwrap();
            prop_assert_eq!(total(&*score, &member), value, "{:?}", kind);
            prop_assert!(value.is_finite());
        }
    }

    #[test]
    fn tests_are_symmetric_and_do_not_depend_on_the_order_of_anything(seed in 0u64..1000, mixed: bool) {
        let data = random_table(seed, 6, 80, mixed);
        let other = turned(&data);
        let kinds = [TestKind::Zf, TestKind::Cor, TestKind::MiG, TestKind::Dg, TestKind::Cg];
        for kind in kinds.into_iter().filter(|kind| kind.is_for(data.kind())) {
            let settings = TestSettings { kind, ..TestSettings::default() };
            let (test, again) = (settings.build(&data).unwrap(), settings.build(&other).unwrap());
            let (x, y, z) = (Var((seed % 6) as u32), Var(((seed + 1) % 6) as u32), [2, 3].map(|i| Var(((seed + i) % 6) as u32)));
            let found = test.test(x, y, &z);
            prop_assert!(!found.statistic.is_nan() && !found.ln_p().is_nan());
            prop_assert_eq!(test.test(y, x, &[z[1], z[0]]), found);
            prop_assert_eq!(again.test(x, y, &z), found);
            let mut swept = Vec::new();
            test.sweep(y, &[x, Var(((seed + 4) % 6) as u32)], &z, &mut swept);
            prop_assert_eq!(swept[0], found);
        }
    }
}

/// The rows of a table that are complete in some variables, as a separate table.
fn complete_in(data: &Dataset, variables: &[Var]) -> Dataset {
    let rows: Vec<usize> =
        (0..data.rows()).filter(|&row| variables.iter().all(|&v| data.is_known(row, v))).collect();
    let columns = variables.iter().map(|&v| {
        let column = match data.column(v) {
            Column::Real(numbers) => Column::Real(rows.iter().map(|&row| numbers[row]).collect()),
            codes => Column::from_codes(rows.iter().map(|&row| codes.code(row)), data.cardinality(v)),
        };
        (data.variable(v).clone(), column)
    });
    Dataset::new(columns.collect()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn with_gaps_a_test_is_that_of_the_rows_complete_in_its_variables(seed in 0u64..1000, mixed: bool) {
        let data = random_table(seed, 5, 150, mixed).deleting_at_random(0.1, seed).unwrap();
        let [x, y, z] = [0, 1, 2].map(Var);
        let complete = complete_in(&data, &[x, y, z]);
        let kinds = [TestKind::Zf, TestKind::Cor, TestKind::MiG, TestKind::Dg, TestKind::Cg];
        for kind in kinds.into_iter().filter(|kind| kind.is_for(data.kind())) {
            let settings = TestSettings { kind, ..TestSettings::default() };
            let found = settings.build(&data).unwrap().test(x, y, &[z]);
            let expected = settings.build(&complete).unwrap().test(x, y, &[z]);
            prop_assert_eq!(found.df, expected.df, "{:?}", kind);
            let near = (found.statistic - expected.statistic).abs() <= 1e-6 * expected.statistic.abs().max(1e-3);
            prop_assert!(near, "{:?}: {:?} for {:?}", kind, found, expected);
            prop_assert_eq!(settings.build(&data).unwrap().test(y, x, &[z]), found);
        }
        // A single family is scored on the rows that are complete in it, minus the price of its parameters.
        let kind = ScoreKind::usual(&data);
        let score = ScoreSettings { kind, ..ScoreSettings::default() }.build(&data).unwrap();
        let family = complete_in(&data, &[x, z]);
        let likelihood = ScoreSettings { kind: ScoreKind::BicCg, ..ScoreSettings::default() }.build(&family).unwrap();
        let names = |name: &str| family.var(name).unwrap();
        let (child, parent) = (names(data.variable(x).name()), names(data.variable(z).name()));
        let (n, p) = (data.rows() as f64, data.variables().len() as f64);
        // Both are continuous, so the family has an intercept, a coefficient and a variance.
        let bic = 0.5 * 3.0 * (family.rows() as f64).ln();
        let expected = (likelihood.local(child, &[parent]) + bic) / family.rows() as f64 - 3.0 * n.powf(-0.25) / p;
        prop_assert!((score.local(x, &[z]) - expected).abs() < 1e-6, "{} for {}", score.local(x, &[z]), expected);
        // Learners accept the table, and a score that needs complete rows names the alternatives.
        let settings = Settings::of("h2pc", Preset::Recommended).unwrap();
        prop_assert!(Catalogue::standard().build(&settings, &data).unwrap().learn(&data, &Silent).is_ok());
        let refused = ScoreSettings { kind: ScoreKind::BicDg, ..ScoreSettings::default() }.build(&data).err().unwrap();
        prop_assert!(refused.to_string().contains("pnal-cg"), "{}", refused);
    }
}

#[test]
fn columns_at_the_edge_have_answers() {
    let n = 60;
    let wave = |k: f64| move |i: usize| (i as f64 * k).sin();
    let base: Vec<f64> = (0..n).map(wave(1.0)).collect();
    let other: Vec<f64> = (0..n).map(wave(2.3)).collect();
    let sum: Vec<f64> = base.iter().zip(&other).map(|(x, y)| x + y).collect();
    let columns = vec![
        ("base", base.clone()),
        ("constant", vec![3.0; n]),
        ("copy", base.clone()),
        ("huge", base.iter().map(|x| x * 1e308).collect()),
        ("other", other),
        ("sum", sum),
        ("tiny", base.iter().map(|x| x * 5e-324 * 1e3).collect()),
    ];
    let data = Dataset::new(
        columns
            .into_iter()
            .map(|(name, numbers)| (Variable::continuous(name), Column::Real(numbers)))
            .collect(),
    )
    .unwrap();
    let [base, constant, copy, huge, other, sum] =
        ["base", "constant", "copy", "huge", "other", "sum"].map(|n| data.var(n).unwrap());
    for kind in [TestKind::Zf, TestKind::Cor, TestKind::MiG, TestKind::Dg, TestKind::Cg] {
        let test = TestSettings { kind, ..TestSettings::default() }.build(&data).unwrap();
        for x in data.vars() {
            for y in data.vars().filter(|&y| y != x) {
                for z in [vec![], data.vars().filter(|&z| z != x && z != y).take(3).collect::<Vec<_>>()] {
                    let outcome = test.test(x, y, &z);
                    assert!(
                        outcome.statistic.is_finite() && outcome.ln_p() <= 0.0,
                        "{kind:?} {x:?} {y:?} {z:?}: {outcome:?}"
                    );
                }
            }
        }
        if kind != TestKind::Cg {
            assert_eq!(test.test(base, constant, &[]).p(), 1.0);
            assert!(test.test(base, copy, &[]).p() < 1e-100, "{kind:?}");
            assert!(test.test(base, huge, &[]).p() < 1e-100);
            // Given the two columns it is the sum of, nothing of it is left.
            assert_eq!(test.test(sum, constant, &[base, other]).p(), 1.0);
            assert_eq!(test.test(sum, copy, &[base, other]).p(), 1.0);
        }
    }
    for kind in [ScoreKind::BicG, ScoreKind::Bge, ScoreKind::LogLikG, ScoreKind::BicDg, ScoreKind::BicCg] {
        let score = ScoreSettings { kind, ..ScoreSettings::default() }.build(&data).unwrap();
        let all: Vec<Var> = data.vars().filter(|&v| v != sum).collect();
        assert!(score.local(sum, &all).is_finite() && score.local(constant, &[base]).is_finite());
    }
    // Every learner finishes with a graph.
    for learner in ["h2pc", "pc", "tabu", "ges", "best"] {
        let settings = Settings::of(learner, Preset::Recommended).unwrap();
        Catalogue::standard().build(&settings, &data).unwrap().learn(&data, &Silent).unwrap();
    }
}

#[test]
fn the_test_and_the_score_follow_the_table() {
    let of = |mixed| random_table(3, 6, 90, mixed);
    let catalogue = Catalogue::standard();
    let words = |settings: &Settings, data: &Dataset| {
        let settings = settings.for_table(data).unwrap();
        (settings.test().kind.word(), settings.score().kind.word())
    };
    let h2pc = Settings::of("h2pc", Preset::Recommended).unwrap();
    assert_eq!(words(&h2pc, &of(false)), ("zf", "bic-g"));
    assert_eq!(words(&h2pc, &of(true)), ("dg", "bic-dg"));
    assert!(!h2pc.for_table(&of(true)).unwrap().values().any(|(name, _)| name == "iss"));
    let best = Settings::of("best", Preset::Recommended).unwrap();
    assert_eq!(best.for_table(&of(false)).unwrap().score().kind, ScoreKind::BicG);
    // An explicit choice is not replaced, but refused.
    use ossature::learn::Value;
    let asked = catalogue.resolve(&Asked::learner("h2pc").with("test", Value::Word("mi".into()))).unwrap();
    let refused =
        catalogue.build(&asked, &of(false)).unwrap().learn(&of(false), &Silent).unwrap_err().to_string();
    assert!(refused.contains("is continuous, and the test mi is for discrete ones"), "{refused}");
    let asked = catalogue.resolve(&Asked::learner("h2pc").with("iss", Value::Number(3.0))).unwrap();
    let refused = catalogue.build(&asked, &of(false)).err().unwrap().to_string();
    assert!(refused.contains("iss") && refused.contains("bdeu or bds"), "{refused}");
    let asked = catalogue.resolve(&Asked::learner("tabu").with("score", Value::Word("bge".into()))).unwrap();
    let refused =
        catalogue.build(&asked, &of(true)).unwrap().learn(&of(true), &Silent).unwrap_err().to_string();
    assert!(refused.contains("is discrete, and the score bge is for continuous ones"), "{refused}");
}

#[test]
fn every_learner_has_the_same_answer_for_turned_tables() {
    for mixed in [false, true] {
        let data = random_table(11, 8, 200, mixed);
        let other = turned(&data);
        for row in &Catalogue::standard().learners {
            let settings = Settings::of(row.name, Preset::Recommended).unwrap();
            let learn = |data: &Dataset| {
                Catalogue::standard()
                    .build(&settings, data)
                    .unwrap()
                    .learn(data, &Silent)
                    .map(|found| found.graph)
            };
            match (learn(&data), learn(&other)) {
                (Ok(a), Ok(b)) => assert_eq!(a, b, "{}", row.name),
                (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string()),
                (a, b) => panic!("{}: {} and {}", row.name, a.is_ok(), b.is_ok()),
            }
        }
    }
}
