//! Likelihood weighting: estimates for when exact inference is too expensive.
//!
//! Variables are drawn in turn given their parents, except those with a known level; the weight of a
//! sample is the likelihood of the evidence given it: Fung & Chang (1990), "Weighing and integrating
//! evidence for stochastic simulation in Bayesian networks"; Shachter & Peot (1990). A posterior is the
//! share of the weight, and its standard error is that of a ratio of two means, by the delta method.
//!
//! The estimates depend only on the network, the question, the seed and the number of samples: samples
//! are drawn in pieces, each with its own generator, and pieces are joined in order.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::engine::Posteriors;
use super::given::{Given, refuse_continuous};
use super::propagate::NodeTables;
use super::question::Question;
use crate::data::Var;
use crate::error::{Error, Result};
use crate::network::{Network, generator_of};
use crate::parallel;
use crate::progress::{Event, Progress, go_on};
use crate::random::uniform;

/// The number of samples from one generator. Changing it changes every estimate.
const PIECE: u64 = 1024;
/// The number of pieces between two reports of progress. Estimates do not depend on it.
const BATCH: u64 = 64;

/// Estimated posteriors, with their accuracy.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimates {
    /// The estimates.
    pub posteriors: Posteriors,
    /// The standard error of each probability.
    pub errors: Vec<(Var, Vec<f64>)>,
    /// The standard error of the logarithm of the probability of the evidence.
    pub ln_evidence_error: f64,
    /// The equivalent number of samples from the posterior itself.
    pub effective: f64,
    /// The number of samples.
    pub samples: u64,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// Estimates the distributions of some variables given evidence, and the probability of the evidence.
///
/// The standard errors are valid if `effective` is not small, say above 100. If no sample agrees with
/// the evidence, the result is an error. A run that is stopped, in either way, has no estimate either:
/// [`Error::Stopped`].
///
/// ```
/// use ossature::infer::{Given, likelihood_weighting};
/// use ossature::{Silent, network::catalogue};
///
/// let asia = catalogue::load("asia")?;
/// let lung = asia.require("lung")?;
/// let ill = Given::named(&asia, [("dysp", "yes"), ("smoke", "yes")])?;
/// let found = likelihood_weighting(&asia, &[lung], &ill, 20_000, 1, &Silent)?;
/// let (p, error) = (found.posteriors.of(lung)[0], found.errors[0].1[0]);
/// assert!(error < 0.005 && (p - 0.1483).abs() < 3.0 * error);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn likelihood_weighting(
    network: &Network,
    targets: &[Var],
    evidence: &Given,
    samples: u64,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Estimates> {
    evidence.check(network)?;
    refuse_continuous(network, targets.iter().copied())?;
    let sampler = Weighting::new(network, targets, evidence);
    let mut sums = Sums::new(network, targets);
    let pieces = samples.div_ceil(PIECE);
    for start in (0..pieces).step_by(BATCH as usize) {
        let end = pieces.min(start + BATCH);
        let numbers: Vec<u64> = (start..end).collect();
        let found: Vec<Sums> = parallel::map_each(&numbers, |&number| {
            sampler.piece(generator_of(seed, number), PIECE.min(samples - number * PIECE))
        });
        found.iter().for_each(|piece| sums.join(piece));
        let done = samples.min(end * PIECE);
        go_on(progress, Event::RowsSampled { done, total: samples })?;
    }
    if sums.total == 0.0 {
        return Err(Error::Mismatch {
            what: format!("none of {samples} samples agrees with the evidence"),
            accepted: "use more samples, if the evidence is possible, or less evidence".into(),
        });
    }
    Ok(sums.estimates(targets, samples, seed))
}

/// Weights of samples, relative to a common scale.
#[derive(Debug, Clone)]
struct Sums {
    /// The logarithm of the scale, about the largest weight so far.
    scale: f64,
    /// The sum of weights, and of their squares.
    total: f64,
    squares: f64,
    /// For each target and level, the same for the samples with that level.
    by_level: Vec<Vec<(f64, f64)>>,
}

impl Sums {
    fn new(network: &Network, targets: &[Var]) -> Sums {
        let by_level = targets.iter().map(|v| vec![(0.0, 0.0); network.cardinality(*v)]).collect();
        Sums { scale: f64::NEG_INFINITY, total: 0.0, squares: 0.0, by_level }
    }

    /// Changes to a larger scale.
    fn rescale(&mut self, scale: f64) {
        if scale <= self.scale {
            return;
        }
        let factor = libm::exp(self.scale - scale);
        self.total *= factor;
        self.squares *= factor * factor;
        for (weight, square) in self.by_level.iter_mut().flatten() {
            *weight *= factor;
            *square *= factor * factor;
        }
        self.scale = scale;
    }

    fn add(&mut self, ln_weight: f64, levels: impl Iterator<Item = u16>) {
        if ln_weight == f64::NEG_INFINITY {
            return;
        }
        self.rescale(ln_weight);
        let weight = libm::exp(ln_weight - self.scale);
        self.total += weight;
        self.squares += weight * weight;
        for (sums, level) in self.by_level.iter_mut().zip(levels) {
            let (sum, square) = &mut sums[usize::from(level)];
            *sum += weight;
            *square += weight * weight;
        }
    }

    fn join(&mut self, other: &Sums) {
        if other.total == 0.0 {
            return;
        }
        let mut other = other.clone();
        let scale = self.scale.max(other.scale);
        self.rescale(scale);
        other.rescale(scale);
        self.total += other.total;
        self.squares += other.squares;
        for (mine, others) in self.by_level.iter_mut().flatten().zip(other.by_level.iter().flatten()) {
            mine.0 += others.0;
            mine.1 += others.1;
        }
    }

    fn estimates(&self, targets: &[Var], samples: u64, seed: u64) -> Estimates {
        let n = samples as f64;
        let mean = self.total / n;
        let of = |(sum, square): &(f64, f64)| -> (f64, f64) {
            let p = sum / self.total;
            // The sum over samples of w² (indicator - p)².
            let spread = (1.0 - p) * (1.0 - p) * square + p * p * (self.squares - square).max(0.0);
            (p, libm::sqrt(spread) / self.total)
        };
        let found: Vec<Vec<(f64, f64)>> =
            self.by_level.iter().map(|levels| levels.iter().map(of).collect()).collect();
        let part = |pick: fn(&(f64, f64)) -> f64| {
            targets.iter().copied().zip(found.iter().map(|f| f.iter().map(pick).collect())).collect()
        };
        let variance = (self.squares / n - mean * mean).max(0.0) / n;
        Estimates {
            posteriors: Posteriors {
                ln_evidence: self.scale + libm::log(mean),
                distributions: part(|found| found.0),
            },
            errors: part(|found| found.1),
            ln_evidence_error: libm::sqrt(variance) / mean,
            effective: self.total * self.total / self.squares,
            samples,
            seed,
        }
    }
}

/// A question prepared for sampling.
struct Weighting<'a> {
    steps: Vec<Step<'a>>,
    targets: &'a [Var],
    nodes: usize,
    tables: NodeTables,
}

/// How one variable is drawn or weighted.
struct Step<'a> {
    var: Var,
    levels: usize,
    /// Its parents, and their strides in the table.
    parents: Vec<(usize, usize)>,
    level: Option<u16>,
    likelihood: Option<&'a [f64]>,
}

impl<'a> Weighting<'a> {
    fn new(network: &'a Network, targets: &'a [Var], evidence: &'a Given) -> Weighting<'a> {
        let question = super::engine::question(targets, evidence);
        let matters = Question::ancestors(&question, network);
        let order = network.dag().topological_order().into_iter().filter(|v| matters[v.index()]);
        let steps = order.map(|v| Step::new(network, v, evidence)).collect();
        Weighting { steps, targets, nodes: network.dag().nodes(), tables: NodeTables::new(network) }
    }

    fn piece(&self, mut random: Xoshiro256PlusPlus, samples: u64) -> Sums {
        let by_level = self.targets.iter().map(|v| self.steps.iter().find(|s| s.var == *v));
        let by_level = by_level.map(|s| vec![(0.0, 0.0); s.map_or(0, |s| s.levels)]).collect();
        let mut sums = Sums { scale: f64::NEG_INFINITY, total: 0.0, squares: 0.0, by_level };
        let mut row = vec![0_u16; self.nodes];
        for _ in 0..samples {
            let mut ln_weight = 0.0;
            for step in &self.steps {
                ln_weight += step.take(&mut row, &self.tables, || uniform(&mut random));
            }
            sums.add(ln_weight, self.targets.iter().map(|v| row[v.index()]));
        }
        sums
    }
}

impl<'a> Step<'a> {
    fn new(network: &Network, v: Var, evidence: &'a Given) -> Step<'a> {
        let levels = network.cardinality(v);
        let mut stride = levels;
        let mut parents = Vec::new();
        for p in network.dag().parents(v).iter().rev() {
            parents.push((p.index(), stride));
            stride *= network.cardinality(p);
        }
        let likelihood = evidence.likelihoods().find(|(w, _)| *w == v).map(|(_, l)| l);
        Step { var: v, levels, parents, level: evidence.level(v), likelihood }
    }

    /// Gives the variable a level in the row; returns the logarithm of the weight.
    fn take(&self, row: &mut [u16], tables: &NodeTables, random: impl FnOnce() -> f64) -> f64 {
        let start: usize = self.parents.iter().map(|&(p, stride)| usize::from(row[p]) * stride).sum();
        if let Some(level) = self.level {
            row[self.var.index()] = level;
            return tables.logs_of(self.var)[start + usize::from(level)];
        }
        let level = draw(&tables.of(self.var)[start..][..self.levels], random());
        row[self.var.index()] = level;
        self.likelihood.map_or(0.0, |l| libm::log(l[usize::from(level)]))
    }
}

/// The first level whose sum of probabilities is above `u`; never one of probability 0.
fn draw(row: &[f64], u: f64) -> u16 {
    let mut sum = 0.0;
    let mut last = 0;
    for (level, &p) in row.iter().enumerate().filter(|(_, p)| **p > 0.0) {
        sum += p;
        last = level;
        if u < sum {
            break;
        }
    }
    last as u16
}
