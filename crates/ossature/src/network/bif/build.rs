//! From blocks to a network: what the names mean, and whether the arcs form a DAG.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::syntax::{Block, Blocks, Declaration, Name, shown};
use super::tables::BifTables;
use super::{BifText, ReadNetwork};
use crate::data::{MAX_LEVELS, Var, Variable};
use crate::error::{Error, Result, nearest};
use crate::graph::Dag;
use crate::network::Network;

/// A probability block whose variables are known. The parents are in the order of the file.
pub(super) struct BlockFamily<'a> {
    pub(super) child: Var,
    pub(super) parents: Vec<Var>,
    pub(super) block: &'a Block<'a>,
}

pub(super) fn network(blocks: &Blocks<'_>, source: BifText<'_>) -> Result<ReadNetwork> {
    let variables = variables(&blocks.variables, source)?;
    let families = families(blocks, &variables, source)?;
    let dag = dag(&families, &variables, source)?;
    let mut tables = BifTables::new(&variables, source);
    let filled = families.iter().map(|family| tables.table(family)).collect::<Result<_>>()?;
    let normalised_rows = tables.normalised_rows;
    Ok(ReadNetwork { network: Network::new(variables, dag, filled)?, normalised_rows })
}

/// The variables in the canonical order.
fn variables(declarations: &[Declaration<'_>], source: BifText<'_>) -> Result<Vec<Variable>> {
    let mut sorted: Vec<&Declaration<'_>> = declarations.iter().collect();
    sorted.sort_by(|a, b| a.name.text.cmp(&b.name.text));
    if let Some(pair) = sorted.windows(2).find(|p| p[0].name.text == p[1].name.text) {
        return Err(duplicate("variable", &pair[1].name, source));
    }
    sorted.into_iter().map(|d| variable(d, source)).collect()
}

fn variable(declaration: &Declaration<'_>, source: BifText<'_>) -> Result<Variable> {
    let Declaration { name, states, .. } = declaration;
    if states.is_empty() || states.len() > MAX_LEVELS {
        let found = format!("{} states of {}", states.len(), shown(&name.text));
        return Err(Error::syntax(source.place(name.at), found, format!("from 1 to {MAX_LEVELS} states")));
    }
    if let Some(state) = repeated(states) {
        return Err(duplicate("state", state, source));
    }
    Variable::new(&*name.text, states.iter().map(|s| &*s.text))
}

/// The family of each variable, in the canonical order.
fn families<'a>(
    blocks: &'a Blocks<'a>,
    variables: &[Variable],
    source: BifText<'_>,
) -> Result<Vec<BlockFamily<'a>>> {
    let index: FxHashMap<&str, Var> =
        variables.iter().enumerate().map(|(i, v)| (v.name(), Var::new(i))).collect();
    let var = |name: &Name<'_>| {
        index.get(&*name.text).copied().ok_or_else(|| Error::UnknownName {
            what: "variable",
            name: name.text.to_string(),
            nearest: nearest(&name.text, variables.iter().map(Variable::name)),
            place: Some(source.place(name.at)),
        })
    };
    let mut families: Vec<Option<BlockFamily<'a>>> = variables.iter().map(|_| None).collect();
    for block in &blocks.probabilities {
        let child = var(&block.child)?;
        let parents = block.parents.iter().map(var).collect::<Result<_>>()?;
        if let Some(parent) = repeated(&block.parents) {
            return Err(duplicate("parent", parent, source));
        }
        if families[child.index()].replace(BlockFamily { child, parents, block }).is_some() {
            return Err(duplicate("the probability block of", &block.child, source));
        }
    }
    let lonely = |d: &&Declaration<'_>| families[index[&*d.name.text].index()].is_none();
    if let Some(declaration) = blocks.variables.iter().find(lonely) {
        return Err(Error::syntax(
            source.place(declaration.name.at),
            format!("the variable {} without probabilities", shown(&declaration.name.text)),
            "a `probability` block for each variable",
        ));
    }
    Ok(families.into_iter().flatten().collect())
}

fn dag(families: &[BlockFamily<'_>], variables: &[Variable], source: BifText<'_>) -> Result<Dag> {
    let order = parents_first(families).map_err(|cycle| Error::Cycle {
        place: cycle.first().map(|v| source.place(families[v.index()].block.child.at)),
        cycle: cycle.iter().map(|v| variables[v.index()].name().to_owned()).collect(),
    })?;
    let mut dag = Dag::empty(families.len());
    for v in order {
        for &p in &families[v.index()].parents {
            // A node gets its parents before it has children, so looking for a cycle is quick.
            dag.try_add(p, v).expect("arcs in topological order close no cycle");
        }
    }
    Ok(dag)
}

/// The variables, each after its parents; or a cycle, with its first variable repeated at the end.
fn parents_first(families: &[BlockFamily<'_>]) -> std::result::Result<Vec<Var>, Vec<Var>> {
    let mut children: Vec<Vec<Var>> = vec![Vec::new(); families.len()];
    for family in families {
        family.parents.iter().for_each(|p| children[p.index()].push(family.child));
    }
    let mut waiting: Vec<usize> = families.iter().map(|f| f.parents.len()).collect();
    let mut ready: VecDeque<Var> =
        families.iter().map(|f| f.child).filter(|v| waiting[v.index()] == 0).collect();
    let mut order = Vec::with_capacity(families.len());
    while let Some(v) = ready.pop_front() {
        order.push(v);
        for child in &children[v.index()] {
            waiting[child.index()] -= 1;
            if waiting[child.index()] == 0 {
                ready.push_back(*child);
            }
        }
    }
    match families.iter().find(|f| waiting[f.child.index()] > 0) {
        None => Ok(order),
        Some(f) => Err(cycle_above(f.child, families, &waiting)),
    }
}

/// The cycle found by following, from a variable, parents that still wait for theirs.
fn cycle_above(start: Var, families: &[BlockFamily<'_>], waiting: &[usize]) -> Vec<Var> {
    let mut met = vec![None; families.len()];
    let mut path = Vec::new();
    let mut at = start;
    while met[at.index()].is_none() {
        met[at.index()] = Some(path.len());
        path.push(at);
        at = *families[at.index()]
            .parents
            .iter()
            .find(|p| waiting[p.index()] > 0)
            .expect("who waits has a parent that waits");
    }
    path.push(at);
    let first = met[at.index()].unwrap_or_default();
    path[first..].iter().rev().copied().collect()
}

fn repeated<'a, 'b>(names: &'b [Name<'a>]) -> Option<&'b Name<'a>> {
    let mut seen = FxHashSet::default();
    names.iter().find(|n| !seen.insert(&*n.text))
}

fn duplicate(what: &'static str, name: &Name<'_>, source: BifText<'_>) -> Error {
    Error::Duplicate { what, name: name.text.to_string(), place: Some(source.place(name.at)) }
}
