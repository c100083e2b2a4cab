//! `ossature cross-validate`: learners compared on held-out rows.

use ossature::learn::{CrossValidation, Returns, cross_validate};
use ossature::text::visible;

use crate::args::CrossValidate;
use crate::failure::Failure;
use crate::plan;
use crate::reading;
use crate::render::{self, Align, count};
use crate::session::Session;
use crate::settings::several;

pub(super) fn run(args: &CrossValidate, session: &Session<'_>) -> Result<(), Failure> {
    let own = &args.own;
    check(&own.learners, session)?;
    let settings = several(session, &args.knowledge, &own.learners)?;
    let data = reading::read_all(&own.data, &own.more, &args.reading, session.seed, session)?.data;
    let found = cross_validate(
        session.catalogue,
        &settings,
        &data,
        own.folds,
        own.target.as_deref(),
        session.seed,
        session.progress(),
    );
    let found = found.map_err(|e| session.failure(e).about(&own.data))?;
    if own.json {
        return session.print(|out| render::json(&found, out));
    }
    session.show(&text(&found))
}

/// Refuses learners that cannot be evaluated, before any work.
fn check(learners: &[String], session: &Session<'_>) -> Result<(), Failure> {
    plan::each_once("--learners", learners)?;
    for name in learners {
        let row = session.catalogue.learner(name).map_err(|e| Failure::usage(e.to_string()))?;
        if session.catalogue.returns(row) == Returns::Skeleton {
            return Err(Failure::usage(format!("{name} learns a skeleton, which has no probabilities"))
                .help("h2pc, mmhc, tabu and hc find directions"));
        }
    }
    Ok(())
}

fn text(found: &CrossValidation) -> String {
    let judged = match &found.target {
        None => "mean log-likelihood of a row".to_owned(),
        Some(target) => format!("minus the log loss of {}", visible(target)),
    };
    let mut rows = vec![vec!["learner".to_owned(), "mean".to_owned(), "sd".to_owned()]];
    let figures = |x: f64| format!("{x:.6}");
    rows.extend(found.learners.iter().map(|l| vec![l.name.clone(), figures(l.mean), figures(l.sd)]));
    format!(
        "{} in {} (seed {}): {judged}, held out; higher is better\n\n{}",
        count(found.rows as u64, "row"),
        count(found.folds as u64, "fold"),
        found.seed,
        render::table(&[Align::Left, Align::Right, Align::Right], &rows)
    )
}
