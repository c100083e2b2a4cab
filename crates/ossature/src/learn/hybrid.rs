//! Restrict and maximise: the hybrid learner.

use std::time::Instant;

use super::Learner;
use crate::ci::{Independence, Pairs, Tally, TestKind, TestSettings, Underpowered};
use crate::counts::Counter;
use crate::data::{Dataset, Variable};
use crate::error::{Error, Result};
use crate::graph::{Constraints, Dag, Skeleton};
use crate::local::{Hpc, LocalLearner, Mmpc, Symmetry, WeakLearner, skeleton};
use crate::progress::Progress;
use crate::score::ScoreSettings;
use crate::search::Search;

/// How the neighbourhoods are found that restrict the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restrict {
    /// By HPC with a weak learner.
    Hpc(WeakLearner),
    /// By MMPC.
    Mmpc,
}

impl Restrict {
    /// The local learner for all of `n` variables. What targets learn is shared between them where
    /// that cannot change the skeleton.
    pub fn build(self, n: usize, symmetry: Symmetry) -> Box<dyn LocalLearner> {
        match (self, symmetry) {
            (Restrict::Hpc(weak), Symmetry::And) => Box::new(Hpc::sharing(weak, n)),
            (Restrict::Hpc(weak), Symmetry::Or) => Box::new(Hpc::new(weak)),
            (Restrict::Mmpc, _) => Box::new(Mmpc),
        }
    }
}

/// A learner that first finds the skeleton by tests and then the directions by a score (Algorithm 3).
///
/// Without `restrict` the search is free; without `maximise` the skeleton is the result.
///
/// ```
/// use ossature::network::catalogue;
/// use ossature::{Hybrid, Learner, Silent};
///
/// let data = catalogue::load("asia")?.sample(2000, 1, &Silent)?;
/// let learned = Hybrid { alpha: 0.01, ..Hybrid::h2pc() }.learn(&data, &Silent)?;
/// assert!(learned.dag.unwrap().len() >= 4);
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Hybrid {
    /// How the skeleton is found; `None` searches freely.
    pub restrict: Option<Restrict>,
    /// How the directions are found; `None` stops at the skeleton.
    pub maximise: Option<Search>,
    /// The independence test.
    pub test: TestSettings,
    /// Its level of significance.
    pub alpha: f64,
    /// What a test without power means.
    pub underpowered: Underpowered,
    /// The largest conditioning set; `None` for no limit.
    pub max_conditioning: Option<usize>,
    /// Whether both ends of an edge must have found it.
    pub symmetry: Symmetry,
    /// The score.
    pub score: ScoreSettings,
    /// Arcs that must and must not be there.
    pub constraints: Constraints,
    /// Where the search starts; `None` for the empty graph.
    pub start: Option<Dag>,
}

impl Hybrid {
    /// H2PC with the paper's settings: HPC, then tabu on BDeu.
    pub fn h2pc() -> Hybrid {
        Hybrid {
            restrict: Some(Restrict::Hpc(WeakLearner::InterIapc)),
            maximise: Some(Search::default()),
            test: TestSettings::default(),
            alpha: 0.05,
            underpowered: Underpowered::Independent,
            max_conditioning: None,
            symmetry: Symmetry::And,
            score: ScoreSettings::default(),
            constraints: Constraints::none(),
            start: None,
        }
    }

    /// MMHC: the same with MMPC in the place of HPC.
    pub fn mmhc() -> Hybrid {
        Hybrid { restrict: Some(Restrict::Mmpc), ..Hybrid::h2pc() }
    }

    /// Tabu search without a skeleton.
    pub fn tabu() -> Hybrid {
        Hybrid { restrict: None, ..Hybrid::h2pc() }
    }

    fn skeleton(&self, counter: &Counter<'_>, progress: &dyn Progress) -> Result<(Option<Skeleton>, Tally)> {
        let Some(restrict) = self.restrict else { return Ok((None, Tally::default())) };
        let data = counter.data();
        let n = data.variables().len();
        let test = self.test.build_with(counter.clone());
        let pairs = Pairs::new(&test, n, progress)?;
        let ind = self.independence(&pairs, data, progress);
        let learner = restrict.build(n, self.symmetry);
        let skeleton = skeleton(&*learner, n, self.symmetry, &ind, progress)?;
        Ok((Some(skeleton), ind.tally()))
    }

    /// The questions of this learner, answered by a test on this table.
    pub fn independence<'a>(
        &'a self,
        test: &'a dyn crate::ci::CiTest,
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

    pub(super) fn check(&self, data: &Dataset) -> Result<()> {
        let refuse = |what: &str, accepted: &str| {
            Err(Error::Mismatch { what: what.into(), accepted: accepted.into() })
        };
        if !(self.alpha > 0.0 && self.alpha < 1.0) {
            return refuse(&format!("alpha is {}", self.alpha), "a number between 0 and 1 is needed");
        }
        if self.restrict.is_none() && self.maximise.is_none() {
            return refuse("neither a restriction nor a search is chosen", "at least one of them is needed");
        }
        if self.start.as_ref().is_some_and(|start| start.nodes() != data.variables().len()) {
            return refuse("the start has other nodes than the data", "a node for each variable is needed");
        }
        if self.maximise.is_none() {
            return Ok(());
        }
        // What the search would refuse is refused before the skeleton is learned.
        self.score.check()?;
        Search::check_start(&names(data), self.start.as_ref(), &self.constraints)
    }
}

impl Learner for Hybrid {
    fn learn(&self, data: &Dataset, progress: &dyn Progress) -> Result<Learned> {
        self.check(data)?;
        let clock = Instant::now();
        // Tests and scores share the columns that are made ready for counting.
        let counter = Counter::new(data);
        let (skeleton, tally) = self.skeleton(&counter, progress)?;
        let restrict = clock.elapsed().as_secs_f64();
        let found = match &self.maximise {
            Some(search) => {
                let score = self.score.build_with(counter)?;
                let (inside, start) = (skeleton.as_ref(), self.start.as_ref());
                Some(search.run(&score, &names(data), inside, start, &self.constraints, progress)?)
            }
            None => None,
        };
        let total = clock.elapsed().as_secs_f64();
        Ok(Learned {
            skeleton,
            score: found.as_ref().map(|f| f.score),
            complete: found.as_ref().is_none_or(|f| f.complete),
            moves: found.as_ref().map_or(0, |f| f.moves),
            dag: found.map(|f| f.dag),
            tests: tally,
            seconds: Seconds { restrict, maximise: total - restrict, total },
        })
    }
}

fn names(data: &Dataset) -> Vec<&str> {
    data.variables().iter().map(Variable::name).collect()
}

/// What a learner found, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct Learned {
    /// The structure, if directions were asked for.
    pub dag: Option<Dag>,
    /// The skeleton that the search was restricted to, if it was.
    pub skeleton: Option<Skeleton>,
    /// The score of the structure.
    pub score: Option<f64>,
    /// Whether the search came to its end, and was not cut short by a limit.
    pub complete: bool,
    /// The moves of the search.
    pub moves: u64,
    /// The tests.
    pub tests: Tally,
    /// The time.
    pub seconds: Seconds,
}

/// How long the phases took.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Seconds {
    /// Finding the skeleton.
    pub restrict: f64,
    /// Finding the directions.
    pub maximise: f64,
    /// Both, without reading the data.
    pub total: f64,
}
