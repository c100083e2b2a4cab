use proptest::prelude::*;

use super::*;
use crate::data::{Continuous, MissingPolicy, Variable};
use crate::progress::Silent;

/// As text, because a number that is missing is not equal to itself.
fn shown(texts: &[String], options: &ReadOptions, sizes: BlockSizes) -> std::result::Result<String, String> {
    read(texts, options, sizes).map(|table| format!("{table:?}"))
}

fn read(texts: &[String], options: &ReadOptions, sizes: BlockSizes) -> std::result::Result<Table, String> {
    let mut joined = Joined::new(options, &Silent);
    for (i, text) in texts.iter().enumerate() {
        append(text.as_bytes(), &format!("{i}.csv"), &mut joined, sizes).map_err(|e| e.to_string())?;
    }
    joined.finish().map_err(|e| e.to_string())
}

/// Rows of three columns: labels, numbers and declared levels, nearly all of them good.
fn rows() -> impl Strategy<Value = String> {
    let label = prop_oneof![8 => "[a-c]{1,9}", 2 => "\"[a-c]\"\"\n[a-c]\"", 1 => Just(String::new())];
    let number = prop_oneof![20 => "[1-9]{1,3}", 1 => Just("NA".to_owned()), 1 => "\"[1-9][.]5\"", 1 => Just("x".to_owned())];
    let level = prop_oneof![20 => "no|yes", 1 => Just("?".to_owned()), 1 => Just("\"perhaps\"".to_owned())];
    let end = prop_oneof![6 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\n\n"), 1 => Just(",\n")];
    let row = (label, number, level, end).prop_map(|(a, b, c, end)| format!("{a},{b},{c}{end}"));
    prop::collection::vec(row, 0..40).prop_map(|rows| rows.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_table_does_not_depend_on_blocks_parts_and_files(
        (rows, cut) in rows().prop_flat_map(|rows| (Just(rows.clone()), 0..=rows.len())),
        (first, part, parts) in (1_usize..200, 1_usize..100, 1_usize..5),
        policy in prop::sample::select(vec![
            MissingPolicy::Error, MissingPolicy::Drop, MissingPolicy::Level, MissingPolicy::Available,
        ]),
        (cuts, declared, unknown_as_missing) in any::<(bool, bool, bool)>(),
    ) {
        let options = ReadOptions {
            missing: policy,
            continuous: Continuous::Columns(if cuts { Vec::new() } else { vec!["n".into()] }),
            discretise: if cuts { vec!["n=width:3".parse().unwrap()] } else { Vec::new() },
            levels: declared.then(|| vec![Variable::new("d", ["yes", "no"]).unwrap()]),
            unknown_as_missing,
            ..ReadOptions::default()
        };
        let sizes = BlockSizes { first, part: (part, 2 * part), most: 1 << 10, parts };
        let text = format!("l,n,d\n{rows}");
        let whole = shown(std::slice::from_ref(&text), &options, BlockSizes::default());
        prop_assert_eq!(&shown(&[text], &options, sizes), &whole);

        // The same rows in two files, if they are cut between two.
        let cut = rows.as_bytes()[..cut].iter().rposition(|&b| b == b'\n').map_or(0, |end| end + 1);
        let (one, two) = rows.split_at(cut);
        if let (Ok(whole), 0) = (whole, one.matches('"').count() % 2) {
            let two = [format!("l,n,d\n{one}"), format!("l,n,d\n{two}")];
            prop_assert_eq!(shown(&two, &options, sizes), Ok(whole));
        }
    }
}

#[test]
fn the_first_fault_of_the_file_is_the_one_that_is_told() {
    let declared = ReadOptions {
        levels: Some(vec![Variable::new("a", ["0", "1"]).unwrap(), Variable::new("b", ["0", "1"]).unwrap()]),
        ..ReadOptions::default()
    };
    let refused = |rows: &str, options: &ReadOptions| {
        let tiny = BlockSizes { first: 4, part: (6, 12), most: 1 << 10, parts: 3 };
        let texts = [format!("b,a\n{rows}")];
        let [one, other] =
            [tiny, BlockSizes::default()].map(|sizes| read(&texts, options, sizes).unwrap_err());
        assert_eq!(one, other);
        one
    };
    // By rows, and in a row by columns as they stand in the file.
    assert!(refused("0,0\n0,x\ny,0\n", &declared).starts_with("0.csv, line 3, column a: "));
    assert!(refused("0,0\ny,x\n", &declared).starts_with("0.csv, line 3, column b: "));
    assert!(refused("0,0\n0,x\n0\n", &declared).starts_with("0.csv, line 3, column a: "));
    assert!(refused("0,0\n0\n0,x\n", &declared).starts_with("0.csv, line 3: found 1 field"));
    // What is missing refuses the table when all of it is read, unless something is wrong with the rows before.
    assert!(
        refused("0,0\n0,?\nx,0\n?,?\n", &declared).starts_with("0.csv, line 3, column a: 3 missing values")
    );
    assert!(refused("x,0\n0,?\n", &declared).starts_with("0.csv, line 2, column b: "));
    assert!(refused("0,?\n0,0,0\n", &declared).starts_with("0.csv, line 3: found 3 fields"));
    // In a row that is left out nothing else is looked at.
    let dropped = ReadOptions { missing: MissingPolicy::Drop, ..declared };
    let table = read(&["b,a\n0,0\nx,?\n1,1\n".to_owned()], &dropped, BlockSizes::default()).unwrap();
    assert_eq!((table.data.rows(), table.report.rows_dropped), (2, 1));
}
