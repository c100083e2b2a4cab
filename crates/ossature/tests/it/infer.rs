//! Asking a network: golden posteriors, the definition by enumeration, rows, interventions, sampling.

mod naive;

use std::io::Read;

use flate2::read::GzDecoder;
use ossature::infer::{
    Evidence, Inference, Limit, PartialRows, QueryReport, Unseen, effects, intervene, likelihood_weighting,
    possible_parents,
};
use ossature::network::{Prior, bif, catalogue, fit};
use ossature::{Column, Dag, Dataset, Error, Network, Silent, Var, Variable};
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
        let evidence = Evidence::named(&network, given).unwrap();
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

        let best = engine.most_probable(&evidence).unwrap();
        let most = rows.iter().map(|(_, p)| *p).fold(0.0, f64::max);
        prop_assert!(close(best.ln_probability, most.ln(), 1e-12));
        // Of those that are as good, the first: rows are in that order.
        let first = rows.iter().find(|(_, p)| *p >= most * (1.0 - 1e-10)).unwrap();
        prop_assert_eq!(&best.levels, &first.0);
    }

    #[test]
    fn the_probability_of_evidence_sums_to_1(network in naive::network(6), given: u8) {
        let engine = engine(&network);
        let vars: Vec<Var> = network.dag().vars().filter(|v| given >> v.index() & 1 == 1).collect();
        let mut all = vec![Evidence::none()];
        for &v in &vars {
            let levels = 0..network.cardinality(v) as u16;
            all = all.into_iter().flat_map(|e| levels.clone().map(move |l| e.clone().with(v, l))).collect();
        }
        let sum: f64 = all.iter().map(|e| engine.ln_probability(e).unwrap().exp()).sum();
        prop_assert!(close(sum, 1.0, 1e-12), "{}", sum);
    }

    #[test]
    fn an_intervention_cuts_what_comes_in(
        network in naive::network(6), set in any::<prop::sample::Index>(), level: u16, choices in choices(6),
    ) {
        let x = Var::new(set.index(network.dag().nodes()));
        let level = level % network.cardinality(x) as u16;
        let evidence = naive::evidence(&network, &choices);
        prop_assume!(evidence.level(x).is_none_or(|known| known == level));
        // By the definition: the product of all tables but that of x.
        let plain = configurations(&network, &evidence);
        let own = |row: &[u16]| {
            let parents = network.dag().parents(x).iter();
            let q = parents.fold(0, |q, p| q * network.cardinality(p) + usize::from(row[p.index()]));
            network.table(x).row(q)[usize::from(row[x.index()])]
        };
        prop_assume!(plain.iter().all(|(row, _)| own(row) > 0.0));
        let cut: Vec<(Vec<u16>, f64)> = plain
            .into_iter()
            .map(|(row, p)| {
                let kept = if row[x.index()] == level { p / own(&row) } else { 0.0 };
                (row, kept)
            })
            .collect();
        let total: f64 = cut.iter().map(|(_, p)| p).sum();
        prop_assume!(total > 0.0);
        let after = engine(&intervene(&network, &[(x, level)]).unwrap());
        let found = after.posteriors(&evidence).unwrap();
        prop_assert!(close(found.ln_evidence, total.ln(), 1e-11));
        for v in network.dag().vars() {
            prop_assert!(all_close(found.of(v), &normalised(&joint(&network, &cut, &[v])), 1e-11));
        }
    }

    #[test]
    fn effects_are_those_of_all_members_of_the_class(
        arcs in prop::collection::vec(any::<bool>(), 10), seed in 0_u64..1000,
    ) {
        let mut chosen = arcs.iter();
        let pairs = (0..5).flat_map(|to| (0..to).map(move |from| (Var::new(from), Var::new(to))));
        let dag = Dag::from_arcs(5, pairs.filter(|_| *chosen.next().unwrap())).unwrap();
        let data = random_rows(seed);
        let fitted = |dag: &Dag| Ok(fit(&data, dag, Prior::Bdeu { iss: 1.0 }, &Silent)?.network);
        let class = dag.cpdag();
        let (x, y) = (Var(seed as u32 % 5), Var((seed as u32 + 1) % 5));
        let found = effects(&class, x, y, Limit::default(), &fitted).unwrap();
        // Every member of the class, each with tables of its own and by surgery.
        let members: Vec<Dag> = all_dags(&dag).into_iter().filter(|d| d.cpdag() == class).collect();
        let sets = possible_parents(&class, x).unwrap();
        for set in &sets {
            prop_assert!(members.iter().any(|m| m.parents(x) == set), "no member has {:?}", set);
        }
        for member in &members {
            let network = fitted(member).unwrap();
            let at = sets.iter().position(|s| s == member.parents(x)).unwrap();
            for level in 0..2_u16 {
                let set = intervene(&network, &[(x, level)]).unwrap();
                let expected = engine(&set).query(&[y], &Evidence::none()).unwrap();
                let ours = found.effects[at].distributions[usize::from(level)].as_ref().unwrap();
                prop_assert!(all_close(ours, expected.of(y), 1e-9));
            }
        }
    }
}

fn random_rows(seed: u64) -> Dataset {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
    let mut bit = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as u16 & 1
    };
    let column = |i: usize, codes: Vec<u16>| {
        (Variable::new(format!("v{i}"), ["a", "b"]).unwrap(), Column::from_codes(codes, 2))
    };
    let columns = (0..5).map(|i| column(i, (0..100).map(|_| bit()).collect())).collect();
    Dataset::new(columns).unwrap()
}

/// All acyclic ways to direct the edges of a graph.
fn all_dags(dag: &Dag) -> Vec<Dag> {
    let arcs: Vec<(Var, Var)> = dag.arcs().collect();
    (0_u32..1 << arcs.len())
        .filter_map(|turned| {
            let turn =
                |(i, &(a, b)): (usize, &(Var, Var))| if turned >> i & 1 == 1 { (b, a) } else { (a, b) };
            Dag::from_arcs(dag.nodes(), arcs.iter().enumerate().map(turn)).ok()
        })
        .collect()
}

#[test]
fn impossible_evidence_is_said_to_be() {
    let asia = catalogue::load("asia").unwrap();
    let evidence =
        Evidence::named(&asia, [("either", "no"), ("lung", "yes"), ("smoke", "yes"), ("xray", "no")])
            .unwrap();
    let smoke = asia.require("bronc").unwrap();
    let said = engine(&asia).query(&[smoke], &evidence).unwrap_err().to_string();
    assert_eq!(said, "the network rules this out: either = no, lung = yes; its probability is 0");
    let nothing = Evidence::none().with_likelihood(smoke, vec![0.0, 0.0]);
    assert!(matches!(engine(&asia).posteriors(&nothing), Err(Error::Impossible { .. })));
    let wrong = Evidence::none().with_likelihood(smoke, vec![1.0, -1.0]);
    assert_eq!(
        engine(&asia).posteriors(&wrong).unwrap_err().to_string(),
        "the likelihoods of \"bronc\" are [1.0, -1.0]; 2 numbers are needed, one for each level, none below 0"
    );
}

/// A class and so many features that depend on it.
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
    // A thousand features speak for one class, and then as many and one more for the other.
    let network = naive_bayes(2001, 0.001);
    let class = network.require("aclass").unwrap();
    let all = network.dag().vars().filter(|&v| v != class);
    let evidence = all.enumerate().fold(Evidence::none(), |e, (i, v)| e.with(v, u16::from(i < 1000)));
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
        let e = Evidence::none().with_likelihood(smoke, vec![0.9 * factor, 0.1 * factor]);
        engine(&asia).query(&[bronc], &e.with_likelihood(bronc, vec![factor, factor])).unwrap()
    };
    let plain = of(1.0);
    for factor in [1e300, 1e-300] {
        let found = of(factor);
        assert!(all_close(found.of(bronc), plain.of(bronc), 1e-14));
        assert!(close(found.ln_evidence, plain.ln_evidence + 2.0 * f64::ln(factor), 1e-14));
    }
}

/// Variables in the largest clique, entries of its table, entries of all tables, when the posteriors of all
/// variables are asked.
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
    let said = small.posteriors(&Evidence::none()).unwrap_err().to_string();
    assert!(said.starts_with("exact inference, with up to "), "{said}");
    assert!(said.ends_with("entries, the limit is 1000"), "{said}");
    let cost = small.cost().unwrap();
    assert!(said.contains(&format!("would need {} entries", cost.entries)), "{said}");
    // A variable without parents needs only itself.
    let root = mildew.dag().vars().find(|v| mildew.dag().parents(*v).is_empty()).unwrap();
    assert!(small.query(&[root], &Evidence::none()).is_ok());
    let all: Vec<Var> = mildew.dag().vars().collect();
    assert!(matches!(engine(&mildew).joint(&all, &Evidence::none()), Err(Error::TooLarge { .. })));
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

#[test]
fn weighting_is_within_its_stated_error() {
    let network = catalogue::load("alarm").unwrap();
    let evidence = Evidence::named(&network, [("HRBP", "HIGH"), ("CVP", "LOW")]).unwrap();
    let evidence = evidence.with_likelihood(network.require("BP").unwrap(), vec![0.5, 2.0, 1.0]);
    let targets: Vec<Var> =
        ["LVFAILURE", "HYPOVOLEMIA", "CATECHOL"].map(|n| network.require(n).unwrap()).into();
    let exact = engine(&network).query(&targets, &evidence).unwrap();
    let found = likelihood_weighting(&network, &targets, &evidence, 50_000, 7, &Silent).unwrap();
    for ((v, p), (_, errors)) in found.posteriors.distributions.iter().zip(&found.errors) {
        for ((p, error), truth) in p.iter().zip(errors).zip(exact.of(*v)) {
            assert!(*error < 0.02 && (p - truth).abs() <= 3.0 * error, "{p} {truth} {error}");
        }
    }
    let off = (found.posteriors.ln_evidence - exact.ln_evidence).abs();
    assert!(off <= 3.0 * found.ln_evidence_error && found.ln_evidence_error < 0.05);
    assert!(found.effective > 100.0 && found.effective < 50_000.0);
    let threads = |n: usize| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
    let again = threads(1)
        .install(|| likelihood_weighting(&network, &targets, &evidence, 50_000, 7, &Silent).unwrap());
    assert_eq!(found, again);
}

#[test]
fn the_stated_error_is_the_spread_over_seeds() {
    let network = catalogue::load("asia").unwrap();
    let evidence = Evidence::named(&network, [("dysp", "yes"), ("xray", "yes")]).unwrap();
    let lung = network.require("lung").unwrap();
    let exact = engine(&network).query(&[lung], &evidence).unwrap();
    let runs: Vec<_> = (0..300)
        .map(|seed| likelihood_weighting(&network, &[lung], &evidence, 1024, seed, &Silent).unwrap())
        .collect();
    let mean = |of: &dyn Fn(usize) -> f64| (0..300).map(of).sum::<f64>() / 300.0;
    let spread = mean(&|i| (runs[i].posteriors.of(lung)[0] - exact.of(lung)[0]).powi(2)).sqrt();
    let stated = mean(&|i| runs[i].errors[0].1[0]);
    assert!((0.8..1.25).contains(&(spread / stated)), "{spread} {stated}");
    let spread = mean(&|i| (runs[i].posteriors.ln_evidence - exact.ln_evidence).powi(2)).sqrt();
    let stated = mean(&|i| runs[i].ln_evidence_error);
    assert!((0.8..1.25).contains(&(spread / stated)), "{spread} {stated}");
}

#[test]
fn no_sample_that_agrees_is_an_error() {
    let asia = catalogue::load("asia").unwrap();
    let impossible = Evidence::named(&asia, [("tub", "yes"), ("either", "no")]).unwrap();
    let lung = asia.require("lung").unwrap();
    let said = likelihood_weighting(&asia, &[lung], &impossible, 1000, 0, &Silent).unwrap_err().to_string();
    assert!(said.starts_with("none of 1000 samples agrees with the evidence"), "{said}");
}

/// Rows of a sample in which each field is missing with some chance.
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

fn known(rows: &PartialRows, row: usize) -> Evidence {
    let fields = rows.row(row).iter().enumerate();
    fields.fold(Evidence::none(), |e, (v, field)| match field {
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
        let others = others.fold(Evidence::none(), |e, (v, field)| match field {
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
        ["target", "rows", "accuracy", "log_loss"]
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
}

#[test]
fn a_report_of_a_query_has_its_keys() {
    let asia = catalogue::load("asia").unwrap();
    let smoke = asia.require("smoke").unwrap();
    let evidence = Evidence::named(&asia, [("dysp", "yes")]).unwrap();
    let lung = asia.require("lung").unwrap();
    let cut = intervene(&asia, &[(smoke, 0)]).unwrap();
    let found = engine(&cut).query(&[lung], &evidence).unwrap();
    let json = serde_json::to_value(QueryReport::exact(&asia, &evidence, &[(smoke, 0)], &found)).unwrap();
    assert_eq!(json["given"], serde_json::json!({"dysp": "yes"}));
    assert_eq!(json["do"], serde_json::json!({"smoke": "yes"}));
    assert_eq!(json["posteriors"]["lung"]["yes"].as_f64().unwrap(), found.of(lung)[0]);
    assert!(json["p_evidence"].is_f64() && json["sampling"].is_null());
    let sampled = likelihood_weighting(&cut, &[lung], &evidence, 1000, 0, &Silent).unwrap();
    let json = serde_json::to_value(QueryReport::estimated(&asia, &evidence, &[], &sampled)).unwrap();
    assert!(json["sampling"]["standard_errors"]["lung"]["yes"].as_f64().unwrap() > 0.0);
}
