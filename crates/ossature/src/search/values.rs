//! The values of nodes, kept for all tie orders and restarts of a search.
//!
//! The moves at a node depend only on its parents, and the same parents recur in the orders of a search.
//! So the values of a node with its parents, and the best candidates ranked by them, are kept as long as there is room, and
//! shared; an order only needs its own ranking if candidates have exactly the same gain, or if it looks
//! beyond the best.

use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::candidates::{AllCandidates, Candidates};
use super::counting::part_of;
use super::in_place::{InPlace, Spot};
use super::rules::Rules;
use super::set_rows::SetRows;
use super::valued::{CandidateValues, MoreValues, Valued, all_adds_by};
use super::waiting::within_patience;
use crate::data::{Var, VarSet};
use crate::graph::Dag;
use crate::parallel;
use crate::score::Score;

/// The largest number of bytes kept for the values of nodes, and for each node if all its values are kept and not only the best.
const ROOM: usize = if cfg!(test) { 8 << 10 } else { 32 << 20 };
const ROOM_OF_EACH: usize = if cfg!(test) { 1 << 10 } else { 192 << 10 };

/// The same for the values of sets of which they are made: so many, or so many for each variable. With twice as much ten
/// orders on pigs, with 441 variables, are a tenth faster; link, with 724, takes the same time.
const ROOM_OF_SETS: usize = if cfg!(test) { 1 << 10 } else { 7 << 18 };
const ROOM_OF_SETS_OF_EACH: usize = if cfg!(test) { 1 << 7 } else { 4 << 10 };

/// The number of candidates of a node that are worth dividing among many threads. If the mean is less, and none has
/// many times as many, each node is valued by one thread.
const MOST_BY_ONE: usize = if cfg!(test) { 3 } else { 24 };

/// The size from which on a part of these candidates is large.
const LARGE_PART: usize = 24;

/// So many threads forget values together.
const MANY_THREADS: usize = 8;

/// What the components of a search share: where values are kept, and how much room is left.
pub(super) struct KeptValues {
    places: InPlace<Valued>,
    /// The number of bytes that are left.
    room: AtomicUsize,
}

/// The values of all nodes of a component with all parents so far, shared by threads.
pub(super) struct NodeValues<'a> {
    score: &'a dyn Score,
    rules: &'a Rules<'a>,
    /// The possible parents of each node, in order.
    candidates: AllCandidates,
    narrow: bool,
    known: Vec<Mutex<KnownValues>>,
    kept: &'a KeptValues,
    /// For a free search by a score that is a difference of values of sets.
    sets: Option<SetRows<'a>>,
}

/// The values of one node.
#[derive(Default)]
struct KnownValues {
    /// Where those are that are kept.
    by_parents: FxHashMap<VarSet, Spot>,
    /// Those that a search is finding.
    begun: Vec<Arc<BegunValues>>,
}

/// The values of a node with these parents, which a search is finding.
struct BegunValues {
    parents: VarSet,
    found: OnceLock<FoundValues>,
}

/// The values of a node with certain parents: kept for all, or not, if there was no room.
#[derive(Debug, Clone)]
enum FoundValues {
    Kept(Spot),
    Own(Arc<Valued>),
}

/// Such values, to read.
#[derive(Debug, Clone)]
pub(super) enum Held<'a> {
    Kept(&'a Valued),
    Own(Arc<Valued>),
}

impl Deref for Held<'_> {
    type Target = Valued;

    fn deref(&self) -> &Valued {
        match self {
            Held::Kept(valued) => valued,
            Held::Own(valued) => valued,
        }
    }
}

/// What is to be done for the values of a node.
enum ValuesFound {
    Known(Spot),
    /// Wait for another search.
    Begun(Arc<BegunValues>),
    /// Find them, and tell others who wait for them.
    Open(Option<Arc<BegunValues>>),
}

/// Takes values from those that a search is finding, also if it panicked.
struct EndsFinding<'f> {
    values: &'f NodeValues<'f>,
    v: Var,
    begun: &'f Arc<BegunValues>,
}

impl Drop for EndsFinding<'_> {
    fn drop(&mut self) {
        self.values.locked(self.v, |known| known.begun.retain(|other| !Arc::ptr_eq(other, self.begun)));
    }
}

impl KnownValues {
    /// The values with these parents; if they are `shared`, others can wait for whoever finds them.
    fn find_or_begin(&mut self, parents: &VarSet, shared: bool) -> ValuesFound {
        if let Some(&place) = self.by_parents.get(parents) {
            return ValuesFound::Known(place);
        }
        if let Some(begun) = self.begun.iter().find(|begun| begun.parents == *parents) {
            return ValuesFound::Begun(Arc::clone(begun));
        }
        let begin = || {
            let begun = Arc::new(BegunValues { parents: parents.clone(), found: OnceLock::new() });
            self.begun.push(Arc::clone(&begun));
            begun
        };
        ValuesFound::Open(shared.then(begin))
    }
}

impl KeptValues {
    /// Nothing yet, and room for the values of so many nodes.
    pub(super) fn new(score: &dyn Score, rules: &Rules<'_>, nodes: usize) -> KeptValues {
        let is_of_sets = rules.is_free() && score.sets().is_some();
        let room = if is_of_sets { ROOM } else { ROOM.max(ROOM_OF_EACH * nodes) };
        KeptValues { places: InPlace::new(), room: AtomicUsize::new(room) }
    }

    fn at(&self, place: Spot) -> &Valued {
        self.places.at(place).expect("whoever knows the place has seen what was put there")
    }

    /// Keeps values if there is room, or gives them back.
    fn keep(&self, valued: Valued) -> Result<Spot, Valued> {
        let bytes = InPlace::<Valued>::OF_EACH + valued.bytes_outside() + 64;
        let left = |room: usize| room.checked_sub(bytes);
        match self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left) {
            Ok(_) => self.places.keep(valued),
            Err(_) => Err(valued),
        }
    }

    /// Forgets all values. With many threads, freeing what they have allocated takes one of them a while; a few are in each
    /// other's way.
    pub(super) fn forget(mut self) {
        if rayon::current_num_threads() >= MANY_THREADS {
            self.places.forget();
        }
    }
}

impl<'a> NodeValues<'a> {
    /// An empty cache. A parent at the start may become one again.
    pub(super) fn new(
        score: &'a dyn Score,
        rules: &'a Rules<'a>,
        start: &Dag,
        kept: &'a KeptValues,
    ) -> NodeValues<'a> {
        let of_sets = ROOM_OF_SETS.max(ROOM_OF_SETS_OF_EACH * start.nodes());
        let sets = score.sets().filter(|_| rules.is_free());
        let candidates = AllCandidates::new(start.nodes(), |v| rules.candidates(v, start));
        NodeValues {
            score,
            rules,
            narrow: candidates.sizes().sum::<usize>() < MOST_BY_ONE * start.nodes()
                && candidates.sizes().all(|size| size < 8 * MOST_BY_ONE),
            candidates,
            known: start.vars().map(|_| Mutex::default()).collect(),
            kept,
            sets: sets.map(|sets| SetRows::new(sets, start.nodes(), of_sets)),
        }
    }

    /// The memory for the values of every node with one set of parents, which a search always has.
    pub(super) fn bytes(rules: &Rules<'_>, start: &Dag) -> u128 {
        let candidates = |v: Var| match rules.is_free() {
            true => start.nodes() - 1,
            false => rules.candidates(v, start).len(),
        };
        start.vars().map(|v| candidates(v) as u128).sum::<u128>() * size_of::<f64>() as u128
    }

    /// Which arcs may be added and deleted.
    pub(super) fn rules(&self) -> &'a Rules<'a> {
        self.rules
    }

    /// Whether searches that begin at once find no values twice.
    pub(super) fn is_shared(&self) -> bool {
        self.sets.is_some() || self.narrow
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

    /// The values of some nodes with their parents in a graph; those with their parents before are given. Where another
    /// search is finding them, `ahead` may do something else that is of use, and says whether it has.
    pub(super) fn of_nodes(
        &self,
        nodes: &[(Var, &Valued)],
        dag: &Dag,
        ahead: impl Fn() -> bool + Sync,
    ) -> SmallVec<[Held<'_>; 2]> {
        let of = |&(v, before): &(Var, &Valued)| self.after(v, before, dag.parents(v), &ahead);
        match self.is_shared() {
            // A search that waited for the pool might be given the work of a helper, who waits for the searches, or that of
            // another search, which waits for its values.
            true => nodes.iter().map(of).collect(),
            false => parallel::map_each(nodes, of).into(),
        }
    }

    /// The possible parents of a node.
    pub(super) fn candidates(&self, v: Var) -> Candidates<'_> {
        self.candidates.of(v)
    }

    /// The values of a node with these parents, after it had others.
    fn after(&self, v: Var, before: &Valued, parents: &VarSet, ahead: &dyn Fn() -> bool) -> Held<'_> {
        let place = before.parents().differs_in(parents).map(|changed| self.candidates(v).place(changed));
        let next = place.and_then(|place| before.next(place));
        if let Some(valued) = next.and_then(|next| self.kept.places.at(next)) {
            return Held::Kept(valued);
        }
        let found = self.look_up(v, parents, ahead);
        if let (Some(place), &FoundValues::Kept(next)) = (place, &found) {
            before.set_next(place, next);
        }
        self.held(found)
    }

    /// The values of a node with these parents.
    pub(super) fn of(&self, v: Var, parents: &VarSet, ahead: &dyn Fn() -> bool) -> Held<'_> {
        self.held(self.look_up(v, parents, ahead))
    }

    fn look_up(&self, v: Var, parents: &VarSet, ahead: &dyn Fn() -> bool) -> FoundValues {
        match self.locked(v, |known| known.find_or_begin(parents, self.waits())) {
            ValuesFound::Known(place) => FoundValues::Kept(place),
            ValuesFound::Begun(begun) => {
                while begun.found.get().is_none() && ahead() {}
                within_patience(&begun.found).cloned().unwrap_or_else(|| self.find(v, parents, ahead))
            }
            ValuesFound::Open(None) => self.find(v, parents, ahead),
            ValuesFound::Open(Some(begun)) => self.find_begun(v, &begun),
        }
    }

    fn held(&self, found: FoundValues) -> Held<'_> {
        match found {
            FoundValues::Kept(place) => Held::Kept(self.kept.at(place)),
            FoundValues::Own(valued) => Held::Own(valued),
        }
    }

    /// Finds the values of a node with parents that it may have soon, unless they are known or another search is
    /// finding them; returns whether that was of use.
    pub(super) fn ahead(&self, v: Var, parents: &VarSet) -> bool {
        if !self.rules.may_grow(parents.len()) {
            return false;
        }
        match (self.locked(v, |known| known.find_or_begin(parents, self.waits())), &self.sets) {
            (ValuesFound::Open(Some(begun)), _) => {
                self.find_begun(v, &begun);
                // Without room they would be found again and again.
                self.locked(v, |known| known.by_parents.contains_key(parents))
            }
            (ValuesFound::Open(None), Some(sets)) => sets.count_ahead(v, parents),
            _ => false,
        }
    }

    /// Whether a search waits for another that is finding the same values.
    fn waits(&self) -> bool {
        self.narrow && self.sets.is_none()
    }

    /// Finds the values of a node for which others may wait.
    fn find_begun(&self, v: Var, begun: &Arc<BegunValues>) -> FoundValues {
        let _ends = EndsFinding { values: self, v, begun };
        begun.found.get_or_init(|| self.find(v, &begun.parents, &|| false)).clone()
    }

    /// Finds the values of a node, and keeps them if there is room.
    fn find(&self, v: Var, parents: &VarSet, ahead: &dyn Fn() -> bool) -> FoundValues {
        // No lock is held while the score works: its threads may come here again.
        let valued = self.value(v, parents, ahead);
        self.locked(v, |known| {
            if let Some(&place) = known.by_parents.get(parents) {
                return FoundValues::Kept(place); // another order was faster
            }
            match self.kept.keep(valued) {
                Ok(place) => {
                    known.by_parents.insert(parents.clone(), place);
                    FoundValues::Kept(place)
                }
                Err(valued) => FoundValues::Own(Arc::new(valued)),
            }
        })
    }

    fn value(&self, v: Var, parents: &VarSet, ahead: &dyn Fn() -> bool) -> Valued {
        let mut source = self.more(v, parents, ahead);
        let deletable = parents.iter().filter(|&p| self.rules.may_delete(p, v));
        let others: SmallVec<[(Var, VarSet); 8]> = deletable.map(|p| (p, parents.without(p))).collect();
        let families = std::iter::once(parents).chain(others.iter().map(|(_, others)| others));
        let values = self.families(v, families);
        let mut fewer: SmallVec<[(Var, f64); 2]> =
            others.iter().map(|(p, _)| *p).zip(values[1..].iter().copied()).collect();
        if let MoreValues::Listed(listed) = &mut source {
            fewer.drain(..).for_each(|(p, value)| listed[self.candidates(v).place(p)] = value);
        }
        let may_add = |from: Var| self.rules.may_add(from, v);
        Valued::new(values[0], parents.clone(), source, fewer, self.candidates(v), may_add)
    }

    /// The value of a node when a candidate becomes a parent or ceases to be one.
    pub(super) fn changed(&self, v: Var, valued: &Valued, candidate: Var) -> f64 {
        valued.changed(self.candidates(v).place(candidate), candidate).unwrap_or_else(|| {
            let parents = valued.parents().with(candidate);
            self.families(v, std::iter::once(&parents))[0]
        })
    }

    /// The corresponding gain.
    pub(super) fn gain(&self, v: Var, valued: &Valued, candidate: Var) -> f64 {
        self.changed(v, valued, candidate) - valued.local
    }

    /// All candidates of a node that may be added, in this order among those with the same gain.
    pub(super) fn all_adds_by<K: Ord>(&self, v: Var, valued: &Valued, key: impl Fn(u32) -> K) -> Box<[u32]> {
        let source = valued.source().unwrap_or_else(|| self.more(v, valued.parents(), &|| false));
        all_adds_by(valued, &source, self.candidates(v), |from| self.rules.may_add(from, v), key)
    }

    /// The values of a node with each of these parent sets: values already computed as one parent more
    /// or fewer than another set are reused.
    fn families<'s>(&self, v: Var, sets: impl Iterator<Item = &'s VarSet>) -> SmallVec<[f64; 8]> {
        if let Some(rows) = &self.sets {
            return sets.map(|parents| rows.value(&parents.with(v)) - rows.value(parents)).collect();
        }
        let sets: SmallVec<[&VarSet; 8]> = sets.collect();
        let mut values: SmallVec<[f64; 8]> = self.locked(v, |known| {
            sets.iter().map(|set| self.met(&known.by_parents, v, set).unwrap_or(f64::NAN)).collect()
        });
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
    fn met(&self, known: &FxHashMap<VarSet, Spot>, v: Var, parents: &VarSet) -> Option<f64> {
        let kept = |parents: &VarSet| known.get(parents).map(|&place| self.kept.at(place));
        let itself = kept(parents).map(|valued| valued.local);
        itself.or_else(|| {
            parents.iter().find_map(|p| {
                let value = kept(&parents.without(p))?.changed(self.candidates(v).place(p), p)?;
                (value > f64::NEG_INFINITY).then_some(value)
            })
        })
    }

    /// The values of a node with one more parent; many candidates are divided among threads.
    fn more(&self, v: Var, parents: &VarSet, ahead: &dyn Fn() -> bool) -> MoreValues {
        let (candidates, may_grow) = (self.candidates(v), self.rules.may_grow(parents.len()));
        let others = || candidates.iter().filter(|&c| may_grow && !parents.contains(c));
        if let Some(sets) = self.sets.as_ref().filter(|_| others().next().is_some()) {
            let (joint, margins) = sets.rows(v, parents, ahead);
            return MoreValues::OfSets { joint, margins }.listed_if_few(candidates, parents);
        }
        let others: Vec<Var> = others().collect();
        let part = |candidates: &[Var]| {
            let mut values = Vec::with_capacity(candidates.len());
            self.score.sweep(v, parents.as_slice(), candidates, &mut values);
            values
        };
        let values = match &others[..] {
            [] => Vec::new(),
            few if self.narrow => part(few),
            many => parallel::map_chunks(many, part_of(many.len(), LARGE_PART), part),
        };
        let mut listed = CandidateValues::from_elem(f64::NEG_INFINITY, candidates.len());
        others.iter().zip(values).for_each(|(&c, value)| listed[candidates.place(c)] = value);
        MoreValues::Listed(listed)
    }

    /// Forgets where the values of the nodes are, with many threads by all of them.
    pub(super) fn forget(mut components: Vec<NodeValues<'_>>) {
        if rayon::current_num_threads() >= MANY_THREADS {
            parallel::for_each_mut(&mut components, |_, values| {
                parallel::for_each_mut(&mut values.known, |_, known| *known = Mutex::default());
            });
        }
    }

    fn locked<R>(&self, v: Var, f: impl FnOnce(&mut KnownValues) -> R) -> R {
        f(&mut self.known[v.index()].lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::graph::{Constraints, Skeleton};

    /// A score that panics for one family the first time.
    struct Panics(AtomicUsize);

    impl Score for Panics {
        fn local(&self, child: Var, parents: &[Var]) -> f64 {
            let is_one = child == Var(0) && parents.len() == 1;
            assert!(!is_one || self.0.fetch_add(1, Ordering::Relaxed) > 0, "on purpose");
            parents.len() as f64
        }

        fn ceiling(&self, _: Var, _: &[Var], _: u64) -> f64 {
            f64::INFINITY
        }
    }

    fn one_with_two_others() -> Skeleton {
        let mut skeleton = Skeleton::empty(3);
        skeleton.insert(Var(0), Var(1));
        skeleton.insert(Var(0), Var(2));
        skeleton
    }

    #[test]
    fn values_lead_to_those_with_one_parent_more_or_fewer() {
        let skeleton = one_with_two_others();
        let (constraints, start) = (Constraints::none(), Dag::empty(3));
        let rules = Rules::new(Some(&skeleton), &constraints, None);
        let score = Panics(AtomicUsize::new(1));
        let kept = KeptValues::new(&score, &rules, 3);
        let values = NodeValues::new(&score, &rules, &start, &kept);
        let parents = |list: &[u32]| list.iter().map(|&v| Var(v)).collect::<VarSet>();
        let of = |before: &Valued, list: &[u32]| values.after(Var(0), before, &parents(list), &|| false);
        let none = values.of(Var(0), &parents(&[]), &|| false);
        assert!([0, 1].iter().all(|&place| none.next(place).is_none()));
        let one = of(&none, &[2]);
        assert_eq!(none.next(1).map(|place| &raw const *kept.at(place)), Some(&raw const *one));
        assert_eq!((one.local, one.parents()), (1.0, &parents(&[2])));
        // The way that is known, the way back, and to other sets.
        assert!(std::ptr::eq(&*of(&none, &[2]), &*one));
        assert!(std::ptr::eq(&*of(&one, &[]), &*none));
        assert_eq!(of(&one, &[1, 2]).parents(), &parents(&[1, 2]));
        assert_eq!(of(&none, &[1, 2]).local, 2.0);
        assert_eq!(of(&one, &[1]).local, 1.0);
        assert!(none.next(0).is_none(), "two changes at once are no step");
    }

    #[test]
    fn nobody_waits_for_a_search_that_has_panicked() {
        let skeleton = one_with_two_others();
        let (constraints, start) = (Constraints::none(), Dag::empty(3));
        let rules = Rules::new(Some(&skeleton), &constraints, None);
        let score = Panics(AtomicUsize::new(0));
        let kept = KeptValues::new(&score, &rules, 3);
        let values = NodeValues::new(&score, &rules, &start, &kept);
        assert!(values.waits());
        let find = || values.of(Var(0), start.parents(Var(0)), &|| false).local;
        assert!(catch_unwind(AssertUnwindSafe(find)).is_err());
        assert!(values.locked(Var(0), |known| known.begun.is_empty()));
        assert_eq!(find(), 0.0);
    }
}
