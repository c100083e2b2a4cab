//! Dense tables of the configurations of Z that occur, for many rows.
//!
//! If Z has more possible configurations than there are codes, but far fewer that occur, these are numbered. The table of
//! their numbers, Y and X is then counted with one increment for each row.

use super::counter::Counter;
use super::fold::{FoldedRows, append};
use super::nlogn::NLogN;
use super::same_set::{QuestionMargins, WholeTable};
use super::terms::LogTerms;
use crate::data::{Column, Var, not_coded};

/// With fewer rows, listing the cells that occur is as fast.
const FEWEST_ROWS: usize = 1 << 14;

/// The number of the configuration of Z and T in each row, T changing fastest.
#[derive(Debug, Default)]
pub(super) struct OccurringStrata {
    codes: Vec<u32>,
    /// The number of configurations of Z that occur; 0 if there are too many.
    configurations: usize,
    cells: Vec<u32>,
    margins: QuestionMargins,
}

/// Whether a question is answered in this way if it has few enough configurations. No value may be missing.
pub(super) fn numbers_pay(counter: &Counter<'_>, z: &[Var]) -> bool {
    !z.is_empty() && counter.data().rows() >= FEWEST_ROWS
}

impl OccurringStrata {
    /// Numbers the configurations of Z.
    pub(super) fn fill(&mut self, counter: &Counter<'_>, t: Var, z: &[Var]) {
        let rows = counter.data().rows();
        let mut numbered = FoldedRows::reusing(std::mem::take(&mut self.codes), rows, most_cells(counter));
        let done = z.iter().try_for_each(|&v| numbered.split(counter, v)).and_then(|()| numbered.number());
        (self.codes, self.configurations) = (numbered.into_codes(), done.unwrap_or(0));
        let t = counter.coded(t);
        match t.codes {
            _ if self.configurations == 0 => {}
            Column::Narrow(codes) => append(&mut self.codes, codes, t.levels),
            Column::Wide(codes) => append(&mut self.codes, codes, t.levels),
            Column::Real(_) => not_coded(),
        }
    }

    /// The sums for a candidate; `None` if the table has too many cells. T and Z are those of `fill`.
    pub(super) fn log_terms(
        &mut self,
        counter: &Counter<'_>,
        x: Var,
        t: Var,
        z: &[Var],
        f: &NLogN,
    ) -> Option<LogTerms> {
        let (candidate, levels) = (counter.coded(x), counter.levels(t));
        let cells = self.configurations * levels * candidate.levels;
        if cells == 0 || cells > most_cells(counter) {
            return None;
        }
        self.cells.clear();
        self.cells.resize(cells, 0);
        let weights = counter.data().weights();
        match candidate.codes {
            Column::Narrow(xs) => add(&self.codes, xs, candidate.levels, weights, &mut self.cells),
            Column::Wide(xs) => add(&self.codes, xs, candidate.levels, weights, &mut self.cells),
            Column::Real(_) => not_coded(),
        }
        // Z is a single variable here, under the name of its first member.
        let layout = [(z[0], self.configurations), (t, levels), (x, candidate.levels)];
        let rows = counter.data().total() as u64;
        let table = WholeTable { layout: &layout, cells: &self.cells, xyz: f.sum(&self.cells), rows };
        Some(table.log_terms(x, t, &mut self.margins, f))
    }
}

/// The most cells of a table, so that adding them up takes no longer than the increments.
fn most_cells(counter: &Counter<'_>) -> usize {
    2 * counter.data().rows()
}

/// Adds the weight of each row to its cell.
fn add<X: Copy + Into<u32>>(
    codes: &[u32],
    xs: &[X],
    levels: usize,
    weights: Option<&[u32]>,
    cells: &mut [u32],
) {
    let places = codes.iter().zip(xs).map(|(&code, &x)| (code * levels as u32 + x.into()) as usize);
    match weights {
        Some(weights) => places.zip(weights).for_each(|(place, weight)| cells[place] += weight),
        None => places.for_each(|place| cells[place] += 1),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::counts::Tables;
    use crate::data::{Dataset, Variable};
    use crate::random::mix;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn the_sums_are_those_of_the_table(levels in prop::collection::vec(1usize..9, 3..9), seed: u64, weighted: bool) {
            let rows = 3000u64;
            let columns = levels.iter().enumerate().map(|(v, &levels)| {
                let name = Variable::new(format!("v{v}"), (0..levels).map(|level| level.to_string())).unwrap();
                let code = |row| (mix(seed, &[v as u64, row]) % 23 % levels as u64) as u16;
                (name, Column::from_codes((0..rows).map(code), levels))
            });
            let mut data = Dataset::new(columns.collect()).unwrap();
            if weighted {
                data = data.with_weights((0..rows as u32).map(|row| row % 4).collect()).unwrap();
            }
            let (counter, f) = (Counter::new(&data), NLogN::new(data.total()));
            let z: Vec<Var> = (2..levels.len()).map(Var::new).collect();
            let mut strata = OccurringStrata::default();
            for [x, t] in [[0, 1], [1, 0]].map(|pair| pair.map(Var)) {
                strata.fill(&counter, t, &z);
                let mut expected = LogTerms::default();
                Tables::count(&counter, x, t, &z, &mut |counts| expected = LogTerms::of(counts, &f));
                if let Some(found) = strata.log_terms(&counter, x, t, &z, &f) {
                    prop_assert_eq!(found, expected);
                } else {
                    prop_assert!(levels.iter().product::<usize>() > most_cells(&counter));
                }
            }
        }
    }
}
