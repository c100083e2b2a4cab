//! The best order of up to 64 variables: layer by layer through the lattice of their subsets.

use rustc_hash::FxHashMap;

use super::branch::BestGraph;
use super::clusters::Prices;
use super::parents::bits;
use crate::search::watch::Watch;

/// The largest number of variables: a set of them is a number.
pub(super) const MOST_VARIABLES: usize = u64::BITS as usize;

/// The number of sets between two reports of progress.
const STRIDE: u64 = 1 << 6;

/// The variables with one bit each, those of a core side by side.
struct Lattice<'a> {
    prices: &'a Prices<'a>,
    /// The variable of each bit.
    order: Vec<usize>,
    /// For each bit the open choices of its variable, best first: the parents, the value and the choice.
    choices: Vec<Vec<(u64, f64, usize)>>,
    /// The clusters with a price.
    clusters: Vec<(u64, f64)>,
}

/// Looks for an order that is better than the best known graph, storing at most `most` sets of variables.
///
/// A set of variables that come first is left if what they have, plus the most that the others can have, is not
/// better than the best known graph (breadth-first branch and bound: Malone, Yuan, Hansen & Bridges 2011, UAI-27,
/// arXiv 1202.3744). That most is a pattern database of each core at the current prices (Yuan & Malone 2013, JAIR
/// 48, doi:10.1613/jair.4039), less the prices of those clusters of which no member is placed: of each, one of the
/// others is still to be the first. A variable that can already have its best possible parents comes next, and no
/// other (Malone, Kangas, Järvisalo, Koivisto & Myllymäki 2014).
///
/// # Requires, ensures
/// At most 64 variables, and cores at their latest prices. If it finishes, the result is the best of all; if not, no
/// graph exceeds the bound.
///
/// # Cost
/// About 40 bytes for each stored set.
pub(super) fn search(prices: &Prices<'_>, mut best: BestGraph, most: usize, watch: &Watch<'_>) -> BestGraph {
    let lattice = Lattice::new(prices);
    let (n, all) = (lattice.order.len(), u64::MAX >> (MOST_VARIABLES - lattice.order.len()));
    // For each number of variables the sets that may lead to a better graph, with the best value of their members.
    let mut layers: Vec<FxHashMap<u64, f64>> = vec![FxHashMap::from_iter([(0, 0.0)])];
    let mut stored = 0;
    for depth in 0..n {
        let mut next: FxHashMap<u64, f64> = FxHashMap::default();
        let mut promised = best.score;
        for (&set, &value) in &layers[depth] {
            best.cases += 1;
            let stopped = best.cases.is_multiple_of(STRIDE) && !watch.moved(best.score, best.cases);
            if stopped || stored + next.len() > most {
                return best;
            }
            let left = all & !set;
            let settled = bits(left).find(|&y| lattice.is_settled(y, set));
            for y in bits(settled.map_or(left, |y| 1 << y)) {
                let Some((_, more, _)) = lattice.fitting(y, set) else { continue };
                let (larger, value) = (set | 1 << y, value + more);
                if next.get(&larger).is_some_and(|&known| known >= value) {
                    continue;
                }
                let promise = value + lattice.promise(left & !(1 << y));
                if promise > best.score {
                    next.insert(larger, value);
                    promised = promised.max(promise);
                }
            }
        }
        // Every better graph goes through a set of this layer.
        best.bound = best.bound.min(promised);
        stored += next.len();
        layers.push(next);
    }
    if layers[n].get(&all).is_some_and(|&score| score > best.score) {
        best.chosen = lattice.way(&layers);
        best.score = prices.program.total(&best.chosen);
    }
    BestGraph { bound: best.score, complete: true, ..best }
}

impl<'a> Lattice<'a> {
    fn new(prices: &'a Prices<'a>) -> Lattice<'a> {
        let program = prices.program;
        let order: Vec<usize> = prices.cores.iter().flat_map(|core| core.members.iter().copied()).collect();
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &v)| place[v] = at);
        let number = |set: &[usize]| set.iter().fold(0u64, |number, &v| number | 1 << place[v]);
        let choices = |&y: &usize| {
            let open = program.of(y).filter(|&i| prices.open[i]);
            let mut all: Vec<(u64, f64, usize)> =
                open.map(|i| (number(&program.parents[i]), program.value[i], i)).collect();
            all.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.2.cmp(&b.2)));
            all
        };
        let clusters = prices.members.iter().zip(&prices.prices).filter(|(_, price)| **price > 0.0);
        let clusters = clusters.map(|(members, &price)| (number(members), price)).collect();
        Lattice { prices, choices: order.iter().map(choices).collect(), clusters, order }
    }

    /// The best choice of a variable if these come before it.
    fn fitting(&self, y: usize, before: u64) -> Option<(u64, f64, usize)> {
        self.choices[y].iter().find(|choice| choice.0 & !before == 0).copied()
    }

    /// Whether a variable can have its best parents of all if these come before it.
    fn is_settled(&self, y: usize, before: u64) -> bool {
        self.fitting(y, before).is_some_and(|choice| choice.1 == self.choices[y][0].1)
    }

    /// The most that these variables can have together if all others come before them.
    fn promise(&self, left: u64) -> f64 {
        let (mut sum, mut rest) = (0.0, left);
        for core in &self.prices.cores {
            sum += core.after[rest as usize & (core.after.len() - 1)];
            rest = rest.checked_shr(core.members.len() as u32).unwrap_or(0);
        }
        let untouched = self.clusters.iter().filter(|(cluster, _)| cluster & !left == 0);
        sum - untouched.map(|(_, price)| price).sum::<f64>()
    }

    /// The choices of the best order, from the last variable to the first.
    fn way(&self, layers: &[FxHashMap<u64, f64>]) -> Vec<usize> {
        let n = self.order.len();
        let mut chosen = vec![0; n];
        let mut set = u64::MAX >> (MOST_VARIABLES - n);
        for depth in (0..n).rev() {
            let value = layers[depth + 1][&set];
            let last = bits(set).find_map(|y| {
                let before = set & !(1 << y);
                let (_, more, choice) = self.fitting(y, before)?;
                (*layers[depth].get(&before)? + more == value).then_some((y, choice))
            });
            let (y, choice) = last.expect("the set was reached from one of these");
            chosen[self.order[y]] = choice;
            set &= !(1 << y);
        }
        chosen
    }
}
