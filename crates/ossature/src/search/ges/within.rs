//! The best DAG of a class, for scores that differ within a class.

use super::families::Families;
use crate::data::Var;
use crate::graph::Dag;
use crate::search::rules::Rules;

/// Reverses the covered arcs from which the score gains, in order, again and again until there are none; `locals` has
/// the value of each variable. Does nothing if all DAGs of a class have the same score.
///
/// An arc X → Y is covered if Y has the parents of X, and X, and no others. Reversing it leads to another DAG of the
/// class, and such reversals lead from each of its DAGs to every other: Chickering (1995), "A transformational
/// characterization of equivalent Bayesian network structures", UAI, 87-98, theorem 2.
pub(super) fn climb_within(dag: &mut Dag, locals: &mut [f64], rules: &Rules<'_>, families: &Families<'_>) {
    if families.is_equivalent() {
        return;
    }
    let mut gained = true;
    while std::mem::take(&mut gained) {
        let arcs: Vec<(Var, Var)> = dag.arcs().collect();
        for (x, y) in arcs {
            if !dag.is_covered(x, y) || !rules.may_add(y, x) {
                continue;
            }
            let above = dag.parents(x);
            let (of_x, of_y) = (families.alone(x, &above.with(y)), families.alone(y, above));
            if of_x + of_y > locals[x.index()] + locals[y.index()] {
                (locals[x.index()], locals[y.index()]) = (of_x, of_y);
                dag.try_reverse(x, y).expect("there is no other path between the ends of a covered arc");
                gained = true;
            }
        }
    }
}
