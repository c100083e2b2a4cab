//! Groups of variables that are ordered exactly, whatever the prices of clusters that extend beyond them.
//!
//! The prices of `clusters` rule out cycles one inequality at a time, and even all of them leave a gap. A *core* is a
//! group of variables that must be without a cycle among themselves: its best order is found by dynamic programming
//! over its subsets (Silander & Myllymäki 2006, UAI-22, arXiv 1206.6875), at any prices, so that only clusters with
//! members in several cores need a price. The bound of disjoint cores is at least as good as that of all clusters.

use super::clusters::{Prices, Program};
use super::parents::bits;
use crate::parallel;
use crate::random::Sequence;

/// The number of random divisions into groups from which to improve.
const STARTS: u64 = 40;

/// A gain of less than this ends the improvement of a division.
const SOME_GAIN: f64 = 1e-6;

/// Some variables, and what the best order among them is worth at the latest prices. A subset of the members is a
/// number with a bit for each.
#[derive(Debug, Clone)]
pub(super) struct Core {
    pub(super) members: Vec<usize>,
    /// For each member its choices, with those parents that are members, as a subset of the others.
    choices: Vec<Vec<(u32, usize)>>,
    /// For each member and each subset of the others, the best priced value with no parent among the members but these.
    best: Vec<Vec<f64>>,
    /// For each subset of the members, the best sum of their priced values if all other members come before them.
    pub(super) after: Vec<f64>,
}

/// A subset without a member, as a subset of the others.
fn without(set: u32, place: usize) -> usize {
    let low = (1 << place) - 1;
    ((set & low) | (set >> 1 & !low)) as usize
}

/// A subset of the other members, as a subset of all.
fn among_all(others: u32, place: usize) -> u32 {
    let low = (1 << place) - 1;
    (others & low) | ((others & !low) << 1)
}

/// For each pair of subsets that differ in one member, calls a function with the value of the smaller and of the
/// larger one, member by member.
fn pairwise(values: &mut [f64], mut join: impl FnMut(&mut f64, &mut f64)) {
    let mut size = 1;
    while size < values.len() {
        for pair in values.chunks_exact_mut(2 * size) {
            let (smaller, larger) = pair.split_at_mut(size);
            smaller.iter_mut().zip(larger).for_each(|(smaller, larger)| join(smaller, larger));
        }
        size *= 2;
    }
}

impl Core {
    /// A core of at least one and at most 31 variables.
    pub(super) fn new(program: &Program, members: Vec<usize>) -> Core {
        let place = |v: usize| members.iter().position(|&m| m == v);
        let choice = |own: usize, i: usize| {
            let inside = program.parents[i].iter().filter_map(|&p| place(p));
            (without(inside.fold(0, |set, p| set | 1 << p), own) as u32, i)
        };
        let own = |(own, &y): (usize, &usize)| program.of(y).map(|i| choice(own, i)).collect();
        let choices = members.iter().enumerate().map(own).collect();
        let size = members.len();
        let best = vec![vec![0.0; 1 << (size - 1)]; size];
        Core { members, choices, best, after: vec![0.0; 1 << size] }
    }

    fn all(&self) -> u32 {
        u32::MAX >> (u32::BITS as usize - self.members.len())
    }

    /// The best value if some members are left and this one of them comes first.
    fn first_of(&self, left: u32, place: usize) -> f64 {
        self.best[place][without(self.all() & !left, place)] + self.after[(left & !(1 << place)) as usize]
    }

    /// The best order of the members at these prices: writes down their choices, and returns the sum of the priced
    /// values; minus infinity if there is no order.
    pub(super) fn look(&mut self, priced: &[f64], open: &[bool], chosen: &mut [usize]) -> f64 {
        let choices = &self.choices;
        parallel::for_each_mut(&mut self.best, |place, best| {
            best.fill(f64::NEG_INFINITY);
            for &(set, i) in choices[place].iter().filter(|choice| open[choice.1]) {
                best[set as usize] = best[set as usize].max(priced[i]);
            }
            pairwise(best, |smaller, larger| *larger = if *smaller > *larger { *smaller } else { *larger });
        });
        let all = self.all();
        for left in 1..=all {
            let firsts = bits(u64::from(left)).map(|place| self.first_of(left, place));
            self.after[left as usize] =
                firsts.fold(f64::NEG_INFINITY, |top, value| if value > top { value } else { top });
        }
        let total = self.after[all as usize];
        let mut left = if total == f64::NEG_INFINITY { 0 } else { all };
        while left != 0 {
            let is_first = |&place: &usize| self.first_of(left, place) == self.after[left as usize];
            let place = bits(u64::from(left)).find(is_first).expect("one of them has the best value");
            let before = without(all & !left, place);
            let fits = |&&(set, i): &&(u32, usize)| {
                open[i] && set as usize & !before == 0 && priced[i] == self.best[place][before]
            };
            let choice = self.choices[place].iter().find(fits).expect("one of them has the best value");
            chosen[self.members[place]] = choice.1;
            left &= !(1 << place);
        }
        total
    }

    /// By how much the best order with each choice falls short of the best of all.
    pub(super) fn losses(&self, priced: &[f64], losses: &mut [f64]) {
        let all = self.all();
        // For each subset the best sum of its members if they come before all others.
        let mut before = vec![0.0; self.after.len()];
        for set in 1..=all {
            let last = |place: usize| {
                let rest = set & !(1 << place);
                before[rest as usize] + self.best[place][without(rest, place)]
            };
            before[set as usize] = bits(u64::from(set)).map(last).fold(f64::NEG_INFINITY, f64::max);
        }
        let total = before[all as usize];
        for (place, choices) in self.choices.iter().enumerate() {
            let others = |set: u32| {
                let set = among_all(set, place);
                before[set as usize] + self.after[(all & !set & !(1 << place)) as usize]
            };
            // The best of all others if at least these come before it.
            let mut rest: Vec<f64> = (0..self.best[place].len() as u32).map(others).collect();
            pairwise(&mut rest, |smaller, larger| *smaller = smaller.max(*larger));
            for &(set, i) in choices {
                losses[i] = total - (rest[set as usize] + priced[i]);
            }
        }
    }
}

/// Divides the variables into groups of at most `most`, so that clusters with a price have their members in few
/// groups: the best of several random divisions, each improved by moving a variable or exchanging two as long as
/// that pays (after Kernighan & Lin 1970, doi:10.1002/j.1538-7305.1970.tb01770.x).
pub(super) fn groups(prices: &Prices<'_>, most: usize) -> Vec<Vec<usize>> {
    let n = prices.program.variables();
    let mut near = vec![vec![0.0; n]; n];
    for (members, price) in prices.members.iter().zip(&prices.prices) {
        let share = price / (members.len() - 1).max(1) as f64;
        for &x in members {
            members.iter().filter(|&&y| y != x).for_each(|&y| near[x][y] += share);
        }
    }
    let number = n.div_ceil(most);
    let mut best: Option<(f64, Vec<usize>)> = None;
    for seed in 0..STARTS {
        let mut order: Vec<usize> = (0..n).collect();
        Sequence::new(seed).shuffle(&mut order);
        let mut group = vec![0; n];
        order.iter().enumerate().for_each(|(at, &v)| group[v] = at / most);
        improve(&mut group, number, most, &near);
        let apart = |x: usize| (0..x).filter(|&y| group[x] != group[y]).map(|y| near[x][y]).sum::<f64>();
        let cut: f64 = (0..n).map(apart).sum();
        if best.as_ref().is_none_or(|(known, _)| cut < *known) {
            best = Some((cut, group));
        }
    }
    let group = best.expect("at least one start").1;
    let members = |g: usize| (0..n).filter(|&v| group[v] == g).collect::<Vec<usize>>();
    (0..number).map(members).filter(|members| !members.is_empty()).collect()
}

/// Moves variables between groups, or exchanges two, always with the largest gain, until none gains.
fn improve(group: &mut [usize], number: usize, most: usize, near: &[Vec<f64>]) {
    let n = group.len();
    loop {
        // How near each variable is to each group.
        let mut to = vec![vec![0.0; number]; n];
        let mut size = vec![0; number];
        for x in 0..n {
            size[group[x]] += 1;
            (0..n).for_each(|y| to[x][group[y]] += near[x][y]);
        }
        let gain = |x: usize, g: usize| to[x][g] - to[x][group[x]];
        let mut best = (SOME_GAIN, None);
        for x in 0..n {
            for (g, &members) in size.iter().enumerate() {
                if members < most && gain(x, g) > best.0 {
                    best = (gain(x, g), Some((x, g, None)));
                }
            }
            for y in (0..x).filter(|&y| group[x] != group[y]) {
                let both = gain(x, group[y]) + gain(y, group[x]) - 2.0 * near[x][y];
                if both > best.0 {
                    best = (both, Some((x, group[y], Some(y))));
                }
            }
        }
        let Some((x, to, exchanged)) = best.1 else { return };
        if let Some(y) = exchanged {
            group[y] = group[x];
        }
        group[x] = to;
    }
}
