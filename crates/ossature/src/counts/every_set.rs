//! The counts of every set of some variables.
//!
//! The rows are grouped by their values in a set, and the groups are divided further for each larger set. A row that
//! is alone in its group stays alone in all larger sets, so it need only be counted (the stripped partitions of
//! Huhtala, Kärkkäinen, Porkka & Toivonen 1999, doi:10.1093/comjnl/42.2.100). Three of four sets are not grouped at
//! all: those with one or both of the last two variables are counted in one pass over the groups without them.

use crate::parallel;

use super::tables::{GoOn, ValueOfSet};

/// The number of variables whose sets are divided among threads.
const DIVIDED: usize = 5;

/// About the number of rows to count between two looks at whether to go on.
const STRIDE: usize = 1 << 20;

/// A variable: its code in each row, and the number of its levels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Codes<'a> {
    pub(super) codes: &'a [u8],
    pub(super) levels: usize,
}

/// The value of every subset of at least two variables, indexed by the number of the set; `None` if `go_on` said no.
pub(super) fn every_set(vars: &[Codes<'_>], value: ValueOfSet<'_>, go_on: GoOn<'_>) -> Option<Vec<f64>> {
    let n = vars.len();
    // Variables with many levels first: they leave more rows alone, and the last two should have few levels.
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&v| std::cmp::Reverse(vars[v].levels));
    let divided = DIVIDED.min(n - 2);
    // In these values, the first variable is the highest bit of a number.
    let mut values = vec![0.0; 1 << n];
    let mut parts: Vec<(&mut [f64], bool)> =
        values.chunks_mut(1 << (n - divided)).map(|values| (values, false)).collect();
    parallel::for_each_mut(&mut parts, |prefix, (values, visited)| {
        let mut visit =
            Visit { vars, order: &order, value, go_on, values, levels: Vec::new(), visited: 0, rows: 0 };
        *visited = go_on(0) && visit.all_with(prefix, divided) && go_on(visit.visited);
    });
    if !parts.iter().all(|part| part.1) {
        return None;
    }
    let mut in_order = vec![0.0; 1 << n];
    for (place, value) in values.into_iter().enumerate() {
        let set = (0..n).filter(|p| place >> (n - 1 - p) & 1 == 1).fold(0, |set, p| set | 1 << order[p]);
        in_order[set as usize] = value;
    }
    Some(in_order)
}

/// The rows that are not alone, grouped by their values in a set.
#[derive(Debug, Default)]
struct Groups {
    rows: Vec<u32>,
    sizes: Vec<u32>,
    /// The number of rows that are alone.
    ones: usize,
}

impl Groups {
    /// Divides groups by one more variable.
    fn divide(&mut self, from: &Groups, Codes { codes, levels }: Codes<'_>) {
        self.rows.clear();
        self.rows.resize(from.rows.len(), 0);
        self.sizes.clear();
        self.ones = from.ones;
        let mut filled = 0;
        let mut counts = [0u32; 256];
        // Where the next row of each level goes; rows that are alone go nowhere.
        let mut places = [usize::MAX; 256];
        let mut rest = &from.rows[..];
        for &size in &from.sizes {
            let (group, others) = rest.split_at(size as usize);
            rest = others;
            if let [a, b] = *group {
                if codes[a as usize] == codes[b as usize] {
                    self.rows[filled..filled + 2].copy_from_slice(group);
                    filled += 2;
                    self.sizes.push(2);
                } else {
                    self.ones += 2;
                }
                continue;
            }
            for &row in group {
                counts[usize::from(codes[row as usize])] += 1;
            }
            for (count, place) in counts[..levels].iter_mut().zip(&mut places) {
                match std::mem::take(count) {
                    0 => {}
                    1 => {
                        *place = usize::MAX;
                        self.ones += 1;
                    }
                    several => {
                        *place = filled;
                        filled += several as usize;
                        self.sizes.push(several);
                    }
                }
            }
            for &row in group {
                let place = &mut places[usize::from(codes[row as usize])];
                if *place != usize::MAX {
                    self.rows[*place] = row;
                    *place += 1;
                }
            }
        }
        self.rows.truncate(filled);
    }
}

/// The counts of a set that is not grouped.
#[derive(Debug, Default)]
struct SetCounts {
    several: Vec<u32>,
    ones: usize,
}

impl SetCounts {
    fn restart(&mut self, ones: usize) {
        self.several.clear();
        self.ones = ones;
    }

    /// Counts two rows, which are in one combination or in two.
    fn push_pair(&mut self, together: bool) {
        if together { self.several.push(2) } else { self.ones += 2 }
    }

    fn push(&mut self, count: u32) {
        match count {
            0 => {}
            1 => self.ones += 1,
            several => self.several.push(several),
        }
    }
}

/// Visits all sets with the same choice among the first variables.
struct Visit<'a> {
    vars: &'a [Codes<'a>],
    /// The variables in the order in which sets are extended.
    order: &'a [usize],
    value: ValueOfSet<'a>,
    go_on: GoOn<'a>,
    values: &'a mut [f64],
    /// The groups of the set and of the smaller sets it was made from.
    levels: Vec<Groups>,
    /// The number of sets visited since the last look at whether to go on, and of rows counted for them.
    visited: u64,
    rows: usize,
}

impl Visit<'_> {
    /// Visits all sets that have exactly these of the first `divided` variables; returns whether it went on to the end.
    fn all_with(&mut self, prefix: usize, divided: usize) -> bool {
        let rows = self.vars[0].codes.len();
        let n = self.order.len();
        let mut groups = match rows {
            1 => Groups { ones: 1, ..Groups::default() },
            _ => Groups { rows: (0..rows as u32).collect(), sizes: vec![rows as u32], ones: 0 },
        };
        let mut set = 0;
        for place in (0..divided).filter(|place| prefix >> (divided - 1 - place) & 1 == 1) {
            let mut finer = Groups::default();
            finer.divide(&groups, self.vars[self.order[place]]);
            groups = finer;
            set |= 1 << self.order[place];
        }
        self.values[0] = (self.value)(set, &groups.sizes, groups.ones);
        self.levels = (0..=n).map(|_| Groups::default()).collect();
        self.levels[0] = groups;
        let mut counts = <[SetCounts; 3]>::default();
        self.extend(0, divided, set, 0, &mut counts)
    }

    /// Visits all sets that extend the one at this depth by variables from `first` on.
    fn extend(
        &mut self,
        depth: usize,
        first: usize,
        set: u64,
        place: usize,
        counts: &mut [SetCounts; 3],
    ) -> bool {
        let n = self.order.len();
        for next in first..n - 2 {
            let (smaller, larger) = self.levels.split_at_mut(depth + 1);
            let v = self.order[next];
            larger[0].divide(&smaller[depth], self.vars[v]);
            let (set, place) = (set | 1 << v, place | 1 << (n - 1 - next));
            self.values[place] = (self.value)(set, &larger[0].sizes, larger[0].ones);
            if !self.extend(depth + 1, next + 1, set, place, counts) {
                return false;
            }
        }
        let (x, y) = (self.order[n - 2], self.order[n - 1]);
        count_two(&self.levels[depth], self.vars[x], self.vars[y], counts);
        // This set and three that extend it.
        self.visited += 4;
        self.rows += 2 * self.levels[depth].rows.len();
        if self.rows > STRIDE {
            self.rows = 0;
            if !(self.go_on)(std::mem::take(&mut self.visited)) {
                return false;
            }
        }
        let sets = [(set | 1 << x, place | 2), (set | 1 << y, place | 1), (set | 1 << x | 1 << y, place | 3)];
        for ((set, place), counts) in sets.into_iter().zip(counts) {
            self.values[place] = (self.value)(set, &counts.several, counts.ones);
        }
        true
    }
}

/// The counts of groups divided by X, by Y and by both.
fn count_two(groups: &Groups, x: Codes<'_>, y: Codes<'_>, [by_x, by_y, by_both]: &mut [SetCounts; 3]) {
    [&mut *by_x, &mut *by_y, &mut *by_both].into_iter().for_each(|counts| counts.restart(groups.ones));
    let mut table = vec![0u32; x.levels * y.levels];
    let mut of_y = vec![0u32; y.levels];
    let mut rest = &groups.rows[..];
    for &size in &groups.sizes {
        let (group, others) = rest.split_at(size as usize);
        rest = others;
        if let [a, b] = *group {
            let same = |v: Codes<'_>| v.codes[a as usize] == v.codes[b as usize];
            by_x.push_pair(same(x));
            by_y.push_pair(same(y));
            by_both.push_pair(same(x) && same(y));
            continue;
        }
        for &row in group {
            let (x, y_code) = (x.codes[row as usize], y.codes[row as usize]);
            table[usize::from(x) * y.levels + usize::from(y_code)] += 1;
        }
        for cells in table.chunks_exact_mut(y.levels) {
            let mut of_x = 0;
            for (cell, of_y) in cells.iter_mut().zip(&mut of_y) {
                let count = std::mem::take(cell);
                of_x += count;
                *of_y += count;
                by_both.push(count);
            }
            by_x.push(of_x);
        }
        of_y.iter_mut().for_each(|count| by_y.push(std::mem::take(count)));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::random::Sequence;

    /// A value that tells all counts from each other, whatever their order.
    fn fingerprint(set: u64, several: &[u32], ones: usize) -> f64 {
        let of = |&n: &u32| f64::from(n) * f64::from(n) * f64::from(n);
        (set as f64) * 1e9 + several.iter().map(of).sum::<f64>() + ones as f64
    }

    #[test]
    fn every_set_has_the_counts_of_its_rows() {
        let mut random = Sequence::new(5);
        for n in 2..=8 {
            for rows in [1, 2, 3, 40, 200] {
                let levels: Vec<usize> = (0..n).map(|_| 1 + random.below(5)).collect();
                let codes: Vec<Vec<u8>> = levels
                    .iter()
                    .map(|&levels| (0..rows).map(|_| random.below(levels) as u8).collect())
                    .collect();
                let vars: Vec<Codes<'_>> =
                    codes.iter().zip(&levels).map(|(codes, &levels)| Codes { codes, levels }).collect();
                let found = every_set(&vars, &fingerprint, &|_| true).unwrap();
                for set in 0..1u64 << n {
                    let mut counts: HashMap<Vec<u8>, u32> = HashMap::new();
                    (0..rows).for_each(|row| {
                        let key = (0..n).filter(|v| set >> v & 1 == 1).map(|v| codes[v][row]).collect();
                        *counts.entry(key).or_default() += 1;
                    });
                    let several: Vec<u32> = counts.values().copied().filter(|&count| count > 1).collect();
                    let ones = counts.len() - several.len();
                    assert_eq!(found[set as usize], fingerprint(set, &several, ones), "{n} {rows} {set:b}");
                }
            }
        }
    }

    #[test]
    fn it_can_be_stopped() {
        use std::sync::atomic::{AtomicU64, Ordering};
        let codes: Vec<u8> = (0..40_000).map(|row| (row % 2) as u8).collect();
        for n in [2, 6, 12] {
            let vars = vec![Codes { codes: &codes, levels: 2 }; n];
            assert!(every_set(&vars, &fingerprint, &|_| false).is_none());
            // It is asked while it works, and told of every set.
            let (asked, told) = (AtomicU64::new(0), AtomicU64::new(0));
            let go_on = |sets| {
                asked.fetch_add(1, Ordering::Relaxed);
                told.fetch_add(sets, Ordering::Relaxed);
                true
            };
            assert!(every_set(&vars, &fingerprint, &go_on).is_some());
            assert_eq!(told.into_inner(), 1 << n);
            assert!(n < 12 || asked.into_inner() > 2 * 32);
        }
    }
}
