//! The evidence for each edge: how strong it is, how often it was found, what would separate its
//! ends.

use ossature::infer::{Given, Inference, Limit};
use ossature::learn::Why;
use ossature::text::listed;
use ossature::{Network, Var};
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::Page;
use super::findings::Findings;
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
    let shares = findings.bootstrap.as_ref().map(|b| &b.arcs);
    let losses = findings.losses.as_ref();
    let information = page.network.and_then(information);
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
        if let Some(share) = shares.and_then(|arcs| arcs.iter().find(|a| a.joins(from, to))) {
            note("in bootstrap samples", percent(share.strength), Some(share.strength));
            note(&format!("of those as {} → {}", share.from, share.to), percent(share.direction), None);
        }
        if let Some(loss) = losses.and_then(|list| list.iter().find(|l| l.joins(from, to))) {
            note("loss of score without it", decimal(loss.without), Some(loss.without));
            let turned = loss.turned.map_or_else(|| "would close a cycle".to_owned(), decimal);
            note("loss of score if reversed", turned, None);
        }
        if let Some(bits) = information.as_ref().and_then(|list| arc_bits(page, list, curve)) {
            note("information, in bits", format!("{bits:.4}"), Some(bits));
        }
        if let Some(set) = would_separate(page, curve) {
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

/// The set that separates the two ends once the edge is removed: the other parents of the later
/// one.
fn would_separate(page: &Page<'_>, curve: &Curve) -> Option<String> {
    let dag = match page.network {
        Some(network) => network.dag().clone(),
        None => page.graph.graph().to_dag()?,
    };
    let later = if dag.parents(curve.to).contains(curve.from) { curve.to } else { curve.from };
    let other = if later == curve.to { curve.from } else { curve.to };
    let set: Vec<&str> =
        dag.parents(later).iter().filter(|&p| p != other).map(|p| page.graph.name(p)).collect();
    Some(if set.is_empty() { "the empty set: they would be independent".into() } else { listed(&set) })
}

/// For each arc of a network the mutual information of its ends given the other parents, in bits; `None` if
/// it is too expensive to compute.
fn information(network: &Network) -> Option<Vec<((Var, Var), f64)>> {
    let mut found = Vec::new();
    Inference::new(network, LARGEST)
        .families(&Given::none(), |v, joint| {
            let parents = network.dag().parents(v);
            let levels: Vec<usize> = parents.iter().chain([v]).map(|w| network.cardinality(w)).collect();
            for (place, p) in parents.iter().enumerate() {
                found.push(((p, v), conditional_information(joint, &levels, place)));
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

fn arc_bits(page: &Page<'_>, list: &[((Var, Var), f64)], curve: &Curve) -> Option<f64> {
    let dag = page.network?.dag();
    let arc = if dag.parents(curve.to).contains(curve.from) {
        (curve.from, curve.to)
    } else {
        (curve.to, curve.from)
    };
    list.iter().find(|(known, _)| *known == arc).map(|(_, bits)| *bits)
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
