//! How far a learned graph is from the truth.
//!
//! Graphs are compared by what data can determine: a DAG stands for its equivalence class, so two
//! DAGs of the same class do not differ. Every pair of nodes has one of four marks (absent,
//! undirected, either direction), and the structural Hamming distance (SHD) counts the pairs whose
//! marks differ, each once: Tsamardinos, Brown & Aliferis (2006),
//! <https://doi.org/10.1007/s10994-006-6889-7>.

use std::borrow::Cow;

use serde::Serialize;

use crate::data::Var;
use crate::graph::{Mark, NamedGraph, Pdag};

/// The differences between a true and a learned graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Structural Hamming distance: the pairs whose marks differ.
    pub shd: usize,
    /// The pairs that are adjacent in only one of the graphs.
    pub hamming: usize,
    /// Edges found, wrongly found and missed, whatever their direction.
    pub skeleton: SkeletonCounts,
    /// The share of the learned edges that are true; 1 if none was learned.
    pub precision: f64,
    /// The share of the true edges that were learned; 1 if there are none.
    pub recall: f64,
    /// The harmonic mean of precision and recall; 0 if one of them is.
    pub f1: f64,
    /// The edges one by one.
    pub arcs: ArcDifferences,
}

/// How many edges of a skeleton were found, wrongly found and missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SkeletonCounts {
    /// True edges that were learned.
    pub tp: usize,
    /// Learned edges that are not true.
    pub fp: usize,
    /// True edges that were not learned.
    #[serde(rename = "fn")]
    pub fn_: usize,
}

/// The edges of two graphs, classified; each edge is in exactly one list.
///
/// A pair runs from the start of its arc to its end; of an undirected edge the smaller node is
/// first. The lists are sorted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ArcDifferences {
    /// The same in both, as arcs or as undirected edges.
    pub same: Vec<(Var, Var)>,
    /// In the truth only, as in the truth.
    pub missing: Vec<(Var, Var)>,
    /// Learned only, as learned.
    pub extra: Vec<(Var, Var)>,
    /// Arcs of the truth that were learned in reverse, as in the truth.
    pub reversed: Vec<(Var, Var)>,
    /// Arcs of the truth that were learned without a direction, as in the truth.
    pub undirected: Vec<(Var, Var)>,
    /// Undirected edges of the truth that were learned with a direction, as learned.
    pub directed: Vec<(Var, Var)>,
}

/// A comparison with names: the JSON of the command and of Python, whose keys are stable.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs)] // the fields are those of `Comparison`
pub struct ComparisonReport<'a> {
    pub shd: usize,
    pub skeleton: SkeletonCounts,
    pub precision: f64,
    pub recall: f64,
    pub f1: f64,
    pub arcs: ArcReport<'a>,
    /// The version of the library.
    pub version: &'static str,
}

/// The lists of a comparison with names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // the fields are those of `ArcDifferences`
pub struct ArcReport<'a> {
    pub same: Vec<[&'a str; 2]>,
    pub missing: Vec<[&'a str; 2]>,
    pub extra: Vec<[&'a str; 2]>,
    pub reversed: Vec<[&'a str; 2]>,
    pub undirected: Vec<[&'a str; 2]>,
    pub directed: Vec<[&'a str; 2]>,
}

impl Comparison {
    /// The report about graphs whose nodes have these names.
    pub fn report<'a>(&self, names: &'a [String]) -> ComparisonReport<'a> {
        let named = |pairs: &[(Var, Var)]| {
            pairs.iter().map(|&(x, y)| [names[x.index()].as_str(), names[y.index()].as_str()]).collect()
        };
        let ArcDifferences { same, missing, extra, reversed, undirected, directed } = &self.arcs;
        ComparisonReport {
            shd: self.shd,
            skeleton: self.skeleton,
            precision: self.precision,
            recall: self.recall,
            f1: self.f1,
            arcs: ArcReport {
                same: named(same),
                missing: named(missing),
                extra: named(extra),
                reversed: named(reversed),
                undirected: named(undirected),
                directed: named(directed),
            },
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// Compares two graphs over the same nodes.
///
/// A fully directed acyclic graph is compared as its equivalence class; any other graph is compared
/// as is. The time is linear in nodes and edges, up to logarithms.
///
/// ```
/// use ossature::{Dag, Pdag, Var};
/// use ossature::graph::compare;
///
/// let (a, b, c) = (Var(0), Var(1), Var(2));
/// let truth = Pdag::from(&Dag::from_arcs(3, [(a, b), (b, c)])?);
/// let learned = Pdag::from(&Dag::from_arcs(3, [(b, a), (b, c)])?);
/// assert_eq!(compare(&truth, &learned).shd, 0); // the same class
///
/// let learned = Pdag::from(&Dag::from_arcs(3, [(a, b), (c, b)])?);
/// let comparison = compare(&truth, &learned);
/// assert_eq!((comparison.shd, comparison.hamming), (2, 0));
/// assert_eq!(comparison.arcs.directed, [(a, b), (c, b)]);
/// # Ok::<(), ossature::WouldCycle>(())
/// ```
///
/// # Panics
/// If the graphs do not have the same number of nodes.
pub fn compare(truth: &Pdag, learned: &Pdag) -> Comparison {
    assert_eq!(truth.nodes(), learned.nodes(), "graphs over the same nodes");
    let arcs = differences(&as_class(truth), &as_class(learned));
    let changed = arcs.reversed.len() + arcs.undirected.len() + arcs.directed.len();
    let skeleton =
        SkeletonCounts { tp: arcs.same.len() + changed, fp: arcs.extra.len(), fn_: arcs.missing.len() };
    let precision = share(skeleton.tp, skeleton.tp + skeleton.fp);
    let recall = share(skeleton.tp, skeleton.tp + skeleton.fn_);
    let hamming = skeleton.fp + skeleton.fn_;
    let f1 = share(2 * skeleton.tp, 2 * skeleton.tp + hamming);
    Comparison { shd: hamming + changed, hamming, skeleton, precision, recall, f1, arcs }
}

/// Compares two graphs by the names of their nodes; a name that one of them lacks is an isolated
/// node there. Returns the names of the nodes with the comparison.
///
/// ```
/// use ossature::graph::{compare_named, format::parse_csv};
///
/// let truth = parse_csv("from,to\nrain,wet\nsprinkler,wet\n", "truth.csv")?;
/// let learned = parse_csv("from,to\nrain,wet\n", "learned.csv")?;
/// let (names, comparison) = compare_named(&truth, &learned);
/// assert_eq!(names, ["rain", "sprinkler", "wet"]);
/// assert_eq!(comparison.recall, 0.5);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn compare_named(truth: &NamedGraph, learned: &NamedGraph) -> (Vec<String>, Comparison) {
    let mut names = [truth.names(), learned.names()].concat();
    names.sort_unstable();
    names.dedup();
    let comparison = compare(truth.over(names.clone()).graph(), learned.over(names.clone()).graph());
    (names, comparison)
}

fn as_class(graph: &Pdag) -> Cow<'_, Pdag> {
    match graph.to_dag() {
        Some(dag) => Cow::Owned(dag.cpdag().0),
        None => Cow::Borrowed(graph),
    }
}

fn differences(truth: &Pdag, learned: &Pdag) -> ArcDifferences {
    let mut found = ArcDifferences::default();
    for x in truth.vars() {
        for y in truth.adjacents(x).union(&learned.adjacents(x)).iter().filter(|&y| x < y) {
            let (t, l) = (truth.mark(x, y), learned.mark(x, y));
            let (list, shown) = match (t, l) {
                (Mark::Absent, _) => (&mut found.extra, l),
                (_, Mark::Absent) => (&mut found.missing, t),
                (Mark::Undirected, Mark::Undirected) => (&mut found.same, t),
                (Mark::Undirected, _) => (&mut found.directed, l),
                (_, Mark::Undirected) => (&mut found.undirected, t),
                _ if t == l => (&mut found.same, t),
                _ => (&mut found.reversed, t),
            };
            list.push(if shown == Mark::Backward { (y, x) } else { (x, y) });
        }
    }
    let ArcDifferences { same, missing, extra, reversed, undirected, directed } = &mut found;
    for list in [same, missing, extra, reversed, undirected, directed] {
        list.sort_unstable();
    }
    found
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pdag(directed: &[(u32, u32)], undirected: &[(u32, u32)]) -> Pdag {
        let vars = |pairs: &[(u32, u32)]| pairs.iter().map(|&(x, y)| (Var(x), Var(y))).collect::<Vec<_>>();
        Pdag::from_parts(6, vars(directed), vars(undirected))
    }

    #[test]
    fn every_edge_is_in_the_list_of_what_became_of_it() {
        // An undirected edge in each keeps them from being taken as DAGs.
        let truth = pdag(&[(1, 0), (1, 2), (4, 1), (3, 2)], &[(2, 5), (3, 4)]);
        let learned = pdag(&[(1, 0), (2, 1), (5, 2)], &[(1, 4), (0, 5), (3, 4)]);
        let c = compare(&truth, &learned);
        let one = |x, y| vec![(Var(x), Var(y))];
        assert_eq!(c.arcs.same, [(Var(1), Var(0)), (Var(3), Var(4))]);
        assert_eq!(c.arcs.missing, one(3, 2));
        assert_eq!(c.arcs.extra, one(0, 5));
        assert_eq!(c.arcs.reversed, one(1, 2));
        assert_eq!(c.arcs.undirected, one(4, 1));
        assert_eq!(c.arcs.directed, one(5, 2));
        assert_eq!((c.shd, c.hamming), (5, 2));
        assert_eq!(c.skeleton, SkeletonCounts { tp: 5, fp: 1, fn_: 1 });
        assert_eq!((c.precision, c.recall, c.f1), (5.0 / 6.0, 5.0 / 6.0, 5.0 / 6.0));
    }

    #[test]
    fn the_keys_of_the_report_are_stable() {
        let (truth, learned) = (pdag(&[(1, 0), (3, 2)], &[(2, 5)]), pdag(&[(1, 0)], &[(2, 5)]));
        let names: Vec<String> = ["a", "b", "c", "d", "e", "f"].map(String::from).to_vec();
        let report = compare(&truth, &learned).report(&names);
        let version = env!("CARGO_PKG_VERSION");
        let arcs = r#"{"same":[["b","a"],["c","f"]],"missing":[["d","c"]],"extra":[],"reversed":[],"undirected":[],"directed":[]}"#;
        let expected = format!(
            r#"{{"shd":1,"skeleton":{{"tp":2,"fp":0,"fn":1}},"precision":1.0,"recall":{},"f1":0.8,"arcs":{arcs},"version":"{version}"}}"#,
            2.0 / 3.0
        );
        assert_eq!(serde_json::to_string(&report).unwrap(), expected);
    }

    #[test]
    fn a_graph_without_edges_has_ratios_too() {
        let (none, some) = (pdag(&[], &[]), pdag(&[], &[(0, 1)]));
        let ratios = |t, l| {
            let c = compare(t, l);
            (c.precision, c.recall, c.f1)
        };
        assert_eq!(ratios(&none, &none), (1.0, 1.0, 1.0));
        assert_eq!(ratios(&some, &none), (1.0, 0.0, 0.0));
        assert_eq!(ratios(&none, &some), (0.0, 1.0, 0.0));
    }

    #[test]
    fn a_directed_cycle_is_taken_as_it_is() {
        let cycle = pdag(&[(0, 1), (1, 2), (2, 0)], &[]);
        assert_eq!(compare(&cycle, &cycle).shd, 0);
        assert_eq!(compare(&cycle, &pdag(&[(0, 1), (1, 2), (0, 2)], &[])).shd, 3);
    }
}
