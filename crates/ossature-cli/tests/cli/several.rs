//! A table in several files.

use crate::run::{Answer, Folder};

/// Three parts of one table, and the whole.
fn parts(folder: &Folder) {
    let row = |i: u32| {
        let a = i.wrapping_mul(2_654_435_761) >> 30 & 1;
        (a, if i.is_multiple_of(10) { 1 - a } else { a })
    };
    let rows = |range: std::ops::Range<u32>| -> String {
        range.map(row).map(|(a, b)| format!("{a},{b}\n")).collect()
    };
    let turned: String = (100..150).map(row).map(|(a, b)| format!("{b},{a}\n")).collect();
    folder.write("all.csv", format!("a,b\n{}", rows(0..300)));
    std::fs::create_dir(folder.path("parts")).unwrap();
    folder.write("parts/part-1.csv", format!("a,b\n{}", rows(0..100)));
    folder.write("parts/part-10.csv", format!("b,a\n{turned}"));
    folder.write("parts/part-2.csv", format!("a,b\n{}", rows(150..300)));
    folder.write("parts/notes.txt", "not a table");
}

#[test]
fn a_pattern_a_folder_and_a_list_are_one_table() {
    let folder = Folder::new();
    parts(&folder);
    let hash = |words: &str| folder.run(words).json()["data"]["sha256"].to_string();
    let whole = hash("learn all.csv --json -q");
    assert!(whole.len() > 60, "{whole}");
    for several in [
        "parts/part-*.csv",
        "parts",
        "pa*/part-[0-9]*.csv",
        "parts/part-1.csv parts/part-10.csv parts/part-2.csv",
    ] {
        assert_eq!(hash(&format!("learn {several} --json -q")), whole, "{several}");
    }
    let note = folder.run("score parts empty.csv").err;
    assert!(note.contains("empty.csv"), "{note}");
    let said = folder.run("learn parts/part-*.csv -v").err;
    assert!(said.contains("parts/part-*.csv (3 files): 300 rows of 2 variables"), "{said}");
    folder.run("neighbours parts/part-1.csv parts/part-2.csv --target a --json -q").json();
    folder.run("test parts/part-*.csv a b --json -q").json();
}

#[test]
fn files_that_do_not_fit_together_are_refused() {
    let folder = Folder::new();
    parts(&folder);
    folder.write("parts/part-3.csv", "a,c\n1,1\n");
    folder.run("learn parts/part-*.csv").fails(
        3,
        &["parts/part-3.csv, line 1: found no column \"b\", expected the columns of parts/part-1.csv"],
    );
    folder.write("parts/part-3.csv", "a,c,b\n1,1,1\n");
    folder
        .run("learn parts")
        .fails(3, &["parts/part-3.csv, line 1: found a column \"c\", expected the columns of"]);
    folder.write("parts/part-3.csv", "a,b\n1,1\n1\n");
    folder
        .run("learn parts")
        .fails(3, &["error: parts/part-3.csv, line 3: found 1 field, expected 2 fields"]);
    folder.write("parts/part-3.csv", "a,b\n1,?\n1,1\n");
    folder.run("learn parts").fails(3, &["parts/part-3.csv, line 2, column b: 1 missing value"]);
    folder.run("learn all.csv parts/part-1.csv all.csv").fails(2, &["all.csv is given twice"]);
    folder
        .run("learn parts/*.parquet")
        .fails(3, &["cannot read parts/*.parquet: no file has a name that matches"]);
    folder
        .run("learn parts/part-1.csv asia")
        .fails(2, &["asia is an embedded network: its rows cannot be combined with others"]);
    folder.run("learn parts -o parts/part-2.csv").fails(2, &["parts/part-2.csv is an input", "overwritten"]);
}

/// Whatever it is called: its rows would count twice.
#[cfg(unix)]
#[test]
fn the_same_file_is_not_read_twice() {
    let folder = Folder::new();
    folder.write("a.csv", "a,b\n0,1\n1,0\n");
    std::os::unix::fs::symlink("a.csv", folder.path("b.csv")).unwrap();
    std::fs::hard_link(folder.path("a.csv"), folder.path("c.csv")).unwrap();
    for again in ["./a.csv", "b.csv", "c.csv", "[bc].csv"] {
        let words = format!("learn a.csv {again}");
        folder.run(&words).fails(2, &["the same file", "each file is read once"]);
    }
    let mut command = folder.command(&["learn", "a.csv", "-"]);
    command.stdin(std::fs::File::open(folder.path("a.csv")).unwrap());
    Answer::of(command).fails(2, &["a.csv and <stdin> are the same file"]);
    folder.run("learn - -").fails(2, &["<stdin> is given twice"]);
    folder.run("predict asia [ab].csv --target lung").fails(2, &["occurs twice"]);
    folder.write("d.csv", "a,b\n0,1\n1,0\n");
    folder.run("learn a.csv d.csv").done();
}
