//! An upper bound on the score of all graphs over some variables, by prices of clusters.
//!
//! In a graph without cycles every set of variables, a *cluster*, has a member with no parent inside it. Without
//! that condition each variable takes its best parents. A price accounts for the condition: each member that
//! avoids its cluster is paid the price, and the price is subtracted once. Whatever the prices, the sum of the
//! variables' best choices is then at least the score of any graph; the lower it is, the better the prices
//! (Jaakkola, Sontag, Globerson & Meila 2010, AISTATS 9, 358-365; Cussens 2011, UAI-27, arXiv 1202.3713). Values
//! and prices are on a grid, so these statements are exact.

use rustc_hash::FxHashMap;

use super::super::watch::Watch;
use super::cores::Core;

/// Prices are multiples of this.
const GRAIN: f64 = 1.0 / 65536.0;

/// The number of steps without a lower bound after which steps become shorter.
const PATIENCE: u32 = 20;

/// The weight of the latest choices in the running shares.
const WEIGHT: f64 = 0.1;

/// Steps shorter than this share of the first end the descent.
const SHORTEST: f64 = 1e-3;

/// The largest number of clusters with a price.
pub(super) const MOST_CLUSTERS: usize = 20_000;

/// The possible parents of variables, each choice with its value; the variables are numbered.
#[derive(Debug, Clone, Default)]
pub(super) struct Program {
    /// Where the choices of each variable begin, with one more entry for the end of the last.
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

/// Prices of clusters, and their consequences.
#[derive(Debug, Clone)]
pub(super) struct Prices<'a> {
    pub(super) program: &'a Program,
    /// For each cluster the choices of its members that have no parent inside.
    pub(super) clusters: Vec<Vec<usize>>,
    /// For each cluster its members.
    pub(super) members: Vec<Vec<usize>>,
    /// The index of each cluster.
    known: FxHashMap<Vec<usize>, usize>,
    /// The price of each cluster.
    pub(super) prices: Vec<f64>,
    /// The value of each choice plus what it is paid.
    pub(super) priced: Vec<f64>,
    /// Which choices are open.
    pub(super) open: Vec<bool>,
    /// The best choice of each variable.
    pub(super) best: Vec<usize>,
    /// The upper bound on all graphs.
    pub(super) bound: f64,
    /// The running share of each choice as the best.
    pub(super) share: Vec<f64>,
    /// Groups of all variables that are ordered exactly; if there are none, each variable is by itself.
    pub(super) cores: Vec<Core>,
}

impl<'a> Prices<'a> {
    /// No prices.
    pub(super) fn new(program: &'a Program) -> Prices<'a> {
        let mut all = Prices {
            program,
            clusters: Vec::new(),
            members: Vec::new(),
            known: FxHashMap::default(),
            prices: Vec::new(),
            priced: program.value.clone(),
            open: vec![true; program.value.len()],
            best: vec![0; program.variables()],
            bound: f64::INFINITY,
            share: vec![0.0; program.value.len()],
            cores: Vec::new(),
        };
        all.look();
        all
    }

    /// Finds the best choices and the bound; minus infinity if a variable has no choice left.
    pub(super) fn look(&mut self) {
        let mut sum = 0.0;
        for core in &mut self.cores {
            sum += core.look(&self.priced, &self.open, &mut self.best);
        }
        let alone = if self.cores.is_empty() { 0..self.program.variables() } else { 0..0 };
        for y in alone {
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

    /// Orders groups of variables exactly from now on: clusters inside a group need no price any more.
    pub(super) fn join(&mut self, groups: Vec<Vec<usize>>) {
        let inside = |cluster: &Vec<usize>| {
            groups.iter().any(|group| cluster.iter().all(|v| group.binary_search(v).is_ok()))
        };
        let price = |(cluster, &price)| if inside(cluster) { 0.0 } else { price };
        let prices: Vec<f64> = self.members.iter().zip(&self.prices).map(price).collect();
        self.cores = groups.into_iter().map(|members| Core::new(self.program, members)).collect();
        self.set(&prices);
    }

    /// By how much the bound falls if a variable must have a choice, for each choice.
    pub(super) fn losses(&self) -> Vec<f64> {
        let mut losses: Vec<f64> = (self.priced.iter().zip(&self.program.owner))
            .map(|(priced, &y)| self.priced[self.best[y]] - priced)
            .collect();
        self.cores.iter().for_each(|core| core.losses(&self.priced, &mut losses));
        losses
    }

    /// Sets other prices for the same clusters; later clusters have none.
    pub(super) fn set(&mut self, prices: &[f64]) {
        self.prices.fill(0.0);
        self.prices[..prices.len()].copy_from_slice(prices);
        self.priced.copy_from_slice(&self.program.value);
        for (cluster, &price) in self.clusters.iter().zip(&self.prices).filter(|(_, price)| **price > 0.0) {
            cluster.iter().for_each(|&i| self.priced[i] += price);
        }
        self.look();
    }

    pub(super) fn avoids(&self, choice: usize, inside: &[bool]) -> bool {
        !self.program.parents[choice].iter().any(|&p| inside[p])
    }

    /// The index of a cluster, new or known.
    pub(super) fn cluster(&mut self, mut members: Vec<usize>, inside: &[bool]) -> usize {
        members.sort_unstable();
        if let Some(&place) = self.known.get(&members) {
            return place;
        }
        self.known.insert(members.clone(), self.clusters.len());
        let choices = members.iter().flat_map(|&y| self.program.of(y));
        let avoiding = choices.filter(|&i| self.avoids(i, inside)).collect();
        self.clusters.push(avoiding);
        self.members.push(members);
        self.prices.push(0.0);
        self.clusters.len() - 1
    }

    /// Raises one price after the other as long as that lowers the bound, if there are no cores.
    ///
    /// Returns a graph in which every choice is the best of its variable, if one is found.
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
            for k in 0..self.clusters[c].len() {
                let i = self.clusters[c][k];
                self.priced[i] += by;
            }
            self.bound -= by;
            touched.iter().for_each(|&y| tights[y] = tight(self, y));
            rounds += 1;
            let looks = rounds.is_multiple_of(4);
            if self.clusters.len() > MOST_CLUSTERS
                || watch.stopped()
                || (looks && !watch.moved(self.bound, rounds))
            {
                return None;
            }
        }
    }

    /// A choice among the given ones for each variable that can be placed after others, and the
    /// variables that cannot.
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

    /// A minimal cluster among variables that cannot be placed.
    fn smallest(&self, left: Vec<usize>, tights: &[Vec<usize>]) -> Vec<usize> {
        let mut inside = vec![false; tights.len()];
        left.iter().for_each(|&y| inside[y] = true);
        // Variables that need none outside a strongly connected part are such a cluster already.
        let needs = |y: usize| -> Vec<usize> {
            let parents = tights[y].iter().flat_map(|&i| self.program.parents[i].iter().copied());
            parents.filter(|&p| inside[p]).collect()
        };
        let needs: Vec<Vec<usize>> =
            (0..tights.len()).map(|y| if inside[y] { needs(y) } else { Vec::new() }).collect();
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

    /// Repeatedly changes all prices together, so that the bound falls towards the score of a known graph: each
    /// price by how far its cluster is from being avoided once according to the running shares of choices (the
    /// volume algorithm of Barahona & Anbil 2000, doi:10.1007/s101070050002).
    ///
    /// `graph` sees the prices from time to time and may find a better graph. The prices of the lowest bound are
    /// kept.
    pub(super) fn descend(
        &mut self,
        steps: u32,
        mut known: f64,
        watch: &Watch<'_>,
        mut graph: impl FnMut(&Prices<'a>) -> f64,
    ) {
        let (mut lowest, mut at) = (self.bound, self.prices.clone());
        let (mut length, mut without) = (0.2, 0);
        self.share.fill(0.0);
        self.best.iter().for_each(|&i| self.share[i] = 1.0);
        for step in 0..steps {
            if step.is_multiple_of(16) {
                known = known.max(graph(self));
            }
            if !watch.moved(lowest, u64::from(step)) {
                break;
            }
            if lowest <= known || self.bound == f64::NEG_INFINITY || length < SHORTEST {
                break;
            }
            self.separate(step);
            at.resize(self.prices.len(), 0.0);
            let mut slopes: Vec<(usize, f64)> = Vec::new();
            for (c, cluster) in self.clusters.iter().enumerate() {
                let slope = 1.0 - cluster.iter().map(|&i| self.share[i]).sum::<f64>();
                if slope > 0.0 || (slope < 0.0 && at[c] > 0.0) {
                    slopes.push((c, slope));
                }
            }
            let steep: f64 = slopes.iter().map(|(_, slope)| slope * slope).sum();
            if steep == 0.0 {
                break;
            }
            let by = length * (lowest - known) / steep;
            let mut next = at.clone();
            for (c, slope) in slopes {
                next[c] = ((at[c] + by * slope).max(0.0) / GRAIN).round() * GRAIN;
            }
            self.change(&next);
            self.share.iter_mut().for_each(|share| *share *= 1.0 - WEIGHT);
            self.best.iter().for_each(|&i| self.share[i] += WEIGHT);
            without += 1;
            if self.bound < lowest {
                if self.bound < lowest - 0.0005 * (lowest - known) {
                    (length, without) = (f64::min(2.0, length * 1.1), 0);
                }
                (lowest, at) = (self.bound, next);
            }
            if without > PATIENCE {
                (length, without) = (length * 0.66, 0);
            }
        }
        self.set(&at);
    }

    /// Changes to other prices.
    fn change(&mut self, next: &[f64]) {
        for (c, &price) in next.iter().enumerate() {
            let change = price - self.prices[c];
            if change != 0.0 {
                self.prices[c] = price;
                self.clusters[c].iter().for_each(|&i| self.priced[i] += change);
            }
        }
        self.look();
    }
}
