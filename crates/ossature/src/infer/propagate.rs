//! Message passing, towards the roots and back to the queried cliques.
//!
//! On the way to a root every clique multiplies its tables and the messages it received and sums the
//! product to the variables it shares with the next; at the root the sum of the product is the probability
//! of the evidence. On the way back a clique receives the product of the rest of the network, with its own
//! message divided out (as in Lauritzen and Spiegelhalter), but only if something is queried there. Clique
//! tables are not kept: all of them share one buffer, so the memory is that of the largest table and the
//! messages.

use std::sync::OnceLock;

use super::arithmetic::{Arithmetic, Linear, Logs, Scaled, exponent};
use super::given::Given;
use super::question::Source;
use super::tree::{Clique, CliqueAnswer, Factor, JunctionTree};
use super::walk::Walk;
use crate::data::Var;
use crate::error::{Error, Result};
use crate::network::Network;

/// The tables of a network, prepared for inference.
///
/// Rows are divided by their sums, which may differ from 1 by rounding: only then may irrelevant variables
/// be left out.
#[derive(Debug)]
pub(super) struct NodeTables {
    probabilities: Vec<Vec<f64>>,
    /// For each table a power of two that is a lower bound of its positive entries.
    floors: Vec<i64>,
    logs: OnceLock<Vec<Vec<f64>>>,
}

impl NodeTables {
    pub(super) fn new(network: &Network) -> NodeTables {
        let normalised = |v: Var| {
            if network.variable(v).is_continuous() {
                // No question comes to it, see `Question::relevant`.
                return Vec::new();
            }
            let rows = network.table(v).rows();
            rows.flat_map(|row| {
                let sum: f64 = row.iter().sum();
                row.iter().map(move |p| p / sum)
            })
            .collect()
        };
        let probabilities: Vec<Vec<f64>> = network.dag().vars().map(normalised).collect();
        let floors = probabilities.iter().map(|table| floor(table)).collect();
        NodeTables { probabilities, floors, logs: OnceLock::new() }
    }

    pub(super) fn of(&self, v: Var) -> &[f64] {
        &self.probabilities[v.index()]
    }

    pub(super) fn logs_of(&self, v: Var) -> &[f64] {
        let logs = |table: &Vec<f64>| table.iter().map(|&p| libm::log(p)).collect();
        &self.logs.get_or_init(|| self.probabilities.iter().map(logs).collect())[v.index()]
    }
}

fn floor(table: &[f64]) -> i64 {
    table.iter().filter(|&&p| p > 0.0).map(|&p| exponent(p)).min().unwrap_or_default()
}

/// The likelihoods of a variable, scaled so that the largest is near 1.
#[derive(Debug)]
struct Likelihood {
    var: Var,
    likelihoods: Vec<f64>,
    logs: Vec<f64>,
    floor: i64,
    /// The power of two divided out.
    twos: i64,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// With an answer.
    Done,
    /// The evidence has probability 0.
    Impossible,
    /// Numbers could become too small; logarithms are needed.
    TooSmall,
}

/// The buffers and results of a run, reused by the next.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    /// The given levels, by variable; the others are arbitrary.
    pub(super) levels: Vec<u16>,
    likelihoods: Vec<Likelihood>,
    /// The queried distributions, one after the other.
    pub(super) answers: Vec<f64>,
    /// The logarithm of the probability of the evidence, less powers of two.
    ln: f64,
    twos: i64,
    buffers: Buffers,
}

#[derive(Debug, Default)]
struct Buffers {
    table: Vec<f64>,
    spare: Vec<f64>,
    up: Vec<f64>,
    down: Vec<f64>,
    /// For each clique, two to this power is a lower bound of the positive entries of its message.
    up_floors: Vec<i64>,
    down_floors: Vec<i64>,
}

impl Workspace {
    /// The number of entries it can hold without allocating.
    pub(super) fn capacity(&self) -> usize {
        let b = &self.buffers;
        b.table.capacity() + b.spare.capacity() + b.up.capacity() + b.down.capacity()
    }

    /// The logarithm of the probability of the evidence in the last run.
    pub(super) fn ln_evidence(&self) -> f64 {
        self.ln + self.twos as f64 * std::f64::consts::LN_2
    }

    /// Copies the evidence.
    pub(super) fn enter(&mut self, nodes: usize, evidence: &Given) {
        self.levels.resize(nodes, 0);
        evidence.levels().for_each(|(v, level)| self.levels[v.index()] = level);
        self.likelihoods.clear();
        for (var, likelihood) in evidence.likelihoods() {
            let mut likelihoods = likelihood.to_vec();
            let (twos, floor) = Linear::scale(&mut likelihoods).map_or((0, 0), |s| (s.twos, s.floor));
            let logs = likelihoods.iter().map(|&l| libm::log(l)).collect();
            self.likelihoods.push(Likelihood { var, likelihoods, logs, floor, twos });
        }
    }

    /// Answers the question of a tree, with logarithms only if they are needed.
    pub(super) fn answer(&mut self, tree: &JunctionTree, tables: &NodeTables) -> Result<Ended> {
        match self.run::<Linear>(tree, tables)? {
            Ended::TooSmall => self.run::<Logs>(tree, tables),
            ended => Ok(ended),
        }
    }

    /// One run with one kind of numbers.
    pub(super) fn run<A: Arithmetic>(&mut self, tree: &JunctionTree, tables: &NodeTables) -> Result<Ended> {
        self.reserve::<A>(tree)?;
        (self.ln, self.twos) = (0.0, 0);
        for answer in tree.answers.iter().filter(|answer| answer.certain) {
            let whole = &mut self.answers[answer.range.clone()];
            whole.fill(0.0);
            whole[offset(&answer.cuts, &self.levels)] = 1.0;
        }
        for factor in &tree.constants {
            let (logs, _) = source::<Logs>(factor, tables, &self.likelihoods);
            self.ln += logs[offset(&factor.cuts, &self.levels)];
        }
        self.twos += self.likelihoods.iter().map(|l| l.twos).sum::<i64>();
        if self.ln == f64::NEG_INFINITY {
            return Ok(Ended::Impossible);
        }
        let mut pass = Pass {
            tree,
            tables,
            levels: &self.levels,
            likelihoods: &self.likelihoods,
            buffers: &mut self.buffers,
            answers: &mut self.answers,
            ln: &mut self.ln,
            twos: &mut self.twos,
        };
        match pass.upwards::<A>() {
            Ended::Done => Ok(pass.downwards::<A>()),
            ended => Ok(ended),
        }
    }

    /// Allocates memory, or returns an error if there is not enough.
    fn reserve<A: Arithmetic>(&mut self, tree: &JunctionTree) -> Result<()> {
        let table = tree.cliques.iter().map(|c| c.size).max().unwrap_or_default();
        let b = &mut self.buffers;
        let spare = if A::LOGS { table } else { 0 };
        b.spare.clear();
        let lists = [
            (&mut b.table, table),
            (&mut b.up, tree.message_size),
            (&mut b.down, tree.message_size),
            (&mut self.answers, tree.answer_size),
        ];
        for (list, entries) in lists {
            if list.len() < entries {
                list.try_reserve(entries - list.len()).map_err(|_| no_memory(entries))?;
                list.resize(entries, 0.0);
            }
        }
        b.spare.try_reserve(spare).map_err(|_| no_memory(spare))?;
        b.up_floors.resize(tree.cliques.len(), 0);
        b.down_floors.resize(tree.cliques.len(), 0);
        Ok(())
    }
}

fn no_memory(entries: usize) -> Error {
    let what = "a table (for which the system has no memory)".into();
    Error::TooLarge { what, size: entries as u128, limit: entries as u64 - 1 }
}

/// The offset of the given levels in a table.
fn offset(cuts: &[(Var, usize)], levels: &[u16]) -> usize {
    cuts.iter().map(|&(v, stride)| usize::from(levels[v.index()]) * stride).sum()
}

/// One run.
struct Pass<'a> {
    tree: &'a JunctionTree,
    tables: &'a NodeTables,
    levels: &'a [u16],
    likelihoods: &'a [Likelihood],
    buffers: &'a mut Buffers,
    answers: &'a mut [f64],
    ln: &'a mut f64,
    twos: &'a mut i64,
}

impl Pass<'_> {
    fn upwards<A: Arithmetic>(&mut self) -> Ended {
        for (i, clique) in self.tree.cliques.iter().enumerate() {
            if !self.multiply::<A>(clique) {
                return Ended::TooSmall;
            }
            let ended = match &clique.to_root {
                Some(walk) => self.send::<A>(i, clique, walk),
                None => self.at_root::<A>(clique),
            };
            if ended != Ended::Done {
                return ended;
            }
        }
        Ended::Done
    }

    fn send<A: Arithmetic>(&mut self, i: usize, clique: &Clique, walk: &Walk) -> Ended {
        let b = &mut *self.buffers;
        let message = &mut b.up[clique.message.clone()];
        A::collapse(walk, &b.table[..clique.size], message, &mut b.spare);
        let Some(Scaled { twos, ln, floor }) = A::scale(message) else { return Ended::Impossible };
        b.up_floors[i] = floor;
        *self.twos += twos;
        *self.ln += ln;
        Ended::Done
    }

    fn at_root<A: Arithmetic>(&mut self, clique: &Clique) -> Ended {
        let b = &mut *self.buffers;
        let mut total = [0.0];
        A::collapse(&Walk::new([(clique.size, 0)]), &b.table[..clique.size], &mut total, &mut b.spare);
        let ln = if A::LOGS { total[0] } else { libm::log(total[0]) };
        if ln == f64::NEG_INFINITY {
            return Ended::Impossible;
        }
        *self.ln += ln;
        self.tell::<A>(clique);
        Ended::Done
    }

    /// From the roots to the queried cliques.
    fn downwards<A: Arithmetic>(&mut self) -> Ended {
        for (i, clique) in self.tree.cliques.iter().enumerate().rev() {
            if !clique.wanted || clique.to_root.is_none() {
                continue;
            }
            if !self.multiply::<A>(clique) || !self.multiply_told::<A>(i, clique) {
                return Ended::TooSmall;
            }
            self.tell::<A>(clique);
        }
        Ended::Done
    }

    /// The product of a clique's tables and the messages from below; false if it is too small.
    fn multiply<A: Arithmetic>(&mut self, clique: &Clique) -> bool {
        let table = &mut self.buffers.table[..clique.size];
        let mut floor = 0;
        let mut first = true;
        let mut times = |walk: &Walk, small: &[f64], table: &mut [f64]| match std::mem::take(&mut first) {
            true => walk.spread(small, table, |l, s| *l = s),
            false => walk.spread(small, table, A::times),
        };
        for factor in &clique.factors {
            let (small, lowest) = source::<A>(factor, self.tables, self.likelihoods);
            floor += lowest;
            times(&factor.walk, &small[offset(&factor.cuts, self.levels)..], table);
        }
        for (child, walk) in &clique.children {
            floor += self.buffers.up_floors[*child];
            times(walk, &self.buffers.up[self.tree.cliques[*child].message.clone()], table);
        }
        if first {
            table.fill(A::ONE);
        }
        A::trusts(floor)
    }

    /// The same with the message from above.
    fn multiply_told<A: Arithmetic>(&mut self, i: usize, clique: &Clique) -> bool {
        let b = &mut *self.buffers;
        let walk = clique.to_root.as_ref().expect("a root is told nothing");
        walk.spread(&b.down[clique.message.clone()], &mut b.table[..clique.size], A::times);
        let below = clique.children.iter().map(|(c, _)| b.up_floors[*c]).sum::<i64>();
        let own = clique.factors.iter().map(|f| source::<A>(f, self.tables, self.likelihoods).1).sum::<i64>();
        A::trusts(below + own + b.down_floors[i])
    }

    /// Answers the queries of a clique, and sends messages to the cliques below.
    fn tell<A: Arithmetic>(&mut self, clique: &Clique) {
        let b = &mut *self.buffers;
        let table = &b.table[..clique.size];
        for &i in &clique.answers {
            answer::<A>(&self.tree.answers[i], table, self.answers, self.levels, &mut b.spare);
        }
        for (child, walk) in clique.children.iter().filter(|(child, _)| self.tree.cliques[*child].wanted) {
            let place = self.tree.cliques[*child].message.clone();
            let message = &mut b.down[place.clone()];
            A::collapse(walk, table, message, &mut b.spare);
            message.iter_mut().zip(&b.up[place]).for_each(|(down, up)| A::over(down, *up));
            b.down_floors[*child] = A::scale(message).map_or(0, |scaled| scaled.floor);
        }
    }
}

/// The numbers of a table, and a power of two as a lower bound of the positive ones.
fn source<'a, A: Arithmetic>(
    factor: &Factor,
    tables: &'a NodeTables,
    likelihoods: &'a [Likelihood],
) -> (&'a [f64], i64) {
    match factor.source {
        Source::Family(v) if A::LOGS => (tables.logs_of(v), 0),
        Source::Family(v) => (tables.of(v), tables.floors[v.index()]),
        Source::Likelihood(v) => {
            let found = likelihoods.iter().find(|l| l.var == v).expect("a question names its likelihoods");
            if A::LOGS { (&found.logs, 0) } else { (&found.likelihoods, found.floor) }
        }
    }
}

/// The distribution of a queried set from the table of its clique.
fn answer<A: Arithmetic>(
    answer: &CliqueAnswer,
    table: &[f64],
    answers: &mut [f64],
    levels: &[u16],
    spare: &mut Vec<f64>,
) {
    let whole = &mut answers[answer.range.clone()];
    if answer.cuts.is_empty() {
        A::collapse(&answer.walk, table, whole, spare);
        A::finish(whole);
        return;
    }
    let mut free = vec![0.0; answer.size];
    A::collapse(&answer.walk, table, &mut free, spare);
    A::finish(&mut free);
    whole.fill(0.0);
    let start = offset(&answer.cuts, levels);
    answer.within.gather(&free, &mut whole[start..], |row| row[0], |w, f| *w = f);
}
