//! Networks after an intervention: a variable that is set no longer depends on its parents.

use crate::data::Var;
use crate::error::Result;
use crate::graph::Dag;
use crate::network::{Distribution, Network, ProbabilityTable};

/// The network after some variables were set to levels from outside (Pearl's do-operator).
///
/// The arcs into each of them are removed and its table gives probability 1 to the level it was set to.
/// The answers of this network are effects of the intervention if the arcs of the network are causes and
/// no common cause of two of its variables is missing.
///
/// ```
/// use ossature::infer::{Given, Inference, Limit, intervene};
/// use ossature::network::catalogue;
///
/// let asia = catalogue::load("asia")?;
/// let (bronc, smoke) = (asia.require("bronc")?, asia.require("smoke")?);
/// let cured = intervene(&asia, &[(bronc, 1)])?;
/// let engine = Inference::new(&cured, Limit::default());
/// // To cure bronchitis says nothing about smoking; to see that there is none would.
/// assert!((engine.query(&[smoke], &Given::none())?.of(smoke)[0] - 0.5).abs() < 1e-12);
/// # Ok::<(), ossature::Error>(())
/// ```
///
/// # Panics
/// If a variable does not have the level it is set to.
pub fn intervene(network: &Network, set: &[(Var, u16)]) -> Result<Network> {
    let level_of = |v: Var| set.iter().rev().find(|(w, _)| *w == v).map(|(_, level)| usize::from(*level));
    let arcs = network.dag().arcs().filter(|&(_, to)| level_of(to).is_none());
    let dag = Dag::from_arcs(network.dag().nodes(), arcs).expect("fewer arcs make no cycle");
    let node = |v: Var| match level_of(v) {
        None => network.distribution(v).clone(),
        Some(level) => {
            let levels = network.cardinality(v);
            assert!(level < levels, "level {level} of {levels} of {v:?}");
            let mut certain = vec![0.0; levels];
            certain[level] = 1.0;
            Distribution::Table(ProbabilityTable::new(certain, levels))
        }
    };
    Network::of(network.variables().to_vec(), dag, network.dag().vars().map(node).collect())
}
