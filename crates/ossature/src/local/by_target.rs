//! A local learner as a first half.

use super::skeleton::{Symmetry, join, skeleton};
use super::{LocalLearner, SharingLearner};
use crate::ci::{Evidence, Independence};
use crate::data::{Var, VarSet};
use crate::error::Result;
use crate::halves::{Finding, InRounds, Restrict, Restriction};

/// A local learner as a first half: it learns one variable after another, and a rule joins the results.
pub struct ByTarget {
    /// Finds the neighbourhoods.
    pub learner: Box<dyn LocalLearner>,
    /// What happens to an edge that was found from only one end.
    pub symmetry: Symmetry,
}

impl Restrict for ByTarget {
    fn restrict(&self, u: &VarSet, ask: &Independence<'_>) -> Result<Restriction> {
        skeleton(&*self.learner, u, self.symmetry, ask)
    }

    fn local(&self) -> Option<&dyn LocalLearner> {
        Some(&*self.learner)
    }

    fn rounds<'a>(&'a self, u: &VarSet, _: &Independence<'_>) -> Option<Box<dyn InRounds + 'a>> {
        let sharing = match self.symmetry {
            Symmetry::And => self.learner.sharing(u.len()),
            Symmetry::Or => None,
        };
        let known = vec![0; u.len()];
        Some(Box::new(TargetRounds { half: self, sharing, known, at: None, pcs: Vec::new() }))
    }
}

/// The rounds of a local learner: first the results the targets share, if any, then their neighbourhoods. The
/// tests are the same as those of [`skeleton`], which does both at once.
struct TargetRounds<'a> {
    half: &'a ByTarget,
    sharing: Option<Box<dyn SharingLearner>>,
    /// The number of variables in the shared results of each target, once known.
    known: Vec<u64>,
    at: Option<TargetRound>,
    pcs: Vec<VarSet>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TargetRound {
    Shared,
    Neighbourhoods,
}

impl InRounds for TargetRounds<'_> {
    fn begin(&mut self, _: &Independence<'_>) -> bool {
        self.at = match self.at {
            None if self.sharing.is_some() => Some(TargetRound::Shared),
            None | Some(TargetRound::Shared) => Some(TargetRound::Neighbourhoods),
            Some(TargetRound::Neighbourhoods) => return false,
        };
        true
    }

    fn cost(&self, t: Var) -> u64 {
        // The number of subsets grows with the number of variables near a target.
        1 + self.known[t.index()] * self.known[t.index()]
    }

    fn look(&self, t: Var, u: &VarSet, ask: &Independence<'_>) -> Finding {
        match (&self.sharing, self.at) {
            (Some(sharing), Some(TargetRound::Shared)) => sharing.shared(t, u, ask),
            (Some(sharing), _) => Finding::of([sharing.parents_and_children(t, u, ask)]),
            (None, _) => Finding::of([self.half.learner.parents_and_children(t, u, ask)]),
        }
    }

    fn end(&mut self, found: Vec<Finding>) {
        match (&self.sharing, self.at) {
            (Some(sharing), Some(TargetRound::Shared)) => {
                for (t, shared) in found.into_iter().enumerate() {
                    self.known[t] = shared.sets.iter().map(|set| set.len() as u64).sum();
                    sharing.know(Var::new(t), shared);
                }
            }
            _ => self.pcs = found.into_iter().map(|mut finding| finding.set(0)).collect(),
        }
    }

    fn finish(self: Box<Self>, noted: Evidence, ask: &Independence<'_>) -> Restriction {
        let skeleton = join(&self.pcs, self.half.symmetry, ask);
        let evidence = noted.filtered(|x, y| !skeleton.contains(x, y));
        Restriction { skeleton, evidence }
    }
}
