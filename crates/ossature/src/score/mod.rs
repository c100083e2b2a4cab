//! Scores: how well a graph explains the data.
//!
//! A [`Score`] evaluates a variable with its parents; the score of a graph is the sum over its
//! nodes ([`total`]), and higher is better. A score on data ([`ScoreSettings::build`]) applies one
//! of several criteria to the counts of a family. With R the levels of the variable, q the product
//! of the parents' levels, j over parent configurations and k over levels:
//!
//! | name | value |
//! |---|---|
//! | `loglik` | Σ n_jk ln(n_jk / n_j) |
//! | `bic` | `loglik` − ½ ln(n) (R − 1) q |
//! | `aic` | `loglik` − (R − 1) q |
//! | `bdeu` | Σ_jk ln Γ(n_jk + a) / Γ(a) − Σ_j ln Γ(n_j + A) / Γ(A), a = iss / (R q), A = iss / q |
//! | `bds` | the same with q the number of parent configurations that occur |
//! | `k2` | the same with a = 1, A = R |
//! | `bdj` | the same with a = ½, A = R / 2 |
//! | `qnml` | `loglik` − C(n, R q) + C(n, q), C(n, K) the complexity of a distribution of K values |
//! | `pnal` | `loglik` / m − (R − 1) q / (n^¼ p), m the rows complete in the family, p the variables |
//! | `bdh` | a mixture of tables that shrink towards those of fewer parents, less 1.5 ln C(p − 1, k) |
//!
//! The scores for continuous columns are `loglik-g`, `bic-g` and `bge`, those for tables of both kinds
//! `bic-dg` and `bic-cg`. They are computed from correlations, see [`moments`](crate::moments).
//!
//! Every score but `bdh` can have a price per arc, and uses the declared levels or those that occur
//! ([`LevelsOf`]).
//!
//! `pnal` is for tables with missing values ([`ScoreKind::takes_gaps`]); the others need complete rows.
//!
//! Only configurations that occur are counted: the others contribute exactly 0.
//!
//! Values are exact in effect (deviation D2). `loglik`, `bic`, `aic` and `bdeu` are differences G(X ∪ Pa) −
//! G(Pa) of one function of a set of variables. Its terms are rounded once and added as integers, and its
//! values are on a grid coarse enough for the sums and differences of a whole network to be exact in double
//! precision. So graphs of one equivalence class have the same score to the last bit, and shuffling rows,
//! levels or parents changes no score.

mod backoff;
mod bounded;
mod configurations;
mod dirichlet;
mod excess;
mod expected;
mod gaussian;
mod grid;
mod hierarchical;
mod lanes;
mod likelihood;
mod log_gammas;
mod node_average;
mod priced;
mod qnml;
mod report;
mod rising;
mod settings;
mod table_score;

pub(crate) use backoff::Backoff;
pub use report::GraphScoreReport;
pub use settings::{LevelsOf, ScoreKind, ScoreSettings};

pub use crate::counts::{GoOn, Sweep};
use crate::data::Var;
use crate::graph::Dag;

/// A score that is a sum over the variables, each with its parents. Values are finite. If they have so few digits that their
/// sums are exact, as those of all scores here, a search is free of the order in which it adds them up, and ties are ties.
pub trait Score: Sync {
    /// The value of a variable with these parents, in any order.
    fn local(&self, child: Var, parents: &[Var]) -> f64;

    /// The values of many variables with their parents, computed together. Appends a value for
    /// each.
    fn locals(&self, families: &[(Var, &[Var])], out: &mut Vec<f64>) {
        out.extend(families.iter().map(|&(child, parents)| self.local(child, parents)));
    }

    /// The values of a variable with these parents and each candidate as one more, which is the
    /// form of most of the work. Appends a value for each candidate.
    fn sweep(&self, child: Var, parents: &[Var], candidates: &[Var], out: &mut Vec<f64>) {
        let mut more = parents.to_vec();
        out.extend(candidates.iter().map(|&candidate| {
            more.push(candidate);
            let value = self.local(child, &more);
            more.pop();
            value
        }));
    }

    /// A [`sweep`](Score::sweep) of which only values from the bar on are wanted: any other may be replaced by one that
    /// is lower.
    fn sweep_above(&self, child: Var, parents: &[Var], candidates: &[Var], bar: f64, out: &mut Vec<f64>) {
        _ = bar;
        self.sweep(child, parents, candidates, out);
    }

    /// Many sweeps together, so that tables from other machines are requested once. Appends the
    /// values in order.
    fn batch(&self, sweeps: &[Sweep<'_>], out: &mut Vec<f64>) {
        sweeps.iter().for_each(|s| self.sweep(s.target, s.given, s.candidates, out));
    }

    /// The values of a [`sweep`](Score::sweep), each with the number of combinations of the variable and
    /// its parents that occur; 0 if not known. Appends a pair for each candidate.
    fn counted(&self, child: Var, parents: &[Var], candidates: &[Var], out: &mut Vec<(f64, u64)>) {
        let mut values = Vec::with_capacity(candidates.len());
        self.sweep(child, parents, candidates, &mut values);
        out.extend(values.into_iter().map(|value| (value, 0)));
    }

    /// An upper bound on the value of the variable with these parents or any superset, if at least
    /// `occurring` combinations of it and these parents occur; infinite if none is known.
    fn ceiling(&self, child: Var, parents: &[Var], occurring: u64) -> f64 {
        _ = (child, parents, occurring);
        f64::INFINITY
    }

    /// The function of sets of variables behind the score, if there is one.
    fn sets(&self) -> Option<&dyn SetScore> {
        None
    }

    /// Another score, which decides between graphs that are nearly equal by this one.
    fn referee(&self) -> Option<&dyn Score> {
        None
    }

    /// Whether all graphs of an equivalence class have the same value, to the last bit.
    fn is_equivalent(&self) -> bool {
        false
    }
}

/// A function G of sets of variables such that the value of X with the parents P is G(X ∪ P) − G(P), to
/// the last bit. Families of the same set share its value, which saves counts.
pub trait SetScore: Sync {
    /// The value of a set.
    fn of_set(&self, set: &[Var]) -> f64;

    /// The values of the sets of the target, the given variables and one candidate, for each candidate;
    /// with `margins`, also those without the target. Appends a value for each candidate.
    fn of_sets(&self, sweep: Sweep<'_>, joint: &mut Vec<f64>, margins: Option<&mut Vec<f64>>);

    /// The value of every set of these variables, indexed by a number with a bit for each variable of the set,
    /// if all of them can be computed together; `None` as well if `go_on` said no.
    fn of_every_set(&self, vars: &[Var], go_on: GoOn<'_>) -> Option<Vec<f64>> {
        _ = (vars, go_on);
        None
    }
}

/// The score of a graph: the sum over its nodes.
///
/// ```
/// use ossature::score::{ScoreSettings, total};
/// use ossature::{Column, Dag, Dataset, Var, Variable};
///
/// let data = Dataset::new(vec![
///     (Variable::new("a", ["0", "1"])?, Column::from_codes([0, 0, 1, 1], 2)),
///     (Variable::new("b", ["0", "1"])?, Column::from_codes([0, 0, 1, 1], 2)),
/// ])?;
/// let bdeu = ScoreSettings::default().build(&data)?;
/// let (a, b) = (Var(0), Var(1));
/// let one = total(&*bdeu, &Dag::from_arcs(2, [(a, b)]).unwrap());
/// let other = total(&*bdeu, &Dag::from_arcs(2, [(b, a)]).unwrap());
/// assert_eq!(one, other); // to the last bit
/// assert!(one > total(&*bdeu, &Dag::empty(2)));
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn total(score: &dyn Score, dag: &Dag) -> f64 {
    by_node(score, dag).iter().sum()
}

/// The value of each node of a graph with its parents.
pub fn by_node(score: &dyn Score, dag: &Dag) -> Vec<f64> {
    let families: Vec<(Var, &[Var])> = dag.vars().map(|v| (v, dag.parents(v).as_slice())).collect();
    let mut values = Vec::with_capacity(families.len());
    score.locals(&families, &mut values);
    values
}
