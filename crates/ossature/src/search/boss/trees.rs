//! Grow-shrink trees: the parents of a variable among those before it, found once for all orders.

use std::sync::{Mutex, PoisonError};

use super::super::ges::families::Families;
use super::super::rules::Rules;
use crate::data::{Var, VarSet};

/// A child of a node that has not been visited.
const UNSEEN: u32 = u32::MAX;

/// The trees of all variables, shared by all orders and threads.
///
/// A node of the tree of v is a parent set, reached from the required ones by adding candidates one by
/// one. On the first visit all candidates are scored; those that gain are kept, best first. The content of
/// a node does not depend on the orders, and so not on threads.
pub(in crate::search) struct Trees<'a> {
    families: &'a Families<'a>,
    rules: &'a Rules<'a>,
    trees: Vec<Mutex<Vec<TreeNode>>>,
}

struct TreeNode {
    /// The parents in the order in which they were added.
    path: Vec<Var>,
    value: f64,
    /// The candidates that gain, best first, each with its node; `None` before the first visit.
    kept: Option<Box<[(Var, u32)]>>,
    /// The result of shrinking.
    shrunk: Option<(VarSet, f64)>,
}

impl TreeNode {
    fn new(path: Vec<Var>, value: f64) -> TreeNode {
        TreeNode { path, value, kept: None, shrunk: None }
    }
}

/// What a walk needs that has not been computed yet.
#[derive(Debug, Clone, Copy)]
enum Open {
    /// The candidates of the node were never scored.
    Candidates,
    /// The node of a candidate, at this index among the kept ones.
    Child(usize, Var),
    /// The walk is at its end.
    Nothing,
}

/// Descends repeatedly from a node to that of the first candidate that is before the variable.
fn walk(nodes: &mut [TreeNode], at: &mut usize, before: &[bool]) -> Open {
    loop {
        let Some(kept) = &nodes[*at].kept else { return Open::Candidates };
        let Some(place) = kept.iter().position(|(c, _)| before[c.index()]) else { return Open::Nothing };
        match kept[place] {
            (candidate, UNSEEN) => return Open::Child(place, candidate),
            (_, node) => *at = node as usize,
        }
    }
}

/// Gives a candidate its node, unless another thread has done so.
fn join(nodes: &mut Vec<TreeNode>, at: usize, place: usize, node: TreeNode) {
    let new = nodes.len() as u32;
    let child = nodes[at].kept.as_mut().map(|kept| &mut kept[place].1);
    if let Some(child) = child.filter(|child| **child == UNSEEN) {
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
        let tree = |(v, root): (usize, VarSet)| {
            let value = families.alone(Var::new(v), &root);
            Mutex::new(vec![TreeNode::new(root.iter().collect(), value)])
        };
        Trees { families, rules, trees: roots.into_iter().enumerate().map(tree).collect() }
    }

    /// The value of a variable with the best parents found by growing and shrinking among those before it.
    pub(in crate::search) fn value(&self, v: Var, before: &[bool]) -> f64 {
        self.at_end(v, before, |(_, value)| *value)
    }

    /// The same value, if that is known without scoring.
    pub(in crate::search) fn known(&self, v: Var, before: &[bool]) -> Option<f64> {
        let mut nodes = self.locked(v);
        let mut at = 0;
        let open = walk(&mut nodes, &mut at, before);
        match (open, &nodes[at].shrunk) {
            (Open::Nothing, Some((_, value))) => Some(*value),
            _ => None,
        }
    }

    /// These parents.
    pub(in crate::search) fn parents(&self, v: Var, before: &[bool]) -> VarSet {
        self.at_end(v, before, |(parents, _)| parents.clone())
    }

    /// Walks down the tree, and computes what is missing. No lock is held during scoring, because its threads
    /// may enter here again.
    fn at_end<R>(&self, v: Var, before: &[bool], look: impl Fn(&(VarSet, f64)) -> R) -> R {
        let mut at = 0;
        loop {
            let (open, path, value) = {
                let mut nodes = self.locked(v);
                let open = walk(&mut nodes, &mut at, before);
                let node = &nodes[at];
                if let (Open::Nothing, Some(end)) = (open, &node.shrunk) {
                    return look(end);
                }
                (open, node.path.clone(), node.value)
            };
            match open {
                Open::Candidates => {
                    let kept = self.grow(v, &path, value);
                    self.locked(v)[at].kept.get_or_insert(kept);
                }
                Open::Child(place, candidate) => {
                    let path: Vec<Var> = path.into_iter().chain([candidate]).collect();
                    let value = self.families.alone(v, &path.iter().copied().collect());
                    join(&mut self.locked(v), at, place, TreeNode::new(path, value));
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

    /// The candidates that gain, best first.
    fn grow(&self, v: Var, path: &[Var], value: f64) -> Box<[(Var, u32)]> {
        if !self.rules.may_grow(path.len()) {
            return Box::default();
        }
        let wanted = |c: &Var| self.rules.may_add(*c, v) && !path.contains(c);
        let candidates: Vec<Var> = self.families.candidates(v).iter().copied().filter(wanted).collect();
        let set: VarSet = path.iter().copied().collect();
        let (_, values) = self.families.sweep(v, &set, &candidates);
        let mut kept: Vec<(f64, Var)> =
            values.into_iter().zip(candidates).filter(|(with, _)| *with > value).collect();
        kept.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        kept.into_iter().map(|(_, c)| (c, UNSEEN)).collect()
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
