//! Which of several moves with exactly the same gain comes first.

use std::sync::Arc;

use super::moves::{Kind, Move};
use crate::data::Var;
use crate::random::{hash, mix};

/// An order of all moves: by the start of the arc, its end, and the kind of move.
///
/// The variables are in the order of their names, or in an order keyed on a seed and their names:
/// neither depends on the order of the columns or on the other variables.
#[derive(Debug, Clone)]
pub(super) struct Ties {
    rank: Arc<[u32]>,
}

impl Ties {
    /// Variables in the order of their names, which is the canonical one.
    pub(super) fn by_name(variables: usize) -> Ties {
        Ties { rank: (0..variables as u32).collect() }
    }

    /// Variables in an order that depends on the seed, the number of the order and their names.
    pub(super) fn keyed(seed: u64, order: usize, names: &[&str]) -> Ties {
        let key = |i: &u32| mix(seed, &[order as u64, hash(names[*i as usize].bytes())]);
        let mut variables: Vec<u32> = (0..names.len() as u32).collect();
        variables.sort_by_cached_key(|i| (key(i), *i));
        let mut rank = vec![0; names.len()];
        variables.iter().enumerate().for_each(|(place, &v)| rank[v as usize] = place as u32);
        Ties { rank: rank.into() }
    }

    /// The same order of the nodes of a component, by their numbers there.
    pub(super) fn among(&self, vars: &[Var]) -> Ties {
        match vars.len() == self.rank.len() {
            true => self.clone(),
            false => Ties { rank: vars.iter().map(|v| self.rank[v.index()]).collect() },
        }
    }

    /// Whether this is the same order, without looking at all nodes.
    pub(super) fn is(&self, other: &Ties) -> bool {
        Arc::ptr_eq(&self.rank, &other.rank)
    }

    /// The smaller comes first; different moves have different numbers.
    pub(super) fn key(&self, m: Move) -> u64 {
        let rank = |v: Var| u64::from(self.rank[v.index()]);
        let kind = match m.kind {
            Kind::Add => 0,
            Kind::Delete => 1,
            Kind::Reverse => 2,
        };
        rank(m.from) << 33 | rank(m.to) << 2 | kind
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_depends_on_names_and_not_on_places() {
        let first = |ties: Ties, a: u32, b: u32| {
            let add = |v| Move { kind: Kind::Add, from: Var(v), to: Var(3) };
            ties.key(add(a)) < ties.key(add(b))
        };
        let mut seen = [false; 2];
        for order in 1..20 {
            let all = first(Ties::keyed(7, order, &["a", "b", "c", "d"]), 0, 2);
            let some = first(Ties::keyed(7, order, &["a", "aa", "bb", "c", "d"]), 0, 3);
            assert_eq!(all, some);
            seen[usize::from(all)] = true;
        }
        assert_eq!(seen, [true; 2]);
        assert!(first(Ties::by_name(4), 0, 2));
    }

    #[test]
    fn a_component_keeps_the_order() {
        let ties = Ties::keyed(7, 3, &["a", "b", "c", "d", "e"]);
        let vars = [Var(0), Var(3), Var(4)];
        let inner = ties.among(&vars);
        for (from, to) in [(0, 1), (1, 0), (2, 1), (0, 2)] {
            let m = Move { kind: Kind::Reverse, from: vars[from], to: vars[to] };
            let same = Move { kind: Kind::Reverse, from: Var::new(from), to: Var::new(to) };
            assert_eq!(inner.key(same), ties.key(m));
        }
    }
}
