//! Which learner the options ask for, and prior knowledge.

use std::path::{Path, PathBuf};

use ossature::graph::{self, NamedArc, NamedGraph, NamedTier};
use ossature::learn::{Asked, Build, Catalogue, Settings, Value};
use ossature::{Constraints, Dataset, Error, Variable};
use serde::Deserialize;
use serde_json::{Map, Value as Json};

use crate::args::{Chosen, KnowledgeArgs};
use crate::failure::Failure;
use crate::plan::Source;
use crate::session::Session;

/// The request made by the options; resolved once all files are read.
pub(crate) struct Wanted<'a> {
    catalogue: &'a Catalogue,
    asked: Asked,
    knowledge: Knowledge,
    /// The file with the skeleton, if there is one.
    skeleton: Option<PathBuf>,
    settings: Settings,
}

impl<'a> Wanted<'a> {
    /// The options of a command, with the lists read from files; contradictions are refused before any
    /// work. `also_used` are settings that are also used elsewhere.
    pub(crate) fn new(
        session: &'a Session,
        knowledge: &KnowledgeArgs,
        usual: Option<&str>,
        also_used: Vec<&'static str>,
    ) -> Result<Wanted<'a>, Failure> {
        let (catalogue, chosen) = (session.catalogue, &session.chosen);
        let earlier = session.earlier()?.map(|(_, earlier)| earlier.settings.clone());
        let knowledge = Knowledge::read(knowledge, earlier.as_ref())?;
        let mut asked = Asked {
            learner: chosen.learner.clone(),
            restrict: chosen.restrict.clone(),
            maximise: chosen.maximise.clone(),
            preset: chosen.preset,
            earlier,
            given: chosen
                .given
                .iter()
                .map(|(name, value)| ((*name).to_owned(), Some(value.clone())))
                .collect(),
            also_used,
        };
        if let (None, None, None, Some(name)) = (&asked.learner, &asked.restrict, &asked.maximise, usual) {
            asked.learner = Some(name.to_owned());
        }
        asked.given.extend(session.seed_given.map(|seed| ("seed".into(), Some(Value::Whole(seed)))));
        asked.given.extend(knowledge.values());
        let skeleton = skeleton(&mut asked, catalogue, chosen, session)?;
        let settings = catalogue.resolve(&asked)?;
        Ok(Wanted { catalogue, asked, knowledge, skeleton, settings })
    }

    /// The settings.
    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The same with the arcs of a starting graph.
    pub(crate) fn starting_from(mut self, arcs: Vec<(String, String)>) -> Result<Wanted<'a>, Failure> {
        self.asked.given.push(("start".into(), Some(Value::Pairs(arcs))));
        self.settings = self.catalogue.resolve(&self.asked)?;
        Ok(self)
    }

    /// The learner for the table of a file.
    pub(crate) fn build(&self, path: &Path, data: &Dataset) -> Result<Box<dyn ossature::Learner>, Failure> {
        let constraints = self.knowledge.constraints(data)?;
        self.catalogue.build_with(&self.settings, data, constraints).map_err(|e| match (&e, &self.skeleton) {
            (Error::UnknownName { place: None, .. }, Some(skeleton)) => Failure::from(e).about(skeleton),
            _ => Failure::from(e).about(path),
        })
    }
}

/// The settings of several learners: each takes the options that it uses.
pub(crate) fn several(
    session: &Session<'_>,
    knowledge: &KnowledgeArgs,
    learners: &[String],
) -> Result<Vec<Settings>, Failure> {
    let chosen = &session.chosen;
    let mut given: Vec<(String, Option<Value>)> =
        chosen.given.iter().map(|(name, value)| ((*name).to_owned(), Some(value.clone()))).collect();
    given.extend(session.seed_given.map(|seed| ("seed".into(), Some(Value::Whole(seed)))));
    given.extend(Knowledge::read(knowledge, None)?.values());
    // The tables have the weight of the prior, and the folds the seed, whatever the learner.
    let asked = Asked { preset: chosen.preset, given, also_used: vec!["iss", "seed"], ..Asked::default() };
    let names: Vec<&str> = learners.iter().map(String::as_str).collect();
    Ok(session.catalogue.resolve_each(&names, &asked)?)
}

/// If the first half is a graph instead of a name, its edges are the skeleton. Returns its file.
fn skeleton(
    asked: &mut Asked,
    catalogue: &Catalogue,
    chosen: &Chosen,
    session: &Session<'_>,
) -> Result<Option<PathBuf>, Failure> {
    let Some(word) = chosen.restrict.as_deref().filter(|word| *word != "none") else { return Ok(None) };
    if catalogue.first.iter().any(|half| half.name == word && !matches!(half.build, Build::Given(_))) {
        return Ok(None);
    }
    let source = Source::new(Path::new(word)).map_err(|failure| {
        let names = catalogue.first.iter().filter(|half| !matches!(half.build, Build::Given(_)));
        let names: Vec<&str> = names.map(|half| half.name).collect();
        failure.help(format!(
            "--restrict takes {}, none, or a graph: a file or an embedded name",
            names.join(", ")
        ))
    })?;
    let graph: NamedGraph = source.graph(session)?;
    let name = |v| graph.name(v).to_owned();
    let edges = graph.graph().skeleton().edges().map(|(x, y)| (name(x), name(y))).collect();
    asked.restrict = Some("given".into());
    asked.given.push(("skeleton".into(), Some(Value::Pairs(edges))));
    Ok(Some(word.into()))
}

/// An earlier result: its settings, and how the data was read.
#[derive(Debug, Deserialize)]
pub(crate) struct Earlier {
    settings: Map<String, Json>,
    #[serde(default)]
    pub(crate) read: Option<Json>,
}

impl Earlier {
    /// The earlier result in a file, whose settings must be complete.
    pub(crate) fn read(path: &Path, catalogue: &Catalogue) -> Result<Earlier, Failure> {
        const HELP: &str = "--settings takes what `ossature learn --json` printed or -o FILE.json wrote";
        let text = ossature::file::read_text(path)?;
        let earlier: Earlier = serde_json::from_str(&text).map_err(|e| {
            let (file, place) = (path.display(), format!("line {}, column {}", e.line(), e.column()));
            let message = e.to_string();
            let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
            Failure::bad_input(format!(
                "{file}, {place}: these are not the settings of an earlier result: {what}"
            ))
            .help(HELP)
        })?;
        let alone = Asked { earlier: Some(earlier.settings.clone()), ..Asked::default() };
        match catalogue.resolve(&alone) {
            Ok(_) => Ok(earlier),
            Err(e) => Err(Failure::bad_input(format!("{}: {e}", path.display())).help(HELP)),
        }
    }
}

/// Prior knowledge, with the lines of the files it comes from.
pub(crate) struct Knowledge {
    required: Vec<NamedArc>,
    forbidden: Vec<NamedArc>,
    tiers: Vec<NamedTier>,
    /// Which of the three lists were given now; the others come from an earlier result.
    given: [bool; 3],
}

impl Knowledge {
    /// Reads the given lists; the others come from an earlier result.
    fn read(args: &KnowledgeArgs, earlier: Option<&Map<String, Json>>) -> Result<Knowledge, Failure> {
        let list =
            |key: &str| earlier.and_then(|settings| settings.get(key)?.as_array()).into_iter().flatten();
        let text = |json: &Json| json.as_str().unwrap_or_default().to_owned();
        let arc = |json: &Json| NamedArc { from: text(&json[0]), to: text(&json[1]), place: None };
        let tier = |json: &Json| NamedTier {
            variable: text(&json[0]),
            tier: json[1].as_i64().unwrap_or_default(),
            place: None,
        };
        Ok(Knowledge {
            required: match &args.whitelist {
                Some(path) => graph::read_arcs(path)?,
                None => list("whitelist").map(arc).collect(),
            },
            forbidden: match &args.blacklist {
                Some(path) => graph::read_arcs(path)?,
                None => list("blacklist").map(arc).collect(),
            },
            tiers: match &args.tiers {
                Some(path) => graph::read_tiers(path)?,
                None => list("tiers").map(tier).collect(),
            },
            given: [args.whitelist.is_some(), args.blacklist.is_some(), args.tiers.is_some()],
        })
    }

    /// The lists that were given now, as settings.
    fn values(&self) -> Vec<(String, Option<Value>)> {
        let arcs =
            |list: &[NamedArc]| Value::Pairs(list.iter().map(|a| (a.from.clone(), a.to.clone())).collect());
        let tiers = Value::Tiers(self.tiers.iter().map(|t| (t.variable.clone(), t.tier)).collect());
        let all =
            [("whitelist", arcs(&self.required)), ("blacklist", arcs(&self.forbidden)), ("tiers", tiers)];
        let given = all.into_iter().zip(self.given).filter(|(_, given)| *given);
        given.map(|((name, value), _)| (name.to_owned(), Some(value))).collect()
    }

    /// The same over the columns of a table; contradictions are an error.
    fn constraints(&self, data: &Dataset) -> Result<Constraints, Error> {
        let names: Vec<&str> = data.variables().iter().map(Variable::name).collect();
        Constraints::new(&names, &self.required, &self.forbidden, &self.tiers)
    }
}
