//! Sparse Candidate: each variable gets a few candidate parents, a climb uses only those, and its
//! result determines the candidates of the next round.

use std::ops::ControlFlow;
use std::time::Instant;

use super::Learner;
use super::learned::{Learned, Seconds};
use crate::ci::{Evidence, Tally};
use crate::counts;
use crate::data::{Dataset, TableKind, Var, VarSet, Variable};
use crate::error::{Error, Result};
use crate::graph::{Constraints, Dag, Skeleton};
use crate::halves::{LearnedGraph, Orient};
use crate::infer::{Inference, Limit};
use crate::network::{Prior, fit};
use crate::parallel;
use crate::progress::{Event, Progress, Silent, Stop};
use crate::score::{Score, ScoreKind, ScoreSettings, total};
use crate::search::Search;
use crate::sources::Sources;
use crate::word::Word;

/// The number of targets whose candidates are found between two reports of progress.
const TOGETHER: usize = 16;

/// How [`SparseCandidate`] values a variable Y as a candidate to be a parent of X, after the first round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CandidateMeasure {
    /// `mi`
    Information,
    /// `shield`
    #[default]
    Shield,
    /// `score`
    Score,
    /// `discrepancy`
    Discrepancy,
}

impl Word for CandidateMeasure {
    const WHAT: &'static str = "measure";
    const WORDS: &'static [(CandidateMeasure, &'static str, &'static str)] = &[
        (CandidateMeasure::Information, "mi", "Mutual information of the two: the same in every round"),
        (CandidateMeasure::Shield, "shield", "Mutual information given the parents found so far"),
        (CandidateMeasure::Score, "score", "Gain of the score with the candidate as an additional parent"),
        (
            CandidateMeasure::Discrepancy,
            "discrepancy",
            "Distance of the pair's distribution in the data from that in the network so far, by exact inference",
        ),
    ];
}

/// Sparse Candidate: rounds of restricting each variable to a few candidates and climbing among them.
///
/// *Restrict*: for each X the `candidates` best by the [measure](CandidateMeasure) relative to the network so
/// far, always including its present parents; in the first round, by mutual information. *Maximise*: a climb
/// from the network so far, with parents among the candidates only. It ends when the score does not rise or
/// the candidates equal those of an earlier round.
///
/// Friedman, Nachman & Pe'er (1999), UAI-15, 206-215, arXiv 1301.6696. Ties between candidates: by name.
///
/// # Requires, ensures
/// Any score that is a sum over families. The score never falls from round to round; with as many
/// candidates as there are other variables the result is that of the free search. The measure
/// `discrepancy` needs a network that is small enough for exact inference, and is an error otherwise.
///
/// # Cost
/// A sweep over all candidates for each variable and round; for `discrepancy` exact inference for each variable.
#[derive(Debug, Clone)]
pub struct SparseCandidate {
    /// How candidates are valued.
    pub measure: CandidateMeasure,
    /// The number of candidates of each variable.
    pub candidates: usize,
    /// The climb.
    pub search: Search,
    /// The score.
    pub score: ScoreSettings,
    /// Required and forbidden arcs.
    pub constraints: Constraints,
    /// Where the first round starts; `None` for the empty graph.
    pub start: Option<Dag>,
}

/// The inputs that all rounds share.
struct Rounds<'a> {
    learner: &'a SparseCandidate,
    data: &'a Dataset,
    names: Vec<&'a str>,
    score: Box<dyn Score + 'a>,
    /// Its differences are the mutual information, exactly.
    likelihood: Box<dyn Score + 'a>,
    progress: &'a dyn Progress,
}

/// The result of a round.
struct Round {
    dag: Dag,
    score: f64,
    moves: u64,
    complete: bool,
}

impl Rounds<'_> {
    /// The candidates of every variable, relative to a network; `None` if the work should finish.
    fn restrict(&self, dag: &Dag, measure: CandidateMeasure) -> Result<Option<Vec<VarSet>>> {
        let asked = match measure {
            CandidateMeasure::Discrepancy => {
                let fitted = fit(self.data, dag, Prior::None, &Silent)?;
                Some(Inference::new(&fitted.network, Limit::default()))
            }
            _ => None,
        };
        let targets: Vec<Var> = dag.vars().collect();
        let mut all = Vec::with_capacity(targets.len());
        for some in targets.chunks(TOGETHER) {
            let done = all.len() as u64;
            if !told(self.progress, Event::PartsDone { done, total: targets.len() as u64 })? {
                return Ok(None);
            }
            let of = |i: usize| self.candidates(some[i], dag, measure, asked.as_ref());
            all.extend(parallel::try_map(some.len(), of)?);
        }
        Ok(Some(all))
    }

    /// The parents of a variable, and the best of the other allowed ones.
    fn candidates(
        &self,
        x: Var,
        dag: &Dag,
        measure: CandidateMeasure,
        asked: Option<&Inference>,
    ) -> Result<VarSet> {
        let parents = dag.parents(x);
        let known = &self.learner.constraints;
        let others: Vec<Var> =
            dag.vars().filter(|&y| y != x && !parents.contains(y) && known.may_add(y, x)).collect();
        let mut values = Vec::with_capacity(others.len());
        match (measure, asked) {
            (CandidateMeasure::Information, _) => self.likelihood.sweep(x, &[], &others, &mut values),
            (CandidateMeasure::Score, _) => self.score.sweep(x, parents.as_slice(), &others, &mut values),
            (CandidateMeasure::Discrepancy, Some(network)) => {
                let pairs = network.pairs(x)?;
                let wanted = pairs.iter().filter(|pair| others.binary_search(&pair.vars[1]).is_ok());
                values.extend(wanted.map(|p| discrepancy(self.data, x, p.vars[1], &p.probabilities)));
            }
            _ => self.likelihood.sweep(x, parents.as_slice(), &others, &mut values),
        }
        let mut ranked: Vec<(f64, Var)> = values.into_iter().zip(others).collect();
        ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let more = self.learner.candidates.saturating_sub(parents.len());
        Ok(parents.iter().chain(ranked.into_iter().take(more).map(|(_, y)| y)).collect())
    }

    /// A climb from a network with only candidates as parents.
    fn maximise(&self, from: &Dag, candidates: &[VarSet]) -> Result<Round> {
        let mut inside = Skeleton::empty(from.nodes());
        for (x, of) in candidates.iter().enumerate() {
            for y in of.iter() {
                inside.insert(Var::new(x), y);
            }
        }
        let one_way = |&(x, y): &(Var, Var)| !candidates[y.index()].contains(x);
        let ways = inside.edges().flat_map(|(x, y)| [(x, y), (y, x)]);
        let constraints = self.learner.constraints.forbidding(ways.filter(one_way));
        let climb = self.learner.search.run(
            &*self.score,
            &self.names,
            Some(&inside),
            Some(from),
            &constraints,
            self.progress,
        )?;
        Ok(Round { dag: climb.dag, score: climb.score, moves: climb.moves, complete: climb.complete })
    }

    /// Runs the rounds and shows each to `look`.
    fn run(&self, start: Dag, mut look: impl FnMut(&Round)) -> Result<Round> {
        let score = total(&*self.score, &start);
        let mut best = Round { dag: start, score, moves: 0, complete: false };
        let mut seen: Vec<Vec<VarSet>> = Vec::new();
        loop {
            let measure = if seen.is_empty() { CandidateMeasure::Information } else { self.learner.measure };
            let Some(candidates) = self.restrict(&best.dag, measure)? else { return Ok(best) };
            if seen.contains(&candidates) {
                return Ok(Round { complete: true, ..best });
            }
            let found = self.maximise(&best.dag, &candidates)?;
            look(&found);
            let rose = found.score > best.score;
            let moves = best.moves + found.moves;
            let complete = found.complete;
            best = Round { moves, complete: false, ..if rose { found } else { best } };
            if !complete || !(rose || seen.is_empty()) {
                return Ok(Round { complete, ..best });
            }
            seen.push(candidates);
        }
    }
}

impl SparseCandidate {
    fn rounds<'a>(&'a self, data: &'a Dataset, progress: &'a dyn Progress) -> Result<(Rounds<'a>, Dag)> {
        let names: Vec<&str> = data.variables().iter().map(Variable::name).collect();
        if self.start.as_ref().is_some_and(|start| start.nodes() != names.len()) {
            return Err(Error::Mismatch {
                what: "the nodes of the start are not those of the data".into(),
                accepted: "a node for each variable is needed".into(),
            });
        }
        self.score.check()?;
        self.search.check(&names, self.start.as_ref(), &self.constraints)?;
        let empty = Dag::empty(names.len());
        let arcs = self.start.as_ref().unwrap_or(&empty).arcs().chain(self.constraints.required().to_vec());
        let start = Dag::from_arcs(names.len(), arcs).expect("the search has checked it");
        let sources = Sources::new(data);
        if self.measure == CandidateMeasure::Discrepancy {
            data.require_tables("the measure discrepancy")?;
        }
        let kind = match data.kind() {
            TableKind::Discrete => ScoreKind::LogLik,
            TableKind::Continuous => ScoreKind::LogLikG,
            TableKind::Mixed => ScoreKind::BicDg,
        };
        let likelihood = ScoreSettings { kind, ..ScoreSettings::default() };
        let score = self.score.build_with(&sources)?;
        let likelihood = likelihood.build_with(&sources)?;
        Ok((Rounds { learner: self, data, names, score, likelihood, progress }, start))
    }
}

impl Learner for SparseCandidate {
    fn learn(&self, data: &Dataset, progress: &dyn Progress) -> Result<Learned> {
        let clock = Instant::now();
        let (rounds, start) = self.rounds(data, progress)?;
        let found = rounds.run(start, |_| {})?;
        let seconds = clock.elapsed().as_secs_f64();
        Ok(Learned {
            graph: LearnedGraph::Dag(found.dag),
            skeleton: None,
            evidence: Evidence::default(),
            score: Some(found.score),
            bound: None,
            complete: found.complete,
            moves: found.moves,
            concerns: Vec::new(),
            alternatives: Vec::new(),
            strengths: Vec::new(),
            tests: Tally::default(),
            seconds: Seconds { restrict: 0.0, maximise: seconds, total: seconds },
        })
    }
}

/// Reports an event; returns whether to go on, or an error if the run is cancelled.
fn told(progress: &dyn Progress, event: Event) -> Result<bool> {
    match progress.report(event) {
        ControlFlow::Continue(()) => Ok(true),
        ControlFlow::Break(Stop::Finish) => Ok(false),
        ControlFlow::Break(Stop::Cancel) => Err(Error::Stopped),
    }
}

/// The Kullback-Leibler distance of a pair in the data from its distribution in a network, rounded so that
/// equal distances tie whatever the order of the sums inside the network.
fn discrepancy(data: &Dataset, x: Var, y: Var, network: &[f64]) -> f64 {
    let (counts, n) = (counts::family(data, y, &[x]), data.total() as f64);
    let cells = counts.iter().zip(network).filter(|(n, _)| **n > 0);
    let distance: f64 = cells
        .map(|(&count, &p)| {
            let share = f64::from(count) / n;
            share * (libm::log(share) - libm::log(p.max(f64::MIN_POSITIVE)))
        })
        .sum();
    (distance * 1e9).round() / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::catalogue;
    use crate::search::Algorithm;

    fn learner(measure: CandidateMeasure, candidates: usize) -> SparseCandidate {
        SparseCandidate {
            measure,
            candidates,
            search: Search { algorithm: Algorithm::HillClimb, tie_orders: 1, ..Search::default() },
            score: ScoreSettings::default(),
            constraints: Constraints::none(),
            start: None,
        }
    }

    #[test]
    fn the_score_never_falls_from_round_to_round_and_parents_stay_candidates() {
        let data = catalogue::load("insurance").unwrap().sample(300, 1, &Silent).unwrap();
        let mut most = 0;
        for measure in CandidateMeasure::all() {
            for candidates in [1, 2, 4] {
                let learner = learner(measure, candidates);
                let (rounds, start) = learner.rounds(&data, &Silent).unwrap();
                let mut scores = vec![total(&*rounds.score, &start)];
                let last = rounds
                    .run(start, |round| {
                        assert_eq!(round.score, total(&*rounds.score, &round.dag));
                        scores.push(round.score);
                    })
                    .unwrap();
                assert!(scores.is_sorted(), "{measure:?} {candidates} {scores:?}");
                assert!(last.complete && last.dag.vars().all(|v| last.dag.parents(v).len() <= candidates));
                most = most.max(scores.len());
            }
        }
        assert!(most > 3, "several rounds");
    }

    #[test]
    fn with_all_candidates_it_is_the_free_search() {
        for (network, seed) in [("asia", 1), ("asia", 2), ("insurance", 3)] {
            let data = catalogue::load(network).unwrap().sample(400, seed, &Silent).unwrap();
            let names: Vec<&str> = data.variables().iter().map(Variable::name).collect();
            for measure in CandidateMeasure::all() {
                let learner = learner(measure, names.len() - 1);
                let score = learner.score.build(&data).unwrap();
                let none = Constraints::none();
                let free = learner.search.run(&*score, &names, None, None, &none, &Silent).unwrap();
                let found = learner.learn(&data, &Silent).unwrap();
                assert_eq!((found.graph, found.score), (LearnedGraph::Dag(free.dag), Some(free.score)));
            }
        }
    }

    /// In the empty network the pair of two variables is the product of theirs: the distance is the information.
    #[test]
    fn from_the_empty_network_the_discrepancy_is_the_information() {
        let data = catalogue::load("asia").unwrap().sample(500, 4, &Silent).unwrap();
        let learner = learner(CandidateMeasure::Discrepancy, 3);
        let (rounds, start) = learner.rounds(&data, &Silent).unwrap();
        let network = fit(&data, &start, Prior::None, &Silent).unwrap().network;
        let engine = Inference::new(&network, Limit::default());
        for x in data.vars() {
            for pair in engine.pairs(x).unwrap() {
                let y = pair.vars[1];
                let mut with = Vec::new();
                rounds.likelihood.sweep(x, &[], &[y], &mut with);
                let information = (with[0] - rounds.likelihood.local(x, &[])) / 500.0;
                assert!((discrepancy(&data, x, y, &pair.probabilities) - information).abs() < 1e-8);
            }
        }
    }
}
