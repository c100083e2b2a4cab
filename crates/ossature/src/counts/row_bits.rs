//! The counts of all candidates of a sweep at once.
//!
//! Where there are many strata and many candidates, intersecting each stratum with each level takes long. Here a row is a
//! list of bits, one for each level of each variable but the last level, and the rows of a stratum are added up place by
//! place: 512 places at a time, where a block holds one binary digit of 512 sums. That takes about as long for many strata
//! as for few.

use std::ops::Range;

use super::bits::BitColumn;
use super::kernel::Kernel;
use super::set_counts::{CountsOfSet, LookAtSets};
use super::simd::{BLOCK_WORDS, PLACES, Simd, add_rows};
use super::strata::{Scratch, Strata};
use crate::data::Var;

/// The largest number of bytes for the bits of all rows.
const ROOM: usize = 8 << 20;

/// The largest number of rows: their numbers have 16 bits.
const MAX_ROWS: usize = (1 << 16) - 1;

/// The rows of a dataset, each as bits.
#[derive(Debug)]
pub(super) struct RowBits {
    /// Row after row, and a block behind them.
    words: Vec<u64>,
    /// The first word, which is where a cache line begins.
    begin: usize,
    /// The number of words of a row: whole blocks.
    stride: usize,
    /// The places of each variable: of all its levels but the last.
    places: Vec<Range<usize>>,
}

/// Some blocks of every row.
#[derive(Debug, Clone, Copy)]
struct Span {
    /// The word of a row where the first begins.
    word: usize,
    blocks: usize,
}

impl RowBits {
    /// The rows of variables with so many levels, 0 for those that shall have no places; `None` if that takes too much
    /// memory.
    pub(super) fn new<'c>(
        rows: usize,
        levels: &[usize],
        column: impl Fn(Var) -> &'c BitColumn,
    ) -> Option<RowBits> {
        let mut end = 0;
        let places = levels.iter().map(|levels| {
            let first = end;
            end += levels.saturating_sub(1);
            first..end
        });
        let places: Vec<Range<usize>> = places.collect();
        let stride = end.div_ceil(PLACES).max(1) * BLOCK_WORDS;
        if rows > MAX_ROWS || rows * stride * size_of::<u64>() > ROOM {
            return None;
        }
        let mut words = vec![0; rows * stride + 2 * BLOCK_WORDS];
        let begin = words.as_ptr().align_offset(BLOCK_WORDS * size_of::<u64>()).min(BLOCK_WORDS);
        let of_place: Vec<(&BitColumn, usize)> = (places.iter().enumerate())
            .flat_map(|(v, places)| (0..places.len()).map(move |level| (v, level)))
            .map(|(v, level)| (column(Var::new(v)), level))
            .collect();
        for (word, columns) in of_place.chunks(64).enumerate() {
            for (i, rows) in words[begin..][..rows * stride].chunks_mut(64 * stride).enumerate() {
                let mut square = [0; 64];
                let lines = square.iter_mut().zip(columns);
                lines.for_each(|(line, (column, level))| *line = column.word(*level, i));
                transpose(&mut square);
                rows.chunks_exact_mut(stride).zip(square).for_each(|(row, bits)| row[word] = bits);
            }
        }
        Some(RowBits { words, begin, stride, places })
    }

    /// The blocks with the places of these variables; `None` if they have none.
    fn span(&self, xs: &[Var]) -> Option<Span> {
        let places = || xs.iter().map(|x| &self.places[x.index()]).filter(|places| !places.is_empty());
        let word = places().map(|places| places.start).min()? / 64;
        let end = places().map(|places| places.end).max()?;
        Some(Span { word, blocks: (end - 64 * word).div_ceil(PLACES) })
    }

    /// The words from some block of the first row on.
    fn words_from(&self, span: Span, block: usize) -> &[u64] {
        // The last block may end with the first words of the next row, which nobody looks at.
        &self.words[self.begin + span.word + block * BLOCK_WORDS..]
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
    /// [`count_sets`](Strata::count_sets) of all these candidates.
    pub(super) fn count_all_sets(&mut self, xs: &[Var], margins: bool, look: LookAtSets<'_>) {
        match self.rows_at_once(xs, margins) {
            Some((rows, span)) => self.count_at_once(rows, span, xs, margins, look),
            None => xs.iter().for_each(|&x| self.count_sets(x, margins, look)),
        }
    }

    /// The rows as bits, if it is best to count these candidates at once.
    fn rows_at_once(&self, xs: &[Var], margins: bool) -> Option<(&'a RowBits, Span)> {
        let (counter, shape, candidates) = (self.counter, self.shape, xs.len());
        if self.gaps || candidates == 0 || !Kernel::applies_at_once(shape) {
            return None;
        }
        let levels: usize = xs.iter().map(|&x| counter.levels(x)).sum();
        let increments: usize = xs.iter().map(|&x| counter.increments(x)).sum();
        let usual = shape.with_candidate(levels.div_ceil(candidates), increments / candidates);
        let blocks = levels.saturating_sub(candidates).div_ceil(PLACES);
        if !Kernel::prefers_at_once(usual, blocks, counter.simd(), candidates, margins) {
            return None;
        }
        let rows = counter.row_bits()?;
        Some((rows, rows.span(xs)?))
    }

    /// Counts all candidates that have places at once, and the others one by one.
    fn count_at_once(&mut self, rows: &RowBits, span: Span, xs: &[Var], margins: bool, look: LookAtSets<'_>) {
        self.make_codes();
        let Scratch { codes, at_once, .. } = &mut *self.scratch;
        let mut at_once = std::mem::take(at_once);
        let counting = self.counter.counting();
        let (codes, sizes) = codes.strata.codes_and_sizes(counting, self.shape.t * self.shape.z);
        at_once.add_up(counting.simd, rows, span, codes, sizes);
        if margins {
            at_once.add_up_margins(span.blocks, sizes, self.shape.t);
        }
        for &x in xs {
            match rows.places[x.index()].clone() {
                places if places.is_empty() => self.count_sets(x, margins, look),
                places => {
                    let first = places.start - 64 * span.word;
                    let joint = at_once.joint.cells(span.blocks, first, places.len());
                    look(joint, margins.then(|| at_once.margins.cells(span.blocks, first, places.len())));
                }
            }
        }
        self.scratch.at_once = at_once;
    }
}

impl AtOnce {
    /// Adds up the rows of each stratum that has any: their codes, and the numbers of rows of each code.
    fn add_up(&mut self, simd: Simd, rows: &RowBits, span: Span, codes: &[u16], sizes: &[u32]) {
        let AtOnce { order, next, joint: AddedUp { sizes: occurring, counts, .. }, .. } = self;
        let mut end = 0;
        next.clear();
        next.extend(sizes.iter().map(|&size| {
            end += size;
            end - size
        }));
        order.resize(codes.len(), 0);
        for (row, &code) in codes.iter().enumerate() {
            let next = &mut next[usize::from(code)];
            order[*next as usize] = row as u16;
            *next += 1;
        }
        occurring.clear();
        occurring.extend(sizes.iter().filter(|&&size| size > 0));
        counts.resize(occurring.len() * span.blocks, [0; PLACES]);
        let mut order = &order[..];
        for (&size, counts) in occurring.iter().zip(counts.chunks_exact_mut(span.blocks)) {
            let (which, others) = order.split_at(size as usize);
            order = others;
            for (block, counts) in counts.iter_mut().enumerate() {
                add_rows(simd, rows.words_from(span, block), rows.stride, which, counts);
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
    use crate::counts::set_counts::tests::sorted;
    use crate::counts::{Counter, Sweep, Tables};
    use crate::data::{Column, Dataset, Variable};
    use crate::random::{Sequence, below, generator};

    fn named(v: usize, levels: usize) -> Variable {
        Variable::new(format!("v{v:03}"), (0..levels).map(|level| level.to_string())).unwrap()
    }

    type Found = Vec<(Vec<u32>, Option<Vec<u32>>)>;

    fn expected(counter: &Counter<'_>, sweep: Sweep<'_>, margins: bool) -> Found {
        let mut expected = Vec::new();
        counter.sweep(sweep, &mut |counts| {
            let xz = margins.then(|| sorted(CountsOfSet::all(counts.xz())));
            expected.push((sorted(CountsOfSet::all(counts.xyz())), xz));
        });
        expected
    }

    proptest! {
        /// Few and many rows, several blocks, levels that do not occur, variables without places because of their levels or
        /// of missing values; the candidates in any order and with others between them.
        #[test]
        fn every_candidate_has_the_counts_of_its_table(
            rows in prop_oneof![1usize..40, 200usize..1200],
            given in 0usize..4,
            variables in prop::sample::select(vec![6usize, 40, 300]),
            first in 0usize..20,
            step in 1usize..4,
            in_order: bool,
            margins: bool,
            seed: u64,
        ) {
            let mut random = generator(seed);
            let columns = (0..variables).map(|v| {
                let levels = [2, 3, 4, 6, 40, 1, 70, 3][below(&mut random, if v < 4 { 3 } else { 8 })];
                let gaps = v > 4 && below(&mut random, 8) == 0;
                let mut code = || below(&mut random, levels).min(below(&mut random, levels)) as u16;
                let codes = (0..rows).map(|row| if gaps && row % 5 == 0 { None } else { Some(code()) });
                (named(v, levels), Column::with_gaps(codes.collect::<Vec<_>>(), levels))
            });
            let data = Dataset::with_gaps(columns.collect()).unwrap();
            let vars: Vec<Var> = data.vars().collect();
            let mut candidates: Vec<Var> = vars[given + 1..].iter().copied().skip(first).step_by(step).collect();
            if !in_order {
                Sequence::new(seed).shuffle(&mut candidates);
            }
            let sweep = Sweep { target: vars[0], given: &vars[1..=given], candidates: &candidates };
            for simd in [Simd::Portable, Simd::Avx2, Simd::Avx512] {
                let counter = Counter::with(&data, simd.min(Simd::detect()));
                let expected = expected(&counter, sweep, margins);
                let mut found = Vec::new();
                let look = &mut |joint: CountsOfSet<'_>, rest: Option<CountsOfSet<'_>>| found.push((sorted(joint), rest.map(sorted)));
                let bits = counter.row_bits().unwrap();
                match bits.span(&candidates) {
                    Some(span) => counter.stratify(sweep.target, sweep.given, |strata| {
                        strata.count_at_once(bits, span, &candidates, margins, look);
                    }),
                    None => counter.sweep_sets(sweep, margins, look),
                }
                prop_assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn a_wide_sweep_is_counted_at_once_and_a_narrow_one_is_not() {
        let mut random = generator(3);
        let columns = (0..200).map(|v| {
            let codes: Vec<u16> = (0..1000).map(|_| below(&mut random, 3) as u16).collect();
            (named(v, 3), Column::from_codes(codes, 3))
        });
        let data = Dataset::new(columns.collect()).unwrap();
        let vars: Vec<Var> = data.vars().collect();
        let counter = Counter::new(&data);
        for (candidates, at_once) in [(&vars[4..], true), (&vars[4..6], false)] {
            let sweep = Sweep { target: vars[0], given: &vars[1..4], candidates };
            let chosen = counter.stratify_for(candidates.len(), vars[0], sweep.given, |strata| {
                strata.rows_at_once(candidates, true).is_some()
            });
            assert_eq!(chosen, at_once);
            let mut found = Vec::new();
            counter.sweep_sets(sweep, true, &mut |joint, rest| found.push((sorted(joint), rest.map(sorted))));
            assert_eq!(found, expected(&counter, sweep, true));
        }
    }

    #[test]
    fn the_largest_table_has_row_numbers_of_16_bits_and_a_larger_one_no_bits() {
        for rows in [MAX_ROWS - 1, MAX_ROWS, MAX_ROWS + 1] {
            let column =
                |v: usize| (named(v, 2), Column::from_codes((0..rows).map(|row| (row >> v & 1) as u16), 2));
            let data = Dataset::new((0..3).map(column).collect()).unwrap();
            let counter = Counter::new(&data);
            let (Some(bits), xs) = (counter.row_bits(), [Var(1), Var(2)]) else {
                assert!(rows > MAX_ROWS);
                continue;
            };
            assert!(rows <= MAX_ROWS);
            let mut found = Vec::new();
            let look =
                &mut |joint: CountsOfSet<'_>, _: Option<CountsOfSet<'_>>| found.push((sorted(joint), None));
            counter.stratify(Var(0), &[], |strata| {
                strata.count_at_once(bits, bits.span(&xs).unwrap(), &xs, false, look);
            });
            assert_eq!(
                found,
                expected(&counter, Sweep { target: Var(0), given: &[], candidates: &xs }, false)
            );
        }
    }

    #[test]
    fn rows_that_need_too_much_room_have_no_bits_and_no_column_is_asked_for() {
        let levels = vec![64; 2000];
        assert!(RowBits::new(1000, &levels, |_| unreachable!("there is no room")).is_none());
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
