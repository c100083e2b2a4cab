//! Learns the skeleton of a benchmark sample and compares it with the network it came from.
//!
//! `cargo run --release --example restrict -- DATA.csv.gz NETWORK hpc|mmpc|fdr`

use std::path::Path;
use std::time::Instant;

use ossature::Silent;
use ossature::ci::{CiTest, Independence, TestSettings};
use ossature::data::{ReadOptions, read};
use ossature::graph::Constraints;
use ossature::local::{Hpc, LocalLearner, Mmpc, Symmetry, WeakLearner, skeleton};
use ossature::network::catalogue;

#[allow(clippy::print_stdout)]
fn main() -> ossature::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let network = catalogue::load(&args[2])?;
    let options = ReadOptions { levels: Some(network.variables().to_vec()), ..ReadOptions::default() };
    let data = read(Path::new(&args[1]), &options, &Silent)?.data;
    let n = data.variables().len();
    let clock = Instant::now();
    let test = TestSettings::default().build(&data);
    let ind = Independence::new(&test, 0.05);
    let learner: Box<dyn LocalLearner> = match args[3].as_str() {
        "mmpc" => Box::new(Mmpc),
        "hpc" => Box::new(Hpc::sharing(WeakLearner::InterIapc, n)),
        "hpc-alone" => Box::new(Hpc::new(WeakLearner::InterIapc)),
        _ => Box::new(Hpc::sharing(WeakLearner::FdrIapc, n)),
    };
    let found = skeleton(&*learner, n, Symmetry::And, &Constraints::none(), &ind, &Silent)?;
    let truth = network.dag().skeleton();
    let tp = found.edges().filter(|&(x, y)| truth.contains(x, y)).count();
    println!(
        "{} {} tp {tp} fp {} of {} in {:.3} s; {:?} computed {}",
        args[2],
        args[3],
        found.len() - tp,
        truth.len(),
        clock.elapsed().as_secs_f64(),
        ind.tally(),
        test.computed()
    );
    Ok(())
}
