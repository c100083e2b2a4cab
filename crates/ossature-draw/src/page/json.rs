//! The data for the scripts of a page, as one JSON object.

use ossature::data::TableKind;
use ossature::infer::{Inference, Limit};
use ossature::network::{Distribution, Regression};
use ossature::{Network, Var};
use serde::Serialize;

use super::Page;
use super::evidence::{self, EdgeFacts, Strength, StrengthKind};
use super::findings::{Findings, Separated};
use crate::difference::{Kind, Overlay};
use crate::notes::figures;
use crate::svg::MARGIN;
use crate::{BOX_HEIGHT, Picture, strength_plot};

/// The largest junction tree that a page computes with, in table entries: tens of milliseconds for
/// each choice, and tens of megabytes.
const LARGEST: Limit = Limit { entries: 1 << 21 };

/// The largest number of table entries that a page holds.
const MOST_PARAMETERS: u128 = 2_000_000;

/// The largest number of pairs that are listed one by one.
const MOST_SEPARATIONS: usize = 20_000;

#[derive(Debug, Serialize)]
pub(super) struct PageData {
    title: String,
    nodes: Vec<NodeData>,
    edges: Vec<EdgeData>,
    /// The strength that the slider uses; `None` if no strength is known.
    strength: Option<StrengthKind>,
    tree: Option<TreeData>,
    /// Why there is no what-if, if there is none.
    refusal: Option<String>,
    /// The strengths of a bootstrap as a picture.
    plot: Option<String>,
    /// Pairs that are not adjacent, and what separated them: indices of the two, the set, p, power.
    separations: Vec<(usize, usize, Vec<usize>, f64, bool)>,
    /// Whether two structures are compared.
    comparison: bool,
}

#[derive(Debug, Serialize)]
struct NodeData {
    name: String,
    /// The middle of its box, and half its width and height.
    x: f64,
    y: f64,
    w: f64,
    h: f64,
    levels: Vec<String>,
    /// The discrete parents, and the table: the last parent changes fastest, then the level.
    given: Vec<usize>,
    table: Vec<f64>,
    /// The continuous parents, and for each configuration of the discrete ones the intercept, their coefficients
    /// and the standard deviation, as displayed.
    on: Vec<usize>,
    regressions: Vec<Vec<String>>,
}

#[derive(Debug, Serialize)]
struct EdgeData {
    from: usize,
    to: usize,
    directed: bool,
    kind: Option<&'static str>,
    strength: Option<f64>,
    /// The label of a strength, as displayed.
    shown: Option<String>,
    /// The facts, each a name and a value.
    facts: Vec<(String, String)>,
    sentences: Vec<String>,
}

/// The junction tree, see [`ossature::infer::CliqueTree`].
#[derive(Debug, Serialize)]
struct TreeData {
    cliques: Vec<Vec<usize>>,
    parents: Vec<Option<usize>>,
    homes: Vec<Option<usize>>,
}

impl PageData {
    pub(super) fn of(page: &Page<'_>, findings: &Findings, picture: &Picture) -> PageData {
        let (tree, refusal) = match page.network {
            None => (None, Some("There are no probability tables, so nothing can be computed here.".into())),
            Some(network) => match tree(network) {
                Ok(tree) => (Some(tree), None),
                Err(why) => (None, Some(why)),
            },
        };
        let EdgeFacts { kind, of_edges } = evidence::facts(page, findings, picture);
        let edges = picture.curves.iter().zip(of_edges).map(|(curve, facts)| EdgeData {
            from: curve.from.index(),
            to: curve.to.index(),
            directed: curve.directed,
            kind: None,
            strength: facts.strength.as_ref().map(|s: &Strength| s.value),
            shown: facts.strength.map(|s| s.shown),
            facts: facts.facts,
            sentences: facts.sentences,
        });
        let plot = findings
            .bootstrap
            .as_ref()
            .map(|b| strength_plot(&b.arcs.iter().map(|a| a.strength).collect::<Vec<_>>(), b.threshold));
        PageData {
            title: page.title.to_owned(),
            nodes: nodes(page.graph.names(), picture, page.network),
            edges: edges.collect(),
            strength: kind,
            tree,
            refusal,
            plot,
            separations: findings
                .separations
                .iter()
                .filter(|list| list.len() <= MOST_SEPARATIONS)
                .flatten()
                .map(|s: &Separated| (s.0, s.1, s.2.clone(), s.5.exp(), s.6))
                .collect(),
            comparison: false,
        }
    }

    pub(super) fn of_difference(title: &str, overlay: &Overlay, picture: &Picture) -> PageData {
        let edges = picture.curves.iter().map(|curve| {
            let kind: Kind = overlay.kind(curve.from, curve.to);
            EdgeData {
                from: curve.from.index(),
                to: curve.to.index(),
                directed: curve.directed,
                kind: Some(kind.class()),
                strength: None,
                shown: None,
                facts: Vec::new(),
                sentences: vec![overlay.sentence(curve.from, curve.to).to_owned()],
            }
        });
        PageData {
            title: title.to_owned(),
            nodes: nodes(overlay.graph.names(), picture, None),
            edges: edges.collect(),
            strength: None,
            tree: None,
            refusal: None,
            plot: None,
            separations: Vec::new(),
            comparison: true,
        }
    }
}

fn nodes(names: &[String], picture: &Picture, network: Option<&Network>) -> Vec<NodeData> {
    let network = network.filter(|n| entries(n) <= MOST_PARAMETERS);
    let node = |(i, (name, rect)): (usize, (&String, &crate::Rect))| {
        let v = Var::new(i);
        let (mut levels, mut given, mut on) = (Vec::new(), Vec::new(), Vec::new());
        let (mut table, mut regressions) = (Vec::new(), Vec::new());
        if let Some(n) = network {
            levels = n.variable(v).levels().to_vec();
            given = n.discrete_parents(v).map(Var::index).collect();
            on = n.continuous_parents(v).map(Var::index).collect();
            match n.distribution(v) {
                Distribution::Table(own) => table = own.as_slice().to_vec(),
                Distribution::Gaussian(own) => regressions = own.rows().iter().map(shown).collect(),
            }
        }
        NodeData {
            name: name.clone(),
            x: rect.x + rect.width / 2.0 + MARGIN,
            y: rect.y + BOX_HEIGHT / 2.0 + MARGIN,
            w: rect.width / 2.0,
            h: BOX_HEIGHT / 2.0,
            levels,
            given,
            table,
            on,
            regressions,
        }
    };
    names.iter().zip(&picture.boxes).enumerate().map(node).collect()
}

/// The intercept, the coefficients and the standard deviation.
fn shown(row: &Regression) -> Vec<String> {
    let numbers = [row.intercept].into_iter().chain(row.coefficients.iter().copied()).chain([row.sd]);
    numbers.map(figures).collect()
}

fn entries(network: &Network) -> u128 {
    network.parameters() + network.dag().vars().map(|v| network.configurations(v)).sum::<u128>()
}

fn tree(network: &Network) -> Result<TreeData, String> {
    if network.kind() != TableKind::Discrete {
        return Err("This network has continuous variables, and a page computes with tables alone. `ossature query` answers \
                    questions about the discrete variables."
            .into());
    }
    if entries(network) > MOST_PARAMETERS {
        return Err(
            "The probability tables are too large for a page; `ossature query` computes with them.".into()
        );
    }
    let tree = Inference::new(network, LARGEST).clique_tree().map_err(|_| {
        "Exact answers for this network are too large for a page: its cliques have too many entries. `ossature query` \
         answers with more memory, or by sampling."
    })?;
    let places = |vars: &Vec<Var>| vars.iter().map(|v| v.index()).collect();
    Ok(TreeData {
        cliques: tree.cliques.iter().map(places).collect(),
        parents: tree.parents,
        homes: tree.homes,
    })
}
