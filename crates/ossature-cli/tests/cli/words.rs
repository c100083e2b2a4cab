//! Messages: names that cannot forge lines, numbers that can be read, and words that say what is true.

use std::fs;
use std::process::Stdio;

use crate::run::{Answer, Folder};

const ROWS: &str = "a,b\n0,1\n1,0\n0,0\n1,1\n";

/// A network whose names and levels have line ends.
fn forging(folder: &Folder) {
    let rows: String =
        (0..200).map(|i| format!("{0},\"x\nwarning: {0}\",{1}\n", i % 2, u8::from(i % 3 == 0))).collect();
    folder.write("t.csv", format!("\"a\nerror: b\",c,d\n{rows}"));
    folder.write("g.json", r#"{"nodes": ["a\nerror: b", "c", "d"], "arcs": [["a\nerror: b", "c"]]}"#);
    folder.run("fit t.csv g.json -q -o net.json").done();
}

/// No line of stdout or stderr begins with what is in a name.
#[track_caller]
fn assert_no_forged_line(answer: &Answer) {
    let lines = answer.out.lines().chain(answer.err.lines());
    let forged = |line: &&str| line.starts_with("error: b") || line.starts_with("warning: 0");
    assert_eq!(lines.filter(forged).collect::<Vec<_>>(), Vec::<&str>::new(), "{answer:?}");
}

#[test]
fn a_line_end_in_a_name_is_shown_as_an_escape() {
    let folder = Folder::new();
    forging(&folder);
    let name = "a\nerror: b";
    for (words, shown) in [
        (&["why", "t.csv", name, "c"][..], "a\\nerror: b"),
        (&["why", "t.csv", name, "d", "--learner", "hc"], "a\\nerror: b"),
        (&["query", "net.json", "c", "--given", "a\nerror: b=1"], "given: a\\nerror: b = 1"),
        (&["query", "net.json", "c", "--do", "a\nerror: b=1"], "intervention: a\\nerror: b = 1"),
        (&["query", "net.json", name, "--do", "c=x\nwarning: 0", "--class"], "effect of c on a\\nerror: b"),
        (&["query", "net.json", "d", "--given", "c=x\nwarning: 0"], "given: c = x\\nwarning: 0"),
        (&["neighbours", "t.csv", "--target", name], "a\\nerror: b"),
        (&["test", "t.csv", name, "c"], "a\\nerror: b and c"),
        (&["score", "t.csv", "g.json", "--by-node"], "a\\nerror: b"),
        (&["compare", "g.json", "asia"], "a\\nerror: b - c"),
        (&["cross-validate", "t.csv", "--target", name, "--folds", "2"], "log loss of a\\nerror: b"),
        (&["learn", "t.csv", "--bootstrap", "3", "-v"], "a\\nerror: b"),
    ] {
        let answer = folder.run_words(words);
        assert_no_forged_line(&answer);
        assert!(answer.out.contains(shown), "{shown:?} is not in {answer:?}");
    }
}

#[test]
fn a_line_end_in_a_name_is_an_escape_in_errors_too() {
    let folder = Folder::new();
    forging(&folder);
    for (words, code, shown) in [
        (&["query", "net.json", "c", "--given", "a\nerror: b"][..], 2, "--given a\\nerror: b does not say"),
        (&["query", "net.json", "c", "--given", "a\nerror: b=2"], 3, "is not a level of a\\nerror: b"),
        (&["query", "net.json", "c", "--do", "c=x\nwarning: 0\n"], 3, "x\\nwarning: 0\\n"),
        (&["why", "t.csv", "a\nerror: b", "a\nerror: b"], 2, "a\\nerror: b is given twice"),
        (
            &["learn", "t.csv", "--columns", "c,c\nerror: b,c\nerror: b"],
            2,
            "--columns names c\\nerror: b twice",
        ),
    ] {
        let answer = folder.run_words(words);
        assert_no_forged_line(&answer);
        answer.fails(code, &[shown]);
    }
    let ids: String = (0..300).map(|i| format!("{},{}.5,0\n", 7 * i, i * 13 % 301)).collect();
    folder.write("id.csv", format!("\"i\nd\",\"it's\nx\",c\n{ids}"));
    let refused = folder.run("learn id.csv --columns c,i\nd");
    assert_no_forged_line(&refused);
    refused.fails(3, &["--drop $'i\\nd' leaves it out", "--discretise $'i\\nd=quantile:5'"]);
    folder.run("learn id.csv --columns c,it's\nx").fails(3, &["--discretise $'it\\'s\\nx=quantile:5'"]);
}

#[test]
fn json_escapes_what_steers_a_terminal() {
    let folder = Folder::new();
    let (name, level) = ("a\u{9b}31m\u{202e}\u{2066}", "x\u{2028}\u{7f}\u{200f}");
    folder.write("t.csv", format!("{name},b\n{level},0\ny,1\n{level},1\ny,0\n"));
    folder.write("g.json", serde_json::json!({ "nodes": [name, "b"], "arcs": [] }).to_string());
    folder.run("fit t.csv g.json -q -o net.json").done();
    for words in [
        &["learn", "t.csv", "--json", "-q"][..],
        &["why", "t.csv", name, "b", "--json"],
        &["query", "net.json", name, "--json"],
        &["neighbours", "t.csv", "--target", name, "--json"],
        &["score", "t.csv", "g.json", "--by-node", "--json"],
    ] {
        let answer = folder.run_words(words);
        let harmful = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{200e}'..='\u{2069}');
        assert!(!answer.out.contains(harmful), "{words:?}: {answer:?}");
        assert!(answer.json().to_string().contains(name), "{words:?}: it is the same name");
    }
}

#[test]
fn a_list_of_the_best_is_refused_where_there_is_none() {
    let folder = Folder::new();
    folder.write("t.csv", "a,b\n0,1\n1,0\n0,?\n1,1\n");
    folder.write("u.csv", ROWS);
    folder
        .run("learn u.csv --learner exact --how-many 3 --bootstrap 5")
        .fails(2, &["how-many is not used with bootstrap", "without bootstrap the best classes are listed"]);
    folder
        .run("learn t.csv --learner exact --how-many 3 --missing em -q")
        .fails(2, &["how-many is not used with", "(em)", "the best classes are listed"]);
    let listed = folder.run("learn u.csv --learner exact --how-many 2 --json -q").json();
    assert_eq!(listed["alternatives"].as_array().unwrap().len(), 2);
    // From a file it is left out.
    folder.write("listed.json", listed.to_string());
    let averaged = folder.run("learn u.csv --settings listed.json --bootstrap 3 --json -q").json();
    assert!(averaged["alternatives"].is_null() && averaged["settings"]["how_many"].is_null(), "{averaged}");
    folder.run("learn t.csv --learner exact --missing em -q").done();
    // Where no list is shown.
    folder.run("why u.csv a b --learner exact --how-many 7").fails(2, &["--how-many"]);
    folder.run("cross-validate u.csv --learners exact --how-many 7").fails(2, &["--how-many"]);
    folder.write("study.toml", "networks = ['asia']\n[[learner]]\nlearner = 'exact'\nhow-many = 5\n");
    folder.run("study --config study.toml -o out").fails(3, &["how-many", "the settings are"]);
}

/// A constant column makes many graphs of the same score: then the list is as long as it can be.
#[test]
fn a_list_of_the_best_may_end_early() {
    let folder = Folder::new();
    let row = |i: u32| {
        (0..9).map(|k| if k < 7 { "0".into() } else { (i >> k & 1).to_string() }).collect::<Vec<_>>()
    };
    let rows: String = (0..1024).step_by(64).map(|i| row(i).join(",") + "\n").collect();
    folder.write("t.csv", format!("a,b,c,d,e,f,g,h,i\n{rows}"));
    let listed = folder.run("learn t.csv --learner exact --how-many 20 --json -q").json();
    assert_eq!((&listed["complete"], &listed["optimal"]), (&true.into(), &true.into()), "{listed}");
    assert_eq!(listed["alternatives"].as_array().unwrap().len(), 1, "{listed}");
    let said = listed["concerns"].to_string();
    assert!(said.contains("the list of the best 20 equivalence classes ends after 1"), "{said}");
}

#[test]
fn numbers_that_are_none_are_refused_in_plain_words() {
    let folder = Folder::new();
    for (words, said) in [
        ("learn asia --rows 0", "expected a whole number of at least 1, found 0"),
        (
            "learn asia --rows 99999999999999999999",
            "expected a smaller whole number, found 99999999999999999999",
        ),
        ("sample asia -n ten", "expected a whole number of at least 1, found ten"),
        ("sample asia -n 5 --seed 1.5", "expected a whole number of at least 0, found 1.5"),
        ("sample asia -n 5 --linear-gaussian=x", "expected a whole number of at least 0, found x"),
        ("sample asia -n 5 --threads 2000", "expected a whole number from 1 to 1024, found 2000"),
        ("test asia lung tub --power-rule 4294967296", "from 0 to 4294967295, found 4294967296"),
        ("query asia lung --samples 0", "expected a whole number of at least 1, found 0"),
        ("cross-validate asia --folds 1", "expected a whole number of at least 2, found 1"),
        ("study -o out --sizes 50,0", "expected a whole number of at least 1, found 0"),
        ("study -o out --samples 0", "expected a whole number of at least 1, found 0"),
        ("study -o out --new-rows x", "expected a whole number of at least 1, found x"),
        ("learn asia --seed -1", "expected a whole number of at least 0, found -1"),
        ("sample asia -n -1", "expected a whole number of at least 1, found -1"),
        ("sample asia -n 5 --time-limit -1", "a time is a positive number of seconds"),
        ("learn asia --alpha -1", "a number above 0 and below 1 is accepted"),
        ("learn asia --rows -5", "expected a whole number of at least 1, found -5"),
    ] {
        folder.run(words).fails(2, &[said]);
    }
    let limit = folder.run("sample asia -n 5 --time-limit 5d");
    limit.fails(2, &["milliseconds (500ms), minutes (5m) or hours (1.5h)"]);
    assert!(folder.run("sample --help").done().contains("500ms"));
    folder.run("sample asia -n 5 --time-limit 60000ms").done();
}

/// The limit may come at any time: what is said is then what is there.
#[test]
fn the_rows_that_were_written_before_the_limit_are_counted() {
    let folder = Folder::new();
    folder.run_with_limits("sample asia -n 1000000000", |answer| {
        assert_eq!(answer.code, Some(1), "{}", answer.err);
        if answer.out.is_empty() {
            assert!(answer.err.contains("nothing was written"), "{}", answer.err);
            return None;
        }
        let (_, said) = answer.err.split_once("before all rows were written; ").expect(&answer.err);
        let said: usize = said.split(' ').next().unwrap().replace(',', "").parse().unwrap();
        assert!(answer.out.ends_with('\n') && said > 0);
        assert_eq!(said, answer.out.lines().count() - 1);
        Some(())
    });
}

#[test]
fn an_output_that_must_be_a_file_is_not_said_to_be_optional() {
    let folder = Folder::new();
    let refused = folder.run("convert asia -");
    refused.fails(2, &["- has none", "the extension determines the format: .bif"]);
    assert!(!refused.err.contains("without -o"), "{refused:?}");
}

#[test]
fn huge_numbers_are_short() {
    let folder = Folder::new();
    let names: Vec<String> = (0..131).map(|i| format!("v{i:03}")).collect();
    let row = |bit: &str| [bit; 131].join(",") + "\n";
    folder.write("t.csv", names.join(",") + "\n" + &row("0") + &row("1"));
    let arcs: String = names[1..].iter().map(|name| format!("{name},v000\n")).collect();
    folder.write("g.csv", format!("from,to\n{arcs}"));
    let score = folder.run("score t.csv g.csv --score aic").done();
    assert!(score.contains("total    -1.4e39\n"), "{score}");
    let long = folder.run("learn asia --rows 8000000000000");
    long.fails(
        1,
        &["a sample of 8,000,000,000,000 rows would need 64,000,000,000,000 entries; the limit is "],
    );
}

#[test]
fn every_command_says_that_an_embedded_network_is_meant() {
    let folder = Folder::new();
    folder.write("asia", ROWS);
    folder.write("t.csv", "smoke,lung\nyes,no\nno,yes\n");
    for words in [
        "learn asia --rows 100",
        "why asia lung smoke --rows 100",
        "neighbours asia --target lung --rows 100",
        "test asia lung smoke --rows 100",
        "score t.csv asia",
        "learn t.csv --truth asia",
        "compare asia cancer",
        "sample asia -n 5",
        "query asia lung",
        "predict asia t.csv --target lung",
        "convert asia a.dot",
        "fit cancer asia",
        "study --networks asia --sizes 50 --samples 1 --new-rows 50 -o out",
    ] {
        let answer = folder.run(words);
        let said =
            answer.err.matches("warning: asia is the embedded network, not the file of that name; ./asia");
        assert_eq!(said.count(), 1, "{words}: {answer:?}");
        assert!(!folder.run(&format!("{words} -q")).err.contains("embedded network, not"), "{words}");
    }
    assert!(!folder.run("compare cancer cancer").err.contains("embedded"));
}

/// An identifier, numbers and a gap elsewhere do not matter to a test of two other columns.
#[test]
fn a_test_looks_only_at_its_columns() {
    let folder = Folder::new();
    let row = |i: u32| {
        format!(
            "{},{}.5,{},{},{}\n",
            10_000 + i,
            i * 7 % 601,
            i % 2,
            i / 2 % 2,
            if i == 5 { "?" } else { "0" }
        )
    };
    folder.write("t.csv", format!("id,x,a,b,gap\n{}", (0..600).map(row).collect::<String>()));
    let report = folder.run("test t.csv a b --json").json();
    assert_eq!((&report["rows"], &report["independent"]), (&600.into(), &true.into()));
    folder.run("test t.csv a b x --discretise x=quantile:3").done();
    folder.run("test t.csv a x --discretise x=mdl:a --drop id,gap").done();
    folder.run("test t.csv a id").fails(3, &["column \"id\"", "--drop id"]);
    folder.run("test t.csv a gap").fails(3, &["1 missing value, in \"gap\" (1)"]);
    folder.run("test t.csv a bb").fails(3, &["t.csv", "there is no column \"bb\""]);
    folder
        .run("neighbours t.csv --target a --drop gap")
        .fails(3, &["column \"id\"", "--drop id leaves it out"]);
}

#[test]
fn what_is_wrong_with_levels_columns_and_weights_is_said_with_its_place() {
    let folder = Folder::new();
    folder.write("t.csv", "n,a,b\nmany,0,1\n2,1,0\n");
    for (levels, said) in [
        (r#"{"a": []}"#, "levels.json: variable \"a\" has no levels"),
        (r#"{"a": ["0", "0"]}"#, "levels.json: variable \"a\" has the level \"0\" twice"),
    ] {
        folder.write("levels.json", levels);
        folder.run("learn t.csv --levels levels.json").fails(3, &[said]);
    }
    let all = "every column is left out; at least one column must stay";
    folder.run("learn t.csv --drop n,a,b").fails(3, &["t.csv, line 1", all]);
    folder.run("learn t.csv --weights n --drop a,b").fails(3, &["t.csv, line 1", all]);
    folder.run("learn cancer --drop Cancer,Dyspnoea,Pollution,Smoker,Xray").fails(3, &[all]);
    folder.run("learn t.csv --weights n").fails(
        3,
        &["t.csv, line 2, column n: found \"many\", expected a whole number, as the column has the weights"],
    );
}

#[test]
fn an_unknown_learner_is_a_usage_error_everywhere() {
    let folder = Folder::new();
    folder.write("t.csv", ROWS);
    folder.run("learn t.csv --learner TABU").fails(2, &["'TABU'", "'tabu'"]);
    folder.run("cross-validate t.csv --learners TABU").fails(2, &["\"TABU\"", "\"tabu\""]);
    folder.run("study --learners h2pc,TABU -o out").fails(2, &["\"TABU\"", "did you mean \"tabu\""]);
    folder.write("study.toml", "learners = ['TABU']\n");
    folder.run("study --config study.toml -o out").fails(3, &["\"TABU\"", "read from study.toml"]);
    assert!(!folder.path("out").exists());
}

#[test]
fn a_study_needs_a_folder() {
    let folder = Folder::new();
    folder.write("a.csv", ROWS);
    for words in ["study -o a.csv", "study merge one -o a.csv"] {
        folder.run(words).fails(2, &["a.csv is a file", "-o needs the name of a folder"]);
    }
    assert_eq!(folder.read("a.csv"), ROWS);
}

#[cfg(target_os = "linux")]
#[test]
fn an_error_names_the_file_that_was_asked_for() {
    let folder = Folder::new();
    let refused = folder.run("sample asia -n 5 -o /proc/a.csv");
    refused.fails(1, &["cannot write /proc/a.csv: No such file or directory"]);
    assert!(!refused.err.contains(".part"), "{refused:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    let folder = Folder::new();
    for words in [&["--help"][..], &["--version"], &["learn", "-h"], &["help", "study"]] {
        let mut command = folder.command(words);
        command.stdout(fs::File::options().write(true).open("/dev/full").unwrap());
        Answer::of(command).fails(1, &["cannot write to standard output", "No space left"]);
        let mut child = folder.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{words:?}");
    }
}

/// The same as for a link to a file that is there.
#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_followed() {
    let folder = Folder::new();
    std::os::unix::fs::symlink("new.csv", folder.path("link.csv")).unwrap();
    for _ in 0..2 {
        folder.run("sample asia -n 5 -o link.csv -q").done();
        assert!(folder.path("link.csv").symlink_metadata().unwrap().is_symlink());
        assert_eq!(folder.read("new.csv").lines().count(), 6);
    }
    fs::remove_file(folder.path("new.csv")).unwrap();
    folder.run("sample asia -n 5 -o link.csv -o new.csv").fails(2, &["new.csv is given as an output twice"]);
    std::os::unix::fs::symlink("no/where.csv", folder.path("lost.csv")).unwrap();
    folder
        .run("sample asia -n 5 -o lost.csv")
        .fails(1, &["cannot write lost.csv", "there is no directory no"]);
    assert_eq!(folder.files(), ["link.csv", "lost.csv"]);
}

/// On a terminal, where colours are not removed.
#[test]
fn words_that_are_not_understood_cannot_steer_a_terminal() {
    let folder = Folder::new();
    for words in [
        &["learn", "a.csv", "--learner", "\u{1b}]0;x\u{7}"][..],
        &["learn", "a.csv", "--seed", "\u{1b}[2J"],
        &["\u{1b}[2J"],
        &["learn", "--\u{9b}2J"],
        &["help", "\u{1b}[2J"],
    ] {
        let mut command = folder.command(words);
        command.env("CLICOLOR_FORCE", "1");
        let answer = Answer::of(command);
        assert_eq!(answer.code, Some(2), "{answer:?}");
        let own = answer.err.replace("\u{1b}[1m", "").replace("\u{1b}[0m", "");
        assert!(
            !own.contains(['\u{7}', '\u{9b}']) && !own.contains("\u{1b}]") && !own.contains("\u{1b}[2J"),
            "{answer:?}"
        );
        assert!(own.contains("\\u{"), "{answer:?}");
    }
}

#[test]
fn messages_are_in_plain_words() {
    let folder = Folder::new();
    folder.run("learn asia --rows 8000 --time-limit 1e-9").fails(1, &["the time limit of 0.000001 ms"]);
    folder.write("t.csv", ROWS);
    folder.run("convert asia t.csv/x.bif").fails(1, &["t.csv is not a directory"]);
    folder.run("learn t.csv --discretise a=width:1").fails(2, &["cannot be cut into 1 interval;"]);
    folder
        .run("learn t.csv --score bge -q")
        .fails(3, &["t.csv: ", "scores for discrete columns are accepted"]);
    folder.run("why t.csv a x").fails(3, &["t.csv: there is no column \"x\""]);
    assert!(!folder.run("why t.csv a x").err.contains("did you mean"));
    let numbers: String = (0..40).map(|i| format!("{}.5,{}\n", i * 7 % 41, i % 2)).collect();
    folder.write("numbers.csv", format!("x,y\n{numbers}"));
    folder
        .run("cross-validate numbers.csv --continuous auto --target x --learners hc --folds 2 -q")
        .fails(3, &["column \"x\" is continuous, and the prediction of a target is for discrete ones"]);
    let wide: Vec<String> = (0..100).map(|i| format!("v{i}")).collect();
    folder.write("wide.csv", wide.join(",") + "\n");
    let refused = folder.run("compare wide.csv asia");
    refused.fails(3, &["found the columns \"v0\", \"v1\"", "and 92 more, expected a header"]);
    let shown = folder.run("learn t.csv --iss 1000000000 --learner hc").done();
    assert!(shown.contains("imaginary sample size 1,000,000,000"), "{shown}");
}
