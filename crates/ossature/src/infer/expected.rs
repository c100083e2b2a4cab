//! The expected number of rows with each configuration: the E-step of the EM algorithm.

use rustc_hash::FxHashMap;

use super::completion::{Completer, Completion, Parameters};
use super::distinct::DistinctRows;
use crate::counts::ExpectedTables;
use crate::data::{Var, Variable};
use crate::parallel;

/// The number of rows that one thread completes at a time. Results do not depend on it.
const PIECE: usize = 64;
/// For a set with more configurations, only those that occur are counted.
const DENSE: u64 = 1 << 14;

/// The rows of a table with the distribution of the missing values of each, under the probabilities of a
/// network.
///
/// A row counts for each configuration of a set by its probability of having it. This works for any set, so a
/// search can ask for families that the network does not have.
#[derive(Debug)]
pub struct ExpectedCounts<'a> {
    variables: &'a [Variable],
    rows: &'a DistinctRows,
    total: usize,
    completions: Vec<Completion>,
}

impl<'a> ExpectedCounts<'a> {
    pub(super) fn new(
        variables: &'a [Variable],
        rows: &'a DistinctRows,
        total: usize,
        parameters: &Parameters,
        largest: usize,
    ) -> ExpectedCounts<'a> {
        let completer = Completer::new(parameters, rows, largest);
        let completions =
            parallel::map_ranges(rows.len(), PIECE, |some| some.map(|row| completer.complete(row)).collect());
        ExpectedCounts { variables, rows, total, completions }
    }

    /// The logarithm of the probability of all known values.
    pub fn log_likelihood(&self) -> f64 {
        let rows = self.completions.iter().enumerate();
        rows.map(|(row, completion)| self.rows.times(row) * completion.ln_probability).sum()
    }

    /// The number of missing values that were imputed because too many dependent values are missing together;
    /// 0 if all counts are exact.
    pub fn imputed(&self) -> u64 {
        let rows = self.completions.iter().enumerate();
        rows.map(|(row, completion)| self.rows.times(row) as u64 * completion.imputed).sum()
    }

    /// The expected count of each configuration of a set, the last member changing fastest.
    pub(super) fn whole(&self, set: &[Var]) -> Vec<f64> {
        let (places, size) = self.places(set);
        let mut counts = vec![0.0; size as usize];
        self.each(&places, |place, n| counts[place as usize] += n);
        counts
    }

    /// The stride of each member of a set in the number of a configuration, and the number of
    /// configurations; 0 if there are too many to be numbered.
    fn places(&self, set: &[Var]) -> (Vec<(Var, u64)>, u64) {
        let mut size = 1u64;
        let mut places: Vec<(Var, u64)> = Vec::with_capacity(set.len());
        for &v in set.iter().rev() {
            places.push((v, size));
            size = size.checked_mul(self.rows.levels(v) as u64).unwrap_or(0);
            if size == 0 {
                return (Vec::new(), 0);
            }
        }
        (places, size)
    }

    fn each(&self, places: &[(Var, u64)], mut add: impl FnMut(u64, f64)) {
        for (row, completion) in self.completions.iter().enumerate() {
            let times = self.rows.times(row);
            completion.spread(self.rows, row, places, |place, p| add(place, times * p));
        }
    }
}

impl ExpectedTables for ExpectedCounts<'_> {
    fn variables(&self) -> &[Variable] {
        self.variables
    }

    fn rows(&self) -> usize {
        self.total
    }

    fn of_set(&self, set: &[Var], look: &mut dyn FnMut(&[f64])) {
        let (places, size) = self.places(set);
        if size == 0 {
            return look(&[]);
        }
        if size <= DENSE {
            return look(&self.whole(set));
        }
        let mut counts: FxHashMap<u64, f64> = FxHashMap::default();
        self.each(&places, |place, n| *counts.entry(place).or_default() += n);
        let mut counts: Vec<(u64, f64)> = counts.into_iter().collect();
        counts.sort_unstable_by_key(|(place, _)| *place);
        look(&counts.into_iter().map(|(_, n)| n).collect::<Vec<f64>>());
    }
}
