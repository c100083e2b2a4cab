//! Where counts come from: the interface between tests and scores, which ask for tables, and the counting of
//! rows.

use smallvec::SmallVec;

use super::counter::Counter;
use super::every_set::{Codes, every_set};
use super::fold;
use super::kept_tables::FEWEST_ROWS;
use super::nlogn::NLogN;
use super::set_counts::{CountsOfSet, LookAtSets};
use super::strata::configurations;
use super::table::Counts;
use super::terms::LogTerms;
use crate::data::{Column, Var, Variable};

/// With fewer possible configurations of a set, counting a few tables is faster than folding.
const FEWEST_CONFIGURATIONS: usize = 1 << 12;

/// One target and many candidates, given one set: the shape of most of the work.
///
/// A test asks whether each candidate is independent of the target given the set; a score asks for the score
/// of the target with the set and one more candidate as its parents. Both need the table of each candidate,
/// the target and the set. All variables are different.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sweep<'a> {
    /// The target.
    pub target: Var,
    /// The candidates.
    pub candidates: &'a [Var],
    /// The conditioning set.
    pub given: &'a [Var],
}

/// The value of a set of variables, from a number with a bit for each of them, the counts of the combinations that occur
/// several times, and the number of those that occur once.
pub type ValueOfSet<'a> = &'a (dyn Fn(u64, &[u32], usize) -> f64 + Sync);

/// Whether to go on. It is told how many sets were visited since it was last asked.
pub type GoOn<'a> = &'a (dyn Fn(u64) -> bool + Sync);

/// Answers questions with tables of counts, from any number of threads.
///
/// Tests and scores reach the rows only through this trait, and take the number of rows of a table from the
/// table. So they need not know which rows are complete in its variables, how the rows are weighted, or where
/// they are. [`Counter`] counts the rows of a dataset in memory. Questions that are open at the same time are
/// asked together with [`batch`](Tables::batch), so that tables fetched from elsewhere cost one round trip
/// for all of them.
pub trait Tables: Send + Sync {
    /// The variables, in their canonical order.
    fn variables(&self) -> &[Variable];

    /// The number of rows, each counted with its weight. If values are missing, a table may have fewer.
    fn rows(&self) -> usize;

    /// Whether every table counts all rows.
    fn is_complete(&self) -> bool {
        true
    }

    /// Passes `look` the table of X, Y and the configurations of Z.
    fn count(&self, x: Var, y: Var, z: &[Var], look: &mut dyn FnMut(&Counts));

    /// Passes `look` the counts n_jk of a variable with its parents, and n_j of the parents alone. Zeros may
    /// be left out.
    fn family(&self, child: Var, parents: &[Var], look: &mut dyn FnMut(&[u32], &[u32]));

    /// Passes `look` the counts of many families in turn.
    fn families(&self, families: &[(Var, &[Var])], look: &mut dyn FnMut(&[u32], &[u32])) {
        families.iter().for_each(|&(child, parents)| self.family(child, parents, look));
    }

    /// Announces that these tables, or tables of some of their variables, will probably be asked for. An
    /// implementation that fetches tables from elsewhere can fetch them together.
    fn foresee(&self, sweeps: &[Sweep<'_>]) {
        _ = sweeps;
    }

    /// Announces that many tables of some of these variables will probably be asked for.
    fn foresee_among(&self, vars: &[Var]) {
        _ = vars;
    }

    /// The value of every set of some variables, indexed by a number with a bit for each variable of the set,
    /// if all of them can be counted together; `None` as well if `go_on` said no.
    fn every_set(&self, vars: &[Var], value: ValueOfSet<'_>, go_on: GoOn<'_>) -> Option<Vec<f64>> {
        _ = (vars, value, go_on);
        None
    }

    /// Passes `look` the table of each candidate of a sweep in turn, with the candidate as X and the target
    /// as Y.
    fn sweep(&self, sweep: Sweep<'_>, look: &mut dyn FnMut(&Counts));

    /// Passes `look` the counts of each candidate of a sweep with the target and the set and, with `margins`, of the
    /// candidate with the set.
    fn sweep_sets(&self, sweep: Sweep<'_>, margins: bool, look: LookAtSets<'_>) {
        self.sweep(sweep, &mut |counts| {
            look(CountsOfSet::all(counts.xyz()), margins.then(|| CountsOfSet::all(counts.xz())));
        });
    }

    /// Passes `look` the tables of many sweeps, one sweep after another.
    fn batch(&self, sweeps: &[Sweep<'_>], look: &mut dyn FnMut(&Counts)) {
        sweeps.iter().for_each(|&sweep| self.sweep(sweep, look));
    }

    /// The sums of n·ln n over the table of X, Y and the configurations of Z.
    fn log_terms(&self, x: Var, y: Var, z: &[Var], f: &NLogN) -> LogTerms {
        let mut terms = LogTerms::default();
        self.count(x, y, z, &mut |counts| terms = LogTerms::of(counts, f));
        terms
    }

    /// Passes `look` the sums for the tables of many sweeps, one sweep after another, those of some candidates at a time.
    fn batch_log_terms(&self, sweeps: &[Sweep<'_>], f: &NLogN, look: &mut dyn FnMut(&[LogTerms])) {
        self.batch(sweeps, &mut |counts| look(&[LogTerms::of(counts, f)]));
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

    /// A single table is kept for other questions about its variables.
    fn foresee(&self, sweeps: &[Sweep<'_>]) {
        if let &[Sweep { target, candidates: &[x], given }] = sweeps {
            self.foresee_same(given.iter().copied().chain([target, x]));
        }
    }

    fn foresee_among(&self, vars: &[Var]) {
        fold::make(self, vars);
    }

    /// Rows with weights or gaps, and columns of more than 256 levels, are not counted together.
    fn every_set(&self, vars: &[Var], value: ValueOfSet<'_>, go_on: GoOn<'_>) -> Option<Vec<f64>> {
        let data = self.data();
        if !data.is_complete() || data.weights().is_some() || data.rows() == 0 || vars.len() < 2 {
            return None;
        }
        let codes = |&v: &Var| match data.column(v) {
            Column::Narrow(codes) => Some(Codes { codes, levels: data.cardinality(v) }),
            _ => None,
        };
        every_set(&vars.iter().map(codes).collect::<Option<Vec<_>>>()?, value, go_on)
    }

    fn sweep(&self, Sweep { target, candidates, given }: Sweep<'_>, look: &mut dyn FnMut(&Counts)) {
        self.folded_or_not([target], given, candidates, |counter, [t], z, xs| {
            counter.stratify_for(xs.len(), t, z, |strata| xs.iter().for_each(|&x| look(strata.count(x))));
        });
    }

    fn sweep_sets(
        &self,
        Sweep { target, candidates, given }: Sweep<'_>,
        margins: bool,
        look: LookAtSets<'_>,
    ) {
        self.folded_or_not([target], given, candidates, |counter, [t], z, xs| {
            counter.stratify_for(xs.len(), t, z, |strata| {
                strata.count_all_sets(xs, margins, look);
            });
        });
    }

    fn log_terms(&self, x: Var, y: Var, z: &[Var], f: &NLogN) -> LogTerms {
        self.ask_for(1);
        self.fold_again(x, y, z);
        self.folded_or_not([x, y], z, &[], |counter, [x, y], z, _| counter.log_terms_of_rows(x, y, z, f))
    }

    fn batch_log_terms(&self, sweeps: &[Sweep<'_>], f: &NLogN, look: &mut dyn FnMut(&[LogTerms])) {
        self.ask_for(sweeps.iter().map(|s| s.candidates.len()).sum());
        self.count_together(sweeps);
        for &Sweep { target, candidates, given } in sweeps {
            self.folded_or_not([target], given, candidates, |counter, [t], z, xs| {
                counter.stratify_for(xs.len(), t, z, |strata| look(strata.log_terms_of_all(xs, f)));
            });
        }
    }
}

impl Counter<'_> {
    /// Counts the tables of these sweeps that no fold answers ahead, if it is best to count them together.
    fn count_together(&self, sweeps: &[Sweep<'_>]) {
        if self.data().rows() < FEWEST_ROWS {
            return;
        }
        let unfolded = |s: &&Sweep<'_>| {
            !fold::has_all(self, s.candidates.iter().chain(s.given).chain([&s.target]).copied())
        };
        let open: SmallVec<[Sweep<'_>; 4]> = sweeps.iter().filter(unfolded).copied().collect();
        self.with_fewest_rows(|counter| counter.count_ahead(&open));
    }

    /// Folds the rows by the variables of a question, if others about the same variables will follow, it is about a fold,
    /// and its table is large.
    fn fold_again(&self, x: Var, y: Var, z: &[Var]) {
        let vars = z.iter().copied().chain([x, y]);
        if self.data().rows() >= FEWEST_ROWS
            && configurations(self, z) > FEWEST_CONFIGURATIONS
            && self.foresaw_same(x, y, z)
            && fold::has_all(self, vars.clone())
        {
            fold::make(self, &vars.collect::<SmallVec<[Var; 16]>>());
        }
    }

    /// Answers a question about some variables, a set and candidates, from the thread's fold if it has all of
    /// them and from the rows otherwise, or the distinct ones.
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
        folded.unwrap_or_else(|| self.with_fewest_rows(|counter| answer(counter, vars, z, xs)))
    }
}
