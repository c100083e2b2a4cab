//! The one place where a p-value meets alpha.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU8, Ordering};

use super::CiTest;
use super::alpha::{Alpha, Verdict};
use super::evidence::{Evidence, Recorder};
use super::outcome::Outcome;
use super::tally::{Counters, Tally};
use crate::counts::Sweep;
use crate::data::{Var, VarSet};
use crate::graph::Constraints;
use crate::progress::{Event, Progress, Stop};
use crate::word::Word;
use smallvec::SmallVec;

/// What a test without power means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Underpowered {
    /// Independence is assumed (the paper).
    #[default]
    Independent,
    /// It neither separates nor connects (Tsamardinos, Brown & Aliferis 2006).
    Skip,
}

impl Word for Underpowered {
    const WHAT: &'static str = "policy";
    const WORDS: &'static [(Underpowered, &'static str, &'static str)] = &[
        (Underpowered::Independent, "independent", "Independent, as in the paper"),
        (Underpowered::Skip, "skip", "No verdict: the test neither separates nor connects"),
    ];
}

/// Whether two variables are separated or connected. Neither holds for a test without power under
/// [`Underpowered::Skip`], and for a test that was not to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The test says independent.
    pub separated: bool,
    /// The test says dependent.
    pub connected: bool,
}

impl Decision {
    const SEPARATED: Decision = Decision { separated: true, connected: false };
    const CONNECTED: Decision = Decision { separated: false, connected: true };
    const NEITHER: Decision = Decision { separated: false, connected: false };
}

/// The answer about one candidate, with its strength.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// The candidate.
    pub var: Var,
    /// How strongly it depends on the target.
    pub outcome: Outcome,
    /// Whether it is independent of the target.
    pub separated: bool,
    /// Whether it depends on the target; see [`Decision`].
    pub connected: bool,
}

impl Answer {
    fn new(var: Var, outcome: Outcome, Decision { separated, connected }: Decision) -> Answer {
        Answer { var, outcome, separated, connected }
    }

    /// Whether the question was answered at all; if not, it says nothing about the strength either.
    pub fn is_known(&self) -> bool {
        self.separated || self.connected
    }

    /// Orders answers by strength, the strongest last; of two that are equally strong, the variable
    /// that comes first is the stronger.
    pub fn cmp_strength(&self, other: &Answer) -> std::cmp::Ordering {
        self.outcome.cmp_strength(&other.outcome).then_with(|| other.var.cmp(&self.var))
    }
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
    max_conditioning: usize,
    progress: &'a dyn Progress,
    /// How many tests a thread asks between two looks at the progress.
    stride: u64,
    stopped: AtomicU8,
    counters: Counters,
    /// Tests that were asked elsewhere.
    earlier: Tally,
    /// What separated which pairs, if that is to be kept.
    recorder: Option<Recorder>,
}

impl<'a> Independence<'a> {
    /// Answers by a test at a level of significance, between 0 and 1.
    pub fn new(test: &'a dyn CiTest, alpha: f64) -> Independence<'a> {
        Independence {
            test,
            alpha: Alpha::new(alpha),
            underpowered: Underpowered::default(),
            constraints: None,
            max_conditioning: usize::MAX,
            progress: &crate::progress::Silent,
            stride: 256,
            stopped: AtomicU8::new(0),
            counters: Counters::default(),
            earlier: Tally::default(),
            recorder: None,
        }
    }

    /// With another meaning of tests without power.
    #[must_use]
    pub fn underpowered(mut self, policy: Underpowered) -> Self {
        self.underpowered = policy;
        self
    }

    /// With edges that are required or forbidden beforehand.
    #[must_use]
    pub fn constraints(mut self, constraints: &'a Constraints) -> Self {
        self.constraints = (!constraints.is_empty()).then_some(constraints);
        self
    }

    /// With conditioning sets of at most so many variables. A question about a larger one is not asked:
    /// it neither separates nor connects.
    #[must_use]
    pub fn limit_conditioning(mut self, max: Option<usize>) -> Self {
        self.max_conditioning = max.unwrap_or(usize::MAX);
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

    /// Going on after tests that were asked elsewhere: they are in the tally.
    #[must_use]
    pub fn after(mut self, earlier: Tally) -> Self {
        self.earlier = earlier;
        self
    }

    /// With evidence: each pair of `n` variables that a non-empty set separates is noted.
    #[must_use]
    pub fn keep_evidence(mut self, n: usize) -> Self {
        let needs_no_set = |x, y| self.independent_given_nothing(x, y) == Some(true);
        self.recorder = Some(Recorder::new(n, needs_no_set));
        self
    }

    /// Whether evidence is kept.
    pub fn keeps_evidence(&self) -> bool {
        self.recorder.is_some()
    }

    /// What separated the pairs that `keep` accepts, since this was last asked for; nothing if no
    /// evidence is kept. Pairs that are independent given nothing are left out.
    pub fn take_evidence(&self, keep: impl Fn(Var, Var) -> bool) -> Evidence {
        let noted = self.recorder.as_ref().map(Recorder::take).unwrap_or_default();
        let needs_a_set = |x, y| {
            !self
                .independent_given_nothing(x, y)
                .unwrap_or_else(|| self.decision(self.test.decide(x, y, &[], &self.alpha)).separated)
        };
        noted.filtered(|x, y| keep(x, y) && needs_a_set(x, y))
    }

    /// The largest conditioning set that is asked about.
    pub fn max_conditioning(&self) -> usize {
        self.max_conditioning
    }

    /// Whether a test separates X from Y given Z.
    pub fn separated(&self, x: Var, y: Var, z: &[Var]) -> bool {
        self.decide(x, y, z).separated
    }

    /// Whether X depends on Y given Z.
    pub fn connected(&self, x: Var, y: Var, z: &[Var]) -> bool {
        self.decide(x, y, z).connected
    }

    /// Whether X and Y are separated or connected given Z, without the strength.
    pub fn decide(&self, x: Var, y: Var, z: &[Var]) -> Decision {
        match self.settled(x, y, z) {
            Some((_, decision)) => decision,
            None => self.meaning((x, y, z), self.test.decide(x, y, z, &self.alpha)),
        }
    }

    /// The answer about X and Y given Z, with its strength.
    pub fn ask(&self, x: Var, y: Var, z: &[Var]) -> Answer {
        match self.settled(x, y, z) {
            Some((outcome, decision)) => Answer::new(x, outcome, decision),
            None => self.answer(x, y, z, self.test.test(x, y, z)),
        }
    }

    /// The answers about many candidates and one target given one set, in the order of the candidates.
    pub fn sweep(&self, t: Var, xs: &[Var], z: &[Var]) -> Vec<Answer> {
        let mut answers = Vec::with_capacity(xs.len());
        let mut outcomes = Vec::new();
        // In parts, so that a very wide sweep can be stopped.
        for candidates in xs.chunks(usize::try_from(self.stride).unwrap_or(usize::MAX)) {
            self.part(&[Sweep { target: t, candidates, given: z }], &mut outcomes, &mut answers);
        }
        answers
    }

    /// The answers of many sweeps that are open at the same time, one after the other.
    pub fn batch(&self, sweeps: &[Sweep<'_>]) -> Vec<Answer> {
        let mut answers = Vec::with_capacity(sweeps.iter().map(|s| s.candidates.len()).sum());
        let mut outcomes = Vec::new();
        for part in self.parts(sweeps) {
            self.part(&part, &mut outcomes, &mut answers);
        }
        answers
    }

    /// The answers among those of [`batch`](Independence::batch) that say dependent.
    pub fn connected_in(&self, sweeps: &[Sweep<'_>]) -> Vec<Answer> {
        let (mut connected, mut answers, mut outcomes) = (Vec::new(), Vec::new(), Vec::new());
        for part in self.parts(sweeps) {
            self.part(&part, &mut outcomes, &mut answers);
            connected.extend(answers.drain(..).filter(|answer| answer.connected));
        }
        connected
    }

    /// Says that questions about these candidates will probably follow one by one, given this set or some of it. Nothing is
    /// asked, and no answer depends on it.
    pub fn foresee(&self, t: Var, xs: &[Var], z: &[Var]) {
        self.test.foresee(&[Sweep { target: t, candidates: xs, given: z }]);
    }

    /// Says that many questions about some of these variables will probably follow, one by one.
    pub fn foresee_among(&self, vars: &VarSet) {
        self.test.foresee_among(vars.as_slice());
    }

    /// The same as [`foresee`](Independence::foresee) for questions about each of these candidates given each other one, and
    /// a set.
    pub fn foresee_pairs(&self, t: Var, xs: &[Var], z: &[Var]) {
        let given: Vec<SmallVec<[Var; 4]>> =
            xs.iter().map(|&x| z.iter().copied().chain([x]).collect()).collect();
        let sweep = |(i, given)| Sweep { target: t, candidates: &xs[i + 1..], given };
        let sweeps: Vec<Sweep<'_>> = given.iter().map(|given| &given[..]).enumerate().map(sweep).collect();
        self.test.foresee(&sweeps);
    }

    /// Asks some sweeps together, unless the run is stopped.
    fn part(&self, sweeps: &[Sweep<'_>], outcomes: &mut Vec<Outcome>, answers: &mut Vec<Answer>) {
        let may_ask = |s: &Sweep<'_>| s.given.len() <= self.max_conditioning;
        let mut stopped = self.stop_requested().is_some();
        for s in sweeps.iter().filter(|s| may_ask(s)) {
            stopped |= self.count(s.given.len(), s.candidates.len() as u64);
        }
        outcomes.clear();
        if stopped {
            let all = sweeps.iter().flat_map(|s| s.candidates);
            return answers.extend(all.map(|&x| Answer::new(x, STOPPED.0, STOPPED.1)));
        }
        if sweeps.iter().all(may_ask) {
            self.test.batch(sweeps, outcomes);
        } else {
            let asked: Vec<Sweep<'_>> = sweeps.iter().copied().filter(may_ask).collect();
            self.test.batch(&asked, outcomes);
        }
        let mut found = outcomes.iter().copied();
        for s in sweeps {
            for &x in s.candidates {
                let outcome = if may_ask(s) { found.next() } else { None };
                answers.push(match outcome {
                    _ if !self.separable(x, s.target) => Answer::new(x, REQUIRED.0, REQUIRED.1),
                    Some(outcome) => self.answer(x, s.target, s.given, outcome),
                    None => Answer::new(x, UNASKED.0, UNASKED.1),
                });
            }
        }
    }

    /// The questions in parts, between which a very large batch can be stopped.
    fn parts<'s>(&self, sweeps: &[Sweep<'s>]) -> Vec<SmallVec<[Sweep<'s>; 4]>> {
        let most = usize::try_from(self.stride).unwrap_or(usize::MAX);
        let mut parts: Vec<SmallVec<[Sweep<'s>; 4]>> = Vec::new();
        let mut room = 0;
        for &sweep in sweeps {
            let mut rest = sweep.candidates;
            while !rest.is_empty() {
                if room == 0 {
                    parts.push(SmallVec::new());
                    room = most;
                }
                let (now, later) = rest.split_at(room.min(rest.len()));
                let part = parts.last_mut().expect("there is a part with room");
                part.push(Sweep { candidates: now, ..sweep });
                room -= now.len();
                rest = later;
            }
        }
        parts
    }

    /// Whether a test could separate X from Y: not if their edge is required. A search for a set that
    /// separates them need not begin then.
    pub fn separable(&self, x: Var, y: Var) -> bool {
        !self.constraints.is_some_and(|c| c.edge_required(x, y))
    }

    /// Whether X and Y may not be adjacent, whatever the tests say; they may still be spouses, and
    /// either may be given.
    pub fn edge_forbidden(&self, x: Var, y: Var) -> bool {
        self.constraints.is_some_and(|c| c.edge_forbidden(x, y))
    }

    /// The arcs that are required, whatever the tests say.
    pub fn required(&self) -> impl Iterator<Item = (Var, Var)> {
        self.constraints.into_iter().flat_map(|c| c.required().iter().copied())
    }

    /// The answer when p is multiplied by a factor, as when many tests are made at once. What had no
    /// answer has none then either.
    pub fn adjusted(&self, answer: &Answer, factor: f64) -> Answer {
        if !answer.is_known() {
            return *answer;
        }
        let verdict = self.alpha.verdict_adjusted(&answer.outcome, factor);
        Answer::new(answer.var, answer.outcome, self.decision(verdict))
    }

    /// The rows that a cell of the table of X, Y and Z has on average; no end of them where there are no rows.
    pub fn rows_per_cell(&self, x: Var, y: Var, z: &[Var]) -> f64 {
        match self.test.rows() {
            Some(rows) => rows as f64 / self.test.cells(x, y, z),
            None => f64::INFINITY,
        }
    }

    /// What two variables say about each other, in nats.
    pub fn information(&self, answer: &Answer) -> f64 {
        self.test.information(&answer.outcome)
    }

    /// The tests so far.
    pub fn tally(&self) -> Tally {
        let mut tally = self.counters.tally(self.test.computed());
        tally += &self.earlier;
        tally
    }

    /// Whether the run was stopped, and how; its results are void then.
    pub fn stop_requested(&self) -> Option<Stop> {
        match self.stopped.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Stop::Cancel),
            _ => Some(Stop::Finish),
        }
    }

    /// An error once the run is stopped, because its results are void then.
    pub fn check_running(&self) -> crate::Result<()> {
        if self.stop_requested().is_some() { Err(crate::Error::Stopped) } else { Ok(()) }
    }

    /// Ends the run: from now on everything is independent.
    pub fn stop(&self, how: Stop) {
        let code = match how {
            Stop::Cancel => 1,
            Stop::Finish => 2,
        };
        self.stopped.store(code, Ordering::Relaxed);
    }

    /// Notes a test asked, and answers it if that takes no test.
    fn settled(&self, x: Var, y: Var, z: &[Var]) -> Option<(Outcome, Decision)> {
        let too_large = z.len() > self.max_conditioning;
        let stopped = if too_large { self.stop_requested().is_some() } else { self.count(z.len(), 1) };
        if stopped {
            Some(STOPPED)
        } else if !self.separable(x, y) {
            Some(REQUIRED)
        } else {
            too_large.then_some(UNASKED)
        }
    }

    /// Notes tests asked and now and then looks at the progress; says whether the run is stopped.
    fn count(&self, order: usize, tests: u64) -> bool {
        let before = self.counters.asked(order, tests);
        let strides = (before + tests) / self.stride - before / self.stride;
        let event = Event::TestsAsked { order, tests: strides * self.stride };
        if strides > 0 {
            self.report(event);
        }
        self.stop_requested().is_some()
    }

    fn answer(&self, x: Var, y: Var, z: &[Var], outcome: Outcome) -> Answer {
        Answer::new(x, outcome, self.meaning((x, y, z), self.alpha.verdict(&outcome)))
    }

    /// What a verdict on a question means, noting tests without power and what separates.
    fn meaning(&self, (x, y, z): (Var, Var, &[Var]), verdict: Verdict) -> Decision {
        if verdict == Verdict::NoPower {
            self.counters.without_power(1);
        }
        let decision = self.decision(verdict);
        if let (true, false, Some(recorder)) = (decision.separated, z.is_empty(), &self.recorder) {
            recorder.note(x, y, z, verdict != Verdict::NoPower);
        }
        decision
    }

    /// Whether X and Y are independent given nothing, if that is known without counting.
    fn independent_given_nothing(&self, x: Var, y: Var) -> Option<bool> {
        self.test.known_pair(x, y).map(|outcome| self.decision(self.alpha.verdict(&outcome)).separated)
    }

    /// Tells of an event; whoever is told may stop the run.
    pub fn report(&self, event: Event) {
        if self.stop_requested().is_none()
            && let ControlFlow::Break(how) = self.progress.report(event)
        {
            self.stop(how);
        }
    }

    fn decision(&self, verdict: Verdict) -> Decision {
        match (verdict, self.underpowered) {
            (Verdict::Dependent, _) => Decision::CONNECTED,
            (Verdict::Independent, _) | (Verdict::NoPower, Underpowered::Independent) => Decision::SEPARATED,
            (Verdict::NoPower, Underpowered::Skip) => Decision::NEITHER,
        }
    }
}

/// What is answered once the run is stopped: it ends every loop.
const STOPPED: (Outcome, Decision) = (Outcome::nothing_to_test(), Decision::SEPARATED);

/// What is answered about a required edge, whatever is given.
const REQUIRED: (Outcome, Decision) = (Outcome::certain(), Decision::CONNECTED);

/// What is answered about a conditioning set that is too large.
const UNASKED: (Outcome, Decision) = (Outcome::nothing_to_test(), Decision::NEITHER);
