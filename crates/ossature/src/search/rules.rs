//! Which arcs a search may add and delete.

use crate::data::{Var, VarSet};
use crate::error::{Error, Result};
use crate::graph::{Constraints, Dag, Skeleton};

/// What holds for every structure of a search, whatever its score.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules<'a> {
    inside: Option<&'a Skeleton>,
    constraints: &'a Constraints,
    max_parents: usize,
    /// The nodes of a component, if these are the rules of one: by their numbers there.
    among: Option<&'a [Var]>,
}

impl<'a> Rules<'a> {
    pub(super) fn new(
        inside: Option<&'a Skeleton>,
        constraints: &'a Constraints,
        max_parents: Option<usize>,
    ) -> Rules<'a> {
        Rules { inside, constraints, max_parents: max_parents.unwrap_or(usize::MAX), among: None }
    }

    /// The same for a component, whose nodes have numbers of their own.
    pub(super) fn among(&self, vars: &'a [Var]) -> Rules<'a> {
        Rules { among: Some(vars), ..*self }
    }

    /// The node with a number.
    fn outer(&self, v: Var) -> Var {
        self.among.map_or(v, |vars| vars[v.index()])
    }

    /// The start, with the required arcs added.
    pub(super) fn start(&self, names: &[&str], start: Option<&Dag>) -> Result<Dag> {
        let nodes = names.len();
        assert!(start.is_none_or(|s| s.nodes() == nodes), "a node of the start for each name");
        assert!(self.inside.is_none_or(|s| s.nodes() == nodes), "a node of the skeleton for each name");
        let refused = |(from, to): (Var, Var), why: &str| Error::Mismatch {
            what: format!("the arc {} -> {} of the start {why}", names[from.index()], names[to.index()]),
            accepted: "a start must respect required and forbidden arcs".into(),
        };
        let start = start.cloned().unwrap_or_else(|| Dag::empty(nodes));
        if let Some(arc) = start.arcs().find(|&(from, to)| !self.constraints.may_add(from, to)) {
            return Err(refused(arc, "is forbidden, or the opposite is required"));
        }
        let required = self.constraints.required().iter().copied();
        let whole = Dag::from_arcs(nodes, required.chain(start.arcs()))
            .map_err(|cycle| refused((cycle.from, cycle.to), "forms a cycle with required arcs"))?;
        match whole.vars().find(|&v| whole.parents(v).len() > self.max_parents) {
            Some(v) => Err(self.too_many_parents(names[v.index()], whole.parents(v).len())),
            None => Ok(whole),
        }
    }

    fn too_many_parents(&self, name: &str, parents: usize) -> Error {
        Error::Setting {
            name: "max-parents".into(),
            problem: format!(
                "is {}, but {name} has {parents} parents by the required arcs and the start",
                self.max_parents
            ),
            accepted: format!("at least {parents} is needed for that"),
        }
    }

    /// Whether this arc may be added.
    pub(super) fn may_add(&self, from: Var, to: Var) -> bool {
        let (from, to) = (self.outer(from), self.outer(to));
        self.inside.is_none_or(|s| s.contains(from, to)) && self.constraints.may_add(from, to)
    }

    /// Whether no skeleton restricts which nodes may be adjacent.
    pub(super) fn is_free(&self) -> bool {
        self.inside.is_none()
    }

    /// Whether this arc may be deleted.
    pub(super) fn may_delete(&self, from: Var, to: Var) -> bool {
        !self.constraints.is_required(self.outer(from), self.outer(to))
    }

    /// Whether a node with this many parents may get one more.
    pub(super) fn may_grow(&self, parents: usize) -> bool {
        parents < self.max_parents
    }

    /// Whether two nodes may be adjacent: one of the two arcs may be added.
    pub(super) fn may_join(&self, x: Var, y: Var) -> bool {
        self.may_add(x, y) || self.may_add(y, x)
    }

    /// Whether this number of parents is too large.
    pub(super) fn is_over(&self, parents: usize) -> bool {
        parents > self.max_parents
    }

    /// The largest number of parents of a node.
    pub(super) fn most_parents(&self) -> usize {
        self.max_parents
    }

    /// The required and forbidden arcs.
    pub(super) fn constraints(&self) -> &'a Constraints {
        self.constraints
    }

    /// The nodes that the skeleton, which there is, joins to this one.
    pub(super) fn neighbours(&self, v: Var) -> &'a VarSet {
        self.inside.expect("a search that is not free").neighbours(v)
    }

    /// All nodes that may become a parent of this one, or are one at the start.
    pub(super) fn candidates(&self, to: Var, start: &Dag) -> Vec<Var> {
        let wanted = |from: &Var| self.may_add(*from, to) || start.has_arc(*from, to);
        if self.is_free() {
            return start.vars().filter(wanted).collect();
        }
        let near = self.neighbours(self.outer(to));
        let number =
            |v: Var| self.among.map_or(v, |vars| Var::new(vars.binary_search(&v).expect("a neighbour")));
        let near: VarSet = near.iter().map(number).collect();
        near.union(start.parents(to)).iter().filter(wanted).collect()
    }
}
