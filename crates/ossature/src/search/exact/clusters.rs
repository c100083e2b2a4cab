//! What no graph over some variables exceeds, by prices of clusters.
//!
//! In a graph without cycles every set of variables, a *cluster*, has a member with no parent inside it. Without
//! that condition each variable takes its best parents. A price puts it in the balance: each member
//! that avoids its cluster is paid the price, and the price is taken off once. Whatever the prices, what the
//! variables then take at best is no less than the score of any graph; the lower it is, the better
//! the prices (Jaakkola, Sontag, Globerson & Meila 2010, AISTATS 9, 358-365; Cussens 2011, UAI-27, arXiv
//! 1202.3713). Values and prices lie on a grid, so that what is said here is exact.

use rustc_hash::FxHashMap;

use super::super::watch::Watch;

/// Prices are multiples of this.
const GRAIN: f64 = 1.0 / 65536.0;

/// Steps without a lower bound after which they become shorter.
const PATIENCE: u32 = 12;

/// Steps shorter than this share of the first end the descent.
const SHORTEST: f64 = 1e-3;

/// The most clusters that have a price.
const MOST_CLUSTERS: usize = 20_000;

/// What variables may have for parents, each choice with its value; the variables are numbered.
#[derive(Debug, Clone, Default)]
pub(super) struct Program {
    /// Where the choices of each variable begin; one more for the end of the last.
    pub(super) first: Vec<usize>,
    /// For each choice its variable.
    pub(super) owner: Vec<usize>,
    /// For each choice its parents.
    pub(super) parents: Vec<Box<[usize]>>,
    /// For each choice its score.
    pub(super) value: Vec<f64>,
}

impl Program {
    pub(super) fn variables(&self) -> usize {
        self.first.len() - 1
    }

    pub(super) fn of(&self, y: usize) -> std::ops::Range<usize> {
        self.first[y]..self.first[y + 1]
    }

    /// The value of one choice for each variable.
    pub(super) fn total(&self, chosen: &[usize]) -> f64 {
        chosen.iter().map(|&i| self.value[i]).sum()
    }
}

#[derive(Debug, Clone)]
struct Cluster {
    members: Vec<usize>,
    /// The choices of members that have no parent inside.
    avoiding: Vec<usize>,
}

/// Prices of clusters, and what follows from them.
#[derive(Debug, Clone)]
pub(super) struct Prices<'a> {
    pub(super) program: &'a Program,
    clusters: Vec<Cluster>,
    known: FxHashMap<Vec<usize>, usize>,
    /// The price of each cluster.
    pub(super) prices: Vec<f64>,
    /// The value of each choice with what it is paid.
    pub(super) priced: Vec<f64>,
    /// Which choices there are.
    pub(super) open: Vec<bool>,
    /// The best choice of each variable.
    pub(super) best: Vec<usize>,
    /// What no graph exceeds.
    pub(super) bound: f64,
    /// How often each choice was the best of late.
    pub(super) share: Vec<f64>,
}

impl<'a> Prices<'a> {
    /// No prices.
    pub(super) fn new(program: &'a Program) -> Prices<'a> {
        let mut all = Prices {
            program,
            clusters: Vec::new(),
            known: FxHashMap::default(),
            prices: Vec::new(),
            priced: program.value.clone(),
            open: vec![true; program.value.len()],
            best: vec![0; program.variables()],
            bound: f64::INFINITY,
            share: vec![0.0; program.value.len()],
        };
        all.look();
        all
    }

    /// Finds the best choices and the bound; minus infinity where a variable has no choice left.
    pub(super) fn look(&mut self) {
        let mut sum = 0.0;
        for y in 0..self.program.variables() {
            let open = self.program.of(y).filter(|&i| self.open[i]);
            // The first of the best.
            let best = open.reduce(|a, b| if self.priced[b] > self.priced[a] { b } else { a });
            match best {
                Some(best) => {
                    self.best[y] = best;
                    sum += self.priced[best];
                }
                None => sum = f64::NEG_INFINITY,
            }
        }
        self.bound = sum - self.prices.iter().sum::<f64>();
    }

    /// Other prices for the same clusters; those that came later have none.
    pub(super) fn set(&mut self, prices: &[f64]) {
        self.prices.fill(0.0);
        self.prices[..prices.len()].copy_from_slice(prices);
        self.priced.copy_from_slice(&self.program.value);
        for (cluster, &price) in self.clusters.iter().zip(&self.prices).filter(|(_, price)| **price > 0.0) {
            cluster.avoiding.iter().for_each(|&i| self.priced[i] += price);
        }
        self.look();
    }

    fn avoids(&self, choice: usize, inside: &[bool]) -> bool {
        !self.program.parents[choice].iter().any(|&p| inside[p])
    }

    /// The place of a cluster, which is new or was known.
    fn cluster(&mut self, mut members: Vec<usize>, inside: &[bool]) -> usize {
        members.sort_unstable();
        if let Some(&place) = self.known.get(&members) {
            return place;
        }
        self.known.insert(members.clone(), self.clusters.len());
        let choices = members.iter().flat_map(|&y| self.program.of(y));
        let avoiding = choices.filter(|&i| self.avoids(i, inside)).collect();
        self.clusters.push(Cluster { members, avoiding });
        self.prices.push(0.0);
        self.clusters.len() - 1
    }

    /// Raises one price after the other as long as that lowers the bound.
    ///
    /// Returns a graph of choices that are all the best of their variables.
    pub(super) fn ascend(&mut self, watch: &Watch<'_>) -> Option<Vec<usize>> {
        let n = self.program.variables();
        let tight = |p: &Prices<'_>, y: usize| -> Vec<usize> {
            let top = p.priced[p.best[y]];
            p.program.of(y).filter(|&i| p.open[i] && p.priced[i] == top).collect()
        };
        let mut tights: Vec<Vec<usize>> = (0..n).map(|y| tight(self, y)).collect();
        let mut rounds = 0u64;
        loop {
            let (chosen, left) = self.placed(&tights);
            if left.is_empty() {
                return Some(chosen);
            }
            let members = self.smallest(left, &tights);
            let mut inside = vec![false; n];
            members.iter().for_each(|&y| inside[y] = true);
            let short = |&y: &usize| {
                let avoiding = self.program.of(y).filter(|&i| self.open[i] && self.avoids(i, &inside));
                let best = avoiding.map(|i| self.priced[i]).fold(f64::NEG_INFINITY, f64::max);
                self.priced[self.best[y]] - best
            };
            let by = members.iter().map(short).fold(f64::INFINITY, f64::min);
            if by == f64::INFINITY {
                self.bound = f64::NEG_INFINITY; // all of them need each other
                return None;
            }
            let touched = members.clone();
            let c = self.cluster(members, &inside);
            self.prices[c] += by;
            for k in 0..self.clusters[c].avoiding.len() {
                let i = self.clusters[c].avoiding[k];
                self.priced[i] += by;
            }
            self.bound -= by;
            touched.iter().for_each(|&y| tights[y] = tight(self, y));
            rounds += 1;
            if self.clusters.len() > MOST_CLUSTERS || (rounds % 64 == 0 && !watch.moved(self.bound, rounds)) {
                return None;
            }
        }
    }

    /// A choice among the given ones for each variable that can be placed after others, and those that
    /// cannot.
    fn placed(&self, choices: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
        let n = choices.len();
        let (mut inside, mut chosen) = (vec![true; n], vec![0; n]);
        let mut left: Vec<usize> = (0..n).collect();
        loop {
            let before = left.len();
            left.retain(|&y| match choices[y].iter().find(|&&i| self.avoids(i, &inside)) {
                Some(&i) => {
                    inside[y] = false;
                    chosen[y] = i;
                    false
                }
                None => true,
            });
            if left.len() == before {
                return (chosen, left);
            }
        }
    }

    /// A cluster among variables that cannot be placed: none of it could be left out.
    fn smallest(&self, left: Vec<usize>, tights: &[Vec<usize>]) -> Vec<usize> {
        let mut inside = vec![false; tights.len()];
        left.iter().for_each(|&y| inside[y] = true);
        // Variables that need none outside a strongly connected part are such a cluster already.
        let needs = |y: usize| -> Vec<usize> {
            let parents = tights[y].iter().flat_map(|&i| self.program.parents[i].iter().copied());
            parents.filter(|&p| inside[p]).collect()
        };
        let needs: Vec<Vec<usize>> = (0..tights.len()).map(|y| if inside[y] { needs(y) } else { Vec::new() }).collect();
        let parts = super::connected::parts(&needs);
        let part_of = {
            let mut of = vec![usize::MAX; tights.len()];
            parts.iter().enumerate().for_each(|(k, part)| part.iter().for_each(|&y| of[y] = k));
            of
        };
        let closed = |part: &&Vec<usize>| {
            inside[part[0]] && part.iter().all(|&y| needs[y].iter().all(|&p| part_of[p] == part_of[y]))
        };
        let mut cluster = parts.iter().filter(closed).min_by_key(|p| p.len()).expect("a last part").clone();
        let mut place = 0;
        while place < cluster.len() {
            inside.fill(false);
            cluster.iter().for_each(|&y| inside[y] = true);
            inside[cluster[place]] = false;
            let mut rest: Vec<usize> = cluster.iter().copied().filter(|&y| inside[y]).collect();
            loop {
                let before = rest.len();
                rest.retain(|&y| {
                    let stays = !tights[y].iter().any(|&i| self.avoids(i, &inside));
                    inside[y] = stays;
                    stays
                });
                if rest.len() == before {
                    break;
                }
            }
            match rest.is_empty() {
                true => place += 1,
                false => {
                    // Who could not be left out of the larger one cannot be left out of this.
                    place = cluster[..place].iter().filter(|y| rest.contains(y)).count();
                    cluster = rest;
                }
            }
        }
        cluster
    }

    /// Changes all prices together, again and again, so that the bound falls towards the score of a graph that is known:
    /// each price by how often its cluster is avoided (a subgradient, with Polyak's step).
    ///
    /// `graph` is shown the prices now and then and may find a better graph. The prices of the lowest bound stay.
    pub(super) fn descend(
        &mut self,
        steps: u32,
        mut known: f64,
        watch: &Watch<'_>,
        mut graph: impl FnMut(&Prices<'a>) -> f64,
    ) {
        let n = self.program.variables();
        let (mut lowest, mut at) = (self.bound, self.prices.clone());
        let (mut length, mut without) = (1.0, 0);
        let mut inside = vec![false; n];
        for step in 0..steps {
            if step % 16 == 0 {
                known = known.max(graph(self));
                if !watch.moved(lowest, u64::from(step)) {
                    break;
                }
            }
            if lowest <= known || self.bound == f64::NEG_INFINITY {
                break;
            }
            self.cycles();
            self.share.iter_mut().for_each(|share| *share *= 0.95);
            self.best.iter().for_each(|&i| self.share[i] += 0.05);
            let mut slopes: Vec<(usize, f64)> = Vec::new();
            for (c, cluster) in self.clusters.iter().enumerate() {
                cluster.members.iter().for_each(|&y| inside[y] = true);
                let avoiding = cluster.members.iter().filter(|&&y| self.avoids(self.best[y], &inside)).count();
                cluster.members.iter().for_each(|&y| inside[y] = false);
                let slope = 1.0 - avoiding as f64;
                if slope > 0.0 || (slope < 0.0 && self.prices[c] > 0.0) {
                    slopes.push((c, slope));
                }
            }
            let steep: f64 = slopes.iter().map(|(_, slope)| slope * slope).sum();
            if steep == 0.0 {
                break;
            }
            let by = length * (self.bound - known) / steep;
            for (c, slope) in slopes {
                let price = ((self.prices[c] + by * slope).max(0.0) / GRAIN).round() * GRAIN;
                let change = price - self.prices[c];
                if change != 0.0 {
                    self.prices[c] = price;
                    self.clusters[c].avoiding.iter().for_each(|&i| self.priced[i] += change);
                }
            }
            self.look();
            without += 1;
            if self.bound < lowest {
                if self.bound < lowest - 0.001 * (lowest - known) {
                    without = 0;
                }
                (lowest, at) = (self.bound, self.prices.clone());
            }
            if without > PATIENCE {
                (length, without) = (length / 2.0, 0);
                if length < SHORTEST {
                    break;
                }
            }
        }
        self.set(&at);
    }

    /// Makes a cluster of a cycle through each variable whose best choices have one.
    fn cycles(&mut self) {
        if self.clusters.len() > MOST_CLUSTERS {
            return;
        }
        let n = self.program.variables();
        let parents: Vec<Vec<usize>> = self.best.iter().map(|&i| self.program.parents[i].to_vec()).collect();
        for part in super::connected::parts(&parents).into_iter().filter(|part| part.len() > 1) {
            for &y in &part {
                let cycle = super::connected::cycle(y, &part, &parents);
                let mut inside = vec![false; n];
                cycle.iter().for_each(|&v| inside[v] = true);
                self.cluster(cycle, &inside);
            }
        }
    }

    /// A graph that takes, one variable after the other, the choice that is nearest to the best of its variable among
    /// those whose parents are there.
    pub(super) fn rounded(&self) -> Option<Vec<usize>> {
        let n = self.program.variables();
        let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); n];
        let mut missing = vec![0; self.priced.len()];
        let short = |i: usize| self.priced[self.best[self.program.owner[i]]] - self.priced[i];
        // The best of each variable that can be had, and by how much it falls short.
        let mut ready: Vec<Option<(f64, usize)>> = vec![None; n];
        let better = |ready: &mut Option<(f64, usize)>, i: usize| {
            if ready.is_none_or(|(known, _)| short(i) < known) {
                *ready = Some((short(i), i));
            }
        };
        for i in (0..self.priced.len()).filter(|&i| self.open[i]) {
            missing[i] = self.program.parents[i].len();
            self.program.parents[i].iter().for_each(|&p| waiting[p].push(i));
            if missing[i] == 0 {
                better(&mut ready[self.program.owner[i]], i);
            }
        }
        let mut chosen = vec![usize::MAX; n];
        for _ in 0..n {
            let open = (0..n).filter(|&y| chosen[y] == usize::MAX).filter_map(|y| ready[y].map(|(s, i)| (s, y, i)));
            let (_, y, _) = open.reduce(|a, b| if b.0 < a.0 { b } else { a })?;
            // With what is there, its own best.
            let there = self.program.of(y).filter(|&i| self.open[i] && missing[i] == 0);
            chosen[y] = there.reduce(|a, b| if self.program.value[b] > self.program.value[a] { b } else { a })?;
            for &i in &waiting[y] {
                missing[i] -= 1;
                if missing[i] == 0 {
                    better(&mut ready[self.program.owner[i]], i);
                }
            }
        }
        Some(chosen)
    }
}
