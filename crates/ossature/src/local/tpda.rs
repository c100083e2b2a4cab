//! TPDA: three phases, by the mutual information of two variables.

use crate::ci::{Answer, Evidence, Independence, Separation, Sweep};
use crate::data::{Var, VarSet};
use crate::error::Result;
use crate::graph::Skeleton;
use crate::halves::{Restrict, Restriction};

/// The skeleton of the Three-Phase Dependency Analysis.
///
/// *Drafting* makes a forest of the pairs with the most mutual information. *Thickening* adds the other pairs
/// that depend, unless a set on the paths between the two separates them. *Thinning* removes each edge that
/// such a set separates after all. To find a set, the search starts with the neighbours on the paths and
/// removes one variable at a time, each time the one whose removal leaves the least information.
///
/// # Requires, ensures
/// On a forest, with faithful answers, the result is the skeleton. In general the method also assumes that
/// the information falls whenever paths between two variables close; a test keeps an example where this
/// assumption is not enough.
///
/// # Cost
/// At most of the order of n⁴ tests. A conditioning set contains at most the neighbours of one variable, or
/// these and their neighbours.
///
/// # Literature
/// Cheng, Greiner, Kelly, Bell & Liu (2002), Artificial Intelligence 137, doi:10.1016/S0004-3702(02)00191-1.
/// Deviation T6.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tpda {
    /// The authors' rule: two variables are separated if their information is less than this, in nats.
    /// Without it the test decides.
    pub threshold: Option<f64>,
}

impl Restrict for Tpda {
    fn restrict(&self, u: &VarSet, ask: &Independence<'_>) -> Result<Restriction> {
        let mut draft =
            Draft { graph: Skeleton::empty(u.len()), cuts: Vec::new(), threshold: self.threshold, ask };
        let (edges, kept) = draft.draft(u)?;
        let edges = draft.thicken(edges, kept)?;
        draft.thin(edges)?;
        let mut skeleton = draft.graph;
        let forbidden: Vec<_> = skeleton.edges().filter(|&(x, y)| ask.edge_forbidden(x, y)).collect();
        forbidden.into_iter().for_each(|(x, y)| _ = skeleton.remove(x, y));
        drop(ask.take_evidence(|_, _| false)); // only the cuts are evidence
        let cuts = draft.cuts.into_iter().filter(|_| ask.keeps_evidence());
        Ok(Restriction { skeleton, evidence: Evidence::of(cuts) })
    }
}

/// The graph so far, and the separations of the pairs that are not in it.
struct Draft<'a> {
    graph: Skeleton,
    cuts: Vec<(Var, Var, Separation)>,
    threshold: Option<f64>,
    ask: &'a Independence<'a>,
}

type Edges = Vec<(Var, Var)>;

impl Draft<'_> {
    fn separated(&self, x: Var, y: Var, answer: &Answer) -> bool {
        match self.threshold {
            Some(least) => {
                answer.is_known() && self.ask.separable(x, y) && self.ask.information(answer) < least
            }
            None => answer.separated,
        }
    }

    /// Splits the pairs that depend, the strongest first: those that join two parts of the graph become its
    /// edges, the others are kept for later.
    fn draft(&mut self, u: &VarSet) -> Result<(Edges, Edges)> {
        let mut pairs: Vec<(f64, Var, Var)> = Vec::new();
        for x in u.iter() {
            let later: Vec<Var> = u.iter().filter(|&y| x < y).collect();
            for answer in self.ask.sweep(x, &later, &[]) {
                if self.separated(x, answer.var, &answer) {
                    // With a threshold, a report cannot find this separation by the test alone.
                    if self.threshold.is_some() {
                        self.cuts.push((x, answer.var, Separation::new(&[], answer.outcome)));
                    }
                } else if answer.is_known() {
                    pairs.push((self.ask.information(&answer), x, answer.var));
                }
            }
            self.ask.check_running()?;
        }
        pairs.sort_unstable_by(|(a, x, y), (b, v, w)| b.total_cmp(a).then_with(|| (x, y).cmp(&(v, w))));
        let mut parts: Vec<usize> = (0..u.len()).collect();
        let (mut edges, mut kept) = (Edges::new(), Edges::new());
        for (_, x, y) in pairs {
            let [part_x, part_y] = [x, y].map(|v| part(&mut parts, v.index()));
            if part_x == part_y {
                kept.push((x, y));
            } else {
                parts[part_x] = part_y;
                self.graph.insert(x, y);
                edges.push((x, y));
            }
        }
        Ok((edges, kept))
    }

    fn thicken(&mut self, mut edges: Edges, kept: Edges) -> Result<Edges> {
        for (x, y) in kept {
            if !self.separate_a(x, y) {
                self.graph.insert(x, y);
                edges.push((x, y));
            }
            self.ask.check_running()?;
        }
        Ok(edges)
    }

    fn thin(&mut self, edges: Edges) -> Result<()> {
        for both in [false, true] {
            for &(x, y) in edges.iter().filter(|(x, y)| self.ask.separable(*x, *y)) {
                let others = |v: Var| self.graph.neighbours(v).len() > 3;
                if !self.graph.contains(x, y) || both && !others(x) && !others(y) {
                    continue;
                }
                self.graph.remove(x, y);
                let separates = if both { self.separate_b(x, y) } else { self.separate_a(x, y) };
                if !separates {
                    self.graph.insert(x, y);
                }
                self.ask.check_running()?;
            }
        }
        Ok(())
    }

    /// Whether a subset of the neighbours of X, or of those of Y, on the paths between the two separates
    /// them.
    fn separate_a(&mut self, x: Var, y: Var) -> bool {
        let on_paths = on_paths(&self.graph, x, y);
        let [near_x, near_y] = [x, y].map(|v| self.graph.neighbours(v).intersection(&on_paths));
        let (smaller, larger) = if near_y.len() < near_x.len() { (near_y, near_x) } else { (near_x, near_y) };
        // Without another path, only the edge can explain the dependence.
        !smaller.is_empty() && (self.separate(x, y, smaller) || self.separate(x, y, larger))
    }

    /// Does this with the neighbours and their neighbours, and only the smaller of the two sets.
    fn separate_b(&mut self, x: Var, y: Var) -> bool {
        let on_paths = on_paths(&self.graph, x, y);
        let around = |v: Var| {
            let near = self.graph.neighbours(v).intersection(&on_paths);
            let further: VarSet = near.iter().flat_map(|w| self.graph.neighbours(w).iter()).collect();
            near.union(&further.intersection(&on_paths))
        };
        let (of_x, of_y) = (around(x), around(y));
        let smaller = if of_y.len() < of_x.len() { of_y } else { of_x };
        !smaller.is_empty() && self.separate(x, y, smaller)
    }

    /// Removes one variable after another from a set, as long as the information does not grow. Returns
    /// whether a set on the way separates the two.
    fn separate(&mut self, x: Var, y: Var, mut set: VarSet) -> bool {
        let mut now = self.ask.ask(x, y, set.as_slice());
        loop {
            if self.separated(x, y, &now) {
                self.cuts.push((x, y, Separation::new(set.as_slice(), now.outcome)));
                return true;
            }
            if set.len() < 2 {
                return false;
            }
            let smaller: Vec<VarSet> = set.iter().map(|c| set.without(c)).collect();
            let sweeps: Vec<Sweep<'_>> = smaller
                .iter()
                .map(|z| Sweep { target: x, candidates: std::slice::from_ref(&y), given: z.as_slice() })
                .collect();
            let answers = self.ask.batch(&sweeps);
            let least = |answers: &[Answer]| {
                let says = |i: &usize| self.says(&answers[*i]);
                (0..answers.len()).min_by(|i, j| says(i).total_cmp(&says(j)))
            };
            let Some(i) = least(&answers) else { return false };
            if !self.separated(x, y, &answers[i]) && self.says(&answers[i]) > self.says(&now) {
                return false;
            }
            (set, now) = (smaller.into_iter().nth(i).unwrap_or_default(), answers[i]);
        }
    }

    /// The information of an answer; infinite if it is not known, so that a smaller set is preferred.
    fn says(&self, answer: &Answer) -> f64 {
        if answer.is_known() { self.ask.information(answer) } else { f64::INFINITY }
    }
}

/// The representative of the part of the graph that a node is in.
fn part(parts: &mut [usize], mut v: usize) -> usize {
    while parts[v] != v {
        parts[v] = parts[parts[v]];
        v = parts[v];
    }
    v
}

/// The nodes on paths between X and Y, which are not adjacent: those in one block with an added edge between
/// the two (Hopcroft & Tarjan 1973).
fn on_paths(graph: &Skeleton, x: Var, y: Var) -> VarSet {
    let n = graph.nodes();
    // The search starts along the added edge from X to Y. Only back edges lead to X again.
    let mut found = vec![0u32; n];
    let mut low = vec![0u32; n];
    (found[x.index()], found[y.index()], low[y.index()]) = (1, 2, 2);
    let mut count = 2;
    let mut block = vec![y];
    let mut path: Vec<(Var, usize)> = vec![(y, 0)];
    while let Some((v, next)) = path.last_mut() {
        let v = *v;
        match graph.neighbours(v).as_slice().get(*next) {
            Some(&w) => {
                *next += 1;
                if found[w.index()] == 0 {
                    count += 1;
                    (found[w.index()], low[w.index()]) = (count, count);
                    block.push(w);
                    path.push((w, 0));
                } else {
                    // A back edge. The one to the parent changes nothing.
                    low[v.index()] = low[v.index()].min(found[w.index()]);
                }
            }
            None => {
                path.pop();
                let Some(&(up, _)) = path.last() else { break };
                if low[v.index()] >= found[up.index()] {
                    // Nodes reached only through `up` are on no path.
                    while block.pop() != Some(v) {}
                }
                low[up.index()] = low[up.index()].min(low[v.index()]);
            }
        }
    }
    // Without a back edge to X there is no path at all.
    if low[y.index()] > 1 { VarSet::new() } else { block.into_iter().filter(|&v| v != y).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(n: usize, edges: &[(u32, u32)]) -> Skeleton {
        let mut graph = Skeleton::empty(n);
        edges.iter().for_each(|&(x, y)| _ = graph.insert(Var(x), Var(y)));
        graph
    }

    /// The nodes on simple paths, by enumerating all paths.
    fn by_trying(graph: &Skeleton, x: Var, y: Var) -> VarSet {
        fn walk(graph: &Skeleton, path: &mut Vec<Var>, y: Var, on: &mut VarSet) {
            for w in graph.neighbours(path[path.len() - 1]).iter() {
                if w == y {
                    path[1..].iter().for_each(|&v| _ = on.insert(v));
                } else if !path.contains(&w) {
                    path.push(w);
                    walk(graph, path, y, on);
                    path.pop();
                }
            }
        }
        let mut on = VarSet::new();
        walk(graph, &mut vec![x], y, &mut on);
        on
    }

    #[test]
    fn nodes_on_paths_are_found_without_trying_them() {
        // Every graph with five nodes in which 0 and 4 are not adjacent.
        let pairs: Vec<(u32, u32)> =
            (0..5).flat_map(|x| (x + 1..5).map(move |y| (x, y))).filter(|&pair| pair != (0, 4)).collect();
        for bits in 0..1u32 << pairs.len() {
            let edges: Vec<_> = (0..pairs.len()).filter(|i| bits >> i & 1 == 1).map(|i| pairs[i]).collect();
            let graph = graph(5, &edges);
            for (x, y) in [(Var(0), Var(4)), (Var(4), Var(0))] {
                assert_eq!(on_paths(&graph, x, y), by_trying(&graph, x, y), "{edges:?}");
            }
        }
    }
}
