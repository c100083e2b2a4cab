//! The neighbourhood of one variable, without learning those of the others.

use std::time::Instant;

use serde::Serialize;

use super::hybrid::Hybrid;
use crate::ci::Tally;
use crate::data::{Dataset, Var, VarSet};
use crate::error::{Error, Result};
use crate::local::{LocalLearner, markov_blanket, neighbours};
use crate::progress::Progress;

/// The result for one variable, and its cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbourhood {
    /// The parents and children.
    pub parents_and_children: VarSet,
    /// These and the spouses, if requested.
    pub blanket: Option<VarSet>,
    /// The tests.
    pub tests: Tally,
    /// The time.
    pub seconds: f64,
}

/// The result with names: the JSON of the command and of Python, whose keys are stable.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs)] // the fields are those of `Neighbourhood`
pub struct NeighbourhoodReport<'a> {
    pub target: &'a str,
    pub parents_and_children: Vec<&'a str>,
    pub blanket: Option<Vec<&'a str>>,
    pub tests: Tally,
    pub seconds: f64,
    /// The version of the library.
    pub version: &'static str,
}

impl Neighbourhood {
    /// The report about the target `t` of a table.
    pub fn report<'a>(&self, data: &'a Dataset, t: Var) -> NeighbourhoodReport<'a> {
        let name = |v: Var| data.variable(v).name();
        let names = |set: &VarSet| set.iter().map(name).collect();
        NeighbourhoodReport {
            target: name(t),
            parents_and_children: names(&self.parents_and_children),
            blanket: self.blanket.as_ref().map(names),
            tests: self.tests.clone(),
            seconds: self.seconds,
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// The parents and children of one variable, and with `blanket` its Markov blanket, by the tests of a
/// learner of two halves.
///
/// Nothing is prepared for the other variables and no evidence is kept, so this is fast on very wide
/// tables. A forbidden edge is never in the result and a required one always is.
pub(super) fn find(
    hybrid: &Hybrid,
    learner: &dyn LocalLearner,
    data: &Dataset,
    t: Var,
    blanket: bool,
    progress: &dyn Progress,
) -> Result<Neighbourhood> {
    let clock = Instant::now();
    let test = hybrid.test.build(data)?;
    let ind = hybrid.independence(&*test, data, progress);
    let u = VarSet::all(data.variables().len());
    let pc = neighbours(learner, t, &u, &ind)?;
    let blanket = match blanket {
        true => Some(markov_blanket(learner, t, &pc, &u, &ind)?),
        false => None,
    };
    Ok(Neighbourhood {
        parents_and_children: pc,
        blanket,
        tests: ind.tally(),
        seconds: clock.elapsed().as_secs_f64(),
    })
}

/// The error for a learner without a local learner.
pub(super) fn refuse() -> Result<Neighbourhood> {
    Err(Error::Mismatch {
        what: "this learner does not work on a single variable".into(),
        accepted: "a neighbourhood needs a learner that works variable by variable, such as hpc or iamb"
            .into(),
    })
}
