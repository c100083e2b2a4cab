//! Each routine's contract on random graphs.

use ossature::ci::{Independence, Oracle};
use ossature::graph::Constraints;
use ossature::halves::{GivenSkeleton, LearnedGraph};
use ossature::local::Pc;
use ossature::orient::ColliderRule;

use super::{RULES, learned};
use crate::local::on_random_graphs;

#[test]
fn pc_finds_the_class_by_every_rule() {
    on_random_graphs(|graph, _| {
        for rule in RULES {
            // Without what was noted, max-p and majority may have no set left that separates.
            for keep in [true, false].into_iter().filter(|keep| *keep || rule == ColliderRule::Sepset) {
                let oracle = Oracle::new(graph);
                let mut ask = Independence::new(&oracle, 0.05);
                if keep {
                    ask = ask.keep_evidence(graph.nodes());
                }
                let (inside, found) = learned(&Pc, graph.nodes(), rule, &Constraints::none(), &ask);
                assert_eq!(inside.skeleton, graph.skeleton(), "{graph:?}");
                assert_eq!(found.graph, LearnedGraph::Cpdag(graph.cpdag()), "{rule:?} {graph:?}");
                assert!(
                    found.complete && found.concerns.is_empty(),
                    "{rule:?} {:?} {graph:?}",
                    found.concerns
                );
                for (x, y, separation) in inside.evidence.iter() {
                    assert!(!graph.adjacent(x, y) && graph.d_separated(x, y, &separation.given));
                }
            }
        }
    });
}

/// A skeleton that is given, and about which no test was asked before.
#[test]
fn a_given_skeleton_is_directed_like_any_other() {
    on_random_graphs(|graph, _| {
        for rule in RULES {
            let oracle = Oracle::new(graph);
            let ask = Independence::new(&oracle, 0.05);
            let given = GivenSkeleton(graph.skeleton());
            let (_, found) = learned(&given, graph.nodes(), rule, &Constraints::none(), &ask);
            assert_eq!(found.graph, LearnedGraph::Cpdag(graph.cpdag()), "{rule:?} {graph:?}");
        }
    });
}
