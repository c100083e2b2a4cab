//! The moves of a search: which are legal, and what they gain.
//!
//! A node and a candidate for its parents have one gain: that of the candidate becoming a parent, or
//! ceasing to be one. Reversing x → y does both, without x at y and with y at x, so its gain is the
//! sum of two. A move changes the parents of one node or two, and only their gains are looked up
//! again in `values`, which keeps them for the other orders, and only when the next move is wanted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use smallvec::SmallVec;

use super::order::Order;
use super::ranking::{Judgement, Ranked, Ranking};
use super::rules::Rules;
use super::ties::Ties;
use super::total::Total;
use super::values::{NodeValues, Valued};
use super::watch::Watch;
use crate::data::Var;
use crate::graph::Dag;
use crate::parallel;
use crate::random::scramble;

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

    /// The number of the structure after this move, from the number before.
    fn fingerprint(self, before: u128) -> u128 {
        let other = if self.kind == Kind::Reverse { arc_number(self.to, self.from) } else { 0 };
        before ^ arc_number(self.from, self.to) ^ other
    }
}

/// A random number of 128 bits for each arc; a structure is the exclusive or of its arcs.
fn arc_number(from: Var, to: Var) -> u128 {
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
    order: Order,
    fingerprint: u128,
    nodes: Vec<Node>,
    /// The lists of node v have the numbers 2v (its [`adds`](Node::adds)) and 2v + 1 (its
    /// [`turns`](Node::turns)).
    ranking: Ranking,
    /// The nodes whose gains are those of earlier parents.
    stale: SmallVec<[Var; 2]>,
    total: Total,
    made: u64,
}

/// A node and the moves that change its parents.
#[derive(Debug, Clone)]
struct Node {
    /// Its values, with its parents and with one more or fewer.
    valued: Arc<Valued>,
    /// The ranks of the candidates that may be added, if ties make them differ from those in `valued`.
    own: Option<Box<[u32]>>,
    /// The arcs to this node that may be deleted or reversed, from the best to the worst.
    turns: Vec<Ranked>,
}

impl<'a> Moves<'a> {
    /// The moves from `start`; `None` if the work was stopped.
    pub(super) fn new(
        values: &'a NodeValues<'a>,
        start: Dag,
        ties: Ties,
        watch: &Watch<'_>,
    ) -> Option<Moves<'a>> {
        let (done, all) = (AtomicU64::new(0), start.nodes() as u64);
        let nodes = parallel::try_map(start.nodes(), |v| {
            let v = Var::new(v);
            let valued = values.of(v, start.parents(v));
            let node = Node { valued, own: None, turns: Vec::new() };
            watch.scored(done.fetch_add(1, Ordering::Relaxed) + 1, all).then_some(node).ok_or(())
        });
        let nodes: Vec<Node> = nodes.ok()?;
        let ranking = Ranking::new(2 * nodes.len());
        let fingerprint = start.arcs().fold(0, |f, (from, to)| f ^ arc_number(from, to));
        let order = Order::new(&start);
        let total = Total::new(nodes.iter().map(|node| node.valued.local));
        let mut moves = Moves {
            values,
            rules: values.rules(),
            ties,
            dag: start,
            order,
            fingerprint,
            nodes,
            ranking,
            stale: SmallVec::new(),
            total,
            made: 0,
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

    /// Its number, which differs between structures.
    pub(super) fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    /// Whether no node has so many candidates that threads divide them.
    pub(super) fn values_by_one_thread(&self) -> bool {
        self.values.is_narrow()
    }

    /// The number of moves made.
    pub(super) fn made(&self) -> u64 {
        self.made
    }

    /// The possible parents of a node.
    pub(super) fn candidates(&self, to: Var) -> &[Var] {
        self.values.candidates(to)
    }

    /// The legal move with the largest gain, among those to structures whose numbers are accepted.
    pub(super) fn best(&mut self, accept: impl Fn(u128) -> bool) -> Option<Move> {
        self.refresh();
        let Moves { ranking, values, nodes, ties, order, dag, fingerprint, .. } = self;
        let entry = |list: usize, position: usize| entry(values, nodes, ties, list, position);
        let best = ranking.best(entry, |m| {
            if !accept(m.fingerprint(*fingerprint)) {
                Judgement::Refused
            } else if is_acyclic(order, dag, m) {
                Judgement::Made
            } else {
                Judgement::Blocked
            }
        });
        best.map(|ranked| ranked.what)
    }

    /// Whether a move from this structure respects the rules and closes no cycle.
    pub(super) fn is_legal(&mut self, m: Move) -> bool {
        let grows = |v: Var| self.rules.may_grow(self.dag.parents(v).len());
        let (there, Move { kind, from, to }) = (self.dag.has_arc(m.from, m.to), m);
        let allowed = match kind {
            Kind::Add => !there && self.rules.may_add(from, to) && grows(to),
            Kind::Delete => there && self.rules.may_delete(from, to),
            Kind::Reverse => {
                there && self.rules.may_delete(from, to) && self.rules.may_add(to, from) && grows(from)
            }
        };
        allowed && is_acyclic(&mut self.order, &self.dag, m)
    }

    /// The score of the structure that a move leads to.
    pub(super) fn score_after(&mut self, m: Move) -> f64 {
        self.refresh();
        self.add_up_after(m);
        let sum = self.total.sum();
        m.changed().iter().for_each(|v| self.total.set(*v, self.nodes[v.index()].valued.local));
        sum
    }

    /// Makes the total that of the structure after a move; the gains are those before it.
    fn add_up_after(&mut self, m: Move) {
        for v in m.changed() {
            let candidate = if v == m.to { m.from } else { m.to };
            let place = self.values.place(v, candidate);
            self.total.set(v, self.nodes[v.index()].valued.changed(place));
        }
    }

    /// Makes a legal move.
    pub(super) fn apply(&mut self, m: Move) {
        self.refresh();
        self.add_up_after(m);
        if m.kind != Kind::Add {
            self.unblock(m.from, m.to);
        }
        m.apply(&mut self.dag);
        self.fingerprint = m.fingerprint(self.fingerprint);
        self.made += 1;
        match m.kind {
            Kind::Add => self.order.added(&self.dag, m.from, m.to),
            Kind::Delete => {}
            Kind::Reverse => self.order.added(&self.dag, m.to, m.from),
        }
        self.stale = m.changed();
    }

    /// Jumps to another structure.
    pub(super) fn go_to(&mut self, dag: &Dag) {
        let is_other = |&v: &Var| dag.parents(v) != self.dag.parents(v) || self.stale.contains(&v);
        let changed: Vec<Var> = dag.vars().filter(is_other).collect();
        self.stale.clear();
        self.dag.clone_from(dag);
        self.order = Order::new(dag);
        self.fingerprint = dag.arcs().fold(0, |f, (from, to)| f ^ arc_number(from, to));
        let Moves { ranking, values, nodes, ties, .. } = self;
        ranking.unblock(|_| true, |_| true, |list, position| entry(values, nodes, ties, list, position));
        self.parents_changed(&changed);
    }

    /// Before an arc is removed: moves that would have closed a cycle with it become possible. Such a
    /// cycle runs from a node that leads to the arc, through the arc, to a node that it leads to, and
    /// back by the arc of the move: an added one, or one that is turned round.
    fn unblock(&mut self, from: Var, to: Var) {
        let Moves { ranking, values, nodes, ties, order, dag, .. } = self;
        let entry = |list: usize, position: usize| entry(values, nodes, ties, list, position);
        order.mark_around(dag, from, to);
        let lists = |list: usize| match list % 2 {
            0 => order.is_before(Var::new(list / 2)),
            _ => order.is_after(Var::new(list / 2)),
        };
        let freed = |m: Move| match m.kind {
            Kind::Add => order.is_after(m.from),
            Kind::Delete | Kind::Reverse => order.is_before(m.from),
        };
        ranking.unblock(lists, freed, entry);
    }

    /// Looks up the gains of nodes whose parents have changed.
    fn refresh(&mut self) {
        let stale = std::mem::take(&mut self.stale);
        self.parents_changed(&stale);
    }

    /// Updates everything after the parents of these nodes have changed.
    fn parents_changed(&mut self, changed: &[Var]) {
        for &v in changed {
            let valued = self.values.of(v, self.dag.parents(v));
            self.total.set(v, valued.local);
            self.nodes[v.index()].valued = valued;
            self.rank_adds(v);
        }
        for &v in changed {
            self.rank_turns(v);
            // Turning round an arc from v makes a parent of v.
            for i in 0..self.dag.children(v).len() {
                self.rank_turns(self.dag.children(v).as_slice()[i]);
            }
        }
    }

    fn rank_all(&mut self) {
        for v in self.dag.vars() {
            self.rank_adds(v);
            self.rank_turns(v);
        }
    }

    fn rank_adds(&mut self, to: Var) {
        let candidates = self.values.candidates(to);
        let key = |i: u32| self.ties.key(Move { kind: Kind::Add, from: candidates[i as usize], to });
        let node = &mut self.nodes[to.index()];
        node.own = node.valued.adds_by(key);
        // The best candidates are often children, which cannot be parents as well.
        let children = self.dag.children(to);
        let blocked = node.adds().iter().take_while(|&&i| children.contains(candidates[i as usize])).count();
        let list = 2 * to.index();
        self.ranking.renewed(list, blocked, entry(self.values, &self.nodes, &self.ties, list, blocked));
    }

    fn rank_turns(&mut self, to: Var) {
        let mut turns = std::mem::take(&mut self.nodes[to.index()].turns);
        turns.clear();
        for from in self.dag.parents(to).iter().filter(|&from| self.rules.may_delete(from, to)) {
            let gain =
                |v: Var, candidate: Var| self.nodes[v.index()].valued.gain(self.values.place(v, candidate));
            let without = gain(to, from);
            let ranked = |kind, gain| {
                let what = Move { kind, from, to };
                Ranked { gain, tie: self.ties.key(what), what }
            };
            turns.push(ranked(Kind::Delete, without));
            if self.rules.may_add(to, from) && self.rules.may_grow(self.dag.parents(from).len()) {
                turns.push(ranked(Kind::Reverse, without + gain(from, to)));
            }
        }
        turns.sort_unstable();
        self.ranking.renewed(2 * to.index() + 1, 0, turns.first().copied());
        self.nodes[to.index()].turns = turns;
    }
}

impl Node {
    /// The indices of the candidates that may be added, from the best to the worst.
    fn adds(&self) -> &[u32] {
        self.own.as_deref().unwrap_or(self.valued.adds())
    }
}

/// An entry of one of the lists of moves.
fn entry(
    values: &NodeValues<'_>,
    nodes: &[Node],
    ties: &Ties,
    list: usize,
    position: usize,
) -> Option<Ranked> {
    let (node, to) = (&nodes[list / 2], Var::new(list / 2));
    if list % 2 == 1 {
        return node.turns.get(position).copied();
    }
    let at = *node.adds().get(position)? as usize;
    let what = Move { kind: Kind::Add, from: values.candidates(to)[at], to };
    Some(Ranked { gain: node.valued.gain(at), tie: ties.key(what), what })
}

/// Whether the graph has no cycle after a move.
fn is_acyclic(order: &mut Order, dag: &Dag, m: Move) -> bool {
    match m.kind {
        Kind::Add => !dag.has_arc(m.to, m.from) && !order.detour(dag, m.to, m.from),
        Kind::Delete => true,
        Kind::Reverse => !order.detour(dag, m.from, m.to),
    }
}
