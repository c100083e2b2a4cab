//! Asking networks: one question, a question of a new shape, many rows.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ossature::infer::{Given, Inference, Limit, PartialRows, Unseen};
use ossature::network::catalogue;
use ossature::{Network, Silent, Var};

fn alarm() -> Network {
    catalogue::load("alarm").expect("it is embedded")
}

fn questions(c: &mut Criterion) {
    let alarm = alarm();
    let evidence = Given::named(&alarm, [("HRBP", "HIGH"), ("CVP", "LOW")]).expect("levels of alarm");
    let target = alarm.require("LVFAILURE").expect("a variable of alarm");
    let engine = Inference::new(&alarm, Limit::default());
    let mut group = c.benchmark_group("alarm");
    group.bench_function("one posterior", |b| b.iter(|| engine.query(black_box(&[target]), &evidence)));
    group.bench_function("all posteriors", |b| b.iter(|| engine.posteriors(black_box(&evidence))));
    group.bench_function("most probable explanation", |b| {
        b.iter(|| engine.most_probable(black_box(&evidence)));
    });
    group.bench_function("one posterior, with a new tree", |b| {
        b.iter(|| Inference::new(&alarm, Limit::default()).query(black_box(&[target]), &evidence));
    });
    group.finish();
}

fn rows(c: &mut Criterion) {
    let alarm = alarm();
    let data = alarm.sample(10_000, 1, &Silent).expect("there are rows");
    let whole = PartialRows::new(&alarm, &data, &[], Unseen::Error).expect("levels of alarm");
    let target = alarm.require("CVP").expect("a variable of alarm");
    let mut holed = PartialRows::empty(&alarm);
    for row in 0..whole.len() {
        let missing = |v: usize| (row * 31 + v * 17 + (row * v) % 7).is_multiple_of(10);
        let fields = whole.row(row).iter().enumerate().map(|(v, f)| f.filter(|_| !missing(v)));
        holed.push(&fields.collect::<Vec<_>>());
    }
    let engine = Inference::new(&alarm, Limit::default());
    let mut group = c.benchmark_group("alarm, 10,000 rows");
    group.sample_size(10);
    for (name, rows) in [("complete", &whole), ("a tenth missing", &holed)] {
        group
            .bench_function(format!("predict, {name}"), |b| b.iter(|| engine.predict(rows, target, &Silent)));
        group.bench_function(format!("likelihood, {name}"), |b| {
            b.iter(|| engine.log_likelihood(rows, &Silent));
        });
    }
    group.finish();
}

/// The networks whose trees are the largest of those that fit.
fn large(c: &mut Criterion) {
    let mut group = c.benchmark_group("all posteriors");
    group.sample_size(10);
    for name in ["hailfinder", "pigs", "barley", "mildew", "diabetes"] {
        let network = catalogue::load(name).expect("it is embedded");
        let engine = Inference::new(&network, Limit::default());
        let known = Given::none().with(Var(0), 0);
        group.bench_function(name, |b| b.iter(|| engine.posteriors(&known).map(|p| p.ln_evidence)));
    }
    group.finish();
}

criterion_group!(benches, questions, rows, large);
criterion_main!(benches);
