//! The junction tree of a question: the tables multiplied in each clique, and the messages between
//! cliques.
//!
//! The cliques of a triangulated graph form trees in which the cliques that hold a variable are always
//! connected. Each table of the network belongs to one clique; a message from clique to clique is the
//! product of everything behind it, summed over the variables that the receiver does not have. The
//! shapes of all tables are determined here, so that computing an answer is only loops over numbers.
//!
//! In the table of a clique, the variables that it shares with its neighbour on the way to the root
//! come first, in the neighbour's order: a message to the root is then a sum over rows, and a message
//! is always read forwards.

use std::ops::Range;

use super::forest::{Cost, Forest};
use super::question::{Question, Relevant, Source};
use super::walk::Walk;
use crate::data::Var;
use crate::error::{Error, Result};
use crate::network::Network;

/// A question prepared for any levels of the given variables.
#[derive(Debug)]
pub(super) struct JunctionTree {
    /// Ordered so that on the way to the root a sender comes before its receiver.
    pub(super) cliques: Vec<Clique>,
    /// Tables without free variables.
    pub(super) constants: Vec<Factor>,
    pub(super) answers: Vec<CliqueAnswer>,
    /// The total number of entries of all answers.
    pub(super) answer_size: usize,
    /// The total number of entries of all messages to the roots.
    pub(super) message_size: usize,
    /// The free variables in order, each with the number of its tree.
    pub(super) free: Vec<(Var, usize)>,
}

/// A clique, with its neighbour on the way to the root.
#[derive(Debug)]
pub(super) struct Clique {
    /// The number of entries of its table.
    pub(super) size: usize,
    pub(super) factors: Vec<Factor>,
    /// The cliques that send it messages, and how the table meets each message.
    pub(super) children: Vec<(usize, Walk)>,
    /// How the table meets the message that it sends towards the root; `None` if it is a root.
    pub(super) to_root: Option<Walk>,
    /// The range of that message among all messages.
    pub(super) message: Range<usize>,
    /// Whether something is queried here or further from the root.
    pub(super) wanted: bool,
    /// The queried sets that are answered here.
    pub(super) answers: Vec<usize>,
}

/// A table that is multiplied into a clique.
#[derive(Debug)]
pub(super) struct Factor {
    pub(super) source: Source,
    pub(super) walk: Walk,
    /// The variables at whose level the table is sliced, and the strides of their levels in it.
    pub(super) cuts: Vec<(Var, usize)>,
}

/// Where the distribution of a queried set comes from.
#[derive(Debug)]
pub(super) struct CliqueAnswer {
    /// How the table of its clique meets the distribution of the free variables of the set.
    pub(super) walk: Walk,
    /// The number of entries of that distribution.
    pub(super) size: usize,
    /// Whether none is free, so that the answer is certain.
    pub(super) certain: bool,
    /// How that meets the distribution of the whole set, and the strides of the given variables there.
    pub(super) within: Walk,
    pub(super) cuts: Vec<(Var, usize)>,
    /// The range of the distribution of the whole set among the answers.
    pub(super) range: Range<usize>,
}

impl JunctionTree {
    /// The tree of a question, if it has no more entries than this.
    pub(super) fn new(network: &Network, question: &Question, limit: u64) -> Result<JunctionTree> {
        let relevant = question.relevant(network, limit)?;
        let asked = free_sets(question, &relevant);
        let forest = Forest::new(&relevant.graph, &asked).ok_or_else(|| too_large(None, limit))?;
        let cost = forest.cost(&relevant.graph);
        if cost.entries > u128::from(limit) {
            return Err(too_large(Some(cost), limit));
        }
        Ok(Layout { network, question, relevant: &relevant, forest: &forest }.tree(&asked))
    }

    /// The cost of the tree of a question.
    pub(super) fn cost(network: &Network, question: &Question) -> Result<Cost> {
        let relevant = question.relevant(network, u64::MAX)?;
        let forest = Forest::new(&relevant.graph, &free_sets(question, &relevant));
        forest.map(|f| f.cost(&relevant.graph)).ok_or_else(|| too_large(None, u64::MAX))
    }
}

/// The free variables of each queried set, by index and in the order of the set.
fn free_sets(question: &Question, relevant: &Relevant) -> Vec<Vec<usize>> {
    question.asked.iter().map(|set| relevant.places(set.iter().copied())).collect()
}

fn too_large(cost: Option<Cost>, limit: u64) -> Error {
    let (words, size) = match cost {
        Some(cost) => (format!("up to {} variables", cost.largest_clique), cost.entries),
        None => ("more than 60 variables".into(), u128::MAX),
    };
    Error::TooLarge { what: format!("exact inference, with {words} in a clique,"), size, limit }
}

/// The inputs for laying out the tables.
struct Layout<'a> {
    network: &'a Network,
    question: &'a Question,
    relevant: &'a Relevant,
    forest: &'a Forest,
}

impl Layout<'_> {
    fn tree(&self, asked: &[Vec<usize>]) -> JunctionTree {
        let n = self.forest.order.len();
        // From the roots on they are numbered backwards.
        let mut number = vec![0; n];
        self.forest.order.iter().enumerate().for_each(|(i, &(c, _))| number[c] = n - 1 - i);
        let axes = self.axes();
        let mut cliques = self.cliques(&number, &axes);
        for (source, scope) in &self.relevant.factors {
            let c = self.forest.clique_of(scope).expect("a factor has free variables");
            cliques[number[c]].factors.push(self.factor(*source, &axes[c]));
        }
        let mut answers: Vec<CliqueAnswer> = Vec::with_capacity(asked.len());
        for (i, set) in asked.iter().enumerate() {
            let home = self.forest.clique_of(set);
            let start = answers.last().map_or(0, |a| a.range.end);
            answers.push(self.answer(i, home.map_or(&[], |c| axes[c].as_slice()), start));
            if let Some(c) = home {
                cliques[number[c]].answers.push(i);
            }
        }
        mark_wanted(&mut cliques);
        JunctionTree {
            constants: self.relevant.constants.iter().map(|&source| self.factor(source, &[])).collect(),
            answer_size: answers.last().map_or(0, |a| a.range.end),
            message_size: cliques.iter().map(|c| c.message.end).max().unwrap_or_default(),
            free: self.free(),
            cliques,
            answers,
        }
    }

    /// The variables of each clique in the order of its table.
    fn axes(&self) -> Vec<Vec<usize>> {
        let mut axes: Vec<Vec<usize>> = vec![Vec::new(); self.forest.order.len()];
        for &(clique, parent) in &self.forest.order {
            let members = &self.forest.members[clique];
            let mut own: Vec<usize> = match parent {
                Some(p) => axes[p].iter().copied().filter(|v| members.contains(v)).collect(),
                None => Vec::new(),
            };
            let mut rest: Vec<usize> = members.iter().copied().filter(|v| !own.contains(v)).collect();
            // The longest axis is the innermost.
            rest.sort_unstable_by_key(|&v| (self.levels(v), v));
            own.extend(rest);
            axes[clique] = own;
        }
        axes
    }

    fn levels(&self, place: usize) -> usize {
        self.network.cardinality(self.relevant.free[place])
    }

    fn cliques(&self, number: &[usize], axes: &[Vec<usize>]) -> Vec<Clique> {
        let mut cliques: Vec<Clique> = Vec::with_capacity(axes.len());
        let mut start = 0;
        for &(c, parent) in self.forest.order.iter().rev() {
            let size = axes[c].iter().map(|&v| self.levels(v)).product();
            let shared = parent.map(|p| axes[c].iter().take_while(|v| axes[p].contains(v)).count());
            let rows: usize = axes[c][..shared.unwrap_or(0)].iter().map(|&v| self.levels(v)).product();
            let message = start..start + if parent.is_some() { rows } else { 0 };
            start = message.end;
            cliques.push(Clique {
                size,
                factors: Vec::new(),
                children: Vec::new(),
                to_root: parent.map(|_| Walk::new([(rows, 1), (size / rows, 0)])),
                message,
                wanted: false,
                answers: Vec::new(),
            });
        }
        for &(c, parent) in &self.forest.order {
            let Some(p) = parent else { continue };
            let shared: Vec<usize> = axes[c].iter().copied().take_while(|v| axes[p].contains(v)).collect();
            let walk = self.meeting(&axes[p], &shared);
            cliques[number[p]].children.push((number[c], walk));
        }
        cliques
    }

    /// How a table over these axes meets one over some of them, in any order.
    fn meeting(&self, axes: &[usize], small: &[usize]) -> Walk {
        let strides = strides(small.iter().map(|&v| self.levels(v)));
        Walk::new(axes.iter().map(|v| {
            let at = small.iter().position(|w| w == v);
            (self.levels(*v), at.map_or(0, |i| strides[i]))
        }))
    }

    fn factor(&self, source: Source, axes: &[usize]) -> Factor {
        let vars: Vec<Var> = match source {
            Source::Family(v) => self.network.dag().parents(v).iter().chain([v]).collect(),
            Source::Likelihood(v) => vec![v],
        };
        let strides = strides(vars.iter().map(|v| self.network.cardinality(*v)));
        let stride = |v: Var| vars.iter().position(|w| *w == v).map_or(0, |i| strides[i]);
        let walk = Walk::new(axes.iter().map(|&v| (self.levels(v), stride(self.relevant.free[v]))));
        let cuts = self.cuts(&vars, &strides);
        Factor { source, walk, cuts }
    }

    /// The given variables of a table, with their strides. A variable with a single level always has the
    /// first.
    fn cuts(&self, vars: &[Var], strides: &[usize]) -> Vec<(Var, usize)> {
        let given = |v: &Var| self.question.given.binary_search(v).is_ok();
        vars.iter().copied().zip(strides.iter().copied()).filter(|(v, _)| given(v)).collect()
    }

    fn answer(&self, asked: usize, axes: &[usize], start: usize) -> CliqueAnswer {
        let vars = &self.question.asked[asked];
        let strides = strides(vars.iter().map(|v| self.network.cardinality(*v)));
        let free = self.relevant.places(vars.iter().copied());
        let within = vars.iter().zip(&strides).filter(|(v, _)| self.relevant.place[v.index()].is_some());
        CliqueAnswer {
            walk: self.meeting(axes, &free),
            size: free.iter().map(|&v| self.levels(v)).product(),
            certain: free.is_empty(),
            within: Walk::new(within.map(|(v, stride)| (self.network.cardinality(*v), *stride))),
            cuts: self.cuts(vars, &strides),
            range: start..start + vars.iter().map(|v| self.network.cardinality(*v)).product::<usize>(),
        }
    }

    fn free(&self) -> Vec<(Var, usize)> {
        let parts = self.relevant.graph.parts();
        self.relevant.free.iter().copied().zip(parts).collect()
    }
}

/// The strides of the levels of each variable in a table in which the last changes fastest.
fn strides(levels: impl DoubleEndedIterator<Item = usize> + ExactSizeIterator) -> Vec<usize> {
    let mut strides = vec![1; levels.len()];
    let mut stride = 1;
    for (i, levels) in levels.enumerate().rev() {
        strides[i] = stride;
        stride *= levels;
    }
    strides
}

/// Marks the cliques on the way from the roots to the queried ones.
fn mark_wanted(cliques: &mut [Clique]) {
    for c in 0..cliques.len() {
        let below = cliques[c].children.iter().any(|(child, _)| cliques[*child].wanted);
        cliques[c].wanted = below || !cliques[c].answers.is_empty();
    }
}
