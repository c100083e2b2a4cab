//! Directions by tests: second halves that use no score.

mod colliders;
mod judge;

pub use colliders::{ColliderRule, Colliders};
