//! The CPU time of a search with different numbers of tie orders: a program of its own, with `ossature` (by its path),
//! `rayon` and `libc` as dependencies, and the optimisation levels of the workspace. Run in the root of the repository.
//!
//! usage: time_orders NAME,NAME,... hc|tabu ORDERS,ORDERS,... TURNS THREADS
//!
//! Building the score is part of the time, reading the table is not. The minimum of all turns is printed.

use ossature::search::{Algorithm, Search};
use ossature::{Constraints, Dataset, ScoreSettings, Silent};
fn cpu() -> f64 {
    let mut t: libc::timespec = unsafe { std::mem::zeroed() };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut t) };
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let threads: usize = a[5].parse().unwrap();
    rayon::ThreadPoolBuilder::new().num_threads(threads).use_current_thread().build_global().unwrap();
    let (mut prod, mut n) = (vec![0.0f64; 10], 0);
    for f in a[1].split(',') {
        let path = format!("bench/data/{f}.csv.gz");
        let data: Dataset = ossature::data::read(std::path::Path::new(&path), &Default::default(), &Silent).unwrap().data;
        let names: Vec<&str> = data.variables().iter().map(|v| v.name()).collect();
        let algorithm = if a[2] == "hc" { Algorithm::HillClimb } else { Algorithm::Tabu { list: 100, patience: 15 } };
        print!("{f} {} ", a[2]);
        let ks: Vec<usize> = a[3].split(',').map(|k| k.parse().unwrap()).collect();
        let mut best = vec![(f64::MAX, f64::MAX); ks.len()];
        for _ in 0..a[4].parse().unwrap() {
            for (i, &k) in ks.iter().enumerate() {
                let (w, c) = (std::time::Instant::now(), cpu());
                let score = ScoreSettings::default().build(&data).unwrap();
                let s = Search { algorithm, tie_orders: k, ..Search::default() };
                let found = s.run(&*score, &names, None, None, &Constraints::none(), &Silent).unwrap();
                std::hint::black_box(found.score);
                drop(score);
                best[i].0 = best[i].0.min(cpu() - c);
                best[i].1 = best[i].1.min(w.elapsed().as_secs_f64());
            }
        }
        for (i, b) in best.iter().enumerate() { print!(" K={} cpu {:.2} wall {:.2}", ks[i], b.0 * 1e3, b.1 * 1e3); prod[i] += b.0.ln(); }
        println!(" ratio {:.3}", best.last().unwrap().0 / best[0].0);
        n += 1;
    }
    let g: Vec<f64> = prod.iter().map(|p| (p / n as f64).exp() * 1e3).collect();
    let ks = a[3].split(',').count();
    println!("geo {:?} ratio {:.3}", &g[..ks], g[ks - 1] / g[0]);
}
