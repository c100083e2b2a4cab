//! `ossature neighbours`: the parents and children of one variable, and its Markov blanket.

use std::time::Duration;

use ossature::Dataset;
use ossature::learn::NeighbourhoodReport;

use crate::args::Neighbours;
use crate::failure::Failure;
use crate::reading;
use crate::render::{self, Align, count};
use crate::session::Session;
use crate::settings::Wanted;

pub(super) fn run(args: &Neighbours, session: &Session<'_>) -> Result<(), Failure> {
    let wanted = Wanted::new(session, &args.knowledge, Some("hpc"), Vec::new())?;
    let data = reading::read_all(&args.own.data, &args.own.more, &args.reading, session.seed, session)?.data;
    let path = &args.own.data;
    let target = data.require(&args.own.target).map_err(|e| Failure::from(e).about(path))?;
    let learner = wanted.build(path, &data)?;
    let found = learner
        .neighbourhood(&data, target, args.own.blanket, session.progress())
        .map_err(|e| session.failure(e))?;
    let answer = found.report(&data, target);
    let learner = wanted.settings().learner();
    if args.own.json {
        return session.print(|out| render::json(&answer, out));
    }
    session.show(&text(&answer, &data, learner))
}

fn text(a: &NeighbourhoodReport<'_>, data: &Dataset, learner: &str) -> String {
    let row = |what: &str, value: String| vec![what.to_owned(), value];
    let all = |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let (rows, variables) = (data.total() as u64, data.variables().len() as u64);
    let mut lines = vec![
        row("data", format!("{} of {}", count(rows, "row"), count(variables, "variable"))),
        row("learner", learner.to_owned()),
        row("target", a.target.to_owned()),
        row("parents and children", all(&a.parents_and_children)),
    ];
    if let Some(blanket) = &a.blanket {
        let pc = &a.parents_and_children;
        let spouses: Vec<&str> = blanket.iter().copied().filter(|name| !pc.contains(name)).collect();
        lines.push(row("spouses", all(&spouses)));
    }
    lines.push(row("tests", render::tests(&a.tests)));
    lines.push(row("time", render::seconds(Duration::from_secs_f64(a.seconds))));
    render::table(&[Align::Left, Align::Left], &lines)
}
