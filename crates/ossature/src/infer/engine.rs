//! The interface of exact inference.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::arithmetic::MaxLogs;
use super::forest::Cost;
use super::given::Given;
use super::propagate::{Ended, NodeTables, Workspace};
use super::question::Question;
use super::tree::JunctionTree;
use crate::data::Var;
use crate::error::{Error, Result};
use crate::network::Network;

/// The number of trees kept for later questions of the same shape.
const KEPT_TREES: usize = 32;
/// The largest workspace, in entries, that is kept for the next question.
const KEPT_ENTRIES: usize = 1 << 22;

/// The limit on the size of exact inference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The largest total number of entries of the tables of all cliques, which bounds time and
    /// memory.
    pub entries: u64,
}

impl Default for Limit {
    /// 2^27 entries, which is about a second of work.
    fn default() -> Limit {
        Limit { entries: 1 << 27 }
    }
}

/// Exact answers of a network.
///
/// Each question builds a junction tree from the relevant part of the network and keeps it: another
/// question about the same variables, with the same or other levels given, uses the same tree. The
/// answers do not depend on earlier questions.
///
/// ```
/// use ossature::infer::{Given, Inference, Limit};
/// use ossature::network::catalogue;
///
/// let asia = catalogue::load("asia")?;
/// let engine = Inference::new(&asia, Limit::default());
/// let lung = asia.require("lung")?;
/// let found = engine.query(&[lung], &Given::named(&asia, [("dysp", "yes"), ("smoke", "yes")])?)?;
/// assert!((found.of(lung)[0] - 0.148_3).abs() < 1e-4);
/// assert!((found.ln_evidence.exp() - 0.276_4).abs() < 1e-4);
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug)]
pub struct Inference {
    pub(super) network: Network,
    pub(super) tables: NodeTables,
    limit: Limit,
    trees: Mutex<VecDeque<(Question, Arc<JunctionTree>)>>,
    workspaces: Mutex<Vec<Workspace>>,
}

/// The distributions of variables given evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Posteriors {
    /// The natural logarithm of the probability of the evidence.
    pub ln_evidence: f64,
    /// The queried variables, and the probability of each of their levels.
    pub distributions: Vec<(Var, Vec<f64>)>,
}

impl Posteriors {
    /// The distribution of a queried variable.
    ///
    /// # Panics
    /// If it was not queried.
    pub fn of(&self, v: Var) -> &[f64] {
        let found = self.distributions.iter().find(|(asked, _)| *asked == v);
        &found.unwrap_or_else(|| panic!("{v:?} was not asked")).1
    }
}

/// The joint distribution of variables given evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// The variables in the order of the query.
    pub vars: Vec<Var>,
    /// The number of levels of each.
    pub levels: Vec<usize>,
    /// The probability of each configuration; the last variable changes fastest.
    pub probabilities: Vec<f64>,
}

impl Joint {
    /// The probability that the variables have these levels, in their order.
    ///
    /// # Panics
    /// If a variable has no such level.
    pub fn at(&self, levels: &[u16]) -> f64 {
        assert_eq!(levels.len(), self.vars.len(), "a level for each variable");
        let place = levels.iter().zip(&self.levels).fold(0, |place, (&level, &n)| {
            assert!(usize::from(level) < n, "level {level} of {n}");
            place * n + usize::from(level)
        });
        self.probabilities[place]
    }
}

impl Inference {
    /// Exact inference in a network, within a limit.
    pub fn new(network: &Network, limit: Limit) -> Inference {
        Inference {
            tables: NodeTables::new(network),
            network: network.clone(),
            limit,
            trees: Mutex::default(),
            workspaces: Mutex::default(),
        }
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    pub(super) fn limit(&self) -> Limit {
        self.limit
    }

    /// The cost of the posteriors of all variables without evidence.
    ///
    /// [`Error::TooLarge`] if it cannot be counted, with more than 60 variables in a clique.
    pub fn cost(&self) -> Result<Cost> {
        self.cost_of(&self.network.dag().vars().collect::<Vec<_>>(), &Given::none())
    }

    /// The cost of the posteriors of some variables, given evidence.
    pub fn cost_of(&self, targets: &[Var], evidence: &Given) -> Result<Cost> {
        JunctionTree::cost(&self.network, &Question { evidence: true, ..question(targets, evidence) })
    }

    /// The distributions of some variables given evidence, and the probability of the evidence.
    ///
    /// Evidence that the network rules out is an error, [`Error::Impossible`], that names the
    /// contradiction; more entries than the limit are [`Error::TooLarge`], before any memory is
    /// allocated.
    pub fn query(&self, targets: &[Var], evidence: &Given) -> Result<Posteriors> {
        evidence.check(&self.network)?;
        let tree = self.tree(Question { evidence: true, ..question(targets, evidence) })?;
        self.answered(&tree, evidence, |workspace| {
            let of = |(&v, answer): (&Var, &super::tree::CliqueAnswer)| {
                (v, workspace.answers[answer.range.clone()].to_vec())
            };
            Posteriors {
                ln_evidence: workspace.ln_evidence(),
                distributions: targets.iter().zip(&tree.answers).map(of).collect(),
            }
        })
    }

    /// The distributions of all variables given evidence.
    ///
    /// ```
    /// use ossature::infer::{Given, Inference, Limit};
    /// use ossature::network::catalogue;
    ///
    /// let alarm = catalogue::load("alarm")?;
    /// let found = Inference::new(&alarm, Limit::default()).posteriors(&Given::none())?;
    /// assert_eq!(found.distributions.len(), 37);
    /// assert!(found.ln_evidence.abs() < 1e-12);
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn posteriors(&self, evidence: &Given) -> Result<Posteriors> {
        self.query(&self.network.dag().vars().collect::<Vec<_>>(), evidence)
    }

    /// The joint distribution of some distinct variables given evidence.
    ///
    /// ```
    /// use ossature::infer::{Given, Inference, Limit};
    /// use ossature::network::catalogue;
    ///
    /// let asia = catalogue::load("asia")?;
    /// let (lung, tub) = (asia.require("lung")?, asia.require("tub")?);
    /// let ill = Given::named(&asia, [("either", "yes")])?;
    /// let both = Inference::new(&asia, Limit::default()).joint(&[lung, tub], &ill)?;
    /// assert_eq!(both.at(&[1, 1]), 0.0); // one of the two it must be
    /// # Ok::<(), ossature::Error>(())
    /// ```
    ///
    /// # Panics
    /// If a variable is repeated.
    pub fn joint(&self, vars: &[Var], evidence: &Given) -> Result<Joint> {
        evidence.check(&self.network)?;
        assert!(all_different(vars), "a variable is repeated");
        let tree = self.tree(Question { asked: vec![vars.to_vec()], ..question(&[], evidence) })?;
        let probabilities = self.answered(&tree, evidence, |w| w.answers[..tree.answer_size].to_vec())?;
        let levels = vars.iter().map(|v| self.network.cardinality(*v)).collect();
        Ok(Joint { vars: vars.to_vec(), levels, probabilities })
    }

    /// The joint distribution of two variables without evidence.
    pub fn pair(&self, x: Var, y: Var) -> Result<Joint> {
        self.joint(&[x, y], &Given::none())
    }

    /// The joint distributions of one variable with each of the others, in order, without evidence.
    ///
    /// They share one tree, so this is much faster than a query for each pair.
    pub fn pairs(&self, x: Var) -> Result<Vec<Joint>> {
        let others: Vec<Var> = self.network.dag().vars().filter(|&v| v != x).collect();
        let levels = self.network.cardinality(x);
        let mut pairs: Vec<Joint> = others
            .iter()
            .map(|&y| Joint {
                vars: vec![x, y],
                levels: vec![levels, self.network.cardinality(y)],
                probabilities: Vec::new(),
            })
            .collect();
        let prior = self.query(&[x], &Given::none())?;
        for (level, &p) in prior.of(x).iter().enumerate() {
            let given = Given::none().with(x, level as u16);
            let found = if p > 0.0 { Some(self.query(&others, &given)?) } else { None };
            for (i, pair) in pairs.iter_mut().enumerate() {
                match &found {
                    Some(found) => pair.probabilities.extend(found.distributions[i].1.iter().map(|q| p * q)),
                    None => pair.probabilities.extend(std::iter::repeat_n(0.0, pair.levels[1])),
                }
            }
        }
        Ok(pairs)
    }

    /// The natural logarithm of the probability of evidence; minus infinity if the network rules it out.
    ///
    /// If the evidence is a likelihood, this is the logarithm of the expected likelihood.
    ///
    /// ```
    /// use ossature::infer::{Given, Inference, Limit};
    /// use ossature::network::catalogue;
    ///
    /// let asia = catalogue::load("asia")?;
    /// let engine = Inference::new(&asia, Limit::default());
    /// let smoker = Given::named(&asia, [("smoke", "yes")])?;
    /// assert!((engine.ln_probability(&smoker)? - 0.5_f64.ln()).abs() < 1e-12);
    /// let impossible = Given::named(&asia, [("tub", "yes"), ("either", "no")])?;
    /// assert_eq!(engine.ln_probability(&impossible)?, f64::NEG_INFINITY);
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn ln_probability(&self, evidence: &Given) -> Result<f64> {
        evidence.check(&self.network)?;
        let tree = self.tree(Question { evidence: true, ..question(&[], evidence) })?;
        self.with_workspace(|w| {
            w.enter(self.network.dag().nodes(), evidence);
            Ok(match w.answer(&tree, &self.tables)? {
                Ended::Impossible => f64::NEG_INFINITY,
                _ => w.ln_evidence(),
            })
        })
    }

    /// The joint distribution of a variable and its parents given evidence, in the order of the
    /// variable's table: the expected counts of a row in the EM algorithm.
    pub fn family(&self, v: Var, evidence: &Given) -> Result<Joint> {
        let family: Vec<Var> = self.network.dag().parents(v).iter().chain([v]).collect();
        self.joint(&family, evidence)
    }

    /// The joint distribution of every variable and its parents given evidence, each in the order of the
    /// variable's table; and the logarithm of the probability of the evidence.
    ///
    /// All families share one tree. For families that the network does not have, as in structural EM,
    /// use [`joint`](Inference::joint).
    ///
    /// ```
    /// use ossature::infer::{Given, Inference, Limit};
    /// use ossature::network::catalogue;
    ///
    /// let asia = catalogue::load("asia")?;
    /// let mut total = 0.0;
    /// let row = Given::named(&asia, [("xray", "yes"), ("smoke", "no")])?;
    /// Inference::new(&asia, Limit::default())
    ///     .families(&row, |_, expected| total += expected.iter().sum::<f64>())?;
    /// assert!((total - 8.0).abs() < 1e-12); // one for each variable
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn families(&self, evidence: &Given, mut each: impl FnMut(Var, &[f64])) -> Result<f64> {
        evidence.check(&self.network)?;
        let dag = self.network.dag();
        let asked = dag.vars().map(|v| dag.parents(v).iter().chain([v]).collect()).collect();
        let tree = self.tree(Question { asked, evidence: true, ..question(&[], evidence) })?;
        self.answered(&tree, evidence, |w| {
            dag.vars().zip(&tree.answers).for_each(|(v, a)| each(v, &w.answers[a.range.clone()]));
            w.ln_evidence()
        })
    }

    /// For each free variable the distance, in logarithms, of the best explanation with each of its
    /// levels below the best overall; and the number of its tree.
    pub(super) fn max_margins(&self, evidence: &Given) -> Result<Vec<(Var, usize, Vec<f64>)>> {
        let all: Vec<Var> = self.network.dag().vars().collect();
        let question = Question { everything: true, evidence: true, ..question(&all, evidence) };
        // The same question hardly comes again: the tree is not kept.
        let tree = JunctionTree::new(&self.network, &question, self.limit.entries)?;
        let ended = self.with_workspace(|w| {
            w.enter(self.network.dag().nodes(), evidence);
            let ended = w.run::<MaxLogs>(&tree, &self.tables)?;
            let below = |v: Var| w.answers[tree.answers[v.index()].range.clone()].to_vec();
            let free = tree.free.iter().map(|&(v, part)| (v, part, below(v))).collect();
            Ok((ended, free))
        })?;
        match ended {
            (Ended::Done, free) => Ok(free),
            _ => Err(self.impossible(evidence)),
        }
    }

    /// Runs a tree and reads the answer off the workspace.
    fn answered<T>(
        &self,
        tree: &JunctionTree,
        evidence: &Given,
        read: impl FnOnce(&Workspace) -> T,
    ) -> Result<T> {
        let found = self.with_workspace(|w| {
            w.enter(self.network.dag().nodes(), evidence);
            let ended = w.answer(tree, &self.tables)?;
            Ok((ended == Ended::Done).then(|| read(w)))
        })?;
        found.ok_or_else(|| self.impossible(evidence))
    }

    /// The tree of a question, from the cache if it is there.
    pub(super) fn tree(&self, question: Question) -> Result<Arc<JunctionTree>> {
        let kept = || self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, tree)) = kept().iter().find(|(q, _)| *q == question) {
            return Ok(tree.clone());
        }
        let tree = Arc::new(JunctionTree::new(&self.network, &question, self.limit.entries)?);
        let mut trees = kept();
        trees.push_front((question, tree.clone()));
        trees.truncate(KEPT_TREES);
        Ok(tree)
    }

    pub(super) fn with_workspace<T>(&self, work: impl FnOnce(&mut Workspace) -> Result<T>) -> Result<T> {
        let kept = || self.workspaces.lock().unwrap_or_else(PoisonError::into_inner);
        let workspace = kept().pop();
        let mut workspace = workspace.unwrap_or_default();
        let found = work(&mut workspace);
        if workspace.capacity() <= KEPT_ENTRIES {
            kept().push(workspace);
        }
        found
    }

    /// The error for impossible evidence, with a minimal impossible part of it.
    pub(super) fn impossible(&self, evidence: &Given) -> Error {
        let mut least = evidence.clone();
        for v in evidence.vars() {
            let fewer = least.without(v);
            if matches!(self.ln_probability(&fewer), Ok(f64::NEG_INFINITY)) {
                least = fewer;
            }
        }
        Error::Impossible { place: None, evidence: least.describe(&self.network) }
    }
}

/// The question for the distribution of each of some variables.
pub(super) fn question(targets: &[Var], evidence: &Given) -> Question {
    Question {
        asked: targets.iter().map(|&v| vec![v]).collect(),
        given: evidence.levels().map(|(v, _)| v).collect(),
        soft: evidence.likelihoods().map(|(v, _)| v).collect(),
        evidence: false,
        everything: false,
    }
}

fn all_different(vars: &[Var]) -> bool {
    vars.iter().enumerate().all(|(i, v)| !vars[..i].contains(v))
}
