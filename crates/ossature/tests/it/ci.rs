//! Independence tests: golden values, symmetry to the last bit, and edge cases.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use ossature::ci::{
    Alpha, CiTest, Independence, Outcome, Sweep, TestKind, TestSettings, Underpowered, Verdict,
};
use ossature::counts::{Counter, Kernel, Simd};
use ossature::data::{ReadOptions, read};
use ossature::word::Word;
use ossature::{Column, Dataset, Silent, TableKind, Var, Variable};
use proptest::prelude::*;
use serde::Deserialize;

use crate::counts::random_data;

/// A test with its golden values.
#[derive(Deserialize)]
pub(crate) struct Golden {
    pub(crate) data: String,
    pub(crate) test: String,
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) z: Vec<String>,
    pub(crate) statistic: f64,
    pub(crate) df: f64,
    pub(crate) p: f64,
}

pub(crate) fn golden_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn golden_tests() -> Vec<Golden> {
    let mut text = String::new();
    let file = std::fs::File::open(golden_path("ci_tests.json.gz")).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// A golden sample. Every field is a label, so nothing is missing.
pub(crate) fn golden_data(name: &str) -> Dataset {
    let options = ReadOptions { missing_tokens: Vec::new(), ..ReadOptions::default() };
    read(&golden_path(&format!("data/{name}.csv.gz")), &options, &Silent).unwrap().data
}

fn settings(kind: TestKind) -> TestSettings {
    TestSettings { kind, count_without_power: true, ..TestSettings::default() }
}

fn check(golden: &Golden, ours: Outcome) {
    let place = format!("{} {} {} {} {:?}: {ours:?}", golden.data, golden.test, golden.x, golden.y, golden.z);
    let off = (ours.statistic - golden.statistic).abs();
    assert!(off <= 1e-8 * golden.statistic.abs() + 1e-9, "{place}: statistic {}", golden.statistic);
    assert_eq!(ours.df, golden.df, "{place}");
    if golden.p > 1e-290 {
        assert!((ours.p() - golden.p).abs() <= 1e-8 * golden.p, "{place}: p {} {}", ours.p(), golden.p);
    } else {
        assert!(ours.p() <= 1e-289, "{place}");
    }
}

#[test]
fn all_golden_tests_match_and_are_symmetric() {
    let mut data = HashMap::new();
    let golden = golden_tests();
    assert_eq!(golden.len(), 3000);
    for g in &golden {
        let data = data.entry(g.data.clone()).or_insert_with(|| golden_data(&g.data));
        let test = settings(TestKind::of(&g.test).unwrap()).build(data).unwrap();
        let var = |name: &String| data.var(name).unwrap();
        let mut z: Vec<Var> = g.z.iter().map(var).collect();
        let ours = test.test(var(&g.x), var(&g.y), &z);
        check(g, ours);
        z.reverse();
        let turned = test.test(var(&g.y), var(&g.x), &z);
        assert_eq!(ours, turned);
        assert_eq!(ours.ln_p().to_bits(), turned.ln_p().to_bits());
        let mut swept = Vec::new();
        test.sweep(var(&g.y), &[var(&g.x)], &z, &mut swept);
        assert!(!ours.has_power || swept == [ours]);
    }
}

/// The G² statistic by a given kernel, as the test computes it.
fn g2_by(counter: &Counter<'_>, kernel: Kernel, x: Var, y: Var, z: &[Var]) -> Option<(i64, u64)> {
    let f = ossature::counts::NLogN::new(counter.data().rows());
    counter.stratify(y, z, |strata| {
        strata.applies(kernel, x).then(|| {
            let counts = strata.count_with(kernel, x);
            let half = f.sum(counts.xyz()) - f.sum(counts.xz()) - f.sum(counts.yz()) + f.sum(counts.z());
            (half, counts.adjusted_df())
        })
    })
}

#[test]
fn the_golden_statistics_are_the_same_bits_for_every_kernel() {
    let mut data = HashMap::new();
    let golden: Vec<Golden> = golden_tests().into_iter().filter(|g| g.test == "mi").collect();
    for g in &golden {
        let data = data.entry(g.data.clone()).or_insert_with(|| golden_data(&g.data));
        let f = ossature::counts::NLogN::new(data.rows());
        let var = |name: &String| data.var(name).unwrap();
        let z: Vec<Var> = g.z.iter().map(var).collect();
        let mut answers = Vec::new();
        for simd in Simd::available() {
            let counter = Counter::with_simd(data, simd);
            for kernel in Kernel::ALL {
                answers.extend(g2_by(&counter, kernel, var(&g.x), var(&g.y), &z));
                answers.extend(g2_by(&counter, kernel, var(&g.y), var(&g.x), &z));
            }
        }
        assert!(answers.len() >= 2 && answers.iter().all(|a| *a == answers[0]), "{answers:?}");
        let off = (2.0 * f.to_f64(answers[0].0) - g.statistic).abs();
        assert!(off <= 1e-8 * g.statistic.abs() + 1e-9);
    }
}

/// The same table with its columns in another order.
pub(crate) fn rearranged(data: &Dataset) -> Dataset {
    let mut columns: Vec<_> =
        data.vars().map(|v| (data.variable(v).clone(), data.column(v).clone())).collect();
    columns.reverse();
    columns.rotate_left(5);
    Dataset::new(columns).unwrap()
}

/// The data with its rows and the levels of each variable shuffled, and nothing else changed.
pub(crate) fn shuffled(data: &Dataset, seed: u64) -> Dataset {
    let n = data.rows();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&row| (row as u64 + 1).wrapping_mul(seed | 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let columns = data.vars().map(|v| {
        let levels = data.cardinality(v);
        let turned = |code: u16| ((usize::from(code) + seed as usize % levels) % levels) as u16;
        let mut names = vec![String::new(); levels];
        for (code, name) in data.variable(v).levels().iter().enumerate() {
            names[usize::from(turned(code as u16))].clone_from(name);
        }
        let codes: Vec<u16> = order.iter().map(|&row| turned(data.column(v).code(row))).collect();
        (Variable::new(data.variable(v).name(), names).unwrap(), Column::from_codes(codes, levels))
    });
    Dataset::new(columns.collect()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn rows_levels_and_the_order_of_the_question_do_not_change_a_bit(
        rows in 2usize..300,
        levels in prop::collection::vec(1usize..5, 4..=4),
        seed: u64,
    ) {
        let data = random_data(rows, &levels, seed);
        let other = shuffled(&data, seed);
        let v: Vec<Var> = data.vars().collect();
        for kind in TestKind::all().filter(|k| !k.is_for(TableKind::Mixed) && k.is_for(TableKind::Discrete)) {
            let settings = TestSettings { resamples: Some(50), seed: 3, ..settings(kind) };
            let (a, b) = (settings.build(&data).unwrap(), settings.build(&other).unwrap());
            for z in [&v[2..2], &v[2..3], &v[2..4]] {
                let reversed: Vec<Var> = z.iter().rev().copied().collect();
                let ours = a.test(v[0], v[1], z);
                prop_assert_eq!(ours, b.test(v[1], v[0], &reversed));
                prop_assert!(ours.statistic >= 0.0 && ours.statistic.is_finite() && ours.ln_p() <= 0.0);
                let alpha = Alpha::new(0.05);
                prop_assert_eq!(a.decide(v[0], v[1], z, &alpha), alpha.verdict(&a.test(v[0], v[1], z)));
            }
        }
    }

    /// A batch gives the outcomes of its sweeps in order, and a sweep those of its tests, with and without
    /// power.
    #[test]
    fn a_batch_is_many_sweeps_and_a_sweep_many_tests(rows in 1usize..400, power_rule in 0u32..6, seed: u64) {
        let data = random_data(rows, &[2, 3, 2, 4, 3], seed);
        let v: Vec<Var> = data.vars().collect();
        for kind in [TestKind::MiAdf, TestKind::X2] {
            let settings = TestSettings { power_rule: Some(power_rule), count_without_power: false, ..settings(kind) };
            let test = settings.build(&data).unwrap();
            let sweeps = [
                Sweep { target: v[0], candidates: &v[1..], given: &[] },
                Sweep { target: v[1], candidates: &v[3..], given: &v[2..3] },
                Sweep { target: v[4], candidates: &[], given: &v[..1] },
                Sweep { target: v[4], candidates: &v[..1], given: &v[1..4] },
            ];
            let one_by_one: Vec<Outcome> = sweeps.iter()
                .flat_map(|s| s.candidates.iter().map(|&x| test.test(x, s.target, s.given)))
                .collect();
            let (mut swept, mut batched) = (Vec::new(), Vec::new());
            sweeps.iter().for_each(|s| test.sweep(s.target, s.candidates, s.given, &mut swept));
            test.batch(&sweeps, &mut batched);
            prop_assert_eq!(&swept, &one_by_one);
            prop_assert_eq!(&batched, &one_by_one);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A test that has answered many questions answers like a new one.
    #[test]
    fn what_was_asked_before_changes_no_bit(
        rows in 1usize..300,
        power_rule in 0u32..3,
        seed: u64,
        asked in prop::collection::vec(prop::collection::vec(0u32..8, 3..9), 20..80),
    ) {
        let data = random_data(rows, &[2, 3, 1, 4, 2, 13, 3, 2], seed);
        for kind in [TestKind::Mi, TestKind::MiAdf, TestKind::X2Adf] {
            let settings = TestSettings { kind, power_rule: Some(power_rule), ..TestSettings::default() };
            let fresh = |x, y, z: &[Var]| settings.build(&data).unwrap().test(x, y, z);
            let old = settings.build(&data).unwrap();
            for mut vars in asked.iter().map(|vars| vars.iter().map(|&v| Var(v)).collect::<Vec<_>>()) {
                let mut met = [false; 8];
                vars.retain(|v| !std::mem::replace(&mut met[v.index()], true));
                let Some((&[x, y], z)) = vars.split_first_chunk::<2>() else { continue };
                prop_assert_eq!(old.test(x, y, z), fresh(x, y, z), "{:?} {:?} given {:?}", x, y, z);
                let others: Vec<Var> = (0..8).map(Var).filter(|v| *v != y && !z.contains(v)).collect();
                let mut swept = Vec::new();
                old.sweep(y, &others, z, &mut swept);
                let each: Vec<Outcome> = others.iter().map(|&x| fresh(x, y, z)).collect();
                prop_assert_eq!(swept, each, "{:?} given {:?}", y, z);
            }
        }
    }
}

fn columns(columns: &[(&str, usize, &[u16])]) -> Dataset {
    let column = |&(name, levels, codes): &(&str, usize, &[u16])| {
        let variable = Variable::new(name, (0..levels).map(|l| l.to_string())).unwrap();
        (variable, Column::from_codes(codes.iter().copied(), levels))
    };
    Dataset::new(columns.iter().map(column).collect()).unwrap()
}

const A: Var = Var(0);
const B: Var = Var(1);
const C: Var = Var(2);

fn each_test(data: &Dataset, mut f: impl FnMut(TestKind, &dyn CiTest)) {
    for kind in TestKind::all().filter(|k| !k.is_for(TableKind::Mixed) && k.is_for(TableKind::Discrete)) {
        let settings = TestSettings { power_rule: Some(0), resamples: Some(200), ..settings(kind) };
        f(kind, &*settings.build(data).unwrap());
    }
}

#[test]
fn a_constant_column_is_independent_of_everything() {
    let data = columns(&[("a", 1, &[0; 6]), ("b", 2, &[0, 1, 0, 1, 1, 1]), ("c", 3, &[0, 1, 2, 0, 1, 2])]);
    each_test(&data, |kind, test| {
        for z in [&[][..], &[C]] {
            let o = test.test(A, B, z);
            assert_eq!((o.statistic, o.df, o.ln_p()), (0.0, 0.0, 0.0), "{kind:?}");
        }
    });
    // Two levels are declared, of which one never occurs: only the adjusted df is 0.
    let data = columns(&[("a", 2, &[0; 6]), ("b", 2, &[0, 1, 0, 1, 1, 1])]);
    each_test(&data, |kind, test| {
        let o = test.test(A, B, &[]);
        let plain = matches!(kind, TestKind::Mi | TestKind::X2 | TestKind::MiSh);
        assert_eq!(o.df, f64::from(u8::from(plain)), "{kind:?}");
        // Shrinking moves the counts towards the level that never occurs, so the statistic is not exactly 0.
        assert!(o.ln_p() > -0.5 && (kind == TestKind::MiSh || o.ln_p() == 0.0), "{kind:?}: {o:?}");
    });
}

#[test]
fn a_copy_is_as_dependent_as_can_be_unless_it_is_given() {
    let codes: Vec<u16> = (0..60).map(|i| i % 3).collect();
    let other: Vec<u16> = (0..60).map(|i| i / 7 % 2).collect();
    let data = columns(&[("a", 3, &codes), ("b", 3, &codes), ("c", 2, &other)]);
    let g2 = settings(TestKind::MiAdf).build(&data).unwrap();
    let o = g2.test(A, B, &[]);
    assert!((o.statistic - 120.0 * 3f64.ln()).abs() < 1e-11);
    assert_eq!(o.df, 4.0);
    // Given the copy, nothing is left to explain: X is a function of Z.
    let given = TestSettings { power_rule: Some(0), ..settings(TestKind::MiAdf) }.build(&data).unwrap().test(
        A,
        C,
        &[B],
    );
    assert_eq!((given.statistic, given.df, given.p()), (0.0, 0.0, 1.0));
    each_test(&data, |kind, test| assert!(test.test(A, B, &[]).ln_p() < -3.0, "{kind:?}"));
}

#[test]
fn all_rows_equal_and_a_single_row() {
    for rows in [1, 9] {
        let zeros = vec![0; rows];
        let data = columns(&[("a", 2, &zeros), ("b", 3, &zeros), ("c", 2, &zeros)]);
        each_test(&data, |kind, test| {
            for z in [&[][..], &[C]] {
                let o = test.test(A, B, z);
                assert!(o.statistic.abs() < 1e-9 && o.ln_p().abs() < 1e-9, "{kind:?} {o:?}");
            }
        });
    }
}

#[test]
fn more_configurations_than_rows() {
    let data = random_data(300, &[60, 60, 60, 60, 60], 4);
    each_test(&data, |kind, test| {
        let o = test.test(A, B, &[C, Var(3), Var(4)]);
        assert!(o.statistic.is_finite() && o.df.is_finite() && o.ln_p() <= 0.0, "{kind:?} {o:?}");
    });
    // The product of the levels does not fit in 64 bits.
    let data = random_data(50, &[1000; 30], 4);
    let z: Vec<Var> = (2..30).map(Var).collect();
    each_test(&data, |kind, test| {
        let o = test.test(A, B, &z);
        assert!(o.ln_p() <= 0.0 && o.ln_p() > -1e-6, "{kind:?} {o:?}");
    });
}

#[test]
fn the_power_rule_counts_declared_levels() {
    let data = random_data(40, &[2, 2, 2], 1);
    let test = TestSettings::default().build(&data).unwrap();
    assert!(test.test(A, B, &[C]).has_power); // 40 = 5 · 2 · 2 · 2
    let data = random_data(39, &[2, 2, 2], 1);
    let test = TestSettings::default().build(&data).unwrap();
    let o = test.test(A, B, &[C]);
    assert_eq!((o.has_power, o.statistic, o.p()), (false, 0.0, 1.0));
    assert_eq!(test.computed(), 0, "a learner does not count a test without power");
    assert_eq!(test.decide(A, B, &[C], &Alpha::new(0.05)), Verdict::NoPower);
}

#[test]
fn what_a_test_without_power_means_is_a_policy() {
    let data = random_data(39, &[2, 2, 2], 1);
    let test = TestSettings::default().build(&data).unwrap();
    let assume = Independence::new(&*test, 0.05);
    assert!(assume.separated(A, B, &[C]) && !assume.connected(A, B, &[C]));
    let skip = Independence::new(&*test, 0.05).underpowered(Underpowered::Skip);
    assert!(!skip.separated(A, B, &[C]) && !skip.connected(A, B, &[C]));
    let answer = &skip.sweep(A, &[B], &[C])[0];
    assert!(!answer.separated && !answer.connected);
    assert_eq!(skip.tally().without_power, 3);
    assert_eq!(skip.tally().by_order, [0, 3]);
}

#[test]
fn permutation_tests_agree_with_the_asymptotic_one_where_it_is_good() {
    for seed in 1..=12 {
        let data = random_data(2000, &[3, 3, 2], seed);
        let [asymptotic, monte_carlo, semi] = [TestKind::Mi, TestKind::McMi, TestKind::SpMi]
            .map(|kind| settings(kind).build(&data).unwrap().test(A, B, &[C]));
        assert_eq!(monte_carlo.statistic, asymptotic.statistic);
        assert!((monte_carlo.p() - asymptotic.p()).abs() < 0.03, "{asymptotic:?} {monte_carlo:?}");
        // The mean of 100 draws of a chi-square with 8 df has a standard deviation of 0.4.
        assert!((semi.df - asymptotic.df).abs() < 1.6, "{asymptotic:?} {semi:?}");
    }
}

/// That a decision stops early is tested beside the code; that it is the same decision, here.
#[test]
fn a_decision_of_a_permutation_test_is_that_of_its_p() {
    let (alpha, mut dependent) = (Alpha::new(0.3), 0);
    for seed in 1..=20 {
        let data = random_data(200, &[3, 3, 2], seed);
        let test = settings(TestKind::McMi).build(&data).unwrap();
        let verdict = test.decide(A, B, &[C], &alpha);
        assert_eq!(verdict, alpha.verdict(&test.test(A, B, &[C])));
        dependent += usize::from(verdict == Verdict::Dependent);
    }
    assert!((1..20).contains(&dependent), "both verdicts occur");
}

#[test]
fn a_stopped_run_answers_independent_without_counting() {
    struct StopAtOnce;
    impl ossature::Progress for StopAtOnce {
        fn report(&self, _: ossature::Event) -> std::ops::ControlFlow<ossature::Stop> {
            std::ops::ControlFlow::Break(ossature::Stop::Cancel)
        }
    }
    let codes: Vec<u16> = (0..60).map(|i| i % 3).collect();
    let data = columns(&[("a", 3, &codes), ("b", 3, &codes)]);
    let test = TestSettings::default().build(&data).unwrap();
    let ind = Independence::new(&*test, 0.05).progress(&StopAtOnce, 2);
    assert!(ind.connected(A, B, &[]));
    assert!(!ind.connected(A, B, &[]) && ind.separated(A, B, &[]));
    assert!(ind.sweep(A, &[B], &[])[0].separated);
    assert_eq!(ind.stop_requested(), Some(ossature::Stop::Cancel));
    assert_eq!(test.computed(), 1);
}

#[test]
fn a_required_edge_is_never_separated() {
    let data = random_data(200, &[2, 2, 2], 5);
    let arcs = ossature::graph::parse_arcs("from,to\nv000,v001\n", "required.csv").unwrap();
    let names: Vec<&str> = data.variables().iter().map(Variable::name).collect();
    let constraints = ossature::graph::Constraints::new(&names, &arcs, &[], &[]).unwrap();
    let test = TestSettings::default().build(&data).unwrap();
    let ind = Independence::new(&*test, 1e-9).constraints(&constraints);
    assert!(ind.connected(A, B, &[C]) && ind.connected(B, A, &[]));
    assert!(ind.separated(A, C, &[]));
    let answers = ind.sweep(A, &[C, B], &[]);
    assert!(answers[1].outcome.stronger(&answers[0].outcome) && answers[1].connected);
}

/// A bound from the tests of pairs is never stronger than the test itself, and is often of use.
#[test]
fn the_tests_of_pairs_bound_those_given_one_variable() {
    let data = ossature::network::catalogue::load("alarm").unwrap().sample(1000, 3, &Silent).unwrap();
    for kind in [TestKind::Mi, TestKind::MiAdf, TestKind::X2] {
        let test = TestSettings { kind, ..TestSettings::default() }.build(&data).unwrap();
        let (mut bounds, mut dependent) = (0, 0);
        for (x, y, z) in (0..37).flat_map(|x| (x + 1..37).flat_map(move |y| (0..37).map(move |z| (x, y, z))))
        {
            let [x, y, z] = [x, y, z].map(Var);
            if z == x || z == y {
                continue;
            }
            let pairs = [(x, y), (x, z), (y, z)].map(|(a, b)| test.test(a, b, &[]));
            if let Some(bound) = test.no_weaker_than(x, y, z, pairs) {
                let outcome = test.test(x, y, &[z]);
                assert!(!bound.stronger(&outcome), "{x:?} {y:?} given {z:?}: {bound:?} {outcome:?}");
                bounds += 1;
                dependent += usize::from(Alpha::new(0.05).verdict(&bound) == Verdict::Dependent);
            }
        }
        assert_eq!(bounds > 500 && dependent > 500, kind != TestKind::X2, "{kind:?}: {bounds} {dependent}");
    }
}
