//! The operators against what they mean for the DAGs of a class, and the lists against scratch.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rustc_hash::FxHashSet;

use super::operators::{Operator, OperatorSources};
use super::*;
use crate::data::{TableKind, VarSet};
use crate::progress::Silent;
use crate::score::{ScoreKind, ScoreSettings, total};
use crate::search::tests::{NAMES, all_dags, dependent_data, random_constraints, random_skeleton, stream};

/// A class as something that can be ordered: what each variable has for parents and neighbours.
fn key(class: &crate::graph::Cpdag) -> Vec<(VarSet, VarSet)> {
    class.vars().map(|v| (class.parents(v).clone(), class.neighbours(v).clone())).collect()
}

/// Every operator of a kind, whether it gains or not.
fn every(act: Act, state: &ClassState, sources: &OperatorSources<'_>) -> Vec<Operator> {
    let sources = OperatorSources { losing: true, ..*sources };
    state.class.vars().flat_map(|y| sources.operators(act, &state.class, y)).collect()
}

/// The classes that one arc more, less or turned in one of some DAGs leads to.
fn by_definition(act: Act, dags: &[&Dag]) -> BTreeSet<Vec<(VarSet, VarSet)>> {
    let mut found = BTreeSet::new();
    for dag in dags {
        for x in dag.vars() {
            for y in dag.vars().filter(|&y| y != x) {
                let mut after = (*dag).clone();
                let done = match act {
                    Act::Insert => !dag.adjacent(x, y) && after.try_add(x, y).is_ok(),
                    Act::Delete => after.remove(x, y),
                    Act::Turn => dag.has_arc(x, y) && after.try_reverse(x, y).is_ok(),
                };
                if done {
                    found.insert(key(&after.cpdag()));
                }
            }
        }
    }
    found
}

/// At every class of four variables, the valid operators lead exactly where one arc more, less or turned
/// in some DAG of the class leads, with the constraints and without, and gain what the whole graph gains.
#[test]
fn operators_mean_what_they_mean_for_dags() {
    let n = 4;
    let dags = all_dags(n);
    let mut classes: BTreeMap<_, Vec<&Dag>> = BTreeMap::new();
    dags.iter().for_each(|dag| classes.entry(key(&dag.cpdag())).or_default().push(dag));
    assert_eq!((dags.len(), classes.len()), (543, 185));
    let arc = |from: &str, to: &str| crate::graph::NamedArc { from: from.into(), to: to.into(), place: None };
    let required =
        Constraints::new(&NAMES[..n], &[arc("a", "c")], &[arc("b", "c"), arc("d", "b")], &[]).unwrap();
    let forbidden = [arc("c", "a"), arc("c", "b"), arc("d", "a"), arc("a", "d"), arc("d", "b")];
    let tiers = Constraints::new(&NAMES[..n], &[], &forbidden, &[]).unwrap();
    let data = dependent_data(60, &[2, 3, 2, 2], 5);
    for kind in [ScoreKind::Bdeu, ScoreKind::Bic] {
        let score = ScoreSettings { kind, iss: 3.0, ..ScoreSettings::default() }.build(&data).unwrap();
        for (known, most) in [
            (Constraints::none(), None),
            (required.clone(), None),
            (tiers.clone(), None),
            (Constraints::none(), Some(2)),
        ] {
            let rules = Rules::new(None, &known, most);
            let families = Families::new(&*score, candidates(&rules, &dags[542]));
            let apart = FxHashSet::default();
            let sources = OperatorSources {
                families: &families,
                rules: &rules,
                apart: &apart,
                losing: true,
                go_on: &|| true,
            };
            let keeps = |dag: &Dag| {
                known.required().iter().all(|&(x, y)| dag.has_arc(x, y))
                    && dag.arcs().all(|(x, y)| known.may_add(x, y))
                    && dag.vars().all(|v| !rules.is_over(dag.parents(v).len()))
            };
            let kept: BTreeSet<_> =
                dags.iter().filter(|dag| keeps(dag)).map(|dag| key(&dag.cpdag())).collect();
            for (class, dags) in classes.iter().filter(|(class, _)| kept.contains(*class)) {
                let state = ClassState::new(dags[0], &rules, &families).unwrap();
                assert!(keeps(&state.dag) && key(&state.dag.cpdag()) == *class);
                for act in [Act::Insert, Act::Delete, Act::Turn] {
                    let mut found = BTreeSet::new();
                    for operator in every(act, &state, &sources) {
                        let Some(after) = state.after(&operator, &rules, &families) else { continue };
                        assert_eq!(after.total, total(&*score, &after.dag));
                        assert_eq!(after.total - state.total, operator.gain, "{operator:?}");
                        assert!(keeps(&after.dag));
                        assert_eq!(after.class, after.dag.cpdag());
                        found.insert(key(&after.class));
                    }
                    let mut expected = by_definition(act, dags);
                    expected.remove(class);
                    expected.retain(|class| kept.contains(class));
                    assert_eq!(found, expected, "{act:?} {class:?}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// After every operator the lists are those of a fresh start, the operator was the best of all, the
    /// score rose by its gain and the state is a class that keeps to the rules.
    #[test]
    fn every_step_is_the_obvious_one(
        rows in 5usize..200,
        levels in prop::collection::vec(1u16..4, 7),
        kind in prop::sample::select(ScoreKind::all().filter(|k| k.is_for(TableKind::Discrete)).collect::<Vec<_>>()),
        skeleton: bool,
        constrained: bool,
        max_parents in prop::option::of(2usize..4),
        acts in 0usize..4,
        seed: u64,
    ) {
        let data = dependent_data(rows, &levels, seed);
        let score = ScoreSettings { kind, iss: 10.0, ..ScoreSettings::default() }.build(&data).unwrap();
        let skeleton = skeleton.then(|| random_skeleton(seed, 2));
        let constraints = if constrained { random_constraints(seed) } else { Constraints::none() };
        let rules = Rules::new(skeleton.as_ref(), &constraints, max_parents);
        prop_assume!(rules.start(&NAMES, None).is_ok());
        let start = rules.start(&NAMES, None).unwrap();
        let families = Families::new(&*score, candidates(&rules, &start));
        let watch = Watch::new(&Silent);
        let state = ClassState::new(&start, &rules, &families).unwrap();
        let mut run = ClassRun::new(&families, &rules, &watch, state);
        let apart = FxHashSet::default();
        let sources = OperatorSources { families: &families, rules: &rules, apart: &apart, losing: false, go_on: &|| true };
        let phases: &[&[Act]] = match acts {
            0 => &[&[Act::Insert], &[Act::Delete]],
            1 => &[&[Act::Insert], &[Act::Delete], &[Act::Turn]],
            2 => &[&[Act::Delete, Act::Turn, Act::Insert]],
            _ => &[&[Act::Insert], &[Act::Turn, Act::Delete, Act::Insert]],
        };
        for acts in phases {
            prop_assert!(run.keep(acts));
            loop {
                let mut next = None;
                for (place, &act) in acts.iter().enumerate() {
                    let mut all: Vec<Operator> = run.state.class.vars()
                        .flat_map(|y| sources.operators(act, &run.state.class, y)).collect();
                    let kept: Vec<&Operator> = run.kept()[place].iter().flat_map(|list| list.iter()).collect();
                    prop_assert_eq!(kept.len(), all.len());
                    for (kept, fresh) in kept.iter().zip(&all) {
                        prop_assert_eq!((kept.x, kept.y, &kept.set, kept.gain), (fresh.x, fresh.y, &fresh.set, fresh.gain));
                    }
                    all.sort_by(|a, b| b.gain.total_cmp(&a.gain).then_with(|| (a.y, a.x, &a.set).cmp(&(b.y, b.x, &b.set))));
                    let best = all.into_iter().filter(|o| o.gain > 0.0).find_map(|o| {
                        let after = run.state.after(&o, &rules, &families)?;
                        (after.total > run.state.total).then_some((o, after))
                    });
                    let found = run.best(place);
                    prop_assert_eq!(found.as_ref(), best.as_ref().map(|(_, after)| after));
                    if let Some((operator, after)) = best {
                        next = Some((operator, after));
                        break;
                    }
                }
                let Some((operator, after)) = next else { break };
                if kind.is_score_equivalent() {
                    prop_assert_eq!(after.total - run.state.total, operator.gain);
                }
                prop_assert_eq!(after.total, total(&*score, &after.dag));
                prop_assert_eq!(&after.class, &after.dag.cpdag());
                prop_assert!(constraints.required().iter().all(|&(x, y)| after.dag.has_arc(x, y)));
                prop_assert!(after.dag.arcs().all(|(x, y)| constraints.may_add(x, y)));
                prop_assert!(after.dag.vars().all(|v| !rules.is_over(after.dag.parents(v).len())));
                if let Some(skeleton) = &skeleton {
                    let required = |x, y| constraints.edge_required(x, y);
                    prop_assert!(after.dag.arcs().all(|(x, y)| skeleton.contains(x, y) || required(x, y)));
                }
                run.go_to(after);
            }
        }
    }
}

/// A forced deletion is undone unless it pays, and XGES never scores below the climb it begins with.
#[test]
fn forced_deletions_never_lose() {
    let mut next = stream(3);
    let mut rose = 0;
    for round in 0..60 {
        let levels: Vec<u16> = (0..7).map(|_| 2 + next(2) as u16).collect();
        let data = dependent_data(40 + 4 * round, &levels, next(1 << 40));
        let score = ScoreSettings::default().build(&data).unwrap();
        let none = Constraints::none();
        let (rules, watch) = (Rules::new(None, &none, None), Watch::new(&Silent));
        let start = Dag::empty(7);
        let families = Families::new(&*score, candidates(&rules, &start));
        let state = ClassState::new(&start, &rules, &families).unwrap();
        let mut run = ClassRun::new(&families, &rules, &watch, state);
        assert!(run.keep(&[Act::Delete, Act::Turn, Act::Insert]) && run.climb());
        let before = run.state.total;
        assert!(force_deletions(&mut run));
        assert!(run.state.total >= before);
        rose += usize::from(run.state.total > before);
        // It ends where no forced deletion pays, and what it keeps open is as from scratch.
        let kept: Vec<Operator> = run.kept().iter().flatten().flat_map(|list| list.iter()).cloned().collect();
        assert!(run.keep(&[Act::Delete, Act::Turn, Act::Insert]));
        let fresh: Vec<Operator> =
            run.kept().iter().flatten().flat_map(|list| list.iter()).cloned().collect();
        let plain = |o: &Operator| (o.act, o.x, o.y, o.set.clone(), o.gain);
        assert!(kept.iter().map(plain).eq(fresh.iter().map(plain)));
    }
    assert!(rose > 0, "no forced deletion ever paid");
}
