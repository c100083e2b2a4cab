//! The rows split by a target and a set, ready to count one candidate after another.

use std::cell::Cell;

use smallvec::SmallVec;

use super::bits::{BitColumn, BitStrata};
use super::counter::Counter;
use super::gaps::{gap_levels, known_configurations, known_shape, leave_out, leave_out_gaps};
use super::kept_tables::SmallTables;
use super::kernel::{Kernel, Shape};
use super::occurring::OccurringStrata;
use super::octets::OctetScratch;
use super::parts::StrataInParts;
use super::row_bits::AtOnce;
use super::same_set::SameSet;
use super::scatter::CodedStrata;
use super::set_counts::NumberedStrata;
use super::sparse::SparseStrata;
use super::table::Counts;
use super::terms::LogTerms;
use crate::data::Var;

/// The rows split by (Z, T), which all candidates of a sweep share. Made by [`Counter::stratify`].
///
/// Each kernel has a form of the strata, made when the first candidate needs it.
#[derive(Debug)]
pub struct Strata<'a> {
    pub(super) counter: &'a Counter<'a>,
    pub(super) t: Var,
    pub(super) z: &'a [Var],
    /// The number of candidates that will probably be counted.
    pub(super) candidates: usize,
    /// The shape of a table whose candidate has one level.
    pub(super) shape: Shape,
    /// The shape of the previous candidate's table, and the kernel chosen for it.
    choice: Cell<Option<(Shape, Kernel)>>,
    /// The same for the counts of sets.
    pub(super) choice_for_sets: Cell<Option<(Shape, Option<Kernel>)>>,
    /// Whether values of the target or the set are missing.
    pub(super) gaps: bool,
    pub(super) ready: Ready,
    pub(super) scratch: &'a mut Scratch,
}

/// What has been made so far for these strata.
#[derive(Debug, Default)]
pub(super) struct Ready {
    pub(super) bits: bool,
    codes: bool,
    sparse: bool,
    /// The numbers of the configurations that occur.
    pub(super) numbered: bool,
    /// The margins of the dense table.
    margins: bool,
    /// The sums over the strata of the bitmaps.
    pub(super) terms: bool,
}

impl Ready {
    /// Whether a kernel has its strata.
    pub(super) fn has(&self, kernel: Kernel) -> bool {
        match kernel {
            Kernel::Bits => self.bits,
            Kernel::Scatter => self.codes,
            Kernel::Sparse => self.sparse,
        }
    }
}

/// The tables of one thread, refilled rather than reallocated.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) bits: Kept<BitStrata>,
    pub(super) codes: Kept<CodedStrata>,
    sparse: Kept<SparseStrata>,
    pub(super) occurring: Kept<OccurringStrata>,
    /// Those of a target and a set, and of the set.
    pub(super) numbered: Kept<NumberedStrata>,
    pub(super) numbered_margins: Kept<NumberedStrata>,
    pub(super) dense_counts: Counts,
    pub(super) sparse_counts: Counts,
    pub(super) same_set: SameSet,
    pub(super) in_parts: StrataInParts,
    pub(super) kept_tables: SmallTables,
    /// Those of the candidates of a sweep.
    pub(super) terms: Vec<LogTerms>,
    pub(super) octets: OctetScratch,
    pub(super) at_once: AtOnce,
}

/// Strata, and the variables they split by, so that they need not be made again.
#[derive(Debug, Default)]
pub(super) struct Kept<S> {
    pub(super) strata: S,
    counter: u64,
    vars: SmallVec<[Var; 8]>,
}

impl<S> Kept<S> {
    pub(super) fn holds(&self, counter: &Counter<'_>, vars: &[&[Var]]) -> bool {
        self.counter == counter.id() && self.vars.iter().eq(vars.iter().copied().flatten())
    }

    pub(super) fn make(&mut self, counter: &Counter<'_>, vars: &[&[Var]], fill: impl FnOnce(&mut S)) {
        if !self.holds(counter, vars) {
            // If filling panics, nothing is kept.
            self.counter = 0;
            fill(&mut self.strata);
            self.counter = counter.id();
            self.vars.clear();
            vars.iter().for_each(|part| self.vars.extend_from_slice(part));
        }
    }

    /// Makes strata for a single use; they are not kept.
    fn make_once(&mut self, fill: impl FnOnce(&mut S)) {
        self.counter = 0;
        fill(&mut self.strata);
    }
}

impl Scratch {
    pub(super) fn make_bits(&mut self, counter: &Counter<'_>, vars: &[&[Var]]) {
        self.bits.make(counter, vars, |strata| {
            let columns = vars.iter().copied().flatten().map(|&v| counter.bits(v));
            strata.fill(counter.simd(), &columns.collect::<SmallVec<[&BitColumn; 8]>>());
        });
    }

    pub(super) fn make_codes(&mut self, counter: &Counter<'_>, vars: &[&[Var]]) {
        self.codes.make(counter, vars, |strata| {
            let columns = vars.iter().copied().flatten().map(|&v| counter.coded(v));
            strata.fill(counter.simd(), counter.data().rows(), columns);
        });
    }

    /// Lets the codes of the rows have the sizes of the strata, if the bitmaps of the same strata are there. No value of
    /// these variables may be missing.
    pub(super) fn share_sizes(&mut self, counter: &Counter<'_>, vars: &[&[Var]]) {
        if self.bits.holds(counter, vars) {
            self.codes.strata.know_sizes(self.bits.strata.sizes());
        }
    }
}

impl CodedStrata {
    /// Fills the cells of a candidate, from its exceptions if it has few.
    pub(super) fn count_candidate(
        &mut self,
        counter: &Counter<'_>,
        x: Var,
        turned: usize,
        cells: &mut [u32],
    ) {
        match counter.exceptions(x) {
            Some(few) => self.count_exceptions(counter.counting(), few, counter.levels(x), turned, cells),
            None => self.count(counter.counting(), counter.coded(x), turned, cells),
        }
    }
}

/// The number of combinations of levels; `usize::MAX` if it does not fit.
pub(super) fn configurations(counter: &Counter<'_>, vars: &[Var]) -> usize {
    vars.iter().map(|&v| counter.levels(v)).fold(1, usize::saturating_mul)
}

/// The number of configurations of a set that share the level of its first member.
pub(super) fn block(counter: &Counter<'_>, z: &[Var]) -> usize {
    configurations(counter, z.get(1..).unwrap_or_default())
}

pub(super) fn shape(counter: &Counter<'_>, t: Var, z: &[Var]) -> Shape {
    let levels = |v: &Var| counter.levels(*v);
    let (rows, configurations) = (counter.data().rows(), configurations(counter, z));
    Shape {
        rows,
        x: 1,
        t: levels(&t),
        z: configurations,
        widest: z.iter().map(levels).fold(levels(&t), usize::max),
        strata: known_configurations(counter, z).saturating_mul(counter.known_levels(t)),
        increments: rows,
        weighted: counter.data().weights().is_some(),
    }
}

/// The choice of a kernel by hand, for tests and comparisons.
#[cfg(feature = "bench-internals")]
impl Strata<'_> {
    /// Counts a candidate with a given kernel.
    ///
    /// # Panics
    /// If the kernel does not [apply](Strata::applies).
    pub fn count_with(&mut self, kernel: Kernel, x: Var) -> &Counts {
        assert!(self.applies(kernel, x), "{kernel:?} cannot count {:?}", self.shape(x));
        self.count_by(kernel, x)
    }

    /// Whether a kernel can count a candidate in memory proportional to the rows.
    pub fn applies(&self, kernel: Kernel, x: Var) -> bool {
        kernel.applies(self.shape(x))
    }

    /// The kernel that [`Strata::count`] uses for a candidate.
    pub fn choice(&self, x: Var) -> Kernel {
        self.chosen(x)
    }
}

impl<'a> Strata<'a> {
    pub(super) fn new(
        counter: &'a Counter<'a>,
        t: Var,
        z: &'a [Var],
        candidates: usize,
        scratch: &'a mut Scratch,
    ) -> Strata<'a> {
        let gaps = z.iter().chain([&t]).any(|&v| counter.has_gaps(v));
        let (shape, choice, ready) = (shape(counter, t, z), Cell::default(), Ready::default());
        let choice_for_sets = Cell::default();
        Strata { counter, t, z, candidates, shape, choice, choice_for_sets, gaps, ready, scratch }
    }

    /// The shape of the table with a candidate.
    pub(super) fn shape(&self, x: Var) -> Shape {
        let strata = match &self.ready {
            Ready { margins: true, .. } => self.scratch.dense_counts.occurring_strata(),
            Ready { bits: true, .. } => self.scratch.bits.strata.occurring(),
            Ready { numbered: true, .. } => {
                let numbers = self.scratch.numbered.strata.numbers;
                self.shape.strata.min(numbers.end - numbers.begin + numbers.ones)
            }
            _ => self.shape.strata,
        };
        Shape { strata, ..self.shape }.with_candidate(self.counter.levels(x), self.counter.increments(x))
    }

    /// Counts a candidate in a dense table, if its memory is proportional to the rows.
    pub(super) fn count_dense(&mut self, x: Var) -> Option<&Counts> {
        if !Kernel::Scatter.applies(self.shape(x)) {
            return None;
        }
        Some(match self.chosen(x) {
            Kernel::Sparse => self.count_by(Kernel::Scatter, x),
            dense => self.count_by(dense, x),
        })
    }

    /// Counts the candidate X (the first variable of the table), the target T (the second) and Z with the
    /// best kernel.
    pub fn count(&mut self, x: Var) -> &Counts {
        self.count_by(self.chosen(x), x)
    }

    pub(super) fn chosen(&self, x: Var) -> Kernel {
        let shape = self.shape(x);
        match self.choice.get() {
            Some((before, kernel)) if before == shape => kernel,
            _ => {
                let ready = |kernel| self.ready.has(kernel);
                let kernel = Kernel::choose(shape, self.counter.simd(), ready, self.candidates as f64);
                self.choice.set(Some((shape, kernel)));
                kernel
            }
        }
    }

    pub(super) fn count_by(&mut self, kernel: Kernel, x: Var) -> &Counts {
        debug_assert!(x != self.t && !self.z.contains(&x), "the candidate is not in the set");
        match kernel {
            Kernel::Bits => self.count_bits(x),
            Kernel::Scatter => self.count_codes(x),
            Kernel::Sparse => self.count_sparse(x),
        }
    }

    /// The counts without a candidate: those of (T, Z) and those of Z. Zeros may be left out.
    ///
    /// ```
    /// use ossature::counts::Counter;
    /// use ossature::{Column, Dataset, Var, Variable};
    ///
    /// let data = Dataset::new(vec![
    ///     (Variable::new("a", ["0", "1"])?, Column::from_codes([0, 0, 1, 1], 2)),
    ///     (Variable::new("b", ["0", "1"])?, Column::from_codes([0, 1, 1, 1], 2)),
    /// ])?;
    /// let counts = Counter::new(&data).stratify(Var(1), &[Var(0)], |strata| {
    ///     let (family, parents) = strata.margins();
    ///     (family.to_vec(), parents.to_vec())
    /// });
    /// assert_eq!(counts, (vec![1, 1, 0, 2], vec![2, 2]));
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn margins(&mut self) -> (&[u32], &[u32]) {
        if Kernel::Scatter.applies(self.shape) {
            if !std::mem::replace(&mut self.ready.margins, true) {
                self.make_codes();
                let Scratch { codes, dense_counts, .. } = &mut *self.scratch;
                dense_counts.set_strata(self.shape.t, self.shape.z, block(self.counter, self.z));
                let sizes = codes.strata.sizes(self.counter.counting(), self.shape.t * self.shape.z);
                match self.z.iter().chain([&self.t]).any(|&v| self.counter.has_gaps(v)) {
                    false => dense_counts.fill_strata(|yz| yz.copy_from_slice(sizes)),
                    true => {
                        let mut sizes = sizes.to_vec();
                        leave_out(&mut sizes, &gap_levels(self.counter, self.z.iter().chain([&self.t])));
                        dense_counts.shrink(known_shape(self.counter, None, self.t, self.z));
                        dense_counts.fill_strata(|yz| yz.copy_from_slice(&sizes[..yz.len()]));
                    }
                }
            }
            (self.scratch.dense_counts.yz(), self.scratch.dense_counts.z())
        } else {
            self.make_sparse();
            self.scratch.sparse.strata.margins()
        }
    }

    /// Makes the bitmaps of the strata.
    pub(super) fn make_bits(&mut self) {
        if !std::mem::replace(&mut self.ready.bits, true) {
            self.scratch.make_bits(self.counter, &[self.z, &[self.t]]);
        }
    }

    fn count_bits(&mut self, x: Var) -> &Counts {
        self.fill_from_bits(x);
        self.add_up(x)
    }

    /// The cells of a candidate in a dense table without its margins. No value of its variables may be missing.
    pub(super) fn count_cells(&mut self, kernel: Kernel, x: Var) -> &[u32] {
        match kernel {
            Kernel::Bits => self.fill_from_bits(x),
            _ => self.fill_from_codes(x),
        }
        if !std::mem::replace(&mut self.ready.margins, true) {
            self.scratch.dense_counts.add_up_strata();
        }
        self.scratch.dense_counts.xyz()
    }

    fn fill_from_bits(&mut self, x: Var) {
        self.make_bits();
        self.make_room(x);
        let Scratch { bits, dense_counts, .. } = &mut *self.scratch;
        let only = self.z.is_empty().then(|| self.counter.bits(self.t));
        let column = self.counter.bits(x);
        bits.strata.count(self.counter.simd(), only, column, 1, dense_counts.cells_mut());
    }

    /// Makes the codes of the rows.
    pub(super) fn make_codes(&mut self) {
        if !std::mem::replace(&mut self.ready.codes, true) {
            self.scratch.make_codes(self.counter, &[self.z, &[self.t]]);
        }
    }

    fn count_codes(&mut self, x: Var) -> &Counts {
        self.fill_from_codes(x);
        self.add_up(x)
    }

    fn fill_from_codes(&mut self, x: Var) {
        self.make_codes();
        self.make_room(x);
        if !self.gaps && self.counter.increments(x) < self.shape.rows {
            if self.shape.bits_give_sizes(self.counter.simd()) {
                self.make_bits();
            }
            self.scratch.share_sizes(self.counter, &[self.z, &[self.t]]);
        }
        let Scratch { codes, dense_counts, .. } = &mut *self.scratch;
        codes.strata.count_candidate(self.counter, x, 1, dense_counts.cells_mut());
    }

    /// Prepares the dense table for the cells of a candidate.
    fn make_room(&mut self, x: Var) {
        // If values are missing, the margins depend on the candidate.
        self.ready.margins &= !self.meets_gaps(x);
        let counts = &mut self.scratch.dense_counts;
        if !self.ready.margins {
            counts.set_strata(self.shape.t, self.shape.z, block(self.counter, self.z));
        }
        counts.set_candidate(self.counter.levels(x), declared(self.counter, x, self.t));
    }

    /// Completes the dense table with its margins, once its cells are filled.
    fn add_up(&mut self, x: Var) -> &Counts {
        let gaps = self.meets_gaps(x);
        let counts = &mut self.scratch.dense_counts;
        if gaps {
            leave_out_gaps(self.counter, x, self.t, self.z, counts);
        }
        if !std::mem::replace(&mut self.ready.margins, !gaps) {
            counts.add_up_strata();
        }
        counts.add_up();
        counts
    }

    /// Whether values of the target, the set or the candidate are missing.
    pub(super) fn meets_gaps(&self, x: Var) -> bool {
        self.gaps || self.counter.has_gaps(x)
    }

    fn make_sparse(&mut self) {
        if !std::mem::replace(&mut self.ready.sparse, true) {
            let column = |v: &Var| self.counter.coded(*v);
            self.scratch.sparse.make(self.counter, &[self.z, &[self.t]], |strata| {
                strata.fill(self.counter.rows(), column(&self.t), self.z.iter().map(column), &[]);
            });
        }
    }

    /// Makes the strata of the rows in which a candidate is not missing.
    fn make_sparse_for(&mut self, x: Var) {
        self.ready.sparse = false;
        let column = |v: &Var| self.counter.coded(*v);
        self.scratch.sparse.make_once(|strata| {
            let (rows, z) = (self.counter.rows(), self.z.iter().map(column));
            strata.fill(rows, column(&self.t), z, &[column(&x)]);
        });
    }

    fn count_sparse(&mut self, x: Var) -> &Counts {
        match self.counter.has_gaps(x) {
            true => self.make_sparse_for(x),
            false => self.make_sparse(),
        }
        let Scratch { sparse, sparse_counts, .. } = &mut *self.scratch;
        let levels = declared(self.counter, x, self.t);
        sparse.strata.count(self.counter.rows(), self.counter.coded(x), levels, sparse_counts);
        sparse_counts
    }
}

/// The numbers of declared levels of X and Y.
pub(super) fn declared(counter: &Counter<'_>, x: Var, y: Var) -> (usize, usize) {
    (counter.data().cardinality(x), counter.data().cardinality(y))
}
