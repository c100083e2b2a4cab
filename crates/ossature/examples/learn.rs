//! Learns the structure of a benchmark sample and compares it with the network it came from.
//!
//! `cargo run --release --example learn -- [DATA.csv.gz NETWORK LEARNER [TIE_ORDERS] [PRESET] [WEAK_LEARNER]]`;
//! ROWS@SEED in the place of the file draws the sample from the network, by default from child.

use std::path::Path;

use ossature::data::{ReadOptions, read};
use ossature::graph::compare;
use ossature::network::catalogue;
use ossature::{Learner, Pdag, Settings, Silent};

#[allow(clippy::print_stdout)]
fn main() -> ossature::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let word = |i: usize, default| args.get(i).map_or(default, String::as_str);
    let (name, learner) = (word(2, "child"), word(3, "h2pc"));
    let network = catalogue::load(name)?;
    let options = ReadOptions { levels: Some(network.variables().to_vec()), ..ReadOptions::default() };
    let data = match word(1, "2000@1").split_once('@') {
        Some((rows, seed)) => {
            network.sample(rows.parse().expect("rows"), seed.parse().expect("a seed"), &Silent)?
        }
        None => read(Path::new(&args[1]), &options, &Silent)?.data,
    };
    let mut settings = Settings::of(learner, word(5, "paper"))?;
    if let Some(k) = args.get(4) {
        settings.tie_orders = k.parse().expect("a number of tie orders");
    }
    if let Some(weak) = args.get(6) {
        settings.weak_learner.clone_from(weak);
    }
    let learned = settings.build(&data)?.learn(&data, &Silent)?;
    let dag = learned.dag.as_ref().expect("a learner of directions");
    let c = compare(&Pdag::from(network.dag()), &Pdag::from(dag));
    println!(
        "{learner},{name},{},{},{},{},{},{},{:.5},{},{:.3},{:.3}",
        data.rows(),
        settings.tie_orders,
        c.skeleton.tp,
        c.skeleton.fp,
        c.skeleton.fn_,
        c.shd,
        learned.score.unwrap_or_default() / data.rows() as f64,
        learned.tests.asked,
        learned.seconds.restrict,
        learned.seconds.maximise,
    );
    Ok(())
}
