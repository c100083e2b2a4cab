//! A cache of values around any score: exact, bounded, and without effect on results.

use std::hash::{Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use super::Score;
use crate::data::Var;

const SHARDS: usize = 64;

/// A family whichever way it is put: the child, then its parents in order.
type Key = SmallVec<[Var; 6]>;

/// Remembers values, and asks the score inside only for those it does not have.
///
/// When it is full it forgets a part and goes on. Several searches over one score share families,
/// and this is what makes the later ones cheap.
pub struct Cached<'a> {
    inner: &'a dyn Score,
    shards: Vec<Mutex<FxHashMap<Key, f64>>>,
    shard_capacity: usize,
}

impl<'a> Cached<'a> {
    /// A cache of at most so many values (about 80 bytes each).
    pub fn new(inner: &'a dyn Score, capacity: usize) -> Cached<'a> {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Cached { inner, shards, shard_capacity: capacity.div_ceil(SHARDS) }
    }

    /// How many values are kept now.
    pub fn len(&self) -> usize {
        self.shards.iter().map(|s| lock(s).len()).sum()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn shard(&self, key: &Key) -> MutexGuard<'_, FxHashMap<Key, f64>> {
        let mut hasher = FxHasher::default();
        key.hash(&mut hasher);
        lock(&self.shards[(hasher.finish() >> 58) as usize % SHARDS])
    }

    fn get(&self, key: &Key) -> Option<f64> {
        self.shard(key).get(key).copied()
    }

    fn put(&self, key: Key, value: f64) {
        if self.shard_capacity == 0 {
            return;
        }
        let mut shard = self.shard(&key);
        if shard.len() >= self.shard_capacity {
            shard.clear();
        }
        shard.insert(key, value);
    }
}

impl Score for Cached<'_> {
    fn local(&self, child: Var, parents: &[Var]) -> f64 {
        let key = key(child, parents, None);
        self.get(&key).unwrap_or_else(|| {
            let value = self.inner.local(child, parents);
            self.put(key, value);
            value
        })
    }

    fn sweep(&self, child: Var, parents: &[Var], candidates: &[Var], out: &mut Vec<f64>) {
        let key = |c: Var| key(child, parents, Some(c));
        let known: Vec<Option<f64>> = candidates.iter().map(|&c| self.get(&key(c))).collect();
        let unknown: Vec<Var> =
            candidates.iter().zip(&known).filter(|(_, k)| k.is_none()).map(|(&c, _)| c).collect();
        let mut new = Vec::with_capacity(unknown.len());
        if !unknown.is_empty() {
            self.inner.sweep(child, parents, &unknown, &mut new);
            unknown.iter().zip(&new).for_each(|(&c, &value)| self.put(key(c), value));
        }
        let mut new = new.into_iter();
        out.extend(
            known.into_iter().map(|k| k.or_else(|| new.next()).expect("a value for each unknown one")),
        );
    }
}

fn key(child: Var, parents: &[Var], candidate: Option<Var>) -> Key {
    let mut key: Key = [child].into_iter().chain(parents.iter().copied()).chain(candidate).collect();
    key[1..].sort_unstable();
    key
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every value stored is whole, so a thread that panicked elsewhere did no harm here.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
