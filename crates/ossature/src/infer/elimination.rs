//! The elimination order of variables, which determines the size of the cliques.
//!
//! Eliminating a variable joins all its neighbours; the variable and these neighbours are a clique of the
//! triangulated graph. The best order is NP-hard to find, but simple rules come close. The variable that
//! needs the fewest new edges goes first (min-fill); if the resulting tree is not small, two more rules
//! are tried that take levels into account, and the order with the fewest entries is kept: Kjærulff
//! (1990), "Triangulation of graphs: algorithms giving small total state space", Aalborg R-90-09. Ties go
//! to the smaller table and then to the first variable in the canonical order.

/// A variable with more neighbours than this cannot be eliminated: with two levels each its table would
/// have more entries than any machine holds.
const MAX_NEIGHBOURS: usize = 60;
/// A tree with at most this many entries is small enough.
const SMALL: u128 = 1 << 12;

/// Which variables share a table, by index, and the number of levels of each.
#[derive(Debug, Clone)]
pub(super) struct Interaction {
    levels: Vec<usize>,
    /// The sorted neighbours of each variable.
    neighbours: Vec<Vec<usize>>,
}

/// An order, and for each variable its neighbours when it was eliminated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Elimination {
    pub(super) order: Vec<usize>,
    /// For each variable (by index, not by order) the neighbours that are eliminated later, sorted.
    pub(super) later: Vec<Vec<usize>>,
    /// The number of entries of all tables made on the way.
    entries: u128,
}

/// The rules by which the next variable is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// The fewest new edges.
    Fill,
    /// The smallest table.
    Entries,
    /// The smallest sum, over the new edges, of the products of levels.
    WeightedFill,
}

impl Interaction {
    /// Variables that do not share tables yet.
    pub(super) fn new(levels: Vec<usize>) -> Interaction {
        Interaction { neighbours: vec![Vec::new(); levels.len()], levels }
    }

    /// Records that these share a table.
    pub(super) fn join(&mut self, together: &[usize]) {
        for (i, &x) in together.iter().enumerate() {
            for &y in &together[..i] {
                self.insert(x, y);
            }
        }
    }

    fn insert(&mut self, x: usize, y: usize) {
        for (a, b) in [(x, y), (y, x)] {
            if let Err(at) = self.neighbours[a].binary_search(&b) {
                self.neighbours[a].insert(at, b);
            }
        }
    }

    fn adjacent(&self, x: usize, y: usize) -> bool {
        self.neighbours[x].binary_search(&y).is_ok()
    }

    /// For each variable the number of its connected component.
    pub(super) fn parts(&self) -> Vec<usize> {
        let mut part = vec![usize::MAX; self.levels.len()];
        for start in 0..part.len() {
            let mut open = vec![start];
            while let Some(v) = open.pop() {
                if part[v] == usize::MAX {
                    part[v] = start;
                    open.extend(&self.neighbours[v]);
                }
            }
        }
        part
    }

    /// The number of entries of a table over these, or `u128::MAX` if it is larger.
    pub(super) fn entries(&self, vars: impl IntoIterator<Item = usize>) -> u128 {
        vars.into_iter().fold(1, |n: u128, v| n.saturating_mul(self.levels[v] as u128))
    }

    /// The best order that the rules find; `None` if a table would be too large to count.
    pub(super) fn eliminate(&self) -> Option<Elimination> {
        let first = self.clone().by(Rule::Fill);
        if first.as_ref().is_some_and(|e| e.entries <= SMALL) {
            return first;
        }
        let others = [Rule::Entries, Rule::WeightedFill].map(|rule| self.clone().by(rule));
        // The first of those with the fewest entries.
        [first].into_iter().chain(others).flatten().min_by_key(|e| e.entries)
    }

    fn by(mut self, rule: Rule) -> Option<Elimination> {
        let n = self.levels.len();
        let mut price: Vec<Option<(u128, u128)>> = (0..n).map(|v| Some(self.price(v, rule))).collect();
        let mut elimination =
            Elimination { order: Vec::with_capacity(n), later: vec![Vec::new(); n], entries: 0 };
        for _ in 0..n {
            let (v, _) = price
                .iter()
                .enumerate()
                .filter_map(|(v, price)| price.map(|price| (v, price)))
                .min_by_key(|&(v, price)| (price, v))?;
            if self.neighbours[v].len() > MAX_NEIGHBOURS {
                return None;
            }
            let table = self.entries(self.neighbours[v].iter().copied().chain([v]));
            elimination.entries = elimination.entries.saturating_add(table);
            elimination.order.push(v);
            price[v] = None;
            for changed in self.remove(v) {
                price[changed] = Some(self.price(changed, rule));
            }
            elimination.later[v] = std::mem::take(&mut self.neighbours[v]);
        }
        Some(elimination)
    }

    /// The price of eliminating a variable by a rule, and a second price for ties.
    fn price(&self, v: usize, rule: Rule) -> (u128, u128) {
        let near = &self.neighbours[v];
        if near.len() > MAX_NEIGHBOURS {
            return (u128::MAX, near.len() as u128);
        }
        let table = self.entries(near.iter().copied().chain([v]));
        let missing = near.iter().enumerate().flat_map(|(i, &x)| {
            near[..i].iter().filter(move |&&y| !self.adjacent(x, y)).map(move |&y| (x, y))
        });
        match rule {
            Rule::Fill => (missing.count() as u128, table),
            Rule::Entries => (table, missing.count() as u128),
            Rule::WeightedFill => {
                (missing.map(|(x, y)| (self.levels[x] * self.levels[y]) as u128).sum(), table)
            }
        }
    }

    /// Joins the neighbours of a variable and removes it from their lists; its own list stays. Returns
    /// the variables whose price may have changed.
    fn remove(&mut self, v: usize) -> Vec<usize> {
        let near = self.neighbours[v].clone();
        let mut changed = near.clone();
        for &x in &near {
            let at = self.neighbours[x].binary_search(&v).expect("neighbours are so of each other");
            self.neighbours[x].remove(at);
        }
        for (i, &x) in near.iter().enumerate() {
            for &y in &near[..i] {
                if !self.adjacent(x, y) {
                    changed.extend(self.neighbours[x].iter().filter(|&&z| self.adjacent(y, z)));
                    self.insert(x, y);
                }
            }
        }
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(levels: &[usize], edges: &[(usize, usize)]) -> Interaction {
        let mut graph = Interaction::new(levels.to_vec());
        edges.iter().for_each(|&(x, y)| graph.join(&[x, y]));
        graph
    }

    #[test]
    fn a_tree_needs_no_new_edges() {
        let found = graph(&[2; 5], &[(0, 1), (1, 2), (1, 3), (3, 4)]).eliminate().unwrap();
        assert_eq!(found.order, [0, 2, 1, 3, 4]);
        assert_eq!(found.later, [vec![1], vec![3], vec![1], vec![4], vec![]]);
        assert_eq!(found.entries, 4 * 4 + 2);
    }

    #[test]
    fn a_square_gets_the_cheaper_diagonal() {
        // Eliminating 1 or 3 joins 0 and 2, which have few levels.
        let found = graph(&[2, 9, 2, 9], &[(0, 1), (1, 2), (2, 3), (0, 3)]).eliminate().unwrap();
        assert_eq!(found.later[1], [0, 2]);
        assert_eq!(found.later[0], [2, 3]);
    }

    #[test]
    fn a_price_is_always_that_of_the_graph_as_it_is() {
        let edges = [(0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 5), (1, 6), (6, 7), (7, 2), (5, 8), (8, 0)];
        for rule in [Rule::Fill, Rule::Entries, Rule::WeightedFill] {
            let start = graph(&[2, 3, 4, 2, 3, 4, 2, 3, 4], &edges);
            let mut naive = start.clone();
            let mut left: Vec<usize> = (0..9).collect();
            let mut order = Vec::new();
            while let Some(&v) = left.iter().min_by_key(|&&v| (naive.price(v, rule), v)) {
                order.push(v);
                left.retain(|&w| w != v);
                naive.remove(v);
                naive.neighbours[v].clear();
            }
            assert_eq!(start.by(rule).unwrap().order, order, "{rule:?}");
        }
    }

    #[test]
    fn what_no_machine_holds_is_not_tried() {
        let mut complete = Interaction::new(vec![2; 70]);
        complete.join(&(0..70).collect::<Vec<_>>());
        assert_eq!(complete.eliminate(), None);
        // A hub is no hindrance: its leaves go first.
        let star: Vec<(usize, usize)> = (1..200).map(|leaf| (0, leaf)).collect();
        assert!(graph(&[2; 200], &star).eliminate().is_some());
    }
}
