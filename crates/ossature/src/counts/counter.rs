//! A dataset made ready for counting.

use std::cell::RefCell;
use std::sync::OnceLock;

use super::bits::{BitColumn, MAX_BIT_LEVELS};
use super::simd::Simd;
use super::strata::{Scratch, Strata};
use crate::data::{Dataset, Var};

thread_local! {
    /// Every thread keeps its tables from one request to the next.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Counts combinations of levels in a dataset, from any number of threads.
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
#[derive(Debug)]
pub struct Counter<'a> {
    data: &'a Dataset,
    /// The bitmaps of a variable are made when it is first counted.
    bits: Vec<OnceLock<BitColumn>>,
    simd: Simd,
}

impl<'a> Counter<'a> {
    /// Makes a dataset ready for counting.
    pub fn new(data: &'a Dataset) -> Counter<'a> {
        Counter::with_simd(data, Simd::detect())
    }

    /// The same, with no better vector instructions than these; for tests and comparisons.
    pub fn with_simd(data: &'a Dataset, simd: Simd) -> Counter<'a> {
        let bits = data.vars().map(|_| OnceLock::new()).collect();
        Counter { data, bits, simd: simd.min(Simd::detect()) }
    }

    /// The dataset.
    pub fn data(&self) -> &'a Dataset {
        self.data
    }

    /// The vector instructions in use.
    pub fn simd(&self) -> Simd {
        self.simd
    }

    /// Splits the rows by the target `t` and the set `z`, and lets `count` ask for candidates.
    ///
    /// The target, the members of `z` and the candidates must be different variables.
    ///
    /// # Panics
    /// If `count` itself calls `stratify`: the tables are in use.
    pub fn stratify<T>(&self, t: Var, z: &[Var], count: impl FnOnce(&mut Strata<'_>) -> T) -> T {
        SCRATCH.with_borrow_mut(|scratch| count(&mut Strata::new(self, t, z, scratch)))
    }

    /// The bitmaps of a variable of few levels.
    pub(super) fn bits(&self, v: Var) -> &BitColumn {
        debug_assert!(self.data.cardinality(v) <= MAX_BIT_LEVELS);
        self.bits[v.index()].get_or_init(|| BitColumn::new(self.data.column(v), self.data.cardinality(v)))
    }
}
