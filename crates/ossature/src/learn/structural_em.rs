//! Structural EM: a graph from rows in which values are missing.
//!
//! Friedman (1997), "Learning belief networks in the presence of missing values and hidden variables", ICML-14,
//! 125-133; Friedman (1998), "The Bayesian structural EM algorithm", UAI-14, 129-138, arXiv 1301.7373.

use std::ops::ControlFlow;
use std::time::Instant;

use super::Learner;
use super::hybrid::Hybrid;
use super::learned::{Learned, Seconds};
use crate::ci::{Evidence, Tally};
use crate::data::{Dataset, Variable};
use crate::error::{Error, Result};
use crate::graph::Dag;
use crate::halves::{Found, LearnedGraph, Task};
use crate::infer::{Em, Estimate};
use crate::network::Prior;
use crate::progress::{Event, Progress, Stop};
use crate::score::{ScoreKind, total};
use crate::text::{count, thousands};
use crate::word::Word;

/// Between two searches, EM has converged when a round raises the likelihood by less than this per row.
const ENOUGH: f64 = 1e-7;
/// The largest number of rounds between two searches.
const ROUNDS: usize = 100;
/// The smallest increase of the penalised likelihood that counts.
const RISEN: f64 = 1e-6;
/// The largest number of searches; a handful is usual.
const SEARCHES: usize = 100;

/// Structural EM around a learner that maximises a score and runs no tests.
///
/// It alternates two steps: EM fits the probabilities of the current graph, and a search from that graph looks for
/// a better one by `bic` on the resulting expected counts. It ends when the search finds nothing better.
///
/// # Requires, ensures
/// The penalised likelihood, the log-likelihood of the known values less ½ ln(rows) for each parameter, never falls
/// as long as expected counts are exact. They are, unless so many dependent values are missing in one row that
/// their joint table is too large; then some are replaced by their most likely level, the best graph so far is
/// kept, and a concern says so. The score of the result is its penalised likelihood.
///
/// # Cost
/// A search, and a few passes over the rows, for each turn; the values of sets are kept for one
/// turn.
///
/// ```
/// use ossature::learn::StructuralEm;
/// use ossature::{Column, Dataset, Hybrid, Learner, MissingPolicy, Silent, Variable};
///
/// let codes = |gap: usize| (0..60).map(move |i| (i != gap).then_some(u16::from(i % 3 == 0)));
/// let column = |name: &str, gap| {
///     Ok::<_, ossature::Error>((Variable::new(name, ["0", "1"])?, Column::with_gaps(codes(gap), 2)))
/// };
/// let data = Dataset::with_gaps(vec![column("a", 3)?, column("b", 7)?])?.with_policy(MissingPolicy::Em);
/// let learned = StructuralEm::new(Hybrid::tabu())?.learn(&data, &Silent)?;
/// assert_eq!(learned.graph.skeleton().len(), 1);
/// # Ok::<(), ossature::Error>(())
/// ```
pub struct StructuralEm {
    inner: Hybrid,
}

/// The result of structural EM, with its history.
#[derive(Debug, Clone, PartialEq)]
pub struct EmTurns {
    /// The graph.
    pub graph: LearnedGraph,
    /// The penalised likelihood after each turn.
    pub penalised: Vec<f64>,
    /// Whether it was completed, and not told to finish early.
    pub complete: bool,
    /// The moves of all searches.
    pub moves: u64,
    /// The number of missing values that were replaced by their most likely level in the last turn; 0 if
    /// everything was exact.
    pub imputed: u64,
}

/// The current graph with its probabilities.
struct Turn {
    graph: LearnedGraph,
    dag: Dag,
    estimate: Estimate,
}

impl StructuralEm {
    /// Wraps a learner that maximises `bic`, or whose score was not chosen, and that runs no tests.
    pub fn new(inner: Hybrid) -> Result<StructuralEm> {
        let searches = inner.orient.as_ref().is_some_and(|half| half.uses_score());
        if !searches || inner.asks_tests() {
            return Err(Error::Setting {
                name: "missing".into(),
                problem: "is em, and the learner asks tests, which cannot use expected values".into(),
                accepted:
                    "with em a learner that only maximises a score is accepted, such as tabu, hc and ges; \
                           with available every learner is"
                        .into(),
            });
        }
        let mut inner = inner;
        if inner.score.kind == ScoreKind::default() {
            inner.score.kind = ScoreKind::Bic;
        }
        if inner.score.kind != ScoreKind::Bic {
            return Err(Error::Setting {
                name: "score".into(),
                problem: format!(
                    "is {}, which cannot be computed from expected counts",
                    inner.score.kind.word()
                ),
                accepted: "with em use bic".into(),
            });
        }
        Ok(StructuralEm { inner })
    }

    /// Runs the turns, from the start of the learner or else the empty graph.
    pub fn turns(&self, data: &Dataset, progress: &dyn Progress) -> Result<EmTurns> {
        let names: Vec<&str> = data.variables().iter().map(Variable::name).collect();
        let inside = self.inner.given_skeleton(data)?;
        let em = Em::new(data, Prior::None)?;
        let watch = EmWatch { progress };
        let mut found = EmTurns {
            graph: LearnedGraph::Dag(Dag::empty(names.len())),
            penalised: Vec::new(),
            complete: true,
            moves: 0,
            imputed: 0,
        };
        let mut best = f64::NEG_INFINITY;
        let mut turn = self.first(data, &em)?;
        for _ in 0..SEARCHES {
            // The probabilities of the graph climb to where the rows are most likely.
            let (estimate, complete) = watch.climb(&em, &turn.estimate, best)?;
            let expected = em.expect(&estimate);
            let penalised = expected.log_likelihood() - self.price(data, &turn.dag);
            found.penalised.push(penalised);
            found.imputed = found.imputed.max(expected.imputed());
            found.complete &= complete;
            if penalised > best {
                found.graph = turn.graph.clone();
            }
            if penalised <= best + RISEN || !found.complete {
                return Ok(found);
            }
            best = penalised;
            // A search from that graph, by what the rows are then expected to be.
            let score = self.inner.score.build_expected(&expected)?;
            let task = Task {
                names: &names,
                score: Some(&*score),
                ask: None,
                inside: inside.as_ref(),
                start: Some(&turn.dag),
                constraints: &self.inner.constraints,
                progress,
            };
            let searched = self.search(&task)?;
            found.moves += searched.moves;
            found.complete &= searched.complete;
            let (graph, Some(dag)) = (searched.graph.clone(), searched.graph.dag()) else { return Ok(found) };
            if total(&*score, &dag) <= total(&*score, &turn.dag) + RISEN {
                found.graph = in_form_of(&searched.graph, &found.graph);
                return Ok(found);
            }
            turn = Turn { graph, estimate: em.maximise(&dag, &expected)?, dag };
        }
        found.complete = false;
        Ok(found)
    }

    fn first(&self, data: &Dataset, em: &Em<'_>) -> Result<Turn> {
        let required = self.inner.constraints.required().iter().copied();
        let empty = || Dag::from_arcs(data.variables().len(), required).expect("required arcs make no cycle");
        let dag = self.inner.start.clone().unwrap_or_else(empty);
        Ok(Turn { graph: LearnedGraph::Dag(dag.clone()), estimate: em.start(&dag)?, dag })
    }

    fn search(&self, task: &Task<'_>) -> Result<Found> {
        self.inner.orient.as_ref().expect("there is a search").orient(task)
    }

    /// The penalty of the likelihood.
    fn price(&self, data: &Dataset, dag: &Dag) -> f64 {
        let levels = |v| data.cardinality(v) as f64;
        let parameters = |v| (levels(v) - 1.0) * dag.parents(v).iter().map(levels).product::<f64>();
        let parameters: f64 = dag.vars().map(parameters).sum();
        let arcs = self.inner.score.arc_price * libm::log(data.variables().len() as f64) * dag.len() as f64;
        0.5 * libm::log(data.rows() as f64) * parameters + arcs
    }
}

impl Learner for StructuralEm {
    fn learn(&self, data: &Dataset, progress: &dyn Progress) -> Result<Learned> {
        if data.is_complete() {
            return self.inner.learn(data, progress);
        }
        self.inner.check(data)?;
        let clock = Instant::now();
        let EmTurns { graph, penalised, complete, moves, imputed } = self.turns(data, progress)?;
        let seconds = clock.elapsed().as_secs_f64();
        Ok(Learned {
            graph,
            skeleton: self.inner.given_skeleton(data)?.map(|inside| inside.skeleton),
            evidence: Evidence::default(),
            score: penalised.iter().copied().reduce(f64::max),
            bound: None,
            complete,
            moves,
            concerns: concern(imputed, data).into_iter().collect(),
            alternatives: Vec::new(),
            strengths: Vec::new(),
            tests: Tally::default(),
            seconds: Seconds { restrict: 0.0, maximise: seconds, total: seconds },
        })
    }
}

/// The warning if counts were not exact.
fn concern(imputed: u64, data: &Dataset) -> Option<String> {
    let missing: usize = data.vars().map(|v| data.gaps(v)).sum();
    (imputed > 0).then(|| {
        format!(
            "{} of {} imputed with the most likely level, because too many dependent values are missing in \
             the same row to sum over all of them",
            thousands(imputed),
            count(missing, "missing value")
        )
    })
}

/// The unchanged graph, as a class if the search finds classes.
fn in_form_of(searched: &LearnedGraph, graph: &LearnedGraph) -> LearnedGraph {
    match (searched, graph.dag()) {
        (LearnedGraph::Cpdag(_) | LearnedGraph::ClassOf(_), Some(dag)) => LearnedGraph::ClassOf(dag),
        _ => graph.clone(),
    }
}

/// Reports rounds of EM, and checks whether they should end.
struct EmWatch<'a> {
    progress: &'a dyn Progress,
}

impl EmWatch<'_> {
    /// Runs rounds of EM; returns whether they were completed. If told to finish, they stop where
    /// they are.
    fn climb(&self, em: &Em<'_>, from: &Estimate, score: f64) -> Result<(Estimate, bool)> {
        let mut finish = false;
        let climbed = em.climb(from.clone(), ENOUGH, ROUNDS, &mut |_| {
            // The first graph has no score before its first round.
            let score = if score.is_finite() { score } else { 0.0 };
            match self.progress.report(Event::Move { score, moves: 0 }) {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(stop) => {
                    finish = stop == Stop::Finish;
                    Err(Error::Stopped)
                }
            }
        });
        match climbed {
            Ok(climbed) => Ok((climbed.parameters, true)),
            Err(Error::Stopped) if finish => Ok((from.clone(), false)),
            Err(error) => Err(error),
        }
    }
}
