//! The same bounds from tables that list only the combinations that occur, as most with many parents do.
//!
//! A listed table knows inside which configuration of fewer parents each of its configurations is. So its cells can be
//! joined, parent by parent from the weakest on, and every cell knows which cell of the smaller table it is part of.

use rustc_hash::FxHashMap;

use super::{Bounded, ExcessBase, complete, sums};
use crate::counts::{Counts, ListedCell};

const NONE: u32 = u32::MAX;

/// The cells of a family that occur.
struct ListedTable {
    cells: Vec<ListedCell>,
    /// The counts by configuration of all parents.
    configurations: Vec<u32>,
}

impl ListedTable {
    fn new(counts: &Counts) -> ListedTable {
        let mut cells = Vec::with_capacity(counts.xyz().len());
        counts.for_each_listed(|cell| cells.push(cell));
        ListedTable { cells, configurations: counts.xz().to_vec() }
    }

    /// The table without the last parent, given the configuration of the others inside each one; and for each cell of
    /// this table the one of that table.
    fn without_last(&self, inside: &[u32]) -> (ListedTable, Vec<u32>) {
        let number = inside.iter().max().map_or(0, |&last| last as usize + 1);
        let levels = |level: fn(&ListedCell) -> u16| 1 + self.cells.iter().map(level).max().unwrap_or(0);
        let (x, y) = (usize::from(levels(|cell| cell.x)), usize::from(levels(|cell| cell.y)));
        let group = |cell: &ListedCell| inside[cell.group as usize] as usize;
        let key = |cell: &ListedCell| (group(cell) * x + usize::from(cell.x)) * y + usize::from(cell.y);
        let places = numbered(self.cells.iter().map(key), number * x * y);
        let mut cells: Vec<ListedCell> = Vec::with_capacity(self.cells.len());
        for (cell, &place) in self.cells.iter().zip(&places) {
            match cells.get_mut(place as usize) {
                Some(joined) => joined.n += cell.n,
                None => cells.push(ListedCell { group: group(cell) as u32, ..*cell }),
            }
        }
        let key = |cell: &ListedCell| cell.group as usize * x + usize::from(cell.x);
        let of = numbered(cells.iter().map(key), number * x);
        let mut configurations: Vec<u32> = Vec::new();
        for (cell, place) in cells.iter_mut().zip(of) {
            match configurations.get_mut(place as usize) {
                Some(rows) => *rows += cell.n,
                None => configurations.push(cell.n),
            }
            cell.configuration = place;
        }
        (ListedTable { cells, configurations }, places)
    }

    /// 1 / b for each cell, as the base of a table with more parents.
    fn inverses(&self) -> Vec<f64> {
        let rows = |cell: &ListedCell| f64::from(self.configurations[cell.configuration as usize]);
        self.cells.iter().map(|cell| rows(cell) / f64::from(cell.n)).collect()
    }

    /// 1 / b for each cell, as the base without the candidate.
    fn inverses_of_parents(&self) -> Vec<f64> {
        let [groups, levels] = self.cells.iter().fold([0, 0], |[groups, levels], cell| {
            [groups.max(cell.group as usize + 1), levels.max(usize::from(cell.y) + 1)]
        });
        let (mut of_group, mut of_level) = (vec![0u32; groups], vec![0u32; groups * levels]);
        let at = |cell: &ListedCell| cell.group as usize * levels + usize::from(cell.y);
        for cell in &self.cells {
            of_group[cell.group as usize] += cell.n;
            of_level[at(cell)] += cell.n;
        }
        let inverse =
            |cell: &ListedCell| f64::from(of_group[cell.group as usize]) / f64::from(of_level[at(cell)]);
        self.cells.iter().map(inverse).collect()
    }
}

/// For each key, all of which are below a bound, the number of its value, in the order of their first appearance.
fn numbered(keys: impl ExactSizeIterator<Item = usize>, bound: usize) -> Vec<u32> {
    let mut next = 0;
    let mut number = |entry: &mut u32| {
        if *entry == NONE {
            *entry = next;
            next += 1;
        }
        *entry
    };
    if bound <= 16 * keys.len() + 1024 {
        let mut numbers = vec![NONE; bound];
        keys.map(|key| number(&mut numbers[key])).collect()
    } else {
        let mut numbers: FxHashMap<usize, u32> = FxHashMap::default();
        keys.map(|key| number(numbers.entry(key).or_insert(NONE))).collect()
    }
}

impl Bounded<'_> {
    /// As [`of_within`](Bounded::of_within), for a listed table.
    pub(super) fn of_within_listed(&mut self, counts: &Counts, stronger: usize, single: f64) -> Option<f64> {
        let (parents, inside) = (self.levels.len(), counts.inside());
        if inside.len() != parents {
            return None;
        }
        let (mut tables, mut places) = (vec![ListedTable::new(counts)], Vec::new());
        for place in (stronger..parents).rev() {
            let (table, of_cells) = tables.last()?.without_last(&inside[place]);
            tables.push(table);
            places.push(of_cells);
        }
        // The smallest table: the candidate is its weakest parent.
        let mut table = tables.pop()?;
        let (mut value, mut of_candidate) = (single, None);
        let one = if stronger > 0 { self.firsts[1] } else { single };
        if stronger > 0 {
            let whole = (stronger > 1).then(|| (self.firsts[stronger], table.inverses_of_parents()));
            value = self.of_listed(&table, one, None, whole);
        } else {
            of_candidate = Some(table.inverses());
        }
        for parents in stronger + 1..=parents {
            let of_cells = places.pop()?;
            let by_cell = |inverses: Vec<f64>| of_cells.iter().map(|&at| inverses[at as usize]).collect();
            let whole = (parents > 1).then(|| (value, by_cell(table.inverses())));
            of_candidate = of_candidate.map(by_cell);
            table = tables.pop()?;
            value = self.of_listed(&table, one, of_candidate.as_deref(), whole);
        }
        Some(value)
    }

    /// T of the family of a table, with T of the strongest parent, 1 / b of the candidate by cell if that is the
    /// strongest, and T and 1 / b of all parents but the weakest if these are several.
    fn of_listed(
        &mut self,
        table: &ListedTable,
        one: f64,
        candidate: Option<&[f64]>,
        whole: Option<(f64, Vec<f64>)>,
    ) -> f64 {
        let Bounded { score, alone, strongest, cells, bases, .. } = self;
        cells.clear();
        bases.clear();
        for (at, cell) in table.cells.iter().enumerate().filter(|(_, cell)| cell.n > 1) {
            let level = usize::from(cell.y);
            let one = match candidate {
                Some(inverses) => inverses[at],
                None => strongest.terms.inverse(usize::from(cell.first) * alone.levels + level),
            };
            let whole = whole.as_ref().map_or(0.0, |(_, inverses)| inverses[at]);
            cells.push((cell.n, bases.len() as u32));
            bases.push(ExcessBase::new([alone.terms.inverse(level), one, whole], cell.n));
        }
        let simd = score.sums.simd();
        complete(simd, bases);
        let sums = sums(simd, cells, bases);
        self.value(&table.configurations, &sums, one, whole.map(|(value, _)| value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::{Counter, Sweep, Tables};
    use crate::data::{Column, Dataset, Var, Variable};
    use crate::random::scramble;

    const LEVELS: u64 = 9;

    /// Columns with so many levels that tables with two parents are listed.
    fn rows(mut seed: u64, rows: usize) -> Dataset {
        let column = |v: usize| {
            let mut next = || {
                seed = scramble(seed);
                (seed % LEVELS).min(seed / LEVELS % LEVELS) as u16
            };
            let codes: Vec<u16> = (0..rows).map(|_| next()).chain(0..LEVELS as u16).collect();
            let levels: Vec<String> = (0..LEVELS).map(|level| level.to_string()).collect();
            let variable = Variable::new(format!("v{v}"), levels.iter().map(String::as_str)).unwrap();
            (variable, Column::from_codes(codes, LEVELS as usize))
        };
        Dataset::new((0..6).map(column).collect()).unwrap()
    }

    /// The table of these parents, and inside which configuration of fewer each of its configurations is.
    fn table(data: &Dataset, given: &[Var]) -> (ListedTable, Vec<Vec<u32>>) {
        let mut found = None;
        let sweep = Sweep { target: Var(4), candidates: &[Var(5)], given };
        Counter::new(data).sweep(sweep, &mut |counts| {
            assert!(counts.is_listed());
            found = Some((ListedTable::new(counts), counts.inside().to_vec()));
        });
        found.unwrap()
    }

    /// What does not depend on the numbers of configurations: the count of each cell, its levels, and the bases.
    fn plain(table: &ListedTable) -> Vec<(u32, [u16; 3], [u64; 2])> {
        let bits = |values: Vec<f64>| values.into_iter().map(f64::to_bits);
        let bases = bits(table.inverses()).zip(bits(table.inverses_of_parents()));
        let cells = table.cells.iter().zip(bases);
        let mut plain: Vec<_> =
            cells.map(|(c, (all, parents))| (c.n, [c.x, c.y, c.first], [all, parents])).collect();
        plain.sort_unstable();
        plain
    }

    #[test]
    fn joined_cells_are_those_of_fewer_parents() {
        let order = [Var(2), Var(0), Var(3), Var(1)];
        for seed in 1..20 {
            let data = rows(seed, 20 * seed as usize);
            let (mut joined, inside) = table(&data, &order);
            assert_eq!(inside.len(), order.len());
            for place in (2..order.len()).rev() {
                let (smaller, places) = joined.without_last(&inside[place]);
                for (cell, &at) in joined.cells.iter().zip(&places) {
                    let whole = smaller.cells[at as usize];
                    assert_eq!((cell.x, cell.y, cell.first), (whole.x, whole.y, whole.first));
                    assert_eq!(inside[place][cell.group as usize], whole.group);
                    assert!(cell.n <= whole.n);
                }
                joined = smaller;
                let (direct, _) = table(&data, &order[..place]);
                assert_eq!(plain(&joined), plain(&direct), "{seed} {place}");
                let sorted = |table: &ListedTable| {
                    let mut rows = table.configurations.clone();
                    rows.sort_unstable();
                    rows
                };
                assert_eq!(sorted(&joined), sorted(&direct));
            }
        }
    }
}
