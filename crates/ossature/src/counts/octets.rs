//! Octets: eight candidates at a time, one in each lane of a vector.
//!
//! A sweep asks the same of many candidates. With few rows, most of the time of one candidate is not spent on AND and
//! popcount, but on adding up the lanes of vectors and on looking up n·ln n cell by cell. So the words of eight candidates
//! are put side by side, and each lane counts a candidate of its own: nothing has to be added up across lanes, and the
//! terms of eight cells are looked up at once.
//!
//! Candidates with about the same number of levels share an octet. One with fewer levels than the others has empty sets in
//! place of those that it lacks, which change neither its sums nor its degrees of freedom.

use super::bits::BitColumn;
use super::kept_tables::FEWEST_ROWS;
use super::kernel::Kernel;
use super::nlogn::NLogN;
use super::simd::{BitBlock, LANES, Simd, can_count_octets, fill_octet};
use super::strata::Strata;
use super::terms::LogTerms;
use crate::data::Var;
use smallvec::SmallVec;

/// Candidates with more levels are counted one by one.
pub(super) const MOST_LEVELS: usize = 4;

/// An octet takes as long as this many candidates one by one, or longer.
const FEWEST: usize = 6;

/// The rows of each level of up to eight variables, side by side.
#[derive(Debug, Default)]
pub(super) struct Octet {
    /// The number of levels that are counted: all but the last of the variable that has most.
    pub(super) counted: usize,
    /// The number of blocks of a set of rows.
    pub(super) blocks: usize,
    /// For each 64 rows and each of these levels, the words of the variables.
    pub(super) words: Vec<BitBlock>,
    /// The number of rows of each of these levels of each variable; those of the last level are what is left.
    pub(super) totals: [BitBlock; MOST_LEVELS - 1],
}

/// The sums of the candidates of an octet.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OctetSums {
    /// Over the cells.
    pub(super) xyz: [i64; LANES],
    /// Over the margins of the candidate and Z.
    pub(super) xz: [i64; LANES],
    pub(super) adjusted_df: [u64; LANES],
}

/// The strata of a sweep, as octets are counted in them.
pub(super) struct OctetStrata<'a> {
    /// The sets of rows of all strata.
    pub(super) sets: &'a [BitBlock],
    /// The strata to count in: those that have rows, or all of these but the last, which has what is left of the totals.
    pub(super) which: &'a [u32],
    /// The sizes of all strata of Z and the target, and C_k − 1 for each configuration of Z.
    pub(super) sizes: &'a [u32],
    pub(super) free_y: &'a [u32],
}

/// What counting by octets needs, refilled rather than reallocated.
#[derive(Debug, Default)]
pub(super) struct OctetScratch {
    /// The number of levels of each candidate, and its place among the candidates.
    by_levels: Vec<(usize, u32)>,
    octet: Octet,
    /// For each stratum and each level that is counted, the cells of the variables.
    cells: Vec<BitBlock>,
}

impl Octet {
    /// Becomes the octet of these columns, of which the last has the most levels.
    fn fill(&mut self, simd: Simd, columns: &[&BitColumn]) {
        let last = columns.last().expect("at least one column");
        (self.counted, self.blocks) = (last.levels() - 1, last.blocks());
        self.words.resize(LANES * self.blocks * self.counted, BitBlock::default());
        self.totals = Default::default();
        for (level, totals) in self.totals.iter_mut().enumerate() {
            let with_level = columns.iter().enumerate().filter(|(_, column)| level + 1 < column.levels());
            with_level.for_each(|(lane, column)| totals.0[lane] = column.total(level).into());
        }
        fill_octet(simd, self, columns);
    }
}

impl Strata<'_> {
    /// Fills in the sums of n·ln n of those candidates that are counted by octets, and leaves the others.
    pub(super) fn log_terms_by_octets(&mut self, xs: &[Var], f: &NLogN, all: &mut [LogTerms]) {
        let (counter, Some(terms)) = (self.counter, f.all_terms()) else { return };
        let data = counter.data();
        // With more rows, small tables are kept, and are there already.
        let few_rows = data.rows() < FEWEST_ROWS && data.weights().is_none();
        if xs.len() < FEWEST || !few_rows || !can_count_octets(counter.simd()) {
            return;
        }
        let mut scratch = std::mem::take(&mut self.scratch.octets);
        scratch.by_levels.clear();
        let fits = |&(levels, i): &(usize, u32)| {
            (2..=MOST_LEVELS).contains(&levels) && !self.meets_gaps(xs[i as usize])
        };
        scratch.by_levels.extend(xs.iter().map(|&x| counter.levels(x)).zip(0..).filter(fits));
        // Those with the same number of levels come together.
        if !scratch.by_levels.is_sorted() {
            scratch.by_levels.sort_unstable();
        }
        for eight in scratch.by_levels.chunks(LANES) {
            let (_, one) = eight[eight.len() - 1];
            if eight.len() < FEWEST || self.chosen(xs[one as usize]) != Kernel::Bits {
                continue;
            }
            let columns: SmallVec<[&BitColumn; LANES]> =
                eight.iter().map(|&(_, i)| counter.bits(xs[i as usize])).collect();
            scratch.octet.fill(counter.simd(), &columns);
            let only = self.z.is_empty().then(|| counter.bits(self.t));
            let strata = self.bits_with_terms(f);
            let sums = strata.octet_sums(counter.simd(), only, &scratch.octet, terms, &mut scratch.cells);
            for (lane, &(_, i)) in eight.iter().enumerate() {
                all[i as usize] = strata.of_lane(&sums, lane);
            }
        }
        self.scratch.octets = scratch;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::counts::{Counter, Sweep, Tables};
    use crate::data::{Column, Dataset, Variable};
    use crate::random::mix;

    /// Columns with these numbers of declared levels; the later ones depend on those before them.
    fn table(rows: usize, levels: &[u16], seed: u64) -> Dataset {
        let mut before = vec![0; rows];
        let columns = levels.iter().enumerate().map(|(i, &levels)| {
            let name = Variable::new(format!("v{i:02}"), (0..levels).map(|level| level.to_string())).unwrap();
            for (row, code) in (0..).zip(&mut before) {
                let random = mix(seed, &[i as u64, row]);
                // The last level is rare, so that often some configuration does not occur.
                *code = if random.is_multiple_of(3) {
                    *code % levels
                } else {
                    ((random >> 8) % 64) as u16 % levels
                };
                *code = if *code + 1 == levels && random % 16 > 1 { 0 } else { *code };
            }
            (name, Column::from_codes(before.iter().copied(), usize::from(levels)))
        });
        Dataset::new(columns.collect()).unwrap()
    }

    proptest! {
        #[test]
        fn octets_add_up_like_single_tables(
            rows in prop_oneof![1usize..700, 1000usize..1300],
            levels in prop::collection::vec(prop_oneof![1u16..4, 1u16..7], 3..30),
            given in 0usize..4,
            seed: u64,
        ) {
            let data = table(rows, &levels, seed);
            let (counter, f) = (Counter::new(&data), NLogN::new(rows));
            let mut vars: Vec<Var> = data.vars().collect();
            vars.rotate_left(seed as usize % levels.len());
            let (given, others) = vars.split_at(given.min(levels.len() - 2));
            let sweep = Sweep { target: others[0], candidates: &others[1..], given };
            let mut found = Vec::new();
            counter.batch_log_terms(&[sweep], &f, &mut |some| found.extend_from_slice(some));
            prop_assert_eq!(found.len(), sweep.candidates.len());
            for (&x, found) in sweep.candidates.iter().zip(found) {
                let mut terms = LogTerms::default();
                Tables::count(&counter, x, sweep.target, given, &mut |counts| terms = LogTerms::of(counts, &f));
                prop_assert_eq!(found, terms, "{:?}", x);
            }
        }
    }
}
