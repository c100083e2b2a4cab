//! The choice of a learner in words: what a user says, what is recorded, and what runs again.

use serde::{Deserialize, Serialize};

use super::hybrid::{Hybrid, Restrict};
use crate::ci::{TestKind, TestSettings, Underpowered};
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::graph::{Constraints, Dag, NamedArc, NamedTier};
use crate::local::{Symmetry, WeakLearner};
use crate::score::{ScoreKind, ScoreSettings};
use crate::search::{Algorithm, Search};

/// Every setting of a learner, by the names of the command line. The default is H2PC as in the paper.
///
/// ```
/// use ossature::Settings;
///
/// let settings = Settings { alpha: 0.01, ..Settings::of("mmhc", "paper")? };
/// assert_eq!(settings.restrict, "mmpc");
/// assert!(Settings::of("h3pc", "paper").unwrap_err().to_string().contains("h2pc"));
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// `hpc`, `mmpc` or `none`.
    pub restrict: String,
    /// `tabu`, `hc` or `none`.
    pub maximise: String,
    /// `inter-iapc` or `fdr-iapc`.
    pub weak_learner: String,
    /// The independence test.
    pub test: String,
    /// Its level of significance.
    pub alpha: f64,
    /// Rows needed for each cell of the table; the test's own unless given.
    pub power_rule: Option<u32>,
    /// `independent` or `skip`.
    pub underpowered: String,
    /// The largest conditioning set.
    pub max_conditioning: Option<usize>,
    /// `and` or `or`.
    pub symmetry: String,
    /// The score.
    pub score: String,
    /// The equivalent sample size of the score.
    pub iss: f64,
    /// The length of the tabu list.
    pub tabu: usize,
    /// The changes without a new best score that end the search.
    pub patience: usize,
    /// The number of tie orders.
    pub tie_orders: usize,
    /// The number of random restarts.
    pub restarts: usize,
    /// The most parents of a node.
    pub max_parents: Option<usize>,
    /// The number of samples of a bootstrap, if there is one.
    pub bootstrap: Option<usize>,
    /// The seed.
    pub seed: u64,
    /// Arcs that must be there.
    pub whitelist: Vec<(String, String)>,
    /// Arcs that must not be there.
    pub blacklist: Vec<(String, String)>,
    /// Variables with their tiers.
    pub tiers: Vec<(String, i64)>,
    /// The arcs of the graph that the search starts from.
    pub start: Option<Vec<(String, String)>>,
}

/// Learners by name: what restricts and what maximises.
const LEARNERS: [(&str, &str, &str); 6] = [
    ("h2pc", "hpc", "tabu"),
    ("mmhc", "mmpc", "tabu"),
    ("tabu", "none", "tabu"),
    ("hc", "none", "hc"),
    ("hpc", "hpc", "none"),
    ("mmpc", "mmpc", "none"),
];

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            restrict: "hpc".into(),
            maximise: "tabu".into(),
            weak_learner: "inter-iapc".into(),
            test: TestKind::default().name().into(),
            alpha: 0.05,
            power_rule: None,
            underpowered: "independent".into(),
            max_conditioning: None,
            symmetry: "and".into(),
            score: ScoreKind::default().name().into(),
            iss: 10.0,
            tabu: 100,
            patience: 15,
            tie_orders: Settings::DEFAULT_TIE_ORDERS,
            restarts: 0,
            max_parents: None,
            bootstrap: None,
            seed: 0,
            whitelist: Vec::new(),
            blacklist: Vec::new(),
            tiers: Vec::new(),
            start: None,
        }
    }
}

impl Settings {
    /// The number of tie orders unless given; `docs/FIDELITY.md`, D3, has the measurements behind it.
    pub const DEFAULT_TIE_ORDERS: usize = 10;

    /// The names of the learners.
    pub fn learners() -> impl Iterator<Item = &'static str> {
        LEARNERS.iter().map(|(name, ..)| *name)
    }

    /// The settings of a learner by name, with a preset: `paper`, or `bnlearn` for what resembles that
    /// package (false discovery rate in the weak learner, plain hill climbing, one tie order).
    pub fn of(learner: &str, preset: &str) -> Result<Settings> {
        let (_, restrict, maximise) = LEARNERS
            .iter()
            .find(|(name, ..)| *name == learner)
            .ok_or_else(|| Error::unknown_name("learner", learner, Settings::learners(), None))?;
        let paper =
            Settings { restrict: (*restrict).into(), maximise: (*maximise).into(), ..Settings::default() };
        match preset {
            "paper" => Ok(paper),
            "bnlearn" => Ok(Settings {
                weak_learner: "fdr-iapc".into(),
                maximise: if *maximise == "tabu" && learner != "tabu" { "hc".into() } else { paper.maximise },
                tie_orders: 1,
                restrict: paper.restrict,
                ..Settings::default()
            }),
            _ => Err(Error::unknown_name("preset", preset, ["paper", "bnlearn"], None)),
        }
    }

    /// The name of the learner that these settings describe.
    pub fn learner(&self) -> String {
        let named = LEARNERS.iter().find(|(_, r, m)| *r == self.restrict && *m == self.maximise);
        named.map_or_else(|| format!("{}+{}", self.restrict, self.maximise), |(name, ..)| (*name).into())
    }

    /// The learner for a table. Unknown words and names, and constraints that contradict each other,
    /// are errors.
    pub fn build(&self, data: &Dataset) -> Result<Hybrid> {
        let arc =
            |(from, to): &(String, String)| NamedArc { from: from.clone(), to: to.clone(), place: None };
        let arcs = |list: &[(String, String)]| list.iter().map(arc).collect::<Vec<_>>();
        let tier = |(variable, tier): &(String, i64)| NamedTier {
            variable: variable.clone(),
            tier: *tier,
            place: None,
        };
        let names: Vec<&str> = data.variables().iter().map(|v| v.name()).collect();
        let tiers: Vec<NamedTier> = self.tiers.iter().map(tier).collect();
        let constraints = Constraints::new(&names, &arcs(&self.whitelist), &arcs(&self.blacklist), &tiers)?;
        self.build_with(data, constraints)
    }

    /// The learner for a table with constraints of one's own.
    pub fn build_with(&self, data: &Dataset, constraints: Constraints) -> Result<Hybrid> {
        let weak: WeakLearner = self.weak_learner.parse()?;
        let restrict = match self.restrict.as_str() {
            "hpc" => Some(Restrict::Hpc(weak)),
            "mmpc" => Some(Restrict::Mmpc),
            "none" => None,
            word => return Err(Error::unknown_name("restriction", word, ["hpc", "mmpc", "none"], None)),
        };
        let algorithm = match self.maximise.as_str() {
            "tabu" => Some(Algorithm::Tabu { list: self.tabu, patience: self.patience }),
            "hc" => Some(Algorithm::HillClimb),
            "none" => None,
            word => return Err(Error::unknown_name("search", word, ["tabu", "hc", "none"], None)),
        };
        Ok(Hybrid {
            restrict,
            maximise: algorithm.map(|algorithm| Search {
                algorithm,
                tie_orders: self.tie_orders,
                max_parents: self.max_parents,
                restarts: self.restarts,
                seed: self.seed,
            }),
            test: TestSettings {
                kind: self.test.parse()?,
                power_rule: self.power_rule,
                seed: self.seed,
                ..TestSettings::default()
            },
            alpha: self.alpha,
            underpowered: self.underpowered.parse::<Underpowered>()?,
            max_conditioning: self.max_conditioning,
            symmetry: self.symmetry.parse::<Symmetry>()?,
            score: ScoreSettings { kind: self.score.parse()?, iss: self.iss },
            constraints,
            start: self.start.as_ref().map(|arcs| start(arcs, data)).transpose()?,
        })
    }
}

/// The graph that the search starts from.
fn start(arcs: &[(String, String)], data: &Dataset) -> Result<Dag> {
    let mut dag = Dag::empty(data.variables().len());
    for (from, to) in arcs {
        dag.try_add(data.require(from)?, data.require(to)?).map_err(|_| Error::Cycle {
            cycle: vec![from.clone(), to.clone(), "…".into(), from.clone()],
            place: None,
        })?;
    }
    Ok(dag)
}
