//! PC: the skeleton by sets of increasing size.

use rayon::prelude::*;

use super::subsets::subsets_of_size;
use crate::ci::{Evidence, Independence, Separation};
use crate::data::{Var, VarSet};
use crate::error::Result;
use crate::graph::Skeleton;
use crate::halves::{Restrict, Restriction};

/// The skeleton of PC, in the form that does not depend on the order of the variables.
///
/// All pairs begin as edges. At level 0, 1, 2, … an edge X - Y goes if a set of that many neighbours of X, or
/// of Y, separates the two; who the neighbours are is frozen at the beginning of a level.
///
/// # Requires, ensures
/// With faithful answers the result is the skeleton, and the set noted with each pair separates it.
///
/// # Cost
/// At level l at most |a(X)| over l tests for each edge and each of its ends: it grows without bound where a
/// variable has many neighbours, and `max_conditioning` is the limit on l. The count of X and a set serves all edges of X; no set
/// is kept. A set that both ends have is asked about once.
///
/// # Literature
/// Spirtes & Glymour (1991), doi:10.1177/089443939100900106; Colombo & Maathuis (2014), JMLR 15, 3921-3962,
/// doi:10.5555/2627435.2750365, Algorithm 4.1. Deviation T1.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pc;

impl Restrict for Pc {
    fn restrict(&self, u: &VarSet, ask: &Independence<'_>) -> Result<Restriction> {
        let mut state = Level::independent_pairs_removed(u.len(), ask)?;
        let mut level = 1;
        while level <= ask.max_conditioning() && state.has_sets_of(level) {
            // For each edge the sets near the end that comes first, then those near the other.
            for near in [Near::First, Near::Second] {
                let looks = state.each(|x| state.look(x, level, near, ask));
                ask.check_running()?;
                state.remove(looks);
            }
            state.end_level();
            level += 1;
        }
        let skeleton = state.skeleton(ask);
        drop(ask.take_evidence(|_, _| false)); // what is noted here is the same
        Ok(Restriction { skeleton, evidence: Evidence::of(state.separations) })
    }
}

/// The end of an edge whose neighbours make up the sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Near {
    First,
    Second,
}

/// The edges of a level.
struct Level {
    /// a(X), as it was at the beginning of the level.
    frozen: Vec<VarSet>,
    /// Of these the neighbours whose edge is still there and may still go.
    open: Vec<VarSet>,
    /// Edges that had an answer at this level, by their first end. One that had none has none at a higher level.
    answered: Vec<VarSet>,
    removed: Vec<(Var, Var)>,
    separations: Vec<(Var, Var, Separation)>,
    keep: bool,
}

/// What was found about the edges of one variable at one level.
#[derive(Default)]
struct Looked {
    answered: Vec<Var>,
    separated: Vec<(Var, Separation)>,
}

impl Level {
    /// Level 0. What cannot be tested is no edge: it could not be tested given more.
    fn independent_pairs_removed(n: usize, ask: &Independence<'_>) -> Result<Level> {
        let edges: Vec<(Vec<Var>, Vec<Var>)> = (0..n)
            .into_par_iter()
            .with_max_len(1)
            .map(|x| {
                let x = Var::new(x);
                let (free, required): (Vec<Var>, Vec<Var>) =
                    (x.index() + 1..n).map(Var::new).partition(|&y| ask.separable(x, y));
                let answers = ask.sweep(x, &free, &[]).into_iter();
                (answers.filter(|y| y.connected).map(|y| y.var).collect(), required)
            })
            .collect();
        ask.check_running()?;
        let lists = |pairs: &mut dyn Iterator<Item = (Var, Var)>| {
            let mut lists = vec![Vec::new(); n];
            for (x, y) in pairs {
                lists[x.index()].push(y);
                lists[y.index()].push(x);
            }
            lists.into_iter().map(VarSet::from_iter).collect::<Vec<_>>()
        };
        type Both = (Vec<Var>, Vec<Var>);
        let of = |list: fn(&Both) -> &Vec<Var>| {
            let from = edges.iter().enumerate();
            from.flat_map(move |(x, both)| list(both).iter().map(move |&y| (Var::new(x), y)))
        };
        Ok(Level {
            frozen: lists(&mut of(|both| &both.0).chain(of(|both| &both.1))),
            open: lists(&mut of(|both| &both.0)),
            answered: vec![VarSet::new(); n],
            removed: Vec::new(),
            separations: Vec::new(),
            keep: ask.keeps_evidence(),
        })
    }

    /// Whether an edge that may go has a set of this size near one of its ends.
    fn has_sets_of(&self, level: usize) -> bool {
        self.open.iter().zip(&self.frozen).any(|(open, near)| !open.is_empty() && near.len() > level)
    }

    /// One variable at a time for each thread: their costs differ by far.
    fn each(&self, look: impl Fn(Var) -> Looked + Sync) -> Vec<Looked> {
        (0..self.frozen.len()).into_par_iter().with_max_len(1).map(|x| look(Var::new(x))).collect()
    }

    /// Looks for sets near X that separate it from its neighbours.
    fn look(&self, x: Var, level: usize, near: Near, ask: &Independence<'_>) -> Looked {
        let mut seen = Looked::default();
        let around = &self.frozen[x.index()];
        let of_x = |y: &Var| if near == Near::First { *y > x } else { *y < x };
        let mut open: Vec<Var> = self.open[x.index()].iter().filter(of_x).collect();
        let mut sets = subsets_of_size(around.as_slice(), level);
        let mut now = Vec::with_capacity(open.len());
        while let Some(z) = if open.is_empty() { None } else { sets.next() } {
            // The sets near the first end have been asked about.
            let asked =
                |y: Var| near == Near::Second && z.iter().all(|&v| self.frozen[y.index()].contains(v));
            now.clear();
            now.extend(open.iter().copied().filter(|y| !z.contains(y) && !asked(*y)));
            if now.is_empty() {
                continue;
            }
            for answer in ask.sweep(x, &now, z).into_iter().filter(|answer| answer.is_known()) {
                if !seen.answered.contains(&answer.var) {
                    seen.answered.push(answer.var);
                }
                if answer.separated {
                    open.retain(|&y| y != answer.var);
                    seen.separated.push((answer.var, Separation::new(z, answer.outcome)));
                }
            }
        }
        seen
    }

    /// Takes away the edges that are separated; the neighbours stay frozen.
    fn remove(&mut self, looks: Vec<Looked>) {
        for (x, seen) in looks.into_iter().enumerate().map(|(x, seen)| (Var::new(x), seen)) {
            for y in seen.answered {
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

    /// The neighbours of the next level, and the edges that can still be tested there.
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
