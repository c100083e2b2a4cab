//! A class with its score, and the effect of an operator on it.

use super::families::Families;
use super::operators::{Act, Operator};
use super::within::climb_within;
use crate::data::{Var, VarSet};
use crate::graph::{Cpdag, Dag, Mark, Pdag};
use crate::search::rules::Rules;

/// An equivalence class in which some DAG respects the constraints.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::search) struct ClassState {
    pub(in crate::search) class: Cpdag,
    /// The DAG that stands for it: the canonical one among those that respect the constraints or, if the score differs
    /// within a class, the best to which reversals of covered arcs lead from there, or from a DAG that was found.
    pub(in crate::search) dag: Dag,
    /// The value of each variable in it.
    locals: Vec<f64>,
    /// Their sum.
    pub(in crate::search) total: f64,
}

/// Whether a path blocks an operator.
#[derive(Debug)]
pub(super) enum Obstacle {
    /// None does.
    Nothing,
    /// The one that is known.
    Known,
    /// Another one.
    New(Vec<Var>),
}

impl ClassState {
    /// The class of a DAG, if one of its members respects the rules. It scores no less than the DAG, if that does.
    pub(in crate::search) fn new(
        dag: &Dag,
        rules: &Rules<'_>,
        families: &Families<'_>,
    ) -> Option<ClassState> {
        let class = dag.cpdag();
        let from = |mut dag: Dag| {
            let mut locals: Vec<f64> = dag.vars().map(|v| families.alone(v, dag.parents(v))).collect();
            climb_within(&mut dag, &mut locals, rules, families);
            let total = locals.iter().sum();
            ClassState { class: class.clone(), dag, locals, total }
        };
        let canonical = from(member(&class, rules)?);
        if families.is_equivalent() || !dag.arcs().all(|(x, y)| rules.constraints().may_add(x, y)) {
            return Some(canonical);
        }
        let given = from(dag.clone());
        Some(if given.total > canonical.total { given } else { canonical })
    }

    /// The class after an operator, if it is valid.
    pub(in crate::search) fn after(
        &self,
        operator: &Operator,
        rules: &Rules<'_>,
        families: &Families<'_>,
    ) -> Option<ClassState> {
        match self.obstacle(operator) {
            Obstacle::Nothing => self.after_unblocked(operator, rules, families),
            Obstacle::Known | Obstacle::New(_) => None,
        }
    }

    /// The class after an operator that no path blocks, if it is valid.
    pub(super) fn after_unblocked(
        &self,
        operator: &Operator,
        rules: &Rules<'_>,
        families: &Families<'_>,
    ) -> Option<ClassState> {
        let class = self.changed(operator)?.cpdag();
        let mut dag = member(&class, rules)?;
        let mut locals = self.locals.clone();
        for v in dag.vars().filter(|&v| dag.parents(v) != self.dag.parents(v)) {
            locals[v.index()] = families.alone(v, dag.parents(v));
        }
        climb_within(&mut dag, &mut locals, rules, families);
        let total = locals.iter().sum();
        Some(ClassState { class, dag, locals, total })
    }

    /// Whether a path blocks an operator: every semi-directed path from Y to X must meet NA ∪ T for an
    /// insert, and every one but Y → X itself C or a neighbour of X for a turn.
    pub(super) fn obstacle(&self, operator: &Operator) -> Obstacle {
        let Operator { act, x, y, ref set, .. } = *operator;
        let g = self.class.as_pdag();
        let meets = |v: Var| {
            set.contains(v)
                || match act {
                    Act::Insert => g.neighbours(y).contains(v) && g.mark(x, v) != Mark::Absent,
                    Act::Delete | Act::Turn => g.neighbours(x).contains(v),
                }
        };
        if act == Act::Delete || (act == Act::Turn && g.mark(y, x) == Mark::Undirected) {
            return Obstacle::Nothing;
        }
        if is_path(g, &operator.path, meets) {
            return Obstacle::Known;
        }
        match path(g, y, x, meets) {
            path if path.is_empty() => Obstacle::Nothing,
            path => Obstacle::New(path),
        }
    }

    /// A DAG of the class that the operator leads to.
    ///
    /// # Requires
    /// The operator is one of this class, and no path blocks it.
    fn changed(&self, operator: &Operator) -> Option<Dag> {
        let Operator { act, x, y, ref set, .. } = *operator;
        let mut g = self.class.as_pdag().clone();
        match act {
            Act::Insert => {
                g.set(x, y, Mark::Forward);
                set.iter().for_each(|t| g.set(t, y, Mark::Forward));
                g.extension()
            }
            Act::Delete => {
                g.set(x, y, Mark::Absent);
                for h in set.iter() {
                    g.set(y, h, Mark::Forward);
                    if g.mark(x, h) == Mark::Undirected {
                        g.set(x, h, Mark::Forward);
                    }
                }
                g.extension()
            }
            Act::Turn => {
                // A DAG of this class in which Y has the parents C, and X those that are also its own.
                let first = if g.mark(x, y) == Mark::Undirected {
                    set.intersection(g.neighbours(x))
                } else {
                    VarSet::new()
                };
                let of_x = g.neighbours(x).without(y);
                let of_y = g.neighbours(y).clone();
                for w in of_y.iter() {
                    g.set(w, y, if set.contains(w) { Mark::Forward } else { Mark::Backward });
                }
                for w in of_x.iter() {
                    g.set(w, x, if first.contains(w) { Mark::Forward } else { Mark::Backward });
                }
                let mut dag = g.extension().filter(|dag| dag.cpdag() == self.class)?;
                dag.try_reverse(y, x).ok()?;
                Some(dag)
            }
        }
    }

    /// The variables whose parents or neighbours differ from another class, and the pairs that are
    /// adjacent in only one of the two.
    pub(in crate::search) fn differences(&self, other: &ClassState) -> (Vec<Var>, Vec<(Var, Var)>) {
        let (a, b) = (self.class.as_pdag(), other.class.as_pdag());
        let same = |v: Var| a.parents(v) == b.parents(v) && a.neighbours(v) == b.neighbours(v);
        let changed: Vec<Var> = a.vars().filter(|&v| !same(v)).collect();
        let mut pairs = Vec::new();
        for &y in &changed {
            let joined = |g: &Pdag| g.parents(y).union(g.neighbours(y));
            let (here, there) = (joined(a), joined(b));
            let only = here.minus(&there).union(&there.minus(&here));
            let pair = |x: Var| (x.min(y), x.max(y));
            let apart = |x: &Var| (a.mark(*x, y) == Mark::Absent) != (b.mark(*x, y) == Mark::Absent);
            pairs.extend(only.iter().filter(apart).map(pair));
        }
        pairs.sort_unstable();
        pairs.dedup();
        (changed, pairs)
    }
}

/// The canonical DAG of a class that respects the constraints and the limit on parents, if there is one.
///
/// The constraints direct edges of the class; an extension of the resulting graph is a DAG of the
/// class unless they have made a new collider, and they have not if any DAG of the class respects
/// them. All DAGs of a class have the same largest number of parents: the variables of an undirected
/// component have the same parents outside it, and its largest clique has a last variable.
fn member(class: &Cpdag, rules: &Rules<'_>) -> Option<Dag> {
    let known = rules.constraints();
    let within = |dag: &Dag| dag.vars().all(|v| !rules.is_over(dag.parents(v).len()));
    if known.is_empty() {
        return class.extension().filter(within);
    }
    let mut g = class.as_pdag().clone();
    if !class.directed().all(|(from, to)| known.may_add(from, to)) {
        return None;
    }
    let mut directed = false;
    for (x, y) in class.undirected() {
        let mark = match (known.may_add(x, y), known.may_add(y, x)) {
            (true, true) => continue,
            (true, false) => Mark::Forward,
            (false, true) => Mark::Backward,
            (false, false) => return None,
        };
        g.set(x, y, mark);
        directed = true;
    }
    let dag = g.extension().filter(within)?;
    (!directed || dag.cpdag() == *class).then_some(dag)
}

/// Whether this is a semi-directed path that meets nothing on its way.
fn is_path(g: &Pdag, path: &[Var], meets: impl Fn(Var) -> bool) -> bool {
    let step = |w: &[Var]| matches!(g.mark(w[0], w[1]), Mark::Forward | Mark::Undirected);
    path.len() > 1 && path.windows(2).all(step) && path[1..path.len() - 1].iter().all(|v| !meets(*v))
}

/// A shortest semi-directed path of more than one step from one variable to another that meets nothing on its
/// way; empty if there is none.
fn path(g: &Pdag, from: Var, to: Var, meets: impl Fn(Var) -> bool) -> Vec<Var> {
    let mut before: Vec<Option<Var>> = vec![None; g.nodes()];
    let mut open = std::collections::VecDeque::from([from]);
    while let Some(v) = open.pop_front() {
        for w in g.children(v).iter().chain(g.neighbours(v).iter()) {
            if w == from || before[w.index()].is_some() || meets(w) || (v == from && w == to) {
                continue;
            }
            before[w.index()] = Some(v);
            if w == to {
                let mut path = vec![to];
                while let Some(previous) = before[path[path.len() - 1].index()] {
                    path.push(previous);
                }
                path.reverse();
                return path;
            }
            open.push_back(w);
        }
    }
    Vec::new()
}
