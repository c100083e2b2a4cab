//! The components of a search: nodes that no arc can join are searched apart.
//!
//! Inside a skeleton an arc has no effect beyond the nodes that edges connect with it: neither on gains nor on cycles. So
//! each component is a search of its own, with its own numbers for its nodes. Very small ones are taken together as one:
//! beginning a search takes longer than what is saved.

use smallvec::SmallVec;

use super::moves::Move;
use super::rules::Rules;
use crate::data::{Var, VarSet};
use crate::graph::Dag;
use crate::score::Score;

/// So few nodes are one component in any case: what is known of them fits into the cache.
const FEW: usize = if cfg!(test) { 1 } else { 1024 };

/// Smaller components are taken together until they have so many nodes.
const SMALLEST: usize = if cfg!(test) { 3 } else { 32 };

/// The nodes of a search, divided into components.
#[derive(Debug)]
pub(super) struct Components {
    /// The nodes of each, in order, without those that cannot be joined to any other.
    pub(super) lists: Vec<Vec<Var>>,
    /// Nodes that cannot be joined to any other.
    pub(super) alone: Vec<Var>,
    /// The component of each node and its number there; `None` if it is alone.
    places: Vec<Option<(u32, u32)>>,
}

impl Components {
    /// All nodes are one component if there is no skeleton, or if they are few.
    pub(super) fn new(rules: &Rules<'_>, start: &Dag) -> Components {
        let nodes = start.nodes();
        let mut found = Components { lists: Vec::new(), alone: Vec::new(), places: vec![None; nodes] };
        if rules.is_free() || nodes <= FEW {
            found.put(start.vars().collect());
            return found;
        }
        let mut together = Vec::new();
        for mut list in connected(rules, start) {
            match list[..] {
                [one] => found.alone.push(one),
                _ if list.len() < SMALLEST => together.append(&mut list),
                _ => found.put(list),
            }
            if together.len() >= SMALLEST {
                found.put(std::mem::take(&mut together));
            }
        }
        if !together.is_empty() {
            found.put(together);
        }
        found
    }

    fn put(&mut self, mut list: Vec<Var>) {
        list.sort_unstable();
        let component = self.lists.len() as u32;
        list.iter().zip(0..).for_each(|(v, place)| self.places[v.index()] = Some((component, place)));
        self.lists.push(list);
    }

    /// The number of all nodes.
    pub(super) fn nodes(&self) -> usize {
        self.places.len()
    }

    /// The component of a node and its number there; `None` if it is alone.
    pub(super) fn place(&self, v: Var) -> Option<(usize, Var)> {
        self.places[v.index()].map(|(component, place)| (component as usize, Var(place)))
    }

    /// The component in which a move is made, and the move by the numbers there.
    pub(super) fn inner(&self, m: Move) -> (usize, Move) {
        let place = |v| self.place(v).expect("a node that has a move is in a component");
        let (component, to) = place(m.to);
        (component, Move { from: place(m.from).1, to, ..m })
    }
}

/// The nodes that are connected by edges of the skeleton and arcs of the start, those with the smallest node first.
fn connected(rules: &Rules<'_>, start: &Dag) -> Vec<Vec<Var>> {
    let mut seen = vec![false; start.nodes()];
    let from = |first: Var| {
        let (mut list, mut open) = (Vec::new(), vec![first]);
        while let Some(v) = open.pop() {
            if !std::mem::replace(&mut seen[v.index()], true) {
                list.push(v);
                let near = [rules.neighbours(v), start.parents(v), start.children(v)];
                open.extend(near.into_iter().flat_map(VarSet::iter));
            }
        }
        list
    };
    start.vars().map(from).filter(|list| !list.is_empty()).collect()
}

/// One component as a search of its own. It is the score of that search, as far as one asks: that of the same families in
/// the whole.
pub(super) struct Component<'a> {
    vars: &'a [Var],
    /// The score of all nodes.
    whole: &'a dyn Score,
    is_whole: bool,
    pub(super) rules: Rules<'a>,
    pub(super) start: Dag,
}

impl<'a> Component<'a> {
    /// The component of these nodes.
    pub(super) fn new(
        vars: &'a [Var],
        whole: &'a dyn Score,
        rules: &Rules<'a>,
        start: &Dag,
    ) -> Component<'a> {
        if vars.len() == start.nodes() {
            return Component { vars, whole, is_whole: true, rules: *rules, start: start.clone() };
        }
        let mut inner = Dag::empty(vars.len());
        for (&v, to) in vars.iter().zip(0..) {
            let inside = |p| Var::new(vars.binary_search(&p).expect("parents are in the same component"));
            start.parents(v).iter().for_each(|p| inner.add(inside(p), Var(to)));
        }
        Component { vars, whole, is_whole: false, rules: rules.among(vars), start: inner }
    }

    /// Its score.
    pub(super) fn score(&self) -> &dyn Score {
        if self.is_whole { self.whole } else { self }
    }

    fn outer<'v>(&self, inner: impl IntoIterator<Item = &'v Var>) -> SmallVec<[Var; 16]> {
        inner.into_iter().map(|v| self.vars[v.index()]).collect()
    }
}

impl Score for Component<'_> {
    fn local(&self, child: Var, parents: &[Var]) -> f64 {
        self.whole.local(self.vars[child.index()], &self.outer(parents))
    }

    fn locals(&self, families: &[(Var, &[Var])], out: &mut Vec<f64>) {
        let parents = self.outer(families.iter().flat_map(|(_, parents)| *parents));
        let mut rest = &parents[..];
        let outer = families.iter().map(|(child, parents)| {
            let (parents, others) = rest.split_at(parents.len());
            rest = others;
            (self.vars[child.index()], parents)
        });
        let outer: SmallVec<[(Var, &[Var]); 8]> = outer.collect();
        self.whole.locals(&outer, out);
    }

    fn sweep(&self, child: Var, parents: &[Var], candidates: &[Var], out: &mut Vec<f64>) {
        let child = self.vars[child.index()];
        self.whole.sweep(child, &self.outer(parents), &self.outer(candidates), out);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::{Constraints, Skeleton};
    use crate::search::moves::Kind;

    /// The value of a family tells which it is.
    struct Named;

    impl Score for Named {
        fn local(&self, child: Var, parents: &[Var]) -> f64 {
            parents.iter().fold(f64::from(child.0 + 1), |all, p| 100.0 * all + f64::from(p.0 + 1))
        }
    }

    proptest! {
        #[test]
        fn nodes_are_connected_if_a_way_leads_from_one_to_the_other(
            edges in prop::collection::vec((0u32..12, 0u32..12), 0..14),
            arcs in prop::collection::vec((0u32..12, 0u32..12), 0..3),
        ) {
            let mut skeleton = Skeleton::empty(12);
            let arcs: Vec<_> = arcs.iter().filter(|(x, y)| x < y).map(|&(x, y)| (Var(x), Var(y))).collect();
            let start = Dag::from_arcs(12, arcs.iter().copied()).unwrap();
            edges.iter().filter(|(x, y)| x != y).for_each(|&(x, y)| _ = skeleton.insert(Var(x), Var(y)));
            let none = Constraints::none();
            let rules = Rules::new(Some(&skeleton), &none, None);
            // Which is connected with which, by the definition.
            let mut joined = [[false; 12]; 12];
            (0..12).for_each(|v| joined[v][v] = true);
            for (x, y) in skeleton.edges().chain(arcs) {
                joined[x.index()][y.index()] = true;
                joined[y.index()][x.index()] = true;
            }
            for over in 0..12 {
                let from_there = joined[over];
                for to in joined.iter_mut().filter(|to| to[over]) {
                    to.iter_mut().zip(from_there).for_each(|(to, there)| *to |= there);
                }
            }
            let mut lists = connected(&rules, &start);
            lists.iter_mut().for_each(|list| list.sort_unstable());
            for (x, joined) in joined.iter().enumerate() {
                let list: Vec<Var> = (0..12).filter(|&y| joined[y]).map(Var::new).collect();
                prop_assert_eq!(lists.iter().filter(|list| list.contains(&Var::new(x))).collect::<Vec<_>>(), [&list]);
            }

            // Components are made of these, and of as many small ones as are needed.
            let components = Components::new(&rules, &start);
            let single = |list: &&Vec<Var>| list.len() == 1;
            prop_assert!(components.alone.iter().eq(lists.iter().filter(single).flatten()));
            let small = components.lists.iter().filter(|list| list.len() < SMALLEST).count();
            prop_assert!(small <= 1, "{:?}", components);
            for (number, list) in components.lists.iter().enumerate() {
                let of_it: Vec<&Vec<Var>> = lists.iter().filter(|some| list.contains(&some[0])).collect();
                prop_assert_eq!(of_it.iter().map(|some| some.len()).sum::<usize>(), list.len());
                prop_assert!(of_it.iter().flat_map(|some| some.iter()).all(|v| list.contains(v)));
                prop_assert!(of_it.len() == 1 || of_it.iter().all(|some| some.len() < SMALLEST));
                prop_assert!(list.is_sorted() && list.len() < SMALLEST + of_it[of_it.len() - 1].len());
                for (place, &v) in list.iter().enumerate() {
                    prop_assert_eq!(components.place(v), Some((number, Var::new(place))));
                }
            }
            prop_assert_eq!(components.alone.len() + components.lists.iter().map(Vec::len).sum::<usize>(), 12);
        }
    }

    #[test]
    fn a_component_asks_for_the_families_of_the_whole() {
        let mut skeleton = Skeleton::empty(7);
        for (x, y) in [(1, 3), (3, 6), (0, 5)] {
            skeleton.insert(Var(x), Var(y));
        }
        let known = Constraints::none().forbidding([(Var(6), Var(3))]);
        let start = Dag::from_arcs(7, [(Var(1), Var(4))]).unwrap();
        let rules = Rules::new(Some(&skeleton), &known, Some(2));
        let components = Components::new(&rules, &start);
        assert_eq!(components.lists, [[1, 3, 4, 6].map(Var).to_vec(), vec![Var(0), Var(5)]]);
        assert_eq!(components.alone, [Var(2)]);
        let m = Move { kind: Kind::Add, from: Var(3), to: Var(6) };
        assert_eq!(components.inner(m), (0, Move { kind: Kind::Add, from: Var(1), to: Var(3) }));

        let component = Component::new(&components.lists[0], &Named, &rules, &start);
        assert_eq!(component.start.arcs().collect::<Vec<_>>(), [(Var(0), Var(2))]);
        let (score, mut values) = (component.score(), Vec::new());
        assert_eq!(score.local(Var(1), &[Var(0), Var(3)]), 4_02_07.0);
        score.sweep(Var(3), &[Var(1)], &[Var(0), Var(2)], &mut values);
        score.locals(&[(Var(0), &[]), (Var(2), &[Var(0)]), (Var(3), &[Var(0), Var(1)])], &mut values);
        assert_eq!(values, [7_04_02.0, 7_04_05.0, 2.0, 5_02.0, 7_02_04.0]);

        let inner = &component.rules;
        assert!(inner.may_add(Var(1), Var(3)) && !inner.may_add(Var(3), Var(1)));
        assert!(inner.may_add(Var(0), Var(1)) && !inner.may_add(Var(0), Var(3)));
        assert_eq!(inner.candidates(Var(1), &component.start), [Var(0)]);
        assert_eq!(inner.candidates(Var(2), &component.start), [Var(0)]);
    }
}
