//! Cuts that use other columns.

use ossature::Error;
use ossature::data::{CodedColumn, Method};

use super::{default, discretise, message, table_of};

/// x depends on y, which is not cut at quantiles; z has labels; more is a number with few values.
fn text(order: &[usize]) -> String {
    let mut text = String::from("x,z,y,more\n");
    for &i in order {
        let y = (i * 7) % 60;
        let x = if y < 13 { 100 + y } else { y };
        let z = if y < 13 {
            "low"
        } else if y < 44 {
            "mid"
        } else {
            "high"
        };
        text.push_str(&format!("{x}.5,{z},{y},{}\n", i % 3));
    }
    text
}

fn cuts(text: &str, wishes: &[&str]) -> Vec<(String, Vec<f64>)> {
    table_of(text, &discretise(wishes)).unwrap().report.discretised
}

#[test]
fn intervals_tell_of_a_target() {
    let rows: Vec<usize> = (0..60).collect();
    let found = cuts(&text(&rows), &["*=mdl:z"]);
    assert_eq!(found, [("x".into(), vec![44.0, 80.0]), ("y".into(), vec![12.5, 43.5])]);
    let table = table_of(text(&rows), &discretise(&["y=mdl:z"])).unwrap();
    let y = table.data.require("y").unwrap();
    assert_eq!(table.data.variable(y).levels(), ["(-inf,12.5)", "[12.5,43.5)", "[43.5,inf)"]);
    // A target that is cut itself.
    assert_eq!(cuts(&text(&rows), &["x=mdl:y", "y=cuts:13"])[0].1, [80.0]);
}

#[test]
fn intervals_keep_what_columns_tell_of_each_other() {
    let rows: Vec<usize> = (0..60).collect();
    let found = cuts(&text(&rows), &["y=hartemink:3:30", "x=hartemink:3:30"]);
    let [(_, x), (_, y)] = &found[..] else { panic!("{found:?}") };
    assert_eq!((x.len(), y.len()), (2, 2));
    // z changes between 12 and 14, and between 43 and 45, the nearest cuts of 30 quantiles.
    assert!((12.0..=14.0).contains(&y[0]) && (43.0..=45.0).contains(&y[1]), "{y:?}");
}

#[test]
fn the_order_of_rows_and_columns_does_not_matter() {
    let (rows, back): (Vec<usize>, Vec<usize>) = ((0..60).collect(), (0..60).rev().collect());
    let turned: String = text(&back)
        .lines()
        .map(|l| {
            let fields: Vec<&str> = l.split(',').collect();
            format!("{},{},{},{}\n", fields[2], fields[3], fields[1], fields[0])
        })
        .collect();
    for wishes in [&["*=hartemink:4"][..], &["*=mdl:z"], &["x=hartemink:2", "y=mdl:more"]] {
        assert_eq!(cuts(&text(&rows), wishes), cuts(&turned, wishes), "{wishes:?}");
    }
}

#[test]
fn what_cannot_be_looked_at_is_refused() {
    let rows: Vec<usize> = (0..60).collect();
    let said = |wishes: &[&str]| message(text(&rows), &discretise(wishes));
    assert!(said(&["x=mdl:zz"]).contains("no column \"zz\" (did you mean \"z\"?)"));
    let itself = "x=mdl:x".parse::<ossature::data::Discretise>().unwrap_err().to_string();
    assert!(itself.contains("information about itself"), "{itself}");
    assert!(said(&["x=mdl:y", "y=mdl:z"]).contains("which is cut by its information about others"));
    let continuous = ossature::ReadOptions { continuous: "y".parse().unwrap(), ..discretise(&["x=mdl:y"]) };
    assert!(message(text(&rows), &continuous).contains("which is continuous"));
    assert!(
        message("x\n1\n2\n3\n", &discretise(&["x=hartemink:2"])).contains("hartemink needs another column")
    );
    let alone = CodedColumn::discretised("x", &Method::Mdl { target: "y".into() }, [Some(1.0)]);
    assert!(matches!(alone, Err(Error::Mismatch { .. })));
    let labels = CodedColumn::new("x", vec!["a".into()], true, [Some(0)]).unwrap();
    let cut = CodedColumn::discretise(vec![labels], &[("x".into(), Method::Width(2))]);
    assert!(cut.unwrap_err().to_string().contains("has labels"));
    assert!(table_of(text(&rows), &default()).is_ok());
}

#[test]
fn missing_values_are_passed_over() {
    let rows: Vec<usize> = (0..60).collect();
    let full = cuts(&text(&rows), &["y=mdl:z"]);
    let with_gaps = format!("{}1.5,?,900,0\n2.5,low,?,1\n", text(&rows));
    let options =
        ossature::ReadOptions { missing: ossature::MissingPolicy::Level, ..discretise(&["y=mdl:z"]) };
    let found = table_of(&with_gaps, &options).unwrap();
    assert_eq!(found.report.discretised, full);
    assert_eq!(found.data.label(61, found.data.require("y").unwrap()), "NA");
}
