//! A first half that works in rounds.

use smallvec::SmallVec;

use super::Restriction;
use crate::ci::{Evidence, Independence, Separation};
use crate::data::{Var, VarSet};

/// A first half at work, round by round.
///
/// A round looks at every variable once, given only the results of previous rounds. So its targets can be
/// processed in any order and anywhere: on threads, or on other machines that know those results.
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
    /// Begins the next round; returns whether there is one.
    fn begin(&mut self, ask: &Independence<'_>) -> bool;

    /// The likely cost of this target in this round, relative to the others.
    fn cost(&self, t: Var) -> u64 {
        _ = t;
        1
    }

    /// The result of this round for one target among all variables `u`.
    fn look(&self, t: Var, u: &VarSet, ask: &Independence<'_>) -> Finding;

    /// Ends the round with its results for each variable, in order.
    fn end(&mut self, found: Vec<Finding>);

    /// Whether [`finish`](InRounds::finish) needs the separations recorded while tests run; false if the findings
    /// contain them.
    fn wants_noted(&self) -> bool {
        true
    }

    /// The result of all rounds, with the separations recorded while they ran.
    fn finish(self: Box<Self>, noted: Evidence, ask: &Independence<'_>) -> Restriction;
}

/// The result of one round for one target: sets of variables, whose meaning depends on the round, and variables
/// that it has separated from the target.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Finding {
    /// The sets.
    pub sets: SmallVec<[VarSet; 2]>,
    /// What was separated from the target, and by what.
    pub separated: Vec<(Var, Separation)>,
}

impl Finding {
    /// A finding with these sets and no separations.
    pub fn of(sets: impl IntoIterator<Item = VarSet>) -> Finding {
        Finding { sets: sets.into_iter().collect(), separated: Vec::new() }
    }

    /// Takes one of the sets; empty if there are fewer.
    pub fn set(&mut self, place: usize) -> VarSet {
        self.sets.get_mut(place).map(std::mem::take).unwrap_or_default()
    }

    /// Every variable mentioned.
    pub fn vars(&self) -> impl Iterator<Item = Var> {
        let separated = self.separated.iter().flat_map(|(y, by)| by.given.iter().copied().chain([*y]));
        self.sets.iter().flat_map(VarSet::iter).chain(separated)
    }
}
