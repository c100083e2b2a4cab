use super::*;

fn labels(names: &[&str]) -> Vec<String> {
    names.iter().map(|&n| n.to_owned()).collect()
}

fn table(columns: Vec<CodedColumn>, policy: MissingPolicy) -> Result<Table> {
    Table::from_columns(columns, policy, "the frame")
}

fn text(column: &(Variable, Column)) -> Vec<&str> {
    (0..column.1.len()).map(|row| column.0.levels()[usize::from(column.1.code(row))].as_str()).collect()
}

#[test]
fn labels_that_occur_are_sorted_and_joined() {
    let column =
        CodedColumn::new("a", labels(&["2", "10", "x", "2"]), false, [0, 1, 3, 0].map(Some)).unwrap();
    let column = column.finish(false).unwrap();
    assert_eq!(column.0.levels(), ["10", "2"]);
    assert_eq!(text(&column), ["2", "10", "2", "2"]);
}

#[test]
fn declared_levels_stay_as_they_are() {
    let column = CodedColumn::new("a", labels(&["z", "None", "a"]), true, [Some(2), Some(0)]).unwrap();
    let column = column.finish(false).unwrap();
    assert_eq!(column.0.levels(), ["z", "None", "a"]);
    assert_eq!(text(&column), ["a", "z"]);
    let twice = CodedColumn::new("a", labels(&["z", "z"]), true, [Some(0)]).unwrap();
    assert!(twice.finish(false).unwrap_err().to_string().contains("twice"));
}

#[test]
fn missing_values_are_refused_left_out_or_a_level() {
    let columns = || {
        vec![
            CodedColumn::new("b", labels(&["x", "NA", "y"]), false, [Some(0), None, Some(1), Some(2)])
                .unwrap(),
            CodedColumn::new("a", labels(&["u", "v"]), true, [Some(0), Some(0), None, Some(0)]).unwrap(),
        ]
    };
    assert_eq!(
        table(columns(), MissingPolicy::Error).unwrap_err().to_string(),
        "the frame, column b, row 2: 2 missing values, in \"a\" (1), \"b\" (1); drop these rows, make the \
         missing value a separate level, or use the available values"
    );
    let dropped = table(columns(), MissingPolicy::Drop).unwrap();
    assert_eq!((dropped.data.rows(), dropped.report.rows_dropped), (2, 2));
    assert_eq!(dropped.data.variables()[1].levels(), ["x", "y"], "of the rows that are left");
    let level = table(columns(), MissingPolicy::Level).unwrap().data;
    assert_eq!(level.variables()[0].levels(), ["u", "v", "NA"]);
    assert_eq!(level.variables()[1].levels(), ["NA", "NA_2", "x", "y"]);
    let row = |row| level.vars().map(|v| level.label(row, v)).collect::<Vec<_>>();
    assert_eq!([row(1), row(2)], [["u", "NA_2"], ["NA", "NA"]]);
}

#[test]
fn a_column_of_256_levels_is_as_narrow_as_it_can_be() {
    for (n, missing) in [(255, true), (256, false), (256, true), (257, false)] {
        let names: Vec<String> = (0..n).map(|i| format!("l{i:03}")).collect();
        let rows = (0..n).map(Some).chain(missing.then_some(None));
        let column = CodedColumn::new("a", names, true, rows).unwrap();
        let data = table(vec![column], MissingPolicy::Level).unwrap().data;
        assert_eq!(data.label(n - 1, crate::Var(0)), format!("l{:03}", n - 1));
    }
}

#[test]
fn what_is_no_table_is_refused() {
    assert!(CodedColumn::new("a", labels(&["x"]), true, [Some(1)]).is_err());
    assert!(table(vec![], MissingPolicy::Error).is_err());
    let column = |name, n| CodedColumn::new(name, labels(&["x"]), true, vec![Some(0); n]).unwrap();
    assert!(table(vec![column("a", 0)], MissingPolicy::Error).is_err());
    assert!(table(vec![column("a", 1), column("b", 2)], MissingPolicy::Error).is_err());
    assert!(table(vec![column("a", 1), column("a", 1)], MissingPolicy::Error).is_err());
    assert_eq!(
        table(vec![column("a", 1), column("", 1)], MissingPolicy::Error).unwrap_err().to_string(),
        "the frame: found no name for column 2 of 2, expected a name for every column"
    );
    let missing = CodedColumn::new("a", vec![], false, [None, None]).unwrap();
    assert!(table(vec![missing], MissingPolicy::Drop).is_err());
    let numbers: Vec<String> = (0..300).map(|i| i.to_string()).collect();
    let too_many =
        |rows: Vec<Option<usize>>| CodedColumn::new("a", numbers.clone(), false, rows).unwrap_err();
    let each = || (0..300).map(Some);
    let identifier = |e: Error| match e {
        Error::TooManyLevels { limit: 256, numeric: true, identifier, .. } => identifier,
        e => panic!("{e}"),
    };
    assert!(identifier(too_many(each().collect())));
    assert!(!identifier(too_many(each().chain(each()).collect())));
}

#[test]
fn labels_that_never_occur_do_not_count() {
    let numbers: Vec<String> = (0..300).map(|i| i.to_string()).collect();
    let column = CodedColumn::new("a", numbers, false, [Some(299), None, Some(7), Some(299)]).unwrap();
    let found = table(vec![column], MissingPolicy::Drop).unwrap();
    assert_eq!(found.data.variables()[0].levels(), ["299", "7"]);
    let many = (0..70_000).map(|i| format!("x{i}")).collect();
    assert!(CodedColumn::new("a", many, false, [Some(69_999), Some(0)]).is_ok());
}
