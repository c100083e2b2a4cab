//! The layer of each node: tails above heads, short edges, and no layer much too wide.

use crate::simplex::{self, Arc};
use crate::{BOX_GAP, LAYER_PITCH, Link};

/// The largest ratio of width to height before wide layers are folded.
const ASPECT: f64 = 1.7;

/// No layer narrower than this is folded, whatever the height.
const WIDE: f64 = 900.0;

/// The layer of each node, the topmost 0, for nodes of these widths.
pub(crate) fn layers(widths: &[f64], links: &[Link]) -> Vec<usize> {
    let arcs: Vec<Arc> =
        links.iter().map(|link| Arc { tail: link.tail, head: link.head, length: 1 }).collect();
    let places = simplex::places(widths.len(), &arcs);
    let mut layer: Vec<usize> =
        places.iter().map(|&p| usize::try_from(p).expect("places start at 0")).collect();
    balance(&mut layer, widths, links);
    let area: f64 = widths.iter().map(|w| (w + BOX_GAP) * LAYER_PITCH).sum();
    fold(&layer, widths, links, (area * ASPECT).sqrt().max(WIDE))
}

/// The number of links that end in each node and that begin in it.
fn degrees(n: usize, links: &[Link]) -> (Vec<usize>, Vec<usize>) {
    let (mut above, mut below) = (vec![0; n], vec![0; n]);
    for link in links {
        above[link.head] += 1;
        below[link.tail] += 1;
    }
    (above, below)
}

/// Moves nodes that fit in several layers at the same cost to the narrowest of these.
fn balance(layer: &mut [usize], widths: &[f64], links: &[Link]) {
    let n = layer.len();
    let (above, below) = degrees(n, links);
    let count = layer.iter().max().map_or(0, |last| last + 1);
    let mut total = vec![0.0; count];
    (0..n).for_each(|v| total[layer[v]] += widths[v] + BOX_GAP);
    let mut touching = vec![Vec::new(); n];
    for link in links {
        touching[link.tail].push(*link);
        touching[link.head].push(*link);
    }
    for v in (0..n).filter(|&v| above[v] == below[v] && above[v] > 0) {
        let first = touching[v].iter().filter(|l| l.head == v).map(|l| layer[l.tail] + 1).max();
        let last = touching[v].iter().filter(|l| l.tail == v).map(|l| layer[l.head] - 1).min();
        let (first, last) = (first.unwrap_or(layer[v]), last.unwrap_or(layer[v]));
        total[layer[v]] -= widths[v] + BOX_GAP;
        layer[v] = (first..=last).min_by(|&a, &b| total[a].total_cmp(&total[b])).unwrap_or(layer[v]);
        total[layer[v]] += widths[v] + BOX_GAP;
    }
}

/// Divides layers wider than the limit into several, with nodes that have links upwards in the
/// upper ones.
///
/// Nodes of one layer have no links among them, so any division is a valid layering; links that now
/// pass a layer cost the width of a line instead of that of a box.
fn fold(layer: &[usize], widths: &[f64], links: &[Link], limit: f64) -> Vec<usize> {
    let n = layer.len();
    let (above, below) = degrees(n, links);
    let mut members = vec![Vec::new(); layer.iter().max().map_or(0, |last| last + 1)];
    (0..n).for_each(|v| members[layer[v]].push(v));
    let mut folded = vec![0; n];
    let mut next = 0;
    for nodes in &mut members {
        let total: f64 = nodes.iter().map(|&v| widths[v] + BOX_GAP).sum();
        let shares = (total / limit).ceil().max(1.0);
        nodes.sort_by_key(|&v| (below[v] as i64 - above[v] as i64, v));
        let (mut used, mut filled) = (0.0, 0.0);
        for &v in nodes.iter() {
            if used >= total / shares * (filled + 1.0) {
                filled += 1.0;
                next += 1;
            }
            used += widths[v] + BOX_GAP;
            folded[v] = next;
        }
        next += 1;
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(pairs: &[(usize, usize)]) -> Vec<Link> {
        pairs.iter().map(|&(tail, head)| Link { tail, head }).collect()
    }

    #[test]
    fn a_free_node_takes_the_narrower_layer() {
        // 4 may stand beside 1 or beside 2; 5 already stands beside 1.
        let links = links(&[(0, 1), (1, 2), (2, 3), (0, 4), (4, 3), (0, 5), (5, 2)]);
        let layer = layers(&[60.0; 6], &links);
        assert_eq!(layer, [0, 1, 2, 3, 2, 1]);
    }

    #[test]
    fn a_wide_layer_is_folded() {
        let star: Vec<_> = (1..200).map(|leaf| (0, leaf)).collect();
        let layer = layers(&[80.0; 200], &links(&star));
        let last = *layer.iter().max().unwrap();
        assert!((5..40).contains(&last), "{last}");
        assert!(star.iter().all(|&(tail, head)| layer[tail] < layer[head]));
        for l in 1..=last {
            assert!(layer.iter().filter(|&&m| m == l).count() > 1, "no layer is nearly empty");
        }
    }

    #[test]
    fn a_small_graph_is_not_folded() {
        let star: Vec<_> = (1..8).map(|leaf| (0, leaf)).collect();
        assert_eq!(layers(&[80.0; 8], &links(&star)), [0, 1, 1, 1, 1, 1, 1, 1]);
    }
}
