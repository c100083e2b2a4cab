//! Learns the structure of a benchmark sample and compares it with the network it came from.
//!
//! `cargo run --release --example learn -- [DATA.csv.gz NETWORK LEARNER [TIE_ORDERS] [PRESET] [WEAK_LEARNER]]`;
//! ROWS@SEED in the place of the file draws the sample from the network, by default from child.

use std::path::Path;

use ossature::data::{ReadOptions, read};
use ossature::graph::compare;
use ossature::learn::catalogue::rows;
use ossature::learn::{Asked, Catalogue, Preset};
use ossature::network;
use ossature::word::Word;
use ossature::{Pdag, Silent};

#[allow(clippy::print_stdout)]
fn main() -> ossature::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let word = |i: usize, default| args.get(i).map_or(default, String::as_str);
    let (name, learner) = (word(2, "child"), word(3, "h2pc"));
    let (network, catalogue) = (network::catalogue::load(name)?, Catalogue::standard());
    let options = ReadOptions { levels: Some(network.variables().to_vec()), ..ReadOptions::default() };
    let data = match word(1, "2000@1").split_once('@') {
        Some((rows, seed)) => {
            network.sample(rows.parse().expect("rows"), seed.parse().expect("a seed"), &Silent)?
        }
        None => read(Path::new(&args[1]), &options, &Silent)?.data,
    };
    let mut asked = Asked { preset: Some(Preset::of(word(5, "recommended"))?), ..Asked::learner(learner) };
    for (place, name) in [(4, "tie-orders"), (6, "weak-learner")] {
        if let Some(text) = args.get(place) {
            asked = asked.with(name, catalogue.setting(name)?.parse(text)?);
        }
    }
    let settings = catalogue.resolve(&asked)?;
    let learned = catalogue.build(&settings, &data)?.learn(&data, &Silent)?;
    let dag = learned.graph.dag().expect("a learner of directions");
    let c = compare(&Pdag::from(network.dag()), &Pdag::from(&dag));
    println!(
        "{learner},{name},{},{},{},{},{},{},{:.5},{},{:.3},{:.3}",
        data.rows(),
        settings.whole(&rows::TIE_ORDERS),
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
