//! The best graph with parents among some choices, by prices of clusters and, if they leave a gap, by
//! branching on whether an arc is present.

use std::collections::BinaryHeap;
use std::sync::Arc;

use super::clusters::{Prices, Program};
use super::connected;
use crate::search::watch::Watch;

/// The number of steps of the descent for the whole, and for a case.
const STEPS: u32 = 1000;
const STEPS_OF_CASE: u32 = 80;

/// A round of steps that leaves more than this share of the gap is the last.
const ENOUGH: f64 = 0.98;

/// The memory for open cases, in prices of 8 bytes each.
const MOST_PRICES: usize = 1 << 28;

/// One choice for each variable, and what is proven of it.
#[derive(Debug, Clone)]
pub(super) struct BestGraph {
    pub(super) chosen: Vec<usize>,
    pub(super) score: f64,
    pub(super) bound: f64,
    pub(super) complete: bool,
    /// The number of cases examined.
    pub(super) cases: u64,
}

/// An open case: the one with the highest bound is examined next.
struct Case {
    bound: f64,
    number: u64,
    /// Arcs that are present (true) or absent (false).
    arcs: Vec<(usize, usize, bool)>,
    prices: Arc<Vec<f64>>,
}

impl Ord for Case {
    fn cmp(&self, other: &Case) -> std::cmp::Ordering {
        self.bound.total_cmp(&other.bound).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Case {
    fn partial_cmp(&self, other: &Case) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Case {
    fn eq(&self, other: &Case) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Case {}

/// The best graph, starting from a known one; up to `small` variables are ordered by subsets instead of cases.
///
/// Prices of clusters give an upper bound on all graphs, and on the graphs with each choice: choices that cannot
/// lead to a graph better than the known one are left out. If the remaining variables are not all joined by
/// cycles, they are divided into parts that are solved separately; the rest is divided into cases.
///
/// # Ensures
/// The score is at least that of the known graph. If it finishes, it is the best of all; if not, no graph
/// exceeds the bound.
pub(super) fn solve(program: &Program, known: Vec<usize>, small: usize, watch: &Watch<'_>) -> BestGraph {
    let score = program.total(&known);
    let mut best = BestGraph { chosen: known, score, bound: f64::INFINITY, complete: false, cases: 0 };
    let mut prices = Prices::new(program);
    if let Some(graph) = prices.ascend(watch) {
        best.improve(program, graph);
    }
    let mut found = best.clone();
    // Together and one by one, until neither lowers the bound by much.
    loop {
        let before = prices.bound - found.score;
        prices.descend(STEPS, found.score, watch, |prices| {
            found.round(prices);
            found.score
        });
        if let Some(graph) = prices.ascend(watch) {
            found.improve(program, graph);
        }
        if watch.stopped() || prices.bound - found.score >= ENOUGH * before {
            break;
        }
    }
    best.improve(program, found.chosen);
    best.bound = prices.bound.max(best.score);
    if prices.bound <= best.score {
        return BestGraph { complete: true, ..best };
    }
    if watch.stopped() {
        return best;
    }
    close(&mut prices, &best);
    let parents = |y: usize| {
        let open = program.of(y).filter(|&i| prices.open[i]);
        let mut all: Vec<usize> = open.flat_map(|i| program.parents[i].iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let needs: Vec<Vec<usize>> = (0..program.variables()).map(parents).collect();
    let parts = connected::parts(&needs);
    match parts.len() {
        1 if program.variables() <= small => by_subsets(&prices, best),
        1 => cases(prices, best, watch),
        _ => divided(&prices, best, &parts, small, watch),
    }
}

impl BestGraph {
    fn improve(&mut self, program: &Program, chosen: Vec<usize>) {
        let score = program.total(&chosen);
        if score > self.score {
            (self.score, self.chosen) = (score, chosen);
        }
    }

    fn round(&mut self, prices: &Prices<'_>) {
        if let Some(chosen) = prices.rounded() {
            self.improve(prices.program, chosen);
        }
    }
}

/// Removes the choices that lead to no graph better than the known one; its own stay.
fn close(prices: &mut Prices<'_>, best: &BestGraph) {
    for i in 0..prices.priced.len() {
        let y = prices.program.owner[i];
        let short = prices.priced[prices.best[y]] - prices.priced[i];
        prices.open[i] &= prices.bound - short > best.score || best.chosen[y] == i;
    }
}

/// Solves each part separately: no cycle runs through two of them.
fn divided(
    prices: &Prices<'_>,
    best: BestGraph,
    parts: &[Vec<usize>],
    small: usize,
    watch: &Watch<'_>,
) -> BestGraph {
    let whole = prices.program;
    let mut answer = BestGraph { score: 0.0, bound: 0.0, complete: true, ..best.clone() };
    for part in parts {
        let mut program = Program { first: vec![0], ..Program::default() };
        // For each choice of the part one of the whole.
        let (mut origin, mut known): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        for (place, &y) in part.iter().enumerate() {
            let begin = origin.len();
            let mut open: Vec<usize> = whole.of(y).filter(|&i| prices.open[i]).collect();
            open.sort_by(|&a, &b| whole.value[b].total_cmp(&whole.value[a]).then(a.cmp(&b)));
            for i in open {
                let inside = whole.parents[i].iter().filter_map(|p| part.binary_search(p).ok());
                let inside: Box<[usize]> = inside.collect();
                let same = program.parents[begin..].iter().position(|p| *p == inside);
                if best.chosen[y] == i {
                    known.push(begin + same.unwrap_or(origin.len() - begin));
                }
                if same.is_none() {
                    program.owner.push(place);
                    program.parents.push(inside);
                    program.value.push(whole.value[i]);
                    origin.push(i);
                }
            }
            program.first.push(origin.len());
        }
        let solved = solve(&program, known, small, watch);
        answer.score += solved.score;
        answer.bound += solved.bound;
        answer.complete &= solved.complete;
        answer.cases += solved.cases;
        for (&y, i) in part.iter().zip(solved.chosen) {
            answer.chosen[y] = origin[i];
        }
    }
    BestGraph { bound: answer.bound.min(best.bound).max(answer.score), ..answer }
}

/// The best of all orders, by dynamic programming over subsets (Silander & Myllymäki 2006).
fn by_subsets(prices: &Prices<'_>, mut best: BestGraph) -> BestGraph {
    let (program, n) = (prices.program, prices.program.variables());
    // For each variable its choices with their parents as bits, the best first.
    let choices = |y: usize| {
        let open = program.of(y).filter(|&i| prices.open[i]);
        let bits = |i: usize| program.parents[i].iter().fold(0u32, |set, &p| set | 1 << p);
        let mut all: Vec<(u32, usize)> = open.map(|i| (bits(i), i)).collect();
        all.sort_by(|a, b| program.value[b.1].total_cmp(&program.value[a.1]).then(a.1.cmp(&b.1)));
        all
    };
    let choices: Vec<Vec<(u32, usize)>> = (0..n).map(choices).collect();
    let fits = |y: usize, before: u32| choices[y].iter().find(|(set, _)| set & !before == 0).map(|c| c.1);
    // For each set of variables that come first the best they can have, and which of them is the last.
    let mut first = vec![(f64::NEG_INFINITY, u8::MAX); 1 << n];
    first[0].0 = 0.0;
    for set in 0..(1u32 << n) - 1 {
        let so_far = first[set as usize].0;
        if so_far == f64::NEG_INFINITY {
            continue;
        }
        for y in (0..n).filter(|&y| set >> y & 1 == 0) {
            let Some(i) = fits(y, set) else { continue };
            let next = &mut first[(set | 1 << y) as usize];
            if so_far + program.value[i] > next.0 {
                *next = (so_far + program.value[i], y as u8);
            }
        }
    }
    let whole = (1u32 << n) - 1;
    if first[whole as usize].0 > best.score {
        let mut set = whole;
        while set != 0 {
            let y = usize::from(first[set as usize].1);
            set &= !(1 << y);
            best.chosen[y] = fits(y, set).expect("it was placed");
        }
        best.score = first[whole as usize].0;
    }
    BestGraph { bound: best.score, complete: true, ..best }
}

/// Examines cases, the most promising first, until none is better than the known graph.
fn cases(mut prices: Prices<'_>, mut best: BestGraph, watch: &Watch<'_>) -> BestGraph {
    let program = prices.program;
    let whole = prices.open.clone();
    let first =
        Case { bound: prices.bound, number: 0, arcs: Vec::new(), prices: Arc::new(prices.prices.clone()) };
    let mut open = BinaryHeap::from([first]);
    let mut number = 0;
    while let Some(case) = open.pop() {
        best.bound = case.bound.max(best.score);
        if case.bound <= best.score {
            break;
        }
        let room = open.len() * case.prices.len() < MOST_PRICES;
        if !watch.moved(best.score, best.cases) || !room {
            return best;
        }
        best.cases += 1;
        prices.open.copy_from_slice(&whole);
        narrow(&mut prices, &case.arcs);
        prices.set(&case.prices);
        let mut found = best.clone();
        let steps = if case.arcs.is_empty() { 0 } else { STEPS_OF_CASE };
        prices.descend(steps, best.score, watch, |prices| {
            found.round(prices);
            found.score
        });
        if let Some(graph) = prices.ascend(watch) {
            found.improve(program, graph);
        }
        best.improve(program, found.chosen);
        let bound = prices.bound.min(case.bound);
        if bound <= best.score {
            continue;
        }
        close(&mut prices, &best);
        let Some((from, to)) = undecided(&prices) else {
            // One choice each: the graph, if it is one, was found above.
            continue;
        };
        let at = Arc::new(prices.prices.clone());
        for there in [true, false] {
            number += 1;
            let arcs = case.arcs.iter().copied().chain([(from, to, there)]).collect();
            open.push(Case { bound, number, arcs, prices: at.clone() });
        }
    }
    BestGraph { bound: best.score, complete: true, ..best }
}

/// Closes the choices that contradict the arcs of a case.
fn narrow(prices: &mut Prices<'_>, arcs: &[(usize, usize, bool)]) {
    let n = prices.program.variables();
    // Who comes after whom by the arcs that are there.
    let mut after = vec![Vec::new(); n];
    for &(from, to, _) in arcs.iter().filter(|(.., there)| *there) {
        after[from].push(to);
    }
    let reached = |from: usize| {
        let mut seen = vec![false; n];
        let mut open = after[from].clone();
        while let Some(v) = open.pop() {
            if !std::mem::replace(&mut seen[v], true) {
                open.extend(&after[v]);
            }
        }
        seen
    };
    for y in (0..n).filter(|&y| !after[y].is_empty()) {
        let seen = reached(y);
        for i in prices.program.of(y) {
            prices.open[i] &= !prices.program.parents[i].iter().any(|&p| seen[p]);
        }
    }
    for &(from, to, there) in arcs {
        for i in prices.program.of(to) {
            prices.open[i] &= prices.program.parents[i].contains(&from) == there;
        }
    }
}

/// An arc that some open choices of a variable have and others do not: the one that the descent left least
/// decided.
fn undecided(prices: &Prices<'_>) -> Option<(usize, usize)> {
    let program = prices.program;
    let mut best: Option<(f64, usize, usize)> = None;
    for y in 0..program.variables() {
        let open: Vec<usize> = program.of(y).filter(|&i| prices.open[i]).collect();
        let whole: f64 = open.iter().map(|&i| prices.share[i]).sum();
        let mut arcs: Vec<(usize, f64, usize)> = Vec::new();
        for &i in &open {
            for &p in &program.parents[i] {
                match arcs.iter_mut().find(|(known, ..)| *known == p) {
                    Some((_, share, times)) => {
                        *share += prices.share[i];
                        *times += 1;
                    }
                    None => arcs.push((p, prices.share[i], 1)),
                }
            }
        }
        for (p, share, _) in arcs.into_iter().filter(|(.., times)| *times < open.len()) {
            let part = if whole > 0.0 { share / whole } else { 0.5 };
            let doubt = part.min(1.0 - part);
            if best.is_none_or(|(known, ..)| doubt > known) {
                best = Some((doubt, p, y));
            }
        }
    }
    best.map(|(_, from, to)| (from, to))
}
