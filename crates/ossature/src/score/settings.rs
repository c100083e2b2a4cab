//! Scores by name: from a user's choice to a score on data.

use std::sync::Arc;

use super::Score;
use super::dirichlet::{Dirichlet, ScorePrior};
use super::gaussian::{self, GaussianCriterion, GaussianNodeAverage, GaussianScore};
use super::grid::Grid;
use super::hierarchical::Hierarchical;
use super::likelihood::LikelihoodScore;
use super::node_average::{self, NodeAverage};
use super::priced::Priced;
use super::qnml::Qnml;
use super::rising::Rising;
use super::table_score::{Criterion, TableScore};
use crate::counts::{NLogN, Tables};
use crate::data::{Dataset, TableKind};
use crate::error::{Error, Result};
use crate::sources::Sources;
use crate::word::Word;

/// The score that decides between graphs that are nearly equal by `bdh`.
const REFEREE: ScoreSettings =
    ScoreSettings { kind: ScoreKind::Bds, iss: 10.0, arc_price: 2.0, levels_of: LevelsOf::Data };

/// The highest price of an arc, in units of ln p.
const MOST_EXPENSIVE: f64 = 1e6;

/// The scores, by the names that bnlearn uses.
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
    /// `loglik-g`
    LogLikG,
    /// `bic-g`
    BicG,
    /// `bge`
    Bge,
    /// `bic-dg`
    BicDg,
    /// `bic-cg`
    BicCg,
    /// `pnal-g`
    PnalG,
    /// `pnal-cg`
    PnalCg,
    /// `pnal`
    Pnal,
}

impl ScoreKind {
    /// Whether it uses an equivalent sample size.
    pub fn uses_iss(self) -> bool {
        matches!(self, ScoreKind::Bdeu | ScoreKind::Bds)
    }

    /// Whether all graphs of an equivalence class have the same score.
    pub fn is_score_equivalent(self) -> bool {
        matches!(
            self,
            ScoreKind::Bdeu
                | ScoreKind::Bic
                | ScoreKind::Aic
                | ScoreKind::LogLik
                | ScoreKind::Qnml
                | ScoreKind::LogLikG
                | ScoreKind::BicG
                | ScoreKind::Bge
                | ScoreKind::BicDg
                | ScoreKind::BicCg
        )
    }

    /// Whether it can be used on this kind of table.
    pub fn is_for(self, table: TableKind) -> bool {
        match self {
            ScoreKind::LogLikG | ScoreKind::BicG | ScoreKind::Bge | ScoreKind::PnalG => {
                table == TableKind::Continuous
            }
            ScoreKind::BicDg | ScoreKind::BicCg | ScoreKind::PnalCg => true,
            _ => table == TableKind::Discrete,
        }
    }

    /// Whether it is computed from counts, and so only for discrete columns.
    pub fn counts(self) -> bool {
        !self.is_for(TableKind::Mixed) && self.is_for(TableKind::Discrete)
    }

    /// Whether each family is scored on the rows that are complete in it, so that values may be missing.
    pub fn takes_gaps(self) -> bool {
        matches!(self, ScoreKind::Pnal | ScoreKind::PnalG | ScoreKind::PnalCg)
    }

    /// Whether it can be used on this table, with its kinds of columns and missing values.
    /// Expectation-maximisation uses `bic`.
    pub fn suits(self, data: &Dataset) -> bool {
        let gaps = match (data.is_complete(), data.is_for_em()) {
            (true, _) => true,
            (false, true) => self == ScoreKind::Bic,
            (false, false) => self.takes_gaps(),
        };
        self.is_for(data.kind()) && gaps
    }

    /// The default score for a table.
    pub fn usual(data: &Dataset) -> ScoreKind {
        match (data.kind(), data.is_complete()) {
            (TableKind::Discrete, true) => ScoreKind::default(),
            (TableKind::Discrete, false) if data.is_for_em() => ScoreKind::Bic,
            (TableKind::Discrete, false) => ScoreKind::Pnal,
            (TableKind::Continuous, true) => ScoreKind::BicG,
            (TableKind::Mixed, true) => ScoreKind::BicDg,
            (TableKind::Continuous, false) => ScoreKind::PnalG,
            (TableKind::Mixed, false) => ScoreKind::PnalCg,
        }
    }

    /// Whether it has its own price for parents, and uses the levels that occur.
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
        (ScoreKind::LogLikG, "loglik-g", "Gaussian likelihood alone, for continuous columns"),
        (
            ScoreKind::BicG,
            "bic-g",
            "Gaussian likelihood less half the parameters times ln(rows), for continuous columns",
        ),
        (ScoreKind::Bge, "bge", "Bayesian Gaussian equivalent, for continuous columns"),
        (
            ScoreKind::BicDg,
            "bic-dg",
            "Degenerate Gaussian: levels become indicator columns, for columns of both kinds",
        ),
        (ScoreKind::BicCg, "bic-cg", "Conditional Gaussian, for columns of both kinds"),
        (
            ScoreKind::PnalG,
            "pnal-g",
            "Gaussian node-average likelihood, for continuous columns with missing values",
        ),
        (
            ScoreKind::PnalCg,
            "pnal-cg",
            "Conditional Gaussian node-average likelihood, for any columns with missing values",
        ),
        (ScoreKind::Pnal, "pnal", "Mean likelihood of each node, for tables with missing values"),
    ];
    const ALIASES: &'static [(&'static str, ScoreKind)] = &[("bde", ScoreKind::Bdeu)];
}

/// Which levels of a variable count for a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LevelsOf {
    /// The declared levels.
    #[default]
    Declared,
    /// The levels that occur in the data.
    Data,
}

impl Word for LevelsOf {
    const WHAT: &'static str = "levels";
    const WORDS: &'static [(LevelsOf, &'static str, &'static str)] = &[
        (LevelsOf::Declared, "declared", "All declared levels of a variable"),
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
    /// The score.
    pub kind: ScoreKind,
    /// The equivalent sample size of `bdeu` and `bds`: the weight of the prior in rows.
    pub iss: f64,
    /// The price of each arc, in units of ln p, with p the number of variables.
    pub arc_price: f64,
    /// Which levels count; `bdh` uses those that occur.
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
    /// The score on a dataset. It is an error if the score does not accept its kinds of columns.
    pub fn build<'a>(&self, data: &'a Dataset) -> Result<Box<dyn Score + 'a>> {
        self.build_with(&Sources::new(data))
    }

    /// The score on a shared table.
    ///
    /// An equivalent sample size that is not a number from 1e-9 to 1e9 is an error if the score
    /// uses one.
    pub fn build_with<'a>(&self, sources: &Sources<'a>) -> Result<Box<dyn Score + 'a>> {
        self.check()?;
        let work = format!("the score {}", self.kind.word());
        let criterion = |rows: usize| {
            let price = 0.5 * libm::log(rows as f64);
            match self.kind {
                ScoreKind::LogLikG => GaussianCriterion::Likelihood { price: 0.0 },
                ScoreKind::Bge => GaussianCriterion::Bge,
                ScoreKind::BicCg => GaussianCriterion::Conditional { price },
                _ => GaussianCriterion::Likelihood { price },
            }
        };
        if self.kind.counts() {
            return self.of_tables(match self.kind.takes_gaps() {
                true => sources.available_tables(&work)?,
                false => sources.tables(&work).map_err(|e| match sources.has_gaps() {
                    true => needs_complete_rows(e),
                    false => e,
                })?,
            });
        }
        let mixed = self.kind.is_for(TableKind::Mixed);
        if self.kind.takes_gaps() {
            return self.priced(GaussianNodeAverage::new(sources.moments(&work, mixed)?), sources);
        }
        let moments = sources.complete_moments(&work, mixed).map_err(|e| match sources.has_gaps() {
            true => needs_complete_rows(e),
            false => e,
        })?;
        let criterion = criterion(moments.rows());
        self.priced(GaussianScore::new(moments, criterion), sources)
    }

    /// The score with a price for each arc.
    fn priced<'a, S: Score + 'a>(&self, score: S, sources: &Sources<'a>) -> Result<Box<dyn Score + 'a>> {
        if self.arc_price == 0.0 {
            return Ok(Box::new(score));
        }
        let moments = sources.moments("the price of an arc", true)?;
        let p = moments.variables().len() as f64;
        let price = Grid::reaching(gaussian::largest(&moments)).round(self.arc_price * libm::log(p));
        Ok(Box::new(Priced { score, price }))
    }

    fn of_tables<'a>(&self, tables: Arc<dyn Tables + 'a>) -> Result<Box<dyn Score + 'a>> {
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
            ScoreKind::LogLikG
            | ScoreKind::BicG
            | ScoreKind::Bge
            | ScoreKind::BicDg
            | ScoreKind::BicCg
            | ScoreKind::PnalG
            | ScoreKind::PnalCg => unreachable!("these are not made of counts"),
            ScoreKind::Pnal => {
                let price = node_average::price(rows, tables.variables().len());
                // A mean is as large as a single row.
                Box::new(NodeAverage {
                    grid: Grid::new(tables.variables(), 1, price),
                    f: NLogN::new(rows),
                    price,
                })
            }
            ScoreKind::Bdh => {
                let referee = REFEREE.of_tables(tables.clone())?;
                return Ok(Box::new(Hierarchical::new(tables.clone(), grid(0.0), Some(referee))));
            }
        };
        let score =
            TableScore::new(tables.clone(), criterion, self.kind.is_score_equivalent(), self.levels_of);
        if self.arc_price == 0.0 {
            return Ok(Box::new(score));
        }
        let scale = if self.kind == ScoreKind::Pnal { 1.0 / rows as f64 } else { 1.0 };
        let price = grid(0.0).round(self.arc_price * libm::log(p) * scale);
        Ok(Box::new(Priced { score, price }))
    }

    /// The error that building this score would return, before any work is done.
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

/// The error for a score that needs complete rows, with the alternatives.
fn needs_complete_rows(error: Error) -> Error {
    match error {
        Error::Mismatch { what, .. } => Error::Mismatch {
            what,
            accepted: "the scores pnal, pnal-g and pnal-cg use the rows that are complete in each family (available); em learns \
                       with bic from expected counts; or leave these rows out, or make the missing value a \
                       separate level"
                .into(),
        },
        other => other,
    }
}
