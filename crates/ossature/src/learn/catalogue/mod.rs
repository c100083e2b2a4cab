//! The catalogue of learners, their halves and their settings.
//!
//! The command's options and help, the study, the Python classes and the documentation are made from it;
//! to add your own learner, pass a catalogue with one more row. `learners` and `rows` are the tables;
//! `choice` and `resolve` turn a request into [`Settings`], the only place where requests are checked.

mod choice;
mod learners;
mod resolve;
pub mod rows;

use serde::Serialize;

use super::Learner;
use super::hybrid::Hybrid;
use super::setting::{Setting, Value};
use super::settings::Settings;
use super::structural_em::StructuralEm;
use crate::data::{Dataset, Variable};
use crate::error::{Error, Result};
use crate::graph::{Constraints, Dag, NamedArc, NamedTier};
use crate::halves::{LocalLearner, Orient, Restrict};
use crate::local::{BlanketLearner, ByBlanket, ByTarget};
use crate::word::Word;

/// A named set of settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Preset {
    /// The settings we recommend.
    #[default]
    Recommended,
    /// Exactly the paper: one tie order, and nothing shared between targets.
    Paper,
    /// Settings that resemble the R package bnlearn.
    Bnlearn,
}

impl Word for Preset {
    const WHAT: &'static str = "preset";
    const WORDS: &'static [(Preset, &'static str, &'static str)] = &[
        (Preset::Recommended, "recommended", "Ten tie orders, results shared between targets"),
        (Preset::Paper, "paper", "Exactly as in the paper: one tie order, nothing shared"),
        (
            Preset::Bnlearn,
            "bnlearn",
            "Similar to the R package: FDR-IAPC inside HPC, hill climbing inside a skeleton, one tie order",
        ),
    ];
}

/// What a learner returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returns {
    /// One DAG.
    Dag,
    /// An equivalence class, or a graph that is not one if the data is contradictory.
    Cpdag,
    /// A skeleton.
    Skeleton,
}

impl Returns {
    /// The word for it in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Returns::Dag => "dag",
            Returns::Cpdag => "cpdag",
            Returns::Skeleton => "skeleton",
        }
    }
}

/// A first half: finds the possible edges.
#[derive(Debug, Clone, Copy)]
pub struct FirstHalf {
    /// Its name.
    pub name: &'static str,
    /// One sentence without a full stop.
    pub title: &'static str,
    /// The settings it uses itself, in addition to those of its tests.
    pub settings: &'static [Setting],
    /// How it is made.
    pub build: Build,
}

/// Makes a first half from settings, over variables with these names.
pub type BuildGiven = fn(&Settings, &[&str]) -> Result<Box<dyn Restrict>>;

/// A setting by name, and a default that replaces its own.
pub type OwnDefault = (&'static str, fn() -> Value);

/// How a first half is made from settings.
#[derive(Debug, Clone, Copy)]
pub enum Build {
    /// A local learner, which becomes a first half by visiting all targets.
    Local(fn(&Settings) -> Box<dyn LocalLearner>),
    /// A learner of Markov blankets, which also visits all targets, and then checks pairs.
    Blanket(BlanketLearner),
    /// All variables at once.
    Whole(fn(&Settings) -> Box<dyn Restrict>),
    /// A given result, without tests, over variables with these names.
    Given(BuildGiven),
}

impl FirstHalf {
    /// Whether it runs tests.
    pub fn asks_tests(&self) -> bool {
        !matches!(self.build, Build::Given(_))
    }

    /// Whether it can find the neighbourhood of one variable.
    pub fn looks_at_one(&self) -> bool {
        matches!(self.build, Build::Local(_) | Build::Blanket(_))
    }
}

/// A second half: finds the directions.
#[derive(Debug, Clone, Copy)]
pub struct SecondHalf {
    /// Its name.
    pub name: &'static str,
    /// One sentence without a full stop.
    pub title: &'static str,
    /// The settings it uses itself, in addition to those of its score and its tests.
    pub settings: &'static [Setting],
    /// Whether it maximises a score.
    pub uses_score: bool,
    /// Whether it runs tests.
    pub asks_tests: bool,
    /// What it returns.
    pub returns: Returns,
    /// How it is made.
    pub build: fn(&Settings) -> Box<dyn Orient>,
}

/// A named learner.
#[derive(Debug, Clone, Copy)]
pub struct LearnerRow {
    /// Its name.
    pub name: &'static str,
    /// Its class in Python.
    pub class: &'static str,
    /// One sentence without a full stop.
    pub title: &'static str,
    /// Where it comes from.
    pub citation: &'static str,
    /// How it is composed.
    pub how: How,
    /// Settings whose default it changes.
    pub defaults: &'static [OwnDefault],
}

/// How a learner is composed.
#[derive(Debug, Clone, Copy)]
pub enum How {
    /// Two halves, by name; one of them may be missing.
    Halves {
        /// The first half.
        restrict: Option<&'static str>,
        /// The second half.
        maximise: Option<&'static str>,
    },
    /// Its own rounds.
    Rounds {
        /// The settings it uses itself, in addition to those of its score and its tests.
        settings: &'static [Setting],
        /// Whether it maximises a score.
        uses_score: bool,
        /// Whether it runs tests.
        asks_tests: bool,
        /// What it returns.
        returns: Returns,
        /// How it is made, for a table and constraints.
        build: fn(&Settings, &Dataset, Constraints) -> Result<Box<dyn Learner>>,
    },
}

/// All learners, their halves and their settings.
#[derive(Debug, Clone)]
pub struct Catalogue {
    /// The first halves.
    pub first: Vec<FirstHalf>,
    /// The second halves.
    pub second: Vec<SecondHalf>,
    /// The named learners.
    pub learners: Vec<LearnerRow>,
    /// The settings, in the order of the help.
    pub settings: Vec<Setting>,
}

/// A learner as plain data: the JSON of `ossature learners`, whose keys are stable.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs)] // the fields are those of the row
pub struct LearnerReport {
    pub name: &'static str,
    pub title: &'static str,
    pub citation: &'static str,
    pub restrict: Option<&'static str>,
    pub maximise: Option<&'static str>,
    pub result: &'static str,
    pub settings: Vec<&'static str>,
}

impl Catalogue {
    /// Everything that the library has.
    pub fn standard() -> Catalogue {
        Catalogue {
            first: learners::FIRST.to_vec(),
            second: learners::SECOND.to_vec(),
            learners: learners::LEARNERS.to_vec(),
            settings: rows::ALL.to_vec(),
        }
    }

    /// The learner with this name.
    pub fn learner(&self, name: &str) -> Result<&LearnerRow> {
        let found = self.learners.iter().find(|row| row.name == name);
        found.ok_or_else(|| Error::unknown_name("learner", name, self.learners.iter().map(|r| r.name), None))
    }

    /// The first half with this name.
    pub fn first(&self, name: &str) -> Result<&FirstHalf> {
        let found = self.first.iter().find(|row| row.name == name);
        found.ok_or_else(|| Error::unknown_name("first half", name, self.first.iter().map(|r| r.name), None))
    }

    /// The second half with this name.
    pub fn second(&self, name: &str) -> Result<&SecondHalf> {
        let found = self.second.iter().find(|row| row.name == name);
        found
            .ok_or_else(|| Error::unknown_name("second half", name, self.second.iter().map(|r| r.name), None))
    }

    /// The setting with this name.
    pub fn setting(&self, name: &str) -> Result<&Setting> {
        let found = self.settings.iter().find(|row| row.name == name);
        found.ok_or_else(|| Error::unknown_name("setting", name, self.settings.iter().map(|s| s.name), None))
    }

    /// Every learner as plain data.
    pub fn report(&self) -> Vec<LearnerReport> {
        let report = |row: &LearnerRow| {
            let (restrict, maximise) = match row.how {
                How::Halves { restrict, maximise } => (restrict, maximise),
                How::Rounds { .. } => (None, None),
            };
            LearnerReport {
                name: row.name,
                title: row.title,
                citation: row.citation,
                restrict,
                maximise,
                result: self.returns(row).word(),
                settings: self.used_by(row).iter().map(|setting| setting.name).collect(),
            }
        };
        self.learners.iter().map(report).collect()
    }

    /// What a learner returns.
    pub fn returns(&self, row: &LearnerRow) -> Returns {
        match row.how {
            How::Rounds { returns, .. } => returns,
            How::Halves { maximise: None, .. } => Returns::Skeleton,
            How::Halves { maximise: Some(name), .. } => {
                self.second(name).map_or(Returns::Dag, |half| half.returns)
            }
        }
    }

    /// The settings that a learner may use, in the order of the catalogue; some of them only with certain
    /// values of others.
    pub fn used_by(&self, row: &LearnerRow) -> Vec<&Setting> {
        let names = match row.how {
            How::Halves { restrict, maximise } => self.used_by_halves(restrict, maximise),
            How::Rounds { settings, uses_score, asks_tests, .. } => used(settings, uses_score, asks_tests),
        };
        self.settings.iter().filter(|setting| names.contains(&setting.name)).collect()
    }

    fn used_by_halves(&self, restrict: Option<&str>, maximise: Option<&str>) -> Vec<&'static str> {
        let first = restrict.and_then(|name| self.first(name).ok());
        let second = maximise.and_then(|name| self.second(name).ok());
        let own = first.map_or(&[][..], |half| half.settings);
        let asks_tests =
            first.is_some_and(FirstHalf::asks_tests) || second.is_some_and(|half| half.asks_tests);
        let uses_score = second.is_some_and(|half| half.uses_score);
        let mut names = used(own, uses_score, asks_tests);
        names.extend(second.into_iter().flat_map(|half| half.settings).map(|setting| setting.name));
        names
    }

    /// The learner for a table. Unknown names and contradictory constraints are errors.
    pub fn build(&self, settings: &Settings, data: &Dataset) -> Result<Box<dyn Learner>> {
        self.build_with(settings, data, constraints(settings, data)?)
    }

    /// The learner for a table with the given constraints.
    pub fn build_with(
        &self,
        settings: &Settings,
        data: &Dataset,
        constraints: Constraints,
    ) -> Result<Box<dyn Learner>> {
        let settings = &settings.for_table(data)?;
        if settings.restrict.is_none() && settings.maximise.is_none() {
            let row = self.learner(&settings.learner)?;
            if let How::Rounds { build, .. } = row.how {
                data.require_available(&format!("the learner {}", row.name))?;
                return build(settings, data, constraints);
            }
        }
        let hybrid = self.hybrid(settings, data, constraints)?;
        match data.is_for_em() {
            true if settings.asked.contains(&rows::HOW_MANY.name) && settings.count(&rows::HOW_MANY) > 1 => {
                Err(Error::Setting {
                    name: rows::HOW_MANY.name.to_owned(),
                    problem: "is not used with expected values for what is missing (em)".into(),
                    accepted:
                        "without missing values, or with the available ones, the best classes are listed"
                            .into(),
                })
            }
            true => Ok(Box::new(StructuralEm::new(hybrid)?)),
            false => Ok(Box::new(hybrid)),
        }
    }

    /// The learner of two halves.
    pub(super) fn hybrid(
        &self,
        settings: &Settings,
        data: &Dataset,
        constraints: Constraints,
    ) -> Result<Hybrid> {
        let names: Vec<&str> = data.variables().iter().map(Variable::name).collect();
        Ok(Hybrid {
            start: start(settings, data)?,
            ..self.halves(settings, &names)?.with_constraints(constraints)
        })
    }

    fn halves(&self, s: &Settings, names: &[&str]) -> Result<Hybrid> {
        let restrict = s.restrict().map(|name| self.first(name)?.build(s, names)).transpose()?;
        let orient = s.maximise().map(|name| Ok((self.second(name)?.build)(s))).transpose()?;
        Ok(Hybrid {
            restrict,
            orient,
            test: s.test(),
            alpha: s.number(&rows::ALPHA),
            underpowered: s.word(&rows::UNDERPOWERED),
            max_conditioning: s.limit(&rows::MAX_CONDITIONING),
            pair_memory: s.count(&rows::PAIR_MEMORY).saturating_mul(1 << 20),
            score: s.score(),
            constraints: Constraints::none(),
            start: None,
        })
    }

    /// A learner of two halves by name, with the recommended settings and no constraints.
    pub(super) fn plain(&self, name: &str) -> Hybrid {
        let settings = self.resolve(&super::Asked::learner(name)).expect("the name of a learner");
        self.halves(&settings, &[]).expect("halves that need no names")
    }
}

impl FirstHalf {
    fn build(&self, settings: &Settings, names: &[&str]) -> Result<Box<dyn Restrict>> {
        match self.build {
            Build::Local(build) => {
                let symmetry = settings.word(&rows::SYMMETRY);
                Ok(Box::new(ByTarget { learner: build(settings), symmetry }))
            }
            Build::Blanket(learner) => {
                Ok(Box::new(ByBlanket { learner, symmetry: settings.word(&rows::SYMMETRY) }))
            }
            Build::Whole(build) => Ok(build(settings)),
            Build::Given(build) => build(settings, names),
        }
    }
}

/// The names of all settings of a learner or half with these settings of its own.
fn used(own: &[Setting], uses_score: bool, asks_tests: bool) -> Vec<&'static str> {
    let when = |condition: bool, rows: &'static [Setting]| if condition { rows } else { &[] };
    let shared = [rows::BY_ALL, when(asks_tests, rows::BY_TESTS), when(uses_score, rows::BY_SCORE)];
    own.iter().chain(shared.into_iter().flatten()).map(|setting| setting.name).collect()
}

/// The constraints over the columns of a table.
pub fn constraints(settings: &Settings, data: &Dataset) -> Result<Constraints> {
    let arc = |(from, to): &(String, String)| NamedArc { from: from.clone(), to: to.clone(), place: None };
    let arcs = |row: &Setting| settings.pairs(row).iter().map(arc).collect::<Vec<_>>();
    let tier =
        |(variable, tier): &(String, i64)| NamedTier { variable: variable.clone(), tier: *tier, place: None };
    let names: Vec<&str> = data.variables().iter().map(Variable::name).collect();
    let tiers: Vec<NamedTier> = settings.tiers().iter().map(tier).collect();
    Constraints::new(&names, &arcs(&rows::WHITELIST), &arcs(&rows::BLACKLIST), &tiers)
}

/// The graph that the search starts from, over the columns of a table.
fn start(settings: &Settings, data: &Dataset) -> Result<Option<Dag>> {
    let arcs = settings.pairs(&rows::START);
    (!arcs.is_empty()).then(|| dag(arcs, data)).transpose()
}

/// The graph of these arcs over the columns of a table.
fn dag(arcs: &[(String, String)], data: &Dataset) -> Result<Dag> {
    let mut dag = Dag::empty(data.variables().len());
    for (from, to) in arcs {
        dag.try_add(data.require(from)?, data.require(to)?).map_err(|_| Error::Cycle {
            cycle: vec![from.clone(), to.clone(), "…".into(), from.clone()],
            place: None,
        })?;
    }
    Ok(dag)
}
