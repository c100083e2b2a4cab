//! How long the remaining cells will take.
//!
//! Cells differ by a factor of thousands, so their number says nothing. A cell is expected to take as long
//! as others of its network, size and learner; if there are none yet, its weight is compared with the
//! weight and time of all finished cells. The rows of an earlier run only have the time of the learner,
//! possibly on another machine: their predictions are scaled by the times of this run's cells if there are
//! both.

use std::collections::BTreeMap;

use crate::row::Kind;

/// Cells that cost about the same: network, size and learner by index, and the kind.
pub(crate) type Class = (usize, usize, usize, Kind);

/// The remaining cells, and the times of the cells so far.
#[derive(Debug, Default)]
pub(crate) struct Estimate {
    classes: BTreeMap<Class, State>,
    /// The cells of this run, and those of earlier ones.
    now: Sum,
    earlier: Sum,
    /// For cells of this run whose class was run before: their time, and that of the earlier ones.
    took: f64,
    foretold: f64,
}

#[derive(Debug, Default)]
struct State {
    left: usize,
    weight: f64,
    now: Sum,
    earlier: Sum,
}

/// A number of cells, with their total weight and time.
#[derive(Debug, Default)]
struct Sum {
    cells: usize,
    seconds: f64,
    weight: f64,
}

impl Sum {
    fn add(&mut self, weight: f64, seconds: f64) {
        self.cells += 1;
        self.seconds += seconds;
        self.weight += weight;
    }

    /// The mean seconds of one cell, if there is one.
    fn mean(&self) -> Option<f64> {
        (self.cells > 0).then(|| self.seconds / self.cells as f64)
    }
}

/// A guess at the cost of a cell before anything was measured; only its proportions matter. All pairs
/// of variables are tested, and each test has a fixed cost and counts all rows.
pub(crate) fn weight(variables: usize, size: usize) -> f64 {
    (variables * variables) as f64 * (size as f64 + 500.0)
}

impl Estimate {
    /// Adds a cell that remains to be done.
    pub(crate) fn expect(&mut self, class: Class, weight: f64) {
        let state = self.classes.entry(class).or_default();
        state.left += 1;
        state.weight = weight;
    }

    /// Records the time of a cell of an earlier run.
    pub(crate) fn learn(&mut self, class: Class, weight: f64, seconds: f64) {
        self.classes.entry(class).or_default().earlier.add(weight, seconds);
        self.earlier.add(weight, seconds);
    }

    /// Records that an expected cell is done, with its time.
    pub(crate) fn done(&mut self, class: Class, seconds: f64) {
        let state = self.classes.entry(class).or_default();
        state.left = state.left.saturating_sub(1);
        state.now.add(state.weight, seconds);
        self.now.add(state.weight, seconds);
        if let Some(foretold) = state.earlier.mean() {
            self.took += seconds;
            self.foretold += foretold;
        }
    }

    /// The remaining seconds if accuracy cells have this number of threads; `None` before the first
    /// cell.
    pub(crate) fn seconds_left(&self, threads: usize) -> Option<f64> {
        let weight = self.now.weight + self.earlier.weight;
        if weight <= 0.0 {
            return None;
        }
        let scale = if self.foretold > 0.0 { self.took / self.foretold } else { 1.0 };
        let by_weight = (self.now.seconds + scale * self.earlier.seconds) / weight;
        let cell = |state: &State| {
            let earlier = || state.earlier.mean().map(|seconds| scale * seconds);
            state.now.mean().or_else(earlier).unwrap_or(by_weight * state.weight)
        };
        let share = |kind| if kind == Kind::Accuracy { 1.0 / threads as f64 } else { 1.0 };
        Some(self.classes.iter().map(|((.., kind), s)| s.left as f64 * cell(s) * share(*kind)).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_cells_count_for_what_they_are() {
        let mut estimate = Estimate::default();
        let (small, large, timed) =
            ((0, 0, 0, Kind::Accuracy), (1, 0, 0, Kind::Accuracy), (0, 0, 0, Kind::Timing));
        for (class, weight) in [(small, 1.0), (small, 1.0), (large, 100.0), (timed, 1.0)] {
            estimate.expect(class, weight);
        }
        assert_eq!(estimate.seconds_left(2), None);
        estimate.done(small, 2.0);
        assert_eq!(estimate.seconds_left(2), Some(1.0 + 100.0 + 2.0), "by weight, and timing on one thread");
        estimate.done(large, 50.0);
        let left = estimate.seconds_left(1).unwrap();
        assert!((left - (2.0 + 52.0 / 101.0)).abs() < 1e-9, "{left}");
    }

    #[test]
    fn earlier_cells_are_scaled_by_those_of_now() {
        let mut estimate = Estimate::default();
        let (a, b, new) = ((0, 0, 0, Kind::Accuracy), (1, 0, 0, Kind::Accuracy), (2, 0, 0, Kind::Accuracy));
        for (class, weight) in [(a, 1.0), (a, 1.0), (b, 4.0), (new, 10.0)] {
            estimate.expect(class, weight);
        }
        estimate.learn(a, 1.0, 1.0);
        estimate.learn(b, 4.0, 4.0);
        assert_eq!(estimate.seconds_left(1), Some(1.0 + 1.0 + 4.0 + 10.0), "as it was");
        estimate.done(a, 3.0);
        assert_eq!(estimate.seconds_left(1), Some(3.0 + 12.0 + 30.0), "all is three times as slow now");
    }
}
