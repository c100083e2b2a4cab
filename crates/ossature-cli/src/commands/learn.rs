//! `ossature learn`: the structure of a network from data.

mod concerns;
mod summary;

use std::path::Path;

use ossature::graph::format::GraphFormat;
use ossature::learn::{Bootstrap, bootstrap, strongest_arcs};
use ossature::network::{self, Prior};
use ossature::{
    Dataset, Error, Hybrid, Learned, Learner, NamedGraph, Report, ScoreSettings, Settings, Silent, Variable,
};

use crate::args::Learn;
use crate::failure::Failure;
use crate::plan::{self, Form, Source, Target};
use crate::render;
use crate::session::Session;
use crate::settings::{self, Knowledge};
use summary::Summary;

pub(super) fn run(args: &Learn, session: &Session) -> Result<(), Failure> {
    let targets = args.output.iter().map(|path| Target::new(path)).collect::<Result<Vec<_>, _>>()?;
    let mut settings = settings::of_learn(args, session)?;
    check(&settings, &targets)?;
    let knowledge = Knowledge::read(&args.knowledge, &mut settings)?;
    let truth = truth(args, session)?;
    let data = plan::read_data(&args.data, &args.reading, settings.seed, session)?.data;
    if let Some(path) = &args.search.start {
        settings.start = Some(start(path, args, &data, session)?);
    }
    let learner = settings.build_with(&data, knowledge.constraints(&data)?)?;
    if !session.quiet {
        concerns::warn(&data, session);
    }
    let (learned, sure) = learn(&learner, &settings, &data, session)?;
    let report = report(&learned, sure.as_ref(), &data, &settings, truth.as_ref(), session);
    let written = write(&targets, &learned, &report, &data, session);
    let text = || text(&report, &learned, &data, session);
    // Where the result went to a file the summary is a message like any other.
    match (args.json, targets.is_empty()) {
        (true, _) => session.print(|out| render::json(&report, out))?,
        (false, true) => {
            let text = text()?;
            session.print(|out| out.write_all(text.as_bytes()))?;
        }
        (false, false) => session.note(text()?.trim_end()),
    }
    written?;
    if report.complete {
        return Ok(());
    }
    let so_far = if targets.is_empty() { "shown" } else { "written" };
    session.warn(format!("the time limit was reached in the search; the best structure so far is {so_far}"));
    Err(Failure::CutShort)
}

/// What the learner could not do is refused before any work.
fn check(settings: &Settings, targets: &[Target]) -> Result<(), Failure> {
    if settings.maximise != "none" {
        return Ok(());
    }
    let learner = settings.learner();
    if let Some(target) = targets.iter().find(|t| t.form == Form::Bif) {
        return Err(Failure::usage(format!(
            "cannot write {}: {learner} learns a skeleton, and BIF needs directions",
            target.path.display()
        ))
        .help(
            "h2pc, mmhc, tabu and hc find directions; .dot, .svg, .graphml, .json and .csv hold a skeleton",
        ));
    }
    if settings.bootstrap.is_some() {
        return Err(Failure::usage(format!("--bootstrap needs directions, and {learner} learns a skeleton"))
            .help("h2pc, mmhc, tabu and hc find directions"));
    }
    Ok(())
}

/// The structure to compare with: the one that was named, or the network the rows are drawn from.
fn truth(args: &Learn, session: &Session) -> Result<Option<NamedGraph>, Failure> {
    let drawn_from = plan::embedded(&args.data).map(|_| &args.data);
    args.truth.as_ref().or(drawn_from).map(|word| Source::new(word)?.graph(session)).transpose()
}

/// The arcs of the graph that the search starts from.
fn start(
    path: &Path,
    args: &Learn,
    data: &Dataset,
    session: &Session,
) -> Result<Vec<(String, String)>, Failure> {
    let graph = Source::new(path)?.graph(session)?;
    let (graph, _) = plan::over_columns(&graph, data, &args.data)?;
    let name = |v| graph.name(v).to_owned();
    Ok(plan::member(&graph, path, session)?.arcs().map(|(from, to)| (name(from), name(to))).collect())
}

fn learn(
    learner: &Hybrid,
    settings: &Settings,
    data: &Dataset,
    session: &Session,
) -> Result<(Learned, Option<Bootstrap>), Failure> {
    let failure = |e: Error| {
        let in_skeleton = matches!(e, Error::Stopped) && settings.bootstrap.is_none();
        let failure = session.failure(e);
        if in_skeleton && settings.maximise != "none" {
            return failure
                .help("the skeleton was not complete; once it is, a limit gives the best structure so far");
        }
        failure
    };
    let Some(samples) = settings.bootstrap else {
        return Ok((learner.learn(data, session.progress()).map_err(failure)?, None));
    };
    let sure = bootstrap(learner, data, samples, settings.seed, session.progress()).map_err(failure)?;
    Ok((sure.averaged(learner, data)?, Some(sure)))
}

fn report(
    learned: &Learned,
    sure: Option<&Bootstrap>,
    data: &Dataset,
    settings: &Settings,
    truth: Option<&NamedGraph>,
    session: &Session,
) -> Report {
    let mut report = Report::new(learned, data, settings);
    if let Some(sure) = sure {
        report = report.with_bootstrap(sure);
    }
    if let Some(truth) = truth {
        warn_of_strangers(truth, data, session);
        report = report.with_truth(&learned.named_graph(data), truth);
    }
    report
}

/// Names that only one side has count as isolated nodes, which may be a mistake.
fn warn_of_strangers(truth: &NamedGraph, data: &Dataset, session: &Session) {
    let columns = data.variables().iter().map(Variable::name);
    let unknown: Vec<&str> = columns.filter(|name| truth.var(name).is_none()).collect();
    if !unknown.is_empty() {
        session.warn(format!("columns that the true structure does not have: {}", render::listed(&unknown)));
    }
    let lacking: Vec<&String> = truth.names().iter().filter(|name| data.var(name).is_none()).collect();
    if !lacking.is_empty() {
        session
            .warn(format!("nodes of the true structure that are no columns: {}", render::listed(&lacking)));
    }
}

/// Writes every output that can be written, and then says what could not.
fn write(
    targets: &[Target],
    learned: &Learned,
    report: &Report,
    data: &Dataset,
    session: &Session,
) -> Result<(), Failure> {
    let graph = learned.named_graph(data);
    let mut result = Ok(());
    for target in targets {
        let written = match (target.form, &learned.dag) {
            (Form::Bif, Some(dag)) => {
                network::fit(data, dag, Prior::Bdeu { iss: report.settings.iss }, &Silent)
                    .map_err(Failure::from)
                    .and_then(|fitted| target.write_network(&fitted.network, session))
            }
            (Form::Svg, Some(dag)) => {
                let class = NamedGraph::new(graph.names().to_vec(), dag.cpdag().as_pdag().clone());
                target.write_graph(&class, session)
            }
            (Form::Graph(GraphFormat::Json), _) => {
                session.write(&target.path, |out| render::json(report, out))
            }
            _ => target.write_graph(&graph, session),
        };
        match written {
            Ok(()) => session.note(format!("wrote {}", target.path.display())),
            Err(failure) => result = result.and(Err(failure)),
        }
    }
    result
}

fn text(report: &Report, learned: &Learned, data: &Dataset, session: &Session) -> Result<String, Failure> {
    let strongest = match &learned.dag {
        Some(dag) => {
            let kind = report.settings.score.parse()?;
            strongest_arcs(data, dag, ScoreSettings { kind, iss: report.settings.iss })?
        }
        None => Vec::new(),
    };
    let name = |v| data.variable(v).name();
    let strongest = strongest.into_iter().map(|(from, to, loss)| (name(from), name(to), loss)).collect();
    Ok(Summary { report, strongest, verbose: session.verbose }.to_string())
}
