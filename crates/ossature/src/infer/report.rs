//! Answers as plain data with names, for display.

use std::io::{self, Write};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::batch::Predictions;
use super::engine::Posteriors;
use super::given::Given;
use super::rows::PartialRows;
use super::weighting::Estimates;
use crate::data::{Var, quote};
use crate::network::Network;

/// The number of bytes buffered before they are written.
const BLOCK: usize = 1 << 16;

/// Names with their values, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Named<T>(pub Vec<(String, T)>);

impl<T> Named<T> {
    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, item)| item)
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, item) in &self.0 {
            map.serialize_entry(name, item)?;
        }
        map.end()
    }
}

/// Evidence about a variable, with names.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum NamedGiven {
    /// Its level.
    Level(String),
    /// The likelihood of each level.
    Likelihood(Named<f64>),
}

/// The answer to a query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueryReport {
    /// The evidence.
    pub given: Named<NamedGiven>,
    /// The interventions.
    #[serde(rename = "do")]
    pub set: Named<String>,
    /// The probability of the evidence after the interventions. With much evidence it may underflow; its
    /// logarithm never does.
    pub p_evidence: f64,
    /// The natural logarithm of that.
    #[serde(skip)]
    pub ln_evidence: f64,
    /// The distribution of each queried variable.
    pub posteriors: Named<Named<f64>>,
    /// Their accuracy, if they are estimates.
    pub sampling: Option<SamplingReport>,
}

/// How an answer was estimated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SamplingReport {
    /// The number of samples.
    pub samples: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The equivalent number of independent samples from the posterior.
    pub effective: f64,
    /// The standard error of the probability of the evidence.
    pub p_evidence_error: f64,
    /// The standard error of each probability.
    pub standard_errors: Named<Named<f64>>,
}

impl QueryReport {
    /// An exact answer. `set` are the interventions in the network that answered.
    pub fn exact(network: &Network, evidence: &Given, set: &[(Var, u16)], found: &Posteriors) -> QueryReport {
        QueryReport {
            given: given(network, evidence),
            set: Named(set.iter().map(|&(v, level)| named_level(network, v, level)).collect()),
            p_evidence: libm::exp(found.ln_evidence),
            ln_evidence: found.ln_evidence,
            posteriors: distributions(network, &found.distributions),
            sampling: None,
        }
    }

    /// An estimated answer.
    pub fn estimated(
        network: &Network,
        evidence: &Given,
        set: &[(Var, u16)],
        found: &Estimates,
    ) -> QueryReport {
        QueryReport {
            sampling: Some(SamplingReport {
                samples: found.samples,
                seed: found.seed,
                effective: found.effective,
                p_evidence_error: libm::exp(found.posteriors.ln_evidence) * found.ln_evidence_error,
                standard_errors: distributions(network, &found.errors),
            }),
            ..QueryReport::exact(network, evidence, set, &found.posteriors)
        }
    }
}

fn given(network: &Network, evidence: &Given) -> Named<NamedGiven> {
    let name = |v: Var| network.variable(v).name().to_owned();
    let mut given: Vec<(Var, NamedGiven)> = Vec::new();
    given
        .extend(evidence.levels().map(|(v, level)| (v, NamedGiven::Level(named_level(network, v, level).1))));
    given.extend(evidence.likelihoods().map(|(v, l)| (v, NamedGiven::Likelihood(by_level(network, v, l)))));
    given.sort_by_key(|(v, _)| *v);
    Named(given.into_iter().map(|(v, known)| (name(v), known)).collect())
}

fn named_level(network: &Network, v: Var, level: u16) -> (String, String) {
    let variable = network.variable(v);
    (variable.name().to_owned(), variable.levels()[usize::from(level)].clone())
}

fn by_level(network: &Network, v: Var, numbers: &[f64]) -> Named<f64> {
    Named(network.variable(v).levels().iter().cloned().zip(numbers.iter().copied()).collect())
}

fn distributions(network: &Network, found: &[(Var, Vec<f64>)]) -> Named<Named<f64>> {
    let of = |(v, numbers): &(Var, Vec<f64>)| {
        (network.variable(*v).name().to_owned(), by_level(network, *v, numbers))
    };
    Named(found.iter().map(of).collect())
}

/// How good predictions are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PredictReport {
    /// The variable that was predicted.
    pub target: String,
    /// The number of rows.
    pub rows: usize,
    /// The share of correct predictions among the rows with a known truth; `None` if there are
    /// none.
    pub accuracy: Option<f64>,
    /// For these rows, minus the mean natural logarithm of the probability of the truth. It is
    /// infinite, null in JSON, if a truth had probability 0.
    pub log_loss: Option<f64>,
    /// The number of rows without a prediction, because the network rules them out.
    pub ruled_out: usize,
    /// The number of rows with a prediction and a known truth.
    #[serde(skip)]
    pub rows_with_truth: usize,
}

impl Predictions {
    /// Writes a table with a line for each row: the `prediction`, and the probability of each level. The fields of a row
    /// without a prediction are empty.
    pub fn write(&self, network: &Network, delimiter: u8, out: &mut dyn Write) -> io::Result<()> {
        let levels = network.variable(self.target).levels();
        let mut text = b"prediction".to_vec();
        for level in levels {
            text.push(delimiter);
            quote(level, delimiter, &mut text);
        }
        text.push(b'\n');
        for (level, probabilities) in self.levels.iter().zip(self.probabilities.chunks_exact(levels.len())) {
            let possible = !probabilities[0].is_nan();
            if possible {
                quote(&levels[usize::from(*level)], delimiter, &mut text);
            }
            for p in probabilities {
                text.push(delimiter);
                if possible {
                    write!(text, "{p}")?;
                }
            }
            text.push(b'\n');
            if text.len() >= BLOCK {
                out.write_all(&text)?;
                text.clear();
            }
        }
        out.write_all(&text)
    }

    /// How good these predictions are, for the rows with a known truth.
    pub fn report(&self, network: &Network, rows: &PartialRows) -> PredictReport {
        let size = network.cardinality(self.target);
        let possible = |row: &usize| self.ruled_out.binary_search(row).is_err();
        let truths =
            (0..rows.len()).filter(possible).filter_map(|row| rows.level(row, self.target).map(|t| (row, t)));
        let (mut n, mut right, mut loss) = (0, 0, 0.0);
        for (row, truth) in truths {
            n += 1;
            right += usize::from(self.levels[row] == truth);
            loss -= libm::log(self.probabilities[row * size + usize::from(truth)]);
        }
        let mean = |sum: f64| (n > 0).then(|| sum / n as f64);
        PredictReport {
            target: network.variable(self.target).name().to_owned(),
            rows: rows.len(),
            accuracy: mean(right as f64),
            log_loss: mean(loss),
            ruled_out: self.ruled_out.len(),
            rows_with_truth: n,
        }
    }
}
