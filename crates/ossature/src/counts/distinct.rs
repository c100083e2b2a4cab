//! The distinct rows of a whole table, each weighted by the number of rows that are equal to it.
//!
//! The more rows there are, the more of them are equal: ten million rows of alarm have 1.3 million distinct ones. So once
//! many tables have been asked for, the distinct rows are found, and from then on all threads count these.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use smallvec::SmallVec;

use super::counter::{Counter, PreparedColumns};
use crate::data::{Column, Dataset, Variable, not_coded};
use crate::random::scramble;

/// With fewer rows, finding the distinct ones costs more than they save.
const FEWEST_ROWS: usize = 1 << 16;

/// With more variables, hardly any rows are equal in all of them, and looking at them all costs more than it saves.
const MOST_VARIABLES: usize = 128;

/// The number of tables that have to be asked for before the distinct rows are found.
const FEWEST_TABLES: usize = 16;

/// The number of rows for each distinct row that makes them worth having.
const ROWS_FOR_ONE: usize = 3;

/// After one row in this many it is decided whether to go on.
const FIRST_ROWS: usize = 16;

/// The number of rows that are taken at a time.
const ROWS_AT_ONCE: usize = 1 << 11;

/// The distinct rows of a counter, once they have been found.
#[derive(Debug, Default)]
pub(super) struct WhenAsked {
    tables: AtomicUsize,
    found: OnceLock<Option<DistinctTable>>,
}

/// The distinct rows as a table of weighted rows.
#[derive(Debug)]
struct DistinctTable {
    data: Dataset,
    prepared: PreparedColumns,
}

impl WhenAsked {
    /// Finds the distinct rows if many tables have been asked for; `tables` more are.
    pub(super) fn ask(&self, counter: &Counter<'_>, tables: usize) {
        let data = counter.data();
        let may_be_few = data.rows() >= FEWEST_ROWS && data.variables().len() <= MOST_VARIABLES;
        if self.found.get().is_none() && may_be_few {
            let before = self.tables.fetch_add(tables, Ordering::Relaxed);
            if before + tables >= FEWEST_TABLES {
                self.found.get_or_init(|| DistinctTable::new(counter));
            }
        }
    }

    /// A counter of the distinct rows, if they have been found and are few. Variables have the same numbers.
    pub(super) fn counter(&self) -> Option<Counter<'_>> {
        let DistinctTable { data, prepared } = self.found.get()?.as_ref()?;
        Some(prepared.counter(data))
    }
}

impl DistinctTable {
    fn new(counter: &Counter<'_>) -> Option<DistinctTable> {
        let data = counter.data();
        if data.variables().iter().any(Variable::is_continuous) {
            return None;
        }
        let most = data.rows() / ROWS_FOR_ONE;
        let RowTally { first, weights, .. } = RowTally::find(counter, most)?;
        let column = |v| (data.variable(v).clone(), data.column(v).select(&first));
        let data = Dataset::with_gaps(data.vars().map(column).collect()).ok()?.with_weights(weights).ok()?;
        let prepared = Counter::new(&data).with_digits().into_prepared();
        Some(DistinctTable { data, prepared })
    }
}

/// The distinct rows found so far, in the order of their first appearance.
struct RowTally {
    /// The first of the rows that are equal, and their number.
    first: Vec<u32>,
    weights: Vec<u32>,
    /// The levels of each distinct row, in `width` words.
    words: Vec<u64>,
    width: usize,
    /// A hash table: the number of a distinct row, counted from 1, or 0.
    places: Vec<u32>,
}

impl RowTally {
    /// Finds the distinct rows of a table without weights; `None` if there are more than `most`.
    fn find(counter: &Counter<'_>, most: usize) -> Option<RowTally> {
        let rows = counter.data().rows();
        let groups = columns_by_word(counter);
        let mut found = RowTally {
            first: Vec::new(),
            weights: Vec::new(),
            words: Vec::new(),
            width: groups.len(),
            places: vec![0; 1 << 12],
        };
        let mut packed = vec![0u64; ROWS_AT_ONCE * groups.len()];
        for start in (0..rows).step_by(ROWS_AT_ONCE) {
            let here = start..rows.min(start + ROWS_AT_ONCE);
            packed.fill(0);
            for (columns, words) in groups.iter().zip(packed.chunks_exact_mut(ROWS_AT_ONCE)) {
                for &(column, bits) in columns {
                    match column {
                        Column::Narrow(codes) => append(words, &codes[here.clone()], bits),
                        Column::Wide(codes) => append(words, &codes[here.clone()], bits),
                        Column::Real(_) => not_coded(),
                    }
                }
            }
            let key = |i: usize| packed[i..].iter().step_by(ROWS_AT_ONCE).copied();
            here.clone().enumerate().for_each(|(i, row)| found.add(row as u32, key(i)));
            let distinct = found.first.len();
            // Looked at once, after the first rows: if most of those are distinct, all of them are not few.
            let looks = start <= rows / FIRST_ROWS && here.end > rows / FIRST_ROWS;
            if distinct > most || (looks && 2 * distinct > here.end) {
                return None;
            }
        }
        Some(found)
    }

    /// Adds a row with these words.
    #[inline]
    fn add(&mut self, row: u32, key: impl Iterator<Item = u64> + Clone) {
        let mask = self.places.len() - 1;
        let mut at = hash(key.clone()) & mask;
        while self.places[at] != 0 {
            let number = self.places[at] as usize - 1;
            if self.words[number * self.width..][..self.width].iter().copied().eq(key.clone()) {
                self.weights[number] += 1;
                return;
            }
            at = (at + 1) & mask;
        }
        self.first.push(row);
        self.weights.push(1);
        self.words.extend(key);
        self.places[at] = self.first.len() as u32;
        if 2 * self.first.len() > self.places.len() {
            self.grow();
        }
    }

    /// Doubles the hash table.
    fn grow(&mut self) {
        let size = 2 * self.places.len();
        self.places = vec![0; size];
        for (number, words) in (1..).zip(self.words.chunks_exact(self.width)) {
            let mut at = hash(words.iter().copied()) & (size - 1);
            while self.places[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.places[at] = number;
        }
    }
}

fn hash(key: impl Iterator<Item = u64>) -> usize {
    key.fold(0, |hash, word| scramble(hash ^ word)) as usize
}

/// The columns whose levels are packed into one word, with the bits that each needs.
type ColumnsOfWord<'a> = SmallVec<[(&'a Column, u32); 64]>;

/// The columns of each word. There is at least one word.
fn columns_by_word<'a>(counter: &'a Counter<'_>) -> Vec<ColumnsOfWord<'a>> {
    let mut groups = vec![ColumnsOfWord::new()];
    let mut free = u64::BITS;
    for v in counter.data().vars() {
        let bits = usize::BITS - (counter.levels(v).max(1) - 1).leading_zeros();
        if bits > free {
            groups.push(ColumnsOfWord::new());
            free = u64::BITS;
        }
        free -= bits;
        groups.last_mut().expect("there is a word").push((counter.coded(v).codes, bits));
    }
    groups
}

/// Appends the bits of one more variable to the words of some rows.
fn append<X: Copy + Into<u64>>(words: &mut [u64], codes: &[X], bits: u32) {
    words.iter_mut().zip(codes).for_each(|(word, &code)| *word = *word << bits | code.into());
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::counts::{LogTerms, NLogN, Sweep, Tables};
    use crate::data::Var;

    proptest! {
        #[test]
        fn every_row_is_one_of_the_distinct_rows(
            levels in prop::collection::vec(1usize..400, 1..30),
            picks in prop::collection::vec(0u64..40, 1..6000),
        ) {
            let rows = picks.len();
            let code = |v: usize, pick: u64| (crate::random::mix(v as u64, &[pick]) % levels[v] as u64) as u16;
            let columns = levels.iter().enumerate().map(|(v, &levels)| {
                let name = Variable::new(format!("v{v:02}"), (0..levels).map(|l| l.to_string())).unwrap();
                (name, Column::from_codes(picks.iter().map(|&pick| code(v, pick)), levels))
            });
            let data = Dataset::new(columns.collect()).unwrap();
            let counter = Counter::new(&data);
            let row = |row: usize| -> Vec<u16> { (0..levels.len()).map(|v| code(v, picks[row])).collect() };
            let mut expected: BTreeMap<Vec<u16>, (u32, u32)> = BTreeMap::new();
            (0..rows).for_each(|i| expected.entry(row(i)).or_insert((i as u32, 0)).1 += 1);
            let mut expected: Vec<(u32, u32)> = expected.into_values().collect();
            expected.sort_unstable();
            let distinct = expected.len();
            match RowTally::find(&counter, distinct) {
                Some(found) => {
                    let found: Vec<(u32, u32)> = found.first.into_iter().zip(found.weights).collect();
                    prop_assert_eq!(found, expected);
                }
                // Most of the first rows were distinct.
                None => prop_assert!(2 * distinct > rows.min(ROWS_AT_ONCE)),
            }
            prop_assert!(RowTally::find(&counter, distinct - 1).is_none());
        }
    }

    /// Seven variables of which few combinations occur.
    fn table(gaps: bool) -> Dataset {
        let levels = [2u16, 3, 4, 3, 2, 12, 11];
        let columns = levels.iter().enumerate().map(|(v, &levels)| {
            let code = |row: u64| {
                // Some combinations are far more frequent than others.
                let pick = scramble(row) % 3000;
                let code = scramble(pick * pick / 3000 + 7000 * v as u64) % 37;
                (!gaps || code > 2).then_some((code % u64::from(levels)) as u16)
            };
            let name = Variable::new(format!("v{v}"), (0..levels).map(|level| level.to_string())).unwrap();
            (name, Column::with_gaps((0..FEWEST_ROWS as u64 + 1000).map(code), usize::from(levels)))
        });
        Dataset::with_gaps(columns.collect()).unwrap()
    }

    #[test]
    fn distinct_rows_answer_as_all_rows_do() {
        for data in [table(false), table(true)] {
            let (rows, counter, f) = (Counter::new(&data), Counter::new(&data), NLogN::new(data.total()));
            counter.ask_for(FEWEST_TABLES - 1);
            assert!(counter.of_distinct_rows().is_none());
            counter.ask_for(1);
            let distinct = counter.of_distinct_rows().unwrap();
            assert!(distinct.data().rows() <= 3000 && distinct.data().total() == data.rows());
            for (x, y) in (0..7).flat_map(|x| (0..7).filter(move |&y| y != x).map(move |y| (Var(x), Var(y))))
            {
                let others: Vec<Var> = (0..7).map(Var).filter(|&v| v != x && v != y).collect();
                for z in (0..=others.len()).map(|k| &others[..k]) {
                    let expected = rows.count(x, y, z, |counts| LogTerms::of(counts, &f));
                    let mut seen = vec![Tables::log_terms(&counter, x, y, z, &f)];
                    Tables::count(&counter, x, y, z, &mut |counts| seen.push(LogTerms::of(counts, &f)));
                    let sweep = Sweep { target: y, candidates: &[x], given: z };
                    counter.batch_log_terms(&[sweep], &f, &mut |terms| seen.extend_from_slice(terms));
                    assert_eq!(seen, [expected; 3], "{x:?} {y:?} {z:?}");
                }
            }
        }
    }

    #[test]
    fn other_tables_are_counted_as_they_are() {
        let columns = |rows: usize| {
            let name = Variable::new("v", ["0", "1"]).unwrap();
            vec![(name, Column::from_codes((0..rows).map(|row| (row % 2) as u16), 2))]
        };
        let few = Dataset::new(columns(1000)).unwrap();
        let weighted =
            Dataset::new(columns(FEWEST_ROWS)).unwrap().with_weights(vec![2; FEWEST_ROWS]).unwrap();
        let number = (Variable::continuous("w"), Column::Real(vec![1.5; FEWEST_ROWS]));
        let mixed = Dataset::new([columns(FEWEST_ROWS), vec![number]].concat()).unwrap();
        let many = (0..=MOST_VARIABLES).map(|i| {
            let name = Variable::new(format!("v{i}"), ["0"]).unwrap();
            (name, Column::from_codes((0..FEWEST_ROWS).map(|_| 0), 1))
        });
        let wide = Dataset::new(many.collect()).unwrap();
        for data in [few, weighted, mixed, wide] {
            let counter = Counter::new(&data);
            counter.ask_for(FEWEST_TABLES);
            assert!(counter.of_distinct_rows().is_none());
        }
    }
}
