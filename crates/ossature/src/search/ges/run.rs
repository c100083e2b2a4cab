//! A run of GES: the open operators, and the loop that applies the best of them.

use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;

use super::families::Families;
use super::operators::{Act, Operator, OperatorSources};
use super::state::{ClassState, Obstacle};
use crate::data::Var;
use crate::graph::Mark;
use crate::parallel;
use crate::search::rules::Rules;
use crate::search::watch::Watch;

/// Work on operators that takes longer reports its progress.
const LONG: Duration = Duration::from_millis(100);

/// A class and its operators.
#[derive(Clone)]
pub(in crate::search) struct ClassRun<'a> {
    families: &'a Families<'a>,
    rules: &'a Rules<'a>,
    watch: &'a Watch<'a>,
    pub(in crate::search) state: ClassState,
    /// The kinds that are kept.
    acts: Vec<Act>,
    /// By index in `acts`, then by Y: the best first. Runs that begin with this one share most of them.
    open: Vec<Vec<Arc<Vec<Operator>>>>,
    /// Pairs that may not be joined.
    apart: FxHashSet<(Var, Var)>,
    pub(in crate::search) made: u64,
}

/// The position of an operator, ordered so that the largest is the one to apply.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Head {
    gain: f64,
    y: usize,
    place: usize,
}

impl Eq for Head {}

impl Ord for Head {
    fn cmp(&self, other: &Head) -> std::cmp::Ordering {
        self.gain.total_cmp(&other.gain).then_with(|| (other.y, other.place).cmp(&(self.y, self.place)))
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Head) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Whether to go on, for work on the operators of some variables: it is asked often, and reports how many are done only
/// if the work takes long.
fn patience<'s>(watch: &'s Watch<'_>, done: &'s AtomicU64, total: usize) -> impl Fn() -> bool + Sync {
    let began = Instant::now();
    move || began.elapsed() < LONG || watch.scored(done.load(Ordering::Relaxed), total as u64)
}

impl<'a> ClassRun<'a> {
    pub(in crate::search) fn new(
        families: &'a Families<'a>,
        rules: &'a Rules<'a>,
        watch: &'a Watch<'a>,
        state: ClassState,
    ) -> ClassRun<'a> {
        let apart = FxHashSet::default();
        ClassRun { families, rules, watch, state, acts: Vec::new(), open: Vec::new(), apart, made: 0 }
    }

    /// Keeps only the operators of these kinds; returns whether to go on.
    pub(in crate::search) fn keep(&mut self, acts: &[Act]) -> bool {
        let (done, total) = (AtomicU64::new(0), (acts.len() * self.state.class.nodes()) as u64);
        let go_on = patience(self.watch, &done, total as usize);
        let sources = self.sources(&go_on);
        let lists = acts.iter().map(|&act| {
            let of = parallel::try_map(self.state.class.nodes(), |y| {
                let found = Arc::new(sources.operators(act, &self.state.class, Var::new(y)));
                self.watch.scored(done.fetch_add(1, Ordering::Relaxed) + 1, total).then_some(found).ok_or(())
            });
            of.ok()
        });
        let Some(open) = lists.collect::<Option<Vec<_>>>() else { return false };
        (self.open, self.acts) = (open, acts.to_vec());
        true
    }

    /// Repeatedly applies the best operator, of the first kind that has one, until none gains; returns
    /// whether to go on.
    pub(in crate::search) fn climb(&mut self) -> bool {
        let mut kind = 0;
        while kind < self.acts.len() {
            let Some(state) = self.best(kind) else {
                kind += 1;
                continue;
            };
            self.go_to(state);
            if !self.watch.moved(self.state.total, self.made) {
                return false;
            }
            kind = 0;
        }
        !self.watch.stopped()
    }

    /// The class after the best valid operator of a kind, if one raises the score.
    pub(super) fn best(&mut self, kind: usize) -> Option<ClassState> {
        let ClassRun { families, rules, state, open, .. } = self;
        let lists = &mut open[kind];
        let head = |list: &[Operator], y: usize, place: usize| {
            let operator = list.get(place).filter(|operator| operator.gain > 0.0)?;
            Some(Head { gain: operator.gain, y, place })
        };
        let mut heads: BinaryHeap<Head> =
            lists.iter().enumerate().filter_map(|(y, list)| head(list, y, 0)).collect();
        while let Some(Head { y, place, .. }) = heads.pop() {
            match state.obstacle(&lists[y][place]) {
                // With a score that is not the same for a whole class, a gain may be none for its DAG.
                Obstacle::Nothing => {
                    let after = state.after_unblocked(&lists[y][place], rules, families);
                    if let Some(better) = after.filter(|after| after.total > state.total) {
                        return Some(better);
                    }
                }
                Obstacle::Known => (),
                Obstacle::New(path) => Arc::make_mut(&mut lists[y])[place].path = path,
            }
            heads.extend(head(&lists[y], y, place + 1));
        }
        None
    }

    /// Every deletion, the best first; for an undirected edge only one of its two equal forms.
    pub(in crate::search) fn deletions(&self) -> Vec<Operator> {
        let class = &self.state.class;
        let none = AtomicU64::new(0);
        let go_on = patience(self.watch, &none, class.nodes());
        let lists = class.vars().map(|y| self.sources(&go_on).operators(Act::Delete, class, y));
        let once = |o: &Operator| o.x < o.y || class.mark(o.x, o.y) == Mark::Forward;
        let mut all: Vec<Operator> = lists.flatten().filter(once).collect();
        all.sort_unstable_by(|a, b| {
            b.gain.total_cmp(&a.gain).then_with(|| (a.y, a.x, &a.set).cmp(&(b.y, b.x, &b.set)))
        });
        all
    }

    /// The class after an operator, if it is valid.
    pub(in crate::search) fn after(&self, operator: &Operator) -> Option<ClassState> {
        self.state.after(operator, self.rules, self.families)
    }

    /// Moves to another class, and keeps the pair from being joined again in this run.
    pub(in crate::search) fn part(&mut self, x: Var, y: Var, state: ClassState) {
        self.apart.insert((x.min(y), x.max(y)));
        self.go_to(state);
    }

    /// Allows all pairs to be joined again.
    pub(in crate::search) fn forget_parted(&mut self) {
        let pairs: Vec<(Var, Var)> = self.apart.drain().collect();
        self.renew(pairs.into_iter().flat_map(|(x, y)| [x, y]).collect(), Vec::new());
    }

    /// Moves to a class, and recomputes the operators that the change has touched.
    pub(super) fn go_to(&mut self, state: ClassState) {
        let (changed, pairs) = self.state.differences(&state);
        let before = std::mem::replace(&mut self.state, state);
        self.made += 1;
        // A pair that was joined or parted: its ends, and whoever has one of them as neighbour, see
        // other common neighbours and other cliques.
        let mut touched = changed.clone();
        for (x, y) in pairs {
            touched.extend([x, y]);
            for g in [&before.class, &self.state.class] {
                touched.extend(g.neighbours(x).iter().chain(g.neighbours(y).iter()));
                if !self.rules.constraints().is_empty() {
                    // Which arcs an insert compels depends on who is adjacent to the parents.
                    touched.extend(g.children(x).iter().chain(g.children(y).iter()));
                }
            }
        }
        // What a turn gains depends on the parents of X as well.
        let mut turned = touched.clone();
        for &x in &changed {
            turned.extend(self.state.class.parents(x).iter().chain(self.state.class.neighbours(x).iter()));
        }
        self.renew(touched, turned);
    }

    fn renew(&mut self, mut touched: Vec<Var>, mut turned: Vec<Var>) {
        for list in [&mut touched, &mut turned] {
            list.sort_unstable();
            list.dedup();
        }
        let work: Vec<(usize, Var)> = (self.acts.iter().enumerate())
            .flat_map(|(kind, act)| {
                let ys = if *act == Act::Turn { &turned } else { &touched };
                ys.iter().map(move |&y| (kind, y))
            })
            .collect();
        let done = AtomicU64::new(0);
        let go_on = patience(self.watch, &done, work.len());
        let sources = self.sources(&go_on);
        let renew = |&(kind, y): &(usize, Var)| {
            let listed =
                if go_on() { sources.operators(self.acts[kind], &self.state.class, y) } else { Vec::new() };
            done.fetch_add(1, Ordering::Relaxed);
            listed
        };
        let renewed: Vec<Vec<Operator>> = parallel::map_each(&work, renew);
        for ((kind, y), operators) in work.into_iter().zip(renewed) {
            self.open[kind][y.index()] = Arc::new(operators);
        }
    }

    fn sources<'s>(&'s self, go_on: &'s (dyn Fn() -> bool + Sync)) -> OperatorSources<'s> {
        OperatorSources {
            families: self.families,
            rules: self.rules,
            apart: &self.apart,
            losing: false,
            go_on,
        }
    }

    /// The operators that are kept, for tests.
    #[cfg(test)]
    pub(super) fn kept(&self) -> &[Vec<Arc<Vec<Operator>>>] {
        &self.open
    }
}
