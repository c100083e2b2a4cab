//! Scores by name: what a user chooses, made into a score on data.

use std::sync::Arc;

use super::Score;
use super::dirichlet::{Dirichlet, ScorePrior};
use super::grid::Grid;
use super::hierarchical::Hierarchical;
use super::likelihood::LikelihoodScore;
use super::priced::Priced;
use super::qnml::Qnml;
use super::rising::Rising;
use super::table_score::{Criterion, TableScore};
use crate::counts::{Counter, NLogN, Tables};
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::word::Word;

/// What decides between graphs that `bdh` finds nearly equal.
const REFEREE: ScoreSettings =
    ScoreSettings { kind: ScoreKind::Bds, iss: 10.0, arc_price: 2.0, levels_of: LevelsOf::Data };

/// The highest price of an arc, in units of ln p.
const MOST_EXPENSIVE: f64 = 1e6;

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
    /// `qnml`
    Qnml,
    /// `bdh`
    Bdh,
}

impl ScoreKind {
    /// Whether an equivalent sample size is part of it.
    pub fn uses_iss(self) -> bool {
        matches!(self, ScoreKind::Bdeu | ScoreKind::Bds)
    }

    /// Whether all graphs of an equivalence class have the same score.
    pub fn is_score_equivalent(self) -> bool {
        matches!(
            self,
            ScoreKind::Bdeu | ScoreKind::Bic | ScoreKind::Aic | ScoreKind::LogLik | ScoreKind::Qnml
        )
    }

    /// Whether it has a price of its own for parents, and takes the levels that occur.
    pub fn has_own_price(self) -> bool {
        self == ScoreKind::Bdh
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
        (ScoreKind::Qnml, "qnml", "Quotient normalised maximum likelihood: no prior to choose"),
        (ScoreKind::Bdh, "bdh", "Hierarchical Dirichlet: tables shrink towards those of fewer parents"),
    ];
    const ALIASES: &'static [(&'static str, ScoreKind)] = &[("bde", ScoreKind::Bdeu)];
}

/// Which levels of a variable count for a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LevelsOf {
    /// Those that are declared.
    #[default]
    Declared,
    /// Those that occur in the data.
    Data,
}

impl Word for LevelsOf {
    const WHAT: &'static str = "levels";
    const WORDS: &'static [(LevelsOf, &'static str, &'static str)] = &[
        (LevelsOf::Declared, "declared", "All levels that a variable is said to have"),
        (LevelsOf::Data, "data", "Those that occur in the data"),
    ];
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
    /// What each arc costs, in units of ln p, p the number of variables.
    pub arc_price: f64,
    /// Which levels count; `bdh` takes those that occur.
    pub levels_of: LevelsOf,
}

impl Default for ScoreSettings {
    fn default() -> ScoreSettings {
        ScoreSettings {
            kind: ScoreKind::default(),
            iss: 10.0,
            arc_price: 0.0,
            levels_of: LevelsOf::default(),
        }
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
        let (rows, p) = (tables.rows(), tables.variables().len() as f64);
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
            ScoreKind::Qnml => Box::new(Qnml { grid: grid(0.0), f: NLogN::new(rows), rows: rows as f64 }),
            ScoreKind::Bdh => {
                let referee = REFEREE.build_with(tables.clone())?;
                return Ok(Box::new(Hierarchical::new(tables.clone(), grid(0.0), Some(referee))));
            }
        };
        let score =
            TableScore::new(tables.clone(), criterion, self.kind.is_score_equivalent(), self.levels_of);
        if self.arc_price == 0.0 {
            return Ok(Box::new(score));
        }
        let price = grid(0.0).round(self.arc_price * libm::log(p));
        Ok(Box::new(Priced { score, price }))
    }

    /// The error that building it would give, before any work is done.
    pub fn check(&self) -> Result<()> {
        if self.kind.uses_iss() && !(1e-9..=1e9).contains(&self.iss) {
            return Err(Error::Mismatch {
                what: format!("the equivalent sample size is {}", self.iss),
                accepted: "a number from 1e-9 to 1e9 is accepted".into(),
            });
        }
        let priced = self.arc_price != 0.0;
        if !(0.0..=MOST_EXPENSIVE).contains(&self.arc_price) || (priced && self.kind.has_own_price()) {
            return Err(Error::Mismatch {
                what: format!("the price of an arc is {} for {}", self.arc_price, self.kind.word()),
                accepted: "a number from 0 to 1e6 is accepted, and none for bdh, which has its own".into(),
            });
        }
        Ok(())
    }
}
