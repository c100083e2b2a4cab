//! Equal rows folded into one.
//!
//! Many questions about the same few variables meet the same combinations of levels again and again: a
//! million rows of ten variables may have only a thousand different combinations. So once the variables are
//! announced ([`Tables::foresee_among`](super::Tables::foresee_among)), each combination that occurs becomes
//! one row, weighted by the number of rows that have it, and the tables are counted from these rows. A thread
//! keeps the fold that it made last, and at most one fold of some of its variables.

use std::cell::RefCell;

use super::counter::{Counter, PreparedColumns};
use crate::data::{Column, Dataset, Var, not_coded};

/// The smallest table worth folding. Below this, counting is as fast as folding. Weighted rows are slower to
/// count, so folding them pays earlier.
const FEWEST: Fewest = Fewest { rows: 20_000, variables: 6, rows_for_one: 8 };
/// Distinct rows are folded even if most of them remain: all that follow are then counted in fewer columns.
const FEWEST_DISTINCT: Fewest = Fewest { rows: 2_000, variables: 4, rows_for_one: 1 };
const FEWEST_WEIGHTED: Fewest = Fewest { rows: 2_000, variables: 4, rows_for_one: 4 };

/// What a table needs for a fold to pay.
struct Fewest {
    rows: usize,
    variables: usize,
    /// The number of rows for each folded row.
    rows_for_one: usize,
}

thread_local! {
    static FOLDS: RefCell<Folds> = const { RefCell::new(Folds { kept: Vec::new(), refused: None }) };
}

/// The folds of a thread.
#[derive(Debug)]
struct Folds {
    /// At most two. The variables of the second are among those of the first.
    kept: Vec<Fold>,
    /// The counter and the variables of the last fold that did not pay. The same variables are announced many
    /// times.
    refused: Option<(u64, Vec<Var>)>,
}

/// The distinct rows of some variables.
#[derive(Debug)]
struct Fold {
    /// The id of the counter whose rows were folded.
    of: u64,
    /// The variables, sorted.
    vars: Vec<Var>,
    data: Dataset,
    prepared: PreparedColumns,
}

/// Makes a fold of these variables for later questions, unless they have too many distinct rows.
pub(super) fn make(counter: &Counter<'_>, vars: &[Var]) {
    let mut vars = vars.to_vec();
    vars.sort_unstable();
    FOLDS.with_borrow_mut(|Folds { kept, refused }| {
        let there = kept.iter().any(|fold| fold.of == counter.id() && fold.vars == vars);
        if there || refused.as_ref().is_some_and(|(of, what)| *of == counter.id() && *what == vars) {
            return;
        }
        let outer = kept.first().filter(|outer| outer.has_all(counter, vars.iter().copied()));
        let new = match outer {
            Some(outer) => outer.folded(vars.clone()),
            None => counter.with_fewest_rows(|rows| Fold::new(rows, vars.clone(), |v| v)),
        };
        kept.truncate(usize::from(outer.is_some()));
        if new.is_none() {
            *refused = Some((counter.id(), vars));
        }
        kept.extend(new.map(|fold| Fold { of: counter.id(), ..fold }));
    });
}

/// Whether a fold of this thread has all of these variables.
pub(super) fn has_all(counter: &Counter<'_>, vars: impl Iterator<Item = Var> + Clone) -> bool {
    FOLDS.with_borrow(|folds| folds.kept.iter().any(|fold| fold.has_all(counter, vars.clone())))
}

/// Answers a question about some variables from a fold that has all of them, if there is one. `answer` gets
/// the counter of the fold and a function from each variable to its place there.
pub(super) fn answer<T>(
    counter: &Counter<'_>,
    vars: impl Iterator<Item = Var> + Clone,
    answer: impl FnOnce(&Counter<'_>, &dyn Fn(Var) -> Var) -> T,
) -> Option<T> {
    FOLDS.with_borrow(|folds| {
        let fold = folds.kept.iter().rev().find(|fold| fold.has_all(counter, vars.clone()))?;
        Some(answer(&fold.prepared.counter(&fold.data), &|v| fold.place(v)))
    })
}

impl Fold {
    /// Folds the rows by some variables; `place` gives the place of each in the table of `rows`. `None` if
    /// that does not pay.
    fn new(rows: &Counter<'_>, vars: Vec<Var>, place: impl Fn(Var) -> Var) -> Option<Fold> {
        let data = rows.data();
        let fewest = match data.weights() {
            None => FEWEST,
            Some(_) if rows.digits().is_some() => FEWEST_DISTINCT,
            Some(_) => FEWEST_WEIGHTED,
        };
        if vars.len() < fewest.variables || data.rows() < fewest.rows {
            return None;
        }
        let mut folded = FoldedRows::new(data.rows(), data.rows() / fewest.rows_for_one);
        vars.iter().try_for_each(|&v| folded.split(rows, place(v)))?;
        let (first, weights) = folded.finish(data.weights())?;
        let column = |&v: &Var| (data.variable(place(v)).clone(), data.column(place(v)).select(&first));
        let data = Dataset::with_gaps(vars.iter().map(column).collect()).ok()?.with_weights(weights).ok()?;
        let prepared = Counter::new(&data).into_prepared();
        Some(Fold { of: rows.id(), vars, data, prepared })
    }

    /// A fold of some of the variables, made from this fold.
    fn folded(&self, vars: Vec<Var>) -> Option<Fold> {
        Fold::new(&self.prepared.counter(&self.data), vars, |v| self.place(v))
    }

    fn has_all(&self, counter: &Counter<'_>, mut vars: impl Iterator<Item = Var>) -> bool {
        self.of == counter.id() && vars.all(|v| self.vars.binary_search(&v).is_ok())
    }

    /// The place of a variable. The columns are in the order of `vars`.
    fn place(&self, v: Var) -> Var {
        Var::new(self.vars.binary_search(&v).expect("a variable of the fold"))
    }
}

/// The rows, numbered by their combination of the variables split so far.
///
/// Several variables are taken together, a few rows at a time, so that the numbers of millions of rows are not read
/// from memory and written back for each of them.
pub(super) struct FoldedRows<'a> {
    /// The number of each row's combination of the variables before the open ones.
    codes: Vec<u32>,
    /// The columns that have not been taken yet, with their numbers of levels.
    open: Vec<(&'a Column, usize)>,
    /// All numbers are below this once the open columns are taken.
    size: usize,
    /// The most combinations worth folding.
    most: usize,
}

/// Combinations are numbered by their levels if there are at most this many, and otherwise in order of
/// appearance.
const MOST_BY_LEVELS: usize = 1 << 18;

/// More combinations than this are not numbered at all.
const MOST_NUMBERED: usize = 1 << 27;

/// The number of rows that are taken at a time.
const ROWS_AT_ONCE: usize = 1 << 12;

impl<'a> FoldedRows<'a> {
    /// Rows that are not split by any variable yet; `most` is the most combinations allowed.
    fn new(rows: usize, most: usize) -> FoldedRows<'a> {
        FoldedRows::reusing(Vec::new(), rows, most)
    }

    /// The same in memory that was used before.
    pub(super) fn reusing(mut codes: Vec<u32>, rows: usize, most: usize) -> FoldedRows<'a> {
        codes.clear();
        codes.resize(rows, 0);
        FoldedRows { codes, open: Vec::new(), size: 1, most }
    }

    /// Numbers the combinations that occur. Returns how many there are.
    pub(super) fn number(&mut self) -> Option<usize> {
        self.renumber(|_, _| {}).map(|()| self.size)
    }

    /// The number of each row's combination.
    pub(super) fn into_codes(self) -> Vec<u32> {
        self.codes
    }

    /// Splits the combinations by one more variable; `None` if there are too many.
    pub(super) fn split(&mut self, counter: &'a Counter<'_>, v: Var) -> Option<()> {
        let levels = counter.levels(v);
        if self.size * levels > MOST_BY_LEVELS {
            self.renumber(|_, _| {})?;
        }
        self.open.push((counter.coded(v).codes, levels));
        self.size *= levels;
        (self.size <= MOST_NUMBERED).then_some(())
    }

    /// Takes the open columns, and renumbers the combinations that occur in row order. Passes `look` each row and its
    /// number.
    fn renumber(&mut self, mut look: impl FnMut(usize, usize)) -> Option<()> {
        let mut numbers = vec![0u32; self.size];
        let mut last = 0;
        for (i, codes) in self.codes.chunks_mut(ROWS_AT_ONCE).enumerate() {
            let rows = i * ROWS_AT_ONCE..i * ROWS_AT_ONCE + codes.len();
            for &(column, levels) in &self.open {
                match column {
                    Column::Narrow(xs) => append(codes, &xs[rows.clone()], levels),
                    Column::Wide(xs) => append(codes, &xs[rows.clone()], levels),
                    Column::Real(_) => not_coded(),
                }
            }
            for (row, code) in rows.zip(codes) {
                let number = &mut numbers[*code as usize];
                if *number == 0 {
                    if last as usize == self.most {
                        return None;
                    }
                    last += 1;
                    *number = last;
                }
                *code = *number - 1;
                look(row, *code as usize);
            }
        }
        self.open.clear();
        self.size = last as usize;
        Some(())
    }

    /// The first row of each combination, and the number of rows that have it.
    fn finish(mut self, weights: Option<&[u32]>) -> Option<(Vec<u32>, Vec<u32>)> {
        let (mut first, mut totals) = (Vec::new(), Vec::new());
        self.renumber(|row, number| {
            if number == first.len() {
                first.push(row as u32);
                totals.push(0);
            }
            totals[number] += weights.map_or(1, |weights| weights[row]);
        })?;
        Some((first, totals))
    }
}

/// Appends a digit to the number of each row.
pub(super) fn append<X: Copy + Into<u32>>(codes: &mut [u32], xs: &[X], levels: usize) {
    codes.iter_mut().zip(xs).for_each(|(code, &x)| *code = *code * levels as u32 + x.into());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::{LogTerms, NLogN, Sweep, Tables};
    use crate::data::Variable;
    use crate::random::mix;

    /// Seven variables with two to five levels, each correlated with the one before; missing values or row
    /// weights on request.
    fn table(rows: usize, gaps: bool, weighted: bool) -> Dataset {
        let levels = [2u16, 3, 4, 5, 2, 3, 2];
        let mut before = vec![0u16; rows];
        let columns = levels.iter().enumerate().map(|(i, &levels)| {
            let draw = |(row, &b): (usize, &u16)| {
                let drawn = mix(7, &[i as u64, row as u64]);
                match drawn % 10 {
                    0 if gaps => None,
                    0..6 => Some((drawn / 10 % u64::from(levels)) as u16),
                    _ => Some(b % levels),
                }
            };
            let codes: Vec<Option<u16>> = before.iter().enumerate().map(draw).collect();
            before = codes.iter().map(|code| code.unwrap_or(1)).collect();
            let names = (0..levels).map(|level| level.to_string());
            let variable = Variable::new(format!("v{i}"), names).unwrap();
            (variable, Column::with_gaps(codes, usize::from(levels)))
        });
        let data = Dataset::with_gaps(columns.collect()).unwrap();
        match weighted {
            true => data.with_weights((0..rows).map(|row| row as u32 % 4).collect()).unwrap(),
            false => data,
        }
    }

    /// The sums for one question, asked alone and in a sweep.
    fn ask(counter: &Counter<'_>, f: &NLogN, x: Var, y: Var, z: &[Var]) -> [LogTerms; 4] {
        let mut seen = Vec::new();
        Tables::count(counter, x, y, z, &mut |counts| seen.push(LogTerms::of(counts, f)));
        seen.push(Tables::log_terms(counter, x, y, z, f));
        let sweep = Sweep { target: y, candidates: &[x], given: z };
        counter.sweep(sweep, &mut |counts| seen.push(LogTerms::of(counts, f)));
        counter.batch_log_terms(&[sweep], f, &mut |terms| seen.extend_from_slice(terms));
        seen.try_into().unwrap()
    }

    #[test]
    fn a_fold_answers_as_the_rows_do() {
        let mut folded_again = 0;
        for (gaps, weighted) in [(false, false), (true, false), (false, true), (true, true)] {
            let data = table(60_000, gaps, weighted);
            let (counter, f) = (Counter::new(&data), NLogN::new(data.total()));
            let (outer, inner) = ([5, 0, 2, 3, 4, 6].map(Var), [0, 2, 4, 5].map(Var));
            let questions: Vec<(Var, Var, Vec<Var>)> = (0..7)
                .flat_map(|x| (0..7).filter(move |&y| y != x).map(move |y| (x, y)))
                .flat_map(|(x, y)| {
                    let others: Vec<Var> = (0..7).rev().filter(|&v| v != x && v != y).map(Var).collect();
                    (0..=others.len()).map(move |k| (Var(x), Var(y), others[..k].to_vec()))
                })
                .collect();
            let ask_all = || -> Vec<[LogTerms; 4]> {
                questions.iter().map(|(x, y, z)| ask(&counter, &f, *x, *y, z)).collect()
            };
            let rows =
                |vars: &[Var]| answer(&counter, vars.iter().copied(), |folded, _| folded.data().rows());
            let from_rows = ask_all();
            counter.foresee_among(&outer);
            let outer_rows = rows(&outer).unwrap();
            assert_eq!(rows(&inner), Some(outer_rows));
            assert_eq!(ask_all(), from_rows);
            counter.foresee_among(&inner);
            // A fold with few rows is not folded again.
            let again = outer_rows >= FEWEST_WEIGHTED.rows;
            assert_eq!((again, Some(outer_rows)), (rows(&inner).unwrap() < outer_rows, rows(&outer)));
            folded_again += usize::from(again);
            assert_eq!(ask_all(), from_rows);
            assert_eq!(rows(&[Var(0), Var(1)]), None);
            let other = Counter::new(&data);
            assert!(answer(&other, inner.into_iter(), |_, _| ()).is_none());
            // A fold of other variables replaces both.
            counter.foresee_among(&[0, 1, 2, 3, 4, 5].map(Var));
            assert!(rows(&outer).is_none() && rows(&[Var(0), Var(1)]).is_some());
        }
        assert!((1..4).contains(&folded_again), "{folded_again}");
    }

    #[test]
    fn too_many_different_rows_are_not_folded() {
        let data = table(300, false, false);
        let counter = Counter::new(&data);
        let folded = |most| {
            let mut rows = FoldedRows::new(data.rows(), most);
            data.vars().try_for_each(|v| rows.split(&counter, v)).and_then(|()| rows.finish(None))
        };
        let different = folded(300).unwrap().0.len();
        assert!(different > 20 && folded(different).is_some() && folded(different - 1).is_none());
    }

    #[test]
    fn numbers_that_do_not_fit_are_made_small_again() {
        // More combinations than can be numbered by levels; 40 occur.
        let names = |i: usize| Variable::new(format!("v{i}"), (0..40).map(|l| format!("{l}"))).unwrap();
        let column = |i: usize| (names(i), Column::from_codes((0..4000).map(|row| row % 40), 40));
        let data = Dataset::new((0..6).map(column).collect()).unwrap();
        let mut rows = FoldedRows::new(data.rows(), 40);
        let counter = Counter::new(&data);
        data.vars().for_each(|v| rows.split(&counter, v).unwrap());
        assert_eq!(rows.finish(None), Some(((0..40).collect(), vec![100; 40])));
    }
}
