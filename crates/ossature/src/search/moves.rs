//! The moves of a search: which are legal, and what they gain.
//!
//! A node and a candidate for its parents have one gain: what is gained when the candidate becomes a
//! parent, or ceases to be one. Turning x → y round is both at once, without x at y and with y at
//! x, so its gain is the sum of two. A move changes the parents of one node or two, and only what
//! these gain is computed anew.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use smallvec::SmallVec;

use super::order::Order;
use super::ranking::{Judgement, Ranked, Ranking};
use super::rules::Rules;
use super::ties::Ties;
use super::watch::Watch;
use crate::data::{Var, VarSet};
use crate::graph::Dag;
use crate::random::scramble;
use crate::score::Score;

/// Candidates that are scored by one thread at a time.
const CHUNK: usize = 64;

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
    /// The move that takes this one back.
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
        const LEGAL: &str = "a legal move closes no cycle";
        match self.kind {
            Kind::Add => dag.try_add(self.from, self.to).expect(LEGAL),
            Kind::Delete => drop(dag.remove(self.from, self.to)),
            Kind::Reverse => dag.try_reverse(self.from, self.to).expect(LEGAL),
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

/// A structure, and all that is known about the moves from it.
#[derive(Clone)]
pub(super) struct Moves<'a> {
    score: &'a dyn Score,
    rules: &'a Rules<'a>,
    ties: Ties,
    dag: Dag,
    order: Order,
    fingerprint: u128,
    nodes: Vec<Node>,
    /// The lists of node v are those of number 2v (its [`adds`](Node::adds)) and 2v + 1 (its
    /// [`turns`](Node::turns)).
    ranking: Ranking,
    total: f64,
    made: u64,
}

/// A node and the moves that change its parents.
#[derive(Debug, Clone)]
struct Node {
    /// Its value with its parents.
    local: f64,
    /// All that may ever be its parents, in order.
    candidates: Arc<[Var]>,
    /// Its value when a candidate becomes a parent, or ceases to be one; −∞ where that is never to
    /// be.
    changed: Vec<f64>,
    /// The places of the candidates that may be added, as far as cycles are not concerned, from the
    /// best to the worst.
    adds: Vec<u32>,
    /// The arcs to this node that may be deleted or turned round, from the best to the worst.
    turns: Vec<Ranked>,
}

impl<'a> Moves<'a> {
    /// The moves from `start`; none if the work was stopped.
    pub(super) fn new(
        score: &'a dyn Score,
        rules: &'a Rules<'a>,
        start: Dag,
        ties: Ties,
        watch: &Watch<'_>,
    ) -> Option<Moves<'a>> {
        let (done, total) = (AtomicU64::new(0), start.nodes() as u64);
        let nodes = (0..start.nodes()).into_par_iter().map(|v| {
            let v = Var::new(v);
            let mut node = Node {
                local: 0.0,
                candidates: rules.candidates(v, &start).into(),
                changed: Vec::new(),
                adds: Vec::new(),
                turns: Vec::new(),
            };
            node.rescore(score, rules, v, &start);
            watch.scored(done.fetch_add(1, Ordering::Relaxed) + 1, total).then_some(node)
        });
        let nodes: Vec<Node> = nodes.collect::<Option<_>>()?;
        let ranking = Ranking::new(2 * nodes.len());
        let fingerprint = start.arcs().fold(0, |f, (from, to)| f ^ arc_number(from, to));
        let order = Order::new(&start);
        let mut moves =
            Moves { score, rules, ties, dag: start, order, fingerprint, nodes, ranking, total: 0.0, made: 0 };
        moves.rank_all();
        moves.add_up();
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
        self.total
    }

    /// Its number: different structures have different ones.
    pub(super) fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    /// How many moves were made.
    pub(super) fn made(&self) -> u64 {
        self.made
    }

    /// All that may ever be parents of a node.
    pub(super) fn candidates(&self, to: Var) -> &[Var] {
        &self.nodes[to.index()].candidates
    }

    /// The legal move that gains most, among those to structures whose numbers are accepted.
    pub(super) fn best(&mut self, accept: impl Fn(u128) -> bool) -> Option<Move> {
        let Moves { ranking, nodes, ties, order, dag, fingerprint, .. } = self;
        let entry = |list: usize, position: usize| entry(nodes, ties, list, position);
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

    /// Whether a move from this structure keeps to the rules and closes no cycle.
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
    pub(super) fn score_after(&self, m: Move) -> f64 {
        let value = |(v, node): (usize, &Node)| match m.kind {
            _ if v == m.to.index() => node.changed[node.place(m.from)],
            Kind::Reverse if v == m.from.index() => node.changed[node.place(m.to)],
            _ => node.local,
        };
        self.nodes.iter().enumerate().map(value).sum()
    }

    /// Makes a legal move.
    pub(super) fn apply(&mut self, m: Move) {
        m.apply(&mut self.dag);
        self.fingerprint = m.fingerprint(self.fingerprint);
        self.made += 1;
        match m.kind {
            Kind::Add => self.order.added(&self.dag, m.from, m.to),
            Kind::Delete => {}
            Kind::Reverse => self.order.added(&self.dag, m.to, m.from),
        }
        if m.kind != Kind::Add {
            self.unblock();
        }
        match m.kind {
            Kind::Add | Kind::Delete => self.parents_changed(&[m.to]),
            Kind::Reverse => self.parents_changed(&[m.from, m.to]),
        }
    }

    /// Goes to another structure at once.
    pub(super) fn go_to(&mut self, dag: &Dag) {
        let changed: Vec<Var> = dag.vars().filter(|&v| dag.parents(v) != self.dag.parents(v)).collect();
        self.dag.clone_from(dag);
        self.order = Order::new(dag);
        self.fingerprint = dag.arcs().fold(0, |f, (from, to)| f ^ arc_number(from, to));
        self.unblock();
        self.parents_changed(&changed);
    }

    /// An arc is gone: what would have closed a cycle with it may now be made.
    fn unblock(&mut self) {
        let Moves { ranking, nodes, ties, .. } = self;
        ranking.unblock(|list, position| entry(nodes, ties, list, position));
    }

    /// Brings everything up to date after these nodes have got other parents.
    fn parents_changed(&mut self, changed: &[Var]) {
        for &v in changed {
            self.nodes[v.index()].rescore(self.score, self.rules, v, &self.dag);
            self.rank_adds(v);
        }
        for &v in changed {
            self.rank_turns(v);
            // Turning round an arc from v makes a parent of v.
            for i in 0..self.dag.children(v).len() {
                self.rank_turns(self.dag.children(v).as_slice()[i]);
            }
        }
        self.add_up();
    }

    /// The sum over the nodes, in their order: what a rescore would give, to the last bit.
    fn add_up(&mut self) {
        self.total = self.nodes.iter().map(|node| node.local).sum();
    }

    fn rank_all(&mut self) {
        for v in self.dag.vars() {
            self.rank_adds(v);
            self.rank_turns(v);
        }
    }

    fn rank_adds(&mut self, to: Var) {
        let Node { local, candidates, changed, adds, .. } = &mut self.nodes[to.index()];
        let parents = self.dag.parents(to);
        let may_add = |i: &u32| {
            let (from, value) = (candidates[*i as usize], changed[*i as usize]);
            value > f64::NEG_INFINITY && !parents.contains(from) && self.rules.may_add(from, to)
        };
        adds.clear();
        adds.extend((0..candidates.len() as u32).filter(may_add));
        let key = |i: u32| self.ties.key(Move { kind: Kind::Add, from: candidates[i as usize], to });
        let gain = |i: u32| changed[i as usize] - *local;
        adds.sort_unstable_by(|&i, &j| gain(j).total_cmp(&gain(i)).then_with(|| key(i).cmp(&key(j))));
        let list = 2 * to.index();
        self.ranking.renewed(list, entry(&self.nodes, &self.ties, list, 0));
    }

    fn rank_turns(&mut self, to: Var) {
        let mut turns = std::mem::take(&mut self.nodes[to.index()].turns);
        turns.clear();
        for from in self.dag.parents(to).iter().filter(|&from| self.rules.may_delete(from, to)) {
            let gain = |v: Var, candidate: Var| {
                let node = &self.nodes[v.index()];
                node.gain(node.place(candidate))
            };
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
        self.ranking.renewed(2 * to.index() + 1, turns.first().copied());
        self.nodes[to.index()].turns = turns;
    }
}

impl Node {
    /// The place of a candidate.
    fn place(&self, candidate: Var) -> usize {
        self.candidates.binary_search(&candidate).expect("a candidate")
    }

    /// What is gained when the candidate at this place becomes a parent or ceases to be one.
    fn gain(&self, place: usize) -> f64 {
        self.changed[place] - self.local
    }

    /// Computes the value of the node, and those with one parent more or less.
    fn rescore(&mut self, score: &dyn Score, rules: &Rules<'_>, v: Var, dag: &Dag) {
        let parents = dag.parents(v);
        let fewer: Vec<(Var, VarSet)> =
            parents.iter().filter(|&p| rules.may_delete(p, v)).map(|p| (p, parents.without(p))).collect();
        let families: SmallVec<[(Var, &[Var]); 8]> = std::iter::once(parents)
            .chain(fewer.iter().map(|(_, others)| others))
            .map(|parents| (v, parents.as_slice()))
            .collect();
        let mut values = Vec::with_capacity(families.len());
        score.locals(&families, &mut values);
        self.local = values[0];
        self.changed.clear();
        self.changed.resize(self.candidates.len(), f64::NEG_INFINITY);
        for ((p, _), &value) in fewer.iter().zip(&values[1..]) {
            let place = self.place(*p);
            self.changed[place] = value;
        }
        if !rules.may_grow(parents.len()) {
            return;
        }
        let others: Vec<Var> = self.candidates.iter().copied().filter(|&c| !parents.contains(c)).collect();
        let mut values = sweep(score, v, parents.as_slice(), &others).into_iter();
        for (changed, &candidate) in self.changed.iter_mut().zip(&*self.candidates) {
            if !parents.contains(candidate) {
                *changed = values.next().expect("a value for each candidate");
            }
        }
    }
}

/// The values with one more parent; many candidates are shared among threads.
fn sweep(score: &dyn Score, child: Var, parents: &[Var], candidates: &[Var]) -> Vec<f64> {
    let part = |candidates: &[Var]| {
        let mut values = Vec::with_capacity(candidates.len());
        if !candidates.is_empty() {
            score.sweep(child, parents, candidates, &mut values);
        }
        values
    };
    if candidates.len() < 2 * CHUNK {
        return part(candidates);
    }
    candidates.par_chunks(CHUNK).flat_map_iter(part).collect()
}

/// An entry of one of the lists of moves.
fn entry(nodes: &[Node], ties: &Ties, list: usize, position: usize) -> Option<Ranked> {
    let node = &nodes[list / 2];
    if list % 2 == 1 {
        return node.turns.get(position).copied();
    }
    let at = *node.adds.get(position)? as usize;
    let what = Move { kind: Kind::Add, from: node.candidates[at], to: Var::new(list / 2) };
    Some(Ranked { gain: node.gain(at), tie: ties.key(what), what })
}

/// Whether the graph has no cycle after a move.
fn is_acyclic(order: &mut Order, dag: &Dag, m: Move) -> bool {
    match m.kind {
        Kind::Add => !dag.has_arc(m.to, m.from) && !order.detour(dag, m.to, m.from),
        Kind::Delete => true,
        Kind::Reverse => !order.detour(dag, m.from, m.to),
    }
}
