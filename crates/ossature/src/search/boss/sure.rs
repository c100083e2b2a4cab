//! How sure `best` is of each edge, from structures near its result, drawn according to their
//! score.
//!
//! A score is the logarithm of a probability up to a constant. Besides the parents that each variable has in
//! the result, its *pool* has the sets that add, remove or swap one parent at little cost: sets with less than
//! a hundredth of the weight are left out. A random walk over orders (Friedman & Koller 2003,
//! doi:10.1023/A:1020249912095) visits each order in proportion to the total weight of the sets in the pools
//! that agree with it; a DAG is drawn from each order that is kept, and counted as its equivalence class.
//!
//! The search has already scored nearly all sets of the pools, so this costs little. It is not a posterior
//! over all structures: sets that differ from the result by more than one parent are not considered, and a
//! structure counts once for each order that agrees with it.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::super::ges::families::Families;
use super::super::rules::Rules;
use crate::data::{Var, VarSet};
use crate::graph::{Dag, Pdag};
use crate::halves::{EdgeCounts, Strength};
use crate::parallel;
use crate::random::{below, generator, uniform};

/// Parent sets that cost more than this are left out: ln 100.
const WITHIN: f64 = 4.605_170_185_988_091;

/// How often every variable is moved before the first order is kept, and then between two kept
/// orders.
const BEFORE: usize = 20;
const BETWEEN: usize = 2;

/// The number of kept orders.
const KEPT: usize = 250;

/// The value of a sum over no sets.
const NOTHING: f64 = f64::NEG_INFINITY;

/// The possible parent sets of a variable, best first.
#[derive(Debug)]
struct Pool {
    sets: Vec<(f64, VarSet)>,
    /// All variables in any of them.
    members: VarSet,
}

/// Most pools have no more members than this.
const MEMBERS: usize = 64;

/// An order, and its value by variable.
struct OrderWalk<'a> {
    pools: &'a [Pool],
    /// The variables whose pools contain a variable.
    concerned: Vec<Vec<Var>>,
    order: Vec<Var>,
    place: Vec<usize>,
    values: Vec<f64>,
    /// For each variable whose pool has few members, its sets by bits.
    by_bits: Vec<Option<SetsByBits>>,
}

/// The sets of a pool as bits, one for each member of the pool.
struct SetsByBits {
    sets: Vec<u64>,
    /// For each set, the weights of those after it beside its own; empty if not yet computed.
    weights: Vec<Vec<f64>>,
}

impl SetsByBits {
    fn new(pool: &Pool) -> Option<SetsByBits> {
        let members = pool.members.as_slice();
        let bits = |set: &VarSet| members.iter().fold(0, |bits, &m| bits << 1 | u64::from(set.contains(m)));
        (members.len() <= MEMBERS).then(|| SetsByBits {
            sets: pool.sets.iter().map(|(_, set)| bits(set)).collect(),
            weights: vec![Vec::new(); pool.sets.len()],
        })
    }

    /// The logarithm of the total weight of the sets of the pool that have no other members than these.
    fn value(&mut self, pool: &Pool, before: u64) -> f64 {
        let Some(first) = self.sets.iter().position(|set| set & !before == 0) else { return NOTHING };
        let (best, after) = (pool.sets[first].0, &pool.sets[first + 1..]);
        let weights = &mut self.weights[first];
        if weights.len() < after.len() {
            *weights = after.iter().map(|(value, _)| libm::exp(value - best)).collect();
        }
        let weighted = self.sets[first + 1..].iter().zip(weights);
        let rest: f64 = weighted.filter(|(set, _)| *set & !before == 0).map(|(_, weight)| *weight).sum();
        best + libm::log1p(rest)
    }
}

/// How sure the edges of a DAG are, and those of others that are nearly as good: `also` has DAGs whose parent
/// sets belong to the pools as well. `None` if `go_on` says that time is up.
pub(super) fn strengths(
    families: &Families<'_>,
    rules: &Rules<'_>,
    dag: &Dag,
    also: &[&Dag],
    seed: u64,
    go_on: impl Fn() -> bool,
) -> Vec<Strength> {
    let vars: Vec<Var> = dag.vars().collect();
    let pools: Vec<Pool> = parallel::map_each(&vars, |&v| Pool::new(v, families, rules, dag, also));
    let mut random = generator(seed);
    let mut walk = OrderWalk::new(&pools, dag);
    let mut drawn: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
    for pass in 0..BEFORE + KEPT * BETWEEN {
        if pass.is_multiple_of(16) && !go_on() {
            return Vec::new();
        }
        for _ in 0..pools.len() {
            let (v, to) = (walk.order[below(&mut random, pools.len())], below(&mut random, pools.len()));
            walk.try_move(v, to, || uniform(&mut random));
        }
        if pass >= BEFORE && (pass - BEFORE).is_multiple_of(BETWEEN) {
            *drawn.entry(walk.draw(|| uniform(&mut random))).or_default() += 1;
        }
    }
    let mut counts = EdgeCounts::default();
    for (choice, times) in drawn {
        counts.add(&shown(&graph(&pools, &choice), rules), times);
    }
    counts.strengths()
}

/// The DAG in which each variable has the set at this index of its pool.
fn graph(pools: &[Pool], choice: &[u32]) -> Dag {
    let set = |(v, at): (usize, &u32)| {
        pools[v].sets[*at as usize].1.iter().map(move |parent| (parent, Var::new(v))).collect::<Vec<_>>()
    };
    let arcs = choice.iter().enumerate().flat_map(set);
    Dag::from_arcs(pools.len(), arcs).expect("parents come before their children")
}

/// The class of a DAG, or the DAG itself if the constraints do not allow the whole class.
fn shown(dag: &Dag, rules: &Rules<'_>) -> Pdag {
    let (class, known) = (dag.cpdag(), rules.constraints());
    let free =
        known.is_empty() || class.undirected().all(|(x, y)| known.may_add(x, y) && known.may_add(y, x));
    if free { class.as_pdag().clone() } else { Pdag::from(dag) }
}

impl Pool {
    fn new(v: Var, families: &Families<'_>, rules: &Rules<'_>, dag: &Dag, also: &[&Dag]) -> Pool {
        let mut sets: BTreeMap<VarSet, f64> = BTreeMap::new();
        let mut seen: Vec<&VarSet> = Vec::new();
        for dag in [dag].iter().chain(also) {
            let parents = dag.parents(v);
            if !seen.contains(&parents) {
                seen.push(parents);
                add_near(v, families, rules, dag, &mut sets);
            }
        }
        // Whatever the order, there must be something to choose.
        let required: VarSet = (rules.constraints().required().iter())
            .filter(|(_, to)| *to == v)
            .map(|(from, _)| *from)
            .collect();
        let value = families.alone(v, &required);
        sets.insert(required, value);
        let members = sets.keys().flat_map(|set| set.iter()).collect();
        let mut sets: Vec<(f64, VarSet)> = sets.into_iter().map(|(set, value)| (value, set)).collect();
        // The sort keeps sets of the same value in their order.
        sets.sort_by(|a, b| b.0.total_cmp(&a.0));
        Pool { sets, members }
    }
}

/// Adds the parents of a variable in a DAG, and the sets near them with little cost.
fn add_near(v: Var, families: &Families<'_>, rules: &Rules<'_>, dag: &Dag, sets: &mut BTreeMap<VarSet, f64>) {
    let parents = dag.parents(v);
    let here = families.alone(v, parents);
    sets.insert(parents.clone(), here);
    let mut add_with = |set: &VarSet, bar: f64| {
        let wanted = |c: &Var| rules.may_add(*c, v) && !set.contains(*c) && !parents.contains(*c);
        let candidates: Vec<Var> = families.candidates(v).iter().copied().filter(wanted).collect();
        let alone = families.alone(v, set);
        if alone >= bar {
            sets.insert(set.clone(), alone);
        }
        if rules.may_grow(set.len()) {
            let near = families.at_least(v, set, &candidates, bar).into_iter();
            near.for_each(|(c, value)| _ = sets.insert(set.with(c), value));
        }
    };
    add_with(parents, here - WITHIN);
    for parent in parents.iter().filter(|&parent| rules.may_delete(parent, v)) {
        // What the parent would gain if the arc were turned round.
        let turned = match rules.may_add(v, parent) && rules.may_grow(dag.parents(parent).len()) {
            true => families.gain(parent, dag.parents(parent), v).max(0.0),
            false => 0.0,
        };
        add_with(&parents.without(parent), here - WITHIN - turned);
    }
}

impl<'a> OrderWalk<'a> {
    fn new(pools: &'a [Pool], dag: &Dag) -> OrderWalk<'a> {
        let mut concerned = vec![Vec::new(); pools.len()];
        for (v, pool) in pools.iter().enumerate() {
            pool.members.iter().for_each(|member| concerned[member.index()].push(Var::new(v)));
        }
        let order = dag.topological_order();
        let mut place = vec![0; pools.len()];
        order.iter().enumerate().for_each(|(at, v)| place[v.index()] = at);
        let (values, by_bits) = (vec![0.0; pools.len()], pools.iter().map(SetsByBits::new).collect());
        let mut walk = OrderWalk { pools, concerned, order, place, values, by_bits };
        for v in dag.vars() {
            walk.values[v.index()] = walk.value(v);
        }
        walk
    }

    /// Whether all parents of a set come before a variable.
    fn agrees(&self, v: Var, set: &VarSet) -> bool {
        set.as_slice().iter().all(|parent| self.place[parent.index()] < self.place[v.index()])
    }

    /// The logarithm of the total weight of the sets of a pool that agree with the order.
    fn value(&mut self, v: Var) -> f64 {
        let (pool, here) = (&self.pools[v.index()], self.place[v.index()]);
        let Some(sets) = &mut self.by_bits[v.index()] else { return self.value_of_many(v) };
        let is_before = |bits, member: &Var| bits << 1 | u64::from(self.place[member.index()] < here);
        sets.value(pool, pool.members.as_slice().iter().fold(0, is_before))
    }

    /// The same for a pool of many members.
    fn value_of_many(&self, v: Var) -> f64 {
        let mut agreeing = self.pools[v.index()].sets.iter().filter(|(_, set)| self.agrees(v, set));
        let Some((best, _)) = agreeing.next() else { return NOTHING };
        let rest: f64 = agreeing.map(|(value, _)| libm::exp(value - best)).sum();
        best + libm::log1p(rest)
    }

    /// Moves a variable to another position with the probability that makes the walk visit each order in
    /// proportion to its weight.
    fn try_move(&mut self, v: Var, to: usize, mut uniform: impl FnMut() -> f64) {
        let from = self.place[v.index()];
        if from == to {
            return;
        }
        self.put(from, to);
        let (first, last) = (from.min(to), from.max(to));
        let between = |u: &Var| (first..=last).contains(&self.place[u.index()]);
        let mut new: SmallVec<[(Var, f64); 16]> =
            self.concerned[v.index()].iter().filter(|u| between(u)).map(|&u| (u, NOTHING)).collect();
        new.push((v, NOTHING));
        new.iter_mut().for_each(|(u, value)| *value = self.value(*u));
        let gain: f64 = new.iter().map(|(u, value)| value - self.values[u.index()]).sum();
        if gain >= 0.0 || uniform() < libm::exp(gain) {
            new.into_iter().for_each(|(u, value)| self.values[u.index()] = value);
        } else {
            self.put(to, from);
        }
    }

    /// Moves the variable at one position to another.
    fn put(&mut self, from: usize, to: usize) {
        let (first, last) = (from.min(to), from.max(to));
        if from < to {
            self.order[first..=last].rotate_left(1);
        } else {
            self.order[first..=last].rotate_right(1);
        }
        for at in first..=last {
            self.place[self.order[at].index()] = at;
        }
    }

    /// A set for each variable that agrees with the order, by its index in the pool, drawn by weight.
    fn draw(&self, mut uniform: impl FnMut() -> f64) -> Vec<u32> {
        let one = |v: usize| {
            let (sets, v) = (&self.pools[v].sets, Var::new(v));
            let mut left = uniform();
            let mut chosen = 0;
            for (at, (value, _)) in sets.iter().enumerate().filter(|(_, (_, set))| self.agrees(v, set)) {
                chosen = at as u32;
                left -= libm::exp(value - self.values[v.index()]);
                if left < 0.0 {
                    break;
                }
            }
            chosen
        };
        (0..self.pools.len()).map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Dataset, Variable};
    use crate::graph::Constraints;
    use crate::score::{ScoreKind, ScoreSettings};
    use crate::search::ges;
    use crate::search::tests::stream;

    const N: usize = 4;

    /// A chain of four variables in which each is like the one before, more or less.
    fn rows(seed: u64) -> Dataset {
        let mut next = stream(seed);
        let mut columns = vec![Vec::new(); N];
        for _ in 0..60 {
            let mut last = next(2);
            for column in &mut columns {
                last = if next(4) == 0 { next(2) } else { last };
                column.push(last as u16);
            }
        }
        let variable = |v: usize| Variable::new(format!("v{v}"), ["0", "1"]).unwrap();
        let named = columns.into_iter().enumerate().map(|(v, c)| (variable(v), Column::from_codes(c, 2)));
        Dataset::new(named.collect()).unwrap()
    }

    /// All orders of some variables.
    fn orders(left: &[Var]) -> Vec<Vec<Var>> {
        if left.is_empty() {
            return vec![Vec::new()];
        }
        let after = |&first: &Var| {
            let rest: Vec<Var> = left.iter().copied().filter(|v| *v != first).collect();
            orders(&rest).into_iter().map(move |o| [vec![first], o].concat()).collect::<Vec<_>>()
        };
        left.iter().flat_map(after).collect()
    }

    /// Every order, every choice of sets that agrees with it: what the walk estimates.
    fn enumerated(pools: &[Pool], rules: &Rules<'_>) -> BTreeMap<(Var, Var), [f64; 2]> {
        let all: Vec<Var> = (0..N).map(Var::new).collect();
        let (mut shares, mut sum) = (BTreeMap::new(), 0.0);
        for order in orders(&all) {
            let before = |v: Var| order.iter().take_while(|u| **u != v).copied().collect::<VarSet>();
            let mut choices: Vec<(f64, Vec<u32>)> = vec![(0.0, Vec::new())];
            for (v, pool) in pools.iter().enumerate() {
                let before = before(Var::new(v));
                let agreeing = (pool.sets.iter().enumerate())
                    .filter(|(_, (_, set))| set.minus(&before).is_empty())
                    .map(|(at, (value, _))| (value - pool.sets[0].0, at as u32))
                    .collect::<Vec<_>>();
                choices = (choices.iter())
                    .flat_map(|(value, choice)| {
                        agreeing.iter().map(move |(more, at)| (value + more, [&choice[..], &[*at]].concat()))
                    })
                    .collect();
            }
            for (value, choice) in choices {
                let class = shown(&graph(pools, &choice), rules);
                let weight = libm::exp(value);
                sum += weight;
                for (x, y) in class.skeleton().edges() {
                    let mut one = EdgeCounts::default();
                    one.add(&class, 1);
                    let direction =
                        one.strengths().iter().find(|s| (s.x, s.y) == (x, y)).map_or(0.0, |s| s.direction);
                    let share: &mut [f64; 2] = shares.entry((x, y)).or_default();
                    *share = [share[0] + weight, share[1] + weight * direction];
                }
            }
        }
        shares.into_iter().map(|(pair, [edge, way])| (pair, [edge / sum, way / edge])).collect()
    }

    #[test]
    fn the_walk_finds_the_shares_of_all_orders() {
        for (seed, kind) in [(1, ScoreKind::Bdh), (2, ScoreKind::Bdeu), (3, ScoreKind::Bdh)] {
            let data = rows(seed);
            let score = ScoreSettings { kind, ..ScoreSettings::default() }.build(&data).unwrap();
            let constraints = Constraints::none();
            let rules = Rules::new(None, &constraints, None);
            let families = Families::new(&*score, ges::candidates(&rules, &Dag::empty(N)));
            let dag = Dag::from_arcs(N, (1..N).map(|v| (Var::new(v - 1), Var::new(v)))).unwrap();
            let found = strengths(&families, &rules, &dag, &[], 7, || true);
            let pools: Vec<Pool> = dag.vars().map(|v| Pool::new(v, &families, &rules, &dag, &[])).collect();
            assert!(pools.iter().all(|pool| pool.sets.len() > 1));
            let mut walk = OrderWalk::new(&pools, &dag);
            for order in orders(&dag.vars().collect::<Vec<_>>()) {
                order.iter().enumerate().for_each(|(at, v)| walk.place[v.index()] = at);
                for v in dag.vars() {
                    assert_eq!(walk.value(v), walk.value_of_many(v), "{order:?}");
                }
            }
            let mut seen = 0;
            for ((x, y), [strength, direction]) in enumerated(&pools, &rules) {
                let ours = found.iter().find(|s| (s.x, s.y) == (x, y));
                let there = ours.map_or(0.0, |s| s.strength);
                // Five standard errors of as many independent draws.
                assert!((there - strength).abs() < 0.16, "{seed} {x:?} {y:?}: {there} {strength}");
                if let Some(ours) = ours.filter(|_| strength > 0.5) {
                    seen += 1;
                    assert!(
                        (ours.direction - direction).abs() < 0.16,
                        "{seed} {x:?} {y:?}: {ours:?} {direction}"
                    );
                }
            }
            assert!(seen >= 2, "edges to look at");
            assert_eq!(strengths(&families, &rules, &dag, &[], 7, || true), found, "the same again");
            assert!(strengths(&families, &rules, &dag, &[], 7, || false).is_empty(), "stopped");
        }
    }
}
