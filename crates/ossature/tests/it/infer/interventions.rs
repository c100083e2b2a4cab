//! Interventions: surgery compared with the definition, and the effects in all members of a class.

use ossature::infer::{Given, Limit, effects, intervene, possible_parents};
use ossature::network::{Prior, fit};
use ossature::{Column, Dag, Dataset, Silent, Var, Variable};
use proptest::prelude::*;

use super::naive::{self, choices, configurations, joint};
use super::{all_close, close, engine, normalised};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn an_intervention_cuts_what_comes_in(
        network in naive::network(6), set in any::<prop::sample::Index>(), level: u16, choices in choices(6),
    ) {
        let x = Var::new(set.index(network.dag().nodes()));
        let level = level % network.cardinality(x) as u16;
        let evidence = naive::evidence(&network, &choices);
        prop_assume!(evidence.level(x).is_none_or(|known| known == level));
        // By the definition: the product of all tables but that of x.
        let plain = configurations(&network, &evidence);
        let own = |row: &[u16]| {
            let parents = network.dag().parents(x).iter();
            let q = parents.fold(0, |q, p| q * network.cardinality(p) + usize::from(row[p.index()]));
            network.table(x).row(q)[usize::from(row[x.index()])]
        };
        prop_assume!(plain.iter().all(|(row, _)| own(row) > 0.0));
        let cut: Vec<(Vec<u16>, f64)> = plain
            .into_iter()
            .map(|(row, p)| {
                let kept = if row[x.index()] == level { p / own(&row) } else { 0.0 };
                (row, kept)
            })
            .collect();
        let total: f64 = cut.iter().map(|(_, p)| p).sum();
        prop_assume!(total > 0.0);
        let after = engine(&intervene(&network, &[(x, level)]).unwrap());
        let found = after.posteriors(&evidence).unwrap();
        prop_assert!(close(found.ln_evidence, total.ln(), 1e-11));
        for v in network.dag().vars() {
            prop_assert!(all_close(found.of(v), &normalised(&joint(&network, &cut, &[v])), 1e-11));
        }
    }

    #[test]
    fn effects_are_those_of_all_members_of_the_class(
        arcs in prop::collection::vec(any::<bool>(), 10), seed in 0_u64..1000,
    ) {
        let mut chosen = arcs.iter();
        let pairs = (0..5).flat_map(|to| (0..to).map(move |from| (Var::new(from), Var::new(to))));
        let dag = Dag::from_arcs(5, pairs.filter(|_| *chosen.next().unwrap())).unwrap();
        let data = random_rows(seed);
        let fitted = |dag: &Dag| Ok(fit(&data, dag, Prior::Bdeu { iss: 1.0 }, &Silent)?.network);
        let class = dag.cpdag();
        let (x, y) = (Var(seed as u32 % 5), Var((seed as u32 + 1) % 5));
        let found = effects(&class, x, y, Limit::default(), &fitted).unwrap();
        // Every member of the class, each with its own tables, by surgery.
        let members: Vec<Dag> = all_dags(&dag).into_iter().filter(|d| d.cpdag() == class).collect();
        let sets = possible_parents(&class, x).unwrap();
        for set in &sets {
            prop_assert!(members.iter().any(|m| m.parents(x) == set), "no member has {:?}", set);
        }
        for member in &members {
            let network = fitted(member).unwrap();
            let at = sets.iter().position(|s| s == member.parents(x)).unwrap();
            for level in 0..2_u16 {
                let set = intervene(&network, &[(x, level)]).unwrap();
                let expected = engine(&set).query(&[y], &Given::none()).unwrap();
                let ours = found.effects[at].distributions[usize::from(level)].as_ref().unwrap();
                prop_assert!(all_close(ours, expected.of(y), 1e-9));
            }
        }
    }
}

fn random_rows(seed: u64) -> Dataset {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
    let mut bit = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as u16 & 1
    };
    let column = |i: usize, codes: Vec<u16>| {
        (Variable::new(format!("v{i}"), ["a", "b"]).unwrap(), Column::from_codes(codes, 2))
    };
    let columns = (0..5).map(|i| column(i, (0..100).map(|_| bit()).collect())).collect();
    Dataset::new(columns).unwrap()
}

/// All acyclic ways to direct the edges of a graph.
fn all_dags(dag: &Dag) -> Vec<Dag> {
    let arcs: Vec<(Var, Var)> = dag.arcs().collect();
    (0_u32..1 << arcs.len())
        .filter_map(|turned| {
            let turn =
                |(i, &(a, b)): (usize, &(Var, Var))| if turned >> i & 1 == 1 { (b, a) } else { (a, b) };
            Dag::from_arcs(dag.nodes(), arcs.iter().enumerate().map(turn)).ok()
        })
        .collect()
}
