//! The evidence for each edge: how strong it is, how often it was found, what would separate its
//! ends.

use std::collections::HashMap;

use ossature::infer::{Given, Inference, Limit};
use ossature::learn::Why;
use ossature::text::listed;
use ossature::{Dag, Network, Var};
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::Page;
use super::findings::{Findings, Loss, Share};
use crate::{Curve, Picture};

/// The largest number of edges with the sentences of `why`, each of which reads the whole report.
const MOST_EXPLAINED: usize = 2000;

/// The limit on exact inference for the information of each arc.
const LARGEST: Limit = Limit { entries: 1 << 25 };

/// The kind of strength.
#[derive(Debug, Serialize)]
pub(super) struct StrengthKind {
    /// In a few words.
    name: &'static str,
    /// In a sentence.
    meaning: &'static str,
}

#[derive(Debug)]
pub(super) struct Strength {
    pub(super) value: f64,
    pub(super) shown: String,
}

/// The facts about an edge.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) strength: Option<Strength>,
    pub(super) facts: Vec<(String, String)>,
    pub(super) sentences: Vec<String>,
}

#[derive(Debug)]
pub(super) struct EdgeFacts {
    pub(super) kind: Option<StrengthKind>,
    pub(super) of_edges: Vec<Facts>,
}

/// The facts about each curve. The strength is the share of bootstrap samples if there are any, otherwise
/// the loss of score, otherwise the information in the tables.
pub(super) fn facts(page: &Page<'_>, findings: &Findings, picture: &Picture) -> EdgeFacts {
    let shares = findings.bootstrap.as_ref().map(|b| by_ends(&b.arcs, Share::ends));
    let losses = findings.losses.as_ref().map(|list| by_ends(list, Loss::ends));
    let information = page.network.and_then(information);
    let parents = Parents::of(page);
    let kind = if shares.is_some() {
        Some(StrengthKind {
            name: "share of bootstrap samples",
            meaning: "the share of the bootstrap samples in which the edge was found",
        })
    } else if losses.is_some() {
        Some(StrengthKind { name: "loss of score", meaning: "what the score would lose without the edge" })
    } else {
        information.as_ref().map(|_| StrengthKind {
            name: "information in bits",
            meaning: "information of one end about the other given its other parents, in bits",
        })
    };
    let report = page.report.filter(|_| picture.curves.len() <= MOST_EXPLAINED).map(plain);
    let about = |curve: &Curve| {
        let name = |v: Var| page.graph.name(v);
        let (from, to) = (name(curve.from), name(curve.to));
        let mut facts = Facts::default();
        let mut note = |what: &str, shown: String, value: Option<f64>| {
            if let (Some(value), None) = (value, &facts.strength) {
                facts.strength = Some(Strength { value, shown: shown.clone() });
            }
            facts.facts.push((what.to_owned(), shown));
        };
        if let Some(share) = shares.as_ref().and_then(|arcs| arcs.get(&pair(from, to))) {
            note("in bootstrap samples", percent(share.strength), Some(share.strength));
            note(&format!("of those as {} → {}", share.from, share.to), percent(share.direction), None);
        }
        if let Some(loss) = losses.as_ref().and_then(|list| list.get(&pair(from, to))) {
            note("loss of score without it", decimal(loss.without), Some(loss.without));
            let turned = loss.turned.map_or_else(|| "would close a cycle".to_owned(), decimal);
            note("loss of score if reversed", turned, None);
        }
        if let Some(bits) = information.as_ref().and_then(|of| arc_bits(page, of, curve)) {
            note("information, in bits", format!("{bits:.4}"), Some(bits));
        }
        if let Some(set) = parents.as_ref().and_then(|p| p.would_separate(curve)) {
            facts.facts.push(("without it, separated by".into(), set));
        }
        if let Some(why) = report.as_ref().and_then(|r| Why::new(r, from, to, page.learned_from).ok()) {
            facts.sentences = why.sentences;
        }
        facts
    };
    EdgeFacts { kind, of_edges: picture.curves.iter().map(about).collect() }
}

/// The report without the long list that sentences about edges do not need.
fn plain(report: &Json) -> Json {
    let mut plain = report.clone();
    if plain["separations"].is_array() {
        plain["separations"] = json!([]);
    }
    plain
}

/// Two names, whatever their order.
fn pair<'a>(x: &'a str, y: &'a str) -> (&'a str, &'a str) {
    if x <= y { (x, y) } else { (y, x) }
}

/// What a report says about edges, by their ends; of several about one edge the first.
fn by_ends<T>(list: &[T], ends: fn(&T) -> (&str, &str)) -> HashMap<(&str, &str), &T> {
    // From the last to the first, so that the first one stays.
    list.iter().rev().map(|about| (ends(about), about)).map(|((x, y), about)| (pair(x, y), about)).collect()
}

/// The DAG of a page, with the names of all parents.
struct Parents<'a> {
    dag: Dag,
    names: Vec<Vec<&'a str>>,
}

impl<'a> Parents<'a> {
    /// `None` if the graph is no DAG.
    fn of(page: &'a Page<'_>) -> Option<Parents<'a>> {
        let dag = match page.network {
            Some(network) => network.dag().clone(),
            None => page.graph.graph().to_dag()?,
        };
        let names = dag.vars().map(|v| dag.parents(v).iter().map(|p| page.graph.name(p)).collect()).collect();
        Some(Parents { dag, names })
    }

    /// The set that separates the two ends once the edge is removed: the other parents of the later
    /// one.
    fn would_separate(&self, curve: &Curve) -> Option<String> {
        let (later, other) = match self.dag.parents(curve.to).contains(curve.from) {
            true => (curve.to, curve.from),
            false => (curve.from, curve.to),
        };
        // Two slices know their length, so that naming the first few of very many parents takes no longer.
        let names = &self.names[later.index()];
        let (before, after) = match self.dag.parents(later).as_slice().binary_search(&other) {
            Ok(at) => (&names[..at], &names[at + 1..]),
            Err(_) => (&names[..], &names[..0]),
        };
        let empty = before.is_empty() && after.is_empty();
        Some(if empty {
            "the empty set: they would be independent".into()
        } else {
            listed(before.iter().chain(after))
        })
    }
}

/// For each arc of a network the mutual information of its ends given the other parents, in bits; `None` if
/// it is too expensive to compute.
fn information(network: &Network) -> Option<HashMap<(Var, Var), f64>> {
    let mut found = HashMap::new();
    Inference::new(network, LARGEST)
        .families(&Given::none(), |v, joint| {
            let parents = network.dag().parents(v);
            let levels: Vec<usize> = parents.iter().chain([v]).map(|w| network.cardinality(w)).collect();
            for (place, p) in parents.iter().enumerate() {
                found.insert((p, v), conditional_information(joint, &levels, place));
            }
        })
        .ok()?;
    Some(found)
}

/// I(X; Y | rest) in bits, from a joint table in which Y is last and changes fastest and X is at `place`.
fn conditional_information(joint: &[f64], levels: &[usize], place: usize) -> f64 {
    let y = levels.last().copied().unwrap_or(1);
    let stride: usize = levels[place + 1..].iter().product();
    let (x, mut total) = (levels[place], 0.0);
    // Where X is at its first level and Y too, each configuration of the rest begins.
    let starts = (0..joint.len()).filter(|i| i % y == 0 && (i / stride).is_multiple_of(x));
    for start in starts {
        let at = |a: usize, b: usize| joint[start + a * stride + b];
        let of_x: Vec<f64> = (0..x).map(|a| (0..y).map(|b| at(a, b)).sum()).collect();
        let of_y: Vec<f64> = (0..y).map(|b| (0..x).map(|a| at(a, b)).sum()).collect();
        let all: f64 = of_x.iter().sum();
        for (a, pa) in of_x.iter().enumerate() {
            for (b, pb) in of_y.iter().enumerate() {
                if at(a, b) > 0.0 {
                    total += at(a, b) * (at(a, b) * all / (pa * pb)).log2();
                }
            }
        }
    }
    total.max(0.0)
}

fn arc_bits(page: &Page<'_>, known: &HashMap<(Var, Var), f64>, curve: &Curve) -> Option<f64> {
    let dag = page.network?.dag();
    let arc = if dag.parents(curve.to).contains(curve.from) {
        (curve.from, curve.to)
    } else {
        (curve.to, curve.from)
    };
    known.get(&arc).copied()
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn decimal(number: f64) -> String {
    format!("{number:.2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn information_of_a_copy_and_of_noise() {
        // X and Y alike: one bit. With a third, independent, parent between them: the same.
        assert!((conditional_information(&[0.5, 0.0, 0.0, 0.5], &[2, 2], 0) - 1.0).abs() < 1e-12);
        let with_third = [0.25, 0.0, 0.25, 0.0, 0.0, 0.25, 0.0, 0.25];
        assert!((conditional_information(&with_third, &[2, 2, 2], 0) - 1.0).abs() < 1e-12);
        assert!(conditional_information(&with_third, &[2, 2, 2], 1).abs() < 1e-12);
    }
}
