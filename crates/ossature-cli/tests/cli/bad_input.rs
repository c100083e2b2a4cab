//! Bad input: the message and the exit code for each kind.

use crate::run::{Answer, Folder};

/// Fits a table of these bytes, in a file of this name, to a graph over x and y.
fn fit(name: &str, content: impl AsRef<[u8]>) -> Answer {
    let folder = Folder::new();
    folder.write(name, content);
    folder.write("g.csv", "from,to\nx,y\n");
    folder.write("net.bif", "what was there before");
    let answer = folder.run(&format!("fit {name} g.csv -o net.bif"));
    if answer.code != Some(0) {
        assert_eq!(folder.read("net.bif"), "what was there before");
        assert_eq!(folder.files().len(), 3, "nothing else is left behind");
    }
    answer
}

/// Samples from a network of this text.
fn sample(bif: impl AsRef<[u8]>) -> Answer {
    let folder = Folder::new();
    folder.write("net.bif", bif);
    folder.run("sample net.bif -n 3")
}

const GARDEN: &str = "network garden { }
variable rain { type discrete [ 2 ] { no, yes }; }
variable wet { type discrete [ 2 ] { no, yes }; }
probability ( rain ) { table 0.8, 0.2; }
probability ( wet | rain ) { (no) 0.9, 0.1; (yes) 0.2, 0.8; }
";

#[test]
fn an_empty_file() {
    fit("a.csv", "").fails(3, &["a.csv"]);
    let gzip_of_nothing = b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x03\0\0\0\0\0\0\0\0\0";
    fit("a.csv.gz", gzip_of_nothing).fails(3, &["a.csv.gz"]);
    sample("").fails(3, &["net.bif"]);
}

#[test]
fn a_header_without_rows() {
    fit("a.csv", "x,y\n").fails(3, &["a.csv"]);
    fit("a.csv", "x,y").fails(3, &["a.csv"]);
}

/// One column is a table like any other; the error is that the graph has two nodes.
#[test]
fn a_single_column() {
    fit("a.csv", "x\n0\n1\n").fails(3, &["\"y\"", "a.csv"]);
    let folder = Folder::new();
    folder.write("a.csv", "x\n0\n1\n");
    folder.write("g.json", r#"{"nodes": ["x"], "arcs": []}"#);
    assert_eq!(folder.run("fit a.csv g.json --json").json()["nodes"], 1);
}

#[test]
fn two_columns_of_the_same_name() {
    fit("a.csv", "x,y,x\n0,1,0\n").fails(3, &["a.csv", "column \"x\"", "twice"]);
}

#[test]
fn a_row_that_is_too_short_or_too_long() {
    fit("a.csv", "x,y\n0,1\n0\n").fails(3, &["a.csv, line 3", "1 field", "2"]);
    fit("a.csv", "x,y\n0,1\n0,1,2\n").fails(3, &["a.csv, line 3", "3 fields", "2"]);
}

#[test]
fn a_delimiter_that_is_not_the_usual_one() {
    fit("a.csv", "x;y\n0;1\n")
        .fails(3, &["a.csv, line 1", "contains ';'", "--delimiter gives the character"]);
    fit("a.txt", "x;y\n0;1\n")
        .fails(3, &["a.txt", "a name without a known extension", "--delimiter gives the character"]);
}

#[test]
fn bytes_that_are_not_utf8() {
    fit("a.csv", b"x,y\n0,1\n\xff,0\n").fails(3, &["a.csv, line 3", "UTF-8"]);
    sample(b"network \xff { }").fails(3, &["net.bif, line 1", "UTF-8"]);
}

#[test]
fn a_nul_byte() {
    fit("a.csv", b"x,y\n0,1\n\0,0\n").fails(3, &["a.csv, line 3", "NUL"]);
}

#[test]
fn gzip_that_is_cut_off_or_is_none() {
    let folder = Folder::new();
    folder.run("sample asia -n 2000 -o a.csv.gz").done();
    let whole = std::fs::read(folder.path("a.csv.gz")).unwrap();
    folder.write("half.csv.gz", &whole[..whole.len() / 2]);
    folder.run("fit half.csv.gz asia").fails(3, &["half.csv.gz", "cut off"]);
    folder.write("plain.csv.gz", "x,y\n0,1\n");
    folder.run("fit plain.csv.gz asia").fails(3, &["plain.csv.gz", "gzip"]);
}

#[test]
fn missing_values() {
    fit("a.csv", "x,y\n0,1\n?,1\n0,\n").fails(
        3,
        &["a.csv, line 3", "2 missing values", "\"x\" (1)", "\"y\" (1)", "--missing drop", "--missing level"],
    );
}

#[test]
fn a_value_outside_the_declared_levels() {
    let folder = Folder::new();
    folder.write("a.csv", "x,y\nlow,1\nhihg,1\n");
    folder.write("g.csv", "from,to\nx,y\n");
    folder.write("levels.json", r#"{"x": ["low", "high"]}"#);
    folder
        .run("fit a.csv g.csv --levels levels.json")
        .fails(3, &["a.csv, line 3, column x", "\"hihg\"", "did you mean \"high\"", "--levels"]);
    folder.write("levels.json", r#"{"x": "low"}"#);
    folder.run("fit a.csv g.csv --levels levels.json").fails(3, &["levels.json, line 1"]);
}

#[test]
fn a_bif_cut_in_half() {
    let half = GARDEN.find("0.2, 0.8").unwrap();
    sample(&GARDEN[..half]).fails(3, &["net.bif, line 5"]);
    for cut in (0..half).step_by(7) {
        sample(&GARDEN[..cut]).fails(3, &["net.bif"]);
    }
}

#[test]
fn a_bif_with_an_unknown_variable() {
    sample(GARDEN.replace("wet | rain", "wet | rian")).fails(3, &["net.bif, line 5", "\"rian\"", "\"rain\""]);
}

#[test]
fn a_bif_with_a_cycle() {
    let cyclic = GARDEN.replace("( rain ) { table 0.8, 0.2; }", "( rain | wet ) { (no) 1, 0; (yes) 0, 1; }");
    sample(cyclic).fails(3, &["net.bif", "cycle", "rain -> wet -> rain"]);
}

#[test]
fn a_bif_whose_rows_do_not_sum_to_1() {
    sample(GARDEN.replace("0.9, 0.1", "0.9, 0.3")).fails(3, &["net.bif, line 5"]);
    let answer = sample(GARDEN.replace("0.9, 0.1", "0.9, 0.101"));
    assert_eq!(answer.code, Some(0));
    assert!(answer.err.contains("warning: net.bif: 1 row did not sum to 1 and was normalised"), "{answer:?}");
}

#[test]
fn a_line_of_ten_megabytes_is_data_like_any_other() {
    let label = "z".repeat(10_000_000);
    let answer = fit("a.csv", format!("x,y,rest\n0,1,{label}\n1,0,short\n"));
    assert_eq!(answer.code, Some(0), "{}", &answer.err[..answer.err.len().min(500)]);
    // If such a line is wrong, the message stays readable.
    let answer = fit("a.csv", format!("x,y\n0,{label},1\n"));
    answer.fails(3, &["a.csv, line 2"]);
    assert!(answer.err.len() < 1000, "the message repeats the line");
    let answer = sample(format!("network {label} {{ }} nonsense"));
    answer.fails(3, &["net.bif, line 1"]);
    assert!(answer.err.len() < 1000, "the message repeats the line");
}

#[test]
fn a_directory_instead_of_a_file() {
    let folder = Folder::new();
    for name in ["a.csv", "a.bif", "a.dot"] {
        std::fs::create_dir(folder.path(name)).unwrap();
    }
    folder.run("fit a.csv alarm").fails(3, &["a.csv", "directory"]);
    folder.run("sample a.bif -n 1").fails(3, &["a.bif", "directory"]);
    folder.run("compare alarm a.dot").fails(3, &["a.dot", "directory"]);
    folder.run("fit . alarm").fails(3, &["cannot read .", "directory"]);
}

#[test]
fn a_file_that_is_not_there() {
    let folder = Folder::new();
    folder.run("fit a.csv alarm").fails(3, &["cannot read a.csv"]);
    folder.run("sample a.bif -n 1").fails(3, &["cannot read a.bif"]);
    folder.run("fit a.csv alarm --levels a.json").fails(3, &["cannot read a.json"]);
}

#[test]
fn a_name_that_is_neither_a_file_nor_a_network() {
    let answer = Folder::new().run("sample alram -n 1");
    answer.fails(
        3,
        &["alram is neither a file nor an embedded network", "did you mean alarm?", "ossature networks"],
    );
    Folder::new().run("compare alarm nothing-like-it").fails(3, &["neither a file nor an embedded network"]);
}

#[test]
fn a_file_of_unknown_format() {
    let folder = Folder::new();
    folder.write("a.xlsx", "PK");
    folder.run("fit a.xlsx alarm").fails(3, &["a.xlsx", ".csv", ".parquet"]);
    folder.run("compare alarm a.xlsx").fails(3, &["a.xlsx", ".dot"]);
    folder.write("a.svg", "<svg/>");
    folder.run("convert a.svg a.dot").fails(3, &["a.svg is a drawing"]);
}

#[test]
fn graphs_with_faults() {
    let folder = Folder::new();
    for (name, text) in [
        ("a.dot", "digraph { a -> }"),
        ("a.graphml", "<graphml><graph>"),
        ("a.json", "{\"nodes\": ["),
        ("a.csv", "origin,target\na,b\n"),
        ("b.csv", ""),
    ] {
        folder.write(name, text);
        folder.run(&format!("compare alarm {name}")).fails(3, &[name]);
    }
}

#[test]
fn a_class_is_fitted_by_one_of_its_dags_and_what_has_none_is_refused() {
    let folder = Folder::new();
    folder.write("a.csv", "x,y\n0,1\n1,0\n");
    folder.write("g.csv", "from,to\nx,y\ny,x\n");
    let fitted = folder.run("fit a.csv g.csv");
    assert!(fitted.err.contains("1 edge without direction; a DAG of the same class is used"), "{fitted:?}");
    fitted.done();
    folder.write("a.csv", "x,y,z,w\n0,1,1,0\n1,0,1,1\n");
    folder.write("g.csv", "from,to\nx,y\ny,x\ny,z\nz,y\nz,w\nw,z\nw,x\nx,w\n");
    folder
        .run("fit a.csv g.csv")
        .fails(3, &["4 edges without direction, and no DAG agrees with all of them"]);
    folder.write("a.csv", "x,y,z\n0,1,1\n1,0,1\n");
    folder.write("g.csv", "from,to\nx,y\ny,z\nz,x\n");
    folder.run("fit a.csv g.csv").fails(3, &["cycle", "x -> y -> z -> x"]);
}

#[test]
fn a_graph_with_a_node_that_the_table_lacks() {
    let folder = Folder::new();
    folder.write("a.csv", "smoking,cancer\n0,1\n1,0\n");
    folder.write("g.csv", "from,to\nsmokign,cancer\n");
    folder
        .run("fit a.csv g.csv")
        .fails(3, &["g.csv: the node \"smokign\" is not a column of a.csv (did you mean \"smoking\"?)"]);
}

#[test]
fn a_test_of_columns_that_are_not_there_or_the_same() {
    let folder = Folder::new();
    folder.write("a.csv", "smoke,lung\n0,1\n1,0\n");
    folder.run("test a.csv smoke lugn").fails(3, &["no column \"lugn\"", "did you mean \"lung\""]);
    folder.run("test a.csv smoke smoke").fails(2, &["\"smoke\" is named twice"]);
    folder.run("test a.csv smoke lung lung").fails(2, &["\"lung\" is named twice"]);
}

#[test]
fn a_graph_has_no_tables_to_write_or_to_sample_from() {
    let folder = Folder::new();
    folder.write("g.dot", "digraph { a -> b }");
    folder.run("convert g.dot g.bif").fails(3, &["probability tables", "ossature fit"]);
    folder.run("sample g.dot -n 1").fails(3, &["probability tables", "ossature fit"]);
    assert_eq!(folder.files(), ["g.dot"]);
}

/// Permissions do not stop root, so for root a file is used that even root cannot read.
#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.write("a.csv", "x,y\n0,1\n");
    std::fs::set_permissions(folder.path("a.csv"), std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(folder.path("a.csv")).is_err() {
        folder.run("fit a.csv asia").fails(3, &["cannot read a.csv", "denied"]);
    } else if cfg!(target_os = "linux") {
        folder.run("fit /proc/self/mem asia").fails(3, &["cannot read /proc/self/mem"]);
    } else {
        panic!("run the tests as a user whose files have permissions");
    }
}
