//! Learners that test: PC, the blanket learners and TPDA, and the directions by colliders.
//!
//! As for the local learners, each routine is checked against its contract with a perfect oracle (`oracle`),
//! scripted answers cover cases that a perfect oracle never produces (`script`), and golden skeletons come
//! from another implementation (`golden`). The answer does not depend on what must not matter, constraints
//! hold, and runs end (`limits`).

/// Skeletons from another implementation.
mod golden;
/// The same answer for any order and threads; constraints; stopping.
mod limits;
/// Each routine's contract on random graphs.
mod oracle;
/// Orders, conflicts and cycles with scripted answers.
mod script;

use ossature::ci::Independence;
use ossature::graph::Constraints;
use ossature::halves::{Found, Orient, Restrict, Restriction, Task};
use ossature::orient::{ColliderRule, Colliders};
use ossature::{Silent, VarSet};

const RULES: [ColliderRule; 3] = [ColliderRule::MaxP, ColliderRule::Majority, ColliderRule::Sepset];

/// The directions of a skeleton.
fn directed(
    inside: &Restriction,
    rule: ColliderRule,
    constraints: &Constraints,
    ask: &Independence<'_>,
) -> ossature::Result<Found> {
    let task = Task {
        names: &[],
        score: None,
        ask: Some(ask),
        inside: Some(inside),
        start: None,
        constraints,
        progress: &Silent,
    };
    Colliders { rule }.orient(&task)
}

/// A skeleton and its directions.
fn learned(
    first: &dyn Restrict,
    n: usize,
    rule: ColliderRule,
    constraints: &Constraints,
    ask: &Independence<'_>,
) -> (Restriction, Found) {
    let inside = first.restrict(&VarSet::all(n), ask).unwrap();
    let found = directed(&inside, rule, constraints, ask).unwrap();
    (inside, found)
}
