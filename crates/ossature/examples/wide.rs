//! The neighbours and the Markov blanket of one variable of a very wide table.
//!
//! `cargo run --release --example wide -- [100000 500 hpc|mmpc]`; without arguments the table is smaller.
//!
//! The table is random: families of ten variables of three levels, each a child of the two before it.

use std::time::Instant;

use ossature::ci::{Independence, TestSettings};
use ossature::local::{Hpc, LocalLearner, Mmpc, markov_blanket, neighbours};
use ossature::{Column, Dataset, Var, VarSet, Variable};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

#[allow(clippy::print_stdout)]
fn main() -> ossature::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let number = |i: usize, default| args.get(i).map_or(default, |text| text.parse().expect("a number"));
    let (variables, rows) = (number(1, 2000), number(2, 300));
    let mmpc = args.get(3).is_some_and(|name| name == "mmpc");
    let learner: &dyn LocalLearner = if mmpc { &Mmpc } else { &Hpc::default() };
    let data = families(variables, rows)?;
    println!("{variables} variables, {rows} rows: {} MB of codes", data.coded_bytes() / 1_000_000);

    let clock = Instant::now();
    let test = TestSettings::default().build(&data)?;
    let ind = Independence::new(&*test, 0.001);
    println!("made ready in {:.2} s", clock.elapsed().as_secs_f64());
    let (t, u) = (Var(15), VarSet::all(variables)); // the sixth of its family
    let pc = neighbours(learner, t, &u, &ind)?;
    println!("neighbours {pc:?} in {:.2} s, {} tests", clock.elapsed().as_secs_f64(), ind.tally().asked);
    let mb = markov_blanket(learner, t, &pc, &u, &ind)?;
    println!("blanket {mb:?} in {:.2} s, {} tests", clock.elapsed().as_secs_f64(), ind.tally().asked);
    Ok(())
}

fn families(variables: usize, rows: usize) -> ossature::Result<Dataset> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut before = [vec![0; rows], vec![0; rows]];
    let mut columns = Vec::with_capacity(variables);
    for v in 0..variables {
        let codes: Vec<u16> = (0..rows)
            .map(|row| match random.random_range(0..10) {
                0..4 if v % 10 > 0 => before[1][row],
                4..7 if v % 10 > 1 => before[0][row],
                _ => random.random_range(0..3),
            })
            .collect();
        columns.push((
            Variable::new(format!("v{v:06}"), ["0", "1", "2"])?,
            Column::from_codes(codes.iter().copied(), 3),
        ));
        before.rotate_left(1);
        before[1] = codes;
    }
    Dataset::new(columns)
}
