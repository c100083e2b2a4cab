//! The benchmark networks, which are part of the library.
//!
//! `networks/PROVENANCE.md` beside the sources says where they come from. They are compressed
//! inside the crate, in the form in which [`bif::write`] writes them.

use std::io::Read;

use flate2::read::GzDecoder;
use serde::Serialize;

use super::{Network, bif};
use crate::error::{Error, Result};

macro_rules! embedded {
    ($($name:literal)*) => {
        [$(($name, include_bytes!(concat!("../../networks/", $name, ".bif.gz")))),*]
    };
}

/// Name and compressed BIF of each network, by name.
static NETWORKS: [(&str, &[u8]); 24] = embedded!(
    "alarm" "andes" "asia" "barley" "cancer" "child" "diabetes" "earthquake" "hailfinder" "hepar2"
    "insurance" "link" "mildew" "munin" "munin1" "munin2" "munin3" "munin4" "pathfinder" "pigs"
    "sachs" "survey" "water" "win95pts"
);

/// The names of the embedded networks in alphabetical order.
pub fn names() -> impl Iterator<Item = &'static str> {
    NETWORKS.iter().map(|(name, _)| *name)
}

/// An embedded network by its name.
///
/// ```
/// use ossature::network::catalogue;
///
/// let alarm = catalogue::load("alarm")?;
/// assert_eq!(alarm.dag().len(), 46);
/// let mistyped = catalogue::load("alram").unwrap_err();
/// assert_eq!(mistyped.to_string(), r#"there is no network "alram" (did you mean "alarm"?)"#);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn load(name: &str) -> Result<Network> {
    let Some((_, compressed)) = NETWORKS.iter().find(|(n, _)| *n == name) else {
        return Err(Error::unknown_name("network", name, names(), None));
    };
    let mut text = String::new();
    GzDecoder::new(*compressed).read_to_string(&mut text).expect("what is embedded is gzip of UTF-8");
    Ok(bif::parse(&text, name)?.network)
}

/// The description of a network in Table 1 of the paper.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The name of the network.
    pub name: String,
    /// The number of variables.
    pub variables: usize,
    /// The number of arcs.
    pub edges: usize,
    /// The largest number of parents of a variable.
    pub max_in: usize,
    /// The largest number of children of a variable.
    pub max_out: usize,
    /// The smallest number of levels of a variable.
    pub min_levels: usize,
    /// The largest number of levels of a variable.
    pub max_levels: usize,
    /// The smallest number of parents and children of a variable.
    pub pc_min: usize,
    /// The median number of parents and children.
    pub pc_median: f64,
    /// The largest number of parents and children of a variable.
    pub pc_max: usize,
    /// The number of free parameters.
    pub parameters: u128,
}

/// Describes a network as Table 1 of the paper does.
///
/// ```
/// use ossature::network::catalogue;
///
/// let child = catalogue::summary("child", &catalogue::load("child")?);
/// assert_eq!((child.variables, child.edges, child.max_in, child.max_out), (20, 25, 2, 7));
/// assert_eq!((child.pc_min, child.pc_median, child.pc_max), (1, 2.0, 8));
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn summary(name: &str, network: &Network) -> Summary {
    let dag = network.dag();
    let sorted = |mut sizes: Vec<usize>| {
        sizes.sort_unstable();
        sizes
    };
    let levels = sorted(dag.vars().map(|v| network.cardinality(v)).collect());
    let pc = sorted(dag.vars().map(|v| dag.parents(v).len() + dag.children(v).len()).collect());
    let most = |sizes: &[usize]| sizes.last().copied().unwrap_or_default();
    let least = |sizes: &[usize]| sizes.first().copied().unwrap_or_default();
    Summary {
        name: name.to_owned(),
        variables: dag.nodes(),
        edges: dag.len(),
        max_in: dag.vars().map(|v| dag.parents(v).len()).max().unwrap_or_default(),
        max_out: dag.vars().map(|v| dag.children(v).len()).max().unwrap_or_default(),
        min_levels: least(&levels),
        max_levels: most(&levels),
        pc_min: least(&pc),
        pc_median: median(&pc),
        pc_max: most(&pc),
        parameters: network.parameters(),
    }
}

/// The median of sorted numbers; for an even number of them, the mean of the middle two.
fn median(sorted: &[usize]) -> f64 {
    match sorted.len() {
        0 => 0.0,
        n => (sorted[(n - 1) / 2] + sorted[n / 2]) as f64 / 2.0,
    }
}
