//! Where counts come from: the door between those who ask for tables and those who count rows.

use smallvec::SmallVec;

use super::counter::Counter;
use super::fold;
use super::nlogn::NLogN;
use super::table::Counts;
use super::terms::LogTerms;
use crate::data::{Var, Variable};

/// One target against many candidates given one set: the shape of most of the work.
///
/// For a test the question is "is each candidate independent of the target given the set"; for a score
/// "what is the target worth with the set and one candidate more as its parents". Both need the table
/// of each candidate, the target and the set. The variables are all different.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sweep<'a> {
    /// The target.
    pub target: Var,
    /// The candidates.
    pub candidates: &'a [Var],
    /// The set that is given.
    pub given: &'a [Var],
}

/// Answers questions with tables of counts, from any number of threads.
///
/// Tests and scores reach the rows through this trait alone and take the number of rows of a table from
/// the table, so they need not know whether every row is complete in its variables, whether a row counts
/// once or many times, or where the rows are. [`Counter`] counts the rows of a dataset in memory.
/// Questions that are open at the same time are asked together with [`batch`](Tables::batch), so that
/// tables that are put together elsewhere cost one round trip for all of them.
pub trait Tables: Send + Sync {
    /// The variables, in their canonical order.
    fn variables(&self) -> &[Variable];

    /// The number of rows, each as often as it stands for rows; a table may be of fewer, where values are missing.
    fn rows(&self) -> usize;

    /// Whether every table is of all rows.
    fn is_complete(&self) -> bool {
        true
    }

    /// Lets `look` see the table of X, Y and the configurations of Z.
    fn count(&self, x: Var, y: Var, z: &[Var], look: &mut dyn FnMut(&Counts));

    /// Lets `look` see the counts n_jk of a variable with its parents, and n_j of the parents alone;
    /// zeros included or not.
    fn family(&self, child: Var, parents: &[Var], look: &mut dyn FnMut(&[u32], &[u32]));

    /// Lets `look` see the counts of many families, one after the other.
    fn families(&self, families: &[(Var, &[Var])], look: &mut dyn FnMut(&[u32], &[u32])) {
        families.iter().for_each(|&(child, parents)| self.family(child, parents, look));
    }

    /// Says that these tables will probably be asked for, or tables of some of their variables. Whoever brings tables from
    /// elsewhere can bring them together then.
    fn foresee(&self, sweeps: &[Sweep<'_>]) {
        _ = sweeps;
    }

    /// Says that many tables of some of these variables will probably be asked for.
    fn foresee_among(&self, vars: &[Var]) {
        _ = vars;
    }

    /// Lets `look` see the table of each candidate of a sweep in turn, as X, with the target as Y.
    fn sweep(&self, sweep: Sweep<'_>, look: &mut dyn FnMut(&Counts));

    /// Lets `look` see the tables of many sweeps, one sweep after the other.
    fn batch(&self, sweeps: &[Sweep<'_>], look: &mut dyn FnMut(&Counts)) {
        sweeps.iter().for_each(|&sweep| self.sweep(sweep, look));
    }

    /// The sums of n·ln n over the table of X, Y and the configurations of Z.
    fn log_terms(&self, x: Var, y: Var, z: &[Var], f: &NLogN) -> LogTerms {
        let mut terms = LogTerms::default();
        self.count(x, y, z, &mut |counts| terms = LogTerms::of(counts, f));
        terms
    }

    /// Lets `look` see the sums for the tables of many sweeps, one sweep after the other.
    fn batch_log_terms(&self, sweeps: &[Sweep<'_>], f: &NLogN, look: &mut dyn FnMut(LogTerms)) {
        self.batch(sweeps, &mut |counts| look(LogTerms::of(counts, f)));
    }
}

impl Tables for Counter<'_> {
    fn variables(&self) -> &[Variable] {
        self.data().variables()
    }

    fn rows(&self) -> usize {
        self.data().total()
    }

    fn is_complete(&self) -> bool {
        self.data().is_complete()
    }

    fn count(&self, x: Var, y: Var, z: &[Var], look: &mut dyn FnMut(&Counts)) {
        self.folded_or_not([x, y], z, &[], |counter, [x, y], z, _| {
            Counter::count(counter, x, y, z, &mut *look);
        });
    }

    fn family(&self, child: Var, parents: &[Var], look: &mut dyn FnMut(&[u32], &[u32])) {
        self.stratify(child, parents, |strata| {
            let (joint, parents) = strata.margins();
            look(joint, parents);
        });
    }

    fn foresee_among(&self, vars: &[Var]) {
        fold::make(self, vars);
    }

    fn sweep(&self, Sweep { target, candidates, given }: Sweep<'_>, look: &mut dyn FnMut(&Counts)) {
        self.folded_or_not([target], given, candidates, |counter, [t], z, xs| {
            counter.stratify(t, z, |strata| xs.iter().for_each(|&x| look(strata.count(x))));
        });
    }

    fn log_terms(&self, x: Var, y: Var, z: &[Var], f: &NLogN) -> LogTerms {
        self.folded_or_not([x, y], z, &[], |counter, [x, y], z, _| counter.log_terms_of_rows(x, y, z, f))
    }

    fn batch_log_terms(&self, sweeps: &[Sweep<'_>], f: &NLogN, look: &mut dyn FnMut(LogTerms)) {
        for &Sweep { target, candidates, given } in sweeps {
            self.folded_or_not([target], given, candidates, |counter, [t], z, xs| {
                counter.stratify(t, z, |strata| xs.iter().for_each(|&x| look(strata.log_terms(x, f))));
            });
        }
    }
}

impl Counter<'_> {
    /// Answers a question about some variables, a set and candidates: from the fold at hand, if it has all of them, or from
    /// the rows.
    fn folded_or_not<const N: usize, T>(
        &self,
        vars: [Var; N],
        z: &[Var],
        xs: &[Var],
        mut answer: impl FnMut(&Counter<'_>, [Var; N], &[Var], &[Var]) -> T,
    ) -> T {
        let all = vars.iter().chain(z).chain(xs).copied();
        let folded = fold::answer(self, all, |counter, place| {
            let places = |vars: &[Var]| vars.iter().map(|&v| place(v)).collect::<SmallVec<[Var; 16]>>();
            answer(counter, vars.map(place), &places(z), &places(xs))
        });
        folded.unwrap_or_else(|| answer(self, vars, z, xs))
    }
}
