//! Forward sampling: each variable in turn, given the values its parents have got.
//!
//! The rows depend on the network and the seed and on nothing else. They are drawn in chunks of a
//! fixed size, each with a generator of its own that is made from the seed and the number of the
//! chunk, so that threads can share the work without a say in the result, and a longer sample
//! begins with the shorter one. A row takes one number for each variable, in the canonical
//! topological order; that number is compared with sums of probabilities, and sums and comparisons
//! are the same on every platform.

use std::ops::ControlFlow;

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::Network;
use crate::data::{Column, Dataset, Var};
use crate::error::{Error, Result};
use crate::progress::{Event, Progress};
use crate::random::{generator, scramble};

/// Rows from one generator. Changing it changes every sample.
const CHUNK: usize = 1024;
/// Chunks that are drawn before they are put into the columns. Changing it changes nothing.
const BATCH: usize = 64;
/// The most values a sample may have.
const MAX_VALUES: u64 = 1 << 36;

impl Network {
    /// Draws independent rows from the distribution that the network describes.
    ///
    /// The same network and seed give the same rows on every platform and with any number of
    /// threads, and the first rows of a larger sample are those of a smaller one. Stopped from
    /// outside, in either way, there is no sample: [`Error::Stopped`].
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
            let what = format!("a sample of {rows} rows");
            return Err(Error::TooLarge { what, size, limit: MAX_VALUES });
        }
        let sampler = Sampler::new(self);
        let mut columns: Vec<Column> =
            self.variables.iter().map(|v| empty_column(rows, v.cardinality())).collect();
        for start in (0..rows).step_by(BATCH * CHUNK) {
            let end = rows.min(start + BATCH * CHUNK);
            let chunks: Vec<Chunk> = (start..end)
                .into_par_iter()
                .step_by(CHUNK)
                .map(|first| sampler.chunk(seed, (first / CHUNK) as u64, CHUNK.min(end - first)))
                .collect();
            columns.par_iter_mut().enumerate().for_each(|(v, column)| {
                chunks.iter().for_each(|chunk| append(column, chunk.column(v)));
            });
            let event = Event::RowsSampled { done: end as u64, total: rows as u64 };
            if let ControlFlow::Break(_) = progress.report(event) {
                return Err(Error::Stopped);
            }
        }
        Dataset::new(self.variables.iter().cloned().zip(columns).collect())
    }
}

fn empty_column(rows: usize, cardinality: usize) -> Column {
    if cardinality <= 256 {
        Column::Narrow(Vec::with_capacity(rows))
    } else {
        Column::Wide(Vec::with_capacity(rows))
    }
}

fn append(column: &mut Column, codes: &[u16]) {
    match column {
        Column::Narrow(column) => column.extend(codes.iter().map(|&c| c as u8)),
        Column::Wide(column) => column.extend_from_slice(codes),
    }
}

/// A network made ready for drawing: the variables in topological order.
struct Sampler {
    steps: Vec<SampleStep>,
}

/// How one variable is drawn.
struct SampleStep {
    var: usize,
    levels: usize,
    /// Each parent, and how far apart two configurations are that differ by one in it.
    parents: Vec<(usize, usize)>,
    /// Row by row, the probability of each level or one before it.
    cumulative: Vec<f64>,
}

/// The codes of some rows, one variable after the other.
struct Chunk {
    codes: Vec<u16>,
    rows: usize,
}

impl Chunk {
    fn column(&self, v: usize) -> &[u16] {
        &self.codes[v * self.rows..][..self.rows]
    }
}

impl Sampler {
    fn new(network: &Network) -> Sampler {
        let order = network.dag().topological_order();
        Sampler { steps: order.into_iter().map(|v| SampleStep::new(network, v)).collect() }
    }

    fn chunk(&self, seed: u64, number: u64, rows: usize) -> Chunk {
        let mut random = generator_of(seed, number);
        let mut codes = vec![0; self.steps.len() * rows];
        let mut row = vec![0; self.steps.len()];
        for r in 0..rows {
            for step in &self.steps {
                let code = step.draw(&row, uniform(&mut random));
                row[step.var] = code;
                codes[step.var * rows + r] = code;
            }
        }
        Chunk { codes, rows }
    }
}

impl SampleStep {
    fn new(network: &Network, v: Var) -> SampleStep {
        let levels = network.cardinality(v);
        let mut cumulative = network.table(v).as_slice().to_vec();
        cumulative.chunks_exact_mut(levels).for_each(accumulate);
        let mut stride = 1;
        let mut parents = Vec::with_capacity(network.dag().parents(v).len());
        for p in network.dag().parents(v).iter().rev() {
            parents.push((p.index(), stride));
            stride *= network.cardinality(p);
        }
        SampleStep { var: v.index(), levels, parents, cumulative }
    }

    /// The first level whose cumulative probability is above `u`.
    fn draw(&self, row: &[u16], u: f64) -> u16 {
        let configuration: usize = self.parents.iter().map(|&(p, stride)| usize::from(row[p]) * stride).sum();
        let row = &self.cumulative[configuration * self.levels..][..self.levels];
        row.partition_point(|&c| c <= u) as u16
    }
}

/// Turns probabilities into sums. The last level that is possible at all takes what rounding
/// leaves over, so that an impossible one never occurs.
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

/// A number from 0 up to but not with 1, from the 53 upper bits.
pub(crate) fn uniform(random: &mut impl Rng) -> f64 {
    (random.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impossible_level_is_never_drawn() {
        let mut row = [0.0, 0.3, 0.0, 0.7 - 1e-9, 0.0];
        accumulate(&mut row);
        let step = SampleStep { var: 0, levels: 5, parents: Vec::new(), cumulative: row.to_vec() };
        for (u, level) in [(0.0, 1), (0.299, 1), (0.3, 3), (0.99, 3), (1.0 - f64::EPSILON, 3)] {
            assert_eq!(step.draw(&[], u), level, "{u}");
        }
    }

    #[test]
    fn the_chunks_of_one_seed_are_not_those_of_another() {
        assert_ne!(generator_of(1, 0), generator_of(0, 1));
    }
}
