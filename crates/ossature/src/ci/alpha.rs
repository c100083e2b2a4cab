//! The significance level, which turns a p-value into a verdict.

use super::outcome::Outcome;
use super::tail::CriticalValues;

/// The meaning of an outcome at a significance level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// p is at most alpha.
    Dependent,
    /// p is above alpha.
    Independent,
    /// There were too few rows for the power rule.
    NoPower,
}

/// A significance level, between 0 and 1.
#[derive(Debug)]
pub struct Alpha {
    critical: CriticalValues,
}

impl Alpha {
    /// A significance level.
    ///
    /// # Panics
    /// If it is not strictly between 0 and 1. Callers that get it from a user must check that first.
    pub fn new(alpha: f64) -> Alpha {
        assert!(alpha > 0.0 && alpha < 1.0, "alpha is between 0 and 1");
        Alpha { critical: CriticalValues::new(alpha) }
    }

    /// The level as a number.
    pub fn level(&self) -> f64 {
        self.critical.alpha()
    }

    /// Dependent if and only if p <= alpha. A chi-square statistic is compared with the critical value of its
    /// df, which is equivalent and cheaper than computing p.
    pub fn verdict(&self, outcome: &Outcome) -> Verdict {
        if !outcome.has_power {
            return Verdict::NoPower;
        }
        let dependent = match outcome.own_ln_p() {
            Some(ln_p) => self.critical.reached_by(ln_p),
            None => self.critical.dependent(outcome.statistic, outcome.df),
        };
        if dependent { Verdict::Dependent } else { Verdict::Independent }
    }

    /// The verdict on p multiplied by a factor, to correct for the number of tests.
    pub fn verdict_adjusted(&self, outcome: &Outcome, factor: f64) -> Verdict {
        match outcome.has_power {
            false => Verdict::NoPower,
            true if self.critical.reached_by(outcome.ln_p() + libm::log(factor)) => Verdict::Dependent,
            true => Verdict::Independent,
        }
    }

    /// The verdict of a permutation test before its end: `exceeding` of the `done` random tables reached the
    /// statistic, and p will be (1 + all that reach it) / (1 + `total`). `None` while it could still go
    /// either way.
    pub(super) fn settled(&self, exceeding: usize, done: usize, total: usize) -> Option<Verdict> {
        let reached = |b: usize| self.critical.reached_by(permutation_ln_p(b, total));
        if !reached(exceeding) {
            Some(Verdict::Independent)
        } else if reached(exceeding + total - done) {
            Some(Verdict::Dependent)
        } else {
            None
        }
    }
}

/// ln p of a permutation test. Never minus infinity, because the observed table counts as one of the tables.
pub(super) fn permutation_ln_p(exceeding: usize, total: usize) -> f64 {
    libm::log((1 + exceeding) as f64 / (1 + total) as f64)
}
