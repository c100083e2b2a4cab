//! A test on data: a table of counts and a statistic of it.

use crate::counts::{Counter, Counts};
use crate::data::{Dataset, Var};
use crate::sharded::Sharded;

use super::CiTest;
use super::alpha::{Alpha, Verdict};
use super::outcome::Outcome;

/// What is asked: X against Y given Z, with the degrees of freedom of the declared levels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) x: Var,
    pub(super) y: Var,
    pub(super) z: &'a [Var],
    /// (R − 1)(C − 1)L.
    pub(super) declared_df: f64,
}

/// A statistic of a table of counts: pure in the table.
pub(super) trait Statistic: Sync {
    fn outcome(&self, counts: &Counts, question: &Question<'_>) -> Outcome;

    /// The verdict on the outcome, sooner if the statistic can.
    fn decide(&self, counts: &Counts, question: &Question<'_>, alpha: &Alpha) -> Verdict {
        alpha.verdict(&self.outcome(counts, question))
    }
}

/// A test on data. Made by [`TestSettings::build`](super::TestSettings::build).
pub struct TableTest<'a> {
    counter: Counter<'a>,
    statistic: Box<dyn Statistic + Send + 'a>,
    power_rule: u32,
    count_without_power: bool,
    computed: Sharded<1>,
}

impl<'a> TableTest<'a> {
    pub(super) fn new(
        counter: Counter<'a>,
        statistic: Box<dyn Statistic + Send + 'a>,
        power_rule: u32,
        count_without_power: bool,
    ) -> TableTest<'a> {
        TableTest { counter, statistic, power_rule, count_without_power, computed: Sharded::default() }
    }

    fn data(&self) -> &'a Dataset {
        self.counter.data()
    }

    /// n >= rule · R · C · L with the declared levels.
    fn has_power(&self, x: Var, t: Var, z: &[Var]) -> bool {
        let cells = z.iter().chain([&x, &t]).map(|&v| self.data().cardinality(v) as u128);
        let needed = cells.fold(u128::from(self.power_rule), u128::saturating_mul);
        self.data().rows() as u128 >= needed
    }

    fn question<'z>(&self, x: Var, y: Var, z: &'z [Var]) -> Question<'z> {
        let levels = |v: Var| self.data().cardinality(v) as f64;
        let declared_df =
            (levels(x) - 1.0) * (levels(y) - 1.0) * z.iter().map(|&v| levels(v)).product::<f64>();
        Question { x, y, z, declared_df }
    }

    /// What a test without power says: the statistic counts as 0, the df is found only on request.
    fn powerless(&self, x: Var, t: Var, z: &[Var]) -> Outcome {
        if !self.count_without_power {
            return Outcome::without_power(0.0);
        }
        let question = self.question(x, t, z);
        self.counter
            .count(x, t, z, |counts| Outcome::without_power(self.statistic.outcome(counts, &question).df))
    }
}

impl CiTest for TableTest<'_> {
    fn test(&self, x: Var, y: Var, z: &[Var]) -> Outcome {
        if !self.has_power(x, y, z) {
            return self.powerless(x, y, z);
        }
        self.computed.add(0, 1);
        let question = self.question(x, y, z);
        self.counter.count(x, y, z, |counts| self.statistic.outcome(counts, &question))
    }

    fn sweep(&self, t: Var, xs: &[Var], z: &[Var], out: &mut Vec<Outcome>) {
        let mut computed = 0;
        self.counter.stratify(t, z, |strata| {
            out.extend(xs.iter().map(|&x| {
                if !self.has_power(x, t, z) {
                    // Only a single test reports the df of a test without power.
                    return Outcome::without_power(0.0);
                }
                computed += 1;
                self.statistic.outcome(strata.count(x), &self.question(x, t, z))
            }));
        });
        self.computed.add(0, computed);
    }

    fn decide(&self, x: Var, y: Var, z: &[Var], alpha: &Alpha) -> Verdict {
        if !self.has_power(x, y, z) {
            return Verdict::NoPower;
        }
        self.computed.add(0, 1);
        let question = self.question(x, y, z);
        self.counter.count(x, y, z, |counts| self.statistic.decide(counts, &question, alpha))
    }

    fn computed(&self) -> u64 {
        self.computed.sums()[0]
    }
}
