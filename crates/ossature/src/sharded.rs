//! Counters that many threads add to without waiting for each other.

use std::sync::atomic::{AtomicU64, Ordering};

const SHARDS: usize = 16;

/// `N` counters, kept separately for groups of threads and added up when read.
#[derive(Debug)]
pub(crate) struct Sharded<const N: usize> {
    shards: [Shard<N>; SHARDS],
}

#[derive(Debug)]
#[repr(align(128))]
struct Shard<const N: usize>([AtomicU64; N]);

impl<const N: usize> Default for Sharded<N> {
    fn default() -> Self {
        Sharded { shards: std::array::from_fn(|_| Shard(std::array::from_fn(|_| AtomicU64::new(0)))) }
    }
}

impl<const N: usize> Sharded<N> {
    /// Adds to one of the counters; returns the previous value of this thread's share.
    pub(crate) fn add(&self, counter: usize, amount: u64) -> u64 {
        let shard = rayon::current_thread_index().unwrap_or(0) % SHARDS;
        self.shards[shard].0[counter].fetch_add(amount, Ordering::Relaxed)
    }

    /// The counters, added up over all threads.
    pub(crate) fn sums(&self) -> [u64; N] {
        std::array::from_fn(|i| self.shards.iter().map(|s| s.0[i].load(Ordering::Relaxed)).sum())
    }
}
