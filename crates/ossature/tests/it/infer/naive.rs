//! Inference by the definition: the sum over all configurations of all variables.

use ossature::infer::Given;
use ossature::network::ProbabilityTable;
use ossature::{Dag, Network, Var, Variable};
use proptest::prelude::*;

/// A network of a few variables with one to four levels, with some zeros in its tables.
pub(super) fn network(max_nodes: usize) -> impl Strategy<Value = Network> {
    let weight = prop_oneof![1 => Just(0.0), 4 => 0.01..1.0_f64, 1 => 1e-7..1e-5_f64];
    with_tables(max_nodes, weight.boxed())
}

/// A network with tables in which many levels are equally probable.
pub(super) fn even_network(max_nodes: usize) -> impl Strategy<Value = Network> {
    with_tables(max_nodes, prop_oneof![Just(0.0), Just(1.0)].boxed())
}

/// A network with numbers so small that their products underflow.
pub(super) fn tiny_network(max_nodes: usize) -> impl Strategy<Value = Network> {
    with_tables(max_nodes, prop_oneof![Just(0.0), 0.1..1.0_f64, Just(1e-290)].boxed())
}

fn with_tables(max_nodes: usize, weight: BoxedStrategy<f64>) -> impl Strategy<Value = Network> {
    (1..=max_nodes)
        .prop_flat_map(|n| {
            let levels = prop::collection::vec(1_usize..=4, n);
            let arcs = prop::collection::vec(prop::bool::weighted(0.5), n * (n - 1) / 2);
            (levels, arcs, Just(n))
        })
        .prop_flat_map(move |(levels, arcs, n)| {
            let mut chosen = arcs.iter();
            let pairs = (0..n).flat_map(|to| (0..to).map(move |from| (Var::new(from), Var::new(to))));
            let arcs: Vec<(Var, Var)> = pairs.filter(|_| *chosen.next().unwrap()).collect();
            let mut dag = Dag::empty(n);
            for (from, to) in arcs {
                if dag.parents(to).len() < 3 {
                    dag.try_add(from, to).unwrap();
                }
            }
            let entries = |v: Var| {
                dag.parents(v).iter().map(|p| levels[p.index()]).product::<usize>() * levels[v.index()]
            };
            let sizes: Vec<usize> = dag.vars().map(entries).collect();
            let tables: Vec<_> =
                sizes.into_iter().map(|n| prop::collection::vec(weight.clone(), n)).collect();
            (Just(levels), Just(dag), tables)
        })
        .prop_map(|(levels, dag, weights)| build(&levels, dag, weights))
}

/// A network with sorted names. A row of zeros becomes certain of the first level.
fn build(levels: &[usize], dag: Dag, weights: Vec<Vec<f64>>) -> Network {
    let variables: Vec<Variable> = levels
        .iter()
        .enumerate()
        .map(|(i, &n)| Variable::new(format!("v{i}"), (0..n).map(|l| format!("l{l}"))).unwrap())
        .collect();
    let table = |(mut weights, &n): (Vec<f64>, &usize)| {
        for row in weights.chunks_exact_mut(n) {
            if row.iter().all(|&w| w == 0.0) {
                row[0] = 1.0;
            }
            let sum: f64 = row.iter().sum();
            row.iter_mut().for_each(|w| *w /= sum);
        }
        ProbabilityTable::new(weights, n)
    };
    let tables = weights.into_iter().zip(levels).map(table).collect();
    Network::new(variables, dag, tables).unwrap()
}

/// Evidence about some variables: levels, and likelihoods of others.
pub(super) fn evidence(network: &Network, choices: &[(u8, u16, Vec<f64>)]) -> Given {
    network.dag().vars().zip(choices).fold(Given::none(), |evidence, (v, (kind, level, likelihood))| {
        let n = network.cardinality(v);
        match kind % 5 {
            0 | 1 => evidence.with(v, level % n as u16),
            2 => evidence.with_likelihood(v, likelihood[..n].to_vec()),
            _ => evidence,
        }
    })
}

/// Choices for [`evidence`], for this number of variables.
pub(super) fn choices(nodes: usize) -> impl Strategy<Value = Vec<(u8, u16, Vec<f64>)>> {
    let likelihood = prop::collection::vec(prop_oneof![Just(0.0), 0.1..9.0_f64], 4);
    prop::collection::vec((any::<u8>(), 0_u16..12, likelihood), nodes)
}

/// Every configuration with its probability times the likelihoods; 0 if it contradicts the evidence.
pub(super) fn configurations(network: &Network, evidence: &Given) -> Vec<(Vec<u16>, f64)> {
    let mut rows: Vec<Vec<u16>> = vec![Vec::new()];
    for v in network.dag().vars() {
        let levels = 0..network.cardinality(v) as u16;
        rows = rows
            .into_iter()
            .flat_map(|row| levels.clone().map(move |l| row.iter().copied().chain([l]).collect()))
            .collect();
    }
    rows.into_iter().map(|row| (row.clone(), probability(network, evidence, &row))).collect()
}

fn probability(network: &Network, evidence: &Given, row: &[u16]) -> f64 {
    let mut p = 1.0;
    for v in network.dag().vars() {
        let level = |v: Var| usize::from(row[v.index()]);
        let parents = network.dag().parents(v).iter();
        let configuration = parents.fold(0, |q, p| q * network.cardinality(p) + level(p));
        p *= network.table(v).row(configuration)[level(v)];
    }
    for (v, level) in evidence.levels() {
        p *= f64::from(u8::from(row[v.index()] == level));
    }
    for (v, likelihood) in evidence.likelihoods() {
        p *= likelihood[usize::from(row[v.index()])];
    }
    p
}

/// The joint distribution of some variables, not normalised.
pub(super) fn joint(network: &Network, rows: &[(Vec<u16>, f64)], vars: &[Var]) -> Vec<f64> {
    let mut joint = vec![0.0; vars.iter().map(|v| network.cardinality(*v)).product()];
    for (row, p) in rows {
        let place =
            vars.iter().fold(0, |place, v| place * network.cardinality(*v) + usize::from(row[v.index()]));
        joint[place] += p;
    }
    joint
}
