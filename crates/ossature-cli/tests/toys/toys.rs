//! A toy local learner, a toy second half and a toy setting. `docs/ADDING_AN_ALGORITHM.md` shows each piece
//! between two marks as it would be in the library; a test compares the two.

use ossature::ci::{Answer, Independence};
use ossature::error::Result;
use ossature::graph::{Constraints, Dag};
use ossature::halves::{Found, LearnedGraph, LocalLearner, Orient, Task};
use ossature::learn::catalogue::rows::{PLAIN, SYMMETRY};
use ossature::learn::{
    Build, Catalogue, FirstHalf, Heading, How, LearnerRow, Returns, SecondHalf, Setting, Takes, Value,
};
use ossature::{Var, VarSet};

// [local learner]
/// The nearest variables: those that depend on the target most.
///
/// # Requires, ensures
/// Any `u`. At most `most` variables, each of which depends on the target given nothing.
///
/// # Cost
/// |U| tests of order 0.
#[derive(Debug, Clone, Copy)]
pub struct Nearest {
    /// The most neighbours of a variable.
    pub most: usize,
}

impl LocalLearner for Nearest {
    fn parents_and_children(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet {
        let mut near = ind.sweep(t, u.without(t).as_slice(), &[]);
        near.retain(|x| x.connected);
        near.sort_by(|x, y| Answer::cmp_strength(y, x));
        near.iter().take(self.most).map(|x| x.var).collect()
    }

    fn needs_symmetry(&self) -> bool {
        false
    }
}
// [end]

// [second half]
/// Every edge of the skeleton runs from the variable that comes first by name to the other.
#[derive(Debug, Clone, Copy)]
pub struct ByName;

impl Orient for ByName {
    fn orient(&self, task: &Task<'_>) -> Result<Found> {
        let mut dag = Dag::empty(task.names.len());
        for (x, y) in task.skeleton().into_iter().flat_map(|skeleton| skeleton.edges()) {
            let (from, to) = if task.constraints.may_add(x, y) { (x, y) } else { (y, x) };
            _ = dag.try_add(from, to); // what would close a cycle is left out
        }
        Ok(Found::graph(LearnedGraph::Dag(dag)))
    }

    fn check(&self, _: &[&str], _: Option<&Dag>, _: &Constraints) -> Result<()> {
        Ok(())
    }

    fn uses_score(&self) -> bool {
        false
    }
}
// [end]

// [setting]
/// The most neighbours of a variable.
pub const NEIGHBOURS: Setting = Setting {
    name: "neighbours",
    takes: Takes::Whole { from: 1, to: 1000 },
    default: || Some(Value::Whole(2)),
    heading: Heading::Tests,
    help: "Most neighbours that the toy learner gives a variable",
    ..PLAIN
};
// [end]

// [first half row]
const NEAREST: FirstHalf = FirstHalf {
    name: "nearest",
    title: "The variables that depend on a variable most, a toy",
    settings: &[SYMMETRY, NEIGHBOURS],
    build: Build::Local(|s| Box::new(Nearest { most: s.count(&NEIGHBOURS) })),
};
// [end]

// [second half row]
const BY_NAME: SecondHalf = SecondHalf {
    name: "by-name",
    title: "Directions by name, a toy",
    settings: &[],
    uses_score: false,
    asks_tests: false,
    returns: Returns::Dag,
    build: |_| Box::new(ByName),
};
// [end]

// [learner row]
const TOY: LearnerRow = LearnerRow {
    name: "toy",
    class: "Toy",
    title: "The nearest variables, directed by name",
    citation: "nowhere",
    how: How::Halves { restrict: Some("nearest"), maximise: Some("by-name") },
    defaults: &[],
};
// [end]

/// The library's catalogue with the toys.
pub fn catalogue() -> Catalogue {
    let mut all = Catalogue::standard();
    all.settings.push(NEIGHBOURS);
    all.first.push(NEAREST);
    all.second.push(BY_NAME);
    all.learners.push(TOY);
    all
}
