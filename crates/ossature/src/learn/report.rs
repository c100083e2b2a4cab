//! The result of learning as plain data: the command line, Python and the study show the same
//! fields.

use serde::Serialize;

use super::bootstrap::Bootstrap;
use super::catalogue::rows;
use super::learned::{Learned, Seconds};
use super::settings::Settings;
use crate::ci::{CiTest, Evidence, Separation, Tally};
use crate::data::{Dataset, Var};
use crate::error::Result;
use crate::graph::{Comparison, Cpdag, Dag, NamedGraph, Pdag, SkeletonCounts, compare_named};
use crate::halves::{LearnedGraph, Strength};
use crate::parallel;
use crate::score::ScoreSettings;
use crate::sources::Sources;
use crate::word::Word;

/// A pair of names.
type Pair = (String, String);

/// The result of a run with everything needed to run it again. The keys are stable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The learner by name.
    pub learner: String,
    /// What was learned: `dag`, `cpdag`, `pdag` or `skeleton`.
    pub result: &'static str,
    /// Whether no limit cut the search short.
    pub complete: bool,
    /// The variables.
    pub nodes: Vec<String>,
    /// The arcs of the structure, or of a DAG of the class; null if there is none.
    pub arcs: Option<Vec<Pair>>,
    /// The equivalence class of the structure, or the graph itself if it has none.
    pub cpdag: Option<CpdagReport>,
    /// The edges of the skeleton that restricted the search.
    pub skeleton: Option<Vec<Pair>>,
    /// The score of the structure.
    pub score: Option<ScoreReport>,
    /// What the score would lose without each of the arcs, and if it were reversed.
    pub losses: Option<Vec<ArcLoss>>,
    /// Whether the score is proven to be the best possible; null if nothing is proven.
    pub optimal: Option<bool>,
    /// A score that no structure exceeds, if known.
    pub bound: Option<f64>,
    /// The best equivalence classes, best first, if several were requested.
    pub alternatives: Option<Vec<AlternativeReport>>,
    /// How sure the arcs are, if known: every arc that was seen, the strongest first. With a bootstrap these are
    /// shares of the samples, with `best` shares of structures near the result, drawn by their score.
    pub strengths: Option<Vec<ArcStrength>>,
    /// What separated pairs that are not adjacent, if it was a non-empty set; variables are indices into
    /// the list of nodes.
    pub separations: Option<Vec<SeparationReport>>,
    /// Warnings for the reader, one sentence each.
    pub concerns: Vec<String>,
    /// The tests.
    pub tests: Tally,
    /// The time.
    pub seconds: Seconds,
    /// The settings.
    pub settings: Settings,
    /// The data.
    pub data: DataReport,
    /// How the data was read or drawn; null if not known.
    pub read: Option<serde_json::Value>,
    /// The version of the program.
    pub version: &'static str,
    /// The comparison with the true structure, if it is known.
    pub truth: Option<TruthReport>,
    /// How sure the arcs are, if there was a bootstrap; the structure is then the averaged network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bootstrap: Option<BootstrapReport>,
}

/// An equivalence class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CpdagReport {
    /// Arcs that all members have.
    pub directed: Vec<Pair>,
    /// Edges whose direction differs between members.
    pub undirected: Vec<Pair>,
}

/// One of the best equivalence classes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AlternativeReport {
    /// Its score: that of its best member.
    pub score: f64,
    /// Arcs that all members have.
    pub directed: Vec<Pair>,
    /// Edges whose direction differs between members.
    pub undirected: Vec<Pair>,
}

/// A score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoreReport {
    /// The name of the score.
    pub name: String,
    /// Its equivalent sample size, if it has one.
    pub iss: Option<f64>,
    /// The total over all nodes.
    pub total: f64,
}

/// An arc and its value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArcLoss {
    /// Where it starts.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// What the score would lose without it.
    pub without: f64,
    /// What the score would lose if it were reversed; null if that would close a cycle.
    pub turned: Option<f64>,
}

/// What separated two variables: X, Y, the set, the statistic, its degrees of freedom, ln p, and whether
/// the test had power. The variables are indices into the list of nodes.
pub type SeparationReport = (usize, usize, Vec<usize>, f64, f64, f64, bool);

/// The data that was learned from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DataReport {
    /// Rows.
    pub rows: usize,
    /// Variables.
    pub variables: usize,
    /// The continuous variables, by name.
    pub continuous: Vec<String>,
    /// The number of missing values.
    pub missing: usize,
    /// The hash of its content, see [`Dataset::sha256`]; null if the rows are on other machines.
    pub sha256: Option<String>,
}

/// How the structure compares with the true one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TruthReport {
    /// The structural Hamming distance of the two classes; null if only a skeleton was learned.
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
    /// Where it starts, in its more frequent direction.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// The share of the structures in which the two are adjacent.
    pub strength: f64,
    /// Of those, the share with this direction; an edge without direction counts half.
    pub direction: f64,
}

impl Report {
    /// The report of a run.
    pub fn new(learned: &Learned, data: &Dataset, settings: &Settings) -> Result<Report> {
        Report::of(learned, &Sources::new(data), settings)
    }

    /// The same for a prepared table, perhaps without its rows.
    pub fn of(learned: &Learned, sources: &Sources<'_>, settings: &Settings) -> Result<Report> {
        let data = sources.data();
        let settings = &settings.for_table(data)?;
        let names = |pairs: Vec<(Var, Var)>| {
            let name = |v: Var| data.variable(v).name().to_owned();
            pairs.into_iter().map(|(x, y)| (name(x), name(y))).collect::<Vec<Pair>>()
        };
        let nodes: Vec<String> = data.variables().iter().map(|v| v.name().to_owned()).collect();
        let score = settings.score();
        let (dag, cpdag) = (learned.graph.dag(), learned.graph.cpdag());
        let losses = dag
            .as_ref()
            .filter(|_| settings.uses(&rows::SCORE) && !data.is_for_em())
            .map(|dag| losses(sources, dag, score));
        Ok(Report {
            learner: settings.learner().to_owned(),
            result: learned.graph.kind(),
            complete: learned.complete,
            nodes: nodes.clone(),
            arcs: dag.as_ref().map(|dag| names(dag.arcs().collect())),
            cpdag: match &learned.graph {
                LearnedGraph::Pdag(graph) => Some(class_report(graph, &names)),
                _ => cpdag.as_ref().map(|class| class_report(class, &names)),
            },
            skeleton: learned.skeleton.as_ref().map(|s| names(s.edges().collect())),
            score: learned.score.map(|total| ScoreReport {
                name: score.kind.word().into(),
                iss: score.kind.uses_iss().then_some(score.iss),
                total,
            }),
            losses: losses.transpose()?,
            optimal: learned.bound.map(|bound| learned.score.is_some_and(|score| score >= bound)),
            bound: learned.bound,
            alternatives: alternatives(learned, &names),
            strengths: (!learned.strengths.is_empty()).then(|| arc_strengths(&learned.strengths, &nodes)),
            separations: None,
            concerns: learned.concerns.iter().cloned().chain(powerless(learned)).collect(),
            tests: learned.tests.clone(),
            seconds: learned.seconds,
            settings: settings.clone(),
            data: DataReport {
                rows: data.total(),
                variables: data.variables().len(),
                continuous: data
                    .variables()
                    .iter()
                    .filter(|v| v.is_continuous())
                    .map(|v| v.name().to_owned())
                    .collect(),
                missing: data.vars().map(|v| data.gaps(v)).sum(),
                sha256: sources.rows_are_here().then(|| data.sha256()),
            },
            read: None,
            version: env!("CARGO_PKG_VERSION"),
            truth: None,
            bootstrap: None,
        })
    }

    /// The same with what separated the pairs that are not adjacent, if the learner runs tests.
    #[must_use]
    pub fn with_separations(self, learned: &Learned, data: &Dataset) -> Report {
        self.with_separations_of(learned, &Sources::new(data))
    }

    /// The same for a prepared table, perhaps without its rows.
    #[must_use]
    pub fn with_separations_of(self, learned: &Learned, sources: &Sources<'_>) -> Report {
        let asks = self.settings.uses(&rows::TEST);
        let separations = asks.then(|| {
            // What was learned by a test can be tested again.
            let test = self.settings.test().build_with(sources).ok()?;
            Some(separations(&learned.evidence, &*test))
        });
        let separations = separations.flatten();
        Report { separations, ..self }
    }

    /// The same with the comparison to the true structure: of the DAG, or of the skeleton if there
    /// is no DAG.
    #[must_use]
    pub fn with_truth(self, learned: &NamedGraph, truth: &NamedGraph) -> Report {
        let (_, Comparison { shd, skeleton, precision, recall, .. }) = compare_named(truth, learned);
        let shd = (self.result != "skeleton").then_some(shd);
        Report { truth: Some(TruthReport { shd, skeleton, precision, recall }), ..self }
    }

    /// The same with how the data was read, see [`ReadOptions::to_record`](crate::ReadOptions::to_record).
    #[must_use]
    pub fn with_read(self, record: serde_json::Value) -> Report {
        Report { read: Some(record), ..self }
    }

    /// The same as a JSON document.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self).expect("a report has texts for keys")
    }

    /// The same with the strengths of a bootstrap.
    #[must_use]
    pub fn with_bootstrap(self, bootstrap: &Bootstrap) -> Report {
        let arcs = arc_strengths(&bootstrap.strengths, &self.nodes);
        let strengths = Some(arcs.clone());
        let bootstrap = BootstrapReport { samples: bootstrap.samples, threshold: bootstrap.threshold, arcs };
        Report { bootstrap: Some(bootstrap), strengths, ..self }
    }
}

/// The warning if tests had no power to find anything.
fn powerless(learned: &Learned) -> Option<String> {
    let Tally { asked, without_power, .. } = learned.tests;
    let empty = learned.skeleton.as_ref().is_some_and(|s| s.is_empty());
    if asked == 0 || without_power == 0 || (without_power < asked && !(empty && 2 * without_power > asked)) {
        return None;
    }
    let which =
        if without_power == asked { "none".into() } else { format!("only {}", asked - without_power) };
    let found = if empty { ", so no edge was found" } else { "" };
    Some(format!(
        "{which} of {asked} tests had power{found}: there are too few rows for the levels of the columns; merge \
         levels, or use more rows"
    ))
}

/// Edges as arcs in their more frequent direction, the strongest first.
fn arc_strengths(strengths: &[Strength], names: &[String]) -> Vec<ArcStrength> {
    let mut strengths = strengths.to_vec();
    strengths
        .sort_unstable_by(|a, b| b.strength.total_cmp(&a.strength).then_with(|| (a.x, a.y).cmp(&(b.x, b.y))));
    let name = |v: Var| names[v.index()].clone();
    let arc = |s: &Strength| {
        let forward = s.direction >= 0.5;
        let (from, to) = if forward { (s.x, s.y) } else { (s.y, s.x) };
        let direction = if forward { s.direction } else { 1.0 - s.direction };
        ArcStrength { from: name(from), to: name(to), strength: s.strength, direction }
    };
    strengths.iter().map(arc).collect()
}

fn class_report(class: &Pdag, names: &impl Fn(Vec<(Var, Var)>) -> Vec<Pair>) -> CpdagReport {
    CpdagReport {
        directed: names(class.directed().collect()),
        undirected: names(class.undirected().collect()),
    }
}

fn alternatives(
    learned: &Learned,
    names: &impl Fn(Vec<(Var, Var)>) -> Vec<Pair>,
) -> Option<Vec<AlternativeReport>> {
    let report = |(class, score): &(Cpdag, f64)| {
        let CpdagReport { directed, undirected } = class_report(class, names);
        AlternativeReport { score: *score, directed, undirected }
    };
    (!learned.alternatives.is_empty()).then(|| learned.alternatives.iter().map(report).collect())
}

/// The separations with their outcomes; those that are missing are computed by the test that gave them before.
fn separations(evidence: &Evidence, test: &dyn CiTest) -> Vec<SeparationReport> {
    let pairs: Vec<(Var, Var, &Separation)> = evidence.iter().collect();
    parallel::map_each(&pairs, |&(x, y, s)| {
        let given = s.given.iter().map(|v| v.index()).collect();
        let outcome = s.outcome.unwrap_or_else(|| test.test(x, y, &s.given));
        (x.index(), y.index(), given, outcome.statistic, outcome.df, outcome.ln_p(), s.has_power)
    })
}

/// What the score would lose without each arc of a structure, and if it were reversed, in the order of
/// the arcs.
pub fn arc_losses(data: &Dataset, dag: &Dag, score: ScoreSettings) -> Result<Vec<ArcLoss>> {
    losses(&Sources::new(data), dag, score)
}

/// The number of families that a thread scores at a time.
const FAMILIES: usize = 16;

fn losses(sources: &Sources<'_>, dag: &Dag, score: ScoreSettings) -> Result<Vec<ArcLoss>> {
    let score = score.build_with(sources)?;
    let name = |v: Var| sources.data().variable(v).name().to_owned();
    let local = |v: Var, parents: &[Var]| score.local(v, parents);
    let families: Vec<(Var, &[Var])> = dag.vars().map(|v| (v, dag.parents(v).as_slice())).collect();
    let values = |families: &[(Var, &[Var])]| {
        let mut values = Vec::with_capacity(families.len());
        score.locals(families, &mut values);
        values
    };
    let whole: Vec<f64> = parallel::map_chunks(&families, FAMILIES, values);
    let mut trial = dag.clone();
    let mut may_turn = |from: Var, to: Var| {
        let may = trial.try_reverse(from, to).is_ok();
        if may {
            trial.try_reverse(to, from).expect("as it was before");
        }
        may
    };
    let arcs: Vec<(Var, Var, bool)> = dag.arcs().map(|(from, to)| (from, to, may_turn(from, to))).collect();
    let loss = |&(from, to, may_turn): &(Var, Var, bool)| {
        let without = whole[to.index()] - local(to, dag.parents(to).without(from).as_slice());
        let turned = may_turn.then(|| {
            let gained = local(from, dag.parents(from).with(to).as_slice()) - whole[from.index()];
            without - gained
        });
        ArcLoss { from: name(from), to: name(to), without, turned }
    };
    Ok(parallel::map_each(&arcs, loss))
}
