//! The one place where a p-value meets alpha.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU8, Ordering};

use super::CiTest;
use super::alpha::{Alpha, Verdict};
use super::outcome::Outcome;
use super::tally::{Counters, Tally};
use crate::data::Var;
use crate::graph::Constraints;
use crate::progress::{Event, Progress, Stop};

/// What a test without power means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Underpowered {
    /// Independence is assumed (the paper).
    #[default]
    Independent,
    /// It neither separates nor connects (Tsamardinos, Brown & Aliferis 2006).
    Skip,
}

impl std::str::FromStr for Underpowered {
    type Err = crate::Error;

    fn from_str(text: &str) -> crate::Result<Underpowered> {
        match text {
            "independent" => Ok(Underpowered::Independent),
            "skip" => Ok(Underpowered::Skip),
            _ => Err(crate::Error::unknown_name("policy", text, ["independent", "skip"], None)),
        }
    }
}

/// The answer about one candidate of a sweep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// The candidate.
    pub var: Var,
    /// How strongly it depends on the target.
    pub outcome: Outcome,
    /// Whether it is independent of the target.
    pub separated: bool,
    /// Whether it depends on the target. Neither this nor `separated` holds for a test without power
    /// under [`Underpowered::Skip`].
    pub connected: bool,
}

/// Answers questions about independence: a test, a level, what is known beforehand, and a tally.
///
/// A required edge is never separated and counts as the strongest dependence there is, so the
/// listings need not know of it. Once the run is stopped every question is answered with
/// "independent" without counting, which ends every loop; the caller discards the result.
pub struct Independence<'a> {
    test: &'a dyn CiTest,
    alpha: Alpha,
    underpowered: Underpowered,
    constraints: Option<&'a Constraints>,
    progress: &'a dyn Progress,
    /// How many tests a thread asks between two looks at the progress.
    stride: u64,
    stopped: AtomicU8,
    counters: Counters,
}

impl<'a> Independence<'a> {
    /// Answers by a test at a level of significance, between 0 and 1.
    pub fn new(test: &'a dyn CiTest, alpha: f64) -> Independence<'a> {
        Independence {
            test,
            alpha: Alpha::new(alpha),
            underpowered: Underpowered::default(),
            constraints: None,
            progress: &crate::progress::Silent,
            stride: 256,
            stopped: AtomicU8::new(0),
            counters: Counters::default(),
        }
    }

    /// With another meaning of tests without power.
    #[must_use]
    pub fn underpowered(mut self, policy: Underpowered) -> Self {
        self.underpowered = policy;
        self
    }

    /// With edges that are required beforehand.
    #[must_use]
    pub fn constraints(mut self, constraints: &'a Constraints) -> Self {
        self.constraints = (!constraints.is_empty()).then_some(constraints);
        self
    }

    /// Reporting to somebody, who may also stop the run. A look is taken every so many tests of a
    /// thread: fewer for tests that take long.
    #[must_use]
    pub fn progress(mut self, progress: &'a dyn Progress, tests_between_looks: u64) -> Self {
        self.progress = progress;
        self.stride = tests_between_looks.max(1);
        self
    }

    /// Whether a test separates X from Y given Z.
    pub fn separated(&self, x: Var, y: Var, z: &[Var]) -> bool {
        self.separates(self.verdict(x, y, z))
    }

    /// Whether X depends on Y given Z.
    pub fn connected(&self, x: Var, y: Var, z: &[Var]) -> bool {
        self.verdict(x, y, z) == Verdict::Dependent
    }

    /// The answer about X and Y given Z, with its strength.
    pub fn ask(&self, x: Var, y: Var, z: &[Var]) -> Answer {
        let outcome = match self.settled(x, y, z) {
            Some(outcome) => outcome,
            None => self.note(self.test.test(x, y, z)),
        };
        self.answer(x, outcome)
    }

    /// The answers about many candidates and one target given one set, in the order of the candidates.
    pub fn sweep(&self, t: Var, xs: &[Var], z: &[Var]) -> Vec<Answer> {
        // In parts, so that a very wide sweep can be stopped.
        let mut answers = Vec::with_capacity(xs.len());
        let mut outcomes = Vec::new();
        for part in xs.chunks(self.stride as usize) {
            outcomes.clear();
            if self.constraints.is_some() || self.count(z.len(), part.len() as u64) {
                // Some answers may be known beforehand: one by one.
                answers.extend(part.iter().map(|&x| match self.constraints {
                    Some(_) => self.ask(x, t, z),
                    None => self.answer(x, Outcome::chi_square(0.0, 0.0)),
                }));
                continue;
            }
            self.test.sweep(t, part, z, &mut outcomes);
            answers.extend(part.iter().zip(&outcomes).map(|(&x, &o)| self.answer(x, self.note(o))));
        }
        answers
    }

    /// The answer when p is multiplied by a factor, as when many tests are made at once.
    pub fn adjusted(&self, answer: &Answer, factor: f64) -> Answer {
        let verdict = match self.stop_requested() {
            Some(_) => Verdict::Independent,
            None => self.alpha.verdict_adjusted(&answer.outcome, factor),
        };
        Answer { separated: self.separates(verdict), connected: verdict == Verdict::Dependent, ..*answer }
    }

    /// The tests so far.
    pub fn tally(&self) -> Tally {
        self.counters.tally(self.test.computed())
    }

    /// Whether the run was stopped, and how; its results are void then.
    pub fn stop_requested(&self) -> Option<Stop> {
        match self.stopped.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Stop::Cancel),
            _ => Some(Stop::Finish),
        }
    }

    /// Ends the run: from now on everything is independent.
    pub fn stop(&self, how: Stop) {
        let code = match how {
            Stop::Cancel => 1,
            Stop::Finish => 2,
        };
        self.stopped.store(code, Ordering::Relaxed);
    }

    fn verdict(&self, x: Var, y: Var, z: &[Var]) -> Verdict {
        let verdict = match self.settled(x, y, z) {
            Some(outcome) => self.alpha.verdict(&outcome),
            None => self.test.decide(x, y, z, &self.alpha),
        };
        if verdict == Verdict::NoPower {
            self.counters.without_power(1);
        }
        verdict
    }

    /// Notes a test asked, and answers it if that takes no test.
    fn settled(&self, x: Var, y: Var, z: &[Var]) -> Option<Outcome> {
        if self.count(z.len(), 1) {
            return Some(Outcome::chi_square(0.0, 0.0));
        }
        self.constraints.filter(|c| c.edge_required(x, y)).map(|_| Outcome::certain())
    }

    /// Notes tests asked and now and then looks at the progress; says whether the run is stopped.
    fn count(&self, order: usize, tests: u64) -> bool {
        let before = self.counters.asked(order, tests);
        if before / self.stride != (before + tests) / self.stride
            && self.stop_requested().is_none()
            && let ControlFlow::Break(how) = self.progress.report(Event::TestsAsked { order })
        {
            self.stop(how);
        }
        self.stop_requested().is_some()
    }

    fn note(&self, outcome: Outcome) -> Outcome {
        if !outcome.has_power {
            self.counters.without_power(1);
        }
        outcome
    }

    fn answer(&self, var: Var, outcome: Outcome) -> Answer {
        let verdict = self.alpha.verdict(&outcome);
        Answer { var, outcome, separated: self.separates(verdict), connected: verdict == Verdict::Dependent }
    }

    fn separates(&self, verdict: Verdict) -> bool {
        match verdict {
            Verdict::Dependent => false,
            Verdict::Independent => true,
            Verdict::NoPower => self.underpowered == Underpowered::Independent,
        }
    }
}
