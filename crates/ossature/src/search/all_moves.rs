//! The moves of a whole graph, component by component.
//!
//! Up to the first structure that no move improves, the components climb apart: what one of them needs stays in the cache
//! until it is there, while a single search would go from one to another at each move and fetch nearly everything anew. What
//! the single search would have found, and which structures it would have visited last, is the same. Most components have no
//! part in what a search does after that, so of those that have climbed before only their best move is known, until it is
//! made.

use smallvec::SmallVec;

use super::climbed::{ClimbedComponent, last_moves};
use super::components::Components;
use super::moves::{Kind, Move, Moves, arc_number};
use super::ranking::{BestMove, NONE};
use super::smallest::Smallest;
use super::ties::Ties;
use super::total::Total;
use super::values::NodeValues;
use super::watch::Watch;
use crate::data::{Var, VarSet};
use crate::graph::Dag;

/// The components of a search and what its orders share.
pub(super) struct SharedByOrders<'a> {
    pub(super) components: &'a Components,
    pub(super) values: &'a [NodeValues<'a>],
    /// The moves from the start, in the first tie order.
    pub(super) first: Vec<Moves<'a>>,
    /// That order.
    pub(super) by_name: Ties,
    /// The score of the nodes that are in no component.
    pub(super) alone: f64,
}

impl<'a> SharedByOrders<'a> {
    /// The nodes of a component.
    pub(super) fn vars(&self, component: usize) -> &'a [Var] {
        &self.components.lists[component]
    }

    /// The moves of a component from the start in some tie order.
    pub(super) fn at_start(&self, component: usize, ties: &Ties) -> Moves<'a> {
        match ties.is(&self.by_name) {
            true => self.first[component].clone(),
            false => self.first[component].with_ties(ties.among(self.vars(component))),
        }
    }

    /// The score of the start.
    pub(super) fn score(&self) -> f64 {
        self.first.iter().map(Moves::score).fold(self.alone, |all, score| all + score)
    }
}

/// A structure, and the moves from it.
pub(super) struct AllMoves<'a> {
    shared: &'a SharedByOrders<'a>,
    ties: Ties,
    at: Vec<Standing<'a>>,
    /// The rank of the best move of each component that has not changed since, or a better one.
    heads: Smallest,
    /// Components may be there several times.
    changed: Vec<usize>,
    /// The scores of the components, then that of the nodes which are in none.
    total: Total,
    fingerprint: u128,
    made: u64,
}

/// Where a component is.
enum Standing<'a> {
    /// At the start; its climb from there is known already.
    Foot(&'a ClimbedComponent),
    /// At the end of this climb.
    Top(&'a ClimbedComponent),
    /// Anywhere.
    Open(Box<Moves<'a>>),
}

/// A structure.
pub(super) struct Structure<'a> {
    shared: &'a SharedByOrders<'a>,
    fingerprint: u128,
    parts: Vec<PartOfStructure<'a>>,
}

/// A component of it.
enum PartOfStructure<'a> {
    Start,
    Top(&'a ClimbedComponent),
    Other(Dag),
}

impl<'a> AllMoves<'a> {
    /// The moves from the start in some tie order, in which the climbs of some components are known.
    pub(super) fn new(
        shared: &'a SharedByOrders<'a>,
        ties: &Ties,
        climbed: impl Fn(usize) -> Option<&'a ClimbedComponent>,
    ) -> AllMoves<'a> {
        let at = (0..shared.first.len()).map(|component| match climbed(component) {
            Some(climbed) => Standing::Foot(climbed),
            None => Standing::Open(Box::new(shared.at_start(component, ties))),
        });
        let scores: Vec<f64> = shared.first.iter().map(Moves::score).chain([shared.alone]).collect();
        let arcs = shared.first.iter().zip(&shared.components.lists).flat_map(|(first, vars)| {
            first.dag().arcs().map(|(from, to)| arc_number(vars[from.index()], vars[to.index()]))
        });
        AllMoves {
            shared,
            ties: ties.clone(),
            at: at.collect(),
            heads: Smallest::new(shared.first.len()),
            changed: (0..shared.first.len()).collect(),
            total: Total::new(scores.into_iter()),
            fingerprint: arcs.fold(0, |all, arc| all ^ arc),
            made: 0,
        }
    }

    /// The score of the structure.
    pub(super) fn score(&self) -> f64 {
        self.total.sum()
    }

    /// Its number, which differs between structures.
    pub(super) fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    /// The number of moves made.
    pub(super) fn made(&self) -> u64 {
        self.made
    }

    /// The number of nodes.
    pub(super) fn nodes(&self) -> usize {
        self.shared.components.nodes()
    }

    /// The structure.
    pub(super) fn structure(&self) -> Structure<'a> {
        let part = |at: &Standing<'a>| match at {
            Standing::Foot(_) => PartOfStructure::Start,
            Standing::Top(climbed) => PartOfStructure::Top(climbed),
            Standing::Open(moves) => PartOfStructure::Other(moves.dag().clone()),
        };
        let AllMoves { shared, fingerprint, .. } = *self;
        Structure { shared, fingerprint, parts: self.at.iter().map(part).collect() }
    }

    /// Makes the best of all moves until none gains; returns the numbers of the last structures, so many at most, the
    /// last one at the end.
    pub(super) fn climb(&mut self, most: usize, watch: &Watch<'_>) -> Vec<u128> {
        let (mut known, mut new) = (Vec::new(), Vec::new());
        for component in 0..self.at.len() {
            match &mut self.at[component] {
                &mut Standing::Foot(climbed) => {
                    self.at[component] = Standing::Top(climbed);
                    self.climbed(component, climbed);
                    known.push((component, climbed));
                }
                Standing::Open(moves) if !watch.stopped() => {
                    let (others, made) = (self.total.sum() - moves.score(), self.made);
                    let go_on = |score, more| watch.moved(others + score, made + more);
                    let climbed = ClimbedComponent::new(moves, self.shared.vars(component), go_on);
                    self.climbed(component, &climbed);
                    new.push((component, climbed));
                }
                Standing::Open(_) | Standing::Top(_) => {}
            }
        }
        self.changed.clear();
        let climbs = known.into_iter().chain(new.iter().map(|(component, climbed)| (*component, climbed)));
        let last =
            last_moves(climbs.map(|(component, climbed)| (self.shared.vars(component), climbed)), most);
        let mut structures = vec![self.fingerprint];
        for m in last.iter().take(most.saturating_sub(1)) {
            structures.push(m.inverse().fingerprint(structures[structures.len() - 1]));
        }
        structures.reverse();
        structures
    }

    /// Follows the climb of a component.
    fn climbed(&mut self, component: usize, climbed: &ClimbedComponent) {
        self.fingerprint ^= climbed.fingerprint;
        self.made += climbed.moves.len() as u64;
        self.total.set(Var::new(component), climbed.score);
        self.heads.set(component, climbed.next);
    }

    /// The legal move with the largest gain, among those to structures whose numbers are accepted.
    pub(super) fn best(&mut self, accept: impl Fn(u128) -> bool) -> Option<Move> {
        let mut changed = std::mem::take(&mut self.changed);
        changed.drain(..).for_each(|component| self.set_head(component));
        // The components that seemed to have the best move, and the best that each has.
        let mut asked: SmallVec<[(usize, Option<BestMove>); 8]> = SmallVec::new();
        let fingerprint = self.fingerprint;
        let best = loop {
            let Some((component, _)) = self.heads.smallest() else { break None };
            let vars = self.shared.vars(component);
            let known = asked.iter().find(|(other, _)| *other == component);
            if let Some(best) = known.and_then(|(_, best)| *best) {
                break Some(best.what.outer(vars));
            }
            let best = self.open(component).best(|m| accept(m.outer(vars).fingerprint(fingerprint)));
            self.heads.set(component, best.map_or(NONE, |best| best.rank));
            asked.push((component, best));
        };
        asked.iter().for_each(|(component, _)| self.set_head(*component));
        self.changed = changed;
        best
    }

    fn set_head(&mut self, component: usize) {
        let head = self.open(component).head();
        self.heads.set(component, head);
    }

    /// Makes a legal move.
    pub(super) fn apply(&mut self, m: Move) {
        let (component, inner) = self.shared.components.inner(m);
        let moves = self.open(component);
        moves.apply(inner);
        let score = moves.score();
        self.total.set(Var::new(component), score);
        self.fingerprint = m.fingerprint(self.fingerprint);
        self.made += 1;
        self.changed.push(component);
    }

    /// Jumps to another structure.
    pub(super) fn go_to(&mut self, structure: &Structure<'a>) {
        let shared = self.shared;
        self.changed.clear();
        for (component, part) in structure.parts.iter().enumerate() {
            let dag = match part {
                PartOfStructure::Top(climbed) => {
                    self.at[component] = Standing::Top(climbed);
                    self.total.set(Var::new(component), climbed.score);
                    self.heads.set(component, climbed.next);
                    continue;
                }
                PartOfStructure::Start => shared.first[component].dag(),
                PartOfStructure::Other(dag) => dag,
            };
            let moves = self.open(component);
            moves.go_to(dag);
            let score = moves.score();
            self.total.set(Var::new(component), score);
            self.changed.push(component);
        }
        self.fingerprint = structure.fingerprint;
    }

    /// The number of possible parents of a node.
    pub(super) fn candidates(&self, to: Var) -> usize {
        let place = self.shared.components.place(to);
        place.map_or(0, |(component, to)| self.shared.values[component].candidates(to).len())
    }

    /// The possible parent of a node with an index.
    pub(super) fn candidate(&self, to: Var, index: usize) -> Var {
        let (component, to) = self.shared.components.place(to).expect("a node that has candidates");
        let candidate = self.shared.values[component].candidates(to).at(index);
        self.shared.vars(component)[candidate.index()]
    }

    /// Whether the structure has an arc.
    pub(super) fn has_arc(&mut self, from: Var, to: Var) -> bool {
        let (component, Move { from, to, .. }) =
            self.shared.components.inner(Move { kind: Kind::Add, from, to });
        self.open(component).dag().has_arc(from, to)
    }

    /// Whether a move respects the rules and closes no cycle.
    pub(super) fn is_legal(&mut self, m: Move) -> bool {
        let (component, inner) = self.shared.components.inner(m);
        self.open(component).is_legal(inner)
    }

    /// The moves of a component.
    fn open(&mut self, component: usize) -> &mut Moves<'a> {
        let SharedByOrders { first, values, .. } = self.shared;
        let at = &mut self.at[component];
        if !matches!(at, Standing::Open(_)) {
            let moves = match at {
                Standing::Top(climbed) => {
                    let mut dag = first[component].dag().clone();
                    climbed.apply(&mut dag);
                    let ties = self.ties.among(self.shared.vars(component));
                    Moves::new(&values[component], dag, ties, || true).expect("nobody stops it")
                }
                _ => self.shared.at_start(component, &self.ties),
            };
            *at = Standing::Open(Box::new(moves));
        }
        match at {
            Standing::Open(moves) => moves,
            _ => unreachable!("it was opened"),
        }
    }
}

impl Structure<'_> {
    /// The number of arcs.
    pub(super) fn arcs(&self) -> usize {
        let starts = self.shared.first.iter().map(|first| first.dag().len());
        self.parts
            .iter()
            .zip(starts)
            .map(|(part, start)| match part {
                PartOfStructure::Start => start,
                PartOfStructure::Top(climbed) => climbed.arcs(start),
                PartOfStructure::Other(dag) => dag.len(),
            })
            .sum()
    }

    /// Makes a legal move.
    pub(super) fn apply(&mut self, m: Move) {
        let (component, inner) = self.shared.components.inner(m);
        inner.apply(self.inner(component));
        self.fingerprint = m.fingerprint(self.fingerprint);
    }

    /// The graph of a component.
    fn inner(&mut self, component: usize) -> &mut Dag {
        let start = self.shared.first[component].dag();
        let part = &mut self.parts[component];
        if !matches!(part, PartOfStructure::Other(_)) {
            let mut dag = start.clone();
            if let PartOfStructure::Top(climbed) = part {
                climbed.apply(&mut dag);
            }
            *part = PartOfStructure::Other(dag);
        }
        match part {
            PartOfStructure::Other(dag) => dag,
            _ => unreachable!("it was made"),
        }
    }

    /// As one graph.
    pub(super) fn dag(mut self) -> Dag {
        let components = self.shared.components;
        let mut parents = vec![VarSet::new(); components.nodes()];
        for (component, vars) in components.lists.iter().enumerate() {
            let inner = self.inner(component);
            if vars.len() == components.nodes() {
                return std::mem::replace(inner, Dag::empty(0));
            }
            for (&v, to) in vars.iter().zip(inner.vars()) {
                parents[v.index()] = inner.parents(to).iter().map(|p| vars[p.index()]).collect();
            }
        }
        Dag::of_parents(parents)
    }
}
