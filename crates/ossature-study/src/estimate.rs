//! How long the cells that are left will take.
//!
//! Cells differ by a factor of thousands, so their number says nothing. A cell is expected to take as
//! long as others of its network, size and learner took; where there are none yet, its weight is
//! compared with the weight and time of all that are done.

use std::collections::BTreeMap;

use crate::row::Kind;

/// The cells that cost about the same: network, size and learner by their places, and the kind.
pub(crate) type Class = (usize, usize, usize, Kind);

/// What is left and what the cells so far took.
#[derive(Debug, Default)]
pub(crate) struct Estimate {
    classes: BTreeMap<Class, State>,
    seconds: f64,
    weight: f64,
}

#[derive(Debug, Default)]
struct State {
    left: usize,
    done: usize,
    seconds: f64,
    weight: f64,
}

/// A guess at the cost of a cell before anything was measured; only its proportions matter. The pairs
/// of variables are all tested, each test counts all rows and has a cost of its own.
pub(crate) fn weight(variables: usize, size: usize) -> f64 {
    (variables * variables) as f64 * (size as f64 + 500.0)
}

impl Estimate {
    /// One more cell is to be done.
    pub(crate) fn expect(&mut self, class: Class, weight: f64) {
        let state = self.classes.entry(class).or_default();
        state.left += 1;
        state.weight = weight;
    }

    /// A cell of earlier took so long.
    pub(crate) fn learn(&mut self, class: Class, weight: f64, seconds: f64) {
        let state = self.classes.entry(class).or_default();
        state.done += 1;
        state.seconds += seconds;
        state.weight = weight;
        self.seconds += seconds;
        self.weight += weight;
    }

    /// A cell that was expected is done and took so long.
    pub(crate) fn done(&mut self, class: Class, seconds: f64) {
        let weight = self.classes.get(&class).map_or(0.0, |state| state.weight);
        self.learn(class, weight, seconds);
        if let Some(state) = self.classes.get_mut(&class) {
            state.left = state.left.saturating_sub(1);
        }
    }

    /// The seconds that are left if accuracy cells have so many threads; nothing before the first cell.
    pub(crate) fn seconds_left(&self, threads: usize) -> Option<f64> {
        if self.weight <= 0.0 {
            return None;
        }
        let cell = |state: &State| match state.done {
            0 => self.seconds / self.weight * state.weight,
            done => state.seconds / done as f64,
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
}
