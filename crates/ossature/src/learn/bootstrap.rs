//! How sure is an arc? The same learner on samples of the rows.
//!
//! Friedman, Goldszmidt & Wyner (1999), "Data analysis with Bayesian networks: a bootstrap approach",
//! UAI; the threshold after Scutari & Nagarajan (2013), doi:10.1016/j.artmed.2012.12.006.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::Learner;
use super::hybrid::Hybrid;
use crate::data::{Column, Dataset, Var};
use crate::error::{Error, Result};
use crate::graph::{Dag, Mark};
use crate::progress::Progress;

/// How often an edge was found, and how often in which direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strength {
    /// The smaller end of the edge.
    pub x: Var,
    /// The larger end.
    pub y: Var,
    /// The share of the samples in which the two are adjacent.
    pub strength: f64,
    /// Of those, the share in which the arc is X -> Y; an edge without direction counts half.
    pub direction: f64,
}

/// The result of a bootstrap.
#[derive(Debug, Clone, PartialEq)]
pub struct Bootstrap {
    /// Every edge that was found at least once, in order.
    pub strengths: Vec<Strength>,
    /// Edges above this strength are taken to be there; found from the strengths themselves.
    pub threshold: f64,
    /// The number of samples.
    pub samples: usize,
}

/// Learns from `samples` tables of as many rows, drawn from the rows with replacement, in parallel.
///
/// The rows are put in order before they are drawn, so their order in the file does not matter.
pub fn bootstrap(
    learner: &Hybrid,
    data: &Dataset,
    samples: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Bootstrap> {
    if learner.maximise.is_none() {
        return Err(Error::Mismatch {
            what: "a bootstrap needs a learner that finds directions".into(),
            accepted: "h2pc, mmhc, tabu and hc do".into(),
        });
    }
    let rows = sorted_rows(data);
    let graphs: Vec<_> = (0..samples)
        .into_par_iter()
        .map(|sample| {
            let learned = learner.learn(&resample(data, &rows, seed, sample)?, progress)?;
            if !learned.complete {
                return Err(Error::Stopped);
            }
            Ok(learned.dag.expect("this learner finds directions").cpdag())
        })
        .collect::<Result<_>>()?;
    let mut found: BTreeMap<(Var, Var), [usize; 2]> = BTreeMap::new();
    for graph in &graphs {
        for (x, y) in graph.skeleton().edges() {
            // Counted in halves: the edge, and its direction X -> Y.
            let forward = match graph.mark(x, y) {
                Mark::Forward => 2,
                Mark::Undirected => 1,
                Mark::Backward | Mark::Absent => 0,
            };
            let halves = found.entry((x, y)).or_default();
            *halves = [halves[0] + 2, halves[1] + forward];
        }
    }
    let strengths: Vec<Strength> = found
        .into_iter()
        .map(|((x, y), [edge, forward])| Strength {
            x,
            y,
            strength: edge as f64 / (2 * samples) as f64,
            direction: forward as f64 / edge as f64,
        })
        .collect();
    let n = data.variables().len();
    let threshold = threshold(strengths.iter().map(|s| s.strength).collect(), n * (n - 1) / 2);
    Ok(Bootstrap { strengths, threshold, samples })
}

/// The arcs above the threshold, each in the direction it had more often; the strongest first, and
/// without those that would close a cycle.
pub fn averaged_network(bootstrap: &Bootstrap, n: usize) -> Dag {
    let mut edges: Vec<&Strength> =
        bootstrap.strengths.iter().filter(|s| s.strength > bootstrap.threshold).collect();
    let sure = |s: &Strength| s.strength * s.direction.max(1.0 - s.direction);
    edges.sort_by(|a, b| sure(b).total_cmp(&sure(a)).then_with(|| (a.x, a.y).cmp(&(b.x, b.y))));
    let mut dag = Dag::empty(n);
    for edge in edges {
        let (from, to) = if edge.direction >= 0.5 { (edge.x, edge.y) } else { (edge.y, edge.x) };
        // An arc that would close a cycle is the weakest of that cycle.
        _ = dag.try_add(from, to);
    }
    dag
}

/// The threshold for which the strengths are nearest to those of a sure answer, in which every edge
/// has strength 0 or 1: the share t of absent edges that minimises the area between the distribution
/// function of the strengths and the constant t, and then the t-quantile of the strengths.
fn threshold(mut found: Vec<f64>, pairs: usize) -> f64 {
    found.sort_by(f64::total_cmp);
    let never = pairs.saturating_sub(found.len());
    // The distribution function is constant between strengths: its value and the width of each step.
    let mut steps: Vec<(f64, f64, f64)> = Vec::new(); // value, width, where the step begins
    let mut at = 0.0;
    for (i, &strength) in found.iter().enumerate() {
        if strength > at {
            steps.push(((never + i) as f64 / pairs as f64, strength - at, at));
            at = strength;
        }
    }
    if at < 1.0 {
        steps.push((1.0, 1.0 - at, at));
    }
    // The minimum of a sum of weighted distances is at the weighted median.
    let mut passed = 0.0;
    for (_, width, begins) in &steps {
        passed += width;
        if passed >= 0.5 {
            return *begins;
        }
    }
    at
}

/// The rows in the order of their codes.
fn sorted_rows(data: &Dataset) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..data.rows() as u32).collect();
    let columns: Vec<&Column> = data.vars().map(|v| data.column(v)).collect();
    rows.sort_by(|&a, &b| {
        let codes = |row: u32| columns.iter().map(move |c| c.code(row as usize));
        codes(a).cmp(codes(b))
    });
    rows
}

fn resample(data: &Dataset, rows: &[u32], seed: u64, sample: usize) -> Result<Dataset> {
    // Streams of different samples are kept apart by the generator's own jumps in its seed space.
    let mut random =
        Xoshiro256PlusPlus::seed_from_u64(seed ^ (sample as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let drawn: Vec<u32> = rows.iter().map(|_| rows[random.random_range(0..rows.len())]).collect();
    let columns = data.vars().map(|v| {
        let column = match data.column(v) {
            Column::Narrow(codes) => Column::Narrow(drawn.iter().map(|&row| codes[row as usize]).collect()),
            Column::Wide(codes) => Column::Wide(drawn.iter().map(|&row| codes[row as usize]).collect()),
        };
        (data.variable(v).clone(), column)
    });
    Dataset::new(columns.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_lies_in_the_gap_between_noise_and_signal() {
        // 100 pairs: 90 never found, five now and then, five nearly always.
        let found = vec![0.05, 0.1, 0.1, 0.15, 0.2, 0.9, 0.95, 1.0, 1.0, 1.0];
        let t = threshold(found, 100);
        assert!((0.2..0.9).contains(&t), "{t}");
        assert_eq!(threshold(vec![1.0; 5], 10), 0.0);
    }
}
