//! The number of tests asked, by order, and the number without power.

use std::ops::AddAssign;

use crate::sharded::Sharded;

/// The number of counters of tests by the size of the conditioning set. The last one also counts all larger
/// sizes.
pub(super) const ORDERS: usize = 24;

/// The tests of a run.
///
/// A test counts as asked before any cache or shortcut, so these numbers never vary with the number of
/// threads or the size of a cache; `computed` is a figure of performance.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Tally {
    /// The number of tests asked.
    pub asked: u64,
    /// The number of tests computed: those with power that a table of pairs did not answer.
    pub computed: u64,
    /// The number of tests that the power rule rejected.
    pub without_power: u64,
    /// The number of tests asked by the size of the conditioning set, up to the largest size asked.
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

/// The counters behind a tally, which many threads add to.
#[derive(Debug, Default)]
pub(super) struct Counters {
    by_order: Sharded<ORDERS>,
    without_power: Sharded<1>,
}

impl Counters {
    /// Counts tests asked. Returns the previous number of this order in this thread's share.
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
