//! The shape of a query, and the part of the network that is relevant to it.
//!
//! Only the queried and known variables and their ancestors matter: any other table sums to 1 (barren
//! nodes; Shachter 1986, doi:10.1287/opre.34.6.871). A variable with a known level is not an axis of
//! any table: the tables are sliced at its level. That separates what the evidence separates, and a
//! component without queried variables matters only for the probability of the evidence.

use super::elimination::Interaction;
use super::given::refuse_continuous;
use crate::data::Var;
use crate::error::{Error, Result};
use crate::network::Network;

/// The shape of a question: which variables, not which levels.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Question {
    /// The sets of variables whose distributions are queried, each without repetition.
    pub(super) asked: Vec<Vec<Var>>,
    /// The variables with a known level, in order.
    pub(super) given: Vec<Var>,
    /// The variables with likelihoods, in order.
    pub(super) soft: Vec<Var>,
    /// Whether the probability of the evidence is queried too.
    pub(super) evidence: bool,
    /// Whether every variable matters, as for the most probable explanation.
    pub(super) everything: bool,
}

/// A table that is part of the product: that of a variable, or the likelihoods of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The table of a variable given its parents.
    Family(Var),
    /// The likelihoods of a variable.
    Likelihood(Var),
}

#[cfg(test)]
impl Source {
    fn var(self) -> Var {
        match self {
            Source::Family(v) | Source::Likelihood(v) => v,
        }
    }
}

/// The part of a network that matters for a question.
#[derive(Debug)]
pub(super) struct Relevant {
    /// The variables that are not given, in order; others speak of them by their place here.
    pub(super) free: Vec<Var>,
    /// The place of each variable of the network among the free ones.
    pub(super) place: Vec<Option<usize>>,
    /// Which free variables stand in a table together.
    pub(super) graph: Interaction,
    /// The tables that are multiplied, each with its free variables by place.
    pub(super) factors: Vec<(Source, Vec<usize>)>,
    /// The tables without free variables, which matter for the probability of the evidence alone.
    pub(super) constants: Vec<Source>,
}

impl Question {
    /// Whether the level of a variable is certain: it is given, or it has no other.
    pub(super) fn fixes(&self, network: &Network, v: Var) -> bool {
        network.cardinality(v) == 1 || self.given.binary_search(&v).is_ok()
    }

    /// The part of the network that matters.
    ///
    /// An asked set may be larger than can be; that is refused here.
    pub(super) fn relevant(&self, network: &Network, limit: u64) -> Result<Relevant> {
        if self.everything {
            network.require_tables("an answer about all variables")?;
        }
        refuse_continuous(
            network,
            self.asked.iter().flatten().chain(&self.given).chain(&self.soft).copied(),
        )?;
        let matters = self.ancestors(network);
        let is_free = |v: &Var| matters[v.index()] && !self.fixes(network, *v);
        let free: Vec<Var> = network.dag().vars().filter(is_free).collect();
        let mut relevant = Relevant::of(network, free);
        for v in network.dag().vars().filter(|v| matters[v.index()]) {
            let parents = network.dag().parents(v);
            let scope = relevant.places(parents.iter().chain([v]));
            relevant.add(Source::Family(v), scope);
        }
        for &v in &self.soft {
            let scope = relevant.places([v]);
            relevant.add(Source::Likelihood(v), scope);
        }
        for set in &self.asked {
            self.check_size(network, set, limit)?;
            let scope = relevant.places(set.iter().copied());
            relevant.graph.join(&scope);
        }
        if self.evidence || self.everything {
            return Ok(relevant);
        }
        Ok(self.parts_asked(network, relevant))
    }

    fn check_size(&self, network: &Network, set: &[Var], limit: u64) -> Result<()> {
        let levels = set.iter().map(|v| network.cardinality(*v) as u128);
        let size = levels.fold(1, u128::saturating_mul);
        if size > u128::from(limit) {
            let what = format!("the joint distribution of {} variables", set.len());
            return Err(Error::TooLarge { what, size, limit });
        }
        Ok(())
    }

    /// For each variable whether it matters.
    pub(super) fn ancestors(&self, network: &Network) -> Vec<bool> {
        if self.everything {
            return vec![true; network.dag().nodes()];
        }
        let mut matters = vec![false; network.dag().nodes()];
        let mut open: Vec<Var> =
            self.asked.iter().flatten().chain(&self.given).chain(&self.soft).copied().collect();
        while let Some(v) = open.pop() {
            if !std::mem::replace(&mut matters[v.index()], true) {
                open.extend(network.dag().parents(v).iter());
            }
        }
        matters
    }

    /// Leaves the parts out in which nothing is asked.
    fn parts_asked(&self, network: &Network, relevant: Relevant) -> Relevant {
        let part = relevant.graph.parts();
        let asked = self.asked.iter().flatten().filter_map(|v| relevant.place[v.index()]);
        let mut wanted = vec![false; part.len()];
        asked.for_each(|place| wanted[part[place]] = true);
        let keep = |place: usize| wanted[part[place]];
        let free = (0..part.len()).filter(|&place| keep(place)).map(|place| relevant.free[place]).collect();
        let mut kept = Relevant::of(network, free);
        for (source, scope) in relevant.factors {
            if keep(scope[0]) {
                let scope = kept.places(scope.into_iter().map(|place| relevant.free[place]));
                kept.add(source, scope);
            }
        }
        for set in &self.asked {
            let scope = kept.places(set.iter().copied());
            kept.graph.join(&scope);
        }
        kept
    }
}

impl Relevant {
    /// No tables yet over these variables.
    fn of(network: &Network, free: Vec<Var>) -> Relevant {
        let mut place = vec![None; network.dag().nodes()];
        free.iter().enumerate().for_each(|(i, v)| place[v.index()] = Some(i));
        let graph = Interaction::new(free.iter().map(|v| network.cardinality(*v)).collect());
        Relevant { free, place, graph, factors: Vec::new(), constants: Vec::new() }
    }

    fn add(&mut self, source: Source, scope: Vec<usize>) {
        self.graph.join(&scope);
        match scope.is_empty() {
            true => self.constants.push(source),
            false => self.factors.push((source, scope)),
        }
    }

    /// The places of those of these variables that are free.
    pub(super) fn places(&self, vars: impl IntoIterator<Item = Var>) -> Vec<usize> {
        vars.into_iter().filter_map(|v| self.place[v.index()]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::catalogue;

    fn names(network: &Network, vars: &[Var]) -> Vec<String> {
        vars.iter().map(|v| network.variable(*v).name().to_owned()).collect()
    }

    fn relevant(asked: &[&str], given: &[&str], evidence: bool) -> (Vec<String>, usize, Vec<String>) {
        let asia = catalogue::load("asia").unwrap();
        let vars = |names: &[&str]| -> Vec<Var> { names.iter().map(|n| asia.require(n).unwrap()).collect() };
        let asked = vars(asked).into_iter().map(|v| vec![v]).collect();
        let question = Question { asked, given: vars(given), evidence, ..Question::default() };
        let found = question.relevant(&asia, 1 << 20).unwrap();
        let constants: Vec<Var> = found.constants.iter().map(|source| source.var()).collect();
        (names(&asia, &found.free), found.factors.len(), names(&asia, &constants))
    }

    #[test]
    fn what_is_below_does_not_matter() {
        assert_eq!(relevant(&["lung"], &[], false), (vec!["lung".into(), "smoke".into()], 2, vec![]));
    }

    #[test]
    fn what_is_separated_matters_for_the_evidence_alone() {
        // Given smoke, what is known of bronc says nothing about lung.
        assert_eq!(relevant(&["lung"], &["bronc", "smoke"], false).0, ["lung"]);
        let (free, factors, constants) = relevant(&["lung"], &["bronc", "smoke"], true);
        assert_eq!((free, factors), (vec!["lung".to_owned()], 1));
        assert_eq!(constants, ["bronc", "smoke"]);
    }

    #[test]
    fn the_whole_blanket_leaves_the_variable_alone() {
        let blanket = ["bronc", "dysp", "lung", "tub", "xray"];
        assert_eq!(relevant(&["either"], &blanket, false), (vec!["either".into()], 3, vec![]));
    }
}
