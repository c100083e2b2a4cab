//! The model file: a model survives writing and reading, and anything else is refused.

use ossature::data::{ReadOptions, read_csv};
use ossature::graph::format::parse_json;
use ossature::infer::{PartialRows, Unseen};
use ossature::network::{Model, Prior, catalogue, fit};
use ossature::{Dag, MissingPolicy, Silent, Table, Var};

const ROWS: &str = "age,ill,sex\n30,no,f\n45,yes,m\n50,yes,-\n61,no,f\n";

fn model() -> Model {
    let options = ReadOptions {
        discretise: vec!["age=cuts:40,60".parse().unwrap()],
        missing_tokens: vec!["-".into()],
        missing: MissingPolicy::Level,
        ..ReadOptions::default()
    };
    let table = read_csv(ROWS.as_bytes(), "rows.csv", &options, &Silent).unwrap();
    let dag = Dag::from_arcs(3, [(Var(0), Var(1)), (Var(2), Var(1))]).unwrap();
    let fitted = fit(&table.data, &dag, Prior::Bdeu { iss: 1.0 }, &Silent).unwrap();
    Model::new(fitted.network, &table.report, &options.missing_tokens)
}

fn read(model: &Model, text: &str, unseen: Unseen) -> ossature::Result<Table> {
    let options = ReadOptions { unknown_as_missing: unseen == Unseen::Missing, ..model.read_options() };
    read_csv(text.as_bytes(), "new.csv", &options, &Silent)
}

#[test]
fn a_model_comes_back_as_it_was() {
    let model = model();
    assert_eq!(model.cuts, [("age".to_owned(), vec![40.0, 60.0])]);
    assert_eq!(model.missing_level("sex"), Some("NA"));
    assert!(Model::is_model(&model.to_json()));
    assert_eq!(Model::parse(&model.to_json(), "m.json").unwrap(), model);
    for name in ["asia", "alarm", "hailfinder"] {
        let model = Model::from(catalogue::load(name).unwrap());
        assert_eq!(Model::parse(&model.to_json(), "m.json").unwrap(), model, "to the last bit");
    }
}

#[test]
fn a_model_file_is_a_graph_for_those_who_want_one() {
    let model = model();
    assert_eq!(parse_json(&model.to_json(), "m.json").unwrap(), model.network.named_graph());
}

#[test]
fn rows_are_read_as_those_of_the_model() {
    let model = model();
    let text = "id,ill,age,sex\n1,?,7,f\n2,-,60,-\n3,no,-,m\n";
    let table = read(&model, text, Unseen::Missing).unwrap();
    let rows = PartialRows::of_table(&model, &table, Unseen::Missing).unwrap();
    // age is cut, sex has a level for missing values; ill has none, and "?" is unknown.
    assert_eq!(rows.row(0), [Some(0), None, Some(1)]);
    assert_eq!(rows.row(1), [Some(2), None, Some(0)]);
    assert_eq!(rows.row(2), [None, Some(0), Some(2)]);
    assert_eq!(rows.unseen(), 1);
    let said = read(&model, text, Unseen::Error).unwrap_err().to_string();
    assert!(said.starts_with("new.csv, line 2, column ill: \"?\" is not a level of ill"), "{said}");
    let said = read(&model, "age\nold\n", Unseen::Error).unwrap_err().to_string();
    assert!(said.contains("\"old\"") && said.contains("a finite number"), "{said}");
    assert_eq!(read(&model, "age\nold\n", Unseen::Missing).unwrap().report.unknown, 1);
    let said = read(&model, "id\n1\n", Unseen::Error).unwrap_err().to_string();
    assert!(said.contains("none of the requested columns"), "{said}");
}

#[test]
fn the_order_of_the_intervals_does_not_matter() {
    let turned = model()
        .to_json()
        .replace("[\"(-inf,40)\",\"[40,60)\",\"[60,inf)\"]", "[\"[60,inf)\",\"[40,60)\",\"(-inf,40)\"]");
    let model = Model::parse(&turned, "m.json").unwrap();
    let table = read(&model, "age\n7\n59.9\n60\n", Unseen::Error).unwrap();
    let rows = PartialRows::of_table(&model, &table, Unseen::Error).unwrap();
    assert_eq!([0, 1, 2].map(|row| rows.level(row, Var(0))), [Some(2), Some(1), Some(0)]);
}

#[test]
fn a_column_of_one_interval_is_passed_over() {
    let options = ReadOptions { discretise: vec!["x=width:3".parse().unwrap()], ..ReadOptions::default() };
    let table = read_csv("x,y\n7,a\n7,b\n".as_bytes(), "t.csv", &options, &Silent).unwrap();
    let fitted = fit(&table.data, &Dag::empty(2), Prior::None, &Silent).unwrap();
    let model = Model::new(fitted.network, &table.report, &options.missing_tokens);
    assert_eq!(Model::parse(&model.to_json(), "m.json").unwrap(), model);
    let rows = read(&model, "x,y\n8,a\n", Unseen::Error).unwrap();
    assert_eq!(PartialRows::of_table(&model, &rows, Unseen::Error).unwrap().row(0), [None, Some(0)]);
}

#[test]
fn what_is_no_model_is_refused() {
    let refused = |text: &str| Model::parse(text, "m.json").unwrap_err().to_string();
    let good = model().to_json();
    assert!(refused("").starts_with("m.json, line 1"));
    assert!(refused("[1]").contains("expected"));
    assert!(refused("{}").contains("no key \"model\"") && !Model::is_model("{}"));
    assert!(refused("{\"model\": \"other\", \"format\": 1}").contains("the model \"other\""));
    assert!(refused("{\"model\": \"ossature\"}").contains("no format"));
    assert!(refused(&good.replace("\"format\":1", "\"format\":2")).contains("the format 2"));
    assert!(refused(&good.replace("\"discrete\"", "\"gaussian\"")).contains("the kind \"gaussian\""));
    assert!(
        refused(&good.replace("\"parents\":[\"age\",\"sex\"]", "\"parents\":[\"sex\",\"age\"]"))
            .contains("bytewise")
    );
    assert!(
        refused(&good.replace("\"parents\":[\"age\",\"sex\"]", "\"parents\":[\"agee\"]"))
            .contains("did you mean \"age\"")
    );
    assert!(
        refused(&good.replace("\"parents\":[\"age\",\"sex\"]", "\"parents\":[]"))
            .contains("the table of \"ill\"")
    );
    assert!(refused(&good.replace("[40.0,60.0]", "[60.0,40.0]")).contains("increase"));
    assert!(
        refused(&good.replace("\"missing_level\":\"NA\"", "\"missing_level\":\"?\""))
            .contains("one of the levels")
    );
    assert!(refused(&good.replace("\"name\":\"ill\"", "\"name\":\"age\"")).contains("twice"));
    assert!(
        refused(&good.replace("\"levels\":[\"no\",\"yes\"]", "\"levels\":[\"no\"]")).contains("a row of 2")
    );
    assert!(
        refused(&good.replace("\"levels\":[\"no\",\"yes\"]", "\"levels\":[\"no\",\"no\"]")).contains("twice")
    );
    assert!(
        refused(
            &good
                .replace("\"levels\":[\"(-inf,40)\",\"[40,60)\",", "\"levels\":[\"low\",\"middle\",")
                .replace("\"[60,inf)\"]", "\"high\"]")
        )
        .contains("expected the names of the intervals, (-inf,40) [40,60) [60,inf), in any order")
    );
    let circle = good.replacen("\"parents\":[]", "\"parents\":[\"ill\"]", 1);
    assert!(refused(&circle).contains("cycle"));
    for end in 0..good.len() - 2 {
        if good.is_char_boundary(end) {
            refused(&good[..end]);
        }
    }
}
