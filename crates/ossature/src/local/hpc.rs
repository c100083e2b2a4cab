//! HPC: the hybrid parents and children algorithm.

use std::sync::OnceLock;

use super::LocalLearner;
use super::de_pcs::{DSep, de_pcs};
use super::de_sps::de_sps;
use super::fdr_iapc::fdr_iamb;
use super::inter_iapc::inter_iamb;
use super::spouses::{remove_spouses, separating_set};
use crate::ci::Independence;
use crate::data::{Var, VarSet};
use crate::error::Error;

/// The weak learner inside HPC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WeakLearner {
    /// Inter-IAPC, the paper's.
    #[default]
    InterIapc,
    /// FDR-IAPC, the follow-up's.
    FdrIapc,
}

impl WeakLearner {
    /// The Markov blanket, before spouses are removed.
    fn blanket(self, t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet {
        match self {
            WeakLearner::InterIapc => inter_iamb(t, u, ind),
            WeakLearner::FdrIapc => fdr_iamb(t, u, ind),
        }
    }
}

impl std::str::FromStr for WeakLearner {
    type Err = Error;

    fn from_str(text: &str) -> Result<WeakLearner, Error> {
        match text {
            "inter-iapc" => Ok(WeakLearner::InterIapc),
            "fdr-iapc" => Ok(WeakLearner::FdrIapc),
            _ => Err(Error::unknown_name("weak learner", text, ["inter-iapc", "fdr-iapc"], None)),
        }
    }
}

/// Hybrid Parents and Children.
///
/// Supersets of the parents and children and of the spouses narrow the search; a weak learner finds a
/// first set among them; and what it missed comes back if the target is in the weak learner's result
/// for the other variable. So a neighbourhood too large to be seen from the target is seen from the
/// neighbours.
///
/// # Requires, ensures
/// Any `u`. With faithful answers and all variables in `u` the result is the parents and children.
///
/// # Cost
/// That of [`de_pcs`](super::de_pcs()) and [`de_sps`](super::de_sps()), and the weak learner once for
/// the target and once for each member of PCS that it missed.
///
/// # Literature
/// Gasse, Aussem & Elghazel (2012), doi:10.1007/978-3-642-33460-3_9, Algorithm 1.
#[derive(Debug, Default)]
pub struct Hpc {
    weak: WeakLearner,
    /// The supersets of all variables, when they are shared between targets.
    supersets: Option<Vec<OnceLock<(VarSet, DSep)>>>,
}

impl Hpc {
    /// HPC with a weak learner.
    pub fn new(weak: WeakLearner) -> Hpc {
        Hpc { weak, supersets: None }
    }

    /// HPC for all of `n` variables, whose targets share what they learn; for a skeleton that keeps
    /// an edge only if both ends found it (after Villanueva & Maciel 2012).
    ///
    /// The superset of X is computed once and looked at by its neighbours: where T is not in it, HPC
    /// of X will not contain T, so the edge is lost whatever HPC of T says, and lines 4-8 need not ask
    /// for X. The skeleton is the same.
    ///
    /// All targets must be learned among the same variables.
    pub fn sharing(weak: WeakLearner, n: usize) -> Hpc {
        Hpc { weak, supersets: Some((0..n).map(|_| OnceLock::new()).collect()) }
    }

    fn superset(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> (VarSet, DSep) {
        match &self.supersets {
            Some(shared) => shared[t.index()].get_or_init(|| de_pcs(t, u, ind)).clone(),
            None => de_pcs(t, u, ind),
        }
    }

    /// Whether the edge is known to be lost because T is not in the superset of X.
    fn lost(&self, t: Var, x: Var, u: &VarSet, ind: &Independence<'_>) -> bool {
        let Some(shared) = &self.supersets else { return false };
        !shared[x.index()].get_or_init(|| de_pcs(x, u, ind)).0.contains(t)
    }
}

impl LocalLearner for Hpc {
    fn parents_and_children(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet {
        let (pcs, d_sep) = self.superset(t, u, ind); // line 1
        if pcs.len() < 2 {
            return pcs;
        }
        let sps = de_sps(t, u, &pcs, &d_sep, ind); // line 2
        if pcs.len() == 2 && sps.is_empty() {
            return pcs;
        }
        let near = pcs.union(&sps).with(t);
        let mut pc = remove_spouses(t, &self.weak.blanket(t, &near, ind), ind); // line 3
        for x in pcs.minus(&pc).iter() {
            if self.lost(t, x, u, ind) {
                continue;
            }
            let mb = self.weak.blanket(x, &near, ind); // lines 4-8
            if mb.contains(t) && separating_set(x, t, &mb, ind).is_none() {
                pc.insert(x);
            }
        }
        pc
    }

    fn needs_symmetry(&self) -> bool {
        false
    }
}
