//! `ossature test`: one independence test.

use ossature::Var;
use ossature::ci::{Independence, TestSettings};
use ossature::word::Word;
use serde::Serialize;

use crate::args::Test;
use crate::failure::Failure;
use crate::plan;
use crate::render::{self, Align};
use crate::session::Session;

/// The answer as `--json` shows it; the first six keys are part of the contract.
#[derive(Serialize)]
struct Answer<'a> {
    statistic: f64,
    df: f64,
    p: f64,
    ln_p: f64,
    has_power: bool,
    independent: bool,
    x: &'a str,
    y: &'a str,
    z: &'a [String],
    test: &'static str,
    alpha: f64,
    power_rule: u32,
    seed: u64,
    rows: usize,
    version: &'static str,
}

pub(super) fn run(args: &Test, session: &Session<'_>) -> Result<(), Failure> {
    all_different(args)?;
    let data = plan::read_data(&args.data, &args.reading, session.seed, session)?.data;
    let kind = args.test.test;
    let settings = TestSettings {
        kind,
        power_rule: args.test.power_rule,
        seed: session.seed,
        count_without_power: true,
        ..TestSettings::default()
    };
    let (x, y) = (data.require(&args.x)?, data.require(&args.y)?);
    let z = args.z.iter().map(|name| data.require(name)).collect::<Result<Vec<Var>, _>>()?;
    let test = settings.build(&data);
    let found = Independence::new(&*test, args.test.alpha).ask(x, y, &z);
    let answer = Answer {
        statistic: found.outcome.statistic,
        df: found.outcome.df,
        p: found.outcome.p(),
        ln_p: found.outcome.ln_p(),
        has_power: found.outcome.has_power,
        independent: found.separated,
        x: &args.x,
        y: &args.y,
        z: &args.z,
        test: kind.word(),
        alpha: args.test.alpha,
        power_rule: args.test.power_rule.unwrap_or(kind.default_power_rule()),
        seed: session.seed,
        rows: data.rows(),
        version: env!("CARGO_PKG_VERSION"),
    };
    if args.json {
        return session.print(|out| render::json(&answer, out));
    }
    session.print(|out| out.write_all(text(&answer).as_bytes()))
}

/// A column cannot be tested against itself or given itself.
fn all_different(args: &Test) -> Result<(), Failure> {
    let mut names: Vec<&String> = [&args.x, &args.y].into_iter().chain(&args.z).collect();
    names.sort();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Failure::usage(format!("the column {:?} is named twice", pair[0]))
            .help("X, Y and the columns of Z must all be different")),
        None => Ok(()),
    }
}

fn text(a: &Answer<'_>) -> String {
    let given = if a.z.is_empty() { String::new() } else { format!(" given {}", a.z.join(", ")) };
    let verdict = match (a.independent, a.has_power) {
        (true, true) => "independent",
        (true, false) => "taken as independent: too few rows for this test to have power",
        (false, _) => "dependent",
    };
    let row = |what: &str, value: String| vec![what.to_owned(), value];
    let rows = [
        row("question", format!("{} and {}{given}", a.x, a.y)),
        row("test", format!("{} on {}", a.test, render::count(a.rows as u64, "row"))),
        row("statistic", format!("{:.4}", a.statistic)),
        row("df", format!("{}", a.df)),
        row("p", render::p_value(a.p, a.ln_p)),
        row("verdict", format!("{verdict} (alpha {})", a.alpha)),
    ];
    render::table(&[Align::Left, Align::Left], &rows)
}
