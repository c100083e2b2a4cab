//! How `bdh` composes a table: towards which tables of fewer parents it shrinks, and how strongly.
//!
//! The score of a family is the mean of terms, one for each base and strength. As shares of their sum the
//! terms are the posterior weights of bases and strengths, which are all equally probable a priori.

use std::sync::Arc;

use super::grid::Grid;
use super::hierarchical::Hierarchical;
use super::lanes::STRENGTHS;
use crate::counts::Counter;
use crate::data::{Dataset, Var};

/// The view of the score `bdh` on tables.
pub(crate) struct Backoff<'a> {
    score: Hierarchical<'a>,
}

/// One of the tables that the table of a variable is a mixture of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MixtureTerm {
    /// The number of parents of the base, the strongest ones.
    pub(crate) parents: usize,
    /// The number of imaginary rows in each configuration, distributed like the base.
    pub(crate) strength: f64,
    /// The posterior probability.
    pub(crate) weight: f64,
}

impl<'a> Backoff<'a> {
    /// The view of the score on the tables of a dataset.
    pub(crate) fn new(data: &'a Dataset) -> Backoff<'a> {
        let grid = Grid::new(data.variables(), data.total(), 0.0);
        Backoff { score: Hierarchical::new(Arc::new(Counter::new(data)), grid, None) }
    }

    /// The parents of a variable, the strongest first.
    pub(crate) fn order(&self, x: Var, parents: &[Var]) -> Vec<Var> {
        self.score.sorted(x, parents).into_iter().map(|(_, parent)| parent).collect()
    }

    /// The mixture for a variable with these ordered parents; empty if there are none.
    pub(crate) fn mixture(&self, x: Var, ordered: &[Var]) -> Vec<MixtureTerm> {
        let Some((last, others)) = ordered.split_last() else { return Vec::new() };
        let mut mixture = Vec::new();
        self.score.terms_of_last(x, others, &[*last], |terms| {
            let largest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let shares: Vec<f64> = terms.iter().map(|term| libm::exp(term - largest)).collect();
            let sum: f64 = shares.iter().sum();
            mixture = (shares.into_iter().enumerate())
                .map(|(i, share)| MixtureTerm {
                    parents: [0, 1, others.len()][i / STRENGTHS.len()],
                    strength: STRENGTHS[i % STRENGTHS.len()],
                    weight: share / sum,
                })
                .collect();
        });
        mixture
    }
}
