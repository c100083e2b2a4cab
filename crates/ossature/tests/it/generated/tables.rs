//! The tables of learners and of settings in the documentation.

use std::fmt::Write;

use ossature::learn::{Catalogue, Heading, Preset, Setting, Takes};
use ossature::word::Word;

use super::HOW;
use super::keywords::{ELSEWHERE, plain};

/// The page about the learners.
pub(super) fn learners(catalogue: &Catalogue) -> String {
    let mut text = page("Learners", "`ossature learners` and `ossature.learners()` show the same.");
    text.push_str(
        "A learner is most often made of two halves: the first finds which edges are possible, the second directs \
         them. Any first half goes with any second half: `--restrict` and `--maximise`, or `ossature.Hybrid` in \
         Python.\n\n| learner | Python | what it does | result | first half | second half | from |\n|---|---|---|---|---|---|---|\n",
    );
    let half = |half: Option<&str>| half.map(code).unwrap_or_default();
    for (row, report) in catalogue.learners.iter().zip(catalogue.report()) {
        let (restrict, maximise) = (half(report.restrict), half(report.maximise));
        let [title, citation] = [row.title, row.citation].map(cell);
        _ = writeln!(
            text,
            "| `{}` | `{}` | {title} | {} | {restrict} | {maximise} | {citation} |",
            row.name, row.class, report.result
        );
    }
    text.push_str("\n## First halves\n\n| name | what it does | asks tests |\n|---|---|---|\n");
    for half in &catalogue.first {
        let tests = yes(half.asks_tests());
        _ = writeln!(text, "| `{}` | {} | {tests} |", half.name, cell(half.title));
    }
    text.push_str("\n## Second halves\n\n| name | what it does | result | asks tests | uses a score |\n|---|---|---|---|---|\n");
    for half in &catalogue.second {
        let (tests, score) = (yes(half.asks_tests), yes(half.uses_score));
        let (title, result) = (cell(half.title), half.returns.word());
        _ = writeln!(text, "| `{}` | {title} | {result} | {tests} | {score} |", half.name);
    }
    text
}

/// The page about the settings.
pub(super) fn settings(catalogue: &Catalogue) -> String {
    let mut text = page("Settings", "`ossature learn --help` and `help(ossature.H2PC)` show the same.");
    text.push_str(
        "An option of the command has hyphens, a keyword of Python and a key of a report underscores. A setting that \
         the learner does not use is refused.\n",
    );
    let headings = [
        (Heading::Tests, "Tests"),
        (Heading::Search, "Search"),
        (Heading::Knowledge, "Prior knowledge"),
        (Heading::Run, "Run"),
    ];
    for (heading, title) in headings {
        _ = write!(
            text,
            "\n## {title}\n\n| option | Python | takes | unless given | used by | what it is |\n|---|---|---|---|---|---|\n"
        );
        let of_heading = || catalogue.settings.iter().filter(|setting| setting.heading == heading);
        of_heading().for_each(|setting| row(&mut text, catalogue, setting));
        for setting in of_heading() {
            if let Takes::Word(words) = setting.takes {
                _ = write!(text, "\n`--{}`:\n\n", setting.name);
                let words = words();
                for (word, help) in &words.words {
                    let also: Vec<String> = words
                        .aliases
                        .iter()
                        .filter(|(_, of)| of == word)
                        .map(|(alias, _)| code(alias))
                        .collect();
                    let also =
                        if also.is_empty() { String::new() } else { format!(" (also {})", also.join(", ")) };
                    _ = writeln!(text, "- `{word}`{also}: {help}");
                }
            }
        }
    }
    text.push_str("\n## Presets\n\n`--preset`, in Python `preset`:\n\n");
    Preset::WORDS.iter().for_each(|(_, word, help)| _ = writeln!(text, "- `{word}`: {help}"));
    text
}

fn row(text: &mut String, catalogue: &Catalogue, setting: &Setting) {
    let elsewhere = ELSEWHERE.iter().find(|(name, _)| *name == setting.name).map(|(_, place)| *place);
    let python = elsewhere.map_or_else(|| code(&setting.python_keyword()), str::to_owned);
    let default = match (setting.default)() {
        Some(value) => code(&plain(&value)),
        None => setting.without.to_owned(),
    };
    let takes = match setting.takes {
        Takes::Word(_) => "a word".into(),
        _ => setting.accepted(),
    };
    let [help, detail] = [setting.help, setting.detail].map(cell);
    let stop = if help.ends_with('?') { " " } else { ". " };
    let help = if detail.is_empty() { help } else { format!("{help}{stop}{detail}") };
    let used = used_by(catalogue, setting);
    _ = writeln!(
        text,
        "| {} | {python} | {takes} | {default} | {used} | {help} |",
        option(catalogue, setting)
    );
}

/// The option of a setting. A given skeleton comes with the option for first halves.
fn option(catalogue: &Catalogue, setting: &Setting) -> String {
    let own = |half: &ossature::learn::FirstHalf| half.settings.iter().any(|s| s.name == setting.name);
    match catalogue.first.iter().any(|half| !half.asks_tests() && own(half)) {
        true => "`--restrict`".into(),
        false => code(&format!("--{}", setting.name)),
    }
}

fn used_by(catalogue: &Catalogue, setting: &Setting) -> String {
    let uses = |row: &&ossature::learn::LearnerRow| {
        catalogue.used_by(row).iter().any(|used| used.name == setting.name)
    };
    let users: Vec<&str> = catalogue.learners.iter().filter(uses).map(|row| row.name).collect();
    let users = match users.len() {
        0 => "a given skeleton".into(),
        n if n == catalogue.learners.len() => "all".into(),
        _ => users.join(", "),
    };
    match setting.only_with {
        Some((other, words)) => format!("{users}; with `{other}` {}", words.join(" or ")),
        None => users,
    }
}

fn page(title: &str, also: &str) -> String {
    format!(
        "# {title}\n\n<!-- Generated from the catalogue of the library and not to be edited: `{HOW}` writes this page \
         anew. -->\n\n{also} "
    )
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

fn cell(text: &str) -> String {
    text.trim_end_matches('.').replace('|', "\\|")
}

fn yes(condition: bool) -> &'static str {
    if condition { "yes" } else { "no" }
}
