//! `ossature query`: the distribution of variables, given evidence and interventions.

use ossature::infer::{
    Effects, Given, Inference, Limit, Named, NamedGiven, QueryReport, intervene, likelihood_weighting,
};
use ossature::text::visible;
use ossature::{Error, Network, Var};
use serde::Serialize;

use crate::args::Query;
use crate::failure::Failure;
use crate::plan::Source;
use crate::render::{self, Align, p_value, thousands};
use crate::session::Session;

/// The answer, as `--json` shows it.
#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    report: QueryReport,
    effects: Option<Vec<Effects>>,
}

pub(super) fn run(args: &Query, session: &Session<'_>) -> Result<(), Failure> {
    if args.class && args.set.len() != 1 {
        return Err(Failure::usage("--class gives the effects of setting one variable")
            .help("give one --do; without --class there may be several"));
    }
    let network = Source::new(&args.net)?.network(session)?;
    let about = |failure: Failure| failure.about(&args.net);
    let targets = targets(&network, &args.targets).map_err(about)?;
    let evidence = evidence(&network, &args.given, "--given").map_err(about)?;
    let set: Vec<(Var, u16)> = evidence_of(&network, &args.set, "--do").map_err(about)?;
    if let Some((v, _)) = evidence.levels().find(|(v, _)| set.iter().any(|(other, _)| other == v)) {
        let name = network.variable(v).name();
        return Err(Failure::usage(format!("the variable {name:?} is in --given and in --do"))
            .help("a variable that is set needs no evidence"));
    }
    let asked = if set.is_empty() { network.clone() } else { intervene(&network, &set)? };
    let report = match args.samples {
        None => {
            let found = Inference::new(&asked, Limit::default()).query(&targets, &evidence);
            QueryReport::exact(&asked, &evidence, &set, &found.map_err(too_large).map_err(about)?)
        }
        Some(samples) => {
            let found =
                likelihood_weighting(&asked, &targets, &evidence, samples, session.seed, session.progress());
            QueryReport::estimated(&asked, &evidence, &set, &found.map_err(|e| session.failure(e))?)
        }
    };
    let effects = match (args.class, set.first()) {
        (true, Some(&(of, _))) => Some(effects(&network, of, &targets)?),
        _ => None,
    };
    let answer = Answer { report, effects };
    if args.json {
        return session.print(|out| render::json(&answer, out));
    }
    session.show(&text(&answer, &set))
}

/// The queried variables, each once.
fn targets(network: &Network, names: &[String]) -> Result<Vec<Var>, Failure> {
    let targets = names.iter().map(|name| network.require(name)).collect::<Result<Vec<_>, _>>()?;
    match names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        Some((_, name)) => Err(Failure::usage(format!("the variable {name:?} is queried twice"))),
        None => Ok(targets),
    }
}

/// The evidence from words such as `A=a`, each variable once.
fn evidence(network: &Network, words: &[String], option: &str) -> Result<Given, Failure> {
    let pairs = words.iter().map(|word| split(network, word, option)).collect::<Result<Vec<_>, _>>()?;
    Given::named(network, pairs).map_err(|e| match e {
        Error::Duplicate { name, .. } => {
            Failure::usage(format!("{option} names the variable {name:?} twice"))
        }
        // What is known of levels elsewhere would not help here: the network has them.
        Error::UnknownLevel { .. } => Failure::bad_input(e.to_string()),
        e => e.into(),
    })
}

fn evidence_of(network: &Network, words: &[String], option: &str) -> Result<Vec<(Var, u16)>, Failure> {
    Ok(evidence(network, words, option)?.levels().collect())
}

/// The name and the level, either of which may contain a `=`: split at the first one whose left side is
/// the name of a variable.
fn split<'a>(network: &Network, word: &'a str, option: &str) -> Result<(&'a str, &'a str), Failure> {
    let places = || word.match_indices('=').map(|(at, _)| (&word[..at], &word[at + 1..]));
    let known = places().find(|(name, _)| network.require(name).is_ok());
    known.or_else(|| places().next()).ok_or_else(|| {
        Failure::usage(format!("{option} {word} does not say which level {word} has"))
            .help(format!("{option} takes a variable and its level, such as {option} smoke=yes"))
    })
}

fn effects(network: &Network, of: Var, targets: &[Var]) -> Result<Vec<Effects>, Failure> {
    let engine = Inference::new(network, Limit::default());
    let others = targets.iter().filter(|&&on| on != of);
    others.map(|&on| engine.effects(of, on).map_err(too_large)).collect()
}

fn too_large(error: Error) -> Failure {
    let large = matches!(error, Error::TooLarge { .. });
    let failure = Failure::from(error);
    match large {
        true => failure
            .help("--samples 100000 estimates the answer, with standard errors")
            .help("query fewer variables at a time, or give more evidence"),
        false => failure,
    }
}

fn text(answer: &Answer, set: &[(Var, u16)]) -> String {
    let report = &answer.report;
    let mut text = String::new();
    for (name, distribution) in &report.posteriors.0 {
        let errors = report.sampling.as_ref().and_then(|s| s.standard_errors.get(name));
        let mut rows = vec![vec![name.clone(), "probability".to_owned()]];
        rows[0].extend(errors.map(|_| "standard error".to_owned()));
        for (level, p) in &distribution.0 {
            let mut row = vec![level.clone(), format!("{p:.6}")];
            row.extend(errors.and_then(|e| e.get(level)).map(|e| format!("{e:.6}")));
            rows.push(row);
        }
        let align = [Align::Left, Align::Right, Align::Right];
        text.push_str(&render::table(&align[..rows[0].len()], &rows));
        text.push('\n');
    }
    if !report.set.0.is_empty() {
        let set: Vec<String> = report.set.0.iter().map(|(name, level)| format!("{name} = {level}")).collect();
        text.push_str(&format!("intervention: {}\n", visible(&set.join(", "))));
    }
    if !report.given.0.is_empty() {
        let p = p_value(report.p_evidence, report.ln_evidence);
        text.push_str(&format!("given: {} (probability {p}", visible(&given(&report.given))));
        if let Some(sampling) = &report.sampling {
            text.push_str(&format!(", standard error {:.2e}", sampling.p_evidence_error));
        }
        text.push_str(")\n");
    }
    if let Some(sampling) = &report.sampling {
        text.push_str(&format!(
            "estimated from {} samples (seed {}), equivalent to {} samples from the posterior\n",
            thousands(sampling.samples),
            sampling.seed,
            render::decimal(sampling.effective, 0)
        ));
    }
    for effects in answer.effects.iter().flatten() {
        text.push_str(&class(effects, set));
    }
    if text.ends_with("\n\n") {
        text.pop();
    }
    text
}

fn given(given: &Named<NamedGiven>) -> String {
    let item = |(name, known): &(String, NamedGiven)| match known {
        NamedGiven::Level(level) => format!("{name} = {level}"),
        NamedGiven::Likelihood(_) => name.clone(),
    };
    given.0.iter().map(item).collect::<Vec<_>>().join(", ")
}

/// The effects in all members of the class, for the level that was set.
fn class(effects: &Effects, set: &[(Var, u16)]) -> String {
    let level = set.first().map_or(0, |(_, level)| usize::from(*level));
    let Effects { of, on, identified, effects } = effects;
    let (of, on) = (visible(of), visible(on));
    if *identified {
        return format!("the equivalence class determines the effect of {of} on {on}: all members agree\n");
    }
    let mut rows = vec![vec![format!("parents of {of}"), format!("effect on {on}")]];
    for effect in effects {
        let shown = |p: &Vec<f64>| p.iter().map(|p| format!("{p:.6}")).collect::<Vec<_>>().join(" ");
        let distribution = effect.distributions[level].as_ref().map_or("not defined".to_owned(), shown);
        let parents = if effect.parents.is_empty() { "none".into() } else { effect.parents.join(", ") };
        rows.push(vec![parents, distribution]);
    }
    format!(
        "the equivalence class does not determine the effect of {of} on {on}; its members say:\n{}",
        render::table(&[Align::Left, Align::Left], &rows)
    )
}
