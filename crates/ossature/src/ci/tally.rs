//! How many tests were asked, of which order, and how many of them had no power.

use std::ops::AddAssign;

use crate::sharded::Sharded;

/// Tests by the size of the conditioning set: each size up to this one, and all larger ones together.
pub(super) const ORDERS: usize = 24;

/// The tests of a run.
///
/// A test counts as asked before any cache or short cut, so this never varies with the number of
/// threads or the size of a cache; `computed` is a figure of performance.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Tally {
    /// Tests asked.
    pub asked: u64,
    /// Tests that were computed: not without power, and not looked up in a table of pairs.
    pub computed: u64,
    /// Tests that the power rule refused.
    pub without_power: u64,
    /// Tests asked by the size of the conditioning set, as far as there were any.
    pub by_order: Vec<u64>,
}

impl AddAssign<&Tally> for Tally {
    fn add_assign(&mut self, other: &Tally) {
        self.asked += other.asked;
        self.computed += other.computed;
        self.without_power += other.without_power;
        self.by_order.resize(self.by_order.len().max(other.by_order.len()), 0);
        self.by_order.iter_mut().zip(&other.by_order).for_each(|(a, b)| *a += b);
    }
}

/// The counters behind a tally, added to by many threads.
#[derive(Debug, Default)]
pub(super) struct Counters {
    by_order: Sharded<ORDERS>,
    without_power: Sharded<1>,
}

impl Counters {
    /// Notes tests asked; returns how many of this order this thread's share had before.
    pub(super) fn asked(&self, order: usize, tests: u64) -> u64 {
        self.by_order.add(order.min(ORDERS - 1), tests)
    }

    pub(super) fn without_power(&self, tests: u64) {
        self.without_power.add(0, tests);
    }

    pub(super) fn tally(&self, computed: u64) -> Tally {
        let mut by_order = self.by_order.sums().to_vec();
        while by_order.last() == Some(&0) {
            by_order.pop();
        }
        let asked = by_order.iter().sum();
        Tally { asked, computed, without_power: self.without_power.sums()[0], by_order }
    }
}
