//! Grow-shrink trees: the parents of a variable among those before it, found once for all orders.

use std::sync::{Mutex, PoisonError};

use super::super::ges::families::Families;
use super::super::rules::Rules;
use crate::data::{Var, VarSet};

/// A child of a node that has not been visited.
const UNSEEN: u32 = u32::MAX;

/// The trees of all variables, shared by all orders and threads.
///
/// A node of the tree of v is a parent set, reached from the required ones by adding candidates one by one. A visit
/// scores the candidates that are before v and were not scored at an earlier visit; those that gain are kept, best
/// first. What is known of a candidate does not depend on the orders, and so not on threads.
pub(in crate::search) struct Trees<'a> {
    families: &'a Families<'a>,
    rules: &'a Rules<'a>,
    /// The possible parents of each variable.
    allowed: Vec<Members>,
    trees: Vec<Mutex<Vec<TreeNode>>>,
}

/// A set of variables, a bit for each.
#[derive(Debug, Clone)]
pub(in crate::search) struct Members {
    words: Box<[u64]>,
}

impl Members {
    /// None of `n` variables.
    pub(in crate::search) fn none(n: usize) -> Members {
        Members { words: vec![0; n.div_ceil(64)].into() }
    }

    pub(in crate::search) fn insert(&mut self, v: Var) {
        self.words[v.index() / 64] |= 1 << (v.index() % 64);
    }

    pub(in crate::search) fn remove(&mut self, v: Var) {
        self.words[v.index() / 64] &= !(1 << (v.index() % 64));
    }

    fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Inserts the members of one set that are not in another.
    fn insert_unless(&mut self, set: &Members, not: &Members) {
        let words = self.words.iter_mut().zip(&set.words).zip(&not.words);
        words.for_each(|((word, set), not)| *word |= set & !not);
    }

    pub(in crate::search) fn contains(&self, v: Var) -> bool {
        self.words[v.index() / 64] >> (v.index() % 64) & 1 == 1
    }

    /// Whether a set contains all members that another one has as well.
    fn within(&self, others: &Members, set: &Members) -> bool {
        let mut words = self.words.iter().zip(&others.words).zip(&set.words);
        words.all(|((word, other), set)| word & other & !set == 0)
    }
}

struct TreeNode {
    /// The parents in the order in which they were added.
    path: Vec<Var>,
    value: f64,
    /// The path, and the candidates that were scored.
    scored: Members,
    /// Those that gain, the best first, each with its node.
    kept: Vec<(f64, Var, u32)>,
    /// The result of shrinking.
    shrunk: Option<(VarSet, f64)>,
}

impl TreeNode {
    /// A node at which no candidate was scored.
    fn new(n: usize, path: Vec<Var>, value: f64) -> TreeNode {
        let mut scored = Members::none(n);
        path.iter().for_each(|&v| scored.insert(v));
        TreeNode { path, value, scored, kept: Vec::new(), shrunk: None }
    }

    /// Adds candidates that were scored, and those of them that gain.
    fn add(&mut self, scored: &[Var], gaining: &[(Var, f64)]) {
        // Another thread may have been as fast.
        let new = gaining.iter().filter(|(c, _)| !self.scored.contains(*c));
        self.kept.extend(new.map(|&(c, value)| (value, c, UNSEEN)));
        self.kept.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        scored.iter().for_each(|&c| self.scored.insert(c));
    }
}

/// What a walk needs that has not been computed yet.
#[derive(Debug, Clone, Copy)]
enum Open {
    /// Some candidates of the node were never scored.
    Candidates,
    /// The node of a candidate, with its value.
    Child(Var, f64),
    /// The walk is at its end.
    Nothing,
}

/// Gives a candidate its node, unless another thread has done so.
fn join(nodes: &mut Vec<TreeNode>, at: usize, candidate: Var, node: TreeNode) {
    let new = nodes.len() as u32;
    let child = nodes[at].kept.iter_mut().find(|(_, c, _)| *c == candidate);
    if let Some((_, _, child)) = child.filter(|(_, _, child)| *child == UNSEEN) {
        *child = new;
        nodes.push(node);
    }
}

impl<'a> Trees<'a> {
    pub(in crate::search) fn new(families: &'a Families<'a>, rules: &'a Rules<'a>, n: usize) -> Trees<'a> {
        let mut roots = vec![VarSet::new(); n];
        for &(from, to) in rules.constraints().required() {
            roots[to.index()].insert(from);
        }
        let allowed = (0..n).map(Var::new).map(|v| {
            let mut allowed = Members::none(n);
            let may = families.candidates(v).iter().copied().filter(|&c| rules.may_add(c, v));
            may.for_each(|c| allowed.insert(c));
            allowed
        });
        let tree = |(v, root): (usize, VarSet)| {
            let value = families.alone(Var::new(v), &root);
            Mutex::new(vec![TreeNode::new(n, root.iter().collect(), value)])
        };
        let allowed = allowed.collect();
        Trees { families, rules, allowed, trees: roots.into_iter().enumerate().map(tree).collect() }
    }

    /// The value of a variable with the best parents found by growing and shrinking among those before it.
    pub(in crate::search) fn value(&self, v: Var, before: &Members) -> f64 {
        self.at_end(v, before, |(_, value)| *value)
    }

    /// The same value, if that is known without scoring; then it stays the same if variables that are
    /// not among `others`, which this fills, come before v as well.
    pub(in crate::search) fn known(&self, v: Var, before: &Members, others: &mut Members) -> Option<f64> {
        others.clear();
        let nodes = self.locked(v);
        let mut at = 0;
        let open = loop {
            let step = self.step(v, &nodes, &mut at, before, |node, better| {
                others.insert_unless(&self.allowed[v.index()], &node.scored);
                better.iter().for_each(|(_, c, _)| others.insert(*c));
            });
            if let Some(open) = step {
                break open;
            }
        };
        match (open, &nodes[at].shrunk) {
            (Open::Nothing, Some((_, value))) => Some(*value),
            _ => None,
        }
    }

    /// These parents.
    pub(in crate::search) fn parents(&self, v: Var, before: &Members) -> VarSet {
        self.at_end(v, before, |(parents, _)| parents.clone())
    }

    /// Descends repeatedly from a node to that of the first candidate that is before the variable.
    fn walk(&self, v: Var, nodes: &[TreeNode], at: &mut usize, before: &Members) -> Open {
        loop {
            if let Some(open) = self.step(v, nodes, at, before, |_, _| ()) {
                return open;
            }
        }
    }

    /// One step of this, unless there is none; `look` is given a node at which candidates may be added, and those of its
    /// candidates that are better than the one to go to.
    fn step(
        &self,
        v: Var,
        nodes: &[TreeNode],
        at: &mut usize,
        before: &Members,
        look: impl FnOnce(&TreeNode, &[(f64, Var, u32)]),
    ) -> Option<Open> {
        let node = &nodes[*at];
        if !self.rules.may_grow(node.path.len()) {
            return Some(Open::Nothing);
        }
        if !before.within(&self.allowed[v.index()], &node.scored) {
            return Some(Open::Candidates);
        }
        let next = node.kept.iter().position(|(_, c, _)| before.contains(*c));
        look(node, &node.kept[..next.unwrap_or(node.kept.len())]);
        match next.map(|next| node.kept[next]) {
            None => return Some(Open::Nothing),
            Some((value, candidate, UNSEEN)) => return Some(Open::Child(candidate, value)),
            Some((_, _, child)) => *at = child as usize,
        }
        None
    }

    /// Walks down the tree, and computes what is missing. No lock is held during scoring, because its threads
    /// may enter here again.
    fn at_end<R>(&self, v: Var, before: &Members, look: impl Fn(&(VarSet, f64)) -> R) -> R {
        let mut at = 0;
        loop {
            let (open, path, value, missing) = {
                let nodes = self.locked(v);
                let open = self.walk(v, &nodes, &mut at, before);
                let node = &nodes[at];
                if let (Open::Nothing, Some(end)) = (open, &node.shrunk) {
                    return look(end);
                }
                let missing = match open {
                    Open::Candidates => self.missing(v, before, &node.scored),
                    _ => Vec::new(),
                };
                (open, node.path.clone(), node.value, missing)
            };
            match open {
                Open::Candidates => {
                    let set: VarSet = path.iter().copied().collect();
                    let some = self.families.among(v, missing.iter().copied());
                    let (_, gaining) = self.families.raising(v, &set, &some);
                    self.locked(v)[at].add(&missing, &gaining);
                }
                Open::Child(candidate, value) => {
                    let path: Vec<Var> = path.into_iter().chain([candidate]).collect();
                    let node = TreeNode::new(self.trees.len(), path, value);
                    join(&mut self.locked(v), at, candidate, node);
                }
                Open::Nothing => {
                    let shrunk = self.shrink(v, &path, value);
                    self.locked(v)[at].shrunk.get_or_insert(shrunk);
                }
            }
        }
    }

    fn locked(&self, v: Var) -> std::sync::MutexGuard<'_, Vec<TreeNode>> {
        self.trees[v.index()].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The candidates before a variable that were not scored.
    fn missing(&self, v: Var, before: &Members, scored: &Members) -> Vec<Var> {
        let open =
            |c: &Var| before.contains(*c) && self.allowed[v.index()].contains(*c) && !scored.contains(*c);
        self.families.candidates(v).iter().copied().filter(open).collect()
    }

    /// Removes the parent without which the value is best, as long as that gains.
    fn shrink(&self, v: Var, path: &[Var], value: f64) -> (VarSet, f64) {
        let mut set: VarSet = path.iter().copied().collect();
        let mut value = value;
        loop {
            let mut best: Option<(f64, Var)> = None;
            for &parent in path.iter().filter(|&&p| set.contains(p) && self.rules.may_delete(p, v)) {
                let without = self.families.alone(v, &set.without(parent));
                if without > best.map_or(value, |(value, _)| value) {
                    best = Some((without, parent));
                }
            }
            let Some((better, parent)) = best else { return (set, value) };
            set.remove(parent);
            value = better;
        }
    }
}
