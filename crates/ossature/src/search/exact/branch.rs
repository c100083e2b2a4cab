//! The best graph with parents among some choices: by prices of clusters and, if they leave a gap, by cores and
//! layers, or by branching on whether an arc is present.

use std::collections::BinaryHeap;
use std::sync::Arc;

use super::clusters::{Prices, Program};
use super::{connected, cores, layers};
use crate::search::watch::Watch;

/// The number of steps of the descent for the whole, and for a case.
const STEPS: u32 = 1000;
const STEPS_OF_CASE: u32 = 80;

/// The number of steps of the descent with cores: few at first, since often they are enough.
const STEPS_OF_CORES: [u32; 3] = [20, 40, 100];

/// A round of steps that leaves more than this share of the gap is the last.
const ENOUGH: f64 = 0.98;

/// The largest number of sets of variables to store, between rounds of steps and after the last.
const FEW_SETS: usize = 1 << 18;
const MOST_SETS: usize = 1 << 25;

/// The memory for open cases, in prices of 8 bytes each.
const MOST_PRICES: usize = 1 << 28;

/// How many variables are ordered at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    /// The largest number that is ordered without prices.
    pub(super) small: usize,
    /// The largest number of a core.
    pub(super) core: usize,
}

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

/// The best graph, starting from a known one.
///
/// Prices of clusters give an upper bound on all graphs, and on the graphs with each choice: choices that cannot
/// lead to a graph better than the known one are left out. If the remaining variables are not all joined by
/// cycles, they are divided into parts that are solved separately. Few variables are ordered at once, more of them
/// by cores and layers, and very many are divided into cases.
///
/// # Ensures
/// The score is at least that of the known graph. If it finishes, it is the best of all; if not, no graph
/// exceeds the bound.
pub(super) fn solve(program: &Program, known: Vec<usize>, reach: Reach, watch: &Watch<'_>) -> BestGraph {
    let score = program.total(&known);
    let mut best = BestGraph { chosen: known, score, bound: f64::INFINITY, complete: false, cases: 0 };
    let mut prices = Prices::new(program);
    if program.variables() <= reach.small && !watch.stopped() {
        return at_once(prices, best);
    }
    if let Some(graph) = prices.ascend(watch) {
        best.improve(program, graph);
    }
    // Together and one by one, until neither lowers the bound by much.
    loop {
        let before = prices.bound - best.score;
        best.descend(&mut prices, STEPS, watch);
        if let Some(graph) = prices.ascend(watch) {
            best.improve(program, graph);
        }
        if watch.stopped() || prices.bound <= best.score || prices.bound - best.score >= ENOUGH * before {
            break;
        }
    }
    best.bound = prices.bound.max(best.score);
    if prices.bound <= best.score {
        return BestGraph { complete: true, ..best };
    }
    if watch.stopped() {
        return best;
    }
    close(&mut prices, &best);
    let parts = parts(&prices);
    match program.variables() {
        _ if parts.len() > 1 => divided(&prices, best, &parts, reach, watch),
        n if n <= reach.core => at_once(prices, best),
        n if n <= layers::MOST_VARIABLES => by_cores(prices, best, reach, watch),
        _ => cases(prices, best, watch),
    }
}

/// The variables of open choices that are joined by cycles.
fn parts(prices: &Prices<'_>) -> Vec<Vec<usize>> {
    let program = prices.program;
    let parents = |y: usize| {
        let open = program.of(y).filter(|&i| prices.open[i]);
        let mut all: Vec<usize> = open.flat_map(|i| program.parents[i].iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    connected::parts(&(0..program.variables()).map(parents).collect::<Vec<_>>())
}

impl BestGraph {
    fn improve(&mut self, program: &Program, chosen: Vec<usize>) {
        let score = program.total(&chosen);
        if score > self.score {
            (self.score, self.chosen) = (score, chosen);
        }
    }

    /// Lowers the bound by steps of all prices, and looks for a better graph from time to time.
    fn descend(&mut self, prices: &mut Prices<'_>, steps: u32, watch: &Watch<'_>) {
        prices.descend(steps, self.score, watch, |prices| {
            if let Some(chosen) = prices.rounded() {
                self.improve(prices.program, chosen);
            }
            self.score
        });
    }
}

/// Removes the choices that lead to no graph better than the known one; its own stay.
fn close(prices: &mut Prices<'_>, best: &BestGraph) {
    for (i, loss) in prices.losses().into_iter().enumerate() {
        prices.open[i] &= prices.bound - loss > best.score || best.chosen[prices.program.owner[i]] == i;
    }
}

/// Solves each part separately: no cycle runs through two of them.
fn divided(
    prices: &Prices<'_>,
    best: BestGraph,
    parts: &[Vec<usize>],
    reach: Reach,
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
            open.sort_unstable_by(|&a, &b| whole.value[b].total_cmp(&whole.value[a]).then(a.cmp(&b)));
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
        let solved = solve(&program, known, reach, watch);
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

/// The best of all orders: all variables are one core.
fn at_once(mut prices: Prices<'_>, mut best: BestGraph) -> BestGraph {
    prices.join(vec![(0..prices.program.variables()).collect()]);
    best.improve(prices.program, prices.best);
    BestGraph { bound: best.score, complete: true, ..best }
}

/// Lowers the bound by cores, in rounds, until the rest is small enough to search layer by layer.
fn by_cores(mut prices: Prices<'_>, mut best: BestGraph, reach: Reach, watch: &Watch<'_>) -> BestGraph {
    let open = |prices: &Prices<'_>| prices.open.iter().filter(|open| **open).count();
    let at_first = open(&prices);
    prices.join(cores::groups(&prices, reach.core));
    for round in 0.. {
        let before = prices.bound - best.score;
        let steps = STEPS_OF_CORES[STEPS_OF_CORES.len().min(round + 1) - 1];
        best.descend(&mut prices, steps, watch);
        best.bound = best.bound.min(prices.bound).max(best.score);
        best.complete = best.bound <= best.score;
        if best.complete || watch.stopped() {
            break;
        }
        close(&mut prices, &best);
        if 2 * open(&prices) <= at_first {
            return divided(&prices, best, &parts(&prices), reach, watch);
        }
        let last = round >= STEPS_OF_CORES.len() && prices.bound - best.score >= ENOUGH * before;
        best = layers::search(&prices, best, if last { MOST_SETS } else { FEW_SETS }, watch);
        if best.complete || last {
            break;
        }
    }
    best
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
        let steps = if case.arcs.is_empty() { 0 } else { STEPS_OF_CASE };
        best.descend(&mut prices, steps, watch);
        if let Some(graph) = prices.ascend(watch) {
            best.improve(program, graph);
        }
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
