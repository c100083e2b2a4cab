//! `ossature compare`: how far one structure is from another.

use std::path::Path;

use ossature::graph::{ComparisonReport, compare_named};
use ossature_draw::page;

use crate::args::Compare;
use crate::failure::Failure;
use crate::plan::{Form, Source, Target};
use crate::render::{self, Align, count};
use crate::session::Session;

pub(super) fn run(args: &Compare, session: &Session<'_>) -> Result<(), Failure> {
    let targets = args.output.iter().map(|path| drawn(path)).collect::<Result<Vec<_>, _>>()?;
    let (truth, other) = (Source::new(&args.truth)?, Source::new(&args.other)?);
    let (a, b) = (truth.truth(session)?, other.graph(session)?);
    if !a.names().is_empty() && !b.names().is_empty() && !a.names().iter().any(|name| b.var(name).is_some()) {
        session.warn(format!("{truth} and {other} have no node in common; nodes are matched by name"));
    }
    let (names, comparison) = compare_named(&a, &b);
    let report = comparison.report(&names);
    for target in &targets {
        let drawing = match target.form {
            Form::Html => page::difference(&format!("{truth} (A) and {other} (B)"), &a, &b),
            _ => ossature_draw::difference(&a, &b),
        };
        target.write_text(&drawing, session)?;
        session.note(format!("wrote {}", target.path.display()));
    }
    if args.json {
        return session.print(|out| render::json(&report, out));
    }
    session.show(&text(&report))
}

/// A file for a drawing of both structures.
fn drawn(path: &Path) -> Result<Target, Failure> {
    let target = Target::new(path)?;
    match target.form {
        Form::Svg | Form::Html => Ok(target),
        _ => Err(Failure::usage(format!("cannot write a comparison to {}", path.display()))
            .help("a drawing of both structures is an .svg or .html; --json prints the lists")),
    }
}

fn text(a: &ComparisonReport<'_>) -> String {
    let found = a.skeleton.tp;
    let shares = |share: f64, of: usize, what: &str| format!("{share:.3}  ({found} of {of} {what})");
    let mut lines = vec![
        vec!["SHD".into(), a.shd.to_string()],
        vec!["precision".into(), shares(a.precision, found + a.skeleton.fp, "edges of B are in A")],
        vec!["recall".into(), shares(a.recall, found + a.skeleton.fn_, "edges of A are in B")],
        vec!["F1".into(), format!("{:.3}", a.f1)],
        vec!["alike".into(), count(a.arcs.same.len() as u64, "edge")],
    ];
    let differences: [(&str, &[[&str; 2]], &str); 5] = [
        ("only in A", &a.arcs.missing, "-"),
        ("only in B", &a.arcs.extra, "-"),
        ("reversed in B", &a.arcs.reversed, "->"),
        ("undirected in B", &a.arcs.undirected, "->"),
        ("directed in B", &a.arcs.directed, "->"),
    ];
    for (what, pairs, joint) in differences {
        for (i, [x, y]) in pairs.iter().enumerate() {
            let label = if i == 0 { format!("{what} ({})", pairs.len()) } else { String::new() };
            lines.push(vec![label, format!("{x} {joint} {y}")]);
        }
    }
    render::table(&[Align::Left, Align::Left], &lines)
}
