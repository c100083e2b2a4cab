//! How well learners predict held-out rows.
//!
//! The rows are divided into folds; for each fold a learner learns from the other folds, the tables are
//! fitted to the same rows, and the fold is used for evaluation: by the log-probability of its rows, or of
//! one variable given the rest of its row. All learners get the same folds. These depend on the seed and on
//! the set of rows, not on their order, and all sums have a fixed order.

use std::ops::ControlFlow;

use serde::Serialize;

use super::selection::sorted_rows;
use super::{Catalogue, Settings};
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::infer::{Inference, Limit, PartialRows, Unseen, fit_tables};
use crate::progress::{Event, Progress, Stop};
use crate::random::mix;
use crate::text::thousands;

/// How learners compare on held-out rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CrossValidation {
    /// The number of folds.
    pub folds: usize,
    /// The number of rows.
    pub rows: usize,
    /// The predicted variable; `None` for whole rows.
    pub target: Option<String>,
    /// The seed of the folds.
    pub seed: u64,
    /// The learners in their order.
    pub learners: Vec<HeldOut>,
}

/// How well one learner predicts held-out rows: higher is better.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HeldOut {
    /// The learner.
    pub name: String,
    /// The mean over the folds.
    pub mean: f64,
    /// The standard deviation over the folds.
    pub sd: f64,
    /// For each fold, the mean natural log-probability of its rows, or of their target given the rest: minus
    /// the log loss.
    pub by_fold: Vec<f64>,
}

/// Compares learners on held-out rows.
///
/// Tables are fitted with the [prior](Settings::prior) of the learner: BDeu with its `iss`, 10 if it has none,
/// and for learners that maximise `bdh`, such as `best`, the prior of that score. A learner that finds no
/// directions is refused; a class is represented by one member, since all predict the same. If it is stopped, in
/// either way, there is no result: [`Error::Stopped`].
///
/// ```
/// use ossature::learn::{Catalogue, Preset, Settings, cross_validate};
/// use ossature::network::catalogue;
/// use ossature::Silent;
///
/// let data = catalogue::load("asia")?.sample(500, 1, &Silent)?;
/// let learners = [Settings::of("h2pc", Preset::Recommended)?, Settings::of("hc", Preset::Recommended)?];
/// let found = cross_validate(&Catalogue::standard(), &learners, &data, 5, None, 0, &Silent)?;
/// assert_eq!(found.learners[1].by_fold.len(), 5);
/// assert!((-2.5..-2.1).contains(&found.learners[0].mean)); // about minus the entropy of asia
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn cross_validate(
    catalogue: &Catalogue,
    learners: &[Settings],
    data: &Dataset,
    folds: usize,
    target: Option<&str>,
    seed: u64,
    progress: &dyn Progress,
) -> Result<CrossValidation> {
    // A row that stands for many may be in several folds.
    let data = &*data.written_out()?;
    let dealt = Dealt::new(data, folds, target, seed)?;
    let total = learners.len() * folds;
    let mut by_fold = vec![Vec::with_capacity(folds); learners.len()];
    for fold in 0..folds {
        let (train, test) = dealt.rows_of(data, fold)?;
        for (i, settings) in learners.iter().enumerate() {
            let watch = RunsDone { progress, done: fold * learners.len() + i, total };
            by_fold[i].push(held_out(catalogue, settings, &train, &test, target, &watch)?);
        }
    }
    let learners = learners.iter().zip(by_fold).map(|(s, by_fold)| HeldOut::new(s.learner(), by_fold));
    let (rows, target) = (data.rows(), target.map(str::to_owned));
    Ok(CrossValidation { folds, rows, target, seed, learners: learners.collect() })
}

/// The result of one learner on one fold of [`cross_validate`], independently of the other folds.
///
/// ```
/// use ossature::learn::{Catalogue, Preset, Settings, cross_validate, cross_validate_fold};
/// use ossature::network::catalogue;
/// use ossature::Silent;
///
/// let data = catalogue::load("asia")?.sample(500, 1, &Silent)?;
/// let (all, hc) = (Catalogue::standard(), Settings::of("hc", Preset::Recommended)?);
/// let whole = cross_validate(&all, std::slice::from_ref(&hc), &data, 5, None, 0, &Silent)?;
/// let third = cross_validate_fold(&all, &hc, &data, (3, 5), None, 0, &Silent)?;
/// assert_eq!(third, whole.learners[0].by_fold[3]);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn cross_validate_fold(
    catalogue: &Catalogue,
    settings: &Settings,
    data: &Dataset,
    (fold, folds): (usize, usize),
    target: Option<&str>,
    seed: u64,
    progress: &dyn Progress,
) -> Result<f64> {
    let data = &*data.written_out()?;
    let (train, test) = Dealt::new(data, folds, target, seed)?.rows_of(data, fold)?;
    held_out(catalogue, settings, &train, &test, target, progress)
}

/// The rows, divided into folds.
struct Dealt {
    /// Sorted, so that their order does not matter.
    rows: Vec<u32>,
    /// The fold of each row.
    fold_of: Vec<usize>,
}

impl Dealt {
    fn new(data: &Dataset, folds: usize, target: Option<&str>, seed: u64) -> Result<Dealt> {
        if !(2..=data.rows()).contains(&folds) {
            return Err(Error::Setting {
                name: "folds".into(),
                problem: format!(
                    "is {}, and there are {} rows",
                    thousands(folds as u64),
                    thousands(data.rows() as u64)
                ),
                accepted: "at least 2 folds and a row for each are needed".into(),
            });
        }
        if let Some(name) = target {
            data.require(name)?;
            data.require_discrete("the prediction of a target")?;
        }
        Ok(Dealt { rows: sorted_rows(data), fold_of: deal(data, folds, seed) })
    }

    /// The rows to learn from, and those of the fold.
    fn rows_of(&self, data: &Dataset, fold: usize) -> Result<(Dataset, Dataset)> {
        let chosen = |held_out: bool| -> Vec<u32> {
            let at = self.rows.iter().zip(&self.fold_of);
            at.filter(|(_, of)| (**of == fold) == held_out).map(|(row, _)| *row).collect()
        };
        Ok((data.select(&chosen(false))?, data.select(&chosen(true))?))
    }
}

/// The fold of each row, in the order of the sorted rows: folds differ in size by one row at most.
fn deal(data: &Dataset, folds: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..data.rows()).collect();
    order.sort_by_key(|&i| mix(seed, &[i as u64]));
    let mut fold_of = vec![0; data.rows()];
    order.iter().enumerate().for_each(|(place, &i)| fold_of[i] = place % folds);
    fold_of
}

/// The result of one learner on one fold.
fn held_out(
    catalogue: &Catalogue,
    settings: &Settings,
    train: &Dataset,
    test: &Dataset,
    target: Option<&str>,
    progress: &dyn Progress,
) -> Result<f64> {
    let learned = catalogue.build(settings, train)?.learn(train, progress)?;
    if !learned.complete {
        return Err(Error::Stopped);
    }
    let dag = learned.graph.dag().ok_or_else(|| Error::Mismatch {
        what: format!("what {} learned has no DAG", settings.learner()),
        accepted: "a learner that finds directions is needed, as h2pc, mmhc, tabu and hc do".into(),
    })?;
    let network = fit_tables(train, &dag, settings.for_table(train)?.prior(), progress)?.network;
    let logs: Vec<f64> = match target {
        None if test.is_complete() => network.log_likelihood(test, progress)?,
        None => {
            // What is missing is summed over.
            let rows = PartialRows::new(&network, test, &[], Unseen::Error)?;
            Inference::new(&network, Limit::default()).log_likelihood(&rows, progress)?
        }
        Some(name) => {
            let target = network.require(name)?;
            let rows = PartialRows::new(&network, test, &[], Unseen::Error)?;
            let found = Inference::new(&network, Limit::default()).predict(&rows, target, progress)?;
            let levels = network.cardinality(target);
            // A row in which the target is missing tells nothing.
            let truth = |row: usize| Some((row, usize::from(rows.level(row, target)?)));
            let known = (0..rows.len()).filter_map(truth);
            known.map(|(row, level)| libm::log(found.probabilities[row * levels + level])).collect()
        }
    };
    Ok(logs.iter().sum::<f64>() / logs.len().max(1) as f64)
}

impl HeldOut {
    /// The summary of the folds, in order.
    pub fn new(name: &str, by_fold: Vec<f64>) -> HeldOut {
        let n = by_fold.len() as f64;
        let mean = by_fold.iter().sum::<f64>() / n;
        let squares: f64 = by_fold.iter().map(|x| (x - mean) * (x - mean)).sum();
        HeldOut { name: name.to_owned(), mean, sd: libm::sqrt(squares / (n - 1.0)), by_fold }
    }
}

/// Reports the number of finished runs instead of the learners' own progress.
struct RunsDone<'a> {
    progress: &'a dyn Progress,
    done: usize,
    total: usize,
}

impl Progress for RunsDone<'_> {
    fn report(&self, _: Event) -> ControlFlow<Stop> {
        self.progress.report(Event::PartsDone { done: self.done as u64, total: self.total as u64 })
    }
}
