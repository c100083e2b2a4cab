//! The operators of GES at a class, and their gains.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::families::Families;
use crate::data::{Var, VarSet};
use crate::graph::{Mark, Pdag};
use crate::search::rules::Rules;

/// What an operator does with an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) enum Act {
    /// Joins X and Y; X and the set T become parents of Y.
    Insert,
    /// Separates X and Y; the set H become children of both.
    Delete,
    /// Turns the edge Y → X or X - Y towards Y; the set C become parents of Y first.
    Turn,
}

/// A change of a class: `Insert(X, Y, T)`, `Delete(X, Y, H)` or `Turn(X, Y, C)`.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::search) struct Operator {
    pub(in crate::search) act: Act,
    pub(in crate::search) x: Var,
    pub(in crate::search) y: Var,
    pub(in crate::search) set: VarSet,
    /// What the score gains.
    pub(in crate::search) gain: f64,
    /// The path that made it invalid when it was last checked; it stays invalid as long as the path
    /// exists.
    pub(in crate::search) path: Vec<Var>,
}

impl Operator {
    fn new(act: Act, x: Var, y: Var, set: VarSet, gain: f64) -> Operator {
        Operator { act, x, y, set, gain, path: Vec::new() }
    }
}

/// What the operators of a run depend on besides the class.
#[derive(Clone, Copy)]
pub(in crate::search) struct OperatorSources<'a> {
    pub(in crate::search) families: &'a Families<'a>,
    pub(in crate::search) rules: &'a Rules<'a>,
    /// Pairs that may not be joined, the smaller variable first.
    pub(in crate::search) apart: &'a FxHashSet<(Var, Var)>,
    /// Whether to include inserts and turns that do not gain.
    pub(in crate::search) losing: bool,
    /// Whether to go on; if not, operators may be missing.
    pub(in crate::search) go_on: &'a (dyn Fn() -> bool + Sync),
}

impl OperatorSources<'_> {
    /// The operators of one kind into a variable: the best first, then by X and by the set.
    ///
    /// Inserts and turns that do not gain are left out unless requested; deletions are all included. Paths are not
    /// checked, and constraints only locally.
    pub(in crate::search) fn operators(&self, act: Act, g: &Pdag, y: Var) -> Vec<Operator> {
        let mut found = match act {
            Act::Insert => self.inserts(g, y),
            Act::Delete => self.deletes(g, y),
            Act::Turn => self.turns(g, y),
        };
        found.sort_unstable_by(|a, b| {
            b.gain.total_cmp(&a.gain).then_with(|| (a.x, &a.set).cmp(&(b.x, &b.set)))
        });
        found
    }

    fn inserts(&self, g: &Pdag, y: Var) -> Vec<Operator> {
        let (parents, near) = (g.parents(y), g.adjacents(y));
        let mut sides: BTreeMap<Var, VarSet> = BTreeMap::new();
        for w in g.neighbours(y).iter() {
            for x in g.adjacents(w).iter().filter(|&x| x != y && !near.contains(x)) {
                sides.entry(x).or_default().insert(w);
            }
        }
        let open = |&x: &Var| !near.contains(x) && !self.apart.contains(&(x.min(y), x.max(y)));
        let open: Vec<Var> = self.families.candidates(y).iter().copied().filter(open).collect();
        // The variables for which Y has the same parents are scored together, each with the place of its T: of
        // very many only few gain.
        let mut together: BTreeMap<VarSet, (Vec<Var>, Vec<u32>)> = BTreeMap::new();
        let mut sets: Vec<VarSet> = Vec::new();
        let mut add = |xs: &[Var], na: &VarSet, t: &VarSet| {
            let base = parents.union(na).union(t);
            if self.rules.may_grow(base.len()) {
                let may = xs.iter().copied().filter(|&x| self.may_insert(g, x, y, t));
                let (ends, of) = together.entry(base).or_default();
                ends.extend(may);
                of.resize(ends.len(), sets.len() as u32);
                sets.push(t.clone());
            }
        };
        let (none, mut found) = (VarSet::new(), Vec::new());
        let plain: Vec<Var> = open.iter().copied().filter(|x| !sides.contains_key(x)).collect();
        if self.losing || !self.rules.constraints().is_empty() {
            cliques(g, g.neighbours(y), &none, &mut |t| add(&plain, &none, t));
        } else {
            let plain = self.families.among(y, plain.iter().copied());
            cliques(g, g.neighbours(y), &none, &mut |t| {
                let base = parents.union(t);
                if self.rules.may_grow(base.len()) && (self.go_on)() {
                    let gains = self.families.gains(y, &base, &plain).into_iter();
                    found.extend(gains.map(|(x, gain)| Operator::new(Act::Insert, x, y, t.clone(), gain)));
                }
            });
        }
        for x in open {
            let Some(na) = sides.get(&x).filter(|na| is_clique(g, na)) else { continue };
            let rest = g.neighbours(y).minus(na);
            cliques(g, &rest, na, &mut |t| add(&[x], na, t));
        }
        for (base, (xs, of)) in together {
            if xs.is_empty() || !(self.go_on)() {
                continue;
            }
            let gains: Vec<(Var, f64)> = match self.losing {
                true => xs.iter().map(|&x| (x, self.families.gain(y, &base, x))).collect(),
                false => self.families.gains(y, &base, &self.families.among(y, xs.iter().copied())),
            };
            let of: BTreeMap<Var, u32> = xs.into_iter().zip(of).collect();
            for (x, gain) in gains {
                found.push(Operator::new(Act::Insert, x, y, sets[of[&x] as usize].clone(), gain));
            }
        }
        found
    }

    /// Whether the arcs that are compelled after an insert, as far as visible locally, are allowed.
    fn may_insert(&self, g: &Pdag, x: Var, y: Var, t: &VarSet) -> bool {
        let known = self.rules.constraints();
        if known.is_empty() {
            return true;
        }
        let collides = || !t.is_empty() || g.parents(y).iter().any(|p| g.mark(p, x) == Mark::Absent);
        t.iter().all(|t| known.may_add(t, y)) && (known.may_add(x, y) || !collides())
    }

    fn deletes(&self, g: &Pdag, y: Var) -> Vec<Operator> {
        let mut found = Vec::new();
        let none = VarSet::new();
        for x in g.parents(y).union(g.neighbours(y)).iter() {
            if self.rules.constraints().edge_required(x, y) {
                continue;
            }
            let na = g.neighbours(y).intersection(&g.adjacents(x));
            cliques(g, &na, &none, &mut |kept| {
                let base = g.parents(y).union(kept).without(x);
                let gain = -self.families.gain(y, &base, x);
                found.push(Operator::new(Act::Delete, x, y, na.minus(kept), gain));
            });
        }
        found
    }

    fn turns(&self, g: &Pdag, y: Var) -> Vec<Operator> {
        let mut found = Vec::new();
        let none = VarSet::new();
        let mut add = |x: Var, c: &VarSet, of_x: &VarSet| {
            let base = g.parents(y).union(c);
            if !self.rules.may_grow(base.len()) {
                return;
            }
            let gain = self.families.gain(y, &base, x) - self.families.gain(x, of_x, y);
            if self.losing || gain > 0.0 {
                found.push(Operator::new(Act::Turn, x, y, c.clone(), gain));
            }
        };
        for x in g.children(y).iter() {
            let na = g.neighbours(y).intersection(&g.adjacents(x));
            if is_clique(g, &na) {
                let (rest, of_x) = (g.neighbours(y).minus(&na), g.parents(x).without(y));
                cliques(g, &rest, &na, &mut |t| add(x, &na.union(t), &of_x));
            }
        }
        for x in g.neighbours(y).iter() {
            let shared = g.neighbours(y).intersection(&g.adjacents(x));
            cliques(g, &g.neighbours(y).without(x), &none, &mut |c| {
                let (both, own) = (c.intersection(&shared), c.minus(&shared));
                if !own.is_empty() && separates(g, g.neighbours(y), &both, &own, &shared.minus(c)) {
                    add(x, c, &g.parents(x).union(&both));
                }
            });
        }
        found
    }
}

/// Whether all members are adjacent to each other.
pub(super) fn is_clique(g: &Pdag, set: &VarSet) -> bool {
    let members = set.as_slice();
    members.iter().enumerate().all(|(i, &a)| members[..i].iter().all(|&b| g.mark(a, b) != Mark::Absent))
}

/// Every subset of `members` that is a clique together with `given`, the empty set first.
fn cliques(g: &Pdag, members: &VarSet, given: &VarSet, found: &mut impl FnMut(&VarSet)) {
    let adjacent = |a: Var, b: Var| g.mark(a, b) != Mark::Absent;
    let open: Vec<Var> = members.iter().filter(|&m| given.iter().all(|a| adjacent(a, m))).collect();
    found(&VarSet::new());
    // Each entry: a clique, and the members after it that are adjacent to all of it.
    let mut stack: Vec<(VarSet, Vec<Var>)> = vec![(VarSet::new(), open)];
    while let Some((clique, open)) = stack.pop() {
        for (i, &v) in open.iter().enumerate() {
            let larger = clique.with(v);
            found(&larger);
            let later: Vec<Var> = open[i + 1..].iter().copied().filter(|&w| adjacent(v, w)).collect();
            if !later.is_empty() {
                stack.push((larger, later));
            }
        }
    }
}

/// Whether every path inside `within` from one set to another meets `by`.
fn separates(g: &Pdag, within: &VarSet, by: &VarSet, from: &VarSet, to: &VarSet) -> bool {
    let mut seen = by.union(from);
    let mut open: Vec<Var> = from.iter().collect();
    while let Some(v) = open.pop() {
        for w in within.iter().filter(|&w| g.mark(v, w) != Mark::Absent) {
            if to.contains(w) {
                return false;
            }
            if seen.insert(w) {
                open.push(w);
            }
        }
    }
    true
}
