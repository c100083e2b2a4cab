//! What graphs cost: the class of a DAG, the distance to another, and the way there from a file.
//!
//! `link` is the largest network of the paper: 724 nodes, 10 of them alone, and 1125 arcs. It
//! is compared with itself less every tenth arc and with every tenth of the others turned round.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ossature::graph::format::parse_csv;
use ossature::graph::{compare, compare_named};
use ossature::{Dag, NamedGraph, Pdag, Var};

/// The arcs of link, taken from its BIF file; see `networks/PROVENANCE.md`.
const LINK: &str = include_str!("data/link_arcs.csv");

/// The same graph with every tenth arc left out and every tenth turned round, where that is possible.
fn changed(dag: &Dag) -> Dag {
    let mut other = dag.clone();
    for (i, (from, to)) in dag.arcs().enumerate() {
        match i % 10 {
            0 => drop(other.remove(from, to)),
            5 => drop(other.try_reverse(from, to)),
            _ => {}
        }
    }
    other
}

/// Two parents for each node among the nodes before it, spread by a multiplication.
fn large(n: usize) -> Dag {
    let parent = |i: usize, factor: u64| Var::new(((i as u64).wrapping_mul(factor) >> 20) as usize % i);
    let arcs = (2..n).flat_map(|i| {
        [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9].map(|factor| (parent(i, factor), Var::new(i)))
    });
    Dag::from_arcs(n, arcs).expect("arcs run from smaller to larger nodes")
}

fn class_and_distance(c: &mut Criterion, name: &str, dag: &Dag) {
    let (truth, learned) = (Pdag::from(dag), Pdag::from(&changed(dag)));
    let shd = compare(&truth, &learned).shd;
    c.bench_function(&format!("{name}: cpdag"), |b| b.iter(|| black_box(dag).cpdag()));
    c.bench_function(&format!("{name}: both cpdags and shd {shd}"), |b| {
        b.iter(|| compare(black_box(&truth), black_box(&learned)).shd);
    });
    let class = dag.cpdag();
    c.bench_function(&format!("{name}: extension"), |b| b.iter(|| black_box(&class).extension()));
    let last = Var::new(dag.nodes() - 1);
    c.bench_function(&format!("{name}: d-connected set"), |b| {
        b.iter(|| dag.d_connected_set(black_box(last), &[]));
    });
}

fn graphs(c: &mut Criterion) {
    let link = parse_csv(LINK, "link_arcs.csv").expect("a list of arcs");
    let dag = link.to_dag().expect("a DAG");
    assert_eq!((dag.nodes(), dag.len()), (724, 1125));
    class_and_distance(c, "link", &dag);
    let learned = NamedGraph::new(link.names().to_vec(), Pdag::from(&changed(&dag)));
    c.bench_function("link: compare by name", |b| {
        b.iter(|| compare_named(black_box(&link), black_box(&learned)).1.shd);
    });
    c.bench_function("link: read the CSV", |b| b.iter(|| parse_csv(black_box(LINK), "link_arcs.csv")));
    class_and_distance(c, "10,000 nodes", &large(10_000));
}

criterion_group!(benches, graphs);
criterion_main!(benches);
