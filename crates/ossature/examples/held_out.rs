//! How likely new rows are under the tables of each prior, for structures learned by `best` and for the true ones.
//!
//! ```text
//! cargo run --release --example held_out -- 701,702,703 > rows.csv
//! ```
//!
//! A line for each network, number of training rows, seed, structure and prior: the mean over 5000 new rows of
//! the natural logarithm of their probability. Higher is better. `bench/heldout/table.py` makes tables of it.

use ossature::learn::{Catalogue, Preset, Settings};
use ossature::network::{Prior, catalogue, fit};
use ossature::{Dag, Dataset, Silent};

const NETWORKS: [&str; 9] =
    ["child", "insurance", "mildew", "alarm", "hailfinder", "win95pts", "hepar2", "water", "barley"];
const SIZES: [usize; 3] = [500, 1500, 5000];
const PRIORS: [(&str, Prior); 3] = [
    ("backoff", Prior::Backoff),
    ("bdeu 10", Prior::Bdeu { iss: 10.0 }),
    ("bdeu 1", Prior::Bdeu { iss: 1.0 }),
];
/// The rows that judge.
const NEW: usize = 5000;

#[allow(clippy::print_stdout)]
fn main() -> ossature::Result<()> {
    let seeds = std::env::args().nth(1).unwrap_or_else(|| "701,702,703".into());
    let seeds: Vec<u64> = seeds.split(',').filter_map(|seed| seed.parse().ok()).collect();
    let settings = Settings::of("best", Preset::Recommended)?;
    println!("network,rows,seed,structure,prior,log_likelihood");
    for name in NETWORKS {
        let network = catalogue::load(name)?;
        for rows in SIZES {
            for &seed in &seeds {
                let train = network.sample(rows, seed, &Silent)?;
                // The rows of a seed are those of no other.
                let new = network.sample(NEW, seed + 1_000_000, &Silent)?;
                let learned = Catalogue::standard().build(&settings, &train)?.learn(&train, &Silent)?;
                let learned = learned.graph.dag().unwrap_or_else(|| Dag::empty(train.variables().len()));
                for (structure, dag) in [("best", &learned), ("truth", network.dag())] {
                    for (prior, value) in PRIORS {
                        let mean = held_out(&train, &new, dag, value)?;
                        println!("{name},{rows},{seed},{structure},{prior},{mean:.6}");
                    }
                }
            }
        }
    }
    Ok(())
}

fn held_out(train: &Dataset, new: &Dataset, dag: &Dag, prior: Prior) -> ossature::Result<f64> {
    let network = fit(train, dag, prior, &Silent)?.network;
    Ok(network.log_likelihood(new, &Silent)?.iter().sum::<f64>() / new.rows() as f64)
}
