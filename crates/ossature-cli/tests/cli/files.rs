//! Inputs are never destroyed, two outputs are two files, and an output that cannot be written is found
//! first.

use std::fs;

use crate::run::Folder;

const ROWS: &str = "a,b\n0,1\n1,0\n0,0\n1,1\n";
const ARC: &str = "from,to\na,b\n";

/// A run that must refuse and leave its input as it was.
#[track_caller]
fn refused(folder: &Folder, words: &str, input: &str) {
    let before = fs::read(folder.path(input)).unwrap();
    let files = folder.files();
    folder.run(words).fails(2, &[input, "is an input", "would be overwritten"]);
    assert_eq!(fs::read(folder.path(input)).unwrap(), before, "{words}");
    assert_eq!(folder.files(), files, "{words}");
}

#[test]
fn an_output_that_is_an_input_is_refused_by_every_command() {
    let folder = Folder::new();
    folder.write("t.csv", ROWS);
    folder.write("arc.csv", ARC);
    folder.write("tiers.csv", "variable,tier\na,1\nb,2\n");
    folder.write("levels.json", "{\"a\": [\"0\", \"1\"]}");
    folder.run("convert asia net.bif -q").done();
    folder.run("learn t.csv -q -o old.json").done();
    refused(&folder, "learn t.csv -o t.csv", "t.csv");
    refused(&folder, "learn t.csv -o new.dot -o ./t.csv", "t.csv");
    refused(&folder, "learn t.csv --whitelist arc.csv -o arc.csv", "arc.csv");
    refused(&folder, "learn t.csv --blacklist arc.csv -o arc.csv", "arc.csv");
    refused(&folder, "learn t.csv --tiers tiers.csv -o tiers.csv", "tiers.csv");
    refused(&folder, "learn t.csv --truth arc.csv -o arc.csv", "arc.csv");
    refused(&folder, "learn t.csv --start arc.csv -o arc.csv", "arc.csv");
    refused(&folder, "learn t.csv --restrict arc.csv -o arc.csv", "arc.csv");
    refused(&folder, "learn t.csv --levels levels.json -o levels.json", "levels.json");
    refused(&folder, "learn t.csv --settings old.json -o old.json", "old.json");
    refused(&folder, "fit t.csv arc.csv -o arc.csv", "arc.csv");
    refused(&folder, "fit t.csv arc.csv -o t.csv", "t.csv");
    refused(&folder, "convert net.bif net.bif", "net.bif");
    refused(&folder, "predict net.bif t.csv --target asia -o t.csv", "t.csv");
    // t.csv cannot be sampled from, but the request is refused before that is known.
    refused(&folder, "sample t.csv -n 5 -o t.csv", "t.csv");
}

#[cfg(unix)]
#[test]
fn an_input_is_known_by_any_name() {
    let folder = Folder::new();
    folder.write("t.csv", ROWS);
    folder.write("net.dot", "digraph { a -> b }");
    std::os::unix::fs::symlink("net.dot", folder.path("link.dot")).unwrap();
    fs::hard_link(folder.path("t.csv"), folder.path("hard.csv")).unwrap();
    folder.run("convert net.dot link.dot").fails(2, &["link.dot", "an input (as net.dot)"]);
    std::os::unix::fs::symlink("net.dot", folder.path("drawn.html")).unwrap();
    folder.run("compare asia net.dot -o drawn.html").fails(2, &["drawn.html", "an input (as net.dot)"]);
    std::os::unix::fs::symlink("t.csv", folder.path("plot.svg")).unwrap();
    folder
        .run("learn t.csv --bootstrap 3 --plot-strengths plot.svg")
        .fails(2, &["plot.svg", "an input (as t.csv)"]);
    folder.run("convert link.dot net.dot").fails(2, &["net.dot", "an input (as link.dot)"]);
    folder.run("learn t.csv -o hard.csv").fails(2, &["hard.csv", "an input (as t.csv)"]);
    let mut command = folder.command(&["learn", "-", "-o", "t.csv"]);
    command.stdin(fs::File::open(folder.path("t.csv")).unwrap());
    crate::run::Answer::of(command).fails(2, &["t.csv", "an input (as -)"]);
    assert_eq!(folder.read("t.csv"), ROWS);
}

#[test]
fn the_same_output_twice_is_refused() {
    let folder = Folder::new();
    folder.write("t.csv", ROWS);
    folder.run("learn t.csv -o a.dot -o a.dot").fails(2, &["a.dot is given as an output twice"]);
    folder.run("sample asia -n 5 -o a.csv -o ./a.csv").fails(2, &["./a.csv", "twice (also as a.csv)"]);
    folder.run("fit t.csv t.csv -o a.bif -o b.svg -o a.bif").fails(2, &["a.bif"]);
    folder.run("compare asia asia -o a.svg -o a.svg").fails(2, &["a.svg is given as an output twice"]);
    folder
        .run("learn t.csv --bootstrap 3 --plot-strengths a.svg -o a.svg")
        .fails(2, &["a.svg is given as an output twice"]);
    folder.run("study -o -").fails(2, &["a study writes many files"]);
    assert_eq!(folder.files(), ["t.csv"]);
}

/// Found from the path alone: the rows are not even looked for.
#[test]
fn an_output_that_cannot_be_written_is_found_before_the_work() {
    let folder = Folder::new();
    fs::create_dir(folder.path("dir.bif")).unwrap();
    folder.run("fit nothing.csv asia -o dir.bif").fails(1, &["cannot write dir.bif", "it is a directory"]);
    folder.run("learn nothing.csv -o no/a.bif").fails(1, &["no/a.bif", "there is no directory no"]);
    if cfg!(target_os = "linux") {
        folder.run("learn nothing.csv -o /proc/a.bif").fails(1, &["cannot write /proc/a.bif"]);
        folder.run("convert nothing.dot /proc/a.svg").fails(1, &["cannot write /proc/a.svg"]);
    }
}

#[test]
fn an_output_has_a_name() {
    let folder = Folder::new();
    folder.run("sample asia -n 5 -o -").fails(2, &["- has none", "without -o", "standard output"]);
    folder.run("convert asia -").fails(2, &["- has none"]);
    assert!(folder.files().is_empty());
}

/// Neither by a study nor by joining shards.
#[test]
fn a_study_replaces_no_file_of_others() {
    let folder = Folder::new();
    fs::create_dir(folder.path("out")).unwrap();
    for name in ["report.html", "figure1.svg", "summary.csv", "rows.csv"] {
        folder.write(&format!("out/{name}"), "mine");
        let study = folder.run("study --networks asia --sizes 50 --samples 1 -o out");
        study.fails(3, &[name, "does not belong to a study", "a new folder"]);
        assert_eq!(folder.read(&format!("out/{name}")), "mine");
        assert_eq!(fs::read_dir(folder.path("out")).unwrap().count(), 1, "nothing was left there");
        fs::remove_file(folder.path(&format!("out/{name}"))).unwrap();
    }
    folder.write("out/notes.txt", "mine");
    folder.run("study --networks asia --sizes 50 --samples 1 -q -o out").done();
    fs::create_dir(folder.path("both")).unwrap();
    folder.write("both/report.html", "mine");
    folder.run("study merge out -o both").fails(3, &["report.html", "does not belong to a study"]);
    assert_eq!(folder.read("both/report.html"), "mine");
}

/// A word on the command line has the same meaning for every kind of input, whatever files happen to exist.
#[test]
fn a_word_means_the_same_wherever_it_stands() {
    let folder = Folder::new();
    folder.write("asia", ROWS);
    let learned = folder.run("learn asia --rows 100 --json");
    assert!(learned.err.contains("./asia is the file"), "{learned:?}");
    assert_eq!(learned.json()["data"]["variables"], 8);
    let scored = folder.run("score asia asia --rows 100 --json").json();
    assert!(scored["total"].as_f64().unwrap() < 0.0);
    assert_eq!(folder.run("learn ./asia --json").json()["data"]["variables"], 2);
}

/// The number is accepted, but no machine has enough memory for it.
#[test]
fn more_rows_than_memory_is_an_error() {
    let folder = Folder::new();
    let answer = folder.run("learn asia --rows 8000000000");
    if answer.err.contains("not enough memory") {
        answer.fails(1, &["a sample of 8,000,000,000 rows", "59.6 GiB"]);
    }
    folder.run("learn asia --rows 8000000000000").fails(1, &["would need 64,000,000,000,000 entries"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_sample_is_written_as_it_is_drawn() {
    let folder = Folder::new();
    // The rows together would take 280 GiB.
    let mut shell = std::process::Command::new("sh");
    shell
        .args(["-c", "ulimit -v 2000000; exec \"$0\" sample alarm -n 8000000000 --threads 1 | head -n 3"])
        .arg(env!("CARGO_BIN_EXE_ossature"))
        .current_dir(folder.path(""));
    let answer = crate::run::Answer::of(shell);
    assert_eq!((answer.code, answer.out.lines().count()), (Some(0), 3), "{answer:?}");
}
