//! PC: the skeleton by conditioning sets of increasing size.

use super::subsets::{number_of_subsets, subsets_of_size};
use crate::ci::{Evidence, Independence, Separation};
use crate::data::{Var, VarSet};
use crate::error::Result;
use crate::graph::Skeleton;
use crate::halves::{Finding, InRounds, Restrict, Restriction};
use crate::parallel;
use crate::progress::Event;

/// The skeleton of PC, in the form that does not depend on the order of the variables.
///
/// All pairs start as edges. At level 0, 1, 2, … an edge X - Y is removed if a set of that many neighbours of
/// X, or of Y, separates the two. The neighbours are frozen at the start of a level.
///
/// # Requires, ensures
/// With faithful answers the result is the skeleton, and the set recorded with each pair separates it.
///
/// # Cost
/// At level l at most (|a(X)| − 1 over l) tests for each edge and each of its ends. This grows without bound
/// if a variable has many neighbours; `max_conditioning` limits l. The largest possible number of tests of a
/// level is reported when it starts ([`Event::LevelBegun`]). Counting X with a set serves all edges of X; no
/// set is kept. A set that is near both ends is tested once.
///
/// # Literature
/// Spirtes & Glymour (1991), doi:10.1177/089443939100900106; Colombo & Maathuis (2014), JMLR 15, 3921-3962,
/// doi:10.5555/2627435.2750365, Algorithm 4.1. Deviation T1.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pc;

impl Restrict for Pc {
    fn restrict(&self, u: &VarSet, ask: &Independence<'_>) -> Result<Restriction> {
        let mut edges = Box::new(Edges::all(u.len(), ask));
        while edges.begin(ask) {
            // One variable at a time for each thread, because their costs differ widely.
            let found = parallel::map_each(u.as_slice(), |&x| edges.look(x, u, ask));
            ask.check_running()?;
            edges.end(found);
        }
        drop(ask.take_evidence(|_, _| false)); // `Edges` has the same separations
        Ok(edges.finish(Evidence::default(), ask))
    }

    fn rounds<'a>(&'a self, u: &VarSet, ask: &Independence<'_>) -> Option<Box<dyn InRounds + 'a>> {
        Some(Box::new(Edges::all(u.len(), ask)))
    }
}

/// The progress of PC. Level 0 is one round. Each other level is two: for each edge, the sets near its first
/// end, then those near its second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    NotBegun,
    Pairs,
    Sets(usize, Near),
}

/// The end of an edge whose neighbours form the sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Near {
    First,
    Second,
}

/// The edges that are left.
struct Edges {
    at: Level,
    /// a(X), as it was at the start of the level.
    frozen: Vec<VarSet>,
    /// The neighbours in `frozen` whose edge is still there and may be removed.
    open: Vec<VarSet>,
    /// Edges that had an answer at this level, by their first end. An edge without an answer has none at
    /// higher levels.
    answered: Vec<VarSet>,
    removed: Vec<(Var, Var)>,
    separations: Vec<(Var, Var, Separation)>,
    keep: bool,
}

impl InRounds for Edges {
    fn begin(&mut self, ask: &Independence<'_>) -> bool {
        self.at = match self.at {
            Level::NotBegun => Level::Pairs,
            Level::Sets(level, Near::First) => Level::Sets(level, Near::Second),
            Level::Pairs | Level::Sets(_, Near::Second) => {
                let level = if let Level::Sets(level, _) = self.at { level + 1 } else { 1 };
                if level > ask.max_conditioning() || !self.has_sets_of(level) {
                    return false;
                }
                ask.report(self.begun(level));
                Level::Sets(level, Near::First)
            }
        };
        true
    }

    fn cost(&self, x: Var) -> u64 {
        match self.at {
            Level::NotBegun | Level::Pairs => (self.frozen.len() - x.index()) as u64,
            Level::Sets(level, _) => 1 + self.tests_of(x, level),
        }
    }

    fn look(&self, x: Var, u: &VarSet, ask: &Independence<'_>) -> Finding {
        match self.at {
            Level::NotBegun | Level::Pairs => {
                let later = u.iter().filter(|&y| y > x);
                let (free, required): (Vec<Var>, Vec<Var>) = later.partition(|&y| ask.separable(x, y));
                // A pair that cannot be tested is not an edge: it could not be tested given more variables
                // either.
                let answers = ask.sweep(x, &free, &[]).into_iter();
                let connected = answers.filter(|y| y.connected).map(|y| y.var).collect();
                Finding::of([connected, VarSet::from_iter(required)])
            }
            Level::Sets(level, near) => self.separate(x, level, near, ask),
        }
    }

    fn end(&mut self, found: Vec<Finding>) {
        match self.at {
            Level::NotBegun | Level::Pairs => self.keep_dependent(found),
            Level::Sets(_, Near::First) => self.remove(found),
            Level::Sets(_, Near::Second) => {
                self.remove(found);
                self.end_level();
            }
        }
    }

    fn wants_noted(&self) -> bool {
        false
    }

    fn finish(self: Box<Self>, _: Evidence, ask: &Independence<'_>) -> Restriction {
        let skeleton = self.skeleton(ask);
        Restriction { skeleton, evidence: Evidence::of(self.separations) }
    }
}

impl Edges {
    /// The state before level 0.
    fn all(n: usize, ask: &Independence<'_>) -> Edges {
        Edges {
            at: Level::NotBegun,
            frozen: vec![VarSet::new(); n],
            open: vec![VarSet::new(); n],
            answered: vec![VarSet::new(); n],
            removed: Vec::new(),
            separations: Vec::new(),
            keep: ask.keeps_evidence(),
        }
    }

    /// Sets the edges after level 0: those that may be removed, and those that are required.
    fn keep_dependent(&mut self, found: Vec<Finding>) {
        let n = self.frozen.len();
        let both_ways = |place: usize| {
            let mut lists = vec![Vec::new(); n];
            for (x, finding) in found.iter().enumerate() {
                for y in finding.sets.get(place).into_iter().flat_map(VarSet::iter) {
                    lists[x].push(y);
                    lists[y.index()].push(Var::new(x));
                }
            }
            lists
        };
        let (open, required) = (both_ways(0), both_ways(1));
        let all = open.iter().zip(&required).map(|(open, required)| open.iter().chain(required).copied());
        self.frozen = all.map(VarSet::from_iter).collect();
        self.open = open.into_iter().map(VarSet::from_iter).collect();
    }

    /// Whether an edge that may be removed has a set of this size near one of its ends.
    fn has_sets_of(&self, level: usize) -> bool {
        self.open.iter().zip(&self.frozen).any(|(open, near)| !open.is_empty() && near.len() > level)
    }

    /// The largest number of tests for the edges of X with sets near X.
    fn tests_of(&self, x: Var, size: usize) -> u64 {
        let (open, near) = (&self.open[x.index()], &self.frozen[x.index()]);
        (open.len() as u64).saturating_mul(number_of_subsets(near.len().saturating_sub(1), size))
    }

    /// The start of a level, with its largest number of tests: all sets near either end of each edge.
    fn begun(&self, size: usize) -> Event {
        let most = (0..self.open.len()).map(|x| self.tests_of(Var::new(x), size));
        let most = most.fold(0, u64::saturating_add);
        Event::LevelBegun { size, edges: self.open.iter().map(VarSet::len).sum::<usize>() / 2, most }
    }

    /// Searches for sets near X that separate it from its neighbours.
    fn separate(&self, x: Var, level: usize, near: Near, ask: &Independence<'_>) -> Finding {
        let (mut answered, mut separated) = (Vec::new(), Vec::new());
        let around = &self.frozen[x.index()];
        let of_x = |y: &Var| if near == Near::First { *y > x } else { *y < x };
        let mut open: Vec<Var> = self.open[x.index()].iter().filter(of_x).collect();
        let mut sets = subsets_of_size(around.as_slice(), level);
        let mut now = Vec::with_capacity(open.len());
        while let Some(z) = if open.is_empty() { None } else { sets.next() } {
            // Sets that are also near the first end have been tested.
            let asked =
                |y: Var| near == Near::Second && z.iter().all(|&v| self.frozen[y.index()].contains(v));
            now.clear();
            now.extend(open.iter().copied().filter(|y| !z.contains(y) && !asked(*y)));
            if now.is_empty() {
                continue;
            }
            for answer in ask.sweep(x, &now, z).into_iter().filter(|answer| answer.is_known()) {
                if !answered.contains(&answer.var) {
                    answered.push(answer.var);
                }
                if answer.separated {
                    open.retain(|&y| y != answer.var);
                    separated.push((answer.var, Separation::new(z, answer.outcome)));
                }
            }
        }
        Finding { separated, ..Finding::of([VarSet::from_iter(answered)]) }
    }

    /// Removes the separated edges. The neighbours stay frozen.
    fn remove(&mut self, found: Vec<Finding>) {
        for (x, mut seen) in found.into_iter().enumerate().map(|(x, seen)| (Var::new(x), seen)) {
            for y in seen.set(0).iter() {
                self.answered[x.min(y).index()].insert(x.max(y));
            }
            for (y, separation) in seen.separated {
                self.open[x.index()].remove(y);
                self.open[y.index()].remove(x);
                self.removed.push((x, y));
                if self.keep {
                    self.separations.push((x, y, separation));
                }
            }
        }
    }

    /// Updates the neighbours for the next level, and keeps the edges that can still be tested there.
    fn end_level(&mut self) {
        for (x, y) in self.removed.drain(..) {
            self.frozen[x.index()].remove(y);
            self.frozen[y.index()].remove(x);
        }
        let answered = &self.answered;
        for (x, open) in self.open.iter_mut().enumerate().map(|(x, open)| (Var::new(x), open)) {
            *open = open.iter().filter(|&y| answered[x.min(y).index()].contains(x.max(y))).collect();
        }
        self.answered.iter_mut().for_each(|answered| *answered = VarSet::new());
    }

    fn skeleton(&self, ask: &Independence<'_>) -> Skeleton {
        let mut skeleton = Skeleton::empty(self.frozen.len());
        for (x, near) in self.frozen.iter().enumerate().map(|(x, near)| (Var::new(x), near)) {
            for y in near.iter().filter(|&y| x < y && !ask.edge_forbidden(x, y)) {
                skeleton.insert(x, y);
            }
        }
        skeleton
    }
}
