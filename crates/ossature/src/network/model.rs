//! The model file: a network together with what BIF cannot hold.
//!
//! A fitted network only fits tables that are read in the same way: the same cuts, the same missing fields,
//! and the same level for them, if any. A [`Model`] has both, so that raw rows can be read for it
//! ([`Model::read_options`]). It is written as one JSON object:
//!
//! ```json
//! {
//!   "model": "ossature", "format": 1, "version": "0.1.0",
//!   "nodes": ["age", "ill"], "arcs": [["age", "ill"]],
//!   "missing_tokens": ["", "NA"],
//!   "variables": [
//!     {"name": "age", "kind": "discrete", "levels": ["(-inf,40)", "[40,inf)"], "cuts": [40.0],
//!      "missing_level": null, "parents": [], "table": [[0.5, 0.5]]},
//!     {"name": "ill", "kind": "discrete", "levels": ["no", "yes"], "cuts": null,
//!      "missing_level": null, "parents": ["age"], "table": [[0.9, 0.1], [0.7, 0.3]]}
//!   ]
//! }
//! ```
//!
//! `table` has a row for each configuration of the parents, which are in bytewise order; the last changes
//! fastest. A continuous variable has regressions instead, one for each configuration of its discrete parents, with a
//! coefficient for each of its continuous ones:
//!
//! ```json
//! {"name": "weight", "kind": "continuous", "levels": [], "cuts": null, "missing_level": null,
//!  "parents": ["height", "ill"],
//!  "regressions": [{"intercept": -80.5, "coefficients": [0.9], "sd": 9.5},
//!                  {"intercept": -78.1, "coefficients": [0.8], "sd": 11.0}]}
//! ```
//!
//! `nodes` and `arcs` allow every reader of graphs to read the structure. The levels of a column that is
//! cut are the names of its intervals, which contain their bounds, so they may be in any order.

use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Distribution, Gaussian, Network, ProbabilityTable, Regression};
use crate::data::{
    Continuous, Discretise, Method, MissingPolicy, ReadOptions, ReadReport, Var, Variable, interval_labels,
};
use crate::error::{Error, Place, Result};
use crate::file;
use crate::graph::{Mark, NamedGraph};

/// The value of the key `model`.
const NAME: &str = "ossature";
/// The format version that is written, and the newest that is read.
const FORMAT: u32 = 1;
/// The value of the key `kind`.
const DISCRETE: &str = "discrete";
const CONTINUOUS: &str = "continuous";
const FORM: &str = "a model file, as `fit` writes it";

/// A network, and how tables are read for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The network.
    pub network: Network,
    /// The columns that are cut into intervals, by name, and their cuts.
    pub cuts: Vec<(String, Vec<f64>)>,
    /// The columns whose missing values are a level, by name, and that level.
    pub missing_levels: Vec<(String, String)>,
    /// The fields that mean a missing value.
    pub missing_tokens: Vec<String>,
}

impl From<Network> for Model {
    /// A network without information about reading.
    fn from(network: Network) -> Model {
        let missing_tokens = ReadOptions::default().missing_tokens;
        Model { network, cuts: Vec::new(), missing_levels: Vec::new(), missing_tokens }
    }
}

impl Model {
    /// A network fitted to a table, with how the table was read.
    ///
    /// ```
    /// use ossature::data::{ReadOptions, read_csv};
    /// use ossature::network::{Model, Prior, fit};
    /// use ossature::{Dag, Silent};
    ///
    /// let options = ReadOptions { discretise: vec!["age=cuts:40".parse()?], ..ReadOptions::default() };
    /// let table = read_csv("age,ill\n30,no\n50,yes\n".as_bytes(), "t.csv", &options, &Silent)?;
    /// let fitted = fit(&table.data, &Dag::empty(2), Prior::None, &Silent)?;
    /// let model = Model::new(fitted.network, &table.report, &options.missing_tokens);
    /// assert_eq!(Model::parse(&model.to_json(), "m.json")?, model);
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn new(network: Network, read: &ReadReport, missing_tokens: &[String]) -> Model {
        let known = |name: &str| network.require(name).is_ok();
        Model {
            cuts: read.discretised.iter().filter(|(name, _)| known(name)).cloned().collect(),
            missing_levels: read.missing_levels.iter().filter(|(name, _)| known(name)).cloned().collect(),
            missing_tokens: missing_tokens.to_vec(),
            network,
        }
    }

    /// How to read rows for this network: with the same cuts, levels and missing fields. Columns that it
    /// does not have are ignored, and missing values are a level that [`ReadReport::missing_levels`]
    /// names.
    pub fn read_options(&self) -> ReadOptions {
        ReadOptions {
            missing_tokens: self.missing_tokens.clone(),
            missing: MissingPolicy::Level,
            discretise: self.discretise(),
            continuous: self.continuous(),
            levels: Some(self.declared()),
            only_declared: true,
            ..ReadOptions::default()
        }
    }

    /// The columns that are cut into intervals, and their cuts. A column with a single interval is not
    /// among them: it carries no information, and its numbers are not its level.
    pub fn discretise(&self) -> Vec<Discretise> {
        let wish = |(name, cuts): &(String, Vec<f64>)| Discretise {
            column: Some(name.clone()),
            method: Method::Cuts(cuts.clone()),
        };
        self.cuts.iter().filter(|(_, cuts)| !cuts.is_empty()).map(wish).collect()
    }

    /// The columns that are continuous in the network.
    pub fn continuous(&self) -> Continuous {
        let variables = self.network.variables().iter();
        Continuous::Columns(variables.filter(|v| v.is_continuous()).map(|v| v.name().to_owned()).collect())
    }

    /// The variables whose levels a table must have: all except those with a single interval.
    pub fn declared(&self) -> Vec<Variable> {
        let whole = |name: &str| self.cuts.iter().any(|(cut, cuts)| cut == name && cuts.is_empty());
        self.network.variables().iter().filter(|v| !whole(v.name())).cloned().collect()
    }

    /// The level of missing values of a column, if it has one.
    pub fn missing_level(&self, name: &str) -> Option<&str> {
        self.missing_levels.iter().find(|(known, _)| known == name).map(|(_, level)| level.as_str())
    }

    /// Whether a JSON text is, or claims to be, a model file.
    pub fn is_model(text: &str) -> bool {
        #[derive(Deserialize)]
        struct Marked {
            #[serde(rename = "model")]
            _model: serde::de::IgnoredAny,
        }
        serde_json::from_str::<Marked>(text.strip_prefix('\u{feff}').unwrap_or(text)).is_ok()
    }

    /// Reads a model file.
    pub fn read(path: &Path) -> Result<Model> {
        Model::parse(&file::read_text(path)?, &path.display().to_string())
    }

    /// Reads the text of a model file; `file` is its name in messages.
    pub fn parse(text: &str, file: &str) -> Result<Model> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let head: ModelHead = serde_json::from_str(text).map_err(|e| in_our_words(&e, file))?;
        let refuse = |found: String| Error::syntax(Place::file(file), found, FORM);
        match (head.model.as_deref(), head.format) {
            (Some(NAME), Some(FORMAT)) => {}
            (Some(NAME), Some(format)) if format > FORMAT => {
                let expected = format!("{FORM} of this version or an older one: format {FORMAT}");
                return Err(Error::syntax(Place::file(file), format!("the format {format}"), expected));
            }
            (Some(NAME), _) => return Err(refuse("no format".into())),
            (Some(other), _) => return Err(refuse(format!("the model {other:?}"))),
            (None, _) => return Err(refuse("no key \"model\"".into())),
        }
        let form: ModelForm = serde_json::from_str(text).map_err(|e| in_our_words(&e, file))?;
        form.model(file)
    }

    /// The text of a model file.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string(&ModelForm::of(self)).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Writes a model file.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.to_json().as_bytes())
    }
}

/// What distinguishes a model file from other JSON.
#[derive(Deserialize)]
#[serde(expecting = "an object with the key \"model\"")]
struct ModelHead {
    model: Option<String>,
    format: Option<u32>,
}

#[derive(Serialize, Deserialize)]
struct ModelForm {
    model: String,
    format: u32,
    version: String,
    nodes: Vec<String>,
    arcs: Vec<(String, String)>,
    missing_tokens: Vec<String>,
    variables: Vec<ModelNode>,
}

#[derive(Serialize, Deserialize)]
struct ModelNode {
    name: String,
    kind: String,
    levels: Vec<String>,
    cuts: Option<Vec<f64>>,
    missing_level: Option<String>,
    parents: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    table: Vec<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    regressions: Vec<ModelRegression>,
}

#[derive(Serialize, Deserialize)]
struct ModelRegression {
    intercept: f64,
    coefficients: Vec<f64>,
    sd: f64,
}

impl ModelForm {
    fn of(model: &Model) -> ModelForm {
        let network = &model.network;
        let name = |v: Var| network.variable(v).name().to_owned();
        let node = |v: Var| ModelNode {
            name: name(v),
            kind: if network.variable(v).is_continuous() { CONTINUOUS } else { DISCRETE }.into(),
            levels: network.variable(v).levels().to_vec(),
            cuts: model.cuts.iter().find(|(n, _)| *n == name(v)).map(|(_, cuts)| cuts.clone()),
            missing_level: model.missing_level(&name(v)).map(str::to_owned),
            parents: network.dag().parents(v).iter().map(name).collect(),
            table: match network.distribution(v) {
                Distribution::Table(table) => table.rows().map(<[f64]>::to_vec).collect(),
                Distribution::Gaussian(_) => Vec::new(),
            },
            regressions: network.gaussian(v).map_or(&[][..], Gaussian::rows).iter().map(written).collect(),
        };
        ModelForm {
            model: NAME.into(),
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").into(),
            nodes: network.dag().vars().map(name).collect(),
            arcs: network.dag().arcs().map(|(from, to)| (name(from), name(to))).collect(),
            missing_tokens: model.missing_tokens.clone(),
            variables: network.dag().vars().map(node).collect(),
        }
    }

    fn model(mut self, file: &str) -> Result<Model> {
        let place = || Place::file(file);
        self.variables.sort_by(|a, b| a.name.cmp(&b.name));
        let names: Vec<String> = self.variables.iter().map(|node| node.name.clone()).collect();
        if names.is_empty() {
            return Err(Error::syntax(place(), "no variables", FORM));
        }
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let (what, name) = ("variable", pair[0].clone());
            return Err(Error::Duplicate { what, name, place: Some(place()) });
        }
        let mut arcs = Vec::new();
        for node in &self.variables {
            node.check(&names, file)?;
            node.check_arcs(&self.variables, file)?;
            arcs.extend(node.parents.iter().map(|p| (p.clone(), node.name.clone(), Mark::Forward)));
        }
        let dag = NamedGraph::from_edges(names, arcs).to_dag().map_err(|e| match e {
            Error::Cycle { cycle, .. } => Error::Cycle { cycle, place: Some(place()) },
            e => e,
        })?;
        let variables = self.variables.iter().map(|node| match node.is_continuous() {
            true => Ok(Variable::continuous(&node.name)),
            false => Variable::new(&node.name, node.levels.iter()),
        });
        let variables = variables.collect::<Result<Vec<_>>>()?;
        let of = |node: &ModelNode| match node.is_continuous() {
            true => Distribution::Gaussian(Gaussian::new(node.regressions.iter().map(read).collect())),
            false => Distribution::Table(ProbabilityTable::new(node.table.concat(), node.levels.len())),
        };
        let network = Network::of(variables, dag, self.variables.iter().map(of).collect())?;
        let (mut cuts, mut missing_levels) = (Vec::new(), Vec::new());
        for node in self.variables {
            cuts.extend(node.cuts.map(|cuts| (node.name.clone(), cuts)));
            missing_levels.extend(node.missing_level.map(|level| (node.name, level)));
        }
        Ok(Model { network, cuts, missing_levels, missing_tokens: self.missing_tokens })
    }
}

fn written(row: &Regression) -> ModelRegression {
    let Regression { intercept, coefficients, sd } = row.clone();
    ModelRegression { intercept, coefficients, sd }
}

fn read(row: &ModelRegression) -> Regression {
    Regression { intercept: row.intercept, coefficients: row.coefficients.clone(), sd: row.sd }
}

impl ModelNode {
    fn is_continuous(&self) -> bool {
        self.kind == CONTINUOUS
    }

    /// Checks that no node is a parent of itself or of its parents.
    fn check_arcs(&self, nodes: &[ModelNode], file: &str) -> Result<()> {
        let has = |name: &str, parent: &String| {
            nodes.iter().any(|node| node.name == name && node.parents.contains(parent))
        };
        match self.parents.iter().find(|&parent| has(parent, &self.name)) {
            None => Ok(()),
            Some(parent) => {
                let cycle = match *parent == self.name {
                    true => vec![parent.clone(), parent.clone()],
                    false => vec![parent.clone(), self.name.clone(), parent.clone()],
                };
                Err(Error::Cycle { cycle, place: Some(Place::file(file)) })
            }
        }
    }

    /// Checks what would otherwise be a caller's bug, with the place.
    fn check(&self, names: &[String], file: &str) -> Result<()> {
        let place = || Place::file(file).column(&self.name);
        let refuse = |found: String, expected: &str| Err(Error::syntax(place(), found, expected));
        if self.kind != DISCRETE && !self.is_continuous() {
            return refuse(format!("the kind {:?}", self.kind), "the kind \"discrete\" or \"continuous\"");
        }
        if self.is_continuous() {
            let more = !self.levels.is_empty() || !self.table.is_empty() || self.cuts.is_some();
            if more || self.missing_level.is_some() || self.regressions.is_empty() {
                let found = "a continuous variable with levels, cuts or a table, or without regressions";
                return refuse(found.into(), "regressions alone");
            }
        } else if self.levels.is_empty() || !self.regressions.is_empty() {
            return refuse("no levels, or regressions".into(), "at least one level, and a table");
        }
        if let Some(stranger) = self.parents.iter().find(|parent| names.binary_search(parent).is_err()) {
            let known = names.iter().map(String::as_str);
            return Err(Error::unknown_name("variable", stranger, known, Some(place())));
        }
        if !self.parents.is_sorted_by(|a, b| a < b) {
            return refuse(format!("the parents {:?}", self.parents), "each once, in bytewise order");
        }
        if let Some(row) = self.table.iter().find(|row| row.len() != self.levels.len()) {
            let found = format!("a row of {} probabilities", row.len());
            return refuse(found, &format!("{}, one for each level", self.levels.len()));
        }
        if let Some(cuts) = &self.cuts {
            if !cuts.is_sorted_by(|a, b| a < b) {
                return refuse(format!("the cuts {cuts:?}"), "numbers that increase");
            }
            let intervals = interval_labels(cuts);
            if !self.levels.iter().any(|level| intervals.contains(level)) {
                let expected = format!("the names of the intervals, {}, in any order", intervals.join(" "));
                return refuse(format!("the levels {:?}", self.levels), &expected);
            }
        }
        match &self.missing_level {
            Some(level) if !self.levels.contains(level) => {
                refuse(format!("the missing level {level:?}"), "one of the levels")
            }
            _ => Ok(()),
        }
    }
}

/// The message of the JSON reader, without the position at its end.
fn in_our_words(error: &serde_json::Error, file: &str) -> Error {
    let place = Place::line(file, error.line() as u64).column(error.column().to_string());
    let message = error.to_string();
    let found = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
    Error::syntax(place, found, FORM)
}
