//! The one place where a p-value is compared with alpha.

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
/// [`Underpowered::Skip`], or for a question that may not be asked.
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
    /// The strength of its dependence on the target.
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

    /// Whether the question was answered. If not, the strength means nothing either.
    pub fn is_known(&self) -> bool {
        self.separated || self.connected
    }

    /// Orders answers by strength, the strongest last. Of two equally strong answers, the one about the
    /// variable that comes first is stronger.
    pub fn cmp_strength(&self, other: &Answer) -> std::cmp::Ordering {
        self.outcome.cmp_strength(&other.outcome).then_with(|| other.var.cmp(&self.var))
    }
}

/// Answers questions about independence with a test, a significance level and constraints, and counts them.
///
/// A required edge is never separated and counts as the strongest possible dependence, so the listings need
/// not treat it specially. Once the run is stopped, every question is answered "independent" without
/// counting, which ends every loop; the caller discards the result.
pub struct Independence<'a> {
    test: &'a dyn CiTest,
    alpha: Alpha,
    underpowered: Underpowered,
    constraints: Option<&'a Constraints>,
    max_conditioning: usize,
    progress: &'a dyn Progress,
    /// The number of tests a thread asks between two reports of progress.
    stride: u64,
    stopped: AtomicU8,
    counters: Counters,
    /// Tests that were asked elsewhere.
    earlier: Tally,
    /// Records the separating sets, if evidence is kept.
    recorder: Option<Recorder>,
}

impl<'a> Independence<'a> {
    /// Answers with a test at a significance level, strictly between 0 and 1.
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

    /// Sets the meaning of tests without power.
    #[must_use]
    pub fn underpowered(mut self, policy: Underpowered) -> Self {
        self.underpowered = policy;
        self
    }

    /// Sets the edges that are required or forbidden.
    #[must_use]
    pub fn constraints(mut self, constraints: &'a Constraints) -> Self {
        self.constraints = (!constraints.is_empty()).then_some(constraints);
        self
    }

    /// Limits the size of conditioning sets. A question about a larger set is not asked: it neither separates
    /// nor connects.
    #[must_use]
    pub fn limit_conditioning(mut self, max: Option<usize>) -> Self {
        self.max_conditioning = max.unwrap_or(usize::MAX);
        self
    }

    /// Reports progress to `progress`, which may also stop the run, each time a thread has asked
    /// `tests_between_looks` tests. Choose fewer for slow tests.
    #[must_use]
    pub fn progress(mut self, progress: &'a dyn Progress, tests_between_looks: u64) -> Self {
        self.progress = progress;
        self.stride = tests_between_looks.max(1);
        self
    }

    /// Continues after tests that were asked elsewhere, which count in the tally.
    #[must_use]
    pub fn after(mut self, earlier: Tally) -> Self {
        self.earlier = earlier;
        self
    }

    /// Keeps evidence: records each pair of `n` variables that a non-empty set separates.
    #[must_use]
    pub fn keep_evidence(mut self, n: usize) -> Self {
        let needs_no_set = |x, y| self.independent_given_nothing(x, y) == Some(true);
        let all_judged = n > 1 && self.test.known_pair(Var(0), Var(1)).is_some();
        self.recorder = Some(Recorder::new(n, all_judged, needs_no_set));
        self
    }

    /// Whether evidence is kept.
    pub fn keeps_evidence(&self) -> bool {
        self.recorder.is_some()
    }

    /// Takes the evidence of the pairs that `keep` accepts, recorded since the last call; empty if no
    /// evidence is kept. Pairs that are independent given nothing are left out.
    pub fn take_evidence(&self, keep: impl Fn(Var, Var) -> bool + Sync) -> Evidence {
        let needs_a_set = |x, y| {
            !self
                .independent_given_nothing(x, y)
                .unwrap_or_else(|| self.decision(self.test.decide(x, y, &[], &self.alpha)).separated)
        };
        let take = |recorder: &Recorder| recorder.take(|x, y| keep(x, y) && needs_a_set(x, y));
        self.recorder.as_ref().map(take).unwrap_or_default()
    }

    /// The size of the largest conditioning set that may be asked about.
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

    /// Sorts targets by the likely cost of learning their neighbourhoods, the largest first.
    pub fn largest_first(&self, targets: &mut [Var]) {
        targets.sort_by_cached_key(|&t| std::cmp::Reverse(self.test.likely_dependent(t)));
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

    /// Whether X depends on T given Y, and no less than `than` says, if the tests of pairs alone show it. The question is
    /// then asked, and answered; otherwise it is still to be asked.
    pub fn depends_no_less(&self, x: Var, t: Var, y: Var, than: &Answer) -> bool {
        let pair = |x, y| self.test.known_pair(x, y);
        if self.max_conditioning == 0 || !self.separable(x, t) {
            return false;
        }
        let (Some(xt), Some(xy), Some(ty)) = (pair(x, t), pair(x, y), pair(t, y)) else { return false };
        let Some(least) = self.test.no_weaker_than(x, t, y, [xt, xy, ty]) else { return false };
        !than.outcome.stronger(&least)
            && self.alpha.verdict(&least) == Verdict::Dependent
            && !self.count(1, 1)
    }

    /// The answers about many candidates and one target given one set, in the order of the candidates.
    pub fn sweep(&self, t: Var, xs: &[Var], z: &[Var]) -> Vec<Answer> {
        let (mut answers, mut outcomes) = (Vec::with_capacity(xs.len()), Vec::with_capacity(xs.len()));
        // Split into parts, so that a very wide sweep can be stopped.
        for candidates in xs.chunks(usize::try_from(self.stride).unwrap_or(usize::MAX)) {
            self.part(&[Sweep { target: t, candidates, given: z }], &mut outcomes, |answer| {
                answers.push(answer);
            });
        }
        answers
    }

    /// The answers of many sweeps that are open at the same time, one sweep after another.
    pub fn batch(&self, sweeps: &[Sweep<'_>]) -> Vec<Answer> {
        let mut answers = Vec::with_capacity(sweeps.iter().map(|s| s.candidates.len()).sum());
        let mut outcomes = Vec::new();
        for part in self.parts(sweeps) {
            self.part(&part, &mut outcomes, |answer| answers.push(answer));
        }
        answers
    }

    /// Those answers of [`batch`](Independence::batch) that say dependent.
    pub fn connected_in(&self, sweeps: &[Sweep<'_>]) -> Vec<Answer> {
        let (mut connected, mut outcomes) = (Vec::new(), Vec::new());
        for part in self.parts(sweeps) {
            self.part(&part, &mut outcomes, |answer| {
                if answer.connected {
                    connected.push(answer);
                }
            });
        }
        connected
    }

    /// Announces that questions about these candidates will probably follow one by one, given this set or a
    /// subset. Nothing is asked, and no answer depends on it.
    pub fn foresee(&self, t: Var, xs: &[Var], z: &[Var]) {
        self.test.foresee(&[Sweep { target: t, candidates: xs, given: z }]);
    }

    /// Announces that many questions about some of these variables will probably follow, one by one.
    pub fn foresee_among(&self, vars: &VarSet) {
        self.test.foresee_among(vars.as_slice());
    }

    /// Announces questions about each of these candidates given a set and each of the others, the last first, until one
    /// separates it. Nothing is asked, and no answer depends on it.
    pub fn foresee_pairs(&self, t: Var, xs: &[Var], z: &[Var]) {
        if z.len() < self.max_conditioning {
            self.test.foresee_pairs(Sweep { target: t, candidates: xs, given: z });
        }
    }

    /// Asks some sweeps together, unless the run is stopped, and passes on the answers; `outcomes` is room for them.
    fn part(&self, sweeps: &[Sweep<'_>], outcomes: &mut Vec<Outcome>, mut take: impl FnMut(Answer)) {
        let may_ask = |s: &Sweep<'_>| s.given.len() <= self.max_conditioning;
        let mut stopped = self.stop_requested().is_some();
        for s in sweeps.iter().filter(|s| may_ask(s)) {
            stopped |= self.count(s.given.len(), s.candidates.len() as u64);
        }
        outcomes.clear();
        if stopped {
            let all = sweeps.iter().flat_map(|s| s.candidates);
            return all.for_each(|&x| take(Answer::new(x, STOPPED.0, STOPPED.1)));
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
                take(match outcome {
                    _ if !self.separable(x, s.target) => Answer::new(x, REQUIRED.0, REQUIRED.1),
                    Some(outcome) => self.answer(x, s.target, s.given, outcome),
                    None => Answer::new(x, UNASKED.0, UNASKED.1),
                });
            }
        }
    }

    /// Splits the questions into parts, so that a very large batch can be stopped between them.
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

    /// Whether a test could separate X from Y: not if their edge is required. Then there is no need to search
    /// for a separating set.
    pub fn separable(&self, x: Var, y: Var) -> bool {
        !self.constraints.is_some_and(|c| c.edge_required(x, y))
    }

    /// Whether X and Y may not be adjacent, regardless of the tests. They may still be spouses, and either
    /// may be in a conditioning set.
    pub fn edge_forbidden(&self, x: Var, y: Var) -> bool {
        self.constraints.is_some_and(|c| c.edge_forbidden(x, y))
    }

    /// The required arcs.
    pub fn required(&self) -> impl Iterator<Item = (Var, Var)> {
        self.constraints.into_iter().flat_map(|c| c.required().iter().copied())
    }

    /// The answer with p multiplied by a factor, to correct for the number of tests. An answer that is not
    /// known stays so.
    pub fn adjusted(&self, answer: &Answer, factor: f64) -> Answer {
        if !answer.is_known() {
            return *answer;
        }
        let verdict = self.alpha.verdict_adjusted(&answer.outcome, factor);
        Answer::new(answer.var, answer.outcome, self.decision(verdict))
    }

    /// The average number of rows in a cell of the table of X, Y and Z; infinite if the test has no rows.
    pub fn rows_per_cell(&self, x: Var, y: Var, z: &[Var]) -> f64 {
        match self.test.rows() {
            Some(rows) => rows as f64 / self.test.cells(x, y, z),
            None => f64::INFINITY,
        }
    }

    /// The information two variables have about each other, in nats.
    pub fn information(&self, answer: &Answer) -> f64 {
        self.test.information(&answer.outcome)
    }

    /// The tests so far.
    pub fn tally(&self) -> Tally {
        let mut tally = self.counters.tally(self.test.computed());
        tally += &self.earlier;
        tally
    }

    /// Whether and how the run was stopped. If it was, its results are void.
    pub fn stop_requested(&self) -> Option<Stop> {
        match self.stopped.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Stop::Cancel),
            _ => Some(Stop::Finish),
        }
    }

    /// An error if the run was stopped, because its results are void.
    pub fn check_running(&self) -> crate::Result<()> {
        if self.stop_requested().is_some() { Err(crate::Error::Stopped) } else { Ok(()) }
    }

    /// Stops the run: from now on every answer is "independent".
    pub fn stop(&self, how: Stop) {
        let code = match how {
            Stop::Cancel => 1,
            Stop::Finish => 2,
        };
        self.stopped.store(code, Ordering::Relaxed);
    }

    /// Counts one test asked, and answers it if no test is needed.
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

    /// Counts tests asked and reports progress from time to time. Returns whether the run is stopped.
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
        Answer::new(x, outcome, self.meaning((x, y, z), self.verdict((x, y, z), &outcome)))
    }

    /// The verdict on an outcome. That of a pair is known if all pairs were judged before.
    fn verdict(&self, (x, y, z): (Var, Var, &[Var]), outcome: &Outcome) -> Verdict {
        let judged = self.recorder.as_ref().filter(|_| z.is_empty() && outcome.has_power);
        match judged.and_then(|recorder| recorder.needs_a_set(x, y)) {
            Some(true) => Verdict::Dependent,
            Some(false) => Verdict::Independent,
            None => self.alpha.verdict(outcome),
        }
    }

    /// The meaning of a verdict on a question. Counts tests without power and records separations.
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

    /// Reports an event; the receiver may stop the run.
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

/// The answer once the run is stopped, which ends every loop.
const STOPPED: (Outcome, Decision) = (Outcome::nothing_to_test(), Decision::SEPARATED);

/// The answer about a required edge, given any set.
const REQUIRED: (Outcome, Decision) = (Outcome::certain(), Decision::CONNECTED);

/// The answer if the conditioning set is too large.
const UNASKED: (Outcome, Decision) = (Outcome::nothing_to_test(), Decision::NEITHER);
