//! What was learned, as plain data: the command line, Python and the study show the same fields.

use serde::Serialize;

use super::bootstrap::{Bootstrap, Strength};
use super::hybrid::{Learned, Seconds};
use super::settings::Settings;
use crate::ci::Tally;
use crate::data::{Dataset, Var};
use crate::error::Result;
use crate::graph::{Comparison, Dag, NamedGraph, Pdag, SkeletonCounts, compare_named};
use crate::score::{Score, ScoreKind, ScoreSettings};

/// A pair of names.
type Pair = (String, String);

/// The result of a run with everything needed to run it again. The keys are stable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The learner by name.
    pub learner: String,
    /// Whether no limit cut the search short.
    pub complete: bool,
    /// The variables.
    pub nodes: Vec<String>,
    /// The arcs of the structure; null when only a skeleton was learned.
    pub arcs: Option<Vec<Pair>>,
    /// The equivalence class of the structure.
    pub cpdag: Option<CpdagReport>,
    /// The edges of the skeleton that the search was restricted to.
    pub skeleton: Option<Vec<Pair>>,
    /// The score of the structure.
    pub score: Option<ScoreReport>,
    /// The tests.
    pub tests: Tally,
    /// The time.
    pub seconds: Seconds,
    /// The settings.
    pub settings: Settings,
    /// The data.
    pub data: DataReport,
    /// The version of the program.
    pub version: &'static str,
    /// The comparison with the true structure, if it is known.
    pub truth: Option<TruthReport>,
    /// How sure the arcs are, if there was a bootstrap; the structure is the averaged network then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bootstrap: Option<BootstrapReport>,
}

/// An equivalence class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CpdagReport {
    /// Arcs that all members have.
    pub directed: Vec<Pair>,
    /// Edges that members have in either direction.
    pub undirected: Vec<Pair>,
}

/// A score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoreReport {
    /// Which.
    pub name: String,
    /// Its equivalent sample size, if it has one.
    pub iss: Option<f64>,
    /// The total over all nodes.
    pub total: f64,
}

/// The data that was learned from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DataReport {
    /// Rows.
    pub rows: usize,
    /// Variables.
    pub variables: usize,
    /// The hash of its content, see [`Dataset::sha256`].
    pub sha256: String,
}

/// How the structure compares with the true one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TruthReport {
    /// The structural Hamming distance of the two classes; null when only a skeleton was learned.
    pub shd: Option<usize>,
    /// Edges that are right, superfluous and missing.
    pub skeleton: SkeletonCounts,
    /// The share of the edges found that are right.
    pub precision: f64,
    /// The share of the true edges that were found.
    pub recall: f64,
}

/// How sure the arcs are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BootstrapReport {
    /// The number of samples.
    pub samples: usize,
    /// Arcs above this strength are in the averaged network.
    pub threshold: f64,
    /// Every arc that was found, the strongest first.
    pub arcs: Vec<ArcStrength>,
}

/// How sure an arc is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArcStrength {
    /// Where it starts, in the direction it had more often.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// The share of the samples in which the two are adjacent.
    pub strength: f64,
    /// Of those, the share with this direction; an edge without direction counts half.
    pub direction: f64,
}

impl Report {
    /// The report of a run.
    pub fn new(learned: &Learned, data: &Dataset, settings: &Settings) -> Report {
        let names = |pairs: Vec<(Var, Var)>| -> Vec<Pair> {
            let name = |v: Var| data.variable(v).name().to_owned();
            pairs.into_iter().map(|(x, y)| (name(x), name(y))).collect()
        };
        let kind: Option<ScoreKind> = settings.score.parse().ok();
        Report {
            learner: settings.learner(),
            complete: learned.complete,
            nodes: data.variables().iter().map(|v| v.name().to_owned()).collect(),
            arcs: learned.dag.as_ref().map(|dag| names(dag.arcs().collect())),
            cpdag: learned.dag.as_ref().map(|dag| {
                let cpdag = dag.cpdag();
                CpdagReport {
                    directed: names(cpdag.directed().collect()),
                    undirected: names(cpdag.undirected().collect()),
                }
            }),
            skeleton: learned.skeleton.as_ref().map(|s| names(s.edges().collect())),
            score: learned.score.map(|total| ScoreReport {
                name: kind.map_or(settings.score.clone(), |kind| kind.name().into()),
                iss: kind.filter(|kind| kind.uses_iss()).map(|_| settings.iss),
                total,
            }),
            tests: learned.tests.clone(),
            seconds: learned.seconds,
            settings: settings.clone(),
            data: DataReport { rows: data.rows(), variables: data.variables().len(), sha256: data.sha256() },
            version: env!("CARGO_PKG_VERSION"),
            truth: None,
            bootstrap: None,
        }
    }

    /// The same with the comparison to the true structure: of the DAG, or of the skeleton when there
    /// is no DAG.
    #[must_use]
    pub fn with_truth(self, learned: &NamedGraph, truth: &NamedGraph) -> Report {
        let (_, Comparison { shd, skeleton, precision, recall, .. }) = compare_named(truth, learned);
        let shd = self.arcs.is_some().then_some(shd);
        Report { truth: Some(TruthReport { shd, skeleton, precision, recall }), ..self }
    }

    /// The same with the strengths of a bootstrap.
    #[must_use]
    pub fn with_bootstrap(self, bootstrap: &Bootstrap) -> Report {
        let mut strengths = bootstrap.strengths.clone();
        strengths.sort_by(|a, b| b.strength.total_cmp(&a.strength).then_with(|| (a.x, a.y).cmp(&(b.x, b.y))));
        let name = |v: Var| self.nodes[v.index()].clone();
        let arc = |s: &Strength| {
            let forward = s.direction >= 0.5;
            let (from, to) = if forward { (s.x, s.y) } else { (s.y, s.x) };
            let direction = if forward { s.direction } else { 1.0 - s.direction };
            ArcStrength { from: name(from), to: name(to), strength: s.strength, direction }
        };
        let arcs = strengths.iter().map(arc).collect();
        let bootstrap = BootstrapReport { samples: bootstrap.samples, threshold: bootstrap.threshold, arcs };
        Report { bootstrap: Some(bootstrap), ..self }
    }
}

impl Learned {
    /// What was learned as a graph with names: the DAG, or else the skeleton.
    pub fn named_graph(&self, data: &Dataset) -> NamedGraph {
        let names: Vec<String> = data.variables().iter().map(|v| v.name().to_owned()).collect();
        let graph = match (&self.dag, &self.skeleton) {
            (Some(dag), _) => Pdag::from(dag),
            (None, Some(skeleton)) => Pdag::from(skeleton),
            (None, None) => Pdag::empty(names.len()),
        };
        NamedGraph::new(names, graph)
    }
}

/// The arcs of a structure by how much the score would lose without them, the strongest first.
pub fn strongest_arcs(data: &Dataset, dag: &Dag, score: ScoreSettings) -> Result<Vec<(Var, Var, f64)>> {
    let score = score.build(data)?;
    let mut arcs: Vec<(Var, Var, f64)> = Vec::with_capacity(dag.len());
    for child in dag.vars() {
        let parents = dag.parents(child);
        let whole = score.local(child, parents.as_slice());
        arcs.extend(
            parents.iter().map(|p| (p, child, whole - score.local(child, parents.without(p).as_slice()))),
        );
    }
    arcs.sort_by(|a, b| b.2.total_cmp(&a.2).then_with(|| (a.0, a.1).cmp(&(b.0, b.1))));
    Ok(arcs)
}
