//! The junction tree for passing messages elsewhere.

use ossature::Var;
use ossature::infer::{Inference, Limit};
use ossature::network::catalogue;

use super::engine;

#[test]
fn families_have_homes_and_every_variable_is_connected() {
    for name in ["asia", "alarm", "insurance", "win95pts", "hailfinder"] {
        let network = catalogue::load(name).unwrap();
        let tree = engine(&network).clique_tree().unwrap();
        let holds = |clique: usize, v: Var| tree.cliques[clique].contains(&v);
        for v in network.dag().vars() {
            let home = tree.homes[v.index()].unwrap();
            assert!(network.dag().parents(v).iter().chain([v]).all(|w| holds(home, w)), "{name}");
            // A clique that contains a variable has a parent that contains it too, with one exception.
            let tops = (0..tree.cliques.len())
                .filter(|&c| holds(c, v) && !tree.parents[c].is_some_and(|p| holds(p, v)))
                .count();
            assert_eq!(tops, 1, "{name}");
        }
        for (clique, parent) in tree.parents.iter().enumerate() {
            assert!(parent.is_none_or(|p| p < clique), "{name}: a clique comes after the one it hangs on");
        }
        let entries: u128 = tree
            .cliques
            .iter()
            .map(|c| c.iter().map(|&v| network.cardinality(v) as u128).product::<u128>())
            .sum();
        assert_eq!(entries, tree.cost.entries, "{name}");
    }
}

#[test]
fn a_tree_that_is_too_large_is_refused() {
    let network = catalogue::load("alarm").unwrap();
    let refused = Inference::new(&network, Limit { entries: 100 }).clique_tree().unwrap_err();
    assert!(refused.to_string().contains("the junction tree of the whole network"), "{refused}");
}
