//! Runs that wait, are aborted, or need more memory than there is.

#![cfg(target_os = "linux")]

use std::fs;

use crate::run::{Answer, Folder};

/// No process will ever write to them.
#[test]
fn a_study_does_not_wait_for_a_pipe_longer_than_its_limit() {
    let folder = Folder::new();
    for pipe in ["study.toml", "net.bif"] {
        assert!(std::process::Command::new("mkfifo").arg(folder.path(pipe)).status().unwrap().success());
    }
    folder.write("other.toml", "networks = ['net.bif']\n");
    for from in ["--config study.toml", "--networks net.bif", "--config other.toml"] {
        let answer = folder.run(&format!("study {from} -o out --time-limit 100ms"));
        answer.fails(4, &["the time limit of 0.10 s was reached"]);
        let run = folder.start(&format!("study {from} -o out"));
        assert_eq!(signalled(run, "-INT", 2), Some(130), "{from}");
    }
    assert!(!folder.path("out").exists());
}

/// The exit code after a signal, which is sent as soon as the command has a handler for it.
fn signalled(mut run: crate::run::Running, signal: &str, number: u32) -> Option<i32> {
    let ready = format!("/proc/{}/status", run.0.id());
    let catches = |status: &str| {
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:\t"));
        caught.is_some_and(|mask| u64::from_str_radix(mask, 16).unwrap() & 1 << (number - 1) != 0)
    };
    while !catches(&fs::read_to_string(&ready).unwrap()) {
        assert!(run.0.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    run.interrupt(signal)
}

/// As when memory runs out: it ends like a failed run, and leaves nothing half written.
#[test]
fn an_abort_is_a_failure() {
    let folder = Folder::new();
    assert!(std::process::Command::new("mkfifo").arg(folder.path("t.csv")).status().unwrap().success());
    let mut run = folder.start("learn t.csv");
    let err = run.0.stderr.take().unwrap();
    assert_eq!(signalled(run, "-ABRT", 6), Some(1));
    let said = std::io::read_to_string(err).unwrap();
    assert!(
        said.starts_with("error: the run was aborted") && said.contains("help: if memory ran out"),
        "{said}"
    );
}

/// The tables of a wide search are refused before the work, not in the middle of it.
#[test]
fn too_little_memory_is_an_error() {
    let folder = Folder::new();
    let names: Vec<String> = (0..9000).map(|i| format!("v{i}")).collect();
    let row = |r: usize| {
        (0..9000usize)
            .map(|i| if (i * 7 + r).is_multiple_of(3) { "1" } else { "0" })
            .collect::<Vec<_>>()
            .join(",")
    };
    folder.write("wide.csv", names.join(",") + "\n" + &(0..3).map(|r| row(r) + "\n").collect::<String>());
    let some = names[..5000].join(",");
    for (options, said) in [
        (
            &["--learner", "h2pc"][..],
            "not enough memory for the tests of all pairs of 9,000 variables, which takes 618 MiB",
        ),
        (
            &["--learner", "tabu", "--columns", &some],
            "not enough memory for the gains of all moves of the search, which takes 191 MiB",
        ),
    ] {
        let mut shell = std::process::Command::new("sh");
        shell
            .args(["-c", "ulimit -v 190000; exec \"$0\" learn wide.csv --threads 1 -q \"$@\""])
            .arg(env!("CARGO_BIN_EXE_ossature"))
            .args(options)
            .current_dir(folder.path(""));
        Answer::of(shell).fails(1, &[said]);
    }
}
