//! Tables that shrink towards those of fewer parents.
//!
//! The parents of a variable are ordered as the score `bdh` orders them, the strongest first, and a table is
//! built for the first 0, 1, 2, … of them. With n rows of a configuration j, n(k) of them at level k, and with R
//! levels:
//!
//! ```text
//! P(k)     = (n(k) + ½) / (n + R/2)                                        without parents
//! P(k | j) = Σ over bases B and strengths s of w · (n(k) + s P(k | g)) / (n + s)
//! ```
//!
//! where g is the configuration of B inside j, P(k | g) the table of the base, computed in the same way, and w
//! the posterior weight of the base and the strength, which is their contribution to the score of the family. A
//! configuration that never occurs has the mixture of its bases, and no probability is 0.

use super::{ProbabilityTable, next_configuration};
use crate::counts;
use crate::data::{Dataset, Var};
use crate::score::Backoff;

/// The table of a variable given its parents, which are in the canonical order, and the number of configurations
/// that never occur.
pub(super) fn table(
    data: &Dataset,
    v: Var,
    parents: &[Var],
    backoff: &Backoff<'_>,
) -> (ProbabilityTable, u64) {
    let levels = data.cardinality(v);
    let ordered = backoff.order(v, parents);
    // Of the bases only those of none, of one and of all parents but the last are asked for again.
    let mut built: Vec<Vec<f64>> = vec![alone(&counts::family(data, v, &[]))];
    let mut unseen = u64::from(data.rows() == 0);
    for k in 1..=ordered.len() {
        let given = &ordered[..k];
        let counts = counts::family(data, v, given);
        let mixture = backoff.mixture(v, given);
        let configurations = counts.len() / levels;
        let mut table = vec![0.0; counts.len()];
        unseen = 0;
        for (j, (row, out)) in counts.chunks_exact(levels).zip(table.chunks_exact_mut(levels)).enumerate() {
            let n: u64 = row.iter().map(|&n| u64::from(n)).sum();
            unseen += u64::from(n == 0);
            for term in &mixture {
                let base = &built[term.parents];
                // The first parents change slowest, so the configurations inside one of theirs are neighbours.
                let inside = j / (configurations / (base.len() / levels));
                let base = &base[inside * levels..][..levels];
                let scale = term.weight / (n as f64 + term.strength);
                for ((p, &n), &b) in out.iter_mut().zip(row).zip(base) {
                    *p += scale * (f64::from(n) + term.strength * b);
                }
            }
        }
        if k > 2 {
            built[k - 1] = Vec::new();
        }
        built.push(table);
    }
    let table = built.pop().unwrap_or_default();
    (ProbabilityTable::new(in_order(data, table, levels, &ordered, parents), levels), unseen)
}

/// The table without parents.
fn alone(counts: &[u32]) -> Vec<f64> {
    let n: u64 = counts.iter().map(|&n| u64::from(n)).sum();
    let total = n as f64 + 0.5 * counts.len() as f64;
    counts.iter().map(|&n| (f64::from(n) + 0.5) / total).collect()
}

/// The rows of a table, reordered from the configurations of the parents `those` to those of
/// `these`.
fn in_order(data: &Dataset, table: Vec<f64>, levels: usize, those: &[Var], these: &[Var]) -> Vec<f64> {
    if these == those {
        return table;
    }
    let mut steps = vec![0; these.len()];
    let mut step = 1;
    for parent in those.iter().rev() {
        if let Some(place) = these.iter().position(|p| p == parent) {
            steps[place] = step;
        }
        step *= data.cardinality(*parent);
    }
    let mut sorted = Vec::with_capacity(table.len());
    let mut codes = vec![0; these.len()];
    for _ in 0..table.len() / levels {
        let at: usize = codes.iter().zip(&steps).map(|(code, step)| code * step).sum();
        sorted.extend_from_slice(&table[at * levels..][..levels]);
        next_configuration(&mut codes, |place| data.cardinality(these[place]));
    }
    sorted
}
