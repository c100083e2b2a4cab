//! Finds clusters that are worth a price, and a graph near the prices.

use super::clusters::{MOST_CLUSTERS, Prices};
use super::connected;

/// A cluster is worth a price if it was avoided less than this, and has no more members than that.
const MUCH: f64 = 0.9;
const LARGEST: usize = 10;

/// Choices with a smaller share do not count.
const SOME: f64 = 0.002;

/// How much more than it removes a new member may add.
const AT_WORST: f64 = 0.2;

impl Prices<'_> {
    /// Finds clusters that are not avoided: by the best choices, and by those with a running share.
    pub(super) fn separate(&mut self, step: u32) {
        if self.clusters.len() > MOST_CLUSTERS {
            return;
        }
        self.cycles();
        if !step.is_multiple_of(8) {
            return;
        }
        // What had a share, by variable.
        let had = |y: usize| -> Vec<usize> {
            self.program.of(y).filter(|&i| self.open[i] && self.share[i] > SOME).collect()
        };
        let had: Vec<Vec<usize>> = (0..self.program.variables()).map(had).collect();
        let mut inside = vec![false; had.len()];
        for y in 0..had.len() {
            let mut others: Vec<usize> =
                had[y].iter().flat_map(|&i| self.program.parents[i].iter().copied()).collect();
            others.sort_unstable();
            others.dedup();
            for x in others {
                let found = self.grown(vec![y, x], &had, &mut inside);
                if let Some(members) = found {
                    members.iter().for_each(|&v| inside[v] = true);
                    self.cluster(members.clone(), &inside);
                    members.iter().for_each(|&v| inside[v] = false);
                }
            }
        }
    }

    /// A cluster of these variables and others that is not avoided enough, if adding variables one by one,
    /// always the one that leaves least, finds one.
    fn grown(&self, mut members: Vec<usize>, had: &[Vec<usize>], inside: &mut [bool]) -> Option<Vec<usize>> {
        members.iter().for_each(|&v| inside[v] = true);
        let avoided = |y: usize, inside: &[bool]| -> f64 {
            had[y].iter().filter(|&&i| self.avoids(i, inside)).map(|&i| self.share[i]).sum()
        };
        let found = loop {
            let left: f64 = members.iter().map(|&y| avoided(y, inside)).sum();
            if left < MUCH {
                break true;
            }
            if members.len() >= LARGEST {
                break false;
            }
            // What a further member would take away, and what it would bring.
            let mut taken: Vec<(usize, f64)> = Vec::new();
            for &i in members.iter().flat_map(|&y| &had[y]).filter(|&&i| self.avoids(i, inside)) {
                for &p in &self.program.parents[i] {
                    match taken.iter_mut().find(|(v, _)| *v == p) {
                        Some((_, sum)) => *sum += self.share[i],
                        None => taken.push((p, self.share[i])),
                    }
                }
            }
            taken.iter_mut().for_each(|(v, sum)| *sum -= avoided(*v, inside));
            match taken.into_iter().reduce(|a, b| if b.1 > a.1 { b } else { a }) {
                Some((v, gain)) if gain > -AT_WORST => {
                    members.push(v);
                    inside[v] = true;
                }
                _ => break false,
            }
        };
        members.iter().for_each(|&v| inside[v] = false);
        found.then_some(members)
    }

    /// Makes a cluster of a cycle through each variable whose best choices have one.
    fn cycles(&mut self) {
        let n = self.program.variables();
        let parents: Vec<Vec<usize>> = self.best.iter().map(|&i| self.program.parents[i].to_vec()).collect();
        for part in connected::parts(&parents).into_iter().filter(|part| part.len() > 1) {
            for &y in &part {
                let cycle = connected::cycle(y, &part, &parents);
                let mut inside = vec![false; n];
                cycle.iter().for_each(|&v| inside[v] = true);
                self.cluster(cycle, &inside);
            }
        }
    }

    /// A graph built one variable at a time, from the choice nearest to the best of its variable among those whose
    /// parents are already placed.
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
            let open =
                (0..n).filter(|&y| chosen[y] == usize::MAX).filter_map(|y| ready[y].map(|(s, i)| (s, y, i)));
            let (_, y, _) = open.reduce(|a, b| if b.0 < a.0 { b } else { a })?;
            // With what is there, its own best.
            let there = self.program.of(y).filter(|&i| self.open[i] && missing[i] == 0);
            chosen[y] =
                there.reduce(|a, b| if self.program.value[b] > self.program.value[a] { b } else { a })?;
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
