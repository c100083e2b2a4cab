//! The rows split by a target and a set, ready to count one candidate after the other.

use smallvec::SmallVec;

use super::bits::{BitColumn, BitStrata};
use super::counter::Counter;
use super::kernel::{Kernel, Shape};
use super::scatter::CodedStrata;
use super::sparse::SparseStrata;
use super::table::Counts;
use crate::data::Var;

/// The rows split by (Z, T): what all candidates of a sweep share. Made by [`Counter::stratify`].
///
/// Each kernel's own form of the strata is made when the first candidate needs it.
#[derive(Debug)]
pub struct Strata<'a> {
    counter: &'a Counter<'a>,
    t: Var,
    z: &'a [Var],
    /// The product of the levels of Z.
    configurations: usize,
    /// The most levels that T or a member of Z has.
    widest: usize,
    ready: Ready,
    scratch: &'a mut Scratch,
}

/// What has been made for the strata at hand.
#[derive(Debug, Default)]
struct Ready {
    bits: bool,
    codes: bool,
    sparse: bool,
    /// The margins of the dense table.
    margins: bool,
}

/// The tables of one thread, refilled and not reallocated.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    bits: BitStrata,
    codes: CodedStrata,
    sparse: SparseStrata,
    dense_counts: Counts,
    sparse_counts: Counts,
}

impl<'a> Strata<'a> {
    pub(super) fn new(
        counter: &'a Counter<'a>,
        t: Var,
        z: &'a [Var],
        scratch: &'a mut Scratch,
    ) -> Strata<'a> {
        let levels = |v: &Var| counter.data().cardinality(*v);
        let configurations = z.iter().map(levels).fold(1, usize::saturating_mul);
        let widest = z.iter().map(levels).fold(levels(&t), usize::max);
        Strata { counter, t, z, configurations, widest, ready: Ready::default(), scratch }
    }

    /// The shape of the table with a candidate.
    pub fn shape(&self, x: Var) -> Shape {
        let data = self.counter.data();
        let r = data.cardinality(x);
        Shape {
            rows: data.rows(),
            x: r,
            t: data.cardinality(self.t),
            z: self.configurations,
            widest: self.widest.max(r),
        }
    }

    /// The counts of the candidate X (the first variable of the table), the target T (the second)
    /// and Z, by the kernel that fits best.
    pub fn count(&mut self, x: Var) -> &Counts {
        self.count_with(Kernel::choose(self.shape(x), self.counter.simd()), x)
    }

    /// The same by a given kernel.
    ///
    /// # Panics
    /// If the kernel does not [apply](Kernel::applies).
    pub fn count_with(&mut self, kernel: Kernel, x: Var) -> &Counts {
        debug_assert!(x != self.t && !self.z.contains(&x), "the candidate is not in the set");
        assert!(kernel.applies(self.shape(x)), "{kernel:?} cannot count {:?}", self.shape(x));
        match kernel {
            Kernel::Bits => self.count_bits(x),
            Kernel::Scatter => self.count_codes(x),
            Kernel::Sparse => self.count_sparse(x),
        }
    }

    /// The counts without a candidate: those of (T, Z) and those of Z, zeros included or not.
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
        let levels = self.counter.data().cardinality(self.t);
        let shape = Shape {
            rows: self.counter.data().rows(),
            x: 1,
            t: levels,
            z: self.configurations,
            widest: self.widest,
        };
        if Kernel::Scatter.applies(shape) {
            if !std::mem::replace(&mut self.ready.margins, true) {
                self.make_codes();
                let counts = &mut self.scratch.dense_counts;
                counts.set_strata(levels, self.configurations);
                counts.fill_strata(|yz| self.scratch.codes.sizes(yz));
            }
            (self.scratch.dense_counts.yz(), self.scratch.dense_counts.z())
        } else {
            self.make_sparse();
            self.scratch.sparse.margins()
        }
    }

    fn count_bits(&mut self, x: Var) -> &Counts {
        let (simd, t, x) = (self.counter.simd(), self.counter.bits(self.t), self.counter.bits(x));
        if !std::mem::replace(&mut self.ready.bits, true) {
            let z = self.z.iter().map(|&v| self.counter.bits(v));
            self.scratch.bits.fill(simd, &z.chain([t]).collect::<SmallVec<[&BitColumn; 8]>>());
        }
        self.make_room(x.levels());
        self.scratch.bits.count(simd, t, x, self.z.is_empty(), &mut self.scratch.dense_counts);
        self.add_up()
    }

    /// The code of each row.
    fn make_codes(&mut self) {
        if !std::mem::replace(&mut self.ready.codes, true) {
            self.scratch.codes.fill(self.counter.simd(), self.counter.data(), self.t, self.z);
        }
    }

    fn count_codes(&mut self, x: Var) -> &Counts {
        self.make_codes();
        let (simd, data) = (self.counter.simd(), self.counter.data());
        self.make_room(data.cardinality(x));
        self.scratch.codes.count(simd, data.column(x), data.cardinality(x), &mut self.scratch.dense_counts);
        self.add_up()
    }

    /// Makes the dense table ready for the cells of a candidate of `r` levels.
    fn make_room(&mut self, r: usize) {
        let counts = &mut self.scratch.dense_counts;
        if !self.ready.margins {
            counts.set_strata(self.counter.data().cardinality(self.t), self.configurations);
        }
        counts.set_candidate(r);
    }

    /// The dense table with its margins, once its cells are filled.
    fn add_up(&mut self) -> &Counts {
        let counts = &mut self.scratch.dense_counts;
        if !std::mem::replace(&mut self.ready.margins, true) {
            counts.add_up_strata();
        }
        counts.add_up();
        counts
    }

    fn make_sparse(&mut self) {
        if !std::mem::replace(&mut self.ready.sparse, true) {
            self.scratch.sparse.fill(self.counter.data(), self.t, self.z);
        }
    }

    fn count_sparse(&mut self, x: Var) -> &Counts {
        self.make_sparse();
        let data = self.counter.data();
        self.scratch.sparse.count(data, self.t, x, &mut self.scratch.sparse_counts);
        &self.scratch.sparse_counts
    }
}
