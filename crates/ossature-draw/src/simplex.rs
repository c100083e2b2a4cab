//! Integer positions for nodes, given the smallest distance between the ends of each arc.
//!
//! Network simplex on a spanning tree, as in E. R. Gansner, E. Koutsofios, S. C. North, K.-P. Vo: A
//! technique for drawing directed graphs, IEEE Transactions on Software Engineering 19 (1993),
//! doi:10.1109/32.221135, section 2. One difference: the cut value of a tree arc is the sum over
//! the nodes below it of (arcs out - arcs in), so it needs no separate bookkeeping.
//!
//! A pivot costs O(nodes + arcs). Positions are always feasible, so the search can stop early.

use crate::border::Border;

/// The head must be placed at least `length` after the tail.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arc {
    pub(crate) tail: usize,
    pub(crate) head: usize,
    pub(crate) length: i64,
}

/// The budget for one graph, counted in nodes and arcs visited.
const BUDGET: usize = 30_000_000;

/// Positions for `n` nodes, the smallest 0, that minimise the sum of the arcs' lengths, or nearly
/// if the graph is very large. The arcs must be acyclic and connect all nodes, of which there is at
/// least one.
pub(crate) fn places(n: usize, arcs: &[Arc]) -> Vec<i64> {
    let mut tree = Tree::tight(n, arcs);
    for _ in 0..BUDGET / (n + arcs.len() + 1) {
        if !tree.pivot(arcs) {
            break;
        }
    }
    let first = tree.place.iter().copied().min().unwrap_or_default();
    tree.place.iter().map(|p| p - first).collect()
}

/// A spanning tree of arcs that are exactly as long as they must be, and the resulting positions.
struct Tree {
    place: Vec<i64>,
    /// The tree arcs at each node.
    near: Vec<Vec<usize>>,
    /// Arcs out of each node minus arcs into it.
    surplus: Vec<i64>,
}

impl Tree {
    /// Grows a tight tree from the earliest feasible positions, shifting it whenever it is stuck.
    fn tight(n: usize, arcs: &[Arc]) -> Tree {
        let mut touching = vec![Vec::new(); n];
        let mut surplus = vec![0; n];
        for (a, arc) in arcs.iter().enumerate() {
            touching[arc.tail].push(a);
            touching[arc.head].push(a);
            surplus[arc.tail] += 1;
            surplus[arc.head] -= 1;
        }
        let mut tree = Tree { place: earliest(n, arcs, &touching), near: vec![Vec::new(); n], surplus };
        let mut border = Border::new(n, arcs);
        let mut next = Some((0, None));
        while let Some((v, by)) = next {
            if let Some(a) = by {
                tree.add(arcs, a);
            }
            border.join(v, &touching[v], &mut tree.place);
            next = border.tighten().map(|(v, a)| (v, Some(a)));
        }
        border.settle(&mut tree.place);
        tree
    }

    /// How much longer the arc is than it must be.
    fn slack(&self, arc: Arc) -> i64 {
        self.place[arc.head] - self.place[arc.tail] - arc.length
    }

    fn add(&mut self, arcs: &[Arc], a: usize) {
        self.near[arcs[a].tail].push(a);
        self.near[arcs[a].head].push(a);
    }

    fn remove(&mut self, arcs: &[Arc], a: usize) {
        for v in [arcs[a].tail, arcs[a].head] {
            self.near[v].retain(|&b| b != a);
        }
    }

    /// Exchanges the tree arc that gains most by being longer; returns whether there was one.
    fn pivot(&mut self, arcs: &[Arc]) -> bool {
        let (order, above) = self.walk(arcs);
        let mut below = self.surplus.clone();
        let mut worst = (0, 0);
        for &v in order.iter().skip(1).rev() {
            let arc = arcs[above[v]];
            let (cut, parent) = if arc.tail == v { (below[v], arc.head) } else { (-below[v], arc.tail) };
            worst = worst.min((cut, v));
            below[parent] += below[v];
        }
        let (cut, top) = worst;
        if cut == 0 {
            return false;
        }
        let leaving = above[top];
        let mut under = vec![false; self.place.len()];
        under[top] = true;
        for &v in order.iter().skip(1) {
            let arc = arcs[above[v]];
            under[v] |= under[if arc.tail == v { arc.head } else { arc.tail }];
        }
        // The head's side moves away from the tail's side, until an arc that leads back is tight.
        let head_side = under[arcs[leaving].head];
        let back = |arc: &Arc| under[arc.tail] == head_side && under[arc.head] != head_side;
        let entering = (0..arcs.len()).filter(|&a| back(&arcs[a])).min_by_key(|&a| (self.slack(arcs[a]), a));
        let entering = entering.expect("a negative cut has an arc that leads back");
        let slack = self.slack(arcs[entering]);
        let shift = if head_side { slack } else { -slack };
        for (v, place) in self.place.iter_mut().enumerate() {
            if under[v] {
                *place += shift;
            }
        }
        self.remove(arcs, leaving);
        self.add(arcs, entering);
        true
    }

    /// The nodes, each after the one above it in the tree, and the tree arc that leads up from each.
    fn walk(&self, arcs: &[Arc]) -> (Vec<usize>, Vec<usize>) {
        let mut order = Vec::with_capacity(self.place.len());
        let mut above = vec![usize::MAX; self.place.len()];
        let mut open = vec![0];
        while let Some(v) = open.pop() {
            order.push(v);
            let up = above[v];
            for &a in self.near[v].iter().filter(|&&a| a != up) {
                let w = if arcs[a].tail == v { arcs[a].head } else { arcs[a].tail };
                above[w] = a;
                open.push(w);
            }
        }
        (order, above)
    }
}

/// The earliest position for each node.
fn earliest(n: usize, arcs: &[Arc], touching: &[Vec<usize>]) -> Vec<i64> {
    let mut place = vec![0; n];
    let mut waiting = vec![0; n];
    arcs.iter().for_each(|arc| waiting[arc.head] += 1);
    let mut ready: Vec<usize> = (0..n).filter(|&v| waiting[v] == 0).collect();
    while let Some(v) = ready.pop() {
        for arc in touching[v].iter().map(|&a| arcs[a]).filter(|arc| arc.tail == v) {
            place[arc.head] = place[arc.head].max(place[v] + arc.length);
            waiting[arc.head] -= 1;
            if waiting[arc.head] == 0 {
                ready.push(arc.head);
            }
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unit(pairs: &[(usize, usize)]) -> Vec<Arc> {
        pairs.iter().map(|&(tail, head)| Arc { tail, head, length: 1 }).collect()
    }

    fn total(arcs: &[Arc], place: &[i64]) -> i64 {
        arcs.iter().map(|a| place[a.head] - place[a.tail]).sum()
    }

    #[test]
    fn one_node() {
        assert_eq!(places(1, &[]), [0]);
    }

    #[test]
    fn a_late_source_stands_next_to_its_child() {
        // 0 -> 1 -> 2 -> 3 and 4 -> 3: the earliest place of 4 is 0, the best one 2.
        assert_eq!(places(5, &unit(&[(0, 1), (1, 2), (2, 3), (4, 3)])), [0, 1, 2, 3, 2]);
    }

    #[test]
    fn the_published_example_is_solved() {
        // Figure 2-3 of the paper: a..h = 0..7; the best total is 10.
        let arcs = unit(&[(0, 1), (1, 2), (2, 3), (3, 7), (0, 4), (4, 6), (0, 5), (5, 6), (6, 7)]);
        assert_eq!(total(&arcs, &places(8, &arcs)), 10);
    }

    /// The least total by trying all places up to n.
    fn least(n: usize, arcs: &[Arc]) -> i64 {
        let mut best = i64::MAX;
        let mut place = vec![0; n];
        loop {
            if arcs.iter().all(|a| place[a.head] - place[a.tail] >= a.length) {
                best = best.min(total(arcs, &place));
            }
            let Some(v) = place.iter().position(|&p| p + 1 < n as i64) else { return best };
            place[v] += 1;
            place[..v].fill(0);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn small_graphs_are_solved_exactly(
            extra in prop::collection::vec((0..5_usize, 0..5_usize), 0..7),
            stem in prop::collection::vec(0..5_usize, 4),
        ) {
            // A random tree makes it connected; every arc leads from a smaller to a larger number.
            let mut pairs: Vec<_> = stem.iter().enumerate().map(|(i, &p)| (p % (i + 1), i + 1)).collect();
            pairs.extend(extra.iter().filter(|(x, y)| x < y));
            let arcs = unit(&pairs);
            let place = places(5, &arcs);
            prop_assert!(arcs.iter().all(|a| place[a.head] - place[a.tail] >= 1));
            prop_assert_eq!(total(&arcs, &place), least(5, &arcs));
        }
    }
}
