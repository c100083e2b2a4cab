//! A set of nodes for each node of a graph, as bits.
//!
//! In a small graph all words of a set are there. In a large one most would be empty, and copying and joining them would
//! take time that grows with the square of the nodes; so there a set is a list of the words that are not.

use smallvec::SmallVec;

use crate::data::Var;

/// A set of nodes.
pub(super) trait NodeSet {
    /// Its words, each with its place, in order; empty ones may be left out.
    fn words(&self) -> impl Iterator<Item = (usize, u64)>;
    fn has(&self, v: Var) -> bool;
    fn add(&mut self, v: Var);
    fn omit(&mut self, v: Var);

    fn members(&self) -> impl Iterator<Item = Var> {
        self.words().flat_map(|(place, word)| {
            let rest = |&left: &u64| Some(left & (left - 1)).filter(|&left| left != 0);
            let lefts = std::iter::successors(Some(word).filter(|&word| word != 0), rest);
            lefts.map(move |left| Var::new(64 * place + left.trailing_zeros() as usize))
        })
    }
}

/// A set of nodes for each node.
pub(super) trait NodeSets: Clone {
    type Set: NodeSet;

    /// Empty sets.
    fn none(nodes: usize) -> Self;

    /// An empty set by itself.
    fn empty(&self) -> Self::Set;

    /// Whether the set of a node has another one.
    fn contains(&self, v: Var, other: Var) -> bool;

    /// The set of a node and the node.
    fn with_itself(&self, v: Var) -> Self::Set;

    /// Adds nodes to the set of a node.
    fn join(&mut self, v: Var, others: &Self::Set);

    /// Makes the set of a node that of its next ones, with these; returns whether it was another.
    fn renew(&mut self, v: Var, next: &[Var]) -> bool;

    /// Makes the sets of a node, which lost one of its next ones, and of all nodes that lead to it anew; these are the
    /// nodes given. Returns those whose sets are smaller now.
    fn renew_all<'g>(
        &mut self,
        first: Var,
        mut nodes: Self::Set,
        next: impl Fn(Var) -> &'g [Var],
    ) -> Self::Set {
        let mut smaller = self.empty();
        let mut path: SmallVec<[Var; 32]> = SmallVec::new();
        while let Some(v) = path.pop().or_else(|| nodes.members().next()) {
            // The next ones come first.
            if let Some(&w) = next(v).iter().find(|&&w| nodes.has(w)) {
                path.extend([v, w]);
                continue;
            }
            nodes.omit(v);
            let may_differ = v == first || next(v).iter().any(|&w| smaller.has(w));
            if may_differ && self.renew(v, next(v)) {
                smaller.add(v);
            }
        }
        smaller
    }
}

fn place_of(v: Var) -> (usize, u64) {
    (v.index() / 64, 1 << (v.index() % 64))
}

/// All words of a set.
pub(super) type Bits = SmallVec<[u64; 8]>;

impl NodeSet for Bits {
    fn words(&self) -> impl Iterator<Item = (usize, u64)> {
        self.iter().copied().enumerate()
    }

    fn has(&self, v: Var) -> bool {
        let (place, bit) = place_of(v);
        self.get(place).is_some_and(|word| word & bit != 0)
    }

    fn add(&mut self, v: Var) {
        let (place, bit) = place_of(v);
        self[place] |= bit;
    }

    fn omit(&mut self, v: Var) {
        let (place, bit) = place_of(v);
        self[place] &= !bit;
    }
}

/// Sets of which all words are there.
#[derive(Debug, Clone)]
pub(super) struct Dense {
    /// The number of words of a set.
    words: usize,
    bits: Vec<u64>,
}

impl Dense {
    fn of(&self, v: Var) -> &[u64] {
        &self.bits[v.index() * self.words..][..self.words]
    }
}

impl NodeSets for Dense {
    type Set = Bits;

    fn none(nodes: usize) -> Dense {
        let words = nodes.div_ceil(64);
        Dense { words, bits: vec![0; words * nodes] }
    }

    fn empty(&self) -> Bits {
        Bits::from_elem(0, self.words)
    }

    fn contains(&self, v: Var, other: Var) -> bool {
        let (place, bit) = place_of(other);
        self.of(v)[place] & bit != 0
    }

    fn with_itself(&self, v: Var) -> Bits {
        let mut set = Bits::from_slice(self.of(v));
        set.add(v);
        set
    }

    fn join(&mut self, v: Var, others: &Bits) {
        let set = &mut self.bits[v.index() * self.words..][..self.words];
        set.iter_mut().zip(others).for_each(|(word, more)| *word |= more);
    }

    fn renew(&mut self, v: Var, next: &[Var]) -> bool {
        let mut is_other = false;
        for word in 0..self.words {
            let of = |&w: &Var| {
                let (place, bit) = place_of(w);
                self.bits[w.index() * self.words + word] | if place == word { bit } else { 0 }
            };
            let now = next.iter().map(of).fold(0, |all, some| all | some);
            let before = std::mem::replace(&mut self.bits[v.index() * self.words + word], now);
            is_other |= before != now;
        }
        is_other
    }
}

/// The words of a set that are not empty, each after its place, in order.
pub(super) type Words = SmallVec<[(u32, u64); 2]>;

impl NodeSet for Words {
    fn words(&self) -> impl Iterator<Item = (usize, u64)> {
        self.iter().map(|&(place, word)| (place as usize, word))
    }

    fn has(&self, v: Var) -> bool {
        let (place, bit) = place_of(v);
        find(self, place).is_ok_and(|at| self[at].1 & bit != 0)
    }

    fn add(&mut self, v: Var) {
        let (place, bit) = place_of(v);
        match find(self, place) {
            Ok(at) => self[at].1 |= bit,
            Err(at) => self.insert(at, (place as u32, bit)),
        }
    }

    fn omit(&mut self, v: Var) {
        let (place, bit) = place_of(v);
        if let Ok(at) = find(self, place) {
            self[at].1 &= !bit;
            if self[at].1 == 0 {
                self.remove(at);
            }
        }
    }
}

/// Where the word at a place is, or would have to be.
fn find(set: &Words, place: usize) -> Result<usize, usize> {
    set.binary_search_by_key(&(place as u32), |&(place, _)| place)
}

/// The members of either set.
fn union(one: &Words, other: &Words) -> Words {
    let mut all = Words::with_capacity(one.len().max(other.len()));
    let (mut one, mut other) = (one.iter().copied().peekable(), other.iter().copied().peekable());
    loop {
        let next = match (one.peek(), other.peek()) {
            (Some(a), Some(b)) if a.0 == b.0 => Some((a.0, a.1 | b.1)),
            (Some(a), Some(b)) => Some(*a.min(b)),
            (a, b) => a.or(b).copied(),
        };
        let Some(next) = next else { return all };
        one.next_if(|(place, _)| *place == next.0);
        other.next_if(|(place, _)| *place == next.0);
        all.push(next);
    }
}

/// Sets of which only the words are there that are not empty.
#[derive(Debug, Clone)]
pub(super) struct Sparse {
    sets: Vec<Words>,
}

impl NodeSets for Sparse {
    type Set = Words;

    fn none(nodes: usize) -> Sparse {
        Sparse { sets: vec![Words::new(); nodes] }
    }

    fn empty(&self) -> Words {
        Words::new()
    }

    fn contains(&self, v: Var, other: Var) -> bool {
        self.sets[v.index()].has(other)
    }

    fn with_itself(&self, v: Var) -> Words {
        let mut set = self.sets[v.index()].clone();
        set.add(v);
        set
    }

    fn join(&mut self, v: Var, others: &Words) {
        let set = &mut self.sets[v.index()];
        *set = union(set, others);
    }

    fn renew(&mut self, v: Var, next: &[Var]) -> bool {
        let now = next.iter().fold(Words::new(), |all, &w| union(&all, &self.with_itself(w)));
        let before = std::mem::replace(&mut self.sets[v.index()], now);
        before != self.sets[v.index()]
    }
}
