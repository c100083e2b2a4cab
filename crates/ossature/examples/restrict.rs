//! Learns the skeleton of a benchmark sample and compares it with the network it came from.
//!
//! `cargo run --release --example restrict -- [DATA.csv.gz NETWORK hpc|mmpc|fdr]`; without arguments
//! the sample is drawn from child.

use std::path::Path;
use std::time::Instant;

use ossature::ci::{Independence, TestSettings};
use ossature::data::{ReadOptions, read};
use ossature::local::{Hpc, LocalLearner, Mmpc, Symmetry, WeakLearner, skeleton};
use ossature::network::catalogue;
use ossature::{Silent, VarSet};

#[allow(clippy::print_stdout)]
fn main() -> ossature::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let word = |i: usize, default| args.get(i).map_or(default, String::as_str);
    let (name, algorithm) = (word(2, "child"), word(3, "hpc"));
    let network = catalogue::load(name)?;
    let options = ReadOptions { levels: Some(network.variables().to_vec()), ..ReadOptions::default() };
    let data = match args.get(1) {
        Some(path) => read(Path::new(path), &options, &Silent)?.data,
        None => network.sample(2000, 1, &Silent)?,
    };
    let n = data.variables().len();
    let clock = Instant::now();
    let test = TestSettings::default().build(&data)?;
    let ind = Independence::new(&*test, 0.05);
    let learner: Box<dyn LocalLearner> = match algorithm {
        "mmpc" => Box::new(Mmpc),
        "hpc" => Box::new(Hpc::new(WeakLearner::InterIapc).with_sharing()),
        "hpc-alone" => Box::new(Hpc::new(WeakLearner::InterIapc)),
        _ => Box::new(Hpc::new(WeakLearner::FdrIapc).with_sharing()),
    };
    let found = skeleton(&*learner, &VarSet::all(n), Symmetry::And, &ind)?.skeleton;
    let truth = network.dag().skeleton();
    let tp = found.edges().filter(|&(x, y)| truth.contains(x, y)).count();
    println!(
        "{name} {algorithm} tp {tp} fp {} of {} in {:.3} s; {:?} computed {}",
        found.len() - tp,
        truth.len(),
        clock.elapsed().as_secs_f64(),
        ind.tally(),
        test.computed()
    );
    Ok(())
}
