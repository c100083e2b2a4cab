//! The order of nodes and points in each layer, with few crossings.
//!
//! Sweeps down and up order each layer by the mean or median place of what it is joined to in the
//! layer just passed; then neighbours are exchanged while that removes crossings (the heuristics of
//! Sugiyama, Tagawa and Toda 1981 and of Gansner et al. 1993). Several starting orders are tried,
//! the fewer the larger the graph, and the best order ever met is kept.

use super::ladder::Ladder;

/// Steps of sweeping spent on one graph, counted in edges passed.
const BUDGET: usize = 3_000_000;

/// Sweeps without a better order before the next start.
const PATIENCE: usize = 6;

/// Puts the layers of a ladder into an order with few crossings.
pub(super) fn untangle(ladder: &mut Ladder) {
    let steps: usize = ladder.down.iter().map(Vec::len).sum::<usize>() + ladder.len();
    let sweeps = (BUDGET / (steps + 1)).clamp(12, 2000);
    let starts = (sweeps / 40).clamp(2, 24);
    let mut best = (usize::MAX, Vec::new());
    for start in 0..starts {
        initial_order(ladder, start);
        let mut search = Search::new(ladder);
        search.run(sweeps / starts);
        if search.best.0 < best.0 {
            best = search.best;
        }
        if best.0 == 0 {
            break;
        }
    }
    ladder.layers = best.1;
}

/// An order to start from: nodes as a walk in depth meets them, from the top or from the bottom.
fn initial_order(ladder: &mut Ladder, start: usize) {
    let layers = ladder.layers.len();
    let count = ladder.len();
    let mut roots: Vec<usize> = (0..count).collect();
    // The first two starts are plain, the others shuffled by a little generator of our own, whose
    // numbers no update of a dependency can change.
    let mut state = start as u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    if start >= 2 {
        (1..count).rev().for_each(|i| roots.swap(i, below(i + 1)));
    }
    let from_top = start % 2 == 0;
    roots.sort_by_key(|&v| if from_top { ladder.layer[v] } else { layers - ladder.layer[v] });
    let mut seen = vec![false; count];
    let mut order = vec![Vec::new(); layers];
    for root in roots {
        let mut open = vec![root];
        while let Some(v) = open.pop() {
            if std::mem::replace(&mut seen[v], true) {
                continue;
            }
            order[ladder.layer[v]].push(v);
            let (first, last) =
                if from_top { (&ladder.down, &ladder.up) } else { (&ladder.up, &ladder.down) };
            open.extend(last[v].iter().rev().chain(first[v].iter().rev()).filter(|&&w| !seen[w]));
        }
    }
    ladder.layers = order;
}

/// The layer just passed by a sweep.
#[derive(Clone, Copy, PartialEq)]
enum Look {
    Up,
    Down,
}

struct Search<'a> {
    ladder: &'a Ladder,
    layers: Vec<Vec<usize>>,
    position: Vec<usize>,
    best: (usize, Vec<Vec<usize>>),
}

impl<'a> Search<'a> {
    fn new(ladder: &'a Ladder) -> Search<'a> {
        let layers = ladder.layers.clone();
        let mut search = Search { ladder, layers, position: ladder.positions(), best: (usize::MAX, vec![]) };
        search.keep_if_best();
        search
    }

    fn run(&mut self, sweeps: usize) {
        let mut idle = 0;
        for sweep in 0..sweeps {
            let look = if sweep % 2 == 0 { Look::Up } else { Look::Down };
            let (median, mirror) = (sweep / 2 % 2 == 1, sweep / 4 % 2 == 1);
            let count = self.layers.len();
            for i in 0..count {
                let layer = if look == Look::Up { i } else { count - 1 - i };
                self.arrange(layer, look, median, mirror);
            }
            self.exchange(mirror);
            idle = if self.keep_if_best() { 0 } else { idle + 1 };
            if idle > PATIENCE || self.best.0 == 0 {
                return;
            }
        }
    }

    fn keep_if_best(&mut self) -> bool {
        let crossings = (1..self.layers.len()).map(|i| self.crossings_above(i)).sum();
        let better = crossings < self.best.0;
        if better {
            self.best = (crossings, self.layers.clone());
        }
        better
    }

    fn neighbours(&self, v: usize, look: Look) -> &'a [usize] {
        if look == Look::Up { &self.ladder.up[v] } else { &self.ladder.down[v] }
    }

    /// The places of what a node is joined to, from left to right.
    fn places(&self, v: usize, look: Look) -> Vec<usize> {
        let mut places: Vec<usize> =
            self.neighbours(v, look).iter().map(|&w| self.position[w]).collect();
        places.sort_unstable();
        places
    }

    /// Orders one layer by what its members are joined to; members joined to nothing stay in place.
    fn arrange(&mut self, layer: usize, look: Look, median: bool, mirror: bool) {
        let mut members = std::mem::take(&mut self.layers[layer]);
        let mut movable: Vec<(f64, usize)> = Vec::with_capacity(members.len());
        let mut slots = Vec::with_capacity(members.len());
        for (slot, &v) in members.iter().enumerate() {
            let places = self.places(v, look);
            if !places.is_empty() {
                slots.push(slot);
                movable.push((if median { middle(&places) } else { mean(&places) }, v));
            }
        }
        if mirror {
            movable.reverse(); // the sort is stable, so this exchanges those that tie
        }
        movable.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (slot, (_, v)) in slots.into_iter().zip(movable) {
            members[slot] = v;
        }
        self.set(layer, members);
    }

    fn set(&mut self, layer: usize, members: Vec<usize>) {
        for (i, &v) in members.iter().enumerate() {
            self.position[v] = i;
        }
        self.layers[layer] = members;
    }

    /// Exchanges neighbours in each layer while that removes crossings.
    fn exchange(&mut self, also_ties: bool) {
        for layer in 0..self.layers.len() {
            let mut members = std::mem::take(&mut self.layers[layer]);
            let mut places: Vec<[Vec<usize>; 2]> = members
                .iter()
                .map(|&v| [self.places(v, Look::Up), self.places(v, Look::Down)])
                .collect();
            for round in 0..8 {
                let mut improved = false;
                for i in 1..members.len() {
                    let (left, right) = (&places[i - 1], &places[i]);
                    let now = inversions(&left[0], &right[0]) + inversions(&left[1], &right[1]);
                    let then = inversions(&right[0], &left[0]) + inversions(&right[1], &left[1]);
                    if then < now || (then == now && also_ties && round == 0) {
                        members.swap(i - 1, i);
                        places.swap(i - 1, i);
                        improved |= then < now;
                    }
                }
                if !improved {
                    break;
                }
            }
            self.set(layer, members);
        }
    }

    /// Crossings between a layer and the one above it.
    fn crossings_above(&self, layer: usize) -> usize {
        let width = self.layers[layer - 1].len();
        let mut seen = Tally::new(width);
        let mut crossings = 0;
        for &v in &self.layers[layer] {
            let places = self.places(v, Look::Up);
            crossings += places.iter().map(|&p| seen.above(p)).sum::<usize>();
            places.iter().for_each(|&p| seen.add(p));
        }
        crossings
    }
}

fn mean(places: &[usize]) -> f64 {
    places.iter().sum::<usize>() as f64 / places.len() as f64
}

/// The median; between two, nearer to the side on which the places are closer together.
fn middle(places: &[usize]) -> f64 {
    let half = places.len() / 2;
    let at = |i: usize| places[i] as f64;
    if places.len() % 2 == 1 {
        return at(half);
    }
    if places.len() == 2 {
        return (at(0) + at(1)) / 2.0;
    }
    let (left, right) = (at(half - 1) - at(0), at(places.len() - 1) - at(half));
    if left + right == 0.0 {
        return (at(half - 1) + at(half)) / 2.0;
    }
    (at(half - 1) * right + at(half) * left) / (left + right)
}

/// How many pairs of a place on the left and a place on the right cross; both are sorted.
fn inversions(left: &[usize], right: &[usize]) -> usize {
    let mut smaller = 0;
    let mut count = 0;
    for &l in left {
        while smaller < right.len() && right[smaller] < l {
            smaller += 1;
        }
        count += smaller;
    }
    count
}

/// Counts numbers and answers how many were greater than a given one, each in logarithmic time.
struct Tally {
    sums: Vec<usize>,
    total: usize,
}

impl Tally {
    fn new(n: usize) -> Tally {
        Tally { sums: vec![0; n + 1], total: 0 }
    }

    fn add(&mut self, number: usize) {
        self.total += 1;
        let mut i = number + 1;
        while i < self.sums.len() {
            self.sums[i] += 1;
            i += i & i.wrapping_neg();
        }
    }

    fn above(&self, number: usize) -> usize {
        let mut i = number + 1;
        let mut up_to = 0;
        while i > 0 {
            up_to += self.sums[i];
            i &= i - 1;
        }
        self.total - up_to
    }
}

#[cfg(test)]
mod tests {
    use super::super::Link;
    use super::*;

    fn crossings(ladder: &Ladder) -> usize {
        Search::new(ladder).best.0
    }

    fn ladder(layer: &[usize], pairs: &[(usize, usize)]) -> Ladder {
        let links: Vec<Link> = pairs.iter().map(|&(tail, head)| Link { tail, head }).collect();
        Ladder::new(layer.to_vec(), &links)
    }

    #[test]
    fn crossings_are_counted() {
        // 0 1 above 2 3 4: 0-4 crosses 1-2 and 1-3; edges that share an end do not cross.
        let l = ladder(&[0, 0, 1, 1, 1], &[(0, 2), (0, 4), (1, 2), (1, 3)]);
        assert_eq!(crossings(&l), 2);
        assert_eq!(inversions(&[0, 2, 2], &[1, 2]), 2);
    }

    #[test]
    fn a_tree_has_no_crossings() {
        let layer: Vec<usize> = (1..32_usize).map(|v| v.ilog2() as usize).collect();
        // Children are dealt out in an order that crosses a great deal at first.
        let pairs: Vec<_> = (1..31_usize).map(|v| ((v - 1) % (1 << (v + 1).ilog2() >> 1), v)).collect();
        let pairs: Vec<_> =
            pairs.iter().map(|&(p, v)| (p + (1 << ((v + 1).ilog2() - 1)) - 1, v)).collect();
        let mut l = ladder(&layer, &pairs);
        assert!(crossings(&l) > 0);
        untangle(&mut l);
        assert_eq!(crossings(&l), 0);
    }

    #[test]
    fn every_member_stays_in_its_layer() {
        let mut l = ladder(&[0, 1, 3, 0, 2, 3], &[(0, 2), (3, 2), (0, 5), (1, 4), (4, 5), (3, 4)]);
        let before: Vec<Vec<usize>> = l.layers.clone();
        untangle(&mut l);
        for (mut was, mut is) in before.into_iter().zip(l.layers) {
            was.sort_unstable();
            is.sort_unstable();
            assert_eq!(was, is);
        }
    }
}
