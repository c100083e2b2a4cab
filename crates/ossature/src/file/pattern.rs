//! Names that stand for several files: `*` for any characters, `?` for one, `[a-c]` for one of a set, `[!a-c]` for one
//! outside it. None of them matches a folder separator, or a dot at the beginning of a name.

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::error::{Error, Result};

/// Whether a path is a pattern.
pub(crate) fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '['])
}

/// The existing paths that match a pattern, in bytewise order of their components.
pub(crate) fn matching(pattern: &Path) -> Result<Vec<PathBuf>> {
    let mut found = vec![PathBuf::new()];
    for part in pattern.components() {
        let Component::Normal(name) = part else {
            found.iter_mut().for_each(|path| path.push(part));
            continue;
        };
        if !is_pattern(Path::new(name)) {
            found.iter_mut().for_each(|path| path.push(name));
            found.retain(|path| path.exists());
            continue;
        }
        let wanted: Vec<char> = name.to_string_lossy().chars().collect();
        let mut here = Vec::new();
        for folder in &found {
            here.extend(names(folder, &wanted)?.into_iter().map(|name| folder.join(name)));
        }
        found = here;
    }
    Ok(found)
}

/// The names in a folder that match, in bytewise order; none if it is not a folder.
fn names(folder: &Path, wanted: &[char]) -> Result<Vec<std::ffi::OsString>> {
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let failed = |e| Error::io("read", folder, e);
    let listed = match folder.read_dir() {
        Err(e) if matches!(e.kind(), io::ErrorKind::NotADirectory | io::ErrorKind::NotFound) => {
            return Ok(Vec::new());
        }
        listed => listed.map_err(failed)?,
    };
    let mut names = Vec::new();
    for entry in listed {
        let name = entry.map_err(failed)?.file_name();
        let letters: Vec<char> = name.to_string_lossy().chars().collect();
        if (letters.first() != Some(&'.') || wanted.first() == Some(&'.')) && matches(wanted, &letters) {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Whether a name matches. On a mismatch, the last star takes one more letter.
fn matches(pattern: &[char], name: &[char]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star = None;
    while n < name.len() {
        if pattern.get(p) == Some(&'*') {
            p += 1;
            star = Some((p, n));
        } else if let Some(length) = pattern.get(p..).and_then(|rest| one(rest, name[n])) {
            p += length;
            n += 1;
        } else if let Some((behind, from)) = star {
            (p, n) = (behind, from + 1);
            star = Some((behind, n));
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

/// The length of the first element of a pattern, if it matches this letter.
fn one(pattern: &[char], letter: char) -> Option<usize> {
    match pattern.first()? {
        '?' => Some(1),
        '[' => {
            let negated = matches!(pattern.get(1), Some('!' | '^'));
            let begin = 1 + usize::from(negated);
            // A bracket that comes first is one of the letters.
            let Some(close) = pattern.iter().skip(begin + 1).position(|&c| c == ']').map(|n| begin + 1 + n)
            else {
                return (letter == '[').then_some(1);
            };
            let mut letters = &pattern[begin..close];
            let mut among = false;
            while let [first, rest @ ..] = letters {
                let (last, behind) =
                    if let ['-', last, behind @ ..] = rest { (last, behind) } else { (first, rest) };
                among |= (*first..=*last).contains(&letter);
                letters = behind;
            }
            (among != negated).then_some(close + 1)
        }
        &c => (c == letter).then_some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(pattern: &str, name: &str) -> bool {
        matches(&pattern.chars().collect::<Vec<_>>(), &name.chars().collect::<Vec<_>>())
    }

    #[test]
    fn a_pattern_stands_for_the_names_that_a_shell_would_take() {
        for (pattern, yes, no) in [
            (
                "part-*.csv",
                &["part-.csv", "part-1.csv", "part-a.csv.csv"][..],
                &["part-1.csv.gz", "apart-1.csv"][..],
            ),
            ("*a*b", &["ab", "xaxbxb", "aab"], &["ba", "abx", ""]),
            ("?.csv", &["1.csv", "é.csv"], &[".csv", "12.csv"]),
            ("[a-c1]x", &["ax", "bx", "1x"], &["dx", "x", "-x", "abx"]),
            ("[!a-c]x", &["dx", "1x"], &["ax", "x"]),
            ("[]a]", &["]", "a"], &["[", "b"]),
            ("a[", &["a["], &["a", "ab"]),
            ("*", &["", "a"], &[]),
        ] {
            yes.iter().for_each(|name| assert!(is(pattern, name), "{pattern} {name}"));
            no.iter().for_each(|name| assert!(!is(pattern, name), "{pattern} {name}"));
        }
        // No name takes long.
        assert!(!is(&"*a".repeat(30), &("a".repeat(29) + &"b".repeat(3000))));
    }

    #[test]
    fn files_come_in_the_order_of_their_names() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["b/2.csv", "b/10.csv", "a/3.csv", ".c/4.csv", "a/.5.csv", "d"] {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let found = |pattern: &str| {
            let found = matching(&dir.path().join(pattern)).unwrap();
            let names =
                found.iter().map(|path| path.strip_prefix(dir.path()).unwrap().to_str().unwrap().to_owned());
            names.collect::<Vec<_>>()
        };
        assert_eq!(found("*/*.csv"), ["a/3.csv", "b/10.csv", "b/2.csv"]);
        assert_eq!(found("[ab]/[0-9].csv"), ["a/3.csv", "b/2.csv"]);
        assert_eq!(found(".c/*"), [".c/4.csv"]);
        assert_eq!(found("*/.*"), ["a/.5.csv"]);
        assert!(found("x*").is_empty() && found("e/*").is_empty());
        assert_eq!(found("*/3.csv"), ["a/3.csv"]);
    }
}
