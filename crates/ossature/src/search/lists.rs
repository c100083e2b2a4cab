//! The moves of each node in two lists, from the best to the worst: arcs to it that may be added, and arcs to it that may
//! be deleted or reversed.

use std::sync::OnceLock;

use super::moves::{Kind, Move};
use super::paths::Paths;
use super::ranking::{Lists, Ranked};
use super::ties::Ties;
use super::values::{Held, NodeValues};
use crate::data::Var;
use crate::graph::Dag;

/// A node and the moves that change its parents.
#[derive(Debug, Clone)]
pub(super) struct Node<'a> {
    /// Its values, with its parents and with one more or fewer.
    pub(super) valued: Held<'a>,
    /// The ranks of the best candidates that may be added, if ties make them differ from those in `valued`.
    pub(super) own: Option<Box<[u32]>>,
    /// The ranks of all, once a candidate after the best was looked at.
    pub(super) all: OnceLock<Box<[u32]>>,
    /// The arcs to this node that may be deleted or reversed, from the best to the worst.
    pub(super) turns: Vec<Ranked>,
}

/// The move that adds an arc.
pub(super) fn add(from: Var, to: Var) -> Move {
    Move { kind: Kind::Add, from, to }
}

/// The lists of all nodes.
pub(super) struct NodeLists<'a> {
    pub(super) values: &'a NodeValues<'a>,
    pub(super) nodes: &'a [Node<'a>],
    pub(super) ties: &'a Ties,
    pub(super) paths: &'a Paths,
    pub(super) dag: &'a Dag,
}

impl NodeLists<'_> {
    /// The indices of the candidates that may be added, the best or all: so many that the position is among them, unless
    /// it is past the end.
    fn adds(&self, to: Var, position: usize) -> &[u32] {
        let node = &self.nodes[to.index()];
        let best = node.own.as_deref().unwrap_or(node.valued.adds());
        match position < best.len() || !node.valued.has_others() {
            true => best,
            false => node.all.get_or_init(|| {
                let candidates = self.values.candidates(to);
                self.values
                    .all_adds_by(to, &node.valued, |i| self.ties.key(add(candidates.at(i as usize), to)))
            }),
        }
    }

    /// The first candidate from a position on that does not lead to the node.
    fn first_addable(&self, to: Var, mut position: usize) -> usize {
        let candidates = self.values.candidates(to);
        loop {
            let adds = self.adds(to, position);
            let Some(rest) = adds.get(position..).filter(|rest| !rest.is_empty()) else { return position };
            match rest.iter().position(|&i| !self.paths.lead(to, candidates.at(i as usize))) {
                Some(passed) => return position + passed,
                None => position = adds.len(),
            }
        }
    }
}

impl Lists for NodeLists<'_> {
    fn at(&self, list: usize, position: usize) -> Option<Move> {
        let to = Var::new(list / 2);
        match list % 2 {
            0 => {
                let &i = self.adds(to, position).get(position)?;
                Some(add(self.values.candidates(to).at(i as usize), to))
            }
            _ => self.nodes[to.index()].turns.get(position).map(|turn| turn.what),
        }
    }

    fn ranked(&self, list: usize, position: usize) -> Option<Ranked> {
        let (node, to) = (&self.nodes[list / 2], Var::new(list / 2));
        if list % 2 == 1 {
            return node.turns.get(position).copied();
        }
        let what = self.at(list, position)?;
        Some(Ranked { gain: self.values.gain(to, &node.valued, what.from), tie: self.ties.key(what), what })
    }

    fn first_free(&self, list: usize, position: usize) -> usize {
        match list % 2 {
            0 => self.first_addable(Var::new(list / 2), position),
            _ => {
                let turns = self.nodes[list / 2].turns.get(position..).unwrap_or_default();
                position + turns.iter().take_while(|turn| self.is_blocked(turn.what)).count()
            }
        }
    }

    fn is_blocked(&self, m: Move) -> bool {
        closes_cycle(self.paths, self.dag, m)
    }
}

/// Whether the graph has a cycle after a move.
pub(super) fn closes_cycle(paths: &Paths, dag: &Dag, m: Move) -> bool {
    match m.kind {
        Kind::Add => paths.lead(m.to, m.from),
        Kind::Delete => false,
        Kind::Reverse => paths.detour(dag, m.from, m.to),
    }
}
