//! The counts of a set of variables, in a form that can be sent, added up and summed over any variables.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::counter::Counter;
use super::table::Counts;
use super::tables::Sweep;
use crate::data::{Column, Dataset, Var, Variable};
use crate::error::Result;

/// The most cells of a dense table. A larger table lists the combinations that occur.
const MOST_CELLS: usize = 1 << 16;

/// For each variable, the number of levels that have cells in a table.
pub(super) type LevelNumbers<'a> = &'a [usize];

/// How often each combination of the levels of some variables occurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JointTable {
    vars: SmallVec<[Var; 6]>,
    cells: JointCells,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum JointCells {
    /// All cells, the last variable changing fastest.
    Dense(Vec<u32>),
    /// The counts of the combinations that occur, by the levels of the variables.
    Listed(FxHashMap<SmallVec<[u16; 8]>, u32>),
}

/// The variables of the table of a candidate in a sweep, in the order of its cells.
pub(super) fn members(sweep: &Sweep<'_>, x: Var) -> SmallVec<[Var; 6]> {
    sweep.given.iter().copied().chain([sweep.target, x]).collect()
}

/// Whether a table is small enough to be fetched for the tables of its subsets.
pub(super) fn is_small(vars: &[Var], levels: LevelNumbers<'_>) -> bool {
    dense_size(vars, levels).is_some_and(|size| size <= MOST_CELLS / 8)
}

/// The number of cells of a dense table; `None` if that is too many.
fn dense_size(vars: &[Var], levels: LevelNumbers<'_>) -> Option<usize> {
    let size = vars.iter().map(|v| levels[v.index()]).fold(1, usize::saturating_mul);
    (size <= MOST_CELLS).then_some(size)
}

impl JointTable {
    /// A table of no rows.
    pub(super) fn empty(vars: &[Var], levels: LevelNumbers<'_>) -> JointTable {
        let cells = match dense_size(vars, levels) {
            Some(size) => JointCells::Dense(vec![0; size]),
            None => JointCells::Listed(FxHashMap::default()),
        };
        JointTable { vars: vars.into(), cells }
    }

    /// Counts the rows of a counter into the tables of the candidates of a sweep.
    pub(super) fn add_rows(tables: &mut [JointTable], counter: &Counter<'_>, sweep: &Sweep<'_>) {
        counter.stratify(sweep.target, sweep.given, |strata| {
            for (table, &x) in tables.iter_mut().zip(sweep.candidates) {
                match &mut table.cells {
                    JointCells::Dense(cells) => match strata.count_dense(x) {
                        Some(counts) => add(cells, counts.xyz()),
                        None => count_rows(counter.data(), &table.vars, |codes, n| {
                            let place = |cell, (&v, &code): (&Var, &u16)| {
                                cell * counter.data().cardinality(v) + usize::from(code)
                            };
                            cells[table.vars.iter().zip(codes).fold(0, place)] += n;
                        }),
                    },
                    JointCells::Listed(listed) => count_rows(counter.data(), &table.vars, |codes, n| {
                        *listed.entry(codes.into()).or_default() += n;
                    }),
                }
            }
        });
    }

    /// The variables.
    pub(super) fn vars(&self) -> &[Var] {
        &self.vars
    }

    /// The approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        64 + match &self.cells {
            JointCells::Dense(cells) => 4 * cells.len(),
            JointCells::Listed(listed) => (32 + 2 * self.vars.len()) * listed.len(),
        }
    }

    /// The cells of some of the variables in the given order, the last changing fastest; `None` if there are
    /// too many.
    pub(super) fn cells_of(&self, order: &[Var], levels: LevelNumbers<'_>) -> Option<Vec<u32>> {
        let mut cells = vec![0; dense_size(order, levels)?];
        // How far a level of each variable moves the cell: 0 for a variable that is summed over.
        let steps: SmallVec<[usize; 6]> = self
            .vars
            .iter()
            .map(|v| match order.iter().position(|w| w == v) {
                Some(place) => order[place + 1..].iter().map(|w| levels[w.index()]).product(),
                None => 0,
            })
            .collect();
        match &self.cells {
            JointCells::Listed(listed) => listed.iter().for_each(|(codes, n)| {
                let at: usize = codes.iter().zip(&steps).map(|(&code, step)| usize::from(code) * step).sum();
                cells[at] += n;
            }),
            JointCells::Dense(from) => {
                let mut digits: SmallVec<[usize; 6]> = SmallVec::from_elem(0, steps.len());
                let mut at = 0;
                for n in from {
                    cells[at] += n;
                    for i in (0..steps.len()).rev() {
                        digits[i] += 1;
                        at += steps[i];
                        if digits[i] < levels[self.vars[i].index()] {
                            break;
                        }
                        at -= steps[i] * digits[i];
                        digits[i] = 0;
                    }
                }
            }
        }
        Some(cells)
    }

    /// The combinations that occur as weighted rows, and a function from each variable to its column there.
    pub(super) fn rows(&self, variables: &[Variable]) -> Result<(Dataset, impl Fn(Var) -> Var)> {
        let JointCells::Listed(listed) = &self.cells else { unreachable!("a dense table has all margins") };
        let (combinations, counts): (Vec<_>, Vec<u32>) = listed.iter().map(|(codes, &n)| (codes, n)).unzip();
        let columns = self.vars.iter().enumerate().map(|(place, v)| {
            let variable = variables[v.index()].clone();
            let codes = combinations.iter().map(|codes| codes[place]);
            let column = Column::from_codes(codes, variable.cardinality());
            (variable, column)
        });
        let data = Dataset::new(columns.collect())?.with_weights(counts)?;
        // The columns and the variables are both ordered by name.
        let mut sorted = self.vars.clone();
        sorted.sort_unstable();
        let place = move |v: Var| Var::new(sorted.binary_search(&v).expect("a variable of the table"));
        Ok((data, place))
    }

    /// Appends the numbers of this table, which [`take`](JointTable::take) reads back.
    pub(super) fn put(&self, dense: &mut Vec<u32>, listed: &mut Vec<u32>) {
        match &self.cells {
            JointCells::Dense(cells) => dense.extend_from_slice(cells),
            JointCells::Listed(all) => {
                listed.push(all.len() as u32);
                for (codes, &n) in all {
                    listed.extend(codes.iter().map(|&code| u32::from(code)));
                    listed.push(n);
                }
            }
        }
    }

    /// Takes the numbers of a table of the same variables off the slices and adds them; `None` if they are
    /// not such a table.
    pub(super) fn take(
        &mut self,
        dense: &mut &[u32],
        listed: &mut &[u32],
        levels: LevelNumbers<'_>,
    ) -> Option<()> {
        match &mut self.cells {
            JointCells::Dense(cells) => {
                let more = dense.split_off(..cells.len())?;
                add(cells, more);
            }
            JointCells::Listed(all) => {
                let (&rows, width) = (listed.split_off_first()?, self.vars.len());
                for _ in 0..rows {
                    let (&n, codes) = listed.split_off(..=width)?.split_last()?;
                    let known = |(&code, v): (&u32, &Var)| (code as usize) < levels[v.index()];
                    if !codes.iter().zip(&self.vars).all(known) {
                        return None;
                    }
                    *all.entry(codes.iter().map(|&code| code as u16).collect()).or_default() += n;
                }
            }
        }
        Some(())
    }
}

/// The table of X, Y and Z in the form that tests use.
pub(super) fn counts_of(
    table: &JointTable,
    (x, y, z): (Var, Var, &[Var]),
    levels: LevelNumbers<'_>,
    declared: impl Fn(Var) -> usize,
) -> Option<Counts> {
    let order: SmallVec<[Var; 6]> = z.iter().copied().chain([y, x]).collect();
    let level = |v: Var| levels[v.index()];
    let block = z.get(1..).unwrap_or_default().iter().map(|&v| level(v)).product();
    let cells = table.cells_of(&order, levels)?;
    Some(Counts::of_cells(&cells, (level(x), level(y)), block, (declared(x), declared(y))))
}

fn add(cells: &mut [u32], more: &[u32]) {
    cells.iter_mut().zip(more).for_each(|(cell, n)| *cell += n);
}

/// Calls `count` with the levels of some variables in each row that is complete in them, and with its weight.
fn count_rows(data: &Dataset, vars: &[Var], mut count: impl FnMut(&[u16], u32)) {
    let mut codes: SmallVec<[u16; 8]> = SmallVec::new();
    for row in (0..data.rows()).filter(|&row| vars.iter().all(|&v| data.is_known(row, v))) {
        codes.clear();
        codes.extend(vars.iter().map(|&v| data.column(v).code(row)));
        count(&codes, data.weights().map_or(1, |weights| weights[row]));
    }
}
