//! A price for each arc, for any score.

use super::Score;
use crate::counts::Sweep;
use crate::data::Var;

/// A score in which each arc costs the same, a price on the score's grid.
pub(super) struct Priced<S> {
    pub(super) score: S,
    pub(super) price: f64,
}

impl<S> Priced<S> {
    fn of(&self, parents: usize) -> f64 {
        self.price * parents as f64
    }
}

impl<S: Score> Score for Priced<S> {
    fn local(&self, child: Var, parents: &[Var]) -> f64 {
        self.score.local(child, parents) - self.of(parents.len())
    }

    fn locals(&self, families: &[(Var, &[Var])], out: &mut Vec<f64>) {
        let start = out.len();
        self.score.locals(families, out);
        let prices = families.iter().map(|(_, parents)| self.of(parents.len()));
        out[start..].iter_mut().zip(prices).for_each(|(value, price)| *value -= price);
    }

    fn sweep(&self, child: Var, parents: &[Var], candidates: &[Var], out: &mut Vec<f64>) {
        self.batch(&[Sweep { target: child, candidates, given: parents }], out);
    }

    fn batch(&self, sweeps: &[Sweep<'_>], out: &mut Vec<f64>) {
        let start = out.len();
        self.score.batch(sweeps, out);
        let prices = sweeps.iter().flat_map(|s| s.candidates.iter().map(|_| self.of(s.given.len() + 1)));
        out[start..].iter_mut().zip(prices).for_each(|(value, price)| *value -= price);
    }

    fn counted(&self, child: Var, parents: &[Var], candidates: &[Var], out: &mut Vec<(f64, u64)>) {
        let start = out.len();
        self.score.counted(child, parents, candidates, out);
        out[start..].iter_mut().for_each(|(value, _)| *value -= self.of(parents.len() + 1));
    }

    /// More parents cost more.
    fn ceiling(&self, child: Var, parents: &[Var], occurring: u64) -> f64 {
        self.score.ceiling(child, parents, occurring) - self.of(parents.len())
    }

    fn is_equivalent(&self) -> bool {
        self.score.is_equivalent()
    }
}
