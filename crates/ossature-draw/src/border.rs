//! The arcs with one end in a growing tree, the shortest to spare first.
//!
//! The tree moves as a whole, so all arcs that leave it lose the same slack and all that enter it gain the same. Each
//! kind is a heap whose keys stay as they are; only the distance moved changes. Growing a tree around a hub with very
//! many arcs then looks at each of them once, and not once for each node that joins.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::simplex::Arc;

/// Arcs by slack, then by number. An arc stays when its other end joins too; it is passed over later.
type Queue = BinaryHeap<Reverse<(i64, usize)>>;

/// A growing tree and the arcs at its border.
pub(crate) struct Border<'a> {
    arcs: &'a [Arc],
    inside: Vec<bool>,
    /// Arcs with the tail inside and arcs with the head inside, with their slacks had the tree not moved.
    leaving: Queue,
    entering: Queue,
    /// How far the tree has moved.
    moved: i64,
    /// How often an arc was looked at.
    looks: usize,
}

impl<'a> Border<'a> {
    /// An empty tree in a graph of `n` nodes.
    pub(crate) fn new(n: usize, arcs: &'a [Arc]) -> Border<'a> {
        let inside = vec![false; n];
        Border { arcs, inside, leaving: Queue::new(), entering: Queue::new(), moved: 0, looks: 0 }
    }

    /// Adds a node, with the arcs at it. Its place, like those of all members, is from now on relative to the tree.
    pub(crate) fn join(&mut self, v: usize, touching: &[usize], place: &mut [i64]) {
        self.inside[v] = true;
        place[v] -= self.moved;
        self.looks += touching.len();
        for &a in touching {
            let Arc { tail, head, length } = self.arcs[a];
            let slack = place[head] - place[tail] - length;
            match (self.inside[tail], self.inside[head]) {
                (true, false) => self.leaving.push(Reverse((slack, a))),
                (false, true) => self.entering.push(Reverse((slack, a))),
                _ => {}
            }
        }
    }

    /// Moves the tree so that the arc with the least slack has none; returns it with its end outside.
    pub(crate) fn tighten(&mut self) -> Option<(usize, usize)> {
        let leaving = first(&mut self.leaving, self.arcs, &self.inside, &mut self.looks);
        let entering = first(&mut self.entering, self.arcs, &self.inside, &mut self.looks);
        let leaving = leaving.map(|(slack, a)| (slack - self.moved, a));
        let entering = entering.map(|(slack, a)| (slack + self.moved, a));
        let (slack, a) = leaving.into_iter().chain(entering).min()?;
        let arc = self.arcs[a];
        if self.inside[arc.tail] {
            self.moved += slack;
            Some((arc.head, a))
        } else {
            self.moved -= slack;
            Some((arc.tail, a))
        }
    }

    /// Gives the members their places again.
    pub(crate) fn settle(self, place: &mut [i64]) {
        debug_assert!(self.looks <= 4 * self.arcs.len() + 2 * place.len(), "the work is linear");
        place.iter_mut().zip(self.inside).filter(|(_, inside)| *inside).for_each(|(p, _)| *p += self.moved);
    }
}

/// The first arc of a queue that still has one end outside.
fn first(queue: &mut Queue, arcs: &[Arc], inside: &[bool], looks: &mut usize) -> Option<(i64, usize)> {
    while let Some(&Reverse((slack, a))) = queue.peek() {
        *looks += 1;
        if inside[arcs[a].tail] != inside[arcs[a].head] {
            return Some((slack, a));
        }
        queue.pop();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Grows a tree from node 0; returns the places and how often an arc was looked at.
    fn grown(n: usize, arcs: &[Arc], mut place: Vec<i64>) -> (Vec<i64>, usize) {
        let touching = |v: usize| -> Vec<usize> {
            let at = |&a: &usize| arcs[a].tail == v || arcs[a].head == v;
            (0..arcs.len()).filter(at).collect()
        };
        let mut border = Border::new(n, arcs);
        let mut next = Some(0);
        while let Some(v) = next {
            border.join(v, &touching(v), &mut place);
            next = border.tighten().map(|(v, _)| v);
        }
        let looks = border.looks;
        border.settle(&mut place);
        (place, looks)
    }

    #[test]
    fn the_tree_moves_until_arcs_are_tight() {
        // 0 -> 1 -> 2 and 3 -> 2: the earliest places leave 3 -> 2 with one to spare.
        let arcs = [(0, 1), (1, 2), (3, 2)].map(|(tail, head)| Arc { tail, head, length: 1 });
        assert_eq!(grown(4, &arcs, vec![0, 1, 2, 0]).0, [-1, 0, 1, 0]);
    }

    #[test]
    fn arcs_of_a_hub_are_looked_at_a_few_times_each() {
        for hub_is_tail in [true, false] {
            let n = 2000;
            let arcs: Vec<Arc> = (1..n)
                .map(|leaf| if hub_is_tail { (0, leaf) } else { (leaf, 0) })
                .map(|(tail, head)| Arc { tail, head, length: 1 })
                .collect();
            let place = (0..n).map(|v| i64::from((v > 0) == hub_is_tail)).collect();
            assert!(grown(n, &arcs, place).1 < 6 * n);
        }
    }
}
