//! The Python package: built as a wheel, installed into environments of its own, and tested there.
//!
//! One environment has everything that the tests need. The other is empty and knows no Rust: what a
//! person gets who installs the wheel.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{Outcome, cargo_path, root};

/// Learns a network with nothing but the wheel.
const ONE_LINE: &str =
    "import ossature; print(ossature.h2pc(ossature.load_network('alarm').sample(5000, seed=1)))";

const INSTALL: [&str; 5] = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];

pub(crate) fn package() -> Outcome {
    let Some(python) = find() else {
        return Outcome::Skipped("no Python 3.10 or newer with the module venv was found".into());
    };
    match build_and_test(&python) {
        Ok(skipped) if skipped.is_empty() => Outcome::Passed,
        Ok(skipped) => Outcome::PassedWithout(skipped),
        Err(why) => Outcome::Failed(why),
    }
}

/// Returns the tests that pytest skipped.
fn build_and_test(python: &Path) -> Result<Vec<String>, String> {
    let folder = root().join("target/xtask/python");
    let tests = Environment::fresh(python, &folder.join("tests"))?;
    tests.pip(&["-r".as_ref(), root().join("python/requirements-test.txt").as_ref()])?;
    let wheel = build(&tests, &folder.join("wheels"))?;
    tests.pip(&["--no-deps".as_ref(), wheel.as_ref()])?;
    let results = folder.join("results.xml");
    run(tests.command("python").args(["-m", "pytest", "--junit-xml"]).arg(&results))?;
    let skipped = skipped_tests(&fs::read_to_string(&results).map_err(|e| e.to_string())?);
    let empty = Environment::fresh(python, &folder.join("empty"))?;
    run(empty.alone("python").args(INSTALL).arg(&wheel))?;
    let learned = output(empty.alone("python").args(["-c", ONE_LINE]))?;
    if !learned.starts_with("Dag of 37 nodes, ") {
        return Err(format!("the wheel alone printed {learned:?} and not a network"));
    }
    output(empty.alone("ossature").arg("--version"))?;
    Ok(skipped)
}

/// The tests that were skipped or expected to fail, each with the reason, from what pytest writes.
fn skipped_tests(results: &str) -> Vec<String> {
    let attribute = |element: &str, name: &str| {
        let value = element.split_once(&format!(" {name}=\""))?.1.split('"').next()?;
        let entities =
            [("&quot;", "\""), ("&apos;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&#10;", " "), ("&amp;", "&")];
        Some(entities.iter().fold(value.to_owned(), |text, (entity, plain)| text.replace(entity, plain)))
    };
    let skipped = |case: &str| {
        let (case, skipped) = case.split_once("<skipped")?;
        let place = attribute(case, "classname").unwrap_or_default();
        let why = attribute(skipped, "message").filter(|why| !why.is_empty());
        let why = why.unwrap_or_else(|| "no reason is given".into());
        Some(format!("{place}::{}: {why}", attribute(case, "name")?))
    };
    results.split("<testcase").skip(1).filter_map(skipped).collect()
}

/// The wheel, built with the profile of the tests so that little is built again.
fn build(tests: &Environment, wheels: &Path) -> Result<PathBuf, String> {
    let _ = fs::remove_dir_all(wheels);
    let mut maturin = tests.command("maturin");
    maturin.args(["build", "--locked", "--profile", "dev", "--out"]).arg(wheels);
    run(maturin.env("CARGO", cargo_path()))?;
    let built: Vec<PathBuf> =
        fs::read_dir(wheels).map_err(|e| e.to_string())?.flatten().map(|entry| entry.path()).collect();
    match built.as_slice() {
        [wheel] => Ok(wheel.clone()),
        others => Err(format!("maturin made {} files, one wheel was expected", others.len())),
    }
}

/// A virtual environment.
struct Environment {
    programs: PathBuf,
}

impl Environment {
    fn fresh(python: &Path, home: &Path) -> Result<Environment, String> {
        let _ = fs::remove_dir_all(home);
        run(Command::new(python).args(["-m", "venv"]).arg(home))?;
        Ok(Environment { programs: home.join(if cfg!(windows) { "Scripts" } else { "bin" }) })
    }

    fn pip(&self, words: &[&OsStr]) -> Result<(), String> {
        run(self.command("python").args(INSTALL).args(words))
    }

    fn command(&self, program: &str) -> Command {
        let mut command =
            Command::new(self.programs.join(program).with_extension(std::env::consts::EXE_EXTENSION));
        command.current_dir(root());
        command
    }

    /// A command that finds no other programs than those of the environment, and so no Rust.
    fn alone(&self, program: &str) -> Command {
        let mut command = self.command(program);
        command.current_dir(&self.programs).env("PATH", &self.programs);
        command
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let shown = shown(command);
    eprintln!("{shown}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{shown}: {status}")),
        Err(e) => Err(format!("cannot run {shown}: {e}")),
    }
}

fn output(command: &mut Command) -> Result<String, String> {
    let shown = shown(command);
    eprintln!("{shown}");
    let output = command.stderr(Stdio::inherit()).output().map_err(|e| format!("cannot run {shown}: {e}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{shown}: {}", output.status)),
    }
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = [program].into_iter().chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// A Python that is new enough and can make environments.
fn find() -> Option<PathBuf> {
    const ASK: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
    let fits = |name: &str| {
        let mut ask = Command::new(name);
        ask.args(["-c", ASK]).stdout(Stdio::null()).stderr(Stdio::null());
        ask.status().is_ok_and(|status| status.success())
    };
    ["python3", "python"].into_iter().find(|name| fits(name)).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_tests_have_their_reasons() {
        let results = r#"<testsuite skipped="2"><testcase classname="tests.test_a" name="test_one" time="0.1" />
            <testcase classname="tests.test_a" name="test_two[&quot;x&quot;]" time="0"><skipped type="pytest.skip"
            message="no fork &amp; no timer">a.py:3: no fork</skipped></testcase>
            <testcase classname="tests.test_a" name="test_three" time="0"><skipped type="pytest.xfail" message="" />
            </testcase></testsuite>"#;
        assert_eq!(
            skipped_tests(results),
            [
                "tests.test_a::test_two[\"x\"]: no fork & no timer",
                "tests.test_a::test_three: no reason is given"
            ]
        );
    }
}
