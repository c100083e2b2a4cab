//! Scores: golden values, the naive formulas, and agreement to the last bit.

use std::collections::{BTreeMap, HashMap};
use std::io::Read;

use flate2::read::GzDecoder;
use std::sync::Arc;

use ossature::counts::Sweep;
use ossature::counts::{Counter, Simd};
use ossature::random::Sequence;
use ossature::score::{ScoreKind, ScoreSettings, by_node, total};
use ossature::word::Word;
use ossature::{Column, Dag, Dataset, Error, Sources, Var, Variable};
use proptest::prelude::*;
use serde::Deserialize;

use crate::ci::{golden_data, golden_path, shuffled};
use crate::counts::random_data;

#[derive(Deserialize)]
struct Golden {
    data: String,
    graph: String,
    arcs: Vec<(String, String)>,
    score: String,
    iss: Option<f64>,
    total: f64,
    by_node: BTreeMap<String, f64>,
}

fn golden_scores() -> Vec<Golden> {
    let mut text = String::new();
    let file = std::fs::File::open(golden_path("scores.json.gz")).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn settings(kind: ScoreKind) -> ScoreSettings {
    ScoreSettings { kind, iss: 10.0, ..ScoreSettings::default() }
}

#[test]
fn all_golden_scores_match() {
    let mut data = HashMap::new();
    let golden = golden_scores();
    assert_eq!(golden.len(), 210);
    for g in &golden {
        let data = data.entry(g.data.clone()).or_insert_with(|| golden_data(&g.data));
        let var = |name: &String| data.var(name).unwrap();
        let settings = ScoreSettings {
            kind: ScoreKind::of(&g.score).unwrap(),
            iss: g.iss.unwrap_or(10.0),
            ..ScoreSettings::default()
        };
        let score = settings.build(data).unwrap();
        let dag = Dag::from_arcs(data.vars().len(), g.arcs.iter().map(|(from, to)| (var(from), var(to))));
        let ours = by_node(&*score, &dag.unwrap());
        let near = |ours: f64, golden: f64, what: &str| {
            let off = (ours - golden).abs();
            assert!(off <= 1e-9 * golden.abs(), "{} {} {} {what}: {ours} {golden}", g.data, g.graph, g.score);
        };
        let mut sum = 0.0;
        for (name, &golden) in &g.by_node {
            near(ours[var(name).index()], golden, name);
            sum += ours[var(name).index()];
        }
        near(sum, g.total, "total");
    }
}

/// ln Γ(n + a) − ln Γ(a) as a sum of logarithms.
fn rising(n: u32, a: f64) -> f64 {
    (0..n).map(|i| (a + f64::from(i)).ln()).sum()
}

/// The formula as it is written, computed from counts of the rows.
fn naive(kind: ScoreKind, iss: f64, data: &Dataset, child: Var, parents: &[Var]) -> f64 {
    let mut families: HashMap<Vec<u16>, HashMap<u16, u32>> = HashMap::new();
    for row in 0..data.rows() {
        let code = |v: Var| data.column(v).code(row);
        let configuration = parents.iter().map(|&p| code(p)).collect();
        *families.entry(configuration).or_default().entry(code(child)).or_default() += 1;
    }
    let r = data.cardinality(child) as f64;
    let q: f64 = parents.iter().map(|&p| data.cardinality(p) as f64).product();
    let loglik = || -> f64 {
        let row = |cells: &HashMap<u16, u32>| {
            let n: u32 = cells.values().sum();
            cells.values().map(|&m| f64::from(m) * (f64::from(m) / f64::from(n)).ln()).sum::<f64>()
        };
        families.values().map(row).sum()
    };
    let dirichlet = |a: f64, all: f64| -> f64 {
        let row = |cells: &HashMap<u16, u32>| {
            cells.values().map(|&m| rising(m, a)).sum::<f64>() - rising(cells.values().sum(), all)
        };
        families.values().map(row).sum()
    };
    let occurring = families.len() as f64;
    match kind {
        ScoreKind::LogLik => loglik(),
        ScoreKind::Bic => loglik() - 0.5 * (data.rows() as f64).ln() * (r - 1.0) * q,
        ScoreKind::Aic => loglik() - (r - 1.0) * q,
        ScoreKind::Bdeu => dirichlet(iss / (r * q), iss / q),
        ScoreKind::Bds => dirichlet(iss / (r * occurring), iss / occurring),
        ScoreKind::K2 => dirichlet(1.0, r),
        ScoreKind::Bdj => dirichlet(0.5, r / 2.0),
        ScoreKind::Qnml => {
            loglik() - complexity(data.rows() as f64, r * q) + complexity(data.rows() as f64, q)
        }
        ScoreKind::Pnal => {
            let (n, p) = (data.rows() as f64, data.variables().len() as f64);
            loglik() / n - n.powf(-0.25) / p * (r - 1.0) * q
        }
        ScoreKind::Bdh => crate::bdh::Naive { data }.local(child, parents),
        _ => unreachable!("not made of counts"),
    }
}

/// The complexity of a distribution of `k` values: Szpankowski and Weinberger's approximation.
fn complexity(n: f64, k: f64) -> f64 {
    let a = k / n;
    let c = 0.5 + 0.5 * (1.0 + 4.0 / a).sqrt();
    if k == 1.0 { 0.0 } else { n * (a.ln() + (a + 2.0) * c.ln() - 1.0 / c) - 0.5 * (c + 2.0 / a).ln() }
}

fn near(ours: f64, theirs: f64) -> bool {
    (ours - theirs).abs() <= 1e-9 * theirs.abs() + 1e-9
}

/// A random DAG over `n` nodes in which about a share of all pairs are adjacent.
pub(crate) fn random_dag(n: usize, share: usize, seed: u64) -> Dag {
    let mut random = Sequence::new(seed);
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by_cached_key(|_| random.number());
    let mut arcs = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            if random.below(100) < share {
                arcs.push((Var(order[i]), Var(order[j])));
            }
        }
    }
    Dag::from_arcs(n, arcs).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_score_is_its_formula(
        rows in 1usize..300, levels in prop::collection::vec(1usize..7, 4), iss in 0.5f64..40.0, seed: u64,
    ) {
        let data = random_data(rows, &levels, seed);
        let parents = [Var(3), Var(1), Var(2)];
        for kind in ScoreKind::all().filter(|k| k.counts()) {
            let score = ScoreSettings { kind, iss, ..ScoreSettings::default() }.build(&data).unwrap();
            for size in 0..=parents.len() {
                let ours = score.local(Var(0), &parents[..size]);
                let theirs = naive(kind, iss, &data, Var(0), &parents[..size]);
                prop_assert!(near(ours, theirs), "{kind:?} {size}: {ours} {theirs}");
            }
        }
    }

    #[test]
    fn a_batch_is_many_sweeps_and_a_sweep_many_locals(
        rows in 1usize..400, levels in prop::collection::vec(1usize..30, 6), seed: u64,
    ) {
        let data = random_data(rows, &levels, seed);
        let candidates = [Var(5), Var(2), Var(4)];
        let sets = [&[][..], &[Var(1)], &[Var(3), Var(1)]];
        for kind in ScoreKind::all().filter(|k| k.counts()) {
            let score = settings(kind).build(&data).unwrap();
            let family = |parents: &[Var], c: Var| [&[c], parents].concat();
            let families: Vec<Vec<Var>> =
                sets.iter().flat_map(|set| candidates.iter().map(|&c| family(set, c))).collect();
            let one_by_one: Vec<f64> = families.iter().map(|parents| score.local(Var(0), parents)).collect();
            let (mut swept, mut batched, mut locals) = (Vec::new(), Vec::new(), Vec::new());
            sets.iter().for_each(|set| score.sweep(Var(0), set, &candidates, &mut swept));
            let sweeps = sets.map(|given| Sweep { target: Var(0), candidates: &candidates, given });
            score.batch(&sweeps, &mut batched);
            let asked: Vec<(Var, &[Var])> = families.iter().map(|p| (Var(0), p.as_slice())).collect();
            score.locals(&asked, &mut locals);
            prop_assert_eq!(&swept, &one_by_one);
            prop_assert_eq!(&batched, &one_by_one);
            prop_assert_eq!(&locals, &one_by_one);
        }
    }

    /// Reversing arcs whose ends have the same other parents leads to every graph of the class.
    #[test]
    fn equivalent_graphs_have_the_same_score_to_the_bit(
        rows in 1usize..2000, levels in prop::collection::vec(2usize..6, 7), share in 20usize..80, seed: u64,
    ) {
        let data = random_data(rows, &levels, seed);
        let mut dag = random_dag(7, share, seed);
        let equivalent = ScoreKind::all().filter(|k| k.counts() && k.is_score_equivalent());
        let scores: Vec<_> = equivalent.map(|k| settings(k).build(&data).unwrap()).collect();
        let before: Vec<f64> = scores.iter().map(|s| total(&**s, &dag)).collect();
        for round in 0..10usize {
            let covered: Vec<(Var, Var)> =
                dag.arcs().filter(|&(x, y)| *dag.parents(y) == dag.parents(x).with(x)).collect();
            let Some(&(x, y)) = covered.get(round * 7 % covered.len().max(1)) else { break };
            dag.try_reverse(x, y).unwrap();
            let after: Vec<f64> = scores.iter().map(|s| total(&**s, &dag)).collect();
            prop_assert_eq!(&after, &before);
        }
    }

    #[test]
    fn rows_levels_and_parents_may_come_in_any_order(
        rows in 2usize..500, levels in prop::collection::vec(1usize..12, 5), seed: u64,
    ) {
        let data = random_data(rows, &levels, seed);
        let other = shuffled(&data, seed);
        for kind in ScoreKind::all().filter(|k| k.counts()) {
            let (one, two) = (settings(kind).build(&data).unwrap(), settings(kind).build(&other).unwrap());
            let portable = settings(kind).build_with(&Sources::elsewhere(&data, Arc::new(Counter::with_simd(&data, Simd::Portable)))).unwrap();
            let value = one.local(Var(2), &[Var(0), Var(1), Var(4)]);
            prop_assert_eq!(value, two.local(Var(2), &[Var(4), Var(0), Var(1)]));
            prop_assert_eq!(value, portable.local(Var(2), &[Var(1), Var(4), Var(0)]));
        }
    }
}

#[test]
fn thirty_parents_of_a_hundred_levels_are_no_trouble() {
    let data = random_data(200, &[100; 31], 1);
    let parents: Vec<Var> = (1..31).map(Var).collect();
    for kind in ScoreKind::all().filter(|k| k.counts()) {
        let score = settings(kind).build(&data).unwrap();
        assert!(score.local(Var(0), &parents).is_finite(), "{kind:?}");
        // 100^4 configurations, 200 rows.
        let (ours, theirs) =
            (score.local(Var(0), &parents[..4]), naive(kind, 10.0, &data, Var(0), &parents[..4]));
        assert!(near(ours, theirs), "{kind:?}: {ours} {theirs}");
    }
}

#[test]
fn one_row_and_constant_columns_have_scores() {
    let data = Dataset::new(vec![
        (Variable::new("a", ["0", "1"]).unwrap(), Column::from_codes([1], 2)),
        (Variable::new("b", ["0"]).unwrap(), Column::from_codes([0], 1)),
    ])
    .unwrap();
    for kind in ScoreKind::all().filter(|k| k.counts()) {
        let score = settings(kind).build(&data).unwrap();
        for (child, parents) in [(Var(0), &[][..]), (Var(0), &[Var(1)]), (Var(1), &[]), (Var(1), &[Var(0)])] {
            let (ours, theirs) = (score.local(child, parents), naive(kind, 10.0, &data, child, parents));
            assert!(near(ours, theirs), "{kind:?} {child:?} {parents:?}: {ours} {theirs}");
        }
        assert_eq!(score.local(Var(1), &[Var(0)]), 0.0, "{kind:?}: nothing to explain, nothing to pay");
    }
}

#[test]
fn names_and_sample_sizes_are_checked() {
    assert!(ScoreKind::all().all(|k| ScoreKind::of(k.word()).unwrap() == k));
    assert_eq!(ScoreKind::of("bde").unwrap(), ScoreKind::Bdeu);
    let mistyped = ScoreKind::of("bdue").unwrap_err();
    assert_eq!(mistyped.to_string(), r#"there is no score "bdue" (did you mean "bdeu"?)"#);
    let data = random_data(10, &[2, 2], 1);
    for iss in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused =
            ScoreSettings { kind: ScoreKind::Bdeu, iss, ..ScoreSettings::default() }.build(&data).err();
        assert!(matches!(refused, Some(Error::Mismatch { .. })), "{iss}");
        assert!(ScoreSettings { kind: ScoreKind::Bic, iss, ..ScoreSettings::default() }.build(&data).is_ok());
    }
}

/// 2^130 configurations do not fit in 128 bits. The formulas are those of the scores, written out.
#[test]
fn a_hundred_and_thirty_parents_have_their_price() {
    let (rows, parents) = (40, 130);
    let mut random = Sequence::new(5);
    let column = |i: usize| {
        let codes: Vec<u16> = (0..rows).map(|_| random.below(2) as u16).collect();
        (Variable::new(format!("v{i:03}"), ["0", "1"]).unwrap(), Column::from_codes(codes, 2))
    };
    let data = Dataset::new((0..=parents).map(column).collect()).unwrap();
    let all: Vec<Var> = (1..=parents).map(Var::new).collect();
    let local = |kind: ScoreKind| settings(kind).build(&data).unwrap().local(Var(0), &all);
    let near =
        |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
    let (n, configurations) = (f64::from(rows), 2f64.powi(130));
    // Every row is the only one of its configuration, so the likelihood is 1.
    assert_eq!(local(ScoreKind::LogLik), 0.0);
    near(local(ScoreKind::Bic), -0.5 * n.ln() * configurations);
    near(local(ScoreKind::Aic), -configurations);
    // ln(a / 2q) - ln(a / q) for each row: a half, as the prior says.
    near(local(ScoreKind::Bdeu), n * 0.5f64.ln());
    near(local(ScoreKind::Qnml), -n * 2f64.ln());
}
