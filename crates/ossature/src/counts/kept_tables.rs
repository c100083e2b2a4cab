//! Small tables of many rows, kept for other questions about the same variables.
//!
//! The questions whether X and Y are independent given Z and whether X and Z are given Y have the same table: only its
//! margins differ. A learner with small conditioning sets asks both, and the neighbours of X ask again. So with many rows,
//! tables of three and four variables are kept, and those of questions that are known in advance are counted together,
//! in one pass over the rows.

use std::slice;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::counter::Counter;
use super::kernel::{Kernel, NEAR_BLOCKS, Shape};
use super::nlogn::NLogN;
use super::parts::StrataInParts;
use super::same_set::{MOST_CELLS, QuestionMargins, WholeTable};
use super::simd::BLOCK_ROWS;
use super::strata::{Scratch, shape};
use super::tables::Sweep;
use super::terms::LogTerms;
use crate::data::Var;

/// With fewer rows, counting is as fast as finding a table.
pub(super) const FEWEST_ROWS: usize = 1 << 15;

/// Sweeps with more candidates than this, in all, would replace all tables that are kept.
const MOST_CANDIDATES: usize = 256;

/// The most cells kept by a thread, 16 MiB.
const MOST_KEPT: usize = 1 << 22;

/// Two to four variables, sorted.
type TableVars = SmallVec<[Var; 4]>;

/// The tables of one thread.
#[derive(Debug, Default)]
pub(super) struct SmallTables {
    counter: u64,
    tables: FxHashMap<TableVars, KeptTable>,
    cells: Vec<u32>,
    margins: QuestionMargins,
}

/// Where the cells of a table begin, and its variables in their order there, with their numbers of levels.
#[derive(Debug)]
struct KeptTable {
    start: usize,
    layout: SmallVec<[(Var, usize); 4]>,
}

/// The variables of a question, if its table is kept once it is counted.
pub(super) fn kept_vars(counter: &Counter<'_>, x: Var, y: Var, z: &[Var]) -> Option<TableVars> {
    let data = counter.data();
    // Bitmaps count two variables as fast as a kept table is found, unless they have digits.
    let fewest = if counter.digits().is_some() { 0 } else { 1 };
    let weighted = data.weights().is_some() && counter.digits().is_none();
    if !(fewest..=2).contains(&z.len()) || data.rows() < FEWEST_ROWS || weighted {
        return None;
    }
    let mut vars: TableVars = z.iter().copied().chain([x, y]).collect();
    let cells: usize = vars.iter().map(|&v| counter.levels(v)).product();
    if cells > MOST_CELLS || vars.iter().any(|&v| counter.has_gaps(v)) {
        return None;
    }
    vars.sort_unstable();
    Some(vars)
}

impl SmallTables {
    /// The sums of two of these variables given the others, if their table is kept.
    pub(super) fn log_terms(
        &mut self,
        counter: &Counter<'_>,
        vars: &TableVars,
        x: Var,
        y: Var,
        f: &NLogN,
    ) -> Option<LogTerms> {
        let KeptTable { start, layout } = self.tables.get(vars).filter(|_| self.counter == counter.id())?;
        let cells: usize = layout.iter().map(|(_, levels)| levels).product();
        let (cells, rows) = (&self.cells[*start..start + cells], counter.data().total() as u64);
        let table = WholeTable { layout, cells, xyz: f.sum(cells), rows };
        Some(table.log_terms(x, y, &mut self.margins, f))
    }

    /// Keeps a table of Z, Y and X, the last changing fastest.
    pub(super) fn keep(&mut self, counter: &Counter<'_>, x: Var, y: Var, z: &[Var], cells: &[u32]) {
        if self.counter != counter.id() || self.cells.len() + cells.len() > MOST_KEPT {
            self.counter = counter.id();
            self.tables.clear();
            self.cells.clear();
        }
        if let Some(vars) = kept_vars(counter, x, y, z) {
            let layout = z.iter().copied().chain([y, x]).map(|v| (v, counter.levels(v))).collect();
            self.tables.insert(vars, KeptTable { start: self.cells.len(), layout });
            self.cells.extend_from_slice(cells);
        }
    }

    fn has(&self, counter: &Counter<'_>, vars: &TableVars) -> bool {
        self.counter == counter.id() && self.tables.contains_key(vars)
    }
}

/// Whether a table of this shape is best counted by bitmaps of a few rows at a time.
pub(super) fn prefers_parts(
    counter: &Counter<'_>,
    shape: Shape,
    ready: impl Fn(Kernel) -> bool,
    tables: f64,
) -> bool {
    let Some(digits) = counter.digits() else {
        return Kernel::prefers_parts(shape, counter.simd(), ready, tables);
    };
    // A weighted increment takes about as long as one for each digit.
    let rows = digits.rows().min((NEAR_BLOCKS / shape.strata).max(1) * BLOCK_ROWS);
    let part = Shape { rows, increments: rows, weighted: false, ..shape };
    Kernel::choose(part, counter.simd(), |_| false, 1.0) == Kernel::Bits
}

/// Counts the tables of these sweeps that are not kept yet in one pass over the rows, if that is the best way to count
/// them.
pub(super) fn count_ahead(counter: &Counter<'_>, sweeps: &[Sweep<'_>], scratch: &mut Scratch) {
    let all: usize = sweeps.iter().map(|s| s.candidates.len()).sum();
    if counter.data().rows() < FEWEST_ROWS || all > MOST_CANDIDATES {
        return;
    }
    let (kept, mut new) = (&scratch.kept_tables, FxHashSet::default());
    let mut is_new = |s: &Sweep<'_>, x: Var| {
        let vars = kept_vars(counter, x, s.target, s.given);
        let in_parts = || {
            let shape = shape(counter, s.target, s.given);
            let shape = shape.with_candidate(counter.levels(x), counter.increments(x));
            prefers_parts(counter, shape, |_| false, 1.0)
        };
        vars.is_some_and(|vars| !kept.has(counter, &vars) && in_parts() && new.insert(vars))
    };
    let open =
        |s: &Sweep<'_>| -> Vec<Var> { s.candidates.iter().copied().filter(|&x| is_new(s, x)).collect() };
    let open: Vec<Vec<Var>> = sweeps.iter().map(open).collect();
    let asked: Vec<Sweep<'_>> = sweeps
        .iter()
        .zip(&open)
        .filter(|(_, xs)| !xs.is_empty())
        .map(|(s, xs)| Sweep { candidates: xs, ..*s })
        .collect();
    let Scratch { in_parts, kept_tables, .. } = scratch;
    count_and_keep(counter, &asked, in_parts, kept_tables);
}

/// Counts the tables of these sweeps in one pass over the rows, and keeps them.
pub(super) fn count_and_keep(
    counter: &Counter<'_>,
    sweeps: &[Sweep<'_>],
    in_parts: &mut StrataInParts,
    kept: &mut SmallTables,
) {
    if !sweeps.is_empty() {
        let simd = counter.simd();
        match counter.digits() {
            Some(digits) => {
                in_parts.count(simd, &digits.runs(), sweeps, |v| digits.bits(simd, v, counter.coded(v)));
            }
            None => {
                in_parts.count(simd, &[counter.data().rows()], sweeps, |v| slice::from_ref(counter.bits(v)));
            }
        }
        in_parts.tables(
            sweeps,
            |v| counter.levels(v),
            |s, x, cells| {
                kept.keep(counter, x, s.target, s.given, cells);
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Tables;
    use crate::data::{Column, Dataset, Variable};
    use crate::random::mix;

    fn table(rows: u64) -> Dataset {
        let columns = (0..6u64).map(|i| {
            let name = Variable::new(format!("v{i}"), (0..3).map(|level| level.to_string())).unwrap();
            // The first level is rare, so that some configurations do not occur.
            let code = move |row: u64| (mix(3, &[i, row % 70_001]) % 401 % 20).min(2) as u16;
            (name, Column::from_codes((0..rows).map(code), 3))
        });
        Dataset::new(columns.collect()).unwrap()
    }

    #[test]
    fn tables_counted_ahead_answer_all_questions_about_their_variables() {
        let data = table(250_000);
        let (counter, f) = (Counter::new(&data), NLogN::new(data.rows()));
        let [a, b, c, d, e, _] = [0, 1, 2, 3, 4, 5].map(Var);
        let sweeps = [
            Sweep { target: a, candidates: &[b, d], given: &[c] },
            Sweep { target: a, candidates: &[b, d, e], given: &[c, Var(5)] },
        ];
        let mut scratch = Scratch::default();
        count_ahead(&counter, &sweeps, &mut scratch);
        let mut found = 0;
        for s in sweeps {
            for set in s.candidates.iter().map(|&x| [&[s.target, x], s.given].concat()) {
                for (&x, &y) in
                    set.iter().flat_map(|x| set.iter().map(move |y| (x, y))).filter(|(x, y)| x != y)
                {
                    let z: Vec<Var> = set.iter().copied().filter(|&v| v != x && v != y).collect();
                    let mut counted = LogTerms::default();
                    Tables::count(&counter, x, y, &z, &mut |counts| counted = LogTerms::of(counts, &f));
                    let vars = kept_vars(&counter, x, y, &z).unwrap();
                    let kept = scratch.kept_tables.log_terms(&counter, &vars, x, y, &f);
                    found += usize::from(kept.is_some());
                    assert!(kept.is_none_or(|kept| kept == counted), "{x:?} {y:?} {z:?}");
                    // Asked for in the usual ways.
                    let sweep = Sweep { target: y, candidates: &[x], given: &z };
                    counter.batch_log_terms(&[sweep], &f, &mut |terms| assert_eq!(terms, [counted]));
                    assert_eq!(Tables::log_terms(&counter, x, y, &z, &f), counted);
                }
            }
        }
        assert!(found >= 36, "{found} questions were answered by tables counted ahead");
        assert!(kept_vars(&counter, a, b, &[]).is_none() && kept_vars(&counter, a, b, &[c, d, e]).is_none());
        assert!(
            scratch
                .kept_tables
                .log_terms(&Counter::new(&data), &smallvec::smallvec![a, b, c], a, b, &f)
                .is_none()
        );
    }

    #[test]
    fn tables_of_few_rows_are_not_kept() {
        let data = table(20_000);
        assert!(kept_vars(&Counter::new(&data), Var(0), Var(1), &[Var(2)]).is_none());
    }
}
