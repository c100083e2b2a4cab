//! The horizontal position of each node and point: near its neighbours, with long edges nearly
//! straight.
//!
//! Layer by layer, repeatedly down and up, every member moves to the weighted mean of its
//! neighbours, as closely as the distances in the layer and the width of the picture allow. The
//! best positions for one layer are an isotonic regression (`spread`), which is solved exactly. Far
//! ends pull less than near ones, so that some edges are straight instead of all leaning a little.

use crate::ladder::Ladder;
use crate::{BOX_GAP, LINE_GAP, PASSING_GAP};

/// The budget of sweeps for one graph, counted in edges visited.
const BUDGET: usize = 12_000_000;

/// The smallest width available to layers, and how much wider than its widest layer a picture may
/// be.
const ROOM: f64 = 500.0;
const SLACK: f64 = 1.15;

/// Ends farther away than this pull less than half as strongly as near ones.
const NEAR: f64 = 30.0;

/// How strongly an edge pulls between two nodes, between a node and a point, between two points:
/// long edges should be straight.
const STRENGTH: [f64; 3] = [1.0, 2.0, 8.0];

/// The weight of a member without neighbours: it gives way to all others.
const INDIFFERENT: f64 = 1e-6;

/// Sweeps end when nothing moves farther than this.
const STILL: f64 = 0.1;

/// The centre of each node and point; `widths` are those of the nodes.
pub(crate) fn columns(ladder: &Ladder, widths: &[f64]) -> Vec<f64> {
    let mut columns = Columns::packed(ladder, widths);
    let steps = 1 + ladder.len() + ladder.down.iter().map(Vec::len).sum::<usize>();
    let count = ladder.layers.len();
    for sweep in 0..(BUDGET / (2 * steps)).clamp(16, 400) {
        // At first each layer looks only at the one just passed, which moves whole subtrees at once.
        let both = sweep >= 4;
        let before = columns.x.clone();
        (0..count).for_each(|layer| columns.settle(layer, true, both));
        (0..count).rev().for_each(|layer| columns.settle(layer, both, true));
        if both && before.iter().zip(&columns.x).all(|(a, b)| (a - b).abs() < STILL) {
            break;
        }
    }
    columns.x
}

struct Columns<'a> {
    ladder: &'a Ladder,
    /// The positions of each layer's members when packed as closely as allowed, the first at 0.
    offsets: Vec<Vec<f64>>,
    /// The first and the last of a layer are at most this far apart, and none is left of 0.
    room: f64,
    x: Vec<f64>,
}

impl<'a> Columns<'a> {
    /// Every layer packed as closely as allowed, centred.
    fn packed(ladder: &'a Ladder, widths: &[f64]) -> Columns<'a> {
        let offsets: Vec<Vec<f64>> = ladder.layers.iter().map(|layer| offsets(widths, layer)).collect();
        let widest = offsets.iter().map(|o| last(o)).fold(0.0, f64::max);
        let room = (widest * SLACK).max(ROOM);
        let mut x = vec![0.0; ladder.len()];
        for (layer, offsets) in ladder.layers.iter().zip(&offsets) {
            let start = (room - last(offsets)) / 2.0;
            layer.iter().zip(offsets).for_each(|(&v, offset)| x[v] = start + offset);
        }
        Columns { ladder, offsets, room, x }
    }

    /// Moves a layer to the best positions for its neighbours above, below or both.
    fn settle(&mut self, layer: usize, up: bool, down: bool) {
        let (members, offsets) = (&self.ladder.layers[layer], &self.offsets[layer]);
        let wanted: Vec<(f64, f64)> = members.iter().map(|&v| self.wanted(v, up, down)).collect();
        let most = self.room - last(offsets);
        for ((&v, value), offset) in members.iter().zip(spread(&wanted, offsets)).zip(offsets) {
            self.x[v] = value.clamp(0.0, most) + offset;
        }
    }

    /// The preferred position of a member, and its weight.
    fn wanted(&self, v: usize, up: bool, down: bool) -> (f64, f64) {
        let above = self.ladder.up[v].iter().filter(|_| up);
        let below = self.ladder.down[v].iter().filter(|_| down);
        let (mut sum, mut weight) = (0.0, 0.0);
        for &w in above.chain(below) {
            let points = usize::from(self.ladder.is_point(v)) + usize::from(self.ladder.is_point(w));
            let pull = STRENGTH[points] / (NEAR + (self.x[v] - self.x[w]).abs());
            sum += pull * self.x[w];
            weight += pull;
        }
        if weight > 0.0 { (sum / weight, weight) } else { (self.x[v], INDIFFERENT) }
    }
}

fn last(offsets: &[f64]) -> f64 {
    offsets.last().copied().unwrap_or(0.0)
}

/// Half the width of a node; points have none.
pub(crate) fn half(widths: &[f64], v: usize) -> f64 {
    widths.get(v).map_or(0.0, |w| w / 2.0)
}

/// The positions of a layer's members when packed as closely as allowed, the first at 0.
fn offsets(widths: &[f64], layer: &[usize]) -> Vec<f64> {
    let mut offset = 0.0;
    let mut offsets = Vec::with_capacity(layer.len());
    for (i, &v) in layer.iter().enumerate() {
        if i > 0 {
            let u = layer[i - 1];
            let boxes = usize::from(u < widths.len()) + usize::from(v < widths.len());
            let gap = [LINE_GAP, PASSING_GAP, BOX_GAP][boxes];
            offset += half(widths, u) + half(widths, v) + gap;
        }
        offsets.push(offset);
    }
    offsets
}

/// The ascending values nearest (by least squares) to the wanted ones, given with their weights,
/// less the offsets: each position is its value plus its offset.
pub(crate) fn spread(wanted: &[(f64, f64)], offsets: &[f64]) -> Vec<f64> {
    // Pool adjacent violators: neighbours in the wrong order share their mean.
    let mut pools: Vec<(f64, f64, usize)> = Vec::with_capacity(wanted.len());
    for ((place, weight), offset) in wanted.iter().zip(offsets) {
        let mut pool = (place - offset, *weight, 1);
        while let Some(last) = pools.pop_if(|last| last.0 > pool.0) {
            let weight = last.1 + pool.1;
            pool = ((last.0 * last.1 + pool.0 * pool.1) / weight, weight, last.2 + pool.2);
        }
        pools.push(pool);
    }
    pools.iter().flat_map(|&(value, _, size)| std::iter::repeat_n(value, size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Link;

    fn ladder(layer: &[usize], pairs: &[(usize, usize)]) -> Ladder {
        let links: Vec<Link> = pairs.iter().map(|&(tail, head)| Link { tail, head }).collect();
        Ladder::new(layer.to_vec(), &links)
    }

    #[test]
    fn spreading_moves_as_little_as_possible() {
        let places = |wanted: [f64; 3]| {
            let offsets = [0.0, 10.0, 20.0];
            let values = spread(&wanted.map(|w| (w, 1.0)), &offsets);
            values.iter().zip(offsets).map(|(v, o)| v + o).collect::<Vec<f64>>()
        };
        assert_eq!(places([0.0, 0.0, 0.0]), [-10.0, 0.0, 10.0]);
        assert_eq!(places([-30.0, 0.0, 2.0]), [-30.0, -4.0, 6.0]);
        assert_eq!(spread(&[(0.0, 3.0), (-8.0, 1.0)], &[0.0, 0.0]), [-2.0, -2.0]);
    }

    #[test]
    fn a_parent_stands_over_the_middle_of_its_children() {
        let l = ladder(&[0, 1, 1, 1], &[(0, 1), (0, 2), (0, 3)]);
        let x = columns(&l, &[50.0; 4]);
        assert!((x[0] - x[2]).abs() < 1.0, "{x:?}");
    }

    #[test]
    fn long_edges_are_straight() {
        // 0 -> 1 -> 2 -> 3 -> 4 and 0 -> 4.
        let l = ladder(&[0, 1, 2, 3, 4], &[(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)]);
        let x = columns(&l, &[50.0; 5]);
        let points = &x[5..];
        assert!(points.iter().all(|p| (p - points[0]).abs() < 1.0), "{points:?}");
    }

    #[test]
    fn neighbours_keep_their_distance() {
        let l = ladder(&[0, 0, 1, 1, 2, 2], &[(0, 3), (1, 2), (0, 5), (1, 4), (2, 5), (3, 4)]);
        let widths = [30.0, 90.0, 40.0, 120.0, 35.0, 70.0];
        let x = columns(&l, &widths);
        for layer in &l.layers {
            let offsets = offsets(&widths, layer);
            for i in 1..layer.len() {
                assert!(x[layer[i]] - x[layer[i - 1]] >= offsets[i] - offsets[i - 1] - 1e-9);
            }
        }
    }
}
