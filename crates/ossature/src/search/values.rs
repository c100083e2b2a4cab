//! The values of nodes, kept for all tie orders and restarts of a search.
//!
//! The moves at a node depend only on its parents, and the same parents recur in the orders of a search.
//! So the values of a node with its parents, and the best candidates ranked by them, are computed once and
//! shared; an order only needs its own ranking if candidates have exactly the same gain, or if it looks
//! beyond the best.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::counting::part_of;
use super::rules::Rules;
use super::set_rows::{Room, SetRows};
use super::valued::{Changed, Valued};
use crate::data::{Var, VarSet};
use crate::graph::Dag;
use crate::parallel;
use crate::score::Score;

/// The largest number of bytes kept: so many, or so many for each variable if that is more. Ten orders on link, with 724
/// variables, need 180 kB for each; smaller tables need less.
const ROOM: usize = 32 << 20;
const ROOM_OF_EACH: usize = 192 << 10;

/// The number of candidates of a node that are worth dividing among many threads.
const MOST_BY_ONE: usize = if cfg!(test) { 6 } else { 64 };

/// The values of all nodes with all parents so far, shared by threads.
pub(super) struct NodeValues<'a> {
    score: &'a dyn Score,
    rules: &'a Rules<'a>,
    /// The possible parents of each node, in order.
    candidates: Vec<Box<[Var]>>,
    narrow: bool,
    known: Vec<Mutex<FxHashMap<VarSet, Arc<Valued>>>>,
    /// For a free search by a score that is a difference of values of sets.
    sets: Option<SetRows<'a>>,
    room: Arc<Room>,
}

impl<'a> NodeValues<'a> {
    /// An empty cache. A parent at the start may become one again.
    pub(super) fn new(score: &'a dyn Score, rules: &'a Rules<'a>, start: &Dag) -> NodeValues<'a> {
        let room = Arc::new(Room::new(ROOM.max(ROOM_OF_EACH * start.nodes())));
        let sets = score.sets().filter(|_| rules.is_free());
        let candidates: Vec<Box<[Var]>> = start.vars().map(|v| rules.candidates(v, start).into()).collect();
        NodeValues {
            score,
            rules,
            narrow: candidates.iter().all(|list| list.len() < MOST_BY_ONE),
            candidates,
            known: start.vars().map(|_| Mutex::default()).collect(),
            sets: sets.map(|sets| SetRows::new(sets, start.nodes(), Arc::clone(&room))),
            room,
        }
    }

    /// The memory for the values of every node with one set of parents, which a search always has.
    pub(super) fn bytes(&self) -> u128 {
        let entries: usize = self.candidates.iter().map(|list| list.len()).sum();
        // From the values of sets a value follows by a difference, so two are kept.
        let values = if self.sets.is_some() { 2 } else { 1 };
        entries as u128 * values * size_of::<f64>() as u128
    }

    /// Which arcs may be added and deleted.
    pub(super) fn rules(&self) -> &'a Rules<'a> {
        self.rules
    }

    /// Whether searches that begin at once value nothing twice.
    pub(super) fn is_shared(&self) -> bool {
        self.sets.is_some()
    }

    /// Whether no node has so many candidates that threads divide them.
    pub(super) fn is_narrow(&self) -> bool {
        self.narrow
    }

    /// `f` of every index below `n`, each a search; threads without one may help the others to value nodes.
    pub(super) fn searches<T: Send>(&self, n: usize, f: impl Fn(usize) -> T + Sync) -> Vec<T> {
        match self.helped() {
            Some(sets) => sets.searches(n, f),
            None => parallel::map(n, f),
        }
    }

    /// The values of sets, if threads without a search help to count them.
    fn helped(&self) -> Option<&SetRows<'a>> {
        self.sets.as_ref().filter(|_| !self.narrow)
    }

    /// The values of some nodes with their parents in a graph.
    pub(super) fn of_nodes(&self, nodes: &[Var], dag: &Dag) -> Vec<Arc<Valued>> {
        let of = |v: &Var| self.of(*v, dag.parents(*v));
        match self.helped() {
            // A search that waited for the pool might be given the work of a helper, who waits for the searches.
            Some(_) => nodes.iter().map(of).collect(),
            None => parallel::map_each(nodes, of),
        }
    }

    /// The possible parents of a node, in order.
    pub(super) fn candidates(&self, v: Var) -> &[Var] {
        &self.candidates[v.index()]
    }

    /// The index of a candidate.
    pub(super) fn place(&self, v: Var, candidate: Var) -> usize {
        let candidates = self.candidates(v);
        // Where it is if all other nodes are candidates, as in a free search.
        let among_all = candidate.index() - usize::from(candidate > v);
        match candidates.get(among_all) == Some(&candidate) {
            true => among_all,
            false => candidates.binary_search(&candidate).expect("a candidate"),
        }
    }

    /// The values of a node with these parents.
    pub(super) fn of(&self, v: Var, parents: &VarSet) -> Arc<Valued> {
        if let Some(known) = self.locked(v, |known| known.get(parents).cloned()) {
            return known;
        }
        // No lock is held while the score works: its threads may come here again.
        let (valued, is_kept) = self.value(v, parents);
        let valued = Arc::new(valued);
        if is_kept && self.room.take(valued.bytes() + 64) {
            self.locked(v, |known| known.insert(parents.clone(), Arc::clone(&valued)));
        }
        valued
    }

    /// The values, and whether the values of sets from which they follow are kept.
    fn value(&self, v: Var, parents: &VarSet) -> (Valued, bool) {
        let candidates = self.candidates(v);
        let (mut changed, is_kept) = self.more(v, parents);
        let deletable = parents.iter().filter(|&p| self.rules.may_delete(p, v));
        let fewer: SmallVec<[(Var, VarSet); 8]> = deletable.map(|p| (p, parents.without(p))).collect();
        let families = std::iter::once(parents).chain(fewer.iter().map(|(_, others)| others));
        let values = self.families(v, families);
        let without = fewer.iter().map(|(p, _)| *p).zip(values[1..].iter().copied());
        match &mut changed {
            Changed::Listed(listed) => without.for_each(|(p, value)| listed[self.place(v, p)] = value),
            Changed::OfSets { fewer, .. } => fewer.extend(without),
        }
        let may_add = |from: Var| self.rules.may_add(from, v);
        (Valued::new(values[0], parents.clone(), changed, candidates, may_add), is_kept)
    }

    /// All candidates of a node that may be added, in this order among those with the same gain.
    pub(super) fn all_adds_by<K: Ord>(&self, v: Var, valued: &Valued, key: impl Fn(u32) -> K) -> Box<[u32]> {
        valued.all_adds_by(self.candidates(v), |from| self.rules.may_add(from, v), key)
    }

    /// The values of a node with each of these parent sets: values already computed as one parent more
    /// or fewer than another set are reused.
    fn families<'s>(&self, v: Var, sets: impl Iterator<Item = &'s VarSet>) -> SmallVec<[f64; 8]> {
        if let Some(rows) = &self.sets {
            return sets.map(|parents| rows.value(&parents.with(v)) - rows.value(parents)).collect();
        }
        let sets: SmallVec<[&VarSet; 8]> = sets.collect();
        let mut values: SmallVec<[f64; 8]> = self
            .locked(v, |known| sets.iter().map(|set| self.met(known, v, set).unwrap_or(f64::NAN)).collect());
        let open: SmallVec<[usize; 8]> = (0..sets.len()).filter(|&i| values[i].is_nan()).collect();
        let families: SmallVec<[(Var, &[Var]); 8]> = open.iter().map(|&i| (v, sets[i].as_slice())).collect();
        if !families.is_empty() {
            let mut scored = Vec::with_capacity(families.len());
            self.score.locals(&families, &mut scored);
            open.iter().zip(scored).for_each(|(&i, value)| values[i] = value);
        }
        values
    }

    /// The value of a node with these parents, if it is known from earlier work.
    fn met(&self, known: &FxHashMap<VarSet, Arc<Valued>>, v: Var, parents: &VarSet) -> Option<f64> {
        let itself = known.get(parents).map(|valued| valued.local);
        itself.or_else(|| {
            parents.iter().find_map(|p| {
                let value = known.get(&parents.without(p))?.changed(self.place(v, p), p);
                (value > f64::NEG_INFINITY).then_some(value)
            })
        })
    }

    /// The values of a node with one more parent, and whether the values of sets that they need are kept; many candidates
    /// are divided among threads.
    fn more(&self, v: Var, parents: &VarSet) -> (Changed, bool) {
        let others = self.candidates(v).iter().copied().filter(|&c| !parents.contains(c));
        let others: Vec<Var> = if self.rules.may_grow(parents.len()) { others.collect() } else { Vec::new() };
        if let Some(sets) = self.sets.as_ref().filter(|_| !others.is_empty()) {
            let (joint, margins, is_kept) = sets.rows(v, parents);
            return (Changed::OfSets { joint, margins, fewer: SmallVec::new() }, is_kept);
        }
        let part = |candidates: &[Var]| {
            let mut values = Vec::with_capacity(candidates.len());
            self.score.sweep(v, parents.as_slice(), candidates, &mut values);
            values
        };
        let values = match others.is_empty() {
            true => Vec::new(),
            false => parallel::map_chunks(&others, part_of(others.len()), part),
        };
        let mut listed: Box<[f64]> = vec![f64::NEG_INFINITY; self.candidates(v).len()].into();
        others.iter().zip(values).for_each(|(&c, value)| listed[self.place(v, c)] = value);
        (Changed::Listed(listed), true)
    }

    fn locked<R>(&self, v: Var, f: impl FnOnce(&mut FxHashMap<VarSet, Arc<Valued>>) -> R) -> R {
        f(&mut self.known[v.index()].lock().unwrap_or_else(PoisonError::into_inner))
    }
}
