//! Directions by tests: what a second half finds that uses no score.

mod colliders;
mod judge;

pub use colliders::{ColliderRule, Colliders};
