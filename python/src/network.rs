//! Networks with tables.

use std::path::PathBuf;
use std::sync::OnceLock;

use numpy::{IntoPyArray, PyArray1};
use ossature::data::ReadOptions;
use ossature::infer::{Inference, Limit, fit_tables};
use ossature::network::bif::{self, BifLabels};
use ossature::network::{Model, Prior, Regression, catalogue};
use ossature::{Error, Network as Inner, Result, Table, Var, Variable};
use pyo3::prelude::*;

use crate::errors::{DATA, SETTINGS};
use crate::frame::Data;
use crate::graph::Parts;
use crate::run::Run;

/// A Bayesian network.
#[pyclass(frozen, module = "ossature._ossature")]
pub(crate) struct Network {
    model: Model,
    /// Made on the first query; it keeps the trees of recent ones.
    engine: OnceLock<Inference>,
}

impl From<Model> for Network {
    fn from(model: Model) -> Network {
        Network { model, engine: OnceLock::new() }
    }
}

impl From<Inner> for Network {
    fn from(network: Inner) -> Network {
        Model::from(network).into()
    }
}

/// The parents of a node, and its probabilities: a row for each configuration of the parents, the last
/// of which changes fastest, with a number for each level.
type Cpt<'py> = (Vec<String>, Bound<'py, PyArray1<f64>>);

/// Discrete parents, continuous parents, and for each regression an intercept, coefficients and a standard
/// deviation.
type Regressions = (Vec<String>, Vec<String>, Vec<(f64, Vec<f64>, f64)>);

#[pymethods]
impl Network {
    /// An embedded network.
    #[staticmethod]
    fn load(name: &str) -> PyResult<Network> {
        catalogue::load(name).map(Network::from).map_err(|e| DATA.raise(e))
    }

    /// The names of the embedded networks.
    #[staticmethod]
    fn embedded() -> Vec<&'static str> {
        catalogue::names().collect()
    }

    /// A network from a file.
    #[staticmethod]
    fn read_bif(py: Python<'_>, path: PathBuf) -> PyResult<Network> {
        py.detach(|| bif::read(&path)).map(|read| read.network.into()).map_err(|e| DATA.raise(e))
    }

    /// A network from a text.
    #[staticmethod]
    fn parse_bif(text: &str) -> PyResult<Network> {
        bif::parse(text, "the text").map(|read| read.network.into()).map_err(|e| DATA.raise(e))
    }

    /// The tables of a DAG, estimated from rows; `iss` is for the prior `bdeu`.
    #[staticmethod]
    #[pyo3(signature = (data, graph, prior, iss, *, threads))]
    fn fit(
        py: Python<'_>,
        data: &Data,
        graph: Parts,
        prior: &str,
        iss: f64,
        threads: usize,
    ) -> PyResult<Network> {
        let (data, report) = (data.dataset(), &data.table().report);
        let prior = match prior {
            "bdeu" => Prior::Bdeu { iss },
            "backoff" => Prior::Backoff,
            "mle" => Prior::None,
            other => {
                let problem = format!("unknown prior {other:?}; use bdeu, backoff or mle");
                return Err(SETTINGS.with(problem));
            }
        };
        Run { threads, time_limit: None, progress: None }.go(py, SETTINGS, |progress| {
            let network = fit_tables(data, &graph.over_columns(data)?, prior, progress)?.network;
            Ok(Model::new(network, report, &ReadOptions::default().missing_tokens).into())
        })
    }

    /// The nodes in the canonical order.
    fn nodes(&self) -> Vec<&str> {
        self.model.network.variables().iter().map(Variable::name).collect()
    }

    /// The arcs.
    fn arcs(&self) -> Vec<(&str, &str)> {
        let name = |v| self.model.network.variable(v).name();
        self.model.network.dag().arcs().map(|(from, to)| (name(from), name(to))).collect()
    }

    /// The levels of a node.
    fn levels(&self, node: &str) -> PyResult<Vec<&str>> {
        let v = self.var(node).map_err(|e| DATA.raise(e))?;
        Ok(self.model.network.variable(v).levels().iter().map(String::as_str).collect())
    }

    /// The table of a node.
    fn table<'py>(&self, py: Python<'py>, node: &str) -> PyResult<Cpt<'py>> {
        let v = self.var(node).map_err(|e| DATA.raise(e))?;
        if self.model.network.variable(v).is_continuous() {
            return Err(DATA.with(format!("{node:?} is continuous, and so has regressions and no table")));
        }
        let parents = self.model.network.dag().parents(v).iter();
        let names = parents.map(|p| self.model.network.variable(p).name().to_owned()).collect();
        Ok((names, self.model.network.table(v).as_slice().to_vec().into_pyarray(py)))
    }

    /// Whether a node has numbers instead of levels.
    fn is_continuous(&self, node: &str) -> PyResult<bool> {
        let v = self.var(node).map_err(|e| DATA.raise(e))?;
        Ok(self.model.network.variable(v).is_continuous())
    }

    /// The regressions of a continuous node: its discrete parents, its continuous ones, and for each configuration of
    /// the discrete ones, the last of which changes fastest, the intercept, the coefficients and the standard
    /// deviation.
    fn regressions(&self, node: &str) -> PyResult<Regressions> {
        let v = self.var(node).map_err(|e| DATA.raise(e))?;
        let network = &self.model.network;
        let Some(gaussian) = network.gaussian(v) else {
            return Err(DATA.with(format!("{node:?} has levels, and so a table and no regressions")));
        };
        let name = |p: Var| network.variable(p).name().to_owned();
        let row = |row: &Regression| (row.intercept, row.coefficients.clone(), row.sd);
        Ok((
            network.discrete_parents(v).map(name).collect(),
            network.continuous_parents(v).map(name).collect(),
            gaussian.rows().iter().map(row).collect(),
        ))
    }

    /// The same structure with all nodes continuous, and coefficients from a seed.
    fn linear_gaussian(&self, seed: u64) -> Network {
        self.model.network.linear_gaussian(seed).into()
    }

    /// A drawing, in which continuous nodes have round ends.
    fn to_svg(&self, py: Python<'_>) -> String {
        py.detach(|| ossature_draw::svg_of_network(&self.model.network))
    }

    /// The number of free parameters.
    fn parameters(&self) -> u128 {
        self.model.network.parameters()
    }

    /// A network from a model file.
    #[staticmethod]
    fn read_model(py: Python<'_>, path: PathBuf) -> PyResult<Network> {
        py.detach(|| Model::read(&path)).map(Network::from).map_err(|e| DATA.raise(e))
    }

    /// A network from the text of a model file.
    #[staticmethod]
    fn parse_model(text: &str) -> PyResult<Network> {
        Model::parse(text, "the text").map(Network::from).map_err(|e| DATA.raise(e))
    }

    /// The text of a model file.
    fn to_model(&self) -> String {
        self.model.to_json()
    }

    /// The columns that are cut into intervals, and their cuts.
    fn cuts(&self) -> Vec<(String, Vec<f64>)> {
        self.model.cuts.clone()
    }

    /// The network as a text, with names in the chosen form.
    fn to_bif(&self, labels: &str) -> PyResult<String> {
        let labels = match labels {
            "auto" => BifLabels::Auto,
            "safe" => BifLabels::Safe,
            "quoted" => BifLabels::Quoted,
            other => {
                return Err(
                    SETTINGS.with(format!("there are no labels {other:?}; auto, safe and quoted are"))
                );
            }
        };
        let mut text = Vec::new();
        bif::write_with(&self.model.network, labels, &mut text).map_err(|e| DATA.with(e.to_string()))?;
        Ok(String::from_utf8(text)?)
    }

    /// Rows drawn from the network.
    #[pyo3(signature = (rows, seed, *, threads, progress=None))]
    fn sample(
        &self,
        py: Python<'_>,
        rows: usize,
        seed: u64,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Data> {
        Run { threads, time_limit: None, progress }.go(py, DATA, |progress| {
            Ok(Data::new(
                Table { data: self.model.network.sample(rows, seed, progress)?, report: Default::default() },
                None,
            ))
        })
    }

    /// The logarithm of the probability of each row.
    #[pyo3(signature = (data, *, threads, time_limit=None))]
    fn log_likelihood<'py>(
        &self,
        py: Python<'py>,
        data: &Data,
        threads: usize,
        time_limit: Option<f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let data = data.dataset();
        let run = Run { threads, time_limit, progress: None };
        Ok(run.go(py, DATA, |progress| self.model.network.log_likelihood(data, progress))?.into_pyarray(py))
    }

    fn __eq__(&self, other: &Network) -> bool {
        self.model.network == other.model.network
    }
}

impl Network {
    pub(crate) fn model(&self) -> &Model {
        &self.model
    }

    /// The engine for exact inference.
    pub(crate) fn engine(&self) -> &Inference {
        self.engine.get_or_init(|| Inference::new(&self.model.network, Limit::default()))
    }

    fn var(&self, name: &str) -> Result<Var> {
        let names = self.model.network.variables().iter().map(Variable::name);
        let place = self.model.network.variables().binary_search_by(|v| v.name().cmp(name));
        place.map(Var::new).map_err(|_| Error::unknown_name("node", name, names, None))
    }
}
