//! DE-PCS: a superset of the parents and children, with at most one conditioning variable.

use rustc_hash::FxHashMap;

use crate::ci::{Answer, Independence};
use crate::data::{Var, VarSet};
use crate::word::Word;

/// For each variable found to be independent of the target, the separating set.
pub type DSep = FxHashMap<Var, VarSet>;

/// Which variables count as dependent in the first phase of DE-PCS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PhaseOne {
    /// Each test decides separately, as in the paper.
    #[default]
    Plain,
    /// As many as keep the expected proportion of false ones below alpha (Benjamini & Hochberg 1995).
    ///
    /// Of n variables, about alpha · n depend on a target by chance alone, and phase II asks about each pair
    /// of those. In a wide table that is most of the work, and it finds nothing.
    Fdr,
}

impl PhaseOne {
    /// The answers. With control of the false discovery rate, some that said dependent now say independent.
    fn judge(self, answers: Vec<Answer>, ind: &Independence<'_>) -> Vec<Answer> {
        if self == PhaseOne::Plain {
            return answers;
        }
        let m = answers.len() as f64;
        let mut strongest_first: Vec<usize> = (0..answers.len()).collect();
        strongest_first.sort_by(|&i, &j| answers[j].cmp_strength(&answers[i]));
        // The last one whose p is at most its share of alpha. All those ranked before it count as well.
        let within = |rank: usize, i: usize| ind.adjusted(&answers[i], m / (rank + 1) as f64).connected;
        let last = (0..answers.len()).rev().find(|&rank| within(rank, strongest_first[rank]));
        let mut judged = answers.clone();
        for &i in &strongest_first[last.map_or(0, |last| last + 1)..] {
            judged[i] = ind.adjusted(&answers[i], f64::INFINITY);
        }
        judged
    }
}

impl Word for PhaseOne {
    const WHAT: &'static str = "choice";
    const WORDS: &'static [(PhaseOne, &'static str, &'static str)] = &[
        (PhaseOne::Plain, "no", "Each test separately, as in the paper"),
        (PhaseOne::Fdr, "yes", "With control of the false discovery rate among all candidates of a target"),
    ];
}

/// Data-Efficient Parents and Children Superset.
///
/// Finds the variables that no other single variable separates from the target. The small conditioning sets
/// make the tests reliable; HPC removes the superfluous variables later.
///
/// # Requires, ensures
/// Any `u`. With faithful answers the result contains the parents and children of `t`, and `DSep`
/// has a separating set for every other variable of `u`.
///
/// # Cost
/// |U| tests of order 0, at most |PCS|² of order 1.
///
/// # Literature
/// Gasse, Aussem & Elghazel (2012), doi:10.1007/978-3-642-33460-3_9, Algorithm 1 line 1; printed in
/// Gasse, Aussem & Elghazel (2014), doi:10.1016/j.eswa.2014.04.032, Algorithm 3.
pub fn de_pcs(t: Var, u: &VarSet, phase_one: PhaseOne, ind: &Independence<'_>) -> (VarSet, DSep) {
    let mut d_sep = DSep::default();
    // Phase I: removes variables that are independent given nothing.
    let mut pcs: Vec<Answer> = Vec::new();
    for answer in phase_one.judge(ind.sweep(t, u.without(t).as_slice(), &[]), ind) {
        // If a test of two variables has no power, no test given other variables has. Such a variable cannot
        // become a neighbour, even if it does not count as independent.
        if answer.connected {
            pcs.push(answer);
        } else {
            d_sep.insert(answer.var, VarSet::new());
        }
    }
    // Phase II: removes variables that are independent given one other, the weakest first.
    pcs.sort_by(Answer::cmp_strength);
    let order = weakest_first(&pcs);
    ind.foresee_pairs(t, &order, &[]);
    for x in order {
        let mut weakest = pcs.iter().find(|a| a.var == x).copied().expect("x is still in PCS");
        let separator = strongest_first(&pcs, x).into_iter().find(|&y| {
            if ind.depends_no_less(x, t, y, &weakest) {
                return false; // Y neither separates nor weakens X, as the pairs show
            }
            let answer = ind.ask(x, t, &[y]);
            if answer.is_known() && answer.cmp_strength(&weakest).is_lt() {
                weakest = answer;
            }
            answer.separated
        });
        pcs.retain(|a| a.var != x);
        match separator {
            Some(y) => _ = d_sep.insert(x, VarSet::new().with(y)),
            None => {
                // From now on a survivor counts with its weakest association so far.
                let place = pcs.partition_point(|a| a.cmp_strength(&weakest).is_lt());
                pcs.insert(place, weakest);
            }
        }
    }
    (pcs.iter().map(|a| a.var).collect(), d_sep)
}

fn weakest_first(pcs: &[Answer]) -> Vec<Var> {
    pcs.iter().map(|a| a.var).collect()
}

fn strongest_first(pcs: &[Answer], but: Var) -> Vec<Var> {
    pcs.iter().rev().map(|a| a.var).filter(|&v| v != but).collect()
}
