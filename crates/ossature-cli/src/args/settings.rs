//! The options that come from the catalogue: the learner, its halves, and every setting.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, ValueHint};
use ossature::learn::catalogue::rows::{HOW_MANY, START};
use ossature::learn::{Build, Catalogue, FirstHalf, Heading, How, Preset, Setting, Takes, Value, words};
use ossature::word::Word;

use super::{DataArgs, KnowledgeArgs};

const LEARNER: &str = "The learner";

/// The typed options that come from the catalogue.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chosen {
    pub(crate) learner: Option<String>,
    /// The name of a first half, or a file.
    pub(crate) restrict: Option<String>,
    pub(crate) maximise: Option<String>,
    pub(crate) preset: Option<Preset>,
    /// The file of an earlier result.
    pub(crate) settings: Option<PathBuf>,
    /// The graph that the search starts from: a file or an embedded name.
    pub(crate) start: Option<PathBuf>,
    pub(crate) given: Vec<(&'static str, Value)>,
}

impl Chosen {
    /// The typed options of a command.
    pub(crate) fn of(matches: &ArgMatches, catalogue: &Catalogue) -> Chosen {
        let text = |id: &str| matches.try_get_one::<String>(id).ok().flatten().cloned();
        let value = |setting: &Setting| {
            // What is read from a file is no value yet.
            let value = matches.try_get_one::<Value>(setting.name).ok().flatten().cloned();
            value.map(|value| (setting.name, value))
        };
        Chosen {
            learner: text("learner"),
            restrict: text("restrict"),
            maximise: text("maximise"),
            preset: matches.try_get_one::<Preset>("preset").ok().flatten().copied(),
            settings: matches.try_get_one::<PathBuf>("settings").ok().flatten().cloned(),
            start: matches.try_get_one::<PathBuf>(START.name).ok().flatten().cloned(),
            given: catalogue.settings.iter().filter_map(value).collect(),
        }
    }
}

/// The commands with options of the catalogue, which completions list after the others.
const WITH_SETTINGS: [&str; 5] = ["learn", "why", "neighbours", "cross-validate", "study"];

/// Adds the options of the catalogue to the commands that have any.
pub(crate) fn add(command: Command, catalogue: &Catalogue) -> Command {
    let present = WITH_SETTINGS.into_iter().filter(|name| command.find_subcommand(name).is_some());
    let present: Vec<&str> = present.collect();
    let add = |command: Command, name| command.mut_subcommand(name, |command| add_to(command, catalogue));
    with_negative_numbers(present.into_iter().fold(command, add))
}

fn add_to(command: Command, catalogue: &Catalogue) -> Command {
    let learning = |command: Command, offered: &dyn Fn(&Setting) -> bool| {
        let command = halves(learner(command, catalogue, |_| true, "h2pc"), catalogue);
        with_later(settings(command, catalogue, offered))
    };
    // A list of the best structures is of use only where it is shown.
    let lists = |s: &Setting| s.name == HOW_MANY.name;
    match command.get_name() {
        "learn" => learning(command, &|_| true),
        "why" => learning(command, &|s| !lists(s)),
        "neighbours" => {
            let looks_at_one = |name: &str| {
                let row = catalogue.learner(name).map(|row| row.how);
                matches!(row, Ok(How::Halves { restrict: Some(half), .. })
                    if catalogue.first(half).is_ok_and(FirstHalf::looks_at_one))
            };
            let command = learner(command, catalogue, looks_at_one, "hpc");
            let command = settings(command, catalogue, &|s| {
                s.heading == Heading::Tests && !["symmetry", "share"].contains(&s.name)
            });
            with_later(command)
        }
        "cross-validate" => {
            let command = preset(command, "Preset: a named set of settings [default: recommended]");
            // A network of a bootstrap is no learner's.
            let command = settings(command, catalogue, &|s| s.name != "bootstrap" && !lists(s));
            with_later(command)
        }
        "study" => preset(command, "Preset for learners given by name [default: paper]"),
        _ => command,
    }
}

/// Takes `-1` after an option as its value, which may then be refused for what it is.
fn with_negative_numbers(command: Command) -> Command {
    let command = command.mut_args(|arg| {
        let takes =
            arg.get_action().takes_values() && !arg.is_positional() && !arg.is_allow_hyphen_values_set();
        if takes { arg.allow_negative_numbers(true) } else { arg }
    });
    command.mut_subcommands(with_negative_numbers)
}

/// Adds the options that follow those of the catalogue; what the command is about stays.
fn with_later(command: Command) -> Command {
    let (about, long_about) = (command.get_about().cloned(), command.get_long_about().cloned());
    let command =
        DataArgs::augment_args(KnowledgeArgs::augment_args(command)).about(about.unwrap_or_default());
    match long_about {
        Some(text) => command.long_about(text),
        None => command.long_about(None),
    }
}

/// The options that follow those of the catalogue, in the order of the help.
pub(super) fn later(matches: &ArgMatches) -> Result<(KnowledgeArgs, DataArgs), clap::Error> {
    Ok((KnowledgeArgs::from_arg_matches(matches)?, DataArgs::from_arg_matches(matches)?))
}

fn learner(
    command: Command,
    catalogue: &Catalogue,
    offered: impl Fn(&str) -> bool,
    usual: &'static str,
) -> Command {
    let rows = catalogue.learners.iter().filter(|row| offered(row.name));
    let names = PossibleValuesParser::new(rows.map(|row| PossibleValue::new(row.name).help(row.title)));
    command.arg(
        Arg::new("learner")
            .long("learner")
            .value_name("NAME")
            .value_parser(names)
            .help_heading(LEARNER)
            .help(format!("Learner, by name [default: {usual}]")),
    )
}

fn halves(command: Command, catalogue: &Catalogue) -> Command {
    let first = catalogue.first.iter().filter(|half| !matches!(half.build, Build::Given(_)));
    let lines: Vec<String> = first.map(|half| format!("- {}: {}", half.name, half.title)).collect();
    let second = catalogue.second.iter().map(|half| PossibleValue::new(half.name).help(half.title));
    let none = PossibleValue::new("none").help("The skeleton alone");
    let maximise = PossibleValuesParser::new(second.chain([none]).collect::<Vec<_>>());
    command
        .mut_arg("learner", |arg| arg.conflicts_with_all(["restrict", "maximise"]))
        .arg(
            Arg::new("restrict")
                .long("restrict")
                .value_name("NAME|FILE")
                .value_hint(ValueHint::FilePath)
                .help_heading(LEARNER)
                .help("First half: how to find the skeleton, or a graph whose edges are the skeleton [default: hpc]")
                .long_help(format!(
                    "First half: how to find the skeleton that restricts the search [default: hpc]\n\n{}\n\
                     - none: The search is free\n- any graph file or embedded name: its edges are the skeleton",
                    lines.join("\n")
                )),
        )
        .arg(
            Arg::new("maximise")
                .long("maximise")
                .value_name("NAME")
                .value_parser(maximise)
                .help_heading(LEARNER)
                .help("Second half: how to find the directions [default: tabu]"),
        )
        .arg(
            Arg::new("preset")
                .long("preset")
                .value_name("NAME")
                .value_parser(word_parser::<Preset>())
                .conflicts_with("settings")
                .help_heading(LEARNER)
                .help("Preset: a named set of settings; other options override it [default: recommended]"),
        )
        .arg(
            Arg::new("settings")
                .long("settings")
                .value_name("FILE")
                .value_hint(ValueHint::FilePath)
                .value_parser(clap::value_parser!(PathBuf))
                .help_heading(LEARNER)
                .help("Use the settings, and the way of reading data, of an earlier result: the output of `learn --json` or `-o FILE.json`")
                .long_help(
                    "Use the settings of an earlier result: the output of `learn --json` or `-o FILE.json`\n\n\
                     Other options override them. The data is read as it was then, unless options say otherwise; --drop \
                     leaves out more columns than then, and --columns replaces both lists.",
                ),
        )
}

fn preset(command: Command, help: &'static str) -> Command {
    command.arg(
        Arg::new("preset").long("preset").value_name("NAME").value_parser(word_parser::<Preset>()).help(help),
    )
}

/// An option for each setting that is typed as a number or a word, and for the graph to start from.
fn settings(command: Command, catalogue: &Catalogue, offered: &dyn Fn(&Setting) -> bool) -> Command {
    let typed = |s: &&Setting| {
        let in_files = matches!(s.takes, Takes::Pairs | Takes::Tiers) && s.name != START.name;
        s.name != "seed" && !in_files && offered(s)
    };
    catalogue.settings.iter().filter(typed).fold(command, |command, setting| command.arg(option(setting)))
}

fn option(setting: &Setting) -> Arg {
    let usual = match ((setting.default)(), setting.without) {
        (Some(Value::Word(word)), _) => word,
        (Some(Value::Number(number)), _) => number.to_string(),
        (Some(Value::Whole(number)), _) => number.to_string(),
        (_, without) => without.to_owned(),
    };
    let line = format!("{} [default: {usual}]", setting.help);
    let arg = Arg::new(setting.name)
        .long(setting.name)
        .value_name(setting.value_name)
        .value_parser(parser(*setting))
        .help_heading(heading(setting.heading))
        .help(line.clone());
    let arg = if setting.name == START.name { arg.value_hint(ValueHint::FilePath) } else { arg };
    if setting.detail.is_empty() { arg } else { arg.long_help(format!("{line}\n\n{}", setting.detail)) }
}

fn heading(heading: Heading) -> &'static str {
    match heading {
        Heading::Tests => "The tests",
        Heading::Search => "The search",
        Heading::Knowledge => "Prior knowledge",
        Heading::Run => "The run",
    }
}

fn parser(setting: Setting) -> ValueParser {
    match setting.takes {
        Takes::Word(words) => possible(&words()).map(Value::Word).into(),
        Takes::Pairs | Takes::Tiers => clap::value_parser!(PathBuf),
        _ => ValueParser::from(move |text: &str| {
            setting.parse(text).map_err(|_| format!("{} is accepted", setting.accepted()))
        }),
    }
}

fn possible(words: &ossature::learn::Words) -> PossibleValuesParser {
    let value = |&(word, help): &(&'static str, &'static str)| {
        let aliases = words.aliases.iter().filter(|(_, meant)| *meant == word).map(|(alias, _)| *alias);
        PossibleValue::new(word).help(help).aliases(aliases.collect::<Vec<_>>())
    };
    PossibleValuesParser::new(words.words.iter().map(value))
}

/// One of the words of an enum.
pub(super) fn word_parser<W: Word + Send + Sync>() -> ValueParser {
    possible(&words::<W>()).map(|word| W::of(&word).expect("one of its words")).into()
}
