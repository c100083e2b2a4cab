//! The independences of a DAG.
//!
//! A ball is passed from node to node, by the rules of Shachter (1998), "Bayes-ball: the rational
//! pastime", UAI-14, <https://arxiv.org/abs/1301.7412>. A node outside Z passes a ball from a child
//! on to all its parents and children, and a ball from a parent on to its children. A node in Z
//! stops a ball from a child and bounces a ball from a parent back to all its parents. The ball
//! reaches exactly the nodes that are not separated from its start.

use crate::data::{Var, VarSet};
use crate::graph::Dag;

/// Where a ball comes from.
#[derive(Clone, Copy)]
enum Came {
    FromChild,
    FromParent,
}

/// The state of a node, and whether it is given.
#[derive(Clone, Copy, Default)]
struct Reached {
    given: bool,
    sent_up: bool,
    sent_down: bool,
}

impl Dag {
    /// Whether two nodes are d-separated given others: the graph then says they are independent.
    ///
    /// A node that is given is separated from every other, and a node is never separated from
    /// itself unless it is given. The time is linear in nodes and arcs.
    ///
    /// ```
    /// use ossature::{Dag, Var};
    ///
    /// let (rain, sprinkler, wet) = (Var(0), Var(1), Var(2));
    /// let g = Dag::from_arcs(3, [(rain, wet), (sprinkler, wet)])?;
    /// assert!(g.d_separated(rain, sprinkler, &[]));
    /// assert!(!g.d_separated(rain, sprinkler, &[wet])); // one explains the other away
    /// # Ok::<(), ossature::WouldCycle>(())
    /// ```
    pub fn d_separated(&self, x: Var, y: Var, z: &[Var]) -> bool {
        !self.pass_ball(x, z, Some(y))[y.index()].sent_down
    }

    /// The nodes that are not d-separated from a node given others, without the node itself.
    ///
    /// ```
    /// use ossature::{Dag, Var};
    ///
    /// let g = Dag::from_arcs(4, [(Var(0), Var(1)), (Var(1), Var(2)), (Var(0), Var(3))])?;
    /// assert_eq!(g.d_connected_set(Var(2), &[]).as_slice(), [Var(0), Var(1), Var(3)]);
    /// assert_eq!(g.d_connected_set(Var(2), &[Var(0)]).as_slice(), [Var(1)]);
    /// # Ok::<(), ossature::WouldCycle>(())
    /// ```
    pub fn d_connected_set(&self, x: Var, z: &[Var]) -> VarSet {
        let seen = self.pass_ball(x, z, None);
        self.vars().filter(|&v| v != x && seen[v.index()].sent_down).collect()
    }

    /// Passes a ball from a node until it stops or reaches the target.
    ///
    /// A node that is not given and gets the ball always sends it down, so `sent_down` marks the
    /// nodes it has reached.
    fn pass_ball(&self, start: Var, z: &[Var], looked_for: Option<Var>) -> Vec<Reached> {
        let mut seen = vec![Reached::default(); self.nodes()];
        for v in z {
            seen[v.index()].given = true;
        }
        if seen[start.index()].given {
            return seen;
        }
        let mut open = vec![(start, Came::FromChild)];
        while let Some((v, came)) = open.pop() {
            let at = &mut seen[v.index()];
            let up = matches!(came, Came::FromChild) != at.given;
            let down = !at.given;
            if up && !std::mem::replace(&mut at.sent_up, true) {
                open.extend(self.parents(v).iter().map(|p| (p, Came::FromChild)));
            }
            if down && !std::mem::replace(&mut at.sent_down, true) {
                if looked_for == Some(v) {
                    break;
                }
                open.extend(self.children(v).iter().map(|c| (c, Came::FromParent)));
            }
        }
        seen
    }
}
