//! A score on data: the counts of a family and a criterion of them.

use super::Score;
use crate::counts::Counter;
use crate::data::{Dataset, Var};

/// The counts of a variable and its parents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Family<'a> {
    /// n_jk, zeros included or not.
    pub(super) joint: &'a [u32],
    /// n_j, zeros included or not.
    pub(super) parents: &'a [u32],
    /// The levels of the variable.
    pub(super) levels: usize,
    /// The product of the parents' levels. Where it does not fit it stays at the largest number, so
    /// the order of the parents never matters.
    pub(super) configurations: u128,
}

impl Family<'_> {
    /// The product of all levels, the variable's included.
    pub(super) fn joint_configurations(&self) -> u128 {
        self.configurations.saturating_mul(self.levels as u128)
    }
}

/// The value of a family: pure in its counts, and free of their order.
pub(super) trait Criterion: Sync {
    fn local(&self, family: &Family<'_>) -> f64;
}

/// A score on data. Made by [`ScoreSettings::build`](super::ScoreSettings::build).
pub struct TableScore<'a> {
    counter: Counter<'a>,
    criterion: Box<dyn Criterion + Send + 'a>,
}

impl<'a> TableScore<'a> {
    pub(super) fn new(counter: Counter<'a>, criterion: Box<dyn Criterion + Send + 'a>) -> TableScore<'a> {
        TableScore { counter, criterion }
    }

    fn data(&self) -> &'a Dataset {
        self.counter.data()
    }

    fn configurations(&self, parents: &[Var]) -> u128 {
        let levels = parents.iter().map(|&v| self.data().cardinality(v) as u128);
        levels.fold(1, u128::saturating_mul)
    }
}

impl Score for TableScore<'_> {
    fn local(&self, child: Var, parents: &[Var]) -> f64 {
        let (levels, configurations) = (self.data().cardinality(child), self.configurations(parents));
        self.counter.stratify(child, parents, |strata| {
            let (joint, parents) = strata.margins();
            self.criterion.local(&Family { joint, parents, levels, configurations })
        })
    }

    fn sweep(&self, child: Var, parents: &[Var], candidates: &[Var], out: &mut Vec<f64>) {
        let (levels, configurations) = (self.data().cardinality(child), self.configurations(parents));
        self.counter.stratify(child, parents, |strata| {
            out.extend(candidates.iter().map(|&candidate| {
                let more = self.data().cardinality(candidate) as u128;
                let counts = strata.count(candidate);
                self.criterion.local(&Family {
                    joint: counts.xyz(),
                    parents: counts.xz(),
                    levels,
                    configurations: configurations.saturating_mul(more),
                })
            }));
        });
    }
}
