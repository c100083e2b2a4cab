//! Tables that shrink towards those of fewer parents, compared with their formula.

use std::collections::BTreeMap;

use ossature::network::{Fitted, Prior, catalogue, fit};
use ossature::{Column, Dag, Dataset, Silent, Var, Variable};
use proptest::prelude::*;

use crate::bdh::{Naive, table};
use crate::ci::{rearranged, shuffled};

/// The probability of a level in a configuration of the parents, directly from the formula.
fn naive(of: &Naive<'_>, x: Var, at: &BTreeMap<Var, u16>, level: u16) -> f64 {
    let parents: Vec<Var> = at.keys().copied().collect();
    if parents.is_empty() {
        let counts = of.counts(x, &[]).remove(&vec![]).unwrap();
        let (n, r) = (of.data.rows() as f64, of.data.cardinality(x) as f64);
        return (counts.get(&level).unwrap_or(&0.0) + 0.5) / (n + r / 2.0);
    }
    let codes: Vec<u16> = parents.iter().map(|p| at[p]).collect();
    let row = of.counts(x, &parents).remove(&codes).unwrap_or_default();
    let (n, here) = (row.values().sum::<f64>(), row.get(&level).unwrap_or(&0.0));
    let terms = of.terms(x, &parents);
    let largest = terms.iter().map(|term| term.2).fold(f64::NEG_INFINITY, f64::max);
    let (mut sum, mut weights) = (0.0, 0.0);
    for (base, s, value) in terms {
        let inside = base.iter().map(|b| (*b, at[b])).collect();
        let weight = (value - largest).exp();
        weights += weight;
        sum += weight * (here + s * naive(of, x, &inside, level)) / (n + s);
    }
    sum / weights
}

fn fitted(data: &Dataset, dag: &Dag) -> Fitted {
    fit(data, dag, Prior::Backoff, &Silent).unwrap()
}

#[test]
fn the_tables_are_their_formula() {
    for seed in 0..6 {
        let data = table(seed, 5, [9, 70, 300][seed as usize % 3]);
        let x = Var(seed as u32 % 5);
        let parents: Vec<Var> = data.vars().filter(|v| *v != x).take(seed as usize % 5).collect();
        let dag = Dag::from_arcs(5, parents.iter().map(|&parent| (parent, x))).unwrap();
        let (network, naive_of) = (fitted(&data, &dag).network, Naive { data: &data });
        let rows = network.table(x).rows().len();
        // Tables are large; every seventh row is enough.
        for j in (0..rows).step_by(if rows > 50 { 7 } else { 1 }) {
            let mut rest = j;
            let mut at = BTreeMap::new();
            for &parent in parents.iter().rev() {
                at.insert(parent, (rest % data.cardinality(parent)) as u16);
                rest /= data.cardinality(parent);
            }
            for (level, &ours) in network.table(x).row(j).iter().enumerate().step_by(2) {
                let theirs = naive(&naive_of, x, &at, level as u16);
                assert!((ours - theirs).abs() < 1e-9, "{seed} {x:?} {at:?} {level}: {ours} {theirs}");
            }
        }
    }
}

/// Computed by hand: one parent, and a level of each that never occurs.
#[test]
fn what_never_occurs_has_the_probability_of_fewer_parents() {
    let data = Dataset::new(vec![
        (Variable::new("child", ["x", "y", "z"]).unwrap(), Column::from_codes([0, 0, 1, 1, 1], 3)),
        (Variable::new("parent", ["a", "b", "c"]).unwrap(), Column::from_codes([0, 0, 0, 1, 1], 3)),
    ])
    .unwrap();
    let dag = Dag::from_arcs(2, [(Var(1), Var(0))]).unwrap();
    let Fitted { network, unseen, configurations } = fitted(&data, &dag);
    assert_eq!((unseen, configurations), (1, 4));
    let close = |ours: &[f64], theirs: [f64; 3]| ours.iter().zip(theirs).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(close(network.table(Var(1)).row(0), [3.5 / 6.5, 2.5 / 6.5, 0.5 / 6.5]));
    assert!(close(network.table(Var(0)).row(2), [2.5 / 6.5, 3.5 / 6.5, 0.5 / 6.5]), "that of no parents");
    let row = network.table(Var(0)).row(1);
    assert!(row[1] > 3.5 / 6.5 && row[1] < 1.0 && row[2] > 0.0, "two rows of y: {row:?}");
}

/// On new rows of the same network the tables are better than BDeu's if there are few rows for large tables.
#[test]
fn new_rows_are_foretold_better_than_by_bdeu() {
    for (name, rows) in [("insurance", 300), ("mildew", 1000), ("hailfinder", 500)] {
        let network = catalogue::load(name).unwrap();
        let (train, test) =
            (network.sample(rows, 61, &Silent).unwrap(), network.sample(2000, 62, &Silent).unwrap());
        let mean = |prior| {
            let fitted = fit(&train, network.dag(), prior, &Silent).unwrap().network;
            fitted.log_likelihood(&test, &Silent).unwrap().iter().sum::<f64>() / 2000.0
        };
        let (backoff, bdeu) = (mean(Prior::Backoff), mean(Prior::Bdeu { iss: 10.0 }));
        assert!(backoff > bdeu, "{name}: {backoff} {bdeu}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_tables_are_free_of_rows_columns_and_threads(rows in 1usize..300, seed: u64) {
        let network = catalogue::load("sachs").unwrap();
        let data = network.sample(rows, seed, &Silent).unwrap();
        let fit_on = |data: &Dataset, threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fitted(data, network.dag()))
        };
        let found = fit_on(&data, 1);
        prop_assert_eq!(&fit_on(&data, 7), &found);
        prop_assert_eq!(&fit_on(&rearranged(&data), 2), &found);
        // The levels are in another order there, and are matched by name.
        let of = |fitted: &Fitted| fitted.network.log_likelihood(&data, &Silent).unwrap();
        prop_assert_eq!(of(&fit_on(&shuffled(&data, seed), 2)), of(&found));
        for v in data.vars() {
            for row in found.network.table(v).rows() {
                prop_assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12 && row.iter().all(|p| *p > 0.0));
            }
        }
    }
}
