//! Sweeps of `bdh` of which only high values are wanted.
//!
//! Most candidates are not good enough, and that can be seen without the exact sums. With the excess of a count n over
//! n ln a, a term of a family is
//!
//! ```text
//! T(X, B) + D(b, s) − LL_B = T(X, B) + Σ_jk excess(n_jk, s b_jk) − Σ_j excess(n_j, s)
//! ```
//!
//! because Σ_jk n_jk ln b_jk = LL_B. All tables of fewer parents are margins of the table of the family, so one table is
//! enough for a candidate that is not the weakest parent, too: its base of all parents but the weakest contains the
//! candidate, and the T of that base is found in the same way, from the margin. The exact value is computed only if this
//! one, with a margin for its errors, reaches the bar.

mod listed;

use smallvec::SmallVec;

use super::excess::{ExcessBase, complete, error, sums};
use super::hierarchical::{Alone, Hierarchical, OneParent, Parents, Prepared, mean, stronger};
use super::lanes::{LOGS, Lanes, STRENGTHS};
use crate::counts::{Counts, Sweep, TableAxis};
use crate::data::Var;

/// Values below the bar.
const LOW: f64 = f64::NEG_INFINITY;

/// ln 10^8: what is left out is much less than the errors of single precision.
const SMALL: f64 = 18.420_680_743_952_367;

/// What the candidates of a sweep share.
struct Bounded<'a> {
    score: &'a Hierarchical<'a>,
    alone: &'a Alone,
    strongest: &'a OneParent,
    /// T of the first parents, by their number; those that are asked for.
    firsts: Vec<f64>,
    /// The number of levels of each parent.
    levels: SmallVec<[usize; 8]>,
    /// The cells of the present table from 2 on, and the bases of those that have their own.
    cells: Vec<(u32, u32)>,
    bases: Vec<ExcessBase>,
}

/// A table of counts by configuration of some parents, level of the variable and level of the candidate, which changes
/// fastest.
struct DenseTable {
    cells: Vec<u32>,
    /// The number of levels of the variable, and of the candidate.
    y: usize,
    x: usize,
}

impl DenseTable {
    /// The table without the last parent, which has so many levels.
    fn without_last(&self, levels: usize) -> DenseTable {
        DenseTable { cells: self.summed(levels, self.y * self.x), ..*self }
    }

    /// The counts by configuration of the parents and level of the candidate.
    fn configurations(&self) -> Vec<u32> {
        self.summed(self.y, self.x)
    }

    /// The cells added up over a variable with so many levels, whose neighbouring levels are `inner` apart.
    fn summed(&self, levels: usize, inner: usize) -> Vec<u32> {
        let mut sums = Vec::with_capacity(self.cells.len() / levels.max(1));
        TableAxis { levels, inner }.add_up(&self.cells, &mut sums, |n| n);
        sums
    }

    /// 1 / b for each cell, as the base of a table with more parents.
    fn inverses(&self, configurations: &[u32]) -> Vec<f64> {
        let of = |at: usize| configurations[at / (self.y * self.x) * self.x + at % self.x];
        self.cells.iter().enumerate().map(|(at, &n)| f64::from(of(at)) / f64::from(n)).collect()
    }

    /// 1 / b for each configuration of the parents and level of the variable, as the base without the candidate.
    fn inverses_of_parents(&self) -> Vec<f64> {
        let mut inverses = Vec::with_capacity(self.cells.len() / self.x.max(1));
        for some in self.cells.chunks_exact(self.y * self.x) {
            let rows = f64::from(some.iter().sum::<u32>());
            inverses.extend(some.chunks_exact(self.x).map(|row| rows / f64::from(row.iter().sum::<u32>())));
        }
        inverses
    }
}

/// The bases of a family beside that of no parents.
struct Bases<'b> {
    /// T of the strongest parent; whether it is the candidate, whose 1 / b these are by cell of a configuration.
    one: f64,
    candidate: Option<&'b [f64]>,
    /// T of all parents but the weakest, if these are several.
    whole: Option<(f64, Inverses<'b>)>,
}

/// 1 / b of all parents but the weakest.
enum Inverses<'b> {
    /// Without the candidate: by configuration and level of the variable.
    Parents(&'b [f64]),
    /// Without the last parent, which has so many levels: by cell of the table without it.
    Cells(&'b [f64], usize),
}

impl Bounded<'_> {
    /// T from the sums over the cells; `configurations` are the counts of all parents.
    fn value(&self, configurations: &[u32], sums: &[f64], one: f64, whole: Option<f64>) -> f64 {
        let mut rows = Lanes::default();
        self.score.sums.take_strengths(configurations, &mut rows);
        let n = self.score.rows as f64;
        let mut values: SmallVec<[f64; 15]> = SmallVec::new();
        let bases = [Some(self.alone.crossed), Some(one), whole];
        for (t, sum) in
            bases.into_iter().zip(sums.chunks(STRENGTHS.len())).filter_map(|(t, sum)| t.map(|t| (t, sum)))
        {
            values.extend((0..STRENGTHS.len()).map(|i| t + sum[i] + (rows[i] + n * LOGS[i])));
        }
        nearly_mean(&values)
    }

    /// T of a family whose weakest parent is the candidate.
    fn of_last(&mut self, counts: &Counts, form: &BoundedForm, whole: Option<f64>) -> f64 {
        let cells = &mut self.cells;
        cells.clear();
        counts.for_each_count(|n, place| {
            if n > 1 {
                cells.push((n, place as u32));
            }
        });
        let sums = sums(self.score.sums.simd(), cells, &form.places);
        self.value(counts.xz(), &sums, self.firsts[1], whole)
    }

    /// T of a family in which the candidate comes after this number of stronger parents, and all others after it;
    /// `single` is its T alone. `None` if the table does not have the expected form.
    fn of_within(&mut self, counts: &Counts, stronger: usize, single: f64) -> Option<f64> {
        if counts.is_listed() {
            return self.of_within_listed(counts, stronger, single);
        }
        let configurations = self.levels.iter().product::<usize>();
        if counts.z().len() != configurations {
            return None;
        }
        let (x, y) = (counts.xz().len() / configurations, counts.yz().len() / configurations);
        if y != self.alone.levels {
            return None;
        }
        let mut tables = vec![DenseTable { cells: counts.xyz().to_vec(), y, x }];
        for place in (stronger..self.levels.len()).rev() {
            tables.push(tables.last()?.without_last(self.levels[place]));
        }
        // The smallest table: the candidate is its weakest parent.
        let mut table = tables.pop()?;
        let mut configurations = table.configurations();
        let (mut value, mut of_candidate) = (single, None);
        if stronger > 0 {
            let inverses = if stronger > 1 { table.inverses_of_parents() } else { Vec::new() };
            let whole = (stronger > 1).then(|| (self.firsts[stronger], Inverses::Parents(&inverses)));
            let bases = Bases { one: self.firsts[1], candidate: None, whole };
            value = self.of_dense(&table, &configurations, stronger, bases);
        } else {
            of_candidate = Some(table.inverses(&configurations));
        }
        for parents in stronger + 1..=self.levels.len() {
            let inverses = if parents > 1 { table.inverses(&configurations) } else { Vec::new() };
            let whole = (parents > 1).then(|| (value, Inverses::Cells(&inverses, self.levels[parents - 1])));
            let one = if stronger > 0 { self.firsts[1] } else { single };
            table = tables.pop()?;
            configurations = table.configurations();
            let bases = Bases { one, candidate: of_candidate.as_deref(), whole };
            value = self.of_dense(&table, &configurations, parents, bases);
        }
        Some(value)
    }

    /// T of the family of a table with this number of parents beside the candidate.
    fn of_dense(
        &mut self,
        table: &DenseTable,
        configurations: &[u32],
        parents: usize,
        bases: Bases<'_>,
    ) -> f64 {
        let Bounded { score, alone, strongest, cells, bases: of_cells, levels, .. } = self;
        cells.clear();
        of_cells.clear();
        let (y, x) = (table.y, table.x);
        let block: usize = levels[1..parents].iter().product();
        for (z, some) in table.cells.chunks_exact(y * x).enumerate() {
            for (cell, &n) in some.iter().enumerate().filter(|(_, n)| **n > 1) {
                let level = cell / x;
                let pair = z / block * y + level;
                let one = match bases.candidate {
                    Some(inverses) => inverses[cell],
                    None => strongest.terms.inverse(pair),
                };
                let whole = match &bases.whole {
                    None => 0.0,
                    Some((_, Inverses::Parents(inverses))) => inverses[z * y + level],
                    Some((_, Inverses::Cells(inverses, levels))) => inverses[z / levels * (y * x) + cell],
                };
                cells.push((n, of_cells.len() as u32));
                of_cells.push(ExcessBase::new([alone.terms.inverse(level), one, whole], n));
            }
        }
        let simd = score.sums.simd();
        complete(simd, of_cells);
        let sums = sums(simd, cells, of_cells);
        self.value(configurations, &sums, bases.one, bases.whole.map(|(value, _)| value))
    }
}

/// ln of the mean of the exponentials, without those that are less than 10^-8 of the largest.
fn nearly_mean(values: &[f64]) -> f64 {
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let far = values.iter().filter(|value| **value > largest - SMALL);
    let sum: f64 = far.map(|value| libm::exp(value - largest)).sum();
    largest + libm::log(sum / values.len() as f64)
}

/// What is known of each position in one form of the tables of a sweep.
struct BoundedForm {
    listed: bool,
    /// The bases at each position.
    places: Vec<ExcessBase>,
    /// What exact values need, once there are some.
    exact: Option<Prepared>,
}

impl BoundedForm {
    /// `whole` says whether all parents are a separate base.
    fn new(counts: &Counts, bounded: &Bounded<'_>, whole: bool) -> BoundedForm {
        let mut places = vec![ExcessBase::new([0.0; 3], 0); counts.yz().len()];
        counts.for_each_stratum(|at, s| {
            if s.rows > 0 {
                let pair = s.first * bounded.alone.levels + s.level;
                let all = if whole { f64::from(s.of) / f64::from(s.rows) } else { 0.0 };
                let one = bounded.strongest.terms.inverse(pair);
                places[at] = ExcessBase::new([bounded.alone.terms.inverse(s.level), one, all], s.rows);
            }
        });
        complete(bounded.score.sums.simd(), &mut places);
        BoundedForm { listed: counts.is_listed(), places, exact: None }
    }
}

impl Hierarchical<'_> {
    /// The values of a sweep with at least one parent; those below the bar may be lower.
    pub(super) fn above(
        &self,
        child: Var,
        parents: &[Var],
        candidates: &[Var],
        bar: f64,
        out: &mut Vec<f64>,
    ) {
        let price = self.prices[parents.len() + 1];
        let strengths = self.singles(child, candidates);
        let sorted = self.sorted(child, parents);
        let order: Parents = sorted.iter().map(|(_, v)| *v).collect();
        let after = |i: usize| {
            sorted
                .iter()
                .take_while(|parent| stronger(**parent, (strengths[i], candidates[i])).is_lt())
                .count()
        };
        let after: Vec<usize> = (0..candidates.len()).map(after).collect();
        let mut firsts = vec![0.0; parents.len() + 1];
        firsts[1] = sorted[0].0;
        for k in 2..=parents.len() {
            // Those that a table of some candidate has as a base.
            if k == parents.len() || after.contains(&k) {
                firsts[k] = self.value(child, &order[..k]);
            }
        }
        let alone = self.alone(child);
        let strongest = self.strongest(child, order[0]);
        let whole = (parents.len() > 1).then(|| firsts[parents.len()]);
        let levels: SmallVec<[usize; 8]> = order.iter().map(|&v| self.alone(v).levels).collect();
        let start = out.len();
        out.resize(start + candidates.len(), LOW);
        // The candidates of the tables to come, the next one last, and those whose exact value is wanted.
        let mut asked: Vec<usize> = (0..candidates.len()).rev().collect();
        let mut open: Vec<usize> = Vec::new();
        // Each table that a value depends on has its errors.
        let slack = (parents.len() + 1) as f64 * (error(self.rows) + 2.0 * self.sums.rounding(self.rows));
        let reaches = |value: f64| value + slack >= bar + price;
        let (cells, bases) = (Vec::new(), Vec::new());
        let mut bounded = Bounded { score: self, alone, strongest: &strongest, firsts, levels, cells, bases };
        let (mut forms, mut cells): (SmallVec<[BoundedForm; 2]>, Vec<_>) = (SmallVec::new(), Vec::new());
        let look = &mut |counts: &Counts| {
            let i = asked.pop().expect("a table for each candidate");
            if after[i] < parents.len() {
                if bounded.of_within(counts, after[i], strengths[i]).is_none_or(reaches) {
                    open.push(i);
                }
                return;
            }
            let place = forms.iter().position(|form| form.listed == counts.is_listed());
            let place = place.unwrap_or_else(|| {
                forms.push(BoundedForm::new(counts, &bounded, whole.is_some()));
                forms.len() - 1
            });
            if reaches(bounded.of_last(counts, &forms[place], whole)) {
                let exact = forms[place].exact.get_or_insert_with(|| {
                    self.prepared(counts, alone.levels, whole.map(|value| (value, 0)))
                });
                let terms = self.of_table(counts, alone, Some(&*strongest), exact, &mut cells);
                out[start + i] = self.grid.round(mean(&terms)) - price;
            }
        };
        self.tables.sweep(Sweep { target: child, candidates, given: &order }, look);
        // With these the weakest parent stays the last.
        for i in open {
            let mut all = order.clone();
            all.insert(after[i], candidates[i]);
            out[start + i] = self.value(child, &all) - price;
        }
    }
}
