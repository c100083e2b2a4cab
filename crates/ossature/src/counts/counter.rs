//! A dataset prepared for counting.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::alone::{count_alone, log_terms_alone};
use super::bits::{BitColumn, MAX_BIT_LEVELS};
use super::digits::WeightDigits;
use super::distinct::WhenAsked;
use super::kept_tables::count_ahead;
use super::nlogn::NLogN;
use super::observed::{Coded, Exceptions, Observed};
use super::row_bits::RowBits;
use super::simd::Simd;
use super::strata::{Scratch, Strata};
use super::table::Counts;
use super::tables::Sweep;
use super::terms::LogTerms;
use super::weights::{Counting, WeightedRows};
use crate::data::{Dataset, Var};

thread_local! {
    /// Each thread reuses its tables from one request to the next.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Counts combinations of levels in a dataset, from any number of threads. A clone shares the prepared
/// columns.
///
/// ```
/// use ossature::counts::Counter;
/// use ossature::{Column, Dataset, Silent, Var, Variable};
///
/// let data = Dataset::new(vec![
///     (Variable::new("a", ["0", "1"])?, Column::from_codes([0, 0, 1, 1], 2)),
///     (Variable::new("b", ["0", "1"])?, Column::from_codes([0, 1, 1, 1], 2)),
/// ])?;
/// let counter = Counter::new(&data);
/// let cells = counter.stratify(Var(0), &[], |strata| strata.count(Var(1)).xyz().to_vec());
/// assert_eq!(cells, [1, 1, 0, 2]);
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Counter<'a> {
    data: &'a Dataset,
    /// Each column is prepared when it is first counted.
    columns: Arc<[OnceLock<Observed>]>,
    simd: Simd,
    /// Whether tables have cells for levels that do not occur.
    all_levels: bool,
    /// Distinguishes the strata of this counter from those of others in the tables of a thread.
    id: u64,
    /// The distinct rows, for a counter of rows that may be equal.
    distinct: Option<Arc<WhenAsked>>,
    /// The digits of the weights, for a counter of distinct rows.
    digits: Option<Arc<WeightDigits>>,
    /// The rows as bits, once they are needed; `None` if they are too many.
    row_bits: Arc<OnceLock<Option<RowBits>>>,
}

/// The prepared columns of a counter without its dataset, so that one struct can own both.
#[derive(Debug)]
pub(super) struct PreparedColumns {
    columns: Arc<[OnceLock<Observed>]>,
    simd: Simd,
    all_levels: bool,
    id: u64,
    digits: Option<Arc<WeightDigits>>,
}

impl PreparedColumns {
    /// The counter again; `data` is the dataset it was made from.
    pub(super) fn counter<'a>(&self, data: &'a Dataset) -> Counter<'a> {
        let &PreparedColumns { ref columns, simd, all_levels, id, ref digits } = self;
        let (columns, digits) = (columns.clone(), digits.clone());
        Counter { data, columns, simd, all_levels, id, distinct: None, digits, row_bits: Arc::default() }
    }
}

impl<'a> Counter<'a> {
    /// Prepares a dataset for counting.
    pub fn new(data: &'a Dataset) -> Counter<'a> {
        Counter::with(data, Simd::detect())
    }

    /// Like [`new`](Counter::new), with vector instructions no better than `simd`; for tests and comparisons.
    #[cfg(feature = "bench-internals")]
    pub fn with_simd(data: &'a Dataset, simd: Simd) -> Counter<'a> {
        Counter::with(data, simd.min(Simd::detect()))
    }

    pub(super) fn with(data: &'a Dataset, simd: Simd) -> Counter<'a> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let columns = data.vars().map(|_| OnceLock::new()).collect();
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let distinct = data.weights().is_none().then(Arc::default);
        Counter {
            data,
            columns,
            simd,
            all_levels: false,
            id,
            distinct,
            digits: None,
            row_bits: Arc::default(),
        }
    }

    /// Like [`new`](Counter::new), with cells in every table for all levels, whether or not they occur. The
    /// tables of several such counters have the same cells.
    pub(super) fn with_all_levels(data: &'a Dataset) -> Counter<'a> {
        Counter { all_levels: true, distinct: None, ..Counter::new(data) }
    }

    /// The same with the digits of the weights, so that bitmaps can count the rows.
    pub(super) fn with_digits(self) -> Counter<'a> {
        let digits = self.data.weights().map(|weights| WeightDigits::new(weights, self.columns.len()));
        Counter { digits: digits.map(Arc::new), ..self }
    }

    /// The prepared columns, without the dataset.
    pub(super) fn into_prepared(self) -> PreparedColumns {
        let Counter { columns, simd, all_levels, id, digits, .. } = self;
        PreparedColumns { columns, simd, all_levels, id, digits }
    }

    /// Says that this many tables are asked for. With many, the distinct rows are found.
    pub(super) fn ask_for(&self, tables: usize) {
        if let Some(distinct) = &self.distinct {
            distinct.ask(self, tables);
        }
    }

    /// A counter of the distinct rows, if there is one.
    pub(super) fn of_distinct_rows(&self) -> Option<Counter<'_>> {
        self.distinct.as_ref()?.counter()
    }

    /// What `ask` returns for the counter of the distinct rows, or for this one.
    pub(super) fn with_fewest_rows<T>(&self, ask: impl FnOnce(&Counter<'_>) -> T) -> T {
        match self.of_distinct_rows() {
            Some(distinct) => ask(&distinct),
            None => ask(self),
        }
    }

    /// The digits of the weights, if bitmaps can count the rows by them.
    pub(super) fn digits(&self) -> Option<&WeightDigits> {
        self.digits.as_deref()
    }

    /// The dataset.
    pub fn data(&self) -> &'a Dataset {
        self.data
    }

    /// The rows and their weights.
    pub(super) fn rows(&self) -> WeightedRows<'a> {
        WeightedRows { rows: self.data.rows(), weights: self.data.weights() }
    }

    /// The instructions to count with, and the weights of the rows.
    pub(super) fn counting(&self) -> Counting<'a> {
        Counting { simd: self.simd, weights: self.data.weights() }
    }

    /// The vector instructions in use.
    pub(super) fn simd(&self) -> Simd {
        self.simd
    }

    /// Splits the rows by the target `t` and the set `z`, and lets `count` ask for candidates.
    ///
    /// The target, the members of `z` and the candidates must be different variables.
    ///
    /// # Panics
    /// If `count` itself uses this or another counter: the tables of the thread are in use.
    pub fn stratify<T>(&self, t: Var, z: &[Var], count: impl FnOnce(&mut Strata<'_>) -> T) -> T {
        self.stratify_for(usize::MAX, t, z, count)
    }

    /// [`stratify`](Counter::stratify) for about this many candidates.
    pub(super) fn stratify_for<T>(
        &self,
        candidates: usize,
        t: Var,
        z: &[Var],
        count: impl FnOnce(&mut Strata<'_>) -> T,
    ) -> T {
        SCRATCH.with_borrow_mut(|scratch| count(&mut Strata::new(self, t, z, candidates, scratch)))
    }

    /// Counts a single table: X, Y and the configurations of Z.
    ///
    /// The rows are split by all variables but the last member of `z`, and the strata are kept. So a loop
    /// that keeps X and Y and changes only the last member of the set costs as little as a sweep.
    ///
    /// # Panics
    /// If `use_counts` itself uses this or another counter: the tables of the thread are in use.
    ///
    /// ```
    /// use ossature::counts::Counter;
    /// use ossature::{Column, Dataset, Var, Variable};
    ///
    /// let data = Dataset::new(vec![
    ///     (Variable::new("a", ["0", "1"])?, Column::from_codes([0, 0, 1, 1], 2)),
    ///     (Variable::new("b", ["0", "1"])?, Column::from_codes([0, 1, 1, 1], 2)),
    ///     (Variable::new("c", ["0", "1"])?, Column::from_codes([0, 1, 1, 0], 2)),
    /// ])?;
    /// let margins = Counter::new(&data).count(Var(0), Var(1), &[Var(2)], |counts| counts.xz().to_vec());
    /// assert_eq!(margins, [1, 1, 1, 1]);
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn count<T>(&self, x: Var, y: Var, z: &[Var], use_counts: impl FnOnce(&Counts) -> T) -> T {
        SCRATCH.with_borrow_mut(|scratch| use_counts(count_alone(self, x, y, z, scratch)))
    }

    /// The sums of n·ln n over a single table of X, Y and the configurations of Z. If bitmaps count it, the
    /// table itself is not built.
    pub(super) fn log_terms_of_rows(&self, x: Var, y: Var, z: &[Var], f: &NLogN) -> LogTerms {
        SCRATCH.with_borrow_mut(|scratch| log_terms_alone(self, x, y, z, scratch, f))
    }

    /// Announces questions about all of these variables, one by one.
    pub(super) fn foresee_same(&self, vars: impl Iterator<Item = Var>) {
        SCRATCH.with_borrow_mut(|scratch| scratch.same_set.announce(self.id, vars));
    }

    /// Whether a question about the same variables as this one was announced.
    pub(super) fn foresaw_same(&self, x: Var, y: Var, z: &[Var]) -> bool {
        SCRATCH.with_borrow(|scratch| scratch.same_set.is_about(self.id, x, y, z))
    }

    /// Counts tables that will be asked for, if it is best to count them together.
    pub(super) fn count_ahead(&self, sweeps: &[Sweep<'_>]) {
        SCRATCH.with_borrow_mut(|scratch| count_ahead(self, sweeps, scratch));
    }

    /// The number of levels of a variable that occur; missing values count as a level.
    pub(super) fn levels(&self, v: Var) -> usize {
        self.observed(v).levels()
    }

    /// The number of levels of a variable that occur, not counting missing values.
    pub(super) fn known_levels(&self, v: Var) -> usize {
        self.levels(v) - usize::from(self.has_gaps(v))
    }

    /// Whether a variable has missing values.
    pub(super) fn has_gaps(&self, v: Var) -> bool {
        self.data.gaps(v) > 0
    }

    /// The codes of a variable, numbered by the levels that occur.
    pub(super) fn coded(&self, v: Var) -> Coded<'_> {
        self.observed(v).coded(self.data.column(v))
    }

    /// The rows in which a variable does not have its usual level, if they are few.
    pub(super) fn exceptions(&self, v: Var) -> Option<&Exceptions> {
        self.observed(v).exceptions(self.data.column(v))
    }

    /// The number of increments that count a candidate: one for each row, or one for each exception.
    pub(super) fn increments(&self, v: Var) -> usize {
        self.observed(v).exceptional(self.data.rows()).unwrap_or(self.data.rows())
    }

    /// The bitmaps of a variable.
    pub(super) fn bits(&self, v: Var) -> &BitColumn {
        self.observed(v).bits(self.simd, self.data.column(v))
    }

    /// The rows as bits, unless that takes too much memory. Variables with missing values or too many levels have no places.
    pub(super) fn row_bits(&self) -> Option<&RowBits> {
        let has_bits = |v: &Var| !self.has_gaps(*v) && self.levels(*v) <= MAX_BIT_LEVELS;
        let make = || {
            let levels = self.data.vars().map(|v| Some(v).filter(has_bits).map_or(0, |v| self.levels(v)));
            RowBits::new(self.data.rows(), &levels.collect::<Vec<_>>(), |v| self.bits(v))
        };
        self.row_bits.get_or_init(make).as_ref()
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    fn observed(&self, v: Var) -> &Observed {
        self.columns[v.index()].get_or_init(|| {
            let (column, levels) = (self.data.column(v), self.data.cardinality(v));
            match self.all_levels {
                false => Observed::new(self.simd, column, levels, self.has_gaps(v)),
                true => Observed::with_all_levels(self.simd, column, levels, self.has_gaps(v)),
            }
        })
    }
}
