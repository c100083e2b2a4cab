//! `ossature compare`: how far one structure is from another.

use ossature::Var;
use ossature::graph::{ArcDifferences, Comparison, compare_named};
use serde::Serialize;

use crate::args::Compare;
use crate::failure::Failure;
use crate::plan::Source;
use crate::render::{self, Align, count};
use crate::session::Session;

/// The answer as `--json` shows it; the keys are part of the contract.
#[derive(Serialize)]
struct Answer<'a> {
    shd: usize,
    skeleton: Skeleton,
    precision: f64,
    recall: f64,
    f1: f64,
    arcs: Arcs<'a>,
    version: &'static str,
}

#[derive(Serialize)]
struct Skeleton {
    tp: usize,
    fp: usize,
    r#fn: usize,
}

type Pairs<'a> = Vec<[&'a str; 2]>;

#[derive(Serialize)]
struct Arcs<'a> {
    same: Pairs<'a>,
    missing: Pairs<'a>,
    extra: Pairs<'a>,
    reversed: Pairs<'a>,
    undirected: Pairs<'a>,
    directed: Pairs<'a>,
}

pub(super) fn run(args: &Compare, session: &Session<'_>) -> Result<(), Failure> {
    let (truth, other) = (Source::new(&args.truth)?, Source::new(&args.other)?);
    let (names, comparison) = compare_named(&truth.graph(session)?, &other.graph(session)?);
    let answer = answer(&names, &comparison);
    if args.json {
        return session.print(|out| render::json(&answer, out));
    }
    session.print(|out| out.write_all(text(&answer).as_bytes()))
}

fn answer<'a>(names: &'a [String], c: &Comparison) -> Answer<'a> {
    let named = |pairs: &[(Var, Var)]| {
        pairs.iter().map(|&(x, y)| [names[x.index()].as_str(), names[y.index()].as_str()]).collect()
    };
    let ArcDifferences { same, missing, extra, reversed, undirected, directed } = &c.arcs;
    Answer {
        shd: c.shd,
        skeleton: Skeleton { tp: c.skeleton.tp, fp: c.skeleton.fp, r#fn: c.skeleton.fn_ },
        precision: c.precision,
        recall: c.recall,
        f1: c.f1,
        arcs: Arcs {
            same: named(same),
            missing: named(missing),
            extra: named(extra),
            reversed: named(reversed),
            undirected: named(undirected),
            directed: named(directed),
        },
        version: env!("CARGO_PKG_VERSION"),
    }
}

fn text(a: &Answer<'_>) -> String {
    let found = a.skeleton.tp;
    let shares = |share: f64, of: usize, what: &str| format!("{share:.3}  ({found} of {of} {what})");
    let mut lines = vec![
        vec!["SHD".into(), a.shd.to_string()],
        vec!["precision".into(), shares(a.precision, found + a.skeleton.fp, "edges of B are in A")],
        vec!["recall".into(), shares(a.recall, found + a.skeleton.r#fn, "edges of A are in B")],
        vec!["F1".into(), format!("{:.3}", a.f1)],
        vec!["alike".into(), count(a.arcs.same.len() as u64, "edge")],
    ];
    let differences: [(&str, &Pairs<'_>, &str); 5] = [
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
