//! A first half that works in rounds.

use smallvec::SmallVec;

use super::Restriction;
use crate::ci::{Evidence, Independence, Separation};
use crate::data::{Var, VarSet};

/// A first half at work, round by round.
///
/// A round looks at every variable once, given only what the rounds before it have found. So its targets can be
/// looked at in any order and in any place: on threads, or on other machines that were told of those rounds.
///
/// ```
/// use ossature::ci::{Independence, TestSettings};
/// use ossature::halves::{Finding, Restrict};
/// use ossature::local::Pc;
/// use ossature::network::catalogue;
/// use ossature::{Silent, Var, VarSet};
///
/// let data = catalogue::load("asia")?.sample(1000, 1, &Silent)?;
/// let test = TestSettings::default().build(&data)?;
/// let (ask, u) = (Independence::new(&*test, 0.05), VarSet::all(8));
/// let mut half = Pc.rounds(&u, &ask).expect("PC works in rounds");
/// while half.begin(&ask) {
///     let found: Vec<Finding> = u.iter().map(|t| half.look(t, &u, &ask)).collect();
///     half.end(found);
/// }
/// let skeleton = half.finish(Default::default(), &ask).skeleton;
/// assert_eq!(skeleton, Pc.restrict(&u, &ask)?.skeleton);
/// # Ok::<(), ossature::Error>(())
/// ```
pub trait InRounds: Send + Sync {
    /// Begins the next round; says whether there is one.
    fn begin(&mut self, ask: &Independence<'_>) -> bool;

    /// What looking at this target is likely to cost in this round, beside the others.
    fn cost(&self, t: Var) -> u64 {
        _ = t;
        1
    }

    /// What this round finds about one target among the variables `u`, which are all there are.
    fn look(&self, t: Var, u: &VarSet, ask: &Independence<'_>) -> Finding;

    /// Ends the round with what it found about each variable, in order.
    fn end(&mut self, found: Vec<Finding>);

    /// Whether the end wants the separations that are noted while tests are asked; not if the findings have them.
    fn wants_noted(&self) -> bool {
        true
    }

    /// What all rounds come to, with the separations that were noted while they were asked.
    fn finish(self: Box<Self>, noted: Evidence, ask: &Independence<'_>) -> Restriction;
}

/// What one round has found about one target: sets of variables, whose meaning the round knows, and variables that
/// it has separated from the target.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Finding {
    /// The sets.
    pub sets: SmallVec<[VarSet; 2]>,
    /// What was separated from the target, and by what.
    pub separated: Vec<(Var, Separation)>,
}

impl Finding {
    /// Sets, and nothing separated.
    pub fn of(sets: impl IntoIterator<Item = VarSet>) -> Finding {
        Finding { sets: sets.into_iter().collect(), separated: Vec::new() }
    }

    /// One of the sets; empty if there are fewer.
    pub fn set(&mut self, place: usize) -> VarSet {
        self.sets.get_mut(place).map(std::mem::take).unwrap_or_default()
    }

    /// Every variable that is named.
    pub fn vars(&self) -> impl Iterator<Item = Var> {
        let separated = self.separated.iter().flat_map(|(y, by)| by.given.iter().copied().chain([*y]));
        self.sets.iter().flat_map(VarSet::iter).chain(separated)
    }
}
