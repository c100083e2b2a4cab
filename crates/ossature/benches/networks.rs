//! Reading, loading and sampling networks.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ossature::network::{Prior, bif, catalogue, fit};
use ossature::{Network, Silent};

fn text(network: &Network) -> String {
    let mut text = Vec::new();
    bif::write(network, &mut text).expect("memory takes everything");
    String::from_utf8(text).expect("names are UTF-8")
}

fn reading(c: &mut Criterion) {
    let mildew = catalogue::load("mildew").expect("it is embedded");
    // In the repository's file most numbers are long: it has 5.3 MB where ours has 2.1. This one
    // has six decimals and an exponent everywhere, which makes 6.8 MB.
    let long = long_form(&mildew);
    let mut group = c.benchmark_group("bif");
    group.sample_size(20);
    for (name, text) in [("parse mildew", text(&mildew)), ("parse mildew, long numbers", long)] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |b| b.iter(|| bif::parse(black_box(&text), "mildew").map(|r| r.network)));
    }
    group.throughput(Throughput::Bytes(text(&mildew).len() as u64));
    group.bench_function("write mildew", |b| b.iter(|| text(black_box(&mildew))));
    group.finish();
}

/// The network with all numbers in the form 1.234567e-01.
fn long_form(network: &Network) -> String {
    let mut long = String::new();
    for line in text(network).lines() {
        match line.rsplit_once(") ").filter(|_| line.starts_with("  (")) {
            None => long.push_str(line),
            Some((labels, numbers)) => {
                let numbers = numbers.trim_end_matches(';').split(", ");
                let numbers = numbers.map(|n| format!("{:.6e}", n.parse::<f64>().expect("a number")));
                long.push_str(&format!("{labels}) {};", numbers.collect::<Vec<_>>().join(", ")));
            }
        }
        long.push('\n');
    }
    long
}

fn loading(c: &mut Criterion) {
    let mut group = c.benchmark_group("catalogue");
    group.sample_size(10);
    group.bench_function("load all 24", |b| {
        b.iter(|| {
            catalogue::names().map(|n| catalogue::load(n).expect("it is embedded").dag().len()).sum::<usize>()
        });
    });
    group.finish();
}

fn sampling(c: &mut Criterion) {
    let alarm = catalogue::load("alarm").expect("it is embedded");
    let mut group = c.benchmark_group("alarm, 1,000,000 rows");
    group.sample_size(10);
    group.bench_function("sample", |b| b.iter(|| alarm.sample(1_000_000, 1, &Silent)));
    let data = alarm.sample(1_000_000, 1, &Silent).expect("there are rows");
    group.bench_function("fit", |b| b.iter(|| fit(&data, alarm.dag(), Prior::Bdeu { iss: 1.0 }, &Silent)));
    group.finish();
}

criterion_group!(benches, reading, loading, sampling);
criterion_main!(benches);
