//! The most probable explanation of evidence.
//!
//! The same trees as for posteriors, with maxima instead of sums (Dawid 1992, doi:10.1007/BF01890546),
//! give for each level of each variable the best explanation with it. A variable with one best level has
//! it in every best explanation. If several levels are equally good, the first variable of a tree with a
//! choice takes the first of its best levels, and the rest is computed again.

use super::engine::Inference;
use super::given::Given;
use crate::data::Var;
use crate::error::Result;

/// Explanations whose logarithms differ by no more than this are equally good.
const TIE: f64 = 1e-9;

/// The most probable levels of all variables.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The level of each variable in the canonical order.
    pub levels: Vec<u16>,
    /// The natural logarithm of the probability of these levels together, times the likelihoods if some
    /// were given.
    pub ln_probability: f64,
}

impl Inference {
    /// The levels of all variables that are the most probable together, given evidence.
    ///
    /// Of several that are equally probable, the one whose levels come first: compared by the first
    /// variable, then by the second, and so on.
    ///
    /// ```
    /// use ossature::infer::{Given, Inference, Limit};
    /// use ossature::network::catalogue;
    ///
    /// let asia = catalogue::load("asia")?;
    /// let engine = Inference::new(&asia, Limit::default());
    /// let best = engine.most_probable(&Given::named(&asia, [("xray", "yes"), ("dysp", "yes")])?)?;
    /// let smoke = asia.require("smoke")?;
    /// assert_eq!(asia.variable(smoke).levels()[usize::from(best.levels[smoke.index()])], "yes");
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn most_probable(&self, evidence: &Given) -> Result<Explanation> {
        evidence.check(&self.network)?;
        let mut levels = vec![0; self.network.dag().nodes()];
        evidence.levels().for_each(|(v, level)| levels[v.index()] = level);
        let mut settled = evidence.clone();
        loop {
            let mut chosen_in = Vec::new();
            let mut choices = false;
            for (v, tree, below) in self.max_margins(&settled)? {
                let mut best = below.iter().zip(0_u16..).filter(|(l, _)| **l >= -TIE).map(|(_, level)| level);
                let first = best.next().unwrap_or_default();
                let has_choice = best.next().is_some();
                if has_choice && chosen_in.contains(&tree) {
                    choices = true;
                    continue;
                }
                if has_choice {
                    chosen_in.push(tree);
                }
                levels[v.index()] = first;
                settled = settled.with(v, first);
            }
            if !choices {
                return Ok(Explanation { ln_probability: self.ln_row(&levels, evidence), levels });
            }
        }
    }

    /// The logarithm of the probability of levels of all variables, times given likelihoods.
    fn ln_row(&self, levels: &[u16], evidence: &Given) -> f64 {
        let dag = self.network.dag();
        let of_family = |v: Var| {
            let level = |p: Var| usize::from(levels[p.index()]);
            let family = dag.parents(v).iter().chain([v]);
            self.tables.logs_of(v)[family.fold(0, |place, p| place * self.network.cardinality(p) + level(p))]
        };
        let likelihoods = evidence.likelihoods().map(|(v, l)| libm::log(l[usize::from(levels[v.index()])]));
        dag.vars().map(of_family).sum::<f64>() + likelihoods.sum::<f64>()
    }
}
