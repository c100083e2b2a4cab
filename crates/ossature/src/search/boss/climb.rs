//! Climbing over orders by moving variables to better positions.

use smallvec::SmallVec;

use super::super::watch::Watch;
use super::found_sets::FoundSets;
use super::trees::{Members, Trees};
use crate::data::Var;
use crate::graph::{Constraints, Dag};
use crate::parallel;

/// The inputs of moves in an order.
pub(in crate::search) struct Orders<'a> {
    pub(in crate::search) trees: &'a Trees<'a>,
    pub(in crate::search) constraints: &'a Constraints,
    pub(in crate::search) watch: &'a Watch<'a>,
    /// The largest number of variables that are moved together.
    pub(in crate::search) window: usize,
}

/// The positions of the variables that are moved together.
#[derive(Debug, Clone, Copy)]
struct Window {
    start: usize,
    len: usize,
}

impl Orders<'_> {
    /// Moves each variable to its best position, in the order of `scan`, until a pass gains nothing;
    /// then moves neighbours together, up to the window size, and begins again if that gains. Each variable has the
    /// parents that growing and shrinking finds, or those of the found sets that are better.
    ///
    /// Returns whether to go on.
    pub(in crate::search) fn climb(
        &self,
        order: &mut Vec<Var>,
        scan: &[Var],
        found: &FoundSets,
        moves: &mut u64,
    ) -> bool {
        'again: loop {
            loop {
                let mut moved = false;
                for &x in scan {
                    let start = order.iter().position(|v| *v == x).unwrap_or_default();
                    moved |= self.improve(order, Window { start, len: 1 }, found, moves);
                    if self.watch.stopped() {
                        return false;
                    }
                }
                if !moved {
                    break;
                }
            }
            for len in 2..=self.window.min(order.len()) {
                for start in 0..=order.len() - len {
                    if self.improve(order, Window { start, len }, found, moves) {
                        continue 'again;
                    }
                    if self.watch.stopped() {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    /// Moves some neighbours to the best other position if that is better; returns whether it was.
    fn improve(&self, order: &mut Vec<Var>, window: Window, found: &FoundSets, moves: &mut u64) -> bool {
        let Window { start, len } = window;
        let moved: Vec<Var> = order.splice(start..start + len, []).collect();
        let places = self.places(order, &moved);
        let totals = self.totals(order, &moved, found);
        let mut best = start;
        for place in places.filter(|place| *place != start) {
            let better =
                if best == start { totals[place] > totals[start] } else { totals[place] >= totals[best] };
            if better {
                best = place;
            }
        }
        order.splice(best..best, moved);
        *moves += u64::from(best != start);
        self.watch.moved(totals[best], *moves);
        best != start
    }

    /// The positions that required arcs leave for some variables among the others.
    pub(super) fn places(&self, others: &[Var], moved: &[Var]) -> std::ops::RangeInclusive<usize> {
        let required = |from: Var, to: Var| self.constraints.is_required(from, to);
        if self.constraints.required().is_empty() {
            return 0..=others.len();
        }
        let first = others.iter().rposition(|&v| moved.iter().any(|&m| required(v, m))).map_or(0, |i| i + 1);
        let last = others.iter().position(|&v| moved.iter().any(|&m| required(m, v))).unwrap_or(others.len());
        first..=last
    }

    /// The value of the order with some variables, together, at each position among the others.
    pub(super) fn totals(&self, others: &[Var], moved: &[Var], found: &FoundSets) -> Vec<f64> {
        let n = others.len() + moved.len();
        let mut before = Members::none(n);
        let mut values = AskedValues { orders: self, found, values: Vec::new(), open: Vec::new() };
        // The values of the moved variables at the last place where they changed, each with what may change it.
        let mut own: SmallVec<[(Option<f64>, Members); 2]> =
            moved.iter().map(|_| (None, Members::none(n))).collect();
        let mut matter = Members::none(n);
        // At each place: the value of the next of the others without the variables moved before it, the values of
        // those, and that of the next with them before it.
        for place in 0..=others.len() {
            let next = others.get(place).copied();
            let without = next.and_then(|v| values.ask(v, &before, &mut matter));
            for (&m, (value, matter)) in moved.iter().zip(&mut own) {
                let came = if place > 0 { Some(others[place - 1]) } else { None };
                match value.filter(|_| came.is_some_and(|v| !matter.contains(v))) {
                    Some(same) => values.values.push(same),
                    None => *value = values.ask(m, &before, matter),
                }
                before.insert(m);
            }
            if let Some(v) = next {
                match without.filter(|_| moved.iter().all(|&m| !matter.contains(m))) {
                    Some(same) => values.values.push(same),
                    None => _ = values.ask(v, &before, &mut matter),
                }
                before.insert(v);
            }
            moved.iter().for_each(|&m| before.remove(m));
        }
        let values = values.all();
        let at_places = values.chunks(moved.len() + 2);
        let without: Vec<f64> = at_places.clone().take(others.len()).map(|at| at[0]).collect();
        let with: Vec<f64> = at_places.clone().take(others.len()).map(|at| at[moved.len() + 1]).collect();
        let own = at_places.enumerate().map(|(place, at)| {
            let first = usize::from(place < others.len());
            at[first..first + moved.len()].iter().sum::<f64>()
        });
        let mut rest: f64 = with.iter().sum();
        let mut totals = Vec::with_capacity(others.len() + 1);
        for (place, value) in own.enumerate() {
            totals.push(value + rest);
            if place < with.len() {
                rest += without[place] - with[place];
            }
        }
        totals
    }

    /// The graph of an order.
    pub(in crate::search) fn graph(&self, order: &[Var], found: &FoundSets) -> Dag {
        let mut before = Members::none(order.len());
        let mut arcs = Vec::new();
        for &v in order {
            let parents = match found.better(v, &before, self.trees.value(v, &before)) {
                Some((_, set)) => set.clone(),
                None => self.trees.parents(v, &before),
            };
            arcs.extend(parents.iter().map(|parent| (parent, v)));
            before.insert(v);
        }
        Dag::from_arcs(order.len(), arcs).expect("parents come before their children")
    }
}

/// Values of variables after others, in the order in which they are asked for.
struct AskedValues<'a> {
    orders: &'a Orders<'a>,
    found: &'a FoundSets,
    values: Vec<f64>,
    /// Those that take scoring: their places, the variables, and what is before them.
    open: Vec<(usize, Var, Members)>,
}

impl AskedValues<'_> {
    /// Asks for a value; it is returned if it is known, and then it stays the same unless variables that `matter` come
    /// before v.
    fn ask(&mut self, v: Var, before: &Members, matter: &mut Members) -> Option<f64> {
        let known = self.orders.trees.known(v, before, matter);
        if known.is_none() {
            self.open.push((self.values.len(), v, before.clone()));
        }
        let known = known.map(|value| self.found.at_least(v, before, value));
        known.inspect(|&value| self.found.members_of_better(v, value, |member| matter.insert(member)));
        self.values.push(known.unwrap_or(f64::NAN));
        known
    }

    /// All of them; what takes scoring is found in parallel, and not at all once the search is told to stop.
    ///
    /// The last come first: those with more before them score the candidates of the others as well.
    fn all(self) -> Vec<f64> {
        let AskedValues { orders: Orders { trees, watch, .. }, found, mut values, open } = self;
        let value = |(_, v, before): &(usize, Var, Members)| match watch.stopped() {
            false => found.at_least(*v, before, trees.value(*v, before)),
            true => f64::NEG_INFINITY,
        };
        let scored: Vec<f64> = parallel::map(open.len(), |i| value(&open[open.len() - 1 - i]));
        open.iter().rev().zip(scored).for_each(|((place, ..), value)| values[*place] = value);
        values
    }
}
