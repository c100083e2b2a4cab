//! Effects of an intervention if only the equivalence class of the network is known.
//!
//! Data distinguishes classes of DAGs, not DAGs. In each DAG of a class the effect of setting X on Y
//! follows from the parents S of X: P(y | do(x)) = Σ_s P(y | x, s) P(s), and P(y) if Y is one of them. So
//! the effects in all members of the class are those of the possible parent sets, which can be found
//! locally at X: the parents that X has in all members, and any of its undirected neighbours such that no
//! new collider arises at X. This is IDA: Maathuis, Kalisch & Bühlmann (2009), "Estimating
//! high-dimensional intervention effects from observational data", doi:10.1214/09-AOS685, its local
//! version (algorithm 3), for discrete variables.

use serde::Serialize;

use super::engine::{Inference, Limit};
use super::given::{Given, refuse_continuous};
use crate::data::{Var, VarSet};
use crate::error::{Error, Result};
use crate::graph::{Cpdag, Dag, Mark};
use crate::network::Network;

/// The largest number of undirected neighbours whose subsets are enumerated.
const MAX_NEIGHBOURS: usize = 20;
/// Probabilities that differ by no more than this are the same effect.
const SAME: f64 = 1e-9;

/// The effect of setting one variable on another in those members of a class that agree on the parents of
/// the first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effect {
    /// The parents of the variable that is set.
    pub parents: Vec<String>,
    /// For each level it may be set to, the distribution of the other variable; `None` if the level
    /// never occurs with some levels of the parents.
    pub distributions: Vec<Option<Vec<f64>>>,
}

/// The effects of setting one variable on another in all members of a class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effects {
    /// The variable that is set.
    pub of: String,
    /// The variable that is affected.
    pub on: String,
    /// Whether all members agree, so that the data determines the effect.
    pub identified: bool,
    /// One effect for each possible parent set, in the order of the subsets of neighbours.
    pub effects: Vec<Effect>,
}

/// The parent sets of a variable in the members of a class.
///
/// ```
/// use ossature::infer::possible_parents;
/// use ossature::{Dag, Var};
///
/// let (a, b, c) = (Var(0), Var(1), Var(2));
/// let chain = Dag::from_arcs(3, [(a, b), (b, c)])?.cpdag(); // a - b - c
/// let sets = possible_parents(&chain, b).unwrap();
/// // Not both: a -> b <- c would be a collider.
/// assert_eq!(sets.iter().map(|s| s.as_slice().to_vec()).collect::<Vec<_>>(), [vec![], vec![a], vec![c]]);
/// # Ok::<(), ossature::WouldCycle>(())
/// ```
pub fn possible_parents(class: &Cpdag, x: Var) -> Result<Vec<VarSet>> {
    let neighbours = class.neighbours(x).as_slice();
    if neighbours.len() > MAX_NEIGHBOURS {
        let what = format!("the parents that {x:?} could have among {} neighbours", neighbours.len());
        let size = 1_u128.checked_shl(neighbours.len() as u32).unwrap_or(u128::MAX);
        return Err(Error::TooLarge { what, size, limit: 1 << MAX_NEIGHBOURS });
    }
    let joined = |a: Var, b: Var| class.mark(a, b) != Mark::Absent;
    let mut sets = Vec::new();
    for subset in 0_u32..1 << neighbours.len() {
        let turned: Vec<Var> =
            neighbours.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1).map(|(_, v)| *v).collect();
        // A parent in all members is joined to each of these, or else the edge would have a direction.
        if turned.iter().all(|&v| turned.iter().all(|&w| v == w || joined(v, w))) {
            sets.push(class.parents(x).iter().chain(turned).collect());
        }
    }
    Ok(sets)
}

impl Inference {
    /// The effects of setting `x` on `y` in all members of the equivalence class of the network.
    ///
    /// They follow from the distribution of the network, which every member of its class can represent
    /// with its own tables.
    ///
    /// # Panics
    /// If `x` is `y`.
    pub fn effects(&self, x: Var, y: Var) -> Result<Effects> {
        assert_ne!(x, y, "the effect of a variable on itself");
        refuse_continuous(&self.network, [x, y])?;
        let name = |v: Var| self.network.variable(v).name().to_owned();
        let sets = possible_parents(&self.network.dag().cpdag(), x)?;
        let effects = sets
            .iter()
            .map(|parents| {
                let distributions = self.adjusted(x, y, parents)?;
                Ok(Effect { parents: parents.iter().map(name).collect(), distributions })
            })
            .collect::<Result<Vec<Effect>>>()?;
        let identified = effects.windows(2).all(|pair| same(&pair[0], &pair[1]));
        Ok(Effects { of: name(x), on: name(y), identified, effects })
    }

    /// For each level of x, the sum over s of P(y | x, s) P(s).
    fn adjusted(&self, x: Var, y: Var, parents: &VarSet) -> Result<Vec<Option<Vec<f64>>>> {
        let levels = self.network.cardinality(x);
        if parents.contains(y) {
            let unchanged = self.query(&[y], &Given::none())?.of(y).to_vec();
            return Ok(vec![Some(unchanged); levels]);
        }
        let vars: Vec<Var> = parents.iter().chain([x, y]).collect();
        let joint = self.joint(&vars, &Given::none())?;
        let width = self.network.cardinality(y);
        let mut effect = vec![Some(vec![0.0; width]); levels];
        for of_s in joint.probabilities.chunks_exact(levels * width) {
            let p_s: f64 = of_s.iter().sum();
            if p_s == 0.0 {
                continue;
            }
            for (of_x, effect) in of_s.chunks_exact(width).zip(&mut effect) {
                let p_xs: f64 = of_x.iter().sum();
                match effect {
                    Some(sums) if p_xs > 0.0 => {
                        sums.iter_mut().zip(of_x).for_each(|(sum, p)| *sum += p / p_xs * p_s);
                    }
                    _ => *effect = None,
                }
            }
        }
        Ok(effect)
    }
}

/// The effects of setting `x` on `y` in all members of a class, one of which is fitted.
///
/// The members of a class describe the same distributions, so it does not matter which one, if tables
/// are fitted by maximum likelihood or with the BDeu prior.
///
/// ```
/// use ossature::infer::{Limit, effects};
/// use ossature::network::{Prior, catalogue, fit};
/// use ossature::Silent;
///
/// let asia = catalogue::load("asia")?;
/// let data = asia.sample(2000, 1, &Silent)?;
/// let (lung, smoke) = (asia.require("lung")?, asia.require("smoke")?);
/// let found = effects(&asia.dag().cpdag(), smoke, lung, Limit::default(), &|dag| {
///     Ok(fit(&data, dag, Prior::Bdeu { iss: 1.0 }, &Silent)?.network)
/// })?;
/// // The class does not tell whether smoke causes lung or lung causes smoke.
/// assert!(!found.identified && found.effects.len() == 3);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn effects(
    class: &Cpdag,
    x: Var,
    y: Var,
    limit: Limit,
    fit: &dyn Fn(&Dag) -> Result<Network>,
) -> Result<Effects> {
    let member = class.extension().expect("a class has members");
    Inference::new(&fit(&member)?, limit).effects(x, y)
}

fn same(a: &Effect, b: &Effect) -> bool {
    a.distributions.iter().zip(&b.distributions).all(|pair| match pair {
        (Some(a), Some(b)) => a.iter().zip(b).all(|(p, q)| (p - q).abs() <= SAME),
        (None, None) => true,
        _ => false,
    })
}
