//! Each routine's contract on random graphs.

use ossature::ci::{Independence, Oracle};
use ossature::local::{
    Hpc, LocalLearner, Mmpc, PhaseOne, Symmetry, WeakLearner, de_pcs, de_sps, markov_blanket, neighbours,
    skeleton,
};
use ossature::{Dag, Var, VarSet};
use rayon::prelude::*;

use super::{blanket, graph, parents_and_children, random_graph, set};

/// Runs a check on 2400 graphs of 4 to 12 nodes, from sparse to dense.
pub(crate) fn on_random_graphs(check: impl Fn(&Dag, &Independence<'_>) + Sync) {
    (0..2400u64).into_par_iter().for_each(|seed| {
        let nodes = 4 + (seed % 9) as usize;
        let neighbours = [1.0, 1.7, 2.5, 3.5][(seed / 9 % 4) as usize];
        let graph = random_graph(nodes, f64::min(neighbours / (nodes - 1) as f64, 0.9), seed);
        check(&graph, &Independence::new(&Oracle::new(&graph), 0.05));
    });
}

fn contains(superset: &VarSet, subset: &VarSet) -> bool {
    subset.minus(superset).is_empty()
}

/// A learner that makes no mistakes.
struct Truth<'a>(&'a Dag);

impl LocalLearner for Truth<'_> {
    fn parents_and_children(&self, t: Var, _: &VarSet, _: &Independence<'_>) -> VarSet {
        parents_and_children(self.0, t)
    }

    fn needs_symmetry(&self) -> bool {
        false
    }
}

#[test]
fn the_supersets_contain_neighbours_and_blanket() {
    on_random_graphs(|graph, ind| {
        let u = VarSet::all(graph.nodes());
        for t in graph.vars() {
            let (pcs, d_sep) = de_pcs(t, &u, PhaseOne::Plain, ind);
            assert!(contains(&pcs, &parents_and_children(graph, t)), "{graph:?} {t:?}");
            for y in u.without(t).minus(&pcs).iter() {
                assert!(d_sep[&y].len() <= 1 && graph.d_separated(t, y, d_sep[&y].as_slice()));
            }
            let sps = de_sps(t, &u, &pcs, &d_sep, ind);
            assert!(contains(&pcs.union(&sps), &blanket(graph, t)), "{graph:?} {t:?}");
        }
    });
}

#[test]
fn nothing_stays_in_the_supersets_that_one_variable_separates() {
    on_random_graphs(|graph, ind| {
        let u = VarSet::all(graph.nodes());
        for t in graph.vars() {
            let (pcs, d_sep) = de_pcs(t, &u, PhaseOne::Plain, ind);
            for x in pcs.iter() {
                let separates = |y: Var| graph.d_separated(t, x, &[y]);
                assert!(!pcs.without(x).iter().any(separates), "{graph:?} {t:?} {x:?}");
            }
            // A spouse is kept for a reason: it depends on T given its separating set and some X.
            for y in de_sps(t, &u, &pcs, &d_sep, ind).iter() {
                let dependent = |x: Var| !graph.d_separated(t, y, d_sep[&y].with(x).as_slice());
                assert!(pcs.iter().any(dependent), "{graph:?} {t:?} {y:?}");
            }
        }
    });
}

#[test]
fn the_weak_learners_are_exact_among_all_variables() {
    on_random_graphs(|graph, ind| {
        let u = VarSet::all(graph.nodes());
        for t in graph.vars() {
            let pc = parents_and_children(graph, t);
            assert_eq!(WeakLearner::InterIapc.parents_and_children(t, &u, ind), pc, "{graph:?} {t:?}");
            assert_eq!(WeakLearner::FdrIapc.parents_and_children(t, &u, ind), pc, "{graph:?} {t:?}");
        }
    });
}

#[test]
fn hpc_is_exact_with_either_weak_learner() {
    on_random_graphs(|graph, ind| {
        let u = VarSet::all(graph.nodes());
        for weak in [WeakLearner::InterIapc, WeakLearner::FdrIapc] {
            for t in graph.vars() {
                let pc = Hpc::new(weak).parents_and_children(t, &u, ind);
                assert_eq!(pc, parents_and_children(graph, t), "{weak:?} {graph:?} {t:?}");
            }
        }
    });
}

#[test]
fn mmpc_finds_a_superset_and_is_exact_when_both_ends_agree() {
    on_random_graphs(|graph, ind| {
        let u = VarSet::all(graph.nodes());
        for t in graph.vars() {
            let pc = parents_and_children(graph, t);
            assert!(contains(&Mmpc.parents_and_children(t, &u, ind), &pc), "{graph:?} {t:?}");
            assert_eq!(neighbours(&Mmpc, t, &u, ind).unwrap(), pc, "{graph:?} {t:?}");
        }
    });
}

/// Without the symmetry MMPC is not exact (Tsamardinos, Brown & Aliferis 2006, who add it for that reason;
/// Peña, Nilsson, Björkegren & Tegnér 2007, doi:10.1016/j.ijar.2006.06.008). In T -> A -> D <- B -> A the
/// descendant D of T is separated from it only by A and B together: given A alone, T and B explain A. But B
/// is not a member, because it is independent of T. So D stays.
#[test]
fn mmpc_alone_keeps_a_descendant_that_the_other_end_refuses() {
    let (t, a, b, d) = (0, 1, 2, 3);
    let graph = graph(4, &[(t, a), (b, a), (a, d), (b, d)]);
    let oracle = Oracle::new(&graph);
    let ind = Independence::new(&oracle, 0.05);
    let u = VarSet::all(4);
    assert_eq!(Mmpc.parents_and_children(Var(t), &u, &ind), set(&[a, d]));
    assert_eq!(Mmpc.parents_and_children(Var(d), &u, &ind), set(&[a, b]));
    assert_eq!(neighbours(&Mmpc, Var(t), &u, &ind).unwrap(), set(&[a]));
    assert_eq!(Hpc::default().parents_and_children(Var(t), &u, &ind), set(&[a]), "HPC knows the spouse B");
}

#[test]
fn the_skeleton_is_exact() {
    on_random_graphs(|graph, ind| {
        let n = graph.nodes();
        let learners: [&dyn LocalLearner; 3] = [
            &Hpc::new(WeakLearner::InterIapc).with_sharing(),
            &Hpc::new(WeakLearner::FdrIapc).with_sharing(),
            &Mmpc,
        ];
        for learner in learners {
            let found = skeleton(learner, &VarSet::all(n), Symmetry::And, ind).unwrap().skeleton;
            assert_eq!(found, graph.skeleton());
        }
    });
}

#[test]
fn the_blanket_is_exact_when_the_neighbours_are() {
    on_random_graphs(|graph, ind| {
        let u = VarSet::all(graph.nodes());
        for t in graph.vars() {
            let pc = parents_and_children(graph, t);
            let found = markov_blanket(&Truth(graph), t, &pc, &u, ind).unwrap();
            assert_eq!(found, blanket(graph, t), "{graph:?} {t:?}");
        }
    });
}

/// T and Y are not adjacent, one variable does not separate them, and neither do the neighbours of T. Only
/// the neighbours of Y show that Y is not a spouse of T.
#[test]
fn a_separating_set_may_be_among_the_neighbours_of_the_other() {
    let (t, a, b, d, c) = (0, 1, 2, 3, 4);
    // As above, but D and A have a common child C.
    let graph = graph(5, &[(t, a), (b, a), (a, d), (b, d), (d, c), (a, c)]);
    let oracle = Oracle::new(&graph);
    let ind = Independence::new(&oracle, 0.05);
    let u = VarSet::all(5);
    let pc = set(&[a]);
    assert_eq!(markov_blanket(&Hpc::default(), Var(t), &pc, &u, &ind).unwrap(), set(&[a, b]));
}
