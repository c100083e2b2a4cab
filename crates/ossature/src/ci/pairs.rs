//! The tests of order 0, made once for each pair.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::CiTest;
use super::alpha::{Alpha, Verdict};
use super::outcome::Outcome;
use crate::counts::Sweep;
use crate::data::Var;
use crate::error::{Error, Result};
use crate::progress::{Event, Progress};

/// Tables of more outcomes than this are not kept: 64 MB.
const MOST: usize = (64 << 20) / size_of::<Outcome>();

/// Pairs that are tested between two looks at the progress.
const BETWEEN_LOOKS: usize = 256;

/// A test whose outcomes without conditioning variables are computed beforehand, once for each pair.
///
/// Every target of a local learner asks for all of them, and its neighbours ask again.
pub struct Pairs<'a> {
    inner: &'a dyn CiTest,
    n: usize,
    /// The outcome of (x, y) with x < y; empty when there are too many to keep.
    outcomes: Vec<Outcome>,
}

impl<'a> Pairs<'a> {
    /// Tests all pairs of `n` variables, in parallel; or none of them, if there are too many to keep.
    ///
    /// A run that is stopped returns [`Error::Stopped`].
    pub fn new(inner: &'a dyn CiTest, n: usize, progress: &dyn Progress) -> Result<Pairs<'a>> {
        let pairs = n * n.saturating_sub(1) / 2;
        let targets = if pairs <= MOST { 0..n } else { 0..0 };
        let stopped = AtomicBool::new(false);
        let outcomes = targets
            .into_par_iter()
            .flat_map_iter(|x| {
                let later: Vec<Var> = (x + 1..n).map(Var::new).collect();
                let mut outcomes = Vec::with_capacity(later.len());
                for part in later.chunks(BETWEEN_LOOKS) {
                    // Nobody has asked for these yet: they are counted when somebody does.
                    let event = Event::TestsAsked { order: 0, tests: 0 };
                    if stopped.load(Ordering::Relaxed) || progress.report(event).is_break() {
                        stopped.store(true, Ordering::Relaxed);
                        break;
                    }
                    inner.sweep(Var::new(x), part, &[], &mut outcomes);
                }
                outcomes
            })
            .collect();
        if stopped.into_inner() { Err(Error::Stopped) } else { Ok(Pairs { inner, n, outcomes }) }
    }

    /// A test without such a table.
    pub fn none(inner: &'a dyn CiTest) -> Pairs<'a> {
        Pairs { inner, n: 0, outcomes: Vec::new() }
    }

    fn known(&self, x: Var, y: Var) -> Option<&Outcome> {
        if self.outcomes.is_empty() {
            return None;
        }
        let (x, y) = (x.min(y).index(), x.max(y).index());
        // Before the pairs of x come those of the variables before it.
        self.outcomes.get(x * (2 * self.n - x - 1) / 2 + y - x - 1)
    }
}

impl CiTest for Pairs<'_> {
    fn test(&self, x: Var, y: Var, z: &[Var]) -> Outcome {
        match self.known(x, y) {
            Some(outcome) if z.is_empty() => *outcome,
            _ => self.inner.test(x, y, z),
        }
    }

    fn sweep(&self, t: Var, xs: &[Var], z: &[Var], out: &mut Vec<Outcome>) {
        if z.is_empty() && !self.outcomes.is_empty() {
            out.extend(xs.iter().map(|&x| self.test(x, t, z)));
        } else {
            self.inner.sweep(t, xs, z, out);
        }
    }

    fn batch(&self, sweeps: &[Sweep<'_>], out: &mut Vec<Outcome>) {
        // Sweeps given nothing are known; the others are asked together.
        let known = |s: &Sweep<'_>| s.given.is_empty() && !self.outcomes.is_empty();
        if !sweeps.iter().any(known) {
            return self.inner.batch(sweeps, out);
        }
        sweeps.iter().for_each(|s| self.sweep(s.target, s.candidates, s.given, out));
    }

    fn decide(&self, x: Var, y: Var, z: &[Var], alpha: &Alpha) -> Verdict {
        match self.known(x, y) {
            Some(outcome) if z.is_empty() => alpha.verdict(outcome),
            _ => self.inner.decide(x, y, z, alpha),
        }
    }

    fn known_pair(&self, x: Var, y: Var) -> Option<Outcome> {
        self.known(x, y).copied()
    }

    fn rows(&self) -> Option<usize> {
        self.inner.rows()
    }

    fn cells(&self, x: Var, y: Var, z: &[Var]) -> f64 {
        self.inner.cells(x, y, z)
    }

    fn computed(&self) -> u64 {
        self.inner.computed()
    }
}
