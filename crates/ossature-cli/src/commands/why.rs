//! `ossature why`: why two variables are adjacent, or not.

use std::path::Path;

use ossature::Report;
use ossature::learn::Why as Answer;
use ossature::text::visible;

use super::learn;
use crate::args::Why;
use crate::failure::Failure;
use crate::plan;
use crate::reading;
use crate::render;
use crate::session::Session;
use crate::settings::Wanted;

pub(super) fn run(args: &Why, session: &Session<'_>) -> Result<(), Failure> {
    if args.own.x == args.own.y {
        return Err(Failure::usage(format!("{} is given twice", args.own.x))
            .help("two different variables are needed"));
    }
    let earlier = plan::extension(&args.own.data).is_some_and(|extension| extension == "json");
    let (answer, complete) =
        if earlier { (from_result(args, session)?, true) } else { from_rows(args, session)? };
    if args.own.json {
        session.print(|out| render::json(&answer, out))?;
    } else {
        let sentences = answer.sentences.iter().map(|sentence| format!("{}\n", visible(sentence)));
        session.show(&sentences.collect::<String>())?;
    }
    if complete {
        return Ok(());
    }
    learn::cut_short("what the answer is about", session);
    Err(Failure::CutShort)
}

/// The reason from an existing result.
fn from_result(args: &Why, session: &Session<'_>) -> Result<Answer, Failure> {
    let path: &Path = &args.own.data;
    let help = "a result is what `ossature learn --json` printed or -o FILE.json wrote";
    let typed = &session.chosen;
    if typed.learner.is_some()
        || typed.restrict.is_some()
        || typed.maximise.is_some()
        || !typed.given.is_empty()
    {
        return Err(Failure::usage(format!("{} is a result, so nothing is learned", path.display()))
            .help("leave out the options of the learner, or give the rows"));
    }
    let text = ossature::file::read_text(path)?;
    let report = serde_json::from_str(&text)
        .map_err(|e| Failure::bad_input(format!("{} is not a result: {e}", path.display())).help(help))?;
    Answer::new(&report, &args.own.x, &args.own.y, None).map_err(|e| match e {
        ossature::Error::Syntax { found, .. } => {
            Failure::bad_input(format!("{} is not a result: {found}", path.display())).help(help)
        }
        e => Failure::from(e).about(path),
    })
}

/// The reason after learning from rows, and whether the search was complete.
fn from_rows(args: &Why, session: &Session<'_>) -> Result<(Answer, bool), Failure> {
    let wanted = Wanted::new(session, &args.knowledge, None, Vec::new())?;
    let seed = learn::seed(wanted.settings());
    let data = reading::read_data(&args.own.data, &args.reading, seed, session)?.data;
    for name in [&args.own.x, &args.own.y] {
        data.require(name).map_err(|e| Failure::from(e).about(&args.own.data))?;
    }
    let wanted = learn::with_start(wanted, &args.own.data, &data, session)?;
    let (learned, _) = learn::learn(&wanted, &args.own.data, &data, session)?;
    let report = Report::new(&learned, &data, wanted.settings())?.with_separations(&learned, &data);
    let answer = Answer::new(&report.to_json(), &args.own.x, &args.own.y, Some((&data, wanted.settings())))?;
    Ok((answer, report.complete))
}
