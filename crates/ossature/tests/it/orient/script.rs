//! Orders, conflicts and cycles with scripted answers.

use ossature::ci::Underpowered;
use ossature::graph::{Constraints, Mark, NamedArc};
use ossature::halves::{LearnedGraph, Restrict, Restriction};
use ossature::local::{BlanketLearner, Pc, Tpda};
use ossature::orient::ColliderRule;
use ossature::{Pdag, Skeleton, Var, VarSet};

use super::{RULES, directed};
use crate::local::script::{Script, no_power, p, questions};
use crate::local::set;

fn skeleton(n: usize, edges: &[(u32, u32)]) -> Restriction {
    let mut skeleton = Skeleton::empty(n);
    edges.iter().for_each(|&(x, y)| _ = skeleton.insert(Var(x), Var(y)));
    Restriction { skeleton, evidence: Default::default() }
}

fn marks(graph: &LearnedGraph) -> String {
    let graph: Pdag = graph.to_pdag();
    let arcs = graph.directed().map(|(x, y)| format!("{}>{}", x.0, y.0));
    arcs.chain(graph.undirected().map(|(x, y)| format!("{}-{}", x.0, y.0))).collect::<Vec<_>>().join(" ")
}

fn arc(from: u32, to: u32) -> NamedArc {
    NamedArc { from: from.to_string(), to: to.to_string(), place: None }
}

fn known(n: usize, required: &[NamedArc], forbidden: &[NamedArc]) -> Constraints {
    let names: Vec<String> = (0..n).map(|v| v.to_string()).collect();
    Constraints::new(&names, required, forbidden, &[]).unwrap()
}

/// Runs the work in one thread, so that everything happens in one order.
fn alone<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(work)
}

/// Level by level, first the sets near the first end of an edge, then the new ones near the other end. The
/// neighbours are frozen within a level.
#[test]
fn pc_asks_in_its_order() {
    // 0-3 is removed given 1; everything else stays.
    let script = Script::new(|x, y, z| p(if (x, y, z) == (0, 3, &[1]) { 0.5 } else { 1e-3 }));
    let found = alone(|| Pc.restrict(&VarSet::all(4), &script.ind().limit_conditioning(Some(1))).unwrap());
    let edges: Vec<_> = found.skeleton.edges().map(|(x, y)| (x.0, y.0)).collect();
    assert_eq!(edges, [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]);
    let expected = "0 1 |, 0 2 |, 0 3 |, 1 2 |, 1 3 |, 2 3 |, \
        0 2 | 1, 0 3 | 1, 0 1 | 2, 0 1 | 3, 0 2 | 3, \
        1 2 | 0, 1 3 | 0, 1 3 | 2, 1 2 | 3, 2 3 | 0, 2 3 | 1";
    assert_eq!(script.asked().join(", "), expected);
    // The sets of size 2: 3 is no longer a neighbour of 0, nor 0 of 3.
    let found = alone(|| Pc.restrict(&VarSet::all(4), &script.ind()).unwrap());
    assert_eq!(found.skeleton.len(), 5);
    let of_two: Vec<String> = script.asked().into_iter().filter(|q| q.len() == 9).collect();
    assert_eq!(of_two.join(", "), "1 3 | 0 2, 1 2 | 0 3, 2 3 | 0 1, 0 1 | 2 3, 0 2 | 1 3");
}

/// A set that is near only the second end is tested too, and recorded.
#[test]
fn pc_looks_near_both_ends() {
    // 0-1 is separated by 2, which is a neighbour of 1 only.
    let script = Script::new(|x, y, z| {
        p(match (x, y, z) {
            (0, 2, []) | (0, 1, [2]) => 0.5,
            _ => 1e-3,
        })
    });
    let ask = script.ind().keep_evidence(20);
    let found = alone(|| Pc.restrict(&VarSet::all(3), &ask).unwrap());
    assert_eq!(found.skeleton.edges().collect::<Vec<_>>(), [(Var(1), Var(2))]);
    assert_eq!(script.asked().last().map(String::as_str), Some("0 1 | 2"));
    assert_eq!(found.evidence.len(), 1, "nothing is noted of what needs no set");
    assert_eq!(found.evidence.separation(Var(0), Var(1)).unwrap().given.as_slice(), [Var(2)]);
}

/// If a test without power has no verdict, an edge that no set of a size could test is kept and not tested
/// again.
#[test]
fn an_edge_that_cannot_be_tested_is_asked_no_more() {
    let script = Script::new(|x, y, z| match z.len() {
        0 => p(1e-3),
        1 if (x, y) != (0, 1) => p(1e-3),
        1 => no_power(),
        _ => p(if (x, y) == (0, 1) { 0.9 } else { 1e-3 }),
    });
    for (policy, edge) in [(Underpowered::Skip, true), (Underpowered::Independent, false)] {
        let found = alone(|| Pc.restrict(&VarSet::all(4), &script.ind().underpowered(policy)).unwrap());
        assert_eq!(found.skeleton.contains(Var(0), Var(1)), edge);
        assert!(!script.asked().iter().any(|question| question.starts_with("0 1 | 2 3")));
    }
}

/// The path 0 - 1 - 2, and the result of each rule for the same answers.
#[test]
fn the_rules_read_the_tests_each_in_its_way() {
    // Given nothing p is 0.2; given 1 it is 0.1; given 3, a neighbour of 0, it is 0.3.
    let script = Script::new(|x, y, z| {
        if (x, y) == (1, 3) {
            return p(if z.contains(&0) { 0.9 } else { 1e-3 });
        }
        p([0.2, 0.1, 0.3, 0.06][usize::from(z.contains(&1)) + 2 * usize::from(z.contains(&3))])
    });
    let path = skeleton(4, &[(0, 1), (1, 2), (0, 3)]);
    let find = |rule| {
        let found = directed(&path, rule, &Constraints::none(), &script.ind()).unwrap();
        assert!(found.concerns.is_empty());
        marks(&found.graph)
    };
    // The largest p is that given 3, without 1.
    assert_eq!(find(ColliderRule::MaxP), "0>1 2>1 0-3");
    // Half of the sets contain 1: nothing is known, so nothing follows.
    assert_eq!(find(ColliderRule::Majority), "0-1 0-3 1-2");
    assert_eq!(find(ColliderRule::Sepset), "0>1 2>1 0-3", "the first set is empty");
    // A recorded set counts for `sepset` alone.
    let mut noted = path.clone();
    noted.evidence.note(Var(0), Var(2), &[Var(1)], Some(p(0.1)), true);
    let rule = ColliderRule::Sepset;
    let found = directed(&noted, rule, &Constraints::none(), &script.ind()).unwrap();
    assert_eq!(marks(&found.graph), "0-1 0-3 1-2");
}

/// A pair that no test with power separates stays open: `max-p` does not accept p = 1 of a test without
/// power.
#[test]
fn tests_without_power_decide_nothing() {
    let script = Script::new(|_, _, z| if z.is_empty() { p(1e-9) } else { no_power() });
    let path = skeleton(3, &[(0, 1), (1, 2)]);
    let find = |rule| marks(&directed(&path, rule, &Constraints::none(), &script.ind()).unwrap().graph);
    assert_eq!(find(ColliderRule::MaxP), "0>1 2>1", "the empty set has the largest p of those with power");
    assert_eq!(find(ColliderRule::Majority), "0-1 1-2");
    let none = Script::new(|_, _, _| no_power());
    for rule in [ColliderRule::MaxP, ColliderRule::Majority] {
        let found = directed(&path, rule, &Constraints::none(), &none.ind()).unwrap();
        assert_eq!(marks(&found.graph), "0-1 1-2");
        assert!(none.asked().len() <= 2, "the sizes end with the first that has no power");
    }
}

/// 0 - 1 - 2 - 3 with two colliders that need opposite directions of 1 - 2: the more certain one wins.
#[test]
fn of_two_colliders_that_contradict_each_other_the_surer_is_applied() {
    for (first, second, expected) in [(0.5, 0.4, "0>1 2>1 2-3"), (0.4, 0.5, "1>2 3>2 0-1")] {
        let script = Script::new(move |x, y, z| match (x, y, z) {
            (0, 2, []) => p(first),
            (1, 3, []) => p(second),
            _ => p(1e-3),
        });
        let path = skeleton(4, &[(0, 1), (1, 2), (2, 3)]);
        for rule in [ColliderRule::MaxP, ColliderRule::Sepset] {
            let found = directed(&path, rule, &Constraints::none(), &script.ind()).unwrap();
            assert_eq!(found.concerns, ["1 collider was left out: it contradicts a more certain one"]);
            assert_eq!(marks(&found.graph), expected, "{rule:?}");
            assert_eq!(found.graph.kind(), "cpdag", "it is the class of its own extension");
        }
    }
    // By majority the share counts: given nothing and given 0, compared with given nothing alone of two.
    let script = Script::new(|x, y, z| match (x, y, z) {
        (0, 2, []) => p(0.1),
        (1, 3, []) | (1, 3, [0]) | (1, 3, [2]) => p(0.9),
        _ => p(1e-3),
    });
    let path = skeleton(4, &[(0, 1), (1, 2), (2, 3)]);
    let found = directed(&path, ColliderRule::Majority, &Constraints::none(), &script.ind()).unwrap();
    assert_eq!(marks(&found.graph), "0>1 2>1 2-3");
}

/// Three colliders 1, 2, 3 that would form a cycle; the least certain of them is left out.
#[test]
fn a_collider_that_would_close_a_cycle_is_left_out() {
    // The ring 0 - 1 - 2 - 3 - 0, each with a leaf: 4 + i at i. Colliders i-1 -> i <- 4 + i.
    let ring = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 4), (1, 5), (2, 6), (3, 7)];
    let script = Script::new(|x, y, z| match (x, y, z) {
        (3, 4, []) => p(0.9),
        (0, 5, []) => p(0.8),
        (1, 6, []) => p(0.7),
        (2, 7, []) => p(0.6),
        // The others are not colliders.
        _ if !z.is_empty() => p(0.95),
        _ => p(1e-3),
    });
    let mut inside = skeleton(8, &ring);
    for x in 0..8u32 {
        for y in x + 1..8 {
            if !ring.contains(&(x, y)) && ![(3, 4), (0, 5), (1, 6), (2, 7)].contains(&(x, y)) {
                let middle: Vec<Var> = (0..8).filter(|&v| v != x && v != y).map(Var).collect();
                inside.evidence.note(Var(x), Var(y), &middle, Some(p(0.95)), true);
            }
        }
    }
    let found = directed(&inside, ColliderRule::Sepset, &Constraints::none(), &script.ind()).unwrap();
    let graph = found.graph.to_pdag();
    assert!(found.concerns[0].starts_with("1 collider was left out: it would close a directed cycle"));
    for (from, to) in [(3, 0), (4, 0), (0, 1), (5, 1), (1, 2), (6, 2)] {
        assert_eq!(graph.mark(Var(from), Var(to)), Mark::Forward, "{from} {to}");
    }
    assert_ne!(graph.mark(Var(2), Var(3)), Mark::Forward);
    assert!(found.graph.dag().is_some(), "there is a DAG for scores and tables");
}

/// Constraints take precedence over every test.
#[test]
fn what_is_known_is_stronger_than_any_collider() {
    let script = Script::new(|x, y, z| p(if (x, y) == (0, 2) || z.contains(&2) { 0.9 } else { 1e-3 }));
    let path = skeleton(4, &[(0, 1), (1, 2), (2, 3)]);
    for rule in RULES {
        let find = |known: &Constraints| directed(&path, rule, known, &script.ind()).unwrap();
        let free = find(&Constraints::none());
        let sets_with_the_middle = rule == ColliderRule::Majority;
        if !sets_with_the_middle {
            assert_eq!(marks(&free.graph), "0>1 2>1 2-3");
            let turned = find(&known(4, &[arc(1, 2)], &[]));
            assert_eq!(turned.concerns[0], "1 collider was left out: it contradicts prior knowledge");
            assert_eq!(marks(&turned.graph), "1>2 2>3 0-1", "R1 goes on from what is known");
            let forbidden = find(&known(4, &[], &[arc(2, 1)]));
            assert_eq!(marks(&forbidden.graph), "1>2 2>3 0-1");
        }
        // A direction that the tests leave open is not part of a class.
        let more = find(&known(4, &[arc(3, 2)], &[]));
        assert_eq!(more.graph.kind(), "pdag");
        assert_eq!(more.graph.to_pdag().mark(Var(3), Var(2)), Mark::Forward);
    }
}

/// Each edge of a triangle may have only one direction, and these form a cycle.
#[test]
fn an_edge_that_no_direction_is_left_for_goes() {
    let script = Script::new(|_, _, _| p(1e-3));
    let triangle = skeleton(3, &[(0, 1), (1, 2), (0, 2)]);
    let ring = known(3, &[], &[arc(1, 0), arc(2, 1), arc(0, 2)]);
    let found = directed(&triangle, ColliderRule::MaxP, &ring, &script.ind()).unwrap();
    assert_eq!(found.graph.skeleton().len(), 2);
    assert_eq!(
        found.concerns,
        ["1 edge was left out: the only direction that is allowed would close a cycle"]
    );
    // A required arc stays, whatever its name.
    let ring = known(3, &[arc(2, 0)], &[arc(1, 0), arc(2, 1)]);
    let found = directed(&triangle, ColliderRule::MaxP, &ring, &script.ind()).unwrap();
    assert_eq!(found.graph.to_pdag().mark(Var(2), Var(0)), Mark::Forward);
    assert_eq!(found.graph.skeleton().len(), 2);
}

/// 0 -> 1 - 2 <- 3, where 1 - 2 is not a collider on either side: no DAG is exactly that.
#[test]
fn a_graph_that_is_no_class_is_called_so_and_still_has_a_dag() {
    // 0 and 4 meet in 1, 3 and 5 in 2; 1 and 2 are in the sets that separate the others.
    let edges = [(0, 1), (1, 4), (1, 2), (2, 3), (2, 5)];
    let script = Script::new(|x, y, z| match (x, y) {
        (0, 4) => p(if z.contains(&1) { 1e-3 } else { 0.9 }),
        (3, 5) => p(if z.contains(&2) { 1e-3 } else { 0.9 }),
        (0 | 1, 2..) | (2, 4..) => p(if z.contains(&1) || z.contains(&2) { 0.8 } else { 1e-3 }),
        _ => p(1e-3),
    });
    let found =
        directed(&skeleton(6, &edges), ColliderRule::MaxP, &Constraints::none(), &script.ind()).unwrap();
    assert_eq!(marks(&found.graph), "0>1 3>2 4>1 5>2 1-2");
    assert_eq!(found.graph.kind(), "pdag");
    assert_eq!(
        found.concerns,
        [
            "1 edge has no direction because the rules contradict each other there",
            "2 colliders had to be added to get a DAG: no DAG has exactly these directions"
        ]
    );
    let dag = found.graph.dag().unwrap();
    assert!(dag.adjacent(Var(1), Var(2)) && dag.has_arc(Var(0), Var(1)) && dag.has_arc(Var(3), Var(2)));
}

/// The blanket of 0 among 0 to 3.
fn blanket(learner: BlanketLearner, script: &Script) -> VarSet {
    learner.blanket_of(Var(0), &VarSet::all(4), &script.ind())
}

#[test]
fn gs_takes_the_first_and_begins_again() {
    let script = Script::new(|_, y, z| match (y, z) {
        (2, []) | (1, [2]) => p(1e-3),
        _ => p(0.5),
    });
    assert_eq!(blanket(BlanketLearner::Gs, &script), set(&[]));
    let order = "1 |, 2 | -- 2 is the first that depends
        1 | 2 -- from the start again
        3 | 1 2
        1 | 2, 2 | 1 -- 2 goes
        1 | -- from the start again, without it";
    assert_eq!(script.asked(), questions(0, order));
}

#[test]
fn iamb_takes_the_strongest_and_shrinks_at_the_end() {
    let script = Script::new(|_, y, z| match (y, z) {
        (1, []) => p(0.02),
        (2, []) => p(0.001),
        (3, []) => p(0.03),
        (3, [2]) => p(0.01),
        _ => p(0.5),
    });
    assert_eq!(blanket(BlanketLearner::Iamb, &script), set(&[3]));
    let order = "1 |, 2 |, 3 |, 1 | 2, 3 | 2, 1 | 2 3
        3 | 2, 2 | 3 -- in the reverse order of insertion";
    assert_eq!(script.asked(), questions(0, order));
}

#[test]
fn fast_iamb_adds_all_that_depend_without_ranking_again() {
    let script = Script::new(|_, y, z| match (y, z) {
        (1, []) => p(0.02),
        (2, []) => p(0.001),
        (3, []) => p(0.03),
        (3, _) => p(0.5),
        _ => p(0.01),
    });
    assert_eq!(blanket(BlanketLearner::FastIamb, &script), set(&[1, 2]));
    let order = "1 |, 2 |, 3 |
        2 | 1 3, 1 | 2 3, 3 | 1 2 -- all three are in; in the order in which they came
        3 | 1 2, 2 | 1, 1 | 2 -- and again, until nothing changes";
    assert_eq!(script.asked(), questions(0, order));
}

/// A pair that joins two parts is added at once; the others wait, the strongest first.
#[test]
fn tpda_drafts_by_strength_and_thickens_by_cuts() {
    let script = Script::new(|x, y, z| match (x, y, z) {
        (0, 1, []) => p(1e-9),
        (1, 2, []) => p(1e-8),
        (0, 2, []) => p(1e-6),
        (0, 3, []) => p(1e-5),
        (1, 3, []) => p(1e-4),
        (0, 2, [1]) | (1, 3, [0]) => p(0.5),
        (2, 3, _) => p(0.6),
        _ => p(1e-3),
    });
    let ask = script.ind().keep_evidence(100);
    let found = alone(|| Tpda::default().restrict(&VarSet::all(4), &ask).unwrap());
    let edges: Vec<_> = found.skeleton.edges().map(|(x, y)| (x.0, y.0)).collect();
    assert_eq!(edges, [(0, 1), (0, 3), (1, 2)]);
    let asked = script.asked();
    assert_eq!(asked[6..], ["0 2 | 1", "1 3 | 0"], "0 2 is the stronger of the two that waited");
    assert_eq!(found.evidence.separation(Var(0), Var(2)).unwrap().given.as_slice(), [Var(1)]);
    assert!(found.evidence.separation(Var(2), Var(3)).is_none(), "nothing is noted of what needs no set");
}

/// Of the neighbours on the paths, one after another is removed: the one whose removal leaves the least
/// information.
#[test]
fn tpda_takes_variables_away_from_a_cut_while_it_does_not_say_more() {
    // A forest 0 - 1, 0 - 2, 0 - 3, 4 - 1; then 4 - 2 and 4 - 3 are added, and a cut of 0 - 4 is sought.
    let script = |stop: bool| {
        Script::new(move |x, y, z| match (x, y, z) {
            (0, 1, []) => p(1e-20),
            (0, 2, []) => p(1e-19),
            (0, 3, []) => p(1e-18),
            (1, 4, []) => p(1e-17),
            (2, 4, _) | (3, 4, _) => p(1e-10),
            (0, 4, []) => p(1e-3),
            (0, 4, [1, 2, 3]) => p(1e-6),
            (0, 4, [1, 2]) => p(if stop { 1e-7 } else { 1e-5 }),
            (0, 4, [1, 3]) => p(if stop { 1e-7 } else { 1e-4 }),
            (0, 4, [2, 3]) => p(1e-8),
            (0, 4, [1]) => p(0.7),
            (0, 4, [3]) => p(1e-3),
            _ if z.is_empty() => p(0.5),
            _ => p(1e-9),
        })
    };
    let asked_of = |stop: bool| {
        let script = script(stop);
        let ask = script.ind().keep_evidence(100);
        let found = alone(|| Tpda::default().restrict(&VarSet::all(5), &ask).unwrap());
        let cut = found.evidence.separation(Var(0), Var(4)).map(|cut| cut.given.to_vec());
        let asked: Vec<String> = script.asked().into_iter().filter(|q| q.starts_with("0 4 | ")).collect();
        (cut, asked)
    };
    let (cut, asked) = asked_of(false);
    assert_eq!(cut, Some(vec![Var(1)]));
    assert_eq!(asked[..6], ["0 4 | 1 2 3", "0 4 | 2 3", "0 4 | 1 3", "0 4 | 1 2", "0 4 | 3", "0 4 | 1"]);
    // If every smaller set has more information it stops, although a still smaller one would separate.
    let (cut, asked) = asked_of(true);
    assert_eq!(cut, None);
    assert_eq!(asked[..4], ["0 4 | 1 2 3", "0 4 | 2 3", "0 4 | 1 3", "0 4 | 1 2"]);
    assert!(!asked.contains(&"0 4 | 1".to_owned()), "{asked:?}");
}
