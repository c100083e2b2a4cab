//! The cliques of a question as sets, and the trees they form.

use serde::Serialize;

use super::elimination::{Elimination, Interaction};

/// The cost of an exact answer, known before it is computed.
///
/// The time is proportional to `entries`; the memory is `memory` numbers of 8 bytes.
///
/// ```
/// use ossature::infer::{Inference, Limit};
/// use ossature::network::catalogue;
///
/// let alarm = Inference::new(&catalogue::load("alarm")?, Limit::default());
/// let cost = alarm.cost()?;
/// assert_eq!((cost.largest_clique, cost.largest), (5, 144));
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Cost {
    /// The number of cliques.
    pub cliques: usize,
    /// The number of variables in the largest clique.
    pub largest_clique: usize,
    /// The number of entries of the largest table of a clique.
    pub largest: u128,
    /// The total number of entries of the tables of all cliques.
    pub entries: u128,
    /// The number of values held at a time: the largest table, and the messages in both directions.
    pub memory: u128,
}

/// Cliques and the trees they form. Variables are indices into the free ones.
#[derive(Debug)]
pub(super) struct Forest {
    /// The members of each clique.
    pub(super) members: Vec<Vec<usize>>,
    /// From the roots on, each clique with its parent.
    pub(super) order: Vec<(usize, Option<usize>)>,
    /// For each variable a clique with all its neighbours at the time of its elimination.
    home: Vec<usize>,
    /// When each variable was eliminated.
    turn: Vec<usize>,
}

impl Forest {
    /// The trees of a graph. Each of the sets `asked` lies within a clique: the clique of the first of
    /// them in a tree is its root. `None` if a clique would be larger than any machine holds.
    pub(super) fn new(graph: &Interaction, asked: &[Vec<usize>]) -> Option<Forest> {
        let elimination = graph.eliminate()?;
        let (members, home, edges) = maximal_cliques(&elimination);
        let mut turn = vec![0; home.len()];
        elimination.order.iter().enumerate().for_each(|(i, &v)| turn[v] = i);
        let mut forest = Forest { members, order: Vec::new(), home, turn };
        let roots = asked.iter().filter_map(|set| forest.clique_of(set));
        forest.order = preorder(forest.members.len(), &edges, roots.collect());
        Some(forest)
    }

    /// A clique with all of these variables, which share a table; `None` if there are no variables.
    pub(super) fn clique_of(&self, together: &[usize]) -> Option<usize> {
        together.iter().min_by_key(|&&v| self.turn[v]).map(|&v| self.home[v])
    }

    /// The cost of the trees.
    pub(super) fn cost(&self, graph: &Interaction) -> Cost {
        let mut cost = Cost { cliques: self.members.len(), ..Cost::default() };
        let mut messages: u128 = 0;
        for &(clique, parent) in &self.order {
            let members = &self.members[clique];
            let entries = graph.entries(members.iter().copied());
            cost.largest_clique = cost.largest_clique.max(members.len());
            cost.largest = cost.largest.max(entries);
            cost.entries = cost.entries.saturating_add(entries);
            if let Some(parent) = parent {
                let shared = members.iter().copied().filter(|v| self.members[parent].contains(v));
                messages = messages.saturating_add(graph.entries(shared));
            }
        }
        cost.memory = cost.largest.saturating_add(messages.saturating_mul(2));
        cost
    }
}

/// The maximal cliques, the clique of each variable, and which cliques are joined.
///
/// A variable and its neighbours eliminated later form a clique. Going from the last variable to the
/// first, a variable joins the clique of the neighbour eliminated next if that clique consists of its
/// neighbours, and otherwise begins a clique that is a child of it.
type Cliques = (Vec<Vec<usize>>, Vec<usize>, Vec<(usize, usize)>);

fn maximal_cliques(elimination: &Elimination) -> Cliques {
    let mut turn = vec![0; elimination.order.len()];
    elimination.order.iter().enumerate().for_each(|(i, &v)| turn[v] = i);
    let (mut members, mut edges): (Vec<Vec<usize>>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    let mut home = vec![0; turn.len()];
    for &v in elimination.order.iter().rev() {
        let later = &elimination.later[v];
        let next = later.iter().min_by_key(|&&w| turn[w]).map(|&w| home[w]);
        home[v] = match next {
            Some(clique) if members[clique].len() == later.len() => {
                members[clique].push(v);
                clique
            }
            _ => {
                let clique = members.len();
                members.push(later.iter().copied().chain([v]).collect());
                edges.extend(next.map(|next| (clique, next)));
                clique
            }
        };
    }
    (members, home, edges)
}

/// All cliques from the roots on, each after its parent.
fn preorder(n: usize, edges: &[(usize, usize)], roots: Vec<usize>) -> Vec<(usize, Option<usize>)> {
    let mut near = vec![Vec::new(); n];
    for &(a, b) in edges {
        near[a].push(b);
        near[b].push(a);
    }
    let mut seen = vec![false; n];
    let mut order = Vec::with_capacity(n);
    for root in roots.into_iter().chain(0..n) {
        let mut open = vec![(root, None)];
        while let Some((clique, parent)) = open.pop() {
            if !std::mem::replace(&mut seen[clique], true) {
                order.push((clique, parent));
                open.extend(near[clique].iter().rev().map(|&c| (c, Some(clique))));
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_hangs_on_what_is_asked() {
        let mut graph = Interaction::new(vec![2, 3, 4, 5]);
        [[0, 1], [1, 2], [2, 3]].iter().for_each(|pair| graph.join(pair));
        let forest = Forest::new(&graph, &[vec![3]]).unwrap();
        let members = |c: usize| {
            let mut members = forest.members[c].clone();
            members.sort_unstable();
            members
        };
        let order: Vec<_> =
            forest.order.iter().map(|&(c, parent)| (members(c), parent.map(members))).collect();
        assert_eq!(
            order,
            [(vec![2, 3], None), (vec![1, 2], Some(vec![2, 3])), (vec![0, 1], Some(vec![1, 2]))]
        );
        let cost = forest.cost(&graph);
        assert_eq!((cost.cliques, cost.largest_clique, cost.largest, cost.entries), (3, 2, 20, 38));
        assert_eq!(cost.memory, 20 + 2 * (4 + 3));
    }

    #[test]
    fn no_clique_is_part_of_another_and_every_variable_is_connected() {
        let edges = [(0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 5), (1, 6), (6, 7), (7, 2), (5, 8), (8, 0)];
        let mut graph = Interaction::new(vec![2; 12]);
        edges.iter().for_each(|&(x, y)| graph.join(&[x, y]));
        graph.join(&[9, 10]);
        let forest = Forest::new(&graph, &[]).unwrap();
        let sets = &forest.members;
        for (i, a) in sets.iter().enumerate() {
            assert!(sets.iter().enumerate().all(|(j, b)| i == j || !a.iter().all(|v| b.contains(v))));
        }
        for (x, y) in edges {
            assert!(sets.iter().any(|s| s.contains(&x) && s.contains(&y)));
        }
        // A variable is in one clique more than in messages.
        for v in 0..12 {
            let cliques = sets.iter().filter(|s| s.contains(&v)).count();
            let shared = |&(c, p): &(usize, Option<usize>)| {
                sets[c].contains(&v) && p.is_some_and(|p| sets[p].contains(&v))
            };
            assert_eq!(forest.order.iter().filter(|o| shared(o)).count() + 1, cliques);
        }
        assert_eq!(forest.order.iter().filter(|o| o.1.is_none()).count(), 3);
    }
}
