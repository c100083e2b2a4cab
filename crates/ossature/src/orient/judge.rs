//! Which triples are colliders according to the tests.

use rustc_hash::FxHashMap;

use super::colliders::ColliderRule;
use crate::ci::{Answer, Evidence, Independence, Outcome};
use crate::data::{Var, VarSet};
use crate::graph::Skeleton;
use crate::local::subsets;
use crate::parallel;

/// The verdict on X - Y - Z, with X < Z not adjacent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Triple {
    pub(super) x: Var,
    pub(super) y: Var,
    pub(super) z: Var,
    pub(super) says: Says,
}

/// Whether Y is a collider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Says {
    /// It is; the larger the number, the more certain.
    Collider(f64),
    /// It is not.
    None,
    /// The tests do not decide.
    Open,
}

/// Every triple of the skeleton whose ends are not adjacent, sorted by its ends and then by its middle.
pub(super) fn triples(
    skeleton: &Skeleton,
    evidence: &Evidence,
    rule: ColliderRule,
    ask: &Independence<'_>,
) -> Vec<Triple> {
    let pairs = Judge { skeleton, evidence, rule, ask, largest: largest(ask) };
    let found = match rule {
        ColliderRule::Sepset => pairs.each(|x| pairs.noted(x)),
        ColliderRule::MaxP | ColliderRule::Majority => pairs.each(|x| pairs.votes(x)),
    };
    // A pair was looked at from both of its ends.
    let mut votes: FxHashMap<(Var, Var), Votes> = FxHashMap::default();
    for (x, z, new) in found.into_iter().flatten() {
        let pair = (x.min(z), x.max(z));
        match votes.get_mut(&pair) {
            Some(known) => known.join(new),
            None => _ = votes.insert(pair, new),
        }
    }
    let mut votes: Vec<((Var, Var), Votes)> = votes.into_iter().collect();
    for ((x, z), votes) in votes.iter_mut().filter(|(_, votes)| !votes.separated) {
        // The neighbours that separated the two need not be neighbours any more.
        if let Some(noted) = evidence.separation(*x, *z).filter(|noted| noted.has_power) {
            let outcome = noted.outcome.unwrap_or_else(|| ask.ask(*x, *z, &noted.given).outcome);
            votes.begin((outcome, noted.given.len()));
            votes.cast(&noted.given);
        }
    }
    votes.sort_unstable_by_key(|(pair, _)| *pair);
    let triple = |(x, z): (Var, Var), i: usize, votes: &Votes| Triple {
        x,
        y: votes.common.as_slice()[i],
        z,
        says: votes.say(i, rule),
    };
    votes.iter().flat_map(|(pair, v)| (0..v.common.len()).map(|i| triple(*pair, i, v))).collect()
}

/// The size of the largest set tested so far: the level that the first half reached. If no tests were run,
/// only the limit in the settings applies.
fn largest(ask: &Independence<'_>) -> usize {
    let orders = ask.tally().by_order.len();
    let reached = match orders {
        0 | 24.. => usize::MAX, // the last order stands for all beyond it
        _ => orders - 1,
    };
    reached.min(ask.max_conditioning())
}

struct Judge<'a> {
    skeleton: &'a Skeleton,
    evidence: &'a Evidence,
    rule: ColliderRule,
    ask: &'a Independence<'a>,
    largest: usize,
}

/// A pair, and the votes of the sets near its first member.
type PairVotes = Vec<(Var, Var, Votes)>;

impl Judge<'_> {
    fn each(&self, look: impl Fn(Var) -> PairVotes + Sync) -> Vec<PairVotes> {
        parallel::map(self.skeleton.nodes(), |x| look(Var::new(x)))
    }

    fn near(&self, x: Var) -> &VarSet {
        self.skeleton.neighbours(x)
    }

    /// The variables that share a neighbour with X and are not adjacent to it.
    fn two_steps_from(&self, x: Var) -> VarSet {
        let all: VarSet = self.near(x).iter().flat_map(|y| self.near(y).iter()).collect();
        all.without(x).minus(self.near(x))
    }

    fn empty(&self, x: Var, z: Var) -> Votes {
        let common = self.near(x).intersection(self.near(z));
        Votes { with: vec![0; common.len()], common, cast: 0, best: None, separated: false }
    }

    /// The votes of the sets of neighbours of X, for all Z at once: they share the count of X and a
    /// set.
    fn votes(&self, x: Var) -> PairVotes {
        let mut found: PairVotes = self.two_steps_from(x).iter().map(|z| (x, z, self.empty(x, z))).collect();
        if found.is_empty() {
            return found;
        }
        let mut sets = subsets(self.near(x).as_slice(), self.largest);
        let (mut size, mut asked, mut answered) = (0, false, false);
        let (mut places, mut zs) = (Vec::new(), Vec::new());
        while let Some(given) = sets.next() {
            if given.len() > size {
                // Where no set of a size has power, no larger one has.
                if asked && !answered {
                    break;
                }
                (size, asked, answered) = (given.len(), false, false);
            }
            places.clear();
            places.extend((0..found.len()).filter(|&i| {
                // What both have near them is asked about once.
                let z = found[i].1;
                x < z || given.iter().any(|&v| !self.near(z).contains(v))
            }));
            zs.clear();
            zs.extend(places.iter().map(|&i| found[i].1));
            asked |= !zs.is_empty();
            for (&i, answer) in places.iter().zip(self.ask.sweep(x, &zs, given)) {
                // A test without power says nothing about what separates.
                if answer.is_known() && answer.outcome.has_power {
                    answered = true;
                    found[i].2.see(self.rule, given, &answer);
                }
            }
            if self.ask.stop_requested().is_some() {
                break;
            }
        }
        found
    }

    /// The set recorded when the pair was separated.
    fn noted(&self, x: Var) -> PairVotes {
        let pairs = self.two_steps_from(x);
        let later = pairs.iter().filter(|&z| x < z);
        later
            .map(|z| {
                let mut votes = self.empty(x, z);
                if let Some((given, outcome)) = self.separation(x, z) {
                    votes.separated = true;
                    votes.put((outcome, given.len()), given.as_slice());
                }
                (x, z, votes)
            })
            .collect()
    }

    /// The set recorded with the pair. If none was, the empty set if it separates, otherwise the first set
    /// near one of the two that does.
    fn separation(&self, x: Var, z: Var) -> Option<(VarSet, Outcome)> {
        if let Some(noted) = self.evidence.separation(x, z) {
            let outcome = noted.outcome.unwrap_or_else(|| self.ask.ask(x, z, &noted.given).outcome);
            return Some((noted.given.iter().copied().collect(), outcome));
        }
        [self.near(x), self.near(z)].into_iter().find_map(|near| {
            let mut sets = subsets(near.as_slice(), self.largest);
            while let Some(given) = sets.next() {
                let answer = self.ask.ask(x, z, given);
                if self.ask.stop_requested().is_some() {
                    return None;
                }
                if answer.separated {
                    return Some((given.iter().copied().collect(), answer.outcome));
                }
            }
            None
        })
    }
}

/// The votes of the sets about a pair, for the common neighbours of both.
#[derive(Debug, Clone)]
struct Votes {
    common: VarSet,
    /// For each common neighbour, the number of sets that contain it.
    with: Vec<u32>,
    /// The number of sets that have a vote.
    cast: u32,
    /// The weakest dependence and the size of its set, if only that has a vote.
    best: Option<(Outcome, usize)>,
    /// Whether one of the sets separates the pair.
    separated: bool,
}

impl Votes {
    fn see(&mut self, rule: ColliderRule, given: &[Var], answer: &Answer) {
        self.separated |= answer.separated;
        match rule {
            ColliderRule::Majority if answer.separated => self.cast(given),
            ColliderRule::Majority => {}
            _ => self.put((answer.outcome, given.len()), given),
        }
    }

    /// The set with the weakest dependence has the vote; of several, the smallest; of several of these, each.
    fn put(&mut self, new: (Outcome, usize), given: &[Var]) {
        match self.compare(&new) {
            std::cmp::Ordering::Greater => return,
            std::cmp::Ordering::Equal => {}
            std::cmp::Ordering::Less => self.begin(new),
        }
        self.cast(given);
    }

    /// Compares the best so far with another.
    fn compare(&self, new: &(Outcome, usize)) -> std::cmp::Ordering {
        match &self.best {
            None => std::cmp::Ordering::Less,
            Some(best) => new.0.cmp_strength(&best.0).then_with(|| new.1.cmp(&best.1)),
        }
    }

    fn begin(&mut self, best: (Outcome, usize)) {
        self.best = Some(best);
        self.cast = 0;
        self.with.iter_mut().for_each(|with| *with = 0);
    }

    fn cast(&mut self, given: &[Var]) {
        self.cast += 1;
        for (with, y) in self.with.iter_mut().zip(self.common.iter()) {
            *with += u32::from(given.contains(&y));
        }
    }

    fn join(&mut self, other: Votes) {
        self.separated |= other.separated;
        if let Some(best) = other.best {
            match self.compare(&best) {
                std::cmp::Ordering::Greater => return,
                std::cmp::Ordering::Equal => {}
                std::cmp::Ordering::Less => self.begin(best),
            }
        }
        self.cast += other.cast;
        self.with.iter_mut().zip(other.with).for_each(|(with, more)| *with += more);
    }

    fn say(&self, i: usize, rule: ColliderRule) -> Says {
        let with = self.with[i];
        match (rule, &self.best) {
            (ColliderRule::Majority, _) => match (2 * with).cmp(&self.cast) {
                std::cmp::Ordering::Less => Says::Collider(0.5 - f64::from(with) / f64::from(self.cast)),
                std::cmp::Ordering::Equal => Says::Open, // also where none separates
                std::cmp::Ordering::Greater => Says::None,
            },
            (_, None) => Says::Open,
            (_, Some((outcome, _))) if with == 0 => Says::Collider(outcome.ln_p()),
            _ => Says::None,
        }
    }
}
