//! Properties that hold for any table.

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

/// Names and labels that need quoting, look missing or contain any character but NUL.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ab,;\"\r\n\t ]{1,4}",
        Just("NA".to_owned()),
        Just("\u{FEFF}".to_owned()),
        "[^\0]{1,3}",
        Just("é,\"".to_owned()),
    ]
}

fn datasets() -> impl Strategy<Value = Dataset> {
    let column = |rows: usize| {
        let levels = prop::collection::btree_set(prop_oneof![text(), Just(String::new())], 1..5);
        let codes = prop::collection::vec(any::<Index>(), rows);
        (levels.prop_map(Vec::from_iter).prop_shuffle(), codes)
    };
    (1_usize..12, 1_usize..5)
        .prop_flat_map(move |(rows, columns)| {
            let names = prop::collection::btree_set(text(), columns);
            (names, prop::collection::vec(column(rows), columns))
        })
        .prop_map(|(names, columns)| {
            let columns = names.into_iter().zip(columns).map(|(name, (levels, codes))| {
                let n = levels.len();
                let codes: Vec<u16> = codes.iter().map(|c| c.index(n) as u16).collect();
                (Variable::new(name, levels).unwrap(), Column::from_codes(codes, n))
            });
            Dataset::new(columns.collect()).unwrap()
        })
}

/// A table of plain labels as rows of fields, header first.
fn plain_rows() -> impl Strategy<Value = Vec<Vec<String>>> {
    (1_usize..6, 1_usize..20).prop_flat_map(|(width, height)| {
        prop::collection::vec(prop::collection::vec("[a-d]{1,2}", width), height).prop_map(move |rows| {
            let header = (0..width).map(|i| format!("v{}", (7 * i) % width * 3 + i)).collect();
            std::iter::once(header).chain(rows).collect()
        })
    })
}

fn as_text(rows: &[Vec<String>]) -> String {
    rows.iter().map(|row| row.join(",") + "\n").collect()
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(data in datasets(), tabs: bool) {
        let mut text = Vec::new();
        let written = if tabs { data.write_tsv(&mut text) } else { data.write_csv(&mut text) };
        written.unwrap();
        let options = ReadOptions {
            levels: Some(data.variables().to_vec()),
            delimiter: Some(if tabs { b'\t' } else { b',' }),
            ..default()
        };
        prop_assert_eq!(table_of(&text, &options).unwrap().data, data);
    }

    #[test]
    fn the_order_of_columns_does_not_matter(rows in plain_rows(), order in any::<Index>()) {
        let turned: Vec<Vec<String>> = rows
            .iter()
            .map(|row| {
                let mut row = row.clone();
                row.rotate_left(order.index(rows[0].len()));
                row.reverse();
                row
            })
            .collect();
        let plain = table_of(as_text(&rows), &default()).unwrap();
        prop_assert_eq!(table_of(as_text(&turned), &default()).unwrap(), plain);
    }

    #[test]
    fn the_order_of_rows_changes_nothing_but_the_order_of_rows(
        (plain, shuffled) in plain_rows().prop_flat_map(|rows| {
            let places: Vec<usize> = (1..rows.len()).collect();
            (Just(rows), Just(places).prop_shuffle())
        })
    ) {
        let turned: Vec<Vec<String>> =
            std::iter::once(&0).chain(&shuffled).map(|&i| plain[i].clone()).collect();
        let plain = table_of(as_text(&plain), &default()).unwrap().data;
        let turned = table_of(as_text(&turned), &default()).unwrap().data;
        prop_assert_eq!(plain.variables(), turned.variables());
        for v in plain.vars() {
            for (row, &from) in shuffled.iter().enumerate() {
                prop_assert_eq!(turned.column(v).code(row), plain.column(v).code(from - 1));
            }
        }
    }

    #[test]
    fn intervals_do_not_depend_on_the_order_of_rows(
        (values, shuffled) in prop::collection::vec(any::<f32>().prop_filter("finite", |x| x.is_finite()), 1..50)
            .prop_flat_map(|v| (Just(v.clone()), Just(v).prop_shuffle())),
        n in 2_usize..6,
    ) {
        let read = |values: &[f32]| {
            let text = values.iter().fold("x\n".to_owned(), |text, x| text + &x.to_string() + "\n");
            let [quantile, width] = ["quantile", "width"]
                .map(|kind| table_of(&text, &discretise(&[&format!("x={kind}:{n}")])).unwrap());
            (quantile.report, width.report, quantile.data.variables().to_vec(), width.data.variables().to_vec())
        };
        prop_assert_eq!(read(&values), read(&shuffled));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>, choice: u8) {
        let _ = table_of(&bytes, &bad_input::fuzz_options(choice));
    }

    #[test]
    fn bytes_that_are_nearly_a_table_are_read_or_refused(text in "(x|y|,|;|\"|\n|\r|1|2.5|NA|a){0,40}", choice: u8) {
        if let Ok(table) = table_of("x,y\n".to_owned() + &text, &bad_input::fuzz_options(choice)) {
            prop_assert_eq!(table.data.rows() as u64, table.report.rows_read - table.report.rows_dropped);
        }
    }
}
