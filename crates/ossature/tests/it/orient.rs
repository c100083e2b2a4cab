//! Learners that test: PC, the blanket learners and TPDA, and the directions by colliders.
//!
//! As for the local learners, each routine is held to its contract with a perfect oracle (`oracle`), scripts play
//! what a perfect oracle never needs (`script`), golden skeletons are those of another implementation (`golden`);
//! what must not change the answer does not, constraints hold, and runs end (`limits`).

/// Skeletons of another implementation.
mod golden;
/// The same answer however it is asked; constraints; ends.
mod limits;
/// Each routine's contract on random graphs.
mod oracle;
/// Orders, conflicts and cycles by a script.
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
