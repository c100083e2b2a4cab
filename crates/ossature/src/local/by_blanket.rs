//! The skeleton by Markov blankets.

use super::LocalLearner;
use super::iamb::{BlanketLearner, separated_in_the_smaller};
use super::skeleton::{Symmetry, for_all_targets};
use crate::ci::Independence;
use crate::data::{Var, VarSet};
use crate::error::Result;
use crate::graph::Skeleton;
use crate::halves::{Restrict, Restriction};
use crate::parallel;

/// A learner of blankets as a first half: finds the blankets of all variables, then tests for each pair
/// whether a subset of the smaller blanket separates it.
#[derive(Debug, Clone, Copy)]
pub struct ByBlanket {
    /// Finds the blankets.
    pub learner: BlanketLearner,
    /// What happens to a pair if only one variable is in the blanket of the other.
    pub symmetry: Symmetry,
}

impl Restrict for ByBlanket {
    fn restrict(&self, u: &VarSet, ask: &Independence<'_>) -> Result<Restriction> {
        let blankets = for_all_targets(u, ask, |t| self.learner.blanket_of(t, u, ask))?;
        let near = |x: Var, y: Var| blankets[x.index()].contains(y);
        let pairs: Vec<(Var, Var)> = u
            .iter()
            .flat_map(|x| u.iter().filter(move |&y| x < y).map(move |y| (x, y)))
            .filter(|&(x, y)| match self.symmetry {
                Symmetry::And => near(x, y) && near(y, x),
                Symmetry::Or => near(x, y) || near(y, x),
            })
            .collect();
        let adjacent = |&(x, y): &(Var, Var)| {
            let [of_x, of_y] = [x, y].map(|v| &blankets[v.index()]);
            !separated_in_the_smaller((x, of_x), (y, of_y), ask)
        };
        let adjacent: Vec<bool> = parallel::map_each(&pairs, adjacent);
        ask.check_running()?;
        let mut skeleton = Skeleton::empty(u.len());
        for ((x, y), _) in pairs.into_iter().zip(adjacent).filter(|(_, adjacent)| *adjacent) {
            if !ask.edge_forbidden(x, y) {
                skeleton.insert(x, y);
            }
        }
        for (x, y) in ask.required() {
            skeleton.insert(x, y);
        }
        let evidence = ask.take_evidence(|x, y| !skeleton.contains(x, y));
        Ok(Restriction { skeleton, evidence })
    }

    fn local(&self) -> Option<&dyn LocalLearner> {
        Some(&self.learner)
    }
}
