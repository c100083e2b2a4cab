//! The horizontal place of each node and point: long edges straight, nodes near what they join.
//!
//! U. Brandes, B. Köpf: Fast and simple horizontal coordinate assignment, Graph Drawing 2001,
//! doi:10.1007/3-540-45848-4_3. Nodes are aligned with a median neighbour four times (from above or
//! below, leftmost or rightmost), each alignment is compacted, and the two middle candidates of each
//! node are averaged. Compaction differs from the paper: aligned nodes form blocks, and the blocks
//! are placed by longest paths, which suits boxes of different widths and cannot overlap.

use super::ladder::Ladder;
use super::{BOX_GAP, LINE_GAP};

/// The centre of each node and point, the leftmost border being 0; `widths` are those of the nodes.
pub(super) fn columns(ladder: &Ladder, widths: &[f64]) -> Vec<f64> {
    let conflicts = conflicts(ladder);
    let mut candidates = Vec::with_capacity(4);
    for upward in [false, true] {
        for mirrored in [false, true] {
            candidates.push(View::new(ladder, widths, upward, mirrored).place(&conflicts));
        }
    }
    let mut x = middle_of(&candidates, widths, ladder.len());
    let left = (0..ladder.len()).map(|v| x[v] - half(widths, v)).fold(f64::INFINITY, f64::min);
    x.iter_mut().for_each(|x| *x -= left);
    x
}

/// Half the width of a node; points have none.
pub(super) fn half(widths: &[f64], v: usize) -> f64 {
    widths.get(v).map_or(0.0, |w| w / 2.0)
}

/// How far apart the centres of two neighbours in a layer must be.
fn separation(widths: &[f64], u: usize, v: usize) -> f64 {
    let gap = if u < widths.len() && v < widths.len() { BOX_GAP } else { LINE_GAP };
    half(widths, u) + half(widths, v) + gap
}

/// Steps, as (upper, lower) and sorted, that cross a step between two points of long edges.
fn conflicts(ladder: &Ladder) -> Vec<(usize, usize)> {
    let position = ladder.positions();
    let mut conflicts = Vec::new();
    for layer in ladder.layers.iter().skip(1) {
        let inner = |v: usize| {
            let above = ladder.up[v].first().copied().filter(|&u| ladder.is_point(u));
            above.filter(|_| ladder.is_point(v)).map(|u| position[u])
        };
        // Between two steps of long edges, others may only lead to what is above between them.
        let mut left = 0;
        let mut waiting = Vec::new();
        for (i, &v) in layer.iter().enumerate() {
            waiting.push(v);
            let last = i + 1 == layer.len();
            let bound = inner(v);
            if bound.is_none() && !last {
                continue;
            }
            let right = bound.unwrap_or(usize::MAX);
            for w in waiting.drain(..) {
                for &u in &ladder.up[w] {
                    let crosses = position[u] < left || position[u] > right;
                    if crosses && !(ladder.is_point(u) && ladder.is_point(w)) {
                        conflicts.push((u, w));
                    }
                }
            }
            left = bound.unwrap_or(left);
        }
    }
    conflicts.sort_unstable();
    conflicts
}

/// A ladder seen from above or below and perhaps in a mirror, so that one routine serves all four.
struct View<'a> {
    widths: &'a [f64],
    layers: Vec<Vec<usize>>,
    position: Vec<usize>,
    before: &'a [Vec<usize>],
    upward: bool,
    mirrored: bool,
}

impl<'a> View<'a> {
    fn new(ladder: &'a Ladder, widths: &'a [f64], upward: bool, mirrored: bool) -> View<'a> {
        let mut layers = ladder.layers.clone();
        if upward {
            layers.reverse();
        }
        if mirrored {
            layers.iter_mut().for_each(|layer| layer.reverse());
        }
        let mut position = vec![0; ladder.len()];
        for layer in &layers {
            layer.iter().enumerate().for_each(|(i, &v)| position[v] = i);
        }
        let before = if upward { &ladder.down } else { &ladder.up };
        View { widths, layers, position, before, upward, mirrored }
    }

    /// The places by one alignment, mirrored back.
    fn place(&self, conflicts: &[(usize, usize)]) -> Vec<f64> {
        let root = self.align(conflicts);
        let block = self.compact(&root);
        let sign = if self.mirrored { -1.0 } else { 1.0 };
        root.iter().map(|&r| sign * block[r]).collect()
    }

    /// The first node of the block of each: blocks are chains of medians that do not cross.
    fn align(&self, conflicts: &[(usize, usize)]) -> Vec<usize> {
        let mut root: Vec<usize> = (0..self.position.len()).collect();
        for layer in &self.layers {
            let mut free = 0; // places in the layer before from here on can still be joined
            for &v in layer {
                let mut near = self.before[v].clone();
                near.sort_by_key(|&u| self.position[u]);
                if near.is_empty() {
                    continue;
                }
                for &u in &near[(near.len() - 1) / 2..=near.len() / 2] {
                    let step = if self.upward { (v, u) } else { (u, v) };
                    if self.position[u] >= free && conflicts.binary_search(&step).is_err() {
                        root[v] = root[u];
                        free = self.position[u] + 1;
                        break;
                    }
                }
            }
        }
        root
    }

    /// The place of each block: first as far left as possible, then up to the next one on the right.
    fn compact(&self, root: &[usize]) -> Vec<f64> {
        let mut after: Vec<Vec<(usize, f64)>> = vec![Vec::new(); root.len()];
        let mut waiting = vec![0; root.len()];
        for layer in &self.layers {
            for pair in layer.windows(2) {
                let apart = separation(self.widths, pair[0], pair[1]);
                after[root[pair[0]]].push((root[pair[1]], apart));
                waiting[root[pair[1]]] += 1;
            }
        }
        let mut x = vec![0.0_f64; root.len()];
        let mut order: Vec<usize> = (0..root.len()).filter(|&b| root[b] == b && waiting[b] == 0).collect();
        let mut next = 0;
        while next < order.len() {
            let b = order[next];
            next += 1;
            for &(c, apart) in &after[b] {
                x[c] = x[c].max(x[b] + apart);
                waiting[c] -= 1;
                if waiting[c] == 0 {
                    order.push(c);
                }
            }
        }
        for &b in order.iter().rev() {
            let room = after[b].iter().map(|&(c, apart)| x[c] - apart).fold(f64::INFINITY, f64::min);
            if room < f64::INFINITY {
                x[b] = x[b].max(room);
            }
        }
        x
    }
}

/// Aligns the candidates with the narrowest of them and averages the two middle ones of each node.
fn middle_of(candidates: &[Vec<f64>], widths: &[f64], n: usize) -> Vec<f64> {
    let span = |x: &[f64]| {
        (0..n).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
            (low.min(x[v] - half(widths, v)), high.max(x[v] + half(widths, v)))
        })
    };
    let spans: Vec<(f64, f64)> = candidates.iter().map(|x| span(x)).collect();
    let narrowest = spans.iter().copied().min_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)));
    let (low, high) = narrowest.unwrap_or((0.0, 0.0));
    let shift: Vec<f64> = spans
        .iter()
        .enumerate()
        .map(|(i, s)| if i % 2 == 0 { low - s.0 } else { high - s.1 }) // odd ones are packed to the right
        .collect();
    (0..n)
        .map(|v| {
            let mut x: Vec<f64> = candidates.iter().zip(&shift).map(|(c, s)| c[v] + s).collect();
            x.sort_by(f64::total_cmp);
            (x[1] + x[2]) / 2.0
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::Link;
    use super::*;

    fn ladder(layer: &[usize], pairs: &[(usize, usize)]) -> Ladder {
        let links: Vec<Link> = pairs.iter().map(|&(tail, head)| Link { tail, head }).collect();
        Ladder::new(layer.to_vec(), &links)
    }

    #[test]
    fn a_parent_stands_over_the_middle_of_its_children() {
        let l = ladder(&[0, 1, 1, 1], &[(0, 1), (0, 2), (0, 3)]);
        let x = columns(&l, &[50.0; 4]);
        assert!((x[0] - x[2]).abs() < 1e-9);
        assert!(x[2] - x[1] >= 50.0 + BOX_GAP && x[3] - x[2] >= 50.0 + BOX_GAP);
        assert!((x[1] - 25.0).abs() < 1e-9, "the leftmost border is 0");
    }

    #[test]
    fn long_edges_are_straight() {
        // 0 -> 1 -> 2 -> 3 -> 4 and 0 -> 4.
        let l = ladder(&[0, 1, 2, 3, 4], &[(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)]);
        let x = columns(&l, &[50.0; 5]);
        let points = &x[5..];
        assert!(points.iter().all(|p| (p - points[0]).abs() < 1e-9), "{points:?}");
    }

    #[test]
    fn neighbours_keep_their_distance() {
        let l = ladder(&[0, 0, 1, 1, 2, 2], &[(0, 3), (1, 2), (0, 5), (1, 4), (2, 5), (3, 4)]);
        let widths = [30.0, 90.0, 40.0, 120.0, 35.0, 70.0];
        let x = columns(&l, &widths);
        for pair in l.layers.iter().flat_map(|layer| layer.windows(2)) {
            let apart = separation(&widths, pair[0], pair[1]);
            assert!(x[pair[1]] - x[pair[0]] >= apart - 1e-9);
        }
    }
}
