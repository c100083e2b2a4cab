//! The paper's claims about its results, as checks on the rows.
//!
//! The part of a sentence that the rows can answer is quoted, and turned into a yes-or-no question, usually one
//! for each size. It holds if all answers are yes, in part if some are, and is not measured if the study lacks
//! the data. The meaning of "level" or "by 30 %" is stated beside it, so that nobody has to guess.

use std::fmt;

use crate::manifest::Manifest;
use crate::pair::paper_pair;
use crate::paper;
use crate::summary::{Comparison, Summary};

/// The verdict on a claim of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It holds wherever it was checked.
    Holds,
    /// It holds in some places and not in others.
    InPart,
    /// It holds nowhere.
    DoesNotHold,
    /// The rows do not measure it.
    NotMeasured,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Holds => "holds",
            Verdict::InPart => "holds in part",
            Verdict::DoesNotHold => "does not hold",
            Verdict::NotMeasured => "not measured",
        })
    }
}

/// A check of a claim of the paper, and its outcome.
#[derive(Debug, Clone)]
pub struct Claim {
    /// In a few words.
    pub title: &'static str,
    /// The paper's words, only as far as they are checked.
    pub sentence: &'static str,
    /// The question to the rows.
    pub question: &'static str,
    /// The answer.
    pub verdict: Verdict,
    /// Where it does not hold.
    pub exceptions: Vec<String>,
    /// Our numbers, each with its label.
    pub numbers: Vec<(String, String)>,
}

/// An answer of the rows: where, the number in words, and whether it agrees with the sentence.
struct Answer {
    at: String,
    shown: String,
    yes: bool,
}

/// Looks up values for the pair of learners that the paper compares.
struct Rows<'a> {
    manifest: &'a Manifest,
    summary: &'a Summary,
    /// The learner that is MMHC, if the study compares H2PC with it.
    other: Option<&'a str>,
}

/// How far from 1 a ratio may be to count as level.
const LEVEL: f64 = 0.05;

/// The smallest number of samples, or networks, that can differ significantly in a signed-rank test
/// without adjustment.
pub(crate) const ENOUGH: usize = 6;

const TRAINING: &str = "“The results in terms of goodness of fit to training data … using H2PC clearly dominate \
     those obtained using MMHC, whatever the sample size considered”";
const NEW: &str = "“The results in terms of goodness of fit to … new data using H2PC clearly dominate those \
     obtained using MMHC, whatever the sample size considered”";

impl Claim {
    /// Every question, answered.
    pub fn all(manifest: &Manifest, summary: &Summary) -> Vec<Claim> {
        let rows = Rows { manifest, summary, other: paper_pair(manifest) };
        let all = &paper::SIZES[..];
        let score = |title, sentence, key| {
            let question = "the ratio of the (negative) scores is below 1 at every size";
            claim(title, sentence, question, rows.at_sizes(key, all, |x| x < 1.0))
        };
        vec![
            claim(
                "Recall is up at every size",
                paper::sentence("recall"),
                "the ratio of recalls is above 1 at every size",
                rows.at_sizes("recall", all, |x| x > 1.0),
            ),
            claim(
                "Fewer false negatives at every size",
                "“HPC consistently … reduces the rate of false negative edges”",
                "the ratio of false negative ratios is below 1 at every size",
                rows.at_sizes("fn_ratio", all, |x| x < 1.0),
            ),
            claim(
                "Hardly more false positives",
                paper::sentence("fp_ratio"),
                "the false positive ratio grows by less than 0.002 at every size",
                rows.at_sizes("fp_ratio", all, |x| x < 2e-3),
            ),
            claim(
                "Euclidean distance down by 30 % from 500 rows on",
                paper::sentence("distance"),
                "the ratio of distances is 0.70 or less at 500, 1500 and 5000 rows",
                rows.at_sizes("distance", &[500, 1500, 5000], |x| x <= 0.70),
            ),
            claim(
                "Euclidean distance better on every network",
                "“HPC also improves the Euclidean distance from perfect precision and recall on all benchmarks”",
                "the ratio of distances, averaged over the sizes, is below 1 on every network",
                rows.on_networks("distance", |x| x < 1.0),
            ),
            claim(
                "More tests at every size",
                "“increasing the number of independence tests”",
                "the ratio of tests is above 1 at every size",
                rows.at_sizes("tests", all, |x| x > 1.0),
            ),
            score("BDeu on training data better at every size", TRAINING, "bdeu_train"),
            score("BIC on training data better at every size", TRAINING, "bic_train"),
            score("BDeu on new data better at every size", NEW, "bdeu_new"),
            score("BIC on new data better at every size", NEW, "bic_new"),
            claim(
                "Better on new data on every network",
                "“It has consistently lower generalization error on all data sets”",
                "the ratio of BDeu on new data, averaged over the sizes, is below 1 on every network",
                rows.on_networks("bdeu_new", |x| x < 1.0),
            ),
            claim(
                "SHD level at 50 and 100 rows",
                "“pretty much a dead heat between the 2 algorithms on small sample sizes (i.e., 50 and 100)”",
                "the ratio of SHD is within 5 % of 1 at 50 and 100 rows",
                rows.at_sizes("shd", &[50, 100], |x| (x - 1.0).abs() <= LEVEL),
            ),
            claim(
                "SHD significantly better on larger samples",
                "“we found H2PC to perform significantly better on larger sample sizes”",
                "the ratio of SHD is below 1, and the means of the networks differ with p ≤ 0.05, adjusted for the sizes, \
                 from 200 rows on",
                rows.significant("shd", &[200, 500, 1500, 5000]),
            ),
            claim(
                "SHD ratio falls with the sample size",
                "“The SHD increase factor decays … (lower is better) as the sample size increases”",
                "each size has a lower ratio of SHD than the size before; how rapidly it falls is not checked",
                rows.steps("shd", |before, after| after < before),
            ),
            claim(
                "Time ratio grows with the sample size",
                "“it appears that the running time increase factor grows … with the sample size”",
                "each size has a higher ratio of times than the size before; whether it grows “somewhat linearly” \
                 is not checked",
                rows.steps("seconds_total", |before, after| after > before),
            ),
            claim(
                "Eight times slower at 5000 rows",
                paper::sentence("seconds_total"),
                "the ratio of times at 5000 rows is 8 when rounded",
                rows.at_sizes("seconds_total", &[5000], |x| x.round() == 8.0),
            ),
        ]
    }
}

fn claim(title: &'static str, sentence: &'static str, question: &'static str, answers: Vec<Answer>) -> Claim {
    let yes = answers.iter().filter(|a| a.yes).count();
    let verdict = match (yes, answers.len()) {
        (_, 0) => Verdict::NotMeasured,
        (yes, all) if yes == all => Verdict::Holds,
        (0, _) => Verdict::DoesNotHold,
        _ => Verdict::InPart,
    };
    let exceptions = answers.iter().filter(|a| !a.yes).map(|a| a.at.clone()).collect();
    let numbers = answers.into_iter().map(|a| (a.at, a.shown)).collect();
    Claim { title, sentence, question, verdict, exceptions, numbers }
}

impl Rows<'_> {
    /// The mean increase at a size, for one network or all.
    fn mean(&self, key: &str, network: Option<&str>, size: usize) -> Option<f64> {
        Some(self.summary.get(self.other?, key, network, size)?.increase?.mean)
    }

    /// What the mean of all networks at a size leaves out, in words.
    fn left_out(&self, key: &str, size: usize) -> String {
        let all = self.other.and_then(|other| self.summary.get(other, key, None, size));
        all.map(|c| left_out(c, self.manifest)).unwrap_or_default()
    }

    /// The sizes of the study in increasing order.
    fn sizes(&self) -> Vec<usize> {
        let mut sizes = self.manifest.sizes.clone();
        sizes.sort_unstable();
        sizes
    }

    fn at_sizes(&self, key: &str, sizes: &[usize], test: impl Fn(f64) -> bool) -> Vec<Answer> {
        let at = |&size: &usize| {
            let x = self.mean(key, None, size)?;
            let shown = format!("{}{}", number(x), self.left_out(key, size));
            Some(Answer { at: size.to_string(), shown, yes: test(x) })
        };
        sizes.iter().filter_map(at).collect()
    }

    fn on_networks(&self, key: &str, test: impl Fn(f64) -> bool) -> Vec<Answer> {
        let on = |network: &str| {
            let means: Vec<f64> =
                self.manifest.sizes.iter().filter_map(|&size| self.mean(key, Some(network), size)).collect();
            let x = means.iter().sum::<f64>() / means.len() as f64;
            (!means.is_empty()).then(|| Answer { at: network.to_owned(), shown: number(x), yes: test(x) })
        };
        self.manifest.networks.iter().filter_map(|n| on(&n.name)).collect()
    }

    fn significant(&self, key: &str, sizes: &[usize]) -> Vec<Answer> {
        let at = |&size: &usize| {
            let x = self.mean(key, None, size)?;
            let comparison = self.summary.get(self.other?, key, None, size)?;
            // Not even networks that all agree would be significant if there are so few.
            if comparison.networks < ENOUGH {
                return None;
            }
            let p = comparison.adjusted.map_or_else(|| "equal".into(), |p| format!("p {}", p_value(p)));
            let shown = format!("{} ({p}){}", number(x), self.left_out(key, size));
            let yes = x < 1.0 && comparison.adjusted.is_some_and(|p| p <= 0.05);
            Some(Answer { at: size.to_string(), shown, yes })
        };
        sizes.iter().filter_map(at).collect()
    }

    fn steps(&self, key: &str, test: impl Fn(f64, f64) -> bool) -> Vec<Answer> {
        let sizes = self.sizes();
        let step = |pair: &[usize]| {
            let (before, after) = (self.mean(key, None, pair[0])?, self.mean(key, None, pair[1])?);
            let at = format!("{} to {}", pair[0], pair[1]);
            let shown = format!("{} to {}", number(before), number(after));
            Some(Answer { at, shown, yes: test(before, after) })
        };
        sizes.windows(2).filter_map(step).collect()
    }
}

/// What a mean over all networks leaves out, in words to append to it; empty if nothing is left
/// out.
pub(crate) fn left_out(all: &Comparison, manifest: &Manifest) -> String {
    let networks = manifest.networks.len();
    match (all.networks == networks, all.left_out) {
        (true, 0) => String::new(),
        (true, pairs) => format!(" ({pairs} left out)"),
        (false, 0) => format!(" ({} of {networks} networks)", all.networks),
        (false, pairs) => format!(" ({} of {networks} networks, {pairs} left out)", all.networks),
    }
}

/// Smaller numbers are what rounding leaves of 0.
const ROUNDING: f64 = 1e-12;

/// A number with about four digits, small ones with a power of ten.
pub(crate) fn number(x: f64) -> String {
    with_decimals(x, decimals(x))
}

/// A mean with its standard deviation, both with the same number of decimals.
pub(crate) fn spread(mean: f64, sd: Option<f64>) -> String {
    let digits = decimals(mean);
    sd.map_or_else(
        || number(mean),
        |sd| format!("{} ± {}", with_decimals(mean, digits), with_decimals(sd, digits)),
    )
}

/// The number of decimals to show; `None` if the number is too small for any.
fn decimals(x: f64) -> Option<usize> {
    match x.abs() {
        a if a < 0.01 => None,
        // Ratios of scores are near 1, and which side of it matters.
        _ if x != 1.0 && (x - 1.0).abs() < 0.0001 => Some(6),
        _ if x != 1.0 && (x - 1.0).abs() < 0.01 => Some(4),
        a if a < 100.0 => Some(3),
        _ => Some(0),
    }
}

fn with_decimals(x: f64, decimals: Option<usize>) -> String {
    let text = match decimals {
        _ if x.abs() < ROUNDING => "0".into(),
        Some(digits) => format!("{x:.digits$}"),
        None => format!("{x:.2e}"),
    };
    text.replace('-', "−")
}

/// A p-value for people.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".into() } else { format!("{p:.3}") }
}

#[cfg(test)]
mod tests;
