//! The counts of all candidates of a sweep at once.
//!
//! Where there are many strata and many candidates, intersecting each stratum with each level takes long. Here a row is a
//! list of bits, one for each level of each variable but the last level, and the rows of a stratum are added up place by
//! place: 512 places at a time, with a bit of each sum in one block. That takes about as long for many strata as for few.

use std::ops::Range;

use super::bits::BitColumn;
use super::kernel::Kernel;
use super::set_counts::{CountsOfSet, LookAtSets};
use super::simd::{BitBlock, PLACES, Simd, add_rows};
use super::strata::{Scratch, Strata};
use crate::data::Var;

/// The largest number of bytes for the bits of all rows.
const ROOM: usize = 8 << 20;

/// The largest number of rows: their numbers have 16 bits.
const MAX_ROWS: usize = (1 << 16) - 1;

/// The rows of a dataset, each as bits.
#[derive(Debug)]
pub(super) struct RowBits {
    /// Row after row.
    rows: Vec<BitBlock>,
    /// The number of blocks of a row.
    blocks: usize,
    /// The places of each variable: of all its levels but the last.
    places: Vec<Range<usize>>,
}

impl RowBits {
    /// The rows of these columns, some of which may have no places; `None` if that takes too much memory.
    pub(super) fn new(rows: usize, columns: &[Option<&BitColumn>]) -> Option<RowBits> {
        let mut end = 0;
        let mut counted = Vec::new();
        let places = columns.iter().map(|column| {
            let levels = 0..column.map_or(0, |column| column.levels().saturating_sub(1));
            counted
                .extend(column.iter().flat_map(|column| levels.clone().map(move |level| (*column, level))));
            end += levels.len();
            end - levels.len()..end
        });
        let places: Vec<Range<usize>> = places.collect();
        let blocks = end.div_ceil(PLACES).max(1);
        if rows > MAX_ROWS || rows * blocks * size_of::<BitBlock>() > ROOM {
            return None;
        }
        let mut bits = vec![BitBlock::default(); rows * blocks];
        for (word, counted) in counted.chunks(64).enumerate() {
            for (i, rows) in bits.chunks_mut(64 * blocks).enumerate() {
                let mut square = [0; 64];
                square
                    .iter_mut()
                    .zip(counted)
                    .for_each(|(line, (column, level))| *line = column.word(*level, i));
                transpose(&mut square);
                for (row, bits) in rows.chunks_exact_mut(blocks).zip(square) {
                    row[word / 8].0[word % 8] = bits;
                }
            }
        }
        Some(RowBits { rows: bits, blocks, places })
    }

    /// The blocks with the places of these variables, which are in order.
    fn blocks(&self, xs: &[Var]) -> Range<usize> {
        let [Some(first), Some(last)] = [xs.first(), xs.last()] else { return 0..0 };
        self.places[first.index()].start / PLACES..self.places[last.index()].end.div_ceil(PLACES)
    }
}

/// Bit j of word i becomes bit i of word j: the upper right and the lower left quarter change places, then those of each
/// quarter, and so on.
fn transpose(square: &mut [u64; 64]) {
    let (mut width, mut right) = (32, u64::MAX >> 32);
    while width > 0 {
        for i in (0..64).filter(|i| i & width == 0) {
            let differ = (square[i] >> width ^ square[i + width]) & right;
            square[i] ^= differ << width;
            square[i + width] ^= differ;
        }
        width /= 2;
        right ^= right << width;
    }
}

/// What a thread needs to count all candidates at once.
#[derive(Debug, Default)]
pub(super) struct AtOnce {
    /// The rows, stratum after stratum.
    order: Vec<u16>,
    /// Where the next row of each stratum comes in that order.
    next: Vec<u32>,
    joint: AddedUp,
    margins: AddedUp,
}

/// For each stratum that has rows, its size and how many of its rows have a bit at each place.
#[derive(Debug, Default)]
struct AddedUp {
    sizes: Vec<u32>,
    /// Some blocks of each stratum.
    counts: Vec<[u16; PLACES]>,
    cells: Vec<u32>,
}

impl<'a> Strata<'a> {
    /// [`count_sets`](Strata::count_sets) of all these candidates, which are in order.
    pub(super) fn count_all_sets(&mut self, xs: &[Var], margins: bool, look: LookAtSets<'_>) {
        match self.rows_at_once(xs, margins) {
            Some(rows) => self.count_at_once(rows, xs, margins, look),
            None => xs.iter().for_each(|&x| self.count_sets(x, margins, look)),
        }
    }

    /// The rows as bits, if it is best to count these candidates at once.
    fn rows_at_once(&self, xs: &[Var], margins: bool) -> Option<&'a RowBits> {
        let (counter, shape, candidates) = (self.counter, self.shape, xs.len());
        if self.gaps || candidates == 0 || !Kernel::applies_at_once(shape) {
            return None;
        }
        let places: usize = xs.iter().map(|&x| counter.levels(x)).sum();
        let increments: usize = xs.iter().map(|&x| counter.increments(x)).sum();
        let usual = shape.with_candidate(places.div_ceil(candidates), increments / candidates);
        let blocks = places.div_ceil(PLACES);
        if !Kernel::prefers_at_once(usual, blocks, counter.simd(), candidates, margins) {
            return None;
        }
        counter.row_bits().filter(|rows| !rows.blocks(xs).is_empty())
    }

    /// Counts all candidates that have places at once.
    fn count_at_once(&mut self, rows: &RowBits, xs: &[Var], margins: bool, look: LookAtSets<'_>) {
        self.make_codes();
        let Scratch { codes, at_once, .. } = &mut *self.scratch;
        let mut at_once = std::mem::take(at_once);
        let (counting, blocks) = (self.counter.counting(), rows.blocks(xs));
        let (codes, sizes) = codes.strata.codes_and_sizes(counting, self.shape.t * self.shape.z);
        at_once.add_up(counting.simd, rows, blocks.clone(), codes, sizes);
        if margins {
            at_once.add_up_margins(blocks.len(), sizes, self.shape.t);
        }
        for &x in xs {
            match rows.places[x.index()].clone() {
                places if places.is_empty() => self.count_sets(x, margins, look),
                places => {
                    let first = places.start - blocks.start * PLACES;
                    let joint = at_once.joint.cells(blocks.len(), first, places.len());
                    look(joint, margins.then(|| at_once.margins.cells(blocks.len(), first, places.len())));
                }
            }
        }
        self.scratch.at_once = at_once;
    }
}

impl AtOnce {
    /// Adds up the rows of each stratum that has any: their codes, and the numbers of rows of each code.
    fn add_up(&mut self, simd: Simd, rows: &RowBits, blocks: Range<usize>, codes: &[u16], sizes: &[u32]) {
        let AtOnce { order, next, joint: AddedUp { sizes: occurring, counts, .. }, .. } = self;
        let mut end = 0;
        next.clear();
        next.extend(sizes.iter().map(|&size| {
            end += size;
            end - size
        }));
        order.resize(codes.len(), 0);
        for (row, &code) in (0..).zip(codes) {
            let next = &mut next[usize::from(code)];
            order[*next as usize] = row;
            *next += 1;
        }
        occurring.clear();
        occurring.extend(sizes.iter().filter(|&&size| size > 0));
        counts.resize(occurring.len() * blocks.len(), [0; PLACES]);
        let mut order = &order[..];
        for (&size, counts) in occurring.iter().zip(counts.chunks_exact_mut(blocks.len())) {
            let (which, others) = order.split_at(size as usize);
            order = others;
            for (block, counts) in blocks.clone().zip(counts) {
                add_rows(simd, &rows.rows[block..], rows.blocks, which, counts);
            }
        }
    }

    /// Adds up the strata that differ in the target only, of which there are `levels`.
    fn add_up_margins(&mut self, blocks: usize, sizes: &[u32], levels: usize) {
        let AddedUp { sizes: of_margins, counts, .. } = &mut self.margins;
        of_margins.clear();
        counts.clear();
        let mut joint = self.joint.counts.chunks_exact(blocks);
        for sizes in sizes.chunks_exact(levels) {
            let mut more = joint.by_ref().take(sizes.iter().filter(|&&size| size > 0).count());
            let Some(first) = more.next() else { continue };
            of_margins.push(sizes.iter().sum());
            let begin = counts.len();
            counts.extend_from_slice(first);
            let sums = counts[begin..].as_flattened_mut();
            more.for_each(|more| sums.iter_mut().zip(more.as_flattened()).for_each(|(sum, n)| *sum += n));
        }
    }
}

impl AddedUp {
    /// The cells of a variable with so many places from the first on.
    fn cells(&mut self, blocks: usize, first: usize, places: usize) -> CountsOfSet<'_> {
        let AddedUp { sizes, counts, cells } = self;
        cells.resize(sizes.len() * (places + 1), 0);
        let (counts, stride) = (&counts.as_flattened()[first..], blocks * PLACES);
        match places {
            1 => put::<1, 2>(sizes, counts, stride, cells),
            2 => put::<2, 3>(sizes, counts, stride, cells),
            3 => put::<3, 4>(sizes, counts, stride, cells),
            _ => {
                let cells = cells.chunks_exact_mut(places + 1);
                let counts = counts.chunks(stride).map(|counts| &counts[..places]);
                sizes
                    .iter()
                    .zip(counts)
                    .zip(cells)
                    .for_each(|((&size, counts), cells)| put_one(size, counts, cells));
            }
        }
        CountsOfSet::all(cells)
    }
}

/// Puts the counts of a variable in its cells, stratum by stratum.
fn put<const PLACES: usize, const LEVELS: usize>(
    sizes: &[u32],
    counts: &[u16],
    stride: usize,
    cells: &mut [u32],
) {
    let cells = cells.as_chunks_mut::<LEVELS>().0;
    let counts = counts.chunks(stride).map(|counts| counts.first_chunk::<PLACES>().expect("all places"));
    sizes.iter().zip(counts).zip(cells).for_each(|((&size, counts), cells)| put_one(size, counts, cells));
}

/// Puts the counts of a stratum in its cells. The last level has the rest of the rows.
#[inline(always)]
fn put_one(size: u32, counts: &[u16], cells: &mut [u32]) {
    let mut rest = size;
    for (cell, &n) in cells.iter_mut().zip(counts) {
        *cell = u32::from(n);
        rest -= u32::from(n);
    }
    cells[counts.len()] = rest;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::counts::Counter;
    use crate::data::{Column, Dataset, Variable};
    use crate::random::{below, generator};

    proptest! {
        /// Few and many rows, several blocks, some levels that do not occur, some variables without places.
        #[test]
        fn every_cell_has_the_number_of_its_rows(
            rows in prop_oneof![1usize..40, 200usize..1200],
            given in 0usize..4,
            wide: bool,
            first in 0usize..20,
            margins: bool,
            seed: u64,
        ) {
            let mut random = generator(seed);
            let variables = if wide { 300 } else { 40 };
            let columns = (0..variables).map(|v| {
                let levels = [2, 3, 4, 6, 40, 1][below(&mut random, if v < 4 { 3 } else { 6 })];
                let codes: Vec<u16> = (0..rows).map(|_| below(&mut random, levels).min(below(&mut random, levels)) as u16).collect();
                let names = (0..levels).map(|level| level.to_string());
                (Variable::new(format!("v{v:03}"), names).unwrap(), Column::from_codes(codes, levels))
            });
            let data = Dataset::new(columns.collect()).unwrap();
            let vars: Vec<Var> = data.vars().collect();
            let (t, z, xs) = (vars[0], &vars[1..=given], &vars[given + 1 + first..]);
            for simd in [Simd::Portable, Simd::Avx2, Simd::Avx512] {
                let counter = Counter::with(&data, simd.min(Simd::detect()));
                let bits = counter.row_bits().unwrap();
                if bits.blocks(xs).is_empty() {
                    continue;
                }
                let mut expected = xs.iter().filter(|x| !bits.places[x.index()].is_empty());
                let mut found = Vec::new();
                counter.stratify(t, z, |strata| strata.count_at_once(bits, xs, margins, &mut |joint, rest| {
                    found.push((joint.counts.to_vec(), joint.ones, rest.map(|rest| rest.counts.to_vec())));
                }));
                prop_assert_eq!(found.len(), xs.len());
                for (&x, (joint, ones, rest)) in xs.iter().zip(&found).filter(|(x, _)| !bits.places[x.index()].is_empty()) {
                    prop_assert_eq!(expected.next(), Some(&x));
                    prop_assert_eq!(*ones, 0);
                    let cells = |vars: &[Var]| {
                        let (levels, mut strata) = (counter.levels(x), std::collections::BTreeMap::new());
                        for row in 0..rows {
                            let code = |v: Var| counter.coded(v).codes.code(row) as usize;
                            let stratum: Vec<usize> = vars.iter().map(|&v| code(v)).collect();
                            strata.entry(stratum).or_insert(vec![0u32; levels])[code(x)] += 1;
                        }
                        strata.into_values().flatten().collect::<Vec<u32>>()
                    };
                    prop_assert_eq!(joint, &cells(&[z, &[t]].concat()));
                    prop_assert_eq!(rest, &margins.then(|| cells(z)));
                }
            }
        }
    }

    #[test]
    fn a_transposed_square_has_rows_as_columns() {
        let mut random = generator(7);
        let square: [u64; 64] = std::array::from_fn(|_| below(&mut random, usize::MAX) as u64);
        let mut transposed = square;
        transpose(&mut transposed);
        for (i, j) in (0..64).flat_map(|i| (0..64).map(move |j| (i, j))) {
            assert_eq!(transposed[j] >> i & 1, square[i] >> j & 1);
        }
    }
}
