//! A test on data: a table of counts and a statistic of it.

use std::sync::Arc;

use crate::counts::{Counts, Sweep, Tables};
use crate::data::{Var, Variable};
use crate::sharded::Sharded;
use smallvec::SmallVec;

use super::CiTest;
use super::alpha::{Alpha, Verdict};
use super::outcome::Outcome;

/// What is asked: X against Y given Z, with the degrees of freedom of the declared levels.
#[derive(Debug, Clone, Copy)]
pub(super) struct TestQuestion<'a> {
    pub(super) x: Var,
    pub(super) y: Var,
    pub(super) z: &'a [Var],
    /// (R − 1)(C − 1)L.
    pub(super) declared_df: f64,
}

/// A statistic of a table of counts: pure in the table.
pub(super) trait Statistic: Sync {
    fn outcome(&self, counts: &Counts, question: &TestQuestion<'_>) -> Outcome;

    /// The verdict on the outcome, sooner if the statistic can.
    fn decide(&self, counts: &Counts, question: &TestQuestion<'_>, alpha: &Alpha) -> Verdict {
        alpha.verdict(&self.outcome(counts, question))
    }
}

/// A test on data. Made by [`TestSettings::build`](super::TestSettings::build).
pub(super) struct TableTest<'a> {
    tables: Arc<dyn Tables + 'a>,
    statistic: Box<dyn Statistic + Send>,
    power_rule: u32,
    count_without_power: bool,
    rows: u128,
    /// The declared levels of each variable.
    levels: Box<[u32]>,
    computed: Sharded<1>,
}

impl<'a> TableTest<'a> {
    pub(super) fn new(
        tables: Arc<dyn Tables + 'a>,
        statistic: Box<dyn Statistic + Send>,
        power_rule: u32,
        count_without_power: bool,
    ) -> TableTest<'a> {
        let (rows, levels) = (tables.rows() as u128, declared_levels(tables.variables()));
        let computed = Sharded::default();
        TableTest { tables, statistic, power_rule, count_without_power, rows, levels, computed }
    }

    /// n >= rule · R · C · L with the declared levels.
    fn has_power(&self, x: Var, t: Var, z: &[Var]) -> bool {
        let cells = z.iter().chain([&x, &t]).map(|&v| u128::from(self.levels[v.index()]));
        let needed = cells.fold(u128::from(self.power_rule), u128::saturating_mul);
        self.rows >= needed
    }

    fn question<'z>(&self, x: Var, y: Var, z: &'z [Var]) -> TestQuestion<'z> {
        let levels = |v: Var| f64::from(self.levels[v.index()]);
        let declared_df =
            (levels(x) - 1.0) * (levels(y) - 1.0) * z.iter().map(|&v| levels(v)).product::<f64>();
        TestQuestion { x, y, z, declared_df }
    }

    /// What a test without power says: the statistic counts as 0, the df is found only on request.
    fn powerless(&self, x: Var, t: Var, z: &[Var]) -> Outcome {
        if !self.count_without_power {
            return Outcome::without_power(0.0);
        }
        let question = self.question(x, t, z);
        self.look(x, t, z, |counts| Outcome::without_power(self.statistic.outcome(counts, &question).df))
    }

    /// What is to be seen in the table of X, Y and Z.
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
        let question = self.question(x, y, z);
        self.look(x, y, z, |counts| self.statistic.outcome(counts, &question))
    }

    fn sweep(&self, t: Var, xs: &[Var], z: &[Var], out: &mut Vec<Outcome>) {
        let sweep = Sweep { target: t, candidates: xs, given: z };
        if !xs.iter().all(|&x| self.has_power(x, t, z)) {
            return self.batch(&[sweep], out);
        }
        let mut questions = xs.iter().map(|&x| self.question(x, t, z));
        self.tables.sweep(sweep, &mut |counts| {
            let question = questions.next().expect("a table for each question");
            out.push(self.statistic.outcome(counts, &question));
        });
        self.computed.add(0, xs.len() as u64);
    }

    fn batch(&self, sweeps: &[Sweep<'_>], out: &mut Vec<Outcome>) {
        // Only a single test reports the df of a test without power, so a sweep does not count for those.
        let first = out.len();
        let mut with_power: Vec<Var> = Vec::new();
        let mut ends: SmallVec<[usize; 4]> = SmallVec::new();
        for &Sweep { target, candidates, given } in sweeps {
            for &x in candidates {
                let has_power = self.has_power(x, target, given);
                out.push(if has_power { Outcome::nothing_to_test() } else { Outcome::without_power(0.0) });
                with_power.extend(has_power.then_some(x));
            }
            ends.push(with_power.len());
        }
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let asked = |(&sweep, (start, &end))| Sweep { candidates: &with_power[start..end], ..sweep };
        let counted: SmallVec<[Sweep<'_>; 4]> = sweeps.iter().zip(starts.zip(&ends)).map(asked).collect();
        let mut questions =
            counted.iter().flat_map(|s| s.candidates.iter().map(|&x| self.question(x, s.target, s.given)));
        let mut open = out[first..].iter_mut().filter(|outcome| outcome.has_power);
        self.tables.batch(&counted, &mut |counts| {
            let question = questions.next().expect("a table for each question");
            *open.next().expect("a place for each outcome") = self.statistic.outcome(counts, &question);
        });
        self.computed.add(0, with_power.len() as u64);
    }

    fn decide(&self, x: Var, y: Var, z: &[Var], alpha: &Alpha) -> Verdict {
        if !self.has_power(x, y, z) {
            return Verdict::NoPower;
        }
        self.computed.add(0, 1);
        let question = self.question(x, y, z);
        self.look(x, y, z, |counts| self.statistic.decide(counts, &question, alpha))
    }

    fn computed(&self) -> u64 {
        self.computed.sums()[0]
    }
}
