//! Meek's rules: which directions follow from the existing ones.

use rustc_hash::FxHashSet;

use crate::data::Var;
use crate::graph::{Mark, Pdag};

/// Triples X - Y - Z, with X and Z not adjacent, that no rule may use: it is not known whether they are
/// colliders.
#[derive(Debug, Clone, Default)]
pub struct OpenTriples(FxHashSet<(Var, Var, Var)>);

impl OpenTriples {
    /// Adds a triple with `y` in its middle.
    pub fn insert(&mut self, x: Var, y: Var, z: Var) {
        self.0.insert((x.min(z), y, x.max(z)));
    }

    fn contains(&self, x: Var, y: Var, z: Var) -> bool {
        self.0.contains(&(x.min(z), y, x.max(z)))
    }
}

impl Pdag {
    /// Directs the undirected edges whose direction follows from the others, by the rules of Meek (1995),
    /// "Causal inference and causal explanation with background knowledge", UAI-11,
    /// <https://arxiv.org/abs/1302.4972>: R1 to R3, and R4 if some directions were known beforehand. Returns
    /// how many edges it left undirected because the rules contradict each other there.
    ///
    /// Every round uses the graph as it was before the round, so the order of the nodes does not matter. An
    /// edge that would get both directions is left undirected, and so is one that would close a directed cycle.
    ///
    /// ```
    /// use ossature::graph::{Mark, OpenTriples};
    /// use ossature::{Pdag, Var};
    ///
    /// let mut g = Pdag::empty(3);
    /// g.set(Var(0), Var(1), Mark::Forward);
    /// g.set(Var(1), Var(2), Mark::Undirected);
    /// g.orient_by_meek(&OpenTriples::default(), false);
    /// assert_eq!(g.mark(Var(1), Var(2)), Mark::Forward); // no new collider
    /// ```
    pub fn orient_by_meek(&mut self, open: &OpenTriples, known_beforehand: bool) -> usize {
        loop {
            let follows = |x, y| self.follows(x, y, open, known_beforehand);
            let edges: Vec<(Var, Var, bool, bool)> =
                self.undirected().map(|(x, y)| (x, y, follows(x, y), follows(y, x))).collect();
            let (mut changed, mut contradictions) = (false, 0);
            for (x, y, forward, backward) in edges {
                let (from, to) = if forward { (x, y) } else { (y, x) };
                if forward && backward || (forward || backward) && self.reaches(to, from) {
                    contradictions += 1;
                } else if forward || backward {
                    self.set(from, to, Mark::Forward);
                    changed = true;
                }
            }
            if !changed {
                return contradictions;
            }
        }
    }

    /// Whether a directed path leads from one node to another.
    pub fn reaches(&self, from: Var, to: Var) -> bool {
        let mut seen = FxHashSet::from_iter([from]);
        let mut ahead = vec![from];
        while let Some(v) = ahead.pop() {
            if v == to {
                return true;
            }
            ahead.extend(self.children(v).iter().filter(|&c| seen.insert(c)));
        }
        false
    }

    fn joined(&self, x: Var, y: Var) -> bool {
        self.mark(x, y) != Mark::Absent
    }

    /// Whether a rule directs the undirected edge A - B as A -> B.
    fn follows(&self, a: Var, b: Var, open: &OpenTriples, known_beforehand: bool) -> bool {
        let no_collider = |x: Var, y: Var, z: Var| !self.joined(x, z) && !open.contains(x, y, z);
        let undirected = |x: Var| self.neighbours(a).contains(x);
        // R1: C -> A - B, or B -> A would be a new collider.
        self.parents(a).iter().any(|c| no_collider(c, a, b))
            // R2: A -> C -> B, or B -> A would close a cycle.
            || self.children(a).iter().any(|c| self.children(c).contains(b))
            // R3: A - C -> B and A - D -> B: with B -> A both C -> A and D -> A, a new collider.
            || self.parents(b).iter().filter(|&c| undirected(c)).any(|c| {
                self.parents(b).iter().any(|d| d > c && undirected(d) && no_collider(c, a, d))
            })
            // R4: A - D -> C -> B, A and C adjacent: with B -> A also D -> A, a new collider.
            || known_beforehand
                && self.parents(b).iter().filter(|&c| self.joined(a, c)).any(|c| {
                    self.parents(c).iter().any(|d| undirected(d) && no_collider(d, a, b))
                })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies the rules to these arcs and edges; answers the arcs, the edges and the contradictions.
    fn applied(n: usize, arcs: &[(u32, u32)], edges: &[(u32, u32)], known: bool) -> (String, String, usize) {
        let vars = |pairs: &[(u32, u32)]| pairs.iter().map(|&(x, y)| (Var(x), Var(y))).collect::<Vec<_>>();
        let mut graph = Pdag::from_parts(n, vars(arcs), vars(edges));
        let left = graph.orient_by_meek(&OpenTriples::default(), known);
        let text = |pairs: Vec<(Var, Var)>| {
            pairs.iter().map(|(x, y)| format!("{}{}", x.0, y.0)).collect::<Vec<_>>().join(" ")
        };
        (text(graph.directed().collect()), text(graph.undirected().collect()), left)
    }

    fn directed(n: usize, arcs: &[(u32, u32)], edges: &[(u32, u32)], known: bool) -> String {
        applied(n, arcs, edges, known).0
    }

    #[test]
    fn each_rule_by_itself() {
        assert_eq!(directed(3, &[(2, 1)], &[(0, 1)], false), "10 21", "R1");
        assert_eq!(directed(3, &[(0, 1), (1, 2)], &[(0, 2)], false), "01 02 12", "R2");
        assert_eq!(directed(4, &[(1, 3), (2, 3)], &[(0, 1), (0, 2), (0, 3)], false), "03 13 23", "R3");
        let (arcs, edges) = ([(2, 1), (1, 3)], [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(directed(4, &arcs, &edges, false), "13 21", "not without knowledge");
        assert_eq!(directed(4, &arcs, &edges, true), "03 13 21", "R4");
    }

    #[test]
    fn an_open_triple_is_no_reason() {
        let mut open = OpenTriples::default();
        open.insert(Var(0), Var(1), Var(2));
        let mut graph = Pdag::from_parts(3, [(Var(2), Var(1))], [(Var(0), Var(1))]);
        graph.orient_by_meek(&open, false);
        assert_eq!(graph.mark(Var(0), Var(1)), Mark::Undirected, "R1");
        open.insert(Var(2), Var(0), Var(1));
        let edges = [(Var(0), Var(1)), (Var(0), Var(2)), (Var(0), Var(3))];
        let mut graph = Pdag::from_parts(4, [(Var(1), Var(3)), (Var(2), Var(3))], edges);
        graph.orient_by_meek(&open, false);
        assert_eq!(graph.mark(Var(0), Var(3)), Mark::Undirected, "R3");
    }

    #[test]
    fn contradictions_are_left_and_counted() {
        // 0 -> 1 - 2 <- 3: either direction would be a new collider.
        assert_eq!(applied(4, &[(0, 1), (3, 2)], &[(1, 2)], false), ("01 32".into(), "12".into(), 1));
        // 0 -> 1 - 2 with 2 -> 3 -> 4 -> 1: R1 would close a cycle.
        let (arcs, edges, left) = applied(5, &[(0, 1), (2, 3), (3, 4), (4, 1)], &[(1, 2)], false);
        assert_eq!((arcs.as_str(), edges.as_str(), left), ("01 23 34 41", "12", 1));
    }
}
