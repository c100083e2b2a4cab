//! The meaning of the command line: which network or graph a name stands for, and which format a
//! file has. Only files needed for the answer are opened here.

mod drawn;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ossature::data::quoted_name;
use ossature::error::nearest;
use ossature::graph::format::{GraphFormat, read_graph, write_graph};
use ossature::network::bif::{self, BifLabels};
use ossature::network::{Model, catalogue};
use ossature::word::Word;
use ossature::{Dag, Dataset, Error, NamedGraph, Network, Pdag, Place, ScoreKind, Variable};
use ossature_draw::page::Page;

use crate::failure::{Failure, named};
use crate::render::count;
use crate::session::Session;

const GRAPH_EXTENSIONS: &str = ".bif, .dot, .graphml, .json or .csv";

/// The form of a file with a network or a graph, by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A network with its tables.
    Bif,
    /// A drawing, which can be written but not read.
    Svg,
    /// An interactive page, which can be written but not read.
    Html,
    /// A bare graph.
    Graph(GraphFormat),
}

impl Form {
    /// The form of a file, or `None` if its extension is not known. A final `.gz` does not count.
    fn of(path: &Path) -> Option<Form> {
        match extension(path)?.as_str() {
            "bif" => Some(Form::Bif),
            "svg" => Some(Form::Svg),
            "html" | "htm" => Some(Form::Html),
            other => GraphFormat::from_path(&Path::new("graph").with_extension(other)).map(Form::Graph),
        }
    }
}

/// The extension in lower case, or the one before `.gz` if the file is compressed.
pub(crate) fn extension(path: &Path) -> Option<String> {
    let lower = |path: &Path| Some(path.extension()?.to_str()?.to_ascii_lowercase());
    match lower(path) {
        Some(gz) if gz == "gz" => lower(Path::new(path.file_stem()?)),
        other => other,
    }
}

/// The source of a network or a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// A network that comes with the command.
    Embedded(String),
    /// A network in a file.
    Bif(PathBuf),
    /// A bare graph in a file.
    Graph(PathBuf),
}

/// The content of a [`Source`].
pub(crate) enum Loaded {
    Network(Box<Model>),
    Graph(NamedGraph),
}

impl Source {
    /// The source for a word of the command line: an embedded network if it is the name of one
    /// (`./alarm` is a file), otherwise a file.
    pub(crate) fn new(word: &Path) -> Result<Source, Failure> {
        if let Some(name) = embedded(word) {
            return Ok(Source::Embedded(name.to_owned()));
        }
        let shown = word.display();
        match Form::of(word) {
            Some(Form::Bif) => Ok(Source::Bif(word.to_owned())),
            Some(Form::Graph(_)) => Ok(Source::Graph(word.to_owned())),
            Some(Form::Svg | Form::Html) => {
                Err(Failure::bad_input(format!("{shown} is a drawing; it cannot be read back"))
                    .help(format!("a structure is read from {GRAPH_EXTENSIONS}")))
            }
            None if word.exists() => Err(Failure::bad_input(format!("{shown}: unknown format")).help(
                format!("a network or graph is a file that ends in {GRAPH_EXTENSIONS} (each also with .gz)"),
            )),
            None => Err(unknown(word)),
        }
    }

    /// The network, or an error that a graph has no tables.
    pub(crate) fn network(&self, session: &Session<'_>) -> Result<Network, Failure> {
        Ok(self.model(session)?.network)
    }

    /// The network with how its rows are read; the defaults for a network alone.
    pub(crate) fn model(&self, session: &Session<'_>) -> Result<Model, Failure> {
        match self.load(session)? {
            Loaded::Network(model) => Ok(*model),
            Loaded::Graph(_) => {
                Err(Failure::bad_input(format!("{self} is a graph without probability tables"))
                    .help("`ossature fit DATA GRAPH -o net.bif` estimates them from data"))
            }
        }
    }

    /// The structure alone.
    pub(crate) fn graph(&self, session: &Session<'_>) -> Result<NamedGraph, Failure> {
        Ok(match self.load(session)? {
            Loaded::Network(model) => model.network.named_graph(),
            Loaded::Graph(graph) => graph,
        })
    }

    /// The structure to compare with, which must not have a cycle of arcs.
    pub(crate) fn truth(&self, session: &Session<'_>) -> Result<NamedGraph, Failure> {
        let graph = self.graph(session)?;
        match graph.check_acyclic() {
            Ok(()) => Ok(graph),
            Err(Error::Cycle { cycle, .. }) => {
                let place = Some(Place::file(self.to_string()));
                Err(Failure::from(Error::Cycle { cycle, place })
                    .help("the true structure is a DAG or a class of DAGs"))
            }
            Err(e) => Err(e.into()),
        }
    }

    /// Loads the network or graph.
    pub(crate) fn load(&self, session: &Session<'_>) -> Result<Loaded, Failure> {
        let loaded = match self {
            Source::Embedded(name) => Loaded::Network(Box::new(catalogue::load(name)?.into())),
            Source::Bif(path) => Loaded::Network(Box::new(read_bif(path, session)?.into())),
            Source::Graph(path) => match model_of(path)? {
                Some(model) => Loaded::Network(Box::new(model)),
                None => Loaded::Graph(read_graph(path)?),
            },
        };
        session.detail(format!("{self}: {}", loaded.described()));
        Ok(loaded)
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Source::Embedded(name) => f.write_str(name),
            Source::Bif(path) | Source::Graph(path) => path.display().fmt(f),
        }
    }
}

impl Loaded {
    fn described(&self) -> String {
        match self {
            Loaded::Network(model) => format!(
                "a network of {}, {} and {}",
                count(model.network.variables().len() as u64, "variable"),
                count(model.network.dag().len() as u64, "arc"),
                count(model.network.parameters(), "parameter"),
            ),
            Loaded::Graph(g) => {
                format!(
                    "a graph of {} and {}",
                    count(g.names().len() as u64, "node"),
                    count(g.graph().skeleton().len() as u64, "edge")
                )
            }
        }
    }
}

/// The model in a JSON file, which may also be a graph alone.
pub(crate) fn model_of(path: &Path) -> Result<Option<Model>, Failure> {
    if extension(path).as_deref() != Some("json") {
        return Ok(None);
    }
    let text = ossature::file::read_text(path)?;
    match Model::is_model(&text) {
        true => {
            let model = Model::parse(&text, &path.display().to_string());
            Ok(Some(model.map_err(|e| Failure::from(e).about(path))?))
        }
        false => Ok(None),
    }
}

/// Whether a word is the JSON of a result chosen by this score.
pub(crate) fn is_chosen_by(word: &Path, score: ScoreKind) -> Result<bool, Failure> {
    if embedded(word).is_some() || extension(word).as_deref() != Some("json") {
        return Ok(false);
    }
    // What is no JSON, and no graph, is refused where the graph is read.
    let result: serde_json::Value =
        serde_json::from_str(&ossature::file::read_text(word)?).unwrap_or_default();
    Ok(result["score"]["name"] == score.word())
}

fn read_bif(path: &Path, session: &Session<'_>) -> Result<Network, Failure> {
    let read = bif::read(path)?;
    if read.normalised_rows > 0 {
        session.warn(format!(
            "{}: {} did not sum to 1 and {} normalised",
            path.display(),
            count(read.normalised_rows as u64, "row"),
            if read.normalised_rows == 1 { "was" } else { "were" },
        ));
    }
    Ok(read.network)
}

pub(crate) fn unknown(word: &Path) -> Failure {
    let shown = word.display();
    let failure = Failure::bad_input(format!("{shown} is neither a file nor an embedded network"));
    let failure = match nearest(&word.to_string_lossy(), catalogue::names()) {
        Some(name) => failure.help(format!("did you mean {name}?")),
        None => failure,
    };
    failure.help("`ossature networks` lists the embedded networks")
}

/// A file to write a network or a graph to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) path: PathBuf,
    pub(crate) form: Form,
    /// How names are written in a .bif.
    labels: BifLabels,
}

impl Target {
    /// A target with a known format, checked before the work.
    pub(crate) fn new(path: &Path) -> Result<Target, Failure> {
        let form = Form::of(path).ok_or_else(|| {
            Failure::usage(format!("{}: unknown output format", path.display())).help(
                "the file must end in .bif, .dot, .svg, .html, .graphml, .json or .csv (each also with .gz)",
            )
        })?;
        Ok(Target { path: path.to_owned(), form, labels: BifLabels::Auto })
    }

    /// The same for each of several files, with the names of a .bif in this form.
    pub(crate) fn all(paths: &[PathBuf], labels: BifLabels) -> Result<Vec<Target>, Failure> {
        paths.iter().map(|path| Ok(Target { labels, ..Target::new(path)? })).collect()
    }

    /// Refuses a table whose variables the format cannot hold, before the work.
    pub(crate) fn check(&self, data: &Dataset) -> Result<(), Failure> {
        let refuse = |why: String| Failure::usage(format!("cannot write {}: {why}", self.path.display()));
        match self.form {
            Form::Bif => data
                .require_discrete("BIF")
                .map_err(|e| refuse(e.to_string()).help("a .json holds a network with continuous variables")),
            Form::Graph(format) => {
                let names = data.variables().iter().map(|v| v.name().to_owned()).collect();
                let alone = NamedGraph::new(names, Pdag::empty(data.variables().len()));
                write_graph(&alone, format, &mut std::io::sink())
                    .map_err(|e| refuse(e.to_string()).help("a .json holds any name"))
            }
            Form::Svg | Form::Html => Ok(()),
        }
    }

    /// Writes the network with how its rows are read, or as much of that as the format can hold.
    pub(crate) fn write_model(&self, model: &Model, session: &Session<'_>) -> Result<(), Failure> {
        match self.form {
            Form::Graph(GraphFormat::Json) => session.write(&self.path, |out| model.write(out)),
            _ => self.write_network(&model.network, session),
        }
    }

    /// Writes the network, or as much of it as the format can hold.
    pub(crate) fn write_network(&self, network: &Network, session: &Session<'_>) -> Result<(), Failure> {
        match self.form {
            Form::Bif => {
                let refuse = |e: Error| {
                    Failure::bad_input(format!("cannot write {}: {e}", self.path.display()))
                        .help("a .json holds a network with continuous variables")
                };
                network.require_tables("BIF").map_err(refuse)?;
                session.write(&self.path, |out| bif::write_with(network, self.labels, out))
            }
            Form::Svg => self.write_text(&ossature_draw::svg_of_network(network), session),
            Form::Html => self.write_page(&Page::of_network(&self.title(), network), session),
            _ => self.write_graph(&network.named_graph(), session),
        }
    }

    /// Writes a bare graph.
    pub(crate) fn write_graph(&self, graph: &NamedGraph, session: &Session<'_>) -> Result<(), Failure> {
        match self.form {
            Form::Bif => Err(Failure::bad_input(format!(
                "cannot write {}: BIF holds probability tables, and a graph has none",
                self.path.display()
            ))
            .help("`ossature fit DATA GRAPH -o net.bif` estimates them from data")),
            Form::Svg => self.write_text(&ossature_draw::svg(graph), session),
            Form::Html => self.write_page(&Page::of_graph(&self.title(), graph), session),
            Form::Graph(format) => session.write(&self.path, |out| write_graph(graph, format, out)),
        }
    }
}

/// The embedded network for a word of the command line, wherever a command takes a network, a graph or a
/// table. A file of that name needs a path: `./alarm`.
pub(crate) fn embedded(word: &Path) -> Option<&str> {
    word.to_str().filter(|&word| catalogue::names().any(|name| name == word))
}

/// Refuses a list that names something twice.
pub(crate) fn each_once(option: &str, items: impl IntoIterator<Item = impl ToString>) -> Result<(), Failure> {
    let mut seen = BTreeSet::new();
    match items.into_iter().map(|item| item.to_string()).find(|item| !seen.insert(item.clone())) {
        Some(twice) => Err(Failure::usage(format!("{option} names {} twice", quoted_name(&twice)))),
        None => Ok(()),
    }
}

/// The graph of a file over all columns of the table, and the columns that it lacked.
pub(crate) fn over_columns(
    graph: &NamedGraph,
    path: &Path,
    data: &Dataset,
    data_path: &Path,
) -> Result<(NamedGraph, Vec<String>), Failure> {
    let names = || data.variables().iter().map(Variable::name);
    if let Some(lacking) = graph.names().iter().find(|name| data.var(name).is_none()) {
        let meant = nearest(lacking, names()).map(|name| format!(" (did you mean {name:?}?)"));
        return Err(Failure::bad_input(format!(
            "{}: the node {lacking:?} is not a column of {}{}",
            path.display(),
            named(data_path),
            meant.unwrap_or_default()
        ))
        .help("every node of the graph must be a column of the table"));
    }
    let isolated = names().filter(|name| graph.var(name).is_none()).map(str::to_owned).collect();
    Ok((graph.over(names().map(str::to_owned).collect()), isolated))
}

/// The graph as a DAG; if edges are undirected, a DAG that agrees with the others, with a note.
pub(crate) fn member(graph: &NamedGraph, path: &Path, session: &Session<'_>) -> Result<Dag, Failure> {
    let shown = path.display();
    let open = count(graph.graph().undirected().count() as u64, "edge");
    if graph.graph().undirected().next().is_none() {
        return graph.to_dag().map_err(|e| Failure::from(e).about(path));
    }
    let dag = graph.member().ok_or_else(|| {
        Failure::bad_input(format!("{shown}: {open} without direction, and no DAG agrees with all of them"))
            .help("directing them would make a cycle or a new collider")
    })?;
    session.note(format!("{shown}: {open} without direction; a DAG of the same class is used"));
    Ok(dag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_before_gz_counts() {
        assert_eq!(extension(Path::new("a/b.BIF.gz")).as_deref(), Some("bif"));
        assert_eq!(extension(Path::new("a.csv")).as_deref(), Some("csv"));
        assert_eq!(extension(Path::new("alarm")), None);
        assert_eq!(extension(Path::new(".gz")), None);
    }

    #[test]
    fn a_path_is_no_embedded_name() {
        assert_eq!(embedded(Path::new("alarm")), Some("alarm"));
        assert_eq!(embedded(Path::new("./alarm")), None);
        assert_eq!(embedded(Path::new("a.csv")), None);
    }

    #[test]
    fn an_embedded_name_wins_over_a_file_and_a_path_never_is_one() {
        assert_eq!(Source::new(Path::new("alarm")).unwrap(), Source::Embedded("alarm".into()));
        assert_eq!(Source::new(Path::new("./alarm.bif")).unwrap(), Source::Bif("./alarm.bif".into()));
        assert_eq!(Source::new(Path::new("alarm.dot")).unwrap(), Source::Graph("alarm.dot".into()));
    }
}
