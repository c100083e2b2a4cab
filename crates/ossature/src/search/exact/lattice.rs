//! The best order of some variables: A* over the lattice of their subsets, with pattern databases.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::parents::bits;
use crate::data::{Var, VarSet};
use crate::search::watch::Watch;

/// The largest number of stored subsets, at about 100 bytes each.
const MOST_STATES: usize = 1 << 25;

/// The number of states between two reports of progress.
const STRIDE: u64 = 1 << 12;

/// Some variables whose order is open. All their parents outside the part come before them in any case.
pub(super) struct Part {
    pub(super) vars: Vec<Var>,
    /// The possible parents of each variable, best first.
    pub(super) choices: Vec<Vec<PartChoice>>,
    /// The largest number of variables of a pattern.
    pub(super) pattern: usize,
}

/// A parent set: the parents inside the part as bits, and all of them.
#[derive(Debug, Clone)]
pub(super) struct PartChoice {
    pub(super) inside: u64,
    pub(super) score: f64,
    pub(super) parents: VarSet,
}

/// The best result for a part.
pub(super) struct Solved {
    /// The parents of each variable.
    pub(super) parents: Vec<VarSet>,
    pub(super) score: f64,
    /// The upper bound on all orders.
    pub(super) bound: f64,
    /// Whether the search was completed.
    pub(super) complete: bool,
    pub(super) expanded: u64,
}

/// An open state. The largest is examined next.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Frontier {
    /// An upper bound on the score that it can lead to.
    promise: f64,
    set: u64,
}

impl Eq for Frontier {}

impl Ord for Frontier {
    fn cmp(&self, other: &Frontier) -> std::cmp::Ordering {
        let deep = |f: &Frontier| f.set.count_ones();
        let by_promise = self.promise.total_cmp(&other.promise);
        by_promise.then_with(|| deep(self).cmp(&deep(other))).then_with(|| other.set.cmp(&self.set))
    }
}

impl PartialOrd for Frontier {
    fn partial_cmp(&self, other: &Frontier) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Part {
    /// The best parents of a variable if these variables come before it.
    fn best(&self, y: usize, before: u64) -> Option<&PartChoice> {
        self.choices[y].iter().find(|choice| choice.inside & !before == 0)
    }

    fn all(&self) -> u64 {
        u64::MAX >> (u64::BITS as usize - self.vars.len())
    }

    /// The best order, starting from a known one.
    ///
    /// A* over sets of variables that come first (Yuan & Malone 2013, JAIR 48, doi:10.1613/jair.4039): the
    /// score so far, plus a bound for the others from pattern databases. A database has, for every subset of
    /// a few variables, the best score that these can have if all others may come before them. A small part
    /// has one pattern, and its database is the dynamic programming of Silander & Myllymäki (2006). If a
    /// variable can already have its best possible parents, it alone comes next (Malone, Kangas, Järvisalo,
    /// Koivisto & Myllymäki 2014).
    ///
    /// # Ensures
    /// The score is at least that of the known order. If the search finishes, it is the best of all; if not,
    /// the bound is the best open promise.
    pub(super) fn solve(&self, known: &[usize], watch: &Watch<'_>) -> Solved {
        let (n, all) = (self.vars.len(), self.all());
        let first = self.in_order(known);
        let databases = self.databases();
        let promise = |set: u64| databases.iter().map(|d| d.promise(set)).sum::<f64>();
        let unlimited: Vec<f64> = (0..n).map(|y| self.choices[y][0].score).collect();
        let mut seen: FxHashMap<u64, (f64, u8)> = FxHashMap::from_iter([(0, (0.0, 0))]);
        let mut open = BinaryHeap::from([Frontier { promise: promise(0), set: 0 }]);
        let mut expanded = 0;
        while let Some(Frontier { promise: at_best, set }) = open.pop() {
            if at_best <= first.score {
                break; // nothing is better than the known order
            }
            let so_far = seen[&set].0;
            if so_far + promise(set) != at_best {
                continue; // a better path to it was found since
            }
            if set == all {
                let order = self.way(&seen);
                return Solved { complete: true, expanded, bound: so_far, ..self.in_order(&order) };
            }
            expanded += 1;
            let stopped = expanded % STRIDE == 0 && !watch.moved(first.score, expanded);
            if stopped || seen.len() > MOST_STATES {
                return Solved { complete: false, expanded, bound: at_best.max(first.score), ..first };
            }
            let left = all & !set;
            let has = |y: usize| self.best(y, set).map(|choice| choice.score);
            let settled = bits(left).find(|&y| has(y) == Some(unlimited[y]));
            for y in bits(settled.map_or(left, |y| 1 << y)) {
                let Some(gained) = has(y) else { continue };
                let (next, score) = (set | 1 << y, so_far + gained);
                let known = seen.get(&next).map_or(f64::NEG_INFINITY, |(score, _)| *score);
                let promised = score + promise(next);
                if score > known && promised > first.score {
                    seen.insert(next, (score, y as u8));
                    open.push(Frontier { promise: promised, set: next });
                }
            }
        }
        Solved { expanded, complete: true, bound: first.score, ..first }
    }

    /// The order in which the whole set was reached.
    fn way(&self, seen: &FxHashMap<u64, (f64, u8)>) -> Vec<usize> {
        let mut order = Vec::new();
        let mut set = self.all();
        while set != 0 {
            let last = usize::from(seen[&set].1);
            order.push(last);
            set &= !(1 << last);
        }
        order.reverse();
        order
    }

    /// The best result for an order.
    pub(super) fn in_order(&self, order: &[usize]) -> Solved {
        let mut before = 0;
        let (mut score, mut parents) = (0.0, vec![VarSet::new(); order.len()]);
        for &y in order {
            let choice = self.best(y, before).expect("an order that required arcs allow");
            score += choice.score;
            parents[y] = choice.parents.clone();
            before |= 1 << y;
        }
        Solved { parents, score, bound: f64::INFINITY, complete: false, expanded: 0 }
    }

    /// An upper bound on all orders: each variable as if it were the last.
    pub(super) fn unlimited(&self) -> f64 {
        self.choices.iter().map(|choices| choices[0].score).sum()
    }

    /// Pattern databases over groups of variables that gain most from each other as parents.
    fn databases(&self) -> Vec<Database> {
        self.groups().iter().map(|group| self.database(group)).collect()
    }

    /// Groups of about equal size. Two variables are close if each would benefit from the other as a parent:
    /// if they are in different groups, the promise is too high by the smaller of their losses.
    fn groups(&self) -> Vec<Vec<usize>> {
        let (n, all) = (self.vars.len(), self.all());
        let loss = |x: usize, y: usize| {
            let without = self.best(y, all & !(1 << x)).map_or(f64::NEG_INFINITY, |choice| choice.score);
            self.choices[y][0].score - without
        };
        let near: Vec<Vec<f64>> = (0..n)
            .map(|x| (0..n).map(|y| if x == y { 0.0 } else { loss(x, y).min(loss(y, x)) }).collect())
            .collect();
        let mut open: Vec<usize> = (0..n).collect();
        let mut groups = Vec::new();
        for left in (1..=n.div_ceil(self.pattern)).rev() {
            let size = open.len().div_ceil(left);
            let mut group: Vec<usize> = Vec::new();
            while group.len() < size {
                let to = |y: usize| {
                    let others = if group.is_empty() { &open } else { &group };
                    others.iter().map(|&x| near[x][y]).sum::<f64>()
                };
                // The first of the nearest variables.
                let next = open.iter().copied().rev().max_by(|&x, &y| to(x).total_cmp(&to(y)));
                let next = next.expect("as many as the group has");
                open.retain(|&y| y != next);
                group.push(next);
            }
            groups.push(group);
        }
        groups
    }

    fn database(&self, group: &[usize]) -> Database {
        let all = self.all();
        let mut values = vec![f64::NEG_INFINITY; 1 << group.len()];
        values[0] = 0.0;
        for left in 1..values.len() {
            let outside = all & !spread(left as u64, group);
            for (place, &y) in group.iter().enumerate().filter(|(place, _)| left >> place & 1 == 1) {
                let Some(choice) = self.best(y, outside) else { continue };
                let value = choice.score + values[left & !(1 << place)];
                values[left] = values[left].max(value);
            }
        }
        Database { group: group.to_vec(), values }
    }
}

/// For every subset of a group, the best score of its variables in any order among themselves if all
/// others come before them.
struct Database {
    group: Vec<usize>,
    values: Vec<f64>,
}

impl Database {
    /// The best possible score of the variables of the group that are not in a set.
    fn promise(&self, set: u64) -> f64 {
        let left = self.group.iter().enumerate().map(|(place, y)| (!set >> y & 1) << place);
        self.values[left.sum::<u64>() as usize]
    }
}

/// The variables of a group whose indices are the bits of a number.
fn spread(places: u64, group: &[usize]) -> u64 {
    bits(places).fold(0, |set, place| set | 1 << group[place])
}
