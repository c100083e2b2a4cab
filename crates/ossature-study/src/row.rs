//! One line of the table of results.

use serde::{Deserialize, Serialize};

/// The purpose of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The learned structure, compared with the truth. Run on all cores, so its times mean little.
    Accuracy,
    /// Time and memory, alone and on one thread.
    Timing,
}

/// The result of one cell. Columns that do not apply are empty: a learner without tests has no number
/// of tests, a skeleton has no SHD, a structure without a DAG no score, a timing row no accuracy.
///
/// Times and memory come last, before the error: all other columns are the same on every machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The network.
    pub network: String,
    /// The number of rows learned from.
    pub size: usize,
    /// The number of the sample, from 1.
    pub sample: usize,
    /// The learner's name in the study.
    pub learner: String,
    /// The purpose of the row.
    pub kind: Kind,
    /// The seed of the rows learned from.
    pub seed: u64,
    /// Edges of the skeleton that are true.
    pub skeleton_tp: Option<usize>,
    /// Edges of the skeleton that are not true.
    pub skeleton_fp: Option<usize>,
    /// True edges missing from the skeleton.
    pub skeleton_fn: Option<usize>,
    /// False edges of the skeleton, divided by the pairs that are not adjacent in truth.
    pub fp_ratio: Option<f64>,
    /// Missing edges of the skeleton, divided by the true ones.
    pub fn_ratio: Option<f64>,
    /// The share of the edges of the skeleton that are true; 1 if it has none.
    pub precision: Option<f64>,
    /// The share of the true edges that the skeleton has.
    pub recall: Option<f64>,
    /// The Euclidean distance of (precision, recall) from (1, 1).
    pub distance: Option<f64>,
    /// The number of tests asked.
    pub tests: Option<u64>,
    /// The number of tests without power.
    pub tests_without_power: Option<u64>,
    /// Arcs of the structure, including undirected edges.
    pub arcs: Option<usize>,
    /// BDeu (imaginary sample size 10) of the structure, or of a DAG of its class, on the rows learned from.
    pub bdeu_train: Option<f64>,
    /// BIC on the rows learned from.
    pub bic_train: Option<f64>,
    /// BDeu on new rows.
    pub bdeu_new: Option<f64>,
    /// BIC on new rows.
    pub bic_new: Option<f64>,
    /// The structural Hamming distance from the true class.
    pub shd: Option<usize>,
    /// Edges of the structure that are true, whatever their direction.
    pub dag_tp: Option<usize>,
    /// Edges of the structure that are not true.
    pub dag_fp: Option<usize>,
    /// True edges missing from the structure.
    pub dag_fn: Option<usize>,
    /// Seconds for the skeleton.
    pub seconds_restrict: Option<f64>,
    /// Seconds for the search.
    pub seconds_maximise: Option<f64>,
    /// Seconds for both.
    pub seconds_total: Option<f64>,
    /// The peak memory of the learner, in addition to what the process held before, in bytes; timing rows
    /// on Linux only.
    pub peak_bytes: Option<u64>,
    /// Why there is no result.
    pub error: Option<String>,
}

/// The cell of a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) network: String,
    pub(crate) size: usize,
    pub(crate) sample: usize,
    pub(crate) learner: String,
    pub(crate) kind: Kind,
}

impl Row {
    /// The names of the columns in order.
    pub(crate) fn columns() -> [&'static str; 30] {
        [
            "network",
            "size",
            "sample",
            "learner",
            "kind",
            "seed",
            "skeleton_tp",
            "skeleton_fp",
            "skeleton_fn",
            "fp_ratio",
            "fn_ratio",
            "precision",
            "recall",
            "distance",
            "tests",
            "tests_without_power",
            "arcs",
            "bdeu_train",
            "bic_train",
            "bdeu_new",
            "bic_new",
            "shd",
            "dag_tp",
            "dag_fp",
            "dag_fn",
            "seconds_restrict",
            "seconds_maximise",
            "seconds_total",
            "peak_bytes",
            "error",
        ]
    }

    /// A row without any result.
    pub(crate) fn empty(key: Key, seed: u64) -> Row {
        let Key { network, size, sample, learner, kind } = key;
        Row {
            network,
            size,
            sample,
            learner,
            kind,
            seed,
            skeleton_tp: None,
            skeleton_fp: None,
            skeleton_fn: None,
            fp_ratio: None,
            fn_ratio: None,
            precision: None,
            recall: None,
            distance: None,
            tests: None,
            tests_without_power: None,
            arcs: None,
            bdeu_train: None,
            bic_train: None,
            bdeu_new: None,
            bic_new: None,
            shd: None,
            dag_tp: None,
            dag_fp: None,
            dag_fn: None,
            seconds_restrict: None,
            seconds_maximise: None,
            seconds_total: None,
            peak_bytes: None,
            error: None,
        }
    }

    pub(crate) fn key(&self) -> Key {
        Key {
            network: self.network.clone(),
            size: self.size,
            sample: self.sample,
            learner: self.learner.clone(),
            kind: self.kind,
        }
    }

    /// Whether the cell was done: every result has a time.
    pub(crate) fn has_result(&self) -> bool {
        self.error.is_none() && self.seconds_total.is_some()
    }

    /// Whether every number is finite.
    pub(crate) fn is_finite(&self) -> bool {
        let ratios = [self.fp_ratio, self.fn_ratio, self.precision, self.recall, self.distance];
        let scores = [self.bdeu_train, self.bic_train, self.bdeu_new, self.bic_new];
        let seconds = [self.seconds_restrict, self.seconds_maximise, self.seconds_total];
        ratios.iter().chain(&scores).chain(&seconds).flatten().all(|x| x.is_finite())
    }

    /// The row without the columns that differ from run to run.
    pub(crate) fn timeless(&self) -> Row {
        Row {
            seconds_restrict: None,
            seconds_maximise: None,
            seconds_total: None,
            peak_bytes: None,
            ..self.clone()
        }
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Key { network, size, sample, learner, kind } = self;
        let kind = if *kind == Kind::Timing { ", timing" } else { "" };
        write!(f, "{network}, {size} rows, sample {sample}, {learner}{kind}")
    }
}
