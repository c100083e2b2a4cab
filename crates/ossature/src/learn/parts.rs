//! A first half whose targets are processed in several places, possibly on other machines.
//!
//! The coordinating machine keeps a [`RoundsFound`]. In each round it sends every other machine the rounds so far and
//! some of the targets ([`Hybrid::look`]), and receives the results ([`PartFound`]); at the end it directs the edges
//! ([`Hybrid::learn_found`]). The answer, with its evidence and the number of tests asked, equals that of
//! [`learn`](super::Learner::learn).

mod text;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::hybrid::{Hybrid, learned, names};
use super::learned::{Learned, Seconds};
use crate::ci::{CiTest, Evidence, Independence, NoTest, Tally};
use crate::data::{Dataset, Var, VarSet};
use crate::error::{Error, Result};
use crate::halves::{Finding, InRounds};
use crate::parallel;
use crate::progress::{Event, Progress, Silent};
use crate::sources::Sources;

/// The results of the rounds of a first half so far.
///
/// ```
/// use ossature::learn::RoundsFound;
/// use ossature::network::catalogue;
/// use ossature::{Hybrid, Learner, Silent, Var};
///
/// let data = catalogue::load("asia")?.sample(1000, 1, &Silent)?;
/// let learner = Hybrid::h2pc();
/// let mut found = RoundsFound::default();
/// while learner.costs(&data, &found)?.is_some() {
///     // Each of these could be another machine, which is sent `found` as text.
///     let places = [[0, 1, 2, 3], [4, 5, 6, 7]].map(|targets| {
///         learner.look(&data, &found, &targets.map(Var), &Silent)
///     });
///     found = found.with_round(places.into_iter().collect::<Result<_, _>>()?, 0.0)?;
/// }
/// let learned = learner.learn_found(&data, &found, &Silent)?;
/// assert_eq!(learned.graph, learner.learn(&data, &Silent)?.graph);
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RoundsFound {
    /// For each round, its result for each variable.
    rounds: Vec<Vec<Finding>>,
    noted: Evidence,
    tests: Tally,
    seconds: f64,
}

/// The results of one round for some of the targets.
#[derive(Debug, Clone, PartialEq)]
pub struct PartFound {
    targets: Vec<Var>,
    found: Vec<Finding>,
    noted: Evidence,
    tests: Tally,
}

impl RoundsFound {
    /// The number of rounds.
    pub fn len(&self) -> usize {
        self.rounds.len()
    }

    /// Whether no round has ended.
    pub fn is_empty(&self) -> bool {
        self.rounds.is_empty()
    }

    /// The same without the evidence, which is enough to process targets.
    #[must_use]
    pub fn without_evidence(&self) -> RoundsFound {
        RoundsFound { rounds: self.rounds.clone(), ..RoundsFound::default() }
    }

    /// The same with one more round, which took `seconds`. Together its parts contain every variable once.
    pub fn with_round(&self, parts: Vec<PartFound>, seconds: f64) -> Result<RoundsFound> {
        let n = parts.iter().map(|part| part.targets.len()).sum();
        let mut round: Vec<Option<Finding>> = vec![None; n];
        let mut tests = self.tests.clone();
        let mut noted = vec![self.noted.clone()];
        for part in parts {
            tests += &part.tests;
            noted.push(part.noted);
            for (t, finding) in part.targets.into_iter().zip(part.found) {
                match round.get_mut(t.index()) {
                    Some(place @ None) => *place = Some(finding),
                    _ => return Err(unfit("a target occurs twice, or another is missing")),
                }
            }
        }
        let round: Option<Vec<Finding>> = round.into_iter().collect();
        let round = round.ok_or_else(|| unfit("a target is missing"))?;
        let rounds = self.rounds.iter().cloned().chain([round]).collect();
        Ok(RoundsFound { rounds, noted: Evidence::joined(noted), tests, seconds: self.seconds + seconds })
    }

    /// Returns an error if this has another number of variables.
    fn check(&self, n: usize) -> Result<()> {
        let named = |finding: &Finding| finding.vars().all(|v| v.index() < n);
        let fits = self.rounds.iter().all(|round| round.len() == n && round.iter().all(named));
        let within = |(x, y, by): (Var, Var, &crate::ci::Separation)| {
            by.given.iter().chain([&x, &y]).all(|v| v.index() < n)
        };
        match fits && self.noted.iter().all(within) {
            true => Ok(()),
            false => Err(unfit("it has other variables than the table")),
        }
    }
}

fn unfit(what: &str) -> Error {
    Error::Mismatch {
        what: format!("the results for targets are inconsistent: {what}"),
        accepted: "every target of one table, once in each round, is needed".into(),
    }
}

impl Hybrid {
    /// The likely relative cost of each target in the next round; `None` after the last round. A first half that does
    /// not work in rounds returns an error.
    pub fn costs(&self, data: &Dataset, found: &RoundsFound) -> Result<Option<Vec<u64>>> {
        self.check(data)?;
        let ask = self.questions(&NoTest, data, &Silent);
        let mut half = self.after(data, found, &ask)?;
        Ok(half.begin(&ask).then(|| data.vars().map(|t| half.cost(t)).collect()))
    }

    /// The results of the next round for some targets, given the rounds so far.
    pub fn look(
        &self,
        data: &Dataset,
        found: &RoundsFound,
        targets: &[Var],
        progress: &dyn Progress,
    ) -> Result<PartFound> {
        self.check(data)?;
        if targets.iter().any(|t| t.index() >= data.variables().len()) {
            return Err(unfit("a target is not in the table"));
        }
        let test = self.test.build_with(&Sources::new(data))?;
        let ask = self.questions(&*test, data, progress);
        let mut half = self.after(data, found, &ask)?;
        if !half.begin(&ask) {
            return Err(unfit("there is no round after the last one"));
        }
        let (u, done) = (VarSet::all(data.variables().len()), AtomicUsize::new(0));
        let look = |&t: &Var| {
            if ask.stop_requested().is_some() {
                return Finding::default();
            }
            let finding = half.look(t, &u, &ask);
            let done = 1 + done.fetch_add(1, Ordering::Relaxed);
            ask.report(Event::TargetDone { done, total: targets.len() });
            finding
        };
        let found = parallel::map_each(targets, look);
        ask.check_running()?;
        let noted = ask.take_evidence(|_, _| half.wants_noted());
        Ok(PartFound { targets: targets.to_vec(), found, noted, tests: ask.tally() })
    }

    /// Learns the graph when all rounds of the first half are complete.
    pub fn learn_found(
        &self,
        data: &Dataset,
        found: &RoundsFound,
        progress: &dyn Progress,
    ) -> Result<Learned> {
        self.check(data)?;
        let (clock, names) = (Instant::now(), names(data));
        let sources = Sources::new(data);
        let test: Box<dyn CiTest + '_> = match self.orient.as_ref().is_some_and(|half| half.asks_tests()) {
            true => self.test.build_with(&sources)?,
            false => Box::new(NoTest),
        };
        // A second half may want to know which tests the first has asked.
        let ask = self.questions(&*test, data, progress).after(found.tests.clone());
        let mut half = self.after(data, found, &ask)?;
        if half.begin(&ask) {
            return Err(unfit("a round is missing"));
        }
        let inside = Some(half.finish(found.noted.clone(), &ask));
        let directed = self.orient(&names, &sources, Some(&ask), inside.as_ref(), progress)?;
        let (restrict, maximise) = (found.seconds, clock.elapsed().as_secs_f64());
        Ok(Learned {
            seconds: Seconds { restrict, maximise, total: restrict + maximise },
            ..learned(directed, inside, ask.tally())
        })
    }

    /// The first half after these rounds.
    fn after(
        &self,
        data: &Dataset,
        found: &RoundsFound,
        ask: &Independence<'_>,
    ) -> Result<Box<dyn InRounds + '_>> {
        found.check(data.variables().len())?;
        let u = VarSet::all(data.variables().len());
        let half = self.restrict.as_ref().and_then(|half| half.rounds(&u, ask));
        let mut half = half.ok_or_else(Hybrid::not_in_parts)?;
        for round in &found.rounds {
            if !half.begin(ask) {
                return Err(unfit("there is no round after the last one"));
            }
            half.end(round.clone());
        }
        Ok(half)
    }

    /// The error for a learner without a first half, or whose first half does not process targets one by
    /// one.
    pub fn not_in_parts() -> Error {
        Error::Mismatch {
            what: "this learner does not work variable by variable".into(),
            accepted: "work is divided by variables for learners such as h2pc, mmhc, hpc, mmpc and pc".into(),
        }
    }
}
