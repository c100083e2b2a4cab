//! BOSS, a search over orders, and `best`, which alternates between orders and classes.
//!
//! `trees` finds the parents of a variable among those before it, `found_sets` remembers those of graphs, `climb`
//! moves variables to better positions in an order, `sure` computes how sure the edges of the result are. This file
//! has the two searches, which combine these with the phases of GES.

mod climb;
mod found_sets;
mod sure;
#[cfg(test)]
mod tests;
mod trees;

use self::climb::Orders;
use self::found_sets::FoundSets;
use self::trees::Trees;
use super::Search;
use super::exact::Exact;
use super::ges::families::Families;
use super::ges::{self, Act, ClassRun, ClassState, Ges};
use super::rules::Rules;
use super::watch::Watch;
use crate::data::Var;
use crate::error::{Error, Result};
use crate::graph::{Constraints, Dag};
use crate::halves::{Found, Orient, Strength, Task};
use crate::parallel;
use crate::random::{Sequence, mix};
use crate::score::total;

/// The largest number of variables for XGES, which tries to remove each edge and takes too long for
/// more.
const MANY: usize = 200;

/// With at most this many variables a tabu search over DAGs, which takes hardly any time, often ends at the best.
const SOME: usize = 20;

/// With at most this many variables the best DAG is proven quickly.
const FEW: usize = 10;

/// The number of classes of the best DAGs that are looked at then.
const CLASSES: usize = 30;

/// Best order score search, BOSS: the order in which grow-shrink finds the best parents.
///
/// The value of an order is the sum, over the variables, of the value of each with the parents found among
/// those before it: the best candidate is added until none gains, then the worst is removed until that does not
/// gain. The search begins with the order of the result of GES, and moves each variable in turn to its best
/// position; then the backward phase of GES deletes superfluous edges.
///
/// Andrews, Ramsey, Sanchez-Romero, Camchong & Kummerfeld (2023), "Fast scalable and accurate discovery of DAGs
/// using the best order score search and grow-shrink trees", NeurIPS 36.
///
/// # Requires, ensures
/// Any score that is a sum over families. Constraints hold by construction: forbidden arcs are not
/// candidates, required parents are at the root of each tree, and no move takes a variable past them. If a
/// limit stops the search, the result is the best so far.
///
/// # Cost
/// A sweep over all candidates for each node of a tree, shared by all orders; 3 p walks down the trees for
/// each attempted move, p moves for each pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Boss {
    /// The largest number of variables moved together; 1 moves them one by one.
    pub window: usize,
    /// The largest number of parents of a node.
    pub max_parents: Option<usize>,
}

/// The most accurate search we know: classes and orders in turn, from several starts.
///
/// ```text
/// polish(dag):  repeat  a = GES(dag)
///                       b = BES(graph of the order to which BOSS climbs from one of a, with the parents in a)
///                       dag = b
///               until b is not better than a; the answer is a
/// best:         polish(empty), polish(XGES(empty)) for up to 200 variables,
///               polish(tabu(empty)) for up to 20,
///               polish(the best of the classes of the 30 best DAGs) for up to 10,
///               and polish(BES(graph of the order to which BOSS climbs)) from random orders;
///               the highest score, the earliest of equals
/// ```
///
/// Of the orders of a graph, the one from which BOSS climbs is chosen by random ranks of the variables, and not by
/// their names: variables with similar names would follow each other, which makes a poor start.
///
/// A score with a [referee](crate::score::Score::referee) leaves near-ties to it: the referee's own best graph,
/// and the result of polishing it, are candidates as well, and the referee chooses among all candidates that
/// are nearly as good as the best.
///
/// # Requires, ensures
/// As [`Boss`] and [`Ges`](super::Ges), also for the score of a class and the DAG that stands for it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Best {
    /// The number of searches from random orders, in addition to those from the start and from the
    /// result of XGES.
    pub starts: usize,
    /// The largest number of variables moved together.
    pub window: usize,
    /// Graphs whose score is within this of the best are nearly as good; 0 for the best score alone.
    pub near: f64,
    /// The largest number of parents of a node.
    pub max_parents: Option<usize>,
    /// The seed of the orders.
    pub seed: u64,
}

/// Where one of the searches of [`Best`] begins.
#[derive(Debug, Clone, Copy)]
enum Beginning {
    /// Where the whole search begins.
    Start,
    /// Where XGES ends.
    Xges,
    /// Where a tabu search over DAGs ends.
    Tabu,
    /// Where BOSS ends from the random order with this number.
    Random(u64),
    /// The best of the classes of the best DAGs.
    Proven,
}

/// A search under way.
struct BossRun<'a> {
    families: &'a Families<'a>,
    rules: &'a Rules<'a>,
    orders: Orders<'a>,
    /// The ranks of the variables, by which an order of a graph is chosen: of those that could come next, the one of the
    /// lowest rank does.
    ranks: Vec<Var>,
}

impl BossRun<'_> {
    /// The phases of GES, repeated until nothing gains.
    fn ges(&self, state: ClassState, moves: &mut u64) -> ClassState {
        self.over_classes(state, moves, |run| ges::rounds(run, &[Act::Insert, Act::Delete]))
    }

    /// XGES, with its forced deletions.
    fn xges(&self, state: ClassState, moves: &mut u64) -> ClassState {
        self.over_classes(state, moves, |run| Ges { extremely: true, ..Ges::default() }.search(run))
    }

    /// The backward phase alone, from the graph of the order to which a climb leads.
    fn boss(&self, mut order: Vec<Var>, scan: &[Var], found: &FoundSets, moves: &mut u64) -> ClassState {
        self.orders.climb(&mut order, scan, found, moves);
        let state = self.class(&self.orders.graph(&order, found));
        self.over_classes(state, moves, |run| run.keep(&[Act::Delete]) && run.climb())
    }

    /// The same from an order of a class, which is also the order in which variables are moved.
    fn boss_from(&self, state: &ClassState, found: &FoundSets, moves: &mut u64) -> ClassState {
        let order = state.dag.topological_order_by(|v| self.ranks[v.index()]);
        self.boss(order.clone(), &order, found, moves)
    }

    /// The result of a search over classes, complete or stopped.
    fn over_classes(
        &self,
        state: ClassState,
        moves: &mut u64,
        search: impl FnOnce(&mut ClassRun<'_>) -> bool,
    ) -> ClassState {
        let mut run = ClassRun::new(self.families, self.rules, self.orders.watch, state);
        search(&mut run);
        *moves += run.made;
        run.state
    }

    fn stopped(&self) -> bool {
        self.orders.watch.stopped()
    }

    fn class(&self, dag: &Dag) -> ClassState {
        ClassState::new(dag, self.rules, self.families).expect("the graph itself keeps to the rules")
    }

    /// Classes and orders in turn, until the order finds nothing better.
    fn polish(&self, start: ClassState, moves: &mut u64) -> ClassState {
        let mut found = FoundSets::none(start.class.nodes());
        let mut state = self.ges(start, moves);
        while !self.stopped() {
            found.add(&state.dag, self.families);
            let ordered = self.boss_from(&state, &found, moves);
            if ordered.total <= state.total {
                break;
            }
            state = if self.stopped() { ordered } else { self.ges(ordered, moves) };
        }
        state
    }

    /// How sure the edges of a class are, given the other classes found that are nearly as good.
    fn how_sure(
        &self,
        state: &ClassState,
        found: &[(ClassState, u64)],
        near: f64,
        seed: u64,
    ) -> Vec<Strength> {
        let also = found.iter().filter(|(other, _)| other.total >= state.total - near && other != state);
        let also: Vec<&Dag> = also.map(|(other, _)| &other.dag).collect();
        let go_on = || self.orders.watch.moved(state.total, 0);
        sure::strengths(self.families, self.rules, &state.dag, &also, seed, go_on)
    }

    /// A random order in which required arcs point forwards.
    fn random_order(&self, n: usize, seed: u64) -> Vec<Var> {
        let mut order: Vec<Var> = (0..n).map(Var::new).collect();
        Sequence::new(seed).shuffle(&mut order);
        let required = self.rules.constraints().required();
        if required.is_empty() {
            return order;
        }
        let mut placed = vec![false; n];
        let mut sorted = Vec::with_capacity(n);
        while sorted.len() < n {
            let ready = |v: &Var| {
                !placed[v.index()] && required.iter().all(|(from, to)| to != v || placed[from.index()])
            };
            let next = *order.iter().find(|v| ready(v)).expect("required arcs form no cycle");
            placed[next.index()] = true;
            sorted.push(next);
        }
        sorted
    }
}

/// Prepares a run, lets it search, and turns the outcome into a result.
fn searched(
    task: &Task<'_>,
    max_parents: Option<usize>,
    window: usize,
    ranks: Vec<Var>,
    search: impl FnOnce(&BossRun<'_>, ClassState, &mut u64) -> (ClassState, Vec<Strength>),
) -> Result<Found> {
    let rules = Rules::new(task.skeleton(), task.constraints, max_parents);
    let start = rules.start(task.names, task.start)?;
    let families = Families::new(task.score(), ges::candidates(&rules, &start));
    let watch = Watch::new(task.progress);
    let trees = Trees::new(&families, &rules, task.names.len());
    let orders = Orders { trees: &trees, constraints: task.constraints, watch: &watch, window };
    let run = BossRun { families: &families, rules: &rules, orders, ranks };
    let mut moves = 0;
    let (state, strengths) = search(&run, run.class(&start), &mut moves);
    if watch.cancelled() {
        return Err(Error::Stopped);
    }
    let score = state.total;
    let found = Found::searched(ges::result(state, &rules), score, !watch.stopped(), moves);
    Ok(Found { strengths, ..found })
}

impl Orient for Boss {
    fn orient(&self, task: &Task<'_>) -> Result<Found> {
        let n = task.names.len();
        let by_name = (0..n).map(Var::new).collect();
        searched(task, self.max_parents, self.window.max(1), by_name, |run, start, moves| {
            let climbed = run.ges(start, moves);
            if run.stopped() {
                return (climbed, Vec::new());
            }
            let ordered = run.boss_from(&climbed, &FoundSets::none(n), moves);
            (if ordered.total > climbed.total { ordered } else { climbed }, Vec::new())
        })
    }

    fn check(&self, names: &[&str], start: Option<&Dag>, constraints: &Constraints) -> Result<()> {
        Rules::new(None, constraints, self.max_parents).start(names, start).map(drop)
    }
}

impl Best {
    /// The referee's best class, and the result of polishing it.
    fn of_referee(&self, run: &BossRun<'_>, task: &Task<'_>) -> Vec<(ClassState, u64)> {
        let quick = Best { starts: 0, near: 0.0, ..*self };
        let Some(dag) = quick.search(task, false).ok().and_then(|found| found.graph.dag()) else {
            // It was told to stop, and so is this run.
            run.orders.watch.moved(f64::NEG_INFINITY, 0);
            return Vec::new();
        };
        let (class, mut moves) = (run.class(&dag), 0);
        let polished = run.polish(class.clone(), &mut moves);
        vec![(class, 0), (polished, moves)]
    }

    /// The class with the highest score among those of the best DAGs, unless the search is told to stop. The class of
    /// the very best DAG may have a lower one, if the score differs within a class.
    fn proven(&self, run: &BossRun<'_>, task: &Task<'_>) -> Option<ClassState> {
        let how_many = if task.score().is_equivalent() { 1 } else { CLASSES };
        let exact = Exact { max_parents: self.max_parents, how_many, ..Exact::default() };
        let found = exact.orient(task).ok().filter(|found| found.bound == found.score)?;
        let listed = found.alternatives.iter().filter_map(|(class, _)| class.extension());
        let classes = found.graph.dag().into_iter().chain(listed);
        let classes = classes.filter_map(|dag| ClassState::new(&dag, run.rules, run.families));
        classes.reduce(|best, class| if class.total > best.total { class } else { best })
    }

    /// The class of the DAG at which a tabu search ends, unless the search is told to stop.
    fn by_tabu(&self, run: &BossRun<'_>, task: &Task<'_>) -> Option<ClassState> {
        let tabu = Search { max_parents: self.max_parents, seed: self.seed, ..Search::default() };
        tabu.orient(task).ok().and_then(|found| found.graph.dag()).map(|dag| run.class(&dag))
    }

    /// The search and, if requested, how sure its result is.
    fn search(&self, task: &Task<'_>, how_sure: bool) -> Result<Found> {
        let n = task.names.len();
        let mut ranks: Vec<Var> = (0..n).map(Var::new).collect();
        Sequence::new(mix(self.seed, &[u64::MAX, 1])).shuffle(&mut ranks);
        searched(task, self.max_parents, self.window.max(1), ranks, |run, start, moves| {
            let from = |begin: &Beginning| {
                let mut moves = 0;
                let state = match *begin {
                    Beginning::Start => start.clone(),
                    Beginning::Xges => run.xges(start.clone(), &mut moves),
                    Beginning::Tabu => self.by_tabu(run, task).unwrap_or_else(|| start.clone()),
                    Beginning::Proven => self.proven(run, task).unwrap_or_else(|| start.clone()),
                    Beginning::Random(number) => {
                        let seed = |part| mix(self.seed, &[number, part]);
                        let (order, scan) = (run.random_order(n, seed(0)), run.random_order(n, seed(1)));
                        run.boss(order, &scan, &FoundSets::none(n), &mut moves)
                    }
                };
                (run.polish(state, &mut moves), moves)
            };
            let mut beginnings = vec![Beginning::Start];
            if n <= MANY {
                beginnings.push(Beginning::Xges);
            }
            beginnings.extend((1..=self.starts as u64).map(Beginning::Random));
            if n <= SOME {
                beginnings.push(Beginning::Tabu);
            }
            if n <= FEW {
                beginnings.push(Beginning::Proven);
            }
            // Every beginning needs these values, and would find them for itself if all began at once.
            run.families.prepare(run.orders.watch);
            let referee = task.score().referee().filter(|_| self.near > 0.0);
            let (mut found, of_referee) = rayon::join(
                || parallel::map_each(&beginnings, from),
                || referee.map(|referee| self.of_referee(run, &Task { score: Some(referee), ..*task })),
            );
            found.extend(of_referee.into_iter().flatten());
            let near = if referee.is_some() { self.near } else { 0.0 };
            let value = |state: &ClassState| referee.map_or(state.total, |r| total(r, &state.dag));
            let state = chosen(&found, near, moves, value);
            let strengths = match how_sure && !run.stopped() {
                true => run.how_sure(&state, &found, self.near, mix(self.seed, &[u64::MAX])),
                false => Vec::new(),
            };
            (state, strengths)
        })
    }
}

/// Among the classes that are nearly as good as the best, the one with the highest value; the earliest of
/// equals.
fn chosen(
    found: &[(ClassState, u64)],
    near: f64,
    moves: &mut u64,
    value: impl Fn(&ClassState) -> f64,
) -> ClassState {
    let top = found.iter().map(|(state, _)| state.total).fold(f64::NEG_INFINITY, f64::max);
    let nearly = found.iter().filter(|(state, _)| state.total >= top - near);
    let best = nearly.map(|f| (value(&f.0), f)).reduce(|best, f| if f.0 > best.0 { f } else { best });
    let (_, (state, made)) = best.expect("the best is nearly as good as itself");
    *moves = *made;
    state.clone()
}

impl Orient for Best {
    fn orient(&self, task: &Task<'_>) -> Result<Found> {
        self.search(task, true)
    }

    fn check(&self, names: &[&str], start: Option<&Dag>, constraints: &Constraints) -> Result<()> {
        Rules::new(None, constraints, self.max_parents).start(names, start).map(drop)
    }
}
