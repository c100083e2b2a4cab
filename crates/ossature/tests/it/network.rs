#![allow(clippy::unwrap_used)]

use std::ops::ControlFlow;
use std::sync::Mutex;

use ossature::network::catalogue::{self, Summary};
use ossature::network::{Fitted, Prior, ProbabilityTable, fit};
use ossature::random::hash;
use ossature::{Column, Dag, Dataset, Error, Event, Network, Progress, Silent, Stop, Var, Variable, counts};
use proptest::prelude::*;
use rayon::prelude::*;

/// Name, variables, edges, in and out degree, levels, and sizes of parents-and-children sets.
type Line = (&'static str, usize, usize, [usize; 2], [usize; 2], (usize, f64, usize));

/// Table 1 of the paper.
const TABLE_1: [Line; 8] = [
    ("child", 20, 25, [2, 7], [2, 6], (1, 2.0, 8)),
    ("insurance", 27, 52, [3, 7], [2, 5], (1, 3.0, 9)),
    ("mildew", 35, 46, [3, 3], [3, 100], (1, 2.0, 5)),
    ("alarm", 37, 46, [4, 5], [2, 4], (1, 2.0, 6)),
    ("hailfinder", 56, 66, [4, 16], [2, 11], (1, 1.5, 17)),
    ("munin1", 186, 273, [3, 15], [2, 21], (1, 3.0, 15)),
    ("pigs", 441, 592, [2, 39], [3, 3], (1, 2.0, 41)),
    ("link", 724, 1125, [3, 14], [2, 4], (0, 2.0, 17)),
];

#[test]
fn the_embedded_networks_are_those_of_table_1() {
    for (name, variables, edges, [max_in, max_out], [min_levels, max_levels], (pc_min, pc_median, pc_max)) in
        TABLE_1
    {
        let network = catalogue::load(name).unwrap();
        let expected = Summary {
            name: name.into(),
            variables,
            edges,
            max_in,
            max_out,
            min_levels,
            max_levels,
            pc_min,
            pc_median,
            pc_max,
            parameters: network.parameters(),
        };
        assert_eq!(catalogue::summary(name, &network), expected);
    }
}

/// The number of variables, edges and free parameters of each network, counted from the source files.
const SIZES: [(&str, usize, usize, u128); 24] = [
    ("alarm", 37, 46, 509),
    ("andes", 223, 338, 1157),
    ("asia", 8, 8, 18),
    ("barley", 48, 84, 114_005),
    ("cancer", 5, 4, 10),
    ("child", 20, 25, 230),
    ("diabetes", 413, 602, 429_409),
    ("earthquake", 5, 4, 10),
    ("hailfinder", 56, 66, 2656),
    ("hepar2", 70, 123, 1453),
    ("insurance", 27, 52, 1008),
    ("link", 724, 1125, 14_211),
    ("mildew", 35, 46, 540_150),
    ("munin", 1041, 1397, 80_592),
    ("munin1", 186, 273, 15_622),
    ("munin2", 1003, 1244, 69_431),
    ("munin3", 1041, 1306, 71_059),
    ("munin4", 1038, 1388, 80_352),
    ("pathfinder", 109, 195, 72_079),
    ("pigs", 441, 592, 5618),
    ("sachs", 11, 17, 178),
    ("survey", 6, 6, 21),
    ("water", 32, 66, 10_083),
    ("win95pts", 76, 112, 574),
];

#[test]
fn all_embedded_networks_have_their_sizes() {
    assert!(catalogue::names().eq(SIZES.iter().map(|line| line.0)));
    SIZES.into_par_iter().for_each(|(name, variables, edges, parameters)| {
        let network = catalogue::load(name).unwrap();
        let found = (network.dag().nodes(), network.dag().len(), network.parameters());
        assert_eq!(found, (variables, edges, parameters), "{name}");
    });
}

#[test]
fn the_embedded_networks_take_less_than_3_mb() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/networks");
    let files = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap());
    let sizes = files
        .filter(|f| f.path().extension().is_some_and(|e| e == "gz"))
        .map(|f| f.metadata().unwrap().len());
    let (count, bytes) = sizes.fold((0, 0), |(count, bytes), size| (count + 1, bytes + size));
    assert_eq!(count, 24);
    assert!(bytes < 3_000_000, "{bytes}");
}

/// FNV-1a over the codes, column by column.
fn fingerprint(data: &Dataset) -> u64 {
    let codes = data.vars().flat_map(|v| (0..data.rows()).map(move |r| data.column(v).code(r)));
    hash(codes.flat_map(u16::to_le_bytes))
}

#[test]
fn a_sample_is_the_same_for_ever() {
    let fingerprints: Vec<u64> = [("asia", 0), ("alarm", 1), ("mildew", u64::MAX)]
        .map(|(name, seed)| fingerprint(&catalogue::load(name).unwrap().sample(3000, seed, &Silent).unwrap()))
        .to_vec();
    // From an implementation in another language, written from the description in `sample.rs`.
    assert_eq!(
        fingerprints,
        [16_567_816_743_199_551_997, 11_959_867_268_672_020_183, 8_442_002_456_532_807_914]
    );
}

#[test]
fn a_sample_does_not_depend_on_the_number_of_threads() {
    let child = catalogue::load("child").unwrap();
    let sample = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| child.sample(70_000, 5, &Silent).unwrap())
    };
    let one = sample(1);
    assert!(one == sample(2) && one == sample(7));
    assert!(one != child.sample(70_000, 6, &Silent).unwrap());
}

#[test]
fn a_longer_sample_begins_with_the_shorter_one() {
    let child = catalogue::load("child").unwrap();
    let long = child.sample(66_000, 3, &Silent).unwrap();
    for rows in [1, 1023, 1024, 1025, 65_537] {
        let short = child.sample(rows, 3, &Silent).unwrap();
        assert_eq!(short.rows(), rows);
        for v in short.vars() {
            assert!(
                (0..rows).all(|r| short.column(v).code(r) == long.column(v).code(r)),
                "{rows} rows, {v:?}"
            );
        }
    }
}

/// Records the reports and stops after some of them.
struct StopAfter {
    reports: usize,
    told: Mutex<Vec<Event>>,
}

impl Progress for StopAfter {
    fn report(&self, event: Event) -> ControlFlow<Stop> {
        let mut told = self.told.lock().unwrap();
        told.push(event);
        if told.len() == self.reports { ControlFlow::Break(Stop::Finish) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn sampling_tells_where_it_is_and_can_be_stopped() {
    let asia = catalogue::load("asia").unwrap();
    let progress = StopAfter { reports: 9, told: Mutex::default() };
    asia.sample(100_000, 0, &progress).unwrap();
    let done: Vec<u64> = progress
        .told
        .lock()
        .unwrap()
        .iter()
        .map(|event| match event {
            Event::RowsSampled { done, total: 100_000 } => *done,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(done, [65_536, 100_000]);
    let progress = StopAfter { reports: 1, told: Mutex::default() };
    assert!(matches!(asia.sample(100_000, 0, &progress), Err(Error::Stopped)));
    assert_eq!(progress.told.lock().unwrap().len(), 1);
}

#[test]
fn a_sample_of_nothing_or_of_far_too_much_is_refused() {
    let asia = catalogue::load("asia").unwrap();
    assert!(asia.sample(0, 0, &Silent).unwrap_err().to_string().contains("at least one column and one row"));
    assert!(matches!(asia.sample(usize::MAX, 0, &Silent), Err(Error::TooLarge { .. })));
}

#[test]
fn fitting_a_large_sample_finds_the_tables_again() {
    for name in ["survey", "asia", "sachs", "alarm"] {
        let network = catalogue::load(name).unwrap();
        let data = network.sample(100_000, 7, &Silent).unwrap();
        let fitted = fit(&data, network.dag(), Prior::None, &Silent).unwrap().network;
        assert_eq!((fitted.variables(), fitted.dag()), (network.variables(), network.dag()));
        for v in data.vars() {
            let counts = counts::family(&data, v, network.dag().parents(v).as_slice());
            for (c, row) in counts.chunks(network.cardinality(v)).enumerate() {
                let n = f64::from(row.iter().sum::<u32>());
                for (p, estimate) in network.table(v).row(c).iter().zip(fitted.table(v).row(c)) {
                    let error = (p * (1.0 - p) / n).sqrt();
                    let close = n == 0.0 || (p - estimate).abs() <= 5.0 * error + 3.0 / n;
                    assert!(close, "{name}, {v:?}: {estimate} for {p} in {n} rows");
                }
            }
        }
    }
}

/// Three declared levels of the parent, of which `c` never occurs; of the child, `z` never occurs.
fn small() -> (Dataset, Dag) {
    let data = Dataset::new(vec![
        (Variable::new("child", ["x", "y", "z"]).unwrap(), Column::from_codes([0, 0, 1, 1, 1], 3)),
        (Variable::new("parent", ["a", "b", "c"]).unwrap(), Column::from_codes([0, 0, 0, 1, 1], 3)),
    ]);
    (data.unwrap(), Dag::from_arcs(2, [(Var(1), Var(0))]).unwrap())
}

#[test]
fn declared_levels_have_their_place_whether_they_occur_or_not() {
    let (data, dag) = small();
    let Fitted { network, unseen, configurations } = fit(&data, &dag, Prior::None, &Silent).unwrap();
    assert_eq!((unseen, configurations), (1, 4));
    assert_eq!(network.table(Var(0)).row(0), [2.0 / 3.0, 1.0 / 3.0, 0.0]);
    assert_eq!(network.table(Var(0)).row(1), [0.0, 1.0, 0.0]);
    assert_eq!(network.table(Var(0)).row(2), [1.0 / 3.0; 3]);
    assert_eq!(network.table(Var(1)).row(0), [0.6, 0.4, 0.0]);

    let Fitted { network, unseen, .. } = fit(&data, &dag, Prior::Bdeu { iss: 9.0 }, &Silent).unwrap();
    assert_eq!(unseen, 1);
    // iss / (R q) = 1 and iss / q = 3 for the child; 3 and 9 for its parent.
    assert_eq!(network.table(Var(0)).row(0), [3.0 / 6.0, 2.0 / 6.0, 1.0 / 6.0]);
    assert_eq!(network.table(Var(0)).row(2), [1.0 / 3.0; 3]);
    assert_eq!(network.table(Var(1)).row(0), [6.0 / 14.0, 5.0 / 14.0, 3.0 / 14.0]);
}

#[test]
fn what_cannot_be_fitted_is_refused() {
    let (data, dag) = small();
    assert!(matches!(fit(&data, &Dag::empty(3), Prior::None, &Silent), Err(Error::Mismatch { .. })));
    for iss in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(
            matches!(fit(&data, &dag, Prior::Bdeu { iss }, &Silent), Err(Error::Mismatch { .. })),
            "{iss}"
        );
    }
    let wide =
        |i: usize| (Variable::new(format!("v{i:03}"), ["0", "1"]).unwrap(), Column::from_codes([0, 1], 2));
    // 2^27 and more than 2^128 entries.
    for n in [27, 150] {
        let data = Dataset::new((0..n).map(wide).collect()).unwrap();
        let dag = Dag::from_arcs(n, (1..n).map(|i| (Var::new(i), Var(0)))).unwrap();
        let error = fit(&data, &dag, Prior::None, &Silent).unwrap_err();
        assert!(matches!(error, Error::TooLarge { limit: 67_108_864, .. }), "{error}");
        assert!(error.to_string().starts_with("the table of \"v000\""), "{error}");
    }
}

#[test]
fn a_network_too_large_to_count_is_a_mismatch_not_a_panic() {
    let n = 200;
    let variables = (0..n).map(|i| Variable::new(format!("v{i:03}"), ["0", "1"]).unwrap()).collect();
    let dag = Dag::from_arcs(n, (1..n).map(|i| (Var::new(i), Var(0)))).unwrap();
    let tables = vec![ProbabilityTable::new(vec![0.5, 0.5], 2); n];
    assert!(matches!(Network::new(variables, dag, tables), Err(Error::Mismatch { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_fitted_row_is_a_distribution(seed: u64, rows in 1usize..200, iss in 1e-9f64..1e6, mle: bool) {
        let network = catalogue::load("sachs").unwrap();
        let data = network.sample(rows, seed, &Silent).unwrap();
        let prior = if mle { Prior::None } else { Prior::Bdeu { iss } };
        let fitted = fit(&data, network.dag(), prior, &Silent).unwrap();
        let tables = || network.dag().vars().map(|v| fitted.network.table(v));
        for row in tables().flat_map(ProbabilityTable::rows) {
            prop_assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            prop_assert!(row.iter().all(|p| (0.0..=1.0).contains(p)));
        }
        let seen = tables().map(|t| t.rows().len() as u64).sum::<u64>() - fitted.unseen;
        prop_assert!(seen >= 11 && seen <= rows as u64 * 11);
        prop_assert_eq!(fitted.configurations - fitted.unseen, seen);
    }
}
