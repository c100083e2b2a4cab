//! From a partially directed graph to a DAG.
//!
//! Dor & Tarsi (1992), "A simple algorithm to construct a consistent extension of a partially
//! oriented graph", UCLA R-185. A node can be the last of the extension, a sink, if no arc leaves
//! it and each of its undirected neighbours is adjacent to all its other adjacent nodes; its
//! undirected edges are then directed towards it and it is removed. Removing a node can only make
//! more nodes eligible, so the order does not matter for success, and only the nodes adjacent to
//! the removed one need to be checked again.

use std::collections::BTreeSet;

use crate::data::{Var, VarSet};
use crate::graph::{Dag, Mark, Pdag};

impl Pdag {
    /// A DAG with the same edges, the same existing directions, and no new collider of two
    /// non-adjacent nodes; `None` if there is no such DAG.
    ///
    /// Of several extensions the choice is always the same: edges run from the smaller to the
    /// larger node if possible.
    ///
    /// ```
    /// use ossature::{Pdag, Var};
    /// use ossature::graph::Mark;
    ///
    /// let mut g = Pdag::empty(3);
    /// g.set(Var(2), Var(1), Mark::Forward);
    /// g.set(Var(1), Var(0), Mark::Undirected);
    /// let dag = g.extension().unwrap();
    /// assert!(dag.has_arc(Var(2), Var(1)) && dag.has_arc(Var(1), Var(0)));
    /// ```
    pub fn extension(&self) -> Option<Dag> {
        let n = self.nodes();
        let mut left = NodesLeft { graph: self, is_left: vec![true; n] };
        // How many children of each node are left.
        let mut children: Vec<usize> = self.vars().map(|v| self.children(v).len()).collect();
        let mut parents = vec![VarSet::new(); n];
        // The nodes to check, of which the largest is below `end`.
        let (mut to_check, mut end, mut taken) = (vec![true; n], n, 0);
        while let Some(x) = to_check[..end].iter().rposition(|&check| check) {
            (to_check[x], end) = (false, x);
            if children[x] > 0 || !left.is_simplicial(Var::new(x)) {
                continue;
            }
            taken += 1;
            left.is_left[x] = false;
            let x = Var::new(x);
            parents[x.index()] = left.of(self.parents(x)).collect();
            parents[x.index()].iter().for_each(|y| children[y.index()] -= 1);
            if left.of(self.neighbours(x)).next().is_some() {
                let neighbours = left.of(self.neighbours(x)).collect();
                parents[x.index()] = parents[x.index()].union(&neighbours);
            }
            for y in parents[x.index()].iter() {
                to_check[y.index()] = true;
                end = end.max(y.index() + 1);
            }
        }
        (taken == n).then(|| Dag::of_parents(parents))
    }

    /// A DAG with the same edges and the same directions, and the number of its new colliders of two
    /// non-adjacent nodes: 0 if there is an [extension](Pdag::extension). `None` only if the arcs form a cycle.
    ///
    /// If no node can be a sink without a new collider, the one that makes the fewest is taken.
    ///
    /// ```
    /// use ossature::{Pdag, Var};
    /// use ossature::graph::Mark;
    ///
    /// let mut square = Pdag::empty(4);
    /// for (x, y) in [(0, 1), (1, 2), (2, 3), (0, 3)] {
    ///     square.set(Var(x), Var(y), Mark::Undirected);
    /// }
    /// assert_eq!(square.nearest_extension().unwrap().1, 1);
    /// ```
    pub fn nearest_extension(&self) -> Option<(Dag, usize)> {
        if let Some(dag) = self.extension() {
            return Some((dag, 0));
        }
        let (mut left, mut arcs, mut new) = (self.clone(), Vec::new(), 0);
        let mut nodes: BTreeSet<Var> = self.vars().collect();
        while !nodes.is_empty() {
            let sinks = nodes.iter().rev().filter(|&&x| left.children(x).is_empty());
            let (made, x) = sinks.map(|&x| (left.new_colliders(x), x)).min_by_key(|(made, _)| *made)?;
            new += made;
            nodes.remove(&x);
            for y in left.adjacents(x).iter() {
                arcs.push((y, x));
                left.set(x, y, Mark::Absent);
            }
        }
        Some((
            Dag::from_arcs(self.nodes(), arcs).expect("each arc ends at a node taken before its start"),
            new,
        ))
    }

    /// The number of new colliders if all edges of a node pointed to it.
    fn new_colliders(&self, x: Var) -> usize {
        let all = self.adjacents(x);
        let apart = |y: Var, w: Var| y != w && self.mark(y, w) == Mark::Absent;
        let undirected = |y: Var| self.neighbours(x).contains(y);
        let pairs = all.iter().flat_map(|y| all.iter().filter(move |&w| y < w).map(move |w| (y, w)));
        pairs.filter(|&(y, w)| (undirected(y) || undirected(w)) && apart(y, w)).count()
    }
}

/// A graph from which nodes were taken.
struct NodesLeft<'a> {
    graph: &'a Pdag,
    is_left: Vec<bool>,
}

impl NodesLeft<'_> {
    /// Those of a set that are left.
    fn of(&self, set: &VarSet) -> impl Iterator<Item = Var> {
        set.as_slice().iter().copied().filter(|v| self.is_left[v.index()])
    }

    /// Whether all edges of a node without children can point to it without a new collider.
    fn is_simplicial(&self, x: Var) -> bool {
        let (parents, neighbours) = (self.graph.parents(x), self.graph.neighbours(x));
        let adjacent = |y: Var, w: Var| y == w || self.graph.mark(y, w) != Mark::Absent;
        self.of(neighbours)
            .all(|y| self.of(parents).all(|w| adjacent(y, w)) && self.of(neighbours).all(|w| adjacent(y, w)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pdag(n: usize, directed: &[(u32, u32)], undirected: &[(u32, u32)]) -> Pdag {
        let vars = |pairs: &[(u32, u32)]| pairs.iter().map(|&(x, y)| (Var(x), Var(y))).collect::<Vec<_>>();
        Pdag::from_parts(n, vars(directed), vars(undirected))
    }

    #[test]
    fn a_chain_runs_in_the_order_of_its_nodes() {
        let dag = pdag(3, &[], &[(0, 1), (1, 2)]).extension().unwrap();
        assert_eq!(dag.arcs().collect::<Vec<_>>(), [(Var(0), Var(1)), (Var(1), Var(2))]);
    }

    #[test]
    fn a_square_without_a_diagonal_has_none() {
        assert_eq!(pdag(4, &[], &[(0, 1), (1, 2), (2, 3), (0, 3)]).extension(), None);
    }

    #[test]
    fn a_cycle_has_none_and_none_is_made() {
        assert_eq!(pdag(3, &[(0, 1), (1, 2), (2, 0)], &[]).extension(), None);
        let dag = pdag(3, &[(2, 1), (1, 0)], &[(0, 2)]).extension().unwrap();
        assert!(dag.has_arc(Var(2), Var(0)));
    }

    #[test]
    fn either_direction_would_be_a_new_collider() {
        assert_eq!(pdag(4, &[(0, 1), (3, 2)], &[(1, 2)]).extension(), None);
    }

    #[test]
    fn the_nearest_keeps_directions_and_makes_few_colliders() {
        let contradiction = pdag(4, &[(0, 1), (3, 2)], &[(1, 2)]);
        let (dag, new) = contradiction.nearest_extension().unwrap();
        assert_eq!(new, 1);
        assert!(dag.has_arc(Var(0), Var(1)) && dag.has_arc(Var(3), Var(2)) && dag.adjacent(Var(1), Var(2)));
        assert_eq!(pdag(3, &[(0, 1), (1, 2), (2, 0)], &[]).nearest_extension(), None);
        let chain = pdag(3, &[], &[(0, 1), (1, 2)]);
        assert_eq!(chain.nearest_extension(), chain.extension().map(|dag| (dag, 0)));
    }

    /// Takes one node after another out of a copy, the largest that can be a sink.
    fn by_copy(g: &Pdag) -> Option<Dag> {
        let (mut left, mut nodes, mut arcs) = (g.clone(), g.vars().collect::<BTreeSet<Var>>(), Vec::new());
        while !nodes.is_empty() {
            let is_sink = |x: &&Var| left.children(**x).is_empty() && left.new_colliders(**x) == 0;
            let x = *nodes.iter().rev().find(is_sink)?;
            nodes.remove(&x);
            for y in left.adjacents(x).iter() {
                arcs.push((y, x));
                left.set(x, y, Mark::Absent);
            }
        }
        Some(Dag::from_arcs(g.nodes(), arcs).unwrap())
    }

    #[test]
    fn extensions_and_classes_are_the_obvious_ones() {
        let (mut seed, mut extended) = (1u64, 0);
        let mut next = |bound: u64| {
            seed = crate::random::scramble(seed);
            seed % bound
        };
        for _ in 0..3000 {
            let n = 1 + next(9) as usize;
            let (dense, directed) = (1 + next(3), next(4));
            let mut g = Pdag::empty(n);
            for y in 1..n {
                for x in 0..y {
                    if next(4) < dense {
                        let mark = match (next(4) < directed, next(8)) {
                            (false, _) => Mark::Undirected,
                            (true, 0) => Mark::Backward,
                            (true, _) => Mark::Forward,
                        };
                        g.set(Var::new(x), Var::new(y), mark);
                    }
                }
            }
            let dag = g.extension();
            assert_eq!(dag, by_copy(&g), "{g:?}");
            if let Some(dag) = dag {
                extended += 1;
                let class = dag.cpdag();
                let parts = Pdag::from_parts(n, class.directed(), class.undirected());
                assert_eq!(*class.as_pdag(), parts);
                assert_eq!(parts.skeleton(), dag.skeleton());
                assert_eq!(class.extension().map(|other| other.cpdag()), Some(class));
            }
        }
        assert!((500..2500).contains(&extended), "{extended} have one");
    }

    #[test]
    fn a_collider_that_is_there_stays() {
        let dag = pdag(3, &[(0, 1), (2, 1)], &[]).extension().unwrap();
        assert_eq!(dag.arcs().collect::<Vec<_>>(), [(Var(0), Var(1)), (Var(2), Var(1))]);
    }
}
