//! Restrict, then orient: the learner of two halves.

use std::time::Instant;

use super::Learner;
use super::catalogue::Catalogue;
use super::learned::{Learned, Seconds};
use super::neighbourhood::{self, Neighbourhood};
use crate::ci::{CiTest, Evidence, Independence, NoTest, Pairs, Tally, TestKind, TestSettings, Underpowered};
use crate::data::{Dataset, Var, VarSet, Variable};
use crate::error::{Error, Result};
use crate::graph::{Constraints, Dag};
use crate::halves::{Found, LearnedGraph, Orient, Restrict, Restriction, Task};
use crate::progress::{Progress, Silent};
use crate::score::ScoreSettings;
use crate::sources::Sources;

/// The largest number of variables for a search without a skeleton, which keeps the gain of every
/// pair.
const MOST_FREE: usize = 5000;

/// The largest number of variables for which evidence is kept: it takes eight bytes per pair.
const MOST_WITH_EVIDENCE: usize = 2048;

/// A learner of two halves: the first finds the skeleton by tests, the second the directions inside it
/// (Algorithm 3).
///
/// Without `restrict` the search is free; without `orient` the skeleton is the result.
///
/// ```
/// use ossature::network::catalogue;
/// use ossature::{Hybrid, Learner, Silent};
///
/// let data = catalogue::load("asia")?.sample(2000, 1, &Silent)?;
/// let learned = Hybrid { alpha: 0.01, ..Hybrid::h2pc() }.learn(&data, &Silent)?;
/// assert!(learned.graph.skeleton().len() >= 4);
/// # Ok::<(), ossature::Error>(())
/// ```
pub struct Hybrid {
    /// How the skeleton is found; `None` searches freely.
    pub restrict: Option<Box<dyn Restrict>>,
    /// How the directions are found; `None` stops at the skeleton.
    pub orient: Option<Box<dyn Orient>>,
    /// The independence test.
    pub test: TestSettings,
    /// Its level of significance.
    pub alpha: f64,
    /// What a test without power means.
    pub underpowered: Underpowered,
    /// The largest conditioning set; `None` for no limit.
    pub max_conditioning: Option<usize>,
    /// The most bytes for the outcomes of all pairs; if they need more, they are computed on demand.
    pub pair_memory: usize,
    /// The score.
    pub score: ScoreSettings,
    /// Required and forbidden arcs.
    pub constraints: Constraints,
    /// Where the search starts; `None` for the empty graph.
    pub start: Option<Dag>,
}

impl Hybrid {
    /// H2PC with the recommended settings: HPC, then tabu search on BDeu.
    pub fn h2pc() -> Hybrid {
        Catalogue::standard().plain("h2pc")
    }

    /// MMHC: the same with MMPC instead of HPC.
    pub fn mmhc() -> Hybrid {
        Catalogue::standard().plain("mmhc")
    }

    /// Tabu search without a skeleton.
    pub fn tabu() -> Hybrid {
        Catalogue::standard().plain("tabu")
    }

    /// The same learner with other constraints.
    #[must_use]
    pub fn with_constraints(self, constraints: Constraints) -> Hybrid {
        Hybrid { constraints, ..self }
    }

    /// The independence tests of this learner on this table.
    pub fn independence<'a>(
        &'a self,
        test: &'a dyn CiTest,
        data: &Dataset,
        progress: &'a dyn Progress,
    ) -> Independence<'a> {
        // A look at the progress every millisecond or so.
        let slow = matches!(self.test.kind, TestKind::McMi | TestKind::SpMi);
        let stride = if slow { 1 } else { (1 << 20) / data.rows() as u64 };
        Independence::new(test, self.alpha)
            .underpowered(self.underpowered)
            .constraints(&self.constraints)
            .limit_conditioning(self.max_conditioning)
            .progress(progress, stride.clamp(1, 256))
    }

    /// The same, with evidence if there is room for it.
    pub(super) fn questions<'a>(
        &'a self,
        test: &'a dyn CiTest,
        data: &Dataset,
        progress: &'a dyn Progress,
    ) -> Independence<'a> {
        let (ask, n) = (self.independence(test, data, progress), data.variables().len());
        if n <= MOST_WITH_EVIDENCE { ask.keep_evidence(n) } else { ask }
    }

    /// Whether one of the halves runs tests.
    pub(super) fn asks_tests(&self) -> bool {
        self.restrict.as_ref().is_some_and(|half| half.asks_tests())
            || self.orient.as_ref().is_some_and(|half| half.asks_tests())
    }

    /// The restriction by a first half that runs no tests.
    pub(super) fn given_skeleton(&self, data: &Dataset) -> Result<Option<Restriction>> {
        let ask = self.independence(&NoTest, data, &Silent);
        self.restrict(data.variables().len(), &ask)
    }

    pub(super) fn check(&self, data: &Dataset) -> Result<()> {
        let refuse = |what: &str, accepted: &str| {
            Err(Error::Mismatch { what: what.into(), accepted: accepted.into() })
        };
        if !(self.alpha > 0.0 && self.alpha < 1.0) {
            return refuse(&format!("alpha is {}", self.alpha), "a number between 0 and 1 is needed");
        }
        if self.restrict.is_none() && self.orient.is_none() {
            return refuse("the learner has neither half", "at least one of them is needed");
        }
        if self.restrict.is_none() && self.orient.as_ref().is_some_and(|half| half.needs_skeleton()) {
            return Err(Error::Setting {
                name: "restrict".into(),
                problem: "is none, so there is no skeleton to direct".into(),
                accepted: "a first half is needed, such as pc".into(),
            });
        }
        let n = data.variables().len();
        if self.restrict.is_none() && n > MOST_FREE {
            return refuse(
                &format!("a search without a skeleton compares all pairs of the {n} variables"),
                &format!(
                    "up to {MOST_FREE} are accepted; with a first half it compares neighbours only: h2pc and mmhc have one"
                ),
            );
        }
        if self.start.as_ref().is_some_and(|start| start.nodes() != data.variables().len()) {
            return refuse(
                "the nodes of the start are not those of the data",
                "a node for each variable is needed",
            );
        }
        // What the search would refuse is refused before the skeleton is learned.
        match &self.orient {
            Some(orient) => {
                self.score.check()?;
                orient.check(&names(data), self.start.as_ref(), &self.constraints)
            }
            None => Ok(()),
        }
    }

    /// The result of the first half with these tests.
    fn restrict(&self, n: usize, ask: &Independence<'_>) -> Result<Option<Restriction>> {
        self.restrict.as_ref().map(|half| half.restrict(&VarSet::all(n), ask)).transpose()
    }

    /// The result of the second half inside that of the first.
    pub(super) fn orient(
        &self,
        names: &[&str],
        sources: &Sources<'_>,
        ask: Option<&Independence<'_>>,
        inside: Option<&Restriction>,
        progress: &dyn Progress,
    ) -> Result<Option<Found>> {
        let Some(half) = &self.orient else { return Ok(None) };
        let score = match half.uses_score() {
            true => Some(self.score.build_with(sources)?),
            false => None,
        };
        let (start, constraints) = (self.start.as_ref(), &self.constraints);
        let score = score.as_deref();
        half.orient(&Task { names, score, ask, inside, start, constraints, progress }).map(Some)
    }
}

impl Learner for Hybrid {
    fn learn(&self, data: &Dataset, progress: &dyn Progress) -> Result<Learned> {
        // Tests and scores share the columns that are made ready for counting.
        self.learn_from(&Sources::new(data), progress)
    }

    fn learn_from(&self, sources: &Sources<'_>, progress: &dyn Progress) -> Result<Learned> {
        let data = sources.data();
        self.check(data)?;
        let clock = Instant::now();
        let (n, names) = (data.variables().len(), names(data));
        let asks = self.asks_tests();
        let test: Box<dyn CiTest + '_> = match asks {
            true => self.test.build_with(sources)?,
            false => Box::new(NoTest),
        };
        let pairs = match asks {
            true => Pairs::new(&*test, n, self.pair_memory, progress)?,
            false => Pairs::none(&*test),
        };
        let ask = match asks {
            true => self.questions(&pairs, data, progress),
            false => self.independence(&pairs, data, progress),
        };
        let inside = self.restrict(n, &ask)?;
        let restrict = clock.elapsed().as_secs_f64();
        if let Some(Restriction { skeleton, .. }) = &inside {
            sources.foresee_families(data.vars().map(|v| (v, skeleton.neighbours(v))));
        }
        let (found, tests) = if self.orient.as_ref().is_some_and(|half| half.asks_tests()) {
            let found = self.orient(&names, sources, Some(&ask), inside.as_ref(), progress)?;
            (found, ask.tally())
        } else {
            // A search needs the memory of the tests of all pairs for its own tables.
            let tests = if asks { ask.tally() } else { Tally::default() };
            drop(ask);
            drop(pairs);
            (self.orient(&names, sources, None, inside.as_ref(), progress)?, tests)
        };
        let total = clock.elapsed().as_secs_f64();
        Ok(Learned {
            seconds: Seconds { restrict, maximise: total - restrict, total },
            ..learned(found, inside, tests)
        })
    }

    fn halves(&self) -> Option<&Hybrid> {
        Some(self)
    }

    fn neighbourhood(
        &self,
        data: &Dataset,
        t: Var,
        blanket: bool,
        progress: &dyn Progress,
    ) -> Result<Neighbourhood> {
        self.check(data)?;
        match self.restrict.as_ref().and_then(|half| half.local()) {
            Some(local) => neighbourhood::find(self, local, data, t, blanket, progress),
            None => neighbourhood::refuse(),
        }
    }
}

/// The graph of the second half, or else the skeleton.
pub(super) fn learned(found: Option<Found>, inside: Option<Restriction>, tests: Tally) -> Learned {
    let (skeleton, evidence) = match inside {
        Some(Restriction { skeleton, evidence }) => (Some(skeleton), evidence),
        None => (None, Evidence::default()),
    };
    let found = found.unwrap_or_else(|| {
        Found::graph(LearnedGraph::Skeleton(skeleton.clone().expect("one of the halves is there")))
    });
    Learned {
        graph: found.graph,
        skeleton,
        evidence,
        score: found.score,
        bound: found.bound,
        complete: found.complete,
        moves: found.moves,
        concerns: found.concerns,
        alternatives: found.alternatives,
        strengths: found.strengths,
        tests,
        seconds: Seconds::default(),
    }
}

pub(super) fn names(data: &Dataset) -> Vec<&str> {
    data.variables().iter().map(Variable::name).collect()
}
