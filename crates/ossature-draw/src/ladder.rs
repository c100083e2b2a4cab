//! A layered graph in which every step leads to the next layer: long edges pass through points.

use crate::Link;

/// The largest number of points on long edges. Beyond it the longest edges are drawn without regard
/// to the rest.
const MAX_POINTS: usize = 50_000;

/// Nodes and points in layers. The nodes come first, in their own numbering, then the points.
#[derive(Debug, Clone)]
pub(crate) struct Ladder {
    /// The number of nodes proper.
    pub(crate) nodes: usize,
    /// The members of each layer, from left to right.
    pub(crate) layers: Vec<Vec<usize>>,
    /// The layer of each node and point.
    pub(crate) layer: Vec<usize>,
    /// The neighbours of each in the layer above and in the layer below.
    pub(crate) up: Vec<Vec<usize>>,
    pub(crate) down: Vec<Vec<usize>>,
    /// For each link its tail, the points it passes, and its head.
    pub(crate) chains: Vec<Vec<usize>>,
}

impl Ladder {
    /// The ladder for nodes in these layers.
    pub(crate) fn new(layer: Vec<usize>, links: &[Link]) -> Ladder {
        let nodes = layer.len();
        let longest = longest_span(&layer, links);
        let mut ladder = Ladder {
            nodes,
            layers: vec![Vec::new(); layer.iter().max().map_or(0, |last| last + 1)],
            up: vec![Vec::new(); nodes],
            down: vec![Vec::new(); nodes],
            layer,
            chains: Vec::with_capacity(links.len()),
        };
        for v in 0..nodes {
            ladder.layers[ladder.layer[v]].push(v);
        }
        for link in links {
            ladder.join(*link, longest);
        }
        ladder
    }

    /// Whether this is a point on a long edge.
    pub(crate) fn is_point(&self, v: usize) -> bool {
        v >= self.nodes
    }

    /// The number of nodes and points.
    pub(crate) fn len(&self) -> usize {
        self.layer.len()
    }

    fn join(&mut self, link: Link, longest: usize) {
        let (first, last) = (self.layer[link.tail], self.layer[link.head]);
        let mut chain = vec![link.tail];
        if last - first <= longest {
            for layer in first + 1..last {
                let point = self.layer.len();
                self.layer.push(layer);
                self.layers[layer].push(point);
                self.up.push(Vec::new());
                self.down.push(Vec::new());
                chain.push(point);
            }
        }
        chain.push(link.head);
        if last - first <= longest {
            for step in chain.windows(2) {
                self.down[step[0]].push(step[1]);
                self.up[step[1]].push(step[0]);
            }
        }
        self.chains.push(chain);
    }
}

/// The longest span of an edge that keeps the number of points within the limit.
fn longest_span(layer: &[usize], links: &[Link]) -> usize {
    let mut spans: Vec<usize> = links.iter().map(|l| layer[l.head] - layer[l.tail]).collect();
    spans.sort_unstable();
    let mut points = 0;
    let fits = spans.iter().take_while(|&&span| {
        points += span - 1;
        points <= MAX_POINTS
    });
    let fitting = fits.count();
    if fitting == spans.len() { usize::MAX } else { spans[fitting] - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_edges_pass_every_layer() {
        let links = [Link { tail: 0, head: 1 }, Link { tail: 0, head: 2 }, Link { tail: 1, head: 2 }];
        let ladder = Ladder::new(vec![0, 1, 3], &links);
        assert_eq!(ladder.chains, [vec![0, 1], vec![0, 3, 4, 2], vec![1, 5, 2]]);
        assert_eq!(ladder.layers, [vec![0], vec![1, 3], vec![4, 5], vec![2]]);
        assert_eq!((&ladder.up[2], &ladder.down[0]), (&vec![4, 5], &vec![1, 3]));
    }

    #[test]
    fn points_are_bounded() {
        let n = 1000;
        let mut links: Vec<Link> = (1..n).map(|v| Link { tail: v - 1, head: v }).collect();
        links.extend((0..400).map(|v| Link { tail: v, head: n - 1 - v / 2 }));
        let ladder = Ladder::new((0..n).collect(), &links);
        assert!(ladder.len() <= n + MAX_POINTS);
        assert_eq!(ladder.chains.len(), links.len());
        assert!(ladder.chains.iter().any(|chain| chain.len() == 2 && chain[0] + 1 != chain[1]));
    }
}
