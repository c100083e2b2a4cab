//! Parent sets that a search has found before.

use super::super::ges::families::Families;
use super::trees::Members;
use crate::data::{Var, VarSet};
use crate::graph::Dag;

/// The parent sets of graphs that a search has found, for each variable the best first.
///
/// Growing and shrinking is greedy: in the order of a good graph it may find worse parents than the graph has. With the
/// sets of the graph, a climb over orders begins at the value of the graph and never falls below it.
#[derive(Debug, Clone)]
pub(in crate::search) struct FoundSets {
    by_variable: Vec<Vec<(f64, VarSet)>>,
}

impl FoundSets {
    /// No sets of `n` variables.
    pub(in crate::search) fn none(n: usize) -> FoundSets {
        FoundSets { by_variable: vec![Vec::new(); n] }
    }

    /// Adds the parent sets of a graph.
    pub(in crate::search) fn add(&mut self, dag: &Dag, families: &Families<'_>) {
        for v in dag.vars() {
            let (sets, parents) = (&mut self.by_variable[v.index()], dag.parents(v));
            if sets.iter().all(|(_, set)| set != parents) {
                let value = families.alone(v, parents);
                let place = sets.partition_point(|(other, _)| *other >= value);
                sets.insert(place, (value, parents.clone()));
            }
        }
    }

    /// The best set of a variable among those before it that is better than this value, and its value.
    pub(in crate::search) fn better(&self, v: Var, before: &Members, than: f64) -> Option<&(f64, VarSet)> {
        self.above(v, than).find(|(_, set)| set.iter().all(|parent| before.contains(parent)))
    }

    /// This value of a variable, or that of a better set.
    pub(in crate::search) fn at_least(&self, v: Var, before: &Members, value: f64) -> f64 {
        self.better(v, before, value).map_or(value, |(better, _)| *better)
    }

    /// Looks at the members of the sets that are better than this value.
    pub(in crate::search) fn members_of_better(&self, v: Var, than: f64, look: impl FnMut(Var)) {
        self.above(v, than).flat_map(|(_, set)| set.iter()).for_each(look);
    }

    fn above(&self, v: Var, value: f64) -> impl Iterator<Item = &(f64, VarSet)> {
        self.by_variable[v.index()].iter().take_while(move |(other, _)| *other > value)
    }
}
