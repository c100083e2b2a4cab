//! The tests of order 0, computed once for each pair.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::CiTest;
use super::alpha::{Alpha, Verdict};
use super::outcome::Outcome;
use crate::counts::Sweep;
use crate::data::Var;
use crate::error::{Error, Result};
use crate::parallel;
use crate::progress::{Event, Progress};
use crate::text::count;

/// The number of places at which threads begin.
const FAR_APART: usize = 16;

/// The number of pairs tested between two reports of progress.
const BETWEEN_LOOKS: usize = 256;

/// A test whose outcomes without conditioning variables are computed in advance, once for each pair.
///
/// Every target of a local learner asks for all of them, and its neighbours ask again.
pub struct Pairs<'a> {
    inner: &'a dyn CiTest,
    /// For each variable, the outcomes with the variables after it; empty if there are too many to keep.
    later: Vec<PairRow>,
    /// For each variable, the number of variables that probably depend on it; empty if there are too many to keep.
    dependent: Box<[AtomicU32]>,
}

/// The outcomes of a variable with those after it, in 16 bytes each, or 24 if they have an ln p.
struct PairRow {
    /// See [`Outcome::packed`].
    numbers: Box<[[f64; 2]]>,
    /// ln p of tests that do not use a chi-square distribution; empty if there are none.
    ln_p: Box<[f64]>,
}

impl PairRow {
    fn new(outcomes: &[Outcome]) -> PairRow {
        let own = outcomes.iter().any(|o| o.packed().1.is_some());
        let ln_p = outcomes.iter().filter(|_| own).map(|o| o.packed().1.unwrap_or(f64::NAN));
        PairRow { numbers: outcomes.iter().map(|o| o.packed().0).collect(), ln_p: ln_p.collect() }
    }

    fn get(&self, place: usize) -> Outcome {
        Outcome::unpacked(self.numbers[place], self.ln_p.get(place).copied())
    }
}

impl<'a> Pairs<'a> {
    /// Tests all pairs of `n` variables in parallel, or none of them if the outcomes need more than `room`
    /// bytes.
    ///
    /// Returns [`Error::Stopped`] if the run is stopped, and [`Error::Memory`] if the system does not have as much.
    pub fn new(inner: &'a dyn CiTest, n: usize, room: usize, progress: &dyn Progress) -> Result<Pairs<'a>> {
        let bytes = (n * n.saturating_sub(1) / 2).saturating_mul(size_of::<[f64; 2]>());
        let variables = if bytes <= room { n } else { 0 };
        if variables > 0 {
            let what = || format!("the tests of all pairs of {}", count(n, "variable"));
            Error::unless_memory(bytes as u128, what)?;
        }
        let stopped = AtomicBool::new(false);
        let dependent: Box<[AtomicU32]> = (0..variables).map(|_| AtomicU32::new(0)).collect();
        // Threads begin far from each other: at the same place they would wait for each other to prepare the next column.
        let far = variables.div_ceil(FAR_APART);
        let order: Vec<usize> = (0..far).flat_map(|x| (x..variables).step_by(far)).collect();
        let rows = parallel::map_each(&order, |&x| {
            let later: Vec<Var> = (x + 1..n).map(Var::new).collect();
            let mut outcomes = Vec::with_capacity(later.len());
            for part in later.chunks(BETWEEN_LOOKS) {
                // These tests have not been asked yet; they are counted when they are.
                let event = Event::TestsAsked { order: 0, tests: 0 };
                if stopped.load(Ordering::Relaxed) || progress.report(event).is_break() {
                    stopped.store(true, Ordering::Relaxed);
                    break;
                }
                inner.sweep(Var::new(x), part, &[], &mut outcomes);
            }
            let both = later.iter().zip(&outcomes).filter(|(_, outcome)| probably_dependent(outcome));
            for v in both.flat_map(|(y, _)| [x, y.index()]) {
                dependent[v].fetch_add(1, Ordering::Relaxed);
            }
            PairRow::new(&outcomes)
        });
        let mut later: Vec<(usize, PairRow)> = order.into_iter().zip(rows).collect();
        later.sort_unstable_by_key(|(x, _)| *x);
        let later = later.into_iter().map(|(_, row)| row).collect();
        if stopped.into_inner() { Err(Error::Stopped) } else { Ok(Pairs { inner, later, dependent }) }
    }

    /// A test whose pairs are not computed in advance.
    pub fn none(inner: &'a dyn CiTest) -> Pairs<'a> {
        Pairs { inner, later: Vec::new(), dependent: Box::default() }
    }

    /// Whether the pairs show that X depends on Y given Z; `xy` is the outcome without Z.
    fn shown_dependent(&self, x: Var, y: Var, z: &[Var], xy: Outcome, alpha: &Alpha) -> bool {
        let &[z] = z else { return false };
        let (Some(xz), Some(yz)) = (self.known(x, z), self.known(y, z)) else { return false };
        let least = self.inner.no_weaker_than(x, y, z, [xy, xz, yz]);
        least.is_some_and(|least| alpha.verdict(&least) == Verdict::Dependent)
    }

    fn known(&self, x: Var, y: Var) -> Option<Outcome> {
        let (x, y) = (x.min(y).index(), x.max(y).index());
        Some(self.later.get(x)?.get(y - x - 1))
    }
}

/// Whether the statistic is more than two standard deviations above its mean, if it has a chi-square distribution.
fn probably_dependent(outcome: &Outcome) -> bool {
    let above = outcome.statistic - outcome.df;
    above > 0.0 && above * above > 8.0 * outcome.df
}

impl CiTest for Pairs<'_> {
    fn test(&self, x: Var, y: Var, z: &[Var]) -> Outcome {
        let known = if z.is_empty() { self.known(x, y) } else { None };
        known.unwrap_or_else(|| self.inner.test(x, y, z))
    }

    fn sweep(&self, t: Var, xs: &[Var], z: &[Var], out: &mut Vec<Outcome>) {
        if z.is_empty() && !self.later.is_empty() {
            out.extend(xs.iter().map(|&x| self.test(x, t, z)));
        } else {
            self.inner.sweep(t, xs, z, out);
        }
    }

    fn batch(&self, sweeps: &[Sweep<'_>], out: &mut Vec<Outcome>) {
        // Sweeps with an empty set are known; the others are asked together.
        let known = |s: &Sweep<'_>| s.given.is_empty() && !self.later.is_empty();
        if !sweeps.iter().any(known) {
            return self.inner.batch(sweeps, out);
        }
        sweeps.iter().for_each(|s| self.sweep(s.target, s.candidates, s.given, out));
    }

    fn foresee(&self, sweeps: &[Sweep<'_>]) {
        self.inner.foresee(sweeps);
    }

    fn foresee_pairs(&self, pairs: Sweep<'_>) {
        self.inner.foresee_pairs(pairs);
    }

    fn foresee_among(&self, vars: &[Var]) {
        self.inner.foresee_among(vars);
    }

    fn decide(&self, x: Var, y: Var, z: &[Var], alpha: &Alpha) -> Verdict {
        match self.known(x, y) {
            Some(outcome) if z.is_empty() => alpha.verdict(&outcome),
            Some(outcome) if self.shown_dependent(x, y, z, outcome, alpha) => Verdict::Dependent,
            _ => self.inner.decide(x, y, z, alpha),
        }
    }

    fn known_pair(&self, x: Var, y: Var) -> Option<Outcome> {
        self.known(x, y)
    }

    fn likely_dependent(&self, t: Var) -> u32 {
        self.dependent.get(t.index()).map_or(0, |known| known.load(Ordering::Relaxed))
    }

    fn no_weaker_than(&self, x: Var, y: Var, given: Var, pairs: [Outcome; 3]) -> Option<Outcome> {
        self.inner.no_weaker_than(x, y, given, pairs)
    }

    fn rows(&self) -> Option<usize> {
        self.inner.rows()
    }

    fn information(&self, outcome: &Outcome) -> f64 {
        self.inner.information(outcome)
    }

    fn cells(&self, x: Var, y: Var, z: &[Var]) -> f64 {
        self.inner.cells(x, y, z)
    }

    fn computed(&self) -> u64 {
        self.inner.computed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_comes_back_as_it_was() {
        let usual = [Outcome::chi_square(3.5, 2.0), Outcome::nothing_to_test(), Outcome::without_power(0.0)];
        let own =
            [Outcome::with_ln_p(3.5, 2.0, -1.5), Outcome::without_power(7.0), Outcome::chi_square(1.0, 1.0)];
        for outcomes in [usual, own] {
            let row = PairRow::new(&outcomes);
            assert_eq!([0, 1, 2].map(|place| row.get(place)), outcomes);
        }
        assert!(PairRow::new(&usual).ln_p.is_empty());
    }
}
