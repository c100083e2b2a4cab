//! The optimum compared with all graphs, for tables that are small enough.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::clusters::Prices;
use super::*;
use crate::graph::Skeleton;
use crate::progress::{Event, Progress, Silent, Stop};
use crate::score::{Score, ScoreKind, ScoreSettings, total};
use crate::search::tests::{
    NAMES, all_dags, dependent_data, inside, random_constraints, random_skeleton, stream, task,
};
use crate::word::Word;

/// The best score of some graphs.
fn brute(score: &dyn Score, dags: &[Dag], keeps: impl Fn(&Dag) -> bool) -> f64 {
    let mut known: HashMap<(Var, VarSet), f64> = HashMap::new();
    let mut best = f64::NEG_INFINITY;
    for dag in dags.iter().filter(|dag| keeps(dag)) {
        let local = |v: Var| {
            let parents = dag.parents(v).clone();
            *known.entry((v, parents)).or_insert_with_key(|(v, parents)| score.local(*v, parents.as_slice()))
        };
        best = best.max(dag.vars().map(local).sum());
    }
    best
}

#[test]
fn no_graph_of_four_or_five_variables_is_better() {
    let mut next = stream(11);
    for (n, tables) in [(4, 60), (5, 8)] {
        let dags = all_dags(n);
        for _ in 0..tables {
            let levels: Vec<u16> = (0..n).map(|_| 1 + next(3) as u16).collect();
            let data = dependent_data(5 + next(150) as usize, &levels, next(1 << 40));
            for kind in ScoreKind::all().filter(|k| k.counts()) {
                let score =
                    ScoreSettings { kind, iss: 0.1 + next(100) as f64 / 5.0, ..ScoreSettings::default() }
                        .build(&data)
                        .unwrap();
                let most = next(4) as usize + 1;
                let restriction = inside(random_skeleton_of(n, next(1 << 40)));
                let skeleton = (next(3) == 0).then_some(&restriction);
                let none = Constraints::none();
                let found = Exact { max_parents: Some(most), clustered: next(2) == 0, how_many: 1 }
                    .orient(&task(&*score, n, skeleton, &none, &Silent))
                    .unwrap();
                let keeps = |dag: &Dag| {
                    dag.vars().all(|v| dag.parents(v).len() <= most)
                        && skeleton.is_none_or(|s| dag.arcs().all(|(x, y)| s.skeleton.contains(x, y)))
                };
                let best = brute(&*score, &dags, keeps);
                assert_eq!(
                    (found.score, found.bound, found.complete),
                    (Some(best), Some(best), true),
                    "{kind:?}"
                );
                let dag = found.graph.dag().unwrap();
                assert!(keeps(&dag) && total(&*score, &dag) == best);
            }
        }
    }
}

fn random_skeleton_of(n: usize, seed: u64) -> Skeleton {
    let mut skeleton = Skeleton::empty(n);
    for (x, y) in random_skeleton(seed, 2).edges().filter(|(_, y)| y.index() < n) {
        skeleton.insert(x, y);
    }
    skeleton
}

/// Constraints over seven variables, compared with a search without bounds: every order, with the best
/// parents among all that are allowed.
#[test]
fn constraints_are_kept_and_the_best_of_what_is_left_is_found() {
    let mut next = stream(5);
    for round in 0..25 {
        let levels: Vec<u16> = (0..7).map(|_| 1 + next(3) as u16).collect();
        let data = dependent_data(20 + 5 * round, &levels, next(1 << 40));
        let known = random_constraints(next(1 << 40));
        let score = ScoreSettings::default().build(&data).unwrap();
        let found = Exact::default().orient(&task(&*score, 7, None, &known, &Silent)).unwrap();
        let dag = found.graph.dag().unwrap();
        assert!(known.required().iter().all(|&(x, y)| dag.has_arc(x, y)));
        assert!(dag.arcs().all(|(x, y)| known.may_add(x, y)));
        assert_eq!(found.score, Some(total(&*score, &dag)));
        assert_eq!(found.score, Some(plain(&*score, &known)));
    }
}

/// Dynamic programming over subsets without any pruning.
fn plain(score: &dyn Score, known: &Constraints) -> f64 {
    let n = NAMES.len();
    let members = |set: usize| (0..n).filter(move |i| set >> i & 1 == 1).map(Var::new);
    let local = |y: Var, set: usize| {
        let required = known.required().iter().filter(|(_, to)| *to == y);
        let has_all = required.clone().all(|(from, _)| set >> from.index() & 1 == 1);
        let allowed = members(set).all(|p| known.may_add(p, y));
        let parents: Vec<Var> = members(set).collect();
        if has_all && allowed { score.local(y, &parents) } else { f64::NEG_INFINITY }
    };
    let mut best = vec![vec![f64::NEG_INFINITY; 1 << n]; n];
    for (y, best) in best.iter_mut().enumerate() {
        for set in (0..1usize << n).filter(|set| set >> y & 1 == 0) {
            let fewer = members(set).map(|p| best[set & !(1 << p.index())]);
            best[set] = fewer.fold(local(Var::new(y), set), f64::max);
        }
    }
    let mut whole = vec![f64::NEG_INFINITY; 1 << n];
    whole[0] = 0.0;
    for set in 1..1usize << n {
        let last = members(set).map(|y| {
            let before = set & !(1 << y.index());
            whole[before] + best[y.index()][before]
        });
        whole[set] = last.fold(f64::NEG_INFINITY, f64::max);
    }
    whole[(1 << n) - 1]
}

/// The parent sets are those that beat all their subsets, whether all sets are counted together or one by one.
#[test]
fn parent_sets_beat_all_their_subsets() {
    let mut next = stream(41);
    for round in 0..40 {
        let levels: Vec<u16> = (0..7).map(|_| 1 + next(4) as u16).collect();
        let data = dependent_data(1 + next(120) as usize, &levels, next(1 << 40));
        let score =
            ScoreSettings { iss: 0.1 + next(50) as f64, ..ScoreSettings::default() }.build(&data).unwrap();
        let known = if round % 2 == 0 { Constraints::none() } else { random_constraints(next(1 << 40)) };
        let most = (round % 3 == 0).then(|| 2 + next(5) as usize);
        let rules = Rules::new(None, &known, most);
        let found = parent_sets(&*score, &rules, 7, usize::MAX, &Watch::new(&Silent)).unwrap();
        for (y, found) in found.sets.iter().enumerate() {
            let y = Var::new(y);
            let allowed = |set: &VarSet| {
                !set.contains(y)
                    && set.iter().all(|p| known.may_add(p, y))
                    && known.required().iter().all(|&(from, to)| to != y || set.contains(from))
                    && set.len() <= most.unwrap_or(7)
            };
            let of = |set: usize| (0..7).filter(|i| set >> i & 1 == 1).map(Var::new).collect::<VarSet>();
            let all: Vec<(usize, f64)> = (0..128)
                .filter(|&set| allowed(&of(set)))
                .map(|set| (set, score.local(y, of(set).as_slice())))
                .collect();
            let beaten = |set: usize, value: f64| {
                all.iter().any(|&(other, better)| other != set && other & !set == 0 && better >= value)
            };
            let kept: Vec<ParentSet> = all
                .iter()
                .filter(|&&(set, value)| !beaten(set, value))
                .map(|&(set, score)| ParentSet { parents: of(set), score })
                .collect();
            assert_eq!(found.len(), kept.len());
            assert!(kept.iter().all(|set| found.contains(set)));
            assert!(found.is_sorted_by(|a, b| a.score >= b.score));
        }
    }
}

/// Any number of variables ordered at once and any size of cores lead to the same optimum.
#[test]
fn cores_and_layers_change_no_optimum() {
    let mut next = stream(23);
    for _ in 0..40 {
        let data = dependent_data(60, &[2, 3, 2, 3, 2, 2, 3], next(1 << 40));
        let score = ScoreSettings { iss: 1.0, ..ScoreSettings::default() }.build(&data).unwrap();
        let known = Constraints::none();
        let rules = Rules::new(None, &known, None);
        let sets = parent_sets(&*score, &rules, 7, usize::MAX, &Watch::new(&Silent)).unwrap().sets;
        let best = plain(&*score, &known);
        let order: Vec<usize> = (0..7).collect();
        let vars: Vec<Var> = (0..7).map(Var::new).collect();
        for (small, core) in [(0, 1), (0, 2), (0, 3), (0, 6), (0, 7), (7, 7)] {
            let solved = solve_part(&sets, &vars, &order, Reach { small, core }, &Watch::new(&Silent));
            assert!(solved.complete && solved.score == best && solved.bound == best, "{small} {core}");
        }
        for clustered in [false, true] {
            let exact = Exact { clustered, ..Exact::default() };
            let whole = exact.solve(&sets, &Dag::empty(7), &Watch::new(&Silent));
            assert_eq!((whole.score, whole.bound), (Some(best), Some(best)));
        }
    }
}

/// With cores and prices at random, no graph exceeds the bound and no graph with a choice exceeds what its loss
/// leaves; the layers find the optimum, and have a bound if they may not store enough.
#[test]
fn random_cores_and_prices_bound_all_graphs() {
    let mut next = stream(37);
    let watch = &Watch::new(&Silent);
    for _ in 0..60 {
        let data = dependent_data(80, &[2, 3, 2, 3, 2, 2, 3], next(1 << 40));
        let score = ScoreSettings { iss: 1.0, ..ScoreSettings::default() }.build(&data).unwrap();
        let none = Constraints::none();
        let sets = parent_sets(&*score, &Rules::new(None, &none, None), 7, usize::MAX, watch).unwrap().sets;
        let (program, _) = program(&sets, &(0..7).map(Var::new).collect::<Vec<_>>());
        let mut prices = Prices::new(&program);
        for _ in 0..8 {
            let inside: Vec<bool> = (0..7).map(|_| next(2) == 0).collect();
            let members: Vec<usize> = (0..7).filter(|&v| inside[v]).collect();
            if members.len() > 1 {
                let cluster = prices.cluster(members, &inside);
                prices.prices[cluster] = next(40) as f64 / 4.0;
            }
        }
        let mut groups = vec![Vec::new(); 3];
        (0..7).for_each(|v| groups[next(3) as usize].push(v));
        groups.retain(|group| !group.is_empty());
        prices.join(groups);
        let best = plain(&*score, &none);
        assert!(prices.bound >= best);
        for (i, loss) in prices.losses().into_iter().enumerate() {
            let mut only = Prices::new(&program);
            program.of(program.owner[i]).for_each(|other| only.open[other] = other == i);
            only.join(vec![(0..7).collect()]);
            assert!(prices.bound - loss >= only.bound, "choice {i}");
        }
        // Every variable without parents.
        let chosen: Vec<usize> =
            (0..7).map(|y| program.of(y).find(|&i| program.parents[i].is_empty()).unwrap()).collect();
        let known = branch::BestGraph {
            score: program.total(&chosen),
            chosen,
            bound: prices.bound,
            complete: false,
            cases: 0,
        };
        let found = layers::search(&prices, known.clone(), usize::MAX, watch);
        assert!(found.complete && found.score == best && found.bound == best);
        assert_eq!(program.total(&found.chosen), best);
        for most in [0, 3, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120] {
            let found = layers::search(&prices, known.clone(), most, watch);
            assert!(found.bound >= best && found.bound <= prices.bound, "{most}");
            assert!(most > 10 || !found.complete);
        }
    }
}

/// No parent set exceeds the ceiling of any of its subsets.
#[test]
fn a_ceiling_is_one() {
    let mut next = stream(31);
    for _ in 0..200 {
        let levels: Vec<u16> = (0..7).map(|_| 1 + next(4) as u16).collect();
        let data = dependent_data(1 + next(80) as usize, &levels, next(1 << 40));
        for kind in ScoreKind::all().filter(|k| k.counts()) {
            let score =
                ScoreSettings { kind, iss: 0.01 + next(1000) as f64 / 10.0, ..ScoreSettings::default() }
                    .build(&data)
                    .unwrap();
            let (y, given, last) = (Var(0), [Var(1), Var(2)], Var(3));
            let mut found = Vec::new();
            score.counted(y, &given, &[last], &mut found);
            let parents = [given[0], given[1], last];
            assert_eq!(found[0].0, score.local(y, &parents));
            let ceiling = score.ceiling(y, &parents, found[0].1);
            for more in 0..8u32 {
                let others = (0..3).filter(|i| more >> i & 1 == 1).map(|i| Var(4 + i));
                let larger: Vec<Var> = parents.into_iter().chain(others).collect();
                assert!(score.local(y, &larger) <= ceiling, "{kind:?} {larger:?}");
            }
        }
    }
}

/// Asks to finish after a number of events.
struct Limit(std::sync::atomic::AtomicU64, Stop);

impl Progress for Limit {
    fn report(&self, _: Event) -> ControlFlow<Stop> {
        let left = self.0.fetch_update(
            std::sync::atomic::Ordering::Relaxed,
            std::sync::atomic::Ordering::Relaxed,
            |n| n.checked_sub(1),
        );
        if left.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(self.1) }
    }
}

#[test]
fn what_is_stopped_has_a_graph_and_a_bound_or_nothing() {
    let data = dependent_data(80, &[2, 3, 2, 3, 2, 2, 3], 9);
    let score = ScoreSettings::default().build(&data).unwrap();
    let known = Constraints::none();
    let best = plain(&*score, &known);
    let mut ended = false;
    for events in (0..1200).step_by(11) {
        let limit = |stop| Limit(events.into(), stop);
        let found = Exact::default().orient(&task(&*score, 7, None, &known, &limit(Stop::Finish))).unwrap();
        let value = found.score.unwrap();
        assert_eq!(value, total(&*score, &found.graph.dag().unwrap()));
        assert!(value <= best && found.bound.unwrap() >= best);
        assert!(!found.complete || found.bound == Some(best));
        ended |= found.complete;
        let cancelled = Exact::default().orient(&task(&*score, 7, None, &known, &limit(Stop::Cancel)));
        assert!(cancelled.is_err() || found.complete);
    }
    assert!(ended);
}

#[test]
fn too_large_a_question_is_refused_with_what_would_fit() {
    let names: Vec<String> = (0..37).map(|i| format!("v{i:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let none = Constraints::none();
    let check = |most| check_size(&Rules::new(None, &none, most), &names);
    let message = check(None).unwrap_err().to_string();
    assert!(
        message.contains("max-parents is not given, which leaves more than 67,108,864 parent sets")
            && message.contains("at most 5 is possible here"),
        "{message}"
    );
    assert!(check(Some(5)).is_ok() && check(Some(6)).is_err());
    let many: Vec<String> = (0..70).map(|i| format!("v{i:02}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let refused = check_size(&Rules::new(None, &none, Some(1)), &many).unwrap_err().to_string();
    assert!(refused.contains("v00 has 69; at most 64 are possible"), "{refused}");
}

/// The classes of all graphs with four and five variables, by the definition.
#[test]
fn the_best_classes_are_those_of_all_graphs() {
    let mut next = stream(41);
    for (n, tables) in [(4, 30), (5, 4)] {
        let dags = all_dags(n);
        for _ in 0..tables {
            let levels: Vec<u16> = (0..n).map(|_| 1 + next(3) as u16).collect();
            let data = dependent_data(5 + next(150) as usize, &levels, next(1 << 40));
            let restriction = inside(random_skeleton_of(n, next(1 << 40)));
            let skeleton = (next(3) == 0).then_some(&restriction);
            for kind in [ScoreKind::Bdeu, ScoreKind::K2, ScoreKind::Bic] {
                let score = ScoreSettings { kind, ..ScoreSettings::default() }.build(&data).unwrap();
                let how_many = 2 + next(20) as usize;
                let none = Constraints::none();
                let found = Exact { how_many, ..Exact::default() }
                    .orient(&task(&*score, n, skeleton, &none, &Silent))
                    .unwrap();
                let keeps =
                    |dag: &&Dag| skeleton.is_none_or(|s| dag.arcs().all(|(x, y)| s.skeleton.contains(x, y)));
                let mut all: Vec<(crate::graph::Cpdag, f64)> = Vec::new();
                let mut places: HashMap<String, usize> = HashMap::new();
                for dag in dags.iter().filter(keeps) {
                    let (class, value) = (dag.cpdag(), total(&*score, dag));
                    let place = *places.entry(format!("{class:?}")).or_insert(all.len());
                    match all.get_mut(place) {
                        Some(known) => known.1 = known.1.max(value),
                        None => all.push((class, value)),
                    }
                }
                assert_eq!(found.alternatives.len(), how_many.min(all.len()));
                assert_eq!(found.score, Some(found.alternatives[0].1));
                let mut best: Vec<f64> = all.iter().map(|(_, value)| *value).collect();
                best.sort_by(|a, b| b.total_cmp(a));
                best.truncate(how_many);
                let values: Vec<f64> = found.alternatives.iter().map(|(_, value)| *value).collect();
                assert_eq!(values, best, "{kind:?}");
                // The classes differ, and each has its own score.
                for (i, one) in found.alternatives.iter().enumerate() {
                    assert!(all.contains(one) && !found.alternatives[..i].contains(one));
                }
            }
        }
    }
}

#[test]
fn a_list_that_would_be_too_long_ends_early() {
    let data = dependent_data(30, &[2; 7], 3);
    let score = ScoreSettings::default().build(&data).unwrap();
    let none = Constraints::none();
    let many = Exact { how_many: 1_000_000, ..Exact::default() };
    let found = many.orient(&task(&*score, 7, None, &none, &Silent)).unwrap();
    assert!(found.complete && found.alternatives.len() > 1);
    assert_eq!(found.alternatives[0].1, found.score.unwrap());
    let few = Exact { how_many: 20, ..Exact::default() };
    let fewer = few.orient(&task(&*score, 7, None, &none, &Silent)).unwrap();
    assert_eq!(found.alternatives[..20], fewer.alternatives[..]);
    assert!(found.concerns[0].contains("the best 1,000,000 equivalence classes ends after"), "{found:?}");
    let names: Vec<String> = (0..15).map(|i| format!("v{i:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let refused = many.check(&names, None, &none).unwrap_err().to_string();
    assert!(refused.contains("at most 14 variables"), "{refused}");
}

/// A stop at any report ends the list with what is certain, and soon.
#[test]
fn a_list_that_is_stopped_has_the_best() {
    let data = dependent_data(40, &[2; 7], 5);
    let score = ScoreSettings::default().build(&data).unwrap();
    let none = Constraints::none();
    let exact = Exact { how_many: 500, ..Exact::default() };
    let whole = exact.orient(&task(&*score, 7, None, &none, &Silent)).unwrap();
    let mut partial = false;
    for after in (0..4000).step_by(7) {
        let stop = StopAfter(std::sync::atomic::AtomicU64::new(after));
        let found = exact.orient(&task(&*score, 7, None, &none, &stop)).unwrap();
        let listed = found.alternatives.len();
        assert_eq!(found.alternatives, whole.alternatives[..listed]);
        partial |= !found.complete && listed > 0;
        if found.complete {
            assert_eq!(listed, whole.alternatives.len());
            break;
        }
    }
    assert!(partial);
}

/// A look at the clock for every few sweeps, however many parent sets there are.
#[test]
fn the_clock_is_looked_at_while_parent_sets_are_scored() {
    let mut next = stream(7);
    let mut column = |i: usize| {
        let codes: Vec<u16> = (0..60).map(|_| next(2) as u16).collect();
        let variable = crate::Variable::new(format!("v{i:02}"), ["no", "yes"]).unwrap();
        (variable, crate::Column::from_codes(codes, 2))
    };
    let data = crate::Dataset::new((0..24).map(&mut column).collect()).unwrap();
    let score = ScoreSettings { kind: ScoreKind::LogLik, ..ScoreSettings::default() }.build(&data).unwrap();
    let known = Constraints::none();
    let rules = Rules::new(None, &known, Some(3));
    let left = StopAfter(std::sync::atomic::AtomicU64::new(u64::MAX));
    parent_sets(&*score, &rules, 24, usize::MAX, &Watch::new(&left)).unwrap();
    let looks = u64::MAX - left.0.into_inner();
    assert!(looks > 40, "{looks}");
}

/// Finishes after some events.
struct StopAfter(std::sync::atomic::AtomicU64);

impl crate::Progress for StopAfter {
    fn report(&self, _: crate::Event) -> std::ops::ControlFlow<crate::Stop> {
        use std::sync::atomic::Ordering::Relaxed;
        match self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)) {
            Ok(_) => std::ops::ControlFlow::Continue(()),
            Err(_) => std::ops::ControlFlow::Break(crate::Stop::Finish),
        }
    }
}

/// If parent sets are left out, the bound includes what they could add.
#[test]
fn what_was_not_looked_at_is_part_of_the_bound() {
    let mut next = stream(47);
    let mut missed = false;
    for _ in 0..40 {
        let data = dependent_data(60, &[2, 3, 2, 3, 2, 2, 3], next(1 << 40));
        let score = ScoreSettings { iss: 1.0, ..ScoreSettings::default() }.build(&data).unwrap();
        let known = Constraints::none();
        let rules = Rules::new(None, &known, None);
        let best = plain(&*score, &known);
        for most in [0, 2, 6, 10] {
            let found = parent_sets(&*score, &rules, 7, most, &Watch::new(&Silent)).unwrap();
            let exact = Exact { clustered: true, ..Exact::default() };
            let solved = exact.solve(&found.sets, &Dag::empty(7), &Watch::new(&Silent));
            assert!(solved.score.unwrap() <= best);
            assert!(solved.bound.unwrap() + found.unseen.iter().sum::<f64>() >= best);
            missed |= solved.bound.unwrap() < best;
        }
    }
    assert!(missed, "something was left out");
}
