//! Independence tests: is X independent of Y given Z?
//!
//! A [`CiTest`] answers with an [`Outcome`]; [`Independence`] turns outcomes into verdicts, and is the only
//! place where a p-value is compared with alpha. The tests on data ([`TestSettings::build`]) compute one of
//! several statistics from a table of counts:
//!
//! | name | statistic | degrees of freedom | power rule |
//! |---|---|---|---|
//! | `mi` | G², the mutual information times 2n | (R − 1)(C − 1)L of the declared levels | none |
//! | `mi-adf` | the same | adjusted: levels that do not occur in a slice do not count | 5 |
//! | `x2` | Pearson's X² | declared | none |
//! | `x2-adf` | the same | adjusted | 5 |
//! | `mi-sh` | G² of the table shrunk towards the uniform one | declared | none |
//! | `mc-mi` | G² | p from random tables with the same margins | none |
//! | `sp-mi` | G² | estimated from random tables with the same margins | none |
//!
//! The tests for continuous columns are `zf`, `cor` and `mi-g`, and those for tables of both kinds `dg` and
//! `cg`. They are computed from correlations, see [`moments`](crate::moments).
//!
//! Sums over cells are exact in effect (see [`NLogN`](crate::counts::NLogN)), so an outcome is the same to
//! the last bit for (X, Y) and (Y, X), for any order of Z, of levels and of rows, for any kernel and any
//! number of threads.

mod alpha;
mod chain_rule;
mod evidence;
mod g2;
mod gaussian;
mod independence;
mod oracle;
mod outcome;
mod pairs;
mod permutation;
mod recent;
mod report;
mod settings;
mod shrinkage;
mod student;
mod table_test;
pub mod tail;
mod tally;
mod x2;

pub use alpha::{Alpha, Verdict};
pub use evidence::{Evidence, Separation};
pub use independence::{Answer, Decision, Independence, Underpowered};
pub use oracle::Oracle;
pub use outcome::Outcome;
pub use pairs::Pairs;
pub use report::{TestReport, all_different};
pub use settings::{TestKind, TestSettings};
pub use tally::Tally;

pub use crate::counts::Sweep;
use crate::data::Var;
use smallvec::SmallVec;

/// A test of conditional independence.
///
/// X, Y and the members of Z are different variables. The order of X and Y and the order of Z do not matter.
pub trait CiTest: Sync {
    /// Tests X against Y given Z.
    fn test(&self, x: Var, y: Var, z: &[Var]) -> Outcome;

    /// Tests one target against many candidates given one set, which is the shape of most of the work.
    /// Appends an outcome for each candidate.
    fn sweep(&self, t: Var, xs: &[Var], z: &[Var], out: &mut Vec<Outcome>) {
        out.extend(xs.iter().map(|&x| self.test(x, t, z)));
    }

    /// Tests many sweeps. Questions that are open at the same time are asked together, so that tables fetched
    /// from elsewhere cost one round trip. Appends the outcomes in order.
    fn batch(&self, sweeps: &[Sweep<'_>], out: &mut Vec<Outcome>) {
        sweeps.iter().for_each(|s| self.sweep(s.target, s.candidates, s.given, out));
    }

    /// Announces that these questions, or some about subsets of their variables, will probably be asked; see
    /// [`Tables::foresee`](crate::counts::Tables::foresee).
    fn foresee(&self, sweeps: &[Sweep<'_>]) {
        _ = sweeps;
    }

    /// Announces that many questions about some of these variables will probably be asked; see
    /// [`Tables::foresee_among`](crate::counts::Tables::foresee_among).
    fn foresee_among(&self, vars: &[Var]) {
        _ = vars;
    }

    /// Announces questions about each of these candidates given the set and each of the others, the last first, until one
    /// separates it from the target.
    fn foresee_pairs(&self, pairs: Sweep<'_>) {
        given_each_other(pairs, |sweeps| self.foresee(sweeps));
    }

    /// The verdict alone. A test that can find it sooner than p does so here. The verdict is the one that its
    /// outcome would get.
    fn decide(&self, x: Var, y: Var, z: &[Var], alpha: &Alpha) -> Verdict {
        alpha.verdict(&self.test(x, y, z))
    }

    /// The outcome for X and Y given nothing, if it is known without counting.
    fn known_pair(&self, x: Var, y: Var) -> Option<Outcome> {
        _ = (x, y);
        None
    }

    /// Roughly the number of variables that depend on one given nothing, if that is known without counting; 0
    /// otherwise. No answer depends on it.
    fn likely_dependent(&self, t: Var) -> u32 {
        _ = t;
        0
    }

    /// An outcome that the one for X and Y given one variable cannot be weaker than, from those of X and Y, X and the
    /// variable, and Y and the variable, without counting; `None` if there is none.
    fn no_weaker_than(&self, x: Var, y: Var, given: Var, pairs: [Outcome; 3]) -> Option<Outcome> {
        _ = (x, y, given, pairs);
        None
    }

    /// The number of rows that a test is computed from; `None` if it does not use rows.
    fn rows(&self) -> Option<usize> {
        None
    }

    /// The information the two variables of an outcome have about each other, in nats: the statistic per row,
    /// which for tests by G² is the mutual information.
    fn information(&self, outcome: &Outcome) -> f64 {
        match self.rows() {
            Some(rows) => outcome.statistic / (2 * rows) as f64,
            None => outcome.statistic,
        }
    }

    /// The number of cells of the table of X, Y and Z.
    fn cells(&self, x: Var, y: Var, z: &[Var]) -> f64 {
        _ = (x, y, z);
        1.0
    }

    /// The number of tests computed so far, not counting pairs that were looked up. A figure of performance,
    /// not part of the answer.
    fn computed(&self) -> u64;
}

/// Shows the questions about all pairs of candidates: one of them against the target, given the set and the other.
fn given_each_other(pairs: Sweep<'_>, show: impl FnOnce(&[Sweep<'_>])) {
    let Sweep { target, candidates: xs, given } = pairs;
    let with = |&x: &Var| given.iter().copied().chain([x]).collect::<SmallVec<[Var; 4]>>();
    let given: Vec<SmallVec<[Var; 4]>> = xs.iter().map(with).collect();
    let sweep = |(i, given)| Sweep { target, candidates: &xs[i + 1..], given };
    show(&given.iter().map(|given| &given[..]).enumerate().map(sweep).collect::<Vec<_>>());
}

/// The test of a learner that asks no tests, so that none has to suit its table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NoTest;

impl CiTest for NoTest {
    fn test(&self, _: Var, _: Var, _: &[Var]) -> Outcome {
        unreachable!("a half that asks tests says so")
    }

    fn computed(&self) -> u64 {
        0
    }
}
