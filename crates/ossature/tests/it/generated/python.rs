//! The Python module with a class for each learner, and a function that learns in one line.

use std::fmt::Write;

use ossature::learn::{Build, Catalogue, Heading, LearnerRow, Preset, Returns, Takes};
use ossature::word::Word;

use super::HOW;
use super::keywords::{Keyword, alias, halves, keywords, literal};

/// The longest line.
const WIDTH: usize = 118;

/// Settings that the command reads from files, and the forms in which Python takes them.
const FORMS: [(&str, &str); 4] = [
    (
        "CSV with the columns from,to",
        "pairs of names, a directed graph, or a frame with the columns from and to",
    ),
    (
        "Tiers: CSV with the columns variable,tier",
        "A number for each variable: a mapping, pairs, or a frame with the columns variable and tier",
    ),
    ("a file or an embedded name", "a graph, a network, a learner that has learned, or pairs of names"),
    ("of the tables in a .bif", "of the tables of ``fit_parameters``"),
];

/// Keywords that are not settings of the library, before and after those that are: name, type, value, help.
const BEFORE: [(&str, &str, &str, &str); 3] = [
    ("preset", "PresetWord", "\"recommended\"", ""),
    (
        "missing",
        "Missing",
        "\"error\"",
        "how to treat missing values; \"error\", \"drop\", \"level\", \"available\" or \"em\"",
    ),
    (
        "kinds",
        "Kinds | None",
        "None",
        "kinds of columns by name, \"discrete\" or \"continuous\"; those of floats are continuous unless it says otherwise",
    ),
];
const AFTER: [(&str, &str, &str, &str); 3] = [
    (
        "n_jobs",
        "int | None",
        "None",
        "threads, as in scikit-learn (None is 1, -1 all cores); never changes a result",
    ),
    (
        "time_limit",
        "float | None",
        "None",
        "seconds after which a search ends with its best structure so far (None: no limit)",
    ),
    (
        "progress",
        "Progress",
        "False",
        "True for a bar, or a function that is called with the phase, how much of it is done and the total (None if \
         that is not known)",
    ),
];

const HEADINGS: [(Heading, &str); 4] = [
    (Heading::Tests, "The tests:"),
    (Heading::Search, "The search:"),
    (Heading::Knowledge, "Prior knowledge:"),
    (Heading::Run, "How it is run:"),
];

/// The examples of a class and of its function: the code after the rows are drawn, and its output.
fn examples(row: &LearnerRow) -> (String, String) {
    let LearnerRow { name, class, .. } = row;
    let of_class = match *name {
        "h2pc" => {
            ">>> learner = ossature.H2PC().fit(rows)\n\
             >>> learner.dag_\n<Dag: 8 nodes, 6 arcs>\n\
             >>> learner.cpdag_.undirected\n[('asia', 'tub'), ('bronc', 'dysp'), ('bronc', 'smoke')]"
        }
        "mmhc" => ">>> ossature.MMHC().fit(rows).dag_.parents(\"either\")\n['lung', 'tub']",
        "hc" => {
            ">>> learner = ossature.HC(criterion=\"bic\", max_parents=2).fit(rows)\n\
             >>> round(learner.score_ - ossature.score(rows, learner.dag_, criterion=\"bic\"), 9)\n0.0"
        }
        "tabu" => ">>> ossature.Tabu().fit(rows).score_ >= ossature.H2PC().fit(rows).score_\nTrue",
        "hpc" => ">>> ossature.HPC().fit(rows).skeleton_.neighbours(\"bronc\")\n['dysp', 'smoke']",
        "mmpc" => ">>> ossature.MMPC(alpha=0.01).fit(rows).skeleton_\n<Skeleton: 8 nodes, 4 edges>",
        _ => &format!(">>> ossature.{class}().fit(rows).report_[\"learner\"]\n'{name}'"),
    };
    let of_function = match *name {
        "h2pc" => {
            ">>> print(ossature.h2pc(rows))\nDag of 8 nodes, 6 arcs\n  bronc -> smoke\n  dysp -> bronc\n  either -> xray\n  \
             lung -> either\n  tub -> asia\n  tub -> either"
        }
        "mmhc" => ">>> ossature.mmhc(rows)\n<Dag: 8 nodes, 5 arcs>",
        "tabu" => ">>> ossature.tabu(rows, max_parents=1).parents(\"xray\")\n['either']",
        "hpc" | "mmpc" => &format!(">>> ossature.{name}(rows).neighbours(\"bronc\")\n['dysp', 'smoke']"),
        _ => &format!(">>> ossature.{}(rows).nodes[0]\n'asia'", function_name(row)),
    };
    (of_class.to_owned(), of_function.to_owned())
}

const ROWS: &str = ">>> import ossature\n>>> rows = ossature.load_network(\"asia\").sample(1000, seed=1)";

/// The whole module.
pub(super) fn module(catalogue: &Catalogue) -> String {
    let rows = &catalogue.learners;
    let returns = |returns: Returns| rows.iter().any(|row| catalogue.returns(row) == returns);
    let graphs = [(Returns::Cpdag, "Cpdag"), (Returns::Dag, "Dag"), (Returns::Skeleton, "Skeleton")];
    let graphs: Vec<&str> =
        graphs.into_iter().filter(|(kind, _)| returns(*kind)).map(|(_, name)| name).collect();
    let mut names: Vec<String> =
        rows.iter().flat_map(|row| [row.class.to_owned(), function_name(row)]).collect();
    names.push("Hybrid".into());
    names.sort_unstable();
    let names: String = names.iter().map(|name| format!("    {name:?},\n")).collect();
    let mut text = format!(
        "\"\"\"The learners as classes, and for each a function that learns in one line.\n\n\
         The constructor only stores its keywords, which are named like the options of the command and have the same\n\
         defaults; ``fit`` learns and returns the learner; what was learned is in attributes that end in ``_``.\n\n\
         Generated from the catalogue of the library and not to be edited: after a change of the catalogue,\n\
         ``{HOW}`` writes this file anew.\n\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from typing import TYPE_CHECKING, Any, Literal, TypedDict\n\n\
         from .base import DagLearner, Halves, Learner\n\
         from .given import Kinds, Missing, has_keywords_of\n\
         from .graphs import {}\n\
         from .progress import Progress\n\
         from .table import Frame\n\n\
         if TYPE_CHECKING:\n    from typing_extensions import Unpack\n\n\
         __all__ = [\n{names}]\n\n",
        graphs.join(", "),
    );
    aliases(&mut text, catalogue);
    rows.iter().for_each(|row| learner(&mut text, catalogue, row));
    hybrid(&mut text, catalogue);
    text.push_str("\n\nBY_NAME: dict[str, type[Learner]] = {\n");
    rows.iter().for_each(|row| _ = writeln!(text, "    {:?}: {},", row.name, row.class));
    text.push_str("}\n\"\"\"The classes by the names of the catalogue.\"\"\"\n");
    rows.iter().for_each(|row| function(&mut text, catalogue, row));
    text
}

/// The words that settings accept, as types, so that a type checker finds an unknown word.
fn aliases(text: &mut String, catalogue: &Catalogue) {
    let mut alias_of = |name: &str, words: &mut dyn Iterator<Item = &str>| {
        let words: Vec<String> = words.map(|word| format!("{word:?}")).collect();
        _ = writeln!(text, "{name} = Literal[{}]", words.join(", "));
    };
    alias_of("PresetWord", &mut Preset::WORDS.iter().map(|(_, word, _)| *word));
    alias_of("SecondHalf", &mut catalogue.second.iter().map(|half| half.name));
    for setting in &catalogue.settings {
        if let Takes::Word(words) = setting.takes {
            alias_of(&alias(setting), &mut words().words.iter().map(|(word, _)| *word));
        }
    }
}

fn learner(text: &mut String, catalogue: &Catalogue, row: &LearnerRow) {
    let base = match catalogue.returns(row) {
        Returns::Skeleton => "Learner",
        Returns::Dag | Returns::Cpdag => "DagLearner",
    };
    let keywords = keywords(catalogue, &[*row]);
    let mut lines = Vec::new();
    wrap(&mut lines, &format!("{}.", row.title), "", 3);
    lines.push(String::new());
    wrap(&mut lines, row.citation, "", 0);
    document(&mut lines, &keywords);
    example(&mut lines, &examples(row).0);
    class(text, row.class, base, &format!("{:?}", row.name), &lines, &[], &keywords);
}

/// The class whose halves are chosen.
fn hybrid(text: &mut String, catalogue: &Catalogue) {
    let keywords = keywords(catalogue, &halves(catalogue));
    let given = |build: &Build| matches!(build, Build::Given(_));
    let first = catalogue.first.iter().filter(|half| !given(&half.build)).map(|half| half.name);
    let second = catalogue.second.iter().map(|half| half.name);
    let mut lines = Vec::new();
    wrap(
        &mut lines,
        "Any two halves: the first finds which edges are possible, the second directs them.",
        "",
        3,
    );
    lines.extend(["", "The halves:", ""].map(str::to_owned));
    let restrict = format!(
        "- ``restrict``: the first half by name, {}; or a given skeleton, as a graph or as a list of edges; or \
         None for a free search",
        quoted(first)
    );
    let maximise = format!(
        "- ``maximise``: the second half by name, {}; or None for the skeleton alone, without a ``dag_``",
        quoted(second)
    );
    wrap(&mut lines, &restrict, "  ", 0);
    wrap(&mut lines, &maximise, "  ", 0);
    lines.push(String::new());
    wrap(&mut lines, "A setting that neither half uses is refused, unless it is left as it is.", "", 0);
    document(&mut lines, &keywords);
    example(
        &mut lines,
        ">>> ossature.Hybrid(restrict=\"mmpc\", maximise=\"hc\").fit(rows).report_[\"learner\"]\n'mmpc+hc'\n\
         >>> learner = ossature.Hybrid(restrict=[(\"smoke\", \"bronc\"), (\"bronc\", \"dysp\")]).fit(rows)\n\
         >>> learner.dag_.skeleton().edges\n[('bronc', 'dysp'), ('bronc', 'smoke')]",
    );
    let halves = [("restrict", "Any", "\"hpc\"", ""), ("maximise", "SecondHalf | None", "\"tabu\"", "")];
    class(text, "Hybrid", "Halves", "None", &lines, &halves, &keywords);
}

/// A class with its documentation, whose constructor stores the keywords.
fn class(
    text: &mut String,
    name: &str,
    base: &str,
    learner: &str,
    documentation: &[String],
    first: &[(&str, &str, &str, &str)],
    keywords: &[Keyword<'_>],
) {
    _ = write!(text, "\n\nclass {name}({base}):\n    \"\"\"");
    let [opening, rest @ ..] = documentation else { panic!("{name} has a title") };
    _ = writeln!(text, "{opening}");
    for line in rest {
        _ = writeln!(text, "{}", format!("    {line}").trim_end());
    }
    _ = write!(
        text,
        "    \"\"\"\n\n    _learner = {learner}\n\n    def __init__(\n        self,\n        *,\n"
    );
    let all = all_keywords(first, keywords);
    all.iter().for_each(|[name, kind, value]| _ = writeln!(text, "        {name}: {kind} = {value},"));
    text.push_str("    ) -> None:\n");
    all.iter().for_each(|[name, ..]| _ = writeln!(text, "        self.{name} = {name}"));
}

/// The name, type and value of every keyword of a class, in order.
fn all_keywords(first: &[(&str, &str, &str, &str)], keywords: &[Keyword<'_>]) -> Vec<[String; 3]> {
    let own =
        |(name, kind, value, _): &(&str, &str, &str, &str)| [name, kind, value].map(|s| (*s).to_owned());
    let setting = |k: &Keyword<'_>| [k.setting.python_keyword(), k.kind(), literal(k.default().as_ref())];
    let run = |keyword: &&Keyword<'_>| keyword.setting.heading == Heading::Run;
    first
        .iter()
        .map(own)
        .chain(keywords.iter().filter(|keyword| !run(keyword)).map(setting))
        .chain(BEFORE.iter().map(own))
        .chain(keywords.iter().filter(run).map(setting))
        .chain(AFTER.iter().map(own))
        .collect()
}

/// The keywords, each under its heading.
fn document(lines: &mut Vec<String>, keywords: &[Keyword<'_>]) {
    for (heading, title) in HEADINGS {
        let of_heading = keywords.iter().filter(|keyword| keyword.setting.heading == heading);
        let mut items: Vec<String> = of_heading.map(described).collect();
        if heading == Heading::Run {
            let own = |(name, _, _, help): &(&str, &str, &str, &str)| match *name {
                "preset" => format!("- ``preset``: {}", presets()),
                _ => format!("- ``{name}``: {help}"),
            };
            items = BEFORE.iter().map(own).chain(items).chain(AFTER.iter().map(own)).collect();
        }
        if !items.is_empty() {
            lines.extend(["", title, ""].map(str::to_owned));
            items.iter().for_each(|item| wrap(lines, item, "  ", 0));
        }
    }
}

fn described(keyword: &Keyword<'_>) -> String {
    let setting = keyword.setting;
    let help = FORMS.iter().fold(setting.help.to_owned(), |help, (file, form)| help.replace(file, form));
    let help = small(&help);
    let words = match setting.takes {
        Takes::Word(words) => format!("; {}", quoted(words().words.iter().map(|(word, _)| *word))),
        _ => String::new(),
    };
    let only = setting.only_with.map(|(other, words)| {
        let other = ossature::learn::Catalogue::standard().setting(other).unwrap().python_keyword();
        format!("; only with {other} {}", quoted(words.iter().copied()))
    });
    let none = keyword.none().map(|none| format!("; None: {none}"));
    format!(
        "- ``{}``: {help}{words}{}{}",
        setting.python_keyword(),
        only.unwrap_or_default(),
        none.unwrap_or_default()
    )
}

fn presets() -> String {
    let preset = |(_, word, help): &(Preset, &str, &str)| format!("{word:?} ({})", small(help));
    let presets: Vec<String> = Preset::WORDS.iter().map(preset).collect();
    format!("a named set of settings: {}", listed(presets.iter().map(String::as_str)))
}

/// The function that learns in one line.
fn function(text: &mut String, catalogue: &Catalogue, row: &LearnerRow) {
    let (kind, what) = match catalogue.returns(row) {
        Returns::Dag => ("Dag", "a DAG"),
        Returns::Cpdag => ("Cpdag", "an equivalence class"),
        Returns::Skeleton => ("Skeleton", "a skeleton"),
    };
    let (name, attribute) = (function_name(row), kind.to_lowercase());
    let mut lines = vec![format!("Learns {what} by :class:`{}`, whose keywords it has.", row.class)];
    example(&mut lines, &examples(row).1);
    let class = row.class;
    _ = write!(text, "\n\nclass _{class}Keywords(TypedDict, total=False):\n");
    for [keyword, kind, _] in all_keywords(&[], &keywords(catalogue, &[*row])) {
        _ = writeln!(text, "    {keyword}: {kind}");
    }
    _ = write!(
        text,
        "\n\n@has_keywords_of({class})\ndef {name}(X: Frame, **settings: Unpack[_{class}Keywords]) -> {kind}:\n    \
         \"\"\"{}\n",
        lines[0]
    );
    for line in &lines[1..] {
        _ = writeln!(text, "{}", format!("    {line}").trim_end());
    }
    _ = writeln!(text, "    \"\"\"\n    return {}(**settings).fit(X).{attribute}_", row.class);
}

fn function_name(row: &LearnerRow) -> String {
    row.name.replace('-', "_")
}

fn example(lines: &mut Vec<String>, example: &str) {
    lines.push(String::new());
    lines.extend(ROWS.lines().chain(example.lines()).map(str::to_owned));
}

/// Appends a text, wrapped into lines that are not too long, all but the first indented.
fn wrap(lines: &mut Vec<String>, text: &str, indent: &str, taken: usize) {
    let mut line = String::new();
    let mut room = WIDTH - 4 - taken;
    for word in text.split(' ') {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > room {
            lines.push(std::mem::replace(&mut line, indent.to_owned()));
            room = WIDTH - 4;
        } else if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
}

/// The text with a small first letter, unless the first word is a name.
fn small(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            format!("{}{}", first.to_lowercase(), letters.as_str())
        }
        _ => text.to_owned(),
    }
}

fn listed<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.collect();
    match words.as_slice() {
        [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
        words => words.concat(),
    }
}

fn quoted<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.map(|word| format!("{word:?}")).collect();
    listed(words.iter().map(String::as_str))
}
