//! Counting: the headline shapes, one sweep of 60 candidates each, by the chosen kernel and by the
//! naive loop. The example `kernel_grid` compares all kernels over all shapes.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ossature::counts::{Counter, CountsOfSet, NLogN, Simd, Sweep, Tables, naive};
use ossature::network::catalogue;
use ossature::{Column, Dataset, Silent, Var, Variable};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Independent columns of equally frequent levels.
fn uniform_data(rows: usize, levels: usize, variables: usize) -> Dataset {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let columns = (0..variables).map(|i| {
        let variable = Variable::new(format!("v{i:03}"), (0..levels).map(|l| l.to_string()));
        let codes: Vec<u16> = (0..rows).map(|_| random.random_range(0..levels) as u16).collect();
        (variable.expect("distinct levels"), Column::from_codes(codes, levels))
    });
    Dataset::new(columns.collect()).expect("columns of the same length")
}

/// G² and adjusted df of every candidate, by the library's kernels.
fn sweep(counter: &Counter<'_>, f: &NLogN, t: Var, z: &[Var], xs: &[Var]) -> (i64, u64) {
    counter.stratify(t, z, |strata| {
        let mut given = None;
        xs.iter().fold((0, 0), |(sum, df), &x| {
            let counts = strata.count(x);
            let given = *given.get_or_insert_with(|| f.sum(counts.yz()) - f.sum(counts.z()));
            let half = f.sum(counts.xyz()) - f.sum(counts.xz()) - given;
            (sum + half, df + counts.adjusted_df())
        })
    })
}

/// The same by the naive loop.
fn naive_sweep(data: &Dataset, t: Var, z: &[Var], xs: &[Var]) -> (f64, usize) {
    let c = data.cardinality(t);
    xs.iter().fold((0.0, 0), |(mut sum, mut df), &x| {
        let r = data.cardinality(x);
        let xyz = naive::scatter(data, x, t, z);
        let [xz, yz, z] = naive::margins(&xyz, r, c);
        for (cell, &n) in xyz.iter().enumerate().filter(|&(_, &n)| n > 0) {
            let (i, j, k) = (cell % r, cell / r % c, cell / (r * c));
            let [n, ni, nj, nk] = [n, xz[k * r + i], yz[k * c + j], z[k]].map(f64::from);
            sum += n * (n * nk / (ni * nj)).ln();
        }
        let occurring = |margin: &[u32]| margin.iter().filter(|&&n| n > 0).count().saturating_sub(1);
        df += xz.chunks(r).zip(yz.chunks(c)).map(|(x, y)| occurring(x) * occurring(y)).sum::<usize>();
        (sum, df)
    })
}

fn compare(c: &mut Criterion, name: &str, data: &Dataset, vars: &[Var], order: usize, candidates: usize) {
    let (t, z, xs) = (vars[0], &vars[1..=order], &vars[order + 1..][..candidates]);
    let f = NLogN::new(data.rows());
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(candidates as u64));
    for simd in Simd::available() {
        let counter = Counter::with_simd(data, simd);
        group.bench_function(BenchmarkId::new(format!("{simd:?}"), order), |b| {
            b.iter(|| sweep(black_box(&counter), &f, t, z, xs));
        });
    }
    group.bench_function(BenchmarkId::new("naive", order), |b| {
        b.iter(|| naive_sweep(black_box(data), t, z, xs));
    });
    group.finish();
}

fn three_levels(c: &mut Criterion) {
    let data = uniform_data(5000, 3, 64);
    let vars: Vec<Var> = data.vars().collect();
    for order in 0..=3 {
        compare(c, "3 levels, 5000 rows, sweep of 60", &data, &vars, order, 60);
    }
}

fn munin1(c: &mut Criterion) {
    let network = catalogue::load("munin1").expect("it is embedded");
    let data = network.sample(5000, 1, &Silent).expect("there are rows");
    let vars: Vec<Var> = data.vars().filter(|&v| (4..=20).contains(&data.cardinality(v))).collect();
    for order in 0..=2 {
        compare(c, "munin1, 5000 rows, sweep of 50", &data, &vars, order, 50);
    }
}

/// Values of sets: all candidates of a sweep at once, and one after another.
fn sets(c: &mut Criterion) {
    let data = uniform_data(5000, 3, 440);
    let vars: Vec<Var> = data.vars().collect();
    let mut group = c.benchmark_group("3 levels, 5000 rows, sets of a sweep of 400");
    let sum = |counts: CountsOfSet<'_>| counts.counts.iter().map(|&n| u64::from(n).pow(2)).sum::<u64>();
    for (simd, order) in
        Simd::available().into_iter().flat_map(|simd| (1..=3).map(move |order| (simd, order)))
    {
        let (counter, given, candidates) = (Counter::with_simd(&data, simd), &vars[1..=order], &vars[40..]);
        let sums = |candidates| {
            let mut all = 0;
            let sweep = Sweep { target: vars[0], given, candidates };
            counter.sweep_sets(sweep, false, &mut |joint, _| all += sum(joint));
            all
        };
        let one_by_one = || candidates.chunks(1).map(sums).sum::<u64>();
        assert_eq!(sums(candidates), one_by_one(), "the same counts");
        group.throughput(Throughput::Elements(candidates.len() as u64));
        group.bench_function(BenchmarkId::new(format!("{simd:?}, at once"), order), |b| {
            b.iter(|| sums(candidates));
        });
        group
            .bench_function(BenchmarkId::new(format!("{simd:?}, one by one"), order), |b| b.iter(one_by_one));
    }
    group.finish();
}

criterion_group!(benches, three_levels, munin1, sets);
criterion_main!(benches);
