//! The measures of a cell, and how two learners are compared by them.

use crate::row::{Kind, Row};

/// A measure of a cell.
#[derive(Debug)]
pub struct Measure {
    /// Its name in files.
    pub key: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// How two learners are compared.
    pub how: How,
    /// Which direction is better.
    pub better: Better,
    /// The rows it is in.
    pub kind: Kind,
    /// Its value in a row.
    pub value: fn(&Row) -> Option<f64>,
}

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// One divided by the other.
    Ratio,
    /// One minus the other.
    Difference,
}

/// The direction of improvement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
    /// Neither.
    Neither,
}

const fn ratio(
    key: &'static str,
    title: &'static str,
    better: Better,
    value: fn(&Row) -> Option<f64>,
) -> Measure {
    Measure { key, title, how: How::Ratio, better, kind: Kind::Accuracy, value }
}

const fn timed(key: &'static str, title: &'static str, value: fn(&Row) -> Option<f64>) -> Measure {
    Measure { key, title, how: How::Ratio, better: Better::Lower, kind: Kind::Timing, value }
}

fn whole(value: Option<usize>) -> Option<f64> {
    value.map(|n| n as f64)
}

/// Everything that is measured: first the six panels of Figure 1, then those of Figure 2, then more.
///
/// Scores are logarithms and negative, so a ratio below 1 is an improvement.
pub static MEASURES: [Measure; 16] = [
    Measure {
        key: "fp_ratio",
        title: "False positive ratio of the skeleton",
        how: How::Difference,
        better: Better::Lower,
        kind: Kind::Accuracy,
        value: |r| r.fp_ratio,
    },
    ratio("fn_ratio", "False negative ratio of the skeleton", Better::Lower, |r| r.fn_ratio),
    ratio("precision", "Precision of the skeleton", Better::Higher, |r| r.precision),
    ratio("recall", "Recall of the skeleton", Better::Higher, |r| r.recall),
    ratio("distance", "Euclidean distance of the skeleton", Better::Lower, |r| r.distance),
    ratio("tests", "Number of tests", Better::Lower, |r| r.tests.map(|n| n as f64)),
    ratio("bdeu_train", "BDeu on training data", Better::Lower, |r| r.bdeu_train),
    ratio("bic_train", "BIC on training data", Better::Lower, |r| r.bic_train),
    ratio("bdeu_new", "BDeu on new data", Better::Lower, |r| r.bdeu_new),
    ratio("bic_new", "BIC on new data", Better::Lower, |r| r.bic_new),
    ratio("shd", "Structural Hamming distance", Better::Lower, |r| whole(r.shd)),
    timed("seconds_total", "Total running time", |r| r.seconds_total),
    ratio("arcs", "Number of arcs", Better::Neither, |r| whole(r.arcs)),
    timed("seconds_restrict", "Time for the skeleton", |r| r.seconds_restrict),
    timed("seconds_maximise", "Time for the search", |r| r.seconds_maximise),
    timed("peak_megabytes", "Peak memory of the learner (MB)", |r| r.peak_bytes.map(|n| n as f64 / 1e6)),
];

/// A measure by its key.
///
/// # Panics
/// If there is none.
pub(crate) fn measure(key: &str) -> &'static Measure {
    MEASURES.iter().find(|m| m.key == key).expect("the keys of measures are written in this crate")
}

/// The value that means no increase.
pub(crate) fn neutral(how: How) -> f64 {
    match how {
        How::Ratio => 1.0,
        How::Difference => 0.0,
    }
}
