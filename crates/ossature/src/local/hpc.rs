//! HPC: the hybrid parents and children algorithm.

use std::sync::OnceLock;

use super::de_pcs::{PhaseOne, de_pcs};
use super::de_sps::de_sps;
use super::fdr_iapc::fdr_iamb;
use super::inter_iapc::inter_iamb;
use super::spouses::{remove_spouses, separating_set};
use super::{LocalLearner, SharingLearner};
use crate::ci::Independence;
use crate::data::{Var, VarSet};
use crate::halves::Finding;
use crate::parallel;
use crate::word::Word;

/// The weak learner inside HPC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WeakLearner {
    /// Inter-IAPC, from the paper.
    #[default]
    InterIapc,
    /// FDR-IAPC, from the follow-up paper.
    FdrIapc,
}

impl WeakLearner {
    /// The parents and children of `t` among `u`: Algorithm 2, or FDR-IAPC of the follow-up paper.
    pub fn parents_and_children(self, t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet {
        remove_spouses(t, &self.blanket(t, u, ind), ind)
    }

    /// Whether `t` is among the parents and children of `x`. If it is not in the blanket, no separating set
    /// need be sought.
    fn finds(self, t: Var, x: Var, u: &VarSet, ind: &Independence<'_>) -> bool {
        let mb = self.blanket(x, u, ind);
        mb.contains(t) && separating_set(x, t, &mb, ind).is_none()
    }

    /// The Markov blanket, before spouses are removed.
    fn blanket(self, t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet {
        match self {
            WeakLearner::InterIapc => inter_iamb(t, u, ind),
            WeakLearner::FdrIapc => fdr_iamb(t, u, ind),
        }
    }
}

impl Word for WeakLearner {
    const WHAT: &'static str = "weak learner";
    const WORDS: &'static [(WeakLearner, &'static str, &'static str)] = &[
        (WeakLearner::InterIapc, "inter-iapc", "The paper's"),
        (WeakLearner::FdrIapc, "fdr-iapc", "With control of the false discovery rate"),
    ];
}

/// Whether the targets of a run share their results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Share {
    /// They do, where that cannot change the skeleton.
    #[default]
    Yes,
    /// Each target finds everything itself, as in the paper.
    No,
}

impl Word for Share {
    const WHAT: &'static str = "choice";
    const WORDS: &'static [(Share, &'static str, &'static str)] = &[
        (Share::Yes, "yes", "The supersets of each variable are found once"),
        (Share::No, "no", "Every target finds everything by itself, as in the paper"),
    ];
}

/// Hybrid Parents and Children.
///
/// Supersets of the parents and children and of the spouses narrow the search. A weak learner finds a first
/// set among them. A variable that it missed is added if the weak learner finds the target from that
/// variable. So a neighbourhood too large to be found from the target is found from the neighbours.
///
/// # Requires, ensures
/// Any `u`. With faithful answers and all variables in `u`, the result is the parents and children.
///
/// # Cost
/// The cost of [`de_pcs`](super::de_pcs()) and [`de_sps`](super::de_sps()), and of the weak learner once for
/// the target and once for each member of PCS that it missed.
///
/// # Literature
/// Gasse, Aussem & Elghazel (2012), doi:10.1007/978-3-642-33460-3_9, Algorithm 1.
#[derive(Debug, Default)]
pub struct Hpc {
    weak: WeakLearner,
    phase_one: PhaseOne,
    /// Whether targets share their results where they may (deviation D8).
    share: bool,
    /// The supersets of all variables, if the targets of a run share them.
    shared: Option<Vec<OnceLock<Supersets>>>,
}

/// The supersets of the parents and children and of the spouses of a variable. HPC finds nothing outside
/// them.
#[derive(Debug, Clone)]
struct Supersets {
    pcs: VarSet,
    sps: VarSet,
}

impl Hpc {
    /// HPC with a weak learner.
    pub const fn new(weak: WeakLearner) -> Hpc {
        Hpc { weak, phase_one: PhaseOne::Plain, share: false, shared: None }
    }

    /// Sets the first phase of DE-PCS.
    #[must_use]
    pub fn with_phase_one(self, phase_one: PhaseOne) -> Hpc {
        Hpc { phase_one, ..self }
    }

    /// Lets the targets of a run over all variables share their results, if the skeleton keeps an edge only
    /// if both ends found it (after Villanueva & Maciel 2012).
    ///
    /// The supersets of X are computed once, and its neighbours use them: if T is in neither, HPC of X will
    /// not contain T, so the edge is lost whatever HPC of T says, and lines 4-8 need not ask for X. The
    /// skeleton is the same, with fewer tests.
    #[must_use]
    pub fn with_sharing(self) -> Hpc {
        Hpc { share: true, ..self }
    }

    fn supersets(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> Supersets {
        match &self.shared {
            Some(shared) => self.shared_supersets(&shared[t.index()], t, u, ind).clone(),
            None => self.find_supersets(t, u, ind),
        }
    }

    /// The supersets in their place. No thread ever waits for another here: several that find them at once find the same.
    fn shared_supersets<'p>(
        &self,
        place: &'p OnceLock<Supersets>,
        t: Var,
        u: &VarSet,
        ind: &Independence<'_>,
    ) -> &'p Supersets {
        place.get().unwrap_or_else(|| {
            let found = self.find_supersets(t, u, ind);
            place.get_or_init(|| found)
        })
    }

    fn find_supersets(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> Supersets {
        let (pcs, d_sep) = de_pcs(t, u, self.phase_one, ind); // line 1
        let sps = if pcs.len() < 2 { VarSet::new() } else { de_sps(t, u, &pcs, &d_sep, ind) }; // line 2
        Supersets { pcs, sps }
    }

    /// Whether the edge is known to be lost, because HPC of X will not contain T.
    fn lost(&self, t: Var, x: Var, u: &VarSet, ind: &Independence<'_>) -> bool {
        self.shared.as_ref().is_some_and(|shared| {
            let Supersets { pcs, sps } = self.shared_supersets(&shared[x.index()], x, u, ind);
            !pcs.contains(t) && !sps.contains(t)
        })
    }
}

impl LocalLearner for Hpc {
    fn parents_and_children(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet {
        let Supersets { pcs, sps } = self.supersets(t, u, ind); // lines 1-2
        if pcs.len() <= 2 && sps.is_empty() {
            return pcs;
        }
        let near = pcs.union(&sps).with(t);
        ind.foresee_among(&near);
        let mut pc = self.weak.parents_and_children(t, &near, ind); // line 3
        let missed: Vec<Var> = pcs.minus(&pc).iter().filter(|&x| !self.lost(t, x, u, ind)).collect();
        let finds = parallel::map_if_many(&missed, |&x| self.weak.finds(t, x, &near, ind));
        for (&x, _) in missed.iter().zip(finds).filter(|(_, found)| *found) {
            pc.insert(x); // lines 4-8
        }
        pc
    }

    fn needs_symmetry(&self) -> bool {
        false
    }

    fn sharing(&self, n: usize) -> Option<Box<dyn SharingLearner>> {
        let shared = Some((0..n).map(|_| OnceLock::new()).collect());
        let Hpc { weak, phase_one, share, .. } = *self;
        share.then(|| Box::new(Hpc { weak, phase_one, share, shared }) as Box<dyn SharingLearner>)
    }
}

impl SharingLearner for Hpc {
    fn shared(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> Finding {
        let Supersets { pcs, sps } = self.supersets(t, u, ind);
        Finding::of([pcs, sps])
    }

    fn know(&self, t: Var, mut found: Finding) {
        if let Some(shared) = &self.shared {
            // If it is known already, it is the same.
            _ = shared[t.index()].set(Supersets { pcs: found.set(0), sps: found.set(1) });
        }
    }
}
