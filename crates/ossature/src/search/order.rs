//! Whether an arc would close a cycle, decided with a maintained order of the nodes.
//!
//! Every arc runs forward in the order. A new arc that runs forward closes no cycle; for one that
//! runs backward only the nodes between its ends matter. When such an arc is added, only these
//! nodes change places (Pearce & Kelly 2006, doi:10.1145/1187436.1210590).

use crate::data::Var;
use crate::graph::Dag;

/// A topological order of a graph that changes arc by arc.
#[derive(Debug, Clone)]
pub(super) struct Order {
    /// The position of each node.
    place: Vec<u32>,
    /// The round in which each node was last visited.
    visited: Vec<u32>,
    round: u32,
    open: Vec<Var>,
}

impl Order {
    pub(super) fn new(dag: &Dag) -> Order {
        let mut place = vec![0; dag.nodes()];
        dag.topological_order().iter().enumerate().for_each(|(i, v)| place[v.index()] = i as u32);
        Order { place, visited: vec![0; dag.nodes()], round: 0, open: Vec::new() }
    }

    /// Whether a directed path leads from one node to another, not counting the arc between them.
    pub(super) fn detour(&mut self, dag: &Dag, from: Var, to: Var) -> bool {
        let last = self.place[to.index()];
        if self.place[from.index()] > last {
            return false;
        }
        self.next_round();
        self.open.push(from);
        while let Some(v) = self.open.pop() {
            for child in dag.children(v).iter() {
                if child == to {
                    if v == from {
                        continue;
                    }
                    self.open.clear();
                    return true;
                }
                if self.place[child.index()] < last && self.visit(child) {
                    self.open.push(child);
                }
            }
        }
        false
    }

    /// Marks what leads to the start of an arc of the graph and what its end leads to, including both, until
    /// the next query. No node is both, or the arc would be on a cycle.
    pub(super) fn mark_around(&mut self, dag: &Dag, from: Var, to: Var) {
        if self.round >= u32::MAX - 1 {
            self.visited.fill(0);
            self.round = 0;
        }
        self.mark(from, |v| dag.parents(v).as_slice());
        self.mark(to, |v| dag.children(v).as_slice());
    }

    /// Whether a node was marked as leading to the arc.
    pub(super) fn is_before(&self, v: Var) -> bool {
        self.visited[v.index()] == self.round - 1
    }

    /// Whether a node was marked as one that the arc leads to.
    pub(super) fn is_after(&self, v: Var) -> bool {
        self.visited[v.index()] == self.round
    }

    fn mark<'a>(&mut self, from: Var, next: impl Fn(Var) -> &'a [Var]) {
        self.next_round();
        self.visit(from);
        self.open.push(from);
        while let Some(v) = self.open.pop() {
            for &w in next(v) {
                if self.visit(w) {
                    self.open.push(w);
                }
            }
        }
    }

    /// Restores the order after the arc was added to the graph.
    pub(super) fn added(&mut self, dag: &Dag, from: Var, to: Var) {
        let (first, last) = (self.place[to.index()], self.place[from.index()]);
        if last < first {
            return;
        }
        // What leads to the start of the arc goes before what its end leads to.
        let mut moved = self.reached(from, |v| dag.parents(v).as_slice(), |place| place > first);
        moved.extend(self.reached(to, |v| dag.children(v).as_slice(), |place| place < last));
        let mut places: Vec<u32> = moved.iter().map(|v| self.place[v.index()]).collect();
        places.sort_unstable();
        moved.iter().zip(places).for_each(|(v, place)| self.place[v.index()] = place);
    }

    /// The nodes reachable from one through nodes in a range of positions, in order.
    fn reached<'a>(
        &mut self,
        from: Var,
        next: impl Fn(Var) -> &'a [Var],
        inside: impl Fn(u32) -> bool,
    ) -> Vec<Var> {
        self.next_round();
        let mut found = vec![from];
        let mut at = 0;
        while let Some(&v) = found.get(at) {
            at += 1;
            for &w in next(v) {
                if inside(self.place[w.index()]) && self.visit(w) {
                    found.push(w);
                }
            }
        }
        found.sort_unstable_by_key(|v| self.place[v.index()]);
        found
    }

    fn next_round(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.visited.fill(0);
            self.round = 1;
        }
    }

    /// Returns whether this is the first visit of the round.
    fn visit(&mut self, v: Var) -> bool {
        std::mem::replace(&mut self.visited[v.index()], self.round) != self.round
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn answers_like_a_search_of_the_whole_graph(
            changes in prop::collection::vec((0u32..12, 0u32..12, 0u8..3), 0..150),
        ) {
            let mut dag = Dag::empty(12);
            let mut order = Order::new(&dag);
            for (from, to, kind) in changes {
                let (from, to) = (Var(from), Var(to));
                if from == to {
                    continue;
                }
                if dag.has_arc(from, to) && kind > 0 {
                    order.mark_around(&dag, from, to);
                    for v in dag.vars() {
                        prop_assert_eq!(order.is_before(v), v == from || dag.reaches(v, from));
                        prop_assert_eq!(order.is_after(v), v == to || dag.reaches(to, v));
                    }
                    dag.remove(from, to);
                    prop_assert_eq!(order.detour(&dag, from, to), dag.reaches(from, to));
                } else if !dag.has_arc(from, to) {
                    let closes = dag.reaches(to, from);
                    prop_assert_eq!(order.detour(&dag, to, from) || dag.has_arc(to, from), closes);
                    if dag.try_add(from, to).is_ok() {
                        order.added(&dag, from, to);
                    }
                }
                prop_assert!(dag.arcs().all(|(x, y)| order.place[x.index()] < order.place[y.index()]));
            }
        }
    }
}
