//! `ossature learn`: the structure of a network from data.

mod concerns;
mod summary;

use std::path::Path;

use ossature::graph::format::GraphFormat;
use ossature::infer::fit_tables;
use ossature::learn::catalogue::rows;
use ossature::learn::{ArcStrength, Bootstrap, bootstrap};
use ossature::{Dag, Dataset, Error, Learned, NamedGraph, Report, Settings, Silent, Variable};
use ossature_draw::page::Page;

use crate::args::{Learn, LearnArgs};
use crate::failure::Failure;
use crate::plan::{self, Form, Source, Target};
use crate::reading;
use crate::render;
use crate::session::Session;
use crate::settings::Wanted;
use summary::Summary;

pub(super) fn run(args: &Learn, session: &Session<'_>) -> Result<(), Failure> {
    let (knowledge, reading, args) = (&args.knowledge, &args.reading, &args.own);
    let targets = Target::all(&args.output, args.bif.labels())?;
    // The tables of a .bif and of a page have the weight of the prior too.
    let tables = targets.iter().any(|target| matches!(target.form, Form::Bif | Form::Html));
    let wanted = Wanted::new(session, knowledge, None, if tables { vec!["iss"] } else { Vec::new() })?;
    check(wanted.settings(), &targets)?;
    let plot = args.plot_strengths.as_deref().map(|path| plot_target(path, wanted.settings())).transpose()?;
    let truth = truth(args, session)?;
    let reading::Read { data, record, .. } =
        reading::read_all(&args.data, &args.more, reading, seed(wanted.settings()), session)?;
    targets.iter().try_for_each(|target| target.check(&data))?;
    let wanted = with_start(wanted, &args.data, &data, session)?;
    if !session.quiet {
        concerns::warn(&data, session);
    }
    let (learned, sure) = learn(&wanted, &args.data, &data, session)?;
    let mut report =
        report(&learned, sure.as_ref(), &data, wanted.settings(), truth.as_ref(), session)?.with_read(record);
    // Only the JSON and the page have the evidence, which takes a test for each pair.
    let shows = |form| matches!(form, Form::Graph(GraphFormat::Json) | Form::Html);
    if args.json || targets.iter().any(|target| shows(target.form)) {
        report = report.with_separations(&learned, &data);
    }
    report.concerns.iter().for_each(|concern| session.warn(concern));
    // Drawings come last: they may take longer than there is time.
    let (drawings, files): (Vec<Target>, Vec<Target>) =
        targets.into_iter().partition(|target| matches!(target.form, Form::Svg | Form::Html));
    let written = write(&files, &learned, &report, &data, session)
        .and_then(|()| plot.map_or(Ok(()), |target| write_plot(&target, &report, session)));
    let text = || Summary { report: &report, verbose: session.verbose }.to_string();
    // Where the result went to a file the summary is a message like any other.
    match (args.json, args.output.is_empty()) {
        (true, _) => session.print(|out| render::json(&report, out))?,
        (false, true) => session.show(&text())?,
        (false, false) => session.note_lines(&text()),
    }
    if !report.complete {
        cut_short(if files.is_empty() { "shown" } else { "written" }, session);
    }
    let paths: Vec<&Path> = drawings.iter().map(|target| target.path.as_path()).collect();
    let drawn =
        session.draw(&paths, |place| write(&drawings[place..=place], &learned, &report, &data, session));
    written.and(drawn)?;
    if report.complete { Ok(()) } else { Err(Failure::CutShort) }
}

/// Says that a search was cut short, and what became of its result.
pub(super) fn cut_short(so_far: &str, session: &Session<'_>) {
    session.warn(format!("the time limit was reached in the search; the best structure so far is {so_far}"));
}

/// Refuses what the learner cannot do, before any work.
fn check(settings: &Settings, targets: &[Target]) -> Result<(), Failure> {
    let skeleton = settings.restrict().is_some() && settings.maximise().is_none();
    match targets.iter().find(|t| t.form == Form::Bif).filter(|_| skeleton) {
        None => Ok(()),
        Some(target) => Err(Failure::usage(format!(
            "cannot write {}: {} learns a skeleton, and BIF needs directions",
            target.path.display(),
            settings.learner()
        ))
        .help(
            "h2pc, mmhc, tabu and hc find directions; .dot, .svg, .html, .graphml, .json and .csv hold a skeleton",
        )),
    }
}

/// The file for the plot of strengths, which only a bootstrap has.
fn plot_target(path: &Path, settings: &Settings) -> Result<Target, Failure> {
    if settings.limit(&rows::BOOTSTRAP).is_none() {
        return Err(Failure::usage("--plot-strengths needs --bootstrap: strengths come from its samples"));
    }
    let target = Target::new(path)?;
    match target.form {
        Form::Svg => Ok(target),
        _ => Err(Failure::usage(format!("cannot write a plot to {}", path.display()))
            .help("the plot of strengths is an .svg")),
    }
}

fn write_plot(target: &Target, report: &Report, session: &Session<'_>) -> Result<(), Failure> {
    let Some(bootstrap) = &report.bootstrap else { return Ok(()) };
    let strengths: Vec<f64> = bootstrap.arcs.iter().map(|arc| arc.strength).collect();
    target.write_text(&ossature_draw::strength_plot(&strengths, bootstrap.threshold), session)?;
    session.note(format!("wrote {}", target.path.display()));
    Ok(())
}

/// The seed of the drawn rows, if any, and of the learner.
pub(super) fn seed(settings: &Settings) -> u64 {
    settings.whole(&rows::SEED)
}

/// The same with the starting graph, if one is named.
pub(super) fn with_start<'a>(
    wanted: Wanted<'a>,
    data_path: &Path,
    data: &Dataset,
    session: &Session<'_>,
) -> Result<Wanted<'a>, Failure> {
    match &session.chosen.start {
        Some(path) => wanted.starting_from(start(path, data_path, data, session)?),
        None => Ok(wanted),
    }
}

/// The structure to compare with: the named one, or the network the rows are drawn from.
fn truth(args: &LearnArgs, session: &Session<'_>) -> Result<Option<NamedGraph>, Failure> {
    let drawn_from = plan::embedded(&args.data).map(|_| &args.data);
    args.truth.as_ref().or(drawn_from).map(|word| Source::new(word)?.truth(session)).transpose()
}

/// The arcs of the graph that the search starts from.
fn start(
    path: &Path,
    data_path: &Path,
    data: &Dataset,
    session: &Session<'_>,
) -> Result<Vec<(String, String)>, Failure> {
    let graph = Source::new(path)?.graph(session)?;
    let (graph, _) = plan::over_columns(&graph, path, data, data_path)?;
    let name = |v| graph.name(v).to_owned();
    Ok(plan::member(&graph, path, session)?.arcs().map(|(from, to)| (name(from), name(to))).collect())
}

pub(super) fn learn(
    wanted: &Wanted<'_>,
    path: &Path,
    data: &Dataset,
    session: &Session<'_>,
) -> Result<(Learned, Option<Bootstrap>), Failure> {
    let (learner, settings) = (wanted.build(path, data)?, wanted.settings());
    session.has_something_to_show();
    let samples = settings.limit(&rows::BOOTSTRAP);
    let failure = |e: Error| {
        let in_skeleton = matches!(e, Error::Stopped) && samples.is_none();
        let failure = session.failure(e).about(path);
        if in_skeleton && settings.maximise().is_some() {
            return failure.help(
                "the skeleton was not complete; after that, a limit returns the best structure so far. If a variable has \
                 many neighbours, --max-conditioning limits the size of conditioning sets",
            );
        }
        failure
    };
    let Some(samples) = samples else {
        return Ok((learner.learn(data, session.progress()).map_err(failure)?, None));
    };
    let sure = bootstrap(&*learner, data, samples, seed(settings), session.progress()).map_err(failure)?;
    Ok((sure.averaged(settings, data)?, Some(sure)))
}

fn report(
    learned: &Learned,
    sure: Option<&Bootstrap>,
    data: &Dataset,
    settings: &Settings,
    truth: Option<&NamedGraph>,
    session: &Session<'_>,
) -> Result<Report, Failure> {
    let mut report = Report::new(learned, data, settings)?;
    if let Some(sure) = sure {
        report = report.with_bootstrap(sure);
    }
    if let Some(truth) = truth {
        warn_of_strangers(truth, data, session);
        report = report.with_truth(&learned.named_graph(data), truth);
    }
    Ok(report)
}

/// Names that only one side has count as isolated nodes, which may be a mistake.
fn warn_of_strangers(truth: &NamedGraph, data: &Dataset, session: &Session<'_>) {
    let columns = data.variables().iter().map(Variable::name);
    let unknown: Vec<&str> = columns.filter(|name| truth.var(name).is_none()).collect();
    if !unknown.is_empty() {
        session.warn(format!("columns that the true structure does not have: {}", render::listed(&unknown)));
    }
    let lacking: Vec<&String> = truth.names().iter().filter(|name| data.var(name).is_none()).collect();
    if !lacking.is_empty() {
        session
            .warn(format!("nodes of the true structure that are not columns: {}", render::listed(&lacking)));
    }
}

/// The drawing, with line widths for the strengths of edges after a bootstrap.
fn drawing(graph: &NamedGraph, report: &Report, data: &Dataset) -> String {
    let arcs = report.bootstrap.as_ref().map(|b| b.arcs.as_slice()).unwrap_or_default();
    let continuous = |v| data.var(graph.name(v)).is_some_and(|v| data.variable(v).is_continuous());
    ossature_draw::svg_with_kinds(graph, continuous, |x, y| {
        let (x, y) = (graph.name(x), graph.name(y));
        let joins = |a: &&ArcStrength| (a.from == x && a.to == y) || (a.from == y && a.to == x);
        arcs.iter().find(joins).map(|a| a.strength)
    })
}

/// Writes every output that can be written, and then reports those that could not.
fn write(
    targets: &[Target],
    learned: &Learned,
    report: &Report,
    data: &Dataset,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let (graph, dag) = (learned.named_graph(data), learned.graph.dag());
    // A drawing shows what the data can tell: the class.
    let class = || match &dag {
        Some(dag) => NamedGraph::new(graph.names().to_vec(), dag.cpdag().as_pdag().clone()),
        None => graph.clone(),
    };
    let fitted = |dag: &Dag| fit_tables(data, dag, report.settings.prior(), &Silent).map_err(Failure::from);
    let mut result = Ok(());
    for target in targets {
        let written = match (target.form, &dag) {
            (Form::Bif, Some(dag)) => {
                fitted(dag).and_then(|fitted| target.write_network(&fitted.network, session))
            }
            (Form::Svg, _) => target.write_text(&drawing(&class(), report, data), session),
            (Form::Html, _) => {
                // A table that is too large to fit leaves a page without what-if, not without a page.
                let fitted = dag.as_ref().and_then(|dag| fitted(dag).ok());
                let page = Page {
                    title: &target.title(),
                    graph: class(),
                    network: fitted.as_ref().map(|fitted| &fitted.network),
                    report: Some(&report.to_json()),
                    learned_from: Some((data, &report.settings)),
                };
                target.write_page(&page, session)
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
