//! The equivalence class of a DAG.
//!
//! An arc is compelled if every DAG of the class has it in the same direction, and reversible
//! otherwise. Compelled arcs are found one node at a time, parents before children, by the
//! labelling of Chickering (1995), "A transformational characterization of equivalent Bayesian
//! network structures", UAI-11, <https://arxiv.org/abs/1302.4938>, algorithms 4 and 5.
//!
//! That listing labels edges, but each of its rounds labels all edges into one node, so it can be
//! stated for nodes. Let x be the last parent of y in a topological order. The arc x -> y is
//! reversible only if y has the same parents as x apart from x itself, up to arcs that are
//! reversible too:
//!
//! - if y has another parent that x lacks, or x has a compelled parent that y lacks, all arcs into
//!   y are compelled;
//! - otherwise y inherits: exactly the compelled parents of x are the compelled parents of y.

use crate::data::{Var, VarSet};
use crate::graph::{Cpdag, Dag, Pdag};

impl Dag {
    /// The equivalence class: arcs that all equivalent DAGs share are directed, the others are not.
    ///
    /// The time is linear in nodes and arcs, up to logarithms.
    ///
    /// ```
    /// use ossature::{Dag, Var};
    ///
    /// let (a, b, c, d) = (Var(0), Var(1), Var(2), Var(3));
    /// let g = Dag::from_arcs(4, [(a, c), (b, c), (d, a)])?; // d -> a -> c <- b
    /// let class = g.cpdag();
    /// assert_eq!(class.directed().collect::<Vec<_>>(), [(a, c), (b, c)]);
    /// assert_eq!(class.undirected().collect::<Vec<_>>(), [(a, d)]);
    /// # Ok::<(), ossature::WouldCycle>(())
    /// ```
    pub fn cpdag(&self) -> Cpdag {
        let compelled = self.compelled_parents();
        let reversible = self.vars().map(|v| match &compelled[v.index()] {
            all if all.len() == self.parents(v).len() => VarSet::new(),
            some => self.parents(v).minus(some),
        });
        let reversible = reversible.collect();
        Cpdag(Pdag::of_parents(compelled, reversible))
    }

    /// For each node the parents from which its arcs are compelled.
    fn compelled_parents(&self) -> Vec<VarSet> {
        let order = self.topological_order();
        let mut place = vec![0; self.nodes()];
        for (i, v) in order.iter().enumerate() {
            place[v.index()] = i;
        }
        let mut compelled = vec![VarSet::new(); self.nodes()];
        for y in order {
            let parents = self.parents(y);
            let Some(x) = parents.iter().max_by_key(|p| place[p.index()]) else { continue };
            let all_shared = parents.iter().all(|z| z == x || self.parents(x).contains(z));
            let all_inherited = compelled[x.index()].iter().all(|w: Var| parents.contains(w));
            compelled[y.index()] =
                if all_shared && all_inherited { compelled[x.index()].clone() } else { parents.clone() };
        }
        compelled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Pairs = Vec<(u32, u32)>;

    /// The directed and the undirected edges of the class.
    fn class(n: usize, arcs: &[(u32, u32)]) -> (Pairs, Pairs) {
        let dag = Dag::from_arcs(n, arcs.iter().map(|&(x, y)| (Var(x), Var(y)))).unwrap();
        let numbers = |(x, y): (Var, Var)| (x.0, y.0);
        let class = dag.cpdag();
        (class.directed().map(numbers).collect(), class.undirected().map(numbers).collect())
    }

    #[test]
    fn a_chain_and_a_complete_graph_are_reversible() {
        assert_eq!(class(3, &[(2, 1), (1, 0)]), (vec![], vec![(0, 1), (1, 2)]));
        assert_eq!(class(3, &[(0, 1), (0, 2), (1, 2)]), (vec![], vec![(0, 1), (0, 2), (1, 2)]));
    }

    #[test]
    fn a_collider_compels_what_follows_it() {
        // 0 -> 2 <- 1, 2 -> 3: turning 2 - 3 round would make a new collider.
        assert_eq!(class(4, &[(0, 2), (1, 2), (2, 3)]), (vec![(0, 2), (1, 2), (2, 3)], vec![]));
    }

    #[test]
    fn a_shielded_parent_inherits() {
        // 0 -> 2 <- 1 is a collider; 3 hears from both 2 and 0: 0 -> 3 follows as no cycle may be.
        let arcs = [(0, 2), (0, 3), (1, 2), (2, 3)];
        assert_eq!(class(4, &arcs), (arcs.to_vec(), vec![]));
    }

    #[test]
    fn meeks_third_rule() {
        // 1 -> 3 <- 2, with 0 joined to all three: 0 -> 3 is compelled, 0 - 1 and 0 - 2 are not.
        let (directed, undirected) = class(4, &[(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)]);
        assert_eq!(directed, [(0, 3), (1, 3), (2, 3)]);
        assert_eq!(undirected, [(0, 1), (0, 2)]);
    }
}
