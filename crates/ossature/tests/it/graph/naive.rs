//! Definitions, word for word: slow and plain.

use ossature::graph::Mark;
use ossature::{Dag, Pdag, Var};

/// A directed graph as an adjacency matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Matrix(Vec<Vec<bool>>);

impl Matrix {
    pub(super) fn of(dag: &Dag) -> Matrix {
        Matrix(dag.vars().map(|x| dag.vars().map(|y| dag.parents(y).contains(x)).collect()).collect())
    }

    pub(super) fn set(&mut self, from: Var, to: Var, there: bool) {
        self.0[from.index()][to.index()] = there;
    }

    /// No node reaches itself.
    pub(super) fn is_acyclic(&self) -> bool {
        let n = self.0.len();
        let mut reach = self.0.clone();
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    reach[i][j] |= reach[i][k] && reach[k][j];
                }
            }
        }
        (0..n).all(|i| !reach[i][i])
    }
}

/// All colliders a -> c <- b whose a and b are not adjacent.
fn colliders(dag: &Dag) -> Vec<(Var, Var, Var)> {
    let mut found = Vec::new();
    for c in dag.vars() {
        for a in dag.parents(c).iter() {
            for b in dag.parents(c).iter().filter(|&b| a < b && !dag.adjacent(a, b)) {
                found.push((a, c, b));
            }
        }
    }
    found
}

/// The class of a DAG: its skeleton and colliders, then the rules of Meek (1995) until none applies.
pub(super) fn class(dag: &Dag) -> Pdag {
    let mut g = Pdag::from(&dag.skeleton());
    for (a, c, b) in colliders(dag) {
        g.set(a, c, Mark::Forward);
        g.set(b, c, Mark::Forward);
    }
    let next =
        |g: &Pdag| g.undirected().flat_map(|(x, y)| [(x, y), (y, x)]).find(|&(x, y)| compelled(g, x, y));
    while let Some((x, y)) = next(&g) {
        g.set(x, y, Mark::Forward);
    }
    g
}

/// Whether one of the rules turns x - y into x -> y.
fn compelled(g: &Pdag, x: Var, y: Var) -> bool {
    let arc = |a, b| g.mark(a, b) == Mark::Forward;
    let line = |a, b| g.mark(a, b) == Mark::Undirected;
    let apart = |a, b| a != b && g.mark(a, b) == Mark::Absent;
    let pairs = || g.vars().flat_map(|a| g.vars().map(move |b| (a, b)));
    g.vars().any(|a| arc(a, x) && apart(a, y))
        || g.vars().any(|a| arc(x, a) && arc(a, y))
        || pairs().any(|(a, b)| line(x, a) && line(x, b) && arc(a, y) && arc(b, y) && apart(a, b))
        || pairs()
            .any(|(a, b)| line(x, a) && arc(a, b) && arc(b, y) && apart(a, y) && (line(x, b) || arc(x, b)))
}

/// All DAGs that agree with a graph and have no colliders beyond those of the graph.
pub(super) fn extensions(graph: &Pdag) -> Vec<Dag> {
    let open: Vec<(Var, Var)> = graph.undirected().collect();
    let in_graph =
        |&(a, c, b): &(Var, Var, Var)| graph.mark(a, c) == Mark::Forward && graph.mark(b, c) == Mark::Forward;
    let directed = (0..1u32 << open.len()).filter_map(|choice| {
        let turned =
            open.iter().enumerate().map(|(i, &(x, y))| if choice >> i & 1 == 1 { (y, x) } else { (x, y) });
        Dag::from_arcs(graph.nodes(), graph.directed().chain(turned)).ok()
    });
    directed.filter(|dag| colliders(dag).iter().all(in_graph)).collect()
}

/// Lauritzen's criterion: separated in the moral graph of the ancestors once Z is removed.
pub(super) fn separated(dag: &Dag, x: Var, y: Var, z: &[Var]) -> bool {
    let ends = || [x, y].into_iter().chain(z.iter().copied());
    let ancestor = |v: Var| ends().any(|end| dag.reaches(v, end));
    let joined = |a: Var, b: Var| {
        dag.adjacent(a, b) || dag.children(a).iter().any(|c| ancestor(c) && dag.has_arc(b, c))
    };
    let mut reached = vec![x];
    let mut at = 0;
    while at < reached.len() {
        let v = reached[at];
        at += 1;
        for w in dag.vars().filter(|&w| ancestor(w) && !z.contains(&w)) {
            if joined(v, w) && !reached.contains(&w) {
                reached.push(w);
            }
        }
    }
    !reached.contains(&y)
}
