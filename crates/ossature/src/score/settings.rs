//! Scores by name: what a user chooses, made into a score on data.

use std::sync::Arc;

use super::Score;
use super::dirichlet::{Dirichlet, ScorePrior};
use super::grid::Grid;
use super::likelihood::LikelihoodScore;
use super::rising::Rising;
use super::table_score::{Criterion, TableScore};
use crate::counts::{Counter, NLogN, Tables};
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::word::Word;

/// The scores, by the names that users of bnlearn know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ScoreKind {
    /// `bdeu`, also `bde`: the score of the paper
    #[default]
    Bdeu,
    /// `bic`
    Bic,
    /// `aic`
    Aic,
    /// `loglik`
    LogLik,
    /// `k2`
    K2,
    /// `bds`
    Bds,
    /// `bdj`
    Bdj,
}

impl ScoreKind {
    /// Whether an equivalent sample size is part of it.
    pub fn uses_iss(self) -> bool {
        matches!(self, ScoreKind::Bdeu | ScoreKind::Bds)
    }

    /// Whether all graphs of an equivalence class have the same score.
    pub fn is_score_equivalent(self) -> bool {
        matches!(self, ScoreKind::Bdeu | ScoreKind::Bic | ScoreKind::Aic | ScoreKind::LogLik)
    }
}

impl Word for ScoreKind {
    const WHAT: &'static str = "score";
    const WORDS: &'static [(ScoreKind, &'static str, &'static str)] = &[
        (ScoreKind::Bdeu, "bdeu", "Bayesian Dirichlet with an equivalent uniform prior; the paper's score"),
        (ScoreKind::Bic, "bic", "Likelihood less half the parameters times ln(rows)"),
        (ScoreKind::Aic, "aic", "Likelihood less the parameters"),
        (ScoreKind::LogLik, "loglik", "Likelihood alone: more arcs never score less"),
        (ScoreKind::K2, "k2", "Bayesian Dirichlet with one imaginary row for each cell"),
        (ScoreKind::Bds, "bds", "BDeu with the prior on the parent configurations that occur"),
        (ScoreKind::Bdj, "bdj", "Bayesian Dirichlet with Jeffreys' prior"),
    ];
    const ALIASES: &'static [(&'static str, ScoreKind)] = &[("bde", ScoreKind::Bdeu)];
}

/// A score and its settings; the default is the paper's, `bdeu` with a sample size of 10.
///
/// ```
/// use ossature::score::{Score, ScoreKind, ScoreSettings};
/// use ossature::{Column, Dataset, Var, Variable};
///
/// let data = Dataset::new(vec![
///     (Variable::new("a", ["0", "1"])?, Column::from_codes([0, 0, 1, 1], 2)),
/// ])?;
/// let k2 = ScoreSettings { kind: ScoreKind::K2, ..ScoreSettings::default() }.build(&data)?;
/// assert!((k2.local(Var(0), &[]) - (4.0f64 / 120.0).ln()).abs() < 1e-12); // 2! 2! / 5!
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreSettings {
    /// Which score.
    pub kind: ScoreKind,
    /// The equivalent sample size of `bdeu` and `bds`: how many rows the prior is worth.
    pub iss: f64,
}

impl Default for ScoreSettings {
    fn default() -> ScoreSettings {
        ScoreSettings { kind: ScoreKind::default(), iss: 10.0 }
    }
}

impl ScoreSettings {
    /// The score on a dataset.
    pub fn build<'a>(&self, data: &'a Dataset) -> Result<Box<dyn Score + 'a>> {
        self.build_with(Arc::new(Counter::new(data)))
    }

    /// The score on tables of counts, wherever they come from.
    ///
    /// An equivalent sample size that is not a number from 1e-9 to 1e9 is an error if the score
    /// uses one.
    pub fn build_with<'a>(&self, tables: Arc<dyn Tables + 'a>) -> Result<Box<dyn Score + 'a>> {
        self.check()?;
        let rows = tables.rows();
        let grid = |price| Grid::new(tables.variables(), rows, price);
        let likelihood = |price| Box::new(LikelihoodScore { grid: grid(price), f: NLogN::new(rows), price });
        let dirichlet = |prior| Box::new(Dirichlet { grid: grid(0.0), rising: Rising::new(rows), prior });
        let criterion: Box<dyn Criterion + Send> = match self.kind {
            ScoreKind::LogLik => likelihood(0.0),
            ScoreKind::Bic => likelihood(0.5 * libm::log(rows as f64)),
            ScoreKind::Aic => likelihood(1.0),
            ScoreKind::Bdeu => dirichlet(ScorePrior::Uniform(self.iss)),
            ScoreKind::Bds => dirichlet(ScorePrior::Sparse(self.iss)),
            ScoreKind::K2 => dirichlet(ScorePrior::Constant(1.0)),
            ScoreKind::Bdj => dirichlet(ScorePrior::Constant(0.5)),
        };
        Ok(Box::new(TableScore::new(tables, criterion, self.kind.is_score_equivalent())))
    }

    /// The error that building it would give, before any work is done.
    pub(crate) fn check(&self) -> Result<()> {
        if self.kind.uses_iss() && !(1e-9..=1e9).contains(&self.iss) {
            return Err(Error::Mismatch {
                what: format!("the equivalent sample size is {}", self.iss),
                accepted: "a number from 1e-9 to 1e9 is accepted".into(),
            });
        }
        Ok(())
    }
}
