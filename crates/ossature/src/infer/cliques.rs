//! The junction tree of a whole network, for callers that pass messages themselves.

use super::engine::{Inference, question};
use super::forest::{Cost, Forest};
use super::given::Given;
use super::question::Question;
use crate::data::Var;
use crate::error::{Error, Result};

/// The cliques of a network and the trees they form: what another program, such as a page in a browser,
/// needs to compute the posteriors of all variables for any evidence.
///
/// Variables with one level are in no clique.
///
/// ```
/// use ossature::infer::{Inference, Limit};
/// use ossature::network::catalogue;
///
/// let asia = catalogue::load("asia")?;
/// let tree = Inference::new(&asia, Limit::default()).clique_tree()?;
/// assert_eq!((tree.cliques.len(), tree.cost.largest_clique), (6, 3));
/// for v in asia.dag().vars() {
///     let home = &tree.cliques[tree.homes[v.index()].expect("it has two levels")];
///     assert!(home.contains(&v) && asia.dag().parents(v).iter().all(|p| home.contains(&p)));
/// }
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CliqueTree {
    /// The variables of each clique in order; a clique comes after its parent.
    pub cliques: Vec<Vec<Var>>,
    /// The parent of each clique; `None` for the root of a tree.
    pub parents: Vec<Option<usize>>,
    /// For each variable a clique that contains it and all its parents, if any of them has several
    /// levels.
    pub homes: Vec<Option<usize>>,
    /// The cost of the tables of the cliques.
    pub cost: Cost,
}

impl Inference {
    /// The junction tree for the posteriors of all variables, for any evidence.
    ///
    /// [`Error::TooLarge`] if its tables have more entries than the limit.
    pub fn clique_tree(&self) -> Result<CliqueTree> {
        let network = self.network();
        let everything = Question { everything: true, evidence: true, ..question(&[], &Given::none()) };
        let relevant = everything.relevant(network, self.limit().entries)?;
        let too_large = |size| Error::TooLarge {
            what: "the junction tree of the whole network".into(),
            size,
            limit: self.limit().entries,
        };
        let forest = Forest::new(&relevant.graph, &[]).ok_or_else(|| too_large(u128::MAX))?;
        let cost = forest.cost(&relevant.graph);
        if cost.entries > u128::from(self.limit().entries) {
            return Err(too_large(cost.entries));
        }
        let mut number = vec![0; forest.members.len()];
        forest.order.iter().enumerate().for_each(|(i, &(clique, _))| number[clique] = i);
        let members = |clique: usize| {
            let mut members: Vec<Var> = forest.members[clique].iter().map(|&p| relevant.free[p]).collect();
            members.sort_unstable();
            members
        };
        let home = |v: Var| {
            let family = relevant.places(network.dag().parents(v).iter().chain([v]));
            forest.clique_of(&family).map(|clique| number[clique])
        };
        Ok(CliqueTree {
            cliques: forest.order.iter().map(|&(clique, _)| members(clique)).collect(),
            parents: forest.order.iter().map(|&(_, parent)| parent.map(|p| number[p])).collect(),
            homes: network.dag().vars().map(home).collect(),
            cost,
        })
    }
}
