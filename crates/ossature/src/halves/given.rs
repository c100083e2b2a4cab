//! A given skeleton.

use super::{Restrict, Restriction};
use crate::ci::{Evidence, Independence};
use crate::data::VarSet;
use crate::error::Result;
use crate::graph::Skeleton;

/// A first half that runs no tests: the skeleton was given, for instance in a file.
///
/// Required edges are added to it and forbidden ones are removed.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenSkeleton(pub Skeleton);

impl Restrict for GivenSkeleton {
    fn restrict(&self, _: &VarSet, ask: &Independence<'_>) -> Result<Restriction> {
        let mut skeleton = self.0.clone();
        for (x, y) in self.0.edges().filter(|&(x, y)| ask.edge_forbidden(x, y)) {
            skeleton.remove(x, y);
        }
        for (x, y) in ask.required() {
            skeleton.insert(x, y);
        }
        Ok(Restriction { skeleton, evidence: Evidence::default() })
    }

    fn asks_tests(&self) -> bool {
        false
    }
}
