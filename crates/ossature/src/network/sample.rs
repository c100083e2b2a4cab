//! Forward sampling: each variable in turn, given the values of its parents.
//!
//! The rows depend only on the network and the seed. They are drawn in chunks of a fixed size, each with its own
//! generator, made from the seed and the number of the chunk, so that threads can share the work without changing the
//! result, and a longer sample begins with the shorter one. A row takes one random number for each discrete variable
//! and two for each continuous one, in the canonical topological order. For a discrete variable the number is compared
//! with sums of probabilities, and sums and comparisons are the same on every platform; for a continuous one the two
//! numbers become a normal variate by functions of `libm`, which are the same everywhere too.

use std::collections::TryReserveError;
use std::ops::ControlFlow;

use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Distribution, Network, Regression};
use crate::data::{Column, Dataset, Var, Variable};
use crate::error::{Error, Result};
use crate::parallel;
use crate::progress::{Event, Progress};
use crate::random::{generator, normal, scramble, uniform};
use crate::text::count;

/// The number of rows from one generator. Changing it changes every sample.
const CHUNK: usize = 1024;
/// The number of chunks drawn before they are moved into the columns. Samples do not depend on it.
const BATCH: usize = 64;
/// The largest number of values of a sample.
const MAX_VALUES: u64 = 1 << 36;

impl Network {
    /// Draws independent rows from the distribution that the network describes.
    ///
    /// The same network and seed give the same rows on every platform and with any number of
    /// threads, and a larger sample begins with the rows of a smaller one. If it is stopped, in
    /// either way, there is no sample: [`Error::Stopped`].
    ///
    /// ```
    /// use ossature::{Silent, network::catalogue};
    ///
    /// let asia = catalogue::load("asia")?;
    /// let data = asia.sample(2000, 1, &Silent)?;
    /// let smoke = data.require("smoke")?;
    /// let smokers = (0..data.rows()).filter(|&row| data.label(row, smoke) == "yes").count();
    /// assert!((900..1100).contains(&smokers));
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn sample(&self, rows: usize, seed: u64, progress: &dyn Progress) -> Result<Dataset> {
        let size = rows as u128 * self.variables.len().max(1) as u128;
        if size > u128::from(MAX_VALUES) {
            let what = format!("a sample of {}", count(rows, "row"));
            return Err(Error::TooLarge { what, size, limit: MAX_VALUES });
        }
        let mut columns = self.room(rows)?;
        let mut blocks = self.sample_blocks(rows, seed);
        while let Some(chunks) = blocks.next_chunks() {
            parallel::for_each_mut(&mut columns, |v, column| {
                chunks.iter().for_each(|chunk| append(column, &chunk.columns[v]));
            });
            let event = Event::RowsSampled { done: blocks.done as u64, total: rows as u64 };
            if let ControlFlow::Break(_) = progress.report(event) {
                return Err(Error::Stopped);
            }
        }
        Dataset::new(self.variables.iter().cloned().zip(columns).collect())
    }

    /// The same rows a block at a time, for a sample that need not be in memory as a whole.
    ///
    /// ```
    /// use ossature::network::catalogue;
    ///
    /// let asia = catalogue::load("asia")?;
    /// let rows: usize = asia.sample_blocks(200_000, 1).map(|block| block.rows()).sum();
    /// assert_eq!(rows, 200_000);
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn sample_blocks(&self, rows: usize, seed: u64) -> SampleBlocks<'_> {
        SampleBlocks { network: self, sampler: Sampler::new(self), seed, rows, done: 0 }
    }

    /// Columns with room for these rows, if there is enough memory.
    fn room(&self, rows: usize) -> Result<Vec<Column>> {
        let width = |v: &Variable| match v.cardinality() {
            0 => 8,
            1..=256 => 1,
            _ => 2,
        };
        let bytes = |v: &Variable| rows as u128 * width(v);
        let bytes: u128 = self.variables.iter().map(bytes).sum();
        let what = || format!("a sample of {}", count(rows, "row"));
        let failed = |_| Error::Memory { what: what(), bytes };
        // All of it at once first: a system may grant each part of what it does not have as a whole.
        Error::unless_memory(bytes, what)?;
        let column = |v: &Variable| match v.cardinality() {
            0 => reserved(rows).map(Column::Real),
            1..=256 => reserved(rows).map(Column::Narrow),
            _ => reserved(rows).map(Column::Wide),
        };
        self.variables.iter().map(|v| column(v).map_err(failed)).collect()
    }
}

fn reserved<T>(length: usize) -> std::result::Result<Vec<T>, TryReserveError> {
    let mut list = Vec::new();
    list.try_reserve_exact(length)?;
    Ok(list)
}

/// The rows of a sample, a block of them at a time; see [`Network::sample_blocks`].
pub struct SampleBlocks<'a> {
    network: &'a Network,
    sampler: Sampler,
    seed: u64,
    rows: usize,
    done: usize,
}

impl SampleBlocks<'_> {
    fn next_chunks(&mut self) -> Option<Vec<Chunk>> {
        let (start, end) = (self.done, self.rows.min(self.done.saturating_add(BATCH * CHUNK)));
        if start == end {
            return None;
        }
        self.done = end;
        let chunk = |i: usize| {
            let first = start + i * CHUNK;
            self.sampler.chunk(self.seed, (first / CHUNK) as u64, CHUNK.min(end - first))
        };
        Some(parallel::map((end - start).div_ceil(CHUNK), chunk))
    }
}

impl Iterator for SampleBlocks<'_> {
    type Item = Dataset;

    fn next(&mut self) -> Option<Dataset> {
        let chunks = self.next_chunks()?;
        let column = |(v, variable): (usize, &Variable)| {
            let mut column = match variable.is_continuous() {
                true => Column::Real(Vec::new()),
                false => Column::from_codes([], variable.cardinality()),
            };
            chunks.iter().for_each(|chunk| append(&mut column, &chunk.columns[v]));
            (variable.clone(), column)
        };
        // A sample has rows, its codes are those of levels and its numbers finite.
        Dataset::new(self.network.variables.iter().enumerate().map(column).collect()).ok()
    }
}

fn append(column: &mut Column, values: &Drawn) {
    match (column, values) {
        (Column::Narrow(column), Drawn::Codes(codes)) => column.extend(codes.iter().map(|&c| c as u8)),
        (Column::Wide(column), Drawn::Codes(codes)) => column.extend_from_slice(codes),
        (Column::Real(column), Drawn::Numbers(numbers)) => column.extend_from_slice(numbers),
        _ => unreachable!("the values of a variable are of its kind"),
    }
}

/// A network prepared for sampling: the variables in topological order.
struct Sampler {
    steps: Vec<SampleStep>,
}

/// How one variable is drawn.
struct SampleStep {
    var: usize,
    /// Each discrete parent, and the distance of two configurations that differ by one in it.
    parents: Vec<(usize, usize)>,
    law: Law,
}

/// The distribution of the value, for each configuration of the discrete parents.
enum Law {
    /// Row by row, the cumulative probabilities of the levels, and the number of levels.
    Cumulative(Vec<f64>, usize),
    /// Regressions on these continuous parents.
    Regressions(Vec<Regression>, Vec<usize>),
}

/// The values of some rows, one variable after the other.
struct Chunk {
    columns: Vec<Drawn>,
}

/// The values of one variable.
enum Drawn {
    Codes(Vec<u16>),
    Numbers(Vec<f64>),
}

/// One row while it is drawn: the code or the number of each variable.
struct Row {
    codes: Vec<u16>,
    numbers: Vec<f64>,
}

impl Sampler {
    fn new(network: &Network) -> Sampler {
        let order = network.dag().topological_order();
        Sampler { steps: order.into_iter().map(|v| SampleStep::new(network, v)).collect() }
    }

    fn chunk(&self, seed: u64, number: u64, rows: usize) -> Chunk {
        let mut random = generator_of(seed, number);
        let mut columns: Vec<Drawn> = self.steps.iter().map(|_| Drawn::Codes(Vec::new())).collect();
        for step in &self.steps {
            columns[step.var] = match step.law {
                Law::Cumulative(..) => Drawn::Codes(vec![0; rows]),
                Law::Regressions(..) => Drawn::Numbers(vec![0.0; rows]),
            };
        }
        let mut row = Row { codes: vec![0; self.steps.len()], numbers: vec![0.0; self.steps.len()] };
        for r in 0..rows {
            for step in &self.steps {
                let configuration = step.configuration(&row);
                match (&step.law, &mut columns[step.var]) {
                    (Law::Cumulative(cumulative, levels), Drawn::Codes(codes)) => {
                        let row_of_table = &cumulative[configuration * levels..][..*levels];
                        let code = level(row_of_table, uniform(&mut random));
                        row.codes[step.var] = code;
                        codes[r] = code;
                    }
                    (Law::Regressions(regressions, parents), Drawn::Numbers(numbers)) => {
                        let Regression { sd, .. } = regressions[configuration];
                        let mean = regressions[configuration].mean(parents.iter().map(|&p| row.numbers[p]));
                        let number = finite(mean + sd * normal(&mut random));
                        row.numbers[step.var] = number;
                        numbers[r] = number;
                    }
                    _ => unreachable!("the values of a variable are of its kind"),
                }
            }
        }
        Chunk { columns }
    }
}

impl SampleStep {
    fn new(network: &Network, v: Var) -> SampleStep {
        let law = match network.distribution(v) {
            Distribution::Table(table) => {
                let levels = network.cardinality(v);
                let mut cumulative = table.as_slice().to_vec();
                cumulative.chunks_exact_mut(levels).for_each(accumulate);
                Law::Cumulative(cumulative, levels)
            }
            Distribution::Gaussian(gaussian) => {
                let parents = network.continuous_parents(v).map(Var::index).collect();
                Law::Regressions(gaussian.rows().to_vec(), parents)
            }
        };
        let mut stride = 1;
        let mut parents = Vec::new();
        for p in network.discrete_parents(v).rev() {
            parents.push((p.index(), stride));
            stride *= network.cardinality(p);
        }
        SampleStep { var: v.index(), parents, law }
    }

    /// The number of the configuration of the discrete parents in a row.
    fn configuration(&self, row: &Row) -> usize {
        self.parents.iter().map(|&(p, stride)| usize::from(row.codes[p]) * stride).sum()
    }
}

/// The first level whose cumulative probability is above `u`.
fn level(cumulative: &[f64], u: f64) -> u16 {
    cumulative.partition_point(|&c| c <= u) as u16
}

/// The number itself, or the largest finite one if it is too large.
fn finite(x: f64) -> f64 {
    if x.is_nan() { 0.0 } else { x.clamp(-f64::MAX, f64::MAX) + 0.0 }
}

/// Turns probabilities into cumulative sums. The last possible level takes the rounding error, so
/// that an impossible one never occurs.
fn accumulate(row: &mut [f64]) {
    let last = row.iter().rposition(|&p| p > 0.0).unwrap_or_default();
    let mut sum = 0.0;
    for p in row.iter_mut() {
        sum += *p;
        *p = sum;
    }
    row[last..].fill(f64::INFINITY);
}

/// The generator of a chunk.
pub(crate) fn generator_of(seed: u64, chunk: u64) -> Xoshiro256PlusPlus {
    // Both are scrambled, or else the chunks of one seed would be those of another.
    generator(scramble(scramble(seed).wrapping_add(chunk)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impossible_level_is_never_drawn() {
        let mut row = [0.0, 0.3, 0.0, 0.7 - 1e-9, 0.0];
        accumulate(&mut row);
        for (u, drawn) in [(0.0, 1), (0.299, 1), (0.3, 3), (0.99, 3), (1.0 - f64::EPSILON, 3)] {
            assert_eq!(level(&row, u), drawn, "{u}");
        }
    }

    #[test]
    fn a_sample_is_its_blocks_one_after_the_other() {
        let network = crate::network::catalogue::load("asia").unwrap();
        let rows = BATCH * CHUNK + 1500;
        let whole = network.sample(rows, 3, &crate::Silent).unwrap();
        let blocks: Vec<Dataset> = network.sample_blocks(rows, 3).collect();
        assert_eq!(blocks.iter().map(Dataset::rows).collect::<Vec<_>>(), [BATCH * CHUNK, 1500]);
        for v in whole.vars() {
            let codes: Vec<u16> =
                blocks.iter().flat_map(|b| (0..b.rows()).map(move |row| b.column(v).code(row))).collect();
            assert!((0..rows).all(|row| whole.column(v).code(row) == codes[row]));
        }
    }

    #[test]
    fn a_sample_that_is_too_large_for_memory_is_an_error() {
        let network = crate::network::catalogue::load("asia").unwrap();
        // As a number of values it is still accepted, but no machine has as much memory to give at once.
        let failed = network.room(usize::MAX / 16).unwrap_err();
        assert!(matches!(failed, Error::Memory { .. }), "{failed}");
        assert!(failed.to_string().starts_with("not enough memory for a sample of"), "{failed}");
    }

    #[test]
    fn the_chunks_of_one_seed_are_not_those_of_another() {
        assert_ne!(generator_of(1, 0), generator_of(0, 1));
    }
}
