//! The accuracy of the learners, fixed as a table: a change that makes an answer worse, or merely different,
//! shows here.
//!
//! Samples and answers are the same on every machine, so the numbers are exact. To change them on purpose,
//! put in the numbers that the test prints, and say in the change log what became better or worse.

use ossature::graph::compare_named;
use ossature::learn::{Catalogue, Preset};
use ossature::network::catalogue;
use ossature::{Dataset, Learner, Settings, Silent};
use rayon::prelude::*;

/// The learners, in the order of the columns.
const LEARNERS: [&str; 6] = ["h2pc", "mmhc", "tabu", "hc", "hpc", "mmpc"];

/// The network, the number of rows and the seed of the sample; then for each learner the structural Hamming
/// distance to the truth or, for the last two, which find no directions, the number of missing and extra
/// edges.
#[rustfmt::skip]
const TABLE: [(&str, usize, u64, [usize; 6]); 20] = [
    ("asia", 500, 1, [3, 4, 12, 12, 2, 3]),
    ("asia", 500, 2, [3, 4, 12, 8, 2, 3]),
    ("asia", 2000, 1, [1, 4, 5, 5, 1, 3]),
    ("asia", 2000, 2, [1, 4, 7, 4, 1, 3]),
    ("child", 500, 1, [10, 20, 15, 15, 4, 10]),
    ("child", 500, 2, [12, 19, 14, 9, 5, 12]),
    ("child", 2000, 1, [0, 11, 0, 0, 0, 6]),
    ("child", 2000, 2, [7, 11, 0, 0, 2, 6]),
    ("insurance", 500, 1, [39, 46, 55, 48, 22, 32]),
    ("insurance", 500, 2, [40, 49, 46, 42, 22, 34]),
    ("insurance", 2000, 1, [20, 37, 41, 44, 17, 27]),
    ("insurance", 2000, 2, [16, 35, 39, 32, 13, 26]),
    ("alarm", 500, 1, [25, 30, 64, 63, 11, 22]),
    ("alarm", 500, 2, [21, 31, 61, 66, 11, 22]),
    ("alarm", 2000, 1, [3, 16, 36, 49, 5, 11]),
    ("alarm", 2000, 2, [3, 16, 40, 47, 4, 11]),
    ("hailfinder", 500, 1, [50, 52, 39, 40, 36, 41]),
    ("hailfinder", 500, 2, [55, 53, 65, 43, 42, 42]),
    ("hailfinder", 2000, 1, [42, 44, 53, 30, 37, 37]),
    ("hailfinder", 2000, 2, [40, 43, 43, 31, 38, 37]),
];

/// A learner with its default settings.
fn learner(name: &str, data: &Dataset) -> Box<dyn Learner> {
    let settings = Settings::of(name, Preset::Recommended).unwrap();
    Catalogue::standard().build(&settings, data).unwrap()
}

fn distance(name: &str, network: &str, data: &Dataset) -> usize {
    let learned = learner(name, data).learn(data, &Silent).unwrap();
    let truth = catalogue::load(network).unwrap().named_graph();
    let (_, found) = compare_named(&truth, &learned.named_graph(data));
    if learned.graph.has_directions() { found.shd } else { found.hamming }
}

#[test]
fn the_distance_to_the_truth_is_what_it_was() {
    let found: Vec<_> = TABLE
        .par_iter()
        .map(|&(network, rows, seed, _)| {
            let data = catalogue::load(network).unwrap().sample(rows, seed, &Silent).unwrap();
            (network, rows, seed, LEARNERS.map(|name| distance(name, network, &data)))
        })
        .collect();
    let changed = found.iter().zip(&TABLE).filter(|(found, expected)| found != expected).count();
    let table: String = found.iter().map(|line| format!("    {line:?},\n")).collect();
    assert_eq!(changed, 0, "lines changed; {LEARNERS:?} are now at\n{table}");
}
