//! The parent sets that an optimal graph may have.

use rayon::slice::ParallelSliceMut;
use rustc_hash::{FxHashMap, FxHashSet};

use super::all_sets;
use crate::data::{Var, VarSet};
use crate::error::{Error, Result};
use crate::parallel;
use crate::score::Score;
use crate::search::rules::Rules;
use crate::search::watch::Watch;
use crate::text::thousands;

/// The largest number of parent sets to examine.
const MOST_SETS: u64 = 1 << 26;

/// Candidates are bits of a number.
const MOST_CANDIDATES: usize = 64;

/// The number of variables whose sets of a size are examined together: they share counts.
const TOGETHER: usize = 8;

/// The number of sweeps, of families and of sets between two looks at the clock.
const SWEEPS: usize = 16;
const FAMILIES: usize = 1 << 17;
const SETS: usize = 1 << 10;

/// The number of sweeps that threads share.
const CHUNK: usize = 1 << 12;

/// A parent set, and the value of a variable with it.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::search) struct ParentSet {
    pub(in crate::search) parents: VarSet,
    pub(in crate::search) score: f64,
}

/// The bounds of a set whose supersets may be worth examining.
#[derive(Debug, Clone, Copy)]
struct Alive {
    /// The best value of the set and of all its subsets.
    best: f64,
    /// The upper bound on its supersets.
    ceiling: f64,
}

/// The sets of one variable, one size at a time. A set is a number with a bit for each candidate;
/// the required parents are in all of them.
pub(super) struct Growing {
    pub(super) y: Var,
    pub(super) required: VarSet,
    pub(super) candidates: Vec<Var>,
    alive: FxHashMap<u64, Alive>,
    kept: Vec<ParentSet>,
    /// The size of the sets that were examined last.
    size: usize,
    /// By how much a set that was not examined may exceed the best of its subsets.
    unseen: f64,
}

/// The parent sets found for each variable, and what may have been missed.
#[derive(Debug)]
pub(in crate::search) struct ParentSets {
    /// The sets of each variable, best first.
    pub(in crate::search) sets: Vec<Vec<ParentSet>>,
    /// For each variable, by how much a set that was not examined may exceed the best of its subsets.
    pub(in crate::search) unseen: Vec<f64>,
}

/// The parent sets of each variable that score better than all their subsets, best first; if the work was
/// stopped, those of the completed sizes, or `None` if these are too few or all sets were computed together.
///
/// Of two sets with the same score the smaller stays. Sets are examined by size, without supersets of a set
/// whose [ceiling](Score::ceiling) is no better than the value of a subset: whole branches are never counted. A
/// variable that would have more than `most_of_a_size` sets of a size keeps only smaller ones.
pub(in crate::search) fn parent_sets(
    score: &dyn Score,
    rules: &Rules<'_>,
    n: usize,
    most_of_a_size: usize,
    watch: &Watch<'_>,
) -> Option<ParentSets> {
    let mut all: Vec<Growing> = (0..n).map(|y| Growing::new(Var::new(y), n, rules)).collect();
    let together = || all_sets::parent_sets(score, &all, rules, watch);
    if let Some(mut sets) = (most_of_a_size == usize::MAX).then(together).flatten() {
        sets.iter_mut().for_each(|sets| best_first(sets));
        return Some(ParentSets { sets, unseen: vec![0.0; n] });
    }
    let mut values = Values::new(score, n);
    let most = all.iter().map(|g| g.candidates.len()).max().unwrap_or(0);
    for size in 0..=most {
        parallel::for_each_mut(&mut all, |_, g| g.leave(size, most_of_a_size, rules));
        let progress = (size as u64 + 1, most as u64 + 1);
        let mut none = true;
        // A few variables at a time, so that a stop is noticed between them.
        for some in all.chunks_mut(TOGETHER) {
            // What is worth a look: the set, and the best of its subsets.
            let wanted = parallel::map_each(some, |g| g.wanted(size, rules, watch, progress));
            let Some(wanted) = wanted.into_iter().collect::<Option<Vec<Vec<(u64, Alive)>>>>() else { break };
            let sets: Vec<(usize, u64)> = (wanted.iter().enumerate())
                .flat_map(|(place, wanted)| wanted.iter().map(move |(set, _)| (place, *set)))
                .collect();
            none &= sets.is_empty();
            let family = |&(place, set): &(usize, u64)| (some[place].y, some[place].parents(set));
            let pieces = sets.chunks(FAMILIES).map(|piece| {
                let families: Vec<(Var, VarSet)> = piece.iter().map(family).collect();
                values.of(&families, watch, progress)
            });
            let Some(found) = pieces.collect::<Option<Vec<Vec<(f64, u64)>>>>() else { break };
            let mut found = found.into_iter().flatten();
            for (g, wanted) in some.iter_mut().zip(wanted) {
                g.alive.clear();
                g.size = size;
                for (set, below) in wanted {
                    let (value, occurring) = found.next().expect("a value for each family");
                    let parents = g.parents(set);
                    let ceiling = score.ceiling(g.y, parents.as_slice(), occurring).min(below.ceiling);
                    if value > below.best {
                        g.kept.push(ParentSet { parents, score: value });
                    }
                    if ceiling > below.best {
                        g.alive.insert(set, Alive { best: value.max(below.best), ceiling });
                    }
                }
            }
        }
        if watch.stopped() {
            if size < 2 {
                return None;
            }
            all.iter_mut().for_each(|g| g.miss(rules.is_over(g.required.len() + g.size + 1)));
            break;
        }
        if none {
            break;
        }
    }
    let unseen = all.iter().map(|g| g.unseen).collect();
    let sorted = |mut g: Growing| {
        best_first(&mut g.kept);
        g.kept
    };
    Some(ParentSets { sets: all.into_iter().map(sorted).collect(), unseen })
}

/// Sorts parent sets by their score; of equal ones the smaller comes first.
fn best_first(sets: &mut [ParentSet]) {
    sets.sort_unstable_by(|a, b| {
        let by_size = || (a.parents.len(), &a.parents).cmp(&(b.parents.len(), &b.parents));
        b.score.total_cmp(&a.score).then_with(by_size)
    });
}

/// Refuses variables with too many candidates.
pub(in crate::search) fn check_candidates(rules: &Rules<'_>, names: &[&str]) -> Result<()> {
    let n = names.len();
    let all: Vec<Growing> = (0..n).map(|y| Growing::new(Var::new(y), n, rules)).collect();
    if let Some(g) = all.iter().find(|g| g.candidates.len() > MOST_CANDIDATES) {
        let (y, candidates) = (names[g.y.index()], g.candidates.len());
        return Err(Error::Setting {
            name: "learner".into(),
            problem: format!(
                "is for tables in which a variable has few candidate parents, and {y} has {}",
                thousands(candidates as u64)
            ),
            accepted: format!(
                "at most {MOST_CANDIDATES} are possible; a first half leaves fewer, as in the learners cos and ecos"
            ),
        });
    }
    Ok(())
}

/// Refuses a problem that is too large, and says what would fit.
pub(in crate::search) fn check_size(rules: &Rules<'_>, names: &[&str]) -> Result<()> {
    check_candidates(rules, names)?;
    let n = names.len();
    let all: Vec<Growing> = (0..n).map(|y| Growing::new(Var::new(y), n, rules)).collect();
    let sets = |most: usize| all.iter().map(|g| g.number(most)).fold(0, u64::saturating_add);
    if sets(rules.most_parents()) <= MOST_SETS {
        return Ok(());
    }
    let fits = (0..n).take_while(|&most| sets(most) <= MOST_SETS).last();
    Err(Error::Setting {
        name: "max-parents".into(),
        problem: format!(
            "{}, which leaves more than {} parent sets of {n} variables to examine",
            match rules.most_parents() {
                usize::MAX => "is not given".to_owned(),
                most => format!("is {most}"),
            },
            thousands(MOST_SETS)
        ),
        accepted: match fits {
            Some(most) => {
                format!("at most {most} is possible here, or a first half that leaves fewer candidates")
            }
            None => "a first half that leaves fewer candidates is needed".into(),
        },
    })
}

impl Growing {
    fn new(y: Var, n: usize, rules: &Rules<'_>) -> Growing {
        let known = rules.constraints();
        let required: VarSet =
            known.required().iter().filter(|(_, to)| *to == y).map(|(from, _)| *from).collect();
        let wanted = |x: &Var| *x != y && rules.may_add(*x, y) && !required.contains(*x);
        let candidates = (0..n).map(Var::new).filter(wanted).collect();
        Growing {
            y,
            required,
            candidates,
            alive: FxHashMap::default(),
            kept: Vec::new(),
            size: 0,
            unseen: 0.0,
        }
    }

    /// The number of parent sets with at most this many members.
    pub(super) fn number(&self, most: usize) -> u64 {
        let (mut number, mut sum) = (1u64, 0u64);
        for size in 0..=self.candidates.len().min(most.saturating_sub(self.required.len())) {
            sum = sum.saturating_add(number);
            let left = (self.candidates.len() - size) as u64;
            number = number.saturating_mul(left) / (size as u64 + 1);
        }
        sum
    }

    fn parents(&self, set: u64) -> VarSet {
        bits(set).map(|i| self.candidates[i]).chain(self.required.iter()).collect()
    }

    /// Stops growing if there would be too many sets of this size, and records what may be missed.
    fn leave(&mut self, size: usize, most: usize, rules: &Rules<'_>) {
        let left = self.candidates.len().saturating_sub(size.saturating_sub(1));
        let larger = self.alive.len().saturating_mul(left) / size.max(1);
        if larger > most {
            self.miss(rules.is_over(self.required.len() + size));
        }
    }

    /// Skips all larger sets, if there may be some.
    fn miss(&mut self, none: bool) {
        if !none {
            let more = self.alive.values().map(|a| a.ceiling - a.best);
            self.unseen = more.fold(self.unseen, f64::max);
        }
        self.alive.clear();
    }

    /// The sets of a size that may score better than all their subsets; `None` if the work was stopped.
    fn wanted(
        &self,
        size: usize,
        rules: &Rules<'_>,
        watch: &Watch<'_>,
        (done, total): (u64, u64),
    ) -> Option<Vec<(u64, Alive)>> {
        if size == 0 {
            return Some(vec![(0, Alive { best: f64::NEG_INFINITY, ceiling: f64::INFINITY })]);
        }
        if rules.is_over(self.required.len() + size) {
            return Some(Vec::new());
        }
        let mut smaller: Vec<u64> = self.alive.keys().copied().collect();
        smaller.sort_unstable();
        let mut wanted = Vec::new();
        for (place, set) in smaller.into_iter().enumerate() {
            if place % SETS == SETS - 1 && !watch.scored(done.min(total), total) {
                return None;
            }
            let first = (u64::BITS - set.leading_zeros()) as usize;
            for z in first..self.candidates.len() {
                let larger = set | 1 << z;
                let mut below = bits(larger).map(|i| self.alive.get(&(larger & !(1 << i))));
                let nothing = Alive { best: f64::NEG_INFINITY, ceiling: f64::INFINITY };
                let joined = below.try_fold(nothing, |joined, below| {
                    below.map(|below| Alive {
                        best: joined.best.max(below.best),
                        ceiling: joined.ceiling.min(below.ceiling),
                    })
                });
                wanted.extend(joined.filter(|a| a.ceiling > a.best).map(|a| (larger, a)));
            }
        }
        Some(wanted)
    }
}

/// The indices of the set bits of a number.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (place < u64::BITS as usize).then_some(place)
    })
}

/// The values of families. For a score that is equal within a class, one value per set of variables is
/// enough: that of a complete graph over it, since the value of a family is a difference of two of these.
struct Values<'a> {
    score: &'a dyn Score,
    /// For each set of variables the value of a complete graph, and the number of combinations that
    /// occur.
    sets: Option<FxHashMap<u64, (f64, u64)>>,
}

impl<'a> Values<'a> {
    fn new(score: &'a dyn Score, n: usize) -> Values<'a> {
        let shared = score.is_equivalent() && n <= u64::BITS as usize;
        let sets = shared.then(|| FxHashMap::from_iter([(0, (0.0, 1))]));
        Values { score, sets }
    }

    /// The value of each family, and a lower bound on the number of its combinations that occur.
    fn of(
        &mut self,
        families: &[(Var, VarSet)],
        watch: &Watch<'_>,
        progress: (u64, u64),
    ) -> Option<Vec<(f64, u64)>> {
        let Some(sets) = &mut self.sets else {
            return counted(self.score, families, watch, progress);
        };
        let number = |parents: &VarSet| parents.iter().fold(0u64, |set, v| set | 1 << v.index());
        let mut open = FxHashSet::default();
        for (y, parents) in families {
            let parents = number(parents);
            for mut set in [parents, parents | 1 << y.index()] {
                while !sets.contains_key(&set) && open.insert(set) {
                    set &= !(1 << top(set));
                }
            }
        }
        let mut open: Vec<u64> = open.into_iter().collect();
        open.sort_unstable(); // a set comes after what is left of it without its last member
        let members = |set: u64| bits(set).map(Var::new).collect::<VarSet>();
        let last = |&set: &u64| (Var::new(top(set)), members(set & !(1 << top(set))));
        let asked: Vec<(Var, VarSet)> = open.iter().map(last).collect();
        let found = counted(self.score, &asked, watch, progress)?;
        for (set, (value, occurring)) in open.into_iter().zip(found) {
            let before = sets[&(set & !(1 << top(set)))].0;
            sets.insert(set, (before + value, occurring));
        }
        let value = |(y, parents): &(Var, VarSet)| {
            let parents = number(parents);
            let (whole, occurring) = sets[&(parents | 1 << y.index())];
            (whole - sets[&parents].0, occurring)
        };
        Some(families.iter().map(value).collect())
    }
}

fn top(set: u64) -> usize {
    (u64::BITS - 1 - set.leading_zeros()) as usize
}

/// The values of families by sweeps: families of a variable that differ in their last parent are
/// computed together.
fn counted(
    score: &dyn Score,
    families: &[(Var, VarSet)],
    watch: &Watch<'_>,
    (done, total): (u64, u64),
) -> Option<Vec<(f64, u64)>> {
    fn split((_, parents): &(Var, VarSet)) -> Option<(&Var, &[Var])> {
        parents.as_slice().split_last()
    }
    let mut order: Vec<usize> = (0..families.len()).collect();
    order
        .par_sort_unstable_by_key(|&i| (families[i].0, split(&families[i]).map(|(last, rest)| (rest, last))));
    let same = |&i: &usize, &j: &usize| {
        let (a, b) = (&families[i], &families[j]);
        a.0 == b.0 && split(a).zip(split(b)).is_some_and(|(a, b)| a.1 == b.1)
    };
    let groups: Vec<&[usize]> = order.chunk_by(same).collect();
    let mut values = vec![(0.0, 0); families.len()];
    for chunk in groups.chunks(CHUNK) {
        let found: Vec<Vec<(f64, u64)>> = parallel::map(chunk.len(), |place| {
            if watch.stopped() || (place % SWEEPS == SWEEPS - 1 && !watch.scored(done.min(total), total)) {
                return Vec::new();
            }
            let group = chunk[place];
            let (child, parents) = &families[group[0]];
            let Some((_, given)) = parents.as_slice().split_last() else {
                return vec![(score.local(*child, &[]), 1)];
            };
            let last = |&i: &usize| split(&families[i]).map(|(last, _)| *last);
            let candidates: Vec<Var> = group.iter().filter_map(last).collect();
            let mut found = Vec::with_capacity(candidates.len());
            score.counted(*child, given, &candidates, &mut found);
            found
        });
        for (&i, value) in chunk.iter().copied().flatten().zip(found.into_iter().flatten()) {
            values[i] = value;
        }
        if !watch.scored(done.min(total), total) {
            return None;
        }
    }
    Some(values)
}
