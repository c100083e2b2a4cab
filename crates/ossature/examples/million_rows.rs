//! Tests all pairs of 100 variables in a million rows, and prints the time and the peak of memory
//! beside what the coded columns and their bitmaps take.
//!
//! `cargo run --release --example million_rows -- [LEVELS]`: 2 to 9 levels unless given.
#![allow(clippy::print_stdout)]

use std::time::Instant;

use ossature::ci::TestSettings;
use ossature::{Column, Dataset, Var, Variable};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

const VARIABLES: usize = 100;
const ROWS: usize = 1_000_000;

fn main() -> ossature::Result<()> {
    let levels: Option<usize> = std::env::args().nth(1).and_then(|l| l.parse().ok());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let columns = (0..VARIABLES).map(|i| {
        let levels = levels.unwrap_or(2 + i % 8).clamp(1, 256);
        let codes: Vec<u8> = (0..ROWS).map(|_| random.random_range(0..levels) as u8).collect();
        Ok((Variable::new(format!("v{i:02}"), (0..levels).map(|l| l.to_string()))?, Column::Narrow(codes)))
    });
    let data = Dataset::new(columns.collect::<ossature::Result<_>>()?)?;
    let coded: usize = data.vars().map(|v| data.column(v).bytes()).sum();
    let bitmaps: usize = data.vars().map(|v| data.cardinality(v) * ROWS.div_ceil(512) * 64).sum();

    let clock = Instant::now();
    let test = TestSettings::default().build(&data)?;
    let vars: Vec<Var> = data.vars().collect();
    let sums = (0..VARIABLES).into_par_iter().map(|i| {
        let mut outcomes = Vec::new();
        test.sweep(vars[i], &vars[i + 1..], &[], &mut outcomes);
        outcomes.iter().map(|o| o.statistic).sum::<f64>()
    });
    let sum: f64 = sums.collect::<Vec<f64>>().iter().sum();
    println!("{} tests in {:.3} s, sum of G2 {sum:.3}", test.computed(), clock.elapsed().as_secs_f64());
    let mib = |bytes: usize| bytes as f64 / f64::from(1 << 20);
    println!("coded columns {:.1} MiB, bitmaps {:.1} MiB", mib(coded), mib(bitmaps));
    let limit = 2 * coded + bitmaps;
    match peak_memory() {
        Some(peak) => println!("peak {:.1} MiB, limit {:.1} MiB", mib(peak), mib(limit)),
        None => println!("the peak is not known on this system; limit {:.1} MiB", mib(limit)),
    }
    Ok(())
}

/// The most memory this process ever had (Linux).
fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    Some(1024 * line.split_whitespace().nth(1)?.parse::<usize>().ok()?)
}
