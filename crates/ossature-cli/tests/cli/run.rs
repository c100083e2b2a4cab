//! Starts the command in a separate folder and collects its output.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder in which the command runs, removed when the test ends.
pub(crate) struct Folder(TempDir);

/// The output of the command and its exit code.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of all files, including hidden ones, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The command with these arguments, ready to start.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        self.program(Command::new(env!("CARGO_BIN_EXE_ossature")), words)
    }

    fn program(&self, mut command: Command, words: &[&str]) -> Command {
        command.args(words).current_dir(self.0.path()).stdin(Stdio::null());
        // Whoever runs the tests may have set colours and a narrow terminal.
        command.env_remove("CLICOLOR_FORCE").env_remove("COLUMNS");
        command
    }

    /// Starts a command that does not end by itself. Its messages on stderr can be waited for.
    pub(crate) fn start(&self, words: &str) -> Running {
        let words: Vec<&str> = words.split(' ').collect();
        let mut command = if cfg!(target_os = "linux") {
            // A test may itself run with Ctrl-C ignored; `env` restores the default for the command.
            let mut env = Command::new("env");
            env.args(["--default-signal=INT,TERM,HUP", env!("CARGO_BIN_EXE_ossature")]);
            self.program(env, &words)
        } else {
            self.command(&words)
        };
        Running(command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// Runs a command that does not end by itself with longer and longer time limits, until one is long
    /// enough. So the speed of the machine does not matter.
    #[track_caller]
    pub(crate) fn run_with_limits<T>(&self, words: &str, wanted: impl Fn(&Answer) -> Option<T>) -> T {
        let mut limits = (0..14).map(|i| 0.1 * f64::from(1 << i));
        let run = |limit: f64| wanted(&self.run(&format!("{words} --time-limit {limit}")));
        limits.find_map(run).expect("some limit is long enough")
    }

    /// Runs the command with arguments that contain no spaces.
    pub(crate) fn run(&self, words: &str) -> Answer {
        self.run_words(&words.split(' ').collect::<Vec<_>>())
    }

    pub(crate) fn run_words(&self, words: &[&str]) -> Answer {
        Answer::of(self.command(words))
    }

    /// Runs the command with this text on its standard input.
    pub(crate) fn run_with_stdin(&self, words: &str, text: &str) -> Answer {
        let mut child = self
            .command(&words.split(' ').collect::<Vec<_>>())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        Answer::from(child.wait_with_output().unwrap())
    }
}

/// A running command, ended with the test.
pub(crate) struct Running(pub(crate) Child);

impl Running {
    /// Waits until it prints a line with all these parts.
    #[track_caller]
    pub(crate) fn says(&mut self, parts: &[&str]) {
        let mut said = Vec::new();
        for line in BufReader::new(self.0.stderr.as_mut().unwrap()).lines().map(Result::unwrap) {
            if parts.iter().all(|part| line.contains(part)) {
                return;
            }
            said.push(line);
        }
        panic!("it ended without a line with {parts:?}: {said:?}");
    }

    /// Sends a signal such as -INT, which is Ctrl-C; returns the exit code.
    #[cfg(target_os = "linux")]
    pub(crate) fn interrupt(mut self, signal: &str) -> Option<i32> {
        let kill = Command::new("kill").args([signal, &self.0.id().to_string()]).status();
        assert!(kill.unwrap().success());
        self.0.wait().unwrap().code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Answer {
    pub(crate) fn of(mut command: Command) -> Answer {
        Answer::from(command.output().unwrap())
    }

    /// The standard output of a successful run.
    #[track_caller]
    pub(crate) fn done(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// The one JSON value on the standard output of a successful run.
    #[track_caller]
    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.done()).unwrap()
    }

    /// Asserts that the run failed with this code, that the message has these parts, and that stdout is
    /// empty.
    #[track_caller]
    pub(crate) fn fails(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(self.err.starts_with("error: "), "{self:?}");
        assert!(!self.err.contains("panicked"), "{self:?}");
        for part in parts {
            assert!(self.err.contains(part), "{part:?} is not in the message: {self:?}");
        }
        assert_eq!(self.out, "", "a run that fails has no result");
    }
}

impl From<std::process::Output> for Answer {
    fn from(output: std::process::Output) -> Answer {
        Answer {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}
