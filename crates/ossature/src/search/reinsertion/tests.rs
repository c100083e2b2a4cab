//! A single step against all ways to put a variable back.

use super::*;
use crate::progress::Silent;
use crate::score::{ScoreKind, ScoreSettings};
use crate::search::tests::{NAMES, all_dags, dependent_data, stream, task};
use crate::word::Word;

/// Of all graphs of five variables that have the same arcs among the others, none is better than the one that a
/// step leads to.
#[test]
fn a_step_is_the_best_of_all_reinsertions() {
    let (n, dags, mut next) = (5, all_dags(5), stream(17));
    let arc = |from: &str, to: &str| crate::graph::NamedArc { from: from.into(), to: to.into(), place: None };
    let known =
        Constraints::new(&NAMES[..n], &[arc("b", "d")], &[arc("a", "b"), arc("d", "c")], &[]).unwrap();
    for round in 0..12 {
        let levels: Vec<u16> = (0..n).map(|_| 2 + next(2) as u16).collect();
        let data = dependent_data(30 + 10 * round, &levels, next(1 << 40));
        let kind = ScoreKind::all().nth(round % 7).unwrap();
        let score = ScoreSettings { kind, iss: 3.0, ..ScoreSettings::default() }.build(&data).unwrap();
        let none = Constraints::none();
        let constraints = if round % 2 == 0 { &none } else { &known };
        let most = [None, Some(2)][round / 2 % 2];
        let rules = Rules::new(None, constraints, most);
        let keeps = |dag: &Dag| {
            constraints.required().iter().all(|&(x, y)| dag.has_arc(x, y))
                && dag.arcs().all(|(x, y)| constraints.may_add(x, y))
                && dag.vars().all(|v| !rules.is_over(dag.parents(v).len()))
        };
        let sets = parent_sets(&*score, &rules, n, usize::MAX, &Watch::new(&Silent)).unwrap().sets;
        let run = Reinserting { score: &*score, rules: &rules, sets: &sets };
        let allowed: Vec<&Dag> = dags.iter().filter(|dag| keeps(dag)).collect();
        let others = |dag: &Dag, t: Var| dag.arcs().filter(|&(x, y)| x != t && y != t).collect::<Vec<_>>();
        for _ in 0..3 {
            let dag = allowed[next(allowed.len() as u64) as usize];
            let t = Var::new(next(n as u64) as usize);
            let same: Vec<&&Dag> =
                allowed.iter().filter(|other| others(other, t) == others(dag, t)).collect();
            let best = same.iter().map(|other| total(&*score, other)).fold(f64::NEG_INFINITY, f64::max);
            let after = run.step(dag, t).unwrap_or_else(|| dag.clone());
            assert!(keeps(&after) && others(&after, t) == others(dag, t));
            assert_eq!(total(&*score, &after), best, "{kind:?} {dag:?} {t:?}");
        }
    }
}

#[test]
fn sweeps_never_lose_and_restarts_never_lose() {
    let mut next = stream(29);
    for _ in 0..20 {
        let data = dependent_data(120, &[2, 3, 2, 2, 3, 2, 2], next(1 << 40));
        let score = ScoreSettings::default().build(&data).unwrap();
        let none = Constraints::none();
        let task = task(&*score, 7, None, &none, &Silent);
        let mut last = f64::NEG_INFINITY;
        for restarts in [0, 1, 5] {
            let found = OptimalReinsertion { restarts, max_parents: Some(3), seed: 1 }.orient(&task).unwrap();
            assert!(found.complete && found.score.unwrap() >= last);
            assert_eq!(found.score, Some(total(&*score, &found.graph.dag().unwrap())));
            last = found.score.unwrap();
        }
        let best = crate::search::Exact { max_parents: Some(3), ..Default::default() }
            .orient(&task)
            .unwrap()
            .score
            .unwrap();
        assert!(last <= best);
    }
}
