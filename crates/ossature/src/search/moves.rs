//! The moves of a search: which are legal, and what they gain.
//!
//! A node and a candidate for its parents have one gain: that of the candidate becoming a parent, or
//! ceasing to be one. Reversing x → y does both, without x at y and with y at x, so its gain is the
//! sum of two. A move changes the parents of one node or two, and only their gains are looked up
//! again in `values`, which keeps them for the other orders, and only when the next move is wanted.

use std::sync::OnceLock;

use smallvec::SmallVec;

use super::lists::{Node, NodeLists, add, closes_cycle};
use super::paths::{Lost, Paths};
use super::ranking::{BestMove, Lists, Ranked, Ranking};
use super::rules::Rules;
use super::ties::Ties;
use super::total::Total;
use super::valued::Valued;
use super::values::{Held, NodeValues};
use crate::data::{Var, VarSet};
use crate::graph::Dag;
use crate::parallel;
use crate::random::scramble;

/// The number of moves that are looked at for what a search will need next; some of them are not possible.
const AHEAD: usize = 12;

/// So many nodes are valued by one thread.
const FEW: usize = 32;

/// What a move does with an arc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Add,
    Delete,
    Reverse,
}

/// A change of one arc. For [`Kind::Reverse`] it is the arc as it was before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) kind: Kind,
    pub(super) from: Var,
    pub(super) to: Var,
}

impl Move {
    /// The move that undoes this one.
    pub(super) fn inverse(self) -> Move {
        let Move { kind, from, to } = self;
        match kind {
            Kind::Add => Move { kind: Kind::Delete, from, to },
            Kind::Delete => Move { kind: Kind::Add, from, to },
            Kind::Reverse => Move { kind, from: to, to: from },
        }
    }

    /// Makes the move, which must be legal.
    pub(super) fn apply(self, dag: &mut Dag) {
        if self.kind != Kind::Add {
            dag.remove(self.from, self.to);
        }
        match self.kind {
            Kind::Add => dag.add(self.from, self.to),
            Kind::Delete => {}
            Kind::Reverse => dag.add(self.to, self.from),
        }
    }

    /// The nodes whose parents it changes.
    fn changed(self) -> SmallVec<[Var; 2]> {
        match self.kind {
            Kind::Add | Kind::Delete => SmallVec::from_slice(&[self.to]),
            Kind::Reverse => SmallVec::from_slice(&[self.from, self.to]),
        }
    }

    /// The parents of a node that it changes, after it.
    fn parents_after(self, v: Var, before: &VarSet) -> VarSet {
        match self.kind {
            Kind::Add => before.with(self.from),
            Kind::Reverse if v == self.from => before.with(self.to),
            Kind::Delete | Kind::Reverse => before.without(self.from),
        }
    }

    /// The same move of a component in the graph to whose nodes it belongs.
    pub(super) fn outer(self, vars: &[Var]) -> Move {
        Move { from: vars[self.from.index()], to: vars[self.to.index()], ..self }
    }

    /// The number of the structure after this move, from the number before.
    pub(super) fn fingerprint(self, before: u128) -> u128 {
        let other = if self.kind == Kind::Reverse { arc_number(self.to, self.from) } else { 0 };
        before ^ arc_number(self.from, self.to) ^ other
    }
}

/// A random number of 128 bits for each arc; a structure is the exclusive or of its arcs.
pub(super) fn arc_number(from: Var, to: Var) -> u128 {
    let high = scramble(u64::from(from.0) << 32 | u64::from(to.0));
    u128::from(high) << 64 | u128::from(scramble(!high))
}

/// A structure, and the moves from it.
#[derive(Clone)]
pub(super) struct Moves<'a> {
    values: &'a NodeValues<'a>,
    rules: &'a Rules<'a>,
    ties: Ties,
    dag: Dag,
    paths: Paths,
    nodes: Vec<Node<'a>>,
    /// The lists of node v have the numbers 2v (its [`adds`](Node::adds)) and 2v + 1 (its
    /// [`turns`](Node::turns)).
    ranking: Ranking,
    /// The nodes whose gains are those of earlier parents.
    stale: SmallVec<[Var; 2]>,
    total: Total,
}

impl<'a> Moves<'a> {
    /// The moves from `start`; `None` if the work was stopped: `scored` is called after each node and says whether to go on.
    pub(super) fn new(
        values: &'a NodeValues<'a>,
        start: Dag,
        ties: Ties,
        scored: impl Fn() -> bool + Sync,
    ) -> Option<Moves<'a>> {
        let node = |v: usize| {
            let v = Var::new(v);
            let valued = values.of(v, start.parents(v), &|| false);
            let node = Node { valued, own: None, all: OnceLock::new(), turns: Vec::new() };
            scored().then_some(node).ok_or(())
        };
        let nodes: Result<Vec<Node<'a>>, ()> = match start.nodes() {
            ..=FEW => (0..start.nodes()).map(node).collect(),
            many => parallel::try_map(many, node),
        };
        let nodes = nodes.ok()?;
        let ranking = Ranking::new(2 * nodes.len());
        let paths = Paths::new(&start);
        let total = Total::new(nodes.iter().map(|node| node.valued.local));
        let mut moves = Moves {
            values,
            rules: values.rules(),
            ties,
            dag: start,
            paths,
            nodes,
            ranking,
            stale: SmallVec::new(),
            total,
        };
        moves.rank_all();
        Some(moves)
    }

    /// The same moves with ties broken in another way.
    pub(super) fn with_ties(&self, ties: Ties) -> Moves<'a> {
        let mut moves = Moves { ties, ..self.clone() };
        moves.rank_all();
        moves
    }

    /// The structure.
    pub(super) fn dag(&self) -> &Dag {
        &self.dag
    }

    /// Its score.
    pub(super) fn score(&self) -> f64 {
        self.total.sum()
    }

    /// The legal move with the largest gain, among those that are accepted.
    pub(super) fn best(&mut self, accept: impl Fn(Move) -> bool) -> Option<BestMove> {
        self.refresh();
        let (ranking, lists) = self.lists();
        ranking.best(&lists, accept)
    }

    /// The rank of the best move, or a better one, of a move that would close a cycle.
    pub(super) fn head(&mut self) -> u128 {
        self.refresh();
        self.ranking.head()
    }

    /// Whether a move from this structure respects the rules and closes no cycle.
    pub(super) fn is_legal(&self, m: Move) -> bool {
        let grows = |v: Var| self.rules.may_grow(self.dag.parents(v).len());
        let (there, Move { kind, from, to }) = (self.dag.has_arc(m.from, m.to), m);
        let allowed = match kind {
            Kind::Add => !there && self.rules.may_add(from, to) && grows(to),
            Kind::Delete => there && self.rules.may_delete(from, to),
            Kind::Reverse => {
                there && self.rules.may_delete(from, to) && self.rules.may_add(to, from) && grows(from)
            }
        };
        allowed && !closes_cycle(&self.paths, &self.dag, m)
    }

    /// Makes the total that of the structure after a move; the gains are those before it.
    fn add_up_after(&mut self, m: Move) {
        for v in m.changed() {
            let candidate = if v == m.to { m.from } else { m.to };
            self.total.set(v, self.values.changed(v, &self.nodes[v.index()].valued, candidate));
        }
    }

    /// Makes a legal move.
    pub(super) fn apply(&mut self, m: Move) {
        self.refresh();
        self.add_up_after(m);
        self.follow(m);
    }

    /// Makes a legal move if that raises the score; returns whether it did.
    pub(super) fn improve(&mut self, m: Move) -> bool {
        self.refresh();
        let before = self.total.sum();
        self.add_up_after(m);
        let rises = self.total.sum() > before;
        match rises {
            true => self.follow(m),
            false => m.changed().iter().for_each(|v| self.total.set(*v, self.nodes[v.index()].valued.local)),
        }
        rises
    }

    /// Changes the graph by a move after which the total is added up already.
    fn follow(&mut self, m: Move) {
        m.apply(&mut self.dag);
        if m.kind == Kind::Add {
            self.paths.added(m.from, m.to);
        } else {
            let lost = self.paths.removed(&self.dag, m.from, m.to);
            if m.kind == Kind::Reverse {
                self.paths.added(m.to, m.from);
            }
            self.unblock_lost(m.from, &lost);
        }
        self.stale = m.changed();
    }

    /// Jumps to another structure.
    pub(super) fn go_to(&mut self, dag: &Dag) {
        let is_other = |&v: &Var| dag.parents(v) != self.dag.parents(v) || self.stale.contains(&v);
        let changed: Vec<Var> = dag.vars().filter(is_other).collect();
        self.stale.clear();
        self.dag.clone_from(dag);
        self.paths = Paths::new(dag);
        let lists = 2 * self.nodes.len();
        self.unblock(0..lists);
        self.parents_changed(&changed);
    }

    /// After an arc from this node was removed: moves that would have closed a cycle with it may be possible. An arc to v
    /// could not be added from a node to which v does not lead any more. An arc to v could not be turned round because a
    /// child of its start led to v and does not any more, or is not a child any more.
    fn unblock_lost(&mut self, from: Var, lost: &Lost) {
        let adds = lost.starts.iter().map(|v| 2 * v.index());
        let turns =
            lost.ends.iter().copied().chain(self.dag.children(from).iter()).map(|v| 2 * v.index() + 1);
        let some: SmallVec<[usize; 32]> = adds.chain(turns).collect();
        self.unblock(some.into_iter());
    }

    fn unblock(&mut self, some: impl Iterator<Item = usize>) {
        let (ranking, lists) = self.lists();
        ranking.unblock(some, &lists);
    }

    /// Looks up the gains of nodes whose parents have changed.
    fn refresh(&mut self) {
        let stale = std::mem::take(&mut self.stale);
        self.parents_changed(&stale);
    }

    /// Updates everything after the parents of these nodes have changed.
    fn parents_changed(&mut self, changed: &[Var]) {
        let valued = self.look_up(changed);
        for (&v, valued) in changed.iter().zip(valued) {
            self.total.set(v, valued.local);
            self.nodes[v.index()].valued = valued;
            self.rank_adds(v);
        }
        changed.iter().for_each(|&v| self.rank_turns(v));
        for &v in changed {
            // Turning round an arc from v makes a parent of v.
            for i in 0..self.dag.children(v).len() {
                let child = self.dag.children(v).as_slice()[i];
                if !changed.contains(&child) {
                    self.rank_reversal(v, child);
                }
            }
        }
    }

    /// The values of nodes whose parents have changed.
    fn look_up(&self, changed: &[Var]) -> SmallVec<[Held<'a>; 2]> {
        let before = |&v: &Var| (v, &*self.nodes[v.index()].valued);
        let before: SmallVec<[(Var, &Valued); 2]> = changed.iter().map(before).collect();
        self.values.of_nodes(&before, &self.dag, || self.value_ahead(changed))
    }

    /// Finds the values of a node after one of the moves that will probably be next, apart from moves at nodes that have
    /// just changed: most of the best moves stay what they are. Returns whether there was something to find.
    fn value_ahead(&self, changed: &[Var]) -> bool {
        let is_other = |m: &Move| !m.changed().iter().any(|v| changed.contains(v));
        let Moves { values, nodes, ties, paths, dag, .. } = self;
        let lists = NodeLists { values, nodes, ties, paths, dag };
        let mut next =
            self.ranking.best_heads(AHEAD, &lists).filter(|m| is_other(m) && !lists.is_blocked(*m));
        next.any(|m| m.changed().iter().any(|&v| values.ahead(v, &m.parents_after(v, dag.parents(v)))))
    }

    fn rank_all(&mut self) {
        for v in self.dag.vars() {
            self.sort_adds(v);
            self.sort_turns(v);
        }
        let (ranking, lists) = self.lists();
        ranking.all_renewed(&lists);
    }

    fn rank_adds(&mut self, to: Var) {
        self.sort_adds(to);
        self.renewed(2 * to.index());
    }

    fn rank_turns(&mut self, to: Var) {
        self.sort_turns(to);
        self.renewed(2 * to.index() + 1);
    }

    fn renewed(&mut self, list: usize) {
        let (ranking, lists) = self.lists();
        ranking.renewed(list, &lists);
    }

    fn lists(&mut self) -> (&mut Ranking, NodeLists<'_>) {
        let Moves { ranking, values, nodes, ties, paths, dag, .. } = self;
        (ranking, NodeLists { values, nodes, ties, paths, dag })
    }

    fn sort_adds(&mut self, to: Var) {
        let candidates = self.values.candidates(to);
        let node = &mut self.nodes[to.index()];
        node.own = node.valued.adds_by(|i| self.ties.key(add(candidates.at(i as usize), to)));
        node.all = OnceLock::new();
    }

    fn sort_turns(&mut self, to: Var) {
        let mut turns = std::mem::take(&mut self.nodes[to.index()].turns);
        turns.clear();
        turns.reserve(2 * self.dag.parents(to).len());
        for from in self.dag.parents(to).iter().filter(|&from| self.rules.may_delete(from, to)) {
            turns.push(self.ranked(Kind::Delete, from, to, self.gain(to, from)));
            turns.extend(self.reversal(from, to));
        }
        turns.sort_unstable();
        self.nodes[to.index()].turns = turns;
    }

    /// Ranks the reversal of an arc again, after the parents of its start have changed.
    fn rank_reversal(&mut self, from: Var, to: Var) {
        let reversal = self.reversal(from, to).filter(|_| self.rules.may_delete(from, to));
        let turns = &mut self.nodes[to.index()].turns;
        let before = turns.iter().position(|turn| turn.what == Move { kind: Kind::Reverse, from, to });
        before.map(|at| turns.remove(at));
        if let Some(reversal) = reversal {
            turns.insert(turns.partition_point(|turn| *turn < reversal), reversal);
        }
        self.renewed(2 * to.index() + 1);
    }

    /// The reversal of an arc that may be deleted, if the opposite arc may be added.
    fn reversal(&self, from: Var, to: Var) -> Option<Ranked> {
        let allowed = self.rules.may_add(to, from) && self.rules.may_grow(self.dag.parents(from).len());
        allowed.then(|| self.ranked(Kind::Reverse, from, to, self.gain(to, from) + self.gain(from, to)))
    }

    fn ranked(&self, kind: Kind, from: Var, to: Var, gain: f64) -> Ranked {
        let what = Move { kind, from, to };
        Ranked { gain, tie: self.ties.key(what), what }
    }

    /// What a node gains if a candidate becomes a parent or ceases to be one.
    fn gain(&self, v: Var, candidate: Var) -> f64 {
        self.values.gain(v, &self.nodes[v.index()].valued, candidate)
    }
}
