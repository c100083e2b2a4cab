//! The CSV reader: any bytes are a table or an error, never a panic. The first byte chooses the
//! options, as in the test that replays the corpus.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ossature::data::read_csv;
use ossature::{MissingPolicy, ReadOptions, Silent, Variable};

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, text)) = bytes.split_first() else { return };
    let Ok(table) = read_csv(text, "fuzz.csv", &options(choice), &Silent) else { return };
    assert_eq!(table.data.rows() as u64, table.report.rows_read - table.report.rows_dropped);

    // What was read is written and read back the same.
    let mut written = Vec::new();
    table.data.write_csv(&mut written).expect("memory takes all writes");
    let same = ReadOptions {
        delimiter: Some(b','),
        levels: Some(table.data.variables().to_vec()),
        ..ReadOptions::default()
    };
    let again = read_csv(written.as_slice(), "again.csv", &same, &Silent).expect("what was written is read");
    assert_eq!(again.data, table.data);
});

fn options(choice: u8) -> ReadOptions {
    let policies = [MissingPolicy::Error, MissingPolicy::Drop, MissingPolicy::Level];
    let wishes: &[&str] = match choice >> 3 & 3 {
        0 => &[],
        1 => &["*=quantile:3"],
        2 => &["x=width:3"],
        _ => &["x=cuts:0,1.5", "y=quantile:2"],
    };
    ReadOptions {
        delimiter: (choice & 4 != 0).then_some(b';'),
        missing: policies[usize::from(choice & 3) % 3],
        discretise: wishes.iter().map(|w| w.parse().expect("a wish")).collect(),
        levels: (choice & 32 != 0).then(|| vec![Variable::new("y", ["NA", "a", "b"]).expect("levels")]),
        ..ReadOptions::default()
    }
}
