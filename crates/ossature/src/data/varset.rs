//! A set of variables, always in the canonical order.

use std::fmt;

use smallvec::SmallVec;

use super::Var;

/// A set of variables that is iterated in the canonical order.
///
/// Sets in structure learning are small compared with the number of variables, so this is a sorted
/// list: its memory grows with the number of members, and equal sets compare equal.
///
/// ```
/// use ossature::{Var, VarSet};
///
/// let pcs: VarSet = [Var(4), Var(1)].into_iter().collect();
/// assert_eq!(pcs.with(Var(2)).as_slice(), [Var(1), Var(2), Var(4)]);
/// assert_eq!(pcs.without(Var(1)).as_slice(), [Var(4)]);
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct VarSet {
    /// Few members are stored in place.
    members: SmallVec<[Var; 6]>,
}

impl VarSet {
    /// The empty set.
    pub fn new() -> VarSet {
        VarSet::default()
    }

    /// All of the first `n` variables.
    pub fn all(n: usize) -> VarSet {
        VarSet { members: (0..n).map(Var::new).collect() }
    }

    /// The members in order.
    pub fn as_slice(&self) -> &[Var] {
        &self.members
    }

    /// The members in order, one by one.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Var> + ExactSizeIterator + '_ {
        self.members.iter().copied()
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Whether a variable is a member.
    pub fn contains(&self, v: Var) -> bool {
        self.members.binary_search(&v).is_ok()
    }

    /// Adds a variable; returns whether it was new.
    pub fn insert(&mut self, v: Var) -> bool {
        match self.members.binary_search(&v) {
            Ok(_) => false,
            Err(at) => {
                self.members.insert(at, v);
                true
            }
        }
    }

    /// Adds a variable that comes after all members.
    pub(crate) fn push(&mut self, v: Var) {
        debug_assert!(self.members.last().is_none_or(|last| *last < v), "{v:?} comes after all members");
        self.members.push(v);
    }

    /// Removes a variable; returns whether it was present.
    pub fn remove(&mut self, v: Var) -> bool {
        match self.members.binary_search(&v) {
            Ok(at) => {
                self.members.remove(at);
                true
            }
            Err(_) => false,
        }
    }

    /// This set and one more variable.
    #[must_use]
    pub fn with(&self, v: Var) -> VarSet {
        let mut set = self.clone();
        set.insert(v);
        set
    }

    /// This set without one variable.
    #[must_use]
    pub fn without(&self, v: Var) -> VarSet {
        let mut set = self.clone();
        set.remove(v);
        set
    }

    /// The variable that is in one of two sets and not in the other, if it is the only one.
    pub(crate) fn differs_in(&self, other: &VarSet) -> Option<Var> {
        let (more, fewer) = if self.len() > other.len() { (self, other) } else { (other, self) };
        let (more, fewer) = (more.as_slice(), fewer.as_slice());
        let place = more.iter().zip(fewer).take_while(|(a, b)| a == b).count();
        (more.len() == fewer.len() + 1 && more[place + 1..] == fewer[place..]).then(|| more[place])
    }

    /// The members of either set.
    #[must_use]
    pub fn union(&self, other: &VarSet) -> VarSet {
        let mut members = SmallVec::with_capacity(self.len() + other.len());
        let (mut a, mut b) = (self.members.as_slice(), other.members.as_slice());
        while let (Some(&x), Some(&y)) = (a.first(), b.first()) {
            members.push(x.min(y));
            a = &a[usize::from(x <= y)..];
            b = &b[usize::from(y <= x)..];
        }
        members.extend_from_slice(a);
        members.extend_from_slice(b);
        VarSet { members }
    }

    /// The members of this set that are not in the other.
    #[must_use]
    pub fn minus(&self, other: &VarSet) -> VarSet {
        VarSet { members: self.iter().filter(|&v| !other.contains(v)).collect() }
    }

    /// The members of both sets.
    #[must_use]
    pub fn intersection(&self, other: &VarSet) -> VarSet {
        VarSet { members: self.iter().filter(|&v| other.contains(v)).collect() }
    }
}

impl FromIterator<Var> for VarSet {
    fn from_iter<I: IntoIterator<Item = Var>>(vars: I) -> VarSet {
        let mut members: SmallVec<[Var; 6]> = vars.into_iter().collect();
        members.sort_unstable();
        members.dedup();
        VarSet { members }
    }
}

impl fmt::Debug for VarSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(&self.members).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn set_algebra_is_that_of_a_plain_set(a: BTreeSet<u8>, b: BTreeSet<u8>) {
            let set = |s: &BTreeSet<u8>| s.iter().map(|&i| Var(u32::from(i))).collect::<VarSet>();
            prop_assert_eq!(set(&a).union(&set(&b)), set(&(&a | &b)));
            prop_assert_eq!(set(&a).minus(&set(&b)), set(&(&a - &b)));
            prop_assert_eq!(set(&a).intersection(&set(&b)), set(&(&a & &b)));
            for (a, b) in [(a.clone(), b.clone()), (a.clone(), a.iter().copied().skip(1).collect()), (a.iter().copied().step_by(2).collect(), a)] {
                let mut differ = a.symmetric_difference(&b);
                let only = differ.next().filter(|_| differ.next().is_none());
                prop_assert_eq!(set(&a).differs_in(&set(&b)), only.map(|&i| Var(u32::from(i))));
            }
        }
    }
}
