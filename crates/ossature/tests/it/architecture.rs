//! The rooms of the library use only what they may.
//!
//! The paths in the source show which room uses which; the table below says which may, and another table
//! which crate of the workspace may depend on which. Files are opened in one place, and nothing is printed.
//! No two types have the same name, and messages do not name options of the command. Comments, strings and
//! tests inside the source do not count.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The room on the left may use only the rooms on the right.
const MAY_USE: &[(&str, &[&str])] = &[
    ("error", &[]),
    ("progress", &[]),
    ("file", &[]),
    ("random", &[]),
    ("text", &[]),
    ("parallel", &[]),
    ("sharded", &[]),
    ("word", &[]),
    ("data", &[]),
    ("graph", &["data"]),
    ("counts", &["data"]),
    ("network", &["data", "graph", "counts", "score"]),
    ("infer", &["data", "graph", "counts", "network"]),
    ("moments", &["counts", "data"]),
    ("sources", &["counts", "data", "moments"]),
    ("ci", &["counts", "data", "graph", "moments", "sources"]),
    ("score", &["counts", "data", "graph", "moments", "sources"]),
    ("halves", &["ci", "score", "graph", "data"]),
    ("local", &["halves", "ci", "graph", "data"]),
    ("orient", &["halves", "local", "ci", "graph", "data"]),
    ("search", &["halves", "score", "graph", "data"]),
    (
        "learn",
        &[
            "graph", "data", "counts", "moments", "sources", "network", "infer", "ci", "score", "halves",
            "local", "orient", "search",
        ],
    ),
];

/// Rooms that all others may use.
const SHARED: &[&str] = &["error", "progress", "file", "parallel", "random", "sharded", "text", "word"];

/// The crates of the workspace that each crate may depend on, by the folder of its manifest.
const MAY_DEPEND: &[(&str, &[&str])] = &[
    ("crates/ossature", &[]),
    ("crates/ossature-draw", &["ossature"]),
    ("crates/ossature-study", &["ossature"]),
    ("crates/ossature-cli", &["ossature", "ossature-draw", "ossature-study"]),
    ("python", &["ossature", "ossature-draw", "ossature-cli"]),
];

/// Calls that open files, and macros that print.
const OPENS: &[&str] = &["fs::read", "fs::write", "fs::rename", "File::open", "File::create", "OpenOptions"];
const PRINTS: &[&str] = &["println!", "print!", "eprintln!", "eprint!", "dbg!"];

#[test]
fn every_room_uses_only_what_it_may() {
    let front_door = fs::read_to_string(source().join("lib.rs")).unwrap();
    let exported = reexports(&front_door);
    let mut breaches = Vec::new();
    for (path, module, text) in files() {
        let Some(room) = module.first() else { continue };
        let Some((_, may)) = MAY_USE.iter().find(|(name, _)| name == room) else {
            breaches.push(format!("{}: the room {room} is not in the table", path.display()));
            continue;
        };
        for name in used(&text, module.len()) {
            let used = exported.get(&name).unwrap_or(&name);
            if used != room && !may.contains(&used.as_str()) && !SHARED.contains(&used.as_str()) {
                breaches.push(format!("{}: {room} uses {used}", path.display()));
            }
        }
    }
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

#[test]
fn files_are_opened_in_one_place_and_nothing_is_printed() {
    let mut breaches = Vec::new();
    for (path, module, text) in files() {
        let opens = OPENS.iter().filter(|_| module != ["file"]);
        for word in opens.chain(PRINTS).filter(|word| has_word(&text, word)) {
            breaches.push(format!("{}: {word}", path.display()));
        }
    }
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

#[test]
fn every_crate_depends_only_on_what_it_may() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // A packaged crate is tested without the others.
    for (folder, may) in MAY_DEPEND.iter().filter(|(folder, _)| root.join(folder).is_dir()) {
        let manifest = fs::read_to_string(root.join(folder).join("Cargo.toml")).unwrap();
        let dependencies = manifest.split_once("[dependencies]").unwrap().1.split("\n[").next().unwrap();
        let named = dependencies.lines().filter_map(|line| line.split(['.', ' ']).next());
        let ours: Vec<&str> = named.filter(|name| name.starts_with("ossature")).collect();
        let breach = ours.iter().find(|name| !may.contains(name));
        assert_eq!(breach, None, "{folder} depends on what it may not");
        assert_eq!(ours.len(), may.len(), "{folder} may depend on more than it does");
    }
}

#[test]
fn the_name_of_a_type_is_its_own() {
    let mut homes: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for (path, _, code) in files().into_iter().filter(|(_, module, _)| !module.ends_with(&["tests".into()])) {
        for name in types(&code) {
            homes.entry(name).or_default().push(path.clone());
        }
    }
    let shared: Vec<_> = homes.iter().filter(|(_, homes)| homes.len() > 1).collect();
    assert!(shared.is_empty(), "{shared:#?}");
}

#[test]
fn messages_name_no_options_of_the_command() {
    for (path, ..) in files() {
        let code = fs::read_to_string(&path).unwrap();
        let code = code.split("#[cfg(test)]").next().unwrap_or_default();
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let mut after = line.split("--").skip(1);
            let option = after.any(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
            assert!(!option, "{}: {line}", path.display());
        }
    }
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every source file: its path, its module path and its code.
fn files() -> Vec<(PathBuf, Vec<String>, String)> {
    let mut found = Vec::new();
    let mut open = vec![source()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let inside = path.strip_prefix(source()).unwrap().with_extension("");
                let mut module: Vec<String> =
                    inside.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
                if module.last().is_some_and(|last| last == "mod" || last == "lib") {
                    module.pop();
                }
                if module.last().is_some_and(|last| last == "tests") {
                    continue; // compiled for tests only
                }
                let code = without_tests(&without_comments(&fs::read_to_string(&path).unwrap()));
                found.push((path, module, code));
            }
        }
    }
    assert!(found.len() > 10, "the source is somewhere else");
    found.sort();
    found
}

/// The code without comments, and with empty strings and characters.
fn without_comments(code: &str) -> String {
    let mut kept = String::new();
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let raw = rest.strip_prefix('r').map(|r| r.len() - r.trim_start_matches('#').len());
        let starts_raw = raw.is_some_and(|n| rest[1 + n..].starts_with('"'))
            && !kept.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if starts_raw {
            let end = format!("\"{}", "#".repeat(raw.unwrap_or(0)));
            let begin = 1 + end.len();
            rest[begin..].find(&end).map_or(rest.len(), |i| begin + i + end.len())
        } else if c == '"' {
            quoted(rest, '"').unwrap_or(rest.len())
        } else if c == '\'' {
            // A lifetime has no closing quote; a character has one within a few bytes.
            quoted(rest, '\'').filter(|&n| n <= 12 && is_char(&rest[..n])).unwrap_or(0)
        } else {
            0
        };
        if length == 0 {
            kept.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            kept.push(' ');
            rest = &rest[length..];
        }
    }
    kept
}

/// The length of a quoted text, including its quotes.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(i + 1),
            _ => {}
        }
    }
    None
}

fn is_char(literal: &str) -> bool {
    literal.starts_with("'\\") || literal.chars().count() == 3
}

/// The code without the parts that are compiled only for tests.
fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let Some(start) = code.find(MARK) else { return code.to_owned() };
    let item = &code[start + MARK.len()..];
    let mut depth = 0;
    let end = item.char_indices().find(|&(_, c)| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        depth == 0 && (c == '}' || c == ';')
    });
    let after = end.map_or("", |(i, _)| &item[i + 1..]);
    code[..start].to_owned() + &without_tests(after)
}

/// The first names of all paths that start at the root of the crate, from a module at this depth.
fn used(code: &str, depth: usize) -> Vec<String> {
    let to_root = "super::".repeat(depth);
    let mut found = Vec::new();
    for root in ["crate::", to_root.as_str()].into_iter().filter(|root| !root.is_empty()) {
        for (i, _) in code.match_indices(root) {
            let before = code[..i].chars().next_back();
            // `super::super::x` ends in `super::x`, but is one level higher.
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '$') {
                continue;
            }
            found.extend(first_names(&code[i + root.len()..]));
        }
    }
    found
}

/// `a::b` gives a; `{a::{b, c}, d}` gives a and d.
fn first_names(path: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        text.trim_start().chars().take_while(|&c| c.is_alphanumeric() || c == '_' || c == '*').collect()
    };
    let Some(group) = path.strip_prefix('{') else { return vec![name(path)] };
    let mut names = vec![name(group)];
    let mut depth = 0;
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(name(&group[i + 1..])),
            _ => {}
        }
    }
    names.retain(|n| !n.is_empty());
    names
}

/// The names of the types declared in the code.
fn types(code: &str) -> impl Iterator<Item = String> {
    let words: Vec<&str> =
        code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect();
    let declared = words.windows(2).filter(|pair| ["struct", "enum", "trait"].contains(&pair[0]));
    declared.map(|pair| pair[1].to_owned()).collect::<Vec<_>>().into_iter()
}

/// The names exported at the root of the crate, and the rooms they come from.
fn reexports(front_door: &str) -> BTreeMap<String, String> {
    let code = without_comments(front_door);
    let mut exported = BTreeMap::new();
    for statement in code.split("pub use ").skip(1) {
        let Some((room, rest)) = statement.split_once("::") else { continue };
        let names = rest.split(';').next().unwrap_or_default();
        for name in names.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|n| !n.is_empty()) {
            exported.insert(name.to_owned(), room.trim().to_owned());
        }
    }
    exported
}

/// Whether a word occurs, and not only as the end of a longer one.
fn has_word(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(i, _)| !code[..i].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

#[test]
fn paths_are_found_where_they_are_used() {
    let code = without_tests(&without_comments(
        r##"
        //! crate::comment
        use crate::data::Var; use crate::{graph::{Dag, Pdag}, Network, /* crate::no */ error::Result};
        fn f<'a>(x: &'a str) -> char { g("crate::text \" more", r#"crate::raw "x" "#); crate::ci::test(); '"' }
        #[cfg(test)]
        mod tests { use crate::search::x; fn g() { { } } }
        fn after() { super::super::score::y(); super::inside(); $crate::z }
        "##,
    ));
    assert_eq!(used(&code, 2), ["data", "graph", "Network", "error", "ci", "score"]);
}

#[test]
fn an_exported_name_counts_as_its_room() {
    let exported =
        reexports("pub mod data;\npub use data::{Var, dataset::Dataset};\npub use network::Network;\n");
    assert_eq!(exported["Dataset"], "data");
    assert_eq!(exported["Network"], "network");
}

#[test]
fn types_are_found_where_they_are_declared() {
    let code = "pub(super) struct A<'a> { b: B } enum C {} unsafe trait D: E {} impl D for A<'_> {}";
    assert_eq!(types(code).collect::<Vec<_>>(), ["A", "C", "D"]);
}

#[test]
fn words_are_whole() {
    assert!(has_word("x; println!()", "println!") && !has_word("eprintln!()", "println!"));
    assert!(has_word("fs::read(p)", "fs::") && !has_word("buffs::read(p)", "fs::"));
}
