//! A test on data: a table of counts and a statistic computed from it.

use std::sync::Arc;

use crate::counts::{Counts, LogTerms, Sweep, Tables};
use crate::data::{Var, Variable};
use crate::sharded::Sharded;
use smallvec::SmallVec;

use super::alpha::{Alpha, Verdict};
use super::chain_rule::no_weaker;
use super::g2::G2;
use super::outcome::Outcome;
use super::recent::{QuestionNumber, Recent};
use super::{CiTest, given_each_other};

/// Sweeps with more candidates than this, in all, do not keep their outcomes.
const WIDEST_KEPT: usize = 64;

/// So many candidates of pairs are worth a sweep, and their outcomes are kept until they are asked for.
const FIRST_OF_PAIRS: std::ops::Range<usize> = 8..512;

/// A question: X against Y given Z.
#[derive(Debug, Clone, Copy)]
pub(super) struct TestQuestion<'a> {
    pub(super) x: Var,
    pub(super) y: Var,
    pub(super) z: &'a [Var],
    /// The number of declared levels of each variable.
    pub(super) levels: &'a [u32],
}

impl TestQuestion<'_> {
    /// The degrees of freedom for the declared levels, (R − 1)(C − 1)L.
    pub(super) fn declared_df(&self) -> f64 {
        let levels = |v: Var| f64::from(self.levels[v.index()]);
        (levels(self.x) - 1.0) * (levels(self.y) - 1.0) * self.z.iter().map(|&v| levels(v)).product::<f64>()
    }

    fn number(&self) -> Option<QuestionNumber> {
        QuestionNumber::new(self.x, self.y, self.z)
    }
}

/// A statistic that depends only on a table of counts.
pub(super) trait Statistic: Sync {
    fn outcome(&self, counts: &Counts, question: &TestQuestion<'_>) -> Outcome;

    /// The statistic as G², if it needs only the sums of n·ln n.
    fn of_log_terms(&self) -> Option<&G2> {
        None
    }

    /// Whether the verdict can be found sooner than the outcome.
    fn can_decide_sooner(&self) -> bool {
        false
    }

    /// The verdict on the outcome, found sooner if possible.
    fn decide_sooner(&self, counts: &Counts, question: &TestQuestion<'_>, alpha: &Alpha) -> Verdict {
        alpha.verdict(&self.outcome(counts, question))
    }
}

/// A test on data. Made by [`TestSettings::build`](super::TestSettings::build).
pub(super) struct TableTest<'a> {
    tables: Arc<dyn Tables + 'a>,
    statistic: Box<dyn Statistic + Send>,
    power_rule: u32,
    count_without_power: bool,
    rows: u64,
    /// Whether a table may count fewer rows.
    has_gaps: bool,
    /// The number of declared levels of each variable.
    levels: Box<[u32]>,
    computed: Sharded<1>,
    recent: Recent,
}

impl<'a> TableTest<'a> {
    pub(super) fn new(
        tables: Arc<dyn Tables + 'a>,
        statistic: Box<dyn Statistic + Send>,
        power_rule: u32,
        count_without_power: bool,
    ) -> TableTest<'a> {
        let (rows, levels) = (tables.rows() as u64, declared_levels(tables.variables()));
        TableTest {
            has_gaps: !tables.is_complete(),
            tables,
            statistic,
            power_rule,
            count_without_power,
            rows,
            levels,
            computed: Sharded::default(),
            recent: Recent::new(),
        }
    }

    /// Whether n >= rule · R · C · L with the declared levels. If values are missing, the n of a table is
    /// known only once it is counted, and this is a first check with all rows.
    fn has_power(&self, x: Var, t: Var, z: &[Var]) -> bool {
        self.levels[x.index()] <= self.most_levels(t, z)
    }

    /// Whether a table has too few rows after all, because values are missing.
    fn lacks_power(&self, rows: u64, question: &TestQuestion<'_>) -> bool {
        self.has_gaps && {
            let levels = u64::from(self.levels[question.x.index()]);
            rows < self.needed(question.y, question.z).saturating_mul(levels)
        }
    }

    /// The outcome of a table with `rows` rows.
    fn judge(&self, rows: u64, question: &TestQuestion<'_>, outcome: impl FnOnce() -> Outcome) -> Outcome {
        match self.lacks_power(rows, question) {
            false => outcome(),
            true if !self.count_without_power => Outcome::without_power(0.0),
            true => Outcome::without_power(outcome().df),
        }
    }

    fn judge_counts(&self, counts: &Counts, question: &TestQuestion<'_>) -> Outcome {
        self.judge(counts.rows(), question, || self.statistic.outcome(counts, question))
    }

    fn judge_terms(&self, g2: &G2, terms: &LogTerms, question: &TestQuestion<'_>) -> Outcome {
        self.judge(terms.rows, question, || g2.outcome_of(terms, question))
    }

    /// The number of rows needed for each level of a candidate: rule · C · L.
    fn needed(&self, t: Var, z: &[Var]) -> u64 {
        let times = |cells: u64, v: &Var| cells.saturating_mul(u64::from(self.levels[v.index()]));
        z.iter().fold(times(u64::from(self.power_rule), &t), times)
    }

    /// The most levels that a candidate may have for the rows to be enough.
    fn most_levels(&self, t: Var, z: &[Var]) -> u32 {
        let most = self.rows.checked_div(self.needed(t, z)).unwrap_or(u64::MAX);
        u32::try_from(most).unwrap_or(u32::MAX)
    }

    fn question<'q>(&'q self, x: Var, y: Var, z: &'q [Var]) -> TestQuestion<'q> {
        TestQuestion { x, y, z, levels: &self.levels }
    }

    /// The outcome of a test without power: the statistic is 0, and the df is computed only on request.
    fn powerless(&self, x: Var, t: Var, z: &[Var]) -> Outcome {
        if !self.count_without_power {
            return Outcome::without_power(0.0);
        }
        let question = self.question(x, t, z);
        self.look(x, t, z, |counts| Outcome::without_power(self.statistic.outcome(counts, &question).df))
    }

    /// Counts sweeps of which no outcome is known and appends their outcomes; remembers them if `keep` is
    /// set.
    fn count(&self, sweeps: &[Sweep<'_>], keep: bool, out: &mut Vec<Outcome>) {
        let mut questions =
            sweeps.iter().flat_map(|s| s.candidates.iter().map(|&x| self.question(x, s.target, s.given)));
        let mut next = || questions.next().expect("a table for each question");
        let mut put = |question: &TestQuestion<'_>, outcome: Outcome| {
            if keep {
                question.number().inspect(|&number| self.recent.put(number, outcome));
            }
            out.push(outcome);
        };
        match self.statistic.of_log_terms() {
            Some(g2) => self.tables.batch_log_terms(sweeps, &g2.f, &mut |some| {
                for terms in some {
                    let question = next();
                    put(&question, self.judge_terms(g2, terms, &question));
                }
            }),
            None => self.tables.batch(sweeps, &mut |counts| {
                let question = next();
                put(&question, self.judge_counts(counts, &question));
            }),
        }
    }

    /// Does this for sweeps of which some outcomes are known.
    fn count_open(
        &self,
        sweeps: &[Sweep<'_>],
        known: &[Option<Outcome>],
        keep: bool,
        out: &mut Vec<Outcome>,
    ) {
        let all = sweeps.iter().flat_map(|s| s.candidates).zip(known);
        let open: SmallVec<[Var; 16]> = all.filter(|(_, known)| known.is_none()).map(|(&x, _)| x).collect();
        let (mut asked, mut at, mut seen) = (SmallVec::<[Sweep<'_>; 4]>::new(), 0, 0);
        for s in sweeps {
            let here = known[seen..seen + s.candidates.len()].iter().filter(|o| o.is_none()).count();
            if here > 0 {
                asked.push(Sweep { candidates: &open[at..at + here], ..*s });
            }
            (at, seen) = (at + here, seen + s.candidates.len());
        }
        let start = out.len();
        self.count(&asked, keep, out);
        // Those counted move to their places, the last first, and the others come between them.
        let mut counted = out.len();
        out.resize(start + known.len(), Outcome::nothing_to_test());
        for (i, known) in known.iter().enumerate().rev() {
            out[start + i] = known.unwrap_or_else(|| {
                counted -= 1;
                out[counted]
            });
        }
    }

    /// Appends the outcomes of sweeps; looks for them among the recent ones and remembers them if `keep` is set. Returns
    /// the number of tests with power.
    fn answer(&self, sweeps: &[Sweep<'_>], keep: bool, out: &mut Vec<Outcome>) -> u64 {
        let with_power = |s: &Sweep<'_>| {
            let most = self.most_levels(s.target, s.given);
            move |x: &Var| self.levels[x.index()] <= most
        };
        if !keep && sweeps.iter().all(|s| s.candidates.iter().all(with_power(s))) {
            self.count(sweeps, keep, out);
            return sweeps.iter().map(|s| s.candidates.len() as u64).sum();
        }
        let mut known: SmallVec<[Option<Outcome>; 16]> = SmallVec::new();
        let mut without_power = 0;
        for s in sweeps {
            let has_power = with_power(s);
            known.extend(s.candidates.iter().map(|x| {
                if has_power(x) {
                    let number = if keep { QuestionNumber::new(*x, s.target, s.given) } else { None };
                    return number.and_then(|number| self.recent.get(number));
                }
                // Only a single test reports the df of a test without power.
                without_power += 1;
                Some(Outcome::without_power(0.0))
            }));
        }
        match known.iter().all(Option::is_none) {
            true => self.count(sweeps, keep, out),
            false => self.count_open(sweeps, &known, keep, out),
        }
        known.len() as u64 - without_power
    }

    /// Of these pairs, tests all candidates given the last of them at once: each of them will be asked about, and
    /// the outcomes are kept until then.
    fn answer_first(&self, pairs: Sweep<'_>) {
        let Some((last, candidates)) = pairs.candidates.split_last() else { return };
        if FIRST_OF_PAIRS.contains(&candidates.len()) && self.statistic.of_log_terms().is_some() {
            let given: SmallVec<[Var; 8]> = pairs.given.iter().copied().chain([*last]).collect();
            let sweep = Sweep { candidates, given: &given, ..pairs };
            self.answer(&[sweep], true, &mut Vec::with_capacity(candidates.len()));
        }
    }

    /// The outcome of a question with power.
    fn outcome(&self, x: Var, y: Var, z: &[Var]) -> Outcome {
        let number = QuestionNumber::new(x, y, z);
        number
            .and_then(|number| self.recent.get(number))
            .unwrap_or_else(|| self.outcome_of_rows(x, y, z, number))
    }

    /// The outcome of a question with power that is not kept; it is from now on.
    fn outcome_of_rows(&self, x: Var, y: Var, z: &[Var], number: Option<QuestionNumber>) -> Outcome {
        let question = self.question(x, y, z);
        let outcome = match self.statistic.of_log_terms() {
            Some(g2) => self.judge_terms(g2, &self.tables.log_terms(x, y, z, &g2.f), &question),
            None => self.look(x, y, z, |counts| self.judge_counts(counts, &question)),
        };
        number.inspect(|&number| self.recent.put(number, outcome));
        outcome
    }

    /// The precision of the terms n·ln n, if the statistic is G² of the same rows for any variables.
    fn unit_of_chain_rule(&self) -> Option<f64> {
        self.statistic.of_log_terms().filter(|_| !self.has_gaps).map(|g2| g2.f.to_f64(1))
    }

    /// Whether outcomes given all members of Z but one, as far as they are still kept, show that X depends on Y given Z.
    fn shown_dependent(&self, x: Var, y: Var, z: &[Var], alpha: &Alpha) -> bool {
        let Some(unit) = self.unit_of_chain_rule().filter(|_| z.len() >= 2) else { return false };
        z.iter().rev().any(|&member| {
            let others: SmallVec<[Var; 8]> = z.iter().copied().filter(|&v| v != member).collect();
            let statistic = |x, y| Some(self.recent.get(QuestionNumber::new(x, y, &others)?)?.statistic);
            let Some(xy) = statistic(x, y) else { return false };
            let with_member = [statistic(x, member), statistic(y, member)];
            let least = no_weaker(xy, with_member, self.question(x, y, z).declared_df(), unit);
            least.is_some_and(|least| alpha.verdict(&least) == Verdict::Dependent)
        })
    }

    /// What `see` returns for the table of X, Y and Z.
    fn look<T>(&self, x: Var, y: Var, z: &[Var], see: impl Fn(&Counts) -> T) -> T {
        let mut seen = None;
        self.tables.count(x, y, z, &mut |counts| seen = Some(see(counts)));
        seen.expect("a table is shown")
    }
}

/// The number of declared levels of each variable.
pub(super) fn declared_levels(variables: &[Variable]) -> Box<[u32]> {
    variables.iter().map(|v| v.cardinality() as u32).collect()
}

impl CiTest for TableTest<'_> {
    fn test(&self, x: Var, y: Var, z: &[Var]) -> Outcome {
        if !self.has_power(x, y, z) {
            return self.powerless(x, y, z);
        }
        self.computed.add(0, 1);
        self.outcome(x, y, z)
    }

    fn sweep(&self, t: Var, xs: &[Var], z: &[Var], out: &mut Vec<Outcome>) {
        self.batch(&[Sweep { target: t, candidates: xs, given: z }], out);
    }

    fn batch(&self, sweeps: &[Sweep<'_>], out: &mut Vec<Outcome>) {
        // Outcomes of wide sweeps would replace all others, and are seldom asked for again.
        let keep = sweeps.iter().map(|s| s.candidates.len()).sum::<usize>() <= WIDEST_KEPT;
        self.computed.add(0, self.answer(sweeps, keep, out));
    }

    fn foresee(&self, sweeps: &[Sweep<'_>]) {
        self.tables.foresee(sweeps);
    }

    fn foresee_pairs(&self, pairs: Sweep<'_>) {
        given_each_other(pairs, |sweeps| self.tables.foresee(sweeps));
        self.answer_first(pairs);
    }

    fn foresee_among(&self, vars: &[Var]) {
        self.tables.foresee_among(vars);
    }

    fn decide(&self, x: Var, y: Var, z: &[Var], alpha: &Alpha) -> Verdict {
        if !self.has_power(x, y, z) {
            return Verdict::NoPower;
        }
        self.computed.add(0, 1);
        if self.statistic.can_decide_sooner() {
            let question = self.question(x, y, z);
            return self.look(x, y, z, |counts| match self.lacks_power(counts.rows(), &question) {
                false => self.statistic.decide_sooner(counts, &question, alpha),
                true => Verdict::NoPower,
            });
        }
        let number = QuestionNumber::new(x, y, z);
        let known = number.and_then(|number| self.recent.get(number));
        if known.is_none() && self.shown_dependent(x, y, z, alpha) {
            return Verdict::Dependent;
        }
        alpha.verdict(&known.unwrap_or_else(|| self.outcome_of_rows(x, y, z, number)))
    }

    fn no_weaker_than(&self, x: Var, y: Var, given: Var, pairs: [Outcome; 3]) -> Option<Outcome> {
        let unit = self.unit_of_chain_rule().filter(|_| self.has_power(x, y, &[given]))?;
        let [xy, xz, yz] = pairs.map(|outcome| outcome.statistic);
        no_weaker(xy, [Some(xz), Some(yz)], self.question(x, y, &[given]).declared_df(), unit)
    }

    fn rows(&self) -> Option<usize> {
        usize::try_from(self.rows).ok()
    }

    fn cells(&self, x: Var, y: Var, z: &[Var]) -> f64 {
        z.iter().chain([&x, &y]).map(|&v| f64::from(self.levels[v.index()])).product()
    }

    fn computed(&self) -> u64 {
        self.computed.sums()[0]
    }
}
