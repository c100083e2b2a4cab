//! The values of sets of variables, each with any one more variable, for scores that are
//! differences of these.
//!
//! If the value of X with the parents P is G(X ∪ P) − G(P), all gains at X follow from two rows: G of X ∪ P
//! with each further variable, and G of P with each further variable. Rows belong to sets: a → b and b → a
//! share one, and tie orders differ in little else. Rows of two sets that differ in one variable share a value,
//! which a narrow table computes once.

use std::sync::Arc;

use super::counting::{Begun, Board, BoardGuard, Count, LARGE, OpenRow, Part, part_of};
use super::kept_rows::{KeptRows, SetRow};
use crate::data::{Var, VarSet};
use crate::parallel;
use crate::score::{SetScore, Sweep};

/// A row that is known, or is being counted.
enum RowFound {
    Known(Arc<SetRow>),
    /// Begun by another search.
    Begun(Arc<OpenRow>),
    /// Left to whoever asked for it.
    Open(Arc<OpenRow>),
}

/// The rows of sets, shared by threads.
pub(super) struct SetRows<'a> {
    score: &'a dyn SetScore,
    kept: KeptRows,
    board: Board,
}

impl<'a> SetRows<'a> {
    /// The row of the empty set, and room for so many bytes of those with more than one variable.
    pub(super) fn new(score: &'a dyn SetScore, variables: usize, room: usize) -> SetRows<'a> {
        let with = parallel::map(variables, |v| score.of_set(&[Var::new(v)]));
        let nothing = SetRow::new(score.of_set(&[]), with.into());
        SetRows { score, kept: KeptRows::new(nothing, room), board: Board::default() }
    }

    /// The value of a set.
    pub(super) fn value(&self, set: &VarSet) -> f64 {
        let itself = self.kept.look_up(set, |row| row.alone);
        let smaller = || set.iter().find_map(|x| self.kept.look_up(&set.without(x), |row| row.with(x)));
        itself.or_else(smaller).unwrap_or_else(|| self.score.of_set(set.as_slice()))
    }

    /// The rows of a variable with these parents and of the parents alone. While another search counts one of them,
    /// `ahead` may do something else that is of use, and says whether it has.
    pub(super) fn rows(
        &self,
        v: Var,
        parents: &VarSet,
        ahead: &dyn Fn() -> bool,
    ) -> (Arc<SetRow>, Arc<SetRow>) {
        let family = parents.with(v);
        if let (Some(joint), Some(margins)) = (self.kept.find(&family), self.kept.find(parents)) {
            return (joint, margins);
        }
        let (joint, margins) = self.find_or_begin(v, parents, &family);
        let row = |found, set: &VarSet| match found {
            RowFound::Known(row) => row,
            RowFound::Open(counting) => self.board.finish(&counting, set, self),
            RowFound::Begun(counting) => {
                while !counting.is_done() && !counting.is_open() && ahead() {}
                self.board.finish(&counting, set, self)
            }
        };
        (row(joint, &family), row(margins, parents))
    }

    /// Counts what is not known of these rows, unless another search does; returns whether there was something.
    pub(super) fn count_ahead(&self, v: Var, parents: &VarSet) -> bool {
        let family = parents.with(v);
        let (joint, margins) = self.find_or_begin(v, parents, &family);
        let count = |found, set: &VarSet| match found {
            RowFound::Open(counting) => {
                self.board.finish(&counting, set, self);
                true
            }
            RowFound::Known(_) | RowFound::Begun(_) => false,
        };
        count(joint, &family) | count(margins, parents)
    }

    /// The rows of a family and of the parents, known or on the board.
    fn find_or_begin(&self, v: Var, parents: &VarSet, family: &VarSet) -> (RowFound, RowFound) {
        let mut board = self.board.lock();
        // Rows leave the board after they are kept, so whatever is not there was not counted or had to make room.
        let find = |board: &BoardGuard<'_>, set: &VarSet| {
            self.kept.find(set).map(RowFound::Known).or_else(|| board.find(set).map(RowFound::Begun))
        };
        match (find(&board, family), find(&board, parents)) {
            (Some(joint), Some(margins)) => (joint, margins),
            (Some(joint), None) => {
                let target = parents.as_slice()[0];
                (joint, RowFound::Open(board.put(target, &parents.without(target), false)))
            }
            (None, Some(margins)) => (RowFound::Open(board.put(v, parents, false)), margins),
            (None, None) => {
                let both = board.put(v, parents, true);
                (RowFound::Open(Arc::clone(&both)), RowFound::Open(both))
            }
        }
    }

    /// `f` of every index below `n`, each a search that needs rows; threads without one help the others to count.
    pub(super) fn searches<T: Send>(&self, n: usize, f: impl Fn(usize) -> T + Sync) -> Vec<T> {
        self.board.searches(n, f, self)
    }

    /// A row with the values that other rows have, and NaN in place of the others.
    fn begun(&self, set: &VarSet) -> SetRow {
        let alone = self.value(set);
        let mut with: Box<[f64]> = vec![f64::NAN; self.kept.variables()].into();
        self.kept.begin(set, &mut with);
        set.iter().for_each(|v| with[v.index()] = alone);
        SetRow::new(alone, with)
    }

    fn variables(&self) -> impl Iterator<Item = Var> {
        (0..self.kept.variables()).map(Var::new)
    }
}

impl Count for SetRows<'_> {
    fn begin(&self, counting: &OpenRow) -> Begun {
        let joint = self.begun(&counting.family);
        let margins = counting.margins.then(|| {
            let mut row = self.begun(&counting.given);
            row.with[counting.target.index()] = joint.alone;
            row
        });
        let is_open =
            |x: &Var| joint.with(*x).is_nan() || margins.as_ref().is_some_and(|m| m.with(*x).is_nan());
        let mut open = Vec::with_capacity(self.kept.variables());
        open.extend(self.variables().filter(is_open));
        Begun::new(counting, joint, margins, open)
    }

    fn part(&self, counting: &OpenRow, variables: &[Var]) -> Part {
        let of_margins = if counting.margins { variables.len() } else { 0 };
        let mut values = (Vec::with_capacity(variables.len()), Vec::with_capacity(of_margins));
        let sweep =
            Sweep { target: counting.target, candidates: variables, given: counting.given.as_slice() };
        self.score.of_sets(sweep, &mut values.0, counting.margins.then_some(&mut values.1));
        values
    }

    fn most_parts(&self) -> usize {
        let variables = self.kept.variables();
        variables.div_ceil(part_of(variables, LARGE))
    }

    fn keep(&self, set: &VarSet, row: SetRow) -> Arc<SetRow> {
        self.kept.keep(set, row)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::score::{ScoreKind, ScoreSettings};
    use crate::search::tests::dependent_data;

    proptest! {
        /// Rows asked for in any order, so that values come from the rows of other sets, and with little room.
        #[test]
        fn every_value_is_that_of_its_set(
            rows in 5usize..100,
            levels in prop::collection::vec(1u16..4, 7),
            kind in prop::sample::select(vec![ScoreKind::Bdeu, ScoreKind::Bic]),
            families in prop::collection::vec((0usize..7, 0u8..128), 1..40),
            room in 0usize..20_000,
            seed: u64,
        ) {
            let data = dependent_data(rows, &levels, seed);
            let score = ScoreSettings { kind, ..ScoreSettings::default() }.build(&data).unwrap();
            let sets = score.sets().unwrap();
            let shared = SetRows::new(sets, 7, room);
            for (v, parents) in families {
                let parents: VarSet = (0..7).filter(|&p| p != v && parents >> p & 1 == 1).map(Var::new).collect();
                let (v, family) = (Var::new(v), parents.with(Var::new(v)));
                let (joint, margins) = shared.rows(v, &parents, &|| false);
                for x in data.vars() {
                    prop_assert_eq!(joint.with(x), sets.of_set(family.with(x).as_slice()));
                    prop_assert_eq!(margins.with(x), sets.of_set(parents.with(x).as_slice()));
                }
            }
        }
    }
}
