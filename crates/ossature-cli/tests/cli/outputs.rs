//! Files that cannot be written, interruption, and pipes that close.

use std::fs;
use std::process::Stdio;

#[cfg(unix)]
use crate::run::Answer;
use crate::run::Folder;

#[test]
fn an_output_of_unknown_format_is_a_usage_error_before_any_work() {
    let folder = Folder::new();
    folder.run("convert alarm alarm.png").fails(2, &["alarm.png", ".svg", ".dot"]);
    folder.run("convert alarm alarm").fails(2, &["alarm", ".svg"]);
    folder.run("sample alarm -n 5 -o a.csv -o a.xlsx").fails(2, &["a.xlsx", ".csv", ".tsv"]);
    folder.run("fit nothing.csv alarm -o net.txt").fails(2, &["net.txt", ".bif"]);
    assert!(folder.files().is_empty());
}

#[test]
fn a_place_where_no_file_can_be_is_refused_before_any_work() {
    let folder = Folder::new();
    fs::create_dir(folder.path("dir.csv")).unwrap();
    folder.run("sample alarm -n 5 -o dir.csv").fails(1, &["cannot write dir.csv", "directory"]);
    folder.run("sample alarm -n 5 -o no/where.csv").fails(1, &["no/where.csv", "there is no directory no"]);
    folder.run("fit nothing.csv alarm -o no/where.bif").fails(1, &["there is no directory no"]);
    folder.write("file", "");
    folder.run("sample alarm -n 5 -o a.csv -o file/b.csv").fails(1, &["file is not a directory"]);
    assert_eq!(folder.files(), ["dir.csv", "file"]);
}

#[test]
fn the_time_limit_ends_a_run_with_nothing_written() {
    let folder = Folder::new();
    // It has passed at the first check, which is before the last row.
    let answer = folder.run("sample alarm -n 100000 --time-limit 0.000001 -o a.csv");
    answer.fails(1, &["the time limit of 0.001 ms was reached"]);
    assert!(folder.files().is_empty());
}

#[test]
fn a_pipe_that_closes_is_not_an_error() {
    let folder = Folder::new();
    for words in [&["sample", "alarm", "-n", "100000"][..], &["networks"], &["completions", "bash"]] {
        let mut child = folder.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{words:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_reported() {
    let folder = Folder::new();
    folder.run("convert alarm /dev/full").fails(2, &["/dev/full"]);
    std::os::unix::fs::symlink("/dev/full", folder.path("full.csv")).unwrap();
    folder.run("sample alarm -n 1000 -o full.csv").fails(1, &["cannot write full.csv", "No space left"]);
    assert_eq!(folder.run("-q sample alarm -n 5 -o a.csv -o full.csv").code, Some(1));
    assert_eq!(folder.read("a.csv").lines().count(), 6, "the output before the one that failed is whole");
    let mut command = folder.command(&["sample", "alarm", "-n", "1000"]);
    command.stdout(fs::File::options().write(true).open("/dev/full").unwrap());
    let answer = Answer::of(command);
    answer.fails(1, &["cannot write to standard output", "No space left"]);
}

/// A limit on file size stands for a disk that fills up halfway through.
#[cfg(target_os = "linux")]
#[test]
fn when_the_disk_fills_up_the_old_file_stays_as_it_was() {
    let folder = Folder::new();
    folder.write("a.csv", "old");
    let mut shell = std::process::Command::new("sh");
    shell
        .args(["-c", "trap '' XFSZ; ulimit -f 100; exec \"$0\" sample alarm -n 50000 -o a.csv"])
        .arg(env!("CARGO_BIN_EXE_ossature"))
        .current_dir(folder.path(""));
    Answer::of(shell).fails(1, &["cannot write a.csv", "File too large"]);
    assert_eq!(folder.read("a.csv"), "old");
    assert_eq!(folder.files(), ["a.csv"]);
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_written_stays_as_it_was() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.write("a.csv", "old");
    fs::set_permissions(folder.path("a.csv"), fs::Permissions::from_mode(0o444)).unwrap();
    if fs::File::options().write(true).open(folder.path("a.csv")).is_err() {
        folder.run("sample alarm -n 5 -o a.csv").fails(1, &["cannot write a.csv", "denied"]);
        assert_eq!(folder.read("a.csv"), "old");
    } else if cfg!(target_os = "linux") {
        // Root may write to anything but this.
        folder.run("sample alarm -n 5 -o /proc/nothing.csv").fails(1, &["cannot write /proc/nothing.csv"]);
    } else {
        panic!("run the tests as a user whose files have permissions");
    }
}

/// Every command, whatever it is doing: computing, writing, or waiting for input that never comes.
#[cfg(target_os = "linux")]
#[test]
fn the_time_limit_holds_for_every_command() {
    let folder = Folder::new();
    folder.write("t.csv", "a,b\n0,1\n1,0\n");
    let over = "--time-limit 0.000001";
    for words in
        ["fit t.csv asia.dot -o a.bif", "convert asia a.svg", "convert asia a.bif", "compare asia asia"]
    {
        folder.write("asia.dot", "digraph { a -> b }");
        folder.run(&format!("{words} {over}")).fails(1, &["the time limit", "nothing was written"]);
    }
    assert!(std::process::Command::new("mkfifo").arg(folder.path("pipe.csv")).status().unwrap().success());
    // No process will ever write to it.
    for words in
        ["learn pipe.csv", "fit pipe.csv asia -o a.bif", "test pipe.csv a b", "compare pipe.csv asia"]
    {
        folder.run(&format!("{words} --time-limit 0.1")).fails(1, &["the time limit of 0.10 s was reached"]);
    }
    assert_eq!(folder.files(), ["asia.dot", "pipe.csv", "t.csv"]);
}

/// Ctrl-C in the middle of writing: exit code 130, the old file untouched, nothing left behind. If the signal
/// comes too late, the new file is complete, and a larger one is tried.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_leaves_no_file_half_written() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        interrupted_while_writing(signal);
    }
}

#[cfg(target_os = "linux")]
fn interrupted_while_writing(signal: &str) {
    for rows in [500_000, 1_000_000, 2_000_000, 4_000_000] {
        let folder = Folder::new();
        folder.write("a.csv", "old");
        let mut run = folder.start(&format!("sample alarm -n {rows} -o a.csv"));
        while folder.files().len() < 2 && run.0.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let code = match run.0.try_wait().unwrap() {
            Some(status) => status.code(),
            None => run.interrupt(signal),
        };
        assert_eq!(folder.files(), ["a.csv"]);
        let text = folder.read("a.csv");
        if text == "old" {
            assert_eq!(code, Some(130), "{signal}");
            return;
        }
        assert_eq!(text.lines().count(), rows + 1);
        assert!(matches!(code, Some(0 | 130)), "{code:?}");
    }
    panic!("no signal came while a file was written");
}

/// A command that waits for input that never comes ends at once.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_waits_for_its_input_can_be_interrupted() {
    let mut child = std::process::Command::new("env")
        .args(["--default-signal=INT,TERM,HUP", env!("CARGO_BIN_EXE_ossature"), "fit", "-", "asia", "-v"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Kept open, because waiting for a child closes its input.
    let _input = child.stdin.take();
    // Once it has reported the graph, it is about to read.
    let mut line = [0; 1];
    std::io::Read::read_exact(child.stderr.as_mut().unwrap(), &mut line).unwrap();
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
