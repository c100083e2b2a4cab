//! `ossature test`: one independence test.

use ossature::Error;
use ossature::ci::{self, TestKind, TestReport, TestSettings};

use crate::args::Test;
use crate::failure::Failure;
use crate::reading;
use crate::render::{self, Align};
use crate::session::Session;

pub(super) fn run(args: &Test, session: &Session<'_>) -> Result<(), Failure> {
    ci::all_different(&args.x, &args.y, &args.z).map_err(misuse)?;
    let columns: Vec<&str> = [&args.x, &args.y].into_iter().chain(&args.z).map(String::as_str).collect();
    let data = reading::read_columns(&args.data, &columns, &args.reading, session.seed, session)?.data;
    let settings = TestSettings {
        kind: args.test.test.unwrap_or(TestKind::usual(data.kind())),
        power_rule: args.test.power_rule,
        seed: session.seed,
        ..TestSettings::default()
    };
    let report = settings.report(&data, args.test.alpha, &args.x, &args.y, &args.z)?;
    if args.json {
        return session.print(|out| render::json(&report, out));
    }
    session.show(&text(&report))
}

/// The failure for a command line that is wrong whatever the data.
fn misuse(error: Error) -> Failure {
    match error {
        Error::Mismatch { what, accepted } => Failure::usage(what).help(accepted),
        other => Failure::from(other),
    }
}

fn text(a: &TestReport<'_>) -> String {
    let given = if a.z.is_empty() { String::new() } else { format!(" given {}", a.z.join(", ")) };
    let verdict = match (a.independent, a.has_power) {
        (true, true) => "independent",
        (true, false) => "assumed independent: too few rows for a test with power",
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
