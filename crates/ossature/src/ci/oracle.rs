//! A test that answers from a graph instead of data.

use std::collections::VecDeque;

use super::CiTest;
use super::alpha::{Alpha, Verdict};
use super::outcome::Outcome;
use crate::data::Var;
use crate::graph::Dag;

/// The statistic of two adjacent variables; each further step between two variables subtracts 1. It is far
/// larger than the number of nodes of any graph, so connected variables are dependent at any significance
/// level.
const ADJACENT: f64 = 1e9;

/// A test that knows the graph: X and Y are independent given Z if and only if the graph d-separates them. It
/// shows what a learner finds if no test is ever wrong.
///
/// A dependence is weaker the more steps lie between the two variables, regardless of Z. Its p is so small
/// that it is significant at any level.
///
/// ```
/// use ossature::ci::{Independence, Oracle};
/// use ossature::{Dag, Var};
///
/// let (rain, sprinkler, wet) = (Var(0), Var(1), Var(2));
/// let graph = Dag::from_arcs(3, [(rain, wet), (sprinkler, wet)])?;
/// let oracle = Oracle::new(&graph);
/// let ind = Independence::new(&oracle, 0.05);
/// assert!(ind.separated(rain, sprinkler, &[]));
/// assert!(ind.connected(rain, sprinkler, &[wet]));
/// # Ok::<(), ossature::WouldCycle>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Oracle<'a> {
    graph: &'a Dag,
}

impl<'a> Oracle<'a> {
    /// A test that answers from this graph.
    pub fn new(graph: &'a Dag) -> Oracle<'a> {
        Oracle { graph }
    }

    /// The outcome of two connected variables that are `steps` apart.
    fn strength(steps: u32) -> Outcome {
        let statistic = ADJACENT - f64::from(steps);
        Outcome::with_ln_p(statistic, 1.0, -statistic)
    }

    /// The number of steps from a variable to the others, ignoring the direction of arcs: to all reachable
    /// variables, or only to those no farther than `looked_for`.
    fn steps_from(&self, t: Var, looked_for: Option<Var>) -> Vec<u32> {
        let mut steps = vec![u32::MAX; self.graph.nodes()];
        steps[t.index()] = 0;
        let mut open = VecDeque::from([t]);
        while let Some(v) = open.pop_front() {
            for next in self.graph.parents(v).iter().chain(self.graph.children(v).iter()) {
                if steps[next.index()] == u32::MAX {
                    steps[next.index()] = steps[v.index()] + 1;
                    open.push_back(next);
                }
            }
            if looked_for.is_some_and(|x| steps[x.index()] != u32::MAX) {
                break;
            }
        }
        steps
    }
}

impl CiTest for Oracle<'_> {
    fn test(&self, x: Var, y: Var, z: &[Var]) -> Outcome {
        match self.graph.d_separated(x, y, z) {
            true => Outcome::nothing_to_test(),
            false => Oracle::strength(self.steps_from(y, Some(x))[x.index()]),
        }
    }

    fn sweep(&self, t: Var, xs: &[Var], z: &[Var], out: &mut Vec<Outcome>) {
        let connected = self.graph.d_connected_set(t, z);
        let steps = self.steps_from(t, None);
        out.extend(xs.iter().map(|&x| match connected.contains(x) {
            true => Oracle::strength(steps[x.index()]),
            false => Outcome::nothing_to_test(),
        }));
    }

    fn decide(&self, x: Var, y: Var, z: &[Var], _: &Alpha) -> Verdict {
        if self.graph.d_separated(x, y, z) { Verdict::Independent } else { Verdict::Dependent }
    }

    fn computed(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearer_the_stronger_and_either_way_round() {
        let chain = Dag::from_arcs(4, [(Var(0), Var(1)), (Var(1), Var(2)), (Var(3), Var(2))]).unwrap();
        let oracle = Oracle::new(&chain);
        let (one, two) = (oracle.test(Var(0), Var(1), &[]), oracle.test(Var(0), Var(2), &[]));
        assert!(one.stronger(&two) && two.stronger(&oracle.test(Var(0), Var(3), &[])));
        for (x, y, z) in
            [(0, 2, vec![]), (0, 2, vec![1]), (0, 3, vec![]), (0, 3, vec![2]), (0, 3, vec![1, 2])]
        {
            let z: Vec<Var> = z.into_iter().map(Var).collect();
            let outcome = oracle.test(Var(x), Var(y), &z);
            assert_eq!(outcome, oracle.test(Var(y), Var(x), &z));
            assert_eq!(outcome.df == 0.0, chain.d_separated(Var(x), Var(y), &z));
            assert_eq!(outcome.p(), f64::from(outcome.df == 0.0));
        }
    }
}
