//! `bic` with missing values, from expected counts.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::configurations::Configurations;
use super::grid::Grid;
use super::priced::Priced;
use super::settings::ScoreSettings;
use super::{Score, ScoreKind, SetScore};
use crate::counts::{ExpectedTables, Sweep};
use crate::data::{Var, VarSet};
use crate::error::{Error, Result};
use crate::word::Word;

/// A cap on the number of configurations, more than any model has parameters.
const HUGE: f64 = 1e290;

/// G(S) = Σ n ln n over the expected counts of the configurations of S, minus ½ ln(rows) for each of them.
/// The value of a family is G(X ∪ Pa) − G(Pa), to the last bit, because all sets are counted in the same
/// rows.
pub(super) struct ExpectedScore<'a> {
    counts: &'a dyn ExpectedTables,
    grid: Grid,
    price: f64,
    /// The values of sets so far, by the first member.
    known: Vec<Mutex<FxHashMap<VarSet, f64>>>,
}

impl ScoreSettings {
    /// The score of expected counts. Only `bic` supports them; other scores are an error.
    pub fn build_expected<'a>(&self, counts: &'a dyn ExpectedTables) -> Result<Box<dyn Score + 'a>> {
        self.check()?;
        if self.kind != ScoreKind::Bic {
            return Err(Error::Mismatch {
                what: format!("the score {} cannot be computed from expected counts (em)", self.kind.word()),
                accepted: "with em use bic, with available use pnal".into(),
            });
        }
        let (variables, rows) = (counts.variables(), counts.rows());
        let price = 0.5 * libm::log(rows as f64);
        let grid = Grid::new(variables, rows, price);
        let known = variables.iter().map(|_| Mutex::default()).collect();
        let score = ExpectedScore { counts, grid, price, known };
        if self.arc_price == 0.0 {
            return Ok(Box::new(score));
        }
        let price = grid.round(self.arc_price * libm::log(variables.len() as f64));
        Ok(Box::new(Priced { score, price }))
    }
}

impl ExpectedScore<'_> {
    fn value(&self, set: VarSet) -> f64 {
        let Some(&first) = set.as_slice().first() else {
            return self.compute(&set);
        };
        let known = || self.known[first.index()].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&value) = known().get(&set) {
            return value;
        }
        // No lock is held while rows are counted.
        let value = self.compute(&set);
        known().insert(set, value);
        value
    }

    fn compute(&self, set: &VarSet) -> f64 {
        let levels = |v: Var| self.counts.variables()[v.index()].cardinality();
        let configurations = Configurations::of(set.iter().map(levels)).to_f64().min(HUGE);
        let mut fit = 0.0;
        self.counts.of_set(set.as_slice(), &mut |counts| {
            fit = counts.iter().filter(|&&n| n > 0.0).map(|&n| n * libm::log(n)).sum();
        });
        self.grid.round(fit) - self.grid.round(self.price * configurations)
    }
}

impl Score for ExpectedScore<'_> {
    fn local(&self, child: Var, parents: &[Var]) -> f64 {
        let parents: VarSet = parents.iter().copied().collect();
        self.value(parents.with(child)) - self.value(parents)
    }

    fn sets(&self) -> Option<&dyn SetScore> {
        Some(self)
    }

    fn is_equivalent(&self) -> bool {
        true
    }
}

impl SetScore for ExpectedScore<'_> {
    fn of_set(&self, set: &[Var]) -> f64 {
        self.value(set.iter().copied().collect())
    }

    fn of_sets(&self, sweep: Sweep<'_>, joint: &mut Vec<f64>, mut margins: Option<&mut Vec<f64>>) {
        let given: VarSet = sweep.given.iter().copied().collect();
        for &candidate in sweep.candidates {
            let parents = given.with(candidate);
            joint.push(self.value(parents.with(sweep.target)));
            if let Some(margins) = &mut margins {
                margins.push(self.value(parents));
            }
        }
    }
}
