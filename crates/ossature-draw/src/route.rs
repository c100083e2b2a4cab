//! The vertical position of each layer, and the curves of the edges between and past the boxes.
//!
//! Every edge runs down from border to border, so its curve is a function x(y). When it passes a
//! layer it must go through a gate, the free space beside the boxes; inside its gates it is pulled
//! tight like a string and then smoothed by a monotone cubic, which never leaves the space between
//! two successive knots. So no edge runs through a box, except for the longest edges of very large
//! graphs, which have no gates.

use crate::columns::{half, spread};
use crate::ladder::Ladder;
use crate::{BOX_HEIGHT, LINE_GAP, PASSING_GAP};

/// A point on a curve, and its slope there: sideways movement per unit of height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Knot {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) slope: f64,
}

/// The smallest and the largest distance between the boxes of two layers, and how much it grows
/// with the largest sideways distance of an edge between them.
const NEAREST: f64 = 34.0;
const FARTHEST: f64 = 110.0;
const ASIDE: f64 = 0.1;

/// The distance that an edge keeps from a box it passes.
const CLEARANCE: f64 = 0.6 * PASSING_GAP;

/// How far from its column an edge may be pulled if nothing is in the way.
const FREEDOM: f64 = 600.0;

/// Arrowheads meet a border at no flatter angle than this.
const END_SLOPE: f64 = 0.7;

/// The distance between the points where edges meet a border, if it is long enough.
const PORT_GAP: f64 = 12.0;

/// The distance from a corner that is kept free of edges.
const CORNER: f64 = 9.0;

/// The top of each layer of boxes: layers are farther apart if edges go far sideways.
pub(crate) fn tops(ladder: &Ladder, x: &[f64]) -> Vec<f64> {
    let mut tops = Vec::with_capacity(ladder.layers.len());
    let mut y = 0.0;
    for layer in &ladder.layers {
        tops.push(y);
        let steps = layer.iter().flat_map(|&v| ladder.down[v].iter().map(move |&w| (v, w)));
        let aside = steps.map(|(v, w)| (x[v] - x[w]).abs()).fold(0.0, f64::max);
        y += BOX_HEIGHT + (NEAREST + ASIDE * aside).min(FARTHEST);
    }
    tops
}

/// The curve of each link, from its tail down to its head.
pub(crate) fn routes(ladder: &Ladder, widths: &[f64], x: &[f64], tops: &[f64]) -> Vec<Vec<Knot>> {
    let gates = gates(ladder, widths, x);
    let (starts, ends) = (ports(ladder, widths, x, true), ports(ladder, widths, x, false));
    let route = |(link, chain): (usize, &Vec<usize>)| {
        let (tail, head) = (chain[0], chain[chain.len() - 1]);
        let fixed = |x: f64, y: f64| Gate { y, x, low: x, high: x };
        let mut string = vec![fixed(starts[link], tops[ladder.layer[tail]] + BOX_HEIGHT)];
        for &point in &chain[1..chain.len() - 1] {
            let top = tops[ladder.layer[point]];
            let (low, high) = gates[point - ladder.nodes];
            string.extend([top, top + BOX_HEIGHT].map(|y| Gate { y, x: x[point], low, high }));
        }
        string.push(fixed(ends[link], tops[ladder.layer[head]]));
        tighten(&mut string);
        smooth(&string)
    };
    ladder.chains.iter().enumerate().map(route).collect()
}

/// A height at which an edge must stay between two bounds.
struct Gate {
    y: f64,
    x: f64,
    low: f64,
    high: f64,
}

/// The free space around each point: up to boxes, and halfway to other edges so as not to cross them.
fn gates(ladder: &Ladder, widths: &[f64], x: &[f64]) -> Vec<(f64, f64)> {
    let mut gates = vec![(0.0, 0.0); ladder.len() - ladder.nodes];
    let bound = |point: usize, other: Option<&usize>, side: f64| {
        let far = x[point] + side * FREEDOM;
        let near = match other {
            None => return far,
            Some(&v) if ladder.is_point(v) => (x[point] + x[v]) / 2.0 - side * LINE_GAP / 4.0,
            Some(&v) => x[v] - side * (half(widths, v) + CLEARANCE),
        };
        if side < 0.0 { far.max(near) } else { far.min(near) }
    };
    for layer in &ladder.layers {
        for (i, &v) in layer.iter().enumerate().filter(|&(_, &v)| ladder.is_point(v)) {
            let left = i.checked_sub(1).and_then(|j| layer.get(j));
            gates[v - ladder.nodes] = (bound(v, left, -1.0), bound(v, layer.get(i + 1), 1.0));
        }
    }
    gates
}

/// Where each link meets the lower border of its tail, or the upper border of its head.
///
/// Edges lean towards their other ends, in the order of these, a little apart.
fn ports(ladder: &Ladder, widths: &[f64], x: &[f64], tails: bool) -> Vec<f64> {
    let mut meeting: Vec<Vec<(f64, usize)>> = vec![Vec::new(); ladder.nodes];
    for (link, chain) in ladder.chains.iter().enumerate() {
        let last = chain.len() - 1;
        let (node, next) = if tails { (chain[0], chain[1]) } else { (chain[last], chain[last - 1]) };
        meeting[node].push((x[next], link));
    }
    let mut ports = vec![0.0; ladder.chains.len()];
    for (node, links) in meeting.iter_mut().enumerate() {
        links.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let reach = (widths[node] / 2.0 - CORNER).max(0.0);
        let gaps = links.len().saturating_sub(1) as f64;
        let apart = if gaps > 0.0 { PORT_GAP.min(2.0 * reach / gaps) } else { 0.0 };
        let wanted: Vec<(f64, f64)> =
            links.iter().map(|(to, _)| (((to - x[node]) / 2.0).clamp(-reach, reach), 1.0)).collect();
        let offsets: Vec<f64> = (0..links.len()).map(|i| i as f64 * apart).collect();
        let high = (reach - gaps * apart).max(-reach);
        for ((value, offset), (_, link)) in spread(&wanted, &offsets).iter().zip(&offsets).zip(links.iter()) {
            ports[*link] = x[node] + value.clamp(-reach, high) + offset;
        }
    }
    ports
}

/// Pulls a string nearly tight inside its gates.
fn tighten(string: &mut [Gate]) {
    let last = string.len() - 1;
    let mut pull = |i: usize| {
        let (above, below) = (&string[i - 1], &string[i + 1]);
        let part = (string[i].y - above.y) / (below.y - above.y);
        let straight = above.x + (below.x - above.x) * part;
        string[i].x = straight.clamp(string[i].low.min(string[i].high), string[i].high);
    };
    for _ in 0..20 {
        (1..last).for_each(&mut pull);
        (1..last).rev().for_each(&mut pull);
    }
}

/// A smooth curve through the points of a string that stays between each two of them.
fn smooth(string: &[Gate]) -> Vec<Knot> {
    let last = string.len() - 1;
    let secant = |i: usize| (string[i + 1].x - string[i].x) / (string[i + 1].y - string[i].y);
    let slope = |i: usize| {
        if i == 0 || i == last {
            return secant(if i == 0 { 0 } else { last - 1 }).clamp(-END_SLOPE, END_SLOPE);
        }
        let (before, after) = (secant(i - 1), secant(i));
        if before * after <= 0.0 {
            return 0.0;
        }
        let (up, down) = (string[i].y - string[i - 1].y, string[i + 1].y - string[i].y);
        let (a, b) = (2.0 * down + up, down + 2.0 * up);
        (a + b) / (a / before + b / after) // the harmonic mean of Fritsch and Butland
    };
    let knots: Vec<Knot> =
        string.iter().enumerate().map(|(i, g)| Knot { x: g.x, y: g.y, slope: slope(i) }).collect();
    without_straight_runs(knots)
}

/// Leaves out knots in the middle of a straight line.
fn without_straight_runs(knots: Vec<Knot>) -> Vec<Knot> {
    let straight = |a: &Knot, b: &Knot| {
        let run = b.y - a.y;
        (a.x + a.slope * run - b.x).abs() < 0.02 && (a.x + b.slope * run - b.x).abs() < 0.02
    };
    let mut kept: Vec<Knot> = Vec::with_capacity(knots.len());
    for (i, knot) in knots.iter().enumerate() {
        let dull = i > 0 && i + 1 < knots.len() && {
            let (before, after) = (&kept[kept.len() - 1], &knots[i + 1]);
            straight(before, knot) && straight(knot, after) && straight(before, after)
        };
        if !dull {
            kept.push(*knot);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Link;

    #[test]
    fn a_short_edge_between_boxes_one_above_the_other_is_a_straight_line() {
        let ladder = Ladder::new(vec![0, 1], &[Link { tail: 0, head: 1 }]);
        let x = [30.0, 40.0];
        let tops = tops(&ladder, &x);
        let routes = routes(&ladder, &[60.0, 60.0], &x, &tops);
        let [start, end] = routes[0][..] else { panic!("{routes:?}") };
        assert_eq!((start.x, start.y, start.slope), (35.0, BOX_HEIGHT, 0.0));
        assert_eq!((end.x, end.y), (35.0, tops[1]));
    }

    #[test]
    fn an_edge_passes_beside_a_box() {
        // 0 -> 1 -> 2 and 0 -> 2, whose point stands right of box 1.
        let links = [Link { tail: 0, head: 1 }, Link { tail: 1, head: 2 }, Link { tail: 0, head: 2 }];
        let ladder = Ladder::new(vec![0, 1, 2], &links);
        let (widths, x) = ([60.0; 3], [30.0, 30.0, 30.0, 90.0]);
        let tops = tops(&ladder, &x);
        let long = &routes(&ladder, &widths, &x, &tops)[2];
        let inside = long.iter().filter(|k| k.y >= tops[1] && k.y <= tops[1] + BOX_HEIGHT);
        assert!(inside.clone().count() >= 2);
        assert!(inside.into_iter().all(|k| k.x >= 60.0 + CLEARANCE - 1e-9), "{long:?}");
    }

    #[test]
    fn a_curve_stays_between_its_knots() {
        let gate = |x: f64, y: f64| Gate { y, x, low: x, high: x };
        let knots = smooth(&[gate(0.0, 0.0), gate(50.0, 10.0), gate(52.0, 40.0), gate(10.0, 50.0)]);
        for pair in knots.windows(2) {
            let run = pair[1].y - pair[0].y;
            let (low, high) = (pair[0].x.min(pair[1].x), pair[0].x.max(pair[1].x));
            for control in [pair[0].x + pair[0].slope * run / 3.0, pair[1].x - pair[1].slope * run / 3.0] {
                assert!((low - 1e-9..=high + 1e-9).contains(&control), "{knots:?}");
            }
        }
    }
}
