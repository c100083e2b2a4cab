//! Messages name the file at fault, and the exit code says whose fault it is.

use crate::run::Folder;

const ROWS: &str = "a,b\n0,1\n1,0\n0,0\n1,1\n";

fn prepared() -> Folder {
    let folder = Folder::new();
    folder.write("t.csv", ROWS);
    folder.write("g.csv", "from,to\na,zz\n");
    folder
}

#[test]
fn the_file_at_fault_is_named() {
    let folder = prepared();
    for (words, said) in [
        ("learn t.csv --restrict g.csv", "g.csv: there is no variable \"zz\""),
        ("learn t.csv --start g.csv --learner hc", "g.csv: the node \"zz\" is not a column of t.csv"),
        ("fit t.csv g.csv", "g.csv: the node \"zz\" is not a column of t.csv"),
        ("why t.csv a zz", "t.csv: there is no column \"zz\""),
        ("neighbours t.csv --target zz", "t.csv: there is no column \"zz\""),
        ("cross-validate t.csv --target zz --folds 2", "t.csv: there is no column \"zz\""),
        ("query asia zz", "asia: there is no variable \"zz\""),
        ("query asia lung --given zz=1", "asia: there is no variable \"zz\""),
        ("predict asia t.csv --target zz", "asia: there is no variable \"zz\""),
        ("learn t.csv --score bge", "t.csv: column \"a\" is discrete"),
    ] {
        folder.run(&format!("{words} -q")).fails(3, &[said]);
    }
    folder.write("r1.csv", "smoke\nyes\n");
    folder.write("r2.csv", "smoke\nyes,no\n");
    folder.run("predict asia r*.csv --target lung").fails(3, &["error: r2.csv, line 2: found 2 fields"]);
}

#[test]
fn a_model_that_is_wrong_is_named_in_plain_words() {
    let folder = Folder::new();
    let numbers: String = (0..40).map(|i| format!("{}.5,{}.25\n", i * 7 % 41, i * 3 % 37)).collect();
    folder.write("t.csv", format!("x,y\n{numbers}"));
    folder.write("g.csv", "from,to\nx,y\n");
    folder.run("fit t.csv g.csv --continuous auto -o m.json -q").done();
    let mut model: serde_json::Value = serde_json::from_str(&folder.read("m.json")).unwrap();
    let node =
        model["variables"].as_array_mut().unwrap().iter_mut().find(|node| node["name"] == "y").unwrap();
    node["regressions"][0]["sd"] = (-1.0).into();
    folder.write("sd.json", model.to_string());
    let refused = folder.run("sample sd.json -n 2");
    refused.fails(3, &["sd.json: a regression of \"y\" has the standard deviation -1; 0 or more is needed"]);
    folder
        .run("predict m.json t.csv --target y")
        .fails(3, &["m.json: \"y\" is continuous", "can be predicted"]);
}

#[test]
fn a_request_that_is_wrong_is_not_bad_data() {
    let folder = prepared();
    for (words, said) in [
        (
            "learn t.csv --restrict none --maximise colliders",
            "restrict is none, so there is no skeleton to direct",
        ),
        ("why t.csv a a", "a is given twice"),
        ("cross-validate t.csv --folds 1000", "folds is 1,000, and there are 4 rows"),
        ("study --networks asia --samples 1000000000 -o out", "samples is 1,000,000,000"),
        ("learn t.csv --discretise a=mdl:a", "its information about itself"),
        ("query asia lung --given tub=yes --do tub=no", "the variable \"tub\" is in --given and in --do"),
    ] {
        folder.run(&format!("{words} -q")).fails(2, &[said]);
    }
    assert!(!folder.path("out").exists());
    folder.write("w.csv", "a,n\n0,4294967295\n1,4294967295\n");
    folder.run("learn w.csv --weights n").fails(3, &["w.csv", "the weights add up to 8,589,934,590 rows"]);
}

/// Before anything is learned.
#[test]
fn an_output_that_cannot_hold_the_table_is_refused_early() {
    let folder = Folder::new();
    let numbers: String = (0..40).map(|i| format!("{}.5,{}.25\n", i * 7 % 41, i * 3 % 37)).collect();
    folder.write("t.csv", format!("x,y\n{numbers}"));
    folder.write("g.csv", "from,to\nx,y\n");
    for words in ["learn t.csv --continuous auto -o x.bif", "fit t.csv g.csv --continuous auto -o x.bif"] {
        let refused = folder.run(words);
        refused.fails(2, &["cannot write x.bif: column \"x\" is continuous", "a .json holds a network"]);
        assert!(!refused.err.contains("score"), "{refused:?}");
    }
    folder.write("c.csv", "a\u{1},b\n0,1\n1,0\n");
    let refused = folder.run("learn c.csv -o c.graphml");
    refused.fails(2, &["cannot write c.graphml", "a .json holds any name"]);
    assert!(!refused.err.contains("score"), "{refused:?}");
}

#[test]
fn a_row_that_the_network_rules_out_does_not_lose_the_others() {
    let folder = Folder::new();
    folder.write("t.csv", "lung,either,tub\nyes,no,no\nno,no,no\nyes,yes,\n");
    let found = folder.run("predict asia t.csv --target tub");
    assert_eq!(found.code, Some(0), "{found:?}");
    let lines: Vec<&str> = found.out.lines().collect();
    assert_eq!((lines.len(), lines[1]), (4, ",,"), "{lines:?}");
    assert!(lines[2].starts_with("no,0,1"), "{lines:?}");
    assert!(found.err.contains("t.csv: 1 row without a prediction; row 1: "), "{found:?}");
    let written = folder.run("predict asia t.csv --target tub -o p.csv");
    assert!(written.err.contains("wrote p.csv: 2 predictions"), "{written:?}");
    let report = folder.run("predict asia t.csv --target tub --json -q").json();
    assert_eq!(
        (&report["rows"], &report["ruled_out"], &report["accuracy"]),
        (&3.into(), &1.into(), &1.0.into())
    );
}

#[test]
fn what_is_missing_after_a_merge_is_said() {
    let folder = Folder::new();
    for shard in ["1/2", "2/2"] {
        let words = format!(
            "study --networks asia --sizes 50 --samples 2 --new-rows 50 --shard {shard} -q -o {}",
            &shard[..1]
        );
        folder.run(&words).done();
    }
    let part = folder.run("study merge 1 -o part");
    assert_eq!(part.code, Some(1), "{part:?}");
    assert!(part.err.contains("in none of the folders: (asia, 50 rows, sample "), "{part:?}");
    assert!(part.err.contains("merge all folders of the study, in one command, into a new one"), "{part:?}");
    folder.run("study merge 1 2 -o all -q").done();
    // A folder of another study is refused, and stays as it is.
    let before = std::fs::read_dir(folder.path("all")).unwrap().count();
    std::fs::remove_file(folder.path("all/.study.lock")).unwrap();
    folder.run("study --networks asia --sizes 60 --samples 2 --new-rows 50 -o all").fails(3, &["all"]);
    assert_eq!(std::fs::read_dir(folder.path("all")).unwrap().count(), before - 1);
}
