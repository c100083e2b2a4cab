//! Questions to a network: golden posteriors, the definition by enumeration, rows, interventions, sampling.

mod cliques;
mod interventions;
mod naive;
mod rows;
mod weighting;

use std::io::Read;

use flate2::read::GzDecoder;
use ossature::infer::{Given, Inference, Limit};
use ossature::network::{bif, catalogue};
use ossature::text::thousands;
use ossature::{Error, Network, Var};
use proptest::prelude::*;
use rayon::prelude::*;
use serde_json::Value;

use naive::{choices, configurations, joint};

fn engine(network: &Network) -> Inference {
    Inference::new(network, Limit::default())
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * b.abs().max(1.0)
}

fn all_close(a: &[f64], b: &[f64], tolerance: f64) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(*a, *b, tolerance))
}

fn normalised(numbers: &[f64]) -> Vec<f64> {
    let sum: f64 = numbers.iter().sum();
    numbers.iter().map(|x| x / sum).collect()
}

#[test]
fn posteriors_are_the_golden_ones() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/posteriors.json.gz");
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let golden: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(golden.len(), 60);
    for case in golden {
        let network = catalogue::load(case["network"].as_str().unwrap()).unwrap();
        let given = case["given"].as_object().unwrap();
        let given = given.iter().map(|(name, level)| (name.as_str(), level.as_str().unwrap()));
        let evidence = Given::named(&network, given).unwrap();
        let target = network.require(case["target"].as_str().unwrap()).unwrap();
        let found = engine(&network).query(&[target], &evidence).unwrap();
        let p_evidence = case["p_evidence"].as_f64().unwrap();
        assert!((found.ln_evidence.exp() / p_evidence - 1.0).abs() < 1e-5, "{case}");
        for (level, p) in network.variable(target).levels().iter().zip(found.of(target)) {
            assert!((case["posterior"][level].as_f64().unwrap() - p).abs() < 1e-5, "{case}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn answers_are_those_of_the_definition(
        network in naive::network(7),
        choices in choices(7),
        asked in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let evidence = naive::evidence(&network, &choices);
        let rows = configurations(&network, &evidence);
        let total: f64 = rows.iter().map(|(_, p)| p).sum();
        let engine = engine(&network);
        let n = network.dag().nodes();
        let mut vars: Vec<Var> = Vec::new();
        for v in asked.iter().map(|i| Var::new(i.index(n))) {
            if !vars.contains(&v) {
                vars.push(v);
            }
        }
        let ln = engine.ln_probability(&evidence).unwrap();
        if total == 0.0 {
            prop_assert_eq!(ln, f64::NEG_INFINITY);
            let said = engine.query(&vars, &evidence).unwrap_err();
            prop_assert!(matches!(said, Error::Impossible { .. }), "{}", said);
            let ruled_out = matches!(engine.most_probable(&evidence), Err(Error::Impossible { .. }));
            prop_assert!(ruled_out);
            return Ok(());
        }
        prop_assert!(close(ln, total.ln(), 1e-12), "{} {}", ln, total.ln());

        let all = engine.posteriors(&evidence).unwrap();
        prop_assert!(close(all.ln_evidence, total.ln(), 1e-12));
        let some = engine.query(&vars, &evidence).unwrap();
        for v in network.dag().vars() {
            let expected = normalised(&joint(&network, &rows, &[v]));
            prop_assert!(all_close(all.of(v), &expected, 1e-12), "{:?} {:?}", all.of(v), expected);
            if vars.contains(&v) {
                prop_assert!(all_close(some.of(v), &expected, 1e-12));
            }
        }
        let together = engine.joint(&vars, &evidence).unwrap();
        let expected = normalised(&joint(&network, &rows, &vars));
        prop_assert!(all_close(&together.probabilities, &expected, 1e-12));

        let mut families = 0;
        engine.families(&evidence, |v, found| {
            let family: Vec<Var> = network.dag().parents(v).iter().chain([v]).collect();
            assert!(all_close(found, &normalised(&joint(&network, &rows, &family)), 1e-12));
            families += 1;
        }).unwrap();
        prop_assert_eq!(families, n);

        check_best(&engine, &evidence, &rows);
    }

    #[test]
    fn very_small_numbers_make_no_difference(network in naive::tiny_network(6), choices in choices(6)) {
        let evidence = naive::evidence(&network, &choices);
        let rows = configurations(&network, &evidence);
        let total: f64 = rows.iter().map(|(_, p)| p).sum();
        // Much below this, the plain products of the definition are not accurate.
        prop_assume!(total > 1e-80);
        let found = engine(&network).posteriors(&evidence).unwrap();
        prop_assert!(close(found.ln_evidence, total.ln(), 1e-12));
        for v in network.dag().vars() {
            let expected = normalised(&joint(&network, &rows, &[v]));
            prop_assert!(all_close(found.of(v), &expected, 1e-12), "{:?} {:?}", found.of(v), expected);
        }
    }

    #[test]
    fn of_explanations_that_are_as_good_the_first_is_found(
        network in naive::even_network(7), choices in choices(7),
    ) {
        let evidence = naive::evidence(&network, &choices);
        let rows = configurations(&network, &evidence);
        prop_assume!(rows.iter().any(|(_, p)| *p > 0.0));
        check_best(&engine(&network), &evidence, &rows);
    }

    #[test]
    fn the_probability_of_evidence_sums_to_1(network in naive::network(6), given: u8) {
        let engine = engine(&network);
        let vars: Vec<Var> = network.dag().vars().filter(|v| given >> v.index() & 1 == 1).collect();
        let mut all = vec![Given::none()];
        for &v in &vars {
            let levels = 0..network.cardinality(v) as u16;
            all = all.into_iter().flat_map(|e| levels.clone().map(move |l| e.clone().with(v, l))).collect();
        }
        let sum: f64 = all.iter().map(|e| engine.ln_probability(e).unwrap().exp()).sum();
        prop_assert!(close(sum, 1.0, 1e-12), "{}", sum);
    }

}

/// The most probable explanation is the best of all configurations, and of several the first in their order.
fn check_best(engine: &Inference, evidence: &Given, rows: &[(Vec<u16>, f64)]) {
    let best = engine.most_probable(evidence).unwrap();
    let most = rows.iter().map(|(_, p)| *p).fold(0.0, f64::max);
    assert!(close(best.ln_probability, most.ln(), 1e-12));
    let first = rows.iter().find(|(_, p)| *p >= most * (1.0 - 1e-10)).unwrap();
    assert_eq!(best.levels, first.0);
}

#[test]
fn impossible_evidence_is_said_to_be() {
    let asia = catalogue::load("asia").unwrap();
    let evidence =
        Given::named(&asia, [("either", "no"), ("lung", "yes"), ("smoke", "yes"), ("xray", "no")]).unwrap();
    let smoke = asia.require("bronc").unwrap();
    let said = engine(&asia).query(&[smoke], &evidence).unwrap_err().to_string();
    assert_eq!(said, "the network rules this out: either = no, lung = yes; its probability is 0");
    let nothing = Given::none().with_likelihood(smoke, vec![0.0, 0.0]);
    assert!(matches!(engine(&asia).posteriors(&nothing), Err(Error::Impossible { .. })));
    let wrong = Given::none().with_likelihood(smoke, vec![1.0, -1.0]);
    assert_eq!(
        engine(&asia).posteriors(&wrong).unwrap_err().to_string(),
        "the likelihoods of \"bronc\" are [1.0, -1.0]; 2 numbers are needed, one for each level, none below 0"
    );
}

/// A class and a number of features that depend on it.
fn naive_bayes(features: usize, p: f64) -> Network {
    let mut text = "network nb { }\nvariable aclass { type discrete [ 2 ] { no, yes }; }\n".to_owned();
    text += "probability ( aclass ) { table 0.5, 0.5; }\n";
    for i in 0..features {
        text += &format!("variable f{i:05} {{ type discrete [ 2 ] {{ no, yes }}; }}\n");
        text +=
            &format!("probability ( f{i:05} | aclass ) {{ (no) {p}, {q}; (yes) {q}, {p}; }}\n", q = 1.0 - p);
    }
    bif::parse(&text, "nb").unwrap().network
}

#[test]
fn nothing_gets_too_small_for_a_number() {
    // A thousand features support one class, and then a thousand and one support the other.
    let network = naive_bayes(2001, 0.001);
    let class = network.require("aclass").unwrap();
    let all = network.dag().vars().filter(|&v| v != class);
    let evidence = all.enumerate().fold(Given::none(), |e, (i, v)| e.with(v, u16::from(i < 1000)));
    let found = engine(&network).query(&[class], &evidence).unwrap();
    assert!(all_close(found.of(class), &[0.001, 0.999], 1e-9), "{:?}", found.of(class));
    let ln = 1000.0 * (0.001_f64.ln() + 0.999_f64.ln());
    assert!(close(found.ln_evidence, ln + 0.5_f64.ln(), 1e-12), "{}", found.ln_evidence);
    let best = engine(&network).most_probable(&evidence).unwrap();
    assert_eq!(best.levels[class.index()], 1);
}

#[test]
fn large_and_small_likelihoods_are_scaled() {
    let asia = catalogue::load("asia").unwrap();
    let (smoke, bronc) = (asia.require("smoke").unwrap(), asia.require("bronc").unwrap());
    let of = |factor: f64| {
        let e = Given::none().with_likelihood(smoke, vec![0.9 * factor, 0.1 * factor]);
        engine(&asia).query(&[bronc], &e.with_likelihood(bronc, vec![factor, factor])).unwrap()
    };
    let plain = of(1.0);
    for factor in [1e300, 1e-300] {
        let found = of(factor);
        assert!(all_close(found.of(bronc), plain.of(bronc), 1e-14));
        assert!(close(found.ln_evidence, plain.ln_evidence + 2.0 * f64::ln(factor), 1e-14));
    }
}

/// The number of variables in the largest clique, the entries of its table, and the entries of all tables,
/// for the posteriors of all variables.
const COSTS: [(&str, usize, u128, u128); 24] = [
    ("alarm", 5, 144, 1038),
    ("andes", 18, 262_144, 389_854),
    ("asia", 3, 8, 40),
    ("barley", 8, 7_257_600, 18_433_619),
    ("cancer", 3, 8, 16),
    ("child", 4, 216, 678),
    ("diabetes", 6, 190_080, 9_989_707),
    ("earthquake", 3, 8, 16),
    ("hailfinder", 5, 3267, 9406),
    ("hepar2", 7, 384, 2617),
    ("insurance", 8, 28_800, 46_872),
    ("link", 14, 2_097_152, 27_324_058),
    ("mildew", 5, 2_810_880, 5_160_584),
    ("munin", 9, 784_000, 13_918_370),
    ("munin1", 12, 78_400_000, 195_218_381),
    ("munin2", 8, 196_000, 4_044_622),
    ("munin3", 8, 156_800, 3_106_624),
    ("munin4", 9, 784_000, 13_917_890),
    ("pathfinder", 7, 32_256, 182_641),
    ("pigs", 11, 177_147, 709_344),
    ("sachs", 4, 81, 216),
    ("survey", 3, 12, 32),
    ("water", 11, 1_769_472, 3_657_180),
    ("win95pts", 9, 512, 2684),
];

#[test]
fn all_embedded_networks_but_one_are_within_the_limit() {
    COSTS.into_par_iter().for_each(|(name, largest_clique, largest, entries)| {
        let engine = engine(&catalogue::load(name).unwrap());
        let cost = engine.cost().unwrap();
        assert_eq!(
            (cost.largest_clique, cost.largest, cost.entries),
            (largest_clique, largest, entries),
            "{name}"
        );
        assert_eq!(entries > u128::from(Limit::default().entries), name == "munin1");
    });
}

#[test]
fn what_is_too_large_is_said_beforehand() {
    let mildew = catalogue::load("mildew").unwrap();
    let small = Inference::new(&mildew, Limit { entries: 1000 });
    let said = small.posteriors(&Given::none()).unwrap_err().to_string();
    assert!(said.starts_with("exact inference, with up to "), "{said}");
    assert!(said.ends_with("entries; the limit is 1,000"), "{said}");
    let cost = small.cost().unwrap();
    assert!(said.contains(&format!("would need {} entries", thousands(cost.entries))), "{said}");
    // A variable without parents needs only itself.
    let root = mildew.dag().vars().find(|v| mildew.dag().parents(*v).is_empty()).unwrap();
    assert!(small.query(&[root], &Given::none()).is_ok());
    let all: Vec<Var> = mildew.dag().vars().collect();
    assert!(matches!(engine(&mildew).joint(&all, &Given::none()), Err(Error::TooLarge { .. })));
}

#[test]
fn pairs_are_joint_distributions() {
    let network = catalogue::load("child").unwrap();
    let engine = engine(&network);
    let x = network.require("Disease").unwrap();
    for pair in engine.pairs(x).unwrap() {
        let expected = engine.pair(x, pair.vars[1]).unwrap();
        assert_eq!((&pair.vars, &pair.levels), (&expected.vars, &expected.levels));
        assert!(all_close(&pair.probabilities, &expected.probabilities, 1e-13));
    }
}
