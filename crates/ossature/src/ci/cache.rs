//! A cache of outcomes around any test: exact, bounded, and without effect on results.

use std::hash::{Hash, Hasher};
use std::sync::Mutex;

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use super::CiTest;
use super::outcome::Outcome;
use crate::data::Var;

const SHARDS: usize = 64;

/// A question whichever way it is put: X and Y in order, then Z in order.
type Key = SmallVec<[Var; 6]>;

/// Remembers outcomes, and asks the test inside only for those it does not have.
///
/// When it is full it forgets a part and goes on.
pub struct Cached<'a> {
    inner: &'a dyn CiTest,
    shards: Vec<Mutex<FxHashMap<Key, Outcome>>>,
    shard_capacity: usize,
}

impl<'a> Cached<'a> {
    /// A cache of at most so many outcomes (about 100 bytes each).
    pub fn new(inner: &'a dyn CiTest, capacity: usize) -> Cached<'a> {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Cached { inner, shards, shard_capacity: capacity.div_ceil(SHARDS) }
    }

    /// How many outcomes are kept now.
    pub fn len(&self) -> usize {
        self.shards.iter().map(|s| lock(s).len()).sum()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn shard(&self, key: &Key) -> &Mutex<FxHashMap<Key, Outcome>> {
        let mut hasher = FxHasher::default();
        key.hash(&mut hasher);
        &self.shards[(hasher.finish() >> 58) as usize % SHARDS]
    }

    fn get(&self, key: &Key) -> Option<Outcome> {
        lock(self.shard(key)).get(key).copied()
    }

    fn put(&self, key: Key, outcome: Outcome) {
        let mut shard = lock(self.shard(&key));
        if shard.len() >= self.shard_capacity {
            shard.clear();
        }
        if self.shard_capacity > 0 {
            shard.insert(key, outcome);
        }
    }
}

impl CiTest for Cached<'_> {
    fn test(&self, x: Var, y: Var, z: &[Var]) -> Outcome {
        let key = key(x, y, z);
        self.get(&key).unwrap_or_else(|| {
            let outcome = self.inner.test(x, y, z);
            self.put(key, outcome);
            outcome
        })
    }

    fn sweep(&self, t: Var, xs: &[Var], z: &[Var], out: &mut Vec<Outcome>) {
        let known: Vec<Option<Outcome>> = xs.iter().map(|&x| self.get(&key(x, t, z))).collect();
        let unknown: Vec<Var> = xs.iter().zip(&known).filter(|(_, k)| k.is_none()).map(|(&x, _)| x).collect();
        let mut new = Vec::with_capacity(unknown.len());
        self.inner.sweep(t, &unknown, z, &mut new);
        unknown.iter().zip(&new).for_each(|(&x, &outcome)| self.put(key(x, t, z), outcome));
        let mut new = new.into_iter();
        out.extend(
            known.into_iter().map(|k| k.or_else(|| new.next()).expect("an outcome for each unknown one")),
        );
    }

    fn computed(&self) -> u64 {
        self.inner.computed()
    }
}

fn key(x: Var, y: Var, z: &[Var]) -> Key {
    let mut key: Key = [x.min(y), x.max(y)].into_iter().chain(z.iter().copied()).collect();
    key[2..].sort_unstable();
    key
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // Every value stored is whole, so a thread that panicked elsewhere did no harm here.
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
