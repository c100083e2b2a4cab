//! Any bytes as BIF: reading them ends with a network or an error, and a network that was read is
//! written and read back equal.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ossature::network::bif;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(read) = bif::parse(text, "fuzz.bif") else { return };
    // A `default` can stand for millions of rows; writing them all would only slow the search.
    if read.network.parameters() > 100_000 {
        return;
    }
    let mut written = Vec::new();
    bif::write(&read.network, &mut written).expect("memory takes everything");
    let written = String::from_utf8(written).expect("names are UTF-8");
    let again = bif::parse(&written, "written.bif").expect("what was written is read");
    assert_eq!(again.network, read.network);
    assert_eq!(again.normalised_rows, 0);
});
