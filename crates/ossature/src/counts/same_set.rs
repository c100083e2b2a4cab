//! One table for all questions about the same variables.
//!
//! Whether each member of a blanket is independent of the target given the others are questions about one and the same
//! table: only its margins differ. If such questions are announced, the table is counted once and its margins are
//! added up for each of them.

use smallvec::SmallVec;

use super::nlogn::{FindTerm, NLogN};
use super::table::Counts;
use super::terms::LogTerms;
use crate::data::Var;

/// The fewest variables for which adding up margins is quicker than counting.
const FEWEST: usize = 4;

/// The most cells for which that holds.
pub(super) const MOST_CELLS: usize = 1024;

/// The table of the variables that were announced last.
#[derive(Debug, Default)]
pub(super) struct SameSet {
    counter: u64,
    /// Sorted.
    announced: SmallVec<[Var; 8]>,
    /// The same variables as they are in the table, the last changing fastest, with their numbers of levels; empty
    /// before it is counted.
    layout: SmallVec<[(Var, usize); 8]>,
    cells: Vec<u32>,
    xyz: i64,
    rows: u64,
    margins: QuestionMargins,
}

/// The margins of a table, refilled for each question.
#[derive(Debug, Default)]
pub(super) struct QuestionMargins([Vec<u32>; 5]);

/// A table of all the variables of some questions.
#[derive(Debug, Clone, Copy)]
pub(super) struct WholeTable<'a> {
    /// The variables, the last changing fastest, with their numbers of levels.
    pub(super) layout: &'a [(Var, usize)],
    pub(super) cells: &'a [u32],
    /// The sum of n·ln n over the cells.
    pub(super) xyz: i64,
    pub(super) rows: u64,
}

impl SameSet {
    /// Announces questions about all of these variables.
    pub(super) fn announce(&mut self, counter: u64, vars: impl Iterator<Item = Var>) {
        let mut announced: SmallVec<[Var; 8]> = vars.collect();
        announced.sort_unstable();
        if (self.counter, &self.announced) != (counter, &announced) {
            *self = SameSet { counter, announced, layout: SmallVec::new(), ..std::mem::take(self) };
        }
    }

    /// Whether a question is about the variables that were announced.
    pub(super) fn is_about(&self, counter: u64, x: Var, y: Var, z: &[Var]) -> bool {
        z.len() + 2 == self.announced.len()
            && z.len() + 2 >= FEWEST
            && self.counter == counter
            && z.iter().chain([&x, &y]).all(|v| self.announced.contains(v))
    }

    /// Keeps a table of X, Y and Z, which have these numbers of levels.
    pub(super) fn keep(
        &mut self,
        counts: &Counts,
        xyz: i64,
        [x, y]: [Var; 2],
        z: &[Var],
        levels: impl Fn(Var) -> usize,
    ) {
        self.layout = z.iter().copied().chain([y, x]).map(|v| (v, levels(v))).collect();
        self.cells.clear();
        self.cells.extend_from_slice(counts.xyz());
        (self.xyz, self.rows) = (xyz, counts.rows());
    }

    /// The sums for two of the variables given all others, if the table is there.
    pub(super) fn log_terms(&mut self, x: Var, y: Var, f: &NLogN) -> Option<LogTerms> {
        let table = WholeTable { layout: &self.layout, cells: &self.cells, xyz: self.xyz, rows: self.rows };
        (!self.layout.is_empty()).then(|| table.log_terms(x, y, &mut self.margins, f))
    }
}

impl WholeTable<'_> {
    /// The sums for two of the variables given all others.
    pub(super) fn log_terms(self, x: Var, y: Var, margins: &mut QuestionMargins, f: &NLogN) -> LogTerms {
        match f.all_terms() {
            Some(f) => self.log_terms_with(x, y, margins, f),
            None => self.log_terms_with(x, y, margins, f),
        }
    }

    fn log_terms_with(self, x: Var, y: Var, margins: &mut QuestionMargins, f: impl FindTerm) -> LogTerms {
        let [xz, yz, z, x_levels, y_levels] = &mut margins.0;
        let place = |v: Var| self.layout.iter().position(|&(w, _)| w == v).expect("a variable of the table");
        let (of_x, of_y) = (TableAxis::new(self.layout, place(x)), TableAxis::new(self.layout, place(y)));
        of_x.add_up(self.cells, yz, |n| n);
        of_y.add_up(self.cells, xz, |n| n);
        // In these, the other of the two is gone.
        let (x_in_xz, y_in_yz) = (of_x.without(&of_y), of_y.without(&of_x));
        y_in_yz.add_up(yz, z, |n| n);
        x_in_xz.add_up(xz, x_levels, |n| u32::from(n > 0));
        y_in_yz.add_up(yz, y_levels, |n| u32::from(n > 0));
        let free = |levels: u32| u64::from(levels.saturating_sub(1));
        LogTerms {
            xyz: self.xyz,
            xz: f.sum(xz),
            yz: f.sum(yz),
            z: f.sum(z),
            adjusted_df: x_levels.iter().zip(&*y_levels).map(|(&r, &c)| free(r) * free(c)).sum(),
            rows: self.rows,
        }
    }
}

/// A variable of a table: the cells that differ only in its level are `inner` apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TableAxis {
    pub(crate) levels: usize,
    pub(crate) inner: usize,
}

impl TableAxis {
    fn new(layout: &[(Var, usize)], place: usize) -> TableAxis {
        TableAxis {
            levels: layout[place].1,
            inner: layout[place + 1..].iter().map(|(_, levels)| levels).product(),
        }
    }

    /// The same variable in the table without another.
    fn without(self, other: &TableAxis) -> TableAxis {
        let changes_faster = other.inner < self.inner;
        TableAxis { inner: if changes_faster { self.inner / other.levels } else { self.inner }, ..self }
    }

    /// Adds up what `value` returns for the cells of all levels.
    pub(crate) fn add_up(self, cells: &[u32], sums: &mut Vec<u32>, value: impl Fn(u32) -> u32) {
        let TableAxis { levels, inner } = self;
        sums.clear();
        if inner == 1 {
            sums.extend(cells.chunks_exact(levels).map(|cells| cells.iter().map(|&n| value(n)).sum::<u32>()));
            return;
        }
        for outer in cells.chunks_exact(levels * inner) {
            let (first, others) = outer.split_at(inner);
            let start = sums.len();
            sums.extend(first.iter().map(|&n| value(n)));
            for cells in others.chunks_exact(inner) {
                sums[start..].iter_mut().zip(cells).for_each(|(sum, &n)| *sum += value(n));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::{Counter, Sweep, Tables};
    use crate::data::{Column, Dataset, Variable};
    use crate::random::mix;

    #[test]
    fn margins_of_one_table_answer_as_the_rows_do() {
        let levels = [3u16, 2, 4, 3, 2, 5];
        let columns = levels.iter().enumerate().map(|(i, &levels)| {
            let name = Variable::new(format!("v{i}"), (0..levels).map(|level| level.to_string())).unwrap();
            // The first level is rare, so that some configurations do not occur.
            let code = |row| (mix(3, &[i as u64, row]) % 23 % u64::from(levels)) as u16;
            (name, Column::from_codes((0..400).map(code), usize::from(levels)))
        });
        let data = Dataset::new(columns.collect()).unwrap();
        let (counter, f) = (Counter::new(&data), NLogN::new(data.rows()));
        for set in [[5, 0, 2, 3].map(Var).to_vec(), [1, 0, 4, 2, 3].map(Var).to_vec()] {
            let counted = |x: Var, y: Var, z: &[Var]| {
                let mut terms = LogTerms::default();
                Tables::count(&counter, x, y, z, &mut |counts| terms = LogTerms::of(counts, &f));
                terms
            };
            counter.foresee(&[Sweep { target: set[0], candidates: &[set[1]], given: &set[2..] }]);
            for (&x, &y) in set.iter().flat_map(|x| set.iter().map(move |y| (x, y))).filter(|(x, y)| x != y) {
                let z: Vec<Var> = set.iter().copied().filter(|&v| v != x && v != y).collect();
                assert_eq!(Tables::log_terms(&counter, x, y, &z, &f), counted(x, y, &z), "{x:?} {y:?}");
                // A question about fewer of them is not answered from the table.
                assert_eq!(Tables::log_terms(&counter, x, y, &z[1..], &f), counted(x, y, &z[1..]));
            }
        }
    }
}
