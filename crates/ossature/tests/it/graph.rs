//! Graphs: golden values from bnlearn, and properties compared with slow, plain definitions.

mod formats;
mod naive;

use ossature::graph::{Mark, compare};
use ossature::{Cpdag, Dag, NamedGraph, Pdag, Var, VarSet};
use proptest::prelude::*;
use serde_json::Value;

use self::naive::Matrix;

/// Any DAG with at most `most` nodes. The order of the nodes is independent of the arcs.
fn any_dag(most: usize) -> impl Strategy<Value = Dag> {
    let parts = (1..=most, 0.1..0.9).prop_flat_map(|(n, density)| {
        let order = Just((0..n).collect::<Vec<_>>()).prop_shuffle();
        (order, prop::collection::vec(prop::bool::weighted(density), n * (n - 1) / 2))
    });
    parts.prop_map(|(order, present)| {
        let n = order.len();
        let pairs = (0..n).flat_map(|j| (0..j).map(move |i| (i, j)));
        let arcs = pairs.zip(present).filter(|&(_, present)| present);
        Dag::from_arcs(n, arcs.map(|((i, j), _)| (Var::new(order[i]), Var::new(order[j])))).unwrap()
    })
}

/// Any graph with at most `most` nodes, whether or not it makes sense.
pub(crate) fn any_pdag(most: usize) -> impl Strategy<Value = Pdag> {
    let mark = prop_oneof![
        2 => Just(Mark::Absent),
        1 => Just(Mark::Undirected),
        1 => Just(Mark::Forward),
        1 => Just(Mark::Backward),
    ];
    let parts = (0..=most)
        .prop_flat_map(move |n| (Just(n), prop::collection::vec(mark.clone(), n * n.saturating_sub(1) / 2)));
    parts.prop_map(|(n, marks)| {
        let mut graph = Pdag::empty(n);
        let pairs = (0..n).flat_map(|j| (0..j).map(move |i| (i, j)));
        for ((i, j), mark) in pairs.zip(marks) {
            graph.set(Var::new(i), Var::new(j), mark);
        }
        graph
    })
}

/// Two graphs over the same nodes.
fn two_dags() -> impl Strategy<Value = (Dag, Dag)> {
    let grown = |dag: &Dag, n| Dag::from_arcs(n, dag.arcs()).unwrap();
    (any_dag(7), any_dag(7)).prop_map(move |(a, b)| {
        let n = a.nodes().max(b.nodes());
        (grown(&a, n), grown(&b, n))
    })
}

#[test]
fn all_golden_pairs_match() {
    let bytes = include_bytes!("../golden/graphs.json.gz");
    let pairs: Vec<Value> = serde_json::from_reader(flate2::read::GzDecoder::new(bytes.as_slice())).unwrap();
    assert_eq!(pairs.len(), 60);
    for (i, pair) in pairs.iter().enumerate() {
        let number = |key: &str| pair[key].as_u64().unwrap() as usize;
        let truth = golden_graph(pair, "a", Mark::Forward);
        let learned = golden_graph(pair, "b", Mark::Forward);
        for (side, graph) in [("a", &truth), ("b", &learned)] {
            let class = graph.to_dag().unwrap().cpdag();
            let mut expected = golden_graph(pair, &format!("{side}_directed"), Mark::Forward).graph().clone();
            let undirected = golden_graph(pair, &format!("{side}_undirected"), Mark::Undirected);
            undirected.graph().undirected().for_each(|(x, y)| expected.set(x, y, Mark::Undirected));
            assert_eq!(class.as_pdag(), &expected, "the class of {side} in pair {i}");
        }
        let comparison = compare(truth.graph(), learned.graph());
        assert_eq!(comparison.shd, number("shd"), "pair {i}");
        assert_eq!(comparison.hamming, number("hamming"), "pair {i}");
    }
}

/// The nodes of a golden pair with the edges under one of its keys.
fn golden_graph(pair: &Value, key: &str, mark: Mark) -> NamedGraph {
    let text = |v: &Value| v.as_str().unwrap().to_owned();
    let names = pair["nodes"].as_array().unwrap().iter().map(text).collect();
    let edges = pair[key].as_array().unwrap().iter();
    NamedGraph::from_edges(names, edges.map(|e| (text(&e[0]), text(&e[1]), mark)))
}

proptest! {
    #[test]
    fn no_moves_make_a_cycle(moves in prop::collection::vec((0..3, 0..6u32, 0..6u32), 0..60)) {
        let mut dag = Dag::empty(6);
        for (what, x, y) in moves {
            let (from, to) = (Var(x), Var(y));
            let before = dag.clone();
            let had = before.has_arc(from, to);
            let done = match what {
                0 => dag.try_add(from, to).is_ok(),
                1 => dag.remove(from, to),
                _ if had => dag.try_reverse(from, to).is_ok(),
                _ => continue,
            };
            let mut expected = Matrix::of(&before);
            match what {
                0 => expected.set(from, to, true),
                1 => expected.set(from, to, false),
                _ => { expected.set(from, to, false); expected.set(to, from, true); }
            }
            if what == 1 {
                prop_assert_eq!(done, had);
            } else {
                prop_assert_eq!(done, expected.is_acyclic());
            }
            prop_assert_eq!(Matrix::of(&dag), if done { expected } else { Matrix::of(&before) });
            prop_assert_eq!(dag.topological_order().len(), 6);
        }
    }

    #[test]
    fn the_first_arc_that_closes_a_cycle_is_blamed(arcs in prop::collection::vec((0..5u32, 0..5u32), 0..12)) {
        let arcs: Vec<(Var, Var)> = arcs.into_iter().map(|(x, y)| (Var(x), Var(y))).collect();
        let mut one_by_one = Dag::empty(5);
        let expected = arcs.iter().try_for_each(|&(from, to)| one_by_one.try_add(from, to));
        prop_assert_eq!(Dag::from_arcs(5, arcs), expected.map(|()| one_by_one));
    }

    #[test]
    fn the_class_is_that_of_colliders_and_meeks_rules(dag in any_dag(7)) {
        prop_assert_eq!(dag.cpdag().as_pdag().clone(), naive::class(&dag));
    }

    #[test]
    fn an_extension_of_a_class_is_in_it(dag in any_dag(12)) {
        let class = dag.cpdag();
        prop_assert_eq!(class.extension().map(|e| e.cpdag()), Some(class));
    }

    #[test]
    fn turning_an_arc_stays_in_the_class_if_it_is_covered(dag in any_dag(7)) {
        for (x, y) in dag.arcs() {
            let covered = dag.parents(x).with(x) == *dag.parents(y);
            let mut turned = dag.clone();
            match turned.try_reverse(x, y) {
                Ok(()) => prop_assert_eq!(turned.cpdag() == dag.cpdag(), covered),
                Err(_) => prop_assert!(!covered),
            }
        }
    }

    #[test]
    fn an_extension_is_found_if_there_is_one(graph in any_pdag(5)) {
        let all = naive::extensions(&graph);
        match graph.extension() {
            Some(dag) => prop_assert!(all.contains(&dag)),
            None => prop_assert!(all.is_empty()),
        }
    }

    #[test]
    fn separation_is_that_of_the_moral_graph(dag in any_dag(7), given in prop::collection::vec(any::<bool>(), 7)) {
        let z: Vec<Var> = dag.vars().filter(|v| given[v.index()]).collect();
        for x in dag.vars().filter(|x| !z.contains(x)) {
            let connected: VarSet = dag
                .vars()
                .filter(|&y| y != x && !z.contains(&y) && !naive::separated(&dag, x, y, &z))
                .collect();
            for y in dag.vars().filter(|&y| y != x) {
                prop_assert_eq!(dag.d_separated(x, y, &z), !connected.contains(y), "{:?} {:?} {:?}", x, y, z);
            }
            prop_assert_eq!(dag.d_connected_set(x, &z), connected);
        }
    }

    #[test]
    fn a_distance_has_no_direction((a, b) in two_dags()) {
        let (there, back) = (compare(&(&a).into(), &(&b).into()), compare(&(&b).into(), &(&a).into()));
        prop_assert_eq!(there.shd, back.shd);
        prop_assert_eq!(there.hamming, back.hamming);
        prop_assert_eq!(&there.arcs.missing, &back.arcs.extra);
        prop_assert_eq!(&there.arcs.undirected, &back.arcs.directed);
        prop_assert_eq!((there.precision, there.f1), (back.recall, back.f1));
        prop_assert_eq!(there.shd == 0, a.cpdag() == b.cpdag());
        prop_assert_eq!(there.shd, naive_shd(&a.cpdag(), &b.cpdag()));
        prop_assert_eq!(compare(&(&a).into(), &a.cpdag()).shd, 0);
    }
}

fn naive_shd(a: &Cpdag, b: &Cpdag) -> usize {
    a.vars()
        .flat_map(|x| a.vars().map(move |y| (x, y)))
        .filter(|&(x, y)| x < y && a.mark(x, y) != b.mark(x, y))
        .count()
}

#[test]
fn a_node_that_is_given_is_separated() {
    let dag = Dag::from_arcs(2, [(Var(0), Var(1))]).unwrap();
    assert!(dag.d_separated(Var(0), Var(1), &[Var(0)]));
    assert!(dag.d_separated(Var(0), Var(1), &[Var(1)]));
    assert!(!dag.d_separated(Var(0), Var(0), &[]));
    assert!(dag.d_connected_set(Var(0), &[Var(0)]).is_empty());
}

/// For a graph of 10,000 nodes, the time must not grow with the number of pairs of nodes.
#[test]
fn large_graphs_are_no_trouble() {
    let n = 10_000;
    // Two parents among the nodes before, spread by a multiplication.
    let parent = |i: usize, factor: u64| Var::new(((i as u64).wrapping_mul(factor) >> 20) as usize % i);
    let arcs = (2..n).flat_map(|i| {
        [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9].map(|factor| (parent(i, factor), Var::new(i)))
    });
    let dag = Dag::from_arcs(n, arcs).unwrap();
    assert!(dag.len() > 19_000 && dag.vars().all(|v| dag.children(v).len() < 100));
    let class = dag.cpdag();
    assert_eq!(class.extension().unwrap().cpdag(), class);
    assert_eq!(compare(&(&dag).into(), &class).shd, 0);
    assert!(dag.d_connected_set(Var(0), &[]).len() > n / 4);
}

#[test]
fn a_hub_is_no_trouble() {
    let n = 10_000;
    let hub = Dag::from_arcs(n, (1..n).map(|i| (Var(0), Var::new(i)))).unwrap();
    let class = hub.cpdag();
    assert_eq!(class.undirected().count(), n - 1);
    assert_eq!(class.extension().unwrap().cpdag(), class);
    let sink = Dag::from_arcs(n, (1..n).map(|i| (Var::new(i), Var(0)))).unwrap();
    assert_eq!(sink.cpdag().directed().count(), n - 1);
}
