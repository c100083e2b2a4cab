//! `ossature why`: the reason for an edge, or for its absence.

use serde_json::{Value, json};

use crate::run::Folder;

const KEYS: [&str; 12] = [
    "x",
    "y",
    "adjacent",
    "direction",
    "strength",
    "separated_by",
    "statistic",
    "df",
    "p",
    "without_power",
    "orientation",
    "sentences",
];

#[test]
fn an_edge_has_a_strength_and_a_direction() {
    let folder = Folder::new();
    let why = folder.run("why asia either lung --rows 20000 --json").json();
    assert_eq!(why.as_object().unwrap().keys().collect::<Vec<_>>(), KEYS);
    assert_eq!((&why["adjacent"], &why["direction"]), (&json!(true), &json!("lung -> either")));
    assert_eq!((&why["orientation"], &why["separated_by"]), (&json!("collider"), &Value::Null));
    assert!(why["strength"].as_f64().unwrap() > 100.0);
    let text = folder.run("why asia either lung --rows 20000").done();
    for part in ["The network has the arc lung -> either.", "lower.", "lung -> either <- tub", "not adjacent"]
    {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[test]
fn no_edge_has_a_set_that_separates() {
    let folder = Folder::new();
    let why = folder.run("why asia smoke xray --rows 20000 --json").json();
    assert_eq!((&why["adjacent"], &why["direction"]), (&json!(false), &Value::Null));
    assert!(!why["separated_by"].as_array().unwrap().is_empty() && why["p"].as_f64().unwrap() > 0.05);
    let nothing = folder.run("why asia asia smoke --rows 20000 --json").json();
    assert_eq!(nothing["separated_by"], json!([]));
    let free = folder.run("why asia smoke tub --learner hc").done();
    assert!(free.contains("With the arc smoke -> tub the score (bdeu) would be"), "{free}");
    folder.write("no.csv", "from,to\nlung,smoke\nsmoke,lung\n");
    let known = folder.run("why asia lung smoke --blacklist no.csv").done();
    assert!(known.contains("forbidden by prior knowledge"), "{known}");
}

#[test]
fn an_earlier_result_knows_as_well() {
    let folder = Folder::new();
    folder.run("learn asia --rows 20000 -o l.json -q").done();
    let (now, earlier) = (
        folder.run("why asia smoke xray --rows 20000 --json").json(),
        folder.run("why l.json smoke xray --json").json(),
    );
    for key in ["adjacent", "separated_by", "statistic", "df", "without_power"] {
        assert_eq!(now[key], earlier[key], "{key}");
    }
    let edge = folder.run("why l.json either lung").done();
    assert!(edge.contains("lung -> either <- tub") && edge.contains("would be"), "{edge}");
    folder.run("why l.json smoke xray --alpha 0.1").fails(2, &["nothing is learned", "the rows"]);
    folder.run("why l.json smok xray").fails(3, &["did you mean \"smoke\""]);
    folder.run("why l.json smoke smoke").fails(2, &["given twice"]);
    folder.write("bad.json", "{\"nodes\": []}");
    folder.run("why bad.json a b").fails(3, &["bad.json is not a result", "learn --json"]);
    folder.write("bad.json", "not json");
    folder.run("why bad.json a b").fails(3, &["bad.json is not a result"]);
    folder.run("why asia smok xray -q").fails(3, &["did you mean \"smoke\""]);
}
