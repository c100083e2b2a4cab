//! The order of nodes and points in each layer, with few crossings.
//!
//! Sweeps down and up order each layer by the mean or median position of its neighbours in the layer
//! just passed (Sugiyama, Tagawa and Toda 1981; Gansner et al. 1993); after each, every member moves
//! to the position in its layer with the fewest crossings (sifting: Matuszewski, Schönfeld and
//! Molitor, Graph Drawing 1999). Several starting orders are tried, fewer for larger graphs, and the
//! best order is kept.

use std::cmp::Reverse;

use ossature::random::Sequence;

use crate::crossings::{Tally, inversions};
use crate::ladder::Ladder;

/// The budget for one graph, counted in positions examined.
const BUDGET: usize = 60_000_000;

/// The largest number of starting orders.
const STARTS: usize = 24;

/// The number of sweeps without a better order before the next start.
const PATIENCE: usize = 10;

/// Puts the layers of a ladder into an order with few crossings.
pub(crate) fn untangle(ladder: &mut Ladder) {
    let mut best = (usize::MAX, Vec::new());
    let mut spent = 0;
    for start in 0..STARTS {
        let mut search = Search::new(ladder, initial_order(ladder, start));
        search.run();
        spent += search.spent;
        if search.best.0 < best.0 {
            best = search.best;
        }
        if best.0 == 0 || spent > BUDGET {
            break;
        }
    }
    ladder.layers = best.1;
}

/// A starting order: nodes in the order of a depth-first walk, from the top or from the bottom.
///
/// The first two walks visit neighbours in their own order, the others in a random one.
fn initial_order(ladder: &Ladder, start: usize) -> Vec<Vec<usize>> {
    let (layers, count) = (ladder.layers.len(), ladder.len());
    let from_top = start.is_multiple_of(2);
    let mut roots: Vec<usize> = (0..count).collect();
    if start >= 2 {
        Sequence::new(start as u64).shuffle(&mut roots);
    }
    let mut turn = vec![0; count];
    roots.iter().enumerate().for_each(|(i, &v)| turn[v] = i);
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
            let (up, down) = (ladder.up[v].iter(), ladder.down[v].iter());
            let mut near: Vec<usize> = up.chain(down).copied().filter(|&w| !seen[w]).collect();
            // What is taken first comes last: those ahead before those behind, then by turn.
            near.sort_by_key(|&w| ((ladder.layer[w] > ladder.layer[v]) == from_top, Reverse(turn[w])));
            open.append(&mut near);
        }
    }
    order
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
    /// The smallest number of crossings so far, and its order.
    best: (usize, Vec<Vec<usize>>),
    /// The number of members and of steps between them.
    steps: usize,
    /// Approximate work so far.
    spent: usize,
}

impl<'a> Search<'a> {
    fn new(ladder: &'a Ladder, layers: Vec<Vec<usize>>) -> Search<'a> {
        let position = vec![0; ladder.len()];
        let steps = 1 + ladder.len() + ladder.down.iter().map(Vec::len).sum::<usize>();
        let best = (usize::MAX, vec![]);
        let mut search = Search { ladder, layers: vec![], position, best, steps, spent: 0 };
        search.set_all(layers);
        search.keep_if_best();
        search
    }

    /// Sweeps until that no longer helps, then improves the best order by moving single members.
    fn run(&mut self) {
        // Far moves are for small graphs: the work of a sweep must not grow with the square of a layer.
        let reach = (BUDGET / 200 / self.steps).max(2);
        let mut idle = 0;
        for sweep in 0.. {
            if idle > PATIENCE || self.best.0 == 0 || self.spent > BUDGET / 2 {
                break;
            }
            let look = if sweep % 2 == 0 { Look::Up } else { Look::Down };
            let (median, mirror) = (sweep / 2 % 2 == 1, sweep / 4 % 2 == 1);
            let count = self.layers.len();
            for i in 0..count {
                let layer = if look == Look::Up { i } else { count - 1 - i };
                self.arrange(layer, look, median, mirror);
            }
            self.sift(reach);
            idle = if self.keep_if_best() { 0 } else { idle + 1 };
        }
        self.set_all(self.best.1.clone());
        while self.spent <= BUDGET {
            self.sift(reach);
            if !self.keep_if_best() {
                break;
            }
        }
    }

    fn keep_if_best(&mut self) -> bool {
        self.spent += 8 * self.steps; // a sweep looks at every step about so often
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

    /// The positions of a node's neighbours, from left to right.
    fn places(&self, v: usize, look: Look) -> Vec<usize> {
        let mut places: Vec<usize> = self.neighbours(v, look).iter().map(|&w| self.position[w]).collect();
        places.sort_unstable();
        places
    }

    /// Orders one layer by the neighbours of its members; members without neighbours stay in place.
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

    fn set_all(&mut self, layers: Vec<Vec<usize>>) {
        self.layers = vec![Vec::new(); layers.len()];
        for (layer, members) in layers.into_iter().enumerate() {
            self.set(layer, members);
        }
    }

    fn set(&mut self, layer: usize, members: Vec<usize>) {
        for (i, &v) in members.iter().enumerate() {
            self.position[v] = i;
        }
        self.layers[layer] = members;
    }

    /// Moves each member of each layer to where it crosses least, within reach.
    fn sift(&mut self, reach: usize) {
        for layer in 0..self.layers.len() {
            let mut members: Vec<Member> = std::mem::take(&mut self.layers[layer])
                .into_iter()
                .map(|v| Member { v, up: self.places(v, Look::Up), down: self.places(v, Look::Down) })
                .collect();
            for at in 0..members.len() {
                let to = best_place(&members, at, reach);
                self.spent += members.len().min(2 * reach) * members[at].degree();
                let (low, high) = (at.min(to), at.max(to));
                if at < to { members[low..=high].rotate_left(1) } else { members[low..=high].rotate_right(1) }
            }
            self.set(layer, members.into_iter().map(|m| m.v).collect());
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

/// A member of a layer and the positions of its neighbours above and below.
struct Member {
    v: usize,
    up: Vec<usize>,
    down: Vec<usize>,
}

impl Member {
    fn degree(&self) -> usize {
        self.up.len() + self.down.len()
    }

    /// How many more crossings there are with this one left of the other than right of it.
    fn excess(&self, other: &Member) -> i64 {
        let left = inversions(&self.up, &other.up) + inversions(&self.down, &other.down);
        let right = inversions(&other.up, &self.up) + inversions(&other.down, &self.down);
        left as i64 - right as i64
    }
}

/// The nearest position within reach where a member has the fewest crossings.
fn best_place(members: &[Member], at: usize, reach: usize) -> usize {
    let mut best = (0, at);
    let mut change = 0;
    for to in at + 1..members.len().min(at + 1 + reach) {
        change -= members[at].excess(&members[to]);
        if change < best.0 {
            best = (change, to);
        }
    }
    change = 0;
    for to in (at.saturating_sub(reach)..at).rev() {
        change += members[at].excess(&members[to]);
        if change < best.0 {
            best = (change, to);
        }
    }
    best.1
}

fn mean(places: &[usize]) -> f64 {
    places.iter().sum::<usize>() as f64 / places.len() as f64
}

/// The median; between two, nearer to the side on which the positions are closer together.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Link;

    fn crossings(ladder: &Ladder) -> usize {
        Search::new(ladder, ladder.layers.clone()).best.0
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
    }

    #[test]
    fn a_member_moves_to_where_it_crosses_least() {
        let member = |v, up: &[usize]| Member { v, up: up.to_vec(), down: vec![] };
        let members = [member(0, &[9]), member(1, &[1]), member(2, &[5]), member(3, &[9]), member(4, &[3])];
        assert_eq!(best_place(&members, 0, 9), 4);
        assert_eq!(best_place(&members, 0, 3), 2, "no farther than the reach, nor than it helps");
        assert_eq!(best_place(&members, 4, 9), 2);
        assert_eq!(best_place(&members, 1, 9), 0);
    }

    #[test]
    fn a_tree_has_no_crossings() {
        let layer: Vec<usize> = (1..32_usize).map(|v| v.ilog2() as usize).collect();
        // Children are dealt out in an order that crosses a great deal at first.
        let pairs: Vec<_> = (1..31_usize).map(|v| ((v - 1) % (1 << (v + 1).ilog2() >> 1), v)).collect();
        let pairs: Vec<_> = pairs.iter().map(|&(p, v)| (p + (1 << ((v + 1).ilog2() - 1)) - 1, v)).collect();
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
