//! Forbidden and required edges.

use ossature::ci::{Independence, Oracle, TestSettings};
use ossature::graph::{Constraints, NamedArc};
use ossature::local::{Hpc, LocalLearner, Mmpc, Symmetry, WeakLearner, markov_blanket, neighbours, skeleton};
use ossature::network::catalogue;
use ossature::{Dag, Silent, Var, VarSet};
use proptest::prelude::*;

use super::script::{Script, p};
use super::{graph, set};

static LEARNERS: [&dyn LocalLearner; 3] =
    [&Hpc::new(WeakLearner::InterIapc), &Hpc::new(WeakLearner::FdrIapc), &Mmpc];

fn names(n: usize) -> Vec<String> {
    (0..n).map(|v| format!("v{v:03}")).collect()
}

/// Required arcs, and edges forbidden in both directions.
fn constraints(n: usize, required: &[(usize, usize)], forbidden: &[(usize, usize)]) -> Constraints {
    let names = names(n);
    let arc = |&(from, to): &(usize, usize)| NamedArc {
        from: names[from].clone(),
        to: names[to].clone(),
        place: None,
    };
    let both: Vec<_> = forbidden.iter().flat_map(|&(x, y)| [(x, y), (y, x)]).collect();
    let [required, forbidden] = [required, &both].map(|arcs| arcs.iter().map(arc).collect::<Vec<_>>());
    Constraints::new(&names, &required, &forbidden, &[]).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_forbidden_edge_never_is_and_a_required_one_always(
        pairs in prop::collection::btree_map((0usize..20, 0usize..20), any::<bool>(), 0..12),
        max in prop::option::of(0usize..3),
    ) {
        let data = catalogue::load("child").unwrap().sample(300, 5, &Silent).unwrap();
        let test = TestSettings::default().build(&data).unwrap();
        let pick = |wanted: bool| -> Vec<(usize, usize)> {
            pairs.iter().filter(|((x, y), required)| x < y && **required == wanted).map(|(&pair, _)| pair).collect()
        };
        let (required, forbidden) = (pick(true), pick(false));
        let known = constraints(20, &required, &forbidden);
        for learner in LEARNERS {
            let ind = Independence::new(&*test, 0.05).constraints(&known).limit_conditioning(max);
            for symmetry in [Symmetry::And, Symmetry::Or] {
                let found = skeleton(learner, &VarSet::all(20), symmetry, &ind).unwrap().skeleton;
                for &(x, y) in &required {
                    prop_assert!(found.contains(Var::new(x), Var::new(y)));
                }
                for &(x, y) in &forbidden {
                    prop_assert!(!found.contains(Var::new(x), Var::new(y)));
                }
            }
            // The listings themselves keep required edges, from both ends.
            for (x, y) in required.iter().flat_map(|&(x, y)| [(x, y), (y, x)]) {
                let pc = learner.parents_and_children(Var::new(x), &VarSet::all(20), &ind);
                prop_assert!(pc.contains(Var::new(y)));
            }
            for &(x, y) in &forbidden {
                let pc = neighbours(learner, Var::new(x), &VarSet::all(20), &ind).unwrap();
                prop_assert!(!pc.contains(Var::new(y)));
            }
        }
    }
}

fn with_constraints(graph: &Dag, known: &Constraints, check: impl Fn(&Independence<'_>)) {
    check(&Independence::new(&Oracle::new(graph), 0.05).constraints(known));
}

#[test]
fn the_ends_of_a_forbidden_edge_may_be_given() {
    // 0 -> 1 -> 2 with 0 - 1 forbidden: 1 still separates 0 and 2.
    let graph = graph(3, &[(0, 1), (1, 2)]);
    let known = constraints(3, &[], &[(0, 1)]);
    with_constraints(&graph, &known, |ind| {
        for learner in LEARNERS {
            let found = skeleton(learner, &VarSet::all(3), Symmetry::And, ind).unwrap().skeleton;
            assert_eq!(found.edges().collect::<Vec<_>>(), [(Var(1), Var(2))]);
        }
    });
}

#[test]
fn the_ends_of_a_forbidden_edge_may_be_spouses() {
    // 0 -> 2 <- 1 with 0 - 1 forbidden, which are not adjacent anyway.
    let graph = graph(3, &[(0, 2), (1, 2)]);
    let known = constraints(3, &[], &[(0, 1)]);
    with_constraints(&graph, &known, |ind| {
        for learner in LEARNERS {
            let u = VarSet::all(3);
            let pc = neighbours(learner, Var(0), &u, ind).unwrap();
            assert_eq!(pc, set(&[2]));
            assert_eq!(markov_blanket(learner, Var(0), &pc, &u, ind).unwrap(), set(&[1, 2]));
        }
    });
}

/// A required edge is certain even given so many variables that nothing else is asked; and sixty required
/// edges do not start a search through their subsets.
#[test]
fn many_required_edges_need_no_search() {
    let arcs: Vec<(usize, usize)> = (1..61).map(|v| (0, v)).collect();
    let known = constraints(62, &arcs, &[]);
    let required = set(&(1..61).collect::<Vec<_>>());
    for max in [None, Some(1)] {
        for learner in LEARNERS {
            // Everything else is dependent given at most one variable.
            let script = Script::new(|_, _, z| if z.len() < 2 { p(1e-3) } else { p(0.5) });
            let ind = script.ind().constraints(&known).limit_conditioning(max);
            let pc = learner.parents_and_children(Var(0), &VarSet::all(62), &ind);
            assert!(required.minus(&pc).is_empty());
            assert!(
                required
                    .minus(&WeakLearner::InterIapc.parents_and_children(Var(0), &VarSet::all(62), &ind))
                    .is_empty()
            );
            assert!(
                required
                    .minus(&WeakLearner::FdrIapc.parents_and_children(Var(0), &VarSet::all(62), &ind))
                    .is_empty()
            );
        }
    }
}

#[test]
fn a_required_edge_is_the_strongest_and_is_given_to_the_others() {
    // By the tests, 1 would be first and would explain 2; required, 2 comes first.
    let script = Script::new(|_, y, z| match (y, z) {
        (1, []) => p(1e-9),
        _ => p(0.5),
    });
    let known = constraints(3, &[(2, 0)], &[]);
    let ind = script.ind().constraints(&known);
    for learner in LEARNERS {
        assert_eq!(learner.parents_and_children(Var(0), &VarSet::all(3), &ind), set(&[2]));
    }
}
