//! The best equivalence classes, not only the best one.

use rustc_hash::FxHashMap;

use super::parents::bits;
use crate::data::{Var, VarSet};
use crate::error::{Error, Result};
use crate::graph::{Cpdag, Dag};
use crate::score::Score;
use crate::search::rules::Rules;
use crate::search::watch::Watch;
use crate::text::thousands;

/// The largest number of variables: every parent set of each is examined.
const MOST_VARIABLES: usize = 14;

/// The largest number of graphs examined.
const MOST_GRAPHS: usize = 1 << 18;

/// The number of families scored together.
const TOGETHER: usize = 1 << 10;

/// The number of graphs, and of steps towards them, between two looks at the clock.
const GRAPHS: usize = 1 << 10;
const STEPS: u64 = 1 << 12;

/// Rejects more variables than classes can be listed over.
pub(super) fn check(names: &[&str]) -> Result<()> {
    match names.len() {
        n if n <= MOST_VARIABLES => Ok(()),
        n => Err(Error::Setting {
            name: "how-many".into(),
            problem: format!("asks for a list of classes over {n} variables"),
            accepted: format!("classes can be listed over at most {MOST_VARIABLES} variables"),
        }),
    }
}

/// The best classes that could be listed.
pub(super) struct BestClasses {
    /// The classes, best first, each with the score of its best graph that respects the rules.
    pub(super) classes: Vec<(Cpdag, f64)>,
    /// Whether the list ends early because too many graphs would have to be examined.
    pub(super) too_many: bool,
    /// Whether it ends early because the work was stopped.
    pub(super) stopped: bool,
}

/// The best classes, of which the best is known.
///
/// Every graph within a distance of the optimum is visited once, in its canonical order: the first variable
/// whose parents are all placed comes next. Dynamic programming over all subsets (Silander & Myllymäki 2006)
/// gives the best completion of any start of an order, so only promising starts are followed. The distance
/// grows until there are enough classes, too many graphs, or no time left; the list is then that of the last
/// distance that was completed.
pub(super) fn best_classes(
    score: &dyn Score,
    rules: &Rules<'_>,
    best: (Cpdag, f64),
    how_many: usize,
    watch: &Watch<'_>,
) -> BestClasses {
    let n = best.0.nodes();
    let mut listed = BestClasses { classes: vec![best], too_many: false, stopped: false };
    let Some(families) = families(score, rules, n, watch) else {
        return BestClasses { stopped: true, ..listed };
    };
    let rest = completions(&families);
    let mut distance = 0.5;
    loop {
        let mut near = NearGraphs {
            families: &families,
            rest: &rest,
            least: rest[0] - distance,
            watch,
            steps: 0,
            order: Vec::new(),
            parents: vec![0; n],
            graphs: Vec::new(),
            all: true,
        };
        let found = match near.follow(0, 0.0) {
            true => classes(n, &near.graphs, watch),
            false => None,
        };
        let Some(mut found) = found else {
            let stopped = watch.stopped();
            return BestClasses { stopped, too_many: !stopped, ..listed };
        };
        let enough = found.len() >= how_many || near.all;
        found.truncate(how_many);
        listed.classes = found;
        if enough {
            return listed;
        }
        distance *= 1.5;
    }
}

/// What to say of a list that ends early because of too many graphs.
pub(super) fn ends_early(classes: &[(Cpdag, f64)], how_many: usize) -> String {
    format!(
        "the list of the best {} equivalence classes ends after {}: for more of them over {} graphs would have to be \
         examined; constant and equal columns make many graphs of the same score",
        thousands(how_many as u64),
        thousands(classes.len() as u64),
        thousands(MOST_GRAPHS as u64)
    )
}

/// The edges of a class, and whether each is directed.
type Edges = Vec<(Var, Var, bool)>;

/// The classes of graphs, each with its best score, best first; `None` if the work was stopped.
fn classes(n: usize, graphs: &[(Vec<u32>, f64)], watch: &Watch<'_>) -> Option<Vec<(Cpdag, f64)>> {
    let mut known: FxHashMap<Edges, (Cpdag, f64)> = FxHashMap::default();
    for (place, (parents, score)) in graphs.iter().enumerate() {
        if place % GRAPHS == 0 && !watch.moved(*score, place as u64) {
            return None;
        }
        let arcs = parents
            .iter()
            .enumerate()
            .flat_map(|(y, &set)| bits(u64::from(set)).map(move |x| (Var::new(x), Var::new(y))));
        let class = Dag::from_arcs(n, arcs).expect("each variable after its parents").cpdag();
        let directed = class.directed().map(|(x, y)| (x, y, true));
        let key = directed.chain(class.undirected().map(|(x, y)| (x, y, false))).collect();
        let best = known.entry(key).or_insert((class, *score));
        best.1 = best.1.max(*score);
    }
    let mut sorted: Vec<_> = known.into_iter().collect();
    sorted.sort_unstable_by(|a, b| b.1.1.total_cmp(&a.1.1).then_with(|| a.0.cmp(&b.0)));
    Some(sorted.into_iter().map(|(_, class)| class).collect())
}

/// For each variable every possible parent set, as bits, with its value, best first.
fn families(
    score: &dyn Score,
    rules: &Rules<'_>,
    n: usize,
    watch: &Watch<'_>,
) -> Option<Vec<Vec<(u32, f64)>>> {
    let of = |y: usize| {
        let y = Var::new(y);
        let required = rules.constraints().required().iter().filter(|(_, to)| *to == y);
        let required = required.fold(0u32, |set, (from, _)| set | 1 << from.index());
        let allowed = (0..n).filter(|&x| rules.may_add(Var::new(x), y));
        let allowed = allowed.fold(required, |set, x| set | 1 << x);
        let wanted = |set: &u32| {
            set & !allowed == 0 && required & !set == 0 && !rules.is_over(set.count_ones() as usize)
        };
        let sets: Vec<u32> = (0..1u32 << n).filter(wanted).collect();
        let mut found = Vec::with_capacity(sets.len());
        for some in sets.chunks(TOGETHER) {
            let vars = |&set: &u32| bits(u64::from(set)).map(Var::new).collect::<VarSet>();
            let parents: Vec<VarSet> = some.iter().map(vars).collect();
            let asked: Vec<(Var, &[Var])> = parents.iter().map(|set| (y, set.as_slice())).collect();
            let mut values = Vec::with_capacity(asked.len());
            score.locals(&asked, &mut values);
            found.extend(some.iter().copied().zip(values));
            if !watch.scored(y.index() as u64, n as u64) {
                return None;
            }
        }
        found.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Some(found)
    };
    (0..n).map(of).collect()
}

/// For each set of variables that come first, the best possible score of the others.
fn completions(families: &[Vec<(u32, f64)>]) -> Vec<f64> {
    let n = families.len();
    // For each variable and each set of variables before it, the best value it can have.
    let mut best = vec![vec![f64::NEG_INFINITY; 1 << n]; n];
    for (best, sets) in best.iter_mut().zip(families) {
        for &(set, value) in sets {
            best[set as usize] = value;
        }
        for set in 0..1usize << n {
            let fewer = bits(set as u64).map(|x| best[set & !(1 << x)]);
            best[set] = fewer.fold(best[set], f64::max);
        }
    }
    let whole = (1usize << n) - 1;
    let mut rest = vec![0.0; 1 << n];
    for first in (0..whole).rev() {
        let next = bits((whole & !first) as u64).map(|y| best[y][first] + rest[first | 1 << y]);
        rest[first] = next.fold(f64::NEG_INFINITY, f64::max);
    }
    rest
}

/// The graphs whose score is at least a limit.
struct NearGraphs<'a> {
    families: &'a [Vec<(u32, f64)>],
    rest: &'a [f64],
    least: f64,
    watch: &'a Watch<'a>,
    steps: u64,
    order: Vec<usize>,
    parents: Vec<u32>,
    graphs: Vec<(Vec<u32>, f64)>,
    /// Whether no graph was left out.
    all: bool,
}

impl NearGraphs<'_> {
    /// Collects every graph in which these variables come first. Returns false if there are too many, or if the
    /// work was stopped.
    fn follow(&mut self, first: u32, so_far: f64) -> bool {
        let n = self.families.len();
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS) && !self.watch.moved(so_far, self.graphs.len() as u64) {
            return false;
        }
        if self.order.len() == n {
            self.graphs.push((self.parents.clone(), so_far));
            return self.graphs.len() < MOST_GRAPHS;
        }
        for y in (0..n).filter(|&y| first >> y & 1 == 0) {
            // In the canonical order, a variable that comes after a larger one has a parent that was not
            // placed before that one.
            let larger = self.order.iter().rposition(|&x| x > y);
            let needed =
                larger.map_or(0, |place| self.order[place..].iter().fold(0u32, |set, x| set | 1 << x));
            for k in 0..self.families[y].len() {
                let (set, value) = self.families[y][k];
                if so_far + value + self.rest[(first | 1 << y) as usize] < self.least {
                    self.all = false;
                    break;
                }
                if set & !first != 0 || (needed != 0 && set & needed == 0) {
                    continue;
                }
                self.order.push(y);
                self.parents[y] = set;
                let goes_on = self.follow(first | 1 << y, so_far + value);
                self.order.pop();
                if !goes_on {
                    return false;
                }
            }
        }
        true
    }
}
