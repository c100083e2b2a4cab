//! The distribution of the missing values of a row given the known ones, part by part.
//!
//! Given the known values, two missing variables depend on each other only along edges of the moral graph
//! between missing variables. So the missing values of a row fall into independent parts, each with its own
//! table, and if few values are missing in a sparse graph these tables are small. The distribution of *any*
//! set of variables, whether or not it is a family of the network, is a product of their margins.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::distinct::DistinctRows;
use crate::data::{Var, VarSet};
use crate::graph::Dag;

/// The largest number of entries in the table of a part. In a larger part, missing values are imputed until the
/// rest is small enough.
pub(super) const LARGEST_PART: usize = 1 << 14;

/// The probabilities of a DAG, one table per variable: its own levels change fastest, then those of its last
/// parent.
#[derive(Debug, Clone)]
pub(super) struct Parameters {
    pub(super) dag: Dag,
    pub(super) tables: Vec<Vec<f64>>,
}

/// A row with the distribution of its missing values.
#[derive(Debug, Default)]
pub(super) struct Completion {
    /// The logarithm of the probability of the known values.
    pub(super) ln_probability: f64,
    /// The number of missing values that were imputed because a part was too large.
    pub(super) imputed: u64,
    gaps: Vec<MissingValue>,
    /// The distribution of each part; its last variable changes fastest.
    parts: Vec<Vec<f64>>,
}

/// The position of a missing variable.
#[derive(Debug, Clone, Copy)]
struct MissingValue {
    var: Var,
    part: usize,
    /// The distance between its levels in the table of the part.
    stride: usize,
}

/// A graph prepared for the rows of a table.
pub(super) struct Completer<'a> {
    parameters: &'a Parameters,
    rows: &'a DistinctRows,
    /// For each variable, those that share a family with it.
    moral: Vec<VarSet>,
    largest: usize,
}

/// The known levels of a row.
struct KnownLevels<'a> {
    rows: &'a DistinctRows,
    row: usize,
    imputed: SmallVec<[(Var, usize); 4]>,
}

impl KnownLevels<'_> {
    fn level(&self, v: Var) -> Option<usize> {
        let imputed = || self.imputed.iter().find(|(w, _)| *w == v).map(|(_, level)| *level);
        self.rows.level(self.row, v).or_else(imputed)
    }
}

impl<'a> Completer<'a> {
    pub(super) fn new(parameters: &'a Parameters, rows: &'a DistinctRows, largest: usize) -> Completer<'a> {
        let dag = &parameters.dag;
        let family = |v: Var| dag.parents(v).with(v);
        let moral = dag.vars().map(|v| {
            let of_children = dag.children(v).iter().map(family);
            of_children.fold(family(v), |all, one| all.union(&one)).without(v)
        });
        Completer { parameters, rows, moral: moral.collect(), largest }
    }

    /// The distribution of the missing values of a row.
    pub(super) fn complete(&self, row: usize) -> Completion {
        let mut known = KnownLevels { rows: self.rows, row, imputed: SmallVec::new() };
        let parts = self.small_parts(&mut known);
        let mut found = Completion { imputed: known.imputed.len() as u64, ..Completion::default() };
        let dag = &self.parameters.dag;
        for v in dag.vars() {
            let family = || dag.parents(v).iter().chain([v]);
            if family().all(|w| known.level(w).is_some()) {
                let place = self.place(v, &known);
                found.ln_probability += libm::log(self.parameters.tables[v.index()][place]);
            }
        }
        for part in &parts {
            let mut table = self.table(part, &known);
            let sum: f64 = table.iter().sum();
            found.ln_probability += libm::log(sum);
            // A row that is ruled out says nothing of what is missing in it.
            let size = table.len() as f64;
            table.iter_mut().for_each(|p| *p = if sum > 0.0 { *p / sum } else { 1.0 / size });
            found.add_part(part, table, self.rows);
        }
        found.add_imputed(&known.imputed, self.rows);
        found
    }

    /// The missing variables, in parts that are independent given the known values, none of them too large.
    fn small_parts(&self, known: &mut KnownLevels<'_>) -> Vec<Vec<Var>> {
        let mut small = Vec::new();
        let mut open = self.parts(&self.rows.missing(known.row));
        while let Some(part) = open.pop() {
            let size = part.iter().fold(1usize, |size, &v| size.saturating_mul(self.rows.levels(v)));
            if size <= self.largest {
                small.push(part);
                continue;
            }
            // The variable that holds most of the part together; of several the first.
            let others = |v: Var| part.iter().filter(|&&w| self.moral[v.index()].contains(w)).count();
            let hub =
                part.iter().rev().copied().max_by_key(|&v| others(v)).expect("a large part has members");
            let level = self.likely_level(hub, known);
            known.imputed.push((hub, level));
            open.extend(self.parts(&part.into_iter().filter(|&v| v != hub).collect::<Vec<_>>()));
        }
        small.sort_unstable();
        small
    }

    /// The connected parts of some variables in the moral graph.
    fn parts(&self, missing: &[Var]) -> Vec<Vec<Var>> {
        let mut parts = Vec::new();
        let mut left = missing.to_vec();
        while let Some(first) = left.pop() {
            let mut part = vec![first];
            let mut looked_at = 0;
            while looked_at < part.len() {
                let near = &self.moral[part[looked_at].index()];
                let (more, rest): (Vec<Var>, Vec<Var>) = left.iter().partition(|&&v| near.contains(v));
                part.extend(more);
                left = rest;
                looked_at += 1;
            }
            part.sort_unstable();
            parts.push(part);
        }
        parts
    }

    /// The most probable level of a variable, judged by those of its families in which nothing else is
    /// missing.
    fn likely_level(&self, v: Var, known: &mut KnownLevels<'_>) -> usize {
        let dag = &self.parameters.dag;
        let mut likelihood = |level: usize| -> f64 {
            known.imputed.push((v, level));
            let families =
                dag.children(v).iter().chain([v]).filter(|&child| {
                    dag.parents(child).iter().chain([child]).all(|w| known.level(w).is_some())
                });
            let ln = families
                .map(|child| libm::log(self.parameters.tables[child.index()][self.place(child, known)]));
            let ln = ln.sum();
            known.imputed.pop();
            ln
        };
        let likelihoods: Vec<f64> = (0..self.rows.levels(v)).map(&mut likelihood).collect();
        let most = likelihoods.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        likelihoods.iter().position(|&ln| ln >= most).unwrap_or_default()
    }

    /// The index of a row in the table of a variable, with the first level for missing values.
    fn place(&self, v: Var, known: &KnownLevels<'_>) -> usize {
        let family = self.parameters.dag.parents(v).iter().chain([v]);
        family.fold(0, |place, w| place * self.rows.levels(w) + known.level(w).unwrap_or_default())
    }

    /// The probability of each configuration of a part together with the known values of its
    /// families.
    fn table(&self, part: &[Var], known: &KnownLevels<'_>) -> Vec<f64> {
        let dag = &self.parameters.dag;
        let levels: SmallVec<[usize; 8]> = part.iter().map(|&v| self.rows.levels(v)).collect();
        let mut table = vec![1.0; levels.iter().product()];
        let touched: VarSet = part.iter().flat_map(|&v| dag.children(v).iter().chain([v])).collect();
        for child in touched.iter() {
            let strides: SmallVec<[usize; 8]> = part.iter().map(|&v| self.stride(child, v)).collect();
            let probabilities = &self.parameters.tables[child.index()];
            let mut digits: SmallVec<[usize; 8]> = SmallVec::from_elem(0, part.len());
            let mut place = self.place(child, known);
            for p in &mut table {
                *p *= probabilities[place];
                for i in (0..digits.len()).rev() {
                    digits[i] += 1;
                    place += strides[i];
                    if digits[i] < levels[i] {
                        break;
                    }
                    place -= strides[i] * levels[i];
                    digits[i] = 0;
                }
            }
        }
        table
    }

    /// The distance between the levels of a variable in the table of another one; 0 if it is not in that
    /// table.
    fn stride(&self, child: Var, v: Var) -> usize {
        let mut stride = 1;
        for w in [child].into_iter().chain(self.parameters.dag.parents(child).iter().rev()) {
            if w == v {
                return stride;
            }
            stride *= self.rows.levels(w);
        }
        0
    }
}

impl Completion {
    fn add_part(&mut self, part: &[Var], table: Vec<f64>, rows: &DistinctRows) {
        let mut stride = 1;
        for &var in part.iter().rev() {
            self.gaps.push(MissingValue { var, part: self.parts.len(), stride });
            stride *= rows.levels(var);
        }
        self.parts.push(table);
    }

    fn add_imputed(&mut self, imputed: &[(Var, usize)], rows: &DistinctRows) {
        for &(var, level) in imputed {
            let certain = (0..rows.levels(var)).map(|l| f64::from(u8::from(l == level)));
            self.add_part(&[var], certain.collect(), rows);
        }
    }

    /// Calls `add(place, probability)` for the possible configurations of a set in a row: `place` is the sum,
    /// over the set, of the level times its stride.
    pub(super) fn spread(
        &self,
        rows: &DistinctRows,
        row: usize,
        set: &[(Var, u64)],
        mut add: impl FnMut(u64, f64),
    ) {
        let mut missing: SmallVec<[(MissingValue, u64); 8]> = SmallVec::new();
        let mut place = 0;
        for &(v, counts) in set {
            match rows.level(row, v) {
                Some(level) => place += level as u64 * counts,
                None => {
                    let gap = self.gaps.iter().find(|gap| gap.var == v).expect("what is missing is known");
                    missing.push((*gap, counts));
                }
            }
        }
        if missing.is_empty() {
            return add(place, 1.0);
        }
        missing.sort_unstable_by_key(|(gap, _)| gap.part);
        let mut all: SmallVec<[(u64, f64); 32]> = SmallVec::from_slice(&[(place, 1.0)]);
        for members in missing.chunk_by(|(a, _), (b, _)| a.part == b.part) {
            let margin = self.margin(members, rows);
            let before = std::mem::take(&mut all);
            for (place, p) in before {
                all.extend(margin.iter().map(|(more, q)| (place + more, p * q)));
            }
        }
        all.into_iter().for_each(|(place, p)| add(place, p));
    }

    /// The distribution of some variables of one part, without impossible configurations.
    fn margin(&self, members: &[(MissingValue, u64)], rows: &DistinctRows) -> SmallVec<[(u64, f64); 16]> {
        let table = &self.parts[members[0].0.part];
        let of_place = |at: usize| -> u64 {
            members.iter().map(|(gap, counts)| (at / gap.stride % rows.levels(gap.var)) as u64 * counts).sum()
        };
        let possible = table.iter().enumerate().filter(|&(_, &p)| p > 0.0).map(|(at, &p)| (of_place(at), p));
        let size: usize = members.iter().map(|(gap, _)| rows.levels(gap.var)).product();
        if size == table.len() {
            return possible.collect();
        }
        let mut margin: SmallVec<[(u64, f64); 16]> = SmallVec::new();
        if size <= 16 {
            for (place, p) in possible {
                match margin.iter_mut().find(|(known, _)| *known == place) {
                    Some((_, sum)) => *sum += p,
                    None => margin.push((place, p)),
                }
            }
            return margin;
        }
        let mut at: FxHashMap<u64, usize> = FxHashMap::default();
        for (place, p) in possible {
            let i = *at.entry(place).or_insert(margin.len());
            match margin.get_mut(i) {
                Some((_, sum)) => *sum += p,
                None => margin.push((place, p)),
            }
        }
        margin
    }
}
