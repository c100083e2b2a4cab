//! Evidence for a query.

use std::collections::BTreeMap;

use crate::data::Var;
use crate::error::{Error, Place, Result};
use crate::network::Network;

/// Evidence about some variables: their level, or the likelihood of the observation at each of their
/// levels.
///
/// ```
/// use ossature::infer::Given;
/// use ossature::network::catalogue;
///
/// let asia = catalogue::load("asia")?;
/// let ill = Given::named(&asia, [("dysp", "yes"), ("xray", "yes")])?;
/// assert_eq!(ill.describe(&asia), "dysp = yes, xray = yes");
/// let mistyped = Given::named(&asia, [("smoke", "maybe")]).unwrap_err();
/// assert!(mistyped.to_string().contains("its levels are \"yes\", \"no\""));
/// // A test that is positive nine times as often in smokers as in others:
/// let tested = ill.with_likelihood(asia.require("smoke")?, vec![0.9, 0.1]);
/// assert_eq!(tested.len(), 3);
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Given {
    known: BTreeMap<Var, Known>,
}

/// Evidence about a variable.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Known {
    /// Its level.
    Level(u16),
    /// The likelihood of each of its levels, up to a factor.
    Likelihood(Vec<f64>),
}

impl Given {
    /// No evidence.
    pub fn none() -> Given {
        Given::default()
    }

    /// Variables and their levels by name.
    pub fn named<'a>(
        network: &Network,
        levels: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Given> {
        let mut evidence = Given::none();
        for (name, level) in levels {
            let v = network.require(name)?;
            let variable = network.variable(v);
            refuse_continuous(network, [v])?;
            let code =
                variable.code(level).ok_or_else(|| variable.refuse(level, Place::file("the evidence")))?;
            if evidence.known.insert(v, Known::Level(code)).is_some() {
                let (what, name) = ("variable of the evidence", name.to_owned());
                return Err(Error::Duplicate { what, name, place: None });
            }
        }
        Ok(evidence)
    }

    /// Adds the level of a variable, replacing earlier evidence about it.
    #[must_use]
    pub fn with(mut self, v: Var, level: u16) -> Given {
        self.known.insert(v, Known::Level(level));
        self
    }

    /// Adds the likelihood of the evidence for a variable at each of its levels (soft or virtual evidence).
    ///
    /// Only the ratios of these numbers matter for posteriors; the probability of the evidence is
    /// proportional to them.
    #[must_use]
    pub fn with_likelihood(mut self, v: Var, likelihood: Vec<f64>) -> Given {
        self.known.insert(v, Known::Likelihood(likelihood));
        self
    }

    /// The number of variables with evidence.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether there is no evidence.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The level of a variable, if known.
    pub fn level(&self, v: Var) -> Option<u16> {
        match self.known.get(&v) {
            Some(Known::Level(level)) => Some(*level),
            _ => None,
        }
    }

    /// The variables with a known level, in order.
    pub fn levels(&self) -> impl Iterator<Item = (Var, u16)> + '_ {
        self.known.iter().filter_map(|(&v, known)| match known {
            Known::Level(level) => Some((v, *level)),
            Known::Likelihood(_) => None,
        })
    }

    /// The variables with likelihoods, in order.
    pub fn likelihoods(&self) -> impl Iterator<Item = (Var, &[f64])> + '_ {
        self.known.iter().filter_map(|(&v, known)| match known {
            Known::Level(_) => None,
            Known::Likelihood(likelihood) => Some((v, likelihood.as_slice())),
        })
    }

    /// The evidence in words, in the order of the variables.
    pub fn describe(&self, network: &Network) -> String {
        let item = |(&v, known): (&Var, &Known)| {
            let variable = network.variable(v);
            match known {
                Known::Level(level) => {
                    format!("{} = {}", variable.name(), variable.levels()[usize::from(*level)])
                }
                Known::Likelihood(likelihood) => format!("{} ~ {likelihood:?}", variable.name()),
            }
        };
        self.known.iter().map(item).collect::<Vec<_>>().join(", ")
    }

    /// This without the evidence about one variable.
    pub(super) fn without(&self, v: Var) -> Given {
        let mut known = self.known.clone();
        known.remove(&v);
        Given { known }
    }

    pub(super) fn vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.known.keys().copied()
    }

    /// Checks the likelihoods. A level that a variable does not have is a caller's bug.
    pub(super) fn check(&self, network: &Network) -> Result<()> {
        refuse_continuous(network, self.vars())?;
        for (v, known) in &self.known {
            let levels = network.cardinality(*v);
            match known {
                Known::Level(level) => {
                    assert!(usize::from(*level) < levels, "level {level} of {levels} of {v:?}");
                }
                Known::Likelihood(l) => {
                    let sound = l.iter().all(|x| x.is_finite() && *x >= 0.0);
                    if l.len() != levels || !sound {
                        return Err(Error::Mismatch {
                            what: format!("the likelihoods of {:?} are {l:?}", network.variable(*v).name()),
                            accepted: format!(
                                "{levels} numbers are needed, one for each level, none below 0"
                            ),
                        });
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns an error if one of these variables is continuous. Questions about discrete variables have answers in any
/// network: they have no continuous ancestors, so the continuous variables do not matter.
pub(super) fn refuse_continuous(network: &Network, vars: impl IntoIterator<Item = Var>) -> Result<()> {
    match vars.into_iter().map(|v| network.variable(v)).find(|v| v.is_continuous()) {
        None => Ok(()),
        Some(variable) => Err(Error::Mismatch {
            what: format!(
                "{:?} is continuous, and only discrete variables can be queried, predicted or given",
                variable.name()
            ),
            accepted: "ask about discrete variables, given others; or discretise the data before the network is learned".into(),
        }),
    }
}
