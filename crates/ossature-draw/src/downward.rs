//! Which end of each edge is drawn above the other.
//!
//! A layered drawing needs a graph without cycles in which every edge has a direction. Arcs point
//! down if possible; in a directed cycle at least one arc must point up; undirected edges follow
//! the order in which the nodes are placed. This only determines positions: arrowheads follow the
//! graph itself.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use ossature::{Pdag, Var};

/// The position of each node in an order that respects the arcs, except some of each directed
/// cycle.
///
/// Among the nodes whose parents are all placed, the one with most edges to placed nodes comes next,
/// which keeps chains of undirected edges flowing one way; ties go to a node with children, then to
/// the best connected. If there is none, the one that leaves the fewest arcs pointing up breaks a
/// cycle.
///
/// Cost: O(edges · log nodes).
pub(crate) fn ranks(graph: &Pdag) -> Vec<usize> {
    let mut nodes: Vec<Waiting> = graph.vars().map(|v| Waiting::new(graph, v)).collect();
    let mut queue: BTreeSet<_> = graph.vars().map(|v| nodes[v.index()].key(v)).collect();
    let mut ranks = vec![usize::MAX; graph.nodes()];
    let mut placed = 0;
    while let Some((.., v)) = queue.pop_first() {
        ranks[v.index()] = placed;
        placed += 1;
        let mut update = |w: Var, change: fn(&mut Waiting)| {
            if ranks[w.index()] == usize::MAX {
                queue.remove(&nodes[w.index()].key(w));
                change(&mut nodes[w.index()]);
                queue.insert(nodes[w.index()].key(w));
            }
        };
        graph.children(v).iter().for_each(|w| {
            update(w, |node| {
                node.parents -= 1;
                node.near += 1;
            });
        });
        graph.parents(v).iter().for_each(|w| update(w, |node| node.children -= 1));
        graph.neighbours(v).iter().for_each(|w| update(w, |node| node.near += 1));
    }
    ranks
}

/// A node that is not placed yet.
struct Waiting {
    /// The number of its parents and children that are not placed either.
    parents: i64,
    children: i64,
    /// The number of its parents and undirected neighbours that are placed.
    near: usize,
    degree: usize,
}

impl Waiting {
    fn new(graph: &Pdag, v: Var) -> Waiting {
        let (parents, children) = (graph.parents(v).len(), graph.children(v).len());
        let degree = parents + children + graph.neighbours(v).len();
        Waiting { parents: parents as i64, children: children as i64, near: 0, degree }
    }

    /// The smallest key is placed next.
    fn key(&self, v: Var) -> (i64, Reverse<(usize, bool, usize)>, Var) {
        let urgency = if self.parents == 0 { i64::MIN } else { self.parents - self.children };
        (urgency, Reverse((self.near, self.children > 0, self.degree)), v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ossature::graph::Mark;

    fn graph(n: u32, directed: &[(u32, u32)], undirected: &[(u32, u32)]) -> Pdag {
        let mut graph = Pdag::empty(n as usize);
        directed.iter().for_each(|&(x, y)| graph.set(Var(x), Var(y), Mark::Forward));
        undirected.iter().for_each(|&(x, y)| graph.set(Var(x), Var(y), Mark::Undirected));
        graph
    }

    fn pointing_up(graph: &Pdag) -> usize {
        let ranks = ranks(graph);
        graph.directed().filter(|(x, y)| ranks[x.index()] > ranks[y.index()]).count()
    }

    #[test]
    fn arcs_of_an_acyclic_graph_point_down() {
        let g = graph(6, &[(5, 0), (0, 3), (4, 3), (3, 1), (5, 1)], &[(0, 2), (2, 4)]);
        assert_eq!(pointing_up(&g), 0);
    }

    #[test]
    fn a_cycle_costs_one_arc() {
        assert_eq!(pointing_up(&graph(4, &[(0, 1), (1, 2), (2, 3), (3, 0)], &[])), 1);
        assert_eq!(pointing_up(&graph(5, &[(4, 0), (0, 1), (1, 2), (2, 0), (2, 3)], &[])), 1);
    }

    #[test]
    fn undirected_chains_flow_one_way() {
        let ranks = ranks(&graph(4, &[(3, 0)], &[(0, 2), (2, 1)]));
        assert!(ranks[3] < ranks[0] && ranks[0] < ranks[2] && ranks[2] < ranks[1], "{ranks:?}");
    }
}
