//! The functions of the command that most runs need, for the linker to put next to each other.
//!
//! The names are those of one compiler, of the usual release build and of the dependencies in `Cargo.lock`. After changes of
//! these, or of much of the program, some of them have no function any more, and the command takes a little more memory until
//! the list is written again: after some small changes a megabyte was seen.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use super::{Outcome, root};

/// Where the names are; the build script of the command gives them to the linker.
const LIST: &str = "crates/ossature-cli/order.txt";

/// The functions that only some processors run, which callgrind does not show.
const BY_PROCESSOR: &str = "8ossature6counts4simd";

/// What is learned from a table in a file.
const LEARNERS: [&str; 4] = ["h2pc", "mmhc", "tabu", "hc"];

/// Writes the list.
pub(super) fn write() -> Outcome {
    match list() {
        Ok(names) => {
            eprintln!("{} functions in {LIST}", names.len());
            let text: String = names.iter().map(|name| format!("{name}\n")).collect();
            match fs::write(root().join(LIST), text) {
                Ok(()) => Outcome::Passed,
                Err(e) => Outcome::Failed(format!("{LIST}: {e}")),
            }
        }
        Err(why) => Outcome::Failed(why),
    }
}

fn list() -> Result<BTreeSet<String>, String> {
    let build =
        ["rustc", "--release", "--package", "ossature-cli", "--bin", "ossature", "--", "-C", "strip=none"];
    run("cargo", &build)?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    let command = target.join("release/ossature").display().to_string();
    let symbols = run("nm", &["--defined-only", &command])?;
    let functions: BTreeSet<&str> = symbols.lines().filter_map(function).collect();
    let (table, calls) = (target.join("order.csv").display().to_string(), target.join("order.calls"));
    run(&command, &["sample", "alarm", "--rows", "2000", "--seed", "1", "--output", &table])?;
    let mut names: BTreeSet<String> =
        functions.iter().filter(|name| name.contains(BY_PROCESSOR)).map(|name| (*name).to_owned()).collect();
    for learner in LEARNERS {
        let out = format!("--callgrind-out-file={}", calls.display());
        let valgrind = ["--tool=callgrind", "--demangle=no", &out, &command];
        run(
            "valgrind",
            &[&valgrind[..], &["learn", &table, "--learner", learner, "--threads", "1"]].concat(),
        )?;
        let calls = fs::read(&calls).map_err(|e| format!("{}: {e}", calls.display()))?;
        let ran = String::from_utf8_lossy(&calls);
        names.extend(
            ran.lines().filter_map(called).filter(|name| functions.contains(name)).map(str::to_owned),
        );
    }
    Ok(names)
}

/// The function in a line of nm.
fn function(line: &str) -> Option<&str> {
    let mut words = line.split(' ').skip(1);
    matches!(words.next(), Some("t" | "T")).then(|| words.next())?
}

/// The function in a line of callgrind that names one for the first time.
fn called(line: &str) -> Option<&str> {
    let (_, name) = line.strip_prefix('c').unwrap_or(line).strip_prefix("fn=(")?.split_once(") ")?;
    // A function that calls itself is there once more with a number.
    Some(name.split_once('\'').map_or(name, |(name, _)| name))
}

/// What a program prints.
fn run(program: &str, words: &[&str]) -> Result<String, String> {
    let output = Command::new(program)
        .args(words)
        .current_dir(root())
        .output()
        .map_err(|e| format!("cannot run {program}: {e}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{program}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_what_nm_and_callgrind_write() {
        assert_eq!(function("00000000005c1c40 T main"), Some("main"));
        assert_eq!(function("00000000005c1c40 t _ZN8ossature1fE"), Some("_ZN8ossature1fE"));
        assert_eq!(function("00000000005c1c40 r table"), None);
        assert_eq!(called("fn=(12) main"), Some("main"));
        assert_eq!(called("cfn=(7) _ZN8ossature1fE'2"), Some("_ZN8ossature1fE"));
        assert_eq!(called("fn=(12)"), None);
        assert_eq!(called("+3 4"), None);
    }
}
